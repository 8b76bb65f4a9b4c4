/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Connections of TLS with the provider on one side and OpenSSL's default provider on the other, in
 * memory: TLS 1.2 and 1.3, certificates of RSA and ECDSA, several groups. Every connection has to
 * come about and to carry its data, whatever the device does. Prints TAP.
 *
 * ossl-handshakes-test device|faults [SEED [CONNECTIONS]]: `device` expects that the device did
 * operations of every kind with keys. `faults` expects that it did some and failed in others: it
 * rests for a second at a time, and may rest whenever there is one of a kind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "harness.h"

#define CERTIFICATES 2
#define DATA 3000

/* The first group is taken. TLS 1.2 also wants that of the certificate in the list. */
static const char *const groups[] = { "P-256", "P-384:P-256", "P-521:P-256", "X25519:P-256" };

static const char *const kinds_of_keys[] = { "RSA-sign", "RSA-verify", "ECDSA-sign", "ECDSA-verify",
	"ECDH" };

/* A certificate and its key for each side. */
static struct {
	EVP_PKEY *hw;
	EVP_PKEY *sw;
	X509 *hw_certificate;
	X509 *sw_certificate;
} identities[CERTIFICATES];

/* Brings a certificate to another library context. */
static X509 *
certificate_for(OSSL_LIB_CTX *lib, const unsigned char *der, long len)
{
	X509 *certificate = X509_new_ex(lib, NULL);

	return d2i_X509(&certificate, &der, len);
}

/* Makes a key and a certificate that the key itself signs, with our provider. */
static bool
make_identity(int i)
{
	EVP_PKEY *key = i == 0 ? EVP_PKEY_Q_keygen(hw_ctx, NULL, "RSA", (size_t)2048)
			       : EVP_PKEY_Q_keygen(hw_ctx, NULL, "EC", "P-256");
	X509 *x = key != NULL ? X509_new_ex(hw_ctx, NULL) : NULL;
	unsigned char *der = NULL, *key_der = NULL;
	const unsigned char *p;
	int len, key_len;
	bool ok;

	if (x == NULL)
		return false;
	ASN1_INTEGER_set(X509_get_serialNumber(x), i + 1);
	X509_gmtime_adj(X509_getm_notBefore(x), -86400);
	X509_gmtime_adj(X509_getm_notAfter(x), 86400);
	X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
			(const unsigned char *)(i == 0 ? "rsa" : "ec"), -1, -1, 0);
	X509_set_issuer_name(x, X509_get_subject_name(x));
	ok = X509_set_pubkey(x, key) == 1 && X509_sign(x, key, EVP_sha256()) > 0;
	len = i2d_X509(x, &der);
	key_len = i2d_PrivateKey(key, &key_der);
	p = key_der;
	identities[i].hw = key;
	identities[i].sw = d2i_AutoPrivateKey_ex(NULL, &p, key_len, sw_ctx, NULL);
	identities[i].hw_certificate = certificate_for(hw_ctx, der, len);
	identities[i].sw_certificate = certificate_for(sw_ctx, der, len);
	ok = ok && identities[i].sw != NULL && identities[i].hw_certificate != NULL &&
			identities[i].sw_certificate != NULL;
	X509_free(x);
	OPENSSL_free(der);
	OPENSSL_clear_free(key_der, key_len > 0 ? key_len : 0);
	return ok;
}

static SSL_CTX *
make_context(OSSL_LIB_CTX *lib, int identity, bool server, int version, const char *group)
{
	SSL_CTX *ctx = SSL_CTX_new_ex(
			lib, NULL, server ? TLS_server_method() : TLS_client_method());
	bool hw = lib == hw_ctx;
	X509 *certificate = hw ? identities[identity].hw_certificate
			       : identities[identity].sw_certificate;
	bool ok = SSL_CTX_set_min_proto_version(ctx, version) == 1 &&
			SSL_CTX_set_max_proto_version(ctx, version) == 1 &&
			SSL_CTX_set1_groups_list(ctx, group) == 1;

	SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
	if (server) {
		ok = ok && SSL_CTX_use_certificate(ctx, certificate) == 1 &&
				SSL_CTX_use_PrivateKey(ctx,
						hw ? identities[identity].hw
						   : identities[identity].sw) == 1 &&
				SSL_CTX_check_private_key(ctx) == 1;
	} else {
		SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
		ok = ok && X509_STORE_add_cert(SSL_CTX_get_cert_store(ctx), certificate) == 1;
	}
	if (ok)
		return ctx;
	SSL_CTX_free(ctx);
	return NULL;
}

/* Sends data from one side to the other. What succeeds leaves no error behind, which
 * SSL_get_error() would find at the next call.
 */
static bool
carry(SSL *from, SSL *to, unsigned int *seed)
{
	uint8_t text[DATA], back[DATA];
	int len = 1 + (int)draw(seed, DATA), got = 0;

	ERR_clear_error();
	draw_bytes(seed, text, len);
	if (SSL_write(from, text, len) != len)
		return false;
	while (got < len) {
		int nb = SSL_read(to, back + got, len - got);

		if (nb <= 0)
			return false;
		got += nb;
	}
	if (ERR_peek_error() != 0) {
		ERR_print_errors_fp(stdout);
		return false;
	}
	return memcmp(text, back, len) == 0;
}

static bool
connect_both(SSL *client, SSL *server)
{
	for (int i = 0; i < 20; i++) {
		int c = SSL_do_handshake(client), s = SSL_do_handshake(server);

		if (c == 1 && s == 1)
			return true;
		if ((c != 1 && SSL_get_error(client, c) != SSL_ERROR_WANT_READ) ||
				(s != 1 && SSL_get_error(server, s) != SSL_ERROR_WANT_READ))
			return false;
	}
	return false;
}

/* Makes a connection in memory and sends data both ways. */
static bool
connection(SSL_CTX *client_ctx, SSL_CTX *server_ctx, unsigned int *seed)
{
	SSL *client = SSL_new(client_ctx), *server = SSL_new(server_ctx);
	BIO *one = NULL, *other = NULL;
	bool ok = BIO_new_bio_pair(&one, 32768, &other, 32768) == 1;

	SSL_set_bio(client, one, one);
	SSL_set_bio(server, other, other);
	SSL_set_connect_state(client);
	SSL_set_accept_state(server);
	ok = ok && connect_both(client, server) && carry(client, server, seed) &&
			carry(server, client, seed) && SSL_get_verify_result(client) == X509_V_OK;
	SSL_free(client);
	SSL_free(server);
	return ok;
}

/* Makes a number of connections of one kind. */
static bool
several(unsigned int kind, int nb, unsigned int *seed)
{
	bool ours = kind % 2 == 0; /* the provider is in the server */
	int identity = kind / 2 % CERTIFICATES;
	int version = kind / 4 % 2 == 0 ? TLS1_2_VERSION : TLS1_3_VERSION;
	const char *group = groups[kind / 8];
	SSL_CTX *server = make_context(ours ? hw_ctx : sw_ctx, identity, true, version, group);
	SSL_CTX *client = make_context(ours ? sw_ctx : hw_ctx, identity, false, version, group);
	bool ok = server != NULL && client != NULL;

	for (int i = 0; i < nb && ok; i++)
		ok = connection(client, server, seed);
	if (!ok)
		printf("# kind %u: the provider in the %s, %s, TLS 1.%d, %s\n", kind,
				ours ? "server" : "client", identity == 0 ? "RSA" : "ECDSA",
				version == TLS1_2_VERSION ? 2 : 3, group);
	SSL_CTX_free(server);
	SSL_CTX_free(client);
	return ok;
}

int
main(int argc, char **argv)
{
	unsigned int seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	int nb = argc > 3 ? atoi(argv[3]) : 320, kinds = 8 * 4;
	bool faults = argc > 1 && strcmp(argv[1], "faults") == 0, ok;

	printf("# seed %u\n", seed);
	if (!start()) {
		check(false, "the provider loads");
		return end();
	}
	ok = make_identity(0) && make_identity(1);
	check(ok, "keys and certificates");
	for (int kind = 0; kind < kinds && ok; kind++)
		ok = several(kind, nb / kinds, &seed);
	check(ok, "connections");
	for (int i = 0; i < CERTIFICATES; i++) {
		EVP_PKEY_free(identities[i].hw);
		EVP_PKEY_free(identities[i].sw);
		X509_free(identities[i].hw_certificate);
		X509_free(identities[i].sw_certificate);
	}
	for (size_t i = 0; i < sizeof(kinds_of_keys) / sizeof(kinds_of_keys[0]) && !faults; i++)
		check(counter(kinds_of_keys[i], " operations=") > 0, kinds_of_keys[i]);
	if (faults) {
		check(counter(NULL, " operations=") > 0, "the device did some operations");
		check(counter(NULL, " failed=") + counter(NULL, " lost=") > 0,
				"the device failed in others");
	}
	return end();
}
