/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Shares of virtual functions: see accel_vf.h. What the card writes is untrusted: numbers are only
 * compared or handed on, and all waits are bounded.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_io.h>
#include <rte_malloc.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_lock.h"
#include "accel_logs.h"
#include "accel_transport.h"
#include "accel_vf.h"
#include "accel_wait.h"

/* The manual allows 100 ms. An embedded device whose thread gets no CPU may need more. */
#define VF_WAIT_MS (10u * ACCEL_HW_VF_MAX_MS)

/*
 * Before this minor version of the contract rates take effect at the VF's reset, and there are no
 * weights.
 */
#define MINOR_OF_WEIGHTS 2u

static void
share_lock(struct accel_dev *dev)
{
	accel_lock_take(&dev->share_lock, dev->name, "a change of a share");
}

/* Returns the word that has two fields of 16 bits, so that one access reads both. */
static const volatile uint32_t *
pair_of(const volatile uint16_t *low)
{
	return (const volatile uint32_t *)(uintptr_t)low;
}

static void
read_share(const volatile struct accel_hw_vf_resources *from, struct rte_pmd_accel_vf_share *share)
{
	const uint32_t pair = accel_read32(pair_of(&from->nb_queue_pairs));
	unsigned int i;

	share->queue_pairs = (uint16_t)pair;
	share->weight = (uint16_t)(pair >> 16);
	share->ops_per_second = accel_read64(&from->ops_per_second);
	share->bytes_per_second = accel_read64(&from->bytes_per_second);
	for (i = 0; i < RTE_DIM(share->algorithms); i++)
		share->algorithms[i] = accel_read64(&from->algorithms[i]);
}

/* Writes all fields of a share, and at last the number that announces them. */
static void
write_share(volatile struct accel_hw_vf_resources *to, const struct rte_pmd_accel_vf_share *share,
	    uint32_t number)
{
	const uint32_t pair = share->queue_pairs | (uint32_t)share->weight << 16;
	unsigned int i;

	rte_write32(rte_cpu_to_le_32(pair), (volatile void *)(uintptr_t)&to->nb_queue_pairs);
	rte_write64(rte_cpu_to_le_64(share->ops_per_second), &to->ops_per_second);
	rte_write64(rte_cpu_to_le_64(share->bytes_per_second), &to->bytes_per_second);
	for (i = 0; i < RTE_DIM(share->algorithms); i++)
		rte_write64(rte_cpu_to_le_64(share->algorithms[i]), &to->algorithms[i]);
	rte_write32(rte_cpu_to_le_32(number), &to->sequence);
}

static void
share_everything(struct rte_pmd_accel_vf_share *share, uint16_t queue_pairs)
{
	memset(share, 0, sizeof(*share));
	share->queue_pairs = queue_pairs;
	share->weight = 1;
	memset(share->algorithms, 0xff, sizeof(share->algorithms));
}

/* The functions below are for a physical function. */

static bool
is_pf(const struct accel_dev *dev)
{
	return dev->vfs != NULL && dev->dt.vf_table != 0;
}

static bool
has_mailboxes(const struct accel_dev *dev)
{
	return dev->dt.vf_status != 0;
}

static volatile struct accel_hw_vf_resources *
entry_of(const struct accel_dev *dev, unsigned int vf)
{
	return (volatile struct accel_hw_vf_resources *)(dev->bar + dev->dt.vf_table) + vf;
}

static const volatile struct accel_hw_vf_resources *
request_of(const struct accel_dev *dev, unsigned int vf)
{
	return (volatile struct accel_hw_vf_resources *)(dev->bar + dev->dt.vf_requests) + vf;
}

static volatile struct accel_hw_vf_answer *
answer_of(const struct accel_dev *dev, unsigned int vf)
{
	return (volatile struct accel_hw_vf_answer *)(dev->bar + dev->dt.vf_answers) + vf;
}

static const volatile struct accel_hw_vf_status *
status_of(const struct accel_dev *dev, unsigned int vf)
{
	return (volatile struct accel_hw_vf_status *)(dev->bar + dev->dt.vf_status) + vf;
}

/* Returns how many entries the resource table has room for. */
static uint32_t
room_of(const struct accel_devtree *dt)
{
	return RTE_MIN(dt->vf_table_size / (uint32_t)sizeof(struct accel_hw_vf_resources),
		       ACCEL_HW_VFS_MAX);
}

/*
 * Returns how many VFs have an entry in the resource table. A reset with new firmware may leave
 * fewer than there were at probe.
 */
static uint32_t
count_of(const struct accel_dev *dev)
{
	return RTE_MIN(dev->vfs->nb, room_of(&dev->dt));
}

static int
refuse_no_vf(const struct accel_dev *dev, unsigned int vf)
{
	return ACCEL_REFUSE(-EINVAL, "%s: there is no VF %u: the card has %u, numbered from 0",
			    dev->name, vf, count_of(dev));
}

static int
refuse_gone(const struct accel_dev *dev)
{
	return ACCEL_REFUSE(-EIO, "%s: BAR0 reads all ones, so nothing is known of its virtual "
			    "functions: start the device again, or look for the card on the bus",
			    dev->name);
}

/* Checks that a function has a VF with this number, and that the function answers. */
static int
check_vf(const struct accel_dev *dev, uint16_t vf)
{
	if (!is_pf(dev))
		return ACCEL_REFUSE(-ENOTSUP, "%s: it has no virtual functions to give shares to: "
				    "use the device of their physical function", dev->name);
	if (vf >= count_of(dev))
		return refuse_no_vf(dev, vf);
	return accel_is_gone(dev) ? refuse_gone(dev) : 0;
}

static int
check_vf_mailbox(const struct accel_dev *dev, uint16_t vf)
{
	const int ret = check_vf(dev, vf);

	if (ret != 0 || has_mailboxes(dev))
		return ret;
	return ACCEL_REFUSE(-ENOTSUP, "%s: the card has no mailboxes, so nothing is known of VF %u "
			    "but its share", dev->name, vf);
}

static const struct accel_vf_item *
find_item(const struct accel_vf_item *items, unsigned int nb, unsigned int vf)
{
	unsigned int i;

	for (i = 0; i < nb; i++) {
		if (vf >= items[i].first && vf <= items[i].last)
			return &items[i];
	}
	return NULL;
}

/* Checks that the card has enough queue pairs for the items and for all other entries. */
static int
check_sum(const struct accel_dev *dev, const struct accel_vf_item *items, unsigned int nb)
{
	const struct accel_devtree *dt = &dev->dt;
	struct rte_pmd_accel_vf_share share;
	uint64_t wanted = 0, given = 0;
	unsigned int vf;

	for (vf = 0; vf < count_of(dev); vf++) {
		const struct accel_vf_item *item = find_item(items, nb, vf);

		if (item != NULL) {
			wanted += item->share.queue_pairs;
		} else if (accel_read32(&entry_of(dev, vf)->sequence) != 0) {
			read_share(entry_of(dev, vf), &share);
			given += RTE_MIN((uint32_t)share.queue_pairs, dt->vf_qps_one);
		}
	}
	if (!dt->vf_qps_listed || wanted + given <= dt->vf_qps_all)
		return 0;
	return ACCEL_REFUSE(-ENOSPC, "%s: no share was set: %" PRIu64 " queue pairs are wanted, "
			    "the card has %u for its VFs, and other VFs have been given %" PRIu64
			    ": set smaller shares for those first", dev->name, wanted,
			    dt->vf_qps_all, given);
}

static bool
is_any_algorithm(const struct rte_pmd_accel_vf_share *share)
{
	return (share->algorithms[0] | share->algorithms[1] | share->algorithms[2] |
		share->algorithms[3]) != 0;
}

/* Checks all items before the first of them is written. */
static int
check_items(const struct accel_dev *dev, const struct accel_vf_item *items, unsigned int nb)
{
	const struct accel_devtree *dt = &dev->dt;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		const struct accel_vf_item *item = &items[i];

		if (item->last >= count_of(dev))
			return refuse_no_vf(dev, item->last);
		if (dt->vf_qps_listed && item->share.queue_pairs > dt->vf_qps_one)
			return ACCEL_REFUSE(-EINVAL, "%s: no share was set: %u queue pairs for VF "
					    "%u, but one VF of this card can have %u", dev->name,
					    item->share.queue_pairs, item->first, dt->vf_qps_one);
		if (item->share.queue_pairs != 0 && !is_any_algorithm(&item->share))
			return ACCEL_REFUSE(-EINVAL, "%s: no share was set: that of VF %u has "
					    "queue pairs and no algorithm; all ones stand for "
					    "every algorithm", dev->name, item->first);
	}
	return check_sum(dev, items, nb);
}

/* Writes an entry of the table, with the lock held. */
static void
write_entry(struct accel_dev *dev, unsigned int vf, const struct rte_pmd_accel_vf_share *share)
{
	volatile struct accel_hw_vf_resources *entry = entry_of(dev, vf);
	const uint32_t ack = has_mailboxes(dev) ? accel_read32(&status_of(dev, vf)->share_ack) : 0;

	dev->vfs->share[vf] = *share;
	dev->vfs->is_set[vf] = true;
	write_share(entry, share, accel_next_request(accel_read32(&entry->sequence), ack));
}

static void
write_items(struct accel_dev *dev, const struct accel_vf_item *items, unsigned int nb)
{
	unsigned int i, vf;

	for (i = 0; i < nb; i++) {
		for (vf = items[i].first; vf <= items[i].last; vf++)
			write_entry(dev, vf, &items[i].share);
	}
}

/*
 * Returns a VF of the items whose share the card has not taken yet, or -1. The VF need not be
 * enabled.
 */
static int
find_untaken(const struct accel_dev *dev, const struct accel_vf_item *items, unsigned int nb)
{
	unsigned int i, vf;

	for (i = 0; has_mailboxes(dev) && i < nb; i++) {
		for (vf = items[i].first; vf <= items[i].last; vf++) {
			if (accel_read32(&status_of(dev, vf)->share_ack) !=
			    accel_read32(&entry_of(dev, vf)->sequence))
				return (int)vf;
		}
	}
	return -1;
}

/*
 * Waits until the card has taken all shares of the items. If another thread writes an entry again
 * meanwhile, this waits for what that thread has written.
 */
static int
wait_taken(struct accel_dev *dev, const struct accel_vf_item *items, unsigned int nb)
{
	struct accel_wait w;
	uint32_t state;
	int vf;

	if (!has_mailboxes(dev))
		return 0;
	accel_wait_begin(&w, dev, VF_WAIT_MS);
	do {
		vf = find_untaken(dev, items, nb);
		if (accel_is_gone(dev))
			return refuse_gone(dev);
		if (vf < 0)
			return 0;
	} while (accel_wait_more(&w));
	state = accel_read32(&accel_identity(dev)->state);
	return ACCEL_REFUSE(state == ACCEL_HW_STATE_READY ? -ETIMEDOUT : -EIO,
			    "%s: the card has not taken the share of VF %d within %u ms, state %u: "
			    "read it later (rte_pmd_accel_vf_info_get()), or stop and start the "
			    "device", dev->name, vf, VF_WAIT_MS, state);
}

/* Returns the number of a VF's request that has no answer yet, or 0 if there is none. */
static uint32_t
pending_request(const struct accel_dev *dev, unsigned int vf)
{
	uint32_t request;

	if (!has_mailboxes(dev))
		return 0;
	request = accel_read32(&request_of(dev, vf)->sequence);
	if (request == ACCEL_ALL_ONES || request == accel_read32(&answer_of(dev, vf)->answer))
		return 0;
	return request;
}

/* Answers a VF. The device ignores the answer if the VF has asked again meanwhile (manual 4.8). */
static void
answer(const struct accel_dev *dev, unsigned int vf, uint32_t request, uint32_t status)
{
	volatile struct accel_hw_vf_answer *to = answer_of(dev, vf);

	rte_write32(rte_cpu_to_le_32(status), &to->answer_status);
	rte_write32(rte_cpu_to_le_32(request), &to->answer);
}

/*
 * Sets shares if all of them are possible. An entry is not written again before the card has taken
 * the last share from it (manual 4.5, VF-19). No thread holds the lock while it waits for the card.
 */
static int
set_items(struct accel_dev *dev, const struct accel_vf_item *items, unsigned int nb)
{
	const uint32_t minor = accel_read32(&accel_identity(dev)->version) & 0xffff;
	bool written;
	int ret;

	do {
		share_lock(dev);
		ret = check_items(dev, items, nb);
		written = ret == 0 && find_untaken(dev, items, nb) < 0;
		if (written)
			write_items(dev, items, nb);
		accel_lock_give(&dev->share_lock);
		if (ret == 0)
			ret = wait_taken(dev, items, nb);
	} while (ret == 0 && !written);
	if (written && minor < MINOR_OF_WEIGHTS)
		ACCEL_LOG(NOTICE, "%s: a card of contract 1.%u takes rates at the next reset of "
			  "the VF, and has no weights", dev->name, minor);
	return ret;
}

int
accel_vf_count(const struct accel_dev *dev)
{
	return is_pf(dev) ? (int)count_of(dev) : -ENOTSUP;
}

int
accel_vf_share_set(struct accel_dev *dev, uint16_t vf, const struct rte_pmd_accel_vf_share *share)
{
	const struct accel_vf_item item = { .first = vf, .last = vf, .share = *share };
	uint32_t request;
	int ret;

	ret = check_vf(dev, vf);
	if (ret != 0)
		return ret;
	request = pending_request(dev, vf);
	ret = set_items(dev, &item, 1);
	if (ret == 0 && request != 0)
		answer(dev, vf, request, ACCEL_HW_ANSWER_GRANTED);
	return ret;
}

/* Gets the share in the entry of a VF, or the share of a VF whose entry was not written. */
static void
get_share(const struct accel_dev *dev, uint16_t vf, struct rte_pmd_accel_vf_share *share)
{
	if (accel_read32(&entry_of(dev, vf)->sequence) == 0) {
		share_everything(share, UINT16_MAX);
		if (dev->dt.vf_qps_listed && dev->dt.vf_qps_one < UINT16_MAX)
			share->queue_pairs = (uint16_t)dev->dt.vf_qps_one;
		return;
	}
	read_share(entry_of(dev, vf), share);
	if (share->weight == 0)
		share->weight = 1;
}

/* Gets what only a card with mailboxes knows. */
static void
get_status(const struct accel_dev *dev, uint16_t vf, struct rte_pmd_accel_vf_info *info)
{
	const uint32_t state = accel_read32(pair_of(&status_of(dev, vf)->queue_pairs));
	const uint32_t sequence = accel_read32(&entry_of(dev, vf)->sequence);

	info->queue_pairs = (uint16_t)state;
	info->state = state >> 16 & 0xff;
	info->fatal_code = state >> 24;
	info->share_is_set = sequence != 0;
	info->share_in_effect = sequence == accel_read32(&status_of(dev, vf)->share_ack);
	info->request_pending = pending_request(dev, vf) != 0;
	if (info->request_pending != 0)
		read_share(request_of(dev, vf), &info->asked);
}

int
accel_vf_look_at(const struct accel_dev *dev, uint16_t vf, struct rte_pmd_accel_vf_info *info)
{
	if (!is_pf(dev))
		return -ENOTSUP;
	if (vf >= count_of(dev))
		return -EINVAL;
	memset(info, 0, sizeof(*info));
	info->state = RTE_PMD_ACCEL_VF_UNKNOWN;
	if (has_mailboxes(dev))
		get_status(dev, vf, info);
	get_share(dev, vf, &info->share);
	return accel_is_gone(dev) ? -EIO : 0;
}

int
accel_vf_info_get(const struct accel_dev *dev, uint16_t vf, struct rte_pmd_accel_vf_info *info)
{
	const int ret = check_vf(dev, vf);

	if (ret != 0)
		return ret;
	return accel_vf_look_at(dev, vf, info) != 0 ? refuse_gone(dev) : 0;
}

int
accel_vf_refuse(struct accel_dev *dev, uint16_t vf)
{
	const int ret = check_vf_mailbox(dev, vf);
	uint32_t request;

	if (ret != 0)
		return ret;
	request = pending_request(dev, vf);
	if (request == 0)
		return -ENOENT;
	answer(dev, vf, request, ACCEL_HW_ANSWER_REFUSED);
	return 0;
}

void
accel_vf_tell(const struct accel_dev *dev, uint32_t pf_state)
{
	if (is_pf(dev) && has_mailboxes(dev))
		rte_write32(rte_cpu_to_le_32(pf_state), &accel_control(dev)->pf_state);
}

void
accel_vf_restore(struct accel_dev *dev)
{
	unsigned int vf, nb = 0;

	if (!is_pf(dev))
		return;
	share_lock(dev);
	for (vf = 0; vf < count_of(dev); vf++) {
		if (!dev->vfs->is_set[vf])
			continue;
		write_entry(dev, vf, &dev->vfs->share[vf]);
		nb++;
	}
	accel_lock_give(&dev->share_lock);
	accel_vf_tell(dev, ACCEL_HW_PF_UP);
	if (nb != 0)
		ACCEL_LOG(NOTICE, "%s: the shares of %u VFs, which the reset has cleared, are set "
			  "again; the VFs were off meanwhile", dev->name, nb);
}

/* Takes over what an earlier process has set, and then sets the shares of the plan. */
static int
pf_init(struct accel_dev *dev, const struct accel_vf_plan *plan)
{
	const struct accel_transport *transport = accel_transport(dev);
	const uint32_t total = transport->total_vfs != NULL ? transport->total_vfs(dev) : 0;
	unsigned int vf;

	dev->vfs = rte_zmalloc("accel_vfs", sizeof(*dev->vfs), 0);
	if (dev->vfs == NULL)
		return -ENOMEM;
	dev->vfs->nb = total != 0 ? RTE_MIN(total, room_of(&dev->dt)) : room_of(&dev->dt);
	for (vf = 0; vf < dev->vfs->nb; vf++) {
		dev->vfs->is_set[vf] = accel_read32(&entry_of(dev, vf)->sequence) != 0;
		read_share(entry_of(dev, vf), &dev->vfs->share[vf]);
	}
	return plan->nb != 0 ? set_items(dev, plan->item, plan->nb) : 0;
}

/* The functions below are for a virtual function. */

static bool
has_mailbox(const struct accel_dev *dev)
{
	return dev->is_vf && dev->dt.mailbox_device != 0;
}

bool
accel_vf_has_share(const struct accel_dev *dev)
{
	return has_mailbox(dev) && !accel_is_gone(dev);
}

static const volatile struct accel_hw_mailbox *
mailbox_of(const struct accel_dev *dev)
{
	return (volatile struct accel_hw_mailbox *)(dev->bar + dev->dt.mailbox_device);
}

static volatile struct accel_hw_vf_resources *
ask_of(const struct accel_dev *dev)
{
	return (volatile struct accel_hw_vf_resources *)(dev->bar + dev->dt.mailbox_host);
}

static int
check_mailbox(const struct accel_dev *dev)
{
	if (!has_mailbox(dev))
		return ACCEL_REFUSE(-ENOTSUP, "%s: it is no virtual function, or its card has no "
				    "mailboxes: its share cannot be seen or asked for here",
				    dev->name);
	return accel_is_gone(dev) ? refuse_gone(dev) : 0;
}

/*
 * Reads the share of this VF. The lowest bit of SHARE_COUNT is set while the share is written, and
 * SHARE_COUNT changes with the share (manual 4.8).
 */
static int
read_own_share(struct accel_dev *dev, uint32_t *sequence, struct rte_pmd_accel_vf_share *share)
{
	const volatile struct accel_hw_mailbox *box = mailbox_of(dev);
	struct accel_wait w;
	uint32_t count;

	accel_wait_begin(&w, dev, VF_WAIT_MS);
	do {
		count = accel_read32(&box->share_count);
		if (count == ACCEL_ALL_ONES && accel_is_gone(dev))
			return refuse_gone(dev);
		if (count % 2 != 0)
			continue;
		*sequence = accel_read32(&box->share.sequence);
		read_share(&box->share, share);
		if (accel_read32(&box->share_count) == count)
			return 0;
	} while (accel_wait_more(&w));
	return -ETIMEDOUT;
}

static uint32_t
pf_state(const struct accel_dev *dev)
{
	return accel_read32(&mailbox_of(dev)->pf_state);
}

void
accel_vf_look(struct accel_dev *dev)
{
	if (has_mailbox(dev) && pf_state(dev) == ACCEL_HW_PF_UP)
		accel_store_relaxed(&dev->pf_seen, 1);
}

const char *
accel_vf_pf_text(const struct accel_dev *dev)
{
	if (!dev->is_vf)
		return "";
	if (accel_is_gone(dev))
		return "; it is a virtual function, so perhaps its physical function was reset, or "
		       "has other virtual functions now";
	if (!has_mailbox(dev))
		return "";
	if (pf_state(dev) == ACCEL_HW_PF_GOING_DOWN)
		return "; its physical function is going down";
	/* A PF that never had a driver which says ACCEL_HW_PF_UP is not the reason. */
	if (pf_state(dev) == ACCEL_HW_PF_NONE && accel_load_relaxed(&dev->pf_seen) != 0)
		return "; the driver of its physical function is gone";
	return "";
}

int
accel_share_ask(struct accel_dev *dev, const struct rte_pmd_accel_vf_share *share)
{
	const int ret = check_mailbox(dev);
	uint32_t number;

	if (ret != 0)
		return ret;
	share_lock(dev);
	number = accel_next_request(accel_read32(&ask_of(dev)->sequence),
				    accel_read32(&mailbox_of(dev)->answer));
	write_share(ask_of(dev), share, number);
	accel_lock_give(&dev->share_lock);
	return 0;
}

/* Reads what the PF has answered to the latest request. */
static void
read_answer(const struct accel_dev *dev, struct rte_pmd_accel_share_info *info)
{
	const uint32_t request = accel_read32(&ask_of(dev)->sequence);

	if (request == 0) {
		info->answer = RTE_PMD_ACCEL_ANSWER_NONE;
		return;
	}
	if (accel_read32(&mailbox_of(dev)->answer) != request) {
		info->answer = RTE_PMD_ACCEL_ANSWER_PENDING;
		return;
	}
	info->answer_code = accel_read32(&mailbox_of(dev)->answer_status);
	if (info->answer_code == ACCEL_HW_ANSWER_GRANTED)
		info->answer = RTE_PMD_ACCEL_ANSWER_GRANTED;
	else if (info->answer_code == ACCEL_HW_ANSWER_REFUSED)
		info->answer = RTE_PMD_ACCEL_ANSWER_REFUSED;
	else
		info->answer = RTE_PMD_ACCEL_ANSWER_OTHER;
}

int
accel_share_info_get(struct accel_dev *dev, struct rte_pmd_accel_share_info *info)
{
	int ret = check_mailbox(dev);
	uint32_t sequence;

	if (ret != 0)
		return ret;
	accel_vf_look(dev);
	memset(info, 0, sizeof(*info));
	/* A granted share is shown before its answer, so the answer is read first. */
	read_answer(dev, info);
	ret = read_own_share(dev, &sequence, &info->share);
	if (ret != 0)
		return ret;
	info->is_set = sequence != 0;
	if (info->is_set == 0)
		share_everything(&info->share, UINT16_MAX);
	else if (info->share.weight == 0)
		info->share.weight = 1;
	info->queue_pairs = (uint16_t)accel_read32(pair_of(&mailbox_of(dev)->queue_pairs));
	info->pf_state = pf_state(dev);
	return accel_is_gone(dev) ? refuse_gone(dev) : 0;
}

static int
refuse_no_queues(struct accel_dev *dev)
{
	struct rte_pmd_accel_vf_share share;
	uint32_t sequence;

	if (!dev->is_vf)
		return ACCEL_REFUSE(-ENOTSUP, "%s: device tree has no node \"%s\": the function "
				    "needs a newer driver", dev->name, ACCEL_HW_DT_QP);
	if (has_mailbox(dev) && read_own_share(dev, &sequence, &share) == 0 &&
	    (sequence == 0 || share.queue_pairs != 0))
		return ACCEL_REFUSE(-ENOSPC, "%s: no queue pairs are left for this virtual "
				    "function, since others have taken all that the card has: give "
				    "those smaller shares, reset them, and probe this one again "
				    "(hardware manual, 4.5)", dev->name);
	return ACCEL_REFUSE(-ENODEV, "%s: the physical function has given this virtual function no "
			    "queue pairs: have it give some (rte_pmd_accel_vf_share_set(), device "
			    "argument vf_shares, or accel-device --control), and probe again "
			    "(hardware manual, 4.5)", dev->name);
}

int
accel_vf_init(struct accel_dev *dev, const struct accel_vf_plan *plan)
{
	const uint32_t function = accel_read32(&accel_identity(dev)->function);
	const int ret = accel_lock_init(&dev->share_lock);

	if (ret != 0)
		return ret;
	dev->is_vf = (function & ACCEL_HW_FUNCTION_IS_VF) != 0;
	if (dev->dt.nb_qps == 0)
		return refuse_no_queues(dev);
	accel_vf_look(dev);
	if (!dev->is_vf && dev->dt.vf_table != 0)
		return pf_init(dev, plan);
	if (plan->nb == 0)
		return 0;
	return ACCEL_REFUSE(-ENOTSUP, "%s: device argument vf_shares is for a physical function, "
			    "and this is %s: remove it", dev->name,
			    dev->is_vf ? "a virtual one" : "a device without virtual functions");
}

void
accel_vf_fini(struct accel_dev *dev)
{
	rte_free(dev->vfs);
	dev->vfs = NULL;
}
