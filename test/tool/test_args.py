# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""The command line of dpdk-accel-tool: help, wrong arguments, missing devices."""

import contextlib
import glob
import os
import re
import subprocess
import time

from tool import ABSENT, BROKEN, USAGE, complaint

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "app", "accel-tool")


def commands(tool):
    """The subcommands that the help names."""
    text = tool.plain("--help").out.split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in text.splitlines()]


def test_help(tool):
    """Each subcommand has a help with its options, examples that begin with the program's name, and
    a place in the man page."""
    with open(os.path.join(SOURCE, "dpdk-accel-tool.1"), encoding="utf-8") as file:
        page = file.read().replace("\\-", "-")
    names = commands(tool)
    assert "info" in names, names
    for name in names:
        text = tool.plain(name, "--help").out
        assert text == tool.plain("help", name).out
        assert text.startswith("usage: dpdk-accel-tool %s " % name), text
        examples = text.split("Examples:\n")[1].split("\n\n")[0].splitlines()
        begin = "  dpdk-accel-tool " + name
        assert examples and all(line.startswith(begin) for line in examples), text
        assert re.search(r"^\.B %s$" % name, page, re.MULTILINE), name + " is not in the man page"
        for option in re.findall(r"^  --([a-z0-9-]+)", text, re.MULTILINE):
            assert "--" + option in page, "--%s of %s is not in the man page" % (option, name)
        assert all(len(line) <= 100 for line in text.splitlines()), text
    return ", ".join(names)


def test_version(tool):
    """--version prints one line."""
    assert re.fullmatch(r"dpdk-accel-tool \d+\.\d+\.\d+\n", tool.plain("--version").out)


def test_wrong_arguments(tool):
    """Each wrong command line has one line that says what is wrong, and exit code 2."""
    for arguments, word in (
            ([], "no subcommand"),
            (["infos"], "there is no subcommand 'infos'"),
            (["--infos"], "a subcommand comes first"),
            (["help", "infos"], "there is no subcommand 'infos'"),
            (["info", "--", "--jsom"], "there is no option '--jsom'"),
            (["info", "--", "word"], "'word' is not expected here"),
            (["info", "--device"], "--device takes a value"),
            (["info", "--device="], "--device takes a value"),
            (["info", "--json=1"], "--json takes no value"),
            (["info", "--all", "--device", "0"], "exclude each other")):
        result = tool.plain(*arguments, code=USAGE)
        complaint(result, word, "--help")
        assert result.out == "", result


def test_words(tool):
    """A word that belongs to no option of the EAL is refused, wherever it stands."""
    for arguments in (["extra", *tool.eal, "--vdev", "crypto_accel0"],
                      [*tool.eal, "--vdev", "crypto_accel0", "extra"],
                      [*tool.eal, "--vdev", "crypto_accel0", "--", "extra"]):
        for command in ("info", "loopback", "latency"):
            result = tool.plain(command, *arguments, code=USAGE)
            complaint(result, "'extra' is not expected here", "--help")
            assert result.out == "", result


def test_no_device(tool):
    """Without a device, and with one that is not there, it says what to do."""
    complaint(tool.plain("info", *tool.eal, code=ABSENT), "--vdev crypto_accel0", "-a BDF")
    complaint(tool.run("info", "--device", "crypto_accel7", code=ABSENT),
              "there is no device 'crypto_accel7'; there are: crypto_accel0 (0)")
    complaint(tool.run("info", "--device", "1", code=ABSENT), "'1'")


def test_no_eal(tool):
    """What the EAL refuses, and a device that does not exist."""
    complaint(tool.plain("info", *tool.no_huge, "--no-such-option", code=USAGE),
              "the EAL does not start")
    assert tool.plain("info", *tool.no_huge, "--no-such-option", code=USAGE).out == ""
    complaint(tool.run("info", devargs=",no_such_key=1", code=ABSENT),
              "no crypto device has come up")


def test_closed_descriptors(tool):
    """A program that is started without the descriptors 0 to 2 uses none of them for a file of its
    own, and ends with an error since nobody gets its answer."""
    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", tool.program, "loopback", *tool.eal,
               "--vdev", "crypto_accel0", "--", "--time", "2", "--interval", "0", "--algorithms",
               "aes-cbc", "--json"]
    seen = set()
    with subprocess.Popen(command) as process:
        proc = "/proc/%d" % process.pid
        while process.poll() is None:
            with contextlib.suppress(OSError):  # it may end at any time
                names = [open(path, encoding="utf-8").read() for path in
                         glob.glob(proc + "/task/*/comm")]
                if any(name.startswith("accel") for name in names):  # the EAL has started
                    seen.update(os.readlink(proc + "/fd/%d" % fd) for fd in range(3))
            time.sleep(0.1)
    assert seen == {"/dev/null"}, seen
    assert process.returncode == BROKEN, process.returncode


def test_full_device(tool):
    """Who does not get the answer or the verdict gets an exit code that says so."""
    run = [*tool.eal, "--vdev", "crypto_accel0", "--"]
    for arguments in (["--help"], ["--version"], ["info", *run], ["info", *run, "--json"],
                      ["loopback", *run, "--operations", "100", "--interval", "0"],
                      ["latency", *run, "--sizes", "64", "--bursts", "1", "--operations", "100"]):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([tool.program, *arguments], stdout=full, check=False, text=True,
                                  stderr=subprocess.PIPE, timeout=1200)
        assert done.returncode == BROKEN and "cannot write the answer" in done.stderr, \
            (arguments, done.returncode, done.stderr)


def test_order(tool):
    """Options may stand among those of the EAL, or the command behind them."""
    want = tool.run("info", "--json", eal=tool.no_huge).json()["device"]
    mixed = ["--vdev", "crypto_accel0", "--json", *tool.no_huge]
    assert tool.plain("info", *mixed).json()["device"] == want
    behind = [*tool.no_huge, "--vdev", "crypto_accel0", "--", "info", "--device=0", "--json"]
    assert tool.plain(*behind).json()["device"] == want


def test_completion(tool):
    """bash completes commands, options and the name of the embedded device."""
    script = """. "$1"
complete_at() {
	COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dpdk_accel_tool; echo "${COMPREPLY[*]}"
}
complete_at "$2" in
complete_at "$2" info --js
complete_at "$2" info --vdev cry"""
    text = subprocess.run(["bash", "-c", script, "bash", os.path.join(SOURCE, "completion.bash"),
                           tool.program], capture_output=True, text=True, check=True).stdout
    assert text.splitlines() == ["info", "--json", "crypto_accel0"], text
