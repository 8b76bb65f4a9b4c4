/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * See harness.h.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/async.h>
#include <openssl/params.h>

#include "harness.h"

OSSL_LIB_CTX *hw_ctx, *sw_ctx;
OSSL_PROVIDER *provider;

static unsigned int case_nb, failed;

/* Loads the providers. */
bool
start(void)
{
	hw_ctx = OSSL_LIB_CTX_new();
	sw_ctx = OSSL_LIB_CTX_new();
	provider = OSSL_PROVIDER_load(hw_ctx, "cryptodev");
	return provider != NULL && OSSL_PROVIDER_load(hw_ctx, "default") != NULL &&
			OSSL_PROVIDER_load(sw_ctx, "default") != NULL;
}

unsigned int
draw(unsigned int *seed, unsigned int below)
{
	return rand_r(seed) % below;
}

void
draw_bytes(unsigned int *seed, uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		bytes[i] = rand_r(seed) >> 8;
}

void
check(bool ok, const char *what)
{
	printf("%sok %u - %s\n", ok ? "" : "not ", ++case_nb, what);
	fflush(stdout);
	failed += !ok;
}

/* Prints the plan. Returns an exit code. */
int
end(void)
{
	printf("1..%u\n", case_nb);
	return failed != 0;
}

/* Returns a counter of an algorithm, or of all, as the provider says it. */
unsigned long
counter(const char *name, const char *field)
{
	char text[8192] = "", *line, *rest, *found;
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string("cryptodev-counters", text, sizeof(text)),
		OSSL_PARAM_construct_end(),
	};
	unsigned long sum = 0;

	if (OSSL_PROVIDER_get_params(provider, params) != 1)
		return 0;
	for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		if (name != NULL && strncmp(line, name, strlen(name)) != 0)
			continue;
		found = strstr(line, field);
		if (found != NULL)
			sum += strtoul(found + strlen(field), NULL, 10);
	}
	return sum;
}

/* What the device calls in place of making a descriptor readable. */
static int
job_called(void *arg)
{
	return write(*(int *)arg, "x", 1) == 1;
}

static bool
wait_for(ASYNC_WAIT_CTX *ctx, int called)
{
	OSSL_ASYNC_FD fds[4];
	size_t nb = 0;
	struct pollfd p = { .events = POLLIN, .fd = called };
	char byte;

	if (called >= 0)
		return ASYNC_WAIT_CTX_get_all_fds(ctx, NULL, &nb) == 1 && nb == 0 &&
				poll(&p, 1, 30000) == 1 && read(called, &byte, 1) == 1;
	if (ASYNC_WAIT_CTX_get_all_fds(ctx, NULL, &nb) != 1 || nb != 1 ||
			ASYNC_WAIT_CTX_get_all_fds(ctx, fds, &nb) != 1)
		return false;
	p.fd = fds[0];
	return poll(&p, 1, 30000) == 1;
}

/* Runs jobs side by side in this thread, and waits for the descriptor of each in turn, or for a
 * call for each.
 */
bool
jobs(int (*function)(void *), unsigned int seed, bool calls, unsigned int *paused)
{
	enum {
		JOBS = 32
	};
	ASYNC_WAIT_CTX *ctx[JOBS];
	ASYNC_JOB *job[JOBS] = { NULL };
	bool open[JOBS], ok = true;
	int result, left = JOBS, pipes[JOBS][2];

	for (int i = 0; i < JOBS; i++) {
		ctx[i] = ASYNC_WAIT_CTX_new();
		ok = ok && pipe(pipes[i]) == 0;
		if (calls)
			ASYNC_WAIT_CTX_set_callback(ctx[i], job_called, &pipes[i][1]);
		open[i] = true;
	}
	while (left > 0 && ok) {
		for (int i = 0; i < JOBS && ok; i++) {
			unsigned int mine = seed + i;

			if (!open[i] ||
					(job[i] != NULL &&
							!wait_for(ctx[i],
									calls ? pipes[i][0]
									      : -1))) {
				ok = !open[i];
				continue;
			}
			switch (ASYNC_start_job(
					&job[i], ctx[i], &result, function, &mine, sizeof(mine))) {
			case ASYNC_PAUSE:
				(*paused)++;
				break;
			case ASYNC_FINISH:
				open[i] = false;
				left--;
				ok = result == 1;
				break;
			default:
				ok = false;
			}
		}
	}
	for (int i = 0; i < JOBS; i++) {
		ASYNC_WAIT_CTX_free(ctx[i]);
		close(pipes[i][0]);
		close(pipes[i][1]);
	}
	return ok;
}
