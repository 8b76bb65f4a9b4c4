/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The caller of the driver: see caller.h.
 */
#include "caller.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cryptodev.h>
#include <rte_malloc.h>

#include "accel_args.h"
#include "accel_heal.h"
#include "accel_queue.h"
#include "accel_sort.h"
#include "accel_vf.h"
#include "liar.h"
#include "operation.h"
#include "rte_pmd_accel.h"
#include "session.h"
#include "world.h"

#define CALLS 64u
#define STEPS 400u
#define BURST 16u
#define RAW_CACHED 32u
#define FINAL_POLLS 60000u

/* Calls that the driver holds, in the order in which it has accepted them. */
struct line {
	struct call *call[CALLS];
	unsigned int nb;
};

static struct {
	unsigned int flags;
	struct rte_cryptodev *cryptodev;
	uint8_t dev;
	struct call call[CALLS];
	struct line line[CALLER_PAIRS][2]; /* symmetric, asymmetric */
	void *session[SESSION_KINDS];
	struct rte_crypto_raw_dp_ctx *ctx[CALLER_PAIRS];
	enum session_kind ctx_kind[CALLER_PAIRS];
	struct rte_crypto_sym_xform ctx_xform[CALLER_PAIRS][2];
	struct call *cached[CALLER_PAIRS][RAW_CACHED];
	unsigned int nb_cached[CALLER_PAIRS];
	bool lost_some[CALLER_PAIRS]; /* a process has died with operations */
	bool plugged; /* for this input only */
	bool in_callback;
	bool may_die;
	unsigned int life; /* looks at the clock until the process dies */
	sigjmp_buf death;
} me;

/*
 * Calls.
 */

static struct call *
find(uintptr_t op, bool raw)
{
	unsigned int i;

	for (i = 0; i < CALLS; i++) {
		if (raw ? op == (uintptr_t)&me.call[i] && me.call[i].op == NULL :
			  op == (uintptr_t)me.call[i].op && op != 0)
			return &me.call[i];
	}
	return NULL;
}

static struct call *
free_call(void)
{
	unsigned int i;

	for (i = 0; i < CALLS; i++) {
		if (me.call[i].nb_memory == 0)
			return &me.call[i];
	}
	return NULL;
}

/* The device may read an operation while the driver is still busy with others of its burst, so this
 * comes before the driver has it. */
static void
expose(struct call *call, unsigned int qp, bool asym)
{
	call->held = true;
	call->qp = (uint8_t)qp;
	call->asym = asym;
}

/* The driver has accepted it: it comes back in this order. */
static void
line_up(struct call *call)
{
	struct line *line = &me.line[call->qp][call->asym];

	line->call[line->nb++] = call;
}

/* Takes a call out of its line, whose first it is, unless a dead process has taken others. */
static void
leave_line(struct call *call)
{
	struct line *line = &me.line[call->qp][call->asym];
	unsigned int at = 0;

	while (at < line->nb && line->call[at] != call)
		at++;
	CLAIM(at < line->nb);
	CLAIM(at == 0 || me.lost_some[call->qp]);
	line->nb -= at + 1;
	memmove(line->call, line->call + at + 1, line->nb * sizeof(line->call[0]));
}

/* The oracle. */
static void
came_back(struct call *call, unsigned int qp, int status)
{
	CLAIM(call != NULL);
	CLAIM(call->held);
	CLAIM(call->qp == qp);
	leave_line(call);
	CLAIM(status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	CLAIM(status >= 0 && status <= RTE_CRYPTO_OP_STATUS_ERROR);
	if (status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
		CLAIM(call->succeeded);
		CLAIM(!call->impossible);
		if ((me.flags & CALLER_HOSTILE) == 0)
			operation_check(call);
	} else if (call->succeeded && !call->failed_too && liar_was_honest() &&
		   (me.flags & (CALLER_HOSTILE | CALLER_DIES)) == 0) {
		/* The driver refuses some operations, but does not turn a success into an error. */
		CLAIM(status != RTE_CRYPTO_OP_STATUS_ERROR || session_is_security(call->kind));
	}
	CLAIM(!liar_holds(call));
	liar_forget(call);
	operation_free(call);
}

/*
 * Both APIs.
 */

static enum session_kind
some_kind(void)
{
	const enum session_kind kind = take_below(SESSION_KINDS);

	if (me.session[kind] == NULL)
		me.session[kind] = session_new(me.cryptodev, kind);
	return kind;
}

static unsigned int
room(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < CALLS; i++)
		n += me.call[i].nb_memory == 0;
	return n;
}

static void
enqueue(unsigned int qp)
{
	struct rte_crypto_op *ops[BURST];
	unsigned int n = 1 + take_below(BURST), i, done;
	enum session_kind kind = some_kind();
	const struct accel_qp *pair = me.cryptodev->data->queue_pairs[qp];

	n = RTE_MIN(n, room());
	for (i = 0; i < n; i++) {
		struct call *call = free_call();

		if (take_below(8) == 0)
			kind = some_kind();
		if (me.session[kind] == NULL &&
		    (session_is_asym(kind) || session_is_security(kind)))
			kind = SESSION_CBC;
		operation_make(call, kind, me.session[kind], (me.flags & CALLER_HOSTILE) != 0);
		ops[i] = call->op;
		expose(call, qp, accel_goes_to_companion(pair, call->op));
	}
	done = rte_cryptodev_enqueue_burst(me.dev, (uint16_t)qp, ops, (uint16_t)n);
	CLAIM(done <= n);
	for (i = 0; i < n; i++) {
		struct call *call = find((uintptr_t)ops[i], false);

		if (i < done) {
			line_up(call);
			continue;
		}
		CLAIM(!call->asked); /* the device knows nothing of what the driver refuses */
		operation_free(call);
	}
}

static unsigned int
dequeue(unsigned int qp, unsigned int n)
{
	struct rte_crypto_op *ops[BURST + 1];
	unsigned int got, i;

	memset(ops, 0xee, sizeof(ops));
	n = RTE_MIN(n, BURST);
	got = rte_cryptodev_dequeue_burst(me.dev, (uint16_t)qp, ops, (uint16_t)n);
	CLAIM(got <= n);
	for (i = 0; i < got; i++) {
		struct call *call = find((uintptr_t)ops[i], false);

		CLAIM(call != NULL);
		came_back(call, qp, ops[i]->status);
	}
	return got;
}

/*
 * The raw data path.
 */

static void
raw_forget(unsigned int qp)
{
	while (me.nb_cached[qp] > 0)
		operation_free(me.cached[qp][--me.nb_cached[qp]]);
}

static void
raw_end(unsigned int qp)
{
	raw_forget(qp);
	free(me.ctx[qp]);
	me.ctx[qp] = NULL;
}

static void
raw_configure(unsigned int qp, bool again)
{
	const enum session_kind kind = some_kind();
	union rte_cryptodev_session_ctx of = { .crypto_sess = me.session[kind] };
	enum rte_crypto_op_sess_type type = RTE_CRYPTO_OP_WITH_SESSION;
	const int size = rte_cryptodev_get_raw_dp_ctx_size(me.dev);

	if (size <= 0 || session_is_asym(kind))
		return;
	if (session_is_security(kind)) {
		type = RTE_CRYPTO_OP_SECURITY_SESSION;
	} else if (take_below(8) == 0) {
		struct rte_crypto_sym_xform *own = me.ctx_xform[qp];

		own[0] = *session_xform(kind);
		if (own[0].next != NULL) {
			own[1] = *own[0].next;
			own[0].next = &own[1];
		}
		type = RTE_CRYPTO_OP_SESSIONLESS;
		of.xform = own;
	}
	if (me.ctx[qp] == NULL) {
		me.ctx[qp] = calloc(1, (size_t)size);
		again = false;
	}
	if (!again) /* else it keeps what is cached */
		raw_forget(qp);
	me.ctx_kind[qp] = kind;
	if (rte_cryptodev_configure_raw_dp_ctx(me.dev, (uint16_t)qp, me.ctx[qp], type, of, again) !=
	    0)
		raw_end(qp);
}

static void
raw_cache(unsigned int qp)
{
	unsigned int n = RTE_MIN(1 + take_below(4), RAW_CACHED - me.nb_cached[qp]);
	struct raw_operation raw;
	int ret;

	while (n-- > 0 && room() > 0) {
		struct call *call = free_call();

		operation_make_raw(call, me.ctx_kind[qp], (me.flags & CALLER_HOSTILE) != 0, &raw);
		call->qp = (uint8_t)qp;
		call->asym = false;
		if (take_below(2) == 0) {
			ret = rte_cryptodev_raw_enqueue(me.ctx[qp], raw.src_sgl.vec,
							(uint16_t)raw.src_sgl.num, raw.ofs, &raw.iv,
							&raw.digest, &raw.aad, call);
		} else {
			struct rte_crypto_sym_vec vec = {
				.num = 1, .src_sgl = &raw.src_sgl, .iv = &raw.iv,
				.dest_sgl = take_below(2) == 0 ? &raw.dst_sgl : NULL,
				.digest = &raw.digest, .aad = &raw.aad,
			};
			int32_t one = 0;
			void *data = call;

			vec.status = &one;
			ret = rte_cryptodev_raw_enqueue_burst(me.ctx[qp], &vec, raw.ofs, &data,
							      &one) == 1 ? 0 : one == 0 ? -EAGAIN :
											   one;
		}
		if (ret == 0) {
			me.cached[qp][me.nb_cached[qp]++] = call;
			continue;
		}
		operation_free(call);
		if (ret == -EIO)
			raw_forget(qp);
		break;
	}
}

static void
raw_publish(unsigned int qp)
{
	const unsigned int n = me.nb_cached[qp];
	unsigned int i;
	int ret;

	if (take_below(16) == 0) {
		ret = rte_cryptodev_raw_enqueue_done(me.ctx[qp], n + 1 + take_u8());
		CLAIM(ret != 0);
		return;
	}
	for (i = 0; i < n; i++)
		expose(me.cached[qp][i], qp, false);
	ret = rte_cryptodev_raw_enqueue_done(me.ctx[qp], n);
	for (i = 0; i < n && ret == 0; i++)
		line_up(me.cached[qp][i]);
	if (ret == 0)
		me.nb_cached[qp] = 0;
	else
		raw_forget(qp);
}

static uint32_t
count_wanted(void *user_data)
{
	CLAIM(find((uintptr_t)user_data, true) != NULL);
	return 1 + take_below(4);
}

static struct {
	unsigned int nb;
	bool ok[CALLS];
} post;

static void
post_dequeue(void *user_data, uint32_t index, uint8_t is_op_success)
{
	CLAIM(find((uintptr_t)user_data, true) != NULL);
	CLAIM(index == post.nb && index < CALLS);
	post.ok[post.nb++] = is_op_success != 0;
}

static unsigned int
raw_dequeue_many(unsigned int qp)
{
	void *data[BURST];
	uint32_t n, good = 0, i;
	int ret = 0;

	post.nb = 0;
	n = rte_cryptodev_raw_dequeue_burst(me.ctx[qp], take_below(2) == 0 ? count_wanted : NULL, 4,
					    post_dequeue, data, 1, &good, &ret);
	CLAIM(n <= BURST && good <= n && post.nb == n);
	for (i = 0; i < n; i++) {
		struct call *call = find((uintptr_t)data[i], true);

		CLAIM(call != NULL);
		good -= post.ok[i];
		came_back(call, qp, post.ok[i] ? RTE_CRYPTO_OP_STATUS_SUCCESS :
						 RTE_CRYPTO_OP_STATUS_ERROR + 0);
	}
	CLAIM(good == 0);
	if (n > 0)
		rte_cryptodev_raw_dequeue_done(me.ctx[qp], n);
	return n;
}

static unsigned int
raw_dequeue(unsigned int qp)
{
	enum rte_crypto_op_status status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	struct call *call;
	void *data;
	int ret = 0;

	if (take_below(2) == 0)
		return raw_dequeue_many(qp);
	data = rte_cryptodev_raw_dequeue(me.ctx[qp], &ret, &status);
	if (data == NULL)
		return 0;
	call = find((uintptr_t)data, true);
	CLAIM(call != NULL);
	came_back(call, qp, (int)status);
	rte_cryptodev_raw_dequeue_done(me.ctx[qp], 1);
	return 1;
}

static void
raw_step(unsigned int qp)
{
	if (me.cryptodev->data->dev_started == 0)
		return; /* a context of a device that is stopped may only be configured */
	if (me.ctx[qp] == NULL || take_below(32) == 0)
		raw_configure(qp, take_below(2) == 0);
	if (me.ctx[qp] == NULL)
		return;
	switch (take_below(4)) {
	case 0:
	case 1:
		raw_cache(qp);
		break;
	case 2:
		raw_publish(qp);
		break;
	default:
		raw_dequeue(qp);
		break;
	}
}

/*
 * Control.
 */

static int
set_up(unsigned int qp, uint32_t nb_desc)
{
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = nb_desc };

	return rte_cryptodev_queue_pair_setup(me.dev, (uint16_t)qp, &conf, SOCKET_ID_ANY);
}

static void
set_up_again(unsigned int qp)
{
	if (me.cryptodev->data->dev_started != 0)
		return;
	if (set_up(qp, 1u << take_below(6)) == 0)
		raw_end(qp);
}

static void
on_error(uint8_t dev, enum rte_cryptodev_event_type event, void *arg)
{
	(void)event;
	(void)arg;
	if (me.in_callback)
		return;
	me.in_callback = true;
	if (take_below(2) == 0)
		rte_pmd_accel_qp_reset(dev, (uint16_t)take_below(CALLER_PAIRS));
	me.in_callback = false;
}

static void
renew_session(void)
{
	const enum session_kind kind = take_below(SESSION_KINDS);
	unsigned int i;

	for (i = 0; i < CALLS; i++) {
		if (me.call[i].nb_memory != 0 && me.call[i].kind == kind)
			return; /* in use */
	}
	for (i = 0; i < CALLER_PAIRS; i++) {
		if (me.ctx[i] != NULL && me.ctx_kind[i] == kind)
			return;
	}
	session_free(me.cryptodev, kind, me.session[kind]);
	me.session[kind] = NULL;
}

/* An application's step. In a process that may die, the clock decides when. */
static void
step(void)
{
	const unsigned int what = take_below(16), qp = take_below(CALLER_PAIRS);

	switch (what) {
	case 0:
	case 1:
	case 2:
	case 3:
		if ((me.flags & CALLER_RAW) != 0 && what > 0)
			raw_step(qp);
		else
			enqueue(qp);
		break;
	case 4:
	case 5:
	case 6:
		if ((me.flags & CALLER_RAW) != 0 && what > 4)
			raw_step(qp);
		else
			dequeue(qp, 1 + take_below(BURST));
		break;
	case 7:
	case 8:
	case 9:
		liar_act();
		break;
	case 10:
		rte_cryptodev_stop(me.dev);
		break;
	case 11:
		if (me.cryptodev->data->dev_started == 0)
			rte_cryptodev_start(me.dev);
		break;
	case 12:
		rte_pmd_accel_qp_reset(me.dev, (uint16_t)qp);
		break;
	case 13:
		if (take_below(2) == 0)
			set_up_again(qp);
		else
			renew_session();
		break;
	case 14:
		caller_ask(me.dev);
		break;
	default:
		world_wait((uint64_t)take_u8() << (take_u8() % 25));
		break;
	}
}

static void
clock_hook(void)
{
	if (!me.may_die || me.in_callback || me.life-- != 0 ||
	    accel_heal_is_busy(me.cryptodev->data->dev_private))
		return;
	siglongjmp(me.death, 1);
}

/* What another process has to do with queue pairs that were left behind. */
static void
take_over(void)
{
	unsigned int i;

	me.may_die = false;
	if (take_below(2) == 0) {
		rte_cryptodev_stop(me.dev);
		rte_cryptodev_start(me.dev);
		return;
	}
	for (i = 0; i < CALLER_PAIRS; i++)
		rte_pmd_accel_qp_reset(me.dev, (uint16_t)i);
}

/* Does a step in which the process may die. What it had in its hands is lost. */
static void
mortal_step(void)
{
	struct call *before[CALLS];
	unsigned int i, nb = 0;

	for (i = 0; i < CALLS; i++) {
		if (me.call[i].nb_memory == 0)
			before[nb++] = &me.call[i];
	}
	me.life = take_below(4) == 0 ? take_u8() : UINT32_MAX;
	me.may_die = true;
	world_call_begins();
	if (sigsetjmp(me.death, 0) == 0) {
		step();
		world_call_ends();
	} else {
		world_process_dies();
		for (i = 0; i < CALLER_PAIRS; i++) {
			me.lost_some[i] = true;
			raw_end(i);
		}
		/* What it was about to enqueue is in nobody's line, but may be in the rings. */
		for (i = 0; i < nb; i++) {
			if (before[i]->nb_memory == 0)
				continue;
			expose(before[i], before[i]->qp, before[i]->asym);
			line_up(before[i]);
		}
		take_over();
	}
	me.may_die = false;
}

/*
 * A run.
 */

static bool
some_in_flight(void)
{
	unsigned int i;

	for (i = 0; i < CALLER_PAIRS; i++) {
		if (me.line[i][0].nb != 0 || me.line[i][1].nb != 0)
			return true;
	}
	return false;
}

static void
collect(bool helpful)
{
	unsigned int polls = FINAL_POLLS, i;

	while (some_in_flight() && polls-- > 0) {
		if (helpful)
			liar_answer_all();
		world_wait(1000000);
		for (i = 0; i < CALLER_PAIRS; i++) {
			dequeue(i, BURST);
			if (me.ctx[i] != NULL)
				raw_dequeue(i);
		}
		if (polls < FINAL_POLLS - 100)
			world_wait(20000000);
	}
}

static void
restart(void)
{
	rte_cryptodev_stop(me.dev);
	/* The first one may find what the device has said before it behaved. */
	if (rte_cryptodev_start(me.dev) != 0 && rte_cryptodev_start(me.dev) != 0)
		CLAIM(!"a device that behaves can be started");
}

/* Gives each raw operation somebody who can take it. */
static void
provide_contexts(void)
{
	unsigned int i;

	for (i = 0; i < CALLER_PAIRS && (me.flags & CALLER_RAW) != 0; i++) {
		union rte_cryptodev_session_ctx none = { .crypto_sess = NULL };

		if (me.ctx[i] != NULL)
			continue;
		me.ctx[i] = calloc(1, (size_t)rte_cryptodev_get_raw_dp_ctx_size(me.dev));
		CLAIM(rte_cryptodev_configure_raw_dp_ctx(me.dev, (uint16_t)i, me.ctx[i],
							 RTE_CRYPTO_OP_WITH_SESSION, none,
							 0) == 0);
	}
}

/* The device works, and so do the queue pairs. */
static void
expect_alive(void)
{
	unsigned int i;

	for (i = 0; i < CALLER_PAIRS; i++) {
		struct call *call = free_call();

		operation_make(call, SESSION_CBC, me.session[SESSION_CBC], false);
		expose(call, i, false);
		if (rte_cryptodev_enqueue_burst(me.dev, (uint16_t)i, &call->op, 1) != 1) {
			CLAIM(!"a started queue pair takes an operation");
			continue;
		}
		line_up(call);
		liar_answer_all();
		CLAIM(liar_holds(call) || call->succeeded || call->impossible);
		CLAIM(dequeue(i, 1) == 1);
	}
}

static void
forget_lost(void)
{
	unsigned int i, k;

	for (i = 0; i < CALLER_PAIRS; i++) {
		for (k = 0; k < 2; k++)
			me.line[i][k].nb = 0;
	}
	for (i = 0; i < CALLS; i++) {
		if (me.call[i].nb_memory != 0) {
			liar_forget(&me.call[i]);
			operation_free(&me.call[i]);
		}
	}
}

static void
finish(bool helpful)
{
	unsigned int i;

	liar_behave();
	for (i = 0; i < CALLER_PAIRS; i++)
		raw_forget(i);
	if (me.cryptodev->data->dev_started == 0)
		restart();
	provide_contexts();
	collect(helpful);
	if ((me.flags & CALLER_DIES) == 0)
		CLAIM(!some_in_flight());
	restart();
	if ((me.flags & CALLER_DIES) != 0) {
		collect(true);
		forget_lost();
	}
	if (me.session[SESSION_CBC] == NULL)
		me.session[SESSION_CBC] = session_new(me.cryptodev, SESSION_CBC);
	if (me.session[SESSION_CBC] != NULL)
		expect_alive();
	CLAIM(!some_in_flight());
}

/* The library forgets the lists of callbacks of a device that is removed. */
static void
free_callbacks(void)
{
	unsigned int i;

	for (i = 0; i < CALLER_PAIRS; i++) {
		rte_free(me.cryptodev->enq_cbs[i].qsbr);
		rte_free(me.cryptodev->deq_cbs[i].qsbr);
	}
	rte_free(me.cryptodev->enq_cbs);
	rte_free(me.cryptodev->deq_cbs);
	me.cryptodev->enq_cbs = me.cryptodev->deq_cbs = NULL;
}

static void
end(void)
{
	unsigned int i;

	rte_cryptodev_callback_unregister(me.dev, RTE_CRYPTODEV_EVENT_ERROR, on_error, NULL);
	for (i = 0; i < SESSION_KINDS; i++)
		session_free(me.cryptodev, i, me.session[i]);
	for (i = 0; i < CALLER_PAIRS; i++)
		raw_end(i);
	free_callbacks();
	if (me.plugged)
		liar_unplug();
	else
		liar_leave();
}

static bool
begin(void)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = CALLER_PAIRS };
	struct accel_args args;
	uint8_t how, version;
	unsigned int i;

	accel_args_default(&args);
	args.timeout_ms = 10;
	how = take_u8();
	version = take_u8();
	args.recover = how % 3;
	args.refuse_when_dead = (how >> 2) % 8 == 0;
	me.plugged = (me.flags & CALLER_TAKES_OVER) != 0 || (how & 0x7c) == 0x40;
	if (me.plugged && take_below(2) == 0)
		strcpy(args.vf_shares, "0:qp@1");
	version = version < 128 ? 4 : version % 5;
	me.cryptodev = me.plugged ? liar_plug(version, &args, find,
					      (me.flags & CALLER_TAKES_OVER) != 0) :
				    liar_take(version, &args, find);
	if (me.cryptodev == NULL)
		return false;
	me.dev = me.cryptodev->data->dev_id;
	CLAIM(rte_cryptodev_configure(me.dev, &config) == 0);
	for (i = 0; i < CALLER_PAIRS; i++)
		CLAIM(set_up(i, 1u << take_below(6)) == 0);
	if ((how & 0x80) != 0)
		rte_cryptodev_callback_register(me.dev, RTE_CRYPTODEV_EVENT_ERROR, on_error, NULL);
	return true;
}

void
caller_run(const uint8_t *data, size_t size, unsigned int flags)
{
	unsigned int steps = STEPS;
	bool helpful, started;

	world_begin(data, size);
	memset(&me, 0, sizeof(me));
	me.flags = flags;
	if (begin()) {
		world_clock_hook = (flags & CALLER_DIES) != 0 ? clock_hook : NULL;
		helpful = take_u8() < 128;
		started = rte_cryptodev_start(me.dev) == 0;
		CLAIM(started || (flags & CALLER_TAKES_OVER) == 0 || !liar_was_honest());
		while (take_more() && steps-- > 0) {
			if ((flags & CALLER_DIES) != 0)
				mortal_step();
			else
				step();
		}
		finish(helpful);
		end();
	}
	world_end();
}

/* libFuzzer calls it in each target that has this file. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	world_start((*argv)[0]);
	liar_start();
	return 0;
}
