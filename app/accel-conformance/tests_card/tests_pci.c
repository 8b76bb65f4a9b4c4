/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the configuration space: header, capabilities, function level reset, bus master, power
 * (manual 3.1).
 */
#include <linux/pci_regs.h>
#include <time.h>

#include "queue/request.h"
#include "tests_card.h"

static void
pause_ms(long ms)
{
	const struct timespec ts = { .tv_nsec = ms * 1000000 };

	nanosleep(&ts, NULL);
}

static void
class_and_revision(struct card *c)
{
	uint32_t word = card_config(c, PCI_CLASS_REVISION, 4);

	CHECK(c, word >> 8 == ACCEL_HW_PCI_CLASS || word >> 8 == ACCEL_HW_PCI_CLASS_BEFORE,
	      "class %#x, wanted %#x or %#x", word >> 8, ACCEL_HW_PCI_CLASS,
	      ACCEL_HW_PCI_CLASS_BEFORE);
	CHECK(c, (word & 0xff) == ACCEL_HW_VERSION_MAJOR, "revision %u, wanted %u", word & 0xff,
	      ACCEL_HW_VERSION_MAJOR);
}

static void
header(struct card *c)
{
	uint32_t type = card_config(c, PCI_HEADER_TYPE, 1) & 0x7f;
	uint32_t bar = card_config(c, PCI_BASE_ADDRESS_0, 4);

	CHECK(c, type == 0, "header type %u, wanted 0", type);
	CHECK(c, (bar & 0xf) == (PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH),
	      "low bits of BAR0 are %#x, wanted 64 bits, prefetchable", bar & 0xf);
	CHECK(c, card_config(c, PCI_ROM_ADDRESS, 4) == 0, "there is an expansion ROM");
	CHECK(c, card_config(c, PCI_INTERRUPT_PIN, 1) == 0, "interrupt pin %u, wanted 0",
	      card_config(c, PCI_INTERRUPT_PIN, 1));
	CHECK(c, (c->transport->bar_size & (c->transport->bar_size - 1)) == 0,
	      "BAR0 has %#llx bytes", (unsigned long long)c->transport->bar_size);
}

static void
express(struct card *c)
{
	uint32_t cap = card_capability(c, PCI_CAP_ID_EXP);

	CHECK(c, cap != 0, "no PCI Express capability");
	CHECK(c, (card_config(c, cap + PCI_EXP_DEVCAP, 4) & PCI_EXP_DEVCAP_FLR) != 0,
	      "no function level reset in the device capabilities");
	CHECK(c, (card_config(c, cap + PCI_EXP_DEVSTA, 2) & PCI_EXP_DEVSTA_TRPND) == 0,
	      "Transactions Pending is 1 after a reset");
}

static void
power_management(struct card *c)
{
	uint32_t cap = card_capability(c, PCI_CAP_ID_PM), pmc, csr;

	CHECK(c, cap != 0, "no Power Management capability");
	pmc = card_config(c, cap + PCI_PM_PMC, 2);
	csr = card_config(c, cap + PCI_PM_CTRL, 2);
	CHECK(c, (pmc & PCI_PM_CAP_VER_MASK) == 3, "version %u, wanted 3",
	      pmc & PCI_PM_CAP_VER_MASK);
	CHECK(c, (pmc & (PCI_PM_CAP_D1 | PCI_PM_CAP_D2 | PCI_PM_CAP_PME_MASK)) == 0,
	      "D1, D2 or PME in %#x", pmc);
	CHECK(c, (csr & (PCI_PM_CTRL_NO_SOFT_RESET | PCI_PM_CTRL_STATE_MASK)) == 0,
	      "status %#x, wanted D0 with No_Soft_Reset 0", csr);
}

static void
msix(struct card *c)
{
	uint32_t cap = card_capability(c, PCI_CAP_ID_MSIX);

	SKIP_UNLESS(c, cap != 0, "no MSI-X");
	CHECK(c, (card_config(c, cap + PCI_MSIX_TABLE, 4) & PCI_MSIX_TABLE_BIR) != 0 &&
	      (card_config(c, cap + PCI_MSIX_PBA, 4) & PCI_MSIX_PBA_BIR) != 0,
	      "the table or the pending bits lie in BAR0");
}

/* Return the offset of an extended capability, or 0. */
static uint32_t
extended(struct card *c, uint16_t id)
{
	uint32_t at = PCI_CFG_SPACE_SIZE, word;

	for (int i = 0; i < 64 && at >= PCI_CFG_SPACE_SIZE; i++) {
		word = card_config(c, at, 4);
		if (word == 0 || word == UINT32_MAX)
			return 0;
		if (PCI_EXT_CAP_ID(word) == id)
			return at;
		at = PCI_EXT_CAP_NEXT(word);
	}
	return 0;
}

/* Check that ATS and PASID are off. All other tests run like that, so they show that the device
 * works without them. */
static void
without_ats(struct card *c)
{
	uint32_t ats = extended(c, PCI_EXT_CAP_ID_ATS), pasid = extended(c, PCI_EXT_CAP_ID_PASID);
	struct queue q;

	CHECK(c, ats == 0 || (card_config(c, ats + PCI_ATS_CTRL, 2) & PCI_ATS_CTRL_ENABLE) == 0,
	      "ATS is on after a reset");
	CHECK(c, pasid == 0 || (card_config(c, pasid + 6, 2) & 1) == 0,
		"PASID is on after a reset");
	queue_init(&q, c, 0);
	if (queue_start(&q))
		request_works(&q);
}

/* Request an FLR in configuration space, as a kernel does. */
static void
flr(struct card *c)
{
	uint32_t cap = card_capability(c, PCI_CAP_ID_EXP), control, command;
	struct queue q;

	if (!queue_open(&q, c) || !request_works(&q))
		return;
	control = card_config(c, cap + PCI_EXP_DEVCTL, 2);
	CHECK(c, cap != 0 && card_config_write(c, cap + PCI_EXP_DEVCTL,
					       control | PCI_EXP_DEVCTL_BCR_FLR, 2),
	      "FLR cannot be requested");
	pause_ms(100);
	command = card_config(c, PCI_COMMAND, 2);
	CHECK(c, c->transport->restores ||
	      (command & (PCI_COMMAND_MASTER | PCI_COMMAND_MEMORY)) == 0,
	      "command register %#x after FLR, wanted bus master and memory space off", command);
	CHECK(c, card_command(c, true, true) &&
	      card_wait32(c, offsetof(struct accel_hw_identity, state), UINT32_MAX,
			  ACCEL_HW_STATE_READY), "the function is not ready after FLR");
	CHECK(c, queue_status(&q) == 0 && card_read32(c, q.host + 4) == 0 &&
	      card_identity(c, offsetof(struct accel_hw_identity, reset_ack)) == 0,
	      "a queue pair or RESET_ACK is as before FLR");
	queue_init(&q, c, 0);
	if (queue_start(&q))
		request_works(&q);
}

/* Begin work that takes a while. Each of its responses is a write that would be seen. */
static bool
busy(struct card *c, struct queue *q)
{
	memory_begin(&c->memory, 12);
	c->nb_lines = 0;
	queue_init(q, c, 0);
	queue_rings(q, MEMORY_HIGH, 1024, 1024, 64);
	if (!queue_start(q))
		return false;
	request_post_heavy(q, 50);
	return true;
}

/* Check that nothing is written from now on. The destination of the work does not change anyway. */
static bool
still(struct card *c, const char *when)
{
	uint64_t iova;

	memory_take(&c->memory, MEMORY_EDGE, c->memory.part[MEMORY_HIGH].size);
	pause_ms(30);
	ENSURE(c, memory_same(&c->memory, &iova), "a write to %#llx %s", (unsigned long long)iova,
	       when);
	return true;
}

/* Clear the bus master bit in the middle of work. */
static void
bus_master_busy(struct card *c)
{
	for (int i = 0; i < 5; i++) {
		struct queue q;

		if (!busy(c, &q))
			return;
		CHECK(c, card_command(c, true, false), "the command register cannot be written");
		if (!still(c, "while bus master is 0"))
			return;
		CHECK(c, card_reset(c), "RESET_REQ is not echoed while bus master is 0");
		CHECK(c, card_command(c, true, true), "the command register cannot be written");
	}
}

/* Check that a queue pair that needs memory while the bus master is off fails without a write. */
static void
bus_master(struct card *c)
{
	uint32_t wanted = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, ACCEL_HW_QP_ERR_DMA,
					     ACCEL_HW_RING_TX);
	struct queue q;
	uint64_t iova;

	if (!queue_open(&q, c) || !request_works(&q))
		return;
	queue_take_line(c, q.regs.wb_base);
	CHECK(c, card_command(c, true, false), "the command register cannot be written");
	queue_put_nop(&q);
	queue_doorbell(&q);
	CHECK(c, card_wait32(c, q.device + 4, UINT32_MAX, wanted), "STATUS %#x, wanted %#x",
	      queue_status(&q), wanted);
	card_settle(c);
	CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx while bus master is 0",
	      (unsigned long long)iova);
	CHECK(c, card_command(c, true, true), "the command register cannot be written");
	if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) || !queue_start(&q))
		return;
	request_works(&q);
}

/* Begin a test of D3hot: start a queue pair, put a request without a doorbell, enter D3hot. */
static bool
enter_d3(struct card *c, struct queue *q, uint32_t cap)
{
	queue_init(q, c, 0);
	if (!queue_start(q) || !request_works(q))
		return false;
	queue_take_line(c, q->regs.wb_base);
	queue_put_nop(q);
	ENSURE(c, card_config_write(c, cap + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK, 2) &&
	       (card_config(c, cap + PCI_PM_CTRL, 2) & PCI_PM_CTRL_STATE_MASK) == 3,
	       "the function does not show D3hot");
	return true;
}

static bool
leave_d3(struct card *c, uint32_t cap)
{
	ENSURE(c, card_config_write(c, cap + PCI_PM_CTRL, 0, 2), "D0 cannot be written");
	pause_ms(20); /* PCI Express: 10 ms from D3hot to D0 */
	ENSURE(c, (card_config(c, cap + PCI_PM_CTRL, 2) & PCI_PM_CTRL_STATE_MASK) == 0,
	       "the function does not show D0");
	ENSURE(c, card_command(c, true, true) &&
	       card_wait32(c, offsetof(struct accel_hw_identity, state), UINT32_MAX,
			   ACCEL_HW_STATE_READY), "the function is not ready after D3hot");
	return true;
}

/* Enter D3hot in the middle of work. */
static void
d3_stops(struct card *c)
{
	uint32_t cap = card_capability(c, PCI_CAP_ID_PM);

	SKIP_UNLESS(c, cap != 0, "no Power Management");
	for (int i = 0; i < 5; i++) {
		struct queue q;

		if (!busy(c, &q))
			return;
		CHECK(c, card_config_write(c, cap + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK, 2),
		      "D3hot cannot be written");
		if (!still(c, "in D3hot") || !leave_d3(c, cap) || !still(c, "after D3hot"))
			return;
	}
}

static void
d3_resets(struct card *c)
{
	uint32_t cap = card_capability(c, PCI_CAP_ID_PM);
	struct queue q;

	SKIP_UNLESS(c, cap != 0, "no Power Management");
	card_write32(c, c->tree.invalidate, 0x12345678);
	if (!enter_d3(c, &q, cap) || !leave_d3(c, cap))
		return;
	CHECK(c, queue_status(&q) == 0 && queue_device32(&q, 0) == 0,
	      "STATUS %#x, CONTROL_ACK %#x after D3hot, wanted 0 as after FLR", queue_status(&q),
	      queue_device32(&q, 0));
	CHECK(c, card_read32(c, q.host + 4) == 0 && card_read32(c, c->tree.invalidate) == 0,
	      "host-written pages keep their values over D3hot");
	CHECK(c, card_identity(c, offsetof(struct accel_hw_identity, reset_ack)) == 0,
	      "RESET_ACK is not 0 after D3hot");
	queue_init(&q, c, 0);
	if (queue_start(&q))
		request_works(&q);
}

static const struct test_case tests[] = {
	{ "PCI-1 PCI-2", "class and revision", class_and_revision },
	{ "PCI-3", "type 0, BAR0 64 bits and prefetchable, no ROM, no interrupt pin", header },
	{ "PCI-4", "PCI Express with FLR, nothing pending at rest", express },
	{ "PCI-5", "Power Management 3 with D0 and D3hot, No_Soft_Reset 0", power_management },
	{ "PCI-6", "MSI-X does not lie in BAR0", msix },
	{ "PCI-7", "ATS and PASID are off, and the device works", without_ats },
	{ "PCI-8", "FLR: bus master and memory space off, then ready again", flr },
	{ "PCI-9", "no access while bus master is 0, a DMA error, then it works again",
	  bus_master },
	{ "PCI-9", "bus master is cleared while the device works: no access any more",
	  bus_master_busy },
	{ "PCI-13", "no write in D3hot", d3_stops },
	{ "PCI-14", "D3hot to D0 is like FLR", d3_resets },
};

const struct test_group tests_pci = TEST_GROUP("pci", tests);
