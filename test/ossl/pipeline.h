/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Pipelines of the provider. OpenSSL has calls for them since 3.5. With an older one, these call
 * the provider's functions as 3.5 does (provider-cipher(7)). All return false if that failed.
 */
#ifndef OSSL_PIPELINE_H
#define OSSL_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/core.h>

#define PIPES_MAX 32
#define PIPE_TAG 16

struct pipeline {
	const char *name;
	size_t key_len;
	const OSSL_DISPATCH *functions;
	void *ctx;
	size_t nb; /* pipes */
};

bool pipeline_new(struct pipeline *p, const char *name);
void pipeline_free(struct pipeline *p);
bool pipeline_copy(struct pipeline *p);
bool pipeline_init(struct pipeline *p, bool enc, const uint8_t *key, size_t nb, const uint8_t **iv,
		size_t iv_len);
bool pipeline_update(struct pipeline *p, uint8_t **out, size_t *outl, const size_t *size,
		const uint8_t **in, const size_t *inl);
bool pipeline_final(struct pipeline *p, uint8_t **out, size_t *outl, const size_t *size);
bool pipeline_tags(struct pipeline *p, uint8_t tags[][PIPE_TAG], bool set);

#endif
