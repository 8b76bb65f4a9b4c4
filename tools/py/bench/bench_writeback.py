# SPDX-License-Identifier: BSD-3-Clause
"""The section `writeback` of tools/bench: fixed values of N and T of the write-back (manual 6.5)
side by side with what the device chooses by load.

The part `writeback` of accel-bench lets all settings take turns in each round, in one process. So
ratios hold on a busy machine, too, if there are enough rounds."""

from base import cperf

SECTION = "writeback"
ROUNDS = 31
LIMIT = 1.05
TUNED = "tuned"


def cases():
    """Returns {name: (device arguments, options)}: device and application on two CPUs, and on
    one."""
    cpus = cperf.cpus()
    found = {}
    if len(cpus) > 1:
        other = cpus[1] if len(cpus) == 2 else cpus[2]
        apart = ["--device-cpu", str(other)]
        found["two CPUs"] = ("cores=[%d]" % other, apart)
        found["two CPUs, engine=null"] = ("engine=null,cores=[%d]" % other, apart)
    found["one CPU"] = ("cores=[%d]" % cpus[0], [])
    return found


def section(context, run):
    """Measures. `run` is bench_driver.run_accel_bench()."""
    rounds = context.rounds if context.quick else max(context.rounds, ROUNDS)
    records = []
    for name, (devargs, options) in cases().items():
        cperf.say("\n==> Write-back, fixed and tuned: AES-128-CBC, 64 bytes, %s (%d rounds)"
                  % (name, rounds))
        for record in run(context, SECTION, "writeback", devargs,
                          options + ["--rounds", str(rounds)]):
            record["algo"] = "%s: %s" % (name, record["algo"])
            records.append(record)
    return records


def names_of(records):
    """Returns the cases that were measured, in their order."""
    names = []
    for r in records:
        name = r["algo"].split(": ")[0] if r["section"] == SECTION else None
        if name is not None and name not in names:
            names.append(name)
    return names


def table(records, case):
    """Returns (loads, {setting: {load: (cost, lines)}}, {load: ratio to the best fixed one})."""
    loads, settings, over = [], {}, {}
    for r in records:
        if r["section"] != SECTION or not r["algo"].startswith(case + ": "):
            continue
        parts = r["algo"].split(": ")
        if len(parts) == 2:
            over[parts[1]] = r["value"]
            continue
        if parts[2] not in loads:
            loads.append(parts[2])
        pair = settings.setdefault(parts[1], {}).setdefault(parts[2], [0, 0])
        pair[r["metric"] == "lines"] = r["value"]
    return loads, settings, over


def print_tables(records):
    """Prints a table for each case."""
    for case in names_of(records):
        loads, settings, over = table(records, case)
        cperf.say("\nWrite-back, %s: cycles (lines per 1000 operations)" % case)
        rows = [["setting"] + loads]
        rows += [[name] + ["%.0f (%.0f)" % tuple(row[load]) for load in loads]
                 for name, row in settings.items()]
        rows.append(["tuned over the best fixed"] + ["%.2f" % over[load] for load in loads])
        for line in cperf.align(rows):
            cperf.say("  " + line)
        if case != "one CPU":
            cperf.say("  windows in which another program had a CPU, too: %.0f %%"
                      % over["windows"])
    if names_of(records):
        cperf.say("  cycles until an operation or a burst is back; per operation if more are in"
                  " flight. T is in ns")


def targets(records):
    """Returns the targets as arguments of bench_driver.Target. There are none for few rounds, in
    which the best of 16 settings is the luckiest one."""
    if any(r["section"] == SECTION and r["rounds"] < ROUNDS for r in records):
        return []
    return [("write-back: tuned against the best fixed N and T", "%s, %s" % (case, load), ratio,
             "at most", LIMIT)
            for case in names_of(records) for load, ratio in table(records, case)[2].items()
            if load != "windows"]
