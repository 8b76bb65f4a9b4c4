/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Lists the tests in the order in which they run. What later tests rely on comes first.
 */
#include "tests.h"
#include "tests_card/tests_card.h"
#include "tests_command/tests_command.h"
#include "tests_pk/tests_pk.h"
#include "tests_protocol/tests_protocol.h"
#include "tests_queue/tests_queue.h"

const struct test_group *const tests_all[] = {
	&tests_identity, &tests_tree, &tests_pci, &tests_reset, &tests_reset_values, &tests_queue,
	&tests_stop, &tests_descriptor, &tests_frames, &tests_writeback, &tests_faults,
	&tests_error, &tests_states,
	&tests_command, &tests_status, &tests_regions, &tests_in_stream, &tests_bits, &tests_aad,
	&tests_context, &tests_algorithms, &tests_invalidate, &tests_docsis, &tests_pdcp,
	&tests_ipsec, &tests_ipsec_out, &tests_ipsec_in, &tests_ipsec_state,
	&tests_tls, &tests_pk, &tests_pk_alg, &tests_pk_more, &tests_moves,
	&tests_health, &tests_command_ring, &tests_others, &tests_owner, &tests_vf,
	&tests_denied, &tests_vf_mailbox, &tests_fatal,
};

const unsigned int tests_nb_groups = sizeof(tests_all) / sizeof(tests_all[0]);
