/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Parses the device argument vf_shares of a physical function, which has shares of virtual
 * functions. The argument has neither ',' nor '=', because rte_kvargs takes these for its own.
 */
#ifndef ACCEL_VF_ARGS_H
#define ACCEL_VF_ARGS_H

#include "accel_vf.h"

/* This is the form of the argument, for messages. */
#define ACCEL_VF_ARGS_SYNTAX                                                                       \
	"VF[-VF]:qp@N[:weight@N][:ops@N][:bytes@N][:alg@NAME[+NAME...]][/VF...]"

/**
 * Parse shares such as "0:qp@2:weight@3:ops@1M/1-3:qp@1:alg@aes-cbc+sha256-hmac".
 *
 * @param device name of the device, for messages.
 * @param text the shares; empty if there are none.
 * @param plan receives the shares. It is undefined on error.
 * @return 0, or -EINVAL with one log line that names the item and what is wrong with it.
 */
int accel_vf_args_parse(const char *device, const char *text, struct accel_vf_plan *plan);

#endif /* ACCEL_VF_ARGS_H */
