/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests the control path with right and wrong parameters that applications pass to configure, queue
 * pair set-up and session creation.
 */

#include <rte_errno.h>
#include <rte_mempool.h>

#include "e2e.h"

#define TOO_MANY_DESCRIPTORS 32769

/* Sets up queue pair 0 of a stopped device, again if need be. */
static int
setup_qp0(struct e2e *t, uint32_t nb_desc, struct rte_mempool *mp, int socket)
{
	struct rte_cryptodev_qp_conf qp;

	memset(&qp, 0, sizeof(qp));
	qp.nb_descriptors = nb_desc;
	qp.mp_session = mp;
	return rte_cryptodev_queue_pair_setup(t->dev, 0, &qp, socket);
}

static int
restart(struct e2e *t)
{
	int ret = rte_cryptodev_start(t->dev);

	CHECK(t, ret == 0, "start: %d", ret);
	return E2E_PASS;
}

/* crypto-perf warms up and flushes with empty bursts. */
static int
test_empty_burst(struct e2e *t, const void *arg)
{
	struct rte_crypto_op *ops[8];
	unsigned int i;

	RTE_SET_USED(arg);
	for (i = 0; i < 10000; i++) {
		CHECK(t, rte_cryptodev_enqueue_burst(t->dev, 0, NULL, 0) == 0, "sent nothing");
		CHECK(t, rte_cryptodev_dequeue_burst(t->dev, 0, ops, 8) == 0,
		      "an unknown op came back");
		CHECK(t, rte_cryptodev_dequeue_burst(t->dev, 0, NULL, 0) == 0,
		      "an unknown op came back");
	}
	return e2e_alive(t, t->dev, t->nb_qps);
}

static int
test_null_session_pool(struct e2e *t, const void *arg)
{
	int ret;

	RTE_SET_USED(arg);
	e2e_dev_stop(t->dev);
	ret = setup_qp0(t, 2048, NULL, SOCKET_ID_ANY);
	CHECK(t, ret == 0, "queue pair without session pool: %d", ret);
	TRY(restart(t));
	return e2e_alive(t, t->dev, 1);
}

static int
test_any_socket(struct e2e *t, const void *arg)
{
	struct rte_cryptodev_config conf = { .socket_id = SOCKET_ID_ANY, .nb_queue_pairs = 1 };
	int ret;

	RTE_SET_USED(arg);
	e2e_dev_stop(t->dev);
	ret = rte_cryptodev_configure(t->dev, &conf);
	CHECK(t, ret == 0, "configure for any socket: %d", ret);
	ret = setup_qp0(t, 128, t->sess_mp, SOCKET_ID_ANY);
	CHECK(t, ret == 0, "queue pair on any socket: %d", ret);
	TRY(restart(t));
	return e2e_alive(t, t->dev, 1);
}

/* ipsec-secgw and l2fwd-crypto leave the field priority uninitialised. */
static int
test_garbage_priority(struct e2e *t, const void *arg)
{
	RTE_SET_USED(arg);
#if RTE_VERSION >= RTE_VERSION_NUM(24, 3, 0, 0)
	struct rte_cryptodev_qp_conf qp = {
		.nb_descriptors = 128, .mp_session = t->sess_mp, .priority = 0xa5,
	};
	int ret;

	e2e_dev_stop(t->dev);
	ret = rte_cryptodev_queue_pair_setup(t->dev, 0, &qp, SOCKET_ID_ANY);
	CHECK(t, ret == 0, "queue pair with garbage in priority: %d", ret);
	TRY(restart(t));
	return e2e_alive(t, t->dev, 1);
#else
	return e2e_skip(t, "this DPDK has no priority field");
#endif
}

static int
test_setup_twice(struct e2e *t, const void *arg)
{
	static const uint32_t sizes[] = { 128, 128, 4096, 16, 2048 };
	unsigned int i, round;
	int ret;

	RTE_SET_USED(arg);
	for (round = 0; round < 20; round++) {
		e2e_dev_stop(t->dev);
		for (i = 0; i < RTE_DIM(sizes); i++) {
			ret = setup_qp0(t, sizes[i], t->sess_mp, SOCKET_ID_ANY);
			CHECK(t, ret == 0, "set-up %u, %u descriptors: %d", i, sizes[i], ret);
		}
		TRY(restart(t));
		TRY(e2e_alive(t, t->dev, t->nb_qps));
	}
	return E2E_PASS;
}

/* Sets a queue pair up again while finished operations wait there. They may come back, but only
 * once. */
static int
test_setup_over_completed(struct e2e *t, const void *arg)
{
	struct rte_crypto_op *ops[8];
	struct e2e_bulk b;
	unsigned int i, n, k, round;
	int ret;

	RTE_SET_USED(arg);
	TRY(e2e_bulk_open(t, t->dev, 8, 64, &b));
	for (round = 0; round < 10; round++) {
		e2e_bulk_reset(&b);
		CHECK(t, e2e_send(t->dev, 0, b.op, 8) == 8, "ops not accepted");
		/* The operations get time to finish, but the checks below hold without it. */
		for (i = 0; i < 2000; i++)
			e2e_relax();
		e2e_dev_stop(t->dev);
		ret = setup_qp0(t, 64, t->sess_mp, SOCKET_ID_ANY);
		CHECK(t, ret == 0, "set-up over completed ops: %d", ret);
		TRY(restart(t));
		n = rte_cryptodev_dequeue_burst(t->dev, 0, ops, 8);
		for (i = 0; i < n; i++) {
			k = e2e_bulk_index(&b, ops[i]);
			CHECK(t, k < b.n && b.seen[k]++ == 0, "a stale op came back twice");
		}
		TRY(e2e_alive(t, t->dev, 1));
	}
	e2e_bulk_close(&b);
	return E2E_PASS;
}

static int
test_descriptor_limits(struct e2e *t, const void *arg)
{
	static const uint32_t bad[] = { 0, TOO_MANY_DESCRIPTORS, 65536, 1u << 31, UINT32_MAX };
	unsigned int i;
	int ret;

	RTE_SET_USED(arg);
	e2e_dev_stop(t->dev);
	for (i = 0; i < RTE_DIM(bad); i++) {
		ret = setup_qp0(t, bad[i], t->sess_mp, SOCKET_ID_ANY);
		CHECK(t, ret == -EINVAL, "%u descriptors: %d, expected -EINVAL", bad[i], ret);
	}
	ret = setup_qp0(t, 2048, t->sess_mp, SOCKET_ID_ANY);
	CHECK(t, ret == 0, "queue pair after a refused one: %d", ret);
	TRY(restart(t));
	return e2e_alive(t, t->dev, t->nb_qps);
}

static int
test_bad_qp_id(struct e2e *t, const void *arg)
{
	const uint16_t ids[] = { t->nb_qps, 0x7fff, 0xffff };
	struct rte_cryptodev_qp_conf qp;
	unsigned int i;
	int ret;

	RTE_SET_USED(arg);
	memset(&qp, 0, sizeof(qp));
	qp.nb_descriptors = 128;
	ret = rte_cryptodev_queue_pair_setup(t->dev, 0, &qp, SOCKET_ID_ANY);
	CHECK(t, ret == -EBUSY, "set-up of a running device: %d, expected -EBUSY", ret);
	e2e_dev_stop(t->dev);
	for (i = 0; i < RTE_DIM(ids); i++) {
		ret = rte_cryptodev_queue_pair_setup(t->dev, ids[i], &qp, SOCKET_ID_ANY);
		CHECK(t, ret < 0, "queue pair %u was set up", ids[i]);
	}
	ret = rte_cryptodev_queue_pair_setup(t->dev, 0, NULL, SOCKET_ID_ANY);
	CHECK(t, ret < 0, "queue pair without configuration was set up");
	TRY(restart(t));
	return e2e_alive(t, t->dev, t->nb_qps);
}

static int
test_reconfigure(struct e2e *t, const void *arg)
{
	uint16_t max = RTE_MIN(t->info.max_nb_queue_pairs, 8u);
	struct rte_cryptodev_config conf = { .socket_id = 0 };
	const uint16_t counts[] = { max, 1, max, RTE_MAX(max / 2, 1), max, 1 };
	unsigned int i;
	int ret;

	RTE_SET_USED(arg);
	for (i = 0; i < RTE_DIM(counts); i++) {
		TRY(e2e_dev_setup(t, t->dev, counts[i], 256));
		TRY(e2e_alive(t, t->dev, counts[i]));
	}
	/* The device has more queue pairs than are set up. It must skip the others. */
	e2e_dev_stop(t->dev);
	conf.nb_queue_pairs = max;
	ret = rte_cryptodev_configure(t->dev, &conf);
	CHECK(t, ret == 0, "configure: %d", ret);
	conf.nb_queue_pairs = 0;
	ret = rte_cryptodev_configure(t->dev, &conf);
	CHECK(t, ret == -EINVAL, "configure without queue pairs: %d, expected -EINVAL", ret);
	conf.nb_queue_pairs = RTE_MIN(t->info.max_nb_queue_pairs + 1, (unsigned int)UINT16_MAX);
	ret = rte_cryptodev_configure(t->dev, &conf);
	CHECK(t, ret < 0 || conf.nb_queue_pairs <= t->info.max_nb_queue_pairs,
	      "configured with more queue pairs than there are");
	TRY(e2e_dev_setup(t, t->dev, max, 256));
	TRY(e2e_alive(t, t->dev, max));
	e2e_note(t, "up to %u queue pairs", max);
	return E2E_PASS;
}

/* dpdk-test sets up all queue pairs with 4096 descriptors. */
static int
test_all_qps(struct e2e *t, const void *arg)
{
	uint16_t max = RTE_MIN(t->info.max_nb_queue_pairs, 64u);

	RTE_SET_USED(arg);
	TRY(e2e_dev_setup(t, t->dev, max, 4096));
	TRY(e2e_alive(t, t->dev, max));
	e2e_note(t, "%u queue pairs of 4096", max);
	return E2E_PASS;
}

static int
ff_after(struct e2e *t, uint64_t disable, uint64_t *ff)
{
	struct rte_cryptodev_config conf = { .nb_queue_pairs = 1, .ff_disable = disable };
	struct rte_cryptodev_info info;
	int ret;

	e2e_dev_stop(t->dev);
	ret = rte_cryptodev_configure(t->dev, &conf);
	CHECK(t, ret == 0, "configure with ff_disable 0x%" PRIx64 ": %d", disable, ret);
	rte_cryptodev_info_get(t->dev, &info);
	*ff = info.feature_flags;
	return E2E_PASS;
}

static int
test_ff_disable(struct e2e *t, const void *arg)
{
	static const uint64_t disable[] = {
		RTE_CRYPTODEV_FF_SECURITY, RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO,
		RTE_CRYPTODEV_FF_SECURITY | RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO,
		RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO,
	};
	uint64_t all = 0, ff = 0, gone;
	unsigned int i;

	RTE_SET_USED(arg);
	TRY(ff_after(t, 0, &all));
	CHECK(t, all & RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO, "no symmetric crypto to begin with");
	for (i = 0; i < RTE_DIM(disable); i++) {
		TRY(ff_after(t, disable[i], &ff));
		/* Security stays listed because it can be enabled again. Its context must go. */
		gone = disable[i] & ~RTE_CRYPTODEV_FF_SECURITY;
		CHECK(t, ff == (all & ~gone), "flags 0x%" PRIx64 " with 0x%" PRIx64
		      " disabled of 0x%" PRIx64, ff, disable[i], all);
		CHECK(t, (disable[i] & RTE_CRYPTODEV_FF_SECURITY) == 0 ||
		      rte_cryptodev_get_sec_ctx(t->dev) == NULL, "there is a security context");
		/* The next configure gives the features back. */
		TRY(ff_after(t, 0, &ff));
		CHECK(t, ff == all, "flags 0x%" PRIx64 " stayed disabled", all & ~ff);
	}
	TRY(e2e_dev_setup(t, t->dev, 1, 128));
	return e2e_alive(t, t->dev, 1);
}

/* ------------------------------------------------------------------ sessions refused */

static struct rte_crypto_sym_xform
cipher(int algo, uint16_t key, uint16_t iv)
{
	static const uint8_t bytes[256];

	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.algo = algo, .key = { .data = bytes, .length = key },
			.iv = { .offset = E2E_PRIV_OFF, .length = iv },
		},
	};
}

static struct rte_crypto_sym_xform
auth(int algo, uint16_t key, uint16_t digest)
{
	static const uint8_t bytes[256];

	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = {
			.op = RTE_CRYPTO_AUTH_OP_GENERATE, .algo = algo,
			.key = { .data = bytes, .length = key }, .digest_length = digest,
		},
	};
}

static struct rte_crypto_sym_xform
aead(int algo, uint16_t key, uint16_t iv, uint16_t digest, uint16_t aad)
{
	static const uint8_t bytes[256];

	return (struct rte_crypto_sym_xform){
		.type = RTE_CRYPTO_SYM_XFORM_AEAD,
		.aead = {
			.algo = algo, .key = { .data = bytes, .length = key },
			.iv = { .offset = E2E_PRIV_OFF, .length = iv },
			.digest_length = digest, .aad_length = aad,
		},
	};
}

static int
refused(struct e2e *t, const char *what, struct rte_crypto_sym_xform *x, int err)
{
	void *sess;

	rte_errno = 0;
	sess = rte_cryptodev_sym_session_create(t->dev, x, t->sess_mp);
	if (sess != NULL)
		rte_cryptodev_sym_session_free(t->dev, sess);
	CHECK(t, sess == NULL, "%s: accepted", what);
	/* A card may lack what the transform has beside its mistake. */
	if (t->partial && rte_errno == ENOTSUP)
		return E2E_PASS;
	CHECK(t, rte_errno == err, "%s: errno %d (%s), expected %d", what, rte_errno,
	      rte_strerror(rte_errno), err);
	return E2E_PASS;
}

/* dpdk-test skips on ENOTSUP and fails on any other error. */
static int
test_enotsup(struct e2e *t, const void *arg)
{
	struct rte_crypto_sym_xform c[] = {
		cipher(RTE_CRYPTO_CIPHER_KASUMI_F8, 16, 8), cipher(RTE_CRYPTO_CIPHER_ARC4, 16, 0),
		cipher(RTE_CRYPTO_CIPHER_AES_F8, 32, 16), cipher(9999, 16, 16),
	};
	struct rte_crypto_sym_xform a[] = {
		auth(RTE_CRYPTO_AUTH_KASUMI_F9, 16, 4), auth(RTE_CRYPTO_AUTH_SHA3_512, 0, 64),
		auth(9999, 16, 16),
	};
	struct rte_crypto_sym_xform d = aead(9999, 16, 12, 16, 8);
	unsigned int i;

	RTE_SET_USED(arg);
	for (i = 0; i < RTE_DIM(c); i++) {
		if (e2e_cap(t, RTE_CRYPTO_SYM_XFORM_CIPHER, c[i].cipher.algo) == NULL)
			TRY(refused(t, "unknown cipher", &c[i], ENOTSUP));
	}
	for (i = 0; i < RTE_DIM(a); i++) {
		if (e2e_cap(t, RTE_CRYPTO_SYM_XFORM_AUTH, a[i].auth.algo) == NULL)
			TRY(refused(t, "unknown auth", &a[i], ENOTSUP));
	}
	TRY(refused(t, "unknown AEAD", &d, ENOTSUP));
	return e2e_alive(t, t->dev, 1);
}

static int
xform_algo(const struct rte_crypto_sym_xform *x)
{
	if (x->type == RTE_CRYPTO_SYM_XFORM_CIPHER)
		return x->cipher.algo;
	return x->type == RTE_CRYPTO_SYM_XFORM_AUTH ? (int)x->auth.algo : (int)x->aead.algo;
}

static int
test_einval(struct e2e *t, const void *arg)
{
	struct {
		const char *what;
		struct rte_crypto_sym_xform x;
	} bad[] = {
		{ "AES key of 0", cipher(RTE_CRYPTO_CIPHER_AES_CBC, 0, 16) },
		{ "AES key of 15", cipher(RTE_CRYPTO_CIPHER_AES_CBC, 15, 16) },
		{ "AES key of 17", cipher(RTE_CRYPTO_CIPHER_AES_CBC, 17, 16) },
		{ "AES key of 64", cipher(RTE_CRYPTO_CIPHER_AES_CBC, 64, 16) },
		{ "CBC IV of 8", cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 8) },
		{ "CBC IV of 0", cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 0) },
		{ "CTR IV of 4", cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 4) },
		{ "CTR IV of 9", cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 9) },
		{ "CBC IV of 17", cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 17) },
		{ "XTS key of 48", cipher(RTE_CRYPTO_CIPHER_AES_XTS, 48, 16) },
		{ "XTS key of 16", cipher(RTE_CRYPTO_CIPHER_AES_XTS, 16, 16) },
		{ "DES key of 7", cipher(RTE_CRYPTO_CIPHER_DES_CBC, 7, 8) },
		{ "SHA1 digest of 21", auth(RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 21) },
		{ "SHA512 digest of 65", auth(RTE_CRYPTO_AUTH_SHA512_HMAC, 64, 65) },
		{ "MD5 digest of 17", auth(RTE_CRYPTO_AUTH_MD5, 0, 17) },
		{ "GCM key of 20", aead(RTE_CRYPTO_AEAD_AES_GCM, 20, 12, 16, 8) },
		{ "GCM tag of 17", aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 12, 17, 8) },
		{ "CCM nonce of 6", aead(RTE_CRYPTO_AEAD_AES_CCM, 16, 6, 16, 8) },
		{ "CCM nonce of 14", aead(RTE_CRYPTO_AEAD_AES_CCM, 16, 14, 16, 8) },
		{ "CCM tag of 5", aead(RTE_CRYPTO_AEAD_AES_CCM, 16, 13, 5, 8) },
		{ "ChaCha20 key of 16", aead(RTE_CRYPTO_AEAD_CHACHA20_POLY1305, 16, 12, 16, 8) },
		{ "ChaCha20 nonce of 8", aead(RTE_CRYPTO_AEAD_CHACHA20_POLY1305, 32, 8, 16, 8) },
		{ "GCM AAD of 65535", aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 12, 16, 65535) },
	};
	const struct rte_cryptodev_symmetric_capability *cap;
	struct rte_crypto_sym_xform key0 = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	unsigned int i, n = 0;

	RTE_SET_USED(arg);
	for (i = 0; i < RTE_DIM(bad); i++) {
		struct rte_crypto_sym_xform *x = &bad[i].x;

		cap = e2e_cap(t, x->type, xform_algo(x));
		if (cap == NULL || (x->type == RTE_CRYPTO_SYM_XFORM_AEAD &&
				x->aead.aad_length > 64 && cap->aead.aad_size.max == UINT16_MAX))
			continue;
		TRY(refused(t, bad[i].what, x, EINVAL));
		n++;
	}
	key0.cipher.key.data = NULL;
	if (e2e_cap(t, RTE_CRYPTO_SYM_XFORM_CIPHER, RTE_CRYPTO_CIPHER_AES_CBC) != NULL)
		TRY(refused(t, "no key", &key0, EINVAL));
	TRY(refused(t, "no transform", NULL, EINVAL));
	e2e_note(t, "%u sessions refused", n + 2);
	return e2e_alive(t, t->dev, 1);
}

static int
one_of(struct e2e *t, const char *what, struct rte_crypto_sym_xform *x)
{
	void *sess = rte_cryptodev_sym_session_create(t->dev, x, t->sess_mp);

	if (sess != NULL)
		rte_cryptodev_sym_session_free(t->dev, sess);
	CHECK(t, sess == NULL, "%s: accepted", what);
	CHECK(t, rte_errno == EINVAL || rte_errno == ENOTSUP, "%s: errno %d", what, rte_errno);
	return E2E_PASS;
}

/* The API describes no order for these chains. */
static int
test_invalid_chains(struct e2e *t, const void *arg)
{
	struct rte_crypto_sym_xform x[3];

	RTE_SET_USED(arg);
	x[0] = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	x[1] = cipher(RTE_CRYPTO_CIPHER_AES_CTR, 16, 16);
	x[0].next = &x[1];
	TRY(one_of(t, "cipher and cipher", x));
	x[0] = auth(RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 20);
	x[1] = auth(RTE_CRYPTO_AUTH_SHA256_HMAC, 20, 20);
	x[0].next = &x[1];
	TRY(one_of(t, "auth and auth", x));
	x[0] = cipher(RTE_CRYPTO_CIPHER_AES_CBC, 16, 16);
	x[0].next = &x[1];
	x[1].next = &x[2];
	x[2] = auth(RTE_CRYPTO_AUTH_SHA1_HMAC, 20, 20);
	TRY(one_of(t, "three transforms", x));
	x[0] = aead(RTE_CRYPTO_AEAD_AES_GCM, 16, 12, 16, 8);
	x[0].next = &x[1];
	x[1].next = NULL;
	TRY(one_of(t, "AEAD and auth", x));
	memset(x, 0, sizeof(x));
	TRY(one_of(t, "transform of no type", x));
	x[0].type = 77;
	TRY(one_of(t, "transform of unknown type", x));
	return e2e_alive(t, t->dev, 1);
}

static int
test_small_pool(struct e2e *t, const void *arg)
{
	unsigned int size = rte_cryptodev_sym_get_private_session_size(t->dev);
	struct rte_crypto_sym_xform xf[2];
	struct rte_mempool *mp;
	struct e2e_spec sp;
	void *sess;
	int ret;

	RTE_SET_USED(arg);
	if (size < 8)
		return e2e_skip(t, "sessions have no private data");
	CHECK(t, e2e_spec_simple(t, &sp), "no simple cipher");
	mp = rte_cryptodev_sym_session_pool_create("e2e_small", 8, size - 8, 0, 0, SOCKET_ID_ANY);
	CHECK(t, mp != NULL, "no pool");
	sess = rte_cryptodev_sym_session_create(t->dev, e2e_xforms(&sp, xf), mp);
	e2e_dev_stop(t->dev);
	ret = setup_qp0(t, 128, mp, SOCKET_ID_ANY);
	rte_mempool_free(mp);
	CHECK(t, sess == NULL, "a pool of too small elements gave a session");
	CHECK(t, ret == -EINVAL, "a pool of too small elements gave %d", ret);
	return E2E_PASS;
}

static int
test_max_sessions(struct e2e *t, const void *arg)
{
	unsigned int max = t->info.sym.max_nb_sessions, i;
	unsigned int n = max == 0 ? E2E_SESSIONS : RTE_MIN(max, (unsigned int)E2E_SESSIONS);
	struct e2e_session *ses;
	struct e2e_spec sp;

	RTE_SET_USED(arg);
	for (i = 0; i < n; i++) {
		CHECK(t, e2e_spec_simple(t, &sp), "no simple cipher");
		ses = e2e_session_open(t, t->dev, &sp);
		CHECK(t, ses != NULL, "session %u of %u: %s", i, n, rte_strerror(rte_errno));
	}
	/* The first and the last session must still work. */
	for (i = 0; i < n; i += n - 1) {
		struct e2e_layout l;

		e2e_layout_plain(&t->open[i].spec, 64, false, &l);
		TRY(e2e_slot_fill(t, &t->slot[0], &t->open[i], &l, &t->rng));
		TRY(e2e_one(t, t->dev, 0, &t->slot[0]));
	}
	e2e_slot_clear(&t->slot[0]);
	e2e_session_close_all(t);
	CHECK(t, rte_mempool_full(t->sess_mp), "sessions leaked");
	e2e_note(t, "%u sessions at once", n);
	return e2e_alive(t, t->dev, 1);
}

void
e2e_add_control(void)
{
	e2e_add("control/empty-burst", test_empty_burst, NULL, false);
	e2e_add("control/no-session-pool", test_null_session_pool, NULL, false);
	e2e_add("control/any-socket", test_any_socket, NULL, false);
	e2e_add("control/garbage-priority", test_garbage_priority, NULL, false);
	e2e_add("control/setup-twice", test_setup_twice, NULL, false);
	e2e_add("control/setup-over-completed", test_setup_over_completed, NULL, false);
	e2e_add("control/descriptor-limits", test_descriptor_limits, NULL, true);
	e2e_add("control/bad-qp-id", test_bad_qp_id, NULL, false);
	e2e_add("control/reconfigure", test_reconfigure, NULL, false);
	e2e_add("control/all-qps", test_all_qps, NULL, false);
	e2e_add("control/ff-disable", test_ff_disable, NULL, true);
	e2e_add("control/enotsup", test_enotsup, NULL, false);
	e2e_add("control/einval", test_einval, NULL, true);
	e2e_add("control/invalid-chains", test_invalid_chains, NULL, false);
	e2e_add("control/small-pool", test_small_pool, NULL, false);
	e2e_add("control/max-sessions", test_max_sessions, NULL, false);
}
