/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Shares of virtual functions: see share.h. The entry in the BAR0 of the physical function is
 * written as the driver of that function would write it.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "accel_hw.h"
#include "args.h"
#include "share.h"

static const struct {
	const char *name;
	size_t offset;
	uint64_t max;
} keys[] = {
	{ "queue-pairs=", offsetof(struct share, queue_pairs), ACCEL_MODEL_MAX_QUEUE_PAIRS },
	{ "peak-ops=", offsetof(struct share, peak_ops), 1000000000000 },
	{ "peak-bytes=", offsetof(struct share, peak_bytes), 1000000000000000 },
};

#define NB_KEYS (sizeof(keys) / sizeof(keys[0]))

int
share_parse(char *text, struct share *share)
{
	char *save = NULL, *word;

	memset(share, 0, sizeof(*share));
	for (word = strtok_r(text, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save)) {
		size_t i = 0;

		while (i < NB_KEYS && strncmp(word, keys[i].name, strlen(keys[i].name)) != 0)
			i++;
		if (i == NB_KEYS ||
		    args_number(word + strlen(keys[i].name), 1, keys[i].max,
				(uint64_t *)(void *)((char *)share + keys[i].offset)) != 0)
			return -EINVAL;
	}
	return 0;
}

int
share_give(struct accel_model *model, unsigned int vf, const struct share *share)
{
	struct accel_hw_vf_resources *entry = accel_model_vf_table(model);
	uint32_t sequence;

	if (entry == NULL || accel_model_function(model, vf + 1) == NULL)
		return -ENODEV;
	entry += vf;
	sequence = entry->sequence + 1;
	if (sequence == 0)
		sequence = 1; /* 0 marks an entry that was never written */
	entry->nb_queue_pairs = (uint16_t)(share->queue_pairs != 0 ? share->queue_pairs :
					   ACCEL_MODEL_MAX_QUEUE_PAIRS);
	__atomic_store_n(&entry->ops_per_second, share->peak_ops, __ATOMIC_RELAXED);
	__atomic_store_n(&entry->bytes_per_second, share->peak_bytes, __ATOMIC_RELAXED);
	for (size_t i = 0; i < sizeof(entry->algorithms) / sizeof(entry->algorithms[0]); i++)
		__atomic_store_n(&entry->algorithms[i], UINT64_MAX, __ATOMIC_RELAXED);
	__atomic_store_n(&entry->sequence, sequence, __ATOMIC_RELEASE);
	return 0;
}
