/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures what the reference device costs by itself, without a driver. Requests are posted into
 * the rings in bursts of 32 (manual 6), in place, on one queue pair.
 *
 * "device" is the time in accel_model_worker_poll() per operation, with host and device in turn on
 * one CPU. "pair" is the wall time per operation with the device on a thread of its own. "touch" is
 * the same with a host that writes each payload before the operation and reads it afterwards, as an
 * application does whose data come from elsewhere. A run is cut into slices. The best slice says
 * what the device costs, and the median what the machine did besides.
 *
 * Workloads with AAD are posted as crypto-perf and IPsec do: the AAD apart from the payload, the
 * digest in a descriptor of its own. "inside" means that the AAD is in the command instead.
 * "behind" means that the digest follows the payload in memory, "apart" that it does not. Digests
 * to verify are wrong, because the outcome costs nothing.
 *
 * Workloads of ESP have the length of the inner packet, and each operation works in place. Inbound
 * ones open what the device has sealed right before, which is not measured, so they have no "pair".
 * Workloads of DOCSIS have the length of the Ethernet frame with its CRC, those of PDCP that of a
 * PDU in the clear, both in place.
 * Under valgrind --tool=callgrind --toggle-collect=queue_visit the device's instructions per
 * operation are repeatable; tools/py/counts/instructions.py --model does that. measured_turn also
 * counts what goes by the clock, without the operations that are not measured.
 * With --count one run of a workload, first of OPERATIONS and then of twice as many, is between two
 * calls of counted_mark().
 *
 * model-bench --count OPERATIONS WORKLOAD...
 * model-bench --share WORKLOAD
 * model-bench [--aad N] [--burst N] [--command-ring 1] [device|pair|touch] [operations]
 *             [host CPU] [device CPU] [name of a workload, or a part of names]
 *
 * With --share two workers have a queue pair each: see share().
 *
 * --aad N: other lengths of the AAD, 1 to 64, where there is any; inside 1 to 16.
 * --burst N: operations posted at once, 1 to 1024, instead of 32.
 * --command-ring 1: commands lie in the command ring (manual 5.1), which says where they are.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <libfdt.h>

#include "accel_hw.h"
#include "accel_model.h"
#include "base/bench_help.h"
#include "model_esp.h"

#define RING 32768u
#define RSP_RING 4096u
#define BURST 32u /* default of --burst */
#define SLOTS 2048u /* operations in memory, and the most that are outstanding */
#define SCATTER 1237u /* buffers are used in no order of addresses, as in a mempool */
#define LINE 64u
#define ETHERNET_ADDRESSES 12u /* bytes of a frame of DOCSIS that stay in the clear */
#define HEAD (3 * LINE) /* the AAD, a digest apart and a gap lie before the payload */
#define BUFFER 17408u
#define MEM (40u << 20)
#define HUGE_PAGE (2u << 20)
#define SLICES 201u
#define IOVA UINT64_C(0x100000000)

enum place {
	WITHIN, /* no descriptor of its own */
	BEHIND,
	APART,
};

enum esp {
	ESP_NONE,
	ESP_OUT,
	ESP_IN,
};

struct workload {
	const char *name;
	enum accel_model_engine engine;
	uint8_t opcode;
	uint8_t kind;
	uint16_t cipher;
	uint16_t auth;
	uint32_t len;
	unsigned int segments; /* fragments of the payload, on both sides */
	uint32_t aad;
	enum place digest;
	bool verify;
	enum esp esp;
	bool in_command; /* the AAD is in the command (manual 7.2) */
};

#define CIPHER(title, what, length, parts)                                                         \
	{ title, what, ACCEL_HW_OP_SYM, ACCEL_HW_KIND_CIPHER, ACCEL_HW_CIPHER_AES_CBC, 0, length, \
	  parts, 0, WITHIN, false, ESP_NONE, false }
#define GCM_WITH(title, what, length, parts, aad, digest, verify)                                  \
	{ title, what, ACCEL_HW_OP_SYM, ACCEL_HW_KIND_AEAD, ACCEL_HW_AEAD_AES_GCM, 0, length,      \
	  parts, aad, digest, verify, ESP_NONE, false }
#define GCM(title, length, parts)                                                                  \
	GCM_WITH(title, ACCEL_MODEL_ENGINE_AUTO, length, parts, 0, WITHIN, false)
#define GCM_AAD(title, length, digest, verify)                                                     \
	GCM_WITH(title, ACCEL_MODEL_ENGINE_AUTO, length, 1, 16, digest, verify)
#define GCM_INSIDE(title, what, length, digest, verify)                                            \
	{ title, what, ACCEL_HW_OP_SYM, ACCEL_HW_KIND_AEAD, ACCEL_HW_AEAD_AES_GCM, 0, length,      \
	  1, 16, digest, verify, ESP_NONE, true }
#define CHAIN(title, what, length, digest)                                                         \
	{ title, what, ACCEL_HW_OP_SYM, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CIPHER_AES_CBC,   \
	  ACCEL_HW_AUTH_SHA1_HMAC, length, 1, 0, digest, false, ESP_NONE, false }
/* A frame or PDU to send, or to open: that one has the bytes of the check value, too. */
#define PROTOCOL(title, what, kind, cipher, auth, length, open)                                    \
	{ title, what, ACCEL_HW_OP_SYM, kind, cipher, auth, length, 1, 0, WITHIN, open, ESP_NONE,  \
	  false }
#define DOCSIS(title, what, length, open)                                                          \
	PROTOCOL(title, what, ACCEL_HW_KIND_DOCSIS, ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 0, length, open)
#define NEA2(title, what, length)                                                                  \
	PROTOCOL(title, what, ACCEL_HW_KIND_PDCP, ACCEL_HW_CIPHER_AES_CTR, 0, length, false)
#define NIA2(title, what, length, open)                                                            \
	PROTOCOL(title, what, ACCEL_HW_KIND_PDCP, ACCEL_HW_CIPHER_AES_CTR, ACCEL_HW_AUTH_AES_CMAC, \
		 length, open)
#define ESP(title, what, cipher, length, direction)                                                \
	{ title, what, ACCEL_HW_OP_SYM, ACCEL_HW_KIND_ESP, cipher, 0, length, 1, 0, WITHIN, false, \
	  direction, false }
#define NULL_GCM(title, length, direction)                                                         \
	ESP(title, ACCEL_MODEL_ENGINE_NULL, ACCEL_HW_AEAD_AES_GCM, length, direction)
#define NULL_CBC(title, length, direction)                                                         \
	ESP(title, ACCEL_MODEL_ENGINE_NULL, ACCEL_HW_CIPHER_AES_CBC, length, direction)
#define ESP_GCM(title, length, direction)                                                          \
	ESP(title, ACCEL_MODEL_ENGINE_AUTO, ACCEL_HW_AEAD_AES_GCM, length, direction)
#define ESP_CBC(title, length, direction)                                                          \
	ESP(title, ACCEL_MODEL_ENGINE_AUTO, ACCEL_HW_CIPHER_AES_CBC, length, direction)

static const struct workload workloads[] = {
	{ "NOP", ACCEL_MODEL_ENGINE_NULL, ACCEL_HW_OP_NOP, 0, 0, 0, 0, 0, 0, WITHIN,
	  false, ESP_NONE, false },
	CIPHER("null engine 64 B", ACCEL_MODEL_ENGINE_NULL, 64, 1),
	CIPHER("null engine 64 B, 2 segments", ACCEL_MODEL_ENGINE_NULL, 64, 2),
	CHAIN("null engine chain 64 B", ACCEL_MODEL_ENGINE_NULL, 64, WITHIN),
	GCM_WITH("null engine 64 B, AAD, apart", ACCEL_MODEL_ENGINE_NULL, 64, 1, 16, APART, false),
	GCM_INSIDE("null engine 64 B, AAD inside, apart", ACCEL_MODEL_ENGINE_NULL, 64, APART,
		   false),
	CIPHER("AES-128-CBC 64 B", ACCEL_MODEL_ENGINE_AUTO, 64, 1),
	CIPHER("AES-128-CBC 1024 B", ACCEL_MODEL_ENGINE_AUTO, 1024, 1),
	CIPHER("AES-128-CBC 1024 B, 4 segments", ACCEL_MODEL_ENGINE_AUTO, 1024, 4),
	CIPHER("AES-128-CBC 16384 B", ACCEL_MODEL_ENGINE_AUTO, 16384, 1),
	GCM("AES-128-GCM 64 B", 64, 1),
	GCM("AES-128-GCM 1024 B", 1024, 1),
	GCM("AES-128-GCM 1024 B, 4 segments", 1024, 4),
	GCM("AES-128-GCM 4096 B", 4096, 1),
	GCM("AES-128-GCM 16384 B", 16384, 1),
	GCM("AES-128-GCM 16384 B, 8 segments", 16384, 8),
	GCM_AAD("AES-128-GCM 64 B, AAD, behind", 64, BEHIND, false),
	GCM_AAD("AES-128-GCM 64 B, AAD, apart", 64, APART, false),
	GCM_AAD("AES-128-GCM 64 B, AAD, verify", 64, APART, true),
	GCM_INSIDE("AES-128-GCM 64 B, AAD inside, behind", ACCEL_MODEL_ENGINE_AUTO, 64, BEHIND,
		   false),
	GCM_INSIDE("AES-128-GCM 64 B, AAD inside, apart", ACCEL_MODEL_ENGINE_AUTO, 64, APART,
		   false),
	GCM_INSIDE("AES-128-GCM 64 B, AAD inside, verify", ACCEL_MODEL_ENGINE_AUTO, 64, APART,
		   true),
	GCM_INSIDE("AES-128-GCM 1024 B, AAD inside, behind", ACCEL_MODEL_ENGINE_AUTO, 1024, BEHIND,
		   false),
	GCM_AAD("AES-128-GCM 1024 B, AAD, behind", 1024, BEHIND, false),
	GCM_AAD("AES-128-GCM 1024 B, AAD, apart", 1024, APART, false),
	GCM_AAD("AES-128-GCM 1024 B, AAD, verify", 1024, APART, true),
	GCM_AAD("AES-128-GCM 4096 B, AAD, behind", 4096, BEHIND, false),
	GCM_AAD("AES-128-GCM 16384 B, AAD, behind", 16384, BEHIND, false),
	CHAIN("AES-128-CBC SHA1-HMAC 64 B", ACCEL_MODEL_ENGINE_AUTO, 64, WITHIN),
	CHAIN("AES-128-CBC SHA1-HMAC 64 B, behind", ACCEL_MODEL_ENGINE_AUTO, 64, BEHIND),
	CHAIN("AES-128-CBC SHA1-HMAC 64 B, apart", ACCEL_MODEL_ENGINE_AUTO, 64, APART),
	CHAIN("AES-128-CBC SHA1-HMAC 1024 B", ACCEL_MODEL_ENGINE_AUTO, 1024, WITHIN),
	CHAIN("AES-128-CBC SHA1-HMAC 1024 B, behind", ACCEL_MODEL_ENGINE_AUTO, 1024, BEHIND),
	CHAIN("AES-128-CBC SHA1-HMAC 16384 B", ACCEL_MODEL_ENGINE_AUTO, 16384, WITHIN),
	NULL_GCM("esp-out null engine GCM 64 B", 64, ESP_OUT),
	NULL_GCM("esp-out null engine GCM 1420 B", 1420, ESP_OUT),
	NULL_GCM("esp-in null engine GCM 64 B", 64, ESP_IN),
	NULL_GCM("esp-in null engine GCM 1420 B", 1420, ESP_IN),
	NULL_CBC("esp-out null engine CBC SHA1 64 B", 64, ESP_OUT),
	NULL_CBC("esp-out null engine CBC SHA1 1420 B", 1420, ESP_OUT),
	NULL_CBC("esp-in null engine CBC SHA1 64 B", 64, ESP_IN),
	NULL_CBC("esp-in null engine CBC SHA1 1420 B", 1420, ESP_IN),
	ESP_GCM("esp-out AES-128-GCM 64 B", 64, ESP_OUT),
	ESP_GCM("esp-out AES-128-GCM 1420 B", 1420, ESP_OUT),
	ESP_GCM("esp-in AES-128-GCM 64 B", 64, ESP_IN),
	ESP_GCM("esp-in AES-128-GCM 1420 B", 1420, ESP_IN),
	ESP_CBC("esp-out AES-128-CBC SHA1 64 B", 64, ESP_OUT),
	ESP_CBC("esp-out AES-128-CBC SHA1 1420 B", 1420, ESP_OUT),
	ESP_CBC("esp-in AES-128-CBC SHA1 64 B", 64, ESP_IN),
	ESP_CBC("esp-in AES-128-CBC SHA1 1420 B", 1420, ESP_IN),
	DOCSIS("docsis-out null engine 64 B", ACCEL_MODEL_ENGINE_NULL, 64, false),
	DOCSIS("docsis-in null engine 64 B", ACCEL_MODEL_ENGINE_NULL, 64, true),
	NEA2("pdcp-out null engine NEA2 64 B", ACCEL_MODEL_ENGINE_NULL, 64),
	NIA2("pdcp-out null engine NEA2 NIA2 64 B", ACCEL_MODEL_ENGINE_NULL, 64, false),
	NIA2("pdcp-in null engine NEA2 NIA2 64 B", ACCEL_MODEL_ENGINE_NULL, 64, true),
	DOCSIS("docsis-out 64 B", ACCEL_MODEL_ENGINE_AUTO, 64, false),
	DOCSIS("docsis-in 64 B", ACCEL_MODEL_ENGINE_AUTO, 64, true),
	NEA2("pdcp-out NEA2 64 B", ACCEL_MODEL_ENGINE_AUTO, 64),
	NIA2("pdcp-out NEA2 NIA2 64 B", ACCEL_MODEL_ENGINE_AUTO, 64, false),
	NIA2("pdcp-in NEA2 NIA2 64 B", ACCEL_MODEL_ENGINE_AUTO, 64, true),
	DOCSIS("docsis-out 256 B", ACCEL_MODEL_ENGINE_AUTO, 256, false),
	DOCSIS("docsis-in 256 B", ACCEL_MODEL_ENGINE_AUTO, 256, true),
	NEA2("pdcp-out NEA2 256 B", ACCEL_MODEL_ENGINE_AUTO, 256),
	NIA2("pdcp-out NEA2 NIA2 256 B", ACCEL_MODEL_ENGINE_AUTO, 256, false),
	NIA2("pdcp-in NEA2 NIA2 256 B", ACCEL_MODEL_ENGINE_AUTO, 256, true),
	DOCSIS("docsis-out 1400 B", ACCEL_MODEL_ENGINE_AUTO, 1400, false),
	DOCSIS("docsis-in 1400 B", ACCEL_MODEL_ENGINE_AUTO, 1400, true),
	NEA2("pdcp-out NEA2 1400 B", ACCEL_MODEL_ENGINE_AUTO, 1400),
	NIA2("pdcp-out NEA2 NIA2 1400 B", ACCEL_MODEL_ENGINE_AUTO, 1400, false),
	NIA2("pdcp-in NEA2 NIA2 1400 B", ACCEL_MODEL_ENGINE_AUTO, 1400, true),
	DOCSIS("docsis-out 4096 B", ACCEL_MODEL_ENGINE_AUTO, 4096, false),
	DOCSIS("docsis-in 4096 B", ACCEL_MODEL_ENGINE_AUTO, 4096, true),
	NEA2("pdcp-out NEA2 4096 B", ACCEL_MODEL_ENGINE_AUTO, 4096),
	NIA2("pdcp-out NEA2 NIA2 4096 B", ACCEL_MODEL_ENGINE_AUTO, 4096, false),
	NIA2("pdcp-in NEA2 NIA2 4096 B", ACCEL_MODEL_ENGINE_AUTO, 4096, true),
};

/* The host's memory, which the device finds at IOVA. */
struct memory {
	uint64_t tx[RING];
	uint64_t rx[RING];
	struct accel_hw_response rsp[RSP_RING];
	struct accel_hw_writeback wb;
	struct accel_hw_ipsec_context sa[2]; /* in, out; others use common of [0] */
	struct accel_hw_command cmd[SLOTS];
	uint8_t buffers[SLOTS * BUFFER];
} __attribute__((aligned(4096)));

struct bench {
	const struct workload *load;
	unsigned int queue; /* queue pair, and the worker that it belongs to */
	uint32_t aad; /* bytes of AAD */
	uint32_t burst; /* operations in a burst */
	struct accel_model *model;
	struct accel_hw_qp_host *regs;
	struct accel_hw_qp_device *dev;
	struct memory *mem;
	uint32_t tx_sdp, rx_sdp, rsp;
	uint32_t stride; /* bytes from one buffer to the next */
	uint64_t posted, done;
	bool own_thread;
	bool touch;
	bool command_ring;
	bool seal; /* ESP_IN: what is posted are the outbound operations */
	uint64_t sum; /* sum of what was read */
};

/* True if the workload is to run: its name has this part, and no name is just that. */
static bool
is_wanted(const struct workload *load, const char *part)
{
	for (unsigned int i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++) {
		if (strcmp(workloads[i].name, part) == 0)
			return load == &workloads[i];
	}
	return strstr(load->name, part) != NULL;
}

static uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static uint64_t
iova_of(const struct bench *b, const void *p)
{
	return IOVA * (1 + b->queue) + (uint64_t)((const uint8_t *)p - (const uint8_t *)b->mem);
}

static uint64_t
fragment(uint64_t iova, uint32_t len, uint64_t bits)
{
	return ACCEL_HW_DESC2_TYPE | bits | (uint64_t)len << ACCEL_HW_DESC2_LEN_SHIFT |
		(iova & ACCEL_HW_DESC_LOW_MASK);
}

static void
put(uint64_t *ring, uint32_t *sdp, uint64_t desc)
{
	ring[*sdp] = desc;
	*sdp = (*sdp + 1) & (RING - 1);
}

/* Returns the bytes of the digest that each operation produces or verifies. */
static uint32_t
tag_len(const struct workload *l)
{
	if (l->kind == ACCEL_HW_KIND_AEAD)
		return 16;
	if (l->kind == ACCEL_HW_KIND_PDCP)
		return l->auth != 0 ? ACCEL_HW_PDCP_MAC_LEN : 0;
	return l->auth != 0 ? 12 : 0;
}

/* Puts the payload in pieces, and the digest if this side has one. A gap keeps two pieces from
 * being one run of memory. */
static void
put_payload(struct bench *b, uint64_t *ring, uint32_t *sdp, uint64_t buffer, uint32_t digest)
{
	const struct workload *l = b->load;
	uint32_t len = l->len / l->segments;
	uint32_t within = l->digest == WITHIN ? digest : 0;
	uint64_t next = digest > within ? ACCEL_HW_DESC2_NEXT : 0, at = buffer + HEAD;

	for (unsigned int i = 1; i < l->segments; i++, at += len + 16)
		put(ring, sdp, fragment(at, len, ACCEL_HW_DESC2_NEXT));
	put(ring, sdp, fragment(at, len + within, next));
	if (next != 0)
		put(ring, sdp, fragment(l->digest == APART ? buffer + LINE : at + len, digest, 0));
}

static uint8_t *
buffer_of(const struct bench *b, uint64_t op)
{
	return b->mem->buffers + (uint32_t)(op % SLOTS) * SCATTER % SLOTS * b->stride;
}

/* Reads each cache line of the payload. */
static void
read_payload(struct bench *b, uint64_t op)
{
	const uint8_t *p = buffer_of(b, op) + HEAD;

	for (uint32_t i = 0; i < b->load->len; i += 64)
		b->sum += p[i];
}

/* Posts a packet of ESP that keeps its place, outbound or inbound. */
static void
post_esp(struct bench *b, struct accel_hw_command *cmd)
{
	const bool outbound = b->seal || b->load->esp == ESP_OUT;
	struct accel_hw_ipsec_context *sa = &b->mem->sa[outbound];
	uint8_t *inner = buffer_of(b, b->posted) + HEAD;
	const uint64_t packet = iova_of(b, inner - esp_front(sa));
	const uint32_t total = esp_total(sa, b->load->len);

	cmd->context = iova_of(b, sa);
	cmd->cipher_len = outbound ? b->load->len : total;
	cmd->skip = outbound ? 0 : ACCEL_HW_IPSEC_CMD_KEEP_PLACE;
	if (outbound)
		esp_fill_packet(inner, b->load->len);
	put(b->mem->tx, &b->tx_sdp,
	    outbound ? fragment(iova_of(b, inner), b->load->len, 0) : fragment(packet, total, 0));
	put(b->mem->rx, &b->rx_sdp, fragment(packet, total, 0));
}

static void
post(struct bench *b)
{
	uint32_t slot = (uint32_t)(b->posted % SLOTS);
	uint64_t cmd = iova_of(b, &b->mem->cmd[slot]);
	uint64_t buffer = iova_of(b, buffer_of(b, b->posted));
	bool input = b->load->segments > 0, verify = b->load->verify;

	if (b->touch)
		memset(buffer_of(b, b->posted) + HEAD, (int)b->posted, b->load->len);
	b->mem->cmd[slot].tag = (uint32_t)b->posted;
	put(b->mem->tx, &b->tx_sdp,
	    fragment(cmd, 64, ACCEL_HW_DESC2_COMMAND | (input ? ACCEL_HW_DESC2_NEXT : 0)));
	if (b->load->esp != ESP_NONE) {
		post_esp(b, &b->mem->cmd[slot]);
	} else if (input) {
		if (b->aad > 0 && !b->load->in_command)
			put(b->mem->tx, &b->tx_sdp, fragment(buffer, b->aad, ACCEL_HW_DESC2_NEXT));
		put_payload(b, b->mem->tx, &b->tx_sdp, buffer, verify ? tag_len(b->load) : 0);
		put_payload(b, b->mem->rx, &b->rx_sdp, buffer, verify ? 0 : tag_len(b->load));
	}
	b->posted++;
}

static void
ring_doorbell(struct bench *b)
{
	__atomic_store_n(&b->regs->doorbell, (uint64_t)b->rx_sdp << 32 | b->tx_sdp,
			 __ATOMIC_RELEASE);
}

static void
reap(struct bench *b)
{
	uint32_t hhp = __atomic_load_n(&b->mem->wb.rsp_hhp, __ATOMIC_ACQUIRE);
	/* The null engine takes each digest as right. */
	bool right = !b->load->verify || b->load->engine == ACCEL_MODEL_ENGINE_NULL;
	uint16_t status = right ? ACCEL_HW_OK : ACCEL_HW_AUTH_FAILED;

	while (b->rsp != hhp) {
		const struct accel_hw_response *rsp = &b->mem->rsp[b->rsp];

		if (rsp->tag != (uint32_t)b->done || rsp->status != status) {
			fprintf(stderr, "response %llu: tag %u, status %u\n",
				(unsigned long long)b->done, rsp->tag, rsp->status);
			exit(1);
		}
		if (b->touch)
			read_payload(b, b->done);
		b->rsp = (b->rsp + 1) & (RSP_RING - 1);
		b->done++;
	}
}

/* Fills in what a context of DOCSIS or PDCP has of its own. Both have IVs of 16 bytes or none. */
static void
fill_protocol(const struct workload *l, struct accel_hw_context *ctx)
{
	if (l->kind == ACCEL_HW_KIND_DOCSIS)
		return;
	ctx->iv_len = 0;
	ctx->auth_key_len = l->auth != 0 ? 16 : 0;
	ctx->pdcp_sn_len = 12;
	ctx->pdcp_bearer = 5;
	ctx->pdcp_direction = 1;
}

/* Fills in what a command of DOCSIS or PDCP has of its own: a whole Ethernet frame with its CRC, or
 * a whole PDU. */
static void
fill_command(const struct workload *l, struct accel_hw_command *cmd)
{
	if (l->kind == ACCEL_HW_KIND_DOCSIS) {
		cmd->flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_AUTH_FIRST;
		cmd->skip = ETHERNET_ADDRESSES;
		cmd->cipher_len = l->len - ETHERNET_ADDRESSES;
		cmd->auth_len = l->len - ACCEL_HW_CRC_LEN;
	} else if (l->kind == ACCEL_HW_KIND_PDCP) {
		cmd->cipher_len = l->len + (l->verify ? tag_len(l) : 0);
		cmd->auth_len = 0;
	}
}

static void
prepare(struct bench *b)
{
	const struct workload *l = b->load;
	struct accel_hw_context *ctx = &b->mem->sa[0].common;

	memset(ctx, 0, sizeof(*ctx));
	ctx->generation = 1;
	ctx->version = ACCEL_HW_CTX_VERSION;
	ctx->kind = l->kind;
	ctx->flags = l->verify ? 0 : ACCEL_HW_CTX_ENCRYPT;
	ctx->cipher_alg = l->cipher;
	ctx->cipher_key_len = 16;
	ctx->iv_len = l->kind == ACCEL_HW_KIND_AEAD ? 12 : 16;
	ctx->auth_alg = l->auth;
	ctx->auth_key_len = l->auth != 0 ? 20 : 0;
	ctx->digest_len = (uint16_t)tag_len(l);
	if (l->kind == ACCEL_HW_KIND_DOCSIS || l->kind == ACCEL_HW_KIND_PDCP)
		fill_protocol(l, ctx);
	for (unsigned int i = 0; i < 2 && l->esp != ESP_NONE; i++)
		esp_fill_sa(&b->mem->sa[i], l->cipher, i == 1);
	for (unsigned int i = 0; i < SLOTS; i++) {
		struct accel_hw_command *cmd = &b->mem->cmd[i];

		memset(cmd, 0, sizeof(*cmd));
		cmd->opcode = l->opcode;
		if (l->opcode == ACCEL_HW_OP_NOP) {
			cmd->flags = ACCEL_HW_CMD_NO_RX;
			continue;
		}
		cmd->context = iova_of(b, ctx);
		cmd->generation = 1;
		cmd->aad_len = (uint16_t)b->aad;
		cmd->flags = l->in_command ? ACCEL_HW_CMD_AAD_IN_COMMAND : 0;
		cmd->cipher_len = l->len;
		cmd->auth_len = l->auth != 0 ? l->len : 0;
		fill_command(l, cmd);
	}
}

/* Returns where a page of a queue pair lies in BAR 0. @p page: 0 of the host, 1 of the device. */
static uint32_t
qp_page(const uint8_t *bar, unsigned int queue, unsigned int page)
{
	const struct accel_hw_identity *id = (const void *)bar;
	const void *fdt = bar + id->dt_offset;
	int node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_QP);

	for (; queue > 0; queue--)
		node = fdt_node_offset_by_compatible(fdt, node, ACCEL_HW_DT_QP);
	return fdt32_to_cpu(((const fdt32_t *)fdt_getprop(fdt, node, "reg", NULL))[2 * page]);
}

static void
turn(struct bench *b)
{
	if (!b->own_thread)
		accel_model_worker_poll(b->model, b->queue);
}

/* Makes a card with a worker for each queue pair. */
static struct accel_model *
make_card(const struct workload *load, unsigned int nb)
{
	struct accel_model_config config = {
		.nb_queue_pairs = nb,
		.nb_workers = nb,
		.engine = load->engine,
		.idle_us = 1000,
	};
	struct accel_model *model;

	if (accel_model_create(&config, &model) != 0)
		exit(1);
	return model;
}

/* Starts the queue pair, with memory of its own. */
static void
start_queue(struct bench *b)
{
	struct accel_function *fn = accel_model_function(b->model, 0);
	uint8_t *bar = accel_function_bar0(fn, NULL, NULL);

	b->regs = (void *)(bar + qp_page(bar, b->queue, 0));
	b->dev = (void *)(bar + qp_page(bar, b->queue, 1));
	b->mem = aligned_alloc(HUGE_PAGE, MEM);
	if (b->mem == NULL ||
	    accel_function_dma_map(fn, iova_of(b, b->mem), b->mem, MEM,
				   ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE) != 0)
		exit(1);
	madvise(b->mem, MEM, MADV_HUGEPAGE); /* DPDK's memory has huge pages, too */
	memset(b->mem, 0, sizeof(*b->mem) - sizeof(b->mem->buffers));
	b->stride = (HEAD + b->load->len + 16 * b->load->segments + 64 + 127) & ~63u;
	prepare(b);
	b->regs->tx_size = RING;
	b->regs->rx_size = RING;
	b->regs->rsp_size = RSP_RING;
	b->regs->tx_base = iova_of(b, b->mem->tx);
	b->regs->rx_base = iova_of(b, b->mem->rx);
	b->regs->rsp_base = iova_of(b, b->mem->rsp);
	b->regs->wb_base = iova_of(b, &b->mem->wb);
	b->regs->wb_count = 32;
	b->regs->wb_timeout_ns = 10000;
	if (b->command_ring) {
		b->regs->command_base = iova_of(b, b->mem->cmd) | ACCEL_HW_QP_COMMAND_BASE_VALID;
		b->regs->command_size = SLOTS;
	}
	b->regs->control = 1u << ACCEL_HW_QP_CMD_SEQ_SHIFT | ACCEL_HW_QP_CMD_START;
	put(b->mem->tx, &b->tx_sdp, iova_of(b, b->mem) >> ACCEL_HW_DESC_REGION_SHIFT);
	put(b->mem->rx, &b->rx_sdp, iova_of(b, b->mem) >> ACCEL_HW_DESC_REGION_SHIFT);
}

static void
start(struct bench *b)
{
	b->model = make_card(b->load, 1);
	start_queue(b);
	memset(b->mem->buffers, 0, sizeof(b->mem->buffers));
}

static void *
device_thread(void *arg)
{
	struct bench *b = arg;

	accel_model_worker_run(b->model, 0, -1);
	return NULL;
}

static void
bind_thread(pthread_t thread, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_setaffinity_np(thread, sizeof(set), &set);
}

struct result {
	double slice[SLICES]; /* ns per operation, sorted */
};

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* What is measured of the device, apart for callgrind. */
static __attribute__((noinline)) void
measured_turn(struct bench *b)
{
	turn(b);
}

static void
post_burst(struct bench *b)
{
	for (unsigned int i = 0; i < b->burst; i++)
		post(b);
	ring_doorbell(b);
}

/* Has the device carry out a burst, which is not measured. */
static void
run_burst(struct bench *b)
{
	post_burst(b);
	while (b->done != b->posted) {
		turn(b);
		reap(b);
	}
}

/* Has the device make the packets that the next operations open. */
static void
seal(struct bench *b)
{
	b->seal = true;
	run_burst(b);
	b->seal = false;
	b->posted -= b->burst;
	b->done -= b->burst;
}

static void
measure_device(struct bench *b, uint64_t ops, struct result *r)
{
	b->own_thread = false;
	turn(b);
	if (b->load->esp == ESP_IN)
		seal(b);
	run_burst(b); /* expands the context, and begins what the engines begin once */
	for (unsigned int slice = 0; slice < SLICES; slice++) {
		uint64_t spent = 0, begin, first = b->done;

		while (b->done - first < ops / SLICES) {
			if (b->load->esp == ESP_IN)
				seal(b);
			post_burst(b);
			do {
				begin = now_ns();
				measured_turn(b);
				spent += now_ns() - begin;
				reap(b);
				/* A turn may leave something, and there must be room for the next
				 * burst. */
			} while (b->posted - b->done >
				 (b->load->esp != ESP_NONE ? 0 : SLOTS - b->burst));
		}
		r->slice[slice] = (double)spent / (double)(b->done - first);
	}
}

static void
measure_pair(struct bench *b, uint64_t ops, int cpu, struct result *r)
{
	pthread_t thread;

	b->own_thread = true;
	pthread_create(&thread, NULL, device_thread, b);
	bind_thread(thread, cpu);
	while (__atomic_load_n(&b->dev->control_ack, __ATOMIC_ACQUIRE) == 0)
		sched_yield();
	for (unsigned int slice = 0; slice < SLICES; slice++) {
		uint64_t begin = now_ns(), first = b->done;

		while (b->done - first < ops / SLICES) {
			if (b->posted - b->done <= SLOTS - b->burst)
				post_burst(b);
			reap(b);
		}
		r->slice[slice] = (double)(now_ns() - begin) / (double)(b->done - first);
	}
	accel_model_stop(b->model);
	pthread_join(thread, NULL);
}

/* Takes the option "NAME N" out of the arguments. Returns N, at most @p most, or 0 without the
 * option. */
static uint32_t
take_option(int *argc, char ***argv, const char *name, uint32_t most)
{
	unsigned long value;

	if (*argc < 3 || strcmp((*argv)[1], name) != 0)
		return 0;
	value = strtoul((*argv)[2], NULL, 0);
	*argc -= 2;
	*argv += 2;
	return value < most ? (uint32_t)value : most;
}

/* A place for callgrind's --dump-before, which a trace of accesses finds, too. */
static __attribute__((noinline)) void
counted_mark(void)
{
	__asm__ volatile("");
}

static int
count(uint64_t ops, const char *name)
{
	for (unsigned int i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++) {
		struct result r;

		if (strcmp(workloads[i].name, name) != 0)
			continue;
		for (unsigned int times = 1; times <= 2; times++) {
			struct bench b = {
				.load = &workloads[i], .aad = workloads[i].aad, .burst = BURST,
			};

			counted_mark();
			start(&b);
			measure_device(&b, times * ops, &r);
			counted_mark();
			accel_model_destroy(b.model);
			free(b.mem);
		}
		return 0;
	}
	fprintf(stderr, "no such workload: %s\n", name);
	return 1;
}

/* Runs bursts on two queue pairs, in turn, each with its own worker. All that both touch, their
 * threads share, except for the stack and what is thread-local. Prints where a trace finds the
 * marks before, between and after them, and where thread-local memory is. */
static int
share(const char *name)
{
	struct bench b[2] = { 0 };

	for (unsigned int i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++) {
		if (strcmp(workloads[i].name, name) == 0)
			b[0].load = &workloads[i];
	}
	if (b[0].load == NULL || b[0].load->esp != ESP_NONE) {
		fprintf(stderr, "no such workload: %s\n", name);
		return 1;
	}
	b[0].model = make_card(b[0].load, 2);
	for (unsigned int i = 0; i < 2; i++) {
		b[i] = (struct bench){ .load = b[0].load, .aad = b[0].load->aad, .burst = BURST,
			.model = b[0].model, .queue = i };
		start_queue(&b[i]);
		turn(&b[i]);
		run_burst(&b[i]);
	}
	printf("%p %p\n", (void *)&counted_mark, (void *)&errno);
	fflush(stdout);
	for (unsigned int i = 0; i < 2; i++) {
		counted_mark();
		for (unsigned int n = 0; n < 4; n++)
			run_burst(&b[i]);
	}
	counted_mark();
	accel_model_destroy(b[0].model);
	free(b[0].mem);
	free(b[1].mem);
	return 0;
}

static int
count_all(uint64_t ops, char **names)
{
	int bad = 0;

	for (; *names != NULL; names++)
		bad |= count(ops, *names);
	return bad;
}

static const char help[] =
	"usage: model-bench --count OPERATIONS WORKLOAD...\n"
	"       model-bench --share WORKLOAD\n"
	"       model-bench [--aad N] [--burst N] [--command-ring 1] [device|pair|touch]\n"
	"                   [OPERATIONS] [HOST-CPU] [DEVICE-CPU] [WORKLOAD]\n"
	"Measures what one operation costs in the model, without a driver.\n"
	"  device  one CPU for host and device (the default); pair: one for each;\n"
	"          touch: pair, and the host reads and writes the payload\n"
	"  OPERATIONS      of each workload (4000000)\n"
	"  WORKLOAD        the name of a workload or a part of it (all)\n"
	"  --aad N         other lengths of the AAD, 1 to 64\n"
	"  --burst N       operations posted at once, 1 to 1024 (32)\n"
	"  --command-ring 1  commands lie in the command ring\n"
	"  --count  one run of each workload between two calls of counted_mark()\n"
	"  --share  two workers with a queue pair each, for tools/py/counts/shared_lines.py\n";

int
main(int argc, char **argv)
{
	char **all = argv;
	const uint32_t aad = take_option(&argc, &argv, "--aad", LINE);
	const uint32_t burst = take_option(&argc, &argv, "--burst", SLOTS / 2);
	const bool command_ring = take_option(&argc, &argv, "--command-ring", 1) != 0;
	bool touch = argc > 1 && strcmp(argv[1], "touch") == 0;
	bool pair = touch || (argc > 1 && strcmp(argv[1], "pair") == 0);
	uint64_t ops = argc > 2 ? strtoull(argv[2], NULL, 0) : 4000000;
	int host_cpu = argc > 3 ? atoi(argv[3]) : 0, device_cpu = argc > 4 ? atoi(argv[4]) : 1;
	const char *part = argc > 5 ? argv[5] : "";

	bench_help(argc, argv, help);
	if (argc > 3 && strcmp(argv[1], "--count") == 0)
		return count_all(ops, argv + 3);
	if (argc == 3 && strcmp(argv[1], "--share") == 0)
		return share(argv[2]);
	if (argc > 1 && !pair && strcmp(argv[1], "device") != 0)
		return bench_wrong(all, argv[1]);
	if (ops == 0 || argc > 6)
		return bench_wrong(all, ops == 0 ? argv[2] : argv[6]);
	bind_thread(pthread_self(), host_cpu);
	printf("%-36s %10s %10s %10s\n", touch ? "touch" : pair ? "pair" : "device", "best ns/op",
	       "Mops/s", "median");
	for (unsigned int i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++) {
		struct bench b = {
			.load = &workloads[i],
			.aad = workloads[i].aad > 0 && aad > 0 ? aad : workloads[i].aad,
			.burst = burst > 0 ? burst : BURST,
			.touch = touch,
			.command_ring = command_ring,
		};
		struct result r;

		if (!is_wanted(&workloads[i], part) ||
		    (pair && workloads[i].esp == ESP_IN))
			continue;
		start(&b);
		if (pair)
			measure_pair(&b, ops, device_cpu, &r);
		else
			measure_device(&b, ops, &r);
		qsort(r.slice, SLICES, sizeof(r.slice[0]), by_value);
		printf("%-36s %10.1f %10.2f %10.1f\n", b.load->name, r.slice[0], 1000 / r.slice[0],
		       r.slice[SLICES / 2]);
		fflush(stdout);
		accel_model_destroy(b.model);
		free(b.mem);
	}
	return 0;
}
