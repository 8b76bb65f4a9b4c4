/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Taking over a function at probe (manual 4.1, 4.3, 10): is it ours, is it ready, what was left
 * running, what does it have. And bringing one back that only a function level reset can. BAR0 is
 * untrusted input; all waits are bounded.
 */

#include <errno.h>
#include <stdlib.h>

#include "accel_logs.h"
#include "accel_transport.h"

int
accel_revive(struct accel_dev *dev, unsigned int boot_max_ms)
{
	const struct accel_transport *transport = accel_transport(dev);
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	int ret;

	transport->isolate(dev);
	accel_store_release(&dev->isolated, 1);
	ret = transport->revive(dev);
	if (ret == 0) {
		ret = accel_wait_ready(dev, boot_max_ms);
		if (ret != 0)
			transport->isolate(dev);
	}
	if (ret != 0) {
		ACCEL_LOG(ERR, "%s: function level reset did not bring it back: %s, state %u, "
			  "fatal code %u; only a power cycle or new firmware can", dev->name,
			  strerror(-ret), rte_le_to_cpu_32(rte_read32(&identity->state)),
			  rte_le_to_cpu_32(rte_read32(&identity->fatal_code)));
		return ret;
	}
	accel_store_release(&dev->isolated, 0);
	ACCEL_LOG(NOTICE, "%s: revived by a function level reset", dev->name);
	return 0;
}

/* Is there one of our functions behind the BAR (manual 4.1)? */
static int
check_identity(struct accel_dev *dev)
{
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	uint32_t magic, version;

	magic = rte_le_to_cpu_32(rte_read32(&identity->magic));
	if (magic == ACCEL_ALL_ONES) {
		ACCEL_LOG(ERR, "%s: BAR0 reads all ones: the card is gone, asleep or has no memory "
			  "access enabled; reset or rescan it (/sys/bus/pci/devices)", dev->name);
		return -ENODEV;
	}
	if (magic != ACCEL_HW_MAGIC) {
		ACCEL_LOG(ERR, "%s: magic is 0x%08x instead of 0x%08x: not a crypto_accel card, or "
			  "one without firmware; block it (-b) if it is another device", dev->name,
			  magic, ACCEL_HW_MAGIC);
		return -ENODEV;
	}
	version = rte_le_to_cpu_32(rte_read32(&identity->version));
	if (version >> 16 != ACCEL_HW_VERSION_MAJOR) {
		ACCEL_LOG(ERR, "%s: contract version %u.%u, this driver knows %u.x: update %s",
			  dev->name, version >> 16, version & 0xffff, ACCEL_HW_VERSION_MAJOR,
			  version >> 16 > ACCEL_HW_VERSION_MAJOR ? "the driver" : "the firmware");
		return -ENOTSUP;
	}
	return 0;
}

/* Ready, be it by a function level reset (manual 4.4)? */
static int
make_ready(struct accel_dev *dev, unsigned int boot_max_ms)
{
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	const int ret = accel_wait_ready(dev, boot_max_ms);

	if (ret == 0)
		return 0;
	if (ret == -EIO)
		ACCEL_LOG(WARNING, "%s: fatal state, code %u (1 internal, 2 thermal, 3 firmware); "
			  "trying a function level reset", dev->name,
			  rte_le_to_cpu_32(rte_read32(&identity->fatal_code)));
	else
		ACCEL_LOG(WARNING, "%s: not ready after %u ms, state %u (0 booting, 2 resetting); "
			  "trying a function level reset", dev->name, boot_max_ms,
			  rte_le_to_cpu_32(rte_read32(&identity->state)));
	return accel_revive(dev, boot_max_ms) == 0 ? 0 : -ENODEV;
}

/* No page that the host writes may lie on the device tree (manual section 3). */
static int
check_tree_pages(const struct accel_dev *dev, uint32_t offset, uint32_t size)
{
	const struct accel_devtree *dt = &dev->dt;
	uint32_t first = RTE_ALIGN_FLOOR(offset, ACCEL_HW_PAGE_SIZE);
	uint32_t last = offset + size - 1;
	bool clash = (dt->control >= first && dt->control <= last) ||
		     (dt->invalidate >= first && dt->invalidate <= last) ||
		     (dt->vf_table != 0 && dt->vf_table >= first && dt->vf_table <= last);
	uint32_t i;

	for (i = 0; i < dt->nb_qps; i++) {
		clash |= dt->qp[i].host >= first && dt->qp[i].host <= last;
		clash |= dt->qp[i].device >= first && dt->qp[i].device <= last;
	}
	if (!clash)
		return 0;
	ACCEL_LOG(ERR, "%s: device tree refused: it lies on a page that it describes, from 0x%x",
		  dev->name, first);
	return -EINVAL;
}

/* Copy the device tree out of BAR0, then look at the copy only (manual section 10). */
static int
read_tree(struct accel_dev *dev)
{
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	uint32_t offset = rte_le_to_cpu_32(rte_read32(&identity->dt_offset));
	uint32_t size = rte_le_to_cpu_32(rte_read32(&identity->dt_size));
	uint64_t *copy;
	uint32_t i;
	int ret;

	if (offset % sizeof(*copy) != 0 || size % sizeof(*copy) != 0 || size == 0 ||
	    size > ACCEL_HW_DT_SIZE_MAX || offset < ACCEL_HW_PAGE_SIZE ||
	    (uint64_t)offset + size > dev->bar_size) {
		ACCEL_LOG(ERR, "%s: device tree of 0x%x bytes at 0x%x is not in BAR0 of 0x%zx",
			  dev->name, size, offset, dev->bar_size);
		return -EINVAL;
	}
	copy = malloc(size);
	if (copy == NULL)
		return -ENOMEM;
	for (i = 0; i < size / sizeof(*copy); i++)
		copy[i] = rte_read64_relaxed(dev->bar + offset + i * sizeof(*copy));
	ret = accel_devtree_parse(copy, size, dev->bar_size, &dev->dt);
	free(copy);
	if (ret == 0)
		ret = check_tree_pages(dev, offset, size);
	if (ret != 0)
		ACCEL_LOG(ERR, "%s: no usable device tree, see above", dev->name);
	return ret;
}

/* Say so when a predecessor died and left something running. */
static void
report_dirt(struct accel_dev *dev)
{
	unsigned int i, running = 0;
	uint32_t status;

	for (i = 0; i < dev->dt.nb_qps; i++) {
		status = rte_le_to_cpu_32(rte_read32(&accel_qp_device(dev, i)->status));
		running += ACCEL_HW_QP_STATUS_STATE(status) != ACCEL_HW_QP_STOPPED;
	}
	if (running != 0)
		ACCEL_LOG(NOTICE, "%s: %u queue pairs were left running by a predecessor; they are "
			  "stopped by a reset", dev->name, running);
}

/* A predecessor may have left queue pairs running into memory that is now ours, so there is a reset
 * (manual 4.3). */
static int
reset_before_use(struct accel_dev *dev, unsigned int boot_max_ms)
{
	volatile uint32_t *words = accel_invalidate_page(dev);
	unsigned int i;

	report_dirt(dev);
	/* So that the first value that is written to a word changes it (manual 8.4). */
	for (i = 0; i < ACCEL_HW_INVALIDATE_WORDS; i++)
		rte_write32_relaxed(0, &words[i]);

	if (accel_function_reset(dev) == 0)
		return 0;
	ACCEL_LOG(WARNING, "%s: no answer to reset within %u ms, trying a function level reset",
		  dev->name, ACCEL_HW_COMMAND_MAX_MS);
	return accel_revive(dev, boot_max_ms) == 0 ? 0 : -ETIMEDOUT;
}

int
accel_take_over(struct accel_dev *dev, unsigned int boot_max_ms)
{
	int ret;

	ret = check_identity(dev);
	if (ret == 0)
		ret = make_ready(dev, boot_max_ms);
	if (ret == 0)
		ret = read_tree(dev);
	if (ret == 0)
		ret = reset_before_use(dev, boot_max_ms);
	/* By a reset an entry of the VF resource table takes effect, so once more (manual 4.5). */
	if (ret == 0)
		ret = read_tree(dev);
	return ret;
}
