/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Inbound packets of ESP and AH: their checks before and after the engine, and the output.
 */
#include <string.h>

#include "ipsec/ipsec_work.h"
#include "op/op_span.h"

/* The functions below check the packet before the engine works. */

/* Return the offset of ESP or AH. */
static uint32_t
ipsec_at(const struct ipsec_sa *sa, const struct ip_packet *ip)
{
	return ip->header + sa->udp_len;
}

static bool
keeps_place(const struct op *op)
{
	return (op->cmd.skip & ACCEL_HW_IPSEC_CMD_KEEP_PLACE) != 0;
}

/* Do check 2 of manual 8.6 for ESP: there is room, and the ciphertext has whole blocks. */
static bool
esp_ok(const struct ipsec_sa *sa, struct op_ipsec *w, const struct ip_packet *ip)
{
	const uint32_t rest = ip->length - ip->header;

	if (rest < sa->around + ESP_TRAILER)
		return false;
	w->len = rest - sa->around;
	w->payload = ipsec_at(sa, ip) + ESP_HEADER + sa->iv_len;
	return (w->len & (sa->block - 1u)) == 0;
}

/* Do check 2 of manual 8.6 for AH. Some senders pad AH to 8 bytes in IPv4 as well, which is allowed
 * here. */
static bool
ah_ok(const struct ipsec_sa *sa, struct op_ipsec *w, const uint8_t *p, const struct ip_packet *ip)
{
	const uint32_t least = ipsec_ah_len(sa, ip->version), rest = ip->length - ip->header;
	uint32_t len;

	if (rest < least)
		return false;
	len = ip->next == IP_AH ? (p[ip->header + 1] + 2u) * 4 : least;
	if ((len != least && len != round_up(least, 8)) || len > rest || ip_routed(ip))
		return false;
	w->len = rest - len;
	w->payload = ip->header + len;
	return ipsec_ah_options(p, ip->version, ip->header);
}

/* Do check 2 of manual 8.6: the packet has the right form. */
static bool
packet_ok(const struct ipsec_sa *sa, struct op_ipsec *w, const uint8_t *p, uint32_t len,
	  struct ip_packet *ip)
{
	if (!ip_parse(p, len, ip) || !ip_extensions(p, ip, IP_WALK_ALL) || ip->fragment)
		return false;
	if (sa->kind == ACCEL_HW_KIND_ESP ? !esp_ok(sa, w, ip) : !ah_ok(sa, w, p, ip))
		return false;
	return sa->outer_len == 0 || w->payload <= ACCEL_HW_IPSEC_INFO_OFFSET;
}

/* Do check 3 of manual 8.6: the packet has the SA's protocol, UDP header and SPI. */
static bool
belongs(const struct ipsec_sa *sa, const uint8_t *p, const struct ip_packet *ip)
{
	const uint8_t *udp = p + ip->header, *at = p + ipsec_at(sa, ip);

	if (ip->next != sa->protocol)
		return false;
	if (sa->udp_len != 0 && get_be16(udp + 4) != ip->length - ip->header)
		return false;
	return memcmp(at + (sa->kind == ACCEL_HW_KIND_ESP ? 0 : 4), &sa->spi, SPI_LEN) == 0;
}

static inline bool
addresses_ok(const struct ipsec_sa *sa, const uint8_t *p, unsigned int version)
{
	const uint32_t asked = ACCEL_HW_IPSEC_VERIFY_SRC | ACCEL_HW_IPSEC_VERIFY_DST;
	const uint32_t source = version == 4 ? IP4_SOURCE : IP6_SOURCE;
	const uint32_t destination = version == 4 ? IP4_DESTINATION : IP6_DESTINATION;
	const uint32_t len = destination - source;

	if ((sa->options & asked) == 0)
		return true;
	if (ipsec_has(sa, ACCEL_HW_IPSEC_VERIFY_SRC) &&
	    memcmp(p + source, sa->outer + source, len) != 0)
		return false;
	return !ipsec_has(sa, ACCEL_HW_IPSEC_VERIFY_DST) ||
	       memcmp(p + destination, sa->outer + destination, len) == 0;
}

/* Do check 4 of manual 8.6: ports, outer addresses and outer version are right. */
static bool
tunnel_ok(const struct ipsec_sa *sa, const uint8_t *p, const struct ip_packet *ip)
{
	const uint8_t *udp = p + ip->header;

	if (ipsec_has(sa, ACCEL_HW_IPSEC_UDP_VERIFY) &&
	    (memcmp(udp, &sa->udp_source, 2) != 0 || memcmp(udp + 2, &sa->udp_destination, 2) != 0))
		return false;
	if (sa->outer_len == 0)
		return true;
	return ip->version == (sa->outer_len == IP6_HEADER ? 6 : 4) &&
	       addresses_ok(sa, p, ip->version);
}

static uint32_t
low_number(const struct ipsec_sa *sa, const uint8_t *p, const struct ip_packet *ip)
{
	const uint8_t *at = p + ipsec_at(sa, ip) + (sa->kind == ACCEL_HW_KIND_ESP ? 4 : 8);

	return (uint32_t)get_be16(at) << 16 | get_be16(at + 2);
}

/* Take the ICV out of the packet. AH covers its place as 0. */
static void
take_icv(struct op *op, const struct ipsec_sa *sa, const struct ip_packet *ip)
{
	struct op_ipsec *w = &op->ipsec;
	uint8_t *ah = w->packet + w->header;

	if (sa->kind == ACCEL_HW_KIND_ESP) {
		copy_short(op->digest, w->packet + w->payload + w->len, sa->icv_len);
		return;
	}
	copy_short(op->digest, ah + AH_HEADER + sa->iv_len, sa->icv_len);
	memset(ah + AH_HEADER + sa->iv_len, 0, sa->icv_len);
	ipsec_ah_clear(w->packet, ip->version, ip->header, false);
}

enum accel_hw_status
ipsec_in_begin(struct op *op, struct ipsec_sa *sa, const struct ipsec_source *source)
{
	const uint8_t *head = source->head;
	enum accel_hw_status status = ACCEL_HW_OK;
	struct op_ipsec *w = &op->ipsec;
	struct ip_packet ip;
	uint32_t low = 0;

	if (!packet_ok(sa, w, head, source->len, &ip))
		status = ACCEL_HW_MALFORMED;
	else if (!belongs(sa, head, &ip) || !tunnel_ok(sa, head, &ip))
		status = ACCEL_HW_MISMATCH;
	else
		low = low_number(sa, head, &ip);
	status = ipsec_state_expect(sa, status, low, &w->number);
	if (status != ACCEL_HW_OK)
		return status;
	w->packet = source->data;
	w->header = ip.header;
	w->next_at = ip.next_at;
	w->version = ip.version;
	w->tos = ip.tos;
	w->info = 0;
	take_icv(op, sa, &ip);
	return ACCEL_HW_OK;
}

/* The functions below work after the engine. */

/* Describes what was protected. */
struct inside {
	uint8_t *data;
	uint32_t len;
	uint8_t next;
};

/* Strip ESP's trailer, or find AH's next header. */
static bool
strip(const struct op_ipsec *w, const struct ipsec_sa *sa, struct inside *in)
{
	const uint8_t *trailer;
	uint8_t padding;

	in->data = w->packet + w->payload;
	in->len = w->len;
	if (sa->kind == ACCEL_HW_KIND_AH) {
		in->next = w->packet[w->header];
		return true;
	}
	trailer = in->data + w->len - ESP_TRAILER;
	in->len -= ESP_TRAILER;
	padding = __atomic_load_n(&trailer[0], __ATOMIC_RELAXED); /* may be the host's memory */
	in->next = __atomic_load_n(&trailer[1], __ATOMIC_RELAXED);
	if (padding > in->len)
		return false;
	in->len -= padding;
	return true;
}

/* Check a header's checksum, and note the result. */
static void
check_header(struct op_ipsec *w, const struct ipsec_sa *sa, const uint8_t *p, unsigned int version)
{
	if (version != 4 || !ipsec_has(sa, ACCEL_HW_IPSEC_IP_CHECKSUM))
		return;
	w->info |= ACCEL_HW_IPSEC_INFO_IP_CHECKED;
	if (!ip4_checksum_ok(p))
		w->info |= ACCEL_HW_IPSEC_INFO_IP_BAD;
}

/* Check the checksum of TCP or UDP, and note the result. */
static void
check_l4(struct op_ipsec *w, const struct ipsec_sa *sa, const uint8_t *p,
	 const struct ip_packet *ip)
{
	enum ip_l4 found;

	if (!ipsec_has(sa, ACCEL_HW_IPSEC_L4_CHECKSUM))
		return;
	found = ip_l4_check(p, *ip);
	if (found == IP_L4_GOOD || found == IP_L4_BAD)
		w->info |= ACCEL_HW_IPSEC_INFO_L4_CHECKED;
	if (found == IP_L4_BAD)
		w->info |= ACCEL_HW_IPSEC_INFO_L4_BAD;
}

#define INNER_HEAD 64u /* bytes that are copied of an inner packet */

static_assert(INNER_HEAD >= IP_HEADER_MAX, "room for its header");

/* Check the inner packet of tunnel mode, and set its DSCP and ECN as the options ask. */
static enum accel_hw_status
unwrap_tunnel(struct op_ipsec *w, const struct ipsec_sa *sa, const struct inside *in,
	      uint32_t *len)
{
	uint8_t head[INNER_HEAD];
	struct ip_packet ip;
	uint8_t tos;

	if (in->next != IP_IPV4 && in->next != IP_IPV6)
		return ACCEL_HW_MALFORMED;
	ipsec_copy_head(head, in->data, in->len, sizeof(head));
	if (!ip_parse(head, in->len, &ip) ||
	    ip.version != (in->next == IP_IPV4 ? 4 : 6))
		return ACCEL_HW_MALFORMED;
	tos = ip.tos;
	if (ipsec_has(sa, ACCEL_HW_IPSEC_ECN) && !ip_ecn(&tos, w->tos))
		return ACCEL_HW_MALFORMED;
	if (ipsec_has(sa, ACCEL_HW_IPSEC_COPY_DSCP))
		tos = (uint8_t)((tos & IP_ECN) | (w->tos & ~IP_ECN));
	check_header(w, sa, head, ip.version);
	check_l4(w, sa, in->data, &ip);
	if (tos != ip.tos)
		ip_set_tos(in->data, ip.version, tos);
	*len = ip.length;
	return ACCEL_HW_OK;
}

/* Put back what was cleared of the header for AH. The source still has it. */
static bool
restore_header(struct op_access *access, struct op *op)
{
	struct span in = span_of(&op->tx);

	return span_read(&access->view, &in, op->ipsec.packet, op->ipsec.header);
}

/* Move the headers of a packet to the payload, and set what changes in them. Headers of usual
 * length are changed in a private copy, because the packet may be in the host's memory. */
static void
move_headers(struct op_ipsec *w, const struct ipsec_sa *sa, const struct inside *in)
{
	const struct ip_packet ip = { .version = w->version, .next_at = w->next_at };
	uint8_t head[IPSEC_HEAD] = { 0 }, *to = in->data;

	if (w->header <= sizeof(head)) {
		memcpy(head, w->packet, w->header);
		to = head;
		check_header(w, sa, head, w->version);
	} else {
		memmove(to, w->packet, w->header);
	}
	ip_set(to, &ip, in->len, in->next);
	if (to == head)
		memcpy(in->data, head, w->header);
}

/* Make the output of transport mode: the packet's own headers move to the payload. */
static enum accel_hw_status
unwrap_transport(struct op_access *access, struct op *op, const struct ipsec_sa *sa,
		 struct inside *in)
{
	struct op_ipsec *w = &op->ipsec;
	struct ip_packet ip;

	if (sa->kind == ACCEL_HW_KIND_AH && !restore_header(access, op))
		return ACCEL_HW_DMA_FAULT;
	in->data -= w->header;
	in->len += w->header;
	move_headers(w, sa, in);
	if (ipsec_has(sa, ACCEL_HW_IPSEC_L4_CHECKSUM) && ip_parse(in->data, in->len, &ip))
		check_l4(w, sa, in->data, &ip);
	return ACCEL_HW_OK;
}

enum accel_hw_status
ipsec_in_end(struct op_access *access, struct op *op, const struct ipsec_sa *sa, uint8_t **at,
	     uint32_t *len)
{
	struct op_ipsec *w = &op->ipsec;
	enum accel_hw_status status;
	struct inside in;

	ipsec_job_end(op, sa);
	if (!strip(w, sa, &in))
		return ACCEL_HW_MALFORMED;
	if (sa->kind == ACCEL_HW_KIND_ESP && in.next == IP_NONE)
		return ACCEL_HW_DUMMY;
	if (sa->outer_len != 0)
		status = unwrap_tunnel(w, sa, &in, &in.len);
	else
		status = unwrap_transport(access, op, sa, &in);
	*at = in.data;
	*len = in.len;
	if (keeps_place(op))
		w->info |= (uint16_t)(in.data - w->packet);
	return status;
}
