/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ML-KEM and ML-DSA, if the OpenSSL that is linked has them (3.5): seeds to keys, ciphertexts and
 * signatures, as other implementations have computed them, and keys, ciphertexts and signatures
 * that are wrong. With an older OpenSSL there are no such algorithms.
 */
#include "pk_base/pk_curve.h"
#include "vectors/pk_ml_vectors.h"

#define KEM ACCEL_HW_PK_ML_KEM
#define DSA ACCEL_HW_PK_ML_DSA
#define GENERATE pk_command(ACCEL_HW_PK_GENERATE)
#define ENCAPS pk_command(ACCEL_HW_PK_ENCAPS)
#define DECAPS pk_command(ACCEL_HW_PK_DECAPS)
#define CHECK pk_command(ACCEL_HW_PK_CHECK)
#define SIGN pk_command(ACCEL_HW_PK_SIGN)
#define VERIFY pk_command(ACCEL_HW_PK_VERIFY)

static void
test_caps(void **state)
{
	const bool here = OpenSSL_version_num() >= 0x30500000;
	const struct pk_caps *kem = pk_caps(KEM), *dsa = pk_caps(DSA);

	(void)state;
	assert_int_equal(kem != NULL, here);
	assert_int_equal(dsa != NULL, here);
	if (!here) {
		ASSERT_NO_KEY(KEM, ACCEL_HW_ML_KEM_512, NULL);
		ASSERT_NO_KEY(DSA, ACCEL_HW_ML_DSA_44, NULL);
		return;
	}
	assert_int_equal(kem->operations, 0x1e);
	assert_int_equal(dsa->operations, 0x1a);
	assert_int_equal(kem->variants, 0);
	assert_int_equal(dsa->variants, 1u << ACCEL_HW_PK_PURE | 1u << ACCEL_HW_PK_PREHASHED |
						1u << ACCEL_HW_PK_MU);
	assert_int_equal(dsa->nb_hashes, NB(ml_dsa_prehashed));
	for (unsigned int i = 0; i < NB(ml_dsa_prehashed); i++)
		assert_int_equal(dsa->hash[i], ml_dsa_prehashed[i].hash);
	assert_int_equal(kem->nb_curves, 3);
	assert_int_equal(dsa->nb_curves, 3);
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(kem->curve[i], ACCEL_HW_ML_KEM_512 + i);
		assert_int_equal(dsa->curve[i], ACCEL_HW_ML_DSA_44 + i);
	}
}

/* A card of contract 1.5 has neither CHECK of ML-KEM nor prehashed messages of ML-DSA. */
static void
test_older(void **state)
{
	const bool here = OpenSSL_version_num() >= 0x30500000;

	(void)state;
	for (unsigned int minor = 4; minor < 8; minor++) {
		for (unsigned int i = 0; i < 5; i++) {
			struct accel_hw_pk_command cmd = pk_command(i);

			assert_int_equal(pk_is_later(KEM, minor, &cmd),
					 minor < 6 && i == ACCEL_HW_PK_CHECK);
			assert_false(pk_is_later(ACCEL_HW_PK_ECDH, minor, &cmd));
			cmd.variant = (uint8_t)i;
			assert_int_equal(pk_is_later(DSA, minor, &cmd),
					 minor < 6 && i == ACCEL_HW_PK_PREHASHED);
			assert_false(pk_is_later(ACCEL_HW_PK_EDDSA, minor, &cmd));
		}
		if (!here)
			continue;
		assert_int_equal(pk_caps_of(KEM, minor).operations, minor < 6 ? 0xe : 0x1e);
		assert_int_equal(pk_caps_of(DSA, minor).variants, minor < 6 ? 9 : 13);
		assert_int_equal(pk_caps_of(DSA, minor).nb_hashes, minor < 6 ? 0 : 10);
		assert_int_equal(pk_caps_of(DSA, minor).operations, 0x1a);
	}
}

#define NEEDS_35() \
	do { \
		(void)state; \
		if (pk_caps(KEM) == NULL || pk_caps(DSA) == NULL) \
			skip(); \
	} while (0)

static void
assert_digest(const struct text *data, const char *want)
{
	const struct text digest = hex(want);
	uint8_t got[32];

	assert_int_equal(EVP_Q_digest(NULL, "SHA256", NULL, data->data, data->len, got, NULL), 1);
	assert_memory_equal(got, digest.data, digest.len);
}

/* Lengths of private and public keys (FIPS 203, table 3; FIPS 204, table 2). */
static uint32_t
private_len(unsigned int set)
{
	static const uint32_t len[] = { 1632, 2400, 3168, 2560, 4032, 4896 };

	return len[set - ACCEL_HW_ML_KEM_512];
}

/* A pair of a seed. */
static void
pair_of(unsigned int alg, unsigned int set, const struct text *seed, struct text *private,
		struct text *public)
{
	struct pk_key *key = PK_KEY(alg, set, NULL);
	struct answer answer = PK_DO(key, GENERATE, seed);

	*private = part_of(&answer, 0, private_len(set));
	*public = part_of(&answer, private->len, answer.produced - private->len);
	pk_key_free(key);
}

static void
test_kem_vectors(void **state)
{
	NEEDS_35();
	for (unsigned int i = 0; i < NB(ml_kem_vectors); i++) {
		const struct pk_ml_kem_vector *v = &ml_kem_vectors[i];
		struct text seed = hex(v->seed), m = hex(v->m), dk, ek, ciphertext, shared;
		struct text want = hex(v->key), want_bad = hex(v->key_of_bad), bad;
		struct pk_key *key, *empty = PK_KEY(KEM, v->set, NULL);
		struct answer answer;

		pair_of(KEM, v->set, &seed, &dk, &ek);
		assert_digest(&dk, v->dk);
		assert_digest(&ek, v->ek);
		key = PK_KEY(KEM, v->set, &dk, &ek);
		answer = PK_DO(key, ENCAPS, NULL, &m);
		ciphertext = part_of(&answer, 0, answer.produced - 32);
		shared = part_of(&answer, ciphertext.len, 32);
		assert_digest(&ciphertext, v->ciphertext);
		assert_memory_equal(shared.data, want.data, 32);
		answer = PK_DO(empty, ENCAPS, &ek, &m);
		want = joined(&ciphertext, &shared);
		assert_result(&answer, &want);
		answer = PK_DO(key, DECAPS, &ciphertext);
		assert_result(&answer, &shared);
		answer = PK_DO(empty, DECAPS, &ciphertext, &dk);
		assert_result(&answer, &shared);
		/* A wrong ciphertext is not told from a right one (FIPS 203, 6.3). */
		bad = flipped(&ciphertext, 0);
		answer = PK_DO(key, DECAPS, &bad);
		assert_result(&answer, &want_bad);
		pk_key_free(empty);
		pk_key_free(key);
	}
}

static void
test_kem_random(void **state)
{
	NEEDS_35();
	for (unsigned int set = ACCEL_HW_ML_KEM_512; set <= ACCEL_HW_ML_KEM_1024; set++) {
		struct text dk, ek, ciphertext, shared, other;
		struct pk_key *key;
		struct answer answer;

		pair_of(KEM, set, NULL, &dk, &ek);
		pair_of(KEM, set, NULL, &other, &ek);
		assert_memory_not_equal(dk.data, other.data, dk.len);
		key = PK_KEY(KEM, set, &other, &ek);
		answer = PK_DO(key, ENCAPS, NULL);
		ciphertext = part_of(&answer, 0, answer.produced - 32);
		shared = part_of(&answer, ciphertext.len, 32);
		answer = PK_DO(key, DECAPS, &ciphertext);
		assert_result(&answer, &shared);
		answer = PK_DO(key, ENCAPS, NULL);
		assert_memory_not_equal(answer.data, ciphertext.data, ciphertext.len);
		pk_key_free(key);
	}
}

static void
test_kem_bad(void **state)
{
	struct text seed = hex(ml_kem_vectors[0].seed), one = hex("01"), dk, ek, shorter, bad_ek;
	struct text bad_dk, ciphertext = { .len = 768 }, longer = { .len = 769 }, m = { .len = 31 };
	const unsigned int set = ACCEL_HW_ML_KEM_512;
	struct pk_key *key;

	NEEDS_35();
	pair_of(KEM, set, &seed, &dk, &ek);
	key = PK_KEY(KEM, set, &dk, &ek);
	bad_ek = ek;
	bad_ek.data[0] = 0xff; /* a coefficient above q */
	bad_ek.data[1] = 0xff;
	bad_dk = flipped(&dk, 8 * (dk.len - 64)); /* the hash of ek */
	ASSERT_NO_KEY(KEM, set, NULL, &bad_ek);
	ASSERT_NO_KEY(KEM, set, &bad_dk);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, ENCAPS, &bad_ek);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, DECAPS, &ciphertext, &bad_dk);
	shorter = ek;
	shorter.len--;
	ASSERT_NO_KEY(KEM, set, NULL, &shorter);
	ASSERT_NO_KEY(KEM, set, &shorter);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, ENCAPS, &shorter);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, DECAPS, &ciphertext, &shorter);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, DECAPS, &longer);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, DECAPS, &one);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, ENCAPS, NULL, &m);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, GENERATE, &m);
	assert_strict(key, ACCEL_HW_PK_GENERATE, PK_TEXTS(&seed), 1);
	assert_strict(key, ACCEL_HW_PK_ENCAPS, PK_TEXTS(&ek, &one), 2);
	assert_strict(key, ACCEL_HW_PK_DECAPS, PK_TEXTS(&ciphertext, &dk), 2);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, DECAPS, NULL);
	ASSERT_NO_KEY(KEM, set, &dk, &ek, &one);
	ASSERT_NO_KEY(KEM, ACCEL_HW_ML_DSA_44, NULL);
	ASSERT_NO_KEY(KEM, ACCEL_HW_ML_KEM_768, &dk);
	pk_key_free(key);
	key = PK_KEY(KEM, set, NULL, &ek);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, DECAPS, &ciphertext);
	pk_key_free(key);
	key = PK_KEY(KEM, set, &dk);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, ENCAPS, NULL);
	pk_key_free(key);
}

/* Sets the first number of a polynomial, 12 bits, which is to be below 3329. */
static struct text
with_number(const struct text *key, uint32_t at, unsigned int number)
{
	struct text changed = *key;

	changed.data[at] = (uint8_t)number;
	changed.data[at + 1] = (uint8_t)((changed.data[at + 1] & 0xf0) | number >> 8);
	return changed;
}

/* FIPS 203, 7.2: the length, and each number below q. 7.3: the length, and the hash. */
static void
test_kem_check(void **state)
{
	NEEDS_35();
	for (unsigned int i = 0; i < NB(ml_kem_vectors); i++) {
		const unsigned int set = ml_kem_vectors[i].set;
		struct text seed = hex(ml_kem_vectors[i].seed), one = hex("01"), dk, ek, bad;
		struct pk_key *key = PK_KEY(KEM, set, NULL);
		uint32_t ek_at, hash_at;

		pair_of(KEM, set, &seed, &dk, &ek);
		hash_at = dk.len - 64;
		ek_at = hash_at - ek.len;
		ASSERT_STATUS(ACCEL_HW_OK, key, CHECK, &ek);
		ASSERT_STATUS(ACCEL_HW_OK, key, CHECK, NULL, &dk);
		/* A number has 12 bits, so that 3329 to 4095 are too large. */
		bad = with_number(&ek, 0, 3328);
		ASSERT_STATUS(ACCEL_HW_OK, key, CHECK, &bad);
		bad = with_number(&ek, 0, 3329);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, CHECK, &bad);
		bad = with_number(&ek, ek.len - 32 - 384, 4095);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, CHECK, &bad);
		bad = flipped(&ek, 8 * (ek.len - 1)); /* rho may be anything */
		ASSERT_STATUS(ACCEL_HW_OK, key, CHECK, &bad);
		/* The parts of dk: s, ek, the hash of ek, z. */
		bad = flipped(&dk, 8 * hash_at + draw(256));
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, CHECK, NULL, &bad);
		bad = flipped(&dk, 8 * (hash_at - 1));
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, CHECK, NULL, &bad);
		bad = flipped(&dk, 8 * ek_at);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, CHECK, NULL, &bad);
		/* s and z are not looked at. */
		bad = flipped(&dk, 8 * (ek_at - 1));
		ASSERT_STATUS(ACCEL_HW_OK, key, CHECK, NULL, &bad);
		bad = flipped(&dk, 8 * (hash_at + 32) + draw(256));
		ASSERT_STATUS(ACCEL_HW_OK, key, CHECK, NULL, &bad);
		/* Lengths; one that is not the set's may be that of another set, or of the other key. */
		for (int more = -1; more <= 1; more += 2) {
			bad = ek;
			bad.len = ek.len + (uint32_t)more;
			ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, CHECK, &bad);
			bad = dk;
			bad.len = dk.len + (uint32_t)more;
			ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, CHECK, NULL, &bad);
		}
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, CHECK, &dk);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, CHECK, NULL, &ek);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, CHECK, &one);
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, CHECK, &ek, &dk);
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, CHECK, NULL);
		assert_strict(key, ACCEL_HW_PK_CHECK, PK_TEXTS(NULL, &dk), 2);
		pk_key_free(key);
		/* A component takes no operand's place. */
		key = PK_KEY(KEM, set, &dk, &ek);
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, CHECK, NULL);
		pk_key_free(key);
	}
}

static void
test_dsa_vectors(void **state)
{
	NEEDS_35();
	for (unsigned int i = 0; i < NB(ml_dsa_vectors); i++) {
		const struct pk_ml_dsa_vector *v = &ml_dsa_vectors[i];
		struct text xi = hex(v->xi), rnd = hex(v->rnd), message = hex(v->message), sk, pk;
		struct text context = hex(v->context), signature, other = hex("00");
		struct pk_key *key, *empty = PK_KEY(DSA, v->set, NULL);
		struct answer answer;

		pair_of(DSA, v->set, &xi, &sk, &pk);
		assert_digest(&sk, v->sk);
		assert_digest(&pk, v->pk);
		key = PK_KEY(DSA, v->set, &sk, &pk);
		answer = PK_DO(key, SIGN, &message, &context, NULL, &rnd);
		signature = text_of(&answer);
		assert_digest(&signature, v->signature);
		answer = PK_DO(empty, SIGN, &message, &context, &sk, &rnd);
		assert_result(&answer, &signature);
		ASSERT_STATUS(ACCEL_HW_OK, key, VERIFY, &message, &signature, &context);
		ASSERT_STATUS(ACCEL_HW_OK, empty, VERIFY, &message, &signature, &context, &pk);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &message, &signature, &other);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &other, &signature, &context);
		/* Without rnd each signature is another one. */
		answer = PK_DO(key, SIGN, &message, &context);
		assert_memory_not_equal(answer.data, signature.data, signature.len);
		signature = text_of(&answer);
		ASSERT_STATUS(ACCEL_HW_OK, key, VERIFY, &message, &signature, &context);
		for (unsigned int j = 0; j < 10; j++) {
			other = flipped(&signature, draw(8 * signature.len));
			ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &message, &other,
				      &context);
		}
		other = zeros_before(1, &signature);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &message, &other, &context);
		other = signature;
		other.len--;
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &message, &other, &context);
		pk_key_free(empty);
		pk_key_free(key);
	}
}

static struct text
shake256(const struct text *data)
{
	struct text digest = { .len = 64 };
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	assert_int_equal(EVP_DigestInit_ex2(ctx, EVP_shake256(), NULL), 1);
	assert_int_equal(EVP_DigestUpdate(ctx, data->data, data->len), 1);
	assert_int_equal(EVP_DigestFinalXOF(ctx, digest.data, digest.len), 1);
	EVP_MD_CTX_free(ctx);
	return digest;
}

/* FIPS 204, algorithms 2 and 7: mu is of the hash of pk, 0, the context with its length, and the
 * message. */
static struct text
mu_of(const struct text *pk, const struct text *context, const struct text *message)
{
	const uint8_t head[2] = { 0, (uint8_t)context->len };
	struct text all = shake256(pk), part = bytes_of(head, 2);

	all = joined(&all, &part);
	all = joined(&all, context);
	all = joined(&all, message);
	return shake256(&all);
}

/* The signature of mu is that of the message. */
static void
test_dsa_mu(void **state)
{
	struct accel_hw_pk_command sign = SIGN, verify = VERIFY, generate = GENERATE;

	NEEDS_35();
	sign.variant = verify.variant = generate.variant = ACCEL_HW_PK_MU;
	for (unsigned int i = 0; i < NB(ml_dsa_vectors); i++) {
		const struct pk_ml_dsa_vector *v = &ml_dsa_vectors[i];
		struct text xi = hex(v->xi), rnd = hex(v->rnd), message = hex(v->message), sk, pk;
		struct text context = hex(v->context), signature, mu, bad, one = hex("01");
		struct pk_key *key;
		struct answer answer;

		pair_of(DSA, v->set, &xi, &sk, &pk);
		key = PK_KEY(DSA, v->set, &sk, &pk);
		mu = mu_of(&pk, &context, &message);
		answer = PK_DO(key, sign, &mu, NULL, NULL, &rnd);
		signature = text_of(&answer);
		assert_digest(&signature, v->signature);
		ASSERT_STATUS(ACCEL_HW_OK, key, verify, &mu, &signature);
		ASSERT_STATUS(ACCEL_HW_OK, key, VERIFY, &message, &signature, &context);
		bad = flipped(&mu, draw(512));
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, verify, &bad, &signature);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &mu, &signature);
		bad = mu;
		for (unsigned int j = 0; j < 3; j++) {
			bad.len = j == 0 ? 0 : 62 + j + j / 2;
			ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, sign, &bad);
			ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, verify, &bad, &signature);
		}
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, sign, &mu, &one);
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, verify, &mu, &signature, &one);
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, generate, NULL);
		pk_key_free(key);
	}
	for (unsigned int variant = 1; variant < 5; variant++) {
		struct pk_key *key = PK_KEY(DSA, ACCEL_HW_ML_DSA_44, NULL);

		generate.variant = (uint8_t)variant;
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, generate, NULL);
		pk_key_free(key);
	}
}

/* Signatures that dilithium-py has made of prehashed messages. Each hash has another one. */
static void
test_dsa_prehashed(void **state)
{
	struct accel_hw_pk_command sign = SIGN, verify = VERIFY;

	NEEDS_35();
	sign.variant = verify.variant = ACCEL_HW_PK_PREHASHED;
	for (unsigned int i = 0; i < NB(ml_dsa_prehashed); i++) {
		const struct pk_ml_dsa_vector *v = &ml_dsa_prehashed[i];
		struct text xi = hex(v->xi), rnd = hex(v->rnd), message = hex(v->message), sk, pk;
		struct text context = hex(v->context), signature, other = hex("00");
		struct pk_key *key;
		struct answer answer;

		pair_of(DSA, v->set, &xi, &sk, &pk);
		assert_digest(&sk, v->sk);
		assert_digest(&pk, v->pk);
		key = PK_KEY(DSA, v->set, &sk, &pk);
		sign.hash = verify.hash = (uint8_t)v->hash;
		answer = PK_DO(key, sign, &message, &context, NULL, &rnd);
		signature = text_of(&answer);
		assert_digest(&signature, v->signature);
		ASSERT_STATUS(ACCEL_HW_OK, key, verify, &message, &signature, &context);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, verify, &message, &signature, &other);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, verify, &other, &signature, &context);
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, VERIFY, &message, &signature, &context);
		other = flipped(&signature, draw(8 * signature.len));
		ASSERT_STATUS(ACCEL_HW_AUTH_FAILED, key, verify, &message, &other, &context);
		for (unsigned int j = 0; j < NB(ml_dsa_prehashed); j++) {
			verify.hash = (uint8_t)ml_dsa_prehashed[j].hash;
			ASSERT_STATUS(i == j ? ACCEL_HW_OK : ACCEL_HW_AUTH_FAILED, key, verify,
				      &message, &signature, &context);
		}
		/* Without rnd each signature is another one. */
		answer = PK_DO(key, sign, &message, &context);
		assert_memory_not_equal(answer.data, signature.data, signature.len);
		signature = text_of(&answer);
		verify.hash = sign.hash;
		ASSERT_STATUS(ACCEL_HW_OK, key, verify, &message, &signature, &context);
		pk_key_free(key);
	}
}

/* A hash is for the variant 2, which has one; and it is one of the node. */
static void
test_dsa_prehashed_bad(void **state)
{
	struct text xi = hex(ml_dsa_vectors[0].xi), one = hex("01"), sk, pk, none = { .len = 0 };
	struct text context = { .len = 256 };
	struct accel_hw_pk_command cmd;
	struct pk_key *key;

	NEEDS_35();
	pair_of(DSA, ACCEL_HW_ML_DSA_44, &xi, &sk, &pk);
	key = PK_KEY(DSA, ACCEL_HW_ML_DSA_44, &sk, &pk);
	for (unsigned int sign = 0; sign < 2; sign++) {
		for (unsigned int hash = 0; hash < 256; hash++) {
			bool good = false;

			for (unsigned int i = 0; i < NB(ml_dsa_prehashed); i++)
				good |= ml_dsa_prehashed[i].hash == hash;
			cmd = sign != 0 ? SIGN : VERIFY;
			cmd.hash = (uint8_t)hash;
			cmd.variant = ACCEL_HW_PK_PREHASHED;
			if (sign != 0)
				assert_int_equal(PK_DO(key, cmd, &none).status,
						 good ? ACCEL_HW_OK : ACCEL_HW_BAD_COMMAND);
			else
				ASSERT_STATUS(good ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_BAD_COMMAND,
					      key, cmd, &none, &one);
			for (unsigned int variant = 0; variant < 4 && hash != 0; variant++) {
				if (variant == ACCEL_HW_PK_PREHASHED)
					continue;
				cmd.variant = (uint8_t)variant;
				ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, cmd, &xi, &one);
			}
		}
		cmd = sign != 0 ? SIGN : VERIFY;
		cmd.hash = ACCEL_HW_AUTH_SHA256;
		cmd.variant = ACCEL_HW_PK_PREHASHED;
		ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, cmd, &one, sign ? &context : &one,
			      sign ? NULL : &context);
		cmd.mgf_hash = ACCEL_HW_AUTH_SHA256;
		ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, cmd, &one, sign ? NULL : &one);
	}
	cmd = GENERATE;
	cmd.hash = ACCEL_HW_AUTH_SHA256;
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, cmd, NULL);
	cmd.variant = ACCEL_HW_PK_PREHASHED;
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, cmd, NULL);
	pk_key_free(key);
}

static void
test_dsa_bad(void **state)
{
	struct text xi = hex(ml_dsa_vectors[0].xi), one = hex("01"), sk, pk, shorter, bad_sk;
	struct text context = { .len = 256 }, rnd = { .len = 33 };
	const unsigned int set = ACCEL_HW_ML_DSA_44;
	struct pk_key *key;

	NEEDS_35();
	pair_of(DSA, set, &xi, &sk, &pk);
	key = PK_KEY(DSA, set, &sk, &pk);
	bad_sk = sk;
	memset(bad_sk.data + 128, 0xff, 32); /* numbers of s1 out of their range */
	ASSERT_NO_KEY(DSA, set, &bad_sk);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN, &one, NULL, &bad_sk);
	shorter = pk;
	shorter.len--;
	ASSERT_NO_KEY(DSA, set, NULL, &shorter);
	ASSERT_NO_KEY(DSA, set, &shorter);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN, &one, NULL, &shorter);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, VERIFY, &one, &one, NULL, &shorter);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN, &one, &context);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, VERIFY, &one, &one, &context);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, SIGN, &one, NULL, NULL, &rnd);
	ASSERT_STATUS(ACCEL_HW_BAD_OPERAND, key, GENERATE, &rnd);
	assert_strict(key, ACCEL_HW_PK_GENERATE, PK_TEXTS(&xi), 1);
	assert_strict(key, ACCEL_HW_PK_SIGN, PK_TEXTS(&one, &one, &sk, &xi), 4);
	assert_strict(key, ACCEL_HW_PK_VERIFY, PK_TEXTS(&one, &one, &one, &pk), 4);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, VERIFY, &one, NULL);
	ASSERT_NO_KEY(DSA, set, &sk, &pk, &one);
	ASSERT_NO_KEY(DSA, ACCEL_HW_ML_KEM_512, NULL);
	pk_key_free(key);
	key = PK_KEY(DSA, set, NULL, &pk);
	ASSERT_STATUS(ACCEL_HW_BAD_COMMAND, key, SIGN, &one);
	pk_key_free(key);
}

static void
test_no_entropy(void **state)
{
	struct text dk, ek;
	struct pk_key *key;

	NEEDS_35();
	pair_of(KEM, ACCEL_HW_ML_KEM_768, NULL, &dk, &ek);
	key = PK_KEY(KEM, ACCEL_HW_ML_KEM_768, &dk, &ek);
	entropy_fails();
	ASSERT_STATUS(ACCEL_HW_NO_ENTROPY, key, GENERATE, NULL);
	ASSERT_STATUS(ACCEL_HW_NO_ENTROPY, key, ENCAPS, NULL);
	entropy_back();
	pk_key_free(key);
	pair_of(DSA, ACCEL_HW_ML_DSA_65, NULL, &dk, &ek);
	key = PK_KEY(DSA, ACCEL_HW_ML_DSA_65, &dk, &ek);
	entropy_fails();
	ASSERT_STATUS(ACCEL_HW_NO_ENTROPY, key, GENERATE, NULL);
	ASSERT_STATUS(ACCEL_HW_NO_ENTROPY, key, SIGN, &ek);
	entropy_back();
	pk_key_free(key);
}

struct both {
	struct pk_key *kem, *dsa;
};

static void *
all_at_once(void *arg)
{
	struct both *both = arg;

	for (unsigned int i = 0; i < 5; i++) {
		struct answer answer = PK_DO(both->kem, ENCAPS, NULL), other;
		struct text text;

		if (answer.status != ACCEL_HW_OK)
			return NULL;
		text = bytes_of(answer.data, answer.produced - 32);
		other = PK_DO(both->kem, DECAPS, &text);
		if (other.status != ACCEL_HW_OK ||
				memcmp(other.data, answer.data + text.len, 32) != 0)
			return NULL;
		answer = PK_DO(both->dsa, SIGN, &text);
		if (answer.status != ACCEL_HW_OK)
			return NULL;
		if (PK_DO(both->dsa, VERIFY, &text, &(struct text) { .len = 5 }).status !=
				ACCEL_HW_AUTH_FAILED)
			return NULL;
	}
	return both;
}

static void
test_threads(void **state)
{
	struct text private, public;
	struct both both;

	NEEDS_35();
	pair_of(KEM, ACCEL_HW_ML_KEM_768, NULL, &private, &public);
	both.kem = PK_KEY(KEM, ACCEL_HW_ML_KEM_768, &private, &public);
	pair_of(DSA, ACCEL_HW_ML_DSA_44, NULL, &private, &public);
	both.dsa = PK_KEY(DSA, ACCEL_HW_ML_DSA_44, &private, &public);
	in_threads(all_at_once, &both);
	pk_key_free(both.kem);
	pk_key_free(both.dsa);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_older),
		cmocka_unit_test(test_kem_vectors),
		cmocka_unit_test(test_kem_random),
		cmocka_unit_test(test_kem_bad),
		cmocka_unit_test(test_kem_check),
		cmocka_unit_test(test_dsa_vectors),
		cmocka_unit_test(test_dsa_mu),
		cmocka_unit_test(test_dsa_prehashed),
		cmocka_unit_test(test_dsa_prehashed_bad),
		cmocka_unit_test(test_dsa_bad),
		cmocka_unit_test(test_no_entropy),
		cmocka_unit_test(test_threads),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
