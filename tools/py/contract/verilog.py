# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Makes the package of SystemVerilog from the contract: numbers with the names that C has, places
of registers, and packed structures of words and of memory."""

import re
import textwrap

from contract.c_header import (about_value, best_column, COLUMNS, COPYRIGHT, GENERATED, LICENCE,
                               plain, value_of_reset, width)

PATH = "lib/accel_hw/accel_hw_pkg.sv"
# Names of the contract that are words of the language.
KEYWORDS = {"context", "sequence", "soft", "type"}
ABOUT = """%s
%s

The contract between host and card for designs in SystemVerilog. Numbers have the names of the C
headers. The first byte of a structure in memory is its bits 7 to 0, so a bus that puts the byte
at the lowest address there needs no swap. A name that is a word of the language ends with a line.

%s"""


def remark(text, indent):
    """Returns the lines of a comment."""
    room = COLUMNS - width(indent) - 3
    return [indent + "// " + part for line in text.split("\n") if line
            for part in textwrap.wrap(line, room, break_on_hyphens=False)]


def name_of(name):
    """Returns a name that is no word of the language."""
    return name + "_" if name in KEYWORDS else name


class PackageMaker:
    """Makes the package."""

    def __init__(self, contract):
        self.contract, self.lines = contract, []

    def text(self):
        """Returns the text of the package."""
        about = (ABOUT % (LICENCE, COPYRIGHT, GENERATED)).split("\n")
        self.lines = [("// " + line).rstrip() for line in about] + ["package accel_hw_pkg;", ""]
        for header in self.contract.headers:
            self.title(header["header"])
            for item in header["items"]:
                self.item(item)
        for name, page in self.contract.pages.items():
            self.page(name, page)
        return "\n".join(self.lines + ["endpackage"]) + "\n"

    def title(self, text):
        """Adds a line between two parts."""
        self.lines += ["// " + "-" * 16 + " " + text, ""]

    def add(self, rows, about="", indent="\t"):
        """Adds a comment, rows of (code, comment) and an empty line."""
        column = best_column(rows, indent)
        self.lines += remark(about, "\t")
        for code, note in rows:
            line = "%s%s // %s" % (indent, code.ljust(column), note)
            if note and width(line) <= COLUMNS:
                self.lines.append(line)
            else:
                self.lines += remark(note, indent) + [indent + code]
        self.lines.append("")

    def numbers(self, numbers, about=""):
        """Adds numbers of (name, value, comment)."""
        rows, longest = [], max(len(name) for name, _, _ in numbers)
        for name, value, note in numbers:
            bits = 64 if value >= 2 ** 32 else 32
            rows.append(("localparam logic [%d:0] %s = %d'h%0*x;" % (
                bits - 1, name.ljust(longest), bits, bits // 4, value % 2 ** bits), note))
        self.add(rows, about)

    def item(self, item):
        """Adds what an item of a header has."""
        about = "" if "rows" in item else item.get("about", "")
        if "values" in item:
            first = [(item["first"], 0, "")] if "first" in item else []
            self.numbers(first + [(item["prefix"] + value["name"], value["value"],
                                   about_value(value)) for value in item["values"]], about)
            about = ""
        for group in item.get("groups", []):
            self.numbers([("ACCEL_HW_" + row["name"], row["value"], "") for row in group["rows"]],
                         group["about"])
        if item.get("constants"):
            self.numbers([(constant["name"], self.contract.number(constant["value"]),
                           plain(constant.get("desc", ""))) for constant in item["constants"]],
                         about)
        if "word" in item:
            self.packed(item["word"], self.word_members(item["fields"], item["width"]))
        if "struct" in item:
            struct = self.contract.structs[item["struct"]]
            self.packed(struct.name[len("accel_hw_"):],
                        [(self.kind(member), name_of(member.name), plain(member.desc))
                         for member in struct.members[::-1]], about)

    def kind(self, member):
        """Returns the type of a member."""
        if member.kind.startswith("struct"):
            return member.kind.split()[-1] + "_t"
        bits = "[%d:0]" % (8 * member.width - 1)
        return "logic [%d:0]%s" % (member.count - 1, bits) if member.count else "logic " + bits

    @staticmethod
    def word_members(fields, width):
        """Returns the members of a word: its fields, and what is between them."""
        rows, high, gaps = [], width - 1, 0
        for field in fields + [{"name": "", "high": -1, "low": -1}]:
            if field["high"] < high:
                rows.append(("logic [%d:0]" % (high - field["high"] - 1), "gap%d" % gaps, "0"))
                gaps += 1
            if field["name"]:
                rows.append(("logic [%d:0]" % (field["high"] - field["low"]),
                             name_of(field["name"].lower()), plain(field["desc"])))
            high = field["low"] - 1
        return rows

    def packed(self, name, members, about=""):
        """Adds a packed structure, whose highest bits stand first."""
        self.lines += remark(about, "\t") + ["\ttypedef struct packed {"]
        self.add([("%s %s;" % (kind, member), note) for kind, member, note in members], "", "\t\t")
        self.lines[-1:] = ["\t} accel_hw_%s_t;" % name, ""]

    def page(self, name, page):
        """Adds offsets and reset values of the registers of a page, and their fields."""
        self.title("%s (manual %s), written by the %s" % (page.title, page.section, page.writer))
        rows, packed = [], []
        for member in page.members:
            if member.reserved:
                continue
            register = "ACCEL_HW_%s_%s" % (name.upper(), member.alias)
            rows.append((register + "_OFFSET", member.offset, ""))
            if member.fields and value_of_reset(member) is not None:
                rows.append((register + "_RESET", value_of_reset(member), ""))
            if len(member.fields) > 1:
                packed.append(member)
        self.numbers(rows)
        for member in packed:
            self.packed("%s_%s" % (name, member.alias.lower()),
                        self.word_members(member.fields, 8 * member.width))


def make(contract):
    """Returns {path: text} of the package."""
    text = PackageMaker(contract).text()
    return {PATH: re.sub(r"\n{3,}", "\n\n", text)}
