/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes security associations and their packets: see ipsec.h.
 */
#include <stdio.h>
#include <string.h>

#include "ipsec.h"
#include "known.h"

#define NEXT_IPV4 4u
#define NEXT_UDP 17u
#define NEXT_IPV6 41u
#define NEXT_ESP 50u
#define NEXT_AH 51u
#define STATE_AT offsetof(struct accel_hw_ipsec_context, state)
#define WINDOW_AT offsetof(struct accel_hw_ipsec_context, state.window)

static const uint8_t outer_v4[20] = {
	0x45, 0x28, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 203, 0, 113, 1, 203, 0, 113, 2,
};
static const uint8_t outer_v6[40] = {
	0x62, 0x81, 0x23, 0x45, 0, 0, 0, 64, 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 1, 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
};

void
packet_put(uint8_t *to, uint64_t value, unsigned int bytes)
{
	while (bytes-- > 0)
		*to++ = (uint8_t)(value >> (8 * bytes));
}

void
sa_null(struct sa *s, bool outbound, uint32_t options)
{
	memset(s, 0, sizeof(*s));
	s->x.common.version = ACCEL_HW_CTX_VERSION;
	s->x.common.kind = ACCEL_HW_KIND_ESP;
	s->x.common.flags = outbound ? ACCEL_HW_CTX_ENCRYPT : 0;
	s->x.common.cipher_alg = ACCEL_HW_CIPHER_NULL;
	s->x.common.auth_alg = ACCEL_HW_AUTH_NULL;
	s->x.ipsec.spi = IPSEC_SPI;
	s->x.ipsec.options = options;
	if ((options & ACCEL_HW_IPSEC_UDP) != 0) {
		s->x.ipsec.udp_source = 4500;
		s->x.ipsec.udp_destination = 33445;
	}
	if ((options & ACCEL_HW_IPSEC_OUTER_V6) != 0)
		memcpy(s->x.ipsec.outer_header, outer_v6, sizeof(outer_v6));
	else if ((options & ACCEL_HW_IPSEC_TUNNEL) != 0)
		memcpy(s->x.ipsec.outer_header, outer_v4, sizeof(outer_v4));
}

void
sa_hmac(struct sa *s, bool outbound, uint32_t options)
{
	sa_null(s, outbound, options);
	s->x.common.auth_alg = ACCEL_HW_AUTH_SHA256_HMAC;
	s->x.common.auth_key_len = 32;
	s->x.common.digest_len = IPSEC_ICV;
	memcpy(s->x.common.auth_key, sym_key, 32);
}

void
sa_ah(struct sa *s, bool outbound, uint32_t options)
{
	sa_hmac(s, outbound, options);
	s->x.common.kind = ACCEL_HW_KIND_AH;
	s->x.common.cipher_alg = 0;
}

/* Return the bytes of the whole nonce, as the tree's iv-sizes count them. A context counts only the
 * bytes that a packet has. */
static uint32_t
nonce_bytes(uint16_t alg)
{
	switch (alg) {
	case ACCEL_HW_CIPHER_AES_CBC:
	case ACCEL_HW_CIPHER_AES_CTR:
		return 16;
	case ACCEL_HW_CIPHER_DES_CBC:
	case ACCEL_HW_CIPHER_3DES_CBC:
		return 8;
	case ACCEL_HW_AEAD_AES_CCM:
		return 11;
	case ACCEL_HW_AEAD_AES_GCM:
	case ACCEL_HW_AEAD_CHACHA20_POLY1305:
	case ACCEL_HW_AUTH_AES_GMAC:
		return 12;
	default:
		return 0;
	}
}

/* True if the card has an algorithm with the sizes of a context. */
static bool
has_sizes(const struct card *c, uint32_t id, uint32_t key, uint32_t digest)
{
	const struct tree_alg *alg = tree_alg(&c->tree, id);

	return id == 0 || id == ACCEL_HW_CIPHER_NULL || id == ACCEL_HW_AUTH_NULL ||
	       (alg != NULL && tree_sizes(alg, key, nonce_bytes((uint16_t)id), digest));
}

bool
sa_possible(const struct card *c, const struct sa *s, char why[SA_WHY])
{
	const bool ah = s->x.common.kind == ACCEL_HW_KIND_AH;
	const struct tree_ipsec *t = ah ? &c->tree.ah : &c->tree.esp;
	const uint32_t missing = s->x.ipsec.options & ~t->options;
	const uint32_t cipher = s->x.common.cipher_alg, auth = s->x.common.auth_alg;

	if (!t->lists.there)
		snprintf(why, SA_WHY, "the tree has no node for %s", ah ? "AH" : "ESP");
	else if (missing != 0)
		snprintf(why, SA_WHY, "%s without the options %#x", ah ? "AH" : "ESP", missing);
	else if ((s->x.ipsec.options & ACCEL_HW_IPSEC_TUNNEL) == 0 && !t->transport)
		snprintf(why, SA_WHY, "%s without transport mode", ah ? "AH" : "ESP");
	else if (s->x.ipsec.replay_window > t->window)
		snprintf(why, SA_WHY, "no window of %u numbers", s->x.ipsec.replay_window);
	else if ((auth != 0 && !tree_lists(t->lists.auth, t->lists.nb_auths, auth)) ||
		 (cipher != 0 && auth != 0 &&
		  !tree_lists(t->lists.cipher, t->lists.nb_ciphers, cipher)) ||
		 (cipher != 0 && auth == 0 && !tree_lists(t->aead, t->nb_aeads, cipher)))
		snprintf(why, SA_WHY, "%s without the algorithms %u and %u", ah ? "AH" : "ESP",
			 cipher, auth);
	else if (!has_sizes(c, cipher, s->x.common.cipher_key_len, s->x.common.digest_len) ||
		 !has_sizes(c, auth, s->x.common.auth_key_len, s->x.common.digest_len))
		snprintf(why, SA_WHY, "no sizes as wanted of the algorithms %u and %u", cipher,
			 auth);
	else
		return true;
	return false;
}

bool
sa_there(struct card *c, const struct sa *s)
{
	char why[SA_WHY];

	if (sa_possible(c, s, why))
		return true;
	result_skip(&c->result, "%s", why);
	return false;
}

bool
sa_count(const struct card *c, const struct sa *s, unsigned int *nb)
{
	char why[SA_WHY];

	if (!sa_possible(c, s, why))
		return false;
	++*nb;
	return true;
}

bool
sa_open(struct sa *s, struct queue *q, struct card *c)
{
	if (!sa_there(c, s) || !queue_open(q, c))
		return false;
	sa_store(c, s);
	return true;
}

void
sa_close(struct sa *s, struct queue *q)
{
	sa_state(q->card, s);
	queue_stop(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

void
sa_known(const struct known_packet *k, bool outbound, struct sa *s)
{
	uint8_t iv[16];

	sa_null(s, outbound, 0);
	s->x.common.kind = k->kind;
	s->x.common.cipher_alg = k->cipher;
	s->x.common.auth_alg = k->auth;
	s->x.common.cipher_key_len = (uint16_t)known_bytes(k->key, s->x.common.cipher_key, 64);
	s->x.common.auth_key_len = (uint16_t)known_bytes(k->auth_key, s->x.common.auth_key, 192);
	s->x.common.iv_len = (uint8_t)known_bytes(k->iv, iv, sizeof(iv));
	s->x.common.digest_len = k->icv;
	s->x.ipsec.spi = k->spi;
	s->x.ipsec.options = k->options;
	s->x.ipsec.udp_source = k->udp_source;
	s->x.ipsec.udp_destination = k->udp_destination;
	known_bytes(k->salt, s->x.ipsec.salt, 4);
	known_bytes(k->outer, s->x.ipsec.outer_header, 40);
	s->x.state.sequence = k->number - 1;
	if (outbound && s->x.common.iv_len > 0)
		s->x.ipsec.options |= ACCEL_HW_IPSEC_IV_GIVEN;
}

bool
sa_known_possible(const struct card *c, const struct sa *s)
{
	char why[SA_WHY];

	return sa_possible(c, s, why);
}

uint32_t
sa_bytes(const struct sa *s)
{
	const uint32_t window = s->x.ipsec.replay_window;

	return (uint32_t)(WINDOW_AT - STATE_AT) +
	       8 * accel_hw_ipsec_window_words(window < ACCEL_HW_IPSEC_WINDOW_MAX ?
					       window : ACCEL_HW_IPSEC_WINDOW_MAX);
}

void
sa_store_at(struct card *c, struct sa *s, uint64_t iova)
{
	const uint64_t reserved = iova + offsetof(struct accel_hw_ipsec_context, state.reserved);
	uint64_t pattern;

	memory_read(&c->memory, reserved, &pattern, sizeof(pattern));
	s->at = iova;
	s->x.common.generation = ++c->generation;
	s->x.state.reserved = pattern; /* the device does not change this field */
	memory_write(&c->memory, iova, &s->x, STATE_AT + sa_bytes(s));
}

void
sa_store(struct card *c, struct sa *s)
{
	sa_store_at(c, s, memory_get(&c->memory, MEMORY_LOW, STATE_AT + sa_bytes(s),
				     ACCEL_HW_CTX_ALIGN));
}

void
sa_state(struct card *c, struct sa *s)
{
	const uint64_t reserved = offsetof(struct accel_hw_ipsec_context, state.reserved);

	memory_read(&c->memory, s->at + STATE_AT, &s->x.state, sa_bytes(s));
	memory_take(&c->memory, s->at + STATE_AT, reserved - STATE_AT);
	memory_take(&c->memory, s->at + WINDOW_AT, sa_bytes(s) - (WINDOW_AT - STATE_AT));
}

void
sa_request(struct card *c, struct request *r, const struct sa *s, const uint8_t *in, uint32_t len,
	   uint32_t room)
{
	sym_request(r, &s->x.common, s->at);
	memset(r->cmd.auth_iv, 0xa5, sizeof(r->cmd.auth_iv)); /* ignored (CMD-4) */
	r->cmd.cipher_len = len;
	if (len > 0) {
		request_in(r, memory_get(&c->memory, MEMORY_LOW, len, 1), len);
		memory_write(&c->memory, r->in[0].iova, in, len);
	}
	if (room > 0)
		request_out(r, memory_get(&c->memory, MEMORY_LOW, room, 1), room);
}

bool
sa_run_request(struct queue *q, struct request *r, uint16_t status, bool late)
{
	r->status = status;
	r->dirty = late && status != ACCEL_HW_OK;
	if (status != ACCEL_HW_OK)
		r->produced = r->left = r->info = 0;
	request_post(q, r);
	queue_doorbell(q);
	return request_finish(q, r) && queue_check_pointers(q);
}

bool
sa_run(struct queue *q, const struct sa *s, const uint8_t *in, uint32_t len, const uint8_t *out,
       uint32_t out_len, uint16_t status)
{
	struct memory *m = &q->card->memory;
	const uint64_t used = m->part[MEMORY_LOW].used;
	struct request r;
	bool good;

	sa_request(q->card, &r, s, in, len, len + 200);
	r.output = out;
	r.produced = out_len;
	good = sa_run_request(q, &r, status, status == ACCEL_HW_AUTH_FAILED);
	m->part[MEMORY_LOW].used = used;
	return good;
}

void
packet_set_class(uint8_t *p, uint8_t value)
{
	if (p[0] >> 4 == 4) {
		p[1] = value;
		return;
	}
	p[0] = (uint8_t)(0x60 | value >> 4);
	p[1] = (uint8_t)(value << 4 | (p[1] & 15));
}

uint16_t
packet_checksum(const uint8_t *p, uint32_t len)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < len; i++)
		sum += (uint32_t)p[i] << (i % 2 == 0 ? 8 : 0);
	while (sum > 0xffff)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

void
packet_finish(uint8_t *p, uint32_t len)
{
	if (p[0] >> 4 == 6) {
		packet_put(p + 4, len - 40, 2);
		return;
	}
	packet_put(p + 2, len, 2);
	packet_put(p + 10, 0, 2);
	packet_put(p + 10, packet_checksum(p, 4 * (uint32_t)(p[0] & 15)), 2);
}

/* Put UDP after an IP header of @p header bytes, whose addresses lie at its end. */
static uint32_t
put_udp(uint8_t *p, uint32_t header, uint32_t addresses, uint32_t data)
{
	const uint32_t len = 8 + data;
	uint8_t *udp = p + header;
	uint16_t pseudo, sum;

	packet_put(udp, 5000, 2);
	packet_put(udp + 2, 6000, 2);
	packet_put(udp + 4, len, 2);
	packet_put(udp + 6, 0, 2);
	for (uint32_t i = 0; i < data; i++)
		udp[8 + i] = (uint8_t)(0x40 + 7 * i);
	pseudo = (uint16_t)~packet_checksum(udp - addresses, addresses + len);
	sum = packet_checksum((const uint8_t[]){ (uint8_t)(pseudo >> 8), (uint8_t)pseudo,
						 (uint8_t)(len >> 8), (uint8_t)len, 0, NEXT_UDP },
			      6);
	packet_put(udp + 6, sum, 2);
	return header + len;
}

uint32_t
packet_v4(uint8_t *p, uint32_t data)
{
	static const uint8_t header[20] = {
		0x45, 0x00, 0, 0, 0x12, 0x34, 0, 0, 61, NEXT_UDP, 0, 0, 192, 0, 2, 1,
		192, 0, 2, 99,
	};
	uint32_t len;

	memcpy(p, header, sizeof(header));
	len = put_udp(p, sizeof(header), 8, data);
	packet_finish(p, len);
	return len;
}

uint32_t
packet_v6(uint8_t *p, uint32_t data)
{
	static const uint8_t destination[16] = {
		0x20, 0x01, 0x0d, 0xb8, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x22,
	};

	return packet_v6_to(p, destination, data);
}

uint32_t
packet_v6_to(uint8_t *p, const uint8_t *destination, uint32_t data)
{
	static const uint8_t header[24] = {
		0x60, 0x00, 0x00, 0x00, 0, 0, NEXT_UDP, 61,
		0x20, 0x01, 0x0d, 0xb8, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11,
	};
	uint32_t len;

	memcpy(p, header, sizeof(header));
	memcpy(p + sizeof(header), destination, 16);
	len = put_udp(p, sizeof(header) + 16, 32, data);
	packet_finish(p, len);
	return len;
}

uint32_t
packet_outer(const struct sa *s, uint64_t number, uint8_t *head)
{
	const bool v6 = (s->x.ipsec.options & ACCEL_HW_IPSEC_OUTER_V6) != 0;

	memcpy(head, s->x.ipsec.outer_header, v6 ? 40 : 20);
	if (!v6)
		packet_put(head + 4, number & 0xffff, 2);
	return v6 ? 40 : 20;
}

/* Make the ICV over @p len bytes, and over the upper half of the number if it is a long one. */
static void
put_icv(const struct sa *s, uint64_t number, const uint8_t *from, uint32_t len, uint8_t *icv)
{
	/* A test has an ICV of 33 bytes, one more than HMAC-SHA256 gives. */
	uint8_t covered[IPSEC_ROOM + 4], mac[ACCEL_HW_DIGEST_MAX] = { 0 };

	memcpy(covered, from, len);
	packet_put(covered + len, number >> 32, 4);
	if ((s->x.ipsec.options & ACCEL_HW_IPSEC_ESN) != 0)
		len += 4;
	ref_hmac(s->x.common.auth_key, 32, covered, len, mac);
	memcpy(icv, mac, s->x.common.digest_len);
}

void
packet_ah_icv(const struct sa *s, uint64_t number, uint8_t *packet, uint32_t head, uint32_t len)
{
	uint8_t covered[IPSEC_ROOM];

	memcpy(covered, packet, len);
	if (covered[0] >> 4 == 4) {
		covered[1] = 0; /* it may change on the way (RFC 4302 section 3.3.3.1) */
		memset(covered + 6, 0, 3);
		memset(covered + 10, 0, 2);
	} else {
		packet_put(covered, 0x60000000, 4);
		covered[7] = 0;
	}
	memset(covered + head + 12, 0, s->x.common.digest_len);
	put_icv(s, number, covered, len, packet + head + 12);
}

void
packet_esp_icv(const struct sa *s, uint64_t number, uint8_t *packet, uint32_t head, uint32_t len)
{
	const uint32_t icv = s->x.common.digest_len;

	if (icv > 0)
		put_icv(s, number, packet + head, len - icv - head, packet + len - icv);
}

uint32_t
packet_protect(const struct sa *s, uint64_t number, const uint8_t *head, uint32_t head_len,
	       uint32_t next_at, uint8_t next, const uint8_t *text, uint32_t len, uint8_t *out)
{
	const bool udp = (s->x.ipsec.options & ACCEL_HW_IPSEC_UDP) != 0, v6 = head[0] >> 4 == 6;
	const uint32_t icv = s->x.common.digest_len, begin = head_len + (udp ? 8 : 0);
	uint32_t pad = (4 - (len + 2) % 4) % 4, ah = 12 + icv, end = begin + 8 + len;

	ah += v6 && ah % 8 != 0 ? 8 - ah % 8 : 0;
	memcpy(out, head, head_len);
	if (s->x.common.kind == ACCEL_HW_KIND_AH) {
		memset(out + begin, 0, ah);
		out[begin] = next;
		out[begin + 1] = (uint8_t)(ah / 4 - 2);
		packet_put(out + begin + 4, s->x.ipsec.spi, 4);
		packet_put(out + begin + 8, number & 0xffffffff, 4);
		memcpy(out + begin + ah, text, len);
		out[next_at] = NEXT_AH;
		packet_finish(out, begin + ah + len);
		packet_ah_icv(s, number, out, begin, begin + ah + len);
		return begin + ah + len;
	}
	packet_put(out + begin, s->x.ipsec.spi, 4);
	packet_put(out + begin + 4, number & 0xffffffff, 4);
	memcpy(out + begin + 8, text, len);
	for (uint32_t i = 1; i <= pad; i++)
		out[end++] = (uint8_t)i;
	out[end++] = (uint8_t)pad;
	out[end++] = next;
	end += icv;
	packet_esp_icv(s, number, out, begin, end);
	if (udp) {
		packet_put(out + head_len, s->x.ipsec.udp_source, 2);
		packet_put(out + head_len + 2, s->x.ipsec.udp_destination, 2);
		packet_put(out + head_len + 4, end - head_len, 2);
		packet_put(out + head_len + 6, 0, 2);
	}
	out[next_at] = udp ? NEXT_UDP : NEXT_ESP;
	packet_finish(out, end);
	return end;
}

uint32_t
packet_send(const struct sa *s, uint64_t number, const uint8_t *in, uint32_t len, uint8_t *out)
{
	const bool v6 = in[0] >> 4 == 6;
	uint32_t head_len = v6 ? 40 : 20;
	uint8_t head[40];

	if ((s->x.ipsec.options & ACCEL_HW_IPSEC_TUNNEL) == 0)
		return packet_protect(s, number, in, head_len, v6 ? 6 : 9, in[v6 ? 6 : 9],
				      in + head_len, len - head_len, out);
	head_len = packet_outer(s, number, head);
	return packet_protect(s, number, head, head_len, head_len == 40 ? 6 : 9,
			      v6 ? NEXT_IPV6 : NEXT_IPV4, in, len, out);
}
