/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IP packets in plain memory: see ipsec_packet.h.
 */
#include <string.h>

#include "state/ipsec_packet.h"

/* Extension headers. */

/* Move over one extension header. */
static bool
pass(const uint8_t *p, struct ip_packet *at)
{
	const uint32_t left = at->length - at->header;
	const uint8_t *header = p + at->header;
	uint32_t len;

	/* Hop-by-hop options come first (RFC 8200, 4.1). */
	if (left < 8 || (at->next == IP_HOP_BY_HOP && at->header != IP6_HEADER))
		return false;
	len = (header[1] + 1u) * 8;
	if (left < len)
		return false;
	if (at->next == IP_ROUTING)
		at->routed |= header[3] != 0;
	at->next_at = at->header;
	at->next = header[0];
	at->header += len;
	return true;
}

bool
ip_extensions_v6(const uint8_t *p, struct ip_packet *ip, enum ip_walk walk)
{
	struct ip_packet at = *ip;
	bool whole = true;

	while (ip_is_extension(at.next) && whole) {
		/* Destination options that no routing header follows stay behind. */
		const bool stays = at.next != IP_DESTINATION || walk == IP_WALK_ALL;

		whole = pass(p, &at);
		if (whole && (stays || at.next == IP_ROUTING))
			*ip = at;
	}
	ip->fragment = at.next == IP_FRAGMENT;
	return whole;
}

/* Checksums. */

/* The sum does not depend on the order of bytes, which is put right in the end (RFC 1071). */
uint16_t
ip_sum(const uint8_t *p, uint32_t len, uint32_t sum)
{
	uint64_t words = 0;
	uint16_t last = 0, folded;
	uint32_t word;

	for (; len >= sizeof(word); len -= sizeof(word), p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		words += word;
	}
	if (len >= sizeof(last)) {
		memcpy(&last, p, sizeof(last));
		words += last;
		p += sizeof(last);
		len -= (uint32_t)sizeof(last);
	}
	if (len > 0)
		words += p[0];
	words = (words & UINT32_MAX) + (words >> 32);
	words = (words & UINT32_MAX) + (words >> 32);
	folded = ip_fold((uint32_t)words);
	return ip_fold(ip_fold(sum) + (uint32_t)__builtin_bswap16(folded));
}

static uint32_t
ip4_header(const uint8_t *p)
{
	return (p[0] & 0xfu) * 4;
}

bool
ip4_checksum_ok(const uint8_t *p)
{
	return ip_sum(p, ip4_header(p), 0) == UINT16_MAX;
}

void
ip4_checksum(uint8_t *p)
{
	put_be16(p + IP4_CHECKSUM, 0);
	put_be16(p + IP4_CHECKSUM, (uint16_t)~ip_sum(p, ip4_header(p), 0));
}

/* RFC 1624: adapt the checksum to a word of the header that has changed. */
static void
adapt(uint8_t *p, uint16_t before, uint16_t after)
{
	const uint16_t sum = (uint16_t)~get_be16(p + IP4_CHECKSUM);

	put_be16(p + IP4_CHECKSUM,
		 (uint16_t)~ip_fold((uint32_t)sum + (uint16_t)~before + after));
}

/* Changes. */

void
ip_set(uint8_t *p, const struct ip_packet *ip, uint32_t length, uint8_t next)
{
	p[ip->next_at] = next;
	if (ip->version == 4) {
		put_be16(p + IP4_TOTAL, length);
		ip4_checksum(p);
	} else {
		put_be16(p + IP6_PAYLOAD, length - IP6_HEADER);
	}
}

void
ip_set_tos(uint8_t *p, unsigned int version, uint8_t tos)
{
	const uint16_t before = get_be16(p);

	if (version == 4) {
		p[IP4_TOS] = tos;
		adapt(p, before, get_be16(p));
	} else {
		put_be16(p, (before & 0xf00fu) | (uint32_t)tos << 4);
	}
}

bool
ip_lower_ttl(uint8_t *p, unsigned int version)
{
	const uint16_t before = get_be16(p + IP4_TTL);
	uint8_t *ttl = p + (version == 4 ? IP4_TTL : IP6_HOPS);

	if (*ttl <= 1)
		return false;
	(*ttl)--;
	if (version == 4)
		adapt(p, before, get_be16(p + IP4_TTL));
	return true;
}

bool
ip_ecn(uint8_t *inner, uint8_t outer)
{
	const uint8_t in = *inner & IP_ECN, out = outer & IP_ECN;

	if (in == 0)
		return out != IP_ECN_CE;
	/* CE stays and goes in; ECT(1) outside wins over ECT(0). */
	if (out == IP_ECN_CE || (in == 2 && out == 1))
		*inner = (uint8_t)((*inner & ~IP_ECN) | out);
	return true;
}

/* TCP and UDP. */

#define TCP_HEADER 20u
#define TCP_CHECKSUM 16u
#define UDP_LENGTH 4u
#define UDP_CHECKSUM 6u

/* The part of a packet that its checksum of layer 4 covers. */
struct l4 {
	uint32_t at;
	uint32_t len;
	uint32_t checksum_at;
	uint8_t protocol;
};

/* Find it. IP_L4_BAD: UDP's length is wrong. IP_L4_GOOD: it is there. */
static enum ip_l4
l4_find(const uint8_t *p, const struct ip_packet *packet, struct l4 *l4)
{
	struct ip_packet ip = *packet;

	if (!ip_extensions(p, &ip, IP_WALK_ALL) || ip.fragment || ip.routed)
		return IP_L4_NONE;
	*l4 = (struct l4){ .at = ip.header, .len = ip.length - ip.header, .protocol = ip.next };
	if (ip.next == IP_TCP && l4->len >= TCP_HEADER) {
		l4->checksum_at = l4->at + TCP_CHECKSUM;
		return IP_L4_GOOD;
	}
	if (ip.next != IP_UDP || l4->len < UDP_HEADER)
		return IP_L4_NONE;
	l4->checksum_at = l4->at + UDP_CHECKSUM;
	if (get_be16(p + l4->at + UDP_LENGTH) < UDP_HEADER ||
	    get_be16(p + l4->at + UDP_LENGTH) > l4->len)
		return IP_L4_BAD;
	l4->len = get_be16(p + l4->at + UDP_LENGTH);
	return IP_L4_GOOD;
}

/* Sum of pseudo header and data. */
static uint16_t
l4_sum(const uint8_t *p, const struct ip_packet *ip, const struct l4 *l4)
{
	uint32_t sum = l4->protocol + l4->len;

	if (ip->version == 4)
		sum = ip_sum(p + IP4_SOURCE, 8, sum);
	else
		sum = ip_sum(p + IP6_SOURCE, 32, sum);
	return ip_sum(p + l4->at, l4->len, sum);
}

enum ip_l4
ip_l4_check(const uint8_t *p, struct ip_packet ip)
{
	struct l4 l4;
	enum ip_l4 found = l4_find(p, &ip, &l4);

	if (found == IP_L4_NONE)
		return found;
	if (ip.version == 4 && l4.protocol == IP_UDP && get_be16(p + l4.checksum_at) == 0)
		return IP_L4_NONE;
	return found == IP_L4_GOOD && l4_sum(p, &ip, &l4) == UINT16_MAX ? IP_L4_GOOD : IP_L4_BAD;
}

void
ip_l4_make(uint8_t *p, struct ip_packet ip)
{
	struct l4 l4;
	uint16_t sum;

	if (l4_find(p, &ip, &l4) != IP_L4_GOOD)
		return;
	put_be16(p + l4.checksum_at, 0);
	sum = (uint16_t)~l4_sum(p, &ip, &l4);
	/* RFC 768: 0 means that there is none. */
	put_be16(p + l4.checksum_at, sum == 0 && l4.protocol == IP_UDP ? UINT16_MAX : sum);
}
