# SPDX-License-Identifier: BSD-3-Clause
"""The sections of tools/bench about the driver's own cycles, and the targets that they have.

driver: the driver alone, without a device. flat: what must not change its cost. cross: driver and
device on two cores beside the bare exchange of the same cache lines. sessions: create and destroy.
stages: one operation, step by step. paced: bench_paced.py. The programs are
test/bench/driver_cost.c and accel_bench.c."""

import collections
import os
import re
import shutil
import statistics

import bench_paced
import bench_peers
import cperf
import instructions
import svg

KINDS = {"cipher": "aes-cbc", "auth": "hmac", "chain": "aes-cbc+hmac", "aead": "aes-gcm"}
BURST = 32
SEGMENTS = [1, 2, 4, 8, 16]
QUEUES = [1, 2, 4, 8]
SESSIONS = [1, 100, 10000, 100000]
SIZES = [64, 1024, 16384]
BASE = "cipher"
# Operations from which the cost of a step is taken.
STEPS = ["prepare", "post", "doorbell", "device fetch", "engine", "response",
         "poll with completion", "poll without completion"]


class Context:
    """What all sections need: where the programs are, how many rounds."""

    def __init__(self, record, build_dir, rounds, quick):
        self.record = record
        self.driver_cost = os.path.join(build_dir, "test/bench/driver-cost")
        self.accel_bench = os.path.join(build_dir, "test/bench/accel-bench")
        self.rounds = rounds
        self.quick = quick

    def make(self, section, case, metric, value, unit, rounds):
        """One record; `case` says what was varied."""
        return self.record(section, "crypto_accel", metric, value, unit, rounds, algo=case,
                           burst=BURST)


def cost(context, case):
    """{metric: cycles} of one short run of driver-cost."""
    argv = [context.driver_cost, "--csv", "--rounds", "3"] + case.split() + [
        str(BURST), "200" if context.quick else "500"]
    text = cperf.run_program(argv, name="driver-cost")
    found = re.findall(r"^((?:bare-)?(?:enqueue|dequeue)|lines),([\d.]+)$", text, re.MULTILINE)
    if len(found) != 5:
        raise cperf.PerfError("unexpected output of driver-cost")
    return {metric: float(value) for metric, value in found}


def measure_costs(context, section, cases):
    """Records of all cases, with their instructions; rounds of all cases interleaved."""
    values = {case: collections.defaultdict(list) for case in cases}
    for number in range(context.rounds):
        cperf.say("    round %d of %d" % (number + 1, context.rounds), end="\r")
        for case in cases:
            pair = cost(context, case)
            pair["both"] = pair["enqueue"] + pair["dequeue"]
            for metric, value in pair.items():
                values[case][metric].append(value)
    cperf.say("    %d rounds of %d cases done" % (context.rounds, len(cases)))
    counts = {}
    if shutil.which("valgrind"):
        one_thread = [c for c in cases if "--threads" not in c]
        counts = instructions.measure(context.driver_cost, one_thread,
                                      min(4, len(cperf.cpus())))
    records = []
    for case in cases:
        for metric, numbers in values[case].items():
            records.append(context.make(section, case, metric, statistics.median(numbers),
                                        "cycles/op", len(numbers)))
            ratio = [a / b for a, b in zip(numbers, values[cases[0]][metric]) if b > 0]
            if len(ratio) < len(numbers):
                continue
            records.append(context.make(section, case, "ratio-" + metric,
                                        statistics.median(ratio), "", len(numbers)))
        for metric, value in zip(("enqueue", "dequeue"), counts.get(case, ())):
            records.append(context.make(section, case, metric, value, "instructions/op", 1))
    return records


def driver_section(context):
    """Target 1."""
    cperf.say("\n==> The driver alone, bursts of %d (%d rounds)" % (BURST, context.rounds))
    return measure_costs(context, "driver",
                         list(KINDS) + ["--far " + BASE, "--far --command-upper " + BASE])


def flat_cases():
    """Target 5: the first is what the others are compared with."""
    cases = [BASE] + ["--size %d %s" % (s, BASE) for s in SIZES[1:]]
    cases += ["--sessions %d %s" % (n, BASE) for n in SESSIONS[1:]]
    cases += ["--segments %d %s" % (n, BASE) for n in SEGMENTS[1:]]
    cases += ["--apart " + BASE]
    cases += ["--queues %d %s" % (n, BASE) for n in QUEUES[1:]]
    if len(cperf.cpus()) > 1:
        cases.append("--threads 2 " + BASE)
    return cases


def flat_section(context):
    """Target 5."""
    cperf.say("\n==> Flat costs: size, sessions, segments, queue pairs (%d rounds)"
              % context.rounds)
    return measure_costs(context, "flat", flat_cases())


def run_accel_bench(context, section, part, devargs, options=()):
    """Runs one part of accel-bench; records of its lines."""
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
    """Target 2."""
    cpus = cperf.cpus()
    cperf.say("\n==> Driver and device on two cores, null engine (%d rounds)" % context.rounds)
    if len(cpus) < 2:
        cperf.say("    one CPU only: left out")
        return []
    other = cpus[1] if len(cpus) == 2 else cpus[2]
    return run_accel_bench(context, "cross", "cross", "engine=null,cores=[%d]" % other,
                           ["--device-cpu", str(other)])


def sessions_section(context):
    """Target 6."""
    cperf.say("\n==> Sessions: create and destroy (%d rounds)" % context.rounds)
    return run_accel_bench(context, "sessions", "sessions", "cores=1")


def stages_section(context):
    """Target 7."""
    cperf.say("\n==> One operation, step by step: AES-128-CBC, 64 bytes, device in the same thread")
    return run_accel_bench(context, "stages", "stages", "cores=inline")


SECTIONS = {"driver": driver_section, "flat": flat_section, "cross": cross_section,
            "sessions": sessions_section, "stages": stages_section,
            bench_paced.SECTION: bench_paced.section}


def value_of(records, section, case, metric, unit=None):
    """The value of the record that matches, or None."""
    for r in records:
        if (r["section"], r["algo"], r["metric"]) == (section, case, metric) and \
                unit in (None, r["unit"]):
            return r["value"]
    return None


def cell(value, digits=1):
    """A number for a table."""
    return "-" if value is None else "%.*f" % (digits, value)


def print_costs(records, section, title):
    """The table of the sections driver and flat."""
    cases = []
    for r in records:
        if r["section"] == section and r["algo"] not in cases:
            cases.append(r["algo"])
    if not cases:
        return
    cperf.say("\n%s: enqueue / dequeue per operation" % title)
    rows = [["case", "cycles", "instructions", "sum against first"]]
    for case in cases:
        pairs = [" / ".join(cell(value_of(records, section, case, m, unit))
                            for m in ("enqueue", "dequeue"))
                 for unit in ("cycles/op", "instructions/op")]
        rows.append([case] + pairs + [cell(value_of(records, section, case, "ratio-both"), 2)])
    for line in cperf.align(rows):
        cperf.say("  " + line)
    bare = [value_of(records, section, BASE, "bare-" + m) for m in ("enqueue", "dequeue")]
    if BASE in cases and None not in bare:
        cperf.say("  %s without a driver, its bare writes and reads: %s cycles"
                  % (BASE, " / ".join(cell(value) for value in bare)))
    case = "--sessions %d %s" % (SESSIONS[-1], BASE)
    if case in cases:
        cperf.say("  The cache line of each of %d sessions alone, all sent for at once: %s"
                  " cycles per operation" % (SESSIONS[-1],
                                             cell(value_of(records, section, case, "lines"))))


def print_cross(records):
    """The table of target 2."""
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
        rows.append([r["metric"], r["algo"], cell(r["value"])] + [
            cell(value_of(records, "cross", r["algo"], p + r["metric"]), d)
            for p, d in (("bare-", 1), ("ratio-", 2))])
    for line in cperf.align(rows):
        cperf.say("  " + line)


def print_sessions(records):
    """The table of target 6."""
    found = [r for r in records if r["section"] == "sessions"]
    if found:
        cperf.say("\nSessions")
        rows = [[r["metric"], r["algo"], cell(r["value"]), r["unit"]] for r in found]
        for line in cperf.align(rows, 2):
            cperf.say("  " + line)


def print_stages(records):
    """The table and the histograms of target 7."""
    if value_of(records, "stages", "mean", STEPS[0]) is None:
        return
    cperf.say("\nOne operation, cycles per step (mean without the slowest hundredth)")
    rows = [["step", "mean", "10 %", "50 %", "90 %", "99 %"]]
    rows += [[step] + [cell(value_of(records, "stages", c, step))
                       for c in ("mean", "10 %", "50 %", "90 %", "99 %")] for step in STEPS]
    for line in cperf.align(rows):
        cperf.say("  " + line)
    for step in STEPS:
        buckets = histogram(records, step)
        most = max(buckets.values(), default=1)
        cperf.say("\n  %s: operations by cycles" % step)
        for bucket, number in buckets.items():
            if number * 200 >= most:
                cperf.say("  %6d %8d %s" % (bucket, number, "#" * round(50 * number / most)))


def histogram(records, step):
    """{cycles: operations} of a step."""
    return {int(r["algo"]): int(r["value"]) for r in records
            if r["section"] == "stages" and r["metric"] == "histogram:" + step}


def largest(values):
    """The largest of values, or None if one is missing."""
    values = list(values)
    return None if not values or None in values else max(values)


def linearity(records):
    """How far instructions per segment stray from a line through 2 and 16 segments, as a ratio."""
    counts = {n: value_of(records, "flat", "--segments %d %s" % (n, BASE), "enqueue",
                          "instructions/op") for n in SEGMENTS[1:]}
    if None in counts.values():
        return None
    slope = (counts[16] - counts[2]) / 14
    return max(max(c, counts[2] + slope * (n - 2)) / min(c, counts[2] + slope * (n - 2))
               for n, c in counts.items())


def targets(records):
    """[(what, value, "at most" or "at least", limit, verdict or None)] of the sections that ran."""
    def get(*key):
        return value_of(records, *key)

    size = "--size %d %s" % (SIZES[-1], BASE)
    found = [
        ("driver alone: enqueue, cycles", get("driver", BASE, "enqueue", "cycles/op"), 25),
        ("driver alone: enqueue, instructions",
         get("driver", BASE, "enqueue", "instructions/op"), 110),
        ("driver alone: dequeue, cycles", get("driver", BASE, "dequeue", "cycles/op"), 8),
        ("driver alone: dequeue, instructions",
         get("driver", BASE, "dequeue", "instructions/op"), 30)]
    found += [("two cores, burst %d: against the bare exchange" % b,
               get("cross", str(b), "ratio-enqueue+dequeue"), 1.3) for b in (8, 32, 64)]
    found += [
        ("two cores, one at a time: against the bare ping-pong",
         get("cross", "1", "ratio-round-trip"), 1.5),
        ("16 KiB against 64 bytes", get("flat", size, "ratio-both"), 1.1),
        ("100,000 sessions against one",
         get("flat", "--sessions 100000 " + BASE, "ratio-both"), 1.25),
        ("2 to 16 segments: off a straight line, instructions", linearity(records), 1.1),
        ("8 queue pairs against one: instructions", ratio_instructions(records, 8), 1.03),
        ("2 threads with a queue pair each against one",
         get("flat", "--threads 2 " + BASE, "ratio-both"), 1.1),
        ("session, create and destroy, ns", largest(
            r["value"] for r in records
            if r["section"] == "sessions" and r["metric"] == "library"), 1000),
        ("session with a dead device, ns", largest(
            r["value"] for r in records
            if r["section"] == "sessions" and r["metric"] == "library-device-dead"), 1000)]
    found = [(what, value, "at most", limit, None) for what, value, limit in found
             if value is not None]
    return found + bench_paced.targets(records) + bench_peers.targets(records)


def verdict_of(value, relation, limit, verdict):
    """In words."""
    met = value <= limit if relation == "at most" else value >= limit
    return verdict or ("met" if met else "NOT MET")


def ratio_instructions(records, queues):
    """Instructions with several queue pairs against one."""
    pair = [value_of(records, "flat", case, "enqueue", "instructions/op")
            for case in ("--queues %d %s" % (queues, BASE), BASE)]
    return None if None in pair else pair[0] / pair[1]


def print_all(records):
    """All tables, then the targets."""
    print_costs(records, "driver", "The driver alone")
    print_costs(records, "flat", "Flat costs (the payload lies on pages that nobody may touch)")
    print_cross(records)
    print_sessions(records)
    print_stages(records)
    bench_paced.print_table(records)
    bench_peers.print_tables(records)
    found = targets(records)
    if not found:
        return
    cperf.say("\nTargets of the driver (for judging; the machine's load counts, too)")
    rows = [["target", "measured", "", "", ""]]
    rows += [[what, "%.2f" % value, relation, "%g" % limit,
              verdict_of(value, relation, limit, verdict)]
             for what, value, relation, limit, verdict in found]
    for line in cperf.align(rows):
        cperf.say("  " + line)


def series(records, section, cases, metric, unit=None):
    """The values of cases, for a plot."""
    return [value_of(records, section, case, metric, unit) for case in cases]


def plot_bars(folder, name, *arguments):
    """One plot of bars, if there is something to show."""
    values = arguments[-1]
    if any(v is not None for numbers in values.values() for v in numbers):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(svg.bars(*arguments))


def plot_peers(records, folder):
    """Share of the peak, and throughput beside peers."""
    rows = bench_paced.rows(records)
    plot_bars(folder, "paced.svg", "Share of a paced device's peak (M: Mops/s, G: Gbit/s; bytes)",
              "per cent", ["%s %d" % (peak.replace(" ", "")[:-5], size) for peak, size, *_ in rows],
              ["share"], {"share": [row[3]["share"] for row in rows]})
    names, sizes = bench_peers.names_of(records), bench_peers.SIZES
    for algorithm in bench_peers.ALGORITHMS:
        plot_bars(folder, "throughput-%s.svg" % algorithm.replace("+", "-"),
                  "Two CPUs: " + algorithm, "Mops/s", ["%d B" % size for size in sizes], names,
                  {n: [bench_peers.get(records, n, algorithm, size, "rate") for size in sizes]
                   for n in names})


def plot(records, folder):
    """SVG files of the sections that ran."""
    os.makedirs(folder, exist_ok=True)
    plot_peers(records, folder)
    both = ["enqueue", "dequeue"]
    plot_bars(folder, "driver.svg", "The driver alone, bursts of 32", "cycles per operation",
              list(KINDS.values()), both,
              {m: series(records, "driver", KINDS, m, "cycles/op") for m in both})
    plot_bars(folder, "instructions.svg", "The driver alone, bursts of 32",
              "instructions per operation", list(KINDS.values()), both,
              {m: series(records, "driver", KINDS, m, "instructions/op") for m in both})
    bursts = ["8", "32", "64"]
    plot_bars(folder, "cross.svg", "Enqueue and dequeue, device on another core",
              "cycles per operation", ["burst " + b for b in bursts], ["driver", "bare exchange"],
              {"driver": series(records, "cross", bursts, "enqueue+dequeue"),
               "bare exchange": series(records, "cross", bursts, "bare-enqueue+dequeue")})
    plot_bars(folder, "stages.svg", "One operation, step by step (64 bytes, AES-128-CBC)",
              "cycles", STEPS, ["mean"],
              {"mean": [value_of(records, "stages", "mean", s) for s in STEPS]})
    cases = [BASE] + ["--segments %d %s" % (n, BASE) for n in SEGMENTS[1:]]
    values = series(records, "flat", cases, "enqueue", "cycles/op")
    if None not in values:
        with open(os.path.join(folder, "segments.svg"), "w", encoding="utf-8") as file:
            file.write(svg.lines("Enqueue by segments of the mbuf", "cycles per operation",
                                 SEGMENTS, ["enqueue"], {"enqueue": values}, "segments"))
    cases = [BASE] + ["--sessions %d %s" % (n, BASE) for n in SESSIONS[1:]]
    values = {m: series(records, "flat", cases, m, "cycles/op") for m in both}
    if None not in values["enqueue"]:
        with open(os.path.join(folder, "sessions.svg"), "w", encoding="utf-8") as file:
            file.write(svg.lines("Sessions used at random", "cycles per operation", SESSIONS,
                                 both, values, "sessions"))
