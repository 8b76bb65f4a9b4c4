# SPDX-License-Identifier: BSD-3-Clause
"""Makes the figures of a report from the records of tools/bench: `tools/bench --html FILE`, and
the stages of tools/demo.

bench_report.py RESULTS HTML

RESULTS is the JSON that an earlier run of tools/bench has written."""

import argparse
import json
import os
import sys
import tempfile

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import cperf, report
from bench import bench_crossover, bench_driver, bench_peers

# Who does a step of one operation.
DRIVER, DEVICE = "driver", "device"
WHO = {"device fetch": DEVICE, "engine": DEVICE, "response": DEVICE}
# This step is not on the way of an operation.
ASIDE = "poll without completion"
# Latencies are measured at these sizes and bursts: one operation as in the thesis, and a load.
LATENCY_POINTS = [(64, 1), (1024, 32)]


def commands(options, *names):
    """Returns how tools/bench measures a figure, and the programs that have run for it."""
    return ["./tools/bench " + options] + cperf.commands(*names)


def throughput(records):
    """Returns the figure of the throughput beside peers, or None."""
    series = []
    for algorithm in bench_peers.ALGORITHMS:
        for name in bench_peers.names_of(records):
            points = []
            for size in bench_peers.SIZES:
                pair = [bench_peers.get(records, name, algorithm, size, metric)
                        for metric in ("rate", "throughput")]
                if None not in pair:
                    points.append({"size": size, "mops": pair[0], "gbps": pair[1]})
            if points:
                series.append({"device": name, "algorithm": algorithm, "points": points})
    if not series:
        return None
    return {"about": "dpdk-test-crypto-perf on two CPUs, bursts of 32: the application has one, the"
                     " device or the scheduler's worker the other. Medians of the rounds. Each"
                     " drawing has a scale of its own.",
            "commands": commands("--sections throughput", "throughput-", "accel-bench-load"),
            "series": series}


def stages(records):
    """Returns the figure of the steps of one operation, or None."""
    found = []
    for step in bench_driver.STEPS:
        values = {key: bench_driver.value_of(records, "stages", case, step)
                  for key, case in (("mean", "mean"), ("p10", "10 %"), ("p50", "50 %"),
                                    ("p90", "90 %"), ("p99", "99 %"))}
        # A step shorter than two looks at the clock can come out below 0.
        stage = {key: max(value, 0) for key, value in values.items() if value is not None}
        if "mean" not in stage:
            return None
        stage.update(name=step, who=WHO.get(step, DRIVER))
        if step == ASIDE:
            stage["aside"] = True
        found.append(stage)
    return {"about": "One operation of AES-128-CBC with 64 bytes at a time; driver and device work"
                     " in one thread, so that one clock measures all steps. Means without the"
                     " slowest hundredth.",
            "commands": commands("--stages", "accel-bench-stages"), "unit": "cycles",
            "stages": found}


def latency(build_dir):
    """Measures latencies with `dpdk-accel-tool latency`, whose page has the figure. Returns it, or
    None if the program is not there or fails."""
    tool = os.path.join(build_dir, "app", "accel-tool", "dpdk-accel-tool")
    if not os.access(tool, os.X_OK):
        return None
    series, marks, mapping = [], [], "0@%d" % cperf.cpus()[0]
    cperf.say("\n==> Latencies, by dpdk-accel-tool")
    for size, burst in LATENCY_POINTS:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "latency.html")
            argv = [tool, "latency", "--lcores", mapping, "--log-level=error"] + cperf.eal_args()
            # The program is linked with the driver and needs no plugin.
            argv += cperf.device_args("crypto_accel")[-2:] + [
                "--", "--sizes", str(size), "--bursts", str(burst), "--html", path]
            try:
                cperf.run_program(argv, timeout=300, name="accel-tool-latency")
                found = report.read(path)["latency"]
            except (cperf.PerfError, OSError, ValueError, KeyError) as error:
                cperf.say("    %d bytes, bursts of %d: %s%s" % (
                    size, burst, error, ", see " + error.log if getattr(error, "log", "") else ""))
                return None
        series += found["series"]
        marks = found.get("marks", [])
        cperf.say("    %s: p50 %.1f us, p99 %.1f us" % (
            found["series"][0]["name"], found["series"][0]["p50"] / 1e3,
            found["series"][0]["p99"] / 1e3))
    return {"about": "AES-128-CBC; the next burst is sent when the last one is back. From before"
                     " the enqueue to after the dequeue.",
            "commands": cperf.commands("accel-tool-latency"), "unit": "ns", "marks": marks,
            "series": series}


def crossover(records):
    """Returns the figure of the crossover, or None."""
    pairs = bench_crossover.pairs(records)
    if not pairs:
        return None
    return {"about": "crypto_accel beside each driver that works on the application's CPU, in turn"
                     " within each round. Throughput: operations per second with bursts of 32,"
                     " where crypto_accel's device has a CPU of its own. Cycles: what one operation"
                     " takes of the application's CPU in the calls of the driver.",
            "commands": commands("--crossover", "throughput-", "cyclecount-"), "pairs": pairs}


def make(records, about, again, latencies=None):
    """Returns the report of a run of tools/bench. `again` are the commands that repeat it,
    `latencies` is the figure of latency() or None."""
    data = report.begin("tools/bench", "crypto_accel: results of tools/bench", again, about)
    for name, figure in (("throughput", throughput), ("stages", stages),
                         ("crossover", crossover)):
        found = figure(records)
        if found:
            data[name] = found
    if latencies:
        data["latency"] = latencies
    return data


def main():
    """Makes the page of an earlier run."""
    parser = argparse.ArgumentParser(prog="bench_report.py", description=__doc__,
                                     allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", metavar="RESULTS")
    parser.add_argument("html", metavar="HTML")
    args = parser.parse_args()
    try:
        with open(args.results, encoding="utf-8") as file:
            run = json.load(file)
        report.write(args.html, make(run["records"], run["about"], ["./tools/bench --html FILE"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        print("bench_report.py: %s: no results of tools/bench (%r)" % (args.results, error),
              file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
