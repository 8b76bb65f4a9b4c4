# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of doc/bus.md from one run of tools/bench --json.

bus_page.py FILE [--page PAGE]

A run without the section `bus` leaves the page as it is."""

import argparse
import json
import os
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from bench import bench_bus
from bench.bench_bus import LOADED, MISS, OURS, SINGLE, text_of
from pages import performance

PAGE = os.path.join(performance.ROOT, "doc", "bus.md")
# The layouts whose formats have tables of their own; the others are in the tables of one number.
SHOWN = ["cipher 64 B", "cipher 1024 B", "GCM 1024 B", "cipher 16384 B in 8 segments"]
KINDS = ["doorbell", "TX descriptors", "RX descriptors", "command", "context", "input", "result",
         "response", "line"]
LINK = "Gen4 x16"


def own_table(counts, burst):
    """Returns the table of our format, a row for each layout."""
    head, row = ((bench_bus.LINK_HEAD, bench_bus.loaded_row) if burst == LOADED else
                 (bench_bus.DEPTH_HEAD, bench_bus.single_row))
    return performance.table([["operation"] + bench_bus.COUNT_HEAD + head] + [
        [layout] + row(counts, layout, OURS) for layout in counts.layouts])


def kind_table(counts):
    """Returns the table of our accesses by kind."""
    rows = [["kind", "loaded: accesses", "bytes", "single: accesses", "bytes",
             "context miss: accesses", "bytes"]]
    for kind in KINDS:
        rows.append([kind])
        for name, burst in ((OURS, LOADED), (OURS, SINGLE), (OURS + MISS, SINGLE)):
            rows[-1] += [text_of(counts.get(SHOWN[0], name, burst, "%s %s" % (kind, what)), 3)
                         for what in ("accesses", "bytes")]
    return performance.table(rows)


def format_table(counts, burst):
    """Returns the tables of all formats, one for each layout shown."""
    head, row = ((bench_bus.LINK_HEAD, bench_bus.loaded_row) if burst == LOADED else
                 (bench_bus.DEPTH_HEAD, bench_bus.single_row))
    return "\n\n".join(
        performance.table([[layout] + bench_bus.COUNT_HEAD + head] + [
            [name] + row(counts, layout, name) for name in counts.formats
            if (layout, name, burst) in counts.values])
        for layout in SHOWN)


def matrix(counts, cell):
    """Returns a table of one number: a row for each layout, a column for each format."""
    return performance.table([["operation"] + counts.formats] + [
        [layout] + [cell(layout, name) for name in counts.formats] for layout in counts.layouts])


def rates(counts):
    """Returns the table of the most operations of one link."""
    def cell(layout, name):
        value = counts.get(layout, name, LOADED, LINK)
        return "-" if value is None else bench_bus.rate_of(value)

    return matrix(counts, cell)


def waits(counts):
    """Returns the table of dependent reads."""
    def cell(layout, name):
        return ("-" if (layout, name, SINGLE) not in counts.values else
                bench_bus.depths(counts, layout, name, SINGLE)[0])

    return matrix(counts, cell)


def change(old, new):
    """Formats by how many % a number changes."""
    percent = 100 * (new / old - 1)
    return "0" if abs(percent) < 0.05 else "%+.1f" % percent


def gain_rows(counts, layout):
    """Returns rows of what each option changes for a layout, in % of what it is without."""
    rows = []
    for name in bench_bus.OPTIONS:
        if (layout, name, LOADED) not in counts.values:  # an option of AEADs alone
            continue
        row = [layout if not rows else "", name]
        for burst in (LOADED, SINGLE):
            for way in ("up", "down"):
                values = [[counts.bytes(layout, f, burst, way),
                           counts.get(layout, f, burst, "TLPs " + way)] for f in (OURS, name)]
                row += [change(old, new) for old, new in zip(*values)]
        rate = [counts.get(layout, f, LOADED, LINK) for f in (OURS, name)]
        rows.append(row + [change(*rate), bench_bus.depths(counts, layout, name, SINGLE)[0]])
    return rows


def gains(counts):
    """Returns the table of what the options change."""
    head = ["operation", "option"] + [
        "%s: %s %s, %%" % (load, what, way) for load in ("loaded", "single")
        for way in ("up", "down") for what in ("bytes", "TLPs")]
    rows = [head + ["loaded: ops/s, %", "single: dependent reads"]]
    for layout in ("cipher 64 B", "cipher 1024 B", "GCM 64 B", "GCM 1024 B"):
        rows += gain_rows(counts, layout)
    return performance.table(rows, words=(0, 1))


def blocks(run):
    """Returns {name: text} of the generated parts."""
    counts = bench_bus.Counts(run["records"])
    sources = [["what", "size or rule", "from"]] + [list(s) for s in run["about"]["bus sources"]]
    return {"own-loaded": own_table(counts, LOADED), "own-single": own_table(counts, SINGLE),
            "kinds": kind_table(counts), "formats-loaded": format_table(counts, LOADED),
            "formats-single": format_table(counts, SINGLE), "rates": rates(counts),
            "waits": waits(counts), "gains": gains(counts),
            "sources": performance.table(sources, words=(0, 1, 2))}


def main():
    """Makes the tables."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", help="the JSON of tools/bench")
    parser.add_argument("--page", default=PAGE)
    args = parser.parse_args()
    with open(args.results, encoding="utf-8") as file:
        run = json.load(file)
    if not bench_bus.Counts(run["records"]):
        print("%s: the run has no section bus" % args.page)
        return 0
    with open(args.page, encoding="utf-8") as file:
        text = file.read()
    text = performance.fill(text, blocks(run))
    with open(args.page, "w", encoding="utf-8") as file:
        file.write(text)
    print("%s: %d tables" % (args.page, text.count("\n| ---")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
