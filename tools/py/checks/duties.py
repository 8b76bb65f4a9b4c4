# SPDX-License-Identifier: BSD-3-Clause
"""Compares the numbered duties of the hardware manual with the table and the tests of
accel-conformance. tools/checks runs this."""

import collections
import re

from base.manual_text import MANUAL, expand

PROGRAM = "app/accel-conformance/"
NUMBER = re.compile(r"\[([A-Z]+-\d+)\]")


def blocks_of(text):
    """Returns (line, text) of each paragraph, list item and row of a table."""
    blocks, line, words, table = [], 0, [], False
    for number, row in enumerate(text.splitlines() + [""], 1):
        rule = re.match(r"\s*={3,}[ =]*$", row)
        item = re.match(r"\s*(?:[*-]|#\.|\d+\.) ", row)
        first_cell = table and row[:1] not in ("", " ")
        if rule or item or first_cell or not row.strip():
            if words:
                blocks.append((line, " ".join(words)))
            line, words = number, []
            table = bool(rule) or (table and bool(row.strip()))
        if row.strip() and not rule:
            words.append(row.strip())
    return blocks


def sentences_of(text):
    """Returns the sentences of a block."""
    return re.split(r"(?<=[.:?])\s+(?=[A-Z`*\[\"])", text)


def unnumbered(manual):
    """Finds sentences with a "shall" and no number, neither in them nor in their list item."""
    found = []
    for line, block in blocks_of(manual):
        is_item = re.match(r"(?:[*-]|#\.|\d+\.) ", block)
        for sentence in sentences_of(block):
            if not re.search(r"\bshall\b", sentence) or NUMBER.search(sentence):
                continue
            if not is_item or not NUMBER.search(block):
                found.append("%s:%d: no number for \"%s\"" % (MANUAL, line, sentence[:60]))
    return found


def numbering(files):
    """Checks that each "shall" of the manual has a number and each number is there once."""
    manual = expand(files.__getitem__)
    count = collections.Counter(NUMBER.findall(manual))
    return ["%s: %s is there %d times" % (MANUAL, number, times)
            for number, times in sorted(count.items()) if times > 1] + unnumbered(manual)


def table_of(files):
    """Returns the table of the program: {number: TESTED, UNSEEN or HOST}, and numbers that it has
    twice."""
    rows = re.findall(r"^\s*(TESTED|UNSEEN|HOST)\(\"([A-Z]+-\d+)\"",
                      files[PROGRAM + "duties_table.c"], re.M)
    count = collections.Counter(number for _, number in rows)
    return {number: kind for kind, number in rows}, [n for n, k in count.items() if k > 1]


def tested_in(files):
    """Returns the numbers that tests show, with the file of one of them."""
    found = {}
    for name, text in files.items():
        if not re.match(PROGRAM + r"tests_\w+/tests_\w+\.c$", name):
            continue
        rows = text[text.rindex("struct test_case tests[]"):]
        for numbers in re.findall(r"\{ \"([A-Z]+-\d+(?: [A-Z]+-\d+)*)\",", rows):
            for number in numbers.split():
                found[number] = name
    return found


def table(files):
    """Checks that the program's table has the numbers of the manual, each once, and that those
    which it calls tested are those of the tests."""
    manual = set(NUMBER.findall(expand(files.__getitem__)))
    kinds, twice = table_of(files)
    tests = tested_in(files)
    found = ["%s: in the table twice" % number for number in twice]
    found += ["%s: in the manual and not in the program's table" % number
              for number in sorted(manual - kinds.keys())]
    found += ["%s: in the program's table and not in the manual" % number
              for number in sorted(kinds.keys() - manual)]
    found += ["%s: called tested, and no test shows it" % number
              for number, kind in kinds.items() if kind == "TESTED" and number not in tests]
    found += ["%s: shown by a test in %s, and not called tested" % (number, name)
              for number, name in tests.items() if kinds.get(number) != "TESTED"]
    return found


def contract(files):
    """Finds duties that the source of the contract names and the manual does not have."""
    manual = set(NUMBER.findall(expand(files.__getitem__)))
    named = {(name, number) for name, text in files.items()
             if re.match(r"doc/hardware/contract/\w+\.(?:rdl|yml)$", name)
             for duties in re.findall(r"\bduties(?::| =) [\[\"]([^\]\"]+)", text)
             for number in re.findall(r"[A-Z]+-\d+", duties)}
    found = ["%s: the manual has no %s" % pair for pair in sorted(named) if pair[1] not in manual]
    return found + ([] if len(named) > 100 else ["only %d duties were found" % len(named)])


def findings(files):
    """Returns [(title, messages)]."""
    return [("manual: each duty has a number of its own", numbering(files)),
            ("the contract's source names duties of the manual", contract(files)),
            ("accel-conformance: each duty is in its table, and the tests agree", table(files))]
