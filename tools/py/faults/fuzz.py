# SPDX-License-Identifier: BSD-3-Clause
"""Runs the coverage-guided targets of test/fuzz, which tools/fuzz has built: from the seeds, for
hours, against injected bugs, and for a figure of coverage."""
import argparse
import concurrent.futures
import ctypes
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from faults import fuzz_coverage, mutation_list

TARGETS = 'test/fuzz/targets.txt'
SEEDS = 'test/fuzz/seeds'
BUGS = 'test/fuzz/bugs.txt'
CHOOSER = 'test/fuzz/loads.c'
BUG_S = 60  # CPU time within which a bug is found
LEAST_BUGS = 20
SLICE_S = 600  # a target fuzzes so long before the next one has its turn
COMMON = ('-len_control=0', '-rss_limit_mb=4096', '-timeout=300', '-print_final_stats=0')
NO_RANDOM_ADDRESSES = 0x0040000  # ADDR_NO_RANDOMIZE of personality(2)
ENV = {'ASAN_OPTIONS': 'detect_stack_use_after_return=1:strict_string_checks=1:'
                       'intercept_tls_get_addr=0:allocator_may_return_null=1',
       'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1'}


class Target:
    """A line of targets.txt."""

    def __init__(self, name, runs, max_len, rooms):
        self.name = name
        self.runs = int(runs)
        self.max_len = int(max_len)
        self.rooms = rooms.split(',')


class Place:
    """Where things are."""

    def __init__(self, root, build, jobs):
        self.root = root
        self.build = build
        self.jobs = jobs
        self.findings = os.path.join(build, 'fuzz-findings')

    def program(self, target, folder='fuzz'):
        """The path of a target's program."""
        return os.path.join(self.build, folder, 'test/fuzz', 'fuzz_' + target.name)

    def seeds(self, target):
        """The folder of a target's seeds, which may be missing."""
        return os.path.join(self.root, SEEDS, target.name)

    def corpus(self, target):
        """The folder of what earlier runs have found to be new."""
        path = os.path.join(self.build, 'fuzz-corpus', target.name)
        os.makedirs(path, exist_ok=True)
        return path

    def inputs(self, target):
        """Folders with inputs."""
        return [path for path in (self.corpus(target), self.seeds(target)) if os.path.isdir(path)]


def read_targets(root):
    """All targets, by name."""
    targets = {}
    with open(os.path.join(root, TARGETS), encoding='utf-8') as file:
        for line in file:
            if line.strip() and not line.startswith('#'):
                target = Target(*line.split())
                targets[target.name] = target
    return targets


def picked(root, names):
    """The targets with these names, or all."""
    targets = read_targets(root)
    missing = set(names) - set(targets)
    if missing:
        sys.exit(f'no target {" ".join(sorted(missing))}')
    return [targets[name] for name in names or targets]


def tail(text, lines=30):
    """The end of a log: from the message of the finding on."""
    rows = text.splitlines()
    for number, row in enumerate(rows):
        if 'not true:' in row or 'ERROR:' in row or 'runtime error:' in row:
            return rows[number:number + lines]
    return rows[-lines:]


def reason(text):
    """One line that says why a run ended."""
    for row in tail(text):
        for mark in ('not true:', 'runtime error:', 'ERROR:', 'SUMMARY:'):
            if mark in row:
                return re.sub(r'==\d+==\s*', '', row[row.index(mark):])[:110]
    return 'the program ended'


def fuzz(program, arguments, folders, env=None, seconds=None):
    """Runs a program of libFuzzer. With a seed it has the same addresses each time, if the machine
    allows it, because some mutations depend on them. @return (code, log, seconds of CPU time)."""
    command = [program, *COMMON, *arguments, *folders]
    libc = ctypes.CDLL(None)

    def limit():
        if any(argument.startswith('-seed=') for argument in arguments):
            libc.personality(NO_RANDOM_ADDRESSES)
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    with tempfile.TemporaryFile('w+', errors='replace') as log:
        with subprocess.Popen(command, env=dict(os.environ, **ENV, **(env or {})), stdout=log,
                              stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                              preexec_fn=limit) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        return process.returncode, log.read(), usage.ru_utime + usage.ru_stime


def check_one(place, target):
    """Tries the seeds and so many mutations of them, which are the same each time. @return (why it
    failed or None, the log's end, seconds)."""
    begin = time.monotonic()
    os.makedirs(place.findings, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix='fuzz') as scratch:
        seeds = [place.seeds(target)] if os.path.isdir(place.seeds(target)) else []
        code, log, _ = fuzz(place.program(target), [
            f'-runs={target.runs}', '-seed=1', f'-max_len={target.max_len}',
            f'-artifact_prefix={place.findings}/{target.name}-'], [scratch] + seeds)
    why = None if code == 0 else reason(log)
    return why, tail(log), time.monotonic() - begin


def check(place, names):
    """Checks all targets. @return the exit code."""
    failed = 0
    targets = picked(place.root, names)
    with concurrent.futures.ThreadPoolExecutor(max_workers=place.jobs) as pool:
        results = list(pool.map(lambda target: check_one(place, target), targets))
    for target, (why, end, seconds) in zip(targets, results):
        print(f'{target.name:24} {target.runs:8} inputs in {seconds:4.0f} s: {why or "passed"}')
        if why is not None:
            failed += 1
            print(''.join(f'    | {row}\n' for row in end), end='')
    print(f'{len(targets) - failed} passed, {failed} failed')
    return failed != 0


def run_slice(place, target, seconds):
    """Fuzzes one target for a while, into its corpus. @return (why it ended or None, inputs)."""
    os.makedirs(place.findings, exist_ok=True)
    code, log, _ = fuzz(place.program(target), [
        f'-max_total_time={max(1, int(seconds))}', f'-max_len={target.max_len}',
        '-print_final_stats=1', f'-artifact_prefix={place.findings}/{target.name}-'],
                        place.inputs(target))
    units = re.findall(r'stat::number_of_executed_units:\s*(\d+)', log)
    return (None if code == 0 else reason(log)), int(units[-1]) if units else 0


def run(place, hours, names):
    """Fuzzes in turn until the time is over. @return the exit code."""
    end = time.monotonic() + 3600 * hours
    targets = picked(place.root, names)
    share = min(SLICE_S, 3600 * hours * place.jobs / len(targets))
    found, units = {}, dict.fromkeys((target.name for target in targets), 0)
    with concurrent.futures.ThreadPoolExecutor(max_workers=place.jobs) as pool:
        while time.monotonic() < end - 1 and len(found) < len(targets):
            ready = [target for target in targets if target.name not in found]
            jobs = [(target, pool.submit(
                lambda t: run_slice(place, t, min(share, end - time.monotonic())), target))
                    for target in ready]
            for target, job in jobs:
                why, more = job.result()
                units[target.name] += more
                if why is not None:
                    found[target.name] = why
                    print(f'{target.name}: {why}', flush=True)
    for target in targets:
        files = len(os.listdir(place.corpus(target)))
        print(f'{target.name:24} {units[target.name]:10} inputs, {files} in the corpus: '
              f'{found.get(target.name, "nothing found")}')
    print(f'{len(targets) - len(found)} passed, {len(found)} failed')
    return len(found) != 0


def read(path):
    """Returns the bytes of a file."""
    with open(path, 'rb') as file:
        return file.read()


def seeds(place, names):
    """Replaces the seeds by the fewest inputs that reach as much as seeds and corpus."""
    for target in picked(place.root, names):
        with tempfile.TemporaryDirectory(prefix='fuzz') as scratch:
            code, log, _ = fuzz(place.program(target), [
                '-set_cover_merge=1', '-use_counters=0', f'-max_len={target.max_len}'],
                                [scratch] + place.inputs(target))
            if code != 0:
                sys.exit('\n'.join(tail(log)))
            os.makedirs(place.seeds(target), exist_ok=True)
            kept = set()
            for path in glob.glob(place.seeds(target) + '/*'):
                if os.path.basename(path).startswith('bug-'):
                    kept.add(read(path))
                else:
                    os.remove(path)
            for path in glob.glob(scratch + '/*'):
                if read(path) not in kept:
                    shutil.copy(path, os.path.join(place.seeds(target),
                                                   os.path.basename(path)[:16]))
        files = glob.glob(place.seeds(target) + '/*')
        print(f'{target.name}: {len(files)} seeds, {sum(map(os.path.getsize, files))} bytes')
    return 0


def bug_list(root):
    """The bugs, each with the targets that may find it."""
    return mutation_list.read_list(os.path.join(root, BUGS))


def fits(place):
    """Checks that each bug fits the source. @return the exit code."""
    bugs = bug_list(place.root)
    wrong = mutation_list.wrong_entries(place.root, bugs)
    targets = read_targets(place.root)
    wrong += [f'{bug.name}: no target {name}' for bug in bugs for name in bug.about.split(',')
              if name not in targets]
    if len(bugs) < LEAST_BUGS:
        wrong.append(f'{len(bugs)} bugs, at least {LEAST_BUGS} are wanted')
    print('\n'.join(wrong) or f'{len(bugs)} bugs fit the source')
    return bool(wrong)


def source(place):
    """Makes the source with all bugs."""
    if fits(place):
        return 1
    mutation_list.make_source(place.root, os.path.join(place.build, 'fuzz-bugs-source'),
                              bug_list(place.root), CHOOSER)
    return 0


def hunt(place, number, bug):
    """Lets the targets of a bug look for it. @return (why it was found or None, target, CPU
    seconds)."""
    targets = read_targets(place.root)
    spent = 0.0
    for name in bug.about.split(','):
        target = targets[name]
        with tempfile.TemporaryDirectory(prefix='fuzz') as scratch:
            corpus = os.path.join(scratch, 'corpus')
            os.mkdir(corpus)
            folders = [place.seeds(target)] if os.path.isdir(place.seeds(target)) else []
            code, log, cpu = fuzz(place.program(target, 'fuzz-bugs'), [
                '-seed=1', f'-max_len={target.max_len}', f'-artifact_prefix={scratch}/'],
                                  [corpus] + folders, {'ACCEL_MUTANT': str(number)}, BUG_S)
            finding = [path for path in glob.glob(scratch + '/*') if os.path.isfile(path)]
        spent += cpu
        if finding and code != 0:
            return reason(log), name, spent
    return None, bug.about, spent


def bugs(place, names):
    """Hunts for each bug. @return the exit code."""
    missed = 0
    pairs = mutation_list.chosen(bug_list(place.root), names)
    for target in picked(place.root, []):
        if os.path.isdir(place.seeds(target)):
            code, log, _ = fuzz(place.program(target, 'fuzz-bugs'), ['-runs=0'],
                                [place.seeds(target)], {'ACCEL_MUTANT': '0'})
            if code != 0:
                sys.exit(f'{target.name} without a bug does not pass: {reason(log)}')
    print('the source without a bug passes', flush=True)
    with concurrent.futures.ThreadPoolExecutor(max_workers=place.jobs) as pool:
        jobs = [(bug, pool.submit(hunt, place, number, bug)) for number, bug in pairs]
        for bug, job in jobs:
            why, name, seconds = job.result()
            missed += why is None
            print(f'{bug.name:32} {name:16} {seconds:5.1f} s  {why or "NOT FOUND"}', flush=True)
    print(f'{len(pairs) - missed} passed, {missed} failed')
    return missed != 0


def coverage(place):
    """Runs inputs and tests, and prints what they reach. @return the exit code."""
    reach = fuzz_coverage.Reach(place.root, place.build)
    programs = []
    for target in picked(place.root, []):
        program = place.program(target, 'fuzz-coverage')
        programs.append(program)
        files = [path for folder in place.inputs(target) for path in glob.glob(folder + '/*')]
        code, log, cpu = fuzz(program, [], files, reach.environment('fuzz-' + target.name))
        print(f'{target.name:24} {len(files):6} inputs in {cpu:4.0f} s of CPU time', flush=True)
        if code != 0:
            print('\n'.join(tail(log)))
    return fuzz_coverage.report(reach, programs, place.jobs)


def valid(place, what, rest):
    """Checks the arguments of tools/fuzz. @return the exit code."""
    if what in ('build', 'coverage', 'fits'):
        return len(rest) > 1
    if what == 'bugs':
        mutation_list.chosen(bug_list(place.root), rest[1:])
        return 0
    if what == 'run' and not re.fullmatch(r'\d+(\.\d+)?', rest[0]):
        return 1
    picked(place.root, rest[1:])
    return 0


def main():
    """Does what the command line says. The arguments of tools/fuzz follow the command."""
    parser = argparse.ArgumentParser(prog='fuzz.py', description=__doc__)
    parser.add_argument('--root', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('what', choices=['valid', 'check', 'run', 'seeds', 'coverage', 'bugs',
                                         'fits', 'source'])
    parser.add_argument('rest', nargs=argparse.REMAINDER)
    args = parser.parse_args()
    place = Place(args.root, args.build, args.jobs)
    names = args.rest[1:]
    if args.what == 'valid':
        sys.exit(valid(place, args.rest[0], args.rest[1:]))
    if args.what == 'run':
        sys.exit(run(place, float(args.rest[0]), names))
    if args.what in ('fits', 'source', 'coverage'):
        sys.exit({'fits': fits, 'source': source, 'coverage': coverage}[args.what](place))
    sys.exit({'check': check, 'seeds': seeds, 'bugs': bugs}[args.what](place, names))


if __name__ == "__main__":
    main()
