/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The health page of a function: see health.h.
 */
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/health.h"
#include "base/util.h"

#define FIRMWARE(major, minor, patch) ((uint32_t)(major) << 16 | (minor) << 8 | (patch))
#define FIRMWARE_OF(version) FIRMWARE(version)

static uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void
health_init(struct health *health, uint64_t serial)
{
	pthread_mutex_init(&health->lock, NULL);
	health->serial = serial;
}

void
health_fini(struct health *health)
{
	pthread_mutex_destroy(&health->lock);
}

void
health_clear(struct health *health)
{
	struct accel_hw_health *page = health->page;

	if (page == NULL)
		return;
	health->faults = 0;
	health->ack = 0;
	health->begin = now_ns();
	clear_words(page, ACCEL_HW_PAGE_SIZE);
	store32(&page->firmware_version, FIRMWARE_OF(ACCEL_MODEL_FIRMWARE));
	store64(&page->serial, health->serial);
	/* A process has no sensors. */
	store32((uint32_t *)&page->temperature, (uint32_t)ACCEL_HW_TEMPERATURE_NONE);
	store32(&page->power, ACCEL_HW_POWER_NONE);
}

void
health_fault(struct health *health, enum accel_hw_fault_access access, unsigned int qp,
	     uint32_t tag, uint64_t address)
{
	struct accel_hw_health *page = health->page;

	if (page == NULL)
		return;
	pthread_mutex_lock(&health->lock);
	/* The order of these stores lets a host see that it has read only a part of the record
	 * (manual 4.6). */
	store32(&page->fault_info, 0);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	store32(&page->fault_tag, tag);
	store64(&page->fault_address, address);
	store32_release(&page->fault_count, ++health->faults);
	store32_release(&page->fault_info,
			ACCEL_HW_FAULT_INFO(access, ACCEL_HW_FAULT_UNMAPPED, qp));
	pthread_mutex_unlock(&health->lock);
}

void
health_add(struct health_counts *sum, const struct health_counts *counts)
{
	const uint64_t *from = (const uint64_t *)counts;
	uint64_t *to = (uint64_t *)sum, most = load64(&counts->latency_max);

	most = sum->latency_max > most ? sum->latency_max : most;
	for (unsigned int i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += load64(&from[i]);
	sum->latency_max = most;
}

static uint64_t
ns_of(uint64_t ticks)
{
	return (uint64_t)((double)ticks * 1e9 / (double)clock_hz());
}

void
health_show(struct health *health, const struct health_counts *sum, uint32_t request)
{
	const struct health_counts *base = &health->base;
	struct accel_hw_health *page = health->page;

	store64(&page->time_ns, now_ns() - health->begin);
	store64(&page->ops, sum->ops - base->ops);
	store64(&page->context_hits, sum->context_hits - base->context_hits);
	store64(&page->context_misses, sum->context_misses - base->context_misses);
	store64(&page->context_drops, sum->context_drops - base->context_drops);
	store64(&page->engine_busy_ns, ns_of(sum->engine_busy - base->engine_busy));
	store64(&page->latency_ns_sum, ns_of(sum->latency_sum - base->latency_sum));
	store64(&page->latency_ns_max, ns_of(sum->latency_max));
	store64(&page->latency_ops, sum->latency_ops - base->latency_ops);
	store64(&page->writebacks, sum->writebacks - base->writebacks);
	health->ack = request;
	store32_release(&page->snapshot_ack, request);
}
