/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Steps: see steps.h.
 */
#include "oracle.h"
#include "requests.h"
#include "steps.h"

static struct guest *guest;
static struct fqueue *queue;

static void
choose(struct input *in)
{
	const uint8_t pick = in_u8(in);

	guest = &guests[pick % 4 == 3 ? 0 : pick % 4];
	queue = guest->nb_queues > 0 ? &guest->q[pick / 4 % guest->nb_queues] : NULL;
	if (queue == NULL) {
		guest = &guests[0];
		queue = &guest->q[0];
	}
}

static void
start(struct input *in)
{
	const uint8_t how = in_u8(in);
	uint32_t size[3];

	if (queue->running || guest->held)
		return;
	queue->ring_of_commands = how % 4 == 1;
	queue->command_upper = how % 4 == 2 ? BASE & ~(uint64_t)ACCEL_HW_DESC_LOW_MASK : UINT64_MAX;
	wr32(&queue->h.regs->wb_count, in_chance(in, 2) ? in_u8(in) : 1);
	wr32(&queue->h.regs->wb_timeout_ns, in_chance(in, 4) ? in_u16(in) : 0);
	for (unsigned int i = 0; i < 3; i++)
		size[i] = 8u << in_below(in, 4);
	guest_start(guest, queue, size[0], size[1], size[2]);
}

/* A START with registers that are anything: the device refuses it, or works on what they say. */
static void
start_wild(struct input *in)
{
	uint8_t *regs = (uint8_t *)queue->h.regs;
	uint32_t words = 1 + in_below(in, 3);

	if (queue->running || guest->held)
		return;
	queue->loose = guest->loose = true;
	for (; words > 0; words--)
		wr32((uint32_t *)(void *)(regs + 4 + 4 * in_below(in, 21)), in_u32(in));
	guest_command(guest, queue, ACCEL_HW_QP_CMD_START);
	queue->h.tx_size = queue->h.rx_size = queue->h.rsp_size = 8;
	queue->running = true;
}

static void
control(struct input *in)
{
	static const uint8_t commands[] = {
		ACCEL_HW_QP_CMD_STOP_DRAIN, ACCEL_HW_QP_CMD_STOP_DISCARD, ACCEL_HW_QP_CMD_NONE,
		ACCEL_HW_QP_CMD_START, 9,
	};
	const uint8_t command = commands[in_below(in, sizeof(commands))];

	if (command == ACCEL_HW_QP_CMD_START && !queue->running)
		return;
	guest_command(guest, queue, command);
}

static void
write_memory(struct input *in)
{
	const uint32_t at = in_chance(in, 2) ? in_u32(in) % DATA_AT : DATA_AT + in_u16(in);
	uint8_t bytes[16];
	const uint32_t len = (uint32_t)in_bytes(in, bytes, 1 + in_below(in, 16));

	if (at < CONTEXTS_AT) {
		for (unsigned int i = 0; i < guest->nb_queues; i++)
			guest->q[i].loose = true;
		/* A descriptor may lead anywhere now. */
		guest->loose = true;
	} else if (at < DATA_AT) {
		memset(guest->has_state, 1, sizeof(guest->has_state));
	}
	guest_write(guest, at, bytes, len);
	if (at < CONTEXTS_AT)
		oracle_new(guest->mem + (at & ~63u), 128);
}

static void
reset(struct input *in)
{
	const bool loose = guest_interrupt(guest, in_chance(in, 2));
	const uint32_t request = rd32(&guest->h.id->reset_ack) + 1;

	if (in_chance(in, 2)) {
		wr32(&guest->h.control->reset_req, request);
		guest_settle();
		fuzz_check(guest->held || rd32(&guest->h.id->reset_ack) == request,
			   "a reset has no echo");
	} else {
		accel_function_flr(guest->fn);
	}
	guest_interrupted(guest, loose);
	choose(in);
}

static void
presence(struct input *in)
{
	struct guest *vf = &guests[1 + in_below(in, FUNCTIONS - 1)];
	const bool present = in_chance(in, 2), loose = guest_interrupt(vf, in_chance(in, 2));

	if (!accel_function_set_present(vf->fn, present))
		accel_function_flr(vf->fn);
	vf->held = !present;
	guest_interrupted(vf, loose);
	if (!present)
		vf->nb_queues = 0;
	choose(in);
}

/* The host of the PF changes a share, or answers; that of a VF asks. */
static void
share(struct input *in)
{
	struct accel_hw_vf_resources *entry = accel_model_vf_table(guest_card);
	struct accel_model_vf_mailbox mailbox;
	const uint32_t vf = in_below(in, FUNCTIONS - 1);

	entry += vf;
	if (in_chance(in, 3) && accel_model_vf_mailbox(guest_card, &mailbox)) {
		struct accel_hw_vf_answer *answer = mailbox.answers;

		answer += vf;
		wr32(&answer->answer_status, in_u8(in));
		wr32(&answer->answer, in_u8(in));
		wr32(mailbox.pf_state, in_u8(in));
		return;
	}
	entry->nb_queue_pairs = in_u8(in) % 5;
	entry->weight = in_u8(in);
	entry->ops_per_second = in_chance(in, 4) ? in_u32(in) : 0;
	entry->bytes_per_second = in_chance(in, 4) ? in_u32(in) : 0;
	for (unsigned int i = 0; i < 4; i++)
		entry->algorithms[i] = in_chance(in, 4) ? in_u64(in) : UINT64_MAX;
	guest_paced |= entry->ops_per_second != 0 || entry->bytes_per_second != 0;
	wr32(&entry->sequence, entry->sequence + 1 != 0 ? entry->sequence + 1 : 1);
	guest_poll();
}

static void
rare_register(struct input *in)
{
	const uint8_t pick = in_u8(in);

	if (pick % 4 == 0)
		wr32(&guest->h.control->snapshot_req, in_u8(in));
	else if (pick % 4 == 1 && queue->running) {
		queue->loose = true;
		wr64(&queue->h.regs->doorbell, (uint64_t)in_u16(in) << 32 | in_u16(in));
		/* Stale slots may lead anywhere. */
		guest->loose = true;
	} else {
		guest->h.invalidate[in_u16(in) % ACCEL_HW_INVALIDATE_WORDS]++;
	}
}

static void
fault(struct input *in)
{
	char text[40];

	if (in_chance(in, 2))
		snprintf(text, sizeof(text), "status:%u@%u", in_u8(in) % ACCEL_HW_STATUS_NB,
			 1 + in_below(in, 4));
	else
		snprintf(text, sizeof(text), "dma@%u", 1 + in_below(in, 4));
	guest_faulty = true;
	accel_model_fault(guest_card, text); /* 32 of them at most */
}

static void
step(struct input *in)
{
	const uint32_t pick = in_below(in, 32);

	if (pick < 13) {
		request_post(guest, queue, in);
		if (in_chance(in, 2)) {
			guest_ring(queue);
			guest_poll();
		}
		return;
	}
	switch (pick) {
	case 13: case 14: case 15:
		request_context(guest, in);
		break;
	case 16: case 17: case 18:
		start(in);
		break;
	case 19: case 20:
		choose(in);
		break;
	case 21:
		guest_ring(queue);
		guest_poll();
		break;
	case 22:
		guest_ring(queue);
		guest_settle();
		break;
	case 23:
		request_raw(guest, queue, in);
		break;
	case 24:
		control(in);
		break;
	case 25:
		write_memory(in);
		break;
	case 26:
		guest_map_page(guest, in_below(in, MEMORY / 4096), in_chance(in, 2));
		break;
	case 27:
		reset(in);
		break;
	case 28:
		if (in_chance(in, 2))
			presence(in);
		else
			share(in);
		break;
	case 29:
		rare_register(in);
		break;
	case 30:
		fault(in);
		break;
	default:
		start_wild(in);
	}
}

/* Some queue pairs run from the beginning, so that each step counts. The last byte of the input
 * says how: small rings wrap soon, and with a large N responses come in batches. */
void
steps_run(struct input *in, bool racing)
{
	const uint8_t how = in->left > 0 ? in->at[in->left - 1] : 0;

	guest = &guests[0];
	for (unsigned int i = 0; i < FUNCTIONS; i++)
		guests[i].racing = racing;
	for (unsigned int i = 0; i < guest->nb_queues; i += PAIRS) {
		queue = &guest->q[i];
		queue->command_upper = UINT64_MAX;
		wr32(&queue->h.regs->wb_count, how % 4 * 5);
		guest_start(guest, queue, 8u << how / 4 % 4, 8u << how / 16 % 4,
			    8u << how / 64 % 4);
	}
	queue = &guest->q[0];
	for (unsigned int i = 0; i < 3; i++)
		request_context(guest, in);
	while (in->left > 0)
		step(in);
	guest_ring(queue);
}
