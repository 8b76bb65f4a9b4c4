/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Counts operations, bytes, copies and fallbacks of each algorithm, and says so as text. Errors for
 * the program are here, too.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/err.h>

#include "ossl_cryptodev.h"

struct oc_counters oc_counters[OC_ALGS];

static const char *const reasons[OC_REASONS] = {
#define X(reason, name) [reason] = name,
	OC_REASON_LIST(X)
#undef X
};

/* Writes one line to stderr. */
void
oc_warn(const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	fprintf(stderr, "ossl_cryptodev[%d]: %s\n", (int)getpid(), line);
}

/* Counts an operation that the default provider does. A process says once what an operator should
 * know.
 */
void
oc_count_fallback(enum oc_alg_id alg, enum oc_reason reason)
{
	static const char *const lines[OC_REASONS] = {
		[OC_NO_SESSION] = "the device has no session for a key; raise 'sessions'",
		[OC_NO_JOB] = "more operations at a time than 'jobs'; raise it",
		[OC_RESTING] = "the device fails, and rests for a second each time",
		[OC_WRONG] = "a key shows that a result of the device is wrong",
	};
	static atomic_bool told[OC_REASONS];

	atomic_fetch_add_explicit(&oc_counters[alg].fallbacks[reason], 1, memory_order_relaxed);
	if (lines[reason] != NULL && !atomic_load_explicit(&told[reason], memory_order_relaxed) &&
			!atomic_exchange(&told[reason], true))
		oc_warn("%s; the default provider does the work", lines[reason]);
}

static void
write_alg(FILE *file, enum oc_alg_id alg)
{
	struct oc_counters *c = &oc_counters[alg];
	uint64_t fallbacks = 0;

	for (int i = 0; i < OC_REASONS; i++)
		fallbacks += c->fallbacks[i];
	if (c->operations == 0 && fallbacks == 0)
		return;
	fprintf(file,
			"%s operations=%" PRIu64 " bytes=%" PRIu64 " copied=%" PRIu64
			" fallbacks=%" PRIu64,
			alg < OC_CIPHERS ? oc_algs[alg].inner_name : oc_pk_name(alg), c->operations,
			c->bytes, c->copied, fallbacks);
	for (int i = 0; i < OC_REASONS; i++)
		if (c->fallbacks[i] != 0)
			fprintf(file, " %s=%" PRIu64, reasons[i], c->fallbacks[i]);
	fputc('\n', file);
}

/* Returns the counters as text, a line for each algorithm that was used. The caller frees it. */
char *
oc_report_text(void)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (file == NULL)
		return NULL;
	for (int alg = 0; alg < OC_ALGS; alg++)
		write_alg(file, alg);
	oc_memory_report(file);
	fclose(file);
	return text;
}

/* Appends the counters to the file that the setting `report` names; `-` is stderr. */
void
oc_report_write(void)
{
	bool to_stderr = strcmp(oc_settings.report, "-") == 0;
	char *text, *line, *rest;
	FILE *file;

	if (oc_settings.report[0] == '\0')
		return;
	text = oc_report_text();
	file = to_stderr ? stderr : fopen(oc_settings.report, "ae");
	if (text == NULL || file == NULL) {
		oc_warn("setting report: cannot write '%s'", oc_settings.report);
		free(text);
		return;
	}
	for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
		fprintf(file, "ossl_cryptodev[%d]: %s\n", (int)getpid(), line);
	if (!to_stderr)
		fclose(file);
	free(text);
}

int
oc_fail(int reason)
{
	ERR_raise(ERR_LIB_PROV, reason);
	return 0;
}
