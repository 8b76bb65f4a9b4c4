# SPDX-License-Identifier: BSD-3-Clause
"""Requests of symmetric algorithms for DPDK's fips_validation, in the JSON of NIST's ACVP, and the
answers that are right: those of NIST's own files, which test/vectors has.

fips.py makes and checks them with its own. HMAC is computed from its hash (RFC 2104)."""
import glob
import hashlib
import os

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'test',
                       'vectors')
ENCRYPT, DECRYPT = 'encrypt', 'decrypt'
# ACVP's name of a hash, the file's and Python's, bytes of a block
HASHES = {'SHA-1': ('sha1', 64), 'SHA2-224': ('sha224', 64), 'SHA2-256': ('sha256', 64),
          'SHA2-384': ('sha384', 128), 'SHA2-512': ('sha512', 128)}


def vectors(name, folder='sym'):
    """The vectors of a file of test/vectors: dictionaries of the fields, with alg."""
    found = []
    (path,) = glob.glob(os.path.join(VECTORS, folder, name + '.txt'))
    with open(path, encoding='ascii') as file:
        for line in file:
            if line[0] in '#\n' or line.startswith('from '):
                continue
            words = line.split()
            one = dict.fromkeys(('key', 'iv', 'aad', 'in', 'out', 'tag'), '')
            one.update(word.split('=') for word in words[1:] if '=' in word)
            one['alg'] = words[0]
            one['fails'] = words[-1] == 'fails'
            found.append(one)
    return found


def perf_vectors(name):
    """The same of a file of dpdk-test-crypto-perf, with one cipher."""
    fields = {'plaintext': 'in', 'ciphertext': 'out', 'cipher_key': 'key', 'cipher_iv': 'iv'}
    found, field = [], None
    with open(os.path.join(VECTORS, name + '.vec'), encoding='ascii') as file:
        for line in file:
            words = line.split()
            if line[0] == '[':
                found.append(dict.fromkeys(fields.values(), ''))
            elif words[1:] == ['=']:
                field = fields[words[0]]
            elif line.startswith('0x'):
                found[-1][field] += ''.join(word[2:].rstrip(',') for word in words)
    return found


def bits(text):
    """Bits of a string in hex."""
    return 4 * len(text)


def grouped(found, key):
    """Lists of vectors for which key() is the same, with that value."""
    groups = {}
    for one in found:
        groups.setdefault(key(one), []).append(one)
    return groups.items()


def ciphers(all_of_them, **more):
    """Both directions of a block cipher mode, by size of the key."""
    for size, found in grouped(all_of_them, lambda one: bits(one['key'])):
        for direction in (ENCRYPT, DECRYPT):
            source, result = ('in', 'pt'), ('out', 'ct')
            if direction == DECRYPT:
                source, result = ('out', 'ct'), ('in', 'pt')
            tests = [({'key': one['key'], 'iv': one['iv'], source[1]: one[source[0]]},
                      {result[1]: one[result[0]]}) for one in found]
            yield {'testType': 'AFT', 'direction': direction, 'keyLen': size, **more}, tests


def aes_cbc():
    """CBC."""
    return ciphers(vectors('aes_cbc'))


def aes_ctr():
    """CTR, of SP 800-38A."""
    return ciphers(perf_vectors('aes_ctr'))


def aes_xts():
    """XTS. The program doubles keyLen."""
    for group, tests in ciphers(vectors('aes_xts'), tweakMode='hex'):
        group['keyLen'] //= 2
        yield group, [({('tweakValue' if key == 'iv' else key): value
                        for key, value in question.items()}, answer)
                      for question, answer in tests]


def tdes(name):
    """Both directions of triple DES."""
    for group, tests in ciphers(vectors(name), keyingOption=1):
        for question, _ in tests:
            key = question.pop('key')
            question.update({f'key{i + 1}': key[16 * i:16 * i + 16] for i in range(3)})
            if not question['iv']:
                del question['iv']
        yield group, tests


def aes_gcm(name='aes_gcm'):
    """GCM, or GMAC: a text of no bytes. What fails is only deciphered."""
    gmac = name == 'aes_gmac'
    def sizes(one):
        aad = one['in'] if gmac else one['aad']
        return (bits(one['key']), bits(one['iv']), 0 if gmac else bits(one['out']), bits(aad),
                bits(one['tag']))
    for (key, iv, text, aad, tag), found in grouped(vectors(name), sizes):
        group = {'testType': 'AFT', 'ivGen': 'external', 'ivGenMode': '8.2.1', 'keyLen': key,
                 'ivLen': iv, 'payloadLen': text, 'aadLen': aad, 'tagLen': tag}
        tests = {ENCRYPT: [], DECRYPT: []}
        for one in found:
            common = {'key': one['key'], 'iv': one['iv'],
                      'aad': one['in'] if gmac else one['aad']}
            plain = '' if gmac else one['in']
            if not one['fails']:
                answer = {'tag': one['tag']} if gmac else {'ct': one['out'], 'tag': one['tag']}
                tests[ENCRYPT].append(({**common, 'pt': plain}, answer))
            tests[DECRYPT].append(({**common, 'ct': one['out'], 'tag': one['tag']},
                                   {'testPassed': False} if one['fails'] else {'pt': plain}))
        for direction, some in tests.items():
            if some:
                yield {**group, 'direction': direction}, some


def aes_gmac():
    """GMAC."""
    return aes_gcm('aes_gmac')


def aes_cmac():
    """CMAC, generated and verified, with tags that are wrong."""
    def sizes(one):
        return bits(one['key']), bits(one['in']), bits(one['tag'])
    for (key, text, tag), found in grouped(vectors('aes_cmac'), sizes):
        group = {'testType': 'AFT', 'keyLen': key, 'msgLen': text, 'macLen': tag}
        yield {**group, 'direction': 'gen'}, [
            ({'key': one['key'], 'message': one['in']}, {'mac': one['tag']}) for one in found]
        yield {**group, 'direction': 'ver'}, [
            ({'key': one['key'], 'message': one['in'], 'mac': mac}, {'testPassed': right})
            for one in found
            for mac, right in ((one['tag'], True), (one['tag'][::-1], False))]


def sha(name):
    """Messages, and the Monte Carlo test, of which the last checkpoint is compared."""
    alg = HASHES[name][0]
    yield {'testType': 'AFT'}, [({'msg': one['in']}, {'md': one['tag']})
                                for one in vectors('sha') if one['alg'] == alg]
    yield {'testType': 'MCT'}, [({'msg': one['in']}, {'last': one['out']})
                                for one in vectors('sha_monte', 'acvp') if one['alg'] == alg]


def hmac(name):
    """Keys up to a block, which is the most that DPDK's drivers take; messages of the hash."""
    alg, block = HASHES[name]

    def digest(text):
        return hashlib.new(alg, text).digest()

    def mac(key, text):
        key = key.ljust(block, b'\0')
        inner = digest(bytes(byte ^ 0x36 for byte in key) + text)
        return digest(bytes(byte ^ 0x5c for byte in key) + inner)
    messages = [one['in'] for one in vectors('sha') if one['alg'] == alg and one['in']]
    for size in (1, 20, block - 1, block):
        key = bytes(1 + (7 * i + size) % 255 for i in range(size))
        for length in (len(digest(b'')), 10):
            yield {'testType': 'AFT', 'keyLen': 8 * size, 'macLen': 8 * length}, [
                ({'key': key.hex(), 'msg': text},
                 {'mac': mac(key, bytes.fromhex(text))[:length].hex()}) for text in messages]


# ACVP's names, and the questions: pairs of a group and of a list of (test, right answer)
SETS = {
    'aes-cbc': ('ACVP-AES-CBC', aes_cbc),
    'aes-ctr': ('ACVP-AES-CTR', aes_ctr),
    'aes-xts': ('ACVP-AES-XTS', aes_xts),
    'aes-gcm': ('ACVP-AES-GCM', aes_gcm),
    'aes-gmac': ('ACVP-AES-GMAC', aes_gmac),
    'aes-cmac': ('CMAC-AES', aes_cmac),
    'tdes-cbc': ('ACVP-TDES-CBC', lambda: tdes('3des_cbc')),
    'tdes-ecb': ('ACVP-TDES-ECB', lambda: tdes('3des_ecb')),
    **{'hash-' + name.lower(): (name, lambda name=name: sha(name)) for name in HASHES},
    **{'hmac-' + name.lower(): ('HMAC-' + name, lambda name=name: hmac(name)) for name in HASHES},
}


def request(name):
    """The request of a set, as fips_validation reads it, and the right answers by tcId."""
    algorithm, make = SETS[name]
    groups, right, number = [], {}, 0
    for place, (group, tests) in enumerate(make(), 1):
        cases = []
        for question, answer in tests:
            number += 1
            cases.append({'tcId': number, **question})
            right[number] = answer
        groups.append({'tgId': place, **group, 'tests': cases})
    return [{'jwt': 'none', 'url': '/none', 'isSample': True},
            {'vsId': 1, 'algorithm': algorithm, 'revision': '1.0', 'isSample': True,
             'testGroups': groups}], right


def is_right(wanted, answer):
    """Is an answer the right one? Hexadecimal digits may be of either case."""
    if 'last' in wanted:
        results = answer.get('resultsArray', [])
        return len(results) == 100 and results[-1]['md'].lower() == wanted['last']
    for key, value in wanted.items():
        given = answer.get(key)
        if isinstance(given, str):
            given = given.lower()
        if given != value and not (key == 'pt' and value == '' and answer.get('testPassed')):
            return False
    return True


def check(name, answered):
    """Counts right and wrong answers: a list of sets, with the version before each."""
    _, right = request(name)
    given = {test.get('tcId'): test for one in answered for group in one.get('testGroups', [])
             for test in group.get('tests', [])}
    wrong = [number for number, wanted in right.items()
             if number not in given or not is_right(wanted, given[number])]
    for number in wrong[:10]:
        print(f'{name}: test case {number}: {given.get(number, "no answer")}')
    return len(right) - len(wrong), len(wrong)
