/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A sample card: one function with queue pairs, after the hardware manual and nothing else. It is
 * a single thread, and does one request after the other, so that it can be read. Sections in
 * comments are those of the manual.
 */
#ifndef CARD_H
#define CARD_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"

#define CARD_BAR0_SIZE 0x100000u
#define CARD_DT_OFFSET 0xf0000u /* behind all pages that the tree may describe */
#define CARD_QPS_MAX 16u
#define CARD_FRAGMENTS_MAX 1024u
#define CARD_MAPS_MAX 4096u

/* Memory of the host that the card may reach (by an IOMMU, were this one of PCIe). */
struct map {
	uint64_t iova;
	uint64_t len;
	uint8_t *va;
	bool read, write;
};

struct fragment {
	uint64_t iova;
	uint32_t len;
};

/* A descriptor ring, and the frame that is being collected from it (6.1 to 6.4). */
struct ring {
	uint64_t base;
	uint32_t size;
	uint32_t next; /* slot of the next descriptor to read */
	uint32_t hdp; /* slot after the last frame that was used */
	uint64_t upper; /* address[63:30] of the last type 0, shifted */
	bool has_upper;
	struct fragment fragment[CARD_FRAGMENTS_MAX + 1]; /* and a command */
	unsigned int nb;
	uint64_t bytes; /* of the frame, without its command */
	uint32_t used; /* descriptors of the frame */
	bool complete;
};

struct queue {
	struct card *card;
	struct accel_hw_qp_host *host;
	struct accel_hw_qp_device *device;
	uint32_t state; /* enum accel_hw_qp_state */
	struct ring tx, rx;
	struct accel_hw_command cmd; /* of the complete frame of tx, if has_cmd */
	bool has_cmd;
	uint64_t rsp_base, line;
	uint32_t rsp_size, rsp_at;
	/* What the device page shows. The host may write there, so it is never read (GEN-6). */
	uint32_t control_ack;
	uint64_t ops, op_errors, bytes_in, bytes_out;
};

/* What a request gives. */
struct result {
	uint16_t status; /* enum accel_hw_status */
	uint32_t len; /* bytes of the output, in card.output */
};

struct card {
	uint8_t *bar0;
	int bar0_fd;
	struct accel_hw_identity *identity;
	struct accel_hw_control *control;
	struct queue queue[CARD_QPS_MAX];
	unsigned int nb_queues;
	uint32_t ring_size_max, max_fragments, max_frame_bytes;
	const void *tree;
	uint32_t tree_size;
	uint32_t reset_ack; /* as identity shows it */
	uint64_t heartbeat;
	struct map map[CARD_MAPS_MAX];
	unsigned int nb_maps;
	/* The bytes of the request that is being carried out. */
	uint8_t *input, *output;
};

/* card.c: the function. */

/** Find pages and limits in a device tree, and make the card. @return 0 or -errno. */
int card_create(struct card *card, const void *tree, uint32_t tree_size);
void card_destroy(struct card *card);
/** Be as after power-on (4.3, FLR). */
void card_power_on(struct card *card);
/** Put new memory in place of BAR0, at the same address. @return its descriptor, or -errno. */
int card_renew(struct card *card);
/** Forget all bytes of requests (RST-5). */
void card_wipe(struct card *card);
/** Carry out what the host has written to the function's registers. */
void card_step(struct card *card);

/* dma.c: host memory. */

/** Copy from and to host memory. @return false: some of it is not mapped for this access. */
bool dma_read(const struct card *card, uint64_t iova, void *to, uint64_t len);
bool dma_write(const struct card *card, uint64_t iova, const void *from, uint64_t len);
int dma_map(struct card *card, const struct map *map);
void dma_unmap(struct card *card, uint64_t iova, uint64_t len);

/* queue.c: a queue pair. */

/** Carry out a command of CONTROL, and some requests. @return true if there was something to do. */
bool queue_step(struct queue *q);
/** Stop, drop what is not done, and take CONTROL as carried out: a reset (4.3). */
void queue_reset(struct queue *q);

/* request.c: one request. */

/** Carry out a request whose frames are complete. The input is read from the host. */
struct result request_run(struct queue *q, const struct fragment *in, unsigned int nb,
			  uint64_t bytes, uint64_t room);

/* crypto.c: the engines (8.1, 8.2). */

/** Check a context against section 8.1 and this card's tree. */
bool crypto_context_ok(const struct accel_hw_context *ctx);
/**
 * Carry out a checked operation.
 *
 * @param aad, src, digest its input. @param out receives the destination, and the digest if one is
 *        generated.
 * @return OK, AUTH_FAILED or ENGINE_ERROR.
 */
uint16_t crypto_run(const struct accel_hw_context *ctx, const struct accel_hw_command *cmd,
		    const uint8_t *aad, const uint8_t *src, uint32_t len, const uint8_t *digest,
		    uint8_t *out);

#endif /* CARD_H */
