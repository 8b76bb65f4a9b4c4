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
	{
		.origin = "FIPS 202, NIST example SHA3-224, no bits",
		.group = "sha3-224",
		.auth = RTE_CRYPTO_AUTH_SHA3_224,
		.in = "",
		.digest = "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-224, 1600 bits",
		.group = "sha3-224",
		.auth = RTE_CRYPTO_AUTH_SHA3_224,
		.in =
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3",
		.digest = "9376816aba503f72f96ce7eb65ac095deee3be4bf9bbc2a1cb7e11e0",
	},
	{
		.origin = "NIST example HMAC_SHA3-224, sample 1",
		.group = "sha3-224-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA3_224_HMAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3c626c6f636b6c656e",
		.digest = "332cfd59347fdb8e576e77260be4aba2d6dc53117b3bfb52c6d18c04",
	},
	{
		.origin = "NIST example HMAC_SHA3-224, sample 2",
		.group = "sha3-224-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA3_224_HMAC,
		.auth_key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223"
			"2425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f4041424344454647"
			"48494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b"
			"6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3d626c6f636b6c656e",
		.digest = "d8b733bcf66c644a12323d564e24dcf3fc75f231f3b67968359100c7",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-256, no bits",
		.group = "sha3-256",
		.auth = RTE_CRYPTO_AUTH_SHA3_256,
		.in = "",
		.digest = "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-256, 1600 bits",
		.group = "sha3-256",
		.auth = RTE_CRYPTO_AUTH_SHA3_256,
		.in =
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3",
		.digest = "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787",
	},
	{
		.origin = "NIST example HMAC_SHA3-256, sample 1",
		.group = "sha3-256-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA3_256_HMAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3c626c6f636b6c656e",
		.digest = "4fe8e202c4f058e8dddc23d8c34e467343e23555e24fc2f025d598f558f67205",
	},
	{
		.origin = "NIST example HMAC_SHA3-256, sample 2",
		.group = "sha3-256-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA3_256_HMAC,
		.auth_key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223"
			"2425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f4041424344454647"
			"48494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b"
			"6c6d6e6f707172737475767778797a7b7c7d7e7f8081828384858687",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3d626c6f636b6c656e",
		.digest = "68b94e2e538a9be4103bebb5aa016d47961d4d1aa906061313b557f8af2c3faa",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-384, no bits",
		.group = "sha3-384",
		.auth = RTE_CRYPTO_AUTH_SHA3_384,
		.in = "",
		.digest =
			"0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831"
			"264adb47fb6bd1e058d5f004",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-384, 1600 bits",
		.group = "sha3-384",
		.auth = RTE_CRYPTO_AUTH_SHA3_384,
		.in =
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3",
		.digest =
			"1881de2ca7e41ef95dc4732b8f5f002b189cc1e42b74168ed1732649ce1dbcdd76197a31"
			"fd55ee989f2d7050dd473e8f",
	},
	{
		.origin = "NIST example HMAC_SHA3-384, sample 1",
		.group = "sha3-384-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA3_384_HMAC,
		.auth_key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223"
			"2425262728292a2b2c2d2e2f",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3c626c6f636b6c656e",
		.digest =
			"d588a3c51f3f2d906e8298c1199aa8ff6296218127f6b38a90b6afe2c5617725bc99987f"
			"79b22a557b6520db710b7f42",
	},
	{
		.origin = "NIST example HMAC_SHA3-384, sample 2",
		.group = "sha3-384-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA3_384_HMAC,
		.auth_key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223"
			"2425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f4041424344454647"
			"48494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f6061626364656667",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3d626c6f636b6c656e",
		.digest =
			"a27d24b592e8c8cbf6d4ce6fc5bf62d8fc98bf2d486640d9eb8099e24047837f5f3bffbe"
			"92dcce90b4ed5b1e7e44fa90",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-512, no bits",
		.group = "sha3-512",
		.auth = RTE_CRYPTO_AUTH_SHA3_512,
		.in = "",
		.digest =
			"a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123a"
			"f1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-512, 1600 bits",
		.group = "sha3-512",
		.auth = RTE_CRYPTO_AUTH_SHA3_512,
		.in =
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3"
			"a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3",
		.digest =
			"e76dfad22084a8b1467fcf2ffa58361bec7628edf5f3fdc0e4805dc48caeeca81b7c13c3"
			"0adf52a3659584739a2df46be589c51ca1a4a8416df6545a1ce8ba00",
	},
	{
		.origin = "NIST example HMAC_SHA3-512, sample 1",
		.group = "sha3-512-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA3_512_HMAC,
		.auth_key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223"
			"2425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3c626c6f636b6c656e",
		.digest =
			"4efd629d6c71bf86162658f29943b1c308ce27cdfa6db0d9c3ce81763f9cbce5f7ebe986"
			"8031db1a8f8eb7b6b95e5c5e3f657a8996c86a2f6527e307f0213196",
	},
	{
		.origin = "NIST example HMAC_SHA3-512, sample 2",
		.group = "sha3-512-hmac",
		.auth = RTE_CRYPTO_AUTH_SHA3_512_HMAC,
		.auth_key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223"
			"2425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f4041424344454647",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3d626c6f636b6c656e",
		.digest =
			"544e257ea2a3e5ea19a590e6a24b724ce6327757723fe2751b75bf007d80f6b360744bf1"
			"b7a88ea585f9765b47911976d3191cf83c039f5ffab0d29cc9d9b6da",
	},
	{
		.origin = "GB/T 32905-2016 A.1",
		.group = "sm3",
		.auth = RTE_CRYPTO_AUTH_SM3,
		.in = "616263",
		.digest = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
	},
	{
		.origin = "GB/T 32905-2016 A.2",
		.group = "sm3",
		.auth = RTE_CRYPTO_AUTH_SM3,
		.in =
			"616263646162636461626364616263646162636461626364616263646162636461626364"
			"61626364616263646162636461626364616263646162636461626364",
		.digest = "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732",
	},
	{
		.origin = "RFC 3566 test case 1",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "",
		.digest = "75f0251d528ac01c4573dfd584d79f29",
	},
	{
		.origin = "RFC 3566 test case 1, AES-XCBC-MAC-96",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "",
		.digest = "75f0251d528ac01c4573dfd5",
	},
	{
		.origin = "RFC 3566 test case 2",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "000102",
		.digest = "5b376580ae2f19afe7219ceef172756f",
	},
	{
		.origin = "RFC 3566 test case 2, AES-XCBC-MAC-96",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "000102",
		.digest = "5b376580ae2f19afe7219cee",
	},
	{
		.origin = "RFC 3566 test case 3",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "000102030405060708090a0b0c0d0e0f",
		.digest = "d2a246fa349b68a79998a4394ff7a263",
	},
	{
		.origin = "RFC 3566 test case 3, AES-XCBC-MAC-96",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "000102030405060708090a0b0c0d0e0f",
		.digest = "d2a246fa349b68a79998a439",
	},
	{
		.origin = "RFC 3566 test case 4",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "000102030405060708090a0b0c0d0e0f10111213",
		.digest = "47f51b4564966215b8985c63055ed308",
	},
	{
		.origin = "RFC 3566 test case 4, AES-XCBC-MAC-96",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "000102030405060708090a0b0c0d0e0f10111213",
		.digest = "47f51b4564966215b8985c63",
	},
	{
		.origin = "RFC 3566 test case 5",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		.digest = "f54f0ec8d2b9f3d36807734bd5283fd4",
	},
	{
		.origin = "RFC 3566 test case 5, AES-XCBC-MAC-96",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		.digest = "f54f0ec8d2b9f3d36807734b",
	},
	{
		.origin = "RFC 3566 test case 6",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021",
		.digest = "becbb3bccdb518a30677d5481fb6b4d8",
	},
	{
		.origin = "RFC 3566 test case 6, AES-XCBC-MAC-96",
		.group = "aes-xcbc-mac",
		.auth = RTE_CRYPTO_AUTH_AES_XCBC_MAC,
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.in = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021",
		.digest = "becbb3bccdb518a30677d548",
	},
	{
		.origin = "SP 800-38B D.1 example 1",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "2b7e151628aed2a6abf7158809cf4f3c",
		.in = "",
		.digest = "bb1d6929e95937287fa37d129b756746",
	},
	{
		.origin = "SP 800-38B D.1 example 2",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "2b7e151628aed2a6abf7158809cf4f3c",
		.in = "6bc1bee22e409f96e93d7e117393172a",
		.digest = "070a16b46b4d4144f79bdd9dd04a287c",
	},
	{
		.origin = "SP 800-38B D.1 example 3",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "2b7e151628aed2a6abf7158809cf4f3c",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411",
		.digest = "dfa66747de9ae63030ca32611497c827",
	},
	{
		.origin = "SP 800-38B D.1 example 4",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "2b7e151628aed2a6abf7158809cf4f3c",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.digest = "51f0bebf7e3b9d92fc49741779363cfe",
	},
	{
		.origin = "SP 800-38B D.2 example 5",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.in = "",
		.digest = "d17ddf46adaacde531cac483de7a9367",
	},
	{
		.origin = "SP 800-38B D.2 example 6",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.in = "6bc1bee22e409f96e93d7e117393172a",
		.digest = "9e99a7bf31e710900662f65e617c5184",
	},
	{
		.origin = "SP 800-38B D.2 example 7",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411",
		.digest = "8a1de5be2eb31aad089a82e6ee908b0e",
	},
	{
		.origin = "SP 800-38B D.2 example 8",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.digest = "a1d5df0eed790f794d77589659f39a11",
	},
	{
		.origin = "SP 800-38B D.3 example 9",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.in = "",
		.digest = "028962f61b7bf89efc6b551f4667d983",
	},
	{
		.origin = "SP 800-38B D.3 example 10",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.in = "6bc1bee22e409f96e93d7e117393172a",
		.digest = "28a7023f452e8f82bd4bf28d8c37c35c",
	},
	{
		.origin = "SP 800-38B D.3 example 11",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411",
		.digest = "aaf3d8f1de5640c232f5b169b9c911e6",
	},
	{
		.origin = "SP 800-38B D.3 example 12",
		.group = "aes-cmac",
		.auth = RTE_CRYPTO_AUTH_AES_CMAC,
		.auth_key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.digest = "e1992190549f6ed5696a2c056c315410",
	},
	{
		.origin = "TS 35.217 5 test set 4",
		.group = "snow3g-uia2",
		.auth = RTE_CRYPTO_AUTH_SNOW3G_UIA2,
		.auth_key = "c736c6aab22bfff91e2698d2e22ad57e",
		.auth_iv = "14793e410397e8fd94793e41039768fd",
		.in =
			"d0a7d463df9fb2b278833fa02e235aa172bd970c1473e12907fb648b6599aaa0b24a0386"
			"65422b20a499276a50427009",
		.digest = "38b554c0",
	},
	{
		.origin = "TS 35.217 5 test set 5",
		.group = "snow3g-uia2",
		.auth = RTE_CRYPTO_AUTH_SNOW3G_UIA2,
		.auth_key = "f4ebec69e73eaf2eb2cf6af4b3120ffd",
		.auth_iv = "296f393c6b227737a96f393c6b22f737",
		.in =
			"10bfff839e0c71658dbb2d1707e145724f41c16f48bf403c3b18e38fd5d1663b6f6d9001"
			"93e3cea8bb4f1b4f5be822032232a78d7d75238d5e6daecd3b4322cf59bc7ea84ab18811"
			"b5bfb7bc553f4fe44478ce287a14879990d18d12ca79d2c855149021cd5ce8ca0371ca04"
			"fcce143e3d7cfee94585b5885cac46068b",
		.digest = "061745ae",
	},
	{
		.origin = "TS 35.203 5 test set 1",
		.group = "kasumi-f9",
		.auth = RTE_CRYPTO_AUTH_KASUMI_F9,
		.auth_key = "2bd6459f82c5b300952c49104881ff48",
		.in = "38a6f05605d2ec496b227737296f393c8079353edc87e2e805d2ec49a4f2d8e2",
		.digest = "f63bd72c",
	},
	{
		.origin = "TS 35.203 5 test set 2",
		.group = "kasumi-f9",
		.auth = RTE_CRYPTO_AUTH_KASUMI_F9,
		.auth_key = "d42f682428201cafcd9f97945e6de7b7",
		.in =
			"3edc87e2a4f2d8e2b5924384328a4ae00b737109f8b6c8dd2b4db63dd533981ceb19aad5"
			"2a5b2bc3",
		.digest = "a9daf1ff",
	},
	{
		.origin = "TS 35.203 5 test set 3",
		.group = "kasumi-f9",
		.auth = RTE_CRYPTO_AUTH_KASUMI_F9,
		.auth_key = "fdb9cfdf28936cc483a31869d81b8fab",
		.in =
			"36af61449838f03a5932bc0ace2b0aba33d8ac188ac54f346fad10bf9dee2920b43bd0c5"
			"3a915cb7df6caa72053abff38000000000000000",
		.digest = "1537d316",
	},
	{
		.origin = "TS 35.203 5 test set 4",
		.group = "kasumi-f9",
		.auth = RTE_CRYPTO_AUTH_KASUMI_F9,
		.auth_key = "c736c6aab22bfff91e2698d2e22ad57e",
		.in =
			"14793e410397e8fdd0a7d463df9fb2b278833fa02e235aa172bd970c1473e12907fb648b"
			"6599aaa0b24a038665422b20a499276a50427009c000000000000000",
		.digest = "dd7dfadd",
	},
	{
		.origin = "TS 35.203 5 test set 5",
		.group = "kasumi-f9",
		.auth = RTE_CRYPTO_AUTH_KASUMI_F9,
		.auth_key = "f4ebec69e73eaf2eb2cf6af4b3120ffd",
		.in =
			"296f393c6b22773710bfff839e0c71658dbb2d1707e145724f41c16f48bf403c3b18e38f"
			"d5d1663b6f6d900193e3cea8bb4f1b4f5be822032232a78d7d75238d5e6daecd3b4322cf"
			"59bc7ea84ab18811b5bfb7bc553f4fe44478ce287a14879990d18d12ca79d2c855149021"
			"cd5ce8ca0371ca04fcce143e3d7cfee94585b5885cac46068bc00000",
		.digest = "c383839d",
	},
	{
		.origin = "ZUC-256 test vectors, zeros, 400 bits",
		.group = "zuc-eia3",
		.auth = RTE_CRYPTO_AUTH_ZUC_EIA3,
		.auth_key = "0000000000000000000000000000000000000000000000000000000000000000",
		.auth_iv = "00000000000000000000000000000000000000000000000000",
		.in =
			"000000000000000000000000000000000000000000000000000000000000000000000000"
			"0000000000000000000000000000",
		.digest = "9b972a74",
	},
	{
		.origin = "ZUC-256 test vectors, zeros, 4000 bits",
		.group = "zuc-eia3",
		.auth = RTE_CRYPTO_AUTH_ZUC_EIA3,
		.auth_key = "0000000000000000000000000000000000000000000000000000000000000000",
		.auth_iv = "00000000000000000000000000000000000000000000000000",
		.in =
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"1111111111111111111111111111111111111111111111111111111111111111",
		.digest = "8754f5cf",
	},
	{
		.origin = "ZUC-256 test vectors, ones, 400 bits",
		.group = "zuc-eia3",
		.auth = RTE_CRYPTO_AUTH_ZUC_EIA3,
		.auth_key = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		.auth_iv = "ffffffffffffffffffffffffffffffffff3f3f3f3f3f3f3f3f",
		.in =
			"000000000000000000000000000000000000000000000000000000000000000000000000"
			"0000000000000000000000000000",
		.digest = "1f3079b4",
	},
	{
		.origin = "ZUC-256 test vectors, ones, 4000 bits",
		.group = "zuc-eia3",
		.auth = RTE_CRYPTO_AUTH_ZUC_EIA3,
		.auth_key = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		.auth_iv = "ffffffffffffffffffffffffffffffffff3f3f3f3f3f3f3f3f",
		.in =
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"111111111111111111111111111111111111111111111111111111111111111111111111"
			"1111111111111111111111111111111111111111111111111111111111111111",
		.digest = "5c7c8b88",
	},
	{
		.origin = "data of TS 35.223 5 test set 3, 576 bits, by the tests' reference",
		.group = "zuc-eia3",
		.auth = RTE_CRYPTO_AUTH_ZUC_EIA3,
		.auth_key = "c9e6cec4607c72db000aefa88385ab0a",
		.auth_iv = "a94059da50000000294059da50008000",
		.in =
			"983b41d47d780c9e1ad11d7eb70391b1de0b35da2dc62f83e7b78d6306ca0ea07e941b7b"
			"e91348f9fcb170e2217fecd97f9f68adb16e5d7d21e569d280ed775cebde3f4093c53881",
		.digest = "8e48c7d5",
	},
};

const unsigned int e2e_nb_kat_hash = RTE_DIM(e2e_kat_hash);
