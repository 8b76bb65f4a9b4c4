/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Declares what the files of the end-to-end test share: the tests, and many small operations. The
 * context that every test gets, and operations with a known result, are in lib/e2e.
 */

#ifndef E2E_H
#define E2E_H

#include "e2e_op.h"

/* ------------------------------------------------------------------ the tests (main.c) */

struct e2e_test {
	const char *name;
	int (*run)(struct e2e *t, const void *arg);
	const void *arg;
	bool accel_only;
};

/* Adds a test to the list. Each file adds its own. */
void e2e_add(const char *name, int (*run)(struct e2e *, const void *), const void *arg,
	     bool accel_only);
void e2e_add_kat(void);
/* Adds a test for each file of vectors. The folder may be NULL. */
void e2e_add_kat_files(const char *folder);
void e2e_add_caps(void);
void e2e_add_layouts(void);
void e2e_add_bits(void);
void e2e_add_data_unit(void);
void e2e_add_digest_encrypted(void);
void e2e_add_sessionless(void);
void e2e_add_raw(void);
void e2e_add_protocols(void);
void e2e_add_ipsec(void);
void e2e_add_control(void);
void e2e_add_lifecycle(void);
void e2e_add_traffic(void);
void e2e_add_badops(void);
void e2e_add_threads(void);
void e2e_add_faults(void);
void e2e_add_heal(void);
void e2e_add_interop(void);	/* test/interop */
/* The command breaks the device for good. It may be NULL. */
void e2e_add_pci(const char *command);
/* With the command that breaks the device, or NULL. */
void e2e_add_pk(const char *command);

/* ------------------------------------------------------------------ many small ops (bulk.c) */

/*
 * Holds n operations of 16..64 bytes in ordinary mbufs, for tests about queues rather than layouts.
 * Each has its own data and a result by OpenSSL.
 */
struct e2e_bulk {
	unsigned int n, len;
	struct rte_mempool *op_mp, *mbuf_mp;
	struct rte_crypto_op **op;
	struct rte_mbuf **mbuf;
	uint8_t *expect;	/* n * len bytes */
	uint8_t *seen;		/* how often each op came back */
	struct e2e_session *ses;
	struct rte_crypto_sym_xform xf[2];	/* transforms of sessionless ops */
	struct e2e_rng rng;	/* of the thread that has these operations */
};

int e2e_bulk_open(struct e2e *t, uint8_t dev, unsigned int n, unsigned int len,
		  struct e2e_bulk *b);
void e2e_bulk_close(struct e2e_bulk *b);
/* Makes all later ops sessionless. */
void e2e_bulk_sessionless(struct e2e_bulk *b);
/* Fills all ops with new data. None of them counts as seen. */
void e2e_bulk_reset(struct e2e_bulk *b);
unsigned int e2e_bulk_index(const struct e2e_bulk *b, struct rte_crypto_op *op);
/* Checks that op has number `i`, ended with success, has right data, and comes back for the first
 * time. */
int e2e_bulk_check(struct e2e *t, struct e2e_bulk *b, unsigned int i,
		   struct rte_crypto_op *op);

int e2e_memory_print(struct e2e *t);
int e2e_memory_measure(struct e2e *t, uint64_t *per_qp, uint64_t *per_session);

/* ------------------------------------------------------------------ own devices (vdev.c) */

/* Is the device under test the embedded one, which injects faults and can be plugged again? */
bool e2e_is_embedded(const struct e2e *t);
/* Plugs a device, runs a function with it, and removes it. Skips without the embedded device. */
int e2e_with_vdev(struct e2e *t, const char *name, const char *devargs,
		  int (*run)(struct e2e *t, const void *arg, uint8_t dev), const void *arg);

#endif /* E2E_H */
