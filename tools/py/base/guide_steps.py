# SPDX-License-Identifier: BSD-3-Clause
"""Reads the steps of a guide, which tools/vm-test carries out as a new user would. A step is a
block of commands below a comment that says who runs it:

  ..  vm-test: root NAME

  .. code-block:: console

guide_steps.py PAGE lists "WHO NAME", and guide_steps.py PAGE NAME prints that step's commands."""

import argparse
import re
import sys

STEP = re.compile(r"^\.\.  vm-test: (?P<who>root|user) (?P<name>[\w-]+)\n\n"
                  r"\.\. code-block:: console\n\n(?P<block>(?:(?: .*)?\n)+)", re.M)


def steps(text):
    """Returns [(who, name, commands)] in the order of the page."""
    found = []
    for match in STEP.finditer(text):
        lines = match["block"].rstrip().splitlines()
        found.append((match["who"], match["name"], "\n".join(line[3:] for line in lines) + "\n"))
    return found


def problems(text):
    """Returns what is wrong with the steps of a page: marks that mark nothing, names used twice."""
    found = steps(text)
    names = [name for _, name, _ in found]
    marks = re.findall(r"^ *\.\. *vm-test.*", text, re.M)
    wrong = ["step %s is there twice" % name for name in sorted(set(names))
             if names.count(name) > 1]
    if len(marks) != len(found):
        wrong.append("%d marks, but %d steps" % (len(marks), len(found)))
    return wrong


def main():
    """Prints the list of steps, or the commands of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page")
    parser.add_argument("name", nargs="?")
    args = parser.parse_args()
    with open(args.page, encoding="utf-8") as file:
        text = file.read()
    if args.name is None:
        for who, name, _ in steps(text):
            print(who, name)
        return 0
    for _, name, commands in steps(text):
        if name == args.name:
            sys.stdout.write(commands)
            return 0
    print("no step " + args.name, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
