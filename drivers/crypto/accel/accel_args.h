/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Device arguments, "key=value,...": those that every transport has, and how a transport parses
 * them together with its own. Strict: what is not understood whole is an error that names what
 * would be.
 */
#ifndef ACCEL_ARGS_H
#define ACCEL_ARGS_H

#include <stddef.h>
#include <stdint.h>

/* Arguments of the driver, whatever the transport. */
struct accel_args {
	uint64_t timeout_ms;
	uint64_t refuse_when_dead;
	uint64_t wb_count;
	uint64_t wb_timeout_ns;
};

/* For RTE_PMD_REGISTER_PARAM_STRING. */
#define ACCEL_ARGS_PARAM_STRING                                                                    \
	"timeout_ms=<int> "                                                                        \
	"refuse_when_dead=<0|1> "                                                                  \
	"wb_count=<int> "                                                                          \
	"wb_timeout_ns=<int>"

/* A key: either a number in a range and where it goes, or a function. */
struct accel_args_key {
	const char *key;
	const char *values; /* for messages */
	size_t offset; /* of a uint64_t */
	uint64_t min;
	uint64_t max;
	int (*parse)(const char *value, void *to); /* 0 or -EINVAL */
};

/* Keys and the structure that they fill. */
struct accel_args_table {
	const struct accel_args_key *keys;
	unsigned int nb;
	void *to;
};

/** Defaults of the driver's arguments. */
void accel_args_default(struct accel_args *args);

/**
 * Parse device arguments over what is there already: the driver's, and those of a table.
 *
 * @param device its name, for messages.
 * @param text "key=value,..."; NULL or empty: nothing changes.
 * @param own more keys, NULL: none.
 * @return 0, or -EINVAL with one log line that says what is wrong and what is valid.
 */
int accel_args_parse(const char *device, const char *text, struct accel_args *args,
		     const struct accel_args_table *own);

/**
 * Decimal digits and, behind them, k, M or G for thousands; nothing else.
 *
 * @return 0, or -EINVAL if it is no such number or not in min..max.
 */
int accel_args_number(const char *value, uint64_t min, uint64_t max, uint64_t *number);

#endif /* ACCEL_ARGS_H */
