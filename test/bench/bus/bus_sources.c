/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The sizes behind the tables of accel-bus and who says so, for their footer: see bus_format.h. The
 * code has them as constants in bus/tlp.h, bus_link.c and bus_format_other.c.
 */
#include "bus_format.h"

#define PCIE "PCI Express Base Specification 5.0, "
#define MODEL "pcie-bench/pcie-model, model/pcie.py"
#define NVME "spdk/spdk, include/spdk/nvme_spec.h; NVM Express Base Specification 2.0, "
#define VIRTIO "oasis-tcs/virtio-spec (virtio 1.2), "
#define QAT "DPDK 22.11, drivers/"

const struct bus_source bus_sources[] = {
	{ "limits of the link", "MPS 256, MRRS 512, RCB 64 bytes",
	  "assumed: what servers usually set, " PCIE "7.5.3.4, 7.5.3.7" },
	{ "splits", "4 KiB, MPS, MRRS; completions end at RCB", PCIE "2.2.2, 2.2.7, 2.3.1.1" },
	{ "overhead of a TLP", "24 bytes with an address of 64 bits, completion 20",
	  PCIE "2.2.4.1, 2.2.9, 3.6.2, 4.2.2.3; the same sums in " MODEL },
	{ "line code", "128b/130b", PCIE "4.2.2.1" },
	{ "ACK and flow control", "8 bytes each per 203 bytes (x8) or 168 (x16) of TLPs at MPS 256",
	  PCIE "tables 2-46 to 2-48 and 3-7 to 3-9, as in " MODEL " (Ack_Limits, FC_Guide)" },
	{ "SKP ordered sets", "4 of 1538", MODEL " (SKIP_Length, SKIP_Interval)" },
	{ "ours", "descriptor 8, command 64, context 320, response 16, line 16, doorbell 8 bytes",
	  "the manual, sections 5 to 8" },
	{ "NVMe", "submission 64, completion 16, SGL element 16, PRP 8, doorbells 4 and 4 bytes",
	  NVME "3.3.3, 4.1" },
	{ "virtio ring",
	  "descriptor 16, avail element 2, used element 8, idx 2, notification 4 bytes",
	  VIRTIO "2.7, 2.8, 4.1.5.2: split-ring.tex, packed-ring.tex, transport-pci.tex" },
	{ "virtio crypto", "header 24, parameters 48 (AEAD 24), IV 16, status 1 byte",
	  VIRTIO "5.9.7: device-types/crypto/description.tex" },
	{ "QAT ring", "request 128, response 32, tail 4, head 4 bytes after more than 32 responses",
	  QAT "common/qat: qat_adf/icp_qat_fw.h, dev/qat_dev_gen4.c, qat_qp.c, qat_qp.h" },
	{ "QAT data", "list 16 + 16 bytes a buffer; content AES-CBC 24, GCM 32, HMAC-SHA1 64 more",
	  QAT "common/qat: qat_common.h, qat_adf/icp_qat_hw.h; crypto/qat/qat_sym_session.c" },
	{ "SZE", "header 8, packets at multiples of 8, pointers 4 and 4, updates 8 and 8 bytes",
	  "CESNET/ndk-sw, drivers/kernel/drivers/nfb/ndp: ndp_priv.h, ctrl.c; "
	  "libnfb/include/netcope/dma_ctrl_sze.h; command and response as ours" },
};

const unsigned int bus_nb_sources = sizeof(bus_sources) / sizeof(bus_sources[0]);
