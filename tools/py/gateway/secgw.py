# SPDX-License-Identifier: BSD-3-Clause
"""Runs DPDK's ipsec-secgw, which tools/secgw.sh builds, and the network namespaces at the other
ends of its ports. The EAL arguments, CPUs, the plugin and the program come from the environment
(eal_prepare, plugin_prepare, secgw_build)."""

import ctypes
import os
import re
import signal
import socket
import subprocess
import time
import typing

from base import cperf

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
CONFIG = os.path.join(ROOT, "examples", "gateway", "gateway.cfg")
# Two ports, the second one towards the peer, and one lcore for both.
ARGUMENTS = ["-p", "0x3", "-u", "0x2", "--config", "(0,0,0),(1,0,0)"]
# The Ethernet addresses of the interfaces at the other ends, as in the configuration's neigh lines.
ADDRESSES = ["02:00:00:00:01:00", "02:00:00:00:01:01"]
TAPS = ["gw-plain", "gw-wire"]
# Those of a second gateway.
PEER_TAPS = ["gw2-plain", "gw2-wire"]
# What makes a lookaside protocol session of an SA.
PROTOCOL = "port_id 0 type lookaside-protocol-offload"
# The program works when it prints this.
READY = "entering main loop"
# Seconds after which something that is awaited counts as missing. Nothing takes a tenth of it.
LIMIT_S = 600
# These are in Linux's headers but not in Python's modules.
CLONE_NEWNET = 0x40000000
SOL_PACKET = 263
PACKET_IGNORE_OUTGOING = 23


class SecgwError(Exception):
    """An error that ends the run."""


class Mode(typing.NamedTuple):
    """A way in which the program does ESP."""
    arguments: list
    protocol: bool = False  # the crypto device does all of it (lookaside protocol)

    @property
    def has_window(self):
        """True with a replay window. Then the TTL stays as it is, too."""
        return "-w" in self.arguments

    def config(self, path):
        """Returns the path of the configuration to take in place of this one."""
        return protocol_config(path) if self.protocol else path


# The program's own code, librte_ipsec, and the crypto device. With the latter, library mode only
# hands packets over.
MODES = {"legacy": Mode([]),
         "library": Mode(["-l", "-w", "64"]),
         "protocol": Mode(["-w", "64"], protocol=True),
         "protocol-library": Mode(["-l", "-w", "64"], protocol=True)}
# Scapy has extended sequence numbers for AEADs only, so these modes are left to the closed loop.
MORE_MODES = {"ESN": Mode(["-l", "-w", "64", "-e"]),
              "atomic": Mode(["-l", "-w", "64", "-a"]),
              "protocol-ESN": Mode(["-w", "64", "-e"], protocol=True)}
# The EAL's arguments under valgrind, which has not the address space that huge pages take.
UNDER_EAL = ["--no-huge", "-m", "1024", "--no-shconf", "--no-pci"]
# The drivers that have lookaside protocol sessions for IPsec.
PROTOCOL_DRIVERS = ["crypto_accel"]


def modes_of(device, modes):
    """Returns those of the modes that a driver has."""
    return {name: mode for name, mode in modes.items()
            if device in PROTOCOL_DRIVERS or not mode.protocol}


def write_config(name, text):
    """Writes a configuration that was made from another one. Returns its path."""
    path = os.path.join(cperf.log_dir(), name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def protocol_config(path):
    """Returns the path of a configuration whose SAs leave all of ESP to the crypto device. The
    program takes the type only beside a port_id, whose value has no meaning for it."""
    with open(path, encoding="utf-8") as file:
        text = re.sub("^(mode .*)$", r"\1 " + PROTOCOL, file.read(), flags=re.M)
    return write_config("protocol-" + os.path.basename(path), text)


def mirrored_config(path):
    """Returns the path of the configuration of the other gateway: what goes out of one comes into
    the other. Each has its own networks at port 0 and the other gateway at port 1."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    far = re.findall(r"^sp (ipv\d) out .* dst (\S+)", text, re.M)
    near = set(re.findall(r"^sa out (?:.*\\\n)*mode (ipv\d)-tunnel src (\S+)", text, re.M))
    text = re.sub("^rt .*\n", "", text, flags=re.M)
    text = re.sub(r"^(sa|sp ipv\d) (in|out)\b",
                  lambda m: "%s %s" % (m[1], {"in": "out", "out": "in"}[m[2]]), text, flags=re.M)
    routes = ["rt %s dst %s port 0" % net for net in far]
    routes += ["rt %s dst %s/%d port 1" % (family, address, {"ipv4": 32, "ipv6": 128}[family])
               for family, address in sorted(near)]
    return write_config("mirrored-" + os.path.basename(path), text + "\n".join(routes) + "\n")


def taps(names=None):
    """Returns the EAL arguments for two ports whose other ends are interfaces of the kernel."""
    found = []
    for i, (name, address) in enumerate(zip(names or TAPS, ADDRESSES)):
        found += ["--vdev", "net_tap%d,iface=%s,mac=%s" % (i, name, address)]
    return found


class Secgw:
    """A running ipsec-secgw with its output in a log."""

    # pylint: disable=too-many-arguments,too-many-positional-arguments
    def __init__(self, log, device, ports, arguments=(), config=CONFIG, devargs=(), cpu=None,
                 under=()):
        """Starts the program. `device` is a driver's name, `devargs` are device arguments of
        crypto_accel0, `ports` are EAL arguments, `arguments` those of the program beside ARGUMENTS,
        `cpu` is the CPU of its only lcore, `under` is the command that runs it, if any."""
        self.log = log
        command = ["stdbuf", "-oL", *under, os.environ["ACCEL_SECGW"]]
        command += (UNDER_EAL if under else cperf.eal_args()) + [
            "--lcores", "0@%d" % (cperf.cpus()[0] if cpu is None else cpu)]
        command += cperf.device_args(device, devargs) + ports
        command += ["--"] + ARGUMENTS + list(arguments) + ["-f", config]
        with open(log, "w", encoding="utf-8") as out:
            out.write("$ %s\n" % " ".join(command))
            out.flush()
            # pylint: disable=consider-using-with
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=subprocess.STDOUT)

    def output(self):
        """Returns what the program has printed."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_text(self, text, limit_s=LIMIT_S):
        """Waits until the program has printed a text."""
        end = time.monotonic() + limit_s
        while text not in self.output():
            if self.process.poll() is not None and text not in self.output():
                raise SecgwError("ipsec-secgw ended with code %d, see %s"
                                 % (self.process.returncode, self.log))
            if time.monotonic() > end:
                raise SecgwError("ipsec-secgw does not print '%s', see %s" % (text, self.log))
            time.sleep(0.02)

    def wait_end(self, limit_s=LIMIT_S):
        """Waits until the program has ended by itself. Returns its exit code."""
        try:
            return self.process.wait(limit_s)
        except subprocess.TimeoutExpired as error:
            self.kill()
            raise SecgwError("ipsec-secgw does not end, see %s" % self.log) from error

    def stop(self):
        """Ends the program as a user does. Returns its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.wait_end()

    def kill(self):
        """Ends the program at once, if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def setns(fd):
    """Moves this thread to the network namespace `fd`."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(fd, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


class Namespace:
    """A network namespace that lives as long as this object, with one interface in it."""

    def __init__(self, interface):
        """Makes the namespace and moves an interface of the present one there."""
        self.interface = interface
        # pylint: disable=consider-using-with
        self.holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo; read -r _"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        subprocess.run(["ip", "link", "set", interface, "netns", str(self.holder.pid)], check=True)
        self.call(self.configure)

    def configure(self):
        """Sets the interface up. The kernel shall send nothing by itself there."""
        path = "/proc/sys/net/ipv6/conf/%s/disable_ipv6" % self.interface
        if os.path.exists(path):
            with open(path, "w", encoding="ascii") as file:
                file.write("1")
        subprocess.run(["ip", "link", "set", self.interface, "up"], check=True)

    def call(self, function):
        """Calls a function in the namespace."""
        with open("/proc/self/ns/net", encoding="ascii") as here, \
                open("/proc/%d/ns/net" % self.holder.pid, encoding="ascii") as there:
            setns(there.fileno())
            try:
                return function()
            finally:
                setns(here.fileno())

    def socket(self):
        """Returns a socket for Ethernet frames of the interface."""
        def make():
            sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
            # What this program sends shall not take the space of what it receives.
            sock.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
            sock.bind((self.interface, 0))
            return sock
        return self.call(make)

    def close(self):
        """Removes the namespace."""
        self.holder.stdin.close()
        self.holder.stdout.close()
        self.holder.wait()
