/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sends operations whose right results are known, for subcommands. lib/e2e makes the operations. An
 * operation is built once, with OpenSSL's result for every byte that it may touch, and sent many
 * times. Its memory is compared each time after the operation, and restored before the next time.
 */
#ifndef TOOL_LOAD_H
#define TOOL_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "load_state.h"

/**
 * Start the device, and make memory, sessions and operations. This sends nothing.
 *
 * @return
 *   TOOL_GOOD, TOOL_ABSENT (the device lacks an algorithm) or TOOL_BROKEN, after a message.
 */
int load_start(struct load *l, struct tool_device *device, const struct load_conf *conf);

/** Build all operations anew, with the sizes that l->conf has now. No operation may be in-flight.
 * Returns false after a message. */
bool load_rebuild(struct load *l);

/** Says how a turn went. */
enum load_turn {
	LOAD_GOES_ON,
	LOAD_IDLE, /**< nothing was sent and nothing came back */
	LOAD_LOST, /**< operations came back that were not sent, or in the wrong order; see first */
	LOAD_NO_MEMORY, /**< an operation could not be built; see first */
};

/**
 * Let each queue pair send a burst and take one.
 *
 * @param sending
 *   False: only take, to empty the queue pairs.
 */
enum load_turn load_turn(struct load *l, bool sending);

/** Return the number of operations in-flight. */
unsigned int load_in_flight(const struct load *l);
/** Return for how many milliseconds a queue pair with operations in-flight has given none back. */
uint64_t load_silent_ms(const struct load *l);
/** Begin a new interval. The latencies of the last interval are added to the total. */
void load_interval(struct load *l);
/** Return how many operations were wrong. */
uint64_t load_errors(const struct load *l);
/** Return [{algorithm, operations, bytes, errors}] of the algorithms that were used. */
json_t *load_json_algorithms(const struct load *l);
/** Free the sessions and stop the device. */
void load_end(struct load *l);

#endif /* TOOL_LOAD_H */
