# SPDX-License-Identifier: BSD-3-Clause
"""The section `disk` of tools/bench: sectors as disk encryption has them.

The program is test/bench/peers/disk_bench.c. Each round runs crypto_accel and the drivers that work
on the application's CPU in turn. A case is an algorithm, the bytes of a sector, and the sectors of
one operation. Ratios are those within a round, and above 1 the card is ahead."""

import functools
import statistics

from base import cperf
from base.cperf import cell
from bench import bench_turns

SECTION = "disk"
OURS = "crypto_accel"
PEERS = ["crypto_aesni_mb", "crypto_openssl"]
SECONDS = 0.3
UNITS = {"rate": "sectors/s", "gbps": "Gbit/s", "cycles": "cycles/sector"}


def measure(program, device, seconds):
    """Runs the program once. Returns {(case, metric): value}."""
    argv = [program, "--lcores", "0@%d" % cperf.cpus()[0], "--log-level=error"]
    argv += cperf.eal_args() + cperf.device_args(device) + ["--", str(seconds)]
    found = {(parts[1], parts[0]): float(parts[2]) for parts in bench_turns.lines(
        cperf.run_program(argv, name="disk-bench"), 5, UNITS)}
    if not found:
        raise cperf.PerfError("disk-bench measured nothing")
    return found


def section(context):
    """Measures all rounds. Returns (records, failed runs)."""
    cperf.say("\n==> Sectors of disk encryption (%d rounds)" % context.rounds)
    program = bench_turns.program(context, "disk-bench")
    seconds = SECONDS / 3 if context.quick else SECONDS
    turns = [(device, device, 1, functools.partial(measure, program, device, seconds))
             for device in [OURS] + PEERS]
    values, failed = bench_turns.take(context, turns, lambda found: "%d cases"
                                      % len({case for case, _ in found}))
    return make_records(context, values), failed


def make_records(context, values):
    """Makes the records. `values` is {(device, case, metric): {round: value}}."""
    records = []
    for (device, case, metric), rounds in values.items():
        records.append(context.record(SECTION, device, metric, statistics.median(rounds.values()),
                                      UNITS[metric], len(rounds), case))
        if device == OURS or metric == "gbps":
            continue
        ratio = bench_turns.ratio(values.get((OURS, case, metric), {}), rounds, metric == "rate")
        if ratio:
            records.append(context.record(SECTION, OURS, "%s ratio to %s" % (metric, device),
                                          ratio[0], "", ratio[1], case))
    return records


def rows(records):
    """Returns the heads and the rows of a table, or None without records of this section."""
    cases = list(dict.fromkeys(r["algo"] for r in records
                               if r["section"] == SECTION and r["device"] == OURS))
    if not cases:
        return None

    def get(device, case, metric):
        return cperf.find(records, SECTION, device=device, algo=case, metric=metric)

    head = ["algorithm", "sector", "sectors of an operation", "card, Gbit/s", "cycles a sector"]
    for peer in PEERS:
        head += ["%s, Gbit/s" % peer, "rate, card ahead", "cycles, card ahead"]
    table = []
    for case in cases:
        name, sector, sectors = case.split("/")
        row = [name, sector, sectors, cell(get(OURS, case, "gbps"), 2),
               cell(get(OURS, case, "cycles"), 1)]
        for peer in PEERS:
            row += [cell(get(peer, case, "gbps"), 2)]
            row += [cell(get(OURS, case, "%s ratio to %s" % (metric, peer)), 2)
                    for metric in ("rate", "cycles")]
        table.append(row)
    return [head] + table


def print_tables(records):
    """Prints what was measured."""
    found = rows(records)
    if found is None:
        return
    cperf.say("\nSectors of disk encryption (above 1: the card is ahead)")
    for line in cperf.align(found):
        cperf.say("  " + line)
