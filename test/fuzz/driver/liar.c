/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The device that lies, as far as it is honest, and where it is not: see liar.h.
 */
#include "liar.h"

#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>

#include "liar_state.h"

struct liar liar;
uint8_t *liar_bar, *liar_pristine[LIAR_VERSIONS];
size_t liar_bar_size;

/*
 * The honest device.
 */

static void
write_back(struct queue *q)
{
	struct accel_hw_writeback *wb = line(q);

	wb->tx_hdp = q->tx;
	wb->rx_hdp = q->rx;
	wb->status = device_page(q)->status;
	wb->rsp_hhp = q->answered & (q->at.rsp_size - 1);
	device_page(q)->rsp_hhp = wb->rsp_hhp;
}

static void
answer_one(struct queue *q, uint16_t status, uint16_t info, uint32_t produced)
{
	struct request *r = &q->request[q->answered % REQUESTS];
	struct accel_hw_response *rsp = response(q, q->answered);
	unsigned int i;

	if (status == ACCEL_HW_OK) {
		for (i = 0; i < r->nb_rx; i++)
			memset(r->rx[i].va, 0x45, r->rx[i].len);
	}
	rsp->status = rte_cpu_to_le_16(status);
	rsp->info = rte_cpu_to_le_16(info);
	rsp->produced = rte_cpu_to_le_32(produced);
	rsp->tag = rte_cpu_to_le_32(r->tag);
	q->wrote[q->answered & (q->at.rsp_size - 1)] = true;
	q->answered++;
}

static void
answer_honest(struct queue *q, uint32_t n)
{
	if (!q->latched || !has_access())
		return;
	for (; n > 0 && q->answered != q->asked; n--)
		answer_one(q, ACCEL_HW_OK, 0, q->request[q->answered % REQUESTS].produced);
	write_back(q);
	liar_note_answers(q);
}

void
liar_answer_all(void)
{
	unsigned int i;

	liar_visit();
	for (i = 0; i < LIAR_QUEUES; i++)
		answer_honest(&liar.queue[i], UINT32_MAX);
}

static void
start(struct queue *q)
{
	const struct accel_devtree *dt = &liar.dev->dt;
	struct accel_hw_qp_device *regs = device_page(q);

	CLAIM(!liar.used); /* manual 4.3: a reset comes before the first start */
	q->at = *host_page(q);
	/*
	 * Without a word in the tree there is no such register (manual 5.1): the driver does not
	 * write it, and an earlier process may have left anything there. An honest tree says what
	 * the contract has.
	 */
	CLAIM(liar.lied || (dt->command_upper && dt->command_ring == (liar.version >= 1)));
	CLAIM(liar.lied || dt->aad_in_command == (liar.version + 1 == LIAR_VERSIONS));
	if (!dt->command_upper)
		q->at.command_upper = 0;
	if (!dt->command_ring)
		q->at.command_base = 0;
	CLAIM(rte_is_power_of_2(q->at.tx_size) && q->at.tx_size >= ACCEL_HW_RING_SIZE_MIN);
	CLAIM(rte_is_power_of_2(q->at.rx_size) && q->at.rx_size >= ACCEL_HW_RING_SIZE_MIN);
	CLAIM(rte_is_power_of_2(q->at.rsp_size) && q->at.rsp_size >= ACCEL_HW_RING_SIZE_MIN);
	CLAIM(world_has((void *)(uintptr_t)q->at.tx_base, q->at.tx_size * 8ul));
	CLAIM(world_has((void *)(uintptr_t)q->at.rx_base, q->at.rx_size * 8ul));
	CLAIM(world_has((void *)(uintptr_t)q->at.rsp_base, q->at.rsp_size * 16ul));
	CLAIM(world_has((void *)(uintptr_t)q->at.wb_base, 64));
	CLAIM(q->at.doorbell == 0);
	q->latched = true;
	q->tx = q->rx = q->asked = q->answered = q->back = 0;
	q->tx_known = q->rx_known = false;
	memset(q->request, 0, sizeof(q->request));
	memset(q->wrote, 0, sizeof(q->wrote));
	CLAIM(q->at.rsp_size <= RTE_DIM(q->wrote));
	regs->status = ACCEL_HW_QP_RUNNING;
	write_back(q);
}

static void
refuse(struct queue *q)
{
	device_page(q)->status = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, ACCEL_HW_QP_ERR_CONFIG, 0);
}

static void
stop(struct queue *q, bool drain)
{
	if (q->latched && has_access() && drain && (liar.mood & MOOD_DISCARD) == 0)
		answer_honest(q, UINT32_MAX);
	device_page(q)->status = ACCEL_HW_QP_STOPPED;
	if (q->latched && has_access())
		write_back(q);
	liar_note_answers(q);
	q->latched = false;
}

/* Carries out a command of the host, unless it is not in the mood. */
static void
look_at_control(struct queue *q)
{
	const uint32_t control = host_page(q)->control;
	const uint32_t command = control & ACCEL_HW_QP_CMD_MASK;

	if (control == q->control || device_page(q)->control_ack == control)
		return;
	if (command == ACCEL_HW_QP_CMD_START) {
		if ((liar.mood & MOOD_NO_START) != 0)
			return;
		if ((liar.mood & MOOD_REFUSE) != 0 || !has_access())
			refuse(q);
		else
			start(q);
	} else {
		if ((liar.mood & MOOD_NO_STOP) != 0)
			return;
		stop(q, command == ACCEL_HW_QP_CMD_STOP_DRAIN);
	}
	q->control = control;
	device_page(q)->control_ack = control;
}

/* The registers of a device that was just switched on. */
void
liar_fresh_registers(void)
{
	const struct accel_devtree *dt = &liar.dev->dt;
	unsigned int i;

	liar.used = false;
	memcpy(liar_bar, liar_pristine[liar.version], ACCEL_HW_PAGE_SIZE);
	memcpy(liar_bar + identity()->dt_offset,
	       liar_pristine[liar.version] + identity()->dt_offset, identity()->dt_size);
	if (dt->control != 0)
		identity()->reset_ack = control_page()->reset_req;
	for (i = 0; i < LIAR_QUEUES && dt->control != 0; i++) {
		if (!accel_dt_has_qp(dt, liar.queue[i].id) || dt->qp[liar.queue[i].id].device == 0)
			continue;
		memset(device_page(&liar.queue[i]), 0, ACCEL_HW_PAGE_SIZE);
		liar.queue[i].control = host_page(&liar.queue[i])->control;
	}
}

static void
look_at_reset(void)
{
	if (control_page()->reset_req == identity()->reset_ack ||
	    (liar.mood & MOOD_NO_RESET) != 0)
		return;
	liar_note_all();
	unlatch_all();
	liar_fresh_registers();
}

/* Takes the shares of virtual functions. */
static void
look_at_shares(void)
{
	const struct accel_devtree *dt = &liar.dev->dt;
	const struct accel_hw_vf_resources *share = (const void *)(liar_bar + dt->vf_table);
	struct accel_hw_vf_status *status = (void *)(liar_bar + dt->vf_status);
	unsigned int i;

	for (i = 0; dt->vf_table != 0 && dt->vf_status != 0 && i < 2; i++)
		status[i].share_ack = share[i].sequence;
}

void
liar_visit(void)
{
	unsigned int i;

	/* Where the host's page is, the device knows as soon as the driver has read the tree. */
	if (liar.dev == NULL || liar.dev->dt.control == 0)
		return;
	identity()->heartbeat++;
	look_at_reset();
	look_at_shares();
	for (i = 0; i < LIAR_QUEUES; i++) {
		if (!accel_dt_has_qp(&liar.dev->dt, liar.queue[i].id) &&
		    !liar.queue[i].latched)
			continue;
		if (liar.queue[i].latched && has_access())
			liar_read_requests(&liar.queue[i]);
		look_at_control(&liar.queue[i]);
	}
	/* The driver's own requests are answered at once, since it waits for them. */
	if ((liar.mood & MOOD_NO_RANDOM) == 0)
		answer_honest(&liar.queue[LIAR_QUEUES - 1], UINT32_MAX);
	if (liar.dev->dt.health != 0)
		((struct accel_hw_health *)(liar_bar + liar.dev->dt.health))->snapshot_ack =
			control_page()->snapshot_req;
}

/*
 * Lies.
 */

static struct queue *
some_queue(void)
{
	return &liar.queue[take_below(LIAR_QUEUES)];
}

/* Registers that the host may take for an echo are the device's word. */
static void
keep_word(void)
{
	unsigned int i;

	if (identity()->reset_ack == control_page()->reset_req)
		unlatch_all();
	for (i = 0; i < LIAR_QUEUES; i++) {
		struct queue *q = &liar.queue[i];
		const uint32_t control = host_page(q)->control;

		if (device_page(q)->control_ack != control || q->control == control)
			continue;
		q->control = control;
		q->latched = false;
	}
}

static const uint32_t odd[] = { 0, 1, 2, 3, 7, 0xff, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
				UINT32_MAX, UINT32_MAX - 1 };

uint32_t
liar_some_number(void)
{
	const uint8_t how = take_u8();

	if (how < RTE_DIM(odd))
		return odd[how];
	return how < 0x80 ? take_u8() : take_u32();
}

/* Writes a word into a page of the device. */
static void
lie_register(void)
{
	const uint8_t page = take_below(5);
	const struct accel_devtree *dt = &liar.dev->dt;
	struct queue *q = some_queue();
	uint32_t *at, word = take_u8() % 32;

	switch (page) {
	case 0:
		at = (uint32_t *)liar_bar;
		word %= 10;
		break;
	case 1:
		at = (uint32_t *)(liar_bar + dt->health);
		word %= 9;
		if (dt->health == 0)
			return;
		break;
	case 2:
		at = (uint32_t *)(liar_bar + identity()->dt_offset);
		word = take_u16() % RTE_MAX(1u, identity()->dt_size / 4);
		if (identity()->dt_offset >= liar_bar_size || identity()->dt_size > liar_bar_size ||
		    (identity()->dt_offset & 7) != 0 ||
		    identity()->dt_offset + identity()->dt_size > liar_bar_size)
			return;
		break;
	default:
		at = (uint32_t *)device_page(q);
		word %= 7;
		break;
	}
	at[word] = liar_some_number();
	keep_word();
}

/* Writes into the memory of a queue pair. */
static void
lie_memory(void)
{
	struct queue *q = some_queue();
	const uint8_t what = take_u8();
	struct accel_hw_response *rsp;

	if (!q->latched || !has_access())
		return;
	rsp = response(q, what < 128 ? q->back + take_u8() % 8 : take_u8());
	switch (what % 6) {
	case 0:
		line(q)->rsp_hhp = liar_some_number();
		break;
	case 1:
		line(q)->rsp_hhp = (q->back + take_u8() % 16) & (q->at.rsp_size - 1);
		break;
	case 2:
		line(q)->status = take_u8() < 128 ? ACCEL_HW_QP_ERROR | (take_u8() & 15) << 8 :
						  liar_some_number();
		break;
	case 3:
		rsp->tag = liar_some_number();
		q->wrote[rsp - response(q, 0)] = true;
		break;
	case 4:
		rsp->status = (uint16_t)liar_some_number();
		rsp->info = take_u16();
		break;
	default:
		rsp->produced = liar_some_number();
		break;
	}
	liar_note_answers(q);
}

/* Answers some requests, with any status and length. */
static void
lie_answer(void)
{
	struct queue *q = some_queue();
	uint32_t n = 1 + take_u8() % 8;
	uint16_t status, info;
	uint32_t produced;

	if (!q->latched || !has_access())
		return;
	for (; n > 0 && q->answered != q->asked; n--) {
		const uint8_t how = take_u8();

		status = (how & 1) != 0 ? 0 : take_u8() % 24;
		info = (how & 2) != 0 ? 0 : take_u16();
		produced = q->request[q->answered % REQUESTS].produced;
		if ((how & 4) != 0)
			produced = (how & 8) != 0 ? liar_some_number() : produced - take_u8() % 64;
		answer_one(q, status, info, produced);
		if ((how & 0x30) == 0x30)
			response(q, q->answered - 1)->tag = liar_some_number();
	}
	if (take_u8() < 224)
		write_back(q);
	liar_note_answers(q);
}

static void
lie_mood(void)
{
	liar.mood = take_u8();
	if (take_u8() == 0x77)
		liar.no_access = !liar.no_access;
	if (liar.no_access) {
		liar_note_all();
		unlatch_all();
	}
}

static void
act(void)
{
	liar_visit();
	if (liar.dev == NULL || liar.dev->dt.control == 0)
		return;
	switch (take_below(8)) {
	case 0:
	case 1:
	case 2:
		answer_honest(some_queue(), 1 + take_u8() % 16);
		break;
	case 3:
	case 4:
		liar.lied = true;
		lie_answer();
		break;
	case 5:
		liar.lied = true;
		lie_memory();
		break;
	case 6:
		liar.lied = true;
		lie_register();
		break;
	default:
		if (take_u8() < 128) {
			world_wait((uint64_t)take_u8() << (take_u8() % 25));
			break;
		}
		liar.lied = true;
		lie_mood();
		break;
	}
	liar_visit();
}

void
liar_act(void)
{
	if (liar.depth++ == 0)
		act();
	liar.depth--;
}

void
liar_behave(void)
{
	const struct accel_hw_identity *before = (const void *)liar_pristine[liar.version];

	liar.behaves = true;
	liar.mood = 0;
	liar.no_access = false;
	if (liar.dev != NULL && liar.dev->dt.control != 0) {
		identity()->magic = ACCEL_HW_MAGIC;
		identity()->version = before->version;
	}
}

bool
liar_was_honest(void)
{
	return !liar.lied;
}

/*
 * What the caller asks.
 */

static const struct request *
request_of(const struct call *call, struct queue **queue)
{
	unsigned int i;
	uint32_t n;

	for (i = 0; i < LIAR_QUEUES; i++) {
		struct queue *q = &liar.queue[i];

		for (n = q->back; n != q->asked; n++) {
			if (q->request[n % REQUESTS].call == call) {
				*queue = q;
				return &q->request[n % REQUESTS];
			}
		}
	}
	return NULL;
}

bool
liar_holds(const struct call *call)
{
	struct queue *q;

	return request_of(call, &q) != NULL && q->latched && has_access() && !call->answered;
}

void
liar_forget(const struct call *call)
{
	struct queue *q;
	struct request *r = (struct request *)(uintptr_t)request_of(call, &q);

	if (r == NULL)
		return;
	r->call = NULL;
	r->nb_rx = 0; /* its memory is the caller's again */
	while (q->back != q->asked && q->request[q->back % REQUESTS].call == NULL)
		q->wrote[q->back++ & (q->at.rsp_size - 1)] = false;
	/* A lie may have ended requests which the device has not answered. */
	if ((int32_t)(q->back - q->answered) > 0)
		q->answered = q->back;
}
