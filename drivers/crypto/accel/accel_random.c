/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Gets random numbers for set-up paths (rte_pmd_accel_random()). The first call makes the queue
 * pair, which runs only during calls. A device without calls spends nothing on it.
 */
#include <errno.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cryptodev_pmd.h>
#include <rte_common.h>
#include <rte_crypto.h>
#include <rte_pause.h>

#include "accel_asym_session.h"
#include "accel_compat.h"
#include "accel_counters.h"
#include "accel_datapath.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_lock.h"
#include "accel_queue_setup.h"
#include "accel_queue_start.h"
#include "accel_random.h"
#include "accel_transport.h"
#include "rte_pmd_accel.h"

#define RANDOM_NB_DESC 16u
#define RANDOM_PIECE 4096u /* the most bytes of one operation */

/* Holds the library's session, with room for the driver's part after it. */
union random_session {
	struct rte_cryptodev_asym_session library;
	uint8_t room[offsetof(struct rte_cryptodev_asym_session, sess_private_data) +
		     sizeof(struct accel_asym_session)];
};

/* Holds an operation and its session, on the stack of the caller. */
struct random_op {
	struct rte_crypto_op op;
	struct rte_crypto_asym_op asym;
	alignas(RTE_CACHE_LINE_SIZE) union random_session session;
};

/*
 * Stops the queue pair. If a process has died in a call, its operation may still be in flight. The
 * operation lies on the stack of the dead process, so this process must not touch it (test_asym_qp:
 * test_killed_in_random). The next start wipes its slot.
 */
static void
halt(struct accel_qp *qp)
{
	accel_store_release(&qp->cons, accel_load_acquire(&qp->prod));
	accel_qp_stop(qp);
}

/*
 * Makes the queue pair, or stops it if a killed process has left it running (test_asym_qp:
 * test_killed_in_random, and test_killed_with_lock for the lock of the call).
 */
static int
prepare(struct accel_dev *dev)
{
	int ret;

	if (dev->random != NULL) {
		halt(dev->random);
		return 0;
	}
	ret = accel_qp_create_pk(dev, ACCEL_DT_OWN_QP, RANDOM_NB_DESC, SOCKET_ID_ANY,
				 &dev->random);
	if (ret == 0)
		dev->random->heal.on = false;
	return ret == -ENOSPC ? -ENOMEM : ret;
}

static int
get_piece(struct accel_qp *qp, struct random_op *r, uint8_t *to, size_t len)
{
	struct rte_crypto_op *op = &r->op;
	uint16_t n = 0;

	r->asym.modex.result.data = to;
	r->asym.modex.result.length = len;
	if (accel_enqueue_burst(qp, &op, 1) != 1)
		return -EIO;
	for (; n == 0; rte_pause())
		n = accel_dequeue_burst(qp, &op, 1); /* the queue pair's deadline ends this loop */
	return r->op.status == RTE_CRYPTO_OP_STATUS_SUCCESS ? 0 : -EIO;
}

static int
get_pieces(struct accel_dev *dev, uint8_t *to, size_t len)
{
	const size_t most = RTE_MIN(dev->dt.random_max, RANDOM_PIECE);
	const struct rte_crypto_asym_xform xform = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE };
	struct random_op r = {
		.op = {
			.type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC,
			.sess_type = RTE_CRYPTO_OP_WITH_SESSION,
		},
	};
	int ret;

	r.asym.session = &r.session.library;
	ret = accel_asym_session_make(dev, &xform, accel_asym_sess_priv(&r.session.library));
	for (; ret == 0 && len > 0; ) {
		const size_t piece = RTE_MIN(len, most);

		ret = get_piece(dev->random, &r, to, piece);
		to += piece;
		len -= piece;
	}
	accel_asym_session_wipe(dev, accel_asym_sess_priv(&r.session.library));
	return ret;
}

static int
get(struct accel_dev *dev, void *buf, size_t len)
{
	int ret;

	if (dev->dt.random_max == 0 || !accel_dt_has_qp(&dev->dt, ACCEL_DT_OWN_QP))
		return -ENOTSUP;
	if (len == 0)
		return 0;
	if (accel_is_gone(dev) || accel_load_acquire(&dev->isolated) != 0)
		return -EIO;
	accel_lock_take(&dev->random_lock, dev->name, "a call for random numbers");
	ret = prepare(dev);
	if (ret == 0) {
		/* A reset may have given the queue pair another place (manual 4.5, 8.8). */
		dev->random->doorbell = &accel_qp_host(dev, ACCEL_DT_OWN_QP)->doorbell;
		ret = accel_qp_start(dev->random);
	}
	if (ret == 0)
		ret = get_pieces(dev, buf, len);
	if (dev->random != NULL)
		accel_qp_stop(dev->random);
	accel_lock_give(&dev->random_lock);
	return ret == 0 || ret == -ENOMEM || ret == -ETIMEDOUT ? ret : -EIO;
}

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_random, 26.11)
int
rte_pmd_accel_random(uint8_t dev_id, void *buf, size_t len)
{
	const struct rte_cryptodev *cryptodev = accel_find(dev_id);
	int ret;

	if (cryptodev == NULL)
		return -ENODEV;
	if (buf == NULL && len != 0)
		return -EINVAL;
	ret = get(cryptodev->data->dev_private, buf, len);
	if (ret != 0 && len != 0)
		memset(buf, 0, len);
	return ret;
}

void
accel_random_free(struct accel_dev *dev)
{
	accel_counters_lock(dev);
	if (dev->random != NULL) {
		halt(dev->random);
		accel_qp_free(dev->random);
		dev->random = NULL;
	}
	accel_counters_unlock(dev);
}

static_assert(offsetof(struct random_op, asym) == sizeof(struct rte_crypto_op),
	      "the library's place of the operation");
static_assert(offsetof(struct rte_cryptodev_asym_session, sess_private_data) %
		      alignof(struct accel_asym_session) == 0,
	      "the driver's part is aligned behind the library's");
