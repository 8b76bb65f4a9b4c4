/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Serves the card behind sockets: see daemon.h. The callbacks of vfio_user come first, then
 * threads, then start and stop.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "accel_hw.h"
#include "daemon.h"
#include "kept.h"
#include "log.h"

#define REVISION ACCEL_HW_VERSION_MAJOR
#define REST_MS 10 /* pause between two clients of a function */

/* The functions below are the device behind the protocol. */

static int
device_dma_map(void *arg, uint64_t iova, void *va, uint64_t len, unsigned int rights)
{
	const struct served *s = arg;
	unsigned int r = 0;

	r |= (rights & VFIO_USER_DMA_READ) != 0 ? ACCEL_MODEL_DMA_READ : 0;
	r |= (rights & VFIO_USER_DMA_WRITE) != 0 ? ACCEL_MODEL_DMA_WRITE : 0;
	return accel_function_dma_map(s->fn, iova, va, len, r);
}

static int
device_dma_unmap(void *arg, uint64_t iova, uint64_t len)
{
	const struct served *s = arg;

	return accel_function_dma_unmap(s->fn, iova, len);
}

static void
device_reset(void *arg)
{
	const struct served *s = arg;

	accel_function_flr(s->fn);
}

static int
device_renew(void *arg)
{
	const struct served *s = arg;
	int ret = accel_function_renew(s->fn), fd;

	accel_function_bar0(s->fn, NULL, &fd);
	return ret == 0 ? fd : ret;
}

static int
device_adopt(void *arg, int fd)
{
	const struct served *s = arg;

	return accel_function_adopt(s->fn, fd);
}

static const enum log_level log_level_of[] = {
	[ACCEL_MODEL_LOG_ERR] = LOG_LEVEL_ERROR,
	[ACCEL_MODEL_LOG_WARNING] = LOG_LEVEL_WARNING,
	[ACCEL_MODEL_LOG_INFO] = LOG_LEVEL_INFO,
	[ACCEL_MODEL_LOG_DEBUG] = LOG_LEVEL_DEBUG,
};

/* Logs what a client did. The limit on log lines also counts those of the function's queue
 * pairs. */
static void
client_line(const struct served *s, enum accel_model_log_level level, const char *msg)
{
	uint64_t left_out;

	if (!log_wanted(log_level_of[level]) || !accel_function_may_log(s->fn, level, &left_out))
		return;
	if (left_out > 0)
		log_line(log_level_of[level], s->sock.path, "%" PRIu64 " lines were left out",
			 left_out);
	log_line(log_level_of[level], s->sock.path, "%s", msg);
}

static void
device_log(void *arg, enum vfio_user_log_level level, const char *msg)
{
	static const enum accel_model_log_level as[] = {
		[VFIO_USER_LOG_WARNING] = ACCEL_MODEL_LOG_WARNING,
		[VFIO_USER_LOG_INFO] = ACCEL_MODEL_LOG_INFO,
		[VFIO_USER_LOG_DEBUG] = ACCEL_MODEL_LOG_DEBUG,
	};

	client_line(arg, as[level], msg);
}

static void
model_log(void *arg, enum accel_model_log_level level, const char *msg)
{
	(void)arg;
	log_line(log_level_of[level], "device", "%s", msg);
}

/* The functions below are threads. */

/* Takes the next client. If another one is being served, the new one is disconnected at once, so
 * that it need not wait. */
static void
take_client(struct served *s)
{
	int fd = vfio_user_accept(&s->sock);
	char msg[128];

	if (fd < 0) {
		if (fd != -EAGAIN && fd != -ECONNABORTED) {
			snprintf(msg, sizeof(msg), "cannot accept a client: %s", strerror(-fd));
			client_line(s, ACCEL_MODEL_LOG_WARNING, msg);
			poll(NULL, 0, REST_MS);
		}
		return;
	}
	if (vfio_user_connected(s->vu))
		client_line(s, ACCEL_MODEL_LOG_WARNING, "a second client was refused: a function "
			    "has one at a time; end the first, or use the socket of another one");
	vfio_user_attach(s->vu, fd);
}

static void *
serve(void *arg)
{
	struct served *s = arg;
	struct pollfd fds[VFIO_USER_POLL_FDS + 2];
	struct pollfd *listen_fd = &fds[VFIO_USER_POLL_FDS];
	struct pollfd *stop_fd = &fds[VFIO_USER_POLL_FDS + 1];

	pthread_mutex_lock(&s->daemon->gate);
	pthread_mutex_unlock(&s->daemon->gate);
	*listen_fd = (struct pollfd){ .fd = s->sock.fd, .events = POLLIN };
	*stop_fd = (struct pollfd){ .fd = s->daemon->stop_fd, .events = POLLIN };
	for (;;) {
		bool connected = vfio_user_connected(s->vu);

		vfio_user_poll_fds(s->vu, fds);
		if (poll(fds, VFIO_USER_POLL_FDS + 2, -1) < 0 && errno != EINTR)
			break;
		if (stop_fd->revents != 0)
			break;
		if (connected && vfio_user_process(s->vu) != 0)
			poll(stop_fd, 1, REST_MS);
		/* If the present client has hung up, its end is processed before the next client is
		 * taken. */
		if (listen_fd->revents != 0 && (!vfio_user_connected(s->vu) ||
						(fds[0].revents & (POLLHUP | POLLRDHUP)) == 0))
			take_client(s);
	}
	vfio_user_detach(s->vu);
	return NULL;
}

static void *
work(void *arg)
{
	const struct worker_thread *w = arg;
	int ret = accel_model_worker_run(w->daemon->model, w->index, w->cpu);

	if (ret != 0)
		log_line(LOG_LEVEL_ERROR, "device", "thread %u has ended: %s", w->index,
			 strerror(-ret));
	return NULL;
}

static void *
run_engine(void *arg)
{
	const struct worker_thread *e = arg;
	int ret = accel_model_pk_run(e->daemon->model, e->cpu, e->daemon->behind);

	if (ret != 0)
		log_line(LOG_LEVEL_ERROR, "device", "thread %u for public keys has ended: %s",
			 e->index, strerror(-ret));
	return NULL;
}

/* The functions below start the daemon. */

static int
build_model(struct daemon *daemon, const struct args *args)
{
	bool vfs = args_have_vfs(args);
	bool pinned = args->cpu[0] >= 0;
	const struct accel_model_config config = {
		.nb_functions = args->nb_sockets + (vfs ? 1 : 0),
		.nb_queue_pairs = (unsigned int)args->queue_pairs,
		.nb_workers = args->nb_workers,
		.engine = args->engine,
		.peak_ops = args->peak_ops,
		.peak_bytes = args->peak_bytes,
		.ctx_cache = (unsigned int)args->ctx_cache,
		.serial = args->serial,
		.idle_us = (unsigned int)args->idle_us,
		.pk_share = (unsigned int)args->pk_share,
		.contract = accel_model_contract_of(args->contract_minor),
		.posted_writes = args->posted_writes,
		.profile = args->profile,
		.vf_queue_pairs = (unsigned int)args->vf_queue_pairs,
		.share_cpu = !pinned,
		.faults = args->faults,
		.log = model_log,
	};
	int ret = accel_model_create(&config, &daemon->model);

	if (ret == -EINVAL && config.faults != NULL)
		log_line(LOG_LEVEL_ERROR, "device", "faults \"%s\" are not of the form %s",
			 config.faults, accel_model_fault_help());
	else if (ret != 0)
		log_line(LOG_LEVEL_ERROR, "device", "cannot create the card: %s",
			 ret == -ENOTSUP ? "this CPU cannot run the engine: take --engine openssl" :
			 strerror(-ret));
	if (ret != 0)
		return ret;
	daemon->nb_workers = config.nb_workers;
	daemon->nb_vfs = vfs ? args->nb_sockets : 0;
	daemon->queue_pairs = config.nb_queue_pairs;
	return 0;
}

/* Without a client for the PF, the operator at the control socket is its host (manual 4.8). */
static void
show_operator(const struct daemon *daemon, const struct args *args)
{
	struct accel_model_vf_mailbox mailbox;

	if (args->control != NULL && args->pf_socket == NULL &&
	    accel_model_vf_mailbox(daemon->model, &mailbox))
		__atomic_store_n(mailbox.pf_state, ACCEL_HW_PF_UP, __ATOMIC_RELEASE);
}

/* Takes over the client that a former process has left. If this fails, or there is none, the
 * function starts afresh. */
static void
resume_client(struct served *s)
{
	const int ret = vfio_user_resume(s->vu);

	if (ret >= 0)
		return;
	log_line(LOG_LEVEL_WARNING, s->sock.path, "the client cannot be taken over, and is "
		 "disconnected: %s",
		 ret == -EBADMSG ? "the process before died in the middle of a message" :
		 ret == -ELOOP ? "one of its messages has ended several processes" :
		 ret == -ESTALE ? "what was stored of it is incomplete" : strerror(-ret));
}

static int
build_served(struct daemon *daemon, const struct args *args, unsigned int index)
{
	const bool is_pf = index == args->nb_sockets;
	const char *path = is_pf ? args->pf_socket : args->socket[index];
	bool vfs = args_have_vfs(args) && !is_pf;
	struct served *s = &daemon->served[index];
	struct vfio_user_device device = {
		.vendor_id = ACCEL_HW_PCI_VENDOR_ID,
		.device_id = vfs ? ACCEL_HW_PCI_DEVICE_ID_VF : ACCEL_HW_PCI_DEVICE_ID_PF,
		.subsystem_vendor_id = ACCEL_HW_PCI_VENDOR_ID,
		.subsystem_id = vfs ? ACCEL_HW_PCI_DEVICE_ID_VF : ACCEL_HW_PCI_DEVICE_ID_PF,
		.class_code = ACCEL_HW_PCI_CLASS,
		.revision = REVISION,
		.serial = args->serial,
		.dma_map = device_dma_map,
		.dma_unmap = device_dma_unmap,
		.pending = NULL, /* device_dma_unmap() waits for accesses under way */
		.reset = device_reset,
		.renew = device_renew,
		.log = device_log,
		.arg = s,
		.adopt = device_adopt,
		.state = daemon->state,
		.index = index,
	};
	int ret;

	s->daemon = daemon;
	s->is_pf = is_pf;
	s->fn = accel_model_function(daemon->model, is_pf ? 0 : index + (vfs ? 1 : 0));
	device.bar0 = accel_function_bar0(s->fn, &device.bar0_size, &device.bar0_fd);
	ret = vfio_user_create(&device, &s->vu);
	if (ret == 0)
		ret = vfio_user_listen_kept(&s->sock, path, &args->owner, daemon->store, index);
	if (ret != 0)
		log_line(LOG_LEVEL_ERROR, path, "cannot listen: %s",
			 ret == -EADDRINUSE ? "another process serves it; name another path" :
			 ret == -EEXIST ? "the file is not a socket; name another path" :
			 ret == -ENOENT ? "there is no such folder; make it first" :
			 strerror(-ret));
	else
		resume_client(s);
	return ret;
}

/* Creates the threads of the public-key engines. If engines have no CPUs of their own and workers
 * are bound to CPUs, the engines use the time that the workers leave. */
static int
start_engines(struct daemon *daemon, const struct args *args)
{
	const bool own = args->nb_engines != 0;
	const unsigned int nb = args->contract_minor < 4 ? 0 :
				own ? args->nb_engines : args->nb_workers;
	int ret = 0;

	daemon->behind = !own && args->cpu[0] >= 0;
	while (daemon->nb_engines < nb && ret == 0) {
		struct worker_thread *e = &daemon->engine[daemon->nb_engines];

		e->daemon = daemon;
		e->index = daemon->nb_engines;
		e->cpu = own ? args->engine_cpu[e->index] : args->cpu[e->index];
		ret = -pthread_create(&e->thread, NULL, run_engine, e);
		if (ret == 0)
			daemon->nb_engines++;
	}
	return ret;
}

int
daemon_start_threads(struct daemon *daemon, const struct args *args)
{
	int ret = log_start(); /* comes first, since the other threads must not wait for stderr */

	pthread_mutex_lock(&daemon->gate);
	daemon->gate_closed = true;
	while (daemon->nb_threads < daemon->nb_workers && ret == 0) {
		struct worker_thread *w = &daemon->worker[daemon->nb_threads];

		w->daemon = daemon;
		w->index = daemon->nb_threads;
		w->cpu = args->cpu[w->index];
		ret = -pthread_create(&w->thread, NULL, work, w);
		if (ret == 0)
			daemon->nb_threads++;
	}
	if (ret == 0)
		ret = start_engines(daemon, args);
	for (unsigned int i = 0; i < daemon->nb_served && ret == 0; i++) {
		struct served *s = &daemon->served[i];

		ret = -pthread_create(&s->thread, NULL, serve, s);
		s->has_thread = ret == 0;
	}
	if (ret != 0)
		log_line(LOG_LEVEL_ERROR, "device", "cannot create threads: %s", strerror(-ret));
	return ret;
}

void
daemon_open(struct daemon *daemon)
{
	if (daemon->gate_closed)
		pthread_mutex_unlock(&daemon->gate);
	daemon->gate_closed = false;
}

void
daemon_init(struct daemon *daemon)
{
	memset(daemon, 0, sizeof(*daemon));
	pthread_mutex_init(&daemon->gate, NULL);
	daemon->stop_fd = -1;
	for (unsigned int i = 0; i < ACCEL_MODEL_MAX_FUNCTIONS; i++)
		daemon->served[i].sock.fd = -1;
}

int
daemon_build(struct daemon *daemon, const struct args *args)
{
	const unsigned int nb = args->nb_sockets + (args->pf_socket != NULL ? 1 : 0);
	int ret;

	daemon->stop_fd = eventfd(0, EFD_CLOEXEC);
	ret = daemon->stop_fd < 0 ? -errno : vfio_user_guard_memory();
	if (ret == 0)
		ret = build_model(daemon, args);
	if (ret == 0)
		show_operator(daemon, args);
	if (ret == 0)
		kept_open(args, nb, &daemon->store, &daemon->state);
	while (ret == 0 && daemon->nb_served < nb)
		ret = build_served(daemon, args, daemon->nb_served++);
	vfio_user_store_settle(daemon->store);
	return ret;
}

int
daemon_start(struct daemon *daemon, const struct args *args)
{
	int ret;

	daemon_init(daemon);
	ret = daemon_build(daemon, args);
	if (ret == 0)
		ret = daemon_start_threads(daemon, args);
	daemon_open(daemon);
	return ret;
}

/* The function below stops the daemon. */

void
daemon_stop(struct daemon *daemon)
{
	const uint64_t one = 1;

	daemon_open(daemon);
	if (daemon->stop_fd >= 0 && write(daemon->stop_fd, &one, sizeof(one)) < 0)
		log_line(LOG_LEVEL_ERROR, "device", "cannot stop: %s", strerror(errno));
	for (unsigned int i = 0; i < daemon->nb_served; i++) {
		struct served *s = &daemon->served[i];

		if (s->has_thread)
			pthread_join(s->thread, NULL);
		vfio_user_unlisten(&s->sock);
		vfio_user_destroy(s->vu);
	}
	if (daemon->model != NULL)
		accel_model_stop(daemon->model);
	while (daemon->nb_threads > 0)
		pthread_join(daemon->worker[--daemon->nb_threads].thread, NULL);
	while (daemon->nb_engines > 0)
		pthread_join(daemon->engine[--daemon->nb_engines].thread, NULL);
	accel_model_destroy(daemon->model);
	vfio_user_state_close(daemon->state);
	vfio_user_store_close(daemon->store);
	if (daemon->stop_fd >= 0)
		close(daemon->stop_fd);
	pthread_mutex_destroy(&daemon->gate);
	log_stop();
}
