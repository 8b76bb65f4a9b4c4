# SPDX-License-Identifier: BSD-3-Clause
"""Counts the tests of a log and prints "passed failed".

counts.py meson FILE   counts the cases of `meson test` in meson-logs/*.junit.xml
counts.py line FILE    reads the last "N passed, N failed" of a log
counts.py tap FILE     counts the lines "ok" and "not ok" of a log"""

import argparse
import re
import xml.etree.ElementTree


def meson(path):
    """Returns (passed, failed) over all cases that were not skipped."""
    total = {"tests": 0, "skipped": 0, "failures": 0, "errors": 0}
    for suite in xml.etree.ElementTree.parse(path).getroot().iter("testsuite"):
        for key in total:
            total[key] += int(suite.get(key, 0))
    failed = total["failures"] + total["errors"]
    return total["tests"] - total["skipped"] - failed, failed


def last_line(path):
    """Returns (passed, failed) of the last such line, or (0, 0)."""
    with open(path, encoding="utf-8", errors="replace") as file:
        found = re.findall(r"(\d+) passed, (\d+) failed", file.read())
    return tuple(int(n) for n in found[-1]) if found else (0, 0)


def tap(path):
    """Returns (passed, failed) of the lines of TAP that were not skipped."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line for line in file if re.match(r"(not )?ok\b", line)
                 and not re.search(r"# *SKIP", line, re.I)]
    failed = sum(line.startswith("not") for line in lines)
    return len(lines) - failed, failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["meson", "line", "tap"])
    parser.add_argument("file")
    args = parser.parse_args()
    kinds = {"meson": meson, "line": last_line, "tap": tap}
    print("%d %d" % kinds[args.kind](args.file))
