/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IP packets in plain memory, for IPsec: where their headers are, what is changed in them, and
 * their checksums. Nothing here knows of an SA.
 */
#ifndef ACCEL_MODEL_IPSEC_PACKET_H
#define ACCEL_MODEL_IPSEC_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/util.h"

/* These are numbers of protocols and extension headers (IANA). */
#define IP_HOP_BY_HOP 0u
#define IP_IPV4 4u
#define IP_TCP 6u
#define IP_UDP 17u
#define IP_IPV6 41u
#define IP_ROUTING 43u
#define IP_FRAGMENT 44u
#define IP_ESP 50u
#define IP_AH 51u
#define IP_NONE 59u
#define IP_DESTINATION 60u

#define IP4_HEADER 20u
#define IP6_HEADER 40u
#define IP_HEADER_MAX 60u /* IPv4 with options */
#define IP_LENGTH_MAX 65535u /* of an IPv4 packet, or of an IPv6 packet's payload */
#define UDP_HEADER 8u

/* These are offsets in headers. */
#define IP4_TOS 1u
#define IP4_TOTAL 2u
#define IP4_ID 4u
#define IP4_FRAGMENT 6u
#define IP4_TTL 8u
#define IP4_PROTOCOL 9u
#define IP4_CHECKSUM 10u
#define IP4_SOURCE 12u
#define IP4_DESTINATION 16u
#define IP4_DF 0x40u /* in the first byte at IP4_FRAGMENT */
#define IP6_PAYLOAD 4u
#define IP6_NEXT 6u
#define IP6_HOPS 7u
#define IP6_SOURCE 8u
#define IP6_DESTINATION 24u

#define IP_ECN 0x03u /* of the TOS byte or traffic class */
#define IP_ECN_CE 0x03u

/* Describes a packet as far as it was looked at. */
struct ip_packet {
	uint32_t length; /* bytes of the packet, as its header says */
	uint32_t header; /* bytes of the IP header, and of the extension headers looked at */
	uint32_t next_at; /* offset of the number that says what follows */
	uint32_t final_at; /* offset of the final destination, or IP_FINAL_UNKNOWN */
	uint8_t next; /* the number at next_at */
	uint8_t version; /* 4 or 6 */
	uint8_t tos; /* TOS byte, or traffic class */
	bool fragment;
};

/* This says that the final destination cannot be found, for example because a routing header of an
 * unknown type has segments left. */
#define IP_FINAL_UNKNOWN 0u

/* Says which extension headers ip_extensions() looks at. */
enum ip_walk {
	IP_WALK_ALL, /* up to the first other header, for the protocol of a received packet */
	IP_WALK_INSERT, /* up to where ESP or AH is inserted (RFC 4303, 3.1.1) */
};

/** True if @p next is the number of an extension header that ip_extensions() looks at. */
static inline bool
ip_is_extension(uint8_t next)
{
	return next == IP_HOP_BY_HOP || next == IP_ROUTING || next == IP_DESTINATION;
}

static inline uint8_t
ip_tos(const uint8_t *p, unsigned int version)
{
	return version == 4 ? p[IP4_TOS] : (uint8_t)(p[0] << 4 | p[1] >> 4);
}

static inline bool
ip_parse_v4(const uint8_t *p, uint32_t len, struct ip_packet *ip)
{
	if (len < IP4_HEADER)
		return false;
	ip->header = (p[0] & 0xfu) * 4;
	ip->length = get_be16(p + IP4_TOTAL);
	ip->final_at = IP4_DESTINATION;
	ip->next_at = IP4_PROTOCOL;
	ip->next = p[IP4_PROTOCOL];
	ip->tos = p[IP4_TOS];
	/* A fragment has MORE FRAGMENTS or an offset. */
	ip->fragment = (get_be16(p + IP4_FRAGMENT) & 0x3fff) != 0;
	return ip->header >= IP4_HEADER && ip->length >= ip->header && ip->length <= len;
}

static inline bool
ip_parse_v6(const uint8_t *p, uint32_t len, struct ip_packet *ip)
{
	if (len < IP6_HEADER)
		return false;
	ip->header = IP6_HEADER;
	ip->length = IP6_HEADER + get_be16(p + IP6_PAYLOAD);
	ip->final_at = IP6_DESTINATION;
	ip->next_at = IP6_NEXT;
	ip->next = p[IP6_NEXT];
	ip->tos = ip_tos(p, 6);
	ip->fragment = false;
	/* A payload of 0 bytes has no room for options: it is a jumbogram (RFC 2675, 3). */
	return ip->length <= len && (ip->length != IP6_HEADER || ip->next != IP_HOP_BY_HOP);
}

/** Look at the IP header in @p len bytes. false: version, header or length is wrong. */
static ALWAYS_INLINE bool
ip_parse(const uint8_t *p, uint32_t len, struct ip_packet *ip)
{
	ip->version = len > 0 ? p[0] >> 4 : 0;
	if (ip->version == 4)
		return ip_parse_v4(p, len, ip);
	return ip->version == 6 && ip_parse_v6(p, len, ip);
}

/** True if a routing header that was walked over in an IPv6 packet has segments left. */
static inline bool
ip_routed(const struct ip_packet *ip)
{
	return ip->version == 6 && ip->final_at != IP6_DESTINATION;
}

bool ip_extensions_v6(const uint8_t *p, struct ip_packet *ip, enum ip_walk walk);

/**
 * Look at the extension headers of a parsed IPv6 packet; IPv4 has none. A fragment header ends the
 * walk.
 *
 * @return false: an extension header is longer than the packet, or not where it may be.
 */
static ALWAYS_INLINE bool
ip_extensions(const uint8_t *p, struct ip_packet *ip, enum ip_walk walk)
{
	struct ip_packet copy; /* lets the caller's struct stay in registers */
	bool whole;

	if (likely(ip->version == 4))
		return true;
	copy = *ip;
	whole = ip_extensions_v6(p, &copy, walk);
	*ip = copy;
	return whole;
}

/** Fold a sum of 16-bit words in one's complement. */
static inline uint16_t
ip_fold(uint32_t sum)
{
	sum = (sum & UINT16_MAX) + (sum >> 16);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	return (uint16_t)sum;
}

/** Return the folded sum of 16-bit words in one's complement. @param sum the sum to begin with. */
uint16_t ip_sum(const uint8_t *p, uint32_t len, uint32_t sum);

/** True if the checksum of an IPv4 header is right. */
bool ip4_checksum_ok(const uint8_t *p);
/** Make the checksum of an IPv4 header. */
void ip4_checksum(uint8_t *p);

/** Set the length of a packet whose headers were looked at, and what follows them. The checksum is
 * made anew. */
void ip_set(uint8_t *p, const struct ip_packet *ip, uint32_t length, uint8_t next);

/** Set TOS byte or traffic class, and adapt the checksum (RFC 1624). */
void ip_set_tos(uint8_t *p, unsigned int version, uint8_t tos);

/** Lower TTL or hop limit by 1, and adapt the checksum. false: the TTL is 0 or 1. */
bool ip_lower_ttl(uint8_t *p, unsigned int version);

/**
 * Decapsulate ECN (RFC 6040, figure 4).
 *
 * @param inner the TOS byte; its ECN is changed.
 * @return false: the packet is to be dropped.
 */
bool ip_ecn(uint8_t *inner, uint8_t outer);

/**
 * Find the end of a source route in an IPv4 header (RFC 791, 3.1).
 *
 * @param header bytes of the header.
 * @return where the final destination is: the last address of a route that is not done, else that
 *         of the header. IP_FINAL_UNKNOWN: an option does not fit.
 */
uint32_t ip4_final_at(const uint8_t *p, uint32_t header);

/** Return the bytes of an option of IPv4 that begins at @p option, 0 if @p left bytes do not hold
 * it. */
uint32_t ip4_option_len(const uint8_t *option, uint32_t left);

/* These options of IPv4 (RFC 791) have a meaning here. */
#define IP4_OPTION_END 0u
#define IP4_OPTION_NOP 1u
#define IP4_OPTION_LOOSE_ROUTE 131u
#define IP4_OPTION_STRICT_ROUTE 137u

/* Says what is known of the checksum of TCP or UDP. */
enum ip_l4 {
	IP_L4_NONE, /* the packet has none: another protocol, a fragment, UDP without checksum */
	IP_L4_GOOD,
	IP_L4_BAD,
	IP_L4_HIDDEN, /* headers that are malformed or not known stand before it, or cut it */
};

/** Check the checksum of TCP or UDP in a whole packet that was parsed. */
enum ip_l4 ip_l4_check(const uint8_t *p, struct ip_packet ip);
/**
 * Make the checksum of TCP or UDP in a whole packet that was parsed, if it has one.
 *
 * @return false: the packet has a checksum that cannot be made.
 */
bool ip_l4_make(uint8_t *p, struct ip_packet ip);

#endif /* ACCEL_MODEL_IPSEC_PACKET_H */
