#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Injected bugs for the soak test: puts all of test/soak/bugs.txt into a copy of the source, each
behind a number that the environment chooses, and runs accel-soak against each. tools/soak calls
it."""
import argparse
import os
import subprocess
import sys
import time

if __name__ == '__main__':  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from faults import mutation_list

LIST = 'test/soak/bugs.txt'
CHOOSER = 'lib/accel_model/card.c'
LEAST_BUGS = 10


def fits(root):
    """Checks that each bug fits the source. @return the exit code."""
    bugs = mutation_list.read_list(os.path.join(root, LIST))
    wrong = mutation_list.wrong_entries(root, bugs)
    if len(bugs) < LEAST_BUGS:
        wrong.append(f'{len(bugs)} bugs, at least {LEAST_BUGS} are wanted')
    print('\n'.join(wrong) or f'{len(bugs)} bugs fit the source')
    return bool(wrong)


def source(root, build):
    """Makes the source with all bugs. @return the exit code."""
    if fits(root):
        return 1
    mutation_list.make_source(root, os.path.join(build, 'soak-bugs-source'),
                              mutation_list.read_list(os.path.join(root, LIST)), CHOOSER)
    return 0


def soak(command, number):
    """Runs the soak test. @return (why it failed or None, operations, seconds)."""
    begin = time.monotonic()
    run = subprocess.run(command, env=dict(os.environ, ACCEL_MUTANT=str(number)), check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         errors='replace')
    lines = run.stdout.splitlines()
    why = [line for line in lines if 'FAILED' in line or 'which grows' in line]
    counts = [line.split()[2] for line in lines if ' operations came back' in line]
    return ((why or [f'it ended with code {run.returncode}'])[0].strip() if run.returncode != 0
            else None, int(counts[-1]) if counts else 0, time.monotonic() - begin)


def hunt(root, names, command):
    """Lets the soak test look for each bug. @return the exit code."""
    why, operations, seconds = soak(command, 0)
    if why is not None:
        sys.exit(f'the source without a bug does not pass: {why}')
    print(f'the source without a bug passes: {operations} operations, {seconds:.0f} s', flush=True)
    pairs = mutation_list.chosen(mutation_list.read_list(os.path.join(root, LIST)), names)
    missed = 0
    for number, bug in pairs:
        why, operations, seconds = soak(command, number)
        missed += why is None
        print(f'{bug.name:28} {bug.about:6} {operations:9} operations {seconds:4.0f} s  '
              f'{why or "NOT FOUND"}', flush=True)
    print(f'{len(pairs) - missed} passed, {missed} failed')
    return missed != 0


def main():
    """Reads the arguments."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--root', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('what', choices=('fits', 'source', 'hunt'))
    parser.add_argument('--names', nargs='*', default=[])
    # What follows "--command" is not for this program.
    own, command = sys.argv[1:], []
    if '--command' in own:
        own, command = own[:own.index('--command')], own[own.index('--command') + 1:]
    arguments = parser.parse_args(own)
    if arguments.what == 'fits':
        return fits(arguments.root)
    if arguments.what == 'source':
        return source(arguments.root, arguments.build)
    return hunt(arguments.root, arguments.names, command)


if __name__ == '__main__':
    sys.exit(main())
