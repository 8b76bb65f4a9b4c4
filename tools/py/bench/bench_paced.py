# SPDX-License-Identifier: BSD-3-Clause
"""The section `paced` of tools/bench: the share of a paced device's peak that the driver reaches.

Every round measures the device without a peak, then with each peak, both with its own engine and
with engine=null. The part `load` of accel-bench counts operations over time. A row of the table is
that of the own engine if it is faster than the peak, else that of engine=null."""

import statistics

from base import cperf

SECTION = "paced"
KIND = "aes-128-cbc"
SIZES = [64, 1024, 16384]
# Each name has the device argument, its value, and a function from size to operations per second.
PEAKS = {"1 Mops/s": ("peak_ops", 1000000, lambda size: 1e6),
         "5 Mops/s": ("peak_ops", 5000000, lambda size: 5e6),
         "1 Gbit/s": ("peak_bytes", 125000000, lambda size: 125e6 / size),
         "10 Gbit/s": ("peak_bytes", 1250000000, lambda size: 1250e6 / size)}
ENGINES = ["auto", "null"]
UNPACED = "no peak"
TARGET = 99
METRICS = ["rate", "driver-share", "ring-full", "in-flight", "application-lost", "device-lost"]


def load(context, devargs, kind, sizes, seconds, in_flight=2048):
    """Runs accel-bench's part load. Returns {size: {metric: value}} and the cycles of a bare round
    trip."""
    cpus = cperf.cpus()
    other = cpus[1] if len(cpus) == 2 else cpus[2]
    argv = [context.accel_bench, "--lcores", "0@%d" % cpus[0], "--log-level=error"]
    argv += cperf.eal_args() + ["--vdev", "crypto_accel0,cores=[%d]%s" % (other, devargs), "--",
                                "--device-cpu", str(other), "--kind", kind, "--sizes",
                                ",".join(map(str, sizes)), "--seconds", str(seconds), "--in-flight",
                                str(in_flight), "load"]
    text = cperf.run_program(argv, timeout=120, name="accel-bench-load")
    found, trip = {}, None
    for line in text.splitlines():
        parts = line.split(",")
        if len(parts) != 5:
            continue
        if parts[0] == "round-trip":
            trip = float(parts[2])
        elif "/" in parts[1]:
            found.setdefault(int(parts[1].split("/")[1]), {})[parts[0]] = float(parts[2])
    if sorted(found) != sorted(sizes):
        raise cperf.PerfError("accel-bench printed no numbers")
    return found, trip


def section(context):
    """Measures target 3. Records are named by peak and engine."""
    cperf.say("\n==> Share of a paced device's peak (%s, bursts of 32, %d rounds)"
              % (KIND, context.rounds))
    if len(cperf.cpus()) < 2:
        cperf.say("    skipped, because there is only one CPU")
        return []
    values, seconds = {}, 0.1 if context.quick else 0.3
    for number in range(context.rounds):
        for engine in ENGINES:
            for peak in [UNPACED] + list(PEAKS):
                cperf.say("    round %d of %d: %-10s engine=%s   "
                          % (number + 1, context.rounds, peak, engine), end="\r")
                devargs = ",engine=" + engine
                if peak in PEAKS:
                    devargs += ",%s=%d" % PEAKS[peak][:2]
                found = load(context, devargs, KIND, SIZES, seconds)[0]
                for size, numbers in found.items():
                    values.setdefault((peak, engine, size), []).append(numbers)
    cperf.say("    %d rounds of %d runs done%s"
              % (context.rounds, len(ENGINES) * (1 + len(PEAKS)), " " * 20))
    records = []
    for (peak, engine, size), numbers in values.items():
        for metric in METRICS:
            many = [n[metric] for n in numbers]
            records.append(record(context, peak, engine, size, metric, statistics.median(many),
                                  {"rate": "ops/s", "in-flight": "ops"}.get(metric, "%"),
                                  len(many)))
        if peak in PEAKS:
            share = [100 * n["rate"] / PEAKS[peak][2](size) for n in numbers]
            records.append(record(context, peak, engine, size, "share", statistics.median(share),
                                  "%", len(share)))
    return records


def record(context, peak, engine, size, metric, value, unit, rounds):
    """Makes a record of this section."""
    return context.record(SECTION, "crypto_accel", metric, value, unit, rounds,
                          algo="%s, engine=%s" % (peak, engine), size=size, burst=32)


def get(records, peak, engine, size, metric):
    """Returns the value of a record of this section, or None."""
    return cperf.find(records, SECTION, algo="%s, engine=%s" % (peak, engine), size=size,
                      metric=metric)


def rows(records):
    """Returns [(peak, size, engine, {metric: value}, unpaced rate, verdict)] of the table."""
    found = []
    for peak, (_, _, rate_of) in PEAKS.items():
        for size in SIZES:
            unpaced = {e: get(records, UNPACED, e, size, "rate") for e in ENGINES}
            if None in unpaced.values():
                continue
            wanted = rate_of(size)
            engine = "auto" if unpaced["auto"] >= wanted else "null"
            numbers = {m: get(records, peak, engine, size, m) for m in METRICS + ["share"]}
            if numbers["share"] >= TARGET:
                verdict = "met"
            elif 0 < unpaced[engine] < wanted:
                verdict = "beyond: %.0f %% of unpaced" % (
                    100 * numbers["rate"] / unpaced[engine])
            else:
                verdict = "NOT MET"
            found.append((peak, size, engine, numbers, unpaced, verdict))
    return found


def print_table(records):
    """Prints the table of target 3."""
    found = rows(records)
    if not found:
        return
    cperf.say("\nShare of the peak that the driver reaches (target: at least %d %%)" % TARGET)
    table = [["peak", "bytes", "engine", "kops/s of", "peak", "share %", "unpaced: own", "null",
              "in flight", "in driver %", "lost % app", "device", ""]]
    for peak, size, engine, numbers, unpaced, verdict in found:
        table.append([peak, size, engine] + ["%.1f" % (v / 1e3) for v in (
            numbers["rate"], PEAKS[peak][2](size))] + ["%.2f" % numbers["share"]] + [
                "%.1f" % (unpaced[e] / 1e3) for e in ENGINES] + ["%.0f" % numbers["in-flight"]] + [
                    "%.1f" % numbers[m] for m in ("driver-share", "application-lost",
                                                  "device-lost")] + [verdict])
    for line in cperf.align(table):
        cperf.say("  " + line)
    for text in (
            "engine null: the own engine is slower than the peak without one (unpaced: own)",
            "in flight, of 2048: full means that the driver always had given the device enough",
            "in driver: of the application's core, in calls that moved something",
            "lost: time that the application's or the device's thread was ready and other programs"
            " had its CPU;",
            "      of waits above 5 ms the device gives nothing back"):
        cperf.say("  " + text)


def targets(records):
    """Returns the arguments of bench_driver.Target."""
    return [("paced device: share of the peak, %", "%s of %d bytes%s" % (
        peak, size, "" if engine == "auto" else " (engine=null)"),
             numbers["share"], "at least", TARGET, verdict)
            for peak, size, engine, numbers, _, verdict in rows(records)]
