/* SPDX-License-Identifier: BSD-3-Clause
 * AES in CBC and CTR as EVP wants it. What the device does not do, a context of the default
 * provider does. Either of them goes on where the other one has stopped, because the IV or counter
 * is kept here.
 */
#include <string.h>

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/proverr.h>

#include "functions.h"

struct cipher {
	enum oc_alg_id alg;
	OSSL_LIB_CTX *libctx;
	EVP_CIPHER_CTX *inner;
	bool inner_keyed;
	bool inner_behind; /* the device has done something since the inner context did */
	bool enc;
	bool keyed;
	bool iv_set;
	bool pad;
	unsigned int tls_version;
	size_t tls_mac_size;
	size_t buffered;
	unsigned int used; /* bytes of the counter block at `iv` that are used up */
	uint8_t key[OC_KEY_MAX];
	uint8_t first_iv[OC_BLOCK];
	uint8_t iv[OC_BLOCK];
	uint8_t buffer[OC_BLOCK];
	struct oc_session session;
};

static bool
is_ctr(const struct cipher *c)
{
	return oc_algs[c->alg].mode == OC_CTR;
}

static void *
cipher_new(void *provctx, enum oc_alg_id alg)
{
	struct cipher *c = OPENSSL_zalloc(sizeof(*c));

	if (c == NULL)
		return NULL;
	c->alg = alg;
	c->libctx = ((struct oc_provider *)provctx)->inner;
	c->pad = !is_ctr(c);
	return c;
}

static void
cipher_free(void *vctx)
{
	struct cipher *c = vctx;

	if (c == NULL)
		return;
	oc_session_free(&c->session);
	EVP_CIPHER_CTX_free(c->inner);
	OPENSSL_clear_free(c, sizeof(*c));
}

static void *
cipher_dup(void *vctx)
{
	struct cipher *from = vctx;
	struct cipher *c = OPENSSL_memdup(from, sizeof(*from));

	if (c == NULL)
		return NULL;
	memset(&c->session, 0, sizeof(c->session));
	if (c->inner != NULL) {
		c->inner = EVP_CIPHER_CTX_new();
		if (c->inner == NULL || EVP_CIPHER_CTX_copy(c->inner, from->inner) != 1) {
			cipher_free(c);
			return NULL;
		}
	}
	return c;
}

/* Adds a number of blocks to a counter. */
static void
counter_add(uint8_t *counter, size_t blocks)
{
	for (int i = OC_BLOCK - 1; i >= 0 && blocks != 0; i--) {
		blocks += counter[i];
		counter[i] = (uint8_t)blocks;
		blocks >>= 8;
	}
}

/* Brings the inner context to where the text is. */
static bool
inner_prepare(struct cipher *c)
{
	uint8_t skip[OC_BLOCK] = { 0 };
	int len;

	if (c->inner == NULL && (c->inner = EVP_CIPHER_CTX_new()) == NULL)
		return false;
	if (!c->inner_keyed) {
		if (EVP_CipherInit_ex2(c->inner, oc_inner_ciphers[c->alg], c->key, c->iv, c->enc,
				    NULL) != 1)
			return false;
		EVP_CIPHER_CTX_set_padding(c->inner, 0);
	} else if (c->inner_behind) {
		if (EVP_CipherInit_ex2(c->inner, NULL, NULL, c->iv, c->enc, NULL) != 1)
			return false;
	} else {
		return true;
	}
	c->inner_keyed = true;
	c->inner_behind = false;
	return c->used == 0 || EVP_CipherUpdate(c->inner, skip, &len, skip, c->used) == 1;
}

static bool
inner_do(struct cipher *c, uint8_t *out, const uint8_t *in, size_t len)
{
	int done;

	return inner_prepare(c) && EVP_CipherUpdate(c->inner, out, &done, in, len) == 1 &&
			(size_t)done == len;
}

static bool
device_do(struct cipher *c, uint8_t *out, const uint8_t *in, size_t len)
{
	const struct oc_request r = {
		.alg = c->alg,
		.session = &c->session,
		.key = c->key,
		.enc = c->enc,
		.iv = c->iv,
		.in = in,
		.out = out,
		.len = len,
	};

	if (oc_run(&r) != OC_DONE)
		return false;
	c->inner_behind = true;
	return true;
}

/* Works on whole blocks of CBC. */
static bool
cbc_blocks(struct cipher *c, uint8_t *out, const uint8_t *in, size_t len)
{
	uint8_t last[OC_BLOCK];

	for (size_t nb; len != 0; out += nb, in += nb, len -= nb) {
		nb = len < OC_DATA_MAX ? len : OC_DATA_MAX;
		memcpy(last, in + nb - OC_BLOCK, OC_BLOCK);
		if (!device_do(c, out, in, nb) && !inner_do(c, out, in, nb))
			return false;
		memcpy(c->iv, c->enc ? out + nb - OC_BLOCK : last, OC_BLOCK);
	}
	return true;
}

/* True if a device that counts in 32 bits would count as OpenSSL does. */
static bool
counter_fits(const uint8_t *iv, size_t len)
{
	uint32_t low = (uint32_t)iv[12] << 24 | iv[13] << 16 | iv[14] << 8 | iv[15];

	return low + (len + OC_BLOCK - 1) / OC_BLOCK <= UINT32_MAX;
}

/* Works on any length of CTR. Counters and key stream go on in the middle of a block. */
static bool
ctr_bytes(struct cipher *c, uint8_t *out, const uint8_t *in, size_t len)
{
	for (size_t nb; len != 0; out += nb, in += nb, len -= nb) {
		bool done = false;

		nb = len < OC_DATA_MAX ? len : OC_DATA_MAX;
		if (c->used != 0 && nb > OC_BLOCK - c->used)
			nb = OC_BLOCK - c->used;
		else if (c->used == 0 && !counter_fits(c->iv, nb))
			oc_count_fallback(c->alg, OC_UNSUPPORTED);
		else if (c->used == 0)
			done = device_do(c, out, in, nb);
		if (!done && !inner_do(c, out, in, nb))
			return false;
		c->used += nb;
		counter_add(c->iv, c->used / OC_BLOCK);
		c->used %= OC_BLOCK;
	}
	return true;
}

static int
cipher_set_params(void *vctx, const OSSL_PARAM params[])
{
	struct cipher *c = vctx;
	const OSSL_PARAM *p;
	unsigned int value;
	size_t len;

	if (params == NULL)
		return 1;
	if ((p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_PADDING)) != NULL) {
		if (!OSSL_PARAM_get_uint(p, &value))
			goto bad;
		c->pad = value != 0 && !is_ctr(c);
	}
	if ((p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_NUM)) != NULL) {
		if (!OSSL_PARAM_get_uint(p, &value) || value >= OC_BLOCK)
			goto bad;
		c->used = is_ctr(c) ? value : 0;
		c->inner_behind = true;
	}
	if ((p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_TLS_VERSION)) != NULL &&
			!OSSL_PARAM_get_uint(p, &c->tls_version))
		goto bad;
	if ((p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_TLS_MAC_SIZE)) != NULL &&
			!OSSL_PARAM_get_size_t(p, &c->tls_mac_size))
		goto bad;
	if ((p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_KEYLEN)) != NULL &&
			(!OSSL_PARAM_get_size_t(p, &len) || len != oc_algs[c->alg].key_len)) {
		ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_KEY_LENGTH);
		return 0;
	}
	if (c->tls_version != 0 && !c->enc) {
		/* The default provider takes padding off a record only where padding is on. */
		if (!inner_prepare(c) || EVP_CIPHER_CTX_set_padding(c->inner, 1) != 1 ||
				EVP_CIPHER_CTX_set_params(c->inner, params) != 1)
			return 0;
	}
	return 1;
bad:
	ERR_raise(ERR_LIB_PROV, PROV_R_FAILED_TO_GET_PARAMETER);
	return 0;
}

static int
cipher_get_params(void *vctx, OSSL_PARAM params[])
{
	struct cipher *c = vctx;
	const struct oc_alg *a = &oc_algs[c->alg];
	OSSL_PARAM *p;

	if ((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_TLS_MAC)) != NULL &&
			c->inner != NULL && EVP_CIPHER_CTX_get_params(c->inner, p) != 1)
		return 0;
	if (((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_IVLEN)) != NULL &&
			    !OSSL_PARAM_set_size_t(p, a->iv_len)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_KEYLEN)) != NULL &&
					!OSSL_PARAM_set_size_t(p, a->key_len)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_PADDING)) != NULL &&
					!OSSL_PARAM_set_uint(p, c->pad)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_NUM)) != NULL &&
					!OSSL_PARAM_set_uint(p, c->used)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_IV)) != NULL &&
					!OSSL_PARAM_set_octet_ptr(p, c->first_iv, OC_BLOCK) &&
					!OSSL_PARAM_set_octet_string(p, c->first_iv, OC_BLOCK)) ||
			((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_UPDATED_IV)) != NULL &&
					!OSSL_PARAM_set_octet_ptr(p, c->iv, OC_BLOCK) &&
					!OSSL_PARAM_set_octet_string(p, c->iv, OC_BLOCK))) {
		ERR_raise(ERR_LIB_PROV, PROV_R_FAILED_TO_SET_PARAMETER);
		return 0;
	}
	return 1;
}

static int
cipher_init(struct cipher *c, bool enc, const unsigned char *key, size_t key_len,
		const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[])
{
	if (key != NULL && key_len != oc_algs[c->alg].key_len) {
		ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_KEY_LENGTH);
		return 0;
	}
	if (iv != NULL && iv_len != OC_BLOCK) {
		ERR_raise(ERR_LIB_PROV, PROV_R_INVALID_IV_LENGTH);
		return 0;
	}
	if (enc != c->enc)
		c->inner_keyed = false;
	if (c->tls_version != 0) {
		EVP_CIPHER_CTX_free(c->inner);
		c->inner = NULL;
		c->inner_keyed = false;
	}
	c->enc = enc;
	c->buffered = 0;
	c->used = 0;
	c->tls_version = 0;
	c->inner_behind = true;
	if (key != NULL) {
		memcpy(c->key, key, key_len);
		oc_session_free(&c->session);
		c->inner_keyed = false;
		c->keyed = true;
	}
	if (iv != NULL) {
		memcpy(c->first_iv, iv, OC_BLOCK);
		c->iv_set = true;
	}
	memcpy(c->iv, c->first_iv, OC_BLOCK);
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

/* Encrypts a record of TLS with its padding, or has the default provider take it apart in constant
 * time.
 */
static int
cbc_record(struct cipher *c, unsigned char *out, size_t *outl, size_t outsize,
		const unsigned char *in, size_t inl)
{
	size_t pad = OC_BLOCK - inl % OC_BLOCK;
	int len = 0;

	if (!c->enc) {
		oc_count_fallback(c->alg, OC_TLS_CBC);
		if (!inner_prepare(c) || EVP_CipherUpdate(c->inner, out, &len, in, inl) != 1)
			return 0;
		*outl = len;
		return 1;
	}
	if (in != out || outsize < inl + pad) {
		ERR_raise(ERR_LIB_PROV, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
		return 0;
	}
	memset(out + inl, (int)pad - 1, pad);
	*outl = inl + pad;
	return cbc_blocks(c, out, in, inl + pad);
}

/* Works on what is whole blocks by now. When padding is to be taken off, the last block waits. */
static int
cbc_update(struct cipher *c, unsigned char *out, size_t *outl, size_t outsize,
		const unsigned char *in, size_t inl)
{
	bool hold = !c->enc && c->pad;
	size_t total = c->buffered + inl, nb, whole = total - total % OC_BLOCK;

	if (hold && whole == total && whole != 0)
		whole -= OC_BLOCK;
	if (outsize < whole) {
		ERR_raise(ERR_LIB_PROV, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
		return 0;
	}
	*outl = whole;
	if (c->buffered != 0) {
		nb = OC_BLOCK - c->buffered < inl ? OC_BLOCK - c->buffered : inl;
		memcpy(c->buffer + c->buffered, in, nb);
		c->buffered += nb;
		in += nb;
		inl -= nb;
		if (whole != 0) {
			if (!cbc_blocks(c, out, c->buffer, OC_BLOCK))
				return 0;
			c->buffered = 0;
			out += OC_BLOCK;
			whole -= OC_BLOCK;
		}
	}
	if (whole != 0 && !cbc_blocks(c, out, in, whole))
		return 0;
	if (inl != whole) {
		memcpy(c->buffer + c->buffered, in + whole, inl - whole);
		c->buffered += inl - whole;
	}
	return 1;
}

static int
cipher_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	struct cipher *c = vctx;

	if (!c->keyed) {
		ERR_raise(ERR_LIB_PROV, PROV_R_NO_KEY_SET);
		return 0;
	}
	if (c->tls_version != 0)
		return cbc_record(c, out, outl, outsize, in, inl);
	if (!is_ctr(c))
		return cbc_update(c, out, outl, outsize, in, inl);
	if (outsize < inl) {
		ERR_raise(ERR_LIB_PROV, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
		return 0;
	}
	*outl = inl;
	return ctr_bytes(c, out, in, inl);
}

static int
unpad(struct cipher *c, unsigned char *out, size_t *outl, size_t outsize)
{
	uint8_t pad = c->buffer[OC_BLOCK - 1];

	c->buffered = 0;
	if (pad == 0 || pad > OC_BLOCK)
		goto bad;
	for (int i = OC_BLOCK - pad; i < OC_BLOCK; i++)
		if (c->buffer[i] != pad)
			goto bad;
	*outl = OC_BLOCK - pad;
	if (outsize < *outl) {
		ERR_raise(ERR_LIB_PROV, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
		return 0;
	}
	memcpy(out, c->buffer, *outl);
	return 1;
bad:
	ERR_raise(ERR_LIB_PROV, PROV_R_BAD_DECRYPT);
	return 0;
}

static int
cipher_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
	struct cipher *c = vctx;

	*outl = 0;
	if (!c->keyed) {
		ERR_raise(ERR_LIB_PROV, PROV_R_NO_KEY_SET);
		return 0;
	}
	if (is_ctr(c) || c->tls_version != 0)
		return 1;
	if (!c->pad && c->buffered == 0)
		return 1;
	if (c->pad && c->enc) {
		if (outsize < OC_BLOCK) {
			ERR_raise(ERR_LIB_PROV, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
			return 0;
		}
		memset(c->buffer + c->buffered, (int)(OC_BLOCK - c->buffered),
				OC_BLOCK - c->buffered);
		c->buffered = 0;
		*outl = OC_BLOCK;
		return cbc_blocks(c, out, c->buffer, OC_BLOCK);
	}
	if (!c->pad || c->buffered != OC_BLOCK) {
		ERR_raise(ERR_LIB_PROV, PROV_R_WRONG_FINAL_BLOCK_LENGTH);
		return 0;
	}
	if (!cbc_blocks(c, c->buffer, c->buffer, OC_BLOCK))
		return 0;
	return unpad(c, out, outl, outsize);
}

/* Works on a text without buffers or padding. */
static int
cipher_whole(void *vctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in,
		size_t inl)
{
	struct cipher *c = vctx;

	if (!c->keyed) {
		ERR_raise(ERR_LIB_PROV, PROV_R_NO_KEY_SET);
		return 0;
	}
	if (outsize < inl || (!is_ctr(c) && inl % OC_BLOCK != 0)) {
		ERR_raise(ERR_LIB_PROV, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
		return 0;
	}
	*outl = inl;
	return is_ctr(c) ? ctr_bytes(c, out, in, inl) : cbc_blocks(c, out, in, inl);
}

static const OSSL_PARAM *
cipher_gettable(void *cctx, void *provctx)
{
	static const OSSL_PARAM params[] = {
		OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
		OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
		OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
		OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
		OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
		OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
		OSSL_PARAM_octet_ptr(OSSL_CIPHER_PARAM_TLS_MAC, NULL, 0),
		OSSL_PARAM_END,
	};

	(void)cctx;
	(void)provctx;
	return params;
}

static const OSSL_PARAM *
cipher_settable(void *cctx, void *provctx)
{
	static const OSSL_PARAM params[] = {
		OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
		OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
		OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
		OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS_VERSION, NULL),
		OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, NULL),
		OSSL_PARAM_END,
	};

	(void)cctx;
	(void)provctx;
	return params;
}

OC_CIPHER(cipher, OC_AES_128_CBC);
OC_CIPHER(cipher, OC_AES_192_CBC);
OC_CIPHER(cipher, OC_AES_256_CBC);
OC_CIPHER(cipher, OC_AES_128_CTR);
OC_CIPHER(cipher, OC_AES_192_CTR);
OC_CIPHER(cipher, OC_AES_256_CTR);
