/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A worker's cache of expanded contexts: see ctxcache.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "context/ctxcache.h"
#include "pk/pk_pool.h"
#include "state/tls_session.h"

int
ctx_cache_init(struct ctx_cache *cache, unsigned int capacity)
{
	cache->entry = aligned_alloc(CACHE_LINE, (size_t)capacity * sizeof(cache->entry[0]));
	if (cache->entry == NULL)
		return -ENOMEM;
	memset(cache->entry, 0, (size_t)capacity * sizeof(cache->entry[0]));
	for (uint32_t i = 0; i < capacity; i++)
		cache->entry[i].next = i + 1 < capacity ? i + 1 : CTX_NONE;
	memset(cache->bucket, 0xff, sizeof(cache->bucket)); /* CTX_NONE */
	cache->capacity = capacity;
	/* If there are no random numbers, these salts still differ between functions. */
	if (getrandom(cache->salt, sizeof(cache->salt), GRND_NONBLOCK) < 0) {
		for (unsigned int i = 0; i < ARRAY_NB(cache->salt); i++)
			cache->salt[i] = (uint16_t)(i * 37);
	}
	for (unsigned int i = 0; i < ARRAY_NB(cache->salt); i++)
		cache->salt[i] &= ACCEL_HW_INVALIDATE_WORDS - 1;
	return 0;
}

void
ctx_cache_fini(struct ctx_cache *cache)
{
	for (uint32_t i = 0; cache->entry != NULL && i < cache->capacity; i++) {
		if (cache->entry[i].used)
			ctx_cache_drop(cache, &cache->entry[i]);
	}
	free(cache->entry);
	cache->entry = NULL;
}

static uint32_t *
link_to(struct ctx_cache *cache, const struct ctx_entry *entry)
{
	uint32_t *link =
		&cache->bucket[ctx_cache_bucket(cache, entry->function, entry->address)];

	while (&cache->entry[*link] != entry)
		link = &cache->entry[*link].next;
	return link;
}

void
ctx_free(struct engine_ctx *ctx)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx;

	if (ctx != NULL)
		header->ops->ctx_fini(header->engine, ctx);
}

void
ctx_cache_drop(struct ctx_cache *cache, struct ctx_entry *entry)
{
	*link_to(cache, entry) = entry->next;
	ctx_free(entry->ctx);
	if (entry->parts != NULL) {
		ctx_free(entry->parts->cipher);
		ctx_free(entry->parts->auth);
		tls_session_free(entry->parts->tls);
		pk_shared_put(entry->parts->pk);
		explicit_bzero(entry->parts, sizeof(*entry->parts)); /* the salt of an SA */
		free(entry->parts);
	}
	if (--cache->held[entry->function] == 0)
		cache->owners--;
	memset(entry, 0, sizeof(*entry));
	entry->next = cache->free;
	cache->free = (uint32_t)(entry - cache->entry);
}

/* Count the entries of a function in the list of a bucket. */
static unsigned int
count(const struct ctx_cache *cache, uint32_t i, unsigned int function)
{
	unsigned int nb = 0;

	for (; i != CTX_NONE; i = cache->entry[i].next)
		nb += cache->entry[i].function == function;
	return nb;
}

/* Make room in the list of a bucket. If it is full, remove the last idle entry of the function that
 * has most entries in it. Return false if no entry of this function is idle. */
static bool
shorten(struct ctx_cache *cache, uint32_t first, unsigned int function)
{
	unsigned int ways = 0, nb, most = 0, whose = function;
	struct ctx_entry *last = NULL;

	for (uint32_t i = first; i != CTX_NONE; i = cache->entry[i].next)
		ways++;
	if (ways < CTX_WAYS)
		return true;
	most = count(cache, first, function);
	for (uint32_t i = first; i != CTX_NONE; i = cache->entry[i].next) {
		nb = count(cache, first, cache->entry[i].function);
		if (nb > most) {
			most = nb;
			whose = cache->entry[i].function;
		}
	}
	for (uint32_t i = first; i != CTX_NONE; i = cache->entry[i].next) {
		if (cache->entry[i].refs == 0 && cache->entry[i].function == whose)
			last = &cache->entry[i];
	}
	if (last == NULL)
		return false;
	ctx_cache_drop(cache, last);
	return true;
}

/* Return how many entries a function may have while other functions have contexts, too. */
static uint32_t
part_of(const struct ctx_cache *cache, unsigned int function)
{
	const uint32_t part = cache->capacity / (cache->owners + (cache->held[function] == 0));

	return part != 0 ? part : 1;
}

/* Remove an entry that may leave for this function: the first that was not looked up since the
 * clock last passed it (second chance). Return false if there is none. */
static bool
evict(struct ctx_cache *cache, unsigned int function)
{
	const uint32_t part = part_of(cache, function);
	const bool own = cache->held[function] >= part;

	for (uint32_t i = 0; i < 2 * cache->capacity; i++) {
		struct ctx_entry *entry = &cache->entry[cache->clock];

		cache->clock = cache->clock + 1 < cache->capacity ? cache->clock + 1 : 0;
		if (entry->refs != 0 || (own ? entry->function != function :
					       cache->held[entry->function] <= part))
			continue;
		if (!entry->recent) {
			ctx_cache_drop(cache, entry);
			return true;
		}
		entry->recent = false;
	}
	return false;
}

struct ctx_entry *
ctx_cache_insert(struct ctx_cache *cache, unsigned int function, uint64_t address,
		 uint32_t generation)
{
	uint32_t *head = &cache->bucket[ctx_cache_bucket(cache, function, address)];
	struct ctx_entry *entry;

	if (!shorten(cache, *head, function) ||
	    (cache->free == CTX_NONE && !evict(cache, function)))
		return NULL;
	entry = &cache->entry[cache->free];
	cache->free = entry->next;
	entry->address = address;
	entry->generation = generation;
	entry->function = (uint16_t)function;
	entry->used = true;
	entry->recent = true;
	entry->next = *head;
	*head = (uint32_t)(entry - cache->entry);
	if (cache->held[function]++ == 0)
		cache->owners++;
	return entry;
}

unsigned int
ctx_cache_drop_word(struct ctx_cache *cache, unsigned int function, unsigned int word)
{
	uint32_t i = cache->bucket[word ^ cache->salt[function]];
	unsigned int nb = 0;

	while (i != CTX_NONE) {
		struct ctx_entry *entry = &cache->entry[i];

		i = entry->next;
		if (entry->function != function)
			continue;
		ctx_cache_drop(cache, entry);
		nb++;
	}
	return nb;
}

unsigned int
ctx_cache_drop_function(struct ctx_cache *cache, unsigned int function)
{
	unsigned int nb = 0;

	for (unsigned int i = 0; i < ACCEL_HW_INVALIDATE_WORDS && cache->held[function] > 0; i++)
		nb += ctx_cache_drop_word(cache, function, i);
	return nb;
}

#define WORDS_OF_LINE (CACHE_LINE / sizeof(uint32_t))

/* True if a cache line of the page changed. The comparison takes words of 64 bits. */
static inline bool
line_changed(const uint32_t *page, const uint32_t *seen)
{
	const uint64_t *a = (const uint64_t *)(const void *)page;
	const uint64_t *b = (const uint64_t *)(const void *)seen;
	uint64_t differs = 0;

	for (unsigned int i = 0; i < CACHE_LINE / sizeof(*a); i++)
		differs |= load64(&a[i]) ^ b[i];
	return differs != 0;
}

bool
ctx_cache_outdated(const uint32_t *page, const uint32_t *seen)
{
	for (unsigned int i = 0; i < ACCEL_HW_INVALIDATE_WORDS; i += WORDS_OF_LINE) {
		if (unlikely(line_changed(&page[i], &seen[i])))
			return true;
	}
	return false;
}

unsigned int
ctx_cache_follow(struct ctx_cache *cache, unsigned int function, const uint32_t *page,
		 uint32_t *seen)
{
	unsigned int nb = 0;

	for (unsigned int i = 0; i < ACCEL_HW_INVALIDATE_WORDS; i++) {
		uint32_t word = load32(&page[i]);

		if (word == seen[i])
			continue;
		seen[i] = word;
		nb += ctx_cache_drop_word(cache, function, i);
	}
	return nb;
}
