/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * SM2: the examples of GB/T 32918.5 with their k, ids and messages of many lengths, the digest in
 * place of the message, ciphertexts and signatures that are wrong, and points and numbers that are
 * none.
 */
#include "pk_base/pk_curve.h"

#define ALG ACCEL_HW_PK_SM2
#define CURVE ACCEL_HW_CURVE_SM2
#define ENCRYPT pk_command(ACCEL_HW_PK_ENCRYPT)
#define DECRYPT pk_command(ACCEL_HW_PK_DECRYPT)
#define SIGN hashed(ACCEL_HW_PK_SIGN)
#define VERIFY hashed(ACCEL_HW_PK_VERIFY)
#define SIGN_E pk_command(ACCEL_HW_PK_SIGN)
#define VERIFY_E pk_command(ACCEL_HW_PK_VERIFY)

static struct accel_hw_pk_command
hashed(unsigned int operation)
{
	struct accel_hw_pk_command cmd = pk_command(operation);

	cmd.hash = ACCEL_HW_AUTH_SM3;
	return cmd;
}

/* A vector, and a key of its d, x and y. */
struct sm2 {
	struct text d, x, y, id, message, k, e, r, s, ciphertext;
	struct pk_key *key;
};

static struct sm2
sm2_of(unsigned int i)
{
	const struct pk_sm2_vector *v = &sm2_vectors[i];
	struct sm2 t = { hex(v->d), hex(v->x), hex(v->y), hex(v->id), hex(v->message), hex(v->k),
			 hex(v->e), hex(v->r), hex(v->s), hex(v->ciphertext), NULL };

	t.key = PK_KEY(ALG, CURVE, &t.d, &t.x, &t.y);
	return t;
}

static void
test_caps(void **state)
{
	const struct pk_caps *caps = pk_caps(ALG);

	(void)state;
	assert_non_null(caps);
	assert_int_equal(caps->operations, 0x1e);
	assert_int_equal(caps->nb_curves, 1);
	assert_int_equal(caps->curve[0], CURVE);
	assert_int_equal(caps->nb_hashes, 1);
	assert_int_equal(caps->hash[0], ACCEL_HW_AUTH_SM3);
}

static void
test_sign_vectors(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(sm2_vectors); i++) {
		struct sm2 t = sm2_of(i);
		struct text want = joined(&t.r, &t.s), d = zeros_before(3, &t.d);
		struct text long_r = zeros_before(70, &t.r), long_x = zeros_before(1, &t.x);
		struct pk_key *empty = PK_KEY(ALG, CURVE, NULL), *only_d = PK_KEY(ALG, CURVE, &t.d);
		struct sm2 other = sm2_of((i + 2) % NB(sm2_vectors));
		struct answer answer = PK_DO(t.key, SIGN, &t.message, &t.id, NULL, &t.k);

		assert_result(&answer, &want);
		answer = PK_DO(empty, SIGN, &t.message, &t.id, &d, &t.k);
		assert_result(&answer, &want);
		answer = PK_DO(only_d, SIGN, &t.message, &t.id, NULL, &t.k);
		assert_result(&answer, &want);
		/* Not with x and y of another d. */
		answer = PK_DO(other.key, SIGN, &t.message, &t.id, &t.d, &t.k);
		assert_result(&answer, &want);
		answer = PK_DO(t.key, SIGN_E, &t.e, NULL, NULL, &t.k);
		assert_result(&answer, &want);
		ASSERT_STATUS(ACCEL_HW_OK, t.key, VERIFY, &t.message, &t.r, &t.s, &t.id);
		ASSERT_STATUS(ACCEL_HW_OK, t.key, VERIFY_E, &t.e, &t.r, &t.s);
		ASSERT_STATUS(ACCEL_HW_OK, empty, VERIFY, &t.message, &long_r, &t.s, &t.id, &long_x,
			      &t.y);
		pk_key_free(other.key);
		pk_key_free(only_d);
		pk_key_free(empty);
		pk_key_free(t.key);
	}
}

static void
test_encrypt_vectors(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB(sm2_vectors); i++) {
		struct sm2 t = sm2_of(i);
		struct text x = bytes_of(t.ciphertext.data, 32);
		struct text y = bytes_of(t.ciphertext.data + 32, 32);
		struct text rest = bytes_of(t.ciphertext.data + 64, t.ciphertext.len - 64);
		struct text long_x = zeros_before(5, &x);
		struct pk_key *empty = PK_KEY(ALG, CURVE, NULL);
		struct answer answer = PK_DO(t.key, ENCRYPT, &t.message, NULL, NULL, &t.k);

		assert_result(&answer, &t.ciphertext);
		answer = PK_DO(empty, hashed(ACCEL_HW_PK_ENCRYPT), &t.message, &t.x, &t.y, &t.k);
		assert_result(&answer, &t.ciphertext);
		answer = PK_DO(t.key, DECRYPT, &x, &y, &rest);
		assert_result(&answer, &t.message);
		answer = PK_DO(empty, DECRYPT, &long_x, &y, &rest, &t.d);
		assert_result(&answer, &t.message);
		pk_key_free(empty);
		pk_key_free(t.key);
	}
}

/* Any length, also 1, where the key stream is 0 now and then. Without k each result is another. */
static void
test_random(void **state)
{
	struct sm2 t = sm2_of(0);

	(void)state;
	for (unsigned int i = 0; i < 40; i++) {
		struct text message = { .len = i < 20 ? 1 : 1 + draw(i < 39 ? 300 : 8000) };
		struct text x, y, rest, r, s, last = { .len = 0 };
		struct answer answer;

		draw_bytes(message.data, message.len);
		answer = PK_DO(t.key, ENCRYPT, &message);
		assert_int_equal(answer.produced, 96 + message.len);
		x = part_of(&answer, 0, 32);
		y = part_of(&answer, 32, 32);
		rest = part_of(&answer, 64, 32 + message.len);
		assert_memory_not_equal(x.data, last.data, 32);
		last = x;
		answer = PK_DO(t.key, DECRYPT, &x, &y, &rest);
		assert_result(&answer, &message);
		answer = PK_DO(t.key, SIGN, &message);
		r = part_of(&answer, 0, 32);
		s = part_of(&answer, 32, 32);
		ASSERT_STATUS(ACCEL_HW_OK, t.key, VERIFY, &message, &r, &s);
	}
	pk_key_free(t.key);
}

/* A message may be empty, and an id that is absent is the usual one. */
static void
test_empty(void **state)
{
	struct sm2 t = sm2_of(0);
	struct text usual = bytes_of("1234567812345678", 16), r, s;
	struct answer answer = PK_DO(t.key, SIGN, NULL);

	(void)state;
	r = part_of(&answer, 0, 32);
	s = part_of(&answer, 32, 32);
	ASSERT_STATUS(ACCEL_HW_OK, t.key, VERIFY, NULL, &r, &s, &usual);
	ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY, &usual, &r, &s);
	pk_key_free(t.key);
}

static void
test_wrong_signatures(void **state)
{
	struct text n = order_of(CURVE), none = { .len = 32 }, huge = { .len = 99, .data = { 1 } };

	(void)state;
	for (unsigned int i = 0; i < NB(sm2_vectors); i++) {
		struct sm2 t = sm2_of(i);
		struct text bad_m = flipped(&t.message, draw(8 * t.message.len)), id = hex("41");
		struct text bad_r = flipped(&t.r, draw(256)), bad_s = flipped(&t.s, draw(256));
		struct text far_r = sum_of(&t.r, &n), far_s = sum_of(&t.s, &n);
		struct text minus_r = { .len = 32 }, bad_e = flipped(&t.e, draw(256));
		int borrow = 0;

		if (t.id.len == 1 && t.id.data[0] == 0x41)
			id.data[0]++;
		/* r + s = n */
		for (unsigned int j = 32; j-- > 0;) {
			int byte = n.data[j] - t.r.data[j] - borrow;

			borrow = byte < 0;
			minus_r.data[j] = (uint8_t)byte;
		}
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY, &bad_m, &t.r, &t.s, &t.id);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY, &t.message, &t.r, &t.s, &id);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &bad_e, &t.r, &t.s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &t.e, &bad_r, &t.s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &t.e, &t.r, &bad_s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &t.e, &none, &t.s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &t.e, &t.r, &none);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &t.e, &n, &t.s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &t.e, &t.r, &n);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &t.e, &far_r, &t.s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &t.e, &t.r, &far_s);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &t.e, &t.r, &minus_r);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &t.e, &huge, &t.s);
		pk_key_free(t.key);
	}
}

/* Each part of a ciphertext changed: not on the curve, or not what C3 says. */
static void
test_wrong_ciphertexts(void **state)
{
	struct sm2 t = sm2_of(1), other = sm2_of(2);
	struct text x = bytes_of(t.ciphertext.data, 32), y = bytes_of(t.ciphertext.data + 32, 32);
	struct text rest = bytes_of(t.ciphertext.data + 64, t.ciphertext.len - 64), part = rest;
	struct text none = { .len = 32 }, off = flipped(&y, 3), p = field_of(CURVE), bad, far;

	(void)state;
	far = sum_of(&x, &p);
	ASSERT_STATUS(ACCEL_HW_INVALID_POINT, t.key, DECRYPT, &x, &off, &rest);
	ASSERT_STATUS(ACCEL_HW_INVALID_POINT, t.key, DECRYPT, &none, &none, &rest);
	ASSERT_STATUS(ACCEL_HW_INVALID_POINT, t.key, DECRYPT, &far, &y, &rest);
	for (uint32_t i = 0; i < 8 * rest.len; i++) {
		bad = flipped(&rest, i);
		ASSERT_STATUS(ACCEL_HW_DECRYPT_FAILED, t.key, DECRYPT, &x, &y, &bad);
	}
	for (part.len = 1; part.len < rest.len; part.len++)
		ASSERT_STATUS(part.len <= 32 ? ACCEL_HW_BAD_OPERAND : ACCEL_HW_DECRYPT_FAILED,
			      t.key, DECRYPT, &x, &y, &part);
	ASSERT_STATUS(ACCEL_HW_DECRYPT_FAILED, t.key, DECRYPT, &other.x, &other.y, &rest);
	ASSERT_STATUS(ACCEL_HW_DECRYPT_FAILED, other.key, DECRYPT, &x, &y, &rest);
	pk_key_free(t.key);
	pk_key_free(other.key);
}

static void
test_numbers(void **state)
{
	struct sm2 t = sm2_of(0);
	struct text n = order_of(CURVE), less = less_1(&n), none = { .len = 2 }, more = plus(&n, 1);
	struct text id = { .len = 8192 }, e = { .len = 31 }, p = field_of(CURVE);
	struct text off = flipped(&t.y, 7);
	struct text longer = { .len = 33 };
	const struct text *const bad[] = { &none, &n, &more };

	(void)state;
	for (unsigned int i = 0; i < NB(bad); i++) {
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, SIGN, &t.message, NULL, bad[i]);
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, SIGN, &t.message, NULL, NULL, bad[i]);
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, ENCRYPT, &t.message, NULL, NULL, bad[i]);
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, DECRYPT, &t.x, &t.y, &t.ciphertext,
			      bad[i]);
		ASSERT_NO_KEY(ALG, CURVE, bad[i]);
	}
	/* d of n - 1 has no 1 / (1 + d), but decrypts. */
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, SIGN, &t.message, NULL, &less);
	ASSERT_STATUS(ACCEL_HW_DECRYPT_FAILED, t.key, DECRYPT, &t.x, &t.y, &t.ciphertext, &less);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, SIGN, &t.message, &id);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, VERIFY, &t.message, &t.r, &t.s, &id);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, SIGN_E, &e);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, SIGN_E, &longer);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, SIGN_E, NULL);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, VERIFY_E, &e, &t.r, &t.s);
	ASSERT_STATUS(ACCEL_HW_INVALID_POINT, t.key, VERIFY, &t.message, &t.r, &t.s, NULL, &t.x,
		      &off);
	ASSERT_STATUS(ACCEL_HW_INVALID_POINT, t.key, ENCRYPT, &t.message, &t.x, &off);
	ASSERT_STATUS(ACCEL_HW_INVALID_POINT, t.key, ENCRYPT, &t.message, &p, &t.y);
	ASSERT_NO_KEY(ALG, CURVE, &t.d, &t.x, &off);
	ASSERT_NO_KEY(ALG, CURVE, &t.d, &p);
	pk_key_free(t.key);
}

/* A given k whose r, r + k or s is 0: e is chosen so, since r = e + x of the point. */
static void
test_k_that_cannot(void **state)
{
	struct text one = hex("01"), n = order_of(CURVE), e = { .len = 32 }, digest = { .len = 32 };
	struct pk_key *key = PK_KEY(ALG, CURVE, &one);
	struct answer answer = PK_DO(key, SIGN_E, &e, NULL, NULL, &one);
	BIGNUM *x = BN_bin2bn(answer.data, 32, NULL), *order = BN_bin2bn(n.data, 32, NULL);

	(void)state;
	assert_int_equal(answer.status, ACCEL_HW_OK); /* r = x, since e = 0 */
	BN_sub(x, order, x);
	BN_bn2binpad(x, digest.data, 32);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN_E, &digest, NULL, NULL, &one);
	BN_sub_word(x, 1); /* r = n - 1 */
	BN_bn2binpad(x, digest.data, 32);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN_E, &digest, NULL, NULL, &one);
	BN_add_word(x, 2); /* r = 1 = k / d */
	BN_bn2binpad(x, digest.data, 32);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN_E, &digest, NULL, NULL, &one);
	BN_add_word(x, 1);
	BN_bn2binpad(x, digest.data, 32);
	assert_int_equal(PK_DO(key, SIGN_E, &digest, NULL, NULL, &one).status, ACCEL_HW_OK);
	BN_free(x);
	BN_free(order);
	pk_key_free(key);
}

/* With r + s = n any e could be made to fit, since the public key drops out: e = r - x of s G. */
static void
test_forged(void **state)
{
	struct sm2 t = sm2_of(0);
	struct text one = hex("01"), n = order_of(CURVE), r = less_1(&n), e = { .len = 32 };
	BIGNUM *number = BN_bin2bn(r.data, (int)r.len, NULL), *x = NULL;

	(void)state;
	BN_hex2bn(&x, "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7");
	BN_sub(number, number, x);
	BN_bn2binpad(number, e.data, 32);
	ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, t.key, VERIFY_E, &e, &r, &one);
	BN_free(number);
	BN_free(x);
	pk_key_free(t.key);
}

/* A ciphertext for d = 1, whose shared point is C1, with a k whose key stream of one byte is 0. C3
 * is right, and yet it is refused (GB/T 32918.4, 6.1). */
static void
check_stream_of_zero(const struct pk_key *key, const struct text *k, const struct text *message)
{
	struct text two = hex("0102"), x, y, part, rest = { .len = 33 };
	struct answer answer = PK_DO(key, ENCRYPT, &two, NULL, NULL, k);

	x = part_of(&answer, 0, 32);
	y = part_of(&answer, 32, 32);
	part = joined(&x, message);
	part = joined(&part, &y);
	assert_int_equal(EVP_Q_digest(NULL, "SM3", NULL, part.data, part.len, rest.data, NULL), 1);
	rest.data[32] = message->data[0];
	ASSERT_STATUS(ACCEL_HW_DECRYPT_FAILED, key, DECRYPT, &x, &y, &rest);
}

/* A key stream of one byte that is 0, about one k in 256: refused if k is given. */
static void
test_stream_of_zero(void **state)
{
	struct text message = hex("5a"), one = hex("01"), k = { .len = 2 };
	struct text x = hex("32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7");
	struct text y = hex("bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0");
	struct pk_key *key = PK_KEY(ALG, CURVE, &one, &x, &y);
	unsigned int refused = 0;

	(void)state;
	for (unsigned int i = 1; i <= 1024; i++) {
		struct answer answer;

		k.data[0] = (uint8_t)(i >> 8);
		k.data[1] = (uint8_t)i;
		answer = PK_DO(key, ENCRYPT, &message, NULL, NULL, &k);
		if (answer.status == ACCEL_HW_BAD_OPERAND) {
			check_stream_of_zero(key, &k, &message);
			refused++;
			continue;
		}
		assert_int_equal(answer.status, ACCEL_HW_OK);
		assert_int_not_equal(answer.data[96], 0x5a);
	}
	assert_in_range(refused, 1, 20);
	pk_key_free(key);
}

static void
test_commands(void **state)
{
	struct sm2 t = sm2_of(0);
	struct text one = hex("01");
	struct pk_key *empty = PK_KEY(ALG, CURVE, NULL), *only_x = PK_KEY(ALG, CURVE, NULL, &t.x);
	struct accel_hw_pk_command cmd = SIGN;

	(void)state;
	assert_strict(t.key, ACCEL_HW_PK_ENCRYPT, PK_TEXTS(&one, &t.x, &t.y, &one), 4);
	assert_strict(t.key, ACCEL_HW_PK_DECRYPT, PK_TEXTS(&t.x, &t.y, &t.ciphertext, &one), 4);
	assert_strict(t.key, ACCEL_HW_PK_SIGN, PK_TEXTS(&t.e, NULL, &one, &one), 4);
	assert_strict(t.key, ACCEL_HW_PK_VERIFY, PK_TEXTS(&t.e, &one, &one, NULL, &t.x, &t.y), 6);
	cmd.mgf_hash = ACCEL_HW_AUTH_SM3;
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, t.key, cmd, &t.message);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, t.key, SIGN_E, &t.e, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, t.key, VERIFY_E, &t.e, &one, &one, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, SIGN, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, ENCRYPT, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, only_x, ENCRYPT, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, VERIFY, &one, &one, &one, NULL, &t.x);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, empty, DECRYPT, &t.x, &t.y, &t.ciphertext);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, t.key, ENCRYPT, NULL);
	ASSERT_NO_KEY(ALG, ACCEL_HW_CURVE_P256, &one);
	ASSERT_NO_KEY(ALG, CURVE, &t.d, &t.x, &t.y, &one);
	pk_key_free(only_x);
	pk_key_free(empty);
	pk_key_free(t.key);
}

static void
test_no_entropy(void **state)
{
	struct sm2 t = sm2_of(1);

	(void)state;
	entropy_fails();
	ASSERT_STATUS(ACCEL_HW_NO_ENTROPY, t.key, SIGN, &t.message);
	ASSERT_STATUS(ACCEL_HW_NO_ENTROPY, t.key, ENCRYPT, &t.message);
	entropy_back();
	assert_int_equal(PK_DO(t.key, SIGN, &t.message).status, ACCEL_HW_OK);
	pk_key_free(t.key);
}

static void *
sign_and_verify(void *arg)
{
	struct pk_key *key = arg;
	struct text message = hex("0011"), r, s;

	for (unsigned int i = 0; i < 10; i++) {
		struct answer answer = PK_DO(key, SIGN, &message);

		if (answer.status != ACCEL_HW_OK)
			return NULL;
		r = bytes_of(answer.data, 32);
		s = bytes_of(answer.data + 32, 32);
		if (PK_DO(key, VERIFY, &message, &r, &s).status != ACCEL_HW_OK)
			return NULL;
	}
	return key;
}

static void
test_threads(void **state)
{
	struct sm2 t = sm2_of(0);

	(void)state;
	in_threads(sign_and_verify, t.key);
	pk_key_free(t.key);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_sign_vectors),
		cmocka_unit_test(test_encrypt_vectors),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_wrong_signatures),
		cmocka_unit_test(test_wrong_ciphertexts),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_k_that_cannot),
		cmocka_unit_test(test_forged),
		cmocka_unit_test(test_stream_of_zero),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_no_entropy),
		cmocka_unit_test(test_threads),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
