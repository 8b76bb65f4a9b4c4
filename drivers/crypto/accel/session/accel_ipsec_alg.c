/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The table of the algorithms of ESP and AH, and the capabilities of IPsec. See accel_ipsec_alg.h.
 */
#include <rte_common.h>
#include <rte_crypto_sym.h>

#include "accel_compat.h"
#include "accel_ipsec_alg.h"

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

/* Has the sizes of the AAD of ESP, which is the SPI and a sequence number of 4 or 8 bytes. */
static const struct rte_crypto_param_range esp_aad = { .min = 8, .max = 12, .increment = 4 };

const struct accel_plan_table accel_ipsec_algs = { ipsec_algs, RTE_DIM(ipsec_algs), false };

/* Makes the capability of an algorithm. Only IV and AAD differ from plain operations. */
static bool
fill_alg(const struct accel_devtree *dt, const struct accel_dt_protocol *protocol,
	 const struct accel_plan_alg *row, struct rte_cryptodev_capabilities *cap)
{
	const struct rte_crypto_param_range iv = {
		.min = row->iv.min, .max = row->iv.max, .increment = row->iv.step
	};

	if (!accel_plan_capability(dt, protocol, row, cap))
		return false;
	if (row->class == ACCEL_ALG_CIPHER) {
		cap->sym.cipher.iv_size = iv;
	} else if (row->class == ACCEL_ALG_AUTH) {
		cap->sym.auth.iv_size = iv;
	} else {
		cap->sym.aead.iv_size = iv;
		cap->sym.aead.aad_size = esp_aad;
	}
	return true;
}

static unsigned int
fill_algs(const struct accel_devtree *dt, const struct accel_dt_protocol *protocol,
	  struct rte_cryptodev_capabilities *caps)
{
	unsigned int i, n = 0;

	for (i = 0; i < RTE_DIM(ipsec_algs); i++)
		n += fill_alg(dt, protocol, &ipsec_algs[i], &caps[n]);
	return n;
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
		.esn = (has & ACCEL_HW_IPSEC_ESN) != 0,
		.udp_encap = (has & ACCEL_HW_IPSEC_UDP) != 0,
		.copy_dscp = (has & ACCEL_HW_IPSEC_COPY_DSCP) != 0,
		.copy_flabel = (has & ACCEL_HW_IPSEC_COPY_FLABEL) != 0,
		.copy_df = (has & ACCEL_HW_IPSEC_COPY_DF) != 0,
		.dec_ttl = (has & ACCEL_HW_IPSEC_DEC_TTL) != 0,
		.ecn = (has & ACCEL_HW_IPSEC_ECN) != 0,
		.stats = 1,
		.iv_gen_disable = (has & ACCEL_HW_IPSEC_IV_GIVEN) != 0,
		.udp_ports_verify = (has & ACCEL_HW_IPSEC_UDP_VERIFY) != 0,
		.ip_csum_enable = (has & ACCEL_HW_IPSEC_IP_CHECKSUM) != 0,
		.l4_csum_enable = (has & ACCEL_HW_IPSEC_L4_CHECKSUM) != 0,
	};

	if ((has & ACCEL_HW_IPSEC_VERIFY_DST) != 0)
		options.tunnel_hdr_verify = (has & ACCEL_HW_IPSEC_VERIFY_SRC) != 0 ?
				RTE_SECURITY_IPSEC_TUNNEL_VERIFY_SRC_DST_ADDR :
				RTE_SECURITY_IPSEC_TUNNEL_VERIFY_DST_ADDR;
	accel_ipsec_set_ingress_oop(&options, inbound);
	return options;
}

/* True if the card has a mode of a protocol. */
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

	if (fill_algs(dt, &dt->esp, caps->esp) != 0)
		n += fill_protocol(&dt->esp, RTE_SECURITY_IPSEC_SA_PROTO_ESP, caps->esp, list);
	if (fill_algs(dt, &dt->ah, caps->ah) != 0)
		n += fill_protocol(&dt->ah, RTE_SECURITY_IPSEC_SA_PROTO_AH, caps->ah, list + n);
	return n;
}
