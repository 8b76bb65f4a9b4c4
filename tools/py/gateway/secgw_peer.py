# SPDX-License-Identifier: BSD-3-Clause
"""The tunnels of examples/gateway/gateway.cfg from the peer's side, with scapy's implementation of
ESP. It knows keys and addresses from the file, and shares no code with DPDK or the driver."""

import ipaddress
import logging
import re

TITLES = {"aes-128-gcm": "AES-128-GCM", "aes-128-cbc": "AES-128-CBC with HMAC-SHA1",
          "aes-128-ctr": "AES-128-CTR with HMAC-SHA1"}
SCAPY = {"aes-128-gcm": "AES-GCM", "aes-128-cbc": "AES-CBC", "aes-128-ctr": "AES-CTR"}
ETHERTYPE = {4: b"\x08\x00", 6: b"\x86\xdd"}
ESP = 50


def statements(path):
    """Returns the statements of a configuration of ipsec-secgw as lists of words."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"#.*", "", file.read()).replace("\\\n", " ")
    return [line.split() for line in text.splitlines() if line.split()]


def after(words, name):
    """Returns the word that follows a name, or None."""
    return words[words.index(name) + 1] if name in words else None


def key(words, name):
    """Returns the bytes of a key."""
    value = after(words, name)
    return bytes.fromhex(value.replace(":", "")) if value else None


class Tunnel:
    """A pair of SAs, and the networks on both sides."""

    def __init__(self, config, spi_out, spi_in):
        self.out = [w for w in config if w[:3] == ["sa", "out", str(spi_out)]][0]
        self.into = [w for w in config if w[:3] == ["sa", "in", str(spi_in)]][0]
        policy = [w for w in config if w[0] == "sp" and w[2] == "out" and
                  after(w, "protect") == str(spi_out)][0]
        self.spi = {"out": spi_out, "in": spi_in}
        self.near = ipaddress.ip_network(after(policy, "src"))
        self.far = ipaddress.ip_network(after(policy, "dst"))
        self.version = self.near.version
        algorithm = after(self.out, "aead_algo") or after(self.out, "cipher_algo")
        self.title = "%s, IPv%d" % (TITLES[algorithm], self.version)
        self.sa = {"out": self.security_association(self.out),
                   "in": self.security_association(self.into)}

    def security_association(self, words):
        """Returns scapy's SA for an `sa` statement."""
        logging.getLogger("scapy").setLevel(logging.ERROR)
        # pylint: disable=import-outside-toplevel # --help works without scapy
        from scapy.layers.inet import IP
        from scapy.layers.inet6 import IPv6
        from scapy.layers import ipsec
        header = {4: IP, 6: IPv6}[self.version](src=after(words, "src"), dst=after(words, "dst"))
        algorithm = after(words, "aead_algo") or after(words, "cipher_algo")
        auth = {"auth_algo": "HMAC-SHA1-96", "auth_key": key(words, "auth_key")}
        return ipsec.SecurityAssociation(
            ipsec.ESP, spi=int(words[2]), crypt_algo=SCAPY[algorithm],
            crypt_key=key(words, "aead_key") or key(words, "cipher_key"), tunnel_header=header,
            **(auth if after(words, "auth_algo") else {}))

    def inner(self, direction, payload, rng):
        """Returns an inner packet, IP and UDP, from hosts of the two networks."""
        # pylint: disable=import-outside-toplevel
        from scapy.layers.inet import IP, UDP
        from scapy.layers.inet6 import IPv6
        near, far = str(self.near[rng.randrange(1, 200)]), str(self.far[rng.randrange(1, 200)])
        ends = {"src": near, "dst": far} if direction == "out" else {"src": far, "dst": near}
        header = IP(id=rng.randrange(65536), **ends) if self.version == 4 else IPv6(**ends)
        ports = {"sport": rng.randrange(1, 65536), "dport": rng.randrange(1, 65536)}
        return bytes(header / UDP(**ports) / payload)

    def encrypt(self, packet, sequence):
        """Returns the packet in ESP as the peer sends it."""
        # pylint: disable=import-outside-toplevel
        from scapy.layers.inet import IP
        from scapy.layers.inet6 import IPv6
        parse = {4: IP, 6: IPv6}[self.version]
        return bytes(self.sa["in"].encrypt(parse(packet), seq_num=sequence))

    def decrypt(self, packet):
        """Returns the inner packet of one that the gateway has encrypted. Raises an exception if
        header, tag or padding are wrong."""
        # pylint: disable=import-outside-toplevel
        from scapy.layers.inet import IP
        from scapy.layers.inet6 import IPv6
        outer = {4: IP, 6: IPv6}[self.version](packet)
        if (outer.src, outer.dst) != (after(self.out, "src"), after(self.out, "dst")):
            raise ValueError("the outer header is from %s to %s" % (outer.src, outer.dst))
        return bytes(self.sa["out"].decrypt(outer))


def is_esp(packet):
    """True for an IP packet that has ESP behind its header."""
    return packet[9 if packet[0] >> 4 == 4 else 6] == ESP


def esp_header(packet):
    """Returns the SPI and the sequence number of a packet with ESP."""
    start = 20 if packet[0] >> 4 == 4 else 40
    return (int.from_bytes(packet[start:start + 4], "big"),
            int.from_bytes(packet[start + 4:start + 8], "big"))


def tunnels(path):
    """Returns all tunnels of a configuration: the SA in 111 answers the SA out 11, and so on."""
    config = statements(path)
    numbers = [int(w[2]) for w in config if w[:2] == ["sa", "out"]]
    return [Tunnel(config, number, number + 100) for number in numbers]
