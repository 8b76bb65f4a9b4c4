/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IPsec on the model (manual 8.6): known packets, and packets that go out and come in again in each
 * mode, with each algorithm, with each option.
 */
#include "ipsec_vectors.h"
#include "test_model_ipsec.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_known_packets, setup, teardown),
		cmocka_unit_test_setup_teardown(test_round_trips, setup, teardown),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
