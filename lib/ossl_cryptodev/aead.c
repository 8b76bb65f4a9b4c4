/* SPDX-License-Identifier: BSD-3-Clause
 * AES-GCM and ChaCha20-Poly1305 as EVP and libssl want them. A device takes a message whole, so
 * the first part of a text goes to it as if it were all. If more comes, a context of the default
 * provider does what the device did once more, and the rest.
 */
#include <string.h>

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/proverr.h>
#include <openssl/rand.h>

#include "functions.h"

#define IV_MAX 128
#define TLS_AAD 13
#define TLS_EXPLICIT 8
#define NO_TAG SIZE_MAX

enum stage {
	STAGE_AAD, /* nothing but AAD yet, which `aad` holds */
	STAGE_DEVICE, /* the device has done the text */
	STAGE_INNER, /* the inner context works on the message */
};

struct aead {
	enum oc_alg_id alg;
	OSSL_LIB_CTX *libctx;
	EVP_CIPHER_CTX *inner;
	bool inner_keyed;
	bool enc;
	bool keyed;
	bool iv_set;
	bool tls; /* the next text is a record of TLS 1.2 */
	enum stage stage;
	size_t iv_len;
	size_t aad_len;
	size_t tag_len; /* of the tag to verify, or NO_TAG */
	size_t text_len;
	struct oc_job *kept;
	uint8_t key[OC_KEY_MAX];
	uint8_t iv[IV_MAX];
	uint8_t aad[OC_AAD_MAX];
	uint8_t tag[OC_TAG];
	uint8_t tls_aad[TLS_AAD];
	struct oc_session session;
};

static bool
is_gcm(const struct aead *c)
{
	return oc_algs[c->alg].mode == OC_GCM;
}

static void *
aead_new(void *provctx, enum oc_alg_id alg)
{
	struct aead *c = OPENSSL_zalloc(sizeof(*c));

	if (c == NULL)
		return NULL;
	c->alg = alg;
	c->libctx = ((struct oc_provider *)provctx)->inner;
	c->iv_len = OC_NONCE;
	c->tag_len = NO_TAG;
	return c;
}

static void
drop_kept(struct aead *c)
{
	if (c->kept != NULL)
		oc_job_release(c->kept);
	c->kept = NULL;
}

static void
aead_free(void *vctx)
{
	struct aead *c = vctx;

	if (c == NULL)
		return;
	drop_kept(c);
	oc_session_free(&c->session);
	EVP_CIPHER_CTX_free(c->inner);
	OPENSSL_clear_free(c, sizeof(*c));
}

/* Keys the inner context for a message. */
static bool
inner_start(struct aead *c, const uint8_t *iv)
{
	if (c->inner == NULL && (c->inner = EVP_CIPHER_CTX_new()) == NULL)
		return false;
	if (!c->inner_keyed) {
		if (EVP_CipherInit_ex2(c->inner, oc_inner_ciphers[c->alg], NULL, NULL, c->enc,
				    NULL) != 1)
			return false;
		if (c->iv_len != OC_NONCE &&
				EVP_CIPHER_CTX_ctrl(c->inner, EVP_CTRL_AEAD_SET_IVLEN, c->iv_len,
						NULL) != 1)
			return false;
		if (EVP_CipherInit_ex2(c->inner, NULL, c->key, NULL, c->enc, NULL) != 1)
			return false;
		c->inner_keyed = true;
	}
	return EVP_CipherInit_ex2(c->inner, NULL, NULL, iv, c->enc, NULL) == 1;
}

static bool
feed(EVP_CIPHER_CTX *ctx, uint8_t *out, const uint8_t *in, size_t len)
{
	int done;

	return len == 0 || EVP_CipherUpdate(ctx, out, &done, in, len) == 1;
}

/* Lets the inner context take the message from where it is without a text. */
static bool
to_inner(struct aead *c)
{
	if (c->stage == STAGE_INNER)
		return true;
	if (!c->iv_set) {
		ERR_raise(ERR_LIB_PROV, PROV_R_CIPHER_OPERATION_FAILED);
		return false;
	}
	if (!inner_start(c, c->iv) || !feed(c->inner, NULL, c->aad, c->aad_len))
		return false;
	c->stage = STAGE_INNER;
	return true;
}

/* Makes the text before the operation of that after it, which the key stream does in both
 * directions.
 */
static bool
undo(const struct aead *c, uint8_t *text)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	bool ok = ctx != NULL &&
			EVP_CipherInit_ex2(ctx, oc_inner_ciphers[c->alg], c->key, c->iv, !c->enc,
					NULL) == 1 &&
			feed(ctx, text, text, c->text_len);

	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

/* Has the inner context do what the device did, since the text has one more part. */
static bool
replay(struct aead *c)
{
	uint8_t *text = NULL;
	bool ok, input;

	oc_count_fallback(c->alg, OC_PARTS);
	if (c->kept != NULL && !oc_process_forked())
		text = OPENSSL_memdup(oc_job_text(c->kept, &input), c->text_len);
	if (text == NULL) {
		ERR_raise(ERR_LIB_PROV, PROV_R_CIPHER_OPERATION_FAILED);
		return false;
	}
	drop_kept(c);
	ok = (input || undo(c, text)) && to_inner(c) && feed(c->inner, text, text, c->text_len);
	OPENSSL_clear_free(text, c->text_len);
	return ok;
}

static void *
aead_dup(void *vctx)
{
	struct aead *from = vctx, *c;

	if (from->stage == STAGE_DEVICE && !replay(from))
		return NULL;
	c = OPENSSL_memdup(from, sizeof(*from));
	if (c == NULL)
		return NULL;
	memset(&c->session, 0, sizeof(c->session));
	if (c->inner != NULL) {
		c->inner = EVP_CIPHER_CTX_new();
		if (c->inner == NULL || EVP_CIPHER_CTX_copy(c->inner, from->inner) != 1) {
			aead_free(c);
			return NULL;
		}
	}
	return c;
}

/* Asks the device for a whole message. */
static bool
device_do(struct aead *c, const uint8_t *iv, const uint8_t *aad, size_t aad_len, uint8_t *out,
		const uint8_t *in, size_t len, uint8_t *tag, struct oc_job **keep)
{
	const struct oc_request r = {
		.alg = c->alg,
		.session = &c->session,
		.key = c->key,
		.enc = c->enc,
		.iv = iv,
		.aad = aad,
		.aad_len = aad_len,
		.in = in,
		.out = out,
		.len = len,
		.tag = tag,
		.keep = keep,
	};

	if (c->iv_len != OC_NONCE) {
		oc_count_fallback(c->alg, OC_UNSUPPORTED);
		return false;
	}
	return oc_run(&r) == OC_DONE;
}

static int
text_update(struct aead *c, unsigned char *out, size_t *outl, const unsigned char *in, size_t inl)
{
	int done = 0;

	if (c->stage == STAGE_DEVICE && !replay(c))
		return 0;
	if (c->stage == STAGE_AAD && c->iv_set) {
		if (!c->enc && c->tag_len == NO_TAG) {
			oc_count_fallback(c->alg, OC_LATE_TAG);
		} else if (!c->enc && c->tag_len != OC_TAG) {
			oc_count_fallback(c->alg, OC_UNSUPPORTED);
		} else if (device_do(c, c->iv, c->aad, c->aad_len, out, in, inl, c->tag,
					   &c->kept)) {
			c->stage = STAGE_DEVICE;
			c->text_len = inl;
			*outl = inl;
			return 1;
		}
	}
	if (!to_inner(c) || EVP_CipherUpdate(c->inner, out, &done, in, inl) != 1)
		return 0;
	*outl = done;
	return 1;
}

static int
aad_update(struct aead *c, const unsigned char *in, size_t inl)
{
	if (c->stage == STAGE_DEVICE && !replay(c))
		return 0;
	if (c->stage == STAGE_AAD && inl <= OC_AAD_MAX - c->aad_len) {
		memcpy(c->aad + c->aad_len, in, inl);
		c->aad_len += inl;
		return 1;
	}
	return to_inner(c) && feed(c->inner, NULL, in, inl);
}

/* Encrypts or decrypts a record with either. */
static bool
record_do(struct aead *c, const uint8_t *iv, uint8_t *text, size_t len, uint8_t *tag)
{
	int done;

	if (device_do(c, iv, c->tls_aad, TLS_AAD, text, text, len, tag, NULL))
		return true;
	if (!inner_start(c, iv) || !feed(c->inner, NULL, c->tls_aad, TLS_AAD))
		return false;
	if (!c->enc && EVP_CIPHER_CTX_ctrl(c->inner, EVP_CTRL_AEAD_SET_TAG, OC_TAG, tag) != 1)
		return false;
	if (!feed(c->inner, text, text, len) ||
			EVP_CipherFinal_ex(c->inner, text + len, &done) != 1)
		return false;
	return !c->enc || EVP_CIPHER_CTX_ctrl(c->inner, EVP_CTRL_AEAD_GET_TAG, OC_TAG, tag) == 1;
}

/* Counts the explicit part of GCM's IV up. */
static void
explicit_next(uint8_t *iv)
{
	for (int i = OC_NONCE - 1; i >= OC_NONCE - TLS_EXPLICIT && ++iv[i] == 0; i--)
		;
}

/* Works on a record of TLS 1.2 in its place: explicit IV of GCM, text, tag. */
static int
record(struct aead *c, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	size_t explicit = is_gcm(c) ? TLS_EXPLICIT : 0, len = inl - explicit - OC_TAG;
	uint8_t iv[OC_NONCE];
	bool ok;

	c->tls = false;
	if (in != out || inl < explicit + OC_TAG || outsize < inl || !c->iv_set) {
		ERR_raise(ERR_LIB_PROV, PROV_R_CIPHER_OPERATION_FAILED);
		return 0;
	}
	if (is_gcm(c) && c->enc)
		memcpy(out, c->iv + OC_NONCE - TLS_EXPLICIT, TLS_EXPLICIT);
	else if (is_gcm(c))
		memcpy(c->iv + OC_NONCE - TLS_EXPLICIT, in, TLS_EXPLICIT);
	memcpy(iv, c->iv, OC_NONCE);
	if (is_gcm(c) && c->enc)
		explicit_next(c->iv);
	for (int i = 0; !is_gcm(c) && i < TLS_EXPLICIT; i++)
		iv[OC_NONCE - TLS_EXPLICIT + i] ^= c->tls_aad[i];
	ok = record_do(c, iv, out + explicit, len, out + explicit + len);
	if (!ok && !c->enc)
		OPENSSL_cleanse(out + explicit, len);
	*outl = ok ? (c->enc ? inl : len) : 0;
	return ok;
}

static int
aead_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	struct aead *c = vctx;

	if (!c->keyed) {
		ERR_raise(ERR_LIB_PROV, PROV_R_NO_KEY_SET);
		return 0;
	}
	*outl = 0;
	if (c->tls && out != NULL)
		return record(c, out, outl, outsize, in, inl);
	if (inl == 0)
		return 1;
	if (out == NULL) {
		*outl = inl;
		return aad_update(c, in, inl);
	}
	if (outsize < inl) {
		ERR_raise(ERR_LIB_PROV, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
		return 0;
	}
	return text_update(c, out, outl, in, inl);
}

/* Ends the message. A tag that comes before the next one starts belongs to that. */
static int
aead_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
	struct aead *c = vctx;
	size_t tag_len = c->tag_len;
	int done;

	(void)outsize;
	*outl = 0;
	if (!c->keyed) {
		ERR_raise(ERR_LIB_PROV, PROV_R_NO_KEY_SET);
		return 0;
	}
	drop_kept(c);
	if (c->stage != STAGE_DEVICE && !to_inner(c))
		return 0;
	c->tag_len = NO_TAG;
	c->iv_set = false;
	if (c->stage == STAGE_DEVICE) {
		c->stage = STAGE_AAD;
		return 1;
	}
	c->stage = STAGE_AAD;
	if (!c->enc &&
			(tag_len == NO_TAG ||
					EVP_CIPHER_CTX_ctrl(c->inner, EVP_CTRL_AEAD_SET_TAG,
							tag_len, c->tag) != 1))
		return 0;
	if (EVP_CipherFinal_ex(c->inner, out, &done) != 1)
		return 0;
	return !c->enc || EVP_CIPHER_CTX_ctrl(c->inner, EVP_CTRL_AEAD_GET_TAG, OC_TAG, c->tag) == 1;
}

/* Works as update() and final() do in old programs: without a text it ends the message. */
static int
aead_whole(void *vctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	return in == NULL ? aead_final(vctx, out, outl, outsize)
			  : aead_update(vctx, out, outl, outsize, in, inl);
}

/* Takes the header of the next record, and corrects its length to that of the text. */
static bool
set_tls_aad(struct aead *c, const OSSL_PARAM *p)
{
	size_t len, head = (is_gcm(c) ? TLS_EXPLICIT : 0) + (c->enc ? 0 : OC_TAG);

	if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size != TLS_AAD)
		return false;
	if (c->enc && !is_gcm(c))
		head = 0;
	memcpy(c->tls_aad, p->data, TLS_AAD);
	len = (size_t)c->tls_aad[TLS_AAD - 2] << 8 | c->tls_aad[TLS_AAD - 1];
	if (len < head)
		return false;
	len -= head;
	c->tls_aad[TLS_AAD - 2] = len >> 8;
	c->tls_aad[TLS_AAD - 1] = (uint8_t)len;
	c->tls = true;
	return true;
}

/* Takes the part of the IV that TLS keeps for a connection. */
static bool
set_tls_iv(struct aead *c, const OSSL_PARAM *p)
{
	if (p->data_type != OSSL_PARAM_OCTET_STRING || c->iv_len != OC_NONCE || p->data == NULL)
		return false;
	if (p->data_size == OC_NONCE || p->data_size == (size_t)-1) {
		memcpy(c->iv, p->data, OC_NONCE);
	} else {
		if (!is_gcm(c) || p->data_size != OC_NONCE - TLS_EXPLICIT)
			return false;
		memcpy(c->iv, p->data, p->data_size);
		if (c->enc && RAND_bytes_ex(c->libctx, c->iv + p->data_size, TLS_EXPLICIT, 0) != 1)
			return false;
	}
	c->iv_set = true;
	return true;
}

static bool
set_tag(struct aead *c, const OSSL_PARAM *p)
{
	if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size == 0 || p->data_size > OC_TAG)
		return false;
	if (p->data == NULL)
		return true; /* a length alone, of a tag to come */
	if (c->enc)
		return false;
	memcpy(c->tag, p->data, p->data_size);
	c->tag_len = p->data_size;
	return true;
}

static bool
set_iv_len(struct aead *c, const OSSL_PARAM *p)
{
	size_t len;

	if (!OSSL_PARAM_get_size_t(p, &len) || len == 0 || len > (is_gcm(c) ? IV_MAX : OC_NONCE))
		return false;
	if (len != c->iv_len) {
		c->iv_len = len;
		c->iv_set = false;
		c->inner_keyed = false;
	}
	return true;
}

static bool
set_inverse(struct aead *c, const OSSL_PARAM *p)
{
	if (!is_gcm(c) || c->enc || p->data_type != OSSL_PARAM_OCTET_STRING ||
			p->data_size > c->iv_len)
		return false;
	memcpy(c->iv + c->iv_len - p->data_size, p->data, p->data_size);
	c->iv_set = true;
	c->stage = STAGE_AAD;
	c->aad_len = 0;
	return true;
}

static int
aead_set_params(void *vctx, const OSSL_PARAM params[])
{
	static const struct {
		const char *name;
		bool (*set)(struct aead *c, const OSSL_PARAM *p);
	} rows[] = {
		{ OSSL_CIPHER_PARAM_AEAD_IVLEN, set_iv_len },
		{ OSSL_CIPHER_PARAM_AEAD_TAG, set_tag },
		{ OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, set_tls_aad },
		{ OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, set_tls_iv },
		{ OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, set_inverse },
	};
	struct aead *c = vctx;
	const OSSL_PARAM *p;
	size_t len;

	if (params == NULL)
		return 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		p = OSSL_PARAM_locate_const(params, rows[i].name);
		if (p != NULL && !rows[i].set(c, p)) {
			ERR_raise(ERR_LIB_PROV, PROV_R_FAILED_TO_SET_PARAMETER);
			return 0;
		}
	}
	p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_KEYLEN);
	if (p != NULL && (!OSSL_PARAM_get_size_t(p, &len) || len != oc_algs[c->alg].key_len)) {
		ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_KEY_LENGTH);
		return 0;
	}
	return 1;
}

/* Gives the explicit part of the IV for a record, and counts it up. */
static bool
get_explicit(struct aead *c, OSSL_PARAM *p)
{
	size_t len = p->data_size < c->iv_len && p->data_size != 0 ? p->data_size : c->iv_len;

	if (!is_gcm(c) || p->data_type != OSSL_PARAM_OCTET_STRING || p->data == NULL || !c->iv_set)
		return false;
	memcpy(p->data, c->iv + c->iv_len - len, len);
	p->return_size = len;
	explicit_next(c->iv);
	return true;
}

static bool
get_tag(const struct aead *c, OSSL_PARAM *p)
{
	if (!c->enc || p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size == 0 ||
			p->data_size > OC_TAG)
		return false;
	memcpy(p->data, c->tag, p->data_size);
	p->return_size = p->data_size;
	return true;
}

static bool
get_iv(struct aead *c, OSSL_PARAM *p)
{
	return OSSL_PARAM_set_octet_ptr(p, c->iv, c->iv_len) ||
			OSSL_PARAM_set_octet_string(p, c->iv, c->iv_len);
}

static int
aead_get_params(void *vctx, OSSL_PARAM params[])
{
	struct aead *c = vctx;
	OSSL_PARAM *p;

	if (((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_IVLEN)) != NULL &&
			    !OSSL_PARAM_set_size_t(p, c->iv_len)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_KEYLEN)) != NULL &&
					!OSSL_PARAM_set_size_t(p, oc_algs[c->alg].key_len)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_AEAD_TAGLEN)) != NULL &&
					!OSSL_PARAM_set_size_t(p,
							c->tag_len != NO_TAG ? c->tag_len
									     : OC_TAG)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD)) !=
							NULL &&
					!OSSL_PARAM_set_size_t(p, OC_TAG)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_AEAD_TAG)) != NULL &&
					!get_tag(c, p)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN)) !=
							NULL &&
					!get_explicit(c, p)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_IV)) != NULL &&
					!get_iv(c, p)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_UPDATED_IV)) != NULL &&
					!get_iv(c, p))) {
		ERR_raise(ERR_LIB_PROV, PROV_R_FAILED_TO_GET_PARAMETER);
		return 0;
	}
	return 1;
}

static int
aead_init(struct aead *c, bool enc, const unsigned char *key, size_t key_len,
		const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[])
{
	if (key != NULL && key_len != oc_algs[c->alg].key_len) {
		ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_KEY_LENGTH);
		return 0;
	}
	if (iv != NULL && (iv_len == 0 || iv_len > (is_gcm(c) ? IV_MAX : OC_NONCE))) {
		ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_IV_LENGTH);
		return 0;
	}
	drop_kept(c);
	if (enc != c->enc)
		c->inner_keyed = false;
	c->enc = enc;
	c->stage = STAGE_AAD;
	c->tls = false;
	c->aad_len = 0;
	if (key != NULL) {
		memcpy(c->key, key, key_len);
		oc_session_free(&c->session);
		c->inner_keyed = false;
		c->keyed = true;
	}
	if (iv != NULL) {
		if (iv_len != c->iv_len)
			c->inner_keyed = false;
		c->iv_len = iv_len;
		memcpy(c->iv, iv, iv_len);
		c->iv_set = true;
	}
	return aead_set_params(c, params);
}

static int
aead_encrypt_init(void *vctx, const unsigned char *key, size_t key_len, const unsigned char *iv,
		size_t iv_len, const OSSL_PARAM params[])
{
	return aead_init(vctx, true, key, key_len, iv, iv_len, params);
}

static int
aead_decrypt_init(void *vctx, const unsigned char *key, size_t key_len, const unsigned char *iv,
		size_t iv_len, const OSSL_PARAM params[])
{
	return aead_init(vctx, false, key, key_len, iv, iv_len, params);
}

static const OSSL_PARAM *
aead_gettable(void *cctx, void *provctx)
{
	static const OSSL_PARAM params[] = {
		OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
		OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
		OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TAGLEN, NULL),
		OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
		OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
		OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
		OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, NULL),
		OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN, NULL, 0),
		OSSL_PARAM_END,
	};

	(void)cctx;
	(void)provctx;
	return params;
}

static const OSSL_PARAM *
aead_settable(void *cctx, void *provctx)
{
	static const OSSL_PARAM params[] = {
		OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
		OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_IVLEN, NULL),
		OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
		OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, NULL, 0),
		OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, NULL, 0),
		OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, NULL, 0),
		OSSL_PARAM_END,
	};

	(void)cctx;
	(void)provctx;
	return params;
}

OC_CIPHER(aead, OC_AES_128_GCM);
OC_CIPHER(aead, OC_AES_192_GCM);
OC_CIPHER(aead, OC_AES_256_GCM);
OC_CIPHER(aead, OC_CHACHA20_POLY1305);
