# SPDX-License-Identifier: BSD-3-Clause
"""The section `depths` of tools/bench: rates with a number of operations in flight.

The program is test/bench/peers/depth_bench.c. A round runs crypto_accel, crypto_scheduler with one
crypto_aesni_mb worker on the other CPU, and the bare loop of crypto-exchange, in turn. A run of its
own counts how many jobs a call of IPsec-MB gets from the device, so no rate pays for the count."""

import functools
import statistics

from base import cperf
from base.cperf import cell
from bench import bench_latency, bench_peers, bench_turns

SECTION = "depths"
OURS, SCHEDULER, BARE = bench_peers.OURS, bench_peers.SCHEDULER, bench_peers.BARE
ALGORITHMS = bench_peers.ALGORITHMS
SIZES = [64, 1024, 16384]
DEPTHS = [8, 32, 64, 256, 2048]
SECONDS = 0.03
UNITS = {"rate": "ops/s", "held": "ops", "jobs": "of a call"}


def measure(program, setup, algorithm, seconds, *calls):
    """Runs the program once. Returns {(algorithm, size, depth, metric): value}."""
    _, driver, mapping, devices, tries = setup
    argv = [program, "--lcores", mapping, "--log-level=error"] + cperf.eal_args() + devices
    argv += ["--", driver, algorithm, str(seconds), ",".join(map(str, SIZES)),
             ",".join(map(str, DEPTHS))] + list(calls)
    found = {}
    for parts in bench_turns.lines(cperf.run_again(argv, "depth-bench", tries), 4, UNITS):
        size, depth = map(int, parts[1].split("/"))
        if not calls or parts[0] == "jobs":
            found[(algorithm, size, depth, parts[0])] = float(parts[2])
    if not all((algorithm, size, depth, "jobs" if calls else "rate") in found
               for size in SIZES for depth in DEPTHS):
        raise cperf.PerfError("depth-bench did not measure all depths")
    return found


def bare(context, algorithm, seconds):
    """Runs the bare loop. Returns the same. With few operations in flight it takes the better of
    bursts of all and of half of them."""
    found = bench_peers.exchange(context, algorithm, SIZES, DEPTHS, seconds)
    for depth in (depth for depth in DEPTHS if depth <= bench_peers.BURST):
        half = bench_peers.exchange(context, algorithm, SIZES, [depth], seconds, "--burst",
                                    str(depth // 2))
        found.update({key: max(rate, found[key]) for key, rate in half.items()})
    return {(algorithm, size, depth, "rate"): rate for (_, size, depth), rate in found.items()}


def section(context):
    """Measures all rounds. Returns (records, failed runs)."""
    cperf.say("\n==> Rates by operations in flight (%d rounds)" % context.rounds)
    if len(cperf.cpus()) < 2:
        cperf.say("    skipped, because there is only one CPU")
        return [], 0
    program = bench_turns.program(context, "depth-bench")
    seconds = SECONDS / 2 if context.quick else SECONDS
    places = {setup[0]: setup for setup in bench_latency.setups()}
    turns = []
    for algorithm in ALGORITHMS:
        for name in (OURS, SCHEDULER):
            turns.append(("%s  %s" % (algorithm, name), name, places[name][4], functools.partial(
                measure, program, places[name], algorithm, seconds)))
        turns.append(("%s  %s" % (algorithm, BARE), BARE, 1,
                      functools.partial(bare, context, algorithm, seconds)))
        turns.append((algorithm + "  jobs of a call", OURS, 1, functools.partial(
            measure, program, places[OURS], algorithm, seconds, "calls")))
    values, failed = bench_turns.take(context, turns, lambda found: "%d numbers" % len(found))
    return make_records(context, values), failed


def make_records(context, values):
    """Makes the records. `values` is {(name, algorithm, size, depth, metric): {round: value}}."""
    records = []
    for (name, algorithm, size, depth, metric), rounds in values.items():
        records.append(context.record(SECTION, name, metric, statistics.median(rounds.values()),
                                      UNITS[metric], len(rounds), algorithm, size, depth))
        ratio = metric == "rate" and name != OURS and bench_turns.ratio(
            values.get((OURS, algorithm, size, depth, metric), {}), rounds, True)
        if ratio:
            records.append(context.record(SECTION, OURS, "ratio to " + name, ratio[0], "",
                                          ratio[1], algorithm, size, depth))
    return records


def rows(records):
    """Returns the head and the rows of a table, or None without records of this section."""
    def get(device, algorithm, size, depth, metric):
        return cperf.find(records, SECTION, device=device, algo=algorithm, size=size, burst=depth,
                          metric=metric)

    def mega(*key):
        value = get(*key, "rate")
        return cell(None if value is None else 1e-6 * value, 3)

    table = [["algorithm", "bytes", "in flight", "crypto_accel, Mops/s", "jobs of an engine's call",
              "bare loop, Mops/s", "ratio", SCHEDULER + ", Mops/s", "it holds", "ratio"]]
    for algorithm in ALGORITHMS:
        for size in SIZES:
            for depth in DEPTHS:
                key = (algorithm, size, depth)
                if get(OURS, *key, "rate") is None:
                    continue
                table.append([algorithm if (size, depth) == (SIZES[0], DEPTHS[0]) else "",
                              str(size) if depth == DEPTHS[0] else "", str(depth), mega(OURS, *key),
                              cell(get(OURS, *key, "jobs"), 1), mega(BARE, *key),
                              cell(get(OURS, *key, "ratio to " + BARE), 2), mega(SCHEDULER, *key),
                              cell(get(SCHEDULER, *key, "held")),
                              cell(get(OURS, *key, "ratio to " + SCHEDULER), 2)])
    return table if len(table) > 1 else None


def print_tables(records):
    """Prints what was measured."""
    found = rows(records)
    if found is None:
        return
    cperf.say("\nRates by operations in flight (ratios above 1: the card is ahead)")
    for line in cperf.align(found):
        cperf.say("  " + line)
