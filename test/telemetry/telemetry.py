# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Asks a running dpdk-test-crypto-perf over its telemetry socket, and holds the answers against
what the program itself prints. Prints TAP. The card is one of these:

  the embedded device;
  with ACCEL_DEVICE, the program accel-device: the plug-in reaches it with the transport of
  test/client, so the driver sees a PCI function;
  with ACCEL_FUNCTION, a PCI function in the guest of tools/vm-test. The host injects the faults.

The program runs the same number of operations for each of two sizes of bursts. The device dies
after the last operation of the first one. So the program has printed its row, and the counters then
stand still until timeout_ms is over."""

import glob
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "common"), os.path.join(HERE, "..", "..", "tools", "py")]
from base import cperf  # noqa: E402
from telemetry_client import TelemetryClient  # noqa: E402

OPERATIONS = 20000
# A run that outlives each test. Before each row the program calls enqueue as often as the row has
# operations, with none, so many short rows begin sooner than a long one.
ENDLESS = ["32"] * 32, 6000000
WAIT_S = 1200  # patience, of a guest without KVM, too
QUEUE_PAIR = 0


class Embedded:
    """The embedded device."""

    name, transport = "crypto_accel0", "embedded"

    @staticmethod
    def argv(faults, devargs):
        """Prepares a card with these faults, and returns the EAL's arguments for it."""
        return cperf.device_args("crypto_accel", (["faults=" + faults] if faults else []) + devargs)

    @staticmethod
    def end():
        """Ends the card."""


class Client:
    """A physical function that accel-device serves, in the driver of this host."""

    name, transport = "accel_client0", "pci"

    def __init__(self):
        self.daemon, self.folder = None, None

    def argv(self, faults, devargs):
        """As above."""
        # pylint: disable=consider-using-with
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "s")
        command = [os.environ["ACCEL_DEVICE"], "--socket", path, "--quiet"]
        self.daemon = subprocess.Popen(command + (["--faults", faults] if faults else []))
        deadline = time.monotonic() + WAIT_S
        while not os.path.exists(path):
            if self.daemon.poll() is not None or time.monotonic() > deadline:
                self.end()
                raise AssertionError("accel-device does not serve")
            time.sleep(0.02)
        return ["-d", os.environ["ACCEL_PLUGIN"], "--iova-mode=va", "--vdev",
                ",".join(["accel_client0", "socket=" + path] + devargs)]

    def end(self):
        """As above."""
        self.daemon.terminate()
        self.daemon.wait()
        self.folder.cleanup()


class Function:
    """A PCI function in the guest. Its opening gives it a function level reset, which cures it."""

    name, transport = os.environ.get("ACCEL_FUNCTION"), "pci"

    def __init__(self):
        # The port to the host (test/vm/lib.sh), and the number of the function there.
        self.host = int(os.environ.get("ACCEL_HOST_FD", "-1"))
        self.number = os.environ.get("ACCEL_FUNCTION_NUMBER")

    def inject(self, faults):
        """Has the host inject faults."""
        os.write(self.host, ("do fault %s %s\n" % (self.number, faults)).encode())
        answer = b""
        while not answer.endswith(b"\n"):
            answer += os.read(self.host, 1)
        if answer.strip() != b"ok":
            raise AssertionError("the host: %r" % answer)

    def argv(self, faults, devargs):
        """As above."""
        if faults:
            self.inject(faults)
        return ["-d", os.environ["ACCEL_PLUGIN"], "-a", ",".join([self.name] + devargs)]

    def end(self):
        """As above."""
        self.inject("none")


def kind_of_card():
    """Returns the class of the card."""
    if os.environ.get("ACCEL_FUNCTION"):
        return Function
    return Client if os.environ.get("ACCEL_DEVICE") else Embedded


CARD = kind_of_card()


class Telemetry:
    """A connection to the telemetry socket of a program."""

    def __init__(self, prefix, process):
        folders = [os.path.join(os.environ.get("RUNTIME_DIRECTORY", "/var/run"), "dpdk", prefix),
                   os.path.join(os.environ.get("XDG_RUNTIME_DIR", "/tmp"), "dpdk", prefix)]
        deadline = time.monotonic() + WAIT_S
        while True:
            paths = [p for f in folders for p in glob.glob(f + "/dpdk_telemetry.v2*")]
            try:
                self.client = TelemetryClient(paths[0], WAIT_S)
                break
            except (IndexError, OSError):
                pass
            if time.monotonic() > deadline or process.poll() is not None:
                process.kill()
                raise AssertionError("no telemetry socket of " + prefix)
            time.sleep(0.05)

    def ask(self, question):
        """Returns the answer to a command below /cryptodev/accel."""
        uri, _, arg = question.partition(",")
        return self.client.cmd("/cryptodev/accel/" + uri, arg or None)

    def wait_for(self, question, condition):
        """Asks until a condition holds, and returns the answer."""
        deadline = time.monotonic() + WAIT_S
        while True:
            answer = self.ask(question)
            if "error" not in answer and condition(answer):
                return answer
            if time.monotonic() > deadline:
                raise AssertionError("%s: %s" % (question, answer))
            time.sleep(0.02)


class Perf:
    """A run of dpdk-test-crypto-perf on a card."""

    number = 0

    def __init__(self, faults, devargs, arguments, eal=()):
        Perf.number += 1
        prefix = "accel-telemetry-%d-%d" % (os.getpid(), Perf.number)
        mapping = cperf.lcores()
        argv = [cperf.PROGRAM, "--lcores", mapping, "--log-level=error", "--file-prefix", prefix]
        argv += [a for a in cperf.eal_args() if a != "--no-telemetry"] + list(eal)
        self.card = CARD()
        argv += self.card.argv(faults, devargs)
        argv += ["--", "--devtype", "crypto_accel", "--silent", "--csv-friendly"] + arguments
        self.process = subprocess.Popen(
            ["stdbuf", "-oL"] + argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, start_new_session=True, text=True)
        self.telemetry = None
        try:
            if "--no-telemetry" not in eal:
                self.telemetry = Telemetry(prefix, self.process)
        except AssertionError:
            self.__exit__()
            raise

    def row(self):
        """Waits for the next row of numbers: burst, enqueued, dequeued, failed enqueues and
        dequeues."""
        for line in self.process.stdout:
            parts = line.split(",")
            if len(parts) >= 8 and re.match(r"\s*\d+$", parts[0]):
                return [int(p) for p in parts[2:7]]
        raise AssertionError("crypto-perf ended without a row")

    def __enter__(self):
        return self

    def __exit__(self, *args):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.stdout.close()
        self.process.wait()
        self.card.end()


def symmetric(bursts, operations=OPERATIONS):
    """The arguments of a cipher, with a row of that many operations for each size of bursts."""
    return ["--ptest", "throughput", "--buffer-sz", "64", "--burst-sz", ",".join(bursts),
            "--total-ops", str(operations)] + cperf.ALGORITHMS["aes-128-cbc"].split()


def expect(what, got, wanted):
    """Compares two values."""
    if got != wanted:
        raise AssertionError("%s: %r, and not %r" % (what, got, wanted))


def frozen(telemetry, operations):
    """Waits until the device is dead and the program waits for it: the queue pair has all
    operations of the second row, or as many as it takes."""
    return telemetry.wait_for("qp,0,%d" % QUEUE_PAIR,
                              lambda a: a["dequeued"] >= operations and
                              a["in_flight"] == min(a["depth"], operations))


def progress(telemetry):
    """Waits until the program has dequeued several bursts more, whoever had the CPU."""
    dequeued = telemetry.ask("qp,0,0")["dequeued"]
    telemetry.wait_for("qp,0,0", lambda a: a["dequeued"] > dequeued + 1000)


def check_bursts(qp, name, total, burst):
    """Bursts by their size have as many operations as there were."""
    least = most = 0
    for key, number in qp[name].items():
        low, high = (int(n) for n in (key.split("_") * 2)[:2])
        least += low * number
        most += high * number
    if not least <= total <= most:
        raise AssertionError("%s %r do not have %d operations" % (name, qp[name], total))
    low = 1 << (burst.bit_length() - 1)
    if name == "enqueue_bursts" and "%d_%d" % (low, 2 * low - 1) not in qp[name]:
        raise AssertionError("%s %r has no bursts of %d" % (name, qp[name], burst))


def test_counters():
    """Counters of a queue pair, errors by status, sessions"""
    faults = "status:7@100/100+dead@%d" % OPERATIONS
    with Perf(faults, ["timeout_ms=60000"], symmetric(["32", "8"])) as perf:
        ask = perf.telemetry.ask
        burst, enqueued, dequeued, failed_enqueues, failed_dequeues = perf.row()
        expect("operations that crypto-perf reports", (burst, enqueued, dequeued),
               (32, OPERATIONS, OPERATIONS))
        qp = frozen(perf.telemetry, OPERATIONS)
        expect("dequeued", qp["dequeued"], dequeued)
        expect("enqueued", qp["enqueued"], enqueued + qp["in_flight"])
        expect("polls", qp["polls"], qp["empty_polls"] + sum(qp["dequeue_bursts"].values()))
        expect("doorbells", qp["doorbells"], sum(qp["enqueue_bursts"].values()))
        expect("mode", qp["mode"], "running")
        expect("errors", (qp["enqueue_errors"], qp["dequeue_errors"]), (0, OPERATIONS // 100))
        expect("failures", (qp["failures"], qp["resets"]), (0, 0))
        check_bursts(qp, "enqueue_bursts", qp["enqueued"], 32)
        check_bursts(qp, "dequeue_bursts", qp["dequeued"], 32)
        if failed_enqueues != 0 and qp["waits"] == 0:
            raise AssertionError("crypto-perf failed to enqueue %d, and no wait was counted" %
                                 failed_enqueues)
        # An enqueue that waits fails to take from 1 to 32 operations. The second row has begun.
        if failed_enqueues > 32 * qp["waits"]:
            raise AssertionError("%d failed enqueues, %d waits" % (failed_enqueues, qp["waits"]))
        if failed_dequeues > qp["empty_polls"]:
            raise AssertionError("%d failed dequeues, %d empty polls" % (failed_dequeues,
                                                                         qp["empty_polls"]))
        if not qp["in_flight"] <= qp["in_flight_max"] <= qp["depth"]:
            raise AssertionError("in flight: %r" % qp)
        errors = ask("errors,0")
        expect("status", errors["status"], {"engine_error": OPERATIONS // 100})
        expect("others", (errors["refusals"], errors["descriptors"], errors["no_response"]),
               ({}, {}, 0))
        sessions = ask("sessions,0")
        expect("sessions", (sessions["alive"], sessions["algorithms"]), (1, {"aes_cbc": 1}))


def test_device():
    """What a device is, and that its heart has stopped"""
    with Perf("dead@%d" % OPERATIONS, ["timeout_ms=60000"], symmetric(["32", "8"])) as perf:
        ask = perf.telemetry.ask
        expect("list", ask("list"), [0])
        perf.row()
        frozen(perf.telemetry, OPERATIONS)
        device = ask("device,0")
        identity = [device[key] for key in ("dev_id", "name", "transport", "started")]
        expect("identity", identity, [0, CARD.name, CARD.transport, 1])
        expect("pci", device.get("pci") is not None, CARD.transport != "embedded")
        expect("queue pairs", device["queue_pairs_set_up"], 1)
        time.sleep(0.3)
        first, second = ask("device,0"), ask("device,0")
        expect("heartbeat", second["heartbeat"], first["heartbeat"])
        if second["heartbeat_age_us"] < first["heartbeat_age_us"] + 90000:
            raise AssertionError("a heart that stands still: %d and then %d us" % (
                first["heartbeat_age_us"], second["heartbeat_age_us"]))


def test_healing():
    """A failure and a reset have their reason and time"""
    with Perf("corrupt@5000", [], symmetric(*ENDLESS)) as perf:
        qp = perf.telemetry.wait_for("qp,0,0", lambda a: a["resets"] >= 1)
        expect("failures", (qp["failures"], qp["resets"]), (1, 1))
        expect("reasons", (qp["last_failure"]["reason"], qp["last_reset"]["reason"]),
               ("response_mismatch", "driver"))
        ages = qp["last_failure"]["ago_us"], qp["last_reset"]["ago_us"]
        if not 0 < ages[1] < ages[0] < WAIT_S * 1000000:
            raise AssertionError("the reset follows the failure: %r" % (ages,))
        errors = perf.telemetry.ask("errors,0")
        # The responses behind the one with the wrong tag are lost with it.
        if not 1 <= errors["no_response"] == qp["dequeue_errors"]:
            raise AssertionError("%r %r" % (errors, qp))
        expect("device", perf.telemetry.ask("device,0")["failures"], 1)


def test_latency():
    """Latencies are off, on, forgotten and off again"""
    with Perf(None, [], symmetric(*ENDLESS)) as perf:
        telemetry = perf.telemetry
        telemetry.wait_for("qp,0,0", lambda a: a["dequeued"] > 0)
        expect("off", {k: telemetry.ask("latency,0,0")[k] for k in ("on", "count", "max")},
               {"on": 0, "count": 0, "max": 0})
        before = telemetry.ask("qp,0,0")["dequeued"]
        expect("on", telemetry.ask("latency,0,0,on")["on"], 1)
        latency = telemetry.wait_for("latency,0,0", lambda a: a["count"] > 10000)
        after = telemetry.ask("qp,0,0")["dequeued"]
        expect("unit", latency["unit"], "ns")
        expect("sum", sum(latency["counts"]), latency["count"])
        expect("bounds", len(latency["bounds"]), len(latency["counts"]))
        expect("order", sorted(set(latency["bounds"])), latency["bounds"])
        if latency["count"] > after - before:
            raise AssertionError("%d measured of %d" % (latency["count"], after - before))
        if not 0 < latency["p50"] <= latency["p99"] <= latency["p99_9"] <= latency["max"]:
            raise AssertionError("percentiles: %r" % latency)
        half = 0
        for bound, count in zip(latency["bounds"], latency["counts"]):
            half += count
            if 2 * half >= latency["count"]:
                expect("half", latency["p50"], min(bound, latency["max"]))
                break
        expect("off", telemetry.ask("latency,0,0,off")["on"], 0)
        progress(telemetry)  # a burst that was under way may still be measured
        count = telemetry.ask("latency,0,0")["count"]
        progress(telemetry)
        expect("after off", telemetry.ask("latency,0,0")["count"], count)
        expect("reset", telemetry.ask("latency,0,0,reset")["count"], 0)
        after = telemetry.ask("qp,0,0")
        expect("works", after["mode"], "running")
        telemetry.wait_for("qp,0,0", lambda a: a["dequeued"] > after["dequeued"])
        expect("errors", perf.telemetry.ask("errors,0")["status"], {})


def test_public_keys():
    """Asymmetric operations count for their queue pair"""
    operations = 64
    with Perf("dead@%d" % operations, ["timeout_ms=60000"],
              ["--ptest", "throughput", "--optype", "modex", "--modex-len", "128", "--burst-sz",
               "8,4", "--total-ops", str(operations), "--buffer-sz", "64"]) as perf:
        row = perf.row()
        expect("operations that crypto-perf reports", row[1:3], [operations, operations])
        qp = frozen(perf.telemetry, operations)
        expect("dequeued", qp["dequeued"], operations)
        expect("enqueued", qp["enqueued"], operations + qp["in_flight"])
        expect("sessions", perf.telemetry.ask("sessions,0")["algorithms"], {"modexp": 1})


def test_bad_questions():
    """Bad parameters get a clear answer"""
    with Perf(None, [], symmetric(*ENDLESS)) as perf:
        perf.telemetry.wait_for("qp,0,0", lambda a: a["dequeued"] > 0)
        for question, text in (
                ("device", "takes the number of a device"), ("device,", "takes"),
                ("device,x", "takes"), ("device,0x0", "takes"), ("device,0,0", "takes"),
                ("device,-1", "takes"), ("device,99999999999999999999", "takes"),
                ("device,63", "device 63 is not a device of crypto_accel"),
                ("errors", "takes"), ("errors,1", "device 1 is not"), ("sessions,7", "device 7"),
                ("qp,0", "takes the numbers of a device and a queue pair"), ("qp,0,", "takes"),
                ("qp,0,0,0", "takes"), ("qp,0 0", "takes"), ("qp,0,65536", "takes"),
                ("qp,0,1", "queue pair 1 of device 0 is not set up"),
                ("qp,9,0", "device 9 is not"),
                ("latency,0", "takes"), ("latency,0,0,", "takes"),
                ("latency,0,0,maybe", "neither on, off nor reset"),
                ("latency,0,0,on,off", "neither on, off nor reset"),
                ("latency,0,5,on", "queue pair 5"), ("latency,8,0,on", "device 8"),
                ("vfs", "takes the number of a device"), ("vfs,0,0", "takes"),
                ("vfs,5", "device 5 is not"), ("vf,0", "takes the numbers of a device and a VF"),
                ("vf,0,0,0", "takes"), ("vf,6,0", "device 6 is not"), ("vf,0,65535", "VF"),
                ("dump", "the parameters are"), ("dump,", "the parameters are"),
                ("dump,0001", "not a device of crypto_accel"),
                ("dump,0,0x1", "the parameters are"), ("dump,0,00001", "is not set up"),
                ("dump,0x0", "the parameters are"), ("dump,0,0,", "the parameters are"),
                ("dump,+0", "the parameters are"), ("dump, 0", "the parameters are"),
                ("dump,0,-0", "the parameters are"), ("dump,0,65536", "the parameters are"),
                ("dump,0,0,0", "the parameters are"), ("dump,0,0,0,1,1", "the parameters are"),
                ("dump,0,0,10000,1", "the parameters are"),
                ("dump,0,0,0,1000000000", "the parameters are"),
                ("dump,4294967296", "the parameters are"), ("dump,0,0,0,1x", "the parameters are"),
                ("dump,0,0 ", "the parameters are"), ("dump,0,0;", "the parameters are"),
                ("dump,7", "not a device of crypto_accel")):
            answer = perf.telemetry.ask(question)
            if list(answer) != ["error"] or text not in answer["error"]:
                raise AssertionError("%s: %r" % (question, answer))
        expect("latency", perf.telemetry.ask("latency,0,0")["on"], 0)
        first = perf.telemetry.ask("qp,0,0")["dequeued"]
        perf.telemetry.wait_for("qp,0,0", lambda a: a["dequeued"] > first)


def test_without():
    """Without telemetry the program runs as well"""
    with Perf(None, [], symmetric(["32"]), ["--no-telemetry"]) as perf:
        expect("operations", perf.row()[1:3], [OPERATIONS, OPERATIONS])
        expect("exit code", perf.process.wait(WAIT_S), 0)


def main():
    """Runs all tests."""
    tests = [t for name, t in sorted(globals().items()) if name.startswith("test_")]
    print("1..%d" % len(tests))
    failed = 0
    for i, test in enumerate(tests, 1):
        try:
            test()
            print("ok %d - %s" % (i, test.__doc__), flush=True)
        except (AssertionError, OSError, KeyError, ValueError):
            failed += 1
            print("not ok %d - %s" % (i, test.__doc__))
            print("# " + traceback.format_exc().replace("\n", "\n# "), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
