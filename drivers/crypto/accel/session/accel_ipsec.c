/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IPsec sessions. See accel_ipsec.h.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_crypto_sym.h>
#include <rte_cryptodev.h>

#include "accel_capabilities.h"
#include "accel_compat.h"
#include "accel_devtree.h"
#include "accel_ipsec.h"
#include "accel_plan.h"

#define IPV4_LEN 20u
#define IPV6_LEN 40u
#define UDP_LEN 8u
#define ESP_LEN 8u /* SPI and sequence number */
#define ESP_TRAILER_LEN 2u /* pad length and next header */
#define AH_LEN 12u /* without ICV */
#define PAD_ESP 4u /* RFC 4303, 2.4 */
#define PAD_AH 4u /* RFC 4302, 2.2 */
#define PAD_AH_V6 8u

#define DEFAULT_TTL 64u
#define DEFAULT_PORT 4500u /* RFC 3948 */
#define DSCP_MAX 63u
#define FLABEL_MAX 0xfffffu

#define ROW(class_, name, iv_min, iv_max, iv_step, packet_iv, salt)                                \
	{                                                                                          \
		.class = ACCEL_ALG_##class_, .rte = RTE_CRYPTO_##class_##_##name,                  \
		.iv_len = packet_iv, .salt_len = salt, .iv = { iv_min, iv_max, iv_step }           \
	}

/*
 * Has the algorithms of manual 8.6. A nonce is the salt followed by the IV of the packet. A
 * transform's iv.length is the length of the nonce for an AEAD and AES-GMAC, and the length of the
 * packet's IV for a cipher. For AES-CTR it may be either of them, or the length of the counter
 * block.
 */
static const struct accel_plan_alg ipsec_algs[] = {
	ROW(CIPHER, NULL, 0, 0, 0, 0, 0),
	ROW(CIPHER, DES_CBC, 8, 8, 0, 8, 0),
	ROW(CIPHER, 3DES_CBC, 8, 8, 0, 8, 0),
	ROW(CIPHER, AES_CBC, 16, 16, 0, 16, 0),
	ROW(CIPHER, AES_CTR, 8, 16, 4, 8, 4),
	ROW(AUTH, NULL, 0, 0, 0, 0, 0),
	ROW(AUTH, MD5_HMAC, 0, 0, 0, 0, 0),
	ROW(AUTH, SHA1_HMAC, 0, 0, 0, 0, 0),
	ROW(AUTH, SHA224_HMAC, 0, 0, 0, 0, 0),
	ROW(AUTH, SHA256_HMAC, 0, 0, 0, 0, 0),
	ROW(AUTH, SHA384_HMAC, 0, 0, 0, 0, 0),
	ROW(AUTH, SHA512_HMAC, 0, 0, 0, 0, 0),
	ROW(AUTH, AES_XCBC_MAC, 0, 0, 0, 0, 0),
	ROW(AUTH, AES_CMAC, 0, 0, 0, 0, 0),
	ROW(AUTH, AES_GMAC, 12, 12, 0, 8, 4),
	ROW(AEAD, AES_GCM, 12, 12, 0, 8, 4),
	ROW(AEAD, AES_CCM, 11, 13, 1, 8, 3),
	ROW(AEAD, CHACHA20_POLY1305, 12, 12, 0, 8, 4),
};

static_assert(RTE_DIM(ipsec_algs) == ACCEL_IPSEC_ALGS, "room in struct accel_ipsec_caps");

/* The AAD of ESP is the SPI and a sequence number of 4 or 8 bytes. */
static const struct accel_plan_table ipsec_table = {
	.rows = ipsec_algs, .nb = RTE_DIM(ipsec_algs), .shown[ACCEL_ALG_AEAD].aad = { 8, 12, 4 },
};

/*
 * Lists the options that are flags: F(field of rte_security, the card's option, whether the option
 * counts in an SA).
 * Options that change one of a tunnel's two headers have no effect in transport mode. Options of
 * the outer header have no effect on inbound SAs.
 */
#define IPSEC_FLAGS(F, tunnel, encrypt, takes_iv)                                                  \
	F(esn, ESN, true)                                                                          \
	F(udp_encap, UDP, true)                                                                    \
	F(copy_df, COPY_DF, (tunnel) && (encrypt))                                                 \
	F(copy_dscp, COPY_DSCP, tunnel)                                                            \
	F(copy_flabel, COPY_FLABEL, (tunnel) && (encrypt))                                         \
	F(ecn, ECN, tunnel)                                                                        \
	F(dec_ttl, DEC_TTL, (tunnel) && (encrypt))                                                 \
	F(ip_csum_enable, IP_CHECKSUM, true)                                                       \
	F(l4_csum_enable, L4_CHECKSUM, true)                                                       \
	F(iv_gen_disable, IV_GIVEN, (encrypt) && (takes_iv))

/* The functions below check a configuration and make the plan. */

/* Checks that the transforms go together, and with the protocol. */
static int
plan_xforms(const struct rte_crypto_sym_xform *xform, struct accel_plan *plan)
{
	int ret = accel_plan_read(plan, xform);

	if (ret != 0)
		return ret;
	if (plan->aead != NULL && (plan->cipher != NULL || plan->auth != NULL))
		return accel_plan_refuse(plan, -EINVAL,
					 "an AEAD is all of an SA, without other transforms");
	if (!plan->ipsec.ah)
		return 0;
	if (plan->auth == NULL || plan->auth->algo == RTE_CRYPTO_AUTH_NULL)
		return accel_plan_refuse(plan, -EINVAL,
					 "AH needs authentication, and nothing else");
	if (plan->cipher != NULL && plan->cipher->algo != RTE_CRYPTO_CIPHER_NULL)
		return accel_plan_refuse(plan, -EINVAL, "AH has no cipher");
	plan->cipher = NULL;
	return 0;
}

/* Checks the algorithms. ESP without a cipher, or without authentication, gets NULL for it. */
static int
plan_algs(const struct accel_dev *dev, struct accel_plan *plan)
{
	const bool chain = plan->aead == NULL && !plan->ipsec.ah;
	int ret = accel_plan_check(dev, plan);

	if (ret == 0 && chain && plan->cipher == NULL)
		ret = accel_plan_take_null(plan, ACCEL_ALG_CIPHER);
	if (ret == 0 && chain && plan->auth == NULL)
		ret = accel_plan_take_null(plan, ACCEL_ALG_AUTH);
	if (ret == 0 && chain && plan->auth_hw == ACCEL_HW_AUTH_AES_GMAC &&
	    plan->cipher_hw != ACCEL_HW_CIPHER_NULL)
		return accel_plan_refuse(plan, -ENOTSUP,
					 "AES-GMAC goes with the cipher NULL only (RFC 4543)");
	return ret;
}

static int
plan_tunnel(struct accel_plan *plan)
{
	const struct rte_security_ipsec_tunnel_param *tunnel = &plan->ipsec.x->tunnel;
	const bool v4 = tunnel->type == RTE_SECURITY_IPSEC_TUNNEL_IPV4;
	const bool v6 = tunnel->type == RTE_SECURITY_IPSEC_TUNNEL_IPV6;
	const struct accel_plan_rule rules[] = {
		{ !v4 && !v6, -EINVAL, "the tunnel is neither of IPv4 nor of IPv6" },
		{ v4 && tunnel->ipv4.dscp > DSCP_MAX, -EINVAL,
		  "the tunnel's DSCP has more than 6 bits" },
		{ v6 && (tunnel->ipv6.dscp > DSCP_MAX || tunnel->ipv6.flabel > FLABEL_MAX), -EINVAL,
		  "the tunnel's DSCP has more than 6 bits, or its flow label more than 20" },
	};

	plan->ipsec.options |= ACCEL_HW_IPSEC_TUNNEL | (v6 ? ACCEL_HW_IPSEC_OUTER_V6 : 0);
	return accel_plan_obey(plan, rules, RTE_DIM(rules));
}

/* Checks the options that only inbound SAs use. They have no effect on outbound SAs. */
static int
plan_verify(struct accel_plan *plan)
{
	const struct rte_security_ipsec_sa_options *o = &plan->ipsec.x->options;

	const unsigned int all = RTE_SECURITY_IPSEC_TUNNEL_VERIFY_SRC_DST_ADDR;
	const struct accel_plan_rule rules[] = {
		{ o->udp_ports_verify != 0 && o->udp_encap == 0, -EINVAL,
		  "without UDP there are no ports to verify" },
		{ o->tunnel_hdr_verify != 0 && (!plan->ipsec.tunnel || o->tunnel_hdr_verify > all),
		  -EINVAL, "there is no such part of a tunnel to verify" },
	};

	if (plan->encrypt)
		return 0;
	if (o->udp_ports_verify != 0)
		plan->ipsec.options |= ACCEL_HW_IPSEC_UDP_VERIFY;
	if (o->tunnel_hdr_verify != 0)
		plan->ipsec.options |= ACCEL_HW_IPSEC_VERIFY_DST;
	if (o->tunnel_hdr_verify == all)
		plan->ipsec.options |= ACCEL_HW_IPSEC_VERIFY_SRC;
	return accel_plan_obey(plan, rules, RTE_DIM(rules));
}

static int
plan_options(struct accel_plan *plan)
{
	const struct rte_security_ipsec_sa_options *o = &plan->ipsec.x->options;
	const struct accel_plan_rule rules[] = {
		{ plan->ipsec.ah && o->udp_encap != 0, -EINVAL, "AH has no UDP encapsulation" },
		{ plan->encrypt && accel_ipsec_ingress_oop(o), -EINVAL,
		  "ingress_oop is for inbound SAs" },
		{ o->ip_reassembly_en != 0, -ENOTSUP, "the device does not reassemble packets" },
	};
	const int ret = accel_plan_obey(plan, rules, RTE_DIM(rules));

	if (ret != 0)
		return ret;
#define SET_OPTION(field, name, counts)                                                            \
	plan->ipsec.options |= o->field != 0 && (counts) ? ACCEL_HW_IPSEC_##name : 0;
	IPSEC_FLAGS(SET_OPTION, plan->ipsec.tunnel, plan->encrypt, plan->iv_len != 0)
#undef SET_OPTION
	if (plan->ipsec.options & ACCEL_HW_IPSEC_IV_GIVEN)
		plan->op_iv_len = plan->iv_len;
	return plan_verify(plan);
}

/* Checks mode and direction, sequence number and window. */
static int
plan_parameters(struct accel_plan *plan)
{
	const struct rte_security_ipsec_xform *x = plan->ipsec.x;
	const bool tunnel = x->mode == RTE_SECURITY_IPSEC_SA_MODE_TUNNEL;
	const bool encrypt = x->direction == RTE_SECURITY_IPSEC_SA_DIR_EGRESS;
	const struct accel_plan_rule rules[] = {
		{ (!tunnel && x->mode != RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT) ||
		  (!encrypt && x->direction != RTE_SECURITY_IPSEC_SA_DIR_INGRESS), -EINVAL,
		  "there is no such mode or direction" },
		{ x->spi == 0, -EINVAL, "the SPI 0 is never on the wire (RFC 4303, 2.1)" },
		{ x->options.esn == 0 && x->esn.value > UINT32_MAX, -EINVAL,
		  "a sequence number above 32 bits needs ESN" },
		{ !tunnel && !plan->card->transport, -ENOTSUP,
		  "the device does not offer transport mode for it" },
		/* A window has no effect on an outbound SA. */
		{ !encrypt && x->replay_win_sz > plan->card->replay_window_max, -ENOTSUP,
		  "the replay window is larger than the device's" },
	};

	plan->ipsec.tunnel = tunnel;
	plan->encrypt = encrypt;
	return accel_plan_obey(plan, rules, RTE_DIM(rules));
}

static int
plan_make(const struct accel_dev *dev, const struct rte_security_session_conf *conf,
	  struct accel_plan *plan)
{
	const struct rte_security_ipsec_xform *x = &conf->ipsec;
	int ret;

	if (!dev->dt.esp.present && !dev->dt.ah.present)
		return accel_plan_refuse(plan, -ENOTSUP, "the device does not offer IPsec");
	if (x->proto != RTE_SECURITY_IPSEC_SA_PROTO_ESP &&
	    x->proto != RTE_SECURITY_IPSEC_SA_PROTO_AH)
		return accel_plan_refuse(plan, -EINVAL, "the protocol is neither ESP nor AH");
	plan->ipsec.x = x;
	plan->ipsec.ah = x->proto == RTE_SECURITY_IPSEC_SA_PROTO_AH;
	plan->kind = plan->ipsec.ah ? ACCEL_HW_KIND_AH : ACCEL_HW_KIND_ESP;
	plan->table = &ipsec_table;
	plan->card = plan->ipsec.ah ? &dev->dt.ah : &dev->dt.esp;
	if (!plan->card->present)
		return accel_plan_refuse(plan, -ENOTSUP, "the device does not offer this protocol");
	ret = plan_parameters(plan);
	if (ret == 0)
		ret = plan_xforms(conf->crypto_xform, plan);
	if (ret == 0)
		ret = plan_algs(dev, plan);
	if (ret == 0 && plan->ipsec.tunnel)
		ret = plan_tunnel(plan);
	if (ret == 0)
		ret = plan_options(plan);
	if (ret == 0 && (plan->ipsec.options & ~plan->card->options) != 0)
		ret = accel_plan_refuse(plan, -ENOTSUP, "the device does not offer an option");
	return ret;
}

static void
describe(const struct rte_security_session_conf *conf, const struct accel_plan *plan, char *text,
	 size_t size)
{
	const struct rte_security_ipsec_xform *x = &conf->ipsec;

	snprintf(text, size, "SPI 0x%x protocol %d mode %d direction %d, missing options 0x%x, ",
		 x->spi, x->proto, x->mode, x->direction,
		 plan->card != NULL ? plan->ipsec.options & ~plan->card->options : 0);
}

/* The functions below write the session. */

static void
write_outer_v4(const struct rte_security_ipsec_tunnel_param *tunnel, uint8_t *header)
{
	header[0] = 0x45;
	header[1] = (uint8_t)(tunnel->ipv4.dscp << 2);
	header[6] = tunnel->ipv4.df != 0 ? 0x40 : 0;
	header[8] = tunnel->ipv4.ttl != 0 ? tunnel->ipv4.ttl : DEFAULT_TTL;
	memcpy(header + 12, &tunnel->ipv4.src_ip, 4);
	memcpy(header + 16, &tunnel->ipv4.dst_ip, 4);
}

static void
write_outer_v6(const struct rte_security_ipsec_tunnel_param *tunnel, uint8_t *header)
{
	const uint32_t word = rte_cpu_to_be_32(UINT32_C(6) << 28 |
					       (uint32_t)tunnel->ipv6.dscp << 22 |
					       tunnel->ipv6.flabel);

	memcpy(header, &word, sizeof(word));
	header[7] = tunnel->ipv6.hlimit != 0 ? tunnel->ipv6.hlimit : DEFAULT_TTL;
	memcpy(header + 8, &tunnel->ipv6.src_addr, 16);
	memcpy(header + 24, &tunnel->ipv6.dst_addr, 16);
}

/* Writes the host's part of an SA (manual 8.6). */
static void
write_ipsec(const struct accel_plan *plan, struct accel_hw_ipsec *ipsec)
{
	const struct rte_security_ipsec_xform *x = plan->ipsec.x;
	const uint16_t source = x->udp.sport != 0 ? x->udp.sport : DEFAULT_PORT;
	const uint16_t destination = x->udp.dport != 0 ? x->udp.dport : DEFAULT_PORT;

	ipsec->spi = rte_cpu_to_le_32(x->spi);
	ipsec->options = rte_cpu_to_le_32(plan->ipsec.options);
	if (!plan->encrypt)
		ipsec->replay_window = rte_cpu_to_le_32(x->replay_win_sz);
	memcpy(ipsec->salt, &x->salt, plan->salt_len);
	if (plan->ipsec.options & ACCEL_HW_IPSEC_UDP) {
		ipsec->udp_source = rte_cpu_to_le_16(source);
		ipsec->udp_destination = rte_cpu_to_le_16(destination);
	}
	ipsec->packets_soft = rte_cpu_to_le_64(x->life.packets_soft_limit);
	ipsec->packets_hard = rte_cpu_to_le_64(x->life.packets_hard_limit);
	ipsec->bytes_soft = rte_cpu_to_le_64(x->life.bytes_soft_limit);
	ipsec->bytes_hard = rte_cpu_to_le_64(x->life.bytes_hard_limit);
	if (plan->ipsec.options & ACCEL_HW_IPSEC_OUTER_V6)
		write_outer_v6(&x->tunnel, ipsec->outer_header);
	else if (plan->ipsec.tunnel)
		write_outer_v4(&x->tunnel, ipsec->outer_header);
}

/*
 * Writes the numbers with which an SA begins (manual 8.6, State). The configuration has the next
 * sequence number, which is 1 in a new SA. The number before it counts as the last that was taken
 * (outbound) or the highest that was received (inbound).
 *
 * IVs that the card counts begin with the sequence number. So an SA that is made again after a
 * restart does not repeat the IVs from before the restart (RFC 4106, 3.1). IVs never go back.
 *
 * An inbound SA has a highest number. With ESN or after an update, all numbers that are not above
 * the highest count as received. Otherwise they may still come: without ESN some applications,
 * DPDK's own tests among them, begin with a number from the middle and send lower numbers after it.
 */
static void
begin(const struct accel_plan *plan, bool update, struct accel_session *sess)
{
	struct accel_hw_ipsec_state *state = &((struct accel_ipsec_session *)sess)->state;
	const uint64_t next = plan->ipsec.x->esn.value;
	const uint64_t last = rte_cpu_to_le_64(next != 0 ? next - 1 : 0);
	const bool received = (update || plan->ipsec.x->options.esn != 0) && !plan->encrypt &&
			      last != 0;

	state->sequence = last;
	if (rte_le_to_cpu_64(state->iv_count) < rte_le_to_cpu_64(last))
		state->iv_count = last;
	memset(state->window, received ? 0xff : 0, sizeof(state->window));
}

static unsigned int
pad_block(const struct accel_plan *plan)
{
	const struct rte_crypto_cipher_xform *x = plan->cipher;

	return x == NULL ? PAD_ESP : RTE_MAX(PAD_ESP, accel_alg_find(ACCEL_ALG_CIPHER,
								     x->algo)->info->block);
}

/* Writes how much longer the result of an operation may be than its source. */
static void
write_growth(const struct accel_plan *plan, struct accel_session *sess)
{
	const unsigned int icv = plan->iv_len + plan->digest_len;
	const bool v6 = (plan->ipsec.options & ACCEL_HW_IPSEC_OUTER_V6) != 0;
	unsigned int head = 0, tail = 0;

	if (plan->ipsec.tunnel)
		head += v6 ? IPV6_LEN : IPV4_LEN;
	if (plan->ipsec.options & ACCEL_HW_IPSEC_UDP)
		head += UDP_LEN;
	if (!plan->ipsec.ah) {
		head += ESP_LEN + plan->iv_len;
		tail = pad_block(plan) - 1u + ESP_TRAILER_LEN + plan->digest_len;
	} else {
		/* In transport mode the packet's IP version decides, and IPv6 takes more. */
		head += RTE_ALIGN_MUL_CEIL(AH_LEN + icv,
					   v6 || !plan->ipsec.tunnel ? PAD_AH_V6 : PAD_AH);
		if (!plan->ipsec.tunnel && RTE_ALIGN_MUL_CEIL(AH_LEN + icv, PAD_AH) != head)
			sess->rules |= ACCEL_SESSION_HEAD_VARIES;
	}
	sess->head = (uint8_t)head;
	sess->growth = (uint16_t)(head + tail);
}

/* Writes what the fast path copies. accel_session_name() has written the rest of the command. */
static void
write_template(struct accel_session *sess)
{
	uint64_t first;

	memcpy(&first, &sess->command, sizeof(first));
	/* The generation is cleared, because a command has its tag there. */
	sess->command.ipsec.first = first & rte_cpu_to_le_64(UINT64_MAX << 32);
	sess->command.ipsec.result =
		((uint64_t)sess->growth << ACCEL_HW_DESC2_LEN_SHIFT) - sess->head;
}

static void
write_session(const struct accel_plan *plan, struct accel_session *sess)
{
	accel_plan_write(plan, sess);
	write_ipsec(plan, &((struct accel_ipsec_session *)sess)->ipsec);
	if (plan->encrypt)
		write_growth(plan, sess);
	write_template(sess);
}

const struct accel_protocol_sessions accel_ipsec_sessions = {
	.log = ACCEL_REFUSED_IPSEC,
	.plan = plan_make,
	.write = write_session,
	.begin = begin,
	.describe = describe,
	.host_end = offsetof(struct accel_ipsec_session, state),
	.window = offsetof(struct accel_ipsec_session, ipsec.replay_window),
};

/* Reads a field of the state. The card may write a field at any time, with one store. */
static uint64_t
state_read(const uint64_t *field)
{
	return rte_le_to_cpu_64(*(const volatile uint64_t *)field);
}

void
accel_ipsec_stats(const struct accel_ipsec_session *sess, struct rte_security_ipsec_stats *stats)
{
	const struct accel_hw_ipsec_state *state = &sess->state;
	const uint64_t packets = state_read(&state->packets);
	const uint64_t bytes = state_read(&state->bytes);
	const uint64_t errors = state_read(&state->errors);

	memset(stats, 0, sizeof(*stats));
	if (sess->base.generate) {
		stats->opackets = packets;
		stats->obytes = bytes;
		stats->oerrors = errors;
	} else {
		stats->ipackets = packets;
		stats->ibytes = bytes;
		stats->ierrors = errors;
	}
}

/*
 * Returns the options that a card takes in a direction. Applications compare all options of an SA
 * with these, also the options that have no effect in its direction. So both directions have them.
 * The lookaside API counts packets of every SA, so statistics need no option of the card.
 */
static struct rte_security_ipsec_sa_options
options_of(const struct accel_dt_protocol *protocol, bool inbound)
{
	const uint32_t has = protocol->options;
	struct rte_security_ipsec_sa_options options = {
#define OPTION(field, name, counts) .field = (has & ACCEL_HW_IPSEC_##name) != 0,
		IPSEC_FLAGS(OPTION, , , )
#undef OPTION
		.stats = 1,
		.udp_ports_verify = (has & ACCEL_HW_IPSEC_UDP_VERIFY) != 0,
	};

	if ((has & ACCEL_HW_IPSEC_VERIFY_DST) != 0)
		options.tunnel_hdr_verify = (has & ACCEL_HW_IPSEC_VERIFY_SRC) != 0 ?
				RTE_SECURITY_IPSEC_TUNNEL_VERIFY_SRC_DST_ADDR :
				RTE_SECURITY_IPSEC_TUNNEL_VERIFY_DST_ADDR;
	accel_ipsec_set_ingress_oop(&options, inbound);
	return options;
}

static bool
has_mode(const struct accel_dt_protocol *protocol, enum rte_security_ipsec_sa_mode mode)
{
	return mode == RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT ?
		       protocol->transport : (protocol->options & ACCEL_HW_IPSEC_TUNNEL) != 0;
}

/* Makes the entries of a protocol, for each mode and direction. */
static unsigned int
fill_protocol(const struct accel_dt_protocol *protocol, enum rte_security_ipsec_sa_protocol proto,
	      const struct rte_cryptodev_capabilities *algs, struct rte_security_capability *list)
{
	static const enum rte_security_ipsec_sa_mode modes[] = {
		RTE_SECURITY_IPSEC_SA_MODE_TUNNEL, RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT
	};
	static const enum rte_security_ipsec_sa_direction directions[] = {
		RTE_SECURITY_IPSEC_SA_DIR_EGRESS, RTE_SECURITY_IPSEC_SA_DIR_INGRESS
	};
	unsigned int i, n = 0;

	for (i = 0; i < RTE_DIM(modes) * RTE_DIM(directions); i++) {
		const bool inbound = directions[i % 2] == RTE_SECURITY_IPSEC_SA_DIR_INGRESS;
		struct rte_security_capability *cap = &list[n];

		if (!has_mode(protocol, modes[i / 2]))
			continue;
		cap->action = RTE_SECURITY_ACTION_TYPE_LOOKASIDE_PROTOCOL;
		cap->protocol = RTE_SECURITY_PROTOCOL_IPSEC;
		cap->ipsec.proto = proto;
		cap->ipsec.mode = modes[i / 2];
		cap->ipsec.direction = directions[i % 2];
		cap->ipsec.options = options_of(protocol, inbound);
		cap->ipsec.replay_win_sz_max = inbound ? protocol->replay_window_max : 0;
		cap->crypto_capabilities = algs;
		n++;
	}
	return n;
}

unsigned int
accel_ipsec_caps_fill(const struct accel_devtree *dt, struct accel_ipsec_caps *caps,
		      struct rte_security_capability *list)
{
	unsigned int n = 0;

	if (accel_plan_capabilities(dt, &dt->esp, &ipsec_table, 0, caps->esp) != 0)
		n += fill_protocol(&dt->esp, RTE_SECURITY_IPSEC_SA_PROTO_ESP, caps->esp, list);
	if (accel_plan_capabilities(dt, &dt->ah, &ipsec_table, 0, caps->ah) != 0)
		n += fill_protocol(&dt->ah, RTE_SECURITY_IPSEC_SA_PROTO_AH, caps->ah, list + n);
	return n;
}
