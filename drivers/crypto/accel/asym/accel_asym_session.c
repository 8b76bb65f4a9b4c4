/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes asymmetric sessions: see accel_asym_session.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_malloc.h>
#include <rte_memory.h>

#include "accel_asym_alg.h"
#include "accel_asym_session.h"
#include "accel_asym_table.h"
#include "accel_compat.h"
#include "accel_memory.h"
#include "accel_plan.h"
#include "accel_session.h"

/* Describes a key that is to become a context. Numbers are without their leading zeros. */
struct asym_key {
	unsigned int number; /* number of the kind */
	const struct accel_asym_kind *kind;
	const struct accel_dt_pk *pk; /* what the card has; NULL: random numbers need none */
	const struct accel_asym_curve *curve; /* NULL: none */
	const struct accel_ml_set *set; /* NULL: none */
	const uint8_t *data[ACCEL_HW_PK_COMPONENTS];
	uint16_t len[ACCEL_HW_PK_COMPONENTS];
	uint32_t total; /* bytes of all components */
	struct rte_crypto_param_t peer[ACCEL_ASYM_PEER_COORDINATES];
	uint32_t kept_len; /* bytes that follow the components, which operations need */
	unsigned int nb_quintuple; /* numbers of a quintuple that are there */
	unsigned int component; /* the component that was looked at last (manual 8.8) */
	const char *why; /* why the key is refused */
};

#define QUINTUPLE 5u

static int
refuse(struct asym_key *key, int error, const char *why)
{
	key->why = why;
	return error;
}

/* Takes a component. The caller has checked that the transform has it. */
static int
take_component(struct asym_key *key, unsigned int number, const struct rte_crypto_param_t *param)
{
	const uint8_t *data = param->data;
	size_t len = param->length;

	for (; (key->kind->has & ACCEL_ASYM_HAS_STRINGS) == 0 && len > 1 && *data == 0; len--)
		data++;
	if (len > UINT16_MAX)
		return refuse(key, -EINVAL, "a number of the key is too long");
	key->data[number] = data;
	key->len[number] = (uint16_t)len;
	key->total += (uint32_t)len;
	return 0;
}

static int
take_components(struct asym_key *key, const struct rte_crypto_asym_xform *xform)
{
	const struct accel_asym_component *c;
	int ret;

	for (c = key->kind->component; c->at != 0; c++) {
		const struct rte_crypto_param_t *param =
			(const void *)((uintptr_t)xform + c->at);

		if ((c->when == ACCEL_ASYM_IF_EXPONENT &&
		     xform->rsa.key_type != RTE_RSA_KEY_TYPE_EXP) ||
		    (c->when == ACCEL_ASYM_IF_QUINTUPLE &&
		     xform->rsa.key_type != RTE_RSA_KEY_TYPE_QT))
			continue;
		key->component = c->number;
		if (param->length == 0 || param->data == NULL) {
			if (c->when == ACCEL_ASYM_REQUIRED || param->length != 0)
				return refuse(key, -EINVAL, "a number of the key is missing");
			continue;
		}
		if (c->when == ACCEL_ASYM_AS_PEER) {
			if (param->length > UINT16_MAX)
				return refuse(key, -EINVAL, "a number of the key is too long");
			key->peer[c->number] = *param;
			key->kept_len += (uint32_t)param->length;
			continue;
		}
		ret = take_component(key, c->number, param);
		if (ret != 0)
			return ret;
		key->nb_quintuple += c->when == ACCEL_ASYM_IF_QUINTUPLE;
	}
	if (key->nb_quintuple != 0 && key->nb_quintuple != QUINTUPLE)
		return refuse(key, -EINVAL, "a quintuple has five numbers");
	return 0;
}

/* Checks the modulus, which is component 0. */
static int
check_modulus(struct asym_key *key)
{
	const uint8_t *modulus = key->data[0];
	uint32_t bits;

	if ((key->kind->has & ACCEL_ASYM_HAS_MODULUS) == 0)
		return 0;
	if (modulus[0] == 0)
		return refuse(key, -EINVAL, "the modulus is 0");
	if ((key->kind->has & ACCEL_ASYM_HAS_ODD_MODULUS) != 0 &&
	    (modulus[key->len[0] - 1] & 1) == 0)
		return refuse(key, -EINVAL, "the modulus is even");
	bits = (key->len[0] - 1u) * 8 + (uint32_t)rte_fls_u32(modulus[0]);
	if (bits < key->pk->modulus_min || bits > key->pk->modulus_max)
		return refuse(key, -ENOTSUP, "the device has no modulus of this size");
	return 0;
}

static int
check_curve(struct asym_key *key, const struct rte_crypto_asym_xform *xform)
{
	if ((key->kind->has & ACCEL_ASYM_HAS_CURVE) == 0)
		return 0;
	key->curve = accel_asym_curve_of((unsigned int)xform->ec.curve_id);
	if (key->curve == NULL || (key->pk->curves >> key->curve->hw & 1) == 0)
		return refuse(key, -ENOTSUP, "the device does not offer the curve");
	return 0;
}

/* Checks the parameter set of ML-KEM or ML-DSA, and the prehash. */
static int
check_set(const struct accel_dev *dev, struct asym_key *key,
	  const struct rte_crypto_asym_xform *xform)
{
	if ((key->kind->has & ACCEL_ASYM_HAS_SET) == 0)
		return 0;
	key->set = accel_ml_set_of(key->kind->alg, accel_ml_type(xform));
	if (key->set == NULL || (key->pk->curves >> key->set->hw & 1) == 0)
		return refuse(key, -ENOTSUP, "the device does not offer the parameter set");
	if (key->kind->alg == ACCEL_HW_PK_ML_DSA && accel_ml_dsa_prehash(xform) &&
	    !accel_dt_prehashes(&dev->dt))
		return refuse(key, -ENOTSUP, "the device has no ML-DSA with a prehash");
	return 0;
}

/* Checks everything before memory is allocated. */
static int
key_make(const struct accel_dev *dev, const struct rte_crypto_asym_xform *xform,
	 struct asym_key *key)
{
	int ret;

	key->number = accel_asym_kind_number(xform);
	key->kind = accel_asym_kind_of(key->number);
	if (key->kind == NULL)
		return refuse(key, -ENOTSUP, "the driver does not know the transform");
	if (xform->next != NULL && ((key->kind->has & ACCEL_ASYM_HAS_CHAIN) == 0 ||
				    xform->next->xform_type != xform->xform_type))
		return refuse(key, -ENOTSUP, "asymmetric transforms are not chained");
	if (key->kind->alg == ACCEL_HW_RANDOM)
		return dev->dt.random_max != 0 ? 0 :
			refuse(key, -ENOTSUP, "the device has no random numbers");
	key->pk = accel_dt_pk_alg(&dev->dt, key->kind->alg);
	if (key->pk == NULL)
		return refuse(key, -ENOTSUP, "the device does not offer the algorithm");
	if (accel_asym_op_types(key->kind, key->pk->operations) == 0)
		return refuse(key, -ENOTSUP, "the device has none of its operations");
	ret = take_components(key, xform);
	if (ret == 0)
		ret = check_modulus(key);
	if (ret == 0)
		ret = check_curve(key, xform);
	if (ret == 0)
		ret = check_set(dev, key, xform);
	if (ret == 0 && key->total > dev->dt.pk_key_size_max)
		return refuse(key, -ENOTSUP, "the device has no keys of this size");
	return ret;
}

/*
 * Copies a string that operations need to memory after the context. Returns the address after the
 * copy.
 */
static uint8_t *
keep(struct rte_crypto_param_t *to, const struct rte_crypto_param_t *from, uint8_t *memory)
{
	if (from->length != 0)
		memcpy(memory, from->data, from->length);
	to->length = from->length;
	to->data = to->length != 0 ? memory : NULL;
	return memory + to->length;
}

/* Writes the context, followed by the label of OAEP and the key of the peer. */
static void
context_write(const struct asym_key *key, struct accel_asym_session *sess)
{
	struct accel_hw_pk_context *context = sess->context;
	uint8_t *to = (uint8_t *)(context + 1);
	unsigned int i;

	context->generation = rte_cpu_to_le_32(sess->generation);
	context->version = ACCEL_HW_CTX_VERSION;
	context->kind = ACCEL_HW_KIND_PK;
	if (key->curve != NULL)
		context->curve = key->curve->hw;
	else if (key->set != NULL)
		context->curve = key->set->hw;
	context->alg = rte_cpu_to_le_16(key->kind->alg);
	context->key_len = rte_cpu_to_le_32(key->total);
	for (i = 0; i < ACCEL_HW_PK_COMPONENTS; i++) {
		context->component[i] = rte_cpu_to_le_16(key->len[i]);
		if (key->len[i] != 0)
			memcpy(to, key->data[i], key->len[i]);
		to += key->len[i];
	}
	to = keep(&sess->padding.oaep_label, &sess->padding.oaep_label, to);
	for (i = 0; i < ACCEL_ASYM_PEER_COORDINATES; i++)
		to = keep(&sess->peer[i], &key->peer[i], to);
}

static void
sizes_write(const struct asym_key *key, struct accel_asym_session *sess)
{
	if ((key->kind->has & ACCEL_ASYM_HAS_MODULUS) != 0)
		sess->size[ACCEL_ASYM_MODULUS] = key->len[0];
	if ((key->kind->has & ACCEL_ASYM_HAS_SUBGROUP) != 0)
		sess->size[ACCEL_ASYM_ORDER] = key->len[1];
	if (key->set != NULL) {
		sess->size[ACCEL_ASYM_PRIVATE_KEY] = key->set->private_key;
		sess->size[ACCEL_ASYM_PUBLIC_KEY] = key->set->public_key;
		sess->size[ACCEL_ASYM_SIGNATURE] = key->set->output;
		sess->size[ACCEL_ASYM_KEM_CIPHERTEXT] = key->set->output;
		sess->size[ACCEL_ASYM_KEM_SHARED] = ACCEL_ML_SHARED;
	}
	if (key->curve == NULL)
		return;
	sess->size[ACCEL_ASYM_ORDER] = key->curve->order;
	sess->size[ACCEL_ASYM_FIELD] = key->curve->field;
	sess->size[ACCEL_ASYM_SIGNATURE] = key->curve->signature;
	sess->has_private = key->len[ACCEL_HW_EC_D] != 0;
}

/* Takes the padding of RSA, if this version of DPDK has it in the transform. */
static int
take_padding(struct asym_key *key, const struct rte_crypto_asym_xform *xform,
	     struct accel_asym_session *sess)
{
	const struct rte_crypto_rsa_padding *padding = accel_rsa_xform_padding(xform);

	if (xform->xform_type != RTE_CRYPTO_ASYM_XFORM_RSA || padding == NULL)
		return 0;
	sess->padding = *padding;
	if (padding->type != RTE_CRYPTO_RSA_PADDING_OAEP || padding->oaep_label.data == NULL)
		sess->padding.oaep_label = (struct rte_crypto_param_t){ 0 };
	if (sess->padding.oaep_label.length > UINT16_MAX)
		return refuse(key, -EINVAL, "the label is too long");
	key->kept_len += (uint32_t)sess->padding.oaep_label.length;
	return 0;
}

/*
 * Allocates the context. The card reads it with one IOVA. The context is aligned to its size. It
 * lies within one page then, unless pages are smaller than the context.
 */
static int
context_alloc(const struct asym_key *key, struct accel_asym_session *sess)
{
	const size_t read = sizeof(*sess->context) + key->total;

	sess->context_len = (uint32_t)read + key->kept_len;
	sess->context = rte_zmalloc("accel_asym", sess->context_len,
				    rte_align32pow2(sess->context_len));
	if (sess->context == NULL)
		return -ENOMEM;
	sess->iova = rte_mem_virt2iova(sess->context);
	if (accel_is_contiguous(sess->context, read, RTE_PGSIZE_4K) &&
	    sess->iova % ACCEL_HW_CTX_ALIGN == 0) {
		accel_dump_exclude(sess->context, sess->context_len);
		return 0;
	}
	rte_free(sess->context);
	sess->context = NULL;
	return -ENOMEM;
}

int
accel_asym_session_make(struct accel_dev *dev, const struct rte_crypto_asym_xform *xform,
			struct accel_asym_session *sess)
{
	struct asym_key key = { 0 };
	char fields[80];
	int ret;

	ret = key_make(dev, xform, &key);
	if (ret == 0)
		ret = take_padding(&key, xform, sess);
	if (ret == 0 && key.kind->alg != ACCEL_HW_RANDOM) {
		ret = context_alloc(&key, sess);
		if (ret != 0)
			key.why = "there is no memory for its context that is contiguous in IOVA";
	}
	if (ret != 0) {
		snprintf(fields, sizeof(fields), "transform type %d, the last component was %u of "
			 "manual 8.8", (int)xform->xform_type, key.component);
		accel_log_refusal(dev, ACCEL_REFUSED_ASYM, key.why, fields);
		memset(sess, 0, sizeof(*sess));
		return ret;
	}
	sess->kind = (uint8_t)key.number;
	if (sess->context != NULL) {
		sizes_write(&key, sess);
		sess->variants = key.pk->variants;
		sess->hashes = key.pk->hashes;
		sess->deterministic = key.kind->alg == ACCEL_HW_PK_ML_DSA &&
				      accel_ml_dsa_deterministic(xform);
		sess->prehash = key.kind->alg == ACCEL_HW_PK_ML_DSA && accel_ml_dsa_prehash(xform);
		sess->generation = accel_session_next_generation(dev);
		context_write(&key, sess);
	}
	sess->owner = ACCEL_ASYM_OWNER;
	accel_session_count(dev, &key.kind->alg, 1, true);
	return 0;
}

void
accel_asym_session_wipe(struct accel_dev *dev, struct accel_asym_session *sess)
{
	if (sess->owner == ACCEL_ASYM_OWNER)
		accel_session_count(dev, &accel_asym_kind_of(sess->kind)->alg, 1, false);
	if (sess->owner == ACCEL_ASYM_OWNER && sess->context != NULL) {
		accel_session_invalidate(dev, sess->iova, sess->generation);
		accel_free_sensitive(sess->context, sess->context_len);
	}
	accel_memzero_explicit(sess, sizeof(*sess));
}

const struct accel_asym_session *
accel_asym_session_of(const struct rte_cryptodev_asym_session *session)
{
	const struct accel_asym_session *sess;

	if (session == NULL)
		return NULL;
	sess = accel_asym_sess_priv(session);
	return sess->owner == ACCEL_ASYM_OWNER ? sess : NULL;
}

unsigned int
accel_asym_session_get_size(struct rte_cryptodev *cryptodev __rte_unused)
{
	return sizeof(struct accel_asym_session);
}

int
accel_asym_session_configure(struct rte_cryptodev *cryptodev, struct rte_crypto_asym_xform *xform,
			     struct rte_cryptodev_asym_session *session)
{
	if (xform == NULL)
		return -EINVAL;
	return accel_asym_session_make(cryptodev->data->dev_private, xform,
				       accel_asym_sess_priv(session));
}

void
accel_asym_session_clear(struct rte_cryptodev *cryptodev,
			 struct rte_cryptodev_asym_session *session)
{
	accel_asym_session_wipe(cryptodev->data->dev_private, accel_asym_sess_priv(session));
}
