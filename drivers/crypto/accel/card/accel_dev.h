/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One function of the card as the driver sees it (rte_cryptodev's dev_private), in memory that all
 * processes share. The data path only uses struct accel_qp. What belongs to one process is in
 * accel_transport.h.
 */
#ifndef ACCEL_DEV_H
#define ACCEL_DEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_byteorder.h>
#include <rte_cryptodev.h>
#include <rte_io.h>

#include "accel_compat.h"
#include "accel_devtree.h"
#include "accel_lock.h"
#include "accel_logs.h"

#define ACCEL_DRIVER_NAME crypto_accel
#define ACCEL_TIMEOUT_MS_DEFAULT 2000u /* more if the card says that it needs more */
#define ACCEL_VERSION_1_5 0x00010005u
#define ACCEL_WB_COUNT_DEFAULT 32u /* manual 6.5 */
#define ACCEL_WB_TIMEOUT_NS_DEFAULT 10000u
/* These limit a device that chooses the count and the timeout of write-backs itself. */
#define ACCEL_WB_AUTO_COUNT 256u
#define ACCEL_WB_AUTO_TIMEOUT_NS 40000u

/*
 * An operation in one segment that does not cross 1 GiB takes at most these numbers of descriptors.
 * The TX ring has command, AAD, source and digest, the RX ring destination and digest. Each of them
 * may have a type 0 before it.
 */
#define ACCEL_TX_PER_OP 8u
#define ACCEL_RX_PER_OP 4u
/* An operation with data takes at least two descriptors of the TX ring: command and source. */
#define ACCEL_TX_LEAST 2u

#define ACCEL_NB_DESC_MAX 32768u /* operations of a queue pair */

struct accel_counts;
struct accel_dev;
struct accel_qp;
struct accel_security_caps;
struct accel_vfs;

/* Says if the driver starts a failed queue pair again (device argument recover, accel_heal.c). */
enum accel_recover {
	ACCEL_RECOVER_OFF = 0,
	ACCEL_RECOVER_AUTO, /* yes, unless a callback of the error event is registered */
	ACCEL_RECOVER_ON,
};

/* Counts what recovery has done since probe, for all queue pairs. */
struct accel_recovery_count {
	ACCEL_ATOMIC(uint64_t) failures; /* of queue pairs */
	ACCEL_ATOMIC(uint64_t) attempts; /* attempts of the driver to start a queue pair again */
	ACCEL_ATOMIC(uint64_t) healed; /* queue pairs that work again through the driver */
	ACCEL_ATOMIC(uint64_t) outage_us; /* sum of the times between failure and healing */
};

/* Counts sessions of a device, for accel_stats.c. Any thread of any process makes sessions. */
struct accel_session_count {
	ACCEL_ATOMIC(uint64_t) created;
	ACCEL_ATOMIC(uint64_t) freed;
	ACCEL_ATOMIC(uint64_t) invalidations; /* posted (manual 8.4) */
	ACCEL_ATOMIC(uint64_t) alive[ACCEL_HW_ALG_NB]; /* by algorithm; a chain counts twice */
};

/*
 * Lists the log lines about refused sessions. A sessionless operation can cause such a line, too,
 * since the driver makes a session for it.
 */
enum accel_refused {
	ACCEL_REFUSED_SYM,
	ACCEL_REFUSED_ASYM,
	ACCEL_REFUSED_IPSEC,
	ACCEL_REFUSED_TLS,
	ACCEL_REFUSED_PDCP,
	ACCEL_REFUSED_SECURITY, /* DOCSIS, and protocols that the driver does not have */
	ACCEL_REFUSED_IOVA,
	ACCEL_REFUSED_RAW,
	ACCEL_REFUSED_NB
};

/* Holds the state of a function that all processes share. */
struct accel_dev {
	uint8_t *bar; /* BAR0, at this address in every process */
	size_t bar_size;
	/* identifies the shared structures; 0 until the primary process has finished */
	ACCEL_ATOMIC(uint32_t) layout;
	uint8_t driver_id; /* of the primary process */
	const char *name; /* in shared memory */
	uint8_t dev_id;
	uint64_t feature_flags; /* what the device and driver can do */
	uint64_t active_flags; /* feature_flags without those that the application has disabled */
	uint32_t max_nb_descriptors; /* limit of a queue pair, from ring_size_max */
	uint32_t nb_qps_probed; /* queue pairs at probe; a reset may leave fewer */
	uint32_t timeout_ms; /* devarg timeout_ms, 0: not given; see accel_timeout_ms() */
	enum accel_recover recover; /* devarg recover */
	bool refuse_when_dead; /* devarg refuse_when_dead */
	bool wb_auto; /* neither wb_count nor wb_timeout_ns is given: the device may choose them */
	uint32_t wb_count; /* devargs wb_count, wb_timeout_ns */
	uint32_t wb_timeout_ns;
	ACCEL_ATOMIC(uint32_t) *generation; /* of the last context of any device, manual 8.3 */
	/* These are for recovery, see accel_fail.c. */
	struct accel_lock reset_lock;
	ACCEL_ATOMIC(uint32_t) resets; /* resets because of a failure since the device started */
	ACCEL_ATOMIC(uint32_t) isolated; /* 1: start needs the transport's revive() first */
	ACCEL_ATOMIC(uint32_t) lost; /* 1: the function leaves the bus, and is not healed */
	struct accel_recovery_count count;
	uint32_t vain; /* function level resets without success since the last successful one */
	struct accel_log_limit isolate_log; /* for the transport's isolate() */
	struct accel_log_limit reset_log; /* for resets and revivals that fail */
	struct accel_log_limit refused_log[ACCEL_REFUSED_NB]; /* for sessions that are refused */
	bool priority_told; /* the log line about priorities of queue pairs was written */
	/* These are for random numbers, see accel_random.c. */
	struct accel_lock random_lock;
	struct accel_qp *random; /* NULL before the first call */
	ACCEL_ATOMIC(uint32_t) no_entropy; /* 1: the source has failed since the latest reset */
	/* These are for shares of virtual functions, see accel_vf.c. */
	bool is_vf;
	ACCEL_ATOMIC(uint32_t) pf_seen; /* of a VF; 1: its PF had a driver at some time */
	struct accel_lock share_lock; /* for a PF's resource table, and for requests of a VF */
	struct accel_vfs *vfs; /* of a PF with virtual functions, else NULL */
	/* These are for accel_counters.c and accel_stats.c. */
	struct accel_lock stats_lock; /* queue pairs are not freed while it is held */
	uint32_t nb_counts; /* places in saved and in zero: queue pairs, then companions */
	struct accel_counts *saved; /* counters of queue pairs that do not exist now */
	struct accel_counts *zero; /* counters when the application last set them to zero */
	ACCEL_ATOMIC(uint64_t) heartbeat; /* HEARTBEAT when last read */
	ACCEL_ATOMIC(uint64_t) heartbeat_at; /* TSC when HEARTBEAT was seen to change; 0: never */
	struct accel_session_count sessions;
	struct rte_cryptodev_capabilities *capabilities; /* accel_caps_create() */
	unsigned int nb_sym_capabilities;
	struct accel_security_caps *security_caps; /* NULL: the device has no protocols */
	struct accel_devtree dt;
};

/* Registers are read and written in aligned 32 or 64 bits, without side effects (manual 2). */
static inline uint32_t
accel_read32(const volatile uint32_t *reg)
{
	return rte_le_to_cpu_32(rte_read32(reg));
}

static inline uint64_t
accel_read64(const volatile uint64_t *reg)
{
	return rte_le_to_cpu_64(rte_read64(reg));
}

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

/*
 * A register reads as this number if its function has left the bus or may not answer. MAGIC never
 * has this value.
 */
#define ACCEL_ALL_ONES 0xffffffffu

/*
 * Returns the next number of a request, which is answered when the other side has written the same
 * number. It is neither 0 nor all ones, and differs from two others: the number of the last
 * request, which may be under way, and the last one that was answered. Both are read once, since a
 * faulty card must not keep a thread in this loop.
 */
static inline uint32_t
accel_next_request(uint32_t last, uint32_t answered)
{
	do
		last++;
	while (last == 0 || last == ACCEL_ALL_ONES || last == answered);
	return last;
}

static inline bool
accel_is_gone(const struct accel_dev *dev)
{
	return rte_read32(&accel_identity(dev)->magic) == ACCEL_ALL_ONES;
}

/**
 * Return the milliseconds without a response after which a queue pair is failed. Without a device
 * argument it is twice what the card says that an operation takes (manual 4.4), and no less than
 * the default.
 */
static inline uint32_t
accel_timeout_ms(const struct accel_dev *dev)
{
	return dev->timeout_ms != 0 ? dev->timeout_ms :
				      RTE_MAX(ACCEL_TIMEOUT_MS_DEFAULT, 2 * dev->dt.operation_ms);
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

/* Records a queue command that was written to the device. */
struct accel_qp_cmd {
	uint32_t control; /* what the device echoes */
	uint16_t qp_id;
};

#endif /* ACCEL_DEV_H */
