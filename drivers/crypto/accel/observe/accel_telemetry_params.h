/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads the parameters of a command of telemetry: decimal numbers with commas between them. Each
 * command reads them with these functions, and then checks whether something is left.
 */
#ifndef ACCEL_TELEMETRY_PARAMS_H
#define ACCEL_TELEMETRY_PARAMS_H

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/**
 * Take a decimal number without a sign.
 *
 * @param params The text, which may be NULL. The pointer is moved to the end of the number, however
 *   long the number is.
 * @param max The highest number.
 * @param number Receives the number.
 * @return False if there is no number, or if it is above max.
 */
static inline bool
accel_take_number(const char **params, unsigned long max, unsigned long *number)
{
	char *end;

	if (*params == NULL || !isdigit((unsigned char)**params))
		return false;
	errno = 0;
	*number = strtoul(*params, &end, 10);
	*params = end;
	return errno == 0 && *number <= max;
}

/** Take a comma. @return false if the text goes on with something else, or has ended. */
static inline bool
accel_take_comma(const char **params)
{
	if (**params != ',')
		return false;
	(*params)++;
	return true;
}

#endif /* ACCEL_TELEMETRY_PARAMS_H */
