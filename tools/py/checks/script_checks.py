# SPDX-License-Identifier: BSD-3-Clause
"""Checks the behaviour of the scripts of tools/: their answers to --help and to wrong arguments,
what a signal does, the return of huge pages, a machine without DPDK's source. checks.py calls
them. Each check returns a list of findings."""

import glob
import os
import re
import signal
import subprocess
import tempfile
import time

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
TOOLS = os.path.join(ROOT, "tools")
PYTHON = "/usr/bin/python3"
# A script that runs longer has failed. None of these takes more than a second.
LIMIT_S = 600
# These end a script.
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

# This script has the form of those in tools/. Its first argument says what it does.
SCRIPT = """
set -euo pipefail
. "$TOOLS/lib.sh"
main() { eval "$1"; }
supervised main "$@"
"""


def programs():
    """Returns the commands of all scripts: those of tools/, and the Python programs that they
    call."""
    commands = [[path] for path in sorted(glob.glob(os.path.join(TOOLS, "*")))
                if os.path.isfile(path) and os.access(path, os.X_OK)]
    for path in sorted(glob.glob(os.path.join(TOOLS, "py", "*", "*.py"))):
        with open(path, encoding="utf-8") as file:
            if re.search(r"^if __name__ == ['\"]__main__", file.read(), re.M):
                commands.append([PYTHON, path])
    return commands


def run(command, folder):
    """Runs a script with an empty build folder, which must remain empty."""
    env = dict(os.environ, ACCEL_BUILD=folder, TMPDIR=folder, PYTHONDONTWRITEBYTECODE="1")
    env.pop("ACCEL_SCRATCH", None)
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=env, timeout=LIMIT_S, check=False)


def check_help():
    """Checks that --help and -h print a few lines that begin with the name or "usage:", and do
    nothing else."""
    found = []
    for command in programs():
        name = os.path.basename(command[-1])
        for option in ("--help", "-h") if len(command) == 1 else ("--help",):
            with tempfile.TemporaryDirectory() as folder:
                result = run(command + [option], folder)
                lines = result.stdout.splitlines()
                title = "%s %s: " % (name, option)
                if result.returncode != 0 or result.stderr:
                    found.append(title + "exit code %d, %s" % (result.returncode, result.stderr))
                elif not 2 <= len(lines) <= 60 or name.removesuffix(".py") not in lines[0]:
                    found.append(title + "it does not say how it is called")
                if os.listdir(folder):
                    found.append(title + "it leaves " + ", ".join(os.listdir(folder)))
    return found


def check_unknown():
    """Checks that a wrong argument ends a script with code 2 and a line on stderr that names it."""
    found = []
    for command in programs():
        name = os.path.basename(command[-1])
        for argument in ("--bogus", "bogus") if len(command) == 1 else ("--bogus",):
            with tempfile.TemporaryDirectory() as folder:
                result = run(command + [argument], folder)
                title = "%s %s: " % (name, argument)
                if result.returncode != 2 or result.stdout:
                    found.append(title + "exit code %d, %s" % (result.returncode, result.stdout))
                elif len(command) == 1 and argument not in result.stderr:
                    found.append(title + "it does not say what is unknown")
                if os.listdir(folder):
                    found.append(title + "it leaves " + ", ".join(os.listdir(folder)))
    return found


def default_signals():
    """Has a new process act on the signals that end a script."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


class Script:
    """A running script, which prints a line when it has reached the state that the test needs."""

    def __init__(self, command, **env):
        # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
        self.process = subprocess.Popen(
            ["bash", "-c", SCRIPT, "test", command], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
            env=dict(os.environ, TOOLS=TOOLS, **env),
            # A shell's background job ignores SIGINT, what nohup starts ignores SIGHUP, and
            # the script would inherit both.
            preexec_fn=default_signals)

    def wait_line(self, begin):
        """Reads up to a line with this begin. Returns its last word, or None if the line does not
        come."""
        for line in self.process.stdout:
            if line.startswith(begin):
                return line.split()[-1]
        return None

    def end(self):
        """Lets the script go on to its end. Returns its exit code."""
        self.process.communicate(timeout=LIMIT_S)
        return self.process.returncode


def check_signals():
    """Checks that SIGTERM, SIGINT and SIGHUP end the programs of a script at once, in the
    foreground, in a pipe and below another script, that clean-ups run, and that the exit code tells
    the signal."""
    found = []
    commands = {
        "in the foreground": "sleep 1000",
        "in a pipe": "sleep 1000 | cat",
        "that is waited for": "sleep 1000 & wait",
        "below another": 'bash -c "sleep 1000; true"; true',
    }
    cases = [(number, *item) for number in SIGNALS for item in commands.items()]
    # The script ends before this program, which is killed five seconds later.
    cases.append((signal.SIGTERM, "that ignores it", "(trap '' TERM; exec sleep 1000) & wait"))
    # A program that begins after the script was told to end is left to the script's own process. It
    # starts another one when it has been looked at.
    cases.append((signal.SIGTERM, "that ignores it and begins late",
                  "script=$BASHPID; (trap '' TERM; exec bash -c '"
                  'kill -TERM "$1"; for ((i = 0; i < 300000; i++)); do :; done; sleep 1000; true'
                  '\' late "$script") & wait'))
    for number, title, command in cases:
        with tempfile.TemporaryDirectory() as folder:
            mark = os.path.join(folder, "mark")
            script = Script("touch '%s'; on_exit rm -f '%s'; echo ready; %s"
                            % (mark, mark, command))
            script.wait_line("ready")
            if "kill" not in command:  # This one tells itself.
                os.kill(script.process.pid, number)
            try:
                # The output ends when all programs that hold it have ended.
                code = script.end()
            except subprocess.TimeoutExpired:
                os.killpg(script.process.pid, signal.SIGKILL)
                found.append("%s to a program %s: it goes on" % (number.name, title))
                continue
            if code != 128 + number or os.path.exists(mark):
                found.append("%s to a program %s: exit code %d, %s" % (
                    number.name, title, code,
                    "not cleaned up" if os.path.exists(mark) else "cleaned up"))
    return found


def wait_gone(pid):
    """Waits until a killed process has ended. Its parent may leave it as a zombie."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        try:
            with open("/proc/%s/stat" % pid, encoding="ascii", errors="replace") as file:
                if file.read().rsplit(") ", 1)[1][0] in "ZX":
                    return
        except OSError:
            return
        time.sleep(0.01)


def check_pages():
    """Checks that huge pages remain while one script uses them, and are given back after the last
    one. A killed script does not keep them."""
    with tempfile.TemporaryDirectory() as folder:
        def number():
            with open(os.path.join(folder, "nr_hugepages"), encoding="ascii") as file:
                return int(file.read())

        for name in ("nr_hugepages", "free_hugepages"):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write("7\n")
        env = {"ACCEL_HUGE_DIR": folder, "ACCEL_HUGEPAGES": "10",
               "ACCEL_HUGE_USERS": os.path.join(folder, "users")}
        command = "hugepages_take || true; echo ready $BASHPID; read -r || true"
        scripts = [Script(command, **env) for _ in range(3)]
        pids = [script.wait_line("ready") for script in scripts]
        # None of them has used a page yet, so there are 10 for each.
        if number() != 30:
            return ["three scripts made %d pages of 7, expected 30" % number()]
        os.killpg(scripts[0].process.pid, signal.SIGKILL)
        scripts[0].end()
        wait_gone(pids[0])
        scripts[1].end()
        found = []
        if number() != 30:
            found.append("%d pages are left for the last script, want 30" % number())
        scripts[2].end()
        if number() != 7 or os.path.exists(env["ACCEL_HUGE_USERS"]):
            found.append("%d pages after the last script, want 7; %s" % (number(), ", ".join(
                os.listdir(folder))))
        return found


def check_locks():
    """Checks that of two scripts which build the same folder, or run the tests, one waits for the
    other, and that what the first leaves behind does not keep the lock."""
    with tempfile.TemporaryDirectory() as folder:
        env = {"ACCEL_BUILD": folder}
        work = ("work() { sleep 1000 >/dev/null & echo ready $!; read -r || true; }; "
                "with_lock build work")
        first = Script(work, **env)
        left = first.wait_line("ready")
        second = Script("with_lock build echo got the lock", **env)
        waits = second.wait_line("    waiting for another script")
        early = second.process.poll()
        first.end()
        code = second.end()
        if left is not None:
            os.kill(int(left), signal.SIGKILL)
        if waits is None or early is not None or code != 0:
            return ["the second script: waits %s, code %s, at the end %s" % (waits, early, code)]
    return []


FAKE_JOB = """#!/bin/bash
case $2 in
build-release) %s ;;
checks) printf '3 1 title\\n' >"$ACCEL_JOB_RESULT"; echo begun; exit 1 ;;
esac
"""


def check_test_run():
    """Checks what tools/test says of jobs that fail, that cannot run, and that are stopped."""
    found = []
    cases = {
        "a failed case": ("true", None, ["3 passed, 1 failed"], 1),
        "a failed build": ("exit 1", None, ["cannot run, because build-release failed",
                                            "0 passed, 2 failed"], 1),
        "a signal": ("echo ready; sleep 1000", signal.SIGINT,
                     ["stopped; left are: build-release (begun", "checks"], 130),
    }
    for title, (build, number, wanted, code) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "test")
            with open(script, "w", encoding="ascii") as file:
                file.write(FAKE_JOB % build)
            os.chmod(script, 0o755)
            with subprocess.Popen(
                    [PYTHON, os.path.join(TOOLS, "py", "run", "testrun.py"), "--script", script,
                     "--logs", folder, "--state", os.path.join(folder, "times"), "checks"],
                    stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
                if number is not None:
                    log = os.path.join(folder, "job-build-release.log")
                    while not (os.path.exists(log) and os.path.getsize(log)):
                        time.sleep(0.01)
                    process.send_signal(number)
                text, _ = process.communicate(timeout=LIMIT_S)
            missing = [each for each in wanted if each not in text]
            if missing or process.returncode != code:
                found.append("%s: code %d, no '%s' in %s" % (
                    title, process.returncode, "', '".join(missing), text[-500:]))
    return found


def check_no_source():
    """Checks that scripts which build DPDK's programs say so and end with ACCEL_UNAVAILABLE where
    tools/setup has found driver headers only."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, ACCEL_BUILD=folder, ACCEL_SETUP_DONE="1")
        for name in ("autotest", "gateway", "gateway-heal", "intree", "programs"):
            done = subprocess.run([os.path.join(TOOLS, name)], stdin=subprocess.DEVNULL, env=env,
                                  capture_output=True, text=True, timeout=LIMIT_S, check=False)
            if done.returncode != 69 or "no source of DPDK" not in done.stderr:
                found.append("tools/%s without DPDK's source: exit code %d, %r" % (
                    name, done.returncode, done.stderr[-200:]))
    return found


def check_list():
    """Checks that the page of tools/py names each Python file once, below the title of its room."""
    with open(os.path.join(TOOLS, "py", "README.md"), encoding="utf-8") as file:
        parts = file.read().split("\n## ")[1:]
    listed = sorted((part.split("/", 1)[0], name) for part in parts
                    for name in re.findall(r"^- `(\w+\.py)`", part, re.MULTILINE))
    there = sorted(tuple(path.split(os.sep)[-2:])
                   for path in glob.glob(os.path.join(TOOLS, "py", "**", "*.py"), recursive=True))
    return ["tools/py/README.md: %s/%s is not there, or not listed once" % place
            for place in sorted(set(listed) | set(there))
            if listed.count(place) != 1 or place not in there]


CHECKS = {
    "scripts answer --help and -h, and do nothing else": check_help,
    "scripts refuse what they do not know": check_unknown,
    "a signal to a script ends its programs": check_signals,
    "huge pages are given back by the last that uses them": check_pages,
    "two scripts that build one folder wait for one another": check_locks,
    "tools/test counts failures, and says what a signal has left": check_test_run,
    "without DPDK's source scripts that need it say so": check_no_source,
    "each Python program has its line": check_list,
}
