/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sequence numbers of TLS records (manual 8.7) in the state that the device writes. Records begin
 * with number 0 and packets of IPsec with 1. So record n has the number n + 1 in state.h, and
 * `sequence` is the number of the next record.
 */
#ifndef ACCEL_MODEL_TLS_STATE_H
#define ACCEL_MODEL_TLS_STATE_H

#include "state/tls_session.h"

/**
 * Do the checks 1 to 5 of a record to write, take its number and count it.
 *
 * @param content what check 2 found.
 * @param number receives the record's number, without the epoch.
 * @param soft receives whether a soft limit is reached.
 * @return OK, or the status of the first check that failed, which is counted then.
 */
enum accel_hw_status tls_state_send(const struct tls_session *s, struct state *state,
				    enum accel_hw_status content, uint32_t bytes, uint64_t *number,
				    bool *soft);

/**
 * Do the checks 1 to 5 of a record that was received.
 *
 * @param record what the checks 2 and 3 found.
 * @param number DTLS: the number in the record; TLS: receives the number that the record takes.
 */
enum accel_hw_status tls_state_receive(const struct tls_session *s, struct state *state,
				       enum accel_hw_status record, uint64_t *number);

/**
 * Do the checks 1 and 4 again, enter the number and count the record.
 *
 * @param bytes of the content.
 * @param written false: the result was not writable.
 */
enum accel_hw_status tls_state_received(const struct tls_session *s, struct state *state,
					uint64_t number, uint32_t bytes, bool written, bool *soft);

#endif /* ACCEL_MODEL_TLS_STATE_H */
