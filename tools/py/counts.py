# SPDX-License-Identifier: BSD-3-Clause
"""Counts what tests say about themselves; prints "passed failed".

counts.py meson FILE   meson-logs/testlog.json of `meson test`: cmocka's counts of every program
counts.py line FILE    the last "N passed, N failed" in a log"""

import argparse
import json
import re


def meson(path):
    """(passed, failed) over all programs; a program that ends badly has at least one failure."""
    passed = failed = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            test = json.loads(line)
            text = (test.get("stdout") or "") + (test.get("stderr") or "")
            good = sum(int(n) for n in re.findall(r"\[  PASSED  \] (\d+) test", text))
            bad = sum(int(n) for n in re.findall(r"\[  FAILED  \] (\d+) test", text))
            if test["result"] not in ("OK", "EXPECTEDFAIL", "SKIP"):
                bad = max(bad, 1)
            elif good == 0:
                good = 1
            passed += good
            failed += bad
    return passed, failed


def last_line(path):
    """(passed, failed) of the last such line, or (0, 0)."""
    with open(path, encoding="utf-8", errors="replace") as file:
        found = re.findall(r"(\d+) passed, (\d+) failed", file.read())
    return tuple(int(n) for n in found[-1]) if found else (0, 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["meson", "line"])
    parser.add_argument("file")
    args = parser.parse_args()
    print("%d %d" % {"meson": meson, "line": last_line}[args.kind](args.file))
