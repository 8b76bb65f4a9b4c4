/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * This file has published vectors of the wireless algorithms whose length is not a whole number of
 * bytes. Bytes are in hex. Zeros fill the last byte.
 */

#include "kat.h"

const struct e2e_kat e2e_kat_bits[] = {
	{
		.origin = "TS 35.217 4 test set 1",
		.group = "bits",
		.bits = 798,
		.cipher = RTE_CRYPTO_CIPHER_SNOW3G_UEA2,
		.key = "2bd6459f82c5b300952c49104881ff48",
		.iv = "72a4f20f6400000072a4f20f64000000",
		.in =
			"7ec61272743bf1614726446a6c38ced166f6ca76eb5430044286346cef130f92922b0345"
			"0d3a9975e5bd2ea0eb55ad8e1b199e3ec4316020e9a1b285e762795359b7bdfd39bef4b2"
			"484583d5afe082aee638bf5fd5a606193901a08f4ab41aab9b134880",
		.out =
			"8ceba62943dced3a0990b06ea1b0a2c4fb3cedc71b369f42ba64c1eb6665e72aa1c9bb0d"
			"eaa20fe86058b8baee2c2e7f0becce48b52932a53c9d5f931a3a7c532259af4325e2a65e"
			"3084ad5f6a513b7bddc1b65f0aa0d97a053db55a88c4c4f9605e4140",
	},
	{
		.origin = "TS 35.203 4 test set 1",
		.group = "bits",
		.bits = 798,
		.cipher = RTE_CRYPTO_CIPHER_KASUMI_F8,
		.key = "2bd6459f82c5b300952c49104881ff48",
		.iv = "72a4f20f64000000",
		.in =
			"7ec61272743bf1614726446a6c38ced166f6ca76eb5430044286346cef130f92922b0345"
			"0d3a9975e5bd2ea0eb55ad8e1b199e3ec4316020e9a1b285e762795359b7bdfd39bef4b2"
			"484583d5afe082aee638bf5fd5a606193901a08f4ab41aab9b134880",
		.out =
			"d1e2de70eef86c6964fb542bc2d460aabfaa10a4a093262b7d199e706fc2d48915532969"
			"10f3a973012682e41c4e2b02be2017b7253bbf9309de5819cb42e81956f4c99bc9765caf"
			"53b1d0bb8279826adbbc5522e915c120a618a5a7f5e897089339650c",
	},
	{
		.origin = "TS 35.217 4 test set 2",
		.group = "bits",
		.bits = 510,
		.cipher = RTE_CRYPTO_CIPHER_SNOW3G_UEA2,
		.key = "efa8b2229e720c2a7c36ea55e9605695",
		.iv = "e28bcf7bc0000000e28bcf7bc0000000",
		.in =
			"10111231e060253a43fd3f57e37607ab2827b599b6b1bbda37a8abcc5a8c550d1bfb2f49"
			"4624fb50367fa36ce3bc68f11cf93b1510376b02130f812a9fa169d8",
		.out =
			"e0da15ca8e2554f5e56c9468dc6c7c129c568aa5032317e04e0729646cabefa689864c41"
			"0f24f919e61e3dfdfad77e560db0a9cd36c34ae4181490b29f5fa2fc",
	},
	{
		.origin = "TS 35.203 4 test set 2",
		.group = "bits",
		.bits = 510,
		.cipher = RTE_CRYPTO_CIPHER_KASUMI_F8,
		.key = "efa8b2229e720c2a7c36ea55e9605695",
		.iv = "e28bcf7bc0000000",
		.in =
			"10111231e060253a43fd3f57e37607ab2827b599b6b1bbda37a8abcc5a8c550d1bfb2f49"
			"4624fb50367fa36ce3bc68f11cf93b1510376b02130f812a9fa169d8",
		.out =
			"3deacc7c15821caa89eecade9b5bd3614bd0c8419d710385ddbe5849ef1bac5ae8b14a5b"
			"0a6741521eb4e00bb9ecf3e9f7ccb9cae74152d7f4e2a034b6ea00ec",
	},
	{
		.origin = "TS 35.217 4 test set 4",
		.group = "bits",
		.bits = 253,
		.cipher = RTE_CRYPTO_CIPHER_SNOW3G_UEA2,
		.key = "d3c5d592327fb11c4035c6680af8c6d1",
		.iv = "398a59b42c000000398a59b42c000000",
		.in = "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1f0",
		.out = "989b719cdc33ceb7cf276a52827cef94a56c40c0ab9d81f7a2a9bac60e11c4b0",
	},
	{
		.origin = "TS 35.203 4 test set 4",
		.group = "bits",
		.bits = 253,
		.cipher = RTE_CRYPTO_CIPHER_KASUMI_F8,
		.key = "d3c5d592327fb11c4035c6680af8c6d1",
		.iv = "398a59b42c000000",
		.in = "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1f0",
		.out = "5bb9431bb1e98bd11b93db7c3d45136559bb86a295aa204ecbebf6f7a5101510",
	},
	{
		.origin = "TS 35.217 4 test set 5",
		.group = "bits",
		.bits = 837,
		.cipher = RTE_CRYPTO_CIPHER_SNOW3G_UEA2,
		.key = "6090eae04c83706eecbf652be8e36566",
		.iv = "72a4f20f4800000072a4f20f48000000",
		.in =
			"40981ba6824c1bfb4286b299783daf442c099f7ab0f58d5c8e46b104f08f01b41ab48547"
			"2029b71d36bd1a3d90dc3a41b46d51672ac4c9663a2be063da4bc8d2808ce33e2cccbfc6"
			"34e1b259060876a0fbb5a437ebcc8d31c19e4454318745e3987645987a986f2cb0",
		.out =
			"5892bba88bbbcaaeae769aa06b683d3a17cc04a369881697435e44fed5ff9af57b9e890d"
			"4d5c64709885d48ae40690ec043baae9705796e4a9ff5a4b8d8b36d7f3fe57cc6cfd6cd0"
			"05cd3852a85e94ce6bcd90d0d07839ce09733544ca8e350843248550922ac12818",
	},
	{
		.origin = "TS 35.203 4 test set 5",
		.group = "bits",
		.bits = 837,
		.cipher = RTE_CRYPTO_CIPHER_KASUMI_F8,
		.key = "6090eae04c83706eecbf652be8e36566",
		.iv = "72a4f20f48000000",
		.in =
			"40981ba6824c1bfb4286b299783daf442c099f7ab0f58d5c8e46b104f08f01b41ab48547"
			"2029b71d36bd1a3d90dc3a41b46d51672ac4c9663a2be063da4bc8d2808ce33e2cccbfc6"
			"34e1b259060876a0fbb5a437ebcc8d31c19e4454318745e3987645987a986f2cb0",
		.out =
			"ddb364dd2aaec24dff291957b78bad063ac579cd9041babe89fd195c0578cb9fde421756"
			"6178d20240206d07cfa619ec059f63514459fc10d42dc9934e56ebc0cbc60d4d2df17477"
			"4cbdcd5da4a350317a7f12e1949471f8a295f272e68fc07159b07d8e2d26e45998",
	},
	{
		.origin = "TS 35.223 4 test set 1",
		.group = "bits",
		.bits = 193,
		.cipher = RTE_CRYPTO_CIPHER_ZUC_EEA3,
		.key = "173d14ba5003731d7a60049470f00a29",
		.iv = "66035492780000006603549278000000",
		.in = "6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b200",
		.out = "a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc800",
	},
	{
		.origin = "TS 35.223 4 test set 3",
		.group = "bits",
		.bits = 1570,
		.cipher = RTE_CRYPTO_CIPHER_ZUC_EEA3,
		.key = "d4552a8fd6e61cc81a2009141a29c10b",
		.iv = "76452ec11400000076452ec114000000",
		.in =
			"38f07f4be2d8ff5805f5132229bde93bbbdcaf382bf1ee972fbf9977bada8945847a2a6c"
			"9ad34a667554e04d1f7fa2c33241bd8f01ba220d3ca4ec41e074595f54ae2b454fd97143"
			"2043601965cca85c2417ed6cbec3bada84fc8a579aea7837b0271177242a64dc0a9de71a"
			"8edee86ca3d47d033d6bf539804eca86c584a9052de46ad3fced65543bd90207372b27af"
			"b79234f5ff43ea870820e2c2b78a8aae61cce52a0515e348d196664a3456b182a07c406e"
			"4a20791271cfeda165d535ec5ea2d4df40",
		.out =
			"8383b0229fcc0b9d2295ec41c977e9c2bb72e220378141f9c8318f3a270dfbcdee6411c2"
			"b3044f176dc6e00f8960f97afacd131ad6a3b49b16b7babcf2a509ebb16a75dcab14ff27"
			"5dbeeea1a2b155f9d52c26452d0187c310a4ee55beaa78ab4024615ba9f5d5adc7728f73"
			"560671f013e5e550085d3291df7d5fecedded559641b6c2f585233bc71e9602bd2305855"
			"bbd25ffa7f17ecbc042daae38c1f57ad8e8ebd37346f71befdbb7432e0e0bb2cfc09bcd9"
			"6570cb0c0c39df5e29294e82703a637f80",
	},
	{
		.origin = "TS 35.223 5 test set 1",
		.group = "bits",
		.bits = 1,
		.auth = RTE_CRYPTO_AUTH_ZUC_EIA3,
		.auth_key = "00000000000000000000000000000000",
		.auth_iv = "00000000000000000000000000000000",
		.in = "00",
		.digest = "c8a9595e",
	},
	{
		.origin = "TS 35.223 5 test set 2",
		.group = "bits",
		.bits = 90,
		.auth = RTE_CRYPTO_AUTH_ZUC_EIA3,
		.auth_key = "47054125561eb2dda94059da05097850",
		.auth_iv = "561eb2dda0000000561eb2dda0000000",
		.in = "000000000000000000000000",
		.digest = "6719a088",
	},
	{
		.origin = "TS 35.223 5 test set 3",
		.group = "bits",
		.bits = 577,
		.auth = RTE_CRYPTO_AUTH_ZUC_EIA3,
		.auth_key = "c9e6cec4607c72db000aefa88385ab0a",
		.auth_iv = "a94059da50000000294059da50008000",
		.in =
			"983b41d47d780c9e1ad11d7eb70391b1de0b35da2dc62f83e7b78d6306ca0ea07e941b7b"
			"e91348f9fcb170e2217fecd97f9f68adb16e5d7d21e569d280ed775cebde3f4093c53881"
			"00",
		.digest = "fae8ff0b",
	},
	{
		.origin = "TS 35.223 5 test set 4",
		.group = "bits",
		.bits = 2079,
		.auth = RTE_CRYPTO_AUTH_ZUC_EIA3,
		.auth_key = "c8a48262d0c2e2bac4b96ef77e80ca59",
		.auth_iv = "05097850800000008509785080008000",
		.in =
			"b546430bf87b4f1ee834704cd6951c36e26f108cf731788f48dc34f1678c05221c8fa7ff"
			"2f39f477e7e49ef60a4ec2c3de24312a96aa26e1cfba57563838b297f47e8510c779fd66"
			"54b143386fa639d31edbd6c06e47d159d94362f26aeeedee0e4f49d9bf8412995415bfad"
			"56ee82d1ca7463abf085b082b09904d6d990d43cf2e062f40839d93248b1eb92cdfed530"
			"0bc148280430b6d0caa094b6ec8911ab7dc36824b824dc0af6682b0935fde7b492a14dc2"
			"f43648038da2cf79170d2d50133fd49416cb6e33bea90b8bf4559b03732a01ea290e6d07"
			"4f79bb83c10e580015cc1a85b36b5501046e9c4bdcae5135690b8666bd54b7a703ea7b6f"
			"220a5469a568027e",
		.digest = "004ac4d6",
	},
	{
		.origin = "TS 35.217 5 test set 1",
		.group = "bits",
		.bits = 189,
		.auth = RTE_CRYPTO_AUTH_SNOW3G_UIA2,
		.auth_key = "2bd6459f82c5b300952c49104881ff48",
		.auth_iv = "38a6f05605d2ec4938a6f05605d2ec49",
		.in = "6b227737296f393c8079353edc87e2e805d2ec49a4f2d8e0",
		.digest = "2bce1820",
	},
	{
		.origin = "TS 35.217 5 test set 2",
		.group = "bits",
		.bits = 254,
		.auth = RTE_CRYPTO_AUTH_SNOW3G_UIA2,
		.auth_key = "d42f682428201cafcd9f97945e6de7b7",
		.auth_iv = "3edc87e2a4f2d8e2bedc87e2a4f258e2",
		.in = "b5924384328a4ae00b737109f8b6c8dd2b4db63dd533981ceb19aad52a5b2bc0",
		.digest = "fc7b18bd",
	},
	{
		.origin = "TS 35.217 5 test set 3",
		.group = "bits",
		.bits = 319,
		.auth = RTE_CRYPTO_AUTH_SNOW3G_UIA2,
		.auth_key = "fdb9cfdf28936cc483a31869d81b8fab",
		.auth_iv = "36af61449838f03ab6af61449838703a",
		.in =
			"5932bc0ace2b0aba33d8ac188ac54f346fad10bf9dee2920b43bd0c53a915cb7df6caa72"
			"053abff2",
		.digest = "02f1faaf",
	},
};

const unsigned int e2e_nb_kat_bits = RTE_DIM(e2e_kat_bits);
