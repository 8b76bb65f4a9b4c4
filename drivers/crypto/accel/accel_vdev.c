/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Transport of the embedded device, --vdev crypto_accel0: builds a card out of the reference model
 * inside this process, gives it CPUs and the process's DMA memory. The only file of the driver that
 * knows the model.
 */

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/queue.h>

#include <bus_vdev_driver.h>
#include <rte_cycles.h>
#include <rte_eal_memconfig.h>
#include <rte_errno.h>
#include <rte_memory.h>
#include <rte_string_fns.h>

#include <accel_model.h>

#include "accel_logs.h"
#include "accel_probe.h"
#include "accel_vdev_args.h"
#include "accel_vdev_mp.h"

#define VDEV_DMA_RIGHTS (ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE)
#define VDEV_READY_MAX_MS 5000u /* for a thread to get its first time on a CPU */
#define VDEV_POLL_US 50u

static_assert(ACCEL_VDEV_MAX_WORKERS == ACCEL_MODEL_MAX_WORKERS &&
	      ACCEL_VDEV_MAX_QUEUE_PAIRS == ACCEL_MODEL_MAX_QUEUE_PAIRS, "bounds of the devargs");

struct accel_vdev;

/* A thread of the device. */
struct vdev_worker {
	struct accel_vdev *vdev;
	unsigned int index;
	int cpu;
	accel_thread_t thread;
	rte_cpuset_t cpuset; /* where it may run */
	ACCEL_ATOMIC(uint32_t) state; /* enum worker_state */
};

enum worker_state {
	WORKER_NEW = 0,
	WORKER_READY, /* waits for the model */
	WORKER_FAILED, /* could not be bound to its CPU */
};

enum gate_state {
	GATE_SHUT = 0,
	GATE_RUN,
	GATE_LEAVE,
};

/* Memory that the application gave to rte_dev_dma_map(). */
struct vdev_extmem {
	LIST_ENTRY(vdev_extmem) next;
	void *va;
	uint64_t iova;
	uint64_t len;
};

struct accel_vdev {
	TAILQ_ENTRY(accel_vdev) next;
	struct rte_vdev_device *bus_dev;
	struct rte_cryptodev *cryptodev;
	struct accel_model *model;
	struct accel_function *fn;
	char name[RTE_CRYPTODEV_NAME_MAX_LEN];
	uint8_t *bar; /* the driver's view of BAR0 */
	size_t bar_size;
	int bar_fd;
	bool bar_mapped; /* for this and other processes, else it is the model's */

	ACCEL_ATOMIC(uint32_t) gate; /* enum gate_state */
	bool share_cpu;
	rte_cpuset_t all_cpus; /* of threads that are not bound and of lcores */
	unsigned int nb_workers; /* of the model */
	unsigned int nb_threads;
	struct vdev_worker worker[ACCEL_MODEL_MAX_WORKERS];

	/* DMA. Order of locks: EAL's memory lock, then this one. */
	rte_spinlock_t dma_lock;
	bool isolated;
	bool mem_events;
	char mem_event_name[RTE_CRYPTODEV_NAME_MAX_LEN + 8];
	LIST_HEAD(, vdev_extmem) extmem;
};

static TAILQ_HEAD(, accel_vdev) vdev_list = TAILQ_HEAD_INITIALIZER(vdev_list);
static rte_spinlock_t vdev_list_lock = RTE_SPINLOCK_INITIALIZER;
/* Held while a device does something for another process, so that it does not go meanwhile. */
static rte_spinlock_t vdev_mp_lock = RTE_SPINLOCK_INITIALIZER;

/*
 * DMA: the device reaches what is mapped and nothing else, as behind an IOMMU.
 */

/* Neighbours in both address spaces are one entry. */
struct dma_run {
	struct accel_vdev *vdev;
	bool map; /* else unmap */
	uint64_t iova;
	uint64_t va;
	uint64_t len;
	int error; /* the first one */
};

static void
dma_run_flush(struct dma_run *run)
{
	int ret;

	if (run->len == 0)
		return;
	if (run->map)
		ret = accel_function_dma_map(run->vdev->fn, run->iova, (void *)(uintptr_t)run->va,
					     run->len, VDEV_DMA_RIGHTS);
	else
		ret = accel_function_dma_unmap(run->vdev->fn, run->iova, run->len);
	if (ret != 0) {
		ACCEL_LOG(ERR, "%s: cannot %s %" PRIu64 " bytes at IOVA 0x%" PRIx64 ": %s",
			  run->vdev->name, run->map ? "map" : "unmap", run->len, run->iova,
			  strerror(-ret));
		if (run->error == 0)
			run->error = ret;
	}
	run->len = 0;
}

static void
dma_run_add(struct dma_run *run, const struct rte_memseg *ms)
{
	if (ms->iova == RTE_BAD_IOVA || ms->len == 0)
		return;
	if (run->len != 0 && run->iova + run->len == ms->iova &&
	    run->va + run->len == ms->addr_64) {
		run->len += ms->len;
		return;
	}
	dma_run_flush(run);
	run->iova = ms->iova;
	run->va = ms->addr_64;
	run->len = ms->len;
}

static int
dma_walk(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	/* Memory that is not a heap is mapped by the application, with rte_dev_dma_map(). */
	if (!msl->external || msl->heap)
		dma_run_add(arg, ms);
	return 0;
}

/* Map all there is. The caller holds EAL's memory lock and ours. */
static int
dma_map_all(struct accel_vdev *vdev)
{
	struct dma_run run = { .vdev = vdev, .map = true };
	struct vdev_extmem *ext;
	int ret;

	rte_memseg_walk_thread_unsafe(dma_walk, &run);
	dma_run_flush(&run);
	LIST_FOREACH(ext, &vdev->extmem, next) {
		ret = accel_function_dma_map(vdev->fn, ext->iova, ext->va, ext->len,
					     VDEV_DMA_RIGHTS);
		if (ret != 0 && run.error == 0)
			run.error = ret;
	}
	return run.error;
}

/* Memory comes, or is about to go. Called with EAL's memory lock held. */
static void
dma_mem_event(enum rte_mem_event type, const void *addr, size_t len, void *arg)
{
	struct accel_vdev *vdev = arg;
	struct dma_run run = { .vdev = vdev, .map = type == RTE_MEM_EVENT_ALLOC };
	const struct rte_memseg_list *msl = rte_mem_virt2memseg_list(addr);
	const struct rte_memseg *ms;
	size_t done;

	if (msl == NULL || (msl->external && !msl->heap))
		return;
	rte_spinlock_lock(&vdev->dma_lock);
	ms = vdev->isolated ? NULL : rte_mem_virt2memseg(addr, msl);
	for (done = 0; ms != NULL && done < len; done += ms->len, ms++)
		dma_run_add(&run, ms);
	dma_run_flush(&run);
	rte_spinlock_unlock(&vdev->dma_lock);
}

static int
dma_start(struct accel_vdev *vdev)
{
	int ret;

	/* Registering first, under the lock, leaves no gap between the walk and the first event. */
	rte_mcfg_mem_read_lock();
	snprintf(vdev->mem_event_name, sizeof(vdev->mem_event_name), "accel_%s", vdev->name);
	ret = rte_mem_event_callback_register(vdev->mem_event_name, dma_mem_event, vdev);
	if (ret == 0)
		vdev->mem_events = true;
	else if (rte_errno == ENOTSUP) /* memory is static */
		ret = 0;
	else
		ret = -rte_errno;
	if (ret == 0) {
		rte_spinlock_lock(&vdev->dma_lock);
		ret = dma_map_all(vdev);
		rte_spinlock_unlock(&vdev->dma_lock);
	}
	rte_mcfg_mem_read_unlock();
	if (ret != 0)
		ACCEL_LOG(ERR, "%s: cannot map the process's memory: %s", vdev->name,
			  strerror(-ret));
	return ret;
}

static void
dma_stop(struct accel_vdev *vdev)
{
	struct vdev_extmem *ext;

	if (vdev->mem_events)
		rte_mem_event_callback_unregister(vdev->mem_event_name, vdev);
	vdev->mem_events = false;
	while ((ext = LIST_FIRST(&vdev->extmem)) != NULL) {
		LIST_REMOVE(ext, next);
		free(ext);
	}
}

static struct accel_vdev *
vdev_find(const struct rte_vdev_device *bus_dev)
{
	struct accel_vdev *vdev;

	rte_spinlock_lock(&vdev_list_lock);
	TAILQ_FOREACH(vdev, &vdev_list, next) {
		if (vdev->bus_dev == bus_dev)
			break;
	}
	rte_spinlock_unlock(&vdev_list_lock);
	return vdev;
}

static int
vdev_dma_map(struct rte_vdev_device *bus_dev, void *addr, uint64_t iova, size_t len)
{
	struct accel_vdev *vdev = vdev_find(bus_dev);
	struct vdev_extmem *ext;
	int ret;

	ext = vdev != NULL ? malloc(sizeof(*ext)) : NULL;
	if (ext == NULL) {
		rte_errno = vdev == NULL ? ENODEV : ENOMEM;
		return -1;
	}
	ext->va = addr;
	ext->iova = iova;
	ext->len = len;
	rte_spinlock_lock(&vdev->dma_lock);
	ret = vdev->isolated ? 0 :
			       accel_function_dma_map(vdev->fn, iova, addr, len,
						      VDEV_DMA_RIGHTS);
	if (ret == 0)
		LIST_INSERT_HEAD(&vdev->extmem, ext, next);
	rte_spinlock_unlock(&vdev->dma_lock);
	if (ret == 0)
		return 0;
	free(ext);
	rte_errno = -ret;
	return -1;
}

static int
vdev_dma_unmap(struct rte_vdev_device *bus_dev, void *addr, uint64_t iova, size_t len)
{
	struct accel_vdev *vdev = vdev_find(bus_dev);
	struct vdev_extmem *ext;
	int ret = -EINVAL;

	if (vdev == NULL) {
		rte_errno = ENODEV;
		return -1;
	}
	rte_spinlock_lock(&vdev->dma_lock);
	LIST_FOREACH(ext, &vdev->extmem, next) {
		if (ext->va == addr && ext->iova == iova && ext->len == len)
			break;
	}
	if (ext != NULL) {
		ret = vdev->isolated ? 0 : accel_function_dma_unmap(vdev->fn, iova, len);
		LIST_REMOVE(ext, next);
	}
	rte_spinlock_unlock(&vdev->dma_lock);
	free(ext);
	if (ret == 0)
		return 0;
	rte_errno = -ret;
	return -1;
}

/*
 * Transport.
 */

static void
dma_isolate(struct accel_vdev *vdev)
{
	rte_spinlock_lock(&vdev->dma_lock);
	vdev->isolated = true; /* memory that comes from now on is not mapped either */
	accel_function_dma_unmap_all(vdev->fn);
	rte_spinlock_unlock(&vdev->dma_lock);
}

static int
dma_revive(struct accel_vdev *vdev)
{
	int ret;

	accel_function_flr(vdev->fn);
	rte_mcfg_mem_read_lock();
	rte_spinlock_lock(&vdev->dma_lock);
	accel_function_dma_unmap_all(vdev->fn);
	ret = dma_map_all(vdev);
	vdev->isolated = ret != 0;
	if (ret != 0)
		accel_function_dma_unmap_all(vdev->fn);
	rte_spinlock_unlock(&vdev->dma_lock);
	rte_mcfg_mem_read_unlock();
	return ret;
}

static void
vdev_isolate(struct accel_dev *dev)
{
	dma_isolate(accel_transport_data(dev));
}

static int
vdev_revive(struct accel_dev *dev)
{
	return dma_revive(accel_transport_data(dev));
}

static unsigned int
vdev_poll_workers(struct accel_vdev *vdev)
{
	unsigned int i, n = 0;

	for (i = 0; i < vdev->nb_workers; i++)
		n += accel_model_worker_poll(vdev->model, i);
	return n;
}

static void
vdev_relax_inline(struct accel_dev *dev)
{
	vdev_poll_workers(accel_transport_data(dev));
}

/* The caller has the CPU that the device needs: does the work of the round itself, unless a thread
 * of the device was interrupted in one, which then must go on. */
static void
vdev_relax_shared(struct accel_dev *dev)
{
	if (vdev_poll_workers(accel_transport_data(dev)) == 0)
		sched_yield();
}

static int
vdev_poll(struct accel_dev *dev)
{
	return (int)vdev_poll_workers(accel_transport_data(dev));
}

static int
model_fault(struct accel_vdev *vdev, const char *faults)
{
	int ret = accel_model_fault(vdev->model, faults);

	if (ret != 0)
		ACCEL_LOG(ERR, "%s: faults \"%s\" are not of the form %s", vdev->name, faults,
			  accel_model_fault_help());
	return ret;
}

static int
vdev_fault(struct accel_dev *dev, const char *faults)
{
	return model_fault(accel_transport_data(dev), faults);
}

#define VDEV_TRANSPORT(relax_)                                                                     \
	{                                                                                          \
		.name = "vdev", .isolate = vdev_isolate, .revive = vdev_revive, .relax = relax_,   \
		.poll = vdev_poll, .fault = vdev_fault                                             \
	}

/* With CPUs of its own, without any thread, with a thread on a CPU that lcores use. */
static const struct accel_transport vdev_transport = VDEV_TRANSPORT(NULL);
static const struct accel_transport vdev_transport_inline = VDEV_TRANSPORT(vdev_relax_inline);
static const struct accel_transport vdev_transport_shared = VDEV_TRANSPORT(vdev_relax_shared);

/*
 * For other processes.
 */

static struct accel_vdev *
vdev_find_name(const char *name)
{
	struct accel_vdev *vdev;

	rte_spinlock_lock(&vdev_list_lock);
	TAILQ_FOREACH(vdev, &vdev_list, next) {
		if (strcmp(rte_vdev_device_name(vdev->bus_dev), name) == 0)
			break;
	}
	rte_spinlock_unlock(&vdev_list_lock);
	return vdev;
}

static int
mp_share(const char *name, struct accel_vdev_share *share, int *fd)
{
	struct accel_vdev *vdev;
	int ret = -ENODEV;

	rte_spinlock_lock(&vdev_mp_lock);
	vdev = vdev_find_name(name);
	if (vdev != NULL)
		ret = vdev->nb_threads != 0 && vdev->bar_mapped ? 0 : -ENOTSUP;
	if (ret == 0) {
		strlcpy(share->name, vdev->name, sizeof(share->name));
		share->bar = (uintptr_t)vdev->bar;
		share->bar_size = vdev->bar_size;
		share->share_cpu = vdev->share_cpu;
		*fd = vdev->bar_fd;
	}
	rte_spinlock_unlock(&vdev_mp_lock);
	return ret;
}

static int
mp_isolate(const char *name)
{
	struct accel_vdev *vdev;

	rte_spinlock_lock(&vdev_mp_lock);
	vdev = vdev_find_name(name);
	if (vdev != NULL)
		dma_isolate(vdev);
	rte_spinlock_unlock(&vdev_mp_lock);
	return vdev != NULL ? 0 : -ENODEV;
}

static int
mp_revive(const char *name)
{
	struct accel_vdev *vdev;
	int ret = -ENODEV;

	rte_spinlock_lock(&vdev_mp_lock);
	vdev = vdev_find_name(name);
	if (vdev != NULL)
		ret = dma_revive(vdev);
	rte_spinlock_unlock(&vdev_mp_lock);
	return ret;
}

static int
mp_fault(const char *name, const char *faults)
{
	struct accel_vdev *vdev;
	int ret = -ENODEV;

	rte_spinlock_lock(&vdev_mp_lock);
	vdev = vdev_find_name(name);
	if (vdev != NULL)
		ret = model_fault(vdev, faults);
	rte_spinlock_unlock(&vdev_mp_lock);
	return ret;
}

static const struct accel_vdev_mp_ops vdev_mp_ops = {
	.share = mp_share,
	.isolate = mp_isolate,
	.revive = mp_revive,
	.fault = mp_fault,
};

/*
 * Threads. They exist before the model, since only they know which CPUs they may use, and wait at a
 * gate until it is there.
 */

static accel_thread_ret_t
worker_main(void *arg)
{
	struct vdev_worker *worker = arg;
	struct accel_vdev *vdev = worker->vdev;
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

	while ((gate = accel_load_acquire(&vdev->gate)) == GATE_SHUT)
		rte_delay_us_sleep(VDEV_POLL_US);
	/* Where lcores are everywhere, the scheduler finds the one that yields. */
	if (vdev->share_cpu && worker->cpu < 0)
		rte_thread_set_affinity(&vdev->all_cpus);
	if (gate == GATE_RUN)
		accel_model_worker_run(vdev->model, worker->index, -1);
	return ACCEL_THREAD_RET;
}

static int
worker_wait_ready(const struct vdev_worker *worker)
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
	ACCEL_LOG(ERR, "%s: its thread may not run on CPU %d", worker->vdev->name, worker->cpu);
	return -EINVAL;
}

static int
workers_create(struct accel_vdev *vdev, const struct accel_vdev_args *args)
{
	struct vdev_worker *worker;
	char name[16];
	int ret;

	if (args->is_inline)
		return 0;
	while (vdev->nb_threads < args->nb_workers) {
		worker = &vdev->worker[vdev->nb_threads];
		worker->vdev = vdev;
		worker->index = vdev->nb_threads;
		worker->cpu = args->cpu[worker->index];
		snprintf(name, sizeof(name), "accel-dev-%u", worker->index);
		ret = accel_thread_create(&worker->thread, name, worker_main, worker);
		if (ret != 0) {
			ACCEL_LOG(ERR, "%s: cannot create a thread: %s", vdev->name,
				  strerror(-ret));
			return ret;
		}
		vdev->nb_threads++;
		ret = worker_wait_ready(worker);
		if (ret != 0)
			return ret;
	}
	return 0;
}

static void
workers_join(struct accel_vdev *vdev)
{
	if (accel_load_relaxed(&vdev->gate) == GATE_SHUT)
		accel_store_release(&vdev->gate, GATE_LEAVE);
	while (vdev->nb_threads != 0)
		accel_thread_join(vdev->worker[--vdev->nb_threads].thread);
}

/* The CPUs of all lcores, which poll and never sleep. */
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

/* Is there a CPU without lcore and without another device's thread for each of our threads? */
static bool
workers_share_cpu(struct accel_vdev *vdev)
{
	unsigned int i, cpu, nb_free = 0, wanted = 0;
	const struct accel_vdev *other;
	rte_cpuset_t busy;

	lcore_cpus(&busy);
	vdev->all_cpus = busy;
	for (i = 0; i < vdev->nb_threads; i++) {
		if (vdev->worker[i].cpu < 0) {
			CPU_OR(&vdev->all_cpus, &vdev->all_cpus, &vdev->worker[i].cpuset);
			wanted++;
			continue;
		}
		if (CPU_ISSET(vdev->worker[i].cpu, &busy))
			return true;
		CPU_SET(vdev->worker[i].cpu, &busy);
	}
	if (wanted == 0)
		return false;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		nb_free += CPU_ISSET(cpu, &vdev->worker[0].cpuset) && !CPU_ISSET(cpu, &busy);
	rte_spinlock_lock(&vdev_list_lock);
	TAILQ_FOREACH(other, &vdev_list, next)
		wanted += other->nb_threads;
	rte_spinlock_unlock(&vdev_list_lock);
	return wanted > nb_free;
}

/*
 * Probe and remove.
 */

static void
vdev_log(void *arg, enum accel_model_log_level level, const char *msg)
{
	const struct accel_vdev *vdev = arg;

	switch (level) {
	case ACCEL_MODEL_LOG_ERR:
		ACCEL_LOG(ERR, "%s: device: %s", vdev->name, msg);
		break;
	case ACCEL_MODEL_LOG_WARNING:
		ACCEL_LOG(WARNING, "%s: device: %s", vdev->name, msg);
		break;
	case ACCEL_MODEL_LOG_INFO:
		ACCEL_LOG(INFO, "%s: device: %s", vdev->name, msg);
		break;
	default:
		ACCEL_LOG(DEBUG, "%s: device: %s", vdev->name, msg);
		break;
	}
}

static int
vdev_create_model(struct accel_vdev *vdev, const struct accel_vdev_args *args)
{
	static const enum accel_model_engine engine[] = {
		[ACCEL_VDEV_ENGINE_AUTO] = ACCEL_MODEL_ENGINE_AUTO,
		[ACCEL_VDEV_ENGINE_IPSEC_MB] = ACCEL_MODEL_ENGINE_IPSEC_MB,
		[ACCEL_VDEV_ENGINE_OPENSSL] = ACCEL_MODEL_ENGINE_OPENSSL,
		[ACCEL_VDEV_ENGINE_NULL] = ACCEL_MODEL_ENGINE_NULL,
	};
	const struct accel_model_config config = {
		.nb_functions = 1,
		.nb_queue_pairs = (unsigned int)args->queue_pairs,
		.nb_workers = args->is_inline ? 1 : args->nb_workers,
		.engine = engine[args->engine],
		.peak_ops = args->peak_ops,
		.peak_bytes = args->peak_bytes,
		.ctx_cache = (unsigned int)args->ctx_cache,
		.idle_us = (unsigned int)args->idle_us,
		.no_bits = args->bits == 0,
		.share_cpu = vdev->share_cpu,
		.faults = args->faults[0] != '\0' ? args->faults : NULL,
		.log = vdev_log,
		.log_arg = vdev,
	};
	int ret;

	ret = accel_model_create(&config, &vdev->model);
	if (ret == -EINVAL && config.faults != NULL)
		ACCEL_LOG(ERR, "%s: faults \"%s\" are not of the form %s", vdev->name,
			  config.faults, accel_model_fault_help());
	else if (ret != 0)
		ACCEL_LOG(ERR, "%s: cannot build the device: %s", vdev->name,
			  ret == -ENOTSUP ? "this CPU cannot run the engine" : strerror(-ret));
	if (ret != 0)
		return ret;
	vdev->nb_workers = config.nb_workers;
	vdev->fn = accel_model_function(vdev->model, 0);
	return vdev->fn != NULL ? 0 : -ENODEV;
}

/* BAR0 as the driver sees it: in a process that may have secondaries, a view at an address that
 * they will have free, too. */
static void
vdev_map_bar(struct accel_vdev *vdev)
{
	void *shared = NULL;

	vdev->bar = accel_function_bar0(vdev->fn, &vdev->bar_size, &vdev->bar_fd);
	if (vdev->nb_threads != 0 && accel_vdev_mp_serve(&vdev_mp_ops) == 0)
		shared = accel_vdev_mp_map(vdev->bar_fd, vdev->bar_size);
	if (shared != NULL) {
		vdev->bar = shared;
		vdev->bar_mapped = true;
	}
}

static int
vdev_create_cryptodev(struct accel_vdev *vdev, const struct accel_vdev_args *args)
{
	const struct accel_found found = {
		.name = vdev->name,
		.device = &vdev->bus_dev->device,
		.socket_id = (int)args->socket_id,
		.bar = vdev->bar,
		.bar_size = vdev->bar_size,
		.transport = args->is_inline ? &vdev_transport_inline :
			     vdev->share_cpu ? &vdev_transport_shared : &vdev_transport,
		.transport_data = vdev,
		.args = &args->driver,
	};

	return accel_probe(&found, &vdev->cryptodev);
}

/* Whatever there is of it by now. */
static void
vdev_destroy(struct accel_vdev *vdev)
{
	if (vdev->model != NULL)
		accel_model_stop(vdev->model);
	workers_join(vdev);
	dma_stop(vdev);
	if (vdev->bar_mapped)
		munmap(vdev->bar, vdev->bar_size);
	if (vdev->model != NULL)
		accel_model_destroy(vdev->model);
	free(vdev);
}

static int
vdev_build(struct accel_vdev *vdev, const struct accel_vdev_args *args)
{
	int ret;

	ret = workers_create(vdev, args);
	if (ret != 0)
		return ret;
	vdev->share_cpu = workers_share_cpu(vdev);
	if (vdev->share_cpu)
		ACCEL_LOG(NOTICE, "%s: no CPU is left for the device, it shares one with lcores",
			  vdev->name);
	ret = vdev_create_model(vdev, args);
	if (ret != 0)
		return ret;
	ret = dma_start(vdev);
	if (ret != 0)
		return ret;
	accel_store_release(&vdev->gate, GATE_RUN);
	vdev_map_bar(vdev);
	return vdev_create_cryptodev(vdev, args);
}

static int
vdev_probe(struct rte_vdev_device *bus_dev)
{
	const char *name = rte_vdev_device_name(bus_dev);
	struct accel_vdev *vdev;
	struct accel_vdev_args args;
	int ret;

	if (name == NULL)
		return -EINVAL;
	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return accel_vdev_mp_probe(bus_dev);
	ret = accel_vdev_args_parse(name, rte_vdev_device_args(bus_dev), &args);
	if (ret != 0)
		return ret;
	vdev = calloc(1, sizeof(*vdev));
	if (vdev == NULL)
		return -ENOMEM;
	vdev->bus_dev = bus_dev;
	strlcpy(vdev->name, args.name, sizeof(vdev->name));
	rte_spinlock_init(&vdev->dma_lock);
	LIST_INIT(&vdev->extmem);

	ret = vdev_build(vdev, &args);
	if (ret != 0) {
		vdev_destroy(vdev);
		return ret;
	}
	rte_spinlock_lock(&vdev_list_lock);
	TAILQ_INSERT_TAIL(&vdev_list, vdev, next);
	rte_spinlock_unlock(&vdev_list_lock);
	return 0;
}

static int
vdev_remove(struct rte_vdev_device *bus_dev)
{
	struct accel_vdev *vdev;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return accel_vdev_mp_remove(bus_dev);
	vdev = vdev_find(bus_dev);
	if (vdev == NULL)
		return -ENODEV;
	accel_remove(vdev->cryptodev);

	rte_spinlock_lock(&vdev_mp_lock);
	rte_spinlock_lock(&vdev_list_lock);
	TAILQ_REMOVE(&vdev_list, vdev, next);
	rte_spinlock_unlock(&vdev_list_lock);
	rte_spinlock_unlock(&vdev_mp_lock);
	vdev_destroy(vdev);
	return 0;
}

static struct rte_vdev_driver accel_vdev_driver = {
	.driver.name = RTE_STR(ACCEL_DRIVER_NAME),
	.probe = vdev_probe,
	.remove = vdev_remove,
	.dma_map = vdev_dma_map,
	.dma_unmap = vdev_dma_unmap,
};

/* Not RTE_PMD_REGISTER_VDEV: pmdinfogen makes a C symbol of each driver's name, and crypto_accel is
 * the PCI driver's. Here it gets one of its own, for the parameters. */
RTE_INIT(accel_vdev_register)
{
	rte_vdev_register(&accel_vdev_driver);
}

ACCEL_PMD_EXPORT_NAME(crypto_accel_vdev);
RTE_PMD_REGISTER_PARAM_STRING(crypto_accel_vdev,
	"queue_pairs=<int> "
	"cores=inline|<int>|[<cpu>,...] "
	"engine=auto|ipsec_mb|openssl|null "
	"peak_ops=<int> "
	"peak_bytes=<int> "
	"faults=<string> "
	ACCEL_ARGS_PARAM_STRING
	" idle_us=<int> "
	"ctx_cache=<int> "
	"bits=<0|1> "
	"name=<string> "
	"socket_id=<int>");
