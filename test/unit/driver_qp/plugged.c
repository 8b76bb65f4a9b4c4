/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * An embedded device of two queue pairs that works when it is polled (cores=inline), for tests:
 * blocks to encrypt, each with an rte_crypto_op and as an operation of the raw API, and what
 * became of each.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver_qp/plugged.h"

struct block blocks[BLOCKS];

struct rte_mempool *sessions;

void *session;

uint8_t dev;

unsigned int events;

uint8_t block_key[16] = { 0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
			  0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c };

struct rte_crypto_sym_xform encipher = {
	.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
	.cipher = {
		.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
		.algo = RTE_CRYPTO_CIPHER_AES_ECB,
		.key = { .data = block_key, .length = sizeof(block_key) },
	},
};

static void
count_event(uint8_t id, enum rte_cryptodev_event_type event, void *arg)
{
	(void)id;
	(void)arg;
	events += event == RTE_CRYPTODEV_EVENT_ERROR;
}

int
set_up(uint16_t qp_id, uint32_t nb_desc)
{
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = nb_desc };

	return rte_cryptodev_queue_pair_setup(dev, qp_id, &conf, SOCKET_ID_ANY);
}

void
plug(const char *args)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = PLUGGED_QPS };
	uint16_t q;

	if (rte_cryptodev_get_dev_id(PLUGGED) >= 0) { /* A test that failed left its device. */
		stop_playing();
		rte_cryptodev_stop(dev);
		rte_eal_hotplug_remove("vdev", PLUGGED);
	}
	assert_int_equal(rte_eal_hotplug_add("vdev", PLUGGED, args), 0);
	dev = (uint8_t)rte_cryptodev_get_dev_id(PLUGGED);
	assert_int_equal(rte_cryptodev_configure(dev, &config), 0);
	for (q = 0; q < PLUGGED_QPS; q++)
		assert_int_equal(set_up(q, PLUGGED_DESC), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	session = rte_cryptodev_sym_session_create(dev, &encipher, sessions);
	assert_non_null(session);
	events = 0;
	assert_int_equal(rte_cryptodev_callback_register(dev, RTE_CRYPTODEV_EVENT_ERROR,
							 count_event, NULL), 0);
}

void
unplug(void)
{
	rte_cryptodev_callback_unregister(dev, RTE_CRYPTODEV_EVENT_ERROR, count_event, NULL);
	assert_int_equal(rte_cryptodev_sym_session_free(dev, session), 0);
	assert_int_equal(rte_eal_hotplug_remove("vdev", PLUGGED), 0);
}

struct block *
renew(unsigned int i)
{
	static uint64_t serial;
	struct block *b = &blocks[i];

	serial++;
	memset(b->plain, 0x5a, sizeof(b->plain));
	memcpy(b->plain, &serial, sizeof(serial));
	memcpy(rte_pktmbuf_mtod(b->m, void *), b->plain, sizeof(b->plain));
	b->vec = (struct rte_crypto_vec){
		.base = rte_pktmbuf_mtod(b->m, void *),
		.iova = rte_pktmbuf_iova(b->m),
		.len = BLOCK_LEN,
		.tot_len = BLOCK_LEN,
	};
	b->back = 0;
	b->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	b->op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	b->op->sym->session = session;
	b->op->sym->m_src = b->m;
	b->op->sym->cipher.data.offset = 0;
	b->op->sym->cipher.data.length = BLOCK_LEN;
	b->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	return b;
}

void
came_back(struct block *b, int status)
{
	assert_in_range(b - blocks, 0, BLOCKS - 1);
	b->back++;
	b->status = status;
	assert_int_not_equal(status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	if (status == RTE_CRYPTO_OP_STATUS_SUCCESS)
		assert_true(is_done(b));
}

struct block *
block_of(const struct rte_crypto_op *op)
{
	unsigned int i;

	for (i = 0; i < BLOCKS && blocks[i].op != op; i++)
		;
	return &blocks[i];
}

unsigned int
offer(uint16_t qp_id, unsigned int first, unsigned int n)
{
	struct rte_crypto_op *ops[BLOCKS];
	unsigned int i;

	for (i = 0; i < n; i++)
		ops[i] = renew(first + i)->op;
	return rte_cryptodev_enqueue_burst(dev, qp_id, ops, (uint16_t)n);
}

bool
poll_again(unsigned int *patience)
{
	if (*patience == 0)
		return false;
	if (--*patience % 1024 == 0)
		usleep(100);
	return true;
}

unsigned int
collect(uint16_t qp_id, unsigned int n)
{
	struct rte_crypto_op *ops[BLOCKS];
	unsigned int total = 0, patience = PATIENCE, got, i;

	while (total < n && poll_again(&patience)) {
		got = rte_cryptodev_dequeue_burst(dev, qp_id, ops, (uint16_t)(n - total));
		for (i = 0; i < got; i++)
			came_back(block_of(ops[i]), ops[i]->status);
		total += got;
	}
	return total;
}

void
expect_back(unsigned int first, unsigned int n, int status)
{
	for (; n > 0; n--, first++) {
		assert_int_equal(blocks[first].back, 1);
		assert_int_equal(blocks[first].status, status);
	}
}

void
expect_alive(uint16_t qp_id)
{
	assert_int_equal(offer(qp_id, 0, 5), 5);
	assert_int_equal(collect(qp_id, 5), 5);
	expect_back(0, 5, RTE_CRYPTO_OP_STATUS_SUCCESS);
}

struct rte_crypto_raw_dp_ctx *
context_new(void)
{
	const int size = rte_cryptodev_get_raw_dp_ctx_size(dev);

	assert_true(size > 0);
	return calloc(1, (size_t)size);
}

int
context_set(struct rte_crypto_raw_dp_ctx *ctx, uint16_t qp_id, struct rte_crypto_sym_xform *xform,
	    bool update)
{
	union rte_cryptodev_session_ctx of = { .crypto_sess = session };

	if (xform != NULL)
		of.xform = xform;
	return rte_cryptodev_configure_raw_dp_ctx(dev, qp_id, ctx, xform != NULL ?
			RTE_CRYPTO_OP_SESSIONLESS : RTE_CRYPTO_OP_WITH_SESSION, of, update);
}

int
offer_raw(struct rte_crypto_raw_dp_ctx *ctx, unsigned int i)
{
	const union rte_crypto_sym_ofs ofs = { .raw = 0 };
	static uint8_t no_iv[16];
	struct rte_crypto_va_iova_ptr none = { .va = no_iv };
	struct block *b = renew(i);

	return rte_cryptodev_raw_enqueue(ctx, &b->vec, 1, ofs, &none, &none, &none, b);
}

bool
collect_raw(struct rte_crypto_raw_dp_ctx *ctx, unsigned int patience)
{
	enum rte_crypto_op_status status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	struct block *b = NULL;
	int ret;

	while (b == NULL && poll_again(&patience))
		b = rte_cryptodev_raw_dequeue(ctx, &ret, &status);
	if (b != NULL)
		came_back(b, (int)status);
	return b != NULL;
}

struct accel_transport played;

const struct accel_transport *real_transport;

void
play_transport(void)
{
	real_transport = accel_transport(plugged_dev());
	played = *real_transport;
	accel_process_set(dev, &played, accel_transport_data(plugged_dev()));
}

void
stop_playing(void)
{
	if (real_transport != NULL)
		accel_process_set(dev, real_transport, accel_transport_data(plugged_dev()));
	real_transport = NULL;
}

void
kill_device(uint16_t qp_id)
{
	assert_int_equal(rte_pmd_accel_fault(dev, "dead@1"), 0);
	while (accel_load_relaxed(&plugged_qp(qp_id)->mode) == ACCEL_QP_RUNNING) {
		assert_int_equal(offer(qp_id, BLOCKS - 1, 1), 1);
		assert_int_equal(collect(qp_id, 1), 1);
	}
}

int
make_blocks(void **state)
{
	struct rte_mempool *mbufs, *ops;
	unsigned int i;

	(void)state;
	mbufs = rte_pktmbuf_pool_create("mbufs", BLOCKS, 0, 0, 2048, SOCKET_ID_ANY);
	ops = rte_crypto_op_pool_create("ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, BLOCKS, 0, 16,
					SOCKET_ID_ANY);
	sessions = rte_cryptodev_sym_session_pool_create("sessions", 15, 1024, 0, 0, SOCKET_ID_ANY);
	if (mbufs == NULL || ops == NULL || sessions == NULL)
		return -1;
	for (i = 0; i < BLOCKS; i++) {
		blocks[i].op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
		blocks[i].m = rte_pktmbuf_alloc(mbufs);
		if (blocks[i].op == NULL || blocks[i].m == NULL)
			return -1;
		rte_pktmbuf_append(blocks[i].m, BLOCK_LEN);
	}
	return 0;
}

int
begin_plugged(struct rte_mempool **ops, struct rte_mempool **mbufs)
{
	if (make_blocks(NULL) != 0)
		return -1;
	*ops = rte_crypto_op_pool_create("own_ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 15, 0, 64,
					 SOCKET_ID_ANY);
	*mbufs = rte_pktmbuf_pool_create("own_mbufs", 15, 0, 0, 1024, SOCKET_ID_ANY);
	if (*ops == NULL || *mbufs == NULL)
		return -1;
	plug(PLUGGED_ARGS);
	return 0;
}

int
end_plugged(void **state)
{
	(void)state;
	unplug();
	return 0;
}
