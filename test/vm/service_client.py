# SPDX-License-Identifier: BSD-3-Clause
"""A vfio-user client in the guest of the section service. It kills accel-device.service, which
systemd starts again, and restarts it as an operator and an upgrade do. It has to find its
connection, configuration space, memory map and BAR0 each time."""

import array
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
import time

SOCKET = "/run/accel-device/s0"
CONTROL = "/run/accel-device/control"
VERSION, DMA_MAP, REGION_INFO, REGION_READ, REGION_WRITE = 1, 2, 5, 9, 10
HEADER = struct.Struct("<HHIII")
ACCESS = struct.Struct("<QII")
CONFIG = 7
# Registers of BAR0 (manual 4.1): STATE, RESET_ACK, and RESET_REQ of the next page
STATE, RESET_ACK, RESET_REQ = 0x08, 0x18, 0x1000
READY = 1
DEATHS = 4  # the last one is a restart


def call(sock, command, payload, fds=()):
    """Sends a command. Returns payload and descriptors of its reply."""
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    head = HEADER.pack(command, command, HEADER.size + len(payload), 0, 0)
    sock.sendmsg([head + payload], rights)
    head, found, _, _ = socket.recv_fds(sock, HEADER.size, 4)
    _, answered, size, flags, error = HEADER.unpack(head)
    body = b""
    while len(body) < size - HEADER.size:
        body += sock.recv(size - HEADER.size - len(body))
    if answered != command or flags & 0x20:
        sys.exit("command %d: reply to %d, error %d" % (command, answered, error))
    return body, found


def main_pid():
    """Returns the service's process, 0 if there is none."""
    out = subprocess.run(["systemctl", "show", "-P", "MainPID", "accel-device"], check=True,
                         stdout=subprocess.PIPE, text=True)
    return int(out.stdout)


def register(bar, offset):
    """Reads a register of BAR0."""
    return struct.unpack_from("<I", bar, offset)[0]


def wait(condition, what):
    """Waits for something that comes soon, or never."""
    end = time.monotonic() + 300
    while not condition():
        if time.monotonic() > end:
            sys.exit("%s: never" % what)
        time.sleep(0.01)


def stats():
    """Returns the counters of the function."""
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(CONTROL)
        sock.sendall(b"stats\n")
        text = b""
        while not text.endswith(b"ok\n"):
            text += sock.recv(65536)
    line = next(line for line in text.decode().splitlines() if line.startswith("function0"))
    return dict(word.split("=") for word in line.split()[1:])


def reset(bar):
    """Resets the function, as a driver does. Only a daemon that has this BAR0 answers."""
    request = register(bar, RESET_ACK) + 1
    struct.pack_into("<I", bar, RESET_REQ, request)
    wait(lambda: register(bar, RESET_ACK) == request and register(bar, STATE) == READY, "a reset")


def main():
    """Connects, kills and looks."""
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(SOCKET)
    call(sock, VERSION, struct.pack("<HH", 0, 1))
    memory = os.memfd_create("memory")
    os.ftruncate(memory, 1 << 20)
    call(sock, DMA_MAP, struct.pack("<IIQQQ", 32, 3, 0, 1 << 20, 1 << 20), [memory])
    call(sock, REGION_WRITE, ACCESS.pack(4, CONFIG, 2) + b"\x06\x00")
    info, fds = call(sock, REGION_INFO, struct.pack("<IIIIQQ", 64, 0, 0, 0, 0, 0))
    bar = mmap.mmap(fds[0], struct.unpack_from("<Q", info, 16)[0])
    reset(bar)
    for death in range(DEATHS):
        pid = main_pid()
        if death < DEATHS - 1:
            os.kill(pid, signal.SIGKILL)
        else:
            subprocess.run(["systemctl", "restart", "accel-device"], check=True)
        body, _ = call(sock, REGION_READ, ACCESS.pack(4, CONFIG, 2))
        if body[ACCESS.size:] != b"\x06\x00":
            sys.exit("the command register is %s" % body[ACCESS.size:].hex())
        if register(bar, RESET_ACK) != 0 or main_pid() == pid:
            sys.exit("the function was not reset by another daemon")
        reset(bar)
        found = stats()
        if (found["maps"], found["files"], found["bus_master"]) != ("1", "1", "1"):
            sys.exit("maps, files or bus master are lost: %s" % found)
    print("%d deaths" % DEATHS)


main()
