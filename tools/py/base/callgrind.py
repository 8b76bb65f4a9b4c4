# SPDX-License-Identifier: BSD-3-Clause
"""Reads the profiles that valgrind's callgrind writes: what functions cost with all that they call,
from the costs of calls. Counting by --toggle-collect is no substitute in a program that ends by a
signal: one entry without its return turns the count around."""

import collections
import glob
import os
import re

NAME = re.compile(r"^(c?fn)=\((\d+)\)(?: (.*))?$")
COST = re.compile(r"^(?:\+|-)?(?:\d+|\*) (\d+)$")
CALLS = re.compile(r"^calls=(\d+) ")
HEADER = re.compile(r"^(desc: Trigger|totals|summary|events): (.*)$")


class Profile:
    """One part of a profile."""

    def __init__(self, path):
        self.own = collections.Counter()  # by function, without what it calls
        self.calls = collections.Counter()  # by (caller, callee), their number
        self.inside = collections.Counter()  # by (caller, callee), what the calls cost
        self.header = {}
        names = {}
        caller = callee = None
        count = 0
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in map(str.rstrip, file):
                if match := COST.match(line):
                    if callee is None:
                        self.own[caller] += int(match[1])
                    else:
                        self.calls[caller, callee] += count
                        self.inside[caller, callee] += int(match[1])
                        callee = None
                elif match := NAME.match(line):
                    name = names.setdefault(match[2], match[3])
                    if match[1] == "fn":
                        caller = name
                    else:
                        callee = name
                elif match := CALLS.match(line):
                    count = int(match[1])
                elif match := HEADER.match(line):
                    self.header[match[1]] = match[2]

    @property
    def trigger(self):
        """Why valgrind wrote this part."""
        return self.header.get("desc: Trigger", "")

    def whole(self):
        """True if the costs of all functions are the sum that valgrind has written beside them."""
        return sum(self.own.values()) == int(self.header.get("totals", "-1").split()[0])

    def cost(self, function):
        """Returns what a function that was running when the part began has cost, with its calls."""
        return self.own[function] + sum(cost for (caller, _), cost in self.inside.items()
                                        if caller == function)

    def called(self, *functions):
        """Returns what calls of these functions have cost. None of them calls another one."""
        return sum(cost for (_, callee), cost in self.inside.items() if callee in functions)

    def number(self, *functions):
        """Returns the number of calls of these functions."""
        return sum(n for (_, callee), n in self.calls.items() if callee in functions)


def files_of(path):
    """Returns the numbers and names of the files of all parts of a profile."""
    ends = ((name.rsplit(".", 1)[1], name) for name in glob.glob(glob.escape(path) + ".*"))
    return sorted((int(end), name) for end, name in ends if end.isdigit())


def remove(path):
    """Removes a profile."""
    for name in [path] + [name for _, name in files_of(path)]:
        if os.path.exists(name):
            os.remove(name)


def parts(path):
    """Returns the parts of a profile in the order in which they were written, without the last one,
    which is that of the program's end."""
    return [Profile(name) for _, name in files_of(path)]
