# SPDX-License-Identifier: BSD-3-Clause
"""Describes the machine and the software of a measurement, for the JSON of tools/bench."""

import datetime
import os
import platform
import re
import subprocess

from base import cperf

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))


def first_line(*argv):
    """Returns the first line of a command's output, or "unknown" if it fails."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return (done.stdout.splitlines() or ["unknown"])[0].strip()


def field(path, pattern):
    """Returns group 1 of the first match in a file, or "unknown"."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = re.search(pattern, file.read(), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else "unknown"


def versions():
    """Returns the versions of the measured software and of the compiler."""
    return {"commit": first_line("git", "-C", ROOT, "describe", "--always", "--dirty"),
            "system": field("/etc/os-release", r'^PRETTY_NAME="?([^"\n]+)'),
            "kernel": platform.release(),
            "compiler": first_line("cc", "-dumpfullversion"),
            "DPDK": first_line("pkg-config", "--modversion", "libdpdk"),
            "intel-ipsec-mb": first_line("dpkg-query", "-W", "-f", "${Version}", "libipsec-mb-dev"),
            "OpenSSL": first_line("pkg-config", "--modversion", "libcrypto")}


def describe(args, busy, failed):
    """Returns the description of a run. `busy` is the share of the machine that other programs used
    when it began. `failed` is the number of failed runs of programs, which are in no number."""
    cpuinfo = "/proc/cpuinfo"
    return {"licence": "SPDX-License-Identifier: BSD-3-Clause (numbers of tools/bench)",
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
            "rounds": args.rounds, "quick": args.quick, "urgent": args.urgent,
            "busy": round(100 * busy), "failed": failed,
            "cpu": field(cpuinfo, r"^model name\s*:\s*(.*)"),
            "cpus": len(cperf.cpus()),
            "virtual": field(cpuinfo, r"^flags.*\b(hypervisor)\b") == "hypervisor",
            "huge pages": "--no-huge" not in cperf.eal_args(),
            "versions": versions()}
