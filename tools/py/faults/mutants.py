#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Mutations of the reference device: reads their list, puts all of them into a copy of the
source, each behind a number that the environment chooses, and runs accel-conformance against
each. tools/mutants calls it."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

if __name__ == '__main__':  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import manual_text
from base.priority import session_nice
from faults import mutation_list

LIST = 'test/conformance/mutants.txt'
CHOOSER = 'lib/accel_model/card.c'
LEAST_FOUND = 0.95
LEAST_MUTATIONS = 60
TRIES = 3  # a mutation whose effect depends on the time may get past one run
RUN_S = 300  # a run that hangs this long counts as found: a card that hangs is broken
SLOWER = 10  # but not before it has taken this many times as long as the device without a mutation
WORKERS = 3  # runs at once on each CPU, because a third of a run's time is waiting
FIRST_RUN_S = 3600  # which has time, however busy the machine is


def read_list(root):
    """The mutations of the list."""
    return mutation_list.read_list(os.path.join(root, LIST))


def make_source(root, folder):
    """Makes the mutated copy of the source."""
    mutation_list.make_source(root, os.path.join(folder, 'mutants/source'), checked(root), CHOOSER)


def checked(root):
    """The list, if every mutation fits the source."""
    mutations = read_list(root)
    wrong = mutation_list.wrong_entries(root, mutations)
    if len(mutations) < LEAST_MUTATIONS:
        wrong.append(f'{len(mutations)} mutations, at least {LEAST_MUTATIONS} are wanted')
    manual = manual_text.expand(lambda name: pathlib.Path(root, name).read_text(encoding='utf-8'))
    wrong += [f'{mutation.name}: the manual has no [{mutation.about}]' for mutation in mutations
              if f'[{mutation.about}]' not in manual]
    if wrong:
        sys.exit('\n'.join(wrong))
    return mutations


def end(process):
    """Ends a process and all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def first_failure(process, timer):
    """Reads TAP until a test fails. Returns its line, or None if all pass."""
    plan = False
    for line in process.stdout:
        if line.startswith('not ok'):
            return line.strip()
        plan = plan or re.match(r'1\.\.\d', line) is not None
    code = process.wait()
    if timer.fired:
        return 'the run took too long'
    if code != 0 or not plan:
        return f'the program ended with code {code}'
    return None


class Timer:
    """Ends a process that hangs."""

    def __init__(self, process, seconds):
        self.fired = False
        self.process = process
        self.timer = threading.Timer(seconds, self.fire)
        self.timer.start()

    def fire(self):
        """The time is over."""
        self.fired = True
        end(self.process)

    def cancel(self):
        """The process has ended in time."""
        self.timer.cancel()


def run_one(root, folder, number, seconds, run=None, duty=None):
    """Runs the program against one mutation: all of run.sh, or one run of it, or of that only the
    tests of one duty. Returns why it was found, or None."""
    with tempfile.TemporaryDirectory(prefix='mutant') as scratch:
        command = [os.path.join(root, 'test/conformance/run.sh'),
                   os.path.join(folder, 'mutants/out/app/accel-device/accel-device'),
                   os.path.join(folder, 'release/app/accel-conformance/accel-conformance')]
        env = dict(os.environ, ACCEL_MUTANT=str(number), TMPDIR=scratch)
        if run is not None:
            command.append(run)
        if duty is not None:
            env['ACCEL_ONLY'] = duty
        with subprocess.Popen(command, env=env, cwd=scratch, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, errors='replace',
                              start_new_session=True) as process:
            session_nice(process.pid, os.getpriority(os.PRIO_PROCESS, 0))
            timer = Timer(process, seconds)
            try:
                return first_failure(process, timer)
            finally:
                timer.cancel()
                end(process)


def try_one(root, folder, number, mutation, seconds):
    """Runs the program against one mutation, again if it is not found but should be. The tests of
    the duty that it breaks mostly find it, or what the list names, so they go first: that takes a
    hundredth of the time."""
    why = run_one(root, folder, number, seconds, *(mutation.first or ('card', mutation.about)))
    if why is not None and mutation.first is None and not why.startswith('not ok'):
        why = None  # there may be no such test, so only a test that fails counts
    for _ in range(1 if mutation.survives is not None else TRIES):
        why = why or run_one(root, folder, number, seconds)
    return why


def report(mutations, results, seconds):
    """Prints the result of each, and the sum. Returns the exit code."""
    found, wrong = 0, 0
    for mutation in mutations:
        why = results[mutation.name]
        found += why is not None
        if why is not None:
            print(f'{mutation.name:32} {mutation.about:9} found: {why}')
        elif mutation.survives is not None:
            print(f'{mutation.name:32} {mutation.about:9} survives: {mutation.survives}')
        else:
            print(f'{mutation.name:32} {mutation.about:9} SURVIVES')
            wrong += 1
        if why is not None and mutation.survives is not None:
            print(f'{"":42} the list gives a reason why it survives: remove it')
            wrong += 1
    share = found / len(mutations)
    print(f'{found} of {len(mutations)} mutations found ({100 * share:.1f} %) in {seconds:.0f} s')
    failed = wrong + (len(mutations) >= LEAST_MUTATIONS and share < LEAST_FOUND)
    print(f'{len(mutations) - wrong} passed, {failed} failed')
    return failed != 0


def chosen(root, names):
    """The mutations with these names, or all; each with its number."""
    return mutation_list.chosen(read_list(root), names)


def run(root, folder, names):
    """Runs the device without a mutation, and then the chosen ones."""
    begin = time.monotonic()
    why = run_one(root, folder, 0, FIRST_RUN_S)
    if why is not None:
        sys.exit(f'the device without a mutation does not pass: {why}')
    seconds = max(RUN_S, SLOWER * (time.monotonic() - begin))
    print('the device without a mutation passes')
    pairs = chosen(root, names)
    workers = WORKERS * (os.cpu_count() or 1)
    with concurrent.futures.ThreadPoolExecutor(max_workers=workers) as pool:
        jobs = {pool.submit(try_one, root, folder, number, mutation, seconds): mutation
                for number, mutation in pairs}
        results = {}
        for job in concurrent.futures.as_completed(jobs):
            mutation = jobs[job]
            results[mutation.name] = job.result()
            good = (job.result() is None) == (mutation.survives is not None)
            print(f'    {"ok      " if good else "FAILED  "} {mutation.name}', flush=True)
    return report([mutation for _, mutation in pairs], results, time.monotonic() - begin)


def main():
    """Does what the first argument after the two folders says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('root', metavar='SOURCE')
    parser.add_argument('folder', metavar='BUILD', help='the folder of builds')
    parser.add_argument('what', choices=('check', 'names', 'source', 'run'))
    parser.add_argument('names', metavar='NAME', nargs='*', help='mutations (all)')
    args = parser.parse_args()
    root, folder, what = args.root, args.folder, args.what
    if what == 'check':
        print(f'{len(checked(root))} mutations fit the source')
    elif what == 'names':
        print('\n'.join(mutation.name for _, mutation in chosen(root, args.names)))
    elif what == 'source':
        make_source(root, folder)
    elif what == 'run':
        sys.exit(run(root, folder, args.names))


main()
