# SPDX-License-Identifier: BSD-3-Clause
"""Closed loops of packets through ipsec-secgw, for gateway.py. The ports are those of
test/gateway: what leaves one end in ESP is handed back there, so the program encrypts and decrypts
each packet in turn, and overload cannot hide a loss."""

import os
import re
import statistics

from base import cperf
from gateway import secgw

CONFIG = os.path.join(os.path.dirname(secgw.CONFIG), "loop.cfg")
# A destination of each SA in CONFIG.
ALGORITHMS = {"AES-128-GCM": "192.168.11.2", "AES-128-CBC, HMAC-SHA1": "192.168.12.2"}
SIZES = [64, 256, 1024, 1420]
CASES = [(algorithm, size) for algorithm in ALGORITHMS for size in SIZES]
# Packets that each window of a check forwards.
CHECK_PACKETS = 20000
ROUNDS = 3
MEASURE = "ms=300,warm_ms=50"
# The columns of the table: title, driver, device arguments.
DEVICES = [("crypto_accel", "crypto_accel", []),
           ("crypto_accel, cores=inline", "crypto_accel", ["cores=inline"]),
           ("crypto_aesni_mb", "crypto_aesni_mb", [])]
FIELDS = ("window", "size", "forwarded", "cycles", "busy", "hz", "received", "rx_bursts",
          "operations", "dequeues", "lost", "bad")
LINE = re.compile("^loop: " + " ".join(r"%s (\d+)" % field for field in FIELDS) + "$", re.M)


def log_of(name):
    """Returns the path of the log of a run."""
    return os.path.join(cperf.log_dir(), "gateway-%s.log" % name)


# pylint: disable=too-many-arguments,too-many-positional-arguments
def run(name, device, devargs, length, arguments=(), cases=None, config=CONFIG, under=()):
    """Sends packets around in one run of the program, a window for each case. Returns what the
    ports have counted in each, and leaves the program's output in a log (log_of)."""
    cases = cases or CASES
    windows = "+".join("%s/%d" % (ALGORITHMS[algorithm], size) for algorithm, size in cases)
    ports = ["-d", os.environ["ACCEL_LOOP"], "--vdev",
             "net_loop0,windows=%s,%s" % (windows, length), "--vdev", "net_loop1"]
    log = log_of(name)
    program = secgw.Secgw(log, device, ports, arguments, config, devargs, under=under)
    try:
        code = program.wait_end(10 * secgw.LIMIT_S)
    finally:
        program.kill()
    found = [dict(zip(FIELDS, map(int, line))) for line in LINE.findall(program.output())]
    if code != 0 or len(found) != len(cases):
        raise secgw.SecgwError("ipsec-secgw ended with code %d after %d of %d windows, see %s"
                               % (code, len(found), len(cases), log))
    return found


def wrong_in(window):
    """Says what is wrong in a window in which nothing may be lost."""
    if window["lost"] or window["bad"]:
        return "%d of 512 packets lost, %d changed" % (window["lost"], window["bad"])
    return "" if window["forwarded"] >= CHECK_PACKETS else "%(forwarded)d packets" % window


def check(checks, device, modes):
    """Sends a number of packets around in each mode: none may be lost or changed. Then operations
    fail, and exactly their packets must be missing."""
    cperf.say("\n==> A closed loop of 512 packets through ipsec-secgw on %s" % device)
    length = "packets=%d" % CHECK_PACKETS
    for mode, how in modes.items():
        try:
            windows = run("loop-%s-%s" % (device, mode), device, [], length, how.arguments,
                          config=how.config(CONFIG))
        except secgw.SecgwError as error:
            checks.check("%s mode" % mode, str(error))
            continue
        for (algorithm, size), window in zip(CASES, windows):
            checks.check("%s mode, %s, %d bytes: nothing lost or changed in %d packets"
                         % (mode, algorithm, size, CHECK_PACKETS), wrong_in(window))
    if device == "crypto_accel":
        faults = ["faults=status:7@1000+status:7@2001"]
        try:
            window = run("loop-faults", device, faults, length, cases=CASES[:1])[0]
            wrong = "" if (window["lost"], window["bad"]) == (2, 0) else "%(lost)d lost" % window
        except secgw.SecgwError as error:
            wrong = str(error)
        checks.check("two operations fail: two packets are missing", wrong)


def explain():
    """Says what the table shows and how it is measured."""
    cpus = cperf.cpus()
    device = ("The embedded device of crypto_accel has CPU %d" % cpus[1] if len(cpus) == 2 else
              "The embedded device of crypto_accel has a CPU of its own" if len(cpus) > 2 else
              "There is one CPU, so the embedded device of crypto_accel shares it")
    for line in (
            "512 packets circulate: port 0 gives them as plain text, port 1 gets them in ESP and",
            "gives them back, port 0 gets them as plain text again, and so on. Half of the",
            "forwarded packets are encrypted, half are decrypted. Bytes are those of the inner",
            "IP packet.",
            "  Mpps    packets that ipsec-secgw forwards in a second, in millions",
            "  cycles  cycles of its core (TSC) per packet, without those turns of its main loop",
            "          in which it received, dequeued and sent nothing, and without those of more",
            "          than half a millisecond, in which another program had the CPU",
            "ipsec-secgw has one core, CPU %d. %s." % (cpus[0], device),
            "cores=inline and crypto_aesni_mb do all work on CPU %d." % cpus[0],
            "Medians of %d rounds of %s ms; the drivers take turns." % (
                ROUNDS, re.search(r"ms=(\d+)", MEASURE)[1])):
        cperf.say("    " + line)


def table(results):
    """Prints the medians."""
    width = max(len(title) for title, _, _ in DEVICES)
    left = max(map(len, ALGORITHMS))
    cperf.say("\n%-*s %6s%s" % (left, "", "", "".join(
        " | " + title.center(width) for title, _, _ in DEVICES)))
    cperf.say("%-*s %6s%s" % (left, "ESP tunnel, IPv4", "bytes", (
        " | %*s%*s" % (width // 2, "Mpps", width - width // 2, "cycles")) * len(DEVICES)))
    for index, (algorithm, size) in enumerate(CASES):
        if size == SIZES[0]:
            cperf.say("-" * (left + 7) + (" + " + "-" * width) * len(DEVICES))
        cells = ""
        for title, _, _ in DEVICES:
            windows = [windows[index] for windows in results[title]]
            mpps = statistics.median(w["forwarded"] * w["hz"] / w["cycles"] / 1e6 for w in windows)
            cycles = statistics.median(w["busy"] / w["forwarded"] for w in windows)
            cells += " | %*.2f%*.0f" % (width // 2, mpps, width - width // 2, cycles)
        cperf.say("%-*s %6d%s" % (left, algorithm if size == SIZES[0] else "", size, cells))


def measure(checks):
    """Measures the drivers in turn and prints the table. A lost packet fails a check."""
    cperf.say("\n==> Measuring the closed loop, crypto_accel beside crypto_aesni_mb")
    cperf.warn_if_busy(cperf.busy_share())
    explain()
    results = {title: [] for title, _, _ in DEVICES}
    wrong = ""
    try:
        for number in range(ROUNDS):
            for index, (title, device, devargs) in enumerate(DEVICES):
                results[title].append(run("loop-%d-%d" % (index, number), device, devargs, MEASURE))
        table(results)
        for title, rounds in results.items():
            for window in (w for windows in rounds for w in windows):
                if window["lost"] or window["bad"]:
                    wrong = "%s: %d lost, %d changed" % (title, window["lost"], window["bad"])
    except secgw.SecgwError as error:
        wrong = str(error)
    cperf.say()
    checks.check("no packet was lost or changed in the measurement", wrong)
