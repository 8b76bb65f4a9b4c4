/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Shares of virtual functions: see share.h. This code uses the pages in the BAR0 of the physical
 * function as a driver of that function would. It only prints what the device has written there,
 * because a client that has the function can write there, too.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accel_hw.h"
#include "args.h"
#include "share.h"

#define WORDS (sizeof(struct accel_hw_vf_resources) / sizeof(uint64_t))
#define SETS (sizeof(((struct accel_hw_vf_resources *)0)->algorithms) / sizeof(uint64_t))

/* Holds a change of a share while its text is parsed. */
struct change {
	struct accel_model *model;
	unsigned int queue_pairs; /* the most that one function can have */
	struct accel_hw_vf_resources entry;
	char *why;
};

__attribute__((format(printf, 2, 3))) static int
refuse(const struct change *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(c->why, SHARE_TEXT_MAX, format, ap);
	va_end(ap);
	return -EINVAL;
}

/* The functions below read and write entries. */

static void
read_entry(const void *from, struct accel_hw_vf_resources *to)
{
	const uint64_t *word = from;
	uint64_t copy[WORDS];

	for (size_t i = 0; i < WORDS; i++)
		copy[i] = __atomic_load_n(&word[i], __ATOMIC_ACQUIRE);
	memcpy(to, copy, sizeof(*to));
}

/* Reads the share of a function. An entry that was never written gives everything. */
static void
read_share(struct accel_model *model, unsigned int vf, unsigned int queue_pairs,
	   struct accel_hw_vf_resources *to)
{
	const struct accel_hw_vf_resources *table = accel_model_vf_table(model);

	read_entry(&table[vf], to);
	if (to->sequence != 0)
		return;
	*to = (struct accel_hw_vf_resources){
		.nb_queue_pairs = (uint16_t)queue_pairs,
		.weight = 1,
	};
	memset(to->algorithms, 0xff, sizeof(to->algorithms));
}

static void
write_share(struct accel_model *model, unsigned int vf, const struct accel_hw_vf_resources *share)
{
	struct accel_hw_vf_resources *to = accel_model_vf_table(model);
	uint32_t sequence = share->sequence + 1;

	to += vf;
	if (sequence == 0)
		sequence = 1; /* 0 marks an entry that was never written */
	__atomic_store_n(&to->nb_queue_pairs, share->nb_queue_pairs, __ATOMIC_RELAXED);
	__atomic_store_n(&to->weight, share->weight, __ATOMIC_RELAXED);
	__atomic_store_n(&to->ops_per_second, share->ops_per_second, __ATOMIC_RELAXED);
	__atomic_store_n(&to->bytes_per_second, share->bytes_per_second, __ATOMIC_RELAXED);
	for (size_t i = 0; i < SETS; i++)
		__atomic_store_n(&to->algorithms[i], share->algorithms[i], __ATOMIC_RELAXED);
	__atomic_store_n(&to->sequence, sequence, __ATOMIC_RELEASE);
}

/* The functions below parse the keys. */

static int
take_number(const struct change *c, const char *key, const char *value, uint64_t min, uint64_t max,
	    uint64_t *to)
{
	if (args_number(value, min, max, to) == 0)
		return 0;
	return refuse(c, "%s=%s is not a number from %" PRIu64 " to %" PRIu64, key, value, min,
		      max);
}

static int
take_queue_pairs(struct change *c, const char *value)
{
	struct accel_model_vf_mailbox mailbox;
	uint64_t nb;

	if (take_number(c, "queue-pairs", value, 0, UINT16_MAX, &nb) != 0)
		return -EINVAL;
	if (nb > c->queue_pairs)
		return refuse(c, "a function of this card has at most %u queue pairs",
			      c->queue_pairs);
	if (!accel_model_vf_mailbox(c->model, &mailbox) && nb == 0)
		return refuse(c, "on a card of contract 1.0 or 1.1 a function has a queue pair");
	if (nb > mailbox.queue_pairs)
		return refuse(c, "the card has %u queue pairs for all its virtual functions",
			      mailbox.queue_pairs);
	c->entry.nb_queue_pairs = (uint16_t)nb;
	return 0;
}

static int
take_weight(struct change *c, const char *value)
{
	struct accel_model_vf_mailbox mailbox;
	uint64_t weight;

	if (take_number(c, "weight", value, 1, UINT16_MAX, &weight) != 0)
		return -EINVAL;
	if (!accel_model_vf_mailbox(c->model, &mailbox))
		return refuse(c, "a card of contract 1.0 or 1.1 has no weights");
	c->entry.weight = (uint16_t)weight;
	return 0;
}

static int
take_peak_ops(struct change *c, const char *value)
{
	return take_number(c, "peak-ops", value, 0, 1000000000000, &c->entry.ops_per_second);
}

static int
take_peak_bytes(struct change *c, const char *value)
{
	return take_number(c, "peak-bytes", value, 0, 1000000000000000, &c->entry.bytes_per_second);
}

/* Takes a decimal number, and moves the text past it. A number above 64 * SETS becomes
 * 64 * SETS. */
static bool
take_algorithm(const char **text, unsigned int *number)
{
	unsigned long n;
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	n = strtoul(*text, &end, 10);
	*text = end;
	*number = n < 64 * SETS ? (unsigned int)n : 64 * SETS;
	return true;
}

/* Parses a name, a number, or a range of numbers as share_print() writes it. */
static bool
find_algorithms(const struct accel_model *model, const char *word, unsigned int *first,
		unsigned int *last)
{
	const char *rest = word;

	if (take_algorithm(&rest, first)) {
		*last = *first;
		if (*rest == '-') {
			rest++;
			if (!take_algorithm(&rest, last))
				return false;
		}
		if (*rest == '\0')
			return *first > 0 && *first <= *last && *last < 64 * SETS;
	}
	*first = accel_model_algorithm(model, word);
	*last = *first;
	return *first > 0 && *first < 64 * SETS;
}

static int
take_algorithms(struct change *c, const char *value)
{
	char list[SHARE_TEXT_MAX], *save = NULL;
	unsigned int first, last;

	if (strcmp(value, "all") == 0) {
		memset(c->entry.algorithms, 0xff, sizeof(c->entry.algorithms));
		return 0;
	}
	memset(c->entry.algorithms, 0, sizeof(c->entry.algorithms));
	snprintf(list, sizeof(list), "%s", value);
	for (char *word = strtok_r(list, ",", &save); word != NULL;
	     word = strtok_r(NULL, ",", &save)) {
		if (!find_algorithms(c->model, word, &first, &last))
			return refuse(c, "the card has no algorithm %s", word);
		for (unsigned int id = first; id <= last; id++)
			c->entry.algorithms[id / 64] |= UINT64_C(1) << (id % 64);
	}
	return value[0] != '\0' ? 0 : refuse(c, "algorithms= needs all, names or numbers");
}

static const struct {
	const char *name;
	int (*take)(struct change *c, const char *value);
} keys[] = {
	{ "queue-pairs=", take_queue_pairs },
	{ "weight=", take_weight },
	{ "peak-ops=", take_peak_ops },
	{ "peak-bytes=", take_peak_bytes },
	{ "algorithms=", take_algorithms },
};

#define NB_KEYS (sizeof(keys) / sizeof(keys[0]))

static int
take_word(struct change *c, const char *word)
{
	for (size_t i = 0; i < NB_KEYS; i++) {
		const size_t len = strlen(keys[i].name);

		if (strncmp(word, keys[i].name, len) == 0)
			return keys[i].take(c, word + len);
	}
	return refuse(c, "%s is none of " SHARE_KEYS, word);
}

int
share_change(struct accel_model *model, unsigned int vf, unsigned int queue_pairs, char *text,
	     char *why)
{
	struct change c = { .model = model, .queue_pairs = queue_pairs, .why = why };
	char *save = NULL, *word = strtok_r(text, " ", &save);
	int ret = 0;

	if (word == NULL)
		return refuse(&c, "nothing is named of " SHARE_KEYS);
	read_share(model, vf, queue_pairs, &c.entry);
	for (; word != NULL && ret == 0; word = strtok_r(NULL, " ", &save))
		ret = take_word(&c, word);
	if (ret == 0)
		write_share(model, vf, &c.entry);
	return ret;
}

/* The functions below print. */

__attribute__((format(printf, 2, 3))) static void
add(char *to, const char *format, ...)
{
	const size_t used = strlen(to);
	va_list ap;

	va_start(ap, format);
	vsnprintf(to + used, SHARE_TEXT_MAX - used, format, ap);
	va_end(ap);
}

static bool
is_in(const uint64_t *set, unsigned int id)
{
	return id < 64 * SETS && (set[id / 64] >> (id % 64) & 1) != 0;
}

/* Prints the numbers in a set, with ranges: 2,65-70. */
static void
add_algorithms(char *to, const uint64_t *set)
{
	const char *before = "";

	add(to, " algorithms=");
	if (is_in(set, 0) && (set[0] & set[1] & set[2] & set[3]) == UINT64_MAX) {
		add(to, "all");
		return;
	}
	for (unsigned int id = 1; id < 64 * SETS; id++) {
		const unsigned int first = id;

		if (!is_in(set, id))
			continue;
		while (is_in(set, id + 1))
			id++;
		add(to, "%s%u", before, first);
		if (first != id)
			add(to, "-%u", id);
		before = ",";
	}
}

static void
add_entry(char *to, const struct accel_hw_vf_resources *e)
{
	add(to, " queue-pairs=%u weight=%u peak-ops=%" PRIu64 " peak-bytes=%" PRIu64,
	    e->nb_queue_pairs, e->weight, e->ops_per_second, e->bytes_per_second);
	add_algorithms(to, e->algorithms);
}

void
share_print(struct accel_model *model, unsigned int vf, unsigned int queue_pairs, char *to)
{
#define NAME(id, text) [ACCEL_HW_VF_STATE(id)] = text,
	static const char *const states[] = { "absent", ACCEL_HW_STATE_NAMES(NAME) };
#undef NAME
	const unsigned int nb_states = sizeof(states) / sizeof(states[0]);
	struct accel_model_vf_mailbox mailbox;
	struct accel_hw_vf_resources entry;
	struct accel_hw_vf_status status;

	to[0] = '\0';
	read_share(model, vf, queue_pairs, &entry);
	add(to, "share%u", vf);
	add_entry(to, &entry);
	if (accel_model_vf_mailbox(model, &mailbox)) {
		const uint64_t *from = mailbox.status;
		const uint64_t word = __atomic_load_n(&from[vf * WORDS], __ATOMIC_ACQUIRE);

		memcpy(&status, &word, sizeof(word));
		add(to, " in_effect=%u has=%u state=%s", status.share_ack == entry.sequence,
		    status.queue_pairs,
		    status.vf_state < nb_states ? states[status.vf_state] : "unknown");
	}
	add(to, "\n");
}

/* Returns the number of the request that waits for an answer, or 0 if none waits. */
static uint32_t
waiting(const struct accel_model_vf_mailbox *mailbox, unsigned int vf)
{
	const struct accel_hw_vf_resources *requests = mailbox->requests;
	const struct accel_hw_vf_answer *answers = mailbox->answers;
	const uint32_t number = __atomic_load_n(&requests[vf].sequence, __ATOMIC_ACQUIRE);

	return number != __atomic_load_n(&answers[vf].answer, __ATOMIC_RELAXED) ? number : 0;
}

void
share_print_request(struct accel_model *model, unsigned int vf, char *to)
{
	struct accel_model_vf_mailbox mailbox;
	struct accel_hw_vf_resources entry;
	uint32_t number;

	to[0] = '\0';
	if (!accel_model_vf_mailbox(model, &mailbox))
		return;
	number = waiting(&mailbox, vf);
	if (number == 0)
		return;
	read_entry((const struct accel_hw_vf_resources *)mailbox.requests + vf, &entry);
	add(to, "request%u number=%" PRIu32, vf, number);
	add_entry(to, &entry);
	add(to, "\n");
}

int
share_answer(struct accel_model *model, unsigned int vf, const char *how)
{
	struct accel_model_vf_mailbox mailbox;
	struct accel_hw_vf_answer *to;
	uint32_t status, number;

	status = strcmp(how, "granted") == 0 ? ACCEL_HW_ANSWER_GRANTED :
		 strcmp(how, "refused") == 0 ? ACCEL_HW_ANSWER_REFUSED : 0;
	if (status == 0)
		return -EINVAL;
	if (!accel_model_vf_mailbox(model, &mailbox))
		return -ENOENT;
	number = waiting(&mailbox, vf);
	if (number == 0)
		return -ENOENT;
	to = (struct accel_hw_vf_answer *)mailbox.answers + vf;
	__atomic_store_n(&to->answer_status, status, __ATOMIC_RELAXED);
	__atomic_store_n(&to->answer, number, __ATOMIC_RELEASE);
	return 0;
}
