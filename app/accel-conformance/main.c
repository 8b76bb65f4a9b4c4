/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * accel-conformance: tests any card against the hardware programming manual, without a driver.
 * This file runs the tests.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "duties.h"
#include "options.h"
#include "queue/queue.h"
#include "replay.h"
#include "std_descriptors.h"
#include "tests.h"
#include "tests_card/tests_card.h"

/* Open a function through one of its transports. @return NULL after a message. */
static struct card *
open_card(const struct options *o, struct transport *(*open)(const char *, char *, size_t),
	  const char *path, bool has_dma)
{
	struct card *c = calloc(1, sizeof(*c));
	char error[256] = "no memory";
	int ret;

	if (c == NULL)
		return NULL;
	c->seed = c->random = o->seed;
	c->limit_s = o->limit_s;
	c->verbose = o->verbose;
	c->fatal = o->fatal;
	c->vfio = open == transport_open_vfio ? path : NULL;
	c->owner = o->owner;
	c->ids = o->ids;
	c->generation = (uint32_t)o->seed & 0xffffu;
	c->transport = open(path, error, sizeof(error));
	if (c->transport == NULL) {
		fprintf(stderr, "accel-conformance: %s\n", error);
		free(c);
		return NULL;
	}
	ret = has_dma && o->action == ACTION_TEST ? memory_open(&c->memory, c->transport) : 0;
	if (ret == 0)
		return c;
	fprintf(stderr, "accel-conformance: cannot map memory for the device: %s%s\n",
		strerror(-ret), ret == -ENOMEM || ret == -EPERM ?
		"; raise the limit of locked memory (ulimit -l)" : "");
	exit(1);
}

static void
close_card(struct card *c)
{
	if (c == NULL)
		return;
	if (c->memory.va != NULL)
		memory_close(&c->memory, c->transport);
	tree_free(&c->tree);
	c->transport->ops->close(c->transport);
	free(c);
}

static struct card *
open_function(const struct options *o, const char *socket, const char *vfio)
{
	return socket != NULL ? open_card(o, transport_open_socket, socket, true) :
				open_card(o, transport_open_vfio, vfio, true);
}

/* Open the physical function of a virtual one. Only its registers are used. */
static struct card *
open_pf(const struct options *o)
{
	return o->pf_socket != NULL ? open_card(o, transport_open_socket, o->pf_socket, false) :
				      open_card(o, transport_open_sysfs, o->pf, false);
}

/* True if a subject or a duty matches one of the patterns, which have commas between them. */
static bool
matches(const char *patterns, const char *word)
{
	char list[256];
	char *rest = list, *pattern;

	snprintf(list, sizeof(list), "%s", patterns);
	while ((pattern = strsep(&rest, ",")) != NULL) {
		if (fnmatch(pattern, word, 0) == 0)
			return true;
	}
	return false;
}

/* True if one of the patterns matches the subject or a duty of a test. */
static bool
shows(const char *patterns, const struct test_group *g, const struct test_case *t)
{
	char list[256];
	char *rest = list, *word;

	if (matches(patterns, g->subject))
		return true;
	snprintf(list, sizeof(list), "%s", t->duties);
	while ((word = strsep(&rest, " ")) != NULL) {
		if (matches(patterns, word))
			return true;
	}
	return false;
}

static bool
any_shows(const char *pattern)
{
	for (unsigned int i = 0; i < tests_nb_groups; i++) {
		for (unsigned int j = 0; j < tests_all[i]->nb; j++) {
			if (shows(pattern, tests_all[i], &tests_all[i]->test[j]))
				return true;
		}
	}
	return false;
}

/* Check that each pattern of --only matches something. */
static bool
only_ok(const char *patterns)
{
	char list[256];
	char *rest = list, *pattern;

	snprintf(list, sizeof(list), "%s", patterns);
	while ((pattern = strsep(&rest, ",")) != NULL) {
		if (any_shows(pattern))
			continue;
		fprintf(stderr, "accel-conformance: --only: no test has the duty or subject '%s'; "
			"--list prints those that there are\n", pattern);
		return false;
	}
	return true;
}

/* True if the command line asks for a test. */
static bool
wanted(const struct options *o, const struct test_group *g, const struct test_case *t)
{
	return o->fatal == (g == &tests_fatal) && (o->only == NULL || shows(o->only, g, t));
}

/* Reset the function after a test, and check that the device has written only what is expected. */
static void
check_memory(struct card *c)
{
	uint64_t iova;

	if (c->result.skip[0] == '\0' && !card_reset(c)) {
		result_fail(&c->result, "after the test: RESET_REQ is not echoed");
		return;
	}
	for (unsigned int i = 0; i < c->nb_lines; i++)
		queue_take_line(c, c->line[i]);
	if (!c->result.test_failed && !memory_same(&c->memory, &iova))
		result_fail(&c->result, "after the test: the byte at %#" PRIx64
			    " was written, and nothing asked for it", iova);
}

static void
run_test(struct card *c, const struct test_case *t)
{
	char numbers[256];

	result_begin(&c->result);
	c->nb_lines = 0;
	if (!card_prepare(c)) {
		result_fail(&c->result, "the card cannot be used: %s", c->death);
	} else if (c->pf != NULL && !card_prepare(c->pf)) {
		result_fail(&c->result, "the physical function cannot be used: %s", c->pf->death);
	} else if (c->other != NULL && !card_prepare(c->other)) {
		result_fail(&c->result, "the other function cannot be used: %s", c->other->death);
	} else {
		t->run(c);
		check_memory(c);
	}
	snprintf(numbers, sizeof(numbers), "[%s]", t->duties);
	result_end(&c->result, numbers, t->title, c->verbose);
}

static bool
run_tests(struct card *c, const struct options *o)
{
	unsigned int nb = 0;

	for (int pass = 0; pass < 2; pass++) {
		if (pass == 1)
			result_plan(&c->result, nb);
		for (unsigned int i = 0; i < tests_nb_groups; i++) {
			for (unsigned int j = 0; j < tests_all[i]->nb; j++) {
				const struct test_case *t = &tests_all[i]->test[j];

				if (!wanted(o, tests_all[i], t))
					continue;
				if (pass == 0)
					nb++;
				else
					run_test(c, t);
			}
		}
	}
	if (nb == 0)
		fprintf(stderr, "accel-conformance: no test for %s\n", o->only);
	return result_close(&c->result);
}

static bool
run(const struct options *o)
{
	struct card *c = open_function(o, o->socket, o->vfio);
	bool good = false;

	if (c == NULL)
		return false;
	if (o->other_socket != NULL || o->other_vfio != NULL) {
		c->other = open_function(o, o->other_socket, o->other_vfio);
		if (c->other == NULL)
			goto out;
	}
	if (o->pf_socket != NULL || o->pf != NULL) {
		c->pf = open_pf(o);
		if (c->pf == NULL)
			goto out;
	}
	printf("# seed %" PRIu64 "\n", o->seed);
	good = o->action == ACTION_REPLAY ? replay(c, o->replay) : run_tests(c, o);
out:
	close_card(c->pf);
	close_card(c->other);
	close_card(c);
	return good;
}

static bool
act(const struct options *o)
{
	switch (o->action) {
	case ACTION_HELP:
		options_help();
		return true;
	case ACTION_VERSION:
		puts("accel-conformance " ACCEL_VERSION);
		return true;
	case ACTION_LIST:
		duties_list();
		return duties_check();
	case ACTION_TABLE:
		duties_table();
		return duties_check();
	default:
		return run(o);
	}
}

int
main(int argc, char **argv)
{
	struct options o;
	bool good;

	if (!std_descriptors_open())
		return 1;
	/* OpenSSL says what is right, so no provider of OPENSSL_CONF may take its place. */
	OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
	if (!options_parse(argc, argv, &o) || (o.only != NULL && !only_ok(o.only)))
		return 2;
	good = act(&o);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "accel-conformance: cannot write the results to stdout; "
				"is the disk full?\n");
		return 1;
	}
	return good ? 0 : 1;
}
