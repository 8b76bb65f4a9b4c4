# SPDX-License-Identifier: BSD-3-Clause
"""Writes a capture file with IPv4 packets of 64 to 1024 bytes of payload."""

import argparse
import struct


def packet(number):
    """Returns an Ethernet frame with an IPv4 header, whose payload has a multiple of 16 bytes."""
    payload = bytes((number + i) & 0xff for i in range(64 + 16 * (number % 61)))
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), number & 0xffff, 0, 64, 17, 0,
                         bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
    return bytes.fromhex("020000000002020000000001") + b"\x08\x00" + header + payload


def main(file, count):
    """Writes the file."""
    with open(file, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for number in range(count):
            data = packet(number)
            out.write(struct.pack("<IIII", 0, number, len(data), len(data)) + data)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("count", type=int, help="packets")
    main(**vars(parser.parse_args()))
