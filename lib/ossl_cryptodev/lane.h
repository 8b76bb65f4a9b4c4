/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * An operation in the form that a device takes. It lies in DPDK's memory, as one element of a
 * pool.
 */
#ifndef OSSL_CRYPTODEV_LANE_H
#define OSSL_CRYPTODEV_LANE_H

#include <openssl/async.h>
#include <rte_crypto.h>
#include <rte_mbuf.h>

#include "ossl_cryptodev.h"

struct oc_lane;

struct oc_job {
	struct rte_crypto_op op;
	struct rte_crypto_sym_op sym;
	uint8_t iv[OC_BLOCK];
	uint8_t aad[OC_AAD_MAX];
	uint8_t tag[OC_TAG];
	struct rte_mbuf src;
	struct rte_mbuf dst;
	bool open; /* under the lane's lock */
	enum oc_reason failure; /* OC_REASONS if it is done */
	bool returned; /* the device has given it back */
	bool abandoned; /* nobody waits: the lane gives it back to the pool when it is returned */
	bool holds_input; /* `data` has the input after the operation, not the output */
	bool writes_directly; /* the device writes to the caller's buffer */
	size_t copied;
	uint64_t deadline; /* of a job that waits asynchronously */
	struct oc_job *next_waiting;
	struct oc_lane *lane;
	int event;
	ASYNC_callback_fn callback;
	void *callback_arg;
	uint8_t data[OC_DATA_MAX] __rte_cache_aligned;
};

#define OC_IV_OFFSET offsetof(struct oc_job, iv)

#endif
