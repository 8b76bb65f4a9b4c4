# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables and the picture of doc/openssl.md from one run of tools/bench --openssl --json.

openssl_page.py FILE [--page PAGE] [--picture FILE]

A run without the section `openssl` leaves the page as it is."""

import argparse
import json
import math
import os
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from bench import bench_openssl
from bench.bench_openssl import CIPHER, JOBS, MEMORY, SECTION, SIZES, value_of
from pages import performance

PAGE = os.path.join(performance.ROOT, "doc", "openssl.md")
PICTURE = os.path.join(performance.ROOT, "doc", "plots", "openssl.svg")
COLOURS = {"no preload": "#b5482a", "preload": "#2a6fb5", "preload, no copy": "#2a8f4f"}
PANEL, WIDTH, HEIGHT = 274, 200, 150


def percent_axis(values):
    """Returns the powers of ten around the values."""
    return (math.floor(math.log10(min(values + [100]))), math.ceil(math.log10(max(values + [100]))))


def panel(number, title, lines, low, high):
    """Draws one panel: a line for each way to treat texts, over bytes, both logarithmic."""
    def across(size):
        return 64 + PANEL * number + WIDTH * math.log(size / SIZES[0]) / math.log(
            SIZES[-1] / SIZES[0])

    def down(value):
        return 30 + HEIGHT * (high - math.log10(value)) / (high - low)

    left, out = across(SIZES[0]), []
    out.append('<text x="%d" y="16">%s</text>' % (left, title))
    for power in range(low, high + 1):
        y = down(10 ** power)
        out.append('<path d="M%d %.1fh%d" stroke="%s"/>' % (
            left, y, WIDTH, "#555" if power == 2 else "#ddd"))
        out.append('<text x="%d" y="%.1f" text-anchor="end">%d %%</text>' % (
            left - 4, y + 4, 10 ** power))
    for size in SIZES:
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (
            across(size), 46 + HEIGHT, size))
    for name, values in lines.items():
        if not values:
            continue
        points = " ".join("%.1f,%.1f" % (across(s), down(v)) for s, v in values.items())
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (
            points, COLOURS[name]))
    return out


def picture(records):
    """Returns the picture: what the program's threads cost, beside the default provider alone."""
    panels = {}
    for jobs in JOBS:
        title = "one at a time" if jobs == 0 else "%d job%s" % (jobs, "s" if jobs > 1 else "")
        panels[title] = {
            memory: {size: value for size in SIZES
                     if (value := value_of(records, "null, " + memory, CIPHER, size, jobs,
                                           "ratio"))} for memory in MEMORY}
    values = [v for lines in panels.values() for line in lines.values() for v in line.values()]
    low, high = percent_axis(values)
    out = ["<!-- SPDX-License-Identifier: BSD-3-Clause -->",
           '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family='
           '"sans-serif" font-size="11">' % (PANEL * len(panels) + 10, HEIGHT + 76),
           '<rect width="100%" height="100%" fill="#fff"/>']
    for number, (title, lines) in enumerate(panels.items()):
        out += panel(number, title, lines, low, high)
    for number, (name, colour) in enumerate(COLOURS.items()):
        x = 64 + 160 * number
        out.append('<path d="M%d %dh20" stroke="%s" stroke-width="2"/>' % (x, HEIGHT + 64, colour))
        out.append('<text x="%d" y="%d">%s</text>' % (x + 26, HEIGHT + 68, name))
    return "\n".join(out + ["</svg>"]) + "\n"


def blocks(run):
    """Returns {name: text} of the generated parts."""
    records, about = run["records"], run["about"]
    shares, rates = bench_openssl.other_rows(records)
    software = about["versions"]
    facts = ("%s, %d CPUs (%s%s), %s, kernel %s, DPDK %s, OpenSSL %s, intel-ipsec-mb %s, commit %s;"
             " medians of %d rounds; other programs used %d %% of the machine when the run began,"
             " and its load was %s. %d runs failed." % (
                 about["date"], about["cpus"], about["cpu"],
                 ", a virtual machine" if about["virtual"] else "", software["system"],
                 software["kernel"], software["DPDK"], software["OpenSSL"],
                 software["intel-ipsec-mb"], software["commit"], about["rounds"], about["busy"],
                 about.get("load", "not written down"), about["failed"]))
    made = {"facts": facts}
    for name, rows, words in (("cost", bench_openssl.cost_rows(records), (0, 1)),
                              ("rsa", bench_openssl.rsa_rows(records), (0,)),
                              ("speed", bench_openssl.speed_rows(records), (0, 1)),
                              ("copies", shares, (0,)), ("handshakes", rates, (0,)),
                              ("claims", bench_openssl.claim_rows(records), (0, 1, 2))):
        made[name] = performance.table([[str(c) for c in row] for row in rows], words)
    return made


def main():
    """Makes tables and picture."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", help="the JSON of tools/bench")
    parser.add_argument("--page", default=PAGE)
    parser.add_argument("--picture", default=PICTURE)
    args = parser.parse_args()
    with open(args.results, encoding="utf-8") as file:
        run = json.load(file)
    if not any(r["section"] == SECTION for r in run["records"]):
        print("%s: the run has no section openssl" % args.page)
        return 0
    with open(args.page, encoding="utf-8") as file:
        text = performance.fill(file.read(), blocks(run))
    with open(args.page, "w", encoding="utf-8") as file:
        file.write(text)
    with open(args.picture, "w", encoding="utf-8") as file:
        file.write(picture(run["records"]))
    print("%s: %d tables" % (args.page, text.count("\n| ---")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
