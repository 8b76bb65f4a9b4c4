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

/* The default provider's functions of a kind of contexts. Those that all kinds have are of one type
 * and have numbers of their own for each kind.
 */
struct oc_pk_kind {
	const OSSL_DISPATCH *functions;
	int free, dup, get, set;
};

#define KIND(type) \
	{ \
		.free = OSSL_FUNC_##type##_FREECTX, .dup = OSSL_FUNC_##type##_DUPCTX, \
		.get = OSSL_FUNC_##type##_GET_CTX_PARAMS, .set = OSSL_FUNC_##type##_SET_CTX_PARAMS \
	}

static struct oc_pk_kind rsa_signatures = KIND(SIGNATURE), ec_signatures = KIND(SIGNATURE),
			 rsa_ciphers = KIND(ASYM_CIPHER), exchanges = KIND(KEYEXCH);

/* The default provider's function for a context; the type is that of the function's accessor. */
#define INNER(kind, accessor, id) OSSL_FUNC_##accessor(oc_inner_row((kind)->functions, id))

static void
pk_free(void *vpk)
{
	struct oc_pk *pk = vpk;

	if (pk == NULL)
		return;
	oc_padding_forget(pk);
	INNER(pk->kind, signature_freectx, pk->kind->free)(pk->inner);
	EVP_MD_CTX_free(pk->md);
	oc_key_free(pk->key);
	oc_key_free(pk->peer);
	OPENSSL_free(pk);
}

/* Makes a context, which takes `inner`. */
static struct oc_pk *
pk_make(const struct oc_pk_kind *kind, void *inner)
{
	struct oc_pk *pk = inner != NULL ? OPENSSL_zalloc(sizeof(*pk)) : NULL;

	if (pk == NULL) {
		INNER(kind, signature_freectx, kind->free)(inner);
		return NULL;
	}
	pk->kind = kind;
	pk->inner = inner;
	return pk;
}

static void *
pk_dup(void *vpk)
{
	const struct oc_pk *from = vpk;
	const struct oc_pk_kind *kind = from->kind;
	struct oc_pk *pk = pk_make(kind, INNER(kind, signature_dupctx, kind->dup)(from->inner));

	if (pk == NULL)
		return NULL;
	if (from->key != NULL)
		pk->key = oc_key_share(from->key);
	if (from->peer != NULL)
		pk->peer = oc_key_share(from->peer);
	if (from->md != NULL) {
		pk->md = EVP_MD_CTX_new();
		if (pk->md == NULL || EVP_MD_CTX_copy_ex(pk->md, from->md) != 1) {
			pk_free(pk);
			return NULL;
		}
	}
	return pk;
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
	p = pk->md != NULL ? OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST) : NULL;
	if (p != NULL &&
			(!OSSL_PARAM_get_utf8_string_ptr(p, &name) ||
					!EVP_MD_is_a(EVP_MD_CTX_get0_md(pk->md), name)))
		return oc_fail(PROV_R_DIGEST_NOT_ALLOWED);
	oc_padding_forget(pk);
	return INNER(pk->kind, signature_set_ctx_params, pk->kind->set)(pk->inner, params);
}

int
oc_pk_get_params(void *vpk, OSSL_PARAM params[])
{
	struct oc_pk *pk = vpk;

	return INNER(pk->kind, signature_get_ctx_params, pk->kind->get)(pk->inner, params);
}

/* Begins an operation with a key, or again with the one that the context has. */
static int
begin(struct oc_pk *pk, struct oc_key *key, int init, const OSSL_PARAM params[])
{
	if (key != NULL) {
		oc_key_share(key);
		oc_key_free(pk->key);
		pk->key = key;
		EVP_MD_CTX_free(pk->md);
		pk->md = NULL;
	}
	if (pk->key == NULL)
		return oc_fail(PROV_R_NO_KEY_SET);
	oc_padding_forget(pk);
	return INNER(pk->kind, signature_sign_init, init)(
			       pk->inner, key != NULL ? key->inner : NULL, NULL) == 1 &&
			pk_set_params(pk, params);
}

#define BEGIN(name, id) \
	static int name(void *vpk, void *vkey, const OSSL_PARAM params[]) \
	{ \
		return begin(vpk, vkey, OSSL_FUNC_##id, params); \
	}

BEGIN(sign_init, SIGNATURE_SIGN_INIT)
BEGIN(verify_init, SIGNATURE_VERIFY_INIT)
BEGIN(recover_init, SIGNATURE_VERIFY_RECOVER_INIT)
BEGIN(encrypt_init, ASYM_CIPHER_ENCRYPT_INIT)
BEGIN(decrypt_init, ASYM_CIPHER_DECRYPT_INIT)
BEGIN(derive_init, KEYEXCH_INIT)

/* Begins a signature of a text, of which this has the digest. EVP names it, if not for a new text
 * with the key and the digest that the context has.
 */
static int
text_init(struct oc_pk *pk, const char *digest, struct oc_key *key, int init,
		const OSSL_PARAM params[])
{
	OSSL_PARAM set[] = { OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end() };
	const EVP_MD *kept = pk->md != NULL ? EVP_MD_CTX_get0_md(pk->md) : NULL;
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	EVP_MD *fetched = NULL;
	bool ok;

	if (digest == NULL || digest[0] == '\0')
		digest = kept != NULL ? EVP_MD_get0_name(kept) : NULL;
	if (digest != NULL)
		fetched = EVP_MD_fetch(oc_inner, digest, NULL);
	ok = md != NULL && fetched != NULL && EVP_DigestInit_ex2(md, fetched, NULL) == 1;
	EVP_MD_free(fetched);
	if (!ok || begin(pk, key, init, NULL) != 1) {
		EVP_MD_CTX_free(md);
		return ok ? 0 : oc_fail(PROV_R_INVALID_DIGEST);
	}
	EVP_MD_CTX_free(pk->md);
	pk->md = md;
	set[0] = OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST,
			(char *)(uintptr_t)EVP_MD_get0_name(EVP_MD_CTX_get0_md(md)), 0);
	return pk_set_params(pk, set) && pk_set_params(pk, params);
}

static int
sign_text_init(void *vpk, const char *digest, void *vkey, const OSSL_PARAM params[])
{
	return text_init(vpk, digest, vkey, OSSL_FUNC_SIGNATURE_SIGN_INIT, params);
}

static int
verify_text_init(void *vpk, const char *digest, void *vkey, const OSSL_PARAM params[])
{
	return text_init(vpk, digest, vkey, OSSL_FUNC_SIGNATURE_VERIFY_INIT, params);
}

static int
text_update(void *vpk, const unsigned char *text, size_t len)
{
	struct oc_pk *pk = vpk;

	return pk->md != NULL && EVP_DigestUpdate(pk->md, text, len) == 1;
}

/* Produces a signature or a text with the device, or else with the default provider. What the
 * device has decrypted is not decrypted again if its padding is wrong.
 */
static int
produce(struct oc_pk *pk, int id, oc_pk_device *device, unsigned char *out, size_t *out_len,
		size_t room, const unsigned char *in, size_t len)
{
	int ret = OC_PK_LEFT;
	bool done;

	if (pk->key == NULL)
		return oc_fail(PROV_R_NO_KEY_SET);
	if (out != NULL && device != NULL) {
		ERR_set_mark();
		ret = device(pk, out, out_len, room, in, len);
		ERR_pop_to_mark();
	}
	done = ret != OC_PK_LEFT;
	if (ret == 0)
		oc_fail(PROV_R_FAILED_TO_DECRYPT);
	else if (!done && pk->kind == &exchanges)
		ret = INNER(pk->kind, keyexch_derive, id)(pk->inner, out, out_len, room);
	else if (!done)
		ret = INNER(pk->kind, signature_sign, id)(pk->inner, out, out_len, room, in, len);
	oc_pace_note(pk, done);
	return ret;
}

static int
sign(void *vpk, unsigned char *sig, size_t *sig_len, size_t room, const unsigned char *digest,
		size_t len)
{
	struct oc_pk *pk = vpk;

	return produce(pk, OSSL_FUNC_SIGNATURE_SIGN,
			pk->kind == &ec_signatures ? oc_ec_sign : oc_rsa_sign, sig, sig_len, room,
			digest, len);
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
	bool done;
	int ret;

	if (pk->key == NULL)
		return oc_fail(PROV_R_NO_KEY_SET);
	ERR_set_mark();
	done = (pk->kind == &ec_signatures ? oc_ec_verify : oc_rsa_verify)(
			pk, sig, sig_len, digest, len);
	ERR_pop_to_mark();
	ret = done ? 1
		   : INNER(pk->kind, signature_verify, OSSL_FUNC_SIGNATURE_VERIFY)(
				     pk->inner, sig, sig_len, digest, len);
	oc_pace_note(pk, done);
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

#define PRODUCE(name, id, device) \
	static int name(void *vpk, unsigned char *out, size_t *out_len, size_t room, \
			const unsigned char *in, size_t len) \
	{ \
		return produce(vpk, OSSL_FUNC_##id, device, out, out_len, room, in, len); \
	}

PRODUCE(recover, SIGNATURE_VERIFY_RECOVER, NULL)
PRODUCE(encrypt, ASYM_CIPHER_ENCRYPT, oc_rsa_encrypt)
PRODUCE(decrypt, ASYM_CIPHER_DECRYPT, oc_rsa_decrypt)

static int
derive(void *vpk, unsigned char *secret, size_t *secret_len, size_t room)
{
	return produce(vpk, OSSL_FUNC_KEYEXCH_DERIVE, oc_ec_derive, secret, secret_len, room, NULL,
			0);
}

/* Takes the peer's key, which EVP has checked. */
static int
set_peer(void *vpk, void *vkey)
{
	struct oc_pk *pk = vpk;
	struct oc_key *peer = vkey;

	if (INNER(pk->kind, keyexch_set_peer, OSSL_FUNC_KEYEXCH_SET_PEER)(
			    pk->inner, peer->inner) != 1)
		return 0;
	oc_key_share(peer);
	oc_key_free(pk->peer);
	pk->peer = peer;
	return 1;
}

#define FUNCTION(id, name) \
	{ \
		OSSL_FUNC_##id, (void (*)(void))name \
	}

/* The functions that have to know the kind without a context. */
#define SIGNATURES(kind) \
	static void *kind##_new(void *provctx, const char *properties) \
	{ \
		(void)properties; /* the program's, who names this provider */ \
		return pk_make(&kind, \
				INNER(&kind, signature_newctx, OSSL_FUNC_SIGNATURE_NEWCTX)( \
						provctx, NULL)); \
	} \
	static const OSSL_PARAM *kind##_settable(void *vpk, void *provctx) \
	{ \
		(void)vpk; \
		return INNER(&kind, signature_settable_ctx_params, \
				OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS)(NULL, provctx); \
	} \
	static const OSSL_DISPATCH kind##_functions[] = { \
		FUNCTION(SIGNATURE_NEWCTX, kind##_new), \
		FUNCTION(SIGNATURE_SETTABLE_CTX_PARAMS, kind##_settable), { 0, NULL } \
	}

SIGNATURES(rsa_signatures);
SIGNATURES(ec_signatures);

static void *
rsa_cipher_new(void *provctx)
{
	return pk_make(&rsa_ciphers,
			INNER(&rsa_ciphers, asym_cipher_newctx, OSSL_FUNC_ASYM_CIPHER_NEWCTX)(
					provctx));
}

static void *
exchange_new(void *provctx)
{
	return pk_make(&exchanges,
			INNER(&exchanges, keyexch_newctx, OSSL_FUNC_KEYEXCH_NEWCTX)(provctx));
}

/* The others. NULL: the default provider's function, which looks at no context. */
#define COMMON(type) \
	FUNCTION(type##_FREECTX, pk_free), FUNCTION(type##_DUPCTX, pk_dup), \
			FUNCTION(type##_GET_CTX_PARAMS, oc_pk_get_params), \
			FUNCTION(type##_SET_CTX_PARAMS, pk_set_params), \
			FUNCTION(type##_GETTABLE_CTX_PARAMS, NULL)

static const OSSL_DISPATCH signature_functions[] = {
	COMMON(SIGNATURE),
	FUNCTION(SIGNATURE_SIGN_INIT, sign_init),
	FUNCTION(SIGNATURE_SIGN, sign),
	FUNCTION(SIGNATURE_VERIFY_INIT, verify_init),
	FUNCTION(SIGNATURE_VERIFY, verify),
	FUNCTION(SIGNATURE_VERIFY_RECOVER_INIT, recover_init),
	FUNCTION(SIGNATURE_VERIFY_RECOVER, recover),
	FUNCTION(SIGNATURE_DIGEST_SIGN_INIT, sign_text_init),
	FUNCTION(SIGNATURE_DIGEST_SIGN_UPDATE, text_update),
	FUNCTION(SIGNATURE_DIGEST_SIGN_FINAL, sign_text_final),
	FUNCTION(SIGNATURE_DIGEST_VERIFY_INIT, verify_text_init),
	FUNCTION(SIGNATURE_DIGEST_VERIFY_UPDATE, text_update),
	FUNCTION(SIGNATURE_DIGEST_VERIFY_FINAL, verify_text_final),
	{ 0, NULL },
};

static const OSSL_DISPATCH cipher_functions[] = {
	FUNCTION(ASYM_CIPHER_NEWCTX, rsa_cipher_new),
	COMMON(ASYM_CIPHER),
	FUNCTION(ASYM_CIPHER_SETTABLE_CTX_PARAMS, NULL),
	FUNCTION(ASYM_CIPHER_ENCRYPT_INIT, encrypt_init),
	FUNCTION(ASYM_CIPHER_ENCRYPT, encrypt),
	FUNCTION(ASYM_CIPHER_DECRYPT_INIT, decrypt_init),
	FUNCTION(ASYM_CIPHER_DECRYPT, decrypt),
	{ 0, NULL },
};

static const OSSL_DISPATCH exchange_functions[] = {
	FUNCTION(KEYEXCH_NEWCTX, exchange_new),
	COMMON(KEYEXCH),
	FUNCTION(KEYEXCH_SETTABLE_CTX_PARAMS, NULL),
	FUNCTION(KEYEXCH_INIT, derive_init),
	FUNCTION(KEYEXCH_SET_PEER, set_peer),
	FUNCTION(KEYEXCH_DERIVE, derive),
	{ 0, NULL },
};

OSSL_DISPATCH oc_rsa_signature[OC_FUNCTIONS], oc_ec_signature[OC_FUNCTIONS],
		oc_rsa_cipher[OC_FUNCTIONS], oc_ecdh[OC_FUNCTIONS];

/* Finds the default provider's operations. */
bool
oc_pk_prepare(void)
{
	OSSL_DISPATCH *to;

	rsa_signatures.functions = oc_inner_find(OSSL_OP_SIGNATURE, "RSA");
	ec_signatures.functions = oc_inner_find(OSSL_OP_SIGNATURE, "ECDSA");
	rsa_ciphers.functions = oc_inner_find(OSSL_OP_ASYM_CIPHER, "RSA");
	exchanges.functions = oc_inner_find(OSSL_OP_KEYEXCH, "ECDH");
	if (rsa_signatures.functions == NULL || ec_signatures.functions == NULL ||
			rsa_ciphers.functions == NULL || exchanges.functions == NULL)
		return false;
	to = oc_inner_wrap(oc_rsa_signature, rsa_signatures.functions, rsa_signatures_functions);
	oc_inner_wrap(to, rsa_signatures.functions, signature_functions);
	to = oc_inner_wrap(oc_ec_signature, ec_signatures.functions, ec_signatures_functions);
	oc_inner_wrap(to, ec_signatures.functions, signature_functions);
	oc_inner_wrap(oc_rsa_cipher, rsa_ciphers.functions, cipher_functions);
	oc_inner_wrap(oc_ecdh, exchanges.functions, exchange_functions);
	return true;
}
