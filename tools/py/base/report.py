# SPDX-License-Identifier: BSD-3-Clause
"""Writes the report: one HTML file with the drawings and tables of a run, which needs no network.

report.py JSON HTML [--title TITLE]

JSON is a report as doc/guides/accel-report.rst describes it ("-" reads standard input). The
template is app/accel-tool/report/report.html; the C side of dpdk-accel-tool fills in the same
one."""

import argparse
import errno
import json
import math
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import machine

TEMPLATE = os.path.join(machine.ROOT, "app", "accel-tool", "report", "report.html")
PLACE = "\n@DATA@\n"
SCHEMA = 1

# The fields of each kind of object: name, what it holds, whether it must be there. A list is
# [KIND], and a kind of two or three words or numbers is "pair".
KINDS = {
    "report": [("schema", "number", True), ("title", "text", True), ("program", "text", True),
               ("date", "text", True), ("verdict", "verdict", False), ("notes", ["text"], False),
               ("summary", ["pair"], False), ("machine", ["pair"], True),
               ("versions", ["pair"], True), ("commands", ["text"], True),
               ("throughput", "throughput", False), ("latency", "latency", False),
               ("stages", "stages", False), ("crossover", "crossover", False)],
    "verdict": [("good", "truth", True), ("text", "text", True)],
    "throughput": [("about", "text", False), ("commands", ["text"], False),
                   ("series", ["throughput series"], True)],
    "throughput series": [("device", "text", True), ("algorithm", "text", True),
                          ("points", ["throughput point"], True)],
    "throughput point": [("size", "size", True), ("mops", "number", True),
                         ("gbps", "number", True)],
    "latency": [("about", "text", False), ("commands", ["text"], False), ("unit", "text", True),
                ("marks", ["mark"], False), ("series", ["latency series"], True)],
    "mark": [("name", "text", True), ("value", "size", True)],
    "latency series": [("name", "text", True), ("count", "number", True), ("p50", "number", True),
                       ("p99", "number", True), ("p99_9", "number", True),
                       ("max", "number", True), ("bounds", ["number"], True),
                       ("counts", ["number"], True)],
    "stages": [("about", "text", False), ("commands", ["text"], False), ("unit", "text", True),
               ("stages", ["stage"], True)],
    "stage": [("name", "text", True), ("who", "text", True), ("mean", "number", True),
              ("p10", "number", False), ("p50", "number", False), ("p90", "number", False),
              ("p99", "number", False), ("aside", "truth", False)],
    "crossover": [("about", "text", False), ("commands", ["text"], False),
                  ("pairs", ["crossover pair"], True)],
    "crossover pair": [("algorithm", "text", True), ("peer", "text", True),
                       ("rate_from", "number", False), ("cycles_from", "number", False),
                       ("points", ["crossover point"], True)],
    "crossover point": [("size", "size", True), ("rate", "number", False),
                        ("cycles", "number", False)],
}


class Wrong(ValueError):
    """A report that does not have the form of the schema. The message names the field."""


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _check(value, kind, path):
    """Raises Wrong if `value` at `path` is not of a kind."""
    if isinstance(kind, list):
        if not isinstance(value, list):
            raise Wrong("%s: not a list" % path)
        for place, item in enumerate(value):
            _check(item, kind[0], "%s[%d]" % (path, place))
    elif kind == "text":
        if not isinstance(value, str):
            raise Wrong("%s: not a text" % path)
    elif kind == "truth":
        if not isinstance(value, bool):
            raise Wrong("%s: neither true nor false" % path)
    elif kind in ("number", "size"):
        if not _is_number(value) or value < 0 or (kind == "size" and value == 0):
            raise Wrong("%s: not a number%s" % (path, " above 0" if kind == "size" else
                                                " of 0 or more"))
    elif kind == "pair":
        if not isinstance(value, list) or len(value) not in (2, 3) or not all(
                isinstance(item, str) or _is_number(item) for item in value):
            raise Wrong("%s: not a name and a value" % path)
    else:
        _check_object(value, kind, path)


def _check_object(value, kind, path):
    """Raises Wrong if the fields of an object are not those of its kind."""
    if not isinstance(value, dict):
        raise Wrong("%s: not an object" % path)
    for name, what, needed in KINDS[kind]:
        where = "%s.%s" % (path, name)
        if value.get(name) is None:
            if needed:
                raise Wrong("%s is missing" % where)
            continue
        _check(value[name], what, where)
    if kind == "latency series":
        bounds, counts = value["bounds"], value["counts"]
        if len(counts) not in (len(bounds), len(bounds) + 1):
            raise Wrong("%s: %d counts for %d bounds" % (path, len(counts), len(bounds)))
        if any(a >= b for a, b in zip([0] + bounds, bounds)):
            raise Wrong("%s.bounds: not in rising order" % path)


def check(data):
    """Raises Wrong if `data` is not a report of this schema. Unknown fields may be there."""
    if isinstance(data, dict) and data.get("schema") not in (None, SCHEMA):
        raise Wrong("report.schema: %s, and this program knows %d" % (data["schema"], SCHEMA))
    _check(data, "report", "report")


def page(data):
    """Returns the HTML of a report. No text in it can end the element that holds the data."""
    check(data)
    with open(TEMPLATE, encoding="utf-8") as file:
        before, place, after = file.read().partition(PLACE)
    if not place:
        raise Wrong("%s has no line for the data" % TEMPLATE)
    text = json.dumps(data, indent=None, separators=(",", ":"), allow_nan=False)
    return before + "\n" + text.replace("<", "\\u003c") + "\n" + after


def write(path, data):
    """Writes the HTML of a report. The file appears at once or not at all. As dpdk-accel-tool does,
    it writes to character devices and FIFOs, and refuses symbolic links and all else."""
    text = page(data)
    mode = os.lstat(path).st_mode if os.path.lexists(path) else stat.S_IFREG
    if stat.S_ISCHR(mode) or stat.S_ISFIFO(mode):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, "it is a symbolic link; name the file itself", path)
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is neither a file nor a character device or FIFO", path)
    descriptor, name = tempfile.mkstemp(prefix=os.path.basename(path) + ".",
                                        dir=os.path.dirname(path) or ".")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            mask = os.umask(0o077)
            os.umask(mask)
            os.fchmod(file.fileno(), 0o666 & ~mask)
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def read(path):
    """Returns the data of a page. Raises Wrong if it has none."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(TEMPLATE, encoding="utf-8") as file:
        begin_of = file.read().partition(PLACE)[0].splitlines()[-1]
    data, end, _ = text.partition(begin_of + "\n")[2].partition("\n</script>")
    if not end:
        raise Wrong("%s is not a report" % path)
    return json.loads(data)


def run_script(call):
    """Runs the page's script without a browser, in duktape or node, and returns what the expression
    `call` gives as text. Raises OSError if there is no engine, Wrong if the script fails."""
    engine = next(filter(shutil.which, ("duk", "node", "nodejs")), None)
    if engine is None:
        raise OSError("there is neither duk (Debian: duktape) nor node")
    with open(TEMPLATE, encoding="utf-8") as file:
        code = file.read().partition('<script id="code">')[2].partition("</script>")[0]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.js")
        with open(path, "w", encoding="utf-8") as file:
            file.write("%s\n%s(%s);\n" % (
                code, "print" if engine == "duk" else "console.log", call))
        done = subprocess.run([engine, path], capture_output=True, check=False, timeout=300)
    if done.returncode:
        raise Wrong("the page's script: %s" % (done.stdout + done.stderr).decode()[-400:])
    # duktape prints a character beyond 16 bits as two.
    text = done.stdout.decode("utf-8", errors="surrogatepass")
    return text.encode("utf-16", errors="surrogatepass").decode("utf-16").rstrip("\n")


def picture(figure, name, width):
    """Returns one figure, "throughput" or "stages", as an SVG file in the browser's theme."""
    with open(TEMPLATE, encoding="utf-8") as file:
        style = file.read().partition("<style>")[2].partition("</style>")[0]
    # Of the page's style only what drawings use.
    parts = re.findall(r"^@media \(prefers.*?\n\}\n|^[^\s@/{][^{\n]* \{.*?\}\n", style,
                       re.DOTALL | re.MULTILINE)
    parts = [p for p in parts if p.startswith((":root", "@media", "svg", ".line", ".s0", ".s3",
                                               ".f0", ".f3", ".pale", ".back"))]
    parts.append("svg { font-family: system-ui, 'DejaVu Sans', sans-serif; }\n")
    text = run_script("picture(JSON.parse(%s), %s, %d, %s)" % (
        json.dumps(json.dumps(figure)), json.dumps(name), width, json.dumps("\n" + "".join(parts))))
    return text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def begin(program, title, commands, about):
    """Returns a report without figures. `commands` make it again, `about` is
    machine.describe()'s."""
    notes = []
    if about["busy"] > 10:
        notes.append("Other programs used %d %% of this machine when the measurement began, so the"
                     " numbers are worse." % about["busy"])
    if about["quick"]:
        notes.append("The rounds were few and short, so the numbers only give a first look.")
    if about["failed"]:
        notes.append("%d runs failed; no number counts them." % about["failed"])
    facts = [["CPU", about["cpu"]], ["CPUs", about["cpus"]],
             ["kind", "a virtual machine" if about["virtual"] else "a computer"],
             ["memory pages", "huge pages" if about["huge pages"] else "no huge pages"],
             ["rounds", about["rounds"]],
             ["used by other programs at the begin", about["busy"], "%"]]
    return {"schema": SCHEMA, "title": title, "program": program, "date": about["date"],
            "notes": notes, "machine": facts,
            "versions": [[name, text] for name, text in about["versions"].items()],
            "commands": commands}


def rounded(value):
    """Returns a number with six digits, so that a table can show all that the file has."""
    return float("%.6g" % value)


def main():
    """Makes a page from a JSON file."""
    parser = argparse.ArgumentParser(prog="report.py", description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", metavar="JSON")
    parser.add_argument("html", metavar="HTML")
    parser.add_argument("--title", help="in place of the title in the JSON")
    args = parser.parse_args()
    try:
        if args.json == "-":
            data = json.load(sys.stdin)
        else:
            with open(args.json, encoding="utf-8") as file:
                data = json.load(file)
        if args.title and isinstance(data, dict):
            data["title"] = args.title
        write(args.html, data)
    except (OSError, ValueError) as error:
        print("report.py: %s: %s" % (args.json, error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
