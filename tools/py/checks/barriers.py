# SPDX-License-Identifier: BSD-3-Clause
"""Checks doc/notes/barriers.md: each function of driver and model that orders accesses to memory
stands in its table, and each function that the table names orders some."""

import re

TABLE = "doc/notes/barriers.md"
FOLDERS = ("drivers/crypto/accel/", "lib/accel_model/", "lib/vfio_user/")
# Where the accesses themselves are defined.
DEFINED = ("drivers/crypto/accel/base/accel_compat.h", "lib/accel_model/base/util.h")
ORDERED = re.compile(r"\brte_(?:io_)?[rw]?mb\(|\brte_atomic_thread_fence\(|\baccel_full_fence\(|"
                     r"\baccel_(?:load_acquire|store_release|fetch_add_release)\(|"
                     r"\baccel_(?:compare_)?exchange\(|"
                     r"\b(?:load|store)(?:32|64)_(?:acquire|release)\(|\bstream_end\(|"
                     r"__ATOMIC_(?:ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)\b")
NAMED = re.compile(r"`([\w/]+\.[ch]):(\w+)`")


def functions(text):
    """Yields (name, body) of each function of C text whose comments are blanked."""
    for found in re.finditer(r"^(\w+)\((?:[^;{}]|\n)*?\)\n\{\n(.*?)^\}", text,
                             re.MULTILINE | re.DOTALL):
        yield found[1], found[2]


def ordering(files, without_comments):
    """The functions that order accesses, as path:name."""
    found = set()
    for path, text in files.items():
        if not path.startswith(FOLDERS) or path in DEFINED or not path.endswith((".c", ".h")):
            continue
        if not ORDERED.search(text):
            continue
        for name, body in functions(without_comments(text)):
            if ORDERED.search(body):
                found.add("%s:%s" % (path, name))
    return found


def full_paths(files, short):
    """The path of a file by the end of it that the table has."""
    paths = [path for path in files if path.startswith(FOLDERS) and path.endswith("/" + short)]
    return paths[0] if len(paths) == 1 else None


def check(files, without_comments):
    """Returns messages."""
    table, found = files.get(TABLE), []
    if table is None:
        return [TABLE + " is missing"]
    used, named = ordering(files, without_comments), set()
    for short, name in NAMED.findall(table):
        path = full_paths(files, short)
        if path is None:
            found.append("%s: %s is not one file of driver or model" % (TABLE, short))
            continue
        named.add("%s:%s" % (path, name))
    found += ["%s: %s has no barrier, acquire or release" % (TABLE, at)
              for at in sorted(named - used)]
    found += ["%s has a barrier, acquire or release, and no row of %s says for what" % (at, TABLE)
              for at in sorted(used - named)]
    return found
