/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The card as a whole: creation of its functions, workers and engines, FLRs, its end, and
 * statistics.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/err.h>

#include "base/clock.h"
#include "base/libctx.h"
#include "bus/bus.h"
#include "card/function.h"
#include "card/vf.h"
#include "worker/watch.h"
#include "worker/worker.h"

#define CTX_CACHE 4096u /* manual section 11 */

#define CONTROL_NS 4000u /* a busy worker looks at commands this often */
#define TICK_NS 1000000u /* heartbeat and invalidation; manual 4.4 and 8.4 ask for 100 and 10 ms */
#define SLICE_NS 1000000u /* a round that lasts longer is broken off */
#define STOP_NS 500000000u /* a drain that takes longer ends as a discard; manual 5.4: 1000 ms */
#define SLOW_STOP_NS 700000000u /* ACCEL_MODEL_SLOW_STOP; manual 5.4: 1000 ms */
#define SLOW_OP_NS UINT64_C(2500000000) /* ACCEL_MODEL_SLOW_OP */
#define OPERATION_MS 1000u /* manual 4.4 and 11 */
#define SLOW_OPERATION_MS 6000u
#define BOOT_NS 300000000u /* ACCEL_MODEL_LATE; manual 4.1: 10 s */
#define PUT_OFF_NS 20000000u /* a command waits for others no longer; manual 4.3, 5.4: 1000 ms */

/* True if the library and this CPU have what the engine needs. */
static bool
usable(const struct engine_ops *ops)
{
	struct engine *engine = ops->create();

	if (engine == NULL)
		return false;
	ops->destroy(engine);
	return true;
}

static int
choose_engines(struct accel_model *m)
{
	const struct engine_ops *forced = NULL;

	if (libctx() == NULL) {
		log_card(&m->log, ACCEL_MODEL_LOG_ERR, "OpenSSL cannot load its default provider; "
			 "OPENSSL_CONF and OPENSSL_MODULES may be in its way");
		return -ELIBACC;
	}

	switch (m->config.engine) {
	case ACCEL_MODEL_ENGINE_AUTO:
		if (usable(&engine_ipsec_mb))
			m->engine[m->nb_engines++] = &engine_ipsec_mb;
		else
			log_card(&m->log, ACCEL_MODEL_LOG_WARNING,
				 "IPsec-MB is not usable on this CPU, so OpenSSL does all: without "
				 "SNOW 3G and KASUMI, and slower");
		forced = &engine_openssl;
		if (m->nb_engines > 0)
			m->engine[m->nb_engines++] = &engine_split;
		break;
	case ACCEL_MODEL_ENGINE_IPSEC_MB:
		forced = &engine_ipsec_mb;
		/* IPsec-MB leaves some jobs to OpenSSL, which may not reach its files later. */
		usable(&engine_openssl);
		break;
	case ACCEL_MODEL_ENGINE_OPENSSL:
		forced = &engine_openssl;
		break;
	case ACCEL_MODEL_ENGINE_NULL:
		forced = &engine_null;
		break;
	default:
		return -EINVAL;
	}
	if (!usable(forced) && forced == &engine_openssl) {
		log_card(&m->log, ACCEL_MODEL_LOG_ERR,
			 "OpenSSL lacks an algorithm of the device, or memory");
		return -ELIBACC;
	}
	if (!usable(forced))
		return -ENOTSUP;
	m->engine[m->nb_engines++] = forced;
	return 0;
}

static bool
card_supports(const void *arg, const struct accel_hw_context *raw)
{
	const struct accel_model *m = arg;

	for (unsigned int i = 0; i < m->nb_engines; i++) {
		if (m->engine[i]->supports(raw))
			return true;
	}
	return false;
}

/* Set the limits of manual section 11. */
static void
take_limits(struct accel_model *m)
{
	const bool least = model_is(m, ACCEL_MODEL_LEAST);

	m->ring_size_max = least ? 1024u : MODEL_RING_SIZE_MAX;
	m->max_fragments = least ? ACCEL_HW_MIN_MAX_FRAGMENTS : MODEL_MAX_FRAGMENTS;
	m->max_frame_bytes = least ? ACCEL_HW_MIN_MAX_FRAME_BYTES : MODEL_MAX_FRAME_BYTES;
	if (least) {
		m->config.no_bits = true;
		m->config.no_command_upper = true;
		m->config.posted_writes = true;
	}
}

static int
take_config(struct accel_model *m, const struct accel_model_config *config)
{
	m->config = *config;
	if (m->config.nb_functions == 0)
		m->config.nb_functions = 1;
	if (m->config.ctx_cache == 0)
		m->config.ctx_cache = CTX_CACHE;
	if (m->config.nb_functions > ACCEL_MODEL_MAX_FUNCTIONS || m->config.nb_queue_pairs == 0 ||
	    m->config.nb_queue_pairs > ACCEL_MODEL_MAX_QUEUE_PAIRS || m->config.nb_workers == 0 ||
	    m->config.nb_workers > ACCEL_MODEL_MAX_WORKERS || m->config.ctx_cache > 1u << 24 ||
	    m->config.pk_share > ACCEL_MODEL_MAX_PK_SHARE)
		return -EINVAL;
	if (config->contract > ACCEL_MODEL_CONTRACT_1_6)
		return -EINVAL;
	m->minor = config->contract == ACCEL_MODEL_CONTRACT_NEWEST ? ACCEL_HW_VERSION_MINOR :
								     config->contract - 1u;
	if (m->minor < 2 && vf_pages(m) > 1)
		return -EINVAL;
	if (m->config.profile > ACCEL_MODEL_PROFILES)
		return -EINVAL;
	take_limits(m);
	m->drop_all = m->minor >= 5 && model_is(m, ACCEL_MODEL_DROP_ALL);
	m->config.faults = NULL; /* the caller's memory */
	m->log = (struct log_sink){ config->log, config->log_arg };
	m->ticks_control = clock_from_ns(CONTROL_NS);
	m->ticks_tick = clock_from_ns(TICK_NS);
	m->ticks_slice = clock_from_ns(SLICE_NS);
	m->ticks_stop = clock_from_ns(STOP_NS);
	m->ticks_put_off = clock_from_ns(PUT_OFF_NS);
	m->ticks_slow_stop = clock_from_ns(SLOW_STOP_NS);
	m->ticks_boot = clock_from_ns(BOOT_NS);
	m->ticks_idle = clock_from_ns((uint64_t)config->idle_us * 1000u);
	m->operation_ms = model_is(m, ACCEL_MODEL_SLOW_OP) ? SLOW_OPERATION_MS : OPERATION_MS;
	pacer_init(&m->pacer, config->peak_ops, config->peak_bytes,
		   model_is(m, ACCEL_MODEL_SLOW_OP) ? SLOW_OP_NS : 0);
	return config->faults != NULL ? fault_add(&m->faults, config->faults) : 0;
}

static void *
zeroed(size_t bytes)
{
	void *p = aligned_alloc(CACHE_LINE, bytes);

	return p != NULL ? memset(p, 0, bytes) : NULL;
}

static int
make_parts(struct accel_model *m)
{
	int ret = 0;

	m->fn = zeroed(m->config.nb_functions * sizeof(m->fn[0]));
	m->worker = zeroed(m->config.nb_workers * sizeof(m->worker[0]));
	if (m->fn == NULL || m->worker == NULL)
		return -ENOMEM;
	m->vf_left = vf_pool(m);
	for (unsigned int i = 0; i < m->config.nb_functions && ret == 0; i++)
		ret = function_init(&m->fn[i], m, i);
	for (unsigned int i = 0; i < m->config.nb_workers && ret == 0; i++)
		ret = worker_init(&m->worker[i], m, i);
	return ret;
}

/* Narrow the manual's algorithms to those of the engines, the contract and the profile. */
static void
choose_algorithms(struct accel_model *m)
{
	static const uint8_t few[] = { ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_SHA256_HMAC,
				       ACCEL_HW_AEAD_AES_GCM };
	const bool plain = model_is(m, ACCEL_MODEL_FEW | ACCEL_MODEL_NO_ALGS);

	alg_probe(&m->caps, m->minor, card_supports, m);
	if (!m->caps.chain_cipher_auth || !m->caps.chain_auth_cipher)
		log_card(&m->log, ACCEL_MODEL_LOG_WARNING,
			 "the engines cannot compute every chain");
	m->caps.ipsec = m->minor >= 3 && !plain;
	m->caps.tls = m->minor >= 3 && !plain;
	m->caps.iv_in_stream = m->minor >= 4 && !plain && !model_is(m, ACCEL_MODEL_ONE_SIZE);
	m->caps.aad_in_command = model_has_options(m, 7) &&
				 !model_is(m, ACCEL_MODEL_NO_ALGS | ACCEL_MODEL_ONE_SIZE);
	m->caps.no_protocols = plain;
	m->caps.pairs = m->minor >= 1 && model_is(m, ACCEL_MODEL_PAIRS);
	if (m->config.no_bits)
		alg_without_bits(&m->caps);
	if (model_is(m, ACCEL_MODEL_ONE_SIZE))
		alg_one_size(&m->caps);
	if (model_is(m, ACCEL_MODEL_NO_ALGS))
		alg_only(&m->caps, few, 0);
	else if (model_is(m, ACCEL_MODEL_FEW))
		alg_only(&m->caps, few, ARRAY_NB(few));
}

int
accel_model_create(const struct accel_model_config *config, struct accel_model **model)
{
	struct accel_model *m = zeroed(sizeof(*m));
	int ret;

	if (m == NULL)
		return -ENOMEM;
	fault_init(&m->faults, config->bus_count);
	pthread_mutex_init(&m->vf_lock, NULL);
	pk_pool_init(&m->pk_pool);
	ERR_set_mark();
	ret = take_config(m, config);
	if (ret == 0)
		ret = choose_engines(m);
	if (ret == 0) {
		choose_algorithms(m);
		ret = make_parts(m);
	}
	ERR_pop_to_mark();
	if (ret != 0) {
		accel_model_destroy(m);
		return ret;
	}
	*model = m;
	return 0;
}

void
accel_model_destroy(struct accel_model *model)
{
	if (model == NULL)
		return;
	for (unsigned int i = 0; model->fn != NULL && i < model->config.nb_functions; i++)
		function_fini(&model->fn[i]);
	for (unsigned int i = 0; model->worker != NULL && i < model->config.nb_workers; i++) {
		if (model->worker[i].model != NULL)
			worker_fini(&model->worker[i]);
	}
	pk_pool_fini(&model->pk_pool);
	fault_fini(&model->faults);
	pthread_mutex_destroy(&model->vf_lock);
	free(model->worker);
	free(model->fn);
	free(model);
}

void *
accel_model_vf_table(struct accel_model *model)
{
	return model->fn[0].vf_table;
}

unsigned int
accel_model_algorithm(const struct accel_model *model, const char *name)
{
	return alg_find(&model->caps, name);
}

bool
accel_model_vf_mailbox(struct accel_model *model, struct accel_model_vf_mailbox *mailbox)
{
	const struct accel_function *pf = &model->fn[0];

	*mailbox = (struct accel_model_vf_mailbox){
		.answers = pf->vf_answers,
		.requests = pf->vf_requests,
		.status = pf->vf_status,
		.pf_state = &pf->control->pf_state,
		.queue_pairs = vf_count(model) > 0 ? vf_pool(model) : 0,
	};
	return pf->vf_answers != NULL;
}

struct accel_function *
accel_model_function(struct accel_model *model, unsigned int index)
{
	return index < model->config.nb_functions ? &model->fn[index] : NULL;
}

/* End an FLR that has begun. */
static int
finish_flr(struct accel_function *fn, int bar)
{
	const struct timespec pause = { .tv_nsec = 20000 };

	while (!worker_all_quiesced(fn))
		nanosleep(&pause, NULL);
	return function_end_flr(fn, bar);
}

static int
level_reset(struct accel_function *fn, int bar)
{
	function_begin_flr(fn);
	return finish_flr(fn, bar);
}

bool
accel_function_set_present(struct accel_function *fn, bool present)
{
	if (!function_begin_presence(fn, present))
		return false;
	finish_flr(fn, BAR_STAYS);
	return true;
}

void
accel_function_flr(struct accel_function *fn)
{
	level_reset(fn, BAR_STAYS);
}

int
accel_function_renew(struct accel_function *fn)
{
	return level_reset(fn, BAR_NEW);
}

int
accel_function_adopt(struct accel_function *fn, int fd)
{
	return fd < 0 ? -EBADF : level_reset(fn, fd);
}

void
accel_model_stop(struct accel_model *model)
{
	const struct timespec pause = { .tv_nsec = 100000 };

	__atomic_store_n(&model->stop, 1, __ATOMIC_SEQ_CST);
	pk_pool_wake(&model->pk_pool);
	while (__atomic_load_n(&model->running, __ATOMIC_SEQ_CST) != 0)
		nanosleep(&pause, NULL);
}

int
accel_model_fault(struct accel_model *model, const char *faults)
{
	return fault_add(&model->faults, faults);
}

int
accel_model_worker_stats(const struct accel_model *model, unsigned int worker,
			 struct accel_model_stats *stats)
{
	const uint64_t *from;
	uint64_t *to = (uint64_t *)stats;

	if (worker >= model->config.nb_workers)
		return -EINVAL;
	from = (const uint64_t *)&model->worker[worker].stats;
	for (unsigned int i = 0; i < sizeof(*stats) / sizeof(*from); i++)
		to[i] = load64(&from[i]);
	return 0;
}

int
accel_model_bus_read(const struct accel_model *model, unsigned int worker,
		     struct accel_model_bus *bus)
{
	if (worker >= model->config.nb_workers)
		return -EINVAL;
	if (model->worker[worker].tools.bus == NULL)
		return -ENOTSUP;
	bus_copy(model->worker[worker].tools.bus, bus);
	return 0;
}
