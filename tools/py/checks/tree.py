# SPDX-License-Identifier: BSD-3-Clause
"""Reads the files of the source tree for checks, and prints what they find as TAP."""

import os
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
# Inputs of fuzzers are bytes of any kind, without room for a tag.
SEEDS = "test/fuzz/seeds/"


def list_files():
    """Returns the paths of all source files: those that git tracks, and new ones that it does not
    ignore."""
    try:
        out = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others",
                              "--exclude-standard"], capture_output=True, check=True).stdout
        names = [n for n in out.decode().split("\0") if n]
    except (OSError, subprocess.CalledProcessError):
        names = []
        for folder, folders, files in os.walk(ROOT):
            folders[:] = [f for f in folders if f not in (".git", "build", "__pycache__")]
            names += [os.path.relpath(os.path.join(folder, f), ROOT) for f in files]
    return sorted({n for n in names
                   if not n.startswith(SEEDS) and os.path.isfile(os.path.join(ROOT, n))
                   and not os.path.islink(os.path.join(ROOT, n))})


def read(name):
    """Returns the text of a file, or None if it is not text."""
    with open(os.path.join(ROOT, name), "rb") as file:
        data = file.read()
    if b"\0" in data:
        return None
    return data.decode("utf-8", errors="replace")


class Findings:
    """Counts checks and prints their findings."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, title, found):
        """Counts a check. `found` is a list of messages."""
        print("%s - %s" % ("ok" if not found else "not ok", title))
        for message in found[:40]:
            print("#     " + message)
        if len(found) > 40:
            print("#     ... and %d more" % (len(found) - 40))
        sys.stdout.flush()
        self.passed += not found
        self.failed += bool(found)
