/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests algorithms and protocols that the resource table does not give to a virtual function
 * (manual 4.5). The card judges a context by all the numbers of section 8.2 that it names. Each
 * number is taken away alone, and each context is given only the numbers that it names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "card/vf.h"
#include "reference/ipsec.h"
#include "reference/known.h"
#include "reference/tls.h"
#include "tests_card.h"

#define SUBJECTS 64u
#define NUMBERS 3u /* numbers of a context: protocol, cipher or AEAD, authentication; 0: none */
#define ALGORITHMS 256u

/* Describes a context that the card can take, if the function is given its numbers. */
struct subject {
	uint32_t number[NUMBERS];
	enum { SYM, SA, TLS } form;
	struct accel_hw_context x; /* SYM; TLS: the length of its key */
	const struct known_packet *packet; /* SA */
	uint8_t kind; /* TLS */
	enum tls_suite suite;
};

struct subjects {
	unsigned int nb;
	struct subject one[SUBJECTS];
};

static void
add(struct subjects *all, const struct subject *s)
{
	for (unsigned int i = 0; i < all->nb; i++) {
		if (memcmp(all->one[i].number, s->number, sizeof(s->number)) == 0)
			return;
	}
	if (all->nb == SUBJECTS) {
		fprintf(stderr, "accel-conformance: room for %u contexts only\n", SUBJECTS);
		abort();
	}
	all->one[all->nb++] = *s;
}

static void
add_sym(struct card *c, struct subjects *all, const struct accel_hw_context *x)
{
	struct subject s = { .form = SYM, .x = *x, .number = { 0, x->cipher_alg, x->auth_alg } };

	if ((x->cipher_alg == 0 || tree_alg(&c->tree, x->cipher_alg) != NULL) &&
	    (x->auth_alg == 0 || tree_alg(&c->tree, x->auth_alg) != NULL))
		add(all, &s);
}

/* Find the contexts for which the card has all algorithms. */
static void
find_subjects(struct card *c, struct subjects *all)
{
	struct accel_hw_context x;
	enum tls_suite suite;
	uint8_t kind;

	memset(all, 0, sizeof(*all));
	sym_cbc(&c->tree, &x, true);
	add_sym(c, all, &x);
	sym_hmac(&c->tree, &x, false, 32);
	add_sym(c, all, &x);
	sym_gcm(&c->tree, &x, true, 16);
	add_sym(c, all, &x);
	for (unsigned int i = 0; i < known_packets_nb; i++) {
		const struct known_packet *k = &known_packets[i];
		const bool ah = k->kind == ACCEL_HW_KIND_AH;
		struct subject s = {
			.form = SA, .packet = k,
			.number = { ah ? ACCEL_HW_PROTO_AH : ACCEL_HW_PROTO_ESP, k->cipher,
				    k->auth },
		};
		struct sa sa;

		sa_known(k, true, &sa);
		if (sa_known_possible(c, &sa))
			add(all, &s);
	}
	TLS_EACH(c, kind, suite) {
		struct subject s = { .form = TLS, .kind = kind, .suite = suite };
		struct tls_direction d;

		tls_make(c, &d, kind, suite, true);
		s.number[0] = kind == ACCEL_HW_KIND_TLS12 ? ACCEL_HW_PROTO_TLS12 :
			      kind == ACCEL_HW_KIND_TLS13 ? ACCEL_HW_PROTO_TLS13 :
							    ACCEL_HW_PROTO_DTLS12;
		s.number[1] = d.x.common.cipher_alg;
		s.number[2] = d.x.common.auth_alg;
		s.x.cipher_key_len = d.x.common.cipher_key_len;
		add(all, &s);
	}
}

/* The functions below run requests. */

/* Run an operation of SYM. @param status OK, or a status of the checks 4 and 5, after which nothing
 * is written. */
static bool
run_sym(struct queue *q, const struct subject *s, uint16_t status)
{
	const bool cipher = s->x.cipher_alg != 0;
	struct accel_hw_context x = s->x;
	struct card *c = q->card;
	struct request r;

	sym_request(&r, &x, sym_store(c, &x));
	r.cmd.generation = x.generation;
	r.cmd.cipher_len = cipher ? 64 : 0;
	r.cmd.auth_len = cipher ? 0 : 64;
	r.produced = (cipher ? 64 : 0) + x.digest_len;
	request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 128, 1), r.produced);
	return request_run(q, &r, status);
}

static bool
run_sa(struct queue *q, const struct subject *s, bool outbound, uint16_t status)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = known_bytes(s->packet->plain, plain, sizeof(plain));
	uint32_t n = known_bytes(s->packet->packet, packet, sizeof(packet));
	struct card *c = q->card;
	struct request r;
	struct sa sa;

	sa_known(s->packet, outbound, &sa);
	sa_store(c, &sa);
	sa_request(c, &r, &sa, outbound ? plain : packet, outbound ? len : n, n + 200);
	known_bytes(s->packet->iv, r.cmd.iv, sizeof(r.cmd.iv));
	r.produced = outbound ? n : len;
	if (!request_run(q, &r, status))
		return false;
	if (status == ACCEL_HW_OK)
		sa_state(c, &sa);
	return true;
}

static bool
run_tls(struct queue *q, const struct subject *s, bool write, uint16_t status)
{
	uint8_t data[32] = { 0 }, record[TLS_ROOM], padding[256];
	struct card *c = q->card;
	struct tls_direction d;
	struct request r;
	uint32_t n;

	tls_make(c, &d, s->kind, s->suite, write);
	/* The tree of a function without the algorithm does not say which keys it has. */
	d.x.common.cipher_key_len = s->x.cipher_key_len;
	tls_store(c, &d);
	n = tls_record(&d, 0, TLS_DATA, data, sizeof(data), padding,
		       tls_padding(&d, sizeof(data), 0, padding), record);
	tls_request(c, &r, &d, write ? TLS_DATA : 0, write ? data : record,
		    write ? sizeof(data) : n, n);
	r.produced = write ? n : sizeof(data);
	r.info = !write && status == ACCEL_HW_OK ? TLS_DATA : 0;
	return status == ACCEL_HW_OK ? tls_run_request(q, &d, &r, status) :
				       request_run(q, &r, status);
}

/* Run a context in both directions. */
static bool
run_subject(struct queue *q, const struct subject *s, uint16_t status)
{
	result_note(&q->card->result, "a context with the numbers %u, %u and %u", s->number[0],
		    s->number[1], s->number[2]);
	if (s->form == SYM)
		return run_sym(q, s, status);
	return s->form == SA ?
		       run_sa(q, s, true, status) && run_sa(q, s, false, status) :
		       run_tls(q, s, true, status) && run_tls(q, s, false, status);
}

/* The functions below give shares. */

static void
set_number(struct accel_hw_vf_resources *share, uint32_t number, bool given)
{
	const uint64_t bit = UINT64_C(1) << number % 64;

	if (given)
		share->algorithms[number / 64] |= bit;
	else
		share->algorithms[number / 64] &= ~bit;
}

static bool
is_given(const struct accel_hw_vf_resources *share, uint32_t number)
{
	return number == 0 || (share->algorithms[number / 64] >> number % 64 & 1) != 0;
}

static bool
list_given(const struct accel_hw_vf_resources *share, const uint32_t *list, unsigned int nb)
{
	for (unsigned int i = 0; i < nb; i++) {
		if (!is_given(share, list[i]))
			return false;
	}
	return true;
}

static bool
node_given(struct card *c, const struct accel_hw_vf_resources *share, const struct tree_ipsec *t,
	   uint32_t number)
{
	ENSURE(c, !t->lists.there || is_given(share, number),
	       "the tree has a node for number %u, which was not given", number);
	ENSURE(c, list_given(share, t->lists.cipher, t->lists.nb_ciphers) &&
	       list_given(share, t->lists.auth, t->lists.nb_auths) &&
	       list_given(share, t->aead, t->nb_aeads),
	       "the node of number %u lists an algorithm that was not given", number);
	return true;
}

/* Check that the tree has only what was given. */
static bool
tree_given(struct card *c, const struct accel_hw_vf_resources *share)
{
	const struct tree *t = &c->tree;

	for (unsigned int i = 0; i < t->nb_algs; i++)
		ENSURE(c, is_given(share, t->alg[i].id),
		       "the tree has algorithm %u, which was not given", t->alg[i].id);
	ENSURE(c, !t->docsis.there || is_given(share, ACCEL_HW_PROTO_DOCSIS),
	       "the tree has DOCSIS, which was not given");
	ENSURE(c, !t->pdcp.there || is_given(share, ACCEL_HW_PROTO_PDCP),
	       "the tree has PDCP, which was not given");
	return node_given(c, share, &t->esp, ACCEL_HW_PROTO_ESP) &&
	       node_given(c, share, &t->ah, ACCEL_HW_PROTO_AH) &&
	       node_given(c, share, &t->tls12, ACCEL_HW_PROTO_TLS12) &&
	       node_given(c, share, &t->tls13, ACCEL_HW_PROTO_TLS13) &&
	       node_given(c, share, &t->dtls12, ACCEL_HW_PROTO_DTLS12);
}

/* Give a share. Check that each context is OK if all its numbers were given, else DENIED. */
static bool
judge(struct card *c, const struct accel_hw_vf_resources *share, const struct subjects *all)
{
	struct queue q;

	c->memory.part[MEMORY_LOW].used = c->memory.part[MEMORY_HIGH].used = 0;
	for (unsigned int i = 0; i < c->nb_lines; i++) {
		if (!queue_take_line(c, c->line[i]))
			return false;
	}
	c->nb_lines = 0;
	if (!vf_give_and_reset(c, share) || !tree_given(c, share) || !queue_open(&q, c))
		return false;
	for (unsigned int i = 0; i < all->nb; i++) {
		const struct subject *s = &all->one[i];
		bool given = true;

		for (unsigned int j = 0; j < NUMBERS; j++)
			given = given && is_given(share, s->number[j]);
		c->memory.part[MEMORY_LOW].used = 0;
		if (!run_subject(&q, s, given ? ACCEL_HW_OK : ACCEL_HW_DENIED))
			return false;
	}
	return queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* The functions below are tests. */

static void
check_taken_away(struct card *c)
{
	struct accel_hw_vf_resources share;
	static struct subjects all;

	find_subjects(c, &all);
	for (uint32_t number = 1; number < ALGORITHMS; number++) {
		bool named = false;

		for (unsigned int i = 0; i < all.nb * NUMBERS; i++)
			named = named || all.one[i / NUMBERS].number[i % NUMBERS] == number;
		if (!named)
			continue;
		vf_everything(c, &share);
		set_number(&share, number, false);
		result_note(&c->result, "without number %u", number);
		if (!judge(c, &share, &all))
			return;
	}
}
VF_TEST(taken_away)

static void
check_nothing_else(struct card *c)
{
	struct accel_hw_vf_resources share;
	static struct subjects all;

	find_subjects(c, &all);
	for (unsigned int i = 0; i < all.nb; i++) {
		vf_everything(c, &share);
		memset(share.algorithms, 0, sizeof(share.algorithms));
		for (unsigned int j = 0; j < NUMBERS; j++) {
			if (all.one[i].number[j] != 0)
				set_number(&share, all.one[i].number[j], true);
		}
		result_note(&c->result, "with the numbers %u, %u and %u only",
			    all.one[i].number[0], all.one[i].number[1], all.one[i].number[2]);
		if (!judge(c, &share, &all))
			return;
	}
}
VF_TEST(nothing_else)

/* Take each number of an SA away after the SA has worked. Its context and generation do not change.
 * The SA works up to the reset, and is DENIED after it. With the number given back, the SA goes on
 * where it was. */
static void
check_in_use(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	const uint32_t len = packet_v4(plain, 16);
	struct accel_hw_vf_resources share;
	uint64_t number = 1;
	struct queue q;
	struct sa s;

	sa_hmac(&s, true, ACCEL_HW_IPSEC_TUNNEL);
	if (!sa_there(c, &s))
		return;
	sa_store(c, &s);
	for (unsigned int i = 0; i < 3 * NUMBERS; i++) {
		const uint32_t numbers[] = { ACCEL_HW_PROTO_ESP, ACCEL_HW_CIPHER_NULL,
					     ACCEL_HW_AUTH_SHA256_HMAC };
		const bool denied = i % 3 == 2;
		uint32_t n = packet_send(&s, number, plain, len, packet);

		vf_everything(c, &share);
		set_number(&share, numbers[i / 3], i % 3 == 0);
		result_note(&c->result, "number %u, step %u", numbers[i / 3], i % 3);
		if (i % 3 == 1 ? !vf_give(c, &share) :
				 !vf_give_and_reset(c, &share) || !queue_open(&q, c))
			return;
		if (!sa_run(&q, &s, plain, len, packet, denied ? 0 : n,
			    denied ? ACCEL_HW_DENIED : ACCEL_HW_OK))
			return;
		number += denied ? 0 : 1;
		if (!denied)
			sa_state(c, &s);
	}
}
VF_TEST(in_use)

/* Check that DENIED comes after the checks of the context and before those of the command. With
 * DENIED the device does not read the state. */
static void
check_order(struct card *c)
{
	const struct memory_part *far = &c->memory.part[MEMORY_FAR];
	uint8_t plain[IPSEC_ROOM];
	const uint32_t len = packet_v4(plain, 16);
	struct accel_hw_vf_resources share;
	struct request r;
	struct queue q;
	struct sa s;

	sa_hmac(&s, true, ACCEL_HW_IPSEC_TUNNEL);
	if (!sa_there(c, &s))
		return;
	vf_everything(c, &share);
	set_number(&share, ACCEL_HW_AUTH_SHA256_HMAC, false);
	if (!vf_give_and_reset(c, &share) || !queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 5; i++) {
		sa_hmac(&s, true, ACCEL_HW_IPSEC_TUNNEL);
		s.x.ipsec.reserved = i == 0;
		s.x.common.generation = ++c->generation;
		s.at = far->iova + far->size - (i == 1 ? 0x1c0 : 4096); /* 1: no state */
		memory_write(&c->memory, s.at, &s.x, 0x1c0);
		sa_request(c, &r, &s, plain, len, i == 2 ? 1 : len + 100);
		r.cmd.auth_len = i == 3;
		r.cmd.cipher_len += i == 4;
		result_note(&c->result, "case %u", i);
		if (!request_run(&q, &r, i == 0 ? ACCEL_HW_BAD_CONTEXT : ACCEL_HW_DENIED))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}
VF_TEST(order)

static const struct test_case tests[] = {
	{ "VF-1 VF-2", "each number taken away: DENIED to all contexts that name it", taken_away },
	{ "VF-1 VF-2", "each context with what it names and nothing else", nothing_else },
	{ "VF-1 VF-2", "an SA in use: DENIED from the reset on, and then it goes on", in_use },
	{ "VF-2 ST-1", "DENIED in the order of the checks", order },
};

const struct test_group tests_denied = TEST_GROUP("vf-denied", tests);
