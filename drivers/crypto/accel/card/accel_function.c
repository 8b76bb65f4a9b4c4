/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The function as a whole: see accel_function.h.
 */
#include <errno.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_io.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_devtree_read.h"
#include "accel_function.h"
#include "accel_logs.h"
#include "accel_transport.h"
#include "accel_vf.h"
#include "accel_wait.h"

/* Waits until STATE is ready (manual 4.1). Returns 0, -EIO if STATE is fatal, or another error. */
static int
wait_ready(struct accel_dev *dev, unsigned int timeout_ms)
{
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	uint32_t state;
	struct accel_wait w;

	accel_wait_begin(&w, dev, timeout_ms);
	for (;;) {
		state = accel_read32(&identity->state);
		if (state == ACCEL_HW_STATE_READY)
			return 0;
		if (state == ACCEL_HW_STATE_FATAL)
			return -EIO;
		if (state == ACCEL_ALL_ONES && accel_is_gone(dev))
			return -ENODEV;
		if (!accel_wait_more(&w))
			return -ETIMEDOUT;
	}
}

/*
 * Clears the words of the invalidate page before a reset, if the card is older than 1.5 (INV-5).
 * Such a card need not let them be read, and takes the words that it finds at a reset as seen
 * (manual 8.4). Any word that a session writes after the reset is not 0, so the device sees that it
 * has changed.
 */
static void
clear_invalidation(struct accel_dev *dev)
{
	volatile uint32_t *words = accel_invalidate_page(dev);
	unsigned int i;

	if (accel_read32(&accel_identity(dev)->version) >= ACCEL_VERSION_1_5)
		return;
	for (i = 0; i < ACCEL_HW_INVALIDATE_WORDS; i++)
		rte_write32_relaxed(0, &words[i]);
}

int
accel_function_reset_within(struct accel_dev *dev, unsigned int timeout_ms)
{
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	volatile struct accel_hw_control *control = accel_control(dev);
	const uint32_t request = accel_next_request(accel_read32(&control->reset_req),
		accel_read32(&identity->reset_ack));
	struct accel_wait w;

	clear_invalidation(dev);
	accel_store_relaxed(&dev->no_entropy, 0);
	rte_write32(rte_cpu_to_le_32(request), &control->reset_req);
	accel_wait_begin(&w, dev, timeout_ms);
	return accel_wait_for(&w, &identity->reset_ack, request);
}

int
accel_function_reset(struct accel_dev *dev)
{
	return accel_function_reset_within(dev, ACCEL_HW_COMMAND_MAX_MS);
}

struct accel_qp_cmd
accel_qp_post(struct accel_dev *dev, uint16_t qp_id, uint32_t cmd)
{
	volatile struct accel_hw_qp_host *host = accel_qp_host(dev, qp_id);
	volatile struct accel_hw_qp_device *device = accel_qp_device(dev, qp_id);
	struct accel_qp_cmd posted = { .qp_id = qp_id };
	uint32_t seq;

	/*
	 * The number differs from that of the last command that was carried out, and of the last
	 * command that was written.
	 */
	seq = (accel_read32(&device->control_ack) >> ACCEL_HW_QP_CMD_SEQ_SHIFT) + 1;
	if (accel_read32(&host->control) >> ACCEL_HW_QP_CMD_SEQ_SHIFT == seq)
		seq++;
	posted.control = (seq << ACCEL_HW_QP_CMD_SEQ_SHIFT) | (cmd & ACCEL_HW_QP_CMD_MASK);
	rte_write32(rte_cpu_to_le_32(posted.control), &host->control);
	return posted;
}

bool
accel_qp_echoed(struct accel_dev *dev, const struct accel_qp_cmd *posted)
{
	return accel_read32(&accel_qp_device(dev, posted->qp_id)->control_ack) == posted->control;
}

int
accel_qps_wait(struct accel_dev *dev, const struct accel_qp_cmd *posted, unsigned int nb,
	       unsigned int timeout_ms)
{
	unsigned int i;
	struct accel_wait w;
	int ret = 0;

	accel_wait_begin(&w, dev, timeout_ms);
	for (i = 0; ret == 0 && i < nb; i++) {
		accel_wait_by_device(&w, posted[i].qp_id);
		ret = accel_wait_for(&w, &accel_qp_device(dev, posted[i].qp_id)->control_ack,
				     posted[i].control);
	}
	return ret;
}

int
accel_qp_command(struct accel_dev *dev, uint16_t qp_id, uint32_t cmd, unsigned int timeout_ms)
{
	const struct accel_qp_cmd posted = accel_qp_post(dev, qp_id, cmd);

	return accel_qps_wait(dev, &posted, 1, timeout_ms);
}

/* Gives the function a function level reset. It stays isolated until come_back(). */
static int
level_reset(struct accel_dev *dev, unsigned int boot_max_ms)
{
	const struct accel_transport *transport = accel_transport(dev);
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	int ret;

	transport->isolate(dev);
	accel_store_release(&dev->isolated, 1);
	ret = transport->revive(dev);
	if (ret == 0) {
		ret = wait_ready(dev, boot_max_ms);
		if (ret != 0)
			transport->isolate(dev);
	}
	/* The driver may go on trying for days with a dead card, so the log lines get rare. */
	if (ret != 0 && (dev->vain & (dev->vain + 1)) == 0)
		ACCEL_LOG(ERR, "%s: function level reset failed: %s, state %u, fatal code %u; "
			  "the card needs a power cycle or new firmware", dev->name,
			  strerror(-ret), accel_read32(&identity->state),
			  accel_read32(&identity->fatal_code));
	dev->vain = ret != 0 ? dev->vain + 1 : 0;
	return ret;
}

static void
come_back(struct accel_dev *dev)
{
	accel_store_release(&dev->isolated, 0);
	ACCEL_LOG(NOTICE, "%s: works again after a function level reset", dev->name);
}

int
accel_revive(struct accel_dev *dev, unsigned int boot_max_ms)
{
	int ret = level_reset(dev, boot_max_ms);

	if (ret != 0)
		return ret;
	ret = accel_devtree_renew(dev);
	if (ret != 0) {
		accel_transport(dev)->isolate(dev);
		return ret;
	}
	come_back(dev);
	accel_vf_restore(dev);
	return 0;
}

/* Revives a function at probe. The driver reads its device tree afterwards. */
static int
revive_at_probe(struct accel_dev *dev, unsigned int boot_max_ms)
{
	const int ret = level_reset(dev, boot_max_ms);

	if (ret == 0)
		come_back(dev);
	return ret;
}

bool
accel_needs_revival(const struct accel_dev *dev)
{
	const struct accel_transport *transport = accel_transport(dev);

	return accel_load_acquire(&dev->isolated) != 0 ||
	       accel_read32(&accel_identity(dev)->state) == ACCEL_HW_STATE_FATAL ||
	       (transport->has_access != NULL && !transport->has_access(dev));
}

/* Checks that there is a function of this driver behind the BAR (manual 4.1). */
static int
check_magic(struct accel_dev *dev)
{
	const struct accel_transport *transport = accel_transport(dev);
	const uint32_t magic = accel_read32(&accel_identity(dev)->magic);

	if (magic == ACCEL_ALL_ONES)
		return ACCEL_REFUSE(-ENODEV, "%s: BAR0 reads all ones: the card %s", dev->name,
				    transport->why_silent != NULL ? transport->why_silent(dev) :
				    "is gone, in a low-power state or without memory access");
	if (magic != ACCEL_HW_MAGIC)
		return ACCEL_REFUSE(-ENODEV, "%s: magic is 0x%08x instead of 0x%08x: it is no "
				    "crypto_accel card, or has no firmware; block it (-b) if it is "
				    "another device", dev->name, magic, ACCEL_HW_MAGIC);
	return 0;
}

/* Checks that the driver knows the contract of a function. The function must have booted. */
static int
check_version(struct accel_dev *dev)
{
	const uint32_t version = accel_read32(&accel_identity(dev)->version);

	if (version >> 16 == ACCEL_HW_VERSION_MAJOR)
		return 0;
	return ACCEL_REFUSE(-ENOTSUP, "%s: contract version %u.%u, this driver supports %u.x: "
			    "update %s", dev->name, version >> 16, version & 0xffff,
			    ACCEL_HW_VERSION_MAJOR,
			    version >> 16 > ACCEL_HW_VERSION_MAJOR ? "the driver" : "the firmware");
}

/* Waits until the function is ready, and tries a function level reset if it is not (manual 4.4). */
static int
make_ready(struct accel_dev *dev, unsigned int boot_max_ms)
{
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	const int ret = wait_ready(dev, boot_max_ms);

	if (ret == 0)
		return 0;
	if (ret == -EIO)
		ACCEL_LOG(WARNING, "%s: fatal state, code %u (1 internal, 2 thermal, 3 firmware); "
			  "trying a function level reset", dev->name,
			  accel_read32(&identity->fatal_code));
	else
		ACCEL_LOG(WARNING, "%s: not ready after %u ms, state %u (0 booting, 2 resetting); "
			  "trying a function level reset", dev->name, boot_max_ms,
			  accel_read32(&identity->state));
	return revive_at_probe(dev, boot_max_ms) == 0 ? 0 : -ENODEV;
}

/*
 * Checks what is behind the BAR, and waits until the function is ready. A function of another
 * contract is neither reset nor written to. A function that boots has no version yet (manual 4.1,
 * FN-4).
 */
static int
make_known(struct accel_dev *dev, unsigned int boot_max_ms)
{
	int ret = check_magic(dev);

	if (ret == 0 && accel_read32(&accel_identity(dev)->state) != ACCEL_HW_STATE_BOOTING)
		ret = check_version(dev);
	if (ret == 0)
		ret = make_ready(dev, boot_max_ms);
	return ret == 0 ? check_version(dev) : ret;
}

/* Logs queue pairs that an earlier process has left running. */
static void
report_running(struct accel_dev *dev)
{
	unsigned int i, running = 0;
	uint32_t status;

	for (i = 0; i < ACCEL_DT_ALL_QPS; i++) {
		if (!accel_dt_has_qp(&dev->dt, i))
			continue;
		status = accel_read32(&accel_qp_device(dev, i)->status);
		running += ACCEL_HW_QP_STATUS_STATE(status) != ACCEL_HW_QP_STOPPED;
	}
	if (running != 0)
		ACCEL_LOG(NOTICE, "%s: an earlier process has left %u queue pairs running; a reset "
			  "stops them", dev->name, running);
}

/*
 * Resets the function, because an earlier process may have left queue pairs running that write to
 * memory which this process uses now (manual 4.3).
 */
static int
reset_before_use(struct accel_dev *dev, unsigned int boot_max_ms)
{
	report_running(dev);
	if (accel_function_reset(dev) == 0)
		return 0;
	ACCEL_LOG(WARNING, "%s: no answer to reset within %u ms, trying a function level reset",
		  dev->name, ACCEL_HW_COMMAND_MAX_MS);
	return revive_at_probe(dev, boot_max_ms) == 0 ? 0 : -ETIMEDOUT;
}

/*
 * Logs which options a card lacks. A card of an older contract, or one without these options, works
 * without them.
 */
static void
report_missing(const struct accel_dev *dev)
{
	const uint32_t version = accel_read32(&accel_identity(dev)->version);
	const bool health = dev->dt.health != 0, ring = dev->dt.command_ring;

	if (health && ring)
		return;
	ACCEL_LOG(NOTICE, "%s: contract %u.%u, without%s%s%s", dev->name, version >> 16,
		  version & 0xffff,
		  health ? "" : " health page (no records of faults, no snapshots)",
		  health || ring ? "" : " and",
		  ring ? "" : " command ring (the card reads each command by itself)");
}

int
accel_take_over(struct accel_dev *dev, unsigned int boot_max_ms)
{
	int ret;

	ret = make_known(dev, boot_max_ms);
	if (ret == 0)
		ret = accel_devtree_read(dev);
	if (ret == 0)
		ret = reset_before_use(dev, boot_max_ms);
	/*
	 * An entry of the VF resource table takes effect by the reset, so the tree is read again
	 * (manual 4.5).
	 */
	if (ret == 0)
		ret = accel_devtree_read(dev);
	if (ret == 0)
		report_missing(dev);
	return ret;
}
