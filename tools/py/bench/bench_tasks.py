# SPDX-License-Identifier: BSD-3-Clause
"""The section `tasks` of tools/bench: several equal applications that use one card at once.

bench_tasks.py guest PROGRAM PLUGIN FUNCTION...    on functions of a guest, for tools/vm-test
bench_tasks.py test BUILD_DIR                      for test/run.sh

The program is test/bench/peers/tasks_bench.c. The applications are either processes of one device,
with a queue pair each (a primary one and its secondaries), or each has a virtual function. All of
them share a CPU, and the card has the other one. Each works in a closed loop and either polls, or
sleeps for a moment when nothing has come back."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
from base import cperf
from base.cperf import cell
from bench import bench_peers

SECTION = "tasks"
OURS = bench_peers.OURS
PROCESSES, FUNCTIONS = "queue pairs", "virtual functions"
NUMBERS = list(range(1, 9))
SIZE = 4096
NAP_US = 50
PEAK_BYTES = 125000000
# (algorithm, microseconds of a nap or 0, most bytes per second of the card or 0)
CASES = [("aes-128-cbc", 0, 0), ("aes-128-cbc", NAP_US, 0), ("3des-cbc", NAP_US, 0),
         ("aes-128-cbc", NAP_US, PEAK_BYTES)]
# One application with 3DES, on the card and in software.
ALONE, ALONE_ALGORITHM, ALONE_SIZES = "alone", "3des-cbc", [64, 1024, 16384]
ALONE_DEVICES = [OURS, "crypto_aesni_mb", "crypto_openssl"]
SECONDS = 0.5
ROUNDS = 5
HANGS_S = 600
START_S = 0.1  # from the word to all until they begin
TRIES = 5
UNITS = {"begin": "s", "rate": "ops/s", "gbps": "Gbit/s", "cpu": "%", "process": "%", "p50": "us",
         "p99": "us", "calls": "/s"}


def case_name(place, case):
    """Returns the name of a case in records."""
    algorithm, nap, peak = case
    return "/".join((place, algorithm, "naps" if nap else "polls", str(peak)))


class Apart(cperf.PerfError):
    """Applications that did not work at the same time. Another try is worth it."""


class Applications:
    """Applications that are ready at the same time, and a log for each."""

    def __init__(self):
        self.processes, self.logs = [], []

    def start(self, argv, env=None):
        """Starts one and waits until it is ready. Returns its process."""
        log = os.path.join(cperf.log_dir(), "tasks-%d.log" % len(self.processes))
        with open(log, "w", encoding="utf-8") as err:
            err.write("$ %s\n" % " ".join(argv))
            err.flush()
            # pylint: disable=consider-using-with
            process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=err, text=True, env=env, start_new_session=True)
        if cperf.URGENT:
            cperf.weigh(process.pid)
        self.processes.append(process)
        self.logs.append(log)
        self.read(len(self.processes) - 1, "ready")
        return process

    def read(self, number, until):
        """Reads lines up to a word. Returns {metric: value}."""
        found, process = {}, self.processes[number]
        watch = threading.Timer(HANGS_S, process.kill)  # late is not dead, but this hangs
        watch.start()
        try:
            for line in process.stdout:
                parts = line.strip().split(",")
                if parts == [until]:
                    return found
                if len(parts) == 4 and parts[0] in UNITS:
                    found[parts[0]] = float(parts[2])
        finally:
            watch.cancel()
        with open(self.logs[number], encoding="utf-8", errors="replace") as file:
            last = file.read().splitlines()[-1]
        raise cperf.PerfError("application %d ended: %s" % (number, last), self.logs[number])

    def go(self, seconds):
        """Lets all work at once. Returns what each measured. Raises Apart if some counted while
        others did not work."""
        start = time.monotonic() + START_S
        for process in self.processes:
            process.stdin.write("%.6f\n" % start)
            process.stdin.flush()
        found = [self.read(number, "done") for number in range(len(self.processes))]
        for number, metrics in enumerate(found):
            if set(metrics) != set(UNITS):
                raise cperf.PerfError("application %d printed no numbers" % number,
                                      self.logs[number])
        begins = [metrics["begin"] for metrics in found]
        if max(begins) - min(begins) > seconds / 4:
            raise Apart("some began to count %.2f s after others" % (max(begins) - min(begins)),
                        self.logs[0])
        return found

    def end(self):
        """Ends all, the primary process last. Raises PerfError if one failed."""
        for number in reversed(range(len(self.processes))):
            process = self.processes[number]
            process.stdin.close()
            if process.wait(HANGS_S) != 0:
                raise cperf.PerfError("application %d ended with code %d"
                                      % (number, process.returncode), self.logs[number])

    def kill(self):
        """Kills those that still run."""
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
            process.stdout.close()


def arguments(case, size, seconds, queue, queues, driver=OURS):
    """Returns the program's own arguments."""
    return ["--", driver, case[0], str(size), str(seconds), str(case[1]), str(queue), str(queues)]


def measure(starts, seconds, daemon=None):
    """Starts applications, whose [(argv, env)] the function `starts` yields, given the process of
    the first one. Returns what each measured, and the CPU time of the card's own process as a share
    of one CPU, in percent, or None."""
    for left in reversed(range(TRIES)):
        try:
            return measure_once(starts, seconds, daemon)
        except Apart:
            if left == 0:
                raise
    return None


def measure_once(starts, seconds, daemon):
    """Does so, and raises Apart if the applications did not work at the same time."""
    apps = Applications()
    try:
        for argv, env in starts(lambda: apps.processes[0].pid):
            apps.start(argv, env)
        begin, busy = time.monotonic(), cpu_time(daemon)
        found = apps.go(seconds)
        card = None
        if daemon:
            card = 100 * (cpu_time(daemon) - busy) / (time.monotonic() - begin)
        apps.end()
        return found, card
    finally:
        apps.kill()


def cpu_time(process):
    """Returns the CPU seconds of a process so far."""
    if process is None:
        return 0
    with open("/proc/%d/stat" % process.pid, encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processes_can():
    """Returns why processes cannot share a device here, or None."""
    if os.geteuid() != 0:
        return "only root may mount a hugetlbfs"
    return None if "--in-memory" in cperf.eal_args() else "there are no huge pages"


class Host:
    """Applications of this machine: processes of an embedded device, or functions of
    accel-device."""

    def __init__(self, build, seconds):
        self.program = os.path.abspath(os.path.join(build, "test/bench/tasks-bench"))
        self.daemon = os.path.join(build, "app/accel-device/accel-device")
        self.client = os.path.join(build, "test/telemetry/libaccel_client.so")
        self.seconds = seconds

    def eal(self, lcore="0@%d"):
        """Returns what all programs have."""
        return [self.program, "--lcores", lcore % cperf.cpus()[0], "--log-level=error"]

    def processes(self, case, number, size=SIZE):
        """Measures processes of one embedded device."""
        devargs = ["cores=[%d]" % bench_peers.second_cpu(), "queue_pairs=%d" % number]
        devargs += ["peak_bytes=%d" % case[2]] if case[2] else []
        with tempfile.TemporaryDirectory(prefix="accel-tasks-") as folder:
            env, huge = dict(os.environ, RUNTIME_DIRECTORY=folder), os.path.join(folder, "huge")
            os.mkdir(huge)
            shared = ["--no-pci", "--no-telemetry", "--file-prefix=tasks", "--huge-dir", huge,
                      "-d", os.path.abspath(os.environ["ACCEL_PLUGIN"])]
            mount = ["unshare", "-m", "sh", "-c",
                     'mount -t hugetlbfs none "$1" && shift && exec "$@"', "sh", huge]

            def starts(first):
                yield (mount + self.eal() + shared + ["-m", str(64 + 16 * number)]
                       + ["--vdev", ",".join(["crypto_accel0"] + devargs)]
                       + arguments(case, size, self.seconds, 0, number), env)
                for queue in range(1, number):
                    yield (["nsenter", "-m", "-t", str(first())] + self.eal() + shared
                           + ["--proc-type=secondary"]
                           + arguments(case, size, self.seconds, queue, number), env)

            found, _ = measure(starts, self.seconds)
        return found, found[0]["process"] - found[0]["cpu"]

    def functions(self, case, number, size=SIZE):
        """Measures programs that have a virtual function each."""
        with tempfile.TemporaryDirectory(prefix="accel-tasks-") as folder:
            sockets = [os.path.join(folder, "vf%d" % i) for i in range(number)]
            argv = [self.daemon, "--quiet", "--vf", "--queue-pairs", "1", "--cores",
                    "[%d]" % bench_peers.second_cpu()]
            argv += ["--peak-bytes", str(case[2])] if case[2] else []
            for path in sockets:
                argv += ["--socket", path]
            with subprocess.Popen(argv, stderr=subprocess.DEVNULL,
                                  start_new_session=True) as daemon:
                if cperf.URGENT:
                    cperf.weigh(daemon.pid)
                try:
                    self.wait_for(daemon, sockets)

                    def starts(_):
                        for path in sockets:
                            yield (self.eal() + cperf.eal_args() + [
                                "--iova-mode=va", "-d", self.client, "--vdev",
                                "accel_client0,socket=" + path] + arguments(
                                    case, size, self.seconds, 0, 1), None)

                    return measure(starts, self.seconds, daemon)
                finally:
                    daemon.terminate()

    @staticmethod
    def wait_for(daemon, sockets):
        """Waits until the card is there."""
        deadline = time.monotonic() + HANGS_S
        while not all(os.path.exists(path) for path in sockets):
            if daemon.poll() is not None or time.monotonic() > deadline:
                raise cperf.PerfError("accel-device does not serve")
            time.sleep(0.02)

    def alone(self, device, size):
        """Measures one application with a device of its own."""
        extra = ["cores=[%d]" % bench_peers.second_cpu()] if device == OURS else []

        def starts(_):
            yield (self.eal() + cperf.eal_args() + cperf.device_args(device, extra) + arguments(
                (ALONE_ALGORITHM, 0, 0), size, self.seconds, 0, 1, device), None)

        return measure(starts, self.seconds)


class Guest:
    """Applications in a guest, on its PCI functions. The card is outside, so its CPU time is not
    known."""

    def __init__(self, program, plugin, bdfs, seconds):
        self.program, self.plugin, self.bdfs, self.seconds = program, plugin, bdfs, seconds

    def eal(self, bdf, prefix):
        """Returns what a program on the function has."""
        return [self.program, "--lcores", "0@(0-%d)" % (os.cpu_count() - 1), "--log-level=error",
                "--no-telemetry", "--iova-mode=va", "-d", self.plugin, "-a", bdf,
                "--file-prefix=" + prefix]

    def processes(self, case, number, size=SIZE):
        """Measures processes of the first function."""
        def starts(_):
            for queue in range(number):
                role = ["--proc-type=secondary"] if queue else ["-m", str(64 + 16 * number)]
                yield (self.eal(self.bdfs[0], "tasks") + role
                       + arguments(case, size, self.seconds, queue, number), None)

        return measure(starts, self.seconds)

    def functions(self, case, number, size=SIZE):
        """Measures programs that have a virtual function each."""
        def starts(_):
            for place in range(number):
                yield (self.eal(self.bdfs[place], "tasks%d" % place)
                       + ["-m", "32"] + arguments(case, size, self.seconds, 0, 1), None)

        return measure(starts, self.seconds)


def sums(found, card):
    """Makes the numbers of all applications out of those of each."""
    rates = [app["gbps"] for app in found]
    numbers = {"sum": sum(rates), "least": min(rates), "most": max(rates),
               "p50": statistics.median(app["p50"] for app in found),
               "p99": max(app["p99"] for app in found), "cpu": sum(app["cpu"] for app in found),
               "calls": sum(app["calls"] for app in found)}
    if card is not None:
        numbers["card"] = card
    return numbers


SUM_UNITS = {"sum": "Gbit/s", "least": "Gbit/s", "most": "Gbit/s", "p50": "us", "p99": "us",
             "cpu": "%", "card": "%", "calls": "/s"}


def section(context):
    """Measures all rounds. Returns (records, failed runs)."""
    rounds = min(context.rounds, ROUNDS)
    numbers = [1, 2, 8] if context.quick else NUMBERS
    build = os.path.dirname(os.path.dirname(os.path.dirname(context.accel_bench)))
    host = Host(build, SECONDS / 2 if context.quick else SECONDS)
    cperf.say("\n==> Several applications on one card (%d rounds)" % rounds)
    why = processes_can()
    if why:
        cperf.say("    without secondary processes, because " + why)
    places = ([] if why else [(PROCESSES, host.processes)]) + [(FUNCTIONS, host.functions)]
    runs = [(case_name(place, case), number, SIZE, OURS,
             lambda way=way, case=case, number=number: way(case, number))
            for place, way in places for case in CASES for number in numbers]
    runs += [(ALONE, 1, size, device, lambda device=device, size=size: host.alone(device, size))
             for device in ALONE_DEVICES for size in ALONE_SIZES]
    progress = cperf.Progress(rounds * len(runs))
    values, failed = {}, 0
    for _ in range(rounds):
        for name, number, size, device, way in runs:
            progress.begin("%s  %s, %d" % (device, name, number))
            try:
                found = sums(*way())
            except cperf.PerfError as error:
                progress.end("%s%s" % (error, ", see " + error.log if error.log else ""))
                failed += 1
                continue
            progress.end("%.2f Gbit/s" % found["sum"])
            for metric, value in found.items():
                values.setdefault((name, number, size, device, metric), []).append(value)
    return [context.record(SECTION, device, metric, statistics.median(many), SUM_UNITS[metric],
                           len(many), name, size, number)
            for (name, number, size, device, metric), many in values.items()], failed


def get(records, name, number, metric, size=SIZE, device=OURS):
    """Returns the value of a record of this section, or None."""
    return cperf.find(records, SECTION, algo=name, burst=number, metric=metric, size=size,
                      device=device)


def rows(records):
    """Returns the heads and the rows of the table of several applications, or None without records
    of this section."""
    names = list(dict.fromkeys(r["algo"] for r in records
                               if r["section"] == SECTION and r["algo"] != ALONE))
    if not names:
        return None
    table = [["the applications have", "algorithm", "they", "card", "applications", "all, Gbit/s",
              "of one alone, %", "of the peak, %", "each, Gbit/s", "p50, us", "p99, us",
              "CPU of all, %", "CPU of the card, %"]]
    for name in names:
        place, algorithm, how, peak = name.split("/")
        card = "%g Gbit/s" % (8e-9 * int(peak)) if peak != "0" else "no peak"
        first = get(records, name, 1, "sum")
        for number in sorted({r["burst"] for r in records if r["algo"] == name}):
            all_of = get(records, name, number, "sum")
            table.append([place, algorithm, how, card, str(number), cell(all_of, 2),
                          cell(100 * all_of / first if first else None, 0),
                          cell(100 * all_of / (8e-9 * int(peak)) if peak != "0" else None, 1),
                          "%s to %s" % (cell(get(records, name, number, "least"), 2),
                                        cell(get(records, name, number, "most"), 2)),
                          cell(get(records, name, number, "p50"), 0),
                          cell(get(records, name, number, "p99"), 0),
                          cell(get(records, name, number, "cpu"), 0),
                          cell(get(records, name, number, "card"), 0)])
            place = algorithm = how = card = ""
    return table


def alone_rows(records):
    """Returns the heads and the rows of the table of 3DES-CBC, or None."""
    found = [r for r in records if r["section"] == SECTION and r["algo"] == ALONE]
    if not found:
        return None
    table = [["3DES-CBC, bytes"] + ["%s, Gbit/s" % device for device in ALONE_DEVICES]
             + ["%s, CPU of the application, %%" % OURS]]
    for size in ALONE_SIZES:
        table.append([str(size)] + [cell(get(records, ALONE, 1, "sum", size, device), 3)
                                    for device in ALONE_DEVICES]
                     + [cell(get(records, ALONE, 1, "cpu", size), 0)])
    return table


def print_tables(records):
    """Prints what was measured."""
    for title, found in (("Several applications on one card, operations of %d bytes" % SIZE,
                          rows(records)), ("One application with 3DES-CBC", alone_rows(records))):
        if found is not None:
            cperf.say("\n" + title)
            for line in cperf.align(found, 4):
                cperf.say("  " + line)


def test_main(build):
    """Runs two applications for a moment, in each way that this machine has. Prints TAP."""
    host, why, good = Host(build, 0.02), processes_can(), 0
    ways = [("two processes of one device", None if why else host.processes),
            ("two virtual functions", host.functions)]
    print("1..%d" % len(ways))
    for number, (name, way) in enumerate(ways, 1):
        if way is None:
            print("ok %d - %s # SKIP %s" % (number, name, why))
            good += 1
            continue
        try:
            found = sums(*way(CASES[1], 2))
            good += found["least"] > 0
            print("%s %d - %s" % ("ok" if found["least"] > 0 else "not ok", number, name))
        except cperf.PerfError as error:
            print("not ok %d - %s: %s, see %s" % (number, name, error, error.log))
    return 0 if good == len(ways) else 1


def guest_main(guest, rounds):
    """Measures in a guest, with fewer cases. Prints a line for each number of applications, of its
    best round: the one that other programs of the host disturbed least."""
    ways = [(PROCESSES, guest.processes, len(NUMBERS)),
            (FUNCTIONS, guest.functions, len(guest.bdfs))]
    for place, way, most in ways:
        for case in CASES[:2]:
            for number in [n for n in NUMBERS if n <= most]:
                found = max((sums(*way(case, number)) for _ in range(rounds)),
                            key=lambda numbers: numbers["sum"])
                print("row,%s,%s,%s,%d,%.2f,%.2f,%.2f,%.0f,%.0f,%.0f" % (
                    place, case[0], "naps" if case[1] else "polls", number, found["sum"],
                    found["least"], found["most"], found["p50"], found["p99"], found["cpu"]),
                    flush=True)
    return 0


def main():
    """Runs a part."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    guest = parts.add_parser("guest", allow_abbrev=False)
    guest.add_argument("program")
    guest.add_argument("plugin")
    guest.add_argument("functions", nargs="+", metavar="FUNCTION")
    guest.add_argument("--seconds", type=float, default=0.5, help="of each measurement")
    guest.add_argument("--rounds", type=int, default=3, help="of which the best one counts")
    parts.add_parser("test", allow_abbrev=False).add_argument("build_dir")
    args = parser.parse_args()
    if args.part == "test":
        return test_main(args.build_dir)
    return guest_main(Guest(args.program, args.plugin, args.functions, args.seconds), args.rounds)


if __name__ == "__main__":
    sys.exit(main())
