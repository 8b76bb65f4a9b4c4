#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A tunnel of unchanged OpenVPN between two network namespaces, with the files of examples/tls.

vpn.py SECONDS MODULE PLUGIN   iperf3 through the tunnel, with and without the provider: a table

Both sides run on this machine. A row has what iperf3 measured, and the time on a CPU that each
side's own thread took for a gigabyte; the device's threads are counted apart."""

import contextlib
import json
import os
import subprocess
import sys
import time

import example
import ossl

HERE, THERE = "10.8.0.1", "10.8.0.2"
MTUS = (1500, 6000, 48000)
# Which provider, and the size from which the card encrypts packets.
SIDES = (("OpenSSL's default provider", None), ("the card, all packets", "0"),
         ("the card, from 4096 bytes on", "4096"))


class Far:
    """A second network namespace, beside the one that this process is in. A cable is between."""

    def __init__(self):
        # The namespace lives as long as this program, which ends with its input.
        # pylint: disable-next=consider-using-with
        self.holder = subprocess.Popen(["unshare", "-n", "sh", "-c", "echo; exec cat"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        self.enter = ["nsenter", "-t", str(self.holder.pid), "-n", "--"]
        for command in (["ip", "link", "add", "near0", "mtu", "65535", "type", "veth", "peer",
                         "name", "far0", "mtu", "65535", "netns", str(self.holder.pid)],
                        ["ip", "address", "add", "192.0.2.1/24", "dev", "near0"],
                        ["ip", "link", "set", "near0", "up"],
                        [*self.enter, "ip", "address", "add", "192.0.2.2/24", "dev", "far0"],
                        [*self.enter, "ip", "link", "set", "far0", "up"],
                        [*self.enter, "ip", "link", "set", "lo", "up"]):
            subprocess.run(command, check=True)

    def end(self):
        """Takes the namespace and the cable away."""
        self.holder.stdin.close()
        self.holder.wait()
        self.holder.stdout.close()


def cpu(process):
    """Seconds on a CPU of a process's own thread, and of its other threads."""
    own, other = 0, 0
    for task in os.listdir("/proc/%d/task" % process.pid):
        with open("/proc/%d/task/%s/stat" % (process.pid, task), encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        if int(task) == process.pid:
            own += ticks
        else:
            other += ticks
    return own / os.sysconf("SC_CLK_TCK"), other / os.sysconf("SC_CLK_TCK")


class Tunnel:
    """Both sides of a tunnel. `envs` has the environment of each, or None: no provider."""

    def __init__(self, tests, far, mtu, envs, more=()):
        self.sides = []
        self.logs = []
        for name, env, enter in zip(("server", "client"), envs, ([], far.enter)):
            command = [*enter, "openvpn", "--config", "openvpn-%s.conf" % name, "--tun-mtu",
                       str(mtu), *more]
            if env is None:
                command += ["--providers", "default"]
            log = os.path.join(tests.dir, name + ".log")
            self.logs.append(log)
            with open(log, "wb") as file:
                # pylint: disable-next=consider-using-with
                self.sides.append(subprocess.Popen(command, cwd=tests.dir, stdout=file,
                                                   env=dict(os.environ) if env is None else env,
                                                   stdin=subprocess.DEVNULL, stderr=file))

    def text(self):
        """What both have said."""
        text = ""
        for log in self.logs:
            with open(log, encoding="utf-8", errors="replace") as file:
                text += file.read()
        return text

    def ready(self):
        """Waits until both have done the handshake. False if one of them has ended."""
        while not any(side.poll() is not None for side in self.sides):
            if self.text().count("Initialization Sequence Completed") == len(self.sides):
                return True
            time.sleep(0.1)
        return False

    def end(self):
        """Ends both. True if they ended as they were told to."""
        for side in self.sides:
            side.terminate()
        return [side.wait(60) for side in self.sides] == [0, 0]


@contextlib.contextmanager
def tunnel(tests, far, mtu, envs, more=()):
    """A tunnel for the time of a block."""
    made = Tunnel(tests, far, mtu, envs, more)
    try:
        yield made
    finally:
        made.end()


def iperf(far, seconds):
    """Bytes and bits per second of one TCP connection through the tunnel, as the receiver says."""
    with subprocess.Popen([*far.enter, "iperf3", "-s", "-1", "-B", THERE],
                          stdout=subprocess.DEVNULL) as server:
        for _ in range(100):
            done = subprocess.run(["iperf3", "-c", THERE, "-t", str(seconds), "-J"],
                                  stdout=subprocess.PIPE, check=False)
            result = json.loads(done.stdout)
            if "error" not in result:
                break
            time.sleep(0.2)
        server.wait()
    end = result["end"]["sum_received"]
    return end["bytes"], end["bits_per_second"]


def measure(tests, seconds):
    """Prints a row for each size of packets and each way to encrypt them."""
    far = Far()
    print("| tun-mtu | encrypted by | Mbit/s | sender, s of CPU per GB | receiver, s per GB | "
          "device's threads, s per GB | packets on the card |")
    print("|" + "---|" * 7)
    for mtu in MTUS:
        for name, size in SIDES:
            env = None if size is None else tests.env("crypto_accel0", REPORT=tests.report,
                                                      MIN_SIZE=size, TIMEOUT="20000")
            with tunnel(tests, far, mtu, (env, env)) as both:
                if not both.ready():
                    sys.exit("there is no tunnel:\n" + both.text())
                before = [cpu(side) for side in both.sides]
                moved, rate = iperf(far, seconds)
                after = [cpu(side) for side in both.sides]
            spent = [(a[0] - b[0]) / moved * 1e9 for a, b in zip(after, before)]
            device = sum(a[1] - b[1] for a, b in zip(after, before)) / moved * 1e9
            done = example.counted(tests, "operations").get("AES-256-GCM", 0)
            if moved == 0 or (done > 100) != (size == "0" or size == "4096" and mtu > 4096):
                sys.exit("tun-mtu %d, %s: %d bytes, %d packets on the card" %
                         (mtu, name, moved, done))
            print("| %d | %s | %.0f | %.2f | %.2f | %.2f | %d |" %
                  (mtu, name, rate / 1e6, *spent, device, done), flush=True)
    far.end()


def main():
    """Measures."""
    example.own_network()
    tests = ossl.Tests(*sys.argv[2:])
    example.prepare(tests)
    measure(tests, int(sys.argv[1]))
    tests.end()


if __name__ == "__main__":
    main()
