/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the files of public keys share: keys, contexts and requests.
 */
#ifndef OSSL_CRYPTODEV_PK_H
#define OSSL_CRYPTODEV_PK_H

#include <pthread.h>

#include <openssl/core_dispatch.h>

#include "ossl_cryptodev.h"

#define OC_PK_IN 5
#define OC_PK_OUT 2
#define OC_IDLE_SESSIONS 16

/** Types of keys; the number is an index into the tables of key.c and pk.c. */
enum oc_key_type {
	OC_KEY_RSA,
	OC_KEY_EC,
	OC_KEY_TYPES
};

/** A device's session of a key. An operation has it for itself. */
struct oc_pk_session {
	void *handle;
	int xform; /* enum rte_crypto_asym_xform_type */
};

/** A key of the program, which wraps one of the default provider. */
struct oc_key {
	enum oc_key_type type;
	_Atomic unsigned int references;
	EVP_PKEY *inner; /**< NULL until the key is imported */
	_Atomic unsigned int asked, supported; /* operations of the device, a bit for each */
	pthread_mutex_t lock; /* of what follows; a forked child never takes it */
	struct rsa_st *numbers; /* n and e, for paddings */
	uint8_t *modulus; /* n */
	unsigned int nb_idle;
	struct oc_pk_session idle[OC_IDLE_SESSIONS];
};

/** A context of operations with a key, as an EVP_PKEY_CTX has one. */
struct oc_pk {
	struct oc_key *key;
	struct oc_key *peer; /**< of a derivation */
	EVP_PKEY_CTX *inner; /**< has the parameters, and does what the device does not do */
	EVP_MD_CTX *md; /**< of a text that is signed or verified */
	struct oc_pace *pace; /**< gets the time of the operation under way, or NULL */
	struct oc_padding *padding; /**< as the inner context has it, or NULL: not read yet */
};

/** A number or string for the device. Numbers are big-endian. */
struct oc_operand {
	const uint8_t *data;
	size_t len;
};

/** One operation for the device. The table of asym.c says what its operands and results are. */
struct oc_pk_request {
	enum oc_alg_id alg;
	struct oc_key *key;
	struct oc_operand in[OC_PK_IN];
	uint8_t *out[OC_PK_OUT];
	size_t out_len; /**< of each result */
};

/* asym.c */
bool oc_pk_wanted(enum oc_alg_id alg, struct oc_pk *pk);
bool oc_pk_run(const struct oc_pk_request *r);

/* measure.c */
bool oc_pace_device(struct oc_pk *pk, enum oc_alg_id alg);
void oc_pace_note(struct oc_pk *pk, bool device, uint64_t begin);

/* key.c */
extern const OSSL_DISPATCH oc_rsa_keymgmt[], oc_ec_keymgmt[];
bool oc_keys_prepare(void);
struct oc_key *oc_key_new(enum oc_key_type type, EVP_PKEY *inner);
struct oc_key *oc_key_share(struct oc_key *key);
void oc_key_free(void *vkey);
size_t oc_key_number(
		const struct oc_key *key, const char *name, uint8_t *to, size_t least, size_t room);

/* pk.c */
extern const OSSL_DISPATCH oc_rsa_signature[], oc_ec_signature[], oc_rsa_cipher[], oc_ecdh[];
bool oc_pk_prepare(void);

/* rand.c */
extern const OSSL_DISPATCH oc_random[];

/* rsa.c */
bool oc_rsa_sign(struct oc_pk *pk, uint8_t *sig, size_t *sig_len, const uint8_t *tbs, size_t len);
bool oc_rsa_verify(struct oc_pk *pk, const uint8_t *sig, size_t sig_len, const uint8_t *tbs,
		size_t len);
bool oc_rsa_encrypt(struct oc_pk *pk, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len);
int oc_rsa_decrypt(struct oc_pk *pk, uint8_t *out, size_t *out_len, size_t size, const uint8_t *in,
		size_t len);
void oc_rsa_forget(struct oc_key *key);
void oc_padding_forget(struct oc_pk *pk);

/* ec.c */
unsigned int oc_ec_curve(const struct oc_key *key, size_t *len);
bool oc_ec_sign(struct oc_pk *pk, uint8_t *sig, size_t *sig_len, const uint8_t *tbs, size_t len);
bool oc_ec_verify(struct oc_pk *pk, const uint8_t *sig, size_t sig_len, const uint8_t *tbs,
		size_t len);
bool oc_ec_derive(struct oc_pk *pk, uint8_t *secret, size_t *secret_len, size_t size);

#endif
