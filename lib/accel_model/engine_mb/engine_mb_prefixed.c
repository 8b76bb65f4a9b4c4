/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Short jobs of AES-CMAC with a prefix, in place, alone or with AES-CTR: PDUs of PDCP. IPsec-MB
 * makes the MAC of messages in one piece only, and takes one job at a time. But AES-CMAC is AES-CBC
 * whose last block is the MAC (RFC 4493). So jobs are gathered. The first blocks of all messages,
 * which have the prefix, are one job of AES-ECB, and so are the last ones, which have padding and
 * key. What is between them is an array of jobs of AES-CBC, whose output is waste except for its
 * last block. AES-CTR is an array of jobs, too. A MAC to verify is deciphered apart, since it is no
 * part of the output, and nothing else may be written.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/engine_common.h"
#include "engine_mb/engine_mb.h"
#include "mem/vault.h"

#define BLOCK ((uint32_t)IMB_AES_BLOCK_SIZE)
#define WAITING 32u /* jobs that are gathered, twice the library's lanes */
#define FEW 4u /* jobs for which the code for SSE is quicker (doc/notes/model.md) */
#define ENTRIES (2 * WAITING) /* a job has one or two entries for AES-CTR */

__extension__ typedef unsigned __int128 block_word;

struct mb_prefixed {
	struct mb_burst *burst; /* has the managers */
	IMB_MGR *mgr; /* of the jobs that run */
	unsigned int used; /* rows of the arrays below that were written since they were wiped */
	unsigned int nb;
	struct engine_job *job[WAITING];
	unsigned int entries;
	IMB_JOB entry[ENTRIES];
	uint8_t iv[WAITING][BLOCK]; /* counters for MACs to verify */
	uint8_t first[WAITING][BLOCK];
	uint8_t last[WAITING][BLOCK]; /* the MAC in the end */
	uint8_t waste[WAITING][MB_PREFIXED_MAX + BLOCK];
};

struct mb_prefixed *
mb_prefixed_create(struct mb_burst *burst)
{
	struct mb_prefixed *prefixed = burst != NULL ? vault_map(sizeof(*prefixed)) : NULL;

	if (prefixed != NULL)
		prefixed->burst = burst;
	return prefixed;
}

void
mb_prefixed_destroy(struct mb_prefixed *prefixed)
{
	vault_unmap(prefixed, sizeof(*prefixed), sizeof(*prefixed));
}

void
mb_prefixed_wipe(struct mb_prefixed *prefixed)
{
	explicit_bzero(prefixed->first, prefixed->used * sizeof(prefixed->first[0]));
	explicit_bzero(prefixed->last, prefixed->used * sizeof(prefixed->last[0]));
	explicit_bzero(prefixed->waste, prefixed->used * sizeof(prefixed->waste[0]));
	prefixed->used = 0;
}

bool
mb_prefixed_takes(const struct mb_ctx *ctx)
{
	const bool after = ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH;

	if (ctx->job.hash_alg != IMB_AUTH_AES_CMAC)
		return false;
	return ctx->kind == ACCEL_HW_KIND_AUTH ||
			(ctx->ctr && ctx->job.key_len_in_bytes == IMB_KEY_128_BYTES &&
					ctx->verify == after);
}

static ALWAYS_INLINE const struct mb_ctx *
ctx_of(const struct engine_job *job)
{
	return (const struct mb_ctx *)job->ctx;
}

/* Add an entry for a part of a job. */
static ALWAYS_INLINE void
add_entry(struct mb_prefixed *prefixed, struct engine_job *job, const void *keys, uint8_t *dst,
		const uint8_t *src, uint32_t len, const uint8_t *iv)
{
	IMB_JOB *imb = &prefixed->entry[prefixed->entries++];

	imb->enc_keys = keys;
	imb->key_len_in_bytes = IMB_KEY_128_BYTES;
	imb->iv = iv;
	imb->iv_len_in_bytes = BLOCK;
	imb->src = src;
	imb->dst = dst;
	imb->msg_len_to_cipher_in_bytes = len;
	imb->status = IMB_STATUS_BEING_PROCESSED;
	imb->user_data = job;
}

/* Run the entries, and forget them. */
static ALWAYS_INLINE void
run_entries(struct mb_prefixed *prefixed, const IMB_CIPHER_MODE mode)
{
	const unsigned int nb = prefixed->entries;

	if (nb == 0)
		return;
	IMB_SUBMIT_CIPHER_BURST_NOCHECK(prefixed->mgr, prefixed->entry, nb, mode,
			IMB_DIR_ENCRYPT, IMB_KEY_128_BYTES);
	for (unsigned int i = 0; i < nb; i++) {
		if (unlikely(prefixed->entry[i].status != IMB_STATUS_COMPLETED))
			((struct engine_job *)prefixed->entry[i].user_data)->status =
					ACCEL_HW_ENGINE_ERROR;
	}
	prefixed->entries = 0;
}

/* Add the entries of a job whose MAC is verified. What is not a whole block is deciphered in
 * job->scratch, with the MAC behind it. */
static ALWAYS_INLINE void
add_verified(struct mb_prefixed *prefixed, unsigned int i)
{
	struct engine_job *job = prefixed->job[i];
	const void *keys = ctx_of(job)->job.enc_keys;
	const uint32_t mac = ctx_of(job)->digest_len;
	const uint32_t rest = (job->cipher_len - mac) % BLOCK;
	const uint32_t whole = job->cipher_len - mac - rest;
	uint8_t *iv = prefixed->iv[i];

	if (likely(whole > 0))
		add_entry(prefixed, job, keys, job->dst, job->dst, whole, job->iv);
	mb_counter_block(iv, job, whole / BLOCK);
	add_entry(prefixed, job, keys, job->scratch, job->dst + whole, rest + mac, iv);
}

/* Decipher jobs whose MAC is verified, and put what is not a whole block where it belongs. */
static ALWAYS_INLINE void
decipher(struct mb_prefixed *prefixed)
{
	for (unsigned int i = 0; i < prefixed->nb; i++) {
		if (ctx_of(prefixed->job[i])->verify && prefixed->job[i]->cipher_len > 0)
			add_verified(prefixed, i);
	}
	run_entries(prefixed, IMB_CIPHER_CNTR);
	for (unsigned int i = 0; i < prefixed->nb; i++) {
		struct engine_job *job = prefixed->job[i];
		const uint32_t data = job->cipher_len - ctx_of(job)->digest_len;
		const uint32_t rest = data % BLOCK;

		if (!ctx_of(job)->verify || job->cipher_len == 0)
			continue;
		copy_short(job->dst + data - rest, job->scratch, rest);
		job->digest_in = job->scratch + rest;
	}
}

/* Return how many blocks a message has, with its prefix and padding. */
static ALWAYS_INLINE uint32_t
blocks_of(const struct engine_job *job)
{
	return (ENGINE_PREFIX + job->auth_len + BLOCK - 1) / BLOCK;
}

/* Make the first block of a message, unless that is the last one, too. */
static ALWAYS_INLINE void
make_first(const struct engine_job *job, uint8_t *first)
{
	if (unlikely(blocks_of(job) == 1)) {
		memset(first, 0, BLOCK);
		return;
	}
	memcpy(first, job->auth_iv, ENGINE_PREFIX);
	memcpy(first + ENGINE_PREFIX, job->src + job->auth_off, BLOCK - ENGINE_PREFIX);
}

static ALWAYS_INLINE block_word
load_block(const uint8_t *at)
{
	block_word word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* Make the last block of a message, as a little-endian number. A whole one is combined with one
 * key, and one that is padded with another (RFC 4493, 2.4). */
static ALWAYS_INLINE block_word
last_block(const struct engine_job *job)
{
	const union mb_auth_key *key = &ctx_of(job)->auth_key;
	const uint8_t *end = job->src + job->auth_off + job->auth_len;
	const uint32_t len = ENGINE_PREFIX + job->auth_len - (blocks_of(job) - 1) * BLOCK;
	const uint32_t own = job->auth_len < len ? job->auth_len : len; /* not of the prefix */
	block_word word;

	if (likely(job->auth_len >= BLOCK)) {
		word = load_block(end - BLOCK) >> 8 * (BLOCK - len);
	} else {
		uint8_t block[IMB_AES_BLOCK_SIZE] = { 0 };

		if (blocks_of(job) == 1)
			memcpy(block, job->auth_iv, ENGINE_PREFIX);
		copy_short(block + len - own, end - own, own);
		word = load_block(block);
	}
	if (len == BLOCK)
		return word ^ load_block(key->cbc_mac.k2);
	return word ^ (block_word)0x80 << 8 * len ^ load_block(key->cbc_mac.k3);
}

/* Encrypt blocks in place. Return false if the library fails. */
static ALWAYS_INLINE bool
encrypt_run(IMB_MGR *mgr, const void *keys, uint8_t *blocks, unsigned int nb)
{
	IMB_JOB *imb = IMB_GET_NEXT_JOB(mgr);

	memset(imb, 0, sizeof(*imb));
	imb->cipher_mode = IMB_CIPHER_ECB;
	imb->cipher_direction = IMB_DIR_ENCRYPT;
	imb->chain_order = IMB_ORDER_CIPHER_HASH;
	imb->hash_alg = IMB_AUTH_NULL;
	imb->enc_keys = keys;
	imb->dec_keys = keys;
	imb->key_len_in_bytes = IMB_KEY_128_BYTES;
	imb->src = blocks;
	imb->dst = blocks;
	imb->msg_len_to_cipher_in_bytes = nb * BLOCK;
	imb = IMB_SUBMIT_JOB_NOCHECK(mgr);
	if (imb == NULL)
		imb = IMB_FLUSH_JOB(mgr);
	return imb != NULL && imb->status == IMB_STATUS_COMPLETED;
}

/* Encrypt a block of each job with the key of its MAC. Blocks of one context are done together. */
static ALWAYS_INLINE void
encrypt_blocks(struct mb_prefixed *prefixed, uint8_t (*block)[IMB_AES_BLOCK_SIZE])
{
	unsigned int from, to = 0;

	for (from = 0; from < prefixed->nb; from = to) {
		const struct mb_ctx *ctx = ctx_of(prefixed->job[from]);
		bool ok;

		while (to < prefixed->nb && ctx_of(prefixed->job[to]) == ctx)
			to++;
		ok = encrypt_run(prefixed->mgr, ctx->auth_key.cbc_mac.k1, block[from],
				to - from);
		for (; unlikely(!ok) && from < to; from++)
			prefixed->job[from]->status = ACCEL_HW_ENGINE_ERROR;
	}
}

/* Make the MACs of all jobs, in the arrays of last blocks. */
static ALWAYS_INLINE void
make_macs(struct mb_prefixed *prefixed)
{
	for (unsigned int i = 0; i < prefixed->nb; i++)
		make_first(prefixed->job[i], prefixed->first[i]);
	encrypt_blocks(prefixed, prefixed->first);
	for (unsigned int i = 0; i < prefixed->nb; i++) {
		struct engine_job *job = prefixed->job[i];

		if (likely(blocks_of(job) > 2))
			add_entry(prefixed, job, ctx_of(job)->auth_key.cbc_mac.k1,
					prefixed->waste[i],
					job->src + job->auth_off + BLOCK - ENGINE_PREFIX,
					(blocks_of(job) - 2) * BLOCK, prefixed->first[i]);
	}
	run_entries(prefixed, IMB_CIPHER_CBC);
	for (unsigned int i = 0; i < prefixed->nb; i++) {
		const uint32_t blocks = blocks_of(prefixed->job[i]);
		block_word last = last_block(prefixed->job[i]);

		if (likely(blocks > 2))
			last ^= load_block(prefixed->waste[i] + (blocks - 3) * BLOCK);
		else if (blocks == 2)
			last ^= load_block(prefixed->first[i]);
		memcpy(prefixed->last[i], &last, sizeof(last));
	}
	encrypt_blocks(prefixed, prefixed->last);
}

/* Write the MACs of jobs to send, and encipher them with the data. */
static ALWAYS_INLINE void
encipher(struct mb_prefixed *prefixed)
{
	for (unsigned int i = 0; i < prefixed->nb; i++) {
		struct engine_job *job = prefixed->job[i];
		const struct mb_ctx *ctx = ctx_of(job);

		if (ctx->verify)
			continue;
		copy_short(job->digest_out, prefixed->last[i], ctx->digest_len);
		if (job->cipher_len > 0)
			add_entry(prefixed, job, ctx->job.enc_keys, job->dst, job->dst,
					job->cipher_len, job->iv);
	}
	run_entries(prefixed, IMB_CIPHER_CNTR);
}

static __attribute__((noinline)) void
run(struct mb_prefixed *prefixed)
{
	prefixed->mgr = mb_burst_manager(prefixed->burst, prefixed->nb <= FEW);
	decipher(prefixed);
	make_macs(prefixed);
	encipher(prefixed);
	for (unsigned int i = 0; i < prefixed->nb; i++) {
		struct engine_job *job = prefixed->job[i];

		if (ctx_of(job)->verify && job->status == ACCEL_HW_OK)
			engine_put_digest(job, prefixed->last[i], ctx_of(job)->digest_len, true);
		job->done = true;
	}
	if (prefixed->nb > prefixed->used)
		prefixed->used = prefixed->nb;
	prefixed->nb = 0;
}

bool
mb_prefixed_submit(struct mb_prefixed *prefixed, struct engine_job *job)
{
	const struct mb_ctx *ctx = ctx_of(job);

	if (unlikely(job->auth_len > MB_PREFIXED_MAX ||
			(job->cipher_len > 0 && (!mb_in_range(&ctx->cipher_len, job->cipher_len) ||
					mb_counter_wraps(job)))))
		return false;
	job->status = ACCEL_HW_OK;
	job->done = false;
	prefixed->job[prefixed->nb++] = job;
	if (unlikely(prefixed->nb == WAITING))
		run(prefixed);
	return true;
}

void
mb_prefixed_flush(struct mb_prefixed *prefixed)
{
	if (prefixed->nb > 0)
		run(prefixed);
}
