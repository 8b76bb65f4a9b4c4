/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the files of the provider share. See README.md for who calls whom.
 */
#ifndef OSSL_CRYPTODEV_H
#define OSSL_CRYPTODEV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <openssl/core.h>
#include <openssl/evp.h>
#include <openssl/types.h>

#define OC_NAME "cryptodev"
#define OC_VERSION ACCEL_VERSION /* meson.build's */
#define OC_BLOCK 16
#define OC_KEY_MAX 32
#define OC_AAD_MAX 64
#define OC_TAG 16
#define OC_NONCE 12
#define OC_DATA_MAX 49152 /* bytes of one operation; a longer text of CBC or CTR is several */

/** Ciphers of the provider, whose number is an index into oc_algs[], and operations with keys. */
enum oc_alg_id {
	OC_AES_128_CBC,
	OC_AES_192_CBC,
	OC_AES_256_CBC,
	OC_AES_128_CTR,
	OC_AES_192_CTR,
	OC_AES_256_CTR,
	OC_AES_128_GCM,
	OC_AES_192_GCM,
	OC_AES_256_GCM,
	OC_CHACHA20_POLY1305,
	OC_CIPHERS,
	OC_RSA_SIGN = OC_CIPHERS,
	OC_RSA_VERIFY,
	OC_RSA_ENCRYPT,
	OC_RSA_DECRYPT,
	OC_ECDSA_SIGN,
	OC_ECDSA_VERIFY,
	OC_ECDH,
	OC_RANDOM,
	OC_ALGS,
};

enum oc_mode {
	OC_CBC,
	OC_CTR,
	OC_GCM,
	OC_CHACHA
};

/** Why the default provider did an operation, and what the counters call it. */
#define OC_REASON_LIST(X) \
	X(OC_SLOW, "slow") /* the CPU is faster with a public key */ \
	X(OC_SMALL, "small") /* shorter than the smallest size for the device */ \
	X(OC_LONG, "long") /* AAD or text too long for one operation */ \
	X(OC_NO_DEVICE, "no-device") /* no device, or it could not be started */ \
	X(OC_STARTING, "starting") /* it is started and measured meanwhile */ \
	X(OC_FORKED, "forked") /* a child of a process that has the device */ \
	X(OC_UNSUPPORTED, "unsupported") /* the device lacks the algorithm or the sizes */ \
	X(OC_NO_SESSION, "no-session") /* no session left, or the device refused it */ \
	X(OC_NO_JOB, "no-job") /* no job buffer or no room in the queue pair */ \
	X(OC_RECURSION, "recursion") /* called by the driver of the device itself */ \
	X(OC_RESTING, "resting") /* the device failed a moment ago */ \
	X(OC_FAILED, "failed") /* the device gave the operation back with an error */ \
	X(OC_LOST, "lost") /* the device did not give it back in time */ \
	X(OC_MISMATCH, "mismatch") /* a tag or signature is wrong there, and is checked again */ \
	X(OC_WRONG, "wrong") /* the public key shows that the device's result is wrong */ \
	X(OC_LATE_TAG, "late-tag") /* text to decrypt came before its tag */ \
	X(OC_PARTS, "parts") /* text of an AEAD in more than one part */ \
	X(OC_TLS_CBC, "tls-cbc") /* padding and MAC of a CBC record, which need constant time */ \
	X(OC_PADDING, "padding") /* a padding whose decryption needs constant time */

enum oc_reason {
#define X(reason, name) reason,
	OC_REASON_LIST(X)
#undef X
	OC_REASONS,
};

/** A row of the table of ciphers. */
struct oc_alg {
	const char *names; /**< as OSSL_ALGORITHM wants them */
	const char *inner_name; /**< by which the default provider knows it */
	enum oc_mode mode;
	int device_alg; /**< enum rte_crypto_cipher_algorithm or rte_crypto_aead_algorithm */
	uint8_t key_len;
	uint8_t iv_len;
};

/** Counts of one algorithm, of the whole process. */
struct oc_counters {
	_Atomic uint64_t operations;
	_Atomic uint64_t bytes;
	_Atomic uint64_t copied;
	_Atomic uint64_t fallbacks[OC_REASONS];
};

/** Who checks results of RSA's private key. */
enum oc_check {
	OC_CHECK_NONE,
	OC_CHECK_CPU,
	OC_CHECK_DEVICE, /**< the same device, with the public key */
};

/** What openssl.cnf and the environment say. */
struct oc_settings {
	char eal[1024];
	char device[64];
	char report[256];
	unsigned int min_size;
	unsigned int async_min_size;
	bool automatic;
	bool wrong; /* a setting was not understood */
	unsigned int queues;
	unsigned int jobs;
	unsigned int sessions;
	unsigned int timeout_ms;
	unsigned int public_keys;
	bool automatic_keys;
	unsigned int check_rsa;
	unsigned int keep_input;
};

/** A device's session of one EVP context. It is made for a direction and a length of AAD. */
struct oc_session {
	void *handle;
	uint8_t dev;
	bool enc;
	size_t aad_len;
};

struct oc_job;

/** What became of an operation for the device. */
enum oc_outcome {
	OC_LEFT, /**< it is left to the default provider, and the input is as it was */
	OC_DONE,
	OC_SPOILT, /**< it failed, and the input is gone, since a setting says to keep none */
};

/** One operation for the device. */
struct oc_request {
	enum oc_alg_id alg;
	struct oc_session *session;
	const uint8_t *key;
	bool enc;
	const uint8_t *iv;
	const uint8_t *aad;
	size_t aad_len;
	const uint8_t *in;
	uint8_t *out;
	size_t len;
	uint8_t *tag; /**< written if enc is set, else read */
	struct oc_job **keep; /**< takes the job, whose buffer holds the input or output; or NULL */
};

extern const struct oc_alg oc_algs[OC_CIPHERS];

static inline bool
oc_is_aead(enum oc_alg_id alg)
{
	return oc_algs[alg].mode == OC_GCM || oc_algs[alg].mode == OC_CHACHA;
}

extern struct oc_counters oc_counters[OC_ALGS];
extern struct oc_settings oc_settings;

/* inner.c */
extern OSSL_LIB_CTX *oc_inner; /* where only the default provider is loaded */
extern OSSL_PROVIDER *oc_inner_provider;
extern void *oc_inner_provctx; /* what its functions take that begin something */
bool oc_inner_load(void);
/** Returns the default provider's functions of an algorithm, or NULL if it lacks it. */
const OSSL_DISPATCH *oc_inner_find(int operation, const char *name);
/**
 * Returns the row of a function, for the accessors of core_dispatch.h:
 * OSSL_FUNC_cipher_update(oc_inner_row(functions, OSSL_FUNC_CIPHER_UPDATE)). A function that the
 * table lacks has a row with NULL.
 */
const OSSL_DISPATCH *oc_inner_row(const OSSL_DISPATCH *functions, int id);
/** Functions that a table of ours has room for, with its end. */
#define OC_FUNCTIONS 32
/**
 * Writes a table of functions: of `ours` those that the default provider has as well, and its own
 * where ours is NULL. Returns the end of the table.
 */
OSSL_DISPATCH *oc_inner_wrap(
		OSSL_DISPATCH *to, const OSSL_DISPATCH *inner, const OSSL_DISPATCH *ours);

/* settings.c */
void oc_settings_read(const OSSL_CORE_HANDLE *core, OSSL_FUNC_core_get_params_fn *get_params);

/* report.c */
void oc_count_fallback(enum oc_alg_id alg, enum oc_reason reason);
char *oc_report_text(void);
void oc_report_write(void);
/** Leaves an error (proverr.h) for the program in OpenSSL's queue. Returns 0. */
int oc_fail(int reason);
void oc_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* pipes.c */
struct oc_pipes;
void oc_pipes_free(struct oc_pipes *p);
struct oc_pipes *oc_pipes_dup(const struct oc_pipes *from);
/** @param functions of the cipher, for a context of each pipe. */
int oc_pipes_init(struct oc_pipes **pipes, const OSSL_DISPATCH *functions, bool enc,
		const unsigned char *key, size_t key_len, size_t nb, const unsigned char **iv,
		size_t iv_len, const OSSL_PARAM params[]);
int oc_pipes_update(struct oc_pipes *p, size_t nb, unsigned char **out, size_t *outl,
		const size_t *outsize, const unsigned char **in, const size_t *inl);
int oc_pipes_final(struct oc_pipes *p, size_t nb, unsigned char **out, size_t *outl,
		const size_t *outsize);
int oc_pipes_params(struct oc_pipes *p, const OSSL_PARAM params[], bool set);

/* process.c */
enum oc_reason oc_process_begin(void);
bool oc_process_forked(void);
void oc_device_stop(void);

/* lane.c */
/** Not 0 while this thread is in a call of the device's driver, which may use OpenSSL itself. */
extern __thread unsigned int oc_inside;
/** Not 0 while this thread resumes its jobs again and again, so that nothing has to wake them. */
extern __thread unsigned int oc_resumes;
void oc_job_release(struct oc_job *job);
uint64_t oc_now_ns(void);

/* memory.c */
bool oc_memory_reached(const uint8_t *p, size_t len);
void oc_memory_report(FILE *file);

/* sym.c */
bool oc_sym_supports(enum oc_alg_id alg, size_t aad_len);
void oc_sym_session_free(struct oc_session *s);
enum oc_outcome oc_run(const struct oc_request *r);

/* asym.c */
struct oc_key;
const char *oc_pk_name(enum oc_alg_id alg);
void oc_pk_sessions_free(struct oc_key *key);

/* cipher.c */
const OSSL_DISPATCH *oc_cipher_prepare(enum oc_alg_id alg);

/* measure.c */
/**
 * The smallest texts for the device: of a caller who waits, by cipher and for decryption and
 * encryption, and of asynchronous jobs. None is large enough without a device for this process.
 */
extern _Atomic size_t oc_least[OC_CIPHERS][2];
extern _Atomic size_t oc_async_least;
/** Sets them, and why a text is too small: OC_SMALL, or what keeps the device from all texts. */
void oc_least_set(enum oc_reason why);
/** Counts texts that were too small. */
void oc_count_small(enum oc_alg_id alg, uint64_t nb);
void oc_measure(void);

#endif
