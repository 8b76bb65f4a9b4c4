/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares what the parts of accel-bench share: one started device with its queue pairs,
 * operations, and the form of the output.
 */
#ifndef ACCEL_BENCH_H
#define ACCEL_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_cryptodev.h>

#include "accel_dev.h"
#include "accel_queue.h"
#include "accel_session.h"
#include "accel_transport.h"
#include "limit/exchange.h"

#define BENCH_DESC 2048u /* descriptors of the queue pair */
#define BENCH_MAX_ROUNDS 101u
#define BENCH_DIGEST 20u
#define BENCH_AAD 12u /* the most, and the default of --aad */
#define BENCH_MAX_SIZES 8u
#define BENCH_MAX_SIZE 32768u
#define BENCH_INTERRUPTED 100000u /* cycles; a longer call of the driver was interrupted */

enum bench_kind {
	BENCH_CIPHER, /* AES-128-CBC, encrypt */
	BENCH_AEAD, /* AES-128-GCM, encrypt */
	BENCH_CHAIN, /* AES-128-CBC, then HMAC-SHA1 */
	BENCH_KINDS
};

extern const char *const bench_kind_name[BENCH_KINDS];

struct bench {
	uint8_t dev_id;
	struct accel_dev *dev;
	struct accel_qp *qp;
	struct rte_mempool *session_mp;
	struct rte_mempool *op_mp;
	struct rte_mempool *mbuf_mp;
	void *session;
	struct rte_crypto_op *ops[BENCH_DESC];
	unsigned int rounds;
	bool quick;
	int device_cpu; /* -1: the device runs in this thread */
	/* The part load uses these. */
	enum bench_kind kind;
	unsigned int sizes[BENCH_MAX_SIZES]; /* bytes, multiples of 16 */
	unsigned int nb_sizes;
	double seconds; /* per size */
	unsigned int in_flight; /* operations in use, at most BENCH_DESC */
	const char *group; /* of cases of the part pk, or a case; NULL: all */
};

/** Prints one line, "metric,parameter,value,unit,rounds". */
void bench_print(const char *metric, const char *parameter, double value, const char *unit,
		 unsigned int rounds);

/** Returns the transforms of a kind of session: cipher or AEAD, then authentication or NULL. */
const struct rte_crypto_sym_xform *bench_xform(enum bench_kind kind);

/** Makes a session of the kind and BENCH_DESC operations of size bytes. Returns 0 or -errno. */
int bench_ops_make(struct bench *b, enum bench_kind kind, unsigned int size);
void bench_ops_free(struct bench *b);

/** Fills in all fields that an application would. The operation has its mbuf already. */
void bench_op_fill(struct bench *b, struct rte_crypto_op *op, enum bench_kind kind,
		   unsigned int size);

/** Nanoseconds in which threads were ready but had no CPU, and in which they had one. */
struct bench_lost {
	uint64_t application; /* the calling thread */
	uint64_t device; /* all other threads; those that do not serve the device sleep */
	uint64_t application_ran;
	uint64_t device_ran;
	uint64_t engine_ran; /* of device_ran: the embedded device's engines for public keys */
};

void bench_lost_read(struct bench_lost *lost);

/** Returns what two looks at the clock cost on average. The mean is right even if the clock
 * advances in wide steps. */
double bench_clock_cost(void);

/** Returns the nanoseconds of a clock whose rate is exact: DPDK rounds that of its own to 10 MHz.
 */
uint64_t bench_now_ns(void);

/** Each part returns 0, or -errno after a message. */
int bench_cross(struct bench *b); /* bench_cross.c: driver and device on two cores */
int bench_trip(struct bench *b); /* bench_cross.c: one operation at a time only */
int bench_load(struct bench *b); /* bench_load.c: a steady load, and where the time goes */
int bench_pk(struct bench *b); /* bench_pk.c: public keys, operations per second */
int bench_pk_beside(struct bench *b); /* bench_pk_beside.c: symmetric ones beside RSA-4096 */
int bench_sessions(struct bench *b); /* bench_sessions.c: create and destroy */
int bench_stages(struct bench *b); /* bench_stages.c: one operation, step by step */
int bench_writeback(struct bench *b); /* bench_writeback.c: N and T of the write-back */

#endif /* ACCEL_BENCH_H */
