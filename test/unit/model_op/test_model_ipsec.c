/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IPsec on the model (manual 8.6): known packets, and packets that go out and come in again in each
 * mode, with each algorithm, with each option.
 */
#include "vectors/ipsec_vectors.h"
#include "model_op/model_ipsec.h"

static int
setup(void **state)
{
	(void)state;
	card_open_small(ACCEL_MODEL_ENGINE_AUTO, 256, 64);
	return 0;
}

/* Known packets. */

static uint32_t
from_hex(const char *text, uint8_t *to)
{
	unsigned int byte;
	uint32_t nb = 0;

	for (; text != NULL && sscanf(text, "%2x", &byte) == 1; text += 2)
		to[nb++] = (uint8_t)byte;
	return nb;
}

static sa_t *
sa_of(const struct ipsec_vector *v, bool outbound)
{
	sa_t *sa = sa_new(outbound, 0);
	uint8_t sent[256];

	sa->common.kind = v->kind;
	sa->common.cipher_alg = v->cipher;
	sa->common.auth_alg = v->auth;
	sa->common.digest_len = v->digest;
	sa->common.cipher_key_len = (uint16_t)from_hex(v->key, sa->common.cipher_key);
	sa->common.auth_key_len = (uint16_t)from_hex(v->auth_key, sa->common.auth_key);
	sa->common.iv_len = (uint8_t)from_hex(v->iv, sent);
	sa->ipsec.spi = v->spi;
	sa->ipsec.options = outbound ? ACCEL_HW_IPSEC_IV_GIVEN : 0;
	from_hex(v->salt, sa->ipsec.salt);
	sa->state.sequence = v->number - 1;
	if (!v->tunnel)
		return sa;
	sa->ipsec.options |= ACCEL_HW_IPSEC_TUNNEL;
	from_hex(v->sent, sent);
	if (sent[0] >> 4 == 6) {
		sa->ipsec.options |= ACCEL_HW_IPSEC_OUTER_V6;
		memcpy(sa->ipsec.outer_header, sent, 40);
		memset(sa->ipsec.outer_header + 4, 0, 3);
	} else {
		memcpy(sa->ipsec.outer_header, sent, 20);
		memset(sa->ipsec.outer_header + 2, 0, 6);
		sa->ipsec.outer_header[9] = 0;
		memset(sa->ipsec.outer_header + 10, 0, 2);
	}
	return sa;
}

static void
check_vector(const struct ipsec_vector *v)
{
	uint8_t *clear = filled(256, 0), *sent = filled(256, 0), *out = filled(256, 0xcc);
	uint32_t clear_len = from_hex(v->clear, clear), sent_len = from_hex(v->sent, sent);
	struct accel_hw_command *cmd = sa_command(sa_of(v, true), clear_len);
	struct accel_hw_response rsp;

	print_message("%s\n", v->name);
	from_hex(v->iv, cmd->iv);
	/* AH in transport mode wants the room that it takes in IPv6. */
	rsp = run_command(cmd, clear, clear_len, out, sent_len + 8);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.produced, sent_len);
	/* The identification is the sequence number here. AH covers it. */
	if (v->tunnel && out[0] == 0x45 && v->kind == ACCEL_HW_KIND_ESP) {
		assert_int_equal(be16(out + 4), v->number);
		memcpy(out + 4, sent + 4, 2);
		ip4_sum(out);
	}
	assert_memory_equal(out, sent, sent_len);
	assert_int_equal(out[sent_len], 0xcc);

	memset(out, 0xcc, 256);
	rsp = run_sa(sa_of(v, false), sent, sent_len, out, sent_len);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.produced, clear_len);
	assert_memory_equal(out, clear, clear_len);
	assert_int_equal(out[clear_len], 0xcc);
	if (v->digest == 0)
		return;
	sent[sent_len - 1] ^= 1;
	rsp = run_sa(sa_of(v, false), sent, sent_len, out, sent_len);
	assert_int_equal(rsp.status, ACCEL_HW_AUTH_FAILED);
}

static void
test_known_packets(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(ipsec_vectors) / sizeof(ipsec_vectors[0]); i++)
		check_vector(&ipsec_vectors[i]);
}

/* Out and in again. */

struct suite {
	uint16_t cipher, key, auth, auth_key;
	uint8_t iv, digest;
};

static const struct suite suites[] = {
	{ ACCEL_HW_AEAD_AES_GCM, 16, 0, 0, 8, 16 },
	{ ACCEL_HW_AEAD_AES_GCM, 32, 0, 0, 8, 8 },
	{ ACCEL_HW_AEAD_AES_CCM, 16, 0, 0, 8, 12 },
	{ ACCEL_HW_AEAD_CHACHA20_POLY1305, 32, 0, 0, 8, 16 },
	{ ACCEL_HW_CIPHER_NULL, 0, ACCEL_HW_AUTH_AES_GMAC, 24, 8, 16 },
	{ ACCEL_HW_CIPHER_NULL, 0, ACCEL_HW_AUTH_NULL, 0, 0, 0 },
	{ ACCEL_HW_CIPHER_NULL, 0, ACCEL_HW_AUTH_AES_XCBC_MAC, 16, 0, 12 },
	{ ACCEL_HW_CIPHER_AES_CBC, 32, ACCEL_HW_AUTH_NULL, 0, 16, 0 },
	{ ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20, 16, 12 },
	{ ACCEL_HW_CIPHER_AES_CBC, 24, ACCEL_HW_AUTH_SHA512_HMAC, 64, 16, 32 },
	{ ACCEL_HW_CIPHER_AES_CTR, 16, ACCEL_HW_AUTH_SHA256_HMAC, 32, 8, 16 },
	{ ACCEL_HW_CIPHER_AES_CTR, 32, ACCEL_HW_AUTH_NULL, 0, 8, 0 },
	{ ACCEL_HW_CIPHER_DES_CBC, 8, ACCEL_HW_AUTH_MD5_HMAC, 16, 8, 12 },
	{ ACCEL_HW_CIPHER_3DES_CBC, 24, ACCEL_HW_AUTH_AES_CMAC, 16, 8, 12 },
	{ ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_AES_XCBC_MAC, 16, 16, 12 },
	{ ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_SHA384_HMAC, 48, 16, 24 },
	{ ACCEL_HW_CIPHER_AES_CTR, 24, ACCEL_HW_AUTH_SHA224_HMAC, 28, 8, 14 },
};

#define NB_SUITES (sizeof(suites) / sizeof(suites[0]))

static sa_t *
sa_suite(const struct suite *s, unsigned int tunnel)
{
	sa_t *sa = sa_new(true, tunnel);

	sa->common.cipher_alg = s->cipher;
	sa->common.cipher_key_len = s->key;
	draw_bytes(sa->common.cipher_key, s->key);
	sa->common.auth_alg = s->auth;
	sa->common.auth_key_len = s->auth_key;
	draw_bytes(sa->common.auth_key, s->auth_key);
	sa->common.iv_len = s->iv;
	sa->common.digest_len = s->digest;
	draw_bytes(sa->ipsec.salt, s->cipher == ACCEL_HW_AEAD_AES_CCM ? 3 : 4);
	return sa;
}

/* Posts a buffer as random fragments. */
static void
post_pieces(const uint8_t *at, uint32_t len, bool tx)
{
	while (len > 0) {
		uint32_t piece = draw(3) == 0 ? len : 1 + draw(len);
		uint64_t next = piece < len ? NEXT : 0;

		if (tx)
			tx_frag(q, host_iova(&h, at), piece, next);
		else
			rx_frag(q, host_iova(&h, at), piece, next);
		at += piece;
		len -= piece;
	}
}

static struct accel_hw_response
run_split(const struct accel_hw_command *cmd, const uint8_t *in, uint32_t len, const uint8_t *out,
	  uint32_t room)
{
	struct accel_hw_response rsp;

	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	post_pieces(in, len, true);
	post_pieces(out, room, false);
	q_ring(q);
	rsp = q_response(q);
	assert_int_equal(rsp.tag, cmd->tag);
	return rsp;
}

/* Sends a packet, with rubbish behind it at times, and takes it again. */
static void
there_and_back(sa_t *out_sa, sa_t *in_sa, unsigned int version, uint32_t len)
{
	const uint32_t behind = draw(4) == 0 ? draw(20) : 0;
	uint8_t *clear = packet_new(version, len), *sent = filled(len + 400, 0xcc);
	uint8_t *back = filled(len + 400, 0xcc), *want = packet_new(version, len);
	struct accel_hw_command *cmd = sa_command(out_sa, len + behind);
	struct accel_hw_response rsp;
	uint32_t sent_len, at;

	rsp = run_split(cmd, clear, len + behind, sent, len + 300);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.info, 0);
	sent_len = rsp.produced;
	assert_true(sent_len > len && is_all(sent + sent_len, 0xcc, 300 - (sent_len - len)));

	cmd = sa_command(in_sa, sent_len + behind);
	cmd->skip = draw_bool() ? ACCEL_HW_IPSEC_CMD_KEEP_PLACE : 0;
	rsp = run_split(cmd, sent, sent_len + behind, back, sent_len + behind);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.produced, len);
	at = rsp.info & ACCEL_HW_IPSEC_INFO_OFFSET;
	assert_int_equal(rsp.info, at);
	assert_int_equal(at != 0, cmd->skip != 0);
	if (cmd->skip != 0 && in_sa->common.kind == ACCEL_HW_KIND_AH)
		assert_int_equal(at, sent_len - len);
	assert_true(is_all(back, 0xcc, at) && is_all(back + at + len, 0xcc, 8));
	assert_memory_equal(back + at, want, len);
}

static void
round_trips(uint8_t kind, const struct suite *s, unsigned int tunnel, uint32_t options)
{
	uint32_t mark = h.used;
	sa_t *out_sa = sa_suite(s, tunnel), *in_sa;

	out_sa->common.kind = kind;
	if (kind == ACCEL_HW_KIND_AH) {
		out_sa->common.cipher_alg = 0;
		out_sa->common.cipher_key_len = 0;
		options &= ~ACCEL_HW_IPSEC_UDP;
	}
	out_sa->ipsec.options |= options;
	if ((options & ACCEL_HW_IPSEC_UDP) != 0) {
		out_sa->ipsec.udp_source = 4500;
		out_sa->ipsec.udp_destination = 4501;
	}
	in_sa = sa_peer(out_sa);
	in_sa->ipsec.replay_window = 64;
	if ((options & ACCEL_HW_IPSEC_ESN) != 0) {
		out_sa->state.sequence = UINT64_C(0x3fffffffe) - draw(2);
		in_sa->state.sequence = out_sa->state.sequence;
	}
	for (unsigned int i = 0; i < 6; i++) {
		uint32_t inner = h.used;

		there_and_back(out_sa, in_sa, draw_bool() ? 4 : 6,
			       40 + 8 + draw(i % 2 == 0 ? 40 : 1400));
		h.used = inner;
	}
	assert_int_equal(out_sa->state.packets, 6);
	assert_int_equal(in_sa->state.packets, 6);
	assert_int_equal(in_sa->state.sequence, out_sa->state.sequence);
	assert_int_equal(in_sa->state.errors | out_sa->state.errors, 0);
	h.used = mark;
}

static void
test_round_trips(void **state)
{
	static const unsigned int tunnels[] = { 0, 4, 6 };

	(void)state;
	for (unsigned int i = 0; i < NB_SUITES; i++) {
		for (unsigned int t = 0; t < 3; t++) {
			for (unsigned int o = 0; o < 4; o++) {
				uint32_t options = (o & 1 ? ACCEL_HW_IPSEC_ESN : 0) |
						   (o & 2 ? ACCEL_HW_IPSEC_UDP : 0);

				round_trips(ACCEL_HW_KIND_ESP, &suites[i], tunnels[t], options);
				if (suites[i].cipher == ACCEL_HW_CIPHER_NULL &&
				    suites[i].digest != 0)
					round_trips(ACCEL_HW_KIND_AH, &suites[i], tunnels[t],
						    options);
			}
		}
	}
}

/* The outer header (IPS-13). */

/* Sends a packet with these TOS bytes, and returns what went out. */
static uint8_t *
send_with(uint32_t options, unsigned int tunnel, unsigned int version, uint8_t outer_tos,
	  uint8_t inner_tos, uint8_t inner_df)
{
	sa_t *sa = sa_gcm_new(true, tunnel);
	uint8_t *in = packet_new(version, 60), *out = filled(256, 0);

	sa->ipsec.options |= options;
	if (tunnel == 4) {
		sa->ipsec.outer_header[1] = outer_tos;
		sa->ipsec.outer_header[6] = 0x40;
	} else {
		put16(sa->ipsec.outer_header, 0x6000 | outer_tos << 4);
		memcpy(sa->ipsec.outer_header + 2, "\xab\xcd", 2);
	}
	if (version == 4) {
		in[1] = inner_tos;
		in[6] = inner_df;
		ip4_sum(in);
	} else {
		put16(in, 0x6005 | inner_tos << 4);
		memcpy(in + 2, "\x12\x34", 2);
	}
	assert_int_equal(run_sa(sa, in, 60, out, 256).status, ACCEL_HW_OK);
	if (tunnel == 4)
		assert_int_equal(sum16(out, 20, 0), 0xffff);
	return out;
}

static uint8_t
tos_of(const uint8_t *p)
{
	return p[0] >> 4 == 4 ? p[1] : (uint8_t)(be16(p) >> 4);
}

static void
test_outer_header(void **state)
{
	static const unsigned int versions[] = { 4, 6 };
	uint8_t *p;

	(void)state;
	for (unsigned int t = 0; t < 2; t++) {
		for (unsigned int v = 0; v < 2; v++) {
			unsigned int tunnel = versions[t], version = versions[v];

			p = send_with(0, tunnel, version, 0xb8, 0x29, 0);
			assert_int_equal(tos_of(p), 0xb8);
			p = send_with(ACCEL_HW_IPSEC_COPY_DSCP, tunnel, version, 0xb8, 0x29, 0);
			assert_int_equal(tos_of(p), 0x28);
			p = send_with(ACCEL_HW_IPSEC_ECN, tunnel, version, 0xb8, 0x29, 0);
			assert_int_equal(tos_of(p), 0xb9);
			p = send_with(ACCEL_HW_IPSEC_ECN | ACCEL_HW_IPSEC_COPY_DSCP, tunnel,
				      version, 0xb8, 0x2b, 0);
			assert_int_equal(tos_of(p), 0x2b);
		}
	}
	assert_int_equal(send_with(0, 4, 4, 0, 0, 0)[6], 0x40);
	assert_int_equal(send_with(ACCEL_HW_IPSEC_COPY_DF, 4, 4, 0, 0, 0)[6], 0);
	assert_int_equal(send_with(ACCEL_HW_IPSEC_COPY_DF, 4, 4, 0, 0, 0x40)[6], 0x40);
	assert_int_equal(send_with(ACCEL_HW_IPSEC_COPY_DF, 4, 4, 0, 0, 0x20)[6], 0);
	assert_int_equal(send_with(ACCEL_HW_IPSEC_COPY_DF, 4, 6, 0, 0, 0)[6], 0x40);
	p = send_with(ACCEL_HW_IPSEC_COPY_FLABEL, 6, 6, 0, 0, 0);
	assert_memory_equal(p, "\x60\x05\x12\x34", 4);
	p = send_with(0, 6, 6, 0, 0, 0);
	assert_memory_equal(p, "\x60\x00\xab\xcd", 4);
	p = send_with(ACCEL_HW_IPSEC_COPY_FLABEL, 6, 4, 0, 0, 0);
	assert_memory_equal(p, "\x60\x00\xab\xcd", 4);
}

/* An SA without algorithms shows what is inside. */
static sa_t *
sa_plain(bool outbound, unsigned int tunnel, uint32_t options)
{
	sa_t *sa = sa_new(outbound, tunnel);

	sa->common.cipher_alg = ACCEL_HW_CIPHER_NULL;
	sa->common.auth_alg = ACCEL_HW_AUTH_NULL;
	sa->ipsec.options |= options;
	return sa;
}

/* RFC 6040, figure 4; COPY_DSCP takes the outer one. -1: dropped. */
static void
test_inner_tos(void **state)
{
	static const int ecn[4][4] = { /* inner, outer */
		{ 0, 0, 0, -1 }, { 1, 1, 1, 3 }, { 2, 1, 2, 3 }, { 3, 3, 3, 3 },
	};
	const uint32_t options = ACCEL_HW_IPSEC_ECN | ACCEL_HW_IPSEC_COPY_DSCP;

	(void)state;
	for (unsigned int i = 0; i < 64; i++) {
		const unsigned int inner = i & 3, outer = i >> 2 & 3, version = i & 16 ? 6 : 4;
		sa_t *sa = sa_plain(false, 4, i & 32 ? options : ACCEL_HW_IPSEC_ECN);
		sa_t *out_sa = sa_plain(true, 4, 0);
		uint8_t *in = packet_new(version, 60), *sent = filled(128, 0);
		uint8_t *back = filled(128, 0);
		struct accel_hw_response rsp;

		out_sa->ipsec.outer_header[1] = (uint8_t)(0xb8 | outer);
		if (version == 4) {
			in[1] = (uint8_t)(0x28 | inner);
			ip4_sum(in);
		} else {
			put16(in, 0x600f | (0x28 | inner) << 4);
		}
		rsp = run_sa(out_sa, in, 60, sent, 128);
		assert_int_equal(rsp.status, ACCEL_HW_OK);
		rsp = run_sa(sa, sent, rsp.produced, back, 128);
		assert_int_equal(rsp.status, ecn[inner][outer] < 0 ? ACCEL_HW_MALFORMED :
								     ACCEL_HW_OK);
		if (ecn[inner][outer] < 0)
			continue;
		assert_int_equal(tos_of(back), (i & 32 ? 0xb8 : 0x28) | ecn[inner][outer]);
		if (version == 4)
			assert_int_equal(sum16(back, 20, 0), 0xffff);
		else
			assert_int_equal(back[1] & 15, 15);
		assert_memory_equal(back + 2, in + 2, version == 4 ? 8 : 58);
	}
}

/* TTL and checksums outbound, by the context or by the command. */
static void
test_made_checksums(void **state)
{
	static const uint32_t both = ACCEL_HW_IPSEC_IP_CHECKSUM | ACCEL_HW_IPSEC_L4_CHECKSUM;

	(void)state;
	for (unsigned int i = 0; i < 16; i++) {
		const unsigned int version = i & 1 ? 6 : 4, inside = i & 2 ? 28 : 0;
		const bool by_command = (i & 4) != 0, lowered = inside != 0 && (i & 8) != 0;
		sa_t *sa = sa_plain(true, inside != 0 ? 4 : 0, by_command ? 0 : both);
		uint8_t *in = packet_new(version, 71), *want = packet_new(version, 71);
		uint8_t *out = filled(256, 0), *udp = in + (version == 4 ? 20 : 40);
		struct accel_hw_command *cmd = sa_command(sa, 71);
		uint8_t ttl_at = version == 4 ? 8 : 7;

		sa->ipsec.options |= lowered ? ACCEL_HW_IPSEC_DEC_TTL : 0;
		cmd->skip = by_command ? ACCEL_HW_IPSEC_CMD_IP_CHECKSUM |
						 ACCEL_HW_IPSEC_CMD_L4_CHECKSUM : 0;
		memset(udp + 6, 0x5a, 2);
		if (version == 4)
			memset(in + 10, 0x5a, 2);
		if (lowered) {
			want[ttl_at]--;
			if (version == 4)
				ip4_sum(want);
		}
		assert_int_equal(run_command(cmd, in, 71, out, 256).status, ACCEL_HW_OK);
		if (inside != 0)
			assert_memory_equal(out + inside, want, 71);
		else
			assert_memory_equal(out + (version == 4 ? 28 : 48), want + (udp - in),
					    71 - (uint32_t)(udp - in));
	}
}

/*
 * Puts the UDP of @p in, a packet of 60 bytes, after a routing header or after options of IPv4, and
 * returns the bytes of the packet.
 */
static uint32_t
packet_by(uint8_t *in, unsigned int version, const char *hex, const uint8_t *final_to)
{
	const uint32_t address = version == 4 ? 4 : 16, header = version == 4 ? 20 : 40;
	uint8_t more[64], to[16], *at = in + header;
	uint32_t len = from_hex(hex, more);

	packet_at(in, version, 60);
	memcpy(to, at - address, address);
	memcpy(at - address, final_to, address);
	udp_sum(in, version);
	memcpy(at - address, to, address);
	memmove(at + len, at, 60 - header);
	memcpy(at, more, len);
	if (version == 4) {
		in[0] = (uint8_t)(0x45 + len / 4);
		put16(in + 2, 60 + len);
		ip4_sum(in);
	} else {
		in[6] = 43;
		put16(in + 4, 60 + len - 40);
	}
	return 60 + len;
}

#define ADDRESS_A "0a0b0c0d0e0f10111213141516171819"
#define ADDRESS_B "2a2b2c2d2e2f30313233343536373839"

/* The final destination of a route counts for the checksum of UDP (manual IPS-20). */
static void
test_routed_checksums(void **state)
{
	static const struct {
		unsigned int version;
		const char *hex; /* of the routing header, or of options */
		const char *final_to; /* NULL: it is not known */
	} cases[] = {
		{ 6, "1104000200000000" ADDRESS_A ADDRESS_B, ADDRESS_B }, /* type 0 */
		{ 6, "1102020100000000" ADDRESS_A, ADDRESS_A }, /* type 2 */
		{ 6, "1104040101000000" ADDRESS_A ADDRESS_B, ADDRESS_A }, /* type 4 */
		{ 6, "1104040301000000" ADDRESS_A ADDRESS_B, ADDRESS_A }, /* reduced */
		{ 6, "1104040401000000" ADDRESS_A ADDRESS_B, NULL }, /* more than there are */
		{ 6, "1102030100000000" ADDRESS_A, NULL }, /* type 3 is compressed */
		{ 6, "1100040100000000", NULL }, /* no address */
		/* After one of an unknown type, one that says where the packet ends. */
		{ 6, "2b02030100000000" ADDRESS_B "1102020100000000" ADDRESS_A, ADDRESS_A },
		{ 4, "830b04c0a80909c0a8070700", "c0a80707" }, /* loose */
		{ 4, "89070401020304" "00", "01020304" }, /* strict */
		{ 4, "89070801020304" "00", "c0a80202" }, /* done */
		{ 4, "07070401020304" "00", "c0a80202" }, /* not a route */
		{ 4, "890f040102030400", NULL }, /* does not fit */
	};

	(void)state;
	for (unsigned int i = 0; i < 4 * sizeof(cases) / sizeof(cases[0]); i++) {
		const unsigned int n = i / 4, version = cases[n].version;
		const bool known = cases[n].final_to != NULL, tunnel = i % 2 != 0;
		const uint32_t options = i % 4 < 2 ? ACCEL_HW_IPSEC_L4_CHECKSUM : 0;
		sa_t *sa = sa_plain(true, tunnel ? 4 : 0, options);
		uint8_t *in = filled(256, 0), *out = filled(512, 0), *back = filled(512, 0);
		uint8_t final_to[16] = { 0 }, good[2];
		struct accel_hw_response rsp;
		uint32_t len;

		if (known)
			from_hex(cases[n].final_to, final_to);
		len = packet_by(in, version, cases[n].hex, final_to);
		memcpy(good, in + len - (60 - (version == 4 ? 20 : 40)) + 6, 2);
		if (options != 0) /* is made */
			memset(in + len - (60 - (version == 4 ? 20 : 40)) + 6, 0x5a, 2);
		rsp = run_sa(sa, in, len, out, 512);
		if (options != 0 && !known) {
			assert_int_equal(rsp.status, ACCEL_HW_MALFORMED);
			assert_int_equal(sa->state.packets, 0);
			continue;
		}
		assert_int_equal(rsp.status, ACCEL_HW_OK);
		sa = sa_plain(false, tunnel ? 4 : 0, ACCEL_HW_IPSEC_L4_CHECKSUM);
		rsp = run_sa(sa, out, rsp.produced, back, 512);
		assert_int_equal(rsp.status, ACCEL_HW_OK);
		assert_int_equal(rsp.info, known ? 0x2000 : 0);
		assert_int_equal(rsp.produced, len);
		assert_memory_equal(back + len - (60 - (version == 4 ? 20 : 40)) + 6, good, 2);
	}
}

/* UDP with a wrong length, and TCP that is cut, have a checksum that cannot be made. */
static void
test_unmade_checksums(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		sa_t *sa = sa_plain(true, 4, ACCEL_HW_IPSEC_L4_CHECKSUM);
		uint8_t *in = packet_new(4, 36);

		if (i == 1)
			put16(in + 24, 7);
		else if (i == 2)
			put16(in + 24, 17);
		else if (i == 3)
			in[9] = 6; /* 16 of 20 bytes */
		ip4_sum(in);
		assert_int_equal(run_sa(sa, in, 36, filled(256, 0), 256).status,
				 i == 0 ? ACCEL_HW_OK : ACCEL_HW_MALFORMED);
	}
}

/* A jumbogram (RFC 2675) has no length: it is refused in a tunnel both ways. */
static void
test_jumbogram(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		const bool options = (i & 1) != 0, inbound = (i & 2) != 0;
		uint8_t *in = packet_new(6, 72), *out = filled(256, 0);
		struct accel_hw_response rsp;

		put16(in + 4, inbound ? 32 : 0);
		in[6] = options ? 0 : 59;
		memcpy(in + 40, (const uint8_t[]){ 59, 0, 0xc2, 4, 0, 0, 0, 32 }, 8);
		rsp = run_sa(sa_plain(true, 4, 0), in, 72, out, 256);
		if (!inbound) {
			assert_int_equal(rsp.status, options ? ACCEL_HW_MALFORMED : ACCEL_HW_OK);
			continue;
		}
		assert_int_equal(rsp.status, ACCEL_HW_OK);
		put16(out + 28 + 4, 0); /* in clear, and not covered */
		rsp = run_sa(sa_plain(false, 4, 0), out, rsp.produced, in, 256);
		assert_int_equal(rsp.status, options ? ACCEL_HW_MALFORMED : ACCEL_HW_OK);
		assert_int_equal(rsp.produced, options ? 0 : 40);
	}
}

/* Inbound: what `info` says of checksums. */
static void
test_checked_checksums(void **state)
{
	static const struct {
		unsigned int version, at; /* the byte that is wrong; 0: none */
		bool none, fragment, tcp;
		uint16_t info;
	} cases[] = {
		{ 4, 0, false, false, false, 0x2800 },
		{ 4, 11, false, false, false, 0x3800 },
		{ 4, 50, false, false, false, 0x6800 },
		{ 4, 0, true, false, false, 0x0800 }, /* UDP without checksum */
		{ 4, 0, false, true, false, 0x0800 }, /* a fragment */
		{ 6, 0, false, false, false, 0x2000 },
		{ 6, 50, false, false, false, 0x6000 },
		{ 6, 0, true, false, false, 0x6000 }, /* IPv6 asks for one */
		{ 4, 0, false, false, true, 0x6800 }, /* not TCP's checksum */
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		sa_t *out_sa = sa_plain(true, 4, 0);
		sa_t *sa = sa_plain(false, 4, ACCEL_HW_IPSEC_IP_CHECKSUM |
						      ACCEL_HW_IPSEC_L4_CHECKSUM);
		uint8_t *in = packet_new(cases[i].version, 60), *sent = filled(256, 0);
		uint8_t *udp = in + (cases[i].version == 4 ? 20 : 40);
		struct accel_hw_response rsp;

		if (cases[i].none)
			put16(udp + 6, 0);
		if (cases[i].fragment)
			in[6] = 0x20;
		if (cases[i].tcp)
			in[9] = 6;
		if (cases[i].version == 4)
			ip4_sum(in);
		if (cases[i].at != 0)
			in[cases[i].at] ^= 1;
		rsp = run_sa(out_sa, in, 60, sent, 256);
		assert_int_equal(rsp.status, ACCEL_HW_OK);
		rsp = run_sa(sa, sent, rsp.produced, filled(256, 0), 256);
		assert_int_equal(rsp.status, ACCEL_HW_OK);
		assert_int_equal(rsp.info, cases[i].info);
	}
}

/* Places: in place as a driver does it, and results that overlap the source in any way. */
static void
test_in_place(void **state)
{
	sa_t *out_sa = sa_gcm_new(true, 4), *in_sa = sa_peer(out_sa);
	uint8_t *buffer = filled(2048, 0xcc), *want = packet_new(4, 700);
	uint8_t *packet = buffer + 256;
	struct accel_hw_command *cmd;
	struct accel_hw_response rsp;

	(void)state;
	for (unsigned int i = 0; i < 300; i++) {
		const uint32_t len = 60 + draw(600), head = i % 2 == 0 ? 36 : draw(200);
		uint32_t mark = h.used, at;
		uint8_t *result;

		packet_at(want, 4, len);
		packet_at(packet, 4, len);
		rsp = run_sa(out_sa, packet, len, packet - head, len + 80);
		assert_int_equal(rsp.status, ACCEL_HW_OK);
		cmd = sa_command(in_sa, rsp.produced);
		cmd->skip = draw_bool() ? ACCEL_HW_IPSEC_CMD_KEEP_PLACE : 0;
		result = packet - head + (i % 2 == 0 ? 0 : (int)draw(100) - 50);
		rsp = run_command(cmd, packet - head, rsp.produced, result, rsp.produced);
		assert_int_equal(rsp.status, ACCEL_HW_OK);
		at = rsp.info & ACCEL_HW_IPSEC_INFO_OFFSET;
		assert_int_equal(at, cmd->skip != 0 ? 36 : 0);
		assert_int_equal(rsp.produced, len);
		assert_memory_equal(result + at, want, len);
		h.used = mark;
	}
	assert_int_equal(in_sa->state.packets, 300);
}

static struct accel_hw_command *
command_with_iv(const sa_t *sa, uint32_t len)
{
	struct accel_hw_command *cmd = sa_command(sa, len);

	memcpy(cmd->iv, "0123456789abcdef", 16);
	return cmd;
}

/* In place nothing is copied, and the result is the same as elsewhere, byte for byte. */
static void
check_zero_copy(const struct suite *s, unsigned int tunnel, unsigned int version, uint32_t options)
{
	const bool copied = s->auth == ACCEL_HW_AUTH_AES_GMAC &&
			    (options & ACCEL_HW_IPSEC_ESN) != 0;
	const uint32_t len = 40 + 8 + draw(1000);
	const uint32_t head = 8u + s->iv + (tunnel == 4 ? 20 : tunnel == 6 ? 40 : 0);
	sa_t *sa = sa_suite(s, tunnel), *twin = host_alloc(&h, sizeof(*sa), 64), *in_sa;
	uint8_t *buffer = filled(2048, 0xcc), *packet = buffer + 256, *other = filled(2048, 0);
	struct accel_hw_command *cmd;
	struct accel_hw_response rsp;
	uint64_t bounced;

	if ((options & ACCEL_HW_IPSEC_ESN) != 0 && s->digest < 4)
		return;
	sa->ipsec.options |= options | ACCEL_HW_IPSEC_IV_GIVEN;
	if (tunnel != 0)
		sa->ipsec.options |= ACCEL_HW_IPSEC_DEC_TTL | ACCEL_HW_IPSEC_ECN;
	sa->state.sequence = UINT64_C(0x1fffffff0);
	if ((options & ACCEL_HW_IPSEC_ESN) == 0)
		sa->state.sequence = 5;
	*twin = *sa;
	twin->common.generation = ++sa_generation;
	in_sa = sa_peer(sa);
	in_sa->state.sequence = sa->state.sequence;
	packet_at(packet, version, len);
	rsp = run_command(command_with_iv(twin, len), packet, len, other, 2048);
	assert_int_equal(rsp.status, ACCEL_HW_OK);

	bounced = stats().bounced;
	rsp = run_command(command_with_iv(sa, len), packet, len, packet - head, rsp.produced);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_memory_equal(packet - head, other, rsp.produced);
	assert_int_equal(packet[rsp.produced - head], 0xcc);
	assert_int_equal(packet[-1 - (int)head], 0xcc);

	cmd = sa_command(in_sa, rsp.produced);
	cmd->skip = ACCEL_HW_IPSEC_CMD_KEEP_PLACE;
	rsp = run_command(cmd, packet - head, rsp.produced, packet - head, rsp.produced);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.produced, len);
	assert_int_equal(rsp.info, head);
	packet_at(other, version, len);
	if (tunnel != 0) {
		other[version == 4 ? 8 : 7]--;
		if (version == 4)
			ip4_sum(other);
	}
	assert_memory_equal(packet, other, len);
	assert_int_equal(stats().bounced - bounced, copied ? 2 : 0);
}

static void
test_zero_copy(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NB_SUITES; i++) {
		for (unsigned int j = 0; j < 12; j++) {
			uint32_t mark = h.used;

			check_zero_copy(&suites[i], j % 3 == 0 ? 0 : j % 3 == 1 ? 4 : 6,
					j & 4 ? 4 : 6, j >= 6 ? ACCEL_HW_IPSEC_ESN : 0);
			h.used = mark;
		}
	}
}

/* Extension headers and options in transport mode: where ESP and AH go, and the way back. */
static void
check_extensions(bool ah, const char *headers, uint8_t first, uint32_t before, uint16_t status)
{
	sa_t *out_sa = sa_gcm_new(true, 0), *in_sa;
	uint8_t *in = filled(256, 0), *out = filled(512, 0), *back = filled(512, 0), ext[64];
	uint32_t ext_len = from_hex(headers, ext), len = 40 + ext_len + 20;
	struct accel_hw_response rsp;

	if (ah)
		sa_ah_sha1(out_sa);
	in_sa = sa_peer(out_sa);
	packet_at(in, 6, 60);
	memmove(in + 40 + ext_len, in + 40, 20);
	memcpy(in + 40, ext, ext_len);
	put16(in + 4, len - 40);
	in[6] = first;
	rsp = run_sa(out_sa, in, len, out, 512);
	assert_int_equal(rsp.status, status);
	if (status != ACCEL_HW_OK)
		return;
	assert_memory_equal(out + 7, in + 7, 33);
	assert_memory_equal(out + (ah ? 40 + before + 4 : 40 + before), "\x12\x34\xab\xcd", 4);
	out[7]--; /* the hop limit changes on the way */
	rsp = run_sa(in_sa, out, rsp.produced, back, 512);
	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.produced, len);
	in[7]--;
	assert_memory_equal(back, in, len);
}

static void
test_extension_headers(void **state)
{
	(void)state;
	for (unsigned int ah = 0; ah < 2; ah++) {
		/* hop-by-hop options; with an option that may change (0x3e) */
		check_extensions(ah, "1100010400000000", 0, 8, ACCEL_HW_OK);
		check_extensions(ah, "11003e04deadbeef", 0, 8, ACCEL_HW_OK);
		/* a routing header that is done */
		check_extensions(ah, "1100000000000000", 43, 8, ACCEL_HW_OK);
		/* destination options: behind, or before a routing header in front */
		check_extensions(ah, "1100010400000000", 60, 0, ACCEL_HW_OK);
		check_extensions(ah, "2b000104000000001100000000000000", 60, 16, ACCEL_HW_OK);
		/* segments are left */
		check_extensions(ah, "1100000100000000", 43, 8,
				 ah ? ACCEL_HW_MALFORMED : ACCEL_HW_OK);
		/* fragments, a header that is too long, options that are */
		check_extensions(ah, "1100000000000000", 44, 0, ACCEL_HW_MALFORMED);
		check_extensions(ah, "2c000104000000001100000000000000", 0, 0, ACCEL_HW_MALFORMED);
		check_extensions(ah, "1105010400000000", 0, 0, ACCEL_HW_MALFORMED);
		check_extensions(ah, "1100010500000000", 0, 8,
				 ah ? ACCEL_HW_MALFORMED : ACCEL_HW_OK);
	}
}

/* AH and IPv4 options (RFC 4302, appendix A): a router may change some, and not others. */
static void
test_ah_options(void **state)
{
	static const struct {
		const char *options;
		unsigned int at; /* the byte that changes on the way */
		uint16_t status;
	} cases[] = {
		{ "010101018307080000000000", 0, ACCEL_HW_OK }, /* loose route, done */
		{ "830704c0a8020700000000ff", 0, ACCEL_HW_OK }, /* and one that is not */
		{ "070b04000000000000000000", 5, ACCEL_HW_OK }, /* record route */
		{ "440c05000000000000000000", 7, ACCEL_HW_OK }, /* time stamp */
		{ "940400000000000000000000", 2, ACCEL_HW_AUTH_FAILED }, /* router alert */
		{ "820c00000000000000000000", 5, ACCEL_HW_AUTH_FAILED }, /* security */
		{ "ff0c00000000000000000000", 5, ACCEL_HW_OK }, /* unknown */
		{ "070d04000000000000000000", 0, ACCEL_HW_MALFORMED },
		{ "070104000000000000000000", 0, ACCEL_HW_MALFORMED },
		{ "0101010101010101010101ff", 0, ACCEL_HW_MALFORMED },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		sa_t *out_sa = sa_new(true, 0), *in_sa;
		uint8_t *in = packet_new(4, 92), *out = filled(256, 0), *back = filled(256, 0);
		struct accel_hw_response rsp;

		sa_ah_sha1(out_sa);
		in_sa = sa_peer(out_sa);
		in[0] = 0x48;
		from_hex(cases[i].options, in + 20);
		ip4_sum(in);
		rsp = run_sa(out_sa, in, 92, out, 256);
		assert_int_equal(rsp.status, cases[i].status == ACCEL_HW_MALFORMED ?
						     ACCEL_HW_MALFORMED : ACCEL_HW_OK);
		if (rsp.status != ACCEL_HW_OK)
			continue;
		if (cases[i].at != 0)
			in[20 + cases[i].at] = out[20 + cases[i].at] = 0x77;
		if (in[20] == 0x83) { /* the last hop */
			in[19] = out[19] = 7;
			in[22] = out[22] = 8;
		}
		in[1] = out[1] = 0x2e;
		in[8] = out[8] = 7;
		ip4_sum(in);
		rsp = run_sa(in_sa, out, rsp.produced, back, 256);
		assert_int_equal(rsp.status, cases[i].status);
		if (rsp.status == ACCEL_HW_OK)
			assert_memory_equal(back, in, 92);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_known_packets),
		TEST(test_round_trips),
		TEST(test_outer_header),
		TEST(test_inner_tos),
		TEST(test_made_checksums),
		TEST(test_routed_checksums),
		TEST(test_unmade_checksums),
		TEST(test_jumbogram),
		TEST(test_checked_checksums),
		TEST(test_in_place),
		TEST(test_zero_copy),
		TEST(test_extension_headers),
		TEST(test_ah_options),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
