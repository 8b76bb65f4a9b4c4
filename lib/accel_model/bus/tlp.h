/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Splits an access into the packets (TLPs) that a PCI Express link carries, and counts them. This
 * file knows neither queue pairs nor the model. The rules are those of the PCI Express Base
 * Specification, revision 5.0; the sums of bytes are also those of pcie-bench/pcie-model,
 * model/pcie.py.
 */
#ifndef ACCEL_MODEL_TLP_H
#define ACCEL_MODEL_TLP_H

#include <stdint.h>

#include "accel_model.h"

/* These limits are what the system grants a function. They are usual values of servers in the
 * registers Device Control (7.5.3.4) and Link Control (7.5.3.7). */
#define TLP_MPS 256u /* Max_Payload_Size */
#define TLP_MRRS 512u /* Max_Read_Request_Size */
#define TLP_RCB 64u /* Read Completion Boundary */

#define TLP_PAGE 4096u /* no request crosses a boundary of this size, 2.2.7 */
#define TLP_DW 4u /* payload is whole DWs, the byte enables leave out the rest, 2.2.5 */

/* Each TLP at 8 GT/s and more has these bytes around it: STP token with sequence number (4.2.2.3.1)
 * and LCRC (3.6.2). */
#define TLP_FRAME 8u
#define TLP_HEADER_4DW 16u /* a request with an address of 64 bits, 2.2.4.1 */
#define TLP_HEADER_3DW 12u /* a completion, 2.2.9 */

/** Count a read by the card of [addr, addr + len). Its completions are as long as the rules allow.
 */
void tlp_read(struct accel_model_bus_count *count, uint64_t addr, uint64_t len);

/** Count a write by the card to [addr, addr + len). */
void tlp_write(struct accel_model_bus_count *count, uint64_t addr, uint64_t len);

/** Count a write by the host to a register of the card, which is never split. */
void tlp_host_write(struct accel_model_bus_count *count, uint32_t len);

#endif /* ACCEL_MODEL_TLP_H */
