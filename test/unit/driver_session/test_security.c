/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Security sessions and their operations in the driver, compared with byte offsets and descriptors
 * written out from manual sections 6.1, 7.1, 8.1 and 8.5. There is no device: BAR0, rings and mbufs
 * are plain memory.
 */
#include <errno.h>

#include <rte_mbuf.h>

#include "accel_devtree.h"
#include "accel_ipsec.h"
#include "accel_logs.h"
#include "accel_protocol.h"
#include "accel_session.h"
#include "accel_sessionless.h"
#include "accel_shape.h"
#include "driver_qp/plain_qp.h"

#define assert_words(ring, ...)                                                                    \
	do {                                                                                       \
		const uint64_t want_[] = { __VA_ARGS__ };                                          \
		for (size_t i_ = 0; i_ < RTE_DIM(want_); i_++)                                     \
			assert_int_equal((ring)->desc[i_], want_[i_]);                             \
		assert_int_equal((ring)->prod, RTE_DIM(want_));                                    \
	} while (0)

/* An operation with its IV or HFN behind it, and its mbufs. */
static struct fake_op {
	struct rte_crypto_op op;
	struct rte_crypto_sym_op sym;
	uint8_t iv[16];
	struct rte_mbuf mbuf[4];
} f;

static struct accel_session *
priv(void)
{
	return SECURITY_GET_SESS_PRIV(session());
}

static int
setup(void **state)
{
	(void)state;
	reset_device();
	dev.dt.alg[10] = (struct accel_dt_alg){ ACCEL_ALG_CIPHER, 16, { 16, 32, 16 },
						{ 16, 16, 0 }, { 0 }, { 0 }, 0, 0 };
	dev.dt.alg[11] = (struct accel_dt_alg){ ACCEL_ALG_CIPHER, 8, { 8, 8, 0 }, { 8, 8, 0 },
						{ 0 }, { 0 }, 0, 0 };
	dev.dt.alg[2] = (struct accel_dt_alg){ ACCEL_ALG_CIPHER, 16, { 16, 32, 8 }, { 16, 16, 0 },
					       { 0 }, { 0 }, 0, 0 };
	dev.dt.docsis = (struct accel_dt_protocol){ true, 1 << 10 | 1 << 11, 0, 0 };
	dev.dt.pdcp = (struct accel_dt_protocol){
		true, 1 << 1 | 1 << 3 | 1 << 12 | 1 << 14, 1 << 0 | 1 << 15 | 1 << 16 | 1 << 18,
		1 << 0 | 1 << 5 | 1 << 7 | 1 << 12 | 1 << 15 | 1 << 18
	};
	make_caps();
	reset_queue();
	return 0;
}

static struct rte_crypto_sym_xform
cipher(int algo, unsigned int key_len, unsigned int iv_len, bool encrypt)
{
	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = encrypt ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT,
			.algo = (enum rte_crypto_cipher_algorithm)algo,
			.key = { .data = key, .length = (uint16_t)key_len },
			.iv = {
				.offset = offsetof(struct fake_op, iv),
				.length = (uint16_t)iv_len,
			},
		},
	};
}

static struct rte_crypto_sym_xform
auth(int algo, unsigned int key_len, bool generate)
{
	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = {
			.op = generate ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY,
			.algo = (enum rte_crypto_auth_algorithm)algo,
			.key = { .data = key + 16, .length = (uint16_t)key_len },
		},
	};
}

static struct rte_security_session_conf
pdcp_conf(struct rte_crypto_sym_xform *xform)
{
	return (struct rte_security_session_conf){
		.action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL,
		.protocol = RTE_SECURITY_PROTOCOL_PDCP,
		.pdcp = {
			.bearer = 21,
			.domain = RTE_SECURITY_PDCP_MODE_DATA,
			.pkt_dir = RTE_SECURITY_PDCP_DOWNLINK,
			.sn_size = RTE_SECURITY_PDCP_SN_SIZE_18,
			.hfn = 0x1234567,
			.hfn_threshold = 1,
		},
		.crypto_xform = xform,
	};
}

static struct rte_security_session_conf
docsis_conf(struct rte_crypto_sym_xform *xform, enum rte_security_docsis_direction direction)
{
	return (struct rte_security_session_conf){
		.action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL,
		.protocol = RTE_SECURITY_PROTOCOL_DOCSIS,
		.docsis = { .direction = direction },
		.crypto_xform = xform,
	};
}

/*
 * Capabilities.
 */

static unsigned int
count_caps(const struct rte_cryptodev_capabilities *caps)
{
	unsigned int n;

	for (n = 0; caps[n].op != RTE_CRYPTO_OP_TYPE_UNDEFINED; n++)
		;
	return n;
}

static void
test_capabilities(void **state)
{
	const struct rte_security_capability *c = ops->capabilities_get(&cryptodev);
	unsigned int i, docsis = 0, pdcp = 0;

	(void)state;
	for (i = 0; c[i].action != RTE_SECURITY_ACTION_TYPE_NONE; i++) {
		assert_int_equal(c[i].action, RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL);
		if (c[i].protocol == RTE_SECURITY_PROTOCOL_DOCSIS) {
			docsis |= 1u << c[i].docsis.direction;
			assert_int_equal(count_caps(c[i].crypto_capabilities), 2);
			assert_int_equal(c[i].crypto_capabilities[0].sym.cipher.key_size.max, 32);
			assert_int_equal(c[i].crypto_capabilities[1].sym.cipher.iv_size.min, 8);
		} else {
			assert_int_equal(c[i].protocol, RTE_SECURITY_PROTOCOL_PDCP);
			pdcp |= 1u << c[i].pdcp.domain;
			assert_int_equal(c[i].pdcp.capa_flags, 0);
			assert_int_equal(count_caps(c[i].crypto_capabilities), 8);
		}
	}
	assert_int_equal(i, 5);
	assert_int_equal(docsis, 1u << RTE_SECURITY_DOCSIS_UPLINK |
				 1u << RTE_SECURITY_DOCSIS_DOWNLINK);
	assert_int_equal(pdcp, 1u << RTE_SECURITY_PDCP_MODE_CONTROL |
			       1u << RTE_SECURITY_PDCP_MODE_DATA |
			       1u << RTE_SECURITY_PDCP_MODE_SHORT_MAC);
	assert_int_equal(ops->session_get_size(&cryptodev), sizeof(struct accel_ipsec_session));
}

/* Algorithms that are not in the card's tree are not offered. Without any there is no security
 * context. */
static void
test_capabilities_narrow(void **state)
{
	struct rte_crypto_sym_xform x = cipher(RTE_CRYPTO_CIPHER_SNOW3G_UEA2, 16, 0, true);
	struct rte_crypto_sym_xform d = cipher(RTE_CRYPTO_CIPHER_DES_DOCSISBPI, 8, 8, true);
	struct rte_security_session_conf conf = pdcp_conf(&x);
	const struct rte_security_capability *c;

	(void)state;
	rte_free(dev.security_caps);
	dev.dt.docsis.present = false;
	dev.dt.pdcp.ciphers = 1 << 3;
	dev.dt.pdcp.auths = 0;
	dev.dt.pdcp.sn_sizes = 1 << 12;
	assert_int_equal(accel_security_caps_create(&dev.dt, &dev.security_caps), 0);
	c = ops->capabilities_get(&cryptodev);
	assert_int_equal(c[0].protocol, RTE_SECURITY_PROTOCOL_PDCP);
	assert_int_equal(count_caps(c[0].crypto_capabilities), 1);
	assert_int_equal(c[3].action, RTE_SECURITY_ACTION_TYPE_NONE);
	assert_int_equal(create_session(&conf), -ENOTSUP); /* The card lacks the cipher. */
	x = cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 0, true);
	/* The cipher is right, but the card lacks the length of the sequence number. */
	assert_int_equal(create_session(&conf), -ENOTSUP);
	conf.pdcp.sn_size = RTE_SECURITY_PDCP_SN_SIZE_12;
	assert_int_equal(create_session(&conf), 0);
	conf = docsis_conf(&d, RTE_SECURITY_DOCSIS_DOWNLINK);
	assert_int_equal(create_session(&conf), -ENOTSUP);

	rte_free(dev.security_caps);
	dev.dt.pdcp.present = false;
	accel_security_detach(&cryptodev);
	assert_int_equal(accel_security_caps_create(&dev.dt, &dev.security_caps), 0);
	assert_null(dev.security_caps);
	assert_int_equal(accel_security_attach(&cryptodev), 0);
	assert_null(cryptodev.security_ctx);
}

/*
 * Sessions.
 */

static void
test_pdcp_context(void **state)
{
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_ZUC_EIA3, 16, true);
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 0, true);
	struct rte_security_session_conf conf = pdcp_conf(&c);
	const uint8_t *raw = (const uint8_t *)&priv()->context;
	uint8_t first[320];

	(void)state;
	c.next = &a;
	conf.pdcp.sdap_enabled = 1;
	assert_int_equal(create_session(&conf), 0);
	assert_int_equal(raw[0x04], 1); /* version */
	assert_int_equal(raw[0x05], 7); /* kind PDCP */
	assert_int_equal(raw[0x06], 1); /* ENCRYPT */
	assert_int_equal(raw[0x08], 3);
	assert_int_equal(raw[0x0a], 82);
	assert_int_equal(raw[0x0c], 16);
	assert_int_equal(raw[0x0e], 16);
	assert_int_equal(raw[0x10], 0); /* no IVs */
	assert_int_equal(raw[0x11], 0);
	assert_int_equal(raw[0x12], 4);
	assert_int_equal(raw[0x18], 18);
	assert_int_equal(raw[0x19], 21);
	assert_int_equal(raw[0x1a], 1);
	assert_int_equal(raw[0x1b], 1);
	assert_memory_equal(raw + 0x40, key, 16);
	assert_memory_equal(raw + 0x80, key + 16, 16);
	assert_int_equal(priv()->command.context,
			 SESSION_IOVA + offsetof(struct accel_session, context));
	assert_int_equal(priv()->command.generation, priv()->context.generation);
	/* It must not pass as a symmetric session. */
	assert_null(accel_own_session((const struct rte_cryptodev_sym_session *)session_mem));
	assert_memory_equal(priv()->command.iv, "\x67\x45\x23\x01", 4);

	/* The order of the transforms does not matter. */
	memcpy(first, raw, sizeof(first));
	c.next = NULL;
	a.next = &c;
	conf.crypto_xform = &a;
	assert_int_equal(create_session(&conf), 0);
	assert_memory_equal(raw + 4, first + 4, sizeof(first) - 4);

	/* The session receives, without a cipher. */
	a = auth(RTE_CRYPTO_AUTH_NULL, 0, false);
	conf.pdcp.pkt_dir = RTE_SECURITY_PDCP_UPLINK;
	assert_int_equal(create_session(&conf), 0);
	assert_int_equal(raw[0x06], 0);
	assert_int_equal(raw[0x08], 1);
	assert_int_equal(raw[0x0a], 64);
	assert_int_equal(raw[0x0c], 0);
	assert_int_equal(raw[0x0e], 0);
	assert_int_equal(raw[0x12], 4);
	assert_int_equal(raw[0x1a], 0);
}

/* COUNT, BEARER and DIRECTION are ones, whatever the session says (TS 36.331 section 5.3.7.4). */
static void
test_short_mac(void **state)
{
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_SNOW3G_UIA2, 16, true);
	struct rte_security_session_conf conf = pdcp_conf(&a);
	const uint8_t *raw = (const uint8_t *)&priv()->context;

	(void)state;
	conf.pdcp = (struct rte_security_pdcp_xform){ .domain = RTE_SECURITY_PDCP_MODE_SHORT_MAC };
	assert_int_equal(create_session(&conf), 0);
	assert_int_equal(raw[0x18], 0);
	assert_int_equal(raw[0x19], 31);
	assert_int_equal(raw[0x1a], 1);
	assert_int_equal(raw[0x1b], 0);
	assert_memory_equal(priv()->command.iv, "\xff\xff\xff\xff", 4);
}

static void
test_docsis_context(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_DOCSISBPI, 32, 16, true);
	struct rte_security_session_conf conf = docsis_conf(&c, RTE_SECURITY_DOCSIS_DOWNLINK);
	const uint8_t *raw = (const uint8_t *)&priv()->context;

	(void)state;
	assert_int_equal(create_session(&conf), 0);
	assert_int_equal(raw[0x05], 6);
	assert_int_equal(raw[0x06], 1);
	assert_int_equal(raw[0x08], 10);
	assert_int_equal(raw[0x0a], 0);
	assert_int_equal(raw[0x0c], 32);
	assert_int_equal(raw[0x10], 16);
	assert_int_equal(raw[0x12], 0);
	c = cipher(RTE_CRYPTO_CIPHER_DES_DOCSISBPI, 8, 8, false);
	conf.docsis.direction = RTE_SECURITY_DOCSIS_UPLINK;
	assert_int_equal(create_session(&conf), 0);
	assert_int_equal(raw[0x06], 0);
	assert_int_equal(raw[0x08], 11);
	assert_int_equal(raw[0x10], 8);
}

/* Checks the error, and that the session has no key. */
static void
refused(struct rte_security_session_conf *conf, int code)
{
	static const struct accel_session nothing;

	assert_int_equal(create_session(conf), code);
	assert_memory_equal(priv(), &nothing, sizeof(nothing));
}

static void
test_pdcp_refused(void **state)
{
	struct rte_crypto_sym_xform a, c, e = { .type = RTE_CRYPTO_SYM_XFORM_AEAD };
	struct rte_security_session_conf conf;

	(void)state;
#define BAD(code, change)                                                                          \
	do {                                                                                       \
		c = cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 0, true);                                \
		a = auth(RTE_CRYPTO_AUTH_AES_CMAC, 16, true);                                      \
		c.next = &a;                                                                       \
		conf = pdcp_conf(&c);                                                              \
		change;                                                                            \
		refused(&conf, (code));                                                            \
	} while (0)
	BAD(-ENOTSUP, conf.action_type = RTE_SECURITY_ACTION_TYPE_INLINE_CRYPTO);
	BAD(-ENOTSUP, conf.action_type = RTE_SECURITY_ACTION_TYPE_NONE);
	BAD(-ENOTSUP, conf.protocol = RTE_SECURITY_PROTOCOL_IPSEC);
	BAD(-ENOTSUP, conf.protocol = RTE_SECURITY_PROTOCOL_MACSEC);
	BAD(-ENOTSUP, dev.active_flags &= ~RTE_CRYPTODEV_FF_SECURITY);
	dev.active_flags |= RTE_CRYPTODEV_FF_SECURITY;
	BAD(-EINVAL, conf.crypto_xform = NULL);
	BAD(-EINVAL, c.next = &c); /* an endless list of ciphers */
	BAD(-EINVAL, a.next = &c);
	BAD(-EINVAL, a.type = RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED);
	BAD(-ENOTSUP, conf.crypto_xform = &e);
	BAD(-ENOTSUP, c.cipher.algo = RTE_CRYPTO_CIPHER_AES_CBC);
	BAD(-ENOTSUP, c.cipher.algo = RTE_CRYPTO_CIPHER_KASUMI_F8);
	BAD(-ENOTSUP, a.auth.algo = RTE_CRYPTO_AUTH_SHA1_HMAC);
	BAD(-EINVAL, c.cipher.key.length = 24);
	BAD(-EINVAL, c.cipher.key.length = 32);
	BAD(-EINVAL, c.cipher.key.length = 0);
	BAD(-EINVAL, c.cipher.key.data = NULL);
	BAD(-EINVAL, a.auth.key.length = 15);
	BAD(-EINVAL, a.auth.key.data = NULL);
	BAD(-EINVAL, a.auth.digest_length = 8);
	BAD(-EINVAL, a.auth.op = RTE_CRYPTO_AUTH_OP_VERIFY); /* while it encrypts */
	BAD(-EINVAL, c.cipher.op = RTE_CRYPTO_CIPHER_OP_DECRYPT);
	BAD(-EINVAL, c.cipher.op = (enum rte_crypto_cipher_operation)7);
	BAD(-EINVAL, conf.pdcp.bearer = 32);
	BAD(-EINVAL, conf.pdcp.bearer = -1);
	BAD(-EINVAL, conf.pdcp.pkt_dir = (enum rte_security_pdcp_direction)2);
	/* Only the control plane has this size. */
	BAD(-EINVAL, conf.pdcp.sn_size = RTE_SECURITY_PDCP_SN_SIZE_5);
	BAD(-EINVAL, conf.pdcp.sn_size = (enum rte_security_pdcp_sn_size)0);
	BAD(-EINVAL, conf.pdcp.sn_size = (enum rte_security_pdcp_sn_size)64);
	BAD(-EINVAL, conf.pdcp.domain = (enum rte_security_pdcp_domain)3);
	BAD(-EINVAL, conf.pdcp.domain = RTE_SECURITY_PDCP_MODE_CONTROL); /* 18 bits */
	BAD(-EINVAL, {
		conf.pdcp.domain = RTE_SECURITY_PDCP_MODE_CONTROL;
		conf.pdcp.sn_size = RTE_SECURITY_PDCP_SN_SIZE_5;
		c.next = NULL; /* There is no integrity. */
	});
	BAD(-EINVAL, {
		conf.pdcp.domain = RTE_SECURITY_PDCP_MODE_CONTROL;
		conf.pdcp.sn_size = RTE_SECURITY_PDCP_SN_SIZE_12;
		conf.pdcp.sdap_enabled = 1;
	});
	BAD(-EINVAL, conf.pdcp.domain = RTE_SECURITY_PDCP_MODE_SHORT_MAC); /* with a cipher */
	BAD(-ENOTSUP, conf.pdcp.en_ordering = 1);
	BAD(-ENOTSUP, conf.pdcp.remove_duplicates = 1);
	BAD(-EINVAL, conf.pdcp.hfn_ovrd = 1); /* the IV has no bytes */
	BAD(-EINVAL, { conf.pdcp.hfn_ovrd = 1; c.cipher.iv.length = 16; });
#undef BAD
}

static void
test_docsis_refused(void **state)
{
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_AES_CMAC, 16, true), c;
	struct rte_security_session_conf conf;

	(void)state;
#define BAD(code, change)                                                                          \
	do {                                                                                       \
		c = cipher(RTE_CRYPTO_CIPHER_AES_DOCSISBPI, 16, 16, true);                         \
		conf = docsis_conf(&c, RTE_SECURITY_DOCSIS_DOWNLINK);                              \
		change;                                                                            \
		refused(&conf, (code));                                                            \
	} while (0)
	BAD(-EINVAL, conf.docsis.direction = RTE_SECURITY_DOCSIS_UPLINK); /* for decryption only */
	BAD(-EINVAL, conf.docsis.direction = (enum rte_security_docsis_direction)2);
	BAD(-EINVAL, conf.crypto_xform = NULL);
	BAD(-EINVAL, conf.crypto_xform = &a);
	BAD(-EINVAL, c.next = &a);
	BAD(-EINVAL, c.cipher.key.length = 24);
	BAD(-EINVAL, c.cipher.key.data = NULL);
	BAD(-EINVAL, c.cipher.iv.length = 8);
	BAD(-EINVAL, c.cipher.op = (enum rte_crypto_cipher_operation)7);
	BAD(-ENOTSUP, c.cipher.algo = RTE_CRYPTO_CIPHER_AES_CBC);
	BAD(-ENOTSUP, c.cipher.algo = (enum rte_crypto_cipher_algorithm)12345);
#undef BAD
}

static void
test_destroy(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 0, true);
	struct rte_security_session_conf conf = pdcp_conf(&c);
	const uint64_t context = SESSION_IOVA + offsetof(struct accel_session, context);
	const uint32_t *words = (const uint32_t *)(bar + INVALIDATE_PAGE);
	static const struct accel_session nothing;
	uint32_t generation;

	(void)state;
	assert_int_equal(create_session(&conf), 0);
	generation = priv()->context.generation;
	assert_int_equal(ops->session_destroy(&cryptodev, session()), 0);
	assert_memory_equal(priv(), &nothing, sizeof(nothing));
	assert_int_equal(words[((context >> 6) ^ (context >> 16)) & 1023], generation);
	/* A second destroy is refused. */
	assert_int_equal(ops->session_destroy(&cryptodev, session()), -EINVAL);
	assert_int_equal(ops->session_update(&cryptodev, session(), &conf), -EINVAL);
}

/* An update can change the HFN only. */
static void
test_update(void **state)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 0, true);
	struct rte_security_session_conf conf = pdcp_conf(&c);
	struct accel_hw_context before;
	uint8_t other[16] = { 9 };

	(void)state;
	assert_int_equal(create_session(&conf), 0);
	before = priv()->context;
	conf.pdcp.hfn = 0x1234568;
	assert_int_equal(ops->session_update(&cryptodev, session(), &conf), 0);
	assert_memory_equal(priv()->command.iv, "\x68\x45\x23\x01", 4);
	assert_memory_equal(&priv()->context, &before, sizeof(before));
	conf.pdcp.hfn++;
	conf.pdcp.bearer++;
	assert_int_equal(ops->session_update(&cryptodev, session(), &conf), -ENOTSUP);
	conf.pdcp.bearer--;
	c.cipher.key.data = other;
	assert_int_equal(ops->session_update(&cryptodev, session(), &conf), -ENOTSUP);
	c.cipher.key.data = NULL;
	assert_int_equal(ops->session_update(&cryptodev, session(), &conf), -EINVAL);
	assert_memory_equal(priv()->command.iv, "\x68\x45\x23\x01", 4);
	assert_memory_equal(&priv()->context, &before, sizeof(before));
}

/*
 * Operations.
 */

static void
mbuf_at(unsigned int n, uint64_t iova, uint16_t len, uint16_t room)
{
	struct rte_mbuf *m = &f.mbuf[n];

	memset(m, 0, sizeof(*m));
	m->buf_iova = iova;
	m->buf_len = len + room;
	m->data_len = len;
	m->pkt_len = len;
	m->nb_segs = 1;
}

static struct rte_crypto_op *
op_at(uint64_t iova, uint16_t len, uint16_t room)
{
	memset(&f, 0, sizeof(f));
	mbuf_at(0, iova, len, room);
	f.op.type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	f.op.sess_type = RTE_CRYPTO_OP_SECURITY_SESSION;
	f.op.status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	f.sym.session = session();
	f.sym.m_src = &f.mbuf[0];
	return &f.op;
}

/* Appends the second mbuf. */
static void
append(uint64_t iova, uint16_t len, uint16_t room)
{
	mbuf_at(1, iova, len, room);
	f.mbuf[0].next = &f.mbuf[1];
	f.mbuf[0].nb_segs = 2;
	f.mbuf[0].pkt_len += len;
}

/* Writes the device's response to the operation, and dequeues. */
static enum rte_crypto_op_status
respond(uint16_t status, uint32_t produced)
{
	struct rte_crypto_op *got = NULL;

	responses[0] = (struct accel_hw_response){ .status = status, .produced = produced };
	wb.rsp_hhp = 1;
	assert_int_equal(accel_dequeue_burst(&qp, &got, 1), 1);
	assert_ptr_equal(got, &f.op);
	return got->status;
}

static void
pdcp_session(bool encrypt, bool override)
{
	struct rte_crypto_sym_xform a = auth(RTE_CRYPTO_AUTH_AES_CMAC, 16, encrypt);
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 4, encrypt);
	struct rte_security_session_conf conf = pdcp_conf(&c);

	c.next = &a;
	conf.pdcp.hfn_ovrd = override;
	assert_int_equal(create_session(&conf), 0);
}

/* In place on two segments, the MAC-I goes into the tailroom, and the lengths grow. */
static void
test_pdcp_send(void **state)
{
	struct rte_crypto_op *op = op_at(CMD_IOVA + 0x1000, 100, 0);

	(void)state;
	pdcp_session(true, false);
	append(CMD_IOVA + 0x2000, 50, 4);
	assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
	assert_words(&qp.tx, UINT64_C(4), T2_CMD_NEXT | LEN(64), T2_NEXT | LEN(100) | 0x1000,
		     T2 | LEN(50) | 0x2000);
	assert_words(&qp.rx, UINT64_C(4), T2_NEXT | LEN(100) | 0x1000, T2 | LEN(54) | 0x2000);
	assert_int_equal(commands[0].opcode, 3);
	assert_int_equal(commands[0].flags, 0);
	assert_int_equal(commands[0].cipher_len, 150);
	assert_int_equal(commands[0].auth_len | commands[0].skip | commands[0].aad_len, 0);
	assert_memory_equal(commands[0].iv, "\x67\x45\x23\x01", 4);
	assert_int_equal(f.op.status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_int_equal(respond(0, 154), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(f.mbuf[0].pkt_len, 154);
	assert_int_equal(f.mbuf[0].data_len, 100);
	assert_int_equal(f.mbuf[1].data_len, 54);
}

/* Out of place, the destination has no data before, and the source does not change. The HFN is that
 * of the operation. */
static void
test_pdcp_receive_oop(void **state)
{
	struct rte_crypto_op *op = op_at(CMD_IOVA + 0x1000, 100, 0);
	const uint32_t hfn = 0xa1b2c3d4;

	(void)state;
	pdcp_session(false, true);
	mbuf_at(2, CMD_IOVA + 0x4000, 0, 96);
	f.sym.m_dst = &f.mbuf[2];
	memcpy(f.iv, &hfn, sizeof(hfn));
	assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
	assert_words(&qp.rx, UINT64_C(4), T2 | LEN(96) | 0x4000);
	assert_int_equal(commands[0].cipher_len, 100);
	assert_memory_equal(commands[0].iv, "\xd4\xc3\xb2\xa1", 4);
	assert_int_equal(respond(0, 96), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(f.mbuf[2].pkt_len, 96);
	assert_int_equal(f.mbuf[2].data_len, 96);
	assert_int_equal(f.mbuf[0].pkt_len, 100);
}

/* Only the MAC-I lies in the last segment, which becomes empty. */
static void
test_pdcp_receive_shrinks(void **state)
{
	struct rte_crypto_op *op = op_at(CMD_IOVA + 0x1000, 100, 0);

	(void)state;
	pdcp_session(false, false);
	append(CMD_IOVA + 0x2000, 4, 0);
	assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
	assert_words(&qp.rx, UINT64_C(4), T2 | LEN(100) | 0x1000);
	assert_int_equal(respond(0, 100), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(f.mbuf[0].pkt_len, 100);
	assert_int_equal(f.mbuf[1].data_len, 0);
}

/* After a failure the lengths do not change. Wrong lengths from the device fail the operation. */
static void
test_pdcp_lengths_on_failure(void **state)
{
	static const struct {
		uint16_t status;
		uint32_t produced;
		enum rte_crypto_op_status want;
	} cases[] = {
		{ 1, 96, RTE_CRYPTO_OP_STATUS_AUTH_FAILED },
		{ 4, 0, RTE_CRYPTO_OP_STATUS_INVALID_ARGS },
		{ 0, 101, RTE_CRYPTO_OP_STATUS_ERROR },
		{ 0, UINT32_MAX, RTE_CRYPTO_OP_STATUS_ERROR },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(cases); i++) {
		struct rte_crypto_op *op = op_at(CMD_IOVA + 0x1000, 100, 0);

		pdcp_session(false, false);
		reset_queue();
		assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
		assert_int_equal(respond(cases[i].status, cases[i].produced), cases[i].want);
		assert_int_equal(f.mbuf[0].pkt_len, 100);
		assert_int_equal(f.mbuf[0].data_len, 100);
		assert_int_equal(qp.dequeue_count.dequeue_errors, 1);
	}
}

/*
 * The device writes to the command of an operation in-flight. Whatever it writes, the operation's
 * status and all that the driver does are those of the operation as it was enqueued.
 */

/* Operations that are served, and operations that are refused with this status. */
static const struct hostile {
	uint8_t type;
	uint8_t sess_type;
	bool served; /* otherwise refused */
	bool protocol;
	enum rte_crypto_op_status status;
} hostiles[] = {
#define SYM RTE_CRYPTO_OP_TYPE_SYMMETRIC
#define REFUSED(type, sess_type, status)                                                           \
	{ type, sess_type, false, false, RTE_CRYPTO_OP_STATUS_##status }
	{ SYM, RTE_CRYPTO_OP_SECURITY_SESSION, true, true, 0 },
	{ SYM, RTE_CRYPTO_OP_SESSIONLESS, true, false, 0 },
	{ SYM, RTE_CRYPTO_OP_WITH_SESSION, true, false, 0 },
	REFUSED(SYM, RTE_CRYPTO_OP_WITH_SESSION, INVALID_SESSION),
	REFUSED(SYM, RTE_CRYPTO_OP_SESSIONLESS, INVALID_ARGS),
	REFUSED(SYM, RTE_CRYPTO_OP_SECURITY_SESSION, INVALID_ARGS),
	REFUSED(SYM, 3, INVALID_ARGS),
	REFUSED(RTE_CRYPTO_OP_TYPE_ASYMMETRIC, RTE_CRYPTO_OP_WITH_SESSION, INVALID_ARGS),
	REFUSED(RTE_CRYPTO_OP_TYPE_ASYMMETRIC, RTE_CRYPTO_OP_SESSIONLESS, INVALID_ARGS),
	REFUSED(RTE_CRYPTO_OP_TYPE_ASYMMETRIC, RTE_CRYPTO_OP_SECURITY_SESSION, INVALID_ARGS),
	REFUSED(RTE_CRYPTO_OP_TYPE_UNDEFINED, RTE_CRYPTO_OP_WITH_SESSION, INVALID_ARGS),
	REFUSED(RTE_CRYPTO_OP_TYPE_UNDEFINED, RTE_CRYPTO_OP_SECURITY_SESSION, INVALID_ARGS),
	REFUSED(3, RTE_CRYPTO_OP_WITH_SESSION, INVALID_ARGS),
};

static void
enqueue_hostile(const struct hostile *h)
{
	static struct rte_crypto_sym_xform xform;
	struct rte_crypto_op *op = op_at(CMD_IOVA + 0x1000, 100, 4);

	xform = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16, true);
	op->type = h->type;
	op->sess_type = h->sess_type;
	if (h->sess_type == RTE_CRYPTO_OP_SESSIONLESS)
		f.sym.xform = h->served ? &xform : NULL;
	else if (h->sess_type != RTE_CRYPTO_OP_SECURITY_SESSION)
		f.sym.session = NULL;
	else if (!h->served)
		f.sym.m_src = NULL;
	f.sym.cipher.data.length = 100;
	if (h->type != SYM) /* There are no mbufs at this place. */
		memset(&f.sym, 0x5a, sizeof(f.sym));
	assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
	if (h->served && h->sess_type == RTE_CRYPTO_OP_WITH_SESSION)
		inflight[0].op = (uintptr_t)op; /* It has to look as if it had a session. */
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
}

/* Overwrites all bytes of the command and of its IV. */
static void
overwrite_command(unsigned int opcode, unsigned int status)
{
	memset(&commands[0], (int)(opcode ^ status), sizeof(commands[0]));
	commands[0].opcode = (uint8_t)opcode;
	commands[0].iv[0] = (uint8_t)status;
}

/* The device stops without a response. */
static enum rte_crypto_op_status
no_response(void)
{
	struct rte_crypto_op *got = NULL;

	accel_qp_settle(&qp);
	qp.mode = ACCEL_QP_FAILED;
	assert_int_equal(accel_dequeue_burst(&qp, &got, 1), 1);
	assert_ptr_equal(got, &f.op);
	return got->status;
}

/* Plays one operation. The device responds with this status, or not at all for numbers above all
 * statuses. */
static void
play_hostile(const struct hostile *h, unsigned int opcode, unsigned int iv, unsigned int status)
{
	static const enum rte_crypto_op_status want[] = {
		[ACCEL_HW_OK] = RTE_CRYPTO_OP_STATUS_SUCCESS,
		[ACCEL_HW_AUTH_FAILED] = RTE_CRYPTO_OP_STATUS_AUTH_FAILED,
		[ACCEL_HW_BAD_COMMAND] = RTE_CRYPTO_OP_STATUS_INVALID_ARGS,
		[ACCEL_HW_BAD_CONTEXT] = RTE_CRYPTO_OP_STATUS_INVALID_SESSION,
		[ACCEL_HW_BAD_LENGTH] = RTE_CRYPTO_OP_STATUS_INVALID_ARGS,
		[ACCEL_HW_OUTPUT_TOO_SMALL] = RTE_CRYPTO_OP_STATUS_INVALID_ARGS,
		[ACCEL_HW_DMA_FAULT] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_ENGINE_ERROR] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_DENIED] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_REPLAY] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_MALFORMED] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_MISMATCH] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_EXPIRED] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_SEQUENCE_END] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_DUMMY] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_BAD_OPERAND] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_INVALID_POINT] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_NO_INVERSE] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_DECRYPT_FAILED] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_NO_ENTROPY] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_STATUS_NB] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_STATUS_NB + 1] = RTE_CRYPTO_OP_STATUS_ERROR, /* no response */
	};
	struct accel_sessionless *stock = qp.sessionless;
	enum rte_crypto_op_status got;

	reset_queue();
	qp.sessionless = stock;
	enqueue_hostile(h);
	overwrite_command(opcode, iv);
	got = status <= ACCEL_HW_STATUS_NB ? respond((uint16_t)status, 104) : no_response();
	assert_int_equal(got, h->served ? want[status] : h->status);
	if (h->type == SYM && f.sym.m_src != NULL)
		assert_int_equal(f.mbuf[0].pkt_len, h->protocol && status == 0 ? 104 : 100);
	assert_int_equal(inflight[0].op & ~ACCEL_OP_KIND, (uintptr_t)&f.op);
}

static void
test_hostile_command(void **state)
{
	unsigned int h, opcode, iv, status;

	(void)state;
	/* Refused operations would fill the log. */
	rte_log_set_level(accel_logtype, RTE_LOG_EMERG);
	pdcp_session(true, false);
	dev.active_flags |= RTE_CRYPTODEV_FF_SYM_SESSIONLESS;
	for (h = 0; h < RTE_DIM(hostiles); h++) {
		for (opcode = 0; opcode <= UINT8_MAX; opcode++) {
			/* These are all statuses and more. */
			for (iv = 0; iv <= UINT8_MAX; iv += iv < 16 ? 1 : 0xef / 2)
				for (status = 0; status <= ACCEL_HW_STATUS_NB + 1; status++)
					play_hostile(&hostiles[h], opcode, iv, status);
		}
	}
	accel_sessionless_free(&qp);
	rte_log_set_level(accel_logtype, RTE_LOG_NOTICE);
}
#undef SYM
#undef REFUSED

static void
docsis_session(void)
{
	struct rte_crypto_sym_xform c = cipher(RTE_CRYPTO_CIPHER_AES_DOCSISBPI, 16, 16, true);
	struct rte_security_session_conf conf = docsis_conf(&c, RTE_SECURITY_DOCSIS_DOWNLINK);

	assert_int_equal(create_session(&conf), 0);
}

/* A usual frame has a header of 6 bytes, a CRC over all behind it, and the cipher region 12 bytes
 * later. */
static void
test_docsis(void **state)
{
	struct rte_crypto_op *op = op_at(CMD_IOVA + 0x1000, 80, 0);

	(void)state;
	docsis_session();
	memset(f.iv, 0x22, 16);
	f.sym.auth.data.offset = 6;
	f.sym.auth.data.length = 70;
	f.sym.cipher.data.offset = 18;
	f.sym.cipher.data.length = 62;
	assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
	assert_words(&qp.tx, UINT64_C(4), T2_CMD_NEXT | LEN(64), T2 | LEN(74) | 0x1006);
	assert_words(&qp.rx, UINT64_C(4), T2 | LEN(74) | 0x1006);
	assert_int_equal(commands[0].flags, 6); /* AUTH_FIRST, WHOLE */
	assert_int_equal(commands[0].skip, 12);
	assert_int_equal(commands[0].cipher_len, 62);
	assert_int_equal(commands[0].auth_len, 70);
	assert_memory_equal(commands[0].iv, f.iv, 16);
	assert_int_equal(respond(0, 74), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(f.mbuf[0].pkt_len, 80);
}

/* A region of no bytes is ignored, wherever its offset points. */
static void
test_docsis_one_region(void **state)
{
	struct rte_crypto_op *op = op_at(CMD_IOVA + 0x1000, 80, 0);

	(void)state;
	docsis_session();
	f.sym.auth.data.offset = 6000;
	f.sym.cipher.data.offset = 18;
	f.sym.cipher.data.length = 62;
	assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
	assert_words(&qp.tx, UINT64_C(4), T2_CMD_NEXT | LEN(64), T2 | LEN(62) | 0x1012);
	assert_int_equal(commands[0].flags, 4);
	assert_int_equal(commands[0].skip | commands[0].auth_len, 0);
	reset_queue();
	op = op_at(CMD_IOVA + 0x1000, 80, 0);
	f.sym.auth.data.length = 76;
	f.sym.cipher.data.offset = 6000;
	assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
	assert_words(&qp.tx, UINT64_C(4), T2_CMD_NEXT | LEN(64), T2 | LEN(80) | 0x1000);
	assert_int_equal(commands[0].skip | commands[0].cipher_len, 0);
	/* An operation without both regions has nothing to do, and comes back. */
	reset_queue();
	op = op_at(CMD_IOVA + 0x1000, 80, 0);
	assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
	assert_words(&qp.tx, UINT64_C(4), T2_CMD | LEN(64));
	assert_int_equal(qp.rx.prod, 0);
	assert_int_equal(commands[0].flags, 5); /* NO_RX, WHOLE */
}

/* Operations that cannot be carried out come back in order with a status that says why. */
static void
test_bad_ops(void **state)
{
	struct rte_crypto_op *op, *got;
	unsigned int n = 0;

	(void)state;
#define BAD(make, status_, change)                                                                 \
	do {                                                                                       \
		reset_queue();                                                                     \
		op = op_at(CMD_IOVA + 0x1000, 80, 3);                                              \
		make;                                                                              \
		f.sym.session = session();                                                         \
		change;                                                                            \
		assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);                             \
		assert_int_equal(commands[0].opcode, 1);                                           \
		assert_words(&qp.tx, UINT64_C(4), T2_CMD | LEN(64));                               \
		assert_int_equal(qp.rx.prod, 0);                                                   \
		assert_int_equal(respond(0, 0), RTE_CRYPTO_OP_STATUS_##status_);                   \
		n++;                                                                               \
	} while (0)
	BAD(pdcp_session(true, false), INVALID_ARGS, (void)0); /* no room for the MAC-I */
	BAD(pdcp_session(true, false), INVALID_ARGS, f.sym.m_src = NULL);
	/* The mbuf has only 80 bytes. */
	BAD(pdcp_session(true, false), INVALID_ARGS, f.mbuf[0].pkt_len = 81);
	BAD(pdcp_session(true, false), INVALID_SESSION, f.sym.session = NULL);
	BAD(pdcp_session(true, false), INVALID_SESSION, priv()->owner = 0);
	BAD(pdcp_session(true, false), INVALID_SESSION,
	    ops->session_destroy(&cryptodev, session()));
	BAD(pdcp_session(true, false), INVALID_ARGS, dev.active_flags = 0);
	dev.active_flags = RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_SECURITY;
	BAD(pdcp_session(true, false), INVALID_ARGS, f.op.type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
	BAD(pdcp_session(true, false), INVALID_ARGS, qp.max_frame_bytes = 83);
	BAD(pdcp_session(false, false), INVALID_ARGS,
	    f.mbuf[0].pkt_len = f.mbuf[0].data_len = 3); /* shorter than the MAC-I */
	BAD(docsis_session(), INVALID_ARGS, f.sym.cipher.data.length = 81);
	BAD(docsis_session(), INVALID_ARGS, f.sym.auth.data.length = 77); /* the CRC is outside */
	BAD(docsis_session(), INVALID_ARGS, {
		f.sym.auth.data.offset = UINT32_MAX;
		f.sym.auth.data.length = UINT32_MAX;
	});
#undef BAD
	assert_int_equal(n, 13);
	/* The session belongs to another driver. */
	reset_queue();
	pdcp_session(true, false);
	op = op_at(CMD_IOVA + 0x1000, 80, 4);
	priv()->owner ^= 1;
	assert_int_equal(accel_enqueue_burst(&qp, &op, 1), 1);
	got = NULL;
	wb.rsp_hhp = 1;
	assert_int_equal(accel_dequeue_burst(&qp, &got, 1), 1);
	assert_int_equal(got->status, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown_device)
		TEST(test_capabilities),
		TEST(test_capabilities_narrow),
		TEST(test_pdcp_context),
		TEST(test_short_mac),
		TEST(test_docsis_context),
		TEST(test_pdcp_refused),
		TEST(test_docsis_refused),
		TEST(test_destroy),
		TEST(test_update),
		TEST(test_pdcp_send),
		TEST(test_pdcp_receive_oop),
		TEST(test_pdcp_receive_shrinks),
		TEST(test_pdcp_lengths_on_failure),
		TEST(test_hostile_command),
		TEST(test_docsis),
		TEST(test_docsis_one_region),
		TEST(test_bad_ops),
	};

	/* rte_malloc() holds the capabilities. */
	if (start_eal_silent("test_security") < 0)
		return 1;
	return cmocka_run_group_tests_name("security", tests, NULL, NULL);
}
