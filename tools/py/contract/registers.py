# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Reads the registers of the contract, which are written in SystemRDL. The compiler of that
language is a package of PyPI, so what it has read stands in a file of JSON beside the source, with
the checksum of the source. Whoever only builds or tests needs the JSON alone."""

import hashlib
import json
import os
import subprocess

SOURCE = "doc/hardware/contract/registers.rdl"
COMPILED = "doc/hardware/contract/registers.json"
ABOUT = "SPDX-License-Identifier: BSD-3-Clause - made by tools/contract"
# tools/setup makes it.
VENV_PYTHON = "build/deps/systemrdl/bin/python3"


def checksum(root):
    """Returns the checksum of the source."""
    with open(os.path.join(root, SOURCE), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def load(root):
    """Returns what the compiler has read, and None or the reason why it is stale."""
    with open(os.path.join(root, COMPILED), encoding="utf-8") as file:
        compiled = json.load(file)
    if compiled["sha256"] != checksum(root):
        return compiled, "%s is not made from this %s: run tools/contract" % (COMPILED, SOURCE)
    return compiled, None


def compiler_of(root):
    """Returns the Python that has the compiler, or None."""
    path = os.path.join(root, VENV_PYTHON)
    return path if os.access(path, os.X_OK) else None


def compile_source(root):
    """Returns the text of the JSON, made by the compiler, or raises OSError with a message."""
    python = compiler_of(root)
    if python is None:
        raise OSError("there is no compiler of SystemRDL (%s): run tools/setup on a machine that "
                      "reaches PyPI" % VENV_PYTHON)
    result = subprocess.run([python, os.path.join(os.path.dirname(__file__), "rdl.py"),
                             os.path.join(root, SOURCE)], capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        raise OSError("%s: %s" % (SOURCE, result.stderr.strip()))
    compiled = {"about": ABOUT, "sha256": checksum(root), **json.loads(result.stdout)}
    return json.dumps(compiled, indent=1) + "\n"
