/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The ciphers as EVP and libssl want them. A context wraps one of the default provider, which has
 * parameters, padding, records of TLS and all that the device does not do. Before the device does
 * a text the inner context says where it is, and after it the inner context is told.
 */
#include <string.h>

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/proverr.h>
#include <openssl/ssl3.h>

#include "lane.h"

#define TLS_AAD 13
#define TLS_EXPLICIT 8

enum stage {
	STAGE_AAD, /* no text yet, and the inner context has the AAD */
	STAGE_DEVICE, /* the device has done the text */
	STAGE_INNER, /* the inner context has a part of the text */
};

enum iv_state {
	IV_OTHER, /* unknown here, or not of a length for the device */
	IV_KNOWN,
	IV_SPENT /* the device has done the message of this IV */
};

struct cipher {
	enum oc_alg_id alg;
	EVP_CIPHER_CTX *inner;
	struct oc_pipes *pipes; /* of a pipeline, which has no text itself */
	struct oc_session session;
	bool enc;
	bool keyed;
	bool late; /* the inner context has not got IV, AAD and tag yet */
	uint8_t key[OC_KEY_MAX];
	uint8_t iv[OC_BLOCK]; /* that the program set */
	size_t iv_len;
	enum iv_state iv_state;
	/* CBC */
	bool pad;
	unsigned int tls_version;
	size_t buffered;
	/* AEAD */
	enum stage stage;
	bool tls; /* the next text is a record */
	bool tag_ours; /* `tag` has that of an encrypted text, not the inner context */
	size_t tag_len; /* of the tag to verify */
	size_t aad_len; /* more than OC_AAD_MAX if `aad` has not all */
	size_t text_len;
	struct oc_job *kept;
	uint8_t aad[OC_AAD_MAX];
	uint8_t tag[OC_TAG];
	uint8_t tls_aad[TLS_AAD];
};

/* A text on its way. */
struct text {
	const uint8_t *in;
	uint8_t *out;
	size_t left;
	size_t made;
};

static int
fail(int reason)
{
	ERR_raise(ERR_LIB_PROV, reason);
	return 0;
}

static enum oc_mode
mode(const struct cipher *c)
{
	return oc_algs[c->alg].mode;
}

static void
drop_kept(struct cipher *c)
{
	if (c->kept != NULL)
		oc_job_release(c->kept);
	c->kept = NULL;
}

void
oc_cipher_free(void *vctx)
{
	struct cipher *c = vctx;

	if (c == NULL)
		return;
	drop_kept(c);
	oc_pipes_free(c->pipes);
	oc_sym_session_free(&c->session);
	EVP_CIPHER_CTX_free(c->inner);
	OPENSSL_clear_free(c, sizeof(*c));
}

void *
oc_cipher_new(enum oc_alg_id alg)
{
	struct cipher *c = OPENSSL_zalloc(sizeof(*c));

	if (c == NULL)
		return NULL;
	c->alg = alg;
	c->pad = true;
	c->iv_len = oc_algs[alg].iv_len;
	c->inner = EVP_CIPHER_CTX_new();
	if (c->inner == NULL ||
			EVP_CipherInit_ex2(c->inner, oc_inner_ciphers[alg], NULL, NULL, 0, NULL) !=
					1) {
		oc_cipher_free(c);
		return NULL;
	}
	return c;
}

/* Gives the inner context of an AEAD what it has not got yet. It need not have that if the device
 * does the message, and it costs more than all else that the device's part does.
 */
static bool
catch_up(struct cipher *c)
{
	int done;

	if (!c->late)
		return true;
	c->late = false;
	return EVP_CipherInit_ex2(c->inner, NULL, NULL, c->iv, c->enc, NULL) == 1 &&
			(c->aad_len == 0 ||
					EVP_CipherUpdate(c->inner, NULL, &done, c->aad,
							(int)c->aad_len) == 1) &&
			(c->enc || c->tag_len == 0 ||
					EVP_CIPHER_CTX_ctrl(c->inner, EVP_CTRL_AEAD_SET_TAG,
							(int)c->tag_len, c->tag) == 1);
}

/* Has the inner context take some of the text. */
static bool
inner_take(struct cipher *c, struct text *t, size_t len)
{
	int done;

	if (len == 0)
		return true;
	if (!catch_up(c) || EVP_CipherUpdate(c->inner, t->out + t->made, &done, t->in, len) != 1)
		return false;
	t->in += len;
	t->left -= len;
	t->made += done;
	return true;
}

static struct oc_request
request(struct cipher *c, const uint8_t *iv, const uint8_t *in, uint8_t *out, size_t len)
{
	return (struct oc_request){
		.alg = c->alg,
		.session = &c->session,
		.key = c->key,
		.enc = c->enc,
		.iv = iv,
		.in = in,
		.out = out,
		.len = len,
	};
}

/* Moves IV or counter past some text. */
static void
iv_advance(const struct cipher *c, uint8_t *iv, const uint8_t *last, size_t len)
{
	size_t blocks = (len + OC_BLOCK - 1) / OC_BLOCK;

	if (mode(c) == OC_CBC) {
		memcpy(iv, last, OC_BLOCK);
		return;
	}
	for (int i = OC_BLOCK - 1; i >= 0 && blocks != 0; i--) {
		blocks += iv[i];
		iv[i] = (uint8_t)blocks;
		blocks >>= 8;
	}
}

/* True if a device that counts in 32 bits would count as OpenSSL does. */
static bool
counter_fits(const struct cipher *c, const uint8_t *iv, size_t len)
{
	uint32_t low = (uint32_t)iv[12] << 24 | iv[13] << 16 | iv[14] << 8 | iv[15];

	if (mode(c) == OC_CBC || low + len / OC_BLOCK <= UINT32_MAX)
		return true;
	oc_count_fallback(c->alg, OC_UNSUPPORTED);
	return false;
}

/* Copies the IV of the next text from an inner context. OpenSSL 3.5 leaves an error behind where
 * this succeeds, and SSL_get_error() would take it for that of a connection.
 */
static bool
inner_iv(EVP_CIPHER_CTX *inner, uint8_t *iv, size_t len)
{
	bool ok;

	ERR_set_mark();
	ok = EVP_CIPHER_CTX_get_updated_iv(inner, iv, len) == 1;
	ERR_pop_to_mark();
	return ok;
}

/* Has the device do whole blocks, as far as it does. The inner context is at a block's start. */
static bool
device_take(struct cipher *c, struct text *t, size_t len)
{
	uint8_t iv[OC_BLOCK], last[OC_BLOCK];

	while (len != 0) {
		size_t nb = len < OC_DATA_MAX ? len : OC_DATA_MAX;
		uint8_t *out = t->out + t->made;
		const struct oc_request r = request(c, iv, t->in, out, nb);
		enum oc_outcome outcome;

		if (!inner_iv(c->inner, iv, OC_BLOCK))
			return false;
		memcpy(last, t->in + nb - OC_BLOCK, OC_BLOCK);
		outcome = counter_fits(c, iv, nb) ? oc_run(&r) : OC_LEFT;
		if (outcome == OC_SPOILT)
			return fail(PROV_R_CIPHER_OPERATION_FAILED);
		if (outcome == OC_DONE) {
			iv_advance(c, iv, c->enc ? out + nb - OC_BLOCK : last, nb);
			if (EVP_CipherInit_ex2(c->inner, NULL, NULL, iv, c->enc, NULL) != 1)
				return false;
		} else if (EVP_Cipher(c->inner, out, t->in, nb) < 0) {
			return false;
		}
		t->in += nb;
		t->left -= nb;
		t->made += nb;
		len -= nb;
	}
	return true;
}

/* Does a text of CBC or CTR: the device the whole blocks, the inner context what is before and
 * after them.
 */
static bool
blocks_do(struct cipher *c, struct text *t)
{
	bool cbc = mode(c) == OC_CBC, hold = cbc && !c->enc && c->pad;
	size_t used = cbc ? c->buffered % OC_BLOCK : (size_t)EVP_CIPHER_CTX_get_num(c->inner);
	size_t head = used == 0 ? 0 : OC_BLOCK - used, whole, total = c->buffered + t->left;
	bool held = c->buffered == OC_BLOCK, good = true;
	int done = 0;

	c->buffered = total % OC_BLOCK;
	if (hold && c->buffered == 0 && total != 0)
		c->buffered = OC_BLOCK;
	whole = t->left < head ? 0 : t->left - head;
	whole -= hold && whole != 0 ? (whole - 1) % OC_BLOCK + 1 : whole % OC_BLOCK;
	if (whole == 0 || !oc_wanted(c->alg, c->enc, whole))
		return inner_take(c, t, t->left);
	if (hold)
		EVP_CIPHER_CTX_set_padding(c->inner, 0);
	if (held) /* back because it could have been the last block */
		good = EVP_CipherFinal_ex(c->inner, t->out, &done) == 1;
	t->made = done;
	good = good && inner_take(c, t, head) && device_take(c, t, whole);
	if (hold)
		EVP_CIPHER_CTX_set_padding(c->inner, 1);
	return good && inner_take(c, t, t->left);
}

/* Does a record of TLS in CBC. To take padding and MAC off one needs constant time, so the inner
 * context does that.
 */
static bool
cbc_record(struct cipher *c, struct text *t, size_t outsize)
{
	size_t pad = OC_BLOCK - t->left % OC_BLOCK;

	if (!c->enc)
		oc_count_fallback(c->alg, OC_TLS_CBC);
	if (!c->enc || c->tls_version == SSL3_VERSION || t->in != t->out ||
			outsize < t->left + pad || !oc_wanted(c->alg, c->enc, t->left + pad))
		return inner_take(c, t, t->left);
	memset(t->out + t->left, (int)pad - 1, pad);
	t->left += pad;
	return device_take(c, t, t->left);
}

/* Gets the IV of the next message from an inner context of GCM, which counts it up. */
static void
learn_iv(struct cipher *c)
{
	bool good = c->iv_len == OC_NONCE && catch_up(c) && inner_iv(c->inner, c->iv, OC_NONCE);

	c->iv_state = good ? IV_KNOWN : IV_OTHER;
}

/* Makes the text before the operation of that after it, which the key stream does in both
 * directions.
 */
static bool
undo(const struct cipher *c, uint8_t *text)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int done;
	bool ok = ctx != NULL &&
			EVP_CipherInit_ex2(ctx, oc_inner_ciphers[c->alg], c->key, c->iv, !c->enc,
					NULL) == 1 &&
			EVP_CipherUpdate(ctx, text, &done, text, c->text_len) == 1;

	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

/* Has the inner context do what the device did, since the message has one more part. */
static bool
replay(struct cipher *c)
{
	uint8_t *text = NULL;
	bool ok, input;
	int done;

	if (c->stage != STAGE_DEVICE)
		return true;
	oc_count_fallback(c->alg, OC_PARTS);
	if (!oc_process_forked() && c->kept != NULL)
		text = OPENSSL_memdup(c->kept->data, c->text_len);
	input = text != NULL && c->kept->holds_input;
	drop_kept(c);
	ok = text != NULL && (input || undo(c, text)) && catch_up(c) &&
			EVP_CipherUpdate(c->inner, text, &done, text, c->text_len) == 1;
	OPENSSL_clear_free(text, c->text_len);
	c->stage = STAGE_INNER;
	c->tag_ours = false;
	return ok || fail(PROV_R_CIPHER_OPERATION_FAILED);
}

static bool
aad_update(struct cipher *c, const uint8_t *in, size_t len)
{
	int done;

	if (!replay(c) || (c->late && len > OC_AAD_MAX - c->aad_len && !catch_up(c)))
		return false;
	if (!c->late && EVP_CipherUpdate(c->inner, NULL, &done, in, len) != 1)
		return false;
	if (len <= OC_AAD_MAX && c->aad_len <= OC_AAD_MAX - len)
		memcpy(c->aad + c->aad_len, in, len);
	c->aad_len += len;
	return true;
}

/* True if the AAD is the header of a record of TLS 1.3 with a text of this length. So the message
 * has no more parts, and nothing is kept for them.
 */
static bool
is_record(const struct cipher *c, size_t len)
{
	static const uint8_t header[] = { SSL3_RT_APPLICATION_DATA, 3, 3 };

	return c->aad_len == SSL3_RT_HEADER_LENGTH &&
			memcmp(c->aad, header, sizeof(header)) == 0 &&
			((size_t)c->aad[3] << 8 | c->aad[4]) == len + OC_TAG;
}

/* Has the device do the text of an AEAD, as if it were the whole one. */
static enum oc_outcome
aead_device(struct cipher *c, const struct text *t)
{
	struct oc_request r = request(c, c->iv, t->in, t->out, t->left);

	if (!oc_wanted(c->alg, c->enc, t->left))
		return OC_LEFT;
	if (c->iv_state != IV_KNOWN || (!c->enc && c->tag_len != 0 && c->tag_len != OC_TAG)) {
		oc_count_fallback(c->alg, OC_UNSUPPORTED);
		return OC_LEFT;
	}
	if (!c->enc && c->tag_len == 0) {
		oc_count_fallback(c->alg, OC_LATE_TAG);
		return OC_LEFT;
	}
	r.aad = c->aad;
	r.aad_len = c->aad_len;
	r.tag = c->tag;
	r.keep = is_record(c, t->left) ? NULL : &c->kept;
	return oc_run(&r);
}

static bool
aead_text(struct cipher *c, struct text *t)
{
	enum oc_outcome outcome;

	if (!replay(c))
		return false;
	outcome = c->stage == STAGE_AAD ? aead_device(c, t) : OC_LEFT;
	if (outcome == OC_SPOILT)
		return fail(PROV_R_CIPHER_OPERATION_FAILED);
	if (outcome == OC_DONE) {
		c->stage = STAGE_DEVICE;
		c->tag_ours = c->enc;
		c->text_len = t->left;
		t->made = t->left;
		return true;
	}
	c->stage = STAGE_INNER;
	return inner_take(c, t, t->left);
}

/* Has the device do a record of TLS 1.2: explicit IV of GCM, text, tag. */
static enum oc_outcome
record_device(struct cipher *c, const struct text *t)
{
	size_t explicit = mode(c) == OC_GCM ? TLS_EXPLICIT : 0, len = t->left - explicit - OC_TAG;
	size_t given = (size_t)c->tls_aad[TLS_AAD - 2] << 8 | c->tls_aad[TLS_AAD - 1];
	uint8_t aad[TLS_AAD], iv[OC_NONCE], *text = t->out + explicit;
	struct oc_request r = request(c, iv, text, text, len);

	if (t->left <= explicit + OC_TAG || t->in != t->out || !oc_wanted(c->alg, c->enc, len) ||
			given != t->left - (c->enc ? OC_TAG : 0))
		return OC_LEFT;
	if (mode(c) == OC_GCM)
		learn_iv(c);
	if (c->iv_state != IV_KNOWN)
		return OC_LEFT;
	memcpy(iv, c->iv, OC_NONCE);
	if (mode(c) == OC_GCM && !c->enc)
		memcpy(iv + OC_NONCE - TLS_EXPLICIT, t->in, TLS_EXPLICIT);
	for (int i = 0; mode(c) == OC_CHACHA && i < TLS_EXPLICIT; i++)
		iv[OC_NONCE - TLS_EXPLICIT + i] ^= c->tls_aad[i];
	memcpy(aad, c->tls_aad, TLS_AAD);
	aad[TLS_AAD - 2] = len >> 8;
	aad[TLS_AAD - 1] = (uint8_t)len;
	r.aad = aad;
	r.aad_len = TLS_AAD;
	r.tag = text + len;
	return oc_run(&r);
}

/* Does a record of an AEAD in its place. */
static bool
aead_record(struct cipher *c, struct text *t)
{
	OSSL_PARAM header[] = {
		OSSL_PARAM_construct_octet_string(
				OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, c->tls_aad, TLS_AAD),
		OSSL_PARAM_construct_end(),
	};
	enum oc_outcome outcome;

	if (!catch_up(c))
		return false;
	outcome = record_device(c, t);
	c->tls = false;
	if (outcome == OC_SPOILT)
		return fail(PROV_R_CIPHER_OPERATION_FAILED);
	if (outcome == OC_LEFT)
		return EVP_CIPHER_CTX_set_params(c->inner, header) == 1 &&
				inner_take(c, t, t->left);
	t->made = t->left;
	if (!c->enc)
		t->made -= OC_TAG + (mode(c) == OC_GCM ? TLS_EXPLICIT : 0);
	/* This writes the explicit part of the IV, and counts up that of the next record. */
	return mode(c) != OC_GCM || !c->enc ||
			EVP_CIPHER_CTX_ctrl(c->inner, EVP_CTRL_GCM_IV_GEN, TLS_EXPLICIT, t->out) ==
			1;
}

int
oc_cipher_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	struct cipher *c = vctx;
	struct text t = { .in = in, .out = out, .left = inl };
	bool ok;

	*outl = 0;
	if (!c->keyed)
		return fail(PROV_R_NO_KEY_SET);
	if (c->iv_state == IV_SPENT)
		return fail(PROV_R_CIPHER_OPERATION_FAILED);
	if (inl == 0)
		return 1;
	if (oc_is_aead(c->alg) && out == NULL) {
		*outl = inl;
		return aad_update(c, in, inl);
	}
	if (outsize < (mode(c) == OC_CBC ? (c->buffered + inl) / OC_BLOCK * OC_BLOCK : inl))
		return fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
	if (oc_is_aead(c->alg))
		ok = c->tls ? aead_record(c, &t) : aead_text(c, &t);
	else
		ok = c->tls_version != 0 ? cbc_record(c, &t, outsize) : blocks_do(c, &t);
	*outl = ok ? t.made : 0;
	return ok;
}

/* Ends the message. A tag that comes before the next one starts belongs to that. */
int
oc_cipher_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
	struct cipher *c = vctx;
	bool device = c->stage == STAGE_DEVICE;
	int done = 0;

	*outl = 0;
	if (!c->keyed)
		return fail(PROV_R_NO_KEY_SET);
	if (mode(c) == OC_CBC && outsize < OC_BLOCK)
		return fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
	drop_kept(c);
	if (!device && !catch_up(c))
		return 0;
	c->stage = STAGE_AAD;
	c->aad_len = c->tag_len = c->buffered = 0;
	if (device) {
		c->iv_state = IV_SPENT;
		return 1;
	}
	if (c->iv_state == IV_SPENT)
		return fail(PROV_R_CIPHER_OPERATION_FAILED);
	if (EVP_CipherFinal_ex(c->inner, out, &done) != 1)
		return 0;
	*outl = done;
	return 1;
}

/* Does what EVP_Cipher() wants: a text without buffers or padding, or with an AEAD and no text the
 * end of the message.
 */
static int
cipher_whole(void *vctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	struct cipher *c = vctx;
	struct text t = { .in = in, .out = out, .left = inl };

	if (oc_is_aead(c->alg) && in == NULL)
		return oc_cipher_final(c, out, outl, outsize);
	if (mode(c) != OC_CBC || !c->keyed)
		return oc_cipher_update(c, out, outl, outsize, in, inl);
	if (outsize < inl || inl % OC_BLOCK != 0)
		return fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
	*outl = inl;
	return oc_wanted(c->alg, c->enc, inl) ? device_take(c, &t, inl)
				      : EVP_Cipher(c->inner, out, in, inl) >= 0;
}

/* Takes note of a parameter that the device's part has to know. Returns false if it is not for the
 * inner context.
 */
static bool
note_param(struct cipher *c, const OSSL_PARAM *p)
{
	bool text = p->data_type == OSSL_PARAM_OCTET_STRING && p->data != NULL;
	unsigned int value;

	if (strcmp(p->key, OSSL_CIPHER_PARAM_PADDING) == 0 && OSSL_PARAM_get_uint(p, &value)) {
		c->pad = value != 0;
	} else if (strcmp(p->key, OSSL_CIPHER_PARAM_TLS_VERSION) == 0 &&
			OSSL_PARAM_get_uint(p, &value)) {
		c->tls_version = value;
	} else if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_IVLEN) == 0) {
		c->iv_state = IV_OTHER;
	} else if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TAG) == 0 && text &&
			p->data_size <= OC_TAG) {
		memcpy(c->tag, p->data, p->data_size);
		c->tag_len = p->data_size;
		return !c->late || c->enc || p->data_size == 0;
	} else if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED) == 0 && text) {
		c->iv_state = p->data_size == OC_NONCE ? IV_KNOWN : IV_OTHER;
		if (p->data_size == OC_NONCE)
			memcpy(c->iv, p->data, OC_NONCE);
	} else if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD) == 0 && text &&
			p->data_size == TLS_AAD && oc_is_aead(c->alg)) {
		memcpy(c->tls_aad, p->data, TLS_AAD);
		c->tls = true;
		return false;
	}
	return true;
}

int
oc_cipher_set_params(void *vctx, const OSSL_PARAM params[])
{
	struct cipher *c = vctx;

	if (c->pipes != NULL)
		return oc_pipes_params(c->pipes, params, true);
	for (const OSSL_PARAM *p = params; p != NULL && p->key != NULL; p++) {
		const OSSL_PARAM one[] = { *p, OSSL_PARAM_END };

		if (note_param(c, p) &&
				(!catch_up(c) || EVP_CIPHER_CTX_set_params(c->inner, one) != 1))
			return 0;
		if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_IVLEN) == 0)
			c->iv_len = EVP_CIPHER_CTX_get_iv_length(c->inner);
		if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV) == 0) {
			learn_iv(c);
			c->stage = STAGE_AAD;
			c->aad_len = 0;
		}
	}
	return 1;
}

/* Answers what only the device's part knows. Returns 0 or 1, or -1 if that is not for it. */
static int
own_param(struct cipher *c, OSSL_PARAM *p)
{
	if (strcmp(p->key, OSSL_CIPHER_PARAM_IVLEN) == 0)
		return OSSL_PARAM_set_size_t(p, c->iv_len);
	if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD) == 0)
		return OSSL_PARAM_set_size_t(p, OC_TAG);
	if (strcmp(p->key, OSSL_CIPHER_PARAM_IV) == 0 && mode(c) == OC_CBC)
		/* From OpenSSL 3.5 on, the wrong one of these leaves an error behind. */
		return p->data_type == OSSL_PARAM_OCTET_PTR
				? OSSL_PARAM_set_octet_ptr(p, c->iv, OC_BLOCK)
				: OSSL_PARAM_set_octet_string(p, c->iv, OC_BLOCK);
	if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TAG) != 0 || !c->tag_ours)
		return -1;
	if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size == 0 || p->data_size > OC_TAG)
		return fail(PROV_R_INVALID_TAG);
	memcpy(p->data, c->tag, p->data_size);
	p->return_size = p->data_size;
	return 1;
}

int
oc_cipher_get_params(void *vctx, OSSL_PARAM params[])
{
	struct cipher *c = vctx;

	if (c->pipes != NULL)
		return oc_pipes_params(c->pipes, params, false);
	for (OSSL_PARAM *p = params; p->key != NULL; p++) {
		OSSL_PARAM one[] = { *p, OSSL_PARAM_END };
		int own = own_param(c, p);

		if (own >= 0) {
			if (own == 0)
				return 0;
			continue;
		}
		if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN) == 0)
			learn_iv(c);
		if (!catch_up(c) || EVP_CIPHER_CTX_get_params(c->inner, one) != 1)
			return 0;
		p->return_size = one[0].return_size;
	}
	return 1;
}

int
oc_cipher_init(void *vctx, bool enc, const unsigned char *key, size_t key_len,
		const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[])
{
	struct cipher *c = vctx;
	bool rekey = key == NULL && c->keyed && enc != c->enc;
	bool late = oc_is_aead(c->alg) && key == NULL && iv != NULL && c->keyed && !rekey;

	if (key != NULL && key_len != oc_algs[c->alg].key_len)
		return fail(PROV_R_INVALID_KEY_LENGTH);
	if (iv != NULL && iv_len != c->iv_len)
		return fail(PROV_R_INVALID_IV_LENGTH);
	drop_kept(c);
	c->enc = enc;
	c->stage = STAGE_AAD;
	c->aad_len = c->buffered = 0;
	c->tls = c->tag_ours = false;
	if (key != NULL) {
		memcpy(c->key, key, key_len);
		oc_sym_session_free(&c->session);
		c->keyed = true;
	}
	if (iv != NULL) {
		c->iv_state = iv_len == oc_algs[c->alg].iv_len ? IV_KNOWN : IV_OTHER;
		memcpy(c->iv, iv, iv_len < OC_BLOCK ? iv_len : OC_BLOCK);
	} else if (mode(c) == OC_CBC && c->iv_state == IV_KNOWN) {
		iv = c->iv;
	}
	c->late = late && c->iv_state == IV_KNOWN;
	return (c->late || EVP_CipherInit_ex2(c->inner, NULL, rekey ? c->key : key, iv, enc,
					   NULL) == 1) &&
			oc_cipher_set_params(c, params);
}

static int
cipher_encrypt_init(void *vctx, const unsigned char *key, size_t key_len, const unsigned char *iv,
		size_t iv_len, const OSSL_PARAM params[])
{
	return oc_cipher_init(vctx, true, key, key_len, iv, iv_len, params);
}

static int
cipher_decrypt_init(void *vctx, const unsigned char *key, size_t key_len, const unsigned char *iv,
		size_t iv_len, const OSSL_PARAM params[])
{
	return oc_cipher_init(vctx, false, key, key_len, iv, iv_len, params);
}

void *
oc_cipher_dup(void *vctx)
{
	struct cipher *from = vctx, *c;

	if (!replay(from))
		return NULL;
	c = OPENSSL_memdup(from, sizeof(*from));
	if (c == NULL)
		return NULL;
	memset(&c->session, 0, sizeof(c->session));
	c->pipes = from->pipes != NULL ? oc_pipes_dup(from->pipes) : NULL;
	c->inner = EVP_CIPHER_CTX_new();
	if (c->inner == NULL || EVP_CIPHER_CTX_copy(c->inner, from->inner) != 1 ||
			(c->pipes == NULL) != (from->pipes == NULL)) {
		oc_cipher_free(c);
		return NULL;
	}
	return c;
}

static int
pipes_encrypt_init(void *vctx, const unsigned char *key, size_t key_len, size_t nb,
		const unsigned char **iv, size_t iv_len, const OSSL_PARAM params[])
{
	struct cipher *c = vctx;

	return oc_pipes_init(&c->pipes, c->alg, true, key, key_len, nb, iv, iv_len, params);
}

static int
pipes_decrypt_init(void *vctx, const unsigned char *key, size_t key_len, size_t nb,
		const unsigned char **iv, size_t iv_len, const OSSL_PARAM params[])
{
	struct cipher *c = vctx;

	return oc_pipes_init(&c->pipes, c->alg, false, key, key_len, nb, iv, iv_len, params);
}

static int
pipes_update(void *vctx, size_t nb, unsigned char **out, size_t *outl, const size_t *outsize,
		const unsigned char **in, const size_t *inl)
{
	struct cipher *c = vctx;

	return oc_pipes_update(c->pipes, nb, out, outl, outsize, in, inl);
}

static int
pipes_final(void *vctx, size_t nb, unsigned char **out, size_t *outl, const size_t *outsize)
{
	struct cipher *c = vctx;

	return oc_pipes_final(c->pipes, nb, out, outl, outsize);
}

#ifndef OSSL_FUNC_CIPHER_PIPELINE_ENCRYPT_INIT /* before OpenSSL 3.5, which ignores them */
#define OSSL_FUNC_CIPHER_PIPELINE_ENCRYPT_INIT 15
#define OSSL_FUNC_CIPHER_PIPELINE_DECRYPT_INIT 16
#define OSSL_FUNC_CIPHER_PIPELINE_UPDATE 17
#define OSSL_FUNC_CIPHER_PIPELINE_FINAL 18
#endif

/* The functions that have to know the cipher without a context, and the table of all. */
#define FUNCTIONS(alg) \
	static void *alg##_new(void *provctx) \
	{ \
		(void)provctx; \
		return oc_cipher_new(alg); \
	} \
	static int alg##_get_params(OSSL_PARAM params[]) \
	{ \
		return EVP_CIPHER_get_params(oc_inner_ciphers[alg], params); \
	} \
	static const OSSL_PARAM *alg##_gettable(void *cctx, void *provctx) \
	{ \
		(void)cctx; \
		(void)provctx; \
		return EVP_CIPHER_gettable_ctx_params(oc_inner_ciphers[alg]); \
	} \
	static const OSSL_PARAM *alg##_settable(void *cctx, void *provctx) \
	{ \
		(void)cctx; \
		(void)provctx; \
		return EVP_CIPHER_settable_ctx_params(oc_inner_ciphers[alg]); \
	} \
	static const OSSL_DISPATCH alg##_functions[] = { \
		{ OSSL_FUNC_CIPHER_NEWCTX, (void (*)(void))alg##_new }, \
		{ OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))oc_cipher_free }, \
		{ OSSL_FUNC_CIPHER_DUPCTX, (void (*)(void))oc_cipher_dup }, \
		{ OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))cipher_encrypt_init }, \
		{ OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))cipher_decrypt_init }, \
		{ OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))oc_cipher_update }, \
		{ OSSL_FUNC_CIPHER_FINAL, (void (*)(void))oc_cipher_final }, \
		{ OSSL_FUNC_CIPHER_CIPHER, (void (*)(void))cipher_whole }, \
		{ OSSL_FUNC_CIPHER_PIPELINE_ENCRYPT_INIT, (void (*)(void))pipes_encrypt_init }, \
		{ OSSL_FUNC_CIPHER_PIPELINE_DECRYPT_INIT, (void (*)(void))pipes_decrypt_init }, \
		{ OSSL_FUNC_CIPHER_PIPELINE_UPDATE, (void (*)(void))pipes_update }, \
		{ OSSL_FUNC_CIPHER_PIPELINE_FINAL, (void (*)(void))pipes_final }, \
		{ OSSL_FUNC_CIPHER_GET_PARAMS, (void (*)(void))alg##_get_params }, \
		{ OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))oc_cipher_get_params }, \
		{ OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))oc_cipher_set_params }, \
		{ OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, (void (*)(void))alg##_gettable }, \
		{ OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, (void (*)(void))alg##_settable }, \
		{ 0, NULL }, \
	}

FUNCTIONS(OC_AES_128_CBC);
FUNCTIONS(OC_AES_192_CBC);
FUNCTIONS(OC_AES_256_CBC);
FUNCTIONS(OC_AES_128_CTR);
FUNCTIONS(OC_AES_192_CTR);
FUNCTIONS(OC_AES_256_CTR);
FUNCTIONS(OC_AES_128_GCM);
FUNCTIONS(OC_AES_192_GCM);
FUNCTIONS(OC_AES_256_GCM);
FUNCTIONS(OC_CHACHA20_POLY1305);

#define AES_CBC OC_CBC, RTE_CRYPTO_CIPHER_AES_CBC
#define AES_CTR OC_CTR, RTE_CRYPTO_CIPHER_AES_CTR
#define AES_GCM OC_GCM, RTE_CRYPTO_AEAD_AES_GCM
#define CHACHA OC_CHACHA, RTE_CRYPTO_AEAD_CHACHA20_POLY1305
#define CIPHER(alg, more, name, ...) [alg] = { name more, name, alg##_functions, __VA_ARGS__ }
#define NIST "2.16.840.1.101.3.4.1."

const struct oc_alg oc_algs[OC_CIPHERS] = {
	CIPHER(OC_AES_128_CBC, ":AES128:" NIST "2", "AES-128-CBC", AES_CBC, 16, 16),
	CIPHER(OC_AES_192_CBC, ":AES192:" NIST "22", "AES-192-CBC", AES_CBC, 24, 16),
	CIPHER(OC_AES_256_CBC, ":AES256:" NIST "42", "AES-256-CBC", AES_CBC, 32, 16),
	CIPHER(OC_AES_128_CTR, "", "AES-128-CTR", AES_CTR, 16, 16),
	CIPHER(OC_AES_192_CTR, "", "AES-192-CTR", AES_CTR, 24, 16),
	CIPHER(OC_AES_256_CTR, "", "AES-256-CTR", AES_CTR, 32, 16),
	CIPHER(OC_AES_128_GCM, ":id-aes128-GCM:" NIST "6", "AES-128-GCM", AES_GCM, 16, 12),
	CIPHER(OC_AES_192_GCM, ":id-aes192-GCM:" NIST "26", "AES-192-GCM", AES_GCM, 24, 12),
	CIPHER(OC_AES_256_GCM, ":id-aes256-GCM:" NIST "46", "AES-256-GCM", AES_GCM, 32, 12),
	CIPHER(OC_CHACHA20_POLY1305, "", "ChaCha20-Poly1305", CHACHA, 32, 12),
};
