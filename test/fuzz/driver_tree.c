/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Device trees: any bytes, or a tree of the reference device with some changed. What the driver
 * takes from a tree shall lie within BAR0 and the limits of the manual, and the offer that it makes
 * of the tree has an end.
 */
#include <string.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include "accel_capability_list.h"
#include "accel_devtree.h"
#include "accel_security.h"
#include "driver/liar.h"
#include "driver/world.h"
#include "fuzz.h"

static size_t bar_size;

static void
check_page(uint32_t at)
{
	CLAIM(at % ACCEL_HW_PAGE_SIZE == 0 && at + ACCEL_HW_PAGE_SIZE <= bar_size);
}

static void
check_range(const struct accel_hw_range *r)
{
	CLAIM(r->min <= r->max);
	CLAIM(r->step != 0 || r->min == r->max);
}

/* What accel_devtree.h promises. */
static void
check(const struct accel_devtree *dt)
{
	unsigned int i;

	check_page(dt->control);
	check_page(dt->invalidate);
	check_page(dt->health);
	check_page(dt->mailbox_host);
	check_page(dt->mailbox_device);
	CLAIM(dt->control != 0 && dt->invalidate != 0);
	CLAIM((uint64_t)dt->vf_table + dt->vf_table_size <= bar_size);
	CLAIM((uint64_t)dt->vf_answers + dt->vf_table_size <= bar_size);
	CLAIM((uint64_t)dt->vf_requests + dt->vf_table_size <= bar_size);
	CLAIM((uint64_t)dt->vf_status + dt->vf_table_size <= bar_size);
	CLAIM(rte_is_power_of_2(dt->ring_size_max) && dt->ring_size_max >= ACCEL_HW_RING_SIZE_MIN);
	CLAIM(dt->max_fragments >= ACCEL_HW_MIN_MAX_FRAGMENTS && dt->max_fragments <= 32766);
	CLAIM(dt->max_frame_bytes >= ACCEL_HW_MIN_MAX_FRAME_BYTES &&
	      dt->max_frame_bytes <= 1u << 30);
	CLAIM(dt->nb_qps <= ACCEL_DT_MAX_QPS);
	for (i = 0; i < ACCEL_DT_ALL_QPS; i++) {
		if (!accel_dt_has_qp(dt, i))
			continue;
		check_page(dt->qp[i].host);
		check_page(dt->qp[i].device);
		CLAIM(dt->qp[i].host != 0 && dt->qp[i].device != 0);
	}
	for (i = 0; i < ACCEL_HW_ALG_NB; i++) {
		if (dt->alg[i].class == ACCEL_ALG_ABSENT)
			continue;
		check_range(&dt->alg[i].key);
		check_range(&dt->alg[i].iv);
		check_range(&dt->alg[i].digest);
		check_range(&dt->alg[i].aad);
		CLAIM(dt->alg[i].nb_key_iv <= ACCEL_DT_MAX_KEY_IV);
	}
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	world_start((*argv)[0]);
	liar_start();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rte_cryptodev_capabilities *caps;
	struct accel_security_caps *security = NULL;
	struct accel_devtree dt;
	unsigned int nb;
	size_t len;
	uint8_t *blob;

	world_begin(data, size);
	bar_size = (size_t)take_u8() * ACCEL_HW_PAGE_SIZE;
	blob = liar_tree_spoilt(&len);
	if (accel_devtree_parse(blob, len, bar_size, &dt) == 0) {
		check(&dt);
		caps = accel_caps_create(&dt, &nb);
		CLAIM(caps != NULL);
		CLAIM(caps[nb].op != RTE_CRYPTO_OP_TYPE_SYMMETRIC);
		rte_free(caps);
		CLAIM(accel_security_caps_create(&dt, &security) == 0);
		rte_free(security);
	}
	free(blob);
	world_end();
	return 0;
}
