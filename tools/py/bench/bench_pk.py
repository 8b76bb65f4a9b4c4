# SPDX-License-Identifier: BSD-3-Clause
"""The section `pk` of tools/bench: public-key operations beside `openssl speed` and crypto_openssl,
and the latency of symmetric operations beside RSA-4096.

crypto_accel, crypto_openssl and `openssl speed` take turns with each key, in rounds. All use the
same library, and all work on the device's CPU: crypto_accel's application has another one. The
parts `pk` and `pk-beside` of accel-bench measure. The first of them runs the loop of `openssl
speed` itself in turn with the device, every tenth of a second, and its ratio is the one that
counts: the speed of a virtual machine's CPU changes too fast to compare programs that run one after
the other. The column of `openssl speed` shows that the loop is the same. The program
pk-engine-bench measures the engine of the model alone in the same way, also for X25519 and Ed25519,
which DPDK 22.11 has no operations for. The tables show medians of the rounds."""

import os
import re
import statistics

from base import cperf
from base.cperf import cell

SECTION = "pk"
OURS, PEER, SPEED = "crypto_accel", "crypto_openssl", "openssl speed"
# The names of keys are those of `openssl speed`. A pattern takes what it prints with -mr:
# operations per second.
GROUPS = {
    "rsa2048": (["rsa2048-sign", "rsa2048-verify"], r"^\+F2:\d+:2048:([\d.]+):([\d.]+)"),
    "rsa4096": (["rsa4096-sign", "rsa4096-verify"], r"^\+F2:\d+:4096:([\d.]+):([\d.]+)"),
    "ecdsap256": (["ecdsap256-sign", "ecdsap256-verify"], r"^\+F4:\d+:256:([\d.]+):([\d.]+)"),
    "ecdhp256": (["ecdhp256-derive"], r"^\+F5:\d+:256:([\d.]+)"),
}
CASES = [case for cases, _ in GROUPS.values() for case in cases]
ENGINE = "engine alone"
ENGINE_GROUPS = {
    "ecdhx25519": (["x25519-derive"], r"^\+F5:\d+:253:([\d.]+)"),
    "ed25519": (["ed25519-sign", "ed25519-verify"], r"^\+F6:\d+:253:Ed25519:([\d.]+):([\d.]+)"),
}
ENGINE_CASES = [case for cases, _ in ENGINE_GROUPS.values() for case in cases]
# What pk-engine-bench has beside the cases above: keys that are operands.
GIVEN_CASES = [case + " given" for case in CASES[4:] + ENGINE_CASES[:1]]
IN_FLIGHT = 64
SECONDS = 2.5 # of a case, half of it for the loop
ENGINE_SECONDS = 0.5
# What is taken from the output of accel-bench, with units, and what has a meaning for crypto_accel
# alone: crypto_openssl works in its calls.
METRICS = {"rate": "ops/s", "loop-rate": "ops/s", "ratio": "%"}
DRIVER_METRICS = {"idle": "%", "driver-share": "%", "driver": "cycles/op"}
DEPTHS = ["1 in flight", "64 in flight"]
# Targets
RATIO, DRIVER_SHARE, P99 = 97, 2, 1.2


def other_cpu():
    """Returns the CPU of the device."""
    cpus = cperf.cpus()
    return cpus[1] if len(cpus) == 2 else cpus[2]


def bench_lines(text):
    """Returns [(metric, parameter, value, unit)] of accel-bench's output."""
    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"([a-z0-9-]+),([^,]*),([\d.]+),([^,]*),\d+", line)
        if match:
            found.append((match[1], match[2], float(match[3]), match[4]))
    return found


def accel_bench(context, device, cpu, options):
    """Runs accel-bench on a device, with its application on a CPU. Returns bench_lines()."""
    argv = [context.accel_bench, "--lcores", "0@%d" % cpu, "--log-level=error"]
    argv += cperf.eal_args() + ["--vdev", device, "--"] + options
    argv += ["--quick"] if context.quick else []
    found = bench_lines(cperf.run_program(argv, timeout=300, name="accel-bench-" + options[-1]))
    if not found:
        raise cperf.PerfError("accel-bench printed no numbers")
    return found


def speed(group):
    """Runs `openssl speed` with a key on the device's CPU. Returns {case: operations per second of
    CPU time}."""
    cases, pattern = dict(GROUPS, **ENGINE_GROUPS)[group]
    text = cperf.run_program(["taskset", "-c", str(other_cpu()), "openssl", "speed", "-mr",
                              "-seconds", "1", group], name="openssl-speed")
    match = re.search(pattern, text, re.MULTILINE)
    if not match:
        raise cperf.PerfError("unexpected output of openssl speed")
    return {case: float(value) for case, value in zip(cases, match.groups())}


class Rounds:
    """The numbers that the rounds collect: {(device, case, metric): [values]}."""

    def __init__(self, context):
        self.context = context
        self.values = {}

    def add(self, device, case, metric, value):
        """Adds a number of a round."""
        self.values.setdefault((device, case, metric), []).append(value)

    def device(self, name, group):
        """Measures a key on a device."""
        ours = name == OURS
        vdev = "crypto_accel0,cores=[%d]" % other_cpu() if ours else name + "0"
        wanted = dict(METRICS, **DRIVER_METRICS) if ours else METRICS
        for metric, case, value, _ in accel_bench(
                self.context, vdev, cperf.cpus()[0] if ours else other_cpu(),
                ["--in-flight", str(IN_FLIGHT), "--seconds", str(SECONDS), "--device-cpu",
                 str(other_cpu()), "--group", group, "pk"]):
            if metric in wanted:
                self.add(name, case, metric, value)

    def group(self, group):
        """Measures a key in a round."""
        self.device(OURS, group)
        if group.startswith("rsa"):  # crypto_openssl has no elliptic curves
            self.device(PEER, group)
        for case, value in speed(group).items():
            self.add(SPEED, case, "rate", value)

    def engine(self):
        """Measures the engine alone in a round."""
        program = os.path.join(os.path.dirname(self.context.accel_bench), "pk-engine-bench")
        lines = bench_lines(cperf.run_program(
            ["taskset", "-c", str(other_cpu()), program,
             str(0.05 if self.context.quick else ENGINE_SECONDS)], name="pk-engine-bench"))
        for metric, case, value, _ in lines:
            self.add(ENGINE, case, *{"rate": ("rate", value), "bare-rate": ("loop-rate", value),
                                     "ratio": ("ratio", 100 * value)}[metric])
        for group in ENGINE_GROUPS:
            for case, value in speed(group).items():
                self.add(SPEED, case, "rate", value)

    def records(self):
        """Returns all records."""
        units = dict(METRICS, **DRIVER_METRICS)
        return [self.context.record(SECTION, device, metric, statistics.median(values),
                                    units[metric], len(values), case)
                for (device, case, metric), values in self.values.items()]


def beside(context):
    """Measures symmetric operations with and without RSA-4096 on another queue pair."""
    lines = accel_bench(context, "crypto_accel0,cores=[%d]" % other_cpu(), cperf.cpus()[0],
                        ["--rounds", str(context.rounds), "pk-beside"])
    return [context.record(SECTION, OURS, metric, value, unit, context.rounds, case)
            for metric, case, value, unit in lines]


def section(context):
    """Measures all."""
    cperf.say("\n==> Public keys beside openssl speed and crypto_openssl, on one CPU (%d rounds)"
              % context.rounds)
    if len(cperf.cpus()) < 2:
        cperf.say("    skipped, because there is only one CPU")
        return []
    rounds = Rounds(context)
    for number in range(context.rounds):
        for group in GROUPS:
            cperf.say("    round %d of %d: %-10s" % (number + 1, context.rounds, group), end="\r")
            rounds.group(group)
        rounds.engine()
    cperf.say("    %d rounds of %d keys done" % (context.rounds, len(GROUPS)))
    cperf.say("==> Symmetric operations beside RSA-4096 on another queue pair (%d rounds)"
              % context.rounds)
    return rounds.records() + beside(context)


def get(records, device, case, metric):
    """Returns the value of a record of this section, or None."""
    return cperf.find(records, SECTION, device=device, algo=case, metric=metric)


def rate_rows(records):
    """Returns the rows of the table of rates, without a title."""
    rows = []
    for case in CASES:
        if get(records, OURS, case, "rate") is None:
            continue
        rows.append([case] + [cell(get(records, device, case, metric), digits)
                              for device, metric, digits in RATE_COLUMNS.values()])
    return rows


RATE_COLUMNS = {
    "crypto_accel, ops/s": (OURS, "rate", 0), "loop of openssl speed": (OURS, "loop-rate", 0),
    "ratio in turn, %": (OURS, "ratio", 1), "openssl speed": (SPEED, "rate", 0),
    "crypto_openssl": (PEER, "rate", 0), "its ratio, %": (PEER, "ratio", 1),
    "CPU idle, %": (OURS, "idle", 1), "in driver, %": (OURS, "driver-share", 2),
    "cycles/op": (OURS, "driver", 0)}
RATE_TITLE = ["operation"] + list(RATE_COLUMNS)


def beside_rows(records):
    """Returns the rows of the table of symmetric latency, without a title."""
    rows = []
    for depth in DEPTHS:
        if get(records, OURS, depth, "ratio-p99") is None:
            continue
        values = [get(records, OURS, "%s: %s" % (depth, which), metric)
                  for metric in ("p50", "p99", "rate") for which in ("without", "with")]
        rows.append([depth] + [cell(v, 0) for v in values[:4]]
                    + [cell(get(records, OURS, depth, "ratio-p99"), 2)]
                    + [cell(v / 1e6, 2) for v in values[4:]]
                    + [cell(get(records, OURS, depth + ": with", "pk-rate"), 1)]
                    + [cell(get(records, OURS, "%s: %s" % (depth, which), "application-lost"), 1)
                       for which in ("without", "with")])
    return rows


def engine_rows(records):
    """Returns the rows of the table of the engine alone, without a title."""
    return [[case, cell(get(records, ENGINE, case, "rate"), 0),
             cell(get(records, ENGINE, case, "loop-rate"), 0),
             cell(get(records, ENGINE, case, "ratio"), 1),
             cell(get(records, SPEED, case, "rate"), 0)]
            for case in CASES + ENGINE_CASES + GIVEN_CASES
            if get(records, ENGINE, case, "rate") is not None]


ENGINE_TITLE = ["operation", "engine alone, ops/s", "loop of openssl speed", "ratio in turn, %",
                "openssl speed"]
BESIDE_TITLE = ["AES-128-CBC, 64 bytes", "p50 without, ns", "with", "p99 without, ns", "with",
                "ratio", "Mops/s without", "with", "RSA-4096/s", "lost % without", "with"]


def print_tables(records):
    """Prints the tables."""
    rows = rate_rows(records)
    if rows:
        cperf.say("\nPublic keys: operations per second of one CPU (medians of rounds)")
        for line in cperf.align([RATE_TITLE] + rows):
            cperf.say("  " + line)
        cperf.say("  ratio in turn: to the loop of openssl speed in the same process, by CPU time")
        cperf.say("  in driver: share of the application's core in calls that moved an operation;"
                  " %d in flight" % IN_FLIGHT)
    rows = engine_rows(records)
    if rows:
        cperf.say("\nThe model's engine without a driver, operations per second of CPU time")
        for line in cperf.align([ENGINE_TITLE] + rows):
            cperf.say("  " + line)
    rows = beside_rows(records)
    if rows:
        cperf.say("\nSymmetric operations with and without RSA-4096 signatures on another queue"
                  " pair")
        for line in cperf.align([BESIDE_TITLE] + rows):
            cperf.say("  " + line)
        cperf.say("  lost: time that the application's thread was ready and other programs had its"
                  " CPU")


def targets(records):
    """Returns the arguments of bench_driver.Target."""
    found = [("public keys: rate per device core against the loop of openssl speed, %", case,
              get(records, OURS, case, "ratio"), "at least", RATIO) for case in CASES]
    found += [("public keys: rate of the engine alone against the loop of openssl speed, %", case,
               get(records, ENGINE, case, "ratio"), "at least", RATIO) for case in ENGINE_CASES]
    found += [("public keys: share of the application's core in the driver, %", case,
               get(records, OURS, case, "driver-share"), "at most", DRIVER_SHARE)
              for case in GROUPS["rsa2048"][0]]
    found += [("symmetric p99 with RSA-4096 on another queue pair, against without", depth,
               get(records, OURS, depth, "ratio-p99"), "at most", P99, None,
               get(records, OURS, depth, "pk-rate-least")) for depth in DEPTHS]
    return [t for t in found if t[2] is not None]
