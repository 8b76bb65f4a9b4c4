# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""dpdk-accel-tool on a physical function and virtual functions that accel-device serves: share with
--hold, the telemetry of both kinds of functions under load, and top on a physical function. The
program has the transport of test/client, so the card, its mailboxes and its shares are real, and
only the bus is not."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from tool import ABSENT, BROKEN, USAGE, complaint

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "telemetry"))
from telemetry import Telemetry  # noqa: E402  pylint: disable=wrong-import-position

WAIT_S = 1200
VFS_MAX = 64  # without a configuration space it is what the card has room for


class Card:
    """accel-device with a physical function and two virtual ones, which share six queue pairs."""

    def __init__(self, folder):
        self.folder = folder
        self.runs = 0
        command = [os.environ["ACCEL_DEVICE"], "--quiet", "--queue-pairs", "4", "--vf-queue-pairs",
                   "6", "--pf-socket", self.path("pf"), "--control", self.path("control")]
        for name in ("vf0", "vf1"):
            command += ["--socket", self.path(name)]
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + WAIT_S
        while not all(os.path.exists(self.path(name)) for name in ("pf", "vf0", "vf1", "control")):
            assert self.process.poll() is None and time.monotonic() < deadline, "no accel-device"
            time.sleep(0.02)

    def path(self, name):
        """The path of a socket."""
        return os.path.join(self.folder, name)

    def control(self, line):
        """What the card says to a command of its own control socket."""
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(WAIT_S)
            control.connect(self.path("control"))
            control.sendall(line.encode() + b"\n")
            answer = b""
            while not answer.endswith(b"ok\n") and b"error" not in answer:
                answer += control.recv(65536)
        return answer.decode()

    def share(self, number):
        """The share of a VF as the card has it."""
        for line in self.control("shares").splitlines():
            words = line.split()
            if words[0] == "share%d" % number:
                return dict(word.split("=", 1) for word in words[1:])
        raise AssertionError("the card knows no VF %d" % number)

    def eal(self, function):
        """The arguments of the EAL for a function."""
        return ["--no-huge", "-m", "256", "--no-shconf", "--no-pci", "--iova-mode=va",
                "--log-level=error", "--vdev",
                "accel_client0,socket=%s,timeout_ms=60000" % self.path(function)]

    def run(self, tool, function, command, *options, **how):
        """Runs a subcommand on a function."""
        return tool.plain(command, *self.eal(function), "--no-telemetry", "--", *options, **how)

    @contextlib.contextmanager
    def running(self, tool, function, command, *options):
        """A subcommand that runs meanwhile, and its telemetry."""
        self.runs += 1
        prefix = "accel-functions-%d-%d" % (os.getpid(), self.runs)
        argv = [tool.program, command, *self.eal(function), "--file-prefix", prefix, "--", *options]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              stdin=subprocess.DEVNULL) as process:
            process.prefix = prefix
            try:
                yield process, Telemetry(prefix, process)
            finally:
                if process.poll() is None:
                    process.kill()


@contextlib.contextmanager
def card():
    """A card of its own for a test."""
    with tempfile.TemporaryDirectory() as folder:
        new = Card(folder)
        try:
            yield new
        finally:
            new.process.terminate()
            new.process.wait(timeout=WAIT_S)


def wait_for_line(process, *words):
    """Reads what a process prints up to a line that begins with these words."""
    for line in process.stdout:
        if line.split()[:len(words)] == list(words):
            return line
    raise AssertionError("no line %r: %s" % (words, process.stderr.read()))


def end(process):
    """Ends a process as an operator does, and expects that it ends well."""
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=WAIT_S) == 0, process.stderr.read()


def test_set(tool):
    """A share that is set is the one that the card has, and is lost with the program."""
    with card() as c:
        result = c.run(tool, "pf", "share", "--json", "--vf", "1", "--set",
                       "queue-pairs=2,weight=3,peak-ops=100k,algorithms=2/72")
        row = result.json()["vfs"][0]
        assert result.json()["vfs_max"] == VFS_MAX, result
        assert (row["state"], row["queue_pairs"], row["weight"], row["peak_ops"], row["in_effect"],
                row["algorithms"]) == ("ready", 2, 3, 100000, True, "2/72"), row
        assert "--hold keeps it" in result.err, result
        assert c.share(1)["weight"] == "1" and c.share(1)["peak-ops"] == "0", c.share(1)
        rows = c.run(tool, "pf", "share", "--json").json()["vfs"]
        assert [r["state"] for r in rows] == ["ready"] * 2 + ["absent"] * (VFS_MAX - 2), rows


def test_hold(tool):
    """--hold keeps a share: the VF has it, and its rate holds, until the program ends."""
    with card() as c:
        with c.running(tool, "pf", "share", "--vf", "1", "--set",
                       "queue-pairs=2,weight=3,peak-ops=2000", "--hold") as (pf, _):
            wait_for_line(pf, "1", "ready")
            has = c.share(1)
            assert (has["queue-pairs"], has["weight"], has["peak-ops"], has["in_effect"]) == \
                ("2", "3", "2000", "1"), has
            answer = c.run(tool, "vf1", "share", "--json").json()
            assert (answer["function"], answer["is_set"], answer["queue_pairs_now"],
                    answer["weight"], answer["peak_ops"], answer["physical_function"]) == \
                ("virtual", True, 2, 3, 2000, "up"), answer
            complaint(c.run(tool, "vf1", "loopback", "--queue-pairs", "3", code=USAGE),
                      "has 2 queue pairs, not 3")
            began = time.monotonic()
            c.run(tool, "vf1", "loopback", "--queue-pairs", "2", "--operations", "4000", "--sizes",
                  "64", "--algorithms", "aes-cbc", "--interval", "0")
            assert time.monotonic() - began > 1.5, "4000 operations at 2000 a second"
            assert pf.poll() is None, "it did not stay"
            end(pf)
        assert c.share(1)["peak-ops"] == "0", c.share(1)
        answer = c.run(tool, "vf1", "share", "--json").json()
        assert (answer["is_set"], answer["physical_function"]) == (False, "unknown"), answer


def test_wrong(tool):
    """What is no physical function, no VF, or no share."""
    with card() as c:
        complaint(c.run(tool, "vf0", "share", "--vf", "0", "--set", "weight=2", code=ABSENT),
                  "is a VF and has none itself")
        complaint(c.run(tool, "pf", "share", "--ask", "weight=2", code=ABSENT),
                  "is a physical function")
        complaint(c.run(tool, "pf", "share", "--vf", str(VFS_MAX), code=ABSENT),
                  "has VFs 0 to 63, not 64")
        for share in ("weight=0", "weight=65536", "queue-pairs=65536", "peak-ops=-1"):
            complaint(c.run(tool, "pf", "share", "--vf", "0", "--set", share, code=USAGE),
                      "--set takes")
        complaint(c.run(tool, "pf", "share", "--vf", "0", "--set", "queue-pairs=5", code=ABSENT),
                  "cannot set the share")
        complaint(c.run(tool, "pf", "share", "--vf", "0", "--refuse", code=ABSENT),
                  "the VF has not asked")
        with c.running(tool, "vf1", "share", "--hold") as (vf, _):
            wait_for_line(vf, "device:")
            complaint(c.run(tool, "vf1", "share", code=ABSENT), "no crypto device has come up")
            end(vf)
        c.process.terminate()
        c.process.wait(timeout=WAIT_S)
        complaint(c.run(tool, "pf", "share", code=ABSENT), "no crypto device has come up")


def test_no_queue_pairs_left(tool):
    """A card that has no queue pairs left for a share says so, and gives nobody anything."""
    with card() as c:
        item = "0:qp@4"
        eal = c.eal("pf")
        eal[-1] += ",vf_shares=" + item
        complaint(tool.plain("share", *eal, "--no-telemetry", "--", "--vf", "1", "--set",
                             "queue-pairs=3", code=BROKEN), "queue pairs left")
        assert c.share(1)["queue-pairs"] == "4", c.share(1)


def top_of(tool, process, *options):
    """What top says of a process."""
    return tool.plain("top", "--file-prefix", process.prefix, "--count", "1", "--interval", "0.1",
                      *options)


def test_top(tool):
    """A physical function tells of its VFs over telemetry, and top shows them."""
    with card() as c, c.running(tool, "pf", "share", "--vf", "1", "--set",
                                "queue-pairs=2,weight=3,peak-ops=100k,peak-bytes=5G",
                                "--hold") as (pf, telemetry):
        wait_for_line(pf, "1", "ready")
        device = telemetry.ask("device,0")
        assert (device["transport"], device["vfs"], "share" in device) == ("pci", VFS_MAX, False)
        assert telemetry.ask("vfs,0") == {"dev_id": 0, "vfs_max": VFS_MAX, "vfs_enabled": 2,
                                          "vfs": [0, 1]}
        assert telemetry.ask("vf,0,1") == {
            "dev_id": 0, "vf": 1, "state": "ready", "fatal_code": 0, "queue_pairs": 3,
            "share": {"queue_pairs": 2, "weight": 3, "ops_per_second": 100000,
                      "bytes_per_second": 5000000000, "is_set": 1, "in_effect": 1}}
        vf = telemetry.ask("vf,0,0")
        assert (vf["share"]["is_set"], vf["share"]["queue_pairs"]) == (0, 4), vf
        assert telemetry.ask("vf,0,2")["state"] == "absent"
        assert "has no VF 64" in telemetry.ask("vf,0,64")["error"]
        with c.running(tool, "vf1", "share", "--ask", "queue-pairs=3,weight=9", "--hold") as \
                (vf, of_vf):
            wait_for_line(vf, "device:")
            device = of_vf.ask("device,0")
            assert (device["transport"], device["share"]["weight"],
                    device["share"]["pf_state"]) == ("vf", 3, 1), device
            assert of_vf.ask("vfs,0") == {"dev_id": 0, "vfs_max": 0, "vfs_enabled": 0, "vfs": []}
            assert "no physical function" in of_vf.ask("vf,0,0")["error"]
            wish = telemetry.wait_for("vf,0,1", lambda a: "asks_for" in a)["asks_for"]
            assert wish == {"queue_pairs": 3, "weight": 9, "ops_per_second": 0,
                            "bytes_per_second": 0}, wish
            out = top_of(tool, pf).out
            rows = [line.split() for line in out.splitlines() if line.startswith("  0")]
            assert rows == ["0 0 ready 0 3 4 1 - - yes".split(),
                            "0 1 ready 0 2 2 3 100.0k 5.00G yes queue pairs 3, weight 9".split()], \
                out
            assert "share: 2 queue pairs, weight 3, 100.0k ops/s, 5.00GB/s" in \
                top_of(tool, vf).out
            end(vf)
        # The VF's program has gone, and with it what it asked for.
        assert "asks_for" not in telemetry.wait_for("vf,0,1", lambda a: "asks_for" not in a)
        end(pf)


def test_fatal(tool):
    """A VF that has failed as a whole is shown so, with the manual's code."""
    with card() as c, c.running(tool, "pf", "share", "--hold") as (pf, telemetry):
        wait_for_line(pf, "1", "ready")
        assert c.control("fault fatal@100").endswith("ok\n")
        # Its driver heals VF 1, and VF 0 has none.
        c.run(tool, "vf1", "loopback", "--operations", "2000", "--algorithms", "aes-cbc",
              "--interval", "0", code=None)
        vf = telemetry.ask("vf,0,0")
        assert (vf["state"], vf["fatal_code"], vf["queue_pairs"]) == ("fatal", 1, 3), vf
        assert telemetry.ask("vfs,0")["vfs_enabled"] == 2
        lines = top_of(tool, pf).out.splitlines()
        assert "0 0 fatal 1 3 4 1 - - yes".split() in [line.split() for line in lines], lines
        c.run(tool, "vf0", "share")  # which resets it
        assert telemetry.ask("vf,0,0")["state"] == "ready"
        end(pf)


def under_load(tool, c, function, transport):
    """Asks a function under load for everything, and holds it against what the load counts."""
    with c.running(tool, function, "loopback", "--json", "--time", "300", "--algorithms",
                   "aes-cbc", "--sizes", "64", "--interval", "0") as (process, telemetry):
        ask = telemetry.ask
        assert ask("list") == [0]
        telemetry.wait_for("qp,0,0", lambda a: a["dequeued"] > 1000)
        device = ask("device,0")
        assert [device[key] for key in ("name", "transport", "state", "started",
                                        "queue_pairs_set_up")] == \
            ["accel_client0", transport, "ready", 1, 1], device
        assert device["heartbeat_age_us"] < 1000000 * WAIT_S and device["health"]["ops"] > 0
        assert ask("sessions,0")["algorithms"].keys() == {"aes_cbc"}, ask("sessions,0")
        assert ask("latency,0,0,on")["on"] == 1
        latency = telemetry.wait_for("latency,0,0", lambda a: a["count"] > 100)
        assert sum(latency["counts"]) == latency["count"] and latency["p50"] <= latency["p99"]
        errors = ask("errors,0")
        assert (errors["status"], errors["refusals"], errors["descriptors"],
                errors["no_response"]) == ({}, {}, {}, 0), errors
        last = before = ask("qp,0,0")
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(OSError, ValueError):
            while True:
                answer = ask("qp,0,0")
                last = last if "error" in answer else answer
        answer = json.loads(process.stdout.read())["result"]
        assert process.wait(timeout=WAIT_S) == 0, process.stderr.read()
    # The last operations may come after the last question.
    assert before["dequeued"] <= last["dequeued"] <= answer["operations"], (last, answer)
    assert last["doorbells"] == sum(last["enqueue_bursts"].values()), last
    assert last["polls"] == last["empty_polls"] + sum(last["dequeue_bursts"].values()), last
    assert last["enqueued"] <= answer["operations"] and last["in_flight"] <= last["depth"], last
    assert (last["enqueue_errors"], last["dequeue_errors"], last["failures"]) == (0, 0, 0), last
    assert answer["errors"] == 0, answer
    return last["dequeued"], answer["operations"]


def test_telemetry_of_vf(tool):
    """The telemetry of a virtual function under load."""
    with card() as c:
        return "%d of %d operations seen" % under_load(tool, c, "vf0", "vf")


def test_telemetry_of_pf(tool):
    """The telemetry of a physical function under load."""
    with card() as c:
        return "%d of %d operations seen" % under_load(tool, c, "pf", "pci")
