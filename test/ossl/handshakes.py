#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A day of handshakes in miniature, by hand: connections of TLS, with the provider in one side, on
a card that dies, heals, loses operations and gives wrong results.

handshakes.py CONNECTIONS MODULE PLUGIN PROGRAM

PROGRAM is ossl-handshakes-test. `tools/test ossl` does the same with 2,016 connections."""

import subprocess
import sys

import ossl

FAULTS = "status:7@10/50+dead@700/7000+lost@400/4000+corrupt@150/1500"


def main():
    """Runs the program, and prints what the provider has counted."""
    tests = ossl.Tests(*sys.argv[2:-1])
    env = tests.env("crypto_accel0,faults=" + FAULTS, QUEUES="4", MIN_SIZE="256", TIMEOUT="5000",
                    REPORT="-")
    done = subprocess.run([sys.argv[-1], "faults", "1", sys.argv[1]], env=env, check=False)
    return done.returncode


sys.exit(main())
