# SPDX-License-Identifier: BSD-3-Clause
"""Lists of mutations of the source: reads a list, and puts all of them into a copy of the source,
each behind a number that the variable ACCEL_MUTANT of the environment chooses. mutants.py and
fuzz_bugs.py use it. The lists' own first lines describe their form."""
import os
import re
import subprocess
import sys

COPIED = ('app', 'drivers', 'examples', 'lib', 'test', 'doc', 'tools', 'meson.build',
          'meson_options.txt')
FUZZ = 'test/fuzz'
HEADER = ('extern unsigned int accel_mutant;\n'
          '#define mutant(n) (__builtin_expect(accel_mutant == (n), 0))\n')
DEFINITION = '''
#include <stdlib.h>
unsigned int accel_mutant;

__attribute__((constructor)) static void
choose_mutant(void)
{
	const char *text = getenv("ACCEL_MUTANT");

	if (text != NULL)
		accel_mutant = (unsigned int)strtoul(text, NULL, 10);
}
'''


class Mutation:
    """A broken source: a name, what it is about (a duty, a target), edits, what finds it if not the
    tests of its duty, and why it survives, if it does."""

    def __init__(self, name, about):
        self.name = name
        self.about = about
        self.edits = []
        self.first = None
        self.survives = None


class Edit:
    """A place in a file: the old text and the new one; both are expressions or statements."""

    def __init__(self, path, kind):
        self.path = path
        self.kind = kind
        self.old = []
        self.new = []


def read_list(path):
    """Reads a list."""
    mutations = []
    with open(path, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip('\n')
            if line == '' or line.startswith('#'):
                continue
            mark, _, rest = line.partition(' ')
            if mark == '*':
                name, about = rest.split()
                mutations.append(Mutation(name, about))
            elif mark in ('expression', 'statement'):
                mutations[-1].edits.append(Edit(rest, mark))
            elif mark == '-':
                mutations[-1].edits[-1].old.append(rest)
            elif mark == '+':
                mutations[-1].edits[-1].new.append(rest)
            elif mark == 'first':
                mutations[-1].first = rest.split()
            elif mark == 'survives':
                mutations[-1].survives = rest
            else:
                sys.exit(f'{path}:{number}: not understood: {line}')
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
        for folder, folders, files in os.walk(source):
            inner = os.path.relpath(folder, root)
            if inner == FUZZ:
                folders.remove('seeds')  # many files, which no build needs
            os.makedirs(os.path.join(to, inner), exist_ok=True)
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            for file in files + links:
                path = os.path.join(inner, file)
                if path not in special:
                    subprocess.run(['cp', '-puP', os.path.join(root, path),
                                    os.path.join(to, path)], check=True)


def make_source(root, to, mutations, chooser):
    """Makes the mutated copy of the source. The file `chooser` gets the variable."""
    found, texts, _ = places(root, mutations)
    special = set(found) | {chooser}
    copy_tree(root, to, special)
    for path in sorted(special):
        if path not in texts:
            with open(os.path.join(root, path), encoding='utf-8') as file:
                texts[path] = file.read()
        text = mutate(texts[path], found.get(path, {}))
        if path == chooser:
            text += DEFINITION
        write_if_changed(os.path.join(to, path), text)
    print(f'    {len(mutations)} mutations in {len(found)} files')


def wrong_entries(root, mutations):
    """What is wrong with a list, as messages: edits that do not fit, names that stand twice."""
    _, _, wrong = places(root, mutations)
    names = [mutation.name for mutation in mutations]
    wrong += [f'{name}: stands twice' for name in sorted(set(names)) if names.count(name) > 1]
    wrong += [f'{mutation.name}: no edit' for mutation in mutations if not mutation.edits]
    return wrong


def chosen(mutations, names):
    """The mutations with these names, or all; each with its number."""
    pairs = list(enumerate(mutations, 1))
    missing = set(names) - {mutation.name for _, mutation in pairs}
    if missing:
        sys.exit(f'no mutation {" ".join(sorted(missing))}')
    return [pair for pair in pairs if not names or pair[1].name in names]
