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
	unsigned int nb;
	uint32_t bytes;
	bool parts; /* a job is longer than what its entry says */
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

static bool
takes(const struct mb_ctx *ctx)
{
	switch (ctx->kind) {
	case ACCEL_HW_KIND_CIPHER:
		return takes_cipher(ctx->job.cipher_mode);
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
		.cipher = ctx->job.cipher_mode,
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

/* The functions below run the stages of a chain, each for all jobs. A job is done when all its
 * stages are done. */

static void
begin_stage(struct mb_group *group)
{
	for (unsigned int i = 0; i < group->nb; i++)
		group->job[i].status = IMB_STATUS_BEING_PROCESSED;
}

static void
end_stage(struct mb_group *group)
{
	for (unsigned int i = 0; i < group->nb; i++) {
		if (group->job[i].status != IMB_STATUS_COMPLETED)
			((struct engine_job *)group->job[i].user_data)->status =
					ACCEL_HW_ENGINE_ERROR;
	}
}

static void
run_cipher(struct mb_group *group)
{
	if (group->kind.cipher == IMB_CIPHER_NULL)
		return;
	begin_stage(group);
	run_cipher_array(group);
	end_stage(group);
}

static void
run_hash(struct mb_group *group)
{
	begin_stage(group);
	run_hash_array(group);
	end_stage(group);
}

static void
run_chain(struct mb_group *group)
{
	if (group->kind.order == IMB_ORDER_CIPHER_HASH) {
		run_cipher(group);
		run_hash(group);
	} else {
		run_hash(group);
		run_cipher(group);
	}
	for (unsigned int i = 0; i < group->nb; i++) {
		struct engine_job *job = group->job[i].user_data;
		const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;

		if (job->status == ACCEL_HW_OK)
			engine_put_digest(job, group->job[i].auth_tag_output, ctx->digest_len,
					ctx->verify);
		job->done = true;
	}
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

/* Run a cipher alone. Its jobs were marked as not done when they were put in. */
static void
run_ciphers(struct mb_group *group)
{
	run_cipher_array(group);
	if (unlikely(group->parts))
		run_parts(group);
	for (unsigned int i = 0; i < group->nb; i++) {
		struct engine_job *job = group->job[i].user_data;

		if (unlikely(group->job[i].status != IMB_STATUS_COMPLETED))
			job->status = ACCEL_HW_ENGINE_ERROR;
		job->done = true;
	}
}

static void
run_group(struct mb_group *group)
{
	if (group->kind.hash == IMB_AUTH_NULL)
		run_ciphers(group);
	else
		run_chain(group);
	*group->used = true;
	group->nb = 0;
	group->bytes = 0;
}

/* Submit a job whose entry of the array was last used for another context. Fill in what all jobs of
 * this context have in common, and then submit the job as usual. */
static __attribute__((noinline)) void
submit_first(struct engine *engine, struct engine_job *job)
{
	const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;

	ctx->group->job[ctx->group->nb] = ctx->job;
	ctx->header.submit(engine, job);
}

static ALWAYS_INLINE bool
is_first(const struct mb_ctx *ctx)
{
	return ctx->group->job[ctx->group->nb].user_data2 != ctx->job.user_data2;
}

/* Return the group's next entry for a job of the library. */
static ALWAYS_INLINE IMB_JOB *
next_job(struct mb_group *group, struct engine_job *job)
{
	IMB_JOB *imb = &group->job[group->nb];

	imb->user_data = job;
	imb->iv = job->iv;
	job->status = ACCEL_HW_OK;
	return imb;
}

/* Fill in the cipher region of a job, of which the lanes get @p len bytes at first. */
static ALWAYS_INLINE IMB_JOB *
next_cipher(const struct mb_ctx *ctx, struct engine_job *job, uint32_t len)
{
	IMB_JOB *imb = next_job(ctx->group, job);

	imb->src = job->src + job->cipher_off;
	imb->dst = job->dst;
	imb->msg_len_to_cipher_in_bytes = len;
	imb->status = IMB_STATUS_BEING_PROCESSED;
	return imb;
}

/* Put a job into the group. Its entry is filled in. Run the group if it has enough jobs. */
static ALWAYS_INLINE void
put_job(struct mb_group *group, const struct engine_job *job)
{
	const unsigned int nb = ++group->nb;

	group->bytes += job->src_len;
	if (nb == BURST || (nb >= FEWER && !engine_many) ||
			(nb == LANES && group->bytes >= LONG_BYTES))
		run_group(group);
}

/* Return true if a job is too long for a lane, but can be done in parts. */
static bool
has_parts(const struct mb_ctx *ctx, const struct engine_job *job)
{
	return ctx->kind == ACCEL_HW_KIND_CIPHER && ctx->job.cipher_mode == IMB_CIPHER_CBC &&
			ctx->job.cipher_direction == IMB_DIR_ENCRYPT &&
			job->cipher_len > ctx->cipher_len.max;
}

/* Submit a job whose lengths no lane takes. */
static COLD void
submit_untaken(struct engine *engine, struct engine_job *job)
{
	struct mb_ctx *ctx = (struct mb_ctx *)job->ctx;

	if (!has_parts(ctx, job)) {
		mb_run_untaken(engine, ctx, job);
		return;
	}
	if (is_first(ctx))
		ctx->group->job[ctx->group->nb] = ctx->job;
	next_cipher(ctx, job, PART);
	ctx->group->parts = true;
	put_job(ctx->group, job);
}

/*
 * Submit a job: fill in the fields of its operation, and put it into the group. Both regions have
 * one base, as in engine_ipsec_mb.c.
 *
 * @param alone true for a cipher without a hash, in a context that does not watch the IV.
 */
static ALWAYS_INLINE void
submit_job(struct engine *engine, struct engine_job *job, const bool alone)
{
	struct mb_ctx *ctx = (struct mb_ctx *)job->ctx;
	const bool taken = alone ? mb_in_range(&ctx->cipher_len, job->cipher_len) :
				   mb_takes(ctx, job);
	IMB_JOB *imb;

	if (unlikely(!taken)) {
		submit_untaken(engine, job);
		return;
	}
	if (is_first(ctx)) {
		submit_first(engine, job);
		return;
	}
	imb = next_cipher(ctx, job, job->cipher_len);
	if (!alone) {
		imb->hash_start_src_offset_in_bytes = (uint64_t)job->auth_off - job->cipher_off;
		imb->msg_len_to_hash_in_bytes = job->auth_len;
		if (ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH)
			imb->hash_start_src_offset_in_bytes =
					(uintptr_t)engine_auth_after_cipher(job) -
					(uintptr_t)imb->src;
		imb->auth_tag_output = mb_digest_room(ctx, job);
	}
	put_job(ctx->group, job);
}

static void
submit_cipher(struct engine *engine, struct engine_job *job)
{
	submit_job(engine, job, true);
}

static void
submit_any(struct engine *engine, struct engine_job *job)
{
	submit_job(engine, job, false);
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
	ctx->header.submit = ctx->kind == ACCEL_HW_KIND_CIPHER && !ctx->watch_iv ? submit_cipher :
										   submit_any;
	ctx->job.user_data2 = (void *)++burst->last_id;
	return true;
}

void
mb_burst_flush(struct mb_burst *burst)
{
	for (struct mb_group *group = burst->group; group != NULL; group = group->next) {
		if (group->nb > 0)
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
