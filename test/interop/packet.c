/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * IP packets on plain memory: random ones, what a tunnel changes in them, what the outer header has
 * to be, and damaged ones.
 */

#include <netinet/in.h>

#include <rte_tcp.h>
#include <rte_udp.h>

#include "interop.h"

#define ECN 3
#define ECN_CE 3

static bool
is_v6(const struct interop_bytes *p)
{
	return p->data[0] >> 4 == 6;
}

/* ------------------------------------------------------------------ fields of both versions */

static uint8_t
tos(const uint8_t *ip)
{
	return ip[0] >> 4 == 6 ? (uint8_t)(ip[0] << 4 | ip[1] >> 4) : ip[1];
}

static void
set_tos(uint8_t *ip, uint8_t value)
{
	if (ip[0] >> 4 != 6) {
		ip[1] = value;
		return;
	}
	ip[0] = 0x60 | value >> 4;
	ip[1] = (uint8_t)(value << 4) | (ip[1] & 15);
}

static uint32_t
ip_length(const uint8_t *ip)
{
	return ip[0] >> 4 == 6 ? 40u + (ip[4] << 8 | ip[5]) : (uint32_t)(ip[2] << 8 | ip[3]);
}

static void
set_ip_length(uint8_t *ip, uint32_t len)
{
	uint8_t *at = ip[0] >> 4 == 6 ? ip + 4 : ip + 2;

	len -= ip[0] >> 4 == 6 ? 40 : 0;
	at[0] = (uint8_t)(len >> 8);
	at[1] = (uint8_t)len;
}

void
interop_ip_checksum(struct interop_bytes *p)
{
	uint32_t sum = 0, i, n = (p->data[0] & 15) * 4;

	if (is_v6(p))
		return;
	p->data[10] = p->data[11] = 0;
	for (i = 0; i < n; i += 2)
		sum += p->data[i] << 8 | p->data[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	p->data[10] = (uint8_t)(~sum >> 8);
	p->data[11] = (uint8_t)~sum;
}

/* ------------------------------------------------------------------ random packets */

/* Writes an IPv4 header, with options now and then. Returns its length. */
static uint32_t
random_v4(struct interop *x, struct interop_bytes *p, uint8_t proto)
{
	uint32_t len = e2e_chance(x->rng, 8) ? 4 * e2e_range(x->rng, 6, 15) : 20;

	e2e_bytes(x->rng, p->data, 20);
	memset(p->data + 20, 1, len - 20); /* no operation */
	p->data[0] = 0x40 | len / 4;
	p->data[6] = e2e_chance(x->rng, 2) ? 0x40 : 0; /* DF */
	p->data[7] = 0;
	p->data[8] = RTE_MAX(p->data[8], 2);
	p->data[9] = proto;
	return len;
}

/* Writes an IPv6 header, with extension headers now and then. Returns their length. */
static uint32_t
random_v6(struct interop *x, struct interop_bytes *p, uint8_t proto)
{
	uint32_t len = 40, n;
	uint8_t *next = p->data + 6;

	e2e_bytes(x->rng, p->data, 40);
	p->data[0] = 0x60 | (p->data[0] & 15);
	p->data[7] = RTE_MAX(p->data[7], 2);
	if (e2e_chance(x->rng, 8)) { /* hop-by-hop options: one PadN */
		n = 8 * e2e_range(x->rng, 1, 3);
		*next = IPPROTO_HOPOPTS;
		next = p->data + len;
		memset(next, 0, n);
		next[1] = n / 8 - 1;
		next[2] = 1;
		next[3] = n - 4;
		len += n;
	}
	*next = proto;
	return len;
}

static void
l4_checksum(struct interop_bytes *p, uint32_t l4)
{
	uint8_t proto = is_v6(p) ? 0 : p->data[9];
	uint8_t *at = p->data + l4;
	uint16_t sum;

	if (l4 == 0)
		return;
	if (is_v6(p))
		proto = p->data[l4 == 40 ? 6 : 40];
	at += proto == IPPROTO_TCP ? 16 : 6;
	at[0] = at[1] = 0;
	if (is_v6(p)) {
		/* The pseudo header has the length of the upper layer (RFC 8200, 8.1). DPDK takes
		 * payload_len and proto of the header, so it gets one without extensions. */
		struct rte_ipv6_hdr h;

		memcpy(&h, p->data, sizeof(h));
		h.proto = proto;
		h.payload_len = rte_cpu_to_be_16(p->len - l4);
		sum = rte_ipv6_udptcp_cksum(&h, p->data + l4);
	} else {
		sum = rte_ipv4_udptcp_cksum((const void *)p->data, p->data + l4);
	}
	memcpy(at, &sum, 2);
}

void
interop_packet_random(struct interop *x, const struct interop_sa *sa, struct interop_bytes *p)
{
	uint8_t proto = e2e_chance(x->rng, 2) ? IPPROTO_UDP : IPPROTO_TCP;
	uint32_t payload = e2e_chance(x->rng, 4) ? e2e_range(x->rng, 0, 2000) :
						   e2e_range(x->rng, 0, 100);
	uint32_t l4 = sa->inner6 ? random_v6(x, p, proto) : random_v4(x, p, proto);

	p->len = l4 + (proto == IPPROTO_UDP ? 8 : 20) + payload;
	e2e_bytes(x->rng, p->data + l4, p->len - l4);
	set_ip_length(p->data, p->len);
	if (proto == IPPROTO_UDP) {
		p->data[l4 + 4] = (uint8_t)((p->len - l4) >> 8);
		p->data[l4 + 5] = (uint8_t)(p->len - l4);
	} else {
		p->data[l4 + 12] = 0x50; /* no options */
	}
	interop_ip_checksum(p);
	l4_checksum(p, l4);
}

/* ------------------------------------------------------------------ places */

/* Returns the offset behind the IP header and its extension headers, and the protocol there. */
static uint32_t
behind_ip(const struct interop_bytes *p, uint8_t *proto)
{
	uint32_t at = 40;

	if (!is_v6(p)) {
		*proto = p->data[9];
		return (p->data[0] & 15) * 4;
	}
	*proto = p->data[6];
	while (*proto == IPPROTO_HOPOPTS && at + 8 < p->len) {
		*proto = p->data[at];
		at += 8 * (p->data[at + 1] + 1);
	}
	return at;
}

uint32_t
interop_esp_offset(const struct interop_bytes *p, bool udp)
{
	uint8_t proto;
	uint32_t at = behind_ip(p, &proto);

	if (proto != (udp ? IPPROTO_UDP : IPPROTO_ESP))
		return 0;
	at += udp ? 8 : 0;
	return at + 8 <= p->len ? at : 0;
}

uint32_t
interop_insert_offset(const struct interop_bytes *p)
{
	uint8_t proto;

	return behind_ip(p, &proto);
}

static uint32_t
be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

uint32_t
interop_wire_spi(const struct interop_bytes *p, bool udp)
{
	uint32_t at = interop_esp_offset(p, udp);

	return at != 0 ? be32(p->data + at) : 0;
}

uint32_t
interop_wire_number(const struct interop_bytes *p, bool udp)
{
	uint32_t at = interop_esp_offset(p, udp);

	return at != 0 ? be32(p->data + at + 4) : 0;
}

/* ------------------------------------------------------------------ what a tunnel does */

void
interop_expect_inner(const struct interop_sa *sa, struct interop_bytes *p)
{
	if (sa->ipsec.options.dec_ttl)
		p->data[is_v6(p) ? 7 : 8]--;
	interop_ip_checksum(p);
}

/* RFC 6040, figure 4. Returns -1 if the packet has to be dropped. */
static int
decap_ecn(uint8_t inner, uint8_t outer)
{
	if (inner == 0)
		return outer == ECN_CE ? -1 : 0;
	if (inner == ECN_CE || outer == ECN_CE)
		return ECN_CE;
	return outer == 1 ? 1 : inner;
}

uint32_t
interop_expect_decap(const struct interop_sa *sa, const struct interop_bytes *wire,
		     struct interop_bytes *p)
{
	uint8_t inner = tos(p->data), outer = tos(wire->data);
	int ecn;

	if (!sa->tunnel)
		return 0;
	if (sa->ipsec.options.copy_dscp)
		inner = (outer & ~ECN) | (inner & ECN);
	if (sa->ipsec.options.ecn) {
		ecn = decap_ecn(inner & ECN, outer & ECN);
		if (ecn < 0)
			return INTEROP_MALFORMED;
		inner = (inner & ~ECN) | ecn;
	}
	set_tos(p->data, inner);
	interop_ip_checksum(p);
	return 0;
}

static const char *
outer4_wrong(const struct interop_sa *sa, const struct interop_bytes *plain,
	     const struct interop_bytes *wire)
{
	const struct rte_security_ipsec_tunnel_param *p = &sa->ipsec.tunnel;
	struct interop_bytes again = { .len = 20 };
	bool df = p->ipv4.df;

	if (sa->ipsec.options.copy_df && !is_v6(plain))
		df = (plain->data[6] & 0x40) != 0;
	if (wire->data[0] != 0x45)
		return "version or header length";
	if ((wire->data[6] & 0xbf) != 0 || wire->data[7] != 0)
		return "fragment";
	if ((wire->data[6] & 0x40) != (df ? 0x40 : 0))
		return "DF";
	if (wire->data[8] != p->ipv4.ttl)
		return "TTL";
	if (memcmp(wire->data + 12, &p->ipv4.src_ip, 4) != 0 ||
			memcmp(wire->data + 16, &p->ipv4.dst_ip, 4) != 0)
		return "addresses";
	memcpy(again.data, wire->data, 20);
	interop_ip_checksum(&again);
	return memcmp(again.data, wire->data, 20) != 0 ? "checksum" : NULL;
}

static const char *
outer6_wrong(const struct interop_sa *sa, const struct interop_bytes *plain,
	     const struct interop_bytes *wire)
{
	const struct rte_security_ipsec_tunnel_param *p = &sa->ipsec.tunnel;
	uint32_t label = p->ipv6.flabel;

	if (sa->ipsec.options.copy_flabel && is_v6(plain))
		label = be32(plain->data) & 0xfffff;
	if ((be32(wire->data) & 0xfffff) != label)
		return "flow label";
	if (wire->data[7] != p->ipv6.hlimit)
		return "hop limit";
	if (memcmp(wire->data + 8, &p->ipv6.src_addr, 16) != 0 ||
			memcmp(wire->data + 24, &p->ipv6.dst_addr, 16) != 0)
		return "addresses";
	return NULL;
}

static const char *
udp_wrong(const struct interop_sa *sa, const struct interop_bytes *wire, uint32_t at)
{
	const struct rte_security_ipsec_udp_param *udp = &sa->ipsec.udp;
	const uint8_t *p = wire->data + at;

	if ((p[0] << 8 | p[1]) != udp->sport || (p[2] << 8 | p[3]) != udp->dport)
		return "UDP ports";
	if ((uint32_t)(p[4] << 8 | p[5]) != wire->len - at)
		return "UDP length";
	return p[6] != 0 || p[7] != 0 ? "UDP checksum" : NULL;
}

const char *
interop_outer_wrong(const struct interop_sa *sa, const struct interop_bytes *plain,
		    const struct interop_bytes *wire)
{
	const struct rte_security_ipsec_tunnel_param *p = &sa->ipsec.tunnel;
	uint8_t want = (sa->outer6 ? p->ipv6.dscp : p->ipv4.dscp) << 2, mask = 0;
	const char *wrong = NULL;

	if (is_v6(wire) != (sa->tunnel ? sa->outer6 : sa->inner6))
		return "version";
	if (ip_length(wire->data) != wire->len)
		return "total length";
	if (interop_esp_offset(wire, sa->ipsec.options.udp_encap) == 0)
		return "protocol";
	if (!sa->tunnel)
		return NULL;
	mask |= sa->ipsec.options.copy_dscp ? (uint8_t)~ECN : 0;
	mask |= sa->ipsec.options.ecn ? ECN : 0;
	want = (want & ~mask) | (tos(plain->data) & mask);
	if (tos(wire->data) != want)
		return "DSCP or ECN";
	wrong = sa->outer6 ? outer6_wrong(sa, plain, wire) : outer4_wrong(sa, plain, wire);
	if (wrong == NULL && sa->ipsec.options.udp_encap)
		wrong = udp_wrong(sa, wire, sa->outer6 ? 40 : 20);
	return wrong;
}

/* ------------------------------------------------------------------ on the way to the card */

void
interop_wire_vary(struct interop *x, const struct interop_sa *sa, struct interop_bytes *wire)
{
	uint32_t n;

	if (sa->tunnel) {
		set_tos(wire->data, e2e_rand(x->rng));
		wire->data[sa->outer6 ? 7 : 8] = e2e_range(x->rng, 1, 255);
		interop_ip_checksum(wire);
	}
	if (e2e_chance(x->rng, 8)) { /* padding of a link */
		n = e2e_range(x->rng, 1, 30);
		e2e_bytes(x->rng, wire->data + wire->len, n);
		wire->len += n;
	}
}

/* Flips a bit of a range. */
static void
flip(struct interop *x, uint8_t *p, uint32_t len)
{
	p[e2e_range(x->rng, 0, len - 1)] ^= 1 << e2e_range(x->rng, 0, 7);
}

/* Damages what the card compares with the SA, or not. */
static uint32_t
damage_headers(struct interop *x, const struct interop_sa *sa, struct interop_bytes *wire)
{
	uint32_t address = sa->outer6 ? 16 : 4, at = sa->outer6 ? 8 : 12;
	uint32_t verify = sa->ipsec.options.tunnel_hdr_verify;

	if (!sa->tunnel)
		return 0;
	if (sa->ipsec.options.udp_encap && e2e_chance(x->rng, 2)) {
		flip(x, wire->data + (sa->outer6 ? 40 : 20), 4);
		return sa->ipsec.options.udp_ports_verify ? INTEROP_MISMATCH : 0;
	}
	if (e2e_chance(x->rng, 2)) {
		flip(x, wire->data + at + address, address);
		interop_ip_checksum(wire);
		return verify != 0 ? INTEROP_MISMATCH : 0;
	}
	flip(x, wire->data + at, address);
	interop_ip_checksum(wire);
	return verify == RTE_SECURITY_IPSEC_TUNNEL_VERIFY_SRC_DST_ADDR ? INTEROP_MISMATCH : 0;
}

/* Damages lengths. */
static uint32_t
damage_length(struct interop *x, struct interop_bytes *wire, uint32_t esp)
{
	if (e2e_chance(x->rng, 2)) {
		wire->len = e2e_range(x->rng, 1, ip_length(wire->data) - 1);
		return INTEROP_MALFORMED;
	}
	wire->len = e2e_range(x->rng, esp, ip_length(wire->data) - 1);
	set_ip_length(wire->data, wire->len);
	interop_ip_checksum(wire);
	return INTEROP_MALFORMED | INTEROP_AUTH_FAILED | INTEROP_MISMATCH;
}

uint32_t
interop_wire_damage(struct interop *x, const struct interop_sa *sa, struct interop_bytes *wire)
{
	uint32_t esp = interop_esp_offset(wire, sa->ipsec.options.udp_encap);
	bool protects = sa->icv > 0;
	unsigned int kind = e2e_range(x->rng, 0, protects ? 9 : 4);

	switch (kind) {
	case 0:
		flip(x, wire->data + esp, 4);
		return INTEROP_MISMATCH;
	case 1:
		wire->data[is_v6(wire) ? 6 : 9] = IPPROTO_TCP;
		interop_ip_checksum(wire);
		/* Without extension headers ciphertext begins elsewhere, and has another length. */
		return INTEROP_MISMATCH | INTEROP_MALFORMED;
	case 2:
		wire->data[0] ^= 0x10 << e2e_range(x->rng, 0, 3);
		return INTEROP_MALFORMED | INTEROP_MISMATCH;
	case 3:
	case 4:
		return damage_headers(x, sa, wire);
	case 5:
		return damage_length(x, wire, esp);
	case 6:
		flip(x, wire->data + esp + 4, 4);
		return INTEROP_AUTH_FAILED | INTEROP_REPLAY;
	default:
		flip(x, wire->data + esp + 8, ip_length(wire->data) - esp - 8);
		return INTEROP_AUTH_FAILED;
	}
}
