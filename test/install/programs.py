# SPDX-License-Identifier: BSD-3-Clause
"""Tests what each program and script does with --help and with a wrong option: programs.py SOURCE
BUILD. It prints TAP.

Help goes to stdout with exit code 0. A wrong option is named on stderr, with exit code 2, before
anything runs. The programs are those that users call: all that the build makes in these folders, so
a new one is tested without a line here."""

import concurrent.futures
import glob
import json
import os
import subprocess
import sys
import tempfile

SOURCE, BUILD = map(os.path.abspath, sys.argv[1:3])
FOLDERS = ("app", "examples", "test/bench", "test/e2e", "test/soak")
# tools/checks looks at those of tools/.
SCRIPTS = ("examples/*/*.py", "examples/*/*.sh")
# The option behind the words that choose what a program does.
WORDS = {"card.py": ["start"], "dpdk-accel-tool": ["info"]}
WRONG = "--no-such-option"
# Only a program that hangs needs so long.
PATIENCE_S = 1200


def programs():
    """Returns the paths of the programs of the build, and of the scripts that run without it."""
    with open(os.path.join(BUILD, "meson-info", "intro-targets.json"), encoding="utf-8") as file:
        built = [path for target in json.load(file) if target["type"] == "executable"
                 for path in target["filename"]
                 if os.path.relpath(path, BUILD).startswith(FOLDERS)]
    built += glob.glob(os.path.join(BUILD, "app", "accel-exporter", "dpdk-accel-exporter"))
    scripts = [path for pattern in SCRIPTS for path in glob.glob(os.path.join(SOURCE, pattern))
               if os.path.isfile(path) and os.access(path, os.X_OK)]
    return sorted(built) + sorted(scripts)


def run(command, folder):
    """Returns the exit code, what it printed, and what it complained of."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace",
                          stdin=subprocess.DEVNULL, cwd=folder, timeout=PATIENCE_S,
                          env=dict(os.environ, RUNTIME_DIRECTORY=folder))
    return done.returncode, done.stdout, done.stderr


def check(path):
    """Returns what is wrong with the words of a program."""
    words, found = WORDS.get(os.path.basename(path), []), []
    with tempfile.TemporaryDirectory() as folder:
        code, text, _ = run([path, "--help"], folder)
        if code != 0 or not text.strip():
            found.append("--help: code %d, '%s'" % (code, text[:200]))
        code, text, error = run([path, *words, WRONG], folder)
        if code != 2 or WRONG.lstrip("-") not in error + text:
            found.append("%s: code %d, %s" % (WRONG, code, error[-300:].splitlines()))
        if os.listdir(folder) not in ([], ["dpdk"]):
            found.append("left %s" % os.listdir(folder))
    return found


def main():
    """Tests all programs, some at once."""
    paths, failed = programs(), 0
    # One of each kind, so that an empty list does not pass.
    names = [os.path.basename(path) for path in paths]
    lost = {"accel-device", "minimal", "model-bench", "accel-e2e", "card.py"} - set(names)
    print("1..%d" % (len(paths) + 1))
    print("%s 1 - there are %d programs and scripts" % ("not ok" if lost else "ok", len(paths)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (name, found) in enumerate(zip(names, pool.map(check, paths)), 2):
            print("%s %d - %s: --help, and a wrong option" % (
                "not ok" if found else "ok", number, name))
            for line in found:
                print("#     %s" % line)
            failed += bool(found)
    return 1 if failed or lost else 0


if __name__ == "__main__":
    sys.exit(main())
