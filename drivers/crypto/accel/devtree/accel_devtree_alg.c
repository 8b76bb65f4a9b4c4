/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Algorithms and protocols of the card's device tree (manual section 10). The blob is untrusted, so
 * every size is checked against the room that a context has for it.
 */
#include <assert.h>
#include <errno.h>
#include <stddef.h>

#include <rte_common.h>

#include "accel_devtree.h"
#include "accel_devtree_node.h"
#include "accel_logs.h"

#define DT_SET_BITS 64u /* accel_dt_set() makes a mask of the numbers first to first + 63 */

/*
 * Returns the class of an algorithm by its number (manual 8.2). ACCEL_ALG_ABSENT: this driver does
 * not know the number, since a later version of the contract has added it.
 */
static enum accel_alg_class
dt_class(uint32_t id)
{
	switch (id) {
#define DT_ROW(number, value, class, ...) case number: return ACCEL_ALG_##class;
	ACCEL_HW_SYM_ALGS(DT_ROW)
#undef DT_ROW
	}
	return ACCEL_ALG_ABSENT;
}

/* Reads a range, <min max step>. The step is 0 if min equals max (manual section 10). */
static int
dt_range(const struct accel_dt_node *node, enum accel_dt_prop id, uint32_t limit,
	 struct accel_hw_range *range)
{
	uint32_t min, max, step;

	if (accel_dt_check_cells(node, id, 3) != 0)
		return -EINVAL;
	min = accel_dt_cell(node, id, 0);
	max = accel_dt_cell(node, id, 1);
	step = accel_dt_cell(node, id, 2);
	if (min > max || max > limit || (min == max) != (step == 0) ||
	    (step != 0 && (max - min) % step != 0))
		return DT_REFUSE(node, "%s <%u %u %u> is no range up to %u", accel_dt_prop_name[id],
				 min, max, step, limit);
	range->min = (uint16_t)min;
	range->max = (uint16_t)max;
	range->step = (uint16_t)step;
	return 0;
}

/*
 * Checks that a list is made of groups of cells, and gets the number of groups. An empty list is
 * valid, and says that nothing is possible.
 */
static int
dt_list(const struct accel_dt_node *node, enum accel_dt_prop id, unsigned int cells,
	unsigned int *nb)
{
	const unsigned int group = cells * sizeof(fdt32_t);

	if ((unsigned int)node->prop[id].len % group != 0)
		return DT_REFUSE(node, "property %s has %d bytes, which are no groups of %u",
				 accel_dt_prop_name[id], node->prop[id].len, group);
	*nb = (unsigned int)node->prop[id].len / group;
	return 0;
}

/* Reads the pairs of algorithms that can be chained. Unknown numbers are ignored. */
static int
dt_chains(const struct accel_dt_node *node, struct accel_devtree *dt)
{
	unsigned int nb, i;

	dt->chains_listed = accel_dt_has(node, DT_CHAIN_PAIRS);
	if (!dt->chains_listed)
		return 0;
	if (dt_list(node, DT_CHAIN_PAIRS, 2, &nb) != 0)
		return -EINVAL;
	for (i = 0; i < nb; i++) {
		const uint32_t cipher = accel_dt_cell(node, DT_CHAIN_PAIRS, 2 * i);
		const uint32_t auth = accel_dt_cell(node, DT_CHAIN_PAIRS, 2 * i + 1) -
				      ACCEL_DT_AUTH_FIRST;

		if (cipher < ACCEL_DT_CIPHERS && auth < ACCEL_DT_AUTHS)
			dt->chains[cipher][auth / 64] |= UINT64_C(1) << auth % 64;
	}
	return 0;
}

/* Reads which kinds of chains are possible. Cards before 1.5 have a property for each kind. */
static int
dt_chain_kinds(const struct accel_dt_node *node, struct accel_devtree *dt)
{
	uint32_t kinds;

	if (accel_dt_flag(node, DT_CHAIN_CIPHER_AUTH, &dt->chain_cipher_auth) != 0 ||
	    accel_dt_flag(node, DT_CHAIN_AUTH_CIPHER, &dt->chain_auth_cipher) != 0)
		return -EINVAL;
	if (!accel_dt_has(node, DT_CHAINS))
		return 0;
	if (accel_dt_u32(node, DT_CHAINS, 0, UINT32_MAX, &kinds) != 0)
		return -EINVAL;
	dt->chain_cipher_auth = (kinds >> ACCEL_HW_KIND_CIPHER_THEN_AUTH & 1) != 0;
	dt->chain_auth_cipher = (kinds >> ACCEL_HW_KIND_AUTH_THEN_CIPHER & 1) != 0;
	return 0;
}

int
accel_dt_take_sym(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	uint32_t size;

	if (accel_dt_u32(node, DT_CONTEXT_SIZE, sizeof(struct accel_hw_context),
		   sizeof(struct accel_hw_context), &size) != 0)
		return -EINVAL;
	if (dt_chain_kinds(node, p->dt) != 0 ||
	    accel_dt_flag(node, DT_DIGEST_IN_STREAM, &p->dt->digest_in_stream) != 0 ||
	    accel_dt_flag(node, DT_AUTH_IV_IN_STREAM, &p->dt->auth_iv_in_stream) != 0 ||
	    accel_dt_flag(node, DT_AAD_IN_COMMAND, &p->dt->aad_in_command) != 0)
		return -EINVAL;
	p->dt->sym = true;
	return dt_chains(node, p->dt);
}

static int
dt_units(const struct accel_dt_node *node, struct accel_dt_alg *alg)
{
	uint32_t min, max;

	if (accel_dt_check_cells(node, DT_DATA_UNIT_SIZES, 2) != 0)
		return -EINVAL;
	min = accel_dt_cell(node, DT_DATA_UNIT_SIZES, 0);
	max = accel_dt_cell(node, DT_DATA_UNIT_SIZES, 1);
	if (min < ACCEL_HW_DATA_UNIT_MIN || min > max || !rte_is_power_of_2(min) ||
	    !rte_is_power_of_2(max))
		return DT_REFUSE(node, "data units of %u to %u bytes must be powers of two, %u or "
				 "more", min, max, ACCEL_HW_DATA_UNIT_MIN);
	alg->unit_min = min;
	alg->unit_max = max;
	return 0;
}

static int
dt_key_iv(const struct accel_dt_node *node, uint32_t key_max, struct accel_dt_alg *alg)
{
	unsigned int nb, i;

	if (dt_list(node, DT_KEY_IV_SIZES, 2, &nb) != 0)
		return -EINVAL;
	alg->key_iv_listed = true;
	for (i = 0; i < nb; i++) {
		const uint32_t key = accel_dt_cell(node, DT_KEY_IV_SIZES, 2 * i);
		const uint32_t iv = accel_dt_cell(node, DT_KEY_IV_SIZES, 2 * i + 1);

		if (key > key_max || iv > ACCEL_HW_LONG_IV_MAX)
			return DT_REFUSE(node, "a key of %u bytes with an IV of %u has no room in "
					 "a context", key, iv);
		if (alg->nb_key_iv == ACCEL_DT_MAX_KEY_IV)
			continue;
		alg->key_iv[alg->nb_key_iv].key = (uint8_t)key;
		alg->key_iv[alg->nb_key_iv++].iv = (uint8_t)iv;
	}
	if (nb > ACCEL_DT_MAX_KEY_IV)
		ACCEL_LOG(NOTICE, "device tree: of %u pairs of key and IV the first %u are used",
			  nb, ACCEL_DT_MAX_KEY_IV);
	return 0;
}

static int
dt_digests(const struct accel_dt_node *node, struct accel_dt_alg *alg)
{
	unsigned int nb, i;

	if (dt_list(node, DT_DIGEST_LIST, 1, &nb) != 0)
		return -EINVAL;
	alg->digest_listed = true;
	for (i = 0; i < nb; i++) {
		const uint32_t size = accel_dt_cell(node, DT_DIGEST_LIST, i);

		if (size == 0 || size > ACCEL_HW_DIGEST_MAX)
			return DT_REFUSE(node, "a digest of %u bytes is not in 1 to %u", size,
					 ACCEL_HW_DIGEST_MAX);
		alg->digests |= UINT64_C(1) << (size - 1);
	}
	return 0;
}

/*
 * Checks the sizes of regions. The driver does not keep these sizes, since rte_cryptodev has no
 * name for them. The card answers an operation beyond them with a status.
 */
static int
dt_regions(const struct accel_dt_node *node)
{
	if (accel_dt_check_cells(node, DT_REGION_SIZES, 2) != 0)
		return -EINVAL;
	if (accel_dt_cell(node, DT_REGION_SIZES, 0) > accel_dt_cell(node, DT_REGION_SIZES, 1))
		return DT_REFUSE(node, "the least region of %u bytes is above the largest of %u",
				 accel_dt_cell(node, DT_REGION_SIZES, 0),
				 accel_dt_cell(node, DT_REGION_SIZES, 1));
	return 0;
}

/* Reads the properties that an algorithm may lack. */
static int
dt_alg_options(const struct accel_dt_node *node, uint32_t key_max, struct accel_dt_alg *alg)
{
	if (accel_dt_has(node, DT_DATA_UNIT_SIZES) && dt_units(node, alg) != 0)
		return -EINVAL;
	if (accel_dt_has(node, DT_KEY_IV_SIZES) && dt_key_iv(node, key_max, alg) != 0)
		return -EINVAL;
	if (accel_dt_has(node, DT_DIGEST_LIST) && dt_digests(node, alg) != 0)
		return -EINVAL;
	if (accel_dt_has(node, DT_REGION_SIZES) && dt_regions(node) != 0)
		return -EINVAL;
	return accel_dt_flag(node, DT_BIT_LENGTHS, &alg->bits);
}

/* Reads the properties that each algorithm of a class has. */
static int
dt_alg_sizes(const struct accel_dt_node *node, struct accel_dt_alg *alg)
{
	const uint32_t key_max = alg->class == ACCEL_ALG_AUTH ? ACCEL_HW_AUTH_KEY_MAX :
								ACCEL_HW_CIPHER_KEY_MAX;
	uint32_t block;

	if (accel_dt_u32(node, DT_BLOCK_SIZE, 1, UINT16_MAX, &block) != 0 ||
	    dt_range(node, DT_KEY_SIZES, key_max, &alg->key) != 0 ||
	    dt_range(node, DT_IV_SIZES, ACCEL_HW_LONG_IV_MAX, &alg->iv) != 0)
		return -EINVAL;
	alg->block = (uint16_t)block;
	if (alg->class != ACCEL_ALG_CIPHER &&
	    dt_range(node, DT_DIGEST_SIZES, ACCEL_HW_DIGEST_MAX, &alg->digest) != 0)
		return -EINVAL;
	if (dt_alg_options(node, key_max, alg) != 0)
		return -EINVAL;
	return alg->class == ACCEL_ALG_AEAD ? dt_range(node, DT_AAD_SIZES, UINT16_MAX, &alg->aad) :
					      0;
}

/*
 * Takes an algorithm. An algorithm that this driver does not know is left out, whatever its
 * properties are: later versions of the contract may have sizes that this version has no room for
 * (FN-3).
 */
int
accel_dt_take_alg(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	const enum accel_alg_class class = (enum accel_alg_class)node->kind;
	struct accel_dt_alg alg = { .class = class };
	uint32_t id;

	if (accel_dt_u32(node, DT_ALG_ID, 0, UINT32_MAX, &id) != 0)
		return -EINVAL;
	if (dt_class(id) == ACCEL_ALG_ABSENT)
		return 0;
	if (dt_class(id) != class)
		return DT_REFUSE(node, "%s %u is the number of another kind of algorithm",
				 accel_dt_prop_name[DT_ALG_ID], id);
	if (dt_alg_sizes(node, &alg) != 0)
		return -EINVAL;
	if (p->dt->alg[id].class != ACCEL_ALG_ABSENT) {
		ACCEL_LOG(WARNING, "device tree: algorithm %u is listed twice, using the first",
			  id);
		return 0;
	}
	p->dt->alg[id] = alg;
	return 0;
}

int
accel_dt_set(const struct accel_dt_node *node, enum accel_dt_prop id, uint32_t first, uint64_t *set)
{
	uint32_t n;
	int i;

	if (!accel_dt_has(node, id) || node->prop[id].len % (int)sizeof(fdt32_t) != 0)
		return DT_REFUSE(node, "property %s is missing or not made of cells",
				 accel_dt_prop_name[id]);
	*set = 0;
	for (i = 0; i < node->prop[id].len / (int)sizeof(fdt32_t); i++) {
		n = accel_dt_cell(node, id, (unsigned int)i);
		if (n >= first && n - first < DT_SET_BITS)
			*set |= UINT64_C(1) << (n - first);
	}
	return 0;
}

/* These bits say what the node of a protocol has. */
#define HAS_CIPHERS 0x1u
#define HAS_AUTHS 0x2u
#define HAS_AEADS 0x4u
#define HAS_SN_SIZES 0x8u
#define HAS_OPTIONS 0x10u /* also a flag that says whether there is transport mode */
#define HAS_WINDOW 0x20u
#define HAS_OVERLAP 0x40u
#define HAS_IPSEC (HAS_AUTHS | HAS_OPTIONS | HAS_WINDOW | HAS_OVERLAP)
#define HAS_TLS (HAS_AEADS | HAS_OVERLAP)
#define HAS_CHAINS (HAS_CIPHERS | HAS_AUTHS)

#define AT(protocol) [ACCEL_HW_PROTO_##protocol - ACCEL_HW_PROTO_DOCSIS]

static const uint8_t dt_protocol_has[ACCEL_DT_PROTOCOLS] = {
	AT(DOCSIS) = HAS_CIPHERS,
	AT(PDCP) = HAS_CHAINS | HAS_SN_SIZES,
	AT(ESP) = HAS_IPSEC | HAS_CIPHERS | HAS_AEADS,
	AT(AH) = HAS_IPSEC,
	AT(TLS12) = HAS_TLS | HAS_CHAINS,
	AT(TLS13) = HAS_TLS,
	AT(DTLS12) = HAS_TLS | HAS_CHAINS | HAS_WINDOW,
};

static_assert(offsetof(struct accel_devtree, dtls12) ==
		      offsetof(struct accel_devtree,
			       protocol[ACCEL_HW_PROTO_DTLS12 - ACCEL_HW_PROTO_DOCSIS]),
	      "protocols are in the order of their numbers");

/* Takes the node of a protocol. Options that this driver does not know are ignored. */
int
accel_dt_take_protocol(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	const unsigned int i = node->kind - ACCEL_HW_PROTO_DOCSIS, has = dt_protocol_has[i];
	struct accel_dt_protocol *to = &p->dt->protocol[i];
	uint32_t id;

	to->present = true;
	if (accel_dt_u32(node, DT_ALG_ID, node->kind, node->kind, &id) != 0)
		return -EINVAL;
	if (node->kind == ACCEL_HW_PROTO_AH) /* applications may give it the cipher NULL */
		to->ciphers = UINT64_C(1) << ACCEL_HW_CIPHER_NULL;
	if (((has & HAS_CIPHERS) != 0 && accel_dt_set(node, DT_CIPHERS, 0, &to->ciphers) != 0) ||
	    ((has & HAS_AUTHS) != 0 &&
	     accel_dt_set(node, DT_AUTHS, ACCEL_DT_AUTH_FIRST, &to->auths) != 0) ||
	    ((has & HAS_AEADS) != 0 &&
	     accel_dt_set(node, DT_AEADS, ACCEL_DT_AEAD_FIRST, &to->aeads) != 0) ||
	    ((has & HAS_SN_SIZES) != 0 && accel_dt_set(node, DT_SN_SIZES, 0, &to->sn_sizes) != 0))
		return -EINVAL;
	if ((has & HAS_OPTIONS) != 0 &&
	    (accel_dt_u32(node, DT_OPTIONS, 0, UINT32_MAX, &to->options) != 0 ||
	     accel_dt_flag(node, DT_TRANSPORT, &to->transport) != 0))
		return -EINVAL;
	to->options &= ACCEL_HW_IPSEC_OPTIONS;
	if ((has & HAS_WINDOW) != 0 &&
	    accel_dt_u32(node, DT_REPLAY_WINDOW_MAX, 0, ACCEL_HW_IPSEC_WINDOW_MAX,
			 &to->replay_window_max) != 0)
		return -EINVAL;
	return (has & HAS_OVERLAP) != 0 ? accel_dt_flag(node, DT_OVERLAP, &to->overlap) : 0;
}

bool
accel_dt_protocol_has(const struct accel_dt_protocol *protocol, enum accel_alg_class class,
		      unsigned int hw)
{
	const uint64_t set = class == ACCEL_ALG_CIPHER ? protocol->ciphers :
			     class == ACCEL_ALG_AUTH   ? protocol->auths :
							 protocol->aeads;
	const unsigned int first = class == ACCEL_ALG_CIPHER ? 0 :
				   class == ACCEL_ALG_AUTH   ? ACCEL_DT_AUTH_FIRST :
							       ACCEL_DT_AEAD_FIRST;

	return protocol->present && hw >= first && hw - first < 64 &&
	       (set >> (hw - first) & 1) != 0;
}
