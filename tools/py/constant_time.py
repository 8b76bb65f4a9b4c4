# SPDX-License-Identifier: BSD-3-Clause
"""Shows that the model opens CBC records of TLS in a number of instructions that no secret changes.

A difference between a wrong padding and a wrong MAC, or between lengths of padding, would let an
attacker decipher records (Lucky Thirteen; manual 8.7, TLS-16). valgrind's callgrind counts the
instructions of the test program tls-time for records of one length that differ in their padding and
in what is wrong. OpenSSL's part is counted, too.

constant_time.py PROGRAM   checks and prints TAP"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

LENGTHS = (192, 1024)
PADDINGS = (1, 16, 63, 65, 128, 256)
WRONG = ("content", "first", "last", "long")  # beside "none" and "mac", with one padding
OK, AUTH_FAILED = 0, 1


def count(program, digest, length, padding, wrong):
    """Returns (instructions of two records, the status of the second)."""
    argv = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
            "--toggle-collect=measured", program, str(digest), str(length), str(padding), wrong]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found or int(found[1]) == 0:
        raise RuntimeError("%s: exit code %d\n%s" % (" ".join(argv), done.returncode, done.stderr))
    return int(found[1]), int(done.stdout)


def variants(digest, length):
    """Returns [(padding, what is wrong)] of records of a length."""
    fitting = [padding for padding in PADDINGS if digest + padding <= length]
    return [(padding, wrong) for padding in fitting for wrong in ("none", "mac")] + [
        (63, wrong) for wrong in WRONG]


def main():
    """Counts, and prints a line for each hash and length."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM", help="tls-time")
    program = parser.parse_args().program
    if shutil.which("valgrind") is None:
        print("1..0 # SKIP valgrind is not installed")
        return 0
    failed = number = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for digest in (20, 32, 48):
            for length in LENGTHS:
                cases = variants(digest, length)
                results = list(pool.map(lambda c, d=digest, n=length: count(program, d, n, *c),
                                        cases))
                counts = sorted({instructions for instructions, _ in results})
                right = all(status == (OK if wrong == "none" else AUTH_FAILED)
                            for (_, wrong), (_, status) in zip(cases, results))
                good = len(counts) == 1 and right
                number += 1
                failed += not good
                print("%s %d - digest of %d bytes, %d bytes: %s instructions in %d variants" % (
                    "ok" if good else "not ok", number, digest, length,
                    " or ".join(map(str, counts)), len(cases)), flush=True)
                if not right:
                    print("# a status is wrong")
    print("1..%d" % number)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
