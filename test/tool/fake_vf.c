/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Stands in for the driver's functions of shares, so that `dpdk-accel-tool share` is tested without
 * a card: a library for LD_PRELOAD. FAKE_FUNCTION says what the embedded device is taken for: "pf"
 * with two VFs, of which number 1 asks for more, or "vf". FAKE_ERROR is the number that a change
 * returns.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_pmd_accel.h>

#define VFS 2

static struct rte_pmd_accel_vf_share shares[VFS] = {
	{ 4, 1, 0, 0, { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } },
	{ 2, 3, 1000000, 0, { 0x4, 0x100, 0, 0x7 } },
};
static struct rte_pmd_accel_vf_share asked = { 3, 0, 0, 1250000000, { 0, 0, 0, 0 } };
static int pending = 1;

static int
is(const char *function)
{
	const char *text = getenv("FAKE_FUNCTION");

	return text != NULL && strcmp(text, function) == 0;
}

static int
error(void)
{
	const char *text = getenv("FAKE_ERROR");

	return text != NULL ? -atoi(text) : 0;
}

int
rte_pmd_accel_vf_count(uint8_t dev_id)
{
	(void)dev_id;
	return is("pf") ? VFS : -ENOTSUP;
}

static int
refuse(uint16_t vf)
{
	if (vf != 1 || !pending)
		return -ENOENT;
	pending = 0;
	return 0;
}

int
rte_pmd_accel_vf_share_set(uint8_t dev_id, uint16_t vf, const struct rte_pmd_accel_vf_share *share)
{
	(void)dev_id;
	if (share == NULL)
		return refuse(vf);
	if (error() != 0)
		return error();
	shares[vf] = *share;
	pending = vf == 1 ? 0 : pending;
	return 0;
}

int
rte_pmd_accel_vf_info_get(uint8_t dev_id, uint16_t vf, struct rte_pmd_accel_vf_info *info)
{
	(void)dev_id;
	memset(info, 0, sizeof(*info));
	info->state = vf == 1 ? RTE_PMD_ACCEL_VF_READY : RTE_PMD_ACCEL_VF_ABSENT;
	info->state_name = vf == 1 ? "ready" : "absent";
	info->share = shares[vf];
	info->queue_pairs = vf == 1 ? 2 : 0;
	info->share_in_effect = vf == 1;
	info->request_pending = vf == 1 && pending;
	info->asked = asked;
	return 0;
}

int
rte_pmd_accel_share_ask(uint8_t dev_id, const struct rte_pmd_accel_vf_share *share)
{
	(void)dev_id;
	if (error() != 0)
		return error();
	asked = *share;
	shares[1].queue_pairs = share->queue_pairs;
	shares[1].bytes_per_second = share->bytes_per_second;
	return 0;
}

int
rte_pmd_accel_share_info_get(uint8_t dev_id, struct rte_pmd_accel_share_info *info)
{
	(void)dev_id;
	if (!is("vf"))
		return -ENOTSUP;
	memset(info, 0, sizeof(*info));
	info->share = shares[1];
	info->queue_pairs = 2;
	info->is_set = 1;
	info->answer = RTE_PMD_ACCEL_ANSWER_GRANTED;
	info->pf_state = RTE_PMD_ACCEL_PF_UP;
	return 0;
}
