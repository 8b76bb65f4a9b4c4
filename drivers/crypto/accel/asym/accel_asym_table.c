/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the table of manual 8.8 with the fields of rte_cryptodev: see accel_asym_table.h.
 */
#include <assert.h>
#include <stddef.h>

#include "accel_asym_table.h"
#include "accel_compat.h"
#include "hw/accel_hw.h"

#define AT(field) offsetof(struct rte_crypto_asym_op, field)
#define IN(field) { AT(field), ASYM_IN_PLAIN }
#define IN_BEFORE_24_11(field) { ACCEL_ASYM_UNTIL_24_11(field), ASYM_IN_PLAIN }
#define IN_PEER(field, coordinate) { AT(field), ASYM_IN_PEER_##coordinate }
#define NO_IN { ACCEL_ASYM_ABSENT, ASYM_IN_PLAIN } /* the context has it */
#define LABEL { ACCEL_ASYM_ABSENT, ASYM_IN_LABEL }
#define OUT(field, size, special) { AT(field), ACCEL_ASYM_##size, ASYM_OUT_##special }
#define DROP(size) { ACCEL_ASYM_ABSENT, ACCEL_ASYM_##size, ASYM_OUT_DROPPED }

const struct accel_asym_form accel_asym_forms[ACCEL_ASYM_ROWS] = {
	[ACCEL_ASYM_RSA_ENCRYPT] = {
		ACCEL_HW_PK_ENCRYPT, 2, 1,
		.field = ASYM_FIELD_PADDING,
		.in = { IN(rsa.message), LABEL },
		.out = { OUT(rsa.cipher, MODULUS, EXACT) },
	},
	[ACCEL_ASYM_RSA_DECRYPT] = {
		ACCEL_HW_PK_DECRYPT, 2, 1,
		.field = ASYM_FIELD_PADDING,
		.in = { IN(rsa.cipher), LABEL },
		.out = { OUT(rsa.message, MODULUS, VARIES) },
	},
	[ACCEL_ASYM_RSA_SIGN] = {
		ACCEL_HW_PK_SIGN, 1, 1,
		.field = ASYM_FIELD_PADDING,
		.in = { IN(rsa.message) },
		.out = { OUT(rsa.sign, MODULUS, EXACT) },
	},
	[ACCEL_ASYM_RSA_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 2, 0,
		.field = ASYM_FIELD_PADDING,
		.instead = ACCEL_ASYM_RSA_RECOVER, .instead_when = ASYM_UNPADDED,
		.in = { IN(rsa.message), IN(rsa.sign) },
	},
	[ACCEL_ASYM_RSA_RECOVER] = {
		ACCEL_HW_PK_ENCRYPT, 1, 1,
		.in = { IN(rsa.sign) },
		.out = { OUT(rsa.cipher, MODULUS, RECOVERED) },
	},
	[ACCEL_ASYM_MODEX] = {
		ACCEL_HW_PK_COMPUTE, 1, 1,
		.in = { IN(modex.base) },
		.out = { OUT(modex.result, MODULUS, NUMBER) },
	},
	[ACCEL_ASYM_MODINV] = {
		ACCEL_HW_PK_COMPUTE, 1, 1,
		.in = { IN(modinv.base) },
		.out = { OUT(modinv.result, MODULUS, NUMBER) },
	},
	[ACCEL_ASYM_DH_PRIVATE] = {
		ACCEL_HW_PK_GENERATE, 0, 2,
		.out = { OUT(dh.priv_key, MODULUS, NUMBER), DROP(MODULUS) },
	},
	[ACCEL_ASYM_DH_PUBLIC] = {
		ACCEL_HW_PK_PUBLIC, 1, 1,
		.instead = ACCEL_ASYM_DH_PAIR, .instead_when = ASYM_WITHOUT_PRIVATE,
		.in = { IN(dh.priv_key) },
		.out = { OUT(dh.pub_key, MODULUS, PUBLIC) },
	},
	[ACCEL_ASYM_DH_PAIR] = {
		ACCEL_HW_PK_GENERATE, 0, 2,
		.out = { OUT(dh.priv_key, MODULUS, OPTIONAL), OUT(dh.pub_key, MODULUS, PUBLIC) },
	},
	[ACCEL_ASYM_DH_SHARED] = {
		ACCEL_HW_PK_SHARED, 2, 1,
		.in = { IN(dh.priv_key), IN(dh.pub_key) },
		.out = { OUT(dh.shared_secret, MODULUS, SHARED) },
	},
	[ACCEL_ASYM_DSA_SIGN] = {
		ACCEL_HW_PK_SIGN, 2, 2,
		.in = { IN(dsa.message), IN(dsa.k) },
		.out = { OUT(dsa.r, ORDER, NUMBER), OUT(dsa.s, ORDER, NUMBER) },
	},
	[ACCEL_ASYM_DSA_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 4, 0,
		.in = { IN(dsa.message), IN(dsa.r), IN(dsa.s), IN(dsa.y) },
	},
	[ACCEL_ASYM_ECDSA_SIGN] = {
		ACCEL_HW_PK_SIGN, 3, 2,
		.in = { IN(ecdsa.message), IN_BEFORE_24_11(ecdsa.pkey), IN(ecdsa.k) },
		.out = { OUT(ecdsa.r, ORDER, NUMBER), OUT(ecdsa.s, ORDER, NUMBER) },
	},
	[ACCEL_ASYM_ECDSA_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 5, 0,
		.in = { IN(ecdsa.message), IN(ecdsa.r), IN(ecdsa.s), IN_BEFORE_24_11(ecdsa.q.x),
			IN_BEFORE_24_11(ecdsa.q.y) },
	},
	[ACCEL_ASYM_ECDH_PRIVATE] = {
		ACCEL_HW_PK_GENERATE, 0, 3,
		.out = { OUT(ecdh.priv_key, ORDER, NUMBER), DROP(FIELD), DROP(FIELD) },
	},
	[ACCEL_ASYM_ECDH_PUBLIC] = {
		ACCEL_HW_PK_PUBLIC, 1, 2,
		.instead = ACCEL_ASYM_ECDH_PAIR, .instead_when = ASYM_WITHOUT_PRIVATE,
		.in = { IN(ecdh.priv_key) },
		.out = { OUT(ecdh.pub_key.x, FIELD, PUBLIC), OUT(ecdh.pub_key.y, FIELD, PUBLIC) },
	},
	[ACCEL_ASYM_ECDH_PAIR] = {
		ACCEL_HW_PK_GENERATE, 0, 3,
		.out = { OUT(ecdh.priv_key, ORDER, OPTIONAL), OUT(ecdh.pub_key.x, FIELD, PUBLIC),
			 OUT(ecdh.pub_key.y, FIELD, PUBLIC) },
	},
	[ACCEL_ASYM_ECDH_SHARED] = {
		ACCEL_HW_PK_SHARED, 3, 2,
		.in = { IN(ecdh.priv_key), IN_PEER(ecdh.pub_key.x, X),
			IN_PEER(ecdh.pub_key.y, Y) },
		.out = { OUT(ecdh.shared_secret.x, FIELD, SHARED),
			 OUT(ecdh.shared_secret.y, FIELD, OPTIONAL) },
	},
	[ACCEL_ASYM_ECDH_CHECK] = {
		ACCEL_HW_PK_CHECK, 2, 0,
		.in = { IN_PEER(ecdh.pub_key.x, X), IN_PEER(ecdh.pub_key.y, Y) },
	},
	[ACCEL_ASYM_EC_MUL] = {
		ACCEL_HW_PK_COMPUTE, 3, 2,
		.in = { IN(ecpm.scalar), IN(ecpm.p.x), IN(ecpm.p.y) },
		.out = { OUT(ecpm.r.x, FIELD, NUMBER), OUT(ecpm.r.y, FIELD, NUMBER) },
	},
	[ACCEL_ASYM_EC_FIXED] = {
		ACCEL_HW_PK_PUBLIC, 1, 2,
		.in = { IN(ecpm.scalar) },
		.out = { OUT(ecpm.r.x, FIELD, NUMBER), OUT(ecpm.r.y, FIELD, NUMBER) },
	},
	ACCEL_SINCE_24_11([ACCEL_ASYM_SM2_ENCRYPT] = {
		ACCEL_HW_PK_ENCRYPT, 4, 1,
		.field = ASYM_FIELD_SM2_HASH,
		.in = { IN(sm2.message), NO_IN, NO_IN, IN(sm2.k) },
		.out = { OUT(sm2.cipher, FIELD, CIPHERTEXT) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_SM2_DECRYPT] = {
		ACCEL_HW_PK_DECRYPT, 0, 1,
		.field = ASYM_FIELD_SM2_CIPHERTEXT,
		.in = { IN(sm2.cipher) },
		.out = { OUT(sm2.message, FIELD, VARIES) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_SM2_SIGN] = {
		ACCEL_HW_PK_SIGN, 4, 2,
		.field = ASYM_FIELD_SM2_HASH,
		.in = { IN(sm2.message), IN(sm2.id), NO_IN, IN(sm2.k) },
		.out = { OUT(sm2.r, ORDER, NUMBER), OUT(sm2.s, ORDER, NUMBER) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_SM2_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 4, 0,
		.field = ASYM_FIELD_SM2_HASH,
		.in = { IN(sm2.message), IN(sm2.r), IN(sm2.s), IN(sm2.id) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_EDDSA_SIGN] = {
		ACCEL_HW_PK_SIGN, 2, 1,
		.field = ASYM_FIELD_VARIANT,
		.in = { IN(eddsa.message), IN(eddsa.context) },
		.out = { OUT(eddsa.sign, SIGNATURE, EXACT) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_EDDSA_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 3, 0,
		.field = ASYM_FIELD_VARIANT,
		.in = { IN(eddsa.message), IN(eddsa.sign), IN(eddsa.context) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_EDDSA_PRIVATE] = {
		ACCEL_HW_PK_GENERATE, 0, 2,
		.out = { OUT(ecdh.priv_key, ORDER, EXACT), DROP(FIELD) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_EDDSA_PUBLIC] = {
		ACCEL_HW_PK_PUBLIC, 1, 1,
		.field = ASYM_FIELD_COMPRESSED,
		.instead = ACCEL_ASYM_EDDSA_PAIR, .instead_when = ASYM_WITHOUT_PRIVATE,
		.in = { IN(ecdh.priv_key) },
		.out = { OUT(ecdh.pub_key.x, FIELD, EXACT) },
	})
	ACCEL_SINCE_24_11([ACCEL_ASYM_EDDSA_PAIR] = {
		ACCEL_HW_PK_GENERATE, 0, 2,
		.field = ASYM_FIELD_COMPRESSED,
		.out = { OUT(ecdh.priv_key, ORDER, EXACT), OUT(ecdh.pub_key.x, FIELD, EXACT) },
	})
	ACCEL_SINCE_25_11([ACCEL_ASYM_ML_KEM_PAIR] = {
		ACCEL_HW_PK_GENERATE, 2, 2,
		.field = ASYM_FIELD_ML_KEM_SEED,
		.in = { IN(mlkem.keygen.d), IN(mlkem.keygen.z) },
		.out = { OUT(mlkem.keygen.dk, PRIVATE_KEY, EXACT),
			 OUT(mlkem.keygen.ek, PUBLIC_KEY, EXACT) },
	})
	ACCEL_SINCE_25_11([ACCEL_ASYM_ML_KEM_ENCAPS] = {
		ACCEL_HW_PK_ENCAPS, 2, 2,
		.in = { IN(mlkem.encap.ek), IN(mlkem.encap.message) },
		.out = { OUT(mlkem.encap.cipher, KEM_CIPHERTEXT, EXACT),
			 OUT(mlkem.encap.sk, KEM_SHARED, EXACT) },
	})
	ACCEL_SINCE_25_11([ACCEL_ASYM_ML_KEM_DECAPS] = {
		ACCEL_HW_PK_DECAPS, 2, 1,
		.in = { IN(mlkem.decap.cipher), IN(mlkem.decap.dk) },
		.out = { OUT(mlkem.decap.sk, KEM_SHARED, EXACT) },
	})
	ACCEL_SINCE_25_11([ACCEL_ASYM_ML_KEM_CHECK] = {
		ACCEL_HW_PK_CHECK, 1, 0,
		.field = ASYM_FIELD_ML_KEM_KEY,
		.in = { IN(mlkem.keyver.key) },
	})
	ACCEL_SINCE_25_11([ACCEL_ASYM_ML_DSA_PAIR] = {
		ACCEL_HW_PK_GENERATE, 1, 2,
		.in = { IN(mldsa.keygen.seed) },
		.out = { OUT(mldsa.keygen.privkey, PRIVATE_KEY, EXACT),
			 OUT(mldsa.keygen.pubkey, PUBLIC_KEY, EXACT) },
	})
	ACCEL_SINCE_25_11([ACCEL_ASYM_ML_DSA_SIGN] = {
		ACCEL_HW_PK_SIGN, 5, 1,
		.field = ASYM_FIELD_ML_DSA,
		.in = { IN(mldsa.siggen.message), IN(mldsa.siggen.ctx), IN(mldsa.siggen.privkey),
			{ AT(mldsa.siggen.seed), ASYM_IN_RND }, IN(mldsa.siggen.mu) },
		.out = { OUT(mldsa.siggen.sign, SIGNATURE, EXACT) },
	})
	ACCEL_SINCE_25_11([ACCEL_ASYM_ML_DSA_VERIFY] = {
		ACCEL_HW_PK_VERIFY, 5, 0,
		.field = ASYM_FIELD_ML_DSA,
		.in = { IN(mldsa.sigver.message), IN(mldsa.sigver.sign), IN(mldsa.sigver.ctx),
			IN(mldsa.sigver.pubkey), IN(mldsa.sigver.mu) },
	})
};

#if ACCEL_HAS_ML
static_assert(AT(rsa.op_type) == AT(mlkem.op) && AT(rsa.op_type) == AT(mldsa.op) &&
		      sizeof(enum rte_crypto_asym_op_type) ==
			      sizeof(enum rte_crypto_ml_kem_op_type) &&
		      sizeof(enum rte_crypto_asym_op_type) ==
			      sizeof(enum rte_crypto_ml_dsa_op_type),
	      "ACCEL_ASYM_CHOOSES");
#endif
/* In each of these structures the first word is the type of the operation, op_type or ke_type. */
static_assert(AT(rsa.op_type) == AT(dsa.op_type) && AT(rsa.op_type) == AT(ecdsa.op_type) &&
		      AT(rsa.op_type) == AT(dh.ke_type) && AT(rsa.op_type) == AT(ecdh.ke_type) &&
		      sizeof(enum rte_crypto_asym_op_type) == sizeof(enum rte_crypto_asym_ke_type),
	      "ACCEL_ASYM_CHOOSES");

uint32_t
accel_asym_op_types(const struct accel_asym_kind *kind, uint32_t operations)
{
	uint32_t mask = 0;
	unsigned int i;

	for (i = 0; i < ACCEL_ASYM_OPS; i++) {
		if (kind->row[i] != ACCEL_ASYM_NO_ROW &&
		    (operations >> accel_asym_forms[kind->row[i]].operation & 1) != 0)
			mask |= 1u << i;
	}
	return mask;
}
