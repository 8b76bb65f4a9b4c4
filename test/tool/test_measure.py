# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""dpdk-accel-tool latency and stages. The numbers are no criterion, but they have to agree."""

import os
import re
import subprocess

from tool import ABSENT, BAD, USAGE, complaint


def test_latency(tool):
    """A row for each size and burst, with percentiles in order, and the thesis beside it."""
    answer = tool.run("latency", "--operations", "1000", "--sizes", "64,1024", "--bursts", "1,16",
                      "--json").json()
    rows = answer["latency"]
    assert [(r["size"], r["burst"]) for r in rows] == [(64, 1), (64, 16), (1024, 1), (1024, 16)]
    for row in rows:
        assert row["count"] >= 1000, row
        assert 0 < row["min_us"] <= row["p50_us"] <= row["p99_us"] <= row["p99_9_us"] <= \
            row["max_us"], row
        assert sum(b["count"] for b in row["histogram"]) == row["count"], row
    assert answer["histogram"] == rows[0]["histogram"], answer
    assert (answer["algorithm"], answer["operations"]) == ("aes-cbc", 1000), answer
    assert [t["p50_us"] for t in answer["thesis"]] == [58, 19, 69, 22], answer["thesis"]


def test_latency_of_a_slow_card(tool):
    """A card of 1000 operations a second takes a millisecond for each, in the mean, or more."""
    answer = tool.run("latency", "--operations", "100", "--sizes", "64", "--bursts", "1", "--json",
                      devargs=",peak_ops=1000").json()
    assert answer["latency"][0]["mean_us"] > 300, answer["latency"]


def test_latency_table(tool):
    """The text says what was measured, and has a histogram of each size and burst."""
    text = tool.run("latency", "--operations", "500", "--sizes", "64,128", "--bursts", "1,4",
                    "--algorithm", "aes-gcm", eal=tool.no_huge).out
    for size in (64, 128):
        for burst in (1, 4):
            assert "histogram of %d bytes, burst %d\n" % (size, burst) in text, text
    assert re.search(r"^ *algorithm: +aes-gcm$", text, re.MULTILINE), text
    assert re.search(r"^ *operations: +500$", text, re.MULTILINE), text
    assert "Medusa (thesis)" in text, text
    assert "p99.9 us" in text and "%  #" in text, text


def test_latency_progress(tool):
    """A terminal sees which size and burst is being measured, and nothing of it in the end."""
    ours, theirs = os.openpty()
    command = [tool.program, "latency", *tool.eal, "--vdev", "crypto_accel0", "--", "--operations",
               "100", "--sizes", "64,128", "--bursts", "1"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        assert process.wait(300) == 0
    seen = os.read(ours, 65536).decode()
    os.close(ours)
    assert "1 of 2: aes-cbc, 64 bytes, burst 1" in seen, seen
    assert "2 of 2: aes-cbc, 128 bytes, burst 1" in seen, seen
    assert seen.rstrip().endswith("\033[K"), seen


def test_latency_raw(tool):
    """The raw data path, for each kind of algorithm, on a thread of its own and inline."""
    for algorithm in ("aes-ctr", "sha1-hmac", "aes-cbc+sha1-hmac", "aes-gcm"):
        answer = tool.run("latency", "--raw", "--operations", "500", "--sizes", "64,1024",
                          "--bursts", "1,16", "--algorithm", algorithm, "--json").json()
        assert answer["api"] == "raw", answer
        assert [(r["size"], r["burst"]) for r in answer["latency"]] == [
            (64, 1), (64, 16), (1024, 1), (1024, 16)]
        for row in answer["latency"]:
            assert row["count"] >= 500 and 0 < row["min_us"] <= row["p50_us"] <= row["max_us"], row
    text = tool.run("latency", "--raw", "--operations", "100", "--sizes", "64",
                    devargs=",cores=inline").out
    assert "raw" in text and "histogram of 64 bytes, burst 1" in text, text
    complaint(tool.run("latency", "--raw", "--device", "crypto_openssl0",
                       eal=[*tool.eal, "--vdev", "crypto_openssl0"], code=ABSENT),
              "crypto_openssl0 has no raw data path")


def test_latency_of_wrong_results(tool):
    """A device that encrypts nothing is not measured."""
    for options in ([], ["--raw"]):
        complaint(tool.run("latency", "--operations", "100", *options, devargs=",engine=null",
                           code=BAD), "a result is wrong")


def test_stages(tool):
    """Each step of operations and of the raw data path, on a thread of its own and inline."""
    for devargs, burst in (("", 1), (",cores=inline", 8)):
        answer = tool.run("stages", "--samples", "300", "--burst", str(burst), "--json",
                          devargs=devargs).json()
        steps = {(s["step"], s["call"]): s for s in answer["stages"]}
        assert len(steps) == 9, steps
        for step in answer["stages"]:
            assert step["samples"] > 100 and step["deviation_ns"] > 0, step
            assert abs(step["ns_per_call"] - burst * step["ns_per_operation"]) < 1, step
        assert steps[("prepare", "rte_cryptodev_raw_enqueue")]["thesis_medusa_us"] == 4.9
        assert steps[("card, to the last result", "-")]["thesis_sze_us"] is None
        assert ("way there and back", "rte_cryptodev_enqueue_burst") in steps, steps


def test_stages_table(tool):
    """The table, for a chain and an AEAD."""
    for algorithm in ("aes-cbc+sha1-hmac", "aes-gcm"):
        text = tool.run("stages", "--samples", "100", "--size", "128", "--algorithm", algorithm,
                        eal=tool.no_huge).out
        assert "rte_cryptodev_raw_enqueue_done" in text and "thesis medusa us" in text, text


def test_wrong_options(tool):
    """Wrong values, and an algorithm that the device does not have."""
    for command, options, word in (
            ("latency", ["--algorithm", "aes-cbc,aes-ctr"], "--algorithm takes one"),
            ("latency", ["--bursts", "0"], "--bursts takes a number from 1 to 256"),
            ("latency", ["--bursts", ","], "--bursts takes"),
            ("latency", ["--sizes", "random"], "--sizes takes numbers"),
            ("latency", ["--operations", "0"], "--operations takes"),
            ("stages", ["--algorithm", "aes-cbc,aes-ctr"], "--algorithm takes one"),
            ("stages", ["--burst", "257"], "--burst takes"),
            ("stages", ["--size", "0"], "--size takes"),
            ("stages", ["--samples", "1"], "--samples takes")):
        complaint(tool.plain(command, "--", *options, code=USAGE), word)
    complaint(tool.plain("stages", *tool.eal, code=ABSENT), "there is no crypto device")
