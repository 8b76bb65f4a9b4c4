/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What of a device belongs to one process alone. struct accel_dev and the queue pairs lie in memory
 * that the primary and all secondary processes share, so nothing in them may point to code, to
 * constants or to a process's own heap. That is here, by number of the device.
 *
 * BAR0 is the exception: the data path reaches the doorbell through a pointer in shared memory. So
 * each transport sees to it that BAR0 lies at the same address in every process, or refuses.
 */
#ifndef ACCEL_TRANSPORT_H
#define ACCEL_TRANSPORT_H

#include "accel_dev.h"

/* How the function is reached. One table per transport, per process. */
struct accel_transport {
	const char *name;
	/**
	 * The polite reset did not help: make sure that the function cannot touch host memory any
	 * more (PCI: bus master off; embedded: empty DMA map). Always succeeds.
	 */
	void (*isolate)(struct accel_dev *dev);
	/** Function level reset and access to host memory again (manual 4.3). 0 or -errno. */
	int (*revive)(struct accel_dev *dev);
	/**
	 * Called by every loop that waits for the device, and by the data path when it finds
	 * nothing: lets an embedded device work that shares the caller's CPU. NULL if there is no
	 * need.
	 */
	void (*relax)(struct accel_dev *dev);
	/**
	 * Of an embedded device with threads of its own, else NULL: the time that the thread which
	 * serves a queue pair has had so far, in TSC cycles. It stands still while the thread is
	 * stopped or waits for a CPU.
	 *
	 * @param thorough look closer, since it has not moved for long. Costs system calls. The
	 *   result may be ahead of the next ones that are not thorough.
	 * @return ACCEL_LIVED_UNKNOWN if nobody knows, or nothing but itself holds up the thread.
	 *   Only if thorough.
	 */
	uint64_t (*lived)(const struct accel_dev *dev, uint16_t qp_id, bool thorough);
	/* Of an embedded device only, else NULL: rte_pmd_accel_poll() and rte_pmd_accel_fault(). */
	int (*poll)(struct accel_dev *dev);
	int (*fault)(struct accel_dev *dev, const char *faults);
};

#define ACCEL_LIVED_UNKNOWN UINT64_MAX

struct accel_process {
	const struct accel_transport *transport;
	void *data; /* the transport's own */
};

extern struct accel_process accel_process[RTE_CRYPTO_MAX_DEVS];

/** Say how this process reaches a device; NULL, NULL when it does not any more. */
void accel_process_set(uint8_t dev_id, const struct accel_transport *transport, void *data);

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

/** Let a device work that shares the caller's CPU. */
static inline void
accel_relax(struct accel_dev *dev)
{
	const struct accel_transport *transport = accel_transport(dev);

	if (transport->relax != NULL)
		transport->relax(dev);
}

#endif /* ACCEL_TRANSPORT_H */
