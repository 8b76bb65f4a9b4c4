/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The table of algorithms, what a card has of it, and the check of contexts: see alg.h.
 */
#include <string.h>

#include "base/util.h"
#include "context/alg.h"

#define UNIT_MAX (1u << 20) /* bytes of the largest data unit */

/* True if the halves of an XTS key differ, as they shall. */
static bool
halves_differ(const struct accel_hw_context *raw)
{
	const uint8_t *key = raw->cipher_key;

	return memcmp(key, key + raw->cipher_key_len / 2, raw->cipher_key_len / 2) != 0;
}

/* True if the key of the context allows its digest. With ZUC, only a key of 256 bits has the longer
 * MACs. */
static bool
has_digest(const struct accel_hw_alg_info *info, const struct accel_hw_context *raw)
{
	const struct accel_hw_key_digest *only = &info->only_digest;

	return only->key == 0 || raw->auth_key_len != only->key || raw->digest_len == only->digest;
}

/* True if a context obeys the rules of an algorithm that ranges cannot express. */
static bool
fits(const struct accel_hw_alg_info *info, const struct accel_hw_context *raw)
{
	return (!info->two_keys || halves_differ(raw)) && has_digest(info, raw);
}

/* This table has the algorithms of the contract. ECB and CBC have a region_min because SP 800-38A
 * defines them for one or more blocks. It defines CTR also for an empty text. */
static const struct accel_hw_alg_info table[] = {
#define ROW(...) ACCEL_HW_ALG_INFO(__VA_ARGS__),
	ACCEL_HW_SYM_ALGS(ROW)
#undef ROW
};

static const struct accel_hw_range no_size;

bool
alg_in_range(const struct accel_hw_range *r, unsigned int value)
{
	if (value < r->min || value > r->max)
		return false;
	return r->step == 0 || (value - r->min) % r->step == 0;
}

bool
alg_sizes_fit(const struct accel_hw_alg_info *info, unsigned int key, unsigned int iv)
{
	for (unsigned int i = 0; i < ACCEL_HW_KEY_IVS; i++) {
		if (info->key_iv[i].key == key && info->key_iv[i].iv == iv)
			return true;
	}
	return info->key_iv[0].key == 0;
}

/* Find the algorithm of a class that a context names; NULL if the card does not have it. */
static const struct accel_hw_alg_info *
find(const struct alg_caps *caps, unsigned int id, enum accel_hw_alg_class class)
{
	const struct accel_hw_alg_info *info;

	if (id == 0 || id >= ACCEL_HW_ALG_NB)
		return NULL;
	info = &caps->info[id];
	return info->id == id && info->class == class ? info : NULL;
}

static bool
check_unit(const struct accel_hw_alg_info *info, uint32_t len)
{
	return len == 0 || (info->unit_min != 0 && len >= info->unit_min && len <= info->unit_max &&
			    (len & (len - 1)) == 0);
}

static bool
check_cipher(const struct accel_hw_alg_info *info, const struct accel_hw_context *raw)
{
	return info != NULL && alg_in_range(&info->key, raw->cipher_key_len) &&
		alg_in_range(&info->iv, raw->iv_len) &&
		alg_sizes_fit(info, raw->cipher_key_len, raw->iv_len) &&
		check_unit(info, raw->data_unit_len) && fits(info, raw);
}

static bool
check_auth(const struct accel_hw_alg_info *info, const struct accel_hw_context *raw)
{
	return info != NULL && alg_in_range(&info->key, raw->auth_key_len) &&
		alg_in_range(&info->iv, raw->auth_iv_len) &&
		alg_sizes_fit(info, raw->auth_key_len, raw->auth_iv_len) &&
		alg_in_range(&info->digest, raw->digest_len) &&
		(info->digest_not == 0 || raw->digest_len != info->digest_not) &&
		fits(info, raw);
}

/* True if both IVs of a context fit into a command. A long IV takes the room of both (manual
 * 8.1). */
static bool
ivs_fit(const struct accel_hw_context *raw)
{
	if (raw->iv_len > ACCEL_HW_IV_MAX)
		return raw->auth_iv_len == 0;
	return raw->auth_iv_len <= ACCEL_HW_IV_MAX || raw->iv_len == 0;
}

/* True if the card can take the IVs of a chain. If they do not fit into a command, one of the IVs
 * is in the stream. */
static bool
check_ivs(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	return ivs_fit(raw) || caps->iv_in_stream;
}

uint8_t
alg_context_iv_in_stream(const struct accel_hw_context *raw)
{
	return ivs_fit(raw) ? 0 : raw->auth_iv_len;
}

bool
alg_check_cipher(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	return check_cipher(find(caps, raw->cipher_alg, ACCEL_HW_CLASS_CIPHER), raw);
}

bool
alg_check_auth(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	return check_auth(find(caps, raw->auth_alg, ACCEL_HW_CLASS_AUTH), raw);
}

static bool
has_no_cipher(const struct accel_hw_context *raw)
{
	return raw->cipher_alg == 0 && raw->cipher_key_len == 0 && raw->iv_len == 0 &&
		raw->data_unit_len == 0;
}

static bool
has_no_auth(const struct accel_hw_context *raw)
{
	return raw->auth_alg == 0 && raw->auth_key_len == 0 && raw->auth_iv_len == 0;
}

bool
alg_check_header(const struct accel_hw_context *raw)
{
	uint8_t set = raw->reserved;

	if (raw->kind != ACCEL_HW_KIND_PDCP)
		set |= raw->pdcp_sn_len | raw->pdcp_bearer | raw->pdcp_direction |
			raw->pdcp_sdap_len;
	for (unsigned int i = 0; i < sizeof(raw->reserved2); i++)
		set |= raw->reserved2[i];
	return set == 0 && raw->version == ACCEL_HW_CTX_VERSION &&
		(raw->flags & ~ACCEL_HW_CTX_FLAGS) == 0;
}

/* What protocols and radio bearers use, without AES-CBC with MD5 and the like. */
const struct alg_pair alg_pair[ALG_PAIRS] = {
	{ ACCEL_HW_CIPHER_NULL, ACCEL_HW_AUTH_SHA1_HMAC },
	{ ACCEL_HW_CIPHER_NULL, ACCEL_HW_AUTH_SHA256_HMAC },
	{ ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_SHA1_HMAC },
	{ ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_SHA256_HMAC },
	{ ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_SHA512_HMAC },
	{ ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_AES_XCBC_MAC },
	{ ACCEL_HW_CIPHER_AES_CTR, ACCEL_HW_AUTH_SHA1_HMAC },
	{ ACCEL_HW_CIPHER_AES_CTR, ACCEL_HW_AUTH_SHA256_HMAC },
	{ ACCEL_HW_CIPHER_AES_CTR, ACCEL_HW_AUTH_AES_CMAC },
	{ ACCEL_HW_CIPHER_3DES_CBC, ACCEL_HW_AUTH_SHA1_HMAC },
	{ ACCEL_HW_CIPHER_SNOW3G_UEA2, ACCEL_HW_AUTH_SNOW3G_UIA2 },
	{ ACCEL_HW_CIPHER_KASUMI_F8, ACCEL_HW_AUTH_KASUMI_F9 },
	{ ACCEL_HW_CIPHER_ZUC_EEA3, ACCEL_HW_AUTH_ZUC_EIA3 },
	{ ACCEL_HW_CIPHER_SM4_CBC, ACCEL_HW_AUTH_SM3_HMAC },
};

/* True if the card chains the algorithms of a context. */
static bool
check_pair(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	if (!caps->pairs || (raw->kind != ACCEL_HW_KIND_CIPHER_THEN_AUTH &&
			     raw->kind != ACCEL_HW_KIND_AUTH_THEN_CIPHER))
		return true;
	for (unsigned int i = 0; i < ALG_PAIRS; i++) {
		if (alg_pair[i].cipher == raw->cipher_alg && alg_pair[i].auth == raw->auth_alg)
			return true;
	}
	return false;
}

bool
alg_check_context(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	return check_pair(caps, raw) && alg_check_any_pair(caps, raw);
}

bool
alg_check_any_pair(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	const struct accel_hw_alg_info *cipher = find(caps, raw->cipher_alg, ACCEL_HW_CLASS_CIPHER);
	const struct accel_hw_alg_info *auth = find(caps, raw->auth_alg, ACCEL_HW_CLASS_AUTH);
	const struct accel_hw_alg_info *aead = find(caps, raw->cipher_alg, ACCEL_HW_CLASS_AEAD);

	if (!alg_check_header(raw))
		return false;
	switch (raw->kind) {
	case ACCEL_HW_KIND_CIPHER:
		return check_cipher(cipher, raw) && has_no_auth(raw) && raw->digest_len == 0;
	case ACCEL_HW_KIND_AUTH:
		return check_auth(auth, raw) && has_no_cipher(raw);
	case ACCEL_HW_KIND_CIPHER_THEN_AUTH:
		return caps->chain_cipher_auth && check_cipher(cipher, raw) &&
			check_auth(auth, raw) && check_ivs(caps, raw);
	case ACCEL_HW_KIND_AUTH_THEN_CIPHER:
		return caps->chain_auth_cipher && check_cipher(cipher, raw) &&
			check_auth(auth, raw) && check_ivs(caps, raw);
	case ACCEL_HW_KIND_AEAD:
		return check_cipher(aead, raw) && has_no_auth(raw) &&
			alg_in_range(&aead->digest, raw->digest_len) &&
			(raw->flags & ACCEL_HW_CTX_VERIFY) == 0;
	default:
		return false;
	}
}

bool
alg_allowed(const uint64_t *set, const struct accel_hw_context *raw)
{
	unsigned int protocol = alg_protocol(raw->kind);

	return (protocol == 0 || alg_set_has(set, protocol)) &&
		(raw->cipher_alg == 0 || alg_set_has(set, raw->cipher_alg)) &&
		(raw->auth_alg == 0 || alg_set_has(set, raw->auth_alg));
}

/* True if a context verifies. An AEAD verifies when it decrypts; other kinds have a flag (manual
 * 8.1). */
static bool
verifies(const struct accel_hw_context *raw)
{
	if (raw->kind == ACCEL_HW_KIND_AEAD)
		return (raw->flags & ACCEL_HW_CTX_ENCRYPT) == 0;
	return (raw->flags & ACCEL_HW_CTX_VERIFY) != 0;
}

void
alg_context_rules(const struct alg_caps *caps, const struct accel_hw_context *raw,
		  struct alg_rules *rules)
{
	const struct accel_hw_alg_info *cipher = &caps->info[raw->cipher_alg % ACCEL_HW_ALG_NB];
	const struct accel_hw_alg_info *auth = &caps->info[raw->auth_alg % ACCEL_HW_ALG_NB];

	memset(rules, 0, sizeof(*rules));
	rules->kind = raw->kind;
	if (alg_protocol(raw->kind) != 0)
		; /* a protocol's check value is in the source and in the destination */
	else if (verifies(raw))
		rules->digest_in = (uint8_t)raw->digest_len;
	else
		rules->digest_out = (uint8_t)raw->digest_len;
	/* Number 0 means no algorithm. Its entry is zeros, which means no limits. */
	rules->auth_min = auth->region_min;
	rules->auth_max = auth->region_max != 0 ? auth->region_max : UINT32_MAX;
	rules->region_min = cipher->region_min;
	rules->region_max = cipher->region_max != 0 ? cipher->region_max : UINT32_MAX;
	rules->block_mask = cipher->whole_blocks ? cipher->block - 1u : 0;
	if (raw->data_unit_len != 0) {
		rules->region_min = raw->data_unit_len;
		rules->block_mask = raw->data_unit_len - 1;
	}
	if (cipher->counted && raw->iv_len == 13) /* with 12 bytes of IV the limit exceeds any
						   * frame */
		rules->region_max = UINT16_MAX;
}

uint8_t
alg_context_bits(const struct alg_caps *caps, const struct accel_hw_context *raw)
{
	const struct accel_hw_alg_info *cipher = &caps->info[raw->cipher_alg % ACCEL_HW_ALG_NB];
	const struct accel_hw_alg_info *auth = &caps->info[raw->auth_alg % ACCEL_HW_ALG_NB];

	return (uint8_t)((cipher->bits ? ALG_BITS_CIPHER : 0) | (auth->bits ? ALG_BITS_AUTH : 0));
}

void
alg_without_bits(struct alg_caps *caps)
{
	for (unsigned int id = 0; id < ACCEL_HW_ALG_NB; id++)
		caps->info[id].bits = false;
	caps->bits = false;
}

/* Narrow a range to one size: the first that is not below @p wanted, or the largest. */
static void
pick_size(struct accel_hw_range *r, unsigned int wanted)
{
	unsigned int size = r->min;

	while (r->step != 0 && size < r->max && size < wanted)
		size += r->step;
	*r = (struct accel_hw_range){ (uint16_t)size, (uint16_t)size, 0 };
}

#define SHORT_KEY 16u
#define SHORT_DIGEST 12u
#define SHORT_IV 12u
#define AAD 12u
#define LONG 255u

void
alg_one_size(struct alg_caps *caps)
{
	for (unsigned int id = 1; id < ACCEL_HW_ALG_NB; id++) {
		struct accel_hw_alg_info *info = &caps->info[id];
		const bool is_long = id % 2 == 0;

		if (info->id != id)
			continue;
		pick_size(&info->key, is_long ? LONG : SHORT_KEY);
		/* Some algorithms pair a long key with a long IV. AEADs always get the short IV,
		 * because their long one would be the counter block J0. */
		pick_size(&info->iv,
			  is_long && info->class != ACCEL_HW_CLASS_AEAD ? LONG : SHORT_IV);
		pick_size(&info->digest, is_long ? LONG : SHORT_DIGEST);
		pick_size(&info->aad, AAD);
		if (info->unit_max != 0)
			info->unit_min = info->unit_max;
	}
}

void
alg_only(struct alg_caps *caps, const uint8_t *id, unsigned int nb)
{
	struct accel_hw_alg_info kept[ACCEL_HW_ALG_NB] = { 0 };

	for (unsigned int i = 0; i < nb; i++)
		kept[id[i]] = caps->info[id[i]];
	memcpy(caps->info, kept, sizeof(kept));
	caps->chain_auth_cipher = false;
	caps->chain_cipher_auth = caps->chain_cipher_auth && nb > 0;
	caps->bits = false;
}

/* The functions below probe: they find the values of one size that an engine takes, whatever the
 * other sizes are. */

struct probe {
	alg_supports_fn supports;
	const void *arg;
	struct accel_hw_context raw;
};

static bool
probe_both_ways(struct probe *p)
{
	bool aead = p->raw.kind == ACCEL_HW_KIND_AEAD;
	bool ok;

	p->raw.flags = ACCEL_HW_CTX_ENCRYPT;
	ok = p->supports(p->arg, &p->raw);
	p->raw.flags = aead ? 0 : ACCEL_HW_CTX_VERIFY;
	return ok && p->supports(p->arg, &p->raw);
}

/* Begin a context for probing. Its key bytes differ from each other because engines refuse some
 * keys (XTS, weak DES keys). */
static void
probe_context(struct accel_hw_context *raw)
{
	memset(raw, 0, sizeof(*raw));
	raw->version = ACCEL_HW_CTX_VERSION;
	for (unsigned int i = 0; i < sizeof(raw->cipher_key); i++)
		raw->cipher_key[i] = (uint8_t)(7 * i + 1);
	for (unsigned int i = 0; i < sizeof(raw->auth_key); i++)
		raw->auth_key[i] = (uint8_t)(5 * i + 3);
}

static void
set_cipher(struct accel_hw_context *raw, const struct accel_hw_alg_info *info)
{
	raw->cipher_alg = info->id;
	raw->cipher_key_len = info->key.max;
	raw->iv_len = (uint8_t)info->iv.max;
}

static void
set_auth(struct accel_hw_context *raw, const struct accel_hw_alg_info *info)
{
	raw->auth_alg = info->id;
	raw->auth_key_len = info->key.max;
	raw->auth_iv_len = (uint8_t)info->iv.max;
	raw->digest_len = info->digest.max;
}

/* Find out whether an engine takes data units. It takes all their lengths or none. */
static void
probe_unit(struct probe *p, struct accel_hw_alg_info *info)
{
	if (!info->two_keys)
		return;
	p->raw.data_unit_len = UNIT_MAX;
	if (probe_both_ways(p)) {
		info->unit_min = ACCEL_HW_DATA_UNIT_MIN;
		info->unit_max = UNIT_MAX;
	}
	p->raw.data_unit_len = 0;
}

static bool
probe_sizes(struct probe *p, const struct accel_hw_alg_info *info)
{
	struct accel_hw_context *raw = &p->raw;

	probe_context(raw);
	raw->kind = info->class == ACCEL_HW_CLASS_AUTH ? ACCEL_HW_KIND_AUTH :
		info->class == ACCEL_HW_CLASS_AEAD ? ACCEL_HW_KIND_AEAD :
						     ACCEL_HW_KIND_CIPHER;
	raw->digest_len = info->digest.max;
	if (info->class == ACCEL_HW_CLASS_AUTH)
		set_auth(raw, info);
	else
		set_cipher(raw, info);
	return alg_sizes_fit(info, info->key.max, info->iv.max) && fits(info, raw) &&
		probe_both_ways(p);
}

static bool
next_down(struct accel_hw_range *r)
{
	unsigned int step = r->step ? r->step : 1;

	if (r->max < r->min + step)
		return false;
	r->max = (uint16_t)(r->max - step);
	return true;
}

/* True if some combination of sizes within the ranges is supported. Usually the first combination
 * is supported. */
static bool
probe_any(struct probe *p, const struct accel_hw_alg_info *info)
{
	struct accel_hw_alg_info at = *info;

	do {
		at.iv = info->iv;
		do {
			at.digest = info->digest;
			do {
				if (probe_sizes(p, &at))
					return true;
			} while (next_down(&at.digest));
		} while (next_down(&at.iv));
	} while (next_down(&at.key));
	return false;
}

/*
 * Narrow a range of an algorithm to supported sizes at even distances: go down from the largest
 * size as long as the distance stays the same. Return false if no size is supported.
 */
static bool
probe_range(struct probe *p, struct accel_hw_alg_info *info, struct accel_hw_range *r)
{
	unsigned int last = 0, found = 0, gap = 0;
	struct accel_hw_range left = *r, narrowed = no_size;

	do {
		*r = (struct accel_hw_range){ left.max, left.max, 0 };
		if (!probe_any(p, info))
			continue;
		if (found == 0)
			narrowed.max = left.max;
		else if (found == 1)
			gap = last - left.max;
		else if (last - left.max != gap)
			break;
		last = left.max;
		found++;
	} while (next_down(&left));
	narrowed.min = (uint16_t)last;
	narrowed.step = (uint16_t)gap;
	*r = narrowed;
	return found > 0;
}

static bool
probe_algorithm(struct probe *p, struct accel_hw_alg_info *info)
{
	return probe_range(p, info, &info->key) && probe_range(p, info, &info->iv) &&
		probe_range(p, info, &info->digest);
}

/* True if a kind of chain is possible. It has to be possible for every listed cipher with every
 * listed authentication (manual 10). */
static bool
probe_chain(struct probe *p, const struct alg_caps *caps, uint8_t kind)
{
	bool any = false;

	for (unsigned int c = 0; c < ARRAY_NB(table); c++) {
		for (unsigned int a = 0; a < ARRAY_NB(table); a++) {
			const struct accel_hw_alg_info *cipher, *auth;

			cipher = find(caps, table[c].id, ACCEL_HW_CLASS_CIPHER);
			auth = find(caps, table[a].id, ACCEL_HW_CLASS_AUTH);
			if (cipher == NULL || auth == NULL)
				continue;
			probe_context(&p->raw);
			p->raw.kind = kind;
			set_cipher(&p->raw, cipher);
			set_auth(&p->raw, auth);
			if (!probe_both_ways(p))
				return false;
			any = true;
		}
	}
	return any;
}

void
alg_probe(struct alg_caps *caps, unsigned int minor, alg_supports_fn supports, const void *arg)
{
	struct probe p = { .supports = supports, .arg = arg };

	memset(caps, 0, sizeof(*caps));
	caps->minor = minor;
	for (unsigned int i = 0; i < ARRAY_NB(table); i++) {
		struct accel_hw_alg_info info = table[i];

		if (info.since <= minor && probe_algorithm(&p, &info)) {
			probe_unit(&p, &info);
			caps->info[info.id] = info;
			caps->bits |= info.bits;
		}
	}
	caps->chain_cipher_auth = probe_chain(&p, caps, ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	caps->chain_auth_cipher = probe_chain(&p, caps, ACCEL_HW_KIND_AUTH_THEN_CIPHER);
}

/* True if the algorithm has this name: "cipher-aes-cbc", or "aes-cbc" if short names are
 * allowed. */
static bool
has_name(const struct accel_hw_alg_info *info, const char *name, bool short_name)
{
	static const char *const prefix[] = {
		[ACCEL_HW_CLASS_CIPHER] = "cipher-",
		[ACCEL_HW_CLASS_AUTH] = "auth-",
		[ACCEL_HW_CLASS_AEAD] = "aead-",
	};
	const size_t len = strlen(prefix[info->class]);

	if (short_name)
		return strcmp(name, info->name) == 0;
	return strncmp(name, prefix[info->class], len) == 0 && strcmp(name + len, info->name) == 0;
}

const char *
alg_protocol_name(unsigned int id)
{
	static const char *const names[ACCEL_HW_ALG_NB] = {
#define ROW(id_, number, name) [id_] = name,
		ACCEL_HW_OTHER_ALGS(ROW)
#undef ROW
	};

	return names[id];
}

static bool
has_protocol(const struct alg_caps *caps, unsigned int id)
{
	if (id >= ACCEL_HW_PROTO_TLS12)
		return caps->tls;
	return id < ACCEL_HW_PROTO_ESP ? !caps->no_protocols : caps->ipsec;
}

unsigned int
alg_find(const struct alg_caps *caps, const char *name)
{
	unsigned int found, nb;

	for (unsigned int id = ACCEL_HW_PROTO_DOCSIS; id <= ACCEL_HW_PROTO_DTLS12; id++) {
		if (has_protocol(caps, id) && strcmp(name, alg_protocol_name(id)) == 0)
			return id;
	}
	for (unsigned int pass = 0; pass < 2; pass++) {
		found = nb = 0;
		for (unsigned int id = 1; id < ACCEL_HW_ALG_NB; id++) {
			if (caps->info[id].id != id || !has_name(&caps->info[id], name, pass == 1))
				continue;
			found = id;
			nb++;
		}
		if (nb == 1)
			return found;
	}
	return 0;
}
