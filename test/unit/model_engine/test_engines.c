/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The model's crypto engines. Known answers are checked for each engine. The IPsec-MB engine is
 * compared with the OpenSSL one on random contexts, lengths, regions and directions, with many jobs
 * at once and every buffer at the edge of unmapped memory. The last tests cover the cases in which
 * a library is known to differ from the manual. ACCEL_TEST_SEED repeats a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "ref_wireless.h"
#include "engine_mb/hash_lanes.h"
#include "model_engine/engine_known.h"
#include "base/random.h"

#define DIM(array) (sizeof(array) / sizeof((array)[0]))
#define PAGE 4096u
#define BATCH 128u /* jobs at once */
#define FLOOD 400u /* more than the 256 jobs of IPsec-MB's queue */
#define FEW 10u
#define SHORT_SLOT (2 * PAGE)
#define SHORT_MAX 2500u
#define CTX_MAX 32768u

static struct engine *ossl;
static struct engine *mb; /* NULL if the CPU lacks an instruction set */

/*
 * The table of manual 8.2, written out again by hand. The rows of the contract are compared with
 * it, and nothing here is made of them.
 */

struct alg {
	uint8_t id;
	uint8_t block;
	uint8_t len_min;
	uint8_t key_min, key_max, key_step;
	uint8_t iv_min, iv_max;
	uint8_t digest_min, digest_max, digest_step;
	uint8_t iv_step;
	uint32_t len_max; /* 0: no limit */
	bool wireless; /* the reference is the tests' own */
};

static const struct alg ciphers[] = {
	{ ACCEL_HW_CIPHER_NULL, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_AES_CBC, 16, 0, 16, 32, 8, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_AES_CTR, 1, 0, 16, 32, 8, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_AES_ECB, 16, 0, 16, 32, 8, 0, 0, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_AES_XTS, 1, 16, 32, 64, 32, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_DES_CBC, 8, 0, 8, 8, 8, 8, 8, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_3DES_CBC, 8, 0, 8, 24, 8, 8, 8, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_3DES_ECB, 8, 0, 8, 24, 8, 0, 0, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_3DES_CTR, 1, 0, 8, 24, 8, 8, 8, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 1, 0, 16, 32, 16, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_DES_DOCSIS_BPI, 1, 0, 8, 8, 1, 8, 8, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_SNOW3G_UEA2, 1, 1, 16, 16, 1, 16, 16, 0, 0, 1, .wireless = true },
	{ ACCEL_HW_CIPHER_KASUMI_F8, 1, 1, 16, 16, 1, 8, 8, 0, 0, 1, 1, 2500, true },
	{ ACCEL_HW_CIPHER_ZUC_EEA3, 1, 1, 16, 32, 16, 16, 25, 0, 0, 1, 9, .wireless = true },
	{ ACCEL_HW_CIPHER_SM4_ECB, 16, 0, 16, 16, 1, 0, 0, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_SM4_CBC, 16, 0, 16, 16, 1, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_SM4_CTR, 1, 0, 16, 16, 1, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_SM4_CFB, 1, 0, 16, 16, 1, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_SM4_OFB, 1, 0, 16, 16, 1, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_SM4_XTS, 1, 16, 32, 32, 1, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_SNOW5G_NEA4, 1, 0, 32, 32, 1, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_AES_NEA5, 1, 0, 32, 32, 1, 16, 16, 0, 0, 1 },
	{ ACCEL_HW_CIPHER_ZUC_NEA6, 1, 0, 32, 32, 1, 16, 16, 0, 0, 1 },
};

static const struct alg auths[] = {
	{ ACCEL_HW_AUTH_NULL, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1 },
	{ ACCEL_HW_AUTH_MD5, 1, 0, 0, 0, 1, 0, 0, 1, 16, 1 },
	{ ACCEL_HW_AUTH_SHA1, 1, 0, 0, 0, 1, 0, 0, 1, 20, 1 },
	{ ACCEL_HW_AUTH_SHA224, 1, 0, 0, 0, 1, 0, 0, 1, 28, 1 },
	{ ACCEL_HW_AUTH_SHA256, 1, 0, 0, 0, 1, 0, 0, 1, 32, 1 },
	{ ACCEL_HW_AUTH_SHA384, 1, 0, 0, 0, 1, 0, 0, 1, 48, 1 },
	{ ACCEL_HW_AUTH_SHA512, 1, 0, 0, 0, 1, 0, 0, 1, 64, 1 },
	{ ACCEL_HW_AUTH_MD5_HMAC, 1, 0, 1, 64, 1, 0, 0, 1, 16, 1 },
	{ ACCEL_HW_AUTH_SHA1_HMAC, 1, 0, 1, 64, 1, 0, 0, 1, 20, 1 },
	{ ACCEL_HW_AUTH_SHA224_HMAC, 1, 0, 1, 64, 1, 0, 0, 1, 28, 1 },
	{ ACCEL_HW_AUTH_SHA256_HMAC, 1, 0, 1, 64, 1, 0, 0, 1, 32, 1 },
	{ ACCEL_HW_AUTH_SHA384_HMAC, 1, 0, 1, 128, 1, 0, 0, 1, 48, 1 },
	{ ACCEL_HW_AUTH_SHA512_HMAC, 1, 0, 1, 128, 1, 0, 0, 1, 64, 1 },
	{ ACCEL_HW_AUTH_AES_GMAC, 1, 0, 16, 32, 8, 12, 16, 1, 16, 1 },
	{ ACCEL_HW_AUTH_AES_XCBC_MAC, 1, 0, 16, 16, 1, 0, 0, 1, 16, 1 },
	{ ACCEL_HW_AUTH_AES_CMAC, 1, 0, 16, 32, 8, 0, 0, 1, 16, 1 },
	{ ACCEL_HW_AUTH_SNOW3G_UIA2, 1, 1, 16, 16, 1, 16, 16, 4, 4, 1, .wireless = true },
	{ ACCEL_HW_AUTH_KASUMI_F9, 1, 9, 16, 16, 1, 0, 0, 4, 4, 1, 1, 2500, true },
	{ ACCEL_HW_AUTH_ZUC_EIA3, 1, 1, 16, 32, 16, 16, 25, 4, 16, 4, 9, .wireless = true },
	{ ACCEL_HW_AUTH_SHA3_224, 1, 0, 0, 0, 1, 0, 0, 1, 28, 1 },
	{ ACCEL_HW_AUTH_SHA3_256, 1, 0, 0, 0, 1, 0, 0, 1, 32, 1 },
	{ ACCEL_HW_AUTH_SHA3_384, 1, 0, 0, 0, 1, 0, 0, 1, 48, 1 },
	{ ACCEL_HW_AUTH_SHA3_512, 1, 0, 0, 0, 1, 0, 0, 1, 64, 1 },
	{ ACCEL_HW_AUTH_SHA3_224_HMAC, 1, 0, 1, 144, 1, 0, 0, 1, 28, 1 },
	{ ACCEL_HW_AUTH_SHA3_256_HMAC, 1, 0, 1, 136, 1, 0, 0, 1, 32, 1 },
	{ ACCEL_HW_AUTH_SHA3_384_HMAC, 1, 0, 1, 104, 1, 0, 0, 1, 48, 1 },
	{ ACCEL_HW_AUTH_SHA3_512_HMAC, 1, 0, 1, 72, 1, 0, 0, 1, 64, 1 },
	{ ACCEL_HW_AUTH_SM3, 1, 0, 0, 0, 1, 0, 0, 1, 32, 1 },
	{ ACCEL_HW_AUTH_SM3_HMAC, 1, 0, 1, 64, 1, 0, 0, 1, 32, 1 },
	{ ACCEL_HW_AUTH_SHAKE_128, 1, 0, 0, 0, 1, 0, 0, 1, 64, 1 },
	{ ACCEL_HW_AUTH_SHAKE_256, 1, 0, 0, 0, 1, 0, 0, 1, 64, 1 },
	{ ACCEL_HW_AUTH_SNOW5G_NIA4, 1, 1, 32, 32, 1, 16, 16, 4, 16, 1 },
	{ ACCEL_HW_AUTH_AES_NIA5, 1, 1, 32, 32, 1, 16, 16, 4, 16, 1 },
	{ ACCEL_HW_AUTH_ZUC_NIA6, 1, 1, 32, 32, 1, 16, 16, 4, 16, 1 },
};

static const struct alg aeads[] = {
	{ ACCEL_HW_AEAD_AES_GCM, 1, 0, 16, 32, 8, 12, 16, 1, 16, 1 },
	{ ACCEL_HW_AEAD_AES_CCM, 1, 0, 16, 32, 8, 7, 13, 4, 16, 2 },
	{ ACCEL_HW_AEAD_CHACHA20_POLY1305, 1, 0, 32, 32, 1, 12, 12, 16, 16, 1 },
	{ ACCEL_HW_AEAD_SM4_GCM, 1, 0, 16, 16, 1, 12, 16, 1, 16, 1 },
	{ ACCEL_HW_AEAD_SNOW5G_NCA4, 1, 0, 32, 32, 1, 16, 16, 4, 16, 1 },
	{ ACCEL_HW_AEAD_AES_NCA5, 1, 0, 32, 32, 1, 16, 16, 4, 16, 1 },
	{ ACCEL_HW_AEAD_ZUC_NCA6, 1, 0, 32, 32, 1, 16, 16, 4, 16, 1 },
};

static const struct alg *
find_alg(uint16_t id)
{
	for (size_t i = 0; i < DIM(ciphers); i++)
		if (ciphers[i].id == id)
			return &ciphers[i];
	for (size_t i = 0; i < DIM(auths); i++)
		if (auths[i].id == id)
			return &auths[i];
	for (size_t i = 0; i < DIM(aeads); i++)
		if (aeads[i].id == id)
			return &aeads[i];
	return NULL;
}

static bool
is_wireless(uint16_t id)
{
	return id != 0 && find_alg(id)->wireless;
}

/* Contexts with random keys. A key length of 0 draws the length, too. */

static uint16_t
pick_step(unsigned int min, unsigned int max, unsigned int step)
{
	return (uint16_t)(min + step * draw((max - min) / step + 1));
}

static uint16_t
pick_key(const struct alg *alg)
{
	return pick_step(alg->key_min, alg->key_max, alg->key_step);
}

/* ZUC-256 has MACs of 4, 8 and 16 bytes, ZUC-128 has only the first. */
static uint16_t
pick_digest(const struct alg *alg, uint16_t key_len)
{
	if (alg->id == ACCEL_HW_AUTH_ZUC_EIA3)
		return key_len == alg->key_min ? 4 : (uint16_t)(4u << draw(3));
	return pick_step(alg->digest_min, alg->digest_max, alg->digest_step);
}

/* In a row with a step (ZUC) the shortest key has the shortest IV, and the longest key the longest
 * one. GCM and GMAC have 12 bytes, or 16 for J0. */
static uint8_t
pick_iv(const struct alg *alg, uint16_t key_len)
{
	if (alg->iv_step != 0)
		return key_len == alg->key_min ? alg->iv_min : alg->iv_max;
	if (alg->iv_min == 12 && alg->iv_max == 16)
		return draw(2) ? alg->iv_min : alg->iv_max;
	return (uint8_t)pick_step(alg->iv_min, alg->iv_max, 1);
}

static void
set_cipher(struct accel_hw_context *raw, const struct alg *alg, uint16_t key_len)
{
	raw->cipher_alg = alg->id;
	raw->cipher_key_len = key_len ? key_len : pick_key(alg);
	raw->iv_len = pick_iv(alg, raw->cipher_key_len);
	draw_bytes(raw->cipher_key, raw->cipher_key_len);
}

static void
set_auth(struct accel_hw_context *raw, const struct alg *alg)
{
	raw->auth_alg = alg->id;
	raw->auth_key_len = pick_key(alg);
	raw->auth_iv_len = pick_iv(alg, raw->auth_key_len);
	raw->digest_len = pick_digest(alg, raw->auth_key_len);
	draw_bytes(raw->auth_key, raw->auth_key_len);
}

static struct accel_hw_context
new_context(uint8_t kind, uint8_t flags, const struct alg *cipher, const struct alg *auth)
{
	struct accel_hw_context raw = { .version = ACCEL_HW_CTX_VERSION };

	raw.kind = kind;
	raw.flags = flags;
	if (cipher != NULL)
		set_cipher(&raw, cipher, 0);
	if (auth != NULL)
		set_auth(&raw, auth);
	if (kind == ACCEL_HW_KIND_AEAD)
		raw.digest_len = pick_digest(cipher, raw.cipher_key_len);
	return raw;
}

static bool
verifies(const struct accel_hw_context *raw)
{
	if (raw->kind == ACCEL_HW_KIND_AEAD)
		return !(raw->flags & ACCEL_HW_CTX_ENCRYPT);
	return (raw->flags & ACCEL_HW_CTX_VERIFY) && raw->digest_len > 0;
}

/* All contexts: each algorithm, chain, order and direction, with all lengths of cipher keys and
 * some of authentication keys. */
static struct accel_hw_context *all;
static unsigned int nb_all;

static void
add_context(uint8_t kind, uint8_t flags, const struct alg *cipher, uint16_t key_len,
		const struct alg *auth)
{
	struct accel_hw_context *raw = &all[nb_all++];

	assert_true(nb_all <= CTX_MAX);
	*raw = new_context(kind, flags, cipher, auth);
	if (cipher != NULL)
		set_cipher(raw, cipher, key_len);
	/* A context has at most one long IV and no other beside it (manual 8.1). */
	if ((raw->iv_len > ACCEL_HW_IV_MAX && raw->auth_iv_len > 0) ||
			(raw->auth_iv_len > ACCEL_HW_IV_MAX && raw->iv_len > 0))
		nb_all--;
}

static void
add_cipher(const struct alg *cipher, uint16_t key_len)
{
	uint8_t first = ACCEL_HW_KIND_CIPHER_THEN_AUTH;
	uint8_t last = ACCEL_HW_KIND_AUTH_THEN_CIPHER;

	for (uint8_t flags = 0; flags <= ACCEL_HW_CTX_FLAGS; flags++) {
		if (!(flags & ACCEL_HW_CTX_VERIFY))
			add_context(ACCEL_HW_KIND_CIPHER, flags, cipher, key_len, NULL);
		for (size_t i = 0; i < DIM(auths); i++)
			for (uint8_t kind = first; kind <= last; kind++)
				add_context(kind, flags, cipher, key_len, &auths[i]);
	}
}

static void
add_all(void)
{
	nb_all = 0;
	for (size_t i = 0; i < DIM(ciphers); i++)
		for (unsigned int k = ciphers[i].key_min; k <= ciphers[i].key_max;
				k += ciphers[i].key_step)
			add_cipher(&ciphers[i], (uint16_t)k);
	for (size_t i = 0; i < DIM(auths); i++)
		for (unsigned int n = 0; n < 6; n++)
			add_context(ACCEL_HW_KIND_AUTH, n % 2 ? ACCEL_HW_CTX_VERIFY : 0, NULL, 0,
					&auths[i]);
	for (size_t i = 0; i < DIM(aeads); i++)
		for (unsigned int k = aeads[i].key_min; k <= aeads[i].key_max;
				k += aeads[i].key_step)
			for (unsigned int n = 0; n < 8; n++)
				add_context(ACCEL_HW_KIND_AEAD, n % 2 ? ACCEL_HW_CTX_ENCRYPT : 0,
						&aeads[i], (uint16_t)k, NULL);
}

static void
shuffle_all(void)
{
	for (unsigned int i = nb_all - 1; i > 0; i--) {
		unsigned int j = draw(i + 1);
		struct accel_hw_context swap = all[i];

		all[i] = all[j];
		all[j] = swap;
	}
}

/* Runs one job by OpenSSL, with a context of its own. */
static uint16_t
run_openssl(const struct accel_hw_context *raw, struct engine_job *job)
{
	job->ctx = open_ctx(ossl, &engine_openssl, raw);
	job->done = false;
	engine_openssl.submit(ossl, job);
	assert_true(job->done);
	engine_openssl.ctx_fini(ossl, job->ctx);
	return job->status;
}

/* Runs one job by IPsec-MB, with a context of its own. */
static void
run_mb(const struct accel_hw_context *raw, struct engine_job *job)
{
	struct engine_ctx *ctx = open_ctx(mb, &engine_ipsec_mb, raw);

	engine_run(ctx, job);
	engine_ipsec_mb.ctx_fini(mb, ctx);
}

/* The reference of a job is OpenSSL or the tests' own code. The latter has no directions. */

static uint16_t
ref_cipher(struct accel_hw_context raw, const struct engine_job *job)
{
	const uint8_t *in = job->src + job->cipher_off;
	struct engine_job half = *job;

	switch (raw.cipher_alg) {
	case ACCEL_HW_CIPHER_SNOW3G_UEA2:
		ref_snow3g_uea2(raw.cipher_key, job->iv, in, job->dst, job->cipher_len);
		return ACCEL_HW_OK;
	case ACCEL_HW_CIPHER_KASUMI_F8:
		ref_kasumi_f8(raw.cipher_key, job->iv, in, job->dst, job->cipher_len);
		return ACCEL_HW_OK;
	case ACCEL_HW_CIPHER_ZUC_EEA3:
		ref_zuc_eea3(raw.cipher_key, raw.cipher_key_len, job->iv, in, job->dst,
				job->cipher_len);
		return ACCEL_HW_OK;
	default:
		raw.kind = ACCEL_HW_KIND_CIPHER;
		raw.digest_len = 0;
		return run_openssl(&raw, &half);
	}
}

static uint16_t
ref_auth(struct accel_hw_context raw, const struct engine_job *job, const uint8_t *region)
{
	const uint8_t *iv = raw.auth_iv_len > ACCEL_HW_IV_MAX ? job->iv : job->auth_iv;
	struct engine_job half = *job;
	uint8_t mac[16];

	switch (raw.auth_alg) {
	case ACCEL_HW_AUTH_SNOW3G_UIA2:
		ref_snow3g_uia2(raw.auth_key, iv, region, 8 * (size_t)job->auth_len, mac);
		break;
	case ACCEL_HW_AUTH_KASUMI_F9:
		ref_kasumi_f9(raw.auth_key, region, job->auth_len, mac);
		break;
	case ACCEL_HW_AUTH_ZUC_EIA3:
		ref_zuc_eia3(raw.auth_key, raw.auth_key_len, iv, region, 8 * (size_t)job->auth_len,
				mac, raw.digest_len);
		break;
	default:
		raw.kind = ACCEL_HW_KIND_AUTH;
		half.src = region;
		half.auth_off = 0;
		return run_openssl(&raw, &half);
	}
	if ((raw.flags & ACCEL_HW_CTX_VERIFY) == 0)
		memcpy(job->digest_out, mac, raw.digest_len);
	else if (memcmp(job->digest_in, mac, raw.digest_len) != 0)
		return ACCEL_HW_AUTH_FAILED;
	return ACCEL_HW_OK;
}

static uint16_t
run_once(const struct accel_hw_context *raw, struct engine_job *job)
{
	const uint8_t *region = job->src + job->auth_off;

	if (!is_wireless(raw->cipher_alg) && !is_wireless(raw->auth_alg))
		return run_openssl(raw, job);
	job->status = ACCEL_HW_OK;
	if (raw->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER || raw->kind == ACCEL_HW_KIND_AUTH)
		job->status = ref_auth(*raw, job, region);
	if (raw->kind != ACCEL_HW_KIND_AUTH)
		assert_int_equal(ref_cipher(*raw, job), ACCEL_HW_OK);
	if (raw->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH) {
		if (job->cipher_len > 0 && job->dst != job->src + job->cipher_off)
			region = job->dst + job->auth_off - job->cipher_off;
		job->status = ref_auth(*raw, job, region);
	}
	return job->status;
}

/* Slots of memory between unmapped pages. A device must not even read a byte outside of what it was
 * given (manual 9.2). */

struct arena {
	uint8_t *map;
	size_t slot;
	size_t total;
	unsigned int nb;
};

static struct arena
new_arena(unsigned int nb, size_t slot)
{
	struct arena arena = { .slot = slot, .total = nb * (slot + PAGE) + PAGE, .nb = nb };

	arena.map = mmap(NULL, arena.total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(arena.map, MAP_FAILED);
	for (unsigned int i = 0; i < nb; i++)
		assert_int_equal(mprotect(arena.map + PAGE + i * (slot + PAGE), slot,
						 PROT_READ | PROT_WRITE),
				0);
	return arena;
}

static uint8_t *
arena_slot(const struct arena *arena, unsigned int i)
{
	assert_true(i < arena->nb);
	return arena->map + PAGE + i * (arena->slot + PAGE);
}

static void
free_arena(struct arena *arena)
{
	assert_int_equal(munmap(arena->map, arena->total), 0);
}

/* A job of the engine under test, and the same job for the reference in memory of its own. */

enum {
	SRC,
	DST,
	AAD,
	REF_SRC,
	REF_DST,
	SLOTS
};

struct task {
	struct accel_hw_context raw;
	struct engine_job job;
	struct engine_job ref;
	uint8_t *slot[SLOTS];
	size_t slot_size;
	uint8_t digest_in[ACCEL_HW_DIGEST_MAX];
	uint8_t digest_out[ACCEL_HW_DIGEST_MAX];
	uint8_t ref_digest[ACCEL_HW_DIGEST_MAX];
	bool spoilt; /* the digest is wrong */
};

static uint32_t
pick_len(const struct alg *alg, uint32_t max)
{
	uint32_t len = draw(8) == 0                     ? draw(40) :
			draw(4) == 0 || max > SHORT_MAX ? draw(max + 1) :
							  draw(max / 8 + 1);

	if (len < alg->len_min)
		len = alg->len_min + draw(20);
	if (alg->len_max != 0 && len > alg->len_max)
		len = alg->len_max;
	return len - len % alg->block;
}

/* Makes the auth region long enough for its algorithm, with a cipher region around it. */
static void
fit_auth(const struct accel_hw_context *raw, struct engine_job *job)
{
	uint32_t min = find_alg(raw->auth_alg)->len_min;

	if (job->auth_len >= min)
		return;
	while (job->cipher_len < min)
		job->cipher_len += 16;
	job->auth_off = job->cipher_off;
	job->auth_len = min + draw(job->cipher_len - min + 1);
}

/* One region begins at 0 and the other one anywhere (manual 7.2). For cipher-then-auth out of
 * place, the auth region is inside the cipher region (engine.h). */
static void
pick_regions(const struct accel_hw_context *raw, struct engine_job *job, uint32_t max,
		bool in_place)
{
	uint32_t skip = draw(4) == 0 ? draw(max / 4) : draw(64);

	if (raw->kind != ACCEL_HW_KIND_AUTH)
		job->cipher_len = pick_len(find_alg(raw->cipher_alg), max / 2);
	if (raw->kind == ACCEL_HW_KIND_AUTH)
		job->auth_len = pick_len(find_alg(raw->auth_alg), max / 2);
	if (raw->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH && !in_place) {
		job->auth_off = draw(2) ? 0 : draw(job->cipher_len + 1);
		job->auth_len = job->cipher_len - job->auth_off;
		job->auth_len -= draw(2) ? 0 : draw(job->auth_len + 1);
	} else if (raw->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ||
			raw->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER) {
		job->auth_len = draw(3) ? job->cipher_len + skip
				       : pick_len(find_alg(raw->auth_alg), max / 2);
		*(draw(3) ? &job->cipher_off : &job->auth_off) = skip;
	}
	if (raw->auth_alg != 0)
		fit_auth(raw, job);
	job->src_len = job->cipher_off + job->cipher_len;
	if (job->src_len < job->auth_off + job->auth_len)
		job->src_len = job->auth_off + job->auth_len;
}

/* Draws a place near the beginning of a slot, or one that ends with it. */
static uint32_t
place(const struct task *task, uint32_t len)
{
	assert_true(len <= task->slot_size);
	if (draw(2))
		return (uint32_t)(task->slot_size - len);
	return draw((uint32_t)(task->slot_size - len < 64 ? task->slot_size - len + 1 : 64));
}

static void
place_buffers(struct task *task, bool in_place)
{
	struct engine_job *job = &task->job;
	struct engine_job *ref = &task->ref;
	uint32_t src = place(task, job->src_len);
	uint32_t dst = place(task, job->cipher_len);
	bool none = job->cipher_len == 0 && (task->raw.kind == ACCEL_HW_KIND_AUTH || draw(2));

	*ref = *job;
	job->src = task->slot[SRC] + src;
	ref->src = task->slot[REF_SRC] + src;
	if (none)
		return;
	job->dst = in_place ? task->slot[SRC] + src + job->cipher_off : task->slot[DST] + dst;
	ref->dst = in_place ? task->slot[REF_SRC] + src + job->cipher_off
			    : task->slot[REF_DST] + dst;
}

static void
fill_buffers(struct task *task)
{
	static const uint8_t j0_end[4] = { 0, 0, 0, 1 };
	struct engine_job *job = &task->job;

	memset(task->slot[SRC], 0x5a, task->slot_size);
	memset(task->slot[DST], 0xa5, task->slot_size);
	draw_bytes(task->slot[SRC] + (job->src - task->slot[SRC]), job->src_len);
	if (task->raw.kind == ACCEL_HW_KIND_AEAD) {
		uint8_t *aad;

		job->aad_len = draw(4) ? draw(60) : draw(1000);
		aad = task->slot[AAD] + place(task, job->aad_len);
		draw_bytes(aad, job->aad_len);
		job->aad = job->aad_len || draw(2) ? aad : NULL;
	}
	draw_bytes(job->iv, sizeof(job->iv));
	draw_bytes(job->auth_iv, sizeof(job->auth_iv));
	if (draw(8) == 0)
		memset(job->iv + draw(16), 0xff, 1); /* This makes a counter carry. */
	if (draw(8) == 0)
		memset(job->iv + 12, 0xff, 3);
	if (draw(4) == 0) /* The block is a J0 of an IV of 12 bytes. */
		memcpy(job->iv + 12, j0_end, sizeof(j0_end));
	if (draw(4) == 0)
		memcpy(job->auth_iv + 12, j0_end, sizeof(j0_end));
	if (task->raw.iv_len > ACCEL_HW_IV_MAX || task->raw.auth_iv_len > ACCEL_HW_IV_MAX)
		for (unsigned int i = 1; i < 9; i++) /* ZUC-256 has 6 bits in each. */
			job->auth_iv[i] &= 0x3f;
}

/* Makes the input of a job that verifies or decrypts. The reference computes it, with a generating
 * context of the same keys. */
static void
make_input(struct task *task)
{
	struct accel_hw_context raw = task->raw;
	struct engine_job job = task->job;
	uint8_t *out = malloc(job.src_len + 1);

	assert_non_null(out);
	memcpy(out, job.src, job.src_len);
	raw.flags &= (uint8_t)~ACCEL_HW_CTX_VERIFY;
	job.src = out;
	job.dst = out + job.cipher_off;
	job.digest_out = task->digest_in;
	if (raw.kind == ACCEL_HW_KIND_AEAD)
		raw.flags |= ACCEL_HW_CTX_ENCRYPT;
	assert_int_equal(run_once(&raw, &job), ACCEL_HW_OK);
	if (raw.kind == ACCEL_HW_KIND_AEAD)
		memcpy(task->slot[SRC] + (task->job.src - task->slot[SRC]), out, job.src_len);
	free(out);
	task->spoilt = draw(4) == 0;
	if (task->spoilt)
		task->digest_in[draw(raw.digest_len)] ^= (uint8_t)(1u << draw(8));
}

/* Begins a task, which has no regions yet. */
static void
begin_task(struct task *task, const struct accel_hw_context *raw, const struct arena *arena,
		unsigned int slot)
{
	const struct accel_hw_context copy = *raw; /* It may be the task's own. */

	memset(task, 0, sizeof(*task));
	task->raw = copy;
	task->slot_size = arena->slot;
	for (unsigned int i = 0; i < SLOTS; i++)
		task->slot[i] = arena_slot(arena, slot * SLOTS + i);
}

/* Gives a task with regions its memory, input and digest. */
static void
fill_task(struct task *task, bool in_place)
{
	const struct accel_hw_context *raw = &task->raw;

	place_buffers(task, in_place);
	fill_buffers(task);
	if (verifies(raw))
		make_input(task);
	memcpy(task->slot[REF_SRC], task->slot[SRC], task->slot_size);
	memcpy(task->slot[REF_DST], task->slot[DST], task->slot_size);
	memcpy(task->ref.iv, task->job.iv, sizeof(task->ref.iv));
	memcpy(task->ref.auth_iv, task->job.auth_iv, sizeof(task->ref.auth_iv));
	task->ref.aad = task->job.aad;
	task->ref.aad_len = task->job.aad_len;
	if (verifies(raw)) {
		task->job.digest_in = task->ref.digest_in = task->digest_in;
	} else if (raw->digest_len > 0) {
		task->job.digest_out = task->digest_out;
		task->ref.digest_out = task->ref_digest;
	}
}

static void
new_task(struct task *task, const struct accel_hw_context *raw, const struct arena *arena,
		unsigned int slot, uint32_t max)
{
	bool in_place = draw(2);

	begin_task(task, raw, arena, slot);
	pick_regions(raw, &task->job, max, in_place);
	fill_task(task, in_place);
}

#define CHECK(condition) \
	do { \
		if (!(condition)) \
			fail_task(task, #condition); \
	} while (0)

static void
fail_task(const struct task *task, const char *what)
{
	const struct accel_hw_context *raw = &task->raw;
	const struct engine_job *job = &task->job;

	fail_msg("failed: %s\nkind %u flags %u cipher %u key %u iv %u auth %u key %u digest %u; "
		 "src %u cipher %u+%u auth %u+%u aad %u %s; status %u, reference %u",
			what, raw->kind, raw->flags, raw->cipher_alg, raw->cipher_key_len,
			raw->iv_len, raw->auth_alg, raw->auth_key_len, raw->digest_len,
			job->src_len, job->cipher_off, job->cipher_len, job->auth_off,
			job->auth_len, job->aad_len,
			job->dst == NULL                                         ? "no dst"
					: job->dst == job->src + job->cipher_off ? "in place"
										 : "out of place",
			job->status, task->ref.status);
}

static void
check_task(const struct task *task)
{
	const struct engine_job *job = &task->job;
	/* Plaintext that failed to verify is undefined (manual 7.4), and OpenSSL's CCM clears
	 * it. */
	bool undefined = task->spoilt && task->raw.kind == ACCEL_HW_KIND_AEAD;

	CHECK(job->done);
	CHECK(task->ref.status == (task->spoilt ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK));
	CHECK(job->status == task->ref.status);
	CHECK(undefined || memcmp(task->slot[SRC], task->slot[REF_SRC], task->slot_size) == 0);
	CHECK(undefined || memcmp(task->slot[DST], task->slot[REF_DST], task->slot_size) == 0);
	CHECK(memcmp(task->digest_out, task->ref_digest, task->raw.digest_len) == 0);
	CHECK(job->ctx != NULL);
}

static void
run_tasks_on(struct engine *engine, const struct engine_ops *ops, struct task *tasks,
		unsigned int nb)
{
	for (unsigned int i = 0; i < nb; i++) {
		tasks[i].ref.done = true;
		run_once(&tasks[i].raw, &tasks[i].ref);
		tasks[i].job.ctx = open_ctx(engine, ops, &tasks[i].raw);
	}
	for (unsigned int i = 0; i < nb; i++)
		ops->submit(engine, &tasks[i].job);
	ops->flush(engine);
	for (unsigned int i = 0; i < nb; i++) {
		check_task(&tasks[i]);
		ops->ctx_fini(engine, tasks[i].job.ctx);
	}
}

static void
run_tasks(struct task *tasks, unsigned int nb)
{
	run_tasks_on(mb, &engine_ipsec_mb, tasks, nb);
}

/* Known answers. */

static void
test_vectors_openssl(void **state)
{
	(void)state;
	assert_int_equal(run_vectors(ossl, &engine_openssl, cipher_vectors, DIM(cipher_vectors)),
			DIM(cipher_vectors));
	assert_int_equal(run_vectors(ossl, &engine_openssl, auth_vectors, DIM(auth_vectors)),
			DIM(auth_vectors));
	assert_int_equal(run_vectors(ossl, &engine_openssl, aead_vectors, DIM(aead_vectors)),
			DIM(aead_vectors));
	/* Of the wireless algorithms it has ZUC. */
	assert_true(run_vectors(ossl, &engine_openssl, wireless_vectors, DIM(wireless_vectors)) >
			15);
}

static void
test_vectors_ipsec_mb(void **state)
{
	unsigned int done;

	(void)state;
	if (mb == NULL)
		skip();
	done = run_vectors(mb, &engine_ipsec_mb, cipher_vectors, DIM(cipher_vectors));
	done += run_vectors(mb, &engine_ipsec_mb, auth_vectors, DIM(auth_vectors));
	done += run_vectors(mb, &engine_ipsec_mb, aead_vectors, DIM(aead_vectors));
	assert_int_equal(run_vectors(mb, &engine_ipsec_mb, wireless_vectors,
					 DIM(wireless_vectors)),
			DIM(wireless_vectors));
	print_message("%u known answers are right\n", done);
	assert_true(done > 50);
}

/* The tests' own reference has to give the known answers, too. */
static void
test_reference(void **state)
{
	static struct known known;

	(void)state;
	for (size_t i = 0; i < DIM(wireless_vectors); i++) {
		read_vector(&known, &wireless_vectors[i]);
		known.job.src = known.in;
		known.job.dst = known.buf;
		known.job.digest_out = known.got;
		assert_int_equal(run_once(&known.raw, &known.job), ACCEL_HW_OK);
		if (wireless_vectors[i].digest != NULL)
			assert_memory_equal(known.got, known.digest, known.raw.digest_len);
		else
			assert_memory_equal(known.buf, known.out, known.job.cipher_len);
	}
	for (size_t i = 0; i < DIM(bit_vectors); i++) {
		const struct bit_vector *v = &bit_vectors[i];
		uint8_t key[16], iv[16], in[512], want[4], got[4];

		from_hex(key, v->key);
		from_hex(iv, v->iv);
		from_hex(in, v->in);
		from_hex(want, v->digest);
		if (v->alg == ACCEL_HW_AUTH_ZUC_EIA3)
			ref_zuc_eia3(key, sizeof(key), iv, in, v->bits, got, sizeof(got));
		else
			ref_snow3g_uia2(key, iv, in, v->bits, got);
		assert_memory_equal(got, want, sizeof(want));
	}
}

/* Only some bits of the last byte of these MACs count (engine.h, auth_pad). @return how many the
 * engine has. */
static unsigned int
run_bit_vectors(struct engine *engine, const struct engine_ops *ops)
{
	unsigned int done = 0;

	for (size_t i = 0; i < DIM(bit_vectors); i++) {
		const struct bit_vector *v = &bit_vectors[i];
		struct accel_hw_context raw = { .version = ACCEL_HW_CTX_VERSION };
		uint8_t in[512], want[4], got[ACCEL_HW_DIGEST_MAX];
		struct engine_job job = { .src = in, .digest_out = got };

		raw.kind = ACCEL_HW_KIND_AUTH;
		raw.auth_alg = v->alg;
		raw.auth_key_len = (uint16_t)from_hex(raw.auth_key, v->key);
		raw.auth_iv_len = (uint8_t)from_hex(job.auth_iv, v->iv);
		raw.digest_len = (uint16_t)from_hex(want, v->digest);
		from_hex(in, v->in);
		job.auth_len = job.src_len = (v->bits + 7u) / 8;
		job.auth_pad = 8 * job.auth_len - v->bits;
		if (!ops->supports(&raw))
			continue;
		done++;
		job.ctx = open_ctx(engine, ops, &raw);
		ops->submit(engine, &job);
		ops->flush(engine);
		assert_true(job.done && job.status == ACCEL_HW_OK);
		assert_memory_equal(got, want, sizeof(want));
		ops->ctx_fini(engine, job.ctx);
	}
	return done;
}

static void
test_bit_vectors(void **state)
{
	(void)state;
	assert_true(run_bit_vectors(ossl, &engine_openssl) > 3);
	if (mb != NULL)
		assert_int_equal(run_bit_vectors(mb, &engine_ipsec_mb), DIM(bit_vectors));
}

/* GCM from J0, compared with OpenSSL's GCM from an IV of 16 bytes, whose J0 is a GHASH (SP 800-38D,
 * 7.1). */

/* Multiplies bit by bit, as in SP 800-38D, 6.3, algorithm 1. */
static void
ref_gf_multiply(const uint8_t *x, const uint8_t *y, uint8_t *z)
{
	uint8_t v[16];

	memcpy(v, y, 16);
	memset(z, 0, 16);
	for (unsigned int i = 0; i < 128; i++) {
		unsigned int last = v[15] & 1;

		for (unsigned int n = 0; n < 16 && (x[i / 8] << i % 8 & 0x80); n++)
			z[n] ^= v[n];
		for (unsigned int n = 15; n > 0; n--)
			v[n] = (uint8_t)(v[n] >> 1 | v[n - 1] << 7);
		v[0] = (uint8_t)(v[0] >> 1 ^ (last ? 0xe1 : 0));
	}
}

static void
ref_j0(const uint8_t *key, unsigned int key_len, const uint8_t *iv, uint8_t *j0)
{
	const EVP_CIPHER *ecb = key_len == 16 ? EVP_aes_128_ecb()
			: key_len == 24       ? EVP_aes_192_ecb()
					      : EVP_aes_256_ecb();
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t h[16] = { 0 }, s[16];
	int len;

	assert_int_equal(EVP_EncryptInit_ex(ctx, ecb, NULL, key, NULL), 1);
	assert_int_equal(EVP_EncryptUpdate(ctx, h, &len, h, 16), 1);
	EVP_CIPHER_CTX_free(ctx);
	ref_gf_multiply(iv, h, s);
	s[15] ^= 128; /* The last block has 64 zero bits and the IV's length in bits. */
	ref_gf_multiply(s, h, j0);
}

/* Encrypts in one call and out of place. AAD and text may be empty. */
static void
ref_gcm(const uint8_t *key, unsigned int key_len, const uint8_t *iv, const uint8_t *aad,
		uint32_t aad_len, const uint8_t *in, uint8_t *out, uint32_t len, uint8_t *tag)
{
	const EVP_CIPHER *gcm = key_len == 16 ? EVP_aes_128_gcm()
			: key_len == 24       ? EVP_aes_192_gcm()
					      : EVP_aes_256_gcm();
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	assert_int_equal(EVP_EncryptInit_ex(ctx, gcm, NULL, NULL, NULL), 1);
	assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 16, NULL), 1);
	assert_int_equal(EVP_EncryptInit_ex(ctx, NULL, NULL, key, iv), 1);
	if (aad_len > 0)
		assert_int_equal(EVP_EncryptUpdate(ctx, NULL, &n, aad, (int)aad_len), 1);
	if (len > 0)
		assert_int_equal(EVP_EncryptUpdate(ctx, out, &n, in, (int)len), 1);
	assert_int_equal(EVP_EncryptFinal_ex(ctx, out + len, &n), 1);
	assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag), 1);
	EVP_CIPHER_CTX_free(ctx);
}

static void
run_j0(struct engine *engine, const struct engine_ops *ops, const struct accel_hw_context *raw,
		struct engine_job *job, uint16_t want)
{
	job->ctx = open_ctx(engine, ops, raw);
	job->done = false;
	ops->submit(engine, job);
	ops->flush(engine);
	assert_true(job->done);
	assert_int_equal(job->status, want);
	ops->ctx_fini(engine, job->ctx);
}

static void
one_j0(struct engine *engine, const struct engine_ops *ops)
{
	struct accel_hw_context raw = new_context(ACCEL_HW_KIND_AEAD, ACCEL_HW_CTX_ENCRYPT,
			find_alg(ACCEL_HW_AEAD_AES_GCM), NULL);
	struct engine_job job = {
		.cipher_len = draw(4) ? draw(2000) : draw(40),
		.aad_len = draw(60),
	};
	uint8_t in[2048], out[2048], want[2064], aad[64], iv[16], tag[16], got[ACCEL_HW_DIGEST_MAX];

	draw_bytes(in, sizeof(in));
	draw_bytes(aad, sizeof(aad));
	draw_bytes(iv, sizeof(iv));
	raw.iv_len = 16;
	ref_j0(raw.cipher_key, raw.cipher_key_len, iv, job.iv);
	ref_gcm(raw.cipher_key, raw.cipher_key_len, iv, aad, job.aad_len, in, want, job.cipher_len,
			tag);
	job.src = in;
	job.dst = draw(2) ? in : out;
	job.src_len = job.cipher_len;
	job.aad = aad;
	job.digest_out = got;
	run_j0(engine, ops, &raw, &job, ACCEL_HW_OK);
	assert_memory_equal(job.dst, want, job.cipher_len);
	assert_memory_equal(got, tag, raw.digest_len);
	/* The text is decrypted, in place or not. */
	raw.flags = 0;
	job.src = job.dst;
	job.dst = draw(2) ? job.dst : job.dst == in ? out : in;
	job.digest_in = got;
	run_j0(engine, ops, &raw, &job, ACCEL_HW_OK);
	/* The text has to be the right one, because a wrong text may have this tag if the tag is
	 * short. */
	memcpy(job.src == in ? in : out, want, job.cipher_len);
	got[draw(raw.digest_len)] ^= (uint8_t)(1u << draw(8));
	run_j0(engine, ops, &raw, &job, ACCEL_HW_AUTH_FAILED);
	/* GMAC authenticates all of it as AAD. */
	raw = new_context(ACCEL_HW_KIND_AUTH, 0, NULL, find_alg(ACCEL_HW_AUTH_AES_GMAC));
	raw.auth_iv_len = 16;
	job = (struct engine_job){ .src = in, .auth_len = draw(500), .digest_out = got };
	job.src_len = job.auth_len;
	ref_j0(raw.auth_key, raw.auth_key_len, iv, job.auth_iv);
	ref_gcm(raw.auth_key, raw.auth_key_len, iv, in, job.auth_len, NULL, want, 0, tag);
	run_j0(engine, ops, &raw, &job, ACCEL_HW_OK);
	assert_memory_equal(got, tag, raw.digest_len);
}

static void
test_j0(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 300; n++) {
		one_j0(ossl, &engine_openssl);
		if (mb != NULL)
			one_j0(mb, &engine_ipsec_mb);
	}
}

/* Only the last 32 bits of a counter block count up (SP 800-38D, 6.2), and they wrap. Two messages
 * whose counters meet behind the wrap have the same key stream there. */
static void
test_j0_wrap(void **state)
{
	struct accel_hw_context raw = new_context(ACCEL_HW_KIND_AEAD, ACCEL_HW_CTX_ENCRYPT,
			find_alg(ACCEL_HW_AEAD_AES_GCM), NULL);
	uint8_t zero[64] = { 0 }, a[64], b[64], got[ACCEL_HW_DIGEST_MAX];
	struct engine_job job = { .src = zero, .src_len = 64, .cipher_len = 64, .digest_out = got };

	(void)state;
	raw.iv_len = 16;
	job.aad = zero;
	job.dst = a;
	memset(job.iv, 0xff, 16); /* The counters 0, 1, 2, 3 follow. */
	run_j0(ossl, &engine_openssl, &raw, &job, ACCEL_HW_OK);
	job.dst = b;
	job.iv[15] = 0xfe; /* The counters ffffffff, 0, 1, 2 follow. */
	run_j0(ossl, &engine_openssl, &raw, &job, ACCEL_HW_OK);
	assert_memory_equal(a, b + 16, 48);
	assert_memory_not_equal(a, b, 16);
}

/* Comparison with the reference. */

static void
test_all_contexts(void **state)
{
	static struct task tasks[BATCH];
	struct arena arena;
	unsigned int nb = 0;
	unsigned int total = 0;

	(void)state;
	if (mb == NULL)
		skip();
	arena = new_arena(BATCH * SLOTS, SHORT_SLOT);
	for (unsigned int round = 0; round < 3; round++) {
		add_all();
		shuffle_all();
		for (unsigned int i = 0; i < nb_all; i++) {
			if (!engine_ipsec_mb.supports(&all[i]))
				continue;
			new_task(&tasks[nb], &all[i], &arena, nb, SHORT_MAX);
			total++;
			if (++nb == BATCH) {
				run_tasks(tasks, nb);
				nb = 0;
			}
		}
	}
	run_tasks(tasks, nb);
	print_message("%u jobs of %u contexts are right\n", total, nb_all);
	free_arena(&arena);
}

/* Chains whose halves are in different engines, and a sample of all others. */
static void
test_split(void **state)
{
	static struct task tasks[BATCH];
	struct engine *split = engine_split.create();
	struct arena arena;
	unsigned int nb = 0, total = 0;

	(void)state;
	assert_non_null(split);
	if (mb == NULL)
		skip();
	arena = new_arena(BATCH * SLOTS, SHORT_SLOT);
	add_all();
	shuffle_all();
	for (unsigned int i = 0; i < nb_all; i++) {
		bool chain = all[i].kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ||
				all[i].kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER;

		assert_int_equal(engine_split.supports(&all[i]), chain);
		if (!chain || ((engine_ipsec_mb.supports(&all[i]) ||
					       engine_openssl.supports(&all[i])) &&
					      draw(8)))
			continue;
		new_task(&tasks[nb], &all[i], &arena, nb, SHORT_MAX);
		total++;
		if (++nb == BATCH) {
			run_tasks_on(split, &engine_split, tasks, nb);
			nb = 0;
		}
	}
	run_tasks_on(split, &engine_split, tasks, nb);
	print_message("%u jobs of %u contexts are right\n", total, nb_all);
	engine_split.destroy(split);
	free_arena(&arena);
}

/* The library refuses these chains and OpenSSL lacks their cipher, so the engine splits them. */
static void
test_fallback_split(void **state)
{
	const struct alg *snow3g = find_alg(ACCEL_HW_CIPHER_SNOW3G_UEA2);
	const struct alg *hmac = find_alg(ACCEL_HW_AUTH_SHA1_HMAC);
	static struct task task;
	struct arena arena;

	(void)state;
	if (mb == NULL)
		skip();
	arena = new_arena(SLOTS, 100 * PAGE);
	for (unsigned int n = 0; n < 8; n++) {
		struct accel_hw_context raw = new_context(ACCEL_HW_KIND_AUTH_THEN_CIPHER,
				(uint8_t)(n & 1) * ACCEL_HW_CTX_ENCRYPT, snow3g, hmac);

		new_task(&task, &raw, &arena, 0, 2000);
		if (task.job.dst == NULL || task.job.dst == task.job.src + task.job.cipher_off) {
			/* The library does not hash an empty message. */
			task.job.auth_len = task.ref.auth_len = 0;
			task.job.auth_off = task.ref.auth_off = 0;
		}
		run_tasks(&task, 1);
	}
	free_arena(&arena);
}

/* Lanes fill up only if many jobs have the same algorithm. All jobs have one, each with a key and a
 * length of its own. */
static void
flood_with(struct task *tasks, unsigned int nb, const struct arena *arena, uint8_t kind,
		const struct alg *cipher, const struct alg *auth, uint32_t max)
{
	for (unsigned int key = 0; key < 2; key++) {
		for (unsigned int i = 0; i < nb; i++) {
			uint8_t flags = (uint8_t)draw(ACCEL_HW_CTX_FLAGS + 1);
			struct accel_hw_context raw = new_context(kind, flags, cipher, auth);

			if (cipher != NULL && key == 0)
				set_cipher(&raw, cipher, cipher->key_min);
			if (!engine_ipsec_mb.supports(&raw) && cipher != NULL)
				set_cipher(&raw, cipher, cipher->key_max);
			if (!engine_ipsec_mb.supports(&raw))
				return;
			new_task(&tasks[i], &raw, arena, i, max);
		}
		run_tasks(tasks, nb);
	}
}

static void
flood(struct task *tasks, const struct arena *arena, uint8_t kind, const struct alg *cipher,
		const struct alg *auth)
{
	flood_with(tasks, FLOOD, arena, kind, cipher, auth, SHORT_MAX);
}

static void
test_flood(void **state)
{
	struct task *tasks;
	struct arena arena;

	(void)state;
	if (mb == NULL)
		skip();
	tasks = calloc(FLOOD, sizeof(*tasks));
	assert_non_null(tasks);
	arena = new_arena(FLOOD * SLOTS, PAGE);
	for (size_t i = 0; i < DIM(ciphers); i++) {
		flood(tasks, &arena, ACCEL_HW_KIND_CIPHER, &ciphers[i], NULL);
		flood(tasks, &arena, ACCEL_HW_KIND_CIPHER_THEN_AUTH, &ciphers[i], &auths[8]);
		flood(tasks, &arena, ACCEL_HW_KIND_AUTH_THEN_CIPHER, &ciphers[i], &auths[10]);
	}
	for (size_t i = 0; i < DIM(auths); i++) {
		flood(tasks, &arena, ACCEL_HW_KIND_AUTH, NULL, &auths[i]);
		flood(tasks, &arena, ACCEL_HW_KIND_CIPHER_THEN_AUTH, &ciphers[1], &auths[i]);
		flood(tasks, &arena, ACCEL_HW_KIND_AUTH_THEN_CIPHER, &ciphers[2], &auths[i]);
	}
	for (size_t i = 0; i < DIM(aeads); i++)
		flood(tasks, &arena, ACCEL_HW_KIND_AEAD, &aeads[i], NULL);
	free_arena(&arena);
	free(tasks);
}

/* For a few jobs the engine may use other code of the library than for many. */
static void
test_few(void **state)
{
	static struct task tasks[FEW];
	struct arena arena;

	(void)state;
	if (mb == NULL)
		skip();
	arena = new_arena(FEW * SLOTS, PAGE);
	for (unsigned int nb = 1; nb <= FEW; nb++) {
		for (size_t i = 0; i < DIM(ciphers); i++)
			flood_with(tasks, nb, &arena, ACCEL_HW_KIND_CIPHER, &ciphers[i], NULL,
					SHORT_MAX);
		for (size_t i = 0; i < DIM(auths); i++) {
			flood_with(tasks, nb, &arena, ACCEL_HW_KIND_AUTH, NULL, &auths[i],
					SHORT_MAX);
			flood_with(tasks, nb, &arena, ACCEL_HW_KIND_CIPHER_THEN_AUTH, &ciphers[1],
					&auths[i], SHORT_MAX);
			flood_with(tasks, nb, &arena, ACCEL_HW_KIND_AUTH_THEN_CIPHER, &ciphers[1],
					&auths[i], SHORT_MAX);
		}
	}
	free_arena(&arena);
}

/* Sets lengths around the limits of 16-bit lanes and far beyond. */
static void
set_long(struct task *task, uint32_t len)
{
	const struct accel_hw_context *raw = &task->raw;
	struct engine_job *job = &task->job;

	job->cipher_off = job->auth_off = job->cipher_len = job->auth_len = 0;
	if (raw->kind != ACCEL_HW_KIND_AUTH)
		job->cipher_len = len - len % find_alg(raw->cipher_alg)->block;
	if (raw->kind != ACCEL_HW_KIND_AUTH && find_alg(raw->cipher_alg)->len_max != 0 &&
			len > find_alg(raw->cipher_alg)->len_max)
		job->cipher_len = find_alg(raw->cipher_alg)->len_max;
	if (raw->kind != ACCEL_HW_KIND_CIPHER && raw->kind != ACCEL_HW_KIND_AEAD)
		job->auth_len = job->cipher_len ? job->cipher_len : len;
	if (job->auth_len > 0 && find_alg(raw->auth_alg)->len_max != 0 &&
			job->auth_len > find_alg(raw->auth_alg)->len_max)
		job->auth_len = find_alg(raw->auth_alg)->len_max;
	/* The length has to fit into 15 - nonce bytes (SP 800-38C). */
	if (raw->cipher_alg == ACCEL_HW_AEAD_AES_CCM && raw->iv_len == 13 && len > 65535)
		job->cipher_len = 65535;
	job->src_len = job->cipher_len > job->auth_len ? job->cipher_len : job->auth_len;
}

static void
run_long(struct task *tasks, unsigned int nb, const struct arena *arena, uint32_t len)
{
	for (unsigned int i = 0; i < nb; i++) {
		begin_task(&tasks[i], &tasks[i].raw, arena, i);
		set_long(&tasks[i], len);
		fill_task(&tasks[i], draw(2));
	}
	run_tasks(tasks, nb);
}

#define LONG_TASKS 64u

static unsigned int
one_of_each(struct task *tasks)
{
	const uint8_t encrypt = ACCEL_HW_CTX_ENCRYPT;
	unsigned int nb = 0;

	for (size_t i = 0; i < DIM(auths); i++) {
		tasks[nb].raw = new_context(ACCEL_HW_KIND_AUTH, 0, NULL, &auths[i]);
		nb += engine_ipsec_mb.supports(&tasks[nb].raw);
	}
	for (size_t i = 0; i < DIM(aeads); i++) {
		tasks[nb].raw = new_context(ACCEL_HW_KIND_AEAD, encrypt, &aeads[i], NULL);
		nb += engine_ipsec_mb.supports(&tasks[nb].raw);
	}
	for (size_t i = 0; i < DIM(ciphers); i++) {
		tasks[nb].raw = new_context(ACCEL_HW_KIND_CIPHER, encrypt, &ciphers[i], NULL);
		tasks[nb].raw.flags = (uint8_t)draw(2) * encrypt;
		nb += engine_ipsec_mb.supports(&tasks[nb].raw);
	}
	assert_true(nb < LONG_TASKS); /* One more context is looked at. */
	return nb;
}

static void
test_long(void **state)
{
	static const uint32_t lens[] = { 65520, 65534, 65535, 65536, 65552, 200000, 1048576 };
	static struct task tasks[LONG_TASKS];
	struct arena arena;
	unsigned int nb = 0;

	(void)state;
	if (mb == NULL)
		skip();
	arena = new_arena(LONG_TASKS * SLOTS, 1048576 + PAGE);
	add_all();
	shuffle_all();
	for (unsigned int i = 0; i < nb_all && nb < 5 * LONG_TASKS; i++) {
		/* All contexts without a chain run, and a sample of the chains. */
		bool chain = all[i].kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ||
				all[i].kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER;

		if (!engine_ipsec_mb.supports(&all[i]) || verifies(&all[i]) || (chain && draw(30)))
			continue;
		tasks[nb++ % LONG_TASKS].raw = all[i];
		if (nb % LONG_TASKS == 0)
			run_long(tasks, LONG_TASKS, &arena, lens[nb / LONG_TASKS % DIM(lens)]);
	}
	for (size_t l = 0; l < DIM(lens); l++)
		run_long(tasks, one_of_each(tasks), &arena, lens[l]);
	free_arena(&arena);
}

#define LONG_HASHES 17u /* more than there are lanes */

/* The library's lanes count bytes in 16 bits. Longer hashes have lanes of their own, if there are
 * enough of them, and beside them the ciphers of chains. */
static void
test_hash_long(void **state)
{
	static const unsigned int numbers[] = { 4, LONG_HASHES };
	static struct task tasks[LONG_HASHES];
	const uint32_t max = 68 * PAGE; /* lengths are up to half of it */
	struct arena arena;

	(void)state;
	if (mb == NULL)
		skip();
	arena = new_arena(LONG_HASHES * SLOTS, max + PAGE);
	for (size_t n = 0; n < DIM(numbers); n++) {
		for (size_t i = 0; i < DIM(auths); i++) {
			if (auths[i].id < ACCEL_HW_AUTH_SHA1 ||
					auths[i].id > ACCEL_HW_AUTH_SHA512_HMAC)
				continue;
			flood_with(tasks, numbers[n], &arena, ACCEL_HW_KIND_AUTH, NULL, &auths[i],
					max);
			flood_with(tasks, numbers[n], &arena, ACCEL_HW_KIND_CIPHER_THEN_AUTH,
					&ciphers[draw(DIM(ciphers))], &auths[i], max);
			flood_with(tasks, numbers[n], &arena, ACCEL_HW_KIND_AUTH_THEN_CIPHER,
					&ciphers[draw(DIM(ciphers))], &auths[i], max);
		}
	}
	free_arena(&arena);
}

/* Draws a context of a MAC that is AES-CBC: alone, in a chain, or in CCM. */
static struct accel_hw_context
mac_context(void)
{
	static const uint8_t kinds[] = { ACCEL_HW_KIND_AUTH, ACCEL_HW_KIND_CIPHER_THEN_AUTH,
		ACCEL_HW_KIND_AUTH_THEN_CIPHER, ACCEL_HW_KIND_AEAD };
	static const uint8_t some[] = { ACCEL_HW_CIPHER_NULL, ACCEL_HW_CIPHER_AES_CBC,
		ACCEL_HW_CIPHER_AES_CTR };
	struct accel_hw_context raw;

	do {
		const uint8_t kind = kinds[draw(DIM(kinds))];
		const struct alg *cipher = find_alg(kind == ACCEL_HW_KIND_AEAD ?
				ACCEL_HW_AEAD_AES_CCM : some[draw(DIM(some))]);
		const struct alg *auth = find_alg(draw(2) ? ACCEL_HW_AUTH_AES_CMAC :
							    ACCEL_HW_AUTH_AES_XCBC_MAC);

		raw = new_context(kind, (uint8_t)draw(ACCEL_HW_CTX_FLAGS + 1),
				kind == ACCEL_HW_KIND_AUTH ? NULL : cipher,
				kind == ACCEL_HW_KIND_AEAD ? NULL : auth);
	} while (!engine_ipsec_mb.supports(&raw));
	return raw;
}

#define LONG_MACS 33u /* more than twice as many as there are lanes */

/* Such MACs go through the library's lanes for AES-CBC in parts, with other algorithms, keys and
 * lengths beside them, and with the ciphers of chains and of CCM before or after them. */
static void
test_mac_long(void **state)
{
	static const uint32_t lens[] = { 65534, 65535, 65536, 65537, 65551, 131072, 131073,
		262143 };
	static const unsigned int numbers[] = { 1, 2, 16, 17, LONG_MACS };
	static struct task tasks[LONG_MACS];
	struct arena arena;

	(void)state;
	if (mb == NULL)
		skip();
	arena = new_arena(LONG_MACS * SLOTS, lens[DIM(lens) - 1] + 1 + PAGE);
	for (unsigned int n = 0; n < 10 * DIM(numbers); n++) {
		const unsigned int nb = numbers[n % DIM(numbers)];

		for (unsigned int i = 0; i < nb; i++) {
			const struct accel_hw_context raw = mac_context();
			struct engine_job *job = &tasks[i].job;

			begin_task(&tasks[i], &raw, &arena, i);
			set_long(&tasks[i], lens[draw(DIM(lens))]);
			if (job->cipher_len > 0 && job->auth_len > 0 && draw(4) == 0)
				job->auth_len = draw(40); /* Only the cipher is long. */
			fill_task(&tasks[i], draw(2));
		}
		run_tasks(tasks, nb);
	}
	engine_ipsec_mb.wipe(mb);
	free_arena(&arena);
}

/* The lanes' hashes of messages whose ends lie anywhere in a block. The flood above has HMAC. */
static void
test_hash_lanes(void **state)
{
	static const EVP_MD *(*const hashes[])(void) = { EVP_sha1, EVP_sha224, EVP_sha256,
		EVP_sha384, EVP_sha512 };
	static uint8_t data[HASH_LANES][1200];

	(void)state;
	if (!hash_lanes_available())
		skip();
	draw_bytes(data, sizeof(data));
	for (unsigned int round = 0; round < 500; round++) {
		const unsigned int kind = draw(HASH_LANES_KINDS);
		const unsigned int nb = 1 + draw(hash_lanes_width(kind));
		struct hash_lane lane[HASH_LANES];
		uint8_t digest[EVP_MAX_MD_SIZE];
		unsigned int len;

		for (unsigned int i = 0; i < nb; i++)
			lane[i] = (struct hash_lane){ .msg = data[i],
				.len = draw(round % 2 == 0 ? 300 : sizeof(data[i])) };
		hash_lanes_run(kind, lane, nb);
		for (unsigned int i = 0; i < nb; i++) {
			assert_int_equal(EVP_Digest(lane[i].msg, lane[i].len, digest, &len,
							 hashes[kind](), NULL), 1);
			assert_memory_equal(lane[i].digest, digest, len);
		}
	}
}

/* The library gets long regions that come from memory in steps, and mistakes are likely at the end
 * of a step. Both directions are compared with OpenSSL, then one bit at the end is wrong. */
static void
gcm_long(void)
{
	static const uint32_t lens[] = { 8191, 8192, 8193, 10239, 10240, 12288, 12289, 16384,
		40001 };
	static uint8_t plain[40001], data[40001], expected[40001];

	for (size_t i = 0; i < DIM(lens); i++) {
		struct accel_hw_context raw = new_context(ACCEL_HW_KIND_AEAD,
				ACCEL_HW_CTX_ENCRYPT, find_alg(ACCEL_HW_AEAD_AES_GCM), NULL);
		uint8_t aad[20], digest[2][ACCEL_HW_DIGEST_MAX];
		struct engine_job job = {
			.src = plain,
			.dst = expected,
			.src_len = lens[i],
			.cipher_len = lens[i],
			.aad = aad,
			.aad_len = draw(2) * sizeof(aad),
			.digest_out = digest[0],
		};

		raw.iv_len = 12;
		raw.digest_len = 16;
		draw_bytes(plain, lens[i]);
		draw_bytes(aad, sizeof(aad));
		draw_bytes(job.iv, 12);
		assert_int_equal(run_openssl(&raw, &job), ACCEL_HW_OK);
		memcpy(data, plain, lens[i]);
		job.src = job.dst = data;
		job.digest_out = digest[1];
		run_mb(&raw, &job);
		assert_int_equal(job.status, ACCEL_HW_OK);
		assert_memory_equal(data, expected, lens[i]);
		assert_memory_equal(digest[1], digest[0], 16);
		raw.flags = 0;
		job.digest_in = digest[0];
		run_mb(&raw, &job);
		assert_int_equal(job.status, ACCEL_HW_OK);
		assert_memory_equal(data, plain, lens[i]);
		memcpy(data, expected, lens[i]);
		data[lens[i] - 1] ^= 0x80;
		run_mb(&raw, &job);
		assert_int_equal(job.status, ACCEL_HW_AUTH_FAILED);
	}
}

static void
test_gcm_long(void **state)
{
	(void)state;
	if (mb == NULL)
		skip();
	gcm_long();
	engine_uncached = true;
	gcm_long();
	engine_uncached = false;
}

#define CBC_JOBS 40u /* more than are gathered */

/* Lanes count bytes in 16 bits. A longer message of AES-CBC goes through them in parts, beside
 * other messages, and so waits for them: OpenSSL would be done on return. */
static void
test_cbc_long(void **state)
{
	static const uint32_t lens[] = { 16, 32768, 65520, 65536, 65552, 98304, 131088, 262144 };
	static struct engine_job jobs[CBC_JOBS], refs[CBC_JOBS];
	const size_t room = lens[DIM(lens) - 1];
	struct accel_hw_context raw = new_context(ACCEL_HW_KIND_CIPHER, ACCEL_HW_CTX_ENCRYPT,
			find_alg(ACCEL_HW_CIPHER_AES_CBC), NULL);
	uint8_t *plain = malloc(CBC_JOBS * room), *out = malloc(CBC_JOBS * room);
	uint8_t *expected = malloc(CBC_JOBS * room);
	struct engine_ctx *ctx;

	(void)state;
	if (mb == NULL)
		skip();
	ctx = open_ctx(mb, &engine_ipsec_mb, &raw);
	assert_true(plain != NULL && out != NULL && expected != NULL);
	draw_bytes(plain, CBC_JOBS * room);
	for (unsigned int i = 0; i < CBC_JOBS; i++) {
		const bool in_place = draw(2);
		const uint32_t len = i == 0 ? 65536 : lens[draw(DIM(lens))];

		memcpy(out + i * room, plain + i * room, room);
		jobs[i] = (struct engine_job){
			.ctx = ctx,
			.src = in_place ? out + i * room : plain + i * room,
			.dst = out + i * room,
			.src_len = len,
			.cipher_len = len,
		};
		draw_bytes(jobs[i].iv, 16);
		refs[i] = jobs[i];
		refs[i].src = plain + i * room;
		refs[i].dst = expected + i * room;
		assert_int_equal(run_openssl(&raw, &refs[i]), ACCEL_HW_OK);
		engine_ipsec_mb.submit(mb, &jobs[i]);
		assert_true(i > 0 || !jobs[i].done);
	}
	engine_ipsec_mb.flush(mb);
	for (unsigned int i = 0; i < CBC_JOBS; i++) {
		assert_true(jobs[i].done);
		assert_int_equal(jobs[i].status, ACCEL_HW_OK);
		assert_memory_equal(out + i * room, expected + i * room, jobs[i].cipher_len);
		/* What is after the message stays. */
		assert_memory_equal(out + i * room + jobs[i].cipher_len,
				plain + i * room + jobs[i].cipher_len, room - jobs[i].cipher_len);
	}
	engine_ipsec_mb.ctx_fini(mb, ctx);
	free(plain);
	free(out);
	free(expected);
}

#define GATHERED 64u /* jobs of an array while many follow, else half as many */

/* Jobs are gathered: the last job of an array ends all of them, and its results are those of
 * OpenSSL, which would be done on return. @param array jobs of an array. */
static void
check_gathered(const struct accel_hw_context *raw, uint32_t len, unsigned int array)
{
	static struct engine_job jobs[GATHERED], refs[GATHERED];
	static uint8_t digests[2][GATHERED][ACCEL_HW_DIGEST_MAX];
	uint8_t *out = malloc((size_t)array * len), *expected = malloc((size_t)array * len);
	struct engine_ctx *ctx = open_ctx(mb, &engine_ipsec_mb, raw);

	assert_true(out != NULL && expected != NULL);
	draw_bytes(out, (size_t)array * len);
	memcpy(expected, out, (size_t)array * len);
	for (unsigned int i = 0; i < array; i++) {
		jobs[i] = (struct engine_job){
			.ctx = ctx,
			.src = out + (size_t)i * len,
			.dst = out + (size_t)i * len,
			.digest_out = digests[0][i],
			.src_len = len,
			.cipher_len = raw->kind == ACCEL_HW_KIND_AUTH ? 0 : len,
			.auth_len = raw->kind == ACCEL_HW_KIND_AEAD ? 0 : len,
		};
		draw_bytes(jobs[i].iv, 16);
		refs[i] = jobs[i];
		refs[i].src = refs[i].dst = expected + (size_t)i * len;
		refs[i].digest_out = digests[1][i];
		assert_int_equal(run_openssl(raw, &refs[i]), ACCEL_HW_OK);
		engine_ipsec_mb.submit(mb, &jobs[i]);
		assert_int_equal(jobs[0].done, i + 1 == array);
	}
	for (unsigned int i = 0; i < array; i++) {
		assert_true(jobs[i].done);
		assert_int_equal(jobs[i].status, ACCEL_HW_OK);
		assert_memory_equal(digests[0][i], digests[1][i], raw->digest_len);
	}
	assert_memory_equal(out, expected, (size_t)array * len);
	engine_ipsec_mb.ctx_fini(mb, ctx);
	free(out);
	free(expected);
}

static void
test_gathered(void **state)
{
	static const unsigned int hashes[] = { ACCEL_HW_AUTH_SHA1_HMAC, ACCEL_HW_AUTH_SHA256_HMAC,
		ACCEL_HW_AUTH_SHA512_HMAC };
	struct accel_hw_context raw;

	(void)state;
	if (mb == NULL)
		skip();
	for (unsigned int i = 0; i < DIM(hashes); i++) {
		raw = new_context(ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CTX_ENCRYPT,
				find_alg(ACCEL_HW_CIPHER_AES_CBC), find_alg(hashes[i]));
		check_gathered(&raw, 96, GATHERED / 2);
		engine_many = true;
		check_gathered(&raw, 96, GATHERED);
		engine_many = false;
	}
	for (unsigned int i = 0; i < 12; i++) {
		raw = mac_context();
		raw.flags = ACCEL_HW_CTX_ENCRYPT; /* without VERIFY */
		if (raw.iv_len == 13)
			raw.iv_len = 12; /* 13 leaves two bytes for the length. */
		check_gathered(&raw, 65536 + 16 * draw(3), 16);
	}
}

/* Special cases. */

/* All 128 bits of the counter count up (SP 800-38A). The expected text is made by AES-ECB of
 * counter blocks. */
static void
expect_ctr(const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out, uint32_t len)
{
	EVP_CIPHER_CTX *ecb = EVP_CIPHER_CTX_new();
	uint8_t counter[16], stream[16];
	int n;

	assert_int_equal(EVP_EncryptInit_ex(ecb, EVP_aes_128_ecb(), NULL, key, NULL), 1);
	memcpy(counter, iv, sizeof(counter));
	for (uint32_t i = 0; i < len; i++) {
		if (i % 16 == 0) {
			assert_int_equal(EVP_EncryptUpdate(ecb, stream, &n, counter, 16), 1);
			for (int b = 15; b >= 0 && ++counter[b] == 0; b--)
				;
		}
		out[i] = in[i] ^ stream[i % 16];
	}
	EVP_CIPHER_CTX_free(ecb);
}

static void
check_ctr(struct engine *engine, const struct engine_ops *ops, unsigned int ones, uint8_t last)
{
	static uint8_t in[5000], out[5000], want[5000];
	struct accel_hw_context raw =
			new_context(ACCEL_HW_KIND_CIPHER, ACCEL_HW_CTX_ENCRYPT, &ciphers[2], NULL);
	struct engine_job job = { .src = in, .dst = out, .cipher_len = 1 + draw(sizeof(in)) };

	set_cipher(&raw, &ciphers[2], 16);
	job.src_len = job.cipher_len;
	draw_bytes(in, sizeof(in));
	draw_bytes(job.iv, sizeof(job.iv));
	memset(job.iv + 16 - ones, 0xff, ones);
	job.iv[15] = last;
	expect_ctr(raw.cipher_key, job.iv, in, want, job.cipher_len);
	job.ctx = open_ctx(engine, ops, &raw);
	ops->submit(engine, &job);
	ops->flush(engine);
	ops->ctx_fini(engine, job.ctx);
	assert_true(job.done);
	assert_int_equal(job.status, ACCEL_HW_OK);
	assert_memory_equal(out, want, job.cipher_len);
}

static void
test_ctr_wrap(void **state)
{
	(void)state;
	for (unsigned int ones = 1; ones <= 16; ones++) {
		for (unsigned int last = 0; last < 256; last += 1 + draw(8)) {
			check_ctr(ossl, &engine_openssl, ones, (uint8_t)last);
			if (mb != NULL)
				check_ctr(mb, &engine_ipsec_mb, ones, (uint8_t)last);
		}
	}
}

/* Chains are compared with one that no engine computes: AES-128-CBC and HMAC-SHA256 by OpenSSL's
 * one-shot functions, in the order of manual 7.2. */

#define CHAIN_LEN 320u

struct chain {
	uint8_t data[CHAIN_LEN];
	uint8_t digest[32];
	uint8_t out[CHAIN_LEN];
};

static void
cbc(const struct accel_hw_context *raw, const uint8_t *iv, const uint8_t *in, uint8_t *out,
		uint32_t len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	assert_int_equal(EVP_CipherInit_ex(ctx, EVP_aes_128_cbc(), NULL, raw->cipher_key, iv,
					 raw->flags & ACCEL_HW_CTX_ENCRYPT),
			1);
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	assert_int_equal(EVP_CipherUpdate(ctx, out, &n, in, (int)len), 1);
	assert_int_equal(n, len);
	EVP_CIPHER_CTX_free(ctx);
}

static void
expect_chain(struct chain *chain, const struct accel_hw_context *raw, const struct engine_job *job)
{
	uint8_t source[CHAIN_LEN];
	const uint8_t *region = source;
	unsigned int len;

	memcpy(source, chain->data, CHAIN_LEN);
	cbc(raw, job->iv, chain->data + job->cipher_off, chain->out, job->cipher_len);
	if (raw->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH)
		memcpy(source + job->cipher_off, chain->out, job->cipher_len);
	HMAC(EVP_sha256(), raw->auth_key, raw->auth_key_len, region + job->auth_off, job->auth_len,
			chain->digest, &len);
}

static void
check_chain(struct engine *engine, const struct engine_ops *ops, uint8_t kind, uint8_t flags,
		bool in_place, bool spoil)
{
	struct accel_hw_context raw = new_context(kind, flags, &ciphers[1], &auths[10]);
	uint8_t src[CHAIN_LEN], dst[CHAIN_LEN], digest[ACCEL_HW_DIGEST_MAX];
	bool outside = in_place || kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER;
	struct engine_job job = {
		.src = src,
		.src_len = CHAIN_LEN,
		.cipher_off = outside ? 24 : 0,
		.cipher_len = 288,
		.auth_off = outside ? 0 : 3,
		.auth_len = outside ? CHAIN_LEN : 201,
		.digest_in = digest,
		.digest_out = digest,
	};
	struct chain chain;

	set_cipher(&raw, &ciphers[1], 16);
	raw.digest_len = 16;
	draw_bytes(chain.data, sizeof(chain.data));
	draw_bytes(job.iv, sizeof(job.iv));
	expect_chain(&chain, &raw, &job);
	memcpy(src, chain.data, sizeof(src));
	job.dst = in_place ? src + job.cipher_off : dst;
	if (flags & ACCEL_HW_CTX_VERIFY)
		memcpy(digest, chain.digest, 16);
	if (spoil)
		digest[draw(16)] ^= 0x80;
	job.ctx = open_ctx(engine, ops, &raw);
	ops->submit(engine, &job);
	ops->flush(engine);
	ops->ctx_fini(engine, job.ctx);
	assert_int_equal(job.status, spoil ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK);
	assert_memory_equal(job.dst, chain.out, job.cipher_len);
	if (!spoil)
		assert_memory_equal(digest, chain.digest, 16);
}

static void
test_chains(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 16; i++) {
		uint8_t kind = i & 1 ? ACCEL_HW_KIND_CIPHER_THEN_AUTH
				     : ACCEL_HW_KIND_AUTH_THEN_CIPHER;
		uint8_t flags = i >> 1 & ACCEL_HW_CTX_FLAGS;
		bool spoil = (flags & ACCEL_HW_CTX_VERIFY) != 0;

		for (unsigned int spoilt = 0; spoilt <= spoil; spoilt++) {
			check_chain(ossl, &engine_openssl, kind, flags, i & 8, spoilt);
			if (mb != NULL)
				check_chain(mb, &engine_ipsec_mb, kind, flags, i & 8, spoilt);
		}
	}
}

/* A digest is the leftmost digest_len bytes of the whole one, and exactly these are compared
 * (manual 8.1). */
static uint16_t
run_auth(struct engine *engine, const struct engine_ops *ops, const struct accel_hw_context *raw,
		const uint8_t *data, uint8_t *digest)
{
	struct engine_job job = { .src = data,
		.src_len = 77,
		.auth_len = 77,
		.digest_in = digest,
		.digest_out = digest };

	job.ctx = open_ctx(engine, ops, raw);
	ops->submit(engine, &job);
	ops->flush(engine);
	ops->ctx_fini(engine, job.ctx);
	assert_true(job.done);
	return job.status;
}

static void
check_truncation(struct engine *engine, const struct engine_ops *ops, const struct alg *alg)
{
	struct accel_hw_context raw = new_context(ACCEL_HW_KIND_AUTH, 0, NULL, alg);
	uint8_t data[77], whole[ACCEL_HW_DIGEST_MAX], digest[ACCEL_HW_DIGEST_MAX];

	if (alg->wireless) /* These have only 4 bytes. */
		return;
	draw_bytes(data, sizeof(data));
	raw.digest_len = alg->digest_max;
	assert_int_equal(run_auth(ossl, &engine_openssl, &raw, data, whole), ACCEL_HW_OK);
	for (uint16_t len = alg->digest_min; len <= alg->digest_max; len++) {
		raw.digest_len = len;
		raw.flags = 0;
		if (!ops->supports(&raw))
			continue;
		assert_int_equal(run_auth(engine, ops, &raw, data, digest), ACCEL_HW_OK);
		assert_memory_equal(digest, whole, len);
		raw.flags = ACCEL_HW_CTX_VERIFY;
		draw_bytes(digest + len, sizeof(digest) - len);
		assert_int_equal(run_auth(engine, ops, &raw, data, digest), ACCEL_HW_OK);
		digest[len - 1] ^= 0x01;
		assert_int_equal(run_auth(engine, ops, &raw, data, digest), ACCEL_HW_AUTH_FAILED);
		digest[len - 1] ^= 0x01;
		digest[0] ^= 0x80;
		assert_int_equal(run_auth(engine, ops, &raw, data, digest), ACCEL_HW_AUTH_FAILED);
	}
}

static void
test_truncation(void **state)
{
	(void)state;
	for (size_t i = 1; i < DIM(auths); i++) {
		check_truncation(ossl, &engine_openssl, &auths[i]);
		if (mb != NULL)
			check_truncation(mb, &engine_ipsec_mb, &auths[i]);
	}
}

static uint16_t
run_aead(struct engine *engine, const struct engine_ops *ops, const struct accel_hw_context *raw,
		const uint8_t *in, uint8_t *out, uint32_t len, uint8_t *tag)
{
	struct engine_job job = { .src = in,
		.dst = out,
		.src_len = len,
		.cipher_len = len,
		.aad = (const uint8_t *)"additional",
		.aad_len = 10,
		.digest_in = tag,
		.digest_out = tag };

	job.ctx = open_ctx(engine, ops, raw);
	ops->submit(engine, &job);
	ops->flush(engine);
	ops->ctx_fini(engine, job.ctx);
	assert_true(job.done);
	return job.status;
}

static void
check_tags(struct engine *engine, const struct engine_ops *ops, const struct alg *alg, uint32_t len)
{
	uint8_t plain[100], cipher[100], back[100], tag[ACCEL_HW_DIGEST_MAX];
	struct accel_hw_context raw = new_context(ACCEL_HW_KIND_AEAD, 0, alg, NULL);

	if (!ops->supports(&raw))
		return;
	draw_bytes(plain, sizeof(plain));
	for (uint16_t t = alg->digest_min; t <= alg->digest_max; t += alg->digest_step) {
		raw.digest_len = t;
		raw.flags = ACCEL_HW_CTX_ENCRYPT;
		assert_int_equal(run_aead(engine, ops, &raw, plain, cipher, len, tag), ACCEL_HW_OK);
		raw.flags = 0;
		assert_int_equal(run_aead(engine, ops, &raw, cipher, back, len, tag), ACCEL_HW_OK);
		assert_memory_equal(back, plain, len);
		tag[t - 1] ^= 0x01;
		memset(back, 0, sizeof(back));
		assert_int_equal(run_aead(engine, ops, &raw, cipher, back, len, tag),
				ACCEL_HW_AUTH_FAILED);
		/* The output is written (ST-4), and the next message is right. */
		assert_memory_equal(back, plain, len);
		memcpy(back, cipher, len);
		assert_int_equal(run_aead(engine, ops, &raw, back, back, len, tag),
				ACCEL_HW_AUTH_FAILED);
		assert_memory_equal(back, plain, len);
		tag[t - 1] ^= 0x01;
		memcpy(back, cipher, len);
		assert_int_equal(run_aead(engine, ops, &raw, back, back, len, tag), ACCEL_HW_OK);
		assert_memory_equal(back, plain, len);
	}
}

static void
test_tags(void **state)
{
	(void)state;
	for (size_t i = 0; i < DIM(aeads); i++) {
		for (uint32_t len = 0; len <= 100; len += 25) {
			check_tags(ossl, &engine_openssl, &aeads[i], len);
			if (mb != NULL)
				check_tags(mb, &engine_ipsec_mb, &aeads[i], len);
		}
	}
}

/* Algorithms of only one engine have at least to decrypt what they encrypted. Known answers cover
 * the rest. */
static void
check_round_trip(struct engine *engine, const struct engine_ops *ops, const struct alg *alg,
		uint16_t key_len)
{
	static uint8_t plain[3000], data[3000];
	struct accel_hw_context raw =
			new_context(ACCEL_HW_KIND_CIPHER, ACCEL_HW_CTX_ENCRYPT, alg, NULL);
	uint32_t len = pick_len(alg, sizeof(plain) - 32);

	set_cipher(&raw, alg, key_len);
	if (!ops->supports(&raw))
		return;
	draw_bytes(plain, sizeof(plain));
	memcpy(data, plain, sizeof(data));
	for (unsigned int i = 0; i < 2; i++) {
		struct engine_job job = {
			.src = data,
			.dst = data,
			.src_len = len,
			.cipher_len = len,
		};

		raw.flags = i == 0 ? ACCEL_HW_CTX_ENCRYPT : 0;
		memset(job.iv, 0x17, sizeof(job.iv));
		job.ctx = open_ctx(engine, ops, &raw);
		ops->submit(engine, &job);
		ops->flush(engine);
		ops->ctx_fini(engine, job.ctx);
		assert_int_equal(job.status, ACCEL_HW_OK);
		if (i == 0 && len >= 16 && alg->id != ACCEL_HW_CIPHER_NULL)
			assert_memory_not_equal(data, plain, len);
	}
	assert_memory_equal(data, plain, sizeof(plain));
}

static void
test_round_trip(void **state)
{
	(void)state;
	for (size_t i = 0; i < DIM(ciphers); i++) {
		for (unsigned int n = 0; n < 50; n++) {
			uint16_t key_len = pick_key(&ciphers[i]);

			check_round_trip(ossl, &engine_openssl, &ciphers[i], key_len);
			if (mb != NULL)
				check_round_trip(mb, &engine_ipsec_mb, &ciphers[i], key_len);
		}
	}
}

static void
run_xts(const struct accel_hw_context *raw, const uint8_t *iv, const uint8_t *src, uint8_t *dst,
		uint32_t len)
{
	struct engine_job job = { .src = src, .dst = dst, .src_len = len, .cipher_len = len };

	memcpy(job.iv, iv, sizeof(job.iv));
	assert_int_equal(run_openssl(raw, &job), ACCEL_HW_OK);
}

/* The tweak of data unit n is the tweak of the command plus n, as a little-endian number (manual
 * 8.2). */
static void
test_data_units(void **state)
{
	static const uint8_t ids[] = { ACCEL_HW_CIPHER_AES_XTS, ACCEL_HW_CIPHER_SM4_XTS };
	enum { UNIT = 64, UNITS = 4 };
	uint8_t src[UNIT * UNITS], whole[UNIT * UNITS], parts[UNIT * UNITS];

	(void)state;
	for (unsigned int n = 0; n < 4 * DIM(ids); n++) {
		struct accel_hw_context raw = new_context(ACCEL_HW_KIND_CIPHER,
				n & 1 ? ACCEL_HW_CTX_ENCRYPT : 0, find_alg(ids[n / 4]), NULL);
		uint8_t iv[ACCEL_HW_IV_MAX] = { 0xfe, 0xff, 0xff, n & 2 ? 0x12 : 0xff };

		draw_bytes(src, sizeof(src));
		raw.data_unit_len = UNIT;
		run_xts(&raw, iv, src, whole, sizeof(src));
		raw.data_unit_len = 0;
		for (unsigned int i = 0; i < UNITS; i++) {
			run_xts(&raw, iv, src + i * UNIT, parts + i * UNIT, UNIT);
			for (unsigned int b = 0; ++iv[b] == 0; b++)
				;
		}
		assert_memory_equal(whole, parts, sizeof(whole));
	}
}

/* A job on a context that served others before, failed ones too, is not affected by them. */
static void
test_context_reuse(void **state)
{
	uint8_t plain[64], cipher[64], tag[ACCEL_HW_DIGEST_MAX], bad[ACCEL_HW_DIGEST_MAX];

	(void)state;
	draw_bytes(plain, sizeof(plain));
	for (size_t i = 0; i < DIM(aeads); i++) {
		struct accel_hw_context raw = new_context(
				ACCEL_HW_KIND_AEAD, ACCEL_HW_CTX_ENCRYPT, &aeads[i], NULL);
		struct engine_ctx *ctx;

		raw.digest_len = 16;
		run_aead(ossl, &engine_openssl, &raw, plain, cipher, sizeof(plain), tag);
		memcpy(bad, tag, sizeof(bad));
		bad[3] ^= 4;
		raw.flags = 0;
		ctx = open_ctx(ossl, &engine_openssl, &raw);
		for (unsigned int n = 0; n < 20; n++) {
			uint8_t out[64];
			bool spoil = draw(2);
			struct engine_job job = {
				.ctx = ctx,
				.src = cipher,
				.dst = out,
				.src_len = sizeof(cipher),
				.cipher_len = sizeof(cipher),
				.aad = (const uint8_t *)"additional",
				.aad_len = 10,
				.digest_in = spoil ? bad : tag,
			};

			engine_openssl.submit(ossl, &job);
			assert_int_equal(job.status, spoil ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK);
			if (!spoil)
				assert_memory_equal(out, plain, sizeof(plain));
		}
		engine_openssl.ctx_fini(ossl, ctx);
		assert_int_equal(ERR_peek_error(), 0); /* The caller's error queue is unchanged. */
	}
}

static void
test_bad_contexts(void **state)
{
	struct accel_hw_context raw =
			new_context(ACCEL_HW_KIND_CIPHER, ACCEL_HW_CTX_ENCRYPT, &ciphers[4], NULL);
	uint16_t status = 0;

	(void)state;
	assert_true(engine_openssl.supports(&raw));
	assert_false(engine_ipsec_mb.supports(&raw));
	memcpy(raw.cipher_key + raw.cipher_key_len / 2, raw.cipher_key, raw.cipher_key_len / 2);
	for (unsigned int flags = 0; flags < 2; flags++) {
		raw.flags = (uint8_t)flags;
		assert_null(engine_openssl.ctx_init(ossl, &raw, &status));
		assert_int_equal(status, ACCEL_HW_BAD_CONTEXT);
	}
	raw.cipher_key_len = 48;
	assert_false(engine_openssl.supports(&raw));
	raw = new_context(ACCEL_HW_KIND_AUTH, 0, NULL, &auths[8]);
	raw.auth_key_len = 0;
	assert_false(engine_openssl.supports(&raw));
	assert_false(engine_ipsec_mb.supports(&raw));
	raw.auth_key_len = 65; /* This is longer than SHA-1's block. */
	assert_false(engine_openssl.supports(&raw));
	assert_false(engine_ipsec_mb.supports(&raw));
	raw = new_context(ACCEL_HW_KIND_AEAD, 0, &aeads[1], NULL);
	set_cipher(&raw, &aeads[1], 24);
	assert_true(engine_openssl.supports(&raw));
	assert_false(engine_ipsec_mb.supports(&raw));
}

static bool
is_in_openssl(uint16_t id)
{
	return !is_wireless(id) || id == ACCEL_HW_CIPHER_ZUC_EEA3 || id == ACCEL_HW_AUTH_ZUC_EIA3;
}

/* The OpenSSL engine has all algorithms of manual 8.2 but SNOW 3G and KASUMI. The split engine has
 * what no engine has alone. */
static void
test_supports(void **state)
{
	unsigned int by_mb = 0, by_split = 0;

	(void)state;
	add_all();
	for (unsigned int i = 0; i < nb_all; i++) {
		bool openssl = engine_openssl.supports(&all[i]);

		assert_int_equal(openssl, is_in_openssl(all[i].cipher_alg) &&
						  is_in_openssl(all[i].auth_alg));
		assert_true(engine_null.supports(&all[i]));
		if (openssl)
			engine_openssl.ctx_fini(ossl, open_ctx(ossl, &engine_openssl, &all[i]));
		if (mb != NULL && !openssl && !engine_ipsec_mb.supports(&all[i])) {
			assert_true(engine_split.supports(&all[i]));
			by_split++;
		}
		if (mb != NULL && engine_ipsec_mb.supports(&all[i])) {
			engine_ipsec_mb.ctx_fini(mb, open_ctx(mb, &engine_ipsec_mb, &all[i]));
			by_mb++;
		}
	}
	print_message("%u contexts, of which IPsec-MB computes %u; %u need two engines\n", nb_all,
			by_mb, by_split);
}

static void
test_null(void **state)
{
	struct engine *engine = engine_null.create();
	struct accel_hw_context raw = new_context(ACCEL_HW_KIND_CIPHER_THEN_AUTH,
			ACCEL_HW_CTX_ENCRYPT, &ciphers[1], &auths[8]);
	uint8_t src[64], dst[32], digest[ACCEL_HW_DIGEST_MAX];
	struct engine_job job = { .src = src,
		.dst = dst,
		.src_len = 64,
		.cipher_off = 16,
		.cipher_len = 32,
		.auth_len = 64,
		.digest_out = digest };

	(void)state;
	assert_non_null(engine);
	draw_bytes(src, sizeof(src));
	memset(digest, 0xff, sizeof(digest));
	raw.digest_len = 12;
	job.ctx = open_ctx(engine, &engine_null, &raw);
	engine_null.submit(engine, &job);
	assert_true(job.done);
	assert_int_equal(job.status, ACCEL_HW_OK);
	assert_memory_equal(dst, src + 16, sizeof(dst));
	for (unsigned int i = 0; i < sizeof(digest); i++)
		assert_int_equal(digest[i], i < 12 ? 0 : 0xff);
	engine_null.ctx_fini(engine, job.ctx);
	raw.flags = ACCEL_HW_CTX_VERIFY;
	job.ctx = open_ctx(engine, &engine_null, &raw);
	job.digest_in = src;
	job.digest_out = NULL;
	job.done = false;
	engine_null.submit(engine, &job);
	engine_null.flush(engine);
	assert_true(job.done);
	assert_int_equal(job.status, ACCEL_HW_OK);
	engine_null.ctx_fini(engine, job.ctx);
	engine_null.destroy(engine);
}

static void
expect_sizes(const struct accel_hw_range *r, unsigned int min, unsigned int max, unsigned int step)
{
	assert_int_equal(r->min, min);
	assert_int_equal(r->max, max);
	assert_int_equal(r->step, min == max ? 0 : step);
}

/* In the table of manual 8.2, AEADs alone have AAD, and ZUC alone has pairs of sizes. */
static void
test_contract(void **state)
{
	static const struct accel_hw_alg_info rows[] = {
#define ROW(...) ACCEL_HW_ALG_INFO(__VA_ARGS__),
		ACCEL_HW_SYM_ALGS(ROW)
#undef ROW
	};

	(void)state;
	for (size_t i = 0; i < DIM(rows); i++) {
		const struct accel_hw_alg_info *row = &rows[i];
		const struct alg *alg = find_alg(row->id);
		bool zuc = row->id == ACCEL_HW_CIPHER_ZUC_EEA3 || row->id == ACCEL_HW_AUTH_ZUC_EIA3;

		print_message("%s\n", row->name);
		assert_non_null(alg);
		expect_sizes(&row->key, alg->key_min, alg->key_max, alg->key_step);
		expect_sizes(&row->iv, alg->iv_min, alg->iv_max,
				alg->iv_step != 0 ? alg->iv_step : alg->iv_min == 7 ? 1 : 4);
		expect_sizes(&row->digest, alg->digest_min, alg->digest_max, alg->digest_step);
		expect_sizes(&row->aad, 0, row->class == ACCEL_HW_CLASS_AEAD ? 65535 : 0, 1);
		assert_int_equal(row->whole_blocks, alg->block > 1);
		assert_int_equal(row->region_min, alg->block > 1 ? alg->block : alg->len_min);
		assert_int_equal(row->region_max, alg->len_max);
		assert_int_equal(row->bits, alg->wireless);
		assert_int_equal(row->j0, row->iv.min == 12 && row->iv.max == 16);
		assert_int_equal(row->key_iv[0].key, zuc ? 16 : 0);
		assert_true(!row->whole_blocks || row->block == alg->block);
	}
	assert_int_equal(DIM(rows), DIM(ciphers) + DIM(auths) + DIM(aeads));
}

static int
set_up(void **state)
{
	(void)state;
	all = calloc(CTX_MAX, sizeof(*all));
	ossl = engine_openssl.create();
	mb = engine_ipsec_mb.create();
	if (mb == NULL)
		print_message("IPsec-MB does not run on this CPU, so its tests are skipped\n");
	return all == NULL || ossl == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
	(void)state;
	if (mb != NULL)
		engine_ipsec_mb.destroy(mb);
	engine_openssl.destroy(ossl);
	free(all);
	return 0;
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contract),
		cmocka_unit_test(test_vectors_openssl),
		cmocka_unit_test(test_vectors_ipsec_mb),
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_bit_vectors),
		cmocka_unit_test(test_j0),
		cmocka_unit_test(test_j0_wrap),
		cmocka_unit_test(test_supports),
		cmocka_unit_test(test_bad_contexts),
		cmocka_unit_test(test_null),
		cmocka_unit_test(test_chains),
		cmocka_unit_test(test_ctr_wrap),
		cmocka_unit_test(test_truncation),
		cmocka_unit_test(test_tags),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_data_units),
		cmocka_unit_test(test_context_reuse),
		cmocka_unit_test(test_all_contexts),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_fallback_split),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_hash_long),
		cmocka_unit_test(test_mac_long),
		cmocka_unit_test(test_hash_lanes),
		cmocka_unit_test(test_gcm_long),
		cmocka_unit_test(test_cbc_long),
		cmocka_unit_test(test_gathered),
	};

	rng_start();
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
