/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations whose right results are known, for the subcommands that send some (lib/e2e makes
 * them). An operation is built once, with OpenSSL's result for every byte that it may touch, and
 * sent many times: each time its memory is put back to what it was before, and compared afterwards.
 */
#ifndef TOOL_LOAD_H
#define TOOL_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include <e2e_op.h>

#include "base/hist.h"
#include "device/device.h"

#define LOAD_CHOICES 64u /* algorithms that --algorithms may name */
#define LOAD_SIZES 32u /* parts of a size mix */
#define LOAD_QPS 16u
#define LOAD_DEPTH 1024u /* operations in flight, of all queue pairs */
#define LOAD_SESSIONS 1024u
#define LOAD_SIZE 60000u /* bytes of an operation */
#define LOAD_BURST 256u

/** What a session may do: a cipher, a hash, both, or an AEAD. */
struct load_choice {
	const struct e2e_cipher_alg *cipher;
	const struct e2e_auth_alg *auth;
	const struct e2e_aead_alg *aead;
	bool auth_first;
};

/** A part of a mix of sizes: any from lo to hi. */
struct load_size {
	uint32_t lo, hi, weight;
};

/** What to send. */
struct load_conf {
	uint64_t seed;
	struct load_choice choice[LOAD_CHOICES];
	unsigned int nb_choices; /**< 0: everything that the device lists, if pk is 0 */
	uint32_t pk; /**< public keys: a bit for each of load_pk_algs */
	bool pk_known; /**< load_parse_algorithms() takes their names */
	bool pk_offered; /**< those that the device does not offer are left out */
	struct load_size size[LOAD_SIZES];
	unsigned int nb_sizes; /**< 0: random sizes, mostly short */
	unsigned int queue_pairs, depth, burst, sessions;
	unsigned int reuse; /**< how often an operation is sent before another takes its place */
	uint64_t rate; /**< operations per second, 0: as many as the device takes */
	bool plain; /**< one segment, in place, digest behind the data */
	bool one_segment, in_place;
	bool forward; /**< encrypt and generate only */
};

/** A session, and how many operations use it. */
struct load_session {
	struct e2e_session *ses;
	unsigned int users;
};

/** An operation with its memory. */
struct load_item {
	struct e2e_slot slot;
	struct load_session *session;
	struct rte_crypto_op *op; /**< of the slot, or asym */
	struct load_pk_key *pk; /**< NULL: the operation is a symmetric one */
	struct rte_crypto_op *asym; /**< NULL if the load has no public keys */
	struct ref_pk_job *job;
	uint8_t *input[E2E_MEMS]; /**< contents before the operation */
	uint64_t sent; /**< when, in timer cycles */
	uint32_t bytes;
	unsigned int uses; /**< left before it is built anew */
	bool is_built;
};

/** Operations by algorithm. A chain counts for both of its algorithms. */
struct load_count {
	uint64_t operations, bytes, errors;
};

#define LOAD_COUNTS 64u

/** Operations in flight, in the order of enqueue. */
struct load_fifo {
	struct load_item **item;
	unsigned int head, tail;
};

/** The traffic of one queue pair. */
struct load_lane {
	struct load_item *item; /**< `depth` of them */
	struct load_item **idle;
	struct load_fifo sym, asym; /**< either kind comes back in an order of its own */
	unsigned int depth, nb_idle;
	uint64_t last; /**< when an operation came back, in timer cycles */
};

/** The traffic of a device. */
struct load {
	struct e2e t; /**< for the functions of lib/e2e */
	struct tool_device *device;
	struct load_conf conf;
	struct load_lane lane[LOAD_QPS];
	struct load_session *session;
	struct load_pk_key *pk;
	unsigned int nb_pk;
	struct rte_mempool *pk_sessions, *pk_ops;
	/** Operations and sessions so far: the seed of each follows from its number. */
	uint64_t built, opened;
	uint64_t start, sent; /**< for the rate */

	uint64_t operations, bytes; /**< came back */
	uint64_t wrong_status, wrong_data; /**< of them; wrong data means with the status SUCCESS */
	bool may_fail; /**< an error status is no error: a fault was injected */
	uint64_t failed; /**< came back with an error status that may be */
	char first[256]; /**< what was wrong first */
	struct load_count cipher[LOAD_COUNTS], auth[LOAD_COUNTS], aead[LOAD_COUNTS];
	struct hist latency; /**< since the last load_interval() */
	struct hist total; /**< before that */
};

/**
 * Read a list of algorithms, "aes-cbc,aes-cbc+sha1-hmac,aes-gcm". In a chain the first one is the
 * first of the transforms. With conf->pk_known it takes public keys, too, such as "rsa-2048".
 *
 * @return
 *   True, or false after a message. Whether the device has them shows in load_start().
 */
bool load_parse_algorithms(struct load_conf *conf, const char *text);

/**
 * Read a mix of sizes: "imix", "random", or parts SIZE, LOW-HIGH, either with :WEIGHT.
 *
 * @return
 *   True, or false after a message.
 */
bool load_parse_sizes(struct load_conf *conf, const char *text);

/**
 * Start the device, make memory, sessions and operations. Nothing was sent then.
 *
 * @return
 *   TOOL_GOOD, TOOL_ABSENT (the device lacks an algorithm) or TOOL_BROKEN, after a message.
 */
int load_start(struct load *l, struct tool_device *device, const struct load_conf *conf);

/** Build all operations anew, with what l->conf says of sizes now. None may be in flight. Returns
 * false after a message. */
bool load_rebuild(struct load *l);

/** What became of a turn. */
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

/** Operations in flight. */
unsigned int load_in_flight(const struct load *l);
/** Milliseconds since an operation came back of a queue pair that has some in flight. */
uint64_t load_silent_ms(const struct load *l);
/** Begin a new interval: add the latencies of the last one to the total. */
void load_interval(struct load *l);
/** Operations that were wrong. */
uint64_t load_errors(const struct load *l);
/** [{algorithm, operations, bytes, errors}] of the algorithms that were used. */
json_t *load_json_algorithms(const struct load *l);
/** Free the sessions and stop the device. */
void load_end(struct load *l);

#endif /* TOOL_LOAD_H */
