# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Compares the names of algorithms in tests and in dpdk-accel-tool with those of the contract."""

import re

HEADER = "lib/accel_hw/accel_hw_alg.h"
NAMES = "lib/e2e/algs.c"


def names(files):
    """Finds algorithms that tests and dpdk-accel-tool call by another name than the contract."""
    ours = set(re.findall(r'X\(ACCEL_HW_\w+, \d+, [A-Z]+, "([^"]+)"', files[HEADER]))
    text = files[NAMES]
    theirs = set(re.findall(r'\b(?:CIPHER|AUTH|AEAD)\(\w+\), "([^"]+)"', text))
    theirs |= {name for _, name in re.findall(r'\b(HASH)\(\w+, "([^"]+)"', text)}
    theirs |= {name + "-hmac" for _, name in re.findall(r'\b(HMAC)\(\w+, "([^"]+)"', text)}
    return ["%s: the contract has no algorithm of the name %s" % (NAMES, name)
            for name in sorted(theirs - ours)] + ([] if theirs else [NAMES + ": no names found"])


def findings(files):
    """Returns [(title, findings)]."""
    return [("tests and tools call an algorithm as the contract does", names(files))]
