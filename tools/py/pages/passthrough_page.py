# SPDX-License-Identifier: BSD-3-Clause
"""Makes tables of doc/passthrough.md from what tools/vm-test nested and tasks have left.

passthrough_page.py FOLDER [--page PAGE]

FOLDER is build/vm on the machine that ran them. What it has no results of stays as it is."""

import argparse
import datetime
import os
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import machine
from pages import performance

PAGE = os.path.join(performance.ROOT, "doc", "passthrough.md")
CURVES = [("aes-128-cbc", 32), ("aes-128-cbc", 1), ("sha-256", 32)]
SIGNATURES = [("rsa-sign", 32), ("rsa-sign", 1)]


def lines_of(path, first):
    """Returns the fields of the lines of a log that begin with one of the words, or []."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = [line.strip().split(",") for line in file]
    except OSError:
        return []
    return [fields for fields in found if fields[0] in first]


def run_of(section, folder, path):
    """Returns a paragraph about a run."""
    versions = machine.versions()
    load = machine.field(os.path.join(folder, "load"), r"^([0-9.]+)")
    when = datetime.datetime.fromtimestamp(os.path.getmtime(path), datetime.timezone.utc)
    return performance.paragraph(
        "`tools/vm-test %s`, %s." % (section, when.strftime("%Y-%m-%d %H:%M UTC")),
        "The host: a machine with %d CPUs (%s), %s, kernel %s." % (
            os.cpu_count(), machine.field("/proc/cpuinfo", r"^model name\s*:\s*(.*)"),
            versions["system"], versions["kernel"]),
        "The software: commit %s, DPDK %s, intel-ipsec-mb %s, OpenSSL %s." % (
            versions["commit"], versions["DPDK"], versions["intel-ipsec-mb"], versions["OpenSSL"]),
        "The host's load average was %s when the guest began." % load)


def curve_rows(folder, cases, head):
    """Returns the rows of curves: the rate of both ways, completions per interrupt, and interrupts
    per second. Without a result of each case it returns None."""
    table = []
    for kind, depth in cases:
        found = lines_of(os.path.join(folder, "notify-%s-%d.log" % (kind, depth)),
                         ("poll", "notify"))
        polled = [f for f in found if f[0] == "poll"]
        waited = [f for f in found if f[0] == "notify"]
        if not polled or len(polled) != len(waited) or len(waited[0]) != 11:
            return None
        if not table:
            table.append(head + [fields[2] for fields in polled])
        digits = 1 if kind in dict(SIGNATURES) else 3
        for words, rows, form in (
                ("polls", polled, lambda f, d=digits: "%.*f" % (d, float(f[7]))),
                ("waits for the interrupt", waited, lambda f, d=digits: "%.*f" % (d, float(f[7]))),
                ("completions per interrupt", waited,
                 lambda f: "%.1f" % (int(f[5]) / max(int(f[8]), 1))),
                ("interrupts per second", waited, lambda f: "%.0f" % float(f[10]))):
            first = [kind, str(depth)] if words == "polls" else ["", ""]
            table.append(first + [words] + [form(fields) for fields in rows])
    return table


def curves(folder):
    """Returns the table of symmetric operations, or None."""
    rows = curve_rows(folder, CURVES, ["algorithm", "in flight", "the application, Gbit/s"])
    return rows and performance.table(rows, (0, 2))


def signatures(folder):
    """Returns the table of RSA, or None. Its head has bits."""
    rows = curve_rows(folder, SIGNATURES, ["algorithm", "in flight",
                                           "the application, signatures per second"])
    if rows is None:
        return None
    rows[0] = rows[0][:3] + ["%d bits" % (8 * int(size)) for size in rows[0][3:]]
    return performance.table(rows, (0, 2))


def tasks(folder):
    """Returns the table of several applications, or None."""
    rows = [["the applications have", "algorithm", "they", "applications", "all, Gbit/s",
             "each, Gbit/s", "p50, us", "p99, us", "CPU of all, %"]]
    last = None
    for fields in lines_of(os.path.join(folder, "tasks.log"), ("row",)):
        case = fields[1:4]
        rows.append((case if case != last else [""] * 3) + [
            fields[4], fields[5], "%s to %s" % (fields[6], fields[7])] + fields[8:])
        last = case
    return performance.table(rows, (0, 1, 2, 5)) if last else None


def blocks(folder):
    """Returns {name: text} of the generated parts. A part without results stays as it is."""
    found = {"curves": ("nested", os.path.join("inner", "notify-sha-256-32.log"), curves),
             "rsa": ("nested", os.path.join("inner", "notify-rsa-sign-1.log"), signatures),
             "guest-tasks": ("tasks", "tasks.log", tasks)}
    parts = {}
    for name, (section, log, make) in found.items():
        results = os.path.join(folder, "results-" + section)
        table = make(os.path.dirname(os.path.join(results, log)))
        parts[name] = table and "\n\n".join([
            run_of(section, results, os.path.join(results, log)), table])
    return parts


def main():
    """Makes the tables."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", metavar="FOLDER", help="such as build/vm")
    parser.add_argument("--page", default=PAGE)
    args = parser.parse_args()
    with open(args.page, encoding="utf-8") as file:
        text = file.read()
    parts = blocks(args.results)
    text = performance.fill(text, parts)
    with open(args.page, "w", encoding="utf-8") as file:
        file.write(text)
    print("%s: %s" % (args.page, ", ".join(name for name, part in parts.items() if part)
                      or "nothing new"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
