/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Memory for expanded keys and copies of payload, which must not leave the process. Core dumps
 * leave this memory out, and it is wiped when it is given back. Memory for keys is kept out of swap
 * as far as half of RLIMIT_MEMLOCK allows, because the program may have memory of its own to lock.
 * With CAP_IPC_LOCK, to which the limit does not apply, all of it is kept out of swap.
 */
#ifndef ACCEL_MODEL_VAULT_H
#define ACCEL_MODEL_VAULT_H

#include <stddef.h>

#define VAULT_ALIGN 64u

/** Get zeroed pages for copies of payload. They are not locked. Return NULL if there is no
 * memory. */
void *vault_map(size_t bytes);
/** Wipe the first @p used bytes, and give the pages back. NULL is allowed. */
void vault_unmap(void *p, size_t bytes, size_t used);

/** Get zeroed memory for keys, aligned to VAULT_ALIGN. Return NULL if there is none. */
void *vault_alloc(size_t bytes);
/** Wipe memory and give it back. @param bytes as for vault_alloc(). NULL is allowed. */
void vault_free(void *p, size_t bytes);

/** Use all of RLIMIT_MEMLOCK from now on, because the process does nothing but be the card. */
void vault_take_limit(void);

/** Return why memory for keys could not be locked, as an errno value. Only the first call returns
 * the reason. Later calls return 0. */
int vault_take_refusal(void);

#endif /* ACCEL_MODEL_VAULT_H */
