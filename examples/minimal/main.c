/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A first program for a crypto device of DPDK. It encrypts with AES-128-CBC: one operation, then
 * bursts that keep a queue pair full. It uses the public API of DPDK 22.11 or newer and nothing of
 * a driver, so it works with every device that has the algorithm. The comments have numbers in the
 * order in which things happen; main() is at the end.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>

#define WRONG_ARGUMENTS 2 /* exit code */
#define QUEUE_PAIR 0
#define DEPTH 256	/* operations that the queue pair can hold */
#define BURST 32	/* operations of one call; a call for each would cost more */
#define NB_OPS 100000	/* operations of the second run */
#define NB_BUFFERS 1023 /* more than the queue pair holds; 2^n - 1 suits a mempool best */
/* An operation has room for private data behind its two structures. Drivers read the IV there. */
#define IV_OFFSET (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))

/* NIST SP 800-38A, F.2.1 CBC-AES128.Encrypt, the first two blocks. */
static const uint8_t key[16] = {
	0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88,
	0x09, 0xcf, 0x4f, 0x3c,
};
static const uint8_t iv[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
static const uint8_t plaintext[32] = {
	0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11,
	0x73, 0x93, 0x17, 0x2a, 0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03, 0xac, 0x9c,
	0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf, 0x8e, 0x51,
};
static const uint8_t ciphertext[32] = {
	0x76, 0x49, 0xab, 0xac, 0x81, 0x19, 0xb2, 0x46, 0xce, 0xe9, 0x8e, 0x9b,
	0x12, 0xe9, 0x19, 0x7d, 0x50, 0x86, 0xcb, 0x9b, 0x50, 0x72, 0x19, 0xee,
	0x95, 0xdb, 0x11, 0x3a, 0x91, 0x76, 0x78, 0xb2,
};

static const uint8_t dev = 0; /* the number of the device: the first one */
static int socket;	      /* its NUMA node, for memory near it */
static struct rte_mempool *mbufs, *operations, *sessions;
static void *session;
static unsigned int done, right, failed; /* operations: back, with the right result, with none */
static unsigned int full;		 /* how often the queue pair was full */

/* 2. The device: one that the EAL has found. Its capabilities say what it can do. */
static void
find_device(void)
{
	struct rte_cryptodev_sym_capability_idx algorithm = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.algo.cipher = RTE_CRYPTO_CIPHER_AES_CBC,
	};
	const struct rte_cryptodev_symmetric_capability *able;

	if (rte_cryptodev_count() == 0)
		rte_exit(EXIT_FAILURE, "no crypto device; add --vdev crypto_aesni_mb0, or -a and "
				       "the address of a PCI function that vfio-pci has\n");
	printf("device: %s\n", rte_cryptodev_name_get(dev));
	able = rte_cryptodev_sym_capability_get(dev, &algorithm);
	if (able == NULL ||
	    rte_cryptodev_sym_capability_check_cipher(able, sizeof(key), sizeof(iv)) != 0)
		rte_exit(EXIT_FAILURE, "%s cannot do AES-128-CBC; use another device\n",
			 rte_cryptodev_name_get(dev));
}

/*
 * 3. The queue pair: operations go into it and come out of it. Threads must not use one at the
 * same time, so a program has one for each. The device starts when all are set up.
 */
static void
start_device(void)
{
	struct rte_cryptodev_config device_conf = { .nb_queue_pairs = 1 };
	struct rte_cryptodev_qp_conf queue_conf = { .nb_descriptors = DEPTH };

	device_conf.socket_id = socket = rte_cryptodev_socket_id(dev);
	if (rte_cryptodev_configure(dev, &device_conf) != 0 ||
	    rte_cryptodev_queue_pair_setup(dev, QUEUE_PAIR, &queue_conf, socket) != 0 ||
	    rte_cryptodev_start(dev) != 0)
		rte_exit(EXIT_FAILURE, "the device does not start; its log lines say why\n");
}

/*
 * 4. The pools: mbufs hold the data, in memory that the device can reach. Operations and sessions
 * come from pools, too. An operation has room for its IV, and a session for what the driver needs.
 */
static void
make_pools(void)
{
	mbufs = rte_pktmbuf_pool_create("mbufs", NB_BUFFERS, BURST, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
					socket);
	operations = rte_crypto_op_pool_create("operations", RTE_CRYPTO_OP_TYPE_SYMMETRIC,
					       NB_BUFFERS, BURST, sizeof(iv), socket);
	sessions = rte_cryptodev_sym_session_pool_create("sessions", 1,
			rte_cryptodev_sym_get_private_session_size(dev), 0, 0, socket);
	if (mbufs == NULL || operations == NULL || sessions == NULL)
		rte_exit(EXIT_FAILURE, "no memory for the pools; give the EAL more with -m\n");
}

/* 5. The session: algorithm, key and what else many operations share, as a chain of transforms. */
static void
make_session(void)
{
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER,
		.cipher = {
			.op = RTE_CRYPTO_CIPHER_OP_ENCRYPT,
			.algo = RTE_CRYPTO_CIPHER_AES_CBC,
			.key = { .data = key, .length = sizeof(key) },
			.iv = { .offset = IV_OFFSET, .length = sizeof(iv) },
		},
	};

	session = rte_cryptodev_sym_session_create(dev, &xform, sessions);
	if (session == NULL)
		rte_exit(EXIT_FAILURE, "no session; the driver's log lines say why\n");
}

/*
 * 6. The operation: a session, an mbuf, the region of its data, and an IV. Without m_dst the result
 * replaces the data. Returns NULL if a pool is empty, because the device has all that was in it.
 */
static struct rte_crypto_op *
make_operation(void)
{
	struct rte_crypto_op *op = rte_crypto_op_alloc(operations, RTE_CRYPTO_OP_TYPE_SYMMETRIC);
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(mbufs);

	if (op == NULL || mbuf == NULL) {
		rte_crypto_op_free(op);
		rte_pktmbuf_free(mbuf);
		return NULL;
	}
	memcpy(rte_pktmbuf_append(mbuf, sizeof(plaintext)), plaintext, sizeof(plaintext));
	memcpy(rte_crypto_op_ctod_offset(op, uint8_t *, IV_OFFSET), iv, sizeof(iv));
	rte_crypto_op_attach_sym_session(op, session);
	op->sym->m_src = mbuf;
	op->sym->cipher.data.offset = 0;
	op->sym->cipher.data.length = sizeof(plaintext);
	return op;
}

/*
 * 9. The status: only SUCCESS means that the mbuf has the result. AUTH_FAILED says that a digest
 * differs, INVALID_ARGS and INVALID_SESSION that the program has asked for something wrong, ERROR
 * that the device has failed. The operation and its mbuf are the program's again in any case.
 */
static void
end_operation(struct rte_crypto_op *op)
{
	void *data = rte_pktmbuf_mtod(op->sym->m_src, void *);

	done++;
	if (op->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
		failed++;
	else if (memcmp(data, ciphertext, sizeof(ciphertext)) == 0)
		right++;
	rte_pktmbuf_free(op->sym->m_src);
	rte_crypto_op_free(op);
}

/*
 * 7. Enqueue: if the queue pair is full, the device takes only the first operations; the program
 * keeps the others and offers them again. A driver may also refuse an operation for good. Then it
 * sets the status of the first one that it leaves. Returns how many are left, moved to the front.
 */
static uint16_t
enqueue(struct rte_crypto_op **ops, uint16_t nb)
{
	uint16_t taken = rte_cryptodev_enqueue_burst(dev, QUEUE_PAIR, ops, nb);

	if (taken < nb && ops[taken]->status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED)
		end_operation(ops[taken++]);
	else if (taken < nb)
		full++;
	memmove(ops, ops + taken, (nb - taken) * sizeof(*ops));
	return nb - taken;
}

/*
 * 8. Dequeue: operations that are done come back, maybe none. A program has to ask even if it has
 * nothing to enqueue, since some drivers do their work in these calls.
 */
static void
dequeue(void)
{
	struct rte_crypto_op *ops[BURST];
	uint16_t i, nb = rte_cryptodev_dequeue_burst(dev, QUEUE_PAIR, ops, BURST);

	for (i = 0; i < nb; i++)
		end_operation(ops[i]);
}

/* Keeps the queue pair full until all operations are back, or none came for ten seconds. */
static bool
run(unsigned int nb_ops)
{
	uint64_t progress = rte_get_timer_cycles(), ten_seconds = 10 * rte_get_timer_hz();
	struct rte_crypto_op *ops[BURST];
	unsigned int made = 0, before;
	uint16_t nb = 0;

	done = right = failed = full = 0;
	while (done < nb_ops && rte_get_timer_cycles() - progress < ten_seconds) {
		while (nb < BURST && made < nb_ops && (ops[nb] = make_operation()) != NULL) {
			nb++;
			made++;
		}
		before = done;
		nb = enqueue(ops, nb);
		dequeue();
		if (done != before)
			progress = rte_get_timer_cycles();
	}
	printf("%u operations: %u back, %u right, %u failed; %u times the queue pair was full\n",
	       nb_ops, done, right, failed, full);
	return right == nb_ops;
}

int
main(int argc, char **argv)
{
	bool good;
	int taken;

	/* 1. The EAL takes the arguments: memory, CPUs, and which devices there are. */
	taken = rte_eal_init(argc, argv);
	if (taken < 0)
		rte_exit(rte_errno == EINVAL ? WRONG_ARGUMENTS : EXIT_FAILURE,
			 "the EAL does not start; its log lines say why\n");
	if (taken + 1 < argc)
		rte_exit(WRONG_ARGUMENTS, "unknown argument '%s'; all are the EAL's\n",
			 argv[taken + 1]);
	find_device();
	start_device();
	make_pools();
	make_session();
	good = run(1) && run(NB_OPS); /* 6 to 9: one operation, then bursts */

	/* 10. The end: the device stops before the memory goes that it works with. */
	rte_cryptodev_stop(dev);
	rte_cryptodev_sym_session_free(dev, session);
	rte_cryptodev_close(dev);
	rte_mempool_free(sessions);
	rte_mempool_free(operations);
	rte_mempool_free(mbufs);
	rte_eal_cleanup();
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
