/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads and writes shares. See share_text.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tool.h"
#include "share_text.h"

#define ALGORITHMS 256u

/* ------------------------------------------------------------------ algorithms */

/* Reads "all", or a list of numbers and ranges that "/" separates. */
static bool
parse_algorithms(const char *text, uint64_t bits[4])
{
	unsigned long from, to;
	char *end;

	if (strcmp(text, "all") == 0) {
		memset(bits, 0xff, 4 * sizeof(bits[0]));
		return true;
	}
	memset(bits, 0, 4 * sizeof(bits[0]));
	for (;; text = end + 1) {
		if (*text < '0' || *text > '9')
			return false;
		from = to = strtoul(text, &end, 10);
		if (*end == '-' && end[1] >= '0' && end[1] <= '9')
			to = strtoul(end + 1, &end, 10);
		if (from == 0 || from > to || to >= ALGORITHMS)
			return false;
		for (; from <= to; from++)
			bits[from / 64] |= 1ull << from % 64;
		if (*end == '\0')
			return true;
		if (*end != '/')
			return false;
	}
}

static bool
has(const uint64_t bits[4], unsigned int n)
{
	return n < ALGORITHMS && (bits[n / 64] >> n % 64 & 1) != 0;
}

static void
print_algorithms(const uint64_t bits[4], char *to, size_t size)
{
	size_t at = 0;
	unsigned int n, last;

	if ((bits[0] & bits[1] & bits[2] & bits[3]) == UINT64_MAX) {
		snprintf(to, size, "all");
		return;
	}
	snprintf(to, size, "none");
	for (n = 0; n < ALGORITHMS && at < size; n = last + 1) {
		last = n;
		if (!has(bits, n))
			continue;
		while (has(bits, last + 1))
			last++;
		at += (size_t)snprintf(to + at, size - at, last != n ? "%s%u-%u" : "%s%u",
				       at != 0 ? "/" : "", n, last);
	}
}

/* ------------------------------------------------------------------ shares */

static bool
parse_word(const char *option, char *word, struct rte_pmd_accel_vf_share *share)
{
	char *value = strchr(word, '=');
	uint64_t n;

	if (value == NULL) {
		tool_usage("--%s takes KEY=VALUE,..., not '%s'", option, word);
		return false;
	}
	*value++ = '\0';
	if (strcmp(word, "algorithms") == 0) {
		if (parse_algorithms(value, share->algorithms))
			return true;
		tool_usage("--%s: algorithms=all, or numbers from 1 to 255 of the manual's section "
			   "8.2 such as 2/72/192-195, not '%s'", option, value);
		return false;
	}
	if (strcmp(word, "queue-pairs") == 0) {
		if (!tool_number(option, value, 0, UINT16_MAX, &n))
			return false;
		share->queue_pairs = (uint16_t)n;
		return true;
	}
	if (strcmp(word, "weight") == 0) {
		if (!tool_number(option, value, 1, UINT16_MAX, &n))
			return false;
		share->weight = (uint16_t)n;
		return true;
	}
	if (strcmp(word, "peak-ops") == 0)
		return tool_number(option, value, 0, UINT64_MAX, &share->ops_per_second);
	if (strcmp(word, "peak-bytes") == 0)
		return tool_number(option, value, 0, UINT64_MAX, &share->bytes_per_second);
	tool_usage("--%s: there is no '%s'; there are queue-pairs, weight, peak-ops, peak-bytes "
		   "and algorithms", option, word);
	return false;
}

bool
share_parse(const char *option, const char *text, struct rte_pmd_accel_vf_share *share)
{
	char *copy = strdup(text), *rest = NULL, *word;
	bool good = copy != NULL;

	memset(share, 0, sizeof(*share));
	if (strcmp(option, "set") == 0) {
		share->queue_pairs = share->weight = 1;
		memset(share->algorithms, 0xff, sizeof(share->algorithms));
	}
	for (word = good ? strtok_r(copy, ",", &rest) : NULL; word != NULL && good;
			word = strtok_r(NULL, ",", &rest))
		good = parse_word(option, word, share);
	free(copy);
	return good;
}

void
share_add(json_t *to, const struct rte_pmd_accel_vf_share *share)
{
	char text[1024];

	print_algorithms(share->algorithms, text, sizeof(text));
	json_object_set_new(to, "queue_pairs", json_integer(share->queue_pairs));
	json_object_set_new(to, "weight", json_integer(share->weight));
	json_object_set_new(to, "peak_ops", json_integer((json_int_t)share->ops_per_second));
	json_object_set_new(to, "peak_bytes", json_integer((json_int_t)share->bytes_per_second));
	json_object_set_new(to, "algorithms", json_string(text));
}

json_t *
share_text(const struct rte_pmd_accel_vf_share *share)
{
	char text[1280], list[1024];

	print_algorithms(share->algorithms, list, sizeof(list));
	snprintf(text, sizeof(text),
		 "queue-pairs=%u,weight=%u,peak-ops=%" PRIu64 ",peak-bytes=%" PRIu64
		 "%s%s", share->queue_pairs, share->weight, share->ops_per_second,
		 share->bytes_per_second, strcmp(list, "none") != 0 ? ",algorithms=" : "",
		 strcmp(list, "none") != 0 ? list : "");
	return json_string(text);
}
