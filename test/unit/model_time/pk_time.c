/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Decrypts ciphertexts of RSA (manual 8.8, PK-14) that differ in what is in their padding and in
 * what is wrong with it. tools/py/answers/constant_time.py counts the instructions of measured().
 * Random numbers, and so the blinding, are the same in each run.
 *
 * pk-time PADDING WRONG [SEED]
 *   PADDING  pkcs1 or oaep (SHA-256)
 *   WRONG    none, long (nothing, a longer message), first (byte);
 *            pkcs1: type, early, ninth (a zero there), absent (no zero), zeros;
 *            oaep: hash, hash-end, zeros (not all 0), two (for 01), absent (no 01)
 *   SEED     of the bytes of the ciphertext that do not matter
 *   prints the status
 *
 * pk-time PADDING clock ROUNDS
 *   compares the time of each kind that is wrong with that of `first` (Welch's t-test, with kinds
 *   in turn), and prints t of each. Above 4.5 there is a difference. A quiet machine is needed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model_time/counted.h" /* first, as it says how the headers of OpenSSL are read */
#include "pk_base/pk_encode.h"

#define EM 256u
#define DB (EM - 1 - ENCODE_HASH)

/* Key 10 of RSA Laboratories' test vectors of OAEP: n, e, d, p, q, dP, dQ, qInv */
static const char *const key_hex[] = {
	"ae45ed5601cec6b8cc05f803935c674ddbe0d75c4c09fd7951fc6b0caec313a8df39970c"
	"518bffba5ed68f3f0d7f22a4029d413f1ae07e4ebe9e4177ce23e7f5404b569e4ee1bdcf"
	"3c1fb03ef113802d4f855eb9b5134b5a7c8085adcae6fa2fa1417ec3763be171b0c62b76"
	"0ede23c12ad92b980884c641f5a8fac26bdad4a03381a22fe1b754885094c82506d4019a"
	"535a286afeb271bb9ba592de18dcf600c2aeeae56e02f7cf79fc14cf3bdc7cd84febbbf9"
	"50ca90304b2219a7aa063aefa2c3c1980e560cd64afe779585b6107657b957857efde601"
	"0988ab7de417fc88d8f384c4e6e72c3f943e0c31c0c4a5cc36f879d8a3ac9d7d59860eaa"
	"da6b83bb",
	"010001",
	"056b04216fe5f354ac77250a4b6b0c8525a85c59b0bd80c56450a22d5f438e596a333aa8"
	"75e291dd43f48cb88b9d5fc0d499f9fcd1c397f9afc070cd9e398c8d19e61db7c7410a6b"
	"2675dfbf5d345b804d201add502d5ce2dfcb091ce9997bbebe57306f383e4d588103f036"
	"f7e85d1934d152a323e4a8db451d6f4a5b1b0f102cc150e02feee2b88dea4ad4c1baccb2"
	"4d84072d14e1d24a6771f7408ee30564fb86d4393a34bcf0b788501d193303f13a2284b0"
	"01f0f649eaf79328d4ac5c430ab4414920a9460ed1b7bc40ec653e876d09abc509ae45b5"
	"25190116a0c26101848298509c1c3bf3a483e7274054e15e97075036e989f60932807b52"
	"57751e79",
	"ecf5aecd1e5515fffacbd75a2816c6ebf49018cdfb4638e185d66a7396b6f8090f8018c7"
	"fd95cc34b857dc17f0cc6516bb1346ab4d582cadad7b4103352387b70338d084047c9d95"
	"39b6496204b3dd6ea442499207bec01f964287ff6336c3984658336846f56e46861881c1"
	"0233d2176bf15a5e96ddc780bc868aa77d3ce769",
	"bc46c464fc6ac4ca783b0eb08a3c841b772f7e9b2f28babd588ae885e1a0c61e4858a0fb"
	"25ac299990f35be85164c259ba1175cdd7192707135184992b6c29b746dd0d2cabe14283"
	"5f7d148cc161524b4a09946d48b828473f1ce76b6cb6886c345c03e05f41d51b5c3a90a3"
	"f24073c7d74a4fe25d9cf21c75960f3fc3863183",
	"c73564571d00fb15d08a3de9957a50915d7126e9442dacf42bc82e862e5673ff6a008ed4"
	"d2e374617df89f17a160b43b7fda9cb6b6b74218609815f7d45ca263c159aa32d272d127"
	"faf4bc8ca2d77378e8aeb19b0ad7da3cb3de0ae7314980f62b6d4b0a875d1df03c1bae39"
	"ccd833ef6cd7e2d9528bf084d1f969e794e9f6c1",
	"2658b37f6df9c1030be1db68117fa9d87e39ea2b693b7e6d3a2f70947413eec6142e18fb"
	"8dfcb6ac545d7c86a0ad48f8457170f0efb26bc48126c53efd1d16920198dc2a1107dc28"
	"2db6a80cd3062360ba3fa13f70e4312ff1a6cd6b8fc4cd9c5c3db17c6d6a57212f73ae29"
	"f619327bad59b153858585ba4e28b60a62a45e49",
	"6f38526b3925085534ef3e415a836ede8b86158a2c7cbfeccb0bd834304fec683ba8d4f4"
	"79c433d43416e63269623cea100776d85aff401d3fff610ee65411ce3b1363d63a9709ee"
	"de42647cea561493d54570a879c18682cd97710b96205ec31117d73b5f36223fadd6e8ba"
	"90dd7c0ee61d44e163251e20c7f66eb305117cb8",
};

static const char *const kinds[2][9] = {
	{ "none", "long", "first", "type", "early", "ninth", "absent", "zeros" },
	{ "none", "long", "first", "hash", "hash-end", "zeros", "two", "absent" },
};

static struct pk_key *key;

static struct pk_key *
make_key(void)
{
	static uint8_t components[PK_KEY_SIZE_MAX];
	struct accel_hw_pk_context header = {
		.generation = 1,
		.version = ACCEL_HW_CTX_VERSION,
		.kind = ACCEL_HW_KIND_PK,
		.alg = ACCEL_HW_PK_RSA,
	};
	uint16_t status;
	unsigned int byte;

	for (unsigned int i = 0; i < sizeof(key_hex) / sizeof(key_hex[0]); i++) {
		header.component[i] = (uint16_t)(strlen(key_hex[i]) / 2);
		for (const char *at = key_hex[i]; *at != '\0'; at += 2) {
			if (sscanf(at, "%2x", &byte) != 1)
				return NULL;
			components[header.key_len++] = (uint8_t)byte;
		}
	}
	return pk_key_new(&header, components, &status);
}

/* An operation on a number of EM bytes; operand and result in memory of its own. */
static struct pk_job
job_of(struct accel_hw_pk_command *cmd, uint16_t operation, uint8_t padding, const uint8_t *in,
		uint8_t *out)
{
	*cmd = (struct accel_hw_pk_command) {
		.opcode = ACCEL_HW_OP_PK,
		.operation = operation,
		.padding = padding,
		.hash = padding == ACCEL_HW_PK_PADDING_OAEP ? ACCEL_HW_AUTH_SHA256 : 0,
		.operand = { EM },
	};
	return (struct pk_job) { .key = key, .cmd = cmd, .in = in, .out = out };
}

static void
make_pkcs1(const char *wrong, uint8_t *em)
{
	uint8_t message[EM];

	draw_bytes(message, sizeof(message));
	encode_pkcs1(em, EM, message, strcmp(wrong, "long") == 0 ? EM - 11 : 48);
	if (strcmp(wrong, "first") == 0)
		em[0] = 1;
	else if (strcmp(wrong, "type") == 0)
		em[1] = 1;
	else if (strcmp(wrong, "early") == 0)
		em[2] = 0;
	else if (strcmp(wrong, "ninth") == 0)
		em[9] = 0;
	else if (strcmp(wrong, "zeros") == 0)
		memset(em + 2, 0, EM - 2);
	for (uint32_t i = 2; i < EM && strcmp(wrong, "absent") == 0; i++)
		em[i] |= 1;
}

static void
make_oaep(const char *wrong, uint8_t *em)
{
	uint8_t db[DB];

	encode_oaep_db(db, EM, strcmp(wrong, "long") == 0 ? DB - ENCODE_HASH - 1 : 48);
	if (strcmp(wrong, "hash") == 0)
		db[0] ^= 1;
	else if (strcmp(wrong, "hash-end") == 0)
		db[ENCODE_HASH - 1] ^= 1;
	else if (strcmp(wrong, "zeros") == 0)
		db[ENCODE_HASH + 3] = 0x80;
	else if (strcmp(wrong, "two") == 0)
		db[DB - 49] = 2;
	else if (strcmp(wrong, "absent") == 0)
		memset(db + ENCODE_HASH, 0, DB - ENCODE_HASH);
	encode_oaep(em, EM, strcmp(wrong, "first") == 0, db);
}

/* Makes a ciphertext. */
static void
make(bool oaep, const char *wrong, uint8_t *cipher)
{
	struct accel_hw_pk_command cmd;
	struct pk_job job;
	uint8_t em[EM];

	if (oaep)
		make_oaep(wrong, em);
	else
		make_pkcs1(wrong, em);
	job = job_of(&cmd, ACCEL_HW_PK_ENCRYPT, ACCEL_HW_PK_PADDING_NONE, em, cipher);
	pk_run(&job);
	if (job.status != ACCEL_HW_OK)
		exit(1);
}

static uint16_t
decrypt(bool oaep, const uint8_t *cipher, double *seconds)
{
	struct accel_hw_pk_command cmd;
	struct timespec before, after;
	uint8_t out[EM];
	struct pk_job job = job_of(&cmd, ACCEL_HW_PK_DECRYPT,
			oaep ? ACCEL_HW_PK_PADDING_OAEP : ACCEL_HW_PK_PADDING_PKCS1, cipher, out);

	clock_gettime(CLOCK_MONOTONIC, &before);
	measured(&job);
	clock_gettime(CLOCK_MONOTONIC, &after);
	*seconds = (double)(after.tv_sec - before.tv_sec) +
			(double)(after.tv_nsec - before.tv_nsec) * 1e-9;
	return job.status;
}

/* Sums of the times of a kind */
struct sums {
	double nb;
	double sum;
	double squares;
};

static double
welch(const struct sums *a, const struct sums *b)
{
	double mean_a = a->sum / a->nb, mean_b = b->sum / b->nb;
	double var_a = a->squares / a->nb - mean_a * mean_a;
	double var_b = b->squares / b->nb - mean_b * mean_b;

	return (mean_a - mean_b) / sqrt(var_a / a->nb + var_b / b->nb);
}

/* Times above twice the fastest are those of interrupts, and are left out of each kind. */
static int
by_clock(bool oaep, unsigned int rounds)
{
	struct sums sums[8] = { 0 };
	double seconds, fastest = 1;
	uint8_t cipher[8][EM];

	for (unsigned int round = 0; round < rounds + 100; round++) {
		for (unsigned int i = 2; i < 8; i++)
			make(oaep, kinds[oaep][i], cipher[i]);
		for (unsigned int n = 0; n < 6; n++) {
			unsigned int i = 2 + (n + round) % 6;

			decrypt(oaep, cipher[i], &seconds);
			if (seconds < fastest)
				fastest = seconds;
			if (round < 100 || seconds > 2 * fastest)
				continue;
			sums[i].nb++;
			sums[i].sum += seconds;
			sums[i].squares += seconds * seconds;
		}
	}
	for (unsigned int i = 3; i < 8; i++)
		printf("%s: t = %.2f, %.0f times\n", kinds[oaep][i], welch(&sums[i], &sums[2]),
				sums[i].nb);
	return 0;
}

int
main(int argc, char **argv)
{
	uint8_t cipher[EM], first[EM];
	double seconds;
	uint16_t status;
	bool oaep;

	if (argc < 3)
		return 2;
	oaep = strcmp(argv[1], "oaep") == 0;
	rng_state = 16;
	if (!use_same_bytes() || (key = make_key()) == NULL)
		return 1;
	if (strcmp(argv[2], "clock") == 0)
		return argc == 4 ? by_clock(oaep, (unsigned int)atoi(argv[3])) : 2;
	make(oaep, "none", first);
	rng_state = argc == 4 ? strtoull(argv[3], NULL, 0) : 18;
	make(oaep, argv[2], cipher);
	/* The first one makes what OpenSSL keeps. It has the same blinding in each run. */
	rng_state = 17;
	decrypt(oaep, first, &seconds);
	status = decrypt(oaep, cipher, &seconds);
	pk_key_free(key);
	printf("%u\n", status);
	return 0;
}
