/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A device that lies. It reads what the driver writes as the manual says, and checks that it may:
 * descriptors, commands and contexts that a device would take for broken, or that lead to memory
 * which does not belong to the operation, end the run. What it writes is up to the input: honest
 * answers, wrong ones, anything in its registers, its device tree and the memory of a queue pair,
 * nothing at all.
 *
 * It has no access to a queue pair's memory once it has said that the queue pair is stopped, that
 * the function was reset, or when it is taken off the bus. Up to then an operation without an
 * answer shall not come back.
 */
#ifndef FUZZ_LIAR_H
#define FUZZ_LIAR_H

#include <stdbool.h>
#include <stdint.h>

#include <cryptodev_pmd.h>

#include "accel_args.h"
#include "accel_dev.h"
#include "hw/accel_hw.h"

#define CALL_RANGES 40u

/* Memory that the device may use for one operation. */
struct call_range {
	uint64_t iova;
	uint32_t len;
	bool writable;
	uint8_t *va; /* NULL: the caller has lied about it, so it is not touched */
};

/* An operation of the caller. */
struct call {
	struct rte_crypto_op *op; /* NULL: one of the raw data path */
	bool held; /* by the driver */
	bool asym;
	uint8_t qp;
	uint8_t kind; /* of its session */
	bool impossible; /* it must not succeed */
	bool asked; /* the device has read its request */
	bool answered; /* a response for it was there, and the pointer was behind it */
	bool succeeded; /* the same, and its status was OK */
	bool failed_too; /* as answered, and its status was something else */
	unsigned int nb_ranges;
	struct call_range range[CALL_RANGES];
	void *memory[24];
	unsigned int nb_memory;
	void *session;
};

/** The call of an operation or of user data, which is not looked into; NULL: there is none. */
typedef struct call *(*liar_find_t)(uintptr_t op, bool raw);

/** Build the pages of BAR0 from those of the reference device, for each contract. Once. */
void liar_start(void);

/**
 * Plug the device in. It may lie from the first register on.
 *
 * @param version minor version of the contract.
 * @param used    an earlier process has used it: queue pairs may run, a reset may be under way, and
 *                the host's pages have what that process wrote.
 * @return the cryptodev; NULL if the driver does not take it. It has to take an honest device,
 *         unless the arguments have shares of VFs, which the device may lack.
 */
struct rte_cryptodev *liar_plug(unsigned int version, const struct accel_args *args,
				liar_find_t find, bool used);

/** Unplug it. It is honest from here on. */
void liar_unplug(void);

/** The same with a device that stays plugged in, and of which the driver knows nothing yet. */
struct rte_cryptodev *liar_take(unsigned int version, const struct accel_args *args,
				liar_find_t find);

/** Close it. It is honest from here on. */
void liar_leave(void);

/** Let the device do something that the input decides. */
void liar_act(void);

/** Let the device do its work: commands of the host, requests. It answers nothing by itself. */
void liar_visit(void);

/** Let the device answer everything as it should. */
void liar_answer_all(void);

/** Make the device honest from now on, and alive. */
void liar_behave(void);

/** Has the device been honest since it was plugged in? */
bool liar_was_honest(void);

/** Has the device still access to the request of this call? */
bool liar_holds(const struct call *call);

/** The call was given back. */
void liar_forget(const struct call *call);

/** A device tree that the input has made or changed, for free(). */
uint8_t *liar_tree_spoilt(size_t *len);

#endif /* FUZZ_LIAR_H */
