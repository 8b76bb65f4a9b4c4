/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The health page: see accel_health_page.h. The page is untrusted, but nothing depends on it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_io.h>

#include "accel_dev.h"
#include "accel_health_page.h"
#include "accel_logs.h"
#include "accel_names.h"
#include "accel_wait.h"
#include "rte_pmd_accel.h"

/*
 * The manual allows 100 ms. An embedded device whose thread gets no CPU may need more. A caller may
 * need more, too, if snapshots of other callers follow its own.
 */
#define SNAPSHOT_WAIT_MS (10u * ACCEL_HW_SNAPSHOT_MAX_MS)

/* read_fault() gives up after this number of attempts. The record may be torn then. */
#define FAULT_READS 8u

static const volatile struct accel_hw_health *
health_page(const struct accel_dev *dev)
{
	return (const volatile struct accel_hw_health *)(dev->bar + dev->dt.health);
}

/*
 * Reads the record of the latest fault. FAULT_INFO is 0 while the device writes the record, and
 * FAULT_COUNT has another value afterwards (manual 4.6). The number of attempts is bounded, because
 * a device that writes without end must not keep this thread in the loop.
 */
static void
read_fault(const volatile struct accel_hw_health *page, struct rte_pmd_accel_health *out)
{
	uint32_t info, again;
	unsigned int i;

	for (i = 0; i < FAULT_READS; i++) {
		out->fault_count = accel_read32(&page->fault_count);
		info = accel_read32(&page->fault_info);
		out->fault_tag = accel_read32(&page->fault_tag);
		out->fault_address = accel_read64(&page->fault_address);
		out->fault_access = ACCEL_HW_FAULT_INFO_ACCESS(info);
		out->fault_cause = ACCEL_HW_FAULT_INFO_CAUSE(info);
		out->fault_queue_pair = ACCEL_HW_FAULT_INFO_QP(info);
		again = accel_read32(&page->fault_count);
		if (again == out->fault_count && accel_read32(&page->fault_info) == info &&
		    (info != 0 || again == 0))
			return;
	}
}

bool
accel_health_page_fault(const struct accel_dev *dev, struct rte_pmd_accel_health *health)
{
	if (dev->dt.health == 0)
		return false;
	read_fault(health_page(dev), health);
	return true;
}

const char *
accel_health_page_fault_text(const struct accel_dev *dev, char *text, size_t size)
{
	struct rte_pmd_accel_health fault;

	text[0] = '\0';
	if (!accel_health_page_fault(dev, &fault))
		return text;
	if (fault.fault_count == 0 || fault.fault_count == ACCEL_ALL_ONES)
		return text;
	snprintf(text, size, "; its fault %u: %s at IOVA 0x%" PRIx64 ", tag %u, qp %u: %s",
		 fault.fault_count, accel_name_fault_access(fault.fault_access),
		 fault.fault_address, fault.fault_tag, fault.fault_queue_pair,
		 accel_name_fault_cause(fault.fault_cause));
	return text;
}

void
accel_health_page_report_fault(const struct accel_dev *dev, uint16_t qp_id,
			       struct accel_log_limit *log)
{
	char text[ACCEL_FAULT_TEXT];

	ACCEL_LOG_LIMITED(log, WARNING,
			  "%s qp %u: an operation has failed, since the device cannot reach its "
			  "memory (what is not DPDK's needs rte_dev_dma_map())%s", dev->name, qp_id,
			  accel_health_page_fault_text(dev, text, sizeof(text)));
}

void
accel_health_page_report_entropy(struct accel_dev *dev)
{
	if (accel_load_relaxed(&dev->no_entropy) != 0)
		return;
	accel_store_relaxed(&dev->no_entropy, 1);
	ACCEL_LOG(ERR, "%s: the health tests of the random number source have failed: no operation "
		  "that needs random numbers works until the device is stopped and started, which "
		  "resets the function", dev->name);
}

static bool
is_ready(const struct accel_dev *dev)
{
	return accel_read32(&accel_identity(dev)->state) == ACCEL_HW_STATE_READY;
}

static void
request_snapshot(struct accel_dev *dev)
{
	volatile uint32_t *request = &accel_control(dev)->snapshot_req;
	const uint32_t number = accel_next_request(accel_read32(request),
		accel_read32(&health_page(dev)->snapshot_ack));

	rte_write32(rte_cpu_to_le_32(number), request);
}

/*
 * Requests a snapshot, waits for it and reads it. No lock is needed, so a process that is killed or
 * stopped here keeps nobody waiting. Requests of several threads may follow each other. Any
 * snapshot that is made after a request satisfies the request (test_health: test_threads). The
 * device changes the counters only while SNAPSHOT_REQ and SNAPSHOT_ACK differ. So the counters are
 * of one snapshot if the two numbers are the same before and after the counters are read.
 */
static int
take_snapshot(struct accel_dev *dev, struct rte_pmd_accel_health *out)
{
	const volatile struct accel_hw_health *page = health_page(dev);
	struct accel_wait w;
	uint32_t request;

	request_snapshot(dev);
	accel_wait_begin(&w, dev, SNAPSHOT_WAIT_MS);
	do {
		request = accel_read32(&accel_control(dev)->snapshot_req);
		if (request == ACCEL_ALL_ONES)
			return -EIO;
		if (accel_read32(&page->snapshot_ack) != request)
			continue;
#define READ(name) out->name = accel_read64(&page->name);
		ACCEL_HEALTH_COUNTERS(READ)
#undef READ
		if (accel_read32(&accel_control(dev)->snapshot_req) == request)
			return 0;
	} while (accel_wait_more(&w));
	return is_ready(dev) ? -ETIMEDOUT : -EIO;
}

void
accel_health_page_identity(const struct accel_dev *dev, uint32_t *firmware, uint64_t *serial)
{
	*firmware = 0;
	*serial = 0;
	if (dev->dt.health == 0)
		return;
	*firmware = accel_read32(&health_page(dev)->firmware_version);
	*serial = accel_read64(&health_page(dev)->serial);
}

int
accel_health_page_get(struct accel_dev *dev, struct rte_pmd_accel_health *health)
{
	const volatile struct accel_hw_health *page = health_page(dev);
	int ret;

	if (dev->dt.health == 0)
		return -ENOTSUP;
	memset(health, 0, sizeof(*health));
	if (!is_ready(dev))
		return -EIO;
	ret = take_snapshot(dev, health);
	if (ret != 0)
		return ret;
	read_fault(page, health);
	accel_health_page_identity(dev, &health->firmware_version, &health->serial);
	health->temperature =
		(int32_t)accel_read32((const volatile uint32_t *)(uintptr_t)&page->temperature);
	health->power = accel_read32(&page->power);
	health->mem_corrected = accel_read64(&page->mem_corrected);
	health->mem_uncorrected = accel_read64(&page->mem_uncorrected);
	return accel_is_gone(dev) ? -EIO : 0;
}
