/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * A device of the test's own on the virtual bus, whose device arguments it chooses.
 */

#include <rte_dev.h>

#include "e2e.h"

bool
e2e_is_embedded(const struct e2e *t)
{
	return strcmp(t->driver, "crypto_accel") == 0 && e2e_is_vdev(t);
}

int
e2e_with_vdev(struct e2e *t, const char *name, const char *devargs,
	      int (*run)(struct e2e *t, const void *arg, uint8_t dev), const void *arg)
{
	int ret, dev;

	if (!e2e_is_embedded(t))
		return e2e_skip(t, "only the embedded crypto_accel injects faults");
	ret = rte_eal_hotplug_add("vdev", name, devargs);
	CHECK(t, ret == 0, "devargs '%s' refused: %d", devargs, ret);
	dev = rte_cryptodev_get_dev_id(name);
	CHECK(t, dev >= 0, "no device");
	ret = run(t, arg, (uint8_t)dev);
	e2e_dev_stop((uint8_t)dev);
	if (ret != E2E_PASS)
		e2e_session_close_all(t);
	if (rte_eal_hotplug_remove("vdev", name) != 0 && ret == E2E_PASS)
		return e2e_fail(t, __FILE__, __LINE__, "the device cannot be removed");
	return ret;
}
