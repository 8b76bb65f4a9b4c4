/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IPsec on the model against the reference of test/common: random SAs and packets, out and in, and
 * packets that were changed on the way (manual 8.6).
 */
#include "ref_ipsec.h"
#include "model_op/model_ipsec.h"
#include "base/random.h"

#define ROUNDS 6000u
#define ROOM 2048u
#define NB(a) (sizeof(a) / sizeof((a)[0]))

static struct {
	sa_t *sa;
	uint8_t *in, *out;
	uint8_t want[REF_IPSEC_ROOM];
	size_t want_len;
} t;

static int
setup(void **state)
{
	(void)state;
	card_open_small(ACCEL_MODEL_ENGINE_AUTO, 256, 64);
	t.sa = host_alloc(&h, sizeof(*t.sa), 64);
	t.in = host_alloc(&h, ROOM, 64);
	t.out = host_alloc(&h, ROOM, 64);
	return 0;
}

/* Algorithms: numbers of the card and of the reference, bytes of key. */
static const struct {
	uint16_t number;
	uint8_t ref, key[3];
} ciphers[] = {
	{ ACCEL_HW_CIPHER_NULL, REF_IPSEC_NULL, { 0 } },
	{ ACCEL_HW_CIPHER_DES_CBC, REF_IPSEC_DES_CBC, { 8, 8, 8 } },
	{ ACCEL_HW_CIPHER_3DES_CBC, REF_IPSEC_3DES_CBC, { 24, 16, 24 } },
	{ ACCEL_HW_CIPHER_AES_CBC, REF_IPSEC_AES_CBC, { 16, 24, 32 } },
	{ ACCEL_HW_CIPHER_AES_CTR, REF_IPSEC_AES_CTR, { 16, 24, 32 } },
	{ ACCEL_HW_AEAD_AES_GCM, REF_IPSEC_AES_GCM, { 16, 24, 32 } },
	{ ACCEL_HW_AEAD_AES_CCM, REF_IPSEC_AES_CCM, { 16, 24, 32 } },
	{ ACCEL_HW_AEAD_CHACHA20_POLY1305, REF_IPSEC_CHACHA20_POLY1305, { 32, 32, 32 } },
}, auths[] = {
	{ ACCEL_HW_AUTH_NULL, REF_IPSEC_NONE, { 0 } },
	{ ACCEL_HW_AUTH_MD5_HMAC, REF_IPSEC_MD5, { 16, 16, 64 } },
	{ ACCEL_HW_AUTH_SHA1_HMAC, REF_IPSEC_SHA1, { 20, 1, 64 } },
	{ ACCEL_HW_AUTH_SHA224_HMAC, REF_IPSEC_SHA224, { 28, 28, 64 } },
	{ ACCEL_HW_AUTH_SHA256_HMAC, REF_IPSEC_SHA256, { 32, 16, 64 } },
	{ ACCEL_HW_AUTH_SHA384_HMAC, REF_IPSEC_SHA384, { 48, 48, 128 } },
	{ ACCEL_HW_AUTH_SHA512_HMAC, REF_IPSEC_SHA512, { 64, 64, 128 } },
	{ ACCEL_HW_AUTH_AES_XCBC_MAC, REF_IPSEC_AES_XCBC, { 16, 16, 16 } },
	{ ACCEL_HW_AUTH_AES_CMAC, REF_IPSEC_AES_CMAC, { 16, 24, 32 } },
	{ ACCEL_HW_AUTH_AES_GMAC, REF_IPSEC_AES_GMAC, { 16, 24, 32 } },
};

static const uint8_t digest_of[] = { 0, 16, 20, 28, 32, 48, 64, 16, 16, 16 };

/* Draws algorithms and sizes. */
static void
draw_algorithms(struct ref_ipsec_sa *ref)
{
	const uint32_t cipher = ref->ah ? 0 : draw((uint32_t)NB(ciphers)), pick = draw(3);
	const bool aead = cipher >= 5;
	/* AH wants an authentication, and GMAC the cipher NULL. */
	const uint32_t auth = aead ? 0 : ref->ah ? 1 + draw((uint32_t)NB(auths) - 1) :
					 draw((uint32_t)NB(auths) - (cipher != 0));
	struct accel_hw_context *x = &t.sa->common;

	ref->cipher = (enum ref_ipsec_cipher)ciphers[cipher].ref;
	ref->auth = (enum ref_ipsec_auth)auths[auth].ref;
	ref->key_len = ciphers[cipher].key[pick];
	ref->auth_key_len = auths[auth].key[pick];
	draw_bytes(ref->key, ref->key_len);
	draw_bytes(ref->auth_key, ref->auth_key_len);
	draw_bytes(ref->salt, ref->cipher == REF_IPSEC_AES_CCM ? 3 : 4);
	if (aead)
		ref->icv_len = cipher == 7 ? 16 : 8 + 4 * draw(3);
	else if (auth != 0)
		ref->icv_len = 4 + draw(digest_of[auth] - 3);
	x->cipher_alg = ref->ah ? 0 : ciphers[cipher].number;
	x->auth_alg = aead ? 0 : auths[auth].number;
	x->cipher_key_len = (uint16_t)ref->key_len;
	x->auth_key_len = (uint16_t)ref->auth_key_len;
	x->iv_len = (uint8_t)ref_ipsec_iv_len(ref);
	x->digest_len = (uint16_t)ref->icv_len;
	memcpy(x->cipher_key, ref->key, ref->key_len);
	memcpy(x->auth_key, ref->auth_key, ref->auth_key_len);
	memcpy(t.sa->ipsec.salt, ref->salt, 4);
}

/* An outer header as a context may have it. */
static void
draw_outer(struct ref_ipsec_sa *ref, bool v6)
{
	draw_bytes(ref->outer, sizeof(ref->outer));
	if (v6) {
		ref->outer[0] = 0x60 | (ref->outer[0] & 15);
		memset(ref->outer + 4, 0, 3);
	} else {
		ref->outer[0] = 0x45;
		memset(ref->outer + 2, 0, 6);
		ref->outer[6] = draw_bool() ? 0x40 : 0;
		ref->outer[9] = 0;
		memset(ref->outer + 10, 0, 2);
		memset(ref->outer + 20, 0, 20);
	}
	memcpy(t.sa->ipsec.outer_header, ref->outer, sizeof(ref->outer));
}

static bool
option(uint32_t *options, uint32_t bit)
{
	const bool set = draw_bool();

	*options |= set ? bit : 0;
	return set;
}

/* A SA that sends. The other direction follows from it. */
static void
draw_sa(struct ref_ipsec_sa *ref)
{
	uint32_t *options = &t.sa->ipsec.options;

	memset(ref, 0, sizeof(*ref));
	memset(t.sa, 0, sizeof(*t.sa));
	ref->ah = draw(4) == 0;
	t.sa->common.version = 1;
	t.sa->common.kind = ref->ah ? ACCEL_HW_KIND_AH : ACCEL_HW_KIND_ESP;
	t.sa->ipsec.spi = ref->spi = (uint32_t)draw64();
	draw_algorithms(ref);
	ref->esn = option(options, ACCEL_HW_IPSEC_ESN);
	ref->tunnel = option(options, ACCEL_HW_IPSEC_TUNNEL);
	if (!ref->ah && draw(3) == 0) {
		ref->udp = true;
		*options |= ACCEL_HW_IPSEC_UDP;
		t.sa->ipsec.udp_source = ref->udp_source = (uint16_t)draw64();
		t.sa->ipsec.udp_destination = ref->udp_destination = (uint16_t)draw64();
	}
	ref->inner_ip_checksum = option(options, ACCEL_HW_IPSEC_IP_CHECKSUM);
	if (!ref->tunnel)
		return;
	draw_outer(ref, option(options, ACCEL_HW_IPSEC_OUTER_V6));
	ref->copy_df = option(options, ACCEL_HW_IPSEC_COPY_DF);
	ref->copy_dscp = ref->take_dscp = option(options, ACCEL_HW_IPSEC_COPY_DSCP);
	ref->copy_flabel = option(options, ACCEL_HW_IPSEC_COPY_FLABEL);
	ref->copy_ecn = ref->take_ecn = option(options, ACCEL_HW_IPSEC_ECN);
	ref->dec_ttl = option(options, ACCEL_HW_IPSEC_DEC_TTL);
}

/* Options that fill so many bytes of an IPv4 header. */
static void
draw_options_v4(uint8_t *p, uint32_t bytes)
{
	static const uint8_t types[] = { 7, 68, 82, 130, 133, 134, 148, 149, 30, 220 };

	memset(p, 1, bytes); /* NOP */
	while (bytes >= 4 && draw(4) != 0) {
		const uint32_t len = 3 + draw(bytes - 3);

		p[0] = types[draw((uint32_t)NB(types))];
		p[1] = (uint8_t)len;
		draw_bytes(p + 2, len - 2);
		p += len;
		bytes -= len;
	}
}

static uint32_t
draw_v4(uint8_t *p)
{
	const uint32_t header = draw(3) == 0 ? 20 + 4 * draw(11) : 20;
	const uint32_t len = header + draw(400);

	draw_bytes(p, len);
	p[0] = (uint8_t)(0x40 | header / 4);
	put16(p + 2, len);
	put16(p + 6, draw(10) == 0 ? 0x2000 | draw(100) : draw_bool() ? 0x4000 : 0);
	draw_options_v4(p + 20, header - 20);
	ip4_sum(p);
	return len;
}

/* Puts an extension header, and returns its bytes. */
static uint32_t
put_extension(uint8_t *p, uint8_t *next, uint8_t number)
{
	const uint32_t len = 8 * (1 + draw(4));

	*next = number;
	memset(p, 0, len);
	p[1] = (uint8_t)(len / 8 - 1);
	if (number == 43) {
		draw_bytes(p + 2, len - 2);
		p[3] = 0; /* segments left */
		return len;
	}
	p[2] = (uint8_t)draw64(); /* one option that fills it */
	p[2] = p[2] == 0 ? 1 : p[2];
	p[3] = (uint8_t)(len - 4);
	draw_bytes(p + 4, len - 4);
	return len;
}

static uint32_t
draw_v6(uint8_t *p)
{
	static const uint8_t order[] = { 0, 60, 43, 60 };
	uint8_t *next = p + 6;
	uint32_t len = 40;

	draw_bytes(p, 40);
	p[0] = 0x60 | (p[0] & 15);
	for (uint32_t i = 0; i < NB(order); i++) {
		const uint32_t at = len;

		if (draw(4) != 0)
			continue;
		len += put_extension(p + at, next, order[i]);
		next = p + at;
	}
	*next = draw(8) == 0 ? 44 : draw_bool() ? 17 : 132;
	draw_bytes(p + len, 400);
	len += 8 + draw(390);
	put16(p + 4, len - 40);
	return len;
}

static const uint16_t status_of[] = {
	[REF_IPSEC_OK] = ACCEL_HW_OK,
	[REF_IPSEC_MALFORMED] = ACCEL_HW_MALFORMED,
	[REF_IPSEC_MISMATCH] = ACCEL_HW_MISMATCH,
	[REF_IPSEC_AUTH_FAILED] = ACCEL_HW_AUTH_FAILED,
	[REF_IPSEC_DUMMY] = ACCEL_HW_DUMMY,
};

static void
describe(const struct ref_ipsec_sa *ref, uint32_t round, const char *what)
{
	print_message("round %u, %s: kind %u, cipher %u, auth %u, ICV %zu, options %#x\n", round,
		      what, t.sa->common.kind, ref->cipher, ref->auth, ref->icv_len,
		      t.sa->ipsec.options);
}

/* Runs the packet in t.in and compares with what the reference said. */
static void
run_and_compare(const struct ref_ipsec_sa *ref, uint32_t round, const char *what, uint32_t len,
		const uint8_t *iv, enum ref_ipsec_result result)
{
	struct accel_hw_command *cmd;
	struct accel_hw_response rsp;
	const uint32_t used = h.used;
	bool refused;

	t.sa->common.generation = ++sa_generation;
	cmd = sa_command(t.sa, len);
	memcpy(cmd->iv, iv, 16);
	memset(t.out, 0xcc, ROOM);
	rsp = run_command(cmd, t.in, len, t.out, ROOM);
	h.used = used;
	/* Two causes at once: the reference looks at them in another order. */
	refused = (rsp.status == ACCEL_HW_MALFORMED || rsp.status == ACCEL_HW_MISMATCH) &&
		  (result == REF_IPSEC_MALFORMED || result == REF_IPSEC_MISMATCH);
	if ((rsp.status != status_of[result] && !refused) ||
	    (result == REF_IPSEC_OK && (rsp.produced != t.want_len ||
					memcmp(t.out, t.want, t.want_len) != 0)))
		describe(ref, round, what);
	if (refused)
		return;
	assert_int_equal(rsp.status, status_of[result]);
	if (result != REF_IPSEC_OK)
		return;
	assert_int_equal(rsp.produced, t.want_len);
	assert_memory_equal(t.out, t.want, t.want_len);
}

/* Sends the packet in t.in. */
static enum ref_ipsec_result
send(const struct ref_ipsec_sa *ref, uint32_t round, uint64_t number, const uint8_t *iv,
     uint32_t len)
{
	const enum ref_ipsec_result result = ref_ipsec_send(ref, number, iv, t.in, len, t.want,
							    &t.want_len);

	t.sa->common.flags = ACCEL_HW_CTX_ENCRYPT;
	t.sa->state.sequence = number - 1;
	if (t.sa->common.iv_len > 0)
		t.sa->ipsec.options |= ACCEL_HW_IPSEC_IV_GIVEN;
	run_and_compare(ref, round, "out", len, iv, result);
	return result;
}

/* Changes a packet on the way: a byte, trailing bytes, or nothing. */
static uint32_t
spoil(const struct ref_ipsec_sa *ref, uint8_t *p, uint32_t len)
{
	uint32_t at = draw(len);

	if (draw(3) == 0)
		return len;
	if (draw(5) == 0) {
		draw_bytes(p + len, 30);
		return len + draw(30);
	}
	if (draw_bool())
		at = draw(len < 80 ? len : 80);
	if (!ref->ah) /* the model takes AH of IPv4 with more padding than there has to be */
		p[at] ^= (uint8_t)(1u << draw(8));
	else if (at < 20 || at > 100)
		p[at] ^= (uint8_t)(1u << draw(8));
	return len;
}

/* Receives what was sent, perhaps changed. */
static void
receive(struct ref_ipsec_sa *ref, uint32_t round, uint64_t number)
{
	static const uint8_t no_iv[16];
	enum ref_ipsec_result result;
	uint32_t low, len;

	memcpy(t.in, t.want, t.want_len);
	len = spoil(ref, t.in, (uint32_t)t.want_len);
	result = ref_ipsec_open(ref, (uint32_t)(number >> 32), t.in, len, &low, t.want,
				&t.want_len);
	t.sa->common.flags = 0;
	t.sa->state.sequence = number - 1;
	t.sa->ipsec.options &= ~(ACCEL_HW_IPSEC_COPY_DF | ACCEL_HW_IPSEC_COPY_FLABEL |
				 ACCEL_HW_IPSEC_DEC_TTL | ACCEL_HW_IPSEC_IV_GIVEN |
				 ACCEL_HW_IPSEC_IP_CHECKSUM);
	run_and_compare(ref, round, "in", len, no_iv, result);
}

static void
test_random(void **state)
{
	unsigned int sent = 0;

	(void)state;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct ref_ipsec_sa ref;
		uint64_t number;
		uint8_t iv[16];
		uint32_t len;

		draw_sa(&ref);
		draw_bytes(iv, sizeof(iv));
		number = ref.esn ? 1 + (draw64() >> 8) : 1 + draw(UINT32_MAX);
		len = draw_bool() ? draw_v4(t.in) : draw_v6(t.in);
		len += draw(4) == 0 ? draw(20) : 0; /* padding behind the packet */
		if (send(&ref, round, number, iv, len) != REF_IPSEC_OK)
			continue;
		sent++;
		receive(&ref, round, number);
	}
	print_message("%u of %u packets could be sent\n", sent, ROUNDS);
	assert_in_range(sent, ROUNDS / 2, ROUNDS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_random, setup, teardown),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
