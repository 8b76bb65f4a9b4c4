/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Builds and checks one operation with all the memory that it may touch. Every byte of this memory
 * has an expected value after the operation: a result, or a random pattern. So the check finds a
 * write that is one byte too long, a changed source, and a byte that was not written.
 */

#include <limits.h>

#include <rte_malloc.h>
#include <rte_memzone.h>

#include "e2e_op.h"
#include "ref_wireless.h"

static void
noop_free(void *addr, void *opaque)
{
	RTE_SET_USED(addr);
	RTE_SET_USED(opaque);
}

int
e2e_slot_init(struct e2e *t, struct e2e_slot *s, uint32_t arena)
{
	static unsigned int serial;
	char name[RTE_MEMZONE_NAMESIZE];
	const struct rte_memzone *mz;
	unsigned int k;

	snprintf(name, sizeof(name), "e2e_arena_%u", serial++);
	mz = rte_memzone_reserve_aligned(name, arena, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					 RTE_CACHE_LINE_SIZE);
	s->op = rte_crypto_op_alloc(t->op_mp, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	/* The block is aligned to its size, so that it lies in one page and has one IOVA. */
	s->mem[E2E_MEM_HEAP].live = rte_malloc("e2e_heap", E2E_HEAP, E2E_HEAP);
	if (mz == NULL || s->op == NULL || s->mem[E2E_MEM_HEAP].live == NULL)
		return -ENOMEM;
	s->mem[E2E_MEM_ARENA].live = mz->addr;
	s->mem[E2E_MEM_ARENA].iova = mz->iova;
	s->mem[E2E_MEM_ARENA].size = arena;
	s->mem[E2E_MEM_PRIV].live = rte_crypto_op_ctod_offset(s->op, uint8_t *, E2E_PRIV_OFF);
	s->mem[E2E_MEM_PRIV].iova = rte_crypto_op_ctophys_offset(s->op, E2E_PRIV_OFF);
	s->mem[E2E_MEM_PRIV].size = E2E_PRIV;
	s->mem[E2E_MEM_HEAP].iova = rte_malloc_virt2iova(s->mem[E2E_MEM_HEAP].live);
	s->mem[E2E_MEM_HEAP].size = E2E_HEAP;
	for (k = 0; k < E2E_MEMS; k++) {
		s->mem[k].expect = malloc(s->mem[k].size);
		if (s->mem[k].expect == NULL)
			return -ENOMEM;
	}
	s->data.in = malloc(E2E_MAX_LEN);
	s->data.out = malloc(E2E_MAX_LEN);
	s->shinfo.free_cb = noop_free;
	return s->data.in != NULL && s->data.out != NULL ? 0 : -ENOMEM;
}

int
e2e_slots_init(struct e2e *t)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < E2E_SLOTS && ret == 0; i++)
		ret = e2e_slot_init(t, &t->slot[i], E2E_ARENA);
	return ret;
}

void
e2e_slot_clear(struct e2e_slot *s)
{
	rte_pktmbuf_free(s->src.m);
	rte_pktmbuf_free(s->dst.m);
	s->src.m = NULL;
	s->dst.m = NULL;
}

void
e2e_slots_clear(struct e2e *t)
{
	unsigned int i;

	for (i = 0; i < E2E_SLOTS; i++)
		e2e_slot_clear(&t->slot[i]);
}

/* ------------------------------------------------------------------ placing */

static uint32_t
arena_take(struct e2e_slot *s, struct e2e_rng *r, uint32_t len)
{
	struct e2e_mem *m = &s->mem[E2E_MEM_ARENA];
	uint32_t off = m->used + 8 + e2e_range(r, 0, 70);

	/* The pattern after the last piece is compared, too. */
	m->used = off + len + 32;
	return off;
}

/* Converts a position in the packet to an offset in the arena. The caller makes sure that the data
 * at this position lie in one segment. */
static uint32_t
stream_find(const struct e2e_chain *c, uint32_t pos)
{
	uint32_t at = 0;
	unsigned int i;

	for (i = 0; i < c->n; i++) {
		const struct e2e_seg *g = &c->seg[i];

		if (pos < at + g->len || i == c->n - 1u)
			return g->start + g->data_off + (pos - at);
		at += g->len;
	}
	return 0;
}

/* Copies between a flat buffer and the packet's bytes in `image`, an image of the arena. */
static void
stream_copy(const struct e2e_chain *c, uint8_t *image, uint32_t pos, uint8_t *flat, uint32_t len,
	    bool to_image)
{
	uint32_t at = 0, n, skip;
	unsigned int i;

	for (i = 0; i < c->n && len > 0; i++) {
		const struct e2e_seg *g = &c->seg[i];

		if (pos < at + g->len) {
			uint8_t *p;

			skip = pos - at;
			n = RTE_MIN(len, g->len - skip);
			p = image + g->start + g->data_off + skip;
			if (to_image)
				memcpy(p, flat, n);
			else
				memcpy(flat, p, n);
			flat += n;
			pos += n;
			len -= n;
		}
		at += g->len;
	}
}

/* Picks random cuts outside the two ranges that must stay whole. Some pieces get one byte or
 * none. */
static void
cut(struct e2e_rng *r, uint32_t total, uint16_t n, const uint32_t keep[2][2], uint32_t *ends)
{
	uint32_t run = e2e_chance(r, 3) ? e2e_range(r, 0, total) : UINT32_MAX, x, tmp;
	unsigned int i, j, k;

	for (i = 0; i + 1u < n; i++) {
		x = run != UINT32_MAX ? RTE_MIN(run + i, total) : e2e_range(r, 0, total);
		for (k = 0; k < 2; k++) {
			if (x > keep[k][0] && x < keep[k][1])
				x = keep[k][e2e_chance(r, 2)];
		}
		ends[i] = x;
	}
	ends[i] = total;
	for (i = 1; i + 1u < n; i++) {
		for (j = i; j > 0 && ends[j] < ends[j - 1]; j--) {
			tmp = ends[j];
			ends[j] = ends[j - 1];
			ends[j - 1] = tmp;
		}
	}
}

/*
 * Builds a packet of n segments. Each segment is an external buffer at a random place in the arena.
 * Its headroom and tailroom are random, as far as the 16 bits of buf_len allow.
 */
static int
chain_build(struct e2e *t, struct e2e_slot *s, struct e2e_chain *c, struct e2e_rng *r,
	    uint32_t total, uint16_t n, const uint32_t keep[2][2], uint32_t tail)
{
	struct rte_mbuf *m[E2E_MAX_SEGS];
	uint32_t ends[E2E_MAX_SEGS], at = 0, at_prev, spare, need;
	uint16_t i;

	CHECK(t, n <= E2E_MAX_SEGS && total <= E2E_MAX_LEN, "layout too large for the test");
	cut(r, total, n, keep, ends);
	CHECK(t, rte_pktmbuf_alloc_bulk(t->mbuf_mp, m, n) == 0, "out of mbufs");
	c->n = n;
	c->total = total;
	for (i = 0; i < n; i++) {
		struct e2e_seg *g = &c->seg[i];

		at_prev = at;
		at = ends[i];
		g->len = at - at_prev;
		need = at - at_prev + (i == n - 1 ? tail : 0);
		CHECK(t, need <= UINT16_MAX, "segment of %u bytes", need);
		spare = UINT16_MAX - need;
		g->data_off = e2e_range(r, 0, RTE_MIN(spare, 130u));
		g->buf_len = need + g->data_off +
			     e2e_range(r, 0, RTE_MIN(spare - g->data_off, 20u));
		g->start = arena_take(s, r, g->buf_len);
	}
	CHECK(t, s->mem[E2E_MEM_ARENA].used <= s->mem[E2E_MEM_ARENA].size, "arena too small");
	for (i = 0; i < n; i++) {
		struct e2e_seg *g = &c->seg[i];

		/* There are more references than segments, so the external buffer is never
		 * freed. */
		rte_mbuf_ext_refcnt_set(&s->shinfo, 4 * E2E_MAX_SEGS);
		rte_pktmbuf_attach_extbuf(m[i], s->mem[E2E_MEM_ARENA].live + g->start,
					  s->mem[E2E_MEM_ARENA].iova + g->start, g->buf_len,
					  &s->shinfo);
		m[i]->data_off = g->data_off;
		m[i]->data_len = g->len;
		m[i]->next = i + 1 < n ? m[i + 1] : NULL;
	}
	m[0]->pkt_len = total;
	m[0]->nb_segs = n;
	c->m = m[0];
	return E2E_PASS;
}

/* Returns the position of a digest in the packet, if its place is in the packet. */
static uint32_t
digest_pos(const struct e2e_layout *l)
{
	if (l->digest_at == E2E_IN_STREAM)
		return l->a_off + l->a_len;
	return l->digest_at == E2E_AFTER ? l->end : 0;
}

/* Returns the position of AAD in the packet. It follows a digest at the packet's start. */
static uint32_t
aad_pos(const struct e2e_layout *l, const struct e2e_spec *sp)
{
	return l->digest_at == E2E_BEFORE ? sp->digest_len : 0;
}

static bool
in_packet(enum e2e_place p)
{
	return p == E2E_AFTER || p == E2E_BEFORE;
}

/* Returns the end of the data of the chain's last segment. */
static uint32_t
tail_of(const struct e2e_chain *c)
{
	const struct e2e_seg *g = &c->seg[c->n - 1];

	return g->start + g->data_off + g->len;
}

static struct e2e_piece
place_digest(struct e2e_slot *s, struct e2e_rng *r, const struct e2e_chain *c)
{
	struct e2e_piece p = { E2E_MEM_ARENA, 0 };

	switch (s->lay.digest_at) {
	case E2E_AFTER:
	case E2E_BEFORE:
	case E2E_IN_STREAM:
		p.off = stream_find(c, digest_pos(&s->lay));
		break;
	case E2E_TAILROOM:
		p.off = tail_of(c);
		break;
	case E2E_HEAPMEM:
		p.mem = E2E_MEM_HEAP;
		p.off = e2e_range(r, 0, 60);
		break;
	case E2E_PRIVATE:
		p.mem = E2E_MEM_PRIV;
		p.off = E2E_PRIV_IV + e2e_range(r, 0, 60);
		break;
	default:
		p.off = arena_take(s, r, s->ses->spec.digest_len);
	}
	return p;
}

/* The AAD field of CCM begins with 18 bytes of scratch space and is padded to whole blocks. */
uint32_t
e2e_aad_size(const struct e2e_spec *sp)
{
	if (sp->aead->algo == RTE_CRYPTO_AEAD_AES_CCM)
		return RTE_ALIGN_CEIL(sp->aad_len + 18, 16);
	return RTE_ALIGN_CEIL(sp->aad_len, 16);
}

static struct e2e_piece
place_aad(struct e2e_slot *s, struct e2e_rng *r)
{
	struct e2e_piece p = { E2E_MEM_ARENA, 0 };
	uint32_t size = e2e_aad_size(&s->ses->spec);

	/* In rte_malloc memory and in the private area, up to 60 bytes and a digest of up to 64
	 * bytes lie before the AAD. */
	if (s->lay.aad_at == E2E_HEAPMEM && 128 + 64 + size <= E2E_HEAP) {
		p.mem = E2E_MEM_HEAP;
		p.off = 128 + e2e_range(r, 0, 60);
	} else if (s->lay.aad_at == E2E_PRIVATE && E2E_PRIV_IV + 128 + 64 + size <= E2E_PRIV) {
		p.mem = E2E_MEM_PRIV;
		p.off = E2E_PRIV_IV + 128 + e2e_range(r, 0, 60);
	} else if (s->lay.aad_at == E2E_BEFORE) {
		p.off = stream_find(&s->src, aad_pos(&s->lay, &s->ses->spec));
	} else if (s->lay.aad_at == E2E_TAILROOM) {
		/* The AAD lies after the ICV, as librte_ipsec puts it. */
		p.off = tail_of(&s->src) + (s->lay.digest_at == E2E_TAILROOM ? 64 : 0);
	} else {
		p.off = arena_take(s, r, size);
	}
	return p;
}

/* ------------------------------------------------------------------ contents */

static void
mem_write(struct e2e_slot *s, struct e2e_piece p, const void *data, uint32_t len)
{
	memcpy(s->mem[p.mem].live + p.off, data, len);
}

static void
any_add(struct e2e_slot *s, const struct e2e_chain *c, enum e2e_memory mem, uint32_t off,
	uint32_t len)
{
	if (len > 0 && s->nb_any < RTE_DIM(s->any))
		s->any[s->nb_any++] = (struct e2e_any){ c, mem, off, len };
}

/* Writes the IV and the AAD. The scratch bytes of CCM may change, as documented. */
static void
write_iv_aad(struct e2e_slot *s, struct e2e_piece aad)
{
	const struct e2e_spec *sp = &s->ses->spec;
	struct e2e_piece iv = { E2E_MEM_PRIV, sp->iv_off - E2E_PRIV_OFF };
	struct e2e_piece auth_iv = { E2E_MEM_PRIV, sp->auth_iv_off - E2E_PRIV_OFF };
	bool ccm = sp->aead != NULL && sp->aead->algo == RTE_CRYPTO_AEAD_AES_CCM;

	if (ccm) {
		any_add(s, NULL, iv.mem, iv.off, 1);
		any_add(s, NULL, iv.mem, iv.off + 1 + sp->iv_len, 15 - sp->iv_len);
		iv.off++;
	}
	if (sp->cipher != NULL || sp->aead != NULL)
		mem_write(s, iv, s->data.iv, sp->aead != NULL && sp->iv_len == 0 ? 16 : sp->iv_len);
	if (sp->auth != NULL && sp->auth_iv_len > 0)
		mem_write(s, auth_iv, s->data.auth_iv, sp->auth_iv_len);
	if (sp->aead == NULL)
		return;
	if (ccm) {
		any_add(s, NULL, aad.mem, aad.off, 18);
		aad.off += 18;
		any_add(s, NULL, aad.mem, aad.off + sp->aad_len,
			e2e_aad_size(sp) - 18 - sp->aad_len);
	}
	mem_write(s, aad, s->data.aad, sp->aad_len);
}

static void
canary(struct e2e_slot *s, struct e2e_rng *r)
{
	unsigned int k;

	s->mem[E2E_MEM_PRIV].used = E2E_PRIV;
	s->mem[E2E_MEM_HEAP].used = E2E_HEAP;
	for (k = 0; k < E2E_MEMS; k++)
		e2e_bytes(r, s->mem[k].live, s->mem[k].used);
}

/*
 * Writes the expected changes into the expected image for regions that are not whole bytes. The
 * destination keeps its bits around the cipher region. Out of place, a chain copies all bits of
 * both regions and between them.
 */
static void
expect_bits(struct e2e_slot *s, const struct e2e_chain *out, uint8_t *image)
{
	static uint8_t flat[E2E_MAX_LEN];
	const struct e2e_spec *sp = &s->ses->spec;
	const struct e2e_layout *l = &s->lay;
	uint32_t at = e2e_c_at(l), end = at + e2e_c_bits(l), first, len;

	if (sp->cipher == NULL) {
		at = e2e_a_at(l);
		end = l->dst_segs > 0 ? at + e2e_a_bits(l) : at;
	} else if (sp->auth != NULL && l->dst_segs > 0) {
		at = RTE_MIN(at, e2e_a_at(l));
		end = RTE_MAX(end, e2e_a_at(l) + e2e_a_bits(l));
	}
	first = at / CHAR_BIT;
	len = (end + CHAR_BIT - 1) / CHAR_BIT - first;
	stream_copy(out, image, first, flat, len, false);
	ref_bits_move(flat, at % CHAR_BIT, s->data.out + first, at % CHAR_BIT, end - at);
	stream_copy(out, image, first, flat, len, true);
}

/* Writes the expected changes into the expected image. */
static void
expect(struct e2e_slot *s, struct e2e_piece digest)
{
	const struct e2e_spec *sp = &s->ses->spec;
	const struct e2e_layout *l = &s->lay;
	struct e2e_chain *out = l->dst_segs > 0 ? &s->dst : &s->src;
	uint8_t *image = s->mem[E2E_MEM_ARENA].expect;
	bool failed = s->want != RTE_CRYPTO_OP_STATUS_SUCCESS;

	if (l->must_fail)
		return;
	if (l->digest_at == E2E_IN_STREAM) {
		uint32_t from = RTE_MIN(digest_pos(l), l->c_off);

		stream_copy(out, image, from, s->data.out + from, l->end - from, true);
		if (failed)
			any_add(s, out, 0, RTE_MIN(from, l->a_off), l->end);
		return;
	}
	if (e2e_has_bits(l))
		expect_bits(s, out, image);
	else if (sp->cipher != NULL || sp->aead != NULL)
		stream_copy(out, image, l->c_off, s->data.out + l->c_off, l->c_len, true);
	if (failed) {
		/* A device may or may not decipher data that fails verification. */
		any_add(s, out, 0, l->c_off, l->c_len);
		if (l->dst_segs > 0 && sp->auth != NULL)
			any_add(s, out, 0, l->a_off, l->a_len);
	}
	if (sp->generate && sp->digest_len > 0)
		memcpy(s->mem[digest.mem].expect + digest.off, s->data.digest, sp->digest_len);
}

bool
e2e_cipher_in_bits(const struct e2e_spec *s)
{
	return s->cipher != NULL && (s->cipher->algo == RTE_CRYPTO_CIPHER_SNOW3G_UEA2 ||
				     s->cipher->algo == RTE_CRYPTO_CIPHER_KASUMI_F8 ||
				     s->cipher->algo == RTE_CRYPTO_CIPHER_ZUC_EEA3);
}

bool
e2e_auth_in_bits(const struct e2e_spec *s)
{
	return s->auth != NULL && (s->auth->algo == RTE_CRYPTO_AUTH_SNOW3G_UIA2 ||
				   s->auth->algo == RTE_CRYPTO_AUTH_KASUMI_F9 ||
				   s->auth->algo == RTE_CRYPTO_AUTH_ZUC_EIA3);
}

static void
set_op(struct e2e_slot *s, struct e2e_piece digest, struct e2e_piece aad)
{
	const struct e2e_spec *sp = &s->ses->spec;
	struct rte_crypto_sym_op *sym = s->op->sym;
	uint8_t *dig = s->mem[digest.mem].live + digest.off;
	rte_iova_t dig_iova = s->mem[digest.mem].iova + digest.off;

	s->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	s->op->sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	memset(sym, 0, sizeof(*sym));
	sym->session = s->ses->sess;
	sym->m_src = s->src.m;
	sym->m_dst = s->lay.dst_segs > 0 ? s->dst.m : s->lay.same_dst ? s->src.m : NULL;
	if (sp->aead != NULL) {
		sym->aead.data.offset = s->lay.c_off;
		sym->aead.data.length = s->lay.c_len;
		sym->aead.digest.data = dig;
		sym->aead.digest.phys_addr = dig_iova;
		sym->aead.aad.data = s->mem[aad.mem].live + aad.off;
		sym->aead.aad.phys_addr = s->mem[aad.mem].iova + aad.off;
		return;
	}
	/* SNOW 3G, KASUMI and ZUC have offsets and lengths in bits. */
	if (sp->cipher != NULL) {
		uint32_t unit = e2e_cipher_in_bits(sp) ? 1 : CHAR_BIT;

		sym->cipher.data.offset = e2e_c_at(&s->lay) / unit;
		sym->cipher.data.length = e2e_c_bits(&s->lay) / unit;
	}
	if (sp->auth != NULL) {
		uint32_t unit = e2e_auth_in_bits(sp) ? 1 : CHAR_BIT;

		sym->auth.data.offset = e2e_a_at(&s->lay) / unit;
		sym->auth.data.length = e2e_a_bits(&s->lay) / unit;
		sym->auth.digest.data = dig;
		sym->auth.digest.phys_addr = dig_iova;
	}
}

static int
build_chains(struct e2e *t, struct e2e_slot *s, struct e2e_rng *r)
{
	const struct e2e_spec *sp = &s->ses->spec;
	struct e2e_layout *l = &s->lay;
	uint32_t keep[2][2] = { { 0, 0 }, { 0, 0 } }, dst_keep[2][2] = { { 0, 0 }, { 0, 0 } };
	bool dig_in_dst = sp->generate && l->dst_segs > 0;
	uint32_t tail = l->digest_at == E2E_TAILROOM ? 64 : 0;
	uint32_t src_tail = tail;

	/* Entry 0 is the digest. Entry 1 is the AAD, which is always in the source. */
	if (in_packet(l->digest_at)) {
		uint32_t *k = dig_in_dst ? dst_keep[0] : keep[0];

		k[0] = digest_pos(l);
		k[1] = digest_pos(l) + sp->digest_len;
	}
	if (sp->aead != NULL && l->aad_at == E2E_TAILROOM)
		src_tail += e2e_aad_size(sp);
	if (sp->aead != NULL && l->aad_at == E2E_BEFORE) {
		keep[1][0] = aad_pos(l, sp);
		keep[1][1] = aad_pos(l, sp) + e2e_aad_size(sp);
	}
	TRY(chain_build(t, s, &s->src, r, l->total, l->src_segs, keep, src_tail));
	if (l->dst_segs > 0)
		TRY(chain_build(t, s, &s->dst, r, l->dst_total, l->dst_segs, dst_keep, tail));
	return E2E_PASS;
}

/* True if the operation names the digest's address in the destination. A digest is written to the
 * destination, if there is one, and verified from the source. A caller that verifies a digest in
 * the stream may name its address in either packet. */
static bool
digest_in_dst(const struct e2e_slot *s, struct e2e_rng *r)
{
	if (s->lay.dst_segs == 0)
		return false;
	return s->ses->spec.generate || (s->lay.digest_at == E2E_IN_STREAM && e2e_chance(r, 2));
}

int
e2e_slot_build(struct e2e *t, struct e2e_slot *s, const struct e2e_session *ses,
	       struct e2e_rng *r)
{
	const struct e2e_spec *sp = &ses->spec;
	struct e2e_piece digest = { 0 }, aad = { 0 };
	uint8_t dig[64];
	unsigned int k;

	e2e_slot_clear(s);
	s->ses = ses;
	s->nb_any = 0;
	s->mem[E2E_MEM_ARENA].used = 0;
	TRY(build_chains(t, s, r));
	if (sp->auth != NULL || sp->aead != NULL)
		digest = place_digest(s, r, digest_in_dst(s, r) ? &s->dst : &s->src);
	if (sp->aead != NULL)
		aad = place_aad(s, r);
	CHECK(t, s->mem[E2E_MEM_ARENA].used <= s->mem[E2E_MEM_ARENA].size, "arena too small");

	canary(s, r);
	stream_copy(&s->src, s->mem[E2E_MEM_ARENA].live, 0, s->data.in, s->lay.total, true);
	write_iv_aad(s, aad);
	s->want = RTE_CRYPTO_OP_STATUS_SUCCESS;
	if ((sp->auth != NULL || sp->aead != NULL) && !sp->generate && sp->digest_len > 0) {
		memcpy(dig, s->data.digest, sp->digest_len);
		/* With a single wrong bit the test finds a comparison that stops early. */
		if (s->lay.wrong_digest)
			dig[e2e_range(r, 0, sp->digest_len - 1)] ^= 1 << e2e_range(r, 0, 7);
		if (s->lay.wrong_digest || s->lay.bad_digest)
			s->want = RTE_CRYPTO_OP_STATUS_AUTH_FAILED;
		if (s->lay.digest_at != E2E_IN_STREAM)
			mem_write(s, digest, dig, sp->digest_len);
	}
	s->digest = digest;
	set_op(s, digest, aad);
	for (k = 0; k < E2E_MEMS; k++)
		memcpy(s->mem[k].expect, s->mem[k].live, s->mem[k].used);
	expect(s, digest);
	return E2E_PASS;
}

int
e2e_slot_fill(struct e2e *t, struct e2e_slot *s, const struct e2e_session *ses,
	      const struct e2e_layout *l, struct e2e_rng *r)
{
	s->lay = *l;
	CHECK(t, e2e_ref_data(&ses->spec, l, r, &s->data), "OpenSSL failed for %s",
	      e2e_spec_name(&ses->spec));
	return e2e_slot_build(t, s, ses, r);
}

/* ------------------------------------------------------------------ checking */

static void
accept_any(struct e2e_slot *s)
{
	struct e2e_mem *arena = &s->mem[E2E_MEM_ARENA];
	static uint8_t flat[E2E_MAX_LEN];
	unsigned int i;

	for (i = 0; i < s->nb_any; i++) {
		const struct e2e_any *a = &s->any[i];
		struct e2e_mem *m = &s->mem[a->mem];

		if (a->chain != NULL) {
			stream_copy(a->chain, arena->live, a->off, flat, a->len, false);
			stream_copy(a->chain, arena->expect, a->off, flat, a->len, true);
		} else {
			memcpy(m->expect + a->off, m->live + a->off, a->len);
		}
	}
}

static void
accept_copy(struct e2e_slot *s, uint32_t from, uint32_t to, bool must)
{
	static uint8_t flat[E2E_MAX_LEN];
	struct e2e_mem *arena = &s->mem[E2E_MEM_ARENA];

	if (from >= to)
		return;
	stream_copy(&s->dst, arena->live, from, flat, to - from, false);
	if (must || memcmp(flat, s->data.in + from, to - from) == 0)
		stream_copy(&s->dst, arena->expect, from, s->data.in + from, to - from, true);
}

/*
 * The API says that an operation out of place also copies data that are authenticated but not
 * enciphered. crypto_accel must copy them. Other drivers may copy all or nothing.
 */
static void
accept_auth_copy(struct e2e *t, struct e2e_slot *s)
{
	const struct e2e_layout *l = &s->lay;
	const struct e2e_spec *sp = &s->ses->spec;
	uint32_t a_end = l->a_off + l->a_len, c_end = l->c_off + l->c_len;

	bool must = t->is_accel && s->want == RTE_CRYPTO_OP_STATUS_SUCCESS;

	if (l->dst_segs == 0 || sp->auth == NULL || l->must_fail || e2e_has_bits(l))
		return;
	if (sp->cipher == NULL) {
		accept_copy(s, l->a_off, a_end, must);
		return;
	}
	accept_copy(s, l->a_off, RTE_MIN(a_end, l->c_off), must);
	accept_copy(s, RTE_MAX(l->a_off, c_end), a_end, must);
}

static void
print_difference(const struct e2e_slot *s)
{
	static const char *const names[] = { "packet memory", "private area", "rte_malloc" };
	unsigned int k;

	for (k = 0; k < E2E_MEMS; k++) {
		if (memcmp(s->mem[k].live, s->mem[k].expect, s->mem[k].used) != 0)
			e2e_hexdiff(names[k], s->mem[k].expect, s->mem[k].live, s->mem[k].used);
	}
}

int
e2e_slot_check(struct e2e *t, struct e2e_slot *s)
{
	bool same = true;
	unsigned int k;

	accept_any(s);
	accept_auth_copy(t, s);
	for (k = 0; k < E2E_MEMS; k++)
		same = same && memcmp(s->mem[k].live, s->mem[k].expect, s->mem[k].used) == 0;
	if (same && s->op->status == s->want)
		return E2E_PASS;
	if (e2e_first_failure(t)) {
		e2e_layout_print(s);
		print_difference(s);
	}
	if (s->op->status != s->want)
		return e2e_fail(t, __FILE__, __LINE__, "%s: status %s, expected %s",
				e2e_spec_name(&s->ses->spec), e2e_status_name(s->op->status),
				e2e_status_name(s->want));
	return e2e_fail(t, __FILE__, __LINE__, "%s: memory differs", e2e_spec_name(&s->ses->spec));
}

/*
 * Checks an operation that must fail: it has an error status, and no byte changed outside of its
 * packet and its digest. The packet's contents are not specified.
 */
int
e2e_slot_check_bad(struct e2e *t, struct e2e_slot *s)
{
	const struct e2e_chain *out = s->lay.dst_segs > 0 ? &s->dst : &s->src;

	any_add(s, out, 0, 0, RTE_MIN(out->total, rte_pktmbuf_pkt_len(out->m)));
	if (s->ses->spec.generate && s->ses->spec.digest_len > 0)
		any_add(s, NULL, s->digest.mem, s->digest.off, s->ses->spec.digest_len);
	CHECK(t, s->op->status != RTE_CRYPTO_OP_STATUS_SUCCESS, "a bad op succeeded");
	CHECK(t, s->op->status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED, "a bad op has no status");
	s->want = s->op->status;
	return e2e_slot_check(t, s);
}
