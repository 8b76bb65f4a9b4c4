#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes test/vectors/pk/edge_*.txt: operations of public keys at the edges of what manual 8.8
allows, and beyond, each with its status and, where it succeeds, its result. The model and the
driver carry them out.

    pk_edges.py FOLDER

Numbers are computed here, by RFC 8017, FIPS 186-4, SP 800-56A and GB/T 32918, in plain Python that
shares nothing with OpenSSL but the hashes. Keys follow the seed of fips.py."""
import argparse
import hashlib
import math
import os
import sys

if __name__ == '__main__':  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from answers import fips, pk_vectors
from answers.fips import drawn, rsa_key, xor
from answers.pk_vectors import mul, octets

# Numbers of manual 7.4 and 8.8
OK, AUTH_FAILED, BAD_COMMAND, BAD_CONTEXT = 0, 1, 2, 3
BAD_OPERAND, INVALID_POINT, NO_INVERSE, DECRYPT_FAILED = 15, 16, 17, 18
RSA, MODEXP, MODINV, DH, DSA, ECDSA, ECDH, EC_MUL, SM2 = range(128, 137)
ENCRYPT, DECRYPT, SIGN, VERIFY = COMPUTE, PUBLIC, SHARED, CHECK = 1, 2, 3, 4
NONE, PKCS1, OAEP, PSS = range(4)
SHA256, SHA512 = 68, 70
BITS = 1024
SIZE = BITS // 8


def number(value):
    """A number without leading zeros, of at least one byte."""
    return octets(value, max(1, (value.bit_length() + 7) // 8))


class Edges:
    """A file of operations."""

    def __init__(self, folder, name, about):
        self.out = open(os.path.join(folder, f'edge_{name}.txt'), 'w', encoding='ascii')
        self.line('# SPDX-License-Identifier: BSD-3-Clause')
        self.line(f'# {about} tools/py/answers/pk_edges.py has made this file.')
        self.line('# See pk_file.h for the format.')

    def line(self, text):
        """Writes a line."""
        self.out.write(text.rstrip() + '\n')

    def key(self, alg, curve, *components):
        """Begins a key; None is an absent component."""
        self.line(f'\nkey {alg} {curve}')
        for place, component in enumerate(components):
            if component is not None:
                self.line(f'c{place} {self.bytes(component)}')

    @staticmethod
    def bytes(value):
        """Hexadecimal digits of a number or of bytes."""
        return (number(value) if isinstance(value, int) else value).hex()

    def does(self, why, status, operation, *operands, result=None, padding=(0, 0, 0, 0)):
        """An operation. Padding: its number, hash, hash of the mask, bytes of the salt."""
        kind, digest, mask, salt = padding
        self.line(f'# {why}')
        self.line(f'do {operation} {kind} {digest} {mask} 0 {salt} {status}')
        for place, operand in enumerate(operands):
            if operand is not None:
                self.line(f'o{place} {self.bytes(operand)}')
        if result is not None:
            self.line(f'r {self.bytes(result)}')
        self.line('end')


# ---------------------------------------------------------------- RSA

def rsa_full_key():
    """n, e, d, p, q, dP, dQ, qInv of 1024 bits."""
    while True:
        n, e, d = rsa_key(BITS, 65537)
        # The factors, of e * d - 1 = k * phi(n): a square root of 1 that is not 1 or -1.
        odd = e * d - 1
        while odd % 2 == 0:
            odd //= 2
        for base in range(2, 50):
            x = pow(base, odd, n)
            while x not in (1, n - 1) and x * x % n != 1:
                x = x * x % n
            if x not in (1, n - 1):
                p = math.gcd(x - 1, n)
                q = n // p
                return n, e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p)


def rsa_keys(folder, key):
    """Keys that cannot be used as such (PK-6), and those that only seem so."""
    n, e, d, p, q, dp, dq, qinv = key
    digest = drawn(32)
    block = octets(int.from_bytes(b'\0\1' + b'\xff' * (SIZE - 35) + b'\0' + digest, 'big'), SIZE)
    good = octets(pow(int.from_bytes(block, 'big'), d, n), SIZE)
    edges = Edges(folder, 'rsa_keys', 'RSA keys that are none, and parts that do not fit together.')

    def try_key(why, status, *components):
        edges.key(RSA, 0, *components)
        edges.does(why, status, SIGN, digest, padding=(PKCS1, 0, 0, 0),
                   result=good if status == OK else None)
    try_key('the key itself', OK, *key)
    try_key('the exponent alone', OK, n, e, d)
    try_key('the quintuple alone', OK, n, e, None, *key[3:])
    zeros = b'\0\0\0'
    try_key('leading zeros', OK, *(zeros + number(part) for part in key))
    for value in (0, 1, 2, 65536, n, n + 2):
        try_key(f'e is {value if value < n else "n or more"}', BAD_CONTEXT, n, value, d)
    try_key('d is 0', BAD_CONTEXT, n, e, 0)
    try_key('d is n', BAD_CONTEXT, n, e, n)
    try_key('n is 0', BAD_CONTEXT, 0, e, d)
    try_key('n is 1', BAD_CONTEXT, 1, e, d)
    try_key('n is even', BAD_CONTEXT, n - 1, e, d)
    try_key('n is too short', BAD_CONTEXT, n >> 1 | 1, e, d)
    try_key('n is too long', BAD_CONTEXT, 1 << 8192 | 1, e, d)
    parts = list(key[3:])
    for place, what in enumerate(('p', 'q', 'dP', 'dQ', 'qInv')):
        bad = parts.copy()
        bad[place] = 0
        try_key(f'{what} is 0', BAD_CONTEXT, n, e, None, *bad)
    try_key('dP is p', BAD_CONTEXT, n, e, None, p, q, p, dq, qinv)
    try_key('dQ is q', BAD_CONTEXT, n, e, None, p, q, dp, q, qinv)
    try_key('qInv is p', BAD_CONTEXT, n, e, None, p, q, dp, dq, p)
    try_key('p of another key', BAD_CONTEXT, n, e, None, p + 2, q, dp, dq, qinv)
    try_key('q of another key', BAD_CONTEXT, n, e, None, p, q + 2, dp, dq, qinv)
    try_key('p is 1 and q is n', BAD_CONTEXT, n, e, None, 1, n, dp, dq, qinv)
    # The result is checked with e, and made anew without the quintuple.
    try_key('dP of another key', OK, n, e, None, p, q, dp ^ 2, dq, qinv)
    try_key('dQ of another key', OK, n, e, None, p, q, dp, dq ^ 2, qinv)
    try_key('qInv of another key', OK, n, e, None, p, q, dp, dq, qinv ^ 2)


def oaep_block(seed, data):
    """EME-OAEP of a masked seed and a data block (RFC 8017, 7.1.1), SHA-256."""
    masked = xor(data, fips.mgf1('SHA2-256', seed, len(data)))
    return xor(seed, fips.mgf1('SHA2-256', masked, len(seed))) + masked


def rsa_decrypt(edges, n, e):
    """Paddings of ciphertexts, right and tampered with."""
    message = drawn(20)
    random = bytes(byte | 1 for byte in drawn(SIZE))

    def try_block(why, block, padding, result=None):
        cipher = octets(pow(int.from_bytes(block, 'big'), e, n), SIZE)
        edges.does(why, OK if result is not None else DECRYPT_FAILED, DECRYPT, cipher,
                   padding=padding, result=result)

    def pkcs1(text):
        return b'\0\2' + random[:SIZE - 3 - len(text)] + b'\0' + text
    way = (PKCS1, 0, 0, 0)
    good = pkcs1(message)
    try_block('PKCS#1 v1.5', good, way, message)
    longest = drawn(SIZE - 11)
    try_block('the longest message', pkcs1(longest), way, longest)
    try_block('a message too long', pkcs1(drawn(SIZE - 10)), way)
    try_block('an empty message', pkcs1(b''), way, b'')
    try_block('the first byte is 1', b'\1' + good[1:], way)
    for kind in (0, 1, 3, 0x82):
        try_block(f'type {kind}', bytes([0, kind]) + good[2:], way)
    for place in range(2, 10):
        try_block(f'byte {place} is 0', good[:place] + b'\0' + good[place + 1:], way)
    try_block('no zero', b'\0\2' + random[:SIZE - 2], way)
    try_block('all zeros', b'\0\2' + bytes(SIZE - 2), way)
    try_block('nothing but zeros', bytes(SIZE), way)
    way = (OAEP, SHA256, 0, 0)
    seed, label = drawn(32), hashlib.sha256(b'').digest()
    good = label + bytes(SIZE - 66 - len(message)) + b'\1' + message
    try_block('OAEP', b'\0' + oaep_block(seed, good), way, message)
    longest = drawn(SIZE - 66)
    try_block('the longest message', b'\0' + oaep_block(seed, label + b'\1' + longest), way,
              longest)
    try_block('an empty message', b'\0' + oaep_block(seed, label + bytes(SIZE - 66) + b'\1'), way,
              b'')
    try_block('the first byte is 1', b'\1' + oaep_block(seed, good), way)
    for place in (0, 31, 32, 40, len(good) - 22):
        bad = good[:place] + bytes([good[place] ^ 0x80]) + good[place + 1:]
        try_block(f'byte {place} of the data block', b'\0' + oaep_block(seed, bad), way)
    place = len(good) - 21
    try_block('2 for 1', b'\0' + oaep_block(seed, good[:place] + b'\2' + message), way)
    try_block('no 1', b'\0' + oaep_block(seed, label + bytes(SIZE - 65)), way)
    other = hashlib.sha256(b'label').digest() + good[32:]
    try_block('another label', b'\0' + oaep_block(seed, other), way)
    try_block('another hash of the mask', b'\0' + oaep_block(seed, good), (OAEP, SHA256, SHA512, 0))


def rsa_numbers(edges, n, e, d):
    """Messages, ciphertexts and signatures at the edges of their range."""
    top = octets(n - 1, SIZE)
    for value in (0, 1, n - 1):
        result = octets(value, SIZE)
        edges.does('0, 1 and n - 1 are their own powers', OK, ENCRYPT, value, result=result)
        edges.does('the same', OK, DECRYPT, value, result=result)
        edges.does('the same', OK, SIGN, value, result=result)
        edges.does('the same', OK, VERIFY, value, octets(value, SIZE))
    edges.does('leading zeros', OK, ENCRYPT, b'\0' * 9 + top, result=top)
    for value in (n, n + 1, (1 << BITS) - 1, 1 << BITS):
        edges.does('n and more', BAD_OPERAND, ENCRYPT, value)
        edges.does('the same', BAD_OPERAND, SIGN, value)
        for way in ((NONE, 0, 0, 0), (PKCS1, 0, 0, 0), (OAEP, SHA256, 0, 0)):
            edges.does('a ciphertext of n and more', DECRYPT_FAILED, DECRYPT, value, padding=way)
    edges.does('no ciphertext', BAD_COMMAND, DECRYPT)
    edges.does('no ciphertext', BAD_COMMAND, DECRYPT, padding=(PKCS1, 0, 0, 0))
    edges.does('no signature', BAD_COMMAND, VERIFY, drawn(32))
    edges.does('no signature', BAD_COMMAND, VERIFY, drawn(32), padding=(PKCS1, SHA256, 0, 0))
    message = drawn(32)
    signature = octets(pow(int.from_bytes(message, 'big'), d, n), SIZE)
    edges.does('a signature without padding', OK, VERIFY, message, signature)
    edges.does('with a leading zero in the message', OK, VERIFY, b'\0' + message, signature)
    edges.does('another message', AUTH_FAILED, VERIFY, message[:-1], signature)
    for value in (n, n + 1, (1 << BITS) - 1):
        edges.does('a signature of n and more', AUTH_FAILED, VERIFY, message, value)
    edges.does('0 is not the message', AUTH_FAILED, VERIFY, message, bytes(SIZE))


def rsa_signatures(edges, n, d):
    """Signatures with paddings, right and tampered with."""
    for padding, name in ((PKCS1, 'pkcs1v1.5'), (PSS, 'pss')):
        way = (padding, SHA256, 0, 0)
        for message, signature in fips.rsa_sigver_tests(name, 'SHA2-256', (n, 65537, d)):
            group = {'modulo': BITS, 'sigType': name, 'hashAlg': 'SHA2-256'}
            right = fips.rsa_verifies(group, (n, 65537), message, signature)
            edges.does(name, OK if right else AUTH_FAILED, VERIFY,
                       hashlib.sha256(message).digest(), signature, padding=way)
        for size in (0, 31, 33, 64):
            edges.does(f'{name}: {size} bytes are no digest', BAD_OPERAND, SIGN,
                       drawn(size) or None, padding=way)
            edges.does(f'{name}: the same', BAD_OPERAND, VERIFY, drawn(size) or None,
                       bytes(SIZE), padding=way)
    edges.does('the longest message without a hash', OK, SIGN, drawn(SIZE - 11),
               padding=(PKCS1, 0, 0, 0))
    edges.does('one byte more', BAD_OPERAND, SIGN, drawn(SIZE - 10), padding=(PKCS1, 0, 0, 0))
    edges.does('one byte more', BAD_OPERAND, ENCRYPT, drawn(SIZE - 10), padding=(PKCS1, 0, 0, 0))
    edges.does('the longest message', OK, ENCRYPT, drawn(SIZE - 66), padding=(OAEP, SHA256, 0, 0))
    edges.does('one byte more', BAD_OPERAND, ENCRYPT, drawn(SIZE - 65),
               padding=(OAEP, SHA256, 0, 0))
    edges.does('the longest salt', OK, SIGN, drawn(32), padding=(PSS, SHA256, 0, SIZE - 34))
    edges.does('one byte more', BAD_OPERAND, SIGN, drawn(32), padding=(PSS, SHA256, 0, SIZE - 33))
    edges.does('no hash', BAD_COMMAND, SIGN, drawn(32), padding=(PSS, 0, 0, 20))
    edges.does('no hash', BAD_COMMAND, ENCRYPT, drawn(32), padding=(OAEP, 0, 0, 0))
    edges.does('OAEP does not sign', BAD_COMMAND, SIGN, drawn(32), padding=(OAEP, SHA256, 0, 0))
    edges.does('PSS does not encrypt', BAD_COMMAND, ENCRYPT, drawn(32), padding=(PSS, SHA256, 0, 0))


def rsa(folder):
    """RSA of 1024 bits."""
    key = rsa_full_key()
    rsa_keys(folder, key)
    n, e, d = key[:3]
    edges = Edges(folder, 'rsa', 'RSA: numbers at the edges of their range, tampered paddings.')
    edges.key(RSA, 0, *key)
    rsa_numbers(edges, n, e, d)
    rsa_signatures(edges, n, d)
    rsa_decrypt(edges, n, e)


# ---------------------------------------------------------------- arithmetic, DH, DSA

def modular(folder):
    """MODEXP and MODINV with moduli of 1, even ones, exponents 0 and 1."""
    edges = Edges(folder, 'mod', 'Modular exponentiation and inversion at their edges.')
    long = int.from_bytes(drawn(128), 'big') | 1 << 1023 | 1
    for modulus in (1, 2, 3, 256, 497, long - 1, long):
        size = len(number(modulus))
        for exponent in (0, 1, 2, modulus - 1, modulus):
            edges.key(MODEXP, 0, modulus, exponent)
            for base in (0, 1, modulus - 1, modulus, modulus + 1, 5 * modulus + 3):
                edges.does(f'{base % modulus if modulus < 999 else "b"}^e', OK, COMPUTE, base,
                           result=octets(pow(base, exponent, modulus), size))
        edges.key(MODINV, 0, modulus)
        for base in (0, 1, modulus - 1, modulus + 1, 5 * modulus + 3, 4):
            try:
                if modulus == 1:
                    raise ValueError
                edges.does('an inverse', OK, COMPUTE, base,
                           result=octets(pow(base, -1, modulus), size))
            except ValueError:
                edges.does('no inverse', NO_INVERSE, COMPUTE, base)
    edges.key(MODEXP, 0, bytes(5) + number(497), bytes(7) + number(13))
    edges.does('leading zeros', OK, COMPUTE, bytes(9) + number(4), result=octets(445, 2))
    edges.does('no base', BAD_COMMAND, COMPUTE)
    for modulus in (0, bytes(4)):
        edges.key(MODEXP, 0, modulus, 3)
        edges.does('the modulus is 0', BAD_CONTEXT, COMPUTE, 2)
        edges.key(MODINV, 0, modulus)
        edges.does('the modulus is 0', BAD_CONTEXT, COMPUTE, 2)


def prime(bits, factor=1):
    """A prime p of this length, 1 modulo 2 * factor."""
    while True:
        low = (1 << bits - 1) // (2 * factor)
        candidate = 2 * factor * (low + 1 + fips.RANDOM.getrandbits(low.bit_length() - 2)) + 1
        if candidate.bit_length() == bits and fips.is_prime(candidate):
            return candidate


def dh(folder):
    """Diffie-Hellman with private and public numbers out of their range."""
    edges = Edges(folder, 'dh', 'Diffie-Hellman: numbers at the edges of their range.')
    p = prime(512)
    size = 64
    x = fips.RANDOM.randrange(2, p - 2)
    edges.key(DH, 0, p, 2)
    for private in (1, 2, p - 2, bytes(3) + number(x)):
        value = private if isinstance(private, int) else x
        edges.does('a public number', OK, PUBLIC, private, result=octets(pow(2, value, p), size))
    for private in (0, p - 1, p, 1 << 600):
        edges.does('a private number out of its range', BAD_OPERAND, PUBLIC, private)
        edges.does('the same', BAD_OPERAND, SHARED, private, 5)
    for peer in (2, p - 2, bytes(2) + number(7)):
        value = peer if isinstance(peer, int) else 7
        edges.does('a shared secret', OK, SHARED, x, peer, result=octets(pow(value, x, p), size))
    for peer in (0, 1, p - 1, p, p + 2, 1 << 600):
        edges.does('a public number out of its range', BAD_OPERAND, SHARED, x, peer)
    edges.does('no public number', BAD_COMMAND, SHARED, x)
    edges.does('no private number', BAD_COMMAND, SHARED, None, 5)
    for why, modulus, generator in (
            ('g is 0', p, 0), ('g is 1', p, 1), ('g is p - 1', p, p - 1), ('g is p', p, p),
            ('p is even', p - 1, 2), ('p is 0', 0, 2), ('p is 1', 1, 2), ('p is short', 23, 5)):
        edges.key(DH, 0, modulus, generator)
        edges.does(why, BAD_CONTEXT, PUBLIC, 3)


def dsa(folder):
    """DSA with numbers out of their range."""
    edges = Edges(folder, 'dsa', 'DSA: numbers at the edges of their range.')
    q = prime(160)
    p = prime(1024, q)
    g = pow(2, (p - 1) // q, p)
    x, k = fips.RANDOM.randrange(1, q), fips.RANDOM.randrange(1, q)
    y, digest = pow(g, x, p), drawn(20)

    def sign(key, nonce):
        r = pow(g, nonce, p) % q
        return r, pow(nonce, -1, q) * (int.from_bytes(digest, 'big') + r * key) % q

    def both(r, s):
        return octets(r, 20) + octets(s, 20)
    r, s = sign(x, k)
    edges.key(DSA, 0, p, q, g, x, y)
    for nonce in (1, k, q - 1, bytes(4) + number(k)):
        value = nonce if isinstance(nonce, int) else k
        edges.does('a signature', OK, SIGN, digest, nonce, result=both(*sign(x, value)))
    for nonce in (0, q, q + 1, 1 << 200):
        edges.does('k out of its range', BAD_OPERAND, SIGN, digest, nonce)
    edges.does('no digest', BAD_COMMAND, SIGN)
    edges.does('the signature', OK, VERIFY, digest, r, s)
    edges.does('leading zeros', OK, VERIFY, digest, bytes(9) + number(r), bytes(30) + number(s),
               bytes(3) + number(y))
    for bad in (0, q, q + 1, (1 << 160) - 1, 1 << 200):
        edges.does('r out of its range', AUTH_FAILED, VERIFY, digest, bad, s)
        edges.does('s out of its range', AUTH_FAILED, VERIFY, digest, r, bad)
    edges.does('r and a multiple of q', AUTH_FAILED, VERIFY, digest, r + q, s)
    edges.does('s and a multiple of q', AUTH_FAILED, VERIFY, digest, r, s + q)
    edges.does('s is q - s', AUTH_FAILED, VERIFY, digest, r, q - s)
    for bad in (0, 1, p, p + 1, 1 << 1100):
        edges.does('y out of its range', BAD_OPERAND, VERIFY, digest, r, s, bad)
    edges.does('no r', BAD_COMMAND, VERIFY, digest, None, s)
    edges.does('no s', BAD_COMMAND, VERIFY, digest, r)
    edges.does('no digest', BAD_COMMAND, VERIFY, None, r, s)
    for why, domain in (('q is 0', (p, 0, g)), ('q is 1', (p, 1, g)), ('q is even', (p, q + 1, g)),
                        ('q is p', (p, p, g)), ('g is 0', (p, q, 0)), ('g is 1', (p, q, 1)),
                        ('g is p', (p, q, p)), ('p is even', (p - 1, q, g)), ('p is 1', (1, q, g))):
        edges.key(DSA, 0, *domain, x)
        edges.does(why, BAD_CONTEXT, SIGN, digest, k)
    for bad in (0, q, q + 1):
        edges.key(DSA, 0, p, q, g, bad)
        edges.does('x out of its range', BAD_CONTEXT, SIGN, digest, k)


# ---------------------------------------------------------------- curves

def bad_points(curve, x, y):
    """Pairs of coordinates that are no point: infinity, beside the curve, not below p."""
    p = curve[0]
    return ((0, 0), (x, y ^ 1), (x ^ 1, y), (x + p, y), (x, y + p), (p, y), (x, 1 << 600))


def ecdsa_curve(edges, curve, place):
    """ECDSA on one curve."""
    order = curve[4]
    size = pk_vectors.lengths(curve)[0]
    key = fips.RANDOM.randrange(1, order)
    x, y = mul(curve, key)
    digest = drawn(32)
    k = fips.RANDOM.randrange(1, order)
    r, s = pk_vectors.ecdsa(curve, key, k, digest)

    def both(one, other):
        return octets(one, size) + octets(other, size)
    edges.key(ECDSA, place)
    for nonce in (1, k, order - 1):
        edges.does('a signature', OK, SIGN, digest, key, nonce,
                   result=both(*pk_vectors.ecdsa(curve, key, nonce, digest)))
    edges.does('leading zeros', OK, SIGN, digest, bytes(5) + number(key), bytes(70) + number(k),
               result=both(r, s))
    for bad in (0, order, order + 1, 1 << 600):
        edges.does('k out of its range', BAD_OPERAND, SIGN, digest, key, bad)
        edges.does('d out of its range', BAD_OPERAND, SIGN, digest, bad, k)
        edges.does('r out of its range', AUTH_FAILED, VERIFY, digest, bad, s, x, y)
        edges.does('s out of its range', AUTH_FAILED, VERIFY, digest, r, bad, x, y)
    edges.does('no d', BAD_COMMAND, SIGN, digest, None, k)
    edges.does('no digest', BAD_COMMAND, SIGN, None, key, k)
    edges.does('no digest', BAD_COMMAND, VERIFY, None, r, s, x, y)
    edges.does('no r', BAD_COMMAND, VERIFY, digest, None, s, x, y)
    edges.does('no public key', BAD_COMMAND, VERIFY, digest, r, s)
    edges.does('half a public key', BAD_COMMAND, VERIFY, digest, r, s, x)
    edges.does('the signature', OK, VERIFY, digest, r, s, x, y)
    edges.does('leading zeros', OK, VERIFY, digest, *(bytes(9) + number(n) for n in (r, s, x, y)))
    edges.does('order - s', OK, VERIFY, digest, r, order - s, x, y)
    edges.does('r and the order', AUTH_FAILED, VERIFY, digest, r + order, s, x, y)
    edges.does('s and the order', AUTH_FAILED, VERIFY, digest, r, s + order, x, y)
    edges.does('r and s exchanged', AUTH_FAILED, VERIFY, digest, s, r, x, y)
    edges.does('another digest', AUTH_FAILED, VERIFY, digest[1:], r, s, x, y)
    edges.does('the other point with this x', AUTH_FAILED, VERIFY, digest, r, s, x, curve[0] - y)
    for bad in bad_points(curve, x, y):
        edges.does('no point', INVALID_POINT, VERIFY, digest, r, s, *bad)
    # u1 * G + u2 * Q is infinity: the digest is that of -r * d.
    zero = octets(-r * key % order << max(0, 8 * size - order.bit_length()), size)
    edges.does('the sum is infinity', AUTH_FAILED, VERIFY, zero, r, s, x, y)


def ecdh_curve(edges, curve, place):
    """ECDH and EC-MUL on one curve."""
    p, order, base = curve[0], curve[4], curve[2:4]
    field = pk_vectors.lengths(curve)[1]
    key = fips.RANDOM.randrange(1, order)
    x, y = mul(curve, fips.RANDOM.randrange(1, order))

    def point(at):
        return octets(at[0], field) + octets(at[1], field)
    edges.key(ECDH, place)
    edges.does('the base point', OK, PUBLIC, 1, result=point(base))
    edges.does('its opposite', OK, PUBLIC, order - 1, result=point((base[0], p - base[1])))
    edges.does('1 changes nothing', OK, SHARED, 1, x, y, result=point((x, y)))
    edges.does('leading zeros', OK, SHARED, *(bytes(9) + number(n) for n in (key, x, y)),
               result=point(mul(curve, key, (x, y))))
    edges.does('a point', OK, CHECK, x, y)
    for bad in (0, order, order + 1, 1 << 600):
        edges.does('d out of its range', BAD_OPERAND, PUBLIC, bad)
        edges.does('the same', BAD_OPERAND, SHARED, bad, x, y)
    for bad in bad_points(curve, x, y):
        edges.does('no point', INVALID_POINT, CHECK, *bad)
        edges.does('the same', INVALID_POINT, SHARED, key, *bad)
    edges.does('half a point', BAD_COMMAND, SHARED, key, x)
    edges.does('no point', BAD_COMMAND, CHECK)
    edges.does('no d', BAD_COMMAND, SHARED, None, x, y)
    edges.key(EC_MUL, place)
    for k in (1, 2, order - 1, order + 1):
        edges.does('a multiple', OK, COMPUTE, k, x, y, result=point(mul(curve, k % order, (x, y))))
    edges.does('infinity', INVALID_POINT, COMPUTE, 0, x, y)
    edges.does('infinity', INVALID_POINT, COMPUTE, order, x, y)
    edges.does('k is too long', BAD_OPERAND, COMPUTE, 1 << 600, x, y)
    for bad in bad_points(curve, x, y):
        edges.does('no point', INVALID_POINT, COMPUTE, key, *bad)
    edges.does('no k', BAD_COMMAND, COMPUTE, None, x, y)


def sm2(folder):
    """Signatures and keys of SM2 (GB/T 32918.2), of a digest."""
    edges = Edges(folder, 'sm2', 'SM2: numbers at the edges of their range, no points.')
    curve, order = pk_vectors.SM2, pk_vectors.SM2[4]
    key, k = (fips.RANDOM.randrange(1, order - 1) for _ in range(2))
    x, y = mul(curve, key)
    digest = drawn(32)
    r, s = pk_vectors.sm2_sign(key, k, int.from_bytes(digest, 'big'))
    edges.key(SM2, 6)
    edges.does('a signature', OK, SIGN, digest, None, key, k, result=octets(r, 32) + octets(s, 32))
    for bad in (0, order, order + 1, 1 << 600):
        edges.does('k out of its range', BAD_OPERAND, SIGN, digest, None, key, bad)
        edges.does('d out of its range', BAD_OPERAND, SIGN, digest, None, bad, k)
        edges.does('r out of its range', AUTH_FAILED, VERIFY, digest, bad, s, None, x, y)
        edges.does('s out of its range', AUTH_FAILED, VERIFY, digest, r, bad, None, x, y)
    edges.does('d is the order - 1', BAD_OPERAND, SIGN, digest, None, order - 1, k)
    edges.does('the signature', OK, VERIFY, digest, r, s, None, x, y)
    edges.does('order - s', AUTH_FAILED, VERIFY, digest, r, order - s, None, x, y)
    edges.does('r + s is the order', AUTH_FAILED, VERIFY, digest, r, order - r, None, x, y)
    for bad in bad_points(curve, x, y):
        edges.does('no point', INVALID_POINT, VERIFY, digest, r, s, None, *bad)
    zero = -r * key * pow(1 + key, -1, order) % order
    edges.does('the sum is infinity', AUTH_FAILED, VERIFY, digest, r, zero, None, x, y)


def curves(folder):
    """Each curve of NIST."""
    ecdsa = Edges(folder, 'ecdsa', 'ECDSA: numbers at the edges of their range, no points.')
    ecdh = Edges(folder, 'ecdh', 'ECDH, EC-MUL: numbers at the edges of their range, no points.')
    for place, curve in enumerate(pk_vectors.CURVES.values(), 1):
        ecdsa_curve(ecdsa, curve, place)
        ecdh_curve(ecdh, curve, place)


def main():
    """Writes all files."""
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0])
    parser.add_argument('folder', metavar='FOLDER', help='where the files go')
    folder = parser.parse_args().folder
    for each in (rsa, modular, dh, dsa, curves, sm2):
        each(folder)


if __name__ == '__main__':
    main()
