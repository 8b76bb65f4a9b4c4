/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests outbound packets of IPsec: their headers, IVs, places and checksums, and packets that are
 * refused (manual 8.6).
 */
#include <string.h>

#include "reference/ipsec.h"
#include "tests_protocol.h"

#define TUNNEL ACCEL_HW_IPSEC_TUNNEL

static uint8_t
traffic_class(const uint8_t *p)
{
	return p[0] >> 4 == 4 ? p[1] : (uint8_t)(p[0] << 4 | p[1] >> 4);
}

/* Make an inner packet with any traffic class, flow label, DF and TTL. */
static uint32_t
draw_inner(struct card *c, uint8_t *p)
{
	const bool v4 = card_random(c) % 2 == 0;
	const uint32_t data = (uint32_t)(card_random(c) % 90);
	const uint32_t len = v4 ? packet_v4(p, data) : packet_v6(p, data);

	packet_set_class(p, (uint8_t)card_random(c));
	if (v4) {
		p[6] = card_random(c) % 2 != 0 ? 0x40 : 0;
		p[8] = (uint8_t)(2 + card_random(c) % 254);
	} else {
		p[1] = (uint8_t)((p[1] & 0xf0) | card_random(c) % 16);
		p[2] = (uint8_t)card_random(c);
		p[7] = (uint8_t)(2 + card_random(c) % 254);
	}
	packet_finish(p, len);
	return len;
}

/* Make the packet of a tunnel as the options want it (RFC 4301 section 5.1.2). */
static uint32_t
expect_tunnel(const struct sa *s, uint64_t number, const uint8_t *in, uint32_t len, uint8_t *out)
{
	const uint32_t options = s->x.ipsec.options;
	uint8_t head[40], inner[IPSEC_ROOM], class;
	const bool v4 = in[0] >> 4 == 4;
	uint32_t head_len = packet_outer(s, number, head);

	class = traffic_class(head);
	if ((options & ACCEL_HW_IPSEC_COPY_DSCP) != 0)
		class = (class & 0x03) | (traffic_class(in) & 0xfc);
	if ((options & ACCEL_HW_IPSEC_ECN) != 0)
		class = (class & 0xfc) | (traffic_class(in) & 0x03);
	packet_set_class(head, class);
	if ((options & ACCEL_HW_IPSEC_COPY_DF) != 0 && v4 && head_len == 20)
		head[6] = (uint8_t)((head[6] & ~0x40) | (in[6] & 0x40));
	if ((options & ACCEL_HW_IPSEC_COPY_FLABEL) != 0 && !v4 && head_len == 40) {
		head[1] = (uint8_t)((head[1] & 0xf0) | (in[1] & 0x0f));
		memcpy(head + 2, in + 2, 2);
	}
	memcpy(inner, in, len);
	if ((options & ACCEL_HW_IPSEC_DEC_TTL) != 0) {
		inner[v4 ? 8 : 7]--;
		packet_finish(inner, len);
	}
	return packet_protect(s, number, head, head_len, head_len == 40 ? 6 : 9, v4 ? 4 : 41, inner,
			      len, out);
}

#define DRAWN                                                                                      \
	(ACCEL_HW_IPSEC_OUTER_V6 | ACCEL_HW_IPSEC_ESN | ACCEL_HW_IPSEC_UDP |                       \
	 ACCEL_HW_IPSEC_COPY_DF | ACCEL_HW_IPSEC_COPY_DSCP | ACCEL_HW_IPSEC_COPY_FLABEL |          \
	 ACCEL_HW_IPSEC_ECN | ACCEL_HW_IPSEC_DEC_TTL)

/* Test tunnels with any options and any packets. */
static void
outer_headers(struct card *c)
{
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 400; i++) {
		const struct tree_ipsec *t = i % 4 == 3 ? &c->tree.ah : &c->tree.esp;
		const uint64_t used = c->memory.part[MEMORY_LOW].used;
		uint8_t in[IPSEC_ROOM], out[IPSEC_ROOM];
		uint32_t options = TUNNEL | (t->options & DRAWN & (uint32_t)card_random(c));
		uint32_t len = draw_inner(c, in), n;
		uint64_t number = card_random(c) >> 33;
		struct sa s;

		(i % 4 == 3 ? sa_ah : i % 4 == 2 ? sa_null : sa_hmac)(&s, true, options);
		if (!sa_count(c, &s, &done))
			continue;
		if ((options & ACCEL_HW_IPSEC_ESN) != 0)
			number = card_random(c) >> 3;
		packet_set_class(s.x.ipsec.outer_header, (uint8_t)card_random(c));
		if ((options & ACCEL_HW_IPSEC_OUTER_V6) == 0)
			s.x.ipsec.outer_header[6] = card_random(c) % 2 != 0 ? 0x40 : 0;
		s.x.state.sequence = number;
		sa_store(c, &s);
		n = expect_tunnel(&s, number + 1, in, len, out);
		result_note(&c->result, "kind %u, options %#x, number %#llx, IPv%u inside",
			    s.x.common.kind, options, (unsigned long long)number + 1, in[0] >> 4);
		if (!sa_run(&q, &s, in, len, out, n, ACCEL_HW_OK))
			return;
		sa_state(c, &s);
		c->memory.part[MEMORY_LOW].used = used;
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no ESP or AH in a tunnel without a cipher");
}

#define HOP_BY_HOP 1u
#define DESTINATION 2u
#define ROUTING 4u
#define LAST_DESTINATION 8u

/* Make an IPv6 packet with extension headers. at receives where IPsec is inserted, next_at where
 * its number stands. */
static uint32_t
with_extensions(unsigned int which, uint8_t *p, uint32_t *at, uint32_t *next_at)
{
	static const struct {
		unsigned int bit;
		uint8_t number, bytes;
	} order[] = {
		{ HOP_BY_HOP, 0, 16 }, { DESTINATION, 60, 8 }, { ROUTING, 43, 24 },
		{ LAST_DESTINATION, 60, 16 },
	};
	const bool first = (which & DESTINATION) == 0 || (which & ROUTING) != 0;
	uint8_t udp[IPSEC_ROOM];
	uint32_t n = packet_v6(udp, 41), len = 40, next = 6;

	memcpy(p, udp, 40);
	*at = 40;
	*next_at = 6;
	for (unsigned int i = 0; i < 4; i++) {
		if ((which & order[i].bit) == 0)
			continue;
		p[next] = order[i].number;
		next = len;
		memset(p + len, 0, order[i].bytes);
		p[len + 1] = order[i].bytes / 8 - 1;
		if (order[i].number != 43) { /* one option of padding */
			p[len + 2] = 1;
			p[len + 3] = order[i].bytes - 4;
		}
		len += order[i].bytes;
		if (order[i].bit != LAST_DESTINATION && (order[i].bit != DESTINATION || first)) {
			*at = len;
			*next_at = next;
		}
	}
	p[next] = 17;
	memcpy(p + len, udp + 40, n - 40);
	len += n - 40;
	packet_finish(p, len);
	return len;
}

/* Test transport mode with each row of extension headers. */
static void
extension_headers(struct card *c)
{
	uint8_t in[IPSEC_ROOM], out[IPSEC_ROOM];
	uint32_t at, next_at, len, n;
	struct queue q;
	struct sa s;

	sa_hmac(&s, true, 0);
	if (!sa_open(&s, &q, c))
		return;
	for (unsigned int which = 0; which < 16; which++) {
		len = with_extensions(which, in, &at, &next_at);
		n = packet_protect(&s, which + 1, in, at, next_at, in[next_at], in + at, len - at,
				   out);
		result_note(&c->result, "extension headers %#x", which);
		if (!sa_run(&q, &s, in, len, out, n, ACCEL_HW_OK))
			return;
		sa_state(c, &s);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test transport mode of IPv4, also with options, and of IPv6, with and without UDP. */
static void
transport(struct card *c)
{
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 120; i++) {
		const uint64_t used = c->memory.part[MEMORY_LOW].used;
		uint32_t options = i % 3 == 2 ? 0 : ACCEL_HW_IPSEC_UDP, header, len, n;
		uint8_t in[IPSEC_ROOM], out[IPSEC_ROOM];
		const bool v6 = i % 2 != 0;
		struct sa s;

		(i % 5 == 4 ? sa_ah : i % 5 < 2 ? sa_null : sa_hmac)
			(&s, true, i % 5 == 4 ? 0 : options);
		if (!sa_count(c, &s, &done))
			continue;
		sa_store(c, &s);
		len = v6 ? packet_v6(in, i) : packet_v4(in, i);
		header = v6 ? 40 : 20;
		if (!v6 && i % 4 == 0 && i % 5 != 4) { /* eight bytes of options: NOP */
			memmove(in + 28, in + 20, len - 20);
			memset(in + 20, 1, 8);
			in[0] = 0x47;
			len += 8;
			header += 8;
			packet_finish(in, len);
		}
		n = packet_protect(&s, 1, in, header, v6 ? 6 : 9, 17, in + header, len - header,
				   out);
		result_note(&c->result, "kind %u, options %#x, header of %u bytes",
			    s.x.common.kind, s.x.ipsec.options, header);
		if (!sa_run(&q, &s, in, len, out, n, ACCEL_HW_OK))
			return;
		sa_state(c, &s);
		c->memory.part[MEMORY_LOW].used = used;
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no transport mode without a cipher");
}

/* Test frames with just enough room, with too little, and cut into pieces. */
static bool
rooms(struct queue *q, struct sa *s)
{
	uint8_t in[IPSEC_ROOM], out[IPSEC_ROOM];
	struct card *c = q->card;

	sa_store(c, s);
	for (uint32_t data = 0; data < 24; data++) {
		uint32_t len = data % 2 == 0 ? packet_v4(in, data) : packet_v6(in, data);
		uint32_t n = packet_send(s, data + 1, in, len, out);
		const uint64_t used = c->memory.part[MEMORY_LOW].used;
		struct request r;

		sa_request(c, &r, s, in, len, n - 1);
		result_note(&c->result, "%u bytes into %u", len, n - 1);
		if (!sa_run_request(q, &r, ACCEL_HW_OUTPUT_TOO_SMALL, false))
			return false;
		sa_request(c, &r, s, in, len, n);
		r.nb_in = r.nb_out = 0; /* both in pieces */
		request_in(&r, r.in[0].iova, 1 + data % 19);
		request_in(&r, r.in[0].iova + 1 + data % 19, len - 1 - data % 19);
		request_out(&r, r.out[0].iova, 3 + data);
		request_out(&r, r.out[0].iova + 3 + data, 20);
		request_out(&r, r.out[0].iova + 23 + data, n - 23 - data);
		r.produced = n;
		r.output = out;
		if (!sa_run_request(q, &r, ACCEL_HW_OK, false))
			return false;
		c->memory.part[MEMORY_LOW].used = used;
	}
	sa_state(c, s);
	return true;
}

/* Test transport mode with blocks of 16 bytes, where the padding depends on the header. */
static bool
rooms_of_blocks(struct queue *q, struct sa *s)
{
	uint8_t in[IPSEC_ROOM];
	struct card *c = q->card;

	sa_store(c, s);
	for (uint32_t data = 0; data < 36; data++) {
		const uint32_t header = data % 2 == 0 ? 20 : 40;
		uint32_t len = header == 20 ? packet_v4(in, data) : packet_v6(in, data);
		uint32_t n = header + 8 + 16 + (len - header + 2 + 15) / 16 * 16;
		struct request r;

		sa_request(c, &r, s, in, len, n - 1);
		result_note(&c->result, "AES-CBC, %u bytes into %u", len, n - 1);
		if (!sa_run_request(q, &r, ACCEL_HW_OUTPUT_TOO_SMALL, false))
			return false;
		sa_request(c, &r, s, in, len, n);
		r.produced = n;
		if (!sa_run_request(q, &r, ACCEL_HW_OK, false))
			return false;
	}
	sa_state(c, s);
	return true;
}

static void
room(struct card *c)
{
	unsigned int done = 0;
	struct sa s;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 4; i++) {
		(i == 2 ? sa_ah : sa_hmac)(&s, true, i == 3 ? 0 : i == 1 ?
					   TUNNEL | ACCEL_HW_IPSEC_OUTER_V6 : TUNNEL);
		if (!sa_count(c, &s, &done))
			continue;
		if (!rooms(&q, &s))
			return;
	}
	sa_null(&s, true, 0);
	s.x.common.cipher_alg = ACCEL_HW_CIPHER_AES_CBC;
	s.x.common.cipher_key_len = 16;
	s.x.common.iv_len = 16;
	if (sa_count(c, &s, &done) && !rooms_of_blocks(&q, &s))
		return;
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no ESP or AH without a cipher");
}

/* Test packets in place. The result frame begins before the source, so that the payload keeps its
 * place. */
static void
in_place(struct card *c)
{
	uint8_t in[IPSEC_ROOM], out[IPSEC_ROOM];
	struct queue q;
	struct sa s;

	sa_hmac(&s, true, TUNNEL);
	if (!sa_open(&s, &q, c))
		return;
	for (uint32_t data = 0; data < 40; data++) {
		/* If the tree has overlap, other distances are possible, too. */
		const uint32_t shift = data % 2 == 0 || !c->tree.esp.overlap ? 28 : data;
		uint64_t place = memory_get(&c->memory, MEMORY_LOW, 600, 1) + 100;
		uint32_t len = packet_v4(in, 8 * data), n;
		struct request r;

		sa_request(c, &r, &s, in, len, 0);
		memory_write(&c->memory, place, in, len);
		r.in[0].iova = place;
		n = packet_send(&s, data + 1, in, len, out);
		request_out(&r, place - shift, n);
		r.produced = n;
		r.output = out;
		result_note(&c->result, "%u bytes, %u before the source", len, shift);
		if (!sa_run_request(&q, &r, ACCEL_HW_OK, false))
			return;
	}
	sa_close(&s, &q);
}

/* Check that bytes after the packet are left out, but count for the room and as bytes of the
 * source. */
static void
padding_after(struct card *c)
{
	uint8_t in[IPSEC_ROOM], out[IPSEC_ROOM];
	uint64_t bytes = 0;
	struct queue q;
	struct sa s;

	sa_hmac(&s, true, TUNNEL);
	if (!sa_open(&s, &q, c))
		return;
	for (uint32_t more = 1; more < 30; more++) {
		uint32_t len = more % 2 == 0 ? packet_v4(in, 3) : packet_v6(in, 3);

		memset(in + len, 0xcc, more);
		if (!sa_run(&q, &s, in, len + more, out, packet_send(&s, more, in, len, out),
			    ACCEL_HW_OK))
			return;
		bytes += len;
	}
	sa_state(c, &s);
	CHECK(c, s.x.state.bytes == bytes, "bytes %llu, wanted %llu: of the packets alone",
	      (unsigned long long)s.x.state.bytes, (unsigned long long)bytes);
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Lists packets that no SA can send, by what is changed in a good packet of IPv4 or IPv6. */
static const struct {
	const char *what;
	uint32_t len; /* of the packet; 0: as it is */
	uint8_t at, value;
	bool v6, only_transport, only_dec_ttl;
} refused[] = {
	{ "version 0", 0, 0, 0x05, false, false, false },
	{ "version 5", 0, 0, 0x55, false, false, false },
	{ "version 7", 0, 0, 0x70, true, false, false },
	{ "header of 16 bytes", 0, 0, 0x44, false, false, false },
	{ "header longer than the packet", 0, 0, 0x4f, false, false, false },
	{ "total length below the header", 0, 3, 19, false, false, false },
	{ "total length above the bytes", 0, 2, 1, false, false, false },
	{ "payload length above the bytes", 0, 4, 1, true, false, false },
	{ "1 byte", 1, 0, 0x45, false, false, false },
	{ "19 bytes", 19, 0, 0x45, false, false, false },
	{ "39 bytes", 39, 0, 0x60, true, false, false },
	{ "more fragments", 0, 6, 0x20, false, true, false },
	{ "a fragment's offset", 0, 7, 0x05, false, true, false },
	{ "a fragment header", 0, 6, 44, true, true, false },
	{ "an extension header that is too long", 0, 6, 60, true, true, false },
	{ "TTL 1", 0, 8, 1, false, false, true },
	{ "TTL 0", 0, 8, 0, false, false, true },
	{ "hop limit 1", 0, 7, 1, true, false, true },
	{ "hop limit 0", 0, 7, 0, true, false, true },
};

static void
malformed(struct card *c)
{
	unsigned int done = 0;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 2 * sizeof(refused) / sizeof(refused[0]); i++) {
		const unsigned int j = i / 2;
		uint32_t options = i % 2 == 0 ? 0 : TUNNEL, len;
		uint8_t in[IPSEC_ROOM];
		struct sa s;

		options |= refused[j].only_dec_ttl ? ACCEL_HW_IPSEC_DEC_TTL : 0;
		sa_hmac(&s, true, options);
		if ((refused[j].only_transport && i % 2 != 0) ||
		    (refused[j].only_dec_ttl && i % 2 == 0) || !sa_count(c, &s, &done))
			continue;
		len = refused[j].v6 ? packet_v6(in, 12) : packet_v4(in, 12);
		in[41] = 0xff; /* the length of what is taken for an extension header */
		in[refused[j].at] = refused[j].value;
		sa_store(c, &s);
		result_note(&c->result, "%s, options %#x", refused[j].what, options);
		if (!sa_run(&q, &s, in, refused[j].len != 0 ? refused[j].len : len, NULL, 0,
			    ACCEL_HW_MALFORMED))
			return;
		sa_state(c, &s);
		CHECK(c, s.x.state.sequence == 0 && s.x.state.packets == 0 &&
		      s.x.state.errors == 1, "sequence %llu, packets %llu, errors %llu",
		      (unsigned long long)s.x.state.sequence,
		      (unsigned long long)s.x.state.packets, (unsigned long long)s.x.state.errors);
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no ESP with HMAC-SHA256");
}

/* Check that a tunnel carries fragments as they are, and that its own packet is not a fragment. */
static void
fragments(struct card *c)
{
	uint8_t in[IPSEC_ROOM], out[IPSEC_ROOM];
	struct queue q;
	struct sa s;

	sa_hmac(&s, true, TUNNEL);
	if (!sa_open(&s, &q, c))
		return;
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t len = i == 2 ? packet_v6(in, 50) : packet_v4(in, 50);

		if (i == 2) {
			in[6] = 44;
			memcpy(in + 40, "\x11\0\0\x09\1\2\3\4", 8);
		} else {
			in[6] = i == 0 ? 0x20 : 0x01;
			packet_finish(in, len);
		}
		if (!sa_run(&q, &s, in, len, out, packet_send(&s, i + 1, in, len, out),
			    ACCEL_HW_OK))
			return;
	}
	sa_close(&s, &q);
}

/* Send packets with a cipher and NULL authentication, or an AEAD, and keep their IVs.
 * @return false: the test has failed. */
static bool
take_ivs(struct queue *q, struct sa *s, uint32_t nb, uint8_t iv[][16])
{
	const uint32_t iv_len = s->x.common.iv_len;
	struct card *c = q->card;
	uint8_t in[IPSEC_ROOM];
	uint32_t len = packet_v4(in, 20);

	for (uint32_t i = 0; i < nb; i++) {
		struct request r;
		uint32_t text = len + 2, block = iv_len == 16 ? 16 : iv_len;

		if (s->x.common.cipher_alg == ACCEL_HW_CIPHER_AES_CTR ||
		    s->x.common.auth_alg == 0)
			block = 4;
		text = (text + block - 1) / block * block;
		sa_request(c, &r, s, in, len, 400);
		memset(r.cmd.iv, 0x77, sizeof(r.cmd.iv)); /* does not count */
		r.produced = 28 + iv_len + text + s->x.common.digest_len;
		if (!sa_run_request(q, &r, ACCEL_HW_OK, false))
			return false;
		memory_read(&c->memory, r.out[0].iova + 28, iv[i], iv_len);
	}
	sa_state(c, s);
	return true;
}

static const struct {
	uint16_t cipher, key, iv, digest;
	bool random;
} with_iv[] = {
	{ ACCEL_HW_CIPHER_AES_CBC, 16, 16, 0, true }, { ACCEL_HW_CIPHER_DES_CBC, 8, 8, 0, true },
	{ ACCEL_HW_CIPHER_3DES_CBC, 24, 8, 0, true }, { ACCEL_HW_CIPHER_AES_CTR, 16, 8, 0, false },
	{ ACCEL_HW_AEAD_AES_GCM, 16, 8, 16, false }, { ACCEL_HW_AEAD_AES_CCM, 16, 8, 16, false },
	{ ACCEL_HW_AEAD_CHACHA20_POLY1305, 32, 8, 16, false },
};

/* True if no two of the IVs have a half in common, nor differ by little. */
static bool
look_random(struct card *c, uint8_t iv[][16], uint32_t nb, uint32_t bytes)
{
	for (uint32_t i = 0; i < nb; i++) {
		for (uint32_t j = 0; j < i; j++) {
			uint32_t same = 0;

			for (uint32_t k = 0; k < bytes; k++)
				same += iv[i][k] == iv[j][k];
			ENSURE(c, same <= bytes / 2, "the IVs of packets %u and %u have %u of %u "
			       "bytes in common", j, i, same, bytes);
		}
	}
	return true;
}

static void
ivs(struct card *c)
{
	unsigned int done = 0;
	uint8_t iv[24][16];
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < sizeof(with_iv) / sizeof(with_iv[0]); i++) {
		const uint64_t first = UINT64_C(0x12345678fffffff8);
		uint8_t wanted[8];
		struct sa s;

		sa_null(&s, true, TUNNEL);
		s.x.common.cipher_alg = with_iv[i].cipher;
		s.x.common.auth_alg = with_iv[i].digest != 0 ? 0 : ACCEL_HW_AUTH_NULL;
		s.x.common.cipher_key_len = with_iv[i].key;
		s.x.common.iv_len = (uint8_t)with_iv[i].iv;
		s.x.common.digest_len = with_iv[i].digest;
		memcpy(s.x.common.cipher_key, sym_key, 32);
		memcpy(s.x.ipsec.salt, "\1\2\3\0", 4);
		s.x.state.iv_count = first;
		if (!sa_count(c, &s, &done))
			continue;
		sa_store(c, &s);
		result_note(&c->result, "cipher %u", with_iv[i].cipher);
		if (!take_ivs(&q, &s, 24, iv))
			return;
		if (with_iv[i].random) {
			if (!look_random(c, iv, 24, with_iv[i].iv))
				return;
			continue;
		}
		for (uint32_t j = 0; j < 24; j++) {
			packet_put(wanted, first + 1 + j, 8);
			CHECK(c, memcmp(iv[j], wanted, 8) == 0,
			      "the IV of packet %u is not iv_count + %u", j, j + 1);
		}
		CHECK(c, s.x.state.iv_count == first + 24, "iv_count is %#llx",
		      (unsigned long long)s.x.state.iv_count);
	}
	if (queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		SKIP_UNLESS(c, done > 0, "no cipher with an IV");
}

/* Test checksums that the card makes because the SA or the command asks for them. */
static void
checksums(struct card *c)
{
	uint8_t in[IPSEC_ROOM], good[IPSEC_ROOM], out[IPSEC_ROOM];
	uint32_t both = ACCEL_HW_IPSEC_IP_CHECKSUM | ACCEL_HW_IPSEC_L4_CHECKSUM;
	struct queue q;

	SKIP_UNLESS(c, (c->tree.esp.options & both) == both, "no ESP with checksums");
	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 32; i++) {
		const bool ip = (i & 1) != 0, l4 = (i & 2) != 0, v6 = (i & 4) != 0;
		const uint32_t asked = (ip ? ACCEL_HW_IPSEC_IP_CHECKSUM : 0) |
				       (l4 ? ACCEL_HW_IPSEC_L4_CHECKSUM : 0);
		const uint32_t at = v6 ? 46 : 26;
		struct request r;
		uint32_t len, n;
		struct sa s;

		sa_hmac(&s, true, TUNNEL | ((i & 8) != 0 ? asked : 0));
		if (!sa_there(c, &s))
			return;
		sa_store(c, &s);
		len = v6 ? packet_v6(good, 33) : packet_v4(good, 33);
		if ((i & 16) != 0 && !v6) { /* a fragment has no checksum to make */
			good[6] = 0x20;
			packet_finish(good, len);
		}
		memcpy(in, good, len);
		if (!v6)
			packet_put(in + 10, 0x1111, 2);
		packet_put(in + at, 0x2222, 2);
		if (!v6 && !ip)
			packet_put(good + 10, 0x1111, 2);
		if (!l4 || ((i & 16) != 0 && !v6))
			packet_put(good + at, 0x2222, 2);
		n = packet_send(&s, 1, good, len, out);
		sa_request(c, &r, &s, in, len, 300);
		if ((i & 8) == 0)
			r.cmd.skip = (ip ? ACCEL_HW_IPSEC_CMD_IP_CHECKSUM : 0) |
				     (l4 ? ACCEL_HW_IPSEC_CMD_L4_CHECKSUM : 0);
		r.produced = n;
		r.output = out;
		result_note(&c->result, "case %u", i);
		if (!sa_run_request(&q, &r, ACCEL_HW_OK, false))
			return;
		sa_state(c, &s);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Lists routing headers that name another final destination than the IP header does. */
static const struct {
	const char *what;
	uint8_t len; /* of it, in units of 8 bytes without the first */
	uint8_t type, left; /* segments left */
	uint8_t final_at; /* where the address of the final destination is; 0: it is not known */
} routes[] = {
	{ "type 0, all segments done", 4, 0, 0, 24 },
	{ "type 0", 4, 0, 1, 40 + 8 + 16 },
	{ "type 0, more segments than addresses", 4, 0, 3, 0 },
	{ "type 2", 2, 2, 1, 40 + 8 },
	{ "type 4", 4, 4, 2, 40 + 8 },
	{ "type 4 without the first segment", 4, 4, 3, 40 + 8 },
	{ "type 4, no room for a segment", 0, 4, 1, 0 },
	{ "type 253", 4, 253, 1, 0 },
};

/* Puts a routing header between the headers of an IPv6 packet and UDP, with the checksum that the
 * final destination makes. Returns the bytes of the packet. */
static uint32_t
packet_routed(uint8_t *p, unsigned int i)
{
	const uint32_t bytes = 8 * (1 + (uint32_t)routes[i].len);
	uint8_t udp[IPSEC_ROOM], header[40], *at = p + 40;
	uint32_t len;

	memset(at, 0, bytes);
	at[0] = 17;
	at[1] = routes[i].len;
	at[2] = routes[i].type;
	at[3] = routes[i].left;
	for (uint32_t b = 8; b < bytes; b++)
		at[b] = (uint8_t)(0x20 + b);
	/* A packet without the header is made first, to the address that counts. */
	len = packet_v6(udp, 21);
	memcpy(header, udp, sizeof(header));
	if (routes[i].final_at > 40)
		len = packet_v6_to(udp, p + routes[i].final_at, 21);
	memcpy(p, header, sizeof(header));
	memcpy(p + 40 + bytes, udp + 40, len - 40);
	p[6] = 43;
	packet_finish(p, len + bytes);
	return len + bytes;
}

/* Check that the final destination counts for a checksum that is made (RFC 8200, 8.1). */
static void
final_destination(struct card *c)
{
	uint8_t in[IPSEC_ROOM], good[IPSEC_ROOM], out[IPSEC_ROOM];
	struct queue q;

	SKIP_UNLESS(c, (c->tree.esp.options & ACCEL_HW_IPSEC_L4_CHECKSUM) != 0,
		    "no ESP with checksums");
	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 2 * sizeof(routes) / sizeof(routes[0]); i++) {
		const bool known = routes[i / 2].final_at != 0, by_command = i % 2 != 0;
		struct request r;
		uint32_t len;
		struct sa s;

		sa_hmac(&s, true, TUNNEL | (by_command ? 0 : ACCEL_HW_IPSEC_L4_CHECKSUM));
		if (!sa_there(c, &s))
			return;
		sa_store(c, &s);
		len = packet_routed(good, i / 2);
		memcpy(in, good, len);
		packet_put(in + len - 21 - 2, 0x2222, 2);
		sa_request(c, &r, &s, in, len, 400);
		r.cmd.skip = by_command ? ACCEL_HW_IPSEC_CMD_L4_CHECKSUM : 0;
		if (known) {
			r.produced = packet_send(&s, 1, good, len, out);
			r.output = out;
		}
		result_note(&c->result, "%s, by the command %d", routes[i / 2].what, by_command);
		if (!sa_run_request(&q, &r, known ? ACCEL_HW_OK : ACCEL_HW_MALFORMED, false))
			return;
		sa_state(c, &s);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that a packet of 40 bytes is sent, but that it is MALFORMED as a jumbogram, which has no
 * length that ESP could use. */
static void
jumbogram(struct card *c)
{
	static const uint8_t options[] = { 59, 0, 0xc2, 4, 0, 0, 0, 32 };
	uint8_t in[72] = { 0 }, out[IPSEC_ROOM];
	struct queue q;
	struct sa s;

	sa_hmac(&s, true, TUNNEL);
	if (!sa_open(&s, &q, c))
		return;
	packet_v6(in, 12);
	packet_put(in + 4, 0, 2);
	in[6] = 59;
	memcpy(in + 40, options, sizeof(options));
	if (!sa_run(&q, &s, in, sizeof(in), out, packet_send(&s, 1, in, 40, out), ACCEL_HW_OK))
		return;
	in[6] = 0;
	if (sa_run(&q, &s, in, sizeof(in), NULL, 0, ACCEL_HW_MALFORMED))
		sa_close(&s, &q);
}

static const struct test_case tests[] = {
	{ "IPS-13 IPS-5 IPS-18", "tunnels: every field of the outer header", outer_headers },
	{ "IPS-13 IPS-5 IPS-18", "transport mode: length, protocol, checksum, UDP", transport },
	{ "IPS-12", "transport mode of IPv6 with extension headers", extension_headers },
	{ "IPS-7 IPS-5 REQ-1 RES-4", "just enough room, too little, pieces", room },
	{ "IPS-8", "in place, with a result frame that begins before the source", in_place },
	{ "IPS-11", "bytes after the packet are left out", padding_after },
	{ "IPS-10 IPS-9", "packets that are none: MALFORMED, without a number", malformed },
	{ "IPS-10 IPS-13", "a tunnel carries fragments", fragments },
	{ "IPS-14", "IVs: unpredictable, or counted", ivs },
	{ "IPS-13", "checksums of the inner packet are made if asked for", checksums },
	{ "IPS-20 IPS-10", "a checksum covers the final destination of a route",
	  final_destination },
	{ "IPS-10", "a jumbogram is refused in a tunnel, too", jumbogram },
};

const struct test_group tests_ipsec_out = TEST_GROUP("ipsec-out", tests);
