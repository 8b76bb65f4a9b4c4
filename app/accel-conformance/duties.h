/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The duties of the manual: who has each, and whether a test shows it.
 */
#ifndef CONF_DUTIES_H
#define CONF_DUTIES_H

#include <stdbool.h>

/** Who has a duty, and whether it shows. */
enum duty_class {
	DUTY_DEVICE, /* tested */
	DUTY_UNSEEN, /* of the device, and nothing outside of it shows it */
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

/** Print how many of each chapter are tested, and the others with their reason. */
void duties_table(void);

/** True if table and tests agree. What does not is printed to stderr. */
bool duties_check(void);

#endif /* CONF_DUTIES_H */
