# SPDX-License-Identifier: BSD-3-Clause
"""Checks the instructions per operation of the driver's enqueue and dequeue against the budget.

valgrind's callgrind counts them, so the numbers are the same on every run and on a busy machine.
The budget is test/bench/instructions.csv. More than 3 % above it is a failure, and so is a vector
register in a function of the fast path (x86-64 only). The budgets are those of gcc 12 on Debian 12.
A compiler that makes other code has budgets of its own (--compiler): instructions.gcc-14.csv is
that of gcc 14 on Debian 13. Both have the same cases, and all that is said here holds for both.

With --model it does the same for the reference device, whose budget is
test/bench/instructions_model.csv: what visits of its queue pairs take for an operation.

With --pk it does so for the engines for public keys. What is counted is an operation in per cent of
the loop of `openssl speed`, as the library and the CPU decide how long that takes. The budget is
test/bench/instructions_pk.csv.

instructions.py PROGRAM PLUGIN                    checks and prints TAP
instructions.py PROGRAM --update --compiler NAME  writes the counts into the budget of that compiler
instructions.py --model PROGRAM ...               the same for model-bench
instructions.py --pk PROGRAM ...                  the same for pk-engine-bench"""

import argparse
import concurrent.futures
import csv
import os
import re
import subprocess
import sys
import tempfile

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import callgrind

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
BUDGET = os.path.join(ROOT, "test", "bench", "instructions.csv")
MODEL_BUDGET = os.path.join(ROOT, "test", "bench", "instructions_model.csv")
PK_BUDGET = os.path.join(ROOT, "test", "bench", "instructions_pk.csv")
CALLS = ("enqueue", "dequeue")
SLACK = 1.03
# The compiler of the budgets whose names have none.
FIRST = "gcc-12"
# The function of driver-cost's bare writes, which is counted like "enqueue" and "dequeue".
BARE = "bare_enqueue"
BURST = 32
OPERATIONS = 6400
# The fast path consists of the bodies of accel_enqueue.c and accel_enqueue_ipsec.c, of those of
# accel_enqueue_sgl.c for one vector, and of their callers. Those for several vectors may use vector
# registers: gcc adds lengths in them, which is faster.
KINDS = ("cipher", "auth", "chain", "aead")
DIRECTIONS = ("outbound", "inbound")
RUNS = ["enqueue_%s_%s" % (kind, where) for kind in KINDS + DIRECTIONS
        for where in ("near", "far")]
RUNS += ["raw_%s_vector" % kind for kind in KINDS]
FAST = RUNS + ["accel_enqueue_burst", "accel_dequeue_burst", "dequeue_mixed",
               "accel_enqueue_vector", "accel_enqueue_vectors", "accel_ipsec_dequeue"]
FAST += ["accel_raw_%s%s" % (call, how) for call in ("enqueue", "dequeue")
             for how in ("", "_burst", "_done")]
# model-bench runs a burst, or two of them, in each of its slices, after what warms up. All of the
# device that does not go by the clock is in visits.
MODEL_SLICES = 201
MODEL_VISIT = "queue_visit"
MODEL_CALLS = ("device",)
MODEL_HEADER = """\
# SPDX-License-Identifier: BSD-3-Clause
# Instructions per operation of the reference device, in bursts of 32: workloads of model-bench.
# Checked with 3 % of slack by tools/py/counts/instructions.py --model, which also writes this file
# with --update.
"""
PK_OPERATIONS = 10
PK_CALLS = ("engine",)
PK_HEADER = """\
# SPDX-License-Identifier: BSD-3-Clause
# Instructions per operation of the model's engines for public keys, in per cent of those of the
# loop of `openssl speed`: cases of pk-engine-bench. Checked with 3 % of slack by
# tools/py/counts/instructions.py --pk, which also writes this file with --update.
"""
HEADER = """\
# SPDX-License-Identifier: BSD-3-Clause
# Instructions per operation of the driver, in bursts of 32 or of what a case says at its end.
# Checked with 3 % of slack by tools/py/counts/instructions.py, which also writes this file:
# --update.
"""


def functions_of(call, arguments):
    """Returns the functions of "enqueue" and "dequeue" for driver-cost with `arguments`. None of
    them calls another one."""
    if call == BARE:
        return [BARE]
    if "--each" in arguments:
        return ["accel_raw_" + call, "accel_raw_%s_done" % call]
    if "--raw" in arguments:
        return ["accel_raw_%s_burst" % call, "accel_raw_%s_done" % call]
    return ["accel_%s_burst" % call]


def profile(options, argv):
    """Runs a program under callgrind. Returns the parts of its profile, and the last one."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile")
        argv = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + path, *options, *argv]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError("%s: exit code %d\n%s" % (" ".join(argv), done.returncode,
                                                         done.stderr))
        return callgrind.parts(path), callgrind.Profile(path)


def count(program, arguments, calls):
    """Counts instructions per operation inside calls of driver-cost with `arguments`: a number for
    each, or None if there are no bare writes of that kind."""
    functions = {call: functions_of(call, arguments) for call in calls}
    if not arguments[-1].isdigit():
        arguments = arguments + [str(BURST)]
    _, found = profile(["--toggle-collect=" + name for names in functions.values()
                        for name in names],
                       [program, *arguments, str(OPERATIONS // int(arguments[-1]))])
    costs = [sum(map(found.cost, functions[call])) for call in calls]
    if any(cost == 0 and call != BARE for call, cost in zip(calls, costs, strict=True)):
        raise RuntimeError("%s: nothing was counted" % " ".join(arguments))
    return tuple(cost / OPERATIONS or None for cost in costs)


def counted_parts(program, collect, arguments):
    """Returns the instructions inside the function `collect` between pairs of calls of
    counted_mark()."""
    parts, _ = profile(["--toggle-collect=" + collect, "--dump-before=counted_mark"],
                       [program, "--count", *arguments])
    return [sum(part.own.values()) for part in parts[1::2]]


def measure_model(program, workloads, jobs):
    """Counts instructions per operation of workloads of model-bench. Each runs twice, the second
    time with twice as many operations. An inbound packet is made by the device before, which the
    outbound workload counts. Returns {workload: (number,)}."""
    del jobs  # the start under valgrind is what takes long
    need = list(dict.fromkeys([*workloads, *(each.replace("esp-in", "esp-out")
                                             for each in workloads)]))
    operations = MODEL_SLICES * BURST
    counts = counted_parts(program, MODEL_VISIT, [str(operations), *need])
    numbers = {workload: (twice - once) / operations
               for workload, once, twice in zip(need, counts[::2], counts[1::2], strict=True)}
    return {each: (numbers[each] - (numbers[each.replace("esp-in", "esp-out")]
                                    if each.startswith("esp-in") else 0),) for each in workloads}


def count_pk(program, case):
    """Counts an operation of pk-engine-bench in per cent of the bare loop. Each of the two has a
    process of its own, since what malloc() takes depends on what was there before."""
    engine, bare = (sum(found.own.values()) for _, found in
                    (profile(["--toggle-collect=counted"],
                             [program, "--count", case, which, str(PK_OPERATIONS)])
                     for which in ("engine", "bare")))
    return 100 * engine / bare


def measure_pk(program, cases, jobs):
    """Returns {case: (number,)}."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        counts = list(pool.map(lambda case: count_pk(program, case), cases))
    return {case: (number,) for case, number in zip(cases, counts, strict=True)}


def measure(program, cases, jobs, calls=CALLS):
    """Returns {case: a number for each call} for cases that are driver-cost's arguments."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        counts = list(pool.map(lambda case: count(program, case.split(), calls), cases))
    return dict(zip(cases, counts, strict=True))


def own_budget(path, compiler):
    """Returns the path of a compiler's own budget. `path` is that of gcc 12."""
    return path if compiler == FIRST else "%s.%s.csv" % (os.path.splitext(path)[0], compiler)


def read_budget(path, calls):
    """Returns {case: a number for each call}."""
    with open(path, encoding="ascii") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {r["case"]: tuple(float(r[call]) for call in calls) for r in rows}


def write_budget(path, compiler, header, calls, values):
    """Writes the budget of a compiler."""
    with open(path, "w", encoding="ascii") as file:
        file.write(header + "# Compiler: %s.\n" % compiler)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("case", *calls))
        for case, numbers in values.items():
            writer.writerow((case, *("%.1f" % number for number in numbers)))
    print("written: " + path)


def check(values, budget, calls, unit="instructions"):
    """Prints a line per number. Returns (passed, failed)."""
    passed = failed = 0
    for case, numbers in budget.items():
        for call, limit, value in zip(calls, numbers, values[case]):
            good = value <= limit * SLACK
            passed += good
            failed += not good
            print("%s - %-28s %-8s %7.1f %s, budget %7.1f (%+.1f %%)" % (
                "ok" if good else "not ok", case, call, value, unit, limit,
                100 * (value / limit - 1)))
    return passed, failed


def disassemble(plugin):
    """Returns {function: its lines}, with parts that gcc has split off (name.isra.0) except the
    cold ones. Returns None if the code is not for x86-64."""
    done = subprocess.run(["objdump", "-d", "--no-show-raw-insn", plugin], capture_output=True,
                          text=True, check=True)
    if "file format elf64-x86-64" not in done.stdout:
        return None
    functions = {}
    for name, body in re.findall(r"^[0-9a-f]+ <([\w.]+)>:\n((?:.+\n)*)", done.stdout, re.M):
        if ".cold" not in name:
            functions.setdefault(name.split(".")[0], []).extend(body.splitlines())
    return functions


def check_vectors(plugin):
    """Checks the fast path for vector registers, in RUNS and FAST and in the functions that these
    call. Returns (passed, failed)."""
    functions = disassemble(plugin)
    if functions is None:
        print("# skipped: the check for vector registers is for x86-64")
        return 0, 0
    missing = [name for name in FAST if name not in functions]
    if missing:
        print("not ok - %s lacks %s; update the names in RUNS and FAST of instructions.py"
              % (plugin, ", ".join(missing)))
        return 0, 1
    calls = re.findall(r"\b(?:call|jmp) +[0-9a-f]+ <(\w+)[\w.]*>",
                       "\n".join(line for name in RUNS for line in functions[name]))
    names = sorted({*FAST, *calls} & functions.keys())
    found = {name: [line for line in functions[name] if re.search(r"%[xyz]mm\d", line)]
             for name in names}
    for name, lines in found.items():
        if lines:
            print("not ok - %s has %d instructions with vector registers, the first is\n# %s" % (
                name, len(lines), lines[0]))
    bad = sum(map(bool, found.values()))
    if bad:
        print("# On a translated CPU each of them waits for all earlier stores "
              '(doc/notes/driver.md, "On a translated CPU").\n# The compiler makes them of fields '
              "that are loaded, compared or stored side by side. Write such fields one by one, if "
              "necessary through volatile, as accel_write_command() does.")
    else:
        print("ok - no vector register in the %d functions of the fast path" % len(names))
    return (0, bad) if bad else (1, 0)


def main():
    """Checks, or updates the budget."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="build/release/test/bench/driver-cost, or another one")
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--pk", action="store_true")
    parser.add_argument("plugin", nargs="?", help="build/release/drivers/librte_crypto_accel.so")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--compiler", help="what the program was built with, for example " + FIRST)
    parser.add_argument("--jobs", type=int, default=min(4, len(os.sched_getaffinity(0))))
    args = parser.parse_args()
    driver = not args.model and not args.pk
    if not driver and args.plugin is not None:
        parser.error("--model and --pk take no PLUGIN")
    if driver and not args.update and args.plugin is None:
        parser.error("PLUGIN is missing")
    if args.update and args.compiler is None:
        parser.error("--update writes the budget of one compiler: --compiler is missing")
    path, header, calls, count_all = (
        (MODEL_BUDGET, MODEL_HEADER, MODEL_CALLS, measure_model) if args.model else
        (PK_BUDGET, PK_HEADER, PK_CALLS, measure_pk) if args.pk else
        (BUDGET, HEADER, CALLS, measure))
    # All budgets have the cases of the first one.
    cases = list(read_budget(path, calls))
    own = own_budget(path, args.compiler or FIRST)
    if args.update:
        values = count_all(args.program, cases, args.jobs)
        write_budget(own, args.compiler, header, calls, values)
        return 0
    if os.path.exists(own):
        path = own
    budget = read_budget(path, calls)
    print("# the budget is " + os.path.relpath(path, ROOT))
    if list(budget) != cases:
        print("not ok - it has other cases than that of %s\n1..1" % FIRST)
        return 1
    values = count_all(args.program, cases, args.jobs)
    results = [check(values, budget, calls, "% of the bare loop" if args.pk else "instructions")]
    if driver:
        results.append(check_vectors(args.plugin))
    passed, failed = map(sum, zip(*results))
    print("# %d passed, %d failed\n1..%d" % (passed, failed, passed + failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
