/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Lists the public keys of a load, and reads lists of algorithms and mixes of sizes from a command
 * line. See load_conf.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tool.h"
#include "load_conf.h"

/* ------------------------------------------------------------------ algorithms */

/* Lists the kinds of public keys. Longer keys would take seconds to make. */
const struct load_pk_alg load_pk_algs[] = {
	{ "rsa-1024", RTE_CRYPTO_ASYM_XFORM_RSA, 1024 },
	{ "rsa-2048", RTE_CRYPTO_ASYM_XFORM_RSA, 2048 },
	{ "modexp-2048", RTE_CRYPTO_ASYM_XFORM_MODEX, 2048 },
	{ "modinv-2048", RTE_CRYPTO_ASYM_XFORM_MODINV, 2048 },
	{ "dh-2048", RTE_CRYPTO_ASYM_XFORM_DH, 2048 },
	{ "dsa-2048", RTE_CRYPTO_ASYM_XFORM_DSA, 2048 },
	{ "ecdsa-p256", RTE_CRYPTO_ASYM_XFORM_ECDSA, RTE_CRYPTO_EC_GROUP_SECP256R1 },
	{ "ecdsa-p384", RTE_CRYPTO_ASYM_XFORM_ECDSA, RTE_CRYPTO_EC_GROUP_SECP384R1 },
	{ "ecdsa-p521", RTE_CRYPTO_ASYM_XFORM_ECDSA, RTE_CRYPTO_EC_GROUP_SECP521R1 },
	{ "ecdh-p256", RTE_CRYPTO_ASYM_XFORM_ECDH, RTE_CRYPTO_EC_GROUP_SECP256R1 },
	{ "ecdh-p384", RTE_CRYPTO_ASYM_XFORM_ECDH, RTE_CRYPTO_EC_GROUP_SECP384R1 },
	{ "ecdh-p521", RTE_CRYPTO_ASYM_XFORM_ECDH, RTE_CRYPTO_EC_GROUP_SECP521R1 },
	{ "ecpm-p256", RTE_CRYPTO_ASYM_XFORM_ECPM, RTE_CRYPTO_EC_GROUP_SECP256R1 },
};
const unsigned int load_nb_pk_algs = RTE_DIM(load_pk_algs);

static_assert(RTE_DIM(load_pk_algs) <= 32, "load_conf.pk has a bit for each");

unsigned int
load_pk_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < load_nb_pk_algs && strcmp(load_pk_algs[i].name, name) != 0; i++)
		;
	return i;
}

const char *
load_choice_name(const struct load_choice *c)
{
	static char text[96];
	const char *first, *second = NULL;

	if (c->aead != NULL) {
		first = c->aead->name;
	} else if (c->cipher != NULL && c->auth != NULL) {
		first = c->auth_first ? c->auth->name : c->cipher->name;
		second = c->auth_first ? c->cipher->name : c->auth->name;
	} else {
		first = c->cipher != NULL ? c->cipher->name : c->auth->name;
	}
	snprintf(text, sizeof(text), "%s%s%s", first, second != NULL ? "+" : "",
		 second != NULL ? second : "");
	return text;
}

/* Prints that a name is wrong, and the names that --algorithms takes. */
static void
wrong_name(const struct load_conf *conf, const char *name)
{
	char list[1024];
	size_t n = 0;
	unsigned int i;

	for (i = 0; i < e2e_nb_ciphers; i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, " %s", e2e_ciphers[i].name);
	for (i = 0; i < e2e_nb_auths; i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, " %s", e2e_auths[i].name);
	for (i = 0; i < e2e_nb_aeads; i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, " %s", e2e_aeads[i].name);
	tool_usage("there is no algorithm '%s' (or it cannot stand there)", name);
	fprintf(stderr, "algorithms:%s; CIPHER+HASH and HASH+CIPHER are chains\n", list);
	if (!conf->pk_known)
		return;
	fprintf(stderr, "public keys: " LOAD_PK_ALL);
	for (i = 0; i < load_nb_pk_algs; i++)
		fprintf(stderr, " %s", load_pk_algs[i].name);
	fprintf(stderr, "\n");
}

static bool
add_cipher(const char *name, struct load_choice *c)
{
	unsigned int i;

	for (i = 0; i < e2e_nb_ciphers && c->cipher == NULL; i++) {
		if (strcmp(e2e_ciphers[i].name, name) == 0) {
			c->cipher = &e2e_ciphers[i];
			return true;
		}
	}
	return false;
}

static bool
add_auth(const char *name, struct load_choice *c)
{
	unsigned int i;

	for (i = 0; i < e2e_nb_auths && c->auth == NULL; i++) {
		if (strcmp(e2e_auths[i].name, name) == 0) {
			c->auth = &e2e_auths[i];
			return true;
		}
	}
	return false;
}

static bool
add_aead(const char *name, struct load_choice *c)
{
	unsigned int i;

	for (i = 0; i < e2e_nb_aeads; i++) {
		if (strcmp(e2e_aeads[i].name, name) == 0) {
			c->aead = &e2e_aeads[i];
			return true;
		}
	}
	return false;
}

/* Reads one choice: a name, or two names with "+" between. */
static bool
parse_choice(char *text, struct load_choice *c)
{
	char *second = strchr(text, '+');

	memset(c, 0, sizeof(*c));
	if (second == NULL)
		return add_cipher(text, c) || add_auth(text, c) || add_aead(text, c);
	*second++ = '\0';
	if (add_cipher(text, c))
		return add_auth(second, c);
	c->auth_first = true;
	return add_auth(text, c) && add_cipher(second, c);
}

/* Adds the public keys that a name stands for. Returns false if no public key has this name. */
static bool
add_pk(struct load_conf *conf, const char *name)
{
	const unsigned int i = load_pk_find(name);

	if (!conf->pk_known)
		return false;
	if (strcmp(name, LOAD_PK_ALL) == 0) {
		conf->pk = (uint32_t)((UINT64_C(1) << load_nb_pk_algs) - 1);
		conf->pk_offered = true;
		return true;
	}
	if (i == load_nb_pk_algs)
		return false;
	conf->pk |= UINT32_C(1) << i;
	return true;
}

bool
load_parse_algorithms(struct load_conf *conf, const char *text)
{
	char *copy = strdup(text), *rest = NULL, *word;
	bool good = copy != NULL;
	char name[64];

	conf->nb_choices = 0;
	conf->pk = 0;
	conf->pk_offered = false;
	for (word = good ? strtok_r(copy, ",", &rest) : NULL; word != NULL && good;
			word = strtok_r(NULL, ",", &rest)) {
		snprintf(name, sizeof(name), "%s", word);
		if (add_pk(conf, name))
			continue;
		if (conf->nb_choices == LOAD_CHOICES) {
			tool_usage("--algorithms takes at most %u of them", LOAD_CHOICES);
			good = false;
		} else if (!parse_choice(word, &conf->choice[conf->nb_choices])) {
			wrong_name(conf, name);
			good = false;
		} else {
			conf->nb_choices++;
		}
	}
	if (good && conf->nb_choices == 0 && conf->pk == 0) {
		wrong_name(conf, text);
		good = false;
	}
	free(copy);
	return good;
}

/* ------------------------------------------------------------------ sizes */

/* Reads SIZE or LOW-HIGH, with :WEIGHT or without. */
static bool
parse_size(const char *text, struct load_size *s)
{
	unsigned long v[3];
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	v[0] = v[1] = strtoul(text, &end, 10);
	v[2] = 1;
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		v[1] = strtoul(end + 1, &end, 10);
	if (*end == ':' && end[1] >= '0' && end[1] <= '9')
		v[2] = strtoul(end + 1, &end, 10);
	if (*end != '\0' || v[0] == 0 || v[0] > v[1] || v[1] > LOAD_SIZE || v[2] == 0 ||
			v[2] > 1000000)
		return false;
	s->lo = (uint32_t)v[0];
	s->hi = (uint32_t)v[1];
	s->weight = (uint32_t)v[2];
	return true;
}

bool
load_parse_sizes(struct load_conf *conf, const char *text)
{
	char *copy, *rest = NULL, *word;
	bool good;

	conf->nb_sizes = 0;
	if (strcmp(text, "random") == 0)
		return true;
	/* The name "imix" stands for the simple Internet mix of sizes of IP packets. */
	copy = strdup(strcmp(text, "imix") == 0 ? "40:7,576:4,1500:1" : text);
	good = copy != NULL;
	for (word = good ? strtok_r(copy, ",", &rest) : NULL; word != NULL && good;
			word = strtok_r(NULL, ",", &rest))
		good = conf->nb_sizes < LOAD_SIZES &&
		       parse_size(word, &conf->size[conf->nb_sizes++]);
	free(copy);
	if (good && conf->nb_sizes != 0)
		return true;
	tool_usage("--sizes takes imix, random, or up to %u parts such as 64, 64-1500 or 64:7 "
		   "(with a weight), of 1 to %u bytes, not '%s'", LOAD_SIZES, LOAD_SIZE, text);
	return false;
}
