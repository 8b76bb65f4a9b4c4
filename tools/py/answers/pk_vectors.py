#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes test/unit/vectors/pk_vectors.h: keys, signatures and shared secrets on curves. Standards
that publish such vectors fix all that goes into them, so this computes them from their text
(RFC 6979 section 3.2, RFC 7748 section 5, RFC 8032 section 5, GB/T 32918), in plain Python that
shares nothing with OpenSSL but SHA and SM3. It stops if one of those that it has as published
differs. Other keys follow SEED."""
import argparse
import hashlib
import hmac
import random
import sys

SEED = 6979
RANDOM = random.Random(SEED)



def num(digits):
    """A number in hexadecimal; blanks are allowed."""
    return int(''.join(digits.split()), 16)


# p, b, gx, gy, order; a is p - 3 (SP 800-186, GB/T 32918.5)
P192 = (2**192 - 2**64 - 1, 0x64210519e59c80e70fa7e9ab72243049feb8deecc146b9b1,
        0x188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012,
        0x07192b95ffc8da78631011ed6b24cdd573f977a11e794811,
        0xffffffffffffffffffffffff99def836146bc9b1b4d22831)
P224 = (2**224 - 2**96 + 1, 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4,
        0xb70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21,
        0xbd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34,
        0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d)
P256 = (2**256 - 2**224 + 2**192 + 2**96 - 1,
        0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b,
        0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296,
        0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5,
        0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551)
P384 = (2**384 - 2**128 - 2**96 + 2**32 - 1,
        num('b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac6'
            '56398d8a2ed19d2a85c8edd3ec2aef'),
        num('aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a3855'
            '02f25dbf55296c3a545e3872760ab7'),
        num('3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a'
            '60b1ce1d7e819d7a431d7c90ea0e5f'),
        num('ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf58'
            '1a0db248b0a77aecec196accc52973'))
P521 = (2**521 - 1,
        num('051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e'
            '156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00'),
        num('c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dba'
            'a14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66'),
        num('11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662'
            'c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650'),
        num('1' + 65 * 'f' +
            'a51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409'))
SM2 = (0xfffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff,
       0x28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93,
       0x32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7,
       0xbc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0,
       0xfffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123)
CURVES = {'P192': P192, 'P224': P224, 'P256': P256, 'P384': P384, 'P521': P521}
HASHES = ['sha1', 'sha224', 'sha256', 'sha384', 'sha512']

# RFC 6979, A.2.3 to A.2.7: private keys
RFC6979_KEYS = {
    'P192': 0x6FAB034934E4C0FC9AE67F5B5659A9D7D1FEFD187EE09FD4,
    'P224': 0xF220266E1105BFE3083E03EC7A3A654651F45E37167E88600BF257C1,
    'P256': 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721,
    'P384': num('6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896'
               'D5724E4C70A825F872C9EA60D2EDF5'),
    'P521': num('0FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CAA'
               '896EB32F1F47C70855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B83538'),
}
# The same: k, r, s of SHA-256 and "sample"
RFC6979_PUBLISHED = {
    'P192': (0x32B1B6D7D42A05CB449065727A84804FB1A3E34D8F261496,
             0x4B0B8CE98A92866A2820E20AA6B75B56382E0F9BFD5ECB55,
             0xCCDB006926EA9565CBADC840829D8C384E06DE1F1E381B85),
    'P224': (0xAD3029E0278F80643DE33917CE6908C70A8FF50A411F06E41DEDFCDC,
             0x61AA3DA010E8E8406C656BC477A7A7189895E7E840CDFE8FF42307BA,
             0xBC814050DAB5D23770879494F9E0A680DC1AF7161991BDE692B10101),
    'P256': (0xA6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60,
             0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716,
             0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8),
    'P384': (num('180AE9F9AEC5438A44BC159A1FCB277C7BE54FA20E7CF404B490650A8ACC414E37'
                 '5572342863C899F9F2EDF9747A9B60'),
             num('21B13D1E013C7FA1392D03C5F99AF8B30C570C6F98D4EA8E354B63A21D3DAA33BD'
                 'E1E888E63355D92FA2B3C36D8FB2CD'),
             num('F3AA443FB107745BF4BD77CB3891674632068A10CA67E3D45DB2266FA7D1FEEBEF'
                 'DC63ECCD1AC42EC0CB8668A4FA0AB0')),
    'P521': (num('0EDF38AFCAAECAB4383358B34D67C9F2216C8382AAEA44A3DAD5FDC9C325757617'
                 '93FEF24EB0FC276DFC4F6E3EC476752F043CF01415387470BCBD8678ED2C7E1A0'),
             num('1511BB4D675114FE266FC4372B87682BAECC01D3CC62CF2303C92B3526012659D1'
                 '6876E25C7C1E57648F23B73564D67F61C6F14D527D54972810421E7D87589E1A7'),
             num('04A171143A83163D6DF460AAF61522695F207A58B95C0644D87E52AA1A347916E4'
                 'F7A72930B1BC06DBE22CE3F58264AFD23704CBB63B29B931F7DE6C9D949A7ECFC')),
}


def add(curve, one, other):
    """The sum of two points; None is infinity."""
    p = curve[0]
    if one is None or other is None:
        return one or other
    (x1, y1), (x2, y2) = one, other
    if x1 == x2:
        if (y1 + y2) % p == 0:
            return None
        slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, p) % p
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, p) % p
    x3 = (slope * slope - x1 - x2) % p
    return x3, (slope * (x1 - x3) - y1) % p


def mul(curve, k, point=None):
    """k times a point, or the generator."""
    point, total = point or curve[2:4], None
    while k:
        if k & 1:
            total = add(curve, total, point)
        point = add(curve, point, point)
        k >>= 1
    return total


def octets(value, length):
    """A number, big-endian."""
    return value.to_bytes(length, 'big')


def lengths(curve):
    """Bytes of the order and of the field."""
    return (curve[4].bit_length() + 7) // 8, (curve[0].bit_length() + 7) // 8


def leftmost(digest, order):
    """The leftmost bits of a digest (bits2int of RFC 6979)."""
    return int.from_bytes(digest, 'big') >> max(0, 8 * len(digest) - order.bit_length())


def rfc6979_k(order, key, digest, name):
    """RFC 6979, 3.2."""
    size = (order.bit_length() + 7) // 8
    seed = octets(key, size) + octets(leftmost(digest, order) % order, size)
    v, k = b'\1' * len(digest), b'\0' * len(digest)
    for byte in (b'\0', b'\1'):
        k = hmac.new(k, v + byte + seed, name).digest()
        v = hmac.new(k, v, name).digest()
    while True:
        text = b''
        while 8 * len(text) < order.bit_length():
            v = hmac.new(k, v, name).digest()
            text += v
        candidate = leftmost(text, order)
        if 1 <= candidate < order:
            return candidate
        k = hmac.new(k, v + b'\0', name).digest()
        v = hmac.new(k, v, name).digest()


def ecdsa(curve, key, k, digest):
    """r and s."""
    order = curve[4]
    r = mul(curve, k)[0] % order
    return r, pow(k, -1, order) * (leftmost(digest, order) + r * key) % order


def sm3(text):
    """GB/T 32905; the hash is not what is tested."""
    return hashlib.new('sm3', text).digest()


def sm2_e(public, name, message):
    """The digest of a message behind Z."""
    p, b, gx, gy, _ = SM2
    parts = [octets(8 * len(name), 2), name] + [octets(n, 32) for n in (p - 3, b, gx, gy, *public)]
    return int.from_bytes(sm3(sm3(b''.join(parts)) + message), 'big')


def sm2_sign(key, k, e):
    """r and s."""
    order = SM2[4]
    r = (e + mul(SM2, k)[0]) % order
    return r, pow(1 + key, -1, order) * (k - r * key) % order


def sm2_encrypt(public, k, message):
    """C1, C3 and C2."""
    x, y = (octets(n, 32) for n in mul(SM2, k, public))
    stream = b''.join(sm3(x + y + octets(i + 1, 4)) for i in range((len(message) + 31) // 32))
    c2 = bytes(a ^ b for a, b in zip(message, stream))
    return b''.join(octets(n, 32) for n in mul(SM2, k)) + sm3(x + message + y) + c2


# p, d, order, generator, bits of a point, cofactor (RFC 8032, 5.1 and 5.2)
ED25519 = (2**255 - 19, -121665 * pow(121666, -1, 2**255 - 19) % (2**255 - 19),
           2**252 + 27742317777372353535851937790883648493, 32)
ED448 = (2**448 - 2**224 - 1, 2**448 - 2**224 - 1 - 39081,
         2**446 - 13818066809895115352007386748515426880336692474882178609894547503885, 57)
GENERATORS = {
    32: (15112221349535400772501151409588531511454012693041857206046113283949847762202,
         46316835694926478169428394003475163141307993866256225615783033603165251855960),
    57: (int('224580040295924300187604334099896036246789641632564134246125461686'
             '950415467406032909029192869357953282578032075146446173674602635247710'),
         int('298819210078481492676017930443930673437544040154080242095928241372'
             '331506189835876003536878655418784733982303233503462500531545062832660')),
}


def ed_add(curve, one, other):
    """The sum of two points, by the complete law."""
    p, d = curve[:2]
    a = -1 if curve[3] == 32 else 1
    (x1, y1), (x2, y2) = one, other
    product = d * x1 * x2 * y1 * y2 % p
    return ((x1 * y2 + x2 * y1) * pow(1 + product, -1, p) % p,
            (y1 * y2 - a * x1 * x2) * pow(1 - product, -1, p) % p)


def ed_mul(curve, k, point):
    """k times a point."""
    total = (0, 1)
    while k:
        if k & 1:
            total = ed_add(curve, total, point)
        point = ed_add(curve, point, point)
        k >>= 1
    return total


def ed_encode(curve, point):
    """The bytes of a point."""
    size = curve[3]
    return (point[1] | (point[0] & 1) << (8 * size - 1)).to_bytes(size, 'little')


def ed_hash(curve, text, dom):
    """SHA-512, or SHAKE256 of 114 bytes, behind dom2 or dom4."""
    if curve[3] == 32:
        return hashlib.sha512(dom + text).digest()
    return hashlib.shake_256(dom + text).digest(114)


def ed_dom(curve, variant, context):
    """dom2 and dom4 (RFC 8032, 2); variant: 0 pure, 1 with context, 2 prehashed."""
    if curve[3] == 32 and variant == 0:
        return b''
    name = b'SigEd25519 no Ed25519 collisions' if curve[3] == 32 else b'SigEd448'
    return name + bytes([variant == 2, len(context)]) + context


def ed_sign(curve, key, message, variant=0, context=b''):
    """The public key and the signature."""
    size, order, generator = curve[3], curve[2], GENERATORS[curve[3]]
    digest = ed_hash(curve, key, b'')
    scalar = bytearray(digest[:size])
    if size == 32:
        scalar[0] &= 0xf8
        scalar[31] = scalar[31] & 0x7f | 0x40
    else:
        scalar[0] &= 0xfc
        scalar[55] |= 0x80
        scalar[56] = 0
    scalar = int.from_bytes(scalar, 'little')
    public = ed_encode(curve, ed_mul(curve, scalar, generator))
    dom = ed_dom(curve, variant, context)
    if variant == 2:
        message = hashlib.sha512(message).digest() if size == 32 else \
            hashlib.shake_256(message).digest(64)
    r = int.from_bytes(ed_hash(curve, digest[size:] + message, dom), 'little') % order
    point = ed_encode(curve, ed_mul(curve, r, generator))
    k = int.from_bytes(ed_hash(curve, point + public + message, dom), 'little') % order
    return public, point + ((r + k * scalar) % order).to_bytes(size, 'little')


def x_mul(size, scalar, u):
    """X25519 and X448: RFC 7748, 5, by the ladder."""
    p, a24 = (2**255 - 19, 121665) if size == 32 else (2**448 - 2**224 - 1, 39081)
    bits = 255 if size == 32 else 448
    k = bytearray(scalar)
    if size == 32:
        k[0] &= 248
        k[31] = k[31] & 127 | 64
    else:
        k[0] &= 252
        k[55] |= 128
    k = int.from_bytes(k, 'little')
    x1 = int.from_bytes(u, 'little') % 2**bits % p
    x2, z2, x3, z3 = 1, 0, x1, 1
    for i in reversed(range(bits)):
        if k >> i & 1:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a, c * b, a * a, b * b
        x3, z3 = (da + cb)**2 % p, x1 * (da - cb)**2 % p
        x2, z2 = aa * bb % p, (aa - bb) * (aa + a24 * (aa - bb)) % p
        if k >> i & 1:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, p - 2, p) % p).to_bytes(size, 'little')


def same(what, got, want):
    """Stops if a published vector differs."""
    if got != want:
        sys.exit(f'{what}: {got} is not the published {want}')


def text(data):
    """Bytes as a C string, in lines of 40 bytes."""
    digits = data.hex()
    lines = [digits[i:i + 80] for i in range(0, len(digits), 80)] or ['']
    return '\n\t\t'.join(f'"{line}"' for line in lines)


def table(name, kind, rows, what):
    """One array of rows of C strings and numbers."""
    print(f'/* {what} */\nstatic const struct {kind} {name}[] = {{')
    for row in rows:
        fields = [text(f) if isinstance(f, bytes) else str(f) for f in row]
        print('\t{\n\t\t' + ',\n\t\t'.join(fields) + '\n\t},')
    print('};\n')


def rfc6979():
    """Each curve, hash and message of RFC 6979."""
    keys, rows = [], []
    for name, curve in CURVES.items():
        key, (order_len, field_len) = RFC6979_KEYS[name], lengths(curve)
        keys.append((f'ACCEL_HW_CURVE_{name}', octets(key, order_len),
                     *(octets(n, field_len) for n in mul(curve, key))))
        for algorithm in HASHES:
            for message in (b'sample', b'test'):
                digest = hashlib.new(algorithm, message).digest()
                k = rfc6979_k(curve[4], key, digest, algorithm)
                r, s = ecdsa(curve, key, k, digest)
                if algorithm == 'sha256' and message == b'sample':
                    same('RFC 6979 ' + name, (k, r, s), RFC6979_PUBLISHED[name])
                rows.append((f'ACCEL_HW_CURVE_{name}', digest,
                             *(octets(n, order_len) for n in (k, r, s))))
    table('rfc6979_keys', 'pk_ec_vector', keys, 'RFC 6979, A.2.3 to A.2.7: curve, d, x, y')
    table('rfc6979', 'pk_ecdsa_vector', rows, 'Signatures with these: curve, digest, k, r, s')


def with_zero(curve):
    """A private number and a peer whose shared x begins with a zero byte."""
    field_len = lengths(curve)[1]
    d = RANDOM.randrange(1, curve[4])
    peer = mul(curve, RANDOM.randrange(1, curve[4]))
    own = mul(curve, d)
    bound = 1 << (8 * field_len - (16 if curve is P521 else 8))
    for _ in range(5000):
        shared = mul(curve, d, peer) if _ == 0 else add(curve, shared, own)
        if _ > 0:
            peer = add(curve, peer, curve[2:4])
        if shared[0] < bound:
            return d, peer, shared
    return sys.exit('no shared secret with a zero')


def ecdh():
    """Shared points with plain numbers and with leading zeros."""
    rows = []
    for name, curve in CURVES.items():
        order_len, field_len = lengths(curve)
        for d, peer in [(1, mul(curve, 2)), (curve[4] - 1, mul(curve, 3)), (2, curve[2:4]),
                        (RANDOM.randrange(1, curve[4]), mul(curve, RANDOM.randrange(curve[4]))),
                        with_zero(curve)[:2]]:
            points = [mul(curve, d), peer, mul(curve, d, peer)]
            rows.append((f'ACCEL_HW_CURVE_{name}', octets(d, order_len),
                         *(octets(n, field_len) for point in points for n in point)))
    table('ecdh_vectors', 'pk_ecdh_vector', rows,
          'Curve, d, x and y of d, of the peer, and of the shared point')


def sm2():
    """The examples of GB/T 32918.5, and random ones."""
    rows = []
    key = 0x3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8
    k = 0x59276E27D506861A16680F3AD9C02DCCEF3CC1FA3CDBE4CE6D54B80DEAC1BC21
    usual = b'1234567812345678'
    cases = [(key, k, b'', b'message digest'), (key, k, b'', b'encryption standard')]
    cases += [(RANDOM.randrange(1, SM2[4] - 1), RANDOM.randrange(1, SM2[4]), RANDOM.randbytes(name),
               RANDOM.randbytes(size)) for name, size in
              [(1, 2), (18, 31), (0, 32), (300, 33), (8191, 64), (16, 200)]]
    for number, (d, nonce, name, message) in enumerate(cases):
        public = mul(SM2, d)
        e = sm2_e(public, name or usual, message)
        r, s = sm2_sign(d, nonce, e)
        ciphertext = sm2_encrypt(public, nonce, message)
        if number == 0:
            same('GB/T 32918.5, A.2', (r, s),
                 (0xF5A03B0648D2C4630EEAC513E1BB81A15944DA3827D5B74143AC7EACEEE720B3,
                  0xB1B6AA29DF212FD8763182BC0D421CA1BB9038FD1F7F42D4840B69C485BBC1AA))
        if number == 1:
            same('GB/T 32918.5, C.2', ciphertext.hex(),
                 '04ebfc718e8d1798620432268e77feb6415e2ede0e073c0f4f640ecd2e149a73'
                 'e858f9d81e5430a57b36daab8f950a3c64e6ee6a63094d99283aff767e124df0'
                 '59983c18f809e262923c53aec295d30383b54e39d609d160afcb1908d0bd8766'
                 '21886ca989ca9c7d58087307ca93092d651efa')
        rows.append((octets(d, 32), *(octets(n, 32) for n in public), name, message,
                     octets(nonce, 32), octets(e, 32), octets(r, 32), octets(s, 32), ciphertext))
    table('sm2_vectors', 'pk_sm2_vector', rows,
          'GB/T 32918.5, A.2 and C.2, and others: d, x, y, id, message, k, e, r, s, ciphertext')


ED_KEYS = {
    'one': '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'two': '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    'three': 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'sha': '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42',
    'ctx': '0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6',
    'blank': '6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3'
             '528c8a3fcc2f044e39a3fc5b94492f8f032e7549a20098f95b',
    'octet': 'c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463a'
             'fbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e',
    'ph': '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42'
          'ef7822e0d5104127dc05d6dbefde69e3ab2cec7c867c6e2c49',
}
# RFC 8032, 7.1 to 7.5: curve, key, message, variant, context, how the signature begins
ED_CASES = [
    (ED25519, 'one', b'', 0, b'', 'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155'
                                  '5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24'
                                  '655141438e7a100b'),
    (ED25519, 'two', b'\x72', 0, b'', '92a009a9f0d4cab8720e820b5f642540'),
    (ED25519, 'three', b'\xaf\x82', 0, b'', '6291d657deec24024827e69c3abe01a3'),
    (ED25519, 'sha', hashlib.sha512(b'abc').digest(), 0, b'', 'dc2a4459e7369633a52b1bf277839a00'),
    (ED25519, 'ctx', bytes.fromhex('f726936d19c800494e3fdaff20b276a8'), 1, b'foo',
     '55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a'
     '8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d'),
    (ED25519, 'sha', b'abc', 2, b'',
     '98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae41'
     '31f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406'),
    (ED448, 'blank', b'', 0, b'', '533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f'
                                  '2b233f034f628281f2fd7a22ddd47d7828c59bd0a21bfd3980'),
    (ED448, 'octet', b'\3', 0, b'', '26b8f91727bd62897af15e41eb43c377'),
    (ED448, 'octet', b'\3', 1, b'foo', 'd4f8f6131770dd46f40867d6fd5d5055'),
    (ED448, 'ph', b'abc', 2, b'', '822f6901f7480f3d5f562c592994d969'),
    (ED448, 'ph', b'abc', 2, b'foo', 'c32299d46ec8ff02b54540982814dce9'),
]


def eddsa():
    """Those of RFC 8032, and random ones."""
    rows = []
    cases = [(curve, bytes.fromhex(ED_KEYS[key]), message, variant, context, published)
             for curve, key, message, variant, context, published in ED_CASES]
    for curve, size in [(ED25519, 200), (ED25519, 1023), (ED448, 111), (ED448, 1023)]:
        for variant in range(3):
            context = RANDOM.randbytes(255) if variant else b''
            cases.append((curve, RANDOM.randbytes(curve[3]), RANDOM.randbytes(size), variant,
                          context, ''))
    for curve, key, message, variant, context, published in cases:
        public, signature = ed_sign(curve, key, message, variant, context)
        same('RFC 8032', signature.hex()[:len(published)], published)
        rows.append(('ACCEL_HW_CURVE_ED25519' if curve is ED25519 else 'ACCEL_HW_CURVE_ED448',
                     variant, key, public, message, context, signature))
    table('eddsa_vectors', 'pk_eddsa_vector', rows,
          'RFC 8032, 7.1 to 7.5, and others: curve, variant, private, public, message, context, '
          'signature')


X_CASES = [
    ('a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4',
     'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c',
     'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552'),
    ('4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d',
     'e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493',
     '95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957'),
    ('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb',
     '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a',
     '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742'),
    ('3d262fddf9ec8e88495266fea19a34d28882acef045104d0'
     'd1aae121700a779c984c24f8cdd78fbff44943eba368f54b'
     '29259a4f1c600ad3',
     '06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f'
     '020f08f9814dc031ddbdc38c19c6da2583fa5429db94ada1'
     '8aa7a7fb4ef8a086',
     'ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d754'
     '6d5f239fe14fbaadeb445fc66a01b0779d98223961111e21'
     '766282f73dd96b6f'),
]


def xdh():
    """Those of RFC 7748, 5.2 and 6.1, and random ones."""
    rows = []
    cases = [tuple(map(bytes.fromhex, case)) for case in X_CASES]
    for size in (32, 56):
        cases += [(RANDOM.randbytes(size), RANDOM.randbytes(size), b'') for _ in range(4)]
    for scalar, u, published in cases:
        size = len(scalar)
        shared = x_mul(size, scalar, u)
        same('RFC 7748', shared.hex(), (published or shared).hex())
        base = bytes([9 if size == 32 else 5]) + bytes(size - 1)
        rows.append((f'ACCEL_HW_CURVE_X{"25519" if size == 32 else "448"}', scalar,
                     x_mul(size, scalar, base), u, shared))
    table('xdh_vectors', 'pk_xdh_vector', rows,
          'RFC 7748, 5.2 and 6.1, and others: curve, d, x of d, x of the peer, shared secret')


def main():
    """Writes the header to standard output."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print('''/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Vectors of operations on curves. tools/py/answers/pk_vectors.py has made this file (seed %d),
 * and says where they come from. Strings are hexadecimal.
 */
#ifndef PK_VECTORS_H
#define PK_VECTORS_H

struct pk_curve_vector {
	unsigned int curve;
	const char *p, *order;
};

struct pk_ec_vector {
	unsigned int curve;
	const char *d, *x, *y;
};

struct pk_ecdsa_vector {
	unsigned int curve;
	const char *digest, *k, *r, *s;
};

struct pk_ecdh_vector {
	unsigned int curve;
	const char *d, *x, *y, *peer_x, *peer_y, *shared_x, *shared_y;
};

struct pk_sm2_vector {
	const char *d, *x, *y, *id, *message, *k, *e, *r, *s, *ciphertext;
};

struct pk_eddsa_vector {
	unsigned int curve, variant;
	const char *private, *public, *message, *context, *signature;
};

struct pk_xdh_vector {
	unsigned int curve;
	const char *d, *x, *peer, *shared;
};
''' % SEED)
    table('curves', 'pk_curve_vector',
          [(f'ACCEL_HW_CURVE_{name}', octets(curve[0], lengths(curve)[1]),
            octets(curve[4], lengths(curve)[0])) for name, curve in {**CURVES, 'SM2': SM2}.items()],
          'SP 800-186, GB/T 32918.5: curve, p, order')
    rfc6979()
    ecdh()
    sm2()
    eddsa()
    xdh()
    print('#endif /* PK_VECTORS_H */')


if __name__ == '__main__':
    main()
