/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of the opcodes PK and RANDOM: see op_pk.h.
 */
#include <stdlib.h>
#include <string.h>

#include "bus/bus.h"
#include "execute/op_pk.h"
#include "mem/vault.h"
#include "op/op_span.h"

/* Return the command of an operation in the form of the opcode PK. It is as long as the other
 * form. */
static struct accel_hw_pk_command
command_of(const struct op *op)
{
	struct accel_hw_pk_command cmd;

	memcpy(&cmd, &op->cmd, sizeof(cmd));
	return cmd;
}

/* Return the bytes of the operands to read. Operands are not read if their sum differs from the
 * length of the input. */
static uint32_t
bytes_of(const struct op *op, const struct accel_hw_pk_command *cmd)
{
	const uint64_t sum = pk_operands_len(cmd);

	return sum == op->tx.bytes ? (uint32_t)sum : 0;
}

uint32_t
op_pk_bytes(const struct op *op)
{
	const struct accel_hw_pk_command cmd = command_of(op);

	return op->cmd.opcode == ACCEL_HW_OP_PK ? bytes_of(op, &cmd) : 0;
}

/* The functions below find contexts. */

/* Check what can be checked of a context without its components (PK-6). */
static bool
header_ok(const struct accel_hw_pk_context *header, uint32_t generation)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < ACCEL_HW_PK_COMPONENTS; i++)
		sum += header->component[i];
	return header->generation == generation && header->version == ACCEL_HW_CTX_VERSION &&
	       header->kind == ACCEL_HW_KIND_PK && pk_caps(header->alg) != NULL &&
	       header->key_len <= PK_KEY_SIZE_MAX && header->key_len == sum;
}

/* Read a context once (PK-5). @param read receives how many bytes were read. */
static struct pk_shared *
read_context(struct op_access *access, const struct accel_hw_pk_command *cmd, uint32_t *read,
	     uint16_t *status)
{
	const uint64_t at = cmd->context;
	struct accel_hw_pk_context header;
	struct pk_shared *key;

	*read = sizeof(header);
	*status = ACCEL_HW_DMA_FAULT;
	if (!dma_read(&access->view, at, &header, sizeof(header)))
		return NULL;
	*status = ACCEL_HW_BAD_CONTEXT;
	if (!header_ok(&header, cmd->generation))
		return NULL;
	*read += header.key_len;
	*status = ACCEL_HW_ENGINE_ERROR;
	key = pk_shared_new(&header);
	if (key != NULL && header.key_len > 0 &&
	    !dma_read(&access->view, at + sizeof(header), pk_shared_components(key),
		      header.key_len)) {
		*status = ACCEL_HW_DMA_FAULT;
		pk_shared_put(key);
		key = NULL;
	}
	return key;
}

/* Put a key into the cache. If there is no room, the key is used only once. */
static void
keep(struct op_tools *tools, const struct op_access *access,
     const struct accel_hw_pk_command *cmd, struct pk_shared *key)
{
	struct ctx_parts *parts = calloc(1, sizeof(*parts));
	struct ctx_entry *entry = NULL;

	if (parts != NULL)
		entry = ctx_cache_insert(&tools->cache, access->function, cmd->context,
					 cmd->generation);
	if (entry == NULL) {
		free(parts);
		return;
	}
	pk_shared_get(key);
	parts->pk = key;
	entry->rules.kind = ACCEL_HW_KIND_PK;
	entry->parts = parts;
}

/* Find or read the context. @return the key, with a reference; NULL: the operation has failed. */
static struct pk_shared *
load_context(struct op_tools *tools, struct op_access *access, struct op *op,
	     const struct accel_hw_pk_command *cmd)
{
	struct ctx_entry *entry;
	struct pk_shared *key;
	uint16_t status;
	uint32_t bytes;

	if ((cmd->context & (ACCEL_HW_CTX_ALIGN - 1)) != 0 || cmd->generation == 0) {
		op_fail(op, ACCEL_HW_BAD_CONTEXT);
		return NULL;
	}
	entry = ctx_cache_find(&tools->cache, access->function, cmd->context, cmd->generation);
	if (entry != NULL) {
		access->count.context_hits++;
		key = entry->parts != NULL ? entry->parts->pk : NULL;
		if (key == NULL)
			op_fail(op, ACCEL_HW_BAD_CONTEXT);
		else
			pk_shared_get(key);
		return key;
	}
	key = read_context(access, cmd, &bytes, &status);
	access->count.context_misses++;
	if (tools->bus != NULL)
		bus_context(tools->bus, cmd->context, bytes);
	if (key != NULL)
		keep(tools, access, cmd, key);
	else if (status == ACCEL_HW_DMA_FAULT)
		op_fail_access(access, op, ACCEL_HW_FAULT_CONTEXT);
	else
		op_fail(op, status);
	return key;
}

/* Remove a context that makes no key from the cache, so that it is read again next time. */
static void
forget(struct op_tools *tools, const struct op_access *access, const struct pk_task *task)
{
	struct ctx_entry *entry = ctx_cache_find(&tools->cache, access->function, task->cmd.context,
						 task->cmd.generation);

	if (entry != NULL && entry->parts != NULL && entry->parts->pk == task->key)
		ctx_cache_drop(&tools->cache, entry);
}

/* The functions below begin operations. */

/* Do check 1 of manual 7.4: look at the fields that opcode and flags alone decide. */
static bool
fields_ok(const struct accel_hw_pk_command *cmd)
{
	static const uint8_t zero[sizeof(cmd->reserved)];

	return (cmd->flags & ~ACCEL_HW_CMD_NO_RX) == 0 &&
	       memcmp(cmd->reserved, zero, sizeof(zero)) == 0;
}

/* Check the command of a RANDOM (RND-3). */
static bool
random_ok(const struct accel_hw_command *cmd)
{
	struct accel_hw_command other = {
		.tag = cmd->tag,
		.opcode = cmd->opcode,
		.cipher_len = cmd->cipher_len,
	};

	return cmd->cipher_len > 0 && cmd->cipher_len <= PK_RANDOM_MAX &&
	       memcmp(cmd, &other, sizeof(other)) == 0;
}

/* Make the task of an operation. @param bytes how many bytes of operands are read. */
static struct pk_task *
new_task(struct pk_desk *desk, struct op *op, uint32_t bytes)
{
	struct pk_task *task = pk_task_get(desk, bytes);

	if (task == NULL) {
		op_fail(op, ACCEL_HW_ENGINE_ERROR);
		return NULL;
	}
	task->in_len = op->tx.bytes;
	task->room = op->rx.bytes;
	op->job.done = false;
	op->state = OP_BUSY;
	return task;
}

static struct pk_task *
begin_random(struct op_access *access, struct op *op, struct pk_desk *desk)
{
	struct pk_task *task;

	if (!random_ok(&op->cmd)) {
		op_fail(op, ACCEL_HW_BAD_COMMAND);
		return NULL;
	}
	task = new_task(desk, op, 0);
	if (task == NULL)
		return NULL;
	task->random = op->cmd.cipher_len;
	task->denied = !alg_set_has(access->algorithms, ACCEL_HW_RANDOM);
	return task;
}

static struct pk_task *
begin_key(struct op_tools *tools, struct op_access *access, struct op *op, struct pk_desk *desk)
{
	const struct accel_hw_pk_command cmd = command_of(op);
	struct span in = span_of(&op->tx);
	struct pk_shared *key;
	struct pk_task *task;
	uint32_t bytes;

	if (!fields_ok(&cmd)) {
		op_fail(op, ACCEL_HW_BAD_COMMAND);
		return NULL;
	}
	key = load_context(tools, access, op, &cmd);
	if (key == NULL)
		return NULL;
	bytes = bytes_of(op, &cmd);
	task = new_task(desk, op, bytes);
	if (task == NULL) {
		pk_shared_put(key);
		return NULL;
	}
	task->key = key;
	task->cmd = cmd;
	task->denied = !alg_set_has(access->algorithms, pk_shared_header(key)->alg);
	task->later = pk_is_later(pk_shared_header(key)->alg, tools->caps->minor, &cmd);
	if (bytes > 0 && !span_read(&access->view, &in, task->in, bytes)) {
		task->unreadable = true;
		task->fault = access->view.fault;
	}
	return task;
}

struct pk_task *
op_pk_begin(struct op_tools *tools, struct op_access *access, struct op *op, struct pk_desk *desk,
	    bool no_entropy)
{
	struct pk_task *task = op->cmd.opcode == ACCEL_HW_OP_RANDOM ?
				       begin_random(access, op, desk) :
				       begin_key(tools, access, op, desk);

	if (task != NULL)
		task->no_entropy = no_entropy;
	return task;
}

/* The functions below end operations. */

static bool
write_results(struct op_access *access, const struct op *op, const struct pk_task *task)
{
	struct span out = span_of(&op->rx);

	return task->produced == 0 ||
	       span_write(&access->view, &out, task->out, task->produced);
}

void
op_pk_finish(struct op_tools *tools, struct op_access *access, struct op *op,
	     const struct pk_task *task)
{
	access->count.engine_busy += task->ticks;
	if (task->status == ACCEL_HW_BAD_CONTEXT)
		forget(tools, access, task);
	if (!task->carried_out) {
		if (task->status != ACCEL_HW_DMA_FAULT) {
			op_fail(op, task->status);
			return;
		}
		access->view.fault = task->fault;
		op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
		return;
	}
	op->bytes_in = op->tx.bytes;
	op->source = op->tx.bytes;
	if (write_results(access, op, task)) {
		op_done(op, task->status, task->produced);
	} else {
		op_report_fault(access, op, ACCEL_HW_FAULT_RESULT);
		op_done(op, ACCEL_HW_DMA_FAULT, 0);
	}
}
