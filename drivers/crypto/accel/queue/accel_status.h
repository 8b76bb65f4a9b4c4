/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * From the status of a response to that of an operation (manual 7.4): one table for all kinds of
 * operations.
 */
#ifndef ACCEL_STATUS_H
#define ACCEL_STATUS_H

#include <rte_crypto.h>

/* The kinds of operations that tell statuses in ways of their own. */
enum accel_status_kind {
	ACCEL_STATUS_SYMMETRIC, /* also DOCSIS and PDCP */
	ACCEL_STATUS_ASYMMETRIC,
	ACCEL_STATUS_PROTOCOL, /* IPsec and TLS, whose aux_flags have the reason */
	ACCEL_STATUS_KINDS
};

/** The status of an operation by that of the device. Numbers that the manual lacks are errors. */
enum rte_crypto_op_status accel_op_status(enum accel_status_kind kind, unsigned int hw_status);

#endif /* ACCEL_STATUS_H */
