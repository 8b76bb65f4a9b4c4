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

/* The smallest size for the device, 0: not measured yet. */
static _Atomic size_t smallest[OC_CIPHERS][2];

/* Has the device, or the default provider, do an operation. */
static bool
once(const struct oc_request *r, EVP_CIPHER_CTX *cpu)
{
	int done;

	if (cpu == NULL)
		return oc_run(r) == OC_DONE;
	return EVP_CipherInit_ex2(cpu, oc_inner_ciphers[r->alg], r->key, r->iv, r->enc,
				       NULL) == 1 &&
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

/* Returns the smallest size with which the device is faster, of the greatest and its halves. If it
 * is never faster, that is more than the greatest.
 */
static size_t
find(struct oc_request *r, EVP_CIPHER_CTX *cpu)
{
	size_t found = OC_DATA_MAX + 1;

	for (r->len = OC_DATA_MAX; r->len >= FIRST; r->len /= 2) {
		if (measure(r, NULL) > measure(r, cpu))
			break;
		found = r->len;
	}
	return found;
}

/* Finds the smallest sizes for the device, of each cipher. The CPU decrypts some modes faster than
 * it encrypts them. The modes of AEADs are alike in both directions.
 */
void
oc_measure(void)
{
	uint8_t key[OC_KEY_MAX] = { 1 }, iv[OC_BLOCK] = { 0 }, tag[OC_TAG];
	uint8_t *data = OPENSSL_zalloc(OC_DATA_MAX);
	EVP_CIPHER_CTX *cpu = EVP_CIPHER_CTX_new();

	for (enum oc_alg_id alg = 0; alg < OC_CIPHERS && data != NULL && cpu != NULL; alg++) {
		struct oc_session session = { 0 };
		struct oc_request r = {
			.alg = alg,
			.session = &session,
			.key = key,
			.enc = true,
			.iv = iv,
			.aad = iv,
			.in = data,
			.out = data,
			.tag = oc_is_aead(alg) ? tag : NULL,
		};

		if (!oc_sym_supports(alg, 0))
			continue;
		smallest[alg][1] = find(&r, cpu);
		r.enc = oc_is_aead(alg);
		smallest[alg][0] = r.enc ? smallest[alg][1] : find(&r, cpu);
		oc_sym_session_free(&session);
		memset(&oc_counters[alg], 0, sizeof(oc_counters[0]));
	}
	OPENSSL_free(data);
	EVP_CIPHER_CTX_free(cpu);
}

/* Returns what oc_measure() has found, or the setting's default before that. */
size_t
oc_measured(enum oc_alg_id alg, bool enc)
{
	size_t found = smallest[alg][enc];

	return found != 0 ? found : oc_settings.min_size;
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
