/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Asymmetric transforms of newer versions of DPDK, with a card of which there is only what its tree
 * says: EdDSA, its keys in the transform of ECDH, ML-KEM and ML-DSA. With an older version there
 * are no such transforms.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "accel_asym_alg.h"
#include "accel_asym_op.h"
#include "accel_asym_session.h"
#include "accel_capability_list.h"
#include "accel_compat.h"
#include "driver_base/eal.h"

#define MAX_OPERAND 8192u
#define XFORM_EDDSA 12u /* numbers of types of transforms, which older versions lack */
#define XFORM_ML_KEM 13u
#define XFORM_ML_DSA 14u
#define BIT(n) (1u << (n))

static uint64_t bar[4 * ACCEL_HW_PAGE_SIZE / sizeof(uint64_t)];
static ACCEL_ATOMIC(uint32_t) generation;
static struct accel_dev dev;

static struct accel_dt_pk *
tree_of(unsigned int alg)
{
	return &dev.dt.pk_alg[alg - ACCEL_DT_PK_FIRST];
}

/* The card has all that the manual knows. */
static int
begin(void **state)
{
	(void)state;
	memset(&dev, 0, sizeof(dev));
	dev.bar = (uint8_t *)bar;
	dev.generation = &generation;
	dev.dt.invalidate = ACCEL_HW_PAGE_SIZE;
	dev.dt.pk = true;
	dev.dt.nb_pk_qps = 2;
	dev.dt.pk_key_size_max = 8192;
	dev.dt.pk_operand_size_max = MAX_OPERAND;
	*tree_of(ACCEL_HW_PK_ECDH) = (struct accel_dt_pk){
		.present = true, .operations = 0x1e, .curves = BIT(ACCEL_HW_CURVE_P256),
		.paddings = 1, .variants = 1,
	};
	*tree_of(ACCEL_HW_PK_EDDSA) = (struct accel_dt_pk){
		.present = true, .operations = 0x1e, .paddings = 1, .variants = 7,
		.curves = BIT(ACCEL_HW_CURVE_ED25519) | BIT(ACCEL_HW_CURVE_ED448),
	};
	*tree_of(ACCEL_HW_PK_ML_KEM) = (struct accel_dt_pk){
		.present = true, .operations = 0x1e, .paddings = 1, .variants = 1,
		.curves = BIT(ACCEL_HW_ML_KEM_512) | BIT(ACCEL_HW_ML_KEM_1024),
	};
	*tree_of(ACCEL_HW_PK_ML_DSA) = (struct accel_dt_pk){
		.present = true, .operations = 0x1a, .paddings = 1, .variants = 0xd,
		.curves = BIT(ACCEL_HW_ML_DSA_65),
		.hashes = UINT64_C(1) << (ACCEL_HW_AUTH_SHA512 - ACCEL_DT_AUTH_FIRST) |
			  UINT64_C(1) << (ACCEL_HW_AUTH_SHAKE_128 - ACCEL_DT_AUTH_FIRST),
	};
	return 0;
}

/* The capability for a type of transform; false if there is none. */
static bool
offered(unsigned int type, struct rte_cryptodev_asymmetric_xform_capability *cap)
{
	struct rte_cryptodev_capabilities caps[32];
	const unsigned int nb = accel_caps_asym(&dev.dt, caps);
	unsigned int i;

	for (i = 0; i < nb; i++) {
		*cap = caps[i].asym.xform_capa;
		if ((unsigned int)cap->xform_type == type)
			return true;
	}
	return false;
}

/* Numbers of parameter sets, which no version changes. */
static void
test_sets(void **state)
{
	unsigned int alg, type, nb = 0;

	(void)state;
	for (alg = ACCEL_HW_PK_ML_KEM; alg <= ACCEL_HW_PK_ML_DSA; alg++) {
		for (type = 0; type < 10; type++) {
			const struct accel_ml_set *set = accel_ml_set_of(alg, type);

			assert_int_equal(set != NULL, type >= 1 && type <= 3);
			if (set == NULL)
				continue;
			assert_int_equal(set->hw, ACCEL_HW_ML_KEM_512 + nb++);
			assert_int_equal(accel_ml_types(alg, BIT(set->hw)), BIT(type));
			assert_int_equal(accel_ml_types(alg, ~BIT(set->hw)), 0xe & ~BIT(type));
		}
	}
	assert_int_equal(nb, 6);
	assert_null(accel_ml_set_of(ACCEL_HW_PK_EDDSA, 1));
	assert_int_equal(accel_ml_types(ACCEL_HW_PK_EDDSA, UINT32_MAX), 0);
}

static void
test_offered(void **state)
{
	struct rte_cryptodev_asymmetric_xform_capability cap;

	(void)state;
	assert_true(offered(RTE_CRYPTO_ASYM_XFORM_ECDH, &cap));
	assert_int_equal(cap.op_types, 0xf);
	assert_int_equal(offered(XFORM_EDDSA, &cap), ACCEL_HAS_EDDSA);
	assert_int_equal(offered(XFORM_ML_KEM, &cap), ACCEL_HAS_ML);
	assert_int_equal(offered(XFORM_ML_DSA, &cap), ACCEL_HAS_ML);
	assert_false(offered(ACCEL_ASYM_EDDSA_KEYS, &cap));
	tree_of(ACCEL_HW_PK_EDDSA)->present = false;
	tree_of(ACCEL_HW_PK_ML_KEM)->present = false;
	tree_of(ACCEL_HW_PK_ML_DSA)->curves = BIT(ACCEL_HW_ML_KEM_512); /* not one of its sets */
	assert_false(offered(XFORM_EDDSA, &cap));
	assert_false(offered(XFORM_ML_KEM, &cap));
	assert_false(offered(XFORM_ML_DSA, &cap));
}

#if ACCEL_HAS_EDDSA

static struct {
	struct rte_crypto_op op;
	struct rte_crypto_asym_op asym;
} one;

static struct accel_asym_session sess;
static struct accel_asym_plan plan;
static uint8_t buffer[8][128];
static uint8_t results[2][8192];

static int
make_session(const struct rte_crypto_asym_xform *xform)
{
	memset(&one, 0, sizeof(one));
	memset(&sess, 0, sizeof(sess));
	one.op.type = RTE_CRYPTO_OP_TYPE_ASYMMETRIC;
	return accel_asym_session_make(&dev, xform, &sess);
}

static void
end_session(void)
{
	accel_asym_session_wipe(&dev, &sess);
}

/* A parameter of len bytes, each of which is its number. */
static struct rte_crypto_param_t
param(unsigned int number, size_t len)
{
	memset(buffer[number], (int)number + 1, sizeof(buffer[number]));
	return (struct rte_crypto_param_t){ .data = buffer[number], .length = len };
}

static struct rte_crypto_param_t
place(unsigned int number)
{
	return (struct rte_crypto_param_t){ .data = results[number] };
}

static int
make_plan(void)
{
	return accel_asym_plan(&one.op, &sess, MAX_OPERAND, 0, &plan);
}

/* Checks operation, variant, lengths of operands, the operands themselves, and the results. */
static void
expect(unsigned int operation, unsigned int variant, const uint32_t *lengths, unsigned int nb,
       uint32_t out_len)
{
	const struct accel_hw_pk_command *cmd = &plan.command;
	uint32_t total = 0;
	unsigned int i;

	assert_int_equal(make_plan(), 0);
	assert_int_equal(cmd->opcode, ACCEL_HW_OP_PK);
	assert_int_equal(rte_le_to_cpu_16(cmd->operation), operation);
	assert_int_equal(cmd->variant, variant);
	assert_int_equal(rte_le_to_cpu_64(cmd->context), sess.iova);
	assert_int_equal(cmd->flags, out_len == 0 ? ACCEL_HW_CMD_NO_RX : 0);
	for (i = 0; i < ACCEL_HW_PK_OPERANDS; i++) {
		assert_int_equal(rte_le_to_cpu_32(cmd->operand[i]), i < nb ? lengths[i] : 0);
		total += i < nb ? lengths[i] : 0;
	}
	assert_int_equal(plan.in_len, total);
	assert_int_equal(plan.out_len, out_len);
}

#define EXPECT(operation, variant, out, ...)                                                       \
	expect(operation, variant, (const uint32_t[]){ 0, ##__VA_ARGS__ } + 1,                     \
	       RTE_DIM(((const uint32_t[]){ 0, ##__VA_ARGS__ })) - 1, out)

static struct rte_crypto_asym_xform
ec_xform(enum rte_crypto_asym_xform_type type, enum rte_crypto_curve_id curve, size_t private_len)
{
	struct rte_crypto_asym_xform x = { .xform_type = type };

	x.ec.curve_id = curve;
	x.ec.pkey = param(7, private_len);
	return x;
}

/* DPDK's tests of SM2 do not run an operation without a flag for it. */
static void
test_sm2_capability(void **state)
{
	struct rte_cryptodev_asymmetric_xform_capability cap;
	unsigned int i;

	(void)state;
	*tree_of(ACCEL_HW_PK_SM2) = (struct accel_dt_pk){
		.present = true, .operations = 0x1e, .curves = BIT(ACCEL_HW_CURVE_SM2),
		.paddings = 1, .variants = 1,
	};
	assert_true(offered(RTE_CRYPTO_ASYM_XFORM_SM2, &cap));
	for (i = 0; i < RTE_CRYPTO_ASYM_OP_LIST_END; i++) {
		const bool hashes = i == RTE_CRYPTO_ASYM_OP_SIGN || i == RTE_CRYPTO_ASYM_OP_VERIFY;

		assert_int_equal(cap.op_capa[i], BIT(RTE_CRYPTO_SM2_RNG) |
				 (hashes ? BIT(RTE_CRYPTO_SM2_PH) : 0));
	}
}

/* Which variant an instance is, with a context and without. -1: the curve does not have it. */
static const struct {
	enum rte_crypto_curve_id curve;
	enum rte_crypto_edward_instance instance;
	int variant, variant_with_context;
} instances[] = {
	{ RTE_CRYPTO_EC_GROUP_ED25519, RTE_CRYPTO_EDCURVE_25519, 0, 0 },
	{ RTE_CRYPTO_EC_GROUP_ED25519, RTE_CRYPTO_EDCURVE_25519CTX, 1, 1 },
	{ RTE_CRYPTO_EC_GROUP_ED25519, RTE_CRYPTO_EDCURVE_25519PH, 2, 2 },
	{ RTE_CRYPTO_EC_GROUP_ED25519, RTE_CRYPTO_EDCURVE_448, -1, -1 },
	{ RTE_CRYPTO_EC_GROUP_ED25519, RTE_CRYPTO_EDCURVE_448PH, -1, -1 },
	{ RTE_CRYPTO_EC_GROUP_ED448, RTE_CRYPTO_EDCURVE_448, 0, 1 },
	{ RTE_CRYPTO_EC_GROUP_ED448, RTE_CRYPTO_EDCURVE_448PH, 2, 2 },
	{ RTE_CRYPTO_EC_GROUP_ED448, RTE_CRYPTO_EDCURVE_25519, -1, -1 },
	{ RTE_CRYPTO_EC_GROUP_ED448, RTE_CRYPTO_EDCURVE_25519CTX, -1, -1 },
	{ RTE_CRYPTO_EC_GROUP_ED448, RTE_CRYPTO_EDCURVE_25519PH, -1, -1 },
	{ RTE_CRYPTO_EC_GROUP_ED448, (enum rte_crypto_edward_instance)5, -1, -1 },
};

static void
expect_signature(bool sign, unsigned int variant, uint32_t len, uint32_t context)
{
	if (sign)
		EXPECT(ACCEL_HW_PK_SIGN, variant, len, 5, context);
	else
		EXPECT(ACCEL_HW_PK_VERIFY, variant, 0, 5, len, context);
}

/* The card is never asked for a variant that its tree does not list. */
static void
test_instances(void **state)
{
	uint32_t variants;
	unsigned int i;

	(void)state;
	for (variants = 0; variants < 8; variants++) {
		for (i = 0; i < 4 * RTE_DIM(instances); i++) {
			const unsigned int row = i / 4;
			const bool large = instances[row].curve == RTE_CRYPTO_EC_GROUP_ED448;
			struct rte_crypto_asym_xform x =
				ec_xform(RTE_CRYPTO_ASYM_XFORM_EDDSA, instances[row].curve,
					 large ? 57 : 32);
			struct rte_crypto_eddsa_op_param *ed = &one.asym.eddsa;
			const int want = i % 2 == 0 ? instances[row].variant :
						      instances[row].variant_with_context;

			tree_of(ACCEL_HW_PK_EDDSA)->variants = variants;
			assert_int_equal(make_session(&x), 0);
			assert_int_equal(sess.context->curve, large ? ACCEL_HW_CURVE_ED448 :
								      ACCEL_HW_CURVE_ED25519);
			ed->instance = instances[row].instance;
			ed->message = param(0, 5);
			ed->sign = param(1, large ? 114 : 64);
			if (i % 2 != 0)
				ed->context = param(2, 7);
			ed->op_type = i % 4 < 2 ? RTE_CRYPTO_ASYM_OP_SIGN :
						  RTE_CRYPTO_ASYM_OP_VERIFY;
			if (want < 0 || (variants >> want & 1) == 0)
				assert_int_equal(make_plan(), -EINVAL);
			else
				expect_signature(i % 4 < 2, (unsigned int)want, large ? 114 : 64,
						 i % 2 != 0 ? 7 : 0);
			end_session();
		}
	}
}

/* The transform of ECDH with a curve of EdDSA. */
static void
test_eddsa_keys(void **state)
{
	struct rte_crypto_ecdh_op_param *dh = &one.asym.ecdh;
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		const uint16_t len = i == 0 ? 32 : 57;
		struct rte_crypto_asym_xform x =
			ec_xform(RTE_CRYPTO_ASYM_XFORM_ECDH,
				 i == 0 ? RTE_CRYPTO_EC_GROUP_ED25519 : RTE_CRYPTO_EC_GROUP_ED448,
				 0);

		assert_int_equal(make_session(&x), 0);
		assert_int_equal(rte_le_to_cpu_16(sess.context->alg), ACCEL_HW_PK_EDDSA);
		dh->ke_type = RTE_CRYPTO_ASYM_KE_PRIV_KEY_GENERATE;
		dh->priv_key = place(0);
		EXPECT(ACCEL_HW_PK_GENERATE, 0, 2u * len);
		dh->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
		dh->pub_key.x = place(1);
		assert_int_equal(make_plan(), -EINVAL); /* not compressed */
		one.asym.flags = RTE_CRYPTO_ASYM_FLAG_PUB_KEY_COMPRESSED;
		EXPECT(ACCEL_HW_PK_GENERATE, 0, 2u * len);
		dh->priv_key.data = NULL; /* a private key that nobody gets */
		assert_int_equal(make_plan(), -EINVAL);
		dh->priv_key = param(0, len);
		EXPECT(ACCEL_HW_PK_PUBLIC, 0, len, len);
		dh->pub_key.x.data = NULL;
		assert_int_equal(make_plan(), -EINVAL);
		for (; dh->ke_type < 4; dh->ke_type++) {
			if (dh->ke_type >= RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE)
				assert_int_equal(make_plan(), -EINVAL);
		}
		end_session();

		x.ec.pkey = param(7, len);
		buffer[7][0] = 0; /* a string, and no number */
		assert_int_equal(make_session(&x), 0);
		assert_int_equal(rte_le_to_cpu_16(sess.context->component[0]), len);
		one.asym.flags = RTE_CRYPTO_ASYM_FLAG_PUB_KEY_COMPRESSED;
		dh->ke_type = RTE_CRYPTO_ASYM_KE_PUB_KEY_GENERATE;
		dh->pub_key.x = place(1);
		EXPECT(ACCEL_HW_PK_PUBLIC, 0, len);
		/* The key is given as it is, with zeros before it. */
		memset(results[0], 0, len);
		assert_int_equal(accel_asym_deliver(&one.op, plan.row, results[0], plan.out_size,
						    len), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(dh->pub_key.x.length, len);
		dh->pub_key.x.length = len - 1u;
		assert_int_equal(accel_asym_deliver(&one.op, plan.row, results[0], plan.out_size,
						    len), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
		end_session();
	}
}

/* Cards that cannot make keys of EdDSA, or lack it. */
static void
test_no_eddsa_keys(void **state)
{
	struct rte_crypto_asym_xform x =
		ec_xform(RTE_CRYPTO_ASYM_XFORM_ECDH, RTE_CRYPTO_EC_GROUP_ED25519, 32);

	(void)state;
	tree_of(ACCEL_HW_PK_EDDSA)->operations = BIT(ACCEL_HW_PK_SIGN) | BIT(ACCEL_HW_PK_VERIFY);
	assert_int_equal(make_session(&x), -ENOTSUP);
	tree_of(ACCEL_HW_PK_EDDSA)->operations = 0x1e;
	tree_of(ACCEL_HW_PK_EDDSA)->curves = BIT(ACCEL_HW_CURVE_ED448);
	assert_int_equal(make_session(&x), -ENOTSUP);
	tree_of(ACCEL_HW_PK_EDDSA)->present = false;
	assert_int_equal(make_session(&x), -ENOTSUP);
	x.ec.curve_id = RTE_CRYPTO_EC_GROUP_SECP256R1;
	assert_int_equal(make_session(&x), 0);
	assert_int_equal(rte_le_to_cpu_16(sess.context->alg), ACCEL_HW_PK_ECDH);
	end_session();
	tree_of(ACCEL_HW_PK_ECDH)->operations = 0;
	assert_int_equal(make_session(&x), -ENOTSUP);
}

#endif /* ACCEL_HAS_EDDSA */

#if ACCEL_HAS_ML
/* The gathered operands: bytes of each one's number, or of 0. */
static void
expect_gathered(const char *runs)
{
	static uint8_t to[MAX_OPERAND];
	uint32_t at = 0;

	memset(to, 0xee, sizeof(to));
	accel_asym_gather(&plan, to);
	for (; *runs != '\0'; runs += 3) { /* a digit and two of a length */
		const uint8_t value = (uint8_t)(runs[0] - '0');
		uint32_t len = (uint32_t)(runs[1] - '0') * 10 + (uint32_t)(runs[2] - '0');

		for (; len > 0; len--)
			assert_int_equal(to[at++], value);
	}
	assert_int_equal(at, plan.in_len);
	assert_int_equal(to[at], 0xee);
}


static bool prehash; /* of the sessions of ML-DSA */

static int
ml_kem_session(enum rte_crypto_ml_kem_type type)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ML_KEM };

	x.mlkem.type = type;
	return make_session(&x);
}

static int
ml_dsa_session(enum rte_crypto_ml_dsa_type type, bool deterministic)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ML_DSA };

	x.mldsa.sign_prehash = prehash;
	x.mldsa.type = type;
	x.mldsa.sign_deterministic = deterministic;
	return make_session(&x);
}

static void
test_ml_capabilities(void **state)
{
	struct rte_cryptodev_asymmetric_xform_capability cap;

	(void)state;
	assert_true(offered(RTE_CRYPTO_ASYM_XFORM_ML_KEM, &cap));
	assert_int_equal(cap.op_types, BIT(RTE_CRYPTO_ML_KEM_OP_KEYGEN) |
			 BIT(RTE_CRYPTO_ML_KEM_OP_KEYVER) | BIT(RTE_CRYPTO_ML_KEM_OP_ENCAP) |
			 BIT(RTE_CRYPTO_ML_KEM_OP_DECAP));
	assert_int_equal(cap.mlkem_capa[RTE_CRYPTO_ML_KEM_OP_KEYGEN],
			 BIT(RTE_CRYPTO_ML_KEM_512) | BIT(RTE_CRYPTO_ML_KEM_1024));
	assert_int_equal(cap.mlkem_capa[RTE_CRYPTO_ML_KEM_OP_KEYVER],
			 BIT(RTE_CRYPTO_ML_KEM_512) | BIT(RTE_CRYPTO_ML_KEM_1024));
	assert_int_equal(cap.mlkem_capa[RTE_CRYPTO_ML_KEM_OP_DECAP],
			 BIT(RTE_CRYPTO_ML_KEM_512) | BIT(RTE_CRYPTO_ML_KEM_1024));
	tree_of(ACCEL_HW_PK_ML_KEM)->operations = 0xe; /* a card of contract 1.5 */
	assert_true(offered(RTE_CRYPTO_ASYM_XFORM_ML_KEM, &cap));
	assert_int_equal(cap.op_types & BIT(RTE_CRYPTO_ML_KEM_OP_KEYVER), 0);
	assert_int_equal(cap.mlkem_capa[RTE_CRYPTO_ML_KEM_OP_KEYVER], 0);
	assert_true(offered(RTE_CRYPTO_ASYM_XFORM_ML_DSA, &cap));
	assert_int_equal(cap.op_types, 7);
	assert_int_equal(cap.hash_algos, UINT64_C(1) << RTE_CRYPTO_AUTH_SHA512 |
			 UINT64_C(1) << RTE_CRYPTO_AUTH_SHAKE_128);
	assert_int_equal(cap.mldsa_capa[RTE_CRYPTO_ML_DSA_OP_SIGN], BIT(RTE_CRYPTO_ML_DSA_65));
	tree_of(ACCEL_HW_PK_ML_DSA)->operations = BIT(ACCEL_HW_PK_VERIFY);
	assert_true(offered(RTE_CRYPTO_ASYM_XFORM_ML_DSA, &cap));
	assert_int_equal(cap.op_types, BIT(RTE_CRYPTO_ML_DSA_OP_VERIFY));
	assert_int_equal(cap.mldsa_capa[RTE_CRYPTO_ML_DSA_OP_SIGN], 0);
}

static void
test_ml_sessions(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ML_DSA };

	(void)state;
	assert_int_equal(ml_kem_session(RTE_CRYPTO_ML_KEM_NONE), -ENOTSUP);
	assert_int_equal(ml_kem_session(RTE_CRYPTO_ML_KEM_768), -ENOTSUP);
	assert_int_equal(ml_kem_session((enum rte_crypto_ml_kem_type)4), -ENOTSUP);
	assert_int_equal(ml_kem_session(RTE_CRYPTO_ML_KEM_1024), 0);
	assert_int_equal(sess.context->curve, ACCEL_HW_ML_KEM_1024);
	assert_int_equal(rte_le_to_cpu_16(sess.context->alg), ACCEL_HW_PK_ML_KEM);
	assert_int_equal(sess.context->key_len, 0);
	end_session();
	assert_int_equal(ml_dsa_session(RTE_CRYPTO_ML_DSA_44, false), -ENOTSUP);
	assert_int_equal(ml_dsa_session(RTE_CRYPTO_ML_DSA_65, false), 0);
	assert_int_equal(sess.context->curve, ACCEL_HW_ML_DSA_65);
	end_session();
	x.mldsa.type = RTE_CRYPTO_ML_DSA_65;
	x.mldsa.sign_prehash = true;
	assert_int_equal(make_session(&x), 0);
	end_session();
	tree_of(ACCEL_HW_PK_ML_DSA)->hashes = 0;
	assert_int_equal(make_session(&x), -ENOTSUP);
	tree_of(ACCEL_HW_PK_ML_DSA)->hashes = 1;
	tree_of(ACCEL_HW_PK_ML_DSA)->variants = 9; /* a card of contract 1.5 */
	assert_int_equal(make_session(&x), -ENOTSUP);
	tree_of(ACCEL_HW_PK_ML_KEM)->present = false;
	assert_int_equal(ml_kem_session(RTE_CRYPTO_ML_KEM_512), -ENOTSUP);
}

static void
test_ml_kem(void **state)
{
	struct rte_crypto_ml_kem_op *kem = &one.asym.mlkem;

	(void)state;
	assert_int_equal(ml_kem_session(RTE_CRYPTO_ML_KEM_1024), 0);
	kem->op = RTE_CRYPTO_ML_KEM_OP_KEYGEN;
	kem->keygen.dk = place(0);
	kem->keygen.ek = place(1);
	EXPECT(ACCEL_HW_PK_GENERATE, 0, 3168 + 1568);
	kem->keygen.d = param(0, 32);
	assert_int_equal(make_plan(), -EINVAL);
	kem->keygen.z = param(1, 31);
	assert_int_equal(make_plan(), -EINVAL);
	kem->keygen.d.length = 33; /* both have as many bytes as a seed */
	assert_int_equal(make_plan(), -EINVAL);
	kem->keygen.d = param(0, 32);
	kem->keygen.z = param(1, 32);
	EXPECT(ACCEL_HW_PK_GENERATE, 0, 3168 + 1568, 64);
	expect_gathered("132" "232");
	assert_int_equal(accel_asym_deliver(&one.op, plan.row, (uint8_t *)bar, plan.out_size,
					    3168 + 1568), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(kem->keygen.dk.length, 3168);
	assert_int_equal(kem->keygen.ek.length, 1568);
	kem->keygen.ek.data = NULL;
	assert_int_equal(make_plan(), -EINVAL);

	memset(kem, 0, sizeof(*kem));
	kem->op = RTE_CRYPTO_ML_KEM_OP_ENCAP;
	kem->encap.ek = param(0, 40);
	kem->encap.cipher = place(0);
	kem->encap.sk = place(1);
	EXPECT(ACCEL_HW_PK_ENCAPS, 0, 1568 + 32, 40);
	kem->encap.message = param(1, 32);
	EXPECT(ACCEL_HW_PK_ENCAPS, 0, 1568 + 32, 40, 32);
	expect_gathered("140" "232");
	kem->encap.sk.data = NULL;
	assert_int_equal(make_plan(), -EINVAL);

	memset(kem, 0, sizeof(*kem));
	kem->op = RTE_CRYPTO_ML_KEM_OP_DECAP;
	kem->decap.cipher = param(0, 50);
	kem->decap.dk = param(1, 60);
	kem->decap.sk = place(0);
	EXPECT(ACCEL_HW_PK_DECAPS, 0, 32, 50, 60);
	expect_gathered("150" "260");

	memset(kem, 0, sizeof(*kem));
	kem->op = RTE_CRYPTO_ML_KEM_OP_KEYVER;
	kem->keyver.op = RTE_CRYPTO_ML_KEM_OP_ENCAP;
	assert_int_equal(make_plan(), -EINVAL); /* no key */
	kem->keyver.key = param(0, 70);
	EXPECT(ACCEL_HW_PK_CHECK, 0, 0, 70);
	expect_gathered("170");
	kem->keyver.op = RTE_CRYPTO_ML_KEM_OP_DECAP;
	EXPECT(ACCEL_HW_PK_CHECK, 0, 0, 0, 70);
	expect_gathered("170");
	kem->keyver.op = RTE_CRYPTO_ML_KEM_OP_KEYGEN;
	assert_int_equal(make_plan(), -EINVAL);
	kem->keyver.op = RTE_CRYPTO_ML_KEM_OP_KEYVER;
	assert_int_equal(make_plan(), -EINVAL);
	kem->keyver.op = RTE_CRYPTO_ML_KEM_OP_ENCAP;
	kem->keyver.key.length = MAX_OPERAND + 1;
	assert_int_equal(make_plan(), -EINVAL);
	/* The verdict is the status of the operation. */
	assert_int_equal(accel_asym_status(ACCEL_ASYM_ML_KEM_CHECK, ACCEL_HW_OK),
			 RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(accel_asym_status(ACCEL_ASYM_ML_KEM_CHECK, ACCEL_HW_AUTH_FAILED),
			 RTE_CRYPTO_OP_STATUS_ERROR);
	kem->op = RTE_CRYPTO_ML_KEM_OP_END;
	assert_int_equal(make_plan(), -EINVAL);
	end_session();
}

static void
test_ml_dsa_sign(void **state)
{
	struct rte_crypto_ml_dsa_op *dsa = &one.asym.mldsa;

	(void)state;
	assert_int_equal(ml_dsa_session(RTE_CRYPTO_ML_DSA_65, false), 0);
	dsa->op = RTE_CRYPTO_ML_DSA_OP_KEYGEN;
	dsa->keygen.privkey = place(0);
	dsa->keygen.pubkey = place(1);
	EXPECT(ACCEL_HW_PK_GENERATE, 0, 4032 + 1952);
	dsa->keygen.seed = param(0, 32);
	EXPECT(ACCEL_HW_PK_GENERATE, 0, 4032 + 1952, 32);

	memset(dsa, 0, sizeof(*dsa));
	dsa->op = RTE_CRYPTO_ML_DSA_OP_SIGN;
	dsa->siggen.privkey = param(2, 50);
	dsa->siggen.sign = place(0);
	EXPECT(ACCEL_HW_PK_SIGN, 0, 3309, 0, 0, 50); /* an empty message */
	dsa->siggen.message = param(0, 5);
	dsa->siggen.ctx = param(1, 6);
	EXPECT(ACCEL_HW_PK_SIGN, 0, 3309, 5, 6, 50);
	dsa->siggen.seed = param(3, 32);
	EXPECT(ACCEL_HW_PK_SIGN, 0, 3309, 5, 6, 50, 32);
	expect_gathered("105" "206" "350" "432");
	dsa->siggen.hash = RTE_CRYPTO_AUTH_SHA256;
	assert_int_equal(make_plan(), -EINVAL);
	dsa->siggen.hash = RTE_CRYPTO_AUTH_NULL;
	EXPECT(ACCEL_HW_PK_SIGN, 0, 3309, 5, 6, 50, 32);
	dsa->siggen.mu = param(4, 64);
	assert_int_equal(make_plan(), -EINVAL); /* the message, too */
	dsa->siggen.message.length = 0;
	assert_int_equal(make_plan(), -EINVAL); /* the context */
	dsa->siggen.ctx.length = 0;
	EXPECT(ACCEL_HW_PK_SIGN, ACCEL_HW_PK_MU, 3309, 64, 0, 50, 32);
	expect_gathered("564" "350" "432");
	sess.variants = 1;
	assert_int_equal(make_plan(), -EINVAL); /* a card without mu */
	end_session();

	assert_int_equal(ml_dsa_session(RTE_CRYPTO_ML_DSA_65, true), 0);
	dsa->op = RTE_CRYPTO_ML_DSA_OP_SIGN;
	dsa->siggen.privkey = param(2, 50);
	dsa->siggen.sign = place(0);
	dsa->siggen.message = param(0, 5);
	dsa->siggen.seed = param(3, 31);
	EXPECT(ACCEL_HW_PK_SIGN, 0, 3309, 5, 0, 50, 32);
	expect_gathered("105" "350" "032");
	dsa->siggen.seed.data = NULL;
	EXPECT(ACCEL_HW_PK_SIGN, 0, 3309, 5, 0, 50, 32);
	end_session();
}

static void
test_ml_dsa_verify(void **state)
{
	struct rte_crypto_ml_dsa_op *dsa = &one.asym.mldsa;

	(void)state;
	assert_int_equal(ml_dsa_session(RTE_CRYPTO_ML_DSA_65, false), 0);
	dsa->op = RTE_CRYPTO_ML_DSA_OP_VERIFY;
	dsa->sigver.message = param(0, 5);
	dsa->sigver.sign = param(1, 33);
	dsa->sigver.pubkey = param(3, 44);
	EXPECT(ACCEL_HW_PK_VERIFY, 0, 0, 5, 33, 0, 44);
	dsa->sigver.ctx = param(2, 6);
	EXPECT(ACCEL_HW_PK_VERIFY, 0, 0, 5, 33, 6, 44);
	expect_gathered("105" "233" "306" "444");
	dsa->sigver.hash = RTE_CRYPTO_AUTH_SHA3_512;
	assert_int_equal(make_plan(), -EINVAL);
	dsa->sigver.hash = (enum rte_crypto_auth_algorithm)0;
	dsa->sigver.mu = param(4, 64);
	assert_int_equal(make_plan(), -EINVAL);
	dsa->sigver.message.data = NULL;
	assert_int_equal(make_plan(), -EINVAL);
	dsa->sigver.ctx.data = NULL;
	EXPECT(ACCEL_HW_PK_VERIFY, ACCEL_HW_PK_MU, 0, 64, 33, 0, 44);
	expect_gathered("564" "233" "444");
	dsa->op = RTE_CRYPTO_ML_DSA_OP_END;
	assert_int_equal(make_plan(), -EINVAL);
	end_session();
}

/* A session with a prehash has a hash of the card's in each operation, or mu. */
static void
test_ml_dsa_prehash(void **state)
{
	struct rte_crypto_ml_dsa_op *dsa = &one.asym.mldsa;

	(void)state;
	prehash = true;
	assert_int_equal(ml_dsa_session(RTE_CRYPTO_ML_DSA_65, true), 0);
	prehash = false;
	dsa->op = RTE_CRYPTO_ML_DSA_OP_SIGN;
	dsa->siggen.privkey = param(2, 50);
	dsa->siggen.sign = place(0);
	dsa->siggen.message = param(0, 5);
	dsa->siggen.ctx = param(1, 6);
	assert_int_equal(make_plan(), -EINVAL); /* no hash */
	dsa->siggen.hash = RTE_CRYPTO_AUTH_NULL;
	assert_int_equal(make_plan(), -EINVAL);
	dsa->siggen.hash = RTE_CRYPTO_AUTH_SHA256; /* not in the node */
	assert_int_equal(make_plan(), -EINVAL);
	dsa->siggen.hash = RTE_CRYPTO_AUTH_AES_GMAC; /* no hash */
	assert_int_equal(make_plan(), -EINVAL);
	dsa->siggen.hash = (enum rte_crypto_auth_algorithm)1000;
	assert_int_equal(make_plan(), -EINVAL);
	dsa->siggen.hash = RTE_CRYPTO_AUTH_SHA512;
	EXPECT(ACCEL_HW_PK_SIGN, ACCEL_HW_PK_PREHASHED, 3309, 5, 6, 50, 32);
	assert_int_equal(plan.command.hash, ACCEL_HW_AUTH_SHA512);
	expect_gathered("105" "206" "350" "032");
	dsa->siggen.hash = RTE_CRYPTO_AUTH_SHAKE_128;
	EXPECT(ACCEL_HW_PK_SIGN, ACCEL_HW_PK_PREHASHED, 3309, 5, 6, 50, 32);
	assert_int_equal(plan.command.hash, ACCEL_HW_AUTH_SHAKE_128);
	dsa->siggen.message.length = 0;
	dsa->siggen.ctx.length = 0;
	dsa->siggen.mu = param(4, 64);
	assert_int_equal(make_plan(), -EINVAL); /* the hash, too */
	dsa->siggen.hash = (enum rte_crypto_auth_algorithm)0;
	EXPECT(ACCEL_HW_PK_SIGN, ACCEL_HW_PK_MU, 3309, 64, 0, 50, 32);
	assert_int_equal(plan.command.hash, 0);

	memset(dsa, 0, sizeof(*dsa));
	dsa->op = RTE_CRYPTO_ML_DSA_OP_VERIFY;
	dsa->sigver.message = param(0, 5);
	dsa->sigver.sign = param(1, 33);
	dsa->sigver.pubkey = param(3, 44);
	dsa->sigver.ctx = param(2, 6);
	assert_int_equal(make_plan(), -EINVAL);
	dsa->sigver.hash = RTE_CRYPTO_AUTH_SHAKE_128;
	EXPECT(ACCEL_HW_PK_VERIFY, ACCEL_HW_PK_PREHASHED, 0, 5, 33, 6, 44);
	assert_int_equal(plan.command.hash, ACCEL_HW_AUTH_SHAKE_128);
	/* Another operation has no hash, whatever lies where a signature's hash would. */
	dsa->op = RTE_CRYPTO_ML_DSA_OP_KEYGEN;
	memset(&dsa->keygen, 0, sizeof(dsa->keygen));
	dsa->keygen.privkey = place(0);
	dsa->keygen.pubkey = place(1);
	EXPECT(ACCEL_HW_PK_GENERATE, 0, 4032 + 1952);
	assert_int_equal(plan.command.hash, 0);
	end_session();
}

#endif /* ACCEL_HAS_ML */

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_sets, begin),
		cmocka_unit_test_setup(test_offered, begin),
#if ACCEL_HAS_EDDSA
		cmocka_unit_test_setup(test_sm2_capability, begin),
		cmocka_unit_test_setup(test_instances, begin),
		cmocka_unit_test_setup(test_eddsa_keys, begin),
		cmocka_unit_test_setup(test_no_eddsa_keys, begin),
#endif
#if ACCEL_HAS_ML
		cmocka_unit_test_setup(test_ml_capabilities, begin),
		cmocka_unit_test_setup(test_ml_sessions, begin),
		cmocka_unit_test_setup(test_ml_kem, begin),
		cmocka_unit_test_setup(test_ml_dsa_sign, begin),
		cmocka_unit_test_setup(test_ml_dsa_verify, begin),
		cmocka_unit_test_setup(test_ml_dsa_prehash, begin),
#endif
	};

	if (start_eal_silent("test_asym_newer") < 0)
		return 1;
	return cmocka_run_group_tests_name("newer asymmetric transforms", tests, NULL, NULL);
}
