# SPDX-License-Identifier: BSD-3-Clause
"""What lookaside protocol saves the core of ipsec-secgw: cycles and instructions per packet in the
closed loop of gateway_loop.py, with lookaside none, with lookaside protocol, and on
crypto_aesni_mb. The embedded device encrypts nothing here (engine=null), so that it is not the
limit."""

import re
import shutil
import statistics

import cperf
import gateway_loop
import secgw

# The columns: title, driver, device arguments, whether the card does ESP.
COLUMNS = [("lookaside none", "crypto_accel", ["engine=null"], False),
           ("lookaside protocol", "crypto_accel", ["engine=null"], True),
           ("crypto_aesni_mb", "crypto_aesni_mb", [], False)]
# What protocol may cost beside none (cycles of the core).
TARGET = 0.6
SIZES = [64, 1024]
CASES = [(algorithm, size) for algorithm in gateway_loop.ALGORITHMS for size in SIZES]
# Legacy and library mode, each without and with lookaside protocol.
MODES = {"legacy": ("legacy", "protocol"), "library": ("library", "protocol-library")}
ROUNDS = 3
# Instructions are the difference of two runs with so many packets, divided by that of the packets.
COUNTED = (2000, 10000)
# valgrind counts in the program's loop, or in the driver's calls, but neither the model's work nor
# that of the loop's ports.
LOOP = ["ipsec_poll_mode_worker", "loop_rx", "loop_tx", "loop_worked", "vdev_relax_inline"]
DRIVER = ["accel_enqueue_burst", "accel_dequeue_burst", "vdev_relax_inline"]


def run(name, column, pair, length, cases, under=()):
    """Runs the loop for a column in a mode."""
    _, device, devargs, protocol = column
    mode = secgw.MODES[pair[protocol]]
    if under and device == "crypto_accel":
        devargs = devargs + ["cores=inline"]
    return gateway_loop.run(name, device, devargs, length, mode.arguments, cases,
                            mode.config(gateway_loop.CONFIG), under)


def cycles():
    """Returns {(mode, case): median cycles per packet of each column}, the same of the share of
    time in which the core had work, and what was wrong. A core without work waits for the device,
    and then its bursts are small."""
    found, shares, wrong = {}, {}, ""
    for number in range(ROUNDS):
        for mode, pair in MODES.items():
            for index, column in enumerate(COLUMNS):
                windows = run("cost-%s-%d" % (mode, index), column, pair, gateway_loop.MEASURE,
                              CASES)
                for case, window in zip(CASES, windows):
                    for where, value in ((found, window["busy"] / window["forwarded"]),
                                         (shares, 100 * window["busy"] / window["cycles"])):
                        where.setdefault((mode, case), [[] for _ in COLUMNS])[index].append(value)
                    if window["lost"] or window["bad"]:
                        wrong = "round %d, %s, %s: %d lost, %d changed" % (
                            number, mode, column[0], window["lost"], window["bad"])
    return medians(found), medians(shares), wrong


def medians(values):
    """Returns the median of each cell."""
    return {key: [statistics.median(cell) for cell in row] for key, row in values.items()}


def collected(name, column, pair, packets, case, functions):
    """Counts instructions in a run with so many packets. Counting begins or ends at each entry of a
    function, and goes back at its return. Returns them and the packets."""
    under = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
             *("--toggle-collect=" + function for function in functions)]
    window = run(name, column, pair, "packets=%d" % packets, [case], under)[0]
    with open(gateway_loop.log_of(name), encoding="utf-8", errors="replace") as file:
        count = re.search(r"Collected : (\d+)", file.read())
    if not count or int(count[1]) == 0:
        raise secgw.SecgwError("valgrind counted nothing, see %s" % gateway_loop.log_of(name))
    return int(count[1]), window["forwarded"]


def per_packet(name, column, pair, case, functions):
    """Returns instructions per packet."""
    low, high = (collected(name, column, pair, n, case, functions) for n in COUNTED)
    return (high[0] - low[0]) / (high[1] - low[1])


def instructions():
    """Returns {(mode, case): instructions per packet of each column}, and the same of the driver
    alone where it is crypto_accel."""
    loop, driver = {}, {}
    for mode, pair in MODES.items():
        for case in (case for case in CASES if case[1] == SIZES[0]):
            for index, column in enumerate(COLUMNS):
                name = "instructions-%s-%d" % (mode, index)
                loop.setdefault((mode, case), []).append(
                    per_packet(name, column, pair, case, LOOP))
                driver.setdefault((mode, case), []).append(
                    per_packet(name, column, pair, case, DRIVER)
                    if column[1] == "crypto_accel" else None)
    return loop, driver


def table(title, rows):
    """Prints a table, with the ratio of protocol to none at the end of each row."""
    head = [title, "mode", "bytes"] + [column[0] for column in COLUMNS] + ["protocol / none"]
    lines = [head]
    for (mode, (algorithm, size)), values in rows.items():
        cells = ["-" if value is None else "%.0f" % value for value in values]
        lines.append([algorithm, mode, str(size)] + cells + ["%.2f" % (values[1] / values[0])])
    cperf.say()
    for line in cperf.align(lines, 2):
        cperf.say("    " + line)


def measure(checks):
    """Prints both tables. The target is said, and no criterion of a check: a busy machine would
    decide about it."""
    cperf.say("\n==> What lookaside protocol saves ipsec-secgw's core, per packet")
    cperf.warn_if_busy(cperf.busy_share())
    try:
        values, shares, wrong = cycles()
        table("cycles", values)
        table("core busy, %", shares)
        ratios = [row[1] / row[0] for row in values.values()]
        cperf.say("    protocol / none: %.2f to %.2f; the target is at most %.2f: %s" % (
            min(ratios), max(ratios), TARGET,
            "reached" if max(ratios) <= TARGET else "not reached everywhere"))
        if shutil.which("valgrind"):
            loop, driver = instructions()
            table("instructions", loop)
            table("of these in the driver", driver)
    except secgw.SecgwError as error:
        wrong = str(error)
    checks.check("no packet was lost or changed in this measurement", wrong)
