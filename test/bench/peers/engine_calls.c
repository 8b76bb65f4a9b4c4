/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Counts calls of IPsec-MB: see engine_calls.h. The functions that initialize a manager stand here,
 * too. The program exports them, so the device calls these and not those of the library, and finds
 * functions that count in its managers.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include "engine_calls.h"

#ifdef BENCH_IPSEC_MB
#include <intel-ipsec-mb.h>

static bool counting;
static uint64_t calls, jobs; /* written by the device's thread */

static void
count(uint64_t nb)
{
	__atomic_store_n(&calls, calls + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&jobs, jobs + nb, __ATOMIC_RELAXED);
}

/* The functions of a manager. Those of another architecture have a manager of their own. */
#define COUNTED(arch)                                                                              \
	static submit_cipher_burst_t cipher_##arch;                                                \
	static submit_hash_burst_t hash_##arch;                                                    \
	static uint32_t count_cipher_##arch(IMB_MGR *mgr, IMB_JOB *job, const uint32_t nb,         \
			const IMB_CIPHER_MODE mode, const IMB_CIPHER_DIRECTION direction,          \
			const IMB_KEY_SIZE_BYTES len)                                              \
	{                                                                                          \
		count(nb);                                                                         \
		return cipher_##arch(mgr, job, nb, mode, direction, len);                          \
	}                                                                                          \
	static uint32_t count_hash_##arch(                                                         \
			IMB_MGR *mgr, IMB_JOB *job, const uint32_t nb, const IMB_HASH_ALG hash)    \
	{                                                                                          \
		count(nb);                                                                         \
		return hash_##arch(mgr, job, nb, hash);                                            \
	}                                                                                          \
	static void plant_##arch(IMB_MGR *mgr)                                                     \
	{                                                                                          \
		cipher_##arch = mgr->submit_cipher_burst_nocheck;                                  \
		hash_##arch = mgr->submit_hash_burst_nocheck;                                      \
		mgr->submit_cipher_burst_nocheck = count_cipher_##arch;                            \
		mgr->submit_hash_burst_nocheck = count_hash_##arch;                                \
	}

COUNTED(best)
COUNTED(sse)

static aes_gcm_enc_dec_t gcm;
static aes_gcm_init_t gcm_begin;

static void
count_gcm(const struct gcm_key_data *key, struct gcm_context_data *ctx, uint8_t *out,
	  const uint8_t *in, uint64_t len, const uint8_t *iv, const uint8_t *aad, uint64_t aad_len,
	  uint8_t *tag, uint64_t tag_len)
{
	count(1);
	gcm(key, ctx, out, in, len, iv, aad, aad_len, tag, tag_len);
}

static void
count_gcm_begin(const struct gcm_key_data *key, struct gcm_context_data *ctx, const uint8_t *iv,
		const uint8_t *aad, uint64_t aad_len)
{
	count(1);
	gcm_begin(key, ctx, iv, aad, aad_len);
}

/* Finds a function of the library that this file stands before. */
static void *
library(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (function == NULL)
		abort();
	return function;
}

void
init_mb_mgr_auto(IMB_MGR *mgr, IMB_ARCH *arch)
{
	void (*init)(IMB_MGR *, IMB_ARCH *);

	*(void **)&init = library("init_mb_mgr_auto");
	init(mgr, arch);
	if (!counting)
		return;
	plant_best(mgr);
	gcm = mgr->gcm128_enc;
	gcm_begin = mgr->gcm128_init;
	mgr->gcm128_enc = count_gcm;
	mgr->gcm128_init = count_gcm_begin;
}

void
init_mb_mgr_sse(IMB_MGR *mgr)
{
	void (*init)(IMB_MGR *);

	*(void **)&init = library("init_mb_mgr_sse");
	init(mgr);
	if (counting)
		plant_sse(mgr);
}

bool
engine_calls_count(void)
{
	counting = true;
	return true;
}

void
engine_calls_begin(void)
{
	__atomic_store_n(&calls, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&jobs, 0, __ATOMIC_RELAXED);
}

double
engine_calls_jobs(void)
{
	const uint64_t nb = __atomic_load_n(&calls, __ATOMIC_RELAXED);

	return nb == 0 ? 0 : (double)__atomic_load_n(&jobs, __ATOMIC_RELAXED) / (double)nb;
}
#else
bool
engine_calls_count(void)
{
	return false;
}

void
engine_calls_begin(void)
{
}

double
engine_calls_jobs(void)
{
	return 0;
}
#endif
