#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Requests for DPDK's fips_validation, in the JSON of NIST's ACVP, and a check of its answers:
signatures of RSA and ECDSA, sigGen and sigVer, and the symmetric algorithms of fips_sym.py.

    fips.py make FOLDER         writes requests, NAME.req.json
    fips.py names               prints the names of the symmetric ones
    fips.py check FOLDER NAME   checks the answer NAME.rsp.json

The last line of a check is "N passed, N failed".

Keys, signatures and checks are plain Python from RFC 8017 and FIPS 186-4, and share nothing with
OpenSSL but the hashes. Keys and messages follow SEED. What the program cannot do by itself is not
asked: a salt with PSS, and messages with a random value (SP 800-106).
"""
import hashlib
import json
import os
import random
import sys

if __name__ == '__main__':  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from answers import fips_sym, pk_vectors
from answers.pk_vectors import octets

SEED = 186
RANDOM = random.Random(SEED)
HASHES = {'SHA-1': 'sha1', 'SHA2-224': 'sha224', 'SHA2-256': 'sha256', 'SHA2-384': 'sha384',
          'SHA2-512': 'sha512'}
# RFC 8017, 9.2, note 1
DIGEST_INFO = {
    'SHA-1': '3021300906052b0e03021a05000414',
    'SHA2-224': '302d300d06096086480165030402040500041c',
    'SHA2-256': '3031300d060960864801650304020105000420',
    'SHA2-384': '3041300d060960864801650304020205000430',
    'SHA2-512': '3051300d060960864801650304020305000440',
}
SIG_TYPES = ('pkcs1v1.5', 'pss')
# The program gives no salt length to the device, which means 0.
SALT_LEN = 0
CURVES = {'P-' + name[1:]: curve for name, curve in pk_vectors.CURVES.items()}


def digest_of(name, message):
    """The digest of a message, by ACVP's name of the hash."""
    return hashlib.new(HASHES[name], message).digest()


def drawn(length):
    """Random bytes."""
    return octets(RANDOM.getrandbits(8 * length), length)


# ---------------------------------------------------------------- RSA

SMALL_PRIMES = [p for p in range(3, 2000) if all(p % q for q in range(2, int(p ** .5) + 1))]


def is_prime(number):
    """Miller and Rabin, 8 random bases. The number is odd."""
    if any(number % p == 0 for p in SMALL_PRIMES):
        return False
    shift = ((number - 1) & -(number - 1)).bit_length() - 1
    for _ in range(8):
        x = pow(RANDOM.randrange(2, number - 1), (number - 1) >> shift, number)
        if x in (1, number - 1):
            continue
        for _ in range(shift - 1):
            x = x * x % number
            if x == number - 1:
                break
        else:
            return False
    return True


def rsa_key(bits, e):
    """n, e, which is a prime, and d."""
    primes = []
    while len(primes) < 2:
        prime = RANDOM.getrandbits(bits // 2) | 3 << bits // 2 - 2 | 1
        if prime % e != 1 and is_prime(prime):
            primes.append(prime)
    p, q = primes
    return p * q, e, pow(e, -1, (p - 1) * (q - 1))


def mgf1(name, seed, length):
    """RFC 8017, B.2.1."""
    mask, count = b'', 0
    while len(mask) < length:
        mask += digest_of(name, seed + octets(count, 4))
        count += 1
    return mask[:length]


def xor(one, other):
    """The exclusive or of two strings of the same length."""
    return bytes(a ^ b for a, b in zip(one, other))


def pkcs1(name, message, bits):
    """EMSA-PKCS1-v1_5 (RFC 8017, 9.2)."""
    text = bytes.fromhex(DIGEST_INFO[name]) + digest_of(name, message)
    return b'\0\1' + b'\xff' * (bits // 8 - len(text) - 3) + b'\0' + text


def pss(name, message, bits, salt=b''):
    """EMSA-PSS (RFC 8017, 9.1.1); the modulus has whole bytes."""
    block = digest_of(name, b'\0' * 8 + digest_of(name, message) + salt)
    data = b'\0' * (bits // 8 - len(salt) - len(block) - 2) + b'\1' + salt
    data = xor(data, mgf1(name, block, len(data)))
    return bytes([data[0] & 0x7f]) + data[1:] + block + b'\xbc'


def pss_matches(name, message, encoded):
    """EMSA-PSS-VERIFY (RFC 8017, 9.1.2) with SALT_LEN."""
    size = hashlib.new(HASHES[name]).digest_size
    data, block = encoded[:-size - 1], encoded[-size - 1:-1]
    if encoded[-1] != 0xbc or encoded[0] & 0x80:
        return False
    data = xor(data, mgf1(name, block, len(data)))
    data = bytes([data[0] & 0x7f]) + data[1:]
    zeros = len(data) - SALT_LEN - 1
    if data[:zeros] != b'\0' * zeros or data[zeros] != 1:
        return False
    return block == digest_of(name, b'\0' * 8 + digest_of(name, message) + data[zeros + 1:])


def rsa_verifies(group, public, message, signature):
    """True if a signature is that of a message; public is n and e."""
    n, e = public
    if len(signature) != group['modulo'] // 8 or int.from_bytes(signature, 'big') >= n:
        return False
    encoded = octets(pow(int.from_bytes(signature, 'big'), e, n), len(signature))
    if group['sigType'] == 'pss':
        return pss_matches(group['hashAlg'], message, encoded)
    return encoded == pkcs1(group['hashAlg'], message, group['modulo'])


def rsa_bad_paddings(sig_type, name, message, bits):
    """Encodings that are almost right."""
    if sig_type == 'pss':
        good = pss(name, message, bits)
        yield good[:-1] + b'\xcc'
        yield pss(name, message, bits, drawn(8))
        yield xor(good, octets(1 << 8 * (len(good) // 2), len(good)))
        return
    good = pkcs1(name, message, bits)
    yield b'\0\2' + good[2:]
    yield good[:10] + b'\0' + good[11:]
    # the digest at the left, and garbage behind it (Bleichenbacher, 2006)
    at = good.index(b'\0', 2)
    yield good[:10] + good[at:] + drawn(at - 10)
    # without a DigestInfo, and with that of another hash
    digest = digest_of(name, message)
    yield b'\0\1' + b'\xff' * (len(good) - len(digest) - 3) + b'\0' + digest
    other = next(key for key in DIGEST_INFO if key != name)
    text = bytes.fromhex(DIGEST_INFO[other]) + digest
    yield b'\0\1' + b'\xff' * (len(good) - len(text) - 3) + b'\0' + text


def rsa_sigver_tests(sig_type, name, key):
    """Yields messages and signatures, good and bad ones."""
    n, _, d = key
    bits = n.bit_length()

    def sign(encoded):
        return octets(pow(int.from_bytes(encoded, 'big'), d, n), bits // 8)
    encode = pss if sig_type == 'pss' else pkcs1
    message = drawn(128)
    good = sign(encode(name, message, bits))
    yield message, good
    yield drawn(1), good
    other = drawn(200)
    yield other, sign(encode(name, other, bits))
    for at in (0, len(good) // 2, len(good) - 1):
        yield message, good[:at] + bytes([good[at] ^ 1]) + good[at + 1:]
    yield message, octets(0, len(good))
    yield message, octets(n - 1, len(good))
    yield message, octets(n, len(good))
    yield message, good[:-1]
    yield message, good + b'\0'
    for encoded in rsa_bad_paddings(sig_type, name, message, bits):
        yield message, sign(encoded)


# ---------------------------------------------------------------- ECDSA

def ecdsa_verifies(group, public, message, r, s):
    """FIPS 186-4, 6.4, with X9.62's steps. The point is checked."""
    curve = CURVES[group['curve']]
    p, b, order = curve[0], curve[1], curve[4]
    x, y = public
    if not (0 < r < order and 0 < s < order and x < p and y < p):
        return False
    if (y * y - x * x * x + 3 * x - b) % p:
        return False
    inverse = pow(s, -1, order)
    digest = pk_vectors.leftmost(digest_of(group['hashAlg'], message), order)
    point = pk_vectors.add(curve, pk_vectors.mul(curve, digest * inverse % order),
                           pk_vectors.mul(curve, r * inverse % order, public))
    return point is not None and point[0] % order == r


def ecdsa_sigver_tests(name, curve):
    """Yields messages, public keys and signatures, good and bad ones."""
    order = curve[4]
    key = RANDOM.randrange(1, order)
    public, stranger = (pk_vectors.mul(curve, k) for k in (key, RANDOM.randrange(1, order)))
    message = drawn(128)
    digest = digest_of(name, message)
    k = pk_vectors.rfc6979_k(order, key, digest, HASHES[name])
    r, s = pk_vectors.ecdsa(curve, key, k, digest)
    yield message, public, r, s
    yield message, public, r, order - s
    yield drawn(1), public, r, s
    yield message, stranger, r, s
    yield message, (public[0], public[1] ^ 1), r, s
    yield message, public, r ^ 1, s
    yield message, public, r, s ^ 1
    yield message, public, s, r
    for bad in (0, order):
        yield message, public, bad, s
        yield message, public, r, bad


# ---------------------------------------------------------------- requests

def request(algorithm, mode, *sets):
    """A request with one vector set for each list of groups. A set may be (groups, key format)."""
    request_sets = [{'jwt': 'none', 'url': '/none', 'isSample': True}]
    test = 0
    for number, (groups, key_format) in enumerate(sets, 1):
        for place, group in enumerate(groups, 1):
            group['tgId'] = place
            for one in group['tests']:
                test += 1
                one['tcId'] = test
        vectors = {'vsId': number, 'algorithm': algorithm, 'mode': mode, 'revision': '1.0',
                   'isSample': True, 'testGroups': groups}
        if key_format:
            vectors['keyFormat'] = key_format
        request_sets.append(vectors)
    return request_sets


def rsa_siggen():
    """Each hash with 2048 bits and the longest with others, for both forms of a private key."""
    def groups(sizes):
        for sig_type in SIG_TYPES:
            for name in HASHES:
                for bits in sizes if name == 'SHA2-512' else (2048,):
                    yield {'testType': 'GDT', 'sigType': sig_type, 'modulo': bits, 'hashAlg': name,
                           'saltLen': SALT_LEN,
                           'tests': [{'message': drawn(size).hex()} for size in (1, 64, 999)]}
    return request('RSA', 'sigGen', (list(groups((2048, 3072))), 'crt'),
                   (list(groups((2048,))), 'standard'))


def rsa_sigver():
    """Each hash with 2048 bits and the longest with others."""
    keys = {bits: rsa_key(bits, e) for bits, e in ((2048, 65537), (3072, 3), (4096, 65539))}
    groups = []
    for sig_type in SIG_TYPES:
        for name in HASHES:
            for bits, key in keys.items():
                if bits != 2048 and name != 'SHA2-512':
                    continue
                tests = [{'message': message.hex(), 'signature': signature.hex()}
                         for message, signature in rsa_sigver_tests(sig_type, name, key)]
                groups.append({'testType': 'GDT', 'sigType': sig_type, 'modulo': bits,
                               'hashAlg': name, 'saltLen': SALT_LEN, 'tests': tests,
                               'n': octets(key[0], bits // 8).hex(), 'e': octets(key[1], 4).hex()})
    return request('RSA', 'sigVer', (groups, 'standard'))


def ecdsa_siggen():
    """Each curve with each hash. The program uses one k for all messages of a group."""
    groups = [{'testType': 'AFT', 'curve': curve, 'hashAlg': name,
               'tests': [{'message': drawn(size).hex()} for size in (1, 128)]}
              for curve in CURVES for name in HASHES]
    return request('ECDSA', 'sigGen', (groups, None))


def ecdsa_sigver():
    """Each curve with each hash."""
    groups = []
    for curve_name, curve in CURVES.items():
        order_len, field_len = pk_vectors.lengths(curve)
        for name in HASHES:
            tests = [{'message': message.hex(), 'qx': octets(public[0], field_len).hex(),
                      'qy': octets(public[1], field_len).hex(), 'r': octets(r, order_len).hex(),
                      's': octets(s, order_len).hex()}
                     for message, public, r, s in ecdsa_sigver_tests(name, curve)]
            groups.append({'testType': 'AFT', 'curve': curve_name, 'hashAlg': name, 'tests': tests})
    return request('ECDSA', 'sigVer', (groups, None))


REQUESTS = {'rsa-siggen': rsa_siggen, 'rsa-sigver': rsa_sigver, 'ecdsa-siggen': ecdsa_siggen,
            'ecdsa-sigver': ecdsa_sigver}


def path(folder, name, kind):
    """The file of a request (req) or an answer (rsp). The program knows JSON by the name."""
    return os.path.join(folder, f'{name}.{kind}.json')


def make(folder):
    """Writes all requests."""
    os.makedirs(folder, exist_ok=True)
    for name, function in REQUESTS.items():
        with open(path(folder, name, 'req'), 'w', encoding='ascii') as out:
            json.dump(function(), out, indent=1)
    for name in fips_sym.SETS:
        with open(path(folder, name, 'req'), 'w', encoding='ascii') as out:
            json.dump(fips_sym.request(name)[0], out, indent=1)


# ---------------------------------------------------------------- answers

def verifies(algorithm, group, public, message, signature):
    """True if the signature of a test case, a dictionary, is right."""
    if algorithm == 'RSA':
        return rsa_verifies(group, public, message, bytes.fromhex(signature['signature']))
    return ecdsa_verifies(group, public, message, int(signature['r'], 16), int(signature['s'], 16))


def public_of(algorithm, *where):
    """The public key: what the first of these dictionaries has that has one."""
    names = ('n', 'e') if algorithm == 'RSA' else ('qx', 'qy')
    for one in where:
        if names[0] in one:
            return tuple(int(one[name], 16) for name in names)
    raise KeyError(names[0])


def is_right(algorithm, mode, groups, tests):
    """Is the answer to a test case right? groups and tests are pairs of question and answer."""
    group, group_answer = groups
    test, answer = tests
    message = bytes.fromhex(test['message'])
    if mode == 'sigVer':
        public = public_of(algorithm, test, group)
        return answer['testPassed'] is verifies(algorithm, group, public, message, test)
    public = public_of(algorithm, group_answer)
    if algorithm == 'RSA' and public[0].bit_length() != group['modulo']:
        return False
    return (verifies(algorithm, group, public, message, answer) and
            not verifies(algorithm, group, public, message + b'\0', answer))


def pairs(questions, answers, key):
    """Yields each question with its answer, which is empty if there is none."""
    by_id = {answer[key]: answer for answer in answers if key in answer}
    for question in questions:
        yield question, by_id.get(question[key], {})


def check_signatures(folder, name, answered):
    """Returns how many answers are right and how many wrong."""
    with open(path(folder, name, 'req'), encoding='ascii') as file:
        asked = json.load(file)[1:]
    counts = {True: 0, False: 0}
    for vectors, answer in pairs(asked, answered, 'vsId'):
        for groups in pairs(vectors['testGroups'], answer.get('testGroups', []), 'tgId'):
            for tests in pairs(groups[0]['tests'], groups[1].get('tests', []), 'tcId'):
                try:
                    right = is_right(vectors['algorithm'], vectors['mode'], groups, tests)
                except (KeyError, ValueError) as error:
                    right = False
                    print(f'{name}: test case {tests[0]["tcId"]} has no such answer: {error}')
                counts[right] += 1
                if not right:
                    what = {key: value for key, value in groups[0].items()
                            if key in ('sigType', 'modulo', 'hashAlg', 'curve')}
                    print(f'{name}: test case {tests[0]["tcId"]} is wrong: {what}')
    return counts[True], counts[False]


def check(folder, name):
    """Checks the answer to a request. Returns the exit code."""
    try:
        with open(path(folder, name, 'rsp'), encoding='ascii') as file:
            # Each set is a list of the version and the set.
            answered = [one[1] for one in json.load(file)[1:]]
    except (OSError, ValueError) as error:
        print(f'{name}: no answer: {error}')
        answered = []
    if name in fips_sym.SETS:
        right, wrong = fips_sym.check(name, answered)
    else:
        right, wrong = check_signatures(folder, name, answered)
    print(f'{right} passed, {wrong} failed')
    return int(wrong != 0 or right == 0)


def main():
    """See the text at the top."""
    if sys.argv[1:] == ['names']:
        print(*fips_sym.SETS)
        return 0
    if sys.argv[1:2] == ['make'] and len(sys.argv) == 3:
        make(sys.argv[2])
        return 0
    if sys.argv[1:2] == ['check'] and len(sys.argv) == 4:
        return check(*sys.argv[2:])
    asked = {'-h', '--help'} & set(sys.argv[1:])
    print('fips.py: ' + __doc__, file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


if __name__ == '__main__':
    sys.exit(main())
