/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Does the protocols of the bench: see security_cases.h.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include <rte_byteorder.h>
#include <rte_ip.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>

#include "ref_ipsec.h"
#include "ref_protocol.h"
#include "security_cases.h"

static uint8_t key[16] = { 0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe, 1, 2, 3, 4, 5, 6, 7, 8 };
static uint8_t auth_key[32] = { 0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78, 9, 10, 11, 12 };
static const uint8_t iv_of_session[16] = { 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9 };

static uint8_t *
iv_of(struct rte_crypto_op *op)
{
	return rte_crypto_op_ctod_offset(op, uint8_t *, ANY_IV_OFFSET);
}

/* ------------------------------------------------------------------ sessions */

static bool
has_protocol(const struct security *s, enum rte_security_session_protocol protocol)
{
	const struct rte_security_capability *c =
			s->ctx != NULL ? rte_security_capabilities_get(s->ctx) : NULL;

	for (; c != NULL && c->action != RTE_SECURITY_ACTION_TYPE_NONE; c++) {
		if (c->action == RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL &&
		    c->protocol == protocol)
			return true;
	}
	return false;
}

static int
open_offloaded(struct security *s, struct rte_security_session_conf *conf)
{
	conf->action_type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
	s->session = rte_security_session_create(s->ctx, conf, s->mp);
	s->offloaded = true;
	return s->session != NULL ? 0 : -EIO;
}

static int
open_plain(struct security *s, struct rte_crypto_sym_xform *xform)
{
	s->session = rte_cryptodev_sym_session_create(s->device.id, xform, s->device.session_mp);
	s->offloaded = false;
	return s->session != NULL ? 0 : -EIO;
}

void
security_close(struct security *s)
{
	if (s->session != NULL && s->offloaded)
		rte_security_session_destroy(s->ctx, s->session);
	else if (s->session != NULL)
		rte_cryptodev_sym_session_free(s->device.id, s->session);
	rte_free(s->sa);
	s->session = NULL;
	s->sa = NULL;
}

static struct rte_crypto_sym_xform
cipher_of(enum rte_crypto_cipher_algorithm algo, uint16_t iv_len)
{
	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			.algo = algo,
			.key = { .data = key, .length = sizeof(key) },
			.iv = { .offset = ANY_IV_OFFSET, .length = iv_len },
		},
	};
}

static struct rte_crypto_sym_xform
auth_of(enum rte_crypto_auth_algorithm algo, uint16_t key_len, uint16_t digest_len)
{
	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = {
			.op = RTE_CRYPTO_AUTH_OP_GENERATE,
			.algo = algo,
			.key = { .data = auth_key, .length = key_len },
			.digest_length = digest_len,
		},
	};
}

static struct rte_crypto_sym_xform
gcm_of(uint16_t aad_len)
{
	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_AEAD,
		.aead = {
			.op = RTE_CRYPTO_AEAD_OP_ENCRYPT,
			.algo = RTE_CRYPTO_AEAD_AES_GCM,
			.key = { .data = key, .length = sizeof(key) },
			.iv = { .offset = ANY_IV_OFFSET, .length = 12 },
			.digest_length = 16,
			.aad_length = aad_len,
		},
	};
}

/* ------------------------------------------------------------------ DOCSIS */

#define DOCSIS_MAC 12u /* addresses, which stay in the clear */
#define CRC_LEN 4u

static int
docsis_open(struct security *s)
{
	struct rte_crypto_sym_xform cipher = cipher_of(RTE_CRYPTO_CIPHER_AES_DOCSISBPI, 16);
	struct rte_security_session_conf conf = {
		.protocol = RTE_SECURITY_PROTOCOL_DOCSIS,
		.docsis = { .direction = RTE_SECURITY_DOCSIS_DOWNLINK },
		.crypto_xform = &cipher,
	};

	if (!has_protocol(s, RTE_SECURITY_PROTOCOL_DOCSIS))
		return -ENOTSUP;
	return open_offloaded(s, &conf);
}

static int
docsis_prepare(struct security *s, struct rte_crypto_op **ops, uint16_t n)
{
	uint16_t i;

	for (i = 0; i < n; i++) {
		struct rte_crypto_sym_op *sym = ops[i]->sym;

		rte_security_attach_session(ops[i], s->session);
		sym->cipher.data.offset = DOCSIS_MAC;
		sym->cipher.data.length = s->len - DOCSIS_MAC;
		sym->auth.data.offset = 0;
		sym->auth.data.length = s->len - CRC_LEN;
		memcpy(iv_of(ops[i]), iv_of_session, 16);
	}
	return 0;
}

/* AES-CBC, and for what is left of a block the last ciphertext, encrypted once more. */
static bool
docsis_right(const struct security *s, const uint8_t *plain, const struct rte_mbuf *m)
{
	static const uint8_t zeros[16];
	static uint8_t wanted[SECURITY_MOST];
	const uint16_t len = s->len - DOCSIS_MAC, whole = len / 16 * 16;
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t last[16], *at = wanted + DOCSIS_MAC;
	uint16_t i;
	bool good;
	int n;

	memcpy(wanted, plain, s->len);
	ref_crc32(plain, s->len - CRC_LEN, wanted + s->len - CRC_LEN);
	good = ctx != NULL &&
	       EVP_EncryptInit_ex(ctx, EVP_aes_128_cbc(), NULL, key, iv_of_session) == 1 &&
	       EVP_CIPHER_CTX_set_padding(ctx, 0) == 1 &&
	       EVP_EncryptUpdate(ctx, at, &n, at, whole) == 1 &&
	       EVP_EncryptUpdate(ctx, last, &n, zeros, sizeof(zeros)) == 1;
	EVP_CIPHER_CTX_free(ctx);
	for (i = whole; i < len; i++)
		at[i] ^= last[i % 16];
	return good && m->pkt_len == s->len &&
	       memcmp(rte_pktmbuf_mtod(m, const uint8_t *), wanted, s->len) == 0;
}

/* ------------------------------------------------------------------ PDCP */

#define PDCP_SN 12u
#define PDCP_HEADER 2u
#define PDCP_BEARER 5u
#define PDCP_HFN 0x12345u
#define PDCP_PREFIX 8u /* of what the MAC is of (TS 33.501, D.3.1.3) */
#define PDCP_MAC 4u

enum { PDCP_CIPHER, PDCP_BOTH };

static int
pdcp_open(struct security *s)
{
	struct rte_crypto_sym_xform cipher = cipher_of(RTE_CRYPTO_CIPHER_AES_CTR, 0);
	struct rte_crypto_sym_xform auth =
			auth_of(RTE_CRYPTO_AUTH_AES_CMAC, sizeof(key), PDCP_MAC);
	const bool both = s->now->variant == PDCP_BOTH;
	struct rte_security_session_conf conf = {
		.protocol = RTE_SECURITY_PROTOCOL_PDCP,
		.pdcp = {
			.bearer = PDCP_BEARER,
			.domain = RTE_SECURITY_PDCP_MODE_DATA,
			.pkt_dir = RTE_SECURITY_PDCP_DOWNLINK,
			.sn_size = RTE_SECURITY_PDCP_SN_SIZE_12,
			.hfn = PDCP_HFN,
		},
		.crypto_xform = both ? &auth : &cipher,
	};

	auth.next = &cipher;
	if (has_protocol(s, RTE_SECURITY_PROTOCOL_PDCP)) {
		auth.auth.digest_length = 0;
		return open_offloaded(s, &conf);
	}
	cipher.cipher.iv.length = 16;
	return open_plain(s, conf.crypto_xform);
}

static void
pdcp_arrive(struct security *s, struct rte_mbuf *m)
{
	uint8_t *header = rte_pktmbuf_mtod(m, uint8_t *);

	header[0] = (uint8_t)(0x80 | (s->number >> 8 & 15));
	header[1] = (uint8_t)s->number;
}

/* Writes COUNT, bearer and direction, with which both inputs begin. */
static void
pdcp_prefix(const uint8_t *header, uint8_t *to)
{
	const uint32_t number = (uint32_t)(header[0] & 15) << 8 | header[1];

	memcpy(to, &(uint32_t){ rte_cpu_to_be_32(PDCP_HFN << PDCP_SN | number) }, 4);
	memcpy(to + 4, (const uint8_t[]){ PDCP_BEARER << 3 | 1 << 2, 0, 0, 0 }, 4);
}

static void
pdcp_by_hand(struct security *s, struct rte_crypto_op *op)
{
	struct rte_mbuf *m = op->sym->m_src;
	const uint8_t *header = rte_pktmbuf_mtod(m, const uint8_t *);
	uint8_t *at;

	rte_crypto_op_attach_sym_session(op, s->session);
	pdcp_prefix(header, iv_of(op));
	memset(iv_of(op) + PDCP_PREFIX, 0, 16 - PDCP_PREFIX);
	op->sym->cipher.data.offset = PDCP_HEADER;
	op->sym->cipher.data.length = s->len - PDCP_HEADER;
	if (s->now->variant == PDCP_CIPHER)
		return;
	at = (uint8_t *)rte_pktmbuf_append(m, PDCP_MAC);
	op->sym->auth.digest.data = at;
	op->sym->auth.digest.phys_addr = rte_pktmbuf_iova_offset(m, s->len);
	pdcp_prefix(header, (uint8_t *)rte_pktmbuf_prepend(m, PDCP_PREFIX));
	op->sym->auth.data.offset = 0;
	op->sym->auth.data.length = PDCP_PREFIX + s->len;
	op->sym->cipher.data.offset += PDCP_PREFIX;
	op->sym->cipher.data.length += PDCP_MAC;
}

static int
pdcp_prepare(struct security *s, struct rte_crypto_op **ops, uint16_t n)
{
	uint16_t i;

	for (i = 0; i < n; i++) {
		if (s->offloaded)
			rte_security_attach_session(ops[i], s->session);
		else
			pdcp_by_hand(s, ops[i]);
	}
	return 0;
}

static int
pdcp_process(struct security *s, struct rte_crypto_op **ops, uint16_t n)
{
	uint16_t i;

	for (i = 0; i < n && !s->offloaded && s->now->variant == PDCP_BOTH; i++)
		rte_pktmbuf_adj(ops[i]->sym->m_src, PDCP_PREFIX);
	return 0;
}

static bool
pdcp_right(const struct security *s, const uint8_t *plain, const struct rte_mbuf *m)
{
	static uint8_t wanted[SECURITY_MOST + PDCP_MAC];
	struct ref_pdcp p = {
		.cipher = REF_PDCP_AES,
		.auth = s->now->variant == PDCP_BOTH ? REF_PDCP_AES : REF_PDCP_NONE,
		.sn_len = PDCP_SN,
		.bearer = PDCP_BEARER,
		.direction = 1,
		.hfn = PDCP_HFN,
	};
	size_t len;

	memcpy(p.key, key, sizeof(p.key));
	memcpy(p.auth_key, auth_key, sizeof(p.auth_key));
	len = ref_pdcp_send(&p, plain, s->len, wanted);
	return len != 0 && m->pkt_len == len &&
	       memcmp(rte_pktmbuf_mtod(m, const uint8_t *), wanted, len) == 0;
}

/* ------------------------------------------------------------------ IPsec */

#define SPI 0x1234u
#define SALT 0xa1b2c3d4u

enum { IPSEC_GCM, IPSEC_SHA1, IPSEC_SHA256 };

static const struct rte_ipv4_hdr outer = {
	.version_ihl = 0x45,
	.time_to_live = 64,
	.next_proto_id = IPPROTO_ESP,
	.src_addr = RTE_BE32(0x0a010001),
	.dst_addr = RTE_BE32(0x0a010002),
};

static const struct rte_security_ipsec_xform ipsec_xform = {
	.spi = SPI,
	.salt = SALT,
	.direction = RTE_SECURITY_IPSEC_SA_DIR_EGRESS,
	.proto = RTE_SECURITY_IPSEC_SA_PROTO_ESP,
	.mode = RTE_SECURITY_IPSEC_SA_MODE_TUNNEL,
	.tunnel = {
		.type = RTE_SECURITY_IPSEC_TUNNEL_IPV4,
		.ipv4 = {
			.src_ip.s_addr = RTE_BE32(0x0a010001),
			.dst_ip.s_addr = RTE_BE32(0x0a010002),
			.ttl = 64,
		},
	},
};

/* Makes the SA of librte_ipsec, which both kinds of devices have. */
static int
ipsec_sa(struct security *s, struct rte_crypto_sym_xform *xform)
{
	const struct rte_ipsec_sa_prm prm = {
		.ipsec_xform = ipsec_xform,
		.crypto_xform = xform,
		.tun = {
			.hdr_len = sizeof(outer), .next_proto = IPPROTO_IPIP, .hdr = &outer,
		},
	};
	const int size = rte_ipsec_sa_size(&prm);

	s->sa = size > 0 ? rte_zmalloc(NULL, size, RTE_CACHE_LINE_SIZE) : NULL;
	if (s->sa == NULL || rte_ipsec_sa_init(s->sa, &prm, size) <= 0)
		return -EIO;
	memset(&s->ipsec, 0, sizeof(s->ipsec));
	s->ipsec.sa = s->sa;
	if (s->offloaded) {
		s->ipsec.type = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
		s->ipsec.security.ses = s->session;
		s->ipsec.security.ctx = s->ctx;
	} else {
		s->ipsec.type = RTE_SECURITY_ACTION_TYPE_NONE;
		s->ipsec.crypto.ses = s->session;
		s->ipsec.crypto.dev_id = s->device.id;
	}
	return rte_ipsec_session_prepare(&s->ipsec);
}

static int
ipsec_open(struct security *s)
{
	struct rte_crypto_sym_xform gcm = gcm_of(8);
	struct rte_crypto_sym_xform cipher = cipher_of(RTE_CRYPTO_CIPHER_AES_CBC, 16);
	struct rte_crypto_sym_xform auth = s->now->variant == IPSEC_SHA1 ?
			auth_of(RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 12) :
			auth_of(RTE_CRYPTO_AUTH_SHA256_HMAC, 32, 16);
	struct rte_crypto_sym_xform *xform = s->now->variant == IPSEC_GCM ? &gcm : &cipher;
	struct rte_security_session_conf conf = {
		.protocol = RTE_SECURITY_PROTOCOL_IPSEC,
		.ipsec = ipsec_xform,
		.crypto_xform = xform,
	};
	int ret;

	cipher.next = &auth;
	ret = has_protocol(s, RTE_SECURITY_PROTOCOL_IPSEC) ? open_offloaded(s, &conf) :
							      open_plain(s, xform);
	return ret == 0 ? ipsec_sa(s, xform) : ret;
}

static void
ipsec_arrive(struct security *s, struct rte_mbuf *m)
{
	struct rte_ipv4_hdr inner = outer;

	inner.next_proto_id = IPPROTO_UDP;
	inner.total_length = rte_cpu_to_be_16(s->len);
	memcpy(rte_pktmbuf_mtod(m, void *), &inner, sizeof(inner));
	m->l2_len = 0;
	m->l3_len = sizeof(inner);
}

static int
ipsec_prepare(struct security *s, struct rte_crypto_op **ops, uint16_t n)
{
	struct rte_mbuf *m[SECURITY_BURST];
	uint16_t i;

	for (i = 0; i < n; i++)
		m[i] = ops[i]->sym->m_src;
	return rte_ipsec_pkt_crypto_prepare(&s->ipsec, m, ops, n) == n ? 0 : -EIO;
}

static int
ipsec_process(struct security *s, struct rte_crypto_op **ops, uint16_t n)
{
	struct rte_mbuf *m[SECURITY_BURST];
	uint16_t i;

	for (i = 0; i < n; i++)
		m[i] = ops[i]->sym->m_src;
	return rte_ipsec_pkt_process(&s->ipsec, m, n) == n ? 0 : -EIO;
}

/* Opens the packet. librte_ipsec leaves the checksum of the outer header to a network card. */
static bool
ipsec_right(const struct security *s, const uint8_t *plain, const struct rte_mbuf *m)
{
	static uint8_t sent[REF_IPSEC_ROOM], opened[REF_IPSEC_ROOM];
	struct rte_ipv4_hdr *header = (struct rte_ipv4_hdr *)sent;
	struct ref_ipsec_sa sa = {
		.tunnel = true,
		.cipher = s->now->variant == IPSEC_GCM ? REF_IPSEC_AES_GCM : REF_IPSEC_AES_CBC,
		.auth = s->now->variant == IPSEC_GCM ? REF_IPSEC_NONE :
			s->now->variant == IPSEC_SHA1 ? REF_IPSEC_SHA1 : REF_IPSEC_SHA256,
		.key_len = sizeof(key),
		.auth_key_len = s->now->variant == IPSEC_SHA1 ? 20 : 32,
		.icv_len = s->now->variant == IPSEC_SHA1 ? 12 : 16,
		.spi = SPI,
	};
	uint32_t number;
	size_t len;

	memcpy(sa.key, key, sizeof(key));
	memcpy(sa.auth_key, auth_key, sizeof(auth_key));
	memcpy(sa.salt, &(uint32_t){ SALT }, sizeof(sa.salt));
	memcpy(sa.outer, &outer, sizeof(outer));
	memcpy(sent, rte_pktmbuf_mtod(m, const void *), m->pkt_len);
	header->hdr_checksum = 0;
	header->hdr_checksum = rte_ipv4_cksum(header);
	return ref_ipsec_open(&sa, 0, sent, m->pkt_len, &number, opened, &len) == REF_IPSEC_OK &&
	       number == 1 && len == s->len && memcmp(opened, plain, len) == 0;
}

/* ------------------------------------------------------------------ TLS 1.3 */

#define TLS_HEADER 5u
#define TLS_TAG 16u
#define TLS_DATA 23u

static int
tls_open(struct security *s)
{
	struct rte_crypto_sym_xform gcm = gcm_of(TLS_HEADER);

	return open_plain(s, &gcm);
}

/* Writes the header of a record for @p len bytes of content (RFC 8446, 5.2). */
static void
tls_header(uint8_t *to, uint32_t len)
{
	to[0] = TLS_DATA;
	to[1] = to[2] = 3;
	to[3] = (uint8_t)((len + 1 + TLS_TAG) >> 8);
	to[4] = (uint8_t)(len + 1 + TLS_TAG);
}

/* Writes the nonce of a record (RFC 8446, 5.3). */
static void
tls_nonce(uint8_t *to, uint64_t number)
{
	uint64_t end;

	memcpy(&end, iv_of_session + 4, sizeof(end));
	end ^= rte_cpu_to_be_64(number);
	memcpy(to, iv_of_session, 4);
	memcpy(to + 4, &end, sizeof(end));
}

static int
tls_prepare(struct security *s, struct rte_crypto_op **ops, uint16_t n)
{
	uint16_t i;

	for (i = 0; i < n; i++) {
		struct rte_crypto_sym_op *sym = ops[i]->sym;
		struct rte_mbuf *m = sym->m_src;
		uint8_t *header = (uint8_t *)rte_pktmbuf_prepend(m, TLS_HEADER);

		tls_header(header, s->len);
		*(uint8_t *)rte_pktmbuf_append(m, 1 + TLS_TAG) = TLS_DATA;
		tls_nonce(iv_of(ops[i]), s->number - n + i);
		rte_crypto_op_attach_sym_session(ops[i], s->session);
		sym->aead.data.offset = TLS_HEADER;
		sym->aead.data.length = s->len + 1;
		sym->aead.aad.data = header;
		sym->aead.aad.phys_addr = rte_pktmbuf_iova(m);
		sym->aead.digest.data = header + TLS_HEADER + s->len + 1;
		sym->aead.digest.phys_addr = rte_pktmbuf_iova_offset(m, TLS_HEADER + s->len + 1);
	}
	return 0;
}

static bool
tls_right(const struct security *s, const uint8_t *plain, const struct rte_mbuf *m)
{
	static const uint8_t type = TLS_DATA;
	static uint8_t wanted[TLS_HEADER + SECURITY_MOST + 1 + TLS_TAG];
	const uint32_t all = TLS_HEADER + s->len + 1 + TLS_TAG;
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t nonce[12];
	bool good;
	int n;

	tls_header(wanted, s->len);
	tls_nonce(nonce, 1);
	good = ctx != NULL && EVP_EncryptInit_ex(ctx, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
	       EVP_EncryptUpdate(ctx, NULL, &n, wanted, TLS_HEADER) == 1 &&
	       EVP_EncryptUpdate(ctx, wanted + TLS_HEADER, &n, plain, s->len) == 1 &&
	       EVP_EncryptUpdate(ctx, wanted + TLS_HEADER + s->len, &n, &type, 1) == 1 &&
	       EVP_EncryptFinal_ex(ctx, wanted + TLS_HEADER + s->len + 1, &n) == 1 &&
	       EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TLS_TAG,
				   wanted + all - TLS_TAG) == 1;
	EVP_CIPHER_CTX_free(ctx);
	return good && m->pkt_len == all &&
	       memcmp(rte_pktmbuf_mtod(m, const uint8_t *), wanted, all) == 0;
}

/* ------------------------------------------------------------------ all of them */

const struct security_case security_cases[] = {
	{ "docsis aes-128-bpi", 0, docsis_open, NULL, docsis_prepare, NULL, docsis_right },
	{ "pdcp nea2", PDCP_CIPHER, pdcp_open, pdcp_arrive, pdcp_prepare, pdcp_process,
	  pdcp_right },
	{ "pdcp nea2 nia2", PDCP_BOTH, pdcp_open, pdcp_arrive, pdcp_prepare, pdcp_process,
	  pdcp_right },
	{ "ipsec aes-128-gcm", IPSEC_GCM, ipsec_open, ipsec_arrive, ipsec_prepare, ipsec_process,
	  ipsec_right },
	{ "ipsec aes-128-cbc+sha1-hmac", IPSEC_SHA1, ipsec_open, ipsec_arrive, ipsec_prepare,
	  ipsec_process, ipsec_right },
	{ "ipsec aes-128-cbc+sha256-hmac", IPSEC_SHA256, ipsec_open, ipsec_arrive, ipsec_prepare,
	  ipsec_process, ipsec_right },
	{ "tls13 aes-128-gcm", 0, tls_open, NULL, tls_prepare, NULL, tls_right },
};

const unsigned int security_nb_cases = RTE_DIM(security_cases);
