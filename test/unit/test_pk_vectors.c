/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known answers of public keys: carries out all operations of the files test/vectors/pk/NAME.txt.
 *
 * Each file names its source. Lines have a word and values; bytes are in hex:
 *   key ALG CURVE   begins a key, with lines cN BYTES for component N
 *   do OPERATION PADDING HASH MGF_HASH VARIANT SALT_LEN STATUS
 *                   begins an operation, with lines oN BYTES for operand N and, unless the result
 *                   is of no interest, r BYTES for all results, one behind the other
 *   end             carries it out
 */
#include <glob.h>

#include "test_pk.h"

#define LINE_MAX_BYTES (2 * PK_TEXT_MAX + 100)

/* A file that is read. */
struct vectors {
	const char *name;
	unsigned int line;
	unsigned int operations; /* carried out */
	unsigned int skipped; /* the library does not have them */
	unsigned int alg;
	unsigned int curve;
	bool key_made; /* since the last change of a component */
	struct pk_key *key;
	struct accel_hw_pk_command cmd;
	unsigned int status; /* wanted */
	bool has_result;
	struct text result;
	bool has_component[ACCEL_HW_PK_COMPONENTS];
	struct text component[ACCEL_HW_PK_COMPONENTS];
	struct text operand[ACCEL_HW_PK_OPERANDS];
};

static struct vectors v;

static void
wrong(const char *what, unsigned int is, unsigned int wanted)
{
	fail_msg("%s:%u: %s is %u and not %u", v.name, v.line, what, is, wanted);
}

/* Whether the library that is linked has the algorithm and the curve. */
static bool
possible(void)
{
	const struct pk_caps *caps = pk_caps(v.alg);

	for (unsigned int i = 0; caps != NULL && i < caps->nb_curves; i++) {
		if (caps->curve[i] == v.curve)
			return true;
	}
	return caps != NULL && caps->nb_curves == 0;
}

static void
begin_key(const char *values)
{
	pk_key_free(v.key);
	v.key = NULL;
	v.key_made = false;
	memset(v.has_component, 0, sizeof(v.has_component));
	if (sscanf(values, "%u %u", &v.alg, &v.curve) != 2)
		wrong("a key's line", 0, 1);
}

static void
begin_operation(const char *values)
{
	unsigned int n[6];

	if (sscanf(values, "%u %u %u %u %u %u %u", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5],
			&v.status) != 7)
		wrong("an operation's line", 0, 1);
	v.cmd = pk_command(n[0]);
	v.cmd.padding = (uint8_t)n[1];
	v.cmd.hash = (uint8_t)n[2];
	v.cmd.mgf_hash = (uint8_t)n[3];
	v.cmd.variant = (uint8_t)n[4];
	v.cmd.salt_len = (uint16_t)n[5];
	v.has_result = false;
	for (unsigned int i = 0; i < ACCEL_HW_PK_OPERANDS; i++)
		v.operand[i].len = 0;
}

static void
make_key(void)
{
	const struct text *component[ACCEL_HW_PK_COMPONENTS];
	uint16_t status;

	for (unsigned int i = 0; i < ACCEL_HW_PK_COMPONENTS; i++)
		component[i] = v.has_component[i] ? &v.component[i] : NULL;
	v.key = pk_key_try(v.alg, v.curve, component, ACCEL_HW_PK_COMPONENTS, &status);
	if (v.key == NULL)
		wrong("the key's status", status, 0);
	v.key_made = true;
}

static void
carry_out(void)
{
	const struct text *operand[ACCEL_HW_PK_OPERANDS];
	struct answer answer;

	if (!possible()) {
		v.skipped++;
		return;
	}
	if (!v.key_made)
		make_key();
	for (unsigned int i = 0; i < ACCEL_HW_PK_OPERANDS; i++)
		operand[i] = &v.operand[i];
	answer = pk_do(v.key, v.cmd, operand, ACCEL_HW_PK_OPERANDS);
	v.operations++;
	if (answer.status != v.status)
		wrong("the status", answer.status, v.status);
	if (v.has_result && answer.produced != v.result.len)
		wrong("the length of the results", answer.produced, v.result.len);
	if (v.has_result && memcmp(answer.data, v.result.data, v.result.len) != 0)
		wrong("the result", 0, 1);
}

static void
take_line(char *line)
{
	char *values = line + strcspn(line, " \n");
	unsigned int n;

	line[strcspn(line, "\n")] = '\0';
	if (*values != '\0')
		*values++ = '\0';
	if (line[0] == '#' || line[0] == '\0')
		return;
	if (strcmp(line, "key") == 0) {
		begin_key(values);
	} else if (strcmp(line, "do") == 0) {
		begin_operation(values);
	} else if (strcmp(line, "end") == 0) {
		carry_out();
	} else if (strcmp(line, "r") == 0) {
		v.result = hex(values);
		v.has_result = true;
	} else if (sscanf(line, "c%u", &n) == 1 && n < ACCEL_HW_PK_COMPONENTS) {
		v.component[n] = hex(values);
		v.has_component[n] = true;
	} else if (sscanf(line, "o%u", &n) == 1 && n < ACCEL_HW_PK_OPERANDS) {
		v.operand[n] = hex(values);
	} else {
		wrong("a word", 0, 1);
	}
}

static void
test_file(const char *path)
{
	static char line[LINE_MAX_BYTES];
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	memset(&v, 0, sizeof(v));
	v.name = path;
	while (fgets(line, sizeof(line), file) != NULL) {
		v.line++;
		take_line(line);
	}
	fclose(file);
	pk_key_free(v.key);
	printf("# %s: %u operations, %u skipped\n", strrchr(path, '/') + 1, v.operations,
			v.skipped);
	assert_true(v.operations + v.skipped > 0);
}

static void
test_files(void **state)
{
	glob_t files;

	(void)state;
	assert_int_equal(glob(ACCEL_TEST_VECTORS "/*.txt", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++)
		test_file(files.gl_pathv[i]);
	globfree(&files);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
