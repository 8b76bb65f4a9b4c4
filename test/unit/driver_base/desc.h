/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Descriptors as words, written out by hand from the tables of manual section 6.1.
 */
#ifndef UNIT_DESC_H
#define UNIT_DESC_H

#include <stdint.h>

/* In the topmost four bits 0x8 is type 2, 0x2 next, and 0x1 command. */
#define T2 UINT64_C(0x8000000000000000)
#define T2_NEXT UINT64_C(0xa000000000000000)
#define T2_CMD UINT64_C(0x9000000000000000)
#define T2_CMD_NEXT UINT64_C(0xb000000000000000)
#define LEN(n) ((uint64_t)(n) << 32)

#endif /* UNIT_DESC_H */
