/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Algorithms and protocols of the card's device tree (manual section 10). The blob is untrusted, so
 * every size is checked against the room that a context has for it.
 */
#include <errno.h>
#include <string.h>

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
	    (step != 0 && (max - min) % step != 0)) {
		DT_ERR(node, "%s <%u %u %u> is no range up to %u", accel_dt_prop_name[id], min,
		       max, step, limit);
		return -EINVAL;
	}
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

	if ((unsigned int)node->prop[id].len % group != 0) {
		DT_ERR(node, "property %s has %d bytes, which are no groups of %u",
		       accel_dt_prop_name[id], node->prop[id].len, group);
		return -EINVAL;
	}
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

int
accel_dt_take_sym(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	uint32_t size;

	if (p->nb_sym++ != 0) {
		DT_ERR(node, "there is more than one such node");
		return -EINVAL;
	}
	if (accel_dt_u32(node, DT_CONTEXT_SIZE, sizeof(struct accel_hw_context),
		   sizeof(struct accel_hw_context), &size) != 0)
		return -EINVAL;
	if (accel_dt_flag(node, DT_CHAIN_CIPHER_AUTH, &p->dt->chain_cipher_auth) != 0 ||
	    accel_dt_flag(node, DT_CHAIN_AUTH_CIPHER, &p->dt->chain_auth_cipher) != 0 ||
	    accel_dt_flag(node, DT_DIGEST_IN_STREAM, &p->dt->digest_in_stream) != 0 ||
	    accel_dt_flag(node, DT_AUTH_IV_IN_STREAM, &p->dt->auth_iv_in_stream) != 0)
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
	    !rte_is_power_of_2(max)) {
		DT_ERR(node, "data units of %u to %u bytes must be powers of two, %u or more", min,
		       max, ACCEL_HW_DATA_UNIT_MIN);
		return -EINVAL;
	}
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

		if (key > key_max || iv > ACCEL_HW_LONG_IV_MAX) {
			DT_ERR(node, "a key of %u bytes with an IV of %u has no room in a context",
			       key, iv);
			return -EINVAL;
		}
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

		if (size == 0 || size > ACCEL_HW_DIGEST_MAX) {
			DT_ERR(node, "a digest of %u bytes is not in 1 to %u", size,
			       ACCEL_HW_DIGEST_MAX);
			return -EINVAL;
		}
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
	if (accel_dt_cell(node, DT_REGION_SIZES, 0) > accel_dt_cell(node, DT_REGION_SIZES, 1)) {
		DT_ERR(node, "the least region of %u bytes is above the largest of %u",
		       accel_dt_cell(node, DT_REGION_SIZES, 0),
		       accel_dt_cell(node, DT_REGION_SIZES, 1));
		return -EINVAL;
	}
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
static int
dt_take_alg(struct accel_dt_parser *p, const struct accel_dt_node *node, enum accel_alg_class class)
{
	struct accel_dt_alg alg = { .class = class };
	uint32_t id;

	if (accel_dt_u32(node, DT_ALG_ID, 0, UINT32_MAX, &id) != 0)
		return -EINVAL;
	if (dt_class(id) == ACCEL_ALG_ABSENT)
		return 0;
	if (dt_class(id) != class) {
		DT_ERR(node, "%s %u is the number of another kind of algorithm",
		       accel_dt_prop_name[DT_ALG_ID], id);
		return -EINVAL;
	}
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
accel_dt_take_cipher(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	return dt_take_alg(p, node, ACCEL_ALG_CIPHER);
}

int
accel_dt_take_auth(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	return dt_take_alg(p, node, ACCEL_ALG_AUTH);
}

int
accel_dt_take_aead(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	return dt_take_alg(p, node, ACCEL_ALG_AEAD);
}

int
accel_dt_set(const struct accel_dt_node *node, enum accel_dt_prop id, uint32_t first, uint64_t *set)
{
	uint32_t n;
	int i;

	if (!accel_dt_has(node, id) || node->prop[id].len % (int)sizeof(fdt32_t) != 0) {
		DT_ERR(node, "property %s is missing or not made of cells", accel_dt_prop_name[id]);
		return -EINVAL;
	}
	*set = 0;
	for (i = 0; i < node->prop[id].len / (int)sizeof(fdt32_t); i++) {
		n = accel_dt_cell(node, id, (unsigned int)i);
		if (n >= first && n - first < DT_SET_BITS)
			*set |= UINT64_C(1) << (n - first);
	}
	return 0;
}

/* Begins the node of a protocol. It may exist only once, and its number must be @p number. */
static int
dt_protocol(const struct accel_dt_node *node, uint32_t number, struct accel_dt_protocol *protocol)
{
	uint32_t id;

	if (protocol->present) {
		DT_ERR(node, "there is more than one such node");
		return -EINVAL;
	}
	protocol->present = true;
	return accel_dt_u32(node, DT_ALG_ID, number, number, &id);
}

int
accel_dt_take_docsis(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	struct accel_dt_protocol *docsis = &p->dt->docsis;

	if (dt_protocol(node, ACCEL_HW_PROTO_DOCSIS, docsis) != 0)
		return -EINVAL;
	return accel_dt_set(node, DT_CIPHERS, 0, &docsis->ciphers);
}

int
accel_dt_take_pdcp(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	struct accel_dt_protocol *pdcp = &p->dt->pdcp;

	if (dt_protocol(node, ACCEL_HW_PROTO_PDCP, pdcp) != 0 ||
	    accel_dt_set(node, DT_CIPHERS, 0, &pdcp->ciphers) != 0 ||
	    accel_dt_set(node, DT_AUTHS, ACCEL_DT_AUTH_FIRST, &pdcp->auths) != 0)
		return -EINVAL;
	return accel_dt_set(node, DT_SN_SIZES, 0, &pdcp->sn_sizes);
}

/* Takes what ESP and AH have in common. Options that this driver does not know are ignored. */
static int
dt_ipsec(const struct accel_dt_node *node, uint32_t number, struct accel_dt_protocol *ipsec)
{
	if (dt_protocol(node, number, ipsec) != 0 ||
	    accel_dt_set(node, DT_AUTHS, ACCEL_DT_AUTH_FIRST, &ipsec->auths) != 0 ||
	    accel_dt_u32(node, DT_OPTIONS, 0, UINT32_MAX, &ipsec->options) != 0 ||
	    accel_dt_u32(node, DT_REPLAY_WINDOW_MAX, 0, ACCEL_HW_IPSEC_WINDOW_MAX,
			 &ipsec->replay_window_max) != 0)
		return -EINVAL;
	ipsec->options &= ACCEL_HW_IPSEC_OPTIONS;
	if (accel_dt_flag(node, DT_TRANSPORT, &ipsec->transport) != 0)
		return -EINVAL;
	return accel_dt_flag(node, DT_OVERLAP, &ipsec->overlap);
}

int
accel_dt_take_esp(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	struct accel_dt_protocol *esp = &p->dt->esp;

	if (dt_ipsec(node, ACCEL_HW_PROTO_ESP, esp) != 0 ||
	    accel_dt_set(node, DT_CIPHERS, 0, &esp->ciphers) != 0)
		return -EINVAL;
	return accel_dt_set(node, DT_AEADS, ACCEL_DT_AEAD_FIRST, &esp->aeads);
}

int
accel_dt_take_ah(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	/* AH has no cipher. Applications may give it the cipher NULL. */
	p->dt->ah.ciphers = UINT64_C(1) << ACCEL_HW_CIPHER_NULL;
	return dt_ipsec(node, ACCEL_HW_PROTO_AH, &p->dt->ah);
}

/* Takes what the nodes of TLS 1.2, TLS 1.3 and DTLS 1.2 have in common. */
static int
dt_tls(const struct accel_dt_node *node, uint32_t number, struct accel_dt_protocol *tls)
{
	if (dt_protocol(node, number, tls) != 0 ||
	    accel_dt_set(node, DT_AEADS, ACCEL_DT_AEAD_FIRST, &tls->aeads) != 0)
		return -EINVAL;
	return accel_dt_flag(node, DT_OVERLAP, &tls->overlap);
}

/* Takes the ciphers of TLS 1.2 and DTLS 1.2 that are no AEADs, and their authentication. */
static int
dt_tls_chains(const struct accel_dt_node *node, struct accel_dt_protocol *tls)
{
	if (accel_dt_set(node, DT_CIPHERS, 0, &tls->ciphers) != 0)
		return -EINVAL;
	return accel_dt_set(node, DT_AUTHS, ACCEL_DT_AUTH_FIRST, &tls->auths);
}

int
accel_dt_take_tls12(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	if (dt_tls(node, ACCEL_HW_PROTO_TLS12, &p->dt->tls12) != 0)
		return -EINVAL;
	return dt_tls_chains(node, &p->dt->tls12);
}

int
accel_dt_take_tls13(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	return dt_tls(node, ACCEL_HW_PROTO_TLS13, &p->dt->tls13);
}

int
accel_dt_take_dtls12(struct accel_dt_parser *p, const struct accel_dt_node *node)
{
	if (dt_tls(node, ACCEL_HW_PROTO_DTLS12, &p->dt->dtls12) != 0 ||
	    accel_dt_u32(node, DT_REPLAY_WINDOW_MAX, 0, ACCEL_HW_IPSEC_WINDOW_MAX,
			 &p->dt->dtls12.replay_window_max) != 0)
		return -EINVAL;
	return dt_tls_chains(node, &p->dt->dtls12);
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
