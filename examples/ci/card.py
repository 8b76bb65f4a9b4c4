#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""A crypto_accel card for the tests of a gateway, without hardware: starts it, breaks it on
request, and checks that all came back. README.md beside it has a recipe.

The card is either embedded in the gateway's own process, and `devargs` says with which arguments,
or it is accel-device, whose functions a virtual machine gets."""

import argparse
import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

# Exit codes, as those of dpdk-accel-tool.
GOOD, BAD, USAGE, ABSENT = 0, 1, 2, 3
FOLDER = os.environ.get("ACCEL_CI_DIR", "/tmp/accel-ci-%d" % os.getuid())
START_S = 300  # patience, on a machine that does much else


class Failed(Exception):
    """What the script has to say, with its exit code."""

    def __init__(self, text, code=BAD):
        super().__init__(text)
        self.code = code


# ---------------------------------------------------------------- the card for virtual machines


def pid_of_card():
    """The process of accel-device, or None if it does not run."""
    try:
        with open(os.path.join(FOLDER, "pid"), encoding="ascii") as file:
            pid = int(file.read())
        with open("/proc/%d/comm" % pid, encoding="ascii") as file:
            return pid if file.read().strip() == "accel-device" else None
    except (OSError, ValueError):
        return None


def start(args):
    """Starts accel-device with a socket for each function, and prints the sockets."""
    if pid_of_card() is not None:
        raise Failed("the card of %s runs already; stop it first" % FOLDER)
    if shutil.which(args.program) is None:
        raise Failed("there is no %s; install the package accel-device" % args.program, ABSENT)
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.mkdir(FOLDER, 0o700)
    sockets = [os.path.join(FOLDER, "s%d" % n) for n in range(args.functions)]
    command = [args.program, "--control", os.path.join(FOLDER, "control")]
    for path in sockets:
        command += ["--socket", path]
    with open(os.path.join(FOLDER, "log"), "wb") as log:
        # pylint: disable=consider-using-with
        process = subprocess.Popen(command + args.option, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=log, start_new_session=True)
    with open(os.path.join(FOLDER, "pid"), "w", encoding="ascii") as file:
        file.write("%d\n" % process.pid)
    limit = time.monotonic() + START_S
    while not all(map(os.path.exists, sockets + [os.path.join(FOLDER, "control")])):
        if process.poll() is not None or time.monotonic() > limit:
            with open(os.path.join(FOLDER, "log"), encoding="utf-8") as file:
                raise Failed("the card does not start: " + file.read().strip())
        time.sleep(0.02)
    print("\n".join(sockets))
    return GOOD


def stop(_):
    """Ends the card and removes its folder."""
    pid = pid_of_card()
    if pid is not None:
        os.kill(pid, signal.SIGTERM)
        limit = time.monotonic() + START_S
        while pid_of_card() is not None:
            if time.monotonic() > limit:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)
    shutil.rmtree(FOLDER, ignore_errors=True)
    return GOOD


def control(command):
    """Gives accel-device a command, and returns the lines of its answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(START_S)
        try:
            sock.connect(os.path.join(FOLDER, "control"))
        except OSError as error:
            raise Failed("no card runs: %s; start it first" % error, ABSENT) from error
        sock.sendall(command.encode() + b"\n")
        answer = b""
        while not answer.endswith((b"ok\n", b"\n")) or not answer.splitlines()[-1].startswith(
                (b"ok", b"error")):
            part = sock.recv(65536)
            if not part:
                break
            answer += part
    return answer.decode().splitlines()


def break_card(args):
    """Breaks the card, such as by dead@1: the next operation is its last."""
    answer = control("fault " + args.faults)
    if answer[-1:] != ["ok"]:
        raise Failed("the card does not take the fault: " + " ".join(answer), USAGE)
    print("the card has the fault " + args.faults)
    return GOOD


# ---------------------------------------------------------------- the card in the process


def devargs(args):
    """Prints the arguments of the EAL for a gateway with the embedded device. A fault has the
    number of the operation at which it comes, and /K behind it repeats it every K operations."""
    text = "--vdev crypto_accel0"
    if args.faults:
        text += ",faults=" + args.faults
    if args.more:
        text += "," + args.more
    print(text)
    return GOOD


class Telemetry:
    """A connection to the telemetry socket of a process of DPDK."""

    def __init__(self, path):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.sock.settimeout(START_S)
        self.sock.connect(path)
        self.limit = json.loads(self.sock.recv(1024))["max_output_len"]

    def ask(self, command):
        """Returns the answer, in which what went wrong is an exception."""
        try:
            self.sock.send(command.encode())
            answer = json.loads(self.sock.recv(self.limit))[command.split(",", 1)[0]]
        except (OSError, ValueError) as error:
            raise Failed("the process has ended before all was back") from error
        if isinstance(answer, dict) and "error" in answer:
            raise Failed("%s: %s" % (command, answer["error"]))
        return answer

    def queue_pairs(self):
        """{(device, queue pair): fields} of all queue pairs that are set up."""
        found = {}
        for dev in self.ask("/cryptodev/accel/list"):
            for qp in range(self.ask("/cryptodev/accel/device,%d" % dev)["queue_pairs_set_up"]):
                found[dev, qp] = self.ask("/cryptodev/accel/qp,%d,%d" % (dev, qp))
        return found


def connect(prefix):
    """The telemetry of the process with this --file-prefix."""
    folders = [os.environ.get("RUNTIME_DIRECTORY"), "/run", "/var/run",
               os.environ.get("XDG_RUNTIME_DIR"), "/tmp"]
    paths = [path for folder in folders if folder
             for path in glob.glob(os.path.join(folder, "dpdk", prefix, "dpdk_telemetry.v2*"))]
    for path in paths:
        try:
            return Telemetry(path)
        except OSError:
            continue
    raise Failed("no process with --file-prefix %s answers%s" % (
        prefix, "" if paths else ", since it has no telemetry socket in " + ", ".join(
            folder for folder in folders if folder)), ABSENT)


def failures_of(queue_pairs):
    """How often they have failed."""
    return sum(each["failures"] for each in queue_pairs.values())


def come_back(before, now):
    """What is still missing: [text]. All that was in flight before has to be back, and each queue
    pair has to work, started again after each failure."""
    missing = []
    for (dev, qp), old in before.items():
        new = now.get((dev, qp), {"dequeued": 0, "mode": "gone", "failures": 0, "resets": 0})
        if new["dequeued"] < old["enqueued"]:
            missing.append("device %d, queue pair %d: %d operations are not back" % (
                dev, qp, old["enqueued"] - new["dequeued"]))
        if new["mode"] != "running":
            missing.append("device %d, queue pair %d: %s" % (dev, qp, new["mode"]))
        elif new["resets"] < new["failures"]:
            missing.append("device %d, queue pair %d: not started again" % (dev, qp))
    return missing


def begin(args):
    """Waits for the process and its queue pairs. Returns its telemetry and the queue pairs."""
    limit = time.monotonic() + args.start
    while True:
        try:
            telemetry = connect(args.file_prefix)
            before = telemetry.queue_pairs()
            if before:
                return telemetry, before
            raise Failed("the process has no queue pair of crypto_accel", ABSENT)
        except Failed as error:
            if error.code != ABSENT or time.monotonic() > limit:
                raise
        time.sleep(0.2)


def check(args):
    """Checks in a running process that all operations came back and all queue pairs work."""
    telemetry, before = begin(args)
    limit = time.monotonic() + args.time
    now = before
    while failures_of(now) < args.failures and time.monotonic() <= limit:
        time.sleep(0.05)
        now = telemetry.queue_pairs()
    # What is in flight when the failures are there has to come back.
    before, missing = now, ["%d failures, and not %d" % (failures_of(now), args.failures)]
    if failures_of(now) >= args.failures:
        limit = time.monotonic() + args.heal
        missing = come_back(before, now)
        while missing and time.monotonic() <= limit:
            time.sleep(0.05)
            now = telemetry.queue_pairs()
            missing = come_back(before, now)
    for (dev, qp), each in sorted(now.items()):
        print("device %d, queue pair %d: %s, %d enqueued, %d back, %d in flight, %d came back with "
              "an error, %d failures, %d times started again" % (
                  dev, qp, each["mode"], each["enqueued"], each["dequeued"], each["in_flight"],
                  each["dequeue_errors"], each["failures"], each["resets"]))
    if missing:
        raise Failed("; ".join(missing))
    print("all came back")
    return GOOD


def main():
    """Reads the command line. Exit codes: 0 good, 1 not all came back, 2 usage, 3 no card or no
    process."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="ACCEL_CI_DIR is the folder of "
                                     "the sockets, /tmp/accel-ci-UID if it is not set.")
    commands = parser.add_subparsers(dest="command", required=True)
    sub = commands.add_parser("start", help="start accel-device, print its sockets")
    sub.add_argument("--functions", type=int, default=1, metavar="N", help="sockets (1)")
    sub.add_argument("--program", default="accel-device", metavar="PATH")
    sub.add_argument("option", nargs="*", help="options of accel-device, behind --")
    sub.set_defaults(run=start)
    sub = commands.add_parser("break", help="break accel-device")
    sub.add_argument("faults", help="such as dead@1, stall@100, status:5@10/100")
    sub.set_defaults(run=break_card)
    commands.add_parser("stop", help="end accel-device").set_defaults(run=stop)
    sub = commands.add_parser("devargs", help="print arguments of the EAL for an embedded card")
    sub.add_argument("--faults", help="such as dead@100000 or dead@100000/500000")
    sub.add_argument("--more", help="further device arguments, such as timeout_ms=200")
    sub.set_defaults(run=devargs)
    sub = commands.add_parser("check", help="check that all came back in a running process")
    sub.add_argument("--file-prefix", default="rte", metavar="PREFIX", help="of the process (rte)")
    sub.add_argument("--start", type=float, default=0, metavar="SECONDS",
                     help="wait so long for the process (0)")
    sub.add_argument("--failures", type=int, default=0, metavar="N",
                     help="wait for so many failures of queue pairs (0)")
    sub.add_argument("--time", type=float, default=60, metavar="SECONDS",
                     help="wait so long for the failures (60)")
    sub.add_argument("--heal", type=float, default=60, metavar="SECONDS",
                     help="wait so long for what has to come back then (60)")
    sub.set_defaults(run=check)
    args = parser.parse_args()
    try:
        return args.run(args)
    except Failed as error:
        print("card.py: %s" % error, file=sys.stderr)
        return error.code


if __name__ == "__main__":
    sys.exit(main())
