/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes and runs the card: see card.h. Properties come first, then log lines, threads, and how the
 * card begins and ends.
 */
#include "qemu.h"

#include <openssl/crypto.h>
#include <poll.h>
#include <sched.h>

#include "qemu/cutils.h"

#include "card.h"

static bool
in_range(const char *name, uint32_t value, uint32_t min, uint32_t max, Error **errp)
{
	if (value >= min && value <= max)
		return true;
	error_setg(errp, "%s is a number from %u to %u", name, min, max);
	return false;
}

static bool
find_engine(const char *name, enum accel_model_engine *engine)
{
	static const char *const names[] = {
		[ACCEL_MODEL_ENGINE_AUTO] = "auto",
		[ACCEL_MODEL_ENGINE_IPSEC_MB] = "ipsec_mb",
		[ACCEL_MODEL_ENGINE_OPENSSL] = "openssl",
		[ACCEL_MODEL_ENGINE_NULL] = "null",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (name == NULL || strcmp(name, names[i]) == 0) {
			*engine = (enum accel_model_engine)i;
			return true;
		}
	}
	return false;
}

/* Parses one part of the list of CPUs: "4" or "4-5". */
static bool
take_cpus(const char *text, struct card *card)
{
	unsigned int first, last;
	const char *end;

	if (qemu_strtoui(text, &end, 10, &first) != 0)
		return false;
	last = first;
	if (*end == '-' && qemu_strtoui(end + 1, &end, 10, &last) != 0)
		return false;
	if (*end != '\0' || last < first || last >= CPU_SETSIZE)
		return false;
	for (; first <= last; first++) {
		if (card->nb_workers == ACCEL_MODEL_MAX_WORKERS)
			return false;
		card->worker[card->nb_workers++].cpu = (int)first;
	}
	return true;
}

/* Checks that this process may use the CPUs, before a thread fails on one of them. */
static bool
cpus_allowed(const struct card *card)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return true;
	for (unsigned int i = 0; i < card->nb_workers; i++) {
		if (card->worker[i].cpu >= 0 && !CPU_ISSET(card->worker[i].cpu, &allowed))
			return false;
	}
	return true;
}

static bool
take_workers(const struct card_options *options, struct card *card, Error **errp)
{
	g_auto(GStrv) parts = NULL;

	for (unsigned int i = 0; i < ACCEL_MODEL_MAX_WORKERS; i++)
		card->worker[i] = (struct card_worker){ .card = card, .index = i, .cpu = -1 };
	card->nb_workers = options->workers;
	if (options->cores == NULL)
		return true;
	card->nb_workers = 0;
	parts = g_strsplit(options->cores, ":", 0);
	for (unsigned int i = 0; parts[i] != NULL; i++) {
		if (!take_cpus(parts[i], card)) {
			error_setg(errp, "cores=%s is not a list of CPUs such as 2:4-5",
				   options->cores);
			return false;
		}
	}
	if (!cpus_allowed(card)) {
		error_setg(errp, "cores=%s has a CPU that does not exist or is not allowed",
			   options->cores);
		return false;
	}
	return true;
}

/* Writes a log line. A line that stderr does not take at once is left out, because the card stands
 * still while a line is written. */
static void
log_line(void *arg, enum accel_model_log_level level, const char *msg)
{
	static const char *const mark[] = { "error: ", "warning: ", "", "" };
	struct pollfd fd = { .fd = STDERR_FILENO, .events = POLLOUT };
	const struct card *card = arg;
	char line[512];
	int len;

	if (level > ACCEL_MODEL_LOG_WARNING && !card->verbose)
		return;
	len = snprintf(line, sizeof(line) - 1, "accel-pf: %s%s", mark[level], msg);
	len = MIN(len, (int)sizeof(line) - 2);
	line[len++] = '\n';
	if (poll(&fd, 1, 0) == 1 && write(STDERR_FILENO, line, len) < 0)
		return; /* this cannot be reported anywhere */
}

static void *
work(void *arg)
{
	const struct card_worker *w = arg;
	int ret = accel_model_worker_run(w->card->model, w->index, w->cpu);

	if (ret != 0)
		log_line(w->card, ACCEL_MODEL_LOG_ERR, "a thread of the card has ended");
	return NULL;
}

/* Runs a public-key engine on the CPU of a worker. It gets the time that the worker leaves. */
static void *
run_engine(void *arg)
{
	const struct card_worker *w = arg;

	if (accel_model_pk_run(w->card->model, w->cpu, w->cpu >= 0) != 0)
		log_line(w->card, ACCEL_MODEL_LOG_ERR,
			 "a thread of the card for public keys has ended");
	return NULL;
}

/* Lists the cards that run. QEMU's big lock guards the list. */
static QLIST_HEAD(, card) running = QLIST_HEAD_INITIALIZER(running);

/* Stops all cards at the end of QEMU, which does not unrealize its devices. A thread that still
 * computed then would find OpenSSL gone. */
static void
stop_all(void)
{
	while (!QLIST_EMPTY(&running))
		card_stop(QLIST_FIRST(&running));
}

/* Registers stop_all() to be called at exit. What is registered last is called first, so OpenSSL
 * has to be initialised before. */
static void
stop_at_exit(void)
{
	static bool registered;

	if (registered)
		return;
	OPENSSL_init_crypto(0, NULL);
	registered = atexit(stop_all) == 0;
}

void
card_run(struct card *card)
{
	stop_at_exit();
	QLIST_INSERT_HEAD(&running, card, next);
	for (; card->nb_threads < card->nb_workers; card->nb_threads++) {
		struct card_worker *w = &card->worker[card->nb_threads];

		qemu_thread_create(&w->thread, "accel", work, w, QEMU_THREAD_JOINABLE);
		qemu_thread_create(&w->engine, "accel-pk", run_engine, w, QEMU_THREAD_JOINABLE);
	}
}

void
card_stop(struct card *card)
{
	if (QLIST_IS_INSERTED(card, next))
		QLIST_SAFE_REMOVE(card, next);
	accel_model_stop(card->model);
	while (card->nb_threads > 0) {
		card->nb_threads--;
		qemu_thread_join(&card->worker[card->nb_threads].thread);
		qemu_thread_join(&card->worker[card->nb_threads].engine);
	}
}

static bool
make_model(const struct card_options *options, struct card *card, Error **errp)
{
	struct accel_model_config config = {
		.nb_functions = options->vfs + 1,
		.nb_queue_pairs = options->queue_pairs,
		.nb_workers = card->nb_workers,
		.peak_ops = options->peak_ops,
		.peak_bytes = options->peak_bytes,
		.ctx_cache = options->ctx_cache,
		.idle_us = options->idle_us,
		.pk_share = options->pk_share,
		.serial = options->serial,
		.posted_writes = options->posted_writes,
		.share_cpu = options->cores == NULL,
		.faults = options->faults,
		.log = log_line,
		.log_arg = card,
	};
	int ret;

	if (!find_engine(options->engine, &config.engine)) {
		error_setg(errp, "engine=%s is not auto, ipsec_mb, openssl or null",
			   options->engine);
		return false;
	}
	ret = accel_model_create(&config, &card->model);
	if (ret == -ENOTSUP)
		error_setg(errp, "this CPU cannot run engine=%s", options->engine);
	else if (ret == -EINVAL && options->faults != NULL)
		error_setg(errp, "faults=%s: an item is %s", options->faults,
			   accel_model_fault_help());
	else if (ret != 0)
		error_setg_errno(errp, -ret, "cannot create the card");
	return ret == 0;
}

struct card *
card_create(const struct card_options *options, Error **errp)
{
	struct card *card;

	if (!in_range("vfs", options->vfs, 0, CARD_VFS_MAX, errp) ||
	    !in_range("queue-pairs", options->queue_pairs, 1, ACCEL_MODEL_MAX_QUEUE_PAIRS, errp) ||
	    !in_range("workers", options->workers, 1, ACCEL_MODEL_MAX_WORKERS, errp))
		return NULL;
	card = g_new0(struct card, 1);
	card->users = 1;
	card->verbose = options->verbose;
	if (take_workers(options, card, errp) && make_model(options, card, errp))
		return card;
	g_free(card);
	return NULL;
}

struct card *
card_get(struct card *card)
{
	card->users++;
	return card;
}

void
card_put(struct card *card)
{
	if (card == NULL || --card->users > 0)
		return;
	card_stop(card);
	accel_model_destroy(card->model);
	g_free(card);
}
