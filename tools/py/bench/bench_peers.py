# SPDX-License-Identifier: BSD-3-Clause
"""The section `throughput` of tools/bench: crypto_accel beside crypto_aesni_mb on two CPUs.

Every round runs all set-ups in turn with dpdk-test-crypto-perf. It also runs the part `load` of
accel-bench, which measures the driver's share of the application's core, and the cycles of a bare
round trip between the two CPUs at that time, and crypto-exchange, the bare loop that is the limit
of two CPUs with IPsec-MB, and the library alone on one of them. Ratios are those within a round,
and the tables show medians."""

import os
import statistics

from base import cperf
from base.cperf import cell
from bench import bench_paced

SECTION = "throughput"
BURST = 32
SIZES = [64, 256, 1024, 4096, 16384]
ALGORITHMS = ["aes-128-cbc", "aes-128-gcm", "aes-128-cbc+sha1-hmac"]
OURS, INLINE, SCHEDULER = "crypto_accel", "aesni_mb, inline", "scheduler + 1 aesni_mb"
BARE = "bare loop"
SHORT = {SCHEDULER: "scheduler", INLINE: "inline"}
# Debian's crypto_scheduler crashes in about half of its runs.
SCHEDULER_TRIES = 4
# The target ratio of crypto_accel's rate to that of a set-up, for each size.
RATIOS = {BARE: dict.fromkeys(SIZES, 0.95),
          SCHEDULER: dict.fromkeys(SIZES, 1),
          INLINE: {64: 0.8, 256: 0.8, 1024: 0.9, 4096: 0.9, 16384: 0.9}}
# The target for the driver's share of the application's core, in % for each size.
DRIVER_SHARE = {1024: 30, 4096: 30, 16384: 30}
# Numbers of operations in flight: FEW have their data in a cache, MANY fill the queue pair.
FEW, MANY = 64, cperf.RING
# Operations in flight of all set-ups beside each other. The scheduler holds no more, whatever it is
# asked for, as its worker has two rings of 256.
IN_FLIGHT = 512
# What an operation takes, in ns, of the library alone, of the bare loop, and of the device.
ALONE_NS, BARE_NS, OURS_NS = "library", "bare", "all"
# How the verdict of a target begins that the bare loop misses, too.
LIMITED = "the bare loop has "
LOAD_METRICS = {"driver-share": "%", "driver": "cycles/op", "ring-full": "%",
                "application-lost": "%", "device-lost": "%"}


def second_cpu():
    """Returns the CPU of the device or of the scheduler's worker."""
    cpus = cperf.cpus()
    return cpus[-1] if len(cpus) < 3 else cpus[2]


def setups(devices, more):
    """Returns [(name, driver, lcores, EAL devices, worker lcores, tries)].

    If there are only two CPUs, DPDK's main lcore shares the CPU of lcore 1."""
    first = cperf.cpus()[0]
    main = cperf.lcores().split(",", maxsplit=1)[0]
    two = "%s,1@%d,2@%d" % (main, first, second_cpu())
    found = []
    if OURS in devices:
        found.append((OURS, OURS, None,
                      cperf.device_args(OURS, ["cores=[%d]" % second_cpu()]), 1, 1))
    found.append((INLINE, "crypto_aesni_mb", None, None, 1, 1))
    if len(cperf.cpus()) > 1:
        found.append((SCHEDULER, "crypto_scheduler", two,
                      ["--vdev", "crypto_aesni_mb1,name=aesni_mb_1", "--vdev",
                       "crypto_scheduler0,worker=aesni_mb_1,mode=multi-core,corelist=2"], 1,
                      SCHEDULER_TRIES))
    if more:
        found.append(("openssl, inline", "crypto_openssl", None, None, 1, 1))
        if len(cperf.cpus()) > 1:
            found.append(("aesni_mb, inline on both", "crypto_aesni_mb", two,
                          ["--vdev", "crypto_aesni_mb0"], 2, 1))
    return found


def exchange(context, algorithm, sizes, depths, seconds, *options):
    """Runs crypto-exchange. Returns {(what, size, in flight): operations per second}."""
    argv = [os.path.join(os.path.dirname(context.accel_bench), "crypto-exchange"), "--algorithm",
            algorithm, "--sizes", ",".join(map(str, sizes)), "--in-flight",
            ",".join(map(str, depths)), "--cpus", "%d,%d" % (cperf.cpus()[0], second_cpu()),
            "--seconds", str(seconds)]
    found = {}
    for line in cperf.run_program(argv + list(options), name="crypto-exchange").splitlines():
        parts = line.split(",")
        if len(parts) == 5 and parts[1] == algorithm:
            found[(parts[0], int(parts[2]), int(parts[3]))] = float(parts[4])
    return found


class Peers:
    """The numbers that the rounds collect."""

    def __init__(self, context, seconds, devices, more):
        self.context = context
        self.seconds = seconds
        self.setups = setups(devices, more)
        self.with_load = OURS in devices and len(cperf.cpus()) > 1
        self.rates = {}  # (name, algorithm, size): {round: Mops/s}
        self.loads = {}  # (algorithm, size, metric): [values]
        self.alone = {}  # (algorithm, size): [operations per second]
        self.few = {}  # (algorithm, size): [(operations per second with FEW in flight, with MANY)]
        self.trips = []
        # name: number of runs that crashed
        self.deaths = {s[0]: 0 for s in self.setups if s[5] > 1}
        self.runs = {}
        self.per_op = {}
        self.failed = 0

    def died(self, name):
        """Counts a run of crypto-perf that was killed by a signal."""
        self.deaths[name] = self.deaths.get(name, 0) + 1

    def run(self, number, algorithm, setup, progress):
        """Runs all sizes of one set-up."""
        name, driver, mapping, eal_device, workers, tries = setup
        progress.begin("%s  %s" % (algorithm, name))
        before = self.deaths.get(name, 0)
        try:
            found = cperf.measure(driver, algorithm, SIZES, self.seconds, mapping, eal_device,
                                  self.per_op.get((name, algorithm)), workers, tries,
                                  lambda: self.died(name), IN_FLIGHT)
        except cperf.PerfError as error:
            progress.end("%s%s" % (error, ", see " + error.log if error.log else ""))
            if not (error.killed and tries > 1):  # a known crash is counted in died()
                self.failed += 1
            return
        again = self.deaths.get(name, 0) - before
        self.runs[name] = self.runs.get(name, 0) + 1
        rate = found[SIZES[0]][0]
        self.per_op[(name, algorithm)] = 1e-6 * workers / max(rate, 1e-6)
        progress.end("%.3f Mops/s at %d B%s" % (
            rate, SIZES[0], ", died %d times before" % again if again else ""))
        for size, pair in found.items():
            self.rates.setdefault((name, algorithm, size), {})[number] = pair[0]

    def bare(self, number, algorithm, progress):
        """Runs all sizes of the bare loop."""
        progress.begin("%s  %s" % (algorithm, BARE))
        try:
            found = exchange(self.context, algorithm, SIZES, [IN_FLIGHT], self.seconds / 2,
                             "--alone")
        except cperf.PerfError as error:
            progress.end("%s%s" % (error, ", see " + error.log if error.log else ""))
            self.failed += 1
            return
        for size in SIZES:
            self.rates.setdefault((BARE, algorithm, size), {})[number] = \
                1e-6 * found[("pair", size, IN_FLIGHT)]
            self.alone.setdefault((algorithm, size), []).append(found[("alone", size, IN_FLIGHT)])
        progress.end("%.3f Mops/s at %d B" % (self.rates[(BARE, algorithm, SIZES[0])][number],
                                              SIZES[0]))

    def load(self, algorithm, progress):
        """Measures the share of the application's core."""
        progress.begin("%s  time in the driver" % algorithm)
        try:
            few = bench_paced.load(self.context, "", algorithm, SIZES, self.seconds / 2, FEW)[0]
            found, trip = bench_paced.load(self.context, "", algorithm, SIZES, self.seconds / 2,
                                           MANY)
        except cperf.PerfError as error:
            progress.end("%s%s" % (error, ", see " + error.log if error.log else ""))
            self.failed += 1
            return
        self.trips.append(trip)
        for size, numbers in found.items():
            for metric in LOAD_METRICS:
                self.loads.setdefault((algorithm, size, metric), []).append(numbers[metric])
            self.few.setdefault((algorithm, size), []).append((few[size]["rate"],
                                                               numbers["rate"]))
        progress.end("%.1f %% at 1024 B; bare round trip %.0f cycles"
                     % (found[1024]["driver-share"], trip))

    def parts(self):
        """Returns the records of what an operation takes."""
        found = []
        for (algorithm, size), alone in self.alone.items():
            ours, bare = (self.rates.get((name, algorithm, size), {}) for name in (OURS, BARE))
            for metric, times in ((ALONE_NS, [1e9 / rate for rate in alone]),
                                  (BARE_NS, [1e3 / rate for rate in bare.values()]),
                                  (OURS_NS, [1e3 / rate for rate in ours.values()])):
                if times:
                    found.append(self.context.record(SECTION, "parts", metric,
                                                     statistics.median(times), "ns/op",
                                                     len(times), algorithm, size, 32))
        return found

    def records(self):
        """Returns all records."""
        make, found = self.context.record, []
        for (name, algorithm, size), rounds in self.rates.items():
            rate = statistics.median(rounds.values())
            for metric, value, unit in (("rate", rate, "Mops/s"),
                                        ("throughput", rate * size * 8e-3, "Gbit/s")):
                found.append(make(SECTION, name, metric, value, unit, len(rounds), algorithm, size,
                                  32))
            for mine in (OURS, BARE):
                ours = self.rates.get((mine, algorithm, size), {})
                ratios = [ours[n] / rounds[n] for n in rounds if n in ours and name != mine]
                if ratios:
                    found.append(make(SECTION, mine, "ratio to " + name, statistics.median(ratios),
                                      "", len(ratios), algorithm, size, 32))
        found += self.parts()
        for (algorithm, size, metric), numbers in self.loads.items():
            found.append(make(SECTION, OURS, metric, statistics.median(numbers),
                              LOAD_METRICS[metric], len(numbers), algorithm, size, 32))
        for (algorithm, size), pairs in self.few.items():
            for metric, values, unit in (
                    ("rate with %d in flight" % FEW, [1e-6 * few for few, _ in pairs], "Mops/s"),
                    ("ratio to %d in flight" % FEW, [many / few for few, many in pairs], "")):
                found.append(make(SECTION, OURS, metric, statistics.median(values), unit,
                                  len(pairs), algorithm, size, 32))
        for name, number in self.deaths.items():
            found.append(make(SECTION, name, "deaths", number, "runs of crypto-perf",
                              self.runs.get(name, 0)))
        if self.trips:
            for metric, value in (("median", statistics.median(self.trips)),
                                  ("least", min(self.trips)), ("most", max(self.trips))):
                found.append(make(SECTION, "bare loop", "round-trip " + metric, value, "cycles",
                                  len(self.trips)))
        return found


def section(context, devices, seconds, more):
    """Measures target 4. Returns (records, failed runs)."""
    peers = Peers(context, seconds, devices, more)
    cperf.say("\n==> Throughput on two CPUs (%d operations in flight, bursts of 32, %d rounds)"
              % (IN_FLIGHT, context.rounds))
    with_bare = len(cperf.cpus()) > 1
    each = len(peers.setups) + with_bare + peers.with_load
    progress = cperf.Progress(each * len(ALGORITHMS) * context.rounds)
    for number in range(context.rounds):
        for algorithm in ALGORITHMS:
            for setup in peers.setups:
                peers.run(number, algorithm, setup, progress)
            if with_bare:
                peers.bare(number, algorithm, progress)
            if peers.with_load:
                peers.load(algorithm, progress)
    return peers.records(), peers.failed


def get(records, device, algorithm, size, metric):
    """Returns the value of a record of this section, or None."""
    return cperf.find(records, SECTION, device=device, algo=algorithm, size=size, metric=metric)


def names_of(records):
    """Returns the set-ups that have results."""
    found = []
    for r in records:
        if r["section"] == SECTION and r["metric"] == "rate" and r["device"] not in found:
            found.append(r["device"])
    return found


def print_rates(records, names, unit, metric, digits):
    """Prints a table of rates."""
    cperf.say("\nThroughput on two CPUs, %s" % unit)
    rows = [["algorithm", "bytes"] + names]
    for algorithm in ALGORITHMS:
        for size in SIZES:
            rows.append([algorithm if size == SIZES[0] else "", size] + [
                cell(get(records, n, algorithm, size, metric), digits) for n in names])
    for line in cperf.align(rows):
        cperf.say("  " + line)


def print_share(records, names):
    """Prints the ratios, and how the application's core was used."""
    if OURS not in names:
        return
    others = [n for n in names if n != OURS]
    cperf.say("\ncrypto_accel against the others (median of the rounds' ratios; above 1: faster),"
              " and the application's core")
    rows = [["algorithm", "bytes"] + others + ["%d in flight" % FEW, "in driver %", "cycles/op",
                                               "ring full %", "lost % app", "device"]]
    for algorithm in ALGORITHMS:
        for size in SIZES:
            row = [algorithm if size == SIZES[0] else "", size]
            row += [cell(get(records, OURS, algorithm, size, "ratio to " + n), 2)
                    for n in others + ["%d in flight" % FEW]]
            row += [cell(get(records, OURS, algorithm, size, m), 1) for m in LOAD_METRICS]
            rows.append(row)
    for line in cperf.align(rows):
        cperf.say("  " + line)
    cperf.say("  %d in flight: rate with %d operations in flight relative to that with %d, whose"
              " data stay in a cache" % (FEW, MANY, FEW))
    cperf.say("  in driver: share of the application's core in calls that moved something"
              " (accel-bench load)")
    cperf.say("  ring full: share of the application's turns in which all 2048 operations were in"
              " flight: the device is the limit")
    cperf.say("  lost: time that a thread was ready and other programs had its CPU, in those runs")


def cause(records, algorithm, size):
    """Says why ratios to the scheduler and to inline are missed, if they are."""
    missed = []
    for name in (SCHEDULER, INLINE):
        ours, bare = (get(records, device, algorithm, size, "ratio to " + name)
                      for device in (OURS, BARE))
        if None not in (ours, bare) and ours < RATIOS[name][size]:
            missed.append("%s: %s" % (SHORT[name],
                                      "crossing" if bare < RATIOS[name][size] else "device"))
    return ", ".join(missed) or "-"


def part_rows(records):
    """Returns the head and the rows of the table of what an operation takes, or None."""
    table = [["algorithm", "bytes", "library alone, ns", "exchange, ns", "bare loop, ns",
              "device's own work, ns", "crypto_accel, ns", "bare loop of scheduler + 1",
              "bare loop of inline", "missed because of"]]
    for algorithm in ALGORITHMS:
        for size in SIZES:
            alone, bare, ours = (get(records, "parts", algorithm, size, metric)
                                 for metric in (ALONE_NS, BARE_NS, OURS_NS))
            if None in (alone, bare, ours):
                continue
            table.append([algorithm if size == SIZES[0] else "", str(size)] + [
                cell(value, 1) for value in (alone, bare - alone, bare, ours - bare, ours)] + [
                cell(get(records, BARE, algorithm, size, "ratio to " + name), 2)
                for name in (SCHEDULER, INLINE)] + [cause(records, algorithm, size)])
    return table if len(table) > 1 else None


def print_parts(records):
    """Prints what an operation takes."""
    found = part_rows(records)
    if found is None:
        return
    cperf.say("\nWhat an operation takes, ns (medians)")
    for line in cperf.align(found):
        cperf.say("  " + line)
    cperf.say("  exchange: lines and payload, the bare loop without the library")
    cperf.say("  missed because of: crossing if the bare loop misses the target, too, else device")


def print_tables(records):
    """Prints all tables of target 4."""
    names = names_of(records)
    if not names:
        return
    print_rates(records, names, "Mops/s", "rate", 3)
    print_rates(records, names, "Gbit/s", "throughput", 2)
    print_share(records, names)
    print_parts(records)
    trip = [get(records, "bare loop", None, None, "round-trip " + w)
            for w in ("median", "least", "most")]
    if None not in trip:
        cperf.say("  bare round trip between the two CPUs, cycles: median %.0f, %.0f to %.0f"
                  " over the rounds" % tuple(trip))
        cperf.say("  (below 700 the CPUs share a cache, above 1500 they do not;"
                  " what crosses CPUs follows it)")
    for r in records:
        if r["section"] == SECTION and r["metric"] == "deaths":
            cperf.say("  %s: crypto-perf was killed by a signal %d times, %d sets of sizes are"
                      " complete" % (r["device"], r["value"], r["rounds"]))


def targets(records):
    """Returns the arguments of bench_driver.Target."""
    found = []
    for algorithm in ALGORITHMS:
        for name, limits in RATIOS.items():
            for size, limit in limits.items():
                ours, bare = (get(records, device, algorithm, size, "ratio to " + name)
                              for device in (OURS, BARE))
                limited = None not in (ours, bare) and ours < limit and bare < limit
                found.append(("two CPUs: rate against " + name, "%s, %d bytes" % (algorithm, size),
                              ours, "at least", limit,
                              LIMITED + "%.2f" % bare if limited else None))
        found += [("two CPUs: share of the application's core in the driver, %",
                   "%s, %d bytes" % (algorithm, size),
                   get(records, OURS, algorithm, size, "driver-share"), "at most", limit)
                  for size, limit in DRIVER_SHARE.items()]
    return [t for t in found if t[2] is not None]
