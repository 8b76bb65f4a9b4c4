# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Compares what stands in several places about algorithms: the rows of the contract's header with
the tables of the manual, and the names of the tests and of dpdk-accel-tool with those rows."""

import re

HEADER = "lib/accel_hw/accel_hw_alg.h"
MANUAL = "doc/hardware/manual.rst"
NAMES = "lib/e2e/algs.c"
# The columns of the manual's tables that have sizes, by the title of the second column.
COLUMNS = {"Cipher": ["block", "key", "iv"], "Authentication": ["block", "key", "iv", "digest"],
           "AEAD": ["aad", "key", "iv", "digest"]}


def size(text):
    """Returns (min, max, step) of a size as the manual writes it, such as 16-32/8."""
    low, high, step = re.fullmatch(r"(\d+)(?:-(\d+)/?(\d+)?)?", text).groups()
    return int(low), int(high or low), int(step or (1 if high else 0))


def header_rows(text):
    """Returns number to {field: size} and "name" of the rows with sizes."""
    out = {}
    body = re.search(r"#define ACCEL_HW_SYM_ALGS\(X\)(.*?)\n\n", text, re.S).group(1)
    for row in re.sub(r"\\\n", "\n", body).split("X(ACCEL_HW_")[1:]:
        number, name = re.match(r'\w+, (\d+), \w+, "([^"]+)"', row).groups()
        fields = {"name": name, "block": size(re.search(r"\.block = (\d+)", row).group(1))}
        for field in ("key", "iv", "digest", "aad"):
            found = re.search(r"\.%s = \{ (\d+), (\d+), (\d+) \}" % field, row)
            fields[field] = tuple(map(int, found.groups())) if found else (0, 0, 0)
        out[int(number)] = fields
    return out


def manual_rows(text):
    """Returns the same of the tables of section 8.2, each row with the fields of its table."""
    out = {}
    lines = iter(text.splitlines())
    for line in lines:
        title = re.match(r"Number (Cipher|Authentication|AEAD) ", line)
        if title is None:
            continue
        next(lines)
        for row in lines:
            if row.startswith("="):
                break
            cells = row.split()
            if row[0].isdigit():
                columns = COLUMNS[title.group(1)]
                out[int(cells[0])] = {"name": cells[1].lower(), **{
                    column: size(cell) for column, cell in zip(columns, cells[2:])}}
    return out


def compare(files):
    """Finds rows of the header that are not the manual's."""
    header, manual = header_rows(files[HEADER]), manual_rows(files[MANUAL])
    found = ["%s: algorithm %d is in one of header and manual" % (HEADER, number)
             for number in sorted(header.keys() ^ manual.keys())]
    for number in sorted(header.keys() & manual.keys()):
        found += ["%s: %s of algorithm %d is %s, in the manual %s" %
                  (HEADER, field, number, header[number][field], value)
                  for field, value in manual[number].items() if header[number][field] != value]
    return found


def names(files):
    """Finds algorithms that tests and dpdk-accel-tool call by another name than the contract."""
    ours = {row["name"] for row in header_rows(files[HEADER]).values()}
    text = files[NAMES]
    theirs = set(re.findall(r'\b(?:CIPHER|AUTH|AEAD)\(\w+\), "([^"]+)"', text))
    theirs |= {name for _, name in re.findall(r'\b(HASH)\(\w+, "([^"]+)"', text)}
    theirs |= {name + "-hmac" for _, name in re.findall(r'\b(HMAC)\(\w+, "([^"]+)"', text)}
    return ["%s: the contract has no algorithm of the name %s" % (NAMES, name)
            for name in sorted(theirs - ours)] + ([] if theirs else [NAMES + ": no names found"])


def findings(files):
    """Returns [(title, findings)]."""
    return [("the algorithms of header and manual agree", compare(files)),
            ("tests and tools call an algorithm as the contract does", names(files))]
