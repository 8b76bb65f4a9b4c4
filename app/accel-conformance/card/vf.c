/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles a virtual function and its physical function: see vf.h.
 */
#include <stddef.h>
#include <string.h>

#include "vf.h"

#define ENTRY(field) ((uint32_t)offsetof(struct accel_hw_vf_resources, field))
#define STATUS(field) ((uint32_t)offsetof(struct accel_hw_vf_status, field))
#define ANSWER(field) ((uint32_t)offsetof(struct accel_hw_vf_answer, field))
#define BOX(field) ((uint32_t)offsetof(struct accel_hw_mailbox, field))

enum {
	MAILBOX_ANSWERS,
	MAILBOX_REQUESTS,
	MAILBOX_STATUS,
};

static uint32_t
function_of(const struct card *c)
{
	return card_identity(c, offsetof(struct accel_hw_identity, function));
}

unsigned int
vf_index(const struct card *c)
{
	return function_of(c) & ACCEL_HW_FUNCTION_INDEX_MASK;
}

/* Return the offset of a VF's entry in a region that has an entry for each VF. */
static uint32_t
entry_of(uint32_t region, unsigned int vf)
{
	return region + vf * (uint32_t)sizeof(struct accel_hw_vf_resources);
}

bool
vf_begin(struct card *c)
{
	if (c->pf == NULL) {
		result_skip(&c->result, "no physical function: --pf-socket or --pf");
	} else if ((function_of(c) & ACCEL_HW_FUNCTION_IS_VF) == 0 || c->pf->tree.vf_table == 0) {
		result_skip(&c->result, "the function is not a virtual one of the other");
	} else if (c->pf->tree.vf_mailbox[0] == 0 || c->tree.mailbox[0] == 0) {
		result_skip(&c->result, "no mailbox");
	} else {
		struct accel_hw_vf_resources share;

		vf_everything(c, &share);
		return vf_give_and_reset(c, &share);
	}
	return false;
}

void
vf_end(struct card *c)
{
	struct accel_hw_vf_resources share;

	vf_everything(c, &share);
	vf_give_and_reset(c, &share);
}

void
vf_everything(const struct card *c, struct accel_hw_vf_resources *share)
{
	memset(share, 0, sizeof(*share));
	share->nb_queue_pairs = c->pf->tree.vf_limits ? (uint16_t)c->pf->tree.vf_most : UINT16_MAX;
	share->weight = 1;
	memset(share->algorithms, 0xff, sizeof(share->algorithms));
}

void
vf_write_values(struct card *c, const struct accel_hw_vf_resources *share)
{
	const uint32_t at = entry_of(c->pf->tree.vf_table, vf_index(c));
	uint32_t word;

	memcpy(&word, &share->nb_queue_pairs, sizeof(word));
	card_write32(c->pf, at + ENTRY(nb_queue_pairs), word);
	card_write64(c->pf, at + ENTRY(ops_per_second), share->ops_per_second);
	card_write64(c->pf, at + ENTRY(bytes_per_second), share->bytes_per_second);
	for (uint32_t i = 0; i < 4; i++)
		card_write64(c->pf, at + ENTRY(algorithms) + 8 * i, share->algorithms[i]);
}

uint32_t
vf_write(struct card *c, const struct accel_hw_vf_resources *share)
{
	const uint32_t at = entry_of(c->pf->tree.vf_table, vf_index(c));
	uint32_t sequence = card_read32(c->pf, at) + 1;

	sequence = sequence != 0 ? sequence : 1;
	vf_write_values(c, share);
	card_write32(c->pf, at + ENTRY(sequence), sequence);
	return sequence;
}

bool
vf_give(struct card *c, const struct accel_hw_vf_resources *share)
{
	const uint32_t sequence = vf_write(c, share);
	const uint32_t at = entry_of(c->pf->tree.vf_mailbox[MAILBOX_STATUS], vf_index(c));

	ENSURE(c, card_wait32(c->pf, at + STATUS(share_ack), UINT32_MAX, sequence),
	       "SHARE_ACK does not become SEQUENCE %u", sequence);
	return true;
}

bool
vf_give_and_reset(struct card *c, const struct accel_hw_vf_resources *share)
{
	if (!vf_give(c, share))
		return false;
	ENSURE(c, card_reset(c), "RESET_REQ is not echoed");
	ENSURE(c, tree_load(&c->tree, c->transport), "after a reset: %s", c->tree.error);
	return true;
}

uint32_t
vf_box(const struct card *c, uint32_t offset)
{
	return card_read32(c, c->tree.mailbox[1] + offset);
}

uint32_t
vf_request(const struct card *c, uint32_t offset)
{
	return card_read32(c->pf, entry_of(c->pf->tree.vf_mailbox[MAILBOX_REQUESTS], vf_index(c)) +
			   offset);
}

uint32_t
vf_status(const struct card *c, unsigned int vf, uint32_t offset)
{
	return card_read32(c->pf, entry_of(c->pf->tree.vf_mailbox[MAILBOX_STATUS], vf) + offset);
}

unsigned int
vf_queue_pairs(const struct card *c, unsigned int vf)
{
	return vf_status(c, vf, STATUS(queue_pairs)) & 0xffff;
}

unsigned int
vf_state(const struct card *c, unsigned int vf)
{
	return vf_status(c, vf, STATUS(queue_pairs)) >> 16 & 0xff;
}

void
vf_ask(struct card *c, uint32_t number, const struct accel_hw_vf_resources *wish)
{
	const uint32_t at = c->tree.mailbox[0];
	uint32_t word;

	memcpy(&word, &wish->nb_queue_pairs, sizeof(word));
	card_write32(c, at + ENTRY(nb_queue_pairs), word);
	card_write64(c, at + ENTRY(ops_per_second), wish->ops_per_second);
	card_write64(c, at + ENTRY(bytes_per_second), wish->bytes_per_second);
	for (uint32_t i = 0; i < 4; i++)
		card_write64(c, at + ENTRY(algorithms) + 8 * i, wish->algorithms[i]);
	card_write32(c, at + ENTRY(sequence), number);
}

uint32_t
vf_wait_request(struct card *c, uint32_t before)
{
	struct patience p;
	uint32_t now;

	patience_begin(&p, c);
	do {
		now = vf_request(c, ENTRY(sequence));
		if (now != before && now != 0)
			return now;
	} while (patience_left(&p));
	result_fail(&c->result, "REQUEST of the VF is not shown to the PF, which still has %u",
		    now);
	return 0;
}

void
vf_answer(struct card *c, uint32_t number, uint32_t status)
{
	const uint32_t at = entry_of(c->pf->tree.vf_mailbox[MAILBOX_ANSWERS], vf_index(c));

	card_write32(c->pf, at + ANSWER(answer_status), status);
	card_write32(c->pf, at + ANSWER(answer), number);
}

bool
vf_wait_answer(struct card *c, uint32_t number)
{
	ENSURE(c, card_wait32(c, c->tree.mailbox[1] + BOX(answer), UINT32_MAX, number),
	       "ANSWER of the VF is %u, wanted %u", vf_box(c, BOX(answer)), number);
	return true;
}
