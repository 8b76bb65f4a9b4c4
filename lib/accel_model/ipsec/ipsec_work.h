/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the files of IPsec operations share. This header is private to ipsec/.
 */
#ifndef ACCEL_MODEL_IPSEC_WORK_H
#define ACCEL_MODEL_IPSEC_WORK_H

#include <string.h>

#include "op/op.h"
#include "state/ipsec_format.h"
#include "state/ipsec_packet.h"
#include "state/ipsec_sa.h"

/* The copy of a source has this room around it. The room before it is for the saved outer header,
 * and for what grows in front (outer header, UDP, ESP, IV or AH). The room after it is for ESP's
 * trailer and the ICV. */
#define IPSEC_HEADROOM 192u
#define IPSEC_TAILROOM 96u

static_assert(IPSEC_HEADROOM + IPSEC_TAILROOM + CACHE_LINE - 1 <= ARENA_MARGIN, "room for both");
static_assert(ACCEL_HW_IPSEC_OUTER_MAX + ACCEL_HW_IPSEC_OUTER_MAX + AH_HEADER +
			      ACCEL_HW_IPSEC_IV_COUNTED + ACCEL_HW_DIGEST_MAX + 4 <= IPSEC_HEADROOM,
	      "the longest that grows in front, and the saved header");
static_assert(ACCEL_HW_IV_MAX + ESP_TRAILER + ACCEL_HW_DIGEST_MAX + ESN_LEN <= IPSEC_TAILROOM,
	      "the longest that grows behind");

/** Copy the first bytes of a packet: all @p len, but not more than @p most, which is a constant. */
static ALWAYS_INLINE void
ipsec_copy_head(uint8_t *head, const uint8_t *from, uint32_t len, const uint32_t most)
{
	if (likely(len >= most))
		memcpy(head, from, most);
	else
		copy_short(head, from, len);
}

/** Copy an IV of a packet, of 0, 8 or 16 bytes. */
static ALWAYS_INLINE void
ipsec_copy_iv(uint8_t *to, const uint8_t *from, uint32_t len)
{
	if (len >= sizeof(uint64_t))
		memcpy(to, from, sizeof(uint64_t));
	if (len > sizeof(uint64_t))
		memcpy(to + sizeof(uint64_t), from + sizeof(uint64_t), sizeof(uint64_t));
}

/*
 * Holds a packet to work on. Its bytes are a copy, or the host's memory if the payload keeps its
 * place there (ipsec.c). The host may change its memory at any time, so all that lengths and places
 * depend on is read from `head`. The head is a private copy of the packet's first IPSEC_HEAD bytes
 * or more, or of all bytes of a shorter packet.
 */
struct ipsec_source {
	uint8_t *head;
	uint8_t *data;
	uint32_t len;
};

/* The head of a packet has room for an IPv4 header with options, UDP and ESP. */
#define IPSEC_HEAD 80u
#define IPSEC_HEAD_OUTBOUND 64u /* an IPv4 header with options */

static_assert(IPSEC_HEAD >= IP_HEADER_MAX + UDP_HEADER + ESP_HEADER &&
		      IPSEC_HEAD_OUTBOUND >= IP_HEADER_MAX,
	      "room for all headers");

/* ipsec_out.c has these functions for outbound packets. */

/** Return the bytes of the longest output for a source of @p len bytes, as far as it is known
 * without the packet. */
static inline uint32_t
ipsec_out_room(const struct ipsec_sa *sa, uint32_t len)
{
	return sa->room.base + round_up(len + sa->room.trailer, sa->room.align);
}

/** Check the packet, take a number, and make all of the output but the ICV. */
enum accel_hw_status ipsec_out_begin(struct op_tools *tools, struct op *op,
				     struct ipsec_sa *sa, const struct ipsec_source *source);
/** Return the bytes of the packet that was made. */
static inline uint32_t
ipsec_out_len(const struct op *op, const struct ipsec_sa *sa)
{
	return op->ipsec.payload + op->ipsec.len +
	       (sa->kind == ACCEL_HW_KIND_ESP ? sa->icv_len : 0);
}

/* ipsec_in.c has these functions for inbound packets. */

/** Check the packet and its number. */
enum accel_hw_status ipsec_in_begin(struct op *op, struct ipsec_sa *sa,
				    const struct ipsec_source *source);
/**
 * Check what was deciphered, and make the output.
 *
 * @param at receives where the output is, and @p len its bytes.
 */
enum accel_hw_status ipsec_in_end(struct op_access *access, struct op *op,
				  const struct ipsec_sa *sa, uint8_t **at, uint32_t *len);

/* ipsec_ah.c has these functions for AH. */

/** Put back what was cleared of an outbound packet's header. Return false if the source is not
 * accessible any more. */
bool ipsec_ah_restore(struct op_access *access, struct op *op, const struct ipsec_sa *sa);

/** Check the options of a packet, which decide what AH covers. */
bool ipsec_ah_options(const uint8_t *p, unsigned int version, uint32_t header);
/** Set to 0 what may change on the way (RFC 4302, 3.3.3.1). @param outbound true: set the
 * destination of IPv4 to the final one. */
void ipsec_ah_clear(uint8_t *p, unsigned int version, uint32_t header, bool outbound);

/* ipsec_job.c makes the engine's job. */

/** Submit the engine's job for an operation. The job works in place on the packet. op->digest has
 * the ICV to verify. */
void ipsec_job_submit(struct op *op, const struct ctx_entry *ctx, const struct ipsec_sa *sa);
/** Undo what was changed in the packet for the job alone. */
static inline void
ipsec_job_end(struct op *op, const struct ipsec_sa *sa)
{
	uint8_t *esp = op->ipsec.packet + op->ipsec.payload - sa->iv_len - ESP_HEADER;

	if (unlikely(sa->form == IPSEC_FORM_GMAC) && sa->kind == ACCEL_HW_KIND_ESP &&
	    ipsec_has(sa, ACCEL_HW_IPSEC_ESN))
		memcpy(esp - SPI_LEN, op->cmd.auth_iv, SPI_LEN + SPI_LEN);
}

/* The function below ends outbound packets. */

/** Put the ICV into the packet. Return false if the source of an AH is not accessible any more. */
static inline bool
ipsec_out_end(struct op_access *access, struct op *op, const struct ipsec_sa *sa)
{
	const struct op_ipsec *w = &op->ipsec;

	ipsec_job_end(op, sa);
	if (likely(sa->kind == ACCEL_HW_KIND_ESP)) {
		copy_short(w->packet + w->payload + w->len, op->digest, sa->icv_len);
		return true;
	}
	copy_short(w->packet + w->header + AH_HEADER + sa->iv_len, op->digest, sa->icv_len);
	return ipsec_ah_restore(access, op, sa);
}

#endif /* ACCEL_MODEL_IPSEC_WORK_H */
