/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads known answers of public keys, the files test/vectors/pk/NAME.txt, for tests of the model
 * and of the driver.
 *
 * Each file names its source. Lines have a word and values; bytes are in hex:
 *   key ALG CURVE   begins a key, with lines cN BYTES for component N
 *   do OPERATION PADDING HASH MGF_HASH VARIANT SALT_LEN STATUS
 *                   begins an operation, with lines oN BYTES for operand N and, unless the result
 *                   is of no interest, r BYTES for all results, one behind the other, p BYTES
 *                   for how they begin, or n BYTES for how they do not begin
 *   end             carries it out
 * A status of BAD_CONTEXT means that the key is none.
 * All numbers are those of manual 8.8.
 */
#ifndef UNIT_PK_FILE_H
#define UNIT_PK_FILE_H

#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "accel_hw.h"
#include "vectors/pk_text.h"

#define LINE_MAX_BYTES (2 * PK_TEXT_MAX + 100)

/* A known answer, and the file that has it. */
struct pk_known {
	const char *name; /* of the file */
	unsigned int line;
	unsigned int operations; /* carried out */
	unsigned int skipped; /* not to be had here */
	unsigned int alg;
	unsigned int curve;
	bool new_key; /* since the last operation. Who takes the key sets it to false. */
	bool has_component[ACCEL_HW_PK_COMPONENTS];
	struct text component[ACCEL_HW_PK_COMPONENTS];
	unsigned int operation, padding, hash, mgf_hash, variant, salt_len;
	unsigned int status; /* wanted */
	bool has_result;
	bool is_prefix; /* results may go on behind it */
	bool is_other; /* results begin in another way */
	struct text result;
	struct text operand[ACCEL_HW_PK_OPERANDS]; /* of length 0: absent */
};

/* Carries out an operation. False if it is not to be had here. */
typedef bool (*pk_known_run)(struct pk_known *known);

static inline void
pk_known_wrong(const struct pk_known *known, const char *what, unsigned int is, unsigned int wanted)
{
	fail_msg("%s:%u: %s is %u and not %u", known->name, known->line, what, is, wanted);
}

/* Compares what an operation gave, and len bytes of results, with what was to be. */
void pk_known_compare(const struct pk_known *known, unsigned int status, const uint8_t *data,
		      uint32_t len);

/* Carries out all of them. */
void pk_known_files(pk_known_run carry);

#endif /* UNIT_PK_FILE_H */
