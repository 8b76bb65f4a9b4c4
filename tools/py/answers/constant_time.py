# SPDX-License-Identifier: BSD-3-Clause
"""Shows that the time that the model takes depends on no secret.

tls: it opens CBC records of TLS. A difference between a wrong padding and a wrong MAC, or between
lengths of padding, would let an attacker decipher records (Lucky Thirteen; manual 8.7, TLS-16).
rsa: it decrypts RSA ciphertexts. A difference between faults of the padding would let an attacker
decrypt any ciphertext (Bleichenbacher, Manger; manual 8.8, PK-14).
ec: it signs and makes shared secrets on curves. A difference between private numbers, or between
k, would let an attacker learn their bits from many times (manual 8.8, PK-15).
radio: it runs ZUC and 3GPP's 256-bit algorithms. An address or a branch that depends on the key
would tell of it by caches or by the time.

For tls, rsa and ec, valgrind's callgrind counts the instructions of a test program (tls-time,
pk-time, ec-time) for inputs of one length that differ in what is secret. OpenSSL's part is
counted, too. The number is the same for all inputs. Only that of RSA's arithmetic, seventeen
million, differs by a few: its carries depend on the ciphertext, which everyone knows, also where
the padding is the same. On curves for which OpenSSL has no code of their own (P-192, P-384, SM2)
the number depends on coordinates that are blinded anew for each operation. There each secret has
several operations, and Welch's t-test compares them.

For radio, valgrind's memcheck runs a program (radio-secret) whose key was never written. It
reports each address and each branch that depends on such memory.

constant_time.py tls|rsa|ec|radio PROGRAM   checks and prints TAP"""

import argparse
import concurrent.futures
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from answers import pk_vectors
from answers.pk_vectors import mul, octets

LENGTHS = (192, 1024)
PADDINGS = (1, 16, 63, 65, 128, 256)
WRONG = ("content", "first", "last", "long")  # beside "none" and "mac", with one padding
OK, AUTH_FAILED, DECRYPT_FAILED = 0, 1, 18
RADIO = (("table", "c"), ("zuc-128", "c"), ("zuc-256", "c"), ("snow5g", "cpu"), ("snow5g", "c"),
         ("zuc", "cpu"), ("zuc", "c"))  # algorithm, way of radio-secret
DEPENDS = 9  # exit code of memcheck

CHANCE = 32  # instructions of RSA's arithmetic
TRIES = 2  # a difference that a secret makes is there each time; a busy machine has made one of 54
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
    """Yields (what it is, the program's arguments, [(arguments of a record, wanted status)])."""
    for digest in (20, 32, 48):
        for length in LENGTHS:
            fitting = [padding for padding in PADDINGS if digest + padding <= length]
            cases = [(padding, wrong) for padding in fitting for wrong in ("none", "mac")] + [
                (63, wrong) for wrong in WRONG]
            yield "digest of %d bytes, %d bytes" % (digest, length), (digest, length), [
                (case, OK if case[1] == "none" else AUTH_FAILED) for case in cases]


def tls_check(program, group):
    """Returns (whether it is right, a description)."""
    title, arguments, cases = group
    words = [word for case, _ in cases for word in case]
    # One measured() comes before those of the records.
    counts, statuses = dumped(program, [*arguments, *words], 1, len(cases) + 1)
    return (len(set(counts)) == 1 and statuses == [status for _, status in cases],
            "%s: %s instructions in %d variants" % (
                title, " or ".join(map(str, sorted(set(counts)))), len(cases)))


def tls_main(program):
    """Checks records of TLS. Returns the number of failures."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return printed(pool.map(lambda group: tls_check(program, group), tls_groups()))


def printed(results):
    """Prints TAP of (whether it is right, a description). Returns the number of failures."""
    failed = number = 0
    for good, title in results:
        number += 1
        failed += not good
        print("%s %d - %s" % ("ok" if good else "not ok", number, title), flush=True)
    print("1..%d" % number)
    return failed


def radio_check(program, algorithm, way):
    """Returns (whether it is right, a description)."""
    argv = ["valgrind", "-q", "--error-exitcode=%d" % DEPENDS, program, algorithm, way]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode not in (0, DEPENDS):
        raise RuntimeError("%s: exit code %d\n%s" % (" ".join(argv), done.returncode, done.stderr))
    if algorithm == "table":
        return done.returncode == DEPENDS, "a look-up in a table is seen"
    title = "%s, %s: " % (algorithm, "in C" if done.stdout.strip() == "c" else
                          "with the CPU's instructions")
    if done.returncode == 0:
        return True, title + "no branch and no address depends on the key"
    return False, title + done.stderr.replace("\n", "\n# ")


def radio_main(program):
    """Checks algorithms of the radio. Returns the number of failures."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return printed(pool.map(lambda case: radio_check(program, *case), RADIO))


def rsa_groups():
    """Yields (what it is, function, most difference, [(arguments, wanted status)]) of RSA: all
    faults of a padding, and messages of two lengths."""
    for padding, faults in RSA_WRONG.items():
        wrong = [((padding, fault), DECRYPT_FAILED) for fault in faults]
        right = [((padding, length), OK) for length in ("none", "long")]
        yield padding + ", taking the message out", "pk_rsa_unpad", 0, wrong + right
        yield padding + ", decryption that fails", "measured", CHANCE, wrong
        yield padding + ", decryption", "measured", CHANCE, right


# ---------------------------------------------------------------- curves

EC_CURVES = {"P-192": (1, pk_vectors.CURVES["P192"]), "P-384": (4, pk_vectors.CURVES["P384"]),
             "SM2": (6, pk_vectors.SM2)}
ECDSA, ECDH, SM2 = 133, 134, 136
DECRYPT, SIGN, VERIFY, SHARED = 2, 3, 4, 3
EC_ROUNDS = 6  # of each secret
EC_LIMIT = 6  # t; a limit of 4.5 is usual for one comparison


def ec_secrets(order):
    """Numbers that a method that is not constant would tell apart: few ones, many of them. All of
    them fill all words: how many those are the time may tell, as with OpenSSL itself."""
    bits = order.bit_length()
    drawn = random.Random(15)
    return [drawn.randrange(1 << bits - 2, order), drawn.randrange(1 << bits - 2, order), order - 2,
            1 << bits - 2, (1 << bits - 1) - 1, int("a" * (bits // 4), 16) >> 1]


def ec_groups():
    """Yields (what it is, the program's arguments, operands of each kind, their status)."""
    drawn = random.Random(8)
    for name, (number, curve) in EC_CURVES.items():
        order, (size, field) = curve[4], pk_vectors.lengths(curve)
        digest = octets(drawn.getrandbits(256), 32).hex()
        fixed = octets(drawn.randrange(1, order), size).hex()
        peer = mul(curve, drawn.randrange(1, order))
        point = [octets(each, field).hex() for each in peer]
        secrets = [octets(each, size).hex() for each in ec_secrets(order)]
        if name == "SM2":
            yield name + ", signature, d", (SM2, number, SIGN), [
                (digest, "-", each, fixed) for each in secrets], OK
            yield name + ", signature, k", (SM2, number, SIGN), [
                (digest, "-", fixed, each) for each in secrets], OK
            yield name + ", decryption, d", (SM2, number, DECRYPT), [
                (*point, digest + "00", each) for each in secrets], DECRYPT_FAILED
            continue
        yield name + ", signature, d", (ECDSA, number, SIGN), [
            (digest, each, fixed) for each in secrets], OK
        yield name + ", signature, k", (ECDSA, number, SIGN), [
            (digest, fixed, each) for each in secrets], OK
        yield name + ", shared secret, d", (ECDH, number, SHARED), [
            (each, *point) for each in secrets], OK
        # The numbers of a signature are no secrets. This shows that a difference is seen.
        if name == "P-192":
            yield name + ", verification, digest", (ECDSA, number, VERIFY), [
                (each, fixed, octets(1, size).hex(), *point) for each in secrets], AUTH_FAILED


def dumped(program, arguments, first, last):
    """Returns (the instructions of the measured() number `first` to `last - 1`, the statuses that
    are printed) of one run. Numbers begin with 0."""
    with tempfile.TemporaryDirectory() as folder:
        argv = ["valgrind", "--tool=callgrind", "--toggle-collect=measured",
                "--dump-after=measured", "--callgrind-out-file=" + os.path.join(folder, "out"),
                program] + [str(each) for each in arguments]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError("%s: exit code %d\n%s" % (" ".join(argv), done.returncode,
                                                         done.stderr))
        found = []
        for number in range(first, last):
            with open(os.path.join(folder, "out.%d" % (number + 1)), encoding="ascii") as file:
                found += [int(line.split()[1]) for line in file if line.startswith("totals:")]
    return found, [int(each) for each in done.stdout.split()]


def ec_counts(program, arguments, kinds, rounds):
    """Returns (a list of instructions for each kind, the statuses). The first kind warms up."""
    operands = [word for kind in [kinds[0], *kinds] for word in ("/", *kind)][1:]
    found, statuses = dumped(program, [*arguments, rounds, *operands], 0, rounds * len(kinds))
    return [found[i::len(kinds)] for i in range(len(kinds))], statuses


def welch(one, other):
    """t of two lists of numbers; 0 if all are the same."""
    variance = sum(statistics.variance(each) / len(each) for each in (one, other))
    difference = statistics.mean(one) - statistics.mean(other)
    if variance == 0:
        return 0 if difference == 0 else float("inf")
    return difference / variance ** .5


def ec_check(program, group, rounds):
    """Returns (whether it is right, a description)."""
    title, arguments, kinds, status = group
    differs = status == AUTH_FAILED
    counts, statuses = ec_counts(program, arguments, kinds, rounds)
    most = max(abs(welch(counts[0], each)) for each in counts[1:])
    means = [statistics.mean(each) for each in counts]
    return (statuses == [status] * len(kinds) and (most > EC_LIMIT) == differs,
            "%s: %d to %d instructions on average, t up to %.1f" % (title, min(means),
                                                                    max(means), most))


def ec_compare(program):
    """Counts only the comparison of d and k with the order, which blinding may hide elsewhere."""
    counts = set()
    for title, arguments, kinds, _ in ec_groups():
        if title.startswith("P-384, signature"):
            counts |= {count(program, "pk_secret_below", (*arguments, 1, *kind, "/", *kind))
                       for kind in kinds}
    return ({OK} == {status for _, status in counts} and len(counts) == 1,
            "P-384, comparison with the order: the same number of instructions for all d and k")


def ec_main(program, rounds):
    """Checks curves. Returns the number of failures."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [pool.submit(ec_check, program, group, rounds) for group in ec_groups()]
        results.append(pool.submit(ec_compare, program))
        return printed(result.result() for result in results)


def main():
    """Counts, and prints a line for each group."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("tls", "rsa", "ec", "radio"))
    parser.add_argument("--rounds", type=int, default=EC_ROUNDS, help="ec: operations of a secret")
    parser.add_argument("program", metavar="PROGRAM",
                        help="tls-time, pk-time, ec-time or radio-secret")
    args = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("1..0 # SKIP valgrind is not installed")
        return 0
    if args.what == "ec":
        return 1 if ec_main(args.program, args.rounds) else 0
    if args.what == "radio":
        return 1 if radio_main(args.program) else 0
    if args.what == "tls":
        return 1 if tls_main(args.program) else 0
    failed = number = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for title, function, most, cases in rsa_groups():
            for _ in range(TRIES):
                results = list(pool.map(lambda case, f=function: count(args.program, f, case[0]),
                                        cases))
                counts = sorted({instructions for instructions, _ in results})
                right = all(status == wanted for (_, wanted), (_, status) in zip(cases, results))
                good = counts[-1] - counts[0] <= most and right
                if good:
                    break
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
