/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The tests, a file for each subject, and the duties of the manual that they show.
 */
#ifndef CONF_TESTS_H
#define CONF_TESTS_H

#include "card/card.h"

struct test_case {
	const char *duties; /* numbers, with one blank between two */
	const char *title; /* what the manual wants */
	void (*run)(struct card *card);
};

struct test_group {
	const char *subject;
	const struct test_case *test;
	unsigned int nb;
};

#define TEST_GROUP(subject_, tests_) { subject_, tests_, sizeof(tests_) / sizeof((tests_)[0]) }

extern const struct test_group tests_pci, tests_identity, tests_reset, tests_queue, tests_stop,
	tests_descriptor, tests_frames, tests_writeback, tests_faults, tests_command, tests_status,
	tests_regions, tests_in_stream, tests_bits, tests_context, tests_algorithms,
	tests_invalidate, tests_docsis, tests_pdcp, tests_ipsec, tests_ipsec_out, tests_ipsec_in,
	tests_ipsec_state, tests_tls, tests_pk, tests_pk_alg, tests_pk_more, tests_moves,
	tests_error, tests_tree, tests_health, tests_command_ring, tests_others, tests_owner,
	tests_vf, tests_vf_mailbox, tests_denied, tests_fatal;

extern const struct test_group *const tests_all[];
extern const unsigned int tests_nb_groups;

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

/** True if a list of numbers has this one. */
bool duties_have(const char *list, const char *number);

/** Print number, class, and tests or reason. */
void duties_list(void);

/** Print how many of each chapter are tested, and the others with their reason. */
void duties_table(void);

/** True if table and tests agree. What does not is printed to stderr. */
bool duties_check(void);

#endif /* CONF_TESTS_H */
