/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Capabilities and sessions of IPsec in the driver, compared with byte offsets written out from
 * manual sections 8.1 and 8.6. There is no device.
 */
#include <errno.h>

#include "driver_session/ipsec_session.h"

static int
setup(void **state)
{
	(void)state;
	return setup_device();
}

/* A field of the context, little-endian. */
static uint64_t
field(unsigned int at, unsigned int size)
{
	const uint8_t *raw = (const uint8_t *)&sa()->base.context + at;
	uint64_t n = 0;
	unsigned int i;

	for (i = 0; i < size; i++)
		n |= (uint64_t)raw[i] << 8 * i;
	return n;
}

static const uint8_t *
bytes(unsigned int at)
{
	return (const uint8_t *)&sa()->base.context + at;
}

/*
 * Capabilities.
 */

static const struct rte_security_capability *
find(int proto, int mode, int direction)
{
	const struct rte_security_capability *c = ops->capabilities_get(&cryptodev);

	for (; c->action != RTE_SECURITY_ACTION_TYPE_NONE; c++) {
		if (c->protocol == RTE_SECURITY_PROTOCOL_IPSEC && (int)c->ipsec.proto == proto &&
		    (int)c->ipsec.mode == mode && (int)c->ipsec.direction == direction)
			return c;
	}
	return NULL;
}

#define ESP RTE_SECURITY_IPSEC_SA_PROTO_ESP
#define AH RTE_SECURITY_IPSEC_SA_PROTO_AH
#define TUNNEL RTE_SECURITY_IPSEC_SA_MODE_TUNNEL
#define TRANSPORT RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT
#define OUT RTE_SECURITY_IPSEC_SA_DIR_EGRESS
#define IN RTE_SECURITY_IPSEC_SA_DIR_INGRESS

static void
test_capabilities(void **state)
{
	const struct rte_security_capability *c;
	unsigned int n;

	(void)state;
	c = find(ESP, TUNNEL, IN);
	assert_non_null(c);
	assert_int_equal(c->action, RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL);
	assert_int_equal(c->ipsec.replay_win_sz_max, 4096);
	assert_int_equal(c->ipsec.options.tunnel_hdr_verify, 2);
	assert_int_equal(c->ipsec.options.esn & c->ipsec.options.udp_encap &
			 c->ipsec.options.copy_dscp & c->ipsec.options.copy_flabel &
			 c->ipsec.options.copy_df & c->ipsec.options.dec_ttl &
			 c->ipsec.options.ecn &
			 c->ipsec.options.stats & c->ipsec.options.iv_gen_disable &
			 c->ipsec.options.udp_ports_verify & c->ipsec.options.ip_csum_enable &
			 c->ipsec.options.l4_csum_enable, 1);
	assert_int_equal(c->ipsec.options.ip_reassembly_en, 0);
	for (n = 0; c->crypto_capabilities[n].op != RTE_CRYPTO_OP_TYPE_UNDEFINED; n++)
		;
	assert_int_equal(n, 9);
	assert_int_equal(c->crypto_capabilities[2].sym.cipher.algo, RTE_CRYPTO_CIPHER_AES_CTR);
	assert_int_equal(c->crypto_capabilities[2].sym.cipher.iv_size.min, 8);
	assert_int_equal(c->crypto_capabilities[2].sym.cipher.iv_size.max, 16);
	assert_int_equal(c->crypto_capabilities[7].sym.aead.iv_size.min, 12);
	assert_int_equal(c->crypto_capabilities[7].sym.aead.aad_size.max, 12);
	assert_int_equal(c->crypto_capabilities[8].sym.aead.iv_size.min, 11);
	assert_non_null(find(ESP, TRANSPORT, OUT));
	assert_non_null(find(AH, TUNNEL, OUT));
	assert_non_null(find(AH, TRANSPORT, IN));

	dev.dt.esp.transport = false;
	dev.dt.esp.options = ACCEL_HW_IPSEC_TUNNEL | ACCEL_HW_IPSEC_VERIFY_DST;
	dev.dt.ah.options = 0;
	make_caps();
	c = find(ESP, TUNNEL, OUT);
	assert_int_equal(c->ipsec.options.tunnel_hdr_verify, 1);
	assert_int_equal(c->ipsec.options.esn | c->ipsec.options.udp_encap |
			 c->ipsec.options.iv_gen_disable, 0);
	assert_null(find(ESP, TRANSPORT, OUT));
	assert_null(find(AH, TUNNEL, IN));
	assert_non_null(find(AH, TRANSPORT, IN));
	dev.dt.esp.present = dev.dt.ah.present = false;
	make_caps();
	assert_null(dev.security_caps);
}

/*
 * Contexts.
 */

static void
test_gcm_tunnel(void **state)
{
	static const uint8_t outer[] = { 0x45, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 10, 1, 2, 3,
					 10, 4, 5, 6, 0 };
	static const uint8_t zeros[64];
	struct conf f;

	(void)state;
	conf_gcm(&f, true);
	f.c.ipsec.esn.value = 100;
	f.c.ipsec.replay_win_sz = 1024; /* has no effect outbound */
	f.c.ipsec.life.packets_soft_limit = 0x1122334455667788;
	f.c.ipsec.life.packets_hard_limit = 2;
	f.c.ipsec.life.bytes_soft_limit = 3;
	f.c.ipsec.life.bytes_hard_limit = 4;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x00, 4), 1);
	assert_int_equal(field(0x04, 1), 1); /* version */
	assert_int_equal(field(0x05, 1), 8); /* ESP */
	assert_int_equal(field(0x06, 1), 1); /* ENCRYPT */
	assert_int_equal(field(0x08, 2), 192);
	assert_int_equal(field(0x0a, 2), 0);
	assert_int_equal(field(0x0c, 2), 16);
	assert_int_equal(field(0x0e, 2), 0);
	assert_int_equal(field(0x10, 1), 8); /* IV in the packet */
	assert_int_equal(field(0x11, 1), 0);
	assert_int_equal(field(0x12, 2), 16);
	assert_memory_equal(bytes(0x14), zeros, 0x40 - 0x14);
	assert_memory_equal(bytes(0x40), key, 16);
	assert_memory_equal(bytes(0x50), zeros, 48);
	assert_int_equal(field(0x140, 4), 0x11223344);
	assert_int_equal(field(0x144, 4), 1); /* TUNNEL */
	assert_int_equal(field(0x148, 4), 0);
	assert_memory_equal(bytes(0x14c), "\xa1\xa2\xa3\xa4", 4);
	assert_int_equal(field(0x150, 8), 0); /* no ports */
	assert_int_equal(field(0x158, 8), 0x1122334455667788);
	assert_int_equal(field(0x160, 8), 2);
	assert_int_equal(field(0x168, 8), 3);
	assert_int_equal(field(0x170, 8), 4);
	assert_int_equal(field(0x178, 8), 0);
	assert_memory_equal(bytes(0x180), outer, sizeof(outer));
	assert_memory_equal(bytes(0x180 + 20), zeros, 44);
	assert_int_equal(field(0x1c0, 8), 99); /* 100 is the first number */
	assert_int_equal(field(0x1f0, 8), 99); /* and the first IV: those before it were used */
	assert_memory_equal(bytes(0x1c8), zeros, 40);
	assert_memory_equal(bytes(0x1f8), zeros, 8);
	/* The data path: outer header, ESP, IV; padding, its length, next header, ICV. */
	assert_int_equal(sa()->base.head, 20 + 8 + 8);
	assert_int_equal(sa()->base.growth, 36 + 3 + 2 + 16);
	assert_int_equal(sa()->base.iv_len, 0); /* the card makes it */
	assert_int_equal(sa()->base.command.context, SESSION_IOVA + 64);
	assert_true(sa()->base.owner == ACCEL_PROTOCOL_OWNER);
}

static void
test_v6_options(void **state)
{
	struct rte_security_ipsec_sa_options *o;
	uint8_t outer[40] = { 0x6b, 0xb1, 0x23, 0x45, 0, 0, 0, 7 };
	struct conf f;
	unsigned int i;

	(void)state;
	conf_gcm(&f, true);
	conf_chain(&f);
	o = &f.c.ipsec.options;
	f.c.ipsec.tunnel.type = RTE_SECURITY_IPSEC_TUNNEL_IPV6;
	memset(&f.c.ipsec.tunnel.ipv6, 0, sizeof(f.c.ipsec.tunnel.ipv6));
	for (i = 0; i < 32; i++)
		outer[8 + i] = (uint8_t)(0x20 + i);
	memcpy(&f.c.ipsec.tunnel.ipv6.src_addr, outer + 8, 16);
	memcpy(&f.c.ipsec.tunnel.ipv6.dst_addr, outer + 24, 16);
	f.c.ipsec.tunnel.ipv6.dscp = 46;
	f.c.ipsec.tunnel.ipv6.flabel = 0x12345;
	f.c.ipsec.tunnel.ipv6.hlimit = 7;
	o->esn = o->udp_encap = o->copy_df = o->copy_dscp = o->copy_flabel = 1;
	o->ecn = o->dec_ttl = 1;
	o->ip_csum_enable = o->l4_csum_enable = o->iv_gen_disable = 1;
	o->udp_ports_verify = 1; /* inbound only */
	o->tunnel_hdr_verify = 2;
	f.c.ipsec.udp.dport = 0x1234;
	f.c.ipsec.esn.value = UINT64_C(1) << 40;
	outer[1] = 0x80 | 0x01; /* 46 << 22 has bits in two bytes */
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x08, 2), 2);
	assert_int_equal(field(0x0a, 2), 72);
	assert_int_equal(field(0x0e, 2), 20);
	assert_int_equal(field(0x10, 1), 16);
	assert_int_equal(field(0x12, 2), 12);
	assert_memory_equal(bytes(0x80), auth_key, 20);
	assert_int_equal(field(0x144, 4), 0x1fef); /* all but UDP_VERIFY, VERIFY_DST, VERIFY_SRC */
	assert_int_equal(field(0x14c, 4), 0); /* no nonce */
	assert_int_equal(field(0x150, 2), 4500);
	assert_int_equal(field(0x152, 2), 0x1234);
	assert_memory_equal(bytes(0x180), outer, 40);
	assert_int_equal(field(0x1c0, 8), (UINT64_C(1) << 40) - 1);
	assert_int_equal(sa()->base.head, 40 + 8 + 8 + 16);
	assert_int_equal(sa()->base.growth, 72 + 15 + 2 + 12);
	assert_int_equal(sa()->base.iv_len, 16);
	assert_int_equal(sa()->base.iv_offset, IV_OFFSET);
}

/* Inbound, options of the outer header that is built have no effect. */
static void
test_inbound(void **state)
{
	struct rte_security_ipsec_sa_options *o;
	struct conf f;

	(void)state;
	conf_gcm(&f, false);
	o = &f.c.ipsec.options;
	f.c.ipsec.replay_win_sz = 4096;
	f.c.ipsec.esn.value = 5;
	o->udp_encap = o->udp_ports_verify = 1;
	o->copy_df = o->copy_dscp = o->copy_flabel = o->ecn = o->dec_ttl = o->iv_gen_disable = 1;
	o->tunnel_hdr_verify = RTE_SECURITY_IPSEC_TUNNEL_VERIFY_SRC_DST_ADDR;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x06, 1), 0);
	assert_int_equal(field(0x144, 4), 0x1 | 0x8 | 0x10 | 0x40 | 0x100 | 0x2000 | 0x4000);
	assert_int_equal(field(0x148, 4), 4096);
	assert_int_equal(field(0x1c0, 8), 4);
	for (unsigned int i = 0; i < 64; i++)
		assert_int_equal(sa()->state.window[i], 0);
	assert_int_equal(sa()->base.head, 0);
	assert_int_equal(sa()->base.growth, 0);
	assert_int_equal(sa()->base.iv_len, 0);
	o->tunnel_hdr_verify = RTE_SECURITY_IPSEC_TUNNEL_VERIFY_DST_ADDR;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x144, 4) & 0x6000, 0x2000);
	/* With ESN the numbers 1 to 4 count as received. */
	o->esn = 1;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x1c0, 8), 4);
	for (unsigned int i = 0; i < 64; i++)
		assert_int_equal(sa()->state.window[i], UINT64_MAX);
}

/* Transport mode has no outer header, and options of it have no effect. */
static void
test_transport(void **state)
{
	static const uint8_t zeros[40];
	struct conf f;

	(void)state;
	conf_gcm(&f, true);
	f.c.ipsec.mode = RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT;
	f.c.ipsec.options.copy_df = f.c.ipsec.options.copy_dscp = f.c.ipsec.options.copy_flabel = 1;
	f.c.ipsec.options.ecn = f.c.ipsec.options.dec_ttl = 1;
	f.c.ipsec.options.l4_csum_enable = 1;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x144, 4), 0x800);
	assert_memory_equal(bytes(0x180), zeros, 40);
	assert_int_equal(sa()->base.head, 16);
}

static void
test_ah(void **state)
{
	struct conf f;

	(void)state;
	conf_gcm(&f, true);
	conf_ah(&f);
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x05, 1), 9);
	assert_int_equal(field(0x08, 2), 0);
	assert_int_equal(field(0x0a, 2), 72);
	assert_int_equal(field(0x10, 1), 0);
	assert_int_equal(sa()->base.head, 20 + 24);
	assert_int_equal(sa()->base.growth, 44);
	assert_int_equal(sa()->base.rules, ACCEL_SESSION_OVERLAP);
	/* The cipher NULL stands for none. */
	conf_chain(&f);
	f.x.cipher.algo = RTE_CRYPTO_CIPHER_NULL;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x08, 2), 0);
	/* 28 bytes, which transport mode of IPv6 pads to 32. */
	conf_ah(&f);
	f.c.ipsec.mode = RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT;
	f.x.auth.algo = RTE_CRYPTO_AUTH_SHA256_HMAC;
	f.x.auth.digest_length = 16;
	assert_int_equal(create(&f), 0);
	assert_int_equal(sa()->base.head, 32);
	assert_int_equal(sa()->base.rules, ACCEL_SESSION_OVERLAP | ACCEL_SESSION_HEAD_VARIES);
	/* AES-GMAC has an IV of 8 bytes there. */
	f.x.auth.algo = RTE_CRYPTO_AUTH_AES_GMAC;
	f.x.auth.key.length = 16;
	f.x.auth.iv.length = 12;
	f.x.auth.iv.offset = 7;
	f.c.ipsec.options.iv_gen_disable = 1;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x10, 1), 8);
	assert_memory_equal(bytes(0x14c), "\xa1\xa2\xa3\xa4", 4);
	assert_int_equal(sa()->base.iv_len, 8);
	assert_int_equal(sa()->base.iv_offset, 7);
	assert_int_equal(sa()->base.head, 40);
}

/* CCM has a salt of 3 bytes; AES-CTR 4. ESP without a cipher or without an ICV has NULL. */
static void
test_other_algs(void **state)
{
	struct conf f;

	(void)state;
	conf_gcm(&f, true);
	f.x.aead.algo = RTE_CRYPTO_AEAD_AES_CCM;
	f.x.aead.iv.length = 11;
	assert_int_equal(create(&f), 0);
	assert_memory_equal(bytes(0x14c), "\xa1\xa2\xa3\x00", 4);
	assert_int_equal(field(0x10, 1), 8);
	conf_chain(&f);
	f.x.cipher.algo = RTE_CRYPTO_CIPHER_AES_CTR;
	assert_int_equal(create(&f), 0);
	assert_memory_equal(bytes(0x14c), "\xa1\xa2\xa3\xa4", 4);
	assert_int_equal(field(0x10, 1), 8);
	assert_int_equal(sa()->base.growth, 36 + 3 + 2 + 12);
	f.x.cipher.iv.length = 8;
	assert_int_equal(create(&f), 0);
	f.x.next = NULL;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x0a, 2), 64);
	assert_int_equal(field(0x12, 2), 0);
	f.c.crypto_xform = &f.y;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x08, 2), 1);
	assert_int_equal(field(0x10, 1), 0);
	/* The transforms may have any order. */
	conf_chain(&f);
	f.x.next = NULL;
	f.y.next = &f.x;
	assert_int_equal(create(&f), 0);
	assert_int_equal(field(0x0c, 2), 16);
}

/*
 * Refusals.
 */

static void
refused(struct conf *f, int code)
{
	static const struct accel_ipsec_session nothing;

	assert_int_equal(create(f), code);
	assert_memory_equal(sa(), &nothing, sizeof(nothing));
}

#define BAD(outbound, code, change)                                                                \
	do {                                                                                       \
		conf_gcm(&f, outbound);                                                            \
		change;                                                                            \
		refused(&f, code);                                                                 \
	} while (0)

static void
test_contradictions(void **state)
{
	struct rte_security_ipsec_xform *x;
	struct conf f;

	(void)state;
	x = &f.c.ipsec;
	BAD(true, -EINVAL, x->proto = 0);
	BAD(true, -EINVAL, x->proto = 3);
	BAD(true, -EINVAL, x->mode = 0);
	BAD(true, -EINVAL, x->mode = 3);
	BAD(true, -EINVAL, x->direction = 2);
	BAD(true, -EINVAL, x->tunnel.type = 0);
	BAD(true, -EINVAL, x->tunnel.type = 3);
	BAD(true, -EINVAL, x->tunnel.ipv4.dscp = 64);
	BAD(true, -EINVAL, x->esn.value = UINT64_C(1) << 32);
	BAD(true, -EINVAL, x->spi = 0);
	BAD(false, -EINVAL, x->spi = 0);
	BAD(false, -EINVAL, x->options.udp_ports_verify = 1);
	BAD(false, -EINVAL, x->options.tunnel_hdr_verify = 3);
	BAD(false, -EINVAL, {
		x->mode = RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT;
		x->options.tunnel_hdr_verify = 1;
	});
	BAD(true, -EINVAL, {
		x->tunnel.type = RTE_SECURITY_IPSEC_TUNNEL_IPV6;
		x->tunnel.ipv6.dscp = 0;
		x->tunnel.ipv6.flabel = 1 << 20;
	});
	BAD(true, -EINVAL, { conf_ah(&f); x->options.udp_encap = 1; });
	BAD(true, -EINVAL, x->proto = AH); /* with an AEAD */
	BAD(true, -EINVAL, { conf_chain(&f); x->proto = AH; }); /* with a cipher */
	BAD(true, -EINVAL, { conf_ah(&f); f.x.auth.algo = RTE_CRYPTO_AUTH_NULL; });
	BAD(true, -EINVAL, f.c.crypto_xform = NULL);
	BAD(true, -EINVAL, f.x.next = &f.x);
	BAD(true, -EINVAL, { conf_chain(&f); f.y.next = &f.x; });
	BAD(true, -EINVAL, { f.y = f.x; conf_chain(&f); f.y.type = RTE_CRYPTO_SYM_XFORM_AEAD; });
	BAD(true, -EINVAL, f.x.aead.op = RTE_CRYPTO_AEAD_OP_DECRYPT);
	BAD(false, -EINVAL, f.x.aead.op = RTE_CRYPTO_AEAD_OP_ENCRYPT);
	BAD(true, -EINVAL, { conf_chain(&f); f.x.cipher.op = RTE_CRYPTO_CIPHER_OP_DECRYPT; });
	BAD(true, -EINVAL, { conf_chain(&f); f.y.auth.op = RTE_CRYPTO_AUTH_OP_VERIFY; });
	BAD(true, -EINVAL, f.x.aead.key.length = 17);
	BAD(true, -EINVAL, f.x.aead.key.data = NULL);
	BAD(true, -EINVAL, f.x.aead.digest_length = 17);
	BAD(true, -EINVAL, f.x.aead.iv.length = 8);
	BAD(true, -EINVAL, { conf_chain(&f); f.x.cipher.iv.length = 8; });
	BAD(true, -EINVAL, { conf_chain(&f); f.y.auth.key.length = 65; });
	BAD(true, -EINVAL, { conf_chain(&f); f.y.auth.digest_length = 0; });
}

static void
test_not_offered(void **state)
{
	struct rte_security_ipsec_xform *x;
	struct conf f;

	(void)state;
	x = &f.c.ipsec;
	BAD(true, -ENOTSUP, f.c.action_type = RTE_SECURITY_ACTION_TYPE_INLINE_PROTOCOL);
	BAD(true, -ENOTSUP, x->options.ip_reassembly_en = 1);
	BAD(false, -ENOTSUP, x->replay_win_sz = 4097);
	BAD(true, -ENOTSUP, f.x.aead.algo = RTE_CRYPTO_AEAD_CHACHA20_POLY1305);
	BAD(true, -ENOTSUP, { conf_chain(&f); f.x.cipher.algo = RTE_CRYPTO_CIPHER_AES_XTS; });
	BAD(true, -ENOTSUP, { conf_chain(&f); f.x.cipher.algo = RTE_CRYPTO_CIPHER_3DES_CBC; });
	BAD(true, -ENOTSUP, { conf_chain(&f); f.y.auth.algo = RTE_CRYPTO_AUTH_SHA1; });
	BAD(true, -ENOTSUP, { /* RFC 4543 */
		conf_chain(&f);
		f.y.auth.algo = RTE_CRYPTO_AUTH_AES_GMAC;
		f.y.auth.key.length = 16;
		f.y.auth.iv.length = 12;
	});
	dev.dt.esp.options &= ~(ACCEL_HW_IPSEC_ESN | ACCEL_HW_IPSEC_OUTER_V6);
	dev.dt.esp.transport = false;
	BAD(true, -ENOTSUP, x->options.esn = 1);
	BAD(true, -ENOTSUP, {
		x->tunnel.type = RTE_SECURITY_IPSEC_TUNNEL_IPV6;
		x->tunnel.ipv6.dscp = 0;
		x->tunnel.ipv6.flabel = 0;
	});
	BAD(true, -ENOTSUP, x->mode = RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT);
	dev.dt.esp.ciphers &= ~(UINT64_C(1) << 1);
	dev.dt.esp.auths &= ~UINT64_C(1);
	BAD(true, -ENOTSUP, { conf_chain(&f); f.c.crypto_xform = &f.y; });
	BAD(true, -ENOTSUP, { conf_chain(&f); f.x.next = NULL; });
	dev.dt.esp.present = false;
	BAD(true, -ENOTSUP, (void)0);
	dev.dt.ah.present = false;
	BAD(true, -ENOTSUP, conf_ah(&f));
}
#undef BAD

/*
 * The life of a session.
 */

static void
test_update(void **state)
{
	const uint32_t *words = (const uint32_t *)(bar + INVALIDATE_PAGE);
	const uint64_t context = SESSION_IOVA + 64;
	struct conf f;

	(void)state;
	conf_gcm(&f, false);
	f.c.ipsec.replay_win_sz = 64;
	assert_int_equal(create(&f), 0);
	/* The card has counted, and has made IVs, which may not repeat. */
	sa()->state.packets = 7;
	sa()->state.iv_count = 2000;
	f.c.ipsec.esn.value = 1000;
	f.c.ipsec.replay_win_sz = 128;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), 0);
	assert_int_equal(field(0x148, 4), 128);
	assert_int_equal(field(0x1c0, 8), 999);
	assert_int_equal(field(0x1c8, 8), 7);
	assert_int_equal(field(0x1f0, 8), 2000);
	/* What is below the new number counts as received. */
	for (unsigned int i = 0; i < 64; i++)
		assert_int_equal(sa()->state.window[i], UINT64_MAX);
	assert_int_equal(field(0, 4), 2); /* a new generation, and the old one dropped */
	assert_int_equal(sa()->base.command.generation, 2);
	assert_int_equal(words[((context >> 6) ^ (context >> 16)) & 1023], 1);
	f.c.ipsec.spi++;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), -ENOTSUP);
	f.c.ipsec.spi--;
	f.x.aead.key.data = auth_key;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), -ENOTSUP);
	f.x.aead.key.data = NULL;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), -EINVAL);
	f.x.aead.key.data = key;
	f.c.ipsec.replay_win_sz = 5000;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), -ENOTSUP);
	assert_int_equal(field(0, 4), 2);
	assert_int_equal(field(0x148, 4), 128);
}

/* A reset may change what the card can do. A session learns that with its next update. */
static void
test_update_overlap(void **state)
{
	struct conf f;

	(void)state;
	conf_gcm(&f, true);
	conf_ah(&f);
	f.x.auth.digest_length = 16; /* AH has other padding in IPv6 than in IPv4 */
	f.c.ipsec.mode = RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT;
	assert_int_equal(create(&f), 0);
	assert_int_equal(sa()->base.rules, ACCEL_SESSION_OVERLAP | ACCEL_SESSION_HEAD_VARIES);
	dev.dt.ah.overlap = false;
	f.c.ipsec.spi++;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), -ENOTSUP);
	assert_int_equal(sa()->base.rules, ACCEL_SESSION_OVERLAP | ACCEL_SESSION_HEAD_VARIES);
	f.c.ipsec.spi--;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), 0);
	assert_int_equal(sa()->base.rules, ACCEL_SESSION_HEAD_VARIES);
	dev.dt.ah.overlap = true;
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), 0);
	assert_int_equal(sa()->base.rules, ACCEL_SESSION_OVERLAP | ACCEL_SESSION_HEAD_VARIES);
}

static void
test_stats_destroy(void **state)
{
	static const struct accel_ipsec_session nothing;
	struct rte_security_stats stats;
	struct conf f;

	(void)state;
	conf_gcm(&f, true);
	assert_int_equal(create(&f), 0);
	sa()->state.packets = 1;
	sa()->state.bytes = UINT64_C(1) << 40;
	sa()->state.errors = 3;
	memset(&stats, 0xff, sizeof(stats));
	assert_int_equal(ops->session_stats_get(&cryptodev, session(), &stats), 0);
	assert_int_equal(stats.protocol, RTE_SECURITY_PROTOCOL_IPSEC);
	assert_int_equal(stats.ipsec.opackets, 1);
	assert_int_equal(stats.ipsec.obytes, UINT64_C(1) << 40);
	assert_int_equal(stats.ipsec.oerrors, 3);
	assert_int_equal(stats.ipsec.ipackets | stats.ipsec.ibytes | stats.ipsec.ierrors, 0);
	assert_int_equal(ops->session_stats_get(&cryptodev, NULL, &stats), -ENOTSUP);
	assert_int_equal(ops->session_stats_get(&cryptodev, session(), NULL), -EINVAL);
	assert_int_equal(ops->session_destroy(&cryptodev, session()), 0);
	assert_memory_equal(sa(), &nothing, sizeof(nothing));
	assert_int_equal(ops->session_stats_get(&cryptodev, session(), &stats), -EINVAL);
	assert_int_equal(ops->session_update(&cryptodev, session(), &f.c), -EINVAL);
	conf_gcm(&f, false);
	assert_int_equal(create(&f), 0);
	sa()->state.packets = 5;
	assert_int_equal(ops->session_stats_get(&cryptodev, session(), &stats), 0);
	assert_int_equal(stats.ipsec.ipackets, 5);
	assert_int_equal(stats.ipsec.opackets, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown_device)
		TEST(test_capabilities),
		TEST(test_gcm_tunnel),
		TEST(test_v6_options),
		TEST(test_inbound),
		TEST(test_transport),
		TEST(test_ah),
		TEST(test_other_algs),
		TEST(test_contradictions),
		TEST(test_not_offered),
		TEST(test_update),
		TEST(test_update_overlap),
		TEST(test_stats_destroy),
	};

	if (start_eal_silent("test_ipsec") < 0)
		return 1;
	return cmocka_run_group_tests_name("ipsec", tests, NULL, NULL);
}
