/* SPDX-License-Identifier: BSD-3-Clause
 * The table of functions of a cipher. Those that have to know the cipher without a context are
 * made here.
 */
#ifndef OSSL_CRYPTODEV_FUNCTIONS_H
#define OSSL_CRYPTODEV_FUNCTIONS_H

#include <openssl/core_dispatch.h>

#include "ossl_cryptodev.h"

#define OC_CIPHER(kind, alg) \
	static void *alg##_new(void *provctx) \
	{ \
		return kind##_new(provctx, alg); \
	} \
	static int alg##_get_params(OSSL_PARAM params[]) \
	{ \
		return EVP_CIPHER_get_params(oc_inner_ciphers[alg], params); \
	} \
	const OSSL_DISPATCH alg##_functions[] = { \
		{ OSSL_FUNC_CIPHER_NEWCTX, (void (*)(void))alg##_new }, \
		{ OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))kind##_free }, \
		{ OSSL_FUNC_CIPHER_DUPCTX, (void (*)(void))kind##_dup }, \
		{ OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))kind##_encrypt_init }, \
		{ OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))kind##_decrypt_init }, \
		{ OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))kind##_update }, \
		{ OSSL_FUNC_CIPHER_FINAL, (void (*)(void))kind##_final }, \
		{ OSSL_FUNC_CIPHER_CIPHER, (void (*)(void))kind##_whole }, \
		{ OSSL_FUNC_CIPHER_GET_PARAMS, (void (*)(void))alg##_get_params }, \
		{ OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))kind##_get_params }, \
		{ OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))kind##_set_params }, \
		{ OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, (void (*)(void))kind##_gettable }, \
		{ OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, (void (*)(void))kind##_settable }, \
		{ 0, NULL }, \
	}

#endif
