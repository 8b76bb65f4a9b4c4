/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tasks of the public-key engines: see pk_task.h. Their memory comes in slabs that the pool keeps.
 */
#include <string.h>

#include "mem/vault.h"
#include "pk/pk_entropy.h"
#include "pk/pk_task.h"

#define SLAB_TASKS 16u

struct pk_slab {
	struct pk_slab *next;
	struct pk_task task[SLAB_TASKS];
};

/* The functions below keep contexts. */

struct pk_shared {
	uint32_t refs; /* shared */
	uint32_t status; /* shared: why there is no key, 0: not known */
	struct pk_key *key; /* shared: NULL until an engine has made it */
	struct accel_hw_pk_context header;
	uint8_t components[];
};

struct pk_shared *
pk_shared_new(const struct accel_hw_pk_context *header)
{
	struct pk_shared *key = vault_alloc(sizeof(*key) + header->key_len);

	if (key == NULL)
		return NULL;
	key->refs = 1;
	key->header = *header;
	return key;
}

uint8_t *
pk_shared_components(struct pk_shared *key)
{
	return key->components;
}

const struct accel_hw_pk_context *
pk_shared_header(const struct pk_shared *key)
{
	return &key->header;
}

void
pk_shared_get(struct pk_shared *key)
{
	__atomic_add_fetch(&key->refs, 1, __ATOMIC_RELAXED);
}

void
pk_shared_put(struct pk_shared *key)
{
	if (key == NULL || __atomic_sub_fetch(&key->refs, 1, __ATOMIC_ACQ_REL) != 0)
		return;
	pk_key_free(key->key);
	vault_free(key, sizeof(*key) + key->header.key_len);
}

/* Return the key, and make it if there is none yet. Two engines may make the key at the same time,
 * as neither may wait for the other. NULL: *status says why there is no key. */
static const struct pk_key *
key_of(struct pk_shared *shared, uint16_t *status)
{
	struct pk_key *key = __atomic_load_n(&shared->key, __ATOMIC_ACQUIRE), *other = NULL;

	if (key != NULL)
		return key;
	*status = (uint16_t)load32(&shared->status);
	if (*status != ACCEL_HW_OK)
		return NULL;
	*status = ACCEL_HW_ENGINE_ERROR;
	key = pk_key_new(&shared->header, shared->components, status);
	if (key == NULL) {
		store32(&shared->status, *status);
		return NULL;
	}
	if (__atomic_compare_exchange_n(&shared->key, &other, key, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return key;
	pk_key_free(key);
	return other;
}

/* The functions below get and free memory. */

static bool
add_slab(struct pk_desk *desk)
{
	struct pk_slab *slab = vault_map(sizeof(*slab)), **all = desk->slabs;

	if (slab == NULL)
		return false;
	for (unsigned int i = 0; i < SLAB_TASKS; i++) {
		slab->task[i].desk = desk;
		slab->task[i].next = desk->free;
		desk->free = &slab->task[i];
	}
	slab->next = __atomic_load_n(all, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(all, &slab->next, slab, true, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	return true;
}

struct pk_task *
pk_task_get(struct pk_desk *desk, uint32_t bytes)
{
	struct pk_task *task;

	if (desk->free == NULL)
		desk->free = pk_pop_all(&desk->returned);
	if (desk->free == NULL && !add_slab(desk))
		return NULL;
	task = desk->free;
	task->in = task->in_buffer;
	task->out = task->out_buffer;
	if (bytes > sizeof(task->in_buffer)) {
		task->in = vault_map(bytes);
		if (task->in == NULL)
			return NULL;
		task->in_size = bytes;
	}
	task->in_used = bytes;
	desk->free = task->next;
	return task;
}

static void
wipe(struct pk_task *task)
{
	const size_t from = offsetof(struct pk_task, denied);

	if (task->in_size > 0)
		vault_unmap(task->in, task->in_size, task->in_size);
	else
		explicit_bzero(task->in_buffer, task->in_used);
	if (task->out_size > 0)
		vault_unmap(task->out, task->out_size, task->out_size);
	else
		explicit_bzero(task->out_buffer, task->out_used);
	pk_shared_put(task->key);
	explicit_bzero((uint8_t *)task + from, offsetof(struct pk_task, in_buffer) - from);
}

static void
give_back(struct pk_task *task)
{
	task->next = task->desk->free;
	task->desk->free = task;
}

void
pk_task_put(struct pk_task *task)
{
	wipe(task);
	give_back(task);
}

void
pk_task_free_all(struct pk_slab **slabs)
{
	struct pk_slab *slab = *slabs, *next;

	for (; slab != NULL; slab = next) {
		next = slab->next;
		for (unsigned int i = 0; i < SLAB_TASKS; i++)
			wipe(&slab->task[i]);
		vault_unmap(slab, sizeof(*slab), 0);
	}
	*slabs = NULL;
}

/* The functions below change states. Worker and engine may change a state at the same time. The
 * thread whose change fails follows the other thread's change. */

static bool
change(struct pk_task *task, uint32_t from, enum pk_task_state to)
{
	return __atomic_compare_exchange_n(&task->state, &from, (uint32_t)to, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void
pk_task_abandon(struct pk_task *task)
{
	if (change(task, PK_TASK_QUEUED, PK_TASK_WIPING)) {
		wipe(task);
		if (!change(task, PK_TASK_WIPING, PK_TASK_WIPED))
			give_back(task);
	} else if (!change(task, PK_TASK_RUNNING, PK_TASK_GIVEN_UP)) {
		pk_task_put(task);
	}
}

bool
pk_task_begin(struct pk_task *task)
{
	if (change(task, PK_TASK_QUEUED, PK_TASK_RUNNING))
		return true;
	if (!change(task, PK_TASK_WIPING, PK_TASK_UNLISTED))
		pk_push(&task->desk->returned, task);
	return false;
}

void
pk_task_end(struct pk_task *task)
{
	if (change(task, PK_TASK_RUNNING, PK_TASK_DONE))
		return;
	wipe(task);
	pk_push(&task->desk->returned, task);
}

/* The functions below carry out an operation. */

uint64_t
pk_operands_len(const struct accel_hw_pk_command *cmd)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < ACCEL_HW_PK_OPERANDS; i++) {
		if (cmd->operand[i] > PK_OPERAND_SIZE_MAX)
			return UINT64_MAX;
		sum += cmd->operand[i];
	}
	return sum;
}

/* Do checks 4 to 9 of manual 7.4. */
static uint16_t
check(struct pk_task *task, const struct pk_key **key, uint32_t *most)
{
	const struct accel_hw_pk_command *cmd = &task->cmd;
	uint64_t len = 0;
	uint16_t status;

	*most = task->random;
	if (task->key != NULL) {
		*key = key_of(task->key, &status);
		if (*key == NULL)
			return status;
	}
	if (task->denied)
		return ACCEL_HW_DENIED;
	if (task->later)
		return ACCEL_HW_BAD_COMMAND;
	if (task->key != NULL) {
		status = pk_check(*key, cmd, most);
		if (status != ACCEL_HW_OK)
			return status;
		len = pk_operands_len(cmd);
	}
	if (task->in_len != len)
		return ACCEL_HW_BAD_LENGTH;
	if (task->room < *most)
		return ACCEL_HW_OUTPUT_TOO_SMALL;
	return task->unreadable ? ACCEL_HW_DMA_FAULT : ACCEL_HW_OK;
}

static bool
make_room(struct pk_task *task, uint32_t most)
{
	if (most > sizeof(task->out_buffer)) {
		task->out = vault_map(most);
		if (task->out == NULL) {
			task->out = task->out_buffer;
			return false;
		}
		task->out_size = most;
	}
	task->out_used = most;
	return true;
}

static void
run_random(struct pk_task *task)
{
	task->status = task->no_entropy ? ACCEL_HW_NO_ENTROPY : pk_random(task->out, task->random);
	task->produced = task->status == ACCEL_HW_OK ? task->random : 0;
}

static void
run_key(struct pk_task *task, const struct pk_key *key)
{
	struct pk_job job = {
		.key = key,
		.cmd = &task->cmd,
		.in = task->in,
		.out = task->out,
		.status = ACCEL_HW_ENGINE_ERROR,
	};

	pk_run(&job);
	task->status = job.status;
	/* A status for wrong operands comes first (PK-12). */
	if (job.status == ACCEL_HW_OK && task->no_entropy &&
	    pk_needs_random(pk_shared_header(task->key)->alg, &task->cmd))
		task->status = ACCEL_HW_NO_ENTROPY;
	task->produced = task->status == ACCEL_HW_OK ? job.produced : 0;
}

void
pk_task_carry_out(struct pk_task *task)
{
	const struct pk_key *key = NULL;
	uint32_t most = 0;

	task->status = check(task, &key, &most);
	if (task->status != ACCEL_HW_OK)
		return;
	task->carried_out = true;
	if (!make_room(task, most))
		task->status = ACCEL_HW_ENGINE_ERROR;
	else if (key == NULL)
		run_random(task);
	else
		run_key(task, key);
}
