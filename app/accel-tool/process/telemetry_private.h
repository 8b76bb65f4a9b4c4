/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What telemetry.c and telemetry_find.c share.
 */
#ifndef ACCEL_TOOL_TELEMETRY_PRIVATE_H
#define ACCEL_TOOL_TELEMETRY_PRIVATE_H

#include "telemetry.h"

/* Writes the sentence of an error, and returns code. */
int telemetry_fail(struct telemetry *t, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Connects to the socket at path and reads the introduction. Errors: telemetry_open(). */
int telemetry_connect(struct telemetry *t, const char *path);

#endif /* ACCEL_TOOL_TELEMETRY_PRIVATE_H */
