/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Lists the algorithms of the test, and finds which of their sizes a device's capabilities allow. A
 * test uses nothing that the device does not list.
 */

#include "e2e_op.h"

#define CIPHER(x) RTE_CRYPTO_CIPHER_##x
#define AUTH(x) RTE_CRYPTO_AUTH_##x
#define AEAD(x) RTE_CRYPTO_AEAD_##x

/* DES runs as 3DES with three equal keys, because OpenSSL 3 has DES only in its legacy provider. */
const struct e2e_cipher_alg e2e_ciphers[] = {
	{ CIPHER(NULL), "null", 1, 0, { 0 }, { NULL } },
	{ CIPHER(AES_CBC), "aes-cbc", 16, 16, { 16, 24, 32 },
	  { "AES-128-CBC", "AES-192-CBC", "AES-256-CBC" } },
	{ CIPHER(AES_CTR), "aes-ctr", 1, 16, { 16, 24, 32 },
	  { "AES-128-CTR", "AES-192-CTR", "AES-256-CTR" }, .short_iv = 12 },
	{ CIPHER(AES_ECB), "aes-ecb", 16, 0, { 16, 24, 32 },
	  { "AES-128-ECB", "AES-192-ECB", "AES-256-ECB" } },
	{ CIPHER(AES_XTS), "aes-xts", 16, 16, { 32, 64 }, { "AES-128-XTS", "AES-256-XTS" } },
	{ CIPHER(DES_CBC), "des-cbc", 8, 8, { 8 }, { "DES-EDE3-CBC" }, .des = true },
	{ CIPHER(3DES_CBC), "3des-cbc", 8, 8, { 16, 24 }, { "DES-EDE3-CBC", "DES-EDE3-CBC" },
	  .des = true },
	{ CIPHER(3DES_ECB), "3des-ecb", 8, 0, { 16, 24 }, { "DES-EDE3-ECB", "DES-EDE3-ECB" },
	  .des = true },
	{ CIPHER(3DES_CTR), "3des-ctr", 1, 8, { 16, 24 }, { "DES-EDE3-ECB", "DES-EDE3-ECB" },
	  E2E_REF_CTR, .des = true },
	{ CIPHER(AES_DOCSISBPI), "aes-docsis-bpi", 1, 16, { 16, 32 },
	  { "AES-128-ECB", "AES-256-ECB" }, E2E_REF_DOCSIS },
	{ CIPHER(DES_DOCSISBPI), "des-docsis-bpi", 1, 8, { 8 }, { "DES-EDE3-ECB" },
	  E2E_REF_DOCSIS, .des = true },
	{ CIPHER(SNOW3G_UEA2), "snow3g-uea2", 1, 16, { 16 }, { NULL }, E2E_REF_WIRELESS },
	{ CIPHER(KASUMI_F8), "kasumi-f8", 1, 8, { 16 }, { NULL }, E2E_REF_WIRELESS, .max = 2500 },
	{ CIPHER(ZUC_EEA3), "zuc-eea3", 1, 16, { 16, 32 }, { NULL }, E2E_REF_WIRELESS,
	  .long_iv = 25 },
	{ CIPHER(SM4_ECB), "sm4-ecb", 16, 0, { 16 }, { "SM4-ECB" } },
	{ CIPHER(SM4_CBC), "sm4-cbc", 16, 16, { 16 }, { "SM4-CBC" } },
	{ CIPHER(SM4_CTR), "sm4-ctr", 1, 16, { 16 }, { "SM4-CTR" } },
};

#define HASH(id, name, evp, digest) { AUTH(id), name, evp, digest, E2E_REF_EVP, { 0 } }
#define HMAC(id, name, evp, digest, block)                                             \
	{ AUTH(id##_HMAC), name "-hmac", evp, digest, E2E_REF_HMAC, { block } }

const struct e2e_auth_alg e2e_auths[] = {
	{ AUTH(NULL), "null", NULL, 0, E2E_REF_EVP, { 0 } },
	HASH(MD5, "md5", "MD5", 16),
	HMAC(MD5, "md5", "MD5", 16, 64),
	HASH(SHA1, "sha1", "SHA1", 20),
	HMAC(SHA1, "sha1", "SHA1", 20, 64),
	HASH(SHA224, "sha224", "SHA224", 28),
	HMAC(SHA224, "sha224", "SHA224", 28, 64),
	HASH(SHA256, "sha256", "SHA256", 32),
	HMAC(SHA256, "sha256", "SHA256", 32, 64),
	HASH(SHA384, "sha384", "SHA384", 48),
	HMAC(SHA384, "sha384", "SHA384", 48, 128),
	HASH(SHA512, "sha512", "SHA512", 64),
	HMAC(SHA512, "sha512", "SHA512", 64, 128),
	HASH(SHA3_224, "sha3-224", "SHA3-224", 28),
	HMAC(SHA3_224, "sha3-224", "SHA3-224", 28, 144),
	HASH(SHA3_256, "sha3-256", "SHA3-256", 32),
	HMAC(SHA3_256, "sha3-256", "SHA3-256", 32, 136),
	HASH(SHA3_384, "sha3-384", "SHA3-384", 48),
	HMAC(SHA3_384, "sha3-384", "SHA3-384", 48, 104),
	HASH(SHA3_512, "sha3-512", "SHA3-512", 64),
	HMAC(SHA3_512, "sha3-512", "SHA3-512", 64, 72),
	HASH(SM3, "sm3", "SM3", 32),
	{ AUTH(AES_XCBC_MAC), "aes-xcbc-mac", NULL, 16, E2E_REF_XCBC, { 16 } },
	{ AUTH(AES_CMAC), "aes-cmac", NULL, 16, E2E_REF_CMAC, { 16, 24, 32 } },
	{ AUTH(SNOW3G_UIA2), "snow3g-uia2", NULL, 4, E2E_REF_WIRELESS, { 16 }, 16, .min = 1 },
	{ AUTH(KASUMI_F9), "kasumi-f9", NULL, 4, E2E_REF_WIRELESS, { 16 }, .min = 9, .max = 2500 },
	{ AUTH(ZUC_EIA3), "zuc-eia3", NULL, 4, E2E_REF_WIRELESS, { 16, 32 }, 16, 25, .min = 1 },
	{ AUTH(AES_GMAC), "aes-gmac", NULL, 16, E2E_REF_GMAC, { 16, 24, 32 } },
};

const struct e2e_aead_alg e2e_aeads[] = {
	{ AEAD(AES_GCM), "aes-gcm", { 16, 24, 32 },
	  { "AES-128-GCM", "AES-192-GCM", "AES-256-GCM" } },
	{ AEAD(AES_CCM), "aes-ccm", { 16, 24, 32 },
	  { "AES-128-CCM", "AES-192-CCM", "AES-256-CCM" } },
	{ AEAD(CHACHA20_POLY1305), "chacha20-poly1305", { 32 }, { "ChaCha20-Poly1305" } },
};

const unsigned int e2e_nb_ciphers = RTE_DIM(e2e_ciphers);
const unsigned int e2e_nb_auths = RTE_DIM(e2e_auths);
const unsigned int e2e_nb_aeads = RTE_DIM(e2e_aeads);

const char *
e2e_alg_name(enum rte_crypto_sym_xform_type type, int algo)
{
	unsigned int i;

	for (i = 0; type == RTE_CRYPTO_SYM_XFORM_CIPHER && i < e2e_nb_ciphers; i++) {
		if ((int)e2e_ciphers[i].algo == algo)
			return e2e_ciphers[i].name;
	}
	for (i = 0; type == RTE_CRYPTO_SYM_XFORM_AUTH && i < e2e_nb_auths; i++) {
		if ((int)e2e_auths[i].algo == algo)
			return e2e_auths[i].name;
	}
	for (i = 0; type == RTE_CRYPTO_SYM_XFORM_AEAD && i < e2e_nb_aeads; i++) {
		if ((int)e2e_aeads[i].algo == algo)
			return e2e_aeads[i].name;
	}
	return NULL;
}

const struct rte_cryptodev_symmetric_capability *
e2e_cap(const struct e2e *t, enum rte_crypto_sym_xform_type type, int algo)
{
	struct rte_cryptodev_sym_capability_idx idx = { .type = type };

	if (type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		idx.algo.cipher = algo;
	else if (type == RTE_CRYPTO_SYM_XFORM_AUTH)
		idx.algo.auth = algo;
	else
		idx.algo.aead = algo;
	return rte_cryptodev_sym_capability_get(t->dev, &idx);
}

static bool
cipher_supported(const struct e2e *t, const struct e2e_spec *s)
{
	const struct rte_cryptodev_symmetric_capability *c =
		e2e_cap(t, RTE_CRYPTO_SYM_XFORM_CIPHER, s->cipher->algo);

	return c != NULL &&
	       rte_cryptodev_sym_capability_check_cipher(c, s->key_len, s->iv_len) == 0;
}

static bool
auth_supported(const struct e2e *t, const struct e2e_spec *s)
{
	const struct rte_cryptodev_symmetric_capability *c =
		e2e_cap(t, RTE_CRYPTO_SYM_XFORM_AUTH, s->auth->algo);

	return c != NULL && rte_cryptodev_sym_capability_check_auth(c, s->auth_key_len,
			s->digest_len, s->auth_iv_len) == 0;
}

static bool
aead_supported(const struct e2e *t, const struct e2e_spec *s)
{
	const struct rte_cryptodev_symmetric_capability *c =
		e2e_cap(t, RTE_CRYPTO_SYM_XFORM_AEAD, s->aead->algo);

	return c != NULL && rte_cryptodev_sym_capability_check_aead(c, s->key_len, s->digest_len,
			s->aad_len, s->iv_len) == 0;
}

bool
e2e_spec_supported(const struct e2e *t, const struct e2e_spec *s)
{
	if (s->aead != NULL)
		return aead_supported(t, s);
	if (s->cipher != NULL && s->auth != NULL &&
			!(t->info.feature_flags & RTE_CRYPTODEV_FF_SYM_OPERATION_CHAINING))
		return false;
	return (s->cipher == NULL || cipher_supported(t, s)) &&
	       (s->auth == NULL || auth_supported(t, s));
}

/* Picks a random value of a capability's range within [lo, hi]. Returns false if the range has no
 * such value. */
static bool
pick(struct e2e_rng *r, const struct rte_crypto_param_range *p, uint32_t lo, uint32_t hi,
     uint16_t *v)
{
	uint32_t first = p->min, last = RTE_MIN(hi, (uint32_t)p->max), steps;

	if (p->increment == 0) {
		*v = p->min;
		return p->min >= lo && p->min <= hi;
	}
	if (first < lo)
		first += RTE_ALIGN_MUL_CEIL(lo - first, (uint32_t)p->increment);
	if (first > last)
		return false;
	steps = (last - first) / p->increment;
	*v = first + e2e_range(r, 0, steps) * p->increment;
	return true;
}

/* Picks at random one of the key lengths that the capability allows. A 0 ends the list. Returns
 * false if the capability allows none. */
static bool
pick_key(struct e2e_rng *r, const uint16_t keys[3], const struct rte_crypto_param_range *p,
	 uint16_t *v)
{
	unsigned int i, n = 0;
	uint16_t ok[3];

	for (i = 0; i < 3; i++) {
		if (i > 0 && keys[i] == 0)
			break;
		if (keys[i] < p->min || keys[i] > p->max)
			continue;
		if (keys[i] != p->min && (p->increment == 0 || (keys[i] - p->min) % p->increment))
			continue;
		ok[n++] = keys[i];
	}
	if (n == 0)
		return false;
	*v = ok[e2e_range(r, 0, n - 1)];
	return true;
}

static bool
random_cipher(struct e2e *t, struct e2e_spec *s)
{
	const struct rte_cryptodev_symmetric_capability *c =
		e2e_cap(t, RTE_CRYPTO_SYM_XFORM_CIPHER, s->cipher->algo);

	if (c == NULL || !pick_key(&t->rng, s->cipher->keys, &c->cipher.key_size, &s->key_len))
		return false;
	s->iv_named = 0;
	s->iv_len = s->cipher->iv_len;
	if (s->cipher->long_iv != 0 && s->key_len == s->cipher->keys[1])
		s->iv_len = s->cipher->long_iv;
	if (s->cipher->short_iv != 0 && e2e_chance(&t->rng, 4)) {
		s->iv_len = s->cipher->short_iv;
		if (cipher_supported(t, s)) {
			if (strcmp(t->driver, "crypto_accel") == 0 && e2e_chance(&t->rng, 2))
				s->iv_named = 8;
			return true;
		}
		s->iv_len = s->cipher->iv_len;
	}
	return cipher_supported(t, s);
}

static bool
random_auth(struct e2e *t, struct e2e_spec *s)
{
	const struct rte_cryptodev_symmetric_capability *c =
		e2e_cap(t, RTE_CRYPTO_SYM_XFORM_AUTH, s->auth->algo);
	struct e2e_rng *r = &t->rng;

	if (c == NULL)
		return false;
	s->auth_iv_len = 0;
	s->auth_key_len = 0;
	if (s->auth->ref == E2E_REF_HMAC) {
		if (!pick(r, &c->auth.key_size, 1, s->auth->keys[0], &s->auth_key_len))
			return false;
	} else if (!pick_key(r, s->auth->keys, &c->auth.key_size, &s->auth_key_len)) {
		return false;
	}
	if (s->auth->ref == E2E_REF_GMAC && !pick(r, &c->auth.iv_size, 1, 16, &s->auth_iv_len))
		return false;
	if (s->auth->iv_len != 0)
		s->auth_iv_len = s->auth->iv_len;
	if (s->auth->long_iv != 0 && s->auth_key_len == s->auth->keys[1])
		s->auth_iv_len = s->auth->long_iv;
	/* The digest has its full length half of the time, because truncation is the special
	 * case. */
	s->digest_len = s->auth->digest;
	if (e2e_chance(r, 2) || !auth_supported(t, s)) {
		if (!pick(r, &c->auth.digest_size, s->auth->digest > 0, s->auth->digest,
				&s->digest_len))
			return false;
	}
	/* ZUC-256 has three MACs. A range cannot express that 12 bytes are missing. */
	if (s->auth->algo == RTE_CRYPTO_AUTH_ZUC_EIA3 && s->auth_key_len == 32 &&
			c->auth.digest_size.max >= 16)
		s->digest_len = 4 << e2e_range(r, 0, 2);
	return auth_supported(t, s);
}

static bool
random_aead(struct e2e *t, struct e2e_spec *s)
{
	static const uint16_t aads[] = { 0, 8, 12, 20, 64 };
	const struct rte_cryptodev_symmetric_capability *c =
		e2e_cap(t, RTE_CRYPTO_SYM_XFORM_AEAD, s->aead->algo);
	struct e2e_rng *r = &t->rng;
	unsigned int i;

	if (c == NULL || !pick_key(r, s->aead->keys, &c->aead.key_size, &s->key_len) ||
			!pick(r, &c->aead.digest_size, 1, 16, &s->digest_len) ||
			!pick(r, &c->aead.iv_size, 0, 16, &s->iv_len))
		return false;
	i = e2e_range(r, 0, RTE_DIM(aads) + 2);
	if (i < RTE_DIM(aads)) {
		s->aad_len = aads[i];
		if (aead_supported(t, s))
			return true;
	}
	return pick(r, &c->aead.aad_size, 0, i == RTE_DIM(aads) ? E2E_MAX_AAD : 100, &s->aad_len) &&
	       aead_supported(t, s);
}

/* True if the spec has two IVs, and the longer one leaves no room for the other. */
static bool
has_long_ivs(const struct e2e_spec *s)
{
	return s->cipher != NULL && s->auth != NULL && s->iv_len != 0 && s->auth_iv_len != 0 &&
	       (s->iv_len > 16 || s->auth_iv_len > 16);
}

/* True unless the device refuses the session. No capability says whether a device takes two long
 * IVs, chains both orders, or has all sizes within a range. A device that lacks one of these must
 * refuse the session. */
static bool
not_refused(struct e2e *t, const struct e2e_spec *s)
{
	struct e2e_session *ses;

	if (!t->partial && !has_long_ivs(s))
		return true;
	ses = e2e_session_open(t, t->dev, s);
	if (ses == NULL)
		return rte_errno != ENOTSUP;
	e2e_session_close(ses);
	return true;
}

bool
e2e_spec_random(struct e2e *t, struct e2e_spec *s)
{
	struct e2e_rng *r = &t->rng;
	bool ok = true;

	if (s->cipher != NULL)
		ok = ok && random_cipher(t, s);
	if (s->auth != NULL)
		ok = ok && random_auth(t, s);
	if (s->aead != NULL) {
		ok = ok && random_aead(t, s);
		s->generate = s->encrypt;
	}
	if (!ok || !e2e_spec_supported(t, s))
		return false;
	e2e_bytes(r, s->key, sizeof(s->key));
	e2e_bytes(r, s->auth_key, sizeof(s->auth_key));
	/* Each IV gets at least 16 bytes, whatever its length. Any alignment is allowed. */
	s->iv_off = E2E_PRIV_OFF + e2e_range(r, 0, 56);
	s->auth_iv_off = E2E_PRIV_OFF + e2e_range(r, 88, 88 + 40);
	return not_refused(t, s);
}

const char *
e2e_spec_name(const struct e2e_spec *s)
{
	static char buf[160];
	char c[64] = "", a[64] = "";

	if (s->aead != NULL) {
		snprintf(buf, sizeof(buf), "%s-%u %s iv %u tag %u aad %u", s->aead->name,
			 s->key_len * 8, s->encrypt ? "encrypt" : "decrypt", s->iv_len,
			 s->digest_len, s->aad_len);
		return buf;
	}
	if (s->cipher != NULL)
		snprintf(c, sizeof(c), "%s-%u %s", s->cipher->name, s->key_len * 8,
			 s->encrypt ? "encrypt" : "decrypt");
	if (s->auth != NULL)
		snprintf(a, sizeof(a), "%s key %u digest %u %s", s->auth->name, s->auth_key_len,
			 s->digest_len, s->generate ? "generate" : "verify");
	if (s->cipher != NULL && s->auth != NULL)
		snprintf(buf, sizeof(buf), "%s, then %s", s->auth_first ? a : c,
			 s->auth_first ? c : a);
	else
		snprintf(buf, sizeof(buf), "%s", s->cipher != NULL ? c : a);
	return buf;
}

bool
e2e_spec_simple(struct e2e *t, struct e2e_spec *s)
{
	static const unsigned int order[] = { 1, 2, 0, 3, 5, 6 };
	unsigned int i;

	for (i = 0; i < RTE_DIM(order); i++) {
		memset(s, 0, sizeof(*s));
		s->cipher = &e2e_ciphers[order[i]];
		s->encrypt = true;
		if (e2e_spec_random(t, s))
			return true;
	}
	return false;
}

bool
e2e_spec_simple_auth(struct e2e *t, struct e2e_spec *s, bool generate)
{
	unsigned int i;

	for (i = 1; i < e2e_nb_auths; i++) {
		memset(s, 0, sizeof(*s));
		s->auth = &e2e_auths[(i + 3) % e2e_nb_auths];
		s->generate = generate;
		if (s->auth->digest > 0 && e2e_spec_random(t, s))
			return true;
	}
	return false;
}

bool
e2e_spec_simple_aead(struct e2e *t, struct e2e_spec *s, bool encrypt)
{
	unsigned int i;

	for (i = 0; i < e2e_nb_aeads; i++) {
		memset(s, 0, sizeof(*s));
		s->aead = &e2e_aeads[i];
		s->encrypt = encrypt;
		if (e2e_spec_random(t, s))
			return true;
	}
	return false;
}
