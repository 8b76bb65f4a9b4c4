/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/* Lists the combinations of algorithms that librte_ipsec 22.11 has, with the sizes that it uses. */

#include "interop.h"

#define AEAD(alg, ...)                                                                 \
	{ .type = RTE_CRYPTO_SYM_XFORM_AEAD, .aead = RTE_CRYPTO_AEAD_##alg, .iv = 8,   \
	  .pad = 4, __VA_ARGS__ }
#define CHAIN(c, a, ...)                                                               \
	{ .type = RTE_CRYPTO_SYM_XFORM_CIPHER, .cipher = RTE_CRYPTO_CIPHER_##c,        \
	  .auth = RTE_CRYPTO_AUTH_##a, __VA_ARGS__ }

const struct interop_suite interop_suites[] = {
	AEAD(AES_GCM, .name = "AES-GCM", .keys = { 16, 24, 32 }, .icvs = { 16, 12, 8 }),
	AEAD(AES_CCM, .name = "AES-CCM", .keys = { 16, 24, 32 }, .icvs = { 16, 12, 8 }),
	AEAD(CHACHA20_POLY1305, .name = "ChaCha20-Poly1305", .keys = { 32 }, .icvs = { 16 }),
	CHAIN(AES_CBC, SHA1_HMAC, .name = "AES-CBC+SHA1", .keys = { 16, 24, 32 },
	      .auth_key = 20, .icvs = { 12, 20 }, .iv = 16, .pad = 16),
	CHAIN(AES_CBC, SHA256_HMAC, .name = "AES-CBC+SHA256", .keys = { 16, 24, 32 },
	      .auth_key = 32, .icvs = { 16, 32 }, .iv = 16, .pad = 16),
	CHAIN(AES_CBC, SHA384_HMAC, .name = "AES-CBC+SHA384", .keys = { 16, 24, 32 },
	      .auth_key = 48, .icvs = { 24 }, .iv = 16, .pad = 16),
	CHAIN(AES_CBC, SHA512_HMAC, .name = "AES-CBC+SHA512", .keys = { 16, 24, 32 },
	      .auth_key = 64, .icvs = { 32 }, .iv = 16, .pad = 16),
	CHAIN(AES_CBC, MD5_HMAC, .name = "AES-CBC+MD5", .keys = { 16 }, .auth_key = 16,
	      .icvs = { 12 }, .iv = 16, .pad = 16),
	CHAIN(AES_CBC, AES_XCBC_MAC, .name = "AES-CBC+XCBC", .keys = { 16, 24, 32 },
	      .auth_key = 16, .icvs = { 12 }, .iv = 16, .pad = 16),
	CHAIN(AES_CBC, AES_CMAC, .name = "AES-CBC+CMAC", .keys = { 16, 24, 32 },
	      .auth_key = 16, .icvs = { 12, 16 }, .iv = 16, .pad = 16),
	/* Without an ICV nobody sees that the upper half of a number was inferred wrongly. */
	CHAIN(AES_CBC, NULL, .name = "AES-CBC+NULL", .keys = { 16, 24, 32 }, .iv = 16,
	      .pad = 16, .no_esn = true),
	CHAIN(AES_CTR, SHA1_HMAC, .name = "AES-CTR+SHA1", .keys = { 16, 24, 32 },
	      .auth_key = 20, .icvs = { 12 }, .iv = 8, .pad = 4),
	CHAIN(AES_CTR, SHA256_HMAC, .name = "AES-CTR+SHA256", .keys = { 16, 24, 32 },
	      .auth_key = 32, .icvs = { 16 }, .iv = 8, .pad = 4),
	CHAIN(3DES_CBC, SHA1_HMAC, .name = "3DES-CBC+SHA1", .keys = { 24 }, .auth_key = 20,
	      .icvs = { 12 }, .iv = 8, .pad = 8),
	CHAIN(3DES_CBC, SHA512_HMAC, .name = "3DES-CBC+SHA512", .keys = { 24 },
	      .auth_key = 64, .icvs = { 32 }, .iv = 8, .pad = 8),
	CHAIN(NULL, SHA256_HMAC, .name = "NULL+SHA256", .auth_key = 32, .icvs = { 16 },
	      .pad = 4),
	CHAIN(NULL, AES_CMAC, .name = "NULL+CMAC", .auth_key = 16, .icvs = { 12 }, .pad = 4),
	/* librte_ipsec puts the upper half of an extended number behind the packet, where other
	 * algorithms have it. RFC 4543 wants it behind the SPI. */
	{ .type = RTE_CRYPTO_SYM_XFORM_AUTH, .auth = RTE_CRYPTO_AUTH_AES_GMAC,
	  .name = "AES-GMAC", .keys = { 16, 24, 32 }, .icvs = { 16 }, .iv = 8, .pad = 4,
	  .no_esn = true },
};
const unsigned int interop_nb_suites = RTE_DIM(interop_suites);
