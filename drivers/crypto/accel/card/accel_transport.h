/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The part of a device that belongs to one process. struct accel_dev and the queue pairs lie in
 * memory that the primary and all secondary processes share, so they cannot point to code,
 * constants or the heap of a process. Such pointers are here, indexed by the number of the device.
 *
 * BAR0 is the exception: the data path reaches the doorbell through a pointer in shared memory.
 * Therefore each transport maps BAR0 at the same address in every process, or refuses the device.
 */
#ifndef ACCEL_TRANSPORT_H
#define ACCEL_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_dev.h"

/* Says how to reach a function. Each transport has a table of this type in each process. */
struct accel_transport {
	const char *name;
	/**
	 * Make sure that the function cannot access host memory any more, after a reset that was
	 * not answered (PCI: bus master off, and a function level reset if requests stay under way;
	 * embedded device: empty DMA map). The call takes bounded time. If it fails, its log line
	 * says that only the IOMMU protects memory.
	 */
	void (*isolate)(struct accel_dev *dev);
	/**
	 * Give the function a function level reset and access to host memory (manual 4.3). Returns
	 * 0 or a negative errno.
	 */
	int (*revive)(struct accel_dev *dev);
	/**
	 * True if the function has access to host memory. Others may have taken the access away,
	 * for example with a power state, from which a function comes back as from a reset. NULL:
	 * the function always has access, unless it was isolated.
	 */
	bool (*has_access)(const struct accel_dev *dev);
	/**
	 * Find the reason why BAR0 reads as all ones, and return it as the rest of a sentence about
	 * the card. NULL if the transport knows no reasons.
	 */
	const char *(*why_silent)(const struct accel_dev *dev);
	/**
	 * Get the number of virtual functions that the function can have, 0 if it is unknown. NULL
	 * if the transport never knows.
	 */
	unsigned int (*total_vfs)(const struct accel_dev *dev);
	/**
	 * Let an embedded device work if it shares the caller's CPU. Every loop that waits for the
	 * device calls this. A dequeue that finds no response calls it, too. NULL if the transport
	 * does not need it.
	 */
	void (*relax)(struct accel_dev *dev);
	/**
	 * Get the time that the thread which serves a queue pair has had so far, in TSC cycles. The
	 * time stands still while the thread is stopped or waits for a CPU. NULL if the device is
	 * not an embedded device with threads of its own.
	 *
	 * @param thorough examine the thread with system calls, because the time has not moved for
	 *   long. The result may be ahead of later results that are not thorough.
	 * @return the time. Only a thorough call may return ACCEL_LIVED_UNKNOWN: nothing is known,
	 *   or the thread hangs by itself.
	 */
	uint64_t (*lived)(const struct accel_dev *dev, uint16_t qp_id, bool thorough);
	/*
	 * poll() and fault() implement rte_pmd_accel_poll() and rte_pmd_accel_fault(). NULL if the
	 * device is not an embedded device.
	 */
	int (*poll)(struct accel_dev *dev);
	int (*fault)(struct accel_dev *dev, const char *faults);
};

#define ACCEL_LIVED_UNKNOWN UINT64_MAX

/* Says how this process reaches a device. */
struct accel_process {
	const struct accel_transport *transport;
	void *data; /* private data of the transport */
	uint16_t nb_lists; /* lists of callbacks that the driver, not the library, has allocated */
};

extern uint8_t accel_driver_id; /* the number that rte_cryptodev gave the driver in this process */
extern struct accel_process accel_process[RTE_CRYPTO_MAX_DEVS];

/** Set how this process reaches a device. If both are NULL, it cannot reach the device any more. */
void accel_process_set(uint8_t dev_id, const struct accel_transport *transport, void *data);

/**
 * Find a device of this driver. A device that is not ready yet, or hidden (accel_stats_hide()), is
 * not found. Returns NULL then.
 */
struct rte_cryptodev *accel_find(uint8_t dev_id);

static inline const struct accel_transport *
accel_transport(const struct accel_dev *dev)
{
	return accel_process[dev->dev_id].transport;
}

static inline void *
accel_transport_data(const struct accel_dev *dev)
{
	return accel_process[dev->dev_id].data;
}

/** Let a device work if it shares the caller's CPU. */
static inline void
accel_relax(struct accel_dev *dev)
{
	const struct accel_transport *transport = accel_transport(dev);

	if (transport->relax != NULL)
		transport->relax(dev);
}

#endif /* ACCEL_TRANSPORT_H */
