/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The algorithms of TLS records (manual 8.7), and in which versions and directions the driver
 * offers them.
 */
#ifndef ACCEL_TLS_ALG_H
#define ACCEL_TLS_ALG_H

#include "accel_suite.h"

#define ACCEL_TLS_ALGS 9u

/* Where an algorithm is offered: accel_suite_alg.offered. */
#define ACCEL_TLS_IN_READ_12 0x1u
#define ACCEL_TLS_IN_WRITE_12 0x2u
#define ACCEL_TLS_IN_13 0x4u

/** The algorithms, with the sizes that they have in TLS 1.2 and DTLS 1.2. */
const struct accel_suite_table *accel_tls_algs(void);

#endif /* ACCEL_TLS_ALG_H */
