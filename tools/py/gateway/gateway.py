# SPDX-License-Identifier: BSD-3-Clause
"""Runs DPDK's ipsec-secgw on a crypto device: checks its tunnels with scapy as the peer, sends
packets through it in a closed loop, and measures that. tools/gateway calls this in a network
namespace of its own."""

import argparse
import os
import random
import selectors
import sys
import time

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import cperf
from gateway import gateway_cost, gateway_loop, gateway_pair, secgw, secgw_peer

PACKETS = 32
# UDP payloads of these and of random lengths.
LENGTHS = [0, 1, 2, 3, 15, 16, 17, 1372]
LONGEST = {4: 1392, 6: 1352}


class Checks:
    """Counts checks and prints them."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, title, wrong):
        """Counts a check. `wrong` says what is wrong, or is empty."""
        self.passed += not wrong
        self.failed += bool(wrong)
        cperf.say("    %s %s" % ("FAILED  " if wrong else "ok      ", title))
        if wrong:
            cperf.say("             %s" % wrong)


class Wires:
    """The interfaces at the other ends of a gateway's two ports."""

    def __init__(self, names=None):
        self.spaces, self.sockets = [], []
        for name in names or secgw.TAPS:
            self.spaces.append(secgw.Namespace(name))
            self.sockets.append(self.spaces[-1].socket())

    def send(self, port, packet):
        """Sends an IP packet to a port of the gateway."""
        frame = (bytes.fromhex(secgw.ADDRESSES[port].replace(":", "")) + bytes(6) +
                 secgw_peer.ETHERTYPE[packet[0] >> 4] + packet)
        self.sockets[port].send(frame)

    def flush(self):
        """Forgets what has arrived, so that one failed check does not spoil the next."""
        for sock in self.sockets:
            sock.setblocking(False)
            try:
                while True:
                    sock.recv(65535)
            except BlockingIOError:
                sock.setblocking(True)

    def receive(self, port, count):
        """Returns the next IP packets that the gateway sends at a port, fewer if some are
        missing for LIMIT_S."""
        found = []
        end = time.monotonic() + secgw.LIMIT_S
        with selectors.DefaultSelector() as selector:
            selector.register(self.sockets[port], selectors.EVENT_READ)
            while len(found) < count and selector.select(end - time.monotonic()):
                frame = self.sockets[port].recv(65535)
                if frame[12:14] in secgw_peer.ETHERTYPE.values():
                    found.append(frame[14:])
        return found

    def close(self):
        """Removes the namespaces."""
        for part in self.sockets + self.spaces:
            part.close()


def different(index, got, expected):
    """Says how the packet with this index differs, or returns an empty text."""
    if got == expected:
        return ""
    at = next((i for i, pair in enumerate(zip(got, expected)) if pair[0] != pair[1]),
              min(len(got), len(expected)))
    return "packet %d of %d bytes has %d bytes and differs from byte %d on" % (
        index, len(expected), len(got), at)


def one_hop(packet):
    """Returns the packet with a lower TTL, as ipsec-secgw's own code forwards it. librte_ipsec
    leaves the TTL as it is."""
    packet = bytearray(packet)
    if packet[0] >> 4 == 6:
        packet[7] -= 1
        return bytes(packet)
    packet[8] -= 1
    total = int.from_bytes(packet[10:12], "big") + 0x100
    packet[10:12] = ((total & 0xffff) + (total >> 16)).to_bytes(2, "big")
    return same_zero(packet)


def same_zero(packet):
    """Returns the packet with the one of the two checksums that both stand for zero."""
    packet = bytearray(packet)
    if packet[:1] and packet[0] >> 4 == 4 and packet[10:12] == b"\xff\xff":
        packet[10:12] = bytes(2)
    return bytes(packet)


def payloads(version, rng):
    """Returns payloads for the packets of one direction."""
    lengths = LENGTHS + [rng.randrange(LONGEST[version]) for _ in range(PACKETS - len(LENGTHS) - 1)]
    return [rng.randbytes(n) for n in lengths + [LONGEST[version]]]


class Peer:
    """The other end of the tunnels. Each check returns what is wrong, or an empty text."""

    def __init__(self, wires, library, seed):
        self.wires = wires
        self.library = library
        self.rng = random.Random(seed)

    def forwarded(self, packet):
        """Returns an inner packet as it leaves the gateway."""
        return same_zero(packet) if self.library else one_hop(packet)

    def inner(self, tunnel, direction):
        """Returns inner packets of all lengths."""
        return [tunnel.inner(direction, payload, self.rng)
                for payload in payloads(tunnel.version, self.rng)]

    def outbound(self, tunnel):
        """Sends packets to the gateway, which encrypts them."""
        sent = self.inner(tunnel, "out")
        for packet in sent:
            self.wires.send(0, packet)
        got = self.wires.receive(1, len(sent))
        if len(got) != len(sent):
            return "%d of %d packets came" % (len(got), len(sent))
        for index, (packet, inner) in enumerate(zip(got, sent)):
            if not secgw_peer.is_esp(packet):
                return "packet %d is not encrypted" % index
            if secgw_peer.esp_header(packet) != (tunnel.spi["out"], index + 1):
                return "packet %d has SPI and number %s" % (index, secgw_peer.esp_header(packet))
            try:
                plain = tunnel.decrypt(packet)
            except Exception as error:  # pylint: disable=broad-except # scapy raises many
                return "packet %d: scapy says %s: %s" % (index, type(error).__name__, error)
            wrong = different(index, same_zero(plain), self.forwarded(inner))
            if wrong:
                return wrong
        return ""

    def inbound(self, tunnel):
        """Sends packets in ESP to the gateway, which decrypts them."""
        sent = self.inner(tunnel, "in")
        for number, packet in enumerate(sent, 1):
            self.wires.send(1, tunnel.encrypt(packet, number))
        got = self.wires.receive(0, len(sent))
        if len(got) != len(sent):
            return "%d of %d packets came" % (len(got), len(sent))
        return next(filter(None, (different(i, same_zero(a), self.forwarded(b))
                                  for i, (a, b) in enumerate(zip(got, sent)))), "")

    def dropped(self, tunnel, bad, number):
        """Sends packets that the gateway must drop, then a good one with this number. Packets keep
        their order, so one that is not dropped comes before the good one."""
        good = tunnel.inner("in", b"good", self.rng)
        for packet in bad:
            self.wires.send(1, packet)
        self.wires.send(1, tunnel.encrypt(good, number))
        got = self.wires.receive(0, 1)
        if not got:
            return "the good packet did not come"
        return different(0, same_zero(got[0]), self.forwarded(good))

    def forged(self, tunnel):
        """Sends packets with a changed bit each: in the number, in the data, in the tag. The
        changed number is none that the gateway has seen, because packets that it drops before
        decryption endanger those behind them (the guide's limits of the program)."""
        packet = tunnel.encrypt(tunnel.inner("in", self.rng.randbytes(100), self.rng), PACKETS + 1)
        esp = 20 if tunnel.version == 4 else 40
        bad = []
        for place, bit in ((esp + 7, 6), (esp + 40, self.rng.randrange(8)),
                           (len(packet) - 1, self.rng.randrange(8))):
            changed = bytearray(packet)
            changed[place] ^= 1 << bit
            bad.append(bytes(changed))
        return self.dropped(tunnel, bad, PACKETS + 2)

    def replayed(self, tunnel):
        """Sends numbers again that the gateway has seen. They are below 32, because librte_ipsec
        forgets those of 32 to 63 (the guide's limits of the program)."""
        bad = [tunnel.encrypt(tunnel.inner("in", b"replayed", self.rng), number)
               for number in (1, 2, 17, PACKETS - 1)]
        return self.dropped(tunnel, bad, PACKETS + 3)

    def foreign(self, tunnel, other):
        """Sends a packet of one tunnel's networks through another tunnel, which its policy
        forbids."""
        packet = tunnel.inner("in", b"foreign", self.rng)
        return self.dropped(tunnel, [other.encrypt(packet, PACKETS + 4)], PACKETS + 5)


def check_tunnels(checks, peer):
    """Sends packets through each tunnel in both directions."""
    def check(title, function, *tunnels):
        checks.check("%s: %s" % (tunnels[0].title, title), function(*tunnels))
        peer.wires.flush()

    tunnels = secgw_peer.tunnels(secgw.CONFIG)
    for tunnel in tunnels:
        check("%d packets encrypted by the gateway, decrypted by scapy" % PACKETS, peer.outbound,
              tunnel)
        check("%d packets encrypted by scapy, decrypted by the gateway" % PACKETS, peer.inbound,
              tunnel)
        check("forged packets are dropped", peer.forged, tunnel)
        if peer.library:
            check("replayed packets are dropped", peer.replayed, tunnel)
    check("a packet from another tunnel is dropped", peer.foreign, tunnels[0], tunnels[1])
    check("a packet from another tunnel is dropped", peer.foreign, tunnels[3], tunnels[4])


def check_mode(checks, device, mode, seed):
    """Runs the gateway in one mode and checks its tunnels, and that it ends in good order."""
    cperf.say("\n==> ipsec-secgw on %s, %s mode, with scapy as the peer (seed %d)"
              % (device, mode, seed))
    log = "%s/gateway-%s-%s.log" % (cperf.log_dir(), device, mode)
    how = secgw.MODES[mode]
    program = secgw.Secgw(log, device, secgw.taps(), how.arguments, how.config(secgw.CONFIG))
    wires = None
    try:
        program.wait_text(secgw.READY)
        wires = Wires()
        check_tunnels(checks, Peer(wires, how.has_window, seed))
        code = program.stop()
        checks.check("the gateway ends", "" if code == 0 else "exit code %d, see %s" % (code, log))
    except (secgw.SecgwError, OSError) as error:
        # The interfaces vanish with the program, so this is an end that nobody asked for.
        checks.check("the gateway works", "%s, see %s" % (error, log))
    finally:
        program.kill()
        if wires is not None:
            wires.close()


def check_pair(checks, device, mode, seed):
    """Lets a gateway with lookaside protocol talk to one that does ESP in software, over a network
    that loses, reorders, repeats and damages packets."""
    cperf.say("\n==> Two gateways on %s: lookaside protocol, and %s mode (seed %d)"
              % (device, mode, seed))
    logs = ["%s/gateway-pair-%s-%s.log" % (cperf.log_dir(), side, mode) for side in "ab"]
    programs, wires = [], []
    try:
        for log, names, how, config in (
                (logs[0], secgw.TAPS, secgw.MODES["protocol"], secgw.CONFIG),
                (logs[1], secgw.PEER_TAPS, secgw.MODES[mode], secgw.mirrored_config(secgw.CONFIG))):
            programs.append(secgw.Secgw(log, device, secgw.taps(names), how.arguments,
                                        how.config(config)))
            programs[-1].wait_text(secgw.READY)
            wires.append(Wires(names))
        gateway_pair.check(checks, wires, mode == "library", random.Random(seed))
        codes = [program.stop() for program in programs]
        checks.check("both gateways end", "" if codes == [0, 0] else "exit codes %s, see %s"
                     % (codes, " ".join(logs)))
    except secgw.SecgwError as error:
        checks.check("both gateways work", str(error))
    finally:
        for part in programs:
            part.kill()
        for part in wires:
            part.close()


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="crypto_accel", help="a crypto driver")
    parser.add_argument("--check", action="store_true", help="do not measure")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    args = parser.parse_args()
    checks = Checks()
    modes = secgw.modes_of(args.device, secgw.MODES)
    for mode in modes:
        check_mode(checks, args.device, mode, args.seed)
    if any(mode.protocol for mode in modes.values()):
        for mode in ("legacy", "library"):
            check_pair(checks, args.device, mode, args.seed)
    gateway_loop.check(checks, args.device, dict(
        modes, **secgw.modes_of(args.device, secgw.MORE_MODES)))
    if not args.check:
        gateway_loop.measure(checks)
        if args.device in secgw.PROTOCOL_DRIVERS:
            gateway_cost.measure(checks)
    cperf.say("\n%d passed, %d failed" % (checks.passed, checks.failed))
    return 1 if checks.failed or not checks.passed else 0


if __name__ == "__main__":
    sys.exit(main())
