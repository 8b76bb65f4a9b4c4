#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Mutations of the reference device: reads their list, puts all of them into a copy of the
source, each behind a number that the environment chooses, and runs accel-conformance against
each. tools/mutants calls it."""
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

LIST = 'test/conformance/mutants.txt'
COPIED = ('app', 'drivers', 'examples', 'lib', 'test', 'doc', 'tools', 'meson.build',
          'meson_options.txt')
CHOOSER = 'lib/accel_model/card.c'
HEADER = ('extern unsigned int accel_mutant;\n'
          '#define mutant(n) (__builtin_expect(accel_mutant == (n), 0))\n')
DEFINITION = '''
unsigned int accel_mutant;

__attribute__((constructor)) static void
choose_mutant(void)
{
	const char *text = getenv("ACCEL_MUTANT");

	if (text != NULL)
		accel_mutant = (unsigned int)strtoul(text, NULL, 10);
}
'''
LEAST_FOUND = 0.95
LEAST_MUTATIONS = 60
TRIES = 3  # a mutation whose effect depends on the time may get past one run
RUN_S = 300  # a run that hangs this long counts as found: a card that hangs is broken


class Mutation:
    """One broken duty: a name, the duty's number, edits, and why it survives, if it does."""

    def __init__(self, name, duty):
        self.name = name
        self.duty = duty
        self.edits = []
        self.survives = None


class Edit:
    """A place in a file: the old text and the new one; both are expressions or statements."""

    def __init__(self, path, kind):
        self.path = path
        self.kind = kind
        self.old = []
        self.new = []


def read_list(root):
    """Reads the list. Its own first lines describe the form."""
    mutations = []
    with open(os.path.join(root, LIST), encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip('\n')
            if line == '' or line.startswith('#'):
                continue
            mark, _, rest = line.partition(' ')
            if mark == '*':
                name, duty = rest.split()
                mutations.append(Mutation(name, duty))
            elif mark in ('expression', 'statement'):
                mutations[-1].edits.append(Edit(rest, mark))
            elif mark == '-':
                mutations[-1].edits[-1].old.append(rest)
            elif mark == '+':
                mutations[-1].edits[-1].new.append(rest)
            elif mark == 'survives':
                mutations[-1].survives = rest
            else:
                sys.exit(f'{LIST}:{number}: not understood: {line}')
    return mutations


def pattern_of(lines):
    """Matches the text with any white space."""
    words = ' '.join(lines).split()
    return re.compile(r'\s+'.join(re.escape(word) for word in words))


def places(root, mutations):
    """Finds each edit in its file, where its old text occurs once. Returns {path: {(begin, end):
    [(number, edit)]}}, the texts of the files, and what is wrong."""
    found, texts, wrong = {}, {}, []
    for number, mutation in enumerate(mutations, 1):
        for edit in mutation.edits:
            if edit.path not in texts:
                with open(os.path.join(root, edit.path), encoding='utf-8') as file:
                    texts[edit.path] = file.read()
            matches = list(pattern_of(edit.old).finditer(texts[edit.path]))
            if len(matches) != 1:
                wrong.append(f'{mutation.name}: {len(matches)} places in {edit.path}: '
                             f'{" ".join(edit.old)}')
                continue
            found.setdefault(edit.path, {}).setdefault(matches[0].span(), []).append((number, edit))
    for path, spans in found.items():
        order = sorted(spans)
        for (_, end), (begin, last) in zip(order, order[1:]):
            if begin < end:
                wrong.append(f'{path}: mutations overlap: {texts[path][begin:last]}')
    return found, texts, wrong


def replaced(text, edits):
    """The text with all its mutations, each behind its number."""
    for number, edit in edits:
        new = '\n'.join(edit.new)
        if edit.kind == 'expression':
            text = f'(mutant({number}) ? ({new}) : ({text}))'
        else:
            text = f'if (mutant({number})) {{ {new} }} else {{ {text} }}'
    return text


def mutate(text, spans):
    """Applies all edits to a file's text."""
    for (begin, end), edits in sorted(spans.items(), reverse=True):
        text = text[:begin] + replaced(text[begin:end], edits) + text[end:]
    first = text.index('#include')
    return text[:first] + HEADER + text[first:]


def write_if_changed(path, text):
    """Keeps the time of a file that stays, so that ninja builds only what is new."""
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            if file.read() == text:
                return
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def copy_tree(root, to, special):
    """Copies the source except the files that are mutated, and removes what is gone."""
    for name in COPIED:
        source, target = os.path.join(root, name), os.path.join(to, name)
        if os.path.isfile(source):
            os.makedirs(to, exist_ok=True)
            subprocess.run(['cp', '-pu', source, target], check=True)
            continue
        for folder, _, files in os.walk(source):
            inner = os.path.relpath(folder, root)
            os.makedirs(os.path.join(to, inner), exist_ok=True)
            for file in files:
                path = os.path.join(inner, file)
                if path not in special:
                    subprocess.run(['cp', '-puP', os.path.join(root, path),
                                    os.path.join(to, path)], check=True)


def make_source(root, folder):
    """Makes the mutated copy of the source."""
    mutations = checked(root)
    found, texts, _ = places(root, mutations)
    to = os.path.join(folder, 'source')
    special = set(found) | {CHOOSER}
    copy_tree(root, to, special)
    for path in sorted(special):
        if path not in texts:
            with open(os.path.join(root, path), encoding='utf-8') as file:
                texts[path] = file.read()
        text = mutate(texts[path], found.get(path, {}))
        if path == CHOOSER:
            text += DEFINITION
        write_if_changed(os.path.join(to, path), text)
    print(f'    {len(mutations)} mutations in {len(found)} files')


def checked(root):
    """The list, if every mutation fits the source."""
    mutations = read_list(root)
    _, _, wrong = places(root, mutations)
    names = [mutation.name for mutation in mutations]
    wrong += [f'{name}: stands twice' for name in sorted(set(names)) if names.count(name) > 1]
    wrong += [f'{mutation.name}: no edit' for mutation in mutations if not mutation.edits]
    if len(mutations) < LEAST_MUTATIONS:
        wrong.append(f'{len(mutations)} mutations, at least {LEAST_MUTATIONS} are wanted')
    with open(os.path.join(root, 'doc/hardware/manual.rst'), encoding='utf-8') as file:
        manual = file.read()
    wrong += [f'{mutation.name}: the manual has no [{mutation.duty}]' for mutation in mutations
              if f'[{mutation.duty}]' not in manual]
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


def run_one(root, folder, number):
    """Runs the program against one mutation. Returns why it was found, or None."""
    out = os.path.join(folder, 'out')
    with tempfile.TemporaryDirectory(prefix='mutant') as scratch:
        command = [os.path.join(root, 'test/conformance/run.sh'),
                   os.path.join(out, 'app/accel-device/accel-device'),
                   os.path.join(out, 'app/accel-conformance/accel-conformance')]
        env = dict(os.environ, ACCEL_MUTANT=str(number), TMPDIR=scratch)
        with subprocess.Popen(command, env=env, cwd=scratch, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, errors='replace',
                              start_new_session=True) as process:
            timer = Timer(process, RUN_S)
            try:
                return first_failure(process, timer)
            finally:
                timer.cancel()
                end(process)


def try_one(root, folder, number, mutation):
    """Runs the program against one mutation, again if it is not found but should be."""
    why = None
    for _ in range(1 if mutation.survives is not None else TRIES):
        why = why or run_one(root, folder, number)
    return why


def report(mutations, results, seconds):
    """Prints the result of each, and the sum. Returns the exit code."""
    found, wrong = 0, 0
    for mutation in mutations:
        why = results[mutation.name]
        found += why is not None
        if why is not None:
            print(f'{mutation.name:32} {mutation.duty:9} found: {why}')
        elif mutation.survives is not None:
            print(f'{mutation.name:32} {mutation.duty:9} survives: {mutation.survives}')
        else:
            print(f'{mutation.name:32} {mutation.duty:9} SURVIVES')
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
    mutations = list(enumerate(read_list(root), 1))
    missing = set(names) - {mutation.name for _, mutation in mutations}
    if missing:
        sys.exit(f'no mutation {" ".join(sorted(missing))}')
    return [pair for pair in mutations if not names or pair[1].name in names]


def run(root, folder, names):
    """Runs the device without a mutation, and then the chosen ones."""
    begin = time.monotonic()
    why = run_one(root, folder, 0)
    if why is not None:
        sys.exit(f'the device without a mutation does not pass: {why}')
    print('the device without a mutation passes')
    pairs = chosen(root, names)
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        jobs = {mutation.name: pool.submit(try_one, root, folder, number, mutation)
                for number, mutation in pairs}
        results = {name: job.result() for name, job in jobs.items()}
    return report([mutation for _, mutation in pairs], results, time.monotonic() - begin)


def main():
    """Does what the first argument after the two folders says."""
    root, folder, what = sys.argv[1:4]
    if what == 'check':
        print(f'{len(checked(root))} mutations fit the source')
    elif what == 'names':
        print('\n'.join(mutation.name for _, mutation in chosen(root, sys.argv[4:])))
    elif what == 'source':
        make_source(root, folder)
    elif what == 'run':
        sys.exit(run(root, folder, sys.argv[4:]))


main()
