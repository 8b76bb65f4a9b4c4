# SPDX-License-Identifier: BSD-3-Clause
"""Shows that the model takes a number of instructions that no secret changes.

tls: it opens CBC records of TLS. A difference between a wrong padding and a wrong MAC, or between
lengths of padding, would let an attacker decipher records (Lucky Thirteen; manual 8.7, TLS-16).
rsa: it decrypts RSA ciphertexts. A difference between faults of the padding would let an attacker
decrypt any ciphertext (Bleichenbacher, Manger; manual 8.8, PK-14).

valgrind's callgrind counts the instructions of a test program, tls-time or pk-time, for inputs of
one length that differ in what is secret. OpenSSL's part is counted, too. The number is the same for
all inputs. Only that of RSA's arithmetic, seventeen million, differs by a few: its carries depend
on the ciphertext, which everyone knows, also where the padding is the same.

constant_time.py tls|rsa PROGRAM   checks and prints TAP"""

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
OK, AUTH_FAILED, DECRYPT_FAILED = 0, 1, 18

CHANCE = 32  # instructions of RSA's arithmetic
RSA_WRONG = {"pkcs1": ("first", "type", "early", "ninth", "absent", "zeros"),
             "oaep": ("first", "hash", "hash-end", "zeros", "two", "absent")}


def count(program, function, arguments):
    """Returns (instructions of a function, the status that is printed)."""
    argv = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
            "--toggle-collect=" + function, program] + [str(each) for each in arguments]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found or int(found[1]) == 0:
        raise RuntimeError("%s: exit code %d\n%s" % (" ".join(argv), done.returncode, done.stderr))
    return int(found[1]), int(done.stdout)


def tls_groups():
    """Yields (what it is, function, most difference, [(arguments, wanted status)]) of records."""
    for digest in (20, 32, 48):
        for length in LENGTHS:
            fitting = [padding for padding in PADDINGS if digest + padding <= length]
            cases = [(padding, wrong) for padding in fitting for wrong in ("none", "mac")] + [
                (63, wrong) for wrong in WRONG]
            yield "digest of %d bytes, %d bytes" % (digest, length), "measured", 0, [
                ((digest, length, padding, wrong), OK if wrong == "none" else AUTH_FAILED)
                for padding, wrong in cases]


def rsa_groups():
    """Yields the same of RSA: all faults of a padding, and messages of two lengths."""
    for padding, faults in RSA_WRONG.items():
        wrong = [((padding, fault), DECRYPT_FAILED) for fault in faults]
        right = [((padding, length), OK) for length in ("none", "long")]
        yield padding + ", taking the message out", "pk_rsa_unpad", 0, wrong + right
        yield padding + ", decryption that fails", "measured", CHANCE, wrong
        yield padding + ", decryption", "measured", CHANCE, right


def main():
    """Counts, and prints a line for each group."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("tls", "rsa"))
    parser.add_argument("program", metavar="PROGRAM", help="tls-time or pk-time")
    args = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("1..0 # SKIP valgrind is not installed")
        return 0
    failed = number = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for title, function, most, cases in tls_groups() if args.what == "tls" else rsa_groups():
            results = list(pool.map(lambda case, f=function: count(args.program, f, case[0]),
                                    cases))
            counts = sorted({instructions for instructions, _ in results})
            right = all(status == wanted for (_, wanted), (_, status) in zip(cases, results))
            good = counts[-1] - counts[0] <= most and right
            number += 1
            failed += not good
            print("%s %d - %s: %s instructions in %d variants" % (
                "ok" if good else "not ok", number, title, " or ".join(map(str, counts)),
                len(cases)), flush=True)
            if not right:
                print("# a status is wrong")
    print("1..%d" % number)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
