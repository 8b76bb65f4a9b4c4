# SPDX-License-Identifier: BSD-3-Clause
"""Checks the rooms of a house. A house is a folder whose README.md has a table with a line for each
of its rooms, lower rooms first: what the room holds, and which rooms above it in the table it may
include. A room is a folder, "." for the files at the top, or single files of the top, as public
headers are."""

import os
import re

# (folder, the most files that one of its folders may have)
HOUSES = [
    ("drivers/crypto/accel", 18),
    ("lib/accel_model", 18),
    ("app/accel-conformance", 18),
    ("app/accel-tool", 18),
    ("test/bench", 18),
    ("test/unit", 18),
    ("tools/py", 18),
]
CODE = (".c", ".h", ".py")
# What a line includes: C's header, or modules of Python.
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"|\s*from\s+([\w.]+)\s+import\s+(.+)|'
                     r'\s*import\s+(.+)')


def included(line):
    """Returns what a line may include. Each is a list of names of files, paths or the ends of
    them, of which the first that is there counts: a folder's module before a name in a module."""
    match = INCLUDE.match(line)
    if not match:
        return []
    if match[1]:
        return [[match[1]]]
    names = re.findall(r"([\w.]+)(?:\s+as\s+\w+)?", match[4] or match[3])
    if match[2]:
        names = [[match[2] + "." + name, match[2]] for name in names]
    else:
        names = [[name] for name in names]
    return [[name.replace(".", "/") + ".py" for name in each] for each in names]


def find(name, folder, paths):
    """Returns the paths that a name stands for, seen from a folder: the file beside it, or any of
    the house whose path ends so, since folders of includes make the way to it."""
    beside = os.path.normpath(os.path.join(folder, name))
    if beside in paths:
        return [beside]
    return [path for path in paths if path == name or path.endswith("/" + name)]


def arrows(sources):
    """Yields (path, line number, path that it includes) of {path in the house: text}."""
    for path, text in sources.items():
        for number, line in enumerate(text.splitlines(), 1):
            # C includes C, and Python imports Python.
            for names in included(line):
                if names[0].endswith(".py") != path.endswith(".py"):
                    continue
                found = [find(name, os.path.dirname(path), sources) for name in names]
                for other in next((others for others in found if others), []):
                    yield path, number, other


def circles(graph):
    """Finds circles in {unit: {unit that it includes: place}}."""
    found, done = [], set()

    def visit(unit, path):
        if unit in path:
            ring = path[path.index(unit):] + [unit]
            found.append(" -> ".join(os.path.basename(u) for u in ring) + " (" +
                         ", ".join(graph[a][b] for a, b in zip(ring, ring[1:])) + ")")
            return
        if unit in done:
            return
        for other in sorted(graph[unit]):
            visit(other, path + [unit])
        done.add(unit)

    for unit in sorted(graph):
        visit(unit, [])
    return found


def table(text, title):
    """Returns ({room: rooms that it may include}, messages) of the table of a README."""
    may, found = {}, []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 3 or not re.fullmatch(r"`[^`]+`(?:, `[^`]+`)*", cells[0]):
            continue
        above, named = set(may), set(re.findall(r"`([^`]+)`", cells[2]))
        if not named and cells[2] not in ("-", "all"):
            found.append("%s: %s: %r is neither rooms, nor all, nor -" % (title, cells[0],
                                                                         cells[2]))
        found += ["%s: %s: there is no room %s above it" % (title, cells[0], room)
                  for room in sorted(named - above)]
        for room in re.findall(r"`([^`]+)`", cells[0]):
            may[room] = above if cells[2] == "all" else named
    return may, found


def check_house(files, house, most):
    """Returns what is wrong with one house of {path: text}."""
    readme = house + "/README.md"
    if readme not in files:
        return [readme + " is missing, which says what the rooms may include"]
    may, found = table(files[readme], readme)
    sources = {path[len(house) + 1:]: text for path, text in files.items()
               if path.startswith(house + "/") and path.endswith(CODE)}
    folders = {}
    for path in sources:
        folders.setdefault(os.path.dirname(path) + "/" if "/" in path else ".", []).append(path)
    room_of = {path: path if path in may else folder
               for folder, paths in folders.items() for path in paths}
    found += ["%s: no line for %s" % (readme, room)
              for room in sorted(set(room_of.values()) - set(may))]
    found += ["%s: nothing is in %s" % (readme, room)
              for room in may if room not in room_of.values()]
    found += ["%s/%s: %d files, at most %d are in a room" % (house, folder, len(paths), most)
              for folder, paths in sorted(folders.items()) if len(paths) > most]
    # A source file and the header of its name are one unit, so that circles through both count.
    unit_of = {path: os.path.splitext(path)[0] for path in sources}
    graph = {unit: {} for unit in unit_of.values()}
    for path, number, other in arrows(sources):
        room, goal, at = room_of[path], room_of[other], "%s/%s:%d" % (house, path, number)
        if room != goal and room in may and goal not in may[room]:
            found.append("%s: the room %s may not include %s of %s" % (at, room, other, goal))
        if unit_of[path] != unit_of[other]:
            graph[unit_of[path]].setdefault(unit_of[other], at)
    return found + circles(graph)


def check(files):
    """Returns what is wrong with the houses."""
    return [message for house, most in HOUSES for message in check_house(files, house, most)]


HOUSE = {
    "house/README.md": "| room | holds | may include |\n|---|---|---|\n"
                       "| `public.h` | for all | - |\n"
                       "| `low/` | what needs nothing | - |\n"
                       "| `middle/` | needs what is low | `public.h`, `low/` |\n"
                       "| `.` | the top | all |\n",
    "house/public.h": "",
    "house/low/a.h": "",
    "house/low/a.c": '#include "a.h"\n#include "other/b.h"\n#include "far.h"\n',
    "house/low/tool.py": "import os\n",
    "house/middle/b.h": '#include "low/a.h"\n#include "public.h"\n',
    "house/middle/script.py": "import os, tool as name\nfrom middle import part\n",
    "house/middle/part.py": "",
    "house/middle/middle.py": "from middle import script\n",
    "house/top.c": '#include "b.h"\n#include "a.h"\n',
}
# What is added to the house, and what the check says of it.
FAULTS = {
    "an arrow upwards": ({"low/c.h": '#include "b.h"\n'}, "low/ may not include middle/b.h"),
    "an arrow upwards in Python": ({"low/c.py": "from script import run\n"},
                                   "low/ may not include middle/script.py"),
    "an arrow upwards to a module of a folder": ({"low/c.py": "from middle import script\n"},
                                                 "low/ may not include middle/script.py"),
    "an arrow to a room that is not listed": ({"low/c.h": '#include "public.h"\n'},
                                              "low/ may not include public.h"),
    "an arrow to the top": ({"middle/c.h": '#include "../top.h"\n', "top.h": ""},
                            "middle/ may not include top.h"),
    "a circle": ({"low/c.h": '#include "d.h"\n', "low/d.h": '#include "c.h"\n'}, "c -> d -> c"),
    "a circle through a header and its source file": (
        {"low/c.h": "", "low/c.c": '#include "d.h"\n', "low/d.h": '#include "c.h"\n'},
        "c -> d -> c"),
    "a folder without a line": ({"new/c.h": ""}, "no line for new/"),
    "a folder in a room without a line": ({"low/new/c.h": ""}, "no line for low/new/"),
    "a full room": ({"low/%d.c" % i: "" for i in range(2)}, "low/: 5 files, at most 4"),
    "a line without a folder": ({"README.md": HOUSE["house/README.md"] + "| `c/` | - | - |\n"},
                                "nothing is in c/"),
    "a room that may include one below it in the table": (
        {"README.md": HOUSE["house/README.md"].replace("nothing | -", "nothing | `middle/`")},
        "there is no room middle/ above it"),
    "a line that is not understood": (
        {"README.md": HOUSE["house/README.md"].replace("nothing | -", "nothing | some")},
        "neither rooms, nor all"),
}


def check_faults():
    """Checks that a house in order passes, and that each fault of one is found."""
    found = ["a house in order: " + message for message in check_house(HOUSE, "house", 4)]
    for title, (added, wanted) in FAULTS.items():
        files = dict(HOUSE, **{"house/" + path: text for path, text in added.items()})
        messages = check_house(files, "house", 4)
        if not any(wanted in message for message in messages):
            found.append("%s is not found, but: %s" % (title, messages))
    without = {path: text for path, text in HOUSE.items() if not path.endswith(".md")}
    if not check_house(without, "house", 4):
        found.append("a house without README.md passes")
    return found


CHECKS = {
    "the check of rooms finds what is wrong": check_faults,
}
