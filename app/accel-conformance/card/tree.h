/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Copies the device tree of a function out of BAR0 and checks it (manual chapter 10). Nothing of
 * the tree is trusted: sizes, offsets and counts are bounded here, once.
 */
#ifndef CONF_TREE_H
#define CONF_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "transport/transport.h"

#define TREE_QPS 256u
#define TREE_PK_ALGS 16u
#define TREE_ALGS 128u
#define TREE_PAIRS 64u
#define TREE_LIST 64u
#define TREE_CHAINS 1024u
#define TREE_VF_PAGES 4u /* enough pages for 256 virtual functions */

struct tree_range {
	uint32_t min;
	uint32_t max;
	uint32_t step;
};

struct tree_pair {
	uint32_t a;
	uint32_t b;
};

struct tree_alg {
	uint32_t id;
	enum accel_hw_alg_class class;
	uint32_t block;
	struct tree_range key, iv, digest, aad;
	uint32_t unit_min, unit_max; /* 0: no data units */
	uint32_t region_min, region_max; /* from region-sizes, or 0 */
	bool bits;
	unsigned int nb_key_iv;
	struct tree_pair key_iv[TREE_PAIRS];
	unsigned int nb_digests;
	uint32_t digests[TREE_LIST];
};

/** Has the lists of algorithms of a protocol. */
struct tree_protocol {
	bool there;
	unsigned int nb_ciphers, nb_auths, nb_sn;
	uint32_t cipher[TREE_LIST], auth[TREE_LIST], sn[TREE_LIST];
};

/** Describes ESP, AH or TLS. Their lists have no sizes of sequence numbers. */
struct tree_ipsec {
	struct tree_protocol lists;
	unsigned int nb_aeads;
	uint32_t aead[TREE_LIST];
	uint32_t options; /* ACCEL_HW_IPSEC_* */
	uint32_t window; /* the largest replay window */
	bool transport, overlap;
};

/** Describes a public-key algorithm (manual 8.8). */
struct tree_pk {
	uint32_t id;
	uint32_t operations, paddings, variants; /* bit n: n is possible */
	uint32_t bits_min, bits_max; /* limits of a modulus, or 0 */
	unsigned int nb_curves, nb_hashes;
	uint32_t curve[TREE_LIST], hash[TREE_LIST];
};

struct tree_qp {
	uint32_t host; /* offsets of its pages in BAR0 */
	uint32_t device;
};

struct tree {
	char error[200]; /* why the tree is refused, or "" */
	uint32_t offset; /* DT_OFFSET */
	uint32_t size; /* DT_SIZE */
	uint8_t *blob; /* the copy */
	bool drop_all; /* DROP_ALL is in place of the invalidation page's words */
	uint32_t control, invalidate; /* offsets of pages in BAR0, as the next members have, too */
	uint32_t health; /* 0: the function has no health page */
	uint32_t firmware[2]; /* host page, device page; 0: none */
	uint32_t vf_table; /* the first page of the resource table; the PF only */
	uint32_t vf_pages; /* pages of the resource table */
	bool vf_limits; /* the tree says how many queue pairs are for VFs */
	uint32_t vf_all, vf_most; /* queue pairs for all VFs together, and the most for one VF */
	uint32_t vf_mailbox[3]; /* answers, requests, status, each of vf_pages; 0: none */
	uint32_t mailbox[2]; /* host page, device page; a VF only; 0: none */
	bool command_upper, command_ring, reports_writes, wb_auto;
	uint32_t ring_size_max, max_fragments, max_frame_bytes;
	uint32_t operation_ms; /* 0: the tree does not say it */
	unsigned int nb_qps;
	struct tree_qp qp[TREE_QPS];
	bool sym, cipher_auth, auth_cipher, in_stream, iv_in_stream, aad_in_command;
	bool pairs_listed;
	uint32_t context_size;
	uint32_t chains; /* bit n: kind n is possible */
	bool chains_there; /* the tree has the property of 1.5 */
	unsigned int nb_pairs;
	struct tree_pair pair[TREE_CHAINS]; /* chain-pairs */
	unsigned int nb_algs;
	struct tree_alg alg[TREE_ALGS];
	struct tree_protocol docsis, pdcp;
	struct tree_ipsec esp, ah, tls12, tls13, dtls12;
	bool pk; /* the card has public-key engines */
	uint32_t key_size_max, operand_size_max;
	unsigned int nb_pk_qps, nb_pk_algs;
	struct tree_qp pk_qp[TREE_QPS + 1];
	struct tree_pk pk_alg[TREE_PK_ALGS];
	uint32_t random_max; /* most bytes of a RANDOM, 0: the card has no RANDOM */
};

/** Read the tree again. @return false: t->error says why it is refused. */
bool tree_load(struct tree *t, const struct transport *transport);
void tree_free(struct tree *t);

/** Return the algorithm with this number, or NULL if the tree does not list it. */
const struct tree_alg *tree_alg(const struct tree *t, uint32_t id);

/** Return the public-key algorithm with this number, or NULL if the tree does not list it. */
const struct tree_pk *tree_pk(const struct tree *t, uint32_t id);

/** True if the algorithm has these sizes in bytes, as ranges, pairs and lists say. */
bool tree_sizes(const struct tree_alg *alg, uint32_t key, uint32_t iv, uint32_t digest);

/** Return the size in a range that is nearest to the wanted size. */
uint32_t tree_nearest(const struct tree_range *r, uint32_t wanted);

/** Return the length of a digest or tag that is nearest to the wanted length, as the algorithm's
 * range and list say. */
uint32_t tree_digest(const struct tree_alg *alg, uint32_t wanted);

/** True if a chain of this kind, 3 or 4, is possible with this pair of algorithms. */
bool tree_chain(const struct tree *t, unsigned int kind, uint32_t cipher, uint32_t auth);

/** True if a list of a protocol has this number. */
bool tree_lists(const uint32_t *list, unsigned int nb, uint32_t number);

#endif /* CONF_TREE_H */
