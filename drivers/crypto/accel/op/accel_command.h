/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Brings the shape of an operation to the device: writes the command, the in-flight entry and the
 * doorbell. Fast path and slow path share all of this. Hot path, inlined.
 */
#ifndef ACCEL_COMMAND_H
#define ACCEL_COMMAND_H

#include <string.h>

#include <rte_byteorder.h>
#include <rte_crypto.h>
#include <rte_io.h>

#include "accel_compat.h"
#include "accel_queue.h"
#include "accel_ring.h"
#include "accel_session.h"

/*
 * Describes an operation in the terms of the manual's sections 7 and 8.5. Offsets count from the
 * start of the operation's data.
 */
struct accel_shape {
	uint32_t src_off;
	uint32_t dst_off;
	uint64_t src_len; /* an application's offset plus length may exceed 32 bits */
	uint64_t dst_len;
	uint32_t skip;
	uint32_t cipher_len;
	uint32_t auth_len;
	uint32_t flags; /* ACCEL_HW_CMD_* */
	uint64_t digest; /* IOVA */
	uint64_t aad; /* IOVA */
	const uint8_t *inside; /* AAD to copy into the command; NULL: it is a fragment, or none */
};

/* The next functions write the command. */

/* Reads eight bytes of memory at any address. */
static inline uint64_t
accel_word(const void *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof(word));
	return word;
}

/* Has eight bytes of a command, which are written with one store. */
typedef volatile uint64_t __rte_may_alias accel_command_word;

/* Copies no more than the IV, because the application's memory may end after it. */
static inline void
accel_put_iv(void *to, const uint8_t *iv, uint32_t len)
{
	accel_command_word *word = to;

	if (likely(len == 16)) {
		word[0] = accel_word(iv);
		word[1] = accel_word(iv + 8);
	} else if (len == 12) {
		memcpy(to, iv, 12);
	} else if (len != 0) {
		memcpy(to, iv, len);
	}
}

/*
 * Copies up to 16 bytes, the nonce or AAD of an AEAD, and reads no others, because the
 * application's memory may end there. Two copies of one size overlap, so there is neither loop nor
 * call. The device ignores the bytes after them (manual 7.1, CMD-4).
 */
static inline void
accel_put_short(uint8_t *to, const uint8_t *from, uint32_t len)
{
	if (likely(len >= 8)) {
		memcpy(to, from, 8);
		memcpy(to + len - 8, from + len - 8, 8);
	} else if (len >= 4) {
		memcpy(to, from, 4);
		memcpy(to + len - 4, from + len - 4, 4);
	} else if (len != 0) {
		to[0] = from[0];
		to[len / 2] = from[len / 2];
		to[len - 1] = from[len - 1];
	}
}

/*
 * Writes the command of manual 7.1 without the IVs. The session's part has 0 in the fields of the
 * operation, so both parts are joined in registers. Each store costs time, since the command's line
 * is in the device's cache and stores wait for it in order. Vector registers are avoided: a
 * translated CPU (QEMU without KVM) keeps them in memory, where a load waits for all stores before
 * it.
 */
static ACCEL_VARIANTS void
accel_write_words(struct accel_hw_command *cmd, const struct accel_session *sess,
		  const struct accel_shape *shape, uint32_t tag)
{
	const uint64_t head = rte_le_to_cpu_64(accel_word(&sess->command));
	const uint32_t generation = (uint32_t)head; /* the command has its tag in this place */
	accel_command_word *word = (void *)cmd;

	word[0] = rte_cpu_to_le_64((head & ~(uint64_t)UINT32_MAX) |
				   (uint64_t)shape->flags << 40 | tag);
	word[1] = accel_word(&sess->command.context);
	word[2] = rte_cpu_to_le_64((uint64_t)shape->skip << 32 | generation);
	word[3] = rte_cpu_to_le_64((uint64_t)shape->auth_len << 32 | shape->cipher_len);
}

/* Returns the IV of an operation. */
static inline const uint8_t *
accel_op_iv(struct rte_crypto_op *op, const struct accel_session *sess)
{
	return rte_crypto_op_ctod_offset(op, const uint8_t *, sess->iv_offset);
}

/* Returns the IV of an operation's authentication. */
static inline const uint8_t *
accel_op_auth_iv(struct rte_crypto_op *op, const struct accel_session *sess)
{
	return rte_crypto_op_ctod_offset(op, const uint8_t *, sess->auth_iv_offset);
}

/* Writes all of a command: its words, the IVs that the session has, and AAD that goes inside. */
static ACCEL_VARIANTS void
accel_write_command(struct accel_hw_command *cmd, const struct accel_session *sess,
		    const uint8_t *iv, const uint8_t *auth_iv, const struct accel_shape *shape,
		    uint32_t tag, enum accel_hw_kind kind)
{
	const bool has_auth_iv = kind != ACCEL_HW_KIND_CIPHER && kind != ACCEL_HW_KIND_AEAD;

	accel_write_words(cmd, sess, shape, tag);
	if (kind == ACCEL_HW_KIND_AEAD) {
		accel_put_short(cmd->iv, iv, sess->iv_len);
	} else if (kind != ACCEL_HW_KIND_AUTH) {
		if (unlikely(sess->iv_len != sizeof(cmd->iv)))
			accel_put_iv(cmd->iv, sess->command.iv, sizeof(cmd->iv));
		accel_put_iv(cmd->iv, iv, sess->iv_len);
	}
	if (has_auth_iv && sess->auth_iv_len != 0)
		accel_put_iv((uint8_t *)cmd + sess->auth_iv_at, auth_iv, sess->auth_iv_len);
	if (kind == ACCEL_HW_KIND_AEAD && shape->inside != NULL)
		accel_put_short(cmd->auth_iv, shape->inside, sess->aad_len);
}

static_assert(offsetof(struct accel_session_command, opcode) ==
			      offsetof(struct accel_hw_command, opcode) &&
		      offsetof(struct accel_session_command, flags) ==
			      offsetof(struct accel_hw_command, flags) &&
		      offsetof(struct accel_session_command, aad_len) ==
			      offsetof(struct accel_hw_command, aad_len) &&
		      offsetof(struct accel_session_command, context) ==
			      offsetof(struct accel_hw_command, context) &&
		      offsetof(struct accel_session_command, generation) == 0 &&
		      offsetof(struct accel_hw_command, flags) * 8 == 40 &&
		      offsetof(struct accel_hw_command, context) == 8 &&
		      offsetof(struct accel_hw_command, generation) == 16 &&
		      offsetof(struct accel_hw_command, skip) == 16 + 4 &&
		      offsetof(struct accel_hw_command, cipher_len) == 24 &&
		      offsetof(struct accel_hw_command, auth_len) == 24 + 4 &&
		      offsetof(struct accel_hw_command, iv) == 32,
	      "accel_write_words() relies on these places");

/* The next functions write in-flight entries and the doorbell. */

/*
 * Records an operation that is in flight from now on, with the rings' counters after its
 * descriptors. The stores are volatile, because the compiler would otherwise join two of them in a
 * vector register, see accel_write_words(). The operation's status must be NOT_PROCESSED.
 */
static inline void
accel_set_inflight_at(struct accel_inflight *entry, const struct rte_crypto_op *op, uintptr_t kind,
		      uint32_t tx_end, uint32_t rx_end)
{
	volatile struct accel_inflight *to = entry;

	to->op = (uintptr_t)op | kind;
	to->tx_end = tx_end;
	to->rx_end = rx_end;
}

/* Records an operation whose descriptors are the last ones of the rings. */
static inline void
accel_set_inflight(struct accel_inflight *entry, struct rte_crypto_op *op, uintptr_t kind,
		   const struct accel_ring *tx, const struct accel_ring *rx)
{
	accel_set_inflight_at(entry, op, kind, tx->prod, rx->prod);
	/* Callers reuse operations, and crypto_scheduler reads the status of those in flight. */
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
}

/* The number of operations whose command lines are claimed together. */
#define ACCEL_CLAIM_AT_ONCE 8u

/*
 * Claims the cache lines of the next commands: the CPU becomes their owner again, after the device
 * read them in the lap before. At most ACCEL_CLAIM_AT_ONCE of n adjacent commands are claimed.
 * Stores wait for their lines in order. The few stores here wait at the same time. With an
 * operation's other stores in between, each line would wait for the line before. The slots may stay
 * unused.
 */
static ACCEL_VARIANTS void
accel_claim_commands(struct accel_hw_command *commands, uint32_t n)
{
	/* The pointer is volatile, so that the compiler keeps each store. */
	volatile struct accel_hw_command *command = commands;
	uint32_t i;

	if (likely(n >= ACCEL_CLAIM_AT_ONCE)) { /* the compiler unrolls a constant number */
		for (i = 0; i < ACCEL_CLAIM_AT_ONCE; i++)
			command[i].tag = 0;
		return;
	}
	for (i = 0; i < n; i++)
		command[i].tag = 0;
}

/* Publishes a burst: writes first the counter for dequeue, then the doorbell (manual 6.6, 5.1). */
static inline void
accel_publish(struct accel_qp *qp, uint32_t prod)
{
	const uint64_t sdp = (uint64_t)(qp->rx.prod & qp->rx.mask) << 32 |
			     (qp->tx.prod & qp->tx.mask);

	accel_store_release(&qp->prod, prod);
	rte_io_wmb();
	rte_write64_relaxed(rte_cpu_to_le_64(sdp), qp->doorbell);
}

#endif /* ACCEL_COMMAND_H */
