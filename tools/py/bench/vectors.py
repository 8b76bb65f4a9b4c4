# SPDX-License-Identifier: BSD-3-Clause
"""Runs known-answer tests by dpdk-test-crypto-perf --ptest verify with the files
test/vectors/*.vec."""

import glob
import os
import shlex

from base import cperf


class Case:
    """One case of a vector file: its name, its algorithms and its data."""

    def __init__(self, path, name, source, args):
        self.path = path
        self.name = name
        self.source = source
        self.args = args
        self.sizes = {}

    def variants(self):
        """Yields (label, arguments) for both directions."""
        sizes = ["--buffer-sz", str(self.sizes["plaintext"])]
        for key, option in (("cipher_key", "cipher-key-sz"), ("cipher_iv", "cipher-iv-sz"),
                            ("auth_key", "auth-key-sz"), ("aead_key", "aead-key-sz"),
                            ("aead_iv", "aead-iv-sz"), ("aad", "aead-aad-sz"),
                            ("digest", "digest-sz")):
            if key in self.sizes:
                sizes += ["--" + option, str(self.sizes[key])]
        optype = self.args[self.args.index("--optype") + 1]
        for forward in (True, False):
            args = list(self.args)
            if optype == "cipher-then-auth" and not forward:
                args[args.index("--optype") + 1] = "auth-then-cipher"
            crypt = "encrypt" if forward else "decrypt"
            if optype == "aead":
                args += ["--aead-op", crypt]
            if "cipher" in optype:
                args += ["--cipher-op", crypt]
            if "auth" in optype:
                args += ["--auth-op", "generate" if forward else "verify"]
            label = {"auth-only": ("generate", "verify")}.get(optype, ("encrypt", "decrypt"))
            yield label[0 if forward else 1], args + sizes


def read(path):
    """Returns the cases of one file."""
    cases, comments, key = [], [], None
    with open(path, encoding="ascii") as file:
        for line in file:
            line = line.strip()
            if line.startswith("#"):
                comments.append(line.lstrip("# "))
            elif line.startswith("["):
                args = [c[len("args:"):] for c in comments if c.startswith("args:")]
                cases.append(Case(path, line.strip("[]"), comments[-2], shlex.split(args[-1])))
                comments = []
            elif line.endswith("="):
                key = line.split()[0]
                cases[-1].sizes[key] = 0
            elif line and key:
                cases[-1].sizes[key] += line.count("0x")
    return cases


def read_all(folder):
    """Returns the cases of every file of `folder`."""
    return [case for path in sorted(glob.glob(os.path.join(folder, "*.vec")))
            for case in read(path)]


def verify_tap(device, cases):
    """Runs every case in both directions on `device`, which has to offer all algorithms. Prints TAP
    and returns the number of failures."""
    number = failed = 0

    def report(line):
        cperf.say("# " + line.strip())

    for case in cases:
        passed, bad, absent = verify(device, [case], quiet=True, report=report)
        for good in [True] * passed + [False] * (bad + absent):
            number += 1
            cperf.say("%s %d - %s, %s" % ("ok" if good else "not ok", number, case.name,
                                          case.source.replace("#", " ")))
        failed += bad + absent
    cperf.say("1..%d" % number)
    return failed


def verify(device, cases, ops=256, quiet=False, report=cperf.say):
    """Runs every case in both directions on `device`. Returns (passed, failed, not offered)."""
    passed, failed, absent = 0, 0, 0
    for case in cases:
        results, problems = [], []
        for label, args in case.variants():
            args = ["--ptest", "verify", "--total-ops", str(ops), "--burst-sz", "32",
                    "--pool-sz", "4096", "--test-file", case.path, "--test-name", case.name] + args
            name = "verify-%s-%s-%s" % (device, case.name, label)
            try:
                rows = cperf.run(device, args, name=name)
                if len(rows) != 1 or int(rows[0][4]) != ops:
                    raise cperf.PerfError("not every operation came back")
                if rows[0][7] != 0:
                    raise cperf.PerfError("%d of %d operations are wrong" % (rows[0][7], ops))
                passed += 1
                results.append(label + " ok")
            except cperf.PerfError as error:
                if error.not_offered:
                    absent += 1
                    results.append(label + " not offered")
                else:
                    failed += 1
                    results.append(label + " FAILED")
                    problems.append("%s: %s" % (error, error.log) if error.log else str(error))
        if not quiet or problems:
            report("    %-28s %-34s %s" % (case.name, ", ".join(results), case.source))
        for problem in problems:
            report("        " + problem)
    return passed, failed, absent
