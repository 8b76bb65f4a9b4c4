# SPDX-License-Identifier: BSD-3-Clause
"""The section `security` of tools/bench: packets of DOCSIS, PDCP, IPsec and TLS.

The program is test/bench/peers/security_bench.c. A round runs crypto_accel, crypto_aesni_mb on the
application's CPU, and crypto_scheduler with one crypto_aesni_mb worker on the other CPU, in turn.
Drivers without a protocol get its symmetric operations from librte_ipsec or from the program. Each
driver says by its own counter how many packets it has done. Ratios are those within a round, and
above 1 the card is ahead."""

import os
import statistics

from base import cperf
from base.cperf import cell
from bench import bench_latency

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
    for line in text.splitlines():
        parts = line.split(",")
        if len(parts) == 4 and parts[0] in UNITS:
            case, size = parts[1].rsplit("/", 1)
            found[(case, int(size), parts[0])] = float(parts[2])
    idle = [key for key, value in found.items() if key[2] == "done" and value < 1]
    if idle or not any(key[1:] == (SIZES[-1], "done") for key in found):
        raise cperf.PerfError("security-bench did not measure all sizes")
    return found


def section(context):
    """Measures all rounds. Returns (records, failed runs)."""
    cperf.say("\n==> Packets of DOCSIS, PDCP, IPsec and TLS (%d rounds)" % context.rounds)
    program = os.path.join(os.path.dirname(context.accel_bench), "security-bench")
    seconds = SECONDS / 2 if context.quick else SECONDS
    places = bench_latency.setups()
    progress = cperf.Progress(context.rounds * len(places))
    values, failed = {}, 0
    for number in range(context.rounds):
        for setup in places if number % 2 == 0 else places[::-1]:
            progress.begin(setup[0])
            try:
                found = measure(program, setup, seconds)
            except cperf.PerfError as error:
                progress.end("%s%s" % (error, ", see " + error.log if error.log else ""))
                failed += not (error.killed and setup[4] > 1)
                continue
            progress.end("%d packets" % sum(value for key, value in found.items()
                                            if key[2] == "done"))
            for key, value in found.items():
                values.setdefault((setup[0],) + key, {})[number] = value
    return make_records(context, values), failed


def make_records(context, values):
    """Makes the records. `values` is {(set-up, case, size, metric): {round: value}}."""
    records = []
    for (name, case, size, metric), rounds in values.items():
        records.append(context.record(SECTION, name, metric, statistics.median(rounds.values()),
                                      UNITS[metric], len(rounds), case, size))
        ours = values.get((OURS, case, size, metric), {})
        if name == OURS or metric == "done":
            continue
        ratios = [ours[n] / rounds[n] if metric == "rate" else rounds[n] / ours[n]
                  for n in rounds if ours.get(n, 0) > 0 and rounds[n] > 0]
        if ratios:
            records.append(context.record(SECTION, OURS, "%s ratio to %s" % (metric, name),
                                          statistics.median(ratios), "", len(ratios), case, size))
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
