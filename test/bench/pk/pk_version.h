/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Where DPDK's versions have fields of public keys. Since 24.11 RSA's padding and keys of curves
 * are in the transform, before in each operation.
 */
#ifndef PK_VERSION_H
#define PK_VERSION_H

#include <rte_version.h>

#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define IN_XFORM(...) __VA_ARGS__
#define IN_OP(...)
#else
#define IN_XFORM(...)
#define IN_OP(...) __VA_ARGS__
#endif

#endif /* PK_VERSION_H */
