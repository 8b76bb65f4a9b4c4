/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * EdDSA: the vectors of RFC 8032 and others, of the variants that OpenSSL has, keys of contexts and
 * of operands, pairs of keys, and signatures, points and lengths that are wrong.
 */
#include "pk_base/pk_curve.h"

#define ALG ACCEL_HW_PK_EDDSA
#define GENERATE pk_command(ACCEL_HW_PK_GENERATE)
#define PUBLIC pk_command(ACCEL_HW_PK_PUBLIC)
#define SIGN pk_command(ACCEL_HW_PK_SIGN)
#define VERIFY pk_command(ACCEL_HW_PK_VERIFY)

/* A vector, and a key of its two components. */
struct ed {
	unsigned int curve, variant;
	struct text private, public, message, context, signature;
	struct pk_key *key;
};

static struct ed
ed_of(unsigned int i)
{
	const struct pk_eddsa_vector *v = &eddsa_vectors[i];
	struct ed t = { v->curve, v->variant, hex(v->private), hex(v->public), hex(v->message),
			hex(v->context), hex(v->signature), NULL };

	t.key = PK_KEY(ALG, v->curve, &t.private, &t.public);
	return t;
}

static struct accel_hw_pk_command
command(unsigned int operation, unsigned int variant)
{
	struct accel_hw_pk_command cmd = pk_command(operation);

	cmd.variant = (uint8_t)variant;
	return cmd;
}

static bool
has(unsigned int variant)
{
	return (pk_caps(ALG)->variants >> variant & 1) != 0;
}

/* The variants came with OpenSSL 3.2. */
static void
test_caps(void **state)
{
	const struct pk_caps *caps = pk_caps(ALG);
	const bool all = OpenSSL_version_num() >= 0x30200000;

	(void)state;
	assert_non_null(caps);
	assert_int_equal(caps->operations, 0x1e);
	assert_int_equal(caps->nb_curves, 2);
	assert_int_equal(caps->curve[0], ACCEL_HW_CURVE_ED25519);
	assert_int_equal(caps->curve[1], ACCEL_HW_CURVE_ED448);
	assert_int_equal(caps->variants, all ? 7 : 1);
}

static void
check_vector(const struct ed *t)
{
	const struct accel_hw_pk_command sign = command(ACCEL_HW_PK_SIGN, t->variant);
	const struct accel_hw_pk_command verify = command(ACCEL_HW_PK_VERIFY, t->variant);
	struct pk_key *empty = PK_KEY(ALG, t->curve, NULL);

	for (unsigned int i = 0; i < 3; i++) {
		struct answer answer = PK_DO(t->key, sign, &t->message, &t->context);

		assert_result(&answer, &t->signature);
		ASSERT_STATUS(ACCEL_HW_OK, t->key, verify, &t->message, &t->signature, &t->context);
		answer = PK_DO(empty, sign, &t->message, &t->context, &t->private);
		assert_result(&answer, &t->signature);
		ASSERT_STATUS(ACCEL_HW_OK, empty, verify, &t->message, &t->signature, &t->context,
			      &t->public);
	}
	pk_key_free(empty);
}

static void
test_vectors(void **state)
{
	unsigned int done = 0;

	(void)state;
	for (unsigned int i = 0; i < NB(eddsa_vectors); i++) {
		struct ed t = ed_of(i);

		if (has(t.variant)) {
			check_vector(&t);
			done++;
		} else {
			ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, t.key,
				      command(ACCEL_HW_PK_SIGN, t.variant), &t.message, &t.context);
		}
		pk_key_free(t.key);
	}
	assert_true(done >= 10);
}

/* The public key of each vector's private one, which a context or an operand has. */
static void
test_public(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(eddsa_vectors); i++) {
		struct ed t = ed_of(i), other = ed_of(i == 0);
		struct pk_key *empty = PK_KEY(ALG, t.curve, NULL);
		struct pk_key *mixed = PK_KEY(ALG, t.curve, &t.private, NULL);
		struct answer answer = PK_DO(t.key, PUBLIC, NULL);

		assert_result(&answer, &t.public);
		answer = PK_DO(mixed, PUBLIC, NULL);
		assert_result(&answer, &t.public);
		answer = PK_DO(empty, PUBLIC, &t.private);
		assert_result(&answer, &t.public);
		if (other.curve == t.curve) { /* the operand comes before the component */
			answer = PK_DO(other.key, PUBLIC, &t.private);
			assert_result(&answer, &t.public);
		}
		pk_key_free(mixed);
		pk_key_free(empty);
		pk_key_free(other.key);
		pk_key_free(t.key);
	}
}

static void
test_generate(void **state)
{
	(void)state;
	for (unsigned int curve = ACCEL_HW_CURVE_ED25519; curve <= ACCEL_HW_CURVE_ED448; curve++) {
		const uint32_t len = curve == ACCEL_HW_CURVE_ED25519 ? 32 : 57;
		struct pk_key *empty = PK_KEY(ALG, curve, NULL);
		struct answer answer = PK_DO(empty, GENERATE, NULL), again;
		struct text private, public, signature, one = hex("01");

		assert_int_equal(answer.status, ACCEL_HW_OK);
		assert_int_equal(answer.produced, 2 * len);
		private = part_of(&answer, 0, len);
		public = part_of(&answer, len, len);
		again = PK_DO(empty, GENERATE, NULL);
		assert_memory_not_equal(again.data, answer.data, len);
		answer = PK_DO(empty, PUBLIC, &private);
		assert_result(&answer, &public);
		answer = PK_DO(empty, SIGN, &one, NULL, &private);
		signature = text_of(&answer);
		ASSERT_STATUS(ACCEL_HW_OK, empty, VERIFY, &one, &signature, NULL, &public);
		entropy_fails();
		ASSERT_STATUS(ACCEL_HW_NO_ENTROPY, empty, GENERATE, NULL);
		entropy_back();
		for (unsigned int variant = 1; variant < 4; variant++) {
			ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty,
				      command(ACCEL_HW_PK_GENERATE, variant), NULL);
			ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty,
				      command(ACCEL_HW_PK_PUBLIC, variant), &private);
		}
		pk_key_free(empty);
	}
}

/* The order of each curve, little-endian, added to s: the same s, which RFC 8032 forbids. */
static struct text
far_s(const struct ed *t)
{
	struct text order = hex(t->curve == ACCEL_HW_CURVE_ED25519 ?
		"edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010" :
		"f34458ab92c27823558fc58d72c26c219036d6ae49db4ec4e923ca7cffffffff"
		"ffffffffffffffffffffffffffffffffffffffffffffff3f00");
	struct text far = t->signature;
	unsigned int sum = 0;

	for (uint32_t i = 0; i < order.len; i++, sum >>= 8) {
		sum += (unsigned int)far.data[order.len + i] + order.data[i];
		far.data[order.len + i] = (uint8_t)sum;
	}
	return far;
}

static void
test_wrong_signatures(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(eddsa_vectors); i++) {
		struct ed t = ed_of(i);
		const struct accel_hw_pk_command verify = command(ACCEL_HW_PK_VERIFY, t.variant);
		struct text bad, longer = zeros_before(1, &t.signature), shorter = t.signature;
		struct text one = hex("01"), more = joined(&t.message, &one);
		struct text none = { .len = t.signature.len }, far = far_s(&t), ones = none;

		if (!has(t.variant)) {
			pk_key_free(t.key);
			continue;
		}
		memset(ones.data, 0xff, ones.len);
		shorter.len--;
		for (unsigned int j = 0; j < 10; j++) {
			bad = flipped(&t.signature, draw(8 * t.signature.len));
			ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, verify, &t.message, &bad,
				      &t.context);
		}
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, verify, &more, &t.signature, &t.context);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, verify, &t.message, &longer, &t.context);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, verify, &t.message, &shorter,
			      &t.context);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, verify, &t.message, &one, &t.context);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, verify, &t.message, &none, &t.context);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, verify, &t.message, &ones, &t.context);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, verify, &t.message, &far, &t.context);
		if (t.variant != ACCEL_HW_PK_PURE) {
			ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, verify, &t.message, &t.signature,
				      &one);
			ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, command(ACCEL_HW_PK_VERIFY, 0),
				      &t.message, &t.signature);
		}
		pk_key_free(t.key);
	}
}

/* Strings that are no points: y of p and more, a negative 0, and half of all others. */
static void
test_points(void **state)
{
	static const char *const bad[] = {
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", /* p */
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"0100000000000000000000000000000000000000000000000000000000000080", /* -0, 1 */
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", /* -0, -1 */
		"0200000000000000000000000000000000000000000000000000000000000000",
		"fffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffff"
		"ffffffffffffffffffffffffffffffffffffffffffffffff00", /* p */
		"0000000000000000000000000000000000000000000000000000000000000000"
		"00000000000000000000000000000000000000000000000001",
		"0100000000000000000000000000000000000000000000000000000000000000"
		"00000000000000000000000000000000000000000000000080", /* -0, 1 */
		"fefffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffff"
		"ffffffffffffffffffffffffffffffffffffffffffffffff80", /* -0, -1 */
	};
	static const char *const good[] = {
		"0100000000000000000000000000000000000000000000000000000000000000", /* 0, 1 */
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", /* 0, -1 */
		"0000000000000000000000000000000000000000000000000000000000000080", /* order 4 */
		"0100000000000000000000000000000000000000000000000000000000000000"
		"00000000000000000000000000000000000000000000000000",
		"0000000000000000000000000000000000000000000000000000000000000000"
		"00000000000000000000000000000000000000000000000080",
	};

	(void)state;
	for (unsigned int i = 0; i < NB(bad) + NB(good); i++) {
		const bool is_bad = i < NB(bad);
		struct text point = hex(is_bad ? bad[i] : good[i - NB(bad)]);
		/* R and s of 0, which OpenSSL finds right if the public key is 0. */
		struct text signature = { .len = 2 * point.len, .data = { is_bad ? 1 : 5 } };
		const unsigned int curve = point.len == 32 ? ACCEL_HW_CURVE_ED25519 :
							     ACCEL_HW_CURVE_ED448;
		struct pk_key *empty = PK_KEY(ALG, curve, NULL);

		ASSERT_STATUS(is_bad ? ACCEL_HW_INVALID_POINT : ACCEL_HW_AUTH_FAILED, empty, VERIFY,
			      &signature, &signature, NULL, &point);
		if (is_bad)
			ASSERT_NO_KEY(ALG, curve, NULL, &point);
		else
			pk_key_free(PK_KEY(ALG, curve, NULL, &point));
		pk_key_free(empty);
	}
}

/* Random strings: about half are points, and the key says the same as verifying. */
static void
test_random_points(void **state)
{
	(void)state;
	for (unsigned int curve = ACCEL_HW_CURVE_ED25519; curve <= ACCEL_HW_CURVE_ED448; curve++) {
		struct text point = { .len = curve == ACCEL_HW_CURVE_ED25519 ? 32 : 57 };
		struct text one = hex("01");
		struct pk_key *empty = PK_KEY(ALG, curve, NULL), *key;
		unsigned int points = 0;
		uint16_t status;

		for (unsigned int i = 0; i < 200; i++) {
			draw_bytes(point.data, point.len);
			if (point.len == 57)
				point.data[56] &= 0x80;
			key = PK_KEY_TRY(ALG, curve, &status, NULL, &point);
			ASSERT_STATUS(key != NULL ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_INVALID_POINT,
				      empty, VERIFY, NULL, &one, NULL, &point);
			points += key != NULL;
			pk_key_free(key);
		}
		assert_in_range(points, 60, 140);
		pk_key_free(empty);
	}
}

/* Only the private key: its own point signs, whatever the context's public one is. */
static void
test_own_point(void **state)
{
	struct ed one = ed_of(0), two = ed_of(1);
	struct pk_key *mixed = PK_KEY(ALG, ACCEL_HW_CURVE_ED25519, &one.private, &two.public);
	struct answer answer = PK_DO(mixed, SIGN, NULL);

	(void)state;
	assert_result(&answer, &one.signature);
	ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, mixed, VERIFY, NULL, &one.signature);
	ASSERT_STATUS(ACCEL_HW_OK, mixed, VERIFY, &two.message, &two.signature);
	pk_key_free(mixed);
	pk_key_free(one.key);
	pk_key_free(two.key);
}

static void
test_lengths(void **state)
{
	struct ed t = ed_of(0);
	struct text longer = zeros_before(1, &t.private), shorter = t.private;

	(void)state;
	shorter.len--;
	ASSERT_NO_KEY(ALG, t.curve, &longer);
	ASSERT_NO_KEY(ALG, t.curve, &shorter);
	ASSERT_NO_KEY(ALG, t.curve, NULL, &longer);
	ASSERT_NO_KEY(ALG, t.curve, NULL, &shorter);
	ASSERT_NO_KEY(ALG, ACCEL_HW_CURVE_ED448, &t.private);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, SIGN, NULL, NULL, &longer);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, SIGN, NULL, NULL, &shorter);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, PUBLIC, &longer);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, PUBLIC, &shorter);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, VERIFY, NULL, &t.signature, NULL, &longer);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, VERIFY, NULL, &t.signature, NULL, &shorter);
	pk_key_free(t.key);
}

/* Context strings of 255 bytes and more, none, and one where none may be. */
static void
test_contexts(void **state)
{
	struct text text = { .len = 255 }, longer = { .len = 256 };

	(void)state;
	for (unsigned int i = 0; i < NB(eddsa_vectors); i++) {
		struct ed t = ed_of(i);

		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, t.key, SIGN, NULL, &text);
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, t.key, VERIFY, NULL, &t.signature, &text);
		for (unsigned int variant = 1; variant < 3; variant++) {
			const bool needed = t.curve == ACCEL_HW_CURVE_ED25519 && variant == 1;
			const struct accel_hw_pk_command sign = command(ACCEL_HW_PK_SIGN, variant);
			const struct accel_hw_pk_command verify =
					command(ACCEL_HW_PK_VERIFY, variant);
			struct answer answer;

			if (!has(variant))
				continue;
			answer = PK_DO(t.key, sign, NULL, &text);
			assert_int_equal(answer.status, ACCEL_HW_OK);
			ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, sign, NULL, &longer);
			ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, verify, NULL, &t.signature,
				      &longer);
			answer = PK_DO(t.key, sign, NULL, NULL);
			assert_int_equal(answer.status,
					 needed ? ACCEL_HW_BAD_OPERAND : ACCEL_HW_OK);
		}
		pk_key_free(t.key);
	}
}

static void
test_commands(void **state)
{
	struct ed t = ed_of(0);
	struct text one = hex("01");
	struct pk_key *empty = PK_KEY(ALG, t.curve, NULL);

	(void)state;
	assert_strict(t.key, ACCEL_HW_PK_PUBLIC, PK_TEXTS(&t.private), 1);
	assert_strict(t.key, ACCEL_HW_PK_SIGN, PK_TEXTS(&one, NULL, NULL), 3);
	assert_strict(t.key, ACCEL_HW_PK_VERIFY, PK_TEXTS(&one, &one, NULL, NULL), 4);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, PUBLIC, NULL);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, SIGN, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, VERIFY, &one, &t.signature);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, t.key, VERIFY, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, t.key, pk_command(1), &one);
	ASSERT_NO_KEY(ALG, ACCEL_HW_CURVE_X25519, NULL);
	ASSERT_NO_KEY(ALG, t.curve, &t.private, &t.public, &one);
	pk_key_free(empty);
	pk_key_free(t.key);
}

static void *
sign_and_verify(void *arg)
{
	struct ed *t = arg;

	for (unsigned int i = 0; i < 100; i++) {
		struct answer answer = PK_DO(t->key, SIGN, &t->message);

		if (answer.status != ACCEL_HW_OK ||
				memcmp(answer.data, t->signature.data, t->signature.len) != 0)
			return NULL;
		if (PK_DO(t->key, VERIFY, &t->message, &t->signature).status != ACCEL_HW_OK)
			return NULL;
	}
	return t;
}

static void
test_threads(void **state)
{
	struct ed t = ed_of(2);

	(void)state;
	in_threads(sign_and_verify, &t);
	pk_key_free(t.key);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_public),
		cmocka_unit_test(test_generate),
		cmocka_unit_test(test_wrong_signatures),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_random_points),
		cmocka_unit_test(test_own_point),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_contexts),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_threads),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
