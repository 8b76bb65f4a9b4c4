/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Takes the lines that the driver logs, for tests of what they say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver_base/log_text.h"

char *log_text;

static size_t log_size;

static FILE *log_file;

void
log_begin(void)
{
	log_file = open_memstream(&log_text, &log_size);
	assert_non_null(log_file);
	rte_openlog_stream(log_file);
	rte_log_set_level(accel_logtype, RTE_LOG_NOTICE);
}

void
log_end(void)
{
	rte_openlog_stream(NULL);
	rte_log_set_level(accel_logtype, RTE_LOG_CRIT);
	fclose(log_file);
}
