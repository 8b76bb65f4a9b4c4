/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts and requests of a guest from the fuzzer's bytes: right ones by themselves, and wrong in
 * single fields, lengths and places as the bytes say.
 */
#ifndef FUZZ_REQUESTS_H
#define FUZZ_REQUESTS_H

#include "guest.h"

/** Write a context to one of the guest's places for them. */
void request_context(struct guest *g, struct input *in);
/** Post a request, with a context that is there already. */
void request_post(struct guest *g, struct fqueue *q, struct input *in);
/** Post one descriptor that is anything. */
void request_raw(struct guest *g, struct fqueue *q, struct input *in);
/** Packets that protocols take, in the pattern that each input begins with. */
void request_packets(uint8_t *data);

#endif /* FUZZ_REQUESTS_H */
