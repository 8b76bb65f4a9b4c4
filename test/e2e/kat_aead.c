/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * This file has published vectors of AEADs and of GMAC. Each names its origin. Bytes are in hex.
 */

#include "kat.h"

const struct e2e_kat e2e_kat_aead[] = {
	{
		.origin = "GCM specification (McGrew, Viega) test case 2",
		.group = "aes-gcm",
		.aead = RTE_CRYPTO_AEAD_AES_GCM,
		.key = "00000000000000000000000000000000",
		.iv = "000000000000000000000000",
		.aad = "",
		.in = "00000000000000000000000000000000",
		.out = "0388dace60b6a392f328c2b971b2fe78",
		.digest = "ab6e47d42cec13bdf53a67b21257bddf",
	},
	{
		.origin = "GCM specification test case 3",
		.group = "aes-gcm",
		.aead = RTE_CRYPTO_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308",
		.iv = "cafebabefacedbaddecaf888",
		.aad = "",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95"
			"956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
		.out =
			"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b2"
			"5466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
		.digest = "4d5c2af327cd64a62cf35abd2ba6fab4",
	},
	{
		.origin = "GCM specification test case 4",
		.group = "aes-gcm",
		.aead = RTE_CRYPTO_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308",
		.iv = "cafebabefacedbaddecaf888",
		.aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95"
			"956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
		.out =
			"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b2"
			"5466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
		.digest = "5bc94fbc3221a5db94fae95ae7121a47",
	},
	{
		.origin = "GCM specification test case 5",
		.group = "aes-gcm",
		.aead = RTE_CRYPTO_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308",
		.iv = "cafebabefacedbad",
		.aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95"
			"956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
		.out =
			"61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c742373806900"
			"e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
		.digest = "3612d2e79e3b0785561be14aaca2fccb",
	},
	{
		.origin = "GCM specification test case 3, from Y0",
		.group = "aes-gcm",
		.j0 = true,
		.aead = RTE_CRYPTO_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308",
		.iv = "cafebabefacedbaddecaf88800000001",
		.aad = "",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95"
			"956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
		.out =
			"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b2"
			"5466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
		.digest = "4d5c2af327cd64a62cf35abd2ba6fab4",
	},
	{
		.origin = "GCM specification test case 5, from Y0",
		.group = "aes-gcm",
		.j0 = true,
		.aead = RTE_CRYPTO_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308",
		.iv = "c43a83c4c4badec4354ca984db252f7d",
		.aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95"
			"956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
		.out =
			"61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c742373806900"
			"e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
		.digest = "3612d2e79e3b0785561be14aaca2fccb",
	},
	{
		.origin = "GCM specification test case 6, from Y0",
		.group = "aes-gcm",
		.j0 = true,
		.aead = RTE_CRYPTO_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308",
		.iv = "3bab75780a31c059f83d2a44752f9864",
		.aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95"
			"956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
		.out =
			"8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca701e4a9a4"
			"fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5",
		.digest = "619cc5aefffe0bfa462af43c1699d050",
	},
	{
		.origin = "GCM specification test case 10",
		.group = "aes-gcm",
		.aead = RTE_CRYPTO_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308feffe9928665731c",
		.iv = "cafebabefacedbaddecaf888",
		.aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95"
			"956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
		.out =
			"3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00"
			"c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710",
		.digest = "2519498e80f1478f37ba55bd6d27618c",
	},
	{
		.origin = "GCM specification test case 16",
		.group = "aes-gcm",
		.aead = RTE_CRYPTO_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
		.iv = "cafebabefacedbaddecaf888",
		.aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95"
			"956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
		.out =
			"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48"
			"590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
		.digest = "76fc6ece0f4e1768cddf8853bb2d551b",
	},
	{
		.origin = "SP 800-38C example 1",
		.group = "aes-ccm",
		.aead = RTE_CRYPTO_AEAD_AES_CCM,
		.key = "404142434445464748494a4b4c4d4e4f",
		.iv = "10111213141516",
		.aad = "0001020304050607",
		.in = "20212223",
		.out = "7162015b",
		.digest = "4dac255d",
	},
	{
		.origin = "SP 800-38C example 2",
		.group = "aes-ccm",
		.aead = RTE_CRYPTO_AEAD_AES_CCM,
		.key = "404142434445464748494a4b4c4d4e4f",
		.iv = "1011121314151617",
		.aad = "000102030405060708090a0b0c0d0e0f",
		.in = "202122232425262728292a2b2c2d2e2f",
		.out = "d2a1f0e051ea5f62081a7792073d593d",
		.digest = "1fc64fbfaccd",
	},
	{
		.origin = "SP 800-38C example 3",
		.group = "aes-ccm",
		.aead = RTE_CRYPTO_AEAD_AES_CCM,
		.key = "404142434445464748494a4b4c4d4e4f",
		.iv = "101112131415161718191a1b",
		.aad = "000102030405060708090a0b0c0d0e0f10111213",
		.in = "202122232425262728292a2b2c2d2e2f3031323334353637",
		.out = "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5",
		.digest = "484392fbc1b09951",
	},
	{
		.origin = "RFC 3610 packet vector #1",
		.group = "aes-ccm",
		.aead = RTE_CRYPTO_AEAD_AES_CCM,
		.key = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf",
		.iv = "00000003020100a0a1a2a3a4a5",
		.aad = "0001020304050607",
		.in = "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
		.out = "588c979a61c663d2f066d0c2c0f989806d5f6b61dac384",
		.digest = "17e8d12cfdf926e0",
	},
	{
		.origin = "NIST CAVP CCM, VADT256",
		.group = "aes-ccm",
		.aead = RTE_CRYPTO_AEAD_AES_CCM,
		.key = "8a56588fe5e125237b6cdc30f940b8d88b2863ec501a0cb00b1abade1b5ce0ed",
		.iv = "d80210b9f9776ea36dc0e0a787",
		.aad = "e4296d1c8cf4ffc4b2635135",
		.in = "c825952293e434ea866db558aaf486ef09a92bf366988f71",
		.out = "b8b3b15fdf6a4a0b5abc313afc769e4e8413bd887552583e",
		.digest = "de3ed995d1b70561c8e28a7b1a7e3dc8",
	},
	{
		.origin = "NIST CAVP CCM, DVPT192",
		.group = "aes-ccm",
		.aead = RTE_CRYPTO_AEAD_AES_CCM,
		.key = "ceb009aea4454451feadf0e6b36f45555dd04723baa448e8",
		.iv = "764043c49460b7",
		.aad = "6e80dd7f1badf3a1c9ab25c75f10bde78c23fa0eb8f9aaa53adefbf4cbf78fe4",
		.in = "c8d275f919e17d7fe69c2a1f58939dfe4d403791b5df1310",
		.out = "8a0f3d8229e48e7487fd95a28ad392c80b3681d4fbc7bbfd",
		.digest = "2dd6ef1c45d4ccb723dc074414db506d",
	},
	{
		.origin = "RFC 8439 2.8.2",
		.group = "chacha20-poly1305",
		.aead = RTE_CRYPTO_AEAD_CHACHA20_POLY1305,
		.key = "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
		.iv = "070000004041424344454647",
		.aad = "50515253c0c1c2c3c4c5c6c7",
		.in =
			"4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66"
			"202739393a204966204920636f756c64206f6666657220796f75206f6e6c79206f6e6520"
			"74697020666f7220746865206675747572652c2073756e73637265656e20776f756c6420"
			"62652069742e",
		.out =
			"d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e"
			"8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c"
			"9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d265"
			"86cec64b6116",
		.digest = "1ae10b594f09e26a7e902ecbd0600691",
	},
	{
		.origin = "NIST CAVP GCM, PTlen 0, AES-128",
		.group = "aes-gmac",
		.auth = RTE_CRYPTO_AUTH_AES_GMAC,
		.auth_key = "77be63708971c4e240d1cb79e8d77feb",
		.auth_iv = "e0e00f19fed7ba0136a797f3",
		.in = "7a43ec1d9c0a5a78a0b16533a6213cab",
		.digest = "209fcc8d3675ed938e9c7166709dd946",
	},
	{
		.origin = "IEEE 802.1AE C.1.1, 54-byte packet, AES-128",
		.group = "aes-gmac",
		.auth = RTE_CRYPTO_AUTH_AES_GMAC,
		.auth_key = "ad7a2bd03eac835a6f620fdcb506b345",
		.auth_iv = "12153524c0895e81b2c28465",
		.in =
			"d609b1f056637a0d46df998d88e5222ab2c2846512153524c0895e8108000f1011121314"
			"15161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f30313233340001",
		.digest = "f09478a9b09007d06f46e9b6a1da25dd",
	},
	{
		.origin = "IEEE 802.1AE C.1.2, 54-byte packet, AES-256",
		.group = "aes-gmac",
		.auth = RTE_CRYPTO_AUTH_AES_GMAC,
		.auth_key = "e3c08a8f06c6e3ad95a70557b23f75483ce33021a9c72b7025666204c69c0b72",
		.auth_iv = "12153524c0895e81b2c28465",
		.in =
			"d609b1f056637a0d46df998d88e5222ab2c2846512153524c0895e8108000f1011121314"
			"15161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f30313233340001",
		.digest = "2f0bc5af409e06d609ea8b7d0fa5ea50",
	},
};

const unsigned int e2e_nb_kat_aead = RTE_DIM(e2e_kat_aead);
