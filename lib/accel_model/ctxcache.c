/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A worker's cache of expanded contexts: see ctxcache.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctxcache.h"

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
	uint32_t *link = &cache->bucket[ACCEL_HW_INVALIDATE_INDEX(entry->address)];

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
		free(entry->parts);
	}
	memset(entry, 0, sizeof(*entry));
	entry->next = cache->free;
	cache->free = (uint32_t)(entry - cache->entry);
	cache->used--;
}

/* Remove the last idle entry of a chain that is too long. false if none is idle. */
static bool
shorten(struct ctx_cache *cache, uint32_t i)
{
	struct ctx_entry *last = NULL;
	unsigned int ways = 0;

	for (; i != CTX_NONE; i = cache->entry[i].next, ways++) {
		if (cache->entry[i].refs == 0)
			last = &cache->entry[i];
	}
	if (ways < CTX_WAYS)
		return true;
	if (last == NULL)
		return false;
	ctx_cache_drop(cache, last);
	return true;
}

/* Second chance: remove the first entry that was not looked up since the clock last passed. */
static bool
evict(struct ctx_cache *cache)
{
	for (uint32_t i = 0; i < 2 * cache->capacity; i++) {
		struct ctx_entry *entry = &cache->entry[cache->clock];

		cache->clock = cache->clock + 1 < cache->capacity ? cache->clock + 1 : 0;
		if (entry->refs != 0)
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
	uint32_t *head = &cache->bucket[ACCEL_HW_INVALIDATE_INDEX(address)];
	struct ctx_entry *entry;

	if (!shorten(cache, *head) || (cache->free == CTX_NONE && !evict(cache)))
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
	cache->used++;
	return entry;
}

unsigned int
ctx_cache_drop_bucket(struct ctx_cache *cache, unsigned int function, unsigned int bucket)
{
	uint32_t i = cache->bucket[bucket];
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

	for (unsigned int i = 0; i < ACCEL_HW_INVALIDATE_WORDS && cache->used > 0; i++)
		nb += ctx_cache_drop_bucket(cache, function, i);
	return nb;
}

#define WORDS_OF_LINE (CACHE_LINE / sizeof(uint32_t))

/* Compare one line, as words of 64 bits. */
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
		nb += ctx_cache_drop_bucket(cache, function, i);
	}
	return nb;
}
