# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Makes the tables and drawings of the hardware manual from the contract."""

import textwrap

from contract import drawing, listings
from contract.c_header import bits, value_of_reset

FOLDER = "doc/hardware/tables/"
COLUMNS = 118
HEAD = """..  SPDX-License-Identifier: BSD-3-Clause
    tools/contract makes this file from doc/hardware/contract.

"""


def table(head, rows, limits=None):
    """Returns the lines of a table. `limits` are the most columns of some of its columns, and the
    last one takes what is left."""
    # A lone hyphen would be the bullet of an empty list.
    rows = [["\\-" if text == "-" else text for text in row] for row in rows]
    longest = [max(3, *(len(row[number]) for row in [head] + rows)) for number in range(len(head))]
    widths = [min((limits or {}).get(title, COLUMNS), columns)
              for title, columns in zip(head, longest)]
    widths[-1] = min(widths[-1], COLUMNS - sum(widths[:-1]) - len(widths) + 1)
    rule = " ".join("=" * width for width in widths)
    lines = [rule, join(head, widths), rule]
    for row in rows:
        cells = [textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False)
                 for text, width in zip(row, widths)]
        for number in range(max(len(cell) for cell in cells)):
            lines.append(join([cell[number] if number < len(cell) else "" for cell in cells],
                              widths))
    return lines + [rule]


def join(cells, widths):
    """Returns a line of a table."""
    return " ".join(text.ljust(width) for text, width in zip(cells, widths)).rstrip()


def literal(lines):
    """Returns lines as a block that is shown as it is."""
    return ["::", ""] + ["   " + line if line else "" for line in lines] + [""]


class TableMaker:
    """Makes the tables."""

    def __init__(self, contract):
        self.contract = contract
        # These enumerations have tables of their own, so that no register lists their values.
        self.tabled = {item["of"] for header in contract.headers for item in header["items"]
                       if "table" in item and "of" in item}

        # So do these words.
        self.prefixes = {word["prefix"] for word in contract.words.values()
                         if "table" in word and "prefix" in word}

    def values(self, name):
        """Returns the values of an enumeration of SystemRDL as the manual lists them."""
        return ", ".join("%d %s" % (value["value"], value["desc"])
                         for value in self.contract.enums[name])

    def meaning(self, member):
        """Returns what a register means: fields, what it is, when it is valid."""
        parts = []
        for field in [] if member.word and member.word in self.prefixes else member.fields:
            values = self.values(field["enum"]) if field["enum"] and \
                field["enum"] not in self.tabled else ""
            text = ": ".join(part for part in (field["desc"], values) if part)
            if field["name"] != "value":
                name = field["name"] + ": " if field["name"].isupper() else ""
                text = bits(field) + " " + name + text
            parts += [text] if text else []
        text = "; ".join(parts + ([member.desc] if member.desc else []))
        return text + (". Valid %s" % member.valid if member.valid else "")

    @staticmethod
    def reset(member):
        """Returns the value of a register after power-on and FLR."""
        value = value_of_reset(member)
        if value is None:
            return "-"
        return "%d" % value if value < 10 else "0x%08x" % value

    def page(self, page):
        """Returns the lines of the table of a page, and of drawings of its registers."""
        rows, drawings = [], []
        for member in page.members:
            if member.reserved:
                continue
            rows.append(["0x%02x" % member.offset, "%d" % member.size, "``%s``" % member.alias,
                         self.reset(member), ", ".join(member.duties), self.meaning(member)])
            if len(member.fields) > 1:
                drawings += [member.alias] + drawing.word(member.fields, 8 * member.width) + [""]
        lines = table(["Offset", "Size", "Name", "Reset", "Duties", "Meaning"], rows,
                      {"Duties": 16}) + [""]
        return lines + (literal(drawings[:-1]) if drawings else [])

    @staticmethod
    def rows(item):
        """Returns the lines of a table of statuses or errors."""
        rows = [["%d" % value["value"], value["name"], value.get("desc", "")]
                for value in item["values"]]
        if "first_name" in item:
            rows.insert(0, ["0", item["first_name"], ""])
        return table(["Code", "Name", "Cause"], rows) + [""]

    def member(self, member):
        """Returns the cells of a member of a structure in memory, without its writer."""
        name = "reserved" if member.reserved else "``%s``" % (member.alias or member.name)
        meaning = "0" if member.reserved and not member.desc else self.meaning(member)
        return ["0x%02x" % member.offset, member.bytes or "%d" % member.size, name,
                ", ".join(member.duties), meaning]

    def structs(self, items):
        """Returns the lines of the table of one structure, or of several that follow each other,
        and of drawings of them."""
        head, rows, drawings = ["Offset", "Size", "Name", "Duties", "Meaning"], [], []
        structs = [self.contract.structs[item["struct"]] for item in items]
        for struct in structs:
            rows += [self.member(member) + [struct.writer] for member in struct.members]
            drawings += drawing.structure(struct)[2 if drawings else 0:]
        for member in (member for struct in structs for member in struct.members):
            if len(member.fields) > 1 and member.word and member.word not in self.prefixes:
                drawings += ["", member.name] + drawing.word(member.fields, 8 * member.width)
        rows += [item["behind"] + [structs[-1].writer] for item in items if "behind" in item]
        if len({struct.writer for struct in structs}) > 1:
            head.insert(3, "Writer")
            rows = [row[:3] + [row[-1]] + row[3:] for row in rows]
        return table(head, [row[:-1] for row in rows], {"Duties": 16}) + [""] + literal(drawings)

    @staticmethod
    def word(item):
        """Returns the lines of the table of a word, and of a drawing of it."""
        rows = []
        for field in item["fields"][::-1 if item.get("order") == "up" else 1]:
            cells = {**field, "place": bits(field), "is": field.get("is", ""),
                     "duties": ", ".join(field.get("duties", []))}
            rows.append(["%s" % cells[key] for key in item["columns"].values()])
        lines = drawing.word(item["fields"], item["width"])
        fits = len(lines[1]) <= COLUMNS
        return table(list(item["columns"]), rows) + [""] + (literal(lines) if fits else [])


    @staticmethod
    def algorithms(group):
        """Returns the lines of the table of a group of algorithms."""
        rows = [["%s" % row.get(key, 0) for key in group["columns"].values()]
                for row in group["rows"]]
        return table(list(group["columns"]), rows) + [""]

    @staticmethod
    def plain(item, rows):
        """Returns the lines of a table of rows whose keys the item's columns name."""
        cells = [["*%s*" % row[key] if "state_table" in item and key == "name" else
                  "%s" % row.get(key, "") for key in item["columns"].values()] for row in rows]
        return table(list(item["columns"]), cells) + [""]

    def transitions(self, item):
        """Returns the lines of a state table."""
        events = self.contract.names_of(item["events"]["enum"])
        results = [result for result in item["results"] if result["key"] != "code"]
        rows = []
        for cell in item["cells"]:
            states = ", ".join("*%s*" % state for state in cell["in"])
            after = "as it is" if cell["next"] == "same" else "*%s*" % cell["next"]
            if cell.get("code", "NONE") != "NONE":
                after += ", " + cell["code"]
            row = [states, ", ".join(events[event] for event in cell["by"]), after]
            for result in results:
                row.append(self.contract.names_of(result["of"]).get(cell[result["key"]], "-"))
            rows.append(row + [", ".join(cell.get("duties", [])), cell.get("desc", "")])
        head = ["State", "Event", "Next"] + [result["title"] for result in results]
        return table(head + ["Duties", "Besides"], rows,
                     {"State": 12, "Event": 17, "Next": 16, "Duties": 15}) + [""]

    @staticmethod
    def bindings(item):
        """Returns the lines of the table of nodes of the device tree."""
        rows = []
        for node in item["nodes"]:
            texts = [node["other"]] if "other" in node else []
            texts += ["``reg``: " + node["reg"]] if "reg" in node else []
            texts += ["kind %d" % node["kind"]] if "kind" in node else []
            for found in node["has"]:
                text = "%d" % node["id"] if found["c"] == "ALG_ID" and "id" in node else \
                    found["desc"]
                kind = "" if found["kind"] == "empty" else found["kind"] + ", "
                texts.append("``%s``: %s%s" % (found["name"], kind, text))
            text = "; ".join(texts) + (". Since %s" % node["since"] if "since" in node else "")
            rows.append([node["compatible"], node["often"], text])
        return table(["compatible", "Node", "Properties"], rows, {"Node": 13}) + [""]


def make(contract):
    """Returns {path: text} of the tables."""
    maker = TableMaker(contract)
    out = {name: maker.page(page) for name, page in contract.pages.items()}
    structs = {}
    for item in (item for header in contract.headers for item in header["items"]):
        out.update((group["table"], maker.algorithms(group)) for group in item.get("groups", [])
                   if "table" in group)
        if "table" not in item:
            continue
        if "listing" in item:
            head, rows = listings.make(contract, item)
            out[item["table"]] = table(head, rows, item.get("limits")) + [""]
        elif "bindings" in item:
            out[item["table"]] = maker.bindings(item)
        elif "transitions" in item:
            out[item["table"]] = maker.transitions(item)
        elif "columns" in item and "word" not in item:
            out[item["table"]] = maker.plain(item, item.get("cells") or item["values"])
        elif "struct" in item:
            structs.setdefault(item["table"], []).append(item)
        else:
            out[item["table"]] = maker.word(item) if "word" in item else maker.rows(item)
    out.update((name, maker.structs(items)) for name, items in structs.items())
    return {FOLDER + name + ".txt": HEAD + "\n".join(lines).rstrip() + "\n"
            for name, lines in out.items()}
