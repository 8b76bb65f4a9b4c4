/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One function of the card as the driver sees it (rte_cryptodev's dev_private), in memory that all
 * processes share. Set-up side; the data path only sees struct accel_qp. What is a process's own is
 * in accel_transport.h.
 */
#ifndef ACCEL_DEV_H
#define ACCEL_DEV_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_io.h>
#include <rte_spinlock.h>

#include "accel_compat.h"
#include "accel_devtree.h"
#include "accel_logs.h"

#define ACCEL_DRIVER_NAME crypto_accel
#define ACCEL_TIMEOUT_MS_DEFAULT 2000u
#define ACCEL_WB_COUNT_DEFAULT 32u /* manual 6.5 */
#define ACCEL_WB_TIMEOUT_NS_DEFAULT 10000u

struct accel_dev;
struct accel_security_caps;

struct accel_dev {
	uint8_t *bar; /* BAR0, at this address in every process */
	size_t bar_size;
	ACCEL_ATOMIC(uint32_t) layout; /* of what is shared, once the primary is done with it */
	uint8_t driver_id; /* of the primary */
	const char *name; /* in shared memory */
	uint8_t dev_id;
	uint64_t feature_flags; /* what the device and driver can do */
	uint64_t active_flags; /* without what the application disabled */
	uint32_t max_nb_descriptors; /* of a queue pair, from ring_size_max */
	uint32_t timeout_ms; /* devarg timeout_ms */
	bool refuse_when_dead; /* devarg of that name */
	uint32_t wb_count; /* devargs wb_count, wb_timeout_ns */
	uint32_t wb_timeout_ns;
	ACCEL_ATOMIC(uint32_t) generation; /* of the last context, manual 8.3 */
	/* Recovery, accel_recover.c. */
	rte_spinlock_t reset_lock;
	ACCEL_ATOMIC(uint32_t) resets; /* resets because of a failure since the device started */
	ACCEL_ATOMIC(uint32_t) isolated; /* 1: needs the transport's revive() before it can start */
	struct accel_log_limit isolate_log; /* of the transport */
	struct rte_cryptodev_capabilities *capabilities;
	struct accel_security_caps *security_caps; /* NULL: no protocols */
	struct accel_devtree dt;
};

/* Register access (manual 2: aligned 32 or 64 bits, no side effects). */
static inline volatile struct accel_hw_identity *
accel_identity(const struct accel_dev *dev)
{
	return (volatile struct accel_hw_identity *)(dev->bar + ACCEL_HW_IDENTITY_OFFSET);
}

static inline volatile struct accel_hw_control *
accel_control(const struct accel_dev *dev)
{
	return (volatile struct accel_hw_control *)(dev->bar + dev->dt.control);
}

/* A function that left the bus, or may not answer, reads all ones. MAGIC is not that. */
#define ACCEL_ALL_ONES 0xffffffffu

static inline bool
accel_is_gone(const struct accel_dev *dev)
{
	return rte_read32(&accel_identity(dev)->magic) == ACCEL_ALL_ONES;
}

static inline volatile uint32_t *
accel_invalidate_page(const struct accel_dev *dev)
{
	return (volatile uint32_t *)(dev->bar + dev->dt.invalidate);
}

static inline volatile struct accel_hw_qp_host *
accel_qp_host(const struct accel_dev *dev, unsigned int qp_id)
{
	return (volatile struct accel_hw_qp_host *)(dev->bar + dev->dt.qp[qp_id].host);
}

static inline volatile struct accel_hw_qp_device *
accel_qp_device(const struct accel_dev *dev, unsigned int qp_id)
{
	return (volatile struct accel_hw_qp_device *)(dev->bar + dev->dt.qp[qp_id].device);
}

/*
 * accel_cryptodev.c: the part of probe and remove that all transports share, for accel_probe.c.
 */

/**
 * The primary: take over a function (accel_take_over()), make capabilities. Every process: install
 * dev_ops and burst functions.
 *
 * @param cryptodev made by rte_cryptodev_pmd_create(), private data of sizeof(struct accel_dev)
 *   with bar, bar_size, name, dev_id, timeout_ms, wb_* filled in; accel_process_set() was called.
 * @return 0; else as accel_take_over(), -ENOMEM. One log line says what and what to do.
 */
int accel_dev_init(struct rte_cryptodev *cryptodev);

/** Undo accel_dev_init(). */
void accel_dev_fini(struct rte_cryptodev *cryptodev);

extern uint8_t accel_driver_id;

/*
 * accel_function.c
 */

/* The manual sets no limit for booting; a card that takes longer than this is not waited for. */
#define ACCEL_BOOT_MAX_MS 5000u

/**
 * Take over a function whose BAR is mapped: check what it is, reset it (manual 4.3), read the
 * device tree. Nothing that BAR0 says is trusted.
 *
 * @param boot_max_ms how long it may take to become ready, before and after a function level
 *   reset.
 * @return 0; -ENODEV not our function, gone or not ready, -ENOTSUP newer contract or nothing in
 *   the device tree that this driver knows, -EINVAL bad device tree, -ETIMEDOUT no answer to
 *   reset, -ENOMEM. One log line says what and what to do.
 */
int accel_take_over(struct accel_dev *dev, unsigned int boot_max_ms);

/** The last resort, with all queue pairs stopped or failed (manual 4.3, 4.4). 0 or -errno. */
int accel_revive(struct accel_dev *dev, unsigned int boot_max_ms);

/*
 * accel_reset.c: commands to the card that wait for an echo.
 */

/** Wait until STATE is ready (manual 4.1). 0; -EIO when it is fatal, -ENODEV, -ETIMEDOUT. */
int accel_wait_ready(struct accel_dev *dev, unsigned int timeout_ms);

/** Polite function reset (manual 4.3). 0, or -ETIMEDOUT after ACCEL_HW_COMMAND_MAX_MS, -ENODEV. */
int accel_function_reset(struct accel_dev *dev);
int accel_function_reset_within(struct accel_dev *dev, unsigned int timeout_ms);

/* A queue command that was written. */
struct accel_command {
	uint32_t control; /* what the device echoes */
	uint16_t qp_id;
};

/** Write a queue command (manual 5.3, 5.4) and do not wait. */
struct accel_command accel_qp_post(struct accel_dev *dev, uint16_t qp_id, uint32_t cmd);

/** Has the device echoed it? */
bool accel_qp_echoed(struct accel_dev *dev, const struct accel_command *posted);

/** Wait for the echoes of several. 0, or -ETIMEDOUT, -ENODEV with the first that does not come. */
int accel_qps_wait(struct accel_dev *dev, const struct accel_command *posted, unsigned int nb,
		   unsigned int timeout_ms);

/**
 * Write a queue command and wait for its echo.
 *
 * @param cmd ACCEL_HW_QP_CMD_*.
 * @param timeout_ms bound of the wait; up to five times of that for an embedded device whose thread
 *   gets no CPU meanwhile.
 * @return 0, -ETIMEDOUT, or -ENODEV at once if the function is gone.
 */
int accel_qp_command(struct accel_dev *dev, uint16_t qp_id, uint32_t cmd, unsigned int timeout_ms);

#endif /* ACCEL_DEV_H */
