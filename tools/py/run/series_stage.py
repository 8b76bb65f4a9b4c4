# SPDX-License-Identifier: BSD-3-Clause
"""Files of the driver that grow along the series, for patchset.py. The device is probed from an
early patch on, but its probe calls what later patches have. So each patch gets such a file without
what the tree does not have yet: a function comes with the patch that has all that it names, a row
of a table with the function that it names. A function of PARTIAL comes earlier, with those of its
statements that name nothing that lacks.

The rules know the driver's form: functions, tables and macros have a blank line between them, and a
statement begins on a line of its own."""

import re

# A declaration of one variable, and one with a value.
DECLARED = re.compile(r"\t(?:const |static |enum |struct )*\w+ \**(\w+)(?: = .*)?;\n$")
DECLARED_WITH = re.compile(r"\t(?:const |static |enum |struct )*\w+ \**(\w+) = ")
NOT_CODE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', re.DOTALL)


def words(text):
    """The identifiers of code, and "sizeof NAME" for a structure whose size is taken."""
    text = NOT_CODE.sub(" ", text)
    return set(re.findall(r"\b[A-Za-z_]\w*\b", text)) | \
        {"sizeof " + name for name in re.findall(r"sizeof\(struct (\w+)\)", text)}


def defined(text):
    """The functions that a source file of the driver defines for others."""
    found = re.findall(r"^(?!static\b)[a-z][\w \*]*\n(\w+)\(", text, re.MULTILINE)
    return set(found)


def declared(text):
    """The driver's own words of a header, without structures that it only announces."""
    text = re.sub(r"^struct \w+;\n", "", NOT_CODE.sub(" ", text), flags=re.MULTILINE)
    text = re.sub(r'^\s*#\s*include\b.*', "", text, flags=re.MULTILINE)
    return {w for w in words(text) if w.lower().startswith(("accel_", "rte_pmd_accel_"))} | \
        {"sizeof " + name for name in re.findall(r"^struct (\w+) {$", text, re.MULTILINE)}


def lacking(files, present, waits):
    """The words that only files not in `present` have, and those that wait for one of them. Both
    have names of files; files {name: text}."""
    have, lack = set(), set()
    for name, text in files.items():
        if name.endswith(".h"):
            (have if name in present else lack).update(declared(text))
    lack -= have
    for name, text in files.items():
        if name.endswith(".c") and name not in present:
            lack |= defined(text)
    return lack | {word for word, other in waits.items() if other in lack}


def chunks(text):
    """The parts of a file: what blank lines outside of braces separate."""
    found, lines, deep = [], [], False
    for line in text.splitlines(keepends=True):
        if line == "\n" and not deep:
            if lines:
                found.append(lines)
            lines = []
            continue
        lines.append(line)
        if not deep and line.endswith("{\n") and line[0] not in "\t ":
            deep = True
        elif line.startswith("}"):
            deep = False
    return found + [lines] if lines else found


def name_of(lines):
    """The name that a part of a file defines, or None."""
    text = NOT_CODE.sub(" ", "".join(lines))
    match = re.search(r"^(\w+)\(.*?\)\s*\{", text, re.MULTILINE | re.DOTALL) or \
        re.search(r"^#define (\w+)", text, re.MULTILINE) or \
        re.search(r"^(?:static )[\w \*]*?(\w+)(?:\[\])? = \{", text, re.MULTILINE)
    return match[1] if match else None


class Statement:
    """A statement with the comment and blank lines before it. A compound one has others."""

    def __init__(self, lead, head):
        self.lead, self.head, self.body, self.tail = lead, head, None, []

    def text(self):
        """Its lines."""
        inner = [line for s in self.body or () for line in s.text()]
        return self.lead + self.head + inner + self.tail

    def drop_braces(self):
        """Takes away the braces around one line, as DPDK's checks ask, if there is no else."""
        alone = len(self.body) == 1 and len(self.body[0].text()) == 1
        if alone and self.tail and len(self.head) == 1 and self.head[0].endswith(") {\n") and \
                not self.head[0].lstrip().startswith("}"):
            self.head[0] = self.head[0].replace(" {\n", "\n")
            self.tail = []

    def sets(self):
        """The variable that it assigns to, or None."""
        match = re.match(r"(\w+) = ", "".join(self.head).strip())
        return match[1] if match else None


def balanced(lines):
    """Whether all parentheses and braces are closed."""
    text = NOT_CODE.sub(" ", "".join(lines))
    return text.count("(") == text.count(")") and text.count("{") == text.count("}")


def statements(lines, i, end):
    """Parses lines[i:end] into statements."""
    found = []
    while i < end:
        lead, head = [], []
        while i < end and (lines[i] == "\n" or lines[i].lstrip().startswith("/*")):
            while not (lines[i] == "\n" or lines[i].rstrip().endswith("*/")):
                lead.append(lines[i])
                i += 1
            lead.append(lines[i])
            i += 1
        if i == end:
            found.append(Statement(lead, []))
            break
        compound = re.match(r"\s*(?:if|for|while|else|} else)\b", lines[i])
        if not compound:
            while True:
                head.append(lines[i])
                i += 1
                if balanced(head) and re.search(r"[;:]\s*(?:/\*.*)?$|\*/\s*$", head[-1]):
                    break
            found.append(Statement(lead, head))
            continue
        depth = len(lines[i]) - len(lines[i].lstrip("\t"))
        while True:
            head.append(lines[i])
            i += 1
            text = "".join(head).replace("} else", "else")
            if text.rstrip().endswith("{") or balanced([text]):
                break
        statement = Statement(lead, head)
        start = i
        if head[-1].rstrip().endswith("{"):
            while not lines[i].startswith("\t" * depth + "}"):
                i += 1
            statement.body = statements(lines, start, i)
            if not re.match(r"\s*} else", lines[i]):
                statement.tail = [lines[i]]
                i += 1
        else:
            while lines[i - 1].rstrip()[-1:] != ";" or not balanced(lines[start:i]) or i == start:
                i += 1
            statement.body = statements(lines, start, i)
        found.append(statement)
    return found


def prune(body, lack):
    """The statements without those that name what lacks."""
    found, gone, blank = [], None, False
    for statement in body:
        # A blank line before what goes stays before what follows.
        blank = blank or statement.lead[:1] == ["\n"]
        head = "".join(statement.head)
        if gone and re.match(r"\s*if \(%s != 0\)" % gone, head):
            gone = None
            continue  # the check of a result that is not there
        gone = None
        if words(head) & lack:
            if statement.body is None:
                gone = statement.sets()
            continue
        if statement.body is not None:
            before = len(statement.body)
            statement.body = prune(statement.body, lack)
            if not statement.body:
                continue
            if len(statement.body) < before:
                statement.drop_braces()
        if blank and found and statement.lead[:1] != ["\n"]:
            statement.lead.insert(0, "\n")
        blank = False
        found.append(statement)
    return found


def without_unused_variables(body):
    """The statements of a function without declarations of variables that it does not use."""
    while True:
        text = "".join(line for s in body for line in s.text())
        kept = []
        for statement in body:
            match = DECLARED.match("".join(statement.head))
            if not match or match[0].startswith("\treturn") or \
                    len(re.findall(r"\b%s\b" % match[1], text)) > 1:
                kept.append(statement)
        if len(kept) == len(body):
            return body
        body = kept


def prune_function(lines, lack):
    """The lines of a function without what lacks, or None if nothing is left."""
    start = lines.index("{\n") + 1
    body = statements(lines, start, len(lines) - 1)
    for statement in body:
        head = "".join(statement.head)
        if DECLARED_WITH.match(head) and words(head) & lack:
            return None  # what follows would use a variable that is not there
    body = prune(body, lack)
    body = without_unused_variables(body)
    if body and body[0].lead[:1] == ["\n"]:
        body[0].lead.pop(0)
    text = [line for s in body for line in s.text()]
    return lines[:start] + text + lines[-1:] if text else None


def prune_table(lines, lack):
    """The lines of a table without the rows that name what lacks."""
    return [line for line in lines
            if not (line.startswith("\t") and words(line) & lack)]


def stage(texts, files, present, partial, waits):
    """The texts {name: text} of files as they are when the tree has only `present` besides them.
    `partial` are the functions that come with a part of their statements, and a word of `waits`
    {word: other} comes with the other word."""
    lack = lacking({n: t for n, t in files.items() if n not in texts}, present, waits)
    parts = {name: chunks(text) for name, text in texts.items()}
    while True:
        gone = set()
        for name, old in parts.items():
            parts[name] = []
            for lines in old:
                left = without_lacking(lines, lack, partial)
                if left is None:
                    gone.add(name_of(lines))
                else:
                    parts[name].append(left)
        for name, old in parts.items():
            parts[name] = without_unused(old, texts[name])
        if not gone - lack:
            return {name: include_what_is_used(join(p), files, present)
                    for name, p in parts.items()}
        lack |= gone - {None}


def without_lacking(lines, lack, partial):
    """A part of a file without what lacks, or None."""
    code = "".join(line for line in lines if not line.startswith("#include"))
    name = name_of(lines)
    if name in lack:
        return None
    if not words(code) & lack:
        return lines
    if "{\n" in lines:
        return prune_function(lines, lack) if name in partial else None
    if any(line.endswith("= {\n") for line in lines):
        return prune_table(lines, lack)
    return None


def without_unused(parts, text):
    """The parts without functions, tables and macros of the file that only others use which are not
    there."""
    while True:
        used = [words("".join(p)) for p in parts]
        kept = []
        for i, lines in enumerate(parts):
            name = name_of(lines)
            local = any(re.match(r"static |#define ", l) for l in lines)
            if local and name and not any(name in u for j, u in enumerate(used) if j != i) and \
                    len(re.findall(r"\b%s\b" % name, text)) > 1:
                continue
            kept.append(lines)
        if len(kept) == len(parts):
            return parts
        parts = kept


def join(parts):
    """The text of a file, without comments that announce parts which are not there."""
    found = []
    for i, lines in enumerate(parts):
        announces = i > 0 and lines[0].startswith("/*") and lines[-1].endswith("*/\n")
        after = parts[i + 1] if i + 1 < len(parts) else None
        if announces and (after is None or
                          (after[0].startswith("/*") and after[-1].endswith("*/\n"))):
            continue
        found.append("".join(lines))
    return "\n".join(found)


def include_what_is_used(text, files, present):
    """The text without headers of the driver that the tree lacks or the text does not use."""
    headers = {name.rsplit("/", 1)[-1]: name for name in files if name.endswith(".h")}
    used = words(text)
    lines = []
    for line in text.splitlines(keepends=True):
        match = re.match(r'#include "(?:\w+/)?(\w+\.h)"', line)
        name = headers.get(match[1]) if match else None
        if name and (name not in present or not declared(files[name]) & used):
            continue
        lines.append(line)
    return "".join(lines)
