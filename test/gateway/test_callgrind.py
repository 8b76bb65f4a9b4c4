# SPDX-License-Identifier: BSD-3-Clause
"""Tests tools/py/base/callgrind.py, and what tools/py/gateway/gateway_cost.py makes of a profile,
with one in callgrind's format that is written by hand. The argument is the root of the tree. The
last line of the output is "N passed, N failed"."""

import os
import sys
import tempfile

ROOT = sys.argv[1]
sys.path.insert(0, os.path.join(ROOT, "tools", "py"))
from base import callgrind  # noqa: E402 pylint: disable=wrong-import-position
from gateway import gateway_cost  # noqa: E402 pylint: disable=wrong-import-position

# The loop works 100 and calls a port (30), a function (10) that calls the driver (20), which calls
# the model (5). Somebody else calls the model, too, which is no part of the loop.
PROFILE = """\
# callgrind format
version: 1
part: 2

desc: I1 cache:
desc: Timerange: Basic block 1 - 2
desc: Trigger: --dump-before=window_ends

positions: line
events: Ir
summary: 172

ob=(1) /a/program
fl=(1) a.c
fn=(1) ipsec_poll_mode_worker
12 60
+3 40
cob=(2) /a/lib.so
cfi=(2) b.c
cfn=(2) loop_rx
calls=3 7
+1 30
cfn=(3) helper
calls=2 9
* 35

fn=(2)
7 30

fn=(3)
9 10
cfn=(4) accel_enqueue_burst
calls=2 4
-2 25

fn=(4)
4 20
cfn=(5) vdev_relax_inline
calls=1 6
5 5

fn=(5)
6 12

totals: 172
"""
PASSED, FAILED = [], []


def check(title, got, wanted):
    """Counts a check and prints it."""
    (PASSED if got == wanted else FAILED).append(title)
    print("%s - %s%s" % ("ok" if got == wanted else "not ok", title,
                         "" if got == wanted else ": %r is not %r" % (got, wanted)))


def written(directory, name, text):
    """Writes a file and returns its path."""
    path = os.path.join(directory, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    return path


def check_profile(part):
    """Checks the numbers of one part."""
    check("trigger", part.trigger, "--dump-before=window_ends")
    check("whole", part.whole(), True)
    check("a function with its calls", part.cost("ipsec_poll_mode_worker"), 165)
    check("calls of a function", part.called("loop_rx"), 30)
    check("their number", part.number("loop_rx", "helper"), 5)
    column = gateway_cost.COLUMNS[0]
    check("loop and driver", gateway_cost.counted(part, {"forwarded": 10}, column), (13.0, 2.0))
    check("no packets", gateway_cost.counted(part, {"forwarded": 0}, column), None)


def check_damage(directory):
    """Checks that a profile that cannot be right gives no number."""
    window, column = {"forwarded": 10}, gateway_cost.COLUMNS[0]
    for title, old, new in (("a part of it is missing", "\n9 10\n", "\n"),
                            ("more in the model than in the driver", "\n-2 25\n", "\n-2 4\n"),
                            ("more in the driver than in the loop", "\n-2 25\n", "\n-2 250\n")):
        part = callgrind.Profile(written(directory, "damaged", PROFILE.replace(old, new, 1)))
        check(title, gateway_cost.counted(part, window, column), None)


def main():
    """Runs all checks."""
    with tempfile.TemporaryDirectory() as directory:
        check_profile(callgrind.Profile(written(directory, "single", PROFILE)))
        check_damage(directory)
        path = written(directory, "out", PROFILE)
        for number in (10, 9, 2):
            written(directory, "out.%d" % number, PROFILE.replace("ends", "part%d" % number))
        check("parts in order, without the last one",
              [part.trigger[-6:] for part in callgrind.parts(path)],
              ["_part2", "_part9", "part10"])
        callgrind.remove(path)
        check("removed", [name for name in os.listdir(directory) if name.startswith("out")], [])
    print("%d passed, %d failed" % (len(PASSED), len(FAILED)))
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
