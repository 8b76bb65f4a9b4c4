# SPDX-License-Identifier: BSD-3-Clause
"""A report of known data with all figures, for test_report.py."""

# What breaks a page that does not escape: it ends elements, attributes and the data's element.
HOSTILE = ["</script><script>alert(1)</script>", "\"' onload=alert(1) x='", "<img src=x onerror=y>",
           "<!--<script>", "a & b &lt; c", "\u2028line\u2029", "]]>", "\\u003c", "é€𝄞"]


def throughput():
    """Three devices, two algorithms; no two numbers are the same."""
    series = []
    for place, device in enumerate(("crypto_accel", "aesni_mb, inline", "scheduler + 1 aesni_mb")):
        for other, algorithm in enumerate(("AES-128-CBC", "AES-256-GCM")):
            points = []
            for size in (64, 256, 1024, 4096, 16384):
                mops = round(31.013 / (1 + size / 900) / (1 + 0.371 * place + 0.053 * other), 4)
                points.append({"size": size, "mops": mops, "gbps": round(mops * size * 8e-3, 4)})
            series.append({"device": device, "algorithm": algorithm, "points": points})
    return {"about": "A sentence.", "commands": ["run --this 'and that'"], "series": series}


def latency():
    """Two histograms: one with a bound for each count, one with operations above the last."""
    bounds = [500 * 2 ** i for i in range(10)]
    return {"unit": "ns", "marks": [{"name": "thesis", "value": 58001}], "series": [
        {"name": "1024 bytes, bursts of 1", "count": 10110, "p50": 2345.5, "p99": 17001,
         "p99_9": 40002, "max": 90003, "bounds": bounds,
         "counts": [0, 131, 3333, 4444, 2001, 151, 42, 8, 0, 0]},
        {"name": "1024 bytes, bursts of 32", "count": 1001017, "p50": 9876, "p99": 60017,
         "p99_9": 256003, "max": 1203004, "bounds": bounds,
         "counts": [0, 0, 0, 5017, 700019, 190021, 100023, 5029, 871, 31, 6]}]}


def stages():
    """Some steps, one of them not on the way."""
    names = (("prepare", "driver", 21.3), ("post", "driver", 48.6), ("doorbell", "driver", 39.1),
             ("device fetch", "device", 214.7), ("engine", "device", 331.9),
             ("response", "device", 127.2), ("poll with completion", "driver", 66.4),
             ("poll without completion", "driver", 14.8))
    return {"unit": "cycles", "stages": [
        {"name": name, "who": who, "mean": mean, "p10": round(mean * 0.81, 3),
         "p50": round(mean * 0.93, 3), "p90": round(mean * 1.23, 3), "p99": round(mean * 3.01, 3),
         "aside": "without" in name} for name, who, mean in names]}


def crossover():
    """Two peers: the card passes one, never the other."""
    pairs = []
    for place, peer in enumerate(("crypto_aesni_mb", "crypto_openssl")):
        points = [{"size": size, "rate": round((0.31 + 0.413 * place) * size ** 0.1, 4),
                   "cycles": round((0.7 + place) * size ** 0.5 / 7, 4)}
                  for size in (64, 256, 1024, 4096, 16384)]
        pairs.append({"algorithm": "aes-128-cbc", "peer": peer, "points": points,
                      "rate_from": 64 if place else None, "cycles_from": 256 - 192 * place})
    return {"pairs": pairs}


def crowded():
    """A report with the names that dpdk-accel-tool and tools/bench use, and marks and steps close
    to each other."""
    data = full()
    data["latency"] = latency()
    data["latency"]["marks"] = [{"name": name, "value": value} for name, value in (
        ("Medusa (thesis)", 58000), ("SZE (thesis)", 19000), ("Medusa (thesis, before)", 69000),
        ("SZE (thesis, before)", 22000))]
    calls = ("driver", "device", "driver", "rte_cryptodev_enqueue_burst",
             "rte_cryptodev_raw_enqueue_done", "rte_cryptodev_raw_dequeue_burst")
    data["stages"] = {"unit": "ns", "stages": [
        {"name": name, "who": who, "mean": mean, "aside": who.startswith("rte_")}
        for name, who, mean in zip(("prepare and send", "card, to the last result",
                                    "look, all taken", "way there and back", "send",
                                    "look, nothing there"), calls,
                                   (121.7, 2760.3, 105.6, 12.5, 27.17, 14.68))]}
    return data


def full():
    """A report with everything."""
    return {"schema": 1, "title": "A known report", "program": "test_report.py",
            "date": "2026-01-02 03:04 UTC", "verdict": {"good": True, "text": "nothing is lost"},
            "notes": ["The first note.", "The second note."],
            "summary": [["operations", 7654321], ["rate", 12.75, "Gbit/s"]],
            "machine": [["CPU", "A processor"], ["CPUs", 2]], "versions": [["DPDK", "22.11.11"]],
            "commands": ["./tools/demo crypto_accel"], "throughput": throughput(),
            "latency": latency(), "stages": stages(), "crossover": crossover()}


def bare():
    """A report without figures."""
    return {"schema": 1, "title": "Nothing", "program": "p", "date": "d", "machine": [],
            "versions": [], "commands": []}


def hostile():
    """A report in which every text would break a page that does not escape."""
    number = [0]

    def change(value):
        if isinstance(value, str):
            number[0] += 1
            return HOSTILE[number[0] % len(HOSTILE)] + str(number[0])
        if isinstance(value, list):
            return [change(item) for item in value]
        if isinstance(value, dict):
            return {key: change(item) for key, item in value.items()}
        return value

    return change(full())
