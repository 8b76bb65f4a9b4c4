# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Makes the headers of lib/accel_hw from the contract."""

import re
import textwrap

from contract.source import size_of

COLUMNS = 100
LICENCE = "SPDX-License-Identifier: BSD-3-Clause"
COPYRIGHT = "Copyright (c) 2026 The crypto_accel authors"
GENERATED = "tools/contract makes this file from doc/hardware/contract."


def width(line):
    """Returns the columns that a line takes."""
    return len(line.expandtabs(8))


def plain(text):
    """Returns a text of the manual without its marks."""
    text = re.sub(r" \[[A-Z]+-\d+\]|``|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", text)
    return re.sub(r"(?<!manual )\bsections? (?=\d)", "manual ", text)


def shape(found):
    """Returns the number of cells of a property or of a group of a list, whether it is a list, and
    whether each node has it."""
    words = found["kind"].split()
    many = words[-1] == "each"
    cells = 0 if words == ["empty"] else len(words) - many
    needed = cells > 0 and not found.get("optional", False)
    return cells, str(many).lower(), str(needed).lower()


def comment(text, indent="", last=COLUMNS):
    """Returns the lines of a comment: one line, or a block, up to the column `last`."""
    text = text.rstrip()
    line = "%s/* %s */" % (indent, text)
    if width(line) <= last and "\n" not in text:
        return [line]
    room = last - width(indent) - 3
    wrapped = [part for paragraph in text.split("\n")
               for part in textwrap.wrap(paragraph, room, break_on_hyphens=False,
                                         break_long_words=False)]
    return [indent + "/*"] + [indent + " * " + part for part in wrapped] + [indent + " */"]


def best_column(rows, indent):
    """Returns the column at which most of the comments behind their lines are in one column."""
    room = COLUMNS - width(indent) - 7
    lengths = sorted({len(code) for code, note in rows if code and note})
    fits = {length: sum(len(code) <= length and length + len(note) <= room
                        for code, note in rows if code and note) for length in lengths}
    return max(lengths, key=lambda length: (fits[length], -length), default=0)


def columns(rows, indent=""):
    """Returns lines of (code, comment), with the comments in one column. A comment for which there
    is no room stands above its line, and one without code on a line of its own."""
    column, lines = best_column(rows, indent), []
    for code, note in rows:
        line = "%s%s /* %s */" % (indent, code.ljust(column), note)
        if code and note and width(line) <= COLUMNS:
            lines.append(line)
        else:
            lines += comment(note, indent) if note else []
            lines += [(indent + code) if code else ""] if code or not note else []
    return lines


def continued(lines):
    """Returns the lines of a macro, with backslashes in the last column."""
    return [line + " " * (COLUMNS - 1 - width(line)) + "\\" for line in lines[:-1]] + lines[-1:]


def bits(field):
    """Returns the place of a field as the manual writes it."""
    return "[%d]" % field["low"] if field["high"] == field["low"] else "[%d:%d]" % (
        field["high"], field["low"])


def about_value(value):
    """Returns the comment of a value of an enumeration, if it says more than the name."""
    said = value["name"].lower().replace("_", " ")
    desc = value.get("desc", "")
    return "" if said.endswith(desc.lower()) else plain(desc)


def value_of_reset(member):
    """Returns the value of a register after power-on and FLR, or None if it is the card's own."""
    if any(field["reset"] is None for field in member.fields):
        return None
    return sum(field["reset"] << field["low"] for field in member.fields)


# What an algorithm has beside its names, and how C writes it.
ATTRIBUTES = {
    "block": "%s", "region_min": "%s", "region_max": "%s", "digest_not": "%s", "since": "%s",
    "whole_blocks": "true", "bits": "true", "two_keys": "true", "j0": "true", "counted": "true"}
SIZES = ("key", "iv", "digest", "aad")


def attribute(name, value):
    """Returns an attribute of an algorithm as C, or None for what no C has."""
    if name in SIZES:
        return ".%s = { %d, %d, %d }" % (name, *size_of(value))
    if name == "key_iv":
        return ".key_iv = { %s }" % ", ".join("{ %d, %d }" % tuple(pair) for pair in value)
    if name == "only_digest":
        return ".only_digest = { %d, %d }" % tuple(value)
    if name not in ATTRIBUTES:
        return None
    return ".%s = %s" % (name, ATTRIBUTES[name].replace("%s", str(value)))


class HeaderMaker:
    """Makes one header."""

    def __init__(self, contract, header):
        self.contract, self.header = contract, header

    def text(self):
        """Returns the text of the header."""
        guard = self.header["header"].upper().replace(".", "_")
        about = self.header["about"].rstrip().split("\n") + ["", GENERATED]
        lines = ["/* " + LICENCE, " * " + COPYRIGHT, " *"]
        lines += [" * " + line if line else " *" for line in about] + [" */"]
        lines += ["#ifndef " + guard, "#define " + guard, ""]
        system = [name for name in self.header["include"] if name[0] == "<"]
        own = ['"%s"' % name for name in self.header["include"] if name[0] != "<"]
        for group in (system, own):
            lines += ["#include " + name for name in group] + ([""] if group else [])
        for item in self.header["items"]:
            made = self.item(item)
            lines += made + [""] if made else []
        return "\n".join(lines + ["#endif /* %s */" % guard]) + "\n"

    def item(self, item):
        """Returns the lines of an item."""
        about = comment(item["about"]) if "about" in item else []
        lines = self.parts(item)
        return about + ([""] if about and lines and lines[0].startswith("/*") else []) + lines

    def parts(self, item):
        """Returns the lines of an item behind its comment."""
        lines = []
        if "word" in item and "prefix" not in item:
            lines += self.word(item)
        if "rows" in item:
            lines += self.rows(item)
        elif "algorithms" in item:
            lines += self.algorithms(item)
        elif "bindings" in item:
            lines += self.bindings(item)
        elif "transitions" in item:
            lines += self.transitions(item)
        elif "enum" in item:
            lines += self.enum(item)
        elif "values" in item:
            lines += self.defines([{"name": item["prefix"] + value["name"],
                                    "value": "%du" % value["value"],
                                    "desc": about_value(value)}
                                   for value in item["values"]])
        if "names" in item:
            lines += [""] + self.names(item) + ([""] if "constants" in item else [])
        if "constants" in item:
            lines += self.constants(item)
        if "code" in item:
            lines += self.code(item["code"])
        if "packed" in item:
            lines += self.packed(item)
        if "registers" in item:
            lines += self.struct(self.contract.pages[item["registers"]])
        if "resets" in item:
            lines += [""] + self.resets(item)
        if "struct" in item:
            lines += self.struct(self.contract.structs[item["struct"]])
        return lines

    @staticmethod
    def word(item):
        """Returns the lines of a comment with the fields of a word."""
        fields = ["%s%s %s" % (bits(field), " = %d" % field["is"] if "is" in field else "",
                               plain(field["desc"])) for field in item["fields"]]
        return ["/*"] + [" * " + line for line in fields] + [" */"]

    @staticmethod
    def defines(constants):
        """Returns the lines of constants."""
        names = max((len(constant["name"]) for constant in constants), default=0)
        rows, lines = [], []
        for constant in constants:
            line = "#define %s %s" % (constant["name"].ljust(names), constant["value"])
            if width(line) <= COLUMNS:
                rows.append((line, plain(constant.get("desc", ""))))
                continue
            parts = textwrap.wrap(constant["value"], COLUMNS - 11, break_on_hyphens=False)
            lines += continued(["#define " + constant["name"]] +
                               ["\t" + parts[0]] + ["\t " + part for part in parts[1:]])
        return columns(rows) + lines

    def constants(self, item):
        """Returns the lines of an item's constants."""
        lines = self.defines(item["constants"])
        if "unless" in item:
            lines = ["#ifndef " + item["unless"]] + lines + ["#endif"]
        return lines

    @staticmethod
    def code(text):
        """Returns the lines of C that the source has as it is: macros with arguments, whose lines
        get their backslashes up to the next empty line, and functions."""
        lines = []
        for block in re.split(r"\n(?=#define |\n)", text.rstrip()):
            part = block.split("\n")
            lines += continued(part) if block.startswith("#define") else part
        return lines

    @staticmethod
    def enum(item):
        """Returns the lines of an enumeration."""
        rows = []
        for value in item["values"]:
            if "group" in value:
                rows += ([("", "")] if rows else []) + [("", value["group"])]
            rows.append(("%s%s = %s," % (item.get("prefix", ""), value["name"], value["value"]),
                         about_value(value)))
        rows += [(item["last"], "")] if "last" in item else []
        return ["enum %s {" % item["enum"]] + columns(rows, "\t") + ["};"]

    @staticmethod
    def names(item):
        """Returns the lines of a list of the names of an enumeration as a macro."""
        rows = ['\tX(%s%s, "%s")' % (item["prefix"], value["name"], plain(
            value.get("text", value["name"]))) for value in item["values"]]
        return ["/* X(number's name, name for people) */"] + continued(
            ["#define %s(X)" % item["names"]] + rows)

    def resets(self, item):
        """Returns the lines of a list of reset values as a macro. Registers that have a value of
        the card's own are left out."""
        page = self.contract.pages[item["registers"]]
        rows = ["\tX(%s, %s, %s, 0x%xu)" % (page.name, member.alias, member.name,
                                           value_of_reset(member)) for member in page.members
                if not member.reserved and value_of_reset(member) is not None]
        return ["/* X(structure, register, member, value after power-on and FLR) */"] + continued(
            ["#define %s(X)" % item["resets"]] + rows)

    def rows(self, item):
        """Returns the lines of a list of rows as a macro, and of the enumeration of it."""
        lines = ["#define %s(X)" % item["rows"]]
        for value in item["values"]:
            lines += comment(plain(value.get("desc", "")), "\t", COLUMNS - 2)
            lines.append('\tX(%s%s, %d, "%s", "%s")' % (
                item["prefix"], value["name"], value["value"], value["name"],
                value["name"].lower()))
        lines = continued(lines) + ["", "#define %s(id, number, name, stat) id = number," %
                                    item["number"], ""]
        lines += ["enum %s {" % item["enum"], "\t%s = 0," % item["first"],
                  "\t%s(%s)" % (item["rows"], item["number"])]
        lines += ["\t" + item["last"]] if "last" in item else []
        return lines + ["};", "", "#undef " + item["number"]]

    @staticmethod
    def algorithms(item):
        """Returns the lines of a list of algorithms as a macro."""
        lines = ["#define %s(X)" % item["algorithms"]]
        for group in item["groups"]:
            lines += comment(group["about"], "\t", COLUMNS - 2)
            for row in group["rows"]:
                parts = ["X(ACCEL_HW_" + row["name"], "%d" % row["value"]]
                if "class" in group:
                    parts += [group["class"], '"%s"' % row["node"]]
                parts.append('"%s"' % row["stat"])
                parts += [text for text in (attribute(*each) for each in row.items()) if text]
                parts = [part.replace(" ", "\0") for part in parts]
                lines += [line.replace("\0", " ") for line in textwrap.wrap(
                    ", ".join(parts) + ")", COLUMNS - 10, break_long_words=False,
                    break_on_hyphens=False, initial_indent="\t", subsequent_indent="\t  ",
                    expand_tabs=False)]
        return continued(lines)

    @staticmethod
    def transitions(item):
        """Returns the lines of a state table as a macro. Names have no prefix, so that a row is a
        line."""
        lines = ["#define %s(X)" % item["transitions"]]
        for (state, event), cell in item["pairs"].items():
            after = state if cell["next"] == "same" else cell["next"]
            parts = [state.upper(), event, after.upper()]
            parts += [cell[result["key"]] for result in item["results"]]
            duties = " ".join(cell.get("duties", []))
            lines.append('\tX(%s, "%s")' % (", ".join(parts), duties))
        return continued(lines)

    @staticmethod
    def bindings(item):
        """Returns the lines of the names of nodes and properties."""
        def line(found, name, note):
            return {"name": item["bindings"] + found["c"], "value": '"%s"' % name,
                    "desc": note}

        lines, single, done = [], [], set()
        for node in item["nodes"] + [{"has": item["properties"]}]:
            constants = [line(node, node["compatible"], "reg: " + node["reg"]
                              if "reg" in node else node.get("other", ""))] if "c" in node else []
            for found in node["has"]:
                if found["c"] not in done and ("c" not in node or found not in item["properties"]):
                    done.add(found["c"])
                    constants.append(line(found, found["name"],
                                          "%s: %s" % (found["kind"], found["desc"])))
            if len(constants) == 1:
                single += constants
                continue
            for group in (single, constants):
                lines += ([""] if lines and group else []) + HeaderMaker.defines(group)
            single = []
        rows = ["\tX(%s%s, %s)" % (item["bindings"], node["c"], ", ".join(
            "%d" % number for number in (node["times"] + [0])[:2])) for node in item["nodes"]]
        lines += ["", "/* X(node, least, most), 0: any number */"] + continued(
            ["#define %sNODES(X)" % item["bindings"]] + rows)
        rows = ["\tX(%s%s, %s%s, %d, %s, %s)" % (
            item["bindings"], node["c"], item["bindings"], found["c"], *shape(found))
                for node in item["nodes"] for found in node["has"]]
        return lines + [
            "", "/* X(node, property, cells, list, needed). A list has any number of groups of"
            " cells. */"] + continued(["#define %sPROPERTIES(X)" % item["bindings"]] + rows)

    def packed(self, item):
        """Returns the lines of macros that take the fields of a register out of it, and of one that
        puts them together."""
        page, register = item["packed"].split(".")
        member = next(m for m in self.contract.pages[page].members if m.alias == register)
        fields = member.fields[::-1]
        lines = []
        for field in fields:
            text = "(%s)" % item["argument"]
            text = "(%s >> %d)" % (text, field["low"]) if field["low"] else text
            if field["high"] + 1 < 8 * member.width:
                text = "(%s & %#xu)" % (text, (2 << (field["high"] - field["low"])) - 1)
            lines.append("#define %s_%s(%s) %s" % (item["name"], field["name"].upper(),
                                                  item["argument"], text))
        parts = ["(uint32_t)(%s)" % field["name"] for field in fields]
        parts = [part if not field["low"] else "(%s << %d)" % (part, field["low"])
                 for part, field in zip(parts, fields)]
        names = ", ".join(field["name"] for field in fields)
        return lines + continued(["#define %s(%s)" % (item["name"], names),
                                  "\t(%s)" % " | ".join(parts)])

    def note(self, member):
        """Returns the comment of a member."""
        if member.word:
            return "%s*, see above" % member.word
        fields = [field for field in member.fields if field["desc"] or field["enum"]]
        parts = []
        for field in fields:
            kind = re.sub(r"^(?!accel)(\w+)_e$", r"accel_hw_\1", field["enum"] or "")
            kind = "enum " + kind if self.contract.has_enum(kind) else ""
            place = "" if field["name"] == "value" else bits(field) + " "
            name = field["name"] if field["name"].isupper() else ""
            said = ": ".join(part for part in (name, field["desc"]) if part)
            text = ", ".join(part for part in (said, kind) if part)
            parts += [place + text] if text else []
        return plain("; ".join(parts + ([member.desc] if member.desc else [])))

    def struct(self, struct):
        """Returns the lines of a structure, and of what the compiler checks of it."""
        rows = []
        for member in struct.members:
            array = "[%s]" % member.bound if member.count else ""
            rows.append(("%s %s%s;" % (member.kind, member.name, array), self.note(member)))
        lines = ["struct %s {" % struct.name] + columns(rows, "\t") + ["};", ""]
        for member in struct.members:
            if not member.reserved:
                lines += self.check("offsetof(struct %s, %s) == 0x%02x" % (
                    struct.name, member.name, member.offset - struct.base),
                                    ", ".join([struct.section] + member.duties))
        return lines + self.check("sizeof(struct %s) == 0x%02x" % (struct.name, struct.size),
                                  struct.section)

    @staticmethod
    def check(what, section):
        """Returns the lines of a check by the compiler, whose message names section and duties."""
        line = 'static_assert(%s, "manual %s");' % (what, section)
        if width(line) <= COLUMNS:
            return [line]
        return ["static_assert(%s," % what, '\t      "manual %s");' % section]


def make(contract):
    """Returns {path: text} of the headers."""
    return {"lib/accel_hw/" + header["header"]: HeaderMaker(contract, header).text()
            for header in contract.headers}
