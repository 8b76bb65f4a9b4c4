/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A worker's cache of expanded contexts (manual 8.3, 8.4). An entry is found by function, address
 * and generation. A bucket is a word of the invalidation page of each function, so that a changed
 * word names exactly one bucket. Which word it is differs at random: guests often have their
 * contexts at the same addresses. The engine that made a copy wipes it when it leaves the cache.
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
/* Longest chain of a bucket: a host that puts all contexts into one bucket slows down only itself,
 * and functions with a context in that bucket. */
#define CTX_WAYS 16u

/* What an operation needs to know of its context if that is a protocol's (manual 8.5). No keys. */
struct protocol {
	uint8_t kind; /* enum accel_hw_kind */
	uint8_t cipher_alg;
	uint8_t auth_alg; /* 0: no MAC-I */
	uint8_t header; /* PDCP: bytes of the header */
	uint8_t sn_len; /* bits */
	uint8_t bearer;
	uint8_t direction;
	uint8_t sdap; /* bytes */
	bool encrypt;
};

struct pk_shared;
struct tls_session;

/* The halves of a chain, for operations that need them one after the other. Of a protocol, either
 * may be NULL. An SA has none: its engine's context is that of the entry. */
struct ctx_parts {
	struct engine_ctx *cipher;
	struct engine_ctx *auth;
	struct tls_session *tls; /* NULL: no context of TLS */
	struct pk_shared *pk; /* of kind 13, which has nothing else; operations have references */
	union {
		struct protocol protocol;
		struct ipsec_sa sa;
	};
};

/* The kind in the rules of a context whose algorithms the function may not use (manual 4.5). It is
 * above all others, so its operations are not on the fast path, which need not ask. */
#define CTX_DENIED UINT8_MAX

struct ctx_entry {
	uint64_t address;
	uint32_t generation;
	uint16_t function;
	bool used; /* holds a context */
	bool recent; /* looked up since the eviction clock last passed */
	uint8_t bits; /* ALG_BITS_* */
	uint8_t iv_in_stream; /* bytes of an IV before the source, which only a chain has */
	struct alg_rules rules;
	uint32_t refs; /* operations under way */
	uint32_t next; /* in the bucket, or in the free list */
	/* NULL: a protocol, an SA without algorithms, a chain with an IV in the stream. */
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
	uint32_t owners; /* functions that have any */
	uint16_t salt[ACCEL_MODEL_MAX_FUNCTIONS]; /* the bucket of word 0 */
};

int ctx_cache_init(struct ctx_cache *cache, unsigned int capacity);
void ctx_cache_fini(struct ctx_cache *cache);

/**
 * Make an entry for a context that is not in the cache. An old one leaves if there is no room.
 *
 * @return an empty entry in its bucket; NULL if all that could leave have operations under way:
 *   finish them and try again.
 */
struct ctx_entry *ctx_cache_insert(struct ctx_cache *cache, unsigned int function, uint64_t address,
				   uint32_t generation);
/** Remove a context and wipe it. No operation of it may be under way. */
void ctx_cache_drop(struct ctx_cache *cache, struct ctx_entry *entry);
/** Let the engine that made an expanded context wipe it. NULL is allowed. */
void ctx_free(struct engine_ctx *ctx);
/** Drop the contexts of a function that have one word. @return how many. */
unsigned int ctx_cache_drop_word(struct ctx_cache *cache, unsigned int function,
				 unsigned int word);
/** Drop all contexts of a function. @return how many. */
unsigned int ctx_cache_drop_function(struct ctx_cache *cache, unsigned int function);

/** True if a word of a function's invalidation page changed (manual 8.4). @param seen the page as
 * last seen. */
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

static ALWAYS_INLINE struct ctx_entry *
ctx_cache_find(struct ctx_cache *cache, unsigned int function, uint64_t address,
	       uint32_t generation)
{
	uint32_t i = cache->bucket[ctx_cache_bucket(cache, function, address)];

	while (i != CTX_NONE) {
		struct ctx_entry *entry = &cache->entry[i];

		if (likely(entry->address == address && entry->generation == generation &&
			   entry->function == function)) {
			entry->recent = true;
			return entry;
		}
		i = entry->next;
	}
	return NULL;
}

#endif /* ACCEL_MODEL_CTXCACHE_H */
