/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Declares random operations on a crypto device whose right results are known. The parts are
 * descriptions of algorithms, sessions and buffer layouts, the reference (OpenSSL), and functions
 * that build, send and check operations. They know DPDK's public API and no driver. The end-to-end
 * test, the soak test and dpdk-accel-tool use them.
 */

#ifndef E2E_OP_H
#define E2E_OP_H

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_crypto.h>
#include <rte_cryptodev.h>
#include <rte_mbuf.h>
#include <rte_version.h>

#define E2E_SLOTS 64		/* operations that one test may have in-flight */
#define E2E_ARENA (256 * 1024)	/* memory of a slot for packets, digests and AAD */
#define E2E_PRIV 1024		/* private area of one operation */
#define E2E_HEAP 1024		/* rte_malloc block of one slot */
#define E2E_MAX_SEGS 64		/* segments of one packet */
#define E2E_MAX_LEN 66000	/* bytes of one packet */
#define E2E_MAX_AAD 1024
#define E2E_SESSIONS 4096
#define E2E_TIMEOUT_MS 20000	/* an operation is lost after this time without progress */

/* The private area of an operation follows the symmetric part. */
#define E2E_PRIV_OFF (sizeof(struct rte_crypto_op) + sizeof(struct rte_crypto_sym_op))
/* The first bytes of the private area are for IVs, the others for AAD and digest. */
#define E2E_PRIV_IV 160

enum e2e_result { E2E_PASS, E2E_FAIL, E2E_SKIP };

struct e2e_rng {
	uint64_t s;
};

/* ------------------------------------------------------------------ algorithms (algs.c) */

/* Says how the reference makes an algorithm from what OpenSSL has. */
enum e2e_ref {
	E2E_REF_EVP,		/* a cipher or a hash that OpenSSL has; `evp` is its name */
	E2E_REF_CTR,		/* counter mode of a block cipher, `evp` is its ECB */
	E2E_REF_DOCSIS,		/* CBC and a residual block, `evp` is the block cipher's ECB */
	E2E_REF_HMAC,		/* `evp` is the hash */
	E2E_REF_CMAC,
	E2E_REF_XCBC,
	E2E_REF_GMAC,
	E2E_REF_WIRELESS,	/* not in OpenSSL: ref_wireless.c */
};

struct e2e_cipher_alg {
	enum rte_crypto_cipher_algorithm algo;
	const char *name;
	uint16_t block;		/* granularity of the data length */
	uint16_t iv_len;
	uint16_t keys[3];	/* key lengths to use; 0 ends the list */
	const char *evp[3];	/* OpenSSL's name per key length */
	enum e2e_ref ref;
	bool des;		/* OpenSSL gets keys of 24 bytes, whatever their length */
	uint16_t long_iv;	/* ZUC: IV of the longer key */
	uint16_t max;		/* longest region, 0: none */
	uint16_t short_iv;	/* AES-CTR: nonce and IV of RFC 3686 */
};

struct e2e_auth_alg {
	enum rte_crypto_auth_algorithm algo;
	const char *name;
	const char *evp;	/* OpenSSL's name, NULL for NULL */
	uint16_t digest;
	enum e2e_ref ref;
	uint16_t keys[3];	/* key lengths to use; 0 ends the list; HMAC: any up to the first */
	uint16_t iv_len;	/* GMAC: 0, because the capabilities say the length */
	uint16_t long_iv;	/* ZUC: IV of the longer key */
	uint16_t min, max;	/* shortest and longest region, 0: none */
};

struct e2e_aead_alg {
	enum rte_crypto_aead_algorithm algo;
	const char *name;
	uint16_t keys[3];
	const char *evp[3];
};

extern const struct e2e_cipher_alg e2e_ciphers[];
extern const struct e2e_auth_alg e2e_auths[];
extern const struct e2e_aead_alg e2e_aeads[];
extern const unsigned int e2e_nb_ciphers, e2e_nb_auths, e2e_nb_aeads;

/* Returns the name of an algorithm of rte_cryptodev in the tables above, NULL if it is in none. */
const char *
e2e_alg_name(enum rte_crypto_sym_xform_type type, int algo);

/*
 * Says what a session does. A spec with cipher and auth is a chain. Its transforms come in the
 * order that auth_first says.
 */
struct e2e_spec {
	const struct e2e_cipher_alg *cipher;
	const struct e2e_auth_alg *auth;
	const struct e2e_aead_alg *aead;
	bool auth_first;
	bool encrypt;		/* cipher or AEAD */
	bool generate;		/* auth; AEAD: same as encrypt */
	uint16_t key_len, auth_key_len;
	uint16_t iv_len, auth_iv_len;
	uint16_t iv_named;	/* AES-CTR: IV length that the transform names; 0: iv_len */
	uint16_t digest_len, aad_len;
	uint16_t iv_off, auth_iv_off;	/* offsets from the start of the operation */
	uint32_t data_unit;	/* AES-XTS: bytes; 0: one unit per operation */
	uint8_t key[64], auth_key[256];
};

struct e2e_session {
	struct e2e_spec spec;
	uint8_t dev;
	void *sess;
};

/* ------------------------------------------------------------------ one operation (slot.c) */

enum e2e_place {
	E2E_AFTER,	/* in the packet, directly after the processed data */
	E2E_BEFORE,	/* in the packet, before the processed data */
	E2E_TAILROOM,	/* in the last segment, after its data */
	E2E_APART,	/* in memory of its own, a memzone */
	E2E_HEAPMEM,	/* in memory of its own, from rte_malloc */
	E2E_PRIVATE,	/* in the private area of the operation */
	E2E_IN_STREAM,	/* after the auth region, in the cipher region (digest encrypted) */
	E2E_PLACES
};

struct e2e_layout {
	uint32_t c_off, c_len;	/* cipher or AEAD region */
	uint32_t a_off, a_len;	/* auth region */
	/* These bits are outside the region: _bit at the start of its first byte, _cut at the end
	 * of its last byte. */
	uint8_t c_bit, c_cut, a_bit, a_cut;
	uint32_t end;		/* end of the processed bytes */
	uint32_t total, dst_total;	/* bytes of the source and the destination packet */
	uint16_t src_segs, dst_segs;	/* dst_segs 0: in place */
	enum e2e_place digest_at, aad_at;
	bool wrong_digest;	/* the test makes a bit of the digest wrong */
	bool bad_digest;	/* the digest that is given is wrong already */
	bool must_fail;		/* the op will be spoilt, so no result is expected */
	bool same_dst;		/* in place, with m_dst == m_src instead of NULL */
};

struct e2e_seg {
	uint32_t start;		/* start of the segment's buffer in the arena */
	uint16_t buf_len, data_off, len;
};

struct e2e_chain {
	struct rte_mbuf *m;
	uint16_t n;
	uint32_t total;
	struct e2e_seg seg[E2E_MAX_SEGS];
};

enum e2e_memory { E2E_MEM_ARENA, E2E_MEM_PRIV, E2E_MEM_HEAP, E2E_MEMS };

/* Describes one block of memory and its expected contents. `used` bytes are compared after the
 * operation. */
struct e2e_mem {
	uint8_t *live, *expect;
	rte_iova_t iova;
	uint32_t size, used;
};

struct e2e_piece {
	enum e2e_memory mem;
	uint32_t off;
};

/* Describes a range of memory block `mem` or of chain `chain` whose contents are not specified. */
struct e2e_any {
	const struct e2e_chain *chain;
	enum e2e_memory mem;
	uint32_t off, len;
};

/* Holds input and expected output, independent of their place in memory. */
struct e2e_data {
	uint8_t *in, *out;	/* whole packet streams, E2E_MAX_LEN each */
	uint8_t iv[32], auth_iv[32];
	uint8_t aad[E2E_MAX_AAD];
	uint8_t digest[64];
};

struct e2e_slot {
	struct rte_crypto_op *op;
	struct e2e_mem mem[E2E_MEMS];
	struct e2e_chain src, dst;
	struct e2e_layout lay;
	struct e2e_data data;
	const struct e2e_session *ses;
	struct e2e_any any[8];
	unsigned int nb_any;
	struct e2e_piece digest;
	uint8_t want;		/* expected status */
	struct rte_mbuf_ext_shared_info shinfo;
};

/* ------------------------------------------------------------------ the context */

struct e2e {
	uint8_t dev;
	uint16_t nb_qps;	/* queue pairs that are configured now */
	char name[RTE_CRYPTODEV_NAME_MAX_LEN];
	char driver[RTE_CRYPTODEV_NAME_MAX_LEN];
	bool is_accel;		/* tested as crypto_accel, so its guarantees are checked */
	struct rte_cryptodev_info info;
	struct rte_mempool *sess_mp, *tight_mp, *op_mp, *mbuf_mp;
	bool tight;		/* sessions come from tight_mp, where memory is reused at once */
	struct e2e_slot slot[E2E_SLOTS];
	struct e2e_session *open;	/* E2E_SESSIONS entries, free where sess is NULL */
	unsigned int open_hint;

	uint64_t seed;
	struct e2e_rng rng;
	unsigned int rounds;
	bool quick, linear, in_place;
	/* The next members say what the device's capabilities cannot express. */
	bool partial;		/* the device may refuse chains and sizes with ENOTSUP */
	bool silent_writes;	/* a result that cannot be written may be no error */
	uint32_t max_ops;	/* operations in a queue pair, 0: nb_descriptors */
	uint16_t max_segs;	/* segments of a packet, 0: no limit */
	uint32_t max_bytes;	/* bytes of a packet, 0: no limit */
	const char *test;	/* name of the running test */
	char note[256];		/* text after the result in the test's line */
	unsigned int failures;
};

/* ------------------------------------------------------------------ reporting (report.c) */

int e2e_fail(struct e2e *t, const char *file, int line, const char *fmt, ...)
	__rte_format_printf(4, 5);
int e2e_skip(struct e2e *t, const char *fmt, ...) __rte_format_printf(2, 3);
void e2e_note(struct e2e *t, const char *fmt, ...) __rte_format_printf(2, 3);
void e2e_hexdiff(const char *what, const uint8_t *want, const uint8_t *got, uint32_t len);
bool e2e_first_failure(const struct e2e *t);

#define CHECK(t, cond, ...)                                                            \
	do {                                                                           \
		if (!(cond))                                                           \
			return e2e_fail(t, __FILE__, __LINE__, __VA_ARGS__);           \
	} while (0)

/* Ends the function with the result of a helper, unless the helper passed. */
#define TRY(call)                                                                      \
	do {                                                                           \
		int ret_ = (call);                                                     \
		if (ret_ != E2E_PASS)                                                  \
			return ret_;                                                   \
	} while (0)

/* ------------------------------------------------------------------ random numbers (report.c) */

uint64_t e2e_rand(struct e2e_rng *r);
uint32_t e2e_range(struct e2e_rng *r, uint32_t lo, uint32_t hi);	/* both included */
bool e2e_chance(struct e2e_rng *r, unsigned int one_in);
void e2e_bytes(struct e2e_rng *r, void *buf, size_t len);
uint64_t e2e_hash(const char *s);

/* ------------------------------------------------------------------ capabilities (algs.c) */

const struct rte_cryptodev_symmetric_capability *
e2e_cap(const struct e2e *t, enum rte_crypto_sym_xform_type type, int algo);
bool e2e_spec_supported(const struct e2e *t, const struct e2e_spec *s);
/* Fills in keys and sizes that the device's capabilities allow. Returns false if they allow
 * none. */
bool e2e_spec_random(struct e2e *t, struct e2e_spec *s);
const char *e2e_spec_name(const struct e2e_spec *s);
/* Makes the spec of a cipher that nearly every device has, for tests about something else. */
bool e2e_spec_simple(struct e2e *t, struct e2e_spec *s);
bool e2e_spec_simple_auth(struct e2e *t, struct e2e_spec *s, bool generate);
bool e2e_spec_simple_aead(struct e2e *t, struct e2e_spec *s, bool encrypt);

/* ------------------------------------------------------------------ reference (ref.c) */

bool e2e_ref_cipher(const struct e2e_spec *s, const uint8_t *iv, const uint8_t *in, uint8_t *out,
		    uint32_t len);
bool e2e_ref_auth(const struct e2e_spec *s, const uint8_t *iv, const uint8_t *in, uint32_t len,
		  uint8_t *digest);
bool e2e_ref_aead_encrypt(const struct e2e_spec *s, const uint8_t *iv, const uint8_t *aad,
			  const uint8_t *in, uint8_t *out, uint32_t len, uint8_t *digest);
/* Makes random input for the layout, and the expected output with OpenSSL. */
bool e2e_ref_data(const struct e2e_spec *s, const struct e2e_layout *l, struct e2e_rng *r,
		  struct e2e_data *d);

/* ------------------------------------------------------------------ devices, sessions (dev.c) */

/* Makes the pools and the table of sessions. */
int e2e_pools_init(struct e2e *t, unsigned int session_size, unsigned int nb_ops);
int e2e_dev_setup(struct e2e *t, uint8_t dev, uint16_t nb_qps, uint32_t nb_desc);
/* Sets up a device with asymmetric operations, which e2e_dev_setup() leaves out. */
int e2e_dev_setup_asym(struct e2e *t, uint8_t dev, uint16_t nb_qps, uint32_t nb_desc);
/* Sets up a device with all that it has. */
int e2e_dev_setup_all(struct e2e *t, uint8_t dev, uint16_t nb_qps, uint32_t nb_desc);
void e2e_dev_stop(uint8_t dev);
/* Returns true for a device of the virtual bus. A test can add more such devices, with faults. */
bool e2e_is_vdev(const struct e2e *t);
/* Returns true if the device has a symmetric capability. */
bool e2e_has_symmetric(const struct e2e *t);
/* Returns how many segments an mbuf chain may have on a card whose frames have up to this number of
 * fragments. */
uint16_t e2e_max_segs(uint32_t fragments);
struct e2e_session *e2e_session_open(struct e2e *t, uint8_t dev, const struct e2e_spec *s);
void e2e_session_close(struct e2e_session *ses);
void e2e_session_close_all(struct e2e *t);
struct rte_crypto_sym_xform *e2e_xforms(const struct e2e_spec *s,
					struct rte_crypto_sym_xform xf[2]);
/* Returns the bytes of DPDK's heaps that are in use. */
uint64_t e2e_heap_used(void);
uint64_t e2e_now_ms(void);
/* Returns the time that this thread has waited, in ms, to compare with time limits. The time grows
 * by at most 20 ms from one call to the next. So a device is not called late because the thread or
 * the machine got no CPU. */
uint64_t e2e_waited_ms(void);
/* Lets other threads run. Call this after a poll that has found nothing. */
void e2e_relax(void);
const char *e2e_status_name(uint8_t status);
/* Dequeues up to n ops within the timeout. Returns how many came back. */
unsigned int e2e_collect(uint8_t dev, uint16_t qp, struct rte_crypto_op **ops, unsigned int n,
			 unsigned int timeout_ms);
/* Sends all ops and waits while the queue pair is full. Returns how many were accepted. */
unsigned int e2e_send(uint8_t dev, uint16_t qp, struct rte_crypto_op **ops, unsigned int n);

/* ------------------------------------------------------------------ slots (slot.c, layout.c) */

/* Returns true if an operation's offsets and lengths are in bits. */
bool e2e_cipher_in_bits(const struct e2e_spec *s);
bool e2e_auth_in_bits(const struct e2e_spec *s);
/* These functions return where a region of a layout begins and how long it is, in bits. */
static inline uint32_t
e2e_c_at(const struct e2e_layout *l)
{
	return l->c_off * 8 + l->c_bit;
}

static inline uint32_t
e2e_c_bits(const struct e2e_layout *l)
{
	return l->c_len * 8 - l->c_bit - l->c_cut;
}

static inline uint32_t
e2e_a_at(const struct e2e_layout *l)
{
	return l->a_off * 8 + l->a_bit;
}

static inline uint32_t
e2e_a_bits(const struct e2e_layout *l)
{
	return l->a_len * 8 - l->a_bit - l->a_cut;
}

static inline bool
e2e_has_bits(const struct e2e_layout *l)
{
	return (l->c_bit | l->c_cut | l->a_bit | l->a_cut) != 0;
}

/* Returns the bytes of the AAD field, including those that the API reserves around the AAD. */
uint32_t e2e_aad_size(const struct e2e_spec *sp);
int e2e_slots_init(struct e2e *t);
/* Initialises a slot, which need not be in t->slot, with an arena of `arena` bytes. The slot's
 * operation comes from t->op_mp. */
int e2e_slot_init(struct e2e *t, struct e2e_slot *s, uint32_t arena);
void e2e_slot_clear(struct e2e_slot *s);
void e2e_slots_clear(struct e2e *t);
/* Makes a random layout for data of `len` bytes, as the device's feature flags allow. */
void e2e_layout_random(struct e2e *t, struct e2e_rng *r, const struct e2e_spec *s, uint32_t len,
		       struct e2e_layout *l);
/* Makes a random layout with the digest in the cipher region. If `whole` is false, the region may
 * have only a part of the digest. */
void e2e_layout_digest_encrypted(struct e2e *t, const struct e2e_spec *sp, bool whole,
				 struct e2e_layout *l);
/* Makes a layout of one segment, with the digest after the data. */
void e2e_layout_plain(const struct e2e_spec *s, uint32_t len, bool oop, struct e2e_layout *l);
/* Limits len to what the algorithms take. */
uint32_t e2e_limit_length(const struct e2e_spec *s, uint32_t len);
/* Limits len as e2e_limit_length() does, and makes it a multiple of the cipher's block. */
uint32_t e2e_fit_length(const struct e2e_spec *s, uint32_t len);
uint32_t e2e_random_length(struct e2e_rng *r, const struct e2e_spec *s, uint32_t max);
/* Places the data of slot->data in memory as slot->lay says, and fills in the op. */
int e2e_slot_build(struct e2e *t, struct e2e_slot *s, const struct e2e_session *ses,
		   struct e2e_rng *r);
/* Fills the slot with random data in the given layout, and with the reference's result. */
int e2e_slot_fill(struct e2e *t, struct e2e_slot *s, const struct e2e_session *ses,
		  const struct e2e_layout *l, struct e2e_rng *r);
int e2e_slot_check(struct e2e *t, struct e2e_slot *s);
int e2e_slot_check_bad(struct e2e *t, struct e2e_slot *s);
void e2e_layout_print(const struct e2e_slot *s);

/* Sends `total` ops that `fill` prepares, in random bursts. Checks order, status and memory. */
typedef int (*e2e_fill_fn)(struct e2e *t, struct e2e_slot *s, void *arg);
int e2e_pump(struct e2e *t, uint8_t dev, uint16_t qp, unsigned int total, e2e_fill_fn fill,
	     void *arg);
/* Sends one op through the device and checks it. */
int e2e_one(struct e2e *t, uint8_t dev, uint16_t qp, struct e2e_slot *s);
/* Checks that each of the first nb_qps queue pairs works, with one random op of a simple
 * session. */
int e2e_alive(struct e2e *t, uint8_t dev, uint16_t nb_qps);

#endif /* E2E_OP_H */
