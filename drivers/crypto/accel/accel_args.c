/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Parses device arguments, see accel_args.h.
 */

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_kvargs.h>
#include <rte_string_fns.h>

#include "accel_args.h"
#include "accel_dev.h"
#include "accel_logs.h"

#define ARGS_HELP_SIZE 768u

#define ARGS_NUMBER(name, min_, max_)                                                              \
	{                                                                                          \
		.key = #name, .values = RTE_STR(min_) ".." RTE_STR(max_), .min = min_,             \
		.max = max_, .offset = offsetof(struct accel_args, name)                           \
	}

static const char *const recover_words[] = {
	[ACCEL_RECOVER_OFF] = "off",
	[ACCEL_RECOVER_AUTO] = "auto",
	[ACCEL_RECOVER_ON] = "on",
};

static const struct accel_args_key driver_keys[] = {
	ARGS_NUMBER(timeout_ms, 10, 3600000),
	{ .key = "recover", .values = "auto|on|off", .words = recover_words,
	  .nb_words = RTE_DIM(recover_words), .offset = offsetof(struct accel_args, recover) },
	ARGS_NUMBER(refuse_when_dead, 0, 1),
	ARGS_NUMBER(wb_count, 1, 65535),
	ARGS_NUMBER(wb_timeout_ns, 0, 1000000000),
	/* The probe parses it, since this function of the card may be one without shares. */
	{ .key = "vf_shares", .values = "VF[-VF]:qp@N[:KEY@VALUE...][/VF...]",
	  .text_size = RTE_SIZEOF_FIELD(struct accel_args, vf_shares),
	  .offset = offsetof(struct accel_args, vf_shares) },
};

/* One table holds the driver's keys, the other one the keys of the transport. */
#define ARGS_NB_TABLES 2u

/* Holds the state of one parse. */
struct parser {
	const char *device;
	const struct accel_args_table *table; /* ARGS_NB_TABLES of them */
	uint64_t seen[ARGS_NB_TABLES]; /* bit n: key number n was seen */
};

int
accel_args_number(const char *value, uint64_t min, uint64_t max, uint64_t *number)
{
	uint64_t unit = 1;
	char *end;
	uint64_t n;

	if (value[0] < '0' || value[0] > '9')
		return -EINVAL;
	errno = 0;
	n = strtoull(value, &end, 10);
	if (*end == 'k' || *end == 'M' || *end == 'G') {
		unit = *end == 'k' ? 1000 : *end == 'M' ? 1000000 : 1000000000;
		end++;
	}
	if (errno != 0 || *end != '\0' || n > UINT64_MAX / unit)
		return -EINVAL;
	n *= unit;
	if (n < min || n > max)
		return -EINVAL;
	*number = n;
	return 0;
}

static const char *
valid_keys(const struct accel_args_table *table, char *text, size_t size)
{
	size_t used = 0;
	unsigned int t, i;

	text[0] = '\0';
	for (t = ARGS_NB_TABLES; t-- > 0;) {
		for (i = 0; i < table[t].nb && used < size; i++)
			used += snprintf(text + used, size - used, "%s%s=%s", used == 0 ? "" : " ",
					 table[t].keys[i].key, table[t].keys[i].values);
	}
	return text;
}

/*
 * Finds a key by its name and marks it as seen. Returns NULL after a log line if the key is unknown
 * or given twice.
 */
static const struct accel_args_key *
find_key(struct parser *parser, const char *key, void **to)
{
	char text[ARGS_HELP_SIZE];
	unsigned int t, i;

	for (t = 0; t < ARGS_NB_TABLES; t++) {
		for (i = 0; i < parser->table[t].nb; i++) {
			if (strcmp(key, parser->table[t].keys[i].key) != 0)
				continue;
			if ((parser->seen[t] & (UINT64_C(1) << i)) != 0) {
				ACCEL_LOG(ERR, "%s: device argument \"%s\" is given twice",
					  parser->device, key);
				return NULL;
			}
			parser->seen[t] |= UINT64_C(1) << i;
			*to = parser->table[t].to;
			return &parser->table[t].keys[i];
		}
	}
	ACCEL_LOG(ERR, "%s: unknown device argument \"%s\"; valid are %s", parser->device, key,
		  valid_keys(parser->table, text, sizeof(text)));
	return NULL;
}

static int
take_word(const struct accel_args_key *k, const char *value, uint32_t *to)
{
	uint32_t i;

	for (i = 0; i < k->nb_words && strcmp(value, k->words[i]) != 0; i++)
		;
	if (i == k->nb_words)
		return -EINVAL;
	*to = i;
	return 0;
}

/* Parses a pair of key and value. rte_kvargs_process() calls this for each pair. */
static int
parse_pair(const char *key, const char *value, void *opaque)
{
	struct parser *parser = opaque;
	const struct accel_args_key *k;
	void *to = NULL, *field;
	int ret;

	k = find_key(parser, key, &to);
	if (k == NULL)
		return -EINVAL;
	field = RTE_PTR_ADD(to, k->offset);
	if (value == NULL || value[0] == '\0')
		ret = -EINVAL;
	else if (k->parse != NULL)
		ret = k->parse(value, to);
	else if (k->words != NULL)
		ret = take_word(k, value, field);
	else if (k->text_size != 0)
		ret = strlcpy(field, value, k->text_size) < k->text_size ? 0 : -EINVAL;
	else
		ret = accel_args_number(value, k->min, k->max, field);
	if (ret != 0)
		ACCEL_LOG(ERR, "%s: device argument %s=\"%s\" is not %s", parser->device, key,
			  value != NULL ? value : "", k->values);
	return ret;
}

void
accel_args_default(struct accel_args *args)
{
	args->timeout_ms = 0;
	args->recover = ACCEL_RECOVER_AUTO;
	args->refuse_when_dead = 0;
	args->wb_count = ACCEL_ARGS_NOT_GIVEN;
	args->wb_timeout_ns = ACCEL_ARGS_NOT_GIVEN;
	args->vf_shares[0] = '\0';
}

int
accel_args_parse(const char *device, const char *text, struct accel_args *args,
		 const struct accel_args_table *own)
{
	const struct accel_args_table table[ARGS_NB_TABLES] = {
		{ .keys = driver_keys, .nb = RTE_DIM(driver_keys), .to = args },
		{ .keys = own != NULL ? own->keys : NULL, .nb = own != NULL ? own->nb : 0,
		  .to = own != NULL ? own->to : NULL },
	};
	struct parser parser = { .device = device, .table = table };
	char help[ARGS_HELP_SIZE];
	struct rte_kvargs *kvlist;
	int ret;

	if (text == NULL || text[0] == '\0')
		return 0;
	kvlist = rte_kvargs_parse(text, NULL);
	if (kvlist == NULL)
		return ACCEL_REFUSE(-EINVAL, "%s: malformed device arguments \"%s\"; valid are %s",
				    device, text, valid_keys(table, help, sizeof(help)));
	ret = rte_kvargs_process(kvlist, NULL, parse_pair, &parser);
	rte_kvargs_free(kvlist);
	return ret != 0 ? -EINVAL : 0;
}
