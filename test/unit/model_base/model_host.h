/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A host for tests of the model: memory that the function's DMA map has, rings, and calls that post
 * single descriptors, right or wrong. It uses only what the manual says.
 */
#ifndef UNIT_MODEL_HOST_H
#define UNIT_MODEL_HOST_H

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <libfdt.h>

#include "accel_hw.h"
#include "accel_model.h"
#include "base/random.h"
#include "base/waited.h"

/* Host memory has 16 MiB, with a border of 1 GiB in the middle. */
#define HOST_MEM (16u << 20)
#define HOST_IOVA (UINT64_C(0x140000000) - HOST_MEM / 2)
#define HOST_BORDER UINT64_C(0x140000000)
#define LO(iova) ((iova) & ACCEL_HW_DESC_LOW_MASK)
#define DESC0(iova) ((iova) >> ACCEL_HW_DESC_REGION_SHIFT)
#define DESC2(iova, len, bits) \
	(ACCEL_HW_DESC2_TYPE | (bits) | ((uint64_t)(len) << ACCEL_HW_DESC2_LEN_SHIFT) | LO(iova))
#define NEXT ACCEL_HW_DESC2_NEXT
#define COMMAND ACCEL_HW_DESC2_COMMAND

struct hostq {
	struct host *host;
	struct accel_hw_qp_host *regs;
	struct accel_hw_qp_device *dev;
	uint64_t *tx, *rx; /* rings */
	struct accel_hw_response *rsp;
	struct accel_hw_writeback *wb;
	uint32_t tx_size, rx_size, rsp_size;
	uint32_t tx_sdp, rx_sdp; /* posted */
	uint32_t rsp_slot; /* read up to */
	uint64_t tx_upper, rx_upper; /* in force; UINT64_MAX: none */
	bool located; /* COMMAND_UPPER holds the upper address of commands */
	uint32_t sequence;
};

struct host {
	struct accel_model *model;
	struct accel_function *fn;
	uint8_t *bar;
	size_t bar_size;
	struct accel_hw_identity *id;
	struct accel_hw_control *control;
	uint32_t *invalidate;
	uint8_t *mem;
	uint32_t used; /* of mem */
	unsigned int nb_qps;
	struct hostq q[ACCEL_MODEL_MAX_QUEUE_PAIRS];
	unsigned int nb_pks;
	struct hostq pk[ACCEL_MODEL_MAX_QUEUE_PAIRS + 1]; /* public-key queue pairs */
	bool threads; /* workers have threads */
};

static inline uint32_t
rd32(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static inline uint64_t
rd64(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static inline void
wr32(uint32_t *p, uint32_t v)
{
	__atomic_store_n(p, v, __ATOMIC_RELEASE);
}

static inline void
wr64(uint64_t *p, uint64_t v)
{
	__atomic_store_n(p, v, __ATOMIC_RELEASE);
}

uint64_t now_ns(void);

void host_poll(struct host *h);

/* Polls until the condition holds. Fails after 30 s of waiting, in which others did not have the
 * CPU for long. */
#define host_until(h, condition)                                               \
	do {                                                                   \
		const uint64_t end_ = waited_ns() + UINT64_C(30000000000);     \
		while (!(condition)) {                                         \
			host_poll(h);                                          \
			if (waited_ns() > end_)                                   \
				fail_msg("not true within 30 s: %s", #condition);   \
		}                                                              \
	} while (0)

static inline uint64_t
host_iova(const struct host *h, const void *p)
{
	return HOST_IOVA + (uint64_t)((const uint8_t *)p - h->mem);
}

/* Allocates zeroed memory for the rest of the test. */
void *host_alloc(struct host *h, uint32_t bytes, uint32_t align);

uint32_t host_reg(const void *fdt, int node, unsigned int cell);

void host_find_pages(struct host *h);

void host_attach(struct host *h, struct accel_model *model, unsigned int function);

void host_open(struct host *h, const struct accel_model_config *config);

void host_detach(struct host *h);

void host_close(struct host *h);

uint32_t q_control(struct hostq *q, uint32_t command);

/* Gives a command and waits for its echo. */
void q_command(struct hostq *q, uint32_t command);

/* From the next START on, commands lie in the region of this IOVA and need no type 0. */
void q_locate(struct hostq *q, uint64_t iova);

/* Sets all rings and registers but START and COMMAND_UPPER. */
void q_setup(struct hostq *q, uint32_t tx_size, uint32_t rx_size, uint32_t rsp_size);

void q_start(struct hostq *q, uint32_t tx_size, uint32_t rx_size, uint32_t rsp_size);

static inline void
q_ring(struct hostq *q)
{
	wr64(&q->regs->doorbell, (uint64_t)q->rx_sdp << 32 | q->tx_sdp);
}

/* Posts one descriptor. */
void tx_word(struct hostq *q, uint64_t desc);

void rx_word(struct hostq *q, uint64_t desc);

/* Posts one fragment, after a type 0 if the upper address changes. */
void tx_frag(struct hostq *q, uint64_t iova, uint32_t len, uint64_t bits);

void rx_frag(struct hostq *q, uint64_t iova, uint32_t len, uint64_t bits);

struct accel_hw_command *new_command(struct host *h, uint8_t opcode, uint32_t tag);

/* Posts a request frame of a command and at most one input, and a result frame of at most one
 * output. */
void q_post(struct hostq *q, const struct accel_hw_command *cmd, const void *in, uint32_t in_len,
	    const void *out, uint32_t out_len);

/* Waits for the next response. */
struct accel_hw_response q_response(struct hostq *q);

void expect_response(struct hostq *q, uint32_t tag, uint16_t status, uint32_t produced);

/* Waits for the queue pair's state error. */
void expect_error(struct hostq *q, uint32_t code, uint32_t ring, uint32_t slot);

/* Requests a reset and waits for its end. */
void host_reset(struct host *h);

/* Makes a context in host memory for AES-CBC with a key of 16 bytes. */
struct accel_hw_context *new_context(struct host *h, uint32_t generation);

struct accel_hw_command *new_sym(struct host *h, const struct accel_hw_context *ctx, uint32_t tag,
				 uint32_t cipher_len, uint32_t auth_len);

#endif /* UNIT_MODEL_HOST_H */
