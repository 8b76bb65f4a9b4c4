# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""dpdk-accel-tool dump, of dpdk-test-crypto-perf on a device that hangs and on one that works, and
of processes that fake_telemetry.py plays."""

import contextlib
import json
import os
import stat
import subprocess
import tempfile
import time

from fake_telemetry import Fake
from tool import ABSENT, BAD, BROKEN, GOOD, USAGE, complaint

COMMAND = "/cryptodev/accel/dump"
PATIENCE_S = 1200
STUCK = "The device stopped reading at slot "


@contextlib.contextmanager
def folder():
    """A run-time folder of DPDK that is empty."""
    with tempfile.TemporaryDirectory() as base:
        path = os.path.join(base, "dpdk", "dump_test")
        os.makedirs(path)
        yield base, path


def crypto_perf(tool, devargs):
    """The command line of a program that uses the device for longer than a test takes."""
    plugin = os.path.join(os.path.dirname(tool.program), "../../drivers/librte_crypto_accel.so")
    return ["dpdk-test-crypto-perf", "-d", os.path.abspath(plugin), "--no-huge", "-m", "256",
            "--no-pci", "--file-prefix", "dump_test", "--log-level=error", "--lcores",
            os.environ["ACCEL_LCORES"], "--vdev", "crypto_accel0" + devargs, "--", "--devtype",
            "crypto_accel", "--optype", "cipher-only", "--cipher-algo", "aes-cbc", "--cipher-op",
            "encrypt", "--cipher-key-sz", "16", "--cipher-iv-sz", "16", "--ptest", "throughput",
            "--buffer-sz", "256", "--total-ops", "1000000000", "--silent"]


@contextlib.contextmanager
def process(tool, devargs):
    """Such a program, and the socket that it answers at."""
    with folder() as (base, path):
        socket = os.path.join(path, "dpdk_telemetry.v2")
        env = dict(os.environ, RUNTIME_DIRECTORY=base)
        with subprocess.Popen(crypto_perf(tool, devargs), env=env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as child:
            try:
                end = time.monotonic() + PATIENCE_S
                while not os.path.exists(socket):
                    assert child.poll() is None and time.monotonic() < end, "it does not start"
                    time.sleep(0.1)
                yield socket
            finally:
                child.kill()


def wait_for(tool, socket, words, code):
    """Repeats a dump until these words are in it, and returns it."""
    end = time.monotonic() + PATIENCE_S
    while True:
        result = tool.plain("dump", "--socket", socket, code=None)
        text = " ".join(result.out.split())
        if words in text and result.code == code:
            return result
        assert time.monotonic() < end, "%r is not in: %s" % (words, result)
        time.sleep(0.2)


def test_stall(tool):
    """A queue pair that hangs, before the driver gives it up: to stdout, to a file, as JSON."""
    with process(tool, ",faults=stall@5000,timeout_ms=600000") as socket:
        result = wait_for(tool, socket, STUCK, BAD)
        text = " ".join(result.out.split())
        for words in ("The function works: STATE is ready, and its heartbeat moves.",
                      "operation 4999, has no response", "> operation 4999: kind 0",
                      "no response yet", "TX ring, the device is at slot", "command, next",
                      "keys, IVs and payload are left out"):
            assert words in text, (words, result)
        with tempfile.TemporaryDirectory() as to:
            path = os.path.join(to, "dump")
            result = tool.plain("dump", "--socket", socket, "--device", "0", "--output", path,
                                code=BAD)
            assert STUCK in result.out and "host page" not in result.out, result
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
            with open(path, encoding="ascii") as file:
                assert "host page" in file.read()
        parts = tool.plain("dump", "--socket", socket, "--json", code=BAD).json()
        assert [part.get("qp") for part in parts] == [None, 0], parts
        assert [part["trouble"] for part in parts] == [0, 1], parts
        complaint(tool.plain("dump", "--socket", socket, "--device", "7", code=ABSENT),
                  "not a device of crypto_accel")


def test_work(tool):
    """A queue pair that works, and then one that was failed by the driver, in pages."""
    with process(tool, "") as socket:
        wait_for(tool, socket, "Nothing hangs: the queue pair works", GOOD)
    with process(tool, ",faults=corrupt@5000,recover=off") as socket:
        result = wait_for(tool, socket, "as it was at its latest failure", BAD)
        assert "has a wrong tag" in " ".join(result.out.split()), result
        parts = tool.plain("dump", "--socket", socket, "--json", code=BAD).json()
        assert parts[1]["pages"] >= 2, "no test of pages: %s" % parts[1]["pages"]


# ---------------------------------------------------------------- processes that answer anything

def page(number, lines, pages=1, **more):
    """An answer of the driver."""
    return {"dev_id": 0, "trouble": 0, "number": 5, "page": number, "pages": pages, "lines": lines,
            **more}


@contextlib.contextmanager
def fake(answer):
    """A process whose dumps are answer(parameters), and the arguments that select it. A string is
    sent as it is."""
    def mangle(command, sent):
        value = json.loads(sent)[command] if command == COMMAND else None
        return value.encode() if isinstance(value, str) else sent

    def choose(command, parameters):
        return answer(parameters) if command == COMMAND else usual(command, parameters)

    with folder() as (_, path), Fake(path) as server:
        usual = server.answer
        server.answer = choose
        server.mangle = mangle
        yield ["dump", "--socket", server.path]


def test_pages(tool):
    """Pages are put together in order, and a dump that is replaced is asked for again."""
    asked = []

    def answer(what):
        asked.append(what)
        if what == "0":
            return page(0, ["title"], queue_pairs=[1])
        if what == "0,1":
            return page(0, ["one"], pages=3)
        if what == "0,1,2,5" and asked.count(what) == 1:
            return {"error": "replaced"}
        return page(1, ["two" if what == "0,1,1,5" else "three"])

    with fake(answer) as dump:
        result = tool.plain(*dump, "--device", "0")
        assert result.out.endswith("title\none\ntwo\nthree\n"), result
        assert asked.count("0,1") == 2, asked


def test_control_characters(tool):
    """What a terminal would obey is not printed."""
    with fake(lambda what: page(0, ["a\u001b[2Jb\u0007\u00e9"], queue_pairs=[])) as dump:
        result = tool.plain(*dump, "--device", "0")
        assert "a?[2Jb???" in result.out and "\x1b" not in result.out, result


def test_nonsense(tool):
    """Answers that are no dump get a message and an exit code."""
    for answer, code, words in (
            ({"error": "no such thing"}, ABSENT, "no such thing"),
            ({"error": 5}, ABSENT, "the driver of the process has none"),
            (None, ABSENT, "the driver of the process has none"),
            ({}, BROKEN, "no dump"),
            (page(0, "text"), BROKEN, "no dump"),
            (page(0, [1, 2]), BROKEN, "no dump"),
            (page(0, [], pages=0), BROKEN, "no dump"),
            (page(0, [], pages=10 ** 9), BROKEN, "no dump"),
            (page(0, [], pages="2"), BROKEN, "no dump"),
            (dict(page(0, []), number=-1), BROKEN, "no dump"),
            ('{"' + COMMAND + '": {"lines": ["cut', BROKEN, "")):
        def reply(_, value=answer):
            return value
        with fake(reply) as dump:
            complaint(tool.plain(*dump, "--device", "0", code=code), words)
    with fake(lambda what: {"error": "replaced"} if what.count(",") == 3 else
              page(0, [], pages=1 + what.count(","), queue_pairs=[1])) as dump:
        complaint(tool.plain(*dump, "--device", "0", code=ABSENT), "all the time")


def test_usage(tool):
    """Wrong options, and files that cannot be written."""
    for wrong in (["--device", "x"], ["--device", "256"], ["--socket", "a", "--file-prefix", "b"],
                  ["word"], ["--bogus"], ["--output"]):
        assert tool.plain("dump", *wrong, code=USAGE).err, wrong
    with fake(lambda what: page(0, ["x"], queue_pairs=[])) as dump:
        complaint(tool.plain(*dump, "--output", "/nonexistent/dump", code=ABSENT), "cannot write")
        complaint(tool.plain(*dump, "--output", "/dev/full", code=BROKEN), "cannot write")
    # One that all may read becomes its owner's. A link is not followed.
    with fake(lambda what: page(0, ["x"], queue_pairs=[])) as dump, \
            tempfile.TemporaryDirectory() as path:
        old, link = os.path.join(path, "old"), os.path.join(path, "link")
        with open(old, "w", encoding="ascii") as file:
            file.write("old")
        os.chmod(old, 0o644)
        os.symlink(old, link)
        complaint(tool.plain(*dump, "--output", link, code=ABSENT), "symbolic link")
        tool.plain(*dump, "--output", old, code=None)
        assert stat.S_IMODE(os.stat(old).st_mode) == 0o600, oct(os.stat(old).st_mode)
        with open(old, encoding="ascii") as file:
            assert file.read().startswith("crypto_accel dump"), old
    with folder() as (_, path):
        complaint(tool.plain("dump", "--socket", os.path.join(path, "no"), code=ABSENT), "no")
