# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""dpdk-accel-tool fault."""

from tool import ABSENT, BAD, UNTESTED, USAGE, complaint

FEW = ["--operations", "2000", "--algorithms", "aes-cbc,aes-gcm,sha1-hmac"]
FAST = ",timeout_ms=100"


def phases(answer):
    """The phases by name."""
    return {p["phase"]: p for p in answer["phases"]}


def test_recovery(tool):
    """Each fault makes operations fail, none wrong, and the traffic is right afterwards."""
    notes = []
    for fault in ("dead@100", "fatal@100", "stall@100", "dma@100/50", "lost@100", "hhp@100",
                  "corrupt@100/100", "status:5@10/100+lost@500"):
        answer = tool.run("fault", *FEW, "--inject", fault, "--json", devargs=FAST).json()
        by_name = phases(answer)
        assert list(by_name) == ["before", "broken", "recovery", "after"], answer
        assert answer["verdict"] == "good" and by_name["broken"]["failed"] > 0, answer
        assert by_name["before"]["failed"] == by_name["after"]["failed"] == 0, answer
        assert all(p["wrong"] == 0 for p in answer["phases"]), answer
        notes.append("%s %d" % (fault, by_name["broken"]["failed"]))
    return ", ".join(notes)


def test_without_healing(tool):
    """With recover=off this program resets the queue pair, as an application would."""
    answer = tool.run("fault", *FEW, "--inject", "hhp@100", "--time", "2", "--json",
                      devargs=FAST + ",recover=off").json()
    assert answer["verdict"] == "good" and answer["recovery"]["reset_by_this_program"], answer


def test_fault_that_does_not_come_up(tool):
    """A fault beyond the end, or that none of the operations can have, is not tested."""
    for fault in ("dead@1000000", "entropy@100"):
        answer = tool.run("fault", *FEW, "--inject", fault, "--json", devargs=FAST,
                          code=UNTESTED).json()
        assert answer["verdict"] == "not tested" and "not come up" in answer["reason"], answer
        assert list(phases(answer)) == ["before", "broken", "recovery", "after"], answer


def test_wrong_device(tool):
    """A device that is wrong before the fault has a bad verdict."""
    answer = tool.run("fault", *FEW, "--inject", "dead@100", "--json",
                      devargs=FAST + ",engine=null", code=BAD).json()
    assert answer["verdict"] == "bad" and list(phases(answer)) == ["before"], answer


def test_wrong_options(tool):
    """Lists of faults that the driver does not know, none at all, and other devices."""
    complaint(tool.plain("fault", code=USAGE), "--inject says what to break")
    complaint(tool.run("fault", "--inject", "broken@1", code=USAGE), "'broken@1' is no list")
    complaint(tool.run("fault", "--inject", "dead", code=USAGE), "'dead' is no list")
    complaint(tool.plain("fault", *tool.eal, "--inject", "dead@1", "--vdev", "crypto_openssl0",
                         code=ABSENT), "none of the devices is one of crypto_accel")
