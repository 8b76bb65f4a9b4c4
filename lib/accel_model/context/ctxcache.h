/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A worker's cache of expanded contexts (manual 8.3, 8.4). An entry is found by function, address
 * and generation. Each word of a function's invalidation page belongs to one bucket, so that a
 * changed word names exactly one bucket. Functions assign words to buckets with different random
 * salts, because guests often have their contexts at the same addresses. When an entry leaves the
 * cache, the engine that expanded the context wipes it.
 *
 * Functions share the cache in equal parts: its entries, divided by the number of functions that
 * have contexts in it. When there is no room for a new context, a function that has its part or
 * more loses one of its own contexts. Any other function takes the place of a context of a function
 * that has more than its part. A bucket that is full is shared in this way too.
 */
#ifndef ACCEL_MODEL_CTXCACHE_H
#define ACCEL_MODEL_CTXCACHE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "accel_model.h"
#include "base/util.h"
#include "context/alg.h"
#include "engine/engine.h"
#include "state/ipsec_sa.h"

#define CTX_NONE UINT32_MAX
/* The list of a bucket has at most this many entries. A host that puts all contexts into one bucket
 * slows down only itself, and functions with a context in that bucket. */
#define CTX_WAYS 16u

/* Holds what an operation needs to know of its context if it is the context of a protocol (manual
 * 8.5). There are no keys in it. */
struct protocol {
	uint8_t kind; /* enum accel_hw_kind */
	bool encrypt;
	/* The fields below are those of PDCP. */
	bool has_cipher;
	bool has_mac; /* MAC-I is computed, and not zeros (EIA0) */
	bool has_prefix; /* the MAC covers ENGINE_PREFIX bytes before the PDU, too */
	uint8_t header; /* bytes of the header */
	uint8_t clear; /* bytes that are not ciphered: header and SDAP */
	uint8_t sn_len; /* bits */
	uint8_t mac_in; /* bytes of MAC-I in the source */
	uint8_t mac_out; /* bytes of MAC-I in the destination */
	uint8_t mac_ciphered; /* bytes of MAC-I that the cipher covers */
	uint32_t bearer; /* BEARER, DIRECTION and 26 zero bits */
	uint32_t least; /* bytes of a PDU in the source */
	uint32_t most;
	uint64_t repeated; /* UINT64_MAX: the cipher's IV has COUNT and BEARER twice; else 0 */
};

struct pk_shared;
struct tls_session;

/* Holds the halves of a chain, for operations that need them one after the other. TLS may lack
 * either half; its pointer is NULL then. SAs, DOCSIS and PDCP have no halves: their engine's
 * context is ctx of the entry. */
struct ctx_parts {
	struct engine_ctx *cipher;
	struct engine_ctx *auth;
	struct tls_session *tls; /* NULL: no context of TLS */
	struct pk_shared *pk; /* public key, of contexts of kind 13, which have nothing else;
			       * operations hold references */
	union {
		struct protocol protocol;
		struct ipsec_sa sa;
	};
};

/* The rules of a context have this kind if the function may not use its algorithms (manual 4.5).
 * The number is above all other kinds, so such operations leave the fast path without a check of
 * their own. */
#define CTX_DENIED UINT8_MAX

struct ctx_entry {
	uint64_t address;
	uint32_t generation;
	uint16_t function;
	bool used; /* holds a context */
	bool recent; /* looked up after the last search for an entry to evict has passed this
		      * entry */
	uint8_t bits; /* ALG_BITS_* */
	uint8_t iv_in_stream; /* bytes of an IV before the source, which only a chain has */
	struct alg_rules rules;
	uint32_t refs; /* operations under way */
	uint32_t next; /* in the bucket, or in the free list */
	/* NULL for TLS, an SA or PDCP without algorithms, and a chain with an IV in the stream. */
	struct engine_ctx *ctx;
	struct ctx_parts *parts; /* NULL until an operation needs them */
} CACHE_ALIGNED;

static_assert(sizeof(struct ctx_entry) == CACHE_LINE, "looked up once per operation");

struct ctx_cache {
	struct ctx_entry *entry;
	uint32_t capacity;
	uint32_t free; /* list */
	uint32_t clock; /* where the next eviction begins to look */
	uint32_t bucket[ACCEL_HW_INVALIDATE_WORDS];
	uint32_t held[ACCEL_MODEL_MAX_FUNCTIONS]; /* entries of each function */
	uint32_t owners; /* functions that have entries */
	uint16_t salt[ACCEL_MODEL_MAX_FUNCTIONS]; /* the bucket of word 0, for each function */
};

int ctx_cache_init(struct ctx_cache *cache, unsigned int capacity);
void ctx_cache_fini(struct ctx_cache *cache);

/**
 * Make an entry for a context that is not in the cache. An old entry leaves if there is no room.
 *
 * @return an empty entry in its bucket; NULL if all entries that could leave have operations under
 *   way. The caller finishes these and tries again.
 */
struct ctx_entry *ctx_cache_insert(struct ctx_cache *cache, unsigned int function, uint64_t address,
				   uint32_t generation);
/** Remove a context and wipe it. No operation of it may be under way. */
void ctx_cache_drop(struct ctx_cache *cache, struct ctx_entry *entry);
/** Let the engine that made an expanded context wipe it. NULL is allowed. */
void ctx_free(struct engine_ctx *ctx);
/** Drop the contexts of a function that belong to one word of its invalidation page. @return how
 * many. */
unsigned int ctx_cache_drop_word(struct ctx_cache *cache, unsigned int function,
				 unsigned int word);
/** Drop all contexts of a function. @return how many. */
unsigned int ctx_cache_drop_function(struct ctx_cache *cache, unsigned int function);

/** True if a word of a function's invalidation page changed (manual 8.4). @param seen the page as
 * it was seen last. */
bool ctx_cache_outdated(const uint32_t *page, const uint32_t *seen);
/** Drop the contexts whose word changed. No operation of them may be under way. @return how many.
 * */
unsigned int ctx_cache_follow(struct ctx_cache *cache, unsigned int function, const uint32_t *page,
			      uint32_t *seen);

static ALWAYS_INLINE unsigned int
ctx_cache_bucket(const struct ctx_cache *cache, unsigned int function, uint64_t address)
{
	return ACCEL_HW_INVALIDATE_INDEX(address) ^ cache->salt[function];
}

/** True if an entry of a function has this context. */
static ALWAYS_INLINE bool
ctx_is(const struct ctx_entry *entry, uint64_t address, uint32_t generation)
{
	return likely(entry->address == address && entry->generation == generation);
}

static ALWAYS_INLINE struct ctx_entry *
ctx_cache_find(struct ctx_cache *cache, unsigned int function, uint64_t address,
	       uint32_t generation)
{
	uint32_t i = cache->bucket[ctx_cache_bucket(cache, function, address)];

	while (i != CTX_NONE) {
		struct ctx_entry *entry = &cache->entry[i];

		if (ctx_is(entry, address, generation) && likely(entry->function == function)) {
			entry->recent = true;
			return entry;
		}
		i = entry->next;
	}
	return NULL;
}

#endif /* ACCEL_MODEL_CTXCACHE_H */
