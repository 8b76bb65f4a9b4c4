/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A hostile guest in a thread. It connects again and again, sends messages that are almost right,
 * writes anywhere in BAR0, and runs queue pairs on memory that it changes, unmaps and truncates
 * meanwhile.
 */
#ifndef TEST_VFIO_ATTACK_H
#define TEST_VFIO_ATTACK_H

#include "guest.h"

struct attack {
	const char *path;
	uint64_t seed;
	uint32_t stop; /* shared */
	unsigned int rounds; /* shared */
};

static inline void
random_bytes(uint64_t *rnd, uint8_t *to, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		to[i] = (uint8_t)random_next(rnd);
}

/* Sends messages that are almost right. */
static inline void
attack_messages(struct wire *c, uint64_t *rnd)
{
	uint8_t payload[256];
	int fds[10];
	unsigned int nb = random_below(rnd, 3);

	for (unsigned int i = 0; i < nb; i++) {
		fds[i] = memfd_create("x", MFD_CLOEXEC);
		if (ftruncate(fds[i], (off_t)(random_next(rnd) & 0x3fffff)) != 0)
			nb = i;
	}
	random_bytes(rnd, payload, sizeof(payload));
	if (random_below(rnd, 2) == 0)
		memset(payload, 0, 4 + random_below(rnd, 60));
	payload[0] = (uint8_t)random_below(rnd, 64);
	client_send(c, (uint16_t)random_below(rnd, 20), random_below(rnd, 20) == 0 ? 0x10 : 0,
		    payload, random_below(rnd, 80), fds, nb);
	for (unsigned int i = 0; i < nb; i++)
		close(fds[i]);
}

/* Writes random words to BAR0, so that some are start commands. */
static inline void
attack_bar(uint8_t *bar, size_t size, uint64_t *rnd)
{
	for (int i = 0; i < 2000; i++) {
		size_t at = random_below(rnd, (uint32_t)size / 8) * 8;
		uint64_t value = random_next(rnd) >> random_below(rnd, 64);

		__atomic_store_n((uint64_t *)(void *)(bar + at), value, __ATOMIC_RELAXED);
	}
}

/* The attacker's memory begins at IOVA 0. */
#define ATTACK_MEM (1u << 20)
#define ATTACK_TX 0x0u
#define ATTACK_RX 0x1000u
#define ATTACK_RSP 0x2000u
#define ATTACK_WB 0x3000u
#define ATTACK_CONTEXTS 0x10000u
#define ATTACK_COMMANDS 0x20000u
#define ATTACK_SLOTS 256u

static inline uint64_t
attack_address(uint64_t *rnd)
{
	return random_below(rnd, 64) == 0 ? random_next(rnd) : random_below(rnd, ATTACK_MEM + 4096);
}

/* Makes a context that is almost right. */
static inline void
attack_context(uint8_t *at, uint32_t generation, uint64_t *rnd)
{
	static const uint16_t key[] = { 0, 8, 16, 16, 16, 24, 32, 32, 64 };
	struct accel_hw_context ctx;

	memset(&ctx, 0, sizeof(ctx));
	random_bytes(rnd, ctx.cipher_key, sizeof(ctx.cipher_key));
	random_bytes(rnd, ctx.auth_key, sizeof(ctx.auth_key));
	ctx.generation = generation;
	ctx.version = 1;
	ctx.kind = (uint8_t)(1 + random_below(rnd, 5));
	ctx.flags = (uint8_t)random_below(rnd, 4);
	ctx.cipher_alg = ctx.kind == ACCEL_HW_KIND_AUTH ? 0 :
		(uint16_t)((ctx.kind == ACCEL_HW_KIND_AEAD ? 192 : 1) + random_below(rnd, 18));
	ctx.auth_alg = ctx.kind == ACCEL_HW_KIND_CIPHER || ctx.kind == ACCEL_HW_KIND_AEAD ? 0 :
		(uint16_t)(64 + random_below(rnd, 30));
	ctx.cipher_key_len = ctx.cipher_alg != 0 ? key[random_below(rnd, 9)] : 0;
	ctx.auth_key_len = ctx.auth_alg != 0 ? key[random_below(rnd, 9)] : 0;
	ctx.iv_len = ctx.cipher_alg != 0 ? (uint8_t)(random_below(rnd, 3) * 4 + 8) : 0;
	ctx.auth_iv_len = random_below(rnd, 4) == 0 ? 16 : 0;
	ctx.digest_len = ctx.kind == ACCEL_HW_KIND_CIPHER ? 0 :
		(uint16_t)(4 + 4 * random_below(rnd, 6));
	if (random_below(rnd, 8) == 0)
		((uint8_t *)&ctx)[random_below(rnd, 64)] ^= (uint8_t)(1u << random_below(rnd, 8));
	memcpy(at, &ctx, sizeof(ctx));
}

static inline void
attack_command(uint8_t *at, uint64_t *rnd)
{
	struct accel_hw_command cmd;
	uint32_t which = random_below(rnd, 64);

	random_bytes(rnd, (uint8_t *)&cmd, sizeof(cmd));
	cmd.opcode = (uint8_t)(random_below(rnd, 10) == 0 ? random_below(rnd, 5) : 3);
	cmd.flags = random_below(rnd, 3) == 0 ? (uint8_t)random_below(rnd, 16) : 0;
	cmd.aad_len = random_below(rnd, 2) == 0 ? (uint16_t)random_below(rnd, 64) : 0;
	cmd.context = random_below(rnd, 50) == 0 ? attack_address(rnd) :
		ATTACK_CONTEXTS + which * 512;
	cmd.generation = which;
	cmd.skip = random_below(rnd, 2) == 0 ? random_below(rnd, 256) : 0;
	cmd.cipher_len = 16 * random_below(rnd, 256);
	cmd.auth_len = random_below(rnd, 2) == 0 ? cmd.cipher_len : random_below(rnd, 4096);
	memcpy(at, &cmd, sizeof(cmd));
}

/* Makes frames of a command and up to four fragments, some with a mistake. */
static inline void
attack_rings(uint8_t *mem, uint64_t *rnd)
{
	uint64_t *tx = (uint64_t *)(void *)(mem + ATTACK_TX);
	uint64_t *rx = (uint64_t *)(void *)(mem + ATTACK_RX);
	uint32_t left = 0;

	for (uint32_t i = 0; i < ATTACK_SLOTS; i++) {
		uint64_t next = left > 1 ? NEXT : 0;

		if (i == 0 || random_below(rnd, 100) == 0)
			tx[i] = rx[i] = random_below(rnd, 20) == 0 ? random_next(rnd) : DESC0(0);
		else if (left == 0) {
			left = 1 + random_below(rnd, 5);
			tx[i] = DESC2(ATTACK_COMMANDS + 64 * random_below(rnd, 256), 64,
				      COMMAND | (left > 1 ? NEXT : 0));
		} else {
			tx[i] = DESC2(attack_address(rnd), 1 + random_below(rnd, 4096), next);
		}
		if (i != 0)
			rx[i] = DESC2(attack_address(rnd), 1 + random_below(rnd, 8192),
				      random_below(rnd, 3) == 0 ? NEXT : 0);
		if (left > 0)
			left--;
		if (random_below(rnd, 200) == 0)
			tx[i] ^= UINT64_C(1) << random_below(rnd, 64);
	}
}

/* Runs queue pairs on the attacker's memory while it changes. */
static inline void
attack_queues(struct wire *c, uint8_t *bar, uint8_t *mem, uint64_t *rnd)
{
	for (uint32_t i = 0; i < 64; i++)
		attack_context(mem + ATTACK_CONTEXTS + i * 512, i, rnd);
	for (uint32_t i = 0; i < 256; i++)
		attack_command(mem + ATTACK_COMMANDS + i * 64, rnd);
	attack_rings(mem, rnd);
	for (uint32_t n = 0; n < 4; n++) {
		struct accel_hw_qp_host *q = (void *)(bar + (3 + 2 * n) * ACCEL_HW_PAGE_SIZE);

		wr64(&q->doorbell, 0);
		wr32(&q->tx_size, ATTACK_SLOTS);
		wr32(&q->rx_size, ATTACK_SLOTS);
		wr32(&q->rsp_size, ATTACK_SLOTS);
		wr64(&q->tx_base, ATTACK_TX);
		wr64(&q->rx_base, ATTACK_RX);
		wr64(&q->rsp_base, ATTACK_RSP);
		wr64(&q->wb_base, ATTACK_WB);
		wr32(&q->control, (rd32(&q->control) & ~0xffu) + 0x100 + ACCEL_HW_QP_CMD_START);
	}
	for (int i = 0; i < 300; i++) {
		struct accel_hw_qp_host *q = (void *)(bar + (3 + 2 * random_below(rnd, 4)) *
						      ACCEL_HW_PAGE_SIZE);
		uint32_t slot = random_below(rnd, 256);

		wr64(&q->doorbell, (uint64_t)random_below(rnd, 257) << 32 | random_below(rnd, 257));
		attack_context(mem + ATTACK_CONTEXTS + (slot & 63) * 512, slot & 63, rnd);
		attack_command(mem + ATTACK_COMMANDS + slot * 64, rnd);
		if (random_below(rnd, 20) == 0)
			wr32(&q->control, (rd32(&q->control) & ~0xffu) + 0x100 +
				     random_below(rnd, 5));
		if (random_below(rnd, 40) == 0)
			client_unmap(c, random_below(rnd, 256) * 4096, 4096, 0);
	}
}

static inline void
attack_once(const struct attack *a, uint64_t *rnd)
{
	struct vu_header header;
	struct wire c;
	size_t size;
	uint8_t *bar, *p;
	int mem;

	if (!client_connect(&c, a->path))
		return;
	if (random_below(rnd, 8) != 0 && client_hello(&c)) {
		mem = memfd_create("attacker", MFD_CLOEXEC);
		bar = guest_map_bar(&c, &size);
		if (mem >= 0 && bar != NULL && ftruncate(mem, ATTACK_MEM) == 0) {
			p = mmap(NULL, ATTACK_MEM, PROT_READ | PROT_WRITE, MAP_SHARED, mem, 0);
			client_map(&c, 0, ATTACK_MEM, mem, 0, GUEST_RW);
			client_enable(&c);
			for (unsigned int i = random_below(rnd, 4); i > 0; i--)
				attack_queues(&c, bar, p, rnd);
			munmap(p, ATTACK_MEM);
			attack_bar(bar, size, rnd);
			if (ftruncate(mem, random_below(rnd, 3) * 4096) != 0)
				attack_bar(bar, size, rnd);
			for (unsigned int i = random_below(rnd, 60); i > 0; i--)
				attack_messages(&c, rnd);
			attack_bar(bar, size, rnd);
			munmap(bar, size);
		}
		close(mem);
	}
	random_bytes(rnd, (uint8_t *)&header, sizeof(header));
	client_write(&c, &header, random_below(rnd, 17), NULL, 0);
	wire_close(&c);
}

static inline void *
attack(void *arg)
{
	struct attack *a = arg;
	uint64_t rnd = a->seed;

	while (__atomic_load_n(&a->stop, __ATOMIC_RELAXED) == 0) {
		attack_once(a, &rnd);
		__atomic_add_fetch(&a->rounds, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

#endif /* TEST_VFIO_ATTACK_H */
