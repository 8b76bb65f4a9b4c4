/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles operations on TLS records (manual 8.7): what an operation asks for in addition to its
 * session, and what a response makes of the operation. Results have their places as those of IPsec
 * do (accel_ipsec_op.h). Only the slow path uses this file.
 */
#ifndef ACCEL_TLS_OP_H
#define ACCEL_TLS_OP_H

#include "accel_ipsec_op.h"

/**
 * Find the place of an operation's result.
 *
 * @param result filled in.
 * @return false if the operation is in place and the result finds no room before the source.
 */
bool accel_tls_place(const struct rte_crypto_op *op, const struct accel_session *sess,
		     struct accel_ipsec_result *result);

/**
 * Return the options of an operation, for command.skip. They are content type and extra padding of
 * a record that is written, or for a record that is read, whether it keeps its place.
 */
uint32_t accel_tls_skip(const struct rte_crypto_op *op, const struct accel_session *sess,
			bool oop);

/**
 * End an operation with the status OK: set offsets and lengths of its mbufs, its flags, and the
 * content type of a record that was read.
 *
 * @return false, with nothing changed, if the response says more than the frame holds.
 */
bool accel_tls_done(struct rte_crypto_op *op, const struct accel_session *sess,
		    const struct accel_answer *answer);

#endif /* ACCEL_TLS_OP_H */
