/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests a virtual function together with its physical function (manual 4.5): shares, and what the
 * PF does to its VFs.
 */
#include <linux/pci_regs.h>
#include <stddef.h>
#include <string.h>

#include "card/vf.h"
#include "reference/sym.h"
#include "tests_card.h"

#define NS_PER_S 1e9
#define TOLERANCE_S 0.010 /* manual 4.5: 10 ms worth of a rate */

/* The functions below test shares. */

static bool
has_only(struct card *c, unsigned int queue_pairs, uint32_t alg)
{
	ENSURE(c, c->tree.nb_qps == queue_pairs, "the tree has %u queue pairs, wanted %u",
	       c->tree.nb_qps, queue_pairs);
	for (unsigned int i = 0; i < c->tree.nb_algs; i++)
		ENSURE(c, c->tree.alg[i].id == alg, "the tree has algorithm %u",
		       c->tree.alg[i].id);
	ENSURE(c, !c->tree.pdcp.there && !c->tree.docsis.there, "the tree has a protocol");
	return true;
}

/* Check that queue pairs and algorithms of a share wait for a reset or FLR, and that the tree then
 * has nothing else. */
static void
check_resources(struct card *c)
{
	const unsigned int before = c->tree.nb_qps, algs = c->tree.nb_algs;
	struct accel_hw_vf_resources share;
	struct queue q;

	SKIP_UNLESS(c, before >= 2, "the VF cannot have two queue pairs");
	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	queue_init(&q, c, before - 1);
	if (!queue_start(&q))
		return;
	vf_everything(c, &share);
	share.nb_queue_pairs = 1;
	memset(share.algorithms, 0, sizeof(share.algorithms));
	share.algorithms[0] = UINT64_C(1) << ACCEL_HW_CIPHER_AES_CBC;
	if (!vf_give(c, &share) || !request_works(&q))
		return;
	CHECK(c, tree_load(&c->tree, c->transport), "%s", c->tree.error);
	CHECK(c, c->tree.nb_qps == before && c->tree.nb_algs == algs,
	      "the tree has changed without a reset");
	CHECK(c, card_reset(c) && tree_load(&c->tree, c->transport), "no reset: %s", c->tree.error);
	if (!has_only(c, 1, ACCEL_HW_CIPHER_AES_CBC) || !queue_open(&q, c) || !request_works(&q))
		return;
	vf_everything(c, &share);
	if (!vf_give(c, &share))
		return;
	CHECK(c, card_flr(c) && tree_load(&c->tree, c->transport), "no FLR: %s", c->tree.error);
	CHECK(c, c->tree.nb_qps == before && c->tree.nb_algs == algs,
	      "after FLR the tree has %u queue pairs and %u algorithms, wanted %u and %u",
	      c->tree.nb_qps, c->tree.nb_algs, before, algs);
}
VF_TEST(resources)

static void
check_denied(struct card *c)
{
	struct accel_hw_vf_resources share;
	struct accel_hw_context x;
	uint8_t out[64];
	struct request r;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	vf_everything(c, &share);
	share.algorithms[0] &= ~(UINT64_C(1) << ACCEL_HW_CIPHER_AES_CBC);
	sym_cbc(&c->tree, &x, true);
	for (int i = 0; i < 2; i++) {
		if (!vf_give_and_reset(c, &share) || !queue_open(&q, c))
			return;
		sym_cbc_request(c, &r, &x, sym_store(c, &x), out);
		if (!request_run(&q, &r, i == 0 ? ACCEL_HW_DENIED : ACCEL_HW_OK))
			return;
		vf_everything(c, &share);
	}
}
VF_TEST(denied)

/* Check that what the host writes takes effect with SEQUENCE, all of it together. */
static void
check_together(struct card *c)
{
	const uint32_t ops = offsetof(struct accel_hw_mailbox, share) +
			     offsetof(struct accel_hw_vf_resources, ops_per_second);
	const unsigned int before = c->tree.nb_qps;
	struct accel_hw_vf_resources share;
	struct queue q;

	SKIP_UNLESS(c, before >= 2, "the VF cannot have two queue pairs");
	vf_everything(c, &share);
	share.nb_queue_pairs = 1;
	share.ops_per_second = 1000000007;
	vf_write_values(c, &share);
	card_settle(c);
	CHECK(c, card_reset(c) && tree_load(&c->tree, c->transport), "no reset: %s", c->tree.error);
	CHECK(c, c->tree.nb_qps == before, "queue pairs have changed without SEQUENCE");
	CHECK(c, vf_box(c, ops) == 0, "a rate has changed without SEQUENCE");
	if (!vf_give_and_reset(c, &share))
		return;
	CHECK(c, c->tree.nb_qps == 1 && vf_box(c, ops) == 1000000007,
	      "after SEQUENCE the tree has %u queue pairs, and the rate is %u", c->tree.nb_qps,
	      vf_box(c, ops));
	if (queue_open(&q, c))
		request_works(&q);
}
VF_TEST(together)

/* True if the work since begin_ns took the time that its rate needs. */
static bool
rate_kept(struct card *c, uint64_t begin_ns, double rate, double units, double one)
{
	const double t = (double)(now_ns() - begin_ns) / NS_PER_S;

	ENSURE(c, units <= rate * (t + TOLERANCE_S) + one,
	       "%.0f units in %.1f ms, at %.0f a second", units, t * 1e3, rate);
	return true;
}

/* Post LOOPBACKs and ring the doorbell. */
static uint64_t
post_loopbacks(struct queue *q, struct request *r, uint32_t nb, uint32_t len)
{
	struct memory *m = &q->card->memory;
	uint64_t begin;

	for (uint32_t i = 0; i < nb; i++) {
		request_loopback(&r[i], q->card, memory_get(m, MEMORY_LOW, len, 1),
				 memory_get(m, MEMORY_LOW, len, 1), len);
		request_post(q, &r[i]);
	}
	begin = now_ns();
	queue_doorbell(q);
	return begin;
}

static bool
finish_all(struct queue *q, struct request *r, uint32_t nb)
{
	for (uint32_t i = 0; i < nb; i++) {
		if (!request_finish(q, &r[i]))
			return false;
	}
	return true;
}

/* Test the rate of operations, and then the rate of bytes. */
static void
check_rates(struct card *c)
{
	const uint32_t len = 1000, nb = 30;
	struct accel_hw_vf_resources share;
	struct request r[30];
	uint64_t begin;
	struct queue q;

	vf_everything(c, &share);
	share.ops_per_second = 1000;
	if (!queue_open(&q, c) || !vf_give(c, &share))
		return;
	for (uint32_t i = 0; i < nb; i++)
		queue_put_nop(&q);
	begin = now_ns();
	queue_doorbell(&q);
	if (!queue_nops_done(&q, nb) || !rate_kept(c, begin, 1000, nb, 1))
		return;
	share.ops_per_second = 0;
	share.bytes_per_second = 1000 * len;
	if (!vf_give(c, &share))
		return;
	begin = post_loopbacks(&q, r, 15, len);
	if (!finish_all(&q, r, 15))
		return;
	post_loopbacks(&q, r, 15, len);
	if (finish_all(&q, r, 15))
		rate_kept(c, begin, 1000.0 * len, 30.0 * len, len);
}
VF_TEST(rates)

/* Change a rate at which operations would wait for hours, while they wait. */
static void
check_at_once(struct card *c)
{
	struct accel_hw_vf_resources share;
	struct accel_hw_writeback line;
	struct request r[4];
	struct queue q;
	uint64_t begin;

	vf_everything(c, &share);
	share.bytes_per_second = 1;
	if (!queue_open(&q, c) || !vf_give(c, &share))
		return;
	post_loopbacks(&q, r, 4, 5000);
	card_settle(c);
	queue_line(&q, &line);
	CHECK(c, line.rsp_hhp <= 1, "%u operations of 5000 bytes at one byte a second",
	      line.rsp_hhp);
	share.bytes_per_second = 1000000000;
	if (!vf_give(c, &share) || !finish_all(&q, r, 4))
		return;
	share.bytes_per_second = 0;
	share.ops_per_second = 1000;
	share.weight = 3;
	if (!vf_give(c, &share))
		return;
	begin = post_loopbacks(&q, r, 4, 1);
	for (uint32_t i = 0; i < 30; i++)
		queue_put_nop(&q);
	queue_doorbell(&q);
	if (finish_all(&q, r, 4) && queue_nops_done(&q, 30))
		rate_kept(c, begin, 1000, 34, 1);
}
VF_TEST(at_once)

static void
check_no_queue_pairs(struct card *c)
{
	struct accel_hw_vf_resources share;
	uint64_t beat;

	vf_everything(c, &share);
	share.nb_queue_pairs = 0;
	if (!vf_give_and_reset(c, &share))
		return;
	CHECK(c, c->tree.nb_qps == 0, "the tree has %u queue pairs, wanted none", c->tree.nb_qps);
	CHECK(c, vf_queue_pairs(c, vf_index(c)) == 0, "the status entry has %u queue pairs",
	      vf_queue_pairs(c, vf_index(c)));
	beat = card_heartbeat(c);
	card_settle(c);
	CHECK(c, card_heartbeat(c) != beat, "no heartbeat");
	CHECK(c, card_reset(c) && card_flr(c) && tree_load(&c->tree, c->transport),
	      "no reset or FLR: %s", c->tree.error);
	CHECK(c, c->tree.nb_qps == 0, "after FLR the tree has %u queue pairs", c->tree.nb_qps);
}
VF_TEST(no_queue_pairs)

/* Return how many queue pairs the other VFs have. */
static unsigned int
taken_by_others(const struct card *c)
{
	const unsigned int entries = c->pf->tree.vf_pages * 64;
	unsigned int sum = 0;

	for (unsigned int i = 0; i < entries; i++)
		sum += i != vf_index(c) ? vf_queue_pairs(c, i) : 0;
	return sum;
}

static void
check_pool(struct card *c)
{
	const struct tree *t = &c->pf->tree;
	struct accel_hw_vf_resources share;
	const uint32_t in_box = offsetof(struct accel_hw_mailbox, queue_pairs);
	unsigned int left, wanted;

	SKIP_UNLESS(c, t->vf_limits, "the tree does not say how many queue pairs there are");
	CHECK(c, taken_by_others(c) <= t->vf_all, "the others have %u queue pairs of %u",
	      taken_by_others(c), t->vf_all);
	left = t->vf_all - taken_by_others(c);
	for (unsigned int ask = 0; ask <= t->vf_most + 1; ask++) {
		vf_everything(c, &share);
		share.nb_queue_pairs = ask <= t->vf_most ? (uint16_t)ask : UINT16_MAX;
		wanted = ask < t->vf_most ? ask : t->vf_most;
		wanted = wanted < left ? wanted : left;
		if (!vf_give_and_reset(c, &share))
			return;
		CHECK(c, c->tree.nb_qps == wanted,
		      "the VF has %u queue pairs of %u, wanted %u of %u", c->tree.nb_qps,
		      share.nb_queue_pairs, wanted, left);
		CHECK(c, card_wait32(c, c->tree.mailbox[1] + in_box, 0xffff, wanted),
		      "QUEUE_PAIRS of the mailbox is not %u", wanted);
		CHECK(c, vf_queue_pairs(c, vf_index(c)) == wanted,
		      "the status entry has %u queue pairs, wanted %u",
		      vf_queue_pairs(c, vf_index(c)), wanted);
	}
}
VF_TEST(pool)

/* The functions below test what the PF does to its VFs. */

static void
check_pf_reset(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c) || !request_works(&q))
		return;
	for (int i = 0; i < 5; i++) {
		CHECK(c, card_reset(c->pf), "the PF does not echo RESET_REQ");
		if (!request_works(&q))
			return;
	}
	CHECK(c, tree_load(&c->pf->tree, c->pf->transport), "the PF: %s", c->pf->tree.error);
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}
VF_TEST(pf_reset)

/* Switch bus master and memory space of the PF off, which has no effect on its VFs. */
static void
check_pf_command(struct card *c)
{
	const uint32_t before = card_config(c->pf, PCI_COMMAND, 2);
	struct queue q;
	bool works;

	if (!queue_open(&q, c) || !request_works(&q))
		return;
	works = card_command(c->pf, false, false) && request_works(&q);
	CHECK(c, card_config_write(c->pf, PCI_COMMAND, before | PCI_COMMAND_MEMORY, 2),
	      "cannot write the PF's command register");
	if (works)
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}
VF_TEST(pf_command)

/* Return the offset of the SR-IOV capability, or 0 if there is none. */
static uint32_t
sriov(struct card *c)
{
	uint32_t at = PCI_CFG_SPACE_SIZE;

	for (int i = 0; i < 64 && at >= PCI_CFG_SPACE_SIZE; i++) {
		const uint32_t head = card_config(c, at, 4);

		if (head == UINT32_MAX || head == 0)
			return 0;
		if (PCI_EXT_CAP_ID(head) == PCI_EXT_CAP_ID_SRIOV)
			return at;
		at = PCI_EXT_CAP_NEXT(head);
	}
	return 0;
}

/* Check that an FLR of the PF clears its table. A PF with the SR-IOV capability would take the VF
 * away. */
static void
check_pf_flr(struct card *c)
{
	const struct tree *t = &c->pf->tree;
	struct accel_hw_vf_resources share;

	SKIP_UNLESS(c, sriov(c->pf) == 0, "an FLR of the PF takes the VF away");
	vf_everything(c, &share);
	share.ops_per_second = 1;
	if (!vf_give(c, &share))
		return;
	CHECK(c, card_flr(c->pf), "the PF is not ready after FLR");
	for (uint32_t at = 0; at < t->vf_pages * ACCEL_HW_PAGE_SIZE; at += 4)
		CHECK(c, card_read32(c->pf, t->vf_table + at) == 0,
		      "the resource table has %#x at %#x after FLR",
		      card_read32(c->pf, t->vf_table + at), at);
	CHECK(c, card_wait32(c, c->tree.mailbox[1] + offsetof(struct accel_hw_mailbox, share),
			     UINT32_MAX, 0), "the VF still has a share");
}
VF_TEST(pf_flr)

/* The code below tests the SR-IOV capability. */

static void
numbers(struct card *c)
{
	const uint32_t at = c->pf != NULL ? sriov(c->pf) : 0;
	uint32_t total, initial, offset, stride;

	SKIP_UNLESS(c, at != 0, "no SR-IOV capability");
	total = card_config(c->pf, at + PCI_SRIOV_TOTAL_VF, 2);
	initial = card_config(c->pf, at + PCI_SRIOV_INITIAL_VF, 2);
	CHECK(c, total >= 1 && total <= 256 && initial == total, "TotalVFs %u, InitialVFs %u",
	      total, initial);
	offset = card_config(c->pf, at + PCI_SRIOV_VF_OFFSET, 2);
	stride = card_config(c->pf, at + PCI_SRIOV_VF_STRIDE, 2);
	CHECK(c, card_reset(c->pf), "the PF does not echo RESET_REQ");
	CHECK(c, offset != 0 && (stride != 0 || total == 1) &&
	      card_config(c->pf, at + PCI_SRIOV_VF_OFFSET, 2) == offset &&
	      card_config(c->pf, at + PCI_SRIOV_VF_STRIDE, 2) == stride,
	      "First VF Offset %u, VF Stride %u, or they have changed", offset, stride);
}

static void
vf_bar(struct card *c)
{
	const uint32_t at = c->pf != NULL ? sriov(c->pf) : 0;
	const uint64_t size = c->transport->bar_size;
	uint32_t type, page;

	SKIP_UNLESS(c, at != 0, "no SR-IOV capability");
	type = card_config(c->pf, at + PCI_SRIOV_BAR, 4) & 0xf;
	CHECK(c, type == (PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH),
	      "VF BAR0 is of type %#x", type);
	page = card_config(c->pf, at + PCI_SRIOV_SYS_PGSIZE, 4);
	CHECK(c, (card_config(c->pf, at + PCI_SRIOV_SUP_PGSIZE, 4) & 1) != 0,
	      "pages of 4 KiB are not supported");
	CHECK(c, (size & (size - 1)) == 0 && size % ((uint64_t)page << 12) == 0,
	      "BAR0 of the VF has %#llx bytes, with pages of %#llx", (unsigned long long)size,
	      (unsigned long long)page << 12);
}

static const struct test_case tests[] = {
	{ "VF-1", "queue pairs and algorithms wait for a reset or FLR", resources },
	{ "VF-2", "an algorithm that was not given is DENIED", denied },
	{ "VF-3", "an entry counts with its SEQUENCE", together },
	{ "VF-4", "rates are not exceeded", rates },
	{ "VF-15", "rates change while the VF works", at_once },
	{ "VF-16", "a VF without queue pairs", no_queue_pairs },
	{ "VF-18", "queue pairs exist once", pool },
	{ "VF-13", "a reset of the PF does not concern the VF", pf_reset },
	{ "VF-10", "bus master and memory space of the PF do not concern the VF", pf_command },
	{ "VF-14", "an FLR of the PF clears the resource table", pf_flr },
	{ "VF-5 VF-6", "numbers of the SR-IOV capability", numbers },
	{ "VF-7", "BAR0 of the VF", vf_bar },
};

const struct test_group tests_vf = TEST_GROUP("vf", tests);
