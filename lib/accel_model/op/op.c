/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a worker needs for operations: see op.h.
 */
#include <errno.h>
#include <string.h>

#include "mem/vault.h"
#include "mem/wipe.h"
#include "op/op.h"

int
op_tools_init(struct op_tools *tools, unsigned int cached_contexts)
{
	int ret;

	tools->arena = vault_map(ARENA_SIZE);
	if (tools->arena == NULL)
		return -ENOMEM;
	ret = ctx_cache_init(&tools->cache, cached_contexts);
	for (unsigned int i = 0; ret == 0 && i < tools->nb_engines; i++) {
		tools->engine[i] = tools->engine_ops[i]->create();
		if (tools->engine[i] == NULL)
			ret = -ENOTSUP;
	}
	return ret;
}

void
op_tools_fini(struct op_tools *tools)
{
	ctx_cache_fini(&tools->cache);
	for (unsigned int i = 0; i < NB_ENGINES_MAX; i++) {
		if (tools->engine[i] != NULL)
			tools->engine_ops[i]->destroy(tools->engine[i]);
	}
	vault_unmap(tools->arena, ARENA_SIZE, tools->arena_mark);
	iv_random_wipe(&tools->random);
}

void
op_tools_flush(struct op_tools *tools)
{
	for (unsigned int i = 0; i < tools->nb_engines; i++)
		tools->engine_ops[i]->flush(tools->engine[i]);
}

void
op_tools_wipe_stack(struct op_tools *tools)
{
	if (tools->wiped_ops == tools->count.ops)
		return;
	tools->wiped_ops = tools->count.ops;
	wipe_stack();
}

void
op_tools_wipe(struct op_tools *tools)
{
	explicit_bzero(tools->arena, tools->arena_mark);
	tools->arena_mark = 0;
	for (unsigned int i = 0; i < tools->nb_engines; i++) {
		if (tools->engine_ops[i]->wipe != NULL)
			tools->engine_ops[i]->wipe(tools->engine[i]);
	}
	wipe_stack();
}

uint8_t *
arena_get(struct op_tools *tools, uint64_t bytes)
{
	uint32_t size = (uint32_t)(bytes + CACHE_LINE - 1) & ~(CACHE_LINE - 1u);

	if (tools->arena_ops == 0)
		tools->arena_used = 0;
	tools->arena_used += size;
	if (tools->arena_mark < tools->arena_used)
		tools->arena_mark = tools->arena_used;
	return tools->arena + tools->arena_used - size;
}
