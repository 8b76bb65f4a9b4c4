# SPDX-License-Identifier: BSD-3-Clause
"""Measures for tools/demo: checks known answers, then prints the table of throughput and writes the
report with the pictures."""

import argparse
import os
import shlex
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import cperf, machine, report
from bench import bench, bench_driver, bench_report, vectors

SIZES = [64, 256, 1024, 4096, 16384]
ALGORITHMS = ["aes-128-cbc", "aes-256-gcm", "aes-128-cbc+sha1-hmac", "aes-128-cbc+sha256-hmac"]
TITLES = {
    "aes-128-cbc": "AES-128-CBC",
    "aes-256-gcm": "AES-256-GCM",
    "aes-128-cbc+sha1-hmac": "AES-128-CBC + HMAC-SHA1",
    "aes-128-cbc+sha256-hmac": "AES-128-CBC + HMAC-SHA256",
}
# What the stock program calls failed is none.
RETRIES = """
The numbers are of operations that came back. In the output of dpdk-test-crypto-perf itself, in
build/logs, "Failed Enq" are retries: the loop is faster than the card, finds the queue pair full
and offers the operation again. "Failed Deq" are polls that found nothing yet. Neither is an error,
and no operation is lost."""
# Seconds for which each size runs.
TARGET = float(os.environ.get("ACCEL_DEMO_SECONDS", "0.25"))


def print_table(devices, results):
    """Prints a table with a line per algorithm and size and two columns per driver."""
    width = max(20, max(len(d) for d in devices) + 2)
    left = max(len(TITLES[a]) for a in ALGORITHMS)
    rule = "-" * (left + 9) + ("+" + "-" * (width + 2)) * len(devices)
    cperf.say("%-*s  %6s %s" % (left, "", "", "".join(
        "| " + d.center(width) + " " for d in devices)))
    cperf.say("%-*s  %6s %s" % (left, "algorithm (encrypt)", "bytes", "".join(
        "| " + ("%*s%*s" % (width // 2, "Mops/s", width - width // 2, "Gbit/s")) + " "
        for _ in devices)))
    for algorithm in ALGORITHMS:
        cperf.say(rule)
        for size in SIZES:
            cells = ""
            for device in devices:
                value = results.get((device, algorithm), {}).get(size)
                cells += "| " + ("%*.3f%*.2f" % (width // 2, value[0], width - width // 2, value[1])
                                 if value else "-".center(width)) + " "
            cperf.say("%-*s  %6d %s" % (left, TITLES[algorithm] if size == SIZES[0] else "",
                                        size, cells))
    cperf.say(rule)


def throughput_figure(devices, results):
    """Returns the figure of the throughput for the report, or None."""
    series = []
    for algorithm in ALGORITHMS:
        for device in devices:
            points = [{"size": size, "mops": report.rounded(pair[0]),
                       "gbps": report.rounded(pair[1])}
                      for size, pair in sorted(results.get((device, algorithm), {}).items())]
            if points:
                series.append({"device": device, "algorithm": TITLES[algorithm],
                               "points": points})
    if not series:
        return None
    return {"about": "dpdk-test-crypto-perf, bursts of 32, one run of %g s for each point. One CPU"
                     " runs the test loop; the device of crypto_accel has another CPU if there is"
                     " one, the software drivers work in the test loop. Each drawing has a scale of"
                     " its own." % TARGET,
            "commands": cperf.commands("throughput-"), "series": series}


def stages_records(build_dir):
    """Measures the steps of one operation with accel-bench. Returns records as tools/bench has
    them, none if the program is not there or fails."""
    context = bench_driver.Context(bench.Record, build_dir, 1, False)
    if not os.access(context.accel_bench, os.X_OK):
        return []
    try:
        records = bench_driver.stages_section(context)
        bench_driver.print_steps(records)
        return records
    except cperf.PerfError as error:
        cperf.say("    %s%s" % (error, ", see " + error.log if error.log else ""))
        return []


def write_report(args, results, busy, failed):
    """Writes the report, with the steps of an operation and latencies if crypto_accel is one of the
    devices."""
    options = argparse.Namespace(rounds=1, quick=False, urgent=False)
    records, latencies = [], None
    if "crypto_accel" in args.devices and args.build_dir:
        records = stages_records(args.build_dir)
        latencies = bench_report.latency(args.build_dir)
    data = report.begin("tools/demo", "crypto_accel: results of tools/demo",
                        [shlex.join(["./tools/demo"] + args.devices)],
                        machine.describe(options, busy, failed))
    for name, figure in (("throughput", throughput_figure(args.devices, results)),
                         ("latency", latencies), ("stages", bench_report.stages(records))):
        if figure:
            data[name] = figure
    report.write(args.html, data)
    cperf.say("\nthe pictures are in %s; a browser opens the file without a network" % args.html)


def performance(args):
    """Measures, prints the table and writes the report. Returns the number of failed runs."""
    devices, busy = args.devices, cperf.busy_share()
    cperf.warn_if_busy(busy)
    progress = cperf.Progress(len(devices) * len(ALGORITHMS))
    results, failed = {}, 0
    for algorithm in ALGORITHMS:
        for device in devices:
            progress.begin("%s  %s" % (algorithm, device))
            try:
                results[(device, algorithm)] = value = cperf.measure(
                    device, algorithm, SIZES, TARGET)
                progress.end("%7.3f Mops/s at 64 B, %7.2f Gbit/s at 16384 B"
                             % (value[64][0], value[16384][1]))
            except cperf.PerfError as error:
                progress.end("%s%s" % (error, ", see " + error.log if error.log else ""))
                failed += 0 if error.not_offered and device != "crypto_accel" else 1
    cperf.say()
    print_table(devices, results)
    cperf.say(RETRIES)
    if args.html:
        write_report(args, results, busy, failed)
    return failed


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["verify", "perf"])
    parser.add_argument("--tap", action="store_true", help="verify for meson, one device")
    parser.add_argument("--html", metavar="FILE", help="perf: also write the report")
    parser.add_argument("--build-dir", metavar="DIR", help="perf: programs for the report")
    parser.add_argument("devices", metavar="DEVICE", nargs="+")
    args = parser.parse_args()
    devices = args.devices
    if args.command == "verify":
        folder = os.path.join(os.path.dirname(__file__), "..", "..", "..", "test", "vectors")
        bad = 0
        if args.tap:
            return 1 if vectors.verify_tap(devices[0], vectors.read_all(folder)) else 0
        for device in devices:
            passed, failed, absent = vectors.verify(device, vectors.read_all(
                os.path.normpath(folder)))
            # The reference device has every algorithm of the files, so a gap is a failure.
            if device == "crypto_accel":
                failed += absent
            cperf.say("    %s: known answers: %d passed, %d failed, %d not offered"
                      % (device, passed, failed, absent))
            bad += failed + (passed == 0)
        return 1 if bad else 0
    return 1 if performance(args) else 0


if __name__ == "__main__":
    sys.exit(main())
