/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Parses device arguments, "key=value,...". The driver's own arguments are the same for all
 * transports. Each transport parses them together with its own arguments. An unknown argument is an
 * error, and the log line names the valid ones.
 */
#ifndef ACCEL_ARGS_H
#define ACCEL_ARGS_H

#include <stddef.h>
#include <stdint.h>

struct accel_vf_plan;

/* Holds the arguments that every transport has. */
struct accel_args {
	uint64_t timeout_ms; /* 0: not given */
	uint64_t refuse_when_dead;
	uint32_t recover; /* enum accel_recover */
	uint64_t wb_count; /* or ACCEL_ARGS_NOT_GIVEN */
	uint64_t wb_timeout_ns; /* or ACCEL_ARGS_NOT_GIVEN */
	char vf_shares[2048]; /* for accel_vf_args_parse() */
};

#define ACCEL_ARGS_NOT_GIVEN UINT64_MAX

/* This is the text for RTE_PMD_REGISTER_PARAM_STRING. */
#define ACCEL_ARGS_PARAM_STRING                                                                    \
	"timeout_ms=<int> "                                                                        \
	"recover=<auto|on|off> "                                                                   \
	"refuse_when_dead=<0|1> "                                                                  \
	"wb_count=<int> "                                                                          \
	"wb_timeout_ns=<int> "                                                                     \
	"vf_shares=<string>"

/*
 * Describes a key. Its value is for a function, one of several words, a text, or else a number in a
 * range. What takes the value lies at an offset of the structure that the table fills.
 */
struct accel_args_key {
	const char *key;
	const char *values; /* for messages */
	size_t offset;
	uint64_t min; /* a number goes to a uint64_t */
	uint64_t max;
	size_t text_size; /* 0: no text; else the bytes that take it as a string */
	const char *const *words; /* NULL: none; else the place of the word goes to a uint32_t */
	unsigned int nb_words;
	int (*parse)(const char *value, void *to); /* NULL, or returns 0 or -EINVAL */
};

/* Holds a table of keys and the structure that they fill. */
struct accel_args_table {
	const struct accel_args_key *keys;
	unsigned int nb;
	void *to;
};

/** Set the driver's arguments to their defaults. */
void accel_args_default(struct accel_args *args);

/**
 * Parse the driver's device arguments and those of another table. An argument that is not given
 * keeps its value.
 *
 * @param device name of the device, for messages.
 * @param text "key=value,..."; nothing changes if it is NULL or empty.
 * @param own further keys, or NULL.
 * @return 0, or -EINVAL with one log line that says what is wrong and what is valid.
 */
int accel_args_parse(const char *device, const char *text, struct accel_args *args,
		     const struct accel_args_table *own);

/**
 * Parse a number: decimal digits, which k, M or G for thousand, million or thousand million may
 * follow.
 *
 * @return 0, or -EINVAL if the value is no such number or not in min..max.
 */
int accel_args_number(const char *value, uint64_t min, uint64_t max, uint64_t *number);

/**
 * Parse the value of vf_shares, such as "0:qp@2:ops@1M/1-3:qp@1:alg@aes-cbc+sha256-hmac". It has
 * neither ',' nor '=', because rte_kvargs takes these for its own.
 *
 * @param device name of the device, for messages.
 * @param text the shares; empty if there are none.
 * @param plan receives the shares. It is undefined on error.
 * @return 0, or -EINVAL with one log line that names the item and what is wrong with it.
 */
int accel_vf_args_parse(const char *device, const char *text, struct accel_vf_plan *plan);

#endif /* ACCEL_ARGS_H */
