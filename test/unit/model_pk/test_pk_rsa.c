/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * RSA of the public-key engines: all paddings and hashes against OpenSSL's EVP, the forms of keys,
 * keys and commands that are wrong, and one key in many threads. ACCEL_TEST_SEED repeats a run.
 */
#include <pthread.h>

#define OPENSSL_SUPPRESS_DEPRECATED /* random_method(): a source that fails */
#include <openssl/rsa.h>

#include "pk_base/pk_rsa.h"
#include "base/rand_method.h"

#define NONE ACCEL_HW_PK_PADDING_NONE
#define PKCS1 ACCEL_HW_PK_PADDING_PKCS1
#define OAEP ACCEL_HW_PK_PADDING_OAEP
#define PSS ACCEL_HW_PK_PADDING_PSS
#define ENCRYPT ACCEL_HW_PK_ENCRYPT
#define DECRYPT ACCEL_HW_PK_DECRYPT
#define SIGN ACCEL_HW_PK_SIGN
#define VERIFY ACCEL_HW_PK_VERIFY
#define SHA256 ACCEL_HW_AUTH_SHA256
#define SHA512 ACCEL_HW_AUTH_SHA512

#define THREADS 4u
#define ROUNDS 20u

static const struct hash {
	uint8_t alg;
	uint8_t len;
	const char *name;
} hashes[] = {
	{ ACCEL_HW_AUTH_MD5, 16, "MD5" },
	{ ACCEL_HW_AUTH_SHA1, 20, "SHA1" },
	{ ACCEL_HW_AUTH_SHA224, 28, "SHA224" },
	{ ACCEL_HW_AUTH_SHA256, 32, "SHA256" },
	{ ACCEL_HW_AUTH_SHA384, 48, "SHA384" },
	{ ACCEL_HW_AUTH_SHA512, 64, "SHA512" },
	{ ACCEL_HW_AUTH_SHA3_224, 28, "SHA3-224" },
	{ ACCEL_HW_AUTH_SHA3_256, 32, "SHA3-256" },
	{ ACCEL_HW_AUTH_SHA3_384, 48, "SHA3-384" },
	{ ACCEL_HW_AUTH_SHA3_512, 64, "SHA3-512" },
	{ ACCEL_HW_AUTH_SM3, 32, "SM3" },
};

#define HASHES (sizeof(hashes) / sizeof(hashes[0]))

static struct rsa_text small; /* 1024 bits */
static struct rsa_text medium; /* 2048 bits */
static struct pk_key *small_key;
static struct pk_key *medium_key;

static int
setup(void **state)
{
	(void)state;
	rsa_make(&small, 1024, "010001");
	rsa_make(&medium, 2048, "03");
	small_key = rsa_key(&small, RSA_ALL_PARTS);
	medium_key = rsa_key(&medium, RSA_CRT_PARTS);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	pk_key_free(small_key);
	pk_key_free(medium_key);
	EVP_PKEY_free(small.peer);
	EVP_PKEY_free(medium.peer);
	return 0;
}

static struct text
drawn(uint32_t len)
{
	struct text text = { .len = len };

	draw_bytes(text.data, len);
	return text;
}

/* What the library says it has is what the manual names. */
static void
test_caps(void **state)
{
	const struct pk_caps *caps = pk_caps(ACCEL_HW_PK_RSA);

	(void)state;
	assert_non_null(caps);
	assert_int_equal(caps->alg, ACCEL_HW_PK_RSA);
	assert_int_equal(caps->nb_hashes, HASHES);
	assert_int_equal(caps->operations, 0x1e);
	assert_int_equal(caps->paddings, 0xf);
	assert_int_equal(caps->modulus_min, 1024);
	assert_int_equal(caps->modulus_max, 8192);
	assert_int_equal(caps->nb_curves, 0);
	assert_null(pk_caps(127));
	assert_null(pk_caps(ACCEL_HW_RANDOM));
	assert_null(pk_caps(0xffffffff));
}

/* OpenSSL's context for an operation that EVP can do. */
static EVP_PKEY_CTX *
peer_of(const struct rsa_text *text, const struct accel_hw_pk_command *cmd,
		const struct hash *hash, const struct hash *mgf)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(text->peer, NULL);

	if (cmd->operation == ENCRYPT)
		assert_int_equal(EVP_PKEY_encrypt_init(ctx), 1);
	else if (cmd->operation == DECRYPT)
		assert_int_equal(EVP_PKEY_decrypt_init(ctx), 1);
	else if (cmd->operation == SIGN)
		assert_int_equal(EVP_PKEY_sign_init(ctx), 1);
	else
		assert_int_equal(EVP_PKEY_verify_init(ctx), 1);
	assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(ctx, cmd->padding == PKCS1 ?
			RSA_PKCS1_PADDING : cmd->padding == OAEP ? RSA_PKCS1_OAEP_PADDING :
			RSA_PKCS1_PSS_PADDING), 1);
	if (cmd->padding == OAEP)
		assert_int_equal(EVP_PKEY_CTX_set_rsa_oaep_md_name(ctx, hash->name, NULL), 1);
	else if (hash != NULL && EVP_PKEY_CTX_set_signature_md(ctx,
			EVP_get_digestbyname(hash->name)) != 1)
		goto no_such;
	if (mgf != NULL && EVP_PKEY_CTX_set_rsa_mgf1_md_name(ctx, mgf->name, NULL) != 1)
		goto no_such;
	if (cmd->padding == PSS)
		assert_int_equal(EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, cmd->salt_len), 1);
	return ctx;
no_such:
	EVP_PKEY_CTX_free(ctx);
	return NULL;
}

/* EVP does not sign with SM3 (3.0), or with a DigestInfo of a wrong length (OpenSSL's pull request
 * 28414). test_sign_sm3() looks at ours. */
static bool
peer_lacks(unsigned int padding, const struct hash *hash)
{
	return padding == PKCS1 && hash->alg == ACCEL_HW_AUTH_SM3;
}

/* Signs here and has it verified by the peer, and the other way round. */
static bool
sign_both(unsigned int padding, const struct hash *hash, const struct hash *mgf, unsigned int salt)
{
	struct accel_hw_pk_command cmd = rsa_command(SIGN, padding, hash->alg,
			mgf != NULL ? mgf->alg : 0, salt);
	EVP_PKEY_CTX *signer = peer_lacks(padding, hash) ? NULL :
			peer_of(&medium, &cmd, hash, mgf), *verifier;
	struct text digest = drawn(hash->len), signature;
	struct answer answer = PK_DO(medium_key, cmd, &digest);
	size_t len = sizeof(signature.data);

	signature = text_of(&answer);
	assert_int_equal(signature.len, 256);
	cmd.operation = VERIFY;
	answer = PK_DO(medium_key, cmd, &digest, &signature);
	assert_int_equal(answer.status, ACCEL_HW_OK);
	if (signer == NULL)
		return false;
	verifier = peer_of(&medium, &cmd, hash, mgf);
	assert_int_equal(EVP_PKEY_verify(verifier, signature.data, 256, digest.data, hash->len), 1);
	assert_int_equal(EVP_PKEY_sign(signer, signature.data, &len, digest.data, hash->len), 1);
	answer = PK_DO(medium_key, cmd, &digest, &signature);
	assert_int_equal(answer.status, ACCEL_HW_OK);
	digest.data[0] ^= 1;
	answer = PK_DO(medium_key, cmd, &digest, &signature);
	assert_int_equal(answer.status, ACCEL_HW_AUTH_FAILED);
	EVP_PKEY_CTX_free(signer);
	EVP_PKEY_CTX_free(verifier);
	return true;
}

static void
test_sign_hashes(void **state)
{
	unsigned int with_peer = 0;

	(void)state;
	for (unsigned int i = 0; i < HASHES; i++) {
		with_peer += sign_both(PKCS1, &hashes[i], NULL, 0);
		with_peer += sign_both(PSS, &hashes[i], NULL, hashes[i].len);
		with_peer += sign_both(PSS, &hashes[i], &hashes[draw(HASHES)], draw(100));
	}
	/* EVP of OpenSSL 3.0 has no SM3, which may have been drawn for the mask. */
	assert_in_range(with_peer, 2 * (HASHES - 1), 3 * HASHES);
}

/* A DigestInfo of SM3 (GB/T 32905; RFC 8017, 9.2), since EVP may have none to compare with. */
static void
test_sign_sm3(void **state)
{
	struct text digest = drawn(32), info, signature, em;
	struct answer answer;

	(void)state;
	info = hex("3030300c06082a811ccf5501831105000420");
	answer = PK_DO(small_key, rsa_command(SIGN, PKCS1, ACCEL_HW_AUTH_SM3, 0, 0), &digest);
	signature = text_of(&answer);
	answer = PK_DO(small_key, rsa_command(ENCRYPT, NONE, 0, 0, 0), &signature);
	em = text_of(&answer);
	assert_int_equal(em.len, 128);
	assert_memory_equal(em.data + 128 - 32, digest.data, 32);
	assert_memory_equal(em.data + 128 - 32 - info.len, info.data, info.len);
	assert_int_equal(em.data[0] << 8 | em.data[1], 1);
	for (unsigned int i = 2; i < 128 - 32 - info.len - 1; i++)
		assert_int_equal(em.data[i], 0xff);
	assert_int_equal(em.data[128 - 32 - info.len - 1], 0);
}

/* Encrypts here and decrypts there, and the other way round, with a label or none. */
static void
encrypt_both(unsigned int padding, const struct hash *hash, const struct hash *mgf, uint32_t len)
{
	struct accel_hw_pk_command cmd = rsa_command(ENCRYPT, padding, hash != NULL ? hash->alg : 0,
			mgf != NULL ? mgf->alg : 0, 0);
	struct text message = drawn(len), label = drawn(hash != NULL ? draw(40) : 0), cipher, got;
	struct answer answer = PK_DO(medium_key, cmd, &message, &label);
	EVP_PKEY_CTX *ctx;
	size_t done = sizeof(got.data);

	cipher = text_of(&answer);
	assert_int_equal(cipher.len, 256);
	cmd.operation = DECRYPT;
	ctx = peer_of(&medium, &cmd, hash, mgf);
	if (label.len > 0)
		EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, OPENSSL_memdup(label.data, label.len),
				(int)label.len);
	assert_int_equal(EVP_PKEY_decrypt(ctx, got.data, &done, cipher.data, 256), 1);
	assert_int_equal(done, len);
	assert_memory_equal(got.data, message.data, len);
	EVP_PKEY_CTX_free(ctx);
	cmd.operation = ENCRYPT;
	ctx = peer_of(&medium, &cmd, hash, mgf);
	if (label.len > 0)
		EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, OPENSSL_memdup(label.data, label.len),
				(int)label.len);
	done = sizeof(cipher.data);
	assert_int_equal(EVP_PKEY_encrypt(ctx, cipher.data, &done, message.data, len), 1);
	EVP_PKEY_CTX_free(ctx);
	cmd.operation = DECRYPT;
	answer = PK_DO(medium_key, cmd, &cipher, &label);
	assert_result(&answer, &message);
}

/* From the empty message to the longest, and one byte more. */
static void
test_encrypt(void **state)
{
	struct text message;
	struct answer answer;

	(void)state;
	for (unsigned int i = 0; i < HASHES; i++) {
		const struct hash *hash = &hashes[i];
		uint32_t most = 256 - 2 * hash->len - 2u;

		encrypt_both(OAEP, hash, NULL, draw(most + 1));
		encrypt_both(OAEP, hash, &hashes[draw(HASHES)], most);
		encrypt_both(OAEP, hash, NULL, 0);
		message = drawn(most + 1);
		answer = PK_DO(medium_key, rsa_command(ENCRYPT, OAEP, hash->alg, 0, 0), &message);
		assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	}
	encrypt_both(PKCS1, NULL, NULL, 0);
	encrypt_both(PKCS1, NULL, NULL, draw(245));
	encrypt_both(PKCS1, NULL, NULL, 245);
	message = drawn(246);
	answer = PK_DO(medium_key, rsa_command(ENCRYPT, PKCS1, 0, 0, 0), &message);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
}

/* Messages that their padding has no room for, and digests of another length. */
static void
test_message_lengths(void **state)
{
	struct accel_hw_pk_command cmd = rsa_command(SIGN, PSS, SHA512, 0, 62);
	struct text digest = drawn(64), signature = drawn(128);
	struct answer answer;

	(void)state;
	/* 1023 bits are 128 bytes: a digest and a salt of 126. */
	answer = PK_DO(small_key, cmd, &digest);
	signature = text_of(&answer);
	cmd.operation = VERIFY;
	answer = PK_DO(small_key, cmd, &digest, &signature);
	assert_int_equal(answer.status, ACCEL_HW_OK);
	for (unsigned int op = SIGN; op <= VERIFY; op++) {
		struct text more = drawn(65), less = drawn(63), longest = drawn(118);
		const struct text *second = op == VERIFY ? &signature : NULL;

		cmd = rsa_command(op, PSS, SHA512, 0, 63);
		answer = PK_DO(small_key, cmd, &digest, second);
		assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
		cmd.salt_len = 65535;
		answer = PK_DO(small_key, cmd, &digest, second);
		assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
		for (unsigned int padding = PKCS1; padding <= PSS; padding += PSS - PKCS1) {
			cmd = rsa_command(op, padding, SHA512, 0, 0);
			answer = PK_DO(small_key, cmd, &more, second);
			assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
			answer = PK_DO(small_key, cmd, &less, second);
			assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
			answer = PK_DO(small_key, cmd, NULL, second);
			assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
		}
		answer = PK_DO(small_key, rsa_command(op, PKCS1, 0, 0, 0), &longest, second);
		assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	}
	/* OAEP with SHA-512 needs 130 bytes. */
	answer = PK_DO(small_key, rsa_command(ENCRYPT, OAEP, SHA512, 0, 0), NULL);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	signature.data[0] = 0;
	answer = PK_DO(small_key, rsa_command(DECRYPT, OAEP, SHA512, 0, 0), &signature);
	assert_int_equal(answer.status, ACCEL_HW_DECRYPT_FAILED);
}

/* hash 0 with PKCS#1 v1.5: any message, also none */
static void
test_sign_plain(void **state)
{
	struct accel_hw_pk_command cmd = rsa_command(SIGN, PKCS1, 0, 0, 0);

	(void)state;
	for (uint32_t len = 0; len <= 117; len += 39) {
		struct text message = drawn(len), signature;
		struct answer answer;

		cmd.operation = SIGN;
		answer = PK_DO(small_key, cmd, &message);
		signature = text_of(&answer);
		cmd.operation = VERIFY;
		answer = PK_DO(small_key, cmd, &message, &signature);
		assert_int_equal(answer.status, ACCEL_HW_OK);
		assert_int_equal(answer.produced, 0);
		message.data[len++] = 1;
		message.len = len;
		answer = PK_DO(small_key, cmd, &message, &signature);
		assert_int_equal(answer.status,
				len > 117 ? ACCEL_HW_BAD_OPERAND : ACCEL_HW_AUTH_FAILED);
	}
}

/* Numbers without padding: leading zeros, n - 1, n, and more; signatures of another length. */
static void
test_numbers(void **state)
{
	struct accel_hw_pk_command sign = rsa_command(SIGN, NONE, 0, 0, 0);
	struct accel_hw_pk_command verify = rsa_command(VERIFY, NONE, 0, 0, 0);
	struct text n = small.part[ACCEL_HW_RSA_N], less = n, n0 = zeros_before(3, &n);
	struct text zero = drawn(1);
	struct text message = drawn(100), long_message, signature, fixed = { .len = 128 };
	struct answer answer;

	(void)state;
	less.data[127]--;
	zero.data[0] = 0;
	message.data[0] = 0;
	long_message = zeros_before(77, &message);
	memcpy(fixed.data + 28, message.data, 100);
	answer = PK_DO(small_key, sign, &message);
	signature = text_of(&answer);
	answer = PK_DO(small_key, sign, &long_message);
	assert_result(&answer, &signature);
	answer = PK_DO(small_key, verify, &message, &signature);
	assert_result(&answer, &fixed);
	answer = PK_DO(small_key, verify, &long_message, &signature);
	assert_result(&answer, &fixed);
	answer = PK_DO(small_key, verify, &less, &signature);
	assert_int_equal(answer.status, ACCEL_HW_AUTH_FAILED);
	answer = PK_DO(small_key, verify, &n, &signature);
	assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	for (unsigned int op = ENCRYPT; op <= SIGN; op += SIGN - ENCRYPT) {
		struct accel_hw_pk_command cmd = rsa_command(op, NONE, 0, 0, 0);

		/* (n - 1)^e = n - 1 for an odd e, and 0^e = 0 */
		answer = PK_DO(small_key, cmd, &less);
		assert_result(&answer, &less);
		answer = PK_DO(small_key, cmd, &zero);
		assert_int_equal(answer.status, ACCEL_HW_OK);
		for (unsigned int i = 0; i < 128; i++)
			assert_int_equal(answer.data[i], 0);
		answer = PK_DO(small_key, cmd, &n);
		assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
		answer = PK_DO(small_key, cmd, &n0);
		assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
		answer = PK_DO(small_key, cmd, NULL);
		assert_int_equal(answer.status, ACCEL_HW_BAD_OPERAND);
	}
	answer = PK_DO(small_key, rsa_command(DECRYPT, NONE, 0, 0, 0), &n);
	assert_int_equal(answer.status, ACCEL_HW_DECRYPT_FAILED);
	signature.len = 127;
	answer = PK_DO(small_key, verify, &message, &signature);
	assert_int_equal(answer.status, ACCEL_HW_AUTH_FAILED);
	signature.len = 128;
	signature = zeros_before(1, &signature);
	answer = PK_DO(small_key, verify, &message, &signature);
	assert_int_equal(answer.status, ACCEL_HW_AUTH_FAILED);
	answer = PK_DO(small_key, verify, &message, &n);
	assert_int_equal(answer.status, ACCEL_HW_AUTH_FAILED);
}

/* RFC 8017 7.1.2 and 7.2.2, step 1: a ciphertext has the length of the modulus, also if it begins
 * with zeros.
 */
static void
test_ciphertext_length(void **state)
{
	static const struct { uint8_t padding, hash; } cases[] = { { PKCS1, 0 }, { OAEP, SHA256 } };
	const struct text message = drawn(20);

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct accel_hw_pk_command encrypt =
			rsa_command(ENCRYPT, cases[i].padding, cases[i].hash, 0, 0);
		struct accel_hw_pk_command decrypt =
			rsa_command(DECRYPT, cases[i].padding, cases[i].hash, 0, 0);
		struct text cipher;
		struct answer answer;

		do {
			answer = PK_DO(small_key, encrypt, &message);
			assert_int_equal(answer.status, ACCEL_HW_OK);
		} while (answer.data[0] != 0);
		cipher = text_of(&answer);
		answer = PK_DO(small_key, decrypt, &cipher);
		assert_result(&answer, &message);
		for (uint32_t zeros = 1; zeros < 3; zeros++) {
			struct text longer = zeros_before(zeros, &cipher);

			answer = PK_DO(small_key, decrypt, &longer);
			assert_int_equal(answer.status, ACCEL_HW_DECRYPT_FAILED);
		}
		cipher.len--;
		memmove(cipher.data, cipher.data + 1, cipher.len);
		answer = PK_DO(small_key, decrypt, &cipher);
		assert_int_equal(answer.status, ACCEL_HW_DECRYPT_FAILED);
	}
}

/* d, the quintuple, both, and components with leading zeros give one result. */
static void
test_key_forms(void **state)
{
	static const unsigned int forms[] = { RSA_D_PARTS, RSA_CRT_PARTS, RSA_ALL_PARTS };
	static const char *const exponents[] = { "03", "010001", "0100000000000000000001" };
	struct accel_hw_pk_command cmd = rsa_command(SIGN, PKCS1, SHA256, 0, 0);
	struct text digest = drawn(32);

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct rsa_text text, more;
		struct text want = { 0 };

		rsa_make(&text, 1024 + 512 * i, exponents[i]);
		EVP_PKEY_free(text.peer);
		more = text;
		for (unsigned int n = 0; n < 8; n++)
			more.part[n] = zeros_before(1 + draw(20), &text.part[n]);
		for (unsigned int n = 0; n < 6; n++) {
			struct pk_key *key = rsa_key(n < 3 ? &text : &more, forms[n % 3]);
			struct answer answer = PK_DO(key, cmd, &digest);

			if (n == 0)
				want = text_of(&answer);
			assert_result(&answer, &want);
			assert_int_equal(answer.produced, (1024 + 512 * i) / 8);
			pk_key_free(key);
		}
	}
}

/* A wrong CRT component does not make a wrong result, which would give the factors away. */
static void
test_key_fault(void **state)
{
	struct accel_hw_pk_command cmd = rsa_command(SIGN, PKCS1, SHA256, 0, 0);
	struct text digest = drawn(32), want;
	struct answer answer = PK_DO(small_key, cmd, &digest);
	struct rsa_text text;
	struct pk_key *key;

	(void)state;
	want = text_of(&answer);
	for (unsigned int n = ACCEL_HW_RSA_DP; n <= ACCEL_HW_RSA_QINV; n++) {
		for (unsigned int all = 0; all < 2; all++) {
			text = small;
			text.part[n].data[text.part[n].len / 2] ^= 4;
			key = rsa_key(&text, all ? RSA_ALL_PARTS : RSA_CRT_PARTS);
			answer = PK_DO(key, cmd, &digest);
			assert_result(&answer, &want);
			pk_key_free(key);
		}
	}
}

/* Large moduli, also with an exponent that OpenSSL's own public operation refuses. */
static void
test_key_large(void **state)
{
	static const char *const exponents[] = { "010001", "01000000000000000000000f" };
	struct text digest = drawn(32), message, signature;
	struct answer answer;

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int bits = i % 2 == 0 ? 4096 : 8192;
		struct rsa_text text;
		struct pk_key *key;

		rsa_make(&text, bits, exponents[i / 2]);
		EVP_PKEY_free(text.peer);
		key = rsa_key(&text, RSA_CRT_PARTS);
		answer = PK_DO(key, rsa_command(SIGN, PSS, SHA256, 0, 32), &digest);
		signature = text_of(&answer);
		assert_int_equal(signature.len, bits / 8);
		answer = PK_DO(key, rsa_command(VERIFY, PSS, SHA256, 0, 32), &digest, &signature);
		assert_int_equal(answer.status, ACCEL_HW_OK);
		signature.data[bits / 8 - 1] ^= 1;
		answer = PK_DO(key, rsa_command(VERIFY, PSS, SHA256, 0, 32), &digest, &signature);
		assert_int_equal(answer.status, ACCEL_HW_AUTH_FAILED);
		message = drawn(bits / 8 - 11);
		answer = PK_DO(key, rsa_command(ENCRYPT, PKCS1, 0, 0, 0), &message);
		signature = text_of(&answer);
		answer = PK_DO(key, rsa_command(DECRYPT, PKCS1, 0, 0, 0), &signature);
		assert_result(&answer, &message);
		pk_key_free(key);
	}
}

static void
bad_key(const struct rsa_text *text, unsigned int bits, unsigned int part, struct text with)
{
	struct rsa_text bad = *text;
	uint16_t status;

	bad.part[part] = with;
	assert_null(rsa_try(&bad, bits, &status));
	assert_int_equal(status, ACCEL_HW_BAD_CONTEXT);
}

/* Keys that cannot be used as such (PK-6). */
static void
test_key_bad(void **state)
{
	struct text n = small.part[ACCEL_HW_RSA_N], changed = n, zero = { .len = 1 }, none = { 0 };
	uint16_t status;

	(void)state;
	assert_null(rsa_try(&small, 1u << ACCEL_HW_RSA_N, &status));
	assert_null(rsa_try(&small, 1u << ACCEL_HW_RSA_E, &status));
	assert_null(rsa_try(&small, 0, &status));
	for (unsigned int i = ACCEL_HW_RSA_P; i <= ACCEL_HW_RSA_QINV; i++) {
		assert_null(rsa_try(&small, RSA_ALL_PARTS & ~(1u << i), &status));
		assert_int_equal(status, ACCEL_HW_BAD_CONTEXT);
		assert_null(rsa_try(&small, RSA_PUBLIC_PARTS | 1u << i, &status));
		bad_key(&small, RSA_CRT_PARTS, i, zero);
		bad_key(&small, RSA_CRT_PARTS, i, n);
		bad_key(&small, RSA_ALL_PARTS, i, none);
	}
	changed.data[127] ^= 1;
	bad_key(&small, RSA_D_PARTS, ACCEL_HW_RSA_N, changed); /* even */
	changed = n;
	changed.data[127] ^= 2;
	bad_key(&small, RSA_CRT_PARTS, ACCEL_HW_RSA_N, changed); /* not p times q */
	changed = n;
	changed.data[0] &= 0x7f;
	bad_key(&small, RSA_D_PARTS, ACCEL_HW_RSA_N, changed); /* 1023 bits */
	bad_key(&small, RSA_D_PARTS, ACCEL_HW_RSA_N, zero);
	changed = drawn(1025);
	changed.data[0] |= 1;
	changed.data[1024] |= 1;
	bad_key(&small, RSA_PUBLIC_PARTS, ACCEL_HW_RSA_N, changed);
	bad_key(&small, RSA_PUBLIC_PARTS, ACCEL_HW_RSA_E, hex("00"));
	bad_key(&small, RSA_PUBLIC_PARTS, ACCEL_HW_RSA_E, hex("01"));
	bad_key(&small, RSA_PUBLIC_PARTS, ACCEL_HW_RSA_E, hex("010000"));
	bad_key(&small, RSA_PUBLIC_PARTS, ACCEL_HW_RSA_E, n);
	bad_key(&small, RSA_D_PARTS, ACCEL_HW_RSA_D, zero);
	bad_key(&small, RSA_D_PARTS, ACCEL_HW_RSA_D, n);
	/* p = 1, q = n: phi is 0, and e has no inverse. */
	changed = n;
	for (unsigned int i = 0; i < 2; i++) {
		struct rsa_text bad = small;

		bad.part[ACCEL_HW_RSA_P + i] = n;
		bad.part[ACCEL_HW_RSA_Q - i] = hex("01");
		assert_null(rsa_try(&bad, RSA_CRT_PARTS, &status));
		assert_int_equal(status, ACCEL_HW_BAD_CONTEXT);
	}
}

/* The longest e: n - 2 is odd and below n. */
static void
test_key_long_e(void **state)
{
	struct accel_hw_pk_command cmd = rsa_command(ENCRYPT, NONE, 0, 0, 0);
	struct text one = hex("01"), want = { .len = 128 };
	struct rsa_text text = small;
	struct answer answer;
	struct pk_key *key;

	(void)state;
	text.part[ACCEL_HW_RSA_E] = small.part[ACCEL_HW_RSA_N];
	text.part[ACCEL_HW_RSA_E].data[127] -= 2;
	if (text.part[ACCEL_HW_RSA_E].data[127] == 0xff)
		return; /* a borrow, once in 128 keys */
	key = rsa_key(&text, RSA_PUBLIC_PARTS);
	answer = PK_DO(key, cmd, &one);
	want.data[127] = 1;
	assert_result(&answer, &want);
	pk_key_free(key);
}

/* Fields that do not go together (PK-8). */
static void
test_commands(void **state)
{
	const struct accel_hw_pk_command bad[] = {
		rsa_command(0, NONE, 0, 0, 0),
		rsa_command(5, NONE, 0, 0, 0),
		rsa_command(ENCRYPT, PSS, SHA256, 0, 0),
		rsa_command(DECRYPT, PSS, SHA256, 0, 0),
		rsa_command(SIGN, OAEP, SHA256, 0, 0),
		rsa_command(VERIFY, OAEP, SHA256, 0, 0),
		rsa_command(ENCRYPT, OAEP, 0, 0, 0),
		rsa_command(SIGN, PSS, 0, 0, 0),
		rsa_command(SIGN, PSS, 0, SHA256, 0),
		rsa_command(ENCRYPT, PKCS1, SHA256, 0, 0),
		rsa_command(DECRYPT, PKCS1, SHA256, 0, 0),
		rsa_command(ENCRYPT, NONE, SHA256, 0, 0),
		rsa_command(SIGN, NONE, SHA256, 0, 0),
		rsa_command(VERIFY, NONE, 0, SHA256, 0),
		rsa_command(SIGN, PKCS1, SHA256, SHA256, 0),
		rsa_command(SIGN, PKCS1, SHA256, 0, 1),
		rsa_command(ENCRYPT, OAEP, SHA256, 0, 1),
		rsa_command(SIGN, NONE, 0, 0, 1),
		rsa_command(SIGN, 4, 0, 0, 0),
		rsa_command(SIGN, 255, 0, 0, 0),
		rsa_command(SIGN, PKCS1, ACCEL_HW_AUTH_SHA256_HMAC, 0, 0),
		rsa_command(SIGN, PKCS1, ACCEL_HW_AUTH_SHAKE_128, 0, 0),
		rsa_command(SIGN, PKCS1, 255, 0, 0),
		rsa_command(SIGN, PSS, SHA256, ACCEL_HW_AUTH_NULL, 0),
	};
	struct accel_hw_pk_command cmd;
	struct pk_key *public = rsa_key(&small, RSA_PUBLIC_PARTS);
	uint32_t most;

	(void)state;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cmd = bad[i];
		cmd.operand[0] = 32;
		cmd.operand[1] = cmd.operation == VERIFY ? 128 : 0;
		assert_int_equal(pk_check(small_key, &cmd, &most), ACCEL_HW_BAD_COMMAND);
	}
	for (unsigned int op = ENCRYPT; op <= VERIFY; op++) {
		bool private = op == DECRYPT || op == SIGN;

		cmd = rsa_command(op, NONE, 0, 0, 0);
		cmd.operand[0] = 32;
		cmd.operand[1] = op == VERIFY ? 128 : 0;
		assert_int_equal(pk_check(small_key, &cmd, &most), ACCEL_HW_OK);
		assert_int_equal(most, 128);
		assert_int_equal(pk_check(public, &cmd, &most),
				private ? ACCEL_HW_BAD_COMMAND : ACCEL_HW_OK);
		cmd.flags = ACCEL_HW_CMD_NO_RX;
		assert_int_equal(pk_check(small_key, &cmd, &most), ACCEL_HW_BAD_COMMAND);
		cmd.flags = 0;
		/* a label without OAEP, no signature, an operand too many */
		cmd.operand[1] = op == VERIFY ? 0 : 1;
		assert_int_equal(pk_check(small_key, &cmd, &most), ACCEL_HW_BAD_COMMAND);
		cmd.operand[1] = op == VERIFY ? 128 : 0;
		cmd.operand[2] = 1;
		assert_int_equal(pk_check(small_key, &cmd, &most), ACCEL_HW_BAD_COMMAND);
	}
	cmd = rsa_command(VERIFY, PKCS1, SHA256, 0, 0);
	cmd.operand[0] = 32;
	cmd.operand[1] = 128;
	cmd.flags = ACCEL_HW_CMD_NO_RX;
	assert_int_equal(pk_check(small_key, &cmd, &most), ACCEL_HW_OK);
	assert_int_equal(most, 0);
	pk_key_free(public);
}

struct worker {
	pthread_t thread;
	struct pk_key *key;
	uint64_t seed;
	bool ok;
};

/* No asserts here: cmocka's belong to the main thread. */
static void *
work(void *arg)
{
	static const struct accel_hw_pk_command good = { .opcode = ACCEL_HW_OP_PK };
	struct worker *worker = arg;
	uint8_t in[32 + 128], out[128];

	worker->ok = true;
	for (unsigned int i = 0; i < ROUNDS && worker->ok; i++) {
		struct accel_hw_pk_command cmd = good;
		struct pk_job job = { .key = worker->key, .cmd = &cmd, .in = in, .out = out };

		memset(in, (int)(worker->seed + i), 32);
		cmd.operation = SIGN;
		cmd.padding = PSS;
		cmd.hash = SHA256;
		cmd.salt_len = 32;
		cmd.operand[0] = 32;
		pk_run(&job);
		worker->ok = job.status == ACCEL_HW_OK && job.produced == 128;
		memcpy(in + 32, out, 128);
		cmd.operation = VERIFY;
		cmd.operand[1] = 128;
		pk_run(&job);
		worker->ok = worker->ok && job.status == ACCEL_HW_OK;
		in[32 + i % 2] ^= 1;
		pk_run(&job);
		worker->ok = worker->ok && job.status == ACCEL_HW_AUTH_FAILED;
	}
	return NULL;
}

/* Several threads use a key that none has used before. */
static void
test_threads(void **state)
{
	static const unsigned int forms[] = { RSA_D_PARTS, RSA_CRT_PARTS };
	struct worker worker[THREADS];

	(void)state;
	for (unsigned int form = 0; form < 2; form++) {
		struct pk_key *key = rsa_key(&small, forms[form]);

		for (unsigned int i = 0; i < THREADS; i++) {
			worker[i] = (struct worker) { .key = key, .seed = i };
			assert_int_equal(pthread_create(&worker[i].thread, NULL, work, &worker[i]),
					0);
		}
		for (unsigned int i = 0; i < THREADS; i++) {
			pthread_join(worker[i].thread, NULL);
			assert_true(worker[i].ok);
		}
		pk_key_free(key);
	}
}

static int
refuse(unsigned char *bytes, int len)
{
	(void)bytes;
	(void)len;
	return 0;
}

/* Without random numbers there is no padding, no salt and no blinding. */
static void
test_no_entropy(void **state)
{
	static const RAND_METHOD failing = { .bytes = refuse, .pseudorand = refuse };
	struct text digest = drawn(32);
	struct pk_key *fresh = rsa_key(&small, RSA_ALL_PARTS);
	const struct accel_hw_pk_command commands[] = {
		rsa_command(ENCRYPT, PKCS1, 0, 0, 0),
		rsa_command(ENCRYPT, OAEP, SHA256, 0, 0),
		rsa_command(SIGN, PSS, SHA256, 0, 32),
		rsa_command(SIGN, PKCS1, SHA256, 0, 0), /* the first use of the key's blinding */
	};
	struct answer answer;

	(void)state;
	assert_int_equal(random_method(&failing), 1);
	for (unsigned int i = 0; i < 4; i++) {
		answer = PK_DO(fresh, commands[i], &digest);
		assert_int_equal(answer.status, ACCEL_HW_NO_ENTROPY);
	}
	assert_int_equal(random_method(NULL), 1);
	for (unsigned int i = 0; i < 4; i++) {
		answer = PK_DO(fresh, commands[i], &digest);
		assert_int_equal(answer.status, ACCEL_HW_OK);
	}
	pk_key_free(fresh);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_sign_hashes),
		cmocka_unit_test(test_sign_sm3),
		cmocka_unit_test(test_encrypt),
		cmocka_unit_test(test_message_lengths),
		cmocka_unit_test(test_sign_plain),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_ciphertext_length),
		cmocka_unit_test(test_key_forms),
		cmocka_unit_test(test_key_fault),
		cmocka_unit_test(test_key_large),
		cmocka_unit_test(test_key_bad),
		cmocka_unit_test(test_key_long_e),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_no_entropy),
	};

	rng_start();
	return cmocka_run_group_tests(tests, setup, teardown);
}
