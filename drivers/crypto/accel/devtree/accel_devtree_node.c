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
#include "hw/accel_hw.h"

const char *const accel_dt_prop_name[DT_NB_PROPS] = {
	[DT_COMPATIBLE] = "compatible", [DT_REG] = "reg",
	[DT_ADDRESS_CELLS] = "#address-cells", [DT_SIZE_CELLS] = "#size-cells",
#define DT_PROP(name) [DT_##name] = ACCEL_HW_DT_##name,
	DT_PROPS(DT_PROP)
#undef DT_PROP
};

int
accel_dt_check_cells(const struct accel_dt_node *node, enum accel_dt_prop id, unsigned int cells)
{
	if (!accel_dt_has(node, id))
		return DT_REFUSE(node, "property %s is missing", accel_dt_prop_name[id]);
	if ((unsigned int)node->prop[id].len != cells * sizeof(fdt32_t))
		return DT_REFUSE(node, "property %s has %d bytes instead of %u",
				 accel_dt_prop_name[id], node->prop[id].len,
				 (unsigned int)(cells * sizeof(fdt32_t)));
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
	if (v < min || v > max)
		return DT_REFUSE(node, "%s is %u, not in %u to %u", accel_dt_prop_name[id], v, min,
				 max);
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
		if (data == NULL || len < 0 || name == NULL)
			return DT_REFUSE(node, "malformed property");
		for (id = 0; id < DT_NB_PROPS; id++) {
			if (strcmp(name, accel_dt_prop_name[id]) == 0)
				break;
		}
		if (id == DT_NB_PROPS)
			continue;
		if (accel_dt_has(node, id))
			return DT_REFUSE(node, "property %s is there twice",
					 accel_dt_prop_name[id]);
		node->prop[id].data = data;
		node->prop[id].len = len;
	}
	if (prop != -FDT_ERR_NOTFOUND)
		return DT_REFUSE(node, "%s", fdt_strerror(prop));
	return 0;
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
	    (len == 0 || node->prop[DT_COMPATIBLE].data[len - 1] != '\0'))
		return DT_REFUSE(node, "compatible is not a list of strings");
	for (i = 0; i < RTE_DIM(cells); i++) {
		if (accel_dt_has(node, cells[i]) && accel_dt_u32(node, cells[i], 1, 1, &one) != 0)
			return -EINVAL;
	}
	return 0;
}
