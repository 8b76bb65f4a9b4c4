/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the tests of the provider share: both library contexts, cases in TAP, random inputs,
 * counters and asynchronous jobs.
 */
#ifndef OSSL_HARNESS_H
#define OSSL_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/provider.h>

extern OSSL_LIB_CTX *hw_ctx, *sw_ctx; /* with the provider first, and with the default one alone */
extern OSSL_PROVIDER *provider;

bool start(void);
void check(bool ok, const char *what);
int end(void);
unsigned int draw(unsigned int *seed, unsigned int below);
void draw_bytes(unsigned int *seed, uint8_t *bytes, size_t len);
unsigned long counter(const char *name, const char *field);
bool jobs(int (*function)(void *), unsigned int seed, bool calls, unsigned int *paused);

bool sequences(unsigned int seed, int nb); /* sequences.c */

#endif
