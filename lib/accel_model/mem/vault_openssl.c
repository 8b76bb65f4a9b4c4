/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * OpenSSL's memory comes from the vault because its cipher and digest contexts hold keys. OpenSSL
 * takes and gives back memory in many operations, so each thread keeps the blocks that it gives
 * back. It needs no lock for them.
 */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <openssl/crypto.h>

#include "accel_model.h"
#include "base/util.h"
#include "mem/vault.h"

#define CLASSES 32u /* sizes, VAULT_ALIGN bytes apart; larger blocks come straight from the vault */

/* Stands before each block. */
struct head {
	size_t bytes; /* of the block, this head included */
	struct head *next; /* the next free block of its size */
};

static_assert(sizeof(struct head) == 16, "blocks are aligned as those of malloc()");

/* These blocks are not freed at the end of a thread, because the threads that use OpenSSL live as
 * long as the process. */
static _Thread_local struct head *kept[CLASSES];

static struct head **
list_of(size_t bytes)
{
	size_t i = (bytes - 1) / VAULT_ALIGN;

	return i < CLASSES ? &kept[i] : NULL;
}

static void *
take(size_t bytes, const char *file, int line)
{
	const size_t whole = (bytes + sizeof(struct head) + VAULT_ALIGN - 1) & ~(VAULT_ALIGN - 1u);
	struct head **list = list_of(whole), *h;

	(void)file;
	(void)line;
	if (bytes == 0 || whole < bytes)
		return NULL;
	if (list != NULL && *list != NULL) {
		h = *list;
		*list = h->next;
	} else {
		h = vault_alloc(whole);
		if (h == NULL)
			return NULL;
		h->bytes = whole;
	}
	return h + 1;
}

static void
give_back(void *p, const char *file, int line)
{
	struct head *h, **list;

	(void)file;
	(void)line;
	if (p == NULL)
		return;
	h = (struct head *)p - 1;
	list = list_of(h->bytes);
	if (list == NULL) {
		vault_free(h, h->bytes);
		return;
	}
	h->next = *list; /* OpenSSL has wiped secrets already */
	*list = h;
}

static void *
take_again(void *p, size_t bytes, const char *file, int line)
{
	struct head *h;
	void *new;

	if (p == NULL)
		return take(bytes, file, line);
	h = (struct head *)p - 1;
	if (bytes == 0) {
		give_back(p, file, line);
		return NULL;
	}
	if (bytes <= h->bytes - sizeof(*h))
		return p;
	new = take(bytes, file, line);
	if (new == NULL)
		return NULL;
	memcpy(new, p, h->bytes - sizeof(*h));
	give_back(p, file, line);
	return new;
}

int
accel_model_guard_keys(void)
{
	vault_take_limit();
	return CRYPTO_set_mem_functions(take, take_again, give_back) == 1 ? 0 : -EALREADY;
}
