/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Published vectors of hashes and HMACs, each with its origin. Bytes are in hex.
 */

#include "kat.h"

const struct e2e_kat e2e_kat_hash[] = {
	{
		.origin = "RFC 1321 A.5",
		.group = "md5",
		.auth = RTE_CRYPTO_AUTH_MD5,
		.in = "616263",
		.digest = "900150983cd24fb0d6963f7d28e17f72",
	},
	{
		.origin = "RFC 1321 A.5",
		.group = "md5",
		.auth = RTE_CRYPTO_AUTH_MD5,
		.in =
			"313233343536373839303132333435363738393031323334353637383930313233343536"
			"373839303132333435363738393031323334353637383930313233343536373839303132"
			"3334353637383930",
		.digest = "57edf4a22be3c955ac49da2e2107b67a",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA1",
		.group = "sha1",
		.auth = RTE_CRYPTO_AUTH_SHA1,
		.in = "616263",
		.digest = "a9993e364706816aba3e25717850c26c9cd0d89d",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA1",
		.group = "sha1",
		.auth = RTE_CRYPTO_AUTH_SHA1,
		.in =
			"6162636462636465636465666465666765666768666768696768696a68696a6b696a6b6c"
			"6a6b6c6d6b6c6d6e6c6d6e6f6d6e6f706e6f7071",
		.digest = "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA224",
		.group = "sha224",
		.auth = RTE_CRYPTO_AUTH_SHA224,
		.in = "616263",
		.digest = "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA224",
		.group = "sha224",
		.auth = RTE_CRYPTO_AUTH_SHA224,
		.in =
			"6162636462636465636465666465666765666768666768696768696a68696a6b696a6b6c"
			"6a6b6c6d6b6c6d6e6c6d6e6f6d6e6f706e6f7071",
		.digest = "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA256",
		.group = "sha256",
		.auth = RTE_CRYPTO_AUTH_SHA256,
		.in = "616263",
		.digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA256",
		.group = "sha256",
		.auth = RTE_CRYPTO_AUTH_SHA256,
		.in =
			"6162636462636465636465666465666765666768666768696768696a68696a6b696a6b6c"
			"6a6b6c6d6b6c6d6e6c6d6e6f6d6e6f706e6f7071",
		.digest = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA384",
		.group = "sha384",
		.auth = RTE_CRYPTO_AUTH_SHA384,
		.in = "616263",
		.digest =
			"cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072b"
			"a1e7cc2358baeca134c825a7",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA384",
		.group = "sha384",
		.auth = RTE_CRYPTO_AUTH_SHA384,
		.in =
			"61626364656667686263646566676869636465666768696a6465666768696a6b65666768"
			"696a6b6c666768696a6b6c6d6768696a6b6c6d6e68696a6b6c6d6e6f696a6b6c6d6e6f70"
			"6a6b6c6d6e6f70716b6c6d6e6f7071726c6d6e6f707172736d6e6f70717273746e6f7071"
			"72737475",
		.digest =
			"09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a"
			"557e2db966c3e9fa91746039",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA512",
		.group = "sha512",
		.auth = RTE_CRYPTO_AUTH_SHA512,
		.in = "616263",
		.digest =
			"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a"
			"274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA512",
		.group = "sha512",
		.auth = RTE_CRYPTO_AUTH_SHA512,
		.in =
			"61626364656667686263646566676869636465666768696a6465666768696a6b65666768"
			"696a6b6c666768696a6b6c6d6768696a6b6c6d6e68696a6b6c6d6e6f696a6b6c6d6e6f70"
			"6a6b6c6d6e6f70716b6c6d6e6f7071726c6d6e6f707172736d6e6f70717273746e6f7071"
			"72737475",
		.digest =
			"8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e"
			"4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
	},
	{
		.origin = "RFC 2202 test case 1, HMAC-SHA1",
		.group = "sha1-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA1_HMAC,
		.auth_key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest = "b617318655057264e28bc0b6fb378c8ef146be00",
	},
	{
		.origin = "RFC 4231 test case 1, HMAC-SHA224",
		.group = "sha224-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA224_HMAC,
		.auth_key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest = "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22",
	},
	{
		.origin = "RFC 4231 test case 1, HMAC-SHA256",
		.group = "sha256-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA256_HMAC,
		.auth_key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
	},
	{
		.origin = "RFC 4231 test case 1, HMAC-SHA384",
		.group = "sha384-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA384_HMAC,
		.auth_key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest =
			"afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9"
			"076ede7f4af152e8b2fa9cb6",
	},
	{
		.origin = "RFC 4231 test case 1, HMAC-SHA512",
		.group = "sha512-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA512_HMAC,
		.auth_key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest =
			"87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7"
			"d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
	},
	{
		.origin = "RFC 2202 test case 2, HMAC-MD5",
		.group = "md5-hmac",
		.auth = RTE_CRYPTO_AUTH_MD5_HMAC,
		.auth_key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest = "750c783e6ab0b503eaa86e310a5db738",
	},
	{
		.origin = "RFC 2202 test case 2, HMAC-SHA1",
		.group = "sha1-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA1_HMAC,
		.auth_key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest = "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
	},
	{
		.origin = "RFC 4231 test case 2, HMAC-SHA224",
		.group = "sha224-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA224_HMAC,
		.auth_key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest = "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44",
	},
	{
		.origin = "RFC 4231 test case 2, HMAC-SHA256",
		.group = "sha256-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA256_HMAC,
		.auth_key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
	},
	{
		.origin = "RFC 4231 test case 2, HMAC-SHA384",
		.group = "sha384-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA384_HMAC,
		.auth_key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest =
			"af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca"
			"5e69e2c78b3239ecfab21649",
	},
	{
		.origin = "RFC 4231 test case 2, HMAC-SHA512",
		.group = "sha512-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA512_HMAC,
		.auth_key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest =
			"164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75"
			"c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
	},
	{
		.origin = "RFC 2202 test case 3, HMAC-SHA1",
		.group = "sha1-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA1_HMAC,
		.auth_key = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		.in =
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
			"dddddddddddddddddddddddddddd",
		.digest = "125d7342b9ac11cd91a39af48aa17b4f63f175d3",
	},
	{
		.origin = "RFC 4231 test case 3, HMAC-SHA224",
		.group = "sha224-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA224_HMAC,
		.auth_key = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		.in =
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
			"dddddddddddddddddddddddddddd",
		.digest = "7fb3cb3588c6c1f6ffa9694d7d6ad2649365b0c1f65d69d1ec8333ea",
	},
	{
		.origin = "RFC 4231 test case 3, HMAC-SHA256",
		.group = "sha256-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA256_HMAC,
		.auth_key = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		.in =
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
			"dddddddddddddddddddddddddddd",
		.digest = "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
	},
	{
		.origin = "RFC 4231 test case 3, HMAC-SHA384",
		.group = "sha384-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA384_HMAC,
		.auth_key = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		.in =
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
			"dddddddddddddddddddddddddddd",
		.digest =
			"88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b2a5ab39d"
			"c13814b94e3ab6e101a34f27",
	},
	{
		.origin = "RFC 4231 test case 3, HMAC-SHA512",
		.group = "sha512-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA512_HMAC,
		.auth_key = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		.in =
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
			"dddddddddddddddddddddddddddd",
		.digest =
			"fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e8482"
			"79a722c806b485a47e67c807b946a337bee8942674278859e13292fb",
	},
	{
		.origin = "RFC 2202 test case 1, HMAC-MD5",
		.group = "md5-hmac",
		.auth = RTE_CRYPTO_AUTH_MD5_HMAC,
		.auth_key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest = "9294727a3638bb1c13f48ef8158bfc9d",
	},
	{
		.origin = "RFC 2202 test case 3, HMAC-MD5",
		.group = "md5-hmac",
		.auth = RTE_CRYPTO_AUTH_MD5_HMAC,
		.auth_key = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		.in =
			"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
			"dddddddddddddddddddddddddddd",
		.digest = "56be34521d144c88dbb8c733f0e8b3f6",
	},
	{
		.origin = "RFC 2202 test case 5, HMAC-MD5",
		.group = "md5-hmac",
		.auth = RTE_CRYPTO_AUTH_MD5_HMAC,
		.auth_key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "56461ef2342edc00f9bab995",
	},
	{
		.origin = "RFC 2202 test case 5, HMAC-SHA1",
		.group = "sha1-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA1_HMAC,
		.auth_key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "4c1a03424b55e07fe7f27be1",
	},
	{
		.origin = "RFC 4231 test case 5, HMAC-SHA224",
		.group = "sha224-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA224_HMAC,
		.auth_key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "0e2aea68a90c8d37c988bcdb9fca6fa8",
	},
	{
		.origin = "RFC 4231 test case 5, HMAC-SHA256",
		.group = "sha256-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA256_HMAC,
		.auth_key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "a3b6167473100ee06e0c796c2955552b",
	},
	{
		.origin = "RFC 4231 test case 5, HMAC-SHA384",
		.group = "sha384-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA384_HMAC,
		.auth_key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "3abf34c3503b2a23a46efc619baef897",
	},
	{
		.origin = "RFC 4231 test case 5, HMAC-SHA512",
		.group = "sha512-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA512_HMAC,
		.auth_key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "415fad6271580a531d4179bc891d87a6",
	},
};

const unsigned int e2e_nb_kat_hash = RTE_DIM(e2e_kat_hash);
