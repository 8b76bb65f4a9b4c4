/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Names of the numbers in the hardware manual, for people and tools. Devices are untrusted, so any
 * number has a name: no function returns NULL, and most call an unknown number "unknown".
 */
#ifndef ACCEL_NAMES_H
#define ACCEL_NAMES_H

#include <stdint.h>

const char *accel_name_state(uint32_t state); /* of a function, manual 4.1 */
const char *accel_name_fatal(uint32_t code); /* manual 4.1 */
const char *accel_name_fault_access(uint32_t access); /* manual 4.6 */
const char *accel_name_fault_cause(uint32_t cause); /* manual 4.6 */
const char *accel_name_command(uint32_t control); /* of a queue pair, manual 5.1 */
const char *accel_name_qp_state(uint32_t status); /* [7:0] of STATUS, manual 5.2 */
const char *accel_name_qp_error(uint32_t status); /* [15:8] of STATUS, manual 9.1 */
const char *accel_name_qp_ring(uint32_t status); /* [23:16] of STATUS, manual 5.2 */
const char *accel_name_opcode(uint32_t opcode); /* manual 7.1 */
const char *accel_name_status(uint32_t status); /* of an operation, manual 7.4 */

#endif /* ACCEL_NAMES_H */
