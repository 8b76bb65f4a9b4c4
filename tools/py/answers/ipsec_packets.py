#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes app/accel-conformance/reference/known_ipsec.c: packets of ESP and AH as scapy builds them,
and those that standards and DPDK publish. The result is checked in, so nothing needs scapy; this
says where the packets come from. Keys and texts follow SEED."""
import random
import sys
import warnings

warnings.filterwarnings('ignore')
# pylint: disable=wrong-import-position
from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: E402
from scapy.layers.inet import IP, UDP, TCP, ICMP, IPOption_RR, IPOption_Router_Alert  # noqa: E402
from scapy.layers.inet6 import (IPv6, IPv6ExtHdrHopByHop, IPv6ExtHdrRouting,  # noqa: E402
                                IPv6ExtHdrDestOpt, HBHOptUnknown, PadN, RouterAlert)
from scapy.layers.ipsec import SecurityAssociation, ESP, AH  # noqa: E402
from scapy.packet import raw  # noqa: E402
from scapy import VERSION  # noqa: E402

SEED = 4303
RANDOM = random.Random(SEED)

# Our names of scapy's algorithms, bytes of key, salt and ICV.
CIPHERS = {
    'NULL': ('ACCEL_HW_CIPHER_NULL', 0, 0, 0),
    'AES-CBC': ('ACCEL_HW_CIPHER_AES_CBC', 16, 0, 16),
    'AES-CTR': ('ACCEL_HW_CIPHER_AES_CTR', 16, 4, 8),
    'DES': ('ACCEL_HW_CIPHER_DES_CBC', 8, 0, 8),
    '3DES': ('ACCEL_HW_CIPHER_3DES_CBC', 24, 0, 8),
    'AES-GCM': ('ACCEL_HW_AEAD_AES_GCM', 16, 4, 8),
    'AES-CCM': ('ACCEL_HW_AEAD_AES_CCM', 16, 3, 8),
    'CHACHA20-POLY1305': ('ACCEL_HW_AEAD_CHACHA20_POLY1305', 32, 4, 8),
}
AUTHS = {
    None: ('0', 0, 16),
    'NULL': ('ACCEL_HW_AUTH_NULL', 0, 0),
    'HMAC-MD5-96': ('ACCEL_HW_AUTH_MD5_HMAC', 16, 12),
    'HMAC-SHA1-96': ('ACCEL_HW_AUTH_SHA1_HMAC', 20, 12),
    'SHA2-256-128': ('ACCEL_HW_AUTH_SHA256_HMAC', 32, 16),
    'SHA2-384-192': ('ACCEL_HW_AUTH_SHA384_HMAC', 48, 24),
    'SHA2-512-256': ('ACCEL_HW_AUTH_SHA512_HMAC', 64, 32),
    'AES-CMAC-96': ('ACCEL_HW_AUTH_AES_CMAC', 16, 12),
}


def octets(count):
    """Random bytes."""
    return bytes(RANDOM.randrange(256) for _ in range(count))


def v4(payload, **fields):
    """An IPv4 packet in the clear."""
    return IP(src='192.0.2.1', dst='198.51.100.7', id=0x1234, ttl=61, **fields) / payload


def v6(payload, **fields):
    """An IPv6 packet in the clear."""
    return IPv6(src='2001:db8::1', dst='2001:db8:7::2', hlim=61, **fields) / payload


def udp(count):
    """UDP with data."""
    return UDP(sport=1111, dport=2222) / octets(count)


def tcp(count):
    """TCP with data."""
    return TCP(sport=80, dport=4242, seq=7, flags='PA') / octets(count)


def outer(version):
    """A tunnel's header."""
    if version == 4:
        return IP(src='203.0.113.1', dst='203.0.113.200', ttl=64, flags='DF', tos=0xb8)
    return IPv6(src='2001:db8:ffff::1', dst='2001:db8:ffff::2', hlim=64, tc=0x28, fl=0x54321)


def hexed(name, value):
    """A field of bytes, in lines of 35."""
    if not value:
        return ''
    text = value.hex()
    lines = [text[i:i + 70] for i in range(0, len(text), 70)]
    if len(lines) == 1:
        return f'\t\t.{name} = "{lines[0]}",\n'
    return f'\t\t.{name} =\n' + '\n'.join(f'\t\t\t"{line}"' for line in lines) + ',\n'


def entry(**known):
    """One element of the array."""
    text = '\t{\n'
    for name, value in known.items():
        if isinstance(value, bytes):
            text += hexed(name, value)
        elif name == 'origin':
            text += f'\t\t.origin = "{value}",\n'
        elif isinstance(value, int):
            text += f'\t\t.{name} = {value:#x},\n' if value else ''
        elif value != '0':
            text += f'\t\t.{name} = {value},\n'
    return text + '\t},\n'


def header_of(tunnel):
    """The context's header: what the card fills in is 0."""
    if tunnel.version == 4:
        text = bytearray(raw(tunnel)[:20])
        for at in (2, 3, 4, 5, 9, 10, 11):
            text[at] = 0
        return bytes(text)
    text = bytearray(raw(tunnel)[:40])
    for at in (4, 5, 6):
        text[at] = 0
    return bytes(text)


def with_udp_length(packet):
    """scapy leaves the length of the UDP header at 8 bytes, without ESP."""
    at = 20 if packet[0] >> 4 == 4 else 40
    return packet[:at + 4] + (len(packet) - at).to_bytes(2, 'big') + packet[at + 6:]


def make(plain, cipher='NULL', auth=None, tunnel=0, number=1, esn=False, ports=None, key_len=None,
         proto=ESP, note=''):  # pylint: disable=too-many-arguments,too-many-locals
    """Lets scapy protect a packet."""
    c_name, c_key, salt_len, iv_len = CIPHERS[cipher]
    a_name, a_key, icv = AUTHS[auth]
    key, salt, auth_key = octets(key_len or c_key), octets(salt_len), octets(a_key)
    iv, spi = octets(iv_len), RANDOM.randrange(256, 1 << 32)
    header = outer(tunnel) if tunnel else None
    if tunnel == 4:
        header.id = number & 0xffff
    sa = SecurityAssociation(proto, spi=spi, crypt_algo=cipher if proto is ESP else None,
                             crypt_key=(key + salt) or None, auth_algo=auth,
                             auth_key=auth_key or None, tunnel_header=header,
                             nat_t_header=UDP(sport=ports[0], dport=ports[1]) if ports else None,
                             esn_en=esn, esn=number >> 32)
    packet = raw(sa.encrypt(plain.__class__(raw(plain)), seq_num=number & 0xffffffff,
                            iv=iv if proto is ESP else None))
    if ports:
        packet = with_udp_length(packet)
        note += ', with the length of UDP made right'
    options = [name for name, there in (('TUNNEL', tunnel), ('OUTER_V6', tunnel == 6),
                                        ('ESN', esn), ('UDP', ports)) if there]
    return entry(
        origin=f'scapy {VERSION}{note}',
        kind='ACCEL_HW_KIND_ESP' if proto is ESP else 'ACCEL_HW_KIND_AH',
        options=' | '.join('ACCEL_HW_IPSEC_' + name for name in options) or '0',
        cipher=c_name if proto is ESP else '0', auth=a_name, icv=icv, spi=spi, number=number,
        udp_source=ports[0] if ports else 0, udp_destination=ports[1] if ports else 0,
        key=key, auth_key=auth_key, salt=salt, iv=iv,
        outer=header_of(header) if tunnel else b'', plain=raw(plain), packet=packet)


def esp_packets():
    """ESP: each cipher and authentication, each combination of headers."""
    yield make(v4(udp(23)), auth='NULL', tunnel=4)
    yield make(v6(udp(22)), auth='NULL', tunnel=4, number=0x12345)
    yield make(v4(udp(21)), auth='NULL', tunnel=6)
    yield make(v6(tcp(20)), auth='NULL', tunnel=6, number=0xfedcba98)
    yield make(v4(tcp(19)), auth='NULL')
    yield make(v6(tcp(18)), auth='NULL')
    yield make(v4(udp(17)), auth='NULL', tunnel=4, ports=(4500, 4500))
    yield make(v4(udp(16)), auth='NULL', ports=(4500, 33333))
    yield make(v6(udp(15)), auth='HMAC-SHA1-96', tunnel=6, ports=(4500, 4501))
    for auth in list(AUTHS)[2:]:
        yield make(v4(udp(40)), 'AES-CBC', auth, tunnel=4)
        yield make(v4(ICMP() / octets(30)), auth=auth)
    for key_len in (16, 24, 32):
        yield make(v4(udp(31)), 'AES-CBC', 'SHA2-256-128', tunnel=4, key_len=key_len)
        yield make(v4(udp(32)), 'AES-CTR', 'SHA2-256-128', tunnel=4, key_len=key_len)
        yield make(v4(udp(33)), 'AES-GCM', tunnel=4, key_len=key_len)
        yield make(v4(udp(34)), 'AES-CCM', tunnel=4, key_len=key_len)
    yield make(v4(udp(36)), 'CHACHA20-POLY1305', tunnel=4)
    yield make(v4(udp(35)), 'DES', 'SHA2-256-128', tunnel=4)
    yield make(v4(udp(37)), '3DES', 'HMAC-MD5-96')
    yield make(v6(udp(38)), 'AES-GCM', number=0x1_0000_0005, esn=True)
    yield make(v6(udp(39)), 'AES-CCM', tunnel=6, number=0x7_8000_0000, esn=True)
    yield make(v6(udp(41)), 'CHACHA20-POLY1305', tunnel=4, number=0xffffffff, esn=True)
    yield make(v6(IPv6ExtHdrHopByHop(options=[RouterAlert(), PadN(optdata=b'')]) /
                  IPv6ExtHdrRouting(type=0, segleft=0, addresses=['2001:db8::5']) /
                  IPv6ExtHdrDestOpt(options=[PadN(optdata=b'\0\0\0\0')]) / udp(25)),
               'AES-CBC', 'SHA2-256-128', note=', extension headers')
    yield make(v4(udp(26), options=[IPOption_RR(routers=['10.0.0.1']), IPOption_Router_Alert()]),
               'AES-CBC', 'HMAC-SHA1-96', note=', IPv4 options')


def gmac_packets():
    """ESP with AES-GMAC (RFC 4543, 3.3), which scapy does not have."""
    for key_len, esn, number in ((16, False, 9), (32, True, 0x3_0000_0009)):
        key, salt, iv, spi = octets(key_len), octets(4), octets(8), RANDOM.randrange(256, 1 << 32)
        plain = raw(v4(udp(27)))
        pad = -(len(plain) - 18) % 4
        text = plain[20:] + bytes(range(1, 1 + pad)) + bytes((pad, 17))
        low = (number & 0xffffffff).to_bytes(4, 'big')
        covered = spi.to_bytes(4, 'big') + (number.to_bytes(8, 'big') if esn else low)
        icv = AESGCM(key).encrypt(salt + iv, b'', covered + iv + text)
        esp = spi.to_bytes(4, 'big') + low + iv + text + icv
        header = IP(plain[:20])
        header.proto, header.len = 50, 20 + len(esp)
        del header.chksum
        yield entry(
            origin='RFC 4543, 3.3, with AESGCM of python3-cryptography', kind='ACCEL_HW_KIND_ESP',
            options='ACCEL_HW_IPSEC_ESN' if esn else '0', cipher='ACCEL_HW_CIPHER_NULL',
            auth='ACCEL_HW_AUTH_AES_GMAC', icv=16, spi=spi, number=number, auth_key=key, salt=salt,
            iv=iv, plain=plain, packet=raw(header)[:20] + esp)


def ah_packets():
    """AH: the same."""
    for auth in list(AUTHS)[2:]:
        yield make(v4(udp(30), tos=0x14, flags='DF'), auth=auth, proto=AH)
    yield make(v6(tcp(31), tc=0x77, fl=0x12345), auth='HMAC-SHA1-96', proto=AH)
    yield make(v6(tcp(32)), auth='SHA2-256-128', proto=AH)
    yield make(v4(udp(33)), auth='SHA2-256-128', tunnel=4, proto=AH, number=0x20001)
    yield make(v6(udp(34)), auth='SHA2-512-256', tunnel=4, proto=AH)
    yield make(v4(udp(35)), auth='SHA2-384-192', tunnel=6, proto=AH)
    yield make(v6(udp(36)), auth='AES-CMAC-96', tunnel=6, proto=AH, number=0x5_0000_0001, esn=True)
    yield make(v4(udp(37)), auth='HMAC-MD5-96', proto=AH, number=0x1_0000_0000_7, esn=True)
    yield make(v4(udp(38), options=[IPOption_RR(routers=['10.0.0.1']), IPOption_Router_Alert()]),
               auth='HMAC-SHA1-96', proto=AH, note=', IPv4 options')
    yield make(v6(IPv6ExtHdrHopByHop(options=[HBHOptUnknown(otype=0x3e, optlen=4,
                                                            optdata=b'\1\2\3\4')]) /
                  udp(39)), auth='SHA2-256-128', proto=AH,
               note=', extension header')


PING = bytes.fromhex('08000ebda70a00008e9c083db95b0700') + bytes(range(8, 0x38))


def published():
    """Packets that others have published."""
    yield entry(
        origin='RFC 3602, section 4, case 5', kind='ACCEL_HW_KIND_ESP',
        cipher='ACCEL_HW_CIPHER_AES_CBC', auth='ACCEL_HW_AUTH_NULL', spi=0x4321, number=1,
        key=bytes.fromhex('90d382b410eeba7ad938c46cec1a82bf'),
        iv=bytes.fromhex('e96e8c08ab465763fd098d45dd3ff893'),
        plain=bytes.fromhex('4500005408f200004001f9fec0a87b03c0a87b64') + PING,
        packet=bytes.fromhex(
            '4500007c08f200004032f9a5c0a87b03c0a87b640000432100000001e96e8c08ab465763fd098d45'
            'dd3ff893f663c25d325c18c6a9453e194e120849a4870b66cc6b9965330013b4898dc856a4699e52'
            '3a55db080b59ec3a8e4b7e52775b07d1db34ed9c538ab50c551b874aa269add047ad2d5913ac19b7'
            'cfbad4a6'))
    yield entry(
        origin='RFC 7634, appendix A', kind='ACCEL_HW_KIND_ESP', other_id='true',
        options='ACCEL_HW_IPSEC_TUNNEL', cipher='ACCEL_HW_AEAD_CHACHA20_POLY1305', icv=16,
        spi=0x01020304, number=5, key=bytes(range(0x80, 0xa0)),
        salt=bytes.fromhex('a0a1a2a3'), iv=bytes.fromhex('1011121314151617'),
        outer=bytes.fromhex('4500000000000000400000' '00cb007199cb007105'),
        plain=bytes.fromhex('45000054a6f200004001e778c6336405c000020508005b7a3a080000553bec10'
                            '0007362708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223'
                            '2425262728292a2b2c2d2e2f3031323334353637'),
        packet=bytes.fromhex('4500008c234500004032de5bcb007199cb00710501020304000000051011121314'
                             '151617'
                             '24039428b97f417e3c13753a4f05087b67c352e6a7fab1b982d466ef407ae5c6'
                             '14ee8099d52844eb61aa95dfab4c02f72aa71e7c4c4f64c9befe2facc638e8f3'
                             'cbec163fac469b502773f6fb94e664da9165b82829f641e076aaa8266b7fb0f7'
                             'b11b369907e1ad43'))
    yield entry(
        origin='DPDK 22.11, pkt_null_aes_xcbc', kind='ACCEL_HW_KIND_ESP', other_id='true',
        options='ACCEL_HW_IPSEC_TUNNEL', cipher='ACCEL_HW_CIPHER_NULL',
        auth='ACCEL_HW_AUTH_AES_XCBC_MAC', icv=12, spi=0x100, number=1,
        auth_key=bytes.fromhex('61316232633364346535663667376838'),
        outer=bytes.fromhex('450000000000000040000000' '0a006f020a00de02'),
        plain=bytes.fromhex('4500002f493700004011228' '40d00000202000002080008' '00001b6d99') +
        b'X' * 19,
        packet=bytes.fromhex('4500005c06000000403213' '6c0a006f020a00de020000010000000001'
                             '4500002f493700004011228' '40d00000202000002080008' '00001b6d99') +
        b'X' * 19 + bytes.fromhex('0102030304f15264d19b6224ddcc14f5c1'))
    ping = bytes.fromhex('0800fb3712340000babe0123456' '7cafe') + bytes(range(0x5c))
    yield entry(
        origin='DPDK 22.11, pkt_ah_ipv4_aes_gmac_128', kind='ACCEL_HW_KIND_AH',
        auth='ACCEL_HW_AUTH_AES_GMAC', icv=16, spi=0x7b, number=1, auth_key=b'\xa5' * 16,
        salt=bytes.fromhex('cafebabe'), iv=bytes.fromhex('0100000000000000'),
        plain=bytes.fromhex('45000080000000004001ac27c0a86f02c0a8de02') + ping,
        packet=bytes.fromhex('450000a4000000004033abd1c0a86f02c0a8de02'
                             '010700000000007b000000010100000000000000'
                             'd60ecc2231795972' '68c958fb8bb0bbd5') + ping)


BEGIN = '''/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Known packets of ESP and AH: see known_ipsec.h. tools/py/answers/ipsec_packets.py has made this
 * file (seed {seed}).
 */
#include "known_ipsec.h"

const struct known_packet known_packets[] = {{
'''
END = '''};

const unsigned int known_packets_nb = sizeof(known_packets) / sizeof(known_packets[0]);
'''


def main():
    """Writes the file's text."""
    sys.stdout.write(BEGIN.format(seed=SEED))
    for packets in (published(), esp_packets(), ah_packets(), gmac_packets()):
        sys.stdout.writelines(packets)
    sys.stdout.write(END)


main()
