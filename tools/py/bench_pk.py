# SPDX-License-Identifier: BSD-3-Clause
"""The section `pk` of tools/bench: public-key operations beside `openssl speed` and crypto_openssl,
and the latency of symmetric operations beside RSA-4096.

In each round `openssl speed`, crypto_accel and crypto_openssl take turns with each key. All use the
same library, and all work on the device's CPU: crypto_accel's application has another one. The
parts `pk` and `pk-beside` of accel-bench measure. Ratios are those within a round, and the table
shows medians. There are two rates: operations per second of the clock, and per second in which the
threads that compute had a CPU. The second one means something on a busy machine, too, where the
device's threads for public keys get less than others (SCHED_IDLE). The program pk-engine-bench
measures the engine of the model alone, also for X25519 and Ed25519, which DPDK 22.11 has no
operations for."""

import os
import re
import statistics

import cperf
from cperf import cell

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
# pk-engine-bench also has the loop of `openssl speed` itself, in turn with the engine.
BARE = "cpu-ratio to a bare loop"
IN_FLIGHT = 64
SECONDS = 1.0
# Metrics of accel-bench that have a meaning for crypto_accel alone: crypto_openssl works in them.
DRIVER_METRICS = {"driver-share": "%", "driver": "cycles/op"}
DEPTHS = ["1 in flight", "64 in flight"]
# Targets
RATIO, DRIVER_SHARE, P99 = 0.97, 2, 1.2


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


def speed(group, elapsed):
    """Runs `openssl speed` with a key on the device's CPU. Returns {case: operations per second},
    of the clock or of CPU time."""
    cases, pattern = dict(GROUPS, **ENGINE_GROUPS)[group]
    text = cperf.run_program(["taskset", "-c", str(other_cpu()), "openssl", "speed", "-mr",
                              "-seconds", "1"] + ["-elapsed"] * elapsed + [group],
                             name="openssl-speed")
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
        """Measures a key on a device. Returns the rates of each case as a pair of {case: operations
        per second}, by the clock and by CPU time."""
        ours = name == OURS
        vdev = "crypto_accel0,cores=[%d]" % other_cpu() if ours else name + "0"
        rates, ran = {}, {}
        for metric, case, value, _ in accel_bench(
                self.context, vdev, cperf.cpus()[0] if ours else other_cpu(),
                ["--in-flight", str(IN_FLIGHT), "--seconds", str(SECONDS), "--group", group,
                 "pk"]):
            if metric == "rate":
                rates[case] = value
            elif metric == ("device-ran" if ours else "application-ran"):
                ran[case] = value
            elif ours and metric in DRIVER_METRICS:
                self.add(name, case, metric, value)
        return rates, {case: 100 * rates[case] / ran[case] for case in rates if ran[case] > 0}

    def group(self, group):
        """Measures a key in a round."""
        found = {SPEED: (speed(group, True), speed(group, False)),
                 OURS: self.device(OURS, group)}
        if group.startswith("rsa"):  # crypto_openssl has no elliptic curves
            found[PEER] = self.device(PEER, group)
        for place, prefix in enumerate(("", "cpu-")):
            for name, pair in found.items():
                for case, value in pair[place].items():
                    self.add(name, case, prefix + "rate", value)
                    if name != OURS and case in found[OURS][place]:
                        self.add(OURS, case, prefix + "ratio to " + name,
                                 found[OURS][place][case] / value)

    def engine(self):
        """Measures the engine alone in a round."""
        program = os.path.join(os.path.dirname(self.context.accel_bench), "pk-engine-bench")
        lines = bench_lines(cperf.run_program(
            ["taskset", "-c", str(other_cpu()), program,
             str(0.05 if self.context.quick else SECONDS)], name="pk-engine-bench"))
        rates = {case: value for metric, case, value, _ in lines if metric == "rate"}
        for metric, case, value, _ in lines:
            if metric == "ratio":
                self.add(ENGINE, case, BARE, value)
                if case not in ENGINE_CASES:
                    self.add(ENGINE, case, "cpu-rate", rates[case])
        for group in ENGINE_GROUPS:
            for case, value in speed(group, False).items():
                self.add(SPEED, case, "cpu-rate", value)
                self.add(ENGINE, case, "cpu-rate", rates[case])
                self.add(ENGINE, case, "cpu-ratio to " + SPEED, rates[case] / value)

    def records(self):
        """Returns all records."""
        units = dict(DRIVER_METRICS, **{"rate": "ops/s", "cpu-rate": "ops/s"})
        return [self.context.record(SECTION, device, metric, statistics.median(values),
                                    units.get(metric, ""), len(values), case)
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
        rows.append([case] + [cell(get(records, d, case, "rate"), 0) for d in (OURS, SPEED, PEER)]
                    + [cell(get(records, OURS, case, metric + d), 3) for d in (SPEED, PEER)
                       for metric in ("ratio to ", "cpu-ratio to ")]
                    + [cell(get(records, OURS, case, "driver-share"), 2),
                       cell(get(records, OURS, case, "driver"), 0)])
    return rows


RATE_TITLE = ["operation", "crypto_accel, ops/s", "openssl speed", "crypto_openssl",
              "ratio to openssl speed", "by CPU time", "to crypto_openssl", "by CPU time",
              "in driver, %", "cycles/op"]


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
                    + [cell(get(records, OURS, depth + ": with", "pk-rate"), 0)]
                    + [cell(get(records, OURS, "%s: %s" % (depth, which), "application-lost"), 1)
                       for which in ("without", "with")])
    return rows


def engine_rows(records):
    """Returns the rows of the table of the engine alone, without a title."""
    return [[case, cell(get(records, ENGINE, case, "cpu-rate"), 0),
             cell(get(records, SPEED, case, "cpu-rate"), 0),
             cell(get(records, ENGINE, case, "cpu-ratio to " + SPEED), 3),
             cell(get(records, ENGINE, case, BARE), 3)]
            for case in CASES + ENGINE_CASES + GIVEN_CASES
            if get(records, ENGINE, case, "cpu-rate") is not None]


ENGINE_TITLE = ["operation", "engine alone, ops/s", "openssl speed", "ratio",
                "ratio to the same loop in turn"]
BESIDE_TITLE = ["AES-128-CBC, 64 bytes", "p50 without, ns", "with", "p99 without, ns", "with",
                "ratio", "Mops/s without", "with", "RSA-4096/s", "lost % without", "with"]


def print_tables(records):
    """Prints the tables."""
    rows = rate_rows(records)
    if rows:
        cperf.say("\nPublic keys: operations per second of one CPU (median; ratios of rounds)")
        for line in cperf.align([RATE_TITLE] + rows):
            cperf.say("  " + line)
        cperf.say("  by CPU time: per second in which the threads that compute had the CPU")
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
    found = [("public keys: rate per device core against openssl speed", case,
              get(records, OURS, case, "ratio to " + SPEED), "at least", RATIO) for case in CASES]
    found += [("public keys: rate of the engine alone against openssl speed", case,
               get(records, ENGINE, case, "cpu-ratio to " + SPEED), "at least", RATIO)
              for case in ENGINE_CASES]
    found += [("public keys: share of the application's core in the driver, %", case,
               get(records, OURS, case, "driver-share"), "at most", DRIVER_SHARE)
              for case in GROUPS["rsa2048"][0]]
    found += [("symmetric p99 with RSA-4096 on another queue pair, against without", depth,
               get(records, OURS, depth, "ratio-p99"), "at most", P99) for depth in DEPTHS]
    return [t for t in found if t[2] is not None]
