/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The loops of `openssl speed`: see pk_bare.h.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pk_bare.h"

struct bare {
	enum bare_what what;
	EVP_PKEY_CTX *ctx; /* NULL: `md` does it */
	EVP_MD_CTX *md; /* Ed25519 */
	uint8_t message[BARE_MESSAGE];
	uint8_t out[512];
	size_t len; /* of out */
};

static void
need(int ok)
{
	if (ok <= 0)
		abort();
}

/* Newer versions of OpenSSL refuse a second signature or verification with a context, and take it
 * after a start without a key, which keeps the one that is there. */
static void
start_again(struct bare *b, int (*init)(EVP_MD_CTX *, EVP_PKEY_CTX **, const EVP_MD *, ENGINE *,
					EVP_PKEY *))
{
#if OPENSSL_VERSION_PREREQ(3, 4)
	need(init(b->md, NULL, NULL, NULL, NULL));
#else
	(void)b;
	(void)init;
#endif
}

static void
sign(struct bare *b)
{
	b->len = sizeof(b->out);
	if (b->md != NULL) {
		start_again(b, EVP_DigestSignInit);
		need(EVP_DigestSign(b->md, b->out, &b->len, b->message, BARE_MESSAGE));
	} else {
		need(EVP_PKEY_sign(b->ctx, b->out, &b->len, b->message, BARE_MESSAGE));
	}
}

/* `openssl speed` prepares the context of EdDSA once, and a key for verifying apart from that for
 * signing. */
static void
prepare_md(struct bare *b, EVP_PKEY *key)
{
	EVP_MD_CTX_free(b->md);
	b->md = EVP_MD_CTX_new();
	need(b->md != NULL);
	need(b->what == BARE_VERIFY && b->len != 0 ?
		     EVP_DigestVerifyInit(b->md, NULL, NULL, NULL, key) :
		     EVP_DigestSignInit(b->md, NULL, NULL, NULL, key));
}

struct bare *
bare_new(EVP_PKEY *key, EVP_PKEY *peer, enum bare_what what)
{
	struct bare *b = calloc(1, sizeof(*b));

	need(b != NULL);
	b->what = what;
	strcpy((char *)b->message, "a message of some bytes, signed");
	if (EVP_PKEY_is_a(key, "ED25519")) {
		prepare_md(b, key);
		sign(b);
		prepare_md(b, key);
		return b;
	}
	b->ctx = EVP_PKEY_CTX_new(key, NULL);
	need(b->ctx != NULL);
	if (what == BARE_DERIVE) {
		need(EVP_PKEY_derive_init(b->ctx));
		need(EVP_PKEY_derive_set_peer(b->ctx, peer));
		return b;
	}
	need(EVP_PKEY_sign_init(b->ctx));
	sign(b);
	if (what == BARE_VERIFY)
		need(EVP_PKEY_verify_init(b->ctx));
	return b;
}

void
bare_run(struct bare *b)
{
	size_t len = sizeof(b->out);

	switch (b->what) {
	case BARE_SIGN:
		sign(b);
		break;
	case BARE_VERIFY:
		if (b->md != NULL) {
			start_again(b, EVP_DigestVerifyInit);
			need(EVP_DigestVerify(b->md, b->out, b->len, b->message, BARE_MESSAGE));
		} else {
			need(EVP_PKEY_verify(b->ctx, b->out, b->len, b->message, BARE_MESSAGE));
		}
		break;
	case BARE_DERIVE:
		need(EVP_PKEY_derive(b->ctx, b->out, &len));
		break;
	}
}

void
bare_free(struct bare *b)
{
	EVP_PKEY_CTX_free(b->ctx);
	EVP_MD_CTX_free(b->md);
	free(b);
}
