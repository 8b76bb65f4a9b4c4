/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Runs the published vectors of test/vectors/sym, one test for each file. A line is
 *
 *   from FILE                                the vectors that follow are of this file of the source
 *   ALG n=NUMBER FIELD=HEX... [fails]        a vector
 *
 * ALG is a name of algs.c. The fields are key, iv, aad, in (text, or what is authenticated), out
 * (cipher text) and tag (digest). A vector that fails has a wrong tag: it is only deciphered.
 */

#include <glob.h>

#include "kat.h"

#define MAX_FILES 32u
#define LINE_MAX_LEN 8192
#define MAX_FIELDS 10u

static char paths[MAX_FILES][256], names[MAX_FILES][64];
static unsigned int nb_files;

/* Finds an algorithm by its name. False: there is none. */
static bool
find_alg(const char *name, struct e2e_kat *v)
{
	unsigned int i;

	for (i = 0; i < e2e_nb_ciphers; i++) {
		if (strcmp(e2e_ciphers[i].name, name) == 0)
			v->cipher = e2e_ciphers[i].algo;
	}
	for (i = 0; i < e2e_nb_auths; i++) {
		if (strcmp(e2e_auths[i].name, name) == 0)
			v->auth = e2e_auths[i].algo;
	}
	for (i = 0; i < e2e_nb_aeads; i++) {
		if (strcmp(e2e_aeads[i].name, name) == 0)
			v->aead = e2e_aeads[i].algo;
	}
	return v->cipher != 0 || v->auth != 0 || v->aead != 0;
}

/* The field of a vector. NULL: there is no such field. */
static const char **
field_of(struct e2e_kat *v, const char *name)
{
	const struct {
		const char *name;
		const char **at;
	} fields[] = {
		{ "key", v->auth != 0 ? &v->auth_key : &v->key },
		{ "iv", v->auth != 0 ? &v->auth_iv : &v->iv },
		{ "aad", &v->aad },
		{ "in", &v->in },
		{ "out", &v->out },
		{ "tag", &v->digest },
		{ "n", &v->group },
	};
	unsigned int i;

	for (i = 0; i < RTE_DIM(fields); i++) {
		if (strcmp(fields[i].name, name) == 0)
			return fields[i].at;
	}
	return NULL;
}

/* Takes a vector from the words of a line, which stay where they are. */
static bool
parse_vector(char *line, struct e2e_kat *v)
{
	char *word, *save = NULL, *value;
	const char **at;

	memset(v, 0, sizeof(*v));
	word = strtok_r(line, " \n", &save);
	if (word == NULL || !find_alg(word, v))
		return false;
	while ((word = strtok_r(NULL, " \n", &save)) != NULL) {
		if (strcmp(word, "fails") == 0) {
			v->fails = true;
			continue;
		}
		value = strchr(word, '=');
		if (value == NULL)
			return false;
		*value++ = '\0';
		at = field_of(v, word);
		if (at == NULL)
			return false;
		*at = value;
	}
	if (v->fails)
		v->in = v->out; /* only its length counts */
	return true;
}

static int
run_file(struct e2e *t, const void *arg)
{
	unsigned int number = 0, all = 0, done = 0, ops = 0;
	static char line[LINE_MAX_LEN], from[64], origin[160];
	struct e2e_kat v;
	FILE *file;
	int ret = E2E_PASS;

	file = fopen(arg, "r");
	CHECK(t, file != NULL, "cannot read %s", (const char *)arg);
	while (ret == E2E_PASS && fgets(line, sizeof(line), file) != NULL) {
		number++;
		if (line[0] == '#' || line[0] == '\n' || sscanf(line, "from %63s", from) == 1)
			continue;
		if (strchr(line, '\n') == NULL || !parse_vector(line, &v)) {
			ret = e2e_fail(t, __FILE__, __LINE__, "%s:%u: not a vector",
				       (const char *)arg, number);
			break;
		}
		snprintf(origin, sizeof(origin), "%s, %s, line %u", from,
			 v.group != NULL ? v.group : "", number);
		v.origin = origin;
		all++;
		ret = e2e_kat_run(t, &v, &done, &ops);
	}
	fclose(file);
	if (ret != E2E_PASS)
		return ret;
	if (done == 0)
		return e2e_skip(t, "not in the device's capabilities");
	e2e_note(t, "%u of %u vectors, %u ops", done, all, ops);
	return E2E_PASS;
}

void
e2e_add_kat_files(const char *folder)
{
	char pattern[256], *base;
	glob_t found;
	size_t i;

	if (folder == NULL)
		return;
	snprintf(pattern, sizeof(pattern), "%s/*.txt", folder);
	if (glob(pattern, 0, NULL, &found) != 0)
		return;
	for (i = 0; i < found.gl_pathc && nb_files < MAX_FILES; i++, nb_files++) {
		snprintf(paths[nb_files], sizeof(paths[0]), "%s", found.gl_pathv[i]);
		base = strrchr(paths[nb_files], '/') + 1;
		snprintf(names[nb_files], sizeof(names[0]), "kat/file-%.*s",
			 (int)strcspn(base, "."), base);
		e2e_add(names[nb_files], run_file, paths[nb_files], false);
	}
	globfree(&found);
}
