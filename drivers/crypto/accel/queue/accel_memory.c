/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The memory of a queue pair: see accel_memory.h.
 *
 * A queue pair has one memzone, because a process has only RTE_MAX_MEMZONE (2560) of them. A
 * public-key queue pair is small, and takes its memory from the heap for the same reason.
 *
 * Each part that the device sees must be contiguous in IOVA, but the parts need not be contiguous
 * with each other. The sizes of these parts are powers of two. They lie one after the other, the
 * largest first, and the first is aligned to its size. Each part is therefore aligned to its own
 * size, and lies within one huge page unless it is larger than the page. So any memory with huge
 * pages will do, also with IOVA as PA.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_errno.h>
#include <rte_malloc.h>
#include <rte_memory.h>
#include <rte_memzone.h>

#include "accel_dev.h"
#include "accel_logs.h"
#include "accel_memory.h"
#include "accel_queue.h"

/* Places the parts, the largest first. Returns the offset after them. */
static size_t
place_parts(struct accel_layout *l)
{
	bool placed[ACCEL_PARTS] = { false };
	unsigned int n, i, next;
	size_t at = 0;

	for (n = 0; n < ACCEL_PARTS; n++) {
		next = ACCEL_PARTS;
		for (i = 0; i < ACCEL_PARTS; i++) {
			if (!placed[i] && (next == ACCEL_PARTS ||
					   l->part[i].size > l->part[next].size))
				next = i;
		}
		placed[next] = true;
		l->part[next].at = at;
		at += l->part[next].size;
		if (n == 0)
			l->align = RTE_MAX(at, (size_t)RTE_CACHE_LINE_SIZE);
	}
	return at;
}

void
accel_layout_make(const struct accel_dev *dev, uint32_t nb_desc, struct accel_layout *l)
{
	const uint32_t least = RTE_MIN(ACCEL_RING_MIN, dev->dt.ring_size_max);

	l->tx_size = RTE_MAX(nb_desc * ACCEL_TX_PER_OP, least);
	l->tx_size = RTE_MIN(l->tx_size, dev->dt.ring_size_max);
	l->rx_size = RTE_MAX(nb_desc * ACCEL_RX_PER_OP, least);
	l->rx_size = RTE_MIN(l->rx_size, dev->dt.ring_size_max);
	/* One entry stays empty (manual 6.2), and there must be room for nb_desc responses. */
	l->rsp_size = RTE_MAX(nb_desc * 2, ACCEL_HW_RING_SIZE_MIN);

	l->part[ACCEL_PART_COMMANDS].size = nb_desc * sizeof(struct accel_hw_command);
	l->part[ACCEL_PART_RESPONSES].size = l->rsp_size * sizeof(struct accel_hw_response);
	l->part[ACCEL_PART_TX].size = l->tx_size * sizeof(uint64_t);
	l->part[ACCEL_PART_RX].size = l->rx_size * sizeof(uint64_t);
	l->qp = RTE_ALIGN_CEIL(place_parts(l), (size_t)RTE_CACHE_LINE_SIZE);
	l->wb = l->qp + RTE_ALIGN_CEIL(sizeof(struct accel_qp), (size_t)RTE_CACHE_LINE_SIZE);
	l->inflight = l->wb + RTE_CACHE_LINE_SIZE;
	l->refusals = l->inflight + nb_desc * sizeof(struct accel_inflight);
	l->total = l->refusals + nb_desc;
}

bool
accel_is_contiguous(const void *va, size_t size, size_t page)
{
	const rte_iova_t iova = rte_mem_virt2iova(va);
	size_t at;

	if (iova == RTE_BAD_IOVA)
		return false;
	for (at = page - (uintptr_t)va % page; at < size; at += page)
		if (rte_mem_virt2iova(RTE_PTR_ADD(va, at)) != iova + at)
			return false;
	return true;
}

/* Checks contiguity, and that the commands lie within one region of 1 GiB (manual 6.1). */
static bool
is_usable(const void *addr, size_t page, const struct accel_layout *l)
{
	const size_t commands_size = l->part[ACCEL_PART_COMMANDS].size;
	rte_iova_t commands;
	unsigned int i;

	for (i = 0; i < ACCEL_PARTS; i++)
		if (!accel_is_contiguous(RTE_PTR_ADD(addr, l->part[i].at), l->part[i].size,
					 page))
			return false;
	commands = rte_mem_virt2iova(RTE_PTR_ADD(addr, l->part[ACCEL_PART_COMMANDS].at));
	return rte_mem_virt2iova(RTE_PTR_ADD(addr, l->wb)) != RTE_BAD_IOVA &&
	       commands >> ACCEL_HW_DESC_REGION_SHIFT ==
		       (commands + commands_size - 1) >> ACCEL_HW_DESC_REGION_SHIFT;
}

/*
 * Reserves a memzone, and returns 0 or a negative errno. -EFAULT: the memory is not contiguous.
 * The first attempt is made without EAL's flag for contiguous memory. The flag demands that the
 * whole allocation is contiguous, while memory that is aligned to its size mostly is so anyway.
 */
static int
reserve_on(const char *name, int socket_id, const struct accel_layout *l,
	   const struct rte_memzone **mz)
{
	static const unsigned int flags[] = { 0, RTE_MEMZONE_IOVA_CONTIG };
	unsigned int i;

	for (i = 0; i < RTE_DIM(flags); i++) {
		*mz = rte_memzone_reserve_aligned(name, l->total, socket_id, flags[i], l->align);
		if (*mz == NULL)
			return i == 0 || rte_errno != ENOMEM ? -rte_errno : -EFAULT;
		if (is_usable((*mz)->addr,
			      RTE_MAX((size_t)(*mz)->hugepage_sz, (size_t)RTE_PGSIZE_4K), l))
			return 0;
		rte_memzone_free(*mz);
	}
	*mz = NULL;
	return -EFAULT;
}

static const char *
why_not(int error)
{
	switch (error) {
	case -ENOSPC:
		return "no memzone is left (each queue pair takes one, and a process has no more "
		       "than RTE_MAX_MEMZONE): use fewer queue pairs or devices";
	case -ENOMEM:
		return "the heap has no piece of this size: give the program more memory or use "
		       "fewer descriptors";
	case -EFAULT:
		return "the memory is not contiguous in IOVA: use larger huge pages, or IOVA as VA "
		       "(--iova-mode=va), or fewer descriptors";
	case -EEXIST:
		return "its memzone exists already";
	default:
		return "EAL refuses the allocation";
	}
}

static int
report(const struct accel_dev *dev, uint16_t qp_id, int socket_id,
       const struct accel_layout *layout, int error)
{
	return ACCEL_REFUSE(error == -ENOSPC ? error : -ENOMEM,
			    "%s qp %u: cannot allocate %zu bytes, socket %d: %s (%s)", dev->name,
			    qp_id, layout->total, socket_id, why_not(error), strerror(-error));
}

int
accel_memory_reserve(const struct accel_dev *dev, uint16_t qp_id, const char *name, int socket_id,
		     const struct accel_layout *layout, const struct rte_memzone **mz)
{
	int ret;

	ret = reserve_on(name, socket_id, layout, mz);
	if ((ret == -ENOMEM || ret == -EFAULT) && socket_id != SOCKET_ID_ANY)
		ret = reserve_on(name, SOCKET_ID_ANY, layout, mz);
	if (ret != 0)
		return report(dev, qp_id, socket_id, layout, ret);
	memset((*mz)->addr, 0, layout->total);
	accel_dump_exclude((*mz)->addr, layout->total);
	return 0;
}

int
accel_memory_alloc(const struct accel_dev *dev, uint16_t qp_id, int socket_id,
		   const struct accel_layout *layout, void **addr)
{
	*addr = rte_zmalloc_socket("accel_qp", layout->total, (unsigned int)layout->align,
				   socket_id);
	if (*addr == NULL)
		return report(dev, qp_id, socket_id, layout, -ENOMEM);
	if (!is_usable(*addr, RTE_PGSIZE_4K, layout)) {
		rte_free(*addr);
		return report(dev, qp_id, socket_id, layout, -EFAULT);
	}
	accel_dump_exclude(*addr, layout->total);
	return 0;
}

/* Returns the size of a page of this memory. The kernel refuses to divide a huge page. */
static uintptr_t
page_of(const void *addr)
{
	const struct rte_memseg_list *list = rte_mem_virt2memseg_list(addr);
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	return list != NULL ? RTE_MAX(page, (uintptr_t)list->page_sz) : page;
}

void
accel_dump_exclude(const void *addr, size_t len)
{
	static struct accel_log_limit limit; /* a refusal concerns the process, not a device */
	const uintptr_t page = page_of(addr);
	const uintptr_t first = RTE_ALIGN_FLOOR((uintptr_t)addr, page);
	const uintptr_t end = RTE_ALIGN_CEIL((uintptr_t)addr + len, page);

	if (madvise((void *)first, end - first, MADV_DONTDUMP) != 0)
		ACCEL_LOG_LIMITED(&limit, WARNING, "core dumps of this process may contain IVs, "
				  "keys and operands: %s; ulimit -c 0 switches them off",
				  strerror(errno));
}

int
accel_raw_slots_create(struct accel_qp *qp)
{
	if (qp->raw == NULL)
		qp->raw = rte_zmalloc("accel_raw", qp->nb_desc * sizeof(*qp->raw),
				      RTE_CACHE_LINE_SIZE);
	return qp->raw != NULL ? 0 : -ENOMEM;
}

int
accel_raw_slots_inherit(struct accel_qp *qp, const struct accel_qp *old)
{
	const uint32_t prod = accel_load_relaxed(&old->prod);
	uint32_t n;

	if (old->raw == NULL)
		return 0;
	if (accel_raw_slots_create(qp) != 0)
		return -ENOMEM;
	for (n = accel_load_relaxed(&old->cons); n != prod; n++) {
		struct accel_inflight *entry = &qp->inflight[n & qp->desc_mask];
		struct accel_raw_slot *slot = &qp->raw[n & qp->desc_mask];

		if (!accel_op_is_raw(entry->op))
			continue;
		*slot = *(const struct accel_raw_slot *)(entry->op & ~ACCEL_OP_KIND);
		entry->op = (uintptr_t)slot | accel_op_kind(entry);
	}
	return 0;
}

void
accel_raw_slots_free(struct accel_qp *qp)
{
	rte_free(qp->raw);
	qp->raw = NULL;
}
