/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of the driver's fuzz targets: see operation.h.
 */
#include "operation.h"

#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_mbuf.h>

#include "accel_compat.h"
#include "world.h"

#define SEGMENTS 4u

void *
operation_block(struct call *call, size_t size)
{
	void *at = NULL;

	if (call->nb_memory == RTE_DIM(call->memory) || posix_memalign(&at, 64, size) != 0)
		abort();
	memset(at, 0, size);
	call->memory[call->nb_memory++] = at;
	return at;
}

static void
add_range(struct call *call, uint64_t iova, uint32_t len, uint8_t *va)
{
	if (call->nb_ranges == CALL_RANGES)
		abort();
	call->range[call->nb_ranges++] = (struct call_range){ iova, len, true, va };
}

/* Memory with an IOVA that may be far from the others', and may cross 1 GiB. */
static uint64_t
iova_of(const void *va)
{
	switch (take_below(8)) {
	case 0:
		return UINT64_C(0x7c0000000) - 1 - take_u8();
	case 1:
		return UINT64_C(0x5c0000000);
	default:
		return (uintptr_t)va;
	}
}

uint32_t
operation_some_length(void)
{
	const uint8_t how = take_u8();

	return how < 200 ? 1u + how % 96u : 1u + take_u16() % 3000u;
}

/* One segment of some length, with room before and behind. */
static struct rte_mbuf *
segment(struct call *call, uint32_t len, uint32_t head, uint32_t tail)
{
	struct rte_mbuf *m = operation_block(call, sizeof(*m));

	m->buf_len = (uint16_t)(head + len + tail);
	m->buf_addr = operation_block(call, RTE_MAX(1u, (uint32_t)m->buf_len));
	m->buf_iova = iova_of(m->buf_addr);
	m->data_off = (uint16_t)head;
	m->data_len = (uint16_t)len;
	m->pkt_len = len;
	m->nb_segs = 1;
	m->refcnt = 1;
	return m;
}

static struct rte_mbuf *
chain(struct call *call, uint32_t nb, uint32_t *total)
{
	struct rte_mbuf *first = NULL, *last = NULL, *m;

	*total = 0;
	while (nb-- > 0) {
		const uint8_t room = take_u8();
		const uint32_t len = operation_some_length();

		m = segment(call, len, first == NULL ? (room & 7u) * 16u : 0, (room >> 4) * 8u);
		*total += len;
		if (first == NULL) {
			first = m;
		} else {
			last->next = m;
			first->nb_segs++;
			first->pkt_len += len;
		}
		last = m;
	}
	return first;
}

/* The only segment has no length: then the driver takes the whole buffer (accel_enqueue_slow.c). */
static bool
is_unmeasured(const struct rte_mbuf *m)
{
	return m->nb_segs == 1 && m->next == NULL && m->data_len == 0;
}

/* The bytes of a chain, by the mbufs' own words. */
static uint64_t
bytes_of(const struct rte_mbuf *m)
{
	uint64_t bytes = 0;

	if (is_unmeasured(m))
		return m->buf_len;
	for (; m != NULL; m = m->next)
		bytes += m->data_len;
	return bytes;
}

/* What the device may touch of a chain: data, or with a protocol the whole buffers. */
static void
add_chain(struct call *call, const struct rte_mbuf *m, bool whole)
{
	whole |= is_unmeasured(m);
	for (; m != NULL; m = m->next) {
		const uint32_t from = whole ? 0 : m->data_off;
		const uint32_t end = m->data_off + m->data_len;
		const uint32_t len = whole ? RTE_MAX(end, m->buf_len) : m->data_len;
		const bool real = from + len <= m->buf_len;

		if (len != 0)
			add_range(call, m->buf_iova + from, len,
				  real ? (uint8_t *)m->buf_addr + from : NULL);
	}
}

static uint64_t
beside(struct call *call, uint32_t len, uint8_t **va)
{
	uint64_t iova;

	*va = operation_block(call, len);
	iova = iova_of(*va);
	add_range(call, iova, len, *va);
	return iova;
}

/* Two regions within the data. */
static void
regions(struct rte_crypto_sym_op *sym, enum session_kind kind, uint32_t total)
{
	uint32_t off = take_below(4) == 0 ? take_u16() % total : 0;
	uint32_t len = take_below(4) == 0 ? take_u16() % (total - off + 1) : total - off;

	sym->cipher.data.offset = off;
	sym->cipher.data.length = len;
	if (kind == SESSION_BITS) {
		sym->cipher.data.offset = off * 8 + take_below(8);
		sym->cipher.data.length = RTE_MAX(len, 1u) * 8 - 8;
	}
	if (session_aad(kind) != 0)
		return;
	off = take_below(4) == 0 ? take_u16() % total : 0;
	len = take_below(4) == 0 ? take_u16() % (total - off + 1) : total - off;
	sym->auth.data.offset = off;
	sym->auth.data.length = len;
}

static void
make_symmetric(struct call *call, enum session_kind kind)
{
	struct rte_crypto_sym_op *sym = call->op->sym;
	const uint8_t shape = take_u8();
	uint32_t total, other;
	uint8_t *va;

	sym->m_src = chain(call, (shape & 3) == 3 ? 1 + take_below(SEGMENTS) : 1, &total);
	if ((shape & 12) == 12)
		sym->m_dst = chain(call, 1 + take_below(SEGMENTS), &other);
	regions(sym, kind, total);
	if (session_aad(kind) != 0) {
		sym->aead.digest.phys_addr = beside(call, session_digest(kind), &va);
		sym->aead.digest.data = va;
		sym->aead.aad.phys_addr = beside(call, session_aad(kind), &va);
		sym->aead.aad.data = va;
	} else if (session_digest(kind) != 0) {
		sym->auth.digest.phys_addr = beside(call, session_digest(kind), &va);
		sym->auth.digest.data = va;
		/* A digest that is encrypted lies behind the auth region. */
		if (kind == SESSION_DIGEST_FIRST && sym->m_src->nb_segs == 1 &&
		    total > session_digest(kind)) {
			sym->auth.data.offset = 0;
			sym->auth.data.length = total - session_digest(kind);
			sym->auth.digest.data = rte_pktmbuf_mtod_offset(sym->m_src, uint8_t *,
									sym->auth.data.length);
			sym->auth.digest.phys_addr =
				rte_pktmbuf_iova_offset(sym->m_src, sym->auth.data.length);
			/* The data may be said to lie elsewhere. This address stays. */
			add_range(call, sym->auth.digest.phys_addr, session_digest(kind),
				  sym->auth.digest.data);
		}
	}
}

/*
 * Lies of the caller.
 */

static uint32_t
some_word(void)
{
	static const uint32_t odd[] = { 0, 1, 7, 8, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
					UINT32_MAX - 7, UINT32_MAX };
	const uint8_t how = take_u8();

	return how < RTE_DIM(odd) ? odd[how] : how < 128 ? take_u8() : take_u32();
}

static struct rte_mbuf *
some_segment(struct rte_mbuf *m)
{
	uint32_t n = take_below(SEGMENTS);

	while (n-- > 0 && m->next != NULL)
		m = m->next;
	return m;
}

static void
spoil_mbuf(struct call *call, struct rte_mbuf *first)
{
	struct rte_mbuf *m = some_segment(first);
	uint32_t total;

	switch (take_below(8)) {
	case 0:
		first->nb_segs = take_u8() % 8;
		break;
	case 1:
		m->next = NULL;
		break;
	case 2:
		m->data_len = (uint16_t)some_word();
		break;
	case 3:
		first->pkt_len = some_word();
		break;
	case 4:
		m->data_off = (uint16_t)some_word();
		break;
	case 5:
		m->buf_len = (uint16_t)(take_u16() % (m->buf_len + 1u));
		break;
	case 6:
		m->data_len = 0;
		break;
	default:
		if (m->next == NULL)
			m->next = chain(call, 1, &total); /* nb_segs does not count it */
		break;
	}
}

static void
spoil(struct call *call, struct rte_mbuf *src, struct rte_mbuf *dst, void **foreign)
{
	struct rte_crypto_op *op = call->op;
	struct rte_crypto_sym_op *sym = op->sym;

	switch (take_below(16)) {
	case 0:
		sym->m_src = NULL;
		break;
	case 1:
		sym->session = NULL;
		break;
	case 2:
		*foreign = operation_block(call, 512);
		sym->session = *foreign;
		break;
	case 3:
		op->type = take_u8() % 4;
		break;
	case 4:
		op->sess_type = RTE_CRYPTO_OP_SECURITY_SESSION + 1 + take_u8() % 4;
		break;
	case 5:
		op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		sym->xform = NULL;
		break;
	case 6:
		sym->cipher.data.offset = some_word();
		break;
	case 7:
		sym->cipher.data.length = some_word();
		break;
	case 8:
		sym->auth.data.offset = some_word();
		break;
	case 9:
		sym->auth.data.length = some_word();
		break;
	case 10:
		sym->auth.digest.phys_addr = 0;
		break;
	case 11:
		sym->aead.aad.phys_addr = 0;
		break;
	case 12:
		sym->m_dst = sym->m_src;
		break;
	case 13:
		if (dst != NULL)
			spoil_mbuf(call, dst);
		break;
	default:
		spoil_mbuf(call, src);
		break;
	}
}

/*
 * Says which operations cannot succeed, by the interface's own words: without a session, source or
 * type, or with regions beyond the data. Lengths in bits are left to the device.
 */
static bool
is_impossible(const struct call *call, enum session_kind kind, const struct rte_mbuf *m,
	      const void *foreign)
{
	const struct rte_crypto_op *op = call->op;
	const struct rte_crypto_sym_op *sym = op->sym;
	const uint64_t bytes = bytes_of(m);
	const bool both = kind == SESSION_CHAIN || kind == SESSION_CHAIN_VERIFY ||
			  kind == SESSION_DIGEST_FIRST;

	if (op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC || sym->m_src == NULL ||
	    sym->session == NULL || sym->session == foreign ||
	    op->sess_type > RTE_CRYPTO_OP_SECURITY_SESSION)
		return true;
	if (kind == SESSION_BITS || session_is_security(kind))
		return false;
	if ((kind <= SESSION_GCM_OPEN || both) && sym->cipher.data.length != 0 &&
	    (uint64_t)sym->cipher.data.offset + sym->cipher.data.length > bytes)
		return true;
	return (kind == SESSION_AUTH || kind == SESSION_AUTH_VERIFY || both) &&
	       sym->auth.data.length != 0 &&
	       (uint64_t)sym->auth.data.offset + sym->auth.data.length > bytes;
}

/* The transforms of one operation. */
static struct rte_crypto_sym_xform *
own_xform(struct call *call, enum session_kind kind)
{
	const struct rte_crypto_sym_xform *from = session_xform(kind);
	struct rte_crypto_sym_xform *to = operation_block(call, sizeof(*to));

	*to = *from;
	if (from->next != NULL) {
		to->next = operation_block(call, sizeof(*to));
		*to->next = *from->next;
	}
	return to;
}

void
operation_make(struct call *call, enum session_kind kind, void *session, bool hostile)
{
	struct rte_crypto_op *op = operation_block(call, SESSION_OP_SIZE);
	struct rte_mbuf *src, *dst;
	void *foreign = op; /* no session */

	call->op = op;
	call->kind = (uint8_t)kind;
	call->asym = session_is_asym(kind);
	op->type = call->asym ? RTE_CRYPTO_OP_TYPE_ASYMMETRIC : RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	op->sess_type = session_is_security(kind) ? RTE_CRYPTO_OP_SECURITY_SESSION :
						    RTE_CRYPTO_OP_WITH_SESSION;
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	memset((uint8_t *)op + SESSION_IV_OFFSET, 0x11, 2 * SESSION_IV);
	if (call->asym) {
		op->asym->session = session;
		operation_make_asym(call, kind);
		return;
	}
	op->sym->session = session;
	if (kind == SESSION_TLS_WRITE || kind == SESSION_TLS_READ)
		accel_op_set_content_type(op, take_u8());
	make_symmetric(call, kind);
	if (!session_is_security(kind) && (session == NULL || take_below(32) == 0)) {
		op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		op->sym->xform = own_xform(call, kind);
	}
	src = op->sym->m_src;
	dst = op->sym->m_dst;
	if (hostile) {
		uint32_t n = take_below(4);

		while (n-- > 0)
			spoil(call, src, dst, &foreign);
	}
	add_chain(call, src, session_is_security(kind));
	if (dst != NULL)
		add_chain(call, dst, session_is_security(kind));
	call->impossible = is_impossible(call, kind, src, foreign);
}

void
operation_make_raw(struct call *call, enum session_kind kind, bool hostile,
		   struct raw_operation *raw)
{
	uint32_t n = 1 + (take_below(4) == 0 ? take_below(4) : 0), i, k, total = 0;
	uint8_t *va;

	memset(raw, 0, sizeof(*raw));
	call->kind = (uint8_t)kind;
	for (k = 0; k < 2; k++) {
		for (i = 0; i < n; i++) {
			struct rte_crypto_vec *v = k == 0 ? &raw->vec[i] : &raw->dst[i];

			v->len = k == 0 ? operation_some_length() : raw->vec[i].len;
			v->tot_len = v->len;
			v->base = operation_block(call, v->len);
			v->iova = iova_of(v->base);
			add_range(call, v->iova, v->len, v->base);
			total += k == 0 ? v->len : 0;
		}
	}
	raw->src_sgl = (struct rte_crypto_sgl){ .vec = raw->vec, .num = n };
	raw->dst_sgl = (struct rte_crypto_sgl){ .vec = raw->dst, .num = n };
	va = operation_block(call, SESSION_IV);
	raw->iv.va = va;
	raw->iv.iova = (uintptr_t)va;
	raw->digest.iova = beside(call, RTE_MAX(1u, session_digest(kind)), &va);
	raw->digest.va = va;
	raw->aad.iova = beside(call, RTE_MAX(16u, session_aad(kind)), &va);
	raw->aad.va = va;
	if (take_below(4) == 0) {
		raw->ofs.ofs.cipher.head = (uint16_t)(take_u8() % total);
		raw->ofs.ofs.auth.head = (uint16_t)(take_u8() % total);
	}
	if (!hostile || take_below(2) == 0)
		return;
	switch (take_below(5)) {
	case 0:
		raw->ofs.raw = take_u64();
		break;
	case 1:
		raw->src_sgl.num = 0;
		break;
	case 2:
		raw->digest.iova = 0;
		break;
	case 3:
		raw->vec[0].len = 0;
		break;
	default:
		raw->vec[0].tot_len = 0;
		break;
	}
}

void
operation_check(const struct call *call)
{
	const struct rte_mbuf *first, *m;
	uint32_t bytes = 0;

	if (call->op == NULL || !session_is_security(call->kind) ||
	    call->op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		return;
	first = call->op->sym->m_dst != NULL ? call->op->sym->m_dst : call->op->sym->m_src;
	for (m = first; m != NULL; m = m->next) {
		CLAIM(m->data_off + m->data_len <= m->buf_len);
		bytes += m->data_len;
	}
	CLAIM(bytes == first->pkt_len);
}

void
operation_free(struct call *call)
{
	while (call->nb_memory > 0)
		free(call->memory[--call->nb_memory]);
	memset(call, 0, sizeof(*call));
}
