/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Hides from dpdk-accel-tool what differs between DPDK versions: names of algorithms.
 */
#ifndef TOOL_COMPAT_H
#define TOOL_COMPAT_H

#include <rte_crypto.h>
#include <rte_cryptodev.h>
#include <rte_version.h>

static inline const char *
tool_name_or(const char *name)
{
	return name != NULL ? name : "unknown";
}

#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
#define TOOL_CIPHER_NAME(algo) tool_name_or(rte_cryptodev_get_cipher_algo_string(algo))
#define TOOL_AUTH_NAME(algo) tool_name_or(rte_cryptodev_get_auth_algo_string(algo))
#define TOOL_AEAD_NAME(algo) tool_name_or(rte_cryptodev_get_aead_algo_string(algo))
#define TOOL_ASYM_NAME(type) tool_name_or(rte_cryptodev_asym_get_xform_string(type))
#else
/* The length of DPDK's arrays is not known here. They have a name for each enumerator of this
 * version. */
#define TOOL_CIPHER_NAME(algo) tool_name_or(rte_crypto_cipher_algorithm_strings[algo])
#define TOOL_AUTH_NAME(algo) tool_name_or(rte_crypto_auth_algorithm_strings[algo])
#define TOOL_AEAD_NAME(algo) tool_name_or(rte_crypto_aead_algorithm_strings[algo])
#define TOOL_ASYM_NAME(type) tool_asym_name(type)

/* Return the name of an asymmetric transform. DPDK's own array lacks some names. */
static inline const char *
tool_asym_name(enum rte_crypto_asym_xform_type type)
{
	static const char *const names[] = {
		[RTE_CRYPTO_ASYM_XFORM_RSA] = "rsa", [RTE_CRYPTO_ASYM_XFORM_DH] = "dh",
		[RTE_CRYPTO_ASYM_XFORM_DSA] = "dsa", [RTE_CRYPTO_ASYM_XFORM_MODINV] = "modinv",
		[RTE_CRYPTO_ASYM_XFORM_MODEX] = "modexp", [RTE_CRYPTO_ASYM_XFORM_ECDSA] = "ecdsa",
		[RTE_CRYPTO_ASYM_XFORM_ECDH] = "ecdh", [RTE_CRYPTO_ASYM_XFORM_ECPM] = "ecpm",
		[RTE_CRYPTO_ASYM_XFORM_ECFPM] = "ecfpm",
	};

	return tool_name_or((unsigned int)type < RTE_DIM(names) ? names[type] : NULL);
}
#endif

#endif /* TOOL_COMPAT_H */
