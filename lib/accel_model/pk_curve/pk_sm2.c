/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * SM2 (GB/T 32918.2 signatures, GB/T 32918.4 encryption), made of curve arithmetic and SM3. EVP is
 * not used: it takes no k, takes a digest or an id but not both, and makes ASN.1.
 */
#include <pthread.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "pk_curve/pk_ec.h"

#define SM2_LEN 32u /* of numbers and digests */
#define ID_LEN_MAX 8191u /* bytes, as 16 bits say how many bits an id has */

enum {
	ENCRYPT_MESSAGE = 0,
	ENCRYPT_X = 1,
	ENCRYPT_K = 3,
	DECRYPT_X = 0,
	DECRYPT_C3_C2 = 2,
	DECRYPT_D = 3,
	SIGN_MESSAGE = 0,
	SIGN_ID = 1,
	SIGN_D = 2,
	SIGN_K = 3,
	VERIFY_MESSAGE = 0,
	VERIFY_R = 1,
	VERIFY_S = 2,
	VERIFY_ID = 3,
	VERIFY_X = 4,
};

static const struct pk_caps caps = {
	.alg = ACCEL_HW_PK_SM2,
	.operations = 1u << ACCEL_HW_PK_ENCRYPT | 1u << ACCEL_HW_PK_DECRYPT |
			1u << ACCEL_HW_PK_SIGN | 1u << ACCEL_HW_PK_VERIFY,
	.nb_curves = 1,
	.curve = { ACCEL_HW_CURVE_SM2 },
	.nb_hashes = 1,
	.hash = { ACCEL_HW_AUTH_SM3 },
};
static EVP_MD *sm3;
static pthread_once_t sm3_once = PTHREAD_ONCE_INIT;

static void
sm3_fetch(void)
{
	sm3 = EVP_MD_fetch(libctx(), "SM3", NULL);
}

static const struct pk_caps *
sm2_caps(void)
{
	pthread_once(&sm3_once, sm3_fetch);
	return sm3 != NULL && pk_curve(ACCEL_HW_CURVE_SM2) != NULL ? &caps : NULL;
}

static void
sm2_key_free(struct pk_key *key)
{
	pk_ec_key_free((struct pk_ec_key *)key);
}

/* Hash several strings one after the other. False: hashing failed. */
static bool
hash(const struct pk_bytes *part, unsigned int nb, uint8_t *digest)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool good = ctx != NULL && EVP_DigestInit_ex2(ctx, sm3, NULL) == 1;

	for (unsigned int i = 0; good && i < nb; i++)
		good = EVP_DigestUpdate(ctx, part[i].data, part[i].len) == 1;
	good = good && EVP_DigestFinal_ex(ctx, digest, NULL) == 1;
	EVP_MD_CTX_free(ctx); /* this wipes the state of the hash */
	return good;
}

/* Write the bytes of a point, x and y. */
static bool
point_bytes(struct pk_ec_work *w, const EC_POINT *point, uint8_t *xy)
{
	const EC_GROUP *group = w->curve->group;
	BIGNUM *x = pk_ec_number(w), *y = pk_ec_number(w);

	return y != NULL && EC_POINT_get_affine_coordinates(group, point, x, y, w->ctx) == 1 &&
			BN_bn2binpad(x, xy, SM2_LEN) == SM2_LEN &&
			BN_bn2binpad(y, xy + SM2_LEN, SM2_LEN) == SM2_LEN;
}

/* Write the bytes of the curve's parameters, as Z takes them: a, b, and the generator. */
static bool
curve_bytes(struct pk_ec_work *w, uint8_t *ab, uint8_t *generator)
{
	const EC_GROUP *group = w->curve->group;
	BIGNUM *a = pk_ec_number(w), *b = pk_ec_number(w);

	return b != NULL && EC_GROUP_get_curve(group, NULL, a, b, w->ctx) == 1 &&
			BN_bn2binpad(a, ab, SM2_LEN) == SM2_LEN &&
			BN_bn2binpad(b, ab + SM2_LEN, SM2_LEN) == SM2_LEN &&
			point_bytes(w, EC_GROUP_get0_generator(group), generator);
}

/* Compute SM3(Z || message) (GB/T 32918.2, 5.5 and 6.1). */
static bool
hash_behind_z(struct pk_ec_work *w, const EC_POINT *public, struct pk_bytes id,
		struct pk_bytes message, uint8_t *digest)
{
	static const char usual[] = "1234567812345678";
	uint8_t bits[2], ab[2 * SM2_LEN], generator[2 * SM2_LEN], xy[2 * SM2_LEN], z[SM2_LEN];

	if (id.len == 0)
		id = (struct pk_bytes) { (const uint8_t *)usual, sizeof(usual) - 1 };
	put_be16(bits, 8 * id.len);
	if (!curve_bytes(w, ab, generator) || !point_bytes(w, public, xy))
		return false;
	return hash((const struct pk_bytes[]) { { bits, sizeof(bits) }, id, { ab, sizeof(ab) },
						{ generator, sizeof(generator) },
						{ xy, sizeof(xy) } }, 5, z) &&
			hash((const struct pk_bytes[]) { { z, sizeof(z) }, message }, 2, digest);
}

/* Make the digest e of a message as a number. With SM3 the digest covers the public key. Without a
 * hash the message is the digest. */
static uint16_t
digest_of(struct pk_ec_work *w, struct pk_bytes message, struct pk_bytes id, const EC_POINT *public,
		BIGNUM **e)
{
	uint8_t digest[SM2_LEN];

	*e = pk_ec_number(w);
	if (*e == NULL || (w->job->cmd->hash != 0 &&
			   !hash_behind_z(w, public, id, message, digest)))
		return ACCEL_HW_ENGINE_ERROR;
	if (w->job->cmd->hash == 0)
		memcpy(digest, message.data, SM2_LEN);
	return BN_bin2bn(digest, SM2_LEN, *e) != NULL ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
}

static bool
message_fits(const struct pk_ec_work *w, struct pk_bytes message, struct pk_bytes id)
{
	return w->job->cmd->hash != 0 ? id.len <= ID_LEN_MAX : message.len == SM2_LEN;
}

/* Return the public key that belongs to the private number that signs. */
static EC_POINT *
signer(struct pk_ec_work *w, const BIGNUM *d)
{
	if (w->key->public != NULL && w->job->cmd->operand[SIGN_D] == 0)
		return EC_POINT_dup(w->key->public, w->curve->group);
	return pk_ec_multiply(w, d, NULL);
}

/* Load k from an operand, or make k at random if the operand is absent. */
static uint16_t
load_k(struct pk_ec_work *w, unsigned int operand, BIGNUM **k)
{
	return w->job->cmd->operand[operand] != 0 ? pk_ec_private(w, operand, k) :
						    pk_ec_random(w, k);
}

/* Compute r = (e + x of the point) mod n. */
static bool
make_r(struct pk_ec_work *w, const BIGNUM *e, const EC_POINT *point, BIGNUM *r)
{
	const struct pk_curve *c = w->curve;

	return EC_POINT_get_affine_coordinates(c->group, point, r, NULL, w->ctx) == 1 &&
			BN_mod_add(r, r, e, c->order, w->ctx) == 1;
}

/* Compute s = (k - r d) / (1 + d) = (k + r) / (1 + d) - r, with one secret product. If k + r is 0,
 * k cannot be used, and s becomes 0. */
static bool
make_s(struct pk_ec_work *w, const BIGNUM *d, const BIGNUM *k, const BIGNUM *r, BIGNUM *s)
{
	const struct pk_curve *c = w->curve;
	BIGNUM *sum = pk_ec_number(w), *more = pk_ec_number(w), *inverse;

	if (more == NULL || BN_copy(more, d) == NULL || BN_add_word(more, 1) != 1)
		return false;
	inverse = pk_ec_inverse(w, more);
	if (inverse == NULL || BN_mod_add_quick(sum, k, r, c->order) != 1)
		return false;
	if (BN_is_zero(sum)) {
		BN_zero(s);
		return true;
	}
	return BN_to_montgomery(inverse, inverse, c->mont, w->ctx) == 1 &&
			BN_mod_mul_montgomery(s, inverse, sum, c->mont, w->ctx) == 1 &&
			BN_mod_sub_quick(s, s, r, c->order) == 1;
}

/* Try to sign with one k. s is 0 if this k cannot be used. */
static uint16_t
sign_once(struct pk_ec_work *w, const BIGNUM *e, const BIGNUM *d, BIGNUM *r, BIGNUM *s)
{
	EC_POINT *point;
	BIGNUM *k;
	uint16_t status = load_k(w, SIGN_K, &k);
	bool good;

	if (status != ACCEL_HW_OK)
		return status;
	BN_zero(s);
	point = pk_ec_multiply(w, k, NULL);
	good = point != NULL && make_r(w, e, point, r) &&
			(BN_is_zero(r) || make_s(w, d, k, r, s));
	EC_POINT_clear_free(point);
	return good ? ACCEL_HW_OK : pk_why_failed();
}

static uint16_t
put_signature(struct pk_ec_work *w, const BIGNUM *e, const BIGNUM *d)
{
	BIGNUM *r = pk_ec_number(w), *s = pk_ec_number(w);
	uint16_t status;

	if (s == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	do {
		status = sign_once(w, e, d, r, s);
		if (status != ACCEL_HW_OK)
			return status;
	} while (BN_is_zero(s) && w->job->cmd->operand[SIGN_K] == 0);
	if (BN_is_zero(s))
		return ACCEL_HW_BAD_OPERAND;
	return pk_put_number(w->job, r, SM2_LEN) && pk_put_number(w->job, s, SM2_LEN) ?
			ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
}

static uint16_t
sign(struct pk_ec_work *w)
{
	const struct pk_bytes message = pk_operand(w->job, SIGN_MESSAGE);
	const struct pk_bytes id = pk_operand(w->job, SIGN_ID);
	EC_POINT *public = NULL;
	BIGNUM *d, *e, *k;
	uint16_t status = pk_ec_private(w, SIGN_D, &d);

	if (status != ACCEL_HW_OK)
		return status;
	/* 1 + d has to have an inverse. */
	if (!message_fits(w, message, id) || BN_cmp(d, w->curve->order_less_1) == 0)
		return ACCEL_HW_BAD_OPERAND;
	if (w->job->cmd->operand[SIGN_K] != 0)
		status = pk_ec_private(w, SIGN_K, &k);
	if (status != ACCEL_HW_OK)
		return status;
	if (w->job->cmd->hash != 0) {
		public = signer(w, d);
		if (public == NULL)
			return pk_why_failed();
	}
	status = digest_of(w, message, id, public, &e);
	EC_POINT_free(public);
	return status == ACCEL_HW_OK ? put_signature(w, e, d) : status;
}

/* Check that r = (e + x of (s G + (r + s) P)) mod n. @return OK, AUTH_FAILED or ENGINE_ERROR. */
static uint16_t
compare(struct pk_ec_work *w, const BIGNUM *e, const EC_POINT *public, const BIGNUM *r,
		const BIGNUM *s)
{
	const struct pk_curve *c = w->curve;
	EC_POINT *point = EC_POINT_new(c->group);
	BIGNUM *t = pk_ec_number(w), *want = pk_ec_number(w);
	uint16_t status = ACCEL_HW_AUTH_FAILED;

	if (point == NULL || want == NULL || BN_mod_add(t, r, s, c->order, w->ctx) != 1)
		status = ACCEL_HW_ENGINE_ERROR;
	else if (!BN_is_zero(t) && EC_POINT_mul(c->group, point, s, public, t, w->ctx) == 1 &&
			make_r(w, e, point, want) && BN_cmp(want, r) == 0)
		status = ACCEL_HW_OK;
	EC_POINT_free(point);
	return status;
}

static uint16_t
verify(struct pk_ec_work *w)
{
	const struct pk_bytes message = pk_operand(w->job, VERIFY_MESSAGE);
	const struct pk_bytes id = pk_operand(w->job, VERIFY_ID);
	const EC_POINT *public;
	BIGNUM *r, *s, *e;
	uint16_t status;

	if (!message_fits(w, message, id))
		return ACCEL_HW_BAD_OPERAND;
	status = pk_ec_public(w, VERIFY_X, &public);
	if (status != ACCEL_HW_OK)
		return status;
	if (!pk_ec_signature_part(w, VERIFY_R, &r) || !pk_ec_signature_part(w, VERIFY_S, &s))
		status = ACCEL_HW_AUTH_FAILED;
	if (status == ACCEL_HW_OK)
		status = digest_of(w, message, id, public, &e);
	if (status == ACCEL_HW_OK)
		status = compare(w, e, public, r, s);
	return status;
}

/* XOR a message with the key stream of the shared point (GB/T 32918.4, 5.4.3). False: hashing
 * failed.
 *
 * @param none becomes true if all of the key stream is zeros. */
static bool
crypt(const uint8_t *xy, struct pk_bytes from, uint8_t *to, bool *none)
{
	uint8_t count[4], block[SM2_LEN], any = 0;
	bool good = true;

	for (uint32_t at = 0; good && at < from.len; at += SM2_LEN) {
		put_be32(count, at / SM2_LEN + 1);
		good = hash((const struct pk_bytes[]) { { xy, 2 * SM2_LEN },
							{ count, sizeof(count) } }, 2, block);
		for (uint32_t i = 0; i < SM2_LEN && at + i < from.len; i++) {
			any |= block[i];
			to[at + i] = from.data[at + i] ^ block[i];
		}
	}
	OPENSSL_cleanse(block, sizeof(block));
	*none = any == 0;
	return good;
}

/* Compute C3 = SM3(x || message || y) of the shared point. */
static bool
make_c3(const uint8_t *xy, struct pk_bytes message, uint8_t *c3)
{
	return hash((const struct pk_bytes[]) { { xy, SM2_LEN }, message,
						{ xy + SM2_LEN, SM2_LEN } }, 3, c3);
}

/* Write the bytes of number * point, or of number * generator if the point is NULL. */
static bool
shared_bytes(struct pk_ec_work *w, const BIGNUM *number, const EC_POINT *point, uint8_t *xy)
{
	EC_POINT *shared = pk_ec_multiply(w, number, point);
	bool good = shared != NULL && point_bytes(w, shared, xy);

	EC_POINT_clear_free(shared);
	return good;
}

/* Try to encrypt with one k. BAD_OPERAND: this k cannot be used. */
static uint16_t
encrypt_once(struct pk_ec_work *w, const EC_POINT *public, const BIGNUM *k)
{
	const struct pk_bytes message = pk_operand(w->job, ENCRYPT_MESSAGE);
	uint8_t *out = w->job->out, xy[2 * SM2_LEN];
	bool none = false;
	bool good = shared_bytes(w, k, NULL, out) && shared_bytes(w, k, public, xy) &&
			crypt(xy, message, out + 3 * SM2_LEN, &none) &&
			make_c3(xy, message, out + 2 * SM2_LEN);

	OPENSSL_cleanse(xy, sizeof(xy));
	if (!good)
		return pk_why_failed();
	if (none)
		return ACCEL_HW_BAD_OPERAND;
	w->job->produced = 3 * SM2_LEN + message.len;
	return ACCEL_HW_OK;
}

static uint16_t
encrypt(struct pk_ec_work *w)
{
	const bool given = w->job->cmd->operand[ENCRYPT_K] != 0;
	const EC_POINT *public;
	BIGNUM *k = NULL;
	uint16_t status = given ? pk_ec_private(w, ENCRYPT_K, &k) : ACCEL_HW_OK;

	if (w->job->cmd->operand[ENCRYPT_MESSAGE] == 0)
		return ACCEL_HW_BAD_OPERAND;
	if (status == ACCEL_HW_OK)
		status = pk_ec_public(w, ENCRYPT_X, &public);
	if (status != ACCEL_HW_OK)
		return status;
	do {
		status = given ? ACCEL_HW_OK : pk_ec_random(w, &k);
		if (status == ACCEL_HW_OK)
			status = encrypt_once(w, public, k);
	} while (status == ACCEL_HW_BAD_OPERAND && !given);
	return status;
}

static uint16_t
decrypt_with(struct pk_ec_work *w, const BIGNUM *d, const EC_POINT *point)
{
	const struct pk_bytes c3 = pk_operand(w->job, DECRYPT_C3_C2);
	const struct pk_bytes c2 = { c3.data + SM2_LEN, c3.len - SM2_LEN };
	const struct pk_bytes message = { w->job->out, c2.len };
	uint8_t xy[2 * SM2_LEN], digest[SM2_LEN];
	bool none = false;
	bool good = shared_bytes(w, d, point, xy) && crypt(xy, c2, w->job->out, &none) &&
			make_c3(xy, message, digest);

	OPENSSL_cleanse(xy, sizeof(xy));
	if (good && !none && CRYPTO_memcmp(digest, c3.data, SM2_LEN) == 0) {
		w->job->produced = c2.len;
		return ACCEL_HW_OK;
	}
	OPENSSL_cleanse(w->job->out, c2.len);
	return good ? ACCEL_HW_DECRYPT_FAILED : pk_why_failed();
}

static uint16_t
decrypt(struct pk_ec_work *w)
{
	const EC_POINT *point;
	BIGNUM *d;
	uint16_t status = pk_ec_private(w, DECRYPT_D, &d);

	if (status == ACCEL_HW_OK && w->job->cmd->operand[DECRYPT_C3_C2] <= SM2_LEN)
		status = ACCEL_HW_BAD_OPERAND;
	if (status == ACCEL_HW_OK)
		status = pk_ec_public(w, DECRYPT_X, &point);
	return status == ACCEL_HW_OK ? decrypt_with(w, d, point) : status;
}

static uint16_t
sm2_encrypt(struct pk_job *job)
{
	return pk_ec_run(job, encrypt);
}

static uint16_t
sm2_decrypt(struct pk_job *job)
{
	return pk_ec_run(job, decrypt);
}

static uint16_t
sm2_sign(struct pk_job *job)
{
	return pk_ec_run(job, sign);
}

static uint16_t
sm2_verify(struct pk_job *job)
{
	return pk_ec_run(job, verify);
}

/* Make a key. A d of n - 1 is taken, as it can decrypt. It cannot sign, so SIGN refuses it. */
static struct pk_key *
sm2_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	struct pk_ec_key *key = pk_ec_key_new(header, components, 3, status);

	if (key == NULL)
		return NULL;
	if (pk_ec_key_derive(key)) /* Z needs the public point */
		return &key->base;
	*status = ACCEL_HW_ENGINE_ERROR;
	pk_ec_key_free(key);
	return NULL;
}

/* Check the combination of fields. An id is only for a message that is hashed. */
static bool
sm2_fits(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)key;
	if (cmd->mgf_hash != 0)
		return false;
	if (cmd->operation == ACCEL_HW_PK_SIGN)
		return cmd->hash != 0 || cmd->operand[SIGN_ID] == 0;
	if (cmd->operation == ACCEL_HW_PK_VERIFY)
		return cmd->hash != 0 || cmd->operand[VERIFY_ID] == 0;
	return true;
}

static uint32_t
signature_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)key;
	(void)cmd;
	return 2 * SM2_LEN;
}

static uint32_t
ciphertext_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)key;
	return 3 * SM2_LEN + cmd->operand[ENCRYPT_MESSAGE];
}

/* Return the most bytes of the message. This is not 0, as the operation has a result. */
static uint32_t
message_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	const uint32_t len = cmd->operand[DECRYPT_C3_C2];

	(void)key;
	return len > SM2_LEN ? len - SM2_LEN : 1;
}

const struct pk_alg pk_alg_sm2 = {
	.caps = sm2_caps,
	.key_new = sm2_key_new,
	.key_free = sm2_key_free,
	.check = sm2_fits,
	.nb_components = 3,
	.operation = {
		[ACCEL_HW_PK_ENCRYPT] = {
			.run = sm2_encrypt,
			.most = ciphertext_len,
			.operand = {
				[ENCRYPT_MESSAGE] = PK_OPERAND_OPEN,
				[ENCRYPT_X] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_X,
				[ENCRYPT_X + 1] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_Y,
				[ENCRYPT_K] = PK_OPERAND_OPEN,
			},
		},
		[ACCEL_HW_PK_DECRYPT] = {
			.run = sm2_decrypt,
			.most = message_len,
			.operand = {
				[DECRYPT_X] = PK_OPERAND_NEEDED,
				[DECRYPT_X + 1] = PK_OPERAND_NEEDED,
				[DECRYPT_C3_C2] = PK_OPERAND_NEEDED,
				[DECRYPT_D] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_D,
			},
		},
		[ACCEL_HW_PK_SIGN] = {
			.run = sm2_sign,
			.most = signature_len,
			.operand = {
				[SIGN_MESSAGE] = PK_OPERAND_OPEN,
				[SIGN_ID] = PK_OPERAND_OPEN,
				[SIGN_D] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_D,
				[SIGN_K] = PK_OPERAND_OPEN,
			},
		},
		[ACCEL_HW_PK_VERIFY] = {
			.run = sm2_verify,
			.operand = {
				[VERIFY_MESSAGE] = PK_OPERAND_OPEN,
				[VERIFY_R] = PK_OPERAND_NEEDED,
				[VERIFY_S] = PK_OPERAND_NEEDED,
				[VERIFY_ID] = PK_OPERAND_OPEN,
				[VERIFY_X] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_X,
				[VERIFY_X + 1] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_Y,
			},
		},
	},
};
