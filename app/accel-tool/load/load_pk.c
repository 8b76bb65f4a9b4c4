/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes and judges public-key operations of a load. See load_pk.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load_pk.h"

/* ------------------------------------------------------------------ keys */

static bool
offered(const struct load *l, const struct load_pk_alg *alg)
{
	const struct rte_cryptodev_asym_capability_idx idx = { .type = alg->type };
	const struct rte_cryptodev_asymmetric_xform_capability *cap;

	if ((l->device->info.feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) == 0)
		return false;
	cap = rte_cryptodev_asym_capability_get(l->t.dev, &idx);
	return cap != NULL;
}

/* Adds a key. Returns TOOL_ABSENT if the device does not have it. */
static int
add_key(struct load *l, const struct load_pk_alg *alg)
{
	struct load_pk_key *key = &l->pk[l->nb_pk];
	uint64_t random = e2e_rand(&l->t.rng) | 1;

	if (!offered(l, alg))
		return TOOL_ABSENT;
	key->alg = alg;
	if (!ref_pk_key_make(&key->key, alg->type, alg->size, &random)) {
		tool_error("OpenSSL does not make a key for %s", alg->name);
		return TOOL_BROKEN;
	}
	l->nb_pk++;
	if (rte_cryptodev_asym_session_create(l->t.dev, &key->key.xform, l->pk_sessions,
					      &key->session) == 0)
		return TOOL_GOOD;
	l->nb_pk--;
	ref_pk_key_free(&key->key);
	return TOOL_ABSENT;
}

int
load_pk_start(struct load *l)
{
	unsigned int i;
	int ret;

	if (l->conf.pk == 0)
		return TOOL_GOOD;
	l->pk = calloc(load_nb_pk_algs, sizeof(*l->pk));
	l->pk_sessions = rte_cryptodev_asym_session_pool_create("tool_pk_sess", load_nb_pk_algs, 0,
								0, SOCKET_ID_ANY);
	l->pk_ops = rte_crypto_op_pool_create("tool_pk_op", RTE_CRYPTO_OP_TYPE_ASYMMETRIC,
					      l->conf.depth, 0, 0, SOCKET_ID_ANY);
	if (l->pk == NULL || l->pk_sessions == NULL || l->pk_ops == NULL) {
		tool_error("no memory for public keys");
		return TOOL_BROKEN;
	}
	l->t.rng.s = l->conf.seed;
	for (i = 0; i < load_nb_pk_algs; i++) {
		if ((l->conf.pk & 1u << i) == 0)
			continue;
		ret = add_key(l, &load_pk_algs[i]);
		if (ret == TOOL_BROKEN)
			return ret;
		if (ret == TOOL_ABSENT && !l->conf.pk_offered) {
			tool_error("%s does not offer %s; '" TOOL_NAME " info' lists what it does",
				   l->device->name, load_pk_algs[i].name);
			return ret;
		}
	}
	if (l->nb_pk != 0)
		return TOOL_GOOD;
	tool_error("%s has no public keys", l->device->name);
	return TOOL_ABSENT;
}

void
load_pk_end(struct load *l)
{
	unsigned int i;

	for (i = 0; i < l->nb_pk; i++) {
		rte_cryptodev_asym_session_free(l->t.dev, l->pk[i].session);
		ref_pk_key_free(&l->pk[i].key);
	}
	free(l->pk);
}

/* ------------------------------------------------------------------ operations */

bool
load_pk_init(struct load *l, struct load_item *it)
{
	if (l->nb_pk == 0)
		return true;
	it->asym = rte_crypto_op_alloc(l->pk_ops, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
	it->job = calloc(1, sizeof(*it->job));
	return it->asym != NULL && it->job != NULL;
}

void
load_pk_again(struct load_item *it)
{
	ref_pk_again(it->job);
	*it->asym->asym = it->job->asym;
	rte_crypto_op_attach_asym_session(it->asym, it->pk->session);
	it->asym->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
}

bool
load_pk_build(struct load *l, struct load_item *it)
{
	struct load_pk_key *key = &l->pk[e2e_range(&l->t.rng, 0, l->nb_pk - 1)];
	const unsigned int type = e2e_range(&l->t.rng, 0, ref_pk_types(key->alg->type) - 1);
	uint64_t random = e2e_rand(&l->t.rng) | 1;

	it->pk = key;
	it->op = it->asym;
	it->bytes = 0;
	if (!ref_pk_fill(it->job, &key->key, type, &random)) {
		snprintf(l->first, sizeof(l->first), "OpenSSL does not carry out %s, type %u",
			 key->alg->name, type);
		return false;
	}
	load_pk_again(it);
	return true;
}

bool
load_pk_right(struct load *l, struct load_item *it)
{
	const uint8_t status = it->asym->status, want = it->job->want;
	const bool right = status == want && ref_pk_right(it->job, it->asym->asym);

	it->pk->count.operations++;
	it->pk->count.errors += !right;
	if (status != want)
		snprintf(l->t.note, sizeof(l->t.note), "operation %s, type %u: status %s, expected "
			 "%s", it->pk->alg->name, it->job->type, e2e_status_name(status),
			 e2e_status_name(want));
	else if (!right)
		snprintf(l->t.note, sizeof(l->t.note), "operation %s, type %u: wrong result",
			 it->pk->alg->name, it->job->type);
	return right;
}
