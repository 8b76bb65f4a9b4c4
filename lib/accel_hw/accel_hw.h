/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The whole contract between host and card, as the hardware programming manual defines it.
 */
#ifndef ACCEL_HW_H
#define ACCEL_HW_H

#include "accel_hw_alg.h"
#include "accel_hw_dma.h"
#include "accel_hw_dt.h"
#include "accel_hw_ipsec.h"
#include "accel_hw_op.h"
#include "accel_hw_pk.h"
#include "accel_hw_regs.h"
#include "accel_hw_states.h"
#include "accel_hw_tls.h"

#endif /* ACCEL_HW_H */
