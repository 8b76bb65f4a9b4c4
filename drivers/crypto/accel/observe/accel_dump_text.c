/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes the text of a dump: see accel_dump.h. Registers have the names of the hardware
 * manual.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "accel_dev.h"
#include "accel_dump.h"
#include "accel_names.h"
#include "accel_queue.h"
#include "accel_transport.h"

#define INDENT 4u

static __rte_format_printf(2, 3) void
put(FILE *out, const char *format, ...)
{
	char text[2 * ACCEL_DUMP_LINE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fputs(text, out);
}

/*
 * Writes sentences. The text has one sentence in each line. A sentence that is too long for a line
 * of the dump goes on in the next line.
 */
static void
put_words(FILE *out, const char *text)
{
	const size_t room = ACCEL_DUMP_LINE - INDENT;
	size_t len, n;

	for (; *text != '\0'; text += len) {
		len = strcspn(text, "\n");
		if (len > room) {
			n = room;
			while (n > 0 && text[n] != ' ')
				n--;
			len = n != 0 ? n : room;
		}
		put(out, "%*s%.*s\n", (int)INDENT, "", (int)len, text);
		len += text[len] == '\n' || text[len] == ' ';
	}
}

bool
accel_dump_text_function(FILE *out, const struct accel_dev *dev,
			 const struct accel_dump_function *f)
{
	const struct accel_transport *transport = accel_transport(dev);
	char words[ACCEL_DUMP_WORDS];
	bool trouble;

	put(out, "device %u, %.40s, transport %s, %u queue pairs, timeout_ms %u\n", dev->dev_id,
		dev->name, transport != NULL ? transport->name : "none", dev->dt.nb_qps,
		accel_timeout_ms(dev));
	trouble = accel_dump_function_words(f, words, sizeof(words));
	put_words(out, words);
	put(out, "  identity page (manual 4.1)\n");
	put(out, "    MAGIC 0x%08x  VERSION 0x%08x  STATE %u (%s)  FATAL_CODE %u\n", f->magic,
		f->version, f->state, f->silent ? "not read" : accel_name_state(f->state),
		f->fatal_code);
	put(out, "    HEARTBEAT %" PRIu64 "  RESET_REQ 0x%08x  RESET_ACK 0x%08x  FUNCTION 0x%08x\n",
		f->heartbeat, f->reset_req, f->reset_ack, f->function);
	put(out, "  driver\n");
	put(out, "    resets because of failures %u  isolated %u  leaves the bus %u\n",
		f->resets, f->isolated, f->lost);
	return trouble;
}

static const char *
mode_name(uint32_t mode)
{
	switch (mode) {
	case ACCEL_QP_STOPPED:
		return "stopped";
	case ACCEL_QP_FAILED:
		return "failed";
	case ACCEL_QP_BACKLOG:
		return "running, with a backlog";
	default:
		return "running";
	}
}

static void
put_driver(FILE *out, const struct accel_dump_queue *q)
{
	put(out, "  driver\n");
	put(out, "    %s  depth %u  in flight %u\n", mode_name(q->mode), q->nb_desc,
	    q->prod - q->cons);
	put(out, "    next operation %u  given back up to %u  base %u\n", q->prod, q->cons,
	    q->base);
	put(out, "    descriptors written TX %u RX %u, free again TX %u RX %u\n", q->tx_prod,
		q->rx_prod, q->tx_cons, q->rx_cons);
	put(out, "    enqueued %" PRIu64 "  errors %" PRIu64 "\n", q->enqueued, q->enqueue_err);
	put(out, "    dequeued %" PRIu64 "  errors %" PRIu64 "\n", q->dequeued, q->dequeue_err);
	put(out, "    command ring %u  commands located %u  AAD in command %u  started %u  "
		     "failing %u  error event %u\n", q->command_ring, q->commands_located,
		q->aad_in_command, q->started, q->failing, q->error);
}

static void
put_registers(FILE *out, const struct accel_dump_queue *q)
{
	const struct accel_hw_qp_host *h = &q->host;
	const struct accel_hw_qp_device *d = &q->device;

	put(out, "  host page (manual 5.1)\n");
	put(out, "    CONTROL 0x%08x (%s)  TX_SIZE %u  RX_SIZE %u  RSP_SIZE %u\n", h->control,
		accel_name_command(h->control), h->tx_size, h->rx_size, h->rsp_size);
	put(out, "    TX_BASE 0x%" PRIx64 "  RX_BASE 0x%" PRIx64 "\n", h->tx_base, h->rx_base);
	put(out, "    RSP_BASE 0x%" PRIx64 "  WB_BASE 0x%" PRIx64 "\n", h->rsp_base, h->wb_base);
	put(out, "    WB_COUNT 0x%08x  WB_TIMEOUT_NS %u  COMMAND_UPPER 0x%" PRIx64 "\n",
		h->wb_count, h->wb_timeout_ns, h->command_upper);
	put(out, "    COMMAND_BASE 0x%" PRIx64 "  COMMAND_SIZE %u  DOORBELL TX_SDP %u RX_SDP "
		     "%u\n", h->command_base, h->command_size, (uint32_t)h->doorbell,
		(uint32_t)(h->doorbell >> 32));
	put(out, "  device page (manual 5.2)\n");
	put(out, "    CONTROL_ACK 0x%08x  STATUS 0x%08x (%s, error %s)  ERROR_SLOT %u\n",
		d->control_ack, d->status, accel_name_qp_state(d->status),
		accel_name_qp_error(d->status), d->error_slot);
	put(out, "    TX_HDP %u  RX_HDP %u  RSP_HHP %u\n", d->tx_hdp, d->rx_hdp, d->rsp_hhp);
	put(out, "    OPS %" PRIu64 "  OP_ERRORS %" PRIu64 "\n", d->ops, d->op_errors);
	put(out, "    BYTES_IN %" PRIu64 "  BYTES_OUT %" PRIu64 "\n", d->bytes_in,
		d->bytes_out);
}

/* Writes one descriptor (manual 6.1), and what it means. */
static void
put_descriptor(FILE *out, uint64_t desc)
{
	switch (ACCEL_HW_DESC_TYPE(desc)) {
	case ACCEL_HW_DESC_TYPE_UPPER:
		put(out, "type 0, upper address 0x%" PRIx64 "%s\n",
			(desc & ACCEL_HW_DESC0_UPPER_MASK) << ACCEL_HW_DESC_REGION_SHIFT,
			(desc & ACCEL_HW_DESC0_RESERVED) != 0 ? ", reserved bits" : "");
		break;
	case ACCEL_HW_DESC_TYPE_FRAGMENT:
		put(out, "type 2, %u bytes at 0x%" PRIx64 "%s%s%s\n", ACCEL_HW_DESC2_LEN(desc),
			desc & ACCEL_HW_DESC_LOW_MASK,
			(desc & ACCEL_HW_DESC2_COMMAND) != 0 ? ", command" : "",
			(desc & ACCEL_HW_DESC2_NEXT) != 0 ? ", next" : "",
			(desc & ACCEL_HW_DESC2_RESERVED) != 0 ? ", reserved bits" : "");
		break;
	default:
		put(out, "type %u\n", ACCEL_HW_DESC_TYPE(desc));
		break;
	}
}

static void
put_ring(FILE *out, const char *name, const struct accel_dump_ring *ring, uint32_t size)
{
	uint32_t i, slot;

	put(out, "  %s ring, the device is at slot %u of %u (manual 6.1)\n", name, ring->point,
		size);
	for (i = 0; i < ring->nb; i++) {
		slot = (ring->first + i) & (size - 1);
		put(out, "  %s %6u 0x%016" PRIx64 " ", slot == ring->point ? ">" : " ", slot,
			ring->desc[i]);
		put_descriptor(out, ring->desc[i]);
	}
}

static void
put_command(FILE *out, const struct accel_dump_op *op)
{
	struct accel_hw_pk_command pk = { 0 };
	struct accel_hw_command c = { 0 };

	memcpy(&c, op->command, sizeof(op->command));
	memcpy(&pk, op->command, sizeof(op->command));
	put(out, "    command: tag %u  %s  flags 0x%02x  context 0x%" PRIx64 "  generation %u\n",
		rte_le_to_cpu_32(c.tag), accel_name_opcode(c.opcode), c.flags,
		rte_le_to_cpu_64(c.context), rte_le_to_cpu_32(c.generation));
	if (c.opcode == ACCEL_HW_OP_PK)
		put(out, "             operation %u  padding %u  hash %u  variant %u\n",
			rte_le_to_cpu_16(pk.operation), pk.padding, pk.hash, pk.variant);
	else
		put(out, "             aad %u  skip %u  cipher region %u  auth region %u\n",
			rte_le_to_cpu_16(c.aad_len), rte_le_to_cpu_32(c.skip),
			rte_le_to_cpu_32(c.cipher_len), rte_le_to_cpu_32(c.auth_len));
}

static void
put_ops(FILE *out, const struct accel_dump_queue *q)
{
	const uint32_t answered = (q->line_hhp - (q->cons - q->base)) & (q->rsp_size - 1);
	const struct accel_dump_op *op;
	uint32_t i, number;

	put(out, "  operations from %u on, %u of them given back (manual 7.1, 7.3)\n",
		q->first_op, q->cons - q->first_op);
	for (i = 0; i < q->nb_ops; i++) {
		number = q->first_op + i;
		op = &q->op[i];
		put(out, "  %s operation %u: kind %u  descriptors end at TX %u RX %u\n",
			number == q->cons ? ">" : " ", number, op->kind,
			op->tx_end & (q->tx_size - 1), op->rx_end & (q->rx_size - 1));
		put_command(out, op);
		if (!op->has_response)
			continue;
		if (number - q->cons < q->prod - q->cons && number - q->cons >= answered) {
			put(out, "    no response yet\n");
			continue;
		}
		put(out, "    response %u: tag %u  status %u (%s)  info 0x%x  produced %u  "
			 "TX %u RX %u\n",
			(number - q->base) & (q->rsp_size - 1), op->response.tag,
			op->response.status, accel_name_status(op->response.status),
			op->response.info, op->response.produced, op->response.tx_used,
			op->response.rx_used);
	}
}

static void
put_state(FILE *out, const struct accel_dump_function *f, const struct accel_dump_queue *q)
{
	put_driver(out, q);
	if (q->there && !f->silent)
		put_registers(out, q);
	put(out, "  write-back line (manual 6.5)\n");
	put(out, "    RSP_HHP %u  TX_HDP %u  RX_HDP %u  STATUS 0x%08x (%s)\n", q->line_hhp,
		q->line_tx, q->line_rx, q->line_status, accel_name_qp_state(q->line_status));
	put_ring(out, "TX", &q->tx, q->tx_size);
	put_ring(out, "RX", &q->rx, q->rx_size);
	put_ops(out, q);
}

static void
put_title(FILE *out, const struct accel_dump_queue *q)
{
	if (q->id == ACCEL_DT_OWN_QP)
		put(out, "the driver's own queue pair for random numbers, number %u of the "
			     "card\n", q->number);
	else
		put(out, "queue pair %u%s, number %u of the card\n", q->id % ACCEL_DT_PK_QP,
			q->id < ACCEL_DT_PK_QP ? "" : ", its companion for public keys", q->number);
}

bool
accel_dump_text_queue(FILE *out, const struct accel_dump_function *f,
		      const struct accel_dump_queue *q)
{
	char words[ACCEL_DUMP_WORDS];
	bool trouble;

	put(out, "\n");
	put_title(out, q);
	trouble = accel_dump_queue_words(f, q, words, sizeof(words));
	put_words(out, words);
	put_state(out, f, q);
	return trouble;
}

void
accel_dump_text_failure(FILE *out, const struct accel_dump_failure *failure, uint64_t ago_ms)
{
	char words[ACCEL_DUMP_WORDS];

	put(out, "\n");
	put_title(out, &failure->queue);
	put(out, "  as it was at its latest failure, %" PRIu64 " ms ago, before the driver stopped "
		     "it\n", ago_ms);
	snprintf(words, sizeof(words), "The driver said: %s.\n", failure->why);
	put_words(out, words);
	accel_dump_queue_words(&failure->function, &failure->queue, words, sizeof(words));
	put_words(out, words);
	put_state(out, &failure->function, &failure->queue);
}
