/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Packets of IPsec's reference: see ref_ipsec.h. A packet is taken apart into what stands before
 * IPsec's header and what is protected, and put together again.
 */
#include <string.h>

#include "ref_ipsec.h"
#include "ref_ipsec_crypto.h"

#define IPPROTO_OF_HOPOPTS 0
#define IPPROTO_OF_IPV4 4
#define IPPROTO_OF_TCP 6
#define IPPROTO_OF_UDP 17
#define IPPROTO_OF_IPV6 41
#define IPPROTO_OF_ROUTING 43
#define IPPROTO_OF_FRAGMENT 44
#define IPPROTO_OF_ESP 50
#define IPPROTO_OF_AH 51
#define IPPROTO_OF_NONE 59
#define IPPROTO_OF_DSTOPTS 60

/* An IP packet, as far as its own headers say. */
struct ip {
	unsigned int version;
	size_t header; /* bytes up to the first header that is not IP's or an extension */
	size_t end; /* bytes of the packet */
	size_t next_at; /* where the number of the next header stands */
	bool fragment;
	bool routed; /* a routing header that is not done */
};

static uint32_t
get(const uint8_t *from, unsigned int bytes)
{
	uint32_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | *from++;
	return value;
}

static void
put(uint8_t *to, uint64_t value, unsigned int bytes)
{
	while (bytes-- > 0)
		*to++ = (uint8_t)(value >> (8 * bytes));
}

size_t
ref_ipsec_iv_len(const struct ref_ipsec_sa *sa)
{
	if (sa->cipher == REF_IPSEC_AES_CBC)
		return 16;
	return sa->cipher != REF_IPSEC_NULL || sa->auth == REF_IPSEC_AES_GMAC ? 8 : 0;
}

size_t
ref_ipsec_align(const struct ref_ipsec_sa *sa)
{
	return sa->cipher == REF_IPSEC_AES_CBC ? 16 :
	       sa->cipher == REF_IPSEC_DES_CBC || sa->cipher == REF_IPSEC_3DES_CBC ? 8 : 4;
}

/* RFC 1071: the sum of words of 16 bits with the carries added again. */
static uint32_t
sum(uint32_t begin, const uint8_t *data, size_t len)
{
	uint64_t total = begin;

	for (size_t i = 0; i < len; i++)
		total += (uint64_t)data[i] << (i % 2 == 0 ? 8 : 0);
	while (total > 0xffff)
		total = (total & 0xffff) + (total >> 16);
	return (uint32_t)total;
}

uint16_t
ref_ipsec_checksum(const uint8_t *data, size_t len)
{
	return (uint16_t)~sum(0, data, len);
}

static void
ipv4_checksum(uint8_t *packet)
{
	put(packet + 10, 0, 2);
	put(packet + 10, ref_ipsec_checksum(packet, 4 * (size_t)(packet[0] & 15)), 2);
}

/* The bytes of an extension header at a place (RFC 8200 section 4); 0: it does not fit. */
static size_t
extension(const uint8_t *packet, size_t at, size_t end)
{
	size_t bytes = at + 8 <= end ? 8 * ((size_t)packet[at + 1] + 1) : 0;

	return at + bytes <= end ? bytes : 0;
}

/* How far extension headers are looked at: not (a tunnel carries what it is given), up to ESP or
 * AH, or up to the place of it. */
enum walk { WALK_NONE, WALK_ALL, WALK_INSERT };

/* Walks over the extension headers of IPv6. With WALK_INSERT the header ends where IPsec's is
 * inserted in transport mode (RFC 4303 section 3.1.1): behind the last hop-by-hop or routing
 * header, so that destination options only stand before it if a routing header follows them. */
static bool
walk_ipv6(const uint8_t *packet, enum walk walk, struct ip *ip)
{
	struct ip place = *ip;

	for (;;) {
		const uint8_t next = packet[ip->next_at];
		size_t bytes;

		if (next == IPPROTO_OF_FRAGMENT)
			ip->fragment = true;
		if (next != IPPROTO_OF_HOPOPTS && next != IPPROTO_OF_ROUTING &&
		    next != IPPROTO_OF_DSTOPTS)
			break;
		bytes = extension(packet, ip->header, ip->end);
		if (bytes == 0)
			return false;
		if (next == IPPROTO_OF_ROUTING && packet[ip->header + 3] != 0)
			ip->routed = true;
		ip->next_at = ip->header;
		ip->header += bytes;
		if (next != IPPROTO_OF_DSTOPTS)
			place = *ip;
	}
	if (walk == WALK_INSERT) {
		ip->next_at = place.next_at;
		ip->header = place.header;
	}
	return true;
}

/* Reads the headers of a packet that lies in len bytes. */
static bool
parse(const uint8_t *packet, size_t len, enum walk walk, struct ip *ip)
{
	memset(ip, 0, sizeof(*ip));
	if (len < 1)
		return false;
	ip->version = packet[0] >> 4;
	if (ip->version == 4) {
		if (len < 20)
			return false;
		ip->header = 4 * (size_t)(packet[0] & 15);
		ip->end = get(packet + 2, 2);
		ip->next_at = 9;
		ip->fragment = (get(packet + 6, 2) & 0x3fff) != 0; /* MF, offset */
		return ip->header >= 20 && ip->end >= ip->header && ip->end <= len;
	}
	if (ip->version != 6 || len < 40)
		return false;
	ip->header = 40;
	ip->end = 40 + get(packet + 4, 2);
	ip->next_at = 6;
	if (ip->end == 40 && packet[6] == IPPROTO_OF_HOPOPTS) /* RFC 2675: a jumbogram */
		return false;
	return ip->end <= len && (walk == WALK_NONE || walk_ipv6(packet, walk, ip));
}

/* Gives a packet its length and checksum. */
static bool
finish_header(uint8_t *packet, size_t len)
{
	const size_t counted = packet[0] >> 4 == 4 ? len : len - 40;

	if (counted > 65535)
		return false;
	put(packet + (packet[0] >> 4 == 4 ? 2 : 4), counted, 2);
	if (packet[0] >> 4 == 4)
		ipv4_checksum(packet);
	return true;
}

/* DSCP and ECN, TOS of IPv4 or traffic class of IPv6. */
static uint8_t
traffic_class(const uint8_t *packet)
{
	return packet[0] >> 4 == 4 ? packet[1] : (uint8_t)(packet[0] << 4 | packet[1] >> 4);
}

/* A checksum of IPv4 is adapted (RFC 1624 equation 3), so that a wrong one stays wrong. */
static void
set_traffic_class(uint8_t *packet, uint8_t value)
{
	if (packet[0] >> 4 == 4) {
		const uint16_t before = (uint16_t)~get(packet + 10, 2);
		const uint8_t words[] = { (uint8_t)(before >> 8), (uint8_t)before,
					  (uint8_t)~packet[0], (uint8_t)~packet[1], packet[0],
					  value };

		packet[1] = value;
		put(packet + 10, ref_ipsec_checksum(words, sizeof(words)), 2);
		return;
	}
	packet[0] = (uint8_t)((packet[0] & 0xf0) | value >> 4);
	packet[1] = (uint8_t)(value << 4 | (packet[1] & 0x0f));
}

void
ref_ipsec_l4_checksum(uint8_t *packet, size_t len)
{
	const bool v4 = packet[0] >> 4 == 4;
	const size_t header = v4 ? 4 * (size_t)(packet[0] & 15) : 40;
	const uint8_t proto = packet[v4 ? 9 : 6];
	const size_t at = header + (proto == IPPROTO_OF_TCP ? 16 : 6);
	uint8_t tail[4];
	uint16_t value;

	if ((v4 && (get(packet + 6, 2) & 0x3fff) != 0) || at + 2 > len ||
	    (proto != IPPROTO_OF_TCP && proto != IPPROTO_OF_UDP))
		return;
	put(packet + at, 0, 2);
	put(tail, len - header, 2);
	put(tail + 2, proto, 2);
	value = (uint16_t)~sum(sum(sum(0, packet + (v4 ? 12 : 8), v4 ? 8 : 32), tail, 4),
			       packet + header, len - header);
	if (value == 0 && proto == IPPROTO_OF_UDP)
		value = 0xffff; /* RFC 768: 0 says that there is none */
	put(packet + at, value, 2);
}

/* The outer header of tunnel mode (RFC 4301 section 5.1.2). */
static size_t
make_outer(const struct ref_ipsec_sa *sa, uint64_t number, const uint8_t *inner, uint8_t *out)
{
	const bool v4 = sa->outer[0] >> 4 == 4, inner4 = inner[0] >> 4 == 4;
	const uint8_t own = traffic_class(sa->outer), other = traffic_class(inner);

	memcpy(out, sa->outer, v4 ? 20 : 40);
	set_traffic_class(out, (uint8_t)(((sa->copy_dscp ? other : own) & 0xfc) |
					 ((sa->copy_ecn ? other : own) & 0x03)));
	if (v4)
		put(out + 4, number & 0xffff, 2);
	if (v4 && inner4 && sa->copy_df)
		out[6] = (uint8_t)((out[6] & ~0x40) | (inner[6] & 0x40));
	if (!v4 && !inner4 && sa->copy_flabel) {
		out[1] = (uint8_t)((out[1] & 0xf0) | (inner[1] & 0x0f));
		memcpy(out + 2, inner + 2, 2);
	}
	return v4 ? 20 : 40;
}

/* TTL or hop limit, and the header's checksum. */
static bool
lower_ttl(uint8_t *packet)
{
	uint8_t *ttl = packet + (packet[0] >> 4 == 4 ? 8 : 7);

	if (*ttl <= 1)
		return false;
	--*ttl;
	if (packet[0] >> 4 == 4)
		ipv4_checksum(packet);
	return true;
}

/* What ESP's ICV or AAD begins with: SPI and number (RFC 4303 section 2, RFC 4106 section 5). */
static size_t
aad_of(const struct ref_ipsec_sa *sa, uint64_t number, uint8_t aad[12])
{
	put(aad, sa->spi, 4);
	put(aad + 4, number, sa->esn ? 8 : 4);
	return sa->esn ? 12 : 8;
}

/* The ICV of ESP without an AEAD. esp begins with the SPI and has len bytes before the ICV. */
static bool
esp_mac(const struct ref_ipsec_sa *sa, uint64_t number, const uint8_t *esp, size_t len,
	uint8_t *icv)
{
	static uint8_t message[REF_IPSEC_ROOM + 16];
	size_t n;

	if (sa->auth == REF_IPSEC_AES_GMAC) { /* RFC 4543 section 3.3: the IV is a part */
		n = aad_of(sa, number, message);
		memcpy(message + n, esp + 8, len - 8);
		return ref_ipsec_mac(sa, esp + 8, message, n + len - 8, icv);
	}
	memcpy(message, esp, len);
	n = len;
	if (sa->esn) { /* RFC 4303 section 2.2.1: the upper half comes last */
		put(message + n, number >> 32, 4);
		n += 4;
	}
	return ref_ipsec_mac(sa, NULL, message, n, icv);
}

/* Puts ESP behind the bytes before it. Returns the length of ESP. */
static size_t
make_esp(const struct ref_ipsec_sa *sa, uint64_t number, const uint8_t *iv, uint8_t next,
	 const uint8_t *payload, size_t len, uint8_t *esp)
{
	const size_t iv_len = ref_ipsec_iv_len(sa), align = ref_ipsec_align(sa);
	const size_t pad = (align - (len + 2) % align) % align;
	uint8_t *text = esp + 8 + iv_len, aad[12];
	size_t text_len = len;

	put(esp, sa->spi, 4);
	put(esp + 4, number & 0xffffffff, 4);
	if (iv_len > 0)
		memcpy(esp + 8, iv, iv_len);
	memcpy(text, payload, len);
	for (size_t i = 0; i < pad; i++)
		text[text_len++] = (uint8_t)(i + 1);
	text[text_len++] = (uint8_t)pad;
	text[text_len++] = next;
	if (ref_ipsec_is_aead(sa->cipher)) {
		if (!ref_ipsec_aead(sa, true, iv, aad, aad_of(sa, number, aad), text, text_len,
				    text + text_len))
			return 0;
	} else if (!ref_ipsec_cipher(sa, true, iv, text, text_len) ||
		   !esp_mac(sa, number, esp, 8 + iv_len + text_len, text + text_len)) {
		return 0;
	}
	return 8 + iv_len + text_len + sa->icv_len;
}

/* Sets to 0 the options of an extension header that may change on the way (RFC 4302 section
 * 3.3.3.1.2.2). */
static void
zero_options(uint8_t *header, size_t bytes)
{
	for (size_t i = 2; i + 1 < bytes;) {
		if (header[i] == 0) { /* Pad1 */
			i++;
			continue;
		}
		if ((header[i] & 0x20) != 0 && i + 2 + header[i + 1] <= bytes)
			memset(header + i + 2, 0, header[i + 1]);
		i += 2 + (size_t)header[i + 1];
	}
}

/* IPv4 options that stay as they are: RFC 4302 appendix A1. */
static bool
immutable(uint8_t option)
{
	return option == 130 || option == 133 || option == 134 || option == 148 || option == 149;
}

/* Sets to 0 what may change on the way (RFC 4302 section 3.3.3.1) in the headers before AH. */
static void
zero_mutable(uint8_t *packet, size_t header)
{
	if (packet[0] >> 4 == 4) {
		packet[1] = 0;
		memset(packet + 6, 0, 3);
		memset(packet + 10, 0, 2);
		for (size_t i = 20; i < header && packet[i] != 0;) {
			size_t bytes = packet[i] == 1 || i + 1 >= header ? 1 : packet[i + 1];

			if (bytes == 0 || i + bytes > header)
				return;
			if (packet[i] != 1 && !immutable(packet[i]))
				memset(packet + i, 0, bytes);
			i += bytes;
		}
		return;
	}
	put(packet, 0x60000000, 4);
	packet[7] = 0;
	for (size_t at = 40, next_at = 6; at < header;) {
		size_t bytes = 8 * ((size_t)packet[at + 1] + 1);

		if (packet[next_at] != IPPROTO_OF_ROUTING)
			zero_options(packet + at, bytes);
		next_at = at;
		at += bytes;
	}
}

/* Bytes of AH with its padding, which belongs to the ICV's field. */
static size_t
ah_bytes(const struct ref_ipsec_sa *sa, unsigned int version)
{
	const size_t align = version == 4 ? 4 : 8;
	const size_t bytes = 12 + ref_ipsec_iv_len(sa) + sa->icv_len;

	return (bytes + align - 1) / align * align;
}

/* The ICV of a whole packet whose AH begins at a place. The ICV counts as zeros, the padding behind
 * it (RFC 4302 section 3.3.3.2.1) and GMAC's IV before it (RFC 4543 section 4) as they are. */
static bool
ah_mac(const struct ref_ipsec_sa *sa, uint64_t number, const uint8_t *packet, size_t len, size_t at,
       uint8_t *icv)
{
	static uint8_t message[REF_IPSEC_ROOM + 16];
	size_t n = len;

	memcpy(message, packet, len);
	zero_mutable(message, at);
	memset(message + at + 12 + ref_ipsec_iv_len(sa), 0, sa->icv_len);
	if (sa->esn) {
		put(message + n, number >> 32, 4);
		n += 4;
	}
	return ref_ipsec_mac(sa, packet + at + 12, message, n, icv);
}

/* Puts AH behind the header of a packet, and what is protected behind it. */
static bool
make_ah(const struct ref_ipsec_sa *sa, uint64_t number, const uint8_t *iv, uint8_t next,
	const uint8_t *payload, size_t len, uint8_t *packet, size_t header, size_t *out_len)
{
	const size_t bytes = ah_bytes(sa, packet[0] >> 4), iv_len = ref_ipsec_iv_len(sa);
	uint8_t *ah = packet + header;

	memset(ah, 0, bytes);
	ah[0] = next;
	ah[1] = (uint8_t)(bytes / 4 - 2);
	put(ah + 4, sa->spi, 4);
	put(ah + 8, number & 0xffffffff, 4);
	if (iv_len > 0)
		memcpy(ah + 12, iv, iv_len);
	memcpy(ah + bytes, payload, len);
	*out_len = header + bytes + len;
	return finish_header(packet, *out_len) &&
	       ah_mac(sa, number, packet, *out_len, header, ah + 12 + iv_len);
}

/* What is done to the inner packet before it is protected. */
static bool
prepare_inner(const struct ref_ipsec_sa *sa, uint8_t *inner, size_t len)
{
	if (sa->inner_l4_checksum)
		ref_ipsec_l4_checksum(inner, len);
	if (sa->inner_ip_checksum && inner[0] >> 4 == 4)
		ipv4_checksum(inner);
	return !sa->tunnel || !sa->dec_ttl || lower_ttl(inner);
}

enum ref_ipsec_result
ref_ipsec_send(const struct ref_ipsec_sa *sa, uint64_t number, const uint8_t *iv, const uint8_t *in,
	       size_t len, uint8_t *out, size_t *out_len)
{
	static uint8_t inner[REF_IPSEC_ROOM];
	size_t header, next_at, skip = 0, bytes;
	struct ip ip;
	uint8_t next;

	if (len > 65575 || !parse(in, len, sa->tunnel ? WALK_NONE : WALK_INSERT, &ip) ||
	    (ip.fragment && !sa->tunnel) || (ip.routed && sa->ah && !sa->tunnel))
		return REF_IPSEC_MALFORMED;
	memcpy(inner, in, ip.end);
	if (sa->tunnel) {
		header = make_outer(sa, number, inner, out);
		next_at = header == 20 ? 9 : 6;
		next = ip.version == 4 ? IPPROTO_OF_IPV4 : IPPROTO_OF_IPV6;
	} else {
		header = skip = ip.header;
		next_at = ip.next_at;
		next = inner[next_at];
	}
	if (!prepare_inner(sa, inner, ip.end))
		return REF_IPSEC_MALFORMED;
	memcpy(out, inner, skip);
	out[next_at] = sa->ah ? IPPROTO_OF_AH : sa->udp ? IPPROTO_OF_UDP : IPPROTO_OF_ESP;
	if (sa->ah)
		return make_ah(sa, number, iv, next, inner + skip, ip.end - skip, out, header,
			       out_len) ? REF_IPSEC_OK : REF_IPSEC_MALFORMED;
	bytes = make_esp(sa, number, iv, next, inner + skip, ip.end - skip,
			 out + header + (sa->udp ? 8 : 0));
	if (sa->udp) {
		put(out + header, sa->udp_source, 2);
		put(out + header + 2, sa->udp_destination, 2);
		put(out + header + 4, 8 + bytes, 2);
		put(out + header + 6, 0, 2);
		header += 8;
	}
	*out_len = header + bytes;
	return bytes != 0 && finish_header(out, *out_len) ? REF_IPSEC_OK : REF_IPSEC_MALFORMED;
}

/* A packet that is being opened. */
struct opened {
	struct ip ip; /* the outer packet */
	size_t at; /* where SPI or AH begins */
	uint8_t next; /* what is protected: */
	const uint8_t *payload;
	size_t len;
};

/* Finds ESP or AH and its SPI. */
static enum ref_ipsec_result
find_ipsec(const struct ref_ipsec_sa *sa, const uint8_t *in, struct opened *o)
{
	const uint8_t proto = in[o->ip.next_at];

	o->at = o->ip.header + (sa->udp ? 8 : 0);
	if (o->at + (sa->ah ? 12 : 8) > o->ip.end)
		return REF_IPSEC_MALFORMED;
	if (proto != (sa->ah ? IPPROTO_OF_AH : sa->udp ? IPPROTO_OF_UDP : IPPROTO_OF_ESP))
		return REF_IPSEC_MISMATCH;
	if (sa->udp && get(in + o->ip.header + 4, 2) != o->ip.end - o->ip.header)
		return REF_IPSEC_MISMATCH;
	return get(in + o->at + (sa->ah ? 4 : 0), 4) == sa->spi ? REF_IPSEC_OK :
								 REF_IPSEC_MISMATCH;
}

static enum ref_ipsec_result
open_esp(const struct ref_ipsec_sa *sa, uint64_t number, const uint8_t *in, struct opened *o)
{
	static uint8_t esp[REF_IPSEC_ROOM];
	const size_t iv_len = ref_ipsec_iv_len(sa), bytes = o->ip.end - o->at;
	const size_t block = ref_ipsec_align(sa) > 4 ? ref_ipsec_align(sa) : 1;
	uint8_t *text = esp + 8 + iv_len, *icv, aad[12], own[64];
	size_t len, pad;

	if (bytes < 8 + iv_len + 2 + sa->icv_len)
		return REF_IPSEC_MALFORMED;
	len = bytes - 8 - iv_len - sa->icv_len;
	if (len % block != 0)
		return REF_IPSEC_MALFORMED;
	memcpy(esp, in + o->at, bytes);
	icv = text + len;
	if (ref_ipsec_is_aead(sa->cipher)) {
		if (!ref_ipsec_aead(sa, false, esp + 8, aad, aad_of(sa, number, aad), text, len,
				    icv))
			return REF_IPSEC_AUTH_FAILED;
	} else if (!esp_mac(sa, number, esp, bytes - sa->icv_len, own) ||
		   memcmp(own, icv, sa->icv_len) != 0 ||
		   !ref_ipsec_cipher(sa, false, esp + 8, text, len)) {
		return REF_IPSEC_AUTH_FAILED;
	}
	pad = text[len - 2];
	o->next = text[len - 1];
	o->payload = text;
	if (pad + 2 > len)
		return REF_IPSEC_MALFORMED;
	o->len = len - 2 - pad;
	return o->next == IPPROTO_OF_NONE ? REF_IPSEC_DUMMY : REF_IPSEC_OK;
}

static enum ref_ipsec_result
open_ah(const struct ref_ipsec_sa *sa, uint64_t number, const uint8_t *in, struct opened *o)
{
	const size_t bytes = ah_bytes(sa, o->ip.version);
	const uint8_t *ah = in + o->at;
	uint8_t own[64];

	if (o->at + bytes > o->ip.end || 4 * ((size_t)ah[1] + 2) != bytes || o->ip.routed)
		return REF_IPSEC_MALFORMED;
	if (!ah_mac(sa, number, in, o->ip.end, o->at, own) ||
	    memcmp(own, ah + 12 + ref_ipsec_iv_len(sa), sa->icv_len) != 0)
		return REF_IPSEC_AUTH_FAILED;
	o->next = ah[0];
	o->payload = ah + bytes;
	o->len = o->ip.end - o->at - bytes;
	return REF_IPSEC_OK;
}

/* RFC 6040 figure 4. Returns the inner ECN, or -1 for a packet that is dropped. */
static int
decapsulated_ecn(int inner, int outer)
{
	enum { NOT_ECT, ECT_1, ECT_0, CE };

	if (inner == NOT_ECT)
		return outer == CE ? -1 : NOT_ECT;
	if (outer == CE || inner == CE)
		return CE;
	return outer == ECT_1 ? ECT_1 : inner;
}

/* Takes the inner packet of a tunnel. */
static enum ref_ipsec_result
take_inner(const struct ref_ipsec_sa *sa, const uint8_t *in, const struct opened *o, uint8_t *out,
	   size_t *out_len)
{
	const uint8_t outer = traffic_class(in);
	uint8_t own;
	struct ip ip;
	int ecn;

	if (o->next != IPPROTO_OF_IPV4 && o->next != IPPROTO_OF_IPV6)
		return REF_IPSEC_MALFORMED;
	if (!parse(o->payload, o->len, WALK_NONE, &ip) ||
	    ip.version != (o->next == IPPROTO_OF_IPV4 ? 4 : 6))
		return REF_IPSEC_MALFORMED;
	memcpy(out, o->payload, ip.end);
	*out_len = ip.end;
	own = traffic_class(out);
	ecn = sa->take_ecn ? decapsulated_ecn(own & 3, outer & 3) : own & 3;
	if (ecn < 0)
		return REF_IPSEC_MALFORMED;
	if (sa->take_ecn || sa->take_dscp)
		set_traffic_class(out, (uint8_t)(((sa->take_dscp ? outer : own) & 0xfc) | ecn));
	return REF_IPSEC_OK;
}

enum ref_ipsec_result
ref_ipsec_open(const struct ref_ipsec_sa *sa, uint32_t high, const uint8_t *in, size_t len,
	       uint32_t *number, uint8_t *out, size_t *out_len)
{
	enum ref_ipsec_result result;
	struct opened o;

	if (!parse(in, len, WALK_ALL, &o.ip) || o.ip.fragment)
		return REF_IPSEC_MALFORMED;
	result = find_ipsec(sa, in, &o);
	if (result != REF_IPSEC_OK)
		return result;
	*number = get(in + o.at + (sa->ah ? 8 : 4), 4);
	result = (sa->ah ? open_ah : open_esp)(sa, (uint64_t)high << 32 | *number, in, &o);
	if (result != REF_IPSEC_OK)
		return result;
	if (sa->tunnel)
		return take_inner(sa, in, &o, out, out_len);
	memcpy(out, in, o.ip.header);
	memcpy(out + o.ip.header, o.payload, o.len);
	out[o.ip.next_at] = o.next;
	*out_len = o.ip.header + o.len;
	return finish_header(out, *out_len) ? REF_IPSEC_OK : REF_IPSEC_MALFORMED;
}
