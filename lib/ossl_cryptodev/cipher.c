/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The ciphers as EVP and libssl want them. A context wraps one of the default provider (the inner
 * one), which has parameters, padding, records of TLS and all that the device does not do. Most
 * calls go on to the inner context as they are. Before the device does a text the inner context
 * says where it is, and after it the inner context is told.
 */
#include <string.h>

#include <openssl/async.h>
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

/* The default provider's functions of a cipher that take its context. */
struct inner {
	OSSL_FUNC_cipher_update_fn *update;
	OSSL_FUNC_cipher_cipher_fn *whole;
	OSSL_FUNC_cipher_final_fn *final;
	OSSL_FUNC_cipher_encrypt_init_fn *init[2]; /* to decrypt, to encrypt */
	OSSL_FUNC_cipher_get_ctx_params_fn *get;
	OSSL_FUNC_cipher_set_ctx_params_fn *set;
	OSSL_FUNC_cipher_newctx_fn *new;
	OSSL_FUNC_cipher_dupctx_fn *dup;
	OSSL_FUNC_cipher_freectx_fn *free;
};

/* Where the message of an AEAD is. */
enum stage {
	STAGE_INNER, /* the inner context does it */
	STAGE_OPEN, /* no text yet, and the device may do it: IV and AAD are known */
	STAGE_DEVICE, /* the device has done the text */
	STAGE_SPENT, /* and the message has ended, so the IV is not used again */
};

struct cipher {
	const struct inner *f;
	void *inner;
	const _Atomic size_t *least; /* of a text for the device */
	size_t total; /* bytes since the first block of CBC or CTR */
	uint64_t small; /* texts that the inner context has done, and nobody has counted */
	enum oc_alg_id alg;
	bool enc;
	bool keyed;
	bool iv_known; /* `iv` has one of the length that the device takes */
	bool pad;
	bool pad_changed; /* within a text, of which the inner context may hold a part */
	uint8_t stage;
	bool late; /* the inner context has not got IV and AAD yet */
	bool tls; /* the next text is a record of TLS 1.2 and an AEAD */
	unsigned int tls_version; /* of records in CBC; 0: there are none */
	size_t iv_len;
	uint8_t iv[OC_BLOCK]; /* that the program set */
	size_t aad_len;
	size_t text_len; /* that the device has done */
	size_t tag_len; /* of the tag to verify */
	uint8_t aad[OC_AAD_MAX];
	uint8_t tag[OC_TAG];
	uint8_t tls_aad[TLS_AAD];
	uint8_t key[OC_KEY_MAX];
	struct oc_job *kept;
	struct oc_session session;
	struct oc_pipes *pipes; /* of a pipeline, which has no text itself */
};

/* A text on its way. */
struct text {
	const uint8_t *in;
	uint8_t *out;
	size_t left;
	size_t made;
	size_t room;
};

static struct inner inners[OC_CIPHERS];

static enum oc_mode
mode(const struct cipher *c)
{
	return oc_algs[c->alg].mode;
}

/* True if a text is long enough for the device. */
static inline bool
wanted(const struct cipher *c, size_t len)
{
	size_t waiting = *c->least, async = oc_async_least;

	if (len < waiting && len < async)
		return false;
	return len >= (ASYNC_get_current_job() != NULL ? async : waiting);
}

/* Counts the texts that were too short. */
static void
settle(struct cipher *c)
{
	if (c->small != 0)
		oc_count_small(c->alg, c->small);
	c->small = 0;
}

static void
drop_kept(struct cipher *c)
{
	if (c->kept != NULL)
		oc_job_release(c->kept);
	c->kept = NULL;
}

static void
cipher_free(void *vctx)
{
	struct cipher *c = vctx;

	if (c == NULL)
		return;
	settle(c);
	drop_kept(c);
	oc_pipes_free(c->pipes);
	oc_sym_session_free(&c->session);
	if (c->inner != NULL)
		c->f->free(c->inner);
	OPENSSL_clear_free(c, sizeof(*c));
}

static void *
cipher_new(enum oc_alg_id alg)
{
	struct cipher *c = OPENSSL_zalloc(sizeof(*c));

	if (c == NULL)
		return NULL;
	c->alg = alg;
	c->f = &inners[alg];
	c->least = &oc_least[alg][0];
	c->pad = true;
	c->iv_len = oc_algs[alg].iv_len;
	c->inner = c->f->new (oc_inner_provctx);
	if (c->inner != NULL)
		return c;
	OPENSSL_free(c);
	return NULL;
}

static bool
inner_init(struct cipher *c, bool enc, const uint8_t *key, const uint8_t *iv)
{
	return c->f->init[enc](c->inner, key, key != NULL ? oc_algs[c->alg].key_len : 0, iv,
			       iv != NULL ? c->iv_len : 0, NULL) == 1;
}

static bool
inner_set(struct cipher *c, OSSL_PARAM param)
{
	const OSSL_PARAM params[] = { param, OSSL_PARAM_END };

	return c->f->set(c->inner, params) == 1;
}

static bool
inner_get(struct cipher *c, OSSL_PARAM *param)
{
	OSSL_PARAM params[] = { *param, OSSL_PARAM_END };
	bool ok = c->f->get(c->inner, params) == 1;

	param->return_size = params[0].return_size;
	return ok;
}

/* Copies the IV of the next text from the inner context. OpenSSL 3.5 leaves an error behind where
 * this succeeds, and SSL_get_error() would take it for that of a connection.
 */
static bool
inner_iv(struct cipher *c, uint8_t *iv, size_t len)
{
	OSSL_PARAM p = OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, iv, len);
	bool ok;

	ERR_set_mark();
	ok = inner_get(c, &p);
	ERR_pop_to_mark();
	return ok;
}

/* Gives the inner context of an AEAD what it has not got yet. It need not have that if the device
 * does the message, and it costs more than all else that the device's part does.
 */
static bool
catch_up(struct cipher *c)
{
	size_t done;

	if (!c->late)
		return true;
	c->late = false;
	return inner_init(c, c->enc, NULL, c->iv) &&
			(c->aad_len == 0 ||
					c->f->update(c->inner, NULL, &done, c->aad_len, c->aad,
							c->aad_len) == 1);
}

/* Has the inner context take some of the text. */
static bool
inner_take(struct cipher *c, struct text *t, size_t len)
{
	size_t done;

	if (len == 0)
		return true;
	if (c->f->update(c->inner, t->out + t->made, &done, t->room - t->made, t->in, len) != 1)
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

/* Has the device do whole blocks, as far as it does. The inner context is at a block's start. */
static bool
device_take(struct cipher *c, struct text *t, size_t len)
{
	uint8_t iv[OC_BLOCK], last[OC_BLOCK];

	while (len != 0) {
		size_t nb = len < OC_DATA_MAX ? len : OC_DATA_MAX, done;
		uint8_t *out = t->out + t->made;
		const struct oc_request r = request(c, iv, t->in, out, nb);
		enum oc_outcome outcome;

		if (!inner_iv(c, iv, OC_BLOCK))
			return false;
		memcpy(last, t->in + nb - OC_BLOCK, OC_BLOCK);
		outcome = counter_fits(c, iv, nb) ? oc_run(&r) : OC_LEFT;
		if (outcome == OC_SPOILT)
			return oc_fail(PROV_R_CIPHER_OPERATION_FAILED);
		if (outcome == OC_DONE) {
			iv_advance(c, iv, c->enc ? out + nb - OC_BLOCK : last, nb);
			if (!inner_init(c, c->enc, NULL, iv))
				return false;
		} else if (c->f->whole(c->inner, out, &done, nb, t->in, nb) != 1) {
			return false;
		}
		t->in += nb;
		t->left -= nb;
		t->made += nb;
		len -= nb;
	}
	return true;
}

/* Does a long text of CBC or CTR: the device the whole blocks, the inner context what is before and
 * after them.
 */
static bool
blocks_do(struct cipher *c, struct text *t)
{
	bool cbc = mode(c) == OC_CBC, hold = cbc && !c->enc && c->pad, good = true;
	size_t used = c->total % OC_BLOCK, head = used == 0 ? 0 : OC_BLOCK - used, done = 0;
	size_t whole = t->left < head ? 0 : t->left - head;
	unsigned int off = 0, on = 1;
	bool held = hold && used == 0 && c->total != 0;

	if (t->room < (cbc ? (used + held * OC_BLOCK + t->left) / OC_BLOCK * OC_BLOCK : t->left))
		return oc_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
	c->total += t->left;
	whole -= hold && whole != 0 ? (whole - 1) % OC_BLOCK + 1 : whole % OC_BLOCK;
	if (whole == 0 || !wanted(c, whole)) {
		c->small++;
		return inner_take(c, t, t->left);
	}
	if (hold)
		good = inner_set(c, OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &off));
	if (good && held) /* back because it could have been the last block */
		good = c->f->final(c->inner, t->out, &done, t->room) == 1;
	t->made = done;
	good = good && inner_take(c, t, head) && device_take(c, t, whole);
	if (hold)
		good &= inner_set(c, OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &on));
	return good && inner_take(c, t, t->left);
}

/* Does a record of TLS in CBC. To take padding and MAC off one needs constant time, so the inner
 * context does that.
 */
static bool
cbc_record(struct cipher *c, struct text *t)
{
	size_t pad = OC_BLOCK - t->left % OC_BLOCK;

	if (!c->enc)
		oc_count_fallback(c->alg, OC_TLS_CBC);
	if (!c->enc || c->tls_version == SSL3_VERSION || t->in != t->out ||
			t->room < t->left + pad)
		return inner_take(c, t, t->left);
	memset(t->out + t->left, (int)pad - 1, pad);
	t->left += pad;
	return device_take(c, t, t->left);
}

static int
blocks_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	struct cipher *c = vctx;
	struct text t;
	bool ok;

	if (!wanted(c, inl) || !c->keyed || c->pad_changed) {
		c->total += inl;
		c->small += inl != 0;
		return c->f->update(c->inner, out, outl, outsize, in, inl);
	}
	t = (struct text){ .in = in, .out = out, .left = inl, .room = outsize };
	ok = c->tls_version != 0 ? cbc_record(c, &t) : blocks_do(c, &t);
	*outl = ok ? t.made : 0;
	return ok;
}

/* Does what EVP_Cipher() wants of CBC: a text without buffers or padding. The inner context does it
 * if it may have a part of a block before that.
 */
static int
cbc_whole(void *vctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	struct cipher *c = vctx;
	struct text t;

	if (!wanted(c, inl) || !c->keyed || c->total != 0 || outsize < inl ||
			inl % OC_BLOCK != 0) {
		c->small++;
		return c->f->whole(c->inner, out, outl, outsize, in, inl);
	}
	t = (struct text){ .in = in, .out = out, .left = inl, .room = outsize };
	*outl = inl;
	return device_take(c, &t, inl);
}

static int
blocks_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
	struct cipher *c = vctx;

	settle(c);
	c->pad_changed = false;
	if (mode(c) == OC_CBC)
		c->total = 0;
	return c->f->final(c->inner, out, outl, outsize);
}

/* Copies an IV that the inner context of GCM has made, or will make. */
static bool
made_iv(struct cipher *c, uint8_t *iv)
{
	return c->iv_len == OC_NONCE && catch_up(c) && inner_iv(c, iv, OC_NONCE);
}

/* Begins a message for which the inner context has the IV already. */
static void
open_made(struct cipher *c, const uint8_t *iv, bool known)
{
	drop_kept(c);
	c->iv_known = known;
	c->stage = known ? STAGE_OPEN : STAGE_INNER;
	c->aad_len = 0;
	if (known)
		memcpy(c->iv, iv, OC_NONCE);
}

/* Makes the text before the operation of that after it, which the key stream does in both
 * directions.
 */
static bool
undo(struct cipher *c, uint8_t *text)
{
	struct cipher other = *c;
	size_t done;
	bool ok;

	other.inner = c->f->new (oc_inner_provctx);
	if (other.inner == NULL)
		return false;
	ok = inner_init(&other, !c->enc, c->key, c->iv) &&
			c->f->update(other.inner, text, &done, c->text_len, text, c->text_len) == 1;
	c->f->free(other.inner);
	OPENSSL_cleanse(&other, sizeof(other));
	return ok;
}

/* Has the inner context do what the device did, since the message has one more part. */
static bool
replay(struct cipher *c)
{
	uint8_t *text = NULL;
	bool ok, input;
	size_t done;

	if (c->stage != STAGE_DEVICE)
		return true;
	oc_count_fallback(c->alg, OC_PARTS);
	if (!oc_process_forked() && c->kept != NULL)
		text = OPENSSL_memdup(c->kept->data, c->text_len);
	input = text != NULL && c->kept->holds_input;
	drop_kept(c);
	ok = text != NULL && (input || undo(c, text)) && catch_up(c) &&
			c->f->update(c->inner, text, &done, c->text_len, text, c->text_len) == 1;
	OPENSSL_clear_free(text, c->text_len);
	c->stage = STAGE_INNER;
	return ok || oc_fail(PROV_R_CIPHER_OPERATION_FAILED);
}

static int
aad_update(struct cipher *c, size_t *outl, const uint8_t *in, size_t len)
{
	if (c->stage == STAGE_SPENT || !replay(c))
		return oc_fail(PROV_R_CIPHER_OPERATION_FAILED);
	if (c->stage == STAGE_OPEN && len > OC_AAD_MAX - c->aad_len) {
		oc_count_fallback(c->alg, OC_LONG);
		c->stage = STAGE_INNER;
		if (!catch_up(c))
			return 0;
	}
	if (c->stage == STAGE_OPEN) {
		memcpy(c->aad + c->aad_len, in, len);
		c->aad_len += len;
	}
	*outl = len;
	return c->late || c->f->update(c->inner, NULL, outl, len, in, len) == 1;
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
aead_device(struct cipher *c, uint8_t *out, const uint8_t *in, size_t len)
{
	struct oc_request r = request(c, c->iv, in, out, len);

	if (!c->enc && c->tag_len != OC_TAG) {
		oc_count_fallback(c->alg, c->tag_len != 0 ? OC_UNSUPPORTED : OC_LATE_TAG);
		return OC_LEFT;
	}
	r.aad = c->aad;
	r.aad_len = c->aad_len;
	r.tag = c->tag;
	r.keep = is_record(c, len) ? NULL : &c->kept;
	return oc_run(&r);
}

/* Has the device do a record of TLS 1.2: explicit IV of GCM, text, tag. */
static enum oc_outcome
record_device(struct cipher *c, uint8_t *out, const uint8_t *in, size_t all)
{
	size_t explicit = mode(c) == OC_GCM ? TLS_EXPLICIT : 0, len = all - explicit - OC_TAG;
	size_t given = (size_t)c->tls_aad[TLS_AAD - 2] << 8 | c->tls_aad[TLS_AAD - 1];
	uint8_t aad[TLS_AAD], iv[OC_NONCE], *text = out + explicit;
	struct oc_request r = request(c, iv, text, text, len);

	if (all <= explicit + OC_TAG || in != out || given != all - (c->enc ? OC_TAG : 0))
		return OC_LEFT;
	if (!wanted(c, len)) {
		oc_count_small(c->alg, 1);
		return OC_LEFT;
	}
	memcpy(iv, c->iv, OC_NONCE);
	if (mode(c) == OC_GCM ? !made_iv(c, iv) : !c->iv_known)
		return OC_LEFT;
	if (mode(c) == OC_GCM && !c->enc)
		memcpy(iv + OC_NONCE - TLS_EXPLICIT, in, TLS_EXPLICIT);
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
static int
aead_record(struct cipher *c, uint8_t *out, size_t *outl, size_t room, const uint8_t *in,
		size_t len)
{
	const OSSL_PARAM aad = OSSL_PARAM_construct_octet_string(
			OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, c->tls_aad, TLS_AAD);
	OSSL_PARAM explicit = OSSL_PARAM_construct_octet_string(
			OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN, out, TLS_EXPLICIT);
	enum oc_outcome outcome;

	c->tls = false;
	if (!catch_up(c))
		return 0;
	outcome = c->keyed && room >= len ? record_device(c, out, in, len) : OC_LEFT;
	c->stage = STAGE_INNER;
	if (outcome == OC_SPOILT)
		return oc_fail(PROV_R_CIPHER_OPERATION_FAILED);
	if (outcome == OC_LEFT)
		return inner_set(c, aad) &&
				c->f->update(c->inner, out, outl, room, in, len) == 1;
	*outl = len;
	if (!c->enc)
		*outl -= OC_TAG + (mode(c) == OC_GCM ? TLS_EXPLICIT : 0);
	/* This writes the explicit part of the IV, and counts up that of the next record. */
	return mode(c) != OC_GCM || !c->enc || inner_get(c, &explicit);
}

static int
aead_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	struct cipher *c = vctx;
	enum oc_outcome outcome = OC_LEFT;

	*outl = 0;
	if (c->tls && out != NULL)
		return aead_record(c, out, outl, outsize, in, inl);
	if (inl != 0 && out == NULL)
		return aad_update(c, outl, in, inl);
	if (c->stage == STAGE_SPENT || (inl != 0 && !replay(c)))
		return oc_fail(PROV_R_CIPHER_OPERATION_FAILED);
	if (c->stage == STAGE_OPEN && inl != 0) {
		if (!wanted(c, inl))
			oc_count_small(c->alg, 1);
		else if (c->keyed && outsize >= inl)
			outcome = aead_device(c, out, in, inl);
		if (outcome == OC_SPOILT)
			return oc_fail(PROV_R_CIPHER_OPERATION_FAILED);
		if (outcome == OC_DONE) {
			c->stage = STAGE_DEVICE;
			c->text_len = *outl = inl;
			return 1;
		}
		c->stage = STAGE_INNER;
		if (!catch_up(c))
			return 0;
	}
	return inl == 0 || c->f->update(c->inner, out, outl, outsize, in, inl) == 1;
}

/* Ends the message. A tag that comes before the next one starts belongs to that. */
static int
aead_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
	struct cipher *c = vctx;

	*outl = 0;
	drop_kept(c);
	c->tag_len = 0;
	if (c->stage == STAGE_DEVICE) {
		c->stage = STAGE_SPENT;
		return 1;
	}
	if (c->stage == STAGE_SPENT || !catch_up(c))
		return oc_fail(PROV_R_CIPHER_OPERATION_FAILED);
	c->stage = STAGE_INNER;
	return c->f->final(c->inner, out, outl, outsize);
}

/* Does what EVP_Cipher() wants of an AEAD: without a text this is the end of the message. */
static int
aead_whole(void *vctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	return in != NULL ? aead_update(vctx, out, outl, outsize, in, inl)
			  : aead_final(vctx, out, outl, outsize);
}

/* Takes note of a parameter that the device's part has to know. Returns 0 or 1, or -1 if the inner
 * context has to have it as well.
 */
static int
own_set(struct cipher *c, const OSSL_PARAM *p)
{
	bool text = p->data_type == OSSL_PARAM_OCTET_STRING && p->data != NULL;
	unsigned int value;

	if (!oc_is_aead(c->alg)) {
		if (strcmp(p->key, OSSL_CIPHER_PARAM_PADDING) == 0 &&
				OSSL_PARAM_get_uint(p, &value)) {
			c->pad_changed |= c->total != 0;
			c->pad = value != 0;
		} else if (strcmp(p->key, OSSL_CIPHER_PARAM_TLS_VERSION) == 0 &&
				OSSL_PARAM_get_uint(p, &value))
			c->tls_version = value;
		else if (strcmp(p->key, OSSL_CIPHER_PARAM_NUM) == 0 && mode(c) == OC_CTR &&
				OSSL_PARAM_get_uint(p, &value))
			c->total = value;
	} else if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TAG) == 0 && text &&
			p->data_size <= OC_TAG) {
		memcpy(c->tag, p->data, p->data_size);
		c->tag_len = p->data_size;
	} else if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD) == 0 && text &&
			p->data_size == TLS_AAD) {
		memcpy(c->tls_aad, p->data, TLS_AAD);
		c->tls = true;
		return 1;
	} else if (!catch_up(c)) {
		return 0;
	} else if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED) == 0 && text) {
		open_made(c, NULL, false);
		c->iv_known = p->data_size == OC_NONCE;
		if (c->iv_known)
			memcpy(c->iv, p->data, OC_NONCE);
	}
	return -1;
}

static int
cipher_set_params(void *vctx, const OSSL_PARAM params[])
{
	struct cipher *c = vctx;
	uint8_t iv[OC_NONCE];

	if (c->pipes != NULL)
		return oc_pipes_params(c->pipes, params, true);
	for (const OSSL_PARAM *p = params; p != NULL && p->key != NULL; p++) {
		int own = own_set(c, p);

		if (own > 0)
			continue;
		if (own == 0 || !inner_set(c, *p))
			return 0;
		if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV) == 0)
			open_made(c, iv, made_iv(c, iv));
		if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_IVLEN) == 0 &&
				OSSL_PARAM_get_size_t(p, &c->iv_len) && c->stage == STAGE_OPEN)
			c->stage = STAGE_INNER;
	}
	return 1;
}

/* Says the tag of a text that the device has encrypted. */
static int
own_tag(const struct cipher *c, OSSL_PARAM *p)
{
	if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size == 0 || p->data_size > OC_TAG)
		return oc_fail(PROV_R_INVALID_TAG);
	return OSSL_PARAM_set_octet_string(p, c->tag, p->data_size);
}

/* Answers what only the device's part knows. Returns 0 or 1, or -1 if that is not for it. */
static int
own_get(struct cipher *c, OSSL_PARAM *p)
{
	if (strcmp(p->key, OSSL_CIPHER_PARAM_IVLEN) == 0)
		return OSSL_PARAM_set_size_t(p, c->iv_len);
	if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TAG) == 0)
		return c->stage >= STAGE_DEVICE && c->enc ? own_tag(c, p) : -1;
	if (strcmp(p->key, OSSL_CIPHER_PARAM_KEYLEN) == 0)
		return OSSL_PARAM_set_size_t(p, oc_algs[c->alg].key_len);
	if (strcmp(p->key, OSSL_CIPHER_PARAM_IV) == 0 && !oc_is_aead(c->alg))
		/* From OpenSSL 3.5 on, the wrong one of these leaves an error behind. */
		return p->data_type == OSSL_PARAM_OCTET_PTR
				? OSSL_PARAM_set_octet_ptr(p, c->iv, OC_BLOCK)
				: OSSL_PARAM_set_octet_string(p, c->iv, OC_BLOCK);
	if (strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD) == 0)
		return OSSL_PARAM_set_size_t(p, OC_TAG);
	return -1;
}

static int
cipher_get_params(void *vctx, OSSL_PARAM params[])
{
	struct cipher *c = vctx;
	uint8_t iv[OC_NONCE];

	if (c->pipes != NULL)
		return oc_pipes_params(c->pipes, params, false);
	for (OSSL_PARAM *p = params; p->key != NULL; p++) {
		int own = own_get(c, p);
		bool made, known;

		if (own > 0)
			continue;
		made = own < 0 && strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN) == 0;
		known = made && made_iv(c, iv);
		if (own == 0 || !catch_up(c) || !inner_get(c, p))
			return 0;
		if (made)
			open_made(c, iv, known);
	}
	return 1;
}

/* Begins a message of an AEAD. With an IV of the length for the device the inner context gets the
 * key alone.
 */
static bool
aead_init(struct cipher *c, bool enc, const uint8_t *key, const uint8_t *iv)
{
	bool begun, late = iv != NULL && c->iv_len == OC_NONCE;

	begun = (iv != NULL || catch_up(c)) && ((key == NULL && late) ||
			inner_init(c, enc, key, late ? NULL : iv));
	c->tls = false;
	c->aad_len = 0;
	c->late = c->iv_known = late;
	if (iv != NULL)
		memcpy(c->iv, iv, c->iv_len < OC_BLOCK ? c->iv_len : OC_BLOCK);
	if (late)
		c->stage = STAGE_OPEN;
	else
		c->stage = iv == NULL && c->stage >= STAGE_DEVICE ? STAGE_SPENT : STAGE_INNER;
	if (iv != NULL && !late)
		oc_count_fallback(c->alg, OC_UNSUPPORTED);
	return begun;
}

static bool
blocks_init(struct cipher *c, bool enc, const uint8_t *key, const uint8_t *iv)
{
	c->total = 0;
	c->pad_changed = false;
	if (iv != NULL) {
		c->iv_known = true;
		memcpy(c->iv, iv, OC_BLOCK);
	} else if (mode(c) == OC_CBC && c->iv_known) {
		iv = c->iv;
	}
	return inner_init(c, enc, key, iv);
}

static int
cipher_init(struct cipher *c, bool enc, const unsigned char *key, size_t key_len,
		const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[])
{
	const struct oc_alg *a = &oc_algs[c->alg];
	bool turns = key == NULL && c->keyed && enc != c->enc;

	if (key != NULL && key_len != a->key_len)
		return oc_fail(PROV_R_INVALID_KEY_LENGTH);
	if (iv != NULL && iv_len != c->iv_len)
		return oc_fail(PROV_R_INVALID_IV_LENGTH);
	settle(c);
	drop_kept(c);
	if (!(oc_is_aead(c->alg) ? aead_init : blocks_init)(c, enc, turns ? c->key : key, iv))
		return 0;
	c->enc = enc;
	c->least = &oc_least[c->alg][enc];
	if (key != NULL) {
		memcpy(c->key, key, key_len);
		oc_sym_session_free(&c->session);
		c->keyed = true;
	}
	return cipher_set_params(c, params);
}

static int
cipher_encrypt_init(void *vctx, const unsigned char *key, size_t key_len, const unsigned char *iv,
		size_t iv_len, const OSSL_PARAM params[])
{
	return cipher_init(vctx, true, key, key_len, iv, iv_len, params);
}

static int
cipher_decrypt_init(void *vctx, const unsigned char *key, size_t key_len, const unsigned char *iv,
		size_t iv_len, const OSSL_PARAM params[])
{
	return cipher_init(vctx, false, key, key_len, iv, iv_len, params);
}

static void *
cipher_dup(void *vctx)
{
	struct cipher *from = vctx, *c;

	if (!replay(from))
		return NULL;
	settle(from);
	c = OPENSSL_memdup(from, sizeof(*from));
	if (c == NULL)
		return NULL;
	memset(&c->session, 0, sizeof(c->session));
	c->pipes = from->pipes != NULL ? oc_pipes_dup(from->pipes) : NULL;
	c->inner = c->f->dup(from->inner);
	if (c->inner != NULL && (c->pipes == NULL) == (from->pipes == NULL))
		return c;
	cipher_free(c);
	return NULL;
}

static OSSL_DISPATCH tables[OC_CIPHERS][OC_FUNCTIONS];

static int
pipes_encrypt_init(void *vctx, const unsigned char *key, size_t key_len, size_t nb,
		const unsigned char **iv, size_t iv_len, const OSSL_PARAM params[])
{
	struct cipher *c = vctx;

	return oc_pipes_init(&c->pipes, tables[c->alg], true, key, key_len, nb, iv, iv_len, params);
}

static int
pipes_decrypt_init(void *vctx, const unsigned char *key, size_t key_len, size_t nb,
		const unsigned char **iv, size_t iv_len, const OSSL_PARAM params[])
{
	struct cipher *c = vctx;

	return oc_pipes_init(
			&c->pipes, tables[c->alg], false, key, key_len, nb, iv, iv_len, params);
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

/* The functions of pipelines, by the numbers of OpenSSL 3.5. Older versions ignore them. */
static const OSSL_DISPATCH pipelines[] = {
	{ 15, (void (*)(void))pipes_encrypt_init },
	{ 16, (void (*)(void))pipes_decrypt_init },
	{ 17, (void (*)(void))pipes_update },
	{ 18, (void (*)(void))pipes_final },
};

#define AES_CBC OC_CBC, RTE_CRYPTO_CIPHER_AES_CBC
#define AES_CTR OC_CTR, RTE_CRYPTO_CIPHER_AES_CTR
#define AES_GCM OC_GCM, RTE_CRYPTO_AEAD_AES_GCM
#define CHACHA OC_CHACHA, RTE_CRYPTO_AEAD_CHACHA20_POLY1305
#define NIST "2.16.840.1.101.3.4.1."
#define LIST(X) \
	X(OC_AES_128_CBC, ":AES128:" NIST "2", "AES-128-CBC", AES_CBC, 16, 16) \
	X(OC_AES_192_CBC, ":AES192:" NIST "22", "AES-192-CBC", AES_CBC, 24, 16) \
	X(OC_AES_256_CBC, ":AES256:" NIST "42", "AES-256-CBC", AES_CBC, 32, 16) \
	X(OC_AES_128_CTR, "", "AES-128-CTR", AES_CTR, 16, 16) \
	X(OC_AES_192_CTR, "", "AES-192-CTR", AES_CTR, 24, 16) \
	X(OC_AES_256_CTR, "", "AES-256-CTR", AES_CTR, 32, 16) \
	X(OC_AES_128_GCM, ":id-aes128-GCM:" NIST "6", "AES-128-GCM", AES_GCM, 16, 12) \
	X(OC_AES_192_GCM, ":id-aes192-GCM:" NIST "26", "AES-192-GCM", AES_GCM, 24, 12) \
	X(OC_AES_256_GCM, ":id-aes256-GCM:" NIST "46", "AES-256-GCM", AES_GCM, 32, 12) \
	X(OC_CHACHA20_POLY1305, "", "ChaCha20-Poly1305", CHACHA, 32, 12)

const struct oc_alg oc_algs[OC_CIPHERS] = {
#define X(alg, more, name, ...) [alg] = { name more, name, __VA_ARGS__ },
	LIST(X)
#undef X
};

/* The function that makes a context has to know the cipher, and gets nothing that says it. */
#define X(alg, ...) \
	static void *alg##_new(void *provctx) \
	{ \
		(void)provctx; \
		return cipher_new(alg); \
	}
LIST(X)
#undef X

static OSSL_FUNC_cipher_newctx_fn *const news[OC_CIPHERS] = {
#define X(alg, ...) [alg] = alg##_new,
	LIST(X)
#undef X
};

#define FUNCTION(id, name) \
	{ \
		OSSL_FUNC_CIPHER_##id, (void (*)(void))name \
	}
/* NULL: the default provider's function, which needs no context. What is not here is not offered,
 * because we do not know what it needs.
 */
#define COMMON \
	FUNCTION(FREECTX, cipher_free), FUNCTION(DUPCTX, cipher_dup), \
			FUNCTION(ENCRYPT_INIT, cipher_encrypt_init), \
			FUNCTION(DECRYPT_INIT, cipher_decrypt_init), \
			FUNCTION(GET_CTX_PARAMS, cipher_get_params), \
			FUNCTION(SET_CTX_PARAMS, cipher_set_params), FUNCTION(GET_PARAMS, NULL), \
			FUNCTION(GETTABLE_PARAMS, NULL), FUNCTION(GETTABLE_CTX_PARAMS, NULL), \
			FUNCTION(SETTABLE_CTX_PARAMS, NULL)

static const OSSL_DISPATCH aead_functions[] = {
	COMMON,
	FUNCTION(UPDATE, aead_update),
	FUNCTION(FINAL, aead_final),
	FUNCTION(CIPHER, aead_whole),
	{ 0, NULL },
};

static const OSSL_DISPATCH cbc_functions[] = {
	COMMON,
	FUNCTION(UPDATE, blocks_update),
	FUNCTION(FINAL, blocks_final),
	FUNCTION(CIPHER, cbc_whole),
	{ 0, NULL },
};

static const OSSL_DISPATCH ctr_functions[] = {
	COMMON,
	FUNCTION(UPDATE, blocks_update),
	FUNCTION(FINAL, blocks_final),
	FUNCTION(CIPHER, blocks_update),
	{ 0, NULL },
};

static const OSSL_DISPATCH *const functions[] = {
	[OC_CBC] = cbc_functions,
	[OC_CTR] = ctr_functions,
	[OC_GCM] = aead_functions,
	[OC_CHACHA] = aead_functions,
};

/* Makes the table of functions of a cipher. Returns NULL if the default provider lacks it, or a
 * function of it.
 */
const OSSL_DISPATCH *
oc_cipher_prepare(enum oc_alg_id alg)
{
	const OSSL_DISPATCH *rows = oc_inner_find(OSSL_OP_CIPHER, oc_algs[alg].inner_name);
	const OSSL_DISPATCH made[] = { FUNCTION(NEWCTX, news[alg]), { 0, NULL } };
	struct inner *f = &inners[alg];
	OSSL_DISPATCH *to;

#define INNER(name, id) OSSL_FUNC_cipher_##name(oc_inner_row(rows, OSSL_FUNC_CIPHER_##id))
	if (rows == NULL)
		return NULL;
	*f = (struct inner){
		.update = INNER(update, UPDATE),
		.whole = INNER(cipher, CIPHER),
		.final = INNER(final, FINAL),
		.init = { INNER(decrypt_init, DECRYPT_INIT), INNER(encrypt_init, ENCRYPT_INIT) },
		.get = INNER(get_ctx_params, GET_CTX_PARAMS),
		.set = INNER(set_ctx_params, SET_CTX_PARAMS),
		.new = INNER(newctx, NEWCTX),
		.dup = INNER(dupctx, DUPCTX),
		.free = INNER(freectx, FREECTX),
	};
#undef INNER
	if (f->update == NULL || f->whole == NULL || f->final == NULL || f->init[0] == NULL ||
			f->init[1] == NULL || f->get == NULL || f->set == NULL || f->new == NULL ||
			f->free == NULL)
		return NULL; /* we call them */
	to = oc_inner_wrap(tables[alg], rows, made);
	to = oc_inner_wrap(to, rows, functions[oc_algs[alg].mode]);
	memcpy(to, pipelines, sizeof(pipelines));
	return tables[alg];
}
