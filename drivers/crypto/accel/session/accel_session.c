/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the sessions of all kinds have: generations, addresses of contexts, counts, and the wipe at
 * the end. See accel_session.h.
 */

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_errno.h>
#include <rte_io.h>
#include <rte_memzone.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_logs.h"
#include "accel_session.h"

#define GENERATIONS "accel_generations"

static_assert(ACCEL_HW_PROTO_DTLS12 - ACCEL_HW_PROTO_DOCSIS ==
		      ACCEL_HW_KIND_DTLS12 - ACCEL_HW_KIND_DOCSIS,
	      "kinds of protocols are in the order of their numbers");

int
accel_session_share_generations(struct accel_dev *dev)
{
	const struct rte_memzone *mz = rte_memzone_lookup(GENERATIONS);

	if (mz != NULL) {
		dev->generation = mz->addr;
		return 0;
	}
	mz = rte_memzone_reserve(GENERATIONS, sizeof(*dev->generation), SOCKET_ID_ANY, 0);
	if (mz == NULL)
		return ACCEL_REFUSE(-rte_errno, "%s: no memory for the generations of contexts: %s",
				    dev->name, rte_strerror(rte_errno));
	dev->generation = mz->addr;
	accel_store_relaxed(dev->generation, 0);
	return 0;
}

uint32_t
accel_session_next_generation(struct accel_dev *dev)
{
	uint32_t generation;

	do
		generation = accel_fetch_add(dev->generation, 1) + 1;
	while (generation == 0);
	return generation;
}

void
accel_session_count(struct accel_dev *dev, const uint8_t *algs, unsigned int nb, bool made)
{
	struct accel_session_count *count = &dev->sessions;
	unsigned int i;

	accel_fetch_add(made ? &count->created : &count->freed, 1);
	for (i = 0; i < nb; i++) {
		if (algs[i] != ACCEL_HW_ALG_NONE)
			accel_fetch_add(&count->alive[algs[i]], made ? 1 : UINT64_MAX);
	}
}

void
accel_session_count_context(struct accel_dev *dev, const struct accel_session *sess, bool made)
{
	const unsigned int protocol = ACCEL_HW_PROTO_DOCSIS + sess->kind - ACCEL_HW_KIND_DOCSIS;
	const uint8_t algs[] = {
		(uint8_t)rte_le_to_cpu_16(sess->context.cipher_alg),
		(uint8_t)rte_le_to_cpu_16(sess->context.auth_alg),
		accel_is_protocol(sess->kind) ? (uint8_t)protocol : ACCEL_HW_ALG_NONE,
	};

	accel_session_count(dev, algs, RTE_DIM(algs), made);
}

int
accel_session_name(struct accel_dev *dev, struct accel_session *sess, rte_iova_t iova)
{
	const rte_iova_t context = iova + offsetof(struct accel_session, context);
	uint32_t generation;

	if (context % ACCEL_HW_CTX_ALIGN != 0) {
		ACCEL_LOG_LIMITED(&dev->refused_log[ACCEL_REFUSED_IOVA], ERR,
				  "%s: the IOVA of a session of this mempool is not aligned to %u: "
				  "make it with rte_cryptodev_sym_session_pool_create()",
				  dev->name, ACCEL_HW_CTX_ALIGN);
		return -EINVAL;
	}
	/* The doorbell of the first operation orders these writes for the device (manual 6.6). */
	generation = accel_session_next_generation(dev);
	sess->context.generation = rte_cpu_to_le_32(generation);
	sess->context.version = ACCEL_HW_CTX_VERSION;
	sess->command.opcode = ACCEL_HW_OP_SYM;
	sess->command.context = rte_cpu_to_le_64(context);
	sess->command.generation = rte_cpu_to_le_32(generation);
	return 0;
}

/*
 * Changes the context's word of the invalidate page, or DROP_ALL of a card that has it. Any change
 * of a word drops the copies of the contexts that have this word (manual 8.4). The word may have
 * the generation already, since the counter of generations wraps one day. Then another number is
 * written.
 */
void
accel_session_invalidate(struct accel_dev *dev, uint64_t context, uint32_t generation)
{
	volatile uint32_t *word = dev->dt.drop_all ? &accel_control(dev)->drop_all :
		&accel_invalidate_page(dev)[ACCEL_HW_INVALIDATE_INDEX(context)];

	if (accel_read32(word) == generation)
		generation = ~generation;
	rte_write32(rte_cpu_to_le_32(generation), word);
	accel_fetch_add(&dev->sessions.invalidations, 1);
}

void
accel_session_rename(struct accel_dev *dev, struct accel_session *sess)
{
	const uint32_t old = rte_le_to_cpu_32(sess->command.generation);
	const uint32_t generation = accel_session_next_generation(dev);

	sess->context.generation = rte_cpu_to_le_32(generation);
	sess->command.generation = rte_cpu_to_le_32(generation);
	accel_session_invalidate(dev, rte_le_to_cpu_64(sess->command.context), old);
}

void
accel_session_wipe(struct accel_dev *dev, struct accel_session *sess)
{
	uint64_t context = rte_le_to_cpu_64(sess->command.context);
	uint32_t generation = rte_le_to_cpu_32(sess->command.generation);

	if (context != 0)
		accel_session_count_context(dev, sess, false);
	accel_memzero_explicit(sess, sizeof(*sess));
	if (context == 0) /* never configured */
		return;
	accel_session_invalidate(dev, context, generation);
}
