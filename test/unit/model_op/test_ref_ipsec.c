/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The reference of IPsec (test/common/ref_ipsec.h) itself: known packets of standards, DPDK and
 * scapy in both directions, every pair of algorithms there and back, and what RFC 4301 and RFC 6040
 * say about the headers of a tunnel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <accel_hw.h>

#include "../../../app/accel-conformance/reference/known_ipsec.h"
#include "ref_ipsec.h"

static uint8_t out[REF_IPSEC_ROOM], back[REF_IPSEC_ROOM];

static size_t
from_hex(const char *text, uint8_t *to)
{
	unsigned int byte;
	size_t n = 0;

	for (; text != NULL && sscanf(text, "%2x", &byte) == 1; text += 2)
		to[n++] = (uint8_t)byte;
	return n;
}

static enum ref_ipsec_cipher
cipher_of(uint16_t number)
{
	switch (number) {
	case ACCEL_HW_CIPHER_AES_CBC:
		return REF_IPSEC_AES_CBC;
	case ACCEL_HW_CIPHER_AES_CTR:
		return REF_IPSEC_AES_CTR;
	case ACCEL_HW_CIPHER_DES_CBC:
		return REF_IPSEC_DES_CBC;
	case ACCEL_HW_CIPHER_3DES_CBC:
		return REF_IPSEC_3DES_CBC;
	case ACCEL_HW_AEAD_AES_GCM:
		return REF_IPSEC_AES_GCM;
	case ACCEL_HW_AEAD_AES_CCM:
		return REF_IPSEC_AES_CCM;
	case ACCEL_HW_AEAD_CHACHA20_POLY1305:
		return REF_IPSEC_CHACHA20_POLY1305;
	default:
		return REF_IPSEC_NULL;
	}
}

static enum ref_ipsec_auth
auth_of(uint16_t number)
{
	switch (number) {
	case ACCEL_HW_AUTH_MD5_HMAC:
		return REF_IPSEC_MD5;
	case ACCEL_HW_AUTH_SHA1_HMAC:
		return REF_IPSEC_SHA1;
	case ACCEL_HW_AUTH_SHA256_HMAC:
		return REF_IPSEC_SHA256;
	case ACCEL_HW_AUTH_SHA384_HMAC:
		return REF_IPSEC_SHA384;
	case ACCEL_HW_AUTH_SHA512_HMAC:
		return REF_IPSEC_SHA512;
	case ACCEL_HW_AUTH_AES_XCBC_MAC:
		return REF_IPSEC_AES_XCBC;
	case ACCEL_HW_AUTH_AES_CMAC:
		return REF_IPSEC_AES_CMAC;
	case ACCEL_HW_AUTH_AES_GMAC:
		return REF_IPSEC_AES_GMAC;
	default:
		return REF_IPSEC_NONE;
	}
}

static void
known_sa(const struct known_packet *k, struct ref_ipsec_sa *sa)
{
	memset(sa, 0, sizeof(*sa));
	sa->ah = k->kind == ACCEL_HW_KIND_AH;
	sa->tunnel = (k->options & ACCEL_HW_IPSEC_TUNNEL) != 0;
	sa->esn = (k->options & ACCEL_HW_IPSEC_ESN) != 0;
	sa->udp = (k->options & ACCEL_HW_IPSEC_UDP) != 0;
	sa->cipher = cipher_of(k->cipher);
	sa->auth = auth_of(k->auth);
	sa->key_len = from_hex(k->key, sa->key);
	sa->auth_key_len = from_hex(k->auth_key, sa->auth_key);
	from_hex(k->salt, sa->salt);
	from_hex(k->outer, sa->outer);
	sa->icv_len = k->icv;
	sa->spi = k->spi;
	sa->udp_source = k->udp_source;
	sa->udp_destination = k->udp_destination;
}

static void
known(void **state)
{
	uint8_t iv[16], plain[512], packet[512];
	size_t plain_len, packet_len, n;
	struct ref_ipsec_sa sa;
	uint32_t number;

	(void)state;
	for (unsigned int i = 0; i < known_packets_nb; i++) {
		const struct known_packet *k = &known_packets[i];

		print_message("packet %u: %s\n", i, k->origin);
		known_sa(k, &sa);
		from_hex(k->iv, iv);
		plain_len = from_hex(k->plain, plain);
		packet_len = from_hex(k->packet, packet);
		assert_int_equal(ref_ipsec_open(&sa, (uint32_t)(k->number >> 32), packet,
						packet_len, &number, out, &n), REF_IPSEC_OK);
		assert_int_equal(number, (uint32_t)k->number);
		assert_int_equal(n, plain_len);
		assert_memory_equal(out, plain, n);
		assert_int_equal(ref_ipsec_send(&sa, k->number, iv, plain, plain_len, out, &n),
				 REF_IPSEC_OK);
		if (k->other_id) { /* and with it the checksum */
			memcpy(out + 4, packet + 4, 2);
			memcpy(out + 10, packet + 10, 2);
		}
		assert_int_equal(n, packet_len);
		assert_memory_equal(out, packet, n);
		if (k->icv == 0)
			continue;
		packet[packet_len - 1] ^= 0x20;
		assert_int_equal(ref_ipsec_open(&sa, (uint32_t)(k->number >> 32), packet,
						packet_len, &number, out, &n),
				 REF_IPSEC_AUTH_FAILED);
	}
}

static const uint8_t inner4[] = {
	0x45, 0x03, 0x00, 0x20, 0x12, 0x34, 0x40, 0x00, 0x02, 0x11, 0x00, 0x00, 192, 0, 2, 1,
	192, 0, 2, 2, 0x10, 0x00, 0x20, 0x00, 0x00, 0x0c, 0x00, 0x00, 1, 2, 3, 4,
};
static const uint8_t outer4[] = {
	0x45, 0x04, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
};

static void
simple_sa(struct ref_ipsec_sa *sa)
{
	memset(sa, 0, sizeof(*sa));
	sa->tunnel = true;
	sa->spi = 0x01020304;
	memcpy(sa->outer, outer4, sizeof(outer4));
}

/* There and back with each pair, and with a bit changed in the middle. */
static void
pairs(void **state)
{
	static const size_t icv[] = { 0, 12, 12, 14, 16, 24, 32, 12, 12, 16 };
	struct ref_ipsec_sa sa;
	uint32_t number;
	size_t n, m;

	(void)state;
	for (int cipher = REF_IPSEC_NULL; cipher <= REF_IPSEC_CHACHA20_POLY1305; cipher++) {
		for (int auth = REF_IPSEC_NONE; auth <= REF_IPSEC_AES_GMAC; auth++) {
			uint8_t iv[16] = { 1, 2, 3 };

			simple_sa(&sa);
			sa.cipher = (enum ref_ipsec_cipher)cipher;
			sa.auth = (enum ref_ipsec_auth)auth;
			if ((cipher >= REF_IPSEC_AES_GCM && auth != REF_IPSEC_NONE) ||
			    (auth == REF_IPSEC_AES_GMAC && cipher != REF_IPSEC_NULL))
				continue;
			sa.icv_len = cipher >= REF_IPSEC_AES_GCM ? 16 : icv[auth];
			sa.key_len = cipher == REF_IPSEC_DES_CBC ? 8 :
				     cipher == REF_IPSEC_CHACHA20_POLY1305 ? 32 :
				     cipher == REF_IPSEC_3DES_CBC ? 24 : 16;
			sa.auth_key_len = 16;
			sa.esn = auth % 2 != 0;
			memset(sa.key, 0x35, sizeof(sa.key));
			assert_int_equal(ref_ipsec_send(&sa, 0x300000007, iv, inner4,
							sizeof(inner4), out, &n), REF_IPSEC_OK);
			assert_int_equal((n - 28 - ref_ipsec_iv_len(&sa) - sa.icv_len) %
					 ref_ipsec_align(&sa), 0);
			assert_int_equal(ref_ipsec_open(&sa, 3, out, n, &number, back, &m),
					 REF_IPSEC_OK);
			assert_int_equal(m, sizeof(inner4));
			assert_memory_equal(back, inner4, m);
			if (sa.icv_len == 0)
				continue;
			if (sa.esn)
				assert_int_equal(ref_ipsec_open(&sa, 2, out, n, &number, back, &m),
						 REF_IPSEC_AUTH_FAILED);
			out[50] ^= 1;
			assert_int_equal(ref_ipsec_open(&sa, 3, out, n, &number, back, &m),
					 REF_IPSEC_AUTH_FAILED);
		}
	}
}

/* Options of the outer header, one by one. */
static void
outer_fields(void **state)
{
	struct ref_ipsec_sa sa;
	size_t n;

	(void)state;
	simple_sa(&sa);
	assert_int_equal(ref_ipsec_send(&sa, 0x12345, NULL, inner4, sizeof(inner4), out, &n),
			 REF_IPSEC_OK);
	assert_int_equal(out[1], 0x04);
	assert_int_equal(out[4] << 8 | out[5], 0x2345);
	assert_int_equal(out[6], 0);
	assert_int_equal(out[8], 0x40);
	assert_int_equal(out[9], 50);
	assert_int_equal(ref_ipsec_checksum(out, 20), 0);
	assert_memory_equal(out + 28, inner4, sizeof(inner4));
	sa.copy_df = sa.copy_ecn = sa.dec_ttl = true;
	assert_int_equal(ref_ipsec_send(&sa, 1, NULL, inner4, sizeof(inner4), out, &n),
			 REF_IPSEC_OK);
	assert_int_equal(out[1], 0x07);
	assert_int_equal(out[6], 0x40);
	assert_int_equal(out[28 + 8], 1);
	assert_int_equal(ref_ipsec_checksum(out + 28, 20), 0);
	sa.copy_dscp = true;
	assert_int_equal(ref_ipsec_send(&sa, 1, NULL, inner4, sizeof(inner4), out, &n),
			 REF_IPSEC_OK);
	assert_int_equal(out[1], 0x03);
	memcpy(back, inner4, sizeof(inner4));
	back[8] = 1; /* TTL */
	assert_int_equal(ref_ipsec_send(&sa, 1, NULL, back, sizeof(inner4), out, &n),
			 REF_IPSEC_MALFORMED);
}

/* RFC 6040 figure 4; a row for each inner codepoint, in the order of their numbers; 9: dropped. */
static void
ecn(void **state)
{
	static const uint8_t figure[4][4] = {
		{ 0, 0, 0, 9 }, { 1, 1, 1, 3 }, { 2, 1, 2, 3 }, { 3, 3, 3, 3 },
	};
	struct ref_ipsec_sa sa;
	uint8_t in[sizeof(inner4)];
	uint32_t number;
	size_t n, m;

	(void)state;
	simple_sa(&sa);
	sa.take_ecn = true;
	memcpy(in, inner4, sizeof(in));
	for (uint8_t inner = 0; inner < 4; inner++) {
		for (uint8_t outer = 0; outer < 4; outer++) {
			in[1] = 0x50 | inner;
			sa.outer[1] = 0x60 | outer;
			assert_int_equal(ref_ipsec_send(&sa, 1, NULL, in, sizeof(in), out, &n),
					 REF_IPSEC_OK);
			assert_int_equal(ref_ipsec_open(&sa, 0, out, n, &number, back, &m),
					 figure[inner][outer] == 9 ? REF_IPSEC_MALFORMED :
								     REF_IPSEC_OK);
			if (figure[inner][outer] != 9)
				assert_int_equal(back[1], 0x50 | figure[inner][outer]);
		}
	}
}

/* A checksum that RFC 768 and RFC 9293 define, against numbers worked out by hand. */
static void
checksums(void **state)
{
	static const uint8_t words[] = { 0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7 };
	uint8_t packet[sizeof(inner4)];
	uint32_t total = 0;

	(void)state;
	assert_int_equal(ref_ipsec_checksum(words, sizeof(words)), 0x220d); /* RFC 1071, 3 */
	memcpy(packet, inner4, sizeof(packet));
	ref_ipsec_l4_checksum(packet, sizeof(packet));
	for (unsigned int i = 12; i < sizeof(packet); i += 2)
		total += (uint32_t)packet[i] << 8 | packet[i + 1];
	total += 17 + 12; /* protocol and length of the pseudo header */
	assert_int_equal((total & 0xffff) + (total >> 16), 0xffff);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known), cmocka_unit_test(pairs), cmocka_unit_test(outer_fields),
		cmocka_unit_test(ecn), cmocka_unit_test(checksums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
