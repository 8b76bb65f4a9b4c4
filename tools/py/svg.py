# SPDX-License-Identifier: BSD-3-Clause
"""Plots as SVG, without any library: bars in groups, lines over numbers."""

import html
import math

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 40, 72
COLOURS = ["#3366aa", "#dd7722", "#559944", "#aa3355", "#777777", "#8866bb"]


def _text(x, y, text, anchor="middle", size=12, extra=""):
    return '<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d"%s>%s</text>' % (
        x, y, anchor, size, extra, html.escape(str(text)))


def _ticks(top):
    """Round numbers from 0 up to at least `top`."""
    step = 10 ** math.floor(math.log10(max(top, 1e-9) / 4))
    step *= next(f for f in (1, 2, 5, 10) if top / (step * f) <= 6)
    return [step * i for i in range(int(math.ceil(top / step)) + 1)]


def _frame(title, unit, names, top):
    """Everything but the data; returns (lines, function from value to y)."""
    ticks = _ticks(top)
    scale = (HEIGHT - TOP - BOTTOM) / ticks[-1]

    def place(value):
        return HEIGHT - BOTTOM - value * scale

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif">'
           % (WIDTH, HEIGHT),
           "<!-- SPDX-License-Identifier: BSD-3-Clause -->",
           '<rect width="100%" height="100%" fill="white"/>', _text(WIDTH / 2, 20, title, size=14)]
    for tick in ticks:
        out.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#dddddd"/>' % (
            LEFT, WIDTH - RIGHT, place(tick), place(tick)))
        out.append(_text(LEFT - 6, place(tick) + 4, "%g" % tick, "end"))
    out.append(_text(14, HEIGHT / 2, unit, extra=' transform="rotate(-90 14 %d)"' % (HEIGHT / 2)))
    x = LEFT
    for i, name in enumerate(names):
        out.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/>' % (
            x, HEIGHT - 18, COLOURS[i % len(COLOURS)]))
        out.append(_text(x + 16, HEIGHT - 8, name, "start"))
        x += 34 + 7 * len(name)
    return out, place


def bars(title, unit, groups, names, values):
    """A chart of bars: `values[name][group]`, None for none."""
    top = max(v for name in names for v in values[name] if v is not None)
    out, place = _frame(title, unit, names, top)
    room = (WIDTH - LEFT - RIGHT) / len(groups)
    width = room * 0.8 / len(names)
    for g, group in enumerate(groups):
        begin = LEFT + g * room + room * 0.1
        for n, name in enumerate(names):
            value = values[name][g]
            if value is None:
                continue
            out.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>' % (
                begin + n * width, place(value), width * 0.95, place(0) - place(value),
                COLOURS[n % len(COLOURS)]))
            if len(groups) * len(names) <= 30:
                out.append(_text(begin + (n + 0.5) * width, place(value) - 3, "%.3g" % value,
                                 size=10))
        out.append(_text(begin + room * 0.4, HEIGHT - BOTTOM + 18, group, size=11))
    return "\n".join(out + ["</svg>", ""])


def lines(title, unit, xs, names, values, x_title):
    """A chart of lines: `values[name]` over `xs`; with a logarithmic axis if it spans decades."""
    logarithmic = min(xs) > 0 and max(xs) / min(xs) >= 100
    first, last = (math.log(min(xs)), math.log(max(xs))) if logarithmic else (min(xs), max(xs))
    top = max(v for name in names for v in values[name] if v is not None)
    out, place = _frame(title, unit, names, top)

    def across(x):
        at = (math.log(x) if logarithmic else x) - first
        return LEFT + 10 + (WIDTH - LEFT - RIGHT - 20) * at / max(last - first, 1e-9)

    for x in xs:
        out.append(_text(across(x), HEIGHT - BOTTOM + 18, "%g" % x, size=11))
    out.append(_text(WIDTH / 2, HEIGHT - BOTTOM + 36, x_title))
    for n, name in enumerate(names):
        points = [(across(x), place(v)) for x, v in zip(xs, values[name]) if v is not None]
        out.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>' % (
            COLOURS[n % len(COLOURS)], " ".join("%.1f,%.1f" % p for p in points)))
        for x, y in points:
            out.append('<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (
                x, y, COLOURS[n % len(COLOURS)]))
    return "\n".join(out + ["</svg>", ""])
