/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Answers /cryptodev/accel/dump,ID[,QP[,PAGE,NUMBER]] with a dump over the telemetry socket. An
 * answer of DPDK's telemetry has at most 16 KiB, so a dump of a queue pair has pages. The first
 * request makes the dump and keeps it under a number. Later requests name the page and the number.
 * Only the latest dump is kept. If another client has replaced a client's dump, the client gets an
 * error and begins again.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cryptodev_pmd.h>
#include <rte_cryptodev.h>
#include <rte_spinlock.h>
#include <rte_telemetry.h>

#include "accel_dump.h"
#include "accel_stats.h"
#include "accel_telemetry.h"

/*
 * The lines of a page have at most PAGE_BYTES bytes. JSON adds LINE_MORE bytes to a line, which
 * count, too.
 */
#define PAGE_BYTES 12000u
#define LINE_MORE 4u

static struct {
	rte_spinlock_t lock;
	unsigned int number;
	bool trouble;
	char *text;
} kept = { .lock = RTE_SPINLOCK_INITIALIZER };

/* Makes a dump and keeps it. Returns the number of the dump, or a negative errno. */
static int
make(const struct accel_tel_request *r)
{
	char *text, *old;
	unsigned int number;
	bool trouble;
	int ret;

	ret = r->nb > 1 ? accel_dump_queue(r->dev_id, r->number, &text, &trouble) :
			  accel_dump_function(r->dev_id, false, &text, &trouble);
	if (ret != 0)
		return ret;
	rte_spinlock_lock(&kept.lock);
	old = kept.text;
	kept.text = text;
	kept.trouble = trouble;
	kept.number = kept.number % ACCEL_TEL_DUMP_MAX + 1;
	number = kept.number;
	rte_spinlock_unlock(&kept.lock);
	free(old);
	return (int)number;
}

/*
 * Copies the text of the dump with a number. Returns NULL if a dump with another number is kept, or
 * none.
 */
static char *
copy_of(unsigned int number, bool *trouble)
{
	char *text = NULL;

	rte_spinlock_lock(&kept.lock);
	if (kept.text != NULL && kept.number == number)
		text = strdup(kept.text);
	*trouble = kept.trouble;
	rte_spinlock_unlock(&kept.lock);
	return text;
}

/* Adds the lines of a page. Returns the number of pages of the text. */
static unsigned int
add_lines(char *text, unsigned int page, struct rte_tel_data *lines)
{
	unsigned int at = 0;
	size_t used = 0, len;
	char *line, *rest = text;

	while ((line = strsep(&rest, "\n")) != NULL) {
		if (rest == NULL && *line == '\0')
			break;
		len = strlen(line) + LINE_MORE;
		if (used + len > PAGE_BYTES) {
			at++;
			used = 0;
		}
		used += len;
		if (at == page)
			rte_tel_data_add_array_string(lines, line);
	}
	return at + 1;
}

/* Adds the numbers of the queue pairs that are set up. */
static int
add_queues(uint8_t dev_id, struct rte_tel_data *d)
{
	struct rte_tel_data *list = rte_tel_data_alloc();
	const struct rte_cryptodev *cryptodev;
	uint16_t i;

	if (list == NULL)
		return -ENOMEM;
	rte_tel_data_start_array(list, RTE_TEL_INT_VAL);
	cryptodev = accel_stats_enter(dev_id);
	if (cryptodev == NULL) {
		rte_tel_data_free(list);
		return -ENODEV;
	}
	for (i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		if (cryptodev->data->queue_pairs[i] != NULL)
			rte_tel_data_add_array_int(list, i);
	}
	accel_stats_leave();
	return rte_tel_data_add_dict_container(d, "queue_pairs", list, 0);
}

static int
answer(const struct accel_tel_request *r, unsigned int number, struct rte_tel_data *d)
{
	struct rte_tel_data *lines = rte_tel_data_alloc();
	bool trouble;
	char *text = copy_of(number, &trouble);
	unsigned int pages;

	if (lines == NULL || text == NULL) {
		rte_tel_data_free(lines);
		free(text);
		return -EAGAIN;
	}
	rte_tel_data_start_array(lines, RTE_TEL_STRING_VAL);
	pages = add_lines(text, r->page, lines);
	free(text);
	if (r->page >= pages) {
		rte_tel_data_free(lines);
		return -ENOENT;
	}
	rte_tel_data_start_dict(d);
	rte_tel_data_add_dict_int(d, "dev_id", r->dev_id);
	if (r->nb > 1)
		rte_tel_data_add_dict_int(d, "qp", r->number);
	else
		add_queues(r->dev_id, d);
	rte_tel_data_add_dict_int(d, "trouble", trouble);
	rte_tel_data_add_dict_int(d, "number", (int)number);
	rte_tel_data_add_dict_int(d, "page", (int)r->page);
	rte_tel_data_add_dict_int(d, "pages", (int)pages);
	return rte_tel_data_add_dict_container(d, "lines", lines, 0);
}

int
accel_telemetry_dump(const struct accel_tel_request *request, struct rte_tel_data *d)
{
	const int number = request->nb == 4 ? (int)request->dump : make(request);

	return number < 0 ? number : answer(request, (unsigned int)number, d);
}
