/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the device tree (manual 10), and that pages do not move (manual 3).
 */
#include <libfdt.h>
#include <string.h>

#include "reference/sym.h"
#include "tests_card.h"

static void
blob(struct card *c)
{
	const struct tree *t = &c->tree;

	CHECK(c, fdt_version(t->blob) == 17, "version %u of the blob, wanted 17",
	      fdt_version(t->blob));
	CHECK(c, fdt_totalsize(t->blob) <= t->size && t->size - fdt_totalsize(t->blob) < 8,
	      "DT_SIZE is %u and the blob has %u bytes", t->size, fdt_totalsize(t->blob));
	for (uint32_t i = fdt_totalsize(t->blob); i < t->size; i++)
		CHECK(c, t->blob[i] == 0, "the padding is not 0");
	CHECK(c, fdt_address_cells(t->blob, 0) == 1 && fdt_size_cells(t->blob, 0) == 1,
	      "#address-cells or #size-cells is not 1");
	CHECK(c, fdt_getprop(t->blob, 0, "model", NULL) != NULL, "the root has no model");
}

/* tree_load() has checked each page by itself and against the others. */
static void
pages(struct card *c)
{
	CHECK(c, tree_load(&c->tree, c->transport), "%s", c->tree.error);
}

static unsigned int
count(const struct tree *t, const char *compatible)
{
	unsigned int nb = 0;

	for (int node = fdt_node_offset_by_compatible(t->blob, -1, compatible); node >= 0;
	     node = fdt_node_offset_by_compatible(t->blob, node, compatible))
		nb++;
	return nb;
}

static void
nodes(struct card *c)
{
	static const struct {
		const char *compatible;
		unsigned int least, most;
	} table[] = {
#define ROW(node, least, most) { node, least, most },
		ACCEL_HW_DT_NODES(ROW)
#undef ROW
	};
	const struct tree *t = &c->tree;
	unsigned int qps = count(t, ACCEL_HW_DT_QP);

	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		unsigned int nb = count(t, table[i].compatible);

		CHECK(c, nb >= table[i].least && (table[i].most == 0 || nb <= table[i].most),
		      "%u nodes %s", nb, table[i].compatible);
	}
	CHECK(c, qps >= 1 && qps <= TREE_QPS, "%u queue pairs", qps);
	CHECK(c, t->ring_size_max >= ACCEL_HW_MIN_MAX_RING_SIZE &&
	      (t->ring_size_max & (t->ring_size_max - 1)) == 0,
	      "ring-size-max is %u", t->ring_size_max);
	CHECK(c, t->max_fragments >= ACCEL_HW_MIN_MAX_FRAGMENTS, "max-fragments is %u",
	      t->max_fragments);
	CHECK(c, t->max_frame_bytes >= ACCEL_HW_MIN_MAX_FRAME_BYTES, "max-frame-bytes is %u",
	      t->max_frame_bytes);
	CHECK(c, t->operation_ms >= 1 && t->operation_ms <= ACCEL_HW_OPERATION_MAX_MS,
	      "operation-ms is %u", t->operation_ms);
	CHECK(c, !t->sym || t->context_size == sizeof(struct accel_hw_context),
	      "context-size is %u", t->context_size);
}

/* Describes a property of the nodes with a compatible string. */
struct property {
	const char *compatible, *name;
	unsigned int cells; /* of the value, or of each group of a list */
	bool list;
	bool needed; /* each such node has it */
};

static bool
property_ok(struct card *c, int node, const struct property *p)
{
	int len = 0;
	const void *value = fdt_getprop(c->tree.blob, node, p->name, &len);
	const unsigned int bytes = p->cells * (unsigned int)sizeof(fdt32_t);

	ENSURE(c, value != NULL || !p->needed, "a node %s without %s", p->compatible, p->name);
	ENSURE(c, value == NULL || (p->list ? (unsigned int)len % bytes == 0 :
				    (unsigned int)len == bytes),
	       "%s of a node %s has %d bytes, wanted %s%u", p->name, p->compatible, len,
	       p->list ? "groups of " : "", bytes);
	return true;
}

static void
properties(struct card *c)
{
	static const struct property table[] = {
#define ROW(node, name, cells, list, needed) { node, name, cells, list, needed },
		ACCEL_HW_DT_PROPERTIES(ROW)
#undef ROW
	};
	const void *blob = c->tree.blob;

	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct property *p = &table[i];

		for (int node = fdt_node_offset_by_compatible(blob, -1, p->compatible); node >= 0;
		     node = fdt_node_offset_by_compatible(blob, node, p->compatible)) {
			if (!property_ok(c, node, p))
				return;
		}
	}
}

/* Has the sizes of manual 8.2, which a tree may narrow. */
static const struct accel_hw_alg_info known[] = {
#define ROW(...) ACCEL_HW_ALG_INFO(__VA_ARGS__),
	ACCEL_HW_SYM_ALGS(ROW)
#undef ROW
};

/* True if a range is a part of the manual's range, with the manual's steps. */
static bool
within(const struct tree_range *r, const struct accel_hw_range *manual)
{
	uint32_t step = manual->step != 0 ? manual->step : 1;

	return r->min >= manual->min && r->max <= manual->max &&
		(r->min - manual->min) % step == 0 && (r->max - manual->min) % step == 0 &&
		(r->min == r->max ? r->step == 0 : r->step % step == 0 && r->step != 0);
}

static void
sizes_of(struct card *c, const struct tree_alg *a, const struct accel_hw_alg_info *row)
{
	CHECK(c, a->class == row->class, "%s (%u) has the wrong class", row->name, a->id);
	CHECK(c, a->block == row->block, "block-size of %s (%u): %u", row->name, a->id, a->block);
	CHECK(c, within(&a->key, &row->key), "key-sizes of %s (%u): %u %u %u", row->name, a->id,
	      a->key.min, a->key.max, a->key.step);
	CHECK(c, within(&a->iv, &row->iv), "iv-sizes of %s (%u): %u %u %u", row->name, a->id,
	      a->iv.min, a->iv.max, a->iv.step);
	CHECK(c, a->class == ACCEL_HW_CLASS_CIPHER || within(&a->digest, &row->digest),
	      "digest-sizes of %s (%u): %u %u %u", row->name, a->id, a->digest.min, a->digest.max,
	      a->digest.step);
	CHECK(c, a->class != ACCEL_HW_CLASS_AEAD || within(&a->aad, &row->aad),
	      "aad-sizes of %s (%u): %u %u %u", row->name, a->id, a->aad.min, a->aad.max,
	      a->aad.step);
}

static void
sizes(struct card *c)
{
	for (unsigned int i = 0; i < c->tree.nb_algs; i++) {
		const struct tree_alg *a = &c->tree.alg[i];

		CHECK(c, a->id > 0 && a->id < 256, "alg-id %u", a->id);
		CHECK(c, tree_alg(&c->tree, a->id) == a, "algorithm %u is listed twice", a->id);
		for (unsigned int j = 0; j < sizeof(known) / sizeof(known[0]); j++) {
			if (known[j].id == a->id)
				sizes_of(c, a, &known[j]);
		}
	}
}

/* Return where the range of numbers begins to which a number belongs (manual 8.2). Authentication
 * has two ranges, which count as the first one. */
static uint32_t
range_of(uint32_t id)
{
	static const uint32_t first[] = { ACCEL_HW_AEAD_FIRST, ACCEL_HW_PK_FIRST,
					  ACCEL_HW_PROTO_FIRST, ACCEL_HW_AUTH_FIRST,
					  ACCEL_HW_CIPHER_FIRST };

	if (id >= ACCEL_HW_AUTH2_FIRST && id < ACCEL_HW_ALG_NB)
		return ACCEL_HW_AUTH_FIRST;
	for (unsigned int i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		if (id < ACCEL_HW_ALG_NB && id >= first[i])
			return first[i];
	}
	return 0;
}

static void
ranges(struct card *c)
{
	static const struct {
		const char *compatible;
		uint32_t first;
	} table[] = {
		{ ACCEL_HW_DT_CIPHER, ACCEL_HW_CIPHER_FIRST },
		{ ACCEL_HW_DT_AUTH, ACCEL_HW_AUTH_FIRST },
		{ ACCEL_HW_DT_AEAD, ACCEL_HW_AEAD_FIRST },
		{ ACCEL_HW_DT_DOCSIS, ACCEL_HW_PROTO_FIRST },
		{ ACCEL_HW_DT_PDCP, ACCEL_HW_PROTO_FIRST },
		{ ACCEL_HW_DT_ESP, ACCEL_HW_PROTO_FIRST },
		{ ACCEL_HW_DT_AH, ACCEL_HW_PROTO_FIRST },
		{ ACCEL_HW_DT_TLS12, ACCEL_HW_PROTO_FIRST },
		{ ACCEL_HW_DT_TLS13, ACCEL_HW_PROTO_FIRST },
		{ ACCEL_HW_DT_DTLS12, ACCEL_HW_PROTO_FIRST },
		{ ACCEL_HW_DT_PK, ACCEL_HW_PK_FIRST },
		{ ACCEL_HW_DT_RANDOM, ACCEL_HW_PK_FIRST },
	};
	const void *blob = c->tree.blob;
	unsigned int nb = 0;

	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *name = table[i].compatible;

		for (int node = fdt_node_offset_by_compatible(blob, -1, name); node >= 0;
		     node = fdt_node_offset_by_compatible(blob, node, name)) {
			int len = 0;
			const fdt32_t *id = fdt_getprop(blob, node, ACCEL_HW_DT_ALG_ID, &len);

			CHECK(c, id != NULL && len == 4, "a node %s without alg-id", name);
			CHECK(c, range_of(fdt32_to_cpu(*id)) == table[i].first,
			      "alg-id %u of a node %s", fdt32_to_cpu(*id), name);
			nb++;
		}
	}
	SKIP_UNLESS(c, nb > 0, "no algorithm");
}

/* Check that old and new properties of chains agree. */
static void
chains(struct card *c)
{
	const struct tree *t = &c->tree;
	const uint32_t both = 1u << ACCEL_HW_KIND_CIPHER_THEN_AUTH |
			      1u << ACCEL_HW_KIND_AUTH_THEN_CIPHER;
	int node = fdt_node_offset_by_compatible(t->blob, -1, ACCEL_HW_DT_SYM);
	uint32_t old = 0;

	SKIP_UNLESS(c, node >= 0, "no sym node");
	if (fdt_getprop(t->blob, node, ACCEL_HW_DT_CHAIN_CIPHER_AUTH, NULL) != NULL)
		old |= 1u << ACCEL_HW_KIND_CIPHER_THEN_AUTH;
	if (fdt_getprop(t->blob, node, ACCEL_HW_DT_CHAIN_AUTH_CIPHER, NULL) != NULL)
		old |= 1u << ACCEL_HW_KIND_AUTH_THEN_CIPHER;
	CHECK(c, (t->chains & ~both) == 0, "chains is %#x", t->chains);
	SKIP_UNLESS(c, old != 0 || !t->chains_there, "no property of cards before 1.5");
	CHECK(c, old == t->chains, "chains is %#x, and the two older properties say %#x", t->chains,
	      old);
}

/* Describes sizes that a protocol can use. */
struct usable {
	uint32_t key[3], iv[2], digest[2]; /* one of each; 0 behind the first: no more */
};

/* Check that a list of a protocol has only algorithms with one of the sizes. */
static bool
all_usable(struct card *c, const char *name, const uint32_t *list, unsigned int nb,
	   const struct usable *u)
{
	for (unsigned int i = 0; i < nb; i++) {
		const struct tree_alg *a = tree_alg(&c->tree, list[i]);
		bool has = false;

		if (list[i] == 0 || list[i] == ACCEL_HW_CIPHER_NULL ||
		    list[i] == ACCEL_HW_AUTH_NULL || a == NULL)
			continue;
		for (unsigned int k = 0; k < 3 * 2 * 2; k++)
			has |= tree_sizes(a, u->key[k % 3], u->iv[k / 3 % 2], u->digest[k / 6]);
		ENSURE(c, has, "%s lists algorithm %u without a size that it can use", name,
		       list[i]);
	}
	return true;
}

static bool
tls_usable(struct card *c, const char *name, const struct tree_ipsec *t)
{
	static const uint32_t whole[][2] = { { ACCEL_HW_AUTH_SHA1_HMAC, 20 },
					     { ACCEL_HW_AUTH_SHA256_HMAC, 32 },
					     { ACCEL_HW_AUTH_SHA384_HMAC, 48 } };
	static const struct usable cipher = { { 16, 24, 32 }, { 16, 8 }, { 0 } };
	static const struct usable aead = { { 16, 32, 32 }, { 12, 12 }, { 16, 8 } };

	if (!all_usable(c, name, t->lists.cipher, t->lists.nb_ciphers, &cipher) ||
	    !all_usable(c, name, t->aead, t->nb_aeads, &aead))
		return false;
	for (unsigned int i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		const uint32_t size = whole[i][1];
		const struct usable hmac = { { size, size, size }, { 0 }, { size, size } };

		if (tree_lists(t->lists.auth, t->lists.nb_auths, whole[i][0]) &&
		    !all_usable(c, name, whole[i], 1, &hmac))
			return false;
	}
	return true;
}

static void
usable_sizes(struct card *c)
{
	static const struct usable cipher = { { 16, 16, 16 }, { 16, 16 }, { 0 } };
	static const struct usable auth = { { 16, 16, 16 }, { 0, 16 }, { 4, 4 } };
	const struct tree *t = &c->tree;

	SKIP_UNLESS(c, t->pdcp.there || t->tls12.lists.there || t->tls13.lists.there ||
		    t->dtls12.lists.there, "no PDCP, TLS or DTLS");
	if (all_usable(c, "PDCP", t->pdcp.cipher, t->pdcp.nb_ciphers, &cipher) &&
	    all_usable(c, "PDCP", t->pdcp.auth, t->pdcp.nb_auths, &auth) &&
	    tls_usable(c, "TLS 1.2", &t->tls12) && tls_usable(c, "TLS 1.3", &t->tls13))
		tls_usable(c, "DTLS 1.2", &t->dtls12);
}

static void
protocol_lists(struct card *c)
{
	const struct tree *t = &c->tree;

	SKIP_UNLESS(c, t->docsis.there || t->pdcp.there, "no protocol");
	for (unsigned int i = 0; i < t->docsis.nb_ciphers; i++)
		CHECK(c, tree_alg(t, t->docsis.cipher[i]) != NULL,
		      "DOCSIS has cipher %u, which has no node", t->docsis.cipher[i]);
	for (unsigned int i = 0; i < t->pdcp.nb_ciphers; i++)
		CHECK(c, tree_alg(t, t->pdcp.cipher[i]) != NULL,
		      "PDCP has cipher %u, which has no node", t->pdcp.cipher[i]);
	for (unsigned int i = 0; i < t->pdcp.nb_auths; i++)
		CHECK(c, t->pdcp.auth[i] == 0 || tree_alg(t, t->pdcp.auth[i]) != NULL,
		      "PDCP has authentication %u, which has no node", t->pdcp.auth[i]);
}

/* Use every number below 256 that the tree does not list, as a cipher, a hash and an AEAD. */
static void
not_listed(struct card *c)
{
	struct queue q;

	SKIP_UNLESS(c, c->tree.sym, "no sym node");
	if (!queue_open(&q, c))
		return;
	for (uint16_t id = 0; id < 256; id++) {
		const uint32_t range = range_of(id);
		const bool cipher = range <= ACCEL_HW_CIPHER_FIRST;
		const bool aead = range == ACCEL_HW_AEAD_FIRST;
		struct accel_hw_context x;
		struct request r;
		uint64_t at;

		if (tree_alg(&c->tree, id) != NULL)
			continue;
		c->memory.part[MEMORY_LOW].used = 0;
		if (cipher)
			sym_cbc(&c->tree, &x, true);
		else if (aead)
			sym_gcm(&c->tree, &x, true, 16);
		else
			sym_hmac(&c->tree, &x, false, 16);
		*(cipher || aead ? &x.cipher_alg : &x.auth_alg) = id;
		at = sym_store(c, &x);
		sym_request(&r, &x, at);
		r.cmd.cipher_len = cipher || aead ? 64 : 0;
		r.cmd.auth_len = cipher || aead ? 0 : 64;
		request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, 128, 1), 128);
		result_note(&c->result, "algorithm %u", id);
		if (!request_run(&q, &r, ACCEL_HW_BAD_CONTEXT))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Make a chain with the least sizes of its algorithms. */
static void
make_chain(struct accel_hw_context *x, uint8_t kind, const struct tree_alg *cipher,
	   const struct tree_alg *auth)
{
	memset(x, 0, sizeof(*x));
	x->version = ACCEL_HW_CTX_VERSION;
	x->kind = kind;
	x->flags = ACCEL_HW_CTX_ENCRYPT;
	x->cipher_alg = (uint16_t)cipher->id;
	x->cipher_key_len = (uint16_t)(cipher->nb_key_iv > 0 ? cipher->key_iv[0].a :
							       cipher->key.min);
	x->iv_len = (uint8_t)(cipher->nb_key_iv > 0 ? cipher->key_iv[0].b : cipher->iv.min);
	memcpy(x->cipher_key, sym_key, sizeof(x->cipher_key));
	x->auth_alg = (uint16_t)auth->id;
	x->auth_key_len = (uint16_t)(auth->nb_key_iv > 0 ? auth->key_iv[0].a : auth->key.min);
	x->auth_iv_len = (uint8_t)(auth->nb_key_iv > 0 ? auth->key_iv[0].b : auth->iv.min);
	x->digest_len = (uint16_t)tree_digest(auth, 0);
	memcpy(x->auth_key, sym_key, sizeof(sym_key));
}

/* Use a cipher with an authentication. A pair that is not listed is refused. */
static bool
try_pair(struct queue *q, uint8_t kind, const struct tree_alg *cipher, const struct tree_alg *auth)
{
	struct card *c = q->card;
	const bool listed = tree_chain(&c->tree, kind, cipher->id, auth->id);
	struct accel_hw_context x;
	struct request r;

	if (cipher->iv.min > 16 || auth->iv.min > 16)
		return true; /* not with an IV in a command */
	c->memory.part[MEMORY_LOW].used = 0;
	make_chain(&x, kind, cipher, auth);
	sym_request(&r, &x, sym_store(c, &x));
	r.cmd.cipher_len = r.cmd.auth_len = 64;
	request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 128, 1), 128);
	r.produced = listed ? 64u + x.digest_len : 0;
	result_note(&c->result, "kind %u with algorithms %u and %u", kind, cipher->id, auth->id);
	return request_run(q, &r, listed ? ACCEL_HW_OK : ACCEL_HW_BAD_CONTEXT);
}

static void
chain_pairs(struct card *c)
{
	const struct tree *t = &c->tree;
	struct queue q;

	SKIP_UNLESS(c, t->pairs_listed, "no chain-pairs");
	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < t->nb_algs * t->nb_algs; i++) {
		const struct tree_alg *cipher = &t->alg[i / t->nb_algs];
		const struct tree_alg *auth = &t->alg[i % t->nb_algs];

		if (cipher->class != ACCEL_HW_CLASS_CIPHER || auth->class != ACCEL_HW_CLASS_AUTH)
			continue;
		if (!try_pair(&q, ACCEL_HW_KIND_CIPHER_THEN_AUTH, cipher, auth) ||
		    !try_pair(&q, ACCEL_HW_KIND_AUTH_THEN_CIPHER, cipher, auth))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
stay(struct card *c)
{
	uint32_t control = c->tree.control, invalidate = c->tree.invalidate;
	uint32_t health = c->tree.health;
	struct tree_qp first = c->tree.qp[0];

	for (int i = 0; i < 3; i++) {
		CHECK(c, i % 2 == 0 ? card_flr(c) : card_reset(c), "no reset");
		CHECK(c, tree_load(&c->tree, c->transport), "%s", c->tree.error);
		CHECK(c, c->tree.control == control && c->tree.invalidate == invalidate &&
		      c->tree.health == health && c->tree.qp[0].host == first.host &&
		      c->tree.qp[0].device == first.device, "pages have moved with a reset");
	}
}

static const struct test_case tests[] = {
	{ "DT-1", "version 17, padded with zeros, one cell for addresses and sizes", blob },
	{ "DT-2", "pages are aligned, in BAR0, and not shared", pages },
	{ "DT-3", "the nodes, as often as the manual says, with their limits", nodes },
	{ "DT-3", "the properties of each node, and their lengths", properties },
	{ "DT-3", "sizes of algorithms are those of the manual or fewer", sizes },
	{ "DT-3", "algorithms of protocols have nodes", protocol_lists },
	{ "ALG-8", "numbers of algorithms lie in the ranges of their nodes", ranges },
	{ "DT-6", "algorithms of protocols have sizes that these can use", usable_sizes },
	{ "DT-5", "chains, and the properties of cards before 1.5", chains },
	{ "DT-4 CTX-2", "algorithms that are not listed: BAD_CONTEXT", not_listed },
	{ "DT-4 CTX-2", "chains of pairs that are not listed: BAD_CONTEXT", chain_pairs },
	{ "BAR-2", "pages keep their offsets over reset and FLR", stay },
};

const struct test_group tests_tree = TEST_GROUP("tree", tests);
