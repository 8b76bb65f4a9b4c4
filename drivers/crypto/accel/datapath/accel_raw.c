/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sets up the contexts of the raw data path and a queue pair's part in them. See accel_datapath.h.
 */
#include <errno.h>
#include <string.h>

#include "accel_compat.h"
#include "accel_datapath.h"
#include "accel_logs.h"
#include "accel_queue.h"
#include "accel_raw_ctx.h"
#include "accel_memory.h"
#include "accel_security.h"
#include "accel_session.h"
#include "accel_shape.h"

int
accel_raw_ctx_size(struct rte_cryptodev *cryptodev __rte_unused)
{
	return sizeof(struct accel_raw_ctx);
}

/* Sets the session of a context. -EINVAL if another driver made it. */
static int
set_session(const struct accel_qp *qp, struct accel_raw_ctx *raw,
	    union rte_cryptodev_session_ctx session_ctx, bool security)
{
	const struct accel_session *sess;

	if (security && (qp->dev->active_flags & RTE_CRYPTODEV_FF_SECURITY) == 0)
		return -ENOTSUP;
	sess = security ? accel_protocol_of(session_ctx.sec_sess) :
			  accel_own_session(session_ctx.crypto_sess);
	if (sess == NULL)
		return -EINVAL;
	if (accel_is_placed(sess->kind)) {
		/* A vector has no field for the place and length of the result. */
		ACCEL_LOG_LIMITED(&qp->dev->refused_log[ACCEL_REFUSED_RAW], NOTICE,
				  "dev %u qp %u: the raw data path has neither IPsec nor TLS; use "
				  "operations", qp->dev_id, qp->id);
		return -ENOTSUP;
	}
	raw->sess = sess;
	raw->xform = NULL;
	return 0;
}

/*
 * Sets the transforms of a context, if they are supported. The driver makes a session from them for
 * each operation.
 */
static int
set_xform(struct accel_qp *qp, struct accel_raw_ctx *raw, struct rte_crypto_sym_xform *xform)
{
	struct accel_session trial = { 0 };
	int ret;

	if ((qp->dev->active_flags & RTE_CRYPTODEV_FF_SYM_SESSIONLESS) == 0)
		return -ENOTSUP;
	ret = accel_session_make(qp->dev, xform, &trial, 0);
	if (ret != 0)
		return ret;
	accel_session_count_context(qp->dev, &trial, false);
	accel_memzero_explicit(&trial, sizeof(trial));
	raw->sess = NULL;
	raw->xform = xform;
	return 0;
}

/*
 * Initializes all of a context but its session. A context in use starts anew. The context's turn
 * becomes 0, which no queue pair ever gives.
 */
static int
ctx_init(struct accel_qp *qp, struct rte_crypto_raw_dp_ctx *ctx)
{
	if (accel_raw_slots_create(qp) != 0)
		return -ENOMEM;
	memset(ctx->drv_ctx_data, 0, sizeof(struct accel_raw_ctx));
	ctx->qp_data = qp;
	ctx->enqueue = accel_raw_enqueue;
	ctx->enqueue_burst = accel_raw_enqueue_burst;
	ctx->enqueue_done = accel_raw_enqueue_done;
	ctx->dequeue = accel_raw_dequeue;
	ctx->dequeue_burst = accel_raw_dequeue_burst;
	ctx->dequeue_done = accel_raw_dequeue_done;
	return 0;
}

int
accel_raw_configure(struct rte_cryptodev *cryptodev, uint16_t qp_id,
		    struct rte_crypto_raw_dp_ctx *ctx, enum rte_crypto_op_sess_type sess_type,
		    union rte_cryptodev_session_ctx session_ctx, uint8_t is_update)
{
	const struct rte_cryptodev_data *data = cryptodev->data;
	/* DPDK 22.11 checks the number, too, but takes the -EINVAL of its check for success. */
	struct accel_qp *qp = qp_id < data->nb_queue_pairs ? data->queue_pairs[qp_id] : NULL;
	struct accel_raw_ctx *raw = (struct accel_raw_ctx *)ctx->drv_ctx_data;
	int ret = 0;

	if (qp == NULL || (is_update != 0 && session_ctx.crypto_sess == NULL) ||
	    (sess_type != RTE_CRYPTO_OP_WITH_SESSION && sess_type != RTE_CRYPTO_OP_SESSIONLESS &&
	     sess_type != RTE_CRYPTO_OP_SECURITY_SESSION))
		return -EINVAL;
	/* A context of an earlier queue pair with this number cannot be updated. */
	if (is_update == 0 || ctx->qp_data != qp)
		ret = ctx_init(qp, ctx);
	if (ret != 0 || session_ctx.crypto_sess == NULL)
		return ret;
	if (sess_type == RTE_CRYPTO_OP_SESSIONLESS)
		return set_xform(qp, raw, session_ctx.xform);
	return set_session(qp, raw, session_ctx, sess_type == RTE_CRYPTO_OP_SECURITY_SESSION);
}
