# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""--html of dpdk-accel-tool: the page has what the answer has. What a page must be is tested with
known data in test/report."""

import os
import shlex
import sys
import tempfile

from tool import USAGE, complaint

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools",
                                "py"))
from base import report  # noqa: E402 pylint: disable=wrong-import-position


def near(value, other):
    """Are two numbers the same to the digits that an answer has?"""
    return abs(value - other) <= 1e-5 * max(value, other)


def page_of(tool, command, *options, devargs=""):
    """Runs a subcommand. Returns its answer and the data of its page, which is checked."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a page.html")
        answer = tool.run(command, "--json", "--html", path, *options, devargs=devargs).json()
        assert os.listdir(folder) == ["a page.html"], os.listdir(folder)
        data = report.read(path)
    report.check(data)
    assert data["title"] == "dpdk-accel-tool " + command, data["title"]
    assert len(data["commands"]) == 1, data["commands"]
    words = shlex.split(data["commands"][0])
    assert words[0] == tool.program and words[1] == command and "crypto_accel0" + devargs in words
    assert words[-len(options):] == list(options), words
    return answer, data


def test_loopback(tool):
    """Verdict, sums and latencies are those of the answer."""
    answer, data = page_of(tool, "loopback", "--operations", "3000", "--seed", "7")
    assert data["verdict"] == {"good": True, "text": answer["reason"]}, data["verdict"]
    facts = {fact[0]: fact[1] for fact in data["summary"]}
    assert facts["operations"] == answer["result"]["operations"] and facts["seed"] == "7", facts
    series = data["latency"]["series"][0]
    assert sum(series["counts"]) == series["count"] == answer["latency"]["count"], series
    assert near(series["p99"], 1000 * answer["latency"]["p99_us"]), series
    return "%d operations in %d buckets" % (series["count"], len(series["bounds"]))


def test_latency(tool):
    """Each size and burst has a series with its histogram, and the page says what was measured."""
    answer, data = page_of(tool, "latency", "--sizes", "64,256", "--bursts", "1,8", "--operations",
                           "800")
    series = data["latency"]["series"]
    assert [s["name"] for s in series] == ["%d bytes, bursts of %d" % (size, burst)
                                           for size in (64, 256) for burst in (1, 8)], series
    for one, row in zip(series, answer["latency"]):
        assert sum(one["counts"]) == one["count"] == row["count"], (one, row)
    assert "aes-cbc" in str(data["summary"]), data["summary"]
    marks = [mark["value"] for mark in data["latency"]["marks"]]
    assert marks == [58000, 19000, 69000, 22000], marks


def test_stages(tool):
    """The steps have the times of the answer."""
    answer, data = page_of(tool, "stages", "--samples", "300", devargs=",cores=inline")
    steps = data["stages"]["stages"]
    assert len(steps) == len(answer["stages"]) > 3, steps
    assert any(s["who"] == "device" for s in steps), steps
    for step, row in zip(steps, answer["stages"]):
        assert near(step["mean"], row["ns_per_operation"]), (step, row)


def test_wrong_file(tool):
    """A page that cannot be written is refused before the run; info has no page."""
    for path in ("/", "/nowhere/page.html", os.path.dirname(os.path.abspath(__file__))):
        result = tool.run("loopback", "--html", path, "--time", "1000", code=USAGE)
        complaint(result, "--html cannot write '%s'" % path, "--help")
    complaint(tool.run("info", "--html", "x.html", code=USAGE), "there is no option '--html'")
