/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes contexts and requests of public-key operations (manual 8.8), and computes their results
 * with OpenSSL.
 */
#ifndef CONF_PK_H
#define CONF_PK_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/bn.h>

#include "queue/request.h"

#define PK_KEY_ROOM 2048u
#define PK_OUT_ROOM 2048u

/** Holds a context as the host writes it: struct accel_hw_pk_context and its components. */
struct pk {
	struct accel_hw_pk_context h;
	uint8_t key[PK_KEY_ROOM];
	uint64_t at; /* IOVA, when it is stored */
};

/** Begin a context without components. */
void pk_init(struct pk *x, uint16_t alg, uint8_t curve);
/** Add the component with a number. A test adds them in the order of their numbers. */
void pk_component(struct pk *x, unsigned int number, const void *data, uint16_t len);
/** Give a context a new generation and write it to new memory, or to a given place. */
void pk_store(struct card *c, struct pk *x);
void pk_store_at(struct card *c, struct pk *x, uint64_t iova);

/** Begin a request without operands. */
void pk_request(struct request *r, const struct pk *x, uint16_t operation);
/** Add the operand with a number, in new memory. */
void pk_operand(struct card *c, struct request *r, unsigned int number, const void *data,
		uint32_t len);
/** Take a result frame of @p len bytes in new memory. */
void pk_result(struct card *c, struct request *r, uint32_t len);
/** Read the result frame. */
void pk_output(struct card *c, const struct request *r, uint8_t *to, uint32_t len);

/** Run a request that shall end with OK and this output. If @p want is NULL, any output will do. */
bool pk_gives(struct queue *q, struct request *r, const uint8_t *want, uint32_t len);

/** Initialise and start the first public-key queue pair. The test is skipped without one. */
bool pk_open(struct queue *q, struct card *c);
/** Start the first public-key queue pair if the tree has an algorithm; else the test is skipped.
 * @return the algorithm's node, or NULL. */
const struct tree_pk *pk_open_for(struct queue *q, struct card *c, uint32_t alg);
/** True if the node has the operation, and the curve if that is not 0. */
bool pk_has(const struct tree_pk *a, unsigned int operation, uint32_t curve);

/** Make a MODEXP in new memory. Modulus, exponent and base have @p len bytes each. @p out receives
 * the expected result; if it is NULL, nothing is computed. */
void pk_modexp(struct card *c, struct pk *x, struct request *r, uint32_t len, uint8_t *out);

/** Make a random number of @p len bytes, whose lowest and topmost bits are set. */
void pk_odd(struct card *c, uint8_t *to, uint32_t len);

/** Write a number as len bytes, and free it. */
void pk_put(BIGNUM *from, uint8_t *to, uint32_t len);

#endif /* CONF_PK_H */
