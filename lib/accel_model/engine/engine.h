/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The interface between the crypto engines and the DMA side of the model, which fetches requests
 * and answers them. Each worker has instances of its own of all engines. Threads share no instance.
 *
 * The DMA side reads a context into a copy ("raw"), checks it against the algorithm table (alg.h),
 * lets an engine expand it (ctx_init), and caches the result. For each request it checks the
 * lengths (manual 7.2), finds memory as plain pointers, and submits a job. job->done says that the
 * job is finished. Engines never see IOVAs, descriptors or rings.
 */
#ifndef ACCEL_MODEL_ENGINE_H
#define ACCEL_MODEL_ENGINE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_hw.h"
#include "base/step.h"

/* A flag of a raw context, beside those of the contract: sources of its jobs have ENGINE_ROOM
 * readable bytes behind them. Some code of a library reads beyond the end of a source. */
#define ENGINE_CTX_ROOM 0x80u
#define ENGINE_ROOM 64u
#define ENGINE_PAGE 4096u /* bytes; if one byte of it is readable, all are */

static_assert((ENGINE_CTX_ROOM & (ACCEL_HW_CTX_ENCRYPT | ACCEL_HW_CTX_VERIFY)) == 0,
	      "a flag of its own");

/* Bytes before a PDU of PDCP that the MAC of EIA2 covers: COUNT and BEARER (TS 33.401, B.2.3). */
#define ENGINE_PREFIX 8u

struct engine; /* one instance */
struct engine_ctx; /* an expanded context, owned by the engine that made it */

/*
 * Describes one operation with plain pointers. The source is contiguous. The DMA side guarantees
 * three things. Lengths fit the buffers and the algorithm's rules. dst is NULL only if there is no
 * cipher output. dst equals src + cipher_off (in place), or does not overlap the source. digest_in
 * and digest_out have no meaning for a context of a cipher alone. If the kind is CIPHER_THEN_AUTH
 * and the job is not in place, the authentication region is within the cipher region; the DMA side
 * copies other jobs and runs them in place. A digest may lie in the cipher region of the source:
 * the cipher of an auth-then-cipher covers the digest that was written, and digest_in is compared
 * after the cipher of a cipher-then-auth in place. Memory may be a guest's and can change at any
 * time, so nothing that is read twice may be trusted.
 */
struct engine_job {
	struct engine_ctx *ctx;
	const uint8_t *src; /* source, from its first byte */
	uint8_t *dst; /* where the first byte of the cipher region's output goes */
	const uint8_t *aad;
	const uint8_t *digest_in; /* verify: the expected digest, in a private copy of the DMA
				   * side */
	uint8_t *digest_out; /* generate: has room for ACCEL_HW_DIGEST_MAX bytes; digest_len of them
			      * are valid */
	uint32_t src_len;
	uint32_t cipher_off;
	uint32_t cipher_len;
	uint32_t auth_off;
	uint32_t auth_len;
	uint32_t aad_len;
	uint32_t auth_pad; /* bits at the end of the auth region that do not belong to it: 0 */
	uint8_t iv[ACCEL_HW_IV_MAX]; /* copied from the command; a long IV takes this and auth_iv */
	uint8_t auth_iv[ACCEL_HW_IV_MAX];
	uint16_t status; /* result: enum accel_hw_status (OK, AUTH_FAILED, ENGINE_ERROR) */
	bool done; /* set by the engine when status and output are valid */
	uint8_t scratch[ACCEL_HW_DIGEST_MAX]; /* for the engine's own use, e.g. for a whole
					       * digest */
};

/* Describes a piece of an AEAD's region that is contiguous in source and destination. */
struct engine_piece {
	const uint8_t *src;
	uint8_t *dst;
	uint32_t len;
};

struct engine_ops {
	const char *name;
	/** Make an instance. Return NULL if the CPU or the library lacks something. */
	struct engine *(*create)(void);
	void (*destroy)(struct engine *engine);
	/**
	 * True if the engine can compute this checked context. For a chain it has to compute both
	 * algorithms in their order. The device tree is built with this function, from every key
	 * size, and an engine is chosen for a context.
	 */
	bool (*supports)(const struct accel_hw_context *raw);
	/**
	 * Expand a checked context. Return NULL if this fails; *status is BAD_CONTEXT or
	 * ENGINE_ERROR then.
	 */
	struct engine_ctx *(*ctx_init)(struct engine *engine, const struct accel_hw_context *raw,
				       uint16_t *status);
	/** Wipe and free a context. No job of the context is under way. */
	void (*ctx_fini)(struct engine *engine, struct engine_ctx *ctx);
	/** Take a job. The job may be done on return, or later, during a flush or the submit of
	 * another job. */
	void (*submit)(struct engine *engine, struct engine_job *job);
	/** Finish all jobs that were submitted. */
	void (*flush)(struct engine *engine);
	/**
	 * Carry out at once a job of an AEAD whose region is in pieces. The job's src and dst are
	 * unused. Return false if nothing was done because the engine does not take this context or
	 * job. The pointer is NULL if the engine takes no pieces.
	 */
	bool (*run_pieces)(struct engine *engine, struct engine_job *job,
			   const struct engine_piece *piece, unsigned int nb);
	/** Compute the CRC-32 of Ethernet frames (IEEE 802.3). The pointer is NULL if the engine
	 * has none. */
	uint32_t (*crc32)(struct engine *engine, const uint8_t *data, uint32_t len);
	/** Wipe what the instance keeps of jobs that are done. No job is under way. The pointer is
	 * NULL if the engine keeps nothing. */
	void (*wipe)(struct engine *engine);
};

static_assert(offsetof(struct engine_job, auth_iv) ==
		      offsetof(struct engine_job, iv) + ACCEL_HW_IV_MAX,
	      "a long IV takes both");

/* Every engine_ctx begins with this, so that a job finds its engine. */
struct engine_ctx_header {
	const struct engine_ops *ops;
	struct engine *engine;
	/** Take a job of this context, as ops->submit does. */
	void (*submit)(struct engine *engine, struct engine_job *job);
	/**
	 * Take a job in place of a DOCSIS cipher whose authentication region has the CRC-32 of an
	 * Ethernet frame directly behind it. A job that encrypts writes the CRC there before the
	 * cipher. One that decrypts leaves the CRC that would be right in job->scratch, as Ethernet
	 * sends it. Return false if nothing was done because the engine does not take this job.
	 * The pointer is NULL if the engine takes none.
	 */
	bool (*submit_crc)(struct engine *engine, struct engine_job *job);
	/**
	 * Take a job in place of AES-CMAC, alone, before or after AES-CTR, whose MAC covers
	 * ENGINE_PREFIX bytes of job->auth_iv before the authentication region. The digest lies
	 * behind this region and, if there is one, at the end of the cipher region. One to send is
	 * written there, exactly digest_len bytes, and enciphered. One to verify is deciphered
	 * apart, so that nothing is written to its place; without a cipher it is at job->digest_in.
	 * Return values and NULL are those of submit_crc.
	 */
	bool (*submit_prefixed)(struct engine *engine, struct engine_job *job);
};

/* True while many more jobs than this thread submits now are known to follow at once. Then an
 * engine may gather more of them before it works. */
extern _Thread_local bool engine_many;
/* True while the payload of this thread's jobs comes from memory, because more of it is under way
 * than caches hold. */
extern _Thread_local bool engine_uncached;

/** Submit one job of a context. */
static inline void
engine_submit(struct engine_ctx *ctx, struct engine_job *job)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx;

	job->ctx = ctx;
	job->status = ACCEL_HW_OK;
	job->done = false;
	header->submit(header->engine, job);
}

/** Run one job of a context and wait for it. */
static inline void
engine_run(struct engine_ctx *ctx, struct engine_job *job)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx;

	engine_submit(ctx, job);
	if (!job->done)
		header->ops->flush(header->engine);
}

extern const struct engine_ops engine_openssl;
extern const struct engine_ops engine_ipsec_mb;
extern const struct engine_ops engine_split; /* chains whose halves two of the other engines
					      * compute */
extern const struct engine_ops engine_null;

#endif /* ACCEL_MODEL_ENGINE_H */
