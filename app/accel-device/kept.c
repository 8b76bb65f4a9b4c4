/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Opens what the daemon leaves to the process after it: see kept.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accel_hw.h"
#include "kept.h"
#include "log.h"

/* Returns a text with all options on which the sockets and BAR0 depend. The minor version is that
 * of the card: a newer build with --contract-minor goes on with the clients of an older one. */
static char *
describe(const struct args *args)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to == NULL)
		return NULL;
	fprintf(to, "contract=%u.%" PRIu64 " ", ACCEL_HW_VERSION_MAJOR, args->contract_minor);
	for (unsigned int i = 0; i < args->nb_sockets; i++)
		fprintf(to, "socket=%s ", args->socket[i]);
	fprintf(to, "pf=%s vf=%d queue-pairs=%" PRIu64 " vf-queue-pairs=%" PRIu64 " serial=%" PRIu64
		" engine=%u", args->pf_socket != NULL ? args->pf_socket : "", args->vf,
		args->queue_pairs, args->vf_queue_pairs, args->serial, (unsigned int)args->engine);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static int
open_state(const struct args *args, unsigned int nb, struct vfio_user_store *store,
	   struct vfio_user_state **state)
{
	char *options = describe(args);
	int ret = options != NULL ? vfio_user_state_open(store, nb, options, state) : -ENOMEM;

	free(options);
	return ret;
}

void
kept_open(const struct args *args, unsigned int nb, struct vfio_user_store **store,
	  struct vfio_user_state **state)
{
	const int stored = vfio_user_store_open(store);
	int ret = stored;

	*state = NULL;
	if (*store == NULL && stored == 0)
		return;
	if (stored >= 0)
		ret = open_state(args, nb, *store, state);
	if (ret < 0)
		log_line(LOG_LEVEL_WARNING, "keep", "nothing can be kept for a restart: %s",
			 strerror(-ret));
	else if (stored > 0 && ret == 0)
		log_line(LOG_LEVEL_WARNING, "keep", "what was stored is of other options, or of a "
			 "card of another contract than %u.%u (see --contract-minor): starting "
			 "afresh, clients have to connect again", ACCEL_HW_VERSION_MAJOR,
			 (unsigned int)args->contract_minor);
}
