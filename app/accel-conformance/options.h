/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Parses the command line.
 */
#ifndef CONF_OPTIONS_H
#define CONF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "card/card.h"

enum options_action {
	ACTION_TEST,
	ACTION_REPLAY,
	ACTION_LIST,
	ACTION_TABLE,
	ACTION_HELP,
	ACTION_VERSION,
};

struct options {
	enum options_action action;
	const char *socket; /* one of the two, or NULL */
	const char *vfio;
	const char *other_socket; /* another function of the same card, or NULL */
	const char *other_vfio;
	const char *pf_socket; /* the physical function of a virtual function, or NULL */
	const char *pf;
	const char *owner; /* a command, or NULL */
	const char *only; /* a pattern for numbers of duties, or NULL */
	const char *replay; /* a file */
	struct card_ids ids;
	uint64_t seed;
	unsigned int limit_s;
	bool fatal;
	bool verbose;
};

/** Parse the command line. @return false after a message on stderr. */
bool options_parse(int argc, char **argv, struct options *o);

/** Print how to call the program. */
void options_help(void);

#endif /* CONF_OPTIONS_H */
