/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Parses the device argument vf_shares, which has shares of virtual functions: see accel_args.h.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cryptodev.h>

#include "accel_args.h"
#include "accel_capabilities.h"
#include "accel_logs.h"
#include "accel_vf.h"
#include "hw/accel_hw.h"

#define ALGORITHMS_PER_WORD 64u

/* This is the form of the argument, for messages. */
#define SYNTAX "VF[-VF]:qp@N[:weight@N][:ops@N][:bytes@N][:alg@NAME[+NAME...]][/VF...]"

static void
add_algorithm(struct rte_pmd_accel_vf_share *share, unsigned int number)
{
	share->algorithms[number / ALGORITHMS_PER_WORD] |=
		UINT64_C(1) << number % ALGORITHMS_PER_WORD;
}

static bool
add_row(struct rte_pmd_accel_vf_share *share, enum accel_alg_class class, int rte)
{
	const struct accel_alg *alg = accel_alg_find(class, rte);

	if (alg != NULL)
		add_algorithm(share, alg->hw);
	return alg != NULL;
}

/*
 * Adds the algorithms that the card calls by a name. The cipher NULL and the authentication NULL
 * share a name.
 */
static bool
add_of_card(struct rte_pmd_accel_vf_share *share, const char *name)
{
	static const char *const names[ACCEL_HW_ALG_NB] = {
#define SYM(id, number, class, name, ...) [id] = name,
#define OTHER(id, number, name) [id] = name,
		ACCEL_HW_SYM_ALGS(SYM)
		ACCEL_HW_OTHER_ALGS(OTHER)
#undef SYM
#undef OTHER
	};
	bool known = false;
	unsigned int id;

	for (id = 0; id < ACCEL_HW_ALG_NB; id++) {
		if (names[id] != NULL && strcmp(name, names[id]) == 0) {
			add_algorithm(share, id);
			known = true;
		}
	}
	return known;
}

/*
 * Adds the algorithms of a name, which is the card's, rte_cryptodev's, or a number of manual 8.2.
 */
static bool
add_name(struct rte_pmd_accel_vf_share *share, const char *name)
{
	enum rte_crypto_cipher_algorithm cipher = RTE_CRYPTO_CIPHER_NULL;
	enum rte_crypto_auth_algorithm auth = RTE_CRYPTO_AUTH_NULL;
	enum rte_crypto_aead_algorithm aead = RTE_CRYPTO_AEAD_AES_CCM;
	bool known = true;
	uint64_t number;

	if (accel_args_number(name, 1, ACCEL_HW_ALG_NB - 1, &number) == 0)
		add_algorithm(share, (unsigned int)number);
	else
		known = add_of_card(share, name);
	if (rte_cryptodev_get_cipher_algo_enum(&cipher, name) == 0)
		known |= add_row(share, ACCEL_ALG_CIPHER, (int)cipher);
	if (rte_cryptodev_get_auth_algo_enum(&auth, name) == 0)
		known |= add_row(share, ACCEL_ALG_AUTH, (int)auth);
	if (rte_cryptodev_get_aead_algo_enum(&aead, name) == 0)
		known |= add_row(share, ACCEL_ALG_AEAD, (int)aead);
	return known;
}

/*
 * Parses names of algorithms joined by '+'. The share then has only these algorithms. Returns NULL,
 * or what is wrong.
 */
static const char *
parse_algorithms(char *names, struct rte_pmd_accel_vf_share *share)
{
	char *name;

	memset(share->algorithms, 0, sizeof(share->algorithms));
	while ((name = strsep(&names, "+")) != NULL) {
		if (!add_name(share, name))
			return "alg@ has a name that is not an algorithm of the card or of "
			       "rte_cryptodev, nor a number from 1 to 255";
	}
	return NULL;
}

/* Lists the keys of an item. An item may have each key once. */
enum vf_key { KEY_QP, KEY_WEIGHT, KEY_OPS, KEY_BYTES, KEY_ALG, NB_KEYS };

static const char *
parse_value(enum vf_key key, char *value, struct rte_pmd_accel_vf_share *share)
{
	uint64_t number;

	switch (key) {
	case KEY_QP:
		if (accel_args_number(value, 0, UINT16_MAX, &number) != 0)
			return "qp@ takes the number of queue pairs, 0 to 65535";
		share->queue_pairs = (uint16_t)number;
		return NULL;
	case KEY_WEIGHT:
		if (accel_args_number(value, 1, UINT16_MAX, &number) != 0)
			return "weight@ takes a number from 1 to 65535";
		share->weight = (uint16_t)number;
		return NULL;
	case KEY_OPS:
		if (accel_args_number(value, 0, UINT64_MAX, &share->ops_per_second) != 0)
			return "ops@ takes operations per second, such as 500k or 1M";
		return NULL;
	case KEY_BYTES:
		if (accel_args_number(value, 0, UINT64_MAX, &share->bytes_per_second) != 0)
			return "bytes@ takes bytes per second, such as 500M or 1G";
		return NULL;
	default:
		return parse_algorithms(value, share);
	}
}

static const char *
parse_pair(char *pair, struct rte_pmd_accel_vf_share *share, unsigned int *seen)
{
	static const char *const keys[NB_KEYS] = {
		[KEY_QP] = "qp", [KEY_WEIGHT] = "weight", [KEY_OPS] = "ops",
		[KEY_BYTES] = "bytes", [KEY_ALG] = "alg",
	};
	const char *name = strsep(&pair, "@");
	unsigned int key;

	if (pair == NULL)
		return "a key is followed by @ and a value";
	for (key = 0; key < NB_KEYS && strcmp(name, keys[key]) != 0; key++)
		;
	if (key == NB_KEYS)
		return "valid keys are qp, weight, ops, bytes and alg";
	if ((*seen & 1u << key) != 0)
		return "a key is given twice";
	*seen |= 1u << key;
	return parse_value((enum vf_key)key, pair, share);
}

/* Parses "VF" or "VF-VF". Returns NULL, or what is wrong. */
static const char *
parse_range(char *text, struct accel_vf_item *item)
{
	const char *from = strsep(&text, "-");
	uint64_t first, last;

	if (accel_args_number(from, 0, ACCEL_HW_VFS_MAX - 1, &first) != 0 ||
	    accel_args_number(text != NULL ? text : from, first, ACCEL_HW_VFS_MAX - 1,
			      &last) != 0)
		return "it begins with the number of a VF, or a range of them, from 0 to 255";
	item->first = (uint16_t)first;
	item->last = (uint16_t)last;
	return NULL;
}

/* Parses an item into the next one of the plan. Returns NULL, or what is wrong. */
static const char *
parse_item(char *text, struct accel_vf_plan *plan)
{
	struct accel_vf_item *item = &plan->item[plan->nb];
	unsigned int i, seen = 0;
	const char *wrong;
	char *pair;

	memset(item, 0, sizeof(*item));
	item->share.weight = 1;
	memset(item->share.algorithms, 0xff, sizeof(item->share.algorithms));
	wrong = parse_range(strsep(&text, ":"), item);
	for (i = 0; wrong == NULL && i < plan->nb; i++) {
		if (item->first <= plan->item[i].last && plan->item[i].first <= item->last)
			wrong = "another item has the same VF";
	}
	while (wrong == NULL && (pair = strsep(&text, ":")) != NULL)
		wrong = parse_pair(pair, &item->share, &seen);
	if (wrong == NULL && (seen & 1u << KEY_QP) == 0)
		wrong = "it needs qp@, the number of queue pairs";
	return wrong;
}

int
accel_vf_args_parse(const char *device, const char *text, struct accel_vf_plan *plan)
{
	const char *at, *end, *wrong;
	size_t len;
	char *item;

	plan->nb = 0;
	if (text[0] == '\0')
		return 0;
	for (at = text;; at = end + 1) {
		end = strchr(at, '/');
		len = end != NULL ? (size_t)(end - at) : strlen(at);
		if (plan->nb == ACCEL_VF_ITEMS_MAX) {
			wrong = "there are at most 64 items";
			break;
		}
		item = strndup(at, len);
		if (item == NULL)
			return -ENOMEM;
		wrong = parse_item(item, plan);
		free(item);
		if (wrong != NULL)
			break;
		plan->nb++;
		if (end == NULL)
			return 0;
	}
	return ACCEL_REFUSE(-EINVAL, "%s: device argument vf_shares: \"%.*s\" is no share: %s; the "
			    "form is %s", device, (int)len, at, wrong, SYNTAX);
}
