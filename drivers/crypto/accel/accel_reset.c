/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Commands to the card that wait for an echo: function reset (manual 4.3), queue start and stop
 * (manual 5.3, 5.4). All waits are bounded.
 */

#include <errno.h>

#include <rte_cycles.h>
#include <rte_io.h>
#include <rte_pause.h>

#include "accel_transport.h"

/* A card answers within microseconds as a rule; only after so many rounds the wait sleeps. */
#define WAIT_SPIN_ROUNDS 1000u
#define WAIT_SLEEP_US 20u

/* For a queue pair to start, an embedded device whose thread gets no CPU is given so many times the
 * time of one that gets it. */
#define WAIT_PATIENCE 5u

/* A wait under way. */
struct wait {
	struct accel_dev *dev;
	const struct accel_transport *patient; /* with the device's clock; NULL: any other wait */
	uint16_t qp_id; /* whose clock */
	uint64_t lived; /* at the beginning */
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
	w->patient = NULL;
}

/* Of a wait whose time is over. */
static bool
had_its_time(const struct wait *w, uint64_t passed)
{
	uint64_t lived;

	if (w->patient == NULL)
		return true;
	lived = w->patient->lived(w->dev, w->qp_id, true);
	return lived == ACCEL_LIVED_UNKNOWN || passed > WAIT_PATIENCE * w->limit ||
	       lived - w->lived >= w->limit - w->limit / 8; /* its clock is a bit late */
}

/* Between two looks at the card. False when the time was over before the last look, so that a
 * thread that got no CPU for long looks once more. */
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
	w->over = passed > w->limit && had_its_time(w, passed);
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

int
accel_wait_ready(struct accel_dev *dev, unsigned int timeout_ms)
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

	/* Any number but RESET_ACK asks for a reset. It also differs from a request that is under
	 * way, so that the echo is that of this one, and is not what a card that is gone reads. The
	 * register is read once: a card that lies about it must not keep this thread. */
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

	/* Differs from the last one that was carried out and from one that never was. */
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
		w.patient = transport;
		w.qp_id = qp_id;
		w.lived = transport->lived(dev, qp_id, false);
	}
	return wait_for(&w, &accel_qp_device(dev, qp_id)->control_ack, posted.control);
}
