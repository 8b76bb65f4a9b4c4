/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * This is the transport of the embedded device, --vdev crypto_accel0. It builds a card from the
 * reference model inside this process. It gives the card CPUs (accel_vdev_workers.h), a clock
 * (accel_vdev_clock.h) and the process's memory (accel_vdev_dma.h). Only these parts of the driver
 * use the model.
 */

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/queue.h>

#include <bus_vdev_driver.h>
#include <cryptodev_pmd.h>
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_spinlock.h>
#include <rte_string_fns.h>

#include <accel_model.h>

#include "accel_args.h"
#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_fail.h"
#include "accel_logs.h"
#include "accel_probe.h"
#include "accel_transport.h"
#include "accel_vdev_args.h"
#include "accel_vdev_clock.h"
#include "accel_vdev_dma.h"
#include "accel_vdev_mp.h"
#include "accel_vdev_workers.h"
#include "rte_pmd_accel_embedded.h"

static_assert(ACCEL_VDEV_MAX_WORKERS == ACCEL_MODEL_MAX_WORKERS, "bounds of the devargs");
static_assert(ACCEL_VDEV_MAX_QUEUE_PAIRS == ACCEL_MODEL_MAX_QUEUE_PAIRS, "bounds of the devargs");

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
	bool bar_mapped; /* mapped for all processes; else bar is the model's own mapping */

	unsigned int nb_workers; /* of the model */
	struct accel_vdev_workers threads; /* run the model's workers; none with cores=inline */
	struct accel_vdev_dma dma;
	struct accel_vdev_clock clock; /* clock of the threads */
	struct accel_log_limit log_limit; /* for the model's messages */
};

static TAILQ_HEAD(, accel_vdev) vdev_list = TAILQ_HEAD_INITIALIZER(vdev_list);
static rte_spinlock_t vdev_list_lock = RTE_SPINLOCK_INITIALIZER;
/*
 * This lock is held while a device serves another process, so that the device is not removed at the
 * same time.
 */
static rte_spinlock_t vdev_mp_lock = RTE_SPINLOCK_INITIALIZER;

static struct accel_vdev *
vdev_find(const char *name)
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
vdev_result(int ret)
{
	if (ret == 0)
		return 0;
	rte_errno = -ret;
	return -1;
}

static int
vdev_dma_map(struct rte_vdev_device *bus_dev, void *addr, uint64_t iova, size_t len)
{
	struct accel_vdev *vdev = vdev_find(rte_vdev_device_name(bus_dev));

	return vdev_result(vdev != NULL ? accel_vdev_dma_map(&vdev->dma, addr, iova, len) :
					  -ENODEV);
}

static int
vdev_dma_unmap(struct rte_vdev_device *bus_dev, void *addr, uint64_t iova, size_t len)
{
	struct accel_vdev *vdev = vdev_find(rte_vdev_device_name(bus_dev));

	return vdev_result(vdev != NULL ? accel_vdev_dma_unmap(&vdev->dma, addr, iova, len) :
					  -ENODEV);
}

/* The next functions are the transport. */

static void
vdev_isolate(struct accel_dev *dev)
{
	struct accel_vdev *vdev = accel_transport_data(dev);

	accel_vdev_dma_isolate(&vdev->dma);
}

static int
vdev_revive(struct accel_dev *dev)
{
	struct accel_vdev *vdev = accel_transport_data(dev);

	return accel_vdev_dma_revive(&vdev->dma);
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

/*
 * Does the work of one round of the device, since the calling thread has the CPU that the device
 * needs. If there is no work, a thread of the device may have been interrupted in a round. Then the
 * calling thread yields the CPU, so that the interrupted thread can continue.
 */
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

static uint64_t
vdev_lived(const struct accel_dev *dev, uint16_t qp_id, bool thorough)
{
	const struct accel_vdev *vdev = accel_transport_data(dev);

	return accel_vdev_clock_read(&vdev->clock, accel_dt_qp_number(&dev->dt, qp_id),
				     qp_id >= ACCEL_DT_PK_QP, thorough);
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

#define VDEV_TRANSPORT(relax_, lived_)                                                             \
	{                                                                                          \
		.name = "vdev", .isolate = vdev_isolate, .revive = vdev_revive, .relax = relax_,   \
		.poll = vdev_poll, .fault = vdev_fault, .lived = lived_                            \
	}

/*
 * There is a transport for each case: the device has CPUs of its own, no thread at all, or a thread
 * on a CPU that lcores use.
 */
static const struct accel_transport vdev_transport = VDEV_TRANSPORT(NULL, vdev_lived);
static const struct accel_transport vdev_transport_inline = VDEV_TRANSPORT(vdev_relax_inline, NULL);
static const struct accel_transport vdev_transport_shared =
	VDEV_TRANSPORT(vdev_relax_shared, vdev_lived);

static int
vdev_share(const struct accel_vdev *vdev, struct accel_vdev_share *share, int *fd)
{
	if (vdev->threads.nb == 0 || !vdev->bar_mapped)
		return -ENOTSUP;
	memset(share, 0, sizeof(*share));
	strlcpy(share->name, vdev->name, sizeof(share->name));
	share->bar = (uintptr_t)vdev->bar;
	share->bar_size = vdev->bar_size;
	share->share_cpu = vdev->threads.share_cpu;
	share->clock = vdev->clock;
	*fd = vdev->bar_fd;
	return 0;
}

static int
vdev_serve(struct accel_vdev *vdev, struct accel_vdev_mp_message *msg, int *fd)
{
	switch (msg->type) {
	case ACCEL_VDEV_MP_SHARE:
		return vdev_share(vdev, &msg->share, fd);
	case ACCEL_VDEV_MP_ISOLATE:
		accel_vdev_dma_isolate(&vdev->dma);
		return 0;
	case ACCEL_VDEV_MP_REVIVE:
		return accel_vdev_dma_revive(&vdev->dma);
	case ACCEL_VDEV_MP_FAULT:
		return model_fault(vdev, msg->faults);
	default:
		return -ENOTSUP;
	}
}

static int
mp_serve(struct accel_vdev_mp_message *msg, int *fd)
{
	struct accel_vdev *vdev;
	int ret = -ENODEV;

	rte_spinlock_lock(&vdev_mp_lock);
	vdev = vdev_find(msg->vdev);
	if (vdev != NULL)
		ret = vdev_serve(vdev, msg, fd);
	rte_spinlock_unlock(&vdev_mp_lock);
	return ret;
}

/* The next functions probe and remove. */

/*
 * Logs a message of the device. The rate is limited, since an application's data can cause any
 * number of messages.
 */
static void
vdev_log(void *arg, enum accel_model_log_level level, const char *msg)
{
	struct accel_vdev *vdev = arg;

	switch (level) {
	case ACCEL_MODEL_LOG_ERR:
		ACCEL_LOG_LIMITED(&vdev->log_limit, ERR, "%s: device: %s", vdev->name, msg);
		break;
	case ACCEL_MODEL_LOG_WARNING:
		ACCEL_LOG_LIMITED(&vdev->log_limit, WARNING, "%s: device: %s", vdev->name, msg);
		break;
	case ACCEL_MODEL_LOG_INFO:
		ACCEL_LOG_LIMITED(&vdev->log_limit, INFO, "%s: device: %s", vdev->name, msg);
		break;
	default:
		ACCEL_LOG_LIMITED(&vdev->log_limit, DEBUG, "%s: device: %s", vdev->name, msg);
		break;
	}
}

static int
vdev_create_model(struct accel_vdev *vdev, const struct accel_vdev_args *args)
{
	const struct accel_model_config config = {
		.nb_functions = 1,
		.nb_queue_pairs = (unsigned int)args->queue_pairs,
		.nb_workers = args->is_inline ? 1 : args->nb_workers,
		.engine = (enum accel_model_engine)args->engine,
		.peak_ops = args->peak_ops,
		.peak_bytes = args->peak_bytes,
		.ctx_cache = (unsigned int)args->ctx_cache,
		.idle_us = (unsigned int)args->idle_us,
		.pk_share = (unsigned int)args->pk_share,
		.no_bits = args->bits == 0,
		.no_command_upper = args->command_upper == 0,
		.contract = accel_model_contract_of(args->contract_minor),
		.posted_writes = args->posted_writes != 0,
		.share_cpu = vdev->threads.share_cpu,
		.faults = args->faults[0] != '\0' ? args->faults : NULL,
		.log = vdev_log,
		.log_arg = vdev,
		.life = vdev->clock.life,
	};
	int ret;

	ret = accel_model_create(&config, &vdev->model);
	if (ret == -EINVAL && config.faults != NULL)
		ACCEL_LOG(ERR, "%s: faults \"%s\" are not of the form %s", vdev->name,
			  config.faults, accel_model_fault_help());
	else if (ret != 0)
		ACCEL_LOG(ERR, "%s: cannot build the device: %s", vdev->name,
			  ret == -ENOTSUP ? "this CPU cannot run the engine: take engine=openssl" :
			  ret == -ELIBACC ? "OpenSSL lacks what it needs" : strerror(-ret));
	if (ret != 0)
		return ret;
	vdev->nb_workers = config.nb_workers;
	vdev->fn = accel_model_function(vdev->model, 0);
	return vdev->fn != NULL ? 0 : -ENODEV;
}

/*
 * Finds BAR0 as the driver sees it. If this process may have secondary processes, BAR0 is mapped at
 * an address that is usually free there, too.
 */
static void
vdev_map_bar(struct accel_vdev *vdev)
{
	void *shared = NULL;

	vdev->bar = accel_function_bar0(vdev->fn, &vdev->bar_size, &vdev->bar_fd);
	if (vdev->threads.nb != 0 && accel_vdev_mp_serve(mp_serve) == 0)
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
			     vdev->threads.share_cpu ? &vdev_transport_shared : &vdev_transport,
		.transport_data = vdev,
		.args = &args->driver,
	};

	return accel_probe(&found, &vdev->cryptodev);
}

static void
vdev_destroy(struct accel_vdev *vdev)
{
	if (vdev->model != NULL)
		accel_model_stop(vdev->model);
	accel_vdev_workers_join(&vdev->threads);
	accel_vdev_dma_stop(&vdev->dma);
	if (vdev->bar_mapped)
		munmap(vdev->bar, vdev->bar_size);
	if (vdev->model != NULL)
		accel_model_destroy(vdev->model);
	accel_vdev_clock_destroy(&vdev->clock);
	free(vdev);
}

static unsigned int
vdev_nb_threads(void)
{
	const struct accel_vdev *vdev;
	unsigned int nb = 0;

	rte_spinlock_lock(&vdev_list_lock);
	TAILQ_FOREACH(vdev, &vdev_list, next)
		nb += vdev->threads.nb;
	rte_spinlock_unlock(&vdev_list_lock);
	return nb;
}

static int
vdev_build(struct accel_vdev *vdev, const struct accel_vdev_args *args)
{
	int ret;

	ret = accel_vdev_workers_create(&vdev->threads, vdev->name, args);
	if (ret != 0)
		return ret;
	accel_vdev_workers_find_cpus(&vdev->threads, vdev_nb_threads());
	if (vdev->threads.share_cpu)
		ACCEL_LOG(NOTICE, "%s: no CPU is left for the device; it shares one with lcores: "
			  "leave one out of --lcores, or use cores=inline", vdev->name);
	ret = accel_vdev_clock_create(&vdev->clock, vdev->threads.nb);
	if (ret == 0)
		ret = vdev_create_model(vdev, args);
	if (ret != 0)
		return ret;
	ret = accel_vdev_dma_start(&vdev->dma, vdev->fn);
	if (ret != 0)
		return ret;
	accel_vdev_workers_run(&vdev->threads, vdev->model);
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
	accel_vdev_dma_init(&vdev->dma, vdev->name);

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
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return accel_vdev_mp_remove(bus_dev);
	vdev = vdev_find(rte_vdev_device_name(bus_dev));
	if (vdev == NULL)
		return -ENODEV;
	ret = accel_check_callbacks(vdev->cryptodev);
	if (ret != 0)
		return ret;
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

/*
 * RTE_PMD_REGISTER_VDEV is not used, because pmdinfogen makes a C symbol of each driver's name, and
 * the PCI driver has crypto_accel. The name below carries the parameters.
 */
RTE_INIT(accel_vdev_register)
{
	rte_vdev_register(&accel_vdev_driver);
}

ACCEL_PMD_EXPORT_NAME(crypto_accel_vdev);
RTE_PMD_REGISTER_PARAM_STRING(crypto_accel_vdev, ACCEL_VDEV_ARGS_PARAM_STRING);

/* The next functions are those of rte_pmd_accel_embedded.h, in any process. */

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_poll, 26.11)
int
rte_pmd_accel_poll(uint8_t dev_id)
{
	struct rte_cryptodev *cryptodev = accel_find(dev_id);
	const struct accel_transport *transport;

	if (cryptodev == NULL)
		return -ENODEV;
	transport = accel_transport(cryptodev->data->dev_private);
	return transport->poll != NULL ? transport->poll(cryptodev->data->dev_private) : -ENOTSUP;
}

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_fault, 26.11)
int
rte_pmd_accel_fault(uint8_t dev_id, const char *faults)
{
	struct rte_cryptodev *cryptodev = accel_find(dev_id);
	const struct accel_transport *transport;

	if (cryptodev == NULL)
		return -ENODEV;
	transport = accel_transport(cryptodev->data->dev_private);
	if (transport->fault == NULL)
		return -ENOTSUP;
	return faults != NULL ? transport->fault(cryptodev->data->dev_private, faults) : -EINVAL;
}
