/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests AES-XTS with a data unit of 1 MiB: in a chain of segments, in place and out of place,
 * against OpenSSL. This is the largest unit that rte_cryptodev has a name for, and the longest
 * operation.
 */

#include <openssl/evp.h>

#include <rte_memzone.h>

#include "e2e.h"

#define UNIT (1u << 20)
#define SEG 65000u
#define SEGS ((UNIT + SEG - 1) / SEG)

struct unit {
	const struct rte_memzone *mz[2];
	struct rte_mbuf *m[2];
	struct rte_mbuf_ext_shared_info shinfo;
	struct e2e_session *ses;
	uint8_t *want;
};

static void
noop_free(void *addr, void *opaque)
{
	RTE_SET_USED(addr);
	RTE_SET_USED(opaque);
}

/* Makes a packet of 1 MiB in the memory of mz. */
static int
make_packet(struct e2e *t, struct unit *u, unsigned int n)
{
	struct rte_mbuf *m[SEGS];
	unsigned int i;

	CHECK(t, rte_pktmbuf_alloc_bulk(t->mbuf_mp, m, SEGS) == 0, "out of mbufs");
	for (i = 0; i < SEGS; i++) {
		uint32_t off = i * SEG, len = RTE_MIN(SEG, UNIT - off);

		u->shinfo.free_cb = noop_free;
		rte_mbuf_ext_refcnt_set(&u->shinfo, 4 * SEGS);
		rte_pktmbuf_attach_extbuf(m[i], RTE_PTR_ADD(u->mz[n]->addr, off),
					  u->mz[n]->iova + off, len, &u->shinfo);
		m[i]->data_off = 0;
		m[i]->data_len = len;
		m[i]->next = i + 1 < SEGS ? m[i + 1] : NULL;
	}
	m[0]->pkt_len = UNIT;
	m[0]->nb_segs = SEGS;
	u->m[n] = m[0];
	return E2E_PASS;
}

static bool
reference(const struct e2e_spec *sp, const uint8_t *iv, const uint8_t *in, uint8_t *out)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	const EVP_CIPHER *xts = sp->key_len == 32 ? EVP_aes_128_xts() : EVP_aes_256_xts();
	int n = 0;
	bool ok;

	ok = ctx != NULL && EVP_CipherInit_ex(ctx, xts, NULL, sp->key, iv, sp->encrypt) == 1 &&
	     EVP_CipherUpdate(ctx, out, &n, in, UNIT) == 1 && n == (int)UNIT;
	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

static int
run(struct e2e *t, struct unit *u, bool oop)
{
	struct rte_crypto_op *op = t->slot[0].op, *back = NULL;
	const struct e2e_spec *sp = &u->ses->spec;
	uint8_t *in = u->mz[0]->addr, *out = u->mz[oop]->addr;
	uint8_t *iv = rte_crypto_op_ctod_offset(op, uint8_t *, sp->iv_off);

	e2e_bytes(&t->rng, in, UNIT);
	e2e_bytes(&t->rng, iv, 16);
	CHECK(t, reference(sp, iv, in, u->want), "OpenSSL failed");
	memset(op->sym, 0, sizeof(*op->sym));
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	op->sym->session = u->ses->sess;
	op->sym->m_src = u->m[0];
	op->sym->m_dst = oop ? u->m[1] : NULL;
	op->sym->cipher.data.length = UNIT;
	CHECK(t, e2e_send(t->dev, 0, &op, 1) == 1, "not accepted");
	CHECK(t, e2e_collect(t->dev, 0, &back, 1, E2E_TIMEOUT_MS) == 1, "lost");
	CHECK(t, back == op && op->status == RTE_CRYPTO_OP_STATUS_SUCCESS, "status %s",
	      e2e_status_name(op->status));
	CHECK(t, memcmp(out, u->want, UNIT) == 0, "%s: wrong output", e2e_spec_name(sp));
	return E2E_PASS;
}

static int
run_all(struct e2e *t, struct unit *u, const struct e2e_cipher_alg *xts)
{
	unsigned int i;

	u->mz[0] = rte_memzone_reserve("e2e_unit_0", UNIT, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG);
	u->mz[1] = rte_memzone_reserve("e2e_unit_1", UNIT, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG);
	u->want = malloc(UNIT);
	CHECK(t, u->mz[0] != NULL && u->mz[1] != NULL && u->want != NULL, "no memory");
	TRY(make_packet(t, u, 0));
	TRY(make_packet(t, u, 1));
	for (i = 0; i < 8; i++) {
		struct e2e_spec sp = { .cipher = xts, .encrypt = i & 1, .data_unit = UNIT };

		CHECK(t, e2e_spec_random(t, &sp), "no sizes");
		u->ses = e2e_session_open(t, t->dev, &sp);
		CHECK(t, u->ses != NULL, "no session");
		TRY(run(t, u, (i & 2) != 0));
		e2e_session_close(u->ses);
	}
	e2e_note(t, "8 ops of 1 MiB in %u segments", SEGS);
	return E2E_PASS;
}

static int
test_1mib(struct e2e *t, const void *arg)
{
	const struct rte_cryptodev_symmetric_capability *c =
		e2e_cap(t, RTE_CRYPTO_SYM_XFORM_CIPHER, RTE_CRYPTO_CIPHER_AES_XTS);
	struct unit u = { .want = NULL };
	unsigned int i;
	int ret;

	if (c == NULL || !(t->info.feature_flags & RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS) ||
			!(c->cipher.dataunit_set & RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_1_MEGABYTES))
		return e2e_skip(t, "no data units of 1 MiB");
	ret = run_all(t, &u, arg);
	if (ret != E2E_PASS)
		e2e_dev_stop(t->dev); /* the device must not use freed memory */
	for (i = 0; i < 2; i++) {
		rte_pktmbuf_free(u.m[i]);
		rte_memzone_free(u.mz[i]);
	}
	free(u.want);
	return ret;
}

void
e2e_add_data_unit(void)
{
	unsigned int i;

	for (i = 0; i < e2e_nb_ciphers; i++) {
		if (e2e_ciphers[i].algo == RTE_CRYPTO_CIPHER_AES_XTS)
			e2e_add("layout/data-unit-1mib", test_1mib, &e2e_ciphers[i], false);
	}
}
