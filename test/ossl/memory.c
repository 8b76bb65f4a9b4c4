/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The preload libossl_cryptodev_mem.so, with which this program runs. It prints TAP.
 *
 * memory area      its allocations: sizes, realloc, exhaustion, threads, forks
 * memory copies    texts in such memory go to the device without a copy, also in place
 * memory spoilt    the same below a device that fails: an error or the right text
 * memory none      runs without the preload, or without an area: everything is malloc's
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "harness.h"
#include "ossl_cryptodev_mem.h"

#define LEN 16384
#define TAG 16

static const struct oc_mem_area *area;

static bool
inside(const void *p)
{
	return area != NULL && (uintptr_t)p - (uintptr_t)area->base < area->len;
}

/* True if an allocation is where it should be, can be written and begins in a cache line. */
static bool
fits(size_t bytes, bool there)
{
	uint8_t *p = OPENSSL_malloc(bytes);
	bool ok = p != NULL && inside(p) == there && (!there || (uintptr_t)p % 64 == 0);

	if (ok)
		memset(p, 0x5a, bytes);
	OPENSSL_free(p);
	return ok;
}

static bool
sizes(void)
{
	bool ok = fits(1, false) && fits(1023, false) && fits((4 << 20) + 1, false);

	for (size_t bytes = 1024; bytes <= 1 << 20 && ok; bytes += bytes / 7 + 1)
		ok = fits(bytes, true);
	return ok && OPENSSL_malloc(0) == NULL;
}

static bool
holds(const uint8_t *p, size_t nb)
{
	for (size_t i = 0; p != NULL && i < nb; i++)
		if (p[i] != (uint8_t)(i * 7))
			return false;
	return p != NULL;
}

/* Grows and shrinks an allocation from one kind of memory into the other one, and back. */
static bool
changes(void)
{
	static const size_t steps[] = { 100, 900, 5000, 5001, 70000, 6 << 20, 30000, 2000, 64,
		1500 };
	uint8_t *p = NULL;
	size_t had = 0;
	bool ok = true;

	for (size_t s = 0; s < sizeof(steps) / sizeof(steps[0]) && ok; s++) {
		p = OPENSSL_realloc(p, steps[s]);
		ok = holds(p, had < steps[s] ? had : steps[s]) &&
				inside(p) == (steps[s] >= 1024 && steps[s] <= 4 << 20);
		for (size_t i = 0; i < steps[s] && ok; i++)
			p[i] = (uint8_t)(i * 7);
		had = steps[s];
	}
	ok = ok && OPENSSL_realloc(p, 0) == NULL;
	p = OPENSSL_realloc(strdup("not from OpenSSL"), 4096);
	ok = ok && p != NULL && strcmp((char *)p, "not from OpenSSL") == 0 && inside(p);
	OPENSSL_free(p);
	OPENSSL_free(strdup("not from OpenSSL"));
	OPENSSL_free(NULL);
	return ok;
}

/* Takes more than the area has. What is freed can be had again. */
static bool
exhaustion(void)
{
	enum {
		PIECE = 100000
	};
	size_t nb = area->len / PIECE * 2, within = 0, again = 0;
	uint8_t **p = calloc(nb, sizeof(*p));
	uint64_t full = area->full;
	bool ok = p != NULL;

	for (size_t i = 0; i < nb && ok; i++) {
		p[i] = OPENSSL_malloc(PIECE);
		ok = p[i] != NULL;
		within += inside(p[i]);
		if (ok)
			memset(p[i], (int)i, PIECE);
	}
	for (size_t i = 0; i < nb && ok; i++)
		ok = p[i][0] == (uint8_t)i && p[i][PIECE - 1] == (uint8_t)i;
	ok = ok && within > 0 && within < nb && area->full == full + nb - within;
	for (size_t i = 0; i < nb; i++)
		OPENSSL_free(p[i]);
	for (size_t i = 0; i < within && ok; i++) {
		p[i] = OPENSSL_malloc(PIECE);
		again += inside(p[i]);
	}
	for (size_t i = 0; i < within && ok; i++)
		OPENSSL_free(p[i]);
	free(p);
	return ok && again == within;
}

/* A thread that allocates, changes and frees, and looks whether anybody else wrote there. */
static void *
churn(void *arg)
{
	unsigned int seed = (unsigned int)(uintptr_t)arg;
	uint8_t *p[32] = { NULL };
	size_t len[32] = { 0 };
	bool ok = true;

	for (int round = 0; round < 20000 && ok; round++) {
		unsigned int i = draw(&seed, 32);
		uint8_t mark = (uint8_t)((uintptr_t)arg * 32 + i);

		ok = p[i] == NULL || (p[i][0] == mark && p[i][len[i] - 1] == mark);
		len[i] = 1 + draw(&seed, 40000);
		if (draw(&seed, 2) == 0) {
			OPENSSL_free(p[i]);
			p[i] = OPENSSL_malloc(len[i]);
		} else {
			p[i] = OPENSSL_realloc(p[i], len[i]);
		}
		ok = ok && p[i] != NULL;
		if (ok)
			p[i][0] = p[i][len[i] - 1] = mark;
	}
	for (int i = 0; i < 32; i++)
		OPENSSL_free(p[i]);
	return ok ? arg : NULL;
}

/* Forks again and again while other threads allocate. A child writes to its own copy. */
static bool
threads_and_forks(void)
{
	pthread_t threads[4];
	uint8_t *mine = OPENSSL_zalloc(LEN);
	int status;
	bool ok = mine != NULL;
	void *good;

	for (uintptr_t i = 0; i < 4; i++)
		ok = pthread_create(&threads[i], NULL, churn, (void *)(i + 1)) == 0 && ok;
	for (int i = 0; i < 20 && ok; i++) {
		pid_t child = fork();

		if (child == 0) {
			memset(mine, 1, LEN);
			for (int k = 0; k < 200; k++)
				OPENSSL_free(OPENSSL_zalloc(1000 + k * 100));
			OPENSSL_free(mine);
			_exit(fits(5000, true) ? 0 : 1);
		}
		ok = waitpid(child, &status, 0) == child && status == 0 && mine[0] == 0;
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &good);
		ok = ok && good != NULL;
	}
	OPENSSL_free(mine);
	return ok;
}

/* A program that frees twice ends, as it does with malloc(). */
static bool
freed_twice(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		const struct rlimit none = { 0, 0 };
		void *volatile p = OPENSSL_malloc(5000), *volatile again = p;

		setrlimit(RLIMIT_CORE, &none);
		OPENSSL_free(p);
		OPENSSL_free(again);
		_exit(0);
	}
	return waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
			WTERMSIG(status) == SIGABRT;
}

/* Does a text, for an AEAD with this AAD and tag. Returns 1, or 0 on an error. */
static int
crypt_text(OSSL_LIB_CTX *ctx, const char *name, bool enc, const uint8_t *in, uint8_t *out,
		const uint8_t *aad, int aad_len, uint8_t *tag, bool more)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(ctx, name, NULL);
	EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
	uint8_t key[32] = { 7 }, iv[16] = { 9 }, rest[TAG] = { 0 };
	int done, ok;

	ok = EVP_CipherInit_ex2(c, cipher, key, iv, enc, NULL);
	if (aad == NULL)
		ok = ok && EVP_CIPHER_CTX_set_padding(c, 0);
	if (tag != NULL && !enc)
		ok = ok && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, TAG, tag);
	if (aad != NULL)
		ok = ok && EVP_CipherUpdate(c, NULL, &done, aad, aad_len);
	ok = ok && EVP_CipherUpdate(c, out, &done, in, LEN) && done == LEN;
	if (more)
		ok = ok && EVP_CipherUpdate(c, rest, &done, rest, TAG);
	ok = ok && EVP_CipherFinal_ex(c, rest, &done);
	if (tag != NULL && enc)
		ok = ok && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, TAG, tag);
	EVP_CIPHER_CTX_free(c);
	EVP_CIPHER_free(cipher);
	return ok;
}

static const uint8_t header[] = { 23, 3, 3, (LEN + TAG) >> 8, (LEN + TAG) & 255 };
static const uint8_t other[13] = { 1 };

/* One way to give a text to the device, and the copies that it costs. */
struct way {
	const char *name;
	const uint8_t *aad;
	int aad_len;
	bool in_place;
	int kept; /* copies with the input kept */
	int bare; /* and without */
};

static const struct way ways[] = {
	{ "AES-128-CBC", NULL, 0, false, 0, 0 },
	{ "AES-256-CTR", NULL, 0, false, 0, 0 },
	{ "AES-128-CBC", NULL, 0, true, 1, 0 },
	{ "AES-128-GCM", header, sizeof(header), false, 0, 0 },
	{ "AES-256-GCM", header, sizeof(header), true, 1, 0 },
	{ "ChaCha20-Poly1305", header, sizeof(header), true, 1, 0 },
	{ "AES-128-GCM", other, sizeof(other), true, 1, 1 }, /* which may have more parts */
};

/* Does a text both ways. Returns how often its bytes were copied, -1 if it is wrong, or -2 if a
 * call said that it failed.
 */
static int
copies(const struct way *w, uint8_t *text, uint8_t *out, uint8_t *expected)
{
	uint8_t tag[2][TAG], *to = w->in_place ? text : out, *tags[2] = { tag[0], tag[1] };
	unsigned int seed = 5;
	unsigned long before = counter(NULL, " copied=");

	if (w->aad == NULL)
		tags[0] = tags[1] = NULL;
	draw_bytes(&seed, text, LEN);
	if (!crypt_text(sw_ctx, w->name, true, text, expected, w->aad, w->aad_len, tags[0], false))
		return -1;
	if (!crypt_text(hw_ctx, w->name, true, text, to, w->aad, w->aad_len, tags[1], false))
		return -2;
	if (memcmp(to, expected, LEN) != 0 || (tags[0] != NULL && memcmp(tag[0], tag[1], TAG) != 0))
		return -1;
	if (!crypt_text(hw_ctx, w->name, false, to, to, w->aad, w->aad_len, tags[0], false))
		return -2;
	seed = 5;
	draw_bytes(&seed, expected, LEN);
	if (memcmp(to, expected, LEN) != 0)
		return -1;
	return (int)((counter(NULL, " copied=") - before) / LEN);
}

/* Compares the copies of encryption and of decryption, which is always in place. */
static void
count_copies(bool preload, bool keep, uint8_t *buffers)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		const struct way *w = &ways[i];
		struct way back = *w;
		char what[128];
		int expected, found;

		back.in_place = true;
		for (size_t k = 0; k < sizeof(ways) / sizeof(ways[0]); k++)
			if (ways[k].aad == w->aad && ways[k].in_place)
				back.kept = ways[k].kept, back.bare = ways[k].bare;
		expected = keep ? w->kept + back.kept : w->bare + back.bare;
		if (!preload)
			expected = 4;
		found = copies(w, buffers, buffers + LEN, buffers + 2 * LEN);
		snprintf(what, sizeof(what), "%s%s%s: %d copies of 4%s", w->name,
				w->aad == header ? ", a record" : "",
				w->in_place ? " in place" : "", found,
				keep ? "" : ", with keep-input = 0");
		check(found == expected, what);
	}
}

/* A record has no more parts. If a program adds one all the same, it gets an error or what the
 * default provider makes of it.
 */
static bool
one_more_part(uint8_t *buffers)
{
	uint8_t *text = buffers, *out = buffers + LEN, *expected = buffers + 2 * LEN, tag[2][TAG];
	unsigned int seed = 6;

	draw_bytes(&seed, text, LEN);
	if (!crypt_text(sw_ctx, "AES-128-GCM", true, text, expected, header, 5, tag[0], true))
		return false;
	return !crypt_text(hw_ctx, "AES-128-GCM", true, text, out, header, 5, tag[1], true) ||
			(memcmp(out, expected, LEN) == 0 && memcmp(tag[0], tag[1], TAG) == 0);
}

/* A failing device with `keep-input = 0`: each text is right, or the call says that it failed. */
static void
spoil(uint8_t *buffers)
{
	unsigned int right = 0, failed = 0, wrong = 0;

	for (unsigned int i = 0; i < 200; i++) {
		int found = copies(&ways[i % 2 == 0 ? 2 : 4], buffers, buffers + LEN,
				buffers + 2 * LEN);

		right += found >= 0;
		failed += found == -2;
		wrong += found == -1;
	}
	printf("# %u right, %u failed, %u wrong\n", right, failed, wrong);
	check(wrong == 0 && right != 0 && failed != 0, "an error or the right text");
}

static void
run_area(void)
{
	check(area != NULL && area->base != NULL && area->given > 0, "OpenSSL's start is there");
	if (area == NULL || area->base == NULL)
		return;
	check(sizes(), "sizes");
	check(changes(), "other sizes, and memory of malloc()");
	check(threads_and_forks(), "threads and forks");
	check(freed_twice(), "memory that is freed twice");
	check(exhaustion(), "no room");
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "", *keep = getenv("OSSL_CRYPTODEV_KEEP_INPUT");
	oc_mem_area_fn find;
	uint8_t *buffers;

	*(void **)&find = dlsym(RTLD_DEFAULT, OC_MEM_FUNCTION);
	area = find != NULL ? find() : NULL;
	if (!start()) {
		printf("Bail out! the provider does not load\n");
		return 1;
	}
	buffers = OPENSSL_malloc(3 * LEN);
	if (strcmp(mode, "area") == 0) {
		run_area();
	} else if (strcmp(mode, "spoilt") == 0) {
		spoil(buffers);
	} else {
		bool with = strcmp(mode, "copies") == 0;

		check(inside(buffers) == with, with ? "with an area" : "without an area");
		count_copies(with, keep == NULL || keep[0] != '0', buffers);
		if (with)
			check(one_more_part(buffers), "a record, and one more part");
	}
	OPENSSL_free(buffers);
	return end();
}
