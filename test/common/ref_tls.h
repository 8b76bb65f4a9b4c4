/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the other end of TLS connections for the tests: two ends of OpenSSL's libssl that have
 * finished a handshake in memory, with the keys of both directions. What one end sends comes out as
 * a record, and what goes in as a record is what the other end reads.
 */
#ifndef REF_TLS_H
#define REF_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/ssl.h>

enum ref_tls_version { REF_TLS12, REF_TLS13, REF_DTLS12 };

/* What one direction needs, from the key block (RFC 5246, 6.3) or a traffic secret (RFC 8446, 7.3).
 */
struct ref_tls_keys {
	uint8_t mac_key[48];
	uint8_t key[32];
	uint8_t fixed_iv[12];
	uint64_t number; /* of the next record */
};

/* A cipher suite, by OpenSSL's name, and the lengths of its keys in bytes. */
struct ref_tls_suite {
	enum ref_tls_version version;
	const char *name;
	uint32_t mac_key;
	uint32_t key;
	uint32_t fixed_iv;
};

struct ref_tls {
	SSL_CTX *ctx[2];
	SSL *client;
	SSL *server;
	char log[2048]; /* lines of SSL_CTX_set_keylog_callback() */
	struct ref_tls_keys to_server;
	struct ref_tls_keys to_client;
};

/** Connects two ends. False if OpenSSL refuses. The connection is to be closed in any case. */
bool ref_tls_connect(struct ref_tls *tls, const struct ref_tls_suite *suite);
void ref_tls_close(struct ref_tls *tls);

/** Lets an end send application data. Returns the bytes of the record, 0 if it fails. */
size_t ref_tls_send(SSL *from, const void *data, size_t len, void *record, size_t room);

/** Lets an end send the alert close_notify. */
size_t ref_tls_send_close(SSL *from, void *record, size_t room);

/**
 * Gives an end a record and reads.
 *
 * @return bytes of application data; 0 at close_notify; -1 if there are none (an empty record); -2
 *   if it refuses the record.
 */
int ref_tls_receive(SSL *to, const void *record, size_t len, void *data, size_t room);

#endif /* REF_TLS_H */
