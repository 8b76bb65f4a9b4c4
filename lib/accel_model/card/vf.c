/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Shares of virtual functions and their mailboxes: see vf.h. Threads other than worker 0 carry out
 * FLRs, so a lock guards what they share with worker 0. If the lock is taken, worker 0 does not
 * wait, but comes back later. Pages of hosts are read once, into a copy.
 */
#include <string.h>

#include "card/vf.h"

#define LOOK_VFS 64u /* VFs that are looked at in one tick; 256 VFs take four ticks */
#define READ_TRIES 8u

#define ENTRY_WORDS (sizeof(struct accel_hw_vf_resources) / sizeof(uint64_t))

static_assert(sizeof(struct accel_hw_vf_answer) == sizeof(struct accel_hw_vf_resources) &&
		      sizeof(struct accel_hw_vf_status) == sizeof(struct accel_hw_vf_resources),
	      "manual 4.8: each region is as long as the resource table");

unsigned int
vf_pool(const struct accel_model *m)
{
	const unsigned int all = vf_count(m) * m->config.nb_queue_pairs;

	return m->minor >= 2 && m->config.vf_queue_pairs != 0 ? m->config.vf_queue_pairs : all;
}

void
vf_set_pk_queues(struct accel_function *fn)
{
	bool any = alg_set_has(fn->algorithms, ACCEL_HW_RANDOM);

	for (unsigned int id = ACCEL_HW_PK_RSA; id <= ACCEL_HW_PK_ML_DSA; id++)
		any |= pk_caps(id) != NULL && alg_set_has(fn->algorithms, id);
	fn->nb_pk_queues =
		model_has_pk(fn->model) && any && fn->nb_queues > 0 ? fn->nb_queues + 1 : 0;
}

/* Queue pairs are dealt out evenly, so that each VF has some before the PF's host has decided. */
void
vf_power_on(struct accel_function *fn)
{
	struct accel_model *m = fn->model;
	unsigned int part;

	fn->nb_queues = m->config.nb_queue_pairs;
	memset(fn->algorithms, 0xff, sizeof(fn->algorithms));
	pacer_init(&fn->pacer, 0, 0, 0);
	vf_set_pk_queues(fn);
	if (fn->index == 0)
		return;
	part = vf_pool(m) / vf_count(m) + (fn->index - 1 < vf_pool(m) % vf_count(m));
	if (fn->nb_queues > part)
		fn->nb_queues = part;
	m->vf_left -= fn->nb_queues;
	vf_set_pk_queues(fn);
}

/*
 * Copy an entry whose host may be writing it, so that all values belong together. The first word
 * has the number that the host changes last. @return false: the entry changes all the time.
 */
static bool
read_entry(const struct accel_hw_vf_resources *from, struct accel_hw_vf_resources *to)
{
	const uint64_t *word = (const uint64_t *)from;
	uint64_t copy[ENTRY_WORDS];

	for (unsigned int tries = 0; tries < READ_TRIES; tries++) {
		for (unsigned int i = 0; i < ENTRY_WORDS; i++)
			copy[i] = load64_acquire(&word[i]);
		if (load64_acquire(&word[0]) == copy[0]) {
			memcpy(to, copy, sizeof(*to));
			return true;
		}
	}
	return false;
}

/* Write an entry, except for its first four bytes. No part of it is written before the stores that
 * came earlier. */
static void
write_entry(struct accel_hw_vf_resources *to, const struct accel_hw_vf_resources *from)
{
	const uint64_t *word = (const uint64_t *)from;

	__atomic_thread_fence(__ATOMIC_RELEASE);
	store32((uint32_t *)(void *)to + 1, (uint32_t)(word[0] >> 32));
	for (unsigned int i = 1; i < ENTRY_WORDS; i++)
		store64((uint64_t *)to + i, word[i]);
}

/* Show the share in the VF's mailbox. The reader of the mailbox sees SHARE_COUNT change. */
static void
show_share(struct accel_function *fn)
{
	struct vf *vf = &fn->vf;

	if (fn->mailbox == NULL)
		return;
	store32(&fn->mailbox->share_count, ++vf->share_count);
	write_entry(&fn->mailbox->share, &vf->entry);
	store32(&fn->mailbox->share.sequence, vf->entry.sequence);
	store32_release(&fn->mailbox->share_count, ++vf->share_count);
}

/* Follow the VF's entry of the resource table: rates and weight. If workers are using the pace
 * right now, the next tick changes it. */
static void
follow_entry(struct accel_function *fn)
{
	const struct accel_function *pf = &fn->model->fn[0];
	const struct accel_hw_vf_resources *from = &pf->vf_table[fn->index - 1];
	struct vf *vf = &fn->vf;

	if (load32_acquire(&from->sequence) != vf->entry.sequence &&
	    read_entry(from, &vf->entry)) {
		vf->due = true;
		if (vf->entry.sequence == 0)
			memset(&vf->entry, 0, sizeof(vf->entry));
	}
	if (!vf->due ||
	    !pacer_set(&fn->pacer, vf->entry.ops_per_second, vf->entry.bytes_per_second))
		return;
	vf->due = false;
	if (fn->model->minor >= 2)
		store32(&fn->weight, vf->entry.weight);
	show_share(fn);
	vf->ack = vf->entry.sequence;
}

/* Show the state of each side, VF and PF, to the other side. */
static void
show_states(struct accel_function *fn)
{
	const struct accel_function *pf = &fn->model->fn[0];
	const uint32_t state = load32(&fn->state), pf_state = load32(&pf->control->pf_state);
	const bool absent = load32(&fn->absent) != 0;
	struct vf *vf = &fn->vf;
	const union {
		struct accel_hw_vf_status status;
		uint64_t word;
	} now = { .status = {
		.share_ack = vf->ack,
		.queue_pairs = (uint16_t)fn->nb_queues,
		.vf_state = absent ? ACCEL_HW_VF_ABSENT : ACCEL_HW_VF_STATE(state),
		.vf_fatal_code = !absent && state == ACCEL_HW_STATE_FATAL ?
				 ACCEL_HW_FATAL_INTERNAL : ACCEL_HW_FATAL_NONE,
	} };

	if (now.word != vf->status)
		store64_release((uint64_t *)&pf->vf_status[fn->index - 1], now.word);
	vf->status = now.word;
	if (pf_state != vf->pf_state)
		store32(&fn->mailbox->pf_state, pf_state);
	vf->pf_state = pf_state;
	if (fn->nb_queues != vf->queue_pairs)
		__atomic_store_n(&fn->mailbox->queue_pairs, (uint16_t)fn->nb_queues,
				 __ATOMIC_RELAXED);
	vf->queue_pairs = fn->nb_queues;
}

/* Show a request of the VF to the PF, under a number that the PF has not seen yet. */
static void
carry_request(struct accel_function *fn)
{
	struct accel_hw_vf_resources *to = &fn->model->fn[0].vf_requests[fn->index - 1], entry;
	struct vf *vf = &fn->vf;

	if (load32_acquire(&fn->mailbox_host->sequence) == vf->asked ||
	    !read_entry(fn->mailbox_host, &entry))
		return;
	vf->asked = entry.sequence;
	if (vf->asked == 0)
		return;
	if (++vf->last_request == 0)
		vf->last_request = 1;
	vf->request = vf->last_request;
	vf->reply_to = vf->asked;
	store32(&to->sequence, 0);
	write_entry(to, &entry);
	store32_release(&to->sequence, vf->request);
}

/* Show an answer of the PF to the VF, if the answer is for the latest request. */
static void
carry_answer(struct accel_function *fn)
{
	const struct accel_hw_vf_answer *from = &fn->model->fn[0].vf_answers[fn->index - 1];
	struct vf *vf = &fn->vf;

	if (vf->request == 0 || vf->request == vf->answered ||
	    load32_acquire(&from->answer) != vf->request)
		return;
	vf->answered = vf->request;
	store32(&fn->mailbox->answer_status, load32(&from->answer_status));
	store32_release(&fn->mailbox->answer, vf->reply_to);
}

static void
look_at(struct accel_function *fn)
{
	follow_entry(fn);
	if (load32(&fn->absent) == 0) {
		carry_request(fn);
		carry_answer(fn);
	}
	show_states(fn);
}

void
vf_look(struct accel_model *m)
{
	unsigned int nb = vf_count(m);

	if (nb == 0 || m->minor < 2 || pthread_mutex_trylock(&m->vf_lock) != 0)
		return;
	for (nb = nb < LOOK_VFS ? nb : LOOK_VFS; nb > 0; nb--) {
		m->vf_next = m->vf_next % vf_count(m) + 1;
		look_at(&m->fn[m->vf_next]);
	}
	pthread_mutex_unlock(&m->vf_lock);
}

/* Return how many queue pairs a VF may have (manual 4.5, VF-18). */
static unsigned int
wanted_queues(const struct accel_function *fn)
{
	const struct accel_hw_vf_resources *entry = &fn->vf.entry;
	const unsigned int most = fn->model->config.nb_queue_pairs;
	const unsigned int least = fn->model->minor < 2; /* a card of contract 1.1 gives one queue
							  * pair at least */

	if (load32(&fn->absent) != 0)
		return 0;
	if (entry->sequence == 0 || entry->nb_queue_pairs > most)
		return most;
	return entry->nb_queue_pairs > least ? entry->nb_queue_pairs : least;
}

bool
vf_take(struct accel_function *fn)
{
	struct accel_model *m = fn->model;
	unsigned int wanted, before = fn->nb_queues;
	alg_set given;
	bool other;

	if (fn->index == 0)
		return false;
	memset(given, 0xff, sizeof(given));
	pthread_mutex_lock(&m->vf_lock);
	follow_entry(fn);
	if (fn->vf.entry.sequence != 0)
		memcpy(given, fn->vf.entry.algorithms, sizeof(given));
	wanted = wanted_queues(fn);
	m->vf_left += fn->nb_queues;
	/* Other workers read nb_queues without the lock (watch_commands()). */
	store32(&fn->nb_queues, wanted < m->vf_left ? wanted : m->vf_left);
	m->vf_left -= fn->nb_queues;
	other = fn->nb_queues != before || memcmp(given, fn->algorithms, sizeof(given)) != 0;
	memcpy(fn->algorithms, given, sizeof(given));
	vf_set_pk_queues(fn);
	if (m->minor >= 2)
		show_states(fn);
	pthread_mutex_unlock(&m->vf_lock);
	return other;
}

/* Forget the request that waits for an answer (manual 4.8, MBX-5), and what was shown. */
static void
forget(struct accel_function *fn)
{
	struct vf *vf = &fn->vf;

	vf->request = 0;
	vf->status = UINT64_MAX;
	vf->pf_state = 0;
	vf->queue_pairs = 0;
	store32_release(&fn->model->fn[0].vf_requests[fn->index - 1].sequence, 0);
}

static void
restart_pf(struct accel_function *pf)
{
	const uint64_t bytes = (uint64_t)vf_pages(pf->model) * ACCEL_HW_PAGE_SIZE;

	clear_words(pf->vf_requests, bytes);
	clear_words(pf->vf_status, bytes);
	for (unsigned int i = 1; i <= vf_count(pf->model); i++) {
		forget(&pf->model->fn[i]);
		pf->model->fn[i].vf.pf_state = UINT32_MAX;
		show_states(&pf->model->fn[i]);
	}
}

static void
restart_vf(struct accel_function *fn)
{
	clear_words(fn->mailbox, ACCEL_HW_PAGE_SIZE);
	forget(fn);
	fn->vf.asked = 0;
	show_share(fn);
	show_states(fn);
}

void
vf_restart(struct accel_function *fn)
{
	if (fn->model->minor < 2 || vf_count(fn->model) == 0)
		return;
	pthread_mutex_lock(&fn->model->vf_lock);
	if (fn->index == 0)
		restart_pf(fn);
	else
		restart_vf(fn);
	pthread_mutex_unlock(&fn->model->vf_lock);
}
