# SPDX-License-Identifier: BSD-3-Clause
"""Runs the jobs of tools/test side by side. tools/test calls it.

testrun.py --script tools/test [--quick] --logs DIR --state FILE SECTION...

A job is a part of a section that can run by itself: `tools/test --job NAME`. It starts when the
jobs that it needs have ended well and there is room for its load. Among those that could start,
the one goes first whose way to the end of the run is the longest. How long a job takes is known
from the last run (--state), or guessed in the table below. Loads are guesses, too: while the CPUs
have time to spare, the next job starts in any case.

Each job has a log, and writes what it has counted to the file that ACCEL_JOB_RESULT names: lines
"PASSED FAILED TITLE", or "skipped TITLE". The last line of all is "N passed, N failed"."""

import argparse
import collections
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base.priority import session_nice

# The load of a job is in CPUs, and is what it uses on average. Jobs of up to LOAD times the number
# of CPUs run at once, since most of them also wait.
LOAD = 1.5
SPARE = 0.1  # of the CPUs' time, above which the loads of the table count for nothing
WINDOW_S = 4  # seconds over which that is measured
MOST = 4  # times the number of CPUs: jobs at once, whatever the CPUs do
# The longest job goes before all others, with those that it needs. Its guest only waits when its
# card gets no CPU.
FIRST = "vm"
NICE = 5  # of all others
UNAVAILABLE = 69  # ACCEL_UNAVAILABLE of tools/lib.sh
STATUS_S = 30  # seconds between two reports, where the output is not a terminal
GRACE_S = 15  # seconds that stopped jobs have to clean up
TAIL = 40  # lines from the end of a failed job's log that are shown
MARKED = 15  # lines before those that speak of failures
FAILURE = re.compile(r"not ok|FAIL|ERROR|TIMEOUT|[1-9]\d* failed")

Job = collections.namedtuple("Job", "name section needs load seconds quick")


def job(name, section, needs, load, seconds, quick=False):
    """A row of the table. `seconds` is a guess for the first run; `quick`: --quick has it, too."""
    return Job(name, section, needs.split(), load, seconds, quick)


# Jobs without a section prepare what others need. They run if a chosen job needs them.
JOBS = [
    job("build-release", "", "", 2, 150, True),
    job("build-asan", "", "", 2, 200),
    job("build-dpdk", "", "build-release", 2, 200),
    job("build-fuzz", "", "", 2, 60),
    job("build-mutants", "", "build-release", 2, 60),
    job("vm-prepare", "", "", 1, 100),
    job("secgw-build", "", "build-release", 1, 20),
    job("checks", "checks", "build-release", 1, 20, True),
    job("spin", "spin", "", 1, 110),
    job("unit-release", "unit", "build-release", 2, 90, True),
    job("unit-secrets", "unit", "build-release", 1, 60),
    job("unit-asan", "unit", "build-asan", 2, 120),
    job("install", "unit", "build-release", 1, 10),
    job("examples", "unit", "build-release", 1, 20),
    job("package", "package", "", 2, 120),
    job("conformance-release", "conformance", "build-release", 1, 20, True),
    job("matrix", "conformance", "build-release", 1, 60),
    job("conformance-asan", "conformance", "build-asan", 1, 40),
    job("mutants", "mutants", "build-mutants", 2, 200),
    job("e2e-release", "e2e", "build-release", 1, 160, True),
    job("e2e-older", "e2e", "build-release", 1, 40),
    job("e2e-asan", "e2e", "build-asan", 1, 120),
    job("mp", "mp", "build-release", 1, 140),
    job("vectors", "vectors", "build-release", 1, 20, True),
    job("tool", "tool", "build-release", 1, 120),
    job("ossl", "ossl", "build-release", 1, 190),
    job("ossl-asan", "ossl", "build-asan", 1, 90),
    job("bench", "bench", "build-release", 1, 90),
    job("fuzz", "fuzz", "build-fuzz", 2, 60),
    job("intree", "intree", "build-dpdk", 1, 40),
    job("autotest", "autotest", "build-dpdk", 1, 60),
    job("programs", "programs", "build-dpdk", 1, 70),
    job("gateway", "gateway", "build-release secgw-build", 1, 40),
    job("gateway-heal", "gateway", "build-release secgw-build", 1, 40),
    job("vm", "vm", "vm-prepare build-dpdk secgw-build", 1, 700),
    job("build-tsan", "", "", 2, 200),
    job("tsan", "tsan", "build-tsan", 2, 150),
]


def human(seconds):
    """Seconds as 1m05s."""
    seconds = int(seconds)
    return "%dm%02ds" % divmod(seconds, 60) if seconds >= 60 else "%ds" % seconds


class Progress:
    """What the lines of a job's output say of its cases: how many have passed and failed, and how
    long each took."""

    MESON = re.compile(r"^ *\d+/\d+ (?:.* / )?(\S+) +(OK|FAIL|TIMEOUT|ERROR|SKIP) +([\d.]+)s"
                       r"(?: +(\d+)(?:/(\d+))? subtests passed)?")
    LINE = re.compile(r"^ *(ok|FAILED|not ok) +(?:\d+ - )?(\S.*)")

    def __init__(self):
        self.passed = self.failed = 0
        self.cases = []
        self.last = ""
        self.before = time.monotonic()

    def line(self, text):
        """Takes a line."""
        text = text.rstrip()
        if not text:
            return
        now = time.monotonic()
        self.last = text.strip()
        found = self.MESON.match(text)
        if found:
            name, verdict, seconds, passed, total = found.groups()
            good = int(passed or verdict == "OK")
            self.passed += good
            self.failed += 0 if verdict in ("OK", "SKIP") else max(1, int(total or 0) - good)
            self.cases.append((float(seconds), name))
            return
        found = self.LINE.match(text)
        if found:
            self.passed += found[1] == "ok"
            self.failed += found[1] != "ok"
            self.cases.append((now - self.before, found[2][:70]))
        self.before = now


class Running:
    """A job that runs."""

    def __init__(self, what, args, first, log, result):
        self.job = what
        self.log, self.result = log, result
        self.begin = time.monotonic()
        self.progress = Progress()
        self.code = None
        self.cpu = self.taken = 0.0
        if os.path.exists(result):
            os.unlink(result)
        command = [] if first else ["nice", "-n", str(NICE)]
        command += [args.script, "--job", what.name] + (["--quick"] if args.quick else [])
        env = dict(os.environ, ACCEL_JOB_RESULT=result)
        env.pop("ACCEL_SCRATCH", None)  # two jobs may not share the folder of the EAL's files
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, errors="replace", start_new_session=True)
        session_nice(self.process.pid, 0 if first else NICE)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        """Copies the output to the log."""
        with open(self.log, "w", encoding="utf-8") as file:
            for line in self.process.stdout:
                file.write(line)
                file.flush()
                self.progress.line(line)

    def ended(self):
        """True if the job has ended; then its code and its CPU time are known."""
        if self.code is None:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid == 0:
                return False
            self.code = os.waitstatus_to_exitcode(status)
            self.process.returncode = self.code
            self.cpu = usage.ru_utime + usage.ru_stime
            self.reader.join(5)
        return True

    def seconds(self):
        """For how long it has run."""
        return time.monotonic() - self.begin

    def counts(self):
        """What it has counted: [(passed, failed, title)], and the titles that were skipped."""
        counted, skipped = [], []
        if os.path.exists(self.result):
            with open(self.result, encoding="utf-8") as file:
                for line in file:
                    words = line.split(None, 2)
                    if words[0] == "skipped":
                        skipped.append(line.split(None, 1)[1].strip())
                    else:
                        counted.append((int(words[0]), int(words[1]), words[2].strip()))
        if self.code == UNAVAILABLE and not counted:
            skipped = skipped or [self.job.name]
        elif self.code != 0 and not any(failed for _, failed, _ in counted):
            counted.append((0, 1, "%s ended with code %d" % (self.job.name, self.code)))
        return counted, skipped


class Cpus:
    """How much time the CPUs have to spare."""

    def __init__(self):
        self.nb = len(os.sched_getaffinity(0))
        self.restart()

    @staticmethod
    def read():
        """Returns (now, seconds that all CPUs have been idle)."""
        with open("/proc/stat", encoding="ascii") as file:
            fields = file.readline().split()
        return time.monotonic(), int(fields[4]) / os.sysconf("SC_CLK_TCK")

    def restart(self):
        """Measures from now on, since a job has started."""
        self.seen = collections.deque([self.read()])

    def spare(self):
        """Returns the idle part of the last seconds, or 0 if they are too few."""
        self.seen.append(self.read())
        while len(self.seen) > 2 and self.seen[-1][0] - self.seen[1][0] >= WINDOW_S:
            self.seen.popleft()
        passed = self.seen[-1][0] - self.seen[0][0]
        if passed < WINDOW_S:
            return 0
        return (self.seen[-1][1] - self.seen[0][1]) / passed / (os.cpu_count() or 1)


class Screen:
    """What the user sees: a line when a job begins and ends, and the lines of those that live."""

    def __init__(self, begin):
        self.begin = begin
        self.terminal = sys.stdout.isatty()
        self.shown = 0
        self.last = time.monotonic()

    def say(self, text=""):
        """Prints lines that stay."""
        self.clear()
        print(text, flush=True)

    def clear(self):
        """Removes the lines of the living jobs from a terminal."""
        if self.shown:
            sys.stdout.write("\033[%dA\033[J" % self.shown)
            self.shown = 0

    def status(self, running, waiting):
        """Shows the living jobs, now and then."""
        now = time.monotonic()
        if now - self.last < (1 if self.terminal else STATUS_S):
            return
        self.last = now
        self.clear()
        lines = ["[%s] %d jobs run, %d wait" % (human(now - self.begin), len(running), waiting)]
        for each in running:
            progress = each.progress
            lines.append("  %-20s %7s %5d passed%s  %s" % (
                each.job.name, human(each.seconds()), progress.passed,
                ", %d FAILED" % progress.failed if progress.failed else "", progress.last))
        width = os.get_terminal_size().columns - 1 if self.terminal else 110
        print("\n".join(line[:width] for line in lines), flush=True)
        self.shown = len(lines) if self.terminal else 0


class Run:
    """All jobs of a call."""

    def __init__(self, args):
        self.args = args
        self.begin = time.monotonic()
        self.screen = Screen(self.begin)
        self.table = {each.name: each for each in JOBS}
        self.times = self.load()
        self.jobs = self.choose()
        self.first = self.needed(FIRST)
        self.running, self.ended, self.cannot = [], {}, {}
        self.order = {each: self.way(each) for each in self.jobs}
        self.stopped = False
        self.cpus = Cpus()

    def load(self):
        """Seconds that each job took the last time."""
        try:
            with open(self.args.state, encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}

    def save(self):
        """Writes how long each job took, for the next run."""
        for name, each in self.ended.items():
            if each.code == 0:
                self.times[self.key(name)] = round(each.taken, 1)
        with open(self.args.state + ".new", "w", encoding="utf-8") as file:
            json.dump(self.times, file, indent=1, sort_keys=True)
        os.replace(self.args.state + ".new", self.args.state)

    def key(self, name):
        """The name of a job in the file of times."""
        return name + (" --quick" if self.args.quick else "")

    def choose(self):
        """The names of the jobs of the sections, and of those that they need."""
        chosen = []

        def add(name):
            for need in self.table[name].needs:
                add(need)
            if name not in chosen:
                chosen.append(name)

        for each in JOBS:
            if each.section in self.args.section and (each.quick or not self.args.quick):
                add(each.name)
        return chosen

    def needed(self, name):
        """A job and all that it needs."""
        return {name}.union(*map(self.needed, self.table[name].needs))

    def guess(self, name):
        """Seconds that a job takes, as far as it is known."""
        return self.times.get(self.key(name), self.table[name].seconds)

    def way(self, name):
        """Seconds from the start of this job to the end of the run: its own, and of those that
        wait for it."""
        return self.guess(name) + max([self.way(each) for each in self.jobs
                          if name in self.table[each].needs], default=0)

    def room(self, what, spare):
        """True if there is room for the job's load, or the CPUs have time to spare, or the longest
        job needs it."""
        if len(self.running) >= MOST * self.cpus.nb:
            return False
        if what.name in self.first:
            return True
        load = sum(each.job.load for each in self.running) + what.load
        return not self.running or load <= LOAD * self.cpus.nb or spare > SPARE

    def left(self):
        """The names of the jobs that have not ended."""
        return [name for name in self.jobs if name not in self.ended]

    def start(self):
        """Starts what can start. Returns how many jobs wait."""
        waiting = [name for name in self.left() if name not in self.cannot
                   and all(each.job.name != name for each in self.running)]
        spare = self.cpus.spare()
        for name in sorted(waiting, key=lambda each: -self.order[each]):
            needs = self.table[name].needs
            broken = [need for need in needs if need in self.cannot or
                      need in self.ended and self.ended[need].code != 0]
            if broken:
                self.cannot[name] = broken[0]
                self.screen.say("    %-20s cannot run, because %s failed" % (name, broken[0]))
            elif all(need in self.ended for need in needs):
                if not self.room(self.table[name], spare):
                    break  # smaller ones would keep it waiting
                base = os.path.join(self.args.logs, "job-" + name)
                self.running.append(Running(self.table[name], self.args, name in self.first,
                                            base + ".log", base + ".result"))
                waiting.remove(name)
                self.cpus.restart()
                spare = 0
        return len(waiting)

    def finish(self, each):
        """Takes what a job that has ended says."""
        each.taken = each.seconds()
        self.running.remove(each)
        self.ended[each.job.name] = each
        counted, skipped = each.counts()
        passed, failed = (sum(row[i] for row in counted) for i in (0, 1))
        verdict = "%5d passed %3d failed" % (passed, failed) if counted else ""
        if skipped:
            verdict += " skipped: " + ", ".join(skipped)
        self.screen.say("[%s] %-20s %7s, %s of CPU  %s" % (
            human(time.monotonic() - self.begin), each.job.name, human(each.taken),
            human(each.cpu), verdict or ("done" if each.code == 0 else "FAILED")))
        if failed:
            self.show_failure(each)

    def show_failure(self, each):
        """Shows what a log says of failures, and its end."""
        with open(each.log, encoding="utf-8", errors="replace") as file:
            lines = [line.rstrip()[:200] for line in file]
        marked = [line for line in lines[:-TAIL] if FAILURE.search(line)]
        self.screen.say("\n".join(["    what failed in %s, and the end of its log:" %
                                   each.job.name] +
                                  ["    ! " + line for line in marked[-MARKED:]] +
                                  ["    | " + line for line in lines[-TAIL:]] +
                                  ["    the whole log: " + each.log]))

    def stop(self, *_):
        """Ctrl-C or a signal to end."""
        self.stopped = True

    def end_all(self):
        """Ends all jobs, each of which ends what it has started."""
        begun = {each.job.name: " (begun %s ago)" % human(each.seconds()) for each in self.running}
        self.screen.say("stopped; left are: " + ", ".join(
            name + begun.get(name, "") for name in self.left()))
        for each in self.running:
            each.process.terminate()
        end = time.monotonic() + GRACE_S
        while time.monotonic() < end and not all([each.ended() for each in self.running]):
            time.sleep(0.1)
        for each in self.running:
            if not each.ended():
                os.killpg(each.process.pid, signal.SIGKILL)

    def summary(self):
        """Prints where the time went and what was counted. Returns (passed, failed)."""
        say = self.screen.say
        seconds = time.monotonic() - self.begin
        cpu = sum(each.cpu for each in self.ended.values())
        say("\n==> %d jobs took %s, and %s of CPU (%.2f CPUs)" % (
            len(self.ended), human(seconds), human(cpu), cpu / max(seconds, 1)))
        for each in sorted(self.ended.values(), key=lambda each: -each.taken):
            say("    %-20s %7s, %7s of CPU" % (each.job.name, human(each.taken),
                                              human(each.cpu)))
        say("    the slowest cases:")
        cases = [(took, name, each.job.name) for each in self.ended.values()
                 for took, name in each.progress.cases]
        for took, name, of in sorted(cases, reverse=True)[:10]:
            say("    %7s  %s: %s" % (human(took), of, name))
        passed = failed = 0
        for name in self.jobs:
            if name in self.cannot:
                say("    %-36s did not run, because %s failed" % (name, self.cannot[name]))
                failed += 1
                continue
            counted, skipped = self.ended[name].counts()
            for good, bad, title in counted:
                say("    %-36s %5d passed %5d failed" % (title, good, bad))
                passed, failed = passed + good, failed + bad
            for title in skipped:
                say("    %-36s skipped, see %s" % (title, self.ended[name].log))
        return passed, failed

    def run(self):
        """Runs all jobs. Returns the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.stop)
        while not self.stopped:
            waiting = self.start()
            if not self.running:
                break
            self.screen.status(self.running, waiting)
            time.sleep(0.2)
            for each in list(self.running):
                if each.ended():
                    self.finish(each)
        if self.stopped:
            self.end_all()
            return 130
        self.save()
        passed, failed = self.summary()
        # What was shown when it ended may be far above, or cut off where only the end is kept.
        for each in self.ended.values():
            if any(bad for _, bad, _ in each.counts()[0]):
                self.show_failure(each)
        self.screen.say("\n%d passed, %d failed" % (passed, failed))
        return 0 if failed == 0 and passed > 0 else 1


def main():
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--script", required=True, help="tools/test")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--logs", required=True, help="folder of the logs")
    parser.add_argument("--state", required=True, help="file with the times of the last run")
    parser.add_argument("section", nargs="*")
    args = parser.parse_args()
    unknown = set(args.section) - {each.section for each in JOBS}
    if unknown or not args.section:
        parser.error("sections are " + " ".join(dict.fromkeys(each.section for each in JOBS)))
    return Run(args).run()


if __name__ == "__main__":
    sys.exit(main())
