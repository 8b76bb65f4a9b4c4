/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * The card that the soak test plugs: the embedded device (card_embedded.c), or a function of an
 * accel-device that the test starts and kills (card_daemon.c), reached by test/client.
 */

#ifndef CARD_H
#define CARD_H

#include "e2e.h"

struct soak_card {
	const char *device;	/* name for the virtual bus */
	/** Write the device arguments of one life: "KEY=VALUE,...". Returns their length. */
	int (*args)(struct e2e_rng *r, unsigned int queue_pairs, char *text, size_t size);
	/** Inject a fault. Returns 0 or a negative errno. */
	int (*fault)(uint8_t dev, const char *text);
	/** Kill the card's process; its keeper starts it again. NULL: it has none. */
	int (*kill)(void);
	void (*end)(void);
};

extern const struct soak_card soak_card_embedded;
/** What all embedded devices get for "cores", or NULL: most get the default. With "inline" the
 * test's thread does the device's work, so a busy machine slows both down alike. */
extern const char *soak_embedded_cores;

/**
 * Start accel-device.
 *
 * @param program path of accel-device.
 * @param cpu that it runs on.
 * @return the card, or NULL if it does not start.
 */
const struct soak_card *soak_card_daemon(const char *program, const char *cpu);

#endif /* CARD_H */
