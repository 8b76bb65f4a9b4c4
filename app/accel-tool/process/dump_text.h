/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Gets dumps of the devices of a running process over telemetry, and writes them.
 */
#ifndef ACCEL_TOOL_DUMP_H
#define ACCEL_TOOL_DUMP_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "process/telemetry.h"

/**
 * Get one dump, in all of its pages.
 *
 * @param what
 *   "ID" of a device, or "ID,QP".
 * @param answer
 *   On success an object with the lines of all pages, for json_decref().
 * @return
 *   0; -ENODEV: no such device or queue pair; -EPROTO: the answer is no dump; -ESTALE: other
 *   clients replace the dump all the time; or an error of telemetry_ask(). After an error the
 *   connection has a sentence for the user.
 */
int dump_ask(struct telemetry *t, const char *what, json_t **answer);

/**
 * Get the dumps of a device and its queue pairs.
 *
 * @param dev_id
 *   The device, or -1 for all devices of the process.
 * @param all
 *   An array to which the dumps are added.
 */
int dump_ask_all(struct telemetry *t, int dev_id, json_t *all);

/** Write dumps as text. */
void dump_write(FILE *f, const json_t *all);

/** Write only what the dumps say in words. */
void dump_words(FILE *f, const json_t *all);

/** True if any of the dumps tells of trouble. */
bool dump_trouble(const json_t *all);

#endif /* ACCEL_TOOL_DUMP_H */
