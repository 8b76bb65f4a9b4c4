/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Describes what operations a load sends: algorithms, sizes and numbers, and how the command line
 * names them.
 */
#ifndef TOOL_LOAD_CONF_H
#define TOOL_LOAD_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include <e2e_op.h>

#define LOAD_CHOICES 64u /* algorithms that --algorithms may name */
#define LOAD_SIZES 32u /* parts of a size mix */
#define LOAD_QPS 16u
#define LOAD_DEPTH 1024u /* operations in-flight, of all queue pairs */
#define LOAD_SESSIONS 1024u
#define LOAD_SIZE 60000u /* bytes of an operation */
#define LOAD_BURST 256u

/** Describes a kind of public key. */
struct load_pk_alg {
	const char *name;
	enum rte_crypto_asym_xform_type type;
	unsigned int size; /**< bits of a modulus, or the curve */
};

extern const struct load_pk_alg load_pk_algs[];
extern const unsigned int load_nb_pk_algs;

/** This name stands for all kinds of public keys. */
#define LOAD_PK_ALL "public-keys"

/** Describes what a session does: a cipher, a hash, both, or an AEAD. */
struct load_choice {
	const struct e2e_cipher_alg *cipher;
	const struct e2e_auth_alg *auth;
	const struct e2e_aead_alg *aead;
	bool auth_first;
};

/** Describes a part of a mix of sizes: any size from lo to hi. */
struct load_size {
	uint32_t lo, hi, weight;
};

/** Describes what a load sends. */
struct load_conf {
	uint64_t seed;
	struct load_choice choice[LOAD_CHOICES];
	unsigned int nb_choices; /**< 0: everything that the device lists, if pk is 0 */
	uint32_t pk; /**< public keys: a bit for each of load_pk_algs */
	bool pk_known; /**< load_parse_algorithms() takes names of public keys */
	bool pk_offered; /**< public keys that the device does not offer are left out */
	struct load_size size[LOAD_SIZES];
	unsigned int nb_sizes; /**< 0: random sizes, mostly short */
	unsigned int queue_pairs, depth, burst, sessions;
	unsigned int reuse; /**< how often an operation is sent before another takes its place */
	uint64_t rate; /**< operations per second, 0: as many as the device takes */
	bool plain; /**< one segment, in place, digest after the data */
	bool one_segment, in_place;
	bool forward; /**< encrypt and generate only */
};

/**
 * Read a list of algorithms, such as "aes-cbc,aes-cbc+sha1-hmac,aes-gcm". The first algorithm of a
 * chain is the first transform. With conf->pk_known the list may also have public keys, such as
 * "rsa-2048".
 *
 * @return
 *   True, or false after a message. load_start() finds out whether the device has the algorithms.
 */
bool load_parse_algorithms(struct load_conf *conf, const char *text);

/**
 * Read a mix of sizes: "imix", "random", or a list of SIZE and LOW-HIGH, each with or without
 * :WEIGHT.
 *
 * @return
 *   True, or false after a message.
 */
bool load_parse_sizes(struct load_conf *conf, const char *text);

/** Return the index of a name in load_pk_algs, or load_nb_pk_algs if it is not there. */
unsigned int load_pk_find(const char *name);

/** Return the name of a choice. The next call overwrites the text. */
const char *load_choice_name(const struct load_choice *c);

#endif /* TOOL_LOAD_CONF_H */
