# SPDX-License-Identifier: BSD-3-Clause
"""Two ipsec-secgw as each other's peers, for gateway.py: the first one with lookaside
protocol sessions, the second one with ESP in software. The network between them loses, delays,
repeats and damages packets, and each packet that has to come out has to come out once."""

from gateway import secgw, secgw_peer

# Packets of a tunnel in each direction, and how many of them are in the network at a time.
PACKETS = 192
BATCH = 48
# The replay window of both, as secgw.MODES has it.
WINDOW = 64


def next_hop(packet):
    """Returns an inner packet with a lower TTL, and with no checksum."""
    packet = bytearray(packet)
    if packet[0] >> 4 == 6:
        packet[7] -= 1
    else:
        packet[8] -= 1
    return bytes(packet)


def plain(packet):
    """Returns an inner packet without the checksum of IPv4, which has two forms of zero."""
    packet = bytearray(packet)
    if packet[0] >> 4 == 4:
        packet[10:12] = bytes(2)
    return bytes(packet)


class Network:
    """One direction of the network. With a window, the receiver gets packets that it has to refuse
    for their number."""

    def __init__(self, rng, window):
        self.rng, self.window = rng, window
        self.top = 0
        self.old = []  # (number, packet) that were delivered
        self.late = []  # those that were not

    def damaged(self, packet):
        """Returns the packet with a bit changed behind its sequence number."""
        packet = bytearray(packet)
        start = (20 if packet[0] >> 4 == 4 else 40) + 8
        packet[self.rng.randrange(start, len(packet))] ^= 1 << self.rng.randrange(8)
        return bytes(packet)

    def repeats(self):
        """Returns packets that were delivered before and have to be refused now."""
        if not self.window:
            return []
        return [packet for _, packet in self.rng.sample(self.old, min(len(self.old), 12))]

    def held_back(self):
        """Returns packets that come so late that they are behind the window, and have never been
        delivered."""
        late = [p for number, p in self.late if number + WINDOW < self.top] if self.window else []
        self.late = [(number, p) for number, p in self.late if p not in late]
        return late

    def carry(self, packets):
        """Takes (packet, inner) pairs. Returns the packets to deliver in this order, each with the
        inner packet that has to come out, or None."""
        good = []
        for packet, inner in packets:
            number = secgw_peer.esp_header(packet)[1]
            fate = self.rng.randrange(10)
            if fate == 0:
                self.late.append((number, packet))
            elif fate == 1:
                good.append((self.damaged(packet), None, 0))
            else:
                good.append((packet, inner, number))
        for i in range(len(good)):  # nothing moves further than the window
            k = min(len(good) - 1, i + self.rng.randrange(20))
            good[i], good[k] = good[k], good[i]
        found = []
        for packet, inner, number in good:
            found.append((packet, inner))
            if inner is not None:
                self.top = max(self.top, number)
                self.old.append((number, packet))
        return found + [(packet, None) for packet in self.held_back() + self.repeats()]


def direction(tunnel, way, ends, network, hops):
    """Sends packets of a tunnel from one gateway to the other. `ends` are the wires of both, `hops`
    the functions that lower the TTL at each. Returns what is wrong, or an empty text."""
    sender, receiver = ends
    for first in range(0, PACKETS, BATCH):
        last = first + BATCH == PACKETS
        inner = [tunnel.inner(way, network.rng.randbytes(network.rng.randrange(1300)), network.rng)
                 for _ in range(BATCH)]
        for packet in inner:
            sender.send(0, packet)
        wire = sender.receive(1, BATCH)
        if len(wire) != BATCH:
            return "the sender gave %d of %d packets" % (len(wire), BATCH)
        if [secgw_peer.esp_header(p)[1] for p in wire] != list(range(first + 1, first + BATCH + 1)):
            return "the sender's numbers are not in order"
        packets = list(zip(wire[:-1], inner))
        delivered = network.carry(packets)
        # A good packet at the end shows that nothing is still to come.
        delivered.append((wire[-1], inner[BATCH - 1]))
        network.top = max(network.top, first + BATCH)
        for packet, _ in delivered:
            receiver.send(1, packet)
        want = [plain(hops(p)) for _, p in delivered if p is not None]
        got = [plain(p) for p in receiver.receive(0, len(want))]
        if got != want:
            return "%d packets came out, %d right ones should%s" % (
                len(got), len(want), "; the last batch" if last else "")
    return ""


def check(checks, wires, library, rng):
    """Checks all tunnels in both directions. `wires` are those of the gateway with lookaside
    protocol and of the other one, `library` says that the other one is librte_ipsec."""
    def lower(packet):
        return packet if library else next_hop(packet)

    for tunnel in secgw_peer.tunnels(secgw.CONFIG):
        # A packet that the program or librte_ipsec refuses for its number harms those behind it in
        # one burst (the guide's limits of the program), and a slow program reads all in one burst.
        wrong = direction(tunnel, "out", wires, Network(rng, False), lower)
        checks.check("%s: %d packets from lookaside protocol to software" % (tunnel.title, PACKETS),
                     wrong)
        for part in wires:
            part.flush()
        wrong = direction(tunnel, "in", wires[::-1], Network(rng, True), lower)
        checks.check("%s: %d packets from software to lookaside protocol" % (tunnel.title, PACKETS),
                     wrong)
        for part in wires:
            part.flush()
