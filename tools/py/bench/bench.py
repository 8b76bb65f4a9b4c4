# SPDX-License-Identifier: BSD-3-Clause
"""Measures cycles per operation, throughput beside peers, and the limit of the machine.

Every number is the median of several rounds. The rounds of all devices are interleaved, so that
other load of the machine affects all of them alike."""

import argparse
import json
import os
import re
import shlex
import statistics
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import cperf, machine, report
from base.cperf import cell, find
from bench import (bench_bus, bench_crossover, bench_depths, bench_disk, bench_driver,
                   bench_latency, bench_openssl, bench_peers, bench_report, bench_security,
                   bench_tasks)

BURSTS = [1, 8, 32, 128]
CYCLE_SIZES = [64, 1024]
# Number of rings of operations per measurement: the program fills a ring, then drains it. Peers
# have no delay between, so they need more rings to run for tens of milliseconds.
ACCEL_PASSES = 16
PEER_PASSES = 128
# Milliseconds between filling and draining. The device has finished by then, so that draining
# measures the driver and not the device.
DEVICE_DELAY_MS = 4

DEVICES = ["crypto_accel", "crypto_aesni_gcm", "crypto_aesni_mb", "crypto_chacha20_poly1305",
           "crypto_kasumi", "crypto_null", "crypto_openssl", "crypto_snow3g", "crypto_zuc"]
SECTIONS = ["cycles", "limit", "throughput", "memory", bench_bus.SECTION] + list(
    bench_driver.SECTIONS)
# These take minutes and run only when they are named.
MORE_SECTIONS = [bench_crossover.SECTION, bench_depths.SECTION, bench_disk.SECTION,
                 bench_latency.SECTION, bench_openssl.SECTION, bench_security.SECTION,
                 bench_tasks.SECTION]


class Record(dict):
    """One line of the JSON output."""

    def __init__(self, section, device, metric, value, unit, rounds, algo=None, size=None,
                 burst=None):
        super().__init__(section=section, device=device, algo=algo, size=size, burst=burst,
                         metric=metric, value=round(value, 4), unit=unit, rounds=rounds)


def cycle_count(device, algorithm):
    """Runs pmd-cyclecount once. Returns {(size, burst): (enqueue, dequeue)} and the keys that
    waited."""
    ours = device == "crypto_accel"
    found = cperf.cycle_count(device, algorithm, CYCLE_SIZES, BURSTS, cperf.RING,
                              ACCEL_PASSES if ours else PEER_PASSES, DEVICE_DELAY_MS if ours else 0)
    return ({key: numbers[:2] for key, numbers in found.items()},
            {key for key, numbers in found.items() if numbers[2] > 0})


def cycle_section(devices, rounds):
    """Measures section (a), cycles per enqueue and dequeue."""
    algorithms = {d: "null" if d == "crypto_null" else "aes-128-cbc" for d in devices}
    cperf.say("\n==> Cycles per operation inside the drivers (pmd-cyclecount, %d rounds)" % rounds)
    progress = cperf.Progress(len(devices) * rounds)
    values, waited, failed = {}, set(), 0
    for _ in range(rounds):
        for device in devices:
            progress.begin("%s  %s" % (device, algorithms[device]))
            try:
                result, marks = cycle_count(device, algorithms[device])
            except cperf.PerfError as error:
                progress.end("%s%s" % (error, ", see " + error.log if error.log else ""))
                failed += 1
                continue
            progress.end("enqueue %.0f, dequeue %.0f at 64 B, burst 32" % result[(64, 32)])
            if device == "crypto_accel":
                waited |= marks
            for key, pair in result.items():
                values.setdefault((device,) + key, []).append(pair)
    records = []
    for (device, size, burst), pairs in values.items():
        for index, metric in enumerate(("enqueue", "dequeue")):
            records.append(Record("cycles", device, metric,
                                  statistics.median(p[index] for p in pairs), "cycles/op",
                                  len(pairs), algorithms[device], size, burst))
    return records, waited, failed


def limit_section(program, rounds):
    """Measures section (c), the machine's limit."""
    cpus = cperf.cpus()
    cperf.say("\n==> The machine's limit: the same cache lines by a bare loop (%d rounds)"
              % max(7, rounds))
    pair = "%d,%d" % (cpus[0], cpus[0] if len(cpus) == 1 else cpus[1 if len(cpus) == 2 else 2])
    if len(cpus) == 1:
        cperf.say("    with only one CPU the threads take turns, and these numbers are no limit")
    text = cperf.run_program([program, "--csv", "--cpus", pair, "--rounds", str(max(7, rounds))],
                             name="line-exchange")
    records = []
    for line in text.splitlines():
        match = re.fullmatch(r"([a-z-]+),(\d+),([\d.]+),cycles,(\d+)", line)
        if match:
            records.append(Record("limit", "bare loop", match[1], float(match[3]), "cycles/op",
                                  int(match[4]), burst=int(match[2])))
    if not records:
        raise cperf.PerfError("unexpected output of line-exchange")
    return records


def memory_section(program):
    """Measures the memory of a queue pair and of a session by `accel-e2e --memory`."""
    if not os.access(program, os.X_OK):
        return []
    argv = [program, "--lcores", cperf.lcores(), "--log-level=error"] + cperf.eal_args()
    argv += cperf.device_args("crypto_accel") + ["--", "--memory"]
    try:
        text = cperf.run_program(argv, cperf.lcores(), timeout=300, name="memory")
    except cperf.PerfError:
        return []
    records = []
    match = re.search(r"^queue pair of (\d+) descriptors: (\d+) bytes", text, re.MULTILINE)
    if match:
        records.append(Record("memory", "crypto_accel", "queue pair of %s descriptors" % match[1],
                              int(match[2]), "bytes", 1))
    match = re.search(r"^session: (\d+) bytes private.*?(\d+) bytes", text, re.MULTILINE)
    if match:
        records.append(Record("memory", "crypto_accel", "session, the driver's part",
                              int(match[1]), "bytes", 1))
        records.append(Record("memory", "crypto_accel", "session, with the library's header",
                              int(match[2]), "bytes", 1))
    return records


def print_cycles(records, devices, waited):
    """Prints the table of sections (a) and (c)."""
    cperf.say("\nCycles (TSC) per operation: enqueue / dequeue")
    rows = [["bytes", "burst"] + devices + ["bare loop"]]
    for size in CYCLE_SIZES:
        for burst in BURSTS:
            row = [size, burst]
            for device in devices:
                pair = [cell(find(records, "cycles", device=device, size=size, burst=burst,
                                  metric=m)) for m in ("enqueue", "dequeue")]
                mark = "*" if device == "crypto_accel" and (size, burst) in waited else ""
                row.append("%s / %s%s" % (pair[0], pair[1], mark))
            pair = [cell(find(records, "limit", burst=burst, metric=m))
                    for m in ("enqueue", "dequeue")]
            rows.append(row + ["%s / %s" % tuple(pair)])
    for line in cperf.align(rows, 0):
        cperf.say("  " + line)
    cperf.say("  crypto_null does nothing (cipher null); crypto_aesni_mb encrypts in these calls;"
              " bare loop: see below")
    if waited:
        cperf.say("  * the device had not finished, so the dequeue contains waiting for it")


def print_limit(records):
    """Prints the table of section (c)."""
    bursts = sorted({r["burst"] for r in records if r["section"] == "limit"})
    if not bursts:
        return
    cperf.say("\nThe machine's limit: cycles (TSC) per operation of a bare loop on the same CPUs")
    rows = [["burst", "enqueue", "dequeue", "both, pipelined"]]
    for burst in bursts:
        rows.append([burst] + [cell(find(records, "limit", burst=burst, metric=m), 1)
                               for m in ("enqueue", "dequeue", "pipelined")])
    for line in cperf.align(rows, 0):
        cperf.say("  " + line)
    cperf.say("  one operation at a time, there and back: %s cycles"
              % cell(find(records, "limit", metric="round-trip")))


def print_memory(records):
    """Prints the memory per queue pair and session."""
    cperf.say("\nMemory of the driver")
    found = [r for r in records if r["section"] == "memory"]
    for record in found:
        cperf.say("  %-40s %10d bytes" % (record["metric"], record["value"]))
    if not found:
        cperf.say("  queue pair of 2048 descriptors: n/a, session: n/a")


def write_json(path, records, about):
    """Writes the JSON output: the description of the run, the targets, and a record per line."""
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"about": %s,\n"targets": [\n' % json.dumps(about, indent=1))
        file.write(",\n".join(json.dumps(t.json()) for t in bench_driver.targets(records)))
        file.write('],\n"records": [\n')
        file.write(",\n".join(json.dumps(record) for record in records))
        file.write("]}\n")


def wanted_sections(parser, args):
    """Returns the sections that the arguments select."""
    only = (["stages"] * args.stages + [bench_bus.SECTION] * args.bus
            + [bench_crossover.SECTION] * args.crossover
            + [bench_openssl.SECTION] * args.openssl)
    sections = only or (args.sections or ",".join(SECTIONS)).split(",")
    unknown = [name for name in sections if name not in SECTIONS + MORE_SECTIONS]
    if unknown:
        parser.error("unknown section '%s'; sections are %s"
                     % (unknown[0], ",".join(SECTIONS + MORE_SECTIONS)))
    if args.against:
        if not os.access(os.path.join(args.against, "test/bench/driver-cost"), os.X_OK):
            parser.error("there is no test/bench/driver-cost in " + args.against)
        return sections + ["against"] * ("against" not in sections)
    if args.sections and "against" in sections:
        parser.error("the section against needs --against BUILD_DIR")
    return [name for name in sections if name != "against"]


def check(parser, args, sections):
    """Ends the program with code 2 if an option is wrong."""
    if args.rounds < 1 or args.seconds <= 0:
        parser.error("--rounds and --seconds must be above 0")
    unknown = [d for d in args.devices.split(",") if d not in DEVICES]
    if unknown:
        parser.error("unknown device '%s'; devices are %s" % (unknown[0], ",".join(DEVICES)))
    for name in filter(None, (args.json, args.html)):
        folder = os.path.dirname(os.path.abspath(name))
        if not os.access(folder, os.W_OK) or os.path.isdir(name):
            parser.error("cannot write " + name)
    for option, parse in (("algorithms", bench_crossover.algorithms_of),
                          ("sizes", bench_crossover.sizes_of)):
        text = getattr(args, option)
        if text is None:
            continue
        if bench_crossover.SECTION not in sections:
            parser.error("--%s needs --crossover" % option)
        try:
            setattr(args, option, parse(text))
        except ValueError as error:
            parser.error("--%s: %s" % (option, error))


def without_build_dir(argv):
    """Returns the arguments that a user has given: tools/bench adds --build-dir."""
    argv = list(argv)
    if "--build-dir" in argv:
        place = argv.index("--build-dir")
        del argv[place:place + 2]
    return argv


def main():
    """Measures what the arguments select."""
    parser = argparse.ArgumentParser(prog="tools/bench", description=__doc__,
                                     allow_abbrev=False)
    parser.add_argument("--rounds", type=int, default=11, help="rounds per number (default 11)")
    parser.add_argument("--seconds", type=float, default=0.2,
                        help="seconds per measured size of the throughput (default 0.2)")
    parser.add_argument("--sections",
                        help="what to measure, any of %s (default all)" % ",".join(SECTIONS))
    parser.add_argument("--stages", action="store_true",
                        help="measure only the steps of one operation, as --sections stages does")
    parser.add_argument("--bus", action="store_true",
                        help="only count what an operation costs on a PCI Express link, in our"
                        " format and others, with the sources of all sizes")
    parser.add_argument("--crossover", action="store_true",
                        help="only find the size from which the card beats the CPU alone"
                        " (%s), by operations per second and by cycles of the application's CPU;"
                        " about a minute a round" % ", ".join(bench_crossover.PEERS))
    parser.add_argument("--openssl", action="store_true",
                        help="only measure OpenSSL programs on the embedded device beside the"
                        " default provider, from which tools/doc --results FILE makes the page"
                        " doc/openssl.md; some minutes")
    parser.add_argument("--algorithms", metavar="LIST", help="algorithms of the crossover"
                        " (default %s)" % ",".join(bench_crossover.ALGORITHMS))
    parser.add_argument("--sizes", metavar="LIST", help="sizes of the crossover in bytes"
                        " (default %s)" % ",".join(map(str, bench_crossover.SIZES)))
    parser.add_argument("--quick", action="store_true",
                        help="make only 3 shorter rounds, for a first look")
    parser.add_argument("--against", metavar="BUILD_DIR",
                        help="also measure the driver alone of another build (a folder like "
                        "build/release), in turn with this one; --sections against measures "
                        "nothing else")
    parser.add_argument("--devices", default="crypto_accel,crypto_aesni_mb,crypto_null",
                        help="drivers of the section cycles (default %(default)s); without "
                        "crypto_accel the section throughput has only the peers")
    parser.add_argument("--more-peers", action="store_true",
                        help="also measure the throughput of crypto_openssl, and of "
                        "crypto_aesni_mb on both CPUs")
    parser.add_argument("--urgent", action="store_true",
                        help="give measured programs priority over others (for root)")
    parser.add_argument("--json", metavar="FILE", help="also write all numbers, the targets and a "
                        "description of the machine as JSON, from which tools/doc --results FILE "
                        "makes the pages of performance and of the bus")
    parser.add_argument("--html", metavar="FILE", help="also write a page with drawings and tables"
                        " that opens in a browser, offline: throughput, the steps of an operation,"
                        " the crossover")
    parser.add_argument("--build-dir", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    sections = wanted_sections(parser, args)
    check(parser, args, sections)
    if args.check:
        cperf.warn_if_loaded()
        return 0
    if args.quick:
        args.rounds = min(args.rounds, 3)
        args.seconds = min(args.seconds, 0.05)
    cperf.URGENT = args.urgent
    devices = args.devices.split(",")
    records, failed, waited, sources = [], 0, set(), []
    busy = cperf.busy_share()
    load = "%.1f" % os.getloadavg()[0]
    if "cycles" in sections:
        more, waited, bad = cycle_section(devices, args.rounds)
        records += more
        failed += bad
    if "limit" in sections:
        records += limit_section(os.path.join(args.build_dir, "test/bench/line-exchange"),
                                 args.rounds)
    context = bench_driver.Context(Record, args.build_dir, args.rounds, args.quick,
                                   args.against)
    for name in [s for s in sections if s in bench_driver.SECTIONS]:
        try:
            records += bench_driver.SECTIONS[name](context)
        except (cperf.PerfError, RuntimeError) as error:
            cperf.say("    %s: %s%s" % (name, error, ", see " + error.log
                                        if getattr(error, "log", None) else ""))
            failed += 1
    if "throughput" in sections:
        more, bad = bench_peers.section(context, devices, args.seconds, args.more_peers)
        records += more
        failed += bad
    if bench_crossover.SECTION in sections:
        more, bad = bench_crossover.section(context, args.seconds, args.algorithms, args.sizes)
        records += more
        failed += bad
    for each in (bench_depths, bench_disk, bench_latency, bench_security, bench_tasks):
        if each.SECTION in sections:
            more, bad = each.section(context)
            records += more
            failed += bad
    if bench_openssl.SECTION in sections:
        more, bad = bench_openssl.section(context, args.build_dir)
        records += more
        failed += bad
    if bench_bus.SECTION in sections:
        more, sources = bench_bus.section(
            context, os.path.join(args.build_dir, "test/bench/accel-bus"))
        records += more
    if "memory" in sections and "crypto_accel" in devices:
        records += memory_section(os.path.join(args.build_dir, "test/e2e/accel-e2e"))
    if "cycles" in sections:
        print_cycles(records, devices, waited)
    if "limit" in sections:
        print_limit(records)
    if "memory" in sections:
        print_memory(records)
    bench_bus.print_tables(records, sources, args.bus)
    bench_driver.print_all(records)
    bench_crossover.print_tables(records)
    bench_depths.print_tables(records)
    bench_disk.print_tables(records)
    bench_latency.print_tables(records)
    bench_security.print_tables(records)
    bench_tasks.print_tables(records)
    bench_openssl.print_tables(records)
    cperf.warn_if_busy(busy)
    about = machine.describe(args, busy, failed)
    if args.json:
        write_json(args.json, records, dict(about, load=load, **{"bus sources": sources}))
        cperf.say("\nall numbers are in %s; tools/doc --results %s makes the pages of results"
                  % (args.json, args.json))
    if args.html:
        command = shlex.join(["./tools/bench"] + without_build_dir(sys.argv[1:]))
        latencies = bench_report.latency(args.build_dir) if "stages" in sections else None
        report.write(args.html, bench_report.make(records, about, [command], latencies))
        cperf.say("\nthe pictures are in %s; a browser opens it without a network" % args.html)
    if failed:
        cperf.say("\n%d runs have failed, see above" % failed)
    idle = [t for t in bench_driver.targets(records) if t.verdict == bench_driver.NO_LOAD]
    for target in idle:
        cperf.say("\nno verdict, because its load did not run: %s" % target.title())
    return 1 if failed or idle else 0


if __name__ == "__main__":
    sys.exit(main())
