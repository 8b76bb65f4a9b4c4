# SPDX-License-Identifier: BSD-3-Clause
"""Lines of driver, model, vfio-user server and daemon that fuzzers and tests reach, by clang's own
counters. The counters lie in files that are mapped (%c), so what a killed process has reached
counts as well. tools/py/faults/fuzz.py uses it."""
import glob
import os
import shutil
import subprocess
import tempfile
import time

ROOMS = {  # name: folder
    'driver': 'drivers/crypto/accel/',
    'model': 'lib/accel_model/',
    'vfio_user': 'lib/vfio_user/',
    'daemon': 'app/accel-device/',
}
FREE = {'daemon'}  # rooms without a limit
LEAST_SHARE = 90.0  # percent of lines
SUITES = {  # name: more arguments of `meson test`
    'unit': ['--no-suite', 'constant_time'],
    'conformance': [],
    'e2e': ['--test-args=--quick'],
    'e2e_older': [],
    'mp': [],
}


class Reach:
    """A build that counts, and its profiles."""

    def __init__(self, root, build):
        self.root = root
        self.out = os.path.join(build, 'fuzz-coverage')
        self.profiles = os.path.join(self.out, 'profiles')
        shutil.rmtree(self.profiles, ignore_errors=True)
        os.makedirs(self.profiles)

    def environment(self, name):
        """The variable that tells a program where to count."""
        return {'LLVM_PROFILE_FILE': f'{self.profiles}/{name}-%c%m.profraw'}

    def programs(self):
        """Programs of the tests, those that have most of the code first: of a function that was
        compiled twice llvm-cov takes the first."""
        first = [os.path.join(self.out, path) for path in (
            'drivers/librte_crypto_accel.so', 'app/accel-device/accel-device')]
        tests = sorted(glob.glob(self.out + '/test/unit/test_*') +
                       glob.glob(self.out + '/test/vfio_user/vfio_*'))
        return [path for path in first + tests if os.path.isfile(path) and os.access(path, os.X_OK)]

    def lines(self, profiles, programs):
        """What profiles show of our folders. @return {file: {line: times}}."""
        data = os.path.join(self.out, 'all.profdata')
        with tempfile.NamedTemporaryFile('w', suffix='.txt') as names:
            names.write('\n'.join(profiles))
            names.flush()
            subprocess.run(['llvm-profdata', 'merge', '-sparse', '-o', data, '-f', names.name],
                           check=True, stderr=subprocess.DEVNULL)
        objects = [programs[0]] + [f'-object={path}' for path in programs[1:]]
        text = subprocess.run(['llvm-cov', 'export', '-format=lcov', f'-instr-profile={data}',
                               *objects], check=True, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL).stdout
        files, now = {}, {}
        for row in text.splitlines():
            if row.startswith('SF:'):
                name = os.path.relpath(os.path.normpath(row[3:]), self.root)
                now = files.setdefault(name, {})
            elif row.startswith('DA:'):
                line, times = map(int, row[3:].split(',')[:2])
                now[line] = max(now.get(line, 0), times)
        return {name: lines for name, lines in files.items()
                if any(name.startswith(folder) for folder in ROOMS.values())}


def shares(files):
    """@return {room: (lines, lines that are reached)}."""
    rooms = {}
    for room, folder in ROOMS.items():
        times = [n for name, lines in files.items() if name.startswith(folder)
                 for n in lines.values()]
        if times:
            rooms[room] = (len(times), sum(n > 0 for n in times))
    return rooms


def ranges(lines):
    """Line numbers as text: 3, 7-9."""
    spans = []
    for line in sorted(lines):
        if spans and line == spans[-1][1] + 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    return ', '.join(str(a) if a == b else f'{a}-{b}' for a, b in spans)


def write_missed(path, files):
    """Writes the lines that nothing reaches, the file with most of them first."""
    missed = {name: [line for line, n in lines.items() if n == 0] for name, lines in files.items()}
    with open(path, 'w', encoding='utf-8') as out:
        for name in sorted(missed, key=lambda name: (-len(missed[name]), name)):
            if missed[name]:
                out.write(f'{name}: {len(missed[name])} of {len(files[name])}: '
                          f'{ranges(missed[name])}\n')


def run_suites(reach, jobs):
    """Runs the tests. @return how many suites failed."""
    failed = 0
    for suite, more in SUITES.items():
        begin = time.monotonic()
        code = subprocess.run(['meson', 'test', '-C', reach.out, '--no-rebuild', '--suite', suite,
                               '-t', '5', '--num-processes', str(jobs), '--logbase',
                               'coverage-' + suite, *more],
                              env=dict(os.environ, **reach.environment('test')),
                              check=False).returncode
        print(f'suite {suite}: code {code}, {time.monotonic() - begin:.0f} s', flush=True)
        failed += code != 0
    return failed


def report(reach, programs, jobs):
    """Runs the tests, after the targets, and prints the share of each room. @return the exit
    code."""
    alone = shares(reach.lines(glob.glob(reach.profiles + '/fuzz-*.profraw'), programs))
    failed = run_suites(reach, jobs)
    files = reach.lines(glob.glob(reach.profiles + '/*.profraw'), reach.programs() + programs)
    write_missed(os.path.join(reach.out, 'missed.txt'), files)
    both = shares(files)
    print(f'{"room":12} {"lines":>7} {"by fuzzers":>11} {"and by tests":>13}')
    for room, (lines, covered) in both.items():
        share = 100 * covered / lines
        failed += room not in FREE and share < LEAST_SHARE
        count, by_fuzzers = alone.get(room, (1, 0))
        print(f'{room:12} {lines:7} {100 * by_fuzzers / count:10.1f}% {share:12.1f}%')
    print(f'lines that nothing reaches: {reach.out}/missed.txt')
    print(f'{len(both) + len(SUITES) - failed} passed, {failed} failed')
    return failed != 0
