# SPDX-License-Identifier: BSD-3-Clause
"""Reads the output of DPDK's test program.

report [--rules FILE] [--quiet] LOG...   prints a line per sub-suite (not with --quiet), and at the
                                         end "N passed, N failed, N skipped"
table --rules FILE LOG                   prints the sub-suites as a table with the reasons for skips

FILE has a rule per line, "suite | case | reason" (with the blanks). The first two are regular
expressions for whole names. A skip without a rule counts as a failure, so that no skip goes
unnoticed. A rule that begins with "fault:" names a case that fails because of an error in DPDK's
program. It is reported on a line of its own and does not count as failed. If it passes or does not
run, it counts as failed, because the rule is out of date."""

import argparse
import os
import re
import sys
from collections import Counter

# This case stands for a sub-suite that its set-up has skipped as a whole.
WHOLE = "(all)"


class Suite:
    """A sub-suite: its counts and the cases that did not pass."""

    def __init__(self, name):
        self.name = name
        self.total = self.passed = self.failed = self.skipped = 0
        self.children = 0
        self.successes = []
        self.failures = []
        self.skips = []


class Log:
    """One run: its sub-suites without children, in order, and whether it ended normally."""

    exit_code = -1

    CASE = re.compile(r"\+ TestCase \[ *\d+\] : (.*) (succeeded|skipped|failed|unsupported)$")
    COUNT = re.compile(r"\+ Tests (Total|Skipped|Unsupported|Passed|Failed) *: +(\d+)$")

    def __init__(self, path):
        name = os.path.basename(path)
        self.kind = "raw" if "raw_api" in name else "scheduler" if "scheduler" in name else ""
        self.suites = []
        self.failed_outside = ""
        self.skipped_whole = False
        self.last_case = "its start"
        stack, done = [], None
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                line = line.rstrip()
                if " + Test Suite : " in line:
                    if stack:
                        stack[-1].children += 1
                    stack.append(Suite(line.split(" + Test Suite : ")[1]))
                elif " + Test Suite Summary : " in line and stack:
                    done = stack.pop()
                    if not done.children:
                        self.suites.append(done)
                elif (case := self.CASE.search(line)) and stack:
                    self.take_case(stack[-1], *case.groups())
                elif (count := self.COUNT.search(line)) and done:
                    self.take_count(done, count[1], int(count[2]))
                elif line.startswith("Test Skipped"):
                    self.skipped_whole = True
                elif line.startswith("$ exit code "):
                    self.exit_code = int(line.split()[-1])
        self.finish(stack)

    def take_case(self, suite, name, result):
        """Reads a line about a test case."""
        self.last_case = name
        if result == "failed":
            suite.failures.append(name)
        elif result == "succeeded":
            suite.successes.append(name)
        else:
            suite.skips.append(name)

    @staticmethod
    def take_count(suite, what, count):
        """Reads a line of a summary. Cases that are unsupported (ENOTSUP) count as skipped."""
        if what == "Total":
            suite.total = count
        elif what == "Passed":
            suite.passed = count
        elif what == "Failed":
            suite.failed = count
        else:
            suite.skipped += count

    def finish(self, stack):
        """Finds failures outside of test cases."""
        for suite in self.suites:
            if suite.skipped == suite.total and not suite.skips:
                suite.skips = [WHOLE]
        if self.skipped_whole and not self.suites:
            return
        if stack or not self.suites:
            self.failed_outside = "ended with code %d after: %s" % (self.exit_code, self.last_case)
        elif self.exit_code != 0 and not any(s.failed for s in self.suites):
            self.failed_outside = "exit code %d after the last suite" % self.exit_code

    def counts(self):
        """Returns (passed, failed, skipped)."""
        if not self.suites and not self.failed_outside:
            return 0, 0, 1
        return (sum(s.passed for s in self.suites),
                sum(max(s.failed, len(s.failures)) for s in self.suites) +
                bool(self.failed_outside),
                sum(s.skipped for s in self.suites))


class Rules:
    """The reasons why cases are skipped, and the cases that cannot pass."""

    def __init__(self, path):
        self.rules = []
        self.faults = []
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    suite, case, reason = (part.strip() for part in line.split(" | ", 2))
                    fault = suite.startswith("fault:")
                    suite = suite[6:].strip() if fault else suite
                    kind, suite = re.fullmatch(r"(?:(raw|scheduler): *)?(.*)", suite).groups("")
                    rules = self.faults if fault else self.rules
                    rules.append((kind, re.compile(suite), re.compile(case), reason))

    def reason(self, log, suite, case):
        """Returns the reason of the first rule that fits, or None."""
        for kind, suite_re, case_re, reason in self.rules:
            if kind not in ("", log.kind):
                continue
            if suite_re.fullmatch(suite) and case_re.fullmatch(case):
                return reason
        return None


    def known(self, log):
        """Returns ({(suite, case): reason} of the cases that failed as a rule says, the rules
        without such a failure). Each rule is for one kind of run, and is not applied to a program
        without the suite."""
        known, stale = {}, []
        for kind, suite_re, case_re, reason in self.faults:
            suites = [suite for suite in log.suites if suite_re.fullmatch(suite.name)]
            if kind != log.kind or not suites:
                continue
            fits = [(suite.name, case) for suite in suites
                    for case in suite.failures if case_re.fullmatch(case)]
            known.update((fit, reason) for fit in fits)
            if not fits or any(case_re.fullmatch(case)
                               for suite in suites for case in suite.successes):
                stale.append("%s: %s" % (suite_re.pattern, case_re.pattern))
        return known, stale


def report_log(log, rules, say):
    """Prints the result of one run; returns its (passed, failed, skipped, known faults)."""
    known, stale = rules.known(log) if rules else ({}, [])
    nb_faults = 0
    for suite in log.suites:
        faults = [name for name in suite.failures if (suite.name, name) in known]
        nb_faults += len(faults)  # the scheduler's modes have suites of one name
        say("    %-42s %4d passed %4d failed %4d skipped" %
            (suite.name, suite.passed, suite.failed - len(faults), suite.skipped))
        for name in suite.failures:
            if name in faults:
                say("        KNOWN FAULT OF DPDK'S PROGRAM: %s: %s" %
                    (name, known[suite.name, name]))
            else:
                say("        FAILED: " + name)
    for name in stale:
        say("        HAS A RULE AS A FAULT, BUT PASSED OR DID NOT RUN: " + name)
    if log.failed_outside:
        say("        FAILED: " + log.failed_outside)
    elif not log.suites:
        say("    skipped as a whole, because the device lacks the feature flag")
    unexplained = [] if rules is None else [
        "%s: %s" % (suite.name, case) for suite in log.suites for case in suite.skips
        if rules.reason(log, suite.name, case) is None]
    for name in unexplained:
        say("        SKIPPED WITHOUT A REASON: " + name)
    passed, failed, skipped = log.counts()
    return (passed, failed - nb_faults + len(unexplained) + len(stale),
            skipped - len(unexplained), nb_faults)


def report(paths, rules, say):
    """Reports several runs. Returns True if nothing failed."""
    results = [report_log(Log(path), rules, say) for path in paths]
    total = [sum(result[i] for result in results) for i in range(4)]
    print("%d passed, %d failed, %d skipped" % tuple(total[:3]) +
          (", known faults of DPDK's program: %d" % total[3] if total[3] else ""))
    return total[1] == 0


def table(rules, path):
    """Prints the Markdown table of doc/autotest.md."""
    log = Log(path)
    known = rules.known(log)[0]
    print("| sub-suite | cases | passed | skipped | why skipped |")
    print("|---|---:|---:|---:|---|")
    for suite in log.suites:
        why = Counter(rules.reason(log, suite.name, case) or "?" for case in suite.skips)
        text = "; ".join("%s%s" % ("" if suite.skips == [WHOLE] else "%d: " % n, reason)
                         for reason, n in why.items())
        faults = sum((suite.name, case) in known for case in suite.failures)
        text += ("; " if text and faults else "") + ("%d known fault, see above" % faults if faults
                                                     else "")
        print("| %s | %d | %d | %d | %s |" %
              (suite.name, suite.total, suite.passed, suite.skipped, text))
    print("| **all** | **%d** | **%d** | **%d** | |" %
          (sum(s.total for s in log.suites), log.counts()[0], log.counts()[2]))


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = parser.add_subparsers(dest="what", required=True)
    for name in ("report", "table"):
        part = sub.add_parser(name)
        part.add_argument("--rules")
        part.add_argument("--quiet", action="store_true")
        part.add_argument("logs", nargs="+")
    args = parser.parse_args()
    rules = Rules(args.rules) if args.rules else None
    if args.what == "table":
        table(rules, args.logs[0])
        return 0
    return 0 if report(args.logs, rules, (lambda line: None) if args.quiet else print) else 1


if __name__ == "__main__":
    sys.exit(main())
