/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles a function under test: its registers, waits, and the state between two tests.
 *
 * A wait ends without success when the device had time enough: its heartbeat changed through three
 * seconds, or it did not change for ten, or the command line's limit was reached. So a device that
 * is late because its CPU is busy passes, and a dead device does not hang the program.
 */
#ifndef CONF_CARD_H
#define CONF_CARD_H

#include <stdbool.h>
#include <stdint.h>

#include <accel_hw.h>

#include "memory.h"
#include "result.h"
#include "transport/transport.h"
#include "tree.h"

#define CARD_LINES 32u

/* Holds PCI ids, which the maker of a card may choose (manual 3.1). */
struct card_ids {
	uint32_t vendor;
	uint32_t pf;
	uint32_t vf;
};

struct card {
	struct transport *transport;
	struct tree tree;
	struct memory memory;
	struct result result;
	uint64_t seed;
	uint64_t random; /* state of card_random() */
	uint32_t generation; /* generation of the latest context */
	struct card *other; /* another function of the same card, or NULL */
	struct card *pf; /* registers of a virtual function's physical function, or NULL */
	const char *vfio; /* DDDD:BB:DD.F if vfio-pci has the function, else NULL */
	const char *owner; /* a command that does what the owner of the PF does, or NULL */
	struct card_ids ids;
	bool fatal; /* the card is prepared to fail at its first operation */
	unsigned int limit_s; /* the longest wait */
	bool dead; /* the function did not come back from a reset */
	bool verbose;
	const char *death; /* why the function is dead */
	unsigned int nb_lines; /* write-back lines that the present test has used */
	uint64_t line[CARD_LINES];
};

/** Fail the present test if a condition does not hold, and leave the function. */
#define CHECK(card, condition, ...)                                                                \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			result_fail(&(card)->result, __VA_ARGS__);                                 \
			return;                                                                    \
		}                                                                                  \
	} while (0)

/** Fail the present test if a condition does not hold, and return false. */
#define ENSURE(card, condition, ...)                                                               \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			result_fail(&(card)->result, __VA_ARGS__);                                 \
			return false;                                                              \
		}                                                                                  \
	} while (0)

/** Leave a test that does not apply to this card. */
#define SKIP_UNLESS(card, condition, ...)                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			result_skip(&(card)->result, __VA_ARGS__);                                 \
			return;                                                                    \
		}                                                                                  \
	} while (0)

/* Read and write registers at offsets in BAR0. An offset beyond the end of BAR0 reads as all
 * ones. */
uint32_t card_read32(const struct card *c, uint64_t offset);
uint64_t card_read64(const struct card *c, uint64_t offset);
void card_write32(const struct card *c, uint64_t offset, uint32_t value);
void card_write64(const struct card *c, uint64_t offset, uint64_t value);

/* Read registers of the identity page, and write RESET_REQ of the function control page. */
uint32_t card_identity(const struct card *c, uint32_t offset);
uint64_t card_heartbeat(const struct card *c);
void card_request_reset(struct card *c, uint32_t number);

/** Tell the device to drop its copy of the context at an address, as the tree says (manual 8.4).
 * The value differs from the one before. */
void card_drop(struct card *c, uint64_t context, uint32_t value);

#define PATIENCE_TICK_MS 10u

/** Describes a wait for the device, which ends as the head of this file says. Its times are those
 * of waited_ns(). */
struct patience {
	struct card *card;
	uint64_t begin_ns;
	uint64_t tick_ns; /* when the heartbeat was read last */
	uint64_t changed_ns; /* when the heartbeat was seen to change last */
	uint64_t beat;
	unsigned int live; /* number of reads that found it changed, PATIENCE_TICK_MS apart */
	unsigned int rounds;
};

void patience_begin(struct patience *p, struct card *c);

/** Rest for a moment. @return false: the wait is over. */
bool patience_left(struct patience *p);

/** Go on without a rest, to see something short. @return false: the wait is over. */
bool patience_spin(struct patience *p);

/** Wait until (register & mask) == value. */
bool card_wait32(struct card *c, uint64_t offset, uint32_t mask, uint32_t value);

/** Wait until the device had time for some rounds of work, to see whether it does what it shall
 * not. */
void card_settle(struct card *c);

/** Bring the card into the state in which a test begins: reset, memory with a pattern. */
bool card_prepare(struct card *c);

/** Request a reset and wait for its echo. */
bool card_reset(struct card *c);

/** Do a function level reset, and wait until the function is ready. Memory space and bus master are
 * on again then. */
bool card_flr(struct card *c);

/** Switch memory space and bus master on or off. */
bool card_command(struct card *c, bool memory, bool master);

/* Read and write the configuration space. If a read fails, it returns all ones. */
uint32_t card_config(struct card *c, uint32_t offset, unsigned int bytes);
bool card_config_write(struct card *c, uint32_t offset, uint32_t value, unsigned int bytes);

/** Return the offset of a PCI capability, or 0 if there is none. */
uint32_t card_capability(struct card *c, uint8_t id);

uint64_t card_random(struct card *c);
uint64_t now_ns(void);

/** Read the time that this thread has waited. It grows by at most 20 ms from one call to the next,
 * so a card is not called late because this machine stood still. */
uint64_t waited_ns(void);

#endif /* CONF_CARD_H */
