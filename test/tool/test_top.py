# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""dpdk-accel-tool top, with a process that fake_telemetry.py plays. test_prometheus.py has a real
one."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import time

from fake_telemetry import RATES, Fake
from tool import ABSENT, BROKEN, GOOD, USAGE, Result, complaint

PREFIX = "top_test"


@contextlib.contextmanager
def folder():
    """A run-time folder of DPDK that is empty, and the environment that names it."""
    with tempfile.TemporaryDirectory() as base:
        path = os.path.join(base, "dpdk", PREFIX)
        os.makedirs(path)
        yield path, {"RUNTIME_DIRECTORY": base}


@contextlib.contextmanager
def fake(**fields):
    """A process, and the arguments that select it."""
    with folder() as (path, _), Fake(path) as process:
        for name, value in fields.items():
            setattr(process, name, value)
        yield process, ["top", "--socket", process.path]


def near(value, want, part=0.2):
    """True if a measured rate is what the clock of another thread allows."""
    return abs(value - want) <= part * want


def test_rates(tool):
    """Rates are the differences of the counters by time, for queue pairs and devices."""
    with fake() as (process, top):
        lines = tool.plain(*top, "--json", "--count", "2", "--interval", "0.3").out.splitlines()
        assert len(lines) == 2, lines
        for line in lines:
            sample = json.loads(line)
            assert sample["pid"] == os.getpid() and near(sample["interval_s"], 0.3, 0.5), line
            devices = {d["dev_id"]: d for d in sample["devices"]}
            assert sorted(devices) == [0, 3], line
            pairs = devices[0]["queue_pairs"]
            assert [qp["qp"] for qp in pairs] == [0, 1], line
            for qp in pairs:
                rates = qp["rates"]
                for name, rate in RATES.items():
                    assert near(rates[name], rate * (qp["qp"] + 1)), (name, rates)
                assert near(rates["enqueue_burst"], 32, 0.01), rates
                assert near(rates["dequeue_burst"], 20, 0.01), rates
                assert near(rates["empty_poll_share"], 0.75, 0.01), rates
            assert near(devices[0]["rates"]["dequeued"], 3 * RATES["dequeued"]), devices[0]
            assert devices[0]["device"] == process.devices[0], devices[0]
            assert devices[0]["sessions"]["alive"] == 3, devices[0]


def test_reset(tool):
    """A counter that was reset counts from zero, and an error that is new has a rate."""
    with fake() as (process, top):
        def reset_at_second(command, answer):
            value = json.loads(answer)
            if command.endswith("/qp"):
                second = process.asked.count("/cryptodev/accel/list") > 2
                value[command]["dequeued"] = 50 if second else 1 << 60
            if command.endswith("/errors") and process.asked.count("/cryptodev/accel/list") > 2:
                value[command]["status"]["dma_fault"] = 9
            return json.dumps(value).encode()
        process.mangle = reset_at_second
        sample = tool.plain(*top, "--json", "--count", "1", "--interval", "0.2").json()
        device, seconds = sample["devices"][0], sample["interval_s"]
        assert near(device["queue_pairs"][0]["rates"]["dequeued"] * seconds, 50, 0.001), device
        assert near(device["rates"]["errors"]["status"]["dma_fault"] * seconds, 9, 0.001), device
        assert device["rates"]["errors"]["status"]["auth_failed"] == 0, device


def test_pipe(tool):
    """When piped, each interval is a block without escape codes, with all columns."""
    latency = {"on": 1, "unit": "ns", "count": 5, "p50": 4096, "p99": 16384, "p99_9": 32768,
               "max": 32000, "bounds": [4096], "counts": [5]}
    state = {"mode": "failed", "failures": 2, "resets": 1,
             "last_failure": {"reason": "timeout", "ago_us": 3200000}}
    share = {"is_set": 1, "queue_pairs": 4, "weight": 2, "ops_per_second": 1000000,
             "bytes_per_second": 0}
    with fake(latency={(0, 1): latency}, state={(3, 0): state}) as (process, top):
        process.devices[3]["share"] = share
        out = tool.plain(*top, "--count", "2", "--interval", "0.2").out
    assert "\033" not in out, out
    blocks = out.split("\n\n")
    assert len(blocks) == 2, out
    for block in blocks:
        lines = block.splitlines()
        head = [line for line in lines if line.startswith("DEV") or line.startswith("DEV", 0)]
        table = lines[lines.index(head[0]):]
        title = table[0].split()
        assert title[:4] == ["DEV", "QP", "MODE", "OPS/S"] and "P99.9us" in title, title
        rows = [dict(zip(title, row.split())) for row in table[1:]]
        assert [(row["DEV"], row["QP"]) for row in rows] == [("0", "0"), ("0", "1"), ("3", "0")]
        assert (rows[0]["DEPTH"], rows[0]["TX%"], rows[0]["RX%"], rows[0]["INFLT"]) == \
            ("512", "50", "25", "128"), rows[0]
        assert rows[0]["P50us"] == "-" and rows[1]["P50us"] == "4.1", rows
        assert rows[1]["P99.9us"] == "32.8" and rows[2]["MODE"] == "failed", rows
        assert table[3].endswith("  timeout, 3.2 s ago"), table[3]
        assert re.search(r"^crypto_accel0: embedded, ready, 1\.\d+M ops/s, \d+ errors/s, heartbeat "
                         r"40 ms ago, 41\.5 C, 12\.5 W, 3 sessions$", block, re.M), block
        assert "share: 4 queue pairs, weight 2, 1.00M ops/s" in block, block
        assert "errors: auth_failed 7 (0/s), too_short 2 (0/s)" in block, block


def with_vfs(process):
    """Makes device 0 a physical function whose VFs differ."""
    process.devices[0].update(transport="pci", vfs=8)
    process.vfs[0] = {
        0: Fake.virtual(0),
        1: Fake.virtual(1, {"weight": 3, "ops_per_second": 1000000, "in_effect": 0},
                        state="resetting", queue_pairs=0),
        2: Fake.virtual(2, {"bytes_per_second": 1250000000}, state="fatal", fatal_code=2),
        5: Fake.virtual(5, {"is_set": 0}, asks_for={"queue_pairs": 2, "weight": 0,
                        "ops_per_second": 0, "bytes_per_second": 5000000}),
        6: Fake.virtual(6, state="absent", queue_pairs=0)}


def vf_table(lines):
    """The rows of the table of VFs, each as its words; and its title."""
    begin = next(i for i, line in enumerate(lines) if line.split()[:2] == ["DEV", "VF"])
    return lines[begin].split(), [line.split() for line in lines[begin + 1:] if line]


def test_vfs(tool):
    """A physical function has a row for each VF: its state, its share, and what it asks for."""
    with fake() as (process, top):
        with_vfs(process)
        out = tool.plain(*top, "--count", "2", "--interval", "0.1").out
        sample = tool.plain(*top, "--count", "1", "--interval", "0.1", "--json").json()
    blocks = out.split("\n\n")
    assert len(blocks) == 2, out
    for block in blocks:
        title, rows = vf_table(block.splitlines())
        assert title == ("DEV VF STATE FATAL QPS GIVEN WEIGHT MAX OPS/S MAX B/S IN EFFECT ASKS "
                         "FOR").split(), title
        assert rows == [
            "0 0 ready 0 4 4 1 - - yes".split(), "0 1 resetting 0 0 4 3 1.00M - no".split(),
            "0 2 fatal 2 4 4 1 - 1.25G yes".split(),
            "0 5 ready 0 4 4 1 - - yes queue pairs 2, B/s 5.00M".split(),
            "0 6 absent 0 0 4 1 - - yes".split()], block
    assert [vf["vf"] for vf in sample["devices"][0]["vfs"]] == [0, 1, 2, 5, 6], sample
    assert sample["devices"][0]["vfs"][2] == process.vfs[0][2], sample
    assert "vfs" not in sample["devices"][1], sample


def test_vfs_go(tool):
    """VFs that go while top looks are left out, and bad answers about VFs are told."""
    with fake() as (process, top):
        with_vfs(process)
        top = [*top, "--count", "1", "--interval", "0.1"]
        # Listed, and gone when it is asked for.
        process.vfs[0][2] = None
        sample = tool.plain(*top, "--json").json()
        assert [vf["vf"] for vf in sample["devices"][0]["vfs"]] == [0, 1, 5, 6], sample
        # The function loses all of them, and the next look has none.
        looks = []

        def lose_all(command, answer):
            if command.endswith("/vfs"):
                looks.append(command)
                if len(looks) > 1:
                    return json.dumps({command: {"error": "device 0 is gone"}}).encode()
            return answer
        process.mangle = lose_all
        sample = tool.plain(*top, "--json").json()
        assert len(looks) == 2 and sample["devices"][0]["vfs"] == [], sample
        # A driver that does not know the question.
        process.mangle = lambda c, a: json.dumps({c: None}).encode() if "/vf" in c else a
        out = tool.plain(*top).out
        assert "DEV" in out and "STATE" not in out, out
        for answer in ([], 5, {"vfs": 3}, {}, {"vfs": []}):
            process.mangle = lambda c, a, answer=answer: \
                json.dumps({c: answer}).encode() if c.endswith("/vfs") else a
            code = GOOD if isinstance(answer, dict) else BROKEN
            assert "STATE" not in tool.plain(*top, code=code).out, answer
        for answer in (["x"], [-1], [256], [1.5], list(range(256)) + [0]):
            process.mangle = lambda c, a, answer=answer: \
                json.dumps({c: {"vfs": answer}}).encode() if c.endswith("/vfs") else a
            complaint(tool.plain(*top, code=BROKEN), "lists a VF of device 0 that has no number")
        process.mangle = lambda c, a: json.dumps({c: "text"}).encode() if c.endswith("/vf") else a
        complaint(tool.plain(*top, code=BROKEN), "/cryptodev/accel/vf,0,0", "no object")
        process.mangle = lambda c, a: json.dumps({c: {
            "state": "\033[31m", "share": 7, "asks_for": {"weight": "x"}, "queue_pairs": []}}) \
            .encode() if c.endswith("/vf") else a
        out = tool.plain(*top).out
        assert "\033" not in out and "?[31m" in out and "other algorithms" in out, out


def test_absent(tool):
    """No socket, one that nobody serves, and no process of that file prefix."""
    with folder() as (path, env):
        complaint(tool.plain("top", "--socket", path + "/none", code=ABSENT), "there is no socket")
        complaint(tool.plain("top", "--file-prefix", PREFIX, env=env, code=ABSENT),
                  "no telemetry socket in " + path, "--file-prefix")
        stale = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        stale.bind(path + "/dpdk_telemetry.v2")
        complaint(tool.plain("top", "--file-prefix", PREFIX, env=env, code=ABSENT),
                  "nothing listens", "has ended")
        stale.close()
        with open(path + "/file", "w", encoding="ascii"):
            complaint(tool.plain("top", "--socket", path + "/file", code=ABSENT), "not a socket")
        complaint(tool.plain("top", "--socket", path + "/x" * 100, code=ABSENT), "107 characters")


def test_foreign(tool):
    """Sockets of other programs: of another type, silent, of another language, or that hang up."""
    with folder() as (path, _):
        with Fake(path, kind=socket.SOCK_STREAM) as process:
            complaint(tool.plain("top", "--socket", process.path, code=BROKEN), "another program")
        with Fake(path) as process:
            for greeting in (b"220 mail.example ESMTP", b"{", b"[]", b"{\"version\": 5}",
                             b"x" * 5000, b"\xff\xfe",
                             {"version": "1", "pid": 1, "max_output_len": 0},
                             {"version": "1", "pid": 1, "max_output_len": 1 << 40},
                             {"version": "1", "pid": -1, "max_output_len": 1000}, None):
                process.greeting = greeting
                complaint(tool.plain("top", "--socket", process.path, code=BROKEN),
                          "another program")
    with folder() as (path, _), Fake(path) as process:
        process.talk = lambda client: client.shutdown(socket.SHUT_RDWR)
        complaint(tool.plain("top", "--socket", process.path, code=ABSENT), "ten clients")


def test_no_device(tool):
    """A DPDK process without the driver, and one without devices."""
    with fake(devices={}) as (process, top):
        complaint(tool.plain(*top, code=ABSENT), "has no device of crypto_accel", process.path)
        process.mangle = lambda command, answer: json.dumps({command: None}).encode()
        complaint(tool.plain(*top, code=ABSENT), "has no device of crypto_accel")


def test_bad_answers(tool):
    """JSON that is cut off, too large, of another command, of another shape, or none."""
    with fake() as (process, top):
        for mangle, words in (
                (lambda c, a: a[:len(a) // 2], ("cut off",)),
                (lambda c, a: a[:-1], ("cut off",)),
                (lambda c, a: b"\x1b[31m\x00", ("not JSON",)),
                (lambda c, a: a + b" " * 20000, ("more than the 16384 bytes",)),
                (lambda c, a: b"[" * 10000, ("not JSON",)),
                (lambda c, a: b"{\"/other\": 1}", ("something else",)),
                (lambda c, a: b"[1]", ("something else",)),
                (lambda c, a: a.replace(b"[0, 3]", b"[\"a\"]"), ("lists a device",)),
                (lambda c, a: a.replace(b"[0, 3]", b"[-1]"), ("lists a device",)),
                (lambda c, a: a.replace(b"[0, 3]", b"[0, 1000000]"), ("lists a device",)),
                (lambda c, a: a.replace(b"\"queue_pairs\": 4", b"\"queue_pairs\": 99999999"),
                 ("has 99999999 queue pairs",)),
                (lambda c, a: json.dumps({c: 5 if c.endswith("/qp") else
                                          json.loads(a)[c]}).encode(), ("no object",))):
            process.mangle = mangle
            result = tool.plain(*top, "--count", "1", "--interval", "0.1", code=BROKEN)
            complaint(result, *words)
            assert result.out == "" and "\033" not in result.err, result


def test_odd_values(tool):
    """Values of other types than they should have, missing ones and escape codes do no harm."""
    with fake(state={(0, 0): {"dequeued": "x", "depth": [], "enqueue_bursts": 5, "latency": 1,
                              "mode": "\033[31mred\n", "last_failure": "a", "failures": -1}}) as \
            (process, top):
        process.devices[0].update(name="\033]0;title\a", state=5, health=7)
        process.devices[3] = {"queue_pairs": 1}
        process.errors = {"status": [1], "refusals": {"a": "b"}, "no_response": {}}
        out = tool.plain(*top, "--count", "1", "--interval", "0.1").out
        assert "\033" not in out and "?]0;title?" in out and "-: -, -" in out, out
        sample = tool.plain(*top, "--count", "1", "--interval", "0.1", "--json").json()
        assert "dequeued" not in sample["devices"][0]["queue_pairs"][0]["rates"], sample


def test_death(tool):
    """A process that dies while top looks, or hangs."""
    with fake() as (process, top):
        with subprocess.Popen([tool.program, *top, "--interval", "0.1"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as child:
            assert child.stdout.readline(), "no block"
            process.close()
            _, error = child.communicate(timeout=1200)
            assert child.returncode == ABSENT, error
            assert "process %d has ended" % os.getpid() in error, error
    with fake(silent=True) as (_, top):
        complaint(tool.plain(*top, code=BROKEN), "does not answer within 3 seconds")


def test_stopped(tool):
    """A process that is stopped, and has more clients waiting than its socket takes. If top is
    stopped meanwhile and goes on, it still says so."""
    with folder() as (path, _), socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.bind(path + "/socket")
        server.listen(1)
        waiting = []
        with contextlib.suppress(BlockingIOError):
            while len(waiting) < 100:
                waiting.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
                waiting[-1].setblocking(False)
                waiting[-1].connect(path + "/socket")
        assert len(waiting) < 100, "the socket takes every client"
        complaint(tool.plain("top", "--socket", path + "/socket", code=BROKEN),
                  "takes no connection within 3 seconds")
        command = [tool.program, "top", "--socket", path + "/socket"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              stdin=subprocess.DEVNULL) as child:
            for _ in range(10):
                time.sleep(0.1)
                child.send_signal(signal.SIGSTOP)
                with contextlib.suppress(ChildProcessError):  # It has ended.
                    os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
                child.send_signal(signal.SIGCONT)
            out, error = child.communicate(timeout=1200)
        result = Result(command, subprocess.CompletedProcess(command, child.returncode, out, error))
        assert result.code == BROKEN, result
        complaint(result, "takes no connection within 3 seconds")
        for client in waiting:
            client.close()


def test_gone_device(tool):
    """A device and a queue pair that go away while top looks are left out."""
    with fake() as (process, top):
        def mangle(command, answer):
            if command.endswith("/list"):
                return json.dumps({command: [0, 3, 7]}).encode()
            return answer
        process.mangle = mangle
        process.queue_pairs[3] = 0
        sample = tool.plain(*top, "--count", "1", "--interval", "0.1", "--json").json()
        assert [d["dev_id"] for d in sample["devices"]] == [0, 3], sample
        assert sample["devices"][1]["queue_pairs"] == [], sample


def test_choice(tool):
    """Of several processes the one with devices is taken; if there are more, the user chooses."""
    with folder() as (path, env), Fake(path) as one, Fake(path, "dpdk_telemetry.v2:1") as two:
        one.devices = {}
        top = ["top", "--file-prefix", PREFIX, "--count", "1", "--interval", "0.1", "--json"]
        assert len(tool.plain(*top, env=env).json()["devices"]) == 2
        assert two.asked.count("/cryptodev/accel/device,0") == 2, two.asked
        one.devices = two.devices
        complaint(tool.plain(*top, env=env, code=ABSENT), "2 processes have devices", one.path,
                  two.path, "--socket")


def test_other_prefix(tool):
    """Who names no file prefix, or a wrong one, gets to know which processes have devices."""
    with folder() as (path, env), Fake(path) as process, Fake(path, "dpdk_telemetry.v2:1") as none:
        none.devices = {}
        for prefix in ([], ["--file-prefix", "other"]):
            for command in ("top", "dump"):
                complaint(tool.plain(command, *prefix, env=env, code=ABSENT),
                          "no process of --file-prefix %s has" % (prefix[1:] or ["rte"])[0],
                          "these have: %d (%s); choose" % (os.getpid(), process.path), "--socket")
        process.devices = {}
        complaint(tool.plain("top", env=env, code=ABSENT), "there is no telemetry socket in")


def test_usage(tool):
    """Wrong options."""
    for arguments, word in ((["--interval", "0"], "0.1"), (["--interval", "x"], "'x'"),
                            (["--count", "0"], "count"), (["--count", "-1"], "count"),
                            (["--socket", "a", "--file-prefix", "b"], "exclude"),
                            (["--vdev", "crypto_accel0"], "--vdev")):
        complaint(tool.plain("top", *arguments, code=USAGE), word, "--help")


def test_pipe_closed(tool):
    """When nobody reads any more, it ends without a word."""
    with fake() as (_, top):
        with subprocess.Popen([tool.program, *top, "--interval", "0.1"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as child:
            child.stdout.readline()
            child.stdout.close()
            assert child.wait(timeout=1200) == 0 and child.stderr.read() == ""


# ---------------------------------------------------------------- the terminal

class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, tool, arguments, columns, rows):
        self.main, self.other = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.other)
        self.output = b""
        self.child = subprocess.Popen(  # pylint: disable=consider-using-with
            [tool.program, *arguments], stdin=self.other, stdout=self.other, stderr=subprocess.PIPE,
            env=dict(os.environ, TERM="xterm"), start_new_session=True, text=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def resize(self, columns, rows):
        """Gives the terminal another size."""
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        """Reads for a time, and returns the latest whole screen as a list of lines."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.main], [], [], 0.05)[0]:
                self.output += os.read(self.main, 65536)
        screens = self.output.decode().split("\033[H")
        whole = [s.split("\033[J")[0] for s in screens if "\033[J" in s]
        return whole[-1].replace("\033[K", "").split("\r\n")[:-1] if whole else []

    def wait(self, columns, rows):
        """Waits for a screen within this size that is not empty."""
        end = time.monotonic() + 300
        while time.monotonic() < end:
            screen = [line.rstrip("\r") for line in self.read(0.2)]
            if screen and len(screen) < rows and max(map(len, screen)) < columns and \
                    any(line.startswith("DEV") for line in screen):
                return screen
        raise AssertionError("no screen of %dx%d: %r" % (columns, rows, self.output[-3000:]))

    def end(self, code=0):
        """Waits for the end, and checks that the terminal is as it was."""
        assert self.child.wait(timeout=1200) == code, self.child.stderr.read()
        self.read(0.1)
        assert termios.tcgetattr(self.other) == self.before, "the terminal is not restored"
        assert b"\033[?1049h\033[?25l" in self.output, self.output[:100]
        assert self.output.endswith(b"\033[?25h\033[?1049l"), self.output[-100:]
        error = self.child.stderr.read()
        os.close(self.main)
        os.close(self.other)
        return error


def test_screen(tool):
    """A terminal has its own screen within its size, also after another size; q ends it."""
    with fake() as (process, top):
        process.queue_pairs = {0: 4, 3: 4}
        terminal = Terminal(tool, [*top, "--interval", "0.2"], 200, 50)
        wide = terminal.wait(200, 50)
        assert any("B/ENQ" in line for line in wide), wide
        assert sum(bool(re.match(r" +[03] +[0-3] ", line)) for line in wide) == 8, wide
        terminal.resize(60, 12)
        small = terminal.wait(60, 12)
        assert not any("B/ENQ" in line for line in small), small
        assert re.match(r"\.\.\. \d of 8 queue pairs, the busiest first", small[-1]), small
        rows = [line for line in small if re.match(r" +[03] +[0-3] ", line)]
        assert rows and re.match(r" +[03] +3 ", rows[0]), small
        mode = termios.tcgetattr(terminal.other)[3]
        assert not mode & termios.ICANON and not mode & termios.ECHO
        os.write(terminal.main, b"q")
        assert terminal.end() == ""


def test_screen_vfs(tool):
    """On a small terminal VFs have a part of the rows, and those in trouble come first."""
    with fake() as (process, top):
        with_vfs(process)
        process.queue_pairs = {0: 4, 3: 4}
        terminal = Terminal(tool, [*top, "--interval", "0.2"], 120, 50)
        wide = terminal.wait(120, 50)
        assert len(vf_table(wide)[1]) == 5, wide
        terminal.resize(60, 18)
        small = terminal.wait(60, 18)
        title, rows = vf_table(small)
        assert "EFFECT" not in title and "VF" in title, small
        assert [row[1] for row in rows[:-1]] == ["2", "1", "5"], small
        assert small[-1] == "... 3 of 5 VFs, those in trouble first", small
        assert any(re.match(r"\.\.\. \d of 8 queue pairs", line) for line in small), small
        os.write(terminal.main, b"q")
        assert terminal.end() == ""


def test_screen_stuck(tool):
    """A terminal that takes nothing for a while, and gets other sizes meanwhile, loses nothing."""
    with fake() as (process, top):
        process.queue_pairs = {0: 4, 3: 4}
        terminal = Terminal(tool, [*top, "--interval", "0.1"], 200, 50)
        terminal.wait(200, 50)
        end = time.monotonic() + 300
        while select.select([], [terminal.other], [], 0)[1] and time.monotonic() < end:
            time.sleep(0.05)
        for columns in (100, 90, 80):
            time.sleep(0.3)
            terminal.resize(columns, 30)
        terminal.wait(80, 30)
        os.write(terminal.main, b"q")
        assert terminal.end() == ""


def test_signals(tool):
    """Ctrl-C, SIGTERM and a process that dies restore the terminal; Ctrl-Z does and comes back."""
    with fake() as (process, top):
        terminal = Terminal(tool, [*top, "--interval", "30"], 100, 30)
        terminal.wait(100, 30)
        # The next look is far away, so a new size has to draw by itself.
        terminal.resize(60, 12)
        terminal.wait(60, 12)
        terminal.resize(100, 30)
        terminal.read(0.5)
        os.write(terminal.main, b"\x1a")
        # The kernel does not stop a program without a shell that could continue it. What it does
        # before and after the stop is the same.
        deadline = time.monotonic() + 300
        while b"\033[?1049l\033[?1049h" not in terminal.output and time.monotonic() < deadline:
            terminal.read(0.1)
        left, _, back = terminal.output.partition(b"\033[?25h\033[?1049l\033[?1049h\033[?25l")
        assert b"DEV" in left and left.count(b"\033[?1049") == 1, terminal.output[-300:]
        terminal.output = b"\033[?1049h\033[?25l" + back
        terminal.wait(100, 30)
        os.write(terminal.main, b"\x03")
        assert terminal.end() == ""
        terminal = Terminal(tool, [*top, "--interval", "30"], 100, 30)
        terminal.wait(100, 30)
        terminal.child.send_signal(signal.SIGTERM)
        assert terminal.end() == ""
        terminal = Terminal(tool, [*top, "--interval", "0.2"], 100, 30)
        terminal.wait(100, 30)
        process.close()
        assert "has ended" in terminal.end(ABSENT)


def test_dumb_terminal(tool):
    """A terminal without escape codes gets blocks."""
    with fake() as (_, top):
        out = subprocess.run(["script", "-qec", " ".join([tool.program, *top, "--count", "1",
                                                          "--interval", "0.1"]), "/dev/null"],
                             env=dict(os.environ, TERM="dumb"), capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, check=True, timeout=1200).stdout
        assert "DEV" in out and "\033" not in out, out
