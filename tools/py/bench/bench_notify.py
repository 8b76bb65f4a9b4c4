# SPDX-License-Identifier: BSD-3-Clause
"""The section `notify` of tools/bench: throughput by size of an application that polls, and of one
that sleeps until the device announces each completion.

The program is accel-notify-embedded of test/bench/notify/accel_notify.c. `tools/vm-test nested` has
the same with the interrupts of a virtual function."""

import os

from base import cperf

SECTION = "notify"
# (kind, operations in flight)
CASES = [("aes-128-cbc", 32), ("aes-128-cbc", 1), ("sha-256", 32), ("sha-256", 1)]
HOWS = ["poll", "notify"]
# Rounds are short and many. The best one is the one that other programs disturbed least.
ROUNDS = 31
SECONDS = 0.02
# The device looks for work for 20 ms before it sleeps, so that neither way has to wake it.
DEVARGS = "wb_count=1,idle_us=20000"


def parse(text, context, case, rounds):
    """Returns the records of one run. Raises PerfError if an operation did not come back."""
    records = []
    for line in text.splitlines():
        parts = line.split(",")
        if parts[0] not in HOWS or len(parts) != 11:
            continue
        if int(parts[4]) == 0 or parts[4] != parts[5]:
            raise cperf.PerfError("%s of %s operations came back" % (parts[5], parts[4]))
        for metric, value in ((parts[0], parts[6]), (parts[0] + ", best", parts[7])):
            records.append(context.record(SECTION, "crypto_accel", metric, float(value), "Gbit/s",
                                          rounds, case[0], int(parts[2]), case[1]))
    if not records:
        raise cperf.PerfError("unexpected output of accel-notify")
    return records


def section(context):
    """Measures all cases."""
    program = os.path.join(os.path.dirname(context.accel_bench), "accel-notify-embedded")
    rounds = 3 if context.quick else ROUNDS
    cperf.say("\n==> Polling beside a notification per completion, embedded device (%d rounds)"
              % rounds)
    cpu, records = cperf.cpus()[0], []
    for kind, depth in CASES:
        argv = [program, "--lcores", "0@%d" % cpu, "--log-level=error"] + cperf.eal_args()
        argv += ["--vdev", "crypto_accel0," + DEVARGS, "--", "--rounds", str(rounds),
                 "--seconds", str(SECONDS), "--kind", kind, "--in-flight", str(depth)]
        text = cperf.run_program(argv, timeout=600, name="accel-notify-%s-%d" % (kind, depth))
        records += parse(text, context, (kind, depth), rounds)
    return records


def print_table(records):
    """Prints both curves of each case."""
    found = {(r["algo"], r["burst"], r["metric"], r["size"]): r["value"] for r in records
             if r["section"] == SECTION}
    sizes = sorted({key[3] for key in found})
    if not sizes:
        return
    cperf.say("\nPolling beside a notification per completion, Gbit/s (embedded device: its thread"
              " writes to an eventfd)")
    rows = [["algorithm", "in flight", "the application", ""] + sizes]
    for kind, depth in CASES:
        for how, text in zip(HOWS, ("polls", "sleeps")):
            for metric, what in ((how, "median"), (how + ", best", "best round")):
                rows.append([kind, depth, text, what] + [
                    "%.3f" % found[kind, depth, metric, size]
                    if (kind, depth, metric, size) in found else "-" for size in sizes])
    for line in cperf.align(rows, 4):
        cperf.say("  " + line)
