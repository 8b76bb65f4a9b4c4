# SPDX-License-Identifier: BSD-3-Clause
"""Breaks the card under an unmodified ipsec-secgw, which does not know of errors. Its tunnels have
to work before, between and after the outages. tools/gateway-heal calls this in a network namespace
of its own."""

import argparse
import os
import random
import selectors
import sys
import time

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import cperf
from gateway import gateway, secgw, secgw_peer

# What happens to the card, after so many operations that it has carried out.
FAULTS = {"dead": 300, "stall": 900, "fatal": 1500}
# Lines of the driver for each queue pair.
FAILED = "they come back with an error"
HEALED = "works again, started"


def arrived(wires):
    """Returns the packets that the gateway has sent so far: pairs of port and IP packet."""
    found = []
    with selectors.DefaultSelector() as selector:
        for port, sock in enumerate(wires.sockets):
            selector.register(sock, selectors.EVENT_READ, port)
        while True:
            events = selector.select(0.01)
            if not events:
                return found
            for key, _ in events:
                frame, address = key.fileobj.recvfrom(65535)
                if address[2] != 4 and frame[12:14] in secgw_peer.ETHERTYPE.values():
                    found.append((key.data, frame[14:]))


class Traffic:
    """Packets in both directions of all tunnels. Each one that comes must be right, and come once.
    One that does not come remains in `waiting`."""

    def __init__(self, peer):
        self.peer = peer
        self.tunnels = secgw_peer.tunnels(secgw.CONFIG)
        self.number = [0] * len(self.tunnels)
        self.waiting = set()  # pairs of port and inner packet, as the gateway forwards it
        self.sent = 0
        self.came = 0

    def send(self):
        """Sends a packet in each direction of each tunnel. Returns what has to come: pairs of port
        and packet."""
        sent = []
        for index, tunnel in enumerate(self.tunnels):
            rng = self.peer.rng
            plain = tunnel.inner("out", rng.randbytes(rng.randrange(200)), rng)
            sent.append((1, self.peer.forwarded(plain)))
            self.peer.wires.send(0, plain)
            plain = tunnel.inner("in", rng.randbytes(rng.randrange(200)), rng)
            sent.append((0, self.peer.forwarded(plain)))
            self.number[index] += 1
            self.peer.wires.send(1, tunnel.encrypt(plain, self.number[index]))
        self.waiting.update(sent)
        self.sent += len(sent)
        return sent

    def decrypted(self, packet):
        """Returns the inner packet of one that the gateway has encrypted."""
        if secgw_peer.is_esp(packet):
            spi = secgw_peer.esp_header(packet)[0]
            for tunnel in self.tunnels:
                if tunnel.spi["out"] == spi:
                    return gateway.same_zero(tunnel.decrypt(packet))
        raise ValueError("a packet that is in no tunnel")

    def take(self):
        """Takes what has come. Raises an exception if something is wrong with it."""
        for port, packet in arrived(self.peer.wires):
            try:
                inner = self.decrypted(packet) if port == 1 else gateway.same_zero(packet)
            except Exception as error:  # pylint: disable=broad-except # scapy raises many
                raise secgw.SecgwError("a packet at port %d: %s: %s" % (
                    port, type(error).__name__, error)) from error
            if (port, inner) not in self.waiting:
                raise secgw.SecgwError(
                    "a packet at port %d that nobody has sent, or for the second time" % port)
            self.waiting.remove((port, inner))
            self.came += 1

    def complete(self, rounds=8, given_up=lambda: False):
        """Sends packets, all of which have to come. `given_up` says that they cannot."""
        sent = {packet for _ in range(rounds) for packet in self.send()}
        end = time.monotonic() + secgw.LIMIT_S
        while sent & self.waiting:
            self.take()
            if time.monotonic() > end or given_up():
                return "%d of %d packets are missing" % (len(sent & self.waiting), len(sent))
        return ""

    def until_healed(self, program, failures):
        """Sends packets until there were more failures than these, and all queue pairs are healed.
        A queue pair that a reset has stopped does not fail before its next packet, so a packet
        must come through each tunnel in each direction as well."""
        def outage():
            text = program.output()
            return text.count(FAILED) <= failures or text.count(FAILED) > text.count(HEALED)

        end = time.monotonic() + secgw.LIMIT_S
        while outage() or self.complete(1, outage):
            self.send()
            self.take()
            if program.process.poll() is not None:
                return "the gateway has ended with code %d" % program.process.returncode
            if time.monotonic() > end:
                return "it is not healed"
        return ""


def check_outages(checks, program, traffic, mode):
    """Sends traffic before, during and after each outage."""
    checks.check("%s: all packets come through all tunnels" % mode, traffic.complete())
    for fault in FAULTS:
        failures = program.output().count(FAILED)
        lost = traffic.sent - traffic.came
        checks.check("%s: %s card: what comes is right, and the queue pairs are healed" %
                     (mode, fault), traffic.until_healed(program, failures))
        checks.check("%s: %s card: then all packets come through all tunnels" % (mode, fault),
                     traffic.complete())
        lost = traffic.sent - traffic.came - lost
        checks.check("%s: %s card: %d packets were lost" % (mode, fault, lost),
                     "" if lost > 0 else "there was no outage")


def check_mode(checks, mode, seed):
    """Runs the gateway in one mode on a card that fails three times."""
    cperf.say("\n==> ipsec-secgw, %s mode, on a card that fails (seed %d)" % (mode, seed))
    log = "%s/gateway-heal-%s.log" % (cperf.log_dir(), mode)
    faults = "+".join("%s@%d" % item for item in FAULTS.items())
    how = secgw.MODES[mode]
    program = secgw.Secgw(log, "crypto_accel", secgw.taps(), how.arguments,
                          how.config(secgw.CONFIG), ["timeout_ms=100", "faults=" + faults])
    wires = None
    try:
        program.wait_text(secgw.READY)
        wires = gateway.Wires()
        check_outages(checks, program,
                      Traffic(gateway.Peer(wires, how.has_window, seed)), mode)
        code = program.stop()
        checks.check("%s: the gateway ends" % mode,
                     "" if code == 0 else "exit code %d, see %s" % (code, log))
    except secgw.SecgwError as error:
        checks.check("%s: the gateway works" % mode, str(error))
    finally:
        program.kill()
        if wires is not None:
            wires.close()


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    args = parser.parse_args()
    checks = gateway.Checks()
    for mode in secgw.MODES:
        check_mode(checks, mode, args.seed)
    cperf.say("%d passed, %d failed" % (checks.passed, checks.failed))
    return 1 if checks.failed or not checks.passed else 0


if __name__ == "__main__":
    sys.exit(main())
