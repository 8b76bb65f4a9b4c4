/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public keys and random numbers with two processes on one device. The primary drives queue pair 0
 * and a secondary queue pair 1, each with RSA and ECDSA signatures, ECDH secrets and random numbers
 * beside symmetric operations. A secondary is killed with operations in flight: the primary takes
 * all of them back, and no key remains in memory that processes share.
 *
 * Operands lie in memory of one process alone, since the driver copies them. Operations and results
 * are in shared memory, because another process may get them. Keys are masked there.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_memory.h>
#include <rte_mempool.h>

#include "asym_version.h"
#include "e2e_op.h"
#include "mp.h"
#include "ref_pk.h"

#define SLOTS 48u
#define BURST 16u
#define MASK 0x5au
#define LIMIT_S 120u /* for operations to come back */
#define ROUNDS 10000u /* each dequeues some of what there is */
#define SHARE_OPS 600u
#define AFTER_OPS 60u
#define FLIGHT_MAX_US 400000u /* from the first operation to the death of a secondary */
#define RANDOM_BYTES 300u
#define SEARCHED 24u /* bytes of a secret number */
#define LEAVE 9u /* phase: the secondary ends at once, with operations in flight */

enum kind { SIGN, ECDSA, ECDH, RANDOM, KINDS };

/* The operands of all kinds of operations. */
enum {
	N, E, P, Q, DP, DQ, QINV, DIGEST, /* RSA */
	DSA_D, DSA_K, DSA_DIGEST,
	DH_D, DH_X, DH_Y,
	NUMBERS
};

struct slot {
	struct rte_crypto_op *op;
	uint32_t place; /* enum mp_place */
	uint32_t kind;
	uint8_t out[2][REF_PK_BYTES];
};

struct lane {
	struct slot slot[SLOTS];
	uint64_t accepted, good, errors, wrong;
	bool outage; /* the last operation had an error */
};

/* It lies in shared memory. Whoever drives a queue pair writes its lane. */
struct mp_pk {
	struct lane lane[2];
	struct ref_pk_number masked[NUMBERS];
	struct ref_pk_number expect[KINDS][2];
	void *session[2][KINDS]; /* of the primary and of a secondary */
	uint64_t calls; /* of rte_pmd_accel_random() in the secondary */
	uint64_t wrong_calls;
};

static const char pool_name[] = "mp_asym_sessions";
/* This process's own copy. */
static struct ref_pk_number number[NUMBERS];

/* ---------------------------------------------------------------- keys */

static void
copy_masked(struct ref_pk_number *to, const struct ref_pk_number *from)
{
	to->len = from->len;
	for (unsigned int i = 0; i < from->len; i++)
		to->data[i] = from->data[i] ^ MASK;
}

static void
set_padding(struct rte_crypto_asym_op *op, struct rte_crypto_asym_xform *xform)
{
	struct rte_crypto_rsa_padding *pad = asym_padding(op, xform);

	pad->type = RTE_CRYPTO_RSA_PADDING_PKCS1_5;
	pad->hash = RTE_CRYPTO_AUTH_SHA256;
}

/* Draws operations until one has a result that nothing random of the device decides. */
static bool
draw(struct ref_pk_key *key, enum rte_crypto_asym_xform_type type, unsigned int size,
     unsigned int op_type, struct ref_pk_job *job, uint64_t *random)
{
	const struct rte_crypto_rsa_padding *pad = asym_padding(&job->asym, &key->xform);

	if (!ref_pk_key_make(key, type, size, random))
		return false;
	if (!KEYS_IN_OPERATION && type == RTE_CRYPTO_ASYM_XFORM_RSA)
		set_padding(NULL, &key->xform);
	do {
		if (!ref_pk_fill(job, key, op_type, random))
			return false;
	} while (job->judged || (type == RTE_CRYPTO_ASYM_XFORM_RSA &&
				 (pad->type != RTE_CRYPTO_RSA_PADDING_PKCS1_5 ||
				  pad->hash != RTE_CRYPTO_AUTH_SHA256)));
	return true;
}

/* Makes keys, operands and results with OpenSSL. */
static bool
make_numbers(struct mp_pk *pk, uint64_t random)
{
	static struct ref_pk_key rsa, dsa, dh;
	static struct ref_pk_job sign, ecdsa, ecdh;
	const struct ref_pk_number *from[NUMBERS] = {
		[N] = &rsa.part[REF_PK_N], [E] = &rsa.part[REF_PK_E], [P] = &rsa.part[REF_PK_P],
		[Q] = &rsa.part[REF_PK_Q], [DP] = &rsa.part[REF_PK_DP],
		[DQ] = &rsa.part[REF_PK_DQ], [QINV] = &rsa.part[REF_PK_QINV],
		[DIGEST] = &sign.in[0],
		[DSA_D] = &dsa.part[REF_PK_EC_D], [DSA_K] = &ecdsa.in[1],
		[DSA_DIGEST] = &ecdsa.in[0],
		[DH_D] = &dh.part[REF_PK_EC_D], [DH_X] = &ecdh.in[1], [DH_Y] = &ecdh.in[2],
	};

	if (!draw(&rsa, RTE_CRYPTO_ASYM_XFORM_RSA, 2048, RTE_CRYPTO_ASYM_OP_SIGN, &sign, &random) ||
	    !draw(&dsa, RTE_CRYPTO_ASYM_XFORM_ECDSA, RTE_CRYPTO_EC_GROUP_SECP384R1, 0, &ecdsa,
		  &random) ||
	    !draw(&dh, RTE_CRYPTO_ASYM_XFORM_ECDH, RTE_CRYPTO_EC_GROUP_SECP256R1,
		  RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE, &ecdh, &random))
		return false;
	for (unsigned int i = 0; i < NUMBERS; i++) {
		number[i] = *from[i];
		copy_masked(&pk->masked[i], from[i]);
	}
	pk->expect[SIGN][0] = sign.expect[0];
	for (unsigned int i = 0; i < 2; i++) {
		pk->expect[ECDSA][i] = ecdsa.expect[i];
		pk->expect[ECDH][i] = ecdh.expect[i];
	}
	return true;
}

static bool
make_sessions(struct mp_pk *pk, uint8_t dev, unsigned int whose)
{
	struct rte_crypto_asym_xform xform[KINDS] = {
		[SIGN] = {
			.xform_type = RTE_CRYPTO_ASYM_XFORM_RSA,
			.rsa = {
				.n = ref_pk_in(&number[N]), .e = ref_pk_in(&number[E]),
				.key_type = RTE_RSA_KEY_TYPE_QT,
				.qt = {
					.p = ref_pk_in(&number[P]), .q = ref_pk_in(&number[Q]),
					.dP = ref_pk_in(&number[DP]), .dQ = ref_pk_in(&number[DQ]),
					.qInv = ref_pk_in(&number[QINV]),
				},
			},
		},
		[ECDSA] = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDSA,
			    .ec = { RTE_CRYPTO_EC_GROUP_SECP384R1 } },
		[ECDH] = { .xform_type = RTE_CRYPTO_ASYM_XFORM_ECDH,
			   .ec = { RTE_CRYPTO_EC_GROUP_SECP256R1 } },
		[RANDOM] = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE },
	};
	struct rte_mempool *pool = rte_mempool_lookup(pool_name);
	const rte_crypto_param none = { .data = NULL };
	bool ok = pool != NULL;

	if (!KEYS_IN_OPERATION)
		set_padding(NULL, &xform[SIGN]);
	asym_set_ecdsa_key(NULL, &xform[ECDSA], ref_pk_in(&number[DSA_D]), none, none);
	for (unsigned int k = 0; k < KINDS; k++)
		ok = ok && rte_cryptodev_asym_session_create(dev, &xform[k], pool,
							     &pk->session[whose][k]) == 0;
	return mp_check(ok, "makes asymmetric sessions");
}

static void
free_sessions(struct mp_pk *pk, uint8_t dev, unsigned int whose)
{
	for (unsigned int k = 0; k < KINDS; k++)
		rte_cryptodev_asym_session_free(dev, pk->session[whose][k]);
}

/* Looks for a secret number in a segment of shared memory. */
static int
search_segment(const struct rte_memseg_list *list, const struct rte_memseg *segment, void *arg)
{
	const struct ref_pk_number *secret = arg;

	(void)list;
	return memmem(segment->addr, segment->len, secret->data, SEARCHED) != NULL;
}

static unsigned int
count_secrets(void)
{
	static const unsigned int secrets[] = { P, Q, DP, DQ, DSA_D, DSA_K, DH_D };
	unsigned int found = 0;

	for (unsigned int i = 0; i < RTE_DIM(secrets); i++)
		found += rte_memseg_walk(search_segment, &number[secrets[i]]) == 1;
	return found;
}

/* ---------------------------------------------------------------- operations */

static rte_crypto_param
out(struct slot *slot, unsigned int i)
{
	return (rte_crypto_param){ .data = slot->out[i] };
}

static void
prepare(struct slot *slot, enum kind kind, void *session)
{
	const rte_crypto_param none = { .data = NULL };
	struct rte_crypto_asym_op *op = slot->op->asym;

	memset(op, 0, sizeof(*op));
	memset(slot->out, 0, sizeof(slot->out));
	rte_crypto_op_attach_asym_session(slot->op, session);
	slot->op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	slot->kind = kind;
	slot->place = MP_OFFERED;
	switch (kind) {
	case SIGN:
		op->rsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
		if (KEYS_IN_OPERATION)
			set_padding(op, NULL);
		op->rsa.message = ref_pk_in(&number[DIGEST]);
		op->rsa.sign = out(slot, 0);
		break;
	case ECDSA:
		op->ecdsa.op_type = RTE_CRYPTO_ASYM_OP_SIGN;
		asym_set_ecdsa_key(op, NULL, ref_pk_in(&number[DSA_D]), none, none);
		op->ecdsa.k = ref_pk_in(&number[DSA_K]);
		op->ecdsa.message = ref_pk_in(&number[DSA_DIGEST]);
		op->ecdsa.r = out(slot, 0);
		op->ecdsa.s = out(slot, 1);
		break;
	case ECDH:
		op->ecdh.ke_type = RTE_CRYPTO_ASYM_KE_SHARED_SECRET_COMPUTE;
		op->ecdh.priv_key = ref_pk_in(&number[DH_D]);
		op->ecdh.pub_key.x = ref_pk_in(&number[DH_X]);
		op->ecdh.pub_key.y = ref_pk_in(&number[DH_Y]);
		op->ecdh.shared_secret.x = out(slot, 0);
		op->ecdh.shared_secret.y = out(slot, 1);
		break;
	default:
		op->modex.result = out(slot, 0);
		op->modex.result.length = RANDOM_BYTES;
		break;
	}
}

/* Random bytes are hardly half zeros. */
static bool
is_random(const uint8_t *data)
{
	unsigned int zeros = 0;

	for (unsigned int i = 0; i < RANDOM_BYTES; i++)
		zeros += data[i] == 0;
	return zeros < RANDOM_BYTES / 2;
}

static bool
is_right(const struct mp_pk *pk, const struct slot *slot)
{
	bool right = true;

	if (slot->kind == RANDOM)
		return is_random(slot->out[0]);
	for (unsigned int i = 0; i < 2; i++)
		right = right && memcmp(slot->out[i], pk->expect[slot->kind][i].data,
					pk->expect[slot->kind][i].len) == 0;
	return right;
}

static void
take_back(struct mp_pk *pk, struct lane *l, struct rte_crypto_op *op)
{
	struct slot *slot = NULL;

	for (unsigned int i = 0; i < SLOTS && slot == NULL; i++)
		slot = l->slot[i].op == op ? &l->slot[i] : NULL;
	if (slot == NULL || slot->place == MP_FREE) {
		l->wrong++; /* of another queue pair, or it came back twice */
		return;
	}
	if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS && is_right(pk, slot)) {
		l->good++;
		l->outage = false;
	} else if (op->status == RTE_CRYPTO_OP_STATUS_ERROR) {
		l->errors++;
		l->outage = true;
	} else {
		l->wrong++;
	}
	slot->place = MP_FREE;
}

/* Uses the sessions of either process. */
static void
offer(struct mp_pk *pk, struct mp_traffic *t, struct lane *l, uint8_t dev, uint16_t qp)
{
	struct rte_crypto_op *ops[BURST];
	struct slot *slots[BURST];
	const unsigned int most = 1 + mp_traffic_random(t) % BURST;
	unsigned int n = 0, sent;

	for (unsigned int i = 0; i < SLOTS && n < most; i++) {
		const enum kind kind = mp_traffic_random(t) % KINDS;

		if (l->slot[i].place != MP_FREE)
			continue;
		prepare(&l->slot[i], kind, pk->session[qp][kind]);
		slots[n] = &l->slot[i];
		ops[n++] = l->slot[i].op;
	}
	sent = rte_cryptodev_enqueue_burst(dev, qp, ops, n);
	for (unsigned int i = 0; i < n; i++)
		slots[i]->place = i < sent ? MP_FLIGHT : MP_FREE;
	l->accepted += sent;
}

static void
dequeue(struct mp_pk *pk, struct mp_traffic *t, struct lane *l, uint8_t dev, uint16_t qp)
{
	struct rte_crypto_op *ops[MP_BURST];
	unsigned int n;

	__atomic_store_n(&t->in_dequeue, 1, __ATOMIC_SEQ_CST);
	n = rte_cryptodev_dequeue_burst(dev, qp, ops, 1 + mp_traffic_random(t) % MP_BURST);
	for (unsigned int i = 0; i < n; i++) {
		if (ops[i]->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC)
			take_back(pk, l, ops[i]);
		else
			mp_traffic_take_back(t, ops[i]);
	}
	__atomic_store_n(&t->in_dequeue, 0, __ATOMIC_SEQ_CST);
}

static void
pk_round(struct mp_shared *shared, uint8_t dev, uint16_t qp, bool sends)
{
	struct mp_traffic *t = &shared->traffic[qp];
	struct lane *l = &shared->pk->lane[qp];

	if (sends && mp_traffic_in_flight(t) + MP_BURST <= MP_SLOTS)
		mp_traffic_offer(t, dev, qp, shared->session[0],
				 1 + mp_traffic_random(t) % MP_BURST);
	if (sends)
		offer(shared->pk, t, l, dev, qp);
	dequeue(shared->pk, t, l, dev, qp);
}

static unsigned int
in_flight(const struct mp_shared *shared, uint16_t qp)
{
	unsigned int n = mp_traffic_in_flight(&shared->traffic[qp]);

	for (unsigned int i = 0; i < SLOTS; i++)
		n += shared->pk->lane[qp].slot[i].place != MP_FREE;
	return n;
}

/* Runs until nb more operations came back right, or an outage is over. */
static bool
pk_run(struct mp_shared *shared, uint8_t dev, uint16_t qp, uint64_t nb)
{
	const uint64_t end = e2e_waited_ms() + LIMIT_S * MS_PER_S;
	const struct mp_traffic *t = &shared->traffic[qp];
	const struct lane *l = &shared->pk->lane[qp];
	const uint64_t wrong = l->wrong + t->wrong, wanted = l->good + nb;

	while (l->good < wanted && e2e_waited_ms() < end)
		pk_round(shared, dev, qp, true);
	while (in_flight(shared, qp) != 0 && e2e_waited_ms() < end)
		pk_round(shared, dev, qp, false);
	return in_flight(shared, qp) == 0 && l->good >= wanted && l->wrong + t->wrong == wrong;
}

/* ---------------------------------------------------------------- the primary */

bool
mp_pk_create(struct mp_shared *shared, uint8_t dev)
{
	struct mp_pk *pk = rte_zmalloc("mp_pk", sizeof(*pk), 0);
	struct rte_mempool *ops;
	uint8_t data[RANDOM_BYTES];
	bool ok = pk != NULL && make_numbers(pk, shared->traffic[0].random);

	ops = rte_crypto_op_pool_create("mp_asym_ops", RTE_CRYPTO_OP_TYPE_ASYMMETRIC, 2 * SLOTS, 0,
					0, SOCKET_ID_ANY);
	ok = ok && ops != NULL &&
	     rte_cryptodev_asym_session_pool_create(pool_name, 4 * KINDS, 0, 0,
						    SOCKET_ID_ANY) != NULL;
	for (unsigned int i = 0; ok && i < 2 * SLOTS; i++) {
		struct slot *slot = &pk->lane[i / SLOTS].slot[i % SLOTS];

		slot->op = rte_crypto_op_alloc(ops, RTE_CRYPTO_OP_TYPE_ASYMMETRIC);
		ok = slot->op != NULL;
	}
	if (!mp_check(ok, "keys and operations are made"))
		return false;
	shared->pk = pk;
	mp_check(count_secrets() == 0, "no key is in shared memory without a session");
	return make_sessions(pk, dev, 0) &&
	       mp_check(count_secrets() != 0, "with a session there is one") &&
	       mp_check(rte_pmd_accel_random(dev, data, sizeof(data)) == 0 && is_random(data),
			"random numbers");
}

/* Both processes run. Then each uses the sessions of the other one. */
bool
mp_pk_share(struct mp_shared *shared, uint8_t dev, int pid)
{
	struct mp_pk *pk = shared->pk;
	const struct lane *l = &pk->lane[0];

	while (__atomic_load_n(&shared->phase, __ATOMIC_ACQUIRE) < 3 &&
	       waitpid(pid, NULL, WNOHANG) == 0)
		pk_round(shared, dev, 0, true);
	mp_check(pk_run(shared, dev, 0, AFTER_OPS) && l->errors == 0,
		 "public keys on queue pair 0 beside it: %" PRIu64 " right, %" PRIu64
		 " with an error", l->good, l->errors);
	for (unsigned int k = 0; k < KINDS; k++) {
		void *own = pk->session[0][k];

		pk->session[0][k] = pk->session[1][k];
		pk->session[1][k] = own;
	}
	mp_check(pk_run(shared, dev, 0, AFTER_OPS) && l->errors == 0,
		 "sessions of the secondary work here");
	__atomic_store_n(&shared->phase, 4, __ATOMIC_RELEASE);
	return true;
}

/* As scenario_kill() of primary.c has it, for both kinds of operations. */
static bool
take_over(struct mp_shared *shared, uint8_t dev)
{
	const uint64_t end = e2e_waited_ms() + LIMIT_S * MS_PER_S;
	struct mp_traffic *t = &shared->traffic[1];
	struct lane *l = &shared->pk->lane[1];
	const unsigned int unsure = t->in_dequeue != 0 ? MP_BURST : 0;
	unsigned int offered = 0, lost;

	for (unsigned int i = 0; i < MP_SLOTS; i++)
		offered += t->slot[i].place == MP_OFFERED;
	for (unsigned int i = 0; i < SLOTS; i++)
		offered += l->slot[i].place == MP_OFFERED;
	if (!mp_check(rte_pmd_accel_qp_reset(dev, 1) == 0, "resets queue pair 1"))
		return false;
	/* What was only offered may never come back. The rest waits for dequeue since the reset. */
	for (unsigned int i = 0; in_flight(shared, 1) != 0 && e2e_waited_ms() < end &&
	     (i < ROUNDS || in_flight(shared, 1) > unsure + offered); i++) {
		pk_round(shared, dev, 1, false);
		pk_round(shared, dev, 0, true);
	}
	lost = in_flight(shared, 1);
	for (unsigned int i = 0; i < MP_SLOTS; i++)
		t->slot[i].place = MP_FREE;
	for (unsigned int i = 0; i < SLOTS; i++)
		l->slot[i].place = MP_FREE;
	return mp_check(lost <= unsure + offered && l->wrong == 0 && t->wrong == 0,
			"all that it had in flight came back: %" PRIu64 " right and %" PRIu64
			" errors of public keys so far, %u of %u unsure", l->good, l->errors, lost,
			unsure + offered);
}

bool
mp_pk_left(struct mp_shared *shared, uint8_t dev, int pid, bool killed)
{
	const uint64_t us = mp_traffic_random(&shared->traffic[0]) % FLIGHT_MAX_US;
	const uint64_t end = rte_get_timer_cycles() + us * (rte_get_timer_hz() / US_PER_S);
	struct mp_pk *pk = shared->pk;
	uint8_t data[RANDOM_BYTES];
	bool good;

	/* Both processes have the same CPU, so the secondary may have offered nothing yet. */
	while (rte_get_timer_cycles() < end ||
	       (in_flight(shared, 1) == 0 && waitpid(pid, NULL, WNOHANG) == 0))
		pk_round(shared, dev, 0, true);
	if (killed)
		kill(pid, SIGKILL);
	__atomic_store_n(&shared->phase, LEAVE, __ATOMIC_RELEASE);
	while (waitpid(pid, NULL, WNOHANG) == 0)
		pk_round(shared, dev, 0, true);
	mp_check(in_flight(shared, 1) != 0 && pk->wrong_calls == 0,
		 "a secondary was %s after %" PRIu64 " us with %u operations in flight, %" PRIu64
		 " calls for random numbers", killed ? "killed" : "left alone", us,
		 in_flight(shared, 1), pk->calls);
	if (!take_over(shared, dev))
		return false;
	mp_check(rte_pmd_accel_random(dev, data, sizeof(data)) == 0 && is_random(data),
		 "random numbers after it");
	good = pk_run(shared, dev, 1, AFTER_OPS);
	mp_check(good, "queue pair 1 works with the sessions of that process");
	free_sessions(pk, dev, 1);
	return mp_check(pk_run(shared, dev, 0, AFTER_OPS) && pk->lane[0].errors == 0,
			"queue pair 0 has worked all the time: %" PRIu64 " right",
			pk->lane[0].good);
}

/* No process has a session or an operation in flight any more. */
bool
mp_pk_end(struct mp_shared *shared, uint8_t dev)
{
	unsigned int found;

	free_sessions(shared->pk, dev, 0);
	found = count_secrets();
	return mp_check(found == 0, "%u secret numbers are left in shared memory", found);
}

/* ---------------------------------------------------------------- the secondary */

static void
call_random(struct mp_pk *pk, uint8_t dev)
{
	uint8_t data[RANDOM_BYTES];
	const int ret = rte_pmd_accel_random(dev, data, sizeof(data));

	pk->wrong_calls += ret != 0 || !is_random(data);
	pk->calls++;
}

/* Runs until it is killed or told to end. With `ends` it ends by itself and takes all back. */
int
mp_pk_secondary(struct mp_shared *shared, uint8_t dev, bool ends)
{
	struct mp_pk *pk = shared->pk;
	const struct lane *l = &pk->lane[1];

	for (unsigned int i = 0; i < NUMBERS; i++)
		copy_masked(&number[i], &pk->masked[i]);
	if (!make_sessions(pk, dev, 1))
		return 1;
	__atomic_store_n(&shared->phase, 2, __ATOMIC_RELEASE);
	for (unsigned int i = 0; __atomic_load_n(&shared->phase, __ATOMIC_ACQUIRE) == 2; i++) {
		pk_round(shared, dev, 1, true);
		if (i % 8 == 0)
			call_random(pk, dev);
		if (ends && l->good >= SHARE_OPS)
			break;
	}
	if (!ends)
		_exit(0); /* what is in flight is left to the primary */
	mp_check(pk_run(shared, dev, 1, AFTER_OPS) && l->errors == 0 && pk->wrong_calls == 0,
		 "public keys on queue pair 1: %" PRIu64 " right, %" PRIu64 " calls for random "
		 "numbers", l->good, pk->calls);
	__atomic_store_n(&shared->phase, 3, __ATOMIC_RELEASE);
	if (!mp_wait_phase(shared, 4))
		return 1;
	mp_check(pk_run(shared, dev, 1, AFTER_OPS), "sessions of the primary work here");
	free_sessions(pk, dev, 1); /* which the primary had made */
	return 0;
}
