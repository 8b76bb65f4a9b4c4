/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A guest for tests: a vfio-user client with memory of its own that drives the function through
 * BAR0, with the calls of model_host.h; and the daemon in this process.
 */
#ifndef TEST_VFIO_GUEST_H
#define TEST_VFIO_GUEST_H

#include "model_base/model_cbc.h"
#include "model_base/model_host.h"

#include "client.h"
#include "daemon.h"

#define GUEST_RW (VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE)

struct guest {
	struct host h; /* without function and model, which belong to another process */
	struct wire c;
	int mem_fd;
};

/* Maps BAR0. */
static inline uint8_t *
guest_map_bar(struct wire *c, size_t *size)
{
	struct vu_region_info info = { .argsz = 64 };
	struct reply r;
	void *p;

	if (!client_call_fds(c, VU_DEVICE_GET_REGION_INFO, &info, sizeof(info), NULL, 0, &r))
		return NULL;
	memcpy(&info, r.data, sizeof(info));
	p = mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, (off_t)info.offset);
	reply_drop(&r);
	*size = info.size;
	return p != MAP_FAILED ? p : NULL;
}

/* Connects, maps memory, enables bus mastering, and resets as a driver does. */
static inline void
guest_open(struct guest *g, const char *path)
{
	memset(g, 0, sizeof(*g));
	assert_true(client_connect(&g->c, path));
	assert_true(client_hello(&g->c));
	g->h.threads = true;
	g->h.bar = guest_map_bar(&g->c, &g->h.bar_size);
	assert_non_null(g->h.bar);
	g->h.id = (void *)g->h.bar;
	assert_int_equal(rd32(&g->h.id->magic), ACCEL_HW_MAGIC);
	host_find_pages(&g->h);
	g->mem_fd = memfd_create("guest", MFD_CLOEXEC);
	assert_int_equal(ftruncate(g->mem_fd, HOST_MEM), 0);
	g->h.mem = mmap(NULL, HOST_MEM, PROT_READ | PROT_WRITE, MAP_SHARED, g->mem_fd, 0);
	assert_true(g->h.mem != MAP_FAILED);
	assert_int_equal(client_map(&g->c, HOST_IOVA, HOST_MEM, g->mem_fd, 0, GUEST_RW), 0);
	assert_true(client_enable(&g->c));
	host_reset(&g->h);
}

static inline void
guest_close(struct guest *g)
{
	wire_close(&g->c);
	munmap(g->h.mem, HOST_MEM);
	munmap(g->h.bar, g->h.bar_size);
	close(g->mem_fd);
}

/* The parts of an operation that traffic_one() repeats. */
struct traffic {
	struct hostq *q;
	struct accel_hw_command *cmd;
	uint8_t *in;
	uint8_t *out;
	uint32_t tag;
};

static inline void
traffic_open(struct traffic *t, struct guest *g, unsigned int qp, uint32_t generation)
{
	struct accel_hw_context *ctx = new_context(&g->h, generation);

	t->q = &g->h.q[qp];
	t->tag = 0;
	q_start(t->q, 64, 64, 64);
	memcpy(ctx->cipher_key, cbc_key, sizeof(cbc_key));
	t->cmd = new_sym(&g->h, ctx, 0, 32, 0);
	for (unsigned int i = 0; i < 16; i++)
		t->cmd->iv[i] = (uint8_t)i;
	t->in = host_alloc(&g->h, 32, 64);
	t->out = host_alloc(&g->h, 32, 64);
	memcpy(t->in, cbc_plain, sizeof(cbc_plain));
}

/* Does one operation. Returns whether response and output are right. */
static inline bool
traffic_one(struct traffic *t)
{
	struct accel_hw_response rsp;

	memset(t->out, 0, 32);
	t->cmd->tag = ++t->tag;
	q_post(t->q, t->cmd, t->in, 32, t->out, 32);
	q_ring(t->q);
	rsp = q_response(t->q);
	return rsp.tag == t->tag && rsp.status == ACCEL_HW_OK && rsp.produced == 32 &&
		memcmp(t->out, cbc_cipher, 32) == 0;
}

/* The daemon in this process, in a folder of its own. */

static struct daemon daemon_;
static char daemon_dir[64];
static char daemon_path[3][96];

static inline void
daemon_up(unsigned int functions, unsigned int workers)
{
	struct args args = {
		.nb_sockets = functions,
		.queue_pairs = 4,
		.nb_workers = workers,
		.idle_us = 10,
	};

	assert_true(client_temp_dir(daemon_dir));
	for (unsigned int i = 0; i < ACCEL_MODEL_MAX_WORKERS; i++)
		args.cpu[i] = -1;
	for (unsigned int i = 0; i < functions; i++) {
		snprintf(daemon_path[i], sizeof(daemon_path[i]), "%s/s%u", daemon_dir, i);
		args.socket[i] = daemon_path[i];
	}
	assert_int_equal(daemon_start(&daemon_, &args), 0);
}

static inline void
daemon_down(void)
{
	daemon_stop(&daemon_);
	assert_int_equal(rmdir(daemon_dir), 0); /* It left no file. */
}

#endif /* TEST_VFIO_GUEST_H */
