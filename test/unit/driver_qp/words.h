/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Expected descriptors as words, written out by hand from the tables of manual section 6.1, and the
 * check of refused operations.
 */
#ifndef UNIT_WORDS_H
#define UNIT_WORDS_H

#include "driver_base/desc.h"
#include "driver_qp/fake_qp.h"

#define assert_words(ring, from, ...)                                                              \
	do {                                                                                       \
		const uint64_t want_[] = {__VA_ARGS__};                                            \
		for (size_t i_ = 0; i_ < RTE_DIM(want_); i_++)                                     \
			assert_int_equal((ring)->desc[((from) + i_) & (ring)->mask], want_[i_]);   \
	} while (0)

/* Checks that the operation was refused. Only dequeue sets its status, because crypto_scheduler
 * gives back all operations that have one. */
void assert_refused(unsigned int slot, const struct rte_crypto_op *op,
		    enum rte_crypto_op_status status);

#endif /* UNIT_WORDS_H */
