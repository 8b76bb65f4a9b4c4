/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes dumps of a device: see accel_dump.h. The device is not removed during a dump
 * (accel_stats_enter()), and queue pairs are not freed while they are read (accel_counters_lock()).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cryptodev_pmd.h>
#include <rte_cycles.h>

#include "accel_compat.h"
#include "accel_counters.h"
#include "accel_dev.h"
#include "accel_dump.h"
#include "accel_dump_state.h"
#include "accel_queue.h"
#include "accel_stats.h"
#include "rte_pmd_accel.h"

/* A working device changes its heartbeat within 100 ms (manual 4.4). */
#define WATCH_MS (3u * ACCEL_HW_HEARTBEAT_MAX_MS)
#define WATCH_POLL_US 1000u
#define WATCH_LEAST_MS 10u /* time for an application to dequeue, and for a device to respond */

/* Holds three numbers of a queue pair that move while the queue pair works. */
struct moving {
	bool known;
	uint32_t prod, cons, hhp;
};

/*
 * Holds a dump that is being made. The application's queue pairs count twice, each with its
 * companion. The driver's own queue pair comes last.
 */
struct dump {
	FILE *out; /* text, which is made in memory */
	char *text;
	size_t size;
	struct accel_dev *dev;
	void **queue_pairs;
	uint16_t nb_queue_pairs;
	struct moving before[ACCEL_DT_ALL_QPS];
	struct accel_dump_function function;
	/* These hold one queue pair at a time. */
	struct accel_dump_queue queue;
	struct accel_dump_failure failure;
	bool has_failure;
	bool trouble; /* some part that was written tells of trouble */
};

/* Returns the queue pair with this place in accel_devtree.qp, or NULL if it is not set up. */
static const struct accel_qp *
queue_at(const struct dump *d, unsigned int place)
{
	const struct accel_qp *qp;

	if (place == ACCEL_DT_OWN_QP)
		return d->dev->random;
	if (d->queue_pairs == NULL || place % ACCEL_DT_PK_QP >= d->nb_queue_pairs)
		return NULL;
	qp = d->queue_pairs[place % ACCEL_DT_PK_QP];
	return qp == NULL || place < ACCEL_DT_PK_QP ? qp : qp->companion;
}

static void
note_queues(struct dump *d)
{
	const struct accel_qp *qp;
	unsigned int i;

	accel_counters_lock(d->dev);
	for (i = 0; i < ACCEL_DT_ALL_QPS; i++) {
		qp = queue_at(d, i);
		if (qp == NULL)
			continue;
		d->before[i] = (struct moving){
			.known = true,
			.prod = accel_load_relaxed(&qp->prod),
			.cons = accel_load_relaxed(&qp->cons),
			.hhp = rte_le_to_cpu_32(qp->wb->rsp_hhp),
		};
	}
	accel_counters_unlock(d->dev);
}

/* Waits until the heartbeat has moved, or until a device that works would have moved it. */
static void
watch(struct dump *d)
{
	struct accel_dump_function *f = &d->function;
	uint64_t before;
	uint32_t ms = 0;

	accel_dump_function_read(d->dev, f);
	before = f->heartbeat;
	do {
		rte_delay_us_sleep(WATCH_POLL_US);
		ms++;
		accel_dump_function_read(d->dev, f);
	} while (ms < WATCH_LEAST_MS ||
		 (ms < WATCH_MS && !f->silent && !f->by_poll && f->heartbeat == before));
	if (f->silent || f->by_poll)
		return;
	f->watched = true;
	f->beats = f->heartbeat != before;
	f->still_ms = ms;
}

/* Begins a dump. Returns 0, -ENODEV or -ENOMEM. */
static int
dump_begin(uint8_t dev_id, struct dump **begun)
{
	const struct rte_cryptodev *cryptodev = accel_stats_enter(dev_id);
	struct dump *d;

	if (cryptodev == NULL)
		return -ENODEV;
	d = calloc(1, sizeof(*d));
	if (d != NULL)
		d->out = open_memstream(&d->text, &d->size);
	if (d == NULL || d->out == NULL) {
		free(d);
		accel_stats_leave();
		return -ENOMEM;
	}
	*begun = d;
	d->dev = cryptodev->data->dev_private;
	d->queue_pairs = cryptodev->data->queue_pairs;
	d->nb_queue_pairs = RTE_MIN(cryptodev->data->nb_queue_pairs, ACCEL_DT_MAX_QPS);
	note_queues(d);
	watch(d);
	return 0;
}

/* Ends a dump. The file is in memory, so its only error is -ENOMEM. */
static int
dump_end(struct dump *d, int error, char **text, bool *trouble)
{
	if (ferror(d->out) != 0)
		error = -ENOMEM;
	if (fclose(d->out) != 0)
		error = -ENOMEM;
	if (error == 0)
		*text = d->text;
	else
		free(d->text);
	*trouble = d->trouble;
	free(d);
	accel_stats_leave();
	return error;
}

static bool
read_queue(struct dump *d, unsigned int place)
{
	const struct moving *before = &d->before[place];
	const struct accel_qp *qp;

	accel_counters_lock(d->dev);
	qp = queue_at(d, place);
	if (qp != NULL) {
		accel_dump_queue_read(qp, &d->function, &d->queue);
		d->has_failure = accel_dump_failure_get(qp, &d->failure);
	}
	accel_counters_unlock(d->dev);
	if (qp == NULL)
		return false;
	d->queue.watched = before->known;
	d->queue.prod_before = before->prod;
	d->queue.cons_before = before->cons;
	d->queue.hhp_before = before->hhp;
	return true;
}

static bool
write_queue(struct dump *d, unsigned int place)
{
	uint64_t ago;

	if (!read_queue(d, place))
		return false;
	d->trouble |= accel_dump_text_queue(d->out, &d->function, &d->queue);
	if (!d->has_failure)
		return true;
	ago = rte_get_tsc_cycles() - d->failure.at;
	accel_dump_text_failure(d->out, &d->failure, ago / (rte_get_tsc_hz() / MS_PER_S + 1));
	return true;
}

int
accel_dump_function(uint8_t dev_id, bool queues, char **text, bool *trouble)
{
	struct dump *d;
	const int ret = dump_begin(dev_id, &d);
	unsigned int i;

	if (ret != 0)
		return ret;
	d->trouble = accel_dump_text_function(d->out, d->dev, &d->function);
	for (i = 0; queues && i < ACCEL_DT_ALL_QPS; i++)
		write_queue(d, i);
	return dump_end(d, 0, text, trouble);
}

int
accel_dump_queue(uint8_t dev_id, uint16_t qp_id, char **text, bool *trouble)
{
	struct dump *d;
	int ret;

	if (qp_id >= ACCEL_DT_MAX_QPS)
		return -EINVAL;
	ret = dump_begin(dev_id, &d);
	if (ret != 0)
		return ret;
	if (write_queue(d, qp_id))
		write_queue(d, ACCEL_DT_PK_QP + qp_id);
	else
		ret = -EINVAL;
	return dump_end(d, ret, text, trouble);
}

/* The file may be a pipe whose reader waits. The dump has released the device by then. */
RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_dump, 26.11)
int
rte_pmd_accel_dump(uint8_t dev_id, FILE *f)
{
	bool trouble;
	char *text;
	size_t len;
	int ret;

	if (f == NULL)
		return -EINVAL;
	ret = accel_dump_function(dev_id, true, &text, &trouble);
	if (ret != 0)
		return ret;
	len = strlen(text);
	if (fwrite(text, 1, len, f) != len || fflush(f) != 0)
		ret = -EIO;
	free(text);
	return ret;
}
