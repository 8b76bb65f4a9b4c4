/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles a virtual function and its physical function (options --pf-socket and --pf): the share
 * that the PF's host gives, and the mailbox (manual 4.5 and 4.8).
 */
#ifndef CONF_VF_H
#define CONF_VF_H

#include <stdbool.h>
#include <stdint.h>

#include "card.h"

/** Skip the test unless there is a PF with a table, and mailboxes on both sides. */
bool vf_begin(struct card *c);

/** Take all limits away, so that the next test finds the function as it was. */
void vf_end(struct card *c);

/** Make a test of the function check_NAME(), which runs between vf_begin() and vf_end(). */
#define VF_TEST(name)                                                                              \
	static void name(struct card *c)                                                           \
	{                                                                                          \
		if (!vf_begin(c))                                                                  \
			return;                                                                    \
		check_##name(c);                                                                   \
		vf_end(c);                                                                         \
	}

/** Return the number of the VF. */
unsigned int vf_index(const struct card *c);

/** Make a share without limits. */
void vf_everything(const struct card *c, struct accel_hw_vf_resources *share);

/** Write the VF's entry of the resource table, but not its SEQUENCE. */
void vf_write_values(struct card *c, const struct accel_hw_vf_resources *share);

/** Write the VF's entry of the resource table. @return its SEQUENCE. */
uint32_t vf_write(struct card *c, const struct accel_hw_vf_resources *share);

/** Write the entry, and wait for SHARE_ACK. */
bool vf_give(struct card *c, const struct accel_hw_vf_resources *share);

/** Write the entry, wait for SHARE_ACK, reset the VF and read its tree. */
bool vf_give_and_reset(struct card *c, const struct accel_hw_vf_resources *share);

/* Read registers of both sides. An offset is one in the contract's structure. */
uint32_t vf_box(const struct card *c, uint32_t offset); /* in the VF's device page */
uint32_t vf_request(const struct card *c, uint32_t offset); /* in the PF's entry of requests */
uint32_t vf_status(const struct card *c, unsigned int vf, uint32_t offset);
unsigned int vf_queue_pairs(const struct card *c, unsigned int vf); /* in the status entry */
unsigned int vf_state(const struct card *c, unsigned int vf);

/** Ask for a share as the VF's host does. */
void vf_ask(struct card *c, uint32_t number, const struct accel_hw_vf_resources *wish);

/** Wait until the PF's entry shows another request than the one with number @p before. @return its
 * number, or 0 if the test has failed. */
uint32_t vf_wait_request(struct card *c, uint32_t before);

/** Answer a request as the PF's host does. */
void vf_answer(struct card *c, uint32_t number, uint32_t status);

/** Wait until the VF has an answer to the request with this number. */
bool vf_wait_answer(struct card *c, uint32_t number);

#endif /* CONF_VF_H */
