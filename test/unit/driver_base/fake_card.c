/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * BAR0 of a card in plain memory, with a device tree, for tests that play the card themselves.
 */
#include "driver_base/fake_card.h"

void
fake_cells(void *fdt, const char *name, const uint32_t *cells, unsigned int n)
{
	fdt32_t be[8];
	unsigned int i;

	for (i = 0; i < n; i++)
		be[i] = cpu_to_fdt32(cells[i]);
	assert_int_equal(fdt_property(fdt, name, be, (int)(n * sizeof(be[0]))), 0);
}

void
fake_node(void *fdt, const char *compatible, unsigned int number)
{
	char name[64];

	snprintf(name, sizeof(name), "%s-%u", strchr(compatible, ',') + 1, number);
	fdt_begin_node(fdt, name);
	fdt_property(fdt, "compatible", compatible, (int)strlen(compatible) + 1);
}

void
fake_page(void *fdt, const char *compatible, uint32_t page)
{
	fake_node(fdt, compatible, 0);
	FAKE_CELLS(fdt, "reg", page, ACCEL_HW_PAGE_SIZE);
	fdt_end_node(fdt);
}

static void
fake_cipher(void *fdt, uint32_t id, uint32_t block)
{
	fake_node(fdt, ACCEL_HW_DT_CIPHER, id);
	FAKE_CELLS(fdt, ACCEL_HW_DT_ALG_ID, id);
	FAKE_CELLS(fdt, ACCEL_HW_DT_BLOCK_SIZE, block);
	FAKE_CELLS(fdt, ACCEL_HW_DT_KEY_SIZES, 16, 32, 8);
	FAKE_CELLS(fdt, ACCEL_HW_DT_IV_SIZES, 16, 16, 0);
	fdt_end_node(fdt);
}

void
fake_dma(void *fdt, const struct fake_tree *t)
{
	fake_node(fdt, ACCEL_HW_DT_DMA, 0);
	FAKE_CELLS(fdt, ACCEL_HW_DT_RING_SIZE_MAX,
		   t->ring_size_max != 0 ? t->ring_size_max : 262144);
	FAKE_CELLS(fdt, ACCEL_HW_DT_MAX_FRAGMENTS, t->max_fragments != 0 ? t->max_fragments : 256);
	FAKE_CELLS(fdt, ACCEL_HW_DT_MAX_FRAME_BYTES, 1048576);
	if (t->command_upper)
		fdt_property(fdt, ACCEL_HW_DT_COMMAND_UPPER, NULL, 0);
	if (t->command_ring)
		fdt_property(fdt, ACCEL_HW_DT_COMMAND_RING, NULL, 0);
	fdt_end_node(fdt);
}

static void
fake_queues(void *fdt, const struct fake_tree *t)
{
	uint32_t i, nb = t->no_qps ? 0 : t->nb_qps != 0 ? t->nb_qps : 1;

	for (i = 0; i < nb; i++) {
		fake_node(fdt, ACCEL_HW_DT_QP, i);
		FAKE_CELLS(fdt, "reg",
			   i == 0 && t->qp0 != 0 ? t->qp0 : FAKE_PAGE(2 * i + 2),
			   ACCEL_HW_PAGE_SIZE, FAKE_PAGE(2 * i + 3), ACCEL_HW_PAGE_SIZE);
		fdt_end_node(fdt);
	}
}

static void
fake_vfs(void *fdt, const struct fake_tree *t)
{
	if (t->vf_table) {
		fake_node(fdt, ACCEL_HW_DT_VF_TABLE, 0);
		FAKE_CELLS(fdt, "reg", t->vf_table_at != 0 ? t->vf_table_at : FAKE_VF_TABLE,
			   FAKE_PAGE(t->vf_pages != 0 ? t->vf_pages : 1));
		if (t->vf_qps[0] != 0)
			FAKE_CELLS(fdt, ACCEL_HW_DT_QUEUE_PAIRS, t->vf_qps[0], t->vf_qps[1]);
		fdt_end_node(fdt);
	}
	if (t->vf_mailbox) {
		fake_node(fdt, ACCEL_HW_DT_VF_MAILBOX, 0);
		FAKE_CELLS(fdt, "reg", FAKE_VF_ANSWERS, ACCEL_HW_PAGE_SIZE, FAKE_VF_REQUESTS,
			   ACCEL_HW_PAGE_SIZE,
			   t->vf_status_at != 0 ? t->vf_status_at : FAKE_VF_STATUS,
			   ACCEL_HW_PAGE_SIZE);
		fdt_end_node(fdt);
	}
	if (t->mailbox) {
		fake_node(fdt, ACCEL_HW_DT_MAILBOX, 0);
		FAKE_CELLS(fdt, "reg", t->mailbox_at != 0 ? t->mailbox_at : FAKE_MAILBOX_HOST,
			   ACCEL_HW_PAGE_SIZE, FAKE_MAILBOX_DEVICE, ACCEL_HW_PAGE_SIZE);
		fdt_end_node(fdt);
	}
}

void
fake_card_tree(uint8_t *bar, const struct fake_tree *t)
{
	struct accel_hw_identity *identity = (struct accel_hw_identity *)bar;
	void *fdt = bar + FAKE_TREE;

	assert_int_equal(fdt_create(fdt, (int)FAKE_TREE_ROOM), 0);
	fdt_finish_reservemap(fdt);
	fdt_begin_node(fdt, "");
	fdt_property(fdt, "compatible", ACCEL_HW_DT_ROOT, sizeof(ACCEL_HW_DT_ROOT));
	FAKE_CELLS(fdt, "#address-cells", 1);
	FAKE_CELLS(fdt, "#size-cells", 1);
	fake_page(fdt, ACCEL_HW_DT_CONTROL, t->control != 0 ? t->control : FAKE_PAGE(1));
	fake_page(fdt, ACCEL_HW_DT_INVALIDATE,
		  t->invalidate != 0 ? t->invalidate : FAKE_INVALIDATE);
	if (t->health)
		fake_page(fdt, ACCEL_HW_DT_HEALTH, t->health_at != 0 ? t->health_at : FAKE_HEALTH);
	fake_vfs(fdt, t);
	fake_dma(fdt, t);
	fake_queues(fdt, t);
	fake_node(fdt, ACCEL_HW_DT_SYM, 0);
	FAKE_CELLS(fdt, ACCEL_HW_DT_CONTEXT_SIZE, sizeof(struct accel_hw_context));
	if (t->aad_in_command)
		fdt_property(fdt, ACCEL_HW_DT_AAD_IN_COMMAND, NULL, 0);
	fake_cipher(fdt, ACCEL_HW_CIPHER_AES_CBC, 16);
	if (!t->no_ctr)
		fake_cipher(fdt, ACCEL_HW_CIPHER_AES_CTR, 1);
	fdt_end_node(fdt);
	fdt_end_node(fdt);
	assert_int_equal(fdt_finish(fdt), 0);
	identity->dt_offset = FAKE_TREE;
	identity->dt_size = (fdt_totalsize(fdt) + 7) & ~7u;
}

/* Makes BAR0, which begins at a page and is all zeros but for its identity and its tree. */
static void
fake_card_bar(uint8_t *bar, const struct fake_tree *t)
{
	struct accel_hw_identity *identity = (struct accel_hw_identity *)bar;

	memset(bar, 0, FAKE_BAR_SIZE);
	identity->magic = ACCEL_HW_MAGIC;
	identity->version = ACCEL_HW_VERSION;
	identity->state = ACCEL_HW_STATE_READY;
	fake_card_tree(bar, t);
}

void
fake_card_plug(struct accel_dev *dev, uint8_t *bar, const struct fake_tree *t)
{
	fake_card_bar(bar, t);
	memset(dev, 0, sizeof(*dev));
	dev->bar = bar;
	dev->bar_size = FAKE_BAR_SIZE;
	dev->name = "test";
	assert_int_equal(accel_lock_init(&dev->reset_lock), 0);
	assert_int_equal(accel_devtree_read(dev), 0);
	dev->nb_qps_probed = dev->dt.nb_qps;
}
