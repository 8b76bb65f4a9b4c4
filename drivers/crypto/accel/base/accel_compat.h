/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The one boundary between DPDK versions: 22.11, 24.11, 25.11 and main. Everything that differs
 * between versions has one name here, and no other file looks at a version. This file is to be
 * dropped for upstream.
 */
#ifndef ACCEL_COMPAT_H
#define ACCEL_COMPAT_H

#include <errno.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cryptodev_pmd.h>
#include <rte_bitops.h>
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_dev.h>
#include <rte_lcore.h>
#include <rte_log.h>
#include <rte_malloc.h>
#include <rte_memory.h>
#include <rte_prefetch.h>
#include <rte_version.h>

/* DPDK has eal_export.h since 25.07, and does not install it. */
#if __has_include("eal_export.h")
#include <eal_export.h>
#endif
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
#include <rte_stdatomic.h>
#endif

/*
 * Since 24.11 an application can reset a queue pair, query whether the queue pair has raised an
 * error event, and read how many operations it holds. ACCEL_RECOVERY_OPS() is part of the table of
 * device operations.
 */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define ACCEL_HAS_QP_RESET 1
#define ACCEL_RECOVERY_OPS(reset, query)                                                           \
	.queue_pair_reset = (reset), .queue_pair_event_error_query = (query),
#define accel_set_qp_depth_used(cryptodev, fn) ((cryptodev)->qp_depth_used = (fn))
#else
#define ACCEL_HAS_QP_RESET 0
#define ACCEL_RECOVERY_OPS(reset, query)
#define accel_set_qp_depth_used(cryptodev, fn) RTE_SET_USED(cryptodev)
#endif

/*
 * Since 24.11 an application can ask for a priority of a queue pair. 0 is the highest priority. A
 * configuration that does not ask for a priority has 0, too.
 */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define accel_qp_conf_priority(conf) ((unsigned int)(conf)->priority)
#else
#define accel_qp_conf_priority(conf) ((void)(conf), 0u)
#endif

/*
 * Makes a row of the table of algorithms, or nothing where the version has no name for the
 * algorithm.
 */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define ACCEL_SINCE_24_11(...) __VA_ARGS__,
#else
#define ACCEL_SINCE_24_11(...)
#endif
#if RTE_VERSION >= RTE_VERSION_NUM(25, 11, 0, 0)
#define ACCEL_SINCE_25_11(...) __VA_ARGS__,
#else
#define ACCEL_SINCE_25_11(...)
#endif
#if RTE_VERSION >= RTE_VERSION_NUM(26, 3, 0, 0)
#define ACCEL_SINCE_26_03(...) __VA_ARGS__,
#else
#define ACCEL_SINCE_26_03(...)
#endif

/*
 * Since 23.11 an IPsec SA may ask that the source of inbound packets is kept. An operation of a
 * lookaside SA has m_dst for this purpose, so the option is offered and has no effect.
 */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
#define accel_ipsec_set_ingress_oop(options, inbound) ((options)->ingress_oop = (inbound))
#define accel_ipsec_ingress_oop(options) ((options)->ingress_oop != 0)
#else
#define accel_ipsec_set_ingress_oop(options, inbound) RTE_SET_USED(inbound)
#define accel_ipsec_ingress_oop(options) false
#endif

/*
 * Since 24.11 rte_security has TLS records, and an operation has the content type of its record.
 * All of accel_tls.c depends on ACCEL_HAS_TLS_RECORD.
 */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define ACCEL_HAS_TLS_RECORD 1
#define accel_op_content_type(op) ((op)->param1.tls_record.content_type)
#define accel_op_set_content_type(op, type) ((op)->param1.tls_record.content_type = (type))
#else
#define ACCEL_HAS_TLS_RECORD 0
#define accel_op_content_type(op) 0u
#define accel_op_set_content_type(op, type) RTE_SET_USED(type)
#endif

/*
 * Since 24.11 the transform of an asymmetric session has the keys of elliptic curves and the
 * padding of RSA. Before 24.11 each operation had them. ACCEL_ASYM_ABSENT is the place of a
 * parameter that a version does not have.
 */
#define ACCEL_ASYM_ABSENT UINT16_MAX
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define ACCEL_HAS_EDDSA 1
#define ACCEL_ASYM_UNTIL_24_11(field) ACCEL_ASYM_ABSENT
#define accel_rsa_padding(op, of_session) ((void)(op), (of_session))
#define accel_rsa_xform_padding(xform) (&(xform)->rsa.padding)
#define accel_sm2_hash(op) ((op)->asym->sm2.hash)
#define accel_eddsa_instance(op) ((unsigned int)(op)->asym->eddsa.instance)
#define accel_asym_compressed(op)                                                                  \
	(((op)->asym->flags & RTE_CRYPTO_ASYM_FLAG_PUB_KEY_COMPRESSED) != 0)
#define accel_asym_set_hashes(cap, mask) ((cap)->hash_algos = (mask))
/*
 * Sets the capabilities of SM2. The card makes the random numbers of SM2 itself, and hashes
 * messages. DPDK's tests take RTE_CRYPTO_SM2_RNG also as a sign that an operation without random
 * numbers is offered, as crypto_openssl has it.
 */
#define accel_asym_set_sm2(cap)                                                                    \
	do {                                                                                       \
		const uint32_t rng = 1u << RTE_CRYPTO_SM2_RNG, hash = 1u << RTE_CRYPTO_SM2_PH;     \
		(cap)->op_capa[RTE_CRYPTO_ASYM_OP_ENCRYPT] = rng;                                  \
		(cap)->op_capa[RTE_CRYPTO_ASYM_OP_DECRYPT] = rng;                                  \
		(cap)->op_capa[RTE_CRYPTO_ASYM_OP_SIGN] = rng | hash;                              \
		(cap)->op_capa[RTE_CRYPTO_ASYM_OP_VERIFY] = rng | hash;                            \
	} while (0)
#else
#define ACCEL_HAS_EDDSA 0
#define ACCEL_ASYM_UNTIL_24_11(field) offsetof(struct rte_crypto_asym_op, field)
#define accel_rsa_padding(op, of_session) ((void)(of_session), &(op)->asym->rsa.padding)
#define accel_rsa_xform_padding(xform) NULL
#define accel_sm2_hash(op) ((void)(op), (enum rte_crypto_auth_algorithm)0)
#define accel_eddsa_instance(op) ((void)(op), 0u)
#define accel_asym_compressed(op) ((void)(op), false)
#define accel_asym_set_hashes(cap, mask) RTE_SET_USED(mask)
#define accel_asym_set_sm2(cap) RTE_SET_USED(cap)
#endif

/*
 * Since 25.11 there are ML-KEM and ML-DSA. The transform has a parameter set, which is a number
 * from 1 to 3 for either of them. The operations have the keys.
 */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 11, 0, 0)
#define ACCEL_HAS_ML 1
#define accel_ml_type(xform)                                                                       \
	((xform)->xform_type == RTE_CRYPTO_ASYM_XFORM_ML_KEM ?                                     \
		 (unsigned int)(xform)->mlkem.type : (unsigned int)(xform)->mldsa.type)
#define accel_ml_dsa_deterministic(xform) ((xform)->mldsa.sign_deterministic)
#define accel_ml_dsa_prehash(xform) ((xform)->mldsa.sign_prehash)
#define accel_ml_kem_checked(op) ((unsigned int)(op)->asym->mlkem.keyver.op)
#define ACCEL_ML_KEM_EK ((unsigned int)RTE_CRYPTO_ML_KEM_OP_ENCAP)
#define ACCEL_ML_KEM_DK ((unsigned int)RTE_CRYPTO_ML_KEM_OP_DECAP)
#define ACCEL_FF_ML_DSA_PREHASH RTE_CRYPTODEV_FF_MLDSA_SIGN_PREHASH
#define accel_ml_dsa_hash(op)                                                                      \
	((op)->asym->mldsa.op == RTE_CRYPTO_ML_DSA_OP_SIGN ? (op)->asym->mldsa.siggen.hash :       \
							     (op)->asym->mldsa.sigver.hash)
/* Sets the mask of the parameter sets of an operation type. mldsa_capa is the same array. */
#define accel_ml_set_capability(cap, op_type, sets) ((cap)->mlkem_capa[op_type] = (sets))
#else
#define ACCEL_HAS_ML 0
#define accel_ml_type(xform) ((void)(xform), 0u)
#define accel_ml_dsa_deterministic(xform) ((void)(xform), false)
#define accel_ml_dsa_prehash(xform) ((void)(xform), false)
#define accel_ml_dsa_hash(op) ((void)(op), (enum rte_crypto_auth_algorithm)0)
#define accel_ml_kem_checked(op) ((void)(op), 0u)
#define ACCEL_ML_KEM_EK 0u
#define ACCEL_ML_KEM_DK 1u
#define ACCEL_FF_ML_DSA_PREHASH UINT64_C(0)
#define accel_ml_set_capability(cap, op_type, sets)                                                \
	((void)(cap), (void)(op_type), (void)(sets))
#endif

#ifdef CRYPTODEV_GET_ASYM_SESS_PRIV
#define accel_asym_sess_priv(session) CRYPTODEV_GET_ASYM_SESS_PRIV((uintptr_t)(session))
#else
#define accel_asym_sess_priv(session) ((void *)(uintptr_t)(session)->sess_private_data)
#endif

/* These macros atomically access an integer that one thread writes and another thread reads. */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
#define ACCEL_ATOMIC(type) RTE_ATOMIC(type)
#define accel_load_acquire(ptr) rte_atomic_load_explicit((ptr), rte_memory_order_acquire)
#define accel_load_relaxed(ptr) rte_atomic_load_explicit((ptr), rte_memory_order_relaxed)
#define accel_store_release(ptr, v)                                                                \
	rte_atomic_store_explicit((ptr), (v), rte_memory_order_release)
#define accel_store_relaxed(ptr, v)                                                                \
	rte_atomic_store_explicit((ptr), (v), rte_memory_order_relaxed)
#define accel_fetch_add(ptr, v)                                                                    \
	rte_atomic_fetch_add_explicit((ptr), (v), rte_memory_order_relaxed)
#define accel_fetch_add_release(ptr, v)                                                            \
	rte_atomic_fetch_add_explicit((ptr), (v), rte_memory_order_release)
#define accel_exchange(ptr, v)                                                                     \
	rte_atomic_exchange_explicit((ptr), (v), rte_memory_order_acq_rel)
#define accel_compare_exchange(ptr, expected, v)                                                   \
	rte_atomic_compare_exchange_strong_explicit((ptr), (expected), (v),                        \
						    rte_memory_order_acq_rel,                      \
						    rte_memory_order_relaxed)
#else
#define ACCEL_ATOMIC(type) type
#define accel_load_acquire(ptr) __atomic_load_n((ptr), __ATOMIC_ACQUIRE)
#define accel_load_relaxed(ptr) __atomic_load_n((ptr), __ATOMIC_RELAXED)
#define accel_store_release(ptr, v) __atomic_store_n((ptr), (v), __ATOMIC_RELEASE)
#define accel_store_relaxed(ptr, v) __atomic_store_n((ptr), (v), __ATOMIC_RELAXED)
#define accel_fetch_add(ptr, v) __atomic_fetch_add((ptr), (v), __ATOMIC_RELAXED)
#define accel_fetch_add_release(ptr, v) __atomic_fetch_add((ptr), (v), __ATOMIC_RELEASE)
#define accel_exchange(ptr, v) __atomic_exchange_n((ptr), (v), __ATOMIC_ACQ_REL)
#define accel_compare_exchange(ptr, expected, v)                                                   \
	__atomic_compare_exchange_n((ptr), (expected), (v), 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)
#endif

/*
 * For a function that gives back a lock which another one has taken on a condition. Since 23.03
 * clang looks at the locks of a function, and cannot express the condition.
 */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
#include <rte_lock_annotations.h>
#define ACCEL_GIVES_LOCK __rte_no_thread_safety_analysis
#else
#define ACCEL_GIVES_LOCK
#endif

/* Makes earlier stores visible to other threads before later loads are carried out. */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
#define accel_full_fence() rte_atomic_thread_fence(rte_memory_order_seq_cst)
#else
#define accel_full_fence() rte_atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

/*
 * Add to a counter that only the calling thread writes, while other threads may read it. On x86-64
 * an addition in memory is one instruction. Compilers do not make this instruction of a relaxed
 * load and store.
 */
static inline void
accel_count_add(ACCEL_ATOMIC(uint64_t) *counter, uint64_t n)
{
#if defined(RTE_ARCH_X86_64)
	__asm__("addq %1, %0" : "+m"(*counter) : "er"(n) : "cc");
#else
	accel_store_relaxed(counter, accel_load_relaxed(counter) + n);
#endif
}

/* Return the number of the highest bit that is set in n, which is not 0. */
static inline uint64_t
accel_top_bit(uint64_t n)
{
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
	return 63u - rte_clz64(n);
#else
	return 63u - (unsigned int)__builtin_clzll(n);
#endif
}

/*
 * Wipe memory, and free memory of rte_malloc() that holds secrets. The compiler cannot remove the
 * wiping as a dead store. Since 25.07 EAL has functions for both.
 */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 7, 0, 0)
#define accel_memzero_explicit(dst, len) rte_memzero_explicit((dst), (len))
#define accel_free_sensitive(memory, len) (RTE_SET_USED(len), rte_free_sensitive(memory))
#else
static inline void
accel_memzero_explicit(void *dst, size_t len)
{
	memset(dst, 0, len);
	__asm__ volatile("" : : "r"(dst) : "memory");
}
static inline void
accel_free_sensitive(void *memory, size_t len)
{
	accel_memzero_explicit(memory, len);
	rte_free(memory);
}
#endif

/*
 * Create a control thread, which runs on the CPUs that no lcore uses: see accel_thread.h. Returns 0
 * or a negative errno.
 */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
#include <rte_thread.h>
typedef rte_thread_t accel_thread_t;
typedef uint32_t accel_thread_ret_t;
#define ACCEL_THREAD_RET 0u
static inline int
accel_thread_start(accel_thread_t *id, const char *name, accel_thread_ret_t (*fn)(void *),
		   void *arg)
{
	return rte_thread_create_internal_control(id, name, fn, arg) == 0 ? 0 : -EAGAIN;
}
static inline void
accel_thread_join(accel_thread_t id)
{
	rte_thread_join(id, NULL);
}
#else
#include <pthread.h>
typedef pthread_t accel_thread_t;
typedef void *accel_thread_ret_t;
#define ACCEL_THREAD_RET NULL
static inline int
accel_thread_start(accel_thread_t *id, const char *name, accel_thread_ret_t (*fn)(void *),
		   void *arg)
{
	return rte_ctrl_thread_create(id, name, NULL, fn, arg);
}
static inline void
accel_thread_join(accel_thread_t id)
{
	pthread_join(id, NULL);
}
#endif

/* Gives a driver its name for pmdinfogen. The name has no index since 25.07. */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 7, 0, 0)
#define ACCEL_PMD_EXPORT_NAME(name) RTE_PMD_EXPORT_NAME(name)
#else
#define ACCEL_PMD_EXPORT_NAME(name) RTE_PMD_EXPORT_NAME(name, __COUNTER__)
#endif

/* Since 25.07 the version map is made from lines of this macro. Older versions use version.map. */
#ifndef RTE_EXPORT_EXPERIMENTAL_SYMBOL
#define RTE_EXPORT_EXPERIMENTAL_SYMBOL(symbol, version)
#endif

/* Since 23.03 telemetry calls unsigned numbers "uint". Only accel_telemetry.c needs these. */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
#define ACCEL_TEL_UINT RTE_TEL_UINT_VAL
#define accel_tel_dict_uint(d, name, value) rte_tel_data_add_dict_uint(d, name, value)
#define accel_tel_array_uint(d, value) rte_tel_data_add_array_uint(d, value)
#else
#define ACCEL_TEL_UINT RTE_TEL_U64_VAL
#define accel_tel_dict_uint(d, name, value) rte_tel_data_add_dict_u64(d, name, value)
#define accel_tel_array_uint(d, value) rte_tel_data_add_array_u64(d, value)
#endif

/*
 * This is for functions of the fast path that a compiler would not inline, or in another order of
 * instructions. Without it gcc 12 needs 13 % more instructions per operation and clang 19 needs
 * 41 % more.
 */
#define ACCEL_VARIANTS __rte_always_inline

/*
 * Hides from the compiler how a variable got its value. So a loop of the fast path has the
 * variables that its source has, and not a variable for each address.
 */
#define accel_opaque(variable) __asm__("" : "+r"(variable))

/* Returns a pointer of which the compiler knows the alignment in bytes. */
#define accel_assume_aligned(ptr, bytes) __builtin_assume_aligned(ptr, bytes)

/*
 * Prefetch a cache line that is written next. rte_prefetch0_write() prefetches for reading, unless
 * the compiler is allowed to use PREFETCHW. CPUs without PREFETCHW execute it as a NOP.
 */
static inline void
accel_fetch_to_write(const void *line)
{
#if defined(RTE_ARCH_X86_64)
	__asm__ volatile("prefetchw %0" : : "m"(*(const uint8_t *)line));
#else
	rte_prefetch0_write(line);
#endif
}

/* Write one log line of the log type accel_logtype. */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 3, 0, 0)
#define RTE_LOGTYPE_ACCEL accel_logtype
#define ACCEL_LOG_LINE(level, ...)                                                                 \
	RTE_LOG_LINE_PREFIX(level, ACCEL, "%s(): ", __func__, __VA_ARGS__)
#else
#define ACCEL_LOG_LINE(level, fmt, ...)                                                            \
	rte_log(RTE_LOG_##level, accel_logtype, "%s(): " fmt "\n", __func__, ##__VA_ARGS__)
#endif

#endif /* ACCEL_COMPAT_H */
