/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Virtual functions of the model (manual 4.5 and 4.8): shares, what takes effect when, the pool of
 * queue pairs, mailboxes, functions that vanish and appear, 256 of them.
 */
#include <errno.h>
#include <pthread.h>

#include "model_base/model_nops.h"
#include "model_base/model_vfs.h"

#define VFS 3u

static struct host vf[VFS];
static struct accel_hw_vf_resources *asks[VFS]; /* host page of the mailbox */
static struct accel_hw_mailbox *box[VFS]; /* device page */

static void
open_vfs(unsigned int pool)
{
	struct accel_model_config config = base_config();

	config.nb_functions = 1 + VFS;
	config.vf_queue_pairs = pool;
	vfs_open(&config);
	for (unsigned int i = 0; i < VFS; i++) {
		host_attach(&vf[i], h.model, 1 + i);
		asks[i] = region_of(&vf[i], ACCEL_HW_DT_MAILBOX, 0);
		box[i] = region_of(&vf[i], ACCEL_HW_DT_MAILBOX, 1);
	}
}

static int
open_three(void **state)
{
	(void)state;
	open_vfs(0);
	return 0;
}

static int
close_three(void **state)
{
	for (unsigned int i = 0; i < VFS; i++)
		host_detach(&vf[i]);
	return teardown(state);
}

/* Posts NOPs of a function. */
static void
post_nops(struct host *host, uint32_t nb)
{
	for (uint32_t i = 0; i < nb; i++) {
		struct accel_hw_command *cmd = new_command(host, ACCEL_HW_OP_NOP, i);

		cmd->flags = ACCEL_HW_CMD_NO_RX;
		tx_frag(&host->q[0], host_iova(host, cmd), 64, COMMAND);
	}
	q_ring(&host->q[0]);
}

static void
works(struct host *host)
{
	q_start(&host->q[0], 64, 64, 64);
	post_nops(host, 3);
	for (uint32_t i = 0; i < 3; i++)
		expect_response(&host->q[0], i, ACCEL_HW_OK, 0);
}

/* Shares. */

static void
test_tree(void **state)
{
	const fdt32_t *pairs;
	int len;

	(void)state;
	pairs = fdt_getprop(tree_of(&h), node_of(&h, ACCEL_HW_DT_VF_TABLE),
			    ACCEL_HW_DT_QUEUE_PAIRS, &len);
	assert_non_null(pairs);
	assert_int_equal(len, 8);
	assert_int_equal(fdt32_to_cpu(pairs[0]), 12);
	assert_int_equal(fdt32_to_cpu(pairs[1]), 4);
	assert_true(node_of(&h, ACCEL_HW_DT_MAILBOX) < 0);
	assert_true(node_of(&vf[0], ACCEL_HW_DT_VF_MAILBOX) < 0);
	assert_true(node_of(&vf[0], ACCEL_HW_DT_VF_TABLE) < 0);
	for (unsigned int i = 0; i < VFS; i++) {
		assert_int_equal(vf[i].nb_qps, 4);
		host_until(&h, queue_pairs_of(i) == 4 && state_of(i) == 2);
		assert_int_equal(box[i]->queue_pairs, 4);
		assert_int_equal(box[i]->share.sequence, 0);
	}
}

/* A card of an older contract has none of it. */
static void
test_older(void **state)
{
	struct accel_model_config config = base_config();
	struct accel_model *model;
	struct host one;

	(void)state;
	for (unsigned int minor = 0; minor < 2; minor++) {
		config.contract = accel_model_contract_of(minor);
		config.nb_functions = 65;
		config.vf_queue_pairs = 1;
		host_open(&h, &config);
		assert_true(node_of(&h, ACCEL_HW_DT_VF_MAILBOX) < 0);
		table = region_of(&h, ACCEL_HW_DT_VF_TABLE, 0);
		assert_null(fdt_getprop(tree_of(&h), node_of(&h, ACCEL_HW_DT_VF_TABLE),
					ACCEL_HW_DT_QUEUE_PAIRS, NULL));
		host_attach(&one, h.model, 64);
		assert_true(node_of(&one, ACCEL_HW_DT_MAILBOX) < 0);
		assert_int_equal(one.nb_qps, 4);
		wr32(&table[63].sequence, 1); /* No queue pairs: it gets one at its reset. */
		host_reset_and_find(&one);
		assert_int_equal(one.nb_qps, 1);
		works(&one);
		host_detach(&one);
		host_close(&h);
		config.nb_functions = 66;
		assert_int_equal(accel_model_create(&config, &model), -EINVAL);
	}
}

/* Queue pairs and algorithms wait for the reset, and the share is shown at once. */
static void
test_share(void **state)
{
	struct accel_hw_vf_resources share = everything();
	uint32_t count;
	int node;

	(void)state;
	works(&vf[1]);
	share.nb_queue_pairs = 2;
	share.weight = 7;
	memset(share.algorithms, 0, sizeof(share.algorithms));
	share.algorithms[0] = UINT64_C(1) << ACCEL_HW_CIPHER_AES_CTR;
	count = rd32(&box[1]->share_count);
	give(1, &share);
	assert_true(rd32(&box[1]->share_count) != count);
	assert_int_equal(rd32(&box[1]->share_count) % 2, 0);
	share.sequence = rd32(&table[1].sequence);
	assert_memory_equal(&box[1]->share, &share, sizeof(share));
	assert_int_equal(rd32(&box[0]->share_count), rd32(&box[2]->share_count));
	/* The VF goes on as before. */
	assert_int_equal(box[1]->queue_pairs, 4);
	post_nops(&vf[1], 2);
	expect_response(&vf[1].q[0], 0, ACCEL_HW_OK, 0);
	expect_response(&vf[1].q[0], 1, ACCEL_HW_OK, 0);
	host_find_pages(&vf[1]);
	assert_int_equal(vf[1].nb_qps, 4);
	host_reset_and_find(&vf[1]);
	assert_int_equal(vf[1].nb_qps, 2);
	assert_int_equal(box[1]->queue_pairs, 2);
	assert_int_equal(queue_pairs_of(1), 2);
	node = node_of(&vf[1], ACCEL_HW_DT_CIPHER);
	assert_true(node >= 0);
	assert_true(fdt_node_offset_by_compatible(tree_of(&vf[1]), node, ACCEL_HW_DT_CIPHER) < 0);
	works(&vf[1]);
}

/* What the host writes before SEQUENCE counts only with it, also at a reset. */
static void
test_torn(void **state)
{
	struct accel_hw_vf_resources share = everything();

	(void)state;
	share.nb_queue_pairs = 3;
	give(0, &share);
	__atomic_store_n(&table[0].nb_queue_pairs, 1, __ATOMIC_RELAXED);
	wr64(&table[0].ops_per_second, 1);
	host_reset_and_find(&vf[0]);
	assert_int_equal(vf[0].nb_qps, 3);
	assert_int_equal(box[0]->share.ops_per_second, 0);
	wr32(&table[0].sequence, 77);
	host_until(&h, rd32(&status[0].share_ack) == 77);
	assert_int_equal(box[0]->share.ops_per_second, 1);
	assert_int_equal(box[0]->share.nb_queue_pairs, 1);
	wr32(&table[0].sequence, 0); /* As never written. */
	host_until(&h, rd32(&status[0].share_ack) == 0);
	host_reset_and_find(&vf[0]);
	assert_int_equal(vf[0].nb_qps, 4);
	assert_int_equal(box[0]->share.ops_per_second, 0);
}

static void *
rewrite(void *arg)
{
	const uint32_t *stop = arg;

	for (uint64_t n = 1; rd32(stop) == 0; n++) {
		wr64(&table[0].ops_per_second, 1000000000 + n);
		wr64(&table[0].bytes_per_second, 1000000000 + n);
		wr32(&table[0].sequence, (uint32_t)n | 1);
		wr32(&table[0].sequence, 0x80000000u | (uint32_t)n);
	}
	return NULL;
}

/* A table that changes all the time neither holds up other functions nor shows a torn share. */
static void
test_restless_table(void **state)
{
	const struct accel_hw_vf_resources share = everything();
	pthread_t thread;
	uint32_t stop = 0;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, rewrite, &stop), 0);
	for (unsigned int i = 0; i < 200; i++) {
		host_reset_and_find(&vf[1]);
		works(&vf[1]);
		polls(10);
		assert_int_equal(rd32(&box[0]->share_count) % 2, 0);
	}
	wr32(&stop, 1);
	pthread_join(thread, NULL);
	give(0, &share);
	assert_int_equal(box[0]->share.ops_per_second, 0);
}

/* Rates change while the VF works: places in the old pace do not count any more. */
static void
test_rate_at_once(void **state)
{
	struct accel_hw_vf_resources share = everything();
	uint64_t begin;

	(void)state;
	share.ops_per_second = 1; /* The second operation would wait for a second. */
	give(0, &share);
	q_start(&vf[0].q[0], 256, 256, 256);
	post_nops(&vf[0], 100);
	for (uint32_t i = 0; i < 2; i++)
		expect_response(&vf[0].q[0], i, ACCEL_HW_OK, 0);
	assert_true(rd32(&vf[0].q[0].wb->rsp_hhp) < 90);
	share.ops_per_second = 0;
	share.bytes_per_second = 1000000;
	give(0, &share);
	for (uint32_t i = 2; i < 100; i++)
		expect_response(&vf[0].q[0], i, ACCEL_HW_OK, 0);
	/* A new rate holds from its acknowledgement on. */
	share.bytes_per_second = 0;
	share.ops_per_second = 1000;
	give(0, &share);
	begin = now_ns();
	post_nops(&vf[0], 100);
	for (uint32_t i = 0; i < 100; i++)
		expect_response(&vf[0].q[0], i, ACCEL_HW_OK, 0);
	assert_true((double)(now_ns() - begin) * 1000 >= 1e9 * (100 - 1 - 10));
}

/* A very slow rate is no rate of yesterday: taking it away frees operations that wait for it. */
static void
test_rate_taken_away(void **state)
{
	struct accel_hw_vf_resources share = everything();
	uint8_t *mem = host_alloc(&vf[0], 4096, 64);

	(void)state;
	share.bytes_per_second = 1;
	give(0, &share);
	q_start(&vf[0].q[0], 64, 64, 64);
	for (uint32_t i = 0; i < 8; i++) {
		struct accel_hw_command *cmd = new_command(&vf[0], ACCEL_HW_OP_LOOPBACK, i);

		cmd->cipher_len = 4096; /* more than an hour */
		q_post(&vf[0].q[0], cmd, mem, 4096, mem, 4096);
	}
	q_ring(&vf[0].q[0]);
	expect_response(&vf[0].q[0], 0, ACCEL_HW_OK, 4096);
	wait_ms(20);
	assert_int_equal(rd32(&vf[0].q[0].wb->rsp_hhp), 1);
	share.bytes_per_second = 0;
	give(0, &share);
	for (uint32_t i = 1; i < 8; i++)
		expect_response(&vf[0].q[0], i, ACCEL_HW_OK, 4096);
}

static void
test_no_queue_pairs(void **state)
{
	struct accel_hw_vf_resources share = everything();
	uint64_t beat;

	(void)state;
	share.nb_queue_pairs = 0;
	give(2, &share);
	works(&vf[2]);
	host_reset(&vf[2]);
	assert_true(node_of(&vf[2], ACCEL_HW_DT_QP) < 0);
	assert_int_equal(fdt_check_full(tree_of(&vf[2]), rd32(&vf[2].id->dt_size)), 0);
	assert_int_equal(queue_pairs_of(2), 0);
	/* START of a queue pair of before has no effect. */
	q_control(&vf[2].q[0], ACCEL_HW_QP_CMD_START);
	beat = rd64(&vf[2].id->heartbeat);
	host_until(&h, rd64(&vf[2].id->heartbeat) != beat);
	assert_int_equal(rd32(&vf[2].q[0].dev->status), 0);
	share.nb_queue_pairs = 1;
	give(2, &share);
	host_reset_and_find(&vf[2]);
	assert_int_equal(vf[2].nb_qps, 1);
	works(&vf[2]);
}

/* Queue pairs exist once (VF-18). */
static void
test_pool(void **state)
{
	struct accel_hw_vf_resources share = everything();

	(void)state;
	open_vfs(7);
	assert_int_equal(vf[0].nb_qps, 3); /* At power-on each has its part. */
	assert_int_equal(vf[1].nb_qps, 2);
	assert_int_equal(vf[2].nb_qps, 2);
	host_reset_and_find(&vf[0]);
	assert_int_equal(vf[0].nb_qps, 3); /* The others have the rest. */
	share.nb_queue_pairs = 1;
	give(0, &share);
	host_reset_and_find(&vf[1]);
	assert_int_equal(vf[1].nb_qps, 2);
	host_reset_and_find(&vf[0]);
	assert_int_equal(vf[0].nb_qps, 1);
	host_reset_and_find(&vf[1]);
	assert_int_equal(vf[1].nb_qps, 4); /* The most of one function. */
	host_reset_and_find(&vf[0]);
	assert_int_equal(vf[0].nb_qps, 1);
	/* One that vanishes gives its queue pairs back, and may find none when it returns. */
	assert_true(accel_function_set_present(vf[2].fn, false));
	assert_false(accel_function_set_present(vf[2].fn, false));
	share.nb_queue_pairs = 3;
	give(0, &share);
	accel_function_flr(vf[0].fn);
	host_find_pages(&vf[0]);
	assert_int_equal(vf[0].nb_qps, 3);
	assert_true(accel_function_set_present(vf[2].fn, true));
	assert_true(node_of(&vf[2], ACCEL_HW_DT_QP) < 0);
	host_until(&h, queue_pairs_of(0) == 3 && queue_pairs_of(1) == 4 && queue_pairs_of(2) == 0);
	accel_function_set_present(vf[1].fn, false);
	host_reset_and_find(&vf[2]);
	assert_int_equal(vf[2].nb_qps, 4);
	works(&vf[2]);
}

/* The mailbox. */

/* Asks as the VF's host. */
static void
ask(unsigned int i, uint32_t number, uint16_t queue_pairs, uint64_t ops)
{
	__atomic_store_n(&asks[i]->nb_queue_pairs, queue_pairs, __ATOMIC_RELAXED);
	wr64(&asks[i]->ops_per_second, ops);
	wr32(&asks[i]->sequence, number);
}

static void
answer(unsigned int i, uint32_t number, uint32_t how)
{
	wr32(&answers[i].answer_status, how);
	wr32(&answers[i].answer, number);
}

static void
test_request(void **state)
{
	uint32_t first, second;

	(void)state;
	ask(1, 1000, 3, 55);
	host_until(&h, (first = rd32(&requests[1].sequence)) != 0);
	assert_int_equal(requests[1].nb_queue_pairs, 3);
	assert_int_equal(requests[1].ops_per_second, 55);
	assert_int_equal(requests[0].sequence, 0);
	answer(1, first, ACCEL_HW_ANSWER_REFUSED);
	host_until(&h, rd32(&box[1]->answer) == 1000);
	assert_int_equal(box[1]->answer_status, ACCEL_HW_ANSWER_REFUSED);
	/* The same number again is no request; another one is, even if it is smaller. */
	wr64(&asks[1]->ops_per_second, 66);
	wait_ms(10);
	assert_int_equal(requests[1].sequence, first);
	ask(1, 7, 4, 77);
	host_until(&h, (second = rd32(&requests[1].sequence)) != first && second != 0);
	assert_int_equal(requests[1].ops_per_second, 77);
	/* Only the latest number is answered. */
	wait_ms(10);
	assert_int_equal(box[1]->answer, 1000);
	answer(1, second + 1, ACCEL_HW_ANSWER_GRANTED);
	wait_ms(10);
	assert_int_equal(box[1]->answer, 1000);
	answer(1, second, 0x1234);
	host_until(&h, rd32(&box[1]->answer) == 7);
	assert_int_equal(box[1]->answer_status, 0x1234);
	assert_int_equal(box[0]->answer, 0);
	assert_int_equal(box[2]->answer, 0);
}

/* An answer for an earlier owner of the VF reaches nobody (MBX-4, MBX-5). */
static void
test_stale_answer(void **state)
{
	uint32_t old, new;

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		ask(0, 5, 1, 1);
		host_until(&h, (old = rd32(&requests[0].sequence)) != 0);
		if (i == 3)
			assert_int_equal(accel_function_renew(vf[0].fn), 0);
		else if (i > 0)
			accel_function_set_present(vf[0].fn, false);
		else
			accel_function_flr(vf[0].fn);
		accel_function_set_present(vf[0].fn, true);
		assert_int_equal(rd32(&requests[0].sequence), 0);
		assert_int_equal(rd32(&asks[0]->sequence), 0);
		answer(0, old, ACCEL_HW_ANSWER_GRANTED);
		wait_ms(10);
		assert_int_equal(rd32(&box[0]->answer), 0);
		ask(0, 5, 1, 1); /* The next owner counts from the same number. */
		host_until(&h, (new = rd32(&requests[0].sequence)) != 0);
		assert_int_not_equal(old, new);
		wait_ms(10);
		assert_int_equal(rd32(&box[0]->answer), 0);
		answer(0, new, ACCEL_HW_ANSWER_REFUSED);
		host_until(&h, rd32(&box[0]->answer) == 5);
		accel_function_flr(vf[0].fn);
	}
}

static void *
ask_always(void *arg)
{
	const uint32_t *stop = arg;

	for (uint32_t n = 1; rd32(stop) == 0; n++)
		ask(0, n, (uint16_t)n, n);
	return NULL;
}

/* A guest that asks all the time, or scribbles over its mailbox, hurts nobody (MBX-2). */
static void
test_restless_guest(void **state)
{
	uint32_t stop = 0, number;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, ask_always, &stop), 0);
	for (unsigned int i = 0; i < 100; i++) {
		memset(box[0], (int)i, ACCEL_HW_PAGE_SIZE);
		host_reset_and_find(&vf[1]);
		works(&vf[1]);
		polls(10);
	}
	wr32(&stop, 1);
	pthread_join(thread, NULL);
	ask(0, 3000000000u, 2, 9);
	host_until(&h, rd64(&requests[0].ops_per_second) == 9);
	host_until(&h, (number = rd32(&requests[0].sequence)) != 0);
	answer(0, number, ACCEL_HW_ANSWER_GRANTED);
	host_until(&h, rd32(&box[0]->answer) == 3000000000u);
}

/* Each side sees how the other one is (MBX-6). */
static void
test_states(void **state)
{
	(void)state;
	wr32(&h.control->pf_state, ACCEL_HW_PF_UP);
	for (unsigned int i = 0; i < VFS; i++)
		host_until(&h, rd32(&box[i]->pf_state) == ACCEL_HW_PF_UP);
	/* An FLR of a VF does not lose it, and one of the PF takes it back. */
	accel_function_flr(vf[0].fn);
	assert_int_equal(rd32(&box[0]->pf_state), ACCEL_HW_PF_UP);
	accel_function_flr(h.fn);
	for (unsigned int i = 0; i < VFS; i++)
		host_until(&h, rd32(&box[i]->pf_state) == ACCEL_HW_PF_NONE);
	/* A failed card shows all its functions as fatal; an FLR ends it for one. */
	works(&vf[1]);
	assert_int_equal(accel_model_fault(h.model, "fatal@1"), 0);
	post_nops(&vf[1], 1);
	for (unsigned int i = 0; i < VFS; i++) {
		host_until(&h, state_of(i) == ACCEL_HW_VF_STATE(ACCEL_HW_STATE_FATAL));
		assert_int_equal(fatal_of(i), ACCEL_HW_FATAL_INTERNAL);
	}
	accel_function_flr(vf[2].fn);
	host_until(&h, state_of(2) == ACCEL_HW_VF_STATE(ACCEL_HW_STATE_READY));
	assert_int_equal(fatal_of(2), ACCEL_HW_FATAL_NONE);
	assert_int_equal(state_of(0), ACCEL_HW_VF_STATE(ACCEL_HW_STATE_FATAL));
}

/* What the PF does to its VFs. */

static void
test_reset_of_pf(void **state)
{
	struct accel_hw_vf_resources share = everything();
	uint32_t number;

	(void)state;
	share.nb_queue_pairs = 2;
	share.ops_per_second = 1;
	give(0, &share);
	host_reset_and_find(&vf[0]);
	works(&vf[1]);
	/* A reset leaves VFs, table and mailbox alone. */
	host_reset(&h);
	assert_int_equal(rd32(&vf[1].q[0].dev->status), 1);
	assert_int_equal(rd32(&status[0].share_ack), 1);
	ask(1, 9, 1, 1);
	host_until(&h, (number = rd32(&requests[1].sequence)) != 0);
	/* An FLR clears table and mailbox; the embedder says what becomes of the VFs. */
	accel_function_flr(h.fn);
	assert_int_equal(rd32(&table[0].sequence), 0);
	assert_int_equal(rd32(&requests[1].sequence), 0);
	answer(1, number, ACCEL_HW_ANSWER_GRANTED);
	host_until(&h, rd32(&status[0].share_ack) == 0 && state_of(1) == 2);
	wait_ms(10);
	assert_int_equal(rd32(&box[1]->answer), 0);
	assert_int_equal(rd32(&vf[1].q[0].dev->status), 1);
	assert_int_equal(queue_pairs_of(0), 2);
	works(&vf[0]); /* Its rate is gone, its queue pairs stay until its reset. */
	host_reset_and_find(&vf[0]);
	assert_int_equal(vf[0].nb_qps, 4);
	/* The same with other memory behind BAR0. */
	ask(1, 10, 1, 1);
	host_until(&h, rd32(&requests[1].sequence) > number);
	give(2, &share);
	assert_int_equal(accel_function_renew(h.fn), 0);
	assert_int_equal(rd32(&requests[1].sequence), 0);
	for (unsigned int i = 0; i < VFS; i++)
		host_until(&h, state_of(i) == 2 && rd32(&status[i].share_ack) == 0);
	assert_int_equal(queue_pairs_of(1), 4);
}

/* An FLR restores the mailbox's device pages, whatever the guest wrote there. */
static void
test_flr_restores(void **state)
{
	struct accel_hw_vf_resources share = everything();

	(void)state;
	share.nb_queue_pairs = 1;
	give(0, &share);
	memset(box[0], 0xa5, ACCEL_HW_PAGE_SIZE);
	memset(asks[0], 0xa5, ACCEL_HW_PAGE_SIZE);
	memset(status, 0xa5, ACCEL_HW_PAGE_SIZE);
	memset(requests, 0xa5, ACCEL_HW_PAGE_SIZE);
	accel_function_flr(vf[0].fn);
	share.sequence = 1;
	assert_memory_equal(&box[0]->share, &share, sizeof(share));
	assert_int_equal(rd32(&box[0]->share_count) % 2, 0);
	assert_int_equal(box[0]->answer, 0);
	assert_int_equal(box[0]->queue_pairs, 1);
	assert_true(is_all((const uint8_t *)asks[0], 0, ACCEL_HW_PAGE_SIZE));
	assert_true(is_all((const uint8_t *)(box[0] + 1), 0,
			   ACCEL_HW_PAGE_SIZE - sizeof(*box[0])));
	accel_function_flr(h.fn);
	host_until(&h, state_of(0) == 2);
	assert_int_equal(queue_pairs_of(0), 1);
	assert_int_equal(state_of(VFS), 0);
	assert_true(is_all((const uint8_t *)requests, 0, ACCEL_HW_PAGE_SIZE));
	assert_true(is_all((const uint8_t *)&status[VFS], 0, ACCEL_HW_PAGE_SIZE - VFS * 64));
}

/* A function that is absent does nothing. It comes back as after power-on. */
static void
test_presence(void **state)
{
	uint64_t beat, other;

	(void)state;
	assert_false(accel_function_set_present(h.fn, false)); /* The PF always is. */
	works(&vf[0]);
	wr32(&vf[0].invalidate[1], 7);
	post_nops(&vf[0], 20);
	assert_true(accel_function_set_present(vf[0].fn, false));
	host_until(&h, state_of(0) == ACCEL_HW_VF_ABSENT);
	assert_int_equal(queue_pairs_of(0), 0);
	memset(vf[0].mem, 0x3c, HOST_MEM);
	beat = rd64(&vf[0].id->heartbeat);
	other = rd64(&vf[1].id->heartbeat);
	q_control(&vf[0].q[0], ACCEL_HW_QP_CMD_START);
	wr32(&vf[0].control->reset_req, 5);
	ask(0, 1, 1, 1);
	host_until(&h, rd64(&vf[1].id->heartbeat) > other + 5);
	assert_int_equal(rd64(&vf[0].id->heartbeat), beat);
	assert_int_equal(rd32(&vf[0].id->reset_ack), 0);
	assert_int_equal(rd32(&requests[0].sequence), 0);
	accel_function_flr(vf[0].fn); /* It stays absent. */
	polls(10);
	assert_int_equal(rd64(&vf[0].id->heartbeat), beat);
	assert_true(is_all(vf[0].mem, 0x3c, HOST_MEM));
	assert_true(accel_function_set_present(vf[0].fn, true));
	assert_int_equal(rd32(&vf[0].id->state), ACCEL_HW_STATE_READY);
	assert_int_equal(rd32(&vf[0].invalidate[1]), 0);
	host_until(&h, state_of(0) == 2 && rd64(&vf[0].id->heartbeat) != beat);
	memset(vf[0].mem, 0, HOST_MEM);
	host_find_pages(&vf[0]);
	works(&vf[0]);
}

/* 256 of them: the last one has its share, mailbox, heartbeat and reset as the first one has. */
static void
test_256(void **state)
{
	struct accel_model_config config = base_config();
	struct accel_hw_vf_resources share = everything();
	uint64_t beat;

	(void)state;
	config.nb_functions = ACCEL_MODEL_MAX_FUNCTIONS;
	config.nb_queue_pairs = 2;
	vfs_open(&config);
	assert_int_equal(host_reg(tree_of(&h), node_of(&h, ACCEL_HW_DT_VF_TABLE), 1), 4 * 4096);
	assert_int_equal(host_reg(tree_of(&h), node_of(&h, ACCEL_HW_DT_VF_MAILBOX), 5), 4 * 4096);
	host_attach(&vf[0], h.model, 256);
	assert_null(accel_model_function(h.model, 257));
	assert_int_equal(rd32(&vf[0].id->function), 0x800000ff);
	asks[0] = region_of(&vf[0], ACCEL_HW_DT_MAILBOX, 0);
	box[0] = region_of(&vf[0], ACCEL_HW_DT_MAILBOX, 1);
	share.nb_queue_pairs = 1;
	give(255, &share);
	host_reset_and_find(&vf[0]);
	assert_int_equal(vf[0].nb_qps, 1);
	works(&vf[0]);
	beat = rd64(&vf[0].id->heartbeat);
	host_until(&h, rd64(&vf[0].id->heartbeat) != beat);
	ask(0, 11, 2, 3);
	host_until(&h, rd32(&requests[255].sequence) != 0);
	answer(255, rd32(&requests[255].sequence), ACCEL_HW_ANSWER_GRANTED);
	host_until(&h, rd32(&box[0]->answer) == 11);
	for (unsigned int i = 0; i < 256; i++)
		host_until(&h, queue_pairs_of(i) == (i == 255 ? 1 : 2) && state_of(i) == 2);
	accel_function_flr(h.fn);
	assert_true(is_all((const uint8_t *)table, 0, 4 * ACCEL_HW_PAGE_SIZE));
	host_detach(&vf[0]);
	host_close(&h);
}

/* How many pages there are depends on how many VFs there are. */
static void
test_pages(void **state)
{
	static const struct {
		unsigned int vfs;
		uint32_t pages;
	} card[] = { { 1, 1 }, { 64, 1 }, { 65, 2 }, { 128, 2 }, { 129, 3 } };
	struct accel_model_config config = base_config();

	(void)state;
	config.nb_queue_pairs = 1;
	for (unsigned int i = 0; i < sizeof(card) / sizeof(card[0]); i++) {
		config.nb_functions = 1 + card[i].vfs;
		vfs_open(&config);
		assert_int_equal(host_reg(tree_of(&h), node_of(&h, ACCEL_HW_DT_VF_TABLE), 1),
				 card[i].pages * ACCEL_HW_PAGE_SIZE);
		for (unsigned int r = 0; r < 3; r++)
			assert_int_equal(host_reg(tree_of(&h),
						  node_of(&h, ACCEL_HW_DT_VF_MAILBOX), 2 * r + 1),
					 card[i].pages * ACCEL_HW_PAGE_SIZE);
		host_close(&h);
	}
	config.nb_functions = ACCEL_MODEL_MAX_FUNCTIONS + 1;
	assert_int_equal(accel_model_create(&config, &h.model), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define THREE(name) cmocka_unit_test_setup_teardown(name, open_three, close_three)
		THREE(test_tree),
		cmocka_unit_test(test_older),
		THREE(test_share),
		THREE(test_torn),
		THREE(test_restless_table),
		THREE(test_rate_at_once),
		THREE(test_rate_taken_away),
		THREE(test_no_queue_pairs),
		cmocka_unit_test_teardown(test_pool, close_three),
		THREE(test_request),
		THREE(test_stale_answer),
		THREE(test_restless_guest),
		THREE(test_states),
		THREE(test_reset_of_pf),
		THREE(test_flr_restores),
		THREE(test_presence),
		cmocka_unit_test(test_256),
		cmocka_unit_test(test_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
