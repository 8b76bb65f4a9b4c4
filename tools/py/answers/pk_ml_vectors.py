#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes test/unit/vectors/pk_ml_vectors.h: ML-KEM (FIPS 203) and ML-DSA (FIPS 204), as the Python
packages kyber-py and dilithium-py compute them, which share nothing with OpenSSL. The result is
checked in, so nothing needs the packages; this says where it comes from. Seeds follow SEED. Of long
results the header has the SHA-256."""
import argparse
import hashlib
import random
import sys

try:
    from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87
    from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024
except ImportError:
    ML_KEM_512 = None

SEED = 203
RANDOM = random.Random(SEED)


def row(*fields):
    """One row of a table."""
    print('\t{')
    for field in fields:
        if isinstance(field, bytes):
            digits = field.hex()
            lines = [digits[i:i + 80] for i in range(0, len(digits), 80)] or ['']
            field = '\n\t\t'.join(f'"{line}"' for line in lines)
        print(f'\t\t{field},')
    print('\t},')


def digest(data):
    """What stands for a long result."""
    return hashlib.sha256(data).digest()


def kem():
    """A pair, a ciphertext with its key, and the key if the first bit is flipped."""
    print('static const struct pk_ml_kem_vector ml_kem_vectors[] = {')
    for name, peer in [('512', ML_KEM_512), ('768', ML_KEM_768), ('1024', ML_KEM_1024)]:
        for _ in range(3):
            seed, m = RANDOM.randbytes(64), RANDOM.randbytes(32)
            ek, dk = peer.key_derive(seed)
            key, ciphertext = peer._encaps_internal(ek, m)  # pylint: disable=protected-access
            bad = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
            row(f'ACCEL_HW_ML_KEM_{name}', seed, m, digest(dk), digest(ek), digest(ciphertext), key,
                peer.decaps(dk, bad))
    print('};\n')


def dsa():
    """A pair, and a signature."""
    print('static const struct pk_ml_dsa_vector ml_dsa_vectors[] = {')
    for name, peer in [('44', ML_DSA_44), ('65', ML_DSA_65), ('87', ML_DSA_87)]:
        for size, context_size in [(0, 0), (33, 0), (400, 255)]:
            xi, rnd = RANDOM.randbytes(32), RANDOM.randbytes(32)
            if size == 0:
                rnd = bytes(32)
            message, context = RANDOM.randbytes(size), RANDOM.randbytes(context_size)
            pk, sk = peer.key_derive(xi)
            text = bytes([0, len(context)]) + context + message
            signature = peer._sign_internal(sk, text, rnd)  # pylint: disable=protected-access
            row(f'ACCEL_HW_ML_DSA_{name}', xi, rnd, message, context, digest(sk), digest(pk),
                digest(signature))
    print('};\n')


# The hashes of HashML-DSA: number of the manual's section 8.2, last byte of the identifier, digest.
HASHES = [
    ('SHA224', 4, lambda text: hashlib.sha224(text).digest()),
    ('SHA256', 1, lambda text: hashlib.sha256(text).digest()),
    ('SHA384', 2, lambda text: hashlib.sha384(text).digest()),
    ('SHA512', 3, lambda text: hashlib.sha512(text).digest()),
    ('SHA3_224', 7, lambda text: hashlib.sha3_224(text).digest()),
    ('SHA3_256', 8, lambda text: hashlib.sha3_256(text).digest()),
    ('SHA3_384', 9, lambda text: hashlib.sha3_384(text).digest()),
    ('SHA3_512', 10, lambda text: hashlib.sha3_512(text).digest()),
    ('SHAKE_128', 11, lambda text: hashlib.shake_128(text).digest(32)),
    ('SHAKE_256', 12, lambda text: hashlib.shake_256(text).digest(64)),
]


def prehashed():
    """Signatures of prehashed messages (FIPS 204, algorithm 4): each hash, and each set."""
    print('static const struct pk_ml_dsa_vector ml_dsa_prehashed[] = {')
    peers = [('44', ML_DSA_44), ('65', ML_DSA_65), ('87', ML_DSA_87)]
    for i, (hash_name, last, hashed) in enumerate(HASHES):
        name, peer = peers[i % len(peers)]
        xi, rnd = RANDOM.randbytes(32), RANDOM.randbytes(32)
        message, context = RANDOM.randbytes(i * 31), RANDOM.randbytes(255 if i == 9 else i * 7)
        pk, sk = peer.key_derive(xi)
        oid = bytes.fromhex('06096086480165030402') + bytes([last])
        text = bytes([1, len(context)]) + context + oid + hashed(message)
        signature = peer._sign_internal(sk, text, rnd)  # pylint: disable=protected-access
        row(f'ACCEL_HW_ML_DSA_{name}', xi, rnd, message, context, digest(sk), digest(pk),
            digest(signature), f'ACCEL_HW_AUTH_{hash_name}')
    print('};\n')


def main():
    """Writes the header to standard output."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    if ML_KEM_512 is None:
        sys.exit('pk_ml_vectors.py: install dilithium-py and kyber-py from PyPI')
    print('''/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Vectors of ML-KEM and ML-DSA. tools/py/answers/pk_ml_vectors.py has made this file (seed %d),
 * and says where they come from. Strings are hexadecimal.
 */
#ifndef PK_ML_VECTORS_H
#define PK_ML_VECTORS_H

struct pk_ml_kem_vector {
	unsigned int set;
	const char *seed, *m;
	const char *dk, *ek, *ciphertext; /* SHA-256 */
	const char *key, *key_of_bad; /* the second one: if the ciphertext's first bit is wrong */
};

struct pk_ml_dsa_vector {
	unsigned int set;
	const char *xi, *rnd, *message, *context;
	const char *sk, *pk, *signature; /* SHA-256 */
	unsigned int hash; /* enum accel_hw_alg; 0: not prehashed */
};
''' % SEED)
    kem()
    dsa()
    prehashed()
    print('#endif /* PK_ML_VECTORS_H */')


if __name__ == '__main__':
    main()
