/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The table of algorithms that this driver can encode, and the capabilities that it offers: those
 * that the table and the card's device tree have in common. A new algorithm is a new row.
 */

#include <limits.h>
#include <string.h>

#include <rte_common.h>
#include <rte_crypto.h>
#include <rte_crypto_sym.h>
#include <rte_cryptodev.h>

#include "accel_capabilities.h"
#include "accel_compat.h"
#include "accel_devtree.h"
#include "accel_logs.h"

#define SIZE(n) { (n), (n), 0 }
#define SIZES(min, max, step) { (min), (max), (step) }

/*
 * Each row has the algorithm's name, block, sizes and rules. CIPHER_AS is for a name that differs
 * between rte_cryptodev and the contract.
 */
#define CIPHER(name, block_, key_, iv_, rules_)                                                    \
	{                                                                                          \
		.hw = ACCEL_HW_CIPHER_##name, .class = ACCEL_ALG_CIPHER,                           \
		.rte = RTE_CRYPTO_CIPHER_##name, .block = (block_), .rules = (rules_),             \
		.key = key_, .iv = iv_                                                             \
	}
#define CIPHER_AS(rte_, hw_, block_, key_, iv_, rules_)                                            \
	{                                                                                          \
		.hw = ACCEL_HW_CIPHER_##hw_, .class = ACCEL_ALG_CIPHER,                            \
		.rte = RTE_CRYPTO_CIPHER_##rte_, .block = (block_), .rules = (rules_),             \
		.key = key_, .iv = iv_                                                             \
	}
#define AUTH(name, block_, key_, iv_, digest_, rules_)                                             \
	{                                                                                          \
		.hw = ACCEL_HW_AUTH_##name, .class = ACCEL_ALG_AUTH,                               \
		.rte = RTE_CRYPTO_AUTH_##name, .block = (block_), .rules = (rules_),               \
		.key = key_, .iv = iv_, .digest = digest_                                          \
	}
#define HASH(name, block_, digest_) AUTH(name, block_, SIZE(0), SIZE(0), SIZES(1, digest_, 1), 0)
/* The application hashes longer keys, as rte_crypto_auth_xform demands. */
#define HMAC(name, block_, digest_)                                                                \
	AUTH(name##_HMAC, block_, SIZES(1, block_, 1), SIZE(0), SIZES(1, digest_, 1), 0)
#define AEAD(name, block_, key_, iv_, digest_, rules_)                                             \
	{                                                                                          \
		.hw = ACCEL_HW_AEAD_##name, .class = ACCEL_ALG_AEAD,                               \
		.rte = RTE_CRYPTO_AEAD_##name, .block = (block_), .rules = (rules_),               \
		.key = key_, .iv = iv_, .digest = digest_, .aad = SIZES(0, UINT16_MAX, 1)          \
	}

/*
 * Manual section 8.2. The AEADs and the wireless algorithms take any length. Their block is that of
 * the cipher inside, as other drivers report it.
 */
static const struct accel_alg accel_algs[] = {
	CIPHER(NULL, 1, SIZE(0), SIZE(0), ACCEL_ALG_SIZES_IGNORED),
	CIPHER(AES_CBC, 16, SIZES(16, 32, 8), SIZE(16), 0),
	CIPHER(AES_CTR, 1, SIZES(16, 32, 8), SIZES(12, 16, 4), ACCEL_ALG_NONCE),
	CIPHER(AES_ECB, 16, SIZES(16, 32, 8), SIZE(0), 0),
	CIPHER(AES_XTS, 1, SIZES(32, 64, 32), SIZE(16), ACCEL_ALG_TWO_KEYS),
	CIPHER(DES_CBC, 8, SIZE(8), SIZE(8), 0),
	CIPHER(3DES_CBC, 8, SIZES(8, 24, 8), SIZE(8), 0),
	CIPHER(3DES_ECB, 8, SIZES(8, 24, 8), SIZE(0), 0),
	CIPHER(3DES_CTR, 1, SIZES(8, 24, 8), SIZE(8), 0),
	CIPHER_AS(AES_DOCSISBPI, AES_DOCSIS_BPI, 16, SIZES(16, 32, 16), SIZE(16), 0),
	CIPHER_AS(DES_DOCSISBPI, DES_DOCSIS_BPI, 8, SIZE(8), SIZE(8), 0),
	CIPHER(SNOW3G_UEA2, 16, SIZE(16), SIZE(16), ACCEL_ALG_BITS),
	CIPHER(KASUMI_F8, 8, SIZE(16), SIZE(8), ACCEL_ALG_BITS),
	CIPHER(ZUC_EEA3, 16, SIZES(16, 32, 16), SIZES(16, 25, 9),
	       ACCEL_ALG_IV_BY_KEY | ACCEL_ALG_BITS),
	CIPHER(SM4_ECB, 16, SIZE(16), SIZE(0), 0),
	CIPHER(SM4_CBC, 16, SIZE(16), SIZE(16), 0),
	CIPHER(SM4_CTR, 1, SIZE(16), SIZE(16), 0),
	ACCEL_SINCE_24_11(CIPHER(SM4_CFB, 1, SIZE(16), SIZE(16), 0))
	ACCEL_SINCE_24_11(CIPHER(SM4_OFB, 1, SIZE(16), SIZE(16), 0))
	ACCEL_SINCE_24_11(CIPHER(SM4_XTS, 1, SIZE(32), SIZE(16), ACCEL_ALG_TWO_KEYS))

	AUTH(NULL, 1, SIZE(0), SIZE(0), SIZE(0), ACCEL_ALG_SIZES_IGNORED),
	HASH(MD5, 64, 16),
	HASH(SHA1, 64, 20),
	HASH(SHA224, 64, 28),
	HASH(SHA256, 64, 32),
	HASH(SHA384, 128, 48),
	HASH(SHA512, 128, 64),
	HASH(SHA3_224, 144, 28),
	HASH(SHA3_256, 136, 32),
	HASH(SHA3_384, 104, 48),
	HASH(SHA3_512, 72, 64),
	HASH(SM3, 64, 32),
	ACCEL_SINCE_24_11(HASH(SHAKE_128, 168, 64))
	ACCEL_SINCE_24_11(HASH(SHAKE_256, 136, 64))
	HMAC(MD5, 64, 16),
	HMAC(SHA1, 64, 20),
	HMAC(SHA224, 64, 28),
	HMAC(SHA256, 64, 32),
	HMAC(SHA384, 128, 48),
	HMAC(SHA512, 128, 64),
	HMAC(SHA3_224, 144, 28),
	HMAC(SHA3_256, 136, 32),
	HMAC(SHA3_384, 104, 48),
	HMAC(SHA3_512, 72, 64),
	ACCEL_SINCE_24_11(HMAC(SM3, 64, 32))
	AUTH(AES_GMAC, 16, SIZES(16, 32, 8), SIZES(0, 12, 12), SIZES(1, 16, 1), ACCEL_ALG_ANY_IV),
	AUTH(AES_XCBC_MAC, 16, SIZE(16), SIZE(0), SIZES(1, 16, 1), 0),
	AUTH(AES_CMAC, 16, SIZES(16, 32, 8), SIZE(0), SIZES(1, 16, 1), 0),
	AUTH(SNOW3G_UIA2, 16, SIZE(16), SIZE(16), SIZE(4), ACCEL_ALG_BITS),
	AUTH(KASUMI_F9, 8, SIZE(16), SIZE(0), SIZE(4), ACCEL_ALG_BITS),
	AUTH(ZUC_EIA3, 16, SIZES(16, 32, 16), SIZES(16, 25, 9), SIZES(4, 16, 4),
	     ACCEL_ALG_IV_BY_KEY | ACCEL_ALG_BITS | ACCEL_ALG_MACS),

	AEAD(AES_GCM, 16, SIZES(16, 32, 8), SIZES(0, 12, 12), SIZES(1, 16, 1), ACCEL_ALG_ANY_IV),
	AEAD(AES_CCM, 16, SIZES(16, 32, 8), SIZES(7, 13, 1), SIZES(4, 16, 2), ACCEL_ALG_CCM),
	AEAD(CHACHA20_POLY1305, 64, SIZE(32), SIZE(12), SIZE(16), 0),
	ACCEL_SINCE_25_11(AEAD(SM4_GCM, 16, SIZE(16), SIZES(0, 12, 12), SIZES(1, 16, 1),
			       ACCEL_ALG_ANY_IV))
};

const struct accel_alg *
accel_alg_find(enum accel_alg_class class, int rte)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(accel_algs); i++) {
		if (accel_algs[i].class == class && accel_algs[i].rte == rte)
			return &accel_algs[i];
	}
	return NULL;
}

bool
accel_range_has(const struct accel_range *range, unsigned int size)
{
	if (size < range->min || size > range->max)
		return false;
	return range->step == 0 ? size == range->min : (size - range->min) % range->step == 0;
}

bool
accel_iv_lacks_counter(const struct accel_alg *alg, unsigned int len)
{
	return (alg->rules & ACCEL_ALG_NONCE) &&
	       (len == ACCEL_CTR_NONCE || len == ACCEL_CTR_ESP_IV);
}

unsigned int
accel_hw_iv_len(const struct accel_alg *alg, unsigned int len)
{
	if (((alg->rules & ACCEL_ALG_ANY_IV) && len == 0) || accel_iv_lacks_counter(alg, len))
		return ACCEL_HW_IV_MAX;
	return len;
}

bool
accel_hw_has_digest(const struct accel_dt_alg *hw, unsigned int size)
{
	if (!accel_range_has(&hw->digest, size))
		return false;
	return !hw->digest_listed ||
	       (size >= 1 && size <= ACCEL_HW_DIGEST_MAX && (hw->digests >> (size - 1) & 1) != 0);
}

/* Stands for any size of a key or an IV. */
#define ANY_SIZE UINT_MAX

/* Is there a listed pair with this key and this IV? Without a list all pairs are possible. */
static bool
has_pair(const struct accel_dt_alg *hw, unsigned int key, unsigned int iv)
{
	unsigned int i;

	for (i = 0; hw->key_iv_listed && i < hw->nb_key_iv; i++) {
		if ((key == ANY_SIZE || key == hw->key_iv[i].key) &&
		    (iv == ANY_SIZE || iv == hw->key_iv[i].iv))
			return true;
	}
	return !hw->key_iv_listed;
}

bool
accel_hw_has_key_iv(const struct accel_dt_alg *hw, unsigned int key, unsigned int iv)
{
	return accel_range_has(&hw->key, key) && accel_range_has(&hw->iv, iv) &&
	       has_pair(hw, key, iv);
}

bool
accel_hw_has_chain(const struct accel_devtree *dt, unsigned int cipher, unsigned int auth)
{
	const unsigned int n = auth - ACCEL_DT_AUTH_FIRST;

	if (!dt->chains_listed)
		return true;
	return cipher < ACCEL_DT_CIPHERS && n < ACCEL_DT_AUTHS &&
	       (dt->chains[cipher][n / 64] >> n % 64 & 1) != 0;
}

bool
accel_hw_has_chains(const struct accel_devtree *dt)
{
	unsigned int i, any = !dt->chains_listed;

	for (i = 0; i < ACCEL_DT_CIPHERS; i++)
		any |= dt->chains[i][0] != 0 || dt->chains[i][1] != 0;
	return dt->chain_cipher_auth && dt->chain_auth_cipher && any != 0;
}

static unsigned int
gcd(unsigned int a, unsigned int b)
{
	while (b != 0) {
		const unsigned int rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * Adds a size, above all before it, to a range of rte_cryptodev. The increment is the largest that
 * reaches all of them, so the range may have sizes more, which a session is refused for.
 */
static void
add_size(struct rte_crypto_param_range *range, unsigned int size, unsigned int *found)
{
	if ((*found)++ == 0)
		range->min = (uint16_t)size;
	range->max = (uint16_t)size;
	range->increment = (uint16_t)gcd(range->increment, size - range->min);
}

/* Which sizes of an algorithm a card takes. */
typedef bool (*takes_t)(const struct accel_alg *alg, const struct accel_dt_alg *hw,
			unsigned int size);

static bool
takes_key(const struct accel_alg *alg __rte_unused, const struct accel_dt_alg *hw,
	  unsigned int size)
{
	return accel_range_has(&hw->key, size) && has_pair(hw, size, ANY_SIZE);
}

/* The size is in rte_cryptodev's terms. */
static bool
takes_iv(const struct accel_alg *alg, const struct accel_dt_alg *hw, unsigned int size)
{
	const unsigned int len = accel_hw_iv_len(alg, size);

	return accel_range_has(&hw->iv, len) && has_pair(hw, ANY_SIZE, len);
}

static bool
takes_digest(const struct accel_alg *alg __rte_unused, const struct accel_dt_alg *hw,
	     unsigned int size)
{
	return accel_hw_has_digest(hw, size);
}

static bool
takes_aad(const struct accel_alg *alg __rte_unused, const struct accel_dt_alg *hw,
	  unsigned int size)
{
	return accel_range_has(&hw->aad, size);
}

/* Fills in the sizes that algorithm and card have in common. Returns false if there is none. */
static bool
common(const struct accel_alg *alg, const struct accel_dt_alg *hw, const struct accel_range *range,
       takes_t takes, struct rte_crypto_param_range *result)
{
	unsigned int size, found = 0;

	memset(result, 0, sizeof(*result));
	for (size = range->min; size <= range->max; size++) {
		if (accel_range_has(range, size) && takes(alg, hw, size))
			add_size(result, size, &found);
	}
	return found != 0;
}

/* The data units that rte_cryptodev has names for; the index is the number of the bit. */
static const uint32_t accel_data_units[] = { 512, 4096, 1u << 20 };

static_assert(RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_512_BYTES == 1u << 0 &&
		      RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_4096_BYTES == 1u << 1 &&
		      RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_1_MEGABYTES == 1u << 2,
	      "accel_data_units by bit");

uint32_t
accel_data_unit_set(const struct accel_devtree *dt, const struct accel_alg *alg)
{
	const struct accel_dt_alg *hw = &dt->alg[alg->hw];
	uint32_t set = 0;
	unsigned int i;

	if ((alg->rules & ACCEL_ALG_TWO_KEYS) == 0 || hw->class != alg->class || hw->unit_min == 0)
		return 0;
	for (i = 0; i < RTE_DIM(accel_data_units); i++) {
		if (accel_data_units[i] >= hw->unit_min && accel_data_units[i] <= hw->unit_max &&
		    accel_data_units[i] <= dt->max_frame_bytes)
			set |= 1u << i;
	}
	return set;
}

bool
accel_data_unit_any(const struct accel_devtree *dt)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(accel_algs); i++) {
		if (accel_data_unit_set(dt, &accel_algs[i]) != 0)
			return true;
	}
	return false;
}

bool
accel_data_unit_has(uint32_t set, uint32_t len)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(accel_data_units); i++) {
		if (len == accel_data_units[i])
			return (set >> i & 1) != 0;
	}
	return false;
}

bool
accel_has_bits(const struct accel_devtree *dt)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < RTE_DIM(accel_algs); i++) {
		const struct accel_dt_alg *hw = &dt->alg[accel_algs[i].hw];

		if ((accel_algs[i].rules & ACCEL_ALG_BITS) == 0 ||
		    hw->class != accel_algs[i].class)
			continue;
		if (!hw->bits)
			return false;
		any = true;
	}
	return any;
}

static bool
capability_cipher(const struct accel_alg *alg, const struct accel_dt_alg *hw,
		  struct rte_cryptodev_symmetric_capability *sym)
{
	sym->xform_type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	sym->cipher.algo = (enum rte_crypto_cipher_algorithm)alg->rte;
	sym->cipher.block_size = alg->block;
	return common(alg, hw, &alg->key, takes_key, &sym->cipher.key_size) &&
	       common(alg, hw, &alg->iv, takes_iv, &sym->cipher.iv_size);
}

static bool
capability_auth(const struct accel_alg *alg, const struct accel_dt_alg *hw,
		struct rte_cryptodev_symmetric_capability *sym)
{
	sym->xform_type = RTE_CRYPTO_SYM_XFORM_AUTH;
	sym->auth.algo = (enum rte_crypto_auth_algorithm)alg->rte;
	sym->auth.block_size = alg->block;
	return common(alg, hw, &alg->key, takes_key, &sym->auth.key_size) &&
	       common(alg, hw, &alg->iv, takes_iv, &sym->auth.iv_size) &&
	       common(alg, hw, &alg->digest, takes_digest, &sym->auth.digest_size);
}

static bool
capability_aead(const struct accel_alg *alg, const struct accel_dt_alg *hw,
		struct rte_cryptodev_symmetric_capability *sym)
{
	sym->xform_type = RTE_CRYPTO_SYM_XFORM_AEAD;
	sym->aead.algo = (enum rte_crypto_aead_algorithm)alg->rte;
	sym->aead.block_size = alg->block;
	return common(alg, hw, &alg->key, takes_key, &sym->aead.key_size) &&
	       common(alg, hw, &alg->iv, takes_iv, &sym->aead.iv_size) &&
	       common(alg, hw, &alg->digest, takes_digest, &sym->aead.digest_size) &&
	       common(alg, hw, &alg->aad, takes_aad, &sym->aead.aad_size);
}

static bool
capability_fill(const struct accel_alg *alg, const struct accel_devtree *dt,
		struct rte_cryptodev_capabilities *cap)
{
	const struct accel_dt_alg *hw = &dt->alg[alg->hw];

	cap->op = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	switch (alg->class) {
	case ACCEL_ALG_CIPHER:
		cap->sym.cipher.dataunit_set = accel_data_unit_set(dt, alg);
		return capability_cipher(alg, hw, &cap->sym);
	case ACCEL_ALG_AUTH:
		return capability_auth(alg, hw, &cap->sym);
	default:
		return capability_aead(alg, hw, &cap->sym);
	}
}

bool
accel_capability_get(const struct accel_alg *alg, const struct accel_devtree *dt,
		     struct rte_cryptodev_capabilities *cap)
{
	return dt->alg[alg->hw].class == alg->class && capability_fill(alg, dt, cap);
}

unsigned int
accel_capabilities_max(void)
{
	return RTE_DIM(accel_algs);
}

unsigned int
accel_capabilities_fill(const struct accel_devtree *dt, struct rte_cryptodev_capabilities *caps)
{
	unsigned int i, n = 0;

	for (i = 0; i < RTE_DIM(accel_algs); i++) {
		const struct accel_alg *alg = &accel_algs[i];
		const struct accel_dt_alg *hw = &dt->alg[alg->hw];

		if (hw->class != alg->class)
			continue;
		if (capability_fill(alg, dt, &caps[n])) {
			n++;
			continue;
		}
		ACCEL_LOG(WARNING, "algorithm %u is not offered: it has none of the sizes in the "
			  "device tree", alg->hw);
		memset(&caps[n], 0, sizeof(caps[n]));
	}
	return n;
}
