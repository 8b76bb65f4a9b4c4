/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Traces of a guest in the daemon. A guest works with a payload and a key that are easy to
 * recognise. The private memory of the program accel-device is searched for them from outside after
 * stop, reset and the end of the connection, and so is a core dump.
 */
#include "program.h"
#include "base/smaps.h"

#include <dirent.h>
#include <inttypes.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define PATTERN 8u /* bytes, repeated */
#define NEEDLE (2 * PATTERN) /* The search finds two patterns in a row, from the first byte on. */
#define PAYLOAD 2048u
#define PIECE 65536u /* bytes of memory that are searched at once */

/* Patterns are stored inverted, so that they are found only where the test puts them. */
struct pattern {
	uint8_t hidden[PATTERN];
};

static const struct pattern payload = { { 0x91, 0x1d, 0x73, 0x05, 0xb8, 0x5a, 0x2e, 0xc4 } };
static const struct pattern secret = { { 0x3f, 0xa6, 0x08, 0xd2, 0x67, 0x1b, 0xe9, 0x54 } };

static void
fill(uint8_t *to, size_t len, const struct pattern *p)
{
	for (size_t i = 0; i < len; i++)
		to[i] = (uint8_t)~p->hidden[i % PATTERN];
}

static unsigned int
count_in(const uint8_t *at, size_t len, const struct pattern *p)
{
	unsigned int nb = 0;

	for (size_t i = 0; i + NEEDLE <= len; i++) {
		size_t n = 0;

		while (n < NEEDLE && (at[i + n] ^ p->hidden[n % PATTERN]) == 0xff)
			n++;
		nb += n == NEEDLE;
	}
	return nb;
}

/* Searches one range. Memory that cannot be read has nothing. */
static unsigned int
count_range(int mem, uint64_t from, uint64_t to, const struct pattern *p)
{
	static uint8_t piece[PIECE];
	unsigned int nb = 0;

	for (uint64_t at = from; at < to; at += PIECE - NEEDLE + 1) {
		size_t want = to - at < PIECE ? to - at : PIECE;
		ssize_t n = pread(mem, piece, want, (off_t)at);

		if (n > 0)
			nb += count_in(piece, (size_t)n, p);
	}
	return nb;
}

/* Searches all private memory of the process. Guests' memory and BAR0 are shared mappings.
 * @param but: leave out mappings with this flag, see smaps.h; NULL: none. */
static unsigned int
count_but(pid_t pid, const struct pattern *p, const char *but)
{
	char path[64], line[512], rights[8];
	unsigned int nb = 0;
	uint64_t from, to;
	FILE *maps;
	int mem;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	mem = open(path, O_RDONLY);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "r");
	assert_true(mem >= 0 && maps != NULL);
	while (fgets(line, sizeof(line), maps) != NULL) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &from, &to, rights) == 3 &&
		    rights[1] == 'w' && rights[3] == 'p' &&
		    (but == NULL || !smaps_flag(pid, from, but)))
			nb += count_range(mem, from, to, p);
	}
	fclose(maps);
	close(mem);
	return nb;
}

static unsigned int
count_traces(pid_t pid, const struct pattern *p)
{
	return count_but(pid, p, NULL);
}

/* One algorithm of each group that leaves other things in other places. */
struct shape {
	const char *name;
	uint8_t kind;
	uint8_t flags; /* of the context */
	uint16_t cipher;
	uint16_t key_len;
	uint8_t iv_len;
	uint16_t auth;
	uint16_t auth_key_len;
	uint8_t auth_iv_len;
	uint16_t digest;
};

#define ENC ACCEL_HW_CTX_ENCRYPT

static const struct shape shapes[] = {
	{ "AES-CBC", ACCEL_HW_KIND_CIPHER, ENC, ACCEL_HW_CIPHER_AES_CBC, 16, 16 },
	{ "AES-CTR", ACCEL_HW_KIND_CIPHER, ENC, ACCEL_HW_CIPHER_AES_CTR, 32, 16 },
	{ "AES-XTS", ACCEL_HW_KIND_CIPHER, ENC, ACCEL_HW_CIPHER_AES_XTS, 32, 16 },
	{ "3DES-CBC", ACCEL_HW_KIND_CIPHER, ENC, ACCEL_HW_CIPHER_3DES_CBC, 24, 8 },
	{ "3DES-CTR", ACCEL_HW_KIND_CIPHER, ENC, ACCEL_HW_CIPHER_3DES_CTR, 24, 8 },
	{ "SNOW3G", ACCEL_HW_KIND_CIPHER, ENC, ACCEL_HW_CIPHER_SNOW3G_UEA2, 16, 16 },
	{ "ZUC", ACCEL_HW_KIND_CIPHER, ENC, ACCEL_HW_CIPHER_ZUC_EEA3, 16, 16 },
	{ "SM4-CBC", ACCEL_HW_KIND_CIPHER, ENC, ACCEL_HW_CIPHER_SM4_CBC, 16, 16 },
	{ "AES-DOCSIS", ACCEL_HW_KIND_CIPHER, ENC, ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 16, 16 },
	{ "SHA1-HMAC", ACCEL_HW_KIND_AUTH, 0, 0, 0, 0, ACCEL_HW_AUTH_SHA1_HMAC, 64, 0, 20 },
	{ "SHA512-HMAC", ACCEL_HW_KIND_AUTH, 0, 0, 0, 0, ACCEL_HW_AUTH_SHA512_HMAC, 64, 0, 64 },
	{ "SHA3-256-HMAC", ACCEL_HW_KIND_AUTH, 0, 0, 0, 0, ACCEL_HW_AUTH_SHA3_256_HMAC, 64, 0,
	  32 },
	{ "AES-CMAC", ACCEL_HW_KIND_AUTH, 0, 0, 0, 0, ACCEL_HW_AUTH_AES_CMAC, 16, 0, 16 },
	{ "AES-XCBC", ACCEL_HW_KIND_AUTH, 0, 0, 0, 0, ACCEL_HW_AUTH_AES_XCBC_MAC, 16, 0, 12 },
	{ "AES-GMAC", ACCEL_HW_KIND_AUTH, 0, 0, 0, 0, ACCEL_HW_AUTH_AES_GMAC, 16, 12, 16 },
	{ "ZUC-EIA3", ACCEL_HW_KIND_AUTH, 0, 0, 0, 0, ACCEL_HW_AUTH_ZUC_EIA3, 16, 16, 4 },
	{ "AES-CBC and SHA1-HMAC", ACCEL_HW_KIND_CIPHER_THEN_AUTH, ENC, ACCEL_HW_CIPHER_AES_CBC,
	  16, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20, 0, 20 },
	{ "SHA256-HMAC and AES-CBC", ACCEL_HW_KIND_AUTH_THEN_CIPHER, ENC,
	  ACCEL_HW_CIPHER_AES_CBC, 16, 16, ACCEL_HW_AUTH_SHA256_HMAC, 32, 0, 32 },
	{ "SNOW3G and SHA256", ACCEL_HW_KIND_AUTH_THEN_CIPHER, ENC, ACCEL_HW_CIPHER_SNOW3G_UEA2,
	  16, 16, ACCEL_HW_AUTH_SHA256_HMAC, 32, 0, 32 },
	{ "AES-GCM", ACCEL_HW_KIND_AEAD, ENC, ACCEL_HW_AEAD_AES_GCM, 16, 12, 0, 0, 0, 16 },
	{ "AES-GCM from J0", ACCEL_HW_KIND_AEAD, ENC, ACCEL_HW_AEAD_AES_GCM, 16, 16, 0, 0, 0,
	  16 },
	{ "AES-CCM", ACCEL_HW_KIND_AEAD, ENC, ACCEL_HW_AEAD_AES_CCM, 16, 12, 0, 0, 0, 16 },
	{ "ChaCha20-Poly1305", ACCEL_HW_KIND_AEAD, ENC, ACCEL_HW_AEAD_CHACHA20_POLY1305, 32, 12, 0,
	  0, 0, 16 },
	/* This is the last one, because it leaves its payload in the copy. */
	{ "SHA256", ACCEL_HW_KIND_AUTH, 0, 0, 0, 0, ACCEL_HW_AUTH_SHA256, 0, 0, 32 },
};

static uint32_t generation;
static pid_t program;

static struct accel_hw_context *
context_of(struct guest *g, const struct shape *s)
{
	struct accel_hw_context *ctx = new_context(&g->h, ++generation);

	memset(ctx->cipher_key, 0, sizeof(ctx->cipher_key));
	ctx->kind = s->kind;
	ctx->flags = s->flags;
	ctx->cipher_alg = s->cipher;
	ctx->cipher_key_len = s->key_len;
	ctx->iv_len = s->iv_len;
	ctx->auth_alg = s->auth;
	ctx->auth_key_len = s->auth_key_len;
	ctx->auth_iv_len = s->auth_iv_len;
	ctx->digest_len = s->digest;
	fill(ctx->cipher_key, s->key_len, &secret);
	fill(ctx->auth_key, s->auth_key_len, &secret);
	if (s->cipher == ACCEL_HW_CIPHER_AES_XTS)
		ctx->cipher_key[0]++; /* The halves have to differ. */
	return ctx;
}

/* Does one operation, with source and destination in two runs each if it is to be copied. */
static void
work(struct guest *g, struct hostq *q, const struct shape *s, uint32_t len, bool scattered)
{
	const bool cipher = s->kind != ACCEL_HW_KIND_AUTH;
	const bool auth = s->kind != ACCEL_HW_KIND_CIPHER && s->kind != ACCEL_HW_KIND_AEAD;
	struct accel_hw_command *cmd = new_sym(&g->h, context_of(g, s), ++generation,
					       cipher ? len : 0, auth ? len : 0);
	uint8_t *in = host_alloc(&g->h, len + 64, 64), *out = host_alloc(&g->h, len + 128, 64);
	const uint32_t to = (cipher ? len : 0) + s->digest, first = scattered ? len / 2 : len;
	struct accel_hw_response rsp;

	fill(in, first, &payload);
	fill(in + first + (scattered ? 64 : 0), len - first, &payload);
	tx_frag(q, host_iova(&g->h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&g->h, in), first, scattered ? NEXT : 0);
	if (scattered)
		tx_frag(q, host_iova(&g->h, in + first + 64), len - first, 0);
	rx_frag(q, host_iova(&g->h, out), scattered ? to / 2 : to, scattered ? NEXT : 0);
	if (scattered)
		rx_frag(q, host_iova(&g->h, out + to / 2 + 16), to - to / 2, 0);
	q_ring(q);
	rsp = q_response(q);
	/* Not every engine has every algorithm. */
	if (rsp.status != ACCEL_HW_OK && rsp.status != ACCEL_HW_BAD_CONTEXT)
		fail_msg("%s: unexpected status %u", s->name, rsp.status);
}

/* Does all operations, with and without whole blocks, in place and copied. */
static void
work_all(struct guest *g, struct hostq *q)
{
	g->h.used = g->h.used > HOST_MEM / 4 ? HOST_MEM / 4 : g->h.used;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const bool any_length = shapes[i].kind != ACCEL_HW_KIND_CIPHER ||
			shapes[i].cipher == ACCEL_HW_CIPHER_AES_CTR;

		for (unsigned int way = 0; way < 4; way++) {
			uint32_t len = (way & 1) != 0 ? PAYLOAD : 96;

			if (any_length && shapes[i].cipher != ACCEL_HW_CIPHER_AES_CBC)
				len -= 24 * (way & 1);
			work(g, q, &shapes[i], len, (way & 2) != 0);
		}
	}
}

static void
expect_none(pid_t pid, const char *when)
{
	unsigned int texts = count_traces(pid, &payload), keys = count_traces(pid, &secret);

	if (texts != 0 || keys != 0)
		fail_msg("after %s the daemon has the payload in %u places, the key in %u", when,
			 texts, keys);
}

/* Waits until no guest is connected. */
static void
wait_alone(void)
{
	char answer[4000];

	do {
		ask("stats\n", answer, sizeof(answer));
	} while (strstr(answer, "connected=1") != NULL);
}

static void
check_traces(const char *engine)
{
	const char *const argv[] = { "--socket", sock, "--control", control, "--engine", engine,
				     NULL };
	pid_t pid = program = start_ready(argv, control);
	struct hostq *q;
	struct guest g;

	guest_open(&g, sock);
	q = &g.h.q[0];
	q_start(q, 64, 64, 64);
	work_all(&g, q);
	/* The search finds traces while the guest works. */
	assert_true(count_traces(pid, &payload) > 0);
	assert_true(count_traces(pid, &secret) > 0);
	q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	expect_none(pid, "a stop");

	q_start(q, 64, 64, 64);
	work_all(&g, q);
	host_reset(&g.h);
	expect_none(pid, "a reset");

	q_start(q, 64, 64, 64);
	work_all(&g, q);
	guest_close(&g);
	wait_alone();
	expect_none(pid, "the end of the connection");
	program = 0;
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

/* Ends the program of a test that failed, too. */
static int
end_program(void **state)
{
	if (program != 0) {
		kill(program, SIGTERM);
		wait_end(program);
	}
	program = 0;
	return remove_dir(state);
}

static void
test_traces_auto(void **state)
{
	(void)state;
	check_traces("auto");
}

static void
test_traces_openssl(void **state)
{
	(void)state;
	check_traces("openssl");
}

/* Memory that core dumps leave out, and memory that is locked, while a guest works. */

/* Waits until there are no traces. A worker's stack has some until the thread rests. */
static void
wait_none_but(pid_t pid, const struct pattern *p, const char *flag)
{
	host_until(&(struct host){ .threads = true }, count_but(pid, p, flag) == 0);
}

static void
expect_guest_left_out(pid_t pid)
{
	char path[64], line[512];
	unsigned int windows = 0;
	uint64_t from;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "r");
	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps) != NULL) {
		if (strstr(line, "memfd:guest") == NULL)
			continue;
		assert_int_equal(sscanf(line, "%" SCNx64, &from), 1);
		assert_true(smaps_flag(pid, from, " dd"));
		windows++;
	}
	fclose(maps);
	assert_true(windows > 0);
}

static void
check_protection(const char *engine)
{
	const char *const argv[] = { "--socket", sock, "--control", control, "--engine", engine,
				     NULL };
	struct rlimit limit;
	struct guest g;
	pid_t pid;

	pid = program = start_ready(argv, control);
	guest_open(&g, sock);
	q_start(&g.h.q[0], 64, 64, 64);
	work_all(&g, &g.h.q[0]);
	expect_guest_left_out(pid);
	wait_none_but(pid, &payload, " dd");
	wait_none_but(pid, &secret, " dd");
	assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &limit), 0);
	if (limit.rlim_max >= 4u << 20)
		wait_none_but(pid, &secret, " lo");
	guest_close(&g);
	program = 0;
	kill(pid, SIGTERM);
	assert_int_equal(wait_end(pid), 0);
}

static void
test_protection_auto(void **state)
{
	(void)state;
	check_protection("auto");
}

static void
test_protection_openssl(void **state)
{
	(void)state;
	check_protection("openssl");
}

/* A core dump, if the kernel writes it to the folder of the process. */

static bool
core_here(void)
{
	char pattern[256] = "|";
	struct rlimit limit;
	FILE *f = fopen("/proc/sys/kernel/core_pattern", "r");

	if (f != NULL) {
		if (fgets(pattern, sizeof(pattern), f) == NULL)
			pattern[0] = '|';
		fclose(f);
	}
	if (strncmp(pattern, "core", 4) != 0 || getrlimit(RLIMIT_CORE, &limit) != 0)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return limit.rlim_max == RLIM_INFINITY && setrlimit(RLIMIT_CORE, &limit) == 0;
}

/* Searches the file "core*" in the test's folder and removes it. Returns false without one. */
static bool
search_core(unsigned int *texts, unsigned int *keys)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;
	char path[400];
	bool found = false;

	assert_non_null(d);
	while ((entry = readdir(d)) != NULL) {
		struct stat st;
		int fd;

		if (strncmp(entry->d_name, "core", 4) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		fd = open(path, O_RDONLY);
		assert_int_equal(fstat(fd, &st), 0);
		*texts = count_range(fd, 0, (uint64_t)st.st_size, &payload);
		*keys = count_range(fd, 0, (uint64_t)st.st_size, &secret);
		close(fd);
		unlink(path);
		found = st.st_size > 0;
	}
	closedir(d);
	return found;
}

/* Ends the program while it works, with a core dump. The jail would keep the kernel from writing
 * it. */
static bool
dump(bool allowed, unsigned int *texts, unsigned int *keys)
{
	const char *const argv[] = { "--socket", sock, "--jail", "off",
				     allowed ? "--verbose" : "--no-dump", NULL };
	const struct rlimit none = { 0, RLIM_INFINITY };
	char before[256];
	struct guest g;
	pid_t pid;

	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(dir), 0);
	pid = program = start_ready(argv, sock);
	assert_int_equal(chdir(before), 0);
	setrlimit(RLIMIT_CORE, &none);
	guest_open(&g, sock);
	q_start(&g.h.q[0], 64, 64, 64);
	work_all(&g, &g.h.q[0]);
	wait_none_but(pid, &secret, " dd");
	program = 0;
	kill(pid, SIGABRT);
	assert_int_equal(wait_end(pid), 1000 + SIGABRT);
	guest_close(&g);
	unlink(sock);
	return search_core(texts, keys);
}

static void
test_core(void **state)
{
	unsigned int texts, keys;

	(void)state;
	if (!core_here())
		skip();
	assert_true(dump(true, &texts, &keys));
	if (texts != 0 || keys != 0)
		fail_msg("the core dump has the payload in %u places, the key in %u", texts, keys);
	assert_true(core_here());
	assert_false(dump(false, &texts, &keys));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_traces_auto, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_traces_openssl, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_protection_auto, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_protection_openssl, make_dir, end_program),
		cmocka_unit_test_setup_teardown(test_core, make_dir, end_program),
	};

#if defined(ACCEL_SANITIZED)
	/* Sanitizers keep copies of their own and have terabytes of shadow memory. */
	puts("1..0 # SKIP sanitizers keep copies of memory");
	return 0;
#endif
	return cmocka_run_group_tests(tests, NULL, NULL);
}
