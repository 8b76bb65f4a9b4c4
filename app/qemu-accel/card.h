/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs the card behind the functions: the model and its threads. The PF makes the card. Each
 * function holds a reference to it, because QEMU may use the memory of a BAR until its function is
 * finalized.
 */
#ifndef QEMU_ACCEL_CARD_H
#define QEMU_ACCEL_CARD_H

#include "accel_model.h"

#define CARD_VFS_MAX 16u

/* Holds the properties of accel-pf. Options of accel-device have the same names, values and
 * defaults. */
struct card_options {
	uint32_t vfs;
	uint32_t queue_pairs;
	uint32_t workers;
	char *cores; /* "2:4-5": CPUs, a worker on each; or NULL */
	char *engine; /* or NULL: auto */
	char *faults; /* or NULL */
	uint64_t peak_ops;
	uint64_t peak_bytes;
	uint32_t idle_us;
	uint32_t pk_share; /* percent */
	uint32_t ctx_cache;
	uint64_t serial;
	bool posted_writes;
	bool verbose;
};

struct card_worker {
	struct card *card;
	unsigned int index;
	int cpu; /* -1: any */
	QemuThread thread;
	QemuThread engine; /* for public keys */
};

struct card {
	struct accel_model *model;
	unsigned int users; /* guarded by QEMU's big lock */
	unsigned int nb_workers;
	unsigned int nb_threads;
	struct card_worker worker[ACCEL_MODEL_MAX_WORKERS];
	bool verbose;
	QLIST_ENTRY(card) next; /* link in the list of cards that run */
};

/** Create a card with one reference. Its threads do not run yet. @return NULL if errp was set. */
struct card *card_create(const struct card_options *options, Error **errp);

/** Start the card's threads. */
void card_run(struct card *card);

/** End the card's threads. The card stays, but does no more work. */
void card_stop(struct card *card);

struct card *card_get(struct card *card);

/** Give a reference back. The last one wipes and frees the card. NULL is allowed. */
void card_put(struct card *card);

#endif /* QEMU_ACCEL_CARD_H */
