/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Bad input for IPsec on the model (manual 8.6): contexts, commands and packets that are refused,
 * each with its status; packets of every length, rubbish; cards that do not have or may not use it.
 */
#include "model_op/model_ipsec.h"

#define ROOM 2048u

static int
setup(void **state)
{
	(void)state;
	card_open_small(ACCEL_MODEL_ENGINE_AUTO, 256, 64);
	return 0;
}

/* A packet on its way: made by an outbound SA from an inner one of `len` bytes. */
static uint8_t *
protected_packet(sa_t *out_sa, unsigned int version, uint32_t len, uint32_t *sent)
{
	uint8_t *to = filled(ROOM, 0);
	struct accel_hw_response rsp = run_sa(out_sa, packet_new(version, len), len, to, ROOM);

	assert_int_equal(rsp.status, ACCEL_HW_OK);
	*sent = rsp.produced;
	return to;
}

/* Expects a status, an untouched result, and one more error of the SA if it was reached. */
static void
expect_refused(sa_t *sa, const struct accel_hw_command *cmd, const uint8_t *in, uint32_t len,
	       uint16_t status, bool reached)
{
	uint32_t mark = h.used;
	uint8_t *out = filled(ROOM, 0xcc);
	uint64_t errors = sa->state.errors;

	assert_int_equal(run_command(cmd, in, len, out, ROOM).status, status);
	assert_true(is_all(out, 0xcc, ROOM));
	assert_int_equal(sa->state.errors, errors + reached);
	h.used = mark;
}

/* Contexts. */

struct change {
	uint16_t at; /* offset in the context */
	uint8_t size;
	uint64_t value;
	uint8_t which; /* the SAs below for which the context is refused then */
};

#define OUT_TUNNEL 0x01u
#define OUT_TRANSPORT 0x02u
#define IN_TUNNEL 0x04u
#define IN_TRANSPORT 0x08u
#define OUT (OUT_TUNNEL | OUT_TRANSPORT)
#define IN (IN_TUNNEL | IN_TRANSPORT)
#define TUNNELS (OUT_TUNNEL | IN_TUNNEL)
#define TRANSPORTS (OUT_TRANSPORT | IN_TRANSPORT)
#define ALL (OUT | IN)
#define COMMON(f) offsetof(sa_t, common.f), sizeof(((sa_t *)NULL)->common.f)
#define IPSEC(f) offsetof(sa_t, ipsec.f), sizeof(((sa_t *)NULL)->ipsec.f)
#define OUTER(i) offsetof(sa_t, ipsec.outer_header) + (i), 1

static const struct change changes[] = {
	{ COMMON(version), 2, ALL },
	{ COMMON(kind), 10, ALL },
	{ COMMON(flags), ACCEL_HW_CTX_VERIFY, ALL },
	{ COMMON(flags), 4, ALL },
	{ COMMON(reserved), 1, ALL },
	{ COMMON(cipher_alg), ACCEL_HW_AEAD_SM4_GCM, ALL },
	{ COMMON(cipher_alg), ACCEL_HW_CIPHER_AES_CBC, ALL }, /* without authentication */
	{ COMMON(cipher_alg), 0, ALL },
	{ COMMON(cipher_key_len), 17, ALL },
	{ COMMON(auth_alg), ACCEL_HW_AUTH_NULL, ALL },
	{ COMMON(auth_alg), ACCEL_HW_AUTH_SHA1_HMAC, ALL },
	{ COMMON(auth_key_len), 1, ALL },
	{ COMMON(iv_len), 12, ALL },
	{ COMMON(iv_len), 0, ALL },
	{ COMMON(auth_iv_len), 8, ALL },
	{ COMMON(digest_len), 0, ALL },
	{ COMMON(digest_len), 17, ALL },
	{ COMMON(data_unit_len), 16, ALL },
	{ COMMON(pdcp_sn_len), 5, ALL },
	{ IPSEC(reserved), 1, ALL },
	{ IPSEC(reserved2), 1, ALL },
	{ offsetof(sa_t, ipsec.reserved3) + 23, 1, 1, ALL },
	{ IPSEC(replay_window), 1, OUT },
	{ IPSEC(replay_window), 4097, ALL },
	{ IPSEC(replay_window), 4096, OUT },
	{ IPSEC(udp_source), 1, ALL },
	{ IPSEC(udp_destination), 1, ALL },
	{ IPSEC(packets_hard), 1, 0 },
	{ OUTER(0), 0x46, ALL }, /* also another version */
	{ OUTER(0), 0x65, ALL },
	{ OUTER(1), 0xff, TRANSPORTS },
	{ OUTER(2), 1, ALL }, /* total length */
	{ OUTER(3), 1, ALL },
	{ OUTER(4), 1, ALL }, /* identification */
	{ OUTER(6), 0x20, ALL }, /* more fragments */
	{ OUTER(6), 0x80, ALL },
	{ OUTER(6), 0x40, TRANSPORTS }, /* DF */
	{ OUTER(7), 1, ALL },
	{ OUTER(8), 0, 0 },
	{ OUTER(9), 50, ALL },
	{ OUTER(11), 1, ALL },
	{ OUTER(12), 1, TRANSPORTS },
	{ OUTER(20), 1, ALL },
	{ OUTER(39), 1, ALL },
};

static sa_t *
sa_which(uint8_t which)
{
	return sa_gcm_new((which & OUT) != 0, (which & TUNNELS) != 0 ? 4 : 0);
}

/* Tells whether the context is refused; the packet is too short for any that is not. */
static bool
refused(sa_t *sa)
{
	uint8_t *in = filled(8, 0);
	uint16_t status = run_sa(sa, in, 8, filled(ROOM, 0), ROOM).status;

	assert_true(status == ACCEL_HW_BAD_CONTEXT || status == ACCEL_HW_MALFORMED);
	assert_int_equal(sa->state.errors, status == ACCEL_HW_MALFORMED);
	return status == ACCEL_HW_BAD_CONTEXT;
}

static void
test_contexts(void **state)
{
	(void)state;
	for (uint8_t which = 1; which < ALL; which = (uint8_t)(which << 1)) {
		assert_false(refused(sa_which(which)));
		for (unsigned int i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
			uint32_t mark = h.used;
			sa_t *sa = sa_which(which);

			memcpy((uint8_t *)sa + changes[i].at, &changes[i].value, changes[i].size);
			if (changes[i].at == offsetof(sa_t, common.flags))
				sa->common.flags |= (which & OUT) != 0;
			assert_int_equal(refused(sa), (changes[i].which & which) != 0);
			h.used = mark;
		}
	}
}

/* Each option in each direction and mode (the table of options). */
static void
test_options(void **state)
{
	static const uint8_t allowed[16] = {
		[0] = TUNNELS,	    [1] = TUNNELS,    [2] = ALL,	[3] = ALL,
		[4] = IN,	    [5] = OUT_TUNNEL, [6] = TUNNELS,	[7] = OUT_TUNNEL,
		[8] = TUNNELS,	    [9] = OUT_TUNNEL, [10] = ALL,	[11] = ALL,
		[12] = OUT,	    [13] = IN_TUNNEL, [14] = IN_TUNNEL, [15] = 0,
	};

	(void)state;
	for (uint8_t which = 1; which < ALL; which = (uint8_t)(which << 1)) {
		for (unsigned int bit = 1; bit < 16; bit++) {
			uint32_t mark = h.used;
			sa_t *sa = bit == 1 && (which & TUNNELS) != 0 ?
					   sa_gcm_new((which & OUT) != 0, 6) :
					   sa_which(which);

			sa->ipsec.options |= 1u << bit;
			if (bit == 4) { /* only with UDP */
				assert_true(refused(sa));
				sa = sa_which(which);
				sa->ipsec.options |= ACCEL_HW_IPSEC_UDP | 1u << bit;
			}
			assert_int_equal(refused(sa), (allowed[bit] & which) == 0);
			h.used = mark;
		}
	}
}

static sa_t *
sa_algs(uint8_t kind, uint16_t cipher, uint16_t key, uint8_t iv, uint16_t auth, uint16_t auth_key)
{
	sa_t *sa = sa_new(false, 4);

	sa->common.kind = kind;
	sa->common.cipher_alg = cipher;
	sa->common.cipher_key_len = key;
	sa->common.iv_len = iv;
	sa->common.auth_alg = auth;
	sa->common.auth_key_len = auth_key;
	sa->common.digest_len = auth > ACCEL_HW_AUTH_NULL ? 12 : cipher > 64 ? 16 : 0;
	return sa;
}

/* Algorithms that do not go together (IPS-2). */
static void
test_algorithms(void **state)
{
	static const struct {
		uint8_t kind, iv;
		uint16_t cipher, key, auth, auth_key;
		bool ok;
	} cases[] = {
		{ 8, 16, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20, true },
		{ 8, 8, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20, false },
		{ 8, 8, ACCEL_HW_CIPHER_AES_CTR, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20, true },
		{ 8, 16, ACCEL_HW_CIPHER_AES_CTR, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20, false },
		{ 8, 16, ACCEL_HW_CIPHER_AES_CBC, 16, 0, 0, false },
		{ 8, 16, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_NULL, 0, true },
		{ 8, 16, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_NULL, 1, false },
		{ 8, 0, ACCEL_HW_CIPHER_NULL, 0, ACCEL_HW_AUTH_NULL, 0, true },
		{ 8, 0, ACCEL_HW_CIPHER_NULL, 1, ACCEL_HW_AUTH_NULL, 0, false },
		{ 8, 8, ACCEL_HW_CIPHER_NULL, 0, ACCEL_HW_AUTH_AES_GMAC, 16, true },
		{ 8, 0, ACCEL_HW_CIPHER_NULL, 0, ACCEL_HW_AUTH_AES_GMAC, 16, false },
		{ 8, 16, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_AES_GMAC, 16, false },
		{ 8, 8, ACCEL_HW_AEAD_AES_GCM, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20, false },
		{ 8, 16, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_SHA1, 0, false },
		{ 8, 0, ACCEL_HW_CIPHER_AES_ECB, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20, false },
		{ 9, 0, 0, 0, ACCEL_HW_AUTH_SHA1_HMAC, 20, true },
		{ 9, 0, ACCEL_HW_CIPHER_NULL, 0, ACCEL_HW_AUTH_SHA1_HMAC, 20, false },
		{ 9, 0, 0, 0, ACCEL_HW_AUTH_NULL, 0, false },
		{ 9, 0, 0, 0, 0, 0, false },
		{ 9, 8, 0, 0, ACCEL_HW_AUTH_AES_GMAC, 16, true },
		{ 9, 8, ACCEL_HW_AEAD_AES_GCM, 16, 0, 0, false },
	};
	sa_t *sa;

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(refused(sa_algs(cases[i].kind, cases[i].cipher, cases[i].key,
						 cases[i].iv, cases[i].auth, cases[i].auth_key)),
				 !cases[i].ok);
	sa = sa_algs(9, 0, 0, 0, ACCEL_HW_AUTH_SHA1_HMAC, 20);
	sa->ipsec.options |= ACCEL_HW_IPSEC_UDP;
	assert_true(refused(sa));
	sa = sa_algs(8, ACCEL_HW_AEAD_AES_CCM, 16, 8, 0, 0);
	assert_false(refused(sa));
	sa = sa_algs(8, ACCEL_HW_AEAD_AES_CCM, 16, 8, 0, 0);
	sa->ipsec.salt[3] = 1;
	assert_true(refused(sa));
}

/* Commands. */

static void
test_commands(void **state)
{
	sa_t *out_sa = sa_gcm_new(true, 4), *in_sa = sa_peer(out_sa), *sa;
	uint8_t *in = packet_new(4, 60), *out = filled(ROOM, 0xcc);
	struct accel_hw_command *cmd;

	(void)state;
	for (unsigned int outbound = 0; outbound < 2; outbound++) {
		sa = outbound ? out_sa : in_sa;
		for (unsigned int bit = 1; bit < 8; bit++) {
			cmd = sa_command(sa, 60);
			cmd->flags = (uint8_t)(1u << bit);
			if (cmd->flags == ACCEL_HW_CMD_DIGEST_IN_STREAM)
				cmd->flags |= ACCEL_HW_CMD_WHOLE;
			expect_refused(sa, cmd, in, 60, ACCEL_HW_BAD_COMMAND, false);
		}
		for (unsigned int bit = 0; bit < 32; bit++) {
			cmd = sa_command(sa, 61); /* it comes before the length */
			cmd->skip = 1u << bit;
			expect_refused(sa, cmd, in, 60,
				       (outbound ? bit < 2 : bit == 2) ? ACCEL_HW_BAD_LENGTH :
									 ACCEL_HW_BAD_COMMAND,
				       false);
		}
		cmd = sa_command(sa, 60);
		cmd->auth_len = 1;
		expect_refused(sa, cmd, in, 60, ACCEL_HW_BAD_COMMAND, false);
		cmd = sa_command(sa, 60);
		cmd->aad_len = 1;
		expect_refused(sa, cmd, in, 60, ACCEL_HW_BAD_COMMAND, false);
		expect_refused(sa, sa_command(sa, 59), in, 60, ACCEL_HW_BAD_LENGTH, false);
		expect_refused(sa, sa_command(sa, UINT32_MAX), in, 60, ACCEL_HW_BAD_LENGTH, false);
		/* 20 + 8 + 8 + 64 + 16 bytes come out. */
		assert_int_equal(run_sa(sa, in, 60, out, outbound ? 115 : 59).status,
				 ACCEL_HW_OUTPUT_TOO_SMALL);
		assert_true(is_all(out, 0xcc, ROOM));
	}
	assert_int_equal(run_sa(out_sa, in, 60, out, 116).status, ACCEL_HW_OK);
	assert_int_equal(out_sa->state.errors | in_sa->state.errors, 0);
	cmd = sa_command(out_sa, 60);
	cmd->flags = ACCEL_HW_CMD_NO_RX;
	q_post(q, cmd, in, 60, NULL, 0);
	q_ring(q);
	assert_int_equal(q_response(q).status, ACCEL_HW_OUTPUT_TOO_SMALL);
}

/* Packets. */

/* A change of one byte, the flip of bits, and the status that follows. */
struct flip {
	uint32_t at;
	uint8_t bits;
	uint16_t status;
};

/* What an inbound packet may have: tunnel 4 in 4, UDP, ports and addresses verified. */
static void
test_inbound_flips(void **state)
{
	static const struct flip flips[] = {
		{ 0, 0x10, ACCEL_HW_MALFORMED }, /* version 5 */
		{ 0, 0x20, ACCEL_HW_MALFORMED }, /* version 6: length */
		{ 0, 0x01, ACCEL_HW_MALFORMED }, /* header of 16 bytes */
		{ 2, 0x01, ACCEL_HW_MALFORMED }, /* total length */
		{ 6, 0x20, ACCEL_HW_MALFORMED }, /* more fragments */
		{ 7, 0x01, ACCEL_HW_MALFORMED }, /* offset of a fragment */
		{ 9, 0x01, ACCEL_HW_MISMATCH }, /* protocol */
		{ 15, 0x01, ACCEL_HW_MISMATCH }, /* source */
		{ 19, 0x01, ACCEL_HW_MISMATCH }, /* destination */
		{ 21, 0x01, ACCEL_HW_MISMATCH }, /* ports */
		{ 23, 0x01, ACCEL_HW_MISMATCH },
		{ 25, 0x01, ACCEL_HW_MISMATCH }, /* length of UDP */
		{ 28, 0x01, ACCEL_HW_MISMATCH }, /* SPI */
		{ 31, 0x80, ACCEL_HW_MISMATCH },
		{ 35, 0x01, ACCEL_HW_REPLAY }, /* number 0 */
		{ 34, 0x01, ACCEL_HW_AUTH_FAILED }, /* another number */
		{ 36, 0x01, ACCEL_HW_AUTH_FAILED }, /* IV */
		{ 44, 0x01, ACCEL_HW_AUTH_FAILED },
		{ 44 + 63, 0x01, ACCEL_HW_AUTH_FAILED }, /* ICV */
	};
	sa_t *out_sa = sa_gcm_new(true, 4), *in_sa;
	uint8_t *packet;
	uint32_t len;

	(void)state;
	out_sa->ipsec.options |= ACCEL_HW_IPSEC_UDP;
	out_sa->ipsec.udp_source = 4500;
	out_sa->ipsec.udp_destination = 4500;
	in_sa = sa_peer(out_sa);
	in_sa->ipsec.replay_window = 64;
	in_sa->ipsec.options |= ACCEL_HW_IPSEC_UDP_VERIFY | ACCEL_HW_IPSEC_VERIFY_DST |
				ACCEL_HW_IPSEC_VERIFY_SRC;
	packet = protected_packet(out_sa, 4, 46, &len);
	for (unsigned int i = 0; i < sizeof(flips) / sizeof(flips[0]); i++) {
		struct accel_hw_response rsp;

		packet[flips[i].at] ^= flips[i].bits;
		rsp = run_sa(in_sa, packet, len, filled(ROOM, 0), ROOM);
		packet[flips[i].at] ^= flips[i].bits;
		assert_int_equal(rsp.status, flips[i].status);
		assert_int_equal(in_sa->state.errors, i + 1);
	}
	assert_int_equal(in_sa->state.auth_errors, 4);
	assert_int_equal(in_sa->state.replay_errors, 1);
	assert_int_equal(in_sa->state.sequence | in_sa->state.packets, 0);
	assert_int_equal(run_sa(in_sa, packet, len, filled(ROOM, 0), ROOM).status, ACCEL_HW_OK);
	assert_int_equal(run_sa(in_sa, packet, len, filled(ROOM, 0), ROOM).status,
			 ACCEL_HW_REPLAY);
}

/* Outbound: an inner packet that is none. Transport mode also refuses fragments. */
static void
test_outbound_flips(void **state)
{
	static const struct flip flips[] = {
		{ 0, 0x10, ACCEL_HW_MALFORMED },
		{ 0, 0x05, ACCEL_HW_MALFORMED },
		{ 2, 0x01, ACCEL_HW_MALFORMED },
		{ 6, 0x20, ACCEL_HW_OK },
		{ 7, 0x01, ACCEL_HW_OK },
		{ 8, 33, ACCEL_HW_MALFORMED }, /* TTL 0 */
		{ 8, 32, ACCEL_HW_MALFORMED }, /* TTL 1 */
		{ 8, 35, ACCEL_HW_OK }, /* TTL 2 */
		{ 9, 0xff, ACCEL_HW_OK },
	};
	uint8_t *in = packet_new(4, 60);

	(void)state;
	for (unsigned int tunnel = 0; tunnel <= 4; tunnel += 4) {
		sa_t *sa = sa_gcm_new(true, tunnel);
		uint64_t ok = 0;

		if (tunnel != 0)
			sa->ipsec.options |= ACCEL_HW_IPSEC_DEC_TTL;
		for (unsigned int i = 0; i < sizeof(flips) / sizeof(flips[0]); i++) {
			uint16_t want = flips[i].status;

			if (tunnel == 0 && flips[i].at == 8)
				want = ACCEL_HW_OK;
			if (tunnel == 0 && (flips[i].at == 6 || flips[i].at == 7))
				want = ACCEL_HW_MALFORMED;
			in[flips[i].at] ^= flips[i].bits;
			assert_int_equal(run_sa(sa, in, 60, filled(ROOM, 0), ROOM).status, want);
			in[flips[i].at] ^= flips[i].bits;
			ok += want == ACCEL_HW_OK;
		}
		assert_int_equal(sa->state.sequence, ok);
		assert_int_equal(sa->state.errors, sizeof(flips) / sizeof(flips[0]) - ok);
	}
}

/* Every shorter form of a packet, both ways, in ESP and AH. Without the bytes that the header
 * tells of it is malformed; with a header that tells the truth its ICV or its room is wrong. */
static void
check_truncated(bool ah, unsigned int tunnel)
{
	sa_t *out_sa = sa_new(true, tunnel), *in_sa;
	uint32_t len, room;
	uint8_t *packet;

	if (ah)
		sa_ah_sha1(out_sa);
	else
		sa_cbc_sha1(out_sa);
	in_sa = sa_peer(out_sa);
	packet = protected_packet(out_sa, 4, 60, &len);
	room = tunnel == 6 ? 4 : 2; /* where the length is */
	for (uint32_t n = 1; n < len; n++) {
		const uint16_t was = be16(packet + room);
		uint32_t mark = h.used;
		uint16_t status;

		expect_refused(in_sa, sa_command(in_sa, n), packet, n, ACCEL_HW_MALFORMED, true);
		if (n >= 40 || (tunnel != 6 && n >= 20)) {
			put16(packet + room, tunnel == 6 ? n - 40 : n);
			status = run_sa(in_sa, packet, n, filled(ROOM, 0), ROOM).status;
			assert_true(status == ACCEL_HW_MALFORMED || status == ACCEL_HW_AUTH_FAILED);
			put16(packet + room, was);
		}
		h.used = mark;
	}
	assert_int_equal(in_sa->state.packets, 0);
	packet = packet_new(tunnel == 6 ? 6 : 4, 60);
	for (uint32_t n = 1; n < 60; n++)
		expect_refused(out_sa, sa_command(out_sa, n), packet, n, ACCEL_HW_MALFORMED, true);
	assert_int_equal(out_sa->state.packets, 1);
}

static void
test_truncated(void **state)
{
	(void)state;
	for (unsigned int tunnel = 0; tunnel <= 6; tunnel += tunnel == 0 ? 4 : 2) {
		check_truncated(false, tunnel);
		check_truncated(true, tunnel);
	}
}

/* What is wrong inside, behind a right ICV: made without algorithms. */
static void
test_inside(void **state)
{
	static const struct {
		unsigned int tunnel;
		int at; /* from the end of the text if negative */
		uint8_t value;
		uint16_t status;
	} cases[] = {
		{ 4, -2, 29, ACCEL_HW_MALFORMED }, /* pad length */
		{ 0, -2, 29, ACCEL_HW_MALFORMED },
		{ 0, -2, 28, ACCEL_HW_OK },
		{ 4, -1, 59, ACCEL_HW_DUMMY },
		{ 0, -1, 59, ACCEL_HW_DUMMY },
		{ 4, -1, 41, ACCEL_HW_MALFORMED }, /* next header: another version */
		{ 4, -1, 17, ACCEL_HW_MALFORMED },
		{ 0, -1, 17, ACCEL_HW_OK },
		{ 4, 0, 0x65, ACCEL_HW_MALFORMED },
		{ 4, 0, 0x44, ACCEL_HW_MALFORMED },
		{ 4, 0, 0x48, ACCEL_HW_MALFORMED }, /* a header longer than the packet */
		{ 4, 3, 29, ACCEL_HW_MALFORMED },
		{ 4, 3, 27, ACCEL_HW_OK },
		{ 4, 3, 19, ACCEL_HW_MALFORMED },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		sa_t *sa = sa_new(false, cases[i].tunnel);
		uint8_t *p = packet_new(4, 58), *text = p + 28;
		uint16_t status;

		sa->common.cipher_alg = ACCEL_HW_CIPHER_NULL;
		sa->common.auth_alg = ACCEL_HW_AUTH_NULL;
		p[9] = 50;
		put16(p + 20, SPI >> 16);
		put16(p + 22, SPI & 0xffff);
		packet_at(text, 4, 28);
		text[28] = 0;
		text[29] = cases[i].tunnel != 0 ? 4 : 99;
		text[cases[i].at < 0 ? 30 + cases[i].at : cases[i].at] = cases[i].value;
		status = run_sa(sa, p, 58, filled(ROOM, 0), ROOM).status;
		assert_int_equal(status, cases[i].status);
		assert_int_equal(sa->state.packets, status == ACCEL_HW_OK);
	}
}

/* Rubbish. */

static void
random_sa(sa_t *sa)
{
	static const uint32_t options[] = { ACCEL_HW_IPSEC_ESN, ACCEL_HW_IPSEC_IP_CHECKSUM,
					    ACCEL_HW_IPSEC_L4_CHECKSUM };

	if (draw_bool())
		sa_gcm(sa);
	else if (draw_bool())
		sa_cbc_sha1(sa);
	else
		sa->common.cipher_alg = ACCEL_HW_CIPHER_NULL;
	if (sa->common.cipher_alg == ACCEL_HW_CIPHER_NULL)
		sa->common.auth_alg = ACCEL_HW_AUTH_NULL;
	if (sa->common.auth_alg == ACCEL_HW_AUTH_SHA1_HMAC && draw_bool())
		sa_ah_sha1(sa);
	for (unsigned int i = 0; i < 3; i++)
		sa->ipsec.options |= draw_bool() ? options[i] : 0;
	if (sa->common.kind == ACCEL_HW_KIND_ESP && draw_bool())
		sa->ipsec.options |= ACCEL_HW_IPSEC_UDP;
	if ((sa->ipsec.options & ACCEL_HW_IPSEC_TUNNEL) != 0 && draw_bool())
		sa->ipsec.options |= ACCEL_HW_IPSEC_ECN | ACCEL_HW_IPSEC_COPY_DSCP;
}

/* Rubbish that looks like a packet more or less, in both directions: any status, and nothing is
 * written outside the result. */
static void
test_rubbish(void **state)
{
	static const unsigned int versions[] = { 0, 4, 6 };
	static const uint8_t next[] = { 0, 4, 6, 17, 41, 43, 44, 50, 51, 59, 60 };
	unsigned int count[ACCEL_HW_STATUS_NB] = { 0 };

	(void)state;
	for (unsigned int round = 0; round < 6000; round++) {
		const bool outbound = draw_bool();
		uint32_t mark = h.used, len = 1 + draw(200), room = len + 200;
		sa_t *sa = sa_new(outbound, versions[draw(3)]);
		uint8_t *in = filled(len, 0), *out = filled(room + 64, 0xcc);
		struct accel_hw_response rsp;
		const bool v6 = draw_bool();

		random_sa(sa);
		draw_bytes(in, len);
		in[0] = (uint8_t)(v6 ? 0x60 : 0x45 + draw(3));
		if (len > 40) {
			put16(in + (v6 ? 4 : 2), len - (v6 ? 40 : 0) - draw(3));
			in[v6 ? 6 : 9] = next[draw(sizeof(next))];
			if (!v6)
				put16(in + 6, 0);
			in[40] = next[draw(sizeof(next))];
			in[41] = (uint8_t)draw(4);
			put16(in + 20 + draw(40), SPI >> 16);
			if (draw_bool()) {
				memcpy(in + (v6 ? 40 : 20), "\x12\x34\xab\xcd", 4);
				in[v6 ? 6 : 9] = 50;
			}
		}
		rsp = run_sa(sa, in, len, out, room);
		assert_true(rsp.status < ACCEL_HW_STATUS_NB);
		assert_true(is_all(out + room, 0xcc, 64));
		if (rsp.status == ACCEL_HW_OK)
			assert_true(rsp.produced <= room);
		count[rsp.status]++;
		h.used = mark;
	}
	assert_int_equal(count[ACCEL_HW_DMA_FAULT] + count[ACCEL_HW_ENGINE_ERROR] +
				 count[ACCEL_HW_BAD_CONTEXT], 0);
	assert_true(count[ACCEL_HW_OK] > 100 && count[ACCEL_HW_MALFORMED] > 100 &&
		    count[ACCEL_HW_MISMATCH] > 100 && count[ACCEL_HW_AUTH_FAILED] > 10);
}

/* Cards that do not have it. */

static int
node_of(const char *compatible)
{
	return fdt_node_offset_by_compatible(h.bar + rd32(&h.id->dt_offset), -1, compatible);
}

static void
test_older_contract(void **state)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_AUTO,
		.contract = ACCEL_MODEL_CONTRACT_1_2,
	};
	uint8_t *in;

	(void)state;
	card_open(&config, 64, 64);
	assert_true(node_of(ACCEL_HW_DT_ESP) < 0 && node_of(ACCEL_HW_DT_AH) < 0);
	assert_int_equal(accel_model_algorithm(h.model, "esp"), 0);
	in = packet_new(4, 60);
	assert_int_equal(run_sa(sa_gcm_new(true, 4), in, 60, filled(ROOM, 0), ROOM).status,
			 ACCEL_HW_BAD_CONTEXT);
	host_close(&h);
}

static void
test_tree(void **state)
{
	const void *fdt = h.bar + rd32(&h.id->dt_offset);
	const fdt32_t *cell;
	int len;

	(void)state;
	assert_int_equal(accel_model_algorithm(h.model, "esp"), ACCEL_HW_PROTO_ESP);
	assert_int_equal(accel_model_algorithm(h.model, "ah"), ACCEL_HW_PROTO_AH);
	cell = fdt_getprop(fdt, node_of(ACCEL_HW_DT_ESP), ACCEL_HW_DT_OPTIONS, &len);
	assert_true(len == 4 && fdt32_to_cpu(*cell) == ACCEL_HW_IPSEC_OPTIONS);
	cell = fdt_getprop(fdt, node_of(ACCEL_HW_DT_AH), ACCEL_HW_DT_OPTIONS, &len);
	assert_true(len == 4 && (fdt32_to_cpu(*cell) & ACCEL_HW_IPSEC_UDP) == 0);
	cell = fdt_getprop(fdt, node_of(ACCEL_HW_DT_ESP), ACCEL_HW_DT_REPLAY_WINDOW_MAX, &len);
	assert_true(len == 4 && fdt32_to_cpu(*cell) == 4096);
	assert_non_null(fdt_getprop(fdt, node_of(ACCEL_HW_DT_ESP), ACCEL_HW_DT_AEADS, &len));
	assert_int_equal(len, 12);
	assert_null(fdt_getprop(fdt, node_of(ACCEL_HW_DT_AH), ACCEL_HW_DT_CIPHERS, &len));
	assert_non_null(fdt_getprop(fdt, node_of(ACCEL_HW_DT_AH), ACCEL_HW_DT_TRANSPORT, &len));
	assert_non_null(fdt_getprop(fdt, node_of(ACCEL_HW_DT_AH), ACCEL_HW_DT_OVERLAP, &len));
}

/* A VF to which the protocol, or an algorithm of it, is not granted (manual 4.5). */
static void
test_not_granted(void **state)
{
	const struct accel_model_config config = {
		.nb_functions = 2,
		.nb_queue_pairs = 2,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_AUTO,
	};
	struct accel_hw_vf_resources *entry;
	struct host pf;
	const void *fdt;
	uint8_t *in;
	int node;

	(void)state;
	host_open(&pf, &config);
	host_attach(&h, pf.model, 1);
	fdt = pf.bar + rd32(&pf.id->dt_offset);
	node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_VF_TABLE);
	entry = (void *)(pf.bar + host_reg(fdt, node, 0));
	entry->nb_queue_pairs = 1;
	memset(entry->algorithms, 0xff, sizeof(entry->algorithms));
	entry->algorithms[ACCEL_HW_PROTO_AH / 64] &= ~(UINT64_C(1) << ACCEL_HW_PROTO_AH % 64);
	entry->algorithms[ACCEL_HW_AEAD_AES_GCM / 64] &=
		~(UINT64_C(1) << ACCEL_HW_AEAD_AES_GCM % 64);
	wr32(&entry->sequence, 1);
	host_reset(&h);
	host_find_pages(&h);
	assert_true(node_of(ACCEL_HW_DT_AH) < 0);
	fdt = h.bar + rd32(&h.id->dt_offset);
	assert_non_null(fdt_getprop(fdt, node_of(ACCEL_HW_DT_ESP), ACCEL_HW_DT_AEADS, &node));
	assert_int_equal(node, 8);
	q = &h.q[0];
	q_start(q, 64, 64, 64);
	in = packet_new(4, 60);
	assert_int_equal(run_sa(sa_gcm_new(true, 4), in, 60, filled(ROOM, 0), 1).status,
			 ACCEL_HW_DENIED);
	assert_int_equal(run_sa(sa_algs(9, 0, 0, 0, ACCEL_HW_AUTH_SHA1_HMAC, 20), in, 60,
				filled(ROOM, 0), ROOM).status, ACCEL_HW_DENIED);
	host_detach(&h);
	host_close(&pf);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_contexts),
		TEST(test_options),
		TEST(test_algorithms),
		TEST(test_commands),
		TEST(test_inbound_flips),
		TEST(test_outbound_flips),
		TEST(test_truncated),
		TEST(test_inside),
		TEST(test_rubbish),
		TEST(test_tree),
		cmocka_unit_test(test_older_contract),
		cmocka_unit_test(test_not_granted),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
