# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Draws words and structures with the characters of a typewriter."""

import textwrap

ROW = 8  # bytes in a row of a structure
BYTE = 11  # columns of a byte, with the line on its left


def with_gaps(fields, width):
    """Returns (name, high, low) of fields from the highest bit down, with what is between them."""
    out, high = [], width - 1
    for field in fields:
        if field["high"] < high:
            out.append(("0", high, field["high"] + 1))
        name = "0" if field["name"].startswith("reserved") else field["name"]
        out.append((name, field["high"], field["low"]))
        high = field["low"] - 1
    return out + ([("0", high, 0)] if high >= 0 else [])


def word(fields, width):
    """Returns the lines of a drawing of a word of `width` bits."""
    cells, numbers, names = [], "", ""
    for name, high, low in with_gaps(fields, width):
        text = "%d" % high if high == low else "%d %d" % (high, low)
        room = max(len(name) + 2, len(text) + 2, (high - low + 1) * 64 // width - 1)
        ends = "%d" % high if high == low else "%d%s%d" % (
            high, " " * (room - 2 - len("%d%d" % (high, low))), low)
        cells.append(room)
        numbers += "  " + ends.ljust(room - 2) + " "
        names += "|" + name.center(room)
    line = "+" + "+".join("-" * room for room in cells) + "+"
    return [numbers.rstrip(), line, names + "|", line]


def pieces(members, base):
    """Returns (row, first byte, bytes, text) of members' parts. Several whole rows are one."""
    out = []
    for member in members:
        start, left = member.offset - base, member.size
        text = "0" if member.reserved else member.name
        while left:
            whole = start % ROW == 0 and left > ROW and left % ROW == 0
            part = ROW if whole else min(left, ROW - start % ROW)
            name = "%s (%s bytes)" % (text, member.bytes or left) if whole else text
            out.append((start // ROW, start % ROW, part, name))
            start, left = start + part, 0 if whole else left - part
    return out


def cell(text, room):
    """Returns the lines of a text in a cell."""
    if len(text) <= room:
        return [text.center(room)]
    parts = textwrap.wrap(text.replace("_", "_ "), room)
    lines = [part.replace("_ ", "_") for part in parts]
    return [line[:room].center(room) for line in lines]


def structure(struct):
    """Returns the lines of a drawing of a structure, eight bytes in a row, lowest address first."""
    line = " " * 7 + "+" + ("-" * (BYTE - 1) + "+") * ROW
    lines = [" " * 7 + "".join((" +%d" % byte).ljust(BYTE) for byte in range(ROW)).rstrip(), line]
    rows = {}
    for row, first, count, text in pieces(struct.members, struct.base):
        rows.setdefault(row, []).append((first, count, text))
    for row, parts in sorted(rows.items()):
        boxes = [cell(text, count * BYTE - 1) for _, count, text in parts]
        height = max(len(box) for box in boxes)
        for number in range(height):
            place = "0x%03x" % (struct.base + row * ROW) if number == 0 else ""
            lines.append(place.ljust(7) + "|" + "|".join(
                box[number] if number < len(box) else " " * len(box[0]) for box in boxes) + "|")
        lines.append(line)
    return lines
