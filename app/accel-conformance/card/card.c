/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles a function under test: see card.h.
 */
#include <linux/pci_regs.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "card.h"

#define NS_PER_S UINT64_C(1000000000)
#define TICK_NS (PATIENCE_TICK_MS * UINT64_C(1000000)) /* time between two looks at the heartbeat */
#define LIVE_TICKS 300u /* looks with a change, after which the device had three seconds */
#define SILENCE_NS (10 * NS_PER_S)
#define SETTLE_BEATS 3u
#define SPINS 64u /* looks at a register before the first rest */
#define LOOK_NS UINT64_C(20000000) /* the most that waited_ns() counts from one call to the next */

uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

uint64_t
waited_ns(void)
{
	static __thread uint64_t waited, last;
	const uint64_t now = now_ns();

	waited += now - last < LOOK_NS ? now - last : LOOK_NS;
	last = now;
	return waited;
}

static void
rest(uint64_t ns)
{
	const struct timespec ts = { .tv_nsec = (long)ns };

	nanosleep(&ts, NULL);
}

/* The functions below read and write registers. */

static volatile uint8_t *
reg(const struct card *c, uint64_t offset, uint64_t bytes)
{
	uint64_t size = c->transport->bar_size;

	return offset <= size && bytes <= size - offset ? c->transport->bar + offset : NULL;
}

uint32_t
card_read32(const struct card *c, uint64_t offset)
{
	const volatile void *p = reg(c, offset, 4);
	uint32_t value = p != NULL ? *(const volatile uint32_t *)p : UINT32_MAX;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return value;
}

uint64_t
card_read64(const struct card *c, uint64_t offset)
{
	const volatile void *p = reg(c, offset, 8);
	uint64_t value = p != NULL ? *(const volatile uint64_t *)p : UINT64_MAX;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return value;
}

/* Write a register. Everything that was written to DMA memory is visible before. */
void
card_write32(const struct card *c, uint64_t offset, uint32_t value)
{
	volatile void *p = reg(c, offset, 4);

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (p != NULL)
		*(volatile uint32_t *)p = value;
}

void
card_write64(const struct card *c, uint64_t offset, uint64_t value)
{
	volatile void *p = reg(c, offset, 8);

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (p != NULL)
		*(volatile uint64_t *)p = value;
}

uint32_t
card_identity(const struct card *c, uint32_t offset)
{
	return card_read32(c, offset);
}

uint64_t
card_heartbeat(const struct card *c)
{
	return card_read64(c, offsetof(struct accel_hw_identity, heartbeat));
}

void
card_request_reset(struct card *c, uint32_t number)
{
	card_write32(c, c->tree.control + offsetof(struct accel_hw_control, reset_req), number);
}

void
card_drop(struct card *c, uint64_t context, uint32_t value)
{
	const uint32_t drop_all = c->tree.control + offsetof(struct accel_hw_control, drop_all);
	const uint32_t word = c->tree.invalidate + 4 * ACCEL_HW_INVALIDATE_INDEX(context);

	card_write32(c, c->tree.drop_all ? drop_all : word, value);
}

/* The functions below wait. */

void
patience_begin(struct patience *p, struct card *c)
{
	memset(p, 0, sizeof(*p));
	p->card = c;
	p->begin_ns = p->tick_ns = p->changed_ns = waited_ns();
	p->beat = card_heartbeat(c);
}

/* Return the looks with a change after which a wait ends: three seconds, or twice the time that the
 * device may take for an operation (LIFE-5). */
static unsigned int
live_ticks(const struct tree *t)
{
	const unsigned int operation = 2 * t->operation_ms / PATIENCE_TICK_MS;

	return operation > LIVE_TICKS ? operation : LIVE_TICKS;
}

/* True if the wait goes on. This looks at the clock and, now and then, at the heartbeat. */
static bool
time_left(struct patience *p)
{
	uint64_t now = waited_ns(), beat;

	if (now - p->tick_ns >= TICK_NS) {
		p->tick_ns = now;
		beat = card_heartbeat(p->card);
		if (beat != p->beat) {
			p->beat = beat;
			p->changed_ns = now;
			p->live++;
		}
	}
	return p->live < live_ticks(&p->card->tree) && now - p->changed_ns < SILENCE_NS &&
		now - p->begin_ns < p->card->limit_s * NS_PER_S;
}

bool
patience_left(struct patience *p)
{
	if (p->rounds++ < SPINS)
		return true;
	rest(p->rounds < 1000 ? 20000 : 200000);
	return time_left(p);
}

bool
patience_spin(struct patience *p)
{
	return ++p->rounds % SPINS != 0 || time_left(p);
}

bool
card_wait32(struct card *c, uint64_t offset, uint32_t mask, uint32_t value)
{
	struct patience p;

	patience_begin(&p, c);
	while ((card_read32(c, offset) & mask) != value) {
		if (!patience_left(&p))
			return (card_read32(c, offset) & mask) == value;
	}
	return true;
}

void
card_settle(struct card *c)
{
	struct patience p;
	uint64_t beat = card_heartbeat(c);
	unsigned int changes = 0;

	patience_begin(&p, c);
	while (changes < SETTLE_BEATS && patience_left(&p)) {
		uint64_t now = card_heartbeat(c);

		if (now != beat)
			changes++;
		beat = now;
	}
}

/* These functions bring the card from one test to the next. */

bool
card_reset(struct card *c)
{
	const uint32_t ack = offsetof(struct accel_hw_identity, reset_ack);
	uint32_t number = card_identity(c, ack) + 1;

	card_request_reset(c, number);
	return card_wait32(c, ack, UINT32_MAX, number);
}

bool
card_command(struct card *c, bool memory, bool master)
{
	uint32_t value = card_config(c, PCI_COMMAND, 2);

	value &= ~(uint32_t)(PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
	value |= (memory ? PCI_COMMAND_MEMORY : 0) | (master ? PCI_COMMAND_MASTER : 0);
	return card_config_write(c, PCI_COMMAND, value, 2);
}

bool
card_flr(struct card *c)
{
	return c->transport->ops->reset(c->transport) == 0 && card_command(c, true, true) &&
		card_wait32(c, offsetof(struct accel_hw_identity, state), UINT32_MAX,
			    ACCEL_HW_STATE_READY);
}

static bool
map_all(struct card *c)
{
	for (int i = 0; i < MEMORY_NB; i++) {
		if (memory_map(&c->memory, c->transport, (enum memory_area)i) != 0)
			return false;
	}
	return true;
}

/* Reset a function that is ready. The tree says where RESET_REQ is. */
static bool
reset_ready(struct card *c)
{
	return card_identity(c, offsetof(struct accel_hw_identity, state)) ==
		ACCEL_HW_STATE_READY && tree_load(&c->tree, c->transport) && card_reset(c) &&
		tree_load(&c->tree, c->transport);
}

static bool
is_master(struct card *c)
{
	return (card_config(c, PCI_COMMAND, 2) & PCI_COMMAND_MASTER) != 0;
}

bool
card_prepare(struct card *c)
{
	/* If the physical function is opened together with a VF, only its registers are used. */
	const bool registers = c->memory.va == NULL;

	if (c->dead)
		return false;
	c->death = "memory cannot be mapped, or the configuration space not be written";
	if (registers)
		c->dead = !card_command(c, true, is_master(c));
	else
		c->dead = !map_all(c) || !card_command(c, true, true);
	if (!c->dead && !reset_ready(c) && (!card_flr(c) || !reset_ready(c))) {
		c->death = c->tree.error[0] != '\0' ? c->tree.error :
			"it is not ready, or echoes no reset, after a function level reset";
		c->dead = true;
	}
	if (!c->dead && !registers)
		memory_begin(&c->memory, card_random(c));
	return !c->dead;
}

/* The functions below read and write the configuration space. */

uint32_t
card_config(struct card *c, uint32_t offset, unsigned int bytes)
{
	uint8_t raw[4] = { 0 };
	uint32_t value = 0;

	if (c->transport->ops->config_read(c->transport, offset, raw, bytes) != 0)
		return UINT32_MAX;
	for (unsigned int i = 0; i < bytes; i++)
		value |= (uint32_t)raw[i] << (8 * i);
	return value;
}

bool
card_config_write(struct card *c, uint32_t offset, uint32_t value, unsigned int bytes)
{
	uint8_t raw[4];

	for (unsigned int i = 0; i < 4; i++)
		raw[i] = (uint8_t)(value >> (8 * i));
	return c->transport->ops->config_write(c->transport, offset, raw, bytes) == 0;
}

uint32_t
card_capability(struct card *c, uint8_t id)
{
	uint32_t at = card_config(c, PCI_CAPABILITY_LIST, 1);

	if ((card_config(c, PCI_STATUS, 2) & PCI_STATUS_CAP_LIST) == 0)
		return 0;
	for (int i = 0; i < 48 && at >= PCI_STD_HEADER_SIZEOF; i++) {
		at &= 0xfcu;
		if (card_config(c, at, 1) == id)
			return at;
		at = card_config(c, at + 1, 1);
	}
	return 0;
}

/* Return the next number of splitmix64, as published by Sebastiano Vigna. */
uint64_t
card_random(struct card *c)
{
	uint64_t z = c->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}
