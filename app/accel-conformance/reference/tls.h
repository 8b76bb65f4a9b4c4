/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Directions of connections for the tests of TLS records (manual 8.7): with HMAC-SHA256 and no
 * cipher, so that each byte is seen, with HMAC-SHA256 and AES-CBC, and with AES-GCM. The key of
 * AES has 16 bytes, or 32 if the tree has no such key. OpenSSL makes the records that their cards
 * should make or take.
 */
#ifndef CONF_TLS_H
#define CONF_TLS_H

#include <stdbool.h>
#include <stdint.h>

#include "sym.h"

#define TLS_ROOM 2048u /* bytes of any record here */
#define TLS_DATA ACCEL_HW_TLS_APPLICATION_DATA
#define TLS_MAC 32u
#define TLS_TAG 16u

enum tls_suite { TLS_PLAIN, TLS_CBC, TLS_GCM };

/**
 * Holds a direction of a connection: its context as the host writes it, and its state as it was
 * read last.
 */
struct tls_direction {
	struct accel_hw_tls_context x;
	uint64_t at; /* IOVA */
	enum tls_suite suite;
};

/** Lists the kinds of contexts that TLS has. */
extern const uint8_t tls_kinds[3];

/** Make a direction with a key that the tree has, with number 0 and without limits. */
void tls_make(const struct card *c, struct tls_direction *d, uint8_t kind, enum tls_suite suite,
	      bool write);

/** True if the tree has what such a direction needs. */
bool tls_there(const struct card *c, uint8_t kind, enum tls_suite suite);

/** True if the card has any kind and suite; else the test is skipped. */
bool tls_any(struct card *c);

/** Repeat a statement for each kind and suite that the card has, each time with the free memory
 * that there was at first. */
#define TLS_EACH(c, kind, suite)                                                                   \
	for (uint64_t k_ = 0, used_ = (c)->memory.part[MEMORY_LOW].used; k_ < 9; k_++)             \
		if ((c)->memory.part[MEMORY_LOW].used = used_, kind = tls_kinds[k_ / 3],           \
		    suite = (enum tls_suite)(k_ % 3), tls_there(c, kind, suite))

/** Return the tree's node of a kind. */
const struct tree_ipsec *tls_node(const struct card *c, uint8_t kind);

bool tls_is_dtls(const struct tls_direction *d);
bool tls_is_13(const struct tls_direction *d);

/** Return the bytes of a record's header. */
uint32_t tls_header(const struct tls_direction *d);

/** Write the direction to new memory, with a new generation. */
void tls_store(struct card *c, struct tls_direction *d);

/** Read the state of a direction from memory. */
void tls_load(struct card *c, struct tls_direction *d);

/**
 * Make a record with @p pad bytes of padding. With CBC they are @p padding, the length byte
 * included. With TLS 1.3 they are zeros.
 *
 * @return its bytes.
 */
uint32_t tls_record(const struct tls_direction *d, uint64_t number, uint8_t type,
		    const uint8_t *data, uint32_t len, const uint8_t *padding, uint32_t pad,
		    uint8_t *out);

/**
 * Make the padding of CBC, with @p blocks whole blocks more than the least.
 * @return its bytes.
 */
uint32_t tls_padding(const struct tls_direction *d, uint32_t len, uint32_t blocks,
		     uint8_t *padding);

/** Begin a request, its input and a result frame of room bytes in new memory. */
void tls_request(struct card *c, struct request *r, const struct tls_direction *d, uint32_t skip,
		 const uint8_t *in, uint32_t len, uint32_t room);

/** Run a request, and accept the state as the device wrote it. */
bool tls_run_request(struct queue *q, const struct tls_direction *d, struct request *r,
		     uint16_t status);

/** Run a request that gives this output and info with OK. */
bool tls_run(struct queue *q, const struct tls_direction *d, uint32_t skip, const uint8_t *in,
	     uint32_t len, const uint8_t *out, uint32_t out_len, uint16_t info, uint16_t status);

/** Fill in random bytes. */
void tls_fill(struct card *c, uint8_t *data, uint32_t len);

#endif /* CONF_TLS_H */
