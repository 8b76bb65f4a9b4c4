/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known answers of AEADs, and of algorithms with regions of bits, from the documents that they
 * name. Bytes are in hex.
 */
#include "known.h"

const struct known_answer known_aead[] = {
	{
		.origin = "GCM specification (McGrew, Viega) test case 2",
		.alg = ACCEL_HW_AEAD_AES_GCM,
		.key = "00000000000000000000000000000000",
		.iv = "000000000000000000000000",
		.in = "00000000000000000000000000000000",
		.out = "0388dace60b6a392f328c2b971b2fe78",
		.digest = "ab6e47d42cec13bdf53a67b21257bddf",
	},
	{
		.origin = "GCM specification test case 5",
		.alg = ACCEL_HW_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308",
		.iv = "cafebabefacedbad",
		.aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c"
			"95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
		.out =
			"61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423738069"
			"00e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
		.digest = "3612d2e79e3b0785561be14aaca2fccb",
	},
	{
		.origin = "GCM specification test case 3, from Y0",
		.alg = ACCEL_HW_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308",
		.iv = "cafebabefacedbaddecaf88800000001",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c"
			"95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
		.out =
			"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514"
			"b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
		.digest = "4d5c2af327cd64a62cf35abd2ba6fab4",
	},
	{
		.origin = "GCM specification test case 10",
		.alg = ACCEL_HW_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308feffe9928665731c",
		.iv = "cafebabefacedbaddecaf888",
		.aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c"
			"95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
		.out =
			"3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d"
			"00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710",
		.digest = "2519498e80f1478f37ba55bd6d27618c",
	},
	{
		.origin = "GCM specification test case 16",
		.alg = ACCEL_HW_AEAD_AES_GCM,
		.key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
		.iv = "cafebabefacedbaddecaf888",
		.aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		.in =
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c"
			"95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
		.out =
			"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e"
			"48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
		.digest = "76fc6ece0f4e1768cddf8853bb2d551b",
	},
	{
		.origin = "SP 800-38C example 1",
		.alg = ACCEL_HW_AEAD_AES_CCM,
		.key = "404142434445464748494a4b4c4d4e4f",
		.iv = "10111213141516",
		.aad = "0001020304050607",
		.in = "20212223",
		.out = "7162015b",
		.digest = "4dac255d",
	},
	{
		.origin = "SP 800-38C example 2",
		.alg = ACCEL_HW_AEAD_AES_CCM,
		.key = "404142434445464748494a4b4c4d4e4f",
		.iv = "1011121314151617",
		.aad = "000102030405060708090a0b0c0d0e0f",
		.in = "202122232425262728292a2b2c2d2e2f",
		.out = "d2a1f0e051ea5f62081a7792073d593d",
		.digest = "1fc64fbfaccd",
	},
	{
		.origin = "SP 800-38C example 3",
		.alg = ACCEL_HW_AEAD_AES_CCM,
		.key = "404142434445464748494a4b4c4d4e4f",
		.iv = "101112131415161718191a1b",
		.aad = "000102030405060708090a0b0c0d0e0f10111213",
		.in = "202122232425262728292a2b2c2d2e2f3031323334353637",
		.out = "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5",
		.digest = "484392fbc1b09951",
	},
	{
		.origin = "RFC 3610 packet vector #1",
		.alg = ACCEL_HW_AEAD_AES_CCM,
		.key = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf",
		.iv = "00000003020100a0a1a2a3a4a5",
		.aad = "0001020304050607",
		.in = "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
		.out = "588c979a61c663d2f066d0c2c0f989806d5f6b61dac384",
		.digest = "17e8d12cfdf926e0",
	},
	{
		.origin = "NIST CAVP CCM, VADT256",
		.alg = ACCEL_HW_AEAD_AES_CCM,
		.key = "8a56588fe5e125237b6cdc30f940b8d88b2863ec501a0cb00b1abade1b5ce0ed",
		.iv = "d80210b9f9776ea36dc0e0a787",
		.aad = "e4296d1c8cf4ffc4b2635135",
		.in = "c825952293e434ea866db558aaf486ef09a92bf366988f71",
		.out = "b8b3b15fdf6a4a0b5abc313afc769e4e8413bd887552583e",
		.digest = "de3ed995d1b70561c8e28a7b1a7e3dc8",
	},
	{
		.origin = "RFC 8439 2.8.2",
		.alg = ACCEL_HW_AEAD_CHACHA20_POLY1305,
		.key = "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
		.iv = "070000004041424344454647",
		.aad = "50515253c0c1c2c3c4c5c6c7",
		.in =
			"4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f"
			"66202739393a204966204920636f756c64206f6666657220796f75206f6e6c79206f6e"
			"652074697020666f7220746865206675747572652c2073756e73637265656e20776f75"
			"6c642062652069742e",
		.out =
			"d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea4"
			"5e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d77"
			"8b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de5"
			"76d26586cec64b6116",
		.digest = "1ae10b594f09e26a7e902ecbd0600691",
	},
	{
		.origin = "intel-ipsec-mb, snow5g_nca4_test.json, test 9",
		.alg = ACCEL_HW_AEAD_SNOW5G_NCA4,
		.key = "64e7f9a3ef617d7e6cff9f64191c1fa35c953230a62282999ee6773a7c44b5b4",
		.iv = "84282923be84e16c37ab2e7f00000000",
		.aad =
			"c599d5e980b2eac9cc53bf67d6bf14d67e2ddc8e6683ef57495c0aa3db56f0b1b30d49"
			"6b7438bf62c2fabaf2d6b7deb92225d54e38a64e30e8d545fda85e85e53a146c5d883d"
			"ef18d330dd330c2368b0823ee125bef4c3b5ab92f340fb1846d7c549447373fe2ce6db",
		.in =
			"f69e7d49dcad4f14f2444066d06bc430b7323ba122f622919de18b1fdab0ca9902b972"
			"9d492c807ebf3811ac9421580c19e6537fd1cac60bbc9bd49a2c3a6f9fd45813fc227e"
			"b424cf50f57cb4129a08df6b4043e6694b4e7bc6214d416a960fde30a6ed52ed6af487"
			"af454628425fbdb7f954d2da",
		.out =
			"5c5e96c47bece51478b0d9d7e1ff6acd1aea25b13eb1d8241034b34e6e40a3249d48da"
			"e2a8e1e79852c2d9532bd4f6d8112cac4a9ea698b75798c6efaeadfc0a3c8942482b30"
			"9663556a0695337dfd0fb7185dfe66c55eac03095047f0b6a25c604c64973517b080ba"
			"2a74b0200252370157b78462",
		.digest = "a33ba7cef52ab4af9d7757fb0bd7f9a2",
	},
	{
		.origin = "intel-ipsec-mb, snow5g_nca4_test.json, test 15",
		.alg = ACCEL_HW_AEAD_SNOW5G_NCA4,
		.key = "f12a466fdcecd1364bef05c5369c9936aef69c290ee46309845eec2239e2443c",
		.iv = "2c3db8caf4df72d29de3840000000000",
		.aad = "5eafbd331703",
		.digest = "d284426f24",
	},
	{
		.origin = "intel-ipsec-mb, snow5g_nca4_test.json, test 20",
		.alg = ACCEL_HW_AEAD_SNOW5G_NCA4,
		.key = "1ffd4e770d18dc78be4b779b0828139c62e90f81ab86b0215bc8064716bb0164",
		.iv = "2c1fa607727667401779da4c00000000",
		.aad = "13bdd46d12e1bcd015b076590a5ad01e5b139811177bf331f4249e",
		.in =
			"a157f0cb68c07af048b12dadff1eaafd10b9635cbf8d45d415346602b8f650747dda84"
			"706dd325b3098c6768535414c9ae2f5fe84ff1753c04efd04f9dff852220c2ce596ee8"
			"ff",
		.out =
			"8ba8018b5ec194b8481a64206d893f6159ba93cbb983a24afb72c098e5d200a881486a"
			"d72d6eb851aaf5287f67092986f38548332f052a56d572e5075356009163373d4a92a4"
			"cd",
		.digest = "4edaccc446",
	},
	{
		.origin = "intel-ipsec-mb, aes_nca5_test.json, test 4",
		.alg = ACCEL_HW_AEAD_AES_NCA5,
		.key = "0000000000000000000000000000000000000000000000000000000000000001",
		.iv = "3c001020304050000000000100000000",
		.aad = "00",
		.digest = "3942196a9b26fa",
	},
	{
		.origin = "intel-ipsec-mb, aes_nca5_test.json, test 9",
		.alg = ACCEL_HW_AEAD_AES_NCA5,
		.key = "64e7f9a3ef617d7e6cff9f64191c1fa35c953230a62282999ee6773a7c44b5b4",
		.iv = "84282923be84e16c37ab2e7f00000000",
		.aad =
			"c599d5e980b2eac9cc53bf67d6bf14d67e2ddc8e6683ef57495c0aa3db56f0b1b30d49"
			"6b7438bf62c2fabaf2d6b7deb92225d54e38a64e30e8d545fda85e85e53a146c5d883d"
			"ef18d330dd330c2368b0823ee125bef4c3b5ab92f340fb1846d7c549447373fe2ce6db",
		.in =
			"f69e7d49dcad4f14f2444066d06bc430b7323ba122f622919de18b1fdab0ca9902b972"
			"9d492c807ebf3811ac9421580c19e6537fd1cac60bbc9bd49a2c3a6f9fd45813fc227e"
			"b424cf50f57cb4129a08df6b4043e6694b4e7bc6214d416a960fde30a6ed52ed6af487"
			"af454628425fbdb7f954d2da",
		.out =
			"b9377779b888be537f4ef2765737b30eb70fd98a710792f337c19a5d6264c3a8bda2cc"
			"c623caaa4b67fee80dc9d97d211a3962d68adef24135ab4b34ad1b16ca00a68103a71b"
			"4d32429c178db9dc1752e913d697aaf7ff30da7e2548dd34f0956ddd3cd6dbc6d58e6f"
			"982ee49bb29e93c7f23b3115",
		.digest = "6dc9c07ad766a636ba0acdb5542e0c90",
	},
	{
		.origin = "intel-ipsec-mb, aes_nca5_test.json, test 20",
		.alg = ACCEL_HW_AEAD_AES_NCA5,
		.key = "ead4d940e3864c1e75845f248148b6c0e71e9678feb899da76e89d75e82903a4",
		.iv = "2c1bd31711a59dbefdddec8f00000000",
		.aad = "bc837185c076",
		.in =
			"7a8aefe915757ded4ad633f986f57f058824b49100d3c508a72d8f1f561e1cb3ec8f02"
			"050609a19d46667b839855545933a3d90beee27dbbec6e097476c6114731da14fd581e"
			"a55cc10ee81d3135fc77508883542f040580d19965d89b4f139e4c2b19e82a464f2bcc"
			"428ce93a0304",
		.out =
			"c854d841fce471a4de58099ccba77a1fe7e6a391ea7cb7a36986ba83d0614a38ac91cd"
			"0c2c7feb28519958231ca64beafba8be924680c26dec93601087b8ac1374a5536b9149"
			"7558f7395b0723273d00d2a051e5742934db7aa5f1e2a5e7fe20611702efb46571bec4"
			"02a97854257e",
		.digest = "bcc5668293",
	},
	{
		.origin = "intel-ipsec-mb, zuc_nca6_test.json, test 4",
		.alg = ACCEL_HW_AEAD_ZUC_NCA6,
		.key = "0000000000000000000000000000000000000000000000000000000000000001",
		.iv = "3c001020304050000000000100000000",
		.aad = "00",
		.digest = "0c6df0213af1bb",
	},
	{
		.origin = "intel-ipsec-mb, zuc_nca6_test.json, test 6",
		.alg = ACCEL_HW_AEAD_ZUC_NCA6,
		.key = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		.iv = "4c3f000000000000ffffffff00000000",
		.aad = "0102030405060708090a0b0c0d0e0f101112131415",
		.in = "ffff00",
		.out = "961a27",
		.digest = "305f4f2ed5af4752de",
	},
	{
		.origin = "intel-ipsec-mb, zuc_nca6_test.json, test 9",
		.alg = ACCEL_HW_AEAD_ZUC_NCA6,
		.key = "64e7f9a3ef617d7e6cff9f64191c1fa35c953230a62282999ee6773a7c44b5b4",
		.iv = "84282923be84e16c37ab2e7f00000000",
		.aad =
			"c599d5e980b2eac9cc53bf67d6bf14d67e2ddc8e6683ef57495c0aa3db56f0b1b30d49"
			"6b7438bf62c2fabaf2d6b7deb92225d54e38a64e30e8d545fda85e85e53a146c5d883d"
			"ef18d330dd330c2368b0823ee125bef4c3b5ab92f340fb1846d7c549447373fe2ce6db",
		.in =
			"f69e7d49dcad4f14f2444066d06bc430b7323ba122f622919de18b1fdab0ca9902b972"
			"9d492c807ebf3811ac9421580c19e6537fd1cac60bbc9bd49a2c3a6f9fd45813fc227e"
			"b424cf50f57cb4129a08df6b4043e6694b4e7bc6214d416a960fde30a6ed52ed6af487"
			"af454628425fbdb7f954d2da",
		.out =
			"666543940fe1e9236a51cab32771953c3d315a2e671b1e149c3a671f6cf8f388499fa1"
			"cc8303eb2c555a62de8c58f274e412931bd66eafbc3b77c0bd6632abfbb3de93f6ebe8"
			"737e6415fd8c99a7557ffdf7569c57607ef2457922750094c61223ce3730b7344cae3f"
			"a36ca9afdcde9f179238c58d",
		.digest = "d5f2a1f0b6fba99aa60e2f47e2cbf693",
	},
};

const unsigned int known_aead_nb = sizeof(known_aead) / sizeof(known_aead[0]);

const struct known_answer known_bits[] = {
	{
		.origin = "TS 35.217 4 test set 1",
		.alg = ACCEL_HW_CIPHER_SNOW3G_UEA2,
		.bits = 798,
		.key = "2bd6459f82c5b300952c49104881ff48",
		.iv = "72a4f20f6400000072a4f20f64000000",
		.in =
			"7ec61272743bf1614726446a6c38ced166f6ca76eb5430044286346cef130f92922b03"
			"450d3a9975e5bd2ea0eb55ad8e1b199e3ec4316020e9a1b285e762795359b7bdfd39be"
			"f4b2484583d5afe082aee638bf5fd5a606193901a08f4ab41aab9b134880",
		.out =
			"8ceba62943dced3a0990b06ea1b0a2c4fb3cedc71b369f42ba64c1eb6665e72aa1c9bb"
			"0deaa20fe86058b8baee2c2e7f0becce48b52932a53c9d5f931a3a7c532259af4325e2"
			"a65e3084ad5f6a513b7bddc1b65f0aa0d97a053db55a88c4c4f9605e4140",
	},
	{
		.origin = "TS 35.203 4 test set 1",
		.alg = ACCEL_HW_CIPHER_KASUMI_F8,
		.bits = 798,
		.key = "2bd6459f82c5b300952c49104881ff48",
		.iv = "72a4f20f64000000",
		.in =
			"7ec61272743bf1614726446a6c38ced166f6ca76eb5430044286346cef130f92922b03"
			"450d3a9975e5bd2ea0eb55ad8e1b199e3ec4316020e9a1b285e762795359b7bdfd39be"
			"f4b2484583d5afe082aee638bf5fd5a606193901a08f4ab41aab9b134880",
		.out =
			"d1e2de70eef86c6964fb542bc2d460aabfaa10a4a093262b7d199e706fc2d489155329"
			"6910f3a973012682e41c4e2b02be2017b7253bbf9309de5819cb42e81956f4c99bc976"
			"5caf53b1d0bb8279826adbbc5522e915c120a618a5a7f5e897089339650c",
	},
	{
		.origin = "TS 35.217 4 test set 2",
		.alg = ACCEL_HW_CIPHER_SNOW3G_UEA2,
		.bits = 510,
		.key = "efa8b2229e720c2a7c36ea55e9605695",
		.iv = "e28bcf7bc0000000e28bcf7bc0000000",
		.in =
			"10111231e060253a43fd3f57e37607ab2827b599b6b1bbda37a8abcc5a8c550d1bfb2f"
			"494624fb50367fa36ce3bc68f11cf93b1510376b02130f812a9fa169d8",
		.out =
			"e0da15ca8e2554f5e56c9468dc6c7c129c568aa5032317e04e0729646cabefa689864c"
			"410f24f919e61e3dfdfad77e560db0a9cd36c34ae4181490b29f5fa2fc",
	},
	{
		.origin = "TS 35.203 4 test set 2",
		.alg = ACCEL_HW_CIPHER_KASUMI_F8,
		.bits = 510,
		.key = "efa8b2229e720c2a7c36ea55e9605695",
		.iv = "e28bcf7bc0000000",
		.in =
			"10111231e060253a43fd3f57e37607ab2827b599b6b1bbda37a8abcc5a8c550d1bfb2f"
			"494624fb50367fa36ce3bc68f11cf93b1510376b02130f812a9fa169d8",
		.out =
			"3deacc7c15821caa89eecade9b5bd3614bd0c8419d710385ddbe5849ef1bac5ae8b14a"
			"5b0a6741521eb4e00bb9ecf3e9f7ccb9cae74152d7f4e2a034b6ea00ec",
	},
	{
		.origin = "TS 35.223 4 test set 1",
		.alg = ACCEL_HW_CIPHER_ZUC_EEA3,
		.bits = 193,
		.key = "173d14ba5003731d7a60049470f00a29",
		.iv = "66035492780000006603549278000000",
		.in = "6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b200",
		.out = "a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc800",
	},
	{
		.origin = "TS 35.223 4 test set 3",
		.alg = ACCEL_HW_CIPHER_ZUC_EEA3,
		.bits = 1570,
		.key = "d4552a8fd6e61cc81a2009141a29c10b",
		.iv = "76452ec11400000076452ec114000000",
		.in =
			"38f07f4be2d8ff5805f5132229bde93bbbdcaf382bf1ee972fbf9977bada8945847a2a"
			"6c9ad34a667554e04d1f7fa2c33241bd8f01ba220d3ca4ec41e074595f54ae2b454fd9"
			"71432043601965cca85c2417ed6cbec3bada84fc8a579aea7837b0271177242a64dc0a"
			"9de71a8edee86ca3d47d033d6bf539804eca86c584a9052de46ad3fced65543bd90207"
			"372b27afb79234f5ff43ea870820e2c2b78a8aae61cce52a0515e348d196664a3456b1"
			"82a07c406e4a20791271cfeda165d535ec5ea2d4df40",
		.out =
			"8383b0229fcc0b9d2295ec41c977e9c2bb72e220378141f9c8318f3a270dfbcdee6411"
			"c2b3044f176dc6e00f8960f97afacd131ad6a3b49b16b7babcf2a509ebb16a75dcab14"
			"ff275dbeeea1a2b155f9d52c26452d0187c310a4ee55beaa78ab4024615ba9f5d5adc7"
			"728f73560671f013e5e550085d3291df7d5fecedded559641b6c2f585233bc71e9602b"
			"d2305855bbd25ffa7f17ecbc042daae38c1f57ad8e8ebd37346f71befdbb7432e0e0bb"
			"2cfc09bcd96570cb0c0c39df5e29294e82703a637f80",
	},
	{
		.origin = "TS 35.223 5 test set 1",
		.alg = ACCEL_HW_AUTH_ZUC_EIA3,
		.bits = 1,
		.key = "00000000000000000000000000000000",
		.iv = "00000000000000000000000000000000",
		.in = "00",
		.digest = "c8a9595e",
	},
	{
		.origin = "TS 35.223 5 test set 2",
		.alg = ACCEL_HW_AUTH_ZUC_EIA3,
		.bits = 90,
		.key = "47054125561eb2dda94059da05097850",
		.iv = "561eb2dda0000000561eb2dda0000000",
		.in = "000000000000000000000000",
		.digest = "6719a088",
	},
	{
		.origin = "TS 35.217 5 test set 1",
		.alg = ACCEL_HW_AUTH_SNOW3G_UIA2,
		.bits = 189,
		.key = "2bd6459f82c5b300952c49104881ff48",
		.iv = "38a6f05605d2ec4938a6f05605d2ec49",
		.in = "6b227737296f393c8079353edc87e2e805d2ec49a4f2d8e0",
		.digest = "2bce1820",
	},
	{
		.origin = "TS 35.217 5 test set 2",
		.alg = ACCEL_HW_AUTH_SNOW3G_UIA2,
		.bits = 254,
		.key = "d42f682428201cafcd9f97945e6de7b7",
		.iv = "3edc87e2a4f2d8e2bedc87e2a4f258e2",
		.in = "b5924384328a4ae00b737109f8b6c8dd2b4db63dd533981ceb19aad52a5b2bc0",
		.digest = "fc7b18bd",
	},
};

const unsigned int known_bits_nb = sizeof(known_bits) / sizeof(known_bits[0]);
