/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Outbound packets of ESP and AH: their checks, and all that is put around the payload.
 */
#include <string.h>

#include "op/ipsec_work.h"
#include "op/op_span.h"

/* Lengths. */

static uint32_t
esp_around(const struct ipsec_sa *sa)
{
	return sa->udp_len + ESP_HEADER + sa->iv_len + sa->icv_len;
}

/* Bytes of the output for a packet of @p len bytes, of which @p header stay in front. */
static uint32_t
output_len(const struct ipsec_sa *sa, uint32_t len, uint32_t header)
{
	return sa->outer_len + header + esp_around(sa) +
	       round_up(len - header + ESP_TRAILER, sa->align);
}

/* How much padding a transport packet gets depends on its headers, so it is not known here. */
uint32_t
ipsec_out_room(const struct ipsec_sa *sa, uint32_t len)
{
	const bool v4 = sa->outer_len != 0 && !ipsec_has(sa, ACCEL_HW_IPSEC_OUTER_V6);

	if (sa->kind == ACCEL_HW_KIND_AH)
		return sa->outer_len + ipsec_ah_len(sa, v4 ? 4 : 6) + len;
	if (sa->outer_len != 0)
		return output_len(sa, len, 0);
	return esp_around(sa) + round_up(len + ESP_TRAILER, 4);
}

uint32_t
ipsec_out_len(const struct op *op, const struct ipsec_sa *sa)
{
	return op->ipsec.payload + op->ipsec.len +
	       (sa->kind == ACCEL_HW_KIND_ESP ? sa->icv_len : 0);
}

/* Checks. */

/* Look at the packet, as far as the mode asks for it. */
static bool
look(const struct ipsec_sa *sa, const uint8_t *p, uint32_t len, struct ip_packet *ip)
{
	if (!ip_parse(p, len, ip))
		return false;
	return sa->outer_len != 0 || ip_extensions(p, ip, IP_WALK_INSERT);
}

/* Version of the header in front of ESP or AH. */
static unsigned int
outer_version(const struct ipsec_sa *sa, const struct ip_packet *ip)
{
	return sa->outer_len == 0 ? ip->version : ipsec_has(sa, ACCEL_HW_IPSEC_OUTER_V6) ? 6 : 4;
}

/* Bytes of a packet that was looked at, with all that IPsec adds. */
static uint32_t
total_len(const struct ipsec_sa *sa, const struct ip_packet *ip)
{
	if (sa->kind == ACCEL_HW_KIND_AH)
		return sa->outer_len + ipsec_ah_len(sa, outer_version(sa, ip)) + ip->length;
	return output_len(sa, ip->length, sa->outer_len != 0 ? 0 : ip->header);
}

/* The rest of check 2. The TTL is lowered by it. */
static bool
packet_ok(const struct ipsec_sa *sa, uint8_t *p, const struct ip_packet *ip)
{
	const uint32_t total = total_len(sa, ip);

	if (total - (outer_version(sa, ip) == 6 ? IP6_HEADER : 0) > IP_LENGTH_MAX)
		return false;
	if (sa->outer_len == 0 && ip->fragment)
		return false;
	if (sa->kind == ACCEL_HW_KIND_AH && sa->outer_len == 0 &&
	    (ip->routed || !ipsec_ah_options(p, ip)))
		return false;
	return !ipsec_has(sa, ACCEL_HW_IPSEC_DEC_TTL) || ip_lower_ttl(p, ip->version);
}

/* The packet. */

/* Fill in the outer header of tunnel mode (IPS-13). */
static void
put_outer(const struct ipsec_sa *sa, uint8_t *to, uint32_t total, uint64_t number,
	  const uint8_t *inner, const struct ip_packet *ip)
{
	const unsigned int version = outer_version(sa, ip);
	uint8_t tos, mask = 0;

	memcpy(to, sa->outer, sa->outer_len);
	if (ipsec_has(sa, ACCEL_HW_IPSEC_COPY_DSCP))
		mask |= (uint8_t)~IP_ECN;
	if (ipsec_has(sa, ACCEL_HW_IPSEC_ECN))
		mask |= IP_ECN;
	tos = (uint8_t)((ip_tos(to, version) & ~mask) | (ip->tos & mask));
	ip_set_tos(to, version, tos);
	if (version == 6) {
		put_be16(to + IP6_PAYLOAD, total - IP6_HEADER);
		to[IP6_NEXT] = sa->udp_len != 0 ? IP_UDP : sa->protocol;
		if (ipsec_has(sa, ACCEL_HW_IPSEC_COPY_FLABEL) && ip->version == 6) {
			to[1] = (uint8_t)((to[1] & 0xf0) | (inner[1] & 0x0f));
			memcpy(to + 2, inner + 2, 2);
		}
		return;
	}
	put_be16(to + IP4_TOTAL, total);
	put_be16(to + IP4_ID, (uint32_t)number);
	if (ipsec_has(sa, ACCEL_HW_IPSEC_COPY_DF) && ip->version == 4)
		to[IP4_FRAGMENT] = inner[IP4_FRAGMENT] & IP4_DF;
	to[IP4_PROTOCOL] = sa->udp_len != 0 ? IP_UDP : sa->protocol;
	ip4_checksum(to);
}

/* RFC 3948: there is no checksum. */
static void
put_udp(const struct ipsec_sa *sa, uint8_t *to, uint32_t len)
{
	memcpy(to, &sa->udp_source, 2);
	memcpy(to + 2, &sa->udp_destination, 2);
	put_be16(to + 4, len);
	put_be16(to + 6, 0);
}

/* The number of what is protected. */
static uint8_t
next_of(const struct ipsec_sa *sa, const struct ip_packet *ip)
{
	if (sa->outer_len == 0)
		return ip->next;
	return ip->version == 4 ? IP_IPV4 : IP_IPV6;
}

static void
put_esp(const struct ipsec_sa *sa, struct op_ipsec *w, const uint8_t *iv, uint32_t data,
	uint8_t next)
{
	uint8_t *payload = w->packet + w->payload;
	uint8_t *esp = payload - sa->iv_len - ESP_HEADER, *trailer = payload + data;
	const uint32_t padding = w->len - data - ESP_TRAILER;

	memcpy(esp, &sa->spi, SPI_LEN);
	put_be32(esp + SPI_LEN, (uint32_t)w->number);
	memcpy(esp + ESP_HEADER, iv, sa->iv_len);
	for (uint32_t i = 1; i <= padding; i++)
		*trailer++ = (uint8_t)i;
	trailer[0] = (uint8_t)padding;
	trailer[1] = next;
	if (sa->udp_len != 0)
		put_udp(sa, esp - UDP_HEADER,
			(uint32_t)(payload + w->len + sa->icv_len - (esp - UDP_HEADER)));
}

/* The ICV and the padding behind it are 0 (RFC 4302, 3.3.3.1). */
static void
put_ah(const struct ipsec_sa *sa, struct op_ipsec *w, const uint8_t *iv, uint8_t next)
{
	uint8_t *ah = w->packet + w->header;
	const uint32_t len = w->payload - w->header;

	memset(ah, 0, len);
	ah[0] = next;
	ah[1] = (uint8_t)(len / 4 - 2);
	memcpy(ah + 4, &sa->spi, SPI_LEN);
	put_be32(ah + 8, (uint32_t)w->number);
	memcpy(ah + AH_HEADER, iv, sa->iv_len);
}

/* Put everything around the payload, which stays where it is. */
static void
wrap(struct op *op, const struct ipsec_sa *sa, const struct ip_packet *ip,
     const struct ipsec_source *source, const uint8_t *iv)
{
	struct op_ipsec *w = &op->ipsec;
	const uint32_t moved = sa->outer_len != 0 ? 0 : ip->header, data = ip->length - moved;
	const uint32_t total = total_len(sa, ip);
	const bool esp = sa->kind == ACCEL_HW_KIND_ESP;

	w->header = sa->outer_len + moved;
	w->len = esp ? round_up(data + ESP_TRAILER, sa->align) : data;
	w->payload = total - w->len - (esp ? sa->icv_len : 0);
	w->packet = source->data + moved - w->payload;
	w->version = (uint8_t)outer_version(sa, ip);
	w->next_at = ip->next_at;
	if (sa->outer_len != 0) {
		put_outer(sa, w->packet, total, w->number, source->head, ip);
	} else {
		memmove(w->packet, source->head, moved);
		ip_set(w->packet, ip, total, sa->udp_len != 0 ? IP_UDP : sa->protocol);
	}
	if (esp)
		put_esp(sa, w, iv, data, next_of(sa, ip));
	else
		put_ah(sa, w, iv, next_of(sa, ip));
}

/* Put the TTL that was lowered in the head into the packet, and the checksum behind it. */
static void
put_ttl(const struct ipsec_source *source, unsigned int version)
{
	const uint32_t from = version == 4 ? IP4_TTL : IP6_HOPS;
	const uint32_t len = version == 4 ? IP4_CHECKSUM + 2 - IP4_TTL : 1;

	if (source->head != source->data)
		memcpy(source->data + from, source->head + from, len);
}

/* Make the checksums of the inner packet that context or command ask for. */
static void
make_checksums(const struct op *op, const struct ipsec_sa *sa, uint8_t *p,
	       const struct ip_packet *ip)
{
	const uint32_t skip = op->cmd.skip;

	if (ip->version == 4 && (ipsec_has(sa, ACCEL_HW_IPSEC_IP_CHECKSUM) ||
				 (skip & ACCEL_HW_IPSEC_CMD_IP_CHECKSUM) != 0))
		ip4_checksum(p);
	if (ipsec_has(sa, ACCEL_HW_IPSEC_L4_CHECKSUM) ||
	    (skip & ACCEL_HW_IPSEC_CMD_L4_CHECKSUM) != 0)
		ip_l4_make(p, ip);
}

/* AH: save the outer header of tunnel mode, and clear what may change. */
static void
clear_mutable(struct op *op, const struct ipsec_sa *sa, const struct ip_packet *packet,
	      uint8_t *copy)
{
	struct ip_packet ip = *packet;

	op->digest_to = copy - IPSEC_HEADROOM;
	memcpy(op->digest_to, op->ipsec.packet, sa->outer_len);
	ip.version = op->ipsec.version;
	ip.header = op->ipsec.header;
	ipsec_ah_clear(op->ipsec.packet, &ip, true);
}

/* The IV of the packet, except for one that is counted. A number is not taken without it. */
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
ipsec_out_begin(struct op_tools *tools, struct op *op, const struct ipsec_sa *sa,
		struct state *state, const struct ipsec_source *source)
{
	const uint32_t len = source->len;
	uint8_t *head = source->head;
	enum accel_hw_status status = ACCEL_HW_OK;
	struct state_taken taken = { 0 };
	uint8_t iv[ACCEL_HW_IV_MAX] = { 0 };
	struct ip_packet ip;
	bool ok = look(sa, head, len, &ip);

	if (ok && sa->kind == ACCEL_HW_KIND_ESP && sa->outer_len == 0 &&
	    op->rx.bytes < output_len(sa, len, ip.header))
		return ACCEL_HW_OUTPUT_TOO_SMALL;
	if (!ok || !packet_ok(sa, head, &ip))
		status = ACCEL_HW_MALFORMED;
	else if (!get_iv(tools, op, sa, iv))
		status = ACCEL_HW_ENGINE_ERROR;
	status = state_take(&sa->rules, state, status, len, &taken);
	if (status != ACCEL_HW_OK)
		return status;
	op->ipsec.number = taken.number;
	op->ipsec.info = taken.soft ? ACCEL_HW_IPSEC_INFO_SOFT : 0;
	if (taken.iv != 0) {
		put_be32(iv, (uint32_t)(taken.iv >> 32));
		put_be32(iv + 4, (uint32_t)taken.iv);
	}
	if (ipsec_has(sa, ACCEL_HW_IPSEC_DEC_TTL))
		put_ttl(source, ip.version);
	make_checksums(op, sa, source->data, &ip);
	wrap(op, sa, &ip, source, iv);
	if (sa->kind == ACCEL_HW_KIND_AH)
		clear_mutable(op, sa, &ip, source->data);
	return ACCEL_HW_OK;
}

/* The end. */

/* AH: put back what was cleared. That of transport mode is still in the source. */
static bool
restore_header(struct op_access *access, struct op *op, const struct ipsec_sa *sa)
{
	const struct op_ipsec *w = &op->ipsec;
	const struct ip_packet ip = { .version = w->version, .next_at = w->next_at };
	struct span in = span_of(&op->tx);

	if (sa->outer_len != 0) {
		memcpy(w->packet, op->digest_to, sa->outer_len);
		return true;
	}
	if (!span_read(&access->view, &in, w->packet, w->header))
		return false;
	ip_set(w->packet, &ip, ipsec_out_len(op, sa), sa->protocol);
	return true;
}

bool
ipsec_out_end(struct op_access *access, struct op *op, const struct ipsec_sa *sa)
{
	const struct op_ipsec *w = &op->ipsec;

	ipsec_job_end(op, sa);
	if (sa->kind == ACCEL_HW_KIND_ESP) {
		memcpy(w->packet + w->payload + w->len, op->digest, sa->icv_len);
		return true;
	}
	memcpy(w->packet + w->header + AH_HEADER + sa->iv_len, op->digest, sa->icv_len);
	return restore_header(access, op, sa);
}
