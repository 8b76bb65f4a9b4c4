/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads known answers of public keys, the files test/vectors/pk/NAME.txt, for tests of the model
 * and of the driver.
 */
#include "vectors/pk_file.h"

void
pk_known_compare(const struct pk_known *known, unsigned int status, const uint8_t *data,
		uint32_t len)
{
	const uint32_t wanted = known->result.len;

	if (status != known->status)
		pk_known_wrong(known, "the status", status, known->status);
	if (!known->has_result)
		return;
	if (known->is_prefix ? len < wanted : len != wanted)
		pk_known_wrong(known, "the length of the results", len, wanted);
	if ((memcmp(data, known->result.data, wanted) != 0) != known->is_other)
		pk_known_wrong(known, "the result", 0, 1);
}

static void
pk_known_key(struct pk_known *known, const char *values)
{
	known->new_key = true;
	memset(known->has_component, 0, sizeof(known->has_component));
	if (sscanf(values, "%u %u", &known->alg, &known->curve) != 2)
		pk_known_wrong(known, "a key's line", 0, 1);
}

static void
pk_known_operation(struct pk_known *known, const char *values)
{
	if (sscanf(values, "%u %u %u %u %u %u %u", &known->operation, &known->padding,
			&known->hash, &known->mgf_hash, &known->variant, &known->salt_len,
			&known->status) != 7)
		pk_known_wrong(known, "an operation's line", 0, 1);
	known->has_result = false;
	for (unsigned int i = 0; i < ACCEL_HW_PK_OPERANDS; i++)
		known->operand[i].len = 0;
}

static void
pk_known_line(struct pk_known *known, char *line, pk_known_run carry)
{
	char *values = line + strcspn(line, " \n");
	unsigned int n;

	line[strcspn(line, "\n")] = '\0';
	if (*values != '\0')
		*values++ = '\0';
	if (line[0] == '#' || line[0] == '\0')
		return;
	if (strcmp(line, "key") == 0) {
		pk_known_key(known, values);
	} else if (strcmp(line, "do") == 0) {
		pk_known_operation(known, values);
	} else if (strcmp(line, "end") == 0) {
		if (carry(known))
			known->operations++;
		else
			known->skipped++;
	} else if (strlen(line) == 1 && strchr("rpn", line[0]) != NULL) {
		known->result = hex(values);
		known->has_result = true;
		known->is_prefix = line[0] != 'r';
		known->is_other = line[0] == 'n';
	} else if (sscanf(line, "c%u", &n) == 1 && n < ACCEL_HW_PK_COMPONENTS) {
		known->component[n] = hex(values);
		known->has_component[n] = true;
	} else if (sscanf(line, "o%u", &n) == 1 && n < ACCEL_HW_PK_OPERANDS) {
		known->operand[n] = hex(values);
	} else {
		pk_known_wrong(known, "a word", 0, 1);
	}
}

static void
pk_known_file(const char *path, pk_known_run carry)
{
	static char line[LINE_MAX_BYTES];
	static struct pk_known known;
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	memset(&known, 0, sizeof(known));
	known.name = path;
	while (fgets(line, sizeof(line), file) != NULL) {
		known.line++;
		pk_known_line(&known, line, carry);
	}
	fclose(file);
	printf("# %s: %u operations, %u skipped\n", strrchr(path, '/') + 1, known.operations,
			known.skipped);
	assert_true(known.operations + known.skipped > 0);
}

void
pk_known_files(pk_known_run carry)
{
	glob_t files;

	assert_int_equal(glob(ACCEL_TEST_VECTORS "/*.txt", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++)
		pk_known_file(files.gl_pathv[i], carry);
	globfree(&files);
}
