/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts of ESP and AH: see ipsec_context.h.
 */
#include <string.h>

#include "base/util.h"
#include "context/ipsec_context.h"
#include "state/ipsec_format.h"
#include "state/ipsec_packet.h"

#define NONCE_GCM 12u /* RFC 4106, 4543, 7634 */
#define NONCE_CCM 11u /* RFC 4309 */
#define SALT_CCM 3u
#define ESP_ALIGN 4u /* RFC 4303, 2.4 */

/* These are the algorithms that ESP and AH work with. */

static const uint8_t ciphers[] = { ACCEL_HW_CIPHER_NULL, ACCEL_HW_CIPHER_AES_CBC,
				   ACCEL_HW_CIPHER_AES_CTR, ACCEL_HW_CIPHER_DES_CBC,
				   ACCEL_HW_CIPHER_3DES_CBC };
static const uint8_t auths[] = { ACCEL_HW_AUTH_NULL,	    ACCEL_HW_AUTH_MD5_HMAC,
				 ACCEL_HW_AUTH_SHA1_HMAC,   ACCEL_HW_AUTH_SHA224_HMAC,
				 ACCEL_HW_AUTH_SHA256_HMAC, ACCEL_HW_AUTH_SHA384_HMAC,
				 ACCEL_HW_AUTH_SHA512_HMAC, ACCEL_HW_AUTH_AES_GMAC,
				 ACCEL_HW_AUTH_AES_XCBC_MAC, ACCEL_HW_AUTH_AES_CMAC };
static const uint8_t aeads[] = { ACCEL_HW_AEAD_AES_GCM, ACCEL_HW_AEAD_AES_CCM,
				 ACCEL_HW_AEAD_CHACHA20_POLY1305 };

static_assert(ARRAY_NB(auths) <= PROTOCOL_LIST_MAX, "room in the lists");

#define BOTH_OPTIONS                                                                               \
	(ACCEL_HW_IPSEC_TUNNEL | ACCEL_HW_IPSEC_OUTER_V6 | ACCEL_HW_IPSEC_ESN |                    \
	 ACCEL_HW_IPSEC_UDP | ACCEL_HW_IPSEC_COPY_DSCP | ACCEL_HW_IPSEC_ECN |                      \
	 ACCEL_HW_IPSEC_IP_CHECKSUM | ACCEL_HW_IPSEC_L4_CHECKSUM)
#define OUTBOUND_OPTIONS                                                                           \
	(ACCEL_HW_IPSEC_COPY_DF | ACCEL_HW_IPSEC_COPY_FLABEL | ACCEL_HW_IPSEC_DEC_TTL |            \
	 ACCEL_HW_IPSEC_IV_GIVEN)
#define INBOUND_OPTIONS                                                                            \
	(ACCEL_HW_IPSEC_UDP_VERIFY | ACCEL_HW_IPSEC_VERIFY_DST | ACCEL_HW_IPSEC_VERIFY_SRC)
#define TUNNEL_OPTIONS                                                                             \
	(ACCEL_HW_IPSEC_OUTER_V6 | ACCEL_HW_IPSEC_COPY_DF | ACCEL_HW_IPSEC_COPY_DSCP |             \
	 ACCEL_HW_IPSEC_COPY_FLABEL | ACCEL_HW_IPSEC_ECN | ACCEL_HW_IPSEC_DEC_TTL |                \
	 ACCEL_HW_IPSEC_VERIFY_DST | ACCEL_HW_IPSEC_VERIFY_SRC)
#define UDP_OPTIONS (ACCEL_HW_IPSEC_UDP | ACCEL_HW_IPSEC_UDP_VERIFY)

static_assert((BOTH_OPTIONS | OUTBOUND_OPTIONS | INBOUND_OPTIONS) == ACCEL_HW_IPSEC_OPTIONS,
	      "each option has its directions");

uint32_t
ipsec_options(unsigned int number)
{
	return number == ACCEL_HW_PROTO_ESP ? ACCEL_HW_IPSEC_OPTIONS :
					      ACCEL_HW_IPSEC_OPTIONS & ~UDP_OPTIONS;
}

/* The functions below make the engines' context. */

static bool
is_aead(const struct accel_hw_context *raw)
{
	return protocol_has(aeads, ARRAY_NB(aeads), raw->cipher_alg);
}

static bool
has_cipher(const struct accel_hw_context *raw)
{
	return raw->cipher_alg != 0 && raw->cipher_alg != ACCEL_HW_CIPHER_NULL;
}

static bool
has_auth(const struct accel_hw_context *raw)
{
	return raw->auth_alg != 0 && raw->auth_alg != ACCEL_HW_AUTH_NULL;
}

/* Return the bytes of the IV in a packet (RFC 2451, 3602, 3686, 4106, 4309, 4543, 7634). */
static uint8_t
packet_iv(const struct accel_hw_context *raw)
{
	if (raw->cipher_alg == ACCEL_HW_CIPHER_AES_CBC)
		return 16;
	return has_cipher(raw) || raw->auth_alg == ACCEL_HW_AUTH_AES_GMAC ?
		       ACCEL_HW_IPSEC_IV_COUNTED : 0;
}

static uint8_t
engine_kind(const struct accel_hw_context *raw)
{
	if (is_aead(raw))
		return ACCEL_HW_KIND_AEAD;
	if (!has_auth(raw))
		return ACCEL_HW_KIND_CIPHER;
	if (!has_cipher(raw))
		return ACCEL_HW_KIND_AUTH;
	return (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0 ? ACCEL_HW_KIND_CIPHER_THEN_AUTH :
							  ACCEL_HW_KIND_AUTH_THEN_CIPHER;
}

static uint8_t
engine_iv(const struct accel_hw_context *raw)
{
	if (raw->cipher_alg == ACCEL_HW_AEAD_AES_CCM)
		return NONCE_CCM;
	if (is_aead(raw))
		return NONCE_GCM;
	return raw->cipher_alg == ACCEL_HW_CIPHER_AES_CTR ? ACCEL_HW_IV_MAX : packet_iv(raw);
}

bool
ipsec_engine_context(const struct accel_hw_context *raw, struct accel_hw_context *plain)
{
	const bool outbound = (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0;

	protocol_begin_part(raw, engine_kind(raw), plain);
	if (has_cipher(raw)) {
		plain->flags = raw->flags;
		plain->cipher_alg = raw->cipher_alg;
		plain->cipher_key_len = raw->cipher_key_len;
		plain->iv_len = engine_iv(raw);
		plain->digest_len = is_aead(raw) ? raw->digest_len : 0;
		memcpy(plain->cipher_key, raw->cipher_key, sizeof(plain->cipher_key));
	}
	if (has_auth(raw)) {
		plain->flags |= outbound ? 0 : ACCEL_HW_CTX_VERIFY;
		plain->auth_alg = raw->auth_alg;
		plain->auth_key_len = raw->auth_key_len;
		plain->auth_iv_len = raw->auth_alg == ACCEL_HW_AUTH_AES_GMAC ? NONCE_GCM : 0;
		plain->digest_len = raw->digest_len;
		memcpy(plain->auth_key, raw->auth_key, sizeof(plain->auth_key));
	}
	return has_cipher(raw) || has_auth(raw);
}

/* The functions below check contexts. */

static bool
no_keys(const struct accel_hw_context *raw)
{
	return (has_cipher(raw) || raw->cipher_key_len == 0) &&
	       (has_auth(raw) || raw->auth_key_len == 0);
}

/* Check the algorithms of a context (IPS-2). */
static bool
check_algorithms(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	struct accel_hw_context plain;
	bool ok = raw->iv_len == packet_iv(raw) && raw->auth_iv_len == 0 &&
		  raw->data_unit_len == 0 && no_keys(raw);

	if (raw->kind == ACCEL_HW_KIND_AH)
		ok = ok && raw->cipher_alg == 0 && has_auth(raw) &&
		     protocol_has(auths, ARRAY_NB(auths), raw->auth_alg);
	else if (is_aead(raw))
		ok = ok && raw->auth_alg == 0;
	else
		ok = ok && protocol_has(ciphers, ARRAY_NB(ciphers), raw->cipher_alg) &&
		     protocol_has(auths, ARRAY_NB(auths), raw->auth_alg) &&
		     (raw->auth_alg != ACCEL_HW_AUTH_AES_GMAC || !has_cipher(raw)) &&
		     protocol_card_has(caps, raw->cipher_alg) &&
		     protocol_card_has(caps, raw->auth_alg) && caps->chain_cipher_auth &&
		     caps->chain_auth_cipher;
	if (!ok)
		return false;
	if (!ipsec_engine_context(raw, &plain))
		return raw->digest_len == 0;
	ok = alg_check_any_pair(caps, &plain) && (is_aead(raw) || has_auth(raw) ||
						  raw->digest_len == 0);
	explicit_bzero(&plain, sizeof(plain));
	return ok;
}

/* ESP and AH take each size that the card has, and an AEAD or AES-GMAC with the nonce of their
 * standard. */
static bool
fits_ipsec(const struct alg_caps *caps, uint8_t kind, unsigned int id)
{
	const struct accel_hw_alg_info *info = &caps->info[id];
	struct accel_hw_context raw = {
		.generation = 1,
		.version = ACCEL_HW_CTX_VERSION,
		.kind = kind,
		.flags = ACCEL_HW_CTX_ENCRYPT,
		.cipher_alg = kind == ACCEL_HW_KIND_AH ? 0 : ACCEL_HW_CIPHER_NULL,
		.auth_alg = ACCEL_HW_AUTH_NULL,
		.digest_len = info->digest.min,
	};

	if (info->class == ACCEL_HW_CLASS_AUTH) {
		raw.auth_alg = (uint16_t)id;
		raw.auth_key_len = info->key.min;
	} else {
		raw.cipher_alg = (uint16_t)id;
		raw.cipher_key_len = info->key.min;
	}
	if (info->class == ACCEL_HW_CLASS_AEAD)
		raw.auth_alg = 0;
	raw.iv_len = packet_iv(&raw);
	return check_algorithms(caps, &raw);
}

bool
ipsec_list(const struct alg_caps *caps, const uint64_t *set, unsigned int number,
	   struct protocol_lists *lists)
{
	memset(lists, 0, sizeof(*lists));
	if (!caps->ipsec)
		return false;
	if (number == ACCEL_HW_PROTO_AH) {
		lists->nb_auths = protocol_pick(caps, set, auths + 1, ARRAY_NB(auths) - 1,
						ACCEL_HW_KIND_AH, fits_ipsec, lists->auth);
		return lists->nb_auths > 0;
	}
	lists->nb_aeads = protocol_pick(caps, set, aeads, ARRAY_NB(aeads), ACCEL_HW_KIND_ESP,
					fits_ipsec, lists->aead);
	if (caps->chain_cipher_auth && caps->chain_auth_cipher) {
		lists->nb_ciphers = protocol_pick(caps, set, ciphers, ARRAY_NB(ciphers),
						  ACCEL_HW_KIND_ESP, fits_ipsec, lists->cipher);
		lists->nb_auths = protocol_pick(caps, set, auths, ARRAY_NB(auths),
						ACCEL_HW_KIND_ESP, fits_ipsec, lists->auth);
	}
	return lists->nb_aeads > 0 || (lists->nb_ciphers > 0 && lists->nb_auths > 0);
}

/* Check the options of a context with the manual's table of options. */
static bool
check_options(const struct ipsec_raw *raw)
{
	const uint32_t options = raw->ipsec.options;
	const bool outbound = (raw->common.flags & ACCEL_HW_CTX_ENCRYPT) != 0;
	uint32_t allowed = BOTH_OPTIONS | (outbound ? OUTBOUND_OPTIONS : INBOUND_OPTIONS);

	if ((options & ACCEL_HW_IPSEC_TUNNEL) == 0)
		allowed &= ~TUNNEL_OPTIONS;
	if (raw->common.kind == ACCEL_HW_KIND_AH)
		allowed &= ~UDP_OPTIONS;
	if ((options & ACCEL_HW_IPSEC_UDP) == 0)
		allowed &= ~ACCEL_HW_IPSEC_UDP_VERIFY;
	return (options & ~allowed) == 0;
}

static bool
check_outer(const struct accel_hw_ipsec *ipsec)
{
	const uint8_t *h = ipsec->outer_header;

	if ((ipsec->options & ACCEL_HW_IPSEC_TUNNEL) == 0)
		return all_zero(h, sizeof(ipsec->outer_header));
	if ((ipsec->options & ACCEL_HW_IPSEC_OUTER_V6) != 0)
		return h[0] >> 4 == 6 && get_be16(h + IP6_PAYLOAD) == 0 && h[IP6_NEXT] == 0;
	return h[0] == 0x45 && get_be16(h + IP4_TOTAL) == 0 && get_be16(h + IP4_ID) == 0 &&
	       (h[IP4_FRAGMENT] & ~IP4_DF) == 0 && h[IP4_FRAGMENT + 1] == 0 &&
	       h[IP4_PROTOCOL] == 0 && get_be16(h + IP4_CHECKSUM) == 0 &&
	       all_zero(h + IP4_HEADER, sizeof(ipsec->outer_header) - IP4_HEADER);
}

bool
ipsec_check_context(const struct alg_caps *caps, const struct ipsec_raw *raw)
{
	const struct accel_hw_ipsec *ipsec = &raw->ipsec;
	const bool outbound = (raw->common.flags & ACCEL_HW_CTX_ENCRYPT) != 0;

	return caps->ipsec && alg_check_header(&raw->common) &&
	       (raw->common.flags & ACCEL_HW_CTX_VERIFY) == 0 &&
	       check_algorithms(caps, &raw->common) && check_options(raw) &&
	       check_outer(ipsec) && ipsec->reserved == 0 && ipsec->reserved2 == 0 &&
	       all_zero(ipsec->reserved3, sizeof(ipsec->reserved3)) &&
	       ipsec->replay_window <= (outbound ? 0 : ACCEL_HW_IPSEC_WINDOW_MAX) &&
	       ((ipsec->options & ACCEL_HW_IPSEC_UDP) != 0 ||
		(ipsec->udp_source | ipsec->udp_destination) == 0) &&
	       (raw->common.cipher_alg != ACCEL_HW_AEAD_AES_CCM || ipsec->salt[SALT_CCM] == 0);
}

/* The functions below make the SA. */

static uint8_t
form_of(const struct accel_hw_context *raw)
{
	if (is_aead(raw))
		return IPSEC_FORM_AEAD;
	if (raw->auth_alg == ACCEL_HW_AUTH_AES_GMAC)
		return IPSEC_FORM_GMAC;
	if (!has_auth(raw))
		return has_cipher(raw) ? IPSEC_FORM_CIPHER : IPSEC_FORM_NONE;
	return has_cipher(raw) ? IPSEC_FORM_CHAIN : IPSEC_FORM_AUTH;
}

static uint8_t
nonce_of(const struct accel_hw_context *raw)
{
	if (packet_iv(raw) == 0)
		return IPSEC_NONCE_NONE;
	if (raw->cipher_alg == ACCEL_HW_CIPHER_AES_CTR)
		return IPSEC_NONCE_COUNTER;
	return is_aead(raw) || !has_cipher(raw) ? IPSEC_NONCE_SALTED : IPSEC_NONCE_RANDOM;
}

static uint64_t
limit(uint64_t value)
{
	return value != 0 ? value : UINT64_MAX;
}

static struct state_rules
rules_of(const struct ipsec_sa *sa, const struct accel_hw_ipsec *ipsec)
{
	return (struct state_rules){
		.number_max = (sa->options & ACCEL_HW_IPSEC_ESN) != 0 ? UINT64_MAX : UINT32_MAX,
		.window = ipsec->replay_window,
		.window_words = accel_hw_ipsec_window_words(ipsec->replay_window),
		.packets_soft = limit(ipsec->packets_soft),
		.packets_hard = limit(ipsec->packets_hard),
		.bytes_soft = limit(ipsec->bytes_soft),
		.bytes_hard = limit(ipsec->bytes_hard),
		.counts_ivs = sa->nonce >= IPSEC_NONCE_SALTED &&
			      (sa->options & ACCEL_HW_IPSEC_IV_GIVEN) == 0,
	};
}

/* Return the room for the longest output, as far as it is known without the packet. The padding of
 * a packet in transport mode depends on its headers. AH is longest for IPv6. */
static struct ipsec_room
room_of(const struct ipsec_sa *sa)
{
	const bool v4 = sa->outer_len == IP4_HEADER;

	if (sa->kind == ACCEL_HW_KIND_AH)
		return (struct ipsec_room){
			.base = (uint8_t)(sa->outer_len + ipsec_ah_len(sa, v4 ? 4 : 6)),
			.align = 1,
		};
	return (struct ipsec_room){
		.base = (uint8_t)(sa->outer_len + sa->around),
		.trailer = ESP_TRAILER,
		.align = sa->outer_len != 0 ? sa->align : ESP_ALIGN,
	};
}

/*
 * True if ESP may work in the host's memory when the payload keeps its place. Then only the ends of
 * the packet have to be read. A copy is needed for checksums and for AH. It is also needed if the
 * upper half of an extended number does not fit into the ICV's place for the time of the job.
 */
static bool
may_stay(const struct ipsec_sa *sa)
{
	const uint32_t checksums = ACCEL_HW_IPSEC_L4_CHECKSUM |
				   (sa->outbound ? ACCEL_HW_IPSEC_IP_CHECKSUM : 0);

	if (sa->kind != ACCEL_HW_KIND_ESP || (sa->options & checksums) != 0)
		return false;
	return !ipsec_has(sa, ACCEL_HW_IPSEC_ESN) ||
	       (sa->form != IPSEC_FORM_GMAC && sa->icv_len >= ESN_LEN);
}

/* Compute what all packets of the SA have in common. */
static void
prepare(struct ipsec_sa *sa)
{
	sa->around = (uint8_t)(sa->udp_len + ESP_HEADER + sa->iv_len + sa->icv_len);
	sa->front = (uint8_t)(sa->outer_len + sa->udp_len + ESP_HEADER + sa->iv_len);
	sa->room = room_of(sa);
	sa->may_stay = may_stay(sa);
	if (ipsec_has(sa, ACCEL_HW_IPSEC_COPY_DSCP))
		sa->tos_mask |= (uint8_t)~IP_ECN;
	if (ipsec_has(sa, ACCEL_HW_IPSEC_ECN))
		sa->tos_mask |= IP_ECN;
	if (sa->outer_len == IP6_HEADER)
		sa->outer[IP6_NEXT] = sa->protocol;
	if (sa->outer_len != IP4_HEADER)
		return;
	sa->outer[IP4_PROTOCOL] = sa->protocol;
	sa->outer_sum = ip_fold(ip_sum(sa->outer, IP4_HEADER, 0) +
				(uint32_t)(uint16_t)~sa->outer[IP4_TOS] +
				(uint16_t)~get_be16(sa->outer + IP4_FRAGMENT));
}

void
ipsec_take(const struct alg_caps *caps, const struct ipsec_raw *raw, struct ipsec_sa *sa)
{
	const struct accel_hw_context *common = &raw->common;
	const struct accel_hw_ipsec *ipsec = &raw->ipsec;
	const struct accel_hw_alg_info *cipher = &caps->info[common->cipher_alg % ACCEL_HW_ALG_NB];
	const bool tunnel = (ipsec->options & ACCEL_HW_IPSEC_TUNNEL) != 0;
	const bool v6 = (ipsec->options & ACCEL_HW_IPSEC_OUTER_V6) != 0;

	*sa = (struct ipsec_sa){
		.spi = __builtin_bswap32(ipsec->spi),
		.options = ipsec->options,
		.kind = common->kind,
		.form = form_of(common),
		.nonce = nonce_of(common),
		.salt_len = common->cipher_alg == ACCEL_HW_AEAD_AES_CCM ? SALT_CCM :
									  ACCEL_HW_IPSEC_SALT_MAX,
		.iv_len = common->iv_len,
		.icv_len = (uint8_t)common->digest_len,
		.block = cipher->whole_blocks ? (uint8_t)cipher->block : 1,
		.outer_len = !tunnel ? 0 : v6 ? IP6_HEADER : IP4_HEADER,
		.udp_len = (ipsec->options & ACCEL_HW_IPSEC_UDP) != 0 ? UDP_HEADER : 0,
		.protocol = (ipsec->options & ACCEL_HW_IPSEC_UDP) != 0  ? IP_UDP :
			    common->kind == ACCEL_HW_KIND_ESP ? IP_ESP :
								IP_AH,
		.outbound = (common->flags & ACCEL_HW_CTX_ENCRYPT) != 0,
		.udp_source = __builtin_bswap16(ipsec->udp_source),
		.udp_destination = __builtin_bswap16(ipsec->udp_destination),
	};
	sa->rules = rules_of(sa, ipsec);
	sa->align = sa->block > ESP_ALIGN ? sa->block : ESP_ALIGN;
	memcpy(sa->salt, ipsec->salt, sizeof(sa->salt));
	memcpy(sa->outer, ipsec->outer_header, sizeof(sa->outer));
	prepare(sa);
}
