# SPDX-License-Identifier: BSD-3-Clause
"""Counts the cache lines that two threads of the device would share.

shared_lines.py MODEL_BENCH WORKLOAD

`model-bench --share` runs bursts on two queue pairs in turn, each by its own worker, in one thread.
valgrind's lackey traces its accesses. A line that both halves touch and at least one of them writes
would travel between the CPUs of two threads. The stack and thread-local memory are left out, since
threads have their own. There must be no such line. Prints TAP."""

import argparse
import subprocess
import sys

LINE = 64
STACK_BYTES = 1 << 23  # below the highest address of a thread's stack
HALVES = 2
TLS_BYTES = 1 << 12  # at most so far from errno
LEAST = 100  # lines that a half touches if the trace saw its bursts


def halves(trace, mark):
    """Reads a trace. Returns for each half {line: whether it was written}."""
    found, now = [], None
    code = b"I  %08x," % mark
    for text in trace:
        if text.startswith(code):
            if len(found) == HALVES:
                return found
            now = {}
            found.append(now)
        elif now is not None and text[:1] == b" ":
            address, size = text[3:].split(b",")
            first = int(address, 16)
            for line in range(first // LINE, (first + int(size) - 1) // LINE + 1):
                now[line] = now.get(line, False) or text[1:2] != b"L"
    return None


def shared(found, errno):
    """Returns the lines that both halves touch and one writes, but for those of the stack and of
    thread-local memory, which has `errno`."""
    top = max(found[0])
    return sorted(line for line in found[0].keys() & found[1].keys()
                  if (found[0][line] or found[1][line]) and line < top - STACK_BYTES // LINE
                  and abs(line - errno // LINE) > TLS_BYTES // LINE)


def sees():
    """Checks the above with a trace that shares a line, reads one, and has a stack."""
    trace = [b"I  00001000,3\n", b" S 00000100,8\n", b"I  00002000,1\n", b" L 00005000,8\n",
             b" S 0000907c,8\n", b" S 1ffeff0000,8\n", b" S 00020000,4\n",
             b"I  00002000,1\n", b" L 00005000,8\n", b" L 00009080,8\n", b" S 1ffeff0000,8\n",
             b" M 00020000,4\n", b"I  00002000,1\n", b" S 00005000,8\n"]
    return shared(halves(trace, 0x2000), 0x20010) == [0x9080 // LINE]


def places(program):
    """Returns where counted_mark() and errno are under valgrind, which loads a program at the same
    place each time."""
    done = subprocess.run(["valgrind", "--tool=none", *program], capture_output=True, text=True,
                          check=True)
    return [int(text, 16) for text in done.stdout.split()]


def run(program, mark):
    """Traces the program. Returns its halves."""
    with subprocess.Popen(["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-fd=1", *program],
                          stdout=subprocess.PIPE) as process:
        found = halves(process.stdout, mark)
        process.kill()  # what follows the last mark is of no interest
    if found is None:
        raise RuntimeError("no whole trace of " + program[-1])
    return found


def main():
    """Traces a workload."""
    parser = argparse.ArgumentParser(description="Counts the cache lines that two workers of the "
                                     "device share.")
    parser.add_argument("program", help="model-bench")
    parser.add_argument("workload", help="one of those that model-bench prints")
    args = parser.parse_args()
    program = [args.program, "--share", args.workload]
    mark, errno = places(program)
    found = run(program, mark)
    print("1..2")
    bad = shared(found, errno)
    good = not bad and all(len(half) >= LEAST for half in found)
    print("%s 1 - %s: two workers touch %d and %d lines, and share %d" % (
        "ok" if good else "not ok", args.workload, len(found[0]), len(found[1]), len(bad)))
    for line in bad:
        print("# shared: 0x%x, written by %s" % (line * LINE, " and ".join(
            str(i) for i in range(HALVES) if found[i][line])))
    seen = sees()
    print("%s 2 - a shared line is seen" % ("ok" if seen else "not ok"))
    return 0 if good and seen else 1


if __name__ == "__main__":
    sys.exit(main())
