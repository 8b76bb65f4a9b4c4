/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The function as a whole: see accel_function.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_io.h>
#include <rte_pause.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_function.h"
#include "accel_logs.h"
#include "accel_transport.h"

/*
 * Commands that wait for an echo.
 */

/* A card usually answers within microseconds. The wait sleeps only after this number of rounds. */
#define WAIT_SPIN_ROUNDS 1000u
#define WAIT_SLEEP_US 20u

/*
 * An embedded device whose thread gets no CPU may take this many times the time limit to start a
 * queue pair.
 */
#define WAIT_CLOCK_FACTOR 5u

/* State of one wait. */
struct wait {
	struct accel_dev *dev;
	/* transport whose clock bounds the wait; NULL: the caller's clock does */
	const struct accel_transport *clock;
	uint16_t qp_id; /* queue pair whose clock it is */
	uint64_t lived; /* the device's clock at the beginning */
	uint64_t start;
	uint64_t limit;
	unsigned int rounds;
	bool over;
};

static void
wait_begin(struct wait *w, struct accel_dev *dev, unsigned int timeout_ms)
{
	w->dev = dev;
	w->start = rte_get_timer_cycles();
	w->limit = (uint64_t)timeout_ms * rte_get_timer_hz() / MS_PER_S;
	w->rounds = 0;
	w->over = false;
	w->clock = NULL;
}

/* Tells, when the caller's time is over, whether the device has had its time, too. */
static bool
is_time_over(const struct wait *w, uint64_t passed)
{
	uint64_t lived;

	if (w->clock == NULL)
		return true;
	lived = w->clock->lived(w->dev, w->qp_id, true);
	return lived == ACCEL_LIVED_UNKNOWN || passed > WAIT_CLOCK_FACTOR * w->limit ||
	       lived - w->lived >= w->limit - w->limit / 8; /* its clock is a little late */
}

/*
 * Called between two looks at the card. Returns false if the time was over before the last look, so
 * that a thread that got no CPU for long looks once more.
 */
static bool
wait_more(struct wait *w)
{
	uint64_t passed;

	if (w->over)
		return false;
	accel_relax(w->dev);
	if (w->rounds++ < WAIT_SPIN_ROUNDS)
		rte_pause();
	else
		rte_delay_us_sleep(WAIT_SLEEP_US);
	passed = rte_get_timer_cycles() - w->start;
	w->over = passed > w->limit && is_time_over(w, passed);
	return true;
}

static int
wait_for(struct wait *w, const volatile uint32_t *reg, uint32_t value)
{
	uint32_t now;

	for (;;) {
		now = rte_le_to_cpu_32(rte_read32(reg));
		if (now == value)
			return 0;
		if (now == ACCEL_ALL_ONES && accel_is_gone(w->dev))
			return -ENODEV;
		if (!wait_more(w))
			return -ETIMEDOUT;
	}
}

/* Waits until STATE is ready (manual 4.1). Returns 0, -EIO if it is fatal, or another error. */
static int
wait_ready(struct accel_dev *dev, unsigned int timeout_ms)
{
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	uint32_t state;
	struct wait w;

	wait_begin(&w, dev, timeout_ms);
	for (;;) {
		state = rte_le_to_cpu_32(rte_read32(&identity->state));
		if (state == ACCEL_HW_STATE_READY)
			return 0;
		if (state == ACCEL_HW_STATE_FATAL)
			return -EIO;
		if (state == ACCEL_ALL_ONES && accel_is_gone(dev))
			return -ENODEV;
		if (!wait_more(&w))
			return -ETIMEDOUT;
	}
}

int
accel_function_reset_within(struct accel_dev *dev, unsigned int timeout_ms)
{
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	volatile struct accel_hw_control *control = accel_control(dev);
	const uint32_t under_way = rte_le_to_cpu_32(rte_read32(&control->reset_req));
	struct wait w;
	uint32_t request;

	/*
	 * Any number other than RESET_ACK requests a reset. The number also differs from a request
	 * that is under way, so that the echo belongs to this one, and from what a missing card
	 * reads as. The register is read once, because a faulty card must not keep this thread in
	 * the loop.
	 */
	request = rte_le_to_cpu_32(rte_read32(&identity->reset_ack)) + 1;
	while (request == under_way || request == ACCEL_ALL_ONES)
		request++;
	rte_write32(rte_cpu_to_le_32(request), &control->reset_req);
	wait_begin(&w, dev, timeout_ms);
	return wait_for(&w, &identity->reset_ack, request);
}

int
accel_function_reset(struct accel_dev *dev)
{
	return accel_function_reset_within(dev, ACCEL_HW_COMMAND_MAX_MS);
}

struct accel_command
accel_qp_post(struct accel_dev *dev, uint16_t qp_id, uint32_t cmd)
{
	volatile struct accel_hw_qp_host *host = accel_qp_host(dev, qp_id);
	volatile struct accel_hw_qp_device *device = accel_qp_device(dev, qp_id);
	struct accel_command posted = { .qp_id = qp_id };
	uint32_t seq;

	/*
	 * The number differs from the last command that was carried out and from the last one that
	 * was written.
	 */
	seq = (rte_le_to_cpu_32(rte_read32(&device->control_ack)) >> ACCEL_HW_QP_CMD_SEQ_SHIFT) + 1;
	if (rte_le_to_cpu_32(rte_read32(&host->control)) >> ACCEL_HW_QP_CMD_SEQ_SHIFT == seq)
		seq++;
	posted.control = (seq << ACCEL_HW_QP_CMD_SEQ_SHIFT) | (cmd & ACCEL_HW_QP_CMD_MASK);
	rte_write32(rte_cpu_to_le_32(posted.control), &host->control);
	return posted;
}

bool
accel_qp_echoed(struct accel_dev *dev, const struct accel_command *posted)
{
	return rte_le_to_cpu_32(rte_read32(&accel_qp_device(dev, posted->qp_id)->control_ack)) ==
	       posted->control;
}

int
accel_qps_wait(struct accel_dev *dev, const struct accel_command *posted, unsigned int nb,
	       unsigned int timeout_ms)
{
	unsigned int i;
	struct wait w;
	int ret = 0;

	wait_begin(&w, dev, timeout_ms);
	for (i = 0; ret == 0 && i < nb; i++)
		ret = wait_for(&w, &accel_qp_device(dev, posted[i].qp_id)->control_ack,
			       posted[i].control);
	return ret;
}

int
accel_qp_command(struct accel_dev *dev, uint16_t qp_id, uint32_t cmd, unsigned int timeout_ms)
{
	const struct accel_transport *transport = accel_transport(dev);
	const struct accel_command posted = accel_qp_post(dev, qp_id, cmd);
	struct wait w;

	wait_begin(&w, dev, timeout_ms);
	if (transport->lived != NULL) {
		w.clock = transport;
		w.qp_id = qp_id;
		w.lived = transport->lived(dev, qp_id, false);
	}
	return wait_for(&w, &accel_qp_device(dev, qp_id)->control_ack, posted.control);
}

/*
 * Take-over and revival.
 */

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
		ret = wait_ready(dev, boot_max_ms);
		if (ret != 0)
			transport->isolate(dev);
	}
	if (ret != 0) {
		ACCEL_LOG(ERR, "%s: function level reset failed: %s, state %u, fatal code %u; "
			  "the card needs a power cycle or new firmware", dev->name,
			  strerror(-ret), rte_le_to_cpu_32(rte_read32(&identity->state)),
			  rte_le_to_cpu_32(rte_read32(&identity->fatal_code)));
		return ret;
	}
	accel_store_release(&dev->isolated, 0);
	ACCEL_LOG(NOTICE, "%s: works again after a function level reset", dev->name);
	return 0;
}

bool
accel_needs_revival(const struct accel_dev *dev)
{
	const struct accel_transport *transport = accel_transport(dev);

	return accel_load_acquire(&dev->isolated) != 0 ||
	       rte_le_to_cpu_32(rte_read32(&accel_identity(dev)->state)) ==
		       ACCEL_HW_STATE_FATAL ||
	       (transport->has_access != NULL && !transport->has_access(dev));
}

static void
report_silent(const struct accel_dev *dev)
{
	const struct accel_transport *transport = accel_transport(dev);

	ACCEL_LOG(ERR, "%s: BAR0 reads all ones: the card %s", dev->name,
		  transport->why_silent != NULL ? transport->why_silent(dev) :
		  "is gone, in a low-power state or without memory access");
}

/* Checks that there is a function of this driver behind the BAR (manual 4.1). */
static int
check_identity(struct accel_dev *dev)
{
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	uint32_t magic, version;

	magic = rte_le_to_cpu_32(rte_read32(&identity->magic));
	if (magic == ACCEL_ALL_ONES) {
		report_silent(dev);
		return -ENODEV;
	}
	if (magic != ACCEL_HW_MAGIC) {
		ACCEL_LOG(ERR, "%s: magic is 0x%08x instead of 0x%08x: it is no crypto_accel card, "
			  "or has no firmware; block it (-b) if it is another device", dev->name,
			  magic, ACCEL_HW_MAGIC);
		return -ENODEV;
	}
	version = rte_le_to_cpu_32(rte_read32(&identity->version));
	if (version >> 16 != ACCEL_HW_VERSION_MAJOR) {
		ACCEL_LOG(ERR, "%s: contract version %u.%u, this driver supports %u.x: update %s",
			  dev->name, version >> 16, version & 0xffff, ACCEL_HW_VERSION_MAJOR,
			  version >> 16 > ACCEL_HW_VERSION_MAJOR ? "the driver" : "the firmware");
		return -ENOTSUP;
	}
	return 0;
}

/* Waits until the function is ready, and tries a function level reset otherwise (manual 4.4). */
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
			  rte_le_to_cpu_32(rte_read32(&identity->fatal_code)));
	else
		ACCEL_LOG(WARNING, "%s: not ready after %u ms, state %u (0 booting, 2 resetting); "
			  "trying a function level reset", dev->name, boot_max_ms,
			  rte_le_to_cpu_32(rte_read32(&identity->state)));
	return accel_revive(dev, boot_max_ms) == 0 ? 0 : -ENODEV;
}

/* Checks that no page that the host writes lies on the device tree (manual section 3). */
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

/* Copies the device tree out of BAR0 and parses only the copy (manual section 10). */
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
		ACCEL_LOG(ERR, "%s: the device tree cannot be used, see above", dev->name);
	return ret;
}

/* Logs queue pairs that an earlier process has left running. */
static void
report_running(struct accel_dev *dev)
{
	unsigned int i, running = 0;
	uint32_t status;

	for (i = 0; i < dev->dt.nb_qps; i++) {
		status = rte_le_to_cpu_32(rte_read32(&accel_qp_device(dev, i)->status));
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
	volatile uint32_t *words = accel_invalidate_page(dev);
	unsigned int i;

	report_running(dev);
	/* The first value that is written to a word must change it (manual 8.4). */
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
	/*
	 * An entry of the VF resource table takes effect by the reset, so the tree is read again
	 * (manual 4.5).
	 */
	if (ret == 0)
		ret = read_tree(dev);
	return ret;
}
