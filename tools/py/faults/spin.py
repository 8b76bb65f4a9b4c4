# SPDX-License-Identifier: BSD-3-Clause
"""Checks the models of test/spin with Spin, and that each of their mutations is found.

The first comments of a model have a line "MUTANT n: text" for each mutation, and may have lines
"CONFIG: -DNAME=VALUE ..." for sizes with which it is checked; a mutation is found if one of them
finds it. One that ends in "[config n]" is found by the n-th of them, which is tried first, so that
the others need not be searched. A mutation that ends in "[test: NAME]" is found by that unit test
and not by the model."""
import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

SPIN = ["spin", "-a"]
# What is checked are assertions and deadlocks.
# Without optimization: the compiler would take longer than it saves, 15 s for one of the models.
GCC = ["gcc", "-w", "-O0", "-DSAFETY", "-DCOLLAPSE", "-DVECTORSZ=2048", "-DMEMLIM=3000"]
DEPTH = 1000000
LIMIT_S = 600  # of CPU time, for a search that does not end
LEAST_STATES = 1000


class Model:
    """A model: its mutations and the sizes with which it is checked."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.mutants = [(int(n), what.strip())
                        for n, what in re.findall(r"^ \* MUTANT (\d+): (.*)$", text, re.MULTILINE)]
        self.configs = [line.split() for line in
                        re.findall(r"^ \* CONFIG: (.*)$", text, re.MULTILINE)] or [[]]
        self.first = {n: int(found[1]) - 1 for n, what in self.mutants
                      if (found := re.search(r" \[config (\d+)\]$", what))}
        self.used = {int(n) for n in re.findall(r"\bMUTANT [!=]= (\d+)", text)} - {0}
        self.included = re.findall(r'#include "(\w+)\.pml"', text)
        self.listed = {n for n, what in self.mutants if "[test: " not in what}


def wrong(model, models):
    """Says where the list of a model and its mutations differ. A model that includes another one
    may list mutations that stand there."""
    used, listed = set(model.used), set(model.listed)
    for other in models:
        if other.name in model.included:
            used |= other.used
        if model.name in other.included:
            listed |= other.listed
    return "; ".join(["mutation %d is listed only" % n for n in sorted(model.listed - used)] +
                     ["mutation %d is not listed" % n for n in sorted(model.used - listed)])


def check(folder, scratch, model, config, mutant):
    """Runs one check. Returns (what Spin has found or "", states, seconds)."""
    to = os.path.join(scratch, "%s.%d%s" % (model.name, mutant, "".join(config)))
    os.makedirs(to)
    for file in glob.glob(os.path.join(folder, "*.[hp]*")):
        shutil.copy(file, to)
    start = time.monotonic()
    subprocess.run(SPIN + ["-DMUTANT=%d" % mutant] + config + [model.name + ".pml"], cwd=to,
                   check=True, stdout=subprocess.PIPE)
    subprocess.run(GCC + ["-o", "pan", "pan.c"], cwd=to, check=True)
    # The first step of a search is to clear its table, so that of a mutation, which is mostly found
    # soon, is small. It finds the same.
    table = "-w24" if mutant == 0 else "-w18"
    done = subprocess.run(["prlimit", "--cpu=%d" % LIMIT_S, "./pan", table, "-m%d" % DEPTH], cwd=to,
                          stdout=subprocess.PIPE, check=False)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        sys.exit("%s, mutation %d %s: no end in %d s of CPU time" % (model.name, mutant, config,
                                                                    LIMIT_S))
    out = done.stdout.decode()
    seconds = time.monotonic() - start
    shutil.rmtree(to)
    errors = re.search(r"errors: (\d+)", out)
    states = re.search(r"(\d+) states, stored", out)
    if not errors or not states or "too small" in out or "out of memory" in out:
        sys.exit("%s, mutation %d %s: the search did not end\n%s" %
                 (model.name, mutant, config, out))
    found = re.search(r"pan:1: (.*?) ?(?:\(at depth \d+\))?$", out, re.MULTILINE)
    return (found[1] if int(errors[1]) else "", int(states[1]), seconds)


def check_all(folder, scratch, model, mutant):
    """Checks with all sizes, up to the first that finds something. As check()."""
    states, seconds = 0, 0.0
    first = model.first.get(mutant, 0)
    for config in model.configs[first:] + model.configs[:first]:
        found, more, took = check(folder, scratch, model, config, mutant)
        states += more
        seconds += took
        if found:
            return found, states, seconds
    return "", states, seconds


def by_test(folder, what):
    """What is wrong with a mutation that a unit test finds, or ""."""
    name = re.search(r"\[test: (\w+)\]", what)[1]
    for path in glob.glob(os.path.join(folder, "..", "**", "*.c"), recursive=True):
        with open(path, encoding="utf-8") as file:
            if re.search(r"^%s\(" % name, file.read(), re.MULTILINE):
                return ""
    return "there is no test " + name


def main():
    """Prints the table and the count."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("scratch")
    parser.add_argument("jobs", type=int)
    parser.add_argument("names", nargs="*", metavar="MODEL")
    args = parser.parse_args()
    folder, scratch, names = args.folder, args.scratch, args.names
    models = [Model(path) for path in sorted(glob.glob(os.path.join(folder, "*.pml")))]
    lists = {model.name: wrong(model, models) for model in models}
    models = [model for model in models if not names or model.name in names]
    os.makedirs(scratch)
    passed = failed = 0
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [(model, number, what, None if "[test: " in what else
                 pool.submit(check_all, folder, scratch, model, number))
                for model in models for number, what in [(0, "")] + model.mutants]
        for model, number, what, run in runs:
            if run is None:
                error = by_test(folder, what)
                good, result = not error, error or "found by the test"
            else:
                found, states, seconds = run.result()
                if number == 0:
                    good = not found and states >= LEAST_STATES and not lists[model.name]
                    result = lists[model.name] or found or \
                        "no error in %d states, %.1f s" % (states, seconds)
                    print("\n%s" % model.name)
                else:
                    good, result = bool(found), found or "NOT FOUND in %d states" % states
            passed += good
            failed += not good
            print("  %-4s %s%s: %s" % ("ok" if good else "FAIL",
                                       "%d, " % number if number else "without a mutation",
                                       what, result))
            sys.stdout.flush()
    print("\n%d passed, %d failed" % (passed, failed))
    print("    in %.0f s" % (time.monotonic() - start), file=sys.stderr)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
