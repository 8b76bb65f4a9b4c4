/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * An operation in the form that a device takes. It lies in DPDK's memory, as one element of a
 * pool. Ciphers and public keys fill it, and the lanes carry it out.
 */
#ifndef OSSL_CRYPTODEV_LANE_H
#define OSSL_CRYPTODEV_LANE_H

#include <assert.h>
#include <pthread.h>

#include <openssl/async.h>
#include <rte_crypto.h>
#include <rte_mbuf.h>

#include "ossl_cryptodev.h"

struct oc_lane;
struct rte_device;

struct oc_job {
	struct rte_crypto_op op;
	union {
		struct rte_crypto_sym_op sym;
		struct rte_crypto_asym_op asym;
	};
	uint8_t iv[OC_BLOCK];
	uint8_t aad[OC_AAD_MAX];
	uint8_t tag[OC_TAG];
	size_t used; /* bytes of `data` that are wiped when the job is given back */
	struct rte_mbuf src;
	struct rte_mbuf dst;
	bool verifies; /* the device says ERROR of a wrong signature */
	bool open; /* under the lane's lock */
	enum oc_reason failure; /* OC_REASONS if it is done */
	bool returned; /* the device has given it back */
	bool abandoned; /* nobody waits: the lane gives it back to the pool when it is returned */
	void *session; /* that an abandoned job takes along */
	bool holds_input; /* `data` has the input after the operation, not the output */
	bool writes_directly; /* the device writes to the caller's buffer */
	bool resumed; /* asynchronous, and nothing has to wake it */
	bool spoils; /* and the input was there, of which nobody has a copy */
	size_t copied;
	uint64_t begun; /* of a job that waits asynchronously */
	uint64_t deadline; /* not 0 if it does */
	uint64_t rest; /* ns until somebody should look */
	unsigned int turn; /* of the timer for which it waits */
	struct oc_lane *lane;
	struct oc_job *next_called;
	ASYNC_callback_fn callback; /* NULL: the job looks for itself */
	void *callback_arg;
	uint8_t data[OC_DATA_MAX] __rte_cache_aligned;
};

static_assert(offsetof(struct oc_job, sym) == sizeof(struct rte_crypto_op), "rte_crypto_op.sym");

#define OC_IV_OFFSET offsetof(struct oc_job, iv)

/** The device, which is ready if oc_process_begin() says so. */
struct oc_device {
	uint8_t id;
	uint64_t features;
	struct rte_mempool *sym_sessions;
	struct rte_mempool *asym_sessions; /* NULL: the device has no public keys */
};

extern struct oc_device oc_device;

/* memory.c */
void oc_memory_register(struct rte_device *device);

/* process.c */
bool oc_thread_start(pthread_t *thread, void *(*function)(void *));
void oc_session_free(enum rte_crypto_op_type type, void *handle);

/* lane.c */
bool oc_lanes_start(unsigned int nb, int socket);
enum oc_reason oc_device_ready(void);
struct oc_job *oc_job_new(enum rte_crypto_op_type type, void *session);
enum oc_reason oc_job_do(struct oc_job *job);
void oc_job_discard(struct oc_job *job, void **lost_session);
void oc_job_count(const struct oc_job *job, enum oc_alg_id alg, size_t bytes);

#endif
