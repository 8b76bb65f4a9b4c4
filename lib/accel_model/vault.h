/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Memory for what must not leave the process: expanded keys, and copies of payload. Core dumps
 * leave it out, it is wiped when it is given back, and where it holds keys it is kept out of swap
 * if RLIMIT_MEMLOCK allows that.
 */
#ifndef ACCEL_MODEL_VAULT_H
#define ACCEL_MODEL_VAULT_H

#include <stddef.h>

#define VAULT_ALIGN 64u

/** Zeroed pages for copies of payload; not locked. NULL if there is no memory. */
void *vault_map(size_t bytes);
/** Wipe as many bytes as were used, and give back. NULL is fine. */
void vault_unmap(void *p, size_t bytes, size_t used);

/** Zeroed memory for keys, aligned to VAULT_ALIGN. NULL if there is none. */
void *vault_alloc(size_t bytes);
/** Wipe and give back; as many bytes as were asked for. NULL is fine. */
void vault_free(void *p, size_t bytes);

/** Some memory for keys could not be locked: an errno value, once; else 0. */
int vault_take_refusal(void);

#endif /* ACCEL_MODEL_VAULT_H */
