/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known answers of the algorithms' standards. Strings are bytes in hex; NULL stands for none.
 */
#ifndef CONF_KNOWN_H
#define CONF_KNOWN_H

#include <accel_hw.h>

#include "sym.h"

struct known_answer {
	const char *origin; /* document and number */
	uint16_t alg;
	uint16_t bits; /* bits of the region; 0: all bytes of in */
	const char *key, *iv, *aad, *in, *out, *digest;
};

extern const struct known_answer known_cipher[], known_auth[], known_aead[], known_bits[];
extern const unsigned int known_cipher_nb, known_auth_nb, known_aead_nb, known_bits_nb;

/** Convert a string to at most @p room bytes. @return how many bytes the string has. */
uint32_t known_bytes(const char *hex, uint8_t *to, uint32_t room);

/** Make a context of a known answer, generating or encrypting. */
void known_context(const struct known_answer *k, struct accel_hw_context *x);

/** Give a command the IV of a known answer. */
void known_iv(const struct known_answer *k, struct accel_hw_command *cmd);

/** True if the tree has the algorithm of a known answer, with its sizes. */
bool known_there(const struct card *c, const struct known_answer *k);

#endif /* CONF_KNOWN_H */
