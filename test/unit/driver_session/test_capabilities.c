/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Capabilities of the driver, compared with the table of manual 8.2.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_malloc.h>

#include "accel_capabilities.h"
#include "accel_capability_list.h"
#include "accel_dev.h"
#include "driver_base/algs.h"
#include "driver_base/eal.h"

#define ALGS_22_11 48u /* algorithms of the manual that DPDK 22.11 has a name for */

static struct accel_dev dev;

/* An algorithm that a card lists. */
struct row {
	unsigned int id;
	struct accel_dt_alg alg;
};

static int
reset(void **state)
{
	(void)state;
	memset(&dev, 0, sizeof(dev));
	list_all_algs(&dev.dt);
	dev.dt.sym = true;
	return 0;
}

static struct row
row_of(unsigned int id)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(rows) - 1 && rows[i].id != id; i++)
		;
	assert_int_equal(rows[i].id, id);
	return (struct row){ id, alg_of(&rows[i]) };
}

/* The card's number of the algorithm of a capability. */
static unsigned int
number_of(const struct rte_cryptodev_symmetric_capability *s)
{
	const struct accel_alg *alg;

	if (s->xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		alg = accel_alg_find(ACCEL_ALG_CIPHER, (int)s->cipher.algo);
	else if (s->xform_type == RTE_CRYPTO_SYM_XFORM_AUTH)
		alg = accel_alg_find(ACCEL_ALG_AUTH, (int)s->auth.algo);
	else
		alg = accel_alg_find(ACCEL_ALG_AEAD, (int)s->aead.algo);
	assert_non_null(alg);
	return alg->hw;
}

static const struct rte_cryptodev_symmetric_capability *
find_cap(const struct rte_cryptodev_capabilities *caps, const struct row *row)
{
	const struct rte_cryptodev_symmetric_capability *found = NULL;

	for (; caps->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; caps++) {
		if (number_of(&caps->sym) == row->id) {
			assert_null(found); /* There are no duplicates. */
			found = &caps->sym;
		}
	}
	return found;
}

static void
expect_range(const struct rte_crypto_param_range *r, const struct accel_hw_range *want)
{
	assert_int_equal(r->min, want->min);
	assert_int_equal(r->max, want->max);
	assert_int_equal(r->increment, want->step);
}

/* The IV lengths that rte_cryptodev has for an algorithm. 0 is the counter block J0 of GCM and
 * GMAC. 12 bytes of AES-CTR are the nonce and IV of RFC 3686, to which the driver adds the
 * counter. */
static const struct accel_hw_range *
api_iv(const struct row *row)
{
	static const struct accel_hw_range gcm = { 0, 12, 12 }, ctr = { 12, 16, 4 };

	if (row->id == 3 && row->alg.iv.max == 16)
		return &ctr;
	return (row->id == 77 || row->id == 192 || row->id == 195) && row->alg.iv.max == 16 ?
		       &gcm : &row->alg.iv;
}

/* The block of a capability. DOCSIS and the wireless ciphers have that of the cipher inside. */
static unsigned int
api_block(const struct row *row)
{
	switch (row->id) {
	case ACCEL_HW_CIPHER_DES_DOCSIS_BPI:
	case ACCEL_HW_CIPHER_KASUMI_F8:
		return 8;
	case ACCEL_HW_CIPHER_AES_DOCSIS_BPI:
	case ACCEL_HW_CIPHER_SNOW3G_UEA2:
	case ACCEL_HW_CIPHER_ZUC_EEA3:
		return 16;
	default:
		return row->alg.block;
	}
}

static void
expect_cap(const struct rte_cryptodev_symmetric_capability *s, const struct row *row)
{
	assert_non_null(s);
	switch (row->alg.class) {
	case ACCEL_ALG_CIPHER:
		assert_int_equal(s->xform_type, RTE_CRYPTO_SYM_XFORM_CIPHER);
		assert_int_equal(s->cipher.block_size, api_block(row));
		assert_int_equal(s->cipher.dataunit_set, 0);
		expect_range(&s->cipher.key_size, &row->alg.key);
		expect_range(&s->cipher.iv_size, api_iv(row));
		break;
	case ACCEL_ALG_AUTH:
		assert_int_equal(s->xform_type, RTE_CRYPTO_SYM_XFORM_AUTH);
		assert_int_equal(s->auth.block_size, row->alg.block);
		expect_range(&s->auth.key_size, &row->alg.key);
		expect_range(&s->auth.iv_size, api_iv(row));
		expect_range(&s->auth.digest_size, &row->alg.digest);
		break;
	default:
		assert_int_equal(s->xform_type, RTE_CRYPTO_SYM_XFORM_AEAD);
		expect_range(&s->aead.key_size, &row->alg.key);
		expect_range(&s->aead.iv_size, api_iv(row));
		expect_range(&s->aead.digest_size, &row->alg.digest);
		expect_range(&s->aead.aad_size, &row->alg.aad);
		break;
	}
}

/* A card that has all of the contract gets all that the driver can encode. */
static void
test_capabilities(void **state)
{
	struct rte_cryptodev_capabilities *caps =
		accel_caps_create(&dev.dt, &dev.nb_sym_capabilities);
	struct row row;
	unsigned int n;

	(void)state;
	assert_non_null(caps);
	for (n = 0; caps[n].op != RTE_CRYPTO_OP_TYPE_UNDEFINED; n++) {
		assert_int_equal(caps[n].op, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
		row = row_of(number_of(&caps[n].sym));
		expect_cap(find_cap(caps, &row), &row);
	}
	assert_int_equal(n, accel_capabilities_max());
	assert_in_range(n, ALGS_22_11, RTE_DIM(rows));
	rte_free(caps);
}

/* The card offers less, other things, or nothing that the algorithm has. */
static void
test_capabilities_narrow(void **state)
{
	struct rte_cryptodev_capabilities *caps;
	struct row cbc = row_of(2), gcm = row_of(192), hmac = row_of(72);

	(void)state;
	memset(dev.dt.alg, 0, sizeof(dev.dt.alg));
	cbc.alg.key = (struct accel_hw_range){ 8, 24, 16 }; /* in common: 24 */
	gcm.alg.digest = (struct accel_hw_range){ 0, 64, 8 }; /* in common: 8, 16 */
	gcm.alg.iv = (struct accel_hw_range){ 12, 12, 0 }; /* no J0 */
	hmac.alg.key = (struct accel_hw_range){ 65, 128, 1 }; /* in common: none */
	dev.dt.alg[2] = cbc.alg;
	dev.dt.alg[72] = hmac.alg;
	dev.dt.alg[192] = gcm.alg;
	dev.dt.alg[63] = cbc.alg; /* The driver does not know this number. */
	caps = accel_caps_create(&dev.dt, &dev.nb_sym_capabilities);
	assert_non_null(caps);
	cbc.alg.key = (struct accel_hw_range){ 24, 24, 0 };
	gcm.alg.digest = (struct accel_hw_range){ 8, 16, 8 };
	expect_cap(find_cap(caps, &cbc), &cbc);
	expect_cap(find_cap(caps, &gcm), &gcm);
	assert_null(find_cap(caps, &hmac));
	assert_int_equal(caps[2].op, RTE_CRYPTO_OP_TYPE_UNDEFINED);
	rte_free(caps);
}

/* The card lists what of the ranges it has. */
static void
test_capabilities_lists(void **state)
{
	struct rte_cryptodev_capabilities *caps;
	struct row cbc = row_of(2), ctr = row_of(3), gcm = row_of(192), hmac = row_of(72);

	(void)state;
	memset(dev.dt.alg, 0, sizeof(dev.dt.alg));
	cbc.alg.key_iv_listed = ctr.alg.key_iv_listed = gcm.alg.key_iv_listed = true;
	cbc.alg.nb_key_iv = 2;
	cbc.alg.key_iv[0].key = 32; /* in any order */
	cbc.alg.key_iv[0].iv = 16;
	cbc.alg.key_iv[1].key = 16;
	cbc.alg.key_iv[1].iv = 16;
	gcm.alg.nb_key_iv = 1;
	gcm.alg.key_iv[0].key = 24;
	gcm.alg.key_iv[0].iv = 12;
	hmac.alg.digest_listed = true;
	hmac.alg.digests = 1 << 3 | 1 << 11 | 1 << 17 | UINT64_C(1) << 40; /* 4, 12, 18; 41 */
	dev.dt.alg[2] = cbc.alg;
	dev.dt.alg[3] = ctr.alg; /* its list is empty */
	dev.dt.alg[72] = hmac.alg;
	dev.dt.alg[192] = gcm.alg;
	caps = accel_caps_create(&dev.dt, &dev.nb_sym_capabilities);
	assert_non_null(caps);
	cbc.alg.key = (struct accel_hw_range){ 16, 32, 16 };
	gcm.alg.key = (struct accel_hw_range){ 24, 24, 0 };
	gcm.alg.iv = (struct accel_hw_range){ 12, 12, 0 };
	hmac.alg.digest = (struct accel_hw_range){ 4, 18, 2 }; /* reaches all of them */
	expect_cap(find_cap(caps, &cbc), &cbc);
	expect_cap(find_cap(caps, &gcm), &gcm);
	expect_cap(find_cap(caps, &hmac), &hmac);
	assert_null(find_cap(caps, &ctr));
	rte_free(caps);
}

/* The flag of chains is there if the card has some, in one order or both. */
static void
test_chains(void **state)
{
	(void)state;
	assert_false(accel_hw_has_chains(&dev.dt));
	dev.dt.chain_cipher_auth = true;
	assert_true(accel_hw_has_chains(&dev.dt));
	dev.dt.chain_cipher_auth = false;
	dev.dt.chain_auth_cipher = true;
	assert_true(accel_hw_has_chains(&dev.dt));
	dev.dt.chain_cipher_auth = true;
	dev.dt.chains_listed = true;
	assert_false(accel_hw_has_chains(&dev.dt));
	assert_false(accel_hw_has_chain(&dev.dt, 63, 191));
	dev.dt.chains[63][1] = UINT64_C(1) << 63;
	assert_true(accel_hw_has_chains(&dev.dt));
	assert_true(accel_hw_has_chain(&dev.dt, 63, 191));
	assert_false(accel_hw_has_chain(&dev.dt, 63, 127));
	assert_false(accel_hw_has_chain(&dev.dt, 64, 191));
	assert_false(accel_hw_has_chain(&dev.dt, 63, 192));
	assert_false(accel_hw_has_chain(&dev.dt, 63, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_capabilities, reset),
		cmocka_unit_test_setup(test_capabilities_narrow, reset),
		cmocka_unit_test_setup(test_capabilities_lists, reset),
		cmocka_unit_test_setup(test_chains, reset),
	};

	/* rte_malloc() holds the capabilities. */
	if (start_eal("test_capabilities") < 0)
		return 1;
	return cmocka_run_group_tests_name("capabilities", tests, NULL, NULL);
}
