/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests inbound packets of IPsec: places, what is verified, inner headers, checksums, the replay
 * window and long sequence numbers (manual 8.6).
 */
#include <string.h>

#include "reference/ipsec.h"
#include "tests_protocol.h"

#define TUNNEL ACCEL_HW_IPSEC_TUNNEL

/* Run a packet. With @p keep (KEEP_PLACE) the output begins where the payload lies, and the frame
 * before it does not change. With @p same, source and result are the same memory. */
static bool
kept(struct queue *q, struct sa *s, bool v6, bool keep, bool same)
{
	struct card *c = q->card;
	const uint64_t used = c->memory.part[MEMORY_LOW].used;
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = v6 ? packet_v6(plain, 77) : packet_v4(plain, 77);
	uint32_t n = packet_send(s, 1, plain, len, packet), removed = 8;
	struct request r;

	if (s->x.common.kind == ACCEL_HW_KIND_AH)
		removed = packet[0] >> 4 == 6 ? 32 : 28;
	if ((s->x.ipsec.options & ACCEL_HW_IPSEC_UDP) != 0)
		removed += 8;
	if ((s->x.ipsec.options & TUNNEL) != 0)
		removed += packet[0] >> 4 == 6 ? 40 : 20;
	sa_store(c, s);
	sa_request(c, &r, s, packet, n, same ? 0 : n);
	if (same)
		request_out(&r, r.in[0].iova, n);
	r.cmd.skip = keep ? ACCEL_HW_IPSEC_CMD_KEEP_PLACE : 0;
	r.left = r.info = keep ? (uint16_t)removed : 0;
	r.produced = len;
	r.output = plain;
	result_note(&c->result, "kind %u, options %#x, IPv%u inside, keep %d, in place %d",
		    s->x.common.kind, s->x.ipsec.options, v6 ? 6 : 4, keep, same);
	if (!sa_run_request(q, &r, ACCEL_HW_OK, false))
		return false;
	sa_state(c, s);
	memset(&s->x.state, 0, sizeof(s->x.state));
	c->memory.part[MEMORY_LOW].used = used;
	return true;
}

static void
places(struct card *c)
{
	static const uint32_t options[] = {
		TUNNEL, TUNNEL | ACCEL_HW_IPSEC_OUTER_V6, 0, ACCEL_HW_IPSEC_UDP,
		TUNNEL | ACCEL_HW_IPSEC_UDP,
	};
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 80; i++) {
		const bool keep = i % 2 != 0, same = i / 2 % 2 != 0, v6 = i / 4 % 2 != 0;
		const bool ah = i / 8 % 2 != 0;
		struct sa s;

		(ah ? sa_ah : sa_hmac)(&s, false, options[i / 16]);
		/* In place the payload has to keep its place, or the card takes any overlap. */
		if ((same && !keep && !(ah ? c->tree.ah.overlap : c->tree.esp.overlap)) ||
		    !sa_count(c, &s, &done))
			continue;
		if (!kept(&q, &s, v6, keep, same))
			return;
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no ESP or AH with HMAC-SHA256");
}

/* Test headers of more than 1023 bytes. A response cannot tell such a length, so they are always
 * refused, wherever the output lies. */
static void
far_places(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM], head[IPSEC_ROOM];
	struct queue q;
	struct sa s;

	sa_hmac(&s, false, TUNNEL | ACCEL_HW_IPSEC_OUTER_V6);
	if (!sa_there(c, &s) || !queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 4; i++) {
		const bool keep = i % 2 != 0, fits = i < 2;
		const uint32_t options = fits ? 968 : 976, len = packet_v4(plain, 20);
		struct request r;
		uint32_t n;

		sa_store(c, &s);
		packet_outer(&s, 1, head);
		head[6] = 60;
		memset(head + 40, 0, options); /* Pad1 */
		head[41] = (uint8_t)(options / 8 - 1);
		n = packet_protect(&s, 1, head, 40 + options, 40, 4, plain, len, packet);
		sa_request(c, &r, &s, packet, n, n);
		r.cmd.skip = keep ? ACCEL_HW_IPSEC_CMD_KEEP_PLACE : 0;
		r.left = r.info = keep ? (uint16_t)(48 + options) : 0;
		r.produced = len;
		r.output = plain;
		result_note(&c->result, "headers of %u bytes, keep %d", 48 + options, keep);
		if (!sa_run_request(&q, &r, fits ? ACCEL_HW_OK : ACCEL_HW_MALFORMED, true))
			return;
		sa_state(c, &s);
		memset(&s.x.state, 0, sizeof(s.x.state));
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that room for cipher_len bytes is needed, though the output is shorter. */
static void
room(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	struct queue q;
	struct sa s;

	sa_hmac(&s, false, TUNNEL);
	if (!sa_open(&s, &q, c))
		return;
	for (uint32_t i = 1; i < 20; i++) {
		uint32_t len = packet_v4(plain, i), n = packet_send(&s, i, plain, len, packet);
		struct request r;

		sa_request(c, &r, &s, packet, n, n - 1);
		if (!sa_run_request(&q, &r, ACCEL_HW_OUTPUT_TOO_SMALL, false))
			return;
		sa_request(c, &r, &s, packet, n, n);
		r.nb_in = r.nb_out = 0;
		request_in(&r, r.in[0].iova, 2 * i);
		request_in(&r, r.in[0].iova + 2 * i, n - 2 * i);
		request_out(&r, r.out[0].iova, i);
		request_out(&r, r.out[0].iova + i, n - i);
		r.produced = len;
		r.output = plain;
		if (!sa_run_request(&q, &r, ACCEL_HW_OK, false))
			return;
	}
	sa_close(&s, &q);
}

/* Says what is made wrong in a good packet, for an SA with some options. */
static const struct {
	const char *what;
	uint32_t options;
	uint16_t at;
	uint8_t value; /* is xored */
	uint16_t status;
} wrong[] = {
	{ "version 5", TUNNEL, 0, 0x10, ACCEL_HW_MALFORMED },
	{ "header of 16 bytes", TUNNEL, 0, 0x01, ACCEL_HW_MALFORMED },
	{ "total length above the bytes", TUNNEL, 2, 0x01, ACCEL_HW_MALFORMED },
	{ "more fragments", TUNNEL, 6, 0x20, ACCEL_HW_MALFORMED },
	{ "a fragment's offset", TUNNEL, 7, 0x09, ACCEL_HW_MALFORMED },
	{ "more fragments", 0, 6, 0x20, ACCEL_HW_MALFORMED },
	{ "another protocol", TUNNEL, 9, 0x01, ACCEL_HW_MISMATCH },
	{ "UDP", TUNNEL, 9, 50 ^ 17, ACCEL_HW_MISMATCH },
	{ "another protocol", 0, 9, 0x04, ACCEL_HW_MISMATCH },
	{ "ESP without UDP", TUNNEL | ACCEL_HW_IPSEC_UDP, 9, 50 ^ 17, ACCEL_HW_MISMATCH },
	{ "first byte of SPI", TUNNEL, 20, 0x80, ACCEL_HW_MISMATCH },
	{ "last byte of SPI", TUNNEL, 23, 0x01, ACCEL_HW_MISMATCH },
	{ "SPI after UDP", TUNNEL | ACCEL_HW_IPSEC_UDP, 31, 0x01, ACCEL_HW_MISMATCH },
	{ "length of UDP", TUNNEL | ACCEL_HW_IPSEC_UDP, 24, 0x40, ACCEL_HW_MISMATCH },
	{ "source port", TUNNEL | ACCEL_HW_IPSEC_UDP | ACCEL_HW_IPSEC_UDP_VERIFY, 21, 0x01,
	  ACCEL_HW_MISMATCH },
	{ "destination port", TUNNEL | ACCEL_HW_IPSEC_UDP | ACCEL_HW_IPSEC_UDP_VERIFY, 22, 0x80,
	  ACCEL_HW_MISMATCH },
	{ "source port in transport mode", ACCEL_HW_IPSEC_UDP | ACCEL_HW_IPSEC_UDP_VERIFY, 20, 0x01,
	  ACCEL_HW_MISMATCH },
	{ "ports that nobody looks at", TUNNEL | ACCEL_HW_IPSEC_UDP, 21, 0x01, ACCEL_HW_OK },
	{ "checksum of UDP", TUNNEL | ACCEL_HW_IPSEC_UDP, 26, 0x55, ACCEL_HW_OK },
	{ "outer destination", TUNNEL | ACCEL_HW_IPSEC_VERIFY_DST, 16, 0x01, ACCEL_HW_MISMATCH },
	{ "outer destination", TUNNEL | ACCEL_HW_IPSEC_VERIFY_DST, 19, 0x80, ACCEL_HW_MISMATCH },
	{ "outer source", TUNNEL | ACCEL_HW_IPSEC_VERIFY_DST, 15, 0x80, ACCEL_HW_OK },
	{ "outer source", TUNNEL | ACCEL_HW_IPSEC_VERIFY_SRC, 12, 0x01, ACCEL_HW_MISMATCH },
	{ "outer source", TUNNEL | ACCEL_HW_IPSEC_VERIFY_SRC, 15, 0x80, ACCEL_HW_MISMATCH },
	{ "outer destination", TUNNEL | ACCEL_HW_IPSEC_VERIFY_SRC, 16, 0x80, ACCEL_HW_OK },
	{ "outer addresses that nobody looks at", TUNNEL, 13, 0x55, ACCEL_HW_OK },
	{ "outer destination of IPv6", TUNNEL | ACCEL_HW_IPSEC_OUTER_V6 | ACCEL_HW_IPSEC_VERIFY_DST,
	  39, 0x01, ACCEL_HW_MISMATCH },
	{ "outer source of IPv6", TUNNEL | ACCEL_HW_IPSEC_OUTER_V6 | ACCEL_HW_IPSEC_VERIFY_SRC,
	  8, 0x01, ACCEL_HW_MISMATCH },
	{ "a fragment header", TUNNEL | ACCEL_HW_IPSEC_OUTER_V6, 6, 50 ^ 44, ACCEL_HW_MALFORMED },
	{ "payload length above the bytes", TUNNEL | ACCEL_HW_IPSEC_OUTER_V6, 4, 0x01,
	  ACCEL_HW_MALFORMED },
	{ "another next header", TUNNEL | ACCEL_HW_IPSEC_OUTER_V6, 6, 50 ^ 51, ACCEL_HW_MISMATCH },
	{ "first byte of the payload", TUNNEL, 28, 0x01, ACCEL_HW_AUTH_FAILED },
	{ "sequence number", TUNNEL, 27, 0x10, ACCEL_HW_AUTH_FAILED },
};

static void
not_ours(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint32_t len = packet_v4(plain, 40), n;
		struct sa s;

		sa_hmac(&s, false, wrong[i].options);
		s.x.ipsec.replay_window = c->tree.esp.window < 64 ? c->tree.esp.window : 64;
		if (!sa_count(c, &s, &done))
			continue;
		sa_store(c, &s);
		n = packet_send(&s, 1, plain, len, packet);
		packet[wrong[i].at] ^= wrong[i].value;
		result_note(&c->result, "%s, options %#x", wrong[i].what, wrong[i].options);
		if (!sa_run(&q, &s, packet, n, plain, len, wrong[i].status))
			return;
		sa_state(c, &s);
		CHECK(c, s.x.state.sequence == (wrong[i].status == ACCEL_HW_OK ? 1 : 0) &&
		      s.x.state.errors == (wrong[i].status == ACCEL_HW_OK ? 0 : 1) &&
		      s.x.state.auth_errors == (wrong[i].status == ACCEL_HW_AUTH_FAILED ? 1 : 0),
		      "sequence %llu, errors %llu, auth_errors %llu",
		      (unsigned long long)s.x.state.sequence, (unsigned long long)s.x.state.errors,
		      (unsigned long long)s.x.state.auth_errors);
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no ESP with HMAC-SHA256");
}

/* Check that the outer version has to be that of the SA, and that transport mode takes both
 * versions. */
static void
versions(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 2; i++) {
		uint32_t len = packet_v4(plain, 9), n;
		struct sa s, other;

		sa_hmac(&s, false, TUNNEL | (i == 0 ? 0 : ACCEL_HW_IPSEC_OUTER_V6));
		sa_hmac(&other, false, TUNNEL | (i == 0 ? ACCEL_HW_IPSEC_OUTER_V6 : 0));
		if (!sa_there(c, &s))
			return;
		sa_store(c, &s);
		n = packet_send(&other, 1, plain, len, packet);
		if (!sa_run(&q, &s, packet, n, NULL, 0, ACCEL_HW_MISMATCH))
			return;
		sa_state(c, &s);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test every length that is too short for headers, IV and ICV. */
static void
short_packets(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	struct queue q;
	struct sa s;

	sa_hmac(&s, false, TUNNEL);
	if (!sa_open(&s, &q, c))
		return;
	packet_send(&s, 1, plain, packet_v4(plain, 40), packet);
	for (uint32_t n = 1; n < 20 + 8 + 2 + IPSEC_ICV; n++) {
		if (n >= 20)
			packet_finish(packet, n);
		result_note(&c->result, "%u bytes", n);
		if (!sa_run(&q, &s, packet, n, NULL, 0, ACCEL_HW_MALFORMED))
			return;
	}
	sa_state(c, &s);
	CHECK(c, s.x.state.errors == 19 + 8 + 2 + IPSEC_ICV, "errors %llu",
	      (unsigned long long)s.x.state.errors);
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Says what is found only when a packet was deciphered, as its ICV is right. Its number is not
 * entered. */
static const struct {
	const char *what;
	uint32_t options;
	int at; /* from the start of the inner packet, or below 0 from the ICV */
	uint8_t value;
	uint16_t status;
} inside[] = {
	{ "pad length", TUNNEL, -2, 255, ACCEL_HW_MALFORMED },
	{ "next header TCP in a tunnel", TUNNEL, -1, 6, ACCEL_HW_MALFORMED },
	{ "next header IPv6", TUNNEL, -1, 41, ACCEL_HW_MALFORMED },
	{ "a dummy", TUNNEL, -1, 59, ACCEL_HW_DUMMY },
	{ "a dummy", 0, -1, 59, ACCEL_HW_DUMMY },
	{ "inner version 6", TUNNEL, 0, 0x65, ACCEL_HW_MALFORMED },
	{ "inner header of 16 bytes", TUNNEL, 0, 0x44, ACCEL_HW_MALFORMED },
	{ "inner length above the bytes", TUNNEL, 2, 1, ACCEL_HW_MALFORMED },
	{ "inner length below the header", TUNNEL, 3, 19, ACCEL_HW_MALFORMED },
	{ "bytes of the padding", TUNNEL, -3, 0x77, ACCEL_HW_OK },
};

static void
deciphered(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < sizeof(inside) / sizeof(inside[0]); i++) {
		const bool good = inside[i].status == ACCEL_HW_OK;
		uint32_t len = packet_v4(plain, 39), n, icv;
		struct request r;
		struct sa s;

		sa_hmac(&s, false, inside[i].options);
		s.x.ipsec.replay_window = c->tree.esp.window < 64 ? c->tree.esp.window : 64;
		if (!sa_there(c, &s))
			return;
		sa_store(c, &s);
		n = packet_send(&s, 1, plain, len, packet);
		icv = n - IPSEC_ICV;
		packet[inside[i].at < 0 ? icv - (uint32_t)-inside[i].at :
					  28 + (uint32_t)inside[i].at] = inside[i].value;
		packet_esp_icv(&s, 1, packet, 20, n);
		sa_request(c, &r, &s, packet, n, n);
		r.produced = len;
		r.output = plain;
		result_note(&c->result, "%s", inside[i].what);
		if (!sa_run_request(&q, &r, inside[i].status, true))
			return;
		sa_state(c, &s);
		CHECK(c, s.x.state.sequence == good && s.x.state.packets == good &&
		      s.x.state.bytes == (good ? len : 0) && (s.x.state.window[0] == good * 2u ||
						  s.x.ipsec.replay_window == 0),
		      "sequence %llu, packets %llu, bytes %llu, window %#llx",
		      (unsigned long long)s.x.state.sequence,
		      (unsigned long long)s.x.state.packets, (unsigned long long)s.x.state.bytes,
		      (unsigned long long)s.x.state.window[0]);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test padding after the outer packet, and after the inner packet in a tunnel (RFC 4303 section
 * 2.7). */
static void
padding_after(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	struct queue q;
	struct sa s;

	sa_hmac(&s, false, TUNNEL);
	if (!sa_open(&s, &q, c))
		return;
	for (uint32_t i = 1; i < 40; i++) {
		const uint32_t outer = i % 3 == 0 ? 0 : i, inner = i % 3 == 1 ? 0 : i;
		uint32_t len = i % 2 == 0 ? packet_v4(plain, 3) : packet_v6(plain, 3), n;

		memset(plain + len, 0xcc, inner);
		n = packet_send(&s, i, plain, len + inner, packet);
		memset(packet + n, 0x33, outer);
		result_note(&c->result, "%u bytes after the outer packet, %u after the inner",
			    outer, inner);
		if (!sa_run(&q, &s, packet, n + outer, plain, len, ACCEL_HW_OK))
			return;
	}
	sa_close(&s, &q);
}

/* Check that the padding of AH in IPv6 counts for the ICV, whatever the sender has put there. */
static void
padding_of_ah(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	const uint32_t padding = 40 + 12 + IPSEC_ICV;
	struct queue q;
	struct sa s;

	sa_ah(&s, false, TUNNEL | ACCEL_HW_IPSEC_OUTER_V6);
	if (!sa_open(&s, &q, c))
		return;
	for (uint32_t i = 1; i < 9; i++) {
		uint32_t len = packet_v4(plain, i), n = packet_send(&s, i, plain, len, packet);

		packet[padding + i % 4] ^= (uint8_t)(i << 4 | 1);
		if (!sa_run(&q, &s, packet, n, NULL, 0, ACCEL_HW_AUTH_FAILED))
			return;
		packet_ah_icv(&s, i, packet, 40, n);
		if (!sa_run(&q, &s, packet, n, plain, len, ACCEL_HW_OK))
			return;
	}
	sa_close(&s, &q);
}

/* Check DSCP and ECN of the inner packet, in one of the 16 cases of RFC 6040, figure 4. */
static bool
class_of(struct queue *q, struct sa *s, unsigned int inner, unsigned int outer, bool v6)
{
	static const uint8_t figure[4][4] = { /* by the numbers of inner and outer; 9: dropped */
		{ 0, 0, 0, 9 }, { 1, 1, 1, 3 }, { 2, 1, 2, 3 }, { 3, 3, 3, 3 },
	};
	const bool ecn = (s->x.ipsec.options & ACCEL_HW_IPSEC_ECN) != 0;
	const bool dscp = (s->x.ipsec.options & ACCEL_HW_IPSEC_COPY_DSCP) != 0;
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM], wanted = figure[inner][outer];
	uint32_t len = v6 ? packet_v6(plain, 31) : packet_v4(plain, 31), n;
	struct card *c = q->card;
	struct request r;

	packet_set_class(plain, (uint8_t)(0x28 | inner));
	packet_finish(plain, len);
	n = packet_send(s, s->x.state.sequence + 1, plain, len, packet);
	packet_set_class(packet, (uint8_t)(0xb8 | outer));
	packet_finish(packet, n);
	if (!ecn)
		wanted = (uint8_t)inner;
	if (wanted != 9) {
		packet_set_class(plain, (dscp ? 0xb8 : 0x28) | wanted);
		packet_finish(plain, len);
	}
	sa_request(c, &r, s, packet, n, n);
	if (v6) { /* info is 0 for a packet that is dropped */
		r.cmd.skip = ACCEL_HW_IPSEC_CMD_KEEP_PLACE;
		r.left = r.info = packet[0] >> 4 == 6 ? 48 : 28;
	}
	r.produced = len;
	r.output = plain;
	result_note(&c->result, "options %#x, inner ECN %u, outer ECN %u, IPv%u inside",
		    s->x.ipsec.options, inner, outer, v6 ? 6 : 4);
	if (!sa_run_request(q, &r, wanted == 9 ? ACCEL_HW_MALFORMED : ACCEL_HW_OK, true))
		return false;
	sa_state(c, s);
	return true;
}

static void
classes(struct card *c)
{
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 8; i++) {
		struct sa s;

		sa_hmac(&s, false, TUNNEL | (i % 2 != 0 ? ACCEL_HW_IPSEC_ECN : 0) |
			(i / 2 % 2 != 0 ? ACCEL_HW_IPSEC_COPY_DSCP : 0) |
			(i / 4 != 0 ? ACCEL_HW_IPSEC_OUTER_V6 : 0));
		if (!sa_count(c, &s, &done))
			continue;
		sa_store(c, &s);
		for (unsigned int j = 0; j < 32; j++) {
			if (!class_of(&q, &s, j % 4, j / 4 % 4, j / 16 != 0))
				return;
		}
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no tunnel of ESP with HMAC-SHA256");
}

#define IP_GOOD ACCEL_HW_IPSEC_INFO_IP_CHECKED
#define IP_BAD (ACCEL_HW_IPSEC_INFO_IP_CHECKED | ACCEL_HW_IPSEC_INFO_IP_BAD)
#define L4_GOOD ACCEL_HW_IPSEC_INFO_L4_CHECKED
#define L4_BAD (ACCEL_HW_IPSEC_INFO_L4_CHECKED | ACCEL_HW_IPSEC_INFO_L4_BAD)

/* Says what is done to the inner packet, and what info says of its checksums then. */
static const struct {
	const char *what;
	bool v6;
	uint8_t at, value; /* is xored, before the header's checksum is made if fix is set */
	bool fix;
	uint16_t info;
} summed[] = {
	{ "as it should be", false, 0, 0, false, IP_GOOD | L4_GOOD },
	{ "as it should be", true, 0, 0, false, L4_GOOD },
	{ "the header's checksum", false, 11, 0x01, false, IP_BAD | L4_GOOD },
	{ "TTL without the checksum", false, 8, 0x01, false, IP_BAD | L4_GOOD },
	{ "UDP's checksum", false, 26, 0x40, false, IP_GOOD | L4_BAD },
	{ "UDP's checksum", true, 46, 0x40, false, L4_BAD },
	{ "the last byte of data", false, 58, 0x40, false, IP_GOOD | L4_BAD },
	{ "another protocol", false, 9, 17 ^ 89, true, IP_GOOD },
	{ "another next header", true, 6, 17 ^ 89, false, 0 },
	{ "more fragments", false, 6, 0x20, true, IP_GOOD },
	{ "a fragment's offset", false, 7, 0x01, true, IP_GOOD },
};

static void
checksums(struct card *c)
{
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 4 * (sizeof(summed) / sizeof(summed[0]) + 1); i++) {
		const unsigned int j = i / 4 % (sizeof(summed) / sizeof(summed[0]));
		const bool none = i / 4 == sizeof(summed) / sizeof(summed[0]); /* UDP without a
									        * checksum */
		uint32_t len = summed[j].v6 ? packet_v6(plain, 31) : packet_v4(plain, 31), n;
		struct request r;
		struct sa s;

		sa_hmac(&s, false, TUNNEL | (i % 2 != 0 ? ACCEL_HW_IPSEC_IP_CHECKSUM : 0) |
			(i % 4 / 2 != 0 ? ACCEL_HW_IPSEC_L4_CHECKSUM : 0));
		if (!sa_there(c, &s))
			return;
		sa_store(c, &s);
		plain[summed[j].at] ^= summed[j].value;
		if (summed[j].fix)
			packet_finish(plain, len);
		if (none)
			packet_put(plain + 26, 0, 2);
		n = packet_send(&s, 1, plain, len, packet);
		sa_request(c, &r, &s, packet, n, n);
		r.produced = len;
		r.output = plain;
		r.info = none ? IP_GOOD : summed[j].info;
		r.info &= (i % 2 != 0 ? IP_BAD : 0) | (i % 4 / 2 != 0 ? L4_BAD : 0);
		result_note(&c->result, "%s, options %#x", none ? "no checksum" : summed[j].what,
			    s.x.ipsec.options);
		if (!sa_run_request(&q, &r, ACCEL_HW_OK, false))
			return;
		sa_state(c, &s);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Holds the window as the manual defines it, to compare the card's window with. */
struct window {
	uint64_t highest;
	uint32_t size;
	uint32_t bits; /* M */
	bool seen[ACCEL_HW_IPSEC_WINDOW_MAX]; /* number modulo M */
};

static bool
is_replay(const struct window *w, uint64_t number)
{
	if (w->size == 0)
		return false;
	return number == 0 || (w->highest >= w->size && number <= w->highest - w->size) ||
	       (number <= w->highest && w->seen[number % w->bits]);
}

static void
enter(struct window *w, uint64_t number)
{
	if (w->size > 0 && number > w->highest) {
		for (uint64_t i = w->highest + 1; i < number && i <= w->highest + w->bits; i++)
			w->seen[i % w->bits] = false;
		if (number - w->highest > w->bits)
			memset(w->seen, 0, sizeof(w->seen));
	}
	if (w->size > 0)
		w->seen[number % w->bits] = true;
	if (number > w->highest)
		w->highest = number;
}

/* Choose a number near the window. */
static uint64_t
draw_number(struct card *c, const struct window *w)
{
	const uint64_t far = w->size + 70, kind = card_random(c) % 16;
	uint64_t number = w->highest + card_random(c) % 5;

	if (kind < 8)
		number = w->highest + 3 -
			 card_random(c) % (w->highest + 3 < far ? w->highest + 4 : far);
	else if (kind == 8)
		number = w->highest + 1 + card_random(c) % (2 * far);
	else if (kind == 9 && w->highest >= w->size)
		number = w->highest - w->size + card_random(c) % 2;
	return number > UINT32_MAX ? UINT32_MAX : number;
}

/* Compare the state in memory with a window. Bits of numbers below the window may be old. */
static bool
same_window(struct card *c, const struct sa *s, const struct window *w)
{
	ENSURE(c, s->x.state.sequence == w->highest, "sequence is %llu, wanted %llu",
	       (unsigned long long)s->x.state.sequence, (unsigned long long)w->highest);
	for (uint64_t i = 0; i < w->size && i < w->highest; i++) {
		const uint64_t at = (w->highest - i) % w->bits;
		const bool set = (s->x.state.window[at / 64] >> at % 64 & 1) != 0;

		ENSURE(c, set == w->seen[at], "bit %llu of the window is %d with sequence %llu",
		       (unsigned long long)at, set, (unsigned long long)w->highest);
	}
	return true;
}

static bool
replay_of(struct queue *q, uint32_t size, uint64_t begin, unsigned int packets)
{
	static struct window w;
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	struct card *c = q->card;
	uint64_t replays = 0;
	struct sa s;

	memset(&w, 0, sizeof(w));
	w.size = size;
	w.bits = 64 * accel_hw_ipsec_window_words(size);
	w.highest = begin;
	sa_null(&s, false, TUNNEL);
	s.x.ipsec.replay_window = size;
	s.x.state.sequence = begin;
	sa_store(c, &s);
	for (unsigned int i = 0; i < packets; i++) {
		uint64_t number = i == 0 ? 0 : draw_number(c, &w);
		uint32_t len = packet_v4(plain, 4), n = packet_send(&s, number, plain, len, packet);
		bool replay = is_replay(&w, number);

		result_note(&c->result, "window of %u, highest %llu, number %llu", size,
			    (unsigned long long)w.highest, (unsigned long long)number);
		if (!sa_run(q, &s, packet, n, plain, len, replay ? ACCEL_HW_REPLAY : ACCEL_HW_OK))
			return false;
		c->result.used = 0; /* only the last numbers matter */
		replays += replay;
		if (!replay)
			enter(&w, number);
		sa_state(c, &s);
		if (!same_window(c, &s, &w))
			return false;
		ENSURE(c, s.x.state.replay_errors == replays && s.x.state.errors == replays &&
		       s.x.state.packets == i + 1 - replays, "errors %llu, replay_errors %llu, "
		       "packets %llu, wanted %llu, the same, %llu",
		       (unsigned long long)s.x.state.errors,
		       (unsigned long long)s.x.state.replay_errors,
		       (unsigned long long)s.x.state.packets, (unsigned long long)replays,
		       (unsigned long long)(i + 1 - replays));
	}
	return true;
}

static void
replay(struct card *c)
{
	static const uint32_t sizes[] = { 0, 1, 2, 32, 63, 64, 65, 100, 128, 1000, 1024, 4095,
					  4096 };
	static const uint64_t begins[] = { 0, 70, 5000, UINT32_MAX - 300 };
	struct queue q;
	struct sa s;

	sa_null(&s, false, TUNNEL);
	if (!sa_there(c, &s) || !queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (unsigned int j = 0; j < 4 && sizes[i] <= c->tree.esp.window; j++) {
			if (!replay_of(&q, sizes[i], begins[j], 120))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Infer a number as RFC 4303, appendix A2.1 does. T is the highest number. */
static uint32_t
infer(uint64_t highest, uint32_t window, uint32_t low)
{
	const uint32_t tl = (uint32_t)highest, th = (uint32_t)(highest >> 32);

	if (tl >= window - 1) /* case A: the window is within one subspace */
		return low >= tl - window + 1 ? th : th + 1;
	return low >= tl - window + 1 ? th - 1 : th; /* case B: it spans two */
}

static void
long_numbers(struct card *c)
{
	static const uint32_t sizes[] = { 0, 1, 64, 100, 1024, 4096 };
	uint8_t plain[IPSEC_ROOM], packet[IPSEC_ROOM];
	uint32_t len = packet_v4(plain, 5), n;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 700; i++) {
		const uint64_t used = c->memory.part[MEMORY_LOW].used;
		const uint32_t size = sizes[i % 6], window = size != 0 ? size : 64;
		uint64_t highest = card_random(c) % 5 << 32, number;
		uint32_t low, high;
		struct sa s;

		sa_hmac(&s, false, TUNNEL | ACCEL_HW_IPSEC_ESN);
		if (!sa_there(c, &s))
			return;
		if (size > c->tree.esp.window)
			continue;
		s.x.ipsec.replay_window = size;
		highest += i % 4 == 0 ? card_random(c) % 100 :
			   i % 4 == 1 ? UINT32_MAX - card_random(c) % 100 :
			   i % 4 == 2 ? window - 3 + card_random(c) % 5 : card_random(c) >> 34;
		low = (uint32_t)highest - window + 1 + (uint32_t)(card_random(c) % 7) - 3;
		if (i % 5 == 0)
			low = (uint32_t)card_random(c);
		high = infer(highest, window, low);
		number = (uint64_t)high << 32 | low;
		if (highest >> 32 == 0 && high == UINT32_MAX)
			continue; /* a number below 0, which has no right ICV */
		s.x.state.sequence = highest;
		sa_store(c, &s);
		n = packet_send(&s, number, plain, len, packet);
		result_note(&c->result, "window of %u, highest %#llx, low half %#x", size,
			    (unsigned long long)highest, low);
		if (!sa_run(&q, &s, packet, n, plain, len,
			    size != 0 && (number == 0 || number + size <= highest) ?
			    ACCEL_HW_REPLAY : ACCEL_HW_OK))
			return;
		c->result.used = 0;
		sa_state(c, &s);
		CHECK(c, s.x.state.sequence == (number > highest ? number : highest),
		      "sequence is %#llx", (unsigned long long)s.x.state.sequence);
		c->memory.part[MEMORY_LOW].used = used;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "IPS-6 IPS-8 IPS-4 IPS-15 RSP-1 RSP-2", "places, with KEEP_PLACE and in place", places },
	{ "IPS-6", "headers of more than 1023 bytes", far_places },
	{ "IPS-7 REQ-1 RES-4", "room for the whole source; pieces", room },
	{ "IPS-10 IPS-9 IPS-15 ST-4", "packets of others: MALFORMED, MISMATCH, AUTH_FAILED",
	  not_ours },
	{ "IPS-10", "another outer version: MISMATCH", versions },
	{ "IPS-10", "packets that are too short: MALFORMED", short_packets },
	{ "IPS-10 IPS-18 SA-2", "what is wrong inside: MALFORMED, DUMMY", deciphered },
	{ "IPS-11", "padding after outer and inner packet", padding_after },
	{ "IPS-19", "the padding of AH counts for the ICV", padding_of_ah },
	{ "IPS-15 IPS-10", "DSCP and ECN of the inner packet", classes },
	{ "IPS-4 RSP-1", "info says what the inner checksums are", checksums },
	{ "IPS-17 SA-2 SA-3", "the replay window, packet by packet", replay },
	{ "IPS-16", "the upper half of long numbers", long_numbers },
};

const struct test_group tests_ipsec_in = TEST_GROUP("ipsec-in", tests);
