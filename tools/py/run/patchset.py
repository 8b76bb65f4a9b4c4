# SPDX-License-Identifier: BSD-3-Clause
"""Puts one patch of the series after the other into a DPDK tree, for tools/patchset. A patch has
the source files that its patterns name, the headers that these include, and what belongs to them in
DPDK's own files. series.py has the table of patches, series_guide.py the pages.

patchset.py parts TREE        the names of the patches for the tree, in order
patchset.py growing           the files of the driver that more than one patch changes
patchset.py put PART TREE WHO puts a patch into the tree; prints the message of its commit.
                              WHO is "Name <address>" """

import argparse
import bisect
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from checks import checks, tree
from contract.c_header import GENERATED
from run import series_guide, series_stage
from run.series import GROWING, LIBRARY_SINCE, PARTIAL, SERIES, WAITS

DRIVER = checks.DRIVER
GUIDES = series_guide.GUIDES
# The embedded device depends on the model, which no distribution has. It stays in this repository.
NOT_IN_SERIES = DRIVER + "vdev/"
MAINTAINERS = """Accelerator Crypto
M: %s
F: drivers/crypto/accel/
F: doc/guides/cryptodevs/accel.rst
F: doc/guides/cryptodevs/accel_*.rst
F: doc/guides/cryptodevs/features/accel.ini

"""
RELEASE_NOTE = """* **Added crypto_accel driver.**

  Added a driver for lookaside crypto accelerators on PCIe.
  See the :doc:`../cryptodevs/accel` guide for more details.
"""


def driver_files():
    """{name in this repository: text} of the driver's source files and the contract's headers."""
    found = {}
    for name in tree.list_files():
        if name.endswith((".c", ".h")) and not name.startswith(NOT_IN_SERIES) and \
                name.startswith((DRIVER, "lib/accel_hw/")):
            found[name] = tree.read(name)
    return found


def assign(files):
    """{name: index of the patch that adds it}. A file belongs to the first patch with a pattern for
    its base name, in whatever folder it is. A header comes earlier if an earlier patch includes it.
    Ends with a message if a file is in no patch, or a pattern is that of no file."""
    result, used = {}, set()
    for name in files:
        base = os.path.basename(name)
        for index, patch in enumerate(SERIES):
            match = [p for p in patch.files if fnmatch.fnmatchcase(base, p)]
            if match:
                used.add((index, match[0]))
                result[name] = index
                break
        else:
            sys.exit("patchset.py: %s is in no patch; add it to a row of SERIES in "
                     "tools/py/run/series.py" % name)
    for index, patch in enumerate(SERIES):
        for pattern in patch.files:
            if (index, pattern) not in used:
                sys.exit("patchset.py: no file of the driver is %s, which the patch %s names; "
                         "change SERIES in tools/py/run/series.py" % (pattern, patch.name))
    headers = {os.path.basename(name): name for name in files if name.endswith(".h")}

    def pull(name, index):
        for header in re.findall(r'^\s*#\s*include\s*"([^"]+)"', files[name], re.MULTILINE):
            other = headers.get(os.path.basename(header))
            if other is not None and result[other] > index:
                result[other] = index
                pull(other, index)

    for name in sorted(files, key=lambda name: result[name]):
        if os.path.basename(name) not in GROWING:
            pull(name, result[name])
    return result


def check_growing(files):
    """Ends with a message if a word that series.py has for the files that grow is not there. Its
    function would come with another patch, and nobody would see why."""
    here = {name: text for name, text in files.items() if os.path.basename(name) in GROWING}
    for word, where in [(w, here) for w in (*PARTIAL, *WAITS)] + [(w, files) for w in
                                                                  WAITS.values()]:
        if not any(word in series_stage.words(text) for text in where.values()):
            sys.exit("patchset.py: no file of the driver has %s any more; change PARTIAL or WAITS "
                     "in tools/py/run/series.py" % word)


def series_name(name):
    """The name in a DPDK tree."""
    return name.replace("lib/accel_hw/", DRIVER + "hw/")


def meson_build(text, present, tree_meson):
    """The driver's meson.build without what the tree does not have yet, or has no use for."""
    lines = []
    for line in text.splitlines(keepends=True):
        name = re.search(r"'((?:\w+/)?(?:accel|rte)_\w+\.[ch])'", line)
        room = re.fullmatch(r" +'(\w+)',\n", line)
        if line.startswith("headers = "):
            names = [n for n in re.findall(r"'(\S+)'", line) if DRIVER + n in present]
            if names:
                lines.append("headers = files(%s)\n" % ", ".join("'%s'" % n for n in names))
            continue
        if name and DRIVER + name[1] not in present:
            continue
        if room and not any(path.startswith(DRIVER + room[1] + "/") for path in present):
            continue
        lines.append(line)
    text = "".join(lines)
    text = re.sub(r"\n# The embedded device.*?\nendif\n", "", text, flags=re.DOTALL)
    text = re.sub(r"# The project's own drivers/meson.build .*\n", "", text)
    text = re.sub(r"# In the form of DPDK's .*\n", "", text)
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

    def put_sources(self, index):
        """The source files of a patch, and meson.build for those that are there now."""
        files = driver_files()
        owner = assign(files)
        present = {name for name in files if owner[name] <= index}
        growing = {name: files[name] for name in present if os.path.basename(name) in GROWING}
        for name, text in series_stage.stage(growing, files, present, PARTIAL,
                                             WAITS).items():
            self.write(name, text)
        for name, text in files.items():
            if owner[name] != index or name in growing:
                continue
            # In DPDK's tree the contract's headers are sources.
            text = text.replace(" *\n * %s\n" % GENERATED, "")
            self.write(series_name(name),
                       for_version(text, self.version) if name == checks.COMPAT else text)
        present = {series_name(name) for name in present}
        tree_meson = self.read("drivers/meson.build")
        self.write(DRIVER + "meson.build",
                   meson_build(tree.read(DRIVER + "meson.build"), present, tree_meson))
        if index == max(owner.values()) and "version.map" in tree_meson:
            self.write(DRIVER + "version.map",
                       re.sub(r"\n\t# of the embedded device.*?\n(?=\n)", "",
                              tree.read(DRIVER + "version.map"), flags=re.DOTALL))

    def put_guide(self, index):
        """The pages of the guide that are there now, and the table of features."""
        names = [page for patch in SERIES[:index + 1] for page in patch.pages]
        texts = {name: tree.read(GUIDES + name) for name in names}
        for name, text in texts.items():
            self.write(GUIDES + name, series_guide.page(name, text, texts))
        rows = {row for patch in SERIES[:index + 1] for row in patch.rows}
        if rows:
            self.write(series_guide.FEATURES,
                       series_guide.features(tree.read(series_guide.FEATURES), rows))

    def put_people(self, who):
        """The driver in the index of guides, and who maintains it."""
        self.insert(GUIDES + "index.rst", r"^    aesni_mb$", "    accel\n")
        self.insert("MAINTAINERS", r"^AMD CCP Crypto$", MAINTAINERS % who)
        if self.has(".mailmap"):
            people = self.read(".mailmap").splitlines(keepends=True)
            if who + "\n" not in people:
                bisect.insort(people, who + "\n", key=str.lower)
                self.write(".mailmap", "".join(people))

    def put_release_note(self, note):
        """A note in the notes of the coming release."""
        self.insert(self.release_note, r"\n+^Removed Items$", "\n\n" + note)

    def has_patch(self, patch):
        """Whether the tree gets a patch. Those of the library are for versions in work."""
        return patch.diff is None or self.version >= LIBRARY_SINCE

    def put_diff(self, name):
        """The changes of tools/series/NAME, for functions that come with the tree's version."""
        text = tree.read("tools/series/" + name).replace("@VERSION@", "%d.%02d" % self.version)
        git_apply(self.root, name, text)

    def check_diffs(self):
        """Ends the program if what a diff changes in the driver does not fit it any more. A tree
        that is too old for the diffs does not show that."""
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(os.path.join(tree.ROOT, DRIVER), os.path.join(copy, DRIVER))
            for patch in SERIES:
                if not self.has_patch(patch):
                    git_apply(copy, patch.diff, tree.read("tools/series/" + patch.diff),
                              "--include=" + DRIVER + "*")


def git_apply(folder, name, text, *options):
    """Applies a diff, or ends the program."""
    if subprocess.run(["git", "apply", *options, "-"], cwd=folder, input=text.encode(),
                      check=False).returncode != 0:
        sys.exit("patchset.py: tools/series/%s does not apply: the tree's library or the "
                 "driver has changed; make the diff again" % name)


def main():
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    parts = commands.add_parser("parts")
    parts.add_argument("tree")
    commands.add_parser("growing")
    put = commands.add_parser("put")
    names = [patch.name for patch in SERIES]
    put.add_argument("part", choices=names)
    put.add_argument("tree")
    put.add_argument("who")
    args = parser.parse_args()
    if args.command == "growing":
        print("\n".join(GROWING))
        return
    target = Tree(args.tree)
    if args.command == "parts":
        check_growing(driver_files())
        target.check_diffs()
        print("\n".join(patch.name for patch in SERIES if target.has_patch(patch)))
        return
    index = names.index(args.part)
    if index == 0:
        target.put_people(args.who)
    if SERIES[index].files:
        target.put_sources(index)
        target.put_guide(index)
    if SERIES[index].diff:
        target.put_diff(SERIES[index].diff)
    if SERIES[index].note:
        target.put_release_note(SERIES[index].note)
    if args.part == "probe":
        target.put_release_note(RELEASE_NOTE)
    print(SERIES[index].message)


if __name__ == "__main__":
    main()
