/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Carries out operations of public keys on a curve, for tools/py/answers/constant_time.py, which
 * counts the instructions of each measured() for secrets that differ (manual 8.8, PK-15). Random
 * numbers, and so the blinding, are the same in each run of the program, but not in two operations.
 *
 * ec-time ALG CURVE OPERATION ROUNDS OPERAND... [/ OPERAND...]...
 *   numbers of manual 8.8, and the operands of each kind of operation in hex, - for an absent one.
 *   The first kind makes what the library keeps, and is not counted. The others are carried out
 *   in turn.
 *   prints the status of each kind, in the same order
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_time/counted.h"

#define ROOM 4096u
#define KINDS 16u

/* An operation and the bytes of its operands. */
struct kind {
	struct accel_hw_pk_command cmd;
	uint8_t in[ROOM];
	uint16_t status;
};

static struct kind kinds[KINDS];
static uint8_t out[ROOM];

/* Reads operands up to "/" or the end. Returns what follows. */
static char **
read_operands(char **argv, struct kind *kind)
{
	unsigned int byte, number;
	uint32_t len = 0;

	for (number = 0; argv[number] != NULL && strcmp(argv[number], "/") != 0; number++) {
		if (number == ACCEL_HW_PK_OPERANDS)
			exit(2);
		for (const char *at = argv[number]; strcmp(at, "-") != 0 && *at != '\0'; at += 2) {
			if (sscanf(at, "%2x", &byte) != 1 || len == ROOM)
				exit(2);
			kind->in[len++] = (uint8_t)byte;
			kind->cmd.operand[number]++;
		}
	}
	return argv + number + (argv[number] != NULL);
}

static void
carry_out(const struct pk_key *key, struct kind *kind, void (*run)(struct pk_job *job))
{
	struct pk_job job = { .key = key, .cmd = &kind->cmd, .in = kind->in, .out = out };

	run(&job);
	kind->status = job.status;
}

int
main(int argc, char **argv)
{
	struct accel_hw_pk_context header = {
		.generation = 1,
		.version = ACCEL_HW_CTX_VERSION,
		.kind = ACCEL_HW_KIND_PK,
	};
	unsigned int nb = 0, rounds;
	struct pk_key *key;
	uint16_t status;

	if (argc < 6 || !use_same_bytes())
		return 2;
	header.alg = (uint16_t)atoi(argv[1]);
	header.curve = (uint8_t)atoi(argv[2]);
	rounds = (unsigned int)atoi(argv[4]);
	for (char **at = argv + 5; *at != NULL; nb++) {
		if (nb == KINDS)
			return 2;
		kinds[nb].cmd.opcode = ACCEL_HW_OP_PK;
		kinds[nb].cmd.operation = (uint16_t)atoi(argv[3]);
		at = read_operands(at, &kinds[nb]);
	}
	key = pk_key_new(&header, out, &status);
	if (key == NULL)
		return 1;
	rng_state = 17;
	carry_out(key, &kinds[0], pk_run);
	for (unsigned int round = 0; round < rounds; round++) {
		for (unsigned int i = 1; i < nb; i++)
			carry_out(key, &kinds[i], measured);
	}
	pk_key_free(key);
	for (unsigned int i = 1; i < nb; i++)
		printf("%u\n", kinds[i].status);
	return 0;
}
