/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What AH covers of headers (RFC 4302, section 3.3.3.1 and appendix A): fields and options that may
 * change on the way count as 0.
 */
#include <string.h>

#include "ipsec/ipsec_work.h"
#include "op/op_span.h"

/* These options of IPv4 do not change on the way (RFC 4302, A1). All others may change, those that
 * are not known included. */
#define IP4_SECURITY 130u
#define IP4_EXTENDED_SECURITY 133u
#define IP4_COMMERCIAL_SECURITY 134u
#define IP4_ROUTER_ALERT 148u
#define IP4_MULTI_DESTINATION 149u

/* These are numbers of options of IPv6, and a bit in them (RFC 8200, 4.2). */
#define IP6_PAD1 0u
#define IP6_OPTION_CHANGES 0x20u

static bool
stays(uint8_t option)
{
	return option == IP4_SECURITY || option == IP4_EXTENDED_SECURITY ||
	       option == IP4_COMMERCIAL_SECURITY || option == IP4_ROUTER_ALERT ||
	       option == IP4_MULTI_DESTINATION;
}

/* Return the bytes of an option, or 0 if it does not fit into the bytes that are left. */
static uint32_t
option_v6(const uint8_t *option, uint32_t left)
{
	if (option[0] == IP6_PAD1)
		return 1;
	return left >= 2 && option[1] + 2u <= left ? option[1] + 2u : 0;
}

/* Clear the options of an IPv4 header that may change. */
static void
clear_options_v4(uint8_t *p, uint32_t header)
{
	uint32_t len;

	for (uint32_t at = IP4_HEADER; at < header && p[at] != IP4_OPTION_END; at += len) {
		len = ip4_option_len(p + at, header - at);
		if (p[at] != IP4_OPTION_NOP && !stays(p[at]))
			memset(p + at, 0, len);
	}
}

/* Check the options of one extension header. If @p to is not NULL, clear there what may change. */
static bool
options_v6(const uint8_t *p, uint32_t header, uint8_t *to)
{
	uint32_t len;

	for (uint32_t at = 2; at < header; at += len) {
		len = option_v6(p + at, header - at);
		if (len == 0)
			return false;
		if (to != NULL && len > 2 && (p[at] & IP6_OPTION_CHANGES) != 0)
			memset(to + at + 2, 0, len - 2);
	}
	return true;
}

/* Check the options of all extension headers, which ip_extensions() has checked. If @p to is not
 * NULL, clear there what may change. */
static bool
extensions(const uint8_t *p, uint32_t headers, uint8_t *to)
{
	uint8_t next = p[IP6_NEXT];
	uint32_t len;

	for (uint32_t at = IP6_HEADER; at < headers; at += len) {
		len = (p[at + 1] + 1u) * 8;
		if (next != IP_ROUTING &&
		    !options_v6(p + at, len, to != NULL ? to + at : NULL))
			return false;
		next = p[at];
	}
	return true;
}

bool
ipsec_ah_options(const uint8_t *p, unsigned int version, uint32_t header)
{
	return version == 4 ? ip4_final_at(p, header) != IP_FINAL_UNKNOWN :
			      extensions(p, header, NULL);
}

void
ipsec_ah_clear(uint8_t *p, unsigned int version, uint32_t header, bool outbound)
{
	if (version == 4) {
		if (outbound)
			memmove(p + IP4_DESTINATION, p + ip4_final_at(p, header), 4);
		p[IP4_TOS] = 0;
		put_be16(p + IP4_FRAGMENT, 0);
		p[IP4_TTL] = 0;
		put_be16(p + IP4_CHECKSUM, 0);
		clear_options_v4(p, header);
	} else {
		p[0] &= 0xf0;
		memset(p + 1, 0, 3);
		p[IP6_HOPS] = 0;
		extensions(p, header, p);
	}
}

/* In transport mode the source still has what was cleared of the header. */
bool
ipsec_ah_restore(struct op_access *access, struct op *op, const struct ipsec_sa *sa)
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
