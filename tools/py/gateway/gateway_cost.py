# SPDX-License-Identifier: BSD-3-Clause
"""What lookaside protocol saves the core of ipsec-secgw: cycles and instructions per packet in the
closed loop of gateway_loop.py, with lookaside none, with lookaside protocol, and on
crypto_aesni_mb. The embedded device encrypts nothing here (engine=null), the ports hand out no more
than it can do, and all bursts are full. So it is not the limit."""

import os
import re
import shutil
import statistics
import typing

from base import callgrind, cperf
from gateway import gateway_loop, secgw

# No encryption, and a write-back for each full burst.
DEVARGS = ["engine=null", "wb_count=32", "wb_timeout_ns=1000000"]
# The columns: title, driver, device arguments, whether the card does ESP.
COLUMNS = [("lookaside none", "crypto_accel", DEVARGS, False),
           ("lookaside protocol", "crypto_accel", DEVARGS, True),
           ("crypto_aesni_mb", "crypto_aesni_mb", [], False)]
PROTOCOL = COLUMNS[1]
# What protocol may cost beside none (cycles of the core).
TARGET = 0.6
SIZES = [64, 1024]
ROUNDS = 3
FULL = 32  # packets in a burst of the program
# The ports hand out so much of what the device can do with lookaside protocol.
LOAD = 0.7
MEASURE = "ms=300,warm_ms=50,full=1"
CALIBRATE = "ms=100,warm_ms=50,full=1"
# Instructions are counted in windows of so many packets. Each row has two, which may differ by this
# share. The second attempt is for a machine that was too busy.
COUNTED = "packets=4000,full=1"
REPEATS = 0.02
ATTEMPTS = 2
# The program's loop, and what is not its work: the ports and the model.
LOOP = "ipsec_poll_mode_worker"
PORTS = ["loop_rx", "loop_tx", "loop_dequeued"]
MODEL = "vdev_relax_inline"
DRIVER = ["accel_enqueue_burst", "accel_dequeue_burst"]
# The functions of test/gateway at whose calls valgrind writes a part.
BEGINS, ENDS = "window_begins", "window_ends"


class Way(typing.NamedTuple):
    """A way in which the program works: its modes without and with lookaside protocol."""
    title: str
    modes: tuple
    one_sa: bool = False  # all packets take one SA, without a look at the policies

    def runs(self):
        """Returns arguments and algorithms of each run that all algorithms need. The index of an SA
        is its place in the configuration."""
        if not self.one_sa:
            return [([], list(gateway_loop.ALGORITHMS))]
        return [(["--single-sa", str(index)], [algorithm])
                for index, algorithm in enumerate(gateway_loop.ALGORITHMS)]


WAYS = [Way("legacy", ("legacy", "protocol")), Way("library", ("library", "protocol-library"))]
# The instructions without policies, too.
MORE_WAYS = [way._replace(title=way.title + ", one SA", one_sa=True) for way in WAYS]


# pylint: disable=too-many-arguments,too-many-positional-arguments
def run(name, column, way, length, cases, arguments=(), under=()):
    """Runs the loop for a column."""
    _, device, devargs, protocol = column
    mode = secgw.MODES[way.modes[protocol]]
    if under and device == "crypto_accel":
        devargs = devargs + ["cores=inline"]
    return gateway_loop.run(name, device, devargs, length, mode.arguments + list(arguments), cases,
                            mode.config(gateway_loop.CONFIG), under)


def cases_of(algorithms, sizes):
    """Returns the cases of some algorithms."""
    return [(algorithm, size) for algorithm in algorithms for size in sizes]


def gap(way):
    """Returns the time in ns between two bursts of plain packets, so that the device has LOAD of
    the work that it can do in the slowest case. Each packet is forwarded twice."""
    cases = cases_of(gateway_loop.ALGORITHMS, SIZES)
    windows = run("cost-%s-gap" % way.title, PROTOCOL, way, CALIBRATE, cases)
    slowest = min(w["forwarded"] * w["hz"] / w["cycles"] for w in windows)
    return int(2 * FULL * 1e9 / (LOAD * max(slowest, 1000)))


class Cells:
    """The numbers of a table: for each row (way, algorithm, size) those of each column."""

    def __init__(self):
        self.rows = {}

    def add(self, row, column, value):
        """Notes one more number of a cell."""
        self.rows.setdefault(row, {}).setdefault(column[0], []).append(value)

    def values(self, row):
        """Returns the medians of a row, None for cells without a number."""
        found = self.rows[row]
        return [statistics.median(found[column[0]]) if column[0] in found else None
                for column in COLUMNS]

    def ratios(self):
        """Returns lookaside protocol as a share of lookaside none, of each row."""
        return {row: self.values(row)[1] / self.values(row)[0] for row in self.rows}

    def print(self, title, form="%.0f", ratio=True):
        """Prints the table."""
        lines = [[title, "mode", "bytes"] + [column[0] for column in COLUMNS] +
                 (["protocol / none"] if ratio else [])]
        for row, share in self.ratios().items():
            way, algorithm, size = row
            lines.append([algorithm, way.title, str(size)] +
                         ["-" if value is None else form % value for value in self.values(row)] +
                         (["%.2f" % share] if ratio else []))
        cperf.say()
        for line in cperf.align(lines, 3 if any("," in row[0].title for row in self.rows) else 2):
            cperf.say("    " + line)


class Cycles:
    """Cycles per packet, and beside them what says whether columns can be compared."""

    def __init__(self):
        self.cost, self.busy, self.burst = Cells(), Cells(), Cells()
        self.wrong = ""

    def add(self, way, column, case, window):
        """Notes what the ports have counted in a window."""
        row = (way, *case)
        forwarded = max(window["forwarded"], 1)
        self.cost.add(row, column, window["busy"] / forwarded)
        self.busy.add(row, column, 100 * window["busy"] / window["cycles"])
        self.burst.add(row, column, window["operations"] / max(window["dequeues"], 1))
        if window["lost"] or window["bad"]:
            self.wrong = "%s, %s: %d lost, %d changed" % (way.title, column[0], window["lost"],
                                                          window["bad"])

    def measure(self):
        """Measures the columns in turn."""
        cases = cases_of(gateway_loop.ALGORITHMS, SIZES)
        lengths = {way: "%s,gap_ns=%d" % (MEASURE, gap(way)) for way in WAYS}
        for _ in range(ROUNDS):
            for way in WAYS:
                for index, column in enumerate(COLUMNS):
                    windows = run("cost-%s-%d" % (way.title, index), column, way, lengths[way],
                                  cases)
                    for case, window in zip(cases, windows):
                        self.add(way, column, case, window)

    def print(self):
        """Prints the tables."""
        self.cost.print("cycles")
        self.burst.print("packets per dequeue", "%.1f", ratio=False)
        self.busy.print("core busy, %", ratio=False)
        ratios = self.cost.ratios().values()
        cperf.say("    protocol / none: %.2f to %.2f; the target is at most %.2f: %s" % (
            min(ratios), max(ratios), TARGET,
            "reached" if max(ratios) <= TARGET else "not reached everywhere"))


def counted(part, window, column):
    """Returns instructions per packet of the loop and of the driver in one part of a profile."""
    if not part.whole():
        return None
    inside = part.called(MODEL) if column[1] == "crypto_accel" else 0
    loop = part.cost(LOOP) - part.called(*PORTS) - inside
    driver = part.called(*DRIVER) - inside
    if not 0 <= driver < loop or window["forwarded"] == 0:
        return None
    return loop / window["forwarded"], driver / window["forwarded"]


def profile(name, column, way, arguments, cases):
    """Counts instructions in a run with two windows for each case. Returns loop and driver of each
    case, or None if valgrind's counts do not fit together."""
    path = os.path.join(cperf.log_dir(), "callgrind-%s.out" % re.sub(r"\W+", "-", name))
    callgrind.remove(path)
    under = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + path,
             *("--dump-before=" + function for function in (BEGINS, ENDS))]
    windows = run(name, column, way, COUNTED, cases * 2, arguments, under)
    parts = [part for part in callgrind.parts(path) if part.trigger.endswith(ENDS)]
    callgrind.remove(path)
    if len(parts) != len(windows):
        return None
    found = [counted(part, window, column) for part, window in zip(parts, windows)]
    pairs = list(zip(found, found[len(cases):]))
    if None in found or any(abs(a / b - 1) > REPEATS for first, second in pairs
                            for a, b in zip(first, second) if b):
        return None
    return [first for first, _ in pairs]


def instructions():
    """Returns instructions per packet of the loop, and those of the driver alone where it is
    crypto_accel."""
    loop, driver = Cells(), Cells()
    for way in WAYS + MORE_WAYS:
        for arguments, algorithms in way.runs():
            cases = cases_of(algorithms, SIZES[:1])
            for index, column in enumerate(COLUMNS):
                name = "instructions-%s-%d%s" % (way.title, index, "".join(arguments))
                found = next(filter(None, (profile(name, column, way, arguments, cases)
                                           for _ in range(ATTEMPTS))), None)
                if found is None:
                    raise secgw.SecgwError("valgrind's counts do not fit together, see %s"
                                           % gateway_loop.log_of(name))
                for case, (all_of_it, part) in zip(cases, found):
                    loop.add((way, *case), column, all_of_it)
                    if column[1] == "crypto_accel":
                        driver.add((way, *case), column, part)
    return loop, driver


def explain():
    """Says what the tables show and how it is measured."""
    for line in (
            "The loop is the one above, with a device that encrypts nothing (engine=null). The",
            "columns have the same load: the ports hand out %.0f %% of what the device can do" % (
                100 * LOAD),
            "with lookaside protocol, in full bursts of %d, and the device reports as many at" %
            FULL,
            "once (wb_count). So no column pays for small bursts, and none waits for the device.",
            "Time without work does not count. crypto_aesni_mb encrypts, on the core.",
            "  legacy   the program's own ESP. With lookaside none it has no replay window. The",
            "           card has one, so lookaside protocol does more here",
            "  library  librte_ipsec, with a replay window of 64 in all columns",
            "  one SA   with --single-sa, so without policies for outbound packets",
            "Cycles are medians of %d rounds. Instructions are valgrind's, without the ports and" %
            ROUNDS,
            "the model. Each number was counted twice and came out the same."):
        cperf.say("    " + line)


def measure(checks):
    """Prints the tables. The target is said, and no criterion of a check: a busy machine would
    decide about it."""
    cperf.say("\n==> What lookaside protocol saves ipsec-secgw's core, per packet")
    cperf.warn_if_busy(cperf.busy_share())
    explain()
    cycles = Cycles()
    try:
        cycles.measure()
        cycles.print()
        if shutil.which("valgrind"):
            loop, driver = instructions()
            loop.print("instructions")
            driver.print("of these in the driver", ratio=False)
        wrong = cycles.wrong
    except secgw.SecgwError as error:
        wrong = str(error)
    cperf.say()
    checks.check("no packet was lost or changed in this measurement", wrong)
