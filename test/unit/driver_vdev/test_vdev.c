/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The embedded device as a whole: plug and unplug, memory of the application, failure and revival,
 * and the public functions of rte_pmd_accel.h. The device mostly has no thread here (cores=inline),
 * so that little depends on time.
 */

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <rte_cryptodev.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "accel_queue.h"
#include "accel_queue_setup.h"
#include "accel_queue_start.h"
#include "rte_pmd_accel.h"
#include "rte_pmd_accel_embedded.h"
#include "driver_base/eal.h"
#include "base/ipsec_mb.h"
#include "base/smaps.h"

#define ARGS "cores=inline,queue_pairs=2,timeout_ms=10"
#define LEN 64u
#define IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
#define EXT_SIZE 8192u

/* ECB-AES128 of SP 800-38A F.1.1, first block. */
static const uint8_t key[16] = { 0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
				 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c };
static const uint8_t plain[16] = { 0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
				   0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a };
static const uint8_t coded[16] = { 0x3a, 0xd7, 0x7b, 0xb4, 0x0d, 0x7a, 0x36, 0x60,
				   0xa8, 0x9e, 0xca, 0xf3, 0x24, 0x66, 0xef, 0x97 };

static struct rte_mempool *mbufs;
static struct rte_mempool *ops;
static struct rte_mempool *sessions;
static uint8_t *ext; /* not EAL's memory */
static struct rte_mbuf_ext_shared_info shinfo;

static void
ext_free(void *addr, void *opaque)
{
	(void)addr;
	(void)opaque;
}

/* Plugs in a device and starts one queue pair. */
static uint8_t
plug(const char *name, const char *args)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1 };
	const struct rte_cryptodev_qp_conf qp = { .nb_descriptors = 16 };
	int dev;

	assert_int_equal(rte_eal_hotplug_add("vdev", name, args), 0);
	dev = rte_cryptodev_get_dev_id(name);
	assert_true(dev >= 0);
	assert_int_equal(rte_cryptodev_configure((uint8_t)dev, &config), 0);
	assert_int_equal(rte_cryptodev_queue_pair_setup((uint8_t)dev, 0, &qp, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_cryptodev_start((uint8_t)dev), 0);
	return (uint8_t)dev;
}

static void
unplug(const char *name)
{
	assert_int_equal(rte_eal_hotplug_remove("vdev", name), 0);
	assert_true(rte_cryptodev_get_dev_id(name) < 0);
}

/* Encrypts one block in place and returns the status. A success has to have the right data. */
static int
one_op(uint8_t dev, void *session, struct rte_mbuf *m)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	struct rte_crypto_op *back = NULL;
	uint64_t rounds;
	int status;

	assert_non_null(op);
	memcpy(rte_pktmbuf_mtod(m, void *), plain, sizeof(plain));
	op->sym->m_src = m;
	op->sym->cipher.data.offset = 0;
	op->sym->cipher.data.length = sizeof(plain);
	rte_crypto_op_attach_sym_session(op, session);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
	for (rounds = 0; back == NULL && rounds < 1000000000; rounds++)
		rte_cryptodev_dequeue_burst(dev, 0, &back, 1);
	assert_ptr_equal(back, op);
	status = back->status;
	if (status == RTE_CRYPTO_OP_STATUS_SUCCESS)
		assert_memory_equal(rte_pktmbuf_mtod(m, void *), coded, sizeof(coded));
	rte_crypto_op_free(op);
	return status;
}

/* Makes the device fail, with this operation or after it. */
static void
kill_device(uint8_t dev, void *session, struct rte_mbuf *m, const char *fault)
{
	assert_int_equal(rte_pmd_accel_fault(dev, fault), 0);
	if (one_op(dev, session, m) == RTE_CRYPTO_OP_STATUS_SUCCESS)
		assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_ERROR);
}

static void *
session_open(uint8_t dev)
{
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			.algo = RTE_CRYPTO_CIPHER_AES_ECB,
			.key = { .data = key, .length = sizeof(key) },
		},
	};
	void *session = rte_cryptodev_sym_session_create(dev, &xform, sessions);

	assert_non_null(session);
	return session;
}

/* Checks that the device works with EAL's memory. */
static void
expect_alive(uint8_t dev)
{
	void *session = session_open(dev);
	struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);

	assert_non_null(m);
	rte_pktmbuf_append(m, LEN);
	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_SUCCESS);
	rte_pktmbuf_free(m);
	assert_int_equal(rte_cryptodev_sym_session_free(dev, session), 0);
}

static void
test_info(void **state)
{
	uint8_t dev = plug("crypto_accel0", ARGS);
	struct rte_cryptodev_info info;

	(void)state;
	rte_cryptodev_info_get(dev, &info);
	assert_string_equal(info.driver_name, "crypto_accel");
	assert_int_equal(info.driver_id, rte_cryptodev_driver_id_get("crypto_accel"));
	assert_int_equal(info.max_nb_queue_pairs, 2);
	assert_int_equal(info.sym.max_nb_sessions, 0);
	assert_int_equal(info.min_mbuf_headroom_req, 0);
	assert_int_equal(info.feature_flags,
			 RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA |
			 RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO |
			 RTE_CRYPTODEV_FF_SYM_OPERATION_CHAINING | RTE_CRYPTODEV_FF_HW_ACCELERATED |
			 RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED | RTE_CRYPTODEV_FF_SYM_SESSIONLESS |
			 RTE_CRYPTODEV_FF_SYM_RAW_DP | RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS |
			 RTE_CRYPTODEV_FF_SECURITY | RTE_CRYPTODEV_FF_SECURITY_INNER_CSUM |
			 RTE_CRYPTODEV_FF_IN_PLACE_SGL | RTE_CRYPTODEV_FF_OOP_SGL_IN_SGL_OUT |
			 RTE_CRYPTODEV_FF_OOP_SGL_IN_LB_OUT | RTE_CRYPTODEV_FF_OOP_LB_IN_SGL_OUT |
			 RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT | RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO |
			 RTE_CRYPTODEV_FF_ASYM_SESSIONLESS | RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_EXP |
			 RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_QT);
	expect_alive(dev);
	unplug("crypto_accel0");
}

static void
test_disable(void **state)
{
	uint8_t dev = plug("crypto_accel0", ARGS);
	struct rte_cryptodev_config config = {
		.nb_queue_pairs = 1,
		.ff_disable = RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_SECURITY |
			      RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO,
	};
	struct rte_cryptodev_info info;

	(void)state;
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_configure(dev, &config), 0);
	rte_cryptodev_info_get(dev, &info);
	assert_int_equal(info.feature_flags & RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO, 0);
	assert_int_equal(info.capabilities[0].op, RTE_CRYPTO_OP_TYPE_UNDEFINED);
	/* The feature can be enabled again, but has no context now. */
	assert_int_not_equal(info.feature_flags & RTE_CRYPTODEV_FF_SECURITY, 0);
	assert_null(rte_cryptodev_get_sec_ctx(dev));
	config.ff_disable = 0; /* This enables it again. */
	assert_int_equal(rte_cryptodev_configure(dev, &config), 0);
	assert_non_null(rte_cryptodev_get_sec_ctx(dev));
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_alive(dev);
	unplug("crypto_accel0"); /* The device still runs. */
}

/* Only three features can be disabled. The other bits of ff_disable have no effect. */
static void
test_disable_others(void **state)
{
	const uint64_t can = RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_SECURITY |
			     RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO;
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1, .ff_disable = ~can };
	uint8_t dev = plug("crypto_accel0", ARGS);
	struct rte_cryptodev_info before, after;

	(void)state;
	rte_cryptodev_info_get(dev, &before);
	assert_int_not_equal(before.feature_flags & RTE_CRYPTODEV_FF_SYM_RAW_DP, 0);
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_configure(dev, &config), 0);
	rte_cryptodev_info_get(dev, &after);
	assert_int_equal(after.feature_flags, before.feature_flags);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_alive(dev);
	unplug("crypto_accel0");
}

/* Devices come and go without an effect on others. */
static void
test_plug(void **state)
{
	uint8_t a = plug("crypto_accel0", ARGS), b = plug("crypto_accel_other", ARGS), c;
	unsigned int i, before = rte_cryptodev_count();

	(void)state;
	assert_int_not_equal(a, b);
	expect_alive(a);
	expect_alive(b);
	unplug("crypto_accel0");
	expect_alive(b);
	assert_int_not_equal(rte_eal_hotplug_add("vdev", "crypto_accel0", "cores=none"), 0);
	assert_int_not_equal(rte_eal_hotplug_add("vdev", "crypto_accel0", "faults=zap"), 0);
	assert_int_not_equal(rte_eal_hotplug_add("vdev", "crypto_accel0", "cores=[1000]"), 0);
	assert_int_equal(rte_cryptodev_count(), before - 1);
	for (i = 0; i < 20; i++) {
		c = plug("crypto_accel0", i % 2 == 0 ? ARGS : "cores=1,queue_pairs=1");
		expect_alive(c);
		unplug("crypto_accel0");
	}
	expect_alive(b);
	unplug("crypto_accel_other");
	assert_int_equal(rte_cryptodev_count(), before - 2);
}

/* External memory can be accessed while it is mapped, even after a revival. */
static void
test_extmem(void **state)
{
	uint8_t dev = plug("crypto_accel0", ARGS);
	struct rte_cryptodev_info info;
	void *session = session_open(dev);
	struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);
	const uint64_t iova = UINT64_C(0x7fff00000000); /* This is not its virtual address. */

	(void)state;
	rte_cryptodev_info_get(dev, &info);
	assert_non_null(m);
	rte_pktmbuf_attach_extbuf(m, ext, iova, EXT_SIZE, &shinfo);
	rte_mbuf_ext_refcnt_set(&shinfo, 1);
	m->data_off = 4096 - 8; /* The data cross a page. */
	rte_pktmbuf_append(m, LEN);

	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(rte_dev_dma_map(info.device, ext, iova, EXT_SIZE), 0);
	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_not_equal(rte_dev_dma_map(info.device, ext, iova + 4096, 4096), 0);
	assert_int_equal(rte_errno, EEXIST);
	assert_int_not_equal(rte_dev_dma_unmap(info.device, ext, iova, 4096), 0);
	assert_int_equal(rte_errno, EINVAL);

	kill_device(dev, session, m, "dead@1");
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_SUCCESS);

	assert_int_equal(rte_dev_dma_unmap(info.device, ext, iova, EXT_SIZE), 0);
	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_ERROR);
	rte_pktmbuf_free(m);
	assert_int_equal(rte_cryptodev_sym_session_free(dev, session), 0);
	unplug("crypto_accel0");
}

/* Stop and start revive a device after any failure. */
static void
test_revival(void **state)
{
	static const char *const failures[] = { "dead@1", "fatal@1", "stall@1" };
	uint8_t dev = plug("crypto_accel0", ARGS);
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(failures); i++) {
		void *session = session_open(dev);
		struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);

		assert_non_null(m);
		rte_pktmbuf_append(m, LEN);
		kill_device(dev, session, m, failures[i]);
		rte_cryptodev_stop(dev);
		assert_int_equal(rte_cryptodev_start(dev), 0);
		rte_pktmbuf_free(m);
		assert_int_equal(rte_cryptodev_sym_session_free(dev, session), 0);
		expect_alive(dev);
	}
	unplug("crypto_accel0");
}

static void
test_public(void **state)
{
	uint8_t dev = plug("crypto_accel0", ARGS);
	const struct accel_dev *own = rte_cryptodev_pmd_get_dev(dev)->data->dev_private;

	(void)state;
	assert_int_equal(rte_pmd_accel_poll(dev), 0);
	assert_int_equal(rte_pmd_accel_poll((uint8_t)(dev + 1)), -ENODEV);
	assert_int_equal(rte_pmd_accel_poll(255), -ENODEV);
	assert_int_equal(rte_pmd_accel_fault(dev, "status:5@1+"), -EINVAL);
	assert_int_equal(rte_pmd_accel_fault(dev, NULL), -EINVAL);
	assert_int_equal(rte_pmd_accel_fault(255, "none"), -ENODEV);
	assert_int_equal(rte_pmd_accel_fault(dev, "none"), 0);
	/* This is within the budget. */
	assert_in_range(accel_qp_memory(own, 2048), 1, 1 << 20);
	assert_true(accel_qp_memory(own, 32768) > 0);
	assert_int_equal(accel_qp_memory(own, 32769), 0);
	assert_int_equal(accel_qp_memory(own, 0), 0);
	assert_int_equal(rte_pmd_accel_qp_reset(255, 0), -ENODEV);
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 1), -EINVAL);
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	expect_alive(dev);
	unplug("crypto_accel0");
	assert_int_equal(rte_pmd_accel_poll(dev), -ENODEV);
}

/* A process that is killed during enqueue leaves descriptors of operations that it did not accept,
 * and does not ring the doorbell. */
static void
test_half_written(void **state)
{
	uint8_t dev = plug("crypto_accel0", ARGS);
	struct accel_qp *qp = rte_cryptodev_pmd_get_dev(dev)->data->queue_pairs[0];

	(void)state;
	expect_alive(dev);
	qp->tx.prod += 28;
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	expect_alive(dev);
	qp->rx.prod += 3;
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	expect_alive(dev);
	unplug("crypto_accel0");
}

static int
setup(void **state)
{
	(void)state;
	ext = mmap(NULL, EXT_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ext == MAP_FAILED || rte_extmem_register(ext, EXT_SIZE, NULL, 0, 4096) != 0)
		return -1;
	shinfo.free_cb = ext_free;
	mbufs = rte_pktmbuf_pool_create("mbufs", 63, 0, 0, 2048, SOCKET_ID_ANY);
	ops = rte_crypto_op_pool_create("ops", RTE_CRYPTO_OP_TYPE_SYMMETRIC, 63, 0, 16,
					SOCKET_ID_ANY);
	sessions = rte_cryptodev_sym_session_pool_create("sessions", 15, 1024, 0, 0, SOCKET_ID_ANY);
	return mbufs != NULL && ops != NULL && sessions != NULL ? 0 : -1;
}

/* The application recovers in the event's callback, as DPDK 24.11's own test does. */
static unsigned int nb_events;

static void
reset_in_callback(uint8_t dev, enum rte_cryptodev_event_type event, void *arg)
{
	struct rte_cryptodev *cryptodev = rte_cryptodev_pmd_get_dev(dev);

	(void)arg;
	assert_int_equal(event, RTE_CRYPTODEV_EVENT_ERROR);
	nb_events++;
	assert_int_equal(accel_qp_error_query(cryptodev, 0), 1);
	assert_int_equal(accel_qp_depth_used(cryptodev->data->queue_pairs[0]), 0);
	assert_int_equal(accel_qp_reset(cryptodev, 0, NULL, 0), 0);
	assert_int_equal(accel_qp_error_query(cryptodev, 0), 0);
}

static void
test_reset_after_error(void **state)
{
	static const char *const faults[] = { "dead@1", "fatal@1", "lost@1", "stall@1", "hhp@1" };
	uint8_t dev = plug("crypto_accel0", ARGS);
	void *session = session_open(dev);
	struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);
	unsigned int i;

	(void)state;
	rte_pktmbuf_append(m, LEN);
	nb_events = 0;
	assert_int_equal(rte_cryptodev_callback_register(dev, RTE_CRYPTODEV_EVENT_ERROR,
							 reset_in_callback, NULL), 0);
	for (i = 0; i < 2 * RTE_DIM(faults); i++) {
		assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_SUCCESS);
		kill_device(dev, session, m, faults[i % RTE_DIM(faults)]);
		assert_int_equal(nb_events, i + 1);
		assert_int_equal(rte_pmd_accel_fault(dev, "none"), 0);
		assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_SUCCESS);
	}
	rte_cryptodev_callback_unregister(dev, RTE_CRYPTODEV_EVENT_ERROR, reset_in_callback, NULL);
	rte_pktmbuf_free(m);
	rte_cryptodev_sym_session_free(dev, session);
	unplug("crypto_accel0");
}

/* A queue pair can be reset with an operation in-flight, with another configuration, and after a
 * stop. */
static void
test_reset_any_time(void **state)
{
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 64 };
	uint8_t dev = plug("crypto_accel0", ARGS);
	struct rte_cryptodev *cryptodev = rte_cryptodev_pmd_get_dev(dev);
	struct rte_crypto_op *op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	struct rte_crypto_op *back;
	void *session = session_open(dev);
	struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);
	unsigned int i;

	(void)state;
	rte_pktmbuf_append(m, LEN);
	for (i = 0; i < 4; i++) {
		memcpy(rte_pktmbuf_mtod(m, void *), plain, sizeof(plain));
		op->sym->m_src = m;
		op->sym->cipher.data.offset = 0;
		op->sym->cipher.data.length = sizeof(plain);
		rte_crypto_op_attach_sym_session(op, session);
		assert_int_equal(accel_qp_depth_used(cryptodev->data->queue_pairs[0]), 0);
		assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
		assert_int_equal(accel_qp_depth_used(cryptodev->data->queue_pairs[0]), 1);
		assert_int_equal(accel_qp_reset(cryptodev, 0, i & 1 ? &conf : NULL, SOCKET_ID_ANY),
				 0);
		assert_int_equal(accel_qp_depth_used(cryptodev->data->queue_pairs[0]), 0);
		assert_int_equal(rte_cryptodev_dequeue_burst(dev, 0, &back, 1), 1);
		assert_ptr_equal(back, op);
		assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_SUCCESS);
	}
	rte_cryptodev_stop(dev);
	assert_int_equal(accel_qp_reset(cryptodev, 0, NULL, SOCKET_ID_ANY), 0);
	assert_int_equal(accel_qp_error_query(cryptodev, 0), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_SUCCESS);
	rte_crypto_op_free(op);
	rte_pktmbuf_free(m);
	rte_cryptodev_sym_session_free(dev, session);
	unplug("crypto_accel0");
}

/* An mbuf without a length is used up to the end of its buffer. One with a length is used within
 * it. */
static void
test_mbuf_without_length(void **state)
{
	uint8_t dev = plug("crypto_accel0", ARGS);
	void *session = session_open(dev);
	struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);
	const uint16_t buf_len = m->buf_len;

	(void)state;
	assert_int_equal(m->data_len, 0);
	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(m->data_len, 0);
	m->buf_len = m->data_off + sizeof(plain);
	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_SUCCESS);
	m->buf_len--;
	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	m->buf_len = m->data_off - 1;
	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	m->buf_len = buf_len;
	m->data_len = sizeof(plain) - 1;
	assert_int_equal(one_op(dev, session, m), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	m->data_len = 0;
	rte_pktmbuf_free(m);
	rte_cryptodev_sym_session_free(dev, session);
	unplug("crypto_accel0");
}

/* A translator (qemu-user) keeps MADV_DONTDUMP to itself. */
static bool
has_dump_flags(void)
{
	void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool has;

	assert_true(p != MAP_FAILED);
	has = madvise(p, 4096, MADV_DONTDUMP) == 0 && smaps_flag(getpid(), (uintptr_t)p, " dd");
	munmap(p, 4096);
	return has;
}

/* Commands, responses and rings of a queue pair are left out of core dumps. */
static void
test_dump(void **state)
{
	uint8_t dev = plug("crypto_accel0", ARGS);
	const struct accel_qp *qp = rte_cryptodev_pmd_get_dev(dev)->data->queue_pairs[0];

	(void)state;
	if (!has_dump_flags()) {
		unplug("crypto_accel0");
		skip();
	}
	assert_true(smaps_flag(getpid(), (uintptr_t)qp->commands, " dd"));
	assert_true(smaps_flag(getpid(), (uintptr_t)qp->responses, " dd"));
	assert_false(smaps_flag(getpid(), (uintptr_t)sessions, " dd"));
	unplug("crypto_accel0");
}

/* A field of a thread's status, in hexadecimal. */
static uint64_t
status_of(const char *tid, const char *field)
{
	unsigned long long value = 0;
	char path[64], line[256];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%s/status", tid);
	f = fopen(path, "r");
	assert_non_null(f);
	while (!found && fgets(line, sizeof(line), f) != NULL) {
		found = strncmp(line, field, strlen(field)) == 0;
		value = strtoull(line + strlen(field), NULL, 16);
	}
	fclose(f);
	assert_true(found);
	return value;
}

/* No signal of the program is handled by a thread of the device, and the one that plugs it in keeps
 * its own. */
static void
test_signals(void **state)
{
	static const int blocked[] = { SIGINT, SIGTERM, SIGALRM, SIGCHLD, SIGUSR1, SIGPIPE };
	char before[4096] = " ", name[32];
	const struct dirent *entry;
	unsigned int i, nb = 0;
	sigset_t mask, after;
	DIR *dir;

	(void)state;
	dir = opendir("/proc/self/task");
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		snprintf(name, sizeof(name), "%.16s ", entry->d_name);
		strncat(before, name, sizeof(before) - strlen(before) - 1);
	}
	assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &mask), 0);
	plug("crypto_accel0", "cores=1,pk_cores=1,queue_pairs=1");
	assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
	for (i = 1; i < 32; i++)
		assert_int_equal(sigismember(&mask, (int)i), sigismember(&after, (int)i));
	rewinddir(dir);
	while ((entry = readdir(dir)) != NULL) {
		snprintf(name, sizeof(name), " %.16s ", entry->d_name);
		if (strstr(before, name) != NULL)
			continue;
		for (i = 0; i < RTE_DIM(blocked); i++)
			assert_true(status_of(entry->d_name, "SigBlk:") >> (blocked[i] - 1) & 1);
		assert_false(status_of(entry->d_name, "SigBlk:") >> (SIGSEGV - 1) & 1);
		nb++;
	}
	closedir(dir);
	assert_true(nb >= 2);
	unplug("crypto_accel0");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_info),
		cmocka_unit_test(test_disable),
		cmocka_unit_test(test_disable_others),
		cmocka_unit_test(test_plug),
		cmocka_unit_test(test_extmem),
		cmocka_unit_test(test_revival),
		cmocka_unit_test(test_public),
		cmocka_unit_test(test_half_written),
		cmocka_unit_test(test_reset_after_error),
		cmocka_unit_test(test_reset_any_time),
		cmocka_unit_test(test_mbuf_without_length),
		cmocka_unit_test(test_dump),
		cmocka_unit_test(test_signals),
	};

	if (start_eal("test_vdev") < 0)
		return 1;
	return cmocka_run_group_tests_name("embedded device", tests, setup, NULL);
}
