/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Compares the provider with OpenSSL's default provider through EVP: random texts in random parts,
 * wrong tags, copies of contexts, threads, asynchronous jobs, forks, more keys than sessions.
 * Prints TAP.
 *
 * ossl-provider-test device|some|faults|none|any|answers [SEED [ROUNDS]]: `answers` has known
 * answers alone, which are short texts; `device` expects that a device
 * did operations of every cipher, `some` that it did some, `faults` that it failed in others,
 * `none` that it did none, and `any` nothing of the kind. The environment sets up the provider
 * (ossl.py).
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <rte_cryptodev.h>
#include <rte_malloc.h>

#include "answers.h"
#include "harness.h"

#define TEXT_MAX 60000
#define ROOM (TEXT_MAX + 64)
#define TAG 16

static const char *const names[] = {
	"AES-128-CBC",
	"AES-192-CBC",
	"AES-256-CBC",
	"AES-128-CTR",
	"AES-192-CTR",
	"AES-256-CTR",
	"AES-128-GCM",
	"AES-192-GCM",
	"AES-256-GCM",
	"ChaCha20-Poly1305",
};
#define NAMES (sizeof(names) / sizeof(names[0]))

static int rounds = 40;
static bool any; /* the device may do any number of operations */

/* A message and how it is fed. */
struct message {
	const char *name;
	bool aead;
	uint8_t key[32];
	uint8_t iv[16];
	uint8_t aad[100];
	size_t aad_len;
	size_t len;
	int parts;
	bool copy; /* go on with a copy of the context in the middle */
	bool in_place; /* the output replaces the input */
	bool late; /* the tag to verify comes after the text */
	bool pad;
	unsigned int seed;
	uint8_t *text;
};

static void
draw_message(struct message *m, unsigned int *seed, size_t name)
{
	static const uint16_t lengths[] = { 0, 1, 15, 16, 17, 1023, 1024, 1040, 4096, 16384, 49152,
		49168 };

	m->name = names[name];
	m->aead = name >= 6;
	draw_bytes(seed, m->key, sizeof(m->key));
	draw_bytes(seed, m->iv, sizeof(m->iv));
	if (draw(seed, 4) == 0)
		memset(m->iv, 0xff, sizeof(m->iv)); /* the counter wraps */
	draw_bytes(seed, m->aad, sizeof(m->aad));
	m->aad_len = draw(seed, 3) == 0 ? draw(seed, sizeof(m->aad)) : 13;
	m->len = draw(seed, 2) == 0 ? lengths[draw(seed, sizeof(lengths) / sizeof(lengths[0]))]
				    : draw(seed, TEXT_MAX);
	m->parts = draw(seed, 2) == 0 ? 1 : 1 + draw(seed, 5);
	m->copy = draw(seed, 3) == 0;
	m->in_place = draw(seed, 2) == 0 && (m->aead || m->parts == 1);
	m->late = draw(seed, 4) == 0;
	m->pad = m->len % 16 != 0 || draw(seed, 2) == 0;
	m->seed = rand_r(seed);
	draw_bytes(seed, m->text, m->len);
}

/* Feeds the text in parts whose sizes the message's seed decides. Returns the length of the
 * output, or -1.
 */
static long
feed(EVP_CIPHER_CTX **ctx, const struct message *m, const uint8_t *in, size_t len, uint8_t *out)
{
	unsigned int seed = m->seed;
	size_t at = 0, made = 0;
	int done;

	for (int part = 1; part <= m->parts; part++) {
		size_t nb = part == m->parts ? len - at : draw(&seed, len - at + 1);

		if (EVP_CipherUpdate(*ctx, out + made, &done, in + at, nb) != 1)
			return -1;
		at += nb;
		made += done;
		if (m->copy && part == 1) {
			EVP_CIPHER_CTX *other = EVP_CIPHER_CTX_new();

			if (EVP_CIPHER_CTX_copy(other, *ctx) != 1)
				return -1;
			EVP_CIPHER_CTX_free(*ctx);
			*ctx = other;
		}
	}
	return made;
}

/* Encrypts or decrypts a message. Returns the length of the output, or -1 if OpenSSL reported an
 * error.
 */
static long
run(EVP_CIPHER_CTX **ctx, OSSL_LIB_CTX *lib, const struct message *m, bool enc, const uint8_t *in,
		size_t len, uint8_t *out, uint8_t *tag)
{
	EVP_CIPHER *cipher =
			EVP_CIPHER_fetch(lib, m->name, lib == hw_ctx ? "provider=cryptodev" : NULL);
	bool ok = cipher != NULL && EVP_CipherInit_ex2(*ctx, cipher, m->key, m->iv, enc, NULL) == 1;
	long made = -1;
	int done;

	EVP_CIPHER_free(cipher);
	EVP_CIPHER_CTX_set_padding(*ctx, m->pad);
	if (m->aead && !enc && !m->late)
		ok = ok && EVP_CIPHER_CTX_ctrl(*ctx, EVP_CTRL_AEAD_SET_TAG, TAG, tag) == 1;
	if (m->aead)
		ok = ok && EVP_CipherUpdate(*ctx, NULL, &done, m->aad, m->aad_len) == 1;
	if (ok && m->in_place) {
		memcpy(out, in, len);
		in = out;
	}
	if (ok)
		made = feed(ctx, m, in, len, out);
	if (m->aead && !enc && m->late)
		ok = ok && EVP_CIPHER_CTX_ctrl(*ctx, EVP_CTRL_AEAD_SET_TAG, TAG, tag) == 1;
	if (!ok || made < 0 || EVP_CipherFinal_ex(*ctx, out + made, &done) != 1)
		return -1;
	if (m->aead && enc && EVP_CIPHER_CTX_ctrl(*ctx, EVP_CTRL_AEAD_GET_TAG, TAG, tag) != 1)
		return -1;
	return made + done;
}

/* Encrypts with both providers, decrypts with ours, and decrypts a wrong message. Returns true if
 * all agree.
 */
static bool
agree(EVP_CIPHER_CTX **hw, EVP_CIPHER_CTX **sw, const struct message *m, uint8_t *a, uint8_t *b)
{
	uint8_t tag_a[TAG] = { 0 }, tag_b[TAG] = { 0 };
	long len_a = run(hw, hw_ctx, m, true, m->text, m->len, a, tag_a);
	long len_b = run(sw, sw_ctx, m, true, m->text, m->len, b, tag_b);
	long back, wrong;

	if (len_a < 0 || len_a != len_b || memcmp(a, b, len_a) != 0 ||
			memcmp(tag_a, tag_b, TAG) != 0) {
		printf("# %s of %zu bytes in %d parts: %ld and %ld bytes\n", m->name, m->len,
				m->parts, len_a, len_b);
		return false;
	}
	back = run(hw, hw_ctx, m, false, b, len_b, a, tag_b);
	if (back != (long)m->len || memcmp(a, m->text, m->len) != 0) {
		printf("# %s of %zu bytes in %d parts back: %ld bytes\n", m->name, m->len, m->parts,
				back);
		return false;
	}
	if (!m->aead)
		return true;
	tag_b[m->seed % TAG] ^= 1;
	wrong = run(hw, hw_ctx, m, false, b, len_b, a, tag_b);
	if (wrong >= 0)
		printf("# %s of %zu bytes: a wrong tag is taken\n", m->name, m->len);
	return wrong < 0;
}

/* Does a number of random messages of each cipher, with contexts that live on. */
static bool
many(unsigned int seed, int nb)
{
	EVP_CIPHER_CTX *hw = EVP_CIPHER_CTX_new(), *sw = EVP_CIPHER_CTX_new();
	uint8_t *a = malloc(ROOM), *b = malloc(ROOM);
	struct message m = { .text = malloc(ROOM) };
	bool ok = true;

	for (int i = 0; i < nb * (int)NAMES && ok; i++) {
		draw_message(&m, &seed, i % NAMES);
		ok = agree(&hw, &sw, &m, a, b);
	}
	EVP_CIPHER_CTX_free(hw);
	EVP_CIPHER_CTX_free(sw);
	free(a);
	free(b);
	free(m.text);
	return ok;
}

static void *
thread_main(void *arg)
{
	return many((unsigned int)(uintptr_t)arg, rounds / 4) ? arg : NULL;
}

static bool
threads(unsigned int seed)
{
	pthread_t ids[12];
	bool ok = true;
	void *value;

	for (size_t i = 0; i < 12; i++)
		pthread_create(&ids[i], NULL, thread_main, (void *)(uintptr_t)(seed + 1 + i));
	for (size_t i = 0; i < 12; i++) {
		pthread_join(ids[i], &value);
		ok = ok && value != NULL;
	}
	return ok;
}

#ifndef ACCEL_SANITIZED
/* What one ASYNC_JOB does. */
static int
job_main(void *arg)
{
	return many(*(unsigned int *)arg, 2);
}

#endif

/* A child of this process, which has the device, gets right results, and can fork and exit. */
static bool
forks(unsigned int seed)
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0) {
		bool ok = many(seed, rounds / 8 + 1);

		if (!any && (counter(NULL, " forked=") > 0) != (counter(NULL, " operations=") > 0))
			ok = false;
		_exit(ok ? 0 : 1);
	}
	return waitpid(pid, &status, 0) == pid && status == 0 && many(seed, 1);
}

/* More keys at a time than sessions. */
static bool
keys(unsigned int seed)
{
	enum {
		KEYS = 600
	};
	EVP_CIPHER_CTX *hw[KEYS], *sw = EVP_CIPHER_CTX_new();
	uint8_t *a = malloc(ROOM), *b = malloc(ROOM);
	struct message m = { .text = malloc(ROOM) };
	bool ok = true;

	for (int i = 0; i < KEYS; i++) {
		hw[i] = EVP_CIPHER_CTX_new();
		draw_message(&m, &seed, i % NAMES);
		m.len = 2048;
		m.copy = false;
		m.pad = true;
		ok = ok && agree(&hw[i], &sw, &m, a, b);
	}
	for (int i = 0; i < KEYS; i++)
		EVP_CIPHER_CTX_free(hw[i]);
	EVP_CIPHER_CTX_free(sw);
	free(a);
	free(b);
	free(m.text);
	return ok;
}

/* Does each known answer in both directions. */
static bool
known_answers(void)
{
	EVP_CIPHER_CTX *hw = EVP_CIPHER_CTX_new();
	uint8_t sealed[128], out[128], tag[TAG], expected[TAG], text[128];
	struct message m = { .parts = 1, .text = text };
	size_t len, nb;
	bool ok = true;

	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		const struct answer *a = &answers[i];
		bool good;

		m.name = a->name;
		m.aead = a->tag[0] != '\0';
		good = OPENSSL_hexstr2buf_ex(m.key, sizeof(m.key), &nb, a->key, 0) == 1 &&
				OPENSSL_hexstr2buf_ex(m.iv, sizeof(m.iv), &nb, a->iv, 0) == 1 &&
				OPENSSL_hexstr2buf_ex(
						m.aad, sizeof(m.aad), &m.aad_len, a->aad, 0) == 1 &&
				OPENSSL_hexstr2buf_ex(text, sizeof(text), &m.len, a->text, 0) ==
						1 &&
				OPENSSL_hexstr2buf_ex(sealed, sizeof(sealed), &len, a->sealed, 0) ==
						1 &&
				OPENSSL_hexstr2buf_ex(expected, sizeof(expected), &nb, a->tag, 0) ==
						1;
		good = good && run(&hw, hw_ctx, &m, true, text, m.len, out, tag) == (long)len &&
				memcmp(out, sealed, len) == 0 &&
				(!m.aead || memcmp(tag, expected, TAG) == 0);
		good = good &&
				run(&hw, hw_ctx, &m, false, sealed, len, out, expected) ==
						(long)m.len &&
				memcmp(out, text, m.len) == 0;
		if (!good)
			printf("# %s is not that of %s\n", a->name, a->origin);
		ok = ok && good;
	}
	EVP_CIPHER_CTX_free(hw);
	return ok;
}

/* A text of CTR whose counter wraps in its low 32 bits is not for the device, and one whose counter
 * ends just below is.
 */
static bool
counter_wrap(unsigned int seed)
{
	struct message m = { .name = "AES-256-CTR", .parts = 1, .len = 4096, .seed = seed };
	EVP_CIPHER_CTX *hw = EVP_CIPHER_CTX_new(), *sw = EVP_CIPHER_CTX_new();
	uint8_t *a = malloc(ROOM), *b = malloc(ROOM);
	unsigned long wraps = counter(m.name, " unsupported="),
		      operations = counter(m.name, " operations=");
	bool ok;

	m.text = malloc(ROOM);
	draw_bytes(&seed, m.text, m.len);
	draw_bytes(&seed, m.iv, sizeof(m.iv));
	memcpy(m.iv + 12, "\xff\xff\xfe\xff", 4); /* and 256 blocks make 2^32 - 1 */
	ok = agree(&hw, &sw, &m, a, b) && counter(m.name, " unsupported=") == wraps &&
			counter(m.name, " operations=") == operations + 2;
	m.iv[14] = 0xff;
	m.iv[15] = 0x00;
	ok = ok && agree(&hw, &sw, &m, a, b) && counter(m.name, " unsupported=") == wraps + 2 &&
			counter(m.name, " operations=") == operations + 2;
	EVP_CIPHER_CTX_free(hw);
	EVP_CIPHER_CTX_free(sw);
	free(a);
	free(b);
	free(m.text);
	return ok;
}

/* EVP_Cipher() works on blocks as they are, and goes on where it stopped. What succeeds leaves no
 * error behind: SSL_get_error() would take it for its own.
 */
static bool
whole_texts(unsigned int seed)
{
	uint8_t *text = malloc(ROOM), *a = malloc(ROOM), *b = malloc(ROOM), key[32], iv[16];
	bool ok = true;

	ERR_clear_error();
	draw_bytes(&seed, text, TEXT_MAX);
	draw_bytes(&seed, key, sizeof(key));
	draw_bytes(&seed, iv, sizeof(iv));
	for (size_t i = 0; i < 6 * 2 && ok; i++) {
		static const size_t lengths[] = { 16, 2048, 64, 8192, 16 };
		EVP_CIPHER *hw = EVP_CIPHER_fetch(hw_ctx, names[i / 2], "provider=cryptodev");
		EVP_CIPHER *sw = EVP_CIPHER_fetch(sw_ctx, names[i / 2], NULL);
		EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new(), *y = EVP_CIPHER_CTX_new();

		ok = EVP_CipherInit_ex2(x, hw, key, iv, i % 2, NULL) == 1 &&
				EVP_CipherInit_ex2(y, sw, key, iv, i % 2, NULL) == 1;
		for (size_t j = 0; j < 5 && ok; j++)
			ok = EVP_Cipher(x, a, text, lengths[j]) == (int)lengths[j] &&
					EVP_Cipher(y, b, text, lengths[j]) == (int)lengths[j] &&
					memcmp(a, b, lengths[j]) == 0;
		EVP_CIPHER_CTX_free(x);
		EVP_CIPHER_CTX_free(y);
		EVP_CIPHER_free(hw);
		EVP_CIPHER_free(sw);
	}
	if (ERR_peek_error() != 0) {
		ERR_print_errors_fp(stdout);
		ok = false;
	}
	free(text);
	free(a);
	free(b);
	return ok;
}

/* Texts in the device's memory, which the output replaces. A device that fails may have written
 * there. If it rests after that, this waits a few times until it does not.
 */
static bool
in_place(unsigned int seed, int nb)
{
	EVP_CIPHER_CTX *hw = EVP_CIPHER_CTX_new(), *sw = EVP_CIPHER_CTX_new();
	uint8_t *a = rte_malloc(NULL, ROOM, 64), *b = malloc(ROOM);
	struct message m = { .text = malloc(ROOM) };
	unsigned long rested;
	int waits = 8;
	bool ok = a != NULL;

	for (int i = 0; i < nb * (int)NAMES && ok; i++) {
		draw_message(&m, &seed, i % NAMES);
		m.in_place = true;
		m.parts = 1;
		rested = counter(NULL, " resting=");
		ok = agree(&hw, &sw, &m, a, b);
		if (counter(NULL, " resting=") != rested && waits-- > 0)
			usleep(1100000);
	}
	EVP_CIPHER_CTX_free(hw);
	EVP_CIPHER_CTX_free(sw);
	rte_free(a);
	free(b);
	free(m.text);
	return ok;
}

/* Text in the device's memory goes without a copy, from one buffer to another. */
static bool
no_copies(unsigned int seed)
{
	struct message m = { .name = "AES-128-CBC", .parts = 1, .len = 8192, .seed = seed };
	EVP_CIPHER_CTX *hw = EVP_CIPHER_CTX_new(), *sw = EVP_CIPHER_CTX_new();
	uint8_t *text = rte_malloc(NULL, 8192, 64), *out = rte_malloc(NULL, 8192, 64),
		*b = malloc(8192);
	unsigned long copied = counter(NULL, " copied="), before = counter(NULL, " operations=");
	bool ok;

	m.text = text;
	draw_bytes(&seed, text, 8192);
	ok = run(&hw, hw_ctx, &m, true, text, 8192, out, NULL) == 8192 &&
			run(&sw, sw_ctx, &m, true, text, 8192, b, NULL) == 8192 &&
			memcmp(out, b, 8192) == 0 && counter(NULL, " operations=") == before + 1 &&
			counter(NULL, " copied=") == copied;
	EVP_CIPHER_CTX_free(hw);
	EVP_CIPHER_CTX_free(sw);
	rte_free(text);
	rte_free(out);
	free(b);
	return ok;
}

static bool
all_on_device(void)
{
	bool ok = true;

	for (size_t i = 0; i < NAMES; i++) {
		if (counter(names[i], " operations=") != 0)
			continue;
		printf("# no %s on the device\n", names[i]);
		ok = false;
	}
	return ok;
}

/* Unloads the provider and loads it again; the device stays. */
static bool
reload(unsigned int seed)
{
	OSSL_PROVIDER_unload(provider);
	provider = OSSL_PROVIDER_load(hw_ctx, "cryptodev");
	return provider != NULL && many(seed, 2);
}

int
main(int argc, char **argv)
{
	bool device;
	unsigned int seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	__attribute__((unused)) unsigned int paused = 0;

	if (argc < 2) {
		fprintf(stderr, "ossl-provider-test device|some|faults|none|any [SEED [ROUNDS]]\n");
		return 2;
	}
	device = strcmp(argv[1], "device") == 0;
	any = strcmp(argv[1], "any") == 0;
	printf("# seed %u\n", seed);
	if (argc > 3)
		rounds = atoi(argv[3]);
	if (!start()) {
		check(false, "the provider loads");
		return end();
	}
	if (strcmp(argv[1], "answers") == 0) {
		check(known_answers(), "known answers");
		check(all_on_device(), "the device did each cipher");
		return end();
	}
	check(many(seed, rounds), "random messages");
	check(whole_texts(seed), "EVP_Cipher()");
	check(sequences(seed + 800, rounds * 50), "random sequences of calls");
	check(threads(seed), "threads");
#ifndef ACCEL_SANITIZED /* AddressSanitizer does not follow the stacks of jobs */
	check(jobs(job_main, seed + 100, false, &paused) && (!device || paused > 32),
			"asynchronous jobs");
	paused = 0;
	check(jobs(job_main, seed + 150, true, &paused) && (!device || paused > 32),
			"asynchronous jobs with a callback");
#endif
	check(forks(seed + 200), "a forked child");
	check(keys(seed + 300), "more keys than sessions");
	check(reload(seed + 400), "unloaded and loaded again");
	if (device) {
		check(counter(NULL, " no-session=") > 0,
				"sessions ran out, and the default provider took over");
		check(all_on_device(), "the device did each cipher");
		check(no_copies(seed + 500), "no copy of what the device reaches");
		check(counter_wrap(seed + 600), "a counter of 32 bits that wraps");
		check(in_place(seed + 700, 4), "in the device's memory");
	} else if (strcmp(argv[1], "some") == 0) {
		check(counter(NULL, " operations=") > 0, "the device did some operations");
	} else if (strcmp(argv[1], "faults") == 0) {
		check(counter(NULL, " operations=") > 0, "the device did some operations");
		check(counter(NULL, " failed=") + counter(NULL, " lost=") > 0,
				"it failed in others");
		check(in_place(seed + 700, 8), "in the device's memory");
	} else if (strcmp(argv[1], "none") == 0) {
		check(counter(NULL, " operations=") == 0, "no operation on a device");
	}
	return end();
}
