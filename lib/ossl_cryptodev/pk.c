/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Signatures, encryption and key exchange as EVP wants them. A context wraps one of the default
 * provider, which has the parameters and does what the device does not do.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/proverr.h>

#include "pk.h"

static EVP_SIGNATURE *signatures[OC_KEY_TYPES];
static EVP_ASYM_CIPHER *rsa_cipher;
static EVP_KEYEXCH *ecdh;

/* Finds the default provider's operations. */
bool
oc_pk_prepare(void)
{
	signatures[OC_KEY_RSA] = EVP_SIGNATURE_fetch(oc_inner, "RSA", NULL);
	signatures[OC_KEY_EC] = EVP_SIGNATURE_fetch(oc_inner, "ECDSA", NULL);
	rsa_cipher = EVP_ASYM_CIPHER_fetch(oc_inner, "RSA", NULL);
	ecdh = EVP_KEYEXCH_fetch(oc_inner, "ECDH", NULL);
	return signatures[OC_KEY_RSA] != NULL && signatures[OC_KEY_EC] != NULL &&
			rsa_cipher != NULL && ecdh != NULL;
}

static int
fail(int reason)
{
	ERR_raise(ERR_LIB_PROV, reason);
	return 0;
}

static void
pk_free(void *vpk)
{
	struct oc_pk *pk = vpk;

	if (pk == NULL)
		return;
	oc_padding_forget(pk);
	EVP_PKEY_CTX_free(pk->inner);
	EVP_MD_CTX_free(pk->md);
	oc_key_free(pk->key);
	oc_key_free(pk->peer);
	OPENSSL_free(pk);
}

static void *
cipher_new(void *provctx)
{
	(void)provctx;
	return OPENSSL_zalloc(sizeof(struct oc_pk));
}

static void *
signature_new(void *provctx, const char *properties)
{
	(void)properties;
	return cipher_new(provctx);
}

static void *
pk_dup(void *vpk)
{
	const struct oc_pk *from = vpk;
	struct oc_pk *pk = OPENSSL_zalloc(sizeof(*pk));
	bool ok = pk != NULL;

	if (ok && from->key != NULL)
		pk->key = oc_key_share(from->key);
	if (ok && from->peer != NULL)
		pk->peer = oc_key_share(from->peer);
	if (ok && from->inner != NULL) {
		pk->inner = EVP_PKEY_CTX_dup(from->inner);
		ok = pk->inner != NULL;
	}
	if (ok && from->md != NULL) {
		pk->md = EVP_MD_CTX_new();
		ok = pk->md != NULL && EVP_MD_CTX_copy_ex(pk->md, from->md) == 1;
	}
	if (ok)
		return pk;
	pk_free(pk);
	return NULL;
}

/* Sets parameters. The digest of a text stays as it is. */
static int
pk_set_params(void *vpk, const OSSL_PARAM params[])
{
	struct oc_pk *pk = vpk;
	const OSSL_PARAM *p;
	const char *name;

	if (params == NULL)
		return 1;
	if (pk->inner == NULL)
		return fail(PROV_R_NO_KEY_SET);
	p = pk->md != NULL ? OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST) : NULL;
	if (p != NULL &&
			(!OSSL_PARAM_get_utf8_string_ptr(p, &name) ||
					!EVP_MD_is_a(EVP_MD_CTX_get0_md(pk->md), name)))
		return fail(PROV_R_DIGEST_NOT_ALLOWED);
	oc_padding_forget(pk);
	return EVP_PKEY_CTX_set_params(pk->inner, params) == 1;
}

static int
pk_get_params(void *vpk, OSSL_PARAM params[])
{
	struct oc_pk *pk = vpk;

	return pk->inner != NULL && EVP_PKEY_CTX_get_params(pk->inner, params) == 1;
}

/* Begins an operation with a key, or again with the one that the context has. */
static int
begin(struct oc_pk *pk, struct oc_key *key, int (*init)(EVP_PKEY_CTX *), const OSSL_PARAM params[])
{
	if (key != NULL) {
		if (key->inner == NULL)
			return fail(PROV_R_NO_KEY_SET);
		oc_key_share(key);
		oc_key_free(pk->key);
		oc_padding_forget(pk);
		pk->key = key;
		EVP_MD_CTX_free(pk->md);
		pk->md = NULL;
		EVP_PKEY_CTX_free(pk->inner);
		pk->inner = EVP_PKEY_CTX_new_from_pkey(oc_inner, key->inner, NULL);
		if (pk->inner == NULL || init(pk->inner) != 1)
			return 0;
	}
	return pk->inner != NULL ? pk_set_params(pk, params) : fail(PROV_R_NO_KEY_SET);
}

#define BEGIN(name, init) \
	static int name(void *vpk, void *vkey, const OSSL_PARAM params[]) \
	{ \
		return begin(vpk, vkey, init, params); \
	}

BEGIN(sign_init, EVP_PKEY_sign_init)
BEGIN(verify_init, EVP_PKEY_verify_init)
BEGIN(recover_init, EVP_PKEY_verify_recover_init)
BEGIN(encrypt_init, EVP_PKEY_encrypt_init)
BEGIN(decrypt_init, EVP_PKEY_decrypt_init)
BEGIN(derive_init, EVP_PKEY_derive_init)

/* Begins a signature of a text, of which this has the digest. */
static int
text_init(struct oc_pk *pk, const char *digest, struct oc_key *key, int (*init)(EVP_PKEY_CTX *),
		const OSSL_PARAM params[])
{
	char name[64] = "";
	OSSL_PARAM set[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, name, 0),
		OSSL_PARAM_construct_end(),
	};
	EVP_MD *md;
	bool ok;

	if (begin(pk, key, init, NULL) != 1)
		return 0;
	if (digest != NULL && digest[0] != '\0')
		OPENSSL_strlcpy(name, digest, sizeof(name));
	else if (EVP_PKEY_get_default_digest_name(pk->key->inner, name, sizeof(name)) <= 0)
		return fail(PROV_R_INVALID_DIGEST);
	set[0].data_size = strlen(name);
	md = EVP_MD_fetch(oc_inner, name, NULL);
	if (pk->md == NULL)
		pk->md = EVP_MD_CTX_new();
	oc_padding_forget(pk);
	ok = md != NULL && pk->md != NULL && EVP_PKEY_CTX_set_params(pk->inner, set) == 1 &&
			EVP_DigestInit_ex2(pk->md, md, NULL) == 1;
	EVP_MD_free(md);
	return ok && pk_set_params(pk, params);
}

static int
sign_text_init(void *vpk, const char *digest, void *vkey, const OSSL_PARAM params[])
{
	return text_init(vpk, digest, vkey, EVP_PKEY_sign_init, params);
}

static int
verify_text_init(void *vpk, const char *digest, void *vkey, const OSSL_PARAM params[])
{
	return text_init(vpk, digest, vkey, EVP_PKEY_verify_init, params);
}

static int
text_update(void *vpk, const unsigned char *text, size_t len)
{
	struct oc_pk *pk = vpk;

	return pk->md != NULL && EVP_DigestUpdate(pk->md, text, len) == 1;
}

/* Checks that there is a key and room for a result. Returns 1 if only its length was asked for, -1
 * if the operation can go on.
 */
static int
check_room(const struct oc_pk *pk, const void *out, size_t *out_len, size_t room)
{
	size_t size = pk->key != NULL ? (size_t)EVP_PKEY_get_size(pk->key->inner) : 0;

	if (size == 0)
		return fail(PROV_R_NO_KEY_SET);
	if (out == NULL) {
		*out_len = size;
		return 1;
	}
	return room < size ? fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL) : -1;
}

/* Produces a signature or a ciphertext with the device, or else with the default provider. */
static int
produce(struct oc_pk *pk, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in,
		size_t len,
		bool (*device)(struct oc_pk *, uint8_t *, size_t *, const uint8_t *, size_t),
		int (*inner)(EVP_PKEY_CTX *, unsigned char *, size_t *, const unsigned char *,
				size_t))
{
	int checked = check_room(pk, out, out_len, room), ret;
	uint64_t begin = oc_now_ns();
	bool done;

	if (checked >= 0)
		return checked;
	ERR_set_mark();
	done = device(pk, out, out_len, in, len);
	ERR_pop_to_mark();
	*out_len = done ? *out_len : room;
	ret = done ? 1 : inner(pk->inner, out, out_len, in, len);
	oc_pace_note(pk, done, begin);
	return ret;
}

static int
sign(void *vpk, unsigned char *sig, size_t *sig_len, size_t room, const unsigned char *digest,
		size_t len)
{
	struct oc_pk *pk = vpk;
	bool ec = pk->key != NULL && pk->key->type == OC_KEY_EC;

	return produce(pk, sig, sig_len, room, digest, len, ec ? oc_ec_sign : oc_rsa_sign,
			EVP_PKEY_sign);
}

static int
sign_text_final(void *vpk, unsigned char *sig, size_t *sig_len, size_t room)
{
	struct oc_pk *pk = vpk;
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int len = 0;

	if (pk->md == NULL || (sig != NULL && EVP_DigestFinal_ex(pk->md, digest, &len) != 1))
		return 0;
	return sign(pk, sig, sig_len, room, digest, len);
}

/* Verifies a signature. The default provider has the last word on a wrong one. */
static int
verify(void *vpk, const unsigned char *sig, size_t sig_len, const unsigned char *digest, size_t len)
{
	struct oc_pk *pk = vpk;
	uint64_t begin = oc_now_ns();
	bool done;
	int ret;

	if (pk->key == NULL)
		return fail(PROV_R_NO_KEY_SET);
	ERR_set_mark();
	done = pk->key->type == OC_KEY_RSA ? oc_rsa_verify(pk, sig, sig_len, digest, len)
					   : oc_ec_verify(pk, sig, sig_len, digest, len);
	ERR_pop_to_mark();
	ret = done ? 1 : EVP_PKEY_verify(pk->inner, sig, sig_len, digest, len);
	oc_pace_note(pk, done, begin);
	return ret;
}

static int
verify_text_final(void *vpk, const unsigned char *sig, size_t sig_len)
{
	struct oc_pk *pk = vpk;
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int len = 0;

	if (pk->md == NULL || EVP_DigestFinal_ex(pk->md, digest, &len) != 1)
		return 0;
	return verify(pk, sig, sig_len, digest, len);
}

static int
recover(void *vpk, unsigned char *out, size_t *out_len, size_t room, const unsigned char *sig,
		size_t len)
{
	struct oc_pk *pk = vpk;

	*out_len = room;
	return EVP_PKEY_verify_recover(pk->inner, out, out_len, sig, len);
}

static int
encrypt(void *vpk, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in,
		size_t len)
{
	return produce(vpk, out, out_len, room, in, len, oc_rsa_encrypt, EVP_PKEY_encrypt);
}

/* Decrypts. What the device has decrypted is not decrypted again if its padding is wrong. */
static int
decrypt(void *vpk, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in,
		size_t len)
{
	struct oc_pk *pk = vpk;
	uint64_t begin = oc_now_ns();
	int done = -1;

	if (pk->key == NULL)
		return fail(PROV_R_NO_KEY_SET);
	if (out != NULL) {
		ERR_set_mark();
		done = oc_rsa_decrypt(pk, out, out_len, room, in, len);
		ERR_pop_to_mark();
	}
	if (done == 0)
		return fail(PROV_R_FAILED_TO_DECRYPT);
	if (done < 0) {
		*out_len = room;
		done = EVP_PKEY_decrypt(pk->inner, out, out_len, in, len);
		oc_pace_note(pk, false, begin);
	} else {
		oc_pace_note(pk, true, begin);
	}
	return done;
}

/* Takes the peer's key, which EVP has checked. */
static int
set_peer(void *vpk, void *vkey)
{
	struct oc_pk *pk = vpk;
	struct oc_key *peer = vkey;

	if (pk->inner == NULL || peer->inner == NULL ||
			EVP_PKEY_derive_set_peer_ex(pk->inner, peer->inner, 0) != 1)
		return 0;
	oc_key_share(peer);
	oc_key_free(pk->peer);
	pk->peer = peer;
	return 1;
}

static int
derive(void *vpk, unsigned char *secret, size_t *secret_len, size_t room)
{
	struct oc_pk *pk = vpk;
	uint64_t begin = oc_now_ns();
	bool done = false;
	int ret;

	if (pk->key == NULL)
		return fail(PROV_R_NO_KEY_SET);
	if (secret != NULL && pk->peer != NULL) {
		ERR_set_mark();
		done = oc_ec_derive(pk, secret, secret_len, room);
		ERR_pop_to_mark();
	}
	*secret_len = done ? *secret_len : room;
	ret = done ? 1 : EVP_PKEY_derive(pk->inner, secret, secret_len);
	oc_pace_note(pk, done, begin);
	return ret;
}

/* The lists of parameters, which belong to no context, and the tables. */
#define FUNCTION(id, name) \
	{ \
		OSSL_FUNC_##id, (void (*)(void))name \
	}
#define LISTS(name, type, object) \
	static const OSSL_PARAM *name##_gettable(void *vpk, void *provctx) \
	{ \
		(void)vpk; \
		(void)provctx; \
		return EVP_##type##_gettable_ctx_params(object); \
	} \
	static const OSSL_PARAM *name##_settable(void *vpk, void *provctx) \
	{ \
		(void)vpk; \
		(void)provctx; \
		return EVP_##type##_settable_ctx_params(object); \
	}
#define COMMON(name, type, new) \
	FUNCTION(type##_NEWCTX, new), FUNCTION(type##_FREECTX, pk_free), \
			FUNCTION(type##_DUPCTX, pk_dup), \
			FUNCTION(type##_GET_CTX_PARAMS, pk_get_params), \
			FUNCTION(type##_SET_CTX_PARAMS, pk_set_params), \
			FUNCTION(type##_GETTABLE_CTX_PARAMS, name##_gettable), \
			FUNCTION(type##_SETTABLE_CTX_PARAMS, name##_settable)
#define SIGNATURE(name) \
	COMMON(name, SIGNATURE, signature_new), FUNCTION(SIGNATURE_SIGN_INIT, sign_init), \
			FUNCTION(SIGNATURE_SIGN, sign), \
			FUNCTION(SIGNATURE_VERIFY_INIT, verify_init), \
			FUNCTION(SIGNATURE_VERIFY, verify), \
			FUNCTION(SIGNATURE_DIGEST_SIGN_INIT, sign_text_init), \
			FUNCTION(SIGNATURE_DIGEST_SIGN_UPDATE, text_update), \
			FUNCTION(SIGNATURE_DIGEST_SIGN_FINAL, sign_text_final), \
			FUNCTION(SIGNATURE_DIGEST_VERIFY_INIT, verify_text_init), \
			FUNCTION(SIGNATURE_DIGEST_VERIFY_UPDATE, text_update), \
			FUNCTION(SIGNATURE_DIGEST_VERIFY_FINAL, verify_text_final)

LISTS(rsa_signature, SIGNATURE, signatures[OC_KEY_RSA])
LISTS(ec_signature, SIGNATURE, signatures[OC_KEY_EC])
LISTS(rsa_cipher, ASYM_CIPHER, rsa_cipher)
LISTS(ecdh, KEYEXCH, ecdh)

const OSSL_DISPATCH oc_rsa_signature[] = {
	SIGNATURE(rsa_signature),
	FUNCTION(SIGNATURE_VERIFY_RECOVER_INIT, recover_init),
	FUNCTION(SIGNATURE_VERIFY_RECOVER, recover),
	{ 0, NULL },
};

const OSSL_DISPATCH oc_ec_signature[] = {
	SIGNATURE(ec_signature),
	{ 0, NULL },
};

const OSSL_DISPATCH oc_rsa_cipher[] = {
	COMMON(rsa_cipher, ASYM_CIPHER, cipher_new),
	FUNCTION(ASYM_CIPHER_ENCRYPT_INIT, encrypt_init),
	FUNCTION(ASYM_CIPHER_ENCRYPT, encrypt),
	FUNCTION(ASYM_CIPHER_DECRYPT_INIT, decrypt_init),
	FUNCTION(ASYM_CIPHER_DECRYPT, decrypt),
	{ 0, NULL },
};

const OSSL_DISPATCH oc_ecdh[] = {
	COMMON(ecdh, KEYEXCH, cipher_new),
	FUNCTION(KEYEXCH_INIT, derive_init),
	FUNCTION(KEYEXCH_SET_PEER, set_peer),
	FUNCTION(KEYEXCH_DERIVE, derive),
	{ 0, NULL },
};
