# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Holds the package of SystemVerilog against the C headers, and prints TAP. It reads both as their
compilers do and knows nothing of the generator: each number of the package is that of C of its
name, each packed structure has the places of the structure in C, and a simulated design reads the
bytes of the manual's first request."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

from elftools.elf.elffile import ELFFile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
HEADERS = os.path.join(ROOT, "lib", "accel_hw")
PACKAGE = os.path.join(HEADERS, "accel_hw_pkg.sv")
REQUEST = os.path.join(ROOT, "doc", "hardware", "first-request.txt")
# Registers have offsets, reset values and fields in the package, and structures in C.
REGISTER = re.compile(r"ACCEL_HW_[A-Z0-9_]+_(OFFSET|RESET)$")


def run(*command):
    """Runs a program and returns what it prints."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
    if result.returncode != 0:
        raise RuntimeError("%s: %s" % (command[0], result.stdout))
    return result.stdout


def package_numbers(text):
    """Returns {name: value} of the package."""
    return {name: int(value, 16) for name, value in re.findall(
        r"localparam logic \[\d+:0\] (\w+)\s*= \d+'h([0-9a-f]+);", text)}


def c_numbers(names, folder):
    """Returns {name: value} of those names that C has, as unsigned numbers of the size of C."""
    source = os.path.join(folder, "numbers.c")
    header = '#include "accel_hw.h"\n#include <stdio.h>\n'
    enumerators = set(re.findall(r"\bACCEL_HW_\w+", run("gcc", "-E", "-P", "-x", "c", "-I", HEADERS,
                                                       os.path.join(HEADERS, "accel_hw.h"))))
    macros = set(re.findall(r"#define (\w+) ", run("gcc", "-dM", "-E", "-x", "c", "-I", HEADERS,
                                                   os.path.join(HEADERS, "accel_hw.h"))))
    known = [name for name in names if name in enumerators | macros]
    with open(source, "w", encoding="utf-8") as file:
        file.write(header + "int main(void)\n{\n" + "".join(
            '\tprintf("%s %%llx\\n", sizeof(%s) == 8 ? (unsigned long long)(%s) : '
            "(unsigned long long)(uint32_t)(%s));\n" % (name, name, name, name)
            for name in known) + "}\n")
    program = os.path.join(folder, "numbers")
    run("gcc", "-std=c11", "-I", HEADERS, "-o", program, source)
    return {name: int(value, 16) for name, value in re.findall(r"(\w+) (\w+)\n", run(program))}


def package_places(text):
    """Returns {structure: {member: (offset, bytes)}} of the packed structures, whose members are
    whole bytes."""
    found, sizes = {}, {}
    for body, name in re.findall(r"typedef struct packed \{\n(.*?)\n\t\} (\w+);", text, re.S):
        members = re.findall(r"^\s*(\w+)((?:\s*\[\d+:0\])*) (\w+);", body, re.M)
        place, places = 0, {}
        for kind, dimensions, member in members[::-1]:
            size = 1 if kind == "logic" else sizes[kind]
            for high in re.findall(r"\d+(?=:0)", dimensions):
                size *= int(high) + 1
            places[re.sub(r"^(context|sequence|soft|type)_$", r"\1", member)] = (place, size)
            place += size
        sizes[name], found[name[:-2]] = place, places
    return {name: {member: (place // 8, size // 8) for member, (place, size) in places.items()}
            for name, places in found.items() if sizes[name + "_t"] % 8 == 0}


def c_places(names, folder):
    """Returns the same of those structures that C has, from what the debugger would see."""
    source, program = os.path.join(folder, "places.c"), os.path.join(folder, "places.o")
    with open(source, "w", encoding="utf-8") as file:
        file.write('#include "accel_hw.h"\n' + "".join(
            "struct %s value_%s;\n" % (name, name) for name in names))
    run("gcc", "-std=c11", "-g", "-c", "-I", HEADERS, "-o", program, source)
    with open(program, "rb") as file:
        tree = ELFFile(file).get_dwarf_info()
        dies = [die for unit in tree.iter_CUs() for die in unit.iter_DIEs()
                if die.tag == "DW_TAG_structure_type" and "DW_AT_name" in die.attributes]
        out = {}
        for die in dies:
            size = die.attributes["DW_AT_byte_size"].value
            members = [(child.attributes["DW_AT_name"].value.decode(),
                        child.attributes["DW_AT_data_member_location"].value)
                       for child in die.iter_children() if child.tag == "DW_TAG_member"]
            ends = [offset for _, offset in members[1:]] + [size]
            out[die.attributes["DW_AT_name"].value.decode()] = {
                name: (offset, end - offset) for (name, offset), end in zip(members, ends)}
    return out


def compare_numbers(text, folder):
    """Returns what differs between the numbers."""
    ours = package_numbers(text)
    theirs = c_numbers(ours, folder)
    wrong = ["%s is %#x, in C %#x" % (name, ours[name], value)
             for name, value in theirs.items() if ours[name] != value]
    wrong += [name + " is not in C" for name in ours
              if name not in theirs and not REGISTER.match(name)]
    return wrong + ([] if len(theirs) > 300 else ["only %d numbers were compared" % len(theirs)])


def compare_places(text, folder):
    """Returns what differs between the structures."""
    ours = package_places(text)
    with open(os.path.join(folder, "all.c"), "w", encoding="utf-8") as file:
        file.write('#include "accel_hw.h"\n')
    known = set(re.findall(r"^struct (\w+) \{", run("gcc", "-E", "-P", "-I", HEADERS,
                                                   os.path.join(folder, "all.c")), re.M))
    names = sorted(known & ours.keys())
    theirs = c_places(names, folder)
    wrong = ["%s.%s is at %s, in C at %s" % (name, member, ours[name].get(member), place)
             for name in names for member, place in theirs[name].items()
             if ours[name].get(member) != place]
    return wrong + ([] if len(names) >= 10 else ["only %d structures were compared" % len(names)])


def compare_registers(text, folder):
    """Returns registers of the package that are elsewhere in the structures of C's pages."""
    numbers, wrong, compared = package_numbers(text), [], 0
    pages = ("identity", "control", "qp_host", "qp_device", "health", "vf_resources", "mailbox",
             "vf_answer", "vf_status")
    places = c_places(["accel_hw_" + page for page in pages], folder)
    for page in pages:
        for member, (offset, _) in places["accel_hw_" + page].items():
            name = "ACCEL_HW_%s_%s_OFFSET" % (page.upper(), member.upper())
            compared += name in numbers
            if numbers.get(name, offset) != offset or (
                    name not in numbers and not member.startswith("reserved")):
                wrong.append("%s is %s, in C %#x" % (name, numbers.get(name), offset))
    return wrong + ([] if compared > 70 else ["only %d registers were compared" % compared])


def memory_of(text, word, address, size):
    """Returns the bytes at an address in the file of the first request, by `memory` or `expect`, as
    a number whose lowest bits are the first byte. Of several lines the last one counts."""
    data = bytearray(size)
    for at, line in re.findall(r"^%s (0x\w+): ([0-9a-f ]+)$" % word, text, re.M):
        start, part = int(at, 16) - address, bytes.fromhex(line)
        if 0 <= start < size:
            data[start:start + len(part)] = part
    return int.from_bytes(data[:size], "little")


def simulate(folder):
    """Returns what the simulated design finds wrong with the first request."""
    with open(REQUEST, encoding="utf-8") as file:
        text = file.read()
    given = {"COMMAND": (512, memory_of(text, "memory", 0x100140, 64)),
             "COMMAND_FRAGMENT": (64, memory_of(text, "memory", 0x100008, 8)),
             "SOURCE_FRAGMENT": (64, memory_of(text, "memory", 0x100010, 8)),
             "RESPONSE": (128, memory_of(text, "expect", 0x100080, 16)),
             "LINE": (128, memory_of(text, "await", 0x100100, 16)),
             "DOORBELL": (64, int(re.findall(r"^write64 0x3040 (\w+)", text, re.M)[-1], 16)),
             "START": (64, int(re.findall(r"^write32 0x3000 (\w+)", text, re.M)[0], 16))}
    program = os.path.join(folder, "first_request.vvp")
    run("iverilog", "-g2012", "-Wall", "-s", "first_request", "-o", program,
        *["-Pfirst_request.%s=%d'h%x" % (name, bits, value)
          for name, (bits, value) in given.items()],
        PACKAGE, os.path.join(os.path.dirname(os.path.abspath(__file__)), "first_request.sv"))
    lines = run("vvp", "-n", program).splitlines()
    return [] if lines and lines[-1] == "0 wrong" else lines or ["the simulation printed nothing"]


def main():
    """Runs the tests."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with open(PACKAGE, encoding="utf-8") as file:
        text = file.read()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        tests = [("numbers of the package are those of C", lambda: compare_numbers(text, folder)),
                 ("structures have the places of C", lambda: compare_places(text, folder)),
                 ("registers have the places of C", lambda: compare_registers(text, folder)),
                 ("a design reads the first request", lambda: simulate(folder))]
        print("1..%d" % len(tests))
        for number, (title, test) in enumerate(tests, 1):
            try:
                wrong = test()
            except (RuntimeError, OSError) as error:
                wrong = [str(error)]
            print("%s %d - %s" % ("not ok" if wrong else "ok", number, title))
            for line in wrong:
                print("# " + line.replace("\n", "\n# "))
            failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
