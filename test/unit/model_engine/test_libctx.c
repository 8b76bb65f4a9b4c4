/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The card in a program that does as it likes with OpenSSL. Each trick is played in a process of
 * its own, which is this program with the name of the trick. There the card computes all known
 * answers and draws random numbers.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OPENSSL_SUPPRESS_DEPRECATED /* RAND_set_rand_method() */
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/rand.h>

#include "accel_model.h"
#include "base/libctx.h"
#include "op/iv_random.h"
#include "state/tls_mac.h"
#include "model_engine/engine_known.h"
#include "pk_base/pk_known.h"

#define DIM(array) (sizeof(array) / sizeof((array)[0]))
#define LATE_NS UINT64_C(100000000) /* from the begin of OPENSSL_cleanup() to the end of a thread */
#define MADE_UP 15 /* no byte of the program's random numbers is above it */

/* What a program does. */
struct trick {
	const char *name;
	const char *conf; /* what OPENSSL_CONF has; NULL: it is not set */
	void (*before)(void); /* before there is a card; NULL: nothing */
	void (*after)(void); /* once the card was used; NULL: nothing */
	bool starved; /* OpenSSL inside has no random numbers */
	bool cleaned; /* OpenSSL was cleaned up */
};

static const struct trick *played;
static bool after_it; /* the second part was played */

/* The card. */

static void
check_engines(void)
{
	struct engine *ossl = engine_openssl.create();

	assert_non_null(ossl);
	run_vectors(ossl, &engine_openssl, cipher_vectors, DIM(cipher_vectors));
	run_vectors(ossl, &engine_openssl, auth_vectors, DIM(auth_vectors));
	run_vectors(ossl, &engine_openssl, aead_vectors, DIM(aead_vectors));
	engine_openssl.destroy(ossl);
}

static bool
all_made_up(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] > MADE_UP)
			return false;
	}
	return true;
}

/* Random numbers of the card are its own. */
static void
check_random(void)
{
	static struct iv_random ivs;
	uint8_t bytes[2][64], iv[2][16];

	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(pk_random(bytes[i], sizeof(bytes[i])), ACCEL_HW_OK);
		assert_true(iv_random_take(&ivs, iv[i], sizeof(iv[i])));
		assert_false(all_made_up(bytes[i], sizeof(bytes[i])));
		assert_false(all_made_up(iv[i], sizeof(iv[i])));
	}
	assert_memory_not_equal(bytes[0], bytes[1], sizeof(bytes[0]));
	assert_memory_not_equal(iv[0], iv[1], sizeof(iv[0]));
}

static struct pk_key *
key_of(unsigned int alg, unsigned int curve, const struct text *const *component, unsigned int nb)
{
	uint16_t status;
	struct pk_key *key = pk_key_try(alg, curve, component, nb, &status);

	assert_int_equal(status, ACCEL_HW_OK);
	return key;
}

#define KEY(alg, curve, ...) key_of(alg, curve, PK_TEXTS(__VA_ARGS__), PK_TEXTS_NB(__VA_ARGS__))

/* A part of what a key pair was made of. The private part is the card's own. */
static struct text
part(const struct answer *pair, unsigned int n, unsigned int nb)
{
	const uint32_t len = pair->produced / nb;
	struct text text = bytes_of(pair->data + n * len, len);

	assert_int_equal(pair->status, ACCEL_HW_OK);
	assert_false(n == 0 && all_made_up(text.data + 1, len - 2));
	return text;
}

/* A new pair of keys signs, without a given k, and the signature is right. */
static void
check_pair(unsigned int alg, unsigned int curve, const struct text *message)
{
	const bool edwards = alg == ACCEL_HW_PK_EDDSA;
	struct pk_key *none = KEY(edwards ? alg : ACCEL_HW_PK_ECDH, curve, NULL), *pair;
	struct answer answer = PK_DO(none, pk_command(ACCEL_HW_PK_GENERATE), NULL);
	const unsigned int nb = edwards ? 2 : 3;
	struct text d = part(&answer, 0, nb), x = part(&answer, 1, nb);
	struct text y = edwards ? (struct text) { .len = 0 } : part(&answer, 2, nb), r, s;

	pair = KEY(alg, curve, &d, &x, edwards ? NULL : &y);
	answer = PK_DO(pair, pk_command(ACCEL_HW_PK_SIGN), message);
	if (edwards) {
		r = text_of(&answer);
		answer = PK_DO(pair, pk_command(ACCEL_HW_PK_VERIFY), message, &r);
	} else {
		r = part(&answer, 0, 2);
		s = part(&answer, 1, 2);
		answer = PK_DO(pair, pk_command(ACCEL_HW_PK_VERIFY), message, &r, &s);
	}
	assert_int_equal(answer.status, ACCEL_HW_OK);
	pk_key_free(pair);
	pk_key_free(none);
}

static void
check_exchange(unsigned int curve)
{
	struct pk_key *none = KEY(ACCEL_HW_PK_ECDH, curve, NULL);
	struct answer answer[2], secret[2];
	struct text d[2], x[2];

	for (unsigned int i = 0; i < 2; i++) {
		answer[i] = PK_DO(none, pk_command(ACCEL_HW_PK_GENERATE), NULL);
		d[i] = part(&answer[i], 0, 2);
		x[i] = part(&answer[i], 1, 2);
	}
	for (unsigned int i = 0; i < 2; i++)
		secret[i] = PK_DO(none, pk_command(ACCEL_HW_PK_SHARED), &d[i], &x[1 - i]);
	x[0] = text_of(&secret[0]);
	assert_result(&secret[1], &x[0]);
	pk_key_free(none);
}

/* Encryption with padding at random, and signatures with blinding and salt. */
static void
check_rsa(const struct pk_key *key, const struct text *message)
{
	static const uint8_t paddings[] = { ACCEL_HW_PK_PADDING_PKCS1, ACCEL_HW_PK_PADDING_OAEP };
	struct accel_hw_pk_command cmd;
	struct answer answer;
	struct text text, other;

	for (unsigned int i = 0; i < 2; i++) {
		cmd = pk_command(ACCEL_HW_PK_ENCRYPT);
		cmd.padding = paddings[i];
		cmd.hash = i == 1 ? ACCEL_HW_AUTH_SHA256 : 0;
		answer = PK_DO(key, cmd, message);
		text = text_of(&answer);
		answer = PK_DO(key, cmd, message);
		other = text_of(&answer);
		assert_memory_not_equal(text.data, other.data, text.len);
		cmd.operation = ACCEL_HW_PK_DECRYPT;
		answer = PK_DO(key, cmd, &text);
		assert_result(&answer, message);
	}
	cmd = pk_command(ACCEL_HW_PK_SIGN);
	cmd.padding = ACCEL_HW_PK_PADDING_PSS;
	cmd.hash = ACCEL_HW_AUTH_SHA256;
	cmd.salt_len = 32;
	answer = PK_DO(key, cmd, message);
	text = text_of(&answer);
	cmd.operation = ACCEL_HW_PK_VERIFY;
	answer = PK_DO(key, cmd, message, &text);
	assert_int_equal(answer.status, ACCEL_HW_OK);
}

static bool rsa_done, dsa_done, dh_done;

/* Known answers, and with some of their keys what is at random. */
static bool
carry(struct pk_known *known)
{
	static const struct text message = { .len = 32, .data = { 1, 2, 3 } };
	const bool possible = pk_carry_out(known);
	struct text r, s;
	struct answer answer;

	if (!possible || known_key == NULL)
		return possible;
	if (known->alg == ACCEL_HW_PK_RSA && known->has_component[ACCEL_HW_RSA_P] && !rsa_done &&
	    known->component[ACCEL_HW_RSA_N].len >= 256) {
		check_rsa(known_key, &message);
		rsa_done = true;
	}
	if (known->alg == ACCEL_HW_PK_DSA && known->has_component[ACCEL_HW_DSA_X] &&
	    known->has_component[ACCEL_HW_DSA_Y] && known->status == ACCEL_HW_OK && !dsa_done) {
		answer = PK_DO(known_key, pk_command(ACCEL_HW_PK_SIGN), &message);
		r = part(&answer, 0, 2);
		s = part(&answer, 1, 2);
		answer = PK_DO(known_key, pk_command(ACCEL_HW_PK_VERIFY), &message, &r, &s);
		assert_int_equal(answer.status, ACCEL_HW_OK);
		dsa_done = true;
	}
	if (known->alg == ACCEL_HW_PK_DH && known->status == ACCEL_HW_OK && !dh_done) {
		answer = PK_DO(known_key, pk_command(ACCEL_HW_PK_GENERATE), NULL);
		part(&answer, 0, 2);
		dh_done = true;
	}
	return true;
}

static void
check_pk(void)
{
	static const struct text message = { .len = 32, .data = { 1, 2, 3 } };

	rsa_done = dsa_done = dh_done = false;
	pk_known_files(carry);
	pk_key_free(known_key);
	known_key = NULL;
	assert_true(rsa_done && dsa_done && dh_done);
	for (unsigned int i = ACCEL_HW_CURVE_P192; i <= ACCEL_HW_CURVE_P521; i++)
		check_pair(ACCEL_HW_PK_ECDSA, i, &message);
	check_pair(ACCEL_HW_PK_EDDSA, ACCEL_HW_CURVE_ED25519, &message);
	check_pair(ACCEL_HW_PK_EDDSA, ACCEL_HW_CURVE_ED448, &message);
	check_exchange(ACCEL_HW_CURVE_X25519);
	check_exchange(ACCEL_HW_CURVE_X448);
}

/* The status of a public-key operation that needs nothing at random, and of one that does. */
static void
check_statuses(uint16_t plain, uint16_t blinded)
{
	static const struct text n = { .len = 3, .data = { 0x0f, 0x42, 0x43 } };
	static const struct text e = { .len = 1, .data = { 3 } };
	static const struct text base = { .len = 1, .data = { 2 } };
	static const struct text digest = { .len = 32, .data = { 1 } };
	uint16_t status;
	struct pk_key *key = PK_KEY_TRY(ACCEL_HW_PK_MODEXP, 0, &status, &n, &e);

	if (plain != ACCEL_HW_OK) {
		assert_null(key);
		assert_int_equal(status, plain);
		return;
	}
	assert_int_equal(PK_DO(key, pk_command(ACCEL_HW_PK_COMPUTE), &base).status, plain);
	pk_key_free(key);
	key = KEY(ACCEL_HW_PK_ECDSA, ACCEL_HW_CURVE_P384, &e);
	assert_int_equal(PK_DO(key, pk_command(ACCEL_HW_PK_SIGN), &digest).status, blinded);
	pk_key_free(key);
}

/* The MAC of TLS records has a context of its own for each session. */
static void
check_tls(void)
{
	struct accel_hw_context raw = { .auth_alg = ACCEL_HW_AUTH_SHA384_HMAC, .auth_key_len = 48 };
	struct tls_mac *mac = tls_mac_new(&raw);

	assert_non_null(mac);
	tls_mac_free(mac);
}

static void
check_model(void)
{
	const enum accel_model_engine engines[] = { ACCEL_MODEL_ENGINE_AUTO,
						    ACCEL_MODEL_ENGINE_OPENSSL };
	struct accel_model *model;

	for (unsigned int i = 0; i < DIM(engines); i++) {
		const struct accel_model_config config = {
			.nb_queue_pairs = 1,
			.nb_workers = 1,
			.engine = engines[i],
		};

		assert_int_equal(accel_model_create(&config, &model), 0);
		accel_model_destroy(model);
	}
}

static void
check_card(void)
{
	const bool now = after_it || played->after == NULL;

	check_engines();
	check_random();
	check_tls();
	if (played->cleaned && now) {
		check_statuses(ACCEL_HW_ENGINE_ERROR, 0);
		return;
	}
	check_model();
	if (played->starved && now)
		check_statuses(ACCEL_HW_OK, ACCEL_HW_NO_ENTROPY);
	else
		check_pk();
}

/* The tricks. */

static OSSL_PROVIDER *loaded[2];

static void
load(const char *first, const char *second)
{
	loaded[0] = OSSL_PROVIDER_load(NULL, first);
	assert_non_null(loaded[0]);
	loaded[1] = second != NULL ? OSSL_PROVIDER_load(NULL, second) : NULL;
}

/* Whether the program itself gets SHA-256. */
static bool
program_can(void)
{
	EVP_MD *md = EVP_MD_fetch(NULL, "SHA256", NULL);

	EVP_MD_free(md);
	return md != NULL;
}

static void
load_legacy(void)
{
	load("legacy", NULL);
	assert_false(program_can());
	ERR_clear_error();
}

/* As the unplugging of crypto_openssl does. */
static void
load_both(void)
{
	load("legacy", "default");
	assert_true(program_can());
}

static void
unload_both(void)
{
	assert_int_equal(OSSL_PROVIDER_unload(loaded[0]), 1);
	assert_int_equal(OSSL_PROVIDER_unload(loaded[1]), 1);
	assert_false(program_can());
	ERR_clear_error();
}

static void
base_only(void)
{
	assert_false(program_can());
	ERR_clear_error();
}

static void
switch_to_fips(void)
{
	assert_int_equal(EVP_default_properties_enable_fips(NULL, 1), 1);
	assert_false(program_can());
	ERR_clear_error();
}

static void
other_default(void)
{
	OSSL_LIB_CTX *empty = OSSL_LIB_CTX_new();

	assert_non_null(OSSL_PROVIDER_load(empty, "null"));
	OSSL_LIB_CTX_set0_default(empty);
	assert_false(program_can());
	ERR_clear_error();
}

static int
make_up(unsigned char *bytes, int len)
{
	for (int i = 0; i < len; i++)
		bytes[i] = (unsigned char)draw(MADE_UP + 1);
	return 1;
}

static int
refuse(unsigned char *bytes, int len)
{
	(void)bytes;
	(void)len;
	return 0;
}

static void
set_method(void)
{
	static const RAND_METHOD method = { .bytes = make_up, .pseudorand = make_up };

	assert_int_equal(RAND_set_rand_method(&method), 1);
}

static void
set_bad_method(void)
{
	static const RAND_METHOD method = { .bytes = refuse, .pseudorand = refuse };

	assert_int_equal(RAND_set_rand_method(&method), 1);
}

/* Memory of the program's own kind, which nothing else may free. */
#define MARK UINT64_C(0x6f70656e73736c21)

static void *
own_alloc(size_t bytes, const char *file, int line)
{
	uint64_t *p = bytes != 0 ? malloc(bytes + 16) : NULL;

	(void)file;
	(void)line;
	if (p == NULL)
		return NULL;
	p[0] = MARK;
	p[1] = bytes;
	return p + 2;
}

static void
own_free(void *memory, const char *file, int line)
{
	uint64_t *p = memory;

	(void)file;
	(void)line;
	if (p == NULL)
		return;
	if (p[-2] != MARK)
		abort();
	p[-2] = 0;
	free(p - 2);
}

static void *
own_realloc(void *memory, size_t bytes, const char *file, int line)
{
	const uint64_t *p = memory;
	void *to = own_alloc(bytes, file, line);

	if (p != NULL && to != NULL)
		memcpy(to, memory, p[-1] < bytes ? p[-1] : bytes);
	if (to != NULL || bytes == 0)
		own_free(memory, file, line);
	return to;
}

static void
set_memory(void)
{
	assert_int_equal(CRYPTO_set_mem_functions(own_alloc, own_realloc, own_free), 1);
}

/* Threads of the card that are at work while the program cleans up. */
static pthread_t at_work[2];
static bool enough; /* shared */

static void *
work(void *arg)
{
	static const struct text d = { .len = 1, .data = { 5 } };
	static const struct text digest = { .len = 32, .data = { 1 } };
	uint16_t status = ACCEL_HW_OK;
	uint8_t bytes[64];

	(void)arg;
	while (status == ACCEL_HW_OK && !__atomic_load_n(&enough, __ATOMIC_RELAXED)) {
		struct pk_key *key = PK_KEY_TRY(ACCEL_HW_PK_ECDSA, ACCEL_HW_CURVE_P384, &status,
						&d);

		if (pk_random(bytes, sizeof(bytes)) != ACCEL_HW_OK)
			abort();
		if (key != NULL)
			status = PK_DO(key, pk_command(ACCEL_HW_PK_SIGN), &digest).status;
		pk_key_free(key);
	}
	libctx_thread_end();
	return NULL;
}

/* A thread that draws random numbers for a while. */
static pthread_t drawer;
static bool drawing; /* shared */

static bool
draw_slowly(uint8_t *out, size_t len)
{
	memset(out, 0, len);
	__atomic_store_n(&drawing, true, __ATOMIC_RELEASE);
	usleep(50000);
	__atomic_store_n(&drawing, false, __ATOMIC_RELEASE);
	return true;
}

static void *
draw_once(void *arg)
{
	uint8_t bytes[64];

	(void)arg;
	pk_random(bytes, sizeof(bytes));
	return NULL;
}

static void
start_drawer(void)
{
	libctx_random_from(draw_slowly);
	assert_int_equal(pthread_create(&drawer, NULL, draw_once, NULL), 0);
	while (!__atomic_load_n(&drawing, __ATOMIC_ACQUIRE))
		usleep(10);
	libctx_random_from(NULL);
}

/* A thread that ends while OpenSSL frees. */
static pthread_t ending;
static uint64_t end_from, end_at; /* in ns */
static bool drawing_late;

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void *
end_late(void *arg)
{
	(void)arg;
	libctx_thread_end();
	end_at = now_ns();
	return NULL;
}

/* OpenSSL calls its handlers in the reverse order in which they were added. The card's was added
 * later, so this runs when the card has waited for its threads. */
static void
late_in_cleanup(void)
{
	drawing_late = __atomic_load_n(&drawing, __ATOMIC_ACQUIRE);
	end_from = now_ns();
	if (pthread_create(&ending, NULL, end_late, NULL) != 0)
		abort();
}

static void
before_clean_up(void)
{
	assert_int_equal(OPENSSL_atexit(late_in_cleanup), 1);
}

static void
clean_up(void)
{
	for (unsigned int i = 0; i < DIM(at_work); i++)
		assert_int_equal(pthread_create(&at_work[i], NULL, work, NULL), 0);
	usleep(20000);
	start_drawer();
	OPENSSL_cleanup();
	/* They see it by themselves. */
	for (unsigned int i = 0; i < DIM(at_work); i++)
		assert_int_equal(pthread_join(at_work[i], NULL), 0);
	assert_int_equal(pthread_join(drawer, NULL), 0);
	assert_int_equal(pthread_join(ending, NULL), 0);
	assert_false(drawing_late);
	assert_true(end_at - end_from >= LATE_NS);
}

/* An error of the program, with a mark and another one behind it. */
static void
raise_errors(void)
{
	ERR_raise(ERR_LIB_USER, 1);
	assert_int_equal(ERR_set_mark(), 1);
	ERR_raise(ERR_LIB_USER, 2);
}

static void
look_at_errors(void)
{
	assert_int_equal(ERR_GET_REASON(ERR_peek_last_error()), 2);
	assert_int_equal(ERR_pop_to_mark(), 1);
	assert_int_equal(ERR_GET_REASON(ERR_get_error()), 1);
	assert_int_equal(ERR_get_error(), 0);
}

/* Without errors of the program there are none either. */
static void
look_for_errors(void)
{
	assert_int_equal(ERR_get_error(), 0);
}

#define BASE_ONLY \
	"openssl_conf = init\n[init]\nproviders = list\n[list]\nbase = base\n[base]\nactivate = 1\n"

static const struct trick tricks[] = {
	{ "nothing", NULL, NULL, NULL },
	{ "legacy", NULL, load_legacy, NULL },
	{ "legacy-later", NULL, NULL, load_legacy },
	{ "unload", NULL, load_both, unload_both },
	{ "base-only", BASE_ONLY, base_only, NULL },
	{ "wrong-file", "openssl_conf = init\n[init]\nproviders = none\n", NULL, NULL },
	{ "fips", NULL, switch_to_fips, NULL },
	{ "fips-later", NULL, NULL, switch_to_fips },
	{ "other-default", NULL, other_default, NULL },
	{ "method", NULL, set_method, NULL },
	{ "method-later", NULL, NULL, set_method },
	{ "bad-method", NULL, set_bad_method, NULL, .starved = true },
	{ "memory", NULL, set_memory, NULL },
	{ "cleanup", NULL, before_clean_up, clean_up, .cleaned = true },
	{ "errors", NULL, raise_errors, look_at_errors },
	{ "no-errors", NULL, NULL, look_for_errors },
};

/* In a process of its own. */
static void
test_played(void **state)
{
	(void)state;
	if (played->before != NULL)
		played->before();
	check_card();
	if (played->after == NULL)
		return;
	played->after();
	after_it = true;
	check_card();
}

static void
play(const struct trick *trick)
{
	static const char conf[] = "/tmp/test_libctx-XXXXXX";
	char path[sizeof(conf)];
	int status, fd = -1;
	pid_t child;

	memcpy(path, conf, sizeof(conf));
	if (trick->conf != NULL) {
		fd = mkstemp(path);
		assert_true(fd >= 0);
		assert_int_equal(write(fd, trick->conf, strlen(trick->conf)), strlen(trick->conf));
		close(fd);
	}
	child = fork();
	if (child == 0) {
		if (trick->conf != NULL)
			setenv("OPENSSL_CONF", path, 1);
		else
			unsetenv("OPENSSL_CONF");
		/* OPENSSL_cleanup() forgets what other threads have. */
		if (trick->cleaned)
			setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
		dup2(2, 1);
		execl("/proc/self/exe", "test_libctx", trick->name, (char *)NULL);
		_exit(127);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (fd >= 0)
		unlink(path);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("%s: status %#x", trick->name, (unsigned int)status);
}

static void
test_trick(void **state)
{
	play(*state);
}

int
main(int argc, char **argv)
{
	static const struct CMUnitTest one[] = { cmocka_unit_test(test_played) };
	struct CMUnitTest tests[DIM(tricks)];

	for (unsigned int i = 0; i < DIM(tricks); i++) {
		if (argc > 1 && strcmp(argv[1], tricks[i].name) == 0)
			played = &tricks[i];
		tests[i] = (struct CMUnitTest) {
			.name = tricks[i].name,
			.test_func = test_trick,
			.initial_state = (void *)(uintptr_t)&tricks[i],
		};
	}
	if (argc > 1)
		return played == NULL || cmocka_run_group_tests(one, NULL, NULL) != 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
