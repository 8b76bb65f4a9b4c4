/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A function of the card: see function.h. The device never reads back what it writes into BAR0,
 * because a host that maps all of BAR0 can write anywhere. Such a host harms only itself.
 *
 * Reset, FLR and failure hold the function: they set a bit in hold and raise the epoch. Each worker
 * stops what it does for the function and publishes the epoch. The reset, FLR or failure goes on
 * when all workers have published it (worker_all_quiesced()).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "card/devtree.h"
#include "card/function.h"
#include "card/snapshot.h"
#include "card/vf.h"
#include "queue/queue_control.h"

/* The functions below hold a function. */

static void
hold(struct accel_function *fn, uint32_t why)
{
	__atomic_fetch_or(&fn->hold, why, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&fn->epoch, 1, __ATOMIC_SEQ_CST);
}

void
function_fail(struct accel_function *fn, bool silently)
{
	hold(fn, silently ? HOLD_DEAD : HOLD_FATAL);
}

/* The functions below write the identity page (manual 4.1). */

static void
show_state(struct accel_function *fn, enum accel_hw_state state)
{
	store32(&fn->state, state);
	store32_release(&fn->identity->state, state);
}

static void
show_device_tree(struct accel_function *fn)
{
	uint64_t *to = (uint64_t *)(void *)fn->dt;

	for (uint32_t i = 0; i < fn->dt_size / sizeof(*to); i++)
		store64(&to[i], fn->dt_copy[i]);
}

/* Show a function that boots, if booting takes time: the identity page has only MAGIC and STATE
 * (manual 4.1, FN-4). */
static void
show_booting(struct accel_function *fn)
{
	clear_words(fn->identity, sizeof(*fn->identity));
	store32(&fn->identity->magic, ACCEL_HW_MAGIC);
	show_state(fn, ACCEL_HW_STATE_BOOTING);
	fn->booted = clock_ticks() + fn->model->ticks_boot;
}

static void
show_identity(struct accel_function *fn)
{
	struct accel_hw_identity *id = fn->identity;
	uint32_t vf = fn->index == 0 ? 0 : ACCEL_HW_FUNCTION_IS_VF | (fn->index - 1);

	show_device_tree(fn);
	store32(&id->magic, ACCEL_HW_MAGIC);
	store32(&id->version, ACCEL_HW_VERSION_MAJOR << 16 | fn->model->minor);
	store32(&id->fatal_code, ACCEL_HW_FATAL_NONE);
	store32(&id->function, vf);
	store32(&id->dt_offset, (uint32_t)(fn->dt - fn->bar));
	store32(&id->dt_size, fn->dt_size);
}

void
function_heartbeat(struct accel_function *fn)
{
	store64(&fn->identity->heartbeat, ++fn->heartbeat);
}

/* Find the place of a device tree that was built (manual 3). */
static int
place_tree(struct accel_function *fn)
{
	uint8_t *const end = fn->bar + fn->bar_size;

	fn->dt = fn->behind;
	if (model_is(fn->model, ACCEL_MODEL_TREE_LAST))
		fn->dt = end - fn->dt_size;
	if (model_is(fn->model, ACCEL_MODEL_TREE_FIRST)) {
		fn->dt = (uint8_t *)fn->identity + sizeof(*fn->identity);
		if (sizeof(*fn->identity) + fn->dt_size > ACCEL_HW_PAGE_SIZE)
			return -ENOSPC;
	}
	return 0;
}

/* Take over the share of a virtual function. */
static void
take_resources(struct accel_function *fn)
{
	int size;

	if (!vf_take(fn))
		return;
	size = devtree_build(fn, fn->dt_copy, ACCEL_HW_DT_SIZE_MAX);
	if (size > 0) {
		fn->dt_size = (uint32_t)size;
		place_tree(fn); /* This cannot fail: the tree of a share is not larger than the tree
				 * that had room at first. */
	}
}

/* The functions below carry out a reset (manual 4.3). */

static COLD void
begin_reset(struct accel_function *fn, uint32_t request)
{
	fn->reset_req = request;
	show_state(fn, ACCEL_HW_STATE_RESETTING);
	hold(fn, HOLD_RESET);
}

static COLD void
end_reset(struct accel_function *fn)
{
	take_resources(fn);
	show_identity(fn);
	fn->reset_ack = fn->reset_req;
	show_state(fn, ACCEL_HW_STATE_READY);
	store32_release(&fn->identity->reset_ack, fn->reset_ack);
	store32(&fn->no_entropy, 0);
	__atomic_fetch_and(&fn->hold, ~HOLD_RESET, __ATOMIC_RELEASE);
	log_function(&fn->log, ACCEL_MODEL_LOG_DEBUG, "reset %u done", fn->reset_ack);
}

/* End the boot, unless an FLR has the lock. The FLR makes the function boot again. */
static COLD void
end_boot(struct accel_function *fn)
{
	if (pthread_mutex_trylock(&fn->flr_lock) != 0)
		return;
	if (load32_acquire(&fn->hold) == HOLD_BOOT) {
		show_identity(fn);
		show_state(fn, ACCEL_HW_STATE_READY);
		__atomic_store_n(&fn->hold, 0, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&fn->flr_lock);
}

uint32_t
function_waits(const struct accel_function *fn)
{
	const uint32_t why = load32_acquire(&fn->hold);

	if ((why & (HOLD_FLR | HOLD_DEAD | HOLD_ABSENT)) != 0 ||
	    (why == HOLD_BOOT && clock_ticks() < fn->booted) ||
	    ((why & HOLD_FATAL) != 0 && fn->fatal_shown))
		return 0;
	return why;
}

COLD void
function_go_on(struct accel_function *fn, uint32_t why)
{
	if (why == HOLD_BOOT) {
		end_boot(fn);
	} else if ((why & HOLD_FATAL) != 0) {
		fn->fatal_shown = true;
		store32(&fn->identity->fatal_code, ACCEL_HW_FATAL_INTERNAL);
		show_state(fn, ACCEL_HW_STATE_FATAL);
	} else {
		end_reset(fn);
	}
}

bool
function_take_reset(struct accel_function *fn)
{
	const uint32_t request = load32_acquire(&fn->control->reset_req);

	if (likely(request == fn->reset_ack))
		return false;
	begin_reset(fn, request);
	return true;
}

/* Clear the rest of BAR0. An FLR also clears what a host may have written to the device's pages
 * where they have no registers (manual 4.3). This function clears the rest of the identity page and
 * what is behind all pages. The device tree is shown after this. */
static void
clear_rest(struct accel_function *fn)
{
	uint8_t *const identity = (uint8_t *)fn->identity;

	clear_words(identity + sizeof(*fn->identity), ACCEL_HW_PAGE_SIZE - sizeof(*fn->identity));
	clear_words(fn->behind, (uint64_t)(fn->bar + fn->bar_size - fn->behind));
}

/* Clear the pages that the host writes. All workers are held during an FLR, so this thread may
 * write what belongs to them. */
static void
clear_host_pages(struct accel_function *fn)
{
	clear_words(fn->control, ACCEL_HW_PAGE_SIZE);
	clear_words(fn->invalidate, ACCEL_HW_PAGE_SIZE);
	if (fn->vf_table != NULL)
		clear_words(fn->vf_table, (uint64_t)vf_pages(fn->model) * ACCEL_HW_PAGE_SIZE);
	if (fn->vf_answers != NULL)
		clear_words(fn->vf_answers, (uint64_t)vf_pages(fn->model) * ACCEL_HW_PAGE_SIZE);
	if (fn->mailbox_host != NULL)
		clear_words(fn->mailbox_host, ACCEL_HW_PAGE_SIZE);
	for (unsigned int i = 0; i < model_queues(fn->model); i++) {
		clear_words(fn->queue[i].host, ACCEL_HW_PAGE_SIZE);
		queue_reset_page(&fn->queue[i]);
	}
	for (unsigned int i = 0; i < fn->model->config.nb_workers; i++) {
		memset(fn->port[i].words, 0, sizeof(fn->port[i].words));
		fn->port[i].dropped = 0;
	}
	snapshot_restart(fn);
}

/*
 * Give a file a descriptor above 2. A program that runs without standard streams has the lowest
 * descriptors free. What the program or a library writes to stderr would go into a file with such a
 * descriptor.
 *
 * @return the descriptor; -1: errno says why. The former descriptor is closed.
 */
static int
above_streams(int fd)
{
	int above = fd, reason;

	if (fd >= 0 && fd <= STDERR_FILENO) {
		above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		reason = errno;
		close(fd);
		errno = reason;
	}
	return above;
}

/* Make a memfd that its receivers cannot shorten, and map it. */
static int
new_bar(size_t size, int *fd, uint8_t **bar)
{
	void *p = MAP_FAILED;
	int ret = 0;

	*bar = NULL;
	*fd = above_streams(memfd_create("crypto_accel", MFD_CLOEXEC | MFD_ALLOW_SEALING));
	if (*fd < 0)
		return -errno;
	if (ftruncate(*fd, (off_t)size) == 0 &&
	    fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (p == MAP_FAILED) {
		ret = -errno;
		close(*fd);
		*fd = -1;
	} else {
		*bar = p;
	}
	return ret;
}

/* Map a file that another process has made as new_bar() does. */
static int
map_bar(size_t size, int fd, uint8_t **bar)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW;
	struct stat st;
	void *p;

	if (fstat(fd, &st) != 0)
		return -errno;
	if ((size_t)st.st_size != size || (fcntl(fd, F_GET_SEALS) & seals) != seals)
		return -EINVAL;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	*bar = p;
	return 0;
}

/* Give BAR0 other memory: new memory, or a file that is adopted. All workers are held. Their
 * pointers into BAR0 stay valid because its address stays. */
static int
replace_bar(struct accel_function *fn, int fd)
{
	const bool adopt = fd >= 0;
	uint8_t *bar;
	int ret = adopt ? map_bar(fn->bar_size, fd, &bar) : new_bar(fn->bar_size, &fd, &bar);

	if (ret != 0)
		return ret;
	if (mremap(bar, fn->bar_size, fn->bar_size, MREMAP_MAYMOVE | MREMAP_FIXED, fn->bar) ==
	    MAP_FAILED) {
		ret = -errno;
		munmap(bar, fn->bar_size);
		if (!adopt)
			close(fd);
		return ret;
	}
	close(fn->fd);
	fn->fd = fd;
	/* A host that has mapped the file sees that the function is not ready before anything
	 * changes. */
	show_state(fn, ACCEL_HW_STATE_BOOTING);
	return 0;
}

void
function_begin_flr(struct accel_function *fn)
{
	pthread_mutex_lock(&fn->flr_lock);
	hold(fn, HOLD_FLR);
	show_state(fn, ACCEL_HW_STATE_RESETTING);
}

bool
function_begin_presence(struct accel_function *fn, bool present)
{
	pthread_mutex_lock(&fn->flr_lock);
	if (fn->index == 0 || (load32(&fn->absent) == 0) == present) {
		pthread_mutex_unlock(&fn->flr_lock);
		return false;
	}
	store32(&fn->absent, !present);
	hold(fn, HOLD_FLR);
	show_state(fn, ACCEL_HW_STATE_RESETTING);
	return true;
}

int
function_end_flr(struct accel_function *fn, int bar)
{
	const bool absent = load32(&fn->absent) != 0;
	const bool late = !absent && model_is(fn->model, ACCEL_MODEL_LATE);
	const int ret = bar != BAR_STAYS ? replace_bar(fn, bar) : 0;

	clear_host_pages(fn);
	take_resources(fn);
	clear_rest(fn);
	if (late)
		show_booting(fn);
	else
		show_identity(fn);
	vf_restart(fn);
	fn->reset_ack = 0;
	fn->fatal_shown = false;
	store32(&fn->no_entropy, 0);
	store32_release(&fn->identity->reset_ack, 0);
	show_state(fn, absent || late ? ACCEL_HW_STATE_BOOTING : ACCEL_HW_STATE_READY);
	__atomic_store_n(&fn->hold, absent ? HOLD_ABSENT : late ? HOLD_BOOT : 0, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&fn->flr_lock);
	return ret;
}

/* The functions below make and destroy a function. */

static size_t
bar_size_for(size_t bytes)
{
	size_t size = 4 * ACCEL_HW_PAGE_SIZE;

	while (size < bytes)
		size *= 2;
	return size;
}

static int
init_queues(struct accel_function *fn, uint32_t offset)
{
	for (unsigned int i = 0; i < model_queues(fn->model); i++) {
		uint8_t *host = fn->bar + offset + (size_t)i * 2 * ACCEL_HW_PAGE_SIZE;
		struct port *port = &fn->port[worker_of(fn, i)];
		int ret = queue_init(&fn->queue[i], port, host, host + ACCEL_HW_PAGE_SIZE);

		if (ret != 0)
			return ret;
	}
	return 0;
}

/* Return the bytes of the mailbox of a VF, or of the PF's mailbox for its VFs. */
static uint32_t
mailbox_size(const struct accel_function *fn)
{
	if (fn->model->minor < 2 || vf_count(fn->model) == 0)
		return 0;
	return (fn->index == 0 ? 3 * vf_pages(fn->model) : 2) * ACCEL_HW_PAGE_SIZE;
}

static void
place_mailbox(struct accel_function *fn, uint8_t *at)
{
	const uint32_t region = vf_pages(fn->model) * ACCEL_HW_PAGE_SIZE;

	if (mailbox_size(fn) == 0)
		return;
	if (fn->index == 0) {
		fn->vf_answers = (void *)at;
		fn->vf_requests = (void *)(at + region);
		fn->vf_status = (void *)(at + 2 * (size_t)region);
	} else {
		fn->mailbox_host = (void *)at;
		fn->mailbox = (void *)(at + ACCEL_HW_PAGE_SIZE);
	}
}

/* Lay out BAR0: identity, function control, invalidation, VF table, queue pairs, health, mailbox,
 * and then the tree (manual 3). */
static int
lay_out(struct accel_function *fn)
{
	const uint32_t table = fn->index == 0 ? vf_pages(fn->model) : 0;
	uint32_t queues = (3 + table) * ACCEL_HW_PAGE_SIZE;
	uint32_t health = queues + model_queues(fn->model) * 2 * ACCEL_HW_PAGE_SIZE;
	uint32_t mailbox = health + ACCEL_HW_PAGE_SIZE;
	uint32_t tree = mailbox + mailbox_size(fn);
	int ret;

	fn->bar_size = bar_size_for(tree + (size_t)ACCEL_HW_DT_SIZE_MAX);
	ret = new_bar(fn->bar_size, &fn->fd, &fn->bar);
	if (ret != 0)
		return ret;
	fn->identity = (void *)fn->bar;
	fn->control = (void *)(fn->bar + ACCEL_HW_PAGE_SIZE);
	fn->invalidate = (void *)(fn->bar + 2 * ACCEL_HW_PAGE_SIZE);
	if (model_has_options(fn->model, 1))
		fn->health.page = (void *)(fn->bar + health);
	place_mailbox(fn, fn->bar + mailbox);
	if (table > 0)
		fn->vf_table = (void *)(fn->bar + 3 * ACCEL_HW_PAGE_SIZE);
	fn->behind = fn->bar + tree;
	ret = init_queues(fn, queues);
	if (ret != 0)
		return ret;
	ret = devtree_build(fn, fn->dt_copy, ACCEL_HW_DT_SIZE_MAX);
	if (ret < 0)
		return ret;
	fn->dt_size = (uint32_t)ret;
	return place_tree(fn);
}

static int
init_ports(struct accel_function *fn)
{
	const unsigned int nb = fn->model->config.nb_workers;

	fn->port = aligned_alloc(CACHE_LINE, nb * sizeof(fn->port[0]));
	if (fn->port == NULL)
		return -ENOMEM;
	memset(fn->port, 0, nb * sizeof(fn->port[0]));
	for (unsigned int i = 0; i < nb; i++) {
		fn->port[i].fn = fn;
		fn->port[i].access.function = fn->index;
		fn->port[i].access.algorithms = fn->algorithms;
		fn->port[i].access.health = &fn->health;
		fn->port[i].turn.weight = &fn->weight;
		fn->port[i].turn.idle = 1;
		dma_map_attach(&fn->map, i, &fn->port[i].access.view);
	}
	return 0;
}

int
function_init(struct accel_function *fn, struct accel_model *model, unsigned int index)
{
	const struct accel_model_config *config = &model->config;
	const size_t queues = model_queues(model) * sizeof(fn->queue[0]);
	int ret;

	fn->model = model;
	fn->index = index;
	fn->fd = -1;
	fn->log.sink = &model->log;
	fn->log.function = index;
	fn->engines.weight = &fn->weight;
	pthread_mutex_init(&fn->flr_lock, NULL);
	health_init(&fn->health, config->serial);
	ret = dma_map_init(&fn->map, config->nb_workers, ACCEL_MODEL_MAX_DMA_MAPS);
	if (ret != 0)
		return ret;
	fn->map.posted_writes = config->posted_writes;
	fn->queue = aligned_alloc(CACHE_LINE, queues);
	if (fn->queue != NULL)
		memset(fn->queue, 0, queues);
	fn->dt_copy = calloc(1, ACCEL_HW_DT_SIZE_MAX);
	if (fn->queue == NULL || fn->dt_copy == NULL)
		return -ENOMEM;
	ret = init_ports(fn);
	if (ret != 0)
		return ret;
	vf_power_on(fn);
	ret = lay_out(fn);
	if (ret != 0)
		return ret;
	health_clear(&fn->health);
	if (model_is(model, ACCEL_MODEL_LATE)) {
		show_booting(fn);
		hold(fn, HOLD_BOOT);
	} else {
		show_identity(fn);
		show_state(fn, ACCEL_HW_STATE_READY);
	}
	if (index > 0)
		vf_restart(fn);
	return 0;
}

void
function_fini(struct accel_function *fn)
{
	if (fn->model == NULL)
		return;
	for (unsigned int i = 0; fn->queue != NULL && i < model_queues(fn->model); i++)
		queue_fini(&fn->queue[i]);
	if (fn->bar != NULL)
		munmap(fn->bar, fn->bar_size);
	if (fn->fd >= 0)
		close(fn->fd);
	dma_map_fini(&fn->map);
	health_fini(&fn->health);
	free(fn->dt_copy);
	free(fn->port);
	free(fn->queue);
	pthread_mutex_destroy(&fn->flr_lock);
}

/* The functions below are the public interface. */

bool
accel_function_may_log(struct accel_function *fn, enum accel_model_log_level level,
		       uint64_t *left_out)
{
	return log_may(&fn->log.limit[level], left_out);
}

void *
accel_function_bar0(struct accel_function *fn, size_t *size, int *fd)
{
	if (size != NULL)
		*size = fn->bar_size;
	if (fd != NULL)
		*fd = fn->fd;
	return fn->bar;
}

int
accel_function_dma_map(struct accel_function *fn, uint64_t iova, void *va, uint64_t len,
		       unsigned int rights)
{
	return dma_map_add(&fn->map, iova, va, len, rights);
}

int
accel_function_dma_unmap(struct accel_function *fn, uint64_t iova, uint64_t len)
{
	return dma_map_remove(&fn->map, iova, len);
}

void
accel_function_dma_unmap_all(struct accel_function *fn)
{
	dma_map_remove_all(&fn->map);
}
