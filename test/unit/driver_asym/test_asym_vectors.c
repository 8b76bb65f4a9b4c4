/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known answers of public keys through rte_cryptodev on the embedded device: the files
 * test/vectors/pk/NAME.txt, which test_pk_vectors.c puts through the model, and the vectors of
 * pk_vectors.h that DPDK 22.11 has operations for. It has none for SM2 in the form of 23.11, EdDSA,
 * X25519 and X448; the model's tests have those.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "hw/accel_hw.h"
#include "vectors/pk_vectors.h"
#include "driver_asym/asym_known.h"

static struct pk_known known;

/* Begins an operation on a curve. */
static void
begin(const char *name, unsigned int line, unsigned int alg, unsigned int curve,
      unsigned int operation)
{
	memset(&known, 0, sizeof(known));
	known.name = name;
	known.line = line;
	known.alg = alg;
	known.curve = curve;
	known.operation = operation;
}

static void
carry_out(void)
{
	if (!known_carry_out(&known))
		fail_msg("%s:%u: no such operation", known.name, known.line);
}

/* Sets the result to one string behind another. */
static void
want(const char *first, const char *second)
{
	const struct text a = hex(first), b = hex(second);

	known.has_result = true;
	known.result = a;
	memcpy(known.result.data + a.len, b.data, b.len);
	known.result.len += b.len;
}

static const struct pk_ec_vector *
key_on(unsigned int curve)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(rfc6979_keys); i++) {
		if (rfc6979_keys[i].curve == curve)
			return &rfc6979_keys[i];
	}
	fail();
	return NULL;
}

static void
test_files(void **state)
{
	(void)state;
	plug(PLUGGED_ARGS);
	pk_known_files(known_carry_out);
	expect_wiped(0);
	unplug();
}

/* RFC 6979: the k of each signature is given, so the signature is determined. */
static void
test_rfc6979(void **state)
{
	const struct pk_ecdsa_vector *v;
	const struct pk_ec_vector *key;
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	for (i = 0; i < RTE_DIM(rfc6979); i++) {
		v = &rfc6979[i];
		key = key_on(v->curve);
		begin("RFC 6979", i, ACCEL_HW_PK_ECDSA, v->curve, ACCEL_HW_PK_SIGN);
		known.operand[0] = hex(v->digest);
		known.operand[1] = hex(key->d);
		known.operand[2] = hex(v->k);
		want(v->r, v->s);
		carry_out();
		begin("RFC 6979", i, ACCEL_HW_PK_ECDSA, v->curve, ACCEL_HW_PK_VERIFY);
		known.operand[0] = hex(v->digest);
		known.operand[1] = hex(v->r);
		known.operand[2] = hex(v->s);
		known.operand[3] = hex(key->x);
		known.operand[4] = hex(key->y);
		carry_out();
	}
	expect_wiped(0);
	unplug();
}

/* Public keys, shared secrets and points by EC-MUL, which gives the same. */
static void
test_curves(void **state)
{
	const struct pk_ecdh_vector *v;
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	for (i = 0; i < RTE_DIM(ecdh_vectors); i++) {
		v = &ecdh_vectors[i];
		begin("ECDH", i, ACCEL_HW_PK_ECDH, v->curve, ACCEL_HW_PK_PUBLIC);
		known.operand[0] = hex(v->d);
		want(v->x, v->y);
		carry_out();
		begin("ECDH", i, ACCEL_HW_PK_ECDH, v->curve, ACCEL_HW_PK_SHARED);
		known.operand[0] = hex(v->d);
		known.operand[1] = hex(v->peer_x);
		known.operand[2] = hex(v->peer_y);
		want(v->shared_x, v->shared_y);
		carry_out();
		known.alg = ACCEL_HW_PK_EC_MUL;
		known.operation = ACCEL_HW_PK_COMPUTE;
		carry_out();
	}
	expect_wiped(0);
	unplug();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_rfc6979),
		cmocka_unit_test(test_curves),
	};

	if (start_eal_silent("test_asym_vectors") < 0)
		return 1;
	return cmocka_run_group_tests_name("known answers of public keys", tests, make_all, NULL);
}
