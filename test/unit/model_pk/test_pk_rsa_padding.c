/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tampered paddings of RSA (PK-12 to PK-14): each byte of an encoded message, and faults in each
 * part of it. Encoded messages are made here, as RFC 8017 writes them, and put through the raw
 * operations of the engine. ACCEL_TEST_SEED repeats a run.
 */
#include "pk_base/pk_encode.h"
#include "pk_base/pk_rsa.h"

#define NONE ACCEL_HW_PK_PADDING_NONE
#define PKCS1 ACCEL_HW_PK_PADDING_PKCS1
#define OAEP ACCEL_HW_PK_PADDING_OAEP
#define PSS ACCEL_HW_PK_PADDING_PSS
#define SHA256 ACCEL_HW_AUTH_SHA256

#define EM 128u /* bytes of an encoded message */
#define HASH ENCODE_HASH
#define DB (EM - 1 - HASH)

static struct rsa_text text;
static struct pk_key *key;

static int
setup(void **state)
{
	(void)state;
	rsa_make(&text, 1024, "010001");
	key = rsa_key(&text, RSA_ALL_PARTS);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	pk_key_free(key);
	EVP_PKEY_free(text.peer);
	return 0;
}

static struct answer
raw(unsigned int operation, const struct text *number)
{
	return PK_DO(key, rsa_command(operation, NONE, 0, 0, 0), number);
}

/* Has an encoded message decrypted. */
static struct answer
decrypt(const struct text *em, unsigned int padding, unsigned int hash)
{
	struct answer answer = raw(ACCEL_HW_PK_ENCRYPT, em);
	struct text cipher = text_of(&answer);

	return PK_DO(key, rsa_command(ACCEL_HW_PK_DECRYPT, padding, hash, 0, 0), &cipher);
}

static bool
below_n(const struct text *em)
{
	return memcmp(em->data, text.part[ACCEL_HW_RSA_N].data, EM) < 0;
}

static struct text
pkcs1_encode(const struct text *message)
{
	struct text em = { .len = EM };

	encode_pkcs1(em.data, EM, message->data, message->len);
	return em;
}

static struct text
oaep_encode(uint8_t first, const uint8_t *db)
{
	struct text em = { .len = EM };

	encode_oaep(em.data, EM, first, db);
	return em;
}

static void
oaep_db(uint8_t *db, uint32_t message_len)
{
	encode_oaep_db(db, EM, message_len);
}

/* RFC 8017, 7.2.2: where the message begins, or 0 */
static uint32_t
pkcs1_message(const struct text *em)
{
	uint32_t at = 2;

	if (em->data[0] != 0 || em->data[1] != 2)
		return 0;
	while (at < EM && em->data[at] != 0)
		at++;
	return at < EM && at >= 10 ? at + 1 : 0;
}

static void
pkcs1_check(const struct text *em)
{
	uint32_t begin = pkcs1_message(em);
	struct text want = { 0 };
	struct answer answer;

	if (!below_n(em))
		return;
	answer = decrypt(em, PKCS1, 0);
	if (begin > 0) {
		want = bytes_of(em->data + begin, EM - begin);
		assert_result(&answer, &want);
	} else {
		assert_int_equal(answer.status, ACCEL_HW_DECRYPT_FAILED);
		assert_int_equal(answer.produced, 0);
	}
}

static void
test_pkcs1_each_byte(void **state)
{
	static const uint8_t values[] = { 0, 1, 2, 0xff };
	struct text message = { .len = 40 }, em, changed;

	(void)state;
	draw_bytes(message.data, message.len);
	em = pkcs1_encode(&message);
	pkcs1_check(&em);
	for (uint32_t i = 0; i < EM; i++) {
		for (unsigned int v = 0; v < sizeof(values); v++) {
			changed = em;
			changed.data[i] = values[v];
			pkcs1_check(&changed);
		}
	}
}

/* No zero at all, nothing but zeros, messages of each length up to the longest and beyond. */
static void
test_pkcs1_forms(void **state)
{
	struct text em = { .len = EM }, message = { 0 };

	(void)state;
	pkcs1_check(&em);
	memset(em.data, 0xff, EM);
	em.data[0] = 0;
	em.data[1] = 2;
	pkcs1_check(&em);
	em.data[1] = 1;
	em.data[20] = 0;
	pkcs1_check(&em);
	for (message.len = 0; message.len <= EM - 3; message.len++) {
		draw_bytes(message.data, message.len);
		em = pkcs1_encode(&message);
		assert_int_equal(pkcs1_message(&em) > 0, message.len <= EM - 11);
		pkcs1_check(&em);
	}
}

static void
oaep_fails(const struct text *em)
{
	struct answer answer;

	if (!below_n(em))
		return;
	answer = decrypt(em, OAEP, SHA256);
	assert_int_equal(answer.status, ACCEL_HW_DECRYPT_FAILED);
	assert_int_equal(answer.produced, 0);
}

static void
test_oaep_each_byte(void **state)
{
	struct answer answer;
	struct text em, changed, want;
	uint8_t db[DB];

	(void)state;
	for (uint32_t len = 0; len <= DB - HASH - 1; len += len < 3 ? 1 : 19) {
		oaep_db(db, len);
		em = oaep_encode(0, db);
		answer = decrypt(&em, OAEP, SHA256);
		want = bytes_of(db + DB - len, len);
		assert_result(&answer, &want);
	}
	for (uint32_t i = 0; i < EM; i++) {
		changed = em;
		changed.data[i] ^= (uint8_t)(1u << draw(8));
		oaep_fails(&changed);
	}
}

/* One fault at a time in the deciphered parts */
static void
test_oaep_parts(void **state)
{
	uint8_t db[DB], bad[DB];
	struct text em;

	(void)state;
	oaep_db(db, 20);
	em = oaep_encode(1, db);
	oaep_fails(&em);
	for (uint32_t i = 0; i < DB - 20; i++) {
		memcpy(bad, db, DB);
		bad[i] ^= i == DB - 21 ? 3 : 0x80; /* 01 becomes 02 */
		em = oaep_encode(0, bad);
		oaep_fails(&em);
	}
	memcpy(bad, db, DB);
	memset(bad + HASH, 0, DB - HASH); /* no 01 */
	em = oaep_encode(0, bad);
	oaep_fails(&em);
}

/* Has an encoded message signed without padding, and verified with one. */
static uint16_t
verify(const struct text *em, struct accel_hw_pk_command cmd, const struct text *digest)
{
	struct answer answer = raw(ACCEL_HW_PK_SIGN, em);
	struct text signature = text_of(&answer);

	answer = PK_DO(key, cmd, digest, &signature);
	assert_int_equal(answer.produced, 0);
	return answer.status;
}

/* Each byte of signatures with PKCS#1 v1.5 and PSS */
static void
test_signature_each_byte(void **state)
{
	static const unsigned int paddings[] = { PKCS1, PSS };
	struct text digest = { .len = HASH }, signature, em, changed;

	(void)state;
	draw_bytes(digest.data, HASH);
	for (unsigned int p = 0; p < 2; p++) {
		struct accel_hw_pk_command cmd = rsa_command(ACCEL_HW_PK_SIGN, paddings[p], SHA256,
				0, p * 20);
		struct answer answer = PK_DO(key, cmd, &digest);

		signature = text_of(&answer);
		answer = raw(ACCEL_HW_PK_ENCRYPT, &signature);
		em = text_of(&answer);
		cmd.operation = ACCEL_HW_PK_VERIFY;
		assert_int_equal(verify(&em, cmd, &digest), ACCEL_HW_OK);
		for (uint32_t i = 0; i < EM; i++) {
			changed = em;
			changed.data[i] ^= (uint8_t)(1u << draw(7));
			if (below_n(&changed))
				assert_int_equal(verify(&changed, cmd, &digest),
						ACCEL_HW_AUTH_FAILED);
		}
	}
}

/* RFC 8017, 9.2, of a DigestInfo that begins at `at`; what is behind it is garbage */
static struct text
signature_encode(uint32_t at, const struct text *info, const struct text *digest)
{
	struct text em = { .len = EM };

	draw_bytes(em.data, EM);
	memset(em.data, 0xff, at);
	em.data[0] = 0;
	em.data[1] = 1;
	em.data[at - 1] = 0;
	memcpy(em.data + at, info->data, info->len);
	memcpy(em.data + at + info->len, digest->data, digest->len);
	return em;
}

/* Forms that lenient parsers have taken: garbage behind the digest, no NULL, lengths in two bytes,
 * another hash, a few bytes of padding. */
static void
test_signature_forms(void **state)
{
	const struct accel_hw_pk_command cmd = rsa_command(ACCEL_HW_PK_VERIFY, PKCS1, SHA256, 0, 0);
	struct text digest = { .len = HASH }, em, info;

	(void)state;
	draw_bytes(digest.data, HASH);
	info = hex("3031300d060960864801650304020105000420");
	em = signature_encode(EM - info.len - HASH, &info, &digest);
	assert_int_equal(verify(&em, cmd, &digest), ACCEL_HW_OK);
	em = signature_encode(EM - info.len - HASH - 1, &info, &digest);
	assert_int_equal(verify(&em, cmd, &digest), ACCEL_HW_AUTH_FAILED);
	em = signature_encode(11, &info, &digest);
	assert_int_equal(verify(&em, cmd, &digest), ACCEL_HW_AUTH_FAILED);
	em = signature_encode(3, &info, &digest);
	assert_int_equal(verify(&em, cmd, &digest), ACCEL_HW_AUTH_FAILED);
	info = hex("302f300b0609608648016503040201" "0420");
	em = signature_encode(EM - info.len - HASH, &info, &digest);
	assert_int_equal(verify(&em, cmd, &digest), ACCEL_HW_AUTH_FAILED);
	info = hex("308131300d060960864801650304020105000420");
	em = signature_encode(EM - info.len - HASH, &info, &digest);
	assert_int_equal(verify(&em, cmd, &digest), ACCEL_HW_AUTH_FAILED);
	info = hex("3031300d060960864801650304020805000420"); /* SHA3-256 */
	em = signature_encode(EM - info.len - HASH, &info, &digest);
	assert_int_equal(verify(&em, cmd, &digest), ACCEL_HW_AUTH_FAILED);
	info.len = 0;
	em = signature_encode(EM - HASH, &info, &digest);
	assert_int_equal(verify(&em, cmd, &digest), ACCEL_HW_AUTH_FAILED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pkcs1_each_byte),
		cmocka_unit_test(test_pkcs1_forms),
		cmocka_unit_test(test_oaep_each_byte),
		cmocka_unit_test(test_oaep_parts),
		cmocka_unit_test(test_signature_each_byte),
		cmocka_unit_test(test_signature_forms),
	};

	rng_start();
	return cmocka_run_group_tests(tests, setup, teardown);
}
