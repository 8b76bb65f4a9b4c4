/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Outbound packets of ESP and AH: their checks, and all that is put around the payload.
 */
#include <string.h>

#include "ipsec/ipsec_work.h"

/* Says where the parts of an output are. */
struct layout {
	uint32_t moved; /* transport mode: bytes of the packet's own headers, which stay in front */
	uint32_t data; /* bytes of the packet after these headers */
	uint32_t before; /* bytes of the output before data */
	uint32_t len; /* bytes of what is protected, ESP's trailer included */
	uint32_t total;
	uint8_t version; /* IP version of the header before ESP or AH */
};

/* Make the layout for a packet of @p length bytes, which look() has accepted. */
static ALWAYS_INLINE struct layout
lay_out(const struct ipsec_sa *sa, const struct ip_packet *ip, uint32_t length)
{
	struct layout l = { .version = sa->outer_len == IP6_HEADER ? 6 : 4 };
	const bool esp = sa->kind == ACCEL_HW_KIND_ESP;

	if (unlikely(sa->outer_len == 0)) {
		l.moved = ip->header;
		l.version = ip->version;
	}
	l.data = length - l.moved;
	if (likely(esp)) {
		l.before = sa->front + l.moved;
		l.len = round_up(l.data + ESP_TRAILER, sa->align);
		l.total = l.before + l.len + sa->icv_len;
	} else {
		l.before = sa->outer_len + ipsec_ah_len(sa, l.version) + l.moved;
		l.len = l.data;
		l.total = l.before + l.len;
	}
	return l;
}

/* The functions below check the packet. */

/* Parse the packet. Only transport mode needs its extension headers. */
static bool
look(const struct ipsec_sa *sa, const uint8_t *p, uint32_t len, struct ip_packet *ip)
{
	if (!ip_parse(p, len, ip))
		return false;
	return sa->outer_len != 0 || ip_extensions(p, ip, IP_WALK_INSERT);
}

/* Do the rest of check 2 of manual 8.6. This lowers the TTL in the head. */
static ALWAYS_INLINE bool
packet_ok(const struct ipsec_sa *sa, uint8_t *p, const struct ip_packet *ip,
	  const struct layout *l)
{
	if (unlikely(l->total > IP_LENGTH_MAX) &&
	    l->total - (l->version == 6 ? IP6_HEADER : 0) > IP_LENGTH_MAX)
		return false;
	if (unlikely(sa->outer_len == 0)) {
		if (ip->fragment)
			return false;
		if (sa->kind == ACCEL_HW_KIND_AH &&
		    (ip_routed(ip) || !ipsec_ah_options(p, ip->version, ip->header)))
			return false;
	}
	return !ipsec_has(sa, ACCEL_HW_IPSEC_DEC_TTL) || ip_lower_ttl(p, ip->version);
}

/* The functions below make the packet. */

/* Fill in the outer IPv6 header of tunnel mode (IPS-13). */
static __attribute__((noinline)) void
put_outer_v6(const struct ipsec_sa *sa, uint8_t *to, uint32_t total, uint8_t tos,
	     const uint8_t *inner, const struct ip_packet *ip)
{
	memcpy(to, sa->outer, IP6_HEADER);
	ip_set_tos(to, 6, tos);
	put_be16(to + IP6_PAYLOAD, total - IP6_HEADER);
	if (ipsec_has(sa, ACCEL_HW_IPSEC_COPY_FLABEL) && ip->version == 6) {
		to[1] = (uint8_t)((to[1] & 0xf0) | (inner[1] & 0x0f));
		memcpy(to + 2, inner + 2, 2);
	}
}

/* Fill in the outer IPv4 header. Its checksum is made of the sum of the constant part and of the
 * fields that are set here. */
static void
put_outer_v4(const struct ipsec_sa *sa, uint8_t *to, uint32_t total, uint8_t tos,
	     uint64_t number, const uint8_t *inner, const struct ip_packet *ip)
{
	uint8_t df = sa->outer[IP4_FRAGMENT];

	if (ipsec_has(sa, ACCEL_HW_IPSEC_COPY_DF) && ip->version == 4)
		df = inner[IP4_FRAGMENT] & IP4_DF;
	memcpy(to, sa->outer, IP4_HEADER);
	to[IP4_TOS] = tos;
	put_be16(to + IP4_TOTAL, total);
	put_be16(to + IP4_ID, (uint32_t)number);
	to[IP4_FRAGMENT] = df;
	put_be16(to + IP4_CHECKSUM, (uint16_t)~ip_fold((uint32_t)sa->outer_sum + tos + total +
						       (uint16_t)number + ((uint32_t)df << 8)));
}

/* Fill in the outer header of tunnel mode (IPS-13). */
static ALWAYS_INLINE void
put_outer(const struct ipsec_sa *sa, uint8_t *to, const struct layout *l, uint64_t number,
	  const uint8_t *inner, const struct ip_packet *ip)
{
	const uint8_t mask = sa->tos_mask;
	const uint8_t tos = (uint8_t)((ip_tos(sa->outer, l->version) & ~mask) | (ip->tos & mask));

	if (l->version == 6)
		put_outer_v6(sa, to, l->total, tos, inner, ip);
	else
		put_outer_v4(sa, to, l->total, tos, number, inner, ip);
}

/* Fill in the UDP header (RFC 3948). It has no checksum. */
static __attribute__((noinline)) void
put_udp(const struct ipsec_sa *sa, uint8_t *to, uint32_t len)
{
	memcpy(to, &sa->udp_source, 2);
	memcpy(to + 2, &sa->udp_destination, 2);
	put_be16(to + 4, len);
	put_be16(to + 6, 0);
}

/* Return the number of the protocol that is protected. */
static uint8_t
next_of(const struct ipsec_sa *sa, const struct ip_packet *ip)
{
	if (sa->outer_len == 0)
		return ip->next;
	return ip->version == 4 ? IP_IPV4 : IP_IPV6;
}

/* These are the bytes of padding (IPS-18). A packet takes less than a block of them. */
static const uint8_t esp_padding[ACCEL_HW_IV_MAX] = { 1, 2,  3,	 4,  5,	 6,  7,	 8,
						      9, 10, 11, 12, 13, 14, 15, 16 };

/* Put the padding in whole words. These may reach into the place of the trailer and the ICV. */
static ALWAYS_INLINE void
put_padding(const struct ipsec_sa *sa, uint8_t *to, uint32_t padding)
{
	const uint32_t word = sizeof(uint64_t);

	if (unlikely(sa->icv_len + ESP_TRAILER < word)) {
		/* gcc 14 has to see that there is no more to copy. */
		copy_short(to, esp_padding, padding % sizeof(esp_padding));
		return;
	}
	memcpy(to, esp_padding, word);
	if (padding > word)
		memcpy(to + word, esp_padding + word, word);
}

static ALWAYS_INLINE void
put_esp(const struct ipsec_sa *sa, uint8_t *payload, const struct layout *l, uint64_t number,
	const uint8_t *iv, uint8_t next)
{
	uint8_t *esp = payload - sa->iv_len - ESP_HEADER, *trailer = payload + l->data;
	const uint32_t padding = l->len - l->data - ESP_TRAILER;

	if (unlikely(sa->udp_len != 0))
		put_udp(sa, esp - UDP_HEADER,
			(uint32_t)(payload + l->len + sa->icv_len - (esp - UDP_HEADER)));
	memcpy(esp, &sa->spi, SPI_LEN);
	put_be32(esp + SPI_LEN, (uint32_t)number);
	ipsec_copy_iv(esp + ESP_HEADER, iv, sa->iv_len);
	put_padding(sa, trailer, padding);
	trailer[padding] = (uint8_t)padding;
	trailer[padding + 1] = next;
}

/* Fill in AH. The ICV and the padding after it are 0 (RFC 4302, 3.3.3.1). */
static __attribute__((noinline)) void
put_ah(const struct ipsec_sa *sa, struct op_ipsec *w, const uint8_t *iv, uint8_t next)
{
	uint8_t *ah = w->packet + w->header;
	const uint32_t len = w->payload - w->header;

	memset(ah, 0, len);
	ah[0] = next;
	ah[1] = (uint8_t)(len / 4 - 2);
	memcpy(ah + 4, &sa->spi, SPI_LEN);
	put_be32(ah + 8, (uint32_t)w->number);
	ipsec_copy_iv(ah + AH_HEADER, iv, sa->iv_len);
}

/* Put everything around the payload, which stays where it is. */
static ALWAYS_INLINE void
wrap(struct op *op, const struct ipsec_sa *sa, const struct ip_packet *ip,
     const struct ipsec_source *source, const struct layout *l, uint64_t number,
     const uint8_t *iv)
{
	uint8_t *payload = source->data + l->moved, *packet = payload - l->before;
	struct op_ipsec *w = &op->ipsec;

	w->number = number;
	w->header = sa->outer_len + l->moved;
	w->len = l->len;
	w->payload = l->before;
	w->packet = packet;
	w->version = l->version;
	w->next_at = ip->next_at;
	if (likely(sa->outer_len != 0)) {
		put_outer(sa, packet, l, number, source->head, ip);
	} else {
		memmove(packet, source->head, l->moved);
		ip_set(packet, ip, l->total, sa->protocol);
	}
	if (likely(sa->kind == ACCEL_HW_KIND_ESP))
		put_esp(sa, payload, l, number, iv, next_of(sa, ip));
	else
		put_ah(sa, w, iv, next_of(sa, ip));
}

/* Copy the lowered TTL from the head to the packet, and for IPv4 the header checksum, too. */
static void
put_ttl(const struct ipsec_source *source, unsigned int version)
{
	const uint32_t from = version == 4 ? IP4_TTL : IP6_HOPS;
	const uint32_t len = version == 4 ? IP4_CHECKSUM + 2 - IP4_TTL : 1;

	if (source->head != source->data)
		memcpy(source->data + from, source->head + from, len);
}

/* Make the checksums of the inner packet that context or command ask for. If they ask for any, the
 * packet is a copy. Return false if a checksum cannot be made. */
static bool
make_checksums(const struct op *op, const struct ipsec_sa *sa, uint8_t *p,
	       const struct ip_packet *ip)
{
	const uint32_t skip = op->cmd.skip;
	const uint32_t checksums = ACCEL_HW_IPSEC_IP_CHECKSUM | ACCEL_HW_IPSEC_L4_CHECKSUM;

	if (likely(((sa->options & checksums) | skip) == 0))
		return true;
	if (ip->version == 4 && (ipsec_has(sa, ACCEL_HW_IPSEC_IP_CHECKSUM) ||
				 (skip & ACCEL_HW_IPSEC_CMD_IP_CHECKSUM) != 0))
		ip4_checksum(p);
	if (ipsec_has(sa, ACCEL_HW_IPSEC_L4_CHECKSUM) ||
	    (skip & ACCEL_HW_IPSEC_CMD_L4_CHECKSUM) != 0)
		return ip_l4_make(p, *ip);
	return true;
}

/* Save the outer header of tunnel mode for AH, and clear what may change on the way. */
static __attribute__((noinline)) void
clear_mutable(struct op *op, const struct ipsec_sa *sa, uint8_t *copy)
{
	op->digest_to = copy - IPSEC_HEADROOM;
	memcpy(op->digest_to, op->ipsec.packet, sa->outer_len);
	ipsec_ah_clear(op->ipsec.packet, op->ipsec.version, op->ipsec.header, true);
}

/* Get the IV of the packet, unless IVs are counted. If this fails, no number is taken. */
static bool
get_iv(struct op_tools *tools, const struct op *op, const struct ipsec_sa *sa, uint8_t *iv)
{
	if (ipsec_has(sa, ACCEL_HW_IPSEC_IV_GIVEN))
		memcpy(iv, op->cmd.iv, ACCEL_HW_IV_MAX);
	else if (sa->nonce == IPSEC_NONCE_RANDOM)
		return iv_random_take(&tools->random, iv, sa->iv_len);
	return true;
}

enum accel_hw_status
ipsec_out_begin(struct op_tools *tools, struct op *op, struct ipsec_sa *sa,
		const struct ipsec_source *source)
{
	uint32_t len = source->len;
	uint8_t *head = source->head;
	enum accel_hw_status status = ACCEL_HW_OK;
	struct state_taken taken;
	uint8_t iv[ACCEL_HW_IV_MAX] = { 0 };
	struct ip_packet ip;
	struct layout l;

	if (unlikely(!look(sa, head, len, &ip))) {
		status = ACCEL_HW_MALFORMED;
	} else {
		if (sa->kind == ACCEL_HW_KIND_ESP && sa->outer_len == 0 &&
		    op->rx.bytes < lay_out(sa, &ip, len).total)
			return ACCEL_HW_OUTPUT_TOO_SMALL;
		len = ip.length;
		l = lay_out(sa, &ip, len);
		if (unlikely(!packet_ok(sa, head, &ip, &l) ||
			     !make_checksums(op, sa, source->data, &ip)))
			status = ACCEL_HW_MALFORMED;
		else if (unlikely(!get_iv(tools, op, sa, iv)))
			status = ACCEL_HW_ENGINE_ERROR;
	}
	status = state_take(&sa->rules, &sa->state, status, len, &taken);
	if (unlikely(status != ACCEL_HW_OK))
		return status;
	op->ipsec.info = taken.soft ? ACCEL_HW_IPSEC_INFO_SOFT : 0;
	if (taken.iv != 0) {
		put_be32(iv, (uint32_t)(taken.iv >> 32));
		put_be32(iv + 4, (uint32_t)taken.iv);
	}
	if (ipsec_has(sa, ACCEL_HW_IPSEC_DEC_TTL))
		put_ttl(source, ip.version);
	wrap(op, sa, &ip, source, &l, taken.number, iv);
	if (sa->kind == ACCEL_HW_KIND_AH)
		clear_mutable(op, sa, source->data);
	return ACCEL_HW_OK;
}
