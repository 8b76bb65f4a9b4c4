/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The formats of other devices, each as favourable as its text allows: rings are read as far as
 * they are posted, pieces that follow each other in memory are one, and nothing is read that an
 * option of the format spares. Only QAT has its keys in host memory, in a content descriptor. No
 * public text says that a QAT keeps one, so it is read for each request.
 */
#include "bus/tlp.h"
#include "bus_format.h"

/* NVM Express: SPDK, include/spdk/nvme_spec.h, and the NVM Express Base Specification 2.0c. */
#define NVME_SQE 64u /* 3.3.3.1; struct spdk_nvme_cmd */
#define NVME_CQE 16u /* 3.3.3.2; struct spdk_nvme_cpl, with the phase tag */
#define NVME_SGL 16u /* 4.1.2; struct spdk_nvme_sgl_descriptor */
#define NVME_PRP 8u /* 4.1.1 */
#define NVME_PAGE 4096u /* CC.MPS = 0 */
#define NVME_DOORBELL 4u /* SQ tail and CQ head; struct spdk_nvme_registers.doorbell */

/* virtio 1.2: 2.7 (split), 2.8 (packed), 4.1.5.2 (notification), 5.9.7 (crypto requests); the files
 * split-ring.tex, packed-ring.tex, transport-pci.tex and device-types/crypto/description.tex of
 * oasis-tcs/virtio-spec. */
#define VIRTIO_DESC 16u /* struct virtq_desc, struct pvirtq_desc */
#define VIRTIO_AVAIL 2u /* an element of virtq_avail.ring */
#define VIRTIO_USED 8u /* struct virtq_used_elem */
#define VIRTIO_USED_IDX 2u /* virtq_used.idx */
#define VIRTIO_NOTIFY 4u /* VIRTIO_F_NOTIFICATION_DATA: the new index is in it */
#define VIRTIO_HEADER 24u /* struct virtio_crypto_op_header */
#define VIRTIO_SYM 48u /* struct virtio_crypto_sym_data_flf: 40 and op_type, padding */
#define VIRTIO_AEAD 24u /* struct virtio_crypto_aead_data_flf */
#define VIRTIO_IV 16u /* AES-CBC; GCM: "a full 16 bytes needs to be allocated" */
#define VIRTIO_STATUS 1u /* struct virtio_crypto_inhdr */

/* Intel QAT: DPDK 22.11, drivers/common/qat and drivers/crypto/qat. */
#define QAT_REQUEST 128u /* qat_adf/icp_qat_fw.h, ICP_QAT_FW_REQ_DEFAULT_SZ; dev/qat_dev_gen4.c */
#define QAT_RESPONSE 32u /* the same, ICP_QAT_FW_RESP_DEFAULT_SZ */
#define QAT_SGL 16u /* qat_common.h: qat_sgl_hdr, and as much for each struct qat_flat_buf */
#define QAT_CSR 4u /* tail of requests, head of responses; qat_qp.c */
#define QAT_HEAD_AFTER 32u /* qat_qp.h, QAT_CSR_HEAD_WRITE_THRESH: written if more are done */
/* Content descriptors of generation 4, qat_sym_session.c with qat_adf/icp_qat_hw.h. AES-CBC:
 * struct icp_qat_hw_cipher_config and a key. GCM: struct icp_qat_hw_ucs_cipher_config and a key.
 * HMAC-SHA1 more: struct icp_qat_hw_auth_setup and two states of 20 bytes, rounded up to 8. */
#define QAT_CD_CBC (8u + 16u)
#define QAT_CD_GCM (16u + 16u)
#define QAT_CD_SHA1 (16u + 24u + 24u)

/* SZE, the DMA before Medusa: CESNET/ndk-sw, drivers/kernel/drivers/nfb/ndp/ndp_priv.h and ctrl.c,
 * libnfb/include/netcope/dma_ctrl_sze.h. A ring of bytes has one packet after the other. Its pages
 * are named once, before the start, so no descriptor is read later. */
#define SZE_HEADER 8u /* sizes of packet and header, to the next multiple of 8 */
#define SZE_ALIGN 8u
#define SZE_POINTER 4u /* SW_PTR of each ring */
#define SZE_UPDATE 8u /* the card's pointer in host memory, of each ring */
#define SZE_COMMAND 64u /* what a packet would say are command and response of our format */
#define SZE_RESPONSE 16u
#define SZE_RING 0x100000u

/* Ring memory of the other side. */
#define RING_A BUS_OTHER
#define RING_B (BUS_OTHER + 0x100000u)
#define RING_C (BUS_OTHER + 0x200000u)

static void
chain_of(struct accel_model_bus *sum, unsigned int checked, unsigned int prefetched)
{
	sum->chain += checked;
	sum->chain_prefetch += prefetched;
	sum->ops++;
}

/* Returns the elements of a list of AAD, source and, if it is apart, destination. */
static uint32_t
elements(const struct bus_layout *l, const struct bus_op *op)
{
	return (op->aad.len > 0) + l->segments * (l->apart ? 2 : 1);
}

/* NVMe. One data pointer names all pieces; IV, lengths and a key's number fit into the command. */

/* Returns the bytes of the PRP list; UINT32_MAX: PRPs cannot name this. */
static uint32_t
prp_list(const struct bus_layout *l, const struct bus_op *op)
{
	const uint64_t end = op->source[0].addr + op->source[0].len + op->digest.len;
	const uint64_t pages = (end - 1) / NVME_PAGE - op->source[0].addr / NVME_PAGE + 1;

	if (elements(l, op) > 1)
		return UINT32_MAX;
	return pages > 2 ? (uint32_t)(pages - 1) * NVME_PRP : 0;
}

static uint32_t
sgl_list(const struct bus_layout *l, const struct bus_op *op)
{
	return elements(l, op) > 1 ? elements(l, op) * NVME_SGL : 0;
}

static bool
count_nvme(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum,
	   uint32_t (*list_of)(const struct bus_layout *, const struct bus_op *))
{
	struct accel_model_bus_count *kind = sum->kind;
	const uint32_t nb = bus_burst(load);
	struct bus_op op;

	bus_op_of(l, 0, &op);
	if (load == BUS_MISSED || list_of(l, &op) == UINT32_MAX)
		return false;
	for (uint32_t first = 0; first < BUS_OPS; first += nb) {
		tlp_host_write(&kind[ACCEL_MODEL_BUS_DOORBELL], NVME_DOORBELL);
		bus_read_ring(&kind[ACCEL_MODEL_BUS_COMMAND], RING_A, BUS_RING, NVME_SQE, first,
			      nb);
		for (uint32_t i = 0; i < nb; i++) {
			bus_op_of(l, first + i, &op);
			tlp_read(&kind[ACCEL_MODEL_BUS_TX], op.memory + BUS_OP_LIST,
				 list_of(l, &op));
			bus_read_input(sum, &op);
			bus_write_result(sum, &op);
			bus_write_ring(&kind[ACCEL_MODEL_BUS_RESPONSE], RING_B, BUS_RING, NVME_CQE,
				       first + i, 1);
			chain_of(sum, 2 + (list_of(l, &op) > 0), 2 + (list_of(l, &op) > 0));
		}
		tlp_host_write(&kind[ACCEL_MODEL_BUS_DOORBELL], NVME_DOORBELL);
	}
	return true;
}

static bool
count_nvme_sgl(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	return count_nvme(l, load, sum, sgl_list);
}

static bool
count_nvme_prp(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	return count_nvme(l, load, sum, prp_list);
}

/* virtio, with VIRTIO_F_NOTIFICATION_DATA, VIRTIO_F_IN_ORDER and VIRTIO_CRYPTO_F_REVISION_1,
 * without interrupts: one used entry tells of a burst. Header and IV are one piece. */

static uint32_t
virtio_header(const struct bus_layout *l)
{
	return VIRTIO_HEADER + (l->kind == BUS_AEAD ? VIRTIO_AEAD : VIRTIO_SYM) + VIRTIO_IV;
}

/* Counts everything but the rings. */
static void
virtio_data(const struct bus_layout *l, uint32_t index, struct accel_model_bus *sum)
{
	struct bus_op op;

	bus_op_of(l, index, &op);
	tlp_read(&sum->kind[ACCEL_MODEL_BUS_COMMAND], op.memory + BUS_OP_LIST, virtio_header(l));
	bus_read_input(sum, &op);
	bus_write_result(sum, &op);
	tlp_write(&sum->kind[ACCEL_MODEL_BUS_RESPONSE], op.memory + BUS_OP_LIST + virtio_header(l),
		  VIRTIO_STATUS);
}

/* Returns the descriptors of a request: header, AAD, source, destination with digest, status. */
static uint32_t
virtio_chain(const struct bus_layout *l)
{
	return 1 + (l->kind == BUS_AEAD) + 2 * l->segments + 1;
}

static bool
count_split(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	struct accel_model_bus_count *kind = sum->kind;
	const uint32_t nb = bus_burst(load), chain = virtio_chain(l);

	if (load == BUS_MISSED)
		return false;
	for (uint32_t first = 0; first < BUS_OPS; first += nb) {
		tlp_host_write(&kind[ACCEL_MODEL_BUS_DOORBELL], VIRTIO_NOTIFY);
		bus_read_ring(&kind[ACCEL_MODEL_BUS_RX], RING_A + 4, BUS_DESC, VIRTIO_AVAIL, first,
			      nb);
		bus_read_ring(&kind[ACCEL_MODEL_BUS_TX], RING_B, BUS_DESC, VIRTIO_DESC,
			      (uint64_t)first * chain, nb * chain);
		for (uint32_t i = 0; i < nb; i++) {
			virtio_data(l, first + i, sum);
			chain_of(sum, 4, 3); /* avail, descriptors, header, input */
		}
		bus_write_ring(&kind[ACCEL_MODEL_BUS_RESPONSE], RING_C + 4, BUS_DESC, VIRTIO_USED,
			       first / nb, 1);
		tlp_write(&kind[ACCEL_MODEL_BUS_LINE], RING_C + 2, VIRTIO_USED_IDX);
	}
	return true;
}

static bool
count_packed(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	struct accel_model_bus_count *kind = sum->kind;
	const uint32_t nb = bus_burst(load), chain = virtio_chain(l);

	if (load == BUS_MISSED)
		return false;
	for (uint32_t first = 0; first < BUS_OPS; first += nb) {
		tlp_host_write(&kind[ACCEL_MODEL_BUS_DOORBELL], VIRTIO_NOTIFY);
		bus_read_ring(&kind[ACCEL_MODEL_BUS_TX], RING_A, BUS_DESC, VIRTIO_DESC,
			      (uint64_t)first * chain, nb * chain);
		for (uint32_t i = 0; i < nb; i++) {
			virtio_data(l, first + i, sum);
			chain_of(sum, 3, 2); /* descriptors, header, input */
		}
		bus_write_ring(&kind[ACCEL_MODEL_BUS_RESPONSE], RING_A, BUS_DESC, VIRTIO_DESC,
			       (uint64_t)first * chain, 1);
	}
	return true;
}

/* QAT. */

static uint32_t
qat_content(const struct bus_layout *l)
{
	if (l->kind == BUS_AEAD)
		return QAT_CD_GCM;
	return QAT_CD_CBC + (l->kind == BUS_CHAIN ? QAT_CD_SHA1 : 0);
}

/* Counts one request behind its ring entry. */
static void
qat_request(const struct bus_layout *l, uint32_t index, struct accel_model_bus *sum)
{
	const bool flat = l->segments == 1; /* addresses are in the request */
	const uint32_t lists = flat ? 0 : l->apart ? 2 : 1;
	struct bus_op op;

	bus_op_of(l, index, &op);
	tlp_read(&sum->kind[ACCEL_MODEL_BUS_CONTEXT], BUS_CONTEXT, qat_content(l));
	tlp_read(&sum->kind[ACCEL_MODEL_BUS_TX], op.memory + BUS_OP_LIST,
		 (uint64_t)lists * (1 + l->segments) * QAT_SGL);
	bus_read_input(sum, &op);
	bus_write_result(sum, &op);
	bus_write_ring(&sum->kind[ACCEL_MODEL_BUS_RESPONSE], RING_B, BUS_RING, QAT_RESPONSE, index,
		       1);
	chain_of(sum, flat ? 2 : 3, flat ? 2 : 3); /* request, list, input; content beside it */
}

static bool
count_qat(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	struct accel_model_bus_count *kind = sum->kind;
	const uint32_t nb = bus_burst(load);
	uint32_t done = 0;

	if (load == BUS_MISSED)
		return false;
	for (uint32_t first = 0; first < BUS_OPS; first += nb) {
		tlp_host_write(&kind[ACCEL_MODEL_BUS_DOORBELL], QAT_CSR);
		bus_read_ring(&kind[ACCEL_MODEL_BUS_COMMAND], RING_A, BUS_RING, QAT_REQUEST, first,
			      nb);
		for (uint32_t i = 0; i < nb; i++)
			qat_request(l, first + i, sum);
		done += nb;
		if (done > QAT_HEAD_AFTER) {
			tlp_host_write(&kind[ACCEL_MODEL_BUS_DOORBELL], QAT_CSR);
			done = 0;
		}
	}
	return true;
}

/* SZE. The host copies input into one ring, and results out of the other one. */

static uint32_t
sze_packet(uint32_t payload)
{
	return (SZE_HEADER + payload + SZE_ALIGN - 1) / SZE_ALIGN * SZE_ALIGN;
}

/* Counts an access to bytes that may go around the ring's end. */
static void
sze_bytes(void (*access)(struct accel_model_bus_count *, uint64_t, uint64_t),
	  struct accel_model_bus_count *count, uint64_t base, uint64_t first, uint32_t len)
{
	const uint32_t at = (uint32_t)(first % SZE_RING);
	const uint32_t straight = len < SZE_RING - at ? len : SZE_RING - at;

	access(count, base + at, straight);
	if (len > straight)
		access(count, base, len - straight);
}

static bool
count_sze(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	struct accel_model_bus_count *kind = sum->kind;
	const uint32_t nb = bus_burst(load);
	uint32_t request, result;
	struct bus_op op;

	bus_op_of(l, 0, &op);
	request = sze_packet(SZE_COMMAND + op.aad.len + l->len);
	result = sze_packet(SZE_RESPONSE + l->len + op.digest.len);
	if (load == BUS_MISSED)
		return false;
	for (uint32_t first = 0; first < BUS_OPS; first += nb) {
		const uint64_t in = (uint64_t)first * request, out = (uint64_t)first * result;

		tlp_host_write(&kind[ACCEL_MODEL_BUS_DOORBELL], SZE_POINTER);
		sze_bytes(tlp_read, &kind[ACCEL_MODEL_BUS_INPUT], RING_A, in, nb * request);
		sze_bytes(tlp_write, &kind[ACCEL_MODEL_BUS_RESULT], RING_B, out, nb * result);
		for (uint32_t i = 0; i < nb; i++)
			chain_of(sum, 1, 1); /* all of a request is one piece */
		tlp_write(&kind[ACCEL_MODEL_BUS_LINE], RING_C, SZE_UPDATE);
		tlp_write(&kind[ACCEL_MODEL_BUS_LINE], RING_C + TLP_PAGE, SZE_UPDATE);
		tlp_host_write(&kind[ACCEL_MODEL_BUS_DOORBELL], SZE_POINTER);
	}
	return true;
}

const struct bus_format bus_formats[] = {
	{ "ours 1.0", bus_count_ours, .model = true },
	{ "ours 1.0, responses gathered", bus_count_gathered },
	{ "ours, command ring", bus_count_ring, .model = true, .command_ring = true },
	{ "ours, phase bit", bus_count_phase },
	{ "ours, both", bus_count_both },
	{ "ours, command ring, gathered", bus_count_ring_gathered },
	{ "ours, AAD in the command", bus_count_aad_inside, .model = true, .aad_inside = true },
	{ "NVMe, SGL", count_nvme_sgl },
	{ "NVMe, PRP", count_nvme_prp },
	{ "virtio, split ring", count_split },
	{ "virtio, packed ring", count_packed },
	{ "QAT generation 4", count_qat },
	{ "SZE, with copies", count_sze },
};

const unsigned int bus_nb_formats = sizeof(bus_formats) / sizeof(bus_formats[0]);
