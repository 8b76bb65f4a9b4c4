/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Finds and starts the device of a subcommand. See device.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bus.h>
#include <rte_dev.h>
#include <rte_eal.h>

#include <rte_pmd_accel.h>

#include "device.h"

bool
tool_device_get(unsigned int id, struct tool_device *d)
{
	const struct rte_bus *bus;

	if (id >= RTE_CRYPTO_MAX_DEVS || !rte_cryptodev_is_valid_dev((uint8_t)id))
		return false;
	memset(d, 0, sizeof(*d));
	d->id = (uint8_t)id;
	d->name = rte_cryptodev_name_get(d->id);
	rte_cryptodev_info_get(d->id, &d->info);
	bus = d->info.device != NULL ? rte_dev_bus(d->info.device) : NULL;
	d->accel = strcmp(d->info.driver_name, TOOL_DRIVER) == 0;
	d->embedded = d->accel && bus != NULL && strcmp(rte_bus_name(bus), "vdev") == 0;
	return true;
}

static bool
matches(const struct tool_device *d, const char *name)
{
	char *end;

	if (strcmp(d->name, name) == 0)
		return true;
	return name[0] >= '0' && name[0] <= '9' && strtoul(name, &end, 10) == d->id && *end == '\0';
}

/* Prints that the device does not exist, and which devices there are, on one line. */
static void
no_device(const struct tool_args *args, bool accel)
{
	const char *name = args->device;
	char list[512] = "";
	size_t n = 0;
	uint8_t id;

	for (id = 0; id < RTE_CRYPTO_MAX_DEVS && n < sizeof(list) - 80; id++) {
		if (rte_cryptodev_is_valid_dev(id))
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s (%u)",
					      n != 0 ? ", " : "", rte_cryptodev_name_get(id), id);
	}
	if (name != NULL && n != 0)
		tool_error("there is no %sdevice '%s'; there are: %s", accel ? "crypto_accel " : "",
			   name, list);
	else if (n != 0)
		tool_error("none of the devices is one of crypto_accel: %s", list);
	else if (tool_given(args, "--vdev") || tool_given(args, "-a") ||
			tool_given(args, "--allow"))
		tool_error("no crypto device has come up; the lines above say why");
	else
		tool_error("there is no crypto device; add --vdev crypto_accel0 for the embedded "
			   "one, or -a BDF for a function that vfio-pci has");
}

int
tool_device_find(const struct tool_args *args, bool accel, struct tool_device *d)
{
	unsigned int id;

	for (id = 0; id < RTE_CRYPTO_MAX_DEVS; id++) {
		if (!tool_device_get(id, d))
			continue;
		if (args->device != NULL ? matches(d, args->device) && (d->accel || !accel) :
		    d->accel)
			return TOOL_GOOD;
	}
	no_device(args, accel);
	return TOOL_ABSENT;
}

/* True after a message if this is a secondary process, which cannot configure devices. */
static bool
is_others(const struct tool_args *args)
{
	if (rte_eal_process_type() == RTE_PROC_PRIMARY)
		return false;
	tool_error("another process has the device; %s needs one of its own", args->command->name);
	return true;
}

int
tool_device_open(struct tool_args *args, bool accel, struct tool_device *d)
{
	int ret = tool_start(args);

	if (ret != TOOL_GOOD)
		return ret;
	ret = is_others(args) ? TOOL_ABSENT : tool_device_find(args, accel, d);
	if (ret != TOOL_GOOD)
		rte_eal_cleanup();
	return ret;
}

int
tool_device_start(struct tool_device *d, uint16_t queue_pairs, uint32_t nb_desc, uint64_t features)
{
	struct rte_cryptodev_config conf = {
		.socket_id = rte_cryptodev_socket_id(d->id),
		.nb_queue_pairs = queue_pairs,
		.ff_disable = (RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_SECURITY) &
			      ~features,
	};
	struct rte_cryptodev_qp_conf qp;
	uint16_t i;
	int ret;

	if (queue_pairs > d->info.max_nb_queue_pairs) {
		tool_error("%s has %u queue pairs, not %u", d->name, d->info.max_nb_queue_pairs,
			   queue_pairs);
		return TOOL_USAGE;
	}
	memset(&qp, 0, sizeof(qp));
	qp.nb_descriptors = nb_desc;
	ret = rte_cryptodev_configure(d->id, &conf);
	for (i = 0; i < queue_pairs && ret == 0; i++)
		ret = rte_cryptodev_queue_pair_setup(d->id, i, &qp, conf.socket_id);
	if (ret == 0)
		ret = rte_cryptodev_start(d->id);
	if (ret == 0)
		return TOOL_GOOD;
	tool_error("%s does not start with %u queue pairs of %u descriptors: %s; the driver's log "
		   "lines say why", d->name, queue_pairs, nb_desc, strerror(-ret));
	return TOOL_BROKEN;
}

void
tool_device_close(struct tool_device *d)
{
	rte_cryptodev_close(d->id);
	rte_eal_cleanup();
}
