/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Bursts of the IPsec-MB engine. The library's job queue costs as much per job as the lanes cost
 * for a short packet: it copies a job into a queue, finds its algorithm in a table, and returns it
 * in order. For some algorithms the library also takes an array of jobs of one kind, which does not
 * have this cost. Jobs are gathered here per kind until there are enough for all lanes, or until
 * they are flushed. An array has a cost of its own, so it is twice as long while many more jobs
 * follow (engine_many).
 *
 * The library runs its queue and its arrays in the same lanes, and the end of an array empties
 * these lanes. Arrays therefore have managers of their own. There are two, because wide lanes take
 * as long for one job as for all, and do not use the CPU's instructions for hashes. For a few jobs
 * the library's code for SSE is up to seven times as fast.
 *
 * Lanes count bytes in 16 bits. A longer message of AES-CBC is encrypted in parts, side by side
 * with those of other jobs: the IV of a part is the last block of the part before.
 *
 * AES-DOCSIS-BPI is AES-CBC for the whole blocks of a message (manual 8.2), so its jobs are in the
 * arrays of AES-CBC. A residual block takes one more call of the library.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/engine_common.h"
#include "engine_mb/engine_mb.h"

#define LANES 16u /* the most that any algorithm here has */
#define BURST (4 * LANES)
#define FEWER (BURST / 2) /* jobs of an array unless many more follow: others may wait for these */
#define PART 32768u /* bytes of a part of a long message: several blocks, and within 16 bits */
#define LONG_BYTES (128u << 10) /* with so many bytes of payload, one job per lane is enough */
#define ANY_LANE 32768u /* all lanes take from 1 to this many bytes, a power of two */

/* Holds what the jobs of an array have in common. */
struct kind {
	IMB_CIPHER_MODE cipher; /* NULL: none */
	IMB_CIPHER_DIRECTION direction;
	IMB_KEY_SIZE_BYTES key_len;
	IMB_HASH_ALG hash; /* NULL: none */
	IMB_CHAIN_ORDER order;
};

struct mb_group {
	struct kind kind;
	struct mb_group *next;
	IMB_MGR *mgr;
	IMB_MGR *few; /* quicker manager for at most few_ciphers or few_hashes jobs */
	unsigned int few_ciphers;
	unsigned int few_hashes;
	bool *used; /* mb_manager.used of mgr, which holds for few, too */
	unsigned int nb; /* jobs of an array that runs */
	uint32_t bytes;
	bool parts; /* a job is longer than what its entry says */
	bool residues; /* a job has a residual block to encrypt */
	bool verifies; /* a job has a digest to verify */
	IMB_JOB *next_job;
	IMB_JOB *look; /* when the next job is here, there may be enough jobs */
	/* user_data is the job of the model. user_data2 is the id of the context for which the
	 * entry was last filled in; ids are never used again. */
	IMB_JOB job[BURST];
};

struct mb_burst {
	struct mb_manager mgr;
	struct mb_manager few; /* unused if mgr has no wide lanes */
	struct mb_group *group; /* list of all groups */
	uintptr_t last_id;
};

static bool
takes_cipher(IMB_CIPHER_MODE mode)
{
	return mode == IMB_CIPHER_CBC || mode == IMB_CIPHER_CNTR;
}

static bool
takes_hash(IMB_HASH_ALG hash)
{
	return hash == IMB_AUTH_HMAC_SHA_1 || hash == IMB_AUTH_HMAC_SHA_224 ||
			hash == IMB_AUTH_HMAC_SHA_256 || hash == IMB_AUTH_HMAC_SHA_384 ||
			hash == IMB_AUTH_HMAC_SHA_512;
}

/* True for AES-DOCSIS-BPI with a key for which the library has a call for a residual block. */
static ALWAYS_INLINE bool
is_docsis(const struct mb_ctx *ctx)
{
	return ctx->job.cipher_mode == IMB_CIPHER_DOCSIS_SEC_BPI &&
			ctx->job.key_len_in_bytes == IMB_KEY_128_BYTES;
}

static bool
takes(const struct mb_ctx *ctx)
{
	switch (ctx->kind) {
	case ACCEL_HW_KIND_CIPHER:
		return takes_cipher(ctx->job.cipher_mode) || is_docsis(ctx);
	case ACCEL_HW_KIND_AUTH:
		return takes_hash(ctx->job.hash_alg);
	case ACCEL_HW_KIND_CIPHER_THEN_AUTH:
	case ACCEL_HW_KIND_AUTH_THEN_CIPHER:
		return takes_cipher(ctx->job.cipher_mode) && takes_hash(ctx->job.hash_alg);
	default:
		return false;
	}
}

static struct kind
kind_of(const struct mb_ctx *ctx)
{
	return (struct kind){
		.cipher = is_docsis(ctx) ? IMB_CIPHER_CBC : ctx->job.cipher_mode,
		.direction = ctx->job.cipher_direction,
		.key_len = (IMB_KEY_SIZE_BYTES)ctx->job.key_len_in_bytes,
		.hash = ctx->job.hash_alg,
		.order = ctx->job.chain_order,
	};
}

static bool
same_kind(const struct kind *a, const struct kind *b)
{
	return a->cipher == b->cipher && a->direction == b->direction && a->key_len == b->key_len &&
			a->hash == b->hash && a->order == b->order;
}

/* Return for how many jobs of a cipher the manager for few jobs is quicker. The number is measured
 * (doc/notes/model.md). In the code for SSE, AES-CBC has half as many lanes, of one block each. */
static unsigned int
few_ciphers(const struct kind *kind)
{
	return kind->cipher == IMB_CIPHER_CBC && kind->direction == IMB_DIR_ENCRYPT ? LANES / 2 : 0;
}

/* Return for how many jobs of a hash the manager for few jobs is quicker. The numbers are measured
 * (doc/notes/model.md). Hashes have two lanes there if the CPU has instructions for them. */
static unsigned int
few_hashes(const struct kind *kind, const IMB_MGR *mgr)
{
	if ((mgr->features & IMB_FEATURE_SHANI) == 0)
		return 0;
	switch (kind->hash) {
	case IMB_AUTH_HMAC_SHA_1:
		return 6;
	case IMB_AUTH_HMAC_SHA_224:
	case IMB_AUTH_HMAC_SHA_256:
		return BURST; /* always */
	default:
		return 0;
	}
}

struct mb_burst *
mb_burst_create(void)
{
	struct mb_burst *burst = calloc(1, sizeof(*burst));
	IMB_ARCH arch = IMB_ARCH_NONE;

	if (burst == NULL)
		return NULL;
	if (!mb_manager_make(&burst->mgr, false, &arch)) {
		mb_burst_destroy(burst);
		return NULL;
	}
	/* If this fails, all jobs go to the first manager. */
	if (arch >= IMB_ARCH_AVX2)
		mb_manager_make(&burst->few, true, &arch);
	return burst;
}

IMB_MGR *
mb_burst_manager(struct mb_burst *burst, bool few)
{
	burst->mgr.used = true; /* holds for both */
	return few && burst->few.mgr != NULL ? burst->few.mgr : burst->mgr.mgr;
}

void
mb_burst_destroy(struct mb_burst *burst)
{
	if (burst == NULL)
		return;
	while (burst->group != NULL) {
		struct mb_group *group = burst->group;

		burst->group = group->next;
		free(group);
	}
	mb_manager_free(&burst->few);
	mb_manager_free(&burst->mgr);
	free(burst);
}

static void
begin_array(struct mb_group *group)
{
	group->bytes = 0;
	group->verifies = false;
	group->residues = false;
	group->next_job = group->job;
	group->look = group->job + LANES;
}

static struct mb_group *
find_group(struct mb_burst *burst, const struct kind *kind)
{
	struct mb_group *group = burst->group;

	while (group != NULL && !same_kind(&group->kind, kind))
		group = group->next;
	if (group != NULL)
		return group;
	group = calloc(1, sizeof(*group));
	if (group == NULL)
		return NULL;
	group->kind = *kind;
	begin_array(group);
	group->mgr = burst->mgr.mgr;
	group->used = &burst->mgr.used;
	if (burst->few.mgr != NULL) {
		group->few = burst->few.mgr;
		group->few_ciphers = few_ciphers(kind);
		group->few_hashes = few_hashes(kind, burst->few.mgr);
	}
	group->next = burst->group;
	burst->group = group;
	return group;
}

static void
run_cipher_array(struct mb_group *group)
{
	IMB_MGR *mgr = group->nb <= group->few_ciphers ? group->few : group->mgr;

	IMB_SUBMIT_CIPHER_BURST_NOCHECK(mgr, group->job, group->nb, group->kind.cipher,
			group->kind.direction, group->kind.key_len);
}

static void
run_hash_array(struct mb_group *group)
{
	IMB_MGR *mgr = group->nb <= group->few_hashes ? group->few : group->mgr;

	IMB_SUBMIT_HASH_BURST_NOCHECK(mgr, group->job, group->nb, group->kind.hash);
}

/* Let jobs that have their first stage begin the second one. An error of either stage stays. */
static void
next_stage(struct mb_group *group)
{
	for (unsigned int i = 0; i < group->nb; i++) {
		IMB_JOB *imb = &group->job[i];

		if (unlikely(imb->status != IMB_STATUS_COMPLETED))
			((struct engine_job *)imb->user_data)->status = ACCEL_HW_ENGINE_ERROR;
		imb->status = IMB_STATUS_BEING_PROCESSED;
	}
}

/* Run the stages of a chain, each for all jobs, or the only one. */
static void
run_stages(struct mb_group *group)
{
	const bool chain = group->kind.cipher != IMB_CIPHER_NULL &&
			group->kind.hash != IMB_AUTH_NULL;
	const bool cipher_first = group->kind.hash == IMB_AUTH_NULL ||
			(chain && group->kind.order == IMB_ORDER_CIPHER_HASH);

	if (cipher_first)
		run_cipher_array(group);
	else
		run_hash_array(group);
	if (!chain)
		return;
	next_stage(group);
	if (cipher_first)
		run_hash_array(group);
	else
		run_cipher_array(group);
}

/* Let an entry go on with the next part of its job. Return false if there is none. */
static bool
next_part(IMB_JOB *imb)
{
	const struct engine_job *job = imb->user_data;
	const uint32_t done = (uint32_t)(imb->src + imb->msg_len_to_cipher_in_bytes - job->src) -
			job->cipher_off;
	const uint32_t left = job->cipher_len - done;

	if (imb->status != IMB_STATUS_COMPLETED || left == 0)
		return false;
	imb->src += imb->msg_len_to_cipher_in_bytes;
	imb->dst += imb->msg_len_to_cipher_in_bytes;
	imb->iv = imb->dst - IMB_AES_BLOCK_SIZE;
	imb->msg_len_to_cipher_in_bytes = left < PART ? left : PART;
	imb->status = IMB_STATUS_BEING_PROCESSED;
	return true;
}

/* Run what is left of long jobs, whose first parts are done. Their entries move to the front. */
static COLD void
run_parts(struct mb_group *group)
{
	const unsigned int all = group->nb;
	unsigned int left;

	do {
		left = 0;
		for (unsigned int i = 0; i < group->nb; i++) {
			if (next_part(&group->job[i])) {
				const IMB_JOB entry = group->job[i];

				group->job[i] = group->job[left];
				group->job[left++] = entry;
			}
		}
		group->nb = left;
		if (left != 0)
			run_cipher_array(group);
	} while (left != 0);
	group->nb = all;
	group->parts = false;
}

/* Compare the digest of a job that has its stages, if it is one to verify. */
static void
verify(struct engine_job *job)
{
	const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;

	if (ctx->verify && job->status == ACCEL_HW_OK)
		engine_put_digest(job, job->scratch, ctx->digest_len, true);
}

/* Encrypt or decrypt the residual block of a job, which is in CFB. @param iv the ciphertext before
 * it, or the IV. */
static void
run_residue(const struct mb_group *group, struct engine_job *job, const uint8_t *iv)
{
	const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;
	const uint32_t len = job->cipher_len % IMB_AES_BLOCK_SIZE;
	const uint32_t at = job->cipher_len - len;
	const uint8_t *src = job->src + job->cipher_off + at;

	IMB_AES128_CFB_ONE(group->mgr, job->dst + at, src, iv, ctx->job.enc_keys, len);
}

/* Encrypt the residual blocks of the jobs of a group, whose whole blocks are done. */
static __attribute__((noinline)) void
run_residues(struct mb_group *group)
{
	for (IMB_JOB *imb = group->job; imb != group->next_job; imb++) {
		struct engine_job *job = imb->user_data;
		const uint32_t len = job->cipher_len % IMB_AES_BLOCK_SIZE;

		if (len != 0 && is_docsis((const struct mb_ctx *)job->ctx))
			run_residue(group, job,
					job->dst + job->cipher_len - len - IMB_AES_BLOCK_SIZE);
	}
}

/* Run the jobs of a group, which were marked as not done when they were put in. Digests that are
 * not to be verified are where they belong. */
static __attribute__((noinline)) void
run_group(struct mb_group *group)
{
	const bool verifies = group->verifies;

	group->nb = (unsigned int)(group->next_job - group->job);
	run_stages(group);
	if (unlikely(group->parts))
		run_parts(group);
	if (group->residues)
		run_residues(group);
	for (IMB_JOB *imb = group->job; imb != group->next_job; imb++) {
		struct engine_job *job = imb->user_data;

		if (unlikely(imb->status != IMB_STATUS_COMPLETED))
			job->status = ACCEL_HW_ENGINE_ERROR;
		if (verifies)
			verify(job);
		job->done = true;
	}
	*group->used = true;
	begin_array(group);
}

/* Run the group if it has enough jobs. */
static __attribute__((noinline)) void
look_at_group(struct mb_group *group)
{
	const size_t nb = (size_t)(group->next_job - group->job);

	group->look += LANES;
	if (nb == BURST || (nb >= FEWER && !engine_many) ||
			(nb == LANES && group->bytes >= LONG_BYTES))
		run_group(group);
}

/* Fill in the fields of an entry that differ between operations, and put the job into the group. At
 * first the lanes get @p len bytes of the cipher region. Both regions have one base, as in
 * engine_ipsec_mb.c. Only the group of a cipher alone or of a hash alone leaves out the other. */
static ALWAYS_INLINE void
put_job(const struct mb_ctx *ctx, struct engine_job *job, uint32_t len, const bool cipher,
		const bool hash)
{
	struct mb_group *group = ctx->group;
	IMB_JOB *imb = group->next_job;

	const uint8_t *region = job->src + job->cipher_off;
	uint64_t hash_from;

	imb->user_data = job;
	imb->src = region;
	imb->status = IMB_STATUS_BEING_PROCESSED;
	job->status = ACCEL_HW_OK;
	if (cipher) {
		imb->iv = job->iv;
		imb->dst = job->dst;
		imb->msg_len_to_cipher_in_bytes = len;
	}
	if (hash) {
		hash_from = (uint64_t)job->auth_off - job->cipher_off;
		if (ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH) /* of the output, see engine.h */
			hash_from += (uintptr_t)job->dst - (uintptr_t)region;
		imb->hash_start_src_offset_in_bytes = hash_from;
		imb->msg_len_to_hash_in_bytes = job->auth_len;
		imb->auth_tag_output = mb_digest_room(ctx, job);
		group->verifies |= ctx->verify;
	}
	group->bytes += job->src_len;
	group->next_job = imb + 1;
	if (unlikely(imb + 1 == group->look))
		look_at_group(group);
}

/* True if the group's next entry was last used for another context. */
static ALWAYS_INLINE bool
is_first(const struct mb_ctx *ctx)
{
	return ctx->group->next_job->user_data2 != ctx->job.user_data2;
}

/* Return true if a job is too long for a lane, but can be done in parts. */
static bool
has_parts(const struct mb_ctx *ctx, const struct engine_job *job)
{
	return ctx->kind == ACCEL_HW_KIND_CIPHER && ctx->job.cipher_mode == IMB_CIPHER_CBC &&
			ctx->job.cipher_direction == IMB_DIR_ENCRYPT &&
			job->cipher_len > ctx->cipher_len.max;
}

/* Submit a job that needs more than its own fields: its entry was last used for another context, or
 * a lane may not take it. */
static __attribute__((noinline)) void
submit_unusual(struct engine *engine, struct engine_job *job)
{
	struct mb_ctx *ctx = (struct mb_ctx *)job->ctx;
	const bool taken = mb_takes(ctx, job);

	if (unlikely(!taken && !has_parts(ctx, job))) {
		mb_run_untaken(engine, ctx, job);
		return;
	}
	if (is_first(ctx))
		*ctx->group->next_job = ctx->job;
	ctx->group->parts |= !taken;
	put_job(ctx, job, taken ? job->cipher_len : PART, true, true);
}

/* True if any lane takes a length. A length of 0 wraps around. */
static ALWAYS_INLINE bool
fits_lanes(uint32_t len, uint32_t other)
{
	return ((len - 1) | (other - 1)) < ANY_LANE;
}

/* Submit a job: fill in the fields of its operation, and put it into the group. */
static ALWAYS_INLINE void
submit_job(struct engine *engine, struct engine_job *job, const bool cipher, const bool hash)
{
	const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;
	const bool fits = fits_lanes(cipher ? job->cipher_len : 1, hash ? job->auth_len : 1);

	if (unlikely(!fits || (cipher && hash && ctx->watch_iv) || is_first(ctx)))
		submit_unusual(engine, job);
	else
		put_job(ctx, job, job->cipher_len, cipher, hash);
}

/* Submit a job of a cipher alone, whose context does not watch the IV. */
static void
submit_cipher(struct engine *engine, struct engine_job *job)
{
	submit_job(engine, job, true, false);
}

/* Submit a job of AES-CTR alone. */
static void
submit_ctr(struct engine *engine, struct engine_job *job)
{
	if (unlikely(mb_counter_wraps(job)))
		submit_unusual(engine, job);
	else
		submit_job(engine, job, true, false);
}

/* Submit a job of AES-DOCSIS-BPI. What is residual is decrypted first, since a job in place
 * overwrites the ciphertext before it. */
static void
submit_docsis(struct engine *engine, struct engine_job *job)
{
	struct mb_ctx *ctx = (struct mb_ctx *)job->ctx;
	const uint32_t rest = job->cipher_len % IMB_AES_BLOCK_SIZE, len = job->cipher_len - rest;
	const bool encrypt = ctx->group->kind.direction == IMB_DIR_ENCRYPT;

	if (unlikely(!mb_in_range(&ctx->cipher_len, job->cipher_len))) {
		mb_run_untaken(engine, ctx, job);
	} else if (unlikely(len == 0)) {
		run_residue(ctx->group, job, job->iv);
		job->status = ACCEL_HW_OK;
		job->done = true;
	} else {
		if (rest != 0 && !encrypt)
			run_residue(ctx->group, job,
					job->src + job->cipher_off + len - IMB_AES_BLOCK_SIZE);
		ctx->group->residues |= rest != 0 && encrypt;
		if (unlikely(is_first(ctx)))
			*ctx->group->next_job = ctx->job;
		put_job(ctx, job, len, true, false);
	}
}

static void
submit_hash(struct engine *engine, struct engine_job *job)
{
	submit_job(engine, job, false, true);
}

static void
submit_any(struct engine *engine, struct engine_job *job)
{
	submit_job(engine, job, true, true);
}

bool
mb_burst_adopt(struct mb_burst *burst, struct mb_ctx *ctx)
{
	struct kind kind = kind_of(ctx);

	if (burst == NULL || !takes(ctx))
		return false;
	ctx->group = find_group(burst, &kind);
	if (ctx->group == NULL)
		return false;
	if (is_docsis(ctx))
		ctx->header.submit = submit_docsis;
	else if (ctx->kind == ACCEL_HW_KIND_CIPHER && !ctx->watch_iv)
		ctx->header.submit = submit_cipher;
	else if (ctx->kind == ACCEL_HW_KIND_CIPHER && ctx->ctr)
		ctx->header.submit = submit_ctr;
	else if (ctx->kind == ACCEL_HW_KIND_AUTH)
		ctx->header.submit = submit_hash;
	else
		ctx->header.submit = submit_any;
	ctx->job.user_data2 = (void *)++burst->last_id;
	return true;
}

void
mb_burst_flush(struct mb_burst *burst)
{
	for (struct mb_group *group = burst->group; group != NULL; group = group->next) {
		if (group->next_job != group->job)
			run_group(group);
	}
}

/* Only the managers are wiped, because groups hold pointers of jobs and no data. */
void
mb_burst_wipe(struct mb_burst *burst)
{
	burst->few.used = burst->mgr.used;
	mb_manager_wipe(&burst->mgr);
	mb_manager_wipe(&burst->few);
}
