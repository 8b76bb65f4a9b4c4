/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Shares of virtual functions and their mailboxes (manual 4.5 and 4.8). The PF's host writes the
 * shares, answers and PF_STATE; the host of a VF writes requests. Worker 0 carries what is new from
 * one side to the other. Rates and weights change at once, queue pairs and algorithms when the VF
 * is reset.
 */
#ifndef ACCEL_MODEL_VF_H
#define ACCEL_MODEL_VF_H

#include "model/model.h"

#define VF_PER_PAGE (ACCEL_HW_PAGE_SIZE / (uint32_t)sizeof(struct accel_hw_vf_resources))

/** Return how many virtual functions the card has. */
static inline unsigned int
vf_count(const struct accel_model *m)
{
	return m->config.nb_functions - 1;
}

/** Return how many pages the resource table has, and also each region of the PF's mailbox. */
static inline uint32_t
vf_pages(const struct accel_model *m)
{
	return (vf_count(m) + VF_PER_PAGE - 1) / VF_PER_PAGE;
}

/** Return how many queue pairs the card has for its virtual functions. */
unsigned int vf_pool(const struct accel_model *m);

/** Set how many public-key queue pairs a function has (PK-1). Its other queue pairs and its
 * algorithms decide. */
void vf_set_pk_queues(struct accel_function *fn);

/** Give a function what it has at power-on: everything, but only its part of the queue pairs. */
void vf_power_on(struct accel_function *fn);

/** Carry what is new between the PF's side and the VFs' side. Worker 0 calls this function every
 * millisecond. It does not wait. */
void vf_look(struct accel_model *m);

/**
 * Take over the share of a function at its reset or FLR, when all workers have stopped. The PF has
 * everything always.
 *
 * @return true if the device tree is to be built anew.
 */
bool vf_take(struct accel_function *fn);

/** Begin the mailbox anew at an FLR: clear its pages that the device writes, and show the present
 * share and state there. */
void vf_restart(struct accel_function *fn);

#endif /* ACCEL_MODEL_VF_H */
