/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * An expanded context of the IPsec-MB engine. engine_mb_keys.c makes contexts, and has the tables
 * of what the library computes within which lengths. engine_ipsec_mb.c runs jobs with them.
 */
#ifndef ACCEL_MODEL_ENGINE_MB_H
#define ACCEL_MODEL_ENGINE_MB_H

#include <intel-ipsec-mb.h>

#include "base/util.h"
#include "engine/engine.h"

#define MB_ALIGN 64u /* for gcm_key_data; other keys need 16 at most */
#define MB_AES_ROUND_KEYS (15u * IMB_AES_BLOCK_SIZE)
#define MB_CHACHA_KEY 32u
#define MB_ZUC_KEY 32u
#define MB_TAG_LEN 16u
#define MB_GCM_IV_LEN 12u
#define MB_CCM_AAD_MAX 46u /* three blocks less two bytes, which hold the length of the AAD */

struct mb_ctx;
struct mb_burst; /* an engine's arrays of jobs of one kind */
struct mb_group; /* one of these arrays */
struct mb_long; /* an engine's hashes, MACs and chains that are longer than lanes */
struct mb_prefixed; /* an engine's jobs of AES-CMAC with a prefix */

/* Start a job that the library takes, or do the job at once. */
typedef void (*mb_run_t)(struct engine *engine, struct mb_ctx *ctx, struct engine_job *job);

/* Holds the limits of the lengths that the library takes, in bytes, both ends included. */
struct mb_range {
	uint32_t min;
	uint32_t max;
};

union mb_cipher_key {
	struct gcm_key_data gcm;
	struct {
		uint8_t enc[MB_AES_ROUND_KEYS];
		uint8_t dec[MB_AES_ROUND_KEYS];
	} aes;
	struct {
		uint64_t schedule[3][IMB_DES_KEY_SCHED_SIZE / sizeof(uint64_t)];
		const void *order[3]; /* schedules of triple DES in the form of the library */
	} des;
	uint8_t chacha[MB_CHACHA_KEY];
	snow3g_key_schedule_t snow3g;
	kasumi_key_sched_t kasumi;
	uint8_t zuc[MB_ZUC_KEY];
};

union mb_auth_key {
	struct gcm_key_data gmac;
	struct {
		/* hash states after the block of key xor pad (RFC 2104) */
		uint8_t ipad[IMB_SHA512_DIGEST_SIZE_IN_BYTES];
		uint8_t opad[IMB_SHA512_DIGEST_SIZE_IN_BYTES];
	} hmac;
	struct {
		uint8_t k1[MB_AES_ROUND_KEYS];
		uint8_t k2[IMB_AES_BLOCK_SIZE];
		uint8_t k3[IMB_AES_BLOCK_SIZE];
	} cbc_mac; /* CMAC, XCBC: k1 has round keys, k2 and k3 go into a whole or a padded last
		    * block */
	snow3g_key_schedule_t snow3g;
	kasumi_key_sched_t kasumi;
	uint8_t zuc[MB_ZUC_KEY];
};

struct mb_ctx {
	struct engine_ctx_header header;
	mb_run_t run; /* NULL with a group */
	struct mb_group *group; /* the array in which its jobs run with others; else NULL */
	aes_gcm_enc_dec_t gcm; /* GCM, GMAC alone: the library's synchronous function */
	aes_gcm_init_t gcm_begin; /* GCM: the library's functions for a message in pieces */
	aes_gcm_enc_dec_update_t gcm_go_on;
	aes_gcm_enc_dec_finalize_t gcm_end;
	struct mb_range cipher_len;
	struct mb_range auth_len;
	uint32_t aad_max;
	uint16_t digest_len;
	uint8_t kind;
	bool watch_iv; /* look at the IV of each job, because of ctr, j0 or auth_j0 */
	bool ctr; /* CTR: the counter must not wrap */
	bool j0; /* GCM: iv is the counter block J0 */
	bool auth_j0; /* GMAC: auth_iv of the job is J0 */
	bool copies; /* cipher NULL: the library leaves the copy to its caller */
	bool gmac;
	bool verify;
	uint8_t cipher_shift; /* 3: the library takes the length of the cipher region in bits */
	uint8_t auth_shift;
	uint8_t auth_iv_at; /* where the authentication's IV begins, from job->iv */
	bool auth_iv; /* the authentication has an IV */
	IMB_JOB job; /* the fields that do not depend on the operation */
	/* For long jobs, made when one first needs them: the cipher of a chain or of CCM, and
	 * AES-CBC with the key of a MAC. */
	struct engine_ctx *cipher_half;
	struct engine_ctx *mac_half;
	struct engine_ctx *fallback; /* context of another engine, made when a job first needs it */
	struct accel_hw_context raw; /* what the fallback is made of */
	_Alignas(MB_ALIGN) union mb_auth_key auth_key;
	_Alignas(MB_ALIGN) union mb_cipher_key cipher_key;
};

/** Return room for the library's whole digest, which may be longer than digest_len. digest_out has
 * this room (engine.h). The memory of digest_in may only be read. */
static inline uint8_t *
mb_digest_room(const struct mb_ctx *ctx, struct engine_job *job)
{
	return ctx->verify || job->digest_out == NULL ? job->scratch : job->digest_out;
}

/** True if the last 32 bits of the counter block wrap within the message. The library counts in
 * these bits only. SP 800-38A and manual 8.2 count in all 128 bits, so the results differ then. */
static ALWAYS_INLINE bool
mb_counter_wraps(const struct engine_job *job)
{
	uint64_t blocks = ((uint64_t)job->cipher_len + IMB_AES_BLOCK_SIZE - 1) / IMB_AES_BLOCK_SIZE;
	uint32_t counter;

	memcpy(&counter, job->iv + IMB_AES_BLOCK_SIZE - sizeof(counter), sizeof(counter));
	return __builtin_bswap32(counter) + blocks > UINT64_C(1) << 32;
}

/** Make the counter block of a block in the message of a job, whose counter does not wrap. */
static ALWAYS_INLINE void
mb_counter_block(uint8_t *block, const struct engine_job *job, uint32_t number)
{
	uint32_t counter;

	memcpy(block, job->iv, IMB_AES_BLOCK_SIZE);
	memcpy(&counter, block + IMB_AES_BLOCK_SIZE - sizeof(counter), sizeof(counter));
	counter = __builtin_bswap32(__builtin_bswap32(counter) + number);
	memcpy(block + IMB_AES_BLOCK_SIZE - sizeof(counter), &counter, sizeof(counter));
}

/** True if the library takes the IV of this job. This is called only if ctx->watch_iv is set. */
bool mb_takes_iv(const struct mb_ctx *ctx, const struct engine_job *job);

/** Do a job that the library does not take by another engine. */
COLD void mb_run_fallback(struct engine *engine, struct mb_ctx *ctx, struct engine_job *job);

/** Do a job that the library does not take, or gather it with others that are as long. */
COLD void mb_run_untaken(struct engine *engine, struct mb_ctx *ctx, struct engine_job *job);

/** Do all jobs that wait in the library's lanes and in arrays. */
void mb_flush_lanes(struct engine *engine);

static ALWAYS_INLINE bool
mb_in_range(const struct mb_range *range, uint32_t len)
{
	return len >= range->min && len <= range->max;
}

static ALWAYS_INLINE bool
mb_takes(const struct mb_ctx *ctx, const struct engine_job *job)
{
	return mb_in_range(&ctx->cipher_len, job->cipher_len) &&
			mb_in_range(&ctx->auth_len, job->auth_len) &&
			job->aad_len <= ctx->aad_max &&
			(!ctx->watch_iv || mb_takes_iv(ctx, job));
}

/* Holds a manager of the library. It is in the model's own memory because lanes hold keys and ends
 * of messages. */
struct mb_manager {
	IMB_MGR *mgr; /* NULL: there is none */
	void *fresh; /* a copy of the manager as it was before its first job */
	bool used; /* the manager had jobs since it was fresh */
};

/** Make a manager. With @p sse it uses the library's code for SSE only. Return false if there is no
 * memory, or if the library does not work on this CPU. Then nothing is to be freed. */
bool mb_manager_make(struct mb_manager *manager, bool sse, IMB_ARCH *arch);
/** Free a manager without jobs. A manager that was not made is allowed. */
void mb_manager_free(struct mb_manager *manager);
/** Restore a manager without jobs to its state before its first job. */
void mb_manager_wipe(struct mb_manager *manager);

/** Make the arrays of an engine. Return NULL if there is no memory, or the library does not work on
 * this CPU. */
struct mb_burst *mb_burst_create(void);
/** Free the arrays of an engine, which hold no jobs. NULL is allowed. */
void mb_burst_destroy(struct mb_burst *burst);
/** Give the context a group and a header.submit for it, if its algorithms can be run in arrays.
 * That submit puts a job into the group. When the group is full, its jobs are done. */
bool mb_burst_adopt(struct mb_burst *burst, struct mb_ctx *ctx);
/** Do all jobs that wait in arrays. */
void mb_burst_flush(struct mb_burst *burst);
/** Wipe what is left of finished jobs. No other jobs are in the arrays. */
void mb_burst_wipe(struct mb_burst *burst);

/** Make the place where long jobs wait. Return NULL if there is no memory. */
struct mb_long *mb_long_create(void);
/** Free a place without jobs. NULL is allowed. */
void mb_long_destroy(struct mb_long *longer);
/** Let a job wait for others that are longer than the library takes. Return false if it is none of
 * these; @p longer may be NULL then. */
COLD bool mb_long_submit(struct mb_long *longer, struct engine *engine, struct mb_ctx *ctx,
		struct engine_job *job);
/** Do all jobs that wait. */
void mb_long_flush(struct mb_long *longer, struct engine *engine);
/** Wipe what is left of finished jobs. */
void mb_long_wipe(struct mb_long *longer);

/** Return the manager of arrays, or that of arrays of few jobs, for jobs that the caller runs now.
 * Their lanes are empty except while an array runs. */
IMB_MGR *mb_burst_manager(struct mb_burst *burst, bool few);

/* Bytes of a job with a prefix up to which it waits for others. A longer one is quicker in a job of
 * its own (doc/notes/model.md). */
#define MB_PREFIXED_MAX 2048u

/** Make the place where jobs with a prefix wait. Return NULL if there is no memory, or without
 * arrays. */
struct mb_prefixed *mb_prefixed_create(struct mb_burst *burst);
/** Free a place without jobs. NULL is allowed. */
void mb_prefixed_destroy(struct mb_prefixed *prefixed);
/** True if a context's jobs may have a prefix. */
bool mb_prefixed_takes(const struct mb_ctx *ctx);
/** Let a job of such a context wait for others. Return as engine_ctx_header.submit_prefixed(). */
bool mb_prefixed_submit(struct mb_prefixed *prefixed, struct engine_job *job);
/** Do all jobs that wait. */
void mb_prefixed_flush(struct mb_prefixed *prefixed);
/** Wipe what is left of finished jobs. No job waits. */
void mb_prefixed_wipe(struct mb_prefixed *prefixed);

/** True if the library computes this checked context. */
bool mb_keys_support(const struct accel_hw_context *raw);

/** Fill in a zeroed ctx, except for header, run and fallback. The library has to support the
 * context. */
void mb_keys_expand(IMB_MGR *mgr, struct mb_ctx *ctx, const struct accel_hw_context *raw);

#endif /* ACCEL_MODEL_ENGINE_MB_H */
