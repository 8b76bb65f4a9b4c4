/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * This file has published vectors of ciphers and of chains with HMAC. Each names its origin. Bytes
 * are in hex.
 */

#include "kat.h"

const struct e2e_kat e2e_kat_cipher[] = {
	{
		.origin = "RFC 2410 2.1: NULL(b) = I(b) = b",
		.group = "null",
		.cipher = RTE_CRYPTO_CIPHER_NULL,
		.key = "",
		.iv = "",
		.in = "31323334353637383930616263646566",
		.out = "31323334353637383930616263646566",
	},
	{
		.origin = "SP 800-38A F.1.1 ECB-AES128",
		.group = "aes-ecb",
		.cipher = RTE_CRYPTO_CIPHER_AES_ECB,
		.key = "2b7e151628aed2a6abf7158809cf4f3c",
		.iv = "",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf43b1cd7f"
			"598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
	},
	{
		.origin = "SP 800-38A F.2.1 CBC-AES128",
		.group = "aes-cbc",
		.cipher = RTE_CRYPTO_CIPHER_AES_CBC,
		.key = "2b7e151628aed2a6abf7158809cf4f3c",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b273bed6b8"
			"e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
	},
	{
		.origin = "SP 800-38A F.5.1 CTR-AES128",
		.group = "aes-ctr",
		.cipher = RTE_CRYPTO_CIPHER_AES_CTR,
		.key = "2b7e151628aed2a6abf7158809cf4f3c",
		.iv = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3e"
			"dbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
	},
	{
		.origin = "SP 800-38A F.1.3 ECB-AES192",
		.group = "aes-ecb",
		.cipher = RTE_CRYPTO_CIPHER_AES_ECB,
		.key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.iv = "",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eefef7afd22"
			"70e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
	},
	{
		.origin = "SP 800-38A F.2.3 CBC-AES192",
		.group = "aes-cbc",
		.cipher = RTE_CRYPTO_CIPHER_AES_CBC,
		.key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a571b2420"
			"12fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
	},
	{
		.origin = "SP 800-38A F.5.3 CTR-AES192",
		.group = "aes-ctr",
		.cipher = RTE_CRYPTO_CIPHER_AES_CTR,
		.key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.iv = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e941e36b26b"
			"d1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
	},
	{
		.origin = "SP 800-38A F.1.5 ECB-AES256",
		.group = "aes-ecb",
		.cipher = RTE_CRYPTO_CIPHER_AES_ECB,
		.key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.iv = "",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870b6ed21b9"
			"9ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7",
	},
	{
		.origin = "SP 800-38A F.2.5 CBC-AES256",
		.group = "aes-cbc",
		.cipher = RTE_CRYPTO_CIPHER_AES_CBC,
		.key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d39f23369"
			"a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
	},
	{
		.origin = "SP 800-38A F.5.5 CTR-AES256",
		.group = "aes-ctr",
		.cipher = RTE_CRYPTO_CIPHER_AES_CTR,
		.key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.iv = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46"
			"a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c52b0930da"
			"a23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
	},
	{
		.origin = "IEEE 1619-2007 B.1 vector 2",
		.group = "aes-xts",
		.cipher = RTE_CRYPTO_CIPHER_AES_XTS,
		.key = "1111111111111111111111111111111122222222222222222222222222222222",
		.iv = "33333333330000000000000000000000",
		.in = "4444444444444444444444444444444444444444444444444444444444444444",
		.out = "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0",
	},
	{
		.origin = "IEEE 1619-2007 B.1 vector 3",
		.group = "aes-xts",
		.cipher = RTE_CRYPTO_CIPHER_AES_XTS,
		.key = "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f022222222222222222222222222222222",
		.iv = "33333333330000000000000000000000",
		.in = "4444444444444444444444444444444444444444444444444444444444444444",
		.out = "af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89",
	},
	{
		.origin = "IEEE 1619-2007 B.1 vector 10",
		.group = "aes-xts",
		.cipher = RTE_CRYPTO_CIPHER_AES_XTS,
		.key =
			"271828182845904523536028747135266249775724709369995957496696762731415926"
			"53589793238462643383279502884197169399375105820974944592",
		.iv = "ff000000000000000000000000000000",
		.in =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223"
			"2425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f4041424344454647"
			"48494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b"
			"6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f"
			"909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3"
			"b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7"
			"d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafb"
			"fcfdfeff000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
			"202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f40414243"
			"4445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f6061626364656667"
			"68696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b"
			"8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
			"b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3"
			"d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7"
			"f8f9fafbfcfdfeff",
		.out =
			"1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b5d31e276"
			"f8fe4a8d66b317f9ac683f44680a86ac35adfc3345befecb4bb188fd5776926c49a3095e"
			"b108fd1098baec70aaa66999a72a82f27d848b21d4a741b0c5cd4d5fff9dac89aeba1229"
			"61d03a757123e9870f8acf1000020887891429ca2a3e7a7d7df7b10355165c8b9a6d0a7d"
			"e8b062c4500dc4cd120c0f7418dae3d0b5781c34803fa75421c790dfe1de1834f280d766"
			"7b327f6c8cd7557e12ac3a0f93ec05c52e0493ef31a12d3d9260f79a289d6a379bc70c50"
			"841473d1a8cc81ec583e9645e07b8d9670655ba5bbcfecc6dc3966380ad8fecb17b6ba02"
			"469a020a84e18e8f84252070c13e9f1f289be54fbc481457778f616015e1327a02b140f1"
			"505eb309326d68378f8374595c849d84f4c333ec4423885143cb47bd71c5edae9be69a2f"
			"feceb1bec9de244fbe15992b11b77c040f12bd8f6a975a44a0f90c29a9abc3d4d8939272"
			"84c58754cce294529f8614dcd2aba991925fedc4ae74ffac6e333b93eb4aff0479da9a41"
			"0e4450e0dd7ae4c6e2910900575da401fc07059f645e8b7e9bfdef33943054ff84011493"
			"c27b3429eaedb4ed5376441a77ed43851ad77f16f541dfd269d50d6a5f14fb0aab1cbb4c"
			"1550be97f7ab4066193c4caa773dad38014bd2092fa755c824bb5e54c4f36ffda9fcea70"
			"b9c6e693e148c151",
	},
	{
		.origin = "FIPS 81 table C1, CBC",
		.group = "des-cbc",
		.cipher = RTE_CRYPTO_CIPHER_DES_CBC,
		.key = "0123456789abcdef",
		.iv = "1234567890abcdef",
		.in = "4e6f77206973207468652074696d6520666f7220616c6c20",
		.out = "e5c7cdde872bf27c43e934008c389c0f683788499a7c05f6",
	},
	{
		.origin = "SP 800-67 B.1",
		.group = "3des-ecb",
		.cipher = RTE_CRYPTO_CIPHER_3DES_ECB,
		.key = "0123456789abcdef23456789abcdef01456789abcdef0123",
		.iv = "",
		.in = "54686520717566636b2062726f776e20666f78206a756d70",
		.out = "a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900",
	},
	{
		.origin = "NIST example TDES_ECB, three keys",
		.group = "3des-ecb",
		.cipher = RTE_CRYPTO_CIPHER_3DES_ECB,
		.key = "0123456789abcdef23456789abcdef01456789abcdef0123",
		.iv = "",
		.in = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
		.out = "714772f339841d34267fcc4bd2949cc3ee11c22a576a303876183f99c0b6de87",
	},
	{
		.origin = "NIST example TDES_CBC, three keys",
		.group = "3des-cbc",
		.cipher = RTE_CRYPTO_CIPHER_3DES_CBC,
		.key = "0123456789abcdef23456789abcdef01456789abcdef0123",
		.iv = "f69f2445df4f9b17",
		.in = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
		.out = "2079c3d53aa763e193b79e2569ab5262516570481f25b50f73c0bda85c8e0da7",
	},
	{
		.origin = "RFC 7518 B.1 AES_128_CBC_HMAC_SHA_256",
		.group = "chain",
		.cipher = RTE_CRYPTO_CIPHER_AES_CBC,
		.auth = RTE_CRYPTO_AUTH_SHA256_HMAC,
		.key = "101112131415161718191a1b1c1d1e1f",
		.auth_key = "000102030405060708090a0b0c0d0e0f",
		.iv = "1af38c2dc2b96ffdd86694092341bc04",
		.in =
			"546865207365636f6e64207072696e6369706c65206f662041756775737465204b657263"
			"6b686f6666731af38c2dc2b96ffdd86694092341bc044120636970686572207379737465"
			"6d206d757374206e6f7420626520726571756972656420746f206265207365637265742c"
			"20616e64206974206d7573742062652061626c6520746f2066616c6c20696e746f207468"
			"652068616e6473206f662074686520656e656d7920776974686f757420696e636f6e7665"
			"6e69656e6365101010101010101010101010101010100000000000000150",
		.out =
			"546865207365636f6e64207072696e6369706c65206f662041756775737465204b657263"
			"6b686f6666731af38c2dc2b96ffdd86694092341bc04c80edfa32ddf39d5ef00c0b46883"
			"4279a2e46a1b8049f792f76bfe54b903a9c9a94ac9b47ad2655c5f10f9aef71427e2fc6f"
			"9b3f399a221489f16362c703233609d45ac69864e3321cf82935ac4096c86e133314c540"
			"19e8ca7980dfa4b9cf1b384c486f3a54c51078158ee5d79de59fbd34d848b3d69550a676"
			"46344427ade54b8851ffb598f7f80074b9473c82e2db0000000000000150",
		.digest = "652c3fa36b0a7c5b3219fab3a30bc1c4",
		.c_off = 58,
		.c_len = 144,
	},
	{
		.origin = "RFC 7518 B.2 AES_192_CBC_HMAC_SHA_384",
		.group = "chain",
		.cipher = RTE_CRYPTO_CIPHER_AES_CBC,
		.auth = RTE_CRYPTO_AUTH_SHA384_HMAC,
		.key = "18191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f",
		.auth_key = "000102030405060708090a0b0c0d0e0f1011121314151617",
		.iv = "1af38c2dc2b96ffdd86694092341bc04",
		.in =
			"546865207365636f6e64207072696e6369706c65206f662041756775737465204b657263"
			"6b686f6666731af38c2dc2b96ffdd86694092341bc044120636970686572207379737465"
			"6d206d757374206e6f7420626520726571756972656420746f206265207365637265742c"
			"20616e64206974206d7573742062652061626c6520746f2066616c6c20696e746f207468"
			"652068616e6473206f662074686520656e656d7920776974686f757420696e636f6e7665"
			"6e69656e6365101010101010101010101010101010100000000000000150",
		.out =
			"546865207365636f6e64207072696e6369706c65206f662041756775737465204b657263"
			"6b686f6666731af38c2dc2b96ffdd86694092341bc04ea65da6b59e61edb419be62d1971"
			"2ae5d303eeb50052d0dfd6697f77224c8edb000d279bdc14c1072654bd30944230c657be"
			"d4ca0c9f4a8466f22b226d1746214bf8cfc2400add9f5126e479663fc90b3bed787a2f0f"
			"fcbf3904be2a641d5c2105bfe591bae23b1d7449e532eef60a9ac8bb6c6b01d35d49787b"
			"cd57ef484927f280adc91ac0c4e79c7b11efc60054e30000000000000150",
		.digest = "8490ac0e58949bfe51875d733f93ac2075168039ccc733d7",
		.c_off = 58,
		.c_len = 144,
	},
	{
		.origin = "RFC 7518 B.3 AES_256_CBC_HMAC_SHA_512",
		.group = "chain",
		.cipher = RTE_CRYPTO_CIPHER_AES_CBC,
		.auth = RTE_CRYPTO_AUTH_SHA512_HMAC,
		.key = "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
		.auth_key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		.iv = "1af38c2dc2b96ffdd86694092341bc04",
		.in =
			"546865207365636f6e64207072696e6369706c65206f662041756775737465204b657263"
			"6b686f6666731af38c2dc2b96ffdd86694092341bc044120636970686572207379737465"
			"6d206d757374206e6f7420626520726571756972656420746f206265207365637265742c"
			"20616e64206974206d7573742062652061626c6520746f2066616c6c20696e746f207468"
			"652068616e6473206f662074686520656e656d7920776974686f757420696e636f6e7665"
			"6e69656e6365101010101010101010101010101010100000000000000150",
		.out =
			"546865207365636f6e64207072696e6369706c65206f662041756775737465204b657263"
			"6b686f6666731af38c2dc2b96ffdd86694092341bc044affaaadb78c31c5da4b1b590d10"
			"ffbd3dd8d5d302423526912da037ecbcc7bd822c301dd67c373bccb584ad3e9279c2e6d1"
			"2a1374b77f077553df829410446b36ebd97066296ae6427ea75c2e0846a11a09ccf5370d"
			"c80bfecbad28c73f09b3a3b75e662a2594410ae496b2e2e6609e31e6e02cc837f053d21f"
			"37ff4f51950bbe2638d09dd7a4930930806d0703b1f60000000000000150",
		.digest = "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5",
		.c_off = 58,
		.c_len = 144,
	},
	{
		.origin = "NIST example TDES_CTR, three keys",
		.group = "3des-ctr",
		.cipher = RTE_CRYPTO_CIPHER_3DES_CTR,
		.key = "0123456789abcdef23456789abcdef01456789abcdef0123",
		.iv = "f69f2445df4f9b17",
		.in = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
		.out = "078bb74e59ce7ed619aa11d25004fb65a03cedf1ba0b09baa3bc81b8f69c1da9",
	},
	{
		.origin = "GB/T 32907-2016 A.1",
		.group = "sm4-ecb",
		.cipher = RTE_CRYPTO_CIPHER_SM4_ECB,
		.key = "0123456789abcdeffedcba9876543210",
		.iv = "",
		.in = "0123456789abcdeffedcba9876543210",
		.out = "681edf34d206965e86b3e94f536e4246",
	},
	{
		.origin = "draft-ribose-cfrg-sm4 A.2.1.1",
		.group = "sm4-ecb",
		.cipher = RTE_CRYPTO_CIPHER_SM4_ECB,
		.key = "0123456789abcdeffedcba9876543210",
		.iv = "",
		.in = "aaaaaaaabbbbbbbbccccccccddddddddeeeeeeeeffffffffaaaaaaaabbbbbbbb",
		.out = "5ec8143de509cff7b5179f8f474b86192f1d305a7fb17df985f81c8482192304",
	},
	{
		.origin = "draft-ribose-cfrg-sm4 A.2.2.1",
		.group = "sm4-cbc",
		.cipher = RTE_CRYPTO_CIPHER_SM4_CBC,
		.key = "0123456789abcdeffedcba9876543210",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in = "aaaaaaaabbbbbbbbccccccccddddddddeeeeeeeeffffffffaaaaaaaabbbbbbbb",
		.out = "78ebb11cc40b0a48312aaeb2040244cb4cb7016951909226979b0d15dc6a8f6d",
	},
	{
		.origin = "draft-ribose-cfrg-sm4 A.2.5.1",
		.group = "sm4-ctr",
		.cipher = RTE_CRYPTO_CIPHER_SM4_CTR,
		.key = "0123456789abcdeffedcba9876543210",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in =
			"aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccddddddddddddddddeeeeeeee"
			"eeeeeeeeffffffffffffffffaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb",
		.out =
			"ac3236cb970cc20791364c395a1342d1a3cbc1878c6f30cd074cce385cdd70c7f234bc0e"
			"24c11980fd1286310ce37b926e02fcd0faa0baf38b2933851d824514",
	},
	{
		.origin = "CM-SP-SECv3.1 I.7 data, AES-128, residual block only",
		.group = "aes-docsis-bpi",
		.cipher = RTE_CRYPTO_CIPHER_AES_DOCSISBPI,
		.key = "e6600fd8852ef5abe6600fd8852ef5ab",
		.iv = "810e528e1c5fda1a810e528e1c5fda1a",
		.in = "00010288ee597e",
		.out = "fc68a3556037dc",
	},
	{
		.origin = "CM-SP-SECv3.1 I.7 data, AES-128, residual block at end",
		.group = "aes-docsis-bpi",
		.cipher = RTE_CRYPTO_CIPHER_AES_DOCSISBPI,
		.key = "e6600fd8852ef5abe6600fd8852ef5ab",
		.iv = "810e528e1c5fda1a810e528e1c5fda1a",
		.in = "000102030405060708090a0b0c0d0e91d2d19f",
		.out = "9dd1674bba61101b56756474364f101d44d473",
	},
	{
		.origin = "SP 800-38A F.2.1, no residual block",
		.group = "aes-docsis-bpi",
		.cipher = RTE_CRYPTO_CIPHER_AES_DOCSISBPI,
		.key = "2b7e151628aed2a6abf7158809cf4f3c",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
		.out = "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2",
	},
	{
		.origin = "CM-SP-SECv3.1 I.7 data, AES-256, residual block only",
		.group = "aes-docsis-bpi",
		.cipher = RTE_CRYPTO_CIPHER_AES_DOCSISBPI,
		.key = "e6600fd8852ef5abe6600fd8852ef5abe6600fd8852ef5abe6600fd8852ef5ab",
		.iv = "810e528e1c5fda1a810e528e1c5fda1a",
		.in = "00010288ee597e",
		.out = "e375f2301f759a",
	},
	{
		.origin = "CM-SP-SECv3.1 I.7 data, AES-256, residual block at end",
		.group = "aes-docsis-bpi",
		.cipher = RTE_CRYPTO_CIPHER_AES_DOCSISBPI,
		.key = "e6600fd8852ef5abe6600fd8852ef5abe6600fd8852ef5abe6600fd8852ef5ab",
		.iv = "810e528e1c5fda1a810e528e1c5fda1a",
		.in = "000102030405060708090a0b0c0d0e91d2d19f",
		.out = "d128731fb528b518ab51abc8983dd1eee44359",
	},
	{
		.origin = "CM-SP-SECv3.1 I.7, DES, no residual block",
		.group = "des-docsis-bpi",
		.cipher = RTE_CRYPTO_CIPHER_DES_DOCSISBPI,
		.key = "e6600fd8852ef5ab",
		.iv = "810e528e1c5fda1a",
		.in = "000102030405060708090a0b88416506",
		.out = "0dda5acbd05e55679f04d1b6413d4eed",
	},
	{
		.origin = "CM-SP-SECv3.1 I.7, DES, residual block only",
		.group = "des-docsis-bpi",
		.cipher = RTE_CRYPTO_CIPHER_DES_DOCSISBPI,
		.key = "e6600fd8852ef5ab",
		.iv = "810e528e1c5fda1a",
		.in = "00010288ee597e",
		.out = "1786a803a08575",
	},
	{
		.origin = "CM-SP-SECv3.1 I.7, DES, residual block at end",
		.group = "des-docsis-bpi",
		.cipher = RTE_CRYPTO_CIPHER_DES_DOCSISBPI,
		.key = "e6600fd8852ef5ab",
		.iv = "810e528e1c5fda1a",
		.in = "000102030405060708090a0b0c0d0e91d2d19f",
		.out = "0dda5acbd05e5567514746868a71e577efac88",
	},
	{
		.origin = "TS 35.217 4 test set 1, 792 of 798 bits",
		.group = "snow3g-uea2",
		.cipher = RTE_CRYPTO_CIPHER_SNOW3G_UEA2,
		.key = "2bd6459f82c5b300952c49104881ff48",
		.iv = "72a4f20f6400000072a4f20f64000000",
		.in =
			"7ec61272743bf1614726446a6c38ced166f6ca76eb5430044286346cef130f92922b0345"
			"0d3a9975e5bd2ea0eb55ad8e1b199e3ec4316020e9a1b285e762795359b7bdfd39bef4b2"
			"484583d5afe082aee638bf5fd5a606193901a08f4ab41aab9b1348",
		.out =
			"8ceba62943dced3a0990b06ea1b0a2c4fb3cedc71b369f42ba64c1eb6665e72aa1c9bb0d"
			"eaa20fe86058b8baee2c2e7f0becce48b52932a53c9d5f931a3a7c532259af4325e2a65e"
			"3084ad5f6a513b7bddc1b65f0aa0d97a053db55a88c4c4f9605e41",
	},
	{
		.origin = "TS 35.217 4 test set 2, 504 of 510 bits",
		.group = "snow3g-uea2",
		.cipher = RTE_CRYPTO_CIPHER_SNOW3G_UEA2,
		.key = "efa8b2229e720c2a7c36ea55e9605695",
		.iv = "e28bcf7bc0000000e28bcf7bc0000000",
		.in =
			"10111231e060253a43fd3f57e37607ab2827b599b6b1bbda37a8abcc5a8c550d1bfb2f49"
			"4624fb50367fa36ce3bc68f11cf93b1510376b02130f812a9fa169",
		.out =
			"e0da15ca8e2554f5e56c9468dc6c7c129c568aa5032317e04e0729646cabefa689864c41"
			"0f24f919e61e3dfdfad77e560db0a9cd36c34ae4181490b29f5fa2",
	},
	{
		.origin = "TS 35.217 4 test set 3",
		.group = "snow3g-uea2",
		.cipher = RTE_CRYPTO_CIPHER_SNOW3G_UEA2,
		.key = "5acb1d644c0d51204ea5f1451010d852",
		.iv = "fa556b261c000000fa556b261c000000",
		.in = "ad9c441f890b38c457a49d421407e8",
		.out = "ba0f31300334c56b52a7497cbac046",
	},
	{
		.origin = "TS 35.217 4 test set 4, 248 of 253 bits",
		.group = "snow3g-uea2",
		.cipher = RTE_CRYPTO_CIPHER_SNOW3G_UEA2,
		.key = "d3c5d592327fb11c4035c6680af8c6d1",
		.iv = "398a59b42c000000398a59b42c000000",
		.in = "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1",
		.out = "989b719cdc33ceb7cf276a52827cef94a56c40c0ab9d81f7a2a9bac60e11c4",
	},
	{
		.origin = "TS 35.217 4 test set 5, 832 of 837 bits",
		.group = "snow3g-uea2",
		.cipher = RTE_CRYPTO_CIPHER_SNOW3G_UEA2,
		.key = "6090eae04c83706eecbf652be8e36566",
		.iv = "72a4f20f4800000072a4f20f48000000",
		.in =
			"40981ba6824c1bfb4286b299783daf442c099f7ab0f58d5c8e46b104f08f01b41ab48547"
			"2029b71d36bd1a3d90dc3a41b46d51672ac4c9663a2be063da4bc8d2808ce33e2cccbfc6"
			"34e1b259060876a0fbb5a437ebcc8d31c19e4454318745e3987645987a986f2c",
		.out =
			"5892bba88bbbcaaeae769aa06b683d3a17cc04a369881697435e44fed5ff9af57b9e890d"
			"4d5c64709885d48ae40690ec043baae9705796e4a9ff5a4b8d8b36d7f3fe57cc6cfd6cd0"
			"05cd3852a85e94ce6bcd90d0d07839ce09733544ca8e350843248550922ac128",
	},
	{
		.origin = "TS 35.203 4 test set 1, 792 of 798 bits",
		.group = "kasumi-f8",
		.cipher = RTE_CRYPTO_CIPHER_KASUMI_F8,
		.key = "2bd6459f82c5b300952c49104881ff48",
		.iv = "72a4f20f64000000",
		.in =
			"7ec61272743bf1614726446a6c38ced166f6ca76eb5430044286346cef130f92922b0345"
			"0d3a9975e5bd2ea0eb55ad8e1b199e3ec4316020e9a1b285e762795359b7bdfd39bef4b2"
			"484583d5afe082aee638bf5fd5a606193901a08f4ab41aab9b1348",
		.out =
			"d1e2de70eef86c6964fb542bc2d460aabfaa10a4a093262b7d199e706fc2d48915532969"
			"10f3a973012682e41c4e2b02be2017b7253bbf9309de5819cb42e81956f4c99bc9765caf"
			"53b1d0bb8279826adbbc5522e915c120a618a5a7f5e89708933965",
	},
	{
		.origin = "TS 35.203 4 test set 2, 504 of 510 bits",
		.group = "kasumi-f8",
		.cipher = RTE_CRYPTO_CIPHER_KASUMI_F8,
		.key = "efa8b2229e720c2a7c36ea55e9605695",
		.iv = "e28bcf7bc0000000",
		.in =
			"10111231e060253a43fd3f57e37607ab2827b599b6b1bbda37a8abcc5a8c550d1bfb2f49"
			"4624fb50367fa36ce3bc68f11cf93b1510376b02130f812a9fa169",
		.out =
			"3deacc7c15821caa89eecade9b5bd3614bd0c8419d710385ddbe5849ef1bac5ae8b14a5b"
			"0a6741521eb4e00bb9ecf3e9f7ccb9cae74152d7f4e2a034b6ea00",
	},
	{
		.origin = "TS 35.203 4 test set 3",
		.group = "kasumi-f8",
		.cipher = RTE_CRYPTO_CIPHER_KASUMI_F8,
		.key = "5acb1d644c0d51204ea5f1451010d852",
		.iv = "fa556b261c000000",
		.in = "ad9c441f890b38c457a49d421407e8",
		.out = "9bc92ca803c67b28a11a4bee5a0c25",
	},
	{
		.origin = "TS 35.203 4 test set 4, 248 of 253 bits",
		.group = "kasumi-f8",
		.cipher = RTE_CRYPTO_CIPHER_KASUMI_F8,
		.key = "d3c5d592327fb11c4035c6680af8c6d1",
		.iv = "398a59b42c000000",
		.in = "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1",
		.out = "5bb9431bb1e98bd11b93db7c3d45136559bb86a295aa204ecbebf6f7a51015",
	},
	{
		.origin = "TS 35.203 4 test set 5, 832 of 837 bits",
		.group = "kasumi-f8",
		.cipher = RTE_CRYPTO_CIPHER_KASUMI_F8,
		.key = "6090eae04c83706eecbf652be8e36566",
		.iv = "72a4f20f48000000",
		.in =
			"40981ba6824c1bfb4286b299783daf442c099f7ab0f58d5c8e46b104f08f01b41ab48547"
			"2029b71d36bd1a3d90dc3a41b46d51672ac4c9663a2be063da4bc8d2808ce33e2cccbfc6"
			"34e1b259060876a0fbb5a437ebcc8d31c19e4454318745e3987645987a986f2c",
		.out =
			"ddb364dd2aaec24dff291957b78bad063ac579cd9041babe89fd195c0578cb9fde421756"
			"6178d20240206d07cfa619ec059f63514459fc10d42dc9934e56ebc0cbc60d4d2df17477"
			"4cbdcd5da4a350317a7f12e1949471f8a295f272e68fc07159b07d8e2d26e459",
	},
	{
		.origin = "TS 35.223 4 test set 1, 192 of 193 bits",
		.group = "zuc-eea3",
		.cipher = RTE_CRYPTO_CIPHER_ZUC_EEA3,
		.key = "173d14ba5003731d7a60049470f00a29",
		.iv = "66035492780000006603549278000000",
		.in = "6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b2",
		.out = "a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc8",
	},
	{
		.origin = "TS 35.223 4 test set 2",
		.group = "zuc-eea3",
		.cipher = RTE_CRYPTO_CIPHER_ZUC_EEA3,
		.key = "e5bd3ea0eb55ade866c6ac58bd54302a",
		.iv = "00056823c400000000056823c4000000",
		.in =
			"14a8ef693d678507bbe7270a7f67ff5006c3525b9807e467c4e56000ba338f5d42955903"
			"6751822246c80d3b38f07f4be2d8ff5805f5132229bde93bbbdcaf382bf1ee972fbf9977"
			"bada8945847a2a6c9ad34a667554e04d1f7fa2c33241bd8f01ba220d",
		.out =
			"131d43e0dea1be5c5a1bfd971d852cbf712d7b4f57961fea3208afa8bca433f456ad09c7"
			"417e58bc69cf8866d1353f74865e80781d202dfb3ecff7fcbc3b190fe82a204ed0e350fc"
			"0f6f2613b2f2bca6df5a473a57a4a00d985ebad880d6f23864a07b01",
	},
	{
		.origin = "TS 35.223 4 test set 3, 1568 of 1570 bits",
		.group = "zuc-eea3",
		.cipher = RTE_CRYPTO_CIPHER_ZUC_EEA3,
		.key = "d4552a8fd6e61cc81a2009141a29c10b",
		.iv = "76452ec11400000076452ec114000000",
		.in =
			"38f07f4be2d8ff5805f5132229bde93bbbdcaf382bf1ee972fbf9977bada8945847a2a6c"
			"9ad34a667554e04d1f7fa2c33241bd8f01ba220d3ca4ec41e074595f54ae2b454fd97143"
			"2043601965cca85c2417ed6cbec3bada84fc8a579aea7837b0271177242a64dc0a9de71a"
			"8edee86ca3d47d033d6bf539804eca86c584a9052de46ad3fced65543bd90207372b27af"
			"b79234f5ff43ea870820e2c2b78a8aae61cce52a0515e348d196664a3456b182a07c406e"
			"4a20791271cfeda165d535ec5ea2d4df",
		.out =
			"8383b0229fcc0b9d2295ec41c977e9c2bb72e220378141f9c8318f3a270dfbcdee6411c2"
			"b3044f176dc6e00f8960f97afacd131ad6a3b49b16b7babcf2a509ebb16a75dcab14ff27"
			"5dbeeea1a2b155f9d52c26452d0187c310a4ee55beaa78ab4024615ba9f5d5adc7728f73"
			"560671f013e5e550085d3291df7d5fecedded559641b6c2f585233bc71e9602bd2305855"
			"bbd25ffa7f17ecbc042daae38c1f57ad8e8ebd37346f71befdbb7432e0e0bb2cfc09bcd9"
			"6570cb0c0c39df5e29294e82703a637f",
	},
	{
		.origin = "ZUC-256 test vectors, key and IV of zeros",
		.group = "zuc-eea3",
		.cipher = RTE_CRYPTO_CIPHER_ZUC_EEA3,
		.key = "0000000000000000000000000000000000000000000000000000000000000000",
		.iv = "00000000000000000000000000000000000000000000000000",
		.in =
			"000000000000000000000000000000000000000000000000000000000000000000000000"
			"000000000000000000000000000000000000000000000000000000000000000000000000"
			"0000000000000000",
		.out =
			"58d03ad62e032ce2dafc683a39bdcb0352a2bc67f1b7de74163ce3a101ef55589639d75b"
			"95fa681b7f090df756391ccc903b7612744d544c17bc3fad8b163b0821787c0b97775bb8"
			"4943c6bbe8ad8afd",
	},
	{
		.origin = "ZUC-256 test vectors, key and IV of ones",
		.group = "zuc-eea3",
		.cipher = RTE_CRYPTO_CIPHER_ZUC_EEA3,
		.key = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		.iv = "ffffffffffffffffffffffffffffffffff3f3f3f3f3f3f3f3f",
		.in =
			"000000000000000000000000000000000000000000000000000000000000000000000000"
			"000000000000000000000000000000000000000000000000000000000000000000000000"
			"0000000000000000",
		.out =
			"3356cbaed1a1c18b6baa4ffe343f777c9e15128f251ab65b949f7b26ef7157f296dd2fa9"
			"df95e3ee7a5be02ec32ba585505af316c2f9ded27cdbd935e441ce1115fd0a80bb7aef67"
			"68989416b8fac8c2",
	},
	{
		.origin = "RFC 3686 test vector 1, nonce and IV",
		.group = "aes-ctr",
		.cipher = RTE_CRYPTO_CIPHER_AES_CTR,
		.key = "ae6852f8121067cc4bf7a5765577f39e",
		.iv = "000000300000000000000000",
		.in = "53696e676c6520626c6f636b206d7367",
		.out = "e4095d4fb7a7b3792d6175a3261311b8",
	},
	{
		.origin = "RFC 3686 test vector 2, nonce and IV",
		.group = "aes-ctr",
		.cipher = RTE_CRYPTO_CIPHER_AES_CTR,
		.key = "7e24067817fae0d743d6ce1f32539163",
		.iv = "006cb6dbc0543b59da48d90b",
		.in = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		.out = "5104a106168a72d9790d41ee8edad388eb2e1efc46da57c8fce630df9141be28",
	},
	{
		.origin = "RFC 3686 test vector 9, nonce and IV",
		.group = "aes-ctr",
		.cipher = RTE_CRYPTO_CIPHER_AES_CTR,
		.key = "ff7a617ce69148e4f1726e2f43581de2aa62d9f805532edff1eed687fb54153d",
		.iv = "001cc5b751a51d70a1c11148",
		.in =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
		.out =
			"eb6c52821d0bbbf7ce7594462aca4faab407df866569fd07f48cc0b583d6071f1ec0e6b8",
	},
	{
		.origin = "RFC 3686 test vector 9, as ipsec-secgw 22.11 names the IV",
		.group = "aes-ctr",
		.cipher = RTE_CRYPTO_CIPHER_AES_CTR,
		.key = "ff7a617ce69148e4f1726e2f43581de2aa62d9f805532edff1eed687fb54153d",
		.iv = "001cc5b751a51d70a1c1114800000001",
		.iv_named = 8,
		.in =
			"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
		.out =
			"eb6c52821d0bbbf7ce7594462aca4faab407df866569fd07f48cc0b583d6071f1ec0e6b8",
	},
};

const unsigned int e2e_nb_kat_cipher = RTE_DIM(e2e_kat_cipher);
