/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sessions for the driver's fuzz targets: see session.h.
 */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_security_driver.h>

#include "accel_asym_session.h"
#include "accel_compat.h"
#include "accel_session.h"

static uint8_t key[64] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static struct rte_crypto_sym_xform first, second;

bool
session_is_asym(enum session_kind kind)
{
	return kind >= SESSION_MODEX;
}

bool
session_is_security(enum session_kind kind)
{
	return kind >= SESSION_ESP_OUT && kind < SESSION_MODEX;
}

uint32_t
session_digest(enum session_kind kind)
{
	static const uint8_t digest[SESSION_KINDS] = {
		[SESSION_GCM_SEAL] = 16, [SESSION_GCM_OPEN] = 16, [SESSION_CHAIN] = 20,
		[SESSION_CHAIN_VERIFY] = 20, [SESSION_AUTH] = 32, [SESSION_AUTH_VERIFY] = 32,
		[SESSION_DIGEST_FIRST] = 20,
	};

	return digest[kind];
}

uint32_t
session_aad(enum session_kind kind)
{
	return kind == SESSION_GCM_SEAL || kind == SESSION_GCM_OPEN ? 12 : 0;
}

static void
cipher(struct rte_crypto_sym_xform *x, enum rte_crypto_cipher_algorithm algo, bool encrypt)
{
	*x = (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = encrypt ? RTE_CRYPTO_CIPHER_OP_ENCRYPT :
					RTE_CRYPTO_CIPHER_OP_DECRYPT,
			.algo = algo,
			.key = { .data = key, .length = 16 },
			.iv = { .offset = SESSION_IV_OFFSET, .length = 16 },
		},
	};
}

static void
auth(struct rte_crypto_sym_xform *x, enum rte_crypto_auth_algorithm algo, uint16_t digest,
     bool generate)
{
	*x = (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = {
			.op = generate ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY,
			.algo = algo,
			.key = { .data = key, .length = digest },
			.digest_length = digest,
		},
	};
}

static void
aead(struct rte_crypto_sym_xform *x, bool encrypt, uint16_t aad)
{
	*x = (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_AEAD,
		.aead = {
			.op = encrypt ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT,
			.algo = RTE_CRYPTO_AEAD_AES_GCM,
			.key = { .data = key, .length = 16 },
			.iv = { .offset = SESSION_IV_OFFSET, .length = 12 },
			.digest_length = 16,
			.aad_length = aad,
		},
	};
}

struct rte_crypto_sym_xform *
session_xform(enum session_kind kind)
{
	memset(&second, 0, sizeof(second));
	switch (kind) {
	case SESSION_CTR:
		cipher(&first, RTE_CRYPTO_CIPHER_AES_CTR, true);
		break;
	case SESSION_GCM_SEAL:
	case SESSION_GCM_OPEN:
		aead(&first, kind == SESSION_GCM_SEAL, 12);
		break;
	case SESSION_CHAIN:
		cipher(&first, RTE_CRYPTO_CIPHER_AES_CBC, true);
		auth(&second, RTE_CRYPTO_AUTH_SHA1_HMAC, 20, true);
		first.next = &second;
		break;
	case SESSION_CHAIN_VERIFY:
		auth(&first, RTE_CRYPTO_AUTH_SHA1_HMAC, 20, false);
		cipher(&second, RTE_CRYPTO_CIPHER_AES_CBC, false);
		first.next = &second;
		break;
	case SESSION_AUTH:
	case SESSION_AUTH_VERIFY:
		auth(&first, RTE_CRYPTO_AUTH_SHA256_HMAC, 32, kind == SESSION_AUTH);
		break;
	case SESSION_DIGEST_FIRST:
		auth(&first, RTE_CRYPTO_AUTH_SHA1_HMAC, 20, true);
		cipher(&second, RTE_CRYPTO_CIPHER_AES_CTR, true);
		first.next = &second;
		break;
	case SESSION_BITS:
		cipher(&first, RTE_CRYPTO_CIPHER_SNOW3G_UEA2, true);
		break;
	default:
		cipher(&first, RTE_CRYPTO_CIPHER_AES_CBC, true);
		break;
	}
	return &first;
}

static void *
symmetric_new(struct rte_cryptodev *cryptodev, struct rte_crypto_sym_xform *xform)
{
	const size_t size = RTE_ALIGN_CEIL(sizeof(struct rte_cryptodev_sym_session) +
					   accel_sym_session_get_size(cryptodev), 64u);
	struct rte_cryptodev_sym_session *s = aligned_alloc(64, size);

	memset(s, 0, size);
	s->driver_id = cryptodev->driver_id;
	s->driver_priv_data_iova = (uintptr_t)s->driver_priv_data;
	if (accel_sym_session_configure(cryptodev, xform, s) == 0)
		return s;
	free(s);
	return NULL;
}

static void
tunnel(struct rte_security_session_conf *c, enum rte_security_ipsec_sa_protocol proto, bool out)
{
	c->protocol = RTE_SECURITY_PROTOCOL_IPSEC;
	c->ipsec.spi = 0x11223344;
	c->ipsec.proto = proto;
	c->ipsec.mode = RTE_SECURITY_IPSEC_SA_MODE_TUNNEL;
	c->ipsec.direction = out ? RTE_SECURITY_IPSEC_SA_DIR_EGRESS :
				   RTE_SECURITY_IPSEC_SA_DIR_INGRESS;
	c->ipsec.tunnel.type = RTE_SECURITY_IPSEC_TUNNEL_IPV4;
	memcpy(&c->ipsec.tunnel.ipv4.src_ip, key, 4);
	memcpy(&c->ipsec.tunnel.ipv4.dst_ip, key + 4, 4);
}

static void
esp(struct rte_security_session_conf *c, bool out)
{
	tunnel(c, RTE_SECURITY_IPSEC_SA_PROTO_ESP, out);
	aead(&first, out, 8);
}

static void
ah(struct rte_security_session_conf *c, bool out)
{
	tunnel(c, RTE_SECURITY_IPSEC_SA_PROTO_AH, out);
	auth(&first, RTE_CRYPTO_AUTH_SHA1_HMAC, 12, out);
	first.auth.key.length = 20;
}

/* Records of TLS 1.3; false if DPDK's version has none. */
static bool
tls(struct rte_security_session_conf *c, bool out)
{
#if ACCEL_HAS_TLS_RECORD
	c->protocol = RTE_SECURITY_PROTOCOL_TLS_RECORD;
	c->tls_record.ver = RTE_SECURITY_VERSION_TLS_1_3;
	c->tls_record.type = out ? RTE_SECURITY_TLS_SESS_TYPE_WRITE :
				   RTE_SECURITY_TLS_SESS_TYPE_READ;
	memcpy(c->tls_record.tls_1_3.imp_nonce, key, sizeof(c->tls_record.tls_1_3.imp_nonce));
	aead(&first, out, 5);
	return true;
#else
	(void)c;
	(void)out;
	return false;
#endif
}

static void
pdcp(struct rte_security_session_conf *c)
{
	c->protocol = RTE_SECURITY_PROTOCOL_PDCP;
	c->pdcp.bearer = 3;
	c->pdcp.domain = RTE_SECURITY_PDCP_MODE_DATA;
	c->pdcp.pkt_dir = RTE_SECURITY_PDCP_UPLINK;
	c->pdcp.sn_size = RTE_SECURITY_PDCP_SN_SIZE_12;
	c->pdcp.hfn_threshold = 0xfffff;
	cipher(&first, RTE_CRYPTO_CIPHER_AES_CTR, true);
	auth(&second, RTE_CRYPTO_AUTH_AES_CMAC, 4, true);
	second.auth.key.length = 16;
	first.next = &second;
}

static void *
security_new(struct rte_cryptodev *cryptodev, enum session_kind kind)
{
	const struct rte_security_ctx *ctx = cryptodev->security_ctx;
	struct rte_security_session_conf c = {
		.action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL,
		.crypto_xform = &first,
	};
	struct rte_security_session *s;
	size_t size;

	if (ctx == NULL)
		return NULL;
	memset(&second, 0, sizeof(second));
	if (kind == SESSION_PDCP) {
		pdcp(&c);
	} else if (kind == SESSION_DOCSIS) {
		c.protocol = RTE_SECURITY_PROTOCOL_DOCSIS;
		c.docsis.direction = RTE_SECURITY_DOCSIS_DOWNLINK;
		cipher(&first, RTE_CRYPTO_CIPHER_AES_DOCSISBPI, true);
	} else if (kind == SESSION_TLS_WRITE || kind == SESSION_TLS_READ) {
		if (!tls(&c, kind == SESSION_TLS_WRITE))
			return NULL;
	} else if (kind == SESSION_AH_OUT || kind == SESSION_AH_IN) {
		ah(&c, kind == SESSION_AH_OUT);
	} else {
		esp(&c, kind == SESSION_ESP_OUT);
	}
	size = RTE_ALIGN_CEIL(sizeof(*s) + ctx->ops->session_get_size(ctx->device), 64u);
	s = aligned_alloc(64, size);
	memset(s, 0, size);
	s->driver_priv_data_iova = (uintptr_t)s->driver_priv_data;
	if (ctx->ops->session_create(ctx->device, &c, s) == 0)
		return s;
	free(s);
	return NULL;
}

void *
session_new(struct rte_cryptodev *cryptodev, enum session_kind kind)
{
	if (session_is_asym(kind))
		return session_new_asym(cryptodev, kind);
	if (session_is_security(kind))
		return security_new(cryptodev, kind);
	return symmetric_new(cryptodev, session_xform(kind));
}

void
session_free(struct rte_cryptodev *cryptodev, enum session_kind kind, void *session)
{
	const struct rte_security_ctx *ctx = cryptodev->security_ctx;

	if (session == NULL)
		return;
	if (session_is_asym(kind))
		accel_asym_session_clear(cryptodev, session);
	else if (session_is_security(kind))
		ctx->ops->session_destroy(ctx->device, session);
	else
		accel_sym_session_clear(cryptodev, session);
	free(session);
}
