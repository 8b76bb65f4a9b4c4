/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What most files that use DPDK include, compiled once for each target (meson's c_pch), because
 * reading DPDK's headers takes longer than compiling what follows them. No file includes this one:
 * each includes what it needs, and a build in a DPDK tree, or with -Db_pch=false, shows that.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_errno.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_security.h>
