# SPDX-License-Identifier: BSD-3-Clause
"""Runs the stock dpdk-test-crypto-perf and reads its output.

The EAL arguments, CPUs and the plugin come from the environment that tools/lib.sh prepares
(eal_prepare, plugin_prepare)."""

import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ.get("ACCEL_CRYPTO_PERF", "dpdk-test-crypto-perf")

# True if measured programs have priority over other programs.
URGENT = False

# The command lines of the runs that succeeded, by name and by the line without its number of
# operations, which differs from round to round.
_COMMANDS = {}

# dpdk-test-crypto-perf prints this if a device lacks the algorithm.
HANGS_S = 1200  # a program that runs so long hangs, however busy the machine is
RING = 2048  # descriptors of a queue pair, as dpdk-test-crypto-perf has them
NOT_OFFERED = "does not support capabilities requested"

ALGORITHMS = {
    "null": "--optype cipher-only --cipher-algo null --cipher-op encrypt "
            "--cipher-key-sz 0 --cipher-iv-sz 0",
    "aes-128-cbc": "--optype cipher-only --cipher-algo aes-cbc --cipher-op encrypt "
                   "--cipher-key-sz 16 --cipher-iv-sz 16",
    "aes-128-gcm": "--optype aead --aead-algo aes-gcm --aead-op encrypt --aead-key-sz 16 "
                   "--aead-iv-sz 12 --aead-aad-sz 16 --digest-sz 16",
    "aes-256-gcm": "--optype aead --aead-algo aes-gcm --aead-op encrypt --aead-key-sz 32 "
                   "--aead-iv-sz 12 --aead-aad-sz 16 --digest-sz 16",
    "aes-128-cbc+sha1-hmac": "--optype cipher-then-auth --cipher-algo aes-cbc --cipher-op encrypt "
                             "--cipher-key-sz 16 --cipher-iv-sz 16 --auth-algo sha1-hmac "
                             "--auth-op generate --auth-key-sz 64 --digest-sz 20",
    "aes-128-cbc+sha256-hmac": "--optype cipher-then-auth --cipher-algo aes-cbc "
                               "--cipher-op encrypt --cipher-key-sz 16 --cipher-iv-sz 16 "
                               "--auth-algo sha2-256-hmac --auth-op generate --auth-key-sz 64 "
                               "--digest-sz 32",
}


class PerfError(Exception):
    """A run that failed. The message says why, and `log` is the file with the program's output."""

    def __init__(self, message, log=None, not_offered=False, killed=False):
        super().__init__(message)
        self.log = log
        self.not_offered = not_offered
        self.killed = killed


def eal_args():
    """Returns the memory and general arguments for the EAL."""
    return shlex.split(os.environ.get("ACCEL_EAL", "--in-memory --no-pci"))


def lcores():
    """Returns the mapping of lcores to CPUs for main lcore 0 and worker lcore 1."""
    return os.environ.get("ACCEL_LCORES", "0@0,1@0")


def cpus():
    """Returns the CPUs that may be used."""
    return [int(c) for c in os.environ.get("ACCEL_CPUS", "0").split()]


def device_args(device, extra=()):
    """Returns the EAL arguments that create a device of the driver `device`.

    `extra` has device arguments of an embedded crypto_accel, which come before those of the
    environment."""
    if device == "crypto_accel":
        function = os.environ.get("ACCEL_FUNCTION")
        if function:
            return ["-d", os.environ["ACCEL_PLUGIN"], "-a", function]
        extra = list(extra) + [a for a in [os.environ.get("ACCEL_VDEV_ARGS", "")] if a]
        # The variable is empty for a program with the driver linked in.
        plugin = os.environ["ACCEL_PLUGIN"]
        return (["-d", plugin] if plugin else []) + [
            "--vdev", ",".join(["crypto_accel0"] + extra)]
    return ["--vdev", device + "0"]


def _main_must_yield(mapping):
    """Returns True if the main lcore shares its CPU with another lcore in `mapping`."""
    used = [part.split("@")[1] for part in mapping.split(",")]
    return used[0] in used[1:]


class _MainIdle:
    """Puts the main thread of a DPDK program into SCHED_IDLE once its worker lcores work.

    rte_eal_wait_lcore() spins. On a machine with two CPUs the main lcore shares the worker's CPU
    and would take half of it. With SCHED_IDLE it takes nothing. It is not done earlier, because
    threads that the main thread starts would inherit the policy."""

    def __init__(self, pid, wanted):
        self.pid = pid
        self.pending = wanted

    def poll(self):
        """Checks once whether the worker lcores work."""
        if not self.pending:
            return
        for task in glob.glob("/proc/%d/task/*" % self.pid):
            try:
                with open(task + "/comm", encoding="ascii", errors="replace") as file:
                    if not file.read().startswith(("rte-worker", "lcore-worker")):
                        continue
                with open(task + "/stat", encoding="ascii", errors="replace") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                if int(fields[11]) + int(fields[12]) >= 1:
                    os.sched_setscheduler(self.pid, os.SCHED_IDLE, os.sched_param(0))
                    self.pending = False
                    return
            except PermissionError:
                self.pending = False
            except OSError:
                continue


def log_dir():
    """Returns the folder for logs of failed runs."""
    path = os.environ.get("ACCEL_LOGS_DIR") or tempfile.gettempdir()
    os.makedirs(path, exist_ok=True)
    return path


def weigh(pid):
    """Gives the session of `pid` the scheduler's greatest weight. nice alone has no effect against
    other sessions if the kernel groups processes by session."""
    try:
        os.setpriority(os.PRIO_PROCESS, pid, -20)
        with open("/proc/%d/autogroup" % pid, "w", encoding="ascii") as file:
            file.write("-20")
    except OSError:
        pass  # not root, no such groups, or the process has ended


def run_program(argv, mapping=None, timeout=HANGS_S, name="crypto-perf", env=None):
    """Runs `argv` and returns its output. Raises PerfError on a failure or after `timeout`
    seconds."""
    if shutil.which(argv[0]) is None:
        raise PerfError("there is no " + argv[0])
    log = os.path.join(log_dir(), name + ".log")
    with open(log, "w+", encoding="utf-8", errors="replace") as out:
        out.write("$ " + shlex.join(argv) + "\n")
        out.flush()
        with subprocess.Popen(argv, stdout=out, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, start_new_session=True,
                              env=env) as process:
            if URGENT:
                weigh(process.pid)
            idle = _MainIdle(process.pid, mapping is not None and _main_must_yield(mapping))
            deadline = time.monotonic() + timeout
            try:
                while process.poll() is None:
                    idle.poll()
                    if time.monotonic() > deadline:
                        os.killpg(process.pid, signal.SIGKILL)
                        process.wait()
                        raise PerfError("it did not end within %d s" % timeout, log)
                    time.sleep(0.005 if idle.pending else 0.02)
            except BaseException:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                raise
        out.seek(0)
        text = out.read()
    if process.returncode != 0:
        if NOT_OFFERED in text:
            raise PerfError("not offered", log, not_offered=True)
        if process.returncode < 0:
            raise PerfError("killed by signal %d" % -process.returncode, log, killed=True)
        raise PerfError("exit code %d" % process.returncode, log)
    line = shlex.join(argv)
    _COMMANDS.setdefault((name, re.sub(r"--total-ops \d+", "", line)), line)
    return text


def run_again(argv, name, tries):
    """Runs `argv` as run_program() does, up to `tries` times if a signal kills it."""
    for left in reversed(range(tries)):
        try:
            return run_program(argv, name=name)
        except PerfError as error:
            if not (error.killed and left):
                raise
    raise ValueError("no tries")


def commands(*names):
    """Returns the command lines of the runs whose name begins with one of `names`."""
    return [line for (name, _), line in _COMMANDS.items() if name.startswith(names)]


def run(device, args, mapping=None, eal_device=None, timeout=HANGS_S, name=None):
    """Runs dpdk-test-crypto-perf once on the driver `device` and returns the rows of its CSV
    output.

    `args` are the arguments after "--", without device and output format. `eal_device` has the EAL
    arguments that create the devices (default: one device of the driver)."""
    mapping = mapping or lcores()
    argv = [PROGRAM, "--lcores", mapping, "--log-level=error"] + eal_args()
    argv += eal_device if eal_device is not None else device_args(device)
    argv += ["--", "--devtype", device, "--silent", "--csv-friendly"] + args
    return parse_rows(run_program(argv, mapping, timeout, name or "crypto-perf-" + device))


def parse_rows(text):
    """Returns the rows of numbers in CSV output, each as a list of floats."""
    rows = []
    for line in text.splitlines():
        parts = line.split(",")
        if len(parts) < 8:
            continue
        try:
            rows.append([float(p) for p in parts])
        except ValueError:
            continue
    return rows


def throughput(device, algorithm, sizes, ops, burst=32, mapping=None, eal_device=None,
               timeout=HANGS_S, tries=1, on_death=None, name="throughput", ring=RING):
    """Measures the throughput of `ops` operations per size. Returns {size: (Mops/s, Gbit/s)}.

    The first size runs twice, the first time to warm up. With several worker lcores the numbers are
    sums. A run that is killed by a signal is repeated, up to `tries` times in all. Each such run
    calls `on_death`. A queue pair has `ring` descriptors."""
    args = ["--ptest", "throughput", "--total-ops", str(ops), "--burst-sz", str(burst),
            "--desc-nb", str(ring),
            "--buffer-sz", ",".join(str(s) for s in [sizes[0]] + list(sizes))]
    args += shlex.split(ALGORITHMS[algorithm])
    for left in reversed(range(tries)):
        try:
            rows = run(device, args, mapping, eal_device, timeout,
                       name="%s-%s-%s" % (name, device, algorithm))
            break
        except PerfError as error:
            if error.killed and on_death:
                on_death()
            if not error.killed or left == 0:
                raise
    workers = len(rows) // (len(sizes) + 1)
    if workers == 0 or len(rows) != workers * (len(sizes) + 1):
        raise PerfError("unexpected output")
    result = {}
    for size in sizes:
        last = [r for r in rows[workers:] if int(r[1]) == size]
        if any(int(r[4]) != ops for r in last):
            raise PerfError("not every operation came back")
        result[size] = (sum(r[7] for r in last), sum(r[8] for r in last))
    return result


def _ops_for(seconds, seconds_per_op):
    """Returns a number of operations that takes about `seconds`, at least two rings."""
    ops = int(seconds / seconds_per_op)
    return max(2 * RING, min(ops, 8000000)) // RING * RING


def measure(device, algorithm, sizes, seconds, mapping=None, eal_device=None, per_op=None,
            workers=1, tries=1, on_death=None, ring=RING):
    """Measures the throughput of `sizes`, about `seconds` each. Returns {size: (Mops/s, Gbit/s)}.

    `per_op` is the time in seconds of an operation of the first size. If it is not known, a short
    first run measures it. Sizes above 1024 have a run of their own with fewer operations. `workers`
    is the number of worker lcores. `tries`, `on_death` and `ring` are those of throughput()."""
    if per_op is None:
        first = throughput(device, algorithm, sizes[:1], 40960, mapping=mapping,
                           eal_device=eal_device, tries=tries, on_death=on_death,
                           name="first-throughput")
        per_op = 1e-6 / max(first[sizes[0]][0] / workers, 1e-6)
    result = {}
    for group in [s for s in sizes if s <= 1024], [s for s in sizes if s > 1024]:
        if not group:
            continue
        if result:
            last = max(result)
            per_op = 1e-6 / max(result[last][0] / workers, 1e-6) * group[0] / last
        result.update(throughput(device, algorithm, group, _ops_for(seconds, per_op),
                                 mapping=mapping, eal_device=eal_device, tries=tries,
                                 on_death=on_death, ring=ring))
    return result


def cycle_count(device, algorithm, sizes, bursts, ring, rings, delay_ms):
    """Counts cycles by pmd-cyclecount: the program enqueues a ring of operations, waits `delay_ms`
    and dequeues them, `rings` times. Returns {(size, burst): (enqueue, dequeue, waits)} in cycles
    per operation. With `waits` above 0 the dequeue had to wait for the device."""
    # The first size runs twice, and the first time does not count.
    args = ["--ptest", "pmd-cyclecount", "--total-ops", str(ring * rings), "--desc-nb", str(ring),
            "--burst-sz", ",".join(map(str, bursts)), "--buffer-sz",
            ",".join(map(str, [sizes[0]] + list(sizes)))] + shlex.split(ALGORITHMS[algorithm])
    if delay_ms:
        args += ["--pmd-cyclecount-delay-ms", str(delay_ms)]
    rows = run(device, args, name="cyclecount-" + device)[-len(bursts) * len(sizes):]
    if len(rows) != len(bursts) * len(sizes):
        raise PerfError("unexpected output")
    return {(int(r[1]), int(r[2])): (r[8], r[9], r[6]) for r in rows}


def say(text="", end="\n"):
    """Prints and flushes."""
    sys.stdout.write(text + end)
    sys.stdout.flush()


def _cpu_times():
    """Returns (busy, all) jiffies of all CPUs since the start of the machine."""
    with open("/proc/stat", encoding="ascii") as file:
        numbers = [int(n) for n in file.readline().split()[1:9]]
    return sum(numbers) - numbers[3] - numbers[4], sum(numbers)


def busy_share(seconds=0.5):
    """Returns the share of the machine's CPU time that other programs use now, from 0 to 1."""
    first = _cpu_times()
    time.sleep(seconds)
    last = _cpu_times()
    return (last[0] - first[0]) / max(last[1] - first[1], 1)


def warn_if_loaded():
    """Warns before a measurement if other programs use the machine."""
    share, load, cpus_here = busy_share(), os.getloadavg()[0], os.cpu_count()
    if share > 0.1 or load > 0.5 * cpus_here:
        say("    warning: this machine is busy (other programs use %.0f %% of it now, load %.1f on"
            " %d CPUs),\n    so the numbers will be worse" % (100 * share, load, cpus_here))


def warn_if_busy(share):
    """Warns after a measurement if other programs disturbed it."""
    if share > 0.1:
        say("    warning: other programs used %.0f %% of this machine when the measurement began,"
            " so the numbers are worse" % (100 * share))


class Progress:
    """Prints lines "[ 3/12] what ... result" for a known number of runs."""

    def __init__(self, total):
        self.total = total
        self.done = 0

    def begin(self, what):
        """Prints the begin of a line."""
        self.done += 1
        say("    [%2d/%d] %-48s" % (self.done, self.total, what), end=" ")

    def end(self, result):
        """Prints the result of a run."""
        say(result)


def find(records, section, **keys):
    """Returns the value of the record of a section that matches, or None."""
    for record in records:
        if record["section"] == section and all(record[k] == v for k, v in keys.items()):
            return record["value"]
    return None


def cell(value, digits=0):
    """Formats a number for a table."""
    return "-" if value is None else "%.*f" % (digits, value)


def align(rows, first_left=1):
    """Returns the lines of a table. Columns are as wide as needed, and all but the first ones are
    aligned to the right."""
    widths = [max(len(str(r[i])) for r in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [str(c).ljust(w) if i < first_left else str(c).rjust(w)
                 for i, (c, w) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return lines
