# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""What the tests of dpdk-accel-tool share: running it on the embedded device, and TAP. A test file
test_NAME.py has functions that begin with "test_"; each gets the Tool and raises AssertionError.
`meson test` runs a file as: run.sh tool PROGRAM NAME."""

import importlib
import inspect
import json
import os
import subprocess
import sys
import traceback

# Exit codes of the program.
GOOD, BAD, USAGE, ABSENT, BROKEN, UNTESTED = 0, 1, 2, 3, 4, 5
TIMEOUT_S = 1200


class Result:
    """What a run of the program left."""

    def __init__(self, command, process):
        self.command = " ".join(command)
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    def __str__(self):
        return "%s\nexit code %s\nstdout:\n%sstderr:\n%s" % (self.command, self.code, self.out,
                                                             self.err)

    def json(self):
        """Its stdout as JSON, without anything beside it."""
        try:
            return json.loads(self.out)
        except ValueError as error:
            raise AssertionError("no JSON (%s): %s" % (error, self)) from error


class Tool:
    """The program, with arguments for the EAL as test/run.sh has found them."""

    def __init__(self, program):
        self.program = program
        self.eal = ["--lcores", os.environ["ACCEL_LCORES"]] + os.environ["ACCEL_EAL"].split()
        # The EAL of the tests without huge pages, whatever the machine has.
        self.no_huge = ["--no-huge", "-m", "512", "--no-shconf", "--no-pci", "--no-telemetry"]

    def plain(self, *arguments, code=GOOD, env=None):
        """Runs it with these arguments only, and checks its exit code."""
        command = [self.program, *arguments]
        process = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S,
                                 check=False, env=dict(os.environ, **(env or {})),
                                 stdin=subprocess.DEVNULL)
        result = Result(command, process)
        assert code is None or result.code == code, "expected exit code %s: %s" % (code, result)
        return result

    def run(self, command, *options, devargs="", code=GOOD, env=None, eal=None):
        """Runs a subcommand on the embedded device."""
        return self.plain(command, *(self.eal if eal is None else eal), "--vdev",
                          "crypto_accel0" + devargs, "--", *options, code=code, env=env)


def complaint(result, *words):
    """Checks that a failed run said why in one line of the program, with these words in it."""
    lines = [line for line in result.err.splitlines() if line.startswith("dpdk-accel-tool")]
    assert len(lines) == 1, "not one line of the program: %s" % result
    for word in words:
        assert word in lines[0], "no %r: %s" % (word, result)


def main():
    """tool.py PROGRAM NAME: runs test_NAME.py and prints TAP."""
    tool = Tool(sys.argv[1])
    module = importlib.import_module("test_" + sys.argv[2])
    tests = [f for name, f in inspect.getmembers(module, inspect.isfunction)
             if name.startswith("test_")]
    tests.sort(key=lambda f: f.__code__.co_firstlineno)
    print("1..%d" % len(tests), flush=True)
    for number, test in enumerate(tests, 1):
        name = test.__name__[5:].replace("_", " ")
        try:
            note = test(tool)
            print("ok %d - %s%s" % (number, name, ": " + note if note else ""), flush=True)
        except (AssertionError, subprocess.TimeoutExpired, KeyError) as error:
            print("not ok %d - %s" % (number, name))
            text = str(error) if isinstance(error, AssertionError) else traceback.format_exc()
            print("".join("# %s\n" % line for line in text.splitlines()), flush=True)


if __name__ == "__main__":
    main()
