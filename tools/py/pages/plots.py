# SPDX-License-Identifier: BSD-3-Clause
"""Draws the plots of the page of performance from the records of tools/bench: throughput and the
steps of an operation as the report draws them (report.py), the others with matplotlib.

An SVG file depends only on its numbers and on the version of matplotlib: it has no date, the names
of its parts are made with a constant salt, and its text remains text."""

import os

import matplotlib

from base import report
from bench import bench_driver, bench_paced, bench_report

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "crypto_accel", "svg.fonttype": "none", "font.family": "sans-serif",
    "font.size": 9, "axes.titlesize": 10, "axes.axisbelow": True, "axes.grid": True,
    "axes.grid.axis": "y", "grid.color": "#dddddd", "axes.spines.top": False,
    "axes.spines.right": False, "legend.frameon": False, "figure.constrained_layout.use": True})
from matplotlib import pyplot  # noqa: E402 pylint: disable=wrong-import-position

LICENCE = "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n"


def save(figure, folder, name):
    """Writes a figure and returns its name."""
    path = os.path.join(folder, name)
    figure.savefig(path, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    pyplot.close(figure)
    with open(path, encoding="utf-8") as file:
        image = file.read().split("<svg", 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        for line in (LICENCE + "<svg" + image).splitlines():
            file.write(line.rstrip() + "\n")
    return name


def bars(axes, title, unit, groups, values):
    """Draws bars in groups. `values` is {name: a value for each group}, with None for a missing
    bar."""
    width = 0.8 / len(values)
    for place, (name, numbers) in enumerate(values.items()):
        at = [i - 0.4 + (place + 0.5) * width for i in range(len(groups))]
        drawn = axes.bar(at, [n or 0 for n in numbers], 0.95 * width, label=name)
        if len(groups) * len(values) <= 15:
            axes.bar_label(drawn, ["" if n is None else "%.3g" % n for n in numbers],
                           fontsize=7)
    axes.set_xticks(range(len(groups)), groups)
    axes.set_title(title)
    axes.set_ylabel(unit)
    if len(values) > 1:
        # The margin leaves room for the legend above the bars.
        axes.margins(y=0.2 if len(values) == 2 else 0.1 + 0.12 * len(values))
        axes.legend(fontsize=8, ncols=2 if len(values) == 2 else 1)


def lines(axes, title, unit, xs, x_title, values):
    """Draws lines over a logarithmic axis."""
    for name, numbers in values.items():
        axes.plot(xs, numbers, marker="o", markersize=4, label=name)
    axes.set_xscale("log")
    axes.set_xticks(xs, ["{:,}".format(x) for x in xs])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.margins(y=0.25)
    axes.set_title(title)
    axes.set_ylabel(unit)
    axes.set_xlabel(x_title)
    axes.legend(fontsize=8)


def complete(values):
    """Returns whether there are values and none is missing."""
    return bool(values) and all(n is not None for numbers in values.values() for n in numbers)


def plot_driver(records, folder):
    """Draws the driver alone: kinds beside their bare writes, segments, sessions."""
    get, base = bench_driver.value_of, bench_driver.BASE
    kinds = dict(bench_driver.KINDS, **{"--segments 2 " + base: "two segments"})
    both = {"driver": [get(records, "driver", k, "enqueue", "cycles/op") for k in kinds],
            "bare writes": [get(records, "driver", k, "bare-enqueue", "cycles/op") for k in kinds]}
    segments = {call: [get(records, "flat", base if n == 1 else "--segments %d %s" % (n, base),
                           call, "cycles/op") for n in bench_driver.SEGMENTS]
                for call in ("enqueue", "dequeue")}
    sessions = {call: [get(records, "flat", base if n == 1 else "--sessions %d %s" % (n, base),
                           call, "cycles/op") for n in bench_driver.SESSIONS]
                for call in ("enqueue", "dequeue")}
    if not complete(both) or not complete(segments) or not complete(sessions):
        return []
    figure, axes = pyplot.subplots(1, 3, figsize=(11, 3))
    bars(axes[0], "Enqueue by kind", "cycles per operation",
         [k.replace("aes-cbc+hmac", "chain").replace("two ", "two\n") for k in kinds.values()],
         both)
    lines(axes[1], "By segments of the mbuf", "cycles per operation", bench_driver.SEGMENTS,
          "segments", segments)
    lines(axes[2], "By sessions, used at random", "cycles per operation", bench_driver.SESSIONS,
          "sessions", sessions)
    return [save(figure, folder, "driver.svg")]


def plot_cross(records, folder):
    """Draws two cores beside the bare exchange."""
    bursts = ["8", "32", "64"]
    both = {name: [bench_driver.value_of(records, "cross", b, prefix + "enqueue+dequeue")
                   for b in bursts]
            for name, prefix in (("driver", ""), ("bare exchange", "bare-"))}
    if not complete(both):
        return []
    figure, axes = pyplot.subplots(figsize=(5, 3))
    bars(axes, "Two cores", "cycles per operation", ["burst " + b for b in bursts], both)
    return [save(figure, folder, "cores.svg")]


def plot_report(records, folder):
    """Draws the figures that the report has, too."""
    found = []
    for name, figure in (("throughput", bench_report.throughput(records)),
                         ("stages", bench_report.stages(records))):
        if figure:
            with open(os.path.join(folder, name + ".svg"), "w", encoding="utf-8") as file:
                file.write(LICENCE + report.picture(figure, name, 1080) + "\n")
            found.append(name + ".svg")
    return found


def plot_paced(records, folder):
    """Draws the share of a paced device's peak."""
    rows = bench_paced.rows(records)
    if not rows:
        return []
    figure, axes = pyplot.subplots(figsize=(11, 2.4))
    bars(axes, "Share of a paced device's peak", "per cent",
         ["%s\n%d B%s" % (peak, size, "" if engine == "auto" else "\n(null)")
          for peak, size, engine, *_ in rows], {"share": [row[3]["share"] for row in rows]})
    return [save(figure, folder, "paced.svg")]


def draw(records, folder):
    """Draws all plots that have numbers into `folder`. Returns the names of the files."""
    os.makedirs(folder, exist_ok=True)
    return (plot_driver(records, folder) + plot_cross(records, folder)
            + plot_report(records, folder) + plot_paced(records, folder))
