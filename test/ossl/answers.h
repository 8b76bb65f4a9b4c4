/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known answers of the ciphers, as hexadecimal text.
 */
#ifndef OSSL_ANSWERS_H
#define OSSL_ANSWERS_H

struct answer {
	const char *name;
	const char *origin;
	const char *key;
	const char *iv;
	const char *aad;
	const char *text;
	const char *sealed;
	const char *tag;
};

/* NIST SP 800-38A, appendix F */
#define BLOCKS \
	"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" \
	"30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
#define KEY_128 "2b7e151628aed2a6abf7158809cf4f3c"
#define KEY_192 "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"
#define KEY_256 "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
#define IV_CBC "000102030405060708090a0b0c0d0e0f"
#define IV_CTR "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"

/* McGrew and Viega, The Galois/Counter Mode of Operation, appendix B */
#define KEY_GCM "feffe9928665731c6d6a8f9467308308"
#define IV_GCM "cafebabefacedbaddecaf888"
#define AAD_GCM "feedfacedeadbeeffeedfacedeadbeefabaddad2"
#define TEXT_GCM \
	"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" \
	"1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"

static const struct answer answers[] = {
	{ "AES-128-CBC", "SP 800-38A F.2.1", KEY_128, IV_CBC, "", BLOCKS,
			"7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
			"73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
			"" },
	{ "AES-192-CBC", "SP 800-38A F.2.3", KEY_192, IV_CBC, "", BLOCKS,
			"4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
			"571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
			"" },
	{ "AES-256-CBC", "SP 800-38A F.2.5", KEY_256, IV_CBC, "", BLOCKS,
			"f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
			"39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
			"" },
	{ "AES-128-CTR", "SP 800-38A F.5.1", KEY_128, IV_CTR, "", BLOCKS,
			"874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
			"5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
			"" },
	{ "AES-192-CTR", "SP 800-38A F.5.3", KEY_192, IV_CTR, "", BLOCKS,
			"1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
			"1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
			"" },
	{ "AES-256-CTR", "SP 800-38A F.5.5", KEY_256, IV_CTR, "", BLOCKS,
			"601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
			"2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
			"" },
	{ "AES-128-GCM", "GCM, test case 4", KEY_GCM, IV_GCM, AAD_GCM, TEXT_GCM,
			"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
			"21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
			"5bc94fbc3221a5db94fae95ae7121a47" },
	{ "AES-192-GCM", "GCM, test case 10", KEY_GCM "feffe9928665731c", IV_GCM, AAD_GCM, TEXT_GCM,
			"3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c"
			"7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710",
			"2519498e80f1478f37ba55bd6d27618c" },
	{ "AES-256-GCM", "GCM, test case 16", KEY_GCM KEY_GCM, IV_GCM, AAD_GCM, TEXT_GCM,
			"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
			"8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
			"76fc6ece0f4e1768cddf8853bb2d551b" },
	{ "ChaCha20-Poly1305", "RFC 8439, 2.8.2",
			"808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
			"070000004041424344454647", "50515253c0c1c2c3c4c5c6c7",
			"4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
			"73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
			"6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
			"637265656e20776f756c642062652069742e",
			"d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
			"3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
			"92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
			"3ff4def08e4b7a9de576d26586cec64b6116",
			"1ae10b594f09e26a7e902ecbd0600691" },
};

#endif
