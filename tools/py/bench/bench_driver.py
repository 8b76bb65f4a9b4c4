# SPDX-License-Identifier: BSD-3-Clause
"""The sections of tools/bench about the driver's own cycles, and their targets.

driver: the driver alone, without a device. flat: properties that must not change its cost. against:
the driver alone in this and another build, in turn. cross: driver and device on two cores beside
the bare exchange of the same cache lines. sessions: create and destroy. stages: one operation, step
by step. writeback: bench_writeback.py. paced: bench_paced.py. notify: bench_notify.py. pk:
bench_pk.py. The programs are test/bench/driver/driver_cost.c and accel_bench.c."""

import collections
import math
import os
import re
import shutil
import statistics

from base import cperf
from base.cperf import cell
from bench import (bench_latency, bench_notify, bench_paced, bench_peers, bench_pk,
                   bench_writeback)
from counts import instructions

KINDS = {"cipher": "aes-cbc", "auth": "hmac", "chain": "aes-cbc+hmac", "aead": "aes-gcm"}
BURST = 32
SEGMENTS = [1, 2, 4, 8, 16]
QUEUES = [1, 2, 4, 8]
SESSIONS = [1, 100, 10000, 100000]
SIZES = [64, 1024, 16384]
BASE = "cipher"
# The enqueue of these operations has a target relative to bare writes of its own kind.
BARE = {"cipher": "AES-CBC", "chain": "AES-CBC + HMAC", "aead": "AES-GCM",
        "--segments 2 cipher": "AES-CBC, two segments"}
# These cases are measured in two builds.
AGAINST = list(KINDS) + ["cipher 1", "--far --command-upper cipher", "--segments 2 cipher",
                         "--segments 2 chain", "--segments 2 aead", "--segments 16 cipher",
                         "--apart cipher", "--sessions 100000 cipher", "--raw cipher",
                         "--raw aead", "--raw --segments 2 cipher", "--each cipher"]
THIS, OTHER = "this build", "other build"
# The steps of one operation.
STEPS = ["prepare", "post", "doorbell", "device fetch", "engine", "response",
         "poll with completion", "poll without completion"]


class Context:
    """What all sections need: the folder of the programs and the number of rounds."""

    def __init__(self, record, build_dir, rounds, quick, against=None):
        self.record = record
        self.driver_cost = os.path.join(build_dir, "test/bench/driver-cost")
        self.other_cost = against and os.path.join(against, "test/bench/driver-cost")
        self.accel_bench = os.path.join(build_dir, "test/bench/accel-bench")
        self.rounds = rounds
        self.quick = quick

    def make(self, section, case, metric, value, unit, rounds, device=None):
        """Makes a record. `case` says what was varied."""
        return self.record(section, device or "crypto_accel", metric, value, unit, rounds,
                           algo=case, burst=BURST)


def cost(context, case, program=None):
    """Returns {metric: cycles} of a short run of driver-cost. `case` may end with the size of
    bursts."""
    arguments = case.split()
    if not arguments[-1].isdigit():
        arguments.append(str(BURST))
    bursts = (200 if context.quick else 500) * BURST // int(arguments[-1])
    argv = [program or context.driver_cost, "--csv", "--rounds", "3"] + arguments + [str(bursts)]
    text = cperf.run_program(argv, name="driver-cost")
    found = re.findall(r"^((?:bare-)?(?:enqueue|dequeue)|lines),([\d.]+)$", text, re.MULTILINE)
    if len(found) != 5:
        raise cperf.PerfError("unexpected output of driver-cost")
    numbers = {metric: float(value) for metric, value in found}
    numbers["both"] = numbers["enqueue"] + numbers["dequeue"]
    for call in ("enqueue", "dequeue"):
        if numbers["bare-" + call] > 0:
            numbers["over-bare-" + call] = numbers[call] / numbers["bare-" + call]
        else:  # there are no bare writes of this kind
            del numbers["bare-" + call]
    return numbers


def unit_of(metric):
    """Returns the unit of a number of cost()."""
    return "" if metric.startswith("over-") else "cycles/op"


def count_instructions(context, cases, program=None):
    """Returns {case: (enqueue, dequeue, enqueue of the bare writes)}, without cases that valgrind
    cannot count.

    The count is 0 for kinds without bare writes."""
    if not shutil.which("valgrind"):
        return {}
    one_thread = [c for c in cases if "--threads" not in c]
    return instructions.measure(program or context.driver_cost, one_thread,
                                min(4, len(cperf.cpus())),
                                ("enqueue", "dequeue", instructions.BARE))


def count_records(context, section, case, counts, device=None):
    """Makes the records of a case of count_instructions()."""
    return [context.make(section, case, metric, value, "instructions/op", 1, device)
            for metric, value in zip(("enqueue", "dequeue", "bare-enqueue"), counts)
            if value is not None]


def measure_costs(context, section, cases):
    """Measures all cases, with their rounds interleaved. Returns their records, with
    instructions."""
    values = {case: collections.defaultdict(list) for case in cases}
    for number in range(context.rounds):
        cperf.say("    round %d of %d" % (number + 1, context.rounds), end="\r")
        for case in cases:
            for metric, value in cost(context, case).items():
                values[case][metric].append(value)
    cperf.say("    %d rounds of %d cases done" % (context.rounds, len(cases)))
    counts = count_instructions(context, cases)
    records = []
    for case in cases:
        for metric, numbers in values[case].items():
            records.append(context.make(section, case, metric, statistics.median(numbers),
                                        unit_of(metric), len(numbers)))
            ratio = [a / b for a, b in zip(numbers, values[cases[0]][metric]) if b > 0]
            if unit_of(metric) == "" or len(ratio) < len(numbers):
                continue
            records.append(context.make(section, case, "ratio-" + metric,
                                        statistics.median(ratio), "", len(numbers)))
        records += count_records(context, section, case, counts.get(case, ()))
    return records


def driver_section(context):
    """Measures target 1."""
    cperf.say("\n==> The driver alone, bursts of %d (%d rounds)" % (BURST, context.rounds))
    return measure_costs(context, "driver",
                         list(KINDS) + ["--segments 2 " + BASE, "--far " + BASE,
                                        "--far --command-upper " + BASE])


def against_section(context):
    """Measures the driver alone in this and another build. Which build begins changes with each
    round."""
    if context.other_cost is None:
        return []
    cperf.say("\n==> The driver alone in this and another build, in turn (%d rounds)"
              % context.rounds)
    builds = {THIS: context.driver_cost, OTHER: context.other_cost}
    values = {}
    for number in range(context.rounds):
        cperf.say("    round %d of %d" % (number + 1, context.rounds), end="\r")
        for case in AGAINST:
            for build in list(builds)[::-1 if number % 2 else 1]:
                for metric, value in cost(context, case, builds[build]).items():
                    values.setdefault((case, metric), {}).setdefault(build, []).append(value)
    cperf.say("    %d rounds of %d cases done" % (context.rounds, len(AGAINST)))
    records = []
    for (case, metric), found in values.items():
        for build, numbers in found.items():
            records.append(context.make("against", case, metric, statistics.median(numbers),
                                        unit_of(metric), len(numbers), build))
        if len(found) == 2 and unit_of(metric):
            ratio = [a / b for a, b in zip(found[THIS], found[OTHER])]
            records.append(context.make("against", case, "ratio-" + metric,
                                        statistics.median(ratio), "", len(ratio), THIS))
    for build, program in builds.items():
        for case, counts in count_instructions(context, AGAINST, program).items():
            records += count_records(context, "against", case, counts, build)
    return records


def flat_cases():
    """Returns the cases of target 5. The others are compared with the first one."""
    cases = [BASE] + ["--size %d %s" % (s, BASE) for s in SIZES[1:]]
    cases += ["--sessions %d %s" % (n, BASE) for n in SESSIONS[1:]]
    cases += ["--segments %d %s" % (n, BASE) for n in SEGMENTS[1:]]
    cases += ["--apart " + BASE]
    cases += ["--queues %d %s" % (n, BASE) for n in QUEUES[1:]]
    if len(cperf.cpus()) > 1:
        cases.append("--threads 2 " + BASE)
    return cases


def flat_section(context):
    """Measures target 5."""
    cperf.say("\n==> Flat costs: size, sessions, segments, queue pairs (%d rounds)"
              % context.rounds)
    return measure_costs(context, "flat", flat_cases())


def run_accel_bench(context, section, part, devargs, options=()):
    """Runs one part of accel-bench. Returns the records of its lines."""
    cpu = cperf.cpus()[0]
    argv = [context.accel_bench, "--lcores", "0@%d" % cpu, "--log-level=error"]
    argv += cperf.eal_args() + ["--vdev", "crypto_accel0," + devargs, "--", "--rounds",
                                str(context.rounds)]
    argv += ["--quick"] if context.quick else []
    text = cperf.run_program(argv + list(options) + [part], timeout=300, name="accel-bench-" + part)
    records = []
    for line in text.splitlines():
        parts = line.split(",")
        if len(parts) < 5:
            continue
        try:
            records.append(context.make(section, ",".join(parts[1:-3]), parts[0],
                                        float(parts[-3]), parts[-2], int(parts[-1])))
        except ValueError:
            continue
    if not records:
        raise cperf.PerfError("accel-bench printed no numbers")
    return records


def cross_section(context):
    """Measures target 2."""
    cpus = cperf.cpus()
    cperf.say("\n==> Driver and device on two cores, null engine (%d rounds)" % context.rounds)
    if len(cpus) < 2:
        cperf.say("    skipped, because there is only one CPU")
        return []
    other = cpus[1] if len(cpus) == 2 else cpus[2]
    return run_accel_bench(context, "cross", "cross", "engine=null,cores=[%d]" % other,
                           ["--device-cpu", str(other)])


def sessions_section(context):
    """Measures target 6."""
    cperf.say("\n==> Sessions: create and destroy (%d rounds)" % context.rounds)
    return run_accel_bench(context, "sessions", "sessions", "cores=1")


def stages_section(context):
    """Measures target 7."""
    cperf.say("\n==> One operation, step by step: AES-128-CBC, 64 bytes, device in the same thread")
    return run_accel_bench(context, "stages", "stages", "cores=inline")


def writeback_section(context):
    """Measures fixed and tuned values of the write-back."""
    return bench_writeback.section(context, run_accel_bench)


SECTIONS = {"driver": driver_section, "flat": flat_section, "against": against_section,
            "cross": cross_section, "sessions": sessions_section, "stages": stages_section,
            bench_writeback.SECTION: writeback_section,
            bench_paced.SECTION: bench_paced.section,
            bench_notify.SECTION: bench_notify.section,
            bench_pk.SECTION: bench_pk.section}


def value_of(records, section, case, metric, unit=None, device=None):
    """Returns the value of the record that matches, or None."""
    given = {key: value for key, value in (("unit", unit), ("device", device))
             if value is not None}
    return cperf.find(records, section, algo=case, metric=metric, **given)


def print_costs(records, section, title):
    """Prints the table of the sections driver and flat."""
    cases = []
    for r in records:
        if r["section"] == section and r["algo"] not in cases:
            cases.append(r["algo"])
    if not cases:
        return
    cperf.say("\n%s: enqueue / dequeue per operation" % title)
    rows = [["case", "cycles", "instructions", "bare cycles", "enqueue over bare",
             "sum against first"]]
    for case in cases:
        pairs = [" / ".join(cell(value_of(records, section, case, m, unit), 1)
                            for m in (prefix + "enqueue", prefix + "dequeue"))
                 for prefix, unit in (("", "cycles/op"), ("", "instructions/op"),
                                      ("bare-", "cycles/op"))]
        rows.append([case] + pairs + [cell(value_of(records, section, case, m), 2)
                                      for m in ("over-bare-enqueue", "ratio-both")])
    for line in cperf.align(rows):
        cperf.say("  " + line)
    cperf.say("  bare: the same writes and reads without a driver, in the same process")
    case = "--sessions %d %s" % (SESSIONS[-1], BASE)
    if case in cases:
        cperf.say("  Only reading the cache line of each of %d sessions, all prefetched: %s"
                  " cycles per operation" % (SESSIONS[-1],
                                             cell(value_of(records, section, case, "lines"), 1)))


def print_against(records):
    """Prints the table of two builds."""
    cases = [c for c in AGAINST if value_of(records, "against", c, "enqueue") is not None]
    if not cases:
        return
    cperf.say("\nThe driver alone: other build -> this build (ratio; median of the rounds)")
    rows = [["case", "enqueue cycles", "instructions", "dequeue cycles", "instructions"]]
    for case in cases:
        row = [case]
        for call in ("enqueue", "dequeue"):
            for unit in ("cycles/op", "instructions/op"):
                pair = [value_of(records, "against", case, call, unit, b) for b in (OTHER, THIS)]
                ratio = value_of(records, "against", case, "ratio-" + call)
                if unit == "instructions/op":
                    ratio = None if None in pair else pair[1] / pair[0]
                row.append("%s -> %s (%s)" % (cell(pair[0], 1), cell(pair[1], 1), cell(ratio, 2)))
        rows.append(row)
    for line in cperf.align(rows):
        cperf.say("  " + line)


def print_cross(records):
    """Prints the table of target 2."""
    found = [r for r in records if r["section"] == "cross"]
    if not found:
        return
    cperf.say("\nTwo cores: cycles on the application's core, beside the bare exchange")
    rows = [["", "burst", "driver", "bare", "ratio"]]
    for r in found:
        if r["unit"] == "%":
            cperf.say("  %s: %.0f %% of the operations" % (r["metric"], r["value"]))
        if r["unit"] == "%" or r["metric"].startswith(("bare-", "ratio-")):
            continue
        rows.append([r["metric"], r["algo"], cell(r["value"], 1)] + [
            cell(value_of(records, "cross", r["algo"], p + r["metric"]), d)
            for p, d in (("bare-", 1), ("ratio-", 2))])
    for line in cperf.align(rows):
        cperf.say("  " + line)


def print_sessions(records):
    """Prints the table of target 6."""
    found = [r for r in records if r["section"] == "sessions"]
    if found:
        cperf.say("\nSessions")
        rows = [[r["metric"], r["algo"], cell(r["value"], 1), r["unit"]] for r in found]
        for line in cperf.align(rows, 2):
            cperf.say("  " + line)


def print_steps(records):
    """Prints the table of target 7. Returns whether there is one."""
    if value_of(records, "stages", "mean", STEPS[0]) is None:
        return False
    cperf.say("\nOne operation, cycles per step (mean without the slowest hundredth)")
    rows = [["step", "mean", "10 %", "50 %", "90 %", "99 %"]]
    rows += [[step] + [cell(value_of(records, "stages", c, step), 1)
                       for c in ("mean", "10 %", "50 %", "90 %", "99 %")] for step in STEPS]
    for line in cperf.align(rows):
        cperf.say("  " + line)
    return True


def print_stages(records):
    """Prints the table and the histograms of target 7."""
    if not print_steps(records):
        return
    for step in STEPS:
        buckets = histogram(records, step)
        most = max(buckets.values(), default=1)
        cperf.say("\n  %s: operations by cycles" % step)
        for bucket, number in buckets.items():
            if number * 200 >= most:
                cperf.say("  %6d %8d %s" % (bucket, number, "#" * round(50 * number / most)))


def histogram(records, step):
    """Returns {cycles: operations} of a step."""
    return {int(r["algo"]): int(r["value"]) for r in records
            if r["section"] == "stages" and r["metric"] == "histogram:" + step}


def largest(values):
    """Returns the largest of values, or None if one is missing."""
    values = list(values)
    return None if not values or None in values else max(values)


def linearity(records):
    """Returns how far instructions per segment deviate from a line through 2 and 16 segments, as a
    ratio."""
    counts = {n: value_of(records, "flat", "--segments %d %s" % (n, BASE), "enqueue",
                          "instructions/op") for n in SEGMENTS[1:]}
    if None in counts.values():
        return None
    slope = (counts[16] - counts[2]) / 14
    return max(max(c, counts[2] + slope * (n - 2)) / min(c, counts[2] + slope * (n - 2))
               for n, c in counts.items())


NO_LOAD = "NO LOAD"


class Target:
    """A target `what`, at the point `point` of it. `verdict` is set if it is neither met nor
    missed. It fails if what it measures did not run: `load` is how much of it did, and no time,
    ratio or share below a limit is 0 if something ran."""

    def __init__(self, what, point, value, relation, limit, verdict=None, load=1):
        self.what, self.point, self.value = what, point, value
        self.relation, self.limit = relation, limit
        met = value <= limit if relation == "at most" else value >= limit
        ran = load is not None and load > 0 and value > 0 and value < math.inf
        self.verdict = (verdict or ("met" if met else "NOT MET")) if ran else NO_LOAD

    def title(self):
        """Returns what and point."""
        return self.what + (", " + self.point if self.point else "")

    def json(self):
        """Returns the target for the JSON output."""
        return {"what": self.what, "point": self.point, "value": round(self.value, 4),
                "relation": self.relation, "limit": self.limit, "verdict": self.verdict}


def driver_targets(records):
    """Returns [(what, point, value, limit)] of the driver alone. A value may be None."""
    def get(*key):
        return value_of(records, *key)

    found = [("driver alone, AES-CBC: %s, %s" % (call, unit.split("/", maxsplit=1)[0]), "",
              get("driver", BASE, call, unit), limit)
             for call, unit, limit in (("enqueue", "cycles/op", 25),
                                       ("enqueue", "instructions/op", 110),
                                       ("dequeue", "cycles/op", 8),
                                       ("dequeue", "instructions/op", 30))]
    found += [("driver alone: enqueue against its bare writes", BARE[case],
               get("driver", case, "over-bare-enqueue"), 1.5) for case in BARE]
    size = "--size %d %s" % (SIZES[-1], BASE)
    return found + [
        ("driver alone: 16 KiB against 64 bytes", "", get("flat", size, "ratio-both"), 1.1),
        ("driver alone: 100,000 sessions against bare writes that read as many lines", "",
         get("flat", "--sessions 100000 " + BASE, "over-bare-enqueue"), 1.1),
        ("driver alone: instructions of 2 to 16 segments against a straight line", "",
         linearity(records), 1.1),
        ("driver alone: instructions with 8 queue pairs against one", "",
         ratio_instructions(records, 8), 1.03),
        ("driver alone: 2 threads, each with a queue pair, against one", "",
         get("flat", "--threads 2 " + BASE, "ratio-both"), 1.1)]


def targets(records):
    """Returns the targets of the sections that ran, each as a Target."""
    found = driver_targets(records)
    found += [("two cores: enqueue and dequeue against the bare exchange", "burst %d" % b,
               value_of(records, "cross", str(b), "ratio-enqueue+dequeue"), 1.3)
              for b in (8, 32, 64)]
    found += [("two cores, one operation at a time: against the bare ping-pong", "",
               value_of(records, "cross", "1", "ratio-round-trip"), 1.5)]
    for what, metric in (("session: create and destroy, ns", "library"),
                         ("session with a dead device: create and destroy, ns",
                          "library-device-dead")):
        found.append((what, "", largest(
            r["value"] for r in records
            if r["section"] == "sessions" and r["metric"] == metric), 1000))
    found = [Target(what, point, value, "at most", limit) for what, point, value, limit in found
             if value is not None]
    return found + [Target(*t) for t in
                    bench_paced.targets(records) + bench_peers.targets(records) +
                    bench_writeback.targets(records) + bench_pk.targets(records) +
                    bench_latency.targets(records)]


def ratio_instructions(records, queues):
    """Returns the ratio of the instructions with several queue pairs to those with one."""
    pair = [value_of(records, "flat", case, "enqueue", "instructions/op")
            for case in ("--queues %d %s" % (queues, BASE), BASE)]
    return None if None in pair else pair[0] / pair[1]


def print_all(records):
    """Prints all tables, then the targets."""
    print_costs(records, "driver", "The driver alone")
    print_costs(records, "flat", "Flat costs (the payload lies on pages without access rights)")
    print_against(records)
    print_cross(records)
    print_sessions(records)
    print_stages(records)
    bench_writeback.print_tables(records)
    bench_paced.print_table(records)
    bench_notify.print_table(records)
    bench_pk.print_tables(records)
    bench_peers.print_tables(records)
    found = targets(records)
    if not found:
        return
    cperf.say("\nTargets of the driver (other load of the machine affects them)")
    rows = [["target", "measured", "", "", ""]]
    rows += [[t.title(), "%.2f" % t.value, t.relation, "%g" % t.limit, t.verdict] for t in found]
    for line in cperf.align(rows):
        cperf.say("  " + line)
