/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IP packets in plain memory: see ipsec_packet.h.
 */
#include <string.h>

#include "state/ipsec_packet.h"

/* The functions below walk over extension headers. */

/* These are types of routing headers (IANA). */
#define ROUTE_SOURCE 0u /* RFC 2460, 4.4: the addresses in their order */
#define ROUTE_HOME 2u /* RFC 6275, 6.4: the home address */
#define ROUTE_SEGMENTS 4u /* RFC 8754, 2: the addresses, the last one first */

#define ROUTE_HEADER 8u /* before the first address */
#define ROUTE_TYPE 2u
#define ROUTE_LEFT 3u
#define ADDRESS_V6 16u

/* Find the final destination in a routing header of @p len bytes that has segments left. @return
 * its offset in the header, or IP_FINAL_UNKNOWN. */
static uint32_t
route_end(const uint8_t *header, uint32_t len)
{
	const uint32_t type = header[ROUTE_TYPE], left = header[ROUTE_LEFT];
	const uint32_t addresses = (len - ROUTE_HEADER) / ADDRESS_V6;

	/* A list of segments may leave out the first one, which is in the IP header (RFC 8754,
	 * 4.1.1). */
	if (addresses == 0 || left > addresses + (type == ROUTE_SEGMENTS))
		return IP_FINAL_UNKNOWN;
	if (type == ROUTE_SOURCE)
		return ROUTE_HEADER + (addresses - 1) * ADDRESS_V6;
	return type == ROUTE_HOME || type == ROUTE_SEGMENTS ? ROUTE_HEADER : IP_FINAL_UNKNOWN;
}

/* Move over one extension header. false: it is too long, or not where it may be. */
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
	if (at->next == IP_ROUTING && header[ROUTE_LEFT] != 0) {
		at->final_at = route_end(header, len);
		if (at->final_at != IP_FINAL_UNKNOWN)
			at->final_at += at->header;
	}
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
		/* Destination options that no routing header follows stay after ESP or AH. */
		const bool stays = at.next != IP_DESTINATION || walk == IP_WALK_ALL;

		whole = pass(p, &at);
		if (whole && (stays || at.next == IP_ROUTING))
			*ip = at;
	}
	ip->fragment = at.next == IP_FRAGMENT;
	return whole;
}

/* The functions below read options of IPv4. */

uint32_t
ip4_option_len(const uint8_t *option, uint32_t left)
{
	if (option[0] == IP4_OPTION_NOP)
		return 1;
	return left >= 2 && option[1] >= 2 && option[1] <= left ? option[1] : 0;
}

uint32_t
ip4_final_at(const uint8_t *p, uint32_t header)
{
	uint32_t len, final_at = IP4_DESTINATION;

	for (uint32_t at = IP4_HEADER; at < header && p[at] != IP4_OPTION_END; at += len) {
		len = ip4_option_len(p + at, header - at);
		if (len == 0)
			return IP_FINAL_UNKNOWN;
		/* The third byte of a route points to the next address, or after the last one. */
		if ((p[at] == IP4_OPTION_LOOSE_ROUTE || p[at] == IP4_OPTION_STRICT_ROUTE) &&
		    len >= 7 && p[at + 2] <= len)
			final_at = at + len - 4;
	}
	return final_at;
}

/* The functions below compute checksums. */

/* Words are read in the host's order of bytes. Only the order of the sum's own bytes depends on
 * this, and it is put right in the end (RFC 1071). */
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

/* Adapt the checksum to a word of the header that has changed (RFC 1624). */
static void
adapt(uint8_t *p, uint16_t before, uint16_t after)
{
	const uint16_t sum = (uint16_t)~get_be16(p + IP4_CHECKSUM);

	put_be16(p + IP4_CHECKSUM,
		 (uint16_t)~ip_fold((uint32_t)sum + (uint16_t)~before + after));
}

/* The functions below change headers. */

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
	/* CE inside stays. CE outside is taken over, and so is ECT(1) instead of ECT(0). */
	if (out == IP_ECN_CE || (in == 2 && out == 1))
		*inner = (uint8_t)((*inner & ~IP_ECN) | out);
	return true;
}

/* The functions below handle TCP and UDP. */

#define TCP_HEADER 20u
#define TCP_CHECKSUM 16u
#define UDP_LENGTH 4u
#define UDP_CHECKSUM 6u

/* Describes the part of a packet that the checksum of layer 4 covers. */
struct l4 {
	uint32_t at;
	uint32_t len;
	uint32_t checksum_at;
	uint32_t final_at; /* the destination that counts (RFC 8200, 8.1) */
	uint8_t protocol;
};

/* Find the part of a packet that the checksum of layer 4 covers. @return IP_L4_GOOD if it is there,
 * IP_L4_BAD if UDP's length is wrong, or another value as in enum ip_l4. */
static enum ip_l4
l4_find(const uint8_t *p, const struct ip_packet *packet, struct l4 *l4)
{
	struct ip_packet ip = *packet;
	bool whole = ip_extensions(p, &ip, IP_WALK_ALL);

	if (whole && (ip.fragment || (ip.next != IP_TCP && ip.next != IP_UDP)))
		return IP_L4_NONE;
	if (ip.version == 4 && unlikely(ip.header > IP4_HEADER))
		ip.final_at = ip4_final_at(p, ip.header);
	*l4 = (struct l4){
		.at = ip.header,
		.len = ip.length - ip.header,
		.final_at = ip.final_at,
		.protocol = ip.next,
	};
	if (!whole || ip.final_at == IP_FINAL_UNKNOWN ||
	    l4->len < (ip.next == IP_TCP ? TCP_HEADER : UDP_HEADER))
		return IP_L4_HIDDEN;
	l4->checksum_at = l4->at + (ip.next == IP_TCP ? TCP_CHECKSUM : UDP_CHECKSUM);
	if (ip.next == IP_TCP)
		return IP_L4_GOOD;
	if (get_be16(p + l4->at + UDP_LENGTH) < UDP_HEADER ||
	    get_be16(p + l4->at + UDP_LENGTH) > l4->len)
		return IP_L4_BAD;
	l4->len = get_be16(p + l4->at + UDP_LENGTH);
	return IP_L4_GOOD;
}

/* Return the sum of pseudo header and data. */
static uint16_t
l4_sum(const uint8_t *p, const struct ip_packet *ip, const struct l4 *l4)
{
	uint32_t sum = l4->protocol + l4->len;

	if (ip->version == 4) {
		sum = ip_sum(p + IP4_SOURCE, 4, sum);
		sum = ip_sum(p + l4->final_at, 4, sum);
	} else {
		sum = ip_sum(p + IP6_SOURCE, ADDRESS_V6, sum);
		sum = ip_sum(p + l4->final_at, ADDRESS_V6, sum);
	}
	return ip_sum(p + l4->at, l4->len, sum);
}

enum ip_l4
ip_l4_check(const uint8_t *p, struct ip_packet ip)
{
	struct l4 l4;
	enum ip_l4 found = l4_find(p, &ip, &l4);

	if (found == IP_L4_NONE || found == IP_L4_HIDDEN)
		return found;
	if (ip.version == 4 && l4.protocol == IP_UDP && get_be16(p + l4.checksum_at) == 0)
		return IP_L4_NONE;
	return found == IP_L4_GOOD && l4_sum(p, &ip, &l4) == UINT16_MAX ? IP_L4_GOOD : IP_L4_BAD;
}

bool
ip_l4_make(uint8_t *p, struct ip_packet ip)
{
	struct l4 l4;
	enum ip_l4 found = l4_find(p, &ip, &l4);
	uint16_t sum;

	if (found != IP_L4_GOOD)
		return found == IP_L4_NONE;
	put_be16(p + l4.checksum_at, 0);
	sum = (uint16_t)~l4_sum(p, &ip, &l4);
	/* A checksum of 0 in UDP means that there is none (RFC 768). */
	put_be16(p + l4.checksum_at, sum == 0 && l4.protocol == IP_UDP ? UINT16_MAX : sum);
	return true;
}
