/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known answers of ciphers, from the documents that they name. Bytes are in hex.
 */
#include "known.h"

const struct known_answer known_cipher[] = {
	{
		.origin = "RFC 2410 2.1",
		.alg = ACCEL_HW_CIPHER_NULL,
		.in = "31323334353637383930616263646566",
		.out = "31323334353637383930616263646566",
	},
	{
		.origin = "SP 800-38A F.1.1 ECB-AES128",
		.alg = ACCEL_HW_CIPHER_AES_ECB,
		.key = "2b7e151628aed2a6abf7158809cf4f3c",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
			"46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf43b1cd"
			"7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
	},
	{
		.origin = "SP 800-38A F.2.1 CBC-AES128",
		.alg = ACCEL_HW_CIPHER_AES_CBC,
		.key = "2b7e151628aed2a6abf7158809cf4f3c",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
			"46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b273bed6"
			"b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
	},
	{
		.origin = "SP 800-38A F.5.1 CTR-AES128",
		.alg = ACCEL_HW_CIPHER_AES_CTR,
		.key = "2b7e151628aed2a6abf7158809cf4f3c",
		.iv = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
			"46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df"
			"3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
	},
	{
		.origin = "SP 800-38A F.1.3 ECB-AES192",
		.alg = ACCEL_HW_CIPHER_AES_ECB,
		.key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
			"46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eefef7afd"
			"2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
	},
	{
		.origin = "SP 800-38A F.2.3 CBC-AES192",
		.alg = ACCEL_HW_CIPHER_AES_CBC,
		.key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
			"46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a571b24"
			"2012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
	},
	{
		.origin = "SP 800-38A F.5.3 CTR-AES192",
		.alg = ACCEL_HW_CIPHER_AES_CTR,
		.key = "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		.iv = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
			"46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e941e36b2"
			"6bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
	},
	{
		.origin = "SP 800-38A F.1.5 ECB-AES256",
		.alg = ACCEL_HW_CIPHER_AES_ECB,
		.key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
			"46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870b6ed21"
			"b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7",
	},
	{
		.origin = "SP 800-38A F.2.5 CBC-AES256",
		.alg = ACCEL_HW_CIPHER_AES_CBC,
		.key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
			"46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d39f233"
			"69a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
	},
	{
		.origin = "SP 800-38A F.5.5 CTR-AES256",
		.alg = ACCEL_HW_CIPHER_AES_CTR,
		.key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		.iv = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
		.in =
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
			"46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
		.out =
			"601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c52b0930"
			"daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
	},
	{
		.origin = "IEEE 1619-2007 B.1 vector 2",
		.alg = ACCEL_HW_CIPHER_AES_XTS,
		.key = "1111111111111111111111111111111122222222222222222222222222222222",
		.iv = "33333333330000000000000000000000",
		.in = "4444444444444444444444444444444444444444444444444444444444444444",
		.out = "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0",
	},
	{
		.origin = "FIPS 81 table C1, CBC",
		.alg = ACCEL_HW_CIPHER_DES_CBC,
		.key = "0123456789abcdef",
		.iv = "1234567890abcdef",
		.in = "4e6f77206973207468652074696d6520666f7220616c6c20",
		.out = "e5c7cdde872bf27c43e934008c389c0f683788499a7c05f6",
	},
	{
		.origin = "SP 800-67 B.1",
		.alg = ACCEL_HW_CIPHER_3DES_ECB,
		.key = "0123456789abcdef23456789abcdef01456789abcdef0123",
		.in = "54686520717566636b2062726f776e20666f78206a756d70",
		.out = "a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900",
	},
	{
		.origin = "NIST example TDES_CBC, three keys",
		.alg = ACCEL_HW_CIPHER_3DES_CBC,
		.key = "0123456789abcdef23456789abcdef01456789abcdef0123",
		.iv = "f69f2445df4f9b17",
		.in = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
		.out = "2079c3d53aa763e193b79e2569ab5262516570481f25b50f73c0bda85c8e0da7",
	},
	{
		.origin = "NIST example TDES_CTR, three keys",
		.alg = ACCEL_HW_CIPHER_3DES_CTR,
		.key = "0123456789abcdef23456789abcdef01456789abcdef0123",
		.iv = "f69f2445df4f9b17",
		.in = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
		.out = "078bb74e59ce7ed619aa11d25004fb65a03cedf1ba0b09baa3bc81b8f69c1da9",
	},
	{
		.origin = "GB/T 32907-2016 A.1",
		.alg = ACCEL_HW_CIPHER_SM4_ECB,
		.key = "0123456789abcdeffedcba9876543210",
		.in = "0123456789abcdeffedcba9876543210",
		.out = "681edf34d206965e86b3e94f536e4246",
	},
	{
		.origin = "draft-ribose-cfrg-sm4 A.2.2.1",
		.alg = ACCEL_HW_CIPHER_SM4_CBC,
		.key = "0123456789abcdeffedcba9876543210",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in = "aaaaaaaabbbbbbbbccccccccddddddddeeeeeeeeffffffffaaaaaaaabbbbbbbb",
		.out = "78ebb11cc40b0a48312aaeb2040244cb4cb7016951909226979b0d15dc6a8f6d",
	},
	{
		.origin = "draft-ribose-cfrg-sm4 A.2.5.1",
		.alg = ACCEL_HW_CIPHER_SM4_CTR,
		.key = "0123456789abcdeffedcba9876543210",
		.iv = "000102030405060708090a0b0c0d0e0f",
		.in =
			"aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccddddddddddddddddeeeeee"
			"eeeeeeeeeeffffffffffffffffaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb",
		.out =
			"ac3236cb970cc20791364c395a1342d1a3cbc1878c6f30cd074cce385cdd70c7f234bc"
			"0e24c11980fd1286310ce37b926e02fcd0faa0baf38b2933851d824514",
	},
	{
		.origin = "CM-SP-SECv3.1 I.7 data, AES-128, residual block only",
		.alg = ACCEL_HW_CIPHER_AES_DOCSIS_BPI,
		.key = "e6600fd8852ef5abe6600fd8852ef5ab",
		.iv = "810e528e1c5fda1a810e528e1c5fda1a",
		.in = "00010288ee597e",
		.out = "fc68a3556037dc",
	},
	{
		.origin = "CM-SP-SECv3.1 I.7 data, AES-256, residual block only",
		.alg = ACCEL_HW_CIPHER_AES_DOCSIS_BPI,
		.key = "e6600fd8852ef5abe6600fd8852ef5abe6600fd8852ef5abe6600fd8852ef5ab",
		.iv = "810e528e1c5fda1a810e528e1c5fda1a",
		.in = "00010288ee597e",
		.out = "e375f2301f759a",
	},
	{
		.origin = "CM-SP-SECv3.1 I.7, DES, no residual block",
		.alg = ACCEL_HW_CIPHER_DES_DOCSIS_BPI,
		.key = "e6600fd8852ef5ab",
		.iv = "810e528e1c5fda1a",
		.in = "000102030405060708090a0b88416506",
		.out = "0dda5acbd05e55679f04d1b6413d4eed",
	},
	{
		.origin = "TS 35.217 4 test set 1, 792 of 798 bits",
		.alg = ACCEL_HW_CIPHER_SNOW3G_UEA2,
		.key = "2bd6459f82c5b300952c49104881ff48",
		.iv = "72a4f20f6400000072a4f20f64000000",
		.in =
			"7ec61272743bf1614726446a6c38ced166f6ca76eb5430044286346cef130f92922b03"
			"450d3a9975e5bd2ea0eb55ad8e1b199e3ec4316020e9a1b285e762795359b7bdfd39be"
			"f4b2484583d5afe082aee638bf5fd5a606193901a08f4ab41aab9b1348",
		.out =
			"8ceba62943dced3a0990b06ea1b0a2c4fb3cedc71b369f42ba64c1eb6665e72aa1c9bb"
			"0deaa20fe86058b8baee2c2e7f0becce48b52932a53c9d5f931a3a7c532259af4325e2"
			"a65e3084ad5f6a513b7bddc1b65f0aa0d97a053db55a88c4c4f9605e41",
	},
	{
		.origin = "TS 35.203 4 test set 1, 792 of 798 bits",
		.alg = ACCEL_HW_CIPHER_KASUMI_F8,
		.key = "2bd6459f82c5b300952c49104881ff48",
		.iv = "72a4f20f64000000",
		.in =
			"7ec61272743bf1614726446a6c38ced166f6ca76eb5430044286346cef130f92922b03"
			"450d3a9975e5bd2ea0eb55ad8e1b199e3ec4316020e9a1b285e762795359b7bdfd39be"
			"f4b2484583d5afe082aee638bf5fd5a606193901a08f4ab41aab9b1348",
		.out =
			"d1e2de70eef86c6964fb542bc2d460aabfaa10a4a093262b7d199e706fc2d489155329"
			"6910f3a973012682e41c4e2b02be2017b7253bbf9309de5819cb42e81956f4c99bc976"
			"5caf53b1d0bb8279826adbbc5522e915c120a618a5a7f5e89708933965",
	},
	{
		.origin = "TS 35.223 4 test set 1, 192 of 193 bits",
		.alg = ACCEL_HW_CIPHER_ZUC_EEA3,
		.key = "173d14ba5003731d7a60049470f00a29",
		.iv = "66035492780000006603549278000000",
		.in = "6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b2",
		.out = "a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc8",
	},
	{
		.origin = "ZUC-256 test vectors, key and IV of zeros",
		.alg = ACCEL_HW_CIPHER_ZUC_EEA3,
		.key = "0000000000000000000000000000000000000000000000000000000000000000",
		.iv = "00000000000000000000000000000000000000000000000000",
		.in =
			"0000000000000000000000000000000000000000000000000000000000000000000000"
			"0000000000000000000000000000000000000000000000000000000000000000000000"
			"00000000000000000000",
		.out =
			"58d03ad62e032ce2dafc683a39bdcb0352a2bc67f1b7de74163ce3a101ef55589639d7"
			"5b95fa681b7f090df756391ccc903b7612744d544c17bc3fad8b163b0821787c0b9777"
			"5bb84943c6bbe8ad8afd",
	},
	{
		.origin = "RFC 3686 test vector 1, nonce and IV",
		.alg = ACCEL_HW_CIPHER_AES_CTR,
		.key = "ae6852f8121067cc4bf7a5765577f39e",
		.iv = "000000300000000000000000",
		.in = "53696e676c6520626c6f636b206d7367",
		.out = "e4095d4fb7a7b3792d6175a3261311b8",
	},
	{
		.origin = "RFC 3686 test vector 9, nonce and IV",
		.alg = ACCEL_HW_CIPHER_AES_CTR,
		.key = "ff7a617ce69148e4f1726e2f43581de2aa62d9f805532edff1eed687fb54153d",
		.iv = "001cc5b751a51d70a1c11148",
		.in = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
		.out = "eb6c52821d0bbbf7ce7594462aca4faab407df866569fd07f48cc0b583d6071f1ec0e6b8",
	},
	{
		.origin = "intel-ipsec-mb, snow5g_nea4_test.json, test 3",
		.alg = ACCEL_HW_CIPHER_SNOW5G_NEA4,
		.key = "0100000000000000000000000000000000000000000000000000000000000000",
		.iv = "001c1112131415168000000100000000",
		.in = "0102030405060708090a0b0c0d0e0f101112",
		.out = "04cfb98de69dd9156503e6b2901f2c01a66d",
	},
	{
		.origin = "intel-ipsec-mb, snow5g_nea4_test.json, test 16",
		.alg = ACCEL_HW_CIPHER_SNOW5G_NEA4,
		.key = "b3cbeae64a45d1516ead838e216679c16abd6ad765a2bdc79584dfc696d94ad9",
		.iv = "0010429624cd530e540d300a00000000",
		.in =
			"2ce4118418da6e525dacd76a750bcaee43a16a6a5b8a43779da6008885b721f5de88af"
			"ca2814a93e68e12feaf6711d09093388945d021cddbf04d47f781956e9e920356dd155"
			"6b170aa1dd8decac014909446058c02299c54a45819d950908a6fe519a17c726476a1a"
			"63c819720e0d2f968df1cbfb",
		.out =
			"cda6ac6c43cbebfec221e1af532922b3533ba2cd8c19efd2e082365a7f012da7a5d38e"
			"70aacae44d138b91ddc0b98aa4aafe4b6138dd3a1140603b0a19dc662793e204986c55"
			"8193587acefcfad334b6c670d6e9511d9e55e63c220181e9c1ea6ceaba31e7c534b8e7"
			"261bc8bdc4c7abcc194f48be",
	},
	{
		.origin = "intel-ipsec-mb, aes_nea5_test.json, test 3",
		.alg = ACCEL_HW_CIPHER_AES_NEA5,
		.key = "0100000000000000000000000000000000000000000000000000000000000000",
		.iv = "001c1112131415168000000100000000",
		.in = "0102030405060708090a0b0c0d0e0f101112",
		.out = "c97b0d60904a00f7cd9711c0141d75f94673",
	},
	{
		.origin = "intel-ipsec-mb, aes_nea5_test.json, test 9",
		.alg = ACCEL_HW_CIPHER_AES_NEA5,
		.key = "64e7f9a3ef617d7e6cff9f64191c1fa35c953230a62282999ee6773a7c44b5b4",
		.iv = "00282923be84e16c37ab2e7f00000000",
		.in =
			"f69e7d49dcad4f14f2444066d06bc430b7323ba122f622919de18b1fdab0ca9902b972"
			"9d492c807ebf3811ac9421580c19e6537fd1cac60bbc9bd49a2c3a6f9fd45813fc227e"
			"b424cf50f57cb4129a08df6b4043e6694b4e7bc6214d416a960fde30a6ed52ed6af487"
			"af454628425fbdb7f954d2da",
		.out =
			"f29d7a59ef2d20d205f22611b3e211348acf3684828523de0e4ced02464c8a0ec80cfa"
			"622110f7cdfecd129f4b21e62a212a921addbbdf9c900ffed43ae7d435918436dbad5f"
			"5a1e2c365fb54aecef3a4e0774604c85514b158992ab01e1a4d12d203572610c9c3593"
			"a16e1f43d98e004735655aaf",
	},
	{
		.origin = "intel-ipsec-mb, zuc_nea6_test.json, test 2",
		.alg = ACCEL_HW_CIPHER_ZUC_NEA6,
		.key = "0100000000000000000000000000000000000000000000000000000000000000",
		.iv = "001c1112131415168000000100000000",
		.in = "0102030405060708090a0b0c0d0e0f101112",
		.out = "d9fba3d0a1115bbff09cce2d9aed36e658b6",
	},
	{
		.origin = "intel-ipsec-mb, zuc_nea6_test.json, test 6",
		.alg = ACCEL_HW_CIPHER_ZUC_NEA6,
		.key = "64e7f9a3ef617d7e6cff9f64191c1fa35c953230a62282999ee6773a7c44b5b4",
		.iv = "00282923be84e16c37ab2e7f00000000",
		.in =
			"f69e7d49dcad4f14f2444066d06bc430b7323ba122f622919de18b1fdab0ca9902b972"
			"9d492c807ebf3811ac9421580c19e6537fd1cac60bbc9bd49a2c3a6f9fd45813fc227e"
			"b424cf50f57cb4129a08df6b4043e6694b4e7bc6214d416a960fde30a6ed52ed6af487"
			"af454628425fbdb7f954d2da",
		.out =
			"d705a6d41320e516a49f819aecb92f3616fa5d4e088ff25ea8314ebae61bef740197e2"
			"36afd65c96156fffcb0bc7be136e36b14e50bec38ec23884b4b3efe59d0cfc044914ee"
			"1e0259d8a3a7c87115ba99ed1541b26a320429816d51eb0214fa5287d2b2c4202f7f0a"
			"92ba7ef44058c97648852fd0",
	},
};

const unsigned int known_cipher_nb = sizeof(known_cipher) / sizeof(known_cipher[0]);
