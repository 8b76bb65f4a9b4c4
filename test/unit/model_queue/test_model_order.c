/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The order in which the model checks an operation (manual 7.4). Each operation has several
 * faults, in all combinations, and its status is that of the first one.
 */
#include "base/ipsec_mb.h"
#include "model_base/model_card.h"

#define LEN 64u
#define DIGEST 12u

/* What may be wrong, in the order of checks. */
enum {
	WRONG_FLAG,
	WRONG_ADDRESS, /* not aligned */
	GENERATION_ZERO,
	CONTEXT_UNMAPPED,
	WRONG_VERSION,
	NOT_GRANTED,
	WRONG_FIELD,
	WRONG_LENGTH,
	SMALL_OUTPUT,
	INPUT_UNMAPPED,
	WRONG_DIGEST,
	OUTPUT_READ_ONLY,
	FAULTS,
};

static const uint16_t status_of[FAULTS] = {
	[WRONG_FLAG] = ACCEL_HW_BAD_COMMAND,
	[WRONG_ADDRESS] = ACCEL_HW_BAD_CONTEXT,
	[GENERATION_ZERO] = ACCEL_HW_BAD_CONTEXT,
	[CONTEXT_UNMAPPED] = ACCEL_HW_DMA_FAULT,
	[WRONG_VERSION] = ACCEL_HW_BAD_CONTEXT,
	[NOT_GRANTED] = ACCEL_HW_DENIED,
	[WRONG_FIELD] = ACCEL_HW_BAD_COMMAND,
	[WRONG_LENGTH] = ACCEL_HW_BAD_LENGTH,
	[SMALL_OUTPUT] = ACCEL_HW_OUTPUT_TOO_SMALL,
	[INPUT_UNMAPPED] = ACCEL_HW_DMA_FAULT,
	[WRONG_DIGEST] = ACCEL_HW_AUTH_FAILED,
	[OUTPUT_READ_ONLY] = ACCEL_HW_DMA_FAULT,
};

static struct host pf;
static struct accel_hw_context *context;
static struct accel_hw_command *command;
static uint8_t *in, *out;
static uint8_t *read_only;
static uint32_t generation;

#define READ_ONLY_IOVA (HOST_IOVA + HOST_MEM)
#define UNMAPPED_IOVA (READ_ONLY_IOVA + ACCEL_HW_PAGE_SIZE)

/* A virtual function that may use AES-CTR and SHA1-HMAC. */
static int
setup(void **state)
{
	const struct accel_model_config config = {
		.nb_functions = 2,
		.nb_queue_pairs = 1,
		.nb_workers = 1,
	};
	struct accel_hw_vf_resources *entry;

	(void)state;
	host_open(&pf, &config);
	host_attach(&h, pf.model, 1);
	entry = accel_model_vf_table(pf.model);
	entry->nb_queue_pairs = 1;
	entry->algorithms[0] = UINT64_C(1) << ACCEL_HW_CIPHER_AES_CTR;
	entry->algorithms[1] = UINT64_C(1) << (ACCEL_HW_AUTH_SHA1_HMAC - 64);
	wr32(&entry->sequence, 1);
	host_reset(&h);
	q = &h.q[0];
	q_start(q, 64, 64, 64);
	context = host_alloc(&h, sizeof(*context), 64);
	command = host_alloc(&h, sizeof(*command), 64);
	in = pattern(LEN + DIGEST, 1);
	out = filled(LEN + DIGEST, 0xcc);
	read_only = filled(ACCEL_HW_PAGE_SIZE, 0xdd);
	assert_int_equal(accel_function_dma_map(h.fn, READ_ONLY_IOVA, read_only,
						ACCEL_HW_PAGE_SIZE, ACCEL_MODEL_DMA_READ),
			 0);
	return 0;
}

static int
close_both(void **state)
{
	(void)state;
	host_detach(&h);
	host_close(&pf);
	return 0;
}

static bool
has(unsigned int faults, unsigned int fault)
{
	return (faults >> fault & 1) != 0;
}

static uint16_t
first_of(unsigned int faults)
{
	return faults == 0 ? ACCEL_HW_OK : status_of[__builtin_ctz(faults)];
}

static void
make_context(unsigned int faults)
{
	memset(context, 0, sizeof(*context));
	context->generation = has(faults, GENERATION_ZERO) ? 0 : ++generation;
	context->version = has(faults, WRONG_VERSION) ? 2 : 1;
	context->kind = ACCEL_HW_KIND_CIPHER_THEN_AUTH;
	context->flags = has(faults, WRONG_DIGEST) ? ACCEL_HW_CTX_VERIFY : 0;
	context->cipher_alg =
		has(faults, NOT_GRANTED) ? ACCEL_HW_CIPHER_AES_CBC : ACCEL_HW_CIPHER_AES_CTR;
	context->cipher_key_len = 16;
	context->iv_len = 16;
	context->auth_alg = ACCEL_HW_AUTH_SHA1_HMAC;
	context->auth_key_len = 20;
	context->digest_len = DIGEST;
}

static void
make_command(unsigned int faults, uint8_t flags)
{
	const uint32_t unit = (flags & ACCEL_HW_CMD_BITS) != 0 ? 8 : 1;

	memset(command, 0, sizeof(*command));
	command->opcode = ACCEL_HW_OP_SYM;
	command->flags = (uint8_t)(flags | (has(faults, WRONG_FLAG) ? 0x80 : 0));
	command->context =
		has(faults, CONTEXT_UNMAPPED) ? UNMAPPED_IOVA : host_iova(&h, context);
	command->context += has(faults, WRONG_ADDRESS) ? 32 : 0;
	command->generation = context->generation;
	command->cipher_len = LEN * unit;
	command->auth_len = LEN * unit;
	command->aad_len = has(faults, WRONG_FIELD);
}

static void
post(unsigned int faults, uint32_t in_len, uint32_t out_len)
{
	const uint64_t from = has(faults, INPUT_UNMAPPED) ? UNMAPPED_IOVA : host_iova(&h, in);
	const uint64_t to = has(faults, OUTPUT_READ_ONLY) ? READ_ONLY_IOVA : host_iova(&h, out);

	tx_frag(q, host_iova(&h, command), 64, COMMAND | NEXT);
	tx_frag(q, from, in_len - has(faults, WRONG_LENGTH), 0);
	rx_frag(q, to, out_len - has(faults, SMALL_OUTPUT), 0);
	q_ring(q);
}

static void
check(unsigned int faults, uint32_t in_len, uint32_t out_len)
{
	const uint16_t expected = first_of(faults);
	struct accel_hw_response rsp;

	post(faults, in_len, out_len);
	rsp = q_response(q);
	if (rsp.status != expected)
		fail_msg("faults 0x%x: status %u for %u", faults, rsp.status, expected);
	if (expected > ACCEL_HW_AUTH_FAILED)
		assert_int_equal(rsp.produced, 0);
	/* Operations that fail before their input is read write nothing. */
	if (expected > ACCEL_HW_AUTH_FAILED && expected != ACCEL_HW_DMA_FAULT)
		assert_true(is_all(out, 0xcc, LEN + DIGEST));
	memset(out, 0xcc, LEN + DIGEST);
	assert_true(is_all(read_only, 0xdd, LEN + DIGEST));
}

/* All combinations of faults, each with a context that is not in the cache and once more. */
static void
check_all(uint8_t flags, unsigned int without)
{
	const bool in_stream = (flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) != 0;

	for (unsigned int faults = 0; faults < 1u << FAULTS; faults++) {
		const bool verify = has(faults, WRONG_DIGEST);

		if ((faults & without) != 0)
			continue;
		make_context(faults);
		make_command(faults, flags);
		for (unsigned int i = 0; i < 2; i++)
			check(faults, LEN + (verify ? DIGEST : 0),
			      LEN + (verify && !in_stream ? 0 : DIGEST));
	}
}

static void
test_plain(void **state)
{
	(void)state;
	check_all(0, 0);
}

static void
test_whole(void **state)
{
	(void)state;
	check_all(ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_AUTH_FIRST, 0);
}

static void
test_in_stream(void **state)
{
	(void)state;
	check_all(ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM, 0);
}

/* With BITS a chain has no wrong field but a bit number that is none, which the command decides. */
static void
test_bits(void **state)
{
	(void)state;
	need_ipsec_mb();
	check_all(ACCEL_HW_CMD_BITS, 1u << WRONG_FIELD);
	make_context(1u << NOT_GRANTED);
	make_command(1u << GENERATION_ZERO | 1u << CONTEXT_UNMAPPED, ACCEL_HW_CMD_BITS);
	command->aad_len = 8;
	check(1u << WRONG_FLAG, LEN, LEN + DIGEST);
}

/* LOOPBACK has no context. */
static void
test_loopback(void **state)
{
	const unsigned int without = 1u << WRONG_ADDRESS | 1u << GENERATION_ZERO |
		1u << CONTEXT_UNMAPPED | 1u << WRONG_VERSION | 1u << NOT_GRANTED |
		1u << WRONG_DIGEST;

	(void)state;
	for (unsigned int faults = 0; faults < 1u << FAULTS; faults++) {
		if ((faults & without) != 0)
			continue;
		memset(command, 0, sizeof(*command));
		command->opcode = ACCEL_HW_OP_LOOPBACK;
		command->flags = has(faults, WRONG_FLAG) ? ACCEL_HW_CMD_WHOLE : 0;
		command->skip = has(faults, WRONG_FIELD);
		command->cipher_len = LEN;
		check(faults, LEN, LEN);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, close_both)
		TEST(test_plain),
		TEST(test_whole),
		TEST(test_in_stream),
		TEST(test_bits),
		TEST(test_loopback),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
