# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""dpdk-accel-tool share. fake_vf.c stands in for the driver's functions."""

import errno
import os
import signal
import subprocess
import time

from tool import ABSENT, BROKEN, USAGE, complaint


def fake(function, error=None):
    """The environment in which the embedded device is taken for a function with or of VFs."""
    env = {"LD_PRELOAD": os.environ["ACCEL_FAKE_VF"], "FAKE_FUNCTION": function,
           "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}
    if error is not None:
        env["FAKE_ERROR"] = str(error)
    return env


def test_show(tool):
    """A row for each VF, with its share and what it asks for."""
    answer = tool.run("share", "--json", env=fake("pf")).json()
    assert answer["function"] == "physical" and answer["vfs_max"] == 2, answer
    assert answer["vfs"][0] == {
        "vf": 0, "state": "absent", "queue_pairs_now": 0, "queue_pairs": 4, "weight": 1,
        "peak_ops": 0, "peak_bytes": 0, "algorithms": "all", "in_effect": False,
        "asks_for": None}, answer
    assert answer["vfs"][1] == {
        "vf": 1, "state": "ready", "queue_pairs_now": 2, "queue_pairs": 2, "weight": 3,
        "peak_ops": 1000000, "peak_bytes": 0, "algorithms": "2/72/192-194", "in_effect": True,
        "asks_for": "queue-pairs=3,weight=0,peak-ops=0,peak-bytes=1250000000"}, answer
    text = tool.run("share", "--vf", "1", env=fake("pf")).out
    assert "2/72/192-194" in text and "absent" not in text, text


def test_set(tool):
    """A share that is set is shown, as it was asked for, and a request has its answer."""
    share = "queue-pairs=1,weight=7,peak-ops=2M,peak-bytes=5,algorithms=1-3/255"
    result = tool.run("share", "--vf", "1", "--set", share, "--json", env=fake("pf"))
    row = result.json()["vfs"][0]
    assert (row["queue_pairs"], row["weight"], row["peak_ops"], row["peak_bytes"],
            row["algorithms"], row["asks_for"]) == (1, 7, 2000000, 5, "1-3/255", None), row
    assert "--hold keeps it" in result.err, result
    row = tool.run("share", "--vf", "0", "--set", "weight=2", "--json",
                   env=fake("pf")).json()["vfs"][0]
    assert (row["queue_pairs"], row["weight"], row["algorithms"]) == (1, 2, "all"), row


def test_refuse(tool):
    """A request is refused, and one that is not there cannot be."""
    row = tool.run("share", "--vf", "1", "--refuse", "--json", env=fake("pf")).json()["vfs"][0]
    assert row["asks_for"] is None, row
    complaint(tool.run("share", "--vf", "0", "--refuse", env=fake("pf"), code=ABSENT),
              "the VF has not asked")


def test_ask(tool):
    """A VF shows its share, and asks for another."""
    answer = tool.run("share", "--ask", "queue-pairs=8,peak-bytes=1G", "--json",
                      env=fake("vf")).json()
    assert answer["function"] == "virtual" and answer["answer"] == "granted", answer
    assert answer["physical_function"] == "up" and answer["is_set"] is True, answer
    assert (answer["queue_pairs"], answer["peak_bytes"]) == (8, 1000000000), answer


def test_hold(tool):
    """--hold stays until a signal comes, and ends well then."""
    command = [tool.program, "share", *tool.no_huge, "--vdev", "crypto_accel0", "--vf", "1",
               "--set", "weight=2", "--hold"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=dict(os.environ, **fake("pf"))) as process:
        for line in process.stdout:
            if line.split()[:2] == ["1", "ready"]:
                break
        time.sleep(0.2)
        assert process.poll() is None, "it did not stay"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=1200) == 0, process.stderr.read()


def test_errors(tool):
    """What the driver refuses, and the wrong kind of function."""
    for number, code, word in ((errno.ENOSPC, BROKEN, "queue pairs left"),
                               (errno.EINVAL, ABSENT, "no such VF"),
                               (errno.EIO, BROKEN, "gone or has failed"),
                               (errno.ETIMEDOUT, BROKEN, "does not answer")):
        complaint(tool.run("share", "--vf", "0", "--set", "weight=2", env=fake("pf", number),
                           code=code), "cannot set the share", word)
    complaint(tool.run("share", "--ask", "weight=2", env=fake("vf", errno.ENOTSUP), code=BROKEN),
              "no mailboxes")
    complaint(tool.run("share", "--vf", "2", env=fake("pf"), code=ABSENT), "has VFs 0 to 1, not 2")
    complaint(tool.run("share", "--vf", "0", env=fake("vf"), code=ABSENT), "is a VF")
    complaint(tool.run("share", "--ask", "weight=2", env=fake("pf"), code=ABSENT),
              "is a physical function")


def test_share_of_no_function(tool):
    """The embedded device has no VFs and is none."""
    complaint(tool.run("share", code=ABSENT), "neither a physical function with VFs nor a VF")
    complaint(tool.run("share", "--ask", "weight=2", code=ABSENT), "neither")


def test_wrong_shares(tool):
    """What is no share, and options that do not go together."""
    for options, word in (
            (["--set", "weight=2"], "--set needs --vf"), (["--refuse"], "--refuse needs --vf"),
            (["--vf", "256"], "--vf takes a number from 0 to 255"),
            (["--vf", "0", "--set", "weight"], "KEY=VALUE"),
            (["--vf", "0", "--set", "weight=0"], "--set takes a number from 1"),
            (["--vf", "0", "--set", "width=2"], "there is no 'width'"),
            (["--vf", "0", "--set", "queue-pairs=65536"], "--set takes"),
            (["--vf", "0", "--set", "algorithms=2/256"], "algorithms=all"),
            (["--vf", "0", "--set", "algorithms=5-2"], "algorithms=all"),
            (["--ask", "weight=2", "--set", "weight=2"], "exclude each other"),
            (["--vf", "1", "--ask", "weight=2"], "--ask is for a VF itself")):
        complaint(tool.plain("share", "--", *options, code=USAGE), word)
