/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests PDCP (manual 8.5), with AES and with the NULL algorithms.
 */
#include <string.h>

#include "reference/sym.h"
#include "tests_protocol.h"

#define ROOM 512u

struct pdu {
	uint16_t cipher, auth;
	uint32_t sn_len, bearer, direction, sdap, header, hfn;
	bool encrypt, in_place;
	uint32_t len; /* header, SDAP header, data */
	uint8_t plain[ROOM], wire[ROOM];
	uint32_t mac; /* bytes of MAC-I */
};

static uint32_t
header_bytes(uint32_t sn_len)
{
	return sn_len == 0 ? 0 : sn_len <= 7 ? 1 : sn_len <= 15 ? 2 : 3;
}

/* Write COUNT, BEARER and DIRECTION, with which both algorithms begin (TS 33.401 annex B). */
static void
first_bytes(const struct pdu *p, uint8_t block[16])
{
	uint32_t sn = 0, count;

	for (uint32_t i = 0; i < p->header; i++)
		sn = sn << 8 | p->plain[i];
	sn &= (1u << p->sn_len) - 1;
	count = p->hfn << p->sn_len | sn;
	memset(block, 0, 16);
	for (int i = 0; i < 4; i++)
		block[i] = (uint8_t)(count >> (24 - 8 * i));
	block[4] = (uint8_t)(p->bearer << 3 | p->direction << 2);
}

/* Make the PDU in the form in which it goes over the air. */
static void
compute(struct card *c, struct pdu *p)
{
	uint8_t block[16], covered[ROOM + 8], mac[16] = { 0 };
	uint32_t clear = p->header + p->sdap;

	for (uint32_t i = 0; i < ROOM; i++)
		p->plain[i] = (uint8_t)card_random(c);
	first_bytes(p, block);
	memcpy(covered, block, 8);
	memcpy(covered + 8, p->plain, p->len);
	p->mac = p->auth != 0 ? 4 : 0;
	if (p->auth == ACCEL_HW_AUTH_AES_CMAC)
		ref_cmac(sym_key, covered, p->len + 8, mac);
	memcpy(p->plain + p->len, mac, 4);
	memcpy(p->wire, p->plain, ROOM);
	if (p->cipher == ACCEL_HW_CIPHER_AES_CTR)
		ref_ctr(sym_key, block, p->plain + clear, p->wire + clear,
			p->len + p->mac - clear);
}

static void
pdcp_context(const struct pdu *p, struct accel_hw_context *x)
{
	memset(x, 0, sizeof(*x));
	x->version = ACCEL_HW_CTX_VERSION;
	x->kind = ACCEL_HW_KIND_PDCP;
	x->flags = p->encrypt ? ACCEL_HW_CTX_ENCRYPT : 0;
	x->cipher_alg = p->cipher;
	x->auth_alg = p->auth;
	x->cipher_key_len = p->cipher == ACCEL_HW_CIPHER_NULL ? 0 : 16;
	x->auth_key_len = p->auth == ACCEL_HW_AUTH_AES_CMAC ? 16 : 0;
	x->digest_len = p->auth != 0 ? 4 : 0;
	x->pdcp_sn_len = (uint8_t)p->sn_len;
	x->pdcp_bearer = (uint8_t)p->bearer;
	x->pdcp_direction = (uint8_t)p->direction;
	x->pdcp_sdap_len = (uint8_t)p->sdap;
	memcpy(x->cipher_key, sym_key, 16);
	memcpy(x->auth_key, sym_key, 16);
}

static void
make(struct card *c, struct request *r, struct pdu *p)
{
	uint32_t in = p->len + (p->encrypt ? 0 : p->mac), out = p->len + (p->encrypt ? p->mac : 0);
	const uint64_t from = memory_get(&c->memory, MEMORY_LOW, ROOM, 1);
	struct accel_hw_context x;

	pdcp_context(p, &x);
	sym_request(r, &x, sym_store(c, &x));
	memcpy(r->cmd.iv, &p->hfn, 4);
	memset(r->cmd.auth_iv, 0x99, 16);
	r->cmd.cipher_len = in;
	request_in(r, from, in);
	memory_write(&c->memory, from, p->encrypt ? p->plain : p->wire, in);
	request_out(r, p->in_place ? from : memory_get(&c->memory, MEMORY_LOW, ROOM, 1), out + 3);
	r->produced = out;
	r->output = p->encrypt ? p->wire : p->plain;
}

static const uint16_t some_ciphers[] = { ACCEL_HW_CIPHER_AES_CTR, ACCEL_HW_CIPHER_NULL };
static const uint16_t some_auths[] = { ACCEL_HW_AUTH_AES_CMAC, ACCEL_HW_AUTH_NULL, 0 };

static bool
there(const struct card *c, uint16_t cipher, uint16_t auth)
{
	const struct tree_protocol *p = &c->tree.pdcp;

	return p->there && tree_lists(p->cipher, p->nb_ciphers, cipher) &&
		(auth == 0 || tree_lists(p->auth, p->nb_auths, auth));
}

/* Choose a PDU with algorithms that the card has. */
static bool
draw(struct card *c, struct pdu *p, unsigned int i)
{
	memset(p, 0, sizeof(*p));
	p->cipher = some_ciphers[i % 2];
	p->auth = some_auths[i % 3];
	if (!there(c, p->cipher, p->auth) || c->tree.pdcp.nb_sn == 0)
		return false;
	p->sn_len = c->tree.pdcp.sn[i / 6 % c->tree.pdcp.nb_sn];
	p->header = header_bytes(p->sn_len);
	p->bearer = (uint32_t)(card_random(c) % 32);
	p->direction = (uint32_t)(card_random(c) % 2);
	p->sdap = (uint32_t)(card_random(c) % 2);
	p->hfn = (uint32_t)card_random(c);
	p->encrypt = card_random(c) % 2 != 0;
	p->in_place = card_random(c) % 2 != 0;
	p->len = p->header + p->sdap + (uint32_t)(card_random(c) % 200);
	if (p->len + p->mac == 0)
		p->len = p->header + p->sdap + 1;
	compute(c, p);
	return true;
}

static void
pdus(struct card *c)
{
	unsigned int done = 0;
	struct queue q;

	SKIP_UNLESS(c, c->tree.pdcp.there, "no PDCP");
	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 300; i++) {
		struct request r;
		struct pdu p;

		if (!draw(c, &p, i))
			continue;
		make(c, &r, &p);
		done++;
		result_note(&c->result,
			"cipher %u, auth %u, SN of %u bits, bearer %u, direction %u, "
			    "SDAP %u, HFN %#x, encrypt %d, in place %d, %u bytes", p.cipher,
			    p.auth, p.sn_len, p.bearer, p.direction, p.sdap, p.hfn, p.encrypt,
			    p.in_place, p.len);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
		if (p.encrypt || p.auth == 0)
			continue;
		p.wire[p.len + 3] ^= 0x10; /* EIA0 accepts every MAC-I */
		memory_write(&c->memory, r.in[0].iova, p.wire, p.len + p.mac);
		if (!request_run(&q, &r, p.auth == ACCEL_HW_AUTH_NULL ? ACCEL_HW_OK :
				 ACCEL_HW_AUTH_FAILED))
			return;
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no PDCP with AES or NULL");
}

static void
commands(struct card *c)
{
	struct queue q;

	SKIP_UNLESS(c, there(c, ACCEL_HW_CIPHER_AES_CTR, ACCEL_HW_AUTH_AES_CMAC),
		    "no PDCP with AES");
	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 8; i++) {
		struct request r;
		struct pdu p;

		if (!draw(c, &p, 0))
			return;
		p.len = p.header + p.sdap + 30;
		compute(c, &p);
		make(c, &r, &p);
		if (i == 0)
			r.cmd.auth_len = 1;
		else if (i == 1)
			r.cmd.skip = 1;
		else if (i == 2)
			r.cmd.aad_len = 1;
		else if (i < 7)
			r.cmd.flags = (uint8_t)(2u << (i - 3));
		else
			r.cmd.flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM;
		result_note(&c->result, "case %d", i);
		if (!request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test contexts with one field out of range. */
static void
contexts(struct card *c)
{
	struct queue q;

	SKIP_UNLESS(c, there(c, ACCEL_HW_CIPHER_AES_CTR, ACCEL_HW_AUTH_AES_CMAC),
		    "no PDCP with AES");
	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 48; i++) {
		struct accel_hw_context x;
		struct request r;
		struct pdu p;

		if (!draw(c, &p, 0))
			return;
		make(c, &r, &p);
		pdcp_context(&p, &x);
		if (i < 32) {
			if (tree_lists(c->tree.pdcp.sn, c->tree.pdcp.nb_sn, (uint32_t)i))
				continue;
			x.pdcp_sn_len = (uint8_t)i;
		} else {
			x.pdcp_bearer = i == 32 ? 32 : i == 33 ? 255 : x.pdcp_bearer;
			x.pdcp_direction = i == 34 ? 2 : i == 35 ? 0x80 : x.pdcp_direction;
			x.pdcp_sdap_len = i == 36 ? 2 : i == 37 ? 0x80 : x.pdcp_sdap_len;
			x.digest_len = i == 38 ? 0 : i == 39 ? 8 : i == 40 ? 3 : 4;
			x.iv_len = i == 41 ? 16 : 0;
			x.auth_iv_len = i == 42 ? 16 : 0;
			x.cipher_key_len = i == 43 ? 24 : i == 44 ? 0 : 16;
			x.auth_key_len = i == 45 ? 32 : 16;
			x.flags |= i == 46 ? ACCEL_HW_CTX_VERIFY : 0;
			x.cipher_alg = i == 47 ? ACCEL_HW_CIPHER_AES_CBC : x.cipher_alg;
		}
		r.cmd.context = sym_store(c, &x);
		r.cmd.generation = x.generation;
		result_note(&c->result, "case %d", i);
		if (!request_run(&q, &r, ACCEL_HW_BAD_CONTEXT))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test PDUs of the shortest length, and PDUs that are one byte shorter. */
static void
shortest(struct card *c)
{
	struct queue q;

	SKIP_UNLESS(c, there(c, ACCEL_HW_CIPHER_AES_CTR, ACCEL_HW_AUTH_AES_CMAC),
		    "no PDCP with AES");
	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 60; i++) {
		struct request r;
		struct pdu p;

		if (!draw(c, &p, 6 * (i / 2)))
			return;
		p.len = p.header + p.sdap;
		compute(c, &p);
		if (p.len + (p.encrypt ? 0 : p.mac) < 2)
			continue;
		make(c, &r, &p);
		if (i % 2 != 0)
			r.cmd.cipher_len = --r.in[0].len;
		if (!request_run(&q, &r, i % 2 != 0 ? ACCEL_HW_BAD_LENGTH : ACCEL_HW_OK))
			return;
		/* The source is as long as the command says, and the room as the output. */
		r.cmd.cipher_len = r.in[0].len + 1;
		if (!request_run(&q, &r, ACCEL_HW_BAD_LENGTH))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "PDCP-2 PDCP-4 PDCP-5 PDCP-6 PDCP-7 PROTO-1 PROTO-2",
	  "PDUs of each header, both directions, in place or not, AES and NULL", pdus },
	{ "PDCP-1 CTX-6", "contexts out of range: BAD_CONTEXT", contexts },
	{ "PDCP-3", "fields and flags that PDCP does not have: BAD_COMMAND", commands },
	{ "PDCP-8", "PDUs that are too short: BAD_LENGTH", shortest },
};

const struct test_group tests_pdcp = TEST_GROUP("pdcp", tests);
