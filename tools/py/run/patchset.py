# SPDX-License-Identifier: BSD-3-Clause
"""Puts one part of the driver after the other into a DPDK tree, for tools/patchset. A part has the
source files that its goals need and earlier parts lack, as the includes say, and what belongs to
them in DPDK's own files.

patchset.py parts             the names of the parts, in order
patchset.py put PART TREE WHO puts a part into the tree; prints the message of its commit.
                              WHO is "Name <address>" """

import argparse
import bisect
import os
import re
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import picture_files
from base.manual_text import MANUAL, expand
from checks import checks, tree
from contract.c_header import GENERATED

DRIVER = checks.DRIVER
GUIDES = "doc/guides/cryptodevs/"
# Units of source that a part is made for; None: all that is left.
PARTS = {
    "base": ["accel_args", "accel_capabilities", "accel_devtree_alg", "accel_devtree_pk"],
    "function": ["accel_function", "accel_pci_config"],
    "sessions": ["accel_security", "accel_session"],
    "enqueue": ["accel_enqueue"],
    "dequeue": ["accel_dequeue"],
    "raw": ["accel_raw"],
    "queues": ["accel_queue_setup"],
    "pci": None,
    "vdev": None,
    "tests": [],
}
MESSAGES = {
    "base": """crypto/accel: introduce accelerator driver

The device is a lookaside crypto accelerator on PCIe. It describes itself
in a device tree, and its DMA engine works on rings of 64-bit descriptors.
Add the interface of the hardware, device arguments and logs, the reader of
the device tree, the capabilities that follow from it, the guide of the
driver and the manual of the device.""",
    "function": """crypto/accel: add reset of a function

A function is taken over, reset and watched through registers that have one
writer each. A function that does not answer is cut off from the bus.""",
    "sessions": """crypto/accel: add sessions

A session is a context in host memory, which the device reads, and a
template of the commands that name it. Security sessions do the same for
PDCP and DOCSIS.""",
    "enqueue": """crypto/accel: add enqueue

Operations of one segment and of several have a fast path each. All others
are built by the slow path.""",
    "dequeue": """crypto/accel: add dequeue

Responses become the status of an operation. A queue pair whose device
does not answer in time gives its operations back with an error. It can be
reset.""",
    "raw": """crypto/accel: add raw data path

The raw API uses the builders of the other enqueue functions.""",
    "queues": """crypto/accel: add queue pairs

Add the memory of a queue pair, its start, stop and reset.""",
    "pci": """crypto/accel: add PCI device

Register the driver, probe PCI functions and share them with secondary
processes.""",
    "vdev": """crypto/accel: add embedded device

The reference model of the device can run inside the process, as a virtual
device. The model is an external library, which is optional.""",
    "tests": """test/crypto: add accelerator driver

Add the commands of the driver for operations and for the raw data path.""",
}
MAINTAINERS = """Accelerator Crypto
M: %s
F: drivers/crypto/accel/
F: doc/guides/cryptodevs/accel.rst
F: doc/guides/cryptodevs/accel_*.rst
F: doc/guides/cryptodevs/features/accel.ini
F: doc/guides/cryptodevs/img/accel_*.svg

"""
RELEASE_NOTE = """* **Added crypto_accel driver.**

  Added a driver for lookaside crypto accelerators on PCIe
  and for a reference device inside the process.
  See the :doc:`../cryptodevs/accel` guide for more details.
"""


def sources(wanted, done):
    """{name in the DPDK tree: text} of the source files that a part adds."""
    files = {name: tree.read(name) for name in tree.list_files()}
    files = {name: text for name, text in files.items() if text is not None}
    graph = checks.includes_of(files)
    units = {unit for unit in graph if unit.startswith(DRIVER)}
    goals = {os.path.basename(unit): unit for unit in units}
    chosen = set()

    def take(unit):
        if unit not in chosen:
            chosen.add(unit)
            for other in graph[unit]:
                take(other)

    for part in wanted:
        for goal in PARTS[part] or []:
            if goal not in goals:
                sys.exit("patchset.py: there is no %s any more; change its table" % goal)
            take(goals[goal])
        if part == "vdev" or part == "pci":
            for unit in units:
                if part == "vdev" or "/vdev/" not in unit:
                    take(unit)
    result = {}
    for name, text in files.items():
        if name.endswith((".c", ".h")) and name.rsplit(".", 1)[0] in chosen:
            # In DPDK's tree the contract's headers are sources.
            text = text.replace(" *\n * %s\n" % GENERATED, "")
            result[name.replace("lib/accel_hw/", DRIVER + "hw/")] = text
    if "vdev" in wanted:
        result[DRIVER + "vdev/meson.build"] = files[DRIVER + "vdev/meson.build"]
    return {name: text for name, text in result.items() if name not in done}


def meson_build(text, present, tree_meson):
    """The driver's meson.build without what the tree does not have yet, or has no use for."""
    lines = []
    for line in text.splitlines(keepends=True):
        name = re.search(r"'((?:\w+/)?(?:accel|rte)_\w+\.[ch])'", line)
        room = re.fullmatch(r" +'(\w+)',\n", line)
        if name and DRIVER + name[1] not in present:
            continue
        if room and not any(path.startswith(DRIVER + room[1] + "/") for path in present):
            continue
        lines.append(line)
    text = "".join(lines)
    if DRIVER + "vdev/meson.build" not in present:
        text = re.sub(r"\n# The embedded device.*?\nendif\n", "", text, flags=re.DOTALL)
    old, new = "pmd_supports_disable_iova_as_pa", "require_iova_in_mbuf"
    other = new if old in tree_meson else old
    return re.sub(r"# DPDK 22.11 has the other name.*\n", "",
                  re.sub(other + r" = \w+\n", "", text))


def for_version(text, version):
    """Source without the lines for other DPDK versions."""
    lines, stack = [], []
    for line in text.splitlines(keepends=True):
        match = re.match(r"#if RTE_VERSION >= RTE_VERSION_NUM\((\d+), (\d+), \d+, \d+\)$", line)
        word = re.match(r"#\s*(if|else|endif)", line)
        if match:
            stack.append(version >= (int(match[1]), int(match[2])))
            continue
        if word and word[1] == "if":
            stack.append(None)
        elif word and stack[-1] is not None and word[1] == "else":
            stack[-1] = not stack[-1]
            continue
        elif word and word[1] == "endif" and stack.pop() is not None:
            continue
        if False not in stack:
            lines.append(line)
    return "".join(lines)


def manual_page():
    """The manual as one file, with the tables and the listing that it includes. Its pictures are
    files beside it, of which DPDK makes such of another form for its own PDF."""
    listing = re.compile(r"^\.\. literalinclude:: (\S+)\n   :language: (\w+)\n", re.MULTILINE)
    folder = os.path.dirname(MANUAL) + "/"
    return listing.sub(lambda match: ".. code-block:: %s\n\n%s" % (
        match[2], re.sub(r"^(?=.)", "   ", tree.read(folder + match[1]), flags=re.MULTILINE)),
                       re.sub(r"^(\.\. figure:: \S+\.)svg$", r"\1*", expand(tree.read),
                              flags=re.MULTILINE))


def guide_page(name):
    """A page of the guide as DPDK has it: with the manual beside it, without links to guides that
    DPDK does not have, and in no table of contents but by the first page."""
    text = re.sub(r":doc:`[^`]*<\.\./\.\./hardware/manual>`", ":doc:`accel_manual`",
                  tree.read(name))
    text = text.replace("``doc/hardware/manual.rst``", ":doc:`accel_manual`")
    text = re.sub(r":doc:`([^`<]*) <\.\./[^`]*>`", r"*\1*", text)
    text = re.sub(r":doc:`\.\./([^`]*)`", r"``\1``", text)
    if name != GUIDES + "accel.rst":
        text = text.replace("\n\n", "\n\n:orphan:\n\n", 1)
    return text


class Tree:
    """A DPDK tree that is changed."""

    def __init__(self, root):
        self.root = root
        year, month = re.match(r"(\d+)\.(\d+)", self.read("VERSION")).groups()
        self.version = (int(year), int(month))
        self.release_note = "doc/guides/rel_notes/release_%s_%s.rst" % (year, month)

    def has(self, name):
        """Whether there is such a file."""
        return os.path.isfile(os.path.join(self.root, name))

    def read(self, name):
        """The text of a file."""
        with open(os.path.join(self.root, name), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        """A file with that text."""
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def insert(self, name, pattern, text):
        """Puts text before the first match of a pattern."""
        old = self.read(name)
        match = re.search(pattern, old, re.MULTILINE)
        if not match:
            sys.exit("patchset.py: %s has no place for %r" % (name, text.split("\n", 1)[0]))
        self.write(name, old[:match.start()] + text + old[match.start():])

    def put_sources(self, part):
        """The source files of a part, and meson.build for those that are there now."""
        names = list(PARTS)
        before = names[:names.index(part)]
        present = dict.fromkeys(sources(before, ()))
        new = sources(before + [part], present)
        for name, text in new.items():
            self.write(name, for_version(text, self.version) if name == checks.COMPAT else text)
        present.update(new)
        tree_meson = self.read("drivers/meson.build")
        self.write(DRIVER + "meson.build",
                   meson_build(tree.read(DRIVER + "meson.build"), present, tree_meson))
        if part == "pci" and "version.map" in tree_meson:
            self.write(DRIVER + "version.map", tree.read(DRIVER + "version.map"))

    def put_guide(self, who):
        """The guide, the manual, who maintains them and the driver."""
        for name in tree.list_files():
            if re.fullmatch(GUIDES + r"accel\w*\.rst", name):
                self.write(name, guide_page(name))
        licence, rest = manual_page().split("\n\n", 1)
        self.write(GUIDES + "accel_manual.rst", licence + "\n\n:orphan:\n\n" + rest)
        for picture in picture_files.sources(tree.list_files()).values():
            self.write(GUIDES + "img/" + os.path.basename(picture), tree.read(picture))
        self.insert(GUIDES + "index.rst", r"^    aesni_mb$", "    accel\n")
        self.insert("MAINTAINERS", r"^AMD CCP Crypto$", MAINTAINERS % who)
        if self.has(".mailmap"):
            people = self.read(".mailmap").splitlines(keepends=True)
            if who + "\n" not in people:
                bisect.insort(people, who + "\n", key=str.lower)
                self.write(".mailmap", "".join(people))

    def put_feature(self):
        """The table of features and the release note."""
        self.write(GUIDES + "features/accel.ini", tree.read(GUIDES + "features/accel.ini"))
        self.insert(self.release_note, r"\n+^Removed Items$", "\n\n" + RELEASE_NOTE)


def main():
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("parts")
    put = commands.add_parser("put")
    put.add_argument("part", choices=PARTS)
    put.add_argument("tree")
    put.add_argument("who")
    args = parser.parse_args()
    if args.command == "parts":
        print("\n".join(PARTS))
        return
    target = Tree(args.tree)
    if args.part != "tests":
        target.put_sources(args.part)
    if args.part == "base":
        target.put_guide(args.who)
    if args.part == "pci":
        target.put_feature()
    print(MESSAGES[args.part])


if __name__ == "__main__":
    main()
