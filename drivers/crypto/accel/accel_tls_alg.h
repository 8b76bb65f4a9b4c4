/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The algorithms of TLS records (manual 8.7), and in which versions and directions the driver
 * offers them.
 */
#ifndef ACCEL_TLS_ALG_H
#define ACCEL_TLS_ALG_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_capabilities.h"
#include "accel_devtree.h"

#define ACCEL_TLS_ALGS 9u

/* An algorithm, with the sizes that it has in TLS. */
struct accel_tls_alg {
	enum accel_alg_class class;
	int rte; /* enum rte_crypto_{cipher,auth,aead}_algorithm, by class */
	struct accel_range key;
	struct accel_range digest;
	uint8_t explicit_iv; /* bytes of the IV in a record of TLS 1.2 and DTLS 1.2 */
	uint8_t offered; /* ACCEL_TLS_IN_* */
};

#define ACCEL_TLS_IN_READ_12 0x1u
#define ACCEL_TLS_IN_WRITE_12 0x2u
#define ACCEL_TLS_IN_13 0x4u

/** The driver's table. @param nb receives the number of rows. */
const struct accel_tls_alg *accel_tls_algs(unsigned int *nb);

/** Find an algorithm that is offered in a version and direction; NULL if it is not. */
const struct accel_tls_alg *accel_tls_alg_find(enum accel_alg_class class, int rte, bool tls13,
					       bool write);

#endif /* ACCEL_TLS_ALG_H */
