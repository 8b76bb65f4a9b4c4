/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the options of an operation of IPsec (manual 8.6) in its command and its response, and
 * dequeues operations of the fast path.
 */
#ifndef ACCEL_IPSEC_OP_H
#define ACCEL_IPSEC_OP_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>
#include <rte_mbuf.h>

#include "accel_command.h"
#include "accel_queue.h"

/*
 * Returns the options that an operation has in addition to those of its SA, for command.skip.
 * Outbound, they are the checksums that the mbuf asks for. Of the two bits of layer 4 only the
 * lower one is looked at. RTE_MBUF_F_TX_TCP_CKSUM and RTE_MBUF_F_TX_UDP_CKSUM have it,
 * RTE_MBUF_F_TX_SCTP_CKSUM has not.
 */
static inline uint32_t
accel_ipsec_skip(const struct rte_mbuf *m, const bool outbound, const bool oop)
{
	if (!outbound)
		return oop ? 0 : ACCEL_HW_IPSEC_CMD_KEEP_PLACE;
	return (uint32_t)(m->ol_flags >> 54 & ACCEL_HW_IPSEC_CMD_IP_CHECKSUM) |
	       (uint32_t)(m->ol_flags >> 51 & ACCEL_HW_IPSEC_CMD_L4_CHECKSUM);
}

/* These are the mbuf flags that accel_ipsec_skip() looks at. */
#define ACCEL_IPSEC_TX_CHECKSUMS (RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM)

static_assert(RTE_MBUF_F_TX_IP_CKSUM >> 54 == ACCEL_HW_IPSEC_CMD_IP_CHECKSUM &&
		      (RTE_MBUF_F_TX_TCP_CKSUM >> 51 & 3) == ACCEL_HW_IPSEC_CMD_L4_CHECKSUM &&
		      (RTE_MBUF_F_TX_UDP_CKSUM >> 51 & 3) == ACCEL_HW_IPSEC_CMD_L4_CHECKSUM &&
		      (RTE_MBUF_F_TX_SCTP_CKSUM >> 51 & 3) == 0,
	      "accel_ipsec_skip() relies on these places");

/* Gives the mbuf flags for the inner packet's checksums. The index is bits [14:11] of info. */
#define ACCEL_IP_FLAG(n)                                                                           \
	(((n) & 1) == 0 ? 0 : ((n) & 2) != 0 ? RTE_MBUF_F_RX_IP_CKSUM_BAD :                        \
					       RTE_MBUF_F_RX_IP_CKSUM_GOOD)
#define ACCEL_L4_FLAG(n)                                                                           \
	(((n) & 4) == 0 ? 0 : ((n) & 8) != 0 ? RTE_MBUF_F_RX_L4_CKSUM_BAD :                        \
					       RTE_MBUF_F_RX_L4_CKSUM_GOOD)
#define ACCEL_CHECKSUM_FLAGS(n) (ACCEL_IP_FLAG(n) | ACCEL_L4_FLAG(n))
#define ACCEL_CHECKSUM_FLAGS_4(n)                                                                  \
	ACCEL_CHECKSUM_FLAGS(n), ACCEL_CHECKSUM_FLAGS((n) + 1), ACCEL_CHECKSUM_FLAGS((n) + 2),     \
		ACCEL_CHECKSUM_FLAGS((n) + 3)

static_assert(ACCEL_HW_IPSEC_INFO_IP_CHECKED == 1 << 11 && ACCEL_HW_IPSEC_INFO_IP_BAD == 2 << 11 &&
		      ACCEL_HW_IPSEC_INFO_L4_CHECKED == 4 << 11 &&
		      ACCEL_HW_IPSEC_INFO_L4_BAD == 8 << 11,
	      "the index of accel_ipsec_set_checksums()");

#define ACCEL_IPSEC_RX_CHECKSUMS (RTE_MBUF_F_RX_IP_CKSUM_MASK | RTE_MBUF_F_RX_L4_CKSUM_MASK)

/*
 * Sets the mbuf flags for the inner packet's checksums, and clears what they said of the outer
 * packet's.
 */
static inline void
accel_ipsec_set_checksums(struct rte_mbuf *m, uint64_t info)
{
	static const uint16_t flags[] = { ACCEL_CHECKSUM_FLAGS_4(0), ACCEL_CHECKSUM_FLAGS_4(4),
					  ACCEL_CHECKSUM_FLAGS_4(8), ACCEL_CHECKSUM_FLAGS_4(12) };

	m->ol_flags = (m->ol_flags & ~ACCEL_IPSEC_RX_CHECKSUMS) | flags[info >> 11 & 15];
}

/*
 * Lists the mbuf flags that ask a port to do something with the inner packet when it is sent. They
 * are cleared after ESP or AH was put around the packet, since the port sees another packet then.
 * The device has made the checksums that they ask for.
 */
#define ACCEL_IPSEC_TX_INNER                                                                       \
	(RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK | RTE_MBUF_F_TX_IPV4 |                     \
	 RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG |                      \
	 RTE_MBUF_F_TX_TUNNEL_MASK | RTE_MBUF_F_TX_OUTER_IP_CKSUM |                                \
	 RTE_MBUF_F_TX_OUTER_UDP_CKSUM | RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6)

/* Returns the flags of an operation with the status OK. */
static inline uint8_t
accel_ipsec_aux_flags(uint64_t info)
{
	return (info & ACCEL_HW_IPSEC_INFO_SOFT) != 0 ? RTE_CRYPTO_OP_AUX_FLAGS_IPSEC_SOFT_EXPIRY :
							0;
}

/**
 * Give back operations of accel_enqueue_ipsec.c with the status OK. No operation can be ended
 * twice, so accel_qp.ending covers all operations that this call may change.
 *
 * @param ops receives the operations.
 * @param cons, end the number of the first operation, and the number after the last one with a
 *   response.
 * @return how many operations were given back. It ends at the first that is of another kind.
 */
uint32_t accel_ipsec_dequeue(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t cons,
			     uint32_t end);

#endif /* ACCEL_IPSEC_OP_H */
