/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Lists the duties of the manual: who has each duty, and whether a test shows it.
 */
#ifndef CONF_DUTIES_H
#define CONF_DUTIES_H

#include <stdbool.h>

/** Says who has a duty, and whether a test can show it. */
enum duty_class {
	DUTY_DEVICE, /* the device has it, and tests show it */
	DUTY_UNSEEN, /* the device has it, and nothing outside of the device shows it */
	DUTY_HOST,
};

struct duty {
	const char *number;
	enum duty_class class;
	const char *text; /* DUTY_UNSEEN: why; DUTY_HOST: what */
};

extern const struct duty duties_all[];
extern const unsigned int duties_nb;

/** Print number, class, and tests or reason. */
void duties_list(void);

/** Print how many duties of each chapter are tested, and the other duties with their reason. */
void duties_table(void);

/** True if table and tests agree. Each disagreement is printed to stderr. */
bool duties_check(void);

#endif /* CONF_DUTIES_H */
