/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Finds out what the device is faster with than the CPU: from which size on for `min-size = auto`,
 * and with which public keys for `public-keys = auto`.
 */
#include <string.h>

#include <openssl/async.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>

#include "pk.h"

#define FIRST 256
#define ROUNDS 15
#define TRIES 3
#define AGAIN 4096
#define SIZES 16 /* of keys: 512 bits each for RSA, and a curve each */

_Atomic size_t oc_least[OC_CIPHERS][2];
_Atomic size_t oc_async_least;

static _Atomic size_t measured[OC_CIPHERS][2]; /* 0: not yet */
static _Atomic int why_small;

void
oc_least_set(enum oc_reason why)
{
	size_t least = oc_settings.min_size, async = oc_settings.async_min_size;

	why_small = why;
	oc_async_least = why != OC_SMALL ? SIZE_MAX : async != 0 ? async : 1;
	for (int i = 0; i < OC_CIPHERS * 2; i++) {
		size_t found = oc_settings.automatic ? measured[i / 2][i % 2] : 0;

		found = found != 0 ? found : least != 0 ? least : 1;
		oc_least[i / 2][i % 2] = why != OC_SMALL ? SIZE_MAX : found;
	}
}

void
oc_count_small(enum oc_alg_id alg, uint64_t nb)
{
	atomic_fetch_add_explicit(
			&oc_counters[alg].fallbacks[why_small], nb, memory_order_relaxed);
}

/* Has the device, or the default provider, do an operation. Both have the key already. */
static bool
once(const struct oc_request *r, EVP_CIPHER_CTX *cpu)
{
	int done;

	if (cpu == NULL) {
		bool good = oc_run(r) == OC_DONE;

		if (good && r->keep != NULL)
			oc_job_release(*r->keep);
		return good;
	}
	return EVP_CipherInit_ex2(cpu, NULL, NULL, r->iv, r->enc, NULL) == 1 &&
			EVP_CIPHER_CTX_set_padding(cpu, 0) == 1 &&
			EVP_CipherUpdate(cpu, r->out, &done, r->in, r->len) == 1;
}

/* Returns the median of times of an operation, because a thread may wait for a CPU. */
static uint64_t
measure(const struct oc_request *r, EVP_CIPHER_CTX *cpu)
{
	uint64_t times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t begin = oc_now_ns(), taken;
		int place = i;

		if (!once(r, cpu))
			return UINT64_MAX;
		taken = oc_now_ns() - begin;
		for (; place > 0 && times[place - 1] > taken; place--)
			times[place] = times[place - 1];
		times[place] = taken;
	}
	return times[ROUNDS / 2];
}

/* Gives a text to decrypt its tag: the CPU encrypts whatever is there. */
static bool
seal(const struct oc_request *r, EVP_CIPHER_CTX *cpu)
{
	uint8_t *text = (uint8_t *)(uintptr_t)r->in;
	int done;

	return r->tag == NULL || r->enc ||
			(EVP_CipherInit_ex2(cpu, NULL, r->key, r->iv, 1, NULL) == 1 &&
					EVP_CipherUpdate(cpu, text, &done, text, r->len) == 1 &&
					EVP_CipherFinal_ex(cpu, text, &done) == 1 &&
					EVP_CIPHER_CTX_ctrl(cpu, EVP_CTRL_AEAD_GET_TAG, OC_TAG,
							r->tag) == 1);
}

/* Returns the smallest size with which the device is faster by a fifth, of the greatest and its
 * halves. If it never is, that is SIZE_MAX. A program has its texts less at hand than this, and one
 * with other work beside it may wait for the device's CPU.
 */
static size_t
find(struct oc_request *r, EVP_CIPHER_CTX *cpu)
{
	size_t found = SIZE_MAX;

	for (r->len = OC_DATA_MAX; r->len >= FIRST; r->len /= 2) {
		if (!seal(r, cpu) || measure(r, NULL) > measure(r, cpu) / 5 * 4)
			break;
		found = r->len;
	}
	return found;
}

/* Finds the smallest sizes for the device, of each cipher in both directions, for texts that are no
 * records: those of an AEAD have a copy kept for the case that more parts come.
 */
void
oc_measure(void)
{
	uint8_t key[OC_KEY_MAX] = { 1 }, iv[OC_BLOCK] = { 0 }, tag[OC_TAG];
	uint8_t *data = OPENSSL_zalloc(2 * OC_DATA_MAX);
	EVP_CIPHER_CTX *cpu = EVP_CIPHER_CTX_new();

	for (int i = 0; i < OC_CIPHERS * 2 && data != NULL && cpu != NULL; i++) {
		enum oc_alg_id alg = i / 2;
		EVP_CIPHER *cipher = EVP_CIPHER_fetch(oc_inner, oc_algs[alg].inner_name, NULL);
		struct oc_session session = { 0 };
		struct oc_job *kept;
		struct oc_request r = {
			.alg = alg,
			.session = &session,
			.key = key,
			.enc = i % 2,
			.iv = iv,
			.aad = iv,
			.in = data,
			.out = data + OC_DATA_MAX,
			.tag = oc_is_aead(alg) ? tag : NULL,
			.keep = oc_is_aead(alg) ? &kept : NULL,
		};

		measured[alg][r.enc] = SIZE_MAX;
		if (oc_sym_supports(alg, 0) &&
				EVP_CipherInit_ex2(cpu, cipher, key, NULL, r.enc, NULL) == 1)
			measured[alg][r.enc] = find(&r, cpu);
		EVP_CIPHER_free(cipher);
		oc_sym_session_free(&session);
		memset(&oc_counters[alg], 0, sizeof(oc_counters[0]));
	}
	OPENSSL_free(data);
	EVP_CIPHER_CTX_free(cpu);
	oc_least_set(OC_SMALL);
}

/* What an operation with a key of some size has taken at best, with the CPU and with the device. */
struct oc_pace {
	_Atomic uint64_t best[2];
	_Atomic unsigned int tries[2];
};

static struct oc_pace paces[OC_ALGS - OC_CIPHERS][SIZES];

/* Chooses who does the next operation of a caller who waits for it. The first ones are tried both
 * ways, and again after many others, since a device may get faster or slower. An asynchronous job
 * has the device, because what counts there is not the time of one operation.
 */
bool
oc_pace_device(struct oc_pk *pk, enum oc_alg_id alg)
{
	unsigned int bits = oc_key_fact(pk->key, OSSL_PKEY_PARAM_BITS);
	unsigned int size = pk->key->type == OC_KEY_EC ? bits / 128 : bits / 512;
	struct oc_pace *p = &paces[alg - OC_CIPHERS][size < SIZES ? size : SIZES - 1];

	pk->pace = NULL;
	if (ASYNC_get_current_job() != NULL)
		return true;
	pk->pace = p;
	pk->begun = oc_now_ns();
	for (int device = 1; device >= 0; device--)
		if (p->tries[device] < TRIES)
			return device;
	if (p->tries[0] + p->tries[1] > AGAIN)
		p->tries[0] = p->tries[1] = 0;
	return p->best[1] <= p->best[0];
}

/* Notes what an operation has taken. */
void
oc_pace_note(struct oc_pk *pk, bool device)
{
	struct oc_pace *p = pk->pace;
	uint64_t taken;

	if (p == NULL)
		return;
	pk->pace = NULL;
	taken = oc_now_ns() - pk->begun;
	if (p->tries[device]++ == 0 || taken < p->best[device])
		p->best[device] = taken;
}
