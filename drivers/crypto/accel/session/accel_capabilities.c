/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The table of algorithms that this driver can encode, and the capabilities that it offers. The
 * driver offers what the table and the card's device tree have in common. A new algorithm is a new
 * row. Sizes and rules come from the contract (accel_hw_alg.h).
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

/* Has the rows of the contract, by the algorithm's number. */
static const struct accel_hw_alg_info accel_hw_algs[ACCEL_HW_ALG_NB] = {
#define ROW(id, ...) [id] = ACCEL_HW_ALG_INFO(id, __VA_ARGS__),
	ACCEL_HW_SYM_ALGS(ROW)
#undef ROW
};

/*
 * Makes the row of an algorithm by its names in the contract and in rte_cryptodev, with fields that
 * the driver adds.
 */
#define ALG_WITH(class_, name, rte_, ...)                                                          \
	{                                                                                          \
		.hw = ACCEL_HW_##class_##_##name, .class = ACCEL_ALG_##class_,                     \
		.rte = RTE_CRYPTO_##class_##_##rte_,                                               \
		.info = &accel_hw_algs[ACCEL_HW_##class_##_##name], __VA_ARGS__                    \
	}
/* Makes the row of an algorithm that contract and rte_cryptodev call by the same name. */
#define ALG(class, name) ALG_WITH(class, name, name, .api_block = 0)
/* Makes the row of a 256-bit algorithm of 5G. rte_cryptodev gives its regions in bits. */
#define ALG_5G(class, name) ALG_WITH(class, name, name, .api_block = 16, .api_bits = true)

/*
 * The wireless algorithms and DOCSIS take any length. As other drivers do, this driver reports the
 * block of the cipher inside as their block. The application hashes keys of HMAC that are longer
 * than the block, as rte_crypto_auth_xform demands.
 */
static const struct accel_alg accel_algs[] = {
	ALG_WITH(CIPHER, NULL, NULL, .any_size = true),
	ALG(CIPHER, AES_CBC),
	ALG_WITH(CIPHER, AES_CTR, AES_CTR, .nonce = true),
	ALG(CIPHER, AES_ECB),
	ALG(CIPHER, AES_XTS),
	ALG(CIPHER, DES_CBC),
	ALG(CIPHER, 3DES_CBC),
	ALG(CIPHER, 3DES_ECB),
	ALG(CIPHER, 3DES_CTR),
	ALG_WITH(CIPHER, AES_DOCSIS_BPI, AES_DOCSISBPI, .api_block = 16),
	ALG_WITH(CIPHER, DES_DOCSIS_BPI, DES_DOCSISBPI, .api_block = 8),
	ALG_WITH(CIPHER, SNOW3G_UEA2, SNOW3G_UEA2, .api_block = 16),
	ALG_WITH(CIPHER, KASUMI_F8, KASUMI_F8, .api_block = 8),
	ALG_WITH(CIPHER, ZUC_EEA3, ZUC_EEA3, .api_block = 16),
	ALG(CIPHER, SM4_ECB),
	ALG(CIPHER, SM4_CBC),
	ALG(CIPHER, SM4_CTR),
	ACCEL_SINCE_24_11(ALG(CIPHER, SM4_CFB))
	ACCEL_SINCE_24_11(ALG(CIPHER, SM4_OFB))
	ACCEL_SINCE_24_11(ALG(CIPHER, SM4_XTS))
	ACCEL_SINCE_26_03(ALG_5G(CIPHER, SNOW5G_NEA4))
	ACCEL_SINCE_26_03(ALG_5G(CIPHER, AES_NEA5))
	ACCEL_SINCE_26_03(ALG_5G(CIPHER, ZUC_NEA6))

	ALG_WITH(AUTH, NULL, NULL, .any_size = true),
	ALG(AUTH, MD5),
	ALG(AUTH, SHA1),
	ALG(AUTH, SHA224),
	ALG(AUTH, SHA256),
	ALG(AUTH, SHA384),
	ALG(AUTH, SHA512),
	ALG(AUTH, SHA3_224),
	ALG(AUTH, SHA3_256),
	ALG(AUTH, SHA3_384),
	ALG(AUTH, SHA3_512),
	ALG(AUTH, SM3),
	ACCEL_SINCE_24_11(ALG(AUTH, SHAKE_128))
	ACCEL_SINCE_24_11(ALG(AUTH, SHAKE_256))
	ALG(AUTH, MD5_HMAC),
	ALG(AUTH, SHA1_HMAC),
	ALG(AUTH, SHA224_HMAC),
	ALG(AUTH, SHA256_HMAC),
	ALG(AUTH, SHA384_HMAC),
	ALG(AUTH, SHA512_HMAC),
	ALG(AUTH, SHA3_224_HMAC),
	ALG(AUTH, SHA3_256_HMAC),
	ALG(AUTH, SHA3_384_HMAC),
	ALG(AUTH, SHA3_512_HMAC),
	ACCEL_SINCE_24_11(ALG(AUTH, SM3_HMAC))
	ALG(AUTH, AES_GMAC),
	ALG(AUTH, AES_XCBC_MAC),
	ALG(AUTH, AES_CMAC),
	ALG(AUTH, SNOW3G_UIA2),
	ALG(AUTH, KASUMI_F9),
	ALG(AUTH, ZUC_EIA3),
	ACCEL_SINCE_26_03(ALG_5G(AUTH, SNOW5G_NIA4))
	ACCEL_SINCE_26_03(ALG_5G(AUTH, AES_NIA5))
	ACCEL_SINCE_26_03(ALG_5G(AUTH, ZUC_NIA6))

	ALG(AEAD, AES_GCM),
	ALG(AEAD, AES_CCM),
	ALG(AEAD, CHACHA20_POLY1305),
	ACCEL_SINCE_25_11(ALG(AEAD, SM4_GCM))
	ACCEL_SINCE_26_03(ALG(AEAD, SNOW5G_NCA4))
	ACCEL_SINCE_26_03(ALG(AEAD, AES_NCA5))
	ACCEL_SINCE_26_03(ALG(AEAD, ZUC_NCA6))
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

const struct accel_hw_range *
accel_alg_iv(const struct accel_alg *alg)
{
	static const struct accel_hw_range with_j0 = { 0, ACCEL_GCM_IV, ACCEL_GCM_IV };
	static const struct accel_hw_range with_nonce = {
		ACCEL_CTR_NONCE, ACCEL_HW_IV_MAX, ACCEL_HW_IV_MAX - ACCEL_CTR_NONCE,
	};

	if (alg->info->j0)
		return &with_j0;
	return alg->nonce ? &with_nonce : &alg->info->iv;
}

bool
accel_range_has(const struct accel_hw_range *range, unsigned int size)
{
	if (size < range->min || size > range->max)
		return false;
	return range->step == 0 ? size == range->min : (size - range->min) % range->step == 0;
}

bool
accel_iv_lacks_counter(const struct accel_alg *alg, unsigned int len)
{
	return alg->nonce && (len == ACCEL_CTR_NONCE || len == ACCEL_CTR_ESP_IV);
}

unsigned int
accel_hw_iv_len(const struct accel_alg *alg, unsigned int len)
{
	if ((alg->info->j0 && len == 0) || accel_iv_lacks_counter(alg, len))
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

/* True if the card lists the pair of this key and this IV. Without a list, all pairs will do. */
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
	unsigned int i, j;
	bool any = !dt->chains_listed;

	for (i = 0; i < ACCEL_DT_CIPHERS; i++) {
		for (j = 0; j < RTE_DIM(dt->chains[i]); j++)
			any |= dt->chains[i][j] != 0;
	}
	return (dt->chain_cipher_auth || dt->chain_auth_cipher) && any;
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
 * Adds a size to a range of rte_cryptodev. The size is above all sizes that were added before. The
 * increment is the largest that reaches all of them. So the range may have sizes that were not
 * added; a session with such a size is refused.
 */
static void
add_size(struct rte_crypto_param_range *range, unsigned int size, unsigned int *found)
{
	if ((*found)++ == 0)
		range->min = (uint16_t)size;
	range->max = (uint16_t)size;
	range->increment = (uint16_t)gcd(range->increment, size - range->min);
}

enum kind { SIZE_KEY, SIZE_IV, SIZE_DIGEST, SIZE_AAD };

/* True if a card takes a size of an algorithm. That of an IV is in rte_cryptodev's terms. */
static bool
takes(const struct accel_alg *alg, const struct accel_dt_alg *hw, enum kind what, unsigned int size)
{
	const unsigned int iv = accel_hw_iv_len(alg, size);

	switch (what) {
	case SIZE_KEY:
		return accel_range_has(&hw->key, size) && has_pair(hw, size, ANY_SIZE);
	case SIZE_IV:
		return accel_range_has(&hw->iv, iv) && has_pair(hw, ANY_SIZE, iv);
	case SIZE_DIGEST:
		return accel_hw_has_digest(hw, size);
	default:
		return accel_range_has(&hw->aad, size);
	}
}

/* Fills in the sizes that algorithm and card have in common. Returns false if there are none. */
static bool
common(const struct accel_alg *alg, const struct accel_dt_alg *hw,
       const struct accel_hw_range *range, enum kind what, struct rte_crypto_param_range *result)
{
	unsigned int size, found = 0;

	memset(result, 0, sizeof(*result));
	for (size = range->min; size <= range->max; size++) {
		if (accel_range_has(range, size) && takes(alg, hw, what, size))
			add_size(result, size, &found);
	}
	return found != 0;
}

/* Lists the data units that rte_cryptodev has bits for. The index is the number of the bit. */
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

	if (!alg->info->two_keys || hw->class != alg->class || hw->unit_min == 0)
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

		if (!accel_algs[i].info->bits || hw->class != accel_algs[i].class)
			continue;
		if (!hw->bits)
			return false;
		any = true;
	}
	return any;
}

bool
accel_cap_sizes_get(const struct accel_alg *alg, const struct accel_devtree *dt,
		    struct accel_cap_sizes *sizes)
{
	const struct accel_hw_alg_info *info = alg->info;
	const struct accel_dt_alg *hw = &dt->alg[alg->hw];

	sizes->data_units = accel_data_unit_set(dt, alg);
	return hw->class == alg->class && common(alg, hw, &info->key, SIZE_KEY, &sizes->key) &&
	       common(alg, hw, accel_alg_iv(alg), SIZE_IV, &sizes->iv) &&
	       (alg->class == ACCEL_ALG_CIPHER ||
		common(alg, hw, &info->digest, SIZE_DIGEST, &sizes->digest)) &&
	       (alg->class != ACCEL_ALG_AEAD ||
		common(alg, hw, &info->aad, SIZE_AAD, &sizes->aad));
}

void
accel_capability_write(const struct accel_alg *alg, const struct accel_cap_sizes *sizes,
		       struct rte_cryptodev_capabilities *cap)
{
	const uint16_t block = alg->api_block != 0 ? alg->api_block : alg->info->block;
	struct rte_cryptodev_symmetric_capability *sym = &cap->sym;

	cap->op = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	switch (alg->class) {
	case ACCEL_ALG_CIPHER:
		sym->xform_type = RTE_CRYPTO_SYM_XFORM_CIPHER;
		sym->cipher.algo = (enum rte_crypto_cipher_algorithm)alg->rte;
		sym->cipher.block_size = block;
		sym->cipher.key_size = sizes->key;
		sym->cipher.iv_size = sizes->iv;
		sym->cipher.dataunit_set = sizes->data_units;
		break;
	case ACCEL_ALG_AUTH:
		sym->xform_type = RTE_CRYPTO_SYM_XFORM_AUTH;
		sym->auth.algo = (enum rte_crypto_auth_algorithm)alg->rte;
		sym->auth.block_size = block;
		sym->auth.key_size = sizes->key;
		sym->auth.iv_size = sizes->iv;
		sym->auth.digest_size = sizes->digest;
		break;
	default:
		sym->xform_type = RTE_CRYPTO_SYM_XFORM_AEAD;
		sym->aead.algo = (enum rte_crypto_aead_algorithm)alg->rte;
		sym->aead.block_size = block;
		sym->aead.key_size = sizes->key;
		sym->aead.iv_size = sizes->iv;
		sym->aead.digest_size = sizes->digest;
		sym->aead.aad_size = sizes->aad;
		break;
	}
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
		struct accel_cap_sizes sizes = { 0 };

		if (accel_cap_sizes_get(alg, dt, &sizes))
			accel_capability_write(alg, &sizes, &caps[n++]);
		else if (dt->alg[alg->hw].class == alg->class)
			ACCEL_LOG(WARNING, "algorithm %u is not offered: it has none of the sizes "
				  "in the device tree", alg->hw);
	}
	return n;
}
