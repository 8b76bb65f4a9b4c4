# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Makes all files that come from the contract's source, or says which of them are stale."""

import argparse
import os
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
try:
    from contract import c_header, manual, manual_page, registers, source, verilog
except ModuleNotFoundError as error:
    MISSING = str(error)
else:
    MISSING = None

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))


def files(root):
    """Returns {path: text} of what is made, and the reason why the registers are stale or None."""
    contract = source.Contract(root)
    return {**c_header.make(contract), **manual.make(contract),
            **verilog.make(contract)}, contract.stale


def page_errors(root, made):
    """Returns what is wrong with the page of the manual, as messages."""
    folder = manual.FOLDER
    there = [folder + name for name in os.listdir(os.path.join(root, folder))]
    return manual_page.wrong(read(root, manual_page.MANUAL), made, there, source.Contract(root))


def read(root, name):
    """Returns the text of a file, or None if there is none."""
    try:
        with open(os.path.join(root, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(root, name, text):
    """Writes a file if its text is another one, and says so."""
    if read(root, name) != text:
        os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.write(text)
        print("made " + name)


def differing(made, reader):
    """Returns messages for files of {path: text} that `reader` does not read as they are made."""
    return [name + " is stale: run tools/contract" for name, text in made.items()
            if reader(name) != text]


def stale(root):
    """Returns what is wrong with the files that are made, as messages."""
    if MISSING:
        return ["%s: run tools/setup, which installs Debian's python3-yaml" % MISSING]
    try:
        made, reason = files(root)
    except source.ContractError as error:
        return [str(error)]
    found = [reason] if reason else []
    if registers.compiler_of(root) and not reason:
        try:
            if read(root, registers.COMPILED) != registers.compile_source(root):
                found.append(registers.COMPILED + " is stale: run tools/contract")
        except OSError as error:
            found.append(str(error))
    # The check finds each file that is missing, and each one with another last line.
    for name in made:
        for other in (None, (read(root, name) or "") + "\n"):
            if name + " is stale" not in " ".join(differing(
                    made, lambda path, n=name, o=other: o if path == n else made[path])):
                found.append("the check does not see that %s is stale" % name)
    return found + differing(made, lambda name: read(root, name)) + page_errors(root, made)


def make():
    """Makes the files."""
    if registers.compiler_of(ROOT) or registers.load(ROOT)[1]:
        write(ROOT, registers.COMPILED, registers.compile_source(ROOT))
    for name, text in files(ROOT)[0].items():
        write(ROOT, name, text)


def main():
    """Makes or checks the files, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say what is stale")
    if parser.parse_args().check:
        found = stale(ROOT)
        print("\n".join(found) or "all files are made from this source")
        return 1 if found else 0
    if MISSING:
        sys.exit("%s: run tools/setup, which installs Debian's python3-yaml" % MISSING)
    try:
        make()
    except (OSError, source.ContractError) as error:
        sys.exit(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
