/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The device tree of a function (manual 10), made from the table of algorithms. libfdt's
 * sequential writer does not keep errors, so each call's result is collected by OR.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libfdt.h>

#include "card/devtree.h"
#include "context/ipsec_context.h"
#include "context/tls_context.h"
#include "context/protocol.h"
#include "pk/pk.h"
#include "card/vf.h"

#define REGIONS_MAX 3u /* of a node */

/* Write the property of a node's regions, of @p pages pages each. */
static int
put_reg(void *fdt, const uint32_t *offset, unsigned int nb, uint32_t pages)
{
	fdt32_t cells[2 * REGIONS_MAX];

	for (unsigned int i = 0; i < nb; i++) {
		cells[2 * i] = cpu_to_fdt32(offset[i]);
		cells[2 * i + 1] = cpu_to_fdt32(pages * ACCEL_HW_PAGE_SIZE);
	}
	return fdt_property(fdt, "reg", cells, (int)(2 * nb * sizeof(cells[0])));
}

static int
put_range(void *fdt, const char *name, const struct accel_hw_range *r)
{
	const fdt32_t cells[] = {
		cpu_to_fdt32(r->min),
		cpu_to_fdt32(r->max),
		cpu_to_fdt32(r->min == r->max ? 0u : r->step),
	};

	return fdt_property(fdt, name, cells, sizeof(cells));
}

static int
begin_node(void *fdt, const char *name, uint32_t unit, const char *compatible)
{
	char full[64];
	int ret;

	if (unit != 0)
		snprintf(full, sizeof(full), "%s@%x", name, unit);
	else
		snprintf(full, sizeof(full), "%s", name);
	ret = fdt_begin_node(fdt, full);
	return ret | fdt_property_string(fdt, "compatible", compatible);
}

/* Write a node for one page. */
static int
put_page(void *fdt, const char *name, const char *compatible, uint32_t offset)
{
	int ret = begin_node(fdt, name, offset, compatible);

	ret |= put_reg(fdt, &offset, 1, 1);
	return ret | fdt_end_node(fdt);
}

static uint32_t
offset_of(const struct accel_function *fn, const void *page)
{
	return (uint32_t)((const uint8_t *)page - fn->bar);
}

/* Write the node of the invalidation page, and how it is used (manual 8.4). */
static int
put_invalidate(void *fdt, const struct accel_function *fn)
{
	const uint32_t offset = offset_of(fn, fn->invalidate);
	int ret = begin_node(fdt, "invalidate", offset, ACCEL_HW_DT_INVALIDATE);

	ret |= put_reg(fdt, &offset, 1, 1);
	if (fn->model->drop_all)
		ret |= fdt_property(fdt, ACCEL_HW_DT_DROP_ALL, NULL, 0);
	return ret | fdt_end_node(fdt);
}

/* Write the node of the resource table of virtual functions (manual 4.5). */
static int
put_vf_table(void *fdt, const struct accel_function *fn)
{
	const uint32_t offset = offset_of(fn, fn->vf_table);
	const fdt32_t pairs[] = {
		cpu_to_fdt32(vf_pool(fn->model)),
		cpu_to_fdt32(fn->model->config.nb_queue_pairs),
	};
	int ret = begin_node(fdt, "vf-table", offset, ACCEL_HW_DT_VF_TABLE);

	ret |= put_reg(fdt, &offset, 1, vf_pages(fn->model));
	if (fn->model->minor >= 2)
		ret |= fdt_property(fdt, ACCEL_HW_DT_QUEUE_PAIRS, pairs, sizeof(pairs));
	return ret | fdt_end_node(fdt);
}

/* Write the node of the mailbox, for a PF or a VF (manual 4.8). */
static int
put_mailbox(void *fdt, const struct accel_function *fn)
{
	uint32_t offset[REGIONS_MAX];
	int ret = 0;

	if (fn->vf_answers != NULL) {
		offset[0] = offset_of(fn, fn->vf_answers);
		offset[1] = offset_of(fn, fn->vf_requests);
		offset[2] = offset_of(fn, fn->vf_status);
		ret |= begin_node(fdt, "vf-mailbox", offset[0], ACCEL_HW_DT_VF_MAILBOX);
		ret |= put_reg(fdt, offset, 3, vf_pages(fn->model));
		ret |= fdt_end_node(fdt);
	}
	if (fn->mailbox != NULL) {
		offset[0] = offset_of(fn, fn->mailbox_host);
		offset[1] = offset_of(fn, fn->mailbox);
		ret |= begin_node(fdt, "mailbox", offset[0], ACCEL_HW_DT_MAILBOX);
		ret |= put_reg(fdt, offset, 2, 1);
		ret |= fdt_end_node(fdt);
	}
	return ret;
}

static int
put_dma(void *fdt, const struct accel_function *fn)
{
	const struct accel_model *m = fn->model;
	int ret = begin_node(fdt, "dma", 0, ACCEL_HW_DT_DMA);

	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_RING_SIZE_MAX, m->ring_size_max);
	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_MAX_FRAGMENTS, m->max_fragments);
	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_MAX_FRAME_BYTES, m->max_frame_bytes);
	if (m->minor >= 5)
		ret |= fdt_property_u32(fdt, ACCEL_HW_DT_OPERATION_MS, m->operation_ms);
	if (!m->config.no_command_upper)
		ret |= fdt_property(fdt, ACCEL_HW_DT_COMMAND_UPPER, NULL, 0);
	if (model_has_options(m, 1))
		ret |= fdt_property(fdt, ACCEL_HW_DT_COMMAND_RING, NULL, 0);
	if (model_has_options(m, 1) && !m->config.posted_writes)
		ret |= fdt_property(fdt, ACCEL_HW_DT_REPORTS_WRITES, NULL, 0);
	if (model_has_options(m, 2))
		ret |= fdt_property(fdt, ACCEL_HW_DT_WB_AUTO, NULL, 0);
	return ret | fdt_end_node(fdt);
}

/* Write the nodes of @p nb queue pairs of one kind, from @p q on. */
static int
put_queue_pairs(void *fdt, const struct accel_function *fn, const struct queue *q, unsigned int nb,
		const char *name, const char *compatible)
{
	int ret = 0;

	for (; nb > 0; nb--, q++) {
		const uint32_t page[] = { offset_of(fn, q->host), offset_of(fn, q->device) };

		ret |= begin_node(fdt, name, page[0], compatible);
		ret |= put_reg(fdt, page, ARRAY_NB(page), 1);
		ret |= fdt_end_node(fdt);
	}
	return ret;
}

static int
put_units(void *fdt, const struct accel_hw_alg_info *info)
{
	const fdt32_t cells[] = { cpu_to_fdt32(info->unit_min), cpu_to_fdt32(info->unit_max) };

	return fdt_property(fdt, ACCEL_HW_DT_DATA_UNIT_SIZES, cells, sizeof(cells));
}

/* Write which sizes of key and IV go together, of those within the ranges. */
static int
put_key_iv_sizes(void *fdt, const struct accel_hw_alg_info *info)
{
	fdt32_t cells[2 * ACCEL_HW_KEY_IVS];
	unsigned int nb = 0;

	for (unsigned int i = 0; i < ACCEL_HW_KEY_IVS; i++) {
		const struct accel_hw_key_iv *pair = &info->key_iv[i];

		if (pair->key < info->key.min || pair->key > info->key.max ||
		    pair->iv < info->iv.min || pair->iv > info->iv.max)
			continue;
		cells[nb++] = cpu_to_fdt32(pair->key);
		cells[nb++] = cpu_to_fdt32(pair->iv);
	}
	return fdt_property(fdt, ACCEL_HW_DT_KEY_IV_SIZES, cells, (int)(nb * sizeof(cells[0])));
}

/* Write the list of digest sizes, if a size within the range is missing. */
static int
put_digest_list(void *fdt, const struct accel_hw_alg_info *info)
{
	fdt32_t cells[ACCEL_HW_DIGEST_MAX];
	unsigned int nb = 0;

	for (unsigned int size = info->digest.min; size <= info->digest.max;
	     size += info->digest.step) {
		if (size != info->digest_not)
			cells[nb++] = cpu_to_fdt32(size);
	}
	return fdt_property(fdt, ACCEL_HW_DT_DIGEST_LIST, cells, (int)(nb * sizeof(cells[0])));
}

static int
put_region_sizes(void *fdt, const struct accel_hw_alg_info *info)
{
	const fdt32_t cells[] = {
		cpu_to_fdt32(info->region_min),
		cpu_to_fdt32(info->region_max != 0 ? info->region_max : MODEL_MAX_FRAME_BYTES),
	};

	return fdt_property(fdt, ACCEL_HW_DT_REGION_SIZES, cells, sizeof(cells));
}

/* Write what contract 1.1 says of an algorithm beyond its ranges. */
static int
put_limits(void *fdt, const struct accel_hw_alg_info *info)
{
	int ret = 0;

	if (info->key_iv[0].key != 0)
		ret |= put_key_iv_sizes(fdt, info);
	if (info->digest_not > info->digest.min && info->digest_not < info->digest.max)
		ret |= put_digest_list(fdt, info);
	if (info->region_min != 0 || info->region_max != 0)
		ret |= put_region_sizes(fdt, info);
	return ret;
}

static int
put_algorithm(void *fdt, const struct accel_function *fn, const struct accel_hw_alg_info *info)
{
	static const char *const compatible[] = {
		[ACCEL_HW_CLASS_CIPHER] = ACCEL_HW_DT_CIPHER,
		[ACCEL_HW_CLASS_AUTH] = ACCEL_HW_DT_AUTH,
		[ACCEL_HW_CLASS_AEAD] = ACCEL_HW_DT_AEAD,
	};
	static const char *const prefix[] = {
		[ACCEL_HW_CLASS_CIPHER] = "cipher",
		[ACCEL_HW_CLASS_AUTH] = "auth",
		[ACCEL_HW_CLASS_AEAD] = "aead",
	};
	char name[48];
	int ret;

	snprintf(name, sizeof(name), "%s-%s", prefix[info->class], info->name);
	ret = begin_node(fdt, name, 0, compatible[info->class]);
	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_ALG_ID, info->id);
	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_BLOCK_SIZE, info->block);
	ret |= put_range(fdt, ACCEL_HW_DT_KEY_SIZES, &info->key);
	ret |= put_range(fdt, ACCEL_HW_DT_IV_SIZES, &info->iv);
	if (info->unit_max != 0)
		ret |= put_units(fdt, info);
	if (info->bits)
		ret |= fdt_property(fdt, ACCEL_HW_DT_BIT_LENGTHS, NULL, 0);
	if (info->class != ACCEL_HW_CLASS_CIPHER)
		ret |= put_range(fdt, ACCEL_HW_DT_DIGEST_SIZES, &info->digest);
	if (info->class == ACCEL_HW_CLASS_AEAD)
		ret |= put_range(fdt, ACCEL_HW_DT_AAD_SIZES, &info->aad);
	if (fn->model->minor >= 1)
		ret |= put_limits(fdt, info);
	return ret | fdt_end_node(fdt);
}

static int
put_numbers(void *fdt, const char *name, const uint8_t *number, unsigned int nb)
{
	fdt32_t cells[PROTOCOL_LIST_MAX];

	for (unsigned int i = 0; i < nb; i++)
		cells[i] = cpu_to_fdt32(number[i]);
	return fdt_property(fdt, name, cells, (int)(nb * sizeof(cells[0])));
}

/* Write what a node of ESP or AH has beyond its lists (manual 8.6). */
static int
put_ipsec(void *fdt, unsigned int id)
{
	int ret = fdt_property_u32(fdt, ACCEL_HW_DT_OPTIONS, ipsec_options(id));

	ret |= fdt_property(fdt, ACCEL_HW_DT_TRANSPORT, NULL, 0);
	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_REPLAY_WINDOW_MAX, ACCEL_HW_IPSEC_WINDOW_MAX);
	return ret | fdt_property(fdt, ACCEL_HW_DT_OVERLAP, NULL, 0);
}

/* Write what a node of TLS has beyond its lists (manual 8.7). */
static int
put_tls(void *fdt, unsigned int id)
{
	int ret = 0;

	if (id == ACCEL_HW_PROTO_DTLS12)
		ret = fdt_property_u32(fdt, ACCEL_HW_DT_REPLAY_WINDOW_MAX,
				       ACCEL_HW_IPSEC_WINDOW_MAX);
	return ret | fdt_property(fdt, ACCEL_HW_DT_OVERLAP, NULL, 0);
}

/* Fill in the lists of a protocol's node. Return false if the card or the function lacks the
 * protocol. */
static bool
list_protocol(const struct accel_function *fn, unsigned int id, struct protocol_lists *lists)
{
	const struct alg_caps *caps = &fn->model->caps;

	if (!alg_set_has(fn->algorithms, id))
		return false;
	if (id >= ACCEL_HW_PROTO_TLS12)
		return tls_list(caps, fn->algorithms, id, lists);
	if (id >= ACCEL_HW_PROTO_ESP)
		return ipsec_list(caps, fn->algorithms, id, lists);
	return protocol_list(caps, fn->algorithms, id, lists);
}

static int
put_protocol(void *fdt, const struct accel_function *fn, unsigned int id)
{
	static const char *const compatible[] = {
		[ACCEL_HW_PROTO_DOCSIS] = ACCEL_HW_DT_DOCSIS,
		[ACCEL_HW_PROTO_PDCP] = ACCEL_HW_DT_PDCP,
		[ACCEL_HW_PROTO_ESP] = ACCEL_HW_DT_ESP,
		[ACCEL_HW_PROTO_AH] = ACCEL_HW_DT_AH,
		[ACCEL_HW_PROTO_TLS12] = ACCEL_HW_DT_TLS12,
		[ACCEL_HW_PROTO_TLS13] = ACCEL_HW_DT_TLS13,
		[ACCEL_HW_PROTO_DTLS12] = ACCEL_HW_DT_DTLS12,
	};
	struct protocol_lists lists;
	int ret;

	if (!list_protocol(fn, id, &lists))
		return 0;
	ret = begin_node(fdt, alg_protocol_name(id), 0, compatible[id]);
	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_ALG_ID, id);
	if (id != ACCEL_HW_PROTO_AH && id != ACCEL_HW_PROTO_TLS13)
		ret |= put_numbers(fdt, ACCEL_HW_DT_CIPHERS, lists.cipher, lists.nb_ciphers);
	if (id != ACCEL_HW_PROTO_DOCSIS && id != ACCEL_HW_PROTO_TLS13)
		ret |= put_numbers(fdt, ACCEL_HW_DT_AUTHS, lists.auth, lists.nb_auths);
	if (id == ACCEL_HW_PROTO_PDCP)
		ret |= put_numbers(fdt, ACCEL_HW_DT_SN_SIZES, lists.sn_size, lists.nb_sn_sizes);
	if (id == ACCEL_HW_PROTO_ESP || id >= ACCEL_HW_PROTO_TLS12)
		ret |= put_numbers(fdt, ACCEL_HW_DT_AEADS, lists.aead, lists.nb_aeads);
	if (id >= ACCEL_HW_PROTO_TLS12)
		ret |= put_tls(fdt, id);
	else if (id >= ACCEL_HW_PROTO_ESP)
		ret |= put_ipsec(fdt, id);
	return ret | fdt_end_node(fdt);
}

/* Write which ciphers and authentications the card chains, of those that the function has. */
static int
put_pairs(void *fdt, const struct accel_function *fn)
{
	const struct accel_hw_alg_info *info = fn->model->caps.info;
	fdt32_t cells[2 * ALG_PAIRS];
	unsigned int nb = 0;

	for (unsigned int i = 0; i < ALG_PAIRS; i++) {
		const uint8_t cipher = alg_pair[i].cipher, auth = alg_pair[i].auth;

		if (info[cipher].id == 0 || info[auth].id == 0 ||
		    !alg_set_has(fn->algorithms, cipher) || !alg_set_has(fn->algorithms, auth))
			continue;
		cells[nb++] = cpu_to_fdt32(cipher);
		cells[nb++] = cpu_to_fdt32(auth);
	}
	return fdt_property(fdt, ACCEL_HW_DT_CHAIN_PAIRS, cells, (int)(nb * sizeof(cells[0])));
}

static int
put_sym(void *fdt, const struct accel_function *fn)
{
	const struct alg_caps *caps = &fn->model->caps;
	const uint32_t chains =
		(uint32_t)caps->chain_cipher_auth << ACCEL_HW_KIND_CIPHER_THEN_AUTH |
		(uint32_t)caps->chain_auth_cipher << ACCEL_HW_KIND_AUTH_THEN_CIPHER;
	int ret = begin_node(fdt, "sym", 0, ACCEL_HW_DT_SYM);

	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_CONTEXT_SIZE, sizeof(struct accel_hw_context));
	if (chains != 0 && fn->model->minor >= 5)
		ret |= fdt_property_u32(fdt, ACCEL_HW_DT_CHAINS, chains);
	if (caps->chain_cipher_auth)
		ret |= fdt_property(fdt, ACCEL_HW_DT_CHAIN_CIPHER_AUTH, NULL, 0);
	if (caps->chain_auth_cipher)
		ret |= fdt_property(fdt, ACCEL_HW_DT_CHAIN_AUTH_CIPHER, NULL, 0);
	if (caps->chain_cipher_auth || caps->chain_auth_cipher)
		ret |= fdt_property(fdt, ACCEL_HW_DT_DIGEST_IN_STREAM, NULL, 0);
	if (caps->pairs)
		ret |= put_pairs(fdt, fn);
	if (caps->iv_in_stream)
		ret |= fdt_property(fdt, ACCEL_HW_DT_AUTH_IV_IN_STREAM, NULL, 0);
	if (caps->aad_in_command)
		ret |= fdt_property(fdt, ACCEL_HW_DT_AAD_IN_COMMAND, NULL, 0);
	for (unsigned int id = 1; id < ACCEL_HW_ALG_NB; id++) {
		if (caps->info[id].id == id && alg_set_has(fn->algorithms, id))
			ret |= put_algorithm(fdt, fn, &caps->info[id]);
	}
	for (unsigned int id = ACCEL_HW_PROTO_DOCSIS; id <= ACCEL_HW_PROTO_DTLS12; id++)
		ret |= put_protocol(fdt, fn, id);
	return ret | fdt_end_node(fdt);
}

/* Write a property that is a list of numbers. If the list is empty, write nothing. */
static int
put_list(void *fdt, const char *name, const uint8_t *number, unsigned int nb)
{
	fdt32_t cells[PK_HASHES_MAX];

	static_assert(PK_CURVES_MAX <= PK_HASHES_MAX, "the longest list");
	for (unsigned int i = 0; i < nb; i++)
		cells[i] = cpu_to_fdt32(number[i]);
	return nb > 0 ? fdt_property(fdt, name, cells, (int)(nb * sizeof(cells[0]))) : 0;
}

static int
put_pk_algorithm(void *fdt, const struct pk_caps *caps)
{
	const fdt32_t bits[] = { cpu_to_fdt32(caps->modulus_min), cpu_to_fdt32(caps->modulus_max) };
	char name[16];
	int ret;

	snprintf(name, sizeof(name), "pk-%u", caps->alg);
	ret = begin_node(fdt, name, 0, ACCEL_HW_DT_PK);
	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_ALG_ID, caps->alg);
	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_OPERATIONS, caps->operations);
	if (caps->modulus_max != 0)
		ret |= fdt_property(fdt, ACCEL_HW_DT_MODULUS_BITS, bits, sizeof(bits));
	ret |= put_list(fdt, ACCEL_HW_DT_CURVES, caps->curve, caps->nb_curves);
	if (caps->paddings != 0)
		ret |= fdt_property_u32(fdt, ACCEL_HW_DT_PADDINGS, caps->paddings);
	if (caps->variants != 0)
		ret |= fdt_property_u32(fdt, ACCEL_HW_DT_VARIANTS, caps->variants);
	ret |= put_list(fdt, ACCEL_HW_DT_HASHES, caps->hash, caps->nb_hashes);
	return ret | fdt_end_node(fdt);
}

/* Write what the tree says of public keys and random numbers (manual 8.8). */
static int
put_pk(void *fdt, const struct accel_function *fn)
{
	int ret = begin_node(fdt, "pk", 0, ACCEL_HW_DT_PK_ENGINES);

	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_KEY_SIZE_MAX, PK_KEY_SIZE_MAX);
	ret |= fdt_property_u32(fdt, ACCEL_HW_DT_OPERAND_SIZE_MAX, PK_OPERAND_SIZE_MAX);
	for (unsigned int id = ACCEL_HW_PK_RSA; id <= ACCEL_HW_PK_ML_DSA; id++) {
		struct pk_caps caps;

		if (pk_caps(id) == NULL || !alg_set_has(fn->algorithms, id))
			continue;
		caps = pk_caps_of(id, fn->model->minor);
		ret |= put_pk_algorithm(fdt, &caps);
	}
	if (alg_set_has(fn->algorithms, ACCEL_HW_RANDOM)) {
		ret |= begin_node(fdt, "random", 0, ACCEL_HW_DT_RANDOM);
		ret |= fdt_property_u32(fdt, ACCEL_HW_DT_ALG_ID, ACCEL_HW_RANDOM);
		ret |= fdt_property_u32(fdt, ACCEL_HW_DT_MAX_BYTES, PK_RANDOM_MAX);
		ret |= fdt_end_node(fdt);
	}
	return ret | fdt_end_node(fdt);
}

int
devtree_build(const struct accel_function *fn, void *buf, size_t room)
{
	size_t size;
	int ret;

	if (room > ACCEL_HW_DT_SIZE_MAX)
		room = ACCEL_HW_DT_SIZE_MAX;
	ret = fdt_create(buf, (int)room);
	ret |= fdt_finish_reservemap(buf);
	ret |= begin_node(buf, "", 0, ACCEL_HW_DT_ROOT);
	ret |= fdt_property_string(buf, "model", "crypto_accel reference model");
	ret |= fdt_property_u32(buf, "#address-cells", 1);
	ret |= fdt_property_u32(buf, "#size-cells", 1);
	ret |= put_page(buf, "control", ACCEL_HW_DT_CONTROL, offset_of(fn, fn->control));
	ret |= put_invalidate(buf, fn);
	if (fn->health.page != NULL)
		ret |= put_page(buf, "health", ACCEL_HW_DT_HEALTH, offset_of(fn, fn->health.page));
	if (fn->vf_table != NULL)
		ret |= put_vf_table(buf, fn);
	ret |= put_mailbox(buf, fn);
	ret |= put_dma(buf, fn);
	ret |= put_queue_pairs(buf, fn, fn->queue, fn->nb_queues, "queue-pair", ACCEL_HW_DT_QP);
	ret |= put_queue_pairs(buf, fn, fn->queue + fn->model->config.nb_queue_pairs,
			       fn->nb_pk_queues, "pk-queue-pair", ACCEL_HW_DT_QP_PK);
	if (!model_is(fn->model, ACCEL_MODEL_NO_ALGS))
		ret |= put_sym(buf, fn);
	if (fn->nb_pk_queues > 0)
		ret |= put_pk(buf, fn);
	ret |= fdt_end_node(buf);
	ret |= fdt_finish(buf);
	if (ret != 0)
		return -ENOSPC;
	size = (fdt_totalsize(buf) + 7u) & ~(size_t)7;
	if (size > room)
		return -ENOSPC;
	memset((uint8_t *)buf + fdt_totalsize(buf), 0, size - fdt_totalsize(buf));
	return (int)size;
}
