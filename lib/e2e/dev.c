/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Sets up devices and sessions, and sends and collects operations within a time limit, so that a
 * lost operation fails a test instead of hanging the program.
 */

#include <sched.h>
#include <time.h>

#include <rte_errno.h>
#include <rte_malloc.h>

#include "e2e_op.h"

#define MBUFS 8191
#define LOOK_MS 20u  /* the most that e2e_waited_ms() counts from one call to the next */
#define YIELDS 32u   /* e2e_relax() takes a nap in every 32nd call */
#define NAP_NS 20000

/*
 * A digest, the AAD and two crossings of a boundary of 1 GiB take a fragment each, besides those of
 * the segments. A card takes at least 16 (manual 3).
 */
#define OTHER_FRAGMENTS 4u

uint64_t
e2e_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

uint64_t
e2e_waited_ms(void)
{
	static __thread uint64_t waited, last;
	const uint64_t now = e2e_now_ms();

	waited += RTE_MIN(now - last, LOOK_MS);
	last = now;
	return waited;
}

/*
 * Leaves the CPU to the device, and to a thread that uses the other half of a queue pair. A yield
 * alone may not do this, because Linux may let this thread go on until its share of time is used
 * up. So some calls sleep: a poll that finds nothing has no use for the CPU.
 */
void
e2e_relax(void)
{
	static __thread unsigned int calls;
	const struct timespec nap = { .tv_nsec = NAP_NS };

	if (++calls % YIELDS == 0)
		nanosleep(&nap, NULL);
	else
		sched_yield();
}

/* Devices of the virtual bus are named after their driver, others after their address. */
bool
e2e_is_vdev(const struct e2e *t)
{
	return strncmp(t->name, t->driver, strlen(t->driver)) == 0;
}

bool
e2e_has_symmetric(const struct e2e *t)
{
	const struct rte_cryptodev_capabilities *c = t->info.capabilities;

	while (c != NULL && c->op != RTE_CRYPTO_OP_TYPE_UNDEFINED &&
			c->op != RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		c++;
	return c != NULL && c->op == RTE_CRYPTO_OP_TYPE_SYMMETRIC;
}

uint16_t
e2e_max_segs(uint32_t fragments)
{
	return (uint16_t)RTE_MIN(fragments - OTHER_FRAGMENTS, E2E_MAX_SEGS);
}

void
e2e_dev_stop(uint8_t dev)
{
	/* rte_cryptodev_stop() does nothing to a stopped device. */
	rte_cryptodev_stop(dev);
}

/* Stops the device if it runs, and starts it with nb_qps new queue pairs. */
static int
dev_setup(struct e2e *t, uint8_t dev, uint16_t nb_qps, uint32_t nb_desc, uint64_t ff_disable)
{
	struct rte_cryptodev_config conf = {
		.socket_id = rte_cryptodev_socket_id(dev),
		.nb_queue_pairs = nb_qps,
		.ff_disable = ff_disable,
	};
	struct rte_cryptodev_qp_conf qp;
	uint16_t i;
	int ret;

	memset(&qp, 0, sizeof(qp));
	qp.nb_descriptors = nb_desc;
	qp.mp_session = t->sess_mp;
	e2e_dev_stop(dev);
	ret = rte_cryptodev_configure(dev, &conf);
	CHECK(t, ret == 0, "configure with %u queue pairs: %d", nb_qps, ret);
	for (i = 0; i < nb_qps; i++) {
		ret = rte_cryptodev_queue_pair_setup(dev, i, &qp, conf.socket_id);
		CHECK(t, ret == 0, "queue pair %u with %u descriptors: %d", i, nb_desc, ret);
	}
	ret = rte_cryptodev_start(dev);
	CHECK(t, ret == 0, "start: %d", ret);
	if (dev == t->dev)
		t->nb_qps = nb_qps;
	return E2E_PASS;
}

/* Makes the pools. session_size is the size of the device's private part of a session. */
int
e2e_pools_init(struct e2e *t, unsigned int session_size, unsigned int nb_ops)
{
	t->sess_mp = rte_cryptodev_sym_session_pool_create("e2e_sess", E2E_SESSIONS, session_size,
							   0, 0, SOCKET_ID_ANY);
	t->tight_mp = rte_cryptodev_sym_session_pool_create("e2e_tight", E2E_SLOTS + 1,
							    session_size, 0, 0, SOCKET_ID_ANY);
	t->op_mp = rte_crypto_op_pool_create("e2e_op", RTE_CRYPTO_OP_TYPE_SYMMETRIC, nb_ops, 0,
					     E2E_PRIV, SOCKET_ID_ANY);
	t->mbuf_mp = rte_pktmbuf_pool_create("e2e_mbuf", MBUFS, 0, 0, RTE_PKTMBUF_HEADROOM,
					     SOCKET_ID_ANY);
	t->open = calloc(E2E_SESSIONS, sizeof(*t->open));
	return t->sess_mp != NULL && t->tight_mp != NULL && t->op_mp != NULL &&
	       t->mbuf_mp != NULL && t->open != NULL ? 0 : -ENOMEM;
}

int
e2e_dev_setup(struct e2e *t, uint8_t dev, uint16_t nb_qps, uint32_t nb_desc)
{
	return dev_setup(t, dev, nb_qps, nb_desc,
			 RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_SECURITY);
}

int
e2e_dev_setup_asym(struct e2e *t, uint8_t dev, uint16_t nb_qps, uint32_t nb_desc)
{
	return dev_setup(t, dev, nb_qps, nb_desc, RTE_CRYPTODEV_FF_SECURITY);
}

int
e2e_dev_setup_all(struct e2e *t, uint8_t dev, uint16_t nb_qps, uint32_t nb_desc)
{
	return dev_setup(t, dev, nb_qps, nb_desc, 0);
}

static void
cipher_xform(const struct e2e_spec *s, struct rte_crypto_sym_xform *x)
{
	x->type = RTE_CRYPTO_SYM_XFORM_CIPHER;
	x->cipher.op = s->encrypt ? RTE_CRYPTO_CIPHER_OP_ENCRYPT : RTE_CRYPTO_CIPHER_OP_DECRYPT;
	x->cipher.algo = s->cipher->algo;
	x->cipher.key.data = s->key;
	x->cipher.key.length = s->key_len;
	x->cipher.iv.offset = s->iv_off;
	x->cipher.iv.length = s->iv_named != 0 ? s->iv_named : s->iv_len;
	x->cipher.dataunit_len = s->data_unit;
}

static void
auth_xform(const struct e2e_spec *s, struct rte_crypto_sym_xform *x)
{
	x->type = RTE_CRYPTO_SYM_XFORM_AUTH;
	x->auth.op = s->generate ? RTE_CRYPTO_AUTH_OP_GENERATE : RTE_CRYPTO_AUTH_OP_VERIFY;
	x->auth.algo = s->auth->algo;
	x->auth.key.data = s->auth_key_len > 0 ? s->auth_key : NULL;
	x->auth.key.length = s->auth_key_len;
	x->auth.iv.offset = s->auth_iv_off;
	x->auth.iv.length = s->auth_iv_len;
	x->auth.digest_length = s->digest_len;
}

static void
aead_xform(const struct e2e_spec *s, struct rte_crypto_sym_xform *x)
{
	x->type = RTE_CRYPTO_SYM_XFORM_AEAD;
	x->aead.op = s->encrypt ? RTE_CRYPTO_AEAD_OP_ENCRYPT : RTE_CRYPTO_AEAD_OP_DECRYPT;
	x->aead.algo = s->aead->algo;
	x->aead.key.data = s->key;
	x->aead.key.length = s->key_len;
	x->aead.iv.offset = s->iv_off;
	x->aead.iv.length = s->iv_len;
	x->aead.digest_length = s->digest_len;
	x->aead.aad_length = s->aad_len;
}

struct rte_crypto_sym_xform *
e2e_xforms(const struct e2e_spec *s, struct rte_crypto_sym_xform xf[2])
{
	memset(xf, 0, 2 * sizeof(xf[0]));
	if (s->aead != NULL) {
		aead_xform(s, &xf[0]);
	} else if (s->cipher != NULL && s->auth != NULL) {
		cipher_xform(s, &xf[s->auth_first ? 1 : 0]);
		auth_xform(s, &xf[s->auth_first ? 0 : 1]);
		xf[0].next = &xf[1];
	} else if (s->cipher != NULL) {
		cipher_xform(s, &xf[0]);
	} else {
		auth_xform(s, &xf[0]);
	}
	return xf;
}

/* Opens a session. Returns NULL and sets rte_errno if the device refuses it, or too many are
 * open. */
struct e2e_session *
e2e_session_open(struct e2e *t, uint8_t dev, const struct e2e_spec *s)
{
	struct rte_crypto_sym_xform xf[2];
	struct e2e_session *ses = NULL;
	unsigned int i;

	for (i = 0; i < E2E_SESSIONS && ses == NULL; i++) {
		unsigned int k = (t->open_hint + i) % E2E_SESSIONS;

		if (t->open[k].sess == NULL) {
			ses = &t->open[k];
			t->open_hint = k + 1;
		}
	}
	if (ses == NULL) {
		rte_errno = ENOSPC;
		return NULL;
	}
	ses->spec = *s;
	ses->dev = dev;
	ses->sess = rte_cryptodev_sym_session_create(dev, e2e_xforms(&ses->spec, xf),
						     t->tight ? t->tight_mp : t->sess_mp);
	return ses->sess != NULL ? ses : NULL;
}

void
e2e_session_close(struct e2e_session *ses)
{
	if (ses == NULL || ses->sess == NULL)
		return;
	if (rte_cryptodev_sym_session_free(ses->dev, ses->sess) != 0)
		printf("  cannot free the session of %s\n", e2e_spec_name(&ses->spec));
	ses->sess = NULL;
}

void
e2e_session_close_all(struct e2e *t)
{
	unsigned int i;

	for (i = 0; i < E2E_SESSIONS; i++)
		e2e_session_close(&t->open[i]);
	t->open_hint = 0;
}

const char *
e2e_status_name(uint8_t status)
{
	static const char *const names[] = {
		[RTE_CRYPTO_OP_STATUS_SUCCESS] = "SUCCESS",
		[RTE_CRYPTO_OP_STATUS_NOT_PROCESSED] = "NOT_PROCESSED",
		[RTE_CRYPTO_OP_STATUS_AUTH_FAILED] = "AUTH_FAILED",
		[RTE_CRYPTO_OP_STATUS_INVALID_SESSION] = "INVALID_SESSION",
		[RTE_CRYPTO_OP_STATUS_INVALID_ARGS] = "INVALID_ARGS",
		[RTE_CRYPTO_OP_STATUS_ERROR] = "ERROR",
	};

	return status < RTE_DIM(names) ? names[status] : "unknown status";
}

unsigned int
e2e_collect(uint8_t dev, uint16_t qp, struct rte_crypto_op **ops, unsigned int n,
	    unsigned int timeout_ms)
{
	uint64_t end = e2e_waited_ms() + timeout_ms;
	unsigned int got = 0;
	uint16_t k;

	while (got < n) {
		k = rte_cryptodev_dequeue_burst(dev, qp, ops + got, RTE_MIN(n - got, 256u));
		got += k;
		if (k > 0)
			end = e2e_waited_ms() + timeout_ms;
		else if (e2e_waited_ms() > end)
			break;
		else
			e2e_relax();
	}
	return got;
}

unsigned int
e2e_send(uint8_t dev, uint16_t qp, struct rte_crypto_op **ops, unsigned int n)
{
	uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
	unsigned int sent = 0;

	while (sent < n && e2e_waited_ms() < end) {
		sent += rte_cryptodev_enqueue_burst(dev, qp, ops + sent, RTE_MIN(n - sent, 256u));
		if (sent < n)
			e2e_relax();
	}
	return sent;
}

/* Sums up all heaps, also those of external memory. Memzones come from the same heaps, so the sum
 * includes them. */
uint64_t
e2e_heap_used(void)
{
	struct rte_malloc_socket_stats st;
	uint64_t sum = 0;
	int i;

	for (i = 0; i < RTE_MAX_NUMA_NODES; i++) {
		if (rte_malloc_get_socket_stats(i, &st) == 0)
			sum += st.heap_allocsz_bytes;
	}
	return sum;
}
