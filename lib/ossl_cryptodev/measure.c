/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the smallest size from which the device is faster than the CPU, for `min-size = auto`.
 */
#include <string.h>

#include <openssl/crypto.h>

#include "ossl_cryptodev.h"

#define FIRST 256
#define ROUNDS 15

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the shortest time of an operation of the default provider. */
static uint64_t
time_cpu(enum oc_alg_id alg, const uint8_t *key, uint8_t *data, size_t len)
{
	uint8_t iv[OC_BLOCK] = { 0 };
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint64_t best = UINT64_MAX;
	int done;

	if (ctx == NULL || EVP_EncryptInit_ex2(ctx, oc_inner_ciphers[alg], key, iv, NULL) != 1) {
		EVP_CIPHER_CTX_free(ctx);
		return 0;
	}
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t begin = oc_now_ns();

		EVP_EncryptInit_ex2(ctx, NULL, NULL, iv, NULL);
		EVP_EncryptUpdate(ctx, data, &done, data, len);
		EVP_EncryptFinal_ex(ctx, data + len, &done);
		best = least(best, oc_now_ns() - begin);
	}
	EVP_CIPHER_CTX_free(ctx);
	return best;
}

/* Returns the median of times of an operation of the device, because its thread may wait for a
 * CPU.
 */
static uint64_t
time_device(enum oc_alg_id alg, const uint8_t *key, struct oc_session *session, uint8_t *data,
		size_t len)
{
	uint8_t iv[OC_BLOCK] = { 0 }, tag[OC_TAG];
	uint64_t times[ROUNDS];
	const struct oc_request r = {
		.alg = alg,
		.session = session,
		.key = key,
		.enc = true,
		.iv = iv,
		.aad = iv,
		.in = data,
		.out = data,
		.len = len,
		.tag = oc_algs[alg].mode == OC_GCM || oc_algs[alg].mode == OC_CHACHA ? tag : NULL,
	};

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t begin = oc_now_ns(), taken;
		int place = i;

		if (oc_run(&r) != OC_DONE)
			return UINT64_MAX;
		taken = oc_now_ns() - begin;
		for (; place > 0 && times[place - 1] > taken; place--)
			times[place] = times[place - 1];
		times[place] = taken;
	}
	return times[ROUNDS / 2];
}

static enum oc_alg_id
first_supported(void)
{
	static const enum oc_alg_id order[] = { OC_AES_128_GCM, OC_AES_256_GCM, OC_AES_128_CBC,
		OC_AES_128_CTR };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (oc_inner_ciphers[order[i]] != NULL && oc_device_supports(order[i], 0))
			return order[i];
	return OC_ALGS;
}

/* Sets the smallest size for the device. If the device is never faster, a single caller does not
 * use it.
 */
void
oc_measure(void)
{
	enum oc_alg_id alg = first_supported();
	uint8_t key[OC_KEY_MAX] = { 1 }, *data = OPENSSL_zalloc(OC_DATA_MAX + OC_BLOCK);
	struct oc_session session = { 0 };
	size_t found = OC_DATA_MAX + 1;

	oc_settings.min_size = 0;
	for (size_t len = OC_DATA_MAX; alg != OC_ALGS && data != NULL && len >= FIRST; len /= 2) {
		if (time_device(alg, key, &session, data, len) > time_cpu(alg, key, data, len))
			break;
		found = len;
	}
	oc_settings.min_size = found;
	oc_session_free(&session);
	OPENSSL_free(data);
	if (alg != OC_ALGS)
		memset(&oc_counters[alg], 0, sizeof(oc_counters[alg]));
}
