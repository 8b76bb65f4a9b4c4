/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs an algorithm of the radio (radio/) with a key of memory that was never written, for
 * tools/py/answers/constant_time.py. valgrind reports each branch and each address that depends on
 * such memory, which are those that would tell of the key.
 *
 * radio-secret ALGORITHM cpu|c
 *   ALGORITHM  zuc-128, zuc-256: cipher and MACs; snow5g, zuc: NEA, NIA and NCA; table: a look-up
 *              in a table, which valgrind has to report
 *   cpu, c     with the CPU's instructions, or in C
 *   prints whether the instructions are used
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "radio/cpu.h"
#include "radio/nxa.h"
#include "radio/zuc.h"

#define LEN 1000u
#define IV_MAX 25u
#define MAC_MAX 16u

static uint8_t text[LEN], iv[IV_MAX], mac[MAC_MAX];

static void
run_zuc(const uint8_t *secret, uint16_t key_len)
{
	struct zuc_key key = { .len = key_len };

	memcpy(key.bytes, secret, key_len);
	zuc_crypt(&key, iv, text, text, LEN);
	for (unsigned int len = 4; len <= (key_len == ZUC_KEY_MAX ? MAC_MAX : 4); len *= 2)
		zuc_mac(&key, iv, text, 8 * LEN - 3, mac, len);
}

static void
run_nxa(const uint8_t *secret, enum nxa_stream stream)
{
	struct nxa_key key;

	nxa_set_key(&key, stream, secret, NULL);
	nxa_crypt(&key, iv, text, text, LEN);
	nxa_mac(&key, iv, text, LEN, mac);
	nxa_aead(&key, iv, text, 100, text, text, LEN, true, mac);
}

int
main(int argc, char **argv)
{
	static const uint8_t table[256] = { 1 };
	uint8_t *secret = malloc(NXA_KEY);

	if (argc != 3 || secret == NULL)
		return 2;
	__asm__ volatile("" : "+r"(secret)); /* The compiler shall not know that it is unwritten. */
	cpu_is_plain = strcmp(argv[2], "c") == 0;
	if (strcmp(argv[1], "zuc-128") == 0)
		run_zuc(secret, 16);
	else if (strcmp(argv[1], "zuc-256") == 0)
		run_zuc(secret, ZUC_KEY_MAX);
	else if (strcmp(argv[1], "snow5g") == 0)
		run_nxa(secret, NXA_SNOW5G);
	else if (strcmp(argv[1], "zuc") == 0)
		run_nxa(secret, NXA_ZUC);
	else if (strcmp(argv[1], "table") == 0)
		mac[0] = table[secret[0]];
	else
		return 2;
	__asm__ volatile("" : : "r"(mac), "r"(text) : "memory");
	puts(cpu_has_aes() ? "cpu" : "c");
	free(secret);
	return 0;
}
