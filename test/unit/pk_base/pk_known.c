/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * For tests of the public-key engines: carries out the known answers of pk_file.h.
 */
#include "pk_base/pk_known.h"

struct pk_key *known_key;

/* Whether the library that is linked has the algorithm and the curve. */
static bool
pk_known_possible(const struct pk_known *known)
{
	const struct pk_caps *caps = pk_caps(known->alg);

	for (unsigned int i = 0; caps != NULL && i < caps->nb_curves; i++) {
		if (caps->curve[i] == known->curve)
			return true;
	}
	return caps != NULL && caps->nb_curves == 0;
}

/* False if the components are no key, and were not to be one. */
static bool
pk_known_key_make(struct pk_known *known)
{
	const struct text *component[ACCEL_HW_PK_COMPONENTS];
	uint16_t status;

	for (unsigned int i = 0; i < ACCEL_HW_PK_COMPONENTS; i++)
		component[i] = known->has_component[i] ? &known->component[i] : NULL;
	pk_key_free(known_key);
	known_key = pk_key_try(known->alg, known->curve, component, ACCEL_HW_PK_COMPONENTS,
			&status);
	if (known_key == NULL && status != known->status)
		pk_known_wrong(known, "the key's status", status, known->status);
	known->new_key = known_key == NULL;
	return known_key != NULL;
}

bool
pk_carry_out(struct pk_known *known)
{
	struct accel_hw_pk_command cmd = pk_command(known->operation);
	const struct text *operand[ACCEL_HW_PK_OPERANDS];
	struct answer answer;

	if (!pk_known_possible(known))
		return false;
	if (known->new_key && !pk_known_key_make(known))
		return true;
	for (unsigned int i = 0; i < ACCEL_HW_PK_OPERANDS; i++)
		operand[i] = &known->operand[i];
	cmd.padding = (uint8_t)known->padding;
	cmd.hash = (uint8_t)known->hash;
	cmd.mgf_hash = (uint8_t)known->mgf_hash;
	cmd.variant = (uint8_t)known->variant;
	cmd.salt_len = (uint16_t)known->salt_len;
	answer = pk_do(known_key, cmd, operand, ACCEL_HW_PK_OPERANDS);
	pk_known_compare(known, answer.status, answer.data, answer.produced);
	return true;
}
