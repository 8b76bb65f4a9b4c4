/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Translates the status of a response (manual 7.4) into the status of an operation. One table does
 * this for all kinds of operations.
 */
#ifndef ACCEL_STATUS_H
#define ACCEL_STATUS_H

#include <rte_crypto.h>

/* Lists the kinds of operations that translate statuses in ways of their own. */
enum accel_status_kind {
	ACCEL_STATUS_SYMMETRIC, /* also DOCSIS and PDCP */
	ACCEL_STATUS_ASYMMETRIC,
	ACCEL_STATUS_PROTOCOL, /* IPsec and TLS, whose aux_flags have the reason */
	ACCEL_STATUS_KINDS
};

/**
 * Return the status of an operation for the status of its response. A number that the manual does
 * not have becomes ERROR.
 */
enum rte_crypto_op_status accel_op_status(enum accel_status_kind kind, unsigned int hw_status);

#endif /* ACCEL_STATUS_H */
