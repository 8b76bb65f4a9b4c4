# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""dpdk-accel-tool info."""


def test_json(tool):
    """The JSON has identity, state and each algorithm once, with its sizes."""
    info = tool.run("info", "--json").json()
    assert info["device"] == "crypto_accel0" and info["driver"] == "crypto_accel", info
    assert info["transport"] == "embedded" and info["queue_pairs_max"] > 0, info
    assert info["state"] == "ready" and info["pci"] is None and "." in info["contract"], info
    assert info["health"]["state"] == "answers" and info["recovery"]["failures"] == 0, info
    algorithms = {(a["type"], a["algorithm"]): a for a in info["algorithms"]}
    assert len(algorithms) == len(info["algorithms"]), "an algorithm stands there twice"
    assert algorithms[("cipher", "aes-cbc")]["key"] == {"min": 16, "max": 32, "increment": 8}
    assert algorithms[("cipher", "aes-cbc")]["digest"] is None
    assert algorithms[("aead", "aes-gcm")]["digest"] is not None
    assert "IPsec" in info["protocols"] and "rsa" in info["public_keys"], info
    return "%d algorithms" % len(algorithms)


def test_table(tool):
    """The table has the same algorithms and features as the JSON, also without huge pages."""
    info = tool.run("info", "--json").json()
    text = tool.run("info", eal=tool.no_huge).out
    rows = [line.split() for line in text.split("\nalgorithms\n")[1].splitlines()]
    assert rows[0] == ["type", "algorithm", "block", "key", "iv", "digest", "aad"], rows[0]
    assert [row[1] for row in rows[1:]] == [a["algorithm"] for a in info["algorithms"]]
    assert "features:" in text and "queue pairs max:" in text, text
    assert not any(line != line.rstrip() for line in text.splitlines() if "," in line), text


def test_all(tool):
    """--all shows each device of the driver, and devices of other drivers not."""
    eal = [*tool.eal, "--vdev", "crypto_accel1,name=second"]
    names = [d["device"] for d in tool.run("info", "--all", "--json", eal=eal).json()["devices"]]
    assert sorted(names) == ["crypto_accel0", "second"], names
    text = tool.run("info", "--all", eal=eal).out
    assert text.count("driver: ") == 2, text
    second = tool.run("info", "--device", "second", "--json", eal=eal).json()
    assert second["transport"] == "embedded", second


def test_older_card(tool):
    """A card without a health page says so."""
    info = tool.run("info", "--json", devargs=",contract_minor=0").json()
    assert info["health"] == {"state": "this firmware has no health page"}, info["health"]
