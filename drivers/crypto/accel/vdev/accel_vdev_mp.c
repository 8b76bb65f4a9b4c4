/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Shares the embedded device between processes: see accel_vdev_mp.h.
 */

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/queue.h>
#include <time.h>
#include <unistd.h>

#include <bus_vdev_driver.h>
#include <cryptodev_pmd.h>
#include <rte_common.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_memory.h>
#include <rte_string_fns.h>

#include "accel_dev.h"
#include "accel_fail.h"
#include "accel_logs.h"
#include "accel_probe.h"
#include "accel_transport.h"
#include "accel_vdev_clock.h"
#include "accel_vdev_mp.h"

#define MP_ACTION "crypto_accel_vdev"
#define MP_TIMEOUT_S 5

#ifndef MAP_FIXED_NOREPLACE /* older C libraries */
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static_assert(sizeof(struct accel_vdev_mp_message) <= RTE_MP_MAX_PARAM_LEN,
	      "fits a message of EAL");

/* The next functions are for the primary process. */

static accel_vdev_mp_serve_t mp_serve;

/* Answers a request. EAL calls this in its thread for messages. */
static int
mp_answer(const struct rte_mp_msg *request, const void *peer)
{
	struct rte_mp_msg reply = { .len_param = sizeof(struct accel_vdev_mp_message) };
	struct accel_vdev_mp_message *msg = (struct accel_vdev_mp_message *)reply.param;

	strlcpy(reply.name, request->name, sizeof(reply.name));
	if (request->len_param != (int)sizeof(*msg)) {
		msg->result = -ENOTSUP; /* the other process runs another build */
	} else {
		memcpy(msg, request->param, sizeof(*msg));
		msg->vdev[sizeof(msg->vdev) - 1] = '\0';
		msg->faults[sizeof(msg->faults) - 1] = '\0';
		msg->result = mp_serve(msg, &reply.fds[0]);
		reply.num_fds = msg->result == 0 && msg->type == ACCEL_VDEV_MP_SHARE;
	}
	return rte_mp_reply(&reply, peer);
}

int
accel_vdev_mp_serve(accel_vdev_mp_serve_t serve)
{
	mp_serve = serve;
	if (rte_mp_action_register(MP_ACTION, mp_answer) == 0 || rte_errno == EEXIST)
		return 0;
	return -rte_errno;
}

static int
mp_find_end(const struct rte_memseg_list *msl, void *arg)
{
	uintptr_t *end = arg;

	*end = RTE_MAX(*end, (uintptr_t)msl->base_va + msl->len);
	return 0;
}

/*
 * Maps BAR0 after EAL's memory, which all processes have at the same address, and after the BARs of
 * PCI devices, which EAL maps after its memory. These addresses are usually free.
 */
void *
accel_vdev_mp_map(int fd, size_t size)
{
	static uintptr_t next;
	void *addr, *va;

	if (next == 0) {
		rte_memseg_list_walk(mp_find_end, &next);
		next = RTE_ALIGN_CEIL(next, (uintptr_t)RTE_PGSIZE_1G) + RTE_PGSIZE_1G;
	}
	addr = (void *)next;
	next += RTE_ALIGN_CEIL(size, (size_t)RTE_PGSIZE_2M);
	va = mmap(addr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
	if (va == MAP_FAILED) /* the kernel chooses a place */
		va = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return va != MAP_FAILED ? va : NULL;
}

/* The next functions are for secondary processes. */

/* Describes a device of the primary process that this process uses. */
struct mp_vdev {
	TAILQ_ENTRY(mp_vdev) next;
	struct rte_vdev_device *bus_dev;
	struct rte_cryptodev *cryptodev;
	void *bar;
	size_t bar_size;
	struct accel_vdev_clock clock;
};

static TAILQ_HEAD(, mp_vdev) mp_vdevs = TAILQ_HEAD_INITIALIZER(mp_vdevs);

/*
 * Sends a request to the primary process. Returns the result in the answer, or a negative errno if
 * there is no answer.
 */
static int
mp_call(enum accel_vdev_mp_type type, const struct rte_vdev_device *bus_dev, const char *faults,
	struct accel_vdev_mp_message *answer, int *fd)
{
	const struct timespec timeout = { .tv_sec = MP_TIMEOUT_S };
	struct rte_mp_msg request = { .len_param = sizeof(*answer) };
	struct accel_vdev_mp_message *msg = (struct accel_vdev_mp_message *)request.param;
	struct rte_mp_reply reply;
	int ret = -EPROTO;

	strlcpy(request.name, MP_ACTION, sizeof(request.name));
	msg->type = type;
	strlcpy(msg->vdev, rte_vdev_device_name(bus_dev), sizeof(msg->vdev));
	if (faults != NULL && strlcpy(msg->faults, faults, sizeof(msg->faults)) >=
	    sizeof(msg->faults))
		return -E2BIG;
	if (rte_mp_request_sync(&request, &reply, &timeout) != 0)
		return -rte_errno;
	if (reply.nb_received != 1) {
		ret = -ETIMEDOUT;
	} else if (reply.msgs[0].len_param == (int)sizeof(*answer)) {
		memcpy(answer, reply.msgs[0].param, sizeof(*answer));
		ret = answer->result;
		if (fd != NULL && reply.msgs[0].num_fds == 1)
			*fd = reply.msgs[0].fds[0];
	}
	free(reply.msgs);
	return ret;
}

static void
remote_isolate(struct accel_dev *dev)
{
	const struct mp_vdev *vdev = accel_transport_data(dev);
	struct accel_vdev_mp_message answer;
	int ret = -ESRCH;

	/* Without the primary process there is no device, and there would be no answer. */
	if (rte_eal_primary_proc_alive(NULL) != 0)
		ret = mp_call(ACCEL_VDEV_MP_ISOLATE, vdev->bus_dev, NULL, &answer, NULL);
	if (ret != 0)
		ACCEL_LOG_LIMITED(&dev->isolate_log, ERR, "%s: the primary process, which runs the "
				  "device, does not answer: %s; if it has ended, start it and this "
				  "process again", dev->name, strerror(-ret));
}

static int
remote_revive(struct accel_dev *dev)
{
	const struct mp_vdev *vdev = accel_transport_data(dev);
	struct accel_vdev_mp_message answer;

	return mp_call(ACCEL_VDEV_MP_REVIVE, vdev->bus_dev, NULL, &answer, NULL);
}

static int
remote_fault(struct accel_dev *dev, const char *faults)
{
	const struct mp_vdev *vdev = accel_transport_data(dev);
	struct accel_vdev_mp_message answer;

	return mp_call(ACCEL_VDEV_MP_FAULT, vdev->bus_dev, faults, &answer, NULL);
}

static uint64_t
remote_lived(const struct accel_dev *dev, uint16_t qp_id, bool thorough)
{
	const struct mp_vdev *vdev = accel_transport_data(dev);

	return accel_vdev_clock_read(&vdev->clock, accel_dt_qp_number(&dev->dt, qp_id),
				     qp_id >= ACCEL_DT_PK_QP, thorough);
}

/* Gives up the CPU, since the device's thread may be waiting for it. */
static void
remote_relax(struct accel_dev *dev __rte_unused)
{
	sched_yield();
}

static const struct accel_transport remote_transport = {
	.name = "vdev", .isolate = remote_isolate, .revive = remote_revive, .fault = remote_fault,
	.lived = remote_lived
};
static const struct accel_transport remote_transport_shared = {
	.name = "vdev", .isolate = remote_isolate, .revive = remote_revive, .fault = remote_fault,
	.lived = remote_lived, .relax = remote_relax
};

/*
 * Maps BAR0 at the address that it has in the primary process, because the doorbell pointers of the
 * queue pairs contain that address.
 */
static int
remote_map(struct mp_vdev *vdev, const struct accel_vdev_share *share, int fd)
{
	void *addr = (void *)(uintptr_t)share->bar;
	void *va = mmap(addr, share->bar_size, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);

	if (va == addr) {
		vdev->bar = va;
		vdev->bar_size = share->bar_size;
		return 0;
	}
	if (va != MAP_FAILED) /* kernels before 4.17 ignore MAP_FIXED_NOREPLACE */
		munmap(va, share->bar_size);
	return ACCEL_REFUSE(-EADDRINUSE, "%s: the address %p of its BAR0 is in use in this "
			    "process: start it again, or the primary process with another "
			    "--base-virtaddr", share->name, addr);
}

static int
remote_attach(struct mp_vdev *vdev)
{
	const char *name = rte_vdev_device_name(vdev->bus_dev);
	struct accel_found found = { .device = &vdev->bus_dev->device };
	struct accel_vdev_mp_message answer;
	int fd = -1, ret;

	ret = mp_call(ACCEL_VDEV_MP_SHARE, vdev->bus_dev, NULL, &answer, &fd);
	if (ret == 0 && fd < 0)
		ret = -EPROTO;
	if (ret != 0)
		return ACCEL_REFUSE(ret, "%s: the primary process does not share it: %s; the "
				    "primary process must have it as well (--vdev), with threads "
				    "of its own (not with cores=inline)", name, strerror(-ret));
	answer.share.name[sizeof(answer.share.name) - 1] = '\0';
	vdev->clock = answer.share.clock;
	ret = remote_map(vdev, &answer.share, fd);
	close(fd);
	if (ret != 0)
		return ret;
	found.name = answer.share.name;
	found.bar = vdev->bar;
	found.bar_size = vdev->bar_size;
	found.transport = answer.share.share_cpu ? &remote_transport_shared : &remote_transport;
	found.transport_data = vdev;
	ret = accel_probe(&found, &vdev->cryptodev);
	if (ret != 0)
		munmap(vdev->bar, vdev->bar_size);
	return ret;
}

int
accel_vdev_mp_probe(struct rte_vdev_device *bus_dev)
{
	struct mp_vdev *vdev = calloc(1, sizeof(*vdev));
	int ret;

	if (vdev == NULL)
		return -ENOMEM;
	vdev->bus_dev = bus_dev;
	ret = remote_attach(vdev);
	if (ret != 0)
		free(vdev);
	else
		TAILQ_INSERT_TAIL(&mp_vdevs, vdev, next);
	return ret;
}

int
accel_vdev_mp_remove(struct rte_vdev_device *bus_dev)
{
	struct mp_vdev *vdev;
	int ret;

	TAILQ_FOREACH(vdev, &mp_vdevs, next) {
		if (vdev->bus_dev == bus_dev)
			break;
	}
	if (vdev == NULL)
		return -ENODEV;
	ret = accel_check_callbacks(vdev->cryptodev);
	if (ret != 0)
		return ret;
	TAILQ_REMOVE(&mp_vdevs, vdev, next);
	accel_remove(vdev->cryptodev);
	munmap(vdev->bar, vdev->bar_size);
	free(vdev);
	return 0;
}
