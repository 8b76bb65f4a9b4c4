/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What IPsec-MB 1.3 computes, within which lengths, and how raw keys take the forms that it needs:
 * AES round keys, DES schedules, GCM tables, hashed HMAC pads. The limits are those of the
 * library's own job check (is_job_invalid() in its lib/include/mb_mgr_job_check.h).
 */
#include <stddef.h>
#include <string.h>

#include <openssl/crypto.h>

#include "engine/engine_common.h"
#include "engine/engine_ossl.h"
#include "engine_mb/engine_mb.h"

/* engine_ipsec_mb.c sets the IVs of all authentication algorithms through one field. */
static_assert(offsetof(IMB_JOB, u.GMAC._iv) == offsetof(IMB_JOB, u.SNOW3G_UIA2._iv) &&
			offsetof(IMB_JOB, u.GMAC._iv) == offsetof(IMB_JOB, u.ZUC_EIA3._iv),
		"IPsec-MB's struct of a job");

/* Multi-buffer lanes count bytes in 16 bits. The library calls this limit MB_MAX_LEN16. */
#define LEN16 ((1u << 16) - 2)
#define LEN32 UINT32_MAX
#define BITS32 (UINT32_MAX / 8)
#define KASUMI_MAX 2500u
#define ZUC_MAX 8188u
#define HMAC_BLOCK_MAX IMB_SHA_512_BLOCK_SIZE

typedef void (*mb_cipher_expand_t)(
		IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw);
typedef void (*mb_auth_expand_t)(
		IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw);

static void
expand_aes(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	uint8_t *enc = ctx->cipher_key.aes.enc;
	uint8_t *dec = ctx->cipher_key.aes.dec;

	if (raw->cipher_key_len == IMB_KEY_128_BYTES)
		IMB_AES_KEYEXP_128(mgr, raw->cipher_key, enc, dec);
	else if (raw->cipher_key_len == IMB_KEY_192_BYTES)
		IMB_AES_KEYEXP_192(mgr, raw->cipher_key, enc, dec);
	else
		IMB_AES_KEYEXP_256(mgr, raw->cipher_key, enc, dec);
	ctx->job.enc_keys = enc;
	ctx->job.dec_keys = dec;
}

static void
expand_des(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	IMB_DES_KEYSCHED(mgr, ctx->cipher_key.des.schedule[0], raw->cipher_key);
	ctx->job.enc_keys = ctx->cipher_key.des.schedule[0];
	ctx->job.dec_keys = ctx->cipher_key.des.schedule[0];
}

/* Expand a key of triple DES. Keys of 24, 16 and 8 bytes are K1 K2 K3, K1 K2 K1 and K1 K1 K1
 * (manual 8.2). */
static void
expand_3des(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	unsigned int keys = raw->cipher_key_len / IMB_DES_BLOCK_SIZE;

	for (unsigned int i = 0; i < 3; i++) {
		const uint8_t *key = raw->cipher_key + i % keys * IMB_DES_BLOCK_SIZE;

		IMB_DES_KEYSCHED(mgr, ctx->cipher_key.des.schedule[i], key);
		ctx->cipher_key.des.order[i] = ctx->cipher_key.des.schedule[i];
	}
	ctx->job.enc_keys = ctx->cipher_key.des.order;
	ctx->job.dec_keys = ctx->cipher_key.des.order;
	ctx->job.key_len_in_bytes = 3 * IMB_DES_BLOCK_SIZE;
}

static void
expand_gcm_key(IMB_MGR *mgr, struct gcm_key_data *gcm, const uint8_t *key, unsigned int len)
{
	if (len == IMB_KEY_128_BYTES)
		IMB_AES128_GCM_PRE(mgr, key, gcm);
	else if (len == IMB_KEY_192_BYTES)
		IMB_AES192_GCM_PRE(mgr, key, gcm);
	else
		IMB_AES256_GCM_PRE(mgr, key, gcm);
}

static aes_gcm_enc_dec_t
gcm_function(const IMB_MGR *mgr, unsigned int key_len, bool encrypt)
{
	if (key_len == IMB_KEY_128_BYTES)
		return encrypt ? mgr->gcm128_enc : mgr->gcm128_dec;
	if (key_len == IMB_KEY_192_BYTES)
		return encrypt ? mgr->gcm192_enc : mgr->gcm192_dec;
	return encrypt ? mgr->gcm256_enc : mgr->gcm256_dec;
}

static void
gcm_pieces(const IMB_MGR *mgr, struct mb_ctx *ctx, unsigned int key_len, bool encrypt)
{
	if (key_len == IMB_KEY_128_BYTES) {
		ctx->gcm_begin = mgr->gcm128_init;
		ctx->gcm_go_on = encrypt ? mgr->gcm128_enc_update : mgr->gcm128_dec_update;
		ctx->gcm_end = encrypt ? mgr->gcm128_enc_finalize : mgr->gcm128_dec_finalize;
	} else if (key_len == IMB_KEY_192_BYTES) {
		ctx->gcm_begin = mgr->gcm192_init;
		ctx->gcm_go_on = encrypt ? mgr->gcm192_enc_update : mgr->gcm192_dec_update;
		ctx->gcm_end = encrypt ? mgr->gcm192_enc_finalize : mgr->gcm192_dec_finalize;
	} else {
		ctx->gcm_begin = mgr->gcm256_init;
		ctx->gcm_go_on = encrypt ? mgr->gcm256_enc_update : mgr->gcm256_dec_update;
		ctx->gcm_end = encrypt ? mgr->gcm256_enc_finalize : mgr->gcm256_dec_finalize;
	}
}

static void
expand_gcm(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	bool encrypt = (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0;

	ctx->j0 = raw->iv_len == ACCEL_HW_IV_MAX;
	gcm_pieces(mgr, ctx, raw->cipher_key_len, encrypt);
	expand_gcm_key(mgr, &ctx->cipher_key.gcm, raw->cipher_key, raw->cipher_key_len);
	ctx->gcm = gcm_function(mgr, raw->cipher_key_len, encrypt);
	ctx->aad_max = LEN32;
}

/* Expand a key of CCM, and set the tag length. This length is part of CCM's first block (SP
 * 800-38C, A.2.1), so it has to be exact. */
static void
expand_ccm(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	expand_aes(mgr, ctx, raw);
	ctx->job.hash_alg = IMB_AUTH_AES_CCM;
	ctx->job.auth_tag_output_len_in_bytes = raw->digest_len;
	ctx->aad_max = MB_CCM_AAD_MAX;
}

static void
expand_chacha(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	(void)mgr;
	memcpy(ctx->cipher_key.chacha, raw->cipher_key, MB_CHACHA_KEY);
	ctx->job.enc_keys = ctx->cipher_key.chacha;
	ctx->job.dec_keys = ctx->cipher_key.chacha;
	ctx->job.hash_alg = IMB_AUTH_CHACHA20_POLY1305;
	ctx->job.auth_tag_output_len_in_bytes = MB_TAG_LEN;
	ctx->aad_max = LEN32;
}

static void
expand_snow3g(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	IMB_SNOW3G_INIT_KEY_SCHED(mgr, raw->cipher_key, &ctx->cipher_key.snow3g);
	ctx->job.enc_keys = &ctx->cipher_key.snow3g;
	ctx->job.dec_keys = &ctx->cipher_key.snow3g;
}

static void
expand_kasumi(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	IMB_KASUMI_INIT_F8_KEY_SCHED(mgr, raw->cipher_key, &ctx->cipher_key.kasumi);
	ctx->job.enc_keys = &ctx->cipher_key.kasumi;
	ctx->job.dec_keys = &ctx->cipher_key.kasumi;
}

static void
expand_zuc(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	(void)mgr;
	memcpy(ctx->cipher_key.zuc, raw->cipher_key, raw->cipher_key_len);
	ctx->job.enc_keys = ctx->cipher_key.zuc;
	ctx->job.dec_keys = ctx->cipher_key.zuc;
}

/* Describes a cipher: its key lengths, the mode of the library, and the lengths per direction. */
struct cipher_row {
	uint8_t alg;
	uint8_t key_min;
	uint8_t key_max;
	uint8_t key_step;
	uint32_t len_min;
	uint32_t enc_max;
	uint32_t dec_max;
	IMB_CIPHER_MODE mode;
	mb_cipher_expand_t expand;
	bool bits; /* the library counts the length of the region in bits */
};

static const struct cipher_row cipher_rows[] = {
	{ ACCEL_HW_CIPHER_NULL, 0, 0, 1, 0, LEN32, LEN32, IMB_CIPHER_NULL, NULL },
	{ ACCEL_HW_CIPHER_AES_CBC, 16, 32, 8, 1, LEN16, LEN32, IMB_CIPHER_CBC, expand_aes },
	{ ACCEL_HW_CIPHER_AES_CTR, 16, 32, 8, 1, LEN32, LEN32, IMB_CIPHER_CNTR, expand_aes },
	{ ACCEL_HW_CIPHER_AES_ECB, 16, 32, 8, 1, LEN16, LEN16, IMB_CIPHER_ECB, expand_aes },
	{ ACCEL_HW_CIPHER_DES_CBC, 8, 8, 1, 1, LEN16, LEN16, IMB_CIPHER_DES, expand_des },
	{ ACCEL_HW_CIPHER_3DES_CBC, 8, 24, 8, 1, LEN16, LEN16, IMB_CIPHER_DES3, expand_3des },
	{ ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 16, 32, 16, 1, LEN16, LEN16, IMB_CIPHER_DOCSIS_SEC_BPI,
			expand_aes },
	{ ACCEL_HW_CIPHER_DES_DOCSIS_BPI, 8, 8, 1, 1, LEN16, LEN16, IMB_CIPHER_DOCSIS_DES,
			expand_des },
	{ ACCEL_HW_CIPHER_SNOW3G_UEA2, 16, 16, 1, 1, BITS32, BITS32, IMB_CIPHER_SNOW3G_UEA2_BITLEN,
			expand_snow3g, true },
	{ ACCEL_HW_CIPHER_KASUMI_F8, 16, 16, 1, 1, KASUMI_MAX, KASUMI_MAX,
			IMB_CIPHER_KASUMI_UEA1_BITLEN, expand_kasumi, true },
	{ ACCEL_HW_CIPHER_ZUC_EEA3, 16, 32, 16, 1, ZUC_MAX, ZUC_MAX, IMB_CIPHER_ZUC_EEA3,
			expand_zuc },
	{ ACCEL_HW_AEAD_AES_GCM, 16, 32, 8, 0, LEN32, LEN32, IMB_CIPHER_GCM, expand_gcm },
	{ ACCEL_HW_AEAD_AES_CCM, 16, 32, 16, 0, LEN16, LEN16, IMB_CIPHER_CCM, expand_ccm },
	{ ACCEL_HW_AEAD_CHACHA20_POLY1305, 32, 32, 1, 0, LEN32, LEN32, IMB_CIPHER_CHACHA20_POLY1305,
			expand_chacha },
};

/* Compute the hash states of HMAC's pads (RFC 2104). A padded key is as long as a block of the
 * hash. */
static void
hash_pads(struct mb_ctx *ctx, const struct accel_hw_context *raw, hash_one_block_t hash,
		unsigned int block)
{
	uint8_t pad[HMAC_BLOCK_MAX] = { 0 };

	memcpy(pad, raw->auth_key, raw->auth_key_len);
	for (unsigned int i = 0; i < block; i++)
		pad[i] ^= 0x36;
	hash(pad, ctx->auth_key.hmac.ipad);
	for (unsigned int i = 0; i < block; i++)
		pad[i] ^= 0x36 ^ 0x5c;
	hash(pad, ctx->auth_key.hmac.opad);
	OPENSSL_cleanse(pad, sizeof(pad));
	ctx->job.u.HMAC._hashed_auth_key_xor_ipad = ctx->auth_key.hmac.ipad;
	ctx->job.u.HMAC._hashed_auth_key_xor_opad = ctx->auth_key.hmac.opad;
}

static void
expand_md5(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	hash_pads(ctx, raw, mgr->md5_one_block, IMB_SHA1_BLOCK_SIZE);
}

static void
expand_sha1(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	hash_pads(ctx, raw, mgr->sha1_one_block, IMB_SHA1_BLOCK_SIZE);
}

static void
expand_sha224(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	hash_pads(ctx, raw, mgr->sha224_one_block, IMB_SHA_256_BLOCK_SIZE);
}

static void
expand_sha256(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	hash_pads(ctx, raw, mgr->sha256_one_block, IMB_SHA_256_BLOCK_SIZE);
}

static void
expand_sha384(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	hash_pads(ctx, raw, mgr->sha384_one_block, IMB_SHA_384_BLOCK_SIZE);
}

static void
expand_sha512(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	hash_pads(ctx, raw, mgr->sha512_one_block, IMB_SHA_512_BLOCK_SIZE);
}

/* Expand a key of GMAC. The library has an algorithm for each of the three key lengths. */
static void
expand_gmac(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	static const IMB_HASH_ALG by_key[] = { IMB_AUTH_AES_GMAC_128, IMB_AUTH_AES_GMAC_192,
		IMB_AUTH_AES_GMAC_256 };

	ctx->auth_j0 = raw->auth_iv_len == ACCEL_HW_IV_MAX;
	expand_gcm_key(mgr, &ctx->auth_key.gmac, raw->auth_key, raw->auth_key_len);
	ctx->job.hash_alg = by_key[raw->auth_key_len / 8 - 2];
	ctx->job.u.GMAC._key = &ctx->auth_key.gmac;
	ctx->job.u.GMAC.iv_len_in_bytes = MB_GCM_IV_LEN;
	ctx->gmac = true;
	ctx->auth_iv = true;
	ctx->gcm = gcm_function(mgr, raw->auth_key_len, true);
}

static void
expand_uia2(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	IMB_SNOW3G_INIT_KEY_SCHED(mgr, raw->auth_key, &ctx->auth_key.snow3g);
	ctx->job.u.SNOW3G_UIA2._key = &ctx->auth_key.snow3g;
	ctx->auth_iv = true;
}

static void
expand_f9(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	IMB_KASUMI_INIT_F9_KEY_SCHED(mgr, raw->auth_key, &ctx->auth_key.kasumi);
	ctx->job.u.KASUMI_UIA1._key = &ctx->auth_key.kasumi;
}

/* Expand a key of ZUC EIA3. The library has an algorithm for each of the two key lengths. */
static void
expand_eia3(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	(void)mgr;
	memcpy(ctx->auth_key.zuc, raw->auth_key, raw->auth_key_len);
	if (raw->auth_key_len == IMB_KEY_256_BYTES)
		ctx->job.hash_alg = IMB_AUTH_ZUC256_EIA3_BITLEN;
	ctx->job.auth_tag_output_len_in_bytes = raw->digest_len; /* not a part of a longer MAC */
	ctx->job.u.ZUC_EIA3._key = ctx->auth_key.zuc;
	ctx->auth_iv = true;
}

/* Expand a key of AES-CMAC (RFC 4493). The library has an algorithm for keys of 128 bits and one
 * for 256 bits, and none for 192 bits. */
static void
expand_cmac(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	uint8_t *k1 = ctx->auth_key.cbc_mac.k1;
	uint8_t *k2 = ctx->auth_key.cbc_mac.k2;
	uint8_t *k3 = ctx->auth_key.cbc_mac.k3;
	_Alignas(16) uint8_t dec[MB_AES_ROUND_KEYS];

	if (raw->auth_key_len == IMB_KEY_128_BYTES) {
		IMB_AES_KEYEXP_128(mgr, raw->auth_key, k1, dec);
		IMB_AES_CMAC_SUBKEY_GEN_128(mgr, k1, k2, k3);
	} else {
		IMB_AES_KEYEXP_256(mgr, raw->auth_key, k1, dec);
		IMB_AES_CMAC_SUBKEY_GEN_256(mgr, k1, k2, k3);
		ctx->job.hash_alg = IMB_AUTH_AES_CMAC_256;
	}
	ctx->job.u.CMAC._key_expanded = k1;
	ctx->job.u.CMAC._skey1 = k2;
	ctx->job.u.CMAC._skey2 = k3;
	OPENSSL_cleanse(dec, sizeof(dec));
}

/* Expand a key of AES-XCBC-MAC (RFC 3566). The library makes only the 12 bytes of
 * AES-XCBC-MAC-96. */
static void
expand_xcbc(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	uint8_t *k1 = ctx->auth_key.cbc_mac.k1;
	uint8_t *k2 = ctx->auth_key.cbc_mac.k2;
	uint8_t *k3 = ctx->auth_key.cbc_mac.k3;

	IMB_AES_XCBC_KEYEXP(mgr, raw->auth_key, k1, k2, k3);
	ctx->job.u.XCBC._k1_expanded = (const uint32_t *)(const void *)k1;
	ctx->job.u.XCBC._k2 = k2;
	ctx->job.u.XCBC._k3 = k3;
}

/* Describes an authentication algorithm: its key lengths, the library's name, the lengths that the
 * library takes (for HMAC not the empty message), and the length of the digest that the library
 * makes. The engine truncates digests, because the job interface takes only the whole length or the
 * length that IPsec has. */
struct auth_row {
	uint8_t alg;
	uint8_t key_min;
	uint8_t key_max;
	uint8_t key_step;
	uint32_t len_min;
	uint32_t len_max;
	uint8_t digest;
	IMB_HASH_ALG hash;
	mb_auth_expand_t expand;
	bool bits; /* the library counts the length of the region in bits */
};

static const struct auth_row auth_rows[] = {
	{ ACCEL_HW_AUTH_NULL, 0, 0, 1, 0, LEN32, 0, IMB_AUTH_NULL, NULL },
	{ ACCEL_HW_AUTH_SHA1, 0, 0, 1, 0, LEN16, 20, IMB_AUTH_SHA_1, NULL },
	{ ACCEL_HW_AUTH_SHA224, 0, 0, 1, 0, LEN16, 28, IMB_AUTH_SHA_224, NULL },
	{ ACCEL_HW_AUTH_SHA256, 0, 0, 1, 0, LEN16, 32, IMB_AUTH_SHA_256, NULL },
	{ ACCEL_HW_AUTH_SHA384, 0, 0, 1, 0, LEN16, 48, IMB_AUTH_SHA_384, NULL },
	{ ACCEL_HW_AUTH_SHA512, 0, 0, 1, 0, LEN16, 64, IMB_AUTH_SHA_512, NULL },
	{ ACCEL_HW_AUTH_MD5_HMAC, 1, 64, 1, 1, LEN16, 16, IMB_AUTH_MD5, expand_md5 },
	{ ACCEL_HW_AUTH_SHA1_HMAC, 1, 64, 1, 1, LEN16, 20, IMB_AUTH_HMAC_SHA_1, expand_sha1 },
	{ ACCEL_HW_AUTH_SHA224_HMAC, 1, 64, 1, 1, LEN16, 28, IMB_AUTH_HMAC_SHA_224, expand_sha224 },
	{ ACCEL_HW_AUTH_SHA256_HMAC, 1, 64, 1, 1, LEN16, 32, IMB_AUTH_HMAC_SHA_256, expand_sha256 },
	{ ACCEL_HW_AUTH_SHA384_HMAC, 1, 128, 1, 1, LEN16, 48, IMB_AUTH_HMAC_SHA_384,
			expand_sha384 },
	{ ACCEL_HW_AUTH_SHA512_HMAC, 1, 128, 1, 1, LEN16, 64, IMB_AUTH_HMAC_SHA_512,
			expand_sha512 },
	{ ACCEL_HW_AUTH_AES_GMAC, 16, 32, 8, 0, LEN32, 16, IMB_AUTH_AES_GMAC_128, expand_gmac },
	{ ACCEL_HW_AUTH_AES_XCBC_MAC, 16, 16, 1, 1, LEN16, 12, IMB_AUTH_AES_XCBC, expand_xcbc },
	{ ACCEL_HW_AUTH_AES_CMAC, 16, 32, 16, 1, LEN16, 16, IMB_AUTH_AES_CMAC, expand_cmac },
	{ ACCEL_HW_AUTH_SNOW3G_UIA2, 16, 16, 1, 1, BITS32, 4, IMB_AUTH_SNOW3G_UIA2_BITLEN,
			expand_uia2, true },
	{ ACCEL_HW_AUTH_KASUMI_F9, 16, 16, 1, 9, KASUMI_MAX, 4, IMB_AUTH_KASUMI_UIA1, expand_f9 },
	{ ACCEL_HW_AUTH_ZUC_EIA3, 16, 32, 16, 1, ZUC_MAX, 16, IMB_AUTH_ZUC_EIA3_BITLEN, expand_eia3,
			true },
};

static bool
key_fits(unsigned int len, unsigned int min, unsigned int max, unsigned int step)
{
	return len >= min && len <= max && (len - min) % step == 0;
}

static const struct cipher_row *
find_cipher(uint16_t alg, uint16_t key_len)
{
	for (size_t i = 0; i < sizeof(cipher_rows) / sizeof(cipher_rows[0]); i++) {
		const struct cipher_row *row = &cipher_rows[i];

		if (row->alg == alg && key_fits(key_len, row->key_min, row->key_max, row->key_step))
			return row;
	}
	return NULL;
}

/* Says which part of the library's code has a defect. DES writes the output of one job into the
 * buffer of another. ChaCha20, CMAC and ZUC read beyond the end of the source. */
enum flaw_where {
	EVERYWHERE,
	BELOW_AVX2,
	AVX_ONLY, /* only in the code for AVX, and not in the code for SSE */
	AVX512_TYPE2, /* the library's name for AVX512 with VAES, GFNI and IFMA */
};

struct flaw {
	uint8_t alg;
	enum flaw_where where;
	unsigned int since;
	unsigned int fixed;
	const char *fix; /* commit in the library's repository that cures the defect */
	bool reads; /* the code only reads beyond the end of the source */
};

static const struct flaw flaws[] = {
	{ ACCEL_HW_CIPHER_DES_CBC, EVERYWHERE, IMB_VERSION(2, 0, 0), IMB_VERSION(2, 0, 1),
			"8500e913" },
	{ ACCEL_HW_CIPHER_3DES_CBC, EVERYWHERE, IMB_VERSION(2, 0, 0), IMB_VERSION(2, 0, 1),
			"8500e913" },
	{ ACCEL_HW_CIPHER_DES_DOCSIS_BPI, EVERYWHERE, IMB_VERSION(2, 0, 0), IMB_VERSION(2, 0, 1),
			"8500e913" },
	{ ACCEL_HW_AEAD_CHACHA20_POLY1305, BELOW_AVX2, 0, IMB_VERSION(2, 0, 2), "5d087357",
			true },
	{ ACCEL_HW_CIPHER_ZUC_EEA3, AVX_ONLY, 0, IMB_VERSION(2, 0, 0), "b4eb8096", true },
	{ ACCEL_HW_AUTH_AES_CMAC, AVX512_TYPE2, 0, IMB_VERSION(2, 0, 2), "0a3822f3", true },
};

static bool
runs_there(enum flaw_where where)
{
	switch (where) {
	case BELOW_AVX2:
		return !__builtin_cpu_supports("avx2");
	case AVX_ONLY:
		return __builtin_cpu_supports("avx") && !__builtin_cpu_supports("avx2");
	case AVX512_TYPE2:
		return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma") &&
				__builtin_cpu_supports("gfni") &&
				__builtin_cpu_supports("vpclmulqdq");
	default:
		return true;
	}
}

/* True if an algorithm's code has a defect. @param room there are bytes behind a source that may be
 * read. */
static bool
is_flawed(uint16_t alg, bool room)
{
	unsigned int version = imb_get_version();

	for (size_t i = 0; i < sizeof(flaws) / sizeof(flaws[0]); i++)
		if (flaws[i].alg == alg && version >= flaws[i].since && version < flaws[i].fixed)
			return runs_there(flaws[i].where) && !(flaws[i].reads && room);
	return false;
}

/*
 * Without AVX512 the library's DES clears memory for each block: 0.7 MB/s, and 0.25 MB/s with three
 * keys, where OpenSSL does 65 and 25.
 */
static bool
is_slow(const struct accel_hw_context *raw)
{
	switch (raw->cipher_alg) {
	case ACCEL_HW_CIPHER_DES_CBC:
	case ACCEL_HW_CIPHER_3DES_CBC:
	case ACCEL_HW_CIPHER_DES_DOCSIS_BPI:
		return !__builtin_cpu_supports("avx512vl") &&
		       ossl_cipher_supports(raw->cipher_alg, raw->cipher_key_len);
	default:
		return false;
	}
}

static const struct auth_row *
find_auth(uint16_t alg, uint16_t key_len)
{
	for (size_t i = 0; i < sizeof(auth_rows) / sizeof(auth_rows[0]); i++) {
		const struct auth_row *row = &auth_rows[i];

		if (row->alg == alg && key_fits(key_len, row->key_min, row->key_max, row->key_step))
			return row;
	}
	return NULL;
}

static bool
has_cipher(const struct accel_hw_context *raw)
{
	return raw->kind != ACCEL_HW_KIND_AUTH;
}

static bool
has_auth(const struct accel_hw_context *raw)
{
	return raw->kind != ACCEL_HW_KIND_CIPHER && raw->kind != ACCEL_HW_KIND_AEAD;
}

bool
mb_keys_support(const struct accel_hw_context *raw)
{
	const bool room = (raw->flags & ENGINE_CTX_ROOM) != 0;
	const struct auth_row *auth;

	if (raw->data_unit_len != 0)
		return false; /* AES-XTS of the library, if any, does one data unit only */
	if (has_cipher(raw) &&
			(find_cipher(raw->cipher_alg, raw->cipher_key_len) == NULL ||
					is_flawed(raw->cipher_alg, room) || is_slow(raw)))
		return false;
	if (!has_auth(raw))
		return true;
	auth = find_auth(raw->auth_alg, raw->auth_key_len);
	return auth != NULL && raw->digest_len <= auth->digest &&
			(raw->auth_alg == ACCEL_HW_AUTH_AES_CMAC ||
					!is_flawed(raw->auth_alg, room));
}

static void
expand_cipher(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	const struct cipher_row *row = find_cipher(raw->cipher_alg, raw->cipher_key_len);
	bool encrypt = (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0;

	ctx->cipher_len = (struct mb_range){ row->len_min, encrypt ? row->enc_max : row->dec_max };
	ctx->ctr = row->mode == IMB_CIPHER_CNTR;
	ctx->copies = row->mode == IMB_CIPHER_NULL;
	ctx->cipher_shift = row->bits ? 3 : 0;
	ctx->job.cipher_mode = row->mode;
	ctx->job.key_len_in_bytes = raw->cipher_key_len;
	ctx->job.iv_len_in_bytes = raw->iv_len;
	if (row->expand != NULL)
		row->expand(mgr, ctx, raw);
}

static void
expand_auth(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	const struct auth_row *row = find_auth(raw->auth_alg, raw->auth_key_len);

	ctx->auth_len = (struct mb_range){ row->len_min, row->len_max };
	/* AES-CMAC can do without the library's code for it: see engine_mb_long.c. */
	if (is_flawed(raw->auth_alg, (raw->flags & ENGINE_CTX_ROOM) != 0))
		ctx->auth_len.max = 0;
	ctx->auth_shift = row->bits ? 3 : 0;
	ctx->auth_iv_at = raw->auth_iv_len > ACCEL_HW_IV_MAX ? 0 : ACCEL_HW_IV_MAX;
	ctx->job.hash_alg = row->hash;
	ctx->job.auth_tag_output_len_in_bytes = row->digest;
	if (row->expand != NULL)
		row->expand(mgr, ctx, raw);
}

void
mb_keys_expand(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw)
{
	bool encrypt = (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0;

	ctx->kind = raw->kind;
	ctx->raw = *raw;
	ctx->verify = engine_verifies(raw);
	ctx->digest_len = raw->digest_len;
	ctx->job.cipher_mode = IMB_CIPHER_NULL;
	ctx->job.hash_alg = IMB_AUTH_NULL;
	ctx->job.cipher_direction = encrypt ? IMB_DIR_ENCRYPT : IMB_DIR_DECRYPT;
	/* Most AEADs have their order built in. CCM has not: its MAC covers the plaintext (SP
	 * 800-38C), so the hash comes first to encrypt, and last to decrypt. */
	ctx->job.chain_order = raw->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ? IMB_ORDER_CIPHER_HASH
									   : IMB_ORDER_HASH_CIPHER;
	if (raw->kind == ACCEL_HW_KIND_AEAD && !encrypt)
		ctx->job.chain_order = IMB_ORDER_CIPHER_HASH;
	if (has_cipher(raw))
		expand_cipher(mgr, ctx, raw);
	if (has_auth(raw))
		expand_auth(mgr, ctx, raw);
}
