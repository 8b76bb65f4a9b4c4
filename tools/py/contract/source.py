# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Reads the contract: the registers of SystemRDL, and a file of YAML for each header of
lib/accel_hw. doc/hardware/contract/README.md describes the files."""

import os
import re

import yaml

from contract import registers

FOLDER = "doc/hardware/contract"
# The order of the files is that in which headers include each other.
FILES = ("regs", "dma", "op", "ipsec", "tls", "pk", "alg", "dt", "states")
WIDTHS = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8, "int32_t": 4, "bool": 1}
OFTEN = {(1, 1): "one", (0, 1): "none or one", (0, ): "any"}
LIMITS = {"UINT64_MAX": 2 ** 64 - 1, "UINT32_MAX": 2 ** 32 - 1, "INT32_MIN": -2 ** 31}


class ContractError(Exception):
    """The source of the contract contradicts itself."""


def mask_of(field):
    """Returns the bits of a field."""
    return (2 << field["high"]) - (1 << field["low"])


def zeros_of(word):
    """Returns an expression of C for the bits of a word that shall be 0."""
    parts = []
    for field in word["fields"]:
        ones = (2 << (field["high"] - field["low"])) - 1
        if field.get("is") == 0:
            parts.append(field.get("macro") or "(UINT%d_C(%s) << %d)" % (
                word["width"], "1" if ones == 1 else hex(ones), field["low"]))
    return "(%s)" % " | ".join(parts)


def complete_algorithm(row, group):
    """Gives an algorithm the names that are made of its name."""
    kind = group.get("class")
    row.setdefault("node", row["name"].lower().replace("_", "-"))
    row.setdefault("stat", row["name"].lower())
    row.setdefault("text", row["node"].upper())
    row["name"] = "%s_%s" % (kind, row["name"]) if kind else row["name"]


def complete_bindings(item):
    """Gives the nodes of the device tree the properties that they share with others."""
    shared = {found["name"]: found for found in item["properties"]}
    for node in item["nodes"]:
        node.setdefault("often", OFTEN[tuple(node["times"])])
        node["has"] = [shared[found] if isinstance(found, str) else found
                       for found in node.get("has", [])]


def size_of(text):
    """Returns (min, max, step) of a size such as 16-32/8 or 16."""
    low, high, step = re.fullmatch(r"(\d+)(?:-(\d+)/(\d+))?", str(text)).groups()
    return int(low), int(high or low), int(step or 0)


class Member:
    """A member of a structure, or a register of a page."""

    def __init__(self, kind, name, count, given):
        self.kind, self.name, self.count = kind, name, count
        self.offset, self.width = 0, 0
        self.desc = given.get("desc", "")
        self.valid = given.get("valid", "")
        self.duties = given.get("duties", [])
        self.fields = given.get("fields", [])
        self.alias = given.get("name", "")  # name in the manual, if it is not that of C
        self.bytes = given.get("bytes", "")  # size in the manual, if it is not always that of C
        self.bound = ""  # text of an array's size
        self.word = ""  # prefix of the constants of its fields
        self.reserved = name.startswith("reserved")

    @property
    def size(self):
        """Bytes."""
        return self.width * (self.count or 1)


class Structure:
    """A structure in memory, or a page of registers."""

    def __init__(self, name, title, section, writer):
        self.name, self.title, self.section, self.writer = name, title, section, writer
        self.members, self.size, self.base = [], 0, 0


class Contract:
    """All of the contract. `headers` are the files of YAML, `structs` the structures by name, and
    `pages` those of registers by the name that SystemRDL gives them."""

    def __init__(self, root):
        compiled, self.stale = registers.load(root)
        self.enums = compiled["enums"]
        self.pages, self.structs, self.words, self.constants = {}, {}, {}, {}
        self.headers = [self.read(root, name) for name in FILES]
        for page in compiled["pages"]:
            self.add_page(page)
        for header in self.headers:
            for item in header["items"]:
                self.complete(item)

    @staticmethod
    def read(root, name):
        """Returns the content of a file of YAML."""
        with open(os.path.join(root, FOLDER, name + ".yml"), encoding="utf-8") as file:
            return yaml.safe_load(file)

    def enum_values(self, item):
        """Returns the values of an enumeration: of SystemRDL, or of the item itself."""
        if "of" in item or isinstance(item.get("values"), str):
            values = self.enums[item.get("of", item.get("values"))]
            return [{"name": value["name"].upper(), "value": value["value"],
                     "desc": value["desc"], "text": value.get("text", value["desc"])}
                    for value in values]
        return item["values"]

    def values_of(self, name):
        """Returns the values of an enumeration of a header."""
        return next(item["values"] for header in self.headers for item in header["items"]
                    if item.get("enum") == name)

    def has_enum(self, name):
        """True if a header has the enumeration."""
        return any(item.get("enum") == name for header in self.headers
                   for item in header["items"])

    def complete(self, item):
        """Fills in what an item has from elsewhere, and remembers its numbers."""
        if "word" in item:
            self.add_word(item)
        if "values" in item or "of" in item:
            prefix, item["values"] = item.get("prefix", ""), self.enum_values(item)
            for value in item["values"]:
                self.constants[prefix + value["name"]] = str(value["value"])
            if "enum" in item and "of" not in item:
                self.enums[item["enum"]] = [
                    {**value, "desc": value.get("text", value["name"])} for value in item["values"]]
        for constant in item.get("constants", []):
            constant["value"] = self.fill(str(constant["value"]))
            self.constants[constant["name"]] = constant["value"]
        for group in item.get("groups", []):
            for row in group["rows"]:
                complete_algorithm(row, group)
                self.constants["ACCEL_HW_" + row["name"]] = str(row["value"])
        if "bindings" in item:
            complete_bindings(item)
        if "transitions" in item:
            self.complete_transitions(item)
        if "struct" in item:
            self.add_struct(item)

    def names_of(self, enum):
        """Returns {name: text} of an enumeration."""
        return {value["name"]: value["desc"] for value in self.enums[enum]}

    def complete_transitions(self, item):
        """Gives each pair of a state and an event its cell, and checks that none is left out."""
        states = list(self.names_of(item["states"]["enum"]))
        events = list(self.names_of(item["events"]["enum"]))
        item["pairs"] = {}
        for cell in item["cells"]:
            for result in item["results"]:
                name = cell.setdefault(result["key"], result.get("default"))
                known = {text.upper() for text in self.names_of(result["of"])}
                if name != result.get("default") and name not in known:
                    raise ContractError("%s: no %s" % (item["transitions"], name))
            for state in cell["in"]:
                for event in cell["by"]:
                    if (state, event) in item["pairs"]:
                        raise ContractError("%s: %s twice in %s" % (
                            item["transitions"], event, state))
                    item["pairs"][state, event] = cell
        wanted = [(state, event) for state in states for event in events
                  if state not in item["never"].get(event, [])]
        wrong = set(wanted) ^ set(item["pairs"])
        wrong |= {(cell["next"], "next") for cell in item["cells"]
                  if cell["next"] not in states + ["same"]}
        wrong |= {(cell["may"], "may") for cell in item["cells"]
                  if cell.get("may", states[0]) not in states}
        if wrong:
            raise ContractError("%s: missing or unknown: %s" % (item["transitions"],
                                                                sorted(wrong)))
        item["pairs"] = {pair: item["pairs"][pair] for pair in wanted}

    def add_word(self, item):
        """Completes the fields of a word, and adds constants for them if it has a prefix."""
        for field in item["fields"]:
            field["high"], field["low"] = field["bits"][0], field["bits"][-1]
            field.update(enum=None, reset=None, desc=field.get("desc", ""))
        self.words[item["word"]] = item
        if "prefix" not in item:
            return
        item["constants"] = []
        for field in item["fields"][::-1]:
            name = item["prefix"] + field["name"]
            if field.get("mask", True):
                item["constants"].append({
                    "name": name, "value": "0x%0*xu" % (item["digits"], mask_of(field)),
                    "desc": field["desc"]})
            if field.get("shift", False):
                item["constants"].append({"name": name + "_SHIFT", "value": "%d" % field["low"],
                                          "desc": "" if field.get("mask", True) else field["desc"]})
        if "all" in item:
            names = [item["prefix"] + field["name"] for field in item["fields"][::-1]]
            number = sum(mask_of(field) for field in item["fields"])
            item["constants"].append({
                "name": item["all"], "value": "0x%0*xu" % (item["digits"], number)
                if item.get("all_number") else "(%s)" % " | ".join(names)})

    def field(self, path):
        """Returns the field at page.REGISTER.field or word.field, and the bits of its word."""
        names = path.split(".")
        if len(names) == 2:
            word = self.words[names[0]]
            fields, width = word["fields"], word["width"]
        else:
            member = next(m for m in self.pages[names[0]].members if m.alias == names[1])
            fields, width = member.fields, 8 * member.width
        return next(field for field in fields if field["name"] == names[-1]), width

    def fill(self, text):
        """Puts what fields say into a constant: {page.REGISTER.field what}, {word.field what}."""
        def number(match):
            if match[2] == "zeros":
                return zeros_of(self.words[match[1]])
            field, width = self.field(match[1])
            low, size = field["low"], field["high"] - field["low"] + 1
            bit, mask = "UINT%d_C(1)" % width, "0x%0*x" % (width // 4, mask_of(field))
            return {"reset": "%s" % field["reset"], "reset 0x": "0x%08x" % (field["reset"] or 0),
                    "is": "%s" % field.get("is"), "low": "%d" % low, "width": "%d" % size,
                    "max": "%d" % ((1 << size) - 1), "mask": mask,
                    "bit": "(%s << %d)" % (bit, low) if low else bit}[match[2]]
        return re.sub(r"\{([\w.]+) ([a-z]+(?: 0x)?)\}", number, text)

    def number(self, text):
        """Returns the value of a constant expression of C."""
        text = re.sub(r"\bU?INT\d+_C\((\w+)\)", r"\1", str(text))
        text = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", text)
        text = re.sub(r"\b[A-Z]\w+\b", lambda m: "(%d)" % (
            LIMITS[m[0]] if m[0] in LIMITS else self.number(self.constants[m[0]])), text)
        if not re.fullmatch(r"[0-9a-fx\s()|&~<>+*/-]+", text):
            raise ContractError("no number: " + text)
        return eval(text.replace("/", "//"))  # pylint: disable=eval-used

    def add_page(self, page):
        """Makes a structure of a page, with reserved members where it has no register."""
        struct = Structure(page["struct"], page["title"], page["section"], page["writer"])
        names = iter(["reserved"] + ["reserved%d" % n for n in range(2, 100)])
        end = 0
        for register in page["registers"]:
            self.pad(struct, names, end, register["offset"])
            kind = "uint%d_t" % (8 * register["bytes"])
            count = register["count"] if register["count"] > 1 else 0
            if register["c_type"]:
                kind = register["c_type"]
            elif register["signed"]:
                kind = kind[1:]
            member = Member(kind, register["name"].lower(), 0 if register["c_type"] else count,
                            register)
            member.offset, member.bound = register["offset"], str(count)
            member.width = register["bytes"] * (count if register["c_type"] else 1)
            struct.members.append(member)
            end = member.offset + member.size
        if page["size"]:
            self.pad(struct, names, end, page["size"])
            end = page["size"]
        struct.size = end
        self.pages[page["name"]] = struct
        if struct.name:
            self.structs[struct.name] = struct

    @staticmethod
    def pad(struct, names, start, end):
        """Adds a reserved member from one offset to another, of the largest words that fit."""
        if start == end:
            return
        width = next(w for w in (8, 4, 2, 1) if start % w == 0 and end % w == 0)
        count = (end - start) // width
        member = Member("uint%d_t" % (8 * width), next(names), count if count > 1 else 0, {})
        member.offset, member.width, member.bound = start, width, str(count)
        member.reserved = True
        struct.members.append(member)

    def width_of(self, kind):
        """Returns the bytes of a type."""
        return WIDTHS[kind] if kind in WIDTHS else self.structs[kind.split()[-1]].size

    def fields_of(self, given, width):
        """Returns the fields of a member: those of a word, or an enumeration in all of it."""
        if "word" in given:
            return self.words[given["word"]]["fields"]
        if "enum" in given:
            return [{"name": "value", "high": width - 1, "low": 0, "reset": None, "desc": "",
                     "enum": given["enum"]}]
        return []

    def add_struct(self, item):
        """Makes a structure of an item of YAML."""
        struct = Structure(item["struct"], item.get("title", ""), item.get("section", ""),
                           item.get("writer", "host"))
        struct.base = item.get("base", 0)
        offset = struct.base
        for given in item["fields"]:
            match = re.fullmatch(r"(.*?)\s*(\w+)(?:\[(.*)\])?", given["c"])
            kind, name, bound = match.groups()
            member = Member(kind, name, self.number(bound) if bound else 0, given)
            member.width, member.offset, member.bound = self.width_of(kind), offset, bound or ""
            member.fields = self.fields_of(given, 8 * member.width)
            member.word = self.words[given["word"]]["prefix"] if "word" in given else ""
            if given.get("at", offset) != offset or (offset - struct.base) % min(8, member.width):
                raise ContractError("%s.%s cannot be at %#x" % (struct.name, name, offset))
            struct.members.append(member)
            offset += member.size
        struct.size = offset - struct.base
        if struct.size != item.get("size", struct.size):
            raise ContractError("%s has %d bytes" % (struct.name, struct.size))
        self.structs[struct.name] = struct
