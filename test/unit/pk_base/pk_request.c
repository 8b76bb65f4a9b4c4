/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * For tests of the public-key engines: keys and operations from strings of bytes.
 */
#include "pk_base/pk_request.h"

struct text
zeros_before(uint32_t nb, const struct text *number)
{
	struct text text = { .len = nb + number->len };

	assert_true(text.len <= PK_TEXT_MAX);
	memcpy(text.data + nb, number->data, number->len);
	return text;
}

/* Copies strings into one of just their length; nb of them, of which NULL is empty. */
static uint8_t *
pk_join(const struct text *const *part, unsigned int nb, uint32_t *len)
{
	uint8_t *joined;

	*len = 0;
	for (unsigned int i = 0; i < nb; i++)
		*len += part[i] != NULL ? part[i]->len : 0;
	joined = malloc(*len > 0 ? *len : 1);
	assert_non_null(joined);
	*len = 0;
	for (unsigned int i = 0; i < nb; i++) {
		if (part[i] == NULL)
			continue;
		memcpy(joined + *len, part[i]->data, part[i]->len);
		*len += part[i]->len;
	}
	return joined;
}

struct pk_key *
pk_key_try(unsigned int alg, unsigned int curve, const struct text *const *component,
		unsigned int nb, uint16_t *status)
{
	struct accel_hw_pk_context header = {
		.generation = 1,
		.version = ACCEL_HW_CTX_VERSION,
		.kind = ACCEL_HW_KIND_PK,
		.curve = (uint8_t)curve,
		.alg = (uint16_t)alg,
	};
	struct pk_key *key;
	uint8_t *joined;

	assert_true(nb <= ACCEL_HW_PK_COMPONENTS);
	joined = pk_join(component, nb, &header.key_len);
	for (unsigned int i = 0; i < nb; i++)
		header.component[i] = component[i] != NULL ? (uint16_t)component[i]->len : 0;
	*status = 0xffff;
	key = pk_key_new(&header, joined, status);
	assert_true((key != NULL) == (*status == ACCEL_HW_OK));
	free(joined);
	return key;
}

struct accel_hw_pk_command
pk_command(unsigned int operation)
{
	return (struct accel_hw_pk_command) {
		.tag = 1,
		.opcode = ACCEL_HW_OP_PK,
		.operation = (uint16_t)operation,
		.context = 64,
		.generation = 1,
	};
}

struct answer
pk_do(const struct pk_key *key, struct accel_hw_pk_command cmd, const struct text *const *operand,
		unsigned int nb)
{
	struct answer answer = { .produced = 0 };
	struct pk_job job = { .key = key, .cmd = &cmd, .produced = 0xdead, .status = 0xffff };
	uint32_t len, most = 0xdead;
	uint8_t *in = pk_join(operand, nb, &len);

	assert_true(nb <= ACCEL_HW_PK_OPERANDS);
	for (unsigned int i = 0; i < nb; i++)
		cmd.operand[i] = operand[i] != NULL ? operand[i]->len : 0;
	answer.status = pk_check(key, &cmd, &most);
	if (answer.status == ACCEL_HW_OK) {
		job.in = in;
		job.out = malloc(most > 0 ? most : 1);
		assert_non_null(job.out);
		pk_run(&job);
		assert_true(job.produced <= most && job.produced <= sizeof(answer.data));
		assert_true(job.status == ACCEL_HW_OK || job.produced == 0);
		answer.status = job.status;
		answer.produced = job.produced;
		memcpy(answer.data, job.out, job.produced);
		free(job.out);
	}
	free(in);
	return answer;
}

void
assert_result(const struct answer *answer, const struct text *want)
{
	assert_int_equal(answer->status, ACCEL_HW_OK);
	assert_int_equal(answer->produced, want->len);
	assert_memory_equal(answer->data, want->data, want->len);
}

struct text
text_of(const struct answer *answer)
{
	assert_int_equal(answer->status, ACCEL_HW_OK);
	return bytes_of(answer->data, answer->produced);
}
