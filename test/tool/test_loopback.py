# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""dpdk-accel-tool loopback: right and wrong devices, options, numbers."""

import re
import tempfile

from tool import ABSENT, BAD, BROKEN, USAGE, complaint

# The time is a limit that no run should reach, even on a busy machine.
SHORT = ["--operations", "3000", "--interval", "0", "--time", "300"]


def test_all_algorithms(tool):
    """Every algorithm in random layouts is right, and the numbers of the JSON agree."""
    answer = tool.run("loopback", "--operations", "10000", "--time", "60", "--reuse", "5",
                      "--json").json()
    result = answer["result"]
    assert answer["verdict"] == "good" and result["errors"] == 0, answer
    assert result["operations"] >= 10000 and result["gbit_per_second"] > 0, result
    assert answer["latency"]["count"] == result["operations"], answer
    assert sum(b["count"] for b in answer["histogram"]) == result["operations"], answer
    low, mid, high, most = (answer["latency"][k] for k in ("p50_us", "p99_us", "p99_9_us",
                                                           "max_us"))
    assert 0 < low <= mid <= high <= most, answer["latency"]
    assert result["algorithms_used"] == len(answer["algorithms"]) > 30, result
    return "%d algorithms, seed %d" % (len(answer["algorithms"]), answer["seed"])


def test_names(tool):
    """loopback knows each algorithm by the name that info gives it."""
    names = {a["algorithm"] for a in tool.run("info", "--json").json()["algorithms"]}
    answer = tool.run("loopback", *SHORT, "--algorithms", ",".join(sorted(names)), "--json").json()
    used = {a["algorithm"].split()[0] for a in answer["algorithms"]}  # "null (cipher)"
    assert answer["verdict"] == "good" and used <= names, (used - names, answer)
    return "%d names" % len(names)


def test_openssl_conf(tool):
    """Neither the device nor what it is compared with depends on the providers of OPENSSL_CONF."""
    with tempfile.NamedTemporaryFile("w", suffix=".cnf") as conf:
        conf.write("openssl_conf = init\n[init]\nproviders = list\n[list]\nbase = base\n"
                   "[base]\nactivate = 1\n")
        conf.flush()
        tool.run("loopback", *SHORT, "--algorithms", "aes-gcm,aes-cmac,sha3-256-hmac",
                 env={"OPENSSL_CONF": conf.name})


def test_progress_and_verdict(tool):
    """In a pipe each interval has a line, and the verdict is the last one."""
    text = tool.run("loopback", "--time", "1.2", "--interval", "0.3", "--algorithms",
                    "aes-cbc").out
    lines = [line for line in text.splitlines() if re.match(
        r" +[\d.]+ s  \d+ operations  0 errors  [\d.]+ Gbit/s  p50 [\d.]+ us  p99 [\d.]+ us  "
        r"p99.9 [\d.]+ us$", line)]
    assert 2 <= len(lines) <= 4, text
    assert text.splitlines()[-1] == "verdict: good, each result is right", text
    assert "seed " in text.splitlines()[0], text


def test_seed(tool):
    """The same seed gives the same operations, another one others."""
    runs = [tool.run("loopback", *SHORT, "--seed", seed, "--json", "--depth", "1",
                     "--burst", "1").json() for seed in ("7", "7", "8")]
    counts = [sorted((a["algorithm"], a["operations"], a["bytes"]) for a in run["algorithms"])
              for run in runs]
    assert runs[0]["seed"] == 7
    assert counts[0] == counts[1], counts
    assert counts[0] != counts[2], "two seeds give the same"


def test_device_that_encrypts_nothing(tool):
    """A device whose results are wrong without an error status is found, and the verdict is bad."""
    result = tool.run("loopback", *SHORT, "--algorithms", "aes-ctr", "--json",
                      devargs=",engine=null", code=BAD)
    answer = result.json()
    assert answer["verdict"] == "bad" and answer["result"]["wrong_data"] > 0, answer
    assert answer["result"]["wrong_status"] == 0, answer
    assert "aes-ctr" in answer["reason"] and "memory differs" in answer["reason"], answer
    text = tool.run("loopback", *SHORT, "--algorithms", "aes-ctr", "--seed", "5",
                    devargs=",engine=null", code=BAD).out
    assert re.search(r"^verdict: BAD, .*; repeat it with --seed 5$", text, re.MULTILINE), text
    assert "bytes differ, first at" in text, text


def test_faults(tool):
    """Each fault that spoils an operation makes the verdict bad."""
    notes = []
    for fault in ("corrupt@500", "status:5@500", "lost@500", "hhp@500", "dma@500", "dead@500",
                  "fatal@500"):
        result = tool.run("loopback", *SHORT, "--time", "60", "--algorithms", "aes-cbc,sha1-hmac",
                          "--json", devargs=",timeout_ms=100,faults=" + fault, code=BAD)
        answer = result.json()
        assert answer["verdict"] == "bad" and answer["result"]["errors"] > 0, (fault, answer)
        notes.append("%s %d" % (fault.split("@", maxsplit=1)[0], answer["result"]["errors"]))
    return ", ".join(notes)


def test_device_that_hangs(tool):
    """Operations that do not come back end the run, with a bad verdict."""
    answer = tool.run("loopback", "--patience", "0.5", "--json", "--algorithms", "aes-cbc",
                      devargs=",faults=dead@100,timeout_ms=60000", code=BAD).json()
    assert "hangs" in answer["reason"] and answer["result"]["operations"] in (99, 100), answer


def test_rate(tool):
    """With --rate the device gets no more than that."""
    result = tool.run("loopback", "--rate", "2k", "--time", "1.5", "--algorithms", "aes-cbc",
                      "--sizes", "64", "--json").json()["result"]
    assert 1000 < result["operations_per_second"] <= 2100, result


def test_sizes_and_layouts(tool):
    """Mixes of sizes, kinds of layouts, queue pairs, depths; also without huge pages."""
    for options in (["--sizes", "imix"], ["--sizes", "1-100:3,9000", "--layout", "in-place"],
                    ["--layout", "plain", "--depth", "1", "--burst", "1"],
                    ["--layout", "one-segment", "--queue-pairs", "4", "--depth", "100"],
                    ["--sizes", "60000", "--depth", "8", "--operations", "100"],
                    ["--depth", "512", "--burst", "256", "--sessions", "500", "--sizes", "64"]):
        tool.run("loopback", *SHORT, "--time", "60", *options)
    one = tool.run("loopback", *SHORT, "--sizes", "64", "--algorithms", "aes-cbc", "--json",
                   "--layout", "plain", eal=tool.no_huge).json()
    assert one["algorithms"] == [{"algorithm": "aes-cbc", "errors": 0,
                                  "operations": one["result"]["operations"],
                                  "bytes": 64 * one["result"]["operations"]}], one["algorithms"]


def test_chains(tool):
    """Chains in both orders."""
    answer = tool.run("loopback", *SHORT, "--algorithms", "aes-cbc+sha1-hmac,sha256-hmac+aes-ctr",
                      "--json").json()
    names = sorted(a["algorithm"] for a in answer["algorithms"])
    assert names == ["aes-cbc", "aes-ctr", "sha1-hmac", "sha256-hmac"], names


# Threads for public keys that do not wait until nobody else wants a CPU.
KEYS = ",pk_cores=1,timeout_ms=60000"


def test_public_keys(tool):
    """Each kind of key, alone and beside symmetric algorithms, on two queue pairs."""
    answer = tool.run("loopback", "--operations", "400", "--time", "300", "--patience", "120",
                      "--interval", "0", "--reuse", "2", "--seed", "3", "--json", "--algorithms",
                      "public-keys", devargs=KEYS).json()
    names = {a["algorithm"] for a in answer["algorithms"]}
    assert len(names) == 13 and {"rsa-2048", "ecdsa-p521", "dh-2048", "ecpm-p256"} <= names, names
    assert sum(a["operations"] for a in answer["algorithms"]) == answer["result"]["operations"]
    answer = tool.run("loopback", "--operations", "1000", "--time", "300", "--patience", "120",
                      "--interval", "0", "--queue-pairs", "2", "--json", "--algorithms",
                      "ecdh-p256,aes-gcm,aes-cbc+sha1-hmac", devargs=KEYS).json()
    names = {a["algorithm"] for a in answer["algorithms"] if a["operations"]}
    assert names == {"ecdh-p256", "aes-gcm", "aes-cbc", "sha1-hmac"}, names


def test_wrong_public_keys(tool):
    """A spoilt response of a public-key operation makes the verdict bad."""
    answer = tool.run("loopback", "--operations", "200", "--time", "300", "--patience", "120",
                      "--interval", "0", "--depth", "8", "--seed", "4", "--json", "--algorithms",
                      "rsa-1024", devargs=KEYS + ",faults=status:7@50/3",
                      code=BAD).json()
    assert answer["verdict"] == "bad" and answer["result"]["errors"] > 0, answer
    assert "rsa-1024, type" in answer["reason"], answer


def test_other_driver(tool):
    """A device of another driver is checked as well. DPDK's crypto_openssl fails with packets of
    several segments, and may crash."""
    eal = [*tool.eal, "--vdev", "crypto_openssl0"]
    answer = tool.run("loopback", *SHORT, "--device", "crypto_openssl0", "--algorithms", "aes-cbc",
                      "--layout", "one-segment", "--json", eal=eal).json()
    assert answer["driver"] == "crypto_openssl" and answer["verdict"] == "good", answer


def test_wrong_options(tool):
    """Each wrong value has one line that says what would be right."""
    for options, word in (
            (["--algorithms", "aes-cbd"], "there is no algorithm 'aes-cbd'"),
            (["--algorithms", "aes-cbc+aes-ctr"], "there is no algorithm 'aes-cbc+aes-ctr'"),
            (["--algorithms", ","], "there is no algorithm"),
            (["--algorithms", "rsa-77"], "there is no algorithm 'rsa-77'"),
            (["--sizes", "0"], "--sizes takes"), (["--sizes", "100-64"], "--sizes takes"),
            (["--sizes", "60001"], "1 to 60000"), (["--sizes", "64:0"], "--sizes takes"),
            (["--sizes", "big"], "--sizes takes"),
            (["--depth", "0"], "--depth takes a number from 1 to 1024"),
            (["--depth", "1025"], "--depth takes"), (["--burst", "257"], "--burst takes"),
            (["--queue-pairs", "-1"], "--queue-pairs takes"),
            (["--depth", "2", "--queue-pairs", "3"], "--depth 2 is less than --queue-pairs 3"),
            (["--rate", "0"], "--rate takes"), (["--rate", "1kk"], "--rate takes"),
            (["--time", "nan"], "--time takes"), (["--time", "0"], "--time takes"),
            (["--layout", "round"], "--layout takes"), (["--seed", "x"], "--seed takes")):
        complaint(tool.plain("loopback", "--", *options, code=USAGE), word)


def test_wrong_device(tool):
    """An algorithm or queue pairs that the device does not have, and too little memory."""
    complaint(tool.run("loopback", "--algorithms", "snow3g-uea2", "--device", "crypto_openssl0",
                       eal=[*tool.eal, "--vdev", "crypto_openssl0"], code=ABSENT),
              "crypto_openssl0 does not offer snow3g-uea2")
    complaint(tool.run("loopback", "--algorithms", "rsa-1024", "--device", "crypto_null0",
                       eal=[*tool.eal, "--vdev", "crypto_null0"], code=ABSENT),
              "crypto_null0 does not offer rsa-1024")
    complaint(tool.run("loopback", "--algorithms", "public-keys", "--device", "crypto_null0",
                       eal=[*tool.eal, "--vdev", "crypto_null0"], code=ABSENT),
              "crypto_null0 has no public keys")
    complaint(tool.run("loopback", "--queue-pairs", "16", code=USAGE), "has 8 queue pairs, not 16")
    small = ["--no-huge", "-m", "64", "--no-shconf", "--no-pci", "--no-telemetry"]
    complaint(tool.run("loopback", "--depth", "1024", "--sizes", "60000", eal=small, code=BROKEN),
              "no memory", "-m")
