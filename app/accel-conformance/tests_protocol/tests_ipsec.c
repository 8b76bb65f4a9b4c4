/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests security associations: known packets, contexts, commands, the node of the tree and the
 * order of checks (manual 8.6).
 */
#include <string.h>

#include "reference/ipsec.h"
#include "reference/known.h"
#include "reference/known_ipsec.h"
#include "tests_protocol.h"

#define AT(field) ((unsigned int)offsetof(struct accel_hw_ipsec_context, field))

/* Check that the clear packet becomes the known packet, whose identification is made of the
 * number. */
static bool
known_out(struct queue *q, const struct known_packet *k, const uint8_t *plain, uint32_t len,
	  const uint8_t *packet, uint32_t packet_len)
{
	struct card *c = q->card;
	uint8_t wanted[IPSEC_ROOM];
	struct request r;
	struct sa s;

	sa_known(k, true, &s);
	if (!sa_known_possible(c, &s))
		return true;
	sa_store(c, &s);
	memcpy(wanted, packet, packet_len);
	if (k->other_id) {
		packet_put(wanted + 4, k->number & 0xffff, 2);
		packet_finish(wanted, packet_len);
	}
	sa_request(c, &r, &s, plain, len, len + 200);
	known_bytes(k->iv, r.cmd.iv, 16);
	r.output = wanted;
	r.produced = packet_len;
	if (!sa_run_request(q, &r, ACCEL_HW_OK, false))
		return false;
	sa_state(c, &s);
	return true;
}

static bool
known_in(struct queue *q, const struct known_packet *k, const uint8_t *plain, uint32_t len,
	 uint8_t *packet, uint32_t packet_len)
{
	struct card *c = q->card;
	struct sa s;

	sa_known(k, false, &s);
	if (!sa_known_possible(c, &s))
		return true;
	sa_store(c, &s);
	if (k->icv > 0) {
		packet[packet_len - 1] ^= 0x04;
		if (!sa_run(q, &s, packet, packet_len, NULL, 0, ACCEL_HW_AUTH_FAILED))
			return false;
		packet[packet_len - 1] ^= 0x04;
	}
	if (!sa_run(q, &s, packet, packet_len, plain, len, ACCEL_HW_OK))
		return false;
	sa_state(c, &s);
	return true;
}

static void
known(struct card *c, uint8_t kind)
{
	const struct tree_ipsec *t = kind == ACCEL_HW_KIND_AH ? &c->tree.ah : &c->tree.esp;
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	struct queue q;

	SKIP_UNLESS(c, t->lists.there, "the tree has no node for %s",
		    kind == ACCEL_HW_KIND_AH ? "AH" : "ESP");
	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < known_packets_nb; i++) {
		const struct known_packet *k = &known_packets[i];
		uint32_t len = known_bytes(k->plain, plain, sizeof(plain));
		uint32_t packet_len = known_bytes(k->packet, packet, sizeof(packet));

		if (k->kind != kind)
			continue;
		result_note(&c->result, "packet %u (%s), cipher %u, auth %u, options %#x", i,
			    k->origin, k->cipher, k->auth, k->options);
		if (!known_out(&q, k, plain, len, packet, packet_len) ||
		    !known_in(&q, k, plain, len, packet, packet_len))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
known_esp(struct card *c)
{
	known(c, ACCEL_HW_KIND_ESP);
}

static void
known_ah(struct card *c)
{
	known(c, ACCEL_HW_KIND_AH);
}

/* Run a packet that an SA can take, or would take if its context were right. */
static bool
with_sa(struct queue *q, struct sa *s, uint16_t status)
{
	const uint64_t used = q->card->memory.part[MEMORY_LOW].used;
	const bool outbound = (s->x.common.flags & ACCEL_HW_CTX_ENCRYPT) != 0;
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = packet_v4(plain, 30), packet_len = packet_send(s, 1, plain, len, packet);
	bool good;

	sa_store(q->card, s);
	good = outbound ? sa_run(q, s, plain, len, packet, packet_len, status) :
			  sa_run(q, s, packet, packet_len, plain, len, status);
	sa_state(q->card, s);
	memset(&s->x.state, 0, sizeof(s->x.state));
	q->card->memory.part[MEMORY_LOW].used = used;
	return good;
}

/* Run a packet with a context that is good except for one byte. */
static bool
with_byte(struct queue *q, const struct sa *s, unsigned int at, uint8_t value)
{
	struct sa bad = *s;

	((uint8_t *)&bad.x)[at] = value;
	result_note(&q->card->result, "kind %u, options %#x, byte %#x of the context is %#x",
		    s->x.common.kind, s->x.ipsec.options, at, value);
	return with_sa(q, &bad, ACCEL_HW_BAD_CONTEXT);
}

static bool
with_options(struct queue *q, const struct sa *s, uint32_t options)
{
	struct sa bad = *s;

	bad.x.ipsec.options = options;
	result_note(&q->card->result, "kind %u, flags %u, options %#x", s->x.common.kind,
		    s->x.common.flags, options);
	return with_sa(q, &bad, ACCEL_HW_BAD_CONTEXT);
}

#define ONLY_TUNNEL                                                                                \
	(ACCEL_HW_IPSEC_OUTER_V6 | ACCEL_HW_IPSEC_COPY_DF | ACCEL_HW_IPSEC_COPY_DSCP |             \
	 ACCEL_HW_IPSEC_COPY_FLABEL | ACCEL_HW_IPSEC_ECN | ACCEL_HW_IPSEC_DEC_TTL |                \
	 ACCEL_HW_IPSEC_VERIFY_DST | ACCEL_HW_IPSEC_VERIFY_SRC)
#define ONLY_OUTBOUND                                                                              \
	(ACCEL_HW_IPSEC_COPY_DF | ACCEL_HW_IPSEC_COPY_FLABEL | ACCEL_HW_IPSEC_DEC_TTL |            \
	 ACCEL_HW_IPSEC_IV_GIVEN)
#define ONLY_INBOUND                                                                               \
	(ACCEL_HW_IPSEC_UDP_VERIFY | ACCEL_HW_IPSEC_VERIFY_DST | ACCEL_HW_IPSEC_VERIFY_SRC)

/* Set each option alone that this direction, this mode, this protocol or the tree does not have. */
static bool
wrong_options(struct queue *q, const struct sa *s)
{
	const bool outbound = (s->x.common.flags & ACCEL_HW_CTX_ENCRYPT) != 0;
	const bool ah = s->x.common.kind == ACCEL_HW_KIND_AH;
	const bool tunnel = (s->x.ipsec.options & ACCEL_HW_IPSEC_TUNNEL) != 0;
	const struct tree_ipsec *t = ah ? &q->card->tree.ah : &q->card->tree.esp;
	const uint32_t wrong = ~ACCEL_HW_IPSEC_OPTIONS | ~t->options |
			       (outbound ? ONLY_INBOUND : ONLY_OUTBOUND) |
			       (tunnel ? 0 : ONLY_TUNNEL) | (ah ? ACCEL_HW_IPSEC_UDP : 0) |
			       ACCEL_HW_IPSEC_UDP_VERIFY; /* without UDP */

	for (unsigned int bit = 0; bit < 32; bit++) {
		uint32_t options = s->x.ipsec.options | 1u << bit;

		if ((wrong >> bit & 1) != 0 && 1u << bit != ACCEL_HW_IPSEC_TUNNEL &&
		    !with_options(q, s, options))
			return false;
	}
	/* Outbound, UDP_VERIFY is refused also with UDP. */
	return !outbound || ah || (t->options & ACCEL_HW_IPSEC_UDP) == 0 ||
	       with_options(q, s, s->x.ipsec.options | ACCEL_HW_IPSEC_UDP |
			    ACCEL_HW_IPSEC_UDP_VERIFY);
}

/* Change reserved bytes, windows, and every byte of the outer header that the context may not
 * choose. */
static bool
wrong_bytes(struct queue *q, const struct sa *s)
{
	static const struct {
		uint8_t at, v4, v6; /* 0: any value is good */
	} header[] = {
		{ 0, 0x65, 0x40 }, { 0, 0x46, 0x50 }, { 0, 0x44, 0x00 }, { 2, 1, 0 }, { 3, 1, 0 },
		{ 4, 0x80, 1 }, { 5, 1, 1 }, { 6, 0x20, 17 }, { 6, 0x80, 50 }, { 6, 0x01, 0 },
		{ 7, 1, 0 }, { 9, 50, 0 }, { 10, 1, 0 }, { 11, 1, 0 }, { 20, 1, 0 }, { 39, 1, 0 },
	};
	const bool v6 = (s->x.ipsec.options & ACCEL_HW_IPSEC_OUTER_V6) != 0;
	const bool tunnel = (s->x.ipsec.options & ACCEL_HW_IPSEC_TUNNEL) != 0;

	for (unsigned int at = 7; at < 0x1c0; at++) {
		bool reserved = at == 7 || (at >= 0x14 && at < 0x40) || /* and of other kinds */
				(at >= 0x150 && at < 0x158) || /* ports without UDP */
				(at >= 0x178 && at < 0x180) || at >= 0x1a8;

		if (reserved && !with_byte(q, s, at, (uint8_t)(1u << at % 8)))
			return false;
		if (!tunnel && at >= 0x180 && at < 0x1a8 && !with_byte(q, s, at, 0x45))
			return false;
	}
	for (unsigned int i = 0; tunnel && i < sizeof(header) / sizeof(header[0]); i++) {
		uint8_t value = v6 ? header[i].v6 : header[i].v4;

		if (value != 0 && !with_byte(q, s, AT(ipsec.outer_header) + header[i].at, value))
			return false;
	}
	return true;
}

/* Make the i-th SA from which the tests of contexts begin. @return false: the card lacks what the
 * SA needs. */
static bool
base_sa(struct card *c, unsigned int i, struct sa *s)
{
	static const uint32_t options[] = { ACCEL_HW_IPSEC_TUNNEL, 0, ACCEL_HW_IPSEC_TUNNEL |
					    ACCEL_HW_IPSEC_OUTER_V6 };
	char why[SA_WHY];

	(i / 6 == 0 ? sa_hmac : sa_ah)(s, i % 2 == 0, options[i / 2 % 3]);
	return sa_possible(c, s, why);
}

#define BASES 12u

/* Set the fourth byte of the salt with CCM, which has three. */
static bool
wrong_salt(struct queue *q)
{
	char why[SA_WHY];
	struct sa s;

	sa_null(&s, true, ACCEL_HW_IPSEC_TUNNEL);
	s.x.common.cipher_alg = ACCEL_HW_AEAD_AES_CCM;
	s.x.common.auth_alg = 0;
	s.x.common.cipher_key_len = 16;
	s.x.common.iv_len = 8;
	s.x.common.digest_len = 16;
	return !sa_possible(q->card, &s, why) || with_byte(q, &s, AT(ipsec.salt) + 3, 1);
}

static void
contexts(struct card *c)
{
	unsigned int done = 0;
	struct queue q;
	struct sa s;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < BASES; i++) {
		const struct tree_ipsec *t = i < 6 ? &c->tree.esp : &c->tree.ah;

		if (!base_sa(c, i, &s))
			continue;
		done++;
		result_note(&c->result, "as it should be");
		if (!with_sa(&q, &s, ACCEL_HW_OK) || !wrong_options(&q, &s) ||
		    !wrong_bytes(&q, &s) || !with_byte(&q, &s, AT(common.flags), 3) ||
		    !with_byte(&q, &s, AT(common.flags), 2))
			return;
		s.x.ipsec.replay_window = i % 2 == 0 ? 1 : t->window + 1;
		result_note(&c->result, "a window of %u", s.x.ipsec.replay_window);
		if (!with_sa(&q, &s, ACCEL_HW_BAD_CONTEXT))
			return;
	}
	if (wrong_salt(&q) && queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no ESP or AH with HMAC-SHA256");
}

struct sizes {
	uint16_t cipher, auth, cipher_key, auth_key;
	uint8_t iv, auth_iv;
	uint16_t digest;
};

static bool
with_sizes(struct queue *q, const struct sa *s, const struct sizes *z)
{
	struct sa bad = *s;

	bad.x.common.cipher_alg = z->cipher;
	bad.x.common.auth_alg = z->auth;
	bad.x.common.cipher_key_len = z->cipher_key;
	bad.x.common.auth_key_len = z->auth_key;
	bad.x.common.iv_len = z->iv;
	bad.x.common.auth_iv_len = z->auth_iv;
	bad.x.common.digest_len = z->digest;
	result_note(&q->card->result,
		    "kind %u, cipher %u with %u, auth %u with %u, IVs of %u and %u, digest of %u",
		    s->x.common.kind, z->cipher, z->cipher_key, z->auth, z->auth_key, z->iv,
		    z->auth_iv, z->digest);
	return with_sa(q, &bad, ACCEL_HW_BAD_CONTEXT);
}

static void
algorithms(struct card *c)
{
	static const struct sizes esp[] = {
		{ 0, 74, 0, 32, 0, 0, 16 }, { 1, 0, 0, 0, 0, 0, 0 },
		{ 1, 0, 0, 0, 0, 0, 16 }, { 1, 68, 0, 0, 0, 0, 16 },
		{ 1, 74, 0, 32, 8, 0, 16 }, { 1, 74, 0, 32, 0, 8, 16 },
		{ 1, 74, 0, 0, 0, 0, 16 }, { 1, 74, 0, 32, 0, 0, 0 },
		{ 1, 74, 0, 32, 0, 0, 33 }, { 1, 74, 16, 32, 0, 0, 16 },
		{ 1, 64, 0, 0, 0, 0, 4 }, { 1, 64, 0, 16, 0, 0, 0 },
		{ 2, 74, 16, 32, 8, 0, 16 }, { 2, 74, 16, 32, 0, 0, 16 },
		{ 2, 74, 15, 32, 16, 0, 16 }, { 2, 0, 16, 0, 16, 0, 0 },
		{ 3, 74, 16, 32, 16, 0, 16 }, { 2, 77, 16, 16, 16, 0, 16 },
		{ 4, 74, 16, 32, 0, 0, 16 }, { 5, 74, 32, 32, 16, 0, 16 },
		{ 1, 77, 0, 16, 0, 0, 16 }, { 1, 77, 0, 16, 12, 0, 16 },
		{ 192, 74, 16, 32, 8, 0, 16 }, { 192, 0, 16, 16, 8, 0, 16 },
		{ 192, 0, 16, 0, 12, 0, 16 }, { 192, 0, 16, 0, 0, 0, 16 },
		{ 192, 0, 16, 0, 8, 0, 0 }, { 192, 0, 16, 0, 8, 0, 17 },
		{ 192, 64, 16, 0, 8, 0, 16 }, { 193, 0, 16, 0, 8, 0, 5 },
		{ 193, 0, 16, 0, 11, 0, 16 }, { 194, 0, 32, 0, 8, 0, 12 },
		{ 98, 64, 0, 0, 0, 0, 0 },
	};
	static const struct sizes ah[] = {
		{ 1, 74, 0, 32, 0, 0, 16 }, { 0, 64, 0, 0, 0, 0, 0 },
		{ 0, 0, 0, 0, 0, 0, 0 }, { 0, 74, 0, 32, 8, 0, 16 },
		{ 0, 74, 16, 32, 0, 0, 16 }, { 0, 74, 0, 32, 0, 8, 16 },
		{ 192, 0, 16, 0, 8, 0, 16 }, { 0, 77, 0, 16, 0, 0, 16 },
		{ 0, 68, 0, 0, 0, 0, 16 }, { 0, 74, 0, 32, 0, 0, 0 },
		{ 0, 74, 0, 32, 0, 0, 33 },
	};
	unsigned int done = 0;
	struct queue q;
	struct sa s;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < BASES; i++) {
		const struct sizes *z = i < 6 ? esp : ah;
		const unsigned int nb = i < 6 ? sizeof(esp) / sizeof(esp[0]) :
						sizeof(ah) / sizeof(ah[0]);

		if (!base_sa(c, i, &s))
			continue;
		done++;
		for (unsigned int j = 0; j < nb; j++) {
			if (!with_sizes(&q, &s, &z[j]))
				return;
		}
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no ESP or AH with HMAC-SHA256");
}

/* Test numbers of algorithms that the node does not list. */
static void
not_listed(struct card *c)
{
	unsigned int done = 0;
	struct queue q;
	struct sa s;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < BASES; i += 6) {
		const struct tree_ipsec *t = i < 6 ? &c->tree.esp : &c->tree.ah;

		if (!base_sa(c, i, &s))
			continue;
		done++;
		for (uint16_t id = 1; id < 256; id++) {
			struct sizes z = { s.x.common.cipher_alg, id, 0, 32, 0, 0, 16 };

			if (tree_lists(t->lists.auth, t->lists.nb_auths, id) ||
			    tree_lists(t->lists.cipher, t->lists.nb_ciphers, id) ||
			    tree_lists(t->aead, t->nb_aeads, id))
				continue;
			if (!with_sizes(&q, &s, &z))
				return;
			z = (struct sizes){ id, 74, 16, 32, 16, 0, 16 };
			if (!with_sizes(&q, &s, &z))
				return;
		}
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no ESP or AH with HMAC-SHA256");
}

/* Spoil a command in the i-th way. @return false: there is no such way. */
static bool
spoil(struct accel_hw_command *cmd, unsigned int i, bool outbound)
{
	if (i < 32)
		cmd->skip = 1u << i;
	else if (i == 32)
		cmd->auth_len = 1;
	else if (i == 33)
		cmd->aad_len = 1;
	else if (i == 34)
		cmd->flags = ACCEL_HW_CMD_AUTH_FIRST;
	else if (i == 35)
		cmd->flags = ACCEL_HW_CMD_WHOLE;
	else if (i == 36)
		cmd->flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM;
	else if (i == 37)
		cmd->flags = ACCEL_HW_CMD_BITS;
	/* KEEP_PLACE is good inbound, so this is no way to spoil a command. */
	return cmd->skip != ACCEL_HW_IPSEC_CMD_KEEP_PLACE || outbound;
}

static void
commands(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < BASES; i++) {
		const bool outbound = i % 2 == 0;
		uint32_t len = packet_v4(plain, 30), packet_len;
		struct sa s;

		if (!base_sa(c, i, &s))
			continue;
		done++;
		sa_store(c, &s);
		packet_len = packet_send(&s, 1, plain, len, packet);
		for (unsigned int j = 0; j < 38; j++) {
			struct request r;

			sa_request(c, &r, &s, outbound ? plain : packet,
				   outbound ? len : packet_len, 400);
			if (!spoil(&r.cmd, j, outbound) ||
			    (outbound && j < 2)) /* checksums of this packet */
				continue;
			result_note(&c->result, "kind %u, outbound %d, case %u",
				    s.x.common.kind, outbound, j);
			if (!sa_run_request(&q, &r, ACCEL_HW_BAD_COMMAND, false))
				return;
		}
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no ESP or AH with HMAC-SHA256");
}

/* Check what one node of the tree says. */
static bool
node(struct card *c, const struct tree_ipsec *t, bool ah)
{
	const uint32_t aeads = ah ? 0 : t->nb_aeads;

	ENSURE(c, (t->options & ~ACCEL_HW_IPSEC_OPTIONS) == 0 &&
	       (!ah || (t->options & ACCEL_HW_IPSEC_UDP) == 0), "options are %#x", t->options);
	ENSURE(c, t->transport || (t->options & ACCEL_HW_IPSEC_TUNNEL) != 0, "no mode");
	ENSURE(c, t->window <= ACCEL_HW_IPSEC_WINDOW_MAX, "replay-window-max is %u", t->window);
	ENSURE(c, !ah || t->lists.nb_ciphers + t->nb_aeads == 0, "AH with ciphers");
	for (unsigned int i = 0; i < t->lists.nb_ciphers; i++)
		ENSURE(c, tree_alg(&c->tree, t->lists.cipher[i]) != NULL,
		       "cipher %u has no node", t->lists.cipher[i]);
	for (unsigned int i = 0; i < t->lists.nb_auths; i++)
		ENSURE(c, tree_alg(&c->tree, t->lists.auth[i]) != NULL,
		       "authentication %u has no node", t->lists.auth[i]);
	for (unsigned int i = 0; i < aeads; i++)
		ENSURE(c, tree_alg(&c->tree, t->aead[i]) != NULL, "AEAD %u has no node",
		       t->aead[i]);
	return true;
}

static void
nodes(struct card *c)
{
	SKIP_UNLESS(c, c->tree.esp.lists.there || c->tree.ah.lists.there, "no IPsec");
	if (c->tree.esp.lists.there && !node(c, &c->tree.esp, false))
		return;
	if (c->tree.ah.lists.there)
		node(c, &c->tree.ah, true);
}

/* Lists causes of a status, in the order of checks (7.4 and 8.6). */
enum cause {
	BAD_VERSION,
	BAD_FIELD,
	BAD_LENGTH,
	NO_ROOM,
	UNREADABLE,
	EXPIRED,
	FRAGMENT,
	OTHER_SPI,
	OTHER_DESTINATION,
	OLD,
	BAD_ICV,
	BAD_PADDING,
	CAUSES
};

static const uint16_t inbound_status[CAUSES] = {
	[BAD_VERSION] = ACCEL_HW_BAD_CONTEXT,
	[BAD_FIELD] = ACCEL_HW_BAD_COMMAND,
	[BAD_LENGTH] = ACCEL_HW_BAD_LENGTH,
	[NO_ROOM] = ACCEL_HW_OUTPUT_TOO_SMALL,
	[UNREADABLE] = ACCEL_HW_DMA_FAULT,
	[EXPIRED] = ACCEL_HW_EXPIRED,
	[FRAGMENT] = ACCEL_HW_MALFORMED,
	[OTHER_SPI] = ACCEL_HW_MISMATCH,
	[OTHER_DESTINATION] = ACCEL_HW_MISMATCH,
	[OLD] = ACCEL_HW_REPLAY,
	[BAD_ICV] = ACCEL_HW_AUTH_FAILED,
	[BAD_PADDING] = ACCEL_HW_MALFORMED,
};

#define HAS(causes, cause) (((causes) >> (cause) & 1) != 0)

/* Run an inbound packet with some causes. causes has a bit for each. */
static bool
run_causes(struct queue *q, struct sa *s, unsigned int causes, uint16_t status)
{
	struct card *c = q->card;
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = packet_v4(plain, 30), n;
	struct request r;

	s->x.common.version = HAS(causes, BAD_VERSION) ? 2 : 1;
	s->x.ipsec.packets_hard = HAS(causes, EXPIRED) ? 7 : 8;
	s->x.state = (struct accel_hw_ipsec_state){ .sequence = 100, .packets = 7 };
	s->x.state.window[0] = UINT64_MAX; /* all of the last 64 */
	sa_store(c, s);
	n = packet_send(s, HAS(causes, OLD) ? 100 : 101, plain, len, packet);
	if (HAS(causes, BAD_PADDING)) {
		packet[n - IPSEC_ICV - 2] = 255;
		packet_esp_icv(s, 101, packet, 20, n);
	}
	packet[6] |= HAS(causes, FRAGMENT) ? 0x20 : 0;
	packet[20] ^= HAS(causes, OTHER_SPI) ? 1 : 0;
	packet[19] ^= HAS(causes, OTHER_DESTINATION) ? 1 : 0;
	packet[n - 1] ^= HAS(causes, BAD_ICV) ? 1 : 0;
	packet_finish(packet, n);
	sa_request(c, &r, s, packet, n, HAS(causes, NO_ROOM) ? n - 1 : n);
	r.in[0].iova = HAS(causes, UNREADABLE) ? MEMORY_HOLE : r.in[0].iova;
	r.cmd.cipher_len -= HAS(causes, BAD_LENGTH) ? 1 : 0;
	r.cmd.auth_len = HAS(causes, BAD_FIELD) ? 5 : 0;
	result_note(&c->result, "causes %#x", causes);
	if (!sa_run_request(q, &r, status, causes >= 1u << BAD_ICV &&
			    (causes & ((1u << BAD_ICV) - 1)) == 0))
		return false;
	sa_state(c, s);
	ENSURE(c, s->x.state.sequence == 100 && s->x.state.packets == 7,
	       "sequence %llu, packets %llu after a status of %u, wanted 100 and 7",
	       (unsigned long long)s->x.state.sequence, (unsigned long long)s->x.state.packets,
	       status);
	return true;
}

/* Test each cause alone and each pair of causes. */
static void
first_check(struct card *c)
{
	struct queue q;
	struct sa s;

	sa_hmac(&s, false, ACCEL_HW_IPSEC_TUNNEL | ACCEL_HW_IPSEC_VERIFY_DST);
	s.x.ipsec.replay_window = 64;
	if (!sa_there(c, &s) || !queue_open(&q, c))
		return;
	for (unsigned int first = 0; first < CAUSES; first++) {
		for (unsigned int second = first; second < CAUSES; second++) {
			const uint64_t used = c->memory.part[MEMORY_LOW].used;
			unsigned int causes = 1u << first | 1u << second;

			if (!run_causes(&q, &s, causes, inbound_status[first]))
				return;
			c->memory.part[MEMORY_LOW].used = used;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test causes of an outbound packet: a hard limit, bytes that are not a packet, no number left. */
static void
first_check_out(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = packet_v4(plain, 30), n;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int causes = 0; causes < 16; causes++) {
		const bool esn = (causes & 8) != 0;
		const uint64_t last = (causes & 4) != 0 ? esn ? UINT64_MAX : UINT32_MAX :
							  esn ? UINT64_MAX - 1 : UINT32_MAX - 1;
		uint16_t status = (causes & 1) != 0 ? ACCEL_HW_EXPIRED :
				  (causes & 2) != 0 ? ACCEL_HW_MALFORMED :
				  (causes & 4) != 0 ? ACCEL_HW_SEQUENCE_END : ACCEL_HW_OK;
		struct sa s;

		sa_hmac(&s, true, ACCEL_HW_IPSEC_TUNNEL | (esn ? ACCEL_HW_IPSEC_ESN : 0));
		if (!sa_there(c, &s))
			return;
		s.x.ipsec.bytes_hard = (causes & 1) != 0 ? 99 : 100;
		s.x.state.bytes = 99;
		s.x.state.sequence = last;
		sa_store(c, &s);
		plain[0] = 0x45;
		n = packet_send(&s, last + 1, plain, len, packet);
		plain[0] ^= (causes & 2) != 0 ? 0x10 : 0; /* version 5 */
		result_note(&c->result, "causes %#x", causes);
		if (!sa_run(&q, &s, plain, len, packet, n, status))
			return;
		sa_state(c, &s);
		CHECK(c, s.x.state.sequence == (status == ACCEL_HW_OK ? last + 1 : last),
		      "sequence is %#llx", (unsigned long long)s.x.state.sequence);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "DT-3", "the nodes of ESP and AH", nodes },
	{ "ALG-1 IPS-13 IPS-15 IPS-16 IPS-18 IPS-19 ST-4", "known packets of ESP, both ways",
	  known_esp },
	{ "ALG-1 IPS-13 IPS-15 IPS-16 IPS-19 ST-4", "known packets of AH, both ways", known_ah },
	{ "IPS-1 CTX-3 CTX-6", "options, windows, reserved bytes, outer headers: BAD_CONTEXT",
	  contexts },
	{ "IPS-2", "algorithms and sizes that do not go together: BAD_CONTEXT", algorithms },
	{ "DT-4 IPS-2", "algorithms that the nodes do not list: BAD_CONTEXT", not_listed },
	{ "IPS-3", "fields and flags of the command: BAD_COMMAND", commands },
	{ "ST-1 IPS-10 IPS-9", "inbound: the first check that fails, alone and in pairs",
	  first_check },
	{ "ST-1 IPS-10", "outbound: the first check that fails, and the last number",
	  first_check_out },
};

const struct test_group tests_ipsec = TEST_GROUP("ipsec", tests);
