/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the settings: the provider's section of openssl.cnf, and above it the environment. A
 * setting is called NAME in openssl.cnf and OSSL_CRYPTODEV_NAME in the environment.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_dispatch.h>
#include <openssl/params.h>

#include "ossl_cryptodev.h"

#define DEFAULT_EAL \
	"--no-huge -m 64 --no-shconf --no-telemetry --no-pci --iova-mode=va --log-level=critical"

struct oc_settings oc_settings = {
	.eal = DEFAULT_EAL,
	.min_size = 1024,
	.async_min_size = 1024,
	.queues = 8,
	.jobs = 256,
	.sessions = 4096,
	.timeout_ms = 2000,
};

/* A setting that is a number. */
struct number {
	const char *name;
	const char *env;
	unsigned long least;
	unsigned long most;
	unsigned int *value;
};

static const struct number numbers[] = {
	{ "queues", "OSSL_CRYPTODEV_QUEUES", 1, 256, &oc_settings.queues },
	{ "jobs", "OSSL_CRYPTODEV_JOBS", 1, 65536, &oc_settings.jobs },
	{ "sessions", "OSSL_CRYPTODEV_SESSIONS", 1, 1 << 20, &oc_settings.sessions },
	{ "timeout", "OSSL_CRYPTODEV_TIMEOUT", 1, 60000, &oc_settings.timeout_ms },
};

/* Returns what the environment or openssl.cnf says, or NULL. */
static const char *
setting(const OSSL_CORE_HANDLE *core, OSSL_FUNC_core_get_params_fn *get_params, const char *name,
		const char *env)
{
	const char *value = secure_getenv(env);
	char *text = NULL;
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_ptr(name, &text, 0),
		OSSL_PARAM_construct_end(),
	};

	if (value == NULL && get_params != NULL && get_params(core, params) == 1)
		value = text;
	return value;
}

static bool
read_number(const char *text, unsigned long least, unsigned long most, unsigned long *value)
{
	char *end;

	errno = 0;
	*value = strtoul(text, &end, 10);
	return errno == 0 && end != text && *end == '\0' && text[0] != '-' && *value >= least &&
			*value <= most;
}

static bool
read_text(const char *text, char *to, size_t size, const char *name)
{
	if (text == NULL)
		return true;
	if (strlen(text) >= size) {
		oc_warn("setting %s: longer than %zu characters", name, size - 1);
		return false;
	}
	strcpy(to, text);
	return true;
}

static bool
read_sizes(const char *min, const char *async_min)
{
	unsigned long value;

	if (min != NULL && strcmp(min, "auto") == 0) {
		oc_settings.automatic = true;
	} else if (min != NULL) {
		if (!read_number(min, 0, OC_DATA_MAX, &value)) {
			oc_warn("setting min-size: '%s' is neither auto nor 0 to %d", min,
					OC_DATA_MAX);
			return false;
		}
		oc_settings.automatic = false;
		oc_settings.min_size = oc_settings.async_min_size = value;
	}
	if (async_min == NULL)
		return true;
	if (!read_number(async_min, 0, OC_DATA_MAX, &value)) {
		oc_warn("setting async-min-size: '%s' is not 0 to %d", async_min, OC_DATA_MAX);
		return false;
	}
	oc_settings.async_min_size = value;
	return true;
}

/* Reads all settings. If one is wrong, a line says why, and the device is not used. */
void
oc_settings_read(const OSSL_CORE_HANDLE *core, OSSL_FUNC_core_get_params_fn *get)
{
	unsigned long value;
	bool ok;

	ok = read_text(setting(core, get, "eal", "OSSL_CRYPTODEV_EAL"), oc_settings.eal,
			sizeof(oc_settings.eal), "eal");
	ok = read_text(setting(core, get, "device", "OSSL_CRYPTODEV_DEVICE"), oc_settings.device,
			     sizeof(oc_settings.device), "device") &&
			ok;
	ok = read_text(setting(core, get, "report", "OSSL_CRYPTODEV_REPORT"), oc_settings.report,
			     sizeof(oc_settings.report), "report") &&
			ok;
	ok = read_sizes(setting(core, get, "min-size", "OSSL_CRYPTODEV_MIN_SIZE"),
			     setting(core, get, "async-min-size",
					     "OSSL_CRYPTODEV_ASYNC_MIN_SIZE")) &&
			ok;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const struct number *n = &numbers[i];
		const char *text = setting(core, get, n->name, n->env);

		if (text == NULL)
			continue;
		if (read_number(text, n->least, n->most, &value)) {
			*n->value = value;
		} else {
			oc_warn("setting %s: '%s' is not %lu to %lu", n->name, text, n->least,
					n->most);
			ok = false;
		}
	}
	oc_settings.wrong = !ok;
}
