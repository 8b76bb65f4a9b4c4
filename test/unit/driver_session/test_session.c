/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sessions of the driver, compared with byte offsets written out from manual sections 8.1, 8.2 and
 * 8.4. There is no device: BAR0 is plain memory.
 */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_malloc.h>

#include "accel_capabilities.h"
#include "accel_capability_list.h"
#include "accel_command.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_session.h"
#include "accel_shape.h"
#include "accel_transport.h"
#include "driver_base/algs.h"
#include "driver_base/eal.h"

#define INVALIDATE_PAGE 0x2000u
#define SESSION_IOVA UINT64_C(0x123456000)

static alignas(4096) uint8_t bar[0x8000];
static struct accel_dev dev;
static ACCEL_ATOMIC(uint32_t) last_generation;
static struct rte_cryptodev_data data = { .dev_private = &dev };
static struct rte_cryptodev cryptodev = { .data = &data };
static uint8_t key[256];

static alignas(64) uint8_t session_mem[1024];

static struct rte_cryptodev_sym_session *
session(void)
{
	return (struct rte_cryptodev_sym_session *)session_mem;
}

static struct accel_session *
priv(void)
{
	return CRYPTODEV_GET_SYM_SESS_PRIV(session());
}

static int
reset(void **state)
{
	static const struct accel_transport transport = { .name = "test" };
	unsigned int i;

	(void)state;
	memset(&dev, 0, sizeof(dev));
	memset(bar, 0, sizeof(bar));
	dev.bar = bar;
	dev.bar_size = sizeof(bar);
	dev.name = "test";
	last_generation = 0;
	dev.generation = &last_generation;
	accel_process_set(0, &transport, NULL);
	dev.active_flags = RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO;
	dev.dt.invalidate = INVALIDATE_PAGE;
	dev.dt.sym = true;
	dev.dt.chain_cipher_auth = true;
	dev.dt.chain_auth_cipher = true;
	list_all_algs(&dev.dt);
	for (i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)(i + 1);
	return 0;
}

/* Configures a session as the library does. */
static int
configure(struct rte_crypto_sym_xform *xform)
{
	memset(session_mem, 0, sizeof(session_mem));
	session()->driver_priv_data_iova = SESSION_IOVA;
	return accel_sym_session_configure(&cryptodev, xform, session());
}

static struct rte_crypto_sym_xform
cipher(int algo, unsigned int key_len, unsigned int iv_len)
{
	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			.algo = (enum rte_crypto_cipher_algorithm)algo,
			.key = { .data = key, .length = (uint16_t)key_len },
			.iv = { .offset = 100, .length = (uint16_t)iv_len },
		},
	};
}

static struct rte_crypto_sym_xform
auth(int algo, unsigned int key_len, unsigned int digest_len)
{
	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = {
			.op = RTE_CRYPTO_AUTH_OP_GENERATE,
			.algo = (enum rte_crypto_auth_algorithm)algo,
			.key = { .data = key, .length = (uint16_t)key_len },
			.digest_length = (uint16_t)digest_len,
		},
	};
}

static struct rte_crypto_sym_xform
aead(int algo, unsigned int key_len, unsigned int iv_len, unsigned int tag, unsigned int aad)
{
	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_AEAD,
		.aead = {
			.op = RTE_CRYPTO_AEAD_OP_ENCRYPT,
			.algo = (enum rte_crypto_aead_algorithm)algo,
			.key = { .data = key, .length = (uint16_t)key_len },
			.iv = { .offset = 100, .length = (uint16_t)iv_len },
			.digest_length = (uint16_t)tag,
			.aad_length = (uint16_t)aad,
		},
	};
}

/*
 * Contexts and templates.
 */

/* Compares the first 20 bytes of a context (manual 8.1). */
static void
expect_context(uint32_t generation, const uint8_t *from_4)
{
	const uint8_t *c = (const uint8_t *)&priv()->context;
	const uint8_t le[] = { (uint8_t)generation, (uint8_t)(generation >> 8),
			       (uint8_t)(generation >> 16), (uint8_t)(generation >> 24) };
	unsigned int i;

	assert_memory_equal(c, le, 4);
	assert_memory_equal(c + 4, from_4, 16);
	for (i = 20; i < 64; i++)
		assert_int_equal(c[i], 0);
}

static void
expect_command(uint32_t generation, unsigned int flags, unsigned int aad_len)
{
	const struct accel_hw_command want = {
		.opcode = 3,
		.flags = (uint8_t)flags,
		.aad_len = (uint16_t)aad_len,
		.context = SESSION_IOVA + 64,
		.generation = generation,
	};

	const struct accel_shape none = { 0 };
	struct accel_hw_command made = { 0 };

	accel_write_words(&made, priv(), &none, 0);
	memcpy(made.iv, priv()->command.iv, sizeof(made.iv));
	assert_memory_equal(&made, &want, sizeof(want));
}

static void
test_cipher_auth(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 24, 16);
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 12);
	/* version, kind, flags, 0, algorithms, key lengths, IV, auth IV, digest */
	const uint8_t out[16] = { 1, 3, 1, 0, 2, 0, 72, 0, 24, 0, 20, 0, 16, 0, 12, 0 };
	const uint8_t in[16] = { 1, 4, 2, 0, 2, 0, 72, 0, 24, 0, 20, 0, 16, 0, 12, 0 };

	(void)state;
	c.next = &a;
	assert_int_equal(configure(&c), 0);
	expect_context(1, out);
	expect_command(1, 0, 0);
	assert_memory_equal(priv()->context.cipher_key, key, 24);
	assert_int_equal(priv()->context.cipher_key[24], 0);
	assert_memory_equal(priv()->context.auth_key, key, 20);
	assert_int_equal(priv()->context.auth_key[20], 0);
	assert_int_equal(priv()->kind, ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	assert_int_equal(priv()->verify, 0);
	assert_int_equal(priv()->iv_len, 16);
	assert_int_equal(priv()->iv_offset, 100);
	assert_int_equal(priv()->digest_len, 12);
	assert_int_equal(priv()->digest_may_be_ciphered, 0);
	assert_int_equal(accel_session_fast_kind(priv()), ACCEL_HW_KIND_CIPHER_THEN_AUTH);

	c.next = NULL;
	a.next = &c;
	c.cipher.op = RTE_CRYPTO_CIPHER_OP_DECRYPT;
	a.auth.op = RTE_CRYPTO_AUTH_OP_VERIFY;
	assert_int_equal(configure(&a), 0);
	expect_context(2, in);
	expect_command(2, 0, 0);
	assert_int_equal(priv()->verify, 1);
	assert_int_equal(priv()->digest_may_be_ciphered, 0);
	assert_int_equal(accel_session_fast_kind(priv()), ACCEL_HW_KIND_CIPHER_THEN_AUTH);

	/* The digest may be ciphered when it is generated before, and in the reverse direction. */
	c.cipher.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT;
	a.auth.op = RTE_CRYPTO_AUTH_OP_GENERATE;
	assert_int_equal(configure(&a), 0);
	assert_int_equal(priv()->digest_may_be_ciphered, 1);
	assert_int_equal(accel_session_fast_kind(priv()), 0);
	a.next = NULL;
	c.next = &a;
	c.cipher.op = RTE_CRYPTO_CIPHER_OP_DECRYPT;
	a.auth.op = RTE_CRYPTO_AUTH_OP_VERIFY;
	assert_int_equal(configure(&c), 0);
	assert_int_equal(priv()->digest_may_be_ciphered, 1);
	assert_int_equal(accel_session_fast_kind(priv()), 0);
}

/* data_unit_len is at 0x14 (manual 8.1). Other ciphers do not have it, whatever the transform
 * says. */
static void
test_data_units(void **state)
{
	struct rte_crypto_sym_xform x = cipher(RTE_CRYPTO_CIPHER_AES_XTS, 64, 16);
	struct rte_crypto_sym_xform cbc = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	struct rte_cryptodev_capabilities *caps;
	unsigned int i, found = 0;

	(void)state;
	dev.active_flags |= RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS;
	dev.dt.max_frame_bytes = 1 << 20;
	dev.dt.alg[5].unit_min = 16;
	dev.dt.alg[5].unit_max = 4096;
	x.cipher.dataunit_len = 4096;
	assert_int_equal(configure(&x), 0);
	assert_int_equal(((const uint8_t *)&priv()->context)[0x15], 0x10);
	assert_int_equal(priv()->context.data_unit_len, 4096);
	x.cipher.dataunit_len = 1 << 20;
	assert_int_equal(configure(&x), -ENOTSUP);
	dev.dt.alg[5].unit_max = 1 << 20;
	assert_int_equal(configure(&x), 0);
	cbc.cipher.dataunit_len = 77;
	assert_int_equal(configure(&cbc), 0);
	assert_int_equal(priv()->context.data_unit_len, 0);

	caps = accel_caps_create(&dev.dt, &dev.nb_sym_capabilities);
	for (i = 0; caps[i].op != RTE_CRYPTO_OP_TYPE_UNDEFINED; i++) {
		const bool is_xts =
			caps[i].sym.xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER &&
			caps[i].sym.cipher.algo == RTE_CRYPTO_CIPHER_AES_XTS;

		if (caps[i].sym.xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER)
			assert_int_equal(caps[i].sym.cipher.dataunit_set, is_xts ? 7 : 0);
		found += is_xts;
	}
	assert_int_equal(found, 1);
	rte_free(caps);
}

static void
test_single(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_XTS, 64, 16);
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_SHA512_HMAC, 128, 64);
	const uint8_t xts[16] = { 1, 1, 0, 0, 5, 0, 0, 0, 64, 0, 0, 0, 16, 0, 0, 0 };
	const uint8_t hmac[16] = { 1, 2, 2, 0, 0, 0, 76, 0, 0, 0, 128, 0, 0, 0, 64, 0 };
	const uint8_t gmac[16] = { 1, 2, 0, 0, 0, 0, 77, 0, 0, 0, 32, 0, 0, 12, 4, 0 };

	(void)state;
	c.cipher.op = RTE_CRYPTO_CIPHER_OP_DECRYPT;
	assert_int_equal(configure(&c), 0);
	expect_context(1, xts);
	expect_command(1, 0, 0);
	assert_int_equal(priv()->context.data_unit_len, 0);

	/* Verification has no output, so the flag is NO_RX. */
	a.auth.op = RTE_CRYPTO_AUTH_OP_VERIFY;
	assert_int_equal(configure(&a), 0);
	expect_context(2, hmac);
	expect_command(2, 1, 0);
	assert_memory_equal(priv()->context.auth_key, key, 128);

	a = auth(RTE_CRYPTO_AUTH_AES_GMAC, 32, 4);
	a.auth.iv.offset = 40;
	a.auth.iv.length = 12;
	assert_int_equal(configure(&a), 0);
	expect_context(3, gmac);
	expect_command(3, 0, 0);
	assert_int_equal(priv()->auth_iv_offset, 40);
	assert_int_equal(priv()->auth_iv_len, 12);
	assert_int_equal(priv()->iv_len, 0);
}

static void
test_aead(void **state)
{
	struct rte_crypto_sym_xform x = aead(RTE_CRYPTO_AEAD_AES_GCM, 32, 12, 16, 300);
	const uint8_t gcm[16] = { 1, 5, 1, 0, 192, 0, 0, 0, 32, 0, 0, 0, 12, 0, 16, 0 };
	const uint8_t ccm[16] = { 1, 5, 0, 0, 193, 0, 0, 0, 16, 0, 0, 0, 11, 0, 8, 0 };

	(void)state;
	assert_int_equal(configure(&x), 0);
	expect_context(1, gcm);
	expect_command(1, 0, 300);
	assert_int_equal(priv()->verify, 0);
	assert_int_equal(priv()->iv_offset, 100);
	assert_int_equal(priv()->aad_len, 300);
	assert_int_equal(priv()->aad_offset, 0);

	/* For CCM the nonce is at byte 1 of the IV, and the AAD at byte 18. Decryption verifies. */
	x = aead(RTE_CRYPTO_AEAD_AES_CCM, 16, 11, 8, 8);
	x.aead.op = RTE_CRYPTO_AEAD_OP_DECRYPT;
	assert_int_equal(configure(&x), 0);
	expect_context(2, ccm);
	expect_command(2, 0, 8);
	assert_int_equal(priv()->verify, 1);
	assert_int_equal(priv()->iv_offset, 101);
	assert_int_equal(priv()->iv_len, 11);
	assert_int_equal(priv()->aad_offset, 18);
}

/* The driver converts these IVs for the card (manual 8.2). */
static void
test_converted_ivs(void **state)
{
	struct rte_crypto_sym_xform g = aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 0, 16, 8);
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_AES_GMAC, 16, 16);
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 12);
	const uint8_t gcm[16] = { 1, 5, 1, 0, 192, 0, 0, 0, 16, 0, 0, 0, 16, 0, 16, 0 };
	const uint8_t gmac[16] = { 1, 2, 0, 0, 0, 0, 77, 0, 0, 0, 16, 0, 0, 16, 16, 0 };
	const uint8_t ctr[16] = { 1, 1, 1, 0, 3, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0 };
	const uint8_t rfc3686[16] = { [15] = 1 };

	(void)state;
	assert_int_equal(configure(&g), 0);
	expect_context(1, gcm);
	expect_command(1, 0, 8);
	assert_int_equal(priv()->iv_len, 16);
	assert_int_equal(configure(&a), 0);
	expect_context(2, gmac);
	assert_int_equal(priv()->auth_iv_len, 16);

	assert_int_equal(configure(&c), 0);
	expect_context(3, ctr);
	assert_int_equal(priv()->iv_len, 12);
	assert_memory_equal(priv()->command.iv, rfc3686, 16);
	/* ipsec-secgw before 23.07 names the length of ESP's IV alone. */
	c.cipher.iv.length = 8;
	assert_int_equal(configure(&c), 0);
	expect_context(4, ctr);
	assert_int_equal(priv()->iv_len, 12);
	assert_memory_equal(priv()->command.iv, rfc3686, 16);
	c.cipher.iv.length = 16;
	assert_int_equal(configure(&c), 0);
	assert_int_equal(priv()->iv_len, 16);
	assert_int_equal(priv()->command.iv[15], 0);
}

/* The card has bits for each algorithm or not (manual 10, bit-lengths). */
static void
test_bits(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_SNOW3G_UEA2, 16, 16);
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_KASUMI_F9, 16, 4);
	struct rte_crypto_sym_xform h = auth(RTE_CRYPTO_AUTH_SHA1, 0, 20);
	unsigned int i;

	(void)state;
	assert_false(accel_has_bits(&dev.dt));
	assert_int_equal(configure(&c), 0);
	assert_true(priv()->cipher_bits && !priv()->auth_bits && !priv()->odd_bits);
	dev.dt.alg[12].bits = true;
	assert_false(accel_has_bits(&dev.dt));
	assert_int_equal(configure(&c), 0);
	assert_true(priv()->cipher_bits && priv()->odd_bits);
	assert_int_equal(accel_session_fast_kind(priv()), 0);
	c.next = &a;
	assert_int_equal(configure(&c), 0);
	assert_true(priv()->cipher_bits && priv()->auth_bits && !priv()->odd_bits);
	c.next = &h;
	assert_int_equal(configure(&c), 0);
	assert_true(priv()->cipher_bits && !priv()->auth_bits && priv()->odd_bits);
	assert_int_equal(configure(&h), 0);
	assert_true(!priv()->auth_bits && !priv()->odd_bits);
	assert_int_not_equal(accel_session_fast_kind(priv()), 0);

	for (i = 13; i <= 14; i++)
		dev.dt.alg[i].bits = true;
	for (i = 80; i <= 82; i++)
		dev.dt.alg[i].bits = true;
	assert_true(accel_has_bits(&dev.dt));
	/* An algorithm that the card does not have needs no bits. */
	dev.dt.alg[14].class = ACCEL_ALG_ABSENT;
	dev.dt.alg[14].bits = false;
	assert_true(accel_has_bits(&dev.dt));
	memset(dev.dt.alg, 0, sizeof(dev.dt.alg));
	assert_false(accel_has_bits(&dev.dt));
}

/* An IV of 25 bytes for ZUC-256 takes the fields of both IVs (manual 8.1). */
static void
test_long_iv(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_ZUC_EEA3, 32, 25);
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_ZUC_EIA3, 32, 4);
	struct rte_crypto_sym_xform f9 = auth(RTE_CRYPTO_AUTH_KASUMI_F9, 16, 4);
	const uint8_t alone[16] = { 1, 1, 1, 0, 14, 0, 0, 0, 32, 0, 0, 0, 25, 0, 0, 0 };
	const uint8_t mac[16] = { 1, 2, 0, 0, 0, 0, 82, 0, 0, 0, 32, 0, 0, 25, 4, 0 };
	const uint8_t chain[16] = { 1, 3, 1, 0, 14, 0, 81, 0, 32, 0, 16, 0, 25, 0, 4, 0 };
	const uint8_t two[16] = { 1, 3, 1, 0, 14, 0, 82, 0, 32, 0, 32, 0, 25, 25, 4, 0 };

	(void)state;
	assert_int_equal(configure(&c), 0);
	expect_context(1, alone);
	assert_int_equal(priv()->iv_len, 25);
	a.auth.iv.offset = 77;
	a.auth.iv.length = 25;
	assert_int_equal(configure(&a), 0);
	expect_context(2, mac);
	assert_int_equal(priv()->auth_iv_offset, 77);
	assert_int_equal(priv()->auth_iv_len, 25);
	assert_int_equal(priv()->auth_iv_at, 0x20);
	/* It has three MACs. */
	a.auth.digest_length = 16;
	assert_int_equal(configure(&a), 0);
	assert_int_equal(priv()->digest_len, 16);
	a.auth.digest_length = 8;
	assert_int_equal(configure(&a), 0);
	a.auth.digest_length = 12;
	assert_int_equal(configure(&a), -EINVAL);
	a.auth.digest_length = 4;
	/* F9 has no IV, whatever the transform says, so it can follow a long one. */
	f9.auth.iv.length = 8;
	c.next = &f9;
	assert_int_equal(configure(&c), 0);
	expect_context(5, chain);
	assert_int_equal(priv()->auth_iv_len, 0);
	/* Two IVs do not fit if one of them is long, unless the card takes one from the stream. */
	c.next = &a;
	assert_int_equal(configure(&c), -ENOTSUP);
	dev.dt.auth_iv_in_stream = true;
	assert_int_equal(configure(&c), 0);
	expect_context(6, two);
	expect_command(6, 0, 0);
	assert_int_equal(priv()->iv_len, 25);
	assert_int_equal(priv()->auth_iv_len, 0);
	assert_int_equal(priv()->aad_len, 25);
	assert_int_equal(priv()->auth_iv_offset, 77);
	assert_true(accel_session_iv_in_stream(priv()));
	c.cipher.key.length = 16;
	c.cipher.iv.length = 16;
	assert_int_equal(configure(&c), 0);
	assert_true(accel_session_iv_in_stream(priv()));
	dev.dt.auth_iv_in_stream = false;
	assert_int_equal(configure(&c), -ENOTSUP);
	a.auth.key.length = 16;
	a.auth.iv.length = 16;
	assert_int_equal(configure(&c), 0);
	assert_int_equal(priv()->auth_iv_at, 0x30);
	assert_false(accel_session_iv_in_stream(priv()));
}

/* Applications leave keys, IVs and digest lengths in transforms of the NULL algorithms. */
static void
test_null(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_NULL, 16, 16);
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_NULL, 20, 12);
	const uint8_t chain[16] = { 1, 3, 1, 0, 1, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
	const uint8_t alone[16] = { 1, 2, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0 };

	(void)state;
	a.auth.op = RTE_CRYPTO_AUTH_OP_VERIFY;
	c.next = &a;
	assert_int_equal(configure(&c), 0);
	expect_context(1, chain);
	expect_command(1, 0, 0);
	assert_int_equal(priv()->verify, 0);
	assert_int_equal(priv()->digest_len, 0);
	assert_int_equal(priv()->context.cipher_key[0], 0);

	a.auth.op = RTE_CRYPTO_AUTH_OP_GENERATE;
	assert_int_equal(configure(&a), 0);
	expect_context(2, alone);
	expect_command(2, 1, 0); /* Without output the flag is NO_RX. */
}

/*
 * Refusals.
 */

static void
refuse(struct rte_crypto_sym_xform x, int result)
{
	unsigned int i;
	int ret = configure(&x);

	if (ret != result)
		fail_msg("result %d, expected %d", ret, result);
	for (i = 0; i < sizeof(struct accel_session); i++) /* No key remains. */
		assert_int_equal(((uint8_t *)priv())[i], 0);
}

static void
test_sizes(void **state)
{
	struct rte_crypto_sym_xform x;

	(void)state;
	/* The algorithm does not have these sizes. */
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CBC, 0, 16), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CBC, 15, 16), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CBC, 40, 16), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 12), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_XTS, 48, 16), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_DES_CBC, 24, 8), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_ECB, 16, 16), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_SHA1, 0, 0), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_SHA1, 0, 21), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_SHA1, 16, 20), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_SHA256_HMAC, 0, 32), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_SHA256_HMAC, 65, 32), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_SHA384_HMAC, 129, 32), -EINVAL);
	refuse(aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 12, 0, 0), -EINVAL);
	refuse(aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 12, 17, 0), -EINVAL);
	refuse(aead(RTE_CRYPTO_AEAD_AES_CCM, 16, 6, 8, 0), -EINVAL);
	refuse(aead(RTE_CRYPTO_AEAD_AES_CCM, 16, 14, 8, 0), -EINVAL);
	refuse(aead(RTE_CRYPTO_AEAD_AES_CCM, 16, 12, 5, 0), -EINVAL);
	refuse(aead(RTE_CRYPTO_AEAD_CHACHA20_POLY1305, 16, 12, 16, 0), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_SNOW3G_UEA2, 16, 12), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_KASUMI_F8, 16, 16), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_ZUC_EEA3, 16, 25), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_ZUC_EEA3, 32, 16), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_ZUC_EEA3, 32, 23), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_DOCSISBPI, 24, 16), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_SM4_CBC, 32, 16), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_3DES_CTR, 24, 16), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_SNOW3G_UIA2, 16, 4), -EINVAL); /* no IV */
	refuse(auth(RTE_CRYPTO_AUTH_ZUC_EIA3, 16, 4), -EINVAL);
	x = auth(RTE_CRYPTO_AUTH_ZUC_EIA3, 16, 8); /* Only the longer key has this digest. */
	x.auth.iv.length = 16;
	refuse(x, -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 0), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 4), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 9), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 14), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_SM4_CTR, 16, 8), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_3DES_CTR, 24, 12), -EINVAL);
	refuse(cipher(RTE_CRYPTO_CIPHER_SM4_CTR, 16, 12), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_KASUMI_F9, 16, 8), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_AES_CMAC, 20, 16), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_AES_XCBC_MAC, 32, 12), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_SHA3_512_HMAC, 73, 64), -EINVAL);
	refuse(auth(RTE_CRYPTO_AUTH_SHA3_224, 0, 29), -EINVAL);
	/* No key, equal halves, an IV offset that wraps, and directions that do not exist are
	 * refused. */
	x = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	x.cipher.key.data = NULL;
	refuse(x, -EINVAL);
	memcpy(key + 16, key, 16);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_XTS, 32, 16), -EINVAL);
	x = aead(RTE_CRYPTO_AEAD_AES_CCM, 16, 11, 8, 8);
	x.aead.iv.offset = UINT16_MAX;
	refuse(x, -EINVAL);
	x = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	x.cipher.op = (enum rte_crypto_cipher_operation)2;
	refuse(x, -EINVAL);
	x = auth(RTE_CRYPTO_AUTH_SHA1, 0, 20);
	x.auth.op = (enum rte_crypto_auth_operation)2;
	refuse(x, -EINVAL);
}

static void
test_unsupported(void **state)
{
	struct rte_crypto_sym_xform x;

	(void)state;
	/* These are algorithms of other cards. */
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_F8, 16, 16), -ENOTSUP);
	refuse(auth(RTE_CRYPTO_AUTH_AES_CBC_MAC, 16, 12), -ENOTSUP);
	/* J0 has length 0 and not 16. */
	refuse(aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 16, 16, 0), -ENOTSUP);
	dev.dt.alg[192].iv = (struct accel_hw_range){ 12, 12, 0 };
	dev.dt.alg[77].iv = (struct accel_hw_range){ 12, 12, 0 };
	refuse(aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 0, 16, 0), -ENOTSUP); /* J0 */
	refuse(auth(RTE_CRYPTO_AUTH_AES_GMAC, 16, 16), -ENOTSUP);
	x = cipher(RTE_CRYPTO_CIPHER_AES_XTS, 32, 16);
	x.cipher.dataunit_len = 512;
	refuse(x, -ENOTSUP);
	dev.active_flags |= RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS;
	dev.dt.alg[5].unit_min = 1024;
	dev.dt.alg[5].unit_max = 4096;
	refuse(x, -ENOTSUP);
	/* The card could do it, but rte_cryptodev has no name for it. */
	x.cipher.dataunit_len = 2048;
	refuse(x, -ENOTSUP);
	x.cipher.dataunit_len = 4096;
	refuse(x, -ENOTSUP); /* A data unit does not fit into a frame. */
	/* The algorithm has these sizes, but this card does not. */
	dev.dt.alg[2].key = (struct accel_hw_range){ 16, 16, 0 };
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CBC, 32, 16), -ENOTSUP);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CBC, 33, 16), -EINVAL);
	dev.dt.alg[72].digest = (struct accel_hw_range){ 12, 20, 8 };
	refuse(auth(RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 16), -ENOTSUP);
	dev.dt.alg[3].class = ACCEL_ALG_ABSENT;
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 16), -ENOTSUP);
	/* The application disabled symmetric crypto. */
	dev.active_flags = 0;
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16), -ENOTSUP);
}

static void
test_chains(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_SHA1, 0, 20);
	struct rte_crypto_sym_xform c2 = c, a2 = a;
	struct rte_crypto_sym_xform x = aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 12, 16, 0);

	(void)state;
	c.next = &c2;
	refuse(c, -ENOTSUP);
	c.next = &c; /* The list is a loop. */
	refuse(c, -ENOTSUP);
	a.next = &a2;
	refuse(a, -ENOTSUP);
	a.next = &c2;
	c.next = &a; /* There are three transforms. */
	refuse(c, -ENOTSUP);
	a.next = NULL;
	x.next = &a;
	refuse(x, -ENOTSUP);
	x.next = NULL;
	c.next = &x;
	refuse(c, -ENOTSUP);
	x.type = RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED;
	refuse(x, -EINVAL);
	x.type = (enum rte_crypto_sym_xform_type)99;
	refuse(x, -EINVAL);
	refuse(c, -EINVAL);

	c.next = &a;
	dev.dt.chain_cipher_auth = false;
	refuse(c, -ENOTSUP);
	c.next = NULL;
	a.next = &c;
	assert_int_equal(configure(&a), 0);
	dev.dt.chain_auth_cipher = false;
	refuse(a, -ENOTSUP);
}

/* The card lists what of the ranges it takes. */
static void
test_lists(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 12);
	struct accel_dt_alg *cbc = &dev.dt.alg[2], *sha1 = &dev.dt.alg[72], *gcm = &dev.dt.alg[192];

	(void)state;
	dev.dt.chains_listed = true;
	dev.dt.chains[2][0] = UINT64_C(1) << (72 - 64);
	c.next = &a;
	assert_int_equal(configure(&c), 0);
	a.auth.algo = RTE_CRYPTO_AUTH_SHA256_HMAC;
	refuse(c, -ENOTSUP);
	a.auth.algo = RTE_CRYPTO_AUTH_SHA1_HMAC;
	c.cipher.algo = RTE_CRYPTO_CIPHER_AES_CTR;
	refuse(c, -ENOTSUP);
	c.next = NULL; /* by itself the cipher works */
	assert_int_equal(configure(&c), 0);
	c.cipher.algo = RTE_CRYPTO_CIPHER_AES_CBC;
	a.next = &c;
	assert_int_equal(configure(&a), 0);
	dev.dt.chains[2][0] = 0;
	refuse(a, -ENOTSUP);
	a.next = NULL;
	assert_int_equal(configure(&a), 0);

	cbc->key_iv_listed = true;
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16), -ENOTSUP);
	cbc->nb_key_iv = 1;
	cbc->key_iv[0].key = 24;
	cbc->key_iv[0].iv = 16;
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16), -ENOTSUP);
	refuse(cipher(RTE_CRYPTO_CIPHER_AES_CBC, 17, 16), -EINVAL);
	c = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 24, 16);
	assert_int_equal(configure(&c), 0);

	/* Algorithms without an IV are listed with an IV of 0. */
	sha1->key_iv_listed = true;
	sha1->nb_key_iv = 1;
	sha1->key_iv[0].key = 20;
	assert_int_equal(configure(&a), 0);
	a.auth.iv.length = 7; /* ignored, as always */
	assert_int_equal(configure(&a), 0);
	refuse(auth(RTE_CRYPTO_AUTH_SHA1_HMAC, 19, 12), -ENOTSUP);
	sha1->digest_listed = true;
	sha1->digests = UINT64_C(1) << 11 | UINT64_C(1) << 63; /* 64 is beyond its range */
	assert_int_equal(configure(&a), 0);
	refuse(auth(RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 20), -ENOTSUP);
	refuse(auth(RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 64), -EINVAL);

	/* The IV of a pair is the one that the card gets: J0 has 16 bytes. */
	gcm->key_iv_listed = true;
	gcm->nb_key_iv = 1;
	gcm->key_iv[0].key = 16;
	gcm->key_iv[0].iv = 16;
	refuse(aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 12, 16, 0), -ENOTSUP);
	c = aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 0, 16, 0);
	assert_int_equal(configure(&c), 0);
	gcm->digest_listed = true;
	refuse(c, -ENOTSUP);
	gcm->digests = 1 << 15;
	assert_int_equal(configure(&c), 0);
}

/*
 * Clearing, memory and owner of a session.
 */

static void
test_clear(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	const uint64_t address = SESSION_IOVA + 64;
	/* This is the formula of manual 8.4. */
	const unsigned int word = ((address >> 6) ^ (address >> 16)) & 1023;
	uint32_t posted;
	unsigned int i;

	(void)state;
	last_generation = 0xfffffffe;
	assert_int_equal(configure(&c), 0);
	assert_int_equal(priv()->context.generation, 0xffffffff);
	assert_int_equal(configure(&c), 0);
	assert_int_equal(priv()->context.generation, 1); /* The number wraps, and is never 0. */

	assert_ptr_equal(accel_own_session(session()), priv());
	accel_sym_session_clear(&cryptodev, session());
	assert_null(accel_own_session(session()));
	for (i = 0; i < sizeof(struct accel_session); i++)
		assert_int_equal(((uint8_t *)priv())[i], 0);
	for (i = 0; i < 1024; i++) {
		memcpy(&posted, bar + INVALIDATE_PAGE + 4 * i, 4);
		assert_int_equal(posted, i == word ? 1 : 0);
	}
	/* A second clear has nothing to invalidate. */
	memset(bar, 0, sizeof(bar));
	accel_sym_session_clear(&cryptodev, session());
	for (i = 0; i < sizeof(bar); i++)
		assert_int_equal(bar[i], 0);
}

/* The word changes also if it holds the generation already, from the lap of the counter before. */
static void
test_clear_changes_word(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	volatile uint32_t *word = &accel_invalidate_page(&dev)
				  [ACCEL_HW_INVALIDATE_INDEX(SESSION_IOVA + 64)];
	const uint32_t before[] = { 0, 1, 6, 7, ~7u, UINT32_MAX };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(before); i++) {
		last_generation = 6;
		assert_int_equal(configure(&c), 0);
		*word = before[i];
		accel_sym_session_clear(&cryptodev, session());
		assert_int_not_equal(*word, before[i]);
		assert_int_equal(*word, before[i] == 7 ? ~7u : 7);
	}
}

/* With DROP_ALL no word changes. */
static void
test_clear_drops_all(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	volatile uint32_t *drop_all = &accel_control(&dev)->drop_all;
	const uint32_t before[] = { 0, 7, ~7u };
	unsigned int i, word;

	(void)state;
	dev.dt.drop_all = true;
	for (i = 0; i < RTE_DIM(before); i++) {
		last_generation = 6;
		assert_int_equal(configure(&c), 0);
		*drop_all = before[i];
		accel_sym_session_clear(&cryptodev, session());
		assert_int_equal(*drop_all, before[i] == 7 ? ~7u : 7);
		for (word = 0; word < ACCEL_HW_INVALIDATE_WORDS; word++)
			assert_int_equal(accel_invalidate_page(&dev)[word], 0);
	}
}

/* All devices of all processes count together, and the counter stays when a device goes. */
static void
test_generations(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	struct accel_dev other = { .name = "other" };
	uint32_t first;

	(void)state;
	assert_int_equal(accel_session_share_generations(&dev), 0);
	assert_int_equal(configure(&c), 0);
	first = priv()->context.generation;
	dev.generation = NULL;
	assert_int_equal(accel_session_share_generations(&other), 0);
	assert_int_equal(*other.generation, first);
	assert_int_equal(accel_session_share_generations(&dev), 0);
	assert_ptr_equal(dev.generation, other.generation);
	assert_int_equal(configure(&c), 0);
	assert_int_equal(priv()->context.generation, first + 1);
}

static void
test_memory(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	static const uint64_t bad[] = { SESSION_IOVA + 8, SESSION_IOVA + 32, RTE_BAD_IOVA,
					RTE_BAD_IOVA + 64 };
	unsigned int i;

	(void)state;
	assert_true(accel_sym_session_get_size(&cryptodev) <= 1024);
	assert_int_equal(accel_sym_session_get_size(&cryptodev) % 64, 0);
	for (i = 0; i < RTE_DIM(bad); i++) {
		memset(session_mem, 0, sizeof(session_mem));
		session()->driver_priv_data_iova = bad[i];
		assert_int_equal(accel_sym_session_configure(&cryptodev, &c, session()), -EINVAL);
		assert_int_equal(priv()->context.cipher_key[0], 0);
	}
}

/* All upper bytes of the owner say that the session is the driver's. The lowest byte is its
 * kind. */
static void
test_owner(void **state)
{
	struct accel_session *sess = priv();
	unsigned int bit;

	(void)state;
	memset(session_mem, 0, sizeof(session_mem));
	sess->kind = ACCEL_HW_KIND_CIPHER;
	sess->owner = accel_session_owner(ACCEL_HW_KIND_CIPHER);
	assert_null(accel_own_session(NULL));
	for (bit = 0; bit < 64; bit++) {
		sess->owner ^= UINT64_C(1) << bit;
		if (bit < 8)
			assert_ptr_equal(accel_own_session(session()), sess);
		else
			assert_null(accel_own_session(session()));
		sess->owner ^= UINT64_C(1) << bit;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_cipher_auth, reset),
		cmocka_unit_test_setup(test_single, reset),
		cmocka_unit_test_setup(test_data_units, reset),
		cmocka_unit_test_setup(test_converted_ivs, reset),
		cmocka_unit_test_setup(test_bits, reset),
		cmocka_unit_test_setup(test_aead, reset),
		cmocka_unit_test_setup(test_null, reset),
		cmocka_unit_test_setup(test_sizes, reset),
		cmocka_unit_test_setup(test_long_iv, reset),
		cmocka_unit_test_setup(test_unsupported, reset),
		cmocka_unit_test_setup(test_chains, reset),
		cmocka_unit_test_setup(test_lists, reset),
		cmocka_unit_test_setup(test_clear, reset),
		cmocka_unit_test_setup(test_clear_changes_word, reset),
		cmocka_unit_test_setup(test_clear_drops_all, reset),
		cmocka_unit_test_setup(test_generations, reset),
		cmocka_unit_test_setup(test_memory, reset),
		cmocka_unit_test_setup(test_owner, reset),
	};

	/* rte_malloc() holds the capabilities. */
	if (start_eal("test_session") < 0)
		return 1;
	return cmocka_run_group_tests_name("sessions", tests, NULL, NULL);
}
