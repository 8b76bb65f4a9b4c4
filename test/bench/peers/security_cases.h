/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Protocols for security_bench.c: frames of DOCSIS, PDUs of PDCP, packets of IPsec and records of
 * TLS. A device that has the protocol (rte_security) gets one operation a packet and does the rest.
 * For any other one the program does the protocol itself, with librte_ipsec or by hand, and the
 * device gets plain symmetric operations. Both send the same bytes.
 */
#ifndef SECURITY_CASES_H
#define SECURITY_CASES_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ipsec.h>
#include <rte_security.h>

#include "any_device.h"

#define SECURITY_PRIVATE 16u /* bytes behind an operation: its IV */
#define SECURITY_ROOM 128u /* bytes that a packet may grow by at its end */
#define SECURITY_MOST 4096u /* bytes of a packet in the clear */
#define SECURITY_BURST 32u /* the most operations at once */

struct security {
	struct any_device device;
	const struct security_case *now;
	void *ctx; /* of rte_security, or NULL */
	struct rte_mempool *mp; /* sessions of rte_security, or NULL */
	bool offloaded; /* the device has the protocol */
	void *session;
	struct rte_ipsec_session ipsec;
	struct rte_ipsec_sa *sa;
	uint16_t len; /* bytes of a packet in the clear */
	uint32_t number; /* of the next packet */
};

struct security_case {
	const char *name;
	unsigned int variant; /* of a protocol's algorithms */
	/** Makes the session. Returns 0, -ENOTSUP if the device has no such algorithm, or -EIO. */
	int (*open)(struct security *s);
	/** Writes the headers of a packet as it arrives. May be NULL. */
	void (*arrive)(struct security *s, struct rte_mbuf *m);
	/** Does what a program does before it enqueues the packets of these operations. */
	int (*prepare)(struct security *s, struct rte_crypto_op **ops, uint16_t n);
	/** Does what a program does with packets that are back. May be NULL. */
	int (*process)(struct security *s, struct rte_crypto_op **ops, uint16_t n);
	/** True if the packet is what has to be sent for @p plain, whose number was 1. */
	bool (*right)(const struct security *s, const uint8_t *plain, const struct rte_mbuf *m);
};

extern const struct security_case security_cases[];
extern const unsigned int security_nb_cases;

/** Frees the session of a case. */
void security_close(struct security *s);

#endif /* SECURITY_CASES_H */
