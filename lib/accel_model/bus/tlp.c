/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Counts the TLPs of an access: see tlp.h.
 */
#include "base/util.h"
#include "bus/tlp.h"

/* Return the end of the first piece of [at, end) that holds at most this many bytes, counted from
 * the DW in which it begins. */
static uint64_t
piece_end(uint64_t at, uint64_t end, uint32_t most)
{
	const uint64_t limit = (at & ~(uint64_t)(TLP_DW - 1)) + most;

	return end < limit ? end : limit;
}

/* Return where the first request of [at, end) ends. A request stays within its page. */
static uint64_t
request_end(uint64_t at, uint64_t end, uint32_t most)
{
	const uint64_t page = (at & ~(uint64_t)(TLP_PAGE - 1)) + TLP_PAGE;
	const uint64_t to = piece_end(at, end, most);

	return to < page ? to : page;
}

/* Return the bytes that fill [at, end) up to whole DWs. */
static uint64_t
fill_of(uint64_t at, uint64_t end)
{
	return (at & (TLP_DW - 1)) + (-end & (TLP_DW - 1));
}

/*
 * Count the completions of one request (2.3.1.1). All completions but the last one end at a
 * multiple of RCB.
 */
static void
completions(struct accel_model_bus_count *count, uint64_t at, uint64_t end)
{
	while (at < end) {
		uint64_t to = piece_end(at, end, TLP_MPS);

		if (to < end)
			to &= ~(uint64_t)(TLP_RCB - 1);
		count64(&count->tlps_down, 1);
		count64(&count->payload_down, to - at);
		count64(&count->overhead_down, TLP_FRAME + TLP_HEADER_3DW + fill_of(at, to));
		at = to;
	}
}

void
tlp_read(struct accel_model_bus_count *count, uint64_t addr, uint64_t len)
{
	const uint64_t end = addr + len;

	if (len == 0)
		return;
	count64(&count->reads, 1);
	while (addr < end) {
		const uint64_t to = request_end(addr, end, TLP_MRRS);

		count64(&count->tlps_up, 1);
		count64(&count->overhead_up, TLP_FRAME + TLP_HEADER_4DW);
		completions(count, addr, to);
		addr = to;
	}
}

void
tlp_write(struct accel_model_bus_count *count, uint64_t addr, uint64_t len)
{
	const uint64_t end = addr + len;

	if (len == 0)
		return;
	count64(&count->writes, 1);
	while (addr < end) {
		const uint64_t to = request_end(addr, end, TLP_MPS);

		count64(&count->tlps_up, 1);
		count64(&count->payload_up, to - addr);
		count64(&count->overhead_up, TLP_FRAME + TLP_HEADER_4DW + fill_of(addr, to));
		addr = to;
	}
}

void
tlp_host_write(struct accel_model_bus_count *count, uint32_t len)
{
	count64(&count->writes, 1);
	count64(&count->tlps_down, 1);
	count64(&count->payload_down, len);
	count64(&count->overhead_down, TLP_FRAME + TLP_HEADER_4DW + fill_of(0, len));
}
