/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IPsec sessions. See accel_ipsec.h. As with other sessions, all checks come before any key is
 * copied.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_crypto_sym.h>

#include "accel_capabilities.h"
#include "accel_compat.h"
#include "accel_devtree.h"
#include "accel_ipsec.h"
#include "accel_ipsec_alg.h"
#include "accel_logs.h"

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

/* An SA that a configuration describes. */
struct ipsec_plan {
	const struct rte_security_ipsec_xform *x;
	const struct accel_dt_protocol *card; /* what the card has of this protocol */
	/* A part that the SA does not have is NULL. */
	const struct rte_crypto_cipher_xform *cipher;
	const struct rte_crypto_auth_xform *auth;
	const struct rte_crypto_aead_xform *aead;
	bool ah;
	bool tunnel;
	bool outbound;
	/* Numbers and sizes that the card gets; 0: none. */
	uint16_t cipher_hw; /* cipher or AEAD */
	uint16_t auth_hw;
	uint16_t cipher_key_len;
	uint16_t auth_key_len;
	uint16_t digest_len;
	uint8_t iv_len; /* in the packet */
	uint8_t salt_len;
	uint16_t block; /* to which ESP pads */
	uint16_t iv_offset;
	uint32_t options; /* ACCEL_HW_IPSEC_* */
	const char *why; /* text for a refusal */
};

/* Notes why an SA is refused. */
static int
refuse(struct ipsec_plan *plan, int error, const char *why)
{
	plan->why = why;
	return error;
}

/*
 * Checks.
 */

/* Reads the transforms. Their order has no meaning, since the protocol defines it. */
static int
plan_xforms(const struct rte_crypto_sym_xform *xform, struct ipsec_plan *plan)
{
	for (; xform != NULL; xform = xform->next) {
		if (xform->type == RTE_CRYPTO_SYM_XFORM_CIPHER && plan->cipher == NULL)
			plan->cipher = &xform->cipher;
		else if (xform->type == RTE_CRYPTO_SYM_XFORM_AUTH && plan->auth == NULL)
			plan->auth = &xform->auth;
		else if (xform->type == RTE_CRYPTO_SYM_XFORM_AEAD && plan->aead == NULL)
			plan->aead = &xform->aead;
		else
			return refuse(plan, -EINVAL, "two transforms of a kind, or one of none");
	}
	if (plan->aead != NULL && (plan->cipher != NULL || plan->auth != NULL))
		return refuse(plan, -EINVAL, "an AEAD is all of an SA, without other transforms");
	if (plan->aead == NULL && plan->cipher == NULL && plan->auth == NULL)
		return refuse(plan, -EINVAL, "an SA needs a transform");
	return 0;
}

/*
 * Checks what all algorithms have, and gets their rows.
 *
 * @param key, len, digest, iv the sizes of the transform. Those of NULL do not count.
 */
static int
plan_alg(const struct accel_dev *dev, struct ipsec_plan *plan, enum accel_alg_class class, int rte,
	 const uint8_t *key, unsigned int len, unsigned int digest, unsigned int iv,
	 const struct accel_alg **alg)
{
	const struct accel_ipsec_alg *ipsec = accel_ipsec_alg_find(class, rte);
	const struct accel_dt_alg *hw;
	int ret;

	*alg = accel_alg_find(class, rte);
	if (ipsec == NULL || *alg == NULL ||
	    !accel_dt_protocol_has(plan->card, class, (*alg)->hw) ||
	    dev->dt.alg[(*alg)->hw].class != class)
		return refuse(plan, -ENOTSUP, "the device does not offer an algorithm for it");
	if ((*alg)->rules & ACCEL_ALG_SIZES_IGNORED)
		return 0;
	hw = &dev->dt.alg[(*alg)->hw];
	ret = accel_session_check_key(*alg, hw, key, len);
	if (ret != 0)
		return refuse(plan, ret, "an algorithm does not have this key");
	if (class != ACCEL_ALG_CIPHER) {
		ret = accel_session_check_digest(*alg, hw, len, digest, &plan->why);
		if (ret != 0)
			return refuse(plan, ret, "an algorithm does not have this ICV");
		plan->digest_len = (uint16_t)digest;
	}
	if ((ipsec->iv.max != 0 || class != ACCEL_ALG_AUTH) && !accel_range_has(&ipsec->iv, iv))
		return refuse(plan, -EINVAL, "an algorithm does not have this IV");
	if (ipsec->packet_iv != 0) {
		plan->iv_len = ipsec->packet_iv;
		plan->salt_len = ipsec->salt;
	}
	return 0;
}

static int
plan_cipher(const struct accel_dev *dev, struct ipsec_plan *plan)
{
	const struct rte_crypto_cipher_xform *x = plan->cipher;
	const struct accel_alg *alg;
	int ret;

	if (x == NULL) {
		plan->cipher_hw = ACCEL_HW_CIPHER_NULL;
		if (accel_dt_protocol_has(plan->card, ACCEL_ALG_CIPHER, ACCEL_HW_CIPHER_NULL))
			return 0;
		return refuse(plan, -ENOTSUP, "the device does not offer ESP without a cipher");
	}
	if (x->op != (plan->outbound ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT))
		return refuse(plan, -EINVAL, "the cipher's operation is not that of the direction");
	ret = plan_alg(dev, plan, ACCEL_ALG_CIPHER, x->algo, x->key.data, x->key.length, 0,
		       x->iv.length, &alg);
	if (ret != 0)
		return ret;
	plan->cipher_hw = alg->hw;
	plan->block = RTE_MAX(plan->block, alg->block);
	if (alg->rules & ACCEL_ALG_SIZES_IGNORED)
		return 0;
	plan->cipher_key_len = x->key.length;
	plan->iv_offset = x->iv.offset;
	return 0;
}

static int
plan_auth(const struct accel_dev *dev, struct ipsec_plan *plan)
{
	const struct rte_crypto_auth_xform *x = plan->auth;
	const struct accel_alg *alg;
	int ret;

	if (x == NULL) {
		plan->auth_hw = ACCEL_HW_AUTH_NULL;
		if (accel_dt_protocol_has(plan->card, ACCEL_ALG_AUTH, ACCEL_HW_AUTH_NULL))
			return 0;
		return refuse(plan, -ENOTSUP, "the device does not offer it without an ICV");
	}
	if (x->op != (plan->outbound ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY))
		return refuse(plan, -EINVAL, "authentication does not go with the direction");
	ret = plan_alg(dev, plan, ACCEL_ALG_AUTH, x->algo, x->key.data, x->key.length,
		       x->digest_length, x->iv.length, &alg);
	if (ret != 0)
		return ret;
	plan->auth_hw = alg->hw;
	if (alg->rules & ACCEL_ALG_SIZES_IGNORED)
		return 0;
	plan->auth_key_len = x->key.length;
	if (alg->hw != ACCEL_HW_AUTH_AES_GMAC)
		return 0;
	plan->iv_offset = x->iv.offset;
	if (plan->cipher_hw == ACCEL_HW_CIPHER_NULL || plan->ah)
		return 0;
	return refuse(plan, -ENOTSUP, "AES-GMAC goes with the cipher NULL only (RFC 4543)");
}

static int
plan_aead(const struct accel_dev *dev, struct ipsec_plan *plan)
{
	const struct rte_crypto_aead_xform *x = plan->aead;
	const struct accel_alg *alg;
	int ret;

	if (x->op != (plan->outbound ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT))
		return refuse(plan, -EINVAL, "the AEAD's operation is not that of the direction");
	ret = plan_alg(dev, plan, ACCEL_ALG_AEAD, x->algo, x->key.data, x->key.length,
		       x->digest_length, x->iv.length, &alg);
	if (ret != 0)
		return ret;
	plan->cipher_hw = alg->hw;
	plan->cipher_key_len = x->key.length;
	plan->iv_offset = x->iv.offset;
	return 0;
}

/* Checks the algorithms of AH, which has no cipher. */
static int
plan_ah(const struct accel_dev *dev, struct ipsec_plan *plan)
{
	if (plan->aead != NULL || plan->auth == NULL ||
	    plan->auth->algo == RTE_CRYPTO_AUTH_NULL)
		return refuse(plan, -EINVAL, "AH needs authentication, and nothing else");
	if (plan->cipher != NULL && plan->cipher->algo != RTE_CRYPTO_CIPHER_NULL)
		return refuse(plan, -EINVAL, "AH has no cipher");
	return plan_auth(dev, plan);
}

static int
plan_algs(const struct accel_dev *dev, struct ipsec_plan *plan)
{
	int ret;

	plan->block = PAD_ESP;
	if (plan->ah)
		return plan_ah(dev, plan);
	if (plan->aead != NULL)
		return plan_aead(dev, plan);
	ret = plan_cipher(dev, plan);
	return ret != 0 ? ret : plan_auth(dev, plan);
}

/* Checks the tunnel's header. */
static int
plan_tunnel(struct ipsec_plan *plan)
{
	const struct rte_security_ipsec_tunnel_param *tunnel = &plan->x->tunnel;

	plan->options |= ACCEL_HW_IPSEC_TUNNEL;
	switch (tunnel->type) {
	case RTE_SECURITY_IPSEC_TUNNEL_IPV4:
		if (tunnel->ipv4.dscp > DSCP_MAX)
			return refuse(plan, -EINVAL, "the tunnel's DSCP has more than 6 bits");
		return 0;
	case RTE_SECURITY_IPSEC_TUNNEL_IPV6:
		if (tunnel->ipv6.dscp > DSCP_MAX || tunnel->ipv6.flabel > FLABEL_MAX)
			return refuse(plan, -EINVAL,
				      "the tunnel's DSCP has more than 6 bits, or its flow label "
				      "more than 20");
		plan->options |= ACCEL_HW_IPSEC_OUTER_V6;
		return 0;
	default:
		return refuse(plan, -EINVAL, "the tunnel is neither of IPv4 nor of IPv6");
	}
}

/* Checks the options that only inbound SAs have. Outbound they have no effect. */
static int
plan_verify(struct ipsec_plan *plan)
{
	const struct rte_security_ipsec_sa_options *o = &plan->x->options;

	if (plan->outbound)
		return 0;
	if (o->udp_ports_verify != 0) {
		if (o->udp_encap == 0)
			return refuse(plan, -EINVAL, "without UDP there are no ports to verify");
		plan->options |= ACCEL_HW_IPSEC_UDP_VERIFY;
	}
	if (o->tunnel_hdr_verify == 0)
		return 0;
	if (!plan->tunnel ||
	    o->tunnel_hdr_verify > RTE_SECURITY_IPSEC_TUNNEL_VERIFY_SRC_DST_ADDR)
		return refuse(plan, -EINVAL, "there is no such part of a tunnel to verify");
	plan->options |= ACCEL_HW_IPSEC_VERIFY_DST;
	if (o->tunnel_hdr_verify == RTE_SECURITY_IPSEC_TUNNEL_VERIFY_SRC_DST_ADDR)
		plan->options |= ACCEL_HW_IPSEC_VERIFY_SRC;
	return 0;
}

/*
 * Checks the options. Those that change one of two headers have no effect in transport mode, and
 * those of the outer header none inbound.
 */
static int
plan_options(struct ipsec_plan *plan)
{
	const struct rte_security_ipsec_sa_options *o = &plan->x->options;
	const bool build = plan->tunnel && plan->outbound;
	const struct {
		bool set;
		uint32_t option;
	} map[] = {
		{ o->esn, ACCEL_HW_IPSEC_ESN },
		{ o->udp_encap, ACCEL_HW_IPSEC_UDP },
		{ build && o->copy_df, ACCEL_HW_IPSEC_COPY_DF },
		{ plan->tunnel && o->copy_dscp, ACCEL_HW_IPSEC_COPY_DSCP },
		{ build && o->copy_flabel, ACCEL_HW_IPSEC_COPY_FLABEL },
		{ plan->tunnel && o->ecn, ACCEL_HW_IPSEC_ECN },
		{ build && o->dec_ttl, ACCEL_HW_IPSEC_DEC_TTL },
		{ o->ip_csum_enable, ACCEL_HW_IPSEC_IP_CHECKSUM },
		{ o->l4_csum_enable, ACCEL_HW_IPSEC_L4_CHECKSUM },
		{ plan->outbound && o->iv_gen_disable && plan->iv_len != 0,
		  ACCEL_HW_IPSEC_IV_GIVEN },
	};
	unsigned int i;

	if (plan->ah && o->udp_encap != 0)
		return refuse(plan, -EINVAL, "AH has no UDP encapsulation");
	if (plan->outbound && accel_ipsec_ingress_oop(o))
		return refuse(plan, -EINVAL, "ingress_oop is for inbound SAs");
	if (o->ip_reassembly_en != 0)
		return refuse(plan, -ENOTSUP, "the device does not reassemble packets");
	for (i = 0; i < RTE_DIM(map); i++)
		plan->options |= map[i].set ? map[i].option : 0;
	return plan_verify(plan);
}

/* Checks mode and direction, sequence number and window. */
static int
plan_parameters(struct ipsec_plan *plan)
{
	const struct rte_security_ipsec_xform *x = plan->x;

	if ((x->mode != RTE_SECURITY_IPSEC_SA_MODE_TRANSPORT &&
	     x->mode != RTE_SECURITY_IPSEC_SA_MODE_TUNNEL) ||
	    (x->direction != RTE_SECURITY_IPSEC_SA_DIR_EGRESS &&
	     x->direction != RTE_SECURITY_IPSEC_SA_DIR_INGRESS))
		return refuse(plan, -EINVAL, "there is no such mode or direction");
	plan->tunnel = x->mode == RTE_SECURITY_IPSEC_SA_MODE_TUNNEL;
	plan->outbound = x->direction == RTE_SECURITY_IPSEC_SA_DIR_EGRESS;
	if (x->options.esn == 0 && x->esn.value > UINT32_MAX)
		return refuse(plan, -EINVAL, "a sequence number above 32 bits needs ESN");
	if (!plan->tunnel && !plan->card->transport)
		return refuse(plan, -ENOTSUP, "the device does not offer transport mode for it");
	/* A window has no effect outbound. */
	if (!plan->outbound && x->replay_win_sz > plan->card->replay_window_max)
		return refuse(plan, -ENOTSUP, "the replay window is larger than the device's");
	return 0;
}

static int
plan_make(const struct accel_dev *dev, const struct rte_security_session_conf *conf,
	  struct ipsec_plan *plan)
{
	const struct rte_security_ipsec_xform *x = &conf->ipsec;
	int ret;

	if (!dev->dt.esp.present && !dev->dt.ah.present)
		return refuse(plan, -ENOTSUP, "the device does not offer IPsec");
	if (x->proto != RTE_SECURITY_IPSEC_SA_PROTO_ESP &&
	    x->proto != RTE_SECURITY_IPSEC_SA_PROTO_AH)
		return refuse(plan, -EINVAL, "the protocol is neither ESP nor AH");
	plan->x = x;
	plan->ah = x->proto == RTE_SECURITY_IPSEC_SA_PROTO_AH;
	plan->card = plan->ah ? &dev->dt.ah : &dev->dt.esp;
	if (!plan->card->present)
		return refuse(plan, -ENOTSUP, "the device does not offer this protocol");
	ret = plan_parameters(plan);
	if (ret == 0)
		ret = plan_xforms(conf->crypto_xform, plan);
	if (ret == 0)
		ret = plan_algs(dev, plan);
	if (ret == 0 && plan->tunnel)
		ret = plan_tunnel(plan);
	if (ret == 0)
		ret = plan_options(plan);
	if (ret == 0 && (plan->options & ~plan->card->options) != 0)
		ret = refuse(plan, -ENOTSUP, "the device does not offer an option");
	return ret;
}

static void
log_refusal(const struct accel_dev *dev, const struct rte_security_ipsec_xform *x,
	    const struct ipsec_plan *plan)
{
	const uint32_t lacking = plan->card != NULL ? plan->options & ~plan->card->options : 0;

	ACCEL_LOG(NOTICE, "%s: IPsec session refused, %s: SPI 0x%x protocol %d mode %d "
		  "direction %d, cipher %d auth %d AEAD %d, missing options 0x%x; see the "
		  "capabilities", dev->name, plan->why, x->spi, x->proto, x->mode, x->direction,
		  plan->cipher != NULL ? (int)plan->cipher->algo : 0,
		  plan->auth != NULL ? (int)plan->auth->algo : 0,
		  plan->aead != NULL ? (int)plan->aead->algo : 0, lacking);
}

/*
 * Writers.
 */

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

/* Writes the part of the context that all kinds have (manual 8.1), keys included. */
static void
write_context(const struct ipsec_plan *plan, struct accel_hw_context *ctx)
{
	ctx->kind = plan->ah ? ACCEL_HW_KIND_AH : ACCEL_HW_KIND_ESP;
	ctx->flags = plan->outbound ? ACCEL_HW_CTX_ENCRYPT : 0;
	ctx->cipher_alg = rte_cpu_to_le_16(plan->cipher_hw);
	ctx->auth_alg = rte_cpu_to_le_16(plan->auth_hw);
	ctx->cipher_key_len = rte_cpu_to_le_16(plan->cipher_key_len);
	ctx->auth_key_len = rte_cpu_to_le_16(plan->auth_key_len);
	ctx->iv_len = plan->iv_len;
	ctx->digest_len = rte_cpu_to_le_16(plan->digest_len);
	if (plan->cipher_key_len != 0)
		memcpy(ctx->cipher_key,
		       plan->aead != NULL ? plan->aead->key.data : plan->cipher->key.data,
		       plan->cipher_key_len);
	if (plan->auth_key_len != 0)
		memcpy(ctx->auth_key, plan->auth->key.data, plan->auth_key_len);
}

/* Writes the host's part of an SA (manual 8.6). */
static void
write_ipsec(const struct ipsec_plan *plan, struct accel_hw_ipsec *ipsec)
{
	const struct rte_security_ipsec_xform *x = plan->x;
	const uint16_t source = x->udp.sport != 0 ? x->udp.sport : DEFAULT_PORT;
	const uint16_t destination = x->udp.dport != 0 ? x->udp.dport : DEFAULT_PORT;

	ipsec->spi = rte_cpu_to_le_32(x->spi);
	ipsec->options = rte_cpu_to_le_32(plan->options);
	if (!plan->outbound)
		ipsec->replay_window = rte_cpu_to_le_32(x->replay_win_sz);
	memcpy(ipsec->salt, &x->salt, plan->salt_len);
	if (plan->options & ACCEL_HW_IPSEC_UDP) {
		ipsec->udp_source = rte_cpu_to_le_16(source);
		ipsec->udp_destination = rte_cpu_to_le_16(destination);
	}
	ipsec->packets_soft = rte_cpu_to_le_64(x->life.packets_soft_limit);
	ipsec->packets_hard = rte_cpu_to_le_64(x->life.packets_hard_limit);
	ipsec->bytes_soft = rte_cpu_to_le_64(x->life.bytes_soft_limit);
	ipsec->bytes_hard = rte_cpu_to_le_64(x->life.bytes_hard_limit);
	if (plan->options & ACCEL_HW_IPSEC_OUTER_V6)
		write_outer_v6(&x->tunnel, ipsec->outer_header);
	else if (plan->tunnel)
		write_outer_v4(&x->tunnel, ipsec->outer_header);
}

/*
 * The last number taken, or the highest received, of an SA whose next number is that of the
 * configuration. The first number of all is 1.
 */
static uint64_t
first_sequence(const struct ipsec_plan *plan)
{
	const uint64_t next = plan->x->esn.value;

	return rte_cpu_to_le_64(next != 0 ? next - 1 : 0);
}

static unsigned int
round_up(unsigned int n, unsigned int to)
{
	return (n + to - 1) / to * to;
}

/* Writes how much longer than its source the result of an operation is. */
static void
write_growth(const struct ipsec_plan *plan, struct accel_session *sess)
{
	const unsigned int icv = plan->iv_len + plan->digest_len;
	const bool v6 = (plan->options & ACCEL_HW_IPSEC_OUTER_V6) != 0;
	unsigned int head = 0, tail = 0;

	if (plan->tunnel)
		head += v6 ? IPV6_LEN : IPV4_LEN;
	if (plan->options & ACCEL_HW_IPSEC_UDP)
		head += UDP_LEN;
	if (!plan->ah) {
		head += ESP_LEN + plan->iv_len;
		tail = plan->block - 1u + ESP_TRAILER_LEN + plan->digest_len;
	} else {
		/* In transport mode the packet's version decides, and IPv6 takes more. */
		head += round_up(AH_LEN + icv, v6 || !plan->tunnel ? PAD_AH_V6 : PAD_AH);
		if (!plan->tunnel && round_up(AH_LEN + icv, PAD_AH) != head)
			sess->rules |= ACCEL_SESSION_HEAD_VARIES;
	}
	sess->head = (uint8_t)head;
	sess->growth = (uint16_t)(head + tail);
}

/* Writes the fields that the data path needs, except for addresses. */
static void
write_session(const struct ipsec_plan *plan, struct accel_session *sess)
{
	sess->kind = plan->ah ? ACCEL_HW_KIND_AH : ACCEL_HW_KIND_ESP;
	sess->verify = !plan->outbound;
	sess->generate = plan->outbound;
	sess->digest_len = plan->digest_len;
	if (plan->options & ACCEL_HW_IPSEC_IV_GIVEN) {
		sess->iv_len = plan->iv_len;
		sess->iv_offset = plan->iv_offset;
	}
	sess->rules = plan->card->overlap ? ACCEL_SESSION_OVERLAP : 0;
	if (plan->outbound)
		write_growth(plan, sess);
}

/* Writes what the fast path copies from a session that has a name and is complete. */
static void
write_template(struct accel_session *sess)
{
	uint64_t first;

	memcpy(&first, &sess->command, sizeof(first));
	/* The command has its tag where the session has the generation. */
	sess->command.ipsec.first = first & rte_cpu_to_le_64(UINT64_MAX << 32);
	sess->command.ipsec.result =
		((uint64_t)sess->growth << ACCEL_HW_DESC2_LEN_SHIFT) - sess->head;
}

int
accel_ipsec_make(struct accel_dev *dev, const struct rte_security_session_conf *conf,
		 struct accel_ipsec_session *sess, rte_iova_t iova)
{
	struct ipsec_plan plan = { 0 };
	int ret;

	ret = plan_make(dev, conf, &plan);
	if (ret != 0) {
		log_refusal(dev, &conf->ipsec, &plan);
		return ret;
	}
	ret = accel_session_name(dev, &sess->base, iova);
	if (ret != 0)
		return ret;
	write_context(&plan, &sess->base.context);
	write_ipsec(&plan, &sess->ipsec);
	sess->state.sequence = first_sequence(&plan);
	write_session(&plan, &sess->base);
	write_template(&sess->base);
	return 0;
}

/* Is an SA, but for what an update may change, that of a plan? */
static bool
is_same(const struct ipsec_plan *plan, const struct accel_ipsec_session *sess)
{
	const size_t fixed = offsetof(struct accel_hw_context, kind);
	struct accel_ipsec_session same = { 0 };
	bool equal;

	write_context(plan, &same.base.context);
	write_ipsec(plan, &same.ipsec);
	write_session(plan, &same.base);
	same.ipsec.replay_window = sess->ipsec.replay_window;
	equal = memcmp((const uint8_t *)&same.base.context + fixed,
		       (const uint8_t *)&sess->base.context + fixed,
		       sizeof(same.base.context) - fixed) == 0 &&
		memcmp(&same.ipsec, &sess->ipsec, sizeof(same.ipsec)) == 0 &&
		same.base.iv_len == sess->base.iv_len &&
		same.base.iv_offset == sess->base.iv_offset;
	accel_memzero_explicit(&same, sizeof(same));
	return equal;
}

int
accel_ipsec_update(struct accel_dev *dev, const struct rte_security_session_conf *conf,
		   struct accel_ipsec_session *sess)
{
	struct ipsec_plan plan = { 0 };
	int ret;

	ret = plan_make(dev, conf, &plan);
	if (ret == 0 && !is_same(&plan, sess))
		ret = refuse(&plan, -ENOTSUP,
			     "an update changes sequence number and replay window only");
	if (ret != 0) {
		log_refusal(dev, &conf->ipsec, &plan);
		return ret;
	}
	if (!plan.outbound)
		sess->ipsec.replay_window = rte_cpu_to_le_32(plan.x->replay_win_sz);
	sess->state.sequence = first_sequence(&plan);
	memset(sess->state.window, 0, sizeof(sess->state.window));
	accel_session_rename(dev, &sess->base);
	return 0;
}

/* Reads a field of the state, which the card may write at any time, each with one store. */
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
