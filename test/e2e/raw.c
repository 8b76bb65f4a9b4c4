/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests the raw data path with the random layouts of the other tests. Groups of vectors share
 * session and offsets. The session changes while operations are cached, and operations are
 * submitted and dequeued in all ways of the API. Further tests check refusals, and both APIs on one
 * queue pair.
 */

#include <rte_dev.h>

#include "e2e.h"

#define RAW_SESSIONS 48

/* The parts of a slot's operation. */
struct raw_op {
	struct rte_crypto_vec src[E2E_MAX_SEGS], dst[E2E_MAX_SEGS];
	struct rte_crypto_sgl src_sgl, dst_sgl;
	struct rte_crypto_va_iova_ptr iv, digest, aad;
	union rte_crypto_sym_ofs ofs;
	unsigned int group_end; /* number of the first operation after the group */
	unsigned int number;
	uint8_t status;
};

static struct raw_op raw_op[E2E_SLOTS];

struct raw {
	uint8_t dev;
	struct rte_crypto_raw_dp_ctx *ctx;
	struct e2e_session *ses[RAW_SESSIONS];
	struct rte_crypto_sym_xform xf[2];
	unsigned int n;
	unsigned int filled, cached, sent, back; /* operations so far */
};

static struct raw_op *
op_at(unsigned int number)
{
	return &raw_op[number % E2E_SLOTS];
}

/* ------------------------------------------------------------------ vectors */

static int
vectors(struct e2e *t, const struct e2e_chain *c, uint32_t len, struct rte_crypto_vec *vec,
	struct rte_crypto_sgl *sgl)
{
	int n = rte_crypto_mbuf_to_vec(c->m, 0, len, vec, E2E_MAX_SEGS);

	CHECK(t, n > 0, "rte_crypto_mbuf_to_vec: %d for %u bytes", n, len);
	sgl->vec = vec;
	sgl->num = n;
	return E2E_PASS;
}

/* Heads and tails are relative to the vectors, which end with the last processed byte. */
static int
convert(struct e2e *t, struct e2e_slot *s, struct raw_op *op)
{
	const struct e2e_spec *sp = &s->ses->spec;
	const struct rte_crypto_sym_op *sym = s->op->sym;
	const struct e2e_layout *l = &s->lay;
	uint32_t end = RTE_MAX(l->c_off + l->c_len, l->a_off + l->a_len);

	TRY(vectors(t, &s->src, end, op->src, &op->src_sgl));
	if (l->dst_segs > 0)
		TRY(vectors(t, &s->dst, end, op->dst, &op->dst_sgl));
	op->ofs.ofs.cipher.head = l->c_off;
	op->ofs.ofs.cipher.tail = end - l->c_off - l->c_len;
	op->ofs.ofs.auth.head = l->a_off;
	op->ofs.ofs.auth.tail = end - l->a_off - l->a_len;
	op->iv.va = rte_crypto_op_ctod_offset(s->op, void *, sp->iv_off);
	op->iv.iova = rte_crypto_op_ctophys_offset(s->op, sp->iv_off);
	if (sp->aead != NULL) {
		op->aad.va = sym->aead.aad.data;
		op->aad.iova = sym->aead.aad.phys_addr;
		op->digest.va = sym->aead.digest.data;
		op->digest.iova = sym->aead.digest.phys_addr;
		return E2E_PASS;
	}
	op->aad.va = rte_crypto_op_ctod_offset(s->op, void *, sp->auth_iv_off);
	op->aad.iova = rte_crypto_op_ctophys_offset(s->op, sp->auth_iv_off);
	op->digest.va = sym->auth.digest.data;
	op->digest.iova = sym->auth.digest.phys_addr;
	return E2E_PASS;
}

static bool
may_encrypt_digest(const struct e2e *t, const struct e2e_spec *sp)
{
	return sp->cipher != NULL && sp->auth != NULL && sp->digest_len > 0 &&
	       sp->auth_first == sp->generate &&
	       (t->info.feature_flags & RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED) != 0;
}

/* Fills a group: several operations of one session with the same offsets. */
static int
fill_group(struct e2e *t, struct raw *r)
{
	const struct e2e_session *ses = r->ses[e2e_range(&t->rng, 0, r->n - 1)];
	unsigned int n = RTE_MIN(e2e_range(&t->rng, 1, 8), E2E_SLOTS - (r->filled - r->back));
	unsigned int end = r->filled + n;
	struct e2e_layout l;

	if (may_encrypt_digest(t, &ses->spec) && e2e_chance(&t->rng, 2))
		e2e_layout_digest_encrypted(t, &ses->spec, true, &l);
	else
		e2e_layout_random(t, &t->rng, &ses->spec,
				  e2e_random_length(&t->rng, &ses->spec, 9000), &l);
	for (; r->filled != end; r->filled++) {
		struct e2e_slot *s = &t->slot[r->filled % E2E_SLOTS];

		l.wrong_digest = e2e_chance(&t->rng, 8);
		TRY(e2e_slot_fill(t, s, ses, &l, &t->rng));
		op_at(r->filled)->group_end = end;
		op_at(r->filled)->number = r->filled;
		TRY(convert(t, s, op_at(r->filled)));
	}
	return E2E_PASS;
}

/* ------------------------------------------------------------------ enqueuing */

static int
swap_session(struct e2e *t, struct raw *r, const struct e2e_session *ses)
{
	union rte_cryptodev_session_ctx sc = { .crypto_sess = ses->sess };
	enum rte_crypto_op_sess_type type = RTE_CRYPTO_OP_WITH_SESSION;
	/* A context without cached operations may begin anew, while others are on their way. */
	const bool update = r->cached != r->sent || e2e_chance(&t->rng, 2);
	int ret;

	/* Some operations have transforms instead of a session. These stay valid until the next
	 * swap. */
	if ((t->info.feature_flags & RTE_CRYPTODEV_FF_SYM_SESSIONLESS) && e2e_chance(&t->rng, 4)) {
		sc.xform = e2e_xforms(&ses->spec, r->xf);
		type = RTE_CRYPTO_OP_SESSIONLESS;
	}
	ret = rte_cryptodev_configure_raw_dp_ctx(r->dev, 0, r->ctx, type, sc, update);
	CHECK(t, ret == 0, "the session was refused: %d", ret);
	return E2E_PASS;
}

/* Enqueues the rest of the next operation's group in one burst. */
static int
enqueue_group(struct e2e *t, struct raw *r)
{
	const unsigned int n = op_at(r->cached)->group_end - r->cached;
	struct rte_crypto_sgl src[8], dst[8];
	struct rte_crypto_va_iova_ptr iv[8], digest[8], aad[8];
	int32_t status[8];
	void *user[8];
	struct rte_crypto_sym_vec vec = { .num = n, .src_sgl = src, .iv = iv, .digest = digest,
					  .aad = aad, .status = status };
	unsigned int i, done;
	int ret = 77;

	for (i = 0; i < n; i++) {
		struct raw_op *op = op_at(r->cached + i);

		src[i] = op->src_sgl;
		dst[i] = op->dst_sgl;
		iv[i] = op->iv;
		digest[i] = op->digest;
		aad[i] = op->aad;
		user[i] = op;
	}
	if (t->slot[r->cached % E2E_SLOTS].lay.dst_segs > 0)
		vec.dest_sgl = dst;
	done = rte_cryptodev_raw_enqueue_burst(r->ctx, &vec, op_at(r->cached)->ofs, user, &ret);
	CHECK(t, ret == 0 || ret == 1, "enqueue_burst: status %d, op status %d", ret, status[0]);
	CHECK(t, done <= n, "more ops were accepted than offered");
	for (i = 0; i < done; i++)
		CHECK(t, status[i] == 0, "op status %d of a cached op", status[i]);
	r->cached += done;
	if (ret == 1)
		r->sent = r->cached;
	return E2E_PASS;
}

static int
enqueue_one(struct e2e *t, struct raw *r)
{
	struct raw_op *op = op_at(r->cached);
	int ret = rte_cryptodev_raw_enqueue(r->ctx, op->src, op->src_sgl.num, op->ofs, &op->iv,
					    &op->digest, &op->aad, op);

	CHECK(t, ret == 0 || ret == 1 || ret == -EAGAIN, "enqueue: %d", ret);
	if (ret >= 0)
		r->cached++;
	if (ret == 1)
		r->sent = r->cached;
	return E2E_PASS;
}

static int
enqueue(struct e2e *t, struct raw *r)
{
	const struct e2e_slot *s = &t->slot[r->cached % E2E_SLOTS];

	if (r->cached == r->filled)
		return E2E_PASS;
	TRY(swap_session(t, r, s->ses));
	if (s->lay.dst_segs == 0 && e2e_chance(&t->rng, 2))
		return enqueue_one(t, r);
	return enqueue_group(t, r);
}

static int
publish(struct e2e *t, struct raw *r)
{
	unsigned int n = r->cached - r->sent;

	if (t->is_accel && e2e_chance(&t->rng, 8))
		CHECK(t, rte_cryptodev_raw_enqueue_done(r->ctx, n + 1) < 0,
		      "enqueue_done(%u) of %u ops succeeded", n + 1, n);
	CHECK(t, rte_cryptodev_raw_enqueue_done(r->ctx, n) == 0, "enqueue_done(%u)", n);
	r->sent = r->cached;
	return E2E_PASS;
}

/* ------------------------------------------------------------------ dequeuing */

static unsigned int posted;

static void
post(void *user_data, uint32_t index, uint8_t ok)
{
	struct raw_op *first = user_data;
	struct raw_op *op = op_at(first->number + index);

	op->status = ok ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_ERROR;
	posted++;
}

static void
post_own(void *user_data, uint32_t index, uint8_t ok)
{
	RTE_SET_USED(index);
	((struct raw_op *)user_data)->status =
		ok ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_ERROR;
	posted++;
}

static uint32_t
rest_of_group(void *user_data)
{
	const struct raw_op *op = user_data;

	return op->group_end - op->number;
}

/* Checks operation number r->back. With exact its status must be right, otherwise only success or
 * failure. */
static int
check_back(struct e2e *t, struct raw *r, struct raw_op *op, bool exact)
{
	struct e2e_slot *s = &t->slot[r->back % E2E_SLOTS];

	CHECK(t, r->back != r->sent, "more ops than were sent");
	CHECK(t, op == op_at(r->back), "ops came back out of order");
	s->op->status = op->status;
	if (!exact && s->want != RTE_CRYPTO_OP_STATUS_SUCCESS &&
			op->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
		s->op->status = s->want;
	r->back++;
	TRY(e2e_slot_check(t, s));
	e2e_slot_clear(s);
	return E2E_PASS;
}

static int
dequeue_one(struct e2e *t, struct raw *r, unsigned int *got)
{
	enum rte_crypto_op_status status;
	int ret = 77;
	struct raw_op *op = rte_cryptodev_raw_dequeue(r->ctx, &ret, &status);

	*got = op != NULL;
	if (op == NULL)
		return E2E_PASS;
	CHECK(t, ret == 0 || ret == 1, "dequeue: status %d", ret);
	op->status = status;
	return check_back(t, r, op, t->is_accel);
}

static int
dequeue_burst(struct e2e *t, struct raw *r, unsigned int *got)
{
	const bool array = e2e_chance(&t->rng, 2), count = e2e_chance(&t->rng, 2);
	uint32_t max = e2e_range(&t->rng, 1, E2E_SLOTS), n, ok = 77, good = 0, i;
	void *user[E2E_SLOTS] = { NULL };
	int ret = 77;

	posted = 0;
	n = rte_cryptodev_raw_dequeue_burst(r->ctx, count ? rest_of_group : NULL, max,
					    array ? post_own : post, user, array, &ok, &ret);
	CHECK(t, ret == 0 || ret == 1, "dequeue_burst: status %d", ret);
	CHECK(t, posted == n && ok <= n, "%u returned, %u posted, %u succeeded", n, posted, ok);
	/* A burst returns the whole group, as far as it was sent, or nothing. */
	CHECK(t, !count || n == 0 || !t->is_accel ||
	      n == RTE_MIN(op_at(r->back)->group_end, r->sent) - r->back,
	      "a part of a group came back");
	for (i = 0; i < n; i++) {
		struct raw_op *op = array ? user[i] : i == 0 ? user[0] : op_at(r->back);

		good += op->status == RTE_CRYPTO_OP_STATUS_SUCCESS;
		TRY(check_back(t, r, op, false));
	}
	CHECK(t, ok == good, "%u successes, %u reported", good, ok);
	CHECK(t, rte_cryptodev_raw_dequeue_done(r->ctx, n) == 0, "dequeue_done(%u)", n);
	*got = n;
	return E2E_PASS;
}

/* ------------------------------------------------------------------ tests */

static int
raw_open(struct e2e *t, struct raw *r)
{
	union rte_cryptodev_session_ctx none = { .crypto_sess = NULL };
	int size = rte_cryptodev_get_raw_dp_ctx_size(t->dev);

	memset(r, 0, sizeof(*r));
	r->dev = t->dev;
	CHECK(t, size > 0, "context of %d bytes", size);
	r->ctx = calloc(1, size);
	CHECK(t, r->ctx != NULL, "no memory");
	CHECK(t, rte_cryptodev_configure_raw_dp_ctx(t->dev, 0, r->ctx, RTE_CRYPTO_OP_WITH_SESSION,
						    none, 0) == 0, "context without session");
	return E2E_PASS;
}

static void
random_kind(struct e2e *t, struct e2e_spec *sp)
{
	unsigned int kind = e2e_range(&t->rng, 0, 4);

	memset(sp, 0, sizeof(*sp));
	if (kind == 0)
		sp->aead = &e2e_aeads[e2e_range(&t->rng, 0, e2e_nb_aeads - 1)];
	if (kind == 1 || kind >= 3)
		sp->cipher = &e2e_ciphers[e2e_range(&t->rng, 0, e2e_nb_ciphers - 1)];
	if (kind >= 2)
		sp->auth = &e2e_auths[e2e_range(&t->rng, 0, e2e_nb_auths - 1)];
	sp->encrypt = sp->generate = e2e_chance(&t->rng, 2);
	sp->auth_first = kind >= 3 && e2e_chance(&t->rng, 2);
}

static int
raw_sessions(struct e2e *t, struct raw *r)
{
	struct e2e_spec sp;
	unsigned int i;

	for (i = 0; r->n < RAW_SESSIONS && i < 4 * RAW_SESSIONS; i++) {
		random_kind(t, &sp);
		if (!e2e_spec_random(t, &sp))
			continue;
		r->ses[r->n] = e2e_session_open(t, t->dev, &sp);
		r->n += r->ses[r->n] != NULL;
	}
	CHECK(t, r->n > 0, "no sessions");
	return E2E_PASS;
}

static int
raw_run(struct e2e *t, struct raw *r, unsigned int total)
{
	uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
	unsigned int got;

	while (r->back < total) {
		if (r->filled < total && r->filled - r->back < E2E_SLOTS &&
				e2e_chance(&t->rng, 2))
			TRY(fill_group(t, r));
		TRY(enqueue(t, r));
		if (r->cached != r->sent && e2e_chance(&t->rng, 3))
			TRY(publish(t, r));
		if (e2e_chance(&t->rng, 2))
			TRY(dequeue_one(t, r, &got));
		else
			TRY(dequeue_burst(t, r, &got));
		if (got > 0)
			end = e2e_waited_ms() + E2E_TIMEOUT_MS;
		else
			e2e_relax();
		CHECK(t, e2e_waited_ms() < end, "%u op(s) lost", r->sent - r->back);
		total = RTE_MAX(total, r->filled);
	}
	return E2E_PASS;
}

static int
test_layouts(struct e2e *t, const void *arg)
{
	struct raw r;

	RTE_SET_USED(arg);
	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_SYM_RAW_DP))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SYM_RAW_DP");
	TRY(raw_open(t, &r));
	TRY(raw_sessions(t, &r));
	TRY(raw_run(t, &r, t->rounds * 20));
	e2e_note(t, "%u sessions, %u ops", r.n, r.back);
	free(r.ctx);
	return e2e_alive(t, t->dev, 1);
}

/* Refused operations, and cached ones that are given up, must leave no trace. */
static int
test_refusals(struct e2e *t, const void *arg)
{
	union rte_cryptodev_session_ctx sc = { .crypto_sess = NULL };
	struct rte_crypto_sym_xform bad = { .type = RTE_CRYPTO_SYM_XFORM_NOT_SPECIFIED };
	struct rte_crypto_raw_dp_ctx *ctx;
	struct raw_op *op = op_at(0);
	struct raw r;
	unsigned int i;
	int ret;

	RTE_SET_USED(arg);
	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_SYM_RAW_DP))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SYM_RAW_DP");
	TRY(raw_open(t, &r));
	ctx = r.ctx;
	TRY(raw_sessions(t, &r));
	TRY(fill_group(t, &r));
#define ONE() rte_cryptodev_raw_enqueue(ctx, op->src, op->src_sgl.num, op->ofs, &op->iv,       \
					&op->digest, &op->aad, op)
	CHECK(t, ONE() < 0, "an op without session was accepted");
	CHECK(t, rte_cryptodev_configure_raw_dp_ctx(t->dev, 0, ctx, RTE_CRYPTO_OP_WITH_SESSION, sc,
						    1) < 0, "update without session");
	sc.crypto_sess = t->slot[0].ses->sess;
	CHECK(t, rte_cryptodev_configure_raw_dp_ctx(t->dev, 0, ctx,
			RTE_CRYPTO_OP_SECURITY_SESSION, sc, 0) < 0, "security session");
	sc.xform = &bad;
	CHECK(t, rte_cryptodev_configure_raw_dp_ctx(t->dev, 0, ctx, RTE_CRYPTO_OP_SESSIONLESS, sc,
						    0) < 0, "no transform");
	sc.crypto_sess = t->slot[0].ses->sess;
	CHECK(t, rte_cryptodev_configure_raw_dp_ctx(t->dev, 0xffff, ctx,
			RTE_CRYPTO_OP_WITH_SESSION, sc, 0) < 0, "queue pair 65535");
	TRY(swap_session(t, &r, t->slot[0].ses));
	/* These heads and tails are longer than the data. */
	op->ofs.ofs.cipher.head = op->ofs.ofs.auth.head = UINT16_MAX;
	op->ofs.ofs.cipher.tail = op->ofs.ofs.auth.tail = UINT16_MAX;
	ret = ONE();
	CHECK(t, ret < 0, "offsets beyond the data: %d", ret);
	CHECK(t, rte_cryptodev_raw_enqueue_done(ctx, 1) < 0, "enqueue_done without op succeeded");
	CHECK(t, rte_cryptodev_raw_enqueue_done(ctx, 0) == 0, "nothing done");
	CHECK(t, rte_cryptodev_raw_dequeue_done(ctx, 1) < 0, "dequeue_done without op succeeded");
	e2e_slots_clear(t);

	/* The other API enqueues before cached operations are submitted. They are given up with an
	 * error. */
	for (i = 0; i < 20; i++) {
		r.filled = r.cached = r.sent = r.back = 0;
		TRY(fill_group(t, &r));
		TRY(enqueue(t, &r));
		CHECK(t, r.cached > 0, "nothing cached");
		e2e_slots_clear(t);
		TRY(e2e_alive(t, t->dev, 1));
		CHECK(t, rte_cryptodev_raw_enqueue_done(ctx, r.cached) < 0, "overtaken ops");
	}
#undef ONE
	r.filled = r.cached = r.sent = r.back = 0;
	TRY(raw_run(t, &r, 100));
	free(ctx);
	return E2E_PASS;
}

/* Uses both APIs in turn on one queue pair. Each must return its own operations, in order. */
static int
test_both(struct e2e *t, const void *arg)
{
	struct rte_crypto_op *back = NULL, *other;
	struct raw r;
	unsigned int i, got, n;

	RTE_SET_USED(arg);
	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_SYM_RAW_DP))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SYM_RAW_DP");
	TRY(raw_open(t, &r));
	TRY(raw_sessions(t, &r));
	for (i = 0; i < t->rounds; i++) {
		uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;

		/* The raw operations come first, then the last slot's with an rte_crypto_op. */
		r.filled = r.cached = r.sent = r.back = 0;
		TRY(fill_group(t, &r));
		while (r.cached != r.filled)
			TRY(enqueue(t, &r));
		TRY(publish(t, &r));
		n = r.sent;
		TRY(e2e_slot_fill(t, &t->slot[E2E_SLOTS - 1], t->slot[0].ses, &t->slot[0].lay,
				  &t->rng));
		other = t->slot[E2E_SLOTS - 1].op;
		CHECK(t, e2e_send(t->dev, 0, &other, 1) == 1, "not accepted");
		while (r.back != n) {
			CHECK(t, rte_cryptodev_dequeue_burst(t->dev, 0, &back, 1) == 0,
			      "an op that was sent last came first");
			TRY(dequeue_burst(t, &r, &got));
			CHECK(t, e2e_waited_ms() < end, "%u raw ops lost", n - r.back);
		}
		CHECK(t, e2e_collect(t->dev, 0, &back, 1, E2E_TIMEOUT_MS) == 1 && back == other,
		      "op lost");
		TRY(e2e_slot_check(t, &t->slot[E2E_SLOTS - 1]));
		e2e_slots_clear(t);
	}
	free(r.ctx);
	return E2E_PASS;
}

/* Stops the device with submitted operations, and sets it up again in half of the rounds. Each
 * operation must come back once. */
static int
test_stop(struct e2e *t, const void *arg)
{
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = 128 };
	struct raw r;
	unsigned int i, got;

	RTE_SET_USED(arg);
	if (!(t->info.feature_flags & RTE_CRYPTODEV_FF_SYM_RAW_DP))
		return e2e_skip(t, "no RTE_CRYPTODEV_FF_SYM_RAW_DP");
	TRY(raw_open(t, &r));
	TRY(raw_sessions(t, &r));
	for (i = 0; i < 40; i++) {
		const uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
		union rte_cryptodev_session_ctx none = { .crypto_sess = NULL };

		TRY(fill_group(t, &r));
		while (r.cached != r.filled)
			TRY(enqueue(t, &r));
		TRY(publish(t, &r));
		/* A second group is only cached. The stop must not submit it. */
		TRY(fill_group(t, &r));
		TRY(enqueue(t, &r));
		e2e_dev_stop(t->dev);
		if (i & 1) {
			CHECK(t, rte_cryptodev_queue_pair_setup(t->dev, 0, &qp, 0) == 0, "set-up");
			CHECK(t, rte_cryptodev_configure_raw_dp_ctx(t->dev, 0, r.ctx,
				RTE_CRYPTO_OP_WITH_SESSION, none, 0) == 0, "context");
		}
		CHECK(t, rte_cryptodev_start(t->dev) == 0, "start");
		if (r.cached != r.sent)
			CHECK(t, rte_cryptodev_raw_enqueue_done(r.ctx, r.cached - r.sent) < 0,
			      "enqueue_done after a stop succeeded");
		while (r.back != r.sent) {
			TRY(dequeue_burst(t, &r, &got));
			CHECK(t, e2e_waited_ms() < end, "%u ops lost", r.sent - r.back);
		}
		CHECK(t, rte_cryptodev_raw_enqueue_done(r.ctx, 0) == 0, "nothing is cached");
		r.filled = r.cached = r.sent = r.back = 0;
		e2e_slots_clear(t);
	}
	TRY(raw_run(t, &r, 100));
	free(r.ctx);
	return E2E_PASS;
}

/* Sends one group. Sets *bad if it came back with errors, as it does after the device died. */
static int
group_with_fault(struct e2e *t, struct raw *r, bool *bad)
{
	const uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
	enum rte_crypto_op_status status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	struct raw_op *op;
	int ret;

	r->filled = r->cached = r->sent = r->back = 0;
	TRY(fill_group(t, r));
	while (r->cached != r->filled)
		TRY(enqueue(t, r));
	TRY(publish(t, r));
	while (r->back != r->sent) {
		CHECK(t, e2e_waited_ms() < end, "%u raw ops lost", r->sent - r->back);
		op = rte_cryptodev_raw_dequeue(r->ctx, &ret, &status);
		if (op == NULL) {
			e2e_relax();
			continue;
		}
		op->status = status;
		if (status == RTE_CRYPTO_OP_STATUS_ERROR) {
			CHECK(t, op == op_at(r->back++), "ops came back out of order");
			*bad = true;
			continue;
		}
		CHECK(t, !*bad, "status %s from a dead device", e2e_status_name(status));
		TRY(check_back(t, r, op, true));
	}
	e2e_slots_clear(t);
	return E2E_PASS;
}

static int
with_fault(struct e2e *t, uint8_t dev, struct raw *r)
{
	union rte_cryptodev_session_ctx none = { .crypto_sess = NULL };
	unsigned int i;
	bool bad = false;

	r->dev = dev;
	for (i = 0; i < 2; i++) {
		TRY(e2e_dev_setup(t, dev, 1, 256));
		CHECK(t, rte_cryptodev_configure_raw_dp_ctx(dev, 0, r->ctx,
			RTE_CRYPTO_OP_WITH_SESSION, none, 0) == 0, "context");
		if (i == 1)
			break;
		while (!bad)
			TRY(group_with_fault(t, r, &bad));
		/* A failed queue pair accepts operations and returns them. */
		TRY(group_with_fault(t, r, &bad));
	}
	r->filled = r->cached = r->sent = r->back = 0;
	return raw_run(t, r, 100);
}

static int
test_fault(struct e2e *t, const void *arg)
{
	static const char name[] = "crypto_accel_raw_fault";
	struct raw r;
	int ret, dev;

	if (!e2e_is_embedded(t))
		return e2e_skip(t, "only the embedded crypto_accel injects faults");
	TRY(raw_open(t, &r));
	TRY(raw_sessions(t, &r));
	ret = rte_eal_hotplug_add("vdev", name, arg);
	CHECK(t, ret == 0, "devargs '%s' refused: %d", (const char *)arg, ret);
	dev = rte_cryptodev_get_dev_id(name);
	CHECK(t, dev >= 0, "no device");
	ret = with_fault(t, dev, &r);
	e2e_dev_stop(dev);
	e2e_slots_clear(t);
	free(r.ctx);
	if (rte_eal_hotplug_remove("vdev", name) != 0 && ret == E2E_PASS)
		return e2e_fail(t, __FILE__, __LINE__, "the device cannot be removed");
	return ret;
}

void
e2e_add_raw(void)
{
	e2e_add("raw/dead", test_fault, "timeout_ms=300,faults=dead@30", true);
	e2e_add("raw/lost", test_fault, "timeout_ms=300,faults=lost@30", true);
	e2e_add("raw/stall", test_fault, "timeout_ms=300,faults=stall@30", true);

	e2e_add("raw/layouts", test_layouts, NULL, false);
	e2e_add("raw/refusals", test_refusals, NULL, true);
	e2e_add("raw/both-interfaces", test_both, NULL, true);
	e2e_add("raw/stop", test_stop, NULL, true);
}
