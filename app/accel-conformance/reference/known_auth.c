/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known answers of authentication, from the documents that they name. Bytes are in hex.
 */
#include "known.h"

const struct known_answer known_auth[] = {
	{
		.origin = "RFC 1321 A.5",
		.alg = ACCEL_HW_AUTH_MD5,
		.in = "616263",
		.digest = "900150983cd24fb0d6963f7d28e17f72",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA1",
		.alg = ACCEL_HW_AUTH_SHA1,
		.in = "616263",
		.digest = "a9993e364706816aba3e25717850c26c9cd0d89d",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA224",
		.alg = ACCEL_HW_AUTH_SHA224,
		.in = "616263",
		.digest = "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA256",
		.alg = ACCEL_HW_AUTH_SHA256,
		.in = "616263",
		.digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA384",
		.alg = ACCEL_HW_AUTH_SHA384,
		.in = "616263",
		.digest =
			"cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed808607"
			"2ba1e7cc2358baeca134c825a7",
	},
	{
		.origin = "FIPS 180-4, NIST example SHA512",
		.alg = ACCEL_HW_AUTH_SHA512,
		.in = "616263",
		.digest =
			"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a219299"
			"2a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
	},
	{
		.origin = "RFC 2202 test case 1, HMAC-SHA1",
		.alg = ACCEL_HW_AUTH_SHA1_HMAC,
		.key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest = "b617318655057264e28bc0b6fb378c8ef146be00",
	},
	{
		.origin = "RFC 4231 test case 1, HMAC-SHA224",
		.alg = ACCEL_HW_AUTH_SHA224_HMAC,
		.key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest = "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22",
	},
	{
		.origin = "RFC 4231 test case 1, HMAC-SHA256",
		.alg = ACCEL_HW_AUTH_SHA256_HMAC,
		.key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
	},
	{
		.origin = "RFC 4231 test case 1, HMAC-SHA384",
		.alg = ACCEL_HW_AUTH_SHA384_HMAC,
		.key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest =
			"afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9e"
			"a9076ede7f4af152e8b2fa9cb6",
	},
	{
		.origin = "RFC 4231 test case 1, HMAC-SHA512",
		.alg = ACCEL_HW_AUTH_SHA512_HMAC,
		.key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest =
			"87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833"
			"b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
	},
	{
		.origin = "RFC 2202 test case 2, HMAC-MD5",
		.alg = ACCEL_HW_AUTH_MD5_HMAC,
		.key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest = "750c783e6ab0b503eaa86e310a5db738",
	},
	{
		.origin = "RFC 2202 test case 2, HMAC-SHA1",
		.alg = ACCEL_HW_AUTH_SHA1_HMAC,
		.key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest = "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
	},
	{
		.origin = "RFC 4231 test case 2, HMAC-SHA224",
		.alg = ACCEL_HW_AUTH_SHA224_HMAC,
		.key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest = "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44",
	},
	{
		.origin = "RFC 4231 test case 2, HMAC-SHA256",
		.alg = ACCEL_HW_AUTH_SHA256_HMAC,
		.key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
	},
	{
		.origin = "RFC 4231 test case 2, HMAC-SHA384",
		.alg = ACCEL_HW_AUTH_SHA384_HMAC,
		.key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest =
			"af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240"
			"ca5e69e2c78b3239ecfab21649",
	},
	{
		.origin = "RFC 4231 test case 2, HMAC-SHA512",
		.alg = ACCEL_HW_AUTH_SHA512_HMAC,
		.key = "4a656665",
		.in = "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
		.digest =
			"164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf"
			"75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
	},
	{
		.origin = "RFC 2202 test case 1, HMAC-MD5",
		.alg = ACCEL_HW_AUTH_MD5_HMAC,
		.key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
		.in = "4869205468657265",
		.digest = "9294727a3638bb1c13f48ef8158bfc9d",
	},
	{
		.origin = "RFC 2202 test case 5, HMAC-MD5",
		.alg = ACCEL_HW_AUTH_MD5_HMAC,
		.key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "56461ef2342edc00f9bab995",
	},
	{
		.origin = "RFC 2202 test case 5, HMAC-SHA1",
		.alg = ACCEL_HW_AUTH_SHA1_HMAC,
		.key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "4c1a03424b55e07fe7f27be1",
	},
	{
		.origin = "RFC 4231 test case 5, HMAC-SHA224",
		.alg = ACCEL_HW_AUTH_SHA224_HMAC,
		.key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "0e2aea68a90c8d37c988bcdb9fca6fa8",
	},
	{
		.origin = "RFC 4231 test case 5, HMAC-SHA256",
		.alg = ACCEL_HW_AUTH_SHA256_HMAC,
		.key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "a3b6167473100ee06e0c796c2955552b",
	},
	{
		.origin = "RFC 4231 test case 5, HMAC-SHA384",
		.alg = ACCEL_HW_AUTH_SHA384_HMAC,
		.key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "3abf34c3503b2a23a46efc619baef897",
	},
	{
		.origin = "RFC 4231 test case 5, HMAC-SHA512",
		.alg = ACCEL_HW_AUTH_SHA512_HMAC,
		.key = "0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
		.in = "546573742057697468205472756e636174696f6e",
		.digest = "415fad6271580a531d4179bc891d87a6",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-224, no bits",
		.alg = ACCEL_HW_AUTH_SHA3_224,
		.digest = "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7",
	},
	{
		.origin = "NIST example HMAC_SHA3-224, sample 1",
		.alg = ACCEL_HW_AUTH_SHA3_224_HMAC,
		.key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3c626c6f636b6c656e",
		.digest = "332cfd59347fdb8e576e77260be4aba2d6dc53117b3bfb52c6d18c04",
	},
	{
		.origin = "NIST example HMAC_SHA3-224, sample 2",
		.alg = ACCEL_HW_AUTH_SHA3_224_HMAC,
		.key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122"
			"232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445"
			"464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768"
			"696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b"
			"8c8d8e8f",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3d626c6f636b6c656e",
		.digest = "d8b733bcf66c644a12323d564e24dcf3fc75f231f3b67968359100c7",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-256, no bits",
		.alg = ACCEL_HW_AUTH_SHA3_256,
		.digest = "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
	},
	{
		.origin = "NIST example HMAC_SHA3-256, sample 1",
		.alg = ACCEL_HW_AUTH_SHA3_256_HMAC,
		.key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3c626c6f636b6c656e",
		.digest = "4fe8e202c4f058e8dddc23d8c34e467343e23555e24fc2f025d598f558f67205",
	},
	{
		.origin = "NIST example HMAC_SHA3-256, sample 2",
		.alg = ACCEL_HW_AUTH_SHA3_256_HMAC,
		.key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122"
			"232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445"
			"464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768"
			"696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f8081828384858687",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3d626c6f636b6c656e",
		.digest = "68b94e2e538a9be4103bebb5aa016d47961d4d1aa906061313b557f8af2c3faa",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-384, no bits",
		.alg = ACCEL_HW_AUTH_SHA3_384,
		.digest =
			"0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac37138"
			"31264adb47fb6bd1e058d5f004",
	},
	{
		.origin = "NIST example HMAC_SHA3-384, sample 1",
		.alg = ACCEL_HW_AUTH_SHA3_384_HMAC,
		.key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122"
			"232425262728292a2b2c2d2e2f",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3c626c6f636b6c656e",
		.digest =
			"d588a3c51f3f2d906e8298c1199aa8ff6296218127f6b38a90b6afe2c5617725bc9998"
			"7f79b22a557b6520db710b7f42",
	},
	{
		.origin = "NIST example HMAC_SHA3-384, sample 2",
		.alg = ACCEL_HW_AUTH_SHA3_384_HMAC,
		.key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122"
			"232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445"
			"464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f6061626364656667",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3d626c6f636b6c656e",
		.digest =
			"a27d24b592e8c8cbf6d4ce6fc5bf62d8fc98bf2d486640d9eb8099e24047837f5f3bff"
			"be92dcce90b4ed5b1e7e44fa90",
	},
	{
		.origin = "FIPS 202, NIST example SHA3-512, no bits",
		.alg = ACCEL_HW_AUTH_SHA3_512,
		.digest =
			"a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b212"
			"3af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26",
	},
	{
		.origin = "NIST example HMAC_SHA3-512, sample 1",
		.alg = ACCEL_HW_AUTH_SHA3_512_HMAC,
		.key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122"
			"232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3c626c6f636b6c656e",
		.digest =
			"4efd629d6c71bf86162658f29943b1c308ce27cdfa6db0d9c3ce81763f9cbce5f7ebe9"
			"868031db1a8f8eb7b6b95e5c5e3f657a8996c86a2f6527e307f0213196",
	},
	{
		.origin = "NIST example HMAC_SHA3-512, sample 2",
		.alg = ACCEL_HW_AUTH_SHA3_512_HMAC,
		.key =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122"
			"232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445"
			"4647",
		.in = "53616d706c65206d65737361676520666f72206b65796c656e3d626c6f636b6c656e",
		.digest =
			"544e257ea2a3e5ea19a590e6a24b724ce6327757723fe2751b75bf007d80f6b360744b"
			"f1b7a88ea585f9765b47911976d3191cf83c039f5ffab0d29cc9d9b6da",
	},
	{
		.origin = "GB/T 32905-2016 A.1",
		.alg = ACCEL_HW_AUTH_SM3,
		.in = "616263",
		.digest = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
	},
	{
		.origin = "RFC 3566 test case 1",
		.alg = ACCEL_HW_AUTH_AES_XCBC_MAC,
		.key = "000102030405060708090a0b0c0d0e0f",
		.digest = "75f0251d528ac01c4573dfd584d79f29",
	},
	{
		.origin = "RFC 3566 test case 1, AES-XCBC-MAC-96",
		.alg = ACCEL_HW_AUTH_AES_XCBC_MAC,
		.key = "000102030405060708090a0b0c0d0e0f",
		.digest = "75f0251d528ac01c4573dfd5",
	},
	{
		.origin = "SP 800-38B D.1 example 1",
		.alg = ACCEL_HW_AUTH_AES_CMAC,
		.key = "2b7e151628aed2a6abf7158809cf4f3c",
		.digest = "bb1d6929e95937287fa37d129b756746",
	},
	{
		.origin = "SP 800-38B D.2 example 5",
		.alg = ACCEL_HW_AUTH_AES_CMAC,
		.key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.digest = "d17ddf46adaacde531cac483de7a9367",
	},
	{
		.origin = "SP 800-38B D.3 example 9",
		.alg = ACCEL_HW_AUTH_AES_CMAC,
		.key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.digest = "028962f61b7bf89efc6b551f4667d983",
	},
	{
		.origin = "TS 35.217 5 test set 4",
		.alg = ACCEL_HW_AUTH_SNOW3G_UIA2,
		.key = "c736c6aab22bfff91e2698d2e22ad57e",
		.iv = "14793e410397e8fd94793e41039768fd",
		.in =
			"d0a7d463df9fb2b278833fa02e235aa172bd970c1473e12907fb648b6599aaa0b24a03"
			"8665422b20a499276a50427009",
		.digest = "38b554c0",
	},
	{
		.origin = "TS 35.203 5 test set 1",
		.alg = ACCEL_HW_AUTH_KASUMI_F9,
		.key = "2bd6459f82c5b300952c49104881ff48",
		.in = "38a6f05605d2ec496b227737296f393c8079353edc87e2e805d2ec49a4f2d8e2",
		.digest = "f63bd72c",
	},
	{
		.origin = "ZUC-256 test vectors, zeros, 400 bits",
		.alg = ACCEL_HW_AUTH_ZUC_EIA3,
		.key = "0000000000000000000000000000000000000000000000000000000000000000",
		.iv = "00000000000000000000000000000000000000000000000000",
		.in =
			"0000000000000000000000000000000000000000000000000000000000000000000000"
			"000000000000000000000000000000",
		.digest = "9b972a74",
	},
	{
		.origin = "ZUC-256 test vectors, zeros, 400 bits, MAC of 64",
		.alg = ACCEL_HW_AUTH_ZUC_EIA3,
		.key = "0000000000000000000000000000000000000000000000000000000000000000",
		.iv = "00000000000000000000000000000000000000000000000000",
		.in =
			"0000000000000000000000000000000000000000000000000000000000000000000000"
			"000000000000000000000000000000",
		.digest = "673e54990034d38c",
	},
	{
		.origin = "ZUC-256 test vectors, zeros, 400 bits, MAC of 128",
		.alg = ACCEL_HW_AUTH_ZUC_EIA3,
		.key = "0000000000000000000000000000000000000000000000000000000000000000",
		.iv = "00000000000000000000000000000000000000000000000000",
		.in =
			"0000000000000000000000000000000000000000000000000000000000000000000000"
			"000000000000000000000000000000",
		.digest = "d85e54bbcb9600967084c952a1654b26",
	},
	{
		.origin = "data of TS 35.223 5 test set 3, 576 bits, by the tests' reference",
		.alg = ACCEL_HW_AUTH_ZUC_EIA3,
		.key = "c9e6cec4607c72db000aefa88385ab0a",
		.iv = "a94059da50000000294059da50008000",
		.in =
			"983b41d47d780c9e1ad11d7eb70391b1de0b35da2dc62f83e7b78d6306ca0ea07e941b"
			"7be91348f9fcb170e2217fecd97f9f68adb16e5d7d21e569d280ed775cebde3f4093c5"
			"3881",
		.digest = "8e48c7d5",
	},
	{
		.origin = "NIST CAVP GCM, PTlen 0, AES-128",
		.alg = ACCEL_HW_AUTH_AES_GMAC,
		.key = "77be63708971c4e240d1cb79e8d77feb",
		.iv = "e0e00f19fed7ba0136a797f3",
		.in = "7a43ec1d9c0a5a78a0b16533a6213cab",
		.digest = "209fcc8d3675ed938e9c7166709dd946",
	},
	{
		.origin = "IEEE 802.1AE C.1.2, 54-byte packet, AES-256",
		.alg = ACCEL_HW_AUTH_AES_GMAC,
		.key = "e3c08a8f06c6e3ad95a70557b23f75483ce33021a9c72b7025666204c69c0b72",
		.iv = "12153524c0895e81b2c28465",
		.in =
			"d609b1f056637a0d46df998d88e5222ab2c2846512153524c0895e8108000f10111213"
			"1415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f30313233340001",
		.digest = "2f0bc5af409e06d609ea8b7d0fa5ea50",
	},
	{
		.origin = "intel-ipsec-mb, snow5g_nia4_test.json, test 2",
		.alg = ACCEL_HW_AUTH_SNOW5G_NIA4,
		.key = "0100000000000000000000000000000000000000000000000000000000000000",
		.iv = "301c1112131415168000000100000000",
		.in = "0102030405060708090a0b0c0d0e0f101112",
		.digest = "bd58ee933bc2",
	},
	{
		.origin = "intel-ipsec-mb, snow5g_nia4_test.json, test 6",
		.alg = ACCEL_HW_AUTH_SNOW5G_NIA4,
		.key = "64e7f9a3ef617d7e6cff9f64191c1fa35c953230a62282999ee6773a7c44b5b4",
		.iv = "80282923be84e16c37ab2e7f00000000",
		.in =
			"f69e7d49dcad4f14f2444066d06bc430b7323ba122f622919de18b1fdab0ca9902b972"
			"9d492c807ebf3811ac9421580c19e6537fd1cac60bbc9bd49a2c3a6f9fd45813fc227e"
			"b424cf50f57cb4129a08df6b4043e6694b4e7bc6214d416a960fde30a6ed52ed6af487"
			"af454628425fbdb7f954d2da",
		.digest = "1f45bec7876fe9b84e3d2a54b1486dcb",
	},
	{
		.origin = "intel-ipsec-mb, aes_nia5_test.json, test 2",
		.alg = ACCEL_HW_AUTH_AES_NIA5,
		.key = "0100000000000000000000000000000000000000000000000000000000000000",
		.iv = "301c1112131415168000000100000000",
		.in = "0102030405060708090a0b0c0d0e0f101112",
		.digest = "c162ae8998b6",
	},
	{
		.origin = "intel-ipsec-mb, aes_nia5_test.json, test 6",
		.alg = ACCEL_HW_AUTH_AES_NIA5,
		.key = "64e7f9a3ef617d7e6cff9f64191c1fa35c953230a62282999ee6773a7c44b5b4",
		.iv = "80282923be84e16c37ab2e7f00000000",
		.in =
			"f69e7d49dcad4f14f2444066d06bc430b7323ba122f622919de18b1fdab0ca9902b972"
			"9d492c807ebf3811ac9421580c19e6537fd1cac60bbc9bd49a2c3a6f9fd45813fc227e"
			"b424cf50f57cb4129a08df6b4043e6694b4e7bc6214d416a960fde30a6ed52ed6af487"
			"af454628425fbdb7f954d2da",
		.digest = "0c1ad0b8934721e735687a619b574480",
	},
	{
		.origin = "intel-ipsec-mb, zuc_nia6_test.json, test 2",
		.alg = ACCEL_HW_AUTH_ZUC_NIA6,
		.key = "0100000000000000000000000000000000000000000000000000000000000000",
		.iv = "301c1112131415168000000100000000",
		.in = "0102030405060708090a0b0c0d0e0f101112",
		.digest = "961976e0cfc7",
	},
	{
		.origin = "intel-ipsec-mb, zuc_nia6_test.json, test 6",
		.alg = ACCEL_HW_AUTH_ZUC_NIA6,
		.key = "64e7f9a3ef617d7e6cff9f64191c1fa35c953230a62282999ee6773a7c44b5b4",
		.iv = "80282923be84e16c37ab2e7f00000000",
		.in =
			"f69e7d49dcad4f14f2444066d06bc430b7323ba122f622919de18b1fdab0ca9902b972"
			"9d492c807ebf3811ac9421580c19e6537fd1cac60bbc9bd49a2c3a6f9fd45813fc227e"
			"b424cf50f57cb4129a08df6b4043e6694b4e7bc6214d416a960fde30a6ed52ed6af487"
			"af454628425fbdb7f954d2da",
		.digest = "943dffe6b2aeec3504896726db2dad9c",
	},
};

const unsigned int known_auth_nb = sizeof(known_auth) / sizeof(known_auth[0]);
