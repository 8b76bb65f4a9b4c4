# SPDX-License-Identifier: BSD-3-Clause
"""The section `security` of tools/bench: packets of DOCSIS, PDCP, IPsec and TLS.

The program is test/bench/peers/security_bench.c. A round runs crypto_accel, crypto_aesni_mb on the
application's CPU, and crypto_scheduler with one crypto_aesni_mb worker on the other CPU, in turn.
Drivers without a protocol get its symmetric operations from librte_ipsec or from the program. Each
driver says by its own counter how many packets it has done. Ratios are those within a round, and
above 1 the card is ahead."""

import functools
import statistics

from base import cperf
from base.cperf import cell
from bench import bench_latency, bench_turns

SECTION = "security"
OURS, INLINE, SCHEDULER = bench_latency.OURS, "aesni_mb, inline", "scheduler + 1 aesni_mb"
SIZES = [64, 256, 1400, 4096]
SECONDS = 0.1
UNITS = {"rate": "packets/s", "cycles": "cycles/packet", "done": "packets"}


def measure(program, setup, seconds):
    """Runs the program once. Returns {(case, size, metric): value}."""
    _, driver, mapping, devices, tries = setup
    argv = [program, "--lcores", mapping, "--log-level=error"] + cperf.eal_args() + devices
    argv += ["--", driver, str(seconds)] + [str(size) for size in SIZES]
    text = cperf.run_again(argv, "security-bench", tries)
    found = {}
    for parts in bench_turns.lines(text, 4, UNITS):
        case, size = parts[1].rsplit("/", 1)
        found[(case, int(size), parts[0])] = float(parts[2])
    idle = [key for key, value in found.items() if key[2] == "done" and value < 1]
    if idle or not any(key[1:] == (SIZES[-1], "done") for key in found):
        raise cperf.PerfError("security-bench did not measure all sizes")
    return found


def section(context):
    """Measures all rounds. Returns (records, failed runs)."""
    cperf.say("\n==> Packets of DOCSIS, PDCP, IPsec and TLS (%d rounds)" % context.rounds)
    program = bench_turns.program(context, "security-bench")
    seconds = SECONDS / 2 if context.quick else SECONDS
    turns = [(setup[0], setup[0], setup[4], functools.partial(measure, program, setup, seconds))
             for setup in bench_latency.setups()]
    values, failed = bench_turns.take(context, turns, lambda found: "%d packets" % sum(
        value for key, value in found.items() if key[2] == "done"))
    return make_records(context, values), failed


def make_records(context, values):
    """Makes the records. `values` is {(set-up, case, size, metric): {round: value}}."""
    records = []
    for (name, case, size, metric), rounds in values.items():
        records.append(context.record(SECTION, name, metric, statistics.median(rounds.values()),
                                      UNITS[metric], len(rounds), case, size))
        if name == OURS or metric == "done":
            continue
        ratio = bench_turns.ratio(values.get((OURS, case, size, metric), {}), rounds,
                                  metric == "rate")
        if ratio:
            records.append(context.record(SECTION, OURS, "%s ratio to %s" % (metric, name),
                                          ratio[0], "", ratio[1], case, size))
    return records


def rows(records):
    """Returns the head and the rows of a table, or None without records of this section."""
    cases = list(dict.fromkeys(r["algo"] for r in records
                               if r["section"] == SECTION and r["device"] == OURS))
    if not cases:
        return None

    def get(device, case, size, metric):
        return cperf.find(records, SECTION, device=device, algo=case, size=size, metric=metric)

    def mega(value):
        return cell(None if value is None else 1e-6 * value, 3)

    table = [["packets", "bytes", "card, Mpackets/s", "cycles a packet",
              "aesni_mb, inline, Mpackets/s", "cycles a packet",
              "scheduler + 1 aesni_mb, Mpackets/s", "rate to inline", "rate to scheduler + 1",
              "cycles, inline to card"]]
    for case in cases:
        for size in SIZES:
            table.append([case if size == SIZES[0] else "", str(size),
                          mega(get(OURS, case, size, "rate")),
                          cell(get(OURS, case, size, "cycles"), 1),
                          mega(get(INLINE, case, size, "rate")),
                          cell(get(INLINE, case, size, "cycles"), 1),
                          mega(get(SCHEDULER, case, size, "rate"))]
                         + [cell(get(OURS, case, size, metric), 2) for metric in (
                             "rate ratio to " + INLINE, "rate ratio to " + SCHEDULER,
                             "cycles ratio to " + INLINE)])
    return table


def print_tables(records):
    """Prints what was measured."""
    found = rows(records)
    if found is None:
        return
    cperf.say("\nPackets of protocols (ratios above 1: the card is ahead)")
    for line in cperf.align(found):
        cperf.say("  " + line)
