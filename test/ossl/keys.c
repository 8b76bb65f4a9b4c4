/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Compares the provider's public keys with those of OpenSSL's default provider: what one signs,
 * encrypts or derives the other has to accept, also with wrong signatures, threads, asynchronous
 * jobs and forks. Prints TAP.
 *
 * ossl-keys-test device|rsa|faults|any|none [SEED [ROUNDS]]: `device` expects that a device did
 * operations of every kind, `rsa` that it did those of RSA and no others, `faults` that it failed
 * in some, `any` that the CPU was faster in some, and `none` that it did none.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <rte_cryptodev.h>
#include <rte_mempool.h>

#include "harness.h"

#define OUT_MAX 1024

static const char *const operations[] = { "RSA-sign", "RSA-verify", "RSA-encrypt", "RSA-decrypt",
	"ECDSA-sign", "ECDSA-verify", "ECDH", "random" };
#define RSA_OPERATIONS 4
#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

/* A key in both library contexts. */
struct pair {
	const char *kind; /* bits of RSA, or a curve */
	bool rsa;
	EVP_PKEY *hw;
	EVP_PKEY *sw;
};

static struct pair pairs[] = { { .kind = "1024", .rsa = true }, { .kind = "2048", .rsa = true },
	{ .kind = "2049", .rsa = true }, { .kind = "3072", .rsa = true }, { .kind = "P-256" },
	{ .kind = "P-384" }, { .kind = "P-521" }, { .kind = "P-224" } };
#define PAIRS (sizeof(pairs) / sizeof(pairs[0]))
#define CURVES 4 /* the first of them */

static const char *const digests[] = { "SHA256", "SHA384", "SHA512", "SHA1", "SHA224", "SHA3-256" };
static int rounds = 4;

/* Brings a key to the other context, in the form of a file. */
static EVP_PKEY *
carry_over(EVP_PKEY *key, bool public, OSSL_LIB_CTX *to)
{
	unsigned char *der = NULL;
	const unsigned char *p;
	int len = public ? i2d_PUBKEY(key, &der) : i2d_PrivateKey(key, &der);
	EVP_PKEY *copy = NULL;

	p = der;
	if (len > 0)
		copy = public ? d2i_PUBKEY_ex(NULL, &p, len, to, NULL)
			      : d2i_AutoPrivateKey_ex(NULL, &p, len, to, NULL);
	OPENSSL_clear_free(der, len > 0 ? len : 0);
	return copy;
}

/* Makes every other key with our provider and the rest with the default one, and carries them over.
 */
static bool
make_keys(void)
{
	bool ok = true;

	for (size_t i = 0; i < PAIRS && ok; i++) {
		struct pair *p = &pairs[i];
		OSSL_LIB_CTX *first = i % 2 == 0 ? hw_ctx : sw_ctx;
		EVP_PKEY *key = p->rsa
				? EVP_PKEY_Q_keygen(first, NULL, "RSA", (size_t)atoi(p->kind))
				: EVP_PKEY_Q_keygen(first, NULL, "EC", p->kind);
		EVP_PKEY *other = carry_over(key, false, i % 2 == 0 ? sw_ctx : hw_ctx);

		p->hw = i % 2 == 0 ? key : other;
		p->sw = i % 2 == 0 ? other : key;
		ok = key != NULL && other != NULL && EVP_PKEY_eq(key, other) == 1;
	}
	return ok;
}

/* How a text is signed. */
struct how {
	const char *digest;
	int padding; /* 0: none to choose */
	const char *mgf1;
	int salt;
};

static void
draw_how(struct how *how, unsigned int *seed, const struct pair *p)
{
	static const int salts[] = { RSA_PSS_SALTLEN_DIGEST, RSA_PSS_SALTLEN_AUTO,
		RSA_PSS_SALTLEN_MAX, 0, 17 };

	how->digest = digests[draw(seed, 6)];
	how->padding = !p->rsa ? 0 : draw(seed, 2) ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING;
	how->mgf1 = draw(seed, 3) == 0 ? digests[draw(seed, 6)] : how->digest;
	how->salt = salts[draw(seed, 5)];
	if (strcmp(p->kind, "1024") == 0 && how->padding == RSA_PKCS1_PSS_PADDING) {
		how->digest = how->mgf1 = "SHA256"; /* SHA-512 and its salt have no room */
	}
}

static bool
set_how(EVP_PKEY_CTX *ctx, const struct how *how)
{
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(
				OSSL_SIGNATURE_PARAM_MGF1_DIGEST, (char *)(uintptr_t)how->mgf1, 0),
		OSSL_PARAM_construct_end(),
	};

	if (how->padding == 0)
		return true;
	if (EVP_PKEY_CTX_set_rsa_padding(ctx, how->padding) != 1)
		return false;
	return how->padding != RSA_PKCS1_PSS_PADDING ||
			(EVP_PKEY_CTX_set_params(ctx, params) == 1 &&
					EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, how->salt) == 1);
}

static bool
sign_text(OSSL_LIB_CTX *lib, EVP_PKEY *key, const struct how *how, const uint8_t *text, size_t len,
		uint8_t *sig, size_t *sig_len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	EVP_PKEY_CTX *pctx;
	bool ok = EVP_DigestSignInit_ex(ctx, &pctx, how->digest, lib, NULL, key, NULL) == 1 &&
			set_how(pctx, how) && EVP_DigestSign(ctx, sig, sig_len, text, len) == 1;

	EVP_MD_CTX_free(ctx);
	return ok;
}

static int
verify_text(OSSL_LIB_CTX *lib, EVP_PKEY *key, const struct how *how, const uint8_t *text,
		size_t len, const uint8_t *sig, size_t sig_len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	EVP_PKEY_CTX *pctx;
	int verdict = -1;

	if (EVP_DigestVerifyInit_ex(ctx, &pctx, how->digest, lib, NULL, key, NULL) == 1 &&
			set_how(pctx, how))
		verdict = EVP_DigestVerify(ctx, sig, sig_len, text, len);
	EVP_MD_CTX_free(ctx);
	return verdict;
}

/* Signs with each provider and verifies with the other one. Ours refuses wrong signatures. */
static bool
signatures_agree(const struct pair *p, unsigned int *seed)
{
	uint8_t text[200], a[OUT_MAX], b[OUT_MAX];
	size_t a_len = OUT_MAX, b_len = OUT_MAX, len = draw(seed, sizeof(text));
	struct how how;
	bool ok;

	draw_bytes(seed, text, sizeof(text));
	draw_how(&how, seed, p);
	ok = sign_text(hw_ctx, p->hw, &how, text, len, a, &a_len) &&
			sign_text(sw_ctx, p->sw, &how, text, len, b, &b_len) &&
			verify_text(sw_ctx, p->sw, &how, text, len, a, a_len) == 1 &&
			verify_text(hw_ctx, p->hw, &how, text, len, b, b_len) == 1 &&
			verify_text(hw_ctx, p->hw, &how, text, len + 1, b, b_len) != 1;
	if (ok && how.padding == RSA_PKCS1_PADDING)
		ok = a_len == b_len && memcmp(a, b, a_len) == 0;
	b[draw(seed, b_len)] ^= 1 << draw(seed, 8);
	ok = ok && verify_text(hw_ctx, p->hw, &how, text, len, b, b_len) != 1 &&
			verify_text(hw_ctx, p->hw, &how, text, len, a, a_len - 1) != 1;
	if (!ok)
		printf("# %s %s padding %d salt %d\n", p->kind, how.digest, how.padding, how.salt);
	return ok;
}

static EVP_PKEY_CTX *
cipher_ctx(OSSL_LIB_CTX *lib, EVP_PKEY *key, bool enc, int padding, const char *digest,
		size_t label)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);
	bool ok = (enc ? EVP_PKEY_encrypt_init(ctx) : EVP_PKEY_decrypt_init(ctx)) == 1 &&
			EVP_PKEY_CTX_set_rsa_padding(ctx, padding) == 1;

	if (ok && padding == RSA_PKCS1_OAEP_PADDING && digest != NULL)
		ok = EVP_PKEY_CTX_set_rsa_oaep_md_name(ctx, digest, NULL) == 1;
	if (ok && padding == RSA_PKCS1_OAEP_PADDING && label != 0)
		ok = EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, OPENSSL_zalloc(label), (int)label) == 1;
	if (ok)
		return ctx;
	EVP_PKEY_CTX_free(ctx);
	return NULL;
}

/* Encrypts with each provider and decrypts with the other one. A wrong ciphertext is refused. */
static bool
encryption_agrees(const struct pair *p, unsigned int *seed)
{
	static const int paddings[] = { RSA_PKCS1_OAEP_PADDING, RSA_PKCS1_PADDING, RSA_NO_PADDING };
	uint8_t text[OUT_MAX], sealed[OUT_MAX], back[OUT_MAX];
	size_t size = EVP_PKEY_get_size(p->sw), len, sealed_len, back_len;
	int padding = paddings[draw(seed, 3)];
	const char *digest = draw(seed, 2) ? "SHA256" : NULL;
	size_t label = draw(seed, 2) ? 9 : 0;
	bool ok = true;

	draw_bytes(seed, text, sizeof(text));
	text[0] = 0; /* below the modulus, if there is no padding */
	len = padding == RSA_NO_PADDING ? size : draw(seed, 40);
	for (int way = 0; way < 2 && ok; way++) {
		EVP_PKEY_CTX *enc = cipher_ctx(way == 0 ? hw_ctx : sw_ctx, way == 0 ? p->hw : p->sw,
				true, padding, digest, label);
		EVP_PKEY_CTX *dec = cipher_ctx(way == 0 ? sw_ctx : hw_ctx, way == 0 ? p->sw : p->hw,
				false, padding, digest, label);

		sealed_len = back_len = OUT_MAX;
		ok = enc != NULL && dec != NULL &&
				EVP_PKEY_encrypt(enc, sealed, &sealed_len, text, len) == 1 &&
				sealed_len == size &&
				EVP_PKEY_decrypt(dec, back, &back_len, sealed, sealed_len) == 1 &&
				back_len == len && memcmp(back, text, len) == 0;
		sealed[sealed_len - 1] ^= 1;
		back_len = OUT_MAX;
		if (ok && padding == RSA_PKCS1_OAEP_PADDING)
			ok = EVP_PKEY_decrypt(dec, back, &back_len, sealed, sealed_len) != 1;
		EVP_PKEY_CTX_free(enc);
		EVP_PKEY_CTX_free(dec);
	}
	if (!ok)
		printf("# %s padding %d digest %s label %zu\n", p->kind, padding,
				digest != NULL ? digest : "-", label);
	return ok;
}

static bool
derive(OSSL_LIB_CTX *lib, EVP_PKEY *own, EVP_PKEY *peer, bool kdf, uint8_t *secret, size_t *len)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, own, NULL);
	bool ok = EVP_PKEY_derive_init(ctx) == 1;

	if (ok && kdf)
		ok = EVP_PKEY_CTX_set_ecdh_kdf_type(ctx, EVP_PKEY_ECDH_KDF_X9_63) == 1 &&
				EVP_PKEY_CTX_set_ecdh_kdf_md(ctx, EVP_sha256()) == 1 &&
				EVP_PKEY_CTX_set_ecdh_kdf_outlen(ctx, 40) == 1;
	ok = ok && EVP_PKEY_derive_set_peer(ctx, peer) == 1 &&
			EVP_PKEY_derive(ctx, NULL, len) == 1 &&
			EVP_PKEY_derive(ctx, secret, len) == 1;
	EVP_PKEY_CTX_free(ctx);
	return ok;
}

/* Makes a key for the peer as libssl does, and derives secrets on both sides. */
static bool
exchange_agrees(const struct pair *p, unsigned int *seed)
{
	uint8_t a[OUT_MAX], b[OUT_MAX];
	size_t a_len = 0, b_len = 0, len;
	bool kdf = draw(seed, 6) == 0, ok;
	EVP_PKEY *peer_sw = EVP_PKEY_Q_keygen(sw_ctx, NULL, "EC", p->kind),
		 *peer_hw = EVP_PKEY_new();
	unsigned char *point = NULL;
	BIGNUM *secret = NULL;

	len = EVP_PKEY_get1_encoded_public_key(peer_sw, &point);
	ok = peer_hw != NULL && EVP_PKEY_copy_parameters(peer_hw, p->hw) == 1 &&
			EVP_PKEY_set1_encoded_public_key(peer_hw, point, len) == 1 &&
			EVP_PKEY_get_bn_param(peer_hw, OSSL_PKEY_PARAM_PRIV_KEY, &secret) != 1 &&
			derive(hw_ctx, p->hw, peer_hw, kdf, a, &a_len) &&
			derive(sw_ctx, peer_sw, p->sw, kdf, b, &b_len) && a_len == b_len &&
			memcmp(a, b, a_len) == 0;
	if (!ok)
		printf("# ECDH %s: %zu and %zu bytes\n", p->kind, a_len, b_len);
	BN_free(secret);
	OPENSSL_free(point);
	EVP_PKEY_free(peer_sw);
	EVP_PKEY_free(peer_hw);
	return ok;
}

/* Does random operations with a key. */
static bool
one(const struct pair *p, unsigned int *seed)
{
	if (draw(seed, 2) == 0)
		return signatures_agree(p, seed);
	return p->rsa ? encryption_agrees(p, seed) : exchange_agrees(p, seed);
}

static bool
many(unsigned int seed, int nb)
{
	bool ok = true;

	for (int i = 0; i < nb * 2 * (int)PAIRS && ok; i++)
		ok = one(&pairs[i % PAIRS], &seed);
	return ok;
}

/* Raw operations: signatures of digests, without padding too, and what is recovered from them. */
static bool
raw(unsigned int seed)
{
	const struct pair *p = &pairs[1];
	uint8_t digest[32], em[256], a[OUT_MAX], b[OUT_MAX];
	bool ok = true;

	draw_bytes(&seed, digest, sizeof(digest));
	draw_bytes(&seed, em, sizeof(em));
	em[0] = 0;
	for (int i = 0; i < 3 && ok; i++) {
		EVP_PKEY_CTX *x = EVP_PKEY_CTX_new_from_pkey(hw_ctx, p->hw, NULL);
		EVP_PKEY_CTX *y = EVP_PKEY_CTX_new_from_pkey(sw_ctx, p->sw, NULL);
		const uint8_t *in = i == 2 ? em : digest;
		size_t len = i == 2 ? sizeof(em) : sizeof(digest), a_len = OUT_MAX, b_len = OUT_MAX;
		int padding = i == 2 ? RSA_NO_PADDING : RSA_PKCS1_PADDING;

		ok = EVP_PKEY_sign_init(x) == 1 && EVP_PKEY_sign_init(y) == 1 &&
				EVP_PKEY_CTX_set_rsa_padding(x, padding) == 1 &&
				EVP_PKEY_CTX_set_rsa_padding(y, padding) == 1;
		if (i == 1)
			ok = ok && EVP_PKEY_CTX_set_signature_md(x, EVP_sha256()) == 1 &&
					EVP_PKEY_CTX_set_signature_md(y, EVP_sha256()) == 1;
		ok = ok && EVP_PKEY_sign(x, a, &a_len, in, len) == 1 &&
				EVP_PKEY_sign(y, b, &b_len, in, len) == 1 && a_len == b_len &&
				memcmp(a, b, a_len) == 0;
		b_len = OUT_MAX;
		ok = ok && EVP_PKEY_verify_recover_init(x) == 1 &&
				EVP_PKEY_CTX_set_rsa_padding(x, padding) == 1 &&
				(i != 1 || EVP_PKEY_CTX_set_signature_md(x, EVP_sha256()) == 1) &&
				EVP_PKEY_verify_recover(x, b, &b_len, a, a_len) == 1 &&
				b_len == len && memcmp(b, in, len) == 0;
		EVP_PKEY_CTX_free(x);
		EVP_PKEY_CTX_free(y);
	}
	return ok;
}

static const uint8_t *
write_number(uint8_t **to, const BIGNUM *n, bool extra)
{
	uint8_t *at = *to;
	int len = BN_num_bytes(n), zero = BN_num_bits(n) % 8 == 0 && !BN_is_negative(n);

	at[0] = 2;
	at[1] = (uint8_t)(len + zero + extra);
	memset(at + 2, 0, zero + extra);
	BN_bn2bin(n, at + 2 + zero + extra);
	if (BN_is_negative(n))
		at[2 + extra] |= 0x80;
	*to = at + 2 + len + zero + extra;
	return at;
}

/* Signatures of ECDSA whose numbers or DER are wrong get the verdict of the default provider: zero,
 * negative, the order, beyond the order, and zeros in front.
 */
static bool
wrong_signatures(unsigned int seed)
{
	struct how how = { .digest = "SHA256" };
	bool ok = true;

	for (size_t i = 0; i < PAIRS && ok; i++) {
		const struct pair *p = &pairs[i];
		uint8_t text[32], sig[OUT_MAX], der[OUT_MAX];
		const unsigned char *at = sig;
		size_t len = OUT_MAX;
		BIGNUM *order = NULL, *n[5];
		ECDSA_SIG *pair;

		if (p->rsa)
			continue;
		draw_bytes(&seed, text, sizeof(text));
		ok = sign_text(sw_ctx, p->sw, &how, text, sizeof(text), sig, &len) &&
				EVP_PKEY_get_bn_param(p->sw, OSSL_PKEY_PARAM_EC_ORDER, &order) == 1;
		pair = d2i_ECDSA_SIG(NULL, &at, (long)len);
		for (int j = 0; j < 5; j++)
			n[j] = BN_dup(ECDSA_SIG_get0_r(pair));
		BN_zero(n[1]);
		BN_copy(n[2], order);
		BN_add(n[3], n[3], order);
		BN_set_negative(n[4], 1);
		for (int j = 0; j < 9 && ok; j++) {
			uint8_t *to = der + 3;
			size_t body;
			int hw, sw;

			write_number(&to, n[j % 5], j >= 5);
			write_number(&to, ECDSA_SIG_get0_s(pair), false);
			body = to - der - 3;
			der[0] = 0x30;
			der[1] = 0x81;
			der[2] = (uint8_t)body;
			if (body < 128)
				memmove(der + 1, der + 2, body + 1);
			len = body + (body < 128 ? 2 : 3);
			hw = verify_text(hw_ctx, p->hw, &how, text, sizeof(text), der, len);
			sw = verify_text(sw_ctx, p->sw, &how, text, sizeof(text), der, len);
			ok = hw == sw && (hw == 1) == (j == 0);
			if (!ok)
				printf("# %s, form %d: %d and %d\n", p->kind, j, hw, sw);
		}
		for (int j = 0; j < 5; j++)
			BN_free(n[j]);
		BN_free(order);
		ECDSA_SIG_free(pair);
	}
	return ok;
}

/* Contexts that are copied in the middle of a text, and used again. Their digest stays as it is. */
static bool
copies(unsigned int seed)
{
	bool ok = true;

	for (size_t i = 0; i < PAIRS && ok; i++) {
		const struct pair *p = &pairs[i];
		EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
		EVP_PKEY_CTX *pctx;
		struct how how = { .digest = "SHA256", .padding = p->rsa ? RSA_PKCS1_PADDING : 0 };
		uint8_t text[100], sig[OUT_MAX];
		size_t len = OUT_MAX;

		draw_bytes(&seed, text, sizeof(text));
		ok = EVP_DigestSignInit_ex(ctx, &pctx, "SHA256", hw_ctx, NULL, p->hw, NULL) == 1 &&
				EVP_PKEY_CTX_set_signature_md(pctx, EVP_sha512()) != 1 &&
				EVP_PKEY_CTX_set_signature_md(pctx, EVP_sha256()) == 1 &&
				EVP_DigestSignUpdate(ctx, text, 50) == 1 &&
				EVP_MD_CTX_copy_ex(copy, ctx) == 1 &&
				EVP_DigestSignUpdate(copy, text + 50, 50) == 1 &&
				EVP_DigestSignFinal(copy, NULL, &len) == 1 && len <= OUT_MAX &&
				EVP_DigestSignFinal(copy, sig, &len) == 1 &&
				verify_text(sw_ctx, p->sw, &how, text, 100, sig, len) == 1;
		EVP_MD_CTX_free(ctx);
		EVP_MD_CTX_free(copy);
	}
	return ok;
}

/* What EVP offers for keys: copies, comparisons, checks, parameters, public keys alone. */
static bool
whole_keys(void)
{
	bool ok = true;

	for (size_t i = 0; i < PAIRS && ok; i++) {
		const struct pair *p = &pairs[i], *other = &pairs[(i + 1) % PAIRS];
		EVP_PKEY *copy = EVP_PKEY_dup(p->hw), *public = carry_over(p->sw, true, hw_ctx);
		EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(hw_ctx, p->hw, NULL);
		EVP_PKEY_CTX *half = EVP_PKEY_CTX_new_from_pkey(hw_ctx, public, NULL);
		BIGNUM *number = NULL;
		const char *secret = p->rsa ? "d" : "priv";

		ok = copy != NULL && public != NULL && EVP_PKEY_eq(copy, p->hw) == 1 &&
				EVP_PKEY_eq(public, p->hw) == 1 &&
				EVP_PKEY_eq(other->hw, p->hw) != 1 && EVP_PKEY_check(ctx) == 1 &&
				EVP_PKEY_public_check(half) == 1 &&
				EVP_PKEY_private_check(ctx) == 1 &&
				EVP_PKEY_get_bits(p->hw) == EVP_PKEY_get_bits(p->sw) &&
				EVP_PKEY_get_size(p->hw) == EVP_PKEY_get_size(p->sw) &&
				EVP_PKEY_get_base_id(p->hw) == EVP_PKEY_get_base_id(p->sw) &&
				EVP_PKEY_get_bn_param(public, secret, &number) != 1;
		if (!ok)
			printf("# the key %s\n", p->kind);
		BN_free(number);
		EVP_PKEY_CTX_free(ctx);
		EVP_PKEY_CTX_free(half);
		EVP_PKEY_free(copy);
		EVP_PKEY_free(public);
	}
	return ok;
}

/* A point that is not on the curve is no key. */
static bool
wrong_point(void)
{
	unsigned char *point = NULL;
	EVP_PKEY *peer = EVP_PKEY_new();
	size_t len = EVP_PKEY_get1_encoded_public_key(pairs[CURVES].sw, &point);
	bool ok;

	point[len - 1] ^= 1;
	ok = EVP_PKEY_copy_parameters(peer, pairs[CURVES].hw) == 1 &&
			EVP_PKEY_set1_encoded_public_key(peer, point, len) != 1;
	OPENSSL_free(point);
	EVP_PKEY_free(peer);
	return ok;
}

static void *
thread_main(void *arg)
{
	return many((unsigned int)(uintptr_t)arg, 1) ? arg : NULL;
}

/* Threads that share keys. */
static bool
threads(unsigned int seed)
{
	pthread_t ids[8];
	bool ok = true;
	void *value;

	for (size_t i = 0; i < 8; i++)
		pthread_create(&ids[i], NULL, thread_main, (void *)(uintptr_t)(seed + 1 + i));
	for (size_t i = 0; i < 8; i++) {
		pthread_join(ids[i], &value);
		ok = ok && value != NULL;
	}
	return ok;
}

#ifndef ACCEL_SANITIZED
static int
job_main(void *arg)
{
	unsigned int *seed = arg;
	bool ok = true;

	for (size_t i = 0; i < PAIRS && ok; i++)
		ok = one(&pairs[i], seed);
	return ok;
}
#endif

/* A child of this process, which has the device, uses the keys and frees them. */
static bool
forks(unsigned int seed)
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0) {
		bool ok = many(seed, 1);

		for (size_t i = 0; i < PAIRS; i++)
			EVP_PKEY_free(pairs[i].hw);
		_exit(ok ? 0 : 1);
	}
	return waitpid(pid, &status, 0) == pid && status == 0 && many(seed, 1);
}

/* A text to look for, and whether it was found. */
struct search {
	uint8_t text[OUT_MAX];
	size_t len;
	unsigned int found;
};

static void
look(struct rte_mempool *pool, void *arg, void *object, unsigned int index)
{
	struct search *s = arg;

	(void)index;
	s->found += memmem(object, pool->elt_size, s->text, s->len) != NULL;
}

/* Jobs that are done have neither keys nor secrets nor texts. */
static bool
wiped(unsigned int seed)
{
	struct rte_mempool *pool = rte_mempool_lookup("ossl_cryptodev_jobs");
	struct search key = { .len = 32 }, secret = { .len = 0 }, text = { .len = 64 };
	BIGNUM *d = NULL;
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(hw_ctx, "AES-128-CTR", "provider=cryptodev");
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t *plain = malloc(16384), *out = malloc(16384);
	bool ok;
	int done;

	draw_bytes(&seed, plain, 16384);
	memcpy(text.text, plain + 16384 - 64, 64);
	ok = pool != NULL &&
			EVP_PKEY_get_bn_param(pairs[CURVES].sw, OSSL_PKEY_PARAM_PRIV_KEY, &d) ==
					1 &&
			BN_bn2binpad(d, key.text, 32) == 32 &&
			signatures_agree(&pairs[CURVES], &seed) &&
			derive(hw_ctx, pairs[CURVES].hw, pairs[CURVES].hw, false, secret.text,
					&secret.len) &&
			EVP_EncryptInit_ex2(ctx, cipher, plain + 1, plain, NULL) == 1 &&
			EVP_EncryptUpdate(ctx, out, &done, plain, 16384) == 1 &&
			EVP_DecryptInit_ex2(ctx, cipher, plain, plain, NULL) == 1 &&
			EVP_DecryptUpdate(ctx, out, &done, out, 16384) == 1;
	if (ok) {
		rte_mempool_obj_iter(pool, look, &key);
		rte_mempool_obj_iter(pool, look, &secret);
		rte_mempool_obj_iter(pool, look, &text);
		memcpy(text.text, out + 16384 - 64, 64);
		rte_mempool_obj_iter(pool, look, &text);
		ok = key.found + secret.found + text.found == 0;
	}
	if (!ok)
		printf("# jobs with keys %u, secrets %u, texts %u\n", key.found, secret.found,
				text.found);
	EVP_CIPHER_CTX_free(ctx);
	EVP_CIPHER_free(cipher);
	BN_free(d);
	free(plain);
	free(out);
	return ok;
}

/* Makes the results of RSA's private key wrong, as a device with a defect does. */
static uint16_t
spoil(uint16_t dev, uint16_t qp, struct rte_crypto_op **ops, uint16_t nb, void *arg)
{
	(void)dev;
	(void)qp;
	(void)arg;
	for (uint16_t i = 0; i < nb; i++) {
		if (ops[i]->asym->rsa.op_type == RTE_CRYPTO_ASYM_OP_SIGN)
			ops[i]->asym->rsa.sign.data[20] ^= 1;
		else if (ops[i]->asym->rsa.op_type == RTE_CRYPTO_ASYM_OP_DECRYPT)
			ops[i]->asym->rsa.message.data[20] ^= 1;
	}
	return nb;
}

/* Nobody gets a wrong result of RSA's private key. The default provider does it again. */
static bool
wrong_results(unsigned int seed)
{
	struct rte_cryptodev_cb *callbacks[256] = { NULL };
	uint16_t nb = rte_cryptodev_queue_pair_count(0);
	bool ok = nb <= 256;

	for (uint16_t i = 0; i < nb && ok; i++) {
		callbacks[i] = rte_cryptodev_add_deq_callback(0, i, spoil, NULL);
		ok = callbacks[i] != NULL;
	}
	for (int i = 0; i < 8 && ok; i++)
		ok = signatures_agree(&pairs[1], &seed) && encryption_agrees(&pairs[1], &seed);
	ok = ok && counter("RSA-sign", " wrong=") == 8 && counter("RSA-decrypt", " wrong=") > 0;
	for (uint16_t i = 0; i < nb && i < 256; i++)
		if (callbacks[i] != NULL)
			rte_cryptodev_remove_deq_callback(0, i, callbacks[i]);
	return ok;
}

/* True if the device did operations of each kind from `first` on, or of none. */
static bool
on_device(size_t first, size_t last, bool any)
{
	bool ok = true;

	for (size_t i = first; i < last; i++) {
		unsigned long nb = counter(operations[i], " operations=");

		if ((nb != 0) == any)
			continue;
		printf("# %lu operations of %s on the device\n", nb, operations[i]);
		ok = false;
	}
	return ok;
}

/* Checks what the counters say, as the mode expects it. */
/* Draws from the random source, and seeds the generators of a library context with it. Bytes that
 * are even have the chi-square of 256 values within 6 standard deviations of its mean, 255.
 */
static bool
random_source(void)
{
	enum {
		BYTES = 65536
	};
	static uint8_t drawn[BYTES], again[BYTES];
	unsigned long seen[256] = { 0 }, before;
	EVP_RAND *source = EVP_RAND_fetch(hw_ctx, "CRYPTODEV-SEED", NULL);
	EVP_RAND_CTX *ctx = source != NULL ? EVP_RAND_CTX_new(source, NULL) : NULL;
	OSSL_LIB_CTX *seeded = OSSL_LIB_CTX_new();
	OSSL_PROVIDER *both[] = { OSSL_PROVIDER_load(seeded, "cryptodev"),
		OSSL_PROVIDER_load(seeded, "default") };
	double chi = 0;
	bool ok;

	ok = ctx != NULL && EVP_RAND_generate(ctx, drawn, 64, 0, 0, NULL, 0) != 1 &&
			EVP_RAND_instantiate(ctx, 0, 0, NULL, 0, NULL) == 1 &&
			EVP_RAND_generate(ctx, drawn, BYTES, 256, 0, NULL, 0) == 1 &&
			EVP_RAND_generate(ctx, again, BYTES, 256, 0, NULL, 0) == 1 &&
			memcmp(drawn, again, BYTES) != 0 &&
			EVP_RAND_generate(ctx, drawn, 64, 257, 0, NULL, 0) != 1;
	for (int i = 0; i < BYTES; i++)
		seen[drawn[i]]++;
	for (int i = 0; i < 256; i++)
		chi += (seen[i] - BYTES / 256.) * (seen[i] - BYTES / 256.) / (BYTES / 256.);
	printf("# chi-square of %d bytes: %.1f\n", BYTES, chi);
	before = counter("random", " operations=") + counter("random", " fallbacks=");
	ok = ok && chi > 255 - 6 * 22.6 && chi < 255 + 6 * 22.6 && both[0] != NULL &&
			RAND_set_seed_source_type(seeded, "CRYPTODEV-SEED", NULL) == 1 &&
			RAND_bytes_ex(seeded, again, BYTES, 0) == 1 &&
			counter("random", " operations=") + counter("random", " fallbacks=") >
					before;
	EVP_RAND_CTX_free(ctx);
	EVP_RAND_free(source);
	OSSL_PROVIDER_unload(both[0]);
	OSSL_PROVIDER_unload(both[1]);
	OSSL_LIB_CTX_free(seeded);
	return ok;
}

static void
check_counters(const char *mode)
{
	if (strcmp(mode, "device") == 0) {
		check(on_device(0, OPERATIONS, true), "the device did each operation");
		check(counter("RSA-decrypt", " padding=") > 0,
				"PKCS#1 v1.5 is decrypted by the default provider");
		check(counter("ECDSA-verify", " mismatch=") > 0 && counter(NULL, " failed=") == 0,
				"wrong signatures, and no failures");
	} else if (strcmp(mode, "rsa") == 0) {
		check(on_device(0, RSA_OPERATIONS, true) &&
						on_device(RSA_OPERATIONS, OPERATIONS, false) &&
						counter("ECDSA-sign", " unsupported=") > 0,
				"the device did RSA");
	} else if (strcmp(mode, "faults") == 0) {
		check(counter(NULL, " operations=") > 0, "the device did some operations");
		check(counter(NULL, " failed=") + counter(NULL, " lost=") > 0,
				"it failed in others");
	} else if (strcmp(mode, "any") == 0) {
		check(counter(NULL, " operations=") > 0 && counter(NULL, " slow=") > 0,
				"the device did some operations, and the CPU some");
	} else {
		check(on_device(0, OPERATIONS, false), "no operation on a device");
	}
}

int
main(int argc, char **argv)
{
	unsigned int seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	__attribute__((unused)) unsigned int paused = 0;
	const char *mode = argc > 1 ? argv[1] : "";
	bool device = strcmp(mode, "device") == 0;

	printf("# seed %u\n", seed);
	if (argc > 3)
		rounds = atoi(argv[3]);
	if (!start() || !make_keys()) {
		check(false, "the provider has keys");
		return end();
	}
	check(many(seed, rounds), "random operations");
	check(raw(seed), "raw signatures");
	check(copies(seed), "copies of contexts");
	check(whole_keys(), "keys as EVP wants them");
	check(wrong_signatures(seed), "wrong signatures");
	check(wrong_point(), "a point that is not on the curve");
	check(threads(seed), "threads");
	check(random_source(), "the random source");
#ifndef ACCEL_SANITIZED /* AddressSanitizer does not follow the stacks of jobs */
	check(jobs(job_main, seed + 100, false, &paused) && (!device || paused > 32),
			"asynchronous jobs");
#endif
	check(forks(seed + 200), "a forked child");
	if (device) {
		check(counter(NULL, " wrong=") == 0, "no wrong result of RSA's private key");
		check(wrong_results(seed + 400), "wrong results of RSA's private key");
		check(wiped(seed + 300), "jobs are wiped");
	}
	check_counters(mode);
	for (size_t i = 0; i < PAIRS; i++) {
		EVP_PKEY_free(pairs[i].hw);
		EVP_PKEY_free(pairs[i].sw);
	}
	return end();
}
