/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * info prints what a card is, in which state it is, and what it offers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_security.h>

#include <e2e_op.h>
#include <rte_pmd_accel.h>

#include "base/print.h"
#include "commands.h"
#include "device/compat.h"
#include "device/device.h"

enum { KEY_ALL = 1 };

static const struct tool_option options[] = {
	{ "all", NULL, "every device of crypto_accel, not only the first", KEY_ALL },
	{ NULL, NULL, NULL, 0 },
};

/* ------------------------------------------------------------------ algorithms */

static json_t *
range(const struct rte_crypto_param_range *r)
{
	return tool_json_range(r->min, r->max, r->increment);
}

/* Returns the name that --algorithms takes, or DPDK's name if loopback does not know the
 * algorithm. */
static const char *
name_of(enum rte_crypto_sym_xform_type type, int algo, const char *dpdk)
{
	const char *name = e2e_alg_name(type, algo);

	return name != NULL ? name : dpdk;
}

static json_t *
symmetric(const struct rte_cryptodev_symmetric_capability *s)
{
	switch (s->xform_type) {
	case RTE_CRYPTO_SYM_XFORM_CIPHER:
		return json_pack("{s:s, s:s, s:i, s:o, s:o, s:n, s:n}", "type", "cipher",
				 "algorithm", name_of(s->xform_type, s->cipher.algo,
					      TOOL_CIPHER_NAME(s->cipher.algo)), "block",
				 (int)s->cipher.block_size, "key", range(&s->cipher.key_size), "iv",
				 range(&s->cipher.iv_size), "digest", "aad");
	case RTE_CRYPTO_SYM_XFORM_AUTH:
		return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:n}", "type", "auth",
				 "algorithm", name_of(s->xform_type, s->auth.algo,
					      TOOL_AUTH_NAME(s->auth.algo)), "block",
				 (int)s->auth.block_size, "key", range(&s->auth.key_size), "iv",
				 range(&s->auth.iv_size), "digest", range(&s->auth.digest_size),
				 "aad");
	case RTE_CRYPTO_SYM_XFORM_AEAD:
		return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:o}", "type", "aead",
				 "algorithm", name_of(s->xform_type, s->aead.algo,
					      TOOL_AEAD_NAME(s->aead.algo)), "block",
				 (int)s->aead.block_size, "key", range(&s->aead.key_size), "iv",
				 range(&s->aead.iv_size), "digest", range(&s->aead.digest_size),
				 "aad", range(&s->aead.aad_size));
	default:
		return NULL;
	}
}

/* Returns the name of an asymmetric transform. The driver offers random numbers as the transform
 * that does nothing. */
static const char *
asym_name(enum rte_crypto_asym_xform_type type)
{
	return type == RTE_CRYPTO_ASYM_XFORM_NONE ? "random" : TOOL_ASYM_NAME(type);
}

static void
add_algorithms(json_t *to, const struct rte_cryptodev_info *info)
{
	const struct rte_cryptodev_capabilities *c = info->capabilities;
	json_t *sym = json_array(), *asym = json_array();

	for (; c != NULL && c->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; c++) {
		if (c->op == RTE_CRYPTO_OP_TYPE_SYMMETRIC)
			json_array_append_new(sym, symmetric(&c->sym));
		else if (c->op == RTE_CRYPTO_OP_TYPE_ASYMMETRIC)
			json_array_append_new(asym, json_string(
				asym_name(c->asym.xform_capa.xform_type)));
	}
	json_object_set_new(to, "public_keys", asym);
	json_object_set_new(to, "algorithms", sym);
}

static const char *
protocol_name(enum rte_security_session_protocol p)
{
	switch (p) {
	case RTE_SECURITY_PROTOCOL_IPSEC:
		return "IPsec";
	case RTE_SECURITY_PROTOCOL_MACSEC:
		return "MACsec";
	case RTE_SECURITY_PROTOCOL_PDCP:
		return "PDCP";
	case RTE_SECURITY_PROTOCOL_DOCSIS:
		return "DOCSIS";
	default:
		return "TLS or newer";
	}
}

/* Adds each protocol of rte_security once. */
static void
add_protocols(json_t *to, uint8_t id)
{
	struct rte_security_ctx *ctx = rte_cryptodev_get_sec_ctx(id);
	const struct rte_security_capability *c =
		ctx != NULL ? rte_security_capabilities_get(ctx) : NULL;
	json_t *list = json_array();
	const char *name;
	size_t i;

	for (; c != NULL && c->action != RTE_SECURITY_ACTION_TYPE_NONE; c++) {
		name = protocol_name(c->protocol);
		for (i = 0; i < json_array_size(list); i++) {
			if (strcmp(json_string_value(json_array_get(list, i)), name) == 0)
				break;
		}
		if (i == json_array_size(list))
			json_array_append_new(list, json_string(name));
	}
	json_object_set_new(to, "protocols", list);
}

static void
add_features(json_t *to, uint64_t flags)
{
	json_t *list = json_array();
	const char *name;
	uint64_t flag;

	for (flag = 1; flag != 0; flag <<= 1) {
		name = rte_cryptodev_get_feature_name(flag);
		if (name == NULL && flag == RTE_CRYPTODEV_FF_SYM_RAW_DP)
			name = "SYM_RAW_DP"; /* DPDK 22.11 has no name for this flag */
		if (name != NULL && (flags & flag) != 0)
			json_array_append_new(list, json_string(name));
	}
	json_object_set_new(to, "features", list);
}

/* ------------------------------------------------------------------ state */

static void
add_health(json_t *to, const struct rte_pmd_accel_info *info)
{
	const struct rte_pmd_accel_health *h = &info->health;
	json_t *o = json_object();
	char text[64];

	json_object_set_new(to, "health", o);
	if (info->health_error != 0) {
		json_object_set_new(o, "state", json_string(
			info->health_error == -ENOTSUP ? "this firmware has no health page" :
			info->health_error == -ETIMEDOUT ? "the card does not answer" :
			"the card is gone, has failed or does not answer"));
		return;
	}
	json_object_set_new(o, "state", json_string("answers"));
	snprintf(text, sizeof(text), "%u.%u.%u", h->firmware_version >> 16,
		 h->firmware_version >> 8 & 0xff, h->firmware_version & 0xff);
	json_object_set_new(o, "firmware", json_string(text));
	snprintf(text, sizeof(text), "%016" PRIx64, h->serial);
	json_object_set_new(o, "serial", h->serial != 0 ? json_string(text) : json_null());
	json_object_set_new(o, "temperature_celsius",
			    h->temperature == RTE_PMD_ACCEL_TEMPERATURE_NONE ? json_null() :
			    json_real(h->temperature / 10.0));
	json_object_set_new(o, "power_watts", h->power == RTE_PMD_ACCEL_POWER_NONE ? json_null() :
			    json_real(h->power / 1000.0));
	json_object_set_new(o, "memory_errors_corrected",
			    json_integer((json_int_t)h->mem_corrected));
	json_object_set_new(o, "memory_errors_uncorrected",
			    json_integer((json_int_t)h->mem_uncorrected));
	json_object_set_new(o, "operations", json_integer((json_int_t)h->ops));
	json_object_set_new(o, "dma_faults", json_integer(h->fault_count));
	if (h->fault_count == 0)
		return;
	snprintf(text, sizeof(text), "%s at %#" PRIx64 ", queue pair %u",
		 h->fault_access_name != NULL ? h->fault_access_name : "unknown", h->fault_address,
		 h->fault_queue_pair);
	json_object_set_new(o, "latest_fault", json_string(text));
}

static void
add_recovery(json_t *to, const struct rte_pmd_accel_recovery *r)
{
	json_object_set_new(to, "recovery", json_pack("{s:I, s:I, s:I, s:I, s:i, s:i}",
		"failures", (json_int_t)r->failures, "attempts", (json_int_t)r->attempts,
		"healed", (json_int_t)r->healed, "outage_us", (json_int_t)r->outage_us,
		"function_resets", (int)r->function_resets,
		"failed_queue_pairs", (int)r->failed_queue_pairs));
}

/* Adds what only devices of this driver say: where the card is, and in which state. */
static void
add_device(json_t *to, const struct rte_pmd_accel_info *info)
{
	char text[32];

	snprintf(text, sizeof(text), "%u.%u", info->contract_major, info->contract_minor);
	json_object_set_new(to, "transport", json_string(info->transport));
	json_object_set_new(to, "pci", info->pci[0] != '\0' ? json_string(info->pci) : json_null());
	json_object_set_new(to, "state", json_string(info->state_name));
	json_object_set_new(to, "fatal_code", info->state == RTE_PMD_ACCEL_STATE_FATAL ?
			    json_integer(info->fatal_code) : json_null());
	json_object_set_new(to, "contract", json_string(text));
	json_object_set_new(to, "heartbeat_age_us",
			    json_integer((json_int_t)info->heartbeat_age_us));
	json_object_set_new(to, "operations_max", json_integer(info->max_descriptors));
	json_object_set_new(to, "fragments_max", json_integer(info->max_fragments));
	json_object_set_new(to, "bytes_max", json_integer(info->max_bytes));
	json_object_set_new(to, "vfs_max", info->vfs != 0 ? json_integer(info->vfs) : json_null());
}

static json_t *
device_info(const struct tool_device *d)
{
	const struct rte_cryptodev_info *info = &d->info;
	json_t *o = json_object();
	struct rte_pmd_accel_info card;
	bool known;

	json_object_set_new(o, "device", json_string(d->name));
	json_object_set_new(o, "dev_id", json_integer(d->id));
	json_object_set_new(o, "driver", json_string(info->driver_name));
	known = d->accel && rte_pmd_accel_info_get(d->id, &card) == 0;
	if (known)
		add_device(o, &card);
	json_object_set_new(o, "numa", rte_cryptodev_socket_id(d->id) < 0 ? json_null() :
			    json_integer(rte_cryptodev_socket_id(d->id)));
	json_object_set_new(o, "iova",
			    json_string(rte_eal_iova_mode() == RTE_IOVA_PA ? "PA" : "VA"));
	json_object_set_new(o, "queue_pairs_max", json_integer(info->max_nb_queue_pairs));
	json_object_set_new(o, "session_bytes", json_integer((json_int_t)
			    rte_cryptodev_sym_get_private_session_size(d->id)));
	if (known)
		json_object_set_new(o, "queue_pair_bytes_at_2048",
				    json_integer((json_int_t)card.queue_pair_bytes));
	add_features(o, info->feature_flags);
	add_protocols(o, d->id);
	if (known) {
		add_health(o, &card);
		add_recovery(o, &card.recovery);
	} else if (d->accel) {
		json_object_set_new(o, "state", json_string("another build of the driver has the "
							    "card"));
	}
	add_algorithms(o, info);
	return o;
}

/* Prints one device after the other, or an array of them as JSON. */
static int
print_all(const struct tool_args *args)
{
	json_t *list = json_array();
	struct tool_device d;
	unsigned int id;
	size_t i;
	bool good = true;

	for (id = 0; id < RTE_CRYPTO_MAX_DEVS; id++) {
		if (tool_device_get(id, &d) && d.accel)
			json_array_append_new(list, device_info(&d));
	}
	if (args->json)
		return tool_print(json_pack("{s:o}", "devices", list), true) ? TOOL_GOOD :
			TOOL_BROKEN;
	for (i = 0; i < json_array_size(list); i++) {
		if (i != 0)
			printf("\n");
		good = tool_print(json_incref(json_array_get(list, i)), false) && good;
	}
	json_decref(list);
	return good ? TOOL_GOOD : TOOL_BROKEN;
}

static int
run(struct tool_args *args)
{
	struct tool_device d;
	const char *value;
	bool all = false;
	int key, ret;

	while ((key = tool_next(args, &value)) != TOOL_END) {
		if (key == TOOL_WRONG)
			return TOOL_USAGE;
		all = true; /* KEY_ALL is the only one */
	}
	if (all && args->device != NULL)
		return tool_usage("--all and --device exclude each other");
	ret = tool_start(args);
	if (ret != TOOL_GOOD)
		return ret;
	ret = tool_device_find(args, all, &d);
	if (ret == TOOL_GOOD && all)
		ret = print_all(args);
	else if (ret == TOOL_GOOD)
		ret = tool_print(device_info(&d), args->json) ? TOOL_GOOD : TOOL_BROKEN;
	rte_eal_cleanup();
	return ret;
}

const struct tool_command tool_info = {
	.name = "info",
	.what = "What a card is, how it is, and what it offers",
	.eal = true,
	.options = options,
	.examples = "  " TOOL_NAME " info --no-pci --vdev crypto_accel0 --no-huge -m 256\n"
		    "  " TOOL_NAME " info -a 0000:03:00.0 --json\n"
		    "  " TOOL_NAME " info --proc-type=secondary --file-prefix gw  # of a running "
		    "process\n",
	.run = run,
};
