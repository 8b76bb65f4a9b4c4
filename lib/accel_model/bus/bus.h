/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Counts what a card would put on its PCI Express link for the work that a worker does
 * (accel_model_bus_read()). The model itself copies memory; the counts follow how a sensible card
 * fetches:
 *
 * - It reads the descriptors of a ring as soon as a doorbell covers them, all that were posted with
 *   one read, which TLPs split at MRRS. The end of the ring ends a read, too.
 * - It reads each command with one read; those of a command ring as it reads descriptors, as far as
 *   it has found requests.
 * - It reads a context only when its cache does not have it, and the input of each request, a
 *   request that is refused later included: a card prefetches.
 * - It reads fragments that follow each other in memory as one.
 * - It writes the output, each response as soon as it may, and the write-back line.
 * - A doorbell counts when the card takes a request that it covers. Several doorbells between two
 *   looks of the model are one. The host reads no register while it works.
 *
 * A card keeps a copy of an SA's state and writes its first line back for each operation (manual
 * 8.6), so that line counts as a write; the window's words are left out.
 *
 * The BITS operation's reads of two bytes at the destination (manual 7.2) are left out, as are
 * accesses for commands of CONTROL other than the line at START and STOP.
 */
#ifndef ACCEL_MODEL_BUS_BUS_H
#define ACCEL_MODEL_BUS_BUS_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_model.h"

struct op;
struct op_access;
struct queue;
struct bus;

/** Make the counts of a worker. Return NULL if there is no memory. @param queues how many queue
 * pairs the card has. */
struct bus *bus_create(unsigned int queues);
void bus_destroy(struct bus *bus);

/** Begin to count a queue pair that starts. Nothing is posted. */
void bus_start(struct bus *bus, const struct queue *q);
/** Count a request that is taken: its doorbell, and the reads of its command and its input. */
void bus_request(struct bus *bus, const struct op_access *access, const struct op *op);
/** Count the read of a context of @p bytes bytes for a request. */
void bus_context(struct bus *bus, uint64_t iova, uint32_t bytes);
/** Count the write of an SA's state at this address for an operation. */
void bus_state(struct bus *bus, uint64_t iova);
/** Count a request that is answered at the queue pair's next place. @param response false: the
 * response is lost. */
void bus_answer(struct bus *bus, const struct queue *q, const struct op *op, bool response);
/** Count the write of the write-back line. */
void bus_line(struct bus *bus, const struct queue *q);

void bus_copy(const struct bus *bus, struct accel_model_bus *to);

#endif /* ACCEL_MODEL_BUS_BUS_H */
