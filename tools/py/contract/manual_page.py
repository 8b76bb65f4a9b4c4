# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Holds the page of the manual against the tables that are made for it."""

import os
import re

MANUAL = "doc/hardware/manual.rst"
INCLUDE = re.compile(r"^\.\. include:: (tables/\S+)$", re.M)
TABLE = re.compile(r"^(={3,} [= ]+)\n(\w+).*\n\1$", re.M)
# What no other file of the contract knows: capabilities of PCI, and what Medusa has.
BY_HAND = {"Capability", "Subject"}
NEED = re.compile(r"or ([A-Z_]+) +# (\d+)$", re.M)


def tables(page, made, there):
    """Finds tables that the page does not show once, files that nobody makes, and tables that are
    written by hand although their facts are the contract's."""
    folder = os.path.dirname(MANUAL) + "/"
    shown = [folder + name for name in INCLUDE.findall(page)]
    wanted = {name for name in made if name.startswith(folder + "tables/")}
    found = ["%s shows %s %d times" % (MANUAL, name, shown.count(name))
             for name in sorted(wanted | set(shown)) if shown.count(name) != 1 or
             name not in wanted]
    found += ["%s: nothing makes it" % name for name in sorted(set(there) - wanted)]
    return found + ["%s: the table of %s is written by hand" % (MANUAL, name)
                    for _, name in TABLE.findall(page) if name not in BY_HAND]


def pseudo_code(page, contract):
    """Finds conditions of the pseudo-code whose number is that of a check with another status."""
    checks = next(item["cells"] for header in contract.headers for item in header["items"]
                  if item.get("table") == "checks")
    needs = [(status, int(number)) for status, number in NEED.findall(page)]
    found = [] if needs else [MANUAL + ": there is no pseudo-code of the checks"]
    return found + ["%s: the pseudo-code gives %s in check %d" % (MANUAL, status, number)
                    for status, number in needs
                    if number > len(checks) or status not in checks[number - 1][1:]]


def wrong(page, made, there, contract):
    """Returns what is wrong, and what the functions above do not see when it is put into the
    page."""
    found = tables(page, made, there) + pseudo_code(page, contract)
    for name, text in (("a table twice", page + "\n.. include:: tables/checks.txt\n"),
                       ("no table", page.replace(".. include:: tables/limits.txt\n", "")),
                       ("a table by hand", page + "\n=== ===\nNr  Check\n=== ===\n")):
        if not tables(text, made, there):
            found.append("the check of the manual does not see " + name)
    if not tables(page, made, there + ["doc/hardware/tables/old.txt"]):
        found.append("the check of the manual does not see a file that nothing makes")
    if not pseudo_code(re.sub(r"# 7$", "# 8", page, count=1, flags=re.M), contract):
        found.append("the check of the manual does not see a wrong number of a check")
    return found
