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
#define OC_IDLE_SESSIONS 64 /* of a key; as many jobs as a program has in flight */

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
	void *inner; /**< the default provider's */
	_Atomic unsigned int size; /* of a modulus or of the longest signature; 0: not asked */
	_Atomic unsigned int asked, supported; /* operations of the device, a bit for each */
	pthread_mutex_t lock; /* of what follows; a forked child never takes it */
	struct rsa_st *numbers; /* n and e, for paddings */
	uint8_t *modulus; /* n */
	unsigned int nb_idle;
	struct oc_pk_session idle[OC_IDLE_SESSIONS];
};

/** A context of operations with a key, as an EVP_PKEY_CTX has one. */
struct oc_pk {
	const struct oc_pk_kind *kind;
	void *inner; /**< the default provider's: has the parameters, does what no device does */
	struct oc_key *key;
	struct oc_key *peer; /**< of a derivation */
	EVP_MD_CTX *md; /**< of a text that is signed or verified */
	struct oc_pace *pace; /**< gets the time of the operation under way, or NULL */
	uint64_t begun;
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
void oc_pace_note(struct oc_pk *pk, bool device);

/* key.c */
extern OSSL_DISPATCH oc_rsa_keymgmt[OC_FUNCTIONS], oc_ec_keymgmt[OC_FUNCTIONS];
bool oc_keys_prepare(void);
struct oc_key *oc_key_generate(enum oc_key_type type, const OSSL_PARAM params[]);
struct oc_key *oc_key_share(struct oc_key *key);
void oc_key_free(void *vkey);
BIGNUM *oc_key_bn(struct oc_key *key, const char *name);
size_t oc_key_number(
		struct oc_key *key, const char *name, uint8_t *to, size_t least, size_t room);
unsigned int oc_key_fact(struct oc_key *key, const char *name);
size_t oc_key_size(struct oc_key *key);
int oc_key_get_params(void *vkey, OSSL_PARAM params[]);

/* pk.c */
extern OSSL_DISPATCH oc_rsa_signature[OC_FUNCTIONS], oc_ec_signature[OC_FUNCTIONS],
		oc_rsa_cipher[OC_FUNCTIONS], oc_ecdh[OC_FUNCTIONS];
bool oc_pk_prepare(void);
int oc_pk_get_params(void *vpk, OSSL_PARAM params[]);

/* rand.c */
extern const OSSL_DISPATCH oc_random[];

/** Does an operation with the device. Returns 1, 0 if a padding is wrong, or OC_PK_LEFT. */
typedef int oc_pk_device(struct oc_pk *pk, uint8_t *out, size_t *out_len, size_t room,
		const uint8_t *in, size_t len);
/** The operation is left to the default provider. */
#define OC_PK_LEFT -1

/* rsa.c */
oc_pk_device oc_rsa_sign, oc_rsa_encrypt, oc_rsa_decrypt;
bool oc_rsa_verify(struct oc_pk *pk, const uint8_t *sig, size_t sig_len, const uint8_t *tbs,
		size_t len);
void oc_rsa_forget(struct oc_key *key);
void oc_padding_forget(struct oc_pk *pk);

/* ec.c */
oc_pk_device oc_ec_sign, oc_ec_derive;
unsigned int oc_ec_curve(struct oc_key *key, size_t *len);
bool oc_ec_verify(struct oc_pk *pk, const uint8_t *sig, size_t sig_len, const uint8_t *tbs,
		size_t len);

#endif
