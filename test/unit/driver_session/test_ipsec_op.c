/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of IPsec in the driver, compared with descriptors and commands written out from manual
 * sections 6.1, 7.1 and 8.6. The test plays the device, also one that lies.
 */
#include <errno.h>

#include <rte_mbuf.h>

#include "accel_datapath.h"
#include "accel_memory.h"
#include "base/death.h"
#include "driver_qp/plain_qp.h"
#include "driver_session/ipsec_session.h"

#define DATA (CMD_IOVA + 0x10000)
#define HEAD 36u /* of ESP with AES-GCM in an IPv4 tunnel */
#define GROWTH 57u

#define LOW(iova) ((iova) & 0x3fffffff)

static struct fake_op {
	struct rte_crypto_op op;
	struct rte_crypto_sym_op sym;
	uint8_t iv[16];
	struct rte_mbuf mbuf[4];
} f, g;

static_assert(offsetof(struct fake_op, iv) == IV_OFFSET, "ipsec_session.h");

static int
setup(void **state)
{
	(void)state;
	setup_device();
	reset_queue();
	return 0;
}

static void
open_gcm(bool outbound)
{
	struct conf c;

	conf_gcm(&c, outbound);
	assert_int_equal(create(&c), 0);
}

static void
mbuf_at(struct rte_mbuf *m, uint64_t iova, uint16_t headroom, uint16_t len, uint16_t tailroom)
{
	memset(m, 0, sizeof(*m));
	m->buf_iova = iova - headroom;
	m->data_off = headroom;
	m->buf_len = headroom + len + tailroom;
	m->data_len = len;
	m->pkt_len = len;
	m->nb_segs = 1;
}

static struct rte_crypto_op *
op_at(struct fake_op *o, uint64_t iova, uint16_t headroom, uint16_t len, uint16_t tailroom)
{
	memset(o, 0, sizeof(*o));
	mbuf_at(&o->mbuf[0], iova, headroom, len, tailroom);
	o->op.type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	o->op.sess_type = RTE_CRYPTO_OP_SECURITY_SESSION;
	o->op.aux_flags = 0xff;
	o->sym.session = session();
	o->sym.m_src = &o->mbuf[0];
	return &o->op;
}

static void
append(struct fake_op *o, unsigned int n, uint64_t iova, uint16_t len, uint16_t tailroom)
{
	mbuf_at(&o->mbuf[n], iova, 0, len, tailroom);
	o->mbuf[n - 1].next = &o->mbuf[n];
	o->mbuf[0].nb_segs = n + 1;
	o->mbuf[0].pkt_len += len;
}

static void
enqueue(struct rte_crypto_op *op)
{
	assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
}

/* Writes the response to the operation before the next one, and dequeues. */
static struct rte_crypto_op *
respond(uint16_t status, uint16_t info, uint32_t produced)
{
	const uint32_t tag = qp.cons;
	struct rte_crypto_op *got = NULL;

	responses[tag % (2 * NB_DESC)] = (struct accel_hw_response){
		.tag = tag, .status = status, .info = info, .produced = produced
	};
	wb.rsp_hhp = (tag + 1) % (2 * NB_DESC);
	assert_int_equal(accel_dequeue_burst(&qp, &got, 1), 1);
	return got;
}

#define assert_ring(ring, from, ...)                                                               \
	do {                                                                                       \
		const uint64_t want_[] = { __VA_ARGS__ };                                          \
		for (size_t i_ = 0; i_ < RTE_DIM(want_); i_++)                                     \
			assert_int_equal((ring).desc[(from) + i_], want_[i_]);                     \
		assert_int_equal((ring).prod, (from) + RTE_DIM(want_));                            \
	} while (0)

/* Gives the rings their first type 0, so that later operations find data near. */
static void
warm_up(void)
{
	struct rte_crypto_op *op = op_at(&g, DATA, 64, 100, 64);

	enqueue(op);
	respond(0, sa()->base.generate ? 0 : HEAD, 60);
}

/*
 * One segment, in place.
 */

static void
test_outbound(void **state)
{
	struct rte_crypto_op *op;
	unsigned int round;

	(void)state;
	open_gcm(true);
	for (round = 0; round < 3; round++) { /* with types 0, without, without */
		const uint32_t tx_at = qp.tx.prod, rx_at = qp.rx.prod, slot = qp.prod % NB_DESC;

		op = op_at(&f, DATA + 0x1000, 128, 1000, 100);
		enqueue(op);
		if (round == 0) {
			assert_ring(qp.tx, 0, 4, T2_CMD_NEXT | LEN(64),
				    T2 | LEN(1000) | LOW(DATA + 0x1000));
			assert_ring(qp.rx, 0, 4, T2 | LEN(1000 + GROWTH) |
						 LOW(DATA + 0x1000 - HEAD));
		} else {
			assert_ring(qp.tx, tx_at, T2_CMD_NEXT | LEN(64) | slot * 64,
				    T2 | LEN(1000) | LOW(DATA + 0x1000));
			assert_ring(qp.rx, rx_at, T2 | LEN(1000 + GROWTH) |
						  LOW(DATA + 0x1000 - HEAD));
		}
		assert_int_equal(commands[slot].tag, qp.prod - 1);
		assert_int_equal(commands[slot].opcode, 3);
		assert_int_equal(commands[slot].flags, 0);
		assert_int_equal(commands[slot].aad_len, 0);
		assert_int_equal(commands[slot].context, SESSION_IOVA + 64);
		assert_int_equal(commands[slot].generation, 1);
		assert_int_equal(commands[slot].skip, 0);
		assert_int_equal(commands[slot].cipher_len, 1000);
		assert_int_equal(commands[slot].auth_len, 0);
		assert_ptr_equal(respond(0, ACCEL_HW_IPSEC_INFO_SOFT * (round == 1), 1056), op);
		assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(op->aux_flags,
				 round == 1 ? RTE_CRYPTO_OP_AUX_FLAGS_IPSEC_SOFT_EXPIRY : 0);
		assert_int_equal(f.mbuf[0].data_off, 128 - HEAD);
		assert_int_equal(f.mbuf[0].data_len, 1056);
		assert_int_equal(f.mbuf[0].pkt_len, 1056);
	}
}

static void
test_inbound(void **state)
{
	const uint64_t outer = RTE_MBUF_F_RX_IP_CKSUM_BAD | RTE_MBUF_F_RX_L4_CKSUM_GOOD;
	static const struct {
		uint16_t info;
		uint64_t flags;
	} cases[] = {
		{ 0, 0 },
		{ 0x0800, RTE_MBUF_F_RX_IP_CKSUM_GOOD },
		{ 0x1800, RTE_MBUF_F_RX_IP_CKSUM_BAD },
		{ 0x1000, 0 }, /* not checked */
		{ 0x2000, RTE_MBUF_F_RX_L4_CKSUM_GOOD },
		{ 0x6000, RTE_MBUF_F_RX_L4_CKSUM_BAD },
		{ 0x4000, 0 },
		{ 0x2800, RTE_MBUF_F_RX_L4_CKSUM_GOOD | RTE_MBUF_F_RX_IP_CKSUM_GOOD },
		{ 0x7800, RTE_MBUF_F_RX_L4_CKSUM_BAD | RTE_MBUF_F_RX_IP_CKSUM_BAD },
	};
	unsigned int i;

	(void)state;
	open_gcm(false);
	warm_up();
	for (i = 0; i < RTE_DIM(cases); i++) {
		const uint32_t tx_at = qp.tx.prod, rx_at = qp.rx.prod, slot = qp.prod % NB_DESC;
		struct rte_crypto_op *op = op_at(&f, DATA + 0x1000, 0, 1000, 0);

		f.mbuf[0].ol_flags = outer | RTE_MBUF_F_RX_RSS_HASH;
		qp.tx_cons = tx_at; /* room */
		qp.rx_cons = rx_at;
		enqueue(op);
		assert_int_equal(qp.rx.prod, rx_at + 1);
		assert_int_equal(rx[rx_at % RING_SIZE], T2 | LEN(1000) | LOW(DATA + 0x1000));
		assert_int_equal(commands[slot].skip, 4); /* KEEP_PLACE */
		respond(0, cases[i].info | HEAD, 940);
		assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(op->aux_flags, 0);
		assert_int_equal(f.mbuf[0].ol_flags, cases[i].flags | RTE_MBUF_F_RX_RSS_HASH);
		assert_int_equal(f.mbuf[0].data_off, HEAD);
		assert_int_equal(f.mbuf[0].data_len, 940);
		assert_int_equal(f.mbuf[0].pkt_len, 940);
	}
}

/* Checksums that an mbuf asks for, and the IV of an operation. On success nothing that was asked
 * for the inner packet is left. */
static void
test_options_of_operation(void **state)
{
	static const uint64_t stay = RTE_MBUF_F_TX_SEC_OFFLOAD | RTE_MBUF_F_TX_MACSEC |
				     RTE_MBUF_F_TX_VLAN | RTE_MBUF_F_TX_QINQ |
				     RTE_MBUF_F_TX_IEEE1588_TMST | ~RTE_MBUF_F_TX_OFFLOAD_MASK;
	static const struct {
		uint64_t flags;
		uint32_t skip;
	} cases[] = {
		{ RTE_MBUF_F_TX_IP_CKSUM, 1 },
		{ RTE_MBUF_F_TX_TCP_CKSUM, 2 },
		{ RTE_MBUF_F_TX_UDP_CKSUM | RTE_MBUF_F_TX_IP_CKSUM, 3 },
		{ RTE_MBUF_F_TX_SCTP_CKSUM, 0 },
		{ ~(RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK), 0 },
	};
	struct conf c;
	unsigned int i, given, apart;

	(void)state;
	for (i = 0; i < 4 * RTE_DIM(cases); i++) {
		const uint32_t slot = qp.prod % NB_DESC;
		struct rte_crypto_op *op;

		given = i / (2 * RTE_DIM(cases));
		apart = i / RTE_DIM(cases) % 2;
		if (i % (2 * RTE_DIM(cases)) == 0) {
			conf_gcm(&c, true);
			c.c.ipsec.options.iv_gen_disable = given;
			assert_int_equal(create(&c), 0);
			warm_up();
			continue;
		}
		op = op_at(&f, DATA + 0x1000, 128, 1000, 100);
		if (apart)
			append(&f, 1, DATA + 0x4000, 10, 100);
		f.mbuf[0].ol_flags = cases[i % RTE_DIM(cases)].flags;
		memset(f.iv, 0x70 + (int)i, 16);
		enqueue(op);
		/* Segments and an IV take the slow path. */
		assert_int_equal(accel_op_kind(&inflight[slot]),
				 given || apart ? ACCEL_OP_PROTOCOL : ACCEL_OP_IPSEC);
		assert_int_equal(commands[slot].skip, cases[i % RTE_DIM(cases)].skip);
		if (given)
			assert_memory_equal(commands[slot].iv, f.iv, 8);
		respond(0, 0, 500);
		assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(f.mbuf[0].ol_flags, cases[i % RTE_DIM(cases)].flags & stay);
	}
}

/* Which operations the fast path takes, with data far and near. */
static void
test_fast_path(void **state)
{
	static const struct {
		bool outbound;
		uint16_t headroom, len, tailroom;
		uint64_t iova;
		bool fast;
	} cases[] = {
		{ true, HEAD, 100, GROWTH - HEAD, DATA, true },
		{ true, HEAD, 1, GROWTH - HEAD, DATA, true },
		{ true, HEAD - 1, 100, 200, DATA, false },
		{ true, 0, 100, 200, DATA, false },
		{ true, HEAD, 100, GROWTH - HEAD - 1, DATA, false },
		{ true, HEAD, 0, GROWTH - HEAD, DATA, false },
		{ true, 128, 0, 1000, DATA, false },
		{ false, 0, 100, 0, DATA, true },
		{ false, 0, 0, 100, DATA, false },
		/* The region of 1 GiB of the commands ends at 5 GiB, the next one begins there. */
		{ true, 128, 100, 100, (UINT64_C(5) << 30) - 2 * UINT16_MAX + 128, true },
		{ true, 128, 100, 100, (UINT64_C(5) << 30) - 2 * UINT16_MAX + 129, false },
		{ true, 128, 100, 100, (UINT64_C(5) << 30) + 128, true },
		{ true, 128, 100, 100, (UINT64_C(4) << 30) + 128, true },
		{ true, 128, 100, 100, UINT64_C(3) << 30, false }, /* the buffer begins before */
		{ true, 128, 100, 100, (UINT64_C(3) << 30) + 128, true },
		{ true, 128, 100, 100, UINT64_MAX - 1000 * UINT16_MAX, true },
	};
	struct rte_crypto_op *op;
	unsigned int i, near, slot;

	(void)state;
	for (i = 0; i < RTE_DIM(cases); i++) {
		for (near = 0; near < 2; near++) {
			open_gcm(cases[i].outbound);
			reset_queue();
			if (near)
				warm_up();
			slot = qp.prod % NB_DESC;
			op = op_at(&f, cases[i].iova, cases[i].headroom, cases[i].len,
				   cases[i].tailroom);
			f.sym.m_dst = near ? f.sym.m_src : NULL;
			enqueue(op);
			assert_int_equal(accel_op_kind(&inflight[slot]) == ACCEL_OP_IPSEC,
					 cases[i].fast);
		}
	}
}

/* Operations that the application has prepared, or only given again, and another one in between. */
static void
test_prepared(void **state)
{
	static struct fake_op some[4];
	struct rte_crypto_op *op[4];
	unsigned int i, status, aux;

	(void)state;
	open_gcm(true);
	warm_up();
	for (status = 0; status <= RTE_CRYPTO_OP_STATUS_ERROR; status++) {
		for (aux = 0; aux < 2; aux++) {
			for (i = 0; i < 4; i++) {
				op[i] = op_at(&some[i], DATA + i * 0x1000, 128, 100, 100);
				op[i]->status = status;
				op[i]->aux_flags = aux;
			}
			op[2]->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
			reset_queue();
			assert_int_equal(accel_enqueue_burst(&qp, op, 4), 4);
			for (i = 0; i < 4; i++) {
				assert_int_equal(op[i]->status,
						 RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
				assert_int_equal(accel_op_kind(&inflight[i]) == ACCEL_OP_IPSEC,
						 i != 2);
				assert_int_equal(commands[i].tag, i);
			}
		}
	}
}

/* Bursts with both directions, other sessions, and more operations than fit before the wrap. */
static void
test_bursts(void **state)
{
	static struct fake_op many[NB_DESC];
	struct rte_crypto_op *op[NB_DESC], *got[NB_DESC];
	uint32_t first, i, round;

	(void)state;
	open_gcm(true);
	for (round = 0; round < 20; round++) {
		first = qp.prod;
		for (i = 0; i < NB_DESC; i++)
			op[i] = op_at(&many[i], DATA + i * 0x1000, 64, 200, 64);
		assert_int_equal(accel_enqueue_burst(&qp, op, NB_DESC), NB_DESC);
		for (i = 0; i < NB_DESC; i++)
			responses[(first + i) % (2 * NB_DESC)] = (struct accel_hw_response){
				.tag = first + i, .produced = 200 + HEAD
			};
		wb.rsp_hhp = (first + NB_DESC) % (2 * NB_DESC);
		assert_int_equal(accel_dequeue_burst(&qp, got, NB_DESC), NB_DESC);
		for (i = 0; i < NB_DESC; i++) {
			assert_ptr_equal(got[i], op[i]);
			assert_int_equal(got[i]->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
			assert_int_equal(many[i].mbuf[0].data_off, 64 - HEAD);
		}
	}
	assert_int_equal(qp.enqueue_count.enqueue_errors | qp.dequeue_count.dequeue_errors, 0);
}

/*
 * Other layouts.
 */

static void
test_segments(void **state)
{
	struct rte_crypto_op *op;

	(void)state;
	open_gcm(true);
	op = op_at(&f, DATA + 0x1000, 64, 100, 9);
	append(&f, 1, DATA + 0x2000, 0, 0);
	append(&f, 2, DATA + 0x3000, 50, 60);
	enqueue(op);
	assert_ring(qp.tx, 0, 4, T2_CMD_NEXT | LEN(64), T2_NEXT | LEN(100) | LOW(DATA + 0x1000),
		    T2 | LEN(50) | LOW(DATA + 0x3000));
	assert_ring(qp.rx, 0, 4, T2_NEXT | LEN(100 + HEAD) | LOW(DATA + 0x1000 - HEAD),
		    T2 | LEN(50 + GROWTH - HEAD) | LOW(DATA + 0x3000));
	respond(0, 0, 200);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(f.mbuf[0].data_off, 64 - HEAD);
	assert_int_equal(f.mbuf[0].data_len, 136);
	assert_int_equal(f.mbuf[0].pkt_len, 200);
	assert_int_equal(f.mbuf[2].data_len, 64);

	/* Inbound the first segment holds less than the headers, and the last only the ICV. */
	reset_queue();
	open_gcm(false);
	op = op_at(&f, DATA + 0x1000, 0, 30, 0);
	append(&f, 1, DATA + 0x2000, 500, 0);
	append(&f, 2, DATA + 0x3000, 16, 0);
	enqueue(op);
	assert_ring(qp.rx, 0, 4, T2_NEXT | LEN(30) | LOW(DATA + 0x1000),
		    T2_NEXT | LEN(500) | LOW(DATA + 0x2000), T2 | LEN(16) | LOW(DATA + 0x3000));
	assert_int_equal(commands[0].skip, 4);
	respond(0, HEAD, 490);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(f.mbuf[0].data_len, 0);
	assert_int_equal(f.mbuf[1].data_off, HEAD - 30);
	assert_int_equal(f.mbuf[1].data_len, 490);
	assert_int_equal(f.mbuf[2].data_len, 0);
	assert_int_equal(f.mbuf[0].pkt_len, 490);
}

static void
test_out_of_place(void **state)
{
	struct rte_crypto_op *op;

	(void)state;
	open_gcm(true);
	op = op_at(&f, DATA + 0x1000, 0, 100, 0);
	mbuf_at(&f.mbuf[3], DATA + 0x5000, 10, 0, 500);
	f.sym.m_dst = &f.mbuf[3];
	enqueue(op);
	assert_ring(qp.rx, 0, 4, T2 | LEN(100 + GROWTH) | LOW(DATA + 0x5000));
	respond(0, 0, 156);
	assert_int_equal(f.mbuf[3].data_off, 10);
	assert_int_equal(f.mbuf[3].data_len, 156);
	assert_int_equal(f.mbuf[3].pkt_len, 156);
	assert_int_equal(f.mbuf[0].data_len, 100);

	reset_queue();
	open_gcm(false);
	op = op_at(&f, DATA + 0x1000, 0, 100, 0);
	mbuf_at(&f.mbuf[3], DATA + 0x5000, 10, 0, 500);
	f.sym.m_dst = &f.mbuf[3];
	enqueue(op);
	assert_ring(qp.rx, 0, 4, T2 | LEN(100) | LOW(DATA + 0x5000));
	assert_int_equal(commands[0].skip, 0); /* the output begins with the frame */
	respond(0, ACCEL_HW_IPSEC_INFO_IP_CHECKED, 40);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(f.mbuf[3].data_off, 10);
	assert_int_equal(f.mbuf[3].pkt_len, 40);
	assert_int_equal(f.mbuf[3].ol_flags, RTE_MBUF_F_RX_IP_CKSUM_GOOD);
	assert_int_equal(f.mbuf[0].ol_flags, 0);
}

/* Without headroom the result begins at the data, if the card allows it. Little tailroom is what
 * the card gets. */
static void
test_little_room(void **state)
{
	struct rte_crypto_op *op;
	struct conf c;

	(void)state;
	open_gcm(true);
	op = op_at(&f, DATA + 0x1000, HEAD - 1, 100, 80);
	enqueue(op);
	assert_ring(qp.rx, 0, 4, T2 | LEN(100 + GROWTH) | LOW(DATA + 0x1000));
	respond(0, 0, 157);
	assert_int_equal(f.mbuf[0].data_off, HEAD - 1);
	assert_int_equal(f.mbuf[0].data_len, 157);

	reset_queue();
	op = op_at(&f, DATA + 0x1000, HEAD, 100, 5);
	enqueue(op);
	assert_ring(qp.rx, 0, 4, T2 | LEN(100 + HEAD + 5) | LOW(DATA + 0x1000 - HEAD));
	respond(ACCEL_HW_OUTPUT_TOO_SMALL, 0, 0);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(op->aux_flags, ACCEL_HW_OUTPUT_TOO_SMALL << 4);
	assert_int_equal(f.mbuf[0].data_off, HEAD);

	dev.dt.esp.overlap = dev.dt.ah.overlap = false;
	open_gcm(true);
	reset_queue();
	op = op_at(&f, DATA + 0x1000, HEAD - 1, 100, 80);
	enqueue(op);
	assert_int_equal(commands[0].opcode, 1); /* refused */
	respond(0, 0, 0);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(op->aux_flags, 0);

	/* AH in transport mode: only the packet says how long the header is. */
	conf_gcm(&c, true);
	conf_ah(&c);
	c.c.ipsec.mode = RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT;
	c.x.auth.algo = RTE_CRYPTO_AUTH_SHA256_HMAC;
	c.x.auth.digest_length = 16;
	assert_int_equal(create(&c), 0);
	reset_queue();
	op = op_at(&f, DATA + 0x1000, 128, 100, 80);
	enqueue(op);
	assert_int_equal(commands[0].opcode, 1);
}

/*
 * Failures.
 */

static void
test_statuses(void **state)
{
	unsigned int status;

	(void)state;
	open_gcm(false);
	for (status = 1; status <= 20; status++) {
		struct rte_crypto_op *op = op_at(&f, DATA + 0x1000, 5, 100, 0);

		reset_queue();
		enqueue(op);
		respond((uint16_t)status, HEAD, 0);
		assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_ERROR);
		assert_int_equal(op->aux_flags, RTE_MIN(status, 15u) << 4);
		assert_int_equal(qp.dequeue_count.dequeue_errors, 1);
		assert_int_equal(f.mbuf[0].data_off, 5);
		assert_int_equal(f.mbuf[0].data_len, 100);
	}
}

/* Whatever a device says that it has produced, the data stay in the frame that it got. */
static void
test_hostile_lengths(void **state)
{
	static const uint32_t lens[] = { 0, 1, 63, 64, 65, 99, 100, 101, 135, 136, 157, 158, 65535,
					 65536, UINT32_MAX - 35, UINT32_MAX };
	static const uint16_t infos[] = { 0, 1, 36, 37, 100, 101, 0x3ff, 0xffff };
	unsigned int i, k, kind;

	(void)state;
	for (kind = 0; kind < 4; kind++) { /* bit 0: outbound, bit 1: segments */
		open_gcm(kind & 1);
		for (i = 0; i < RTE_DIM(lens) * RTE_DIM(infos); i++) {
			const uint32_t len = lens[i % RTE_DIM(lens)];
			const uint16_t info = infos[i / RTE_DIM(lens)];
			struct rte_crypto_op *op = op_at(&f, DATA + 0x1000, 64, 100, 300);
			const uint32_t off = kind & 1 ? 0 : info & 0x3ff;
			uint32_t sum = 0;
			bool good;

			reset_queue();
			if (kind & 2) {
				mbuf_at(&f.mbuf[0], DATA + 0x1000, 64, 60, 0);
				append(&f, 1, DATA + 0x2000, 40, 300);
			}
			enqueue(op);
			respond(0, info, len);
			good = (uint64_t)off + len <= 100u + (kind & 1 ? GROWTH : 0);
			assert_int_equal(op->status, good ? RTE_CRYPTO_OP_STATUS_SUCCESS :
							    RTE_CRYPTO_OP_STATUS_ERROR);
			assert_int_equal(f.mbuf[0].pkt_len, good ? len : 100);
			for (k = 0; k < f.mbuf[0].nb_segs; k++) {
				const struct rte_mbuf *m = &f.mbuf[k];

				sum += m->data_len;
				assert_true(m->data_off + m->data_len <= m->buf_len);
			}
			assert_int_equal(sum, f.mbuf[0].pkt_len);
		}
	}
}

/* A device that stops without a response, and applications that change operations in flight. */
static void
test_no_response(void **state)
{
	struct rte_crypto_op *op, *got = NULL;

	(void)state;
	open_gcm(true);
	op = op_at(&f, DATA + 0x1000, 64, 100, 64);
	enqueue(op);
	accel_qp_settle(&qp);
	qp.mode = ACCEL_QP_FAILED;
	assert_int_equal(accel_dequeue_burst(&qp, &got, 1), 1);
	assert_ptr_equal(got, op);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(op->aux_flags, 0);
	assert_int_equal(f.mbuf[0].data_off, 64);

	/* The same for one that is enqueued in an outage. */
	reset_queue();
	qp.mode = ACCEL_QP_FAILED;
	op = op_at(&f, DATA + 0x1000, 64, 100, 64);
	enqueue(op);
	assert_int_equal(accel_dequeue_burst(&qp, &got, 1), 1);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(op->aux_flags, 0);

	reset_queue();
	op = op_at(&f, DATA + 0x1000, 64, 100, 64);
	enqueue(op);
	f.sym.m_src = NULL;
	respond(0, 0, 120);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_ERROR);

	reset_queue();
	op = op_at(&f, DATA + 0x1000, 64, 100, 64);
	f.sym.m_src = NULL;
	enqueue(op);
	respond(0, 0, 0);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	assert_int_equal(op->aux_flags, 0);

	reset_queue();
	op = op_at(&f, DATA + 0x1000, 64, 100, 64);
	sa()->base.owner ^= 1; /* of another driver */
	enqueue(op);
	respond(0, 0, 0);
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
}

/* The raw data path refuses SAs. */
static void
test_raw(void **state)
{
	static alignas(64) uint8_t mem[4096];
	struct rte_crypto_raw_dp_ctx *ctx = (struct rte_crypto_raw_dp_ctx *)mem;
	union rte_cryptodev_session_ctx session_ctx;
	void *qps[] = { &qp };

	(void)state;
	open_gcm(true);
	data.queue_pairs = qps;
	data.nb_queue_pairs = 1;
	session_ctx.sec_sess = session();
	assert_int_equal(accel_raw_configure(&cryptodev, 0, ctx, RTE_CRYPTO_OP_SECURITY_SESSION,
					     session_ctx, 0), -ENOTSUP);
	accel_raw_slots_free(&qp);
	data.queue_pairs = NULL;
	data.nb_queue_pairs = 0;
}

/*
 * A process that is killed in dequeue, and another one that dequeues or stops the queue pair. An
 * operation whose lengths may be half set, or would be set twice, comes back with an error.
 */

static struct fake_op waiting[6];
static struct rte_crypto_op *got[RTE_DIM(waiting)];
static uint16_t nb_got;

#define KILLED_LEN 1000u
#define KILLED_PRODUCED(i) (900u + (i))

/* Operations 2 and 3 have an IV or segments, and take the slow path. One of them fails. */
static void
fill(bool outbound)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(waiting); i++) {
		struct fake_op *o = &waiting[i];
		const uint32_t tag = qp.prod;

		op_at(o, DATA + 0x1000 * (i + 1), 128, KILLED_LEN, 100);
		if (i == 2 || i == 3)
			append(o, 1, DATA + 0x10000 * (i + 1), 10, 100);
		enqueue(&o->op);
		responses[tag % (2 * NB_DESC)] = (struct accel_hw_response){
			.tag = tag, .status = i == 3 ? ACCEL_HW_REPLAY : ACCEL_HW_OK,
			.info = outbound ? 0 : HEAD, .produced = KILLED_PRODUCED(i)
		};
	}
	wb.rsp_hhp = qp.prod % (2 * NB_DESC);
}

static void
dequeue_all(void *arg)
{
	(void)arg;
	nb_got = accel_dequeue_burst(&qp, got, RTE_DIM(got));
}

/* @return the number of operations with success, whose lengths are right. */
static unsigned int
check_killed(bool outbound)
{
	unsigned int i, good = 0;

	assert_int_equal(nb_got, RTE_DIM(waiting));
	for (i = 0; i < RTE_DIM(waiting); i++) {
		const struct rte_mbuf *m = &waiting[i].mbuf[0];

		assert_ptr_equal(got[i], &waiting[i].op);
		if (i == 3)
			assert_int_equal(got[i]->status, RTE_CRYPTO_OP_STATUS_ERROR);
		if (got[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS) {
			assert_int_equal(got[i]->status, RTE_CRYPTO_OP_STATUS_ERROR);
			continue;
		}
		assert_int_equal(m->data_off, outbound ? 128 - HEAD : 128 + HEAD);
		assert_int_equal(m->pkt_len, KILLED_PRODUCED(i));
		good++;
	}
	assert_int_equal(accel_qp_pending(&qp), 0);
	return good;
}

/* What the other process does first. */
static void
succeed(bool stops)
{
	if (stops) {
		accel_qp_settle(&qp);
		qp.mode = ACCEL_QP_STOPPED;
	}
	dequeue_all(NULL);
}

static void
killed_in_dequeue(bool outbound)
{
	const struct death_part parts[] = { { &qp, sizeof(qp) },
					    { inflight, sizeof(inflight) },
					    { waiting, sizeof(waiting) } };
	unsigned int i, states, good[2];

	memcpy(death.part, parts, sizeof(parts));
	open_gcm(outbound);
	warm_up();
	fill(outbound);
	states = death_watch(dequeue_all, NULL);
	assert_int_equal(check_killed(outbound), RTE_DIM(waiting) - 1);
	assert_in_range(states, 20, DEATH_STATES - 1);
	for (i = 0; i < states; i++) {
		death_restore(i);
		if (accel_qp_pending(&qp) == 0)
			continue; /* killed after cons was published: no operation is left */
		succeed(false);
		good[0] = check_killed(outbound);
		death_restore(i);
		succeed(true);
		good[1] = check_killed(outbound);
		assert_int_equal(good[0], good[1]);
		if (i == 0)
			assert_int_equal(good[0], RTE_DIM(waiting) - 1);
	}
}

static void
test_killed_in_dequeue(void **state)
{
	(void)state;
	if (!DEATH_POSSIBLE)
		skip();
	killed_in_dequeue(true);
	reset_queue();
	killed_in_dequeue(false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown_device)
		TEST(test_outbound),
		TEST(test_inbound),
		TEST(test_options_of_operation),
		TEST(test_fast_path),
		TEST(test_prepared),
		TEST(test_bursts),
		TEST(test_segments),
		TEST(test_out_of_place),
		TEST(test_little_room),
		TEST(test_statuses),
		TEST(test_hostile_lengths),
		TEST(test_no_response),
		TEST(test_raw),
		TEST(test_killed_in_dequeue),
	};

	if (start_eal_silent("test_ipsec_op") < 0)
		return 1;
	return cmocka_run_group_tests_name("ipsec_op", tests, NULL, NULL);
}
