/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * A transport of the driver for tests: the function is behind a vfio-user socket of accel-device,
 * without QEMU and a guest. "--vdev accel_client0,socket=PATH" and the driver's own arguments. The
 * EAL needs memory with descriptors: --in-memory (best with --single-file-segments) or --no-huge.
 */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bus_vdev_driver.h>
#include <cryptodev_pmd.h>
#include <rte_eal_memconfig.h>
#include <rte_errno.h>
#include <rte_memory.h>
#include <rte_string_fns.h>

#include "accel_fail.h"
#include "accel_logs.h"
#include "accel_pci_config.h"
#include "accel_probe.h"
#include "transport/transport.h"

#define MEM_EVENTS "accel_client"

struct client {
	struct rte_vdev_device *bus_dev;
	struct rte_cryptodev *cryptodev;
	struct transport *function;
	pthread_mutex_t lock; /* of the socket: one message is under way at a time */
	struct dma_run run;   /* that map_all() collects */
	char mem_events[64];
	char socket[108];
	int error;
};

/* ------------------------------------------------------------------ configuration space */

static int
config_read(void *arg, void *to, size_t len, off_t offset)
{
	struct client *c = arg;
	int ret;

	pthread_mutex_lock(&c->lock);
	ret = c->function->ops->config_read(c->function, (uint32_t)offset, to, (uint32_t)len);
	pthread_mutex_unlock(&c->lock);
	return ret;
}

static int
config_write(void *arg, const void *from, size_t len, off_t offset)
{
	struct client *c = arg;
	int ret;

	pthread_mutex_lock(&c->lock);
	ret = c->function->ops->config_write(c->function, (uint32_t)offset, from, (uint32_t)len);
	pthread_mutex_unlock(&c->lock);
	return ret;
}

static struct accel_pci_config
config_of(const struct accel_dev *dev)
{
	return (struct accel_pci_config){
		.read = config_read,
		.write = config_write,
		.arg = accel_transport_data(dev),
		.restore = true,
	};
}

static void
client_isolate(struct accel_dev *dev)
{
	struct accel_pci_config config = config_of(dev);

	accel_pci_isolate(&config);
}

static bool
client_has_access(const struct accel_dev *dev)
{
	struct accel_pci_config config = config_of(dev);

	return accel_pci_is_master(&config);
}

static int
client_revive(struct accel_dev *dev)
{
	struct accel_pci_config config = config_of(dev);
	int ret = accel_pci_flr(&config);

	return ret == 0 ? accel_pci_bus_master(&config, true) : ret;
}

static const struct accel_transport client_transport = {
	.name = "client",
	.isolate = client_isolate,
	.revive = client_revive,
	.has_access = client_has_access,
};

/* ------------------------------------------------------------------ memory */

static void
run_flush(struct client *c)
{
	int ret;

	if (c->run.size == 0)
		return;
	pthread_mutex_lock(&c->lock);
	if (c->run.rights != 0)
		ret = c->function->ops->dma_map(c->function, &c->run);
	else
		ret = c->function->ops->dma_unmap(c->function, c->run.iova, c->run.size);
	pthread_mutex_unlock(&c->lock);
	if (ret != 0 && c->error == 0)
		c->error = ret;
	c->run.size = 0;
}

/* Adds a segment to the run. Runs are contiguous in the file, too. */
static void
run_add(struct client *c, const struct rte_memseg *ms, unsigned int rights)
{
	size_t offset = 0;
	int fd = -1;

	if (ms->iova == RTE_BAD_IOVA || ms->len == 0)
		return;
	if (rights != 0) {
		fd = rte_memseg_get_fd_thread_unsafe(ms);
		if (fd < 0 || rte_memseg_get_fd_offset_thread_unsafe(ms, &offset) != 0) {
			c->error = -ENOTSUP;
			return;
		}
	}
	if (c->run.size != 0 && c->run.rights == rights && c->run.fd == fd &&
	    c->run.iova + c->run.size == ms->iova &&
	    (rights == 0 || c->run.fd_offset + c->run.size == offset)) {
		c->run.size += ms->len;
		return;
	}
	run_flush(c);
	c->run = (struct dma_run){ .iova = ms->iova, .size = ms->len, .va = ms->addr, .fd = fd,
				   .fd_offset = offset, .rights = rights };
}

static int
map_one(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	if (!msl->external)
		run_add(arg, ms, TRANSPORT_READ | TRANSPORT_WRITE);
	return 0;
}

/* Memory was added, or is about to be removed. EAL calls this with its memory lock held. */
static void
mem_event(enum rte_mem_event type, const void *addr, size_t len, void *arg)
{
	const struct rte_memseg_list *msl = rte_mem_virt2memseg_list(addr);
	const struct rte_memseg *ms;
	struct client *c = arg;
	size_t done;

	if (msl == NULL || msl->external)
		return;
	ms = rte_mem_virt2memseg(addr, msl);
	for (done = 0; ms != NULL && done < len; done += ms->len, ms++)
		run_add(c, ms, type == RTE_MEM_EVENT_ALLOC ? TRANSPORT_READ | TRANSPORT_WRITE : 0);
	run_flush(c);
	if (c->error != 0)
		ACCEL_LOG(ERR, "%s: memory cannot be given to the device: %s", c->socket,
			  strerror(-c->error));
	c->error = 0;
}

static int
map_all(struct client *c)
{
	int ret;

	rte_mcfg_mem_read_lock();
	ret = rte_mem_event_callback_register(c->mem_events, mem_event, c);
	if (ret != 0 && rte_errno == ENOTSUP) /* memory does not change */
		ret = 0;
	if (ret == 0) {
		rte_memseg_walk_thread_unsafe(map_one, c);
		run_flush(c);
		ret = c->error;
	}
	rte_mcfg_mem_read_unlock();
	return ret;
}

/* ------------------------------------------------------------------ probe and remove */

static int
parse_socket(const char *value, void *to)
{
	struct client *c = to;

	return strlcpy(c->socket, value, sizeof(c->socket)) < sizeof(c->socket) ? 0 : -EINVAL;
}

static void
destroy(struct client *c)
{
	rte_mem_event_callback_unregister(c->mem_events, c);
	if (c->function != NULL)
		c->function->ops->close(c->function);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

static int
connect_and_probe(struct client *c, const struct accel_args *args)
{
	struct accel_pci_config config = {
		.read = config_read, .write = config_write, .arg = c, .restore = true };
	struct accel_found found = {
		.name = rte_vdev_device_name(c->bus_dev),
		.device = &c->bus_dev->device,
		.socket_id = SOCKET_ID_ANY,
		.transport = &client_transport,
		.transport_data = c,
		.args = args,
	};
	char error[256];
	int ret;

	c->function = transport_open_socket(c->socket, error, sizeof(error));
	if (c->function == NULL) {
		ACCEL_LOG(ERR, "%s: %s", found.name, error);
		return -ENODEV;
	}
	found.bar = (uint8_t *)(uintptr_t)c->function->bar;
	found.bar_size = (size_t)c->function->bar_size;
	ret = accel_pci_bus_master(&config, true);
	if (ret == 0)
		ret = map_all(c);
	if (ret == 0)
		ret = accel_probe(&found, &c->cryptodev);
	if (ret == 0)
		ret = accel_pci_bus_master(&config, true);
	return ret;
}

static int
probe(struct rte_vdev_device *bus_dev)
{
	static const struct accel_args_key keys[] = {
		{ .key = "socket", .values = "PATH", .parse = parse_socket },
	};
	struct client *c = calloc(1, sizeof(*c));
	struct accel_args_table own = { .keys = keys, .nb = RTE_DIM(keys), .to = c };
	struct accel_args args;
	int ret;

	if (c == NULL)
		return -ENOMEM;
	c->bus_dev = bus_dev;
	pthread_mutex_init(&c->lock, NULL);
	snprintf(c->mem_events, sizeof(c->mem_events), "%s_%s", MEM_EVENTS,
		 rte_vdev_device_name(bus_dev));
	accel_args_default(&args);
	ret = accel_args_parse(rte_vdev_device_name(bus_dev), rte_vdev_device_args(bus_dev), &args,
			       &own);
	if (ret == 0)
		ret = connect_and_probe(c, &args);
	if (ret != 0)
		destroy(c);
	return ret;
}

static int
client_remove(struct rte_vdev_device *bus_dev)
{
	struct rte_cryptodev *cryptodev =
		rte_cryptodev_pmd_get_named_dev(rte_vdev_device_name(bus_dev));
	struct accel_dev *dev;
	struct client *c;
	int ret;

	if (cryptodev == NULL)
		return -ENODEV;
	ret = accel_check_callbacks(cryptodev);
	if (ret != 0)
		return ret;
	dev = cryptodev->data->dev_private;
	c = accel_transport_data(dev);
	accel_remove(cryptodev);
	destroy(c);
	return 0;
}

/* Programs that look for their devices by the name of a bus driver need crypto_accel here. */
#ifndef CLIENT_DRIVER
#define CLIENT_DRIVER "accel_client"
#endif

static struct rte_vdev_driver client_driver = {
	.driver = { .name = CLIENT_DRIVER, .alias = "accel_client" },
	.probe = probe,
	.remove = client_remove,
};

RTE_INIT(client_register)
{
	rte_vdev_register(&client_driver);
}
