/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Nodes of the card's device tree and their properties: see accel_devtree_node.h. The blob is
 * untrusted.
 */
#include <errno.h>
#include <string.h>

#include <libfdt.h>

#include <rte_common.h>

#include "accel_devtree_node.h"
#include "accel_logs.h"
#include "hw/accel_hw.h"

const char *const accel_dt_prop_name[DT_NB_PROPS] = {
	[DT_COMPATIBLE] = "compatible",
	[DT_REG] = "reg",
	[DT_ADDRESS_CELLS] = "#address-cells",
	[DT_SIZE_CELLS] = "#size-cells",
	[DT_QUEUE_PAIRS] = ACCEL_HW_DT_QUEUE_PAIRS,
	[DT_RING_SIZE_MAX] = ACCEL_HW_DT_RING_SIZE_MAX,
	[DT_MAX_FRAGMENTS] = ACCEL_HW_DT_MAX_FRAGMENTS,
	[DT_MAX_FRAME_BYTES] = ACCEL_HW_DT_MAX_FRAME_BYTES,
	[DT_COMMAND_UPPER] = ACCEL_HW_DT_COMMAND_UPPER,
	[DT_COMMAND_RING] = ACCEL_HW_DT_COMMAND_RING,
	[DT_WB_AUTO] = ACCEL_HW_DT_WB_AUTO,
	[DT_REPORTS_WRITES] = ACCEL_HW_DT_REPORTS_WRITES,
	[DT_CONTEXT_SIZE] = ACCEL_HW_DT_CONTEXT_SIZE,
	[DT_CHAIN_CIPHER_AUTH] = ACCEL_HW_DT_CHAIN_CIPHER_AUTH,
	[DT_CHAIN_AUTH_CIPHER] = ACCEL_HW_DT_CHAIN_AUTH_CIPHER,
	[DT_CHAIN_PAIRS] = ACCEL_HW_DT_CHAIN_PAIRS,
	[DT_DIGEST_IN_STREAM] = ACCEL_HW_DT_DIGEST_IN_STREAM,
	[DT_AUTH_IV_IN_STREAM] = ACCEL_HW_DT_AUTH_IV_IN_STREAM,
	[DT_BIT_LENGTHS] = ACCEL_HW_DT_BIT_LENGTHS,
	[DT_ALG_ID] = ACCEL_HW_DT_ALG_ID,
	[DT_BLOCK_SIZE] = ACCEL_HW_DT_BLOCK_SIZE,
	[DT_KEY_SIZES] = ACCEL_HW_DT_KEY_SIZES,
	[DT_IV_SIZES] = ACCEL_HW_DT_IV_SIZES,
	[DT_DIGEST_SIZES] = ACCEL_HW_DT_DIGEST_SIZES,
	[DT_DATA_UNIT_SIZES] = ACCEL_HW_DT_DATA_UNIT_SIZES,
	[DT_AAD_SIZES] = ACCEL_HW_DT_AAD_SIZES,
	[DT_KEY_IV_SIZES] = ACCEL_HW_DT_KEY_IV_SIZES,
	[DT_DIGEST_LIST] = ACCEL_HW_DT_DIGEST_LIST,
	[DT_REGION_SIZES] = ACCEL_HW_DT_REGION_SIZES,
	[DT_CIPHERS] = ACCEL_HW_DT_CIPHERS,
	[DT_AUTHS] = ACCEL_HW_DT_AUTHS,
	[DT_SN_SIZES] = ACCEL_HW_DT_SN_SIZES,
	[DT_AEADS] = ACCEL_HW_DT_AEADS,
	[DT_OPTIONS] = ACCEL_HW_DT_OPTIONS,
	[DT_TRANSPORT] = ACCEL_HW_DT_TRANSPORT,
	[DT_REPLAY_WINDOW_MAX] = ACCEL_HW_DT_REPLAY_WINDOW_MAX,
	[DT_OVERLAP] = ACCEL_HW_DT_OVERLAP,
	[DT_KEY_SIZE_MAX] = ACCEL_HW_DT_KEY_SIZE_MAX,
	[DT_OPERAND_SIZE_MAX] = ACCEL_HW_DT_OPERAND_SIZE_MAX,
	[DT_OPERATIONS] = ACCEL_HW_DT_OPERATIONS,
	[DT_MODULUS_BITS] = ACCEL_HW_DT_MODULUS_BITS,
	[DT_CURVES] = ACCEL_HW_DT_CURVES,
	[DT_PADDINGS] = ACCEL_HW_DT_PADDINGS,
	[DT_VARIANTS] = ACCEL_HW_DT_VARIANTS,
	[DT_HASHES] = ACCEL_HW_DT_HASHES,
	[DT_MAX_BYTES] = ACCEL_HW_DT_MAX_BYTES,
};

int
accel_dt_check_cells(const struct accel_dt_node *node, enum accel_dt_prop id, unsigned int cells)
{
	if (!accel_dt_has(node, id)) {
		DT_ERR(node, "property %s is missing", accel_dt_prop_name[id]);
		return -EINVAL;
	}
	if ((unsigned int)node->prop[id].len != cells * sizeof(fdt32_t)) {
		DT_ERR(node, "property %s has %d bytes instead of %u", accel_dt_prop_name[id],
		       node->prop[id].len, (unsigned int)(cells * sizeof(fdt32_t)));
		return -EINVAL;
	}
	return 0;
}

int
accel_dt_u32(const struct accel_dt_node *node, enum accel_dt_prop id, uint32_t min, uint32_t max,
	     uint32_t *value)
{
	uint32_t v;

	if (accel_dt_check_cells(node, id, 1) != 0)
		return -EINVAL;
	v = accel_dt_cell(node, id, 0);
	if (v < min || v > max) {
		DT_ERR(node, "%s is %u, not in %u to %u", accel_dt_prop_name[id], v, min, max);
		return -EINVAL;
	}
	*value = v;
	return 0;
}

int
accel_dt_flag(const struct accel_dt_node *node, enum accel_dt_prop id, bool *flag)
{
	*flag = accel_dt_has(node, id);
	return *flag ? accel_dt_check_cells(node, id, 0) : 0;
}

/*
 * Finds the known properties of the node at offset. One pass does this, so a node with many unknown
 * properties takes only time in proportion to its size.
 */
int
accel_dt_read_node(const void *blob, int offset, struct accel_dt_node *node)
{
	const char *name;
	unsigned int id;
	int prop, len;
	const void *data;

	node->offset = offset;
	node->compatible = "node";
	for (id = 0; id < DT_NB_PROPS; id++) {
		node->prop[id].data = NULL;
		node->prop[id].len = -1;
	}
	for (prop = fdt_first_property_offset(blob, offset); prop >= 0;
	     prop = fdt_next_property_offset(blob, prop)) {
		data = fdt_getprop_by_offset(blob, prop, &name, &len);
		if (data == NULL || len < 0 || name == NULL) {
			DT_ERR(node, "malformed property");
			return -EINVAL;
		}
		for (id = 0; id < DT_NB_PROPS; id++) {
			if (strcmp(name, accel_dt_prop_name[id]) == 0)
				break;
		}
		if (id == DT_NB_PROPS)
			continue;
		if (accel_dt_has(node, id)) {
			DT_ERR(node, "property %s is there twice", accel_dt_prop_name[id]);
			return -EINVAL;
		}
		node->prop[id].data = data;
		node->prop[id].len = len;
	}
	if (prop != -FDT_ERR_NOTFOUND) {
		DT_ERR(node, "%s", fdt_strerror(prop));
		return -EINVAL;
	}
	return 0;
}

/*
 * True if a string is in a list. accel_dt_check_node() has checked that the list ends with a NUL.
 */
bool
accel_dt_list_has(const char *list, int len, const char *string)
{
	const char *s;

	for (s = list; s < list + len; s += strlen(s) + 1) {
		if (strcmp(s, string) == 0)
			return true;
	}
	return false;
}

/* Checks the rules that hold for every node. */
int
accel_dt_check_node(const struct accel_dt_node *node)
{
	static const enum accel_dt_prop cells[] = { DT_ADDRESS_CELLS, DT_SIZE_CELLS };
	int len = node->prop[DT_COMPATIBLE].len;
	uint32_t one;
	unsigned int i;

	if (accel_dt_has(node, DT_COMPATIBLE) &&
	    (len == 0 || node->prop[DT_COMPATIBLE].data[len - 1] != '\0')) {
		DT_ERR(node, "compatible is not a list of strings");
		return -EINVAL;
	}
	for (i = 0; i < RTE_DIM(cells); i++) {
		if (accel_dt_has(node, cells[i]) && accel_dt_u32(node, cells[i], 1, 1, &one) != 0)
			return -EINVAL;
	}
	return 0;
}

