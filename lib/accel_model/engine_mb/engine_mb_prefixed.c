/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Short jobs of AES-CMAC with a prefix, in place, alone or with AES-CTR: PDUs of PDCP. IPsec-MB
 * makes the MAC of messages in one piece only, and takes one job at a time. But AES-CMAC is AES-CBC
 * whose last block is the MAC (RFC 4493). So jobs are gathered, and their MACs are an array of jobs
 * of AES-CBC on copies of the messages, which have the prefix. AES-CTR, in place, is an array of
 * jobs, too. A MAC to verify is deciphered apart, since it is no part of the output, and nothing
 * else may be written.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/engine_common.h"
#include "engine_mb/engine_mb.h"
#include "mem/vault.h"

#define BLOCK ((uint32_t)IMB_AES_BLOCK_SIZE)
#define WAITING 32u /* jobs that are gathered, twice the library's lanes */
#define ENTRIES (2 * WAITING) /* a job has one or two entries for AES-CTR */

struct mb_prefixed {
	struct mb_manager *manager; /* of arrays */
	bool used; /* copies were written since they were wiped */
	unsigned int nb;
	struct engine_job *job[WAITING];
	unsigned int entries;
	IMB_JOB entry[ENTRIES];
	uint8_t iv[WAITING][BLOCK]; /* counters for MACs */
	uint8_t copy[WAITING][MB_PREFIXED_MAX + 2 * BLOCK]; /* prefix, message, padding */
};

struct mb_prefixed *
mb_prefixed_create(struct mb_burst *burst)
{
	struct mb_prefixed *prefixed = burst != NULL ? vault_map(sizeof(*prefixed)) : NULL;

	if (prefixed != NULL)
		prefixed->manager = mb_burst_manager(burst);
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
	if (prefixed->used)
		explicit_bzero(prefixed->copy, sizeof(prefixed->copy));
	prefixed->used = false;
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
	IMB_SUBMIT_CIPHER_BURST_NOCHECK(prefixed->manager->mgr, prefixed->entry, nb, mode,
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
	uint32_t counter;

	if (likely(whole > 0))
		add_entry(prefixed, job, keys, job->dst, job->dst, whole, job->iv);
	memcpy(iv, job->iv, BLOCK);
	memcpy(&counter, iv + BLOCK - sizeof(counter), sizeof(counter));
	counter = __builtin_bswap32(__builtin_bswap32(counter) + whole / BLOCK);
	memcpy(iv + BLOCK - sizeof(counter), &counter, sizeof(counter));
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

static ALWAYS_INLINE void
xor_block(uint8_t *block, const uint8_t *with)
{
	uint64_t a[2], b[2];

	memcpy(a, block, sizeof(a));
	memcpy(b, with, sizeof(b));
	a[0] ^= b[0];
	a[1] ^= b[1];
	memcpy(block, a, sizeof(a));
}

/* Let a copy of a message be encrypted, with its prefix, padding, and the key for a last block that
 * is padded or not (RFC 4493, 2.4). Return where the MAC will be. */
static ALWAYS_INLINE uint8_t *
add_message(struct mb_prefixed *prefixed, unsigned int i)
{
	static const uint8_t zeros[IMB_AES_BLOCK_SIZE];
	struct engine_job *job = prefixed->job[i];
	const struct mb_ctx *ctx = ctx_of(job);
	const uint32_t len = ENGINE_PREFIX + job->auth_len;
	const uint32_t padded = (len + BLOCK - 1) & ~(BLOCK - 1);
	uint8_t *copy = prefixed->copy[i], *last = copy + padded - BLOCK;

	memset(last, 0, BLOCK);
	memcpy(copy, job->auth_iv, ENGINE_PREFIX);
	memcpy(copy + ENGINE_PREFIX, job->src + job->auth_off, job->auth_len);
	if (len < padded)
		copy[len] = 0x80;
	xor_block(last, len < padded ? ctx->auth_key.cbc_mac.k3 : ctx->auth_key.cbc_mac.k2);
	add_entry(prefixed, job, ctx->auth_key.cbc_mac.k1, copy, copy, padded, zeros);
	return last;
}

/* Make the MACs of all jobs. @param mac receives where they are. */
static ALWAYS_INLINE void
make_macs(struct mb_prefixed *prefixed, const uint8_t **mac)
{
	for (unsigned int i = 0; i < prefixed->nb; i++)
		mac[i] = add_message(prefixed, i);
	run_entries(prefixed, IMB_CIPHER_CBC);
}

/* Write the MACs of jobs to send, and encipher them with the data. */
static ALWAYS_INLINE void
encipher(struct mb_prefixed *prefixed, const uint8_t *const *mac)
{
	for (unsigned int i = 0; i < prefixed->nb; i++) {
		struct engine_job *job = prefixed->job[i];
		const struct mb_ctx *ctx = ctx_of(job);

		if (ctx->verify)
			continue;
		copy_short(job->digest_out, mac[i], ctx->digest_len);
		if (job->cipher_len > 0)
			add_entry(prefixed, job, ctx->job.enc_keys, job->dst, job->dst,
					job->cipher_len, job->iv);
	}
	run_entries(prefixed, IMB_CIPHER_CNTR);
}

static __attribute__((noinline)) void
run(struct mb_prefixed *prefixed)
{
	const uint8_t *mac[WAITING];

	decipher(prefixed);
	make_macs(prefixed, mac);
	encipher(prefixed, mac);
	for (unsigned int i = 0; i < prefixed->nb; i++) {
		struct engine_job *job = prefixed->job[i];

		if (ctx_of(job)->verify && job->status == ACCEL_HW_OK)
			engine_put_digest(job, mac[i], ctx_of(job)->digest_len, true);
		job->done = true;
	}
	prefixed->used = true;
	prefixed->manager->used = true;
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
