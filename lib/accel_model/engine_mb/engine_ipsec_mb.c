/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The crypto engine on IPsec-MB, which runs jobs of many contexts side by side in vector registers.
 * The library returns jobs in the order of their submission, during a later submit or flush. A job
 * is done when it is returned. The most used algorithms take a shorter path (engine_mb_burst.c).
 * GCM and GMAC gain nothing from lanes, so the library's synchronous functions do them at once.
 *
 * The library refuses some jobs of contexts that it supports, or gets them wrong: some lengths, the
 * empty message, a counter that wraps. Long hashes, MACs and chains are gathered
 * (engine_mb_long.c), and so are short MACs with a prefix, which it does not know
 * (engine_mb_prefixed.c). The OpenSSL engine does the other jobs, so that results are exact. If
 * OpenSSL lacks one of a chain's two algorithms, the engine that splits chains does them.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "engine/engine.h"
#include "engine/engine_common.h"
#include "engine_mb/engine_mb.h"
#include "mem/vault.h"

struct engine {
	IMB_MGR *mgr;
	struct mb_manager lanes; /* memory of the manager */
	struct mb_burst *burst; /* NULL: all jobs go through the manager's queue */
	struct mb_long *longer; /* NULL: there was no memory */
	struct mb_prefixed *prefixed; /* NULL: there was no memory, or there are no arrays */
	struct engine *openssl; /* for what the library does not take; made when first needed */
	/* for chains that neither the library nor OpenSSL takes; made when first needed */
	struct engine *split;
	uint16_t eia3_tag; /* length of the ZUC-256 MACs that may be in lanes */
	uint32_t in_lanes; /* jobs that the manager has */
};

static void
finish(struct engine_job *job, const struct mb_ctx *ctx, const uint8_t *digest)
{
	engine_put_digest(job, digest, ctx->digest_len, ctx->verify);
	job->done = true;
}

/* Put the mask that is in the scratch of a job with a prefix into the second block of what the MAC
 * covers, or take it out of there: see submit_masked(). */
static void
mask_block(struct engine_job *job)
{
	uint8_t *block = (uint8_t *)(uintptr_t)job->src + job->auth_off + ENGINE_PREFIX;
	uint64_t words[2], mask[2];

	memcpy(words, block, sizeof(words));
	memcpy(mask, job->scratch, sizeof(mask));
	words[0] ^= mask[0];
	words[1] ^= mask[1];
	memcpy(block, words, sizeof(words));
}

static void
take_back(struct engine *engine, IMB_JOB *done)
{
	while (done != NULL) {
		struct engine_job *job = done->user_data;
		const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;

		if (unlikely(done->user_data2 == engine)) {
			mask_block(job);
			OPENSSL_cleanse(job->scratch, IMB_AES_BLOCK_SIZE);
		}
		if (done->status == IMB_STATUS_COMPLETED) {
			finish(job, ctx, done->auth_tag_output);
		} else {
			job->status = ACCEL_HW_ENGINE_ERROR;
			job->done = true;
		}
		engine->in_lanes--;
		done = IMB_GET_COMPLETED_JOB(engine->mgr);
	}
}

/* Set both regions of a job. The library takes one base for both. If the job is not in place, the
 * hash may have to read the cipher's output, which is elsewhere, so offsets may wrap around in the
 * library's sums. The base is the cipher region because some ciphers add the region's offset to the
 * destination, too. */
static void
set_regions(IMB_JOB *imb, const struct mb_ctx *ctx, const struct engine_job *job)
{
	imb->src = job->src + job->cipher_off;
	imb->dst = job->dst;
	imb->cipher_start_src_offset_in_bytes = 0;
	imb->msg_len_to_cipher_in_bytes = (uint64_t)job->cipher_len << ctx->cipher_shift;
	imb->hash_start_src_offset_in_bytes = (uint64_t)job->auth_off - job->cipher_off;
	imb->msg_len_to_hash_in_bytes = (uint64_t)job->auth_len << ctx->auth_shift;
	if (ctx->auth_shift != 0)
		imb->msg_len_to_hash_in_bits -= job->auth_pad;
	if (ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH) {
		imb->hash_start_src_offset_in_bytes =
				(uintptr_t)engine_auth_after_cipher(job) - (uintptr_t)imb->src;
	} else if (ctx->kind == ACCEL_HW_KIND_AEAD) {
		imb->hash_start_src_offset_in_bytes = 0;
		imb->msg_len_to_hash_in_bytes = job->cipher_len;
		imb->u.GCM.aad = job->aad; /* CCM and ChaCha20-Poly1305 have this field at the same
					    * place */
		imb->u.GCM.aad_len_in_bytes = job->aad_len;
	}
}

/* Submit the library's next job, which is filled in. */
static ALWAYS_INLINE void
submit_imb(struct engine *engine)
{
	IMB_JOB *done;

	engine->in_lanes++;
	engine->lanes.used = true;
	done = IMB_SUBMIT_JOB_NOCHECK(engine->mgr);
	if (done != NULL)
		take_back(engine, done);
}

static void
run_lanes(struct engine *engine, struct mb_ctx *ctx, struct engine_job *job)
{
	IMB_JOB *imb = IMB_GET_NEXT_JOB(engine->mgr);

	*imb = ctx->job;
	set_regions(imb, ctx, job);
	imb->iv = job->iv;
	if (ctx->auth_iv) /* SNOW3G and ZUC have this field at the same place */
		imb->u.GMAC._iv = job->iv + ctx->auth_iv_at;
	imb->auth_tag_output = mb_digest_room(ctx, job);
	imb->user_data = job;
	if (ctx->copies)
		engine_copy_source(job);
	submit_imb(engine);
}

/* What a job of submit_masked() has in its scratch. */
#define MASK_AT 0u /* of a block */
#define TAG_AT 16u /* the MAC that would be right */
#define MAC_AT 32u /* two blocks that hold the MAC to verify */

/* Encrypt one block of AES-CTR. @param data at most a block, in place. @param number of the block
 * in the message. */
static void
ctr_block(const struct engine *engine, const struct engine_job *job, uint8_t *data, uint32_t len,
		uint32_t number)
{
	const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;
	uint8_t iv[IMB_AES_BLOCK_SIZE];

	mb_counter_block(iv, job, number);
	IMB_AES128_CFB_ONE(engine->mgr, data, data, iv, ctx->job.enc_keys, len);
}

/* Decipher the MAC at the end of a job to a place in its scratch. */
static void
decipher_mac(const struct engine *engine, struct engine_job *job)
{
	const uint32_t len = ((const struct mb_ctx *)job->ctx)->digest_len;
	const uint32_t data = job->cipher_len - len, number = data / IMB_AES_BLOCK_SIZE;
	const uint32_t from = data % IMB_AES_BLOCK_SIZE, to = from + len;
	uint8_t *mac = job->scratch + MAC_AT;

	memcpy(mac + from, job->dst + data, len);
	ctr_block(engine, job, mac, to < IMB_AES_BLOCK_SIZE ? to : IMB_AES_BLOCK_SIZE, number);
	if (to > IMB_AES_BLOCK_SIZE)
		ctr_block(engine, job, mac + IMB_AES_BLOCK_SIZE, to - IMB_AES_BLOCK_SIZE,
				number + 1);
	job->digest_in = mac + from;
}

/*
 * Run a job with a prefix in place. The first block of the MAC is the prefix and the first bytes of
 * the source. It is encrypted here, and the library gets what is behind it: the exclusive or of its
 * result and the second block is what CBC encrypts next (RFC 4493). AES-CTR keeps the difference,
 * which is taken out when the job is done. Of a job to verify the first bytes and the MAC are
 * deciphered before.
 */
static bool
submit_masked(struct engine *engine, struct engine_job *job)
{
	static const uint8_t zeros[IMB_AES_BLOCK_SIZE];
	struct mb_ctx *ctx = (struct mb_ctx *)job->ctx;
	const uint8_t *from = job->src + job->auth_off, *end = from + job->auth_len;
	const uint32_t clear = job->cipher_off - job->auth_off;
	uint8_t first[IMB_AES_BLOCK_SIZE];
	IMB_JOB *imb;

	/* The library may read up to ENGINE_ROOM bytes behind the source (flaws[]). */
	if (!mb_in_range(&ctx->auth_len, job->auth_len) ||
			(uintptr_t)end % ENGINE_PAGE > ENGINE_PAGE - ENGINE_ROOM ||
			mb_counter_wraps(job))
		return false;
	memcpy(first, job->auth_iv, ENGINE_PREFIX);
	memcpy(first + ENGINE_PREFIX, from, sizeof(first) - ENGINE_PREFIX);
	if (ctx->verify) {
		ctr_block(engine, job, first + ENGINE_PREFIX + clear,
				IMB_AES_BLOCK_SIZE - ENGINE_PREFIX - clear, 0);
		decipher_mac(engine, job);
	}
	IMB_AES128_CFB_ONE(engine->mgr, job->scratch + MASK_AT, zeros, first,
			ctx->auth_key.cbc_mac.k1, sizeof(first));
	mask_block(job);
	imb = IMB_GET_NEXT_JOB(engine->mgr);
	*imb = ctx->job;
	imb->src = job->dst; /* in place */
	imb->dst = job->dst;
	imb->iv = job->iv;
	imb->msg_len_to_cipher_in_bytes = job->cipher_len - (ctx->verify ? ctx->digest_len : 0);
	imb->hash_start_src_offset_in_bytes =
			(uint64_t)job->auth_off + ENGINE_PREFIX - job->cipher_off;
	imb->msg_len_to_hash_in_bytes = job->auth_len - ENGINE_PREFIX;
	imb->auth_tag_output = ctx->verify ? job->scratch + TAG_AT : job->digest_out;
	imb->auth_tag_output_len_in_bytes = ctx->digest_len;
	imb->user_data = job;
	imb->user_data2 = engine; /* see take_back() */
	job->status = ACCEL_HW_OK;
	job->done = false;
	submit_imb(engine);
	return true;
}

/* Take a job of AES-CMAC with a prefix. */
static bool
submit_prefixed(struct engine *engine, struct engine_job *job)
{
	const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;

	if (likely(job->auth_len <= MB_PREFIXED_MAX))
		return mb_prefixed_submit(engine->prefixed, job);
	return ctx->ctr && submit_masked(engine, job);
}

/* The least frame of Ethernet whose CRC the library makes with the cipher, and how many bytes of
 * it are addresses, which stay in the clear. See is_job_invalid() in the library's
 * lib/include/mb_mgr_job_check.h. */
#define DOCSIS_FRAME 14u
#define DOCSIS_CLEAR 12u
/* Two passes, the cipher's in an array of jobs, are faster for what is shorter than this, and for
 * all that is decrypted (doc/notes/model.md). */
#define DOCSIS_LONG 192u

/* Run a job of DOCSIS with the CRC, in one pass over the frame. The library takes what DOCSIS has:
 * all but the addresses is enciphered, with the CRC at its end. */
static bool
submit_docsis_crc(struct engine *engine, struct engine_job *job)
{
	const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;
	const bool encrypt = ctx->job.cipher_direction == IMB_DIR_ENCRYPT;
	IMB_JOB *imb;

	if (ctx->group != NULL && (!encrypt || job->auth_len < DOCSIS_LONG))
		return false;
	if (unlikely(job->auth_len < DOCSIS_FRAME || job->auth_len > ctx->cipher_len.max ||
			job->cipher_off != job->auth_off + DOCSIS_CLEAR ||
			job->cipher_off + job->cipher_len !=
					job->auth_off + job->auth_len + ACCEL_HW_CRC_LEN))
		return false;
	imb = IMB_GET_NEXT_JOB(engine->mgr);
	*imb = ctx->job;
	imb->hash_alg = IMB_AUTH_DOCSIS_CRC32;
	imb->chain_order = encrypt ? IMB_ORDER_HASH_CIPHER : IMB_ORDER_CIPHER_HASH;
	imb->src = job->src;
	imb->dst = job->dst;
	imb->cipher_start_src_offset_in_bytes = job->cipher_off;
	imb->msg_len_to_cipher_in_bytes = job->cipher_len;
	imb->hash_start_src_offset_in_bytes = job->auth_off;
	imb->msg_len_to_hash_in_bytes = job->auth_len;
	imb->iv = job->iv;
	imb->auth_tag_output = job->scratch;
	imb->auth_tag_output_len_in_bytes = ACCEL_HW_CRC_LEN;
	imb->user_data = job;
	submit_imb(engine);
	return true;
}

/* Run a job of a ZUC-256 MAC. Release 1.3 makes all these MACs in its lanes with the length of the
 * job that fills the lanes, so MACs of only one length may be there. Later releases have lanes for
 * each length. */
static void
run_eia3_256(struct engine *engine, struct mb_ctx *ctx, struct engine_job *job)
{
	if (engine->eia3_tag != ctx->digest_len)
		mb_flush_lanes(engine);
	engine->eia3_tag = ctx->digest_len;
	run_lanes(engine, ctx, job);
}

/* A region of at least GCM_LONG bytes that comes from memory is done in steps, each of which
 * prefetches the next. One call is quicker for what a cache has. */
#define GCM_LONG 8192u
#define GCM_STEP 2048u

static void
gcm_step(const struct mb_ctx *ctx, struct gcm_context_data *gcm, uint8_t *dst, const uint8_t *src,
		uint32_t len, uint32_t ahead)
{
	for (uint32_t i = 0; i < ahead; i += 64)
		__builtin_prefetch(src + len + i, 0, 2);
	ctx->gcm_go_on(&ctx->cipher_key.gcm, gcm, dst, src, len);
}

static __attribute__((noinline)) void
gcm_long(const struct mb_ctx *ctx, const struct engine_job *job, uint8_t *tag)
{
	const uint8_t *src = job->src + job->cipher_off;
	_Alignas(16) struct gcm_context_data gcm;
	uint32_t at, left = job->cipher_len;

	ctx->gcm_begin(&ctx->cipher_key.gcm, &gcm, job->iv, job->aad, job->aad_len);
	for (at = 0; left > 2 * GCM_STEP; at += GCM_STEP, left -= GCM_STEP)
		gcm_step(ctx, &gcm, job->dst + at, src + at, GCM_STEP, GCM_STEP);
	gcm_step(ctx, &gcm, job->dst + at, src + at, GCM_STEP, left - GCM_STEP);
	at += GCM_STEP;
	gcm_step(ctx, &gcm, job->dst + at, src + at, left - GCM_STEP, 0);
	ctx->gcm_end(&ctx->cipher_key.gcm, &gcm, tag, MB_TAG_LEN);
	OPENSSL_cleanse(&gcm, sizeof(gcm)); /* wipe the key stream */
}

static void
run_gcm(struct engine *engine, struct mb_ctx *ctx, struct engine_job *job)
{
	_Alignas(16) struct gcm_context_data gcm;
	uint8_t *tag = mb_digest_room(ctx, job);

	(void)engine;
	if (unlikely(job->cipher_len >= GCM_LONG) && engine_uncached)
		gcm_long(ctx, job, tag);
	else
		ctx->gcm(&ctx->cipher_key.gcm, &gcm, job->dst, job->src + job->cipher_off,
				job->cipher_len, job->iv, job->aad, job->aad_len, tag, MB_TAG_LEN);
	finish(job, ctx, tag);
}

/* Do GMAC, which is GCM whose message is all AAD (SP 800-38D, section 3). */
static void
run_gmac(struct engine *engine, struct mb_ctx *ctx, struct engine_job *job)
{
	_Alignas(16) struct gcm_context_data gcm;
	uint8_t *tag = mb_digest_room(ctx, job);

	(void)engine;
	ctx->gcm(&ctx->auth_key.gmac, &gcm, NULL, NULL, 0, job->auth_iv, job->src + job->auth_off,
			job->auth_len, tag, MB_TAG_LEN);
	finish(job, ctx, tag);
}

/* Do a chain of cipher NULL and authentication NULL, or one of the two alone. They need no
 * lanes. */
static void
run_copy(struct engine *engine, struct mb_ctx *ctx, struct engine_job *job)
{
	(void)engine;
	engine_copy_source(job);
	finish(job, ctx, job->digest_out);
}

/* True if J0 is not a block that the library makes of a 12-byte IV. Such a block ends in a counter
 * of 1 (SP 800-38D, 7.1). */
static bool
other_j0(const uint8_t *iv)
{
	static const uint8_t one[ACCEL_HW_IV_MAX - MB_GCM_IV_LEN] = { 0, 0, 0, 1 };

	return memcmp(iv + MB_GCM_IV_LEN, one, sizeof(one)) != 0;
}

bool
mb_takes_iv(const struct mb_ctx *ctx, const struct engine_job *job)
{
	return !(ctx->ctr && mb_counter_wraps(job)) && !(ctx->j0 && other_j0(job->iv)) &&
			!(ctx->auth_j0 && other_j0(job->auth_iv));
}

/* Find the engine that does what the library does not take. @p instance receives the place of that
 * engine's instance. */
static const struct engine_ops *
fallback_ops(struct engine *engine, const struct mb_ctx *ctx, struct engine ***instance)
{
	if (engine_openssl.supports(&ctx->raw)) {
		*instance = &engine->openssl;
		return &engine_openssl;
	}
	*instance = &engine->split;
	return &engine_split;
}

static bool
make_fallback(struct engine *engine, struct mb_ctx *ctx)
{
	const struct engine_ops *ops;
	struct engine **instance;
	uint16_t status;

	if (ctx->fallback != NULL)
		return true;
	ops = fallback_ops(engine, ctx, &instance);
	if (*instance == NULL)
		*instance = ops->create();
	if (*instance != NULL && ops->supports(&ctx->raw))
		ctx->fallback = ops->ctx_init(*instance, &ctx->raw, &status);
	return ctx->fallback != NULL;
}

void
mb_run_fallback(struct engine *engine, struct mb_ctx *ctx, struct engine_job *job)
{
	const struct engine_ctx_header *header;

	if (!make_fallback(engine, ctx)) {
		job->status = ACCEL_HW_ENGINE_ERROR;
		job->done = true;
		return;
	}
	header = (const struct engine_ctx_header *)ctx->fallback;
	job->ctx = ctx->fallback;
	header->submit(header->engine, job); /* the job is done on return */
	job->ctx = (struct engine_ctx *)ctx;
}

void
mb_run_untaken(struct engine *engine, struct mb_ctx *ctx, struct engine_job *job)
{
	if (!mb_long_submit(engine->longer, engine, ctx, job))
		mb_run_fallback(engine, ctx, job);
}

static void
submit_any(struct engine *engine, struct engine_job *job)
{
	struct mb_ctx *ctx = (struct mb_ctx *)job->ctx;

	if (likely(mb_takes(ctx, job)))
		ctx->run(engine, ctx, job);
	else
		mb_run_untaken(engine, ctx, job);
}

/* Submit a job of GCM, of which the library takes all lengths. */
static void
submit_gcm(struct engine *engine, struct engine_job *job)
{
	struct mb_ctx *ctx = (struct mb_ctx *)job->ctx;

	if (likely(!ctx->watch_iv || mb_takes_iv(ctx, job)))
		run_gcm(engine, ctx, job);
	else
		mb_run_fallback(engine, ctx, job);
}

static void
choose_submit(const struct engine *engine, struct mb_ctx *ctx)
{
	ctx->header.submit = submit_any;
	if (ctx->job.cipher_mode == IMB_CIPHER_DOCSIS_SEC_BPI)
		ctx->header.submit_crc = submit_docsis_crc;
	if (engine->prefixed != NULL && mb_prefixed_takes(ctx))
		ctx->header.submit_prefixed = submit_prefixed;
	if (ctx->kind == ACCEL_HW_KIND_AEAD && ctx->job.cipher_mode == IMB_CIPHER_GCM) {
		ctx->header.submit = submit_gcm;
		ctx->run = run_gcm;
	} else if (ctx->kind == ACCEL_HW_KIND_AUTH && ctx->gmac) {
		ctx->run = run_gmac;
	} else if (ctx->job.cipher_mode == IMB_CIPHER_NULL &&
		   ctx->job.hash_alg == IMB_AUTH_NULL) {
		ctx->run = run_copy;
	} else if (!mb_burst_adopt(engine->burst, ctx)) {
		ctx->run = ctx->job.hash_alg == IMB_AUTH_ZUC256_EIA3_BITLEN ? run_eia3_256 :
									      run_lanes;
	}
}

static void
mb_submit(struct engine *engine, struct engine_job *job)
{
	((const struct engine_ctx_header *)job->ctx)->submit(engine, job);
}

static bool
mb_run_pieces(struct engine *engine, struct engine_job *job, const struct engine_piece *piece,
		unsigned int nb)
{
	struct mb_ctx *ctx = (struct mb_ctx *)job->ctx;
	const struct gcm_key_data *key = &ctx->cipher_key.gcm;
	_Alignas(16) struct gcm_context_data gcm;
	uint8_t *tag;

	(void)engine;
	if (ctx->run != run_gcm || !mb_takes(ctx, job))
		return false;
	tag = mb_digest_room(ctx, job);
	ctx->gcm_begin(key, &gcm, job->iv, job->aad, job->aad_len);
	for (unsigned int i = 0; i < nb; i++)
		ctx->gcm_go_on(key, &gcm, piece[i].dst, piece[i].src, piece[i].len);
	ctx->gcm_end(key, &gcm, tag, MB_TAG_LEN);
	OPENSSL_cleanse(&gcm, sizeof(gcm)); /* wipe the key stream */
	finish(job, ctx, tag);
	return true;
}

void
mb_flush_lanes(struct engine *engine)
{
	IMB_JOB *done;

	while (engine->in_lanes > 0 && (done = IMB_FLUSH_JOB(engine->mgr)) != NULL)
		take_back(engine, done);
	if (engine->burst != NULL)
		mb_burst_flush(engine->burst);
	if (engine->prefixed != NULL)
		mb_prefixed_flush(engine->prefixed);
}

static void
mb_flush(struct engine *engine)
{
	mb_flush_lanes(engine);
	if (engine->longer != NULL)
		mb_long_flush(engine->longer, engine);
}

static uint32_t
mb_crc32(struct engine *engine, const uint8_t *data, uint32_t len)
{
	return IMB_CRC32_ETHERNET_FCS(engine->mgr, data, len);
}

static void
mb_destroy(struct engine *engine)
{
	if (engine->openssl != NULL)
		engine_openssl.destroy(engine->openssl);
	if (engine->split != NULL)
		engine_split.destroy(engine->split);
	mb_prefixed_destroy(engine->prefixed);
	mb_long_destroy(engine->longer);
	mb_burst_destroy(engine->burst);
	mb_manager_free(&engine->lanes);
	free(engine);
}

static void
mb_wipe(struct engine *engine)
{
	mb_manager_wipe(&engine->lanes);
	if (engine->burst != NULL)
		mb_burst_wipe(engine->burst);
	if (engine->prefixed != NULL)
		mb_prefixed_wipe(engine->prefixed);
	if (engine->longer != NULL)
		mb_long_wipe(engine->longer);
	if (engine->split != NULL)
		engine_split.wipe(engine->split);
}

static struct engine *
mb_create(void)
{
	struct engine *engine = calloc(1, sizeof(*engine));
	IMB_ARCH arch = IMB_ARCH_NONE;

	if (engine == NULL)
		return NULL;
	/* This call runs the library's self-test, too. */
	if (!mb_manager_make(&engine->lanes, false, &arch)) {
		mb_destroy(engine);
		return NULL;
	}
	engine->mgr = engine->lanes.mgr;
	engine->burst = mb_burst_create();
	engine->longer = mb_long_create();
	engine->prefixed = mb_prefixed_create(engine->burst);
	return engine;
}

static void
mb_ctx_fini(struct engine *engine, struct engine_ctx *engine_ctx)
{
	struct mb_ctx *ctx = (struct mb_ctx *)engine_ctx;
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx->fallback;

	if (header != NULL)
		header->ops->ctx_fini(header->engine, ctx->fallback);
	if (ctx->cipher_half != NULL)
		mb_ctx_fini(engine, ctx->cipher_half);
	if (ctx->mac_half != NULL)
		mb_ctx_fini(engine, ctx->mac_half);
	vault_free(ctx, sizeof(*ctx));
}

static struct engine_ctx *
mb_ctx_init(struct engine *engine, const struct accel_hw_context *raw, uint16_t *status)
{
	struct mb_ctx *ctx;

	*status = ACCEL_HW_BAD_CONTEXT;
	if (!mb_keys_support(raw))
		return NULL;
	*status = ACCEL_HW_ENGINE_ERROR;
	ctx = vault_alloc(sizeof(*ctx));
	if (ctx == NULL)
		return NULL;
	ctx->header.ops = &engine_ipsec_mb;
	ctx->header.engine = engine;
	mb_keys_expand(engine->mgr, ctx, raw);
	ctx->watch_iv = ctx->ctr || ctx->j0 || ctx->auth_j0;
	choose_submit(engine, ctx);
	return (struct engine_ctx *)ctx;
}

const struct engine_ops engine_ipsec_mb = {
	.name = "ipsec_mb",
	.create = mb_create,
	.destroy = mb_destroy,
	.supports = mb_keys_support,
	.ctx_init = mb_ctx_init,
	.ctx_fini = mb_ctx_fini,
	.submit = mb_submit,
	.flush = mb_flush,
	.run_pieces = mb_run_pieces,
	.crc32 = mb_crc32,
	.wipe = mb_wipe,
};
