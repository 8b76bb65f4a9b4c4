/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key operations for the parts of accel-bench that measure them: keys of one run, a session
 * and a ring of operations of one case, and turns of a loop that keeps them in-flight.
 */
#ifndef BENCH_PK_H
#define BENCH_PK_H

#include "accel_bench.h"
#include "pk/pk_bare.h"

#define PK_OPS 64u /* operations of a case */
#define PK_BYTES 512u /* of a number: 4096 bits */
#define PK_DIGEST 32u

/* What the turns of a loop count */
struct pk_count {
	uint64_t ops; /* completed */
	uint64_t moving; /* cycles of the calls that moved an operation */
	uint64_t calls; /* number of those calls */
};

/* Two numbers that an operation writes: a signature (RSA has one number) or a point. */
struct pk_result {
	uint8_t first[PK_BYTES];
	uint8_t second[PK_BYTES];
};

struct pk_case;

struct pk_load {
	const struct pk_case *what;
	uint8_t dev_id;
	uint16_t qp;
	unsigned int in_flight; /* at most PK_OPS */
	struct rte_mempool *session_mp;
	struct rte_mempool *op_mp;
	void *session;
	struct rte_crypto_op *ops[PK_OPS];
	struct pk_result results[PK_OPS];
	struct pk_result signature; /* of the digest, which operations that verify take */
	struct bare *bare; /* the same with a key of the library, in the loop of `openssl speed` */
	uint64_t head, tail; /* operations from tail to head are in-flight */
};

/** Returns a case by its place, or NULL behind the last one. */
const struct pk_case *pk_case_at(unsigned int i);

/** Returns "rsa2048-sign" or the like, and the group "rsa2048". */
const char *pk_case_name(const struct pk_case *what);
const char *pk_case_group(const struct pk_case *what);

/** Returns true if the device has the algorithm of a case. */
bool pk_case_offered(uint8_t dev_id, const struct pk_case *what);

/**
 * Makes a session with a key of the case, and operations. A case that verifies has the device sign
 * first.
 *
 * @return 0 or -errno; free *l after an error, too.
 */
int pk_load_make(struct pk_load *l, const struct bench *b, const struct pk_case *what, uint16_t qp,
		 unsigned int in_flight);
void pk_load_free(struct pk_load *l);

/** Enqueues what has room, and dequeues what is done. Returns how many were dequeued or -EIO. */
int pk_load_turn(struct pk_load *l, bool enqueue, struct pk_count *count);

/** Dequeues all operations that are in-flight. Returns 0 or -errno. */
int pk_load_drain(struct pk_load *l);

#endif /* BENCH_PK_H */
