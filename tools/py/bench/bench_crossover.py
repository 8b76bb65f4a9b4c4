# SPDX-License-Identifier: BSD-3-Clause
"""The section `crossover` of tools/bench: the size from which the card beats the CPU alone.

Every round runs crypto_accel and the drivers that work on the application's CPU in turn, with the
stock dpdk-test-crypto-perf. A size has two numbers: operations per second (ptest throughput), and
the cycles of the application's CPU in enqueue and dequeue (ptest pmd-cyclecount, after the device
has finished). Ratios are those within a round, and above 1 the card is ahead."""

import statistics

from base import cperf
from base.cperf import cell

SECTION = "crossover"
OURS = "crypto_accel"
PEERS = ["crypto_aesni_mb", "crypto_openssl"]
ALGORITHMS = ["aes-128-cbc", "aes-128-gcm", "aes-128-cbc+sha1-hmac", "aes-128-cbc+sha256-hmac"]
SIZES = [16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]
LEAST, MOST, BLOCK = 16, 32768, 16
BURST = 32
# Operations of the cycle count: ring, number of rings, milliseconds in which the device finishes
# one. Long operations need more time, so fewer are in flight.
SHORT, LONG = (2048, 8, 8), (512, 8, 25)
METRICS = {"rate": "Mops/s", "cycles": "cycles/op"}


def sizes_of(text):
    """Returns the sizes of an option. Raises ValueError with a sentence if they are wrong."""
    found = []
    for word in text.split(","):
        if not word.isascii() or not word.isdigit():
            raise ValueError("'%s' is not a size in bytes" % word)
        size = int(word)
        if not LEAST <= size <= MOST or size % BLOCK:
            raise ValueError("a size is a multiple of %d from %d to %d, and not %d"
                             % (BLOCK, LEAST, MOST, size))
        found.append(size)
    if len(found) < 2 or found != sorted(set(found)):
        raise ValueError("give two sizes or more, each once and in rising order")
    if len(found) > 30:
        raise ValueError("give at most 30 sizes")
    return found


def algorithms_of(text):
    """Returns the algorithms of an option. Raises ValueError with a sentence if one is unknown."""
    known = [name for name in cperf.ALGORITHMS if name != "null"]
    found = text.split(",")
    for name in found:
        if name not in known:
            raise ValueError("unknown algorithm '%s'; they are %s" % (name, ",".join(known)))
    if len(set(found)) < len(found):
        raise ValueError("give each algorithm once")
    return found


def measure(device, algorithm, sizes, seconds):
    """Measures a device once. Returns {size: {"rate": Mops/s, "cycles": cycles per operation}},
    without cycles where the dequeue had to wait for the device."""
    found = {size: {"rate": pair[0]}
             for size, pair in cperf.measure(device, algorithm, sizes, seconds).items()}
    for (ring, rings, delay), group in ((SHORT, [s for s in sizes if s <= 1024]),
                                        (LONG, [s for s in sizes if s > 1024])):
        if not group:
            continue
        counts = cperf.cycle_count(device, algorithm, group, [BURST], ring, rings,
                                   delay if device == OURS else 0)
        for (size, _), (enqueue, dequeue, waits) in counts.items():
            if device != OURS or not waits:
                found[size]["cycles"] = enqueue + dequeue
    return found


def section(context, seconds, algorithms=None, sizes=None):
    """Measures all rounds. Returns (records, failed runs). A peer without an algorithm is left
    out."""
    algorithms, sizes = algorithms or ALGORITHMS, sizes or SIZES
    cperf.say("\n==> The size from which the card beats the CPU alone (bursts of %d, %d rounds)"
              % (BURST, context.rounds))
    if len(cperf.cpus()) < 2:
        cperf.say("    there is only one CPU, which the device and the application share")
    devices = [OURS] + PEERS
    progress = cperf.Progress(context.rounds * len(algorithms) * len(devices))
    values, failed, absent = {}, 0, set()
    for number in range(context.rounds):
        for algorithm in algorithms:
            for device in devices:
                progress.begin("%s  %s" % (algorithm, device))
                if (device, algorithm) in absent:
                    progress.end("not offered")
                    continue
                try:
                    found = measure(device, algorithm, sizes, seconds)
                except cperf.PerfError as error:
                    progress.end("%s%s" % (error, ", see " + error.log if error.log else ""))
                    if error.not_offered and device != OURS:
                        absent.add((device, algorithm))
                    else:
                        failed += 1
                    continue
                progress.end("%.3f Mops/s at %d B" % (found[sizes[0]]["rate"], sizes[0]))
                for size, pair in found.items():
                    for metric, value in pair.items():
                        values.setdefault((device, algorithm, size, metric), {})[number] = value
    return make_records(context, values), failed


def ratio(metric, ours, other):
    """Returns how far the card is ahead in a round: more operations or fewer cycles."""
    return ours / other if metric == "rate" else other / ours


def make_records(context, values):
    """Makes the records. `values` is {(device, algorithm, size, metric): {round: value}}."""
    records = []
    for (device, algorithm, size, metric), rounds in values.items():
        records.append(context.record(SECTION, device, metric, statistics.median(rounds.values()),
                                      METRICS[metric], len(rounds), algorithm, size, BURST))
        ours = values.get((OURS, algorithm, size, metric), {})
        # What is 0 was not measured, and is beaten by nobody.
        ratios = [ratio(metric, ours[n], rounds[n]) for n in rounds
                  if ours.get(n, 0) > 0 and rounds[n] > 0]
        if device != OURS and ratios:
            records.append(context.record(SECTION, OURS, "%s ratio to %s" % (metric, device),
                                          statistics.median(ratios), "", len(ratios), algorithm,
                                          size, BURST))
    return records


def get(records, device, algorithm, size, metric):
    """Returns the value of a record of this section, or None."""
    return cperf.find(records, SECTION, device=device, algo=algorithm, size=size, metric=metric)


def crossing(points, metric):
    """Returns the least size from which the card is ahead at all greater sizes, too, or None."""
    found = None
    for point in reversed(points):
        value = point.get(metric)
        if value is None:
            continue
        if value <= 1:
            break
        found = point["size"]
    return found


def _column(records, key):
    """Returns the different values of a key of this section, in their order."""
    found = []
    for r in records:
        if r["section"] == SECTION and r[key] not in found:
            found.append(r[key])
    return found


def pairs(records):
    """Returns the ratios of each algorithm and peer, as the report has them."""
    found = []
    for algorithm in _column(records, "algo"):
        for peer in _column(records, "device"):
            points = []
            for size in sorted(_column(records, "size")):
                point = {metric: get(records, OURS, algorithm, size, "%s ratio to %s"
                                     % (metric, peer)) for metric in METRICS}
                point = {metric: value for metric, value in point.items() if value is not None}
                if point:
                    points.append(dict(point, size=size))
            if points:
                found.append({"algorithm": algorithm, "peer": peer, "points": points,
                              "rate_from": crossing(points, "rate"),
                              "cycles_from": crossing(points, "cycles")})
    return found


def words(pair, metric):
    """Returns a crossing in words."""
    if not any(metric in point for point in pair["points"]):
        return "not measured"
    size = pair[metric + "_from"]
    if size is None:
        return "not up to {:,} bytes".format(pair["points"][-1]["size"])
    return "from {:,} bytes".format(size)


def print_tables(records):
    """Prints the numbers of each size, then the crossings."""
    found = pairs(records)
    if not found:
        return
    peers = [d for d in _column(records, "device") if d != OURS]
    for metric, title, digits in (
            ("rate", "Mops/s, and the card's relative to each", 3),
            ("cycles", "Cycles of the application's CPU per operation, and each relative to the"
             " card's", 1)):
        cperf.say("\n" + title + " (above 1: the card is ahead)")
        rows = [["algorithm", "bytes", OURS] + [w for p in peers for w in (p, "ratio")]]
        for algorithm in _column(records, "algo"):
            for size in sorted(_column(records, "size")):
                rows.append([algorithm, size,
                             cell(get(records, OURS, algorithm, size, metric), digits)])
                for peer in peers:
                    rows[-1] += [cell(get(records, peer, algorithm, size, metric), digits),
                                 cell(get(records, OURS, algorithm, size, "%s ratio to %s"
                                          % (metric, peer)), 2)]
        for line in cperf.align(rows):
            cperf.say("  " + line)
    cperf.say("\nThe size from which the card beats the CPU alone, at all greater sizes, too")
    rows = [["algorithm", "beside", "more operations", "fewer cycles of the application"]]
    rows += [[p["algorithm"], p["peer"], words(p, "rate"), words(p, "cycles")] for p in found]
    for line in cperf.align(rows, 4):
        cperf.say("  " + line)
