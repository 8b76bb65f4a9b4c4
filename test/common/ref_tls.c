/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The other end of TLS connections: see ref_tls.h.
 */
#include <stdio.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/kdf.h>
#include <openssl/x509.h>

#include "ref_tls.h"

#define MASTER_LEN 48u
#define RANDOM_LEN 32u
#define SECRET_MAX 48u

static void
keep_log(const SSL *ssl, const char *line)
{
	struct ref_tls *tls = SSL_get_ex_data(ssl, 0);
	const size_t used = strlen(tls->log);

	snprintf(tls->log + used, sizeof(tls->log) - used, "%s\n", line);
}

/* Finds a secret in the log: "LABEL random secret". Returns its bytes. */
static size_t
logged(const struct ref_tls *tls, const char *label, uint8_t *secret)
{
	const char *at = strstr(tls->log, label);
	unsigned int byte;
	size_t n = 0;

	if (at == NULL)
		return 0;
	at = strchr(at + strlen(label) + 1, ' ') + 1;
	for (; n < SECRET_MAX && *at != '\n' && sscanf(at, "%2x", &byte) == 1; at += 2)
		secret[n++] = (uint8_t)byte;
	return n;
}

static bool
derive(const char *kdf_name, OSSL_PARAM *params, uint8_t *out, size_t len)
{
	EVP_KDF *kdf = EVP_KDF_fetch(NULL, kdf_name, NULL);
	EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
	const bool ok = EVP_KDF_derive(ctx, out, len, params) == 1;

	EVP_KDF_CTX_free(ctx);
	EVP_KDF_free(kdf);
	return ok;
}

/* The hash of the PRF. TLS 1.2 has SHA-256 where earlier versions had MD5 and SHA-1. */
static const char *
hash_of(const struct ref_tls *tls)
{
	const EVP_MD *md = SSL_CIPHER_get_handshake_digest(SSL_get_current_cipher(tls->client));

	return EVP_MD_is_a(md, "MD5-SHA1") ? "SHA2-256" : EVP_MD_get0_name(md);
}

/* The key block of RFC 5246, 6.3. The first record of each direction was Finished. */
static bool
keys_tls12(struct ref_tls *tls, const struct ref_tls_suite *suite)
{
	uint8_t secret[SECRET_MAX], seed[2 * RANDOM_LEN], block[2 * (48 + 32 + 12)];
	const uint8_t *at = block;
	char hash[16] = { 0 };
	char label[] = "key expansion";
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, hash, 0),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, secret, MASTER_LEN),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, label, strlen(label)),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, seed, sizeof(seed)),
		OSSL_PARAM_construct_end(),
	};

	strncpy(hash, hash_of(tls), sizeof(hash) - 1);
	SSL_get_server_random(tls->client, seed, RANDOM_LEN);
	SSL_get_client_random(tls->client, seed + RANDOM_LEN, RANDOM_LEN);
	if (logged(tls, "CLIENT_RANDOM", secret) != MASTER_LEN ||
	    !derive("TLS1-PRF", params, block, 2 * (suite->mac_key + suite->key + suite->fixed_iv)))
		return false;
	memcpy(tls->to_server.mac_key, at, suite->mac_key);
	memcpy(tls->to_client.mac_key, at += suite->mac_key, suite->mac_key);
	memcpy(tls->to_server.key, at += suite->mac_key, suite->key);
	memcpy(tls->to_client.key, at += suite->key, suite->key);
	memcpy(tls->to_server.fixed_iv, at += suite->key, suite->fixed_iv);
	memcpy(tls->to_client.fixed_iv, at += suite->fixed_iv, suite->fixed_iv);
	tls->to_server.number = 1;
	tls->to_client.number = 1;
	return true;
}

/* HKDF-Expand-Label of RFC 8446, 7.1, with an empty context. */
static bool
expand(const struct ref_tls *tls, uint8_t *secret, size_t secret_len, const char *label,
       uint8_t *out, size_t len)
{
	uint8_t info[32] = { (uint8_t)(len >> 8), (uint8_t)len, (uint8_t)(6 + strlen(label)) };
	int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
	char hash[16] = { 0 };
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
		OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, hash, 0),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, secret, secret_len),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info,
						  3 + 6 + strlen(label) + 1),
		OSSL_PARAM_construct_end(),
	};

	memcpy(info + 3, "tls13 ", 6);
	memcpy(info + 9, label, strlen(label));
	strncpy(hash, hash_of(tls), sizeof(hash) - 1);
	return derive("HKDF", params, out, len);
}

static bool
keys_tls13(const struct ref_tls *tls, const struct ref_tls_suite *suite, const char *label,
	   struct ref_tls_keys *keys)
{
	uint8_t secret[SECRET_MAX];
	const size_t len = logged(tls, label, secret);

	keys->number = 0;
	return len > 0 && expand(tls, secret, len, "key", keys->key, suite->key) &&
	       expand(tls, secret, len, "iv", keys->fixed_iv, suite->fixed_iv);
}

/* A key and a certificate of the server, which signs itself. */
static bool
use_certificate(SSL_CTX *ctx)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *cert = X509_new();
	bool ok = key != NULL && cert != NULL && X509_set_version(cert, 2) == 1 &&
		  X509_gmtime_adj(X509_getm_notBefore(cert), 0) != NULL &&
		  X509_gmtime_adj(X509_getm_notAfter(cert), 3600) != NULL &&
		  X509_set_pubkey(cert, key) == 1 && X509_sign(cert, key, EVP_sha256()) > 0 &&
		  SSL_CTX_use_certificate(ctx, cert) == 1 && SSL_CTX_use_PrivateKey(ctx, key) == 1;

	X509_free(cert);
	EVP_PKEY_free(key);
	return ok;
}

static SSL_CTX *
make_ctx(const struct ref_tls_suite *suite)
{
	const bool dtls = suite->version == REF_DTLS12;
	const int version = dtls			     ? DTLS1_2_VERSION :
			    suite->version == REF_TLS13 ? TLS1_3_VERSION :
							  TLS1_2_VERSION;
	SSL_CTX *ctx = SSL_CTX_new(dtls ? DTLS_method() : TLS_method());

	if (ctx == NULL)
		return NULL;
	SSL_CTX_set_security_level(ctx, 0);
	SSL_CTX_set_options(ctx, SSL_OP_NO_ENCRYPT_THEN_MAC | SSL_OP_NO_TICKET |
					 SSL_OP_NO_QUERY_MTU);
	SSL_CTX_set_min_proto_version(ctx, version);
	SSL_CTX_set_max_proto_version(ctx, version);
	SSL_CTX_set_num_tickets(ctx, 0);
	SSL_CTX_set_keylog_callback(ctx, keep_log);
	if ((suite->version == REF_TLS13 ? SSL_CTX_set_ciphersuites(ctx, suite->name) :
					   SSL_CTX_set_cipher_list(ctx, suite->name)) != 1) {
		SSL_CTX_free(ctx);
		return NULL;
	}
	return ctx;
}

static SSL *
make_end(struct ref_tls *tls, unsigned int which)
{
	SSL *ssl = SSL_new(tls->ctx[which]);
	BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());

	SSL_set_ex_data(ssl, 0, which == 0 ? tls : NULL);
	BIO_set_mem_eof_return(in, -1);
	BIO_set_mem_eof_return(out, -1);
	SSL_set_bio(ssl, in, out);
	SSL_set_mtu(ssl, 4096); /* DTLS */
	return ssl;
}

/* Moves what one end has written to the other end. */
static void
move(SSL *from, SSL *to)
{
	char bytes[4096];
	int n;

	while ((n = BIO_read(SSL_get_wbio(from), bytes, sizeof(bytes))) > 0)
		BIO_write(SSL_get_rbio(to), bytes, n);
}

static bool
handshake(struct ref_tls *tls)
{
	for (unsigned int i = 0; i < 20; i++) {
		const int client = SSL_do_handshake(tls->client);
		int server;

		move(tls->client, tls->server);
		server = SSL_do_handshake(tls->server);
		move(tls->server, tls->client);
		if (client == 1 && server == 1)
			return true;
	}
	return false;
}

bool
ref_tls_connect(struct ref_tls *tls, const struct ref_tls_suite *suite)
{
	memset(tls, 0, sizeof(*tls));
	tls->ctx[0] = make_ctx(suite);
	tls->ctx[1] = make_ctx(suite);
	if (tls->ctx[0] == NULL || tls->ctx[1] == NULL || !use_certificate(tls->ctx[1]))
		return false;
	SSL_CTX_set_keylog_callback(tls->ctx[1], NULL); /* one end's log is enough */
	tls->client = make_end(tls, 0);
	tls->server = make_end(tls, 1);
	SSL_set_connect_state(tls->client);
	SSL_set_accept_state(tls->server);
	if (!handshake(tls))
		return false;
	if (suite->version != REF_TLS13)
		return keys_tls12(tls, suite);
	return keys_tls13(tls, suite, "CLIENT_TRAFFIC_SECRET_0", &tls->to_server) &&
	       keys_tls13(tls, suite, "SERVER_TRAFFIC_SECRET_0", &tls->to_client);
}

void
ref_tls_close(struct ref_tls *tls)
{
	SSL_free(tls->client);
	SSL_free(tls->server);
	SSL_CTX_free(tls->ctx[0]);
	SSL_CTX_free(tls->ctx[1]);
	ERR_clear_error();
}

static size_t
take(SSL *from, void *record, size_t room)
{
	const int n = BIO_read(SSL_get_wbio(from), record, (int)room);

	return n > 0 ? (size_t)n : 0;
}

size_t
ref_tls_send(SSL *from, const void *data, size_t len, void *record, size_t room)
{
	return SSL_write(from, data, (int)len) == (int)len ? take(from, record, room) : 0;
}

size_t
ref_tls_send_close(SSL *from, void *record, size_t room)
{
	SSL_shutdown(from);
	return take(from, record, room);
}

int
ref_tls_receive(SSL *to, const void *record, size_t len, void *data, size_t room)
{
	int n;

	ERR_clear_error();
	BIO_write(SSL_get_rbio(to), record, (int)len);
	n = SSL_read(to, data, (int)room);
	if (n > 0)
		return n;
	switch (SSL_get_error(to, n)) {
	case SSL_ERROR_ZERO_RETURN:
		return 0;
	case SSL_ERROR_WANT_READ: /* DTLS drops records without a word */
		return SSL_is_dtls(to) ? -2 : -1;
	case SSL_ERROR_SYSCALL: /* what DTLS makes of an empty record */
		return ERR_peek_error() == 0 && n == 0 ? -1 : -2;
	default:
		return -2;
	}
}
