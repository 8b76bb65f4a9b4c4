/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
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

#define ASYNC_AUTO 4096

struct oc_settings oc_settings = {
	.eal = DEFAULT_EAL,
	.min_size = 1024,
	.async_min_size = 1024,
	.queues = 8,
	.jobs = 256,
	.sessions = 4096,
	.timeout_ms = 2000,
	.public_keys = 1,
	.check_rsa = 1,
	.keep_input = 1,
};

/* A setting, which is a text of at most `most` bytes with its end, or a number, or `auto`. */
static const struct setting {
	const char *name;
	const char *env;
	char *text;
	unsigned int *value;
	unsigned long least;
	unsigned long most;
	bool *automatic; /* set if it is `auto`; NULL: it cannot be */
} table[] = {
#define TEXT(name, env, field) \
	{ \
		name, "OSSL_CRYPTODEV_" env, oc_settings.field, NULL, 0, \
				sizeof(oc_settings.field), NULL \
	}
#define NUMBER(name, env, field, ...) \
	{ \
		name, "OSSL_CRYPTODEV_" env, NULL, &oc_settings.field, __VA_ARGS__ \
	}
	TEXT("eal", "EAL", eal),
	TEXT("device", "DEVICE", device),
	TEXT("report", "REPORT", report),
	NUMBER("min-size", "MIN_SIZE", min_size, 0, OC_DATA_MAX, &oc_settings.automatic),
	NUMBER("async-min-size", "ASYNC_MIN_SIZE", async_min_size, 0, OC_DATA_MAX, NULL),
	NUMBER("queues", "QUEUES", queues, 1, 256, NULL),
	NUMBER("jobs", "JOBS", jobs, 1, 65536, NULL),
	NUMBER("sessions", "SESSIONS", sessions, 1, 1 << 20, NULL),
	NUMBER("timeout", "TIMEOUT", timeout_ms, 1, 60000, NULL),
	NUMBER("public-keys", "PUBLIC_KEYS", public_keys, 0, 1, &oc_settings.automatic_keys),
	NUMBER("check-rsa", "CHECK_RSA", check_rsa, 0, OC_CHECK_DEVICE, NULL),
	NUMBER("keep-input", "KEEP_INPUT", keep_input, 0, 1, NULL),
};

static bool
read_text(const struct setting *s, const char *text)
{
	if (strlen(text) >= s->most) {
		oc_warn("setting %s: longer than %lu characters", s->name, s->most - 1);
		return false;
	}
	strcpy(s->text, text);
	return true;
}

/* Reads a number, or `auto`. That of `min-size` is that of `async-min-size` as well, which comes
 * later. With `auto` a job has to be worth its wake-up.
 */
static bool
read_number(const struct setting *s, const char *text)
{
	unsigned long value;
	char *end;

	if (s->automatic != NULL) {
		*s->automatic = strcmp(text, "auto") == 0;
		if (*s->automatic && s->value == &oc_settings.min_size)
			oc_settings.async_min_size = ASYNC_AUTO;
		if (*s->automatic)
			return true;
	}
	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || value < s->least ||
			value > s->most) {
		oc_warn("setting %s: '%s' is not %lu to %lu%s", s->name, text, s->least, s->most,
				s->automatic != NULL ? " or auto" : "");
		return false;
	}
	*s->value = value;
	if (s->value == &oc_settings.min_size)
		oc_settings.async_min_size = value;
	return true;
}

/* Reads all settings. If one is wrong, a line says why, and the device is not used. */
void
oc_settings_read(const OSSL_CORE_HANDLE *core, OSSL_FUNC_core_get_params_fn *get_params)
{
	oc_settings.wrong = false;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct setting *s = &table[i];
		const char *value = secure_getenv(s->env);
		char *text = NULL;
		OSSL_PARAM params[] = {
			OSSL_PARAM_construct_utf8_ptr(s->name, &text, 0),
			OSSL_PARAM_construct_end(),
		};

		if (value == NULL && get_params != NULL && get_params(core, params) == 1)
			value = text;
		if (value != NULL &&
				!(s->text != NULL ? read_text(s, value) : read_number(s, value)))
			oc_settings.wrong = true;
	}
	oc_least_set(OC_SMALL);
}
