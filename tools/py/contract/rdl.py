# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Compiles a file of SystemRDL and prints its pages and enumerations as JSON. registers.py runs it
with the Python that has the compiler."""

import argparse
import json
import re
import sys

try:
    from systemrdl import RDLCompileError, RDLCompiler
    from systemrdl.node import FieldNode, RegNode
except ModuleNotFoundError:
    RDLCompiler = None


def words(text):
    """Returns a text of several lines as one line."""
    return re.sub(r"\s+", " ", text or "").strip()


def enum_of(kind):
    """Returns the values of an enumeration in their order."""
    return [{"name": member.name, "value": member.value, "desc": words(member.rdl_desc),
             **({"text": member.rdl_name} if member.rdl_name else {})} for member in kind]


def field_of(node, enums):
    """Returns a field of a register. Its `reset` is null if each card has a value of its own."""
    kind = node.get_property("encode")
    if kind is not None:
        enums[kind.type_name] = enum_of(kind)
    return {"name": node.inst_name, "high": node.high, "low": node.low,
            "reset": node.get_property("reset"), "enum": kind.type_name if kind else None,
            "desc": words(node.get_property("desc"))}


def register_of(node, enums):
    """Returns a register, its fields from the highest bit down."""
    fields = [field_of(field, enums) for field in node.fields()]
    return {"name": node.inst_name, "offset": node.raw_address_offset,
            "bytes": node.get_property("regwidth") // 8,
            "count": node.array_dimensions[0] if node.is_array else 1,
            "c_type": node.get_property("c_type", default=""),
            "signed": bool(node.get_property("c_signed", default=False)),
            "desc": words(node.get_property("desc")),
            "valid": words(node.get_property("valid", default="")),
            "duties": [duty for duty in
                       words(node.get_property("duties", default="")).split(", ") if duty],
            "fields": sorted(fields, key=lambda field: -field["low"])}


def page_of(node, enums):
    """Returns a page. SystemRDL's own `sw` says who writes it: software is the host."""
    registers = [child for child in node.children() if isinstance(child, RegNode)]
    access = {field.is_sw_writable for register in registers
              for field in register.children() if isinstance(field, FieldNode)}
    if len(access) != 1:
        raise SystemExit("the page %s has two writers" % node.inst_name)
    return {"name": node.inst_name, "title": node.get_property("name"),
            "section": node.get_property("section"),
            "struct": node.get_property("c_struct", default=""),
            "writer": "host" if access.pop() else "device",
            "size": node.get_property("c_size", default=0),
            "registers": [register_of(register, enums) for register in registers]}


def main():
    """Compiles the file and prints the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    path = parser.parse_args().file
    if RDLCompiler is None:
        sys.exit("this Python has no compiler of SystemRDL; tools/setup gets it from PyPI")
    enums, pages, compiler = {}, [], RDLCompiler()
    try:
        compiler.compile_file(path)
        with open(path, encoding="utf-8") as file:
            names = re.findall(r"^addrmap (\w+)", file.read(), re.M)
        for name in names:
            pages.append(page_of(compiler.elaborate(name).top, enums))
    except RDLCompileError:
        return 1
    json.dump({"enums": enums, "pages": pages}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
