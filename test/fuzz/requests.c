/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts and requests: see requests.h.
 */
#include "oracle.h"
#include "requests.h"

#define PLACES 256u /* of data; each has 256 bytes before the next one */
#define NB(array) (sizeof(array) / sizeof((array)[0]))
#define PACKETS 8u /* the first places have packets */

/* What a context is made of. */
struct template {
	uint8_t kind;
	uint16_t cipher;
	uint8_t cipher_key;
	uint16_t auth;
	uint8_t auth_key;
	uint8_t iv;
	uint8_t auth_iv;
	uint8_t digest;
	uint16_t options; /* of IPsec */
};

#define ESN_TUNNEL (ACCEL_HW_IPSEC_TUNNEL | ACCEL_HW_IPSEC_ESN)

static const struct template templates[] = {
	{ ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_AES_CBC, 16, 0, 0, 16, 0, 0, 0 },
	{ ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_AES_CTR, 32, 0, 0, 16, 0, 0, 0 },
	{ ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_AES_XTS, 32, 0, 0, 16, 0, 0, 0 },
	{ ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_3DES_CBC, 24, 0, 0, 8, 0, 0, 0 },
	{ ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_SNOW3G_UEA2, 16, 0, 0, 16, 0, 0, 0 },
	{ ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_KASUMI_F8, 16, 0, 0, 8, 0, 0, 0 },
	{ ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_SM4_CFB, 16, 0, 0, 16, 0, 0, 0 },
	{ ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_NULL, 0, 0, 0, 0, 0, 0, 0 },
	{ ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 16, 0, 0, 16, 0, 0, 0 },
	{ ACCEL_HW_KIND_AUTH, 0, 0, ACCEL_HW_AUTH_SHA256_HMAC, 32, 0, 0, 32, 0 },
	{ ACCEL_HW_KIND_AUTH, 0, 0, ACCEL_HW_AUTH_AES_CMAC, 16, 0, 0, 16, 0 },
	{ ACCEL_HW_KIND_AUTH, 0, 0, ACCEL_HW_AUTH_AES_GMAC, 16, 0, 12, 16, 0 },
	{ ACCEL_HW_KIND_AUTH, 0, 0, ACCEL_HW_AUTH_SHA1, 0, 0, 0, 20, 0 },
	{ ACCEL_HW_KIND_AUTH, 0, 0, ACCEL_HW_AUTH_ZUC_EIA3, 16, 0, 16, 4, 0 },
	{ ACCEL_HW_KIND_AUTH, 0, 0, ACCEL_HW_AUTH_SNOW3G_UIA2, 16, 0, 16, 4, 0 },
	{ ACCEL_HW_KIND_AUTH, 0, 0, ACCEL_HW_AUTH_SHA3_256, 0, 0, 0, 32, 0 },
	{ ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20,
	  16, 0, 12, 0 },
	{ ACCEL_HW_KIND_AUTH_THEN_CIPHER, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20,
	  16, 0, 12, 0 },
	{ ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CIPHER_SNOW3G_UEA2, 16,
	  ACCEL_HW_AUTH_SNOW3G_UIA2, 16, 16, 16, 4, 0 },
	{ ACCEL_HW_KIND_AUTH_THEN_CIPHER, ACCEL_HW_CIPHER_AES_CTR, 16, ACCEL_HW_AUTH_SHA256_HMAC,
	  32, 16, 0, 16, 0 },
	{ ACCEL_HW_KIND_AEAD, ACCEL_HW_AEAD_AES_GCM, 16, 0, 0, 12, 0, 16, 0 },
	{ ACCEL_HW_KIND_AEAD, ACCEL_HW_AEAD_AES_CCM, 16, 0, 0, 13, 0, 8, 0 },
	{ ACCEL_HW_KIND_AEAD, ACCEL_HW_AEAD_CHACHA20_POLY1305, 32, 0, 0, 12, 0, 16, 0 },
	{ ACCEL_HW_KIND_AEAD, ACCEL_HW_AEAD_SM4_GCM, 16, 0, 0, 12, 0, 16, 0 },
	{ ACCEL_HW_KIND_DOCSIS, ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 16, 0, 0, 16, 0, 0, 0 },
	{ ACCEL_HW_KIND_PDCP, ACCEL_HW_CIPHER_AES_CTR, 16, ACCEL_HW_AUTH_AES_CMAC, 16, 0, 0, 4, 0 },
	{ ACCEL_HW_KIND_PDCP, ACCEL_HW_CIPHER_SNOW3G_UEA2, 16, ACCEL_HW_AUTH_SNOW3G_UIA2, 16, 0, 0,
	  4, 0 },
	{ ACCEL_HW_KIND_ESP, ACCEL_HW_AEAD_AES_GCM, 16, 0, 0, 8, 0, 16, 0 },
	{ ACCEL_HW_KIND_ESP, ACCEL_HW_AEAD_AES_GCM, 16, 0, 0, 8, 0, 16, ESN_TUNNEL },
	{ ACCEL_HW_KIND_ESP, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20, 16, 0, 12,
	  ACCEL_HW_IPSEC_TUNNEL },
	{ ACCEL_HW_KIND_ESP, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_SHA256_HMAC, 32, 16, 0, 16,
	  ACCEL_HW_IPSEC_UDP },
	{ ACCEL_HW_KIND_AH, 0, 0, ACCEL_HW_AUTH_SHA1_HMAC, 20, 0, 0, 12, 0 },
	{ ACCEL_HW_KIND_AH, 0, 0, ACCEL_HW_AUTH_SHA256_HMAC, 32, 0, 0, 16, ACCEL_HW_IPSEC_TUNNEL },
	{ ACCEL_HW_KIND_TLS12, ACCEL_HW_CIPHER_AES_CBC, 16, ACCEL_HW_AUTH_SHA1_HMAC, 20, 16, 0,
	  20, 0 },
	{ ACCEL_HW_KIND_TLS12, ACCEL_HW_AEAD_AES_GCM, 16, 0, 0, 8, 0, 16, 0 },
	{ ACCEL_HW_KIND_TLS13, ACCEL_HW_AEAD_AES_GCM, 16, 0, 0, 0, 0, 16, 0 },
	{ ACCEL_HW_KIND_TLS13, ACCEL_HW_AEAD_CHACHA20_POLY1305, 32, 0, 0, 0, 0, 16, 0 },
	{ ACCEL_HW_KIND_DTLS12, ACCEL_HW_CIPHER_AES_CBC, 32, ACCEL_HW_AUTH_SHA256_HMAC, 32, 16, 0,
	  32, 0 },
	{ ACCEL_HW_KIND_DTLS12, ACCEL_HW_AEAD_AES_GCM, 32, 0, 0, 8, 0, 16, 0 },
};

/* Lists the 256-bit algorithms of 5G by kind. They are not in the list above, because a longer list
 * changes what the seeds mean. */
static const struct template of_5g[] = {
	[ACCEL_HW_KIND_CIPHER] = { ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_ZUC_NEA6, 32, 0, 0, 16, 0,
				   0, 0 },
	[ACCEL_HW_KIND_AUTH] = { ACCEL_HW_KIND_AUTH, 0, 0, ACCEL_HW_AUTH_ZUC_NIA6, 32, 0, 16, 7,
				 0 },
	[ACCEL_HW_KIND_CIPHER_THEN_AUTH] = { ACCEL_HW_KIND_CIPHER_THEN_AUTH,
					     ACCEL_HW_CIPHER_AES_NEA5, 32, ACCEL_HW_AUTH_AES_NIA5,
					     32, 16, 16, 4, 0 },
	[ACCEL_HW_KIND_AUTH_THEN_CIPHER] = { ACCEL_HW_KIND_AUTH_THEN_CIPHER,
					     ACCEL_HW_CIPHER_SNOW5G_NEA4, 32,
					     ACCEL_HW_AUTH_SNOW5G_NIA4, 32, 16, 16, 16, 0 },
	[ACCEL_HW_KIND_AEAD] = { ACCEL_HW_KIND_AEAD, ACCEL_HW_AEAD_SNOW5G_NCA4, 32, 0, 0, 16, 0, 15,
				 0 },
};

/* A public key: its components' lengths. */
struct key {
	uint8_t alg;
	uint8_t curve;
	uint16_t len[8];
};

static const struct key keys[] = {
	{ ACCEL_HW_PK_MODEXP, 0, { 32, 4 } },
	{ ACCEL_HW_PK_MODINV, 0, { 32 } },
	{ ACCEL_HW_PK_RSA, 0, { 64, 3, 64 } },
	{ ACCEL_HW_PK_RSA, 0, { 64, 3, 0, 32, 32, 32, 32, 32 } },
	{ ACCEL_HW_PK_DH, 0, { 64, 1 } },
	{ ACCEL_HW_PK_DSA, 0, { 128, 20, 128, 20, 128 } },
	{ ACCEL_HW_PK_ECDSA, ACCEL_HW_CURVE_P256, { 32, 32, 32 } },
	{ ACCEL_HW_PK_ECDH, ACCEL_HW_CURVE_P256, { 32 } },
	{ ACCEL_HW_PK_ECDH, ACCEL_HW_CURVE_X25519, { 32 } },
	{ ACCEL_HW_PK_EC_MUL, ACCEL_HW_CURVE_P256, { 0 } },
	{ ACCEL_HW_PK_SM2, ACCEL_HW_CURVE_SM2, { 32, 32, 32 } },
	{ ACCEL_HW_PK_EDDSA, ACCEL_HW_CURVE_ED25519, { 32, 32 } },
};

/* Packets. */

static void
make_packet(uint8_t *p, bool v6, uint16_t len)
{
	uint32_t sum = 0;

	memset(p, 0x11, len);
	if (v6) {
		memcpy(p, (const uint8_t[]){ 0x60, 0, 0, 0, 0, 0, 59, 64 }, 8);
		p[4] = (uint8_t)((len - 40) >> 8);
		p[5] = (uint8_t)(len - 40);
		return;
	}
	memcpy(p, (const uint8_t[]){ 0x45, 0, 0, 0, 0, 1, 0, 0, 64, 253, 0, 0,
				     10, 0, 0, 1, 10, 0, 0, 2 }, 20);
	p[2] = (uint8_t)(len >> 8);
	p[3] = (uint8_t)len;
	for (unsigned int i = 0; i < 20; i += 2)
		sum += (uint32_t)p[i] << 8 | p[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	p[10] = (uint8_t)(~sum >> 8);
	p[11] = (uint8_t)~sum;
}

static const uint16_t packet_len[PACKETS] = { 20, 60, 128, 200, 40, 61, 128, 255 };

void
request_packets(uint8_t *data)
{
	for (unsigned int i = 0; i < PACKETS; i++)
		make_packet(data + i * 256, i >= PACKETS / 2, packet_len[i]);
}

/* Contexts. */

static void
ipsec_part(struct accel_hw_ipsec_context *ctx, const struct template *t, struct input *in)
{
	struct accel_hw_ipsec *ipsec = &ctx->ipsec;

	ipsec->spi = 0x100;
	ipsec->options = t->options;
	if (t->options == ACCEL_HW_IPSEC_UDP) {
		ipsec->udp_source = ipsec->udp_destination = 4500;
	} else if ((t->options & ACCEL_HW_IPSEC_TUNNEL) != 0) {
		make_packet(ipsec->outer_header, false, 20);
		memset(ipsec->outer_header + 2, 0, 6);
		memset(ipsec->outer_header + 9, 0, 3);
	}
	if (in_chance(in, 3))
		ipsec->options |= in_u16(in) & ACCEL_HW_IPSEC_OPTIONS;
	if (in_chance(in, 3))
		ipsec->replay_window = in_below(in, 3) * 64 + in_below(in, 2) * 1024;
	if (in_chance(in, 8))
		ipsec->packets_hard = in_u8(in);
	if (in_chance(in, 8))
		ipsec->bytes_soft = in_u8(in);
	if (in_chance(in, 8))
		ctx->state.sequence = in_u64(in);
}

static void
tls_part(struct accel_hw_tls_context *ctx, const struct template *t, struct input *in)
{
	memset(ctx->tls.fixed_iv, 7, t->auth != 0 ? 0 : t->iv != 0 ? 4 : 12);
	ctx->tls.epoch = t->kind == ACCEL_HW_KIND_DTLS12;
	if (t->kind == ACCEL_HW_KIND_DTLS12 && in_chance(in, 3))
		ctx->tls.replay_window = in_below(in, 3) * 64;
	if (in_chance(in, 8))
		ctx->tls.options = in_u8(in) & 3;
	if (in_chance(in, 8))
		ctx->tls.records_hard = in_u8(in);
	if (t->kind == ACCEL_HW_KIND_TLS13 && in_chance(in, 4))
		ctx->tls.payload_min = in_u8(in);
	if (in_chance(in, 8))
		ctx->state.sequence = in_u64(in);
}

static bool
has_state(uint8_t kind)
{
	return kind >= ACCEL_HW_KIND_ESP && kind <= ACCEL_HW_KIND_DTLS12;
}

static void
make_symmetric(uint8_t *to, struct input *in)
{
	const struct template *t = &templates[in_below(in, NB(templates))];
	struct accel_hw_context *ctx = (void *)to;
	const uint8_t flags = in_u8(in);

	if (flags >> 4 == 5 && t->kind < NB(of_5g)) /* bits that no flag has */
		t = &of_5g[t->kind];
	ctx->version = ACCEL_HW_CTX_VERSION;
	ctx->kind = t->kind;
	ctx->flags = flags & ACCEL_HW_CTX_FLAGS;
	if (t->kind == ACCEL_HW_KIND_CIPHER || t->kind == ACCEL_HW_KIND_AEAD ||
	    t->kind >= ACCEL_HW_KIND_DOCSIS)
		ctx->flags &= ACCEL_HW_CTX_ENCRYPT;
	if (t->kind == ACCEL_HW_KIND_AUTH)
		ctx->flags &= ACCEL_HW_CTX_VERIFY;
	ctx->cipher_alg = t->cipher;
	ctx->auth_alg = t->auth;
	ctx->cipher_key_len = t->cipher_key;
	ctx->auth_key_len = t->auth_key;
	ctx->iv_len = t->iv;
	ctx->auth_iv_len = t->auth_iv;
	ctx->digest_len = t->digest;
	if (t->kind == ACCEL_HW_KIND_PDCP)
		ctx->pdcp_sn_len = (const uint8_t[]){ 5, 12, 18, 7 }[in_below(in, 4)];
	for (unsigned int i = 0; i < t->cipher_key; i++)
		ctx->cipher_key[i] = (uint8_t)(0x2b + i);
	for (unsigned int i = 0; i < t->auth_key; i++)
		ctx->auth_key[i] = (uint8_t)(0x0b + i);
	if (t->kind == ACCEL_HW_KIND_ESP || t->kind == ACCEL_HW_KIND_AH)
		ipsec_part((void *)to, t, in);
	else if (has_state(t->kind))
		tls_part((void *)to, t, in);
}

static void
make_key(uint8_t *to, struct input *in)
{
	const struct key *key = &keys[in_below(in, NB(keys))];
	struct accel_hw_pk_context *ctx = (void *)to;

	ctx->version = ACCEL_HW_CTX_VERSION;
	ctx->kind = ACCEL_HW_KIND_PK;
	ctx->alg = key->alg;
	ctx->curve = key->curve;
	for (unsigned int i = 0; i < 8; i++) {
		uint8_t *component = to + sizeof(*ctx) + ctx->key_len;

		ctx->component[i] = key->len[i];
		ctx->key_len += key->len[i];
		if (key->len[i] == 0)
			continue;
		memset(component, 0x5a, key->len[i]);
		in_bytes(in, component, in_below(in, 9) % key->len[i]);
		component[key->len[i] - 1] |= 1;
	}
}

void
request_context(struct guest *g, struct input *in)
{
	uint8_t ctx[CONTEXT_SIZE] __attribute__((aligned(8))) = { 0 };
	const uint32_t at = in_below(in, CONTEXTS);

	if (in_chance(in, 4))
		make_key(ctx, in);
	else
		make_symmetric(ctx, in);
	if (in_chance(in, 6)) {
		const uint32_t field = 4 + in_u8(in) % (in_chance(in, 2) ? 0x3c : 0xfc);

		ctx[in_chance(in, 3) ? 0x140 + field / 4 : field] ^= in_u8(in);
	}
	g->generation++;
	memcpy(ctx, &g->generation, sizeof(g->generation));
	g->has_state[at] |= has_state(ctx[5]);
	guest_write(g, CONTEXTS_AT + at * CONTEXT_SIZE, ctx, sizeof(ctx));
}

/* Requests. */

struct request {
	struct accel_hw_command cmd;
	uint32_t in_len;
	uint32_t out_len;
	uint32_t in_place;
	uint32_t out_place;
};

/* Lengths that fit the context. */
static void
fit_symmetric(struct request *r, const struct accel_hw_context *ctx, uint32_t len, struct input *in)
{
	struct accel_hw_command *cmd = &r->cmd;
	const bool verify = ctx->kind == ACCEL_HW_KIND_AEAD ?
		(ctx->flags & ACCEL_HW_CTX_ENCRYPT) == 0 : (ctx->flags & ACCEL_HW_CTX_VERIFY) != 0;
	const uint32_t digest = ctx->digest_len;
	uint32_t source = len;

	cmd->cipher_len = r->out_len = len;
	switch (ctx->kind) {
	case ACCEL_HW_KIND_CIPHER:
		break;
	case ACCEL_HW_KIND_AUTH:
		cmd->auth_len = len;
		cmd->cipher_len = r->out_len = 0;
		break;
	case ACCEL_HW_KIND_CIPHER_THEN_AUTH:
	case ACCEL_HW_KIND_AUTH_THEN_CIPHER:
		cmd->skip = in_below(in, 64);
		cmd->auth_len = len;
		if (in_chance(in, 2))
			cmd->flags |= ACCEL_HW_CMD_AUTH_FIRST;
		if (in_chance(in, 3))
			cmd->flags |= ACCEL_HW_CMD_WHOLE;
		source = len + cmd->skip;
		if ((cmd->flags & ACCEL_HW_CMD_WHOLE) != 0)
			r->out_len = source;
		break;
	case ACCEL_HW_KIND_AEAD:
		cmd->aad_len = in_below(in, 64);
		source = len + cmd->aad_len;
		if (cmd->aad_len < 48)
			break;
		cmd->aad_len -= 47; /* 1 to 16 bytes, in the command */
		cmd->flags |= ACCEL_HW_CMD_AAD_IN_COMMAND;
		source = len;
		break;
	default:
		r->in_len = len;
		r->out_len = len + in_u8(in);
		return;
	}
	r->in_len = source + (verify ? digest : 0);
	r->out_len += verify ? 0 : digest;
}

static void
fit_key(struct request *r, const struct accel_hw_pk_context *key, struct input *in)
{
	struct accel_hw_pk_command *cmd = (void *)&r->cmd;
	const uint32_t nb = in_below(in, 6);

	cmd->opcode = ACCEL_HW_OP_PK;
	cmd->operation = 1 + in_below(in, 4);
	cmd->padding = in_below(in, 5);
	cmd->hash = in_chance(in, 2) ? ACCEL_HW_AUTH_SHA256 : 0;
	if (in_chance(in, 8))
		cmd->variant = in_u8(in);
	for (unsigned int i = 0; i < nb; i++) {
		cmd->operand[i] = in_chance(in, 3) ? in_u8(in) :
			key->component[0] != 0 ? key->component[0] : 32;
		r->in_len += cmd->operand[i];
	}
	r->out_len = in_chance(in, 3) ? in_u16(in) % 1100 : 256;
}

static void
make_request(struct guest *g, const struct fqueue *q, struct request *r, struct input *in)
{
	const uint32_t at = CONTEXTS_AT + in_below(in, CONTEXTS) * CONTEXT_SIZE;
	const uint8_t *ctx = g->shadow + at;
	const uint32_t pick = in_below(in, 16);
	uint32_t len = in_chance(in, 8) ? in_u16(in) % 20000 : in_u8(in) * 16 % 2048;

	r->in_place = in_u8(in);
	r->out_place = in_chance(in, 3) ? r->in_place : in_u8(in);
	if (in_chance(in, 4))
		len += in_u8(in) & 15;
	if (in_chance(in, 3))
		len = packet_len[r->in_place % PACKETS];
	if (in_chance(in, 4)) { /* the last result is the source */
		len = g->last_len;
		r->in_place = (g->last_at - DATA_AT) / 256;
	}
	memset(r->cmd.iv, 3, in_chance(in, 2) ? ACCEL_HW_IV_MAX : 0);
	if (pick == 0) {
		r->cmd.opcode = ACCEL_HW_OP_NOP;
	} else if (pick < 3) {
		r->cmd.opcode = ACCEL_HW_OP_LOOPBACK;
		r->cmd.cipher_len = r->in_len = r->out_len = len;
	} else if (q->is_pk ? pick < 6 : pick == 15) {
		r->cmd.opcode = ACCEL_HW_OP_RANDOM;
		r->cmd.cipher_len = r->out_len = len;
	} else {
		r->cmd.context = BASE + at;
		memcpy(&r->cmd.generation, ctx, sizeof(r->cmd.generation));
		if (ctx[5] == ACCEL_HW_KIND_PK) {
			fit_key(r, (const void *)ctx, in);
		} else {
			r->cmd.opcode = ACCEL_HW_OP_SYM;
			fit_symmetric(r, (const void *)ctx, len, in);
			if (has_state(ctx[5]) && in_chance(in, 3))
				r->cmd.skip = in_u16(in) & 0x1ff;
		}
	}
	if (r->out_len == 0)
		r->cmd.flags |= ACCEL_HW_CMD_NO_RX;
}

/* Then one thing is wrong. */
static void
spoil(struct request *r, struct input *in)
{
	uint8_t *bytes = (uint8_t *)&r->cmd;

	switch (in_below(in, 8)) {
	case 0:
		r->in_len++;
		break;
	case 1:
		r->in_len -= r->in_len > 0;
		break;
	case 2:
		r->out_len -= r->out_len > 0;
		break;
	case 3:
		r->out_len += in_u8(in); /* more room than the output has */
		break;
	case 4:
		r->cmd.flags ^= in_u8(in);
		break;
	default:
		bytes[4 + in_u8(in) % 28] ^= in_u8(in);
	}
}

/* A descriptor of a fragment, after one of its upper address if that is another one. */
static bool
post_fragment(struct guest *g, struct fqueue *q, bool tx, uint64_t iova, uint32_t len,
	      uint64_t bits)
{
	const bool located = tx && (bits & COMMAND) != 0 &&
		(q->ring_of_commands || q->command_upper != UINT64_MAX);
	uint64_t *upper = tx ? &q->h.tx_upper : &q->h.rx_upper;
	bool (*post)(struct guest *, struct fqueue *, uint64_t) =
		tx ? guest_post_tx : guest_post_rx;

	if (!located && *upper != DESC0(iova)) {
		if (!post(g, q, DESC0(iova)))
			return false;
		*upper = DESC0(iova);
	}
	return post(g, q, DESC2(iova, len, bits));
}

/* Posts the data of a frame in some fragments, each of which ends at the border of 1 GiB. */
static void
post_data(struct guest *g, struct fqueue *q, bool tx, uint32_t place, uint32_t len,
	  struct input *in)
{
	uint64_t iova = BASE + DATA_AT + place % PLACES * 256 + (in_chance(in, 3) ? in_u8(in) : 0);
	uint32_t nb = 1 + (in_chance(in, 2) ? in_below(in, 5) : 0), trick = 0;

	while (len > 0) {
		uint32_t part = nb <= 1 ? len : in_u8(in) % len + 1;

		if (iova < HOST_BORDER && iova + part > HOST_BORDER && !in_chance(in, 32))
			part = (uint32_t)(HOST_BORDER - iova);
		if (trick == 14) /* a fragment without bytes */
			part = 0;
		if (!post_fragment(g, q, tx, iova, part, part < len ? NEXT : 0))
			return;
		len -= part;
		iova += part;
		nb -= nb > 1;
		trick = trick == 14 ? 0 : in_below(in, 16);
		if (trick == 15)
			iova = BASE + DATA_AT + in_u8(in) * 256u;
	}
}

/* Takes the next slot for a command. @return where it lies. */
static uint32_t
take_slot(struct fqueue *q)
{
	return COMMANDS_AT(q->index) +
		q->posted++ % SLOTS_MAX * (uint32_t)sizeof(struct accel_hw_command);
}

void
request_post(struct guest *g, struct fqueue *q, struct input *in)
{
	struct request r = { 0 };
	uint32_t at;

	make_request(g, q, &r, in);
	if (in_chance(in, 6))
		spoil(&r, in);
	if (!q->running || q->posted - q->answered + 2 > q->h.rsp_size)
		return;
	at = take_slot(q);
	r.cmd.tag = q->posted * 0x01010101u;
	guest_write(g, at, &r.cmd, sizeof(r.cmd));
	oracle_new(g->mem + at, sizeof(r.cmd));
	if (!post_fragment(g, q, true, BASE + at, sizeof(r.cmd),
			   COMMAND | (r.in_len > 0 ? NEXT : 0)))
		return;
	if (r.in_len > 0)
		post_data(g, q, true, r.in_place, r.in_len, in);
	if (r.out_len > 0 && !in_chance(in, 32))
		post_data(g, q, false, r.out_place, r.out_len, in);
}

void
request_raw(struct guest *g, struct fqueue *q, struct input *in)
{
	const bool tx = in_chance(in, 2);
	const uint64_t place = BASE + DATA_AT + in_u8(in) * 256u;
	const uint64_t command = BASE + COMMANDS_AT(q->index);
	uint64_t desc;

	switch (in_below(in, 5)) {
	case 0:
		desc = DESC0(place);
		break;
	case 1:
		desc = DESC2(place, in_u16(in), in_chance(in, 2) ? NEXT : 0);
		break;
	case 2:
		desc = DESC2(place, in_u8(in), NEXT) ^ UINT64_C(1) << in_below(in, 64);
		break;
	case 3:
		desc = DESC0(place) ^ UINT64_C(1) << in_below(in, 64);
		break;
	default:
		desc = DESC2(command, in_chance(in, 3) ? in_u8(in) : 64, COMMAND);
	}
	if (!q->running || q->posted - q->answered + 2 > q->h.rsp_size)
		return;
	/* In a ring of commands the device reads the slot, though nothing is written to it. */
	oracle_new(g->mem + take_slot(q), sizeof(struct accel_hw_command));
	/* Where it leads to is not the oracle's to say if it is not the data. */
	if ((!tx || g->racing) && ACCEL_HW_DESC_TYPE(desc) == ACCEL_HW_DESC_TYPE_FRAGMENT &&
	    (desc & ACCEL_HW_DESC_LOW_MASK) + ACCEL_HW_DESC2_LEN(desc) >
		    ((BASE + DATA_AT) & ACCEL_HW_DESC_LOW_MASK) - DATA_AT &&
	    (desc & ACCEL_HW_DESC_LOW_MASK) < ((BASE + DATA_AT) & ACCEL_HW_DESC_LOW_MASK))
		q->loose = g->loose = true;
	/* A command that lies in the data may change; in a ring of commands it is another one. */
	if ((desc & COMMAND) != 0 && tx &&
	    (q->ring_of_commands || (desc & ACCEL_HW_DESC_LOW_MASK) != LO(command)))
		q->loose = true;
	(void)(tx ? guest_post_tx(g, q, desc) : guest_post_rx(g, q, desc));
	if (tx)
		q->h.tx_upper = UINT64_MAX;
	else
		q->h.rx_upper = UINT64_MAX;
}
