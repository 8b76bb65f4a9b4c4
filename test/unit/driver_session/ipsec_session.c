/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A device with IPsec in plain memory, and configurations of SAs, for tests without a device.
 */
#include "driver_session/ipsec_session.h"

uint8_t auth_key[64];

static void
make_tree(void)
{
	struct accel_devtree *dt = &dev.dt;

	dt->alg[1] = (struct accel_dt_alg)ALG(CIPHER, 1, RANGE(0, 0, 0), RANGE(0, 0, 0), { 0 });
	dt->alg[2] = (struct accel_dt_alg)ALG(CIPHER, 16, RANGE(16, 32, 8), RANGE(16, 16, 0),
					      { 0 });
	dt->alg[3] = (struct accel_dt_alg)ALG(CIPHER, 1, RANGE(16, 32, 8), RANGE(16, 16, 0), { 0 });
	dt->alg[64] = (struct accel_dt_alg)ALG(AUTH, 1, RANGE(0, 0, 0), RANGE(0, 0, 0),
					       RANGE(0, 0, 0));
	dt->alg[72] = (struct accel_dt_alg)ALG(AUTH, 64, RANGE(1, 64, 1), RANGE(0, 0, 0),
					       RANGE(1, 20, 1));
	dt->alg[74] = (struct accel_dt_alg)ALG(AUTH, 64, RANGE(1, 64, 1), RANGE(0, 0, 0),
					       RANGE(1, 32, 1));
	dt->alg[77] = (struct accel_dt_alg)ALG(AUTH, 16, RANGE(16, 32, 8), RANGE(12, 16, 4),
					       RANGE(1, 16, 1));
	dt->alg[192] = (struct accel_dt_alg){ ACCEL_ALG_AEAD, 16, RANGE(16, 32, 8),
					      RANGE(12, 16, 4), RANGE(1, 16, 1),
					      RANGE(0, 65535, 1), 0, 0 };
	dt->alg[193] = (struct accel_dt_alg){ ACCEL_ALG_AEAD, 16, RANGE(16, 32, 8), RANGE(7, 13, 1),
					      RANGE(4, 16, 2), RANGE(0, 65535, 1), 0, 0 };
	dt->esp = (struct accel_dt_protocol){
		.present = true, .ciphers = 1 << 1 | 1 << 2 | 1 << 3,
		.auths = 1 << 0 | 1 << 8 | 1 << 10 | 1 << 13, .aeads = 3, .options = 0x7fff,
		.replay_window_max = 4096, .transport = true, .overlap = true,
	};
	dt->ah = (struct accel_dt_protocol){
		.present = true, .ciphers = 1 << 1, .auths = 1 << 8 | 1 << 10 | 1 << 13,
		.options = 0x7fff, .replay_window_max = 4096, .transport = true, .overlap = true,
	};
}

int
setup_device(void)
{
	unsigned int i;

	reset_device();
	make_tree();
	for (i = 0; i < sizeof(auth_key); i++)
		auth_key[i] = (uint8_t)(0x80 + i);
	make_caps();
	return 0;
}

void
conf_gcm(struct conf *f, bool outbound)
{
	static const uint8_t salt[] = { 0xa1, 0xa2, 0xa3, 0xa4 };
	static const uint8_t addresses[] = { 10, 1, 2, 3, 10, 4, 5, 6 };
	struct rte_security_ipsec_xform *x = &f->c.ipsec;

	memset(f, 0, sizeof(*f));
	f->c.action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
	f->c.protocol = RTE_SECURITY_PROTOCOL_IPSEC;
	f->c.crypto_xform = &f->x;
	x->spi = 0x11223344;
	memcpy(&x->salt, salt, 4);
	x->proto = RTE_SECURITY_IPSEC_SA_PROTO_ESP;
	x->mode = RTE_SECURITY_IPSEC_SA_MODE_TUNNEL;
	x->direction = outbound ? RTE_SECURITY_IPSEC_SA_DIR_EGRESS :
				  RTE_SECURITY_IPSEC_SA_DIR_INGRESS;
	x->tunnel.type = RTE_SECURITY_IPSEC_TUNNEL_IPV4;
	memcpy(&x->tunnel.ipv4.src_ip, addresses, 4);
	memcpy(&x->tunnel.ipv4.dst_ip, addresses + 4, 4);
	f->x.type = RTE_CRYPTO_SYM_XFORM_AEAD;
	f->x.aead.op = outbound ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT;
	f->x.aead.algo = RTE_CRYPTO_AEAD_AES_GCM;
	f->x.aead.key.data = key;
	f->x.aead.key.length = 16;
	f->x.aead.iv.offset = IV_OFFSET;
	f->x.aead.iv.length = 12;
	f->x.aead.digest_length = 16;
	f->x.aead.aad_length = 8;
}

void
conf_chain(struct conf *f)
{
	const bool outbound = f->c.ipsec.direction == RTE_SECURITY_IPSEC_SA_DIR_EGRESS;

	memset(&f->x, 0, sizeof(f->x));
	memset(&f->y, 0, sizeof(f->y));
	f->x.type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	f->x.cipher.op = outbound ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT;
	f->x.cipher.algo = RTE_CRYPTO_CIPHER_AES_CBC;
	f->x.cipher.key.data = key;
	f->x.cipher.key.length = 16;
	f->x.cipher.iv.offset = IV_OFFSET;
	f->x.cipher.iv.length = 16;
	f->y.type = RTE_CRYPTO_SYM_XFORM_AUTH;
	f->y.auth.op = outbound ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
	f->y.auth.algo = RTE_CRYPTO_AUTH_SHA1_HMAC;
	f->y.auth.key.data = auth_key;
	f->y.auth.key.length = 20;
	f->y.auth.digest_length = 12;
	f->x.next = &f->y;
}

void
conf_ah(struct conf *f)
{
	conf_chain(f);
	f->x = f->y;
	f->c.ipsec.proto = RTE_SECURITY_IPSEC_SA_PROTO_AH;
}
