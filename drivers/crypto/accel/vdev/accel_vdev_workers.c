/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs the threads of the embedded device: see accel_vdev_workers.h.
 */

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_lcore.h>
#include <rte_thread.h>

#include <accel_model.h>

#include "accel_compat.h"
#include "accel_logs.h"
#include "accel_thread.h"
#include "accel_vdev_args.h"
#include "accel_vdev_workers.h"

#define VDEV_READY_MAX_MS 5000u /* time limit for a new thread to get a CPU */
#define VDEV_POLL_US 50u

enum worker_state {
	WORKER_NEW = 0,
	WORKER_READY, /* the thread waits for the model */
	WORKER_FAILED, /* the thread could not be bound to its CPU */
};

enum gate_state {
	GATE_SHUT = 0,
	GATE_RUN,
	GATE_LEAVE,
};

/* Binds the thread, and waits for the model. Returns false if the thread shall end. */
static bool
enter_gate(struct accel_vdev_worker *worker)
{
	struct accel_vdev_workers *workers = worker->all;
	uint32_t gate;
	int ret = 0;

	if (worker->cpu >= 0) {
		CPU_ZERO(&worker->cpuset);
		CPU_SET(worker->cpu, &worker->cpuset);
		ret = rte_thread_set_affinity(&worker->cpuset);
	} else {
		rte_thread_get_affinity(&worker->cpuset);
	}
	accel_store_release(&worker->state, ret == 0 ? WORKER_READY : WORKER_FAILED);

	while ((gate = accel_load_acquire(&workers->gate)) == GATE_SHUT)
		rte_delay_us_sleep(VDEV_POLL_US);
	/*
	 * If lcores use all CPUs, the thread may run on any of them, so the scheduler can choose
	 * the lcore that yields.
	 */
	if (workers->share_cpu && worker->cpu < 0)
		rte_thread_set_affinity(&workers->all_cpus);
	return gate == GATE_RUN;
}

static accel_thread_ret_t
worker_main(void *arg)
{
	struct accel_vdev_worker *worker = arg;

	if (enter_gate(worker))
		accel_model_worker_run(worker->all->model, worker->index, -1);
	return ACCEL_THREAD_RET;
}

/*
 * Runs a public-key engine. An engine without a CPU of its own uses the time that workers leave on
 * their CPUs. It may run on any of these CPUs, because a busy worker leaves no time on its own. If
 * lcores use the CPUs, too, the engine competes as other threads do, because an lcore that polls
 * leaves no time either.
 */
static accel_thread_ret_t
engine_main(void *arg)
{
	struct accel_vdev_worker *engine = arg;
	struct accel_vdev_workers *workers = engine->all;
	const bool behind = !workers->own_cpus && !workers->share_cpu;

	if (!enter_gate(engine))
		return ACCEL_THREAD_RET;
	if (behind && CPU_COUNT(&workers->bound) > 0)
		rte_thread_set_affinity(&workers->bound);
	if (accel_model_pk_run(workers->model, -1, behind) != 0)
		accel_model_pk_run(workers->model, -1, false);
	return ACCEL_THREAD_RET;
}

static int
worker_wait_ready(const struct accel_vdev_worker *worker)
{
	unsigned int us = 0;
	uint32_t state;

	while ((state = accel_load_acquire(&worker->state)) == WORKER_NEW) {
		if (us > VDEV_READY_MAX_MS * US_PER_S / MS_PER_S)
			return -ETIMEDOUT;
		rte_delay_us_sleep(VDEV_POLL_US);
		us += VDEV_POLL_US;
	}
	if (state == WORKER_READY)
		return 0;
	return ACCEL_REFUSE(-EINVAL, "%s: its thread may not run on CPU %d", worker->all->name,
			    worker->cpu);
}

static int
create_thread(struct accel_vdev_workers *workers, struct accel_vdev_worker *worker,
	      unsigned int *nb, const char *what, int cpu,
	      accel_thread_ret_t (*body)(void *))
{
	char thread[16];
	int ret;

	worker->all = workers;
	worker->index = *nb;
	worker->cpu = cpu;
	snprintf(thread, sizeof(thread), "%s-%u", what, worker->index);
	ret = accel_thread_create(&worker->thread, thread, body, worker);
	if (ret != 0)
		return ACCEL_REFUSE(ret, "%s: cannot create a thread: %s", workers->name,
				    strerror(-ret));
	(*nb)++;
	return worker_wait_ready(worker);
}

int
accel_vdev_workers_create(struct accel_vdev_workers *workers, const char *name,
			  const struct accel_vdev_args *args)
{
	const unsigned int nb_engines =
		args->contract_minor < 4 ? 0 :
		args->nb_engines != 0 ? args->nb_engines : args->nb_workers;
	int ret = 0;

	workers->name = name;
	workers->own_cpus = args->nb_engines != 0;
	if (args->is_inline)
		return 0;
	CPU_ZERO(&workers->bound);
	while (workers->nb < args->nb_workers && ret == 0) {
		const int cpu = args->cpu[workers->nb];

		if (cpu >= 0)
			CPU_SET(cpu, &workers->bound);
		ret = create_thread(workers, &workers->worker[workers->nb], &workers->nb,
				    "accel", cpu, worker_main);
	}
	while (workers->nb_engines < nb_engines && ret == 0)
		ret = create_thread(workers, &workers->engine[workers->nb_engines],
				    &workers->nb_engines, "accel-pk",
				    args->engine_cpu[workers->nb_engines], engine_main);
	return ret;
}

/* Collects the CPUs of all lcores, which poll and never sleep. */
static void
lcore_cpus(rte_cpuset_t *set)
{
	rte_cpuset_t cpus;
	unsigned int lcore;

	CPU_ZERO(set);
	for (lcore = 0; lcore < RTE_MAX_LCORE; lcore++) {
		if (!rte_lcore_has_role(lcore, ROLE_RTE) &&
		    !rte_lcore_has_role(lcore, ROLE_SERVICE))
			continue;
		cpus = rte_lcore_cpuset(lcore);
		CPU_OR(set, set, &cpus);
	}
}

void
accel_vdev_workers_find_cpus(struct accel_vdev_workers *workers, unsigned int nb_others)
{
	unsigned int i, cpu, nb_free = 0, nb_unbound = 0;
	rte_cpuset_t busy;

	lcore_cpus(&busy);
	workers->all_cpus = busy;
	for (i = 0; i < workers->nb; i++) {
		if (workers->worker[i].cpu < 0) {
			CPU_OR(&workers->all_cpus, &workers->all_cpus, &workers->worker[i].cpuset);
			nb_unbound++;
			continue;
		}
		if (CPU_ISSET(workers->worker[i].cpu, &busy)) {
			workers->share_cpu = true;
			return;
		}
		CPU_SET(workers->worker[i].cpu, &busy);
	}
	if (nb_unbound == 0)
		return;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		nb_free += CPU_ISSET(cpu, &workers->worker[0].cpuset) && !CPU_ISSET(cpu, &busy);
	workers->share_cpu = nb_unbound + nb_others > nb_free;
}

void
accel_vdev_workers_run(struct accel_vdev_workers *workers, struct accel_model *model)
{
	workers->model = model;
	accel_store_release(&workers->gate, GATE_RUN);
}

void
accel_vdev_workers_join(struct accel_vdev_workers *workers)
{
	if (accel_load_relaxed(&workers->gate) == GATE_SHUT)
		accel_store_release(&workers->gate, GATE_LEAVE);
	while (workers->nb != 0)
		accel_thread_join(workers->worker[--workers->nb].thread);
	while (workers->nb_engines != 0)
		accel_thread_join(workers->engine[--workers->nb_engines].thread);
}
