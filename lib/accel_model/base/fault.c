/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Fault injection: the list, and the text that describes it. See fault.h.
 */
#include <errno.h>
#include <string.h>

#include "accel_model.h"
#include "base/fault.h"

static const struct {
	const char *name;
	enum fault_kind kind;
} names[] = {
	{ "dead", FAULT_DEAD }, { "fatal", FAULT_FATAL },     { "stall", FAULT_STALL },
	{ "dma", FAULT_DMA },   { "status", FAULT_STATUS },   { "lost", FAULT_LOST },
	{ "hhp", FAULT_HHP },   { "corrupt", FAULT_CORRUPT }, { "entropy", FAULT_ENTROPY },
};

const char *
accel_model_fault_help(void)
{
	return "dead@N, fatal@N, stall@N, status:S@N, dma@N, lost@N, corrupt@N, hhp@N, "
	       "entropy@N, each with or without /K, joined by '+'; or none";
}

/* Set `armed` and `line` of the list, as its items and the counting ask for. */
static void
arm(struct fault_list *list, uint32_t line)
{
	store32(&list->armed, list->nb != 0 || list->counted);
	store32(&list->line, line | (list->counted ? FAULT_LINE_COUNTED : 0));
}

void
fault_init(struct fault_list *list, bool counted)
{
	memset(list, 0, sizeof(*list));
	pthread_mutex_init(&list->lock, NULL);
	list->counted = counted;
	arm(list, 0);
}

void
fault_fini(struct fault_list *list)
{
	pthread_mutex_destroy(&list->lock);
}

/* Reads a number of at least one decimal digit, without a sign and at most max, and moves the
 * cursor past it. */
static bool
parse_number(const char **text, uint64_t max, uint64_t *value)
{
	const char *p = *text;

	*value = 0;
	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		uint64_t digit = (uint64_t)(*p - '0');

		if (*value > (max - digit) / 10)
			return false;
		*value = *value * 10 + digit;
	}
	*text = p;
	return true;
}

static bool
parse_name(const char **text, struct fault_item *item)
{
	for (unsigned int i = 0; i < ARRAY_NB(names); i++) {
		size_t len = strlen(names[i].name);

		if (strncmp(*text, names[i].name, len) != 0)
			continue;
		item->kind = names[i].kind;
		*text += len;
		return true;
	}
	return false;
}

/* Parse an item: name [":" status] "@" number ["/" number]. */
static bool
parse_item(const char **text, struct fault_item *item)
{
	uint64_t status;

	memset(item, 0, sizeof(*item));
	if (!parse_name(text, item))
		return false;
	if (item->kind == FAULT_STATUS) {
		if (*(*text)++ != ':' || !parse_number(text, UINT16_MAX, &status))
			return false;
		item->status = (uint16_t)status;
	}
	if (*(*text)++ != '@' || !parse_number(text, UINT64_MAX / 4, &item->at) || item->at == 0)
		return false;
	if (**text != '/')
		return true;
	(*text)++;
	return parse_number(text, UINT64_MAX / 4, &item->every) && item->every != 0;
}

static void
clear(struct fault_list *list)
{
	pthread_mutex_lock(&list->lock);
	list->nb = 0;
	arm(list, 0);
	pthread_mutex_unlock(&list->lock);
}

int
fault_add(struct fault_list *list, const char *text)
{
	struct fault_item item[FAULT_ITEMS];
	unsigned int nb = 0;

	if (strcmp(text, "none") == 0) {
		clear(list);
		return 0;
	}
	do {
		if (nb == FAULT_ITEMS || !parse_item(&text, &item[nb]))
			return -EINVAL;
		nb++;
	} while (*text == '+' && *++text != '\0');
	if (*text != '\0' || text[-1] == '+')
		return -EINVAL;

	pthread_mutex_lock(&list->lock);
	if (nb > FAULT_ITEMS - list->nb) {
		pthread_mutex_unlock(&list->lock);
		return -EINVAL;
	}
	for (unsigned int i = 0; i < nb; i++) {
		item[i].at += list->ops;
		list->item[list->nb++] = item[i];
	}
	arm(list, list->line);
	pthread_mutex_unlock(&list->lock);
	return 0;
}

unsigned int
fault_take(struct fault_list *list, uint16_t *status)
{
	unsigned int met = 0;

	pthread_mutex_lock(&list->lock);
	list->ops++;
	for (unsigned int i = 0; i < list->nb;) {
		struct fault_item *item = &list->item[i];

		if (item->at != list->ops) {
			i++;
			continue;
		}
		met |= item->kind;
		if (item->kind == FAULT_STATUS)
			*status = item->status;
		if (item->every != 0)
			item->at += item->every;
		else
			*item = list->item[--list->nb];
	}
	arm(list, list->line | (met & FAULT_HHP ? FAULT_LINE_HHP : 0));
	pthread_mutex_unlock(&list->lock);
	return met;
}
