/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the DigestInfo of each hash: see accel_digest_info.h.
 */
#include <string.h>

#include <rte_common.h>

#include "accel_digest_info.h"
#include "hw/accel_hw.h"

#define OID_MAX 9u
/* Bytes of all but identifier and digest: four headers of two bytes, and NULL */
#define FRAME 10u

struct digest_info {
	uint8_t hash; /* enum accel_hw_alg */
	uint8_t size; /* bytes of the digest */
	uint8_t oid_len;
	uint8_t oid[OID_MAX];
};

#define NIST(hash, size, n) { hash, size, 9, { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, n } }

/*
 * Identifiers are those of RFC 8017, appendix B.1, of NIST's register of objects for FIPS 202, and
 * of GB/T 33560 for SM3.
 */
static const struct digest_info infos[] = {
	{ ACCEL_HW_AUTH_MD5, 16, 8, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x05 } },
	{ ACCEL_HW_AUTH_SHA1, 20, 5, { 0x2b, 0x0e, 0x03, 0x02, 0x1a } },
	NIST(ACCEL_HW_AUTH_SHA224, 28, 4),
	NIST(ACCEL_HW_AUTH_SHA256, 32, 1),
	NIST(ACCEL_HW_AUTH_SHA384, 48, 2),
	NIST(ACCEL_HW_AUTH_SHA512, 64, 3),
	NIST(ACCEL_HW_AUTH_SHA3_224, 28, 7),
	NIST(ACCEL_HW_AUTH_SHA3_256, 32, 8),
	NIST(ACCEL_HW_AUTH_SHA3_384, 48, 9),
	NIST(ACCEL_HW_AUTH_SHA3_512, 64, 10),
	{ ACCEL_HW_AUTH_SM3, 32, 8, { 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x83, 0x11 } },
};

/*
 * True if a message begins as SEQUENCE { SEQUENCE { OBJECT IDENTIFIER oid, NULL }, OCTET STRING
 * digest } does.
 */
static bool
begins(const struct digest_info *info, const uint8_t *message)
{
	const uint8_t first[] = {
		0x30, (uint8_t)(FRAME - 2 + info->oid_len + info->size),
		0x30, (uint8_t)(info->oid_len + 4), 0x06, info->oid_len,
	};
	const uint8_t last[] = { 0x05, 0, 0x04, info->size };

	return memcmp(message, first, sizeof(first)) == 0 &&
	       memcmp(message + sizeof(first), info->oid, info->oid_len) == 0 &&
	       memcmp(message + sizeof(first) + info->oid_len, last, sizeof(last)) == 0;
}

bool
accel_is_digest_info(unsigned int hash, const uint8_t *message, size_t length)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(infos); i++) {
		if (infos[i].hash == hash)
			return length == FRAME + infos[i].oid_len + infos[i].size &&
			       message != NULL && begins(&infos[i], message);
	}
	return false;
}
