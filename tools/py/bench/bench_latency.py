# SPDX-License-Identifier: BSD-3-Clause
"""The section `latency` of tools/bench: how long operations take at a given load, in an open loop.

The program is test/bench/peers/latency_bench.c. A round runs crypto_accel, crypto_aesni_mb on the
application's CPU, and crypto_scheduler with one crypto_aesni_mb worker on the other CPU, in turn.
A load is a share of what the same device did in a closed loop just before. Operations are due at
equal distances of time, and their latency begins then."""

import functools
import statistics

from base import cperf
from base.cperf import cell
from bench import bench_peers, bench_turns

SECTION = "latency"
OURS = bench_peers.OURS
SIZES = [64, 1024, 16384]
LOADS = [10, 50, 90, 99]
QUANTILES = ["p50", "p99", "p999"]
SECONDS = 0.3
UNITS = dict({metric: "ns" for metric in QUANTILES}, **{"rate": "ops/s", "in time": "%",
                                                        "lost": "%"})
# With less than this share of the load, a load did not run.
RAN = 90
# A device thread without work spins for 100 us (idle_us), and then sleeps. An operation that it
# slept through takes longer than this.
NAP_NS = 50000


def setups():
    """Returns [(name, driver, lcores, EAL devices, tries)]."""
    first = cperf.cpus()[0]
    found = [(s[0], s[1], s[3], s[5]) for s in bench_peers.setups([OURS], False)]
    two = "0@%d,2@%d" % (first, bench_peers.second_cpu())
    return [(name, driver, two if driver == "crypto_scheduler" else "0@%d" % first,
             devices or cperf.device_args(driver), tries)
            for name, driver, devices, tries in found]


def measure(program, setup, size, seconds):
    """Runs the program once. Returns {(size, load, metric): value}."""
    _, driver, mapping, devices, tries = setup
    argv = [program, "--lcores", mapping, "--log-level=error"] + cperf.eal_args() + devices
    argv += ["--", driver, str(size), str(seconds)] + [str(load) for load in LOADS]
    # Debian's crypto_scheduler crashes now and then.
    text = cperf.run_again(argv, "latency-bench", tries)
    found = {(size, int(parts[1]), parts[0]): float(parts[2])
             for parts in bench_turns.lines(text, 4, UNITS)}
    if (size, LOADS[-1], "lost") not in found:
        raise cperf.PerfError("latency-bench did not measure all loads")
    return found


def section(context):
    """Measures all rounds. Returns (records, failed runs)."""
    cperf.say("\n==> Latency in an open loop (%d rounds)" % context.rounds)
    program = bench_turns.program(context, "latency-bench")
    seconds = SECONDS / 3 if context.quick else SECONDS
    turns = [("%d bytes  %s" % (size, setup[0]), setup[0], setup[4],
              functools.partial(measure, program, setup, size, seconds))
             for size in SIZES for setup in setups()]
    values, failed = bench_turns.take(context, turns, lambda found: "p99 %.1f us at a load of %d %%"
                                      % (1e-3 * next(value for key, value in found.items()
                                                     if key[1:] == (LOADS[0], "p99")), LOADS[0]))
    return make_records(context, values), failed


def make_records(context, values):
    """Makes the records. `values` is {(set-up, size, load, metric): {round: value}}."""
    return [context.record(SECTION, name, metric, statistics.median(rounds.values()),
                           UNITS[metric], len(rounds), str(load), size)
            for (name, size, load, metric), rounds in values.items()]


def get(records, name, size, load, metric):
    """Returns the value of a record of this section, or None."""
    return cperf.find(records, SECTION, device=name, algo=str(load), size=size, metric=metric)


def micro(value):
    """Writes ns as microseconds."""
    return cell(None if value is None else 1e-3 * value, 1)


def rows(records):
    """Returns the head and the rows of a table, or None without records of this section."""
    names = list(dict.fromkeys(r["device"] for r in records if r["section"] == SECTION))
    if OURS not in names:
        return None
    table = [["bytes", "load, %"] + ["%s, %s" % (name, metric) for name in names
                                     for metric in ("p50", "p99", "p99.9")]]
    for size in SIZES:
        for load in LOADS:
            row = [str(size) if load == LOADS[0] else "", str(load)]
            for name in names:
                came = get(records, name, size, load, "in time")
                ran = came is not None and came >= RAN
                row += [micro(get(records, name, size, load, metric)) if ran else "-"
                        for metric in QUANTILES]
            table.append(row)
    return table


def print_tables(records):
    """Prints what was measured."""
    found = rows(records)
    if found is None:
        return
    cperf.say("\nLatency of AES-128-GCM in microseconds, open loop (-: the load was not reached)")
    for line in cperf.align(found):
        cperf.say("  " + line)
    lost = [r["value"] for r in records if r["section"] == SECTION and r["metric"] == "lost"]
    cperf.say("  other programs had the application's CPU for %.1f to %.1f %% of the time"
              % (min(lost), max(lost)))


def targets(records):
    """Returns the arguments of bench_driver.Target."""
    found = [("latency: p99 at a load of 10 %, without the device's naps, us", "%d bytes" % size,
              get(records, OURS, size, LOADS[0], "p99"), "at most", 1e-3 * NAP_NS)
             for size in SIZES]
    return [(title, case, 1e-3 * value, kind, limit) for title, case, value, kind, limit in found
            if value is not None]
