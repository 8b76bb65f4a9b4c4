# SPDX-License-Identifier: BSD-3-Clause
"""Tests that the programs of tools/py/pages (performance.py, bus_page.py, openssl_page.py) make
their pages from the JSON of a run, and that the text written by hand stays. The argument is the
root of the tree. The last line of the output is "N passed, N failed"."""

import json
import os
import sys
import tempfile

ROOT = sys.argv[1]
sys.path.insert(0, os.path.join(ROOT, "tools", "py"))
from bench import bench_bus  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_crossover  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_depths  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_disk  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_latency  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_security  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_driver  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_openssl  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_paced  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_peers  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_tasks  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_pk  # noqa: E402 pylint: disable=wrong-import-position
from pages import bus_page  # noqa: E402 pylint: disable=wrong-import-position
from pages import openssl_page  # noqa: E402 pylint: disable=wrong-import-position
from pages import passthrough_page  # noqa: E402 pylint: disable=wrong-import-position
from pages import performance  # noqa: E402 pylint: disable=wrong-import-position


def record(section, device, metric, value, unit, algo, size=None):
    """Makes a record as class Record of bench.py does."""
    return {"section": section, "device": device, "algo": algo, "size": size, "burst": 32,
            "metric": metric, "value": value, "unit": unit, "rounds": 3}


def driver_records(section, case, device, scale):
    """Makes the records of a case of driver-cost."""
    found = []
    for metric, value in (("enqueue", 15.5), ("dequeue", 4.9), ("bare-enqueue", 12.5)):
        for unit in ("cycles/op", "instructions/op"):
            found.append(record(section, device, metric, scale * value, unit, case))
    for metric in ("over-bare-enqueue", "ratio-both", "ratio-enqueue", "ratio-dequeue"):
        found.append(record(section, device, metric, 1.25, "", case))
    return found


def peer_records():
    """Makes the records of the section throughput. Each set-up has a rate of its own."""
    found = []
    for algorithm in bench_peers.ALGORITHMS:
        for size in bench_peers.SIZES:
            for place, name in enumerate((bench_peers.OURS, bench_peers.INLINE,
                                          bench_peers.SCHEDULER, bench_peers.BARE), 1):
                found.append(record("throughput", name, "rate", 1.5 * place, "Mops/s", algorithm,
                                    size))
                found.append(record("throughput", bench_peers.OURS, "ratio to " + name, 0.77, "",
                                    algorithm, size))
                if name != bench_peers.BARE:
                    found.append(record("throughput", bench_peers.BARE, "ratio to " + name,
                                        0.79 if name == bench_peers.INLINE else 1.5, "", algorithm,
                                        size))
            for metric, value in ((bench_peers.ALONE_NS, 40), (bench_peers.BARE_NS, 52),
                                  (bench_peers.OURS_NS, 75)):
                found.append(record("throughput", "parts", metric, value, "ns/op", algorithm, size))
            found.append(record("throughput", bench_peers.OURS, "driver-share", 17.5, "%",
                                algorithm, size))
    return found


def paced_records():
    """Makes the records of the section paced."""
    found = []
    for peak in [bench_paced.UNPACED] + list(bench_paced.PEAKS):
        for engine in bench_paced.ENGINES:
            for size in bench_paced.SIZES:
                for metric, value in [("rate", 2e7), ("share", 99.75)] + [
                        (m, 1.0) for m in bench_paced.METRICS[1:]]:
                    found.append(record("paced", "crypto_accel", metric, value, "%",
                                        "%s, engine=%s" % (peak, engine), size))
    return found


def pk_records():
    """Makes the records of the section pk."""
    found = []
    for case in bench_pk.CASES:
        for metric in list(bench_pk.METRICS) + list(bench_pk.DRIVER_METRICS):
            found.append(record("pk", bench_pk.OURS, metric, 98.9, "", case))
    for case in bench_pk.ENGINE_CASES:
        for metric in bench_pk.METRICS:
            found.append(record("pk", bench_pk.ENGINE, metric, 101.3, "", case))
    for depth in bench_pk.DEPTHS:
        found.append(record("pk", bench_pk.OURS, "ratio-p99", 1.07, "", depth))
        found.append(record("pk", bench_pk.OURS, "pk-rate-least", 20.0, "ops/s", depth))
        for which in ("without", "with"):
            for metric in ("p50", "p99", "rate", "pk-rate", "application-lost"):
                found.append(record("pk", bench_pk.OURS, metric, 1e6, "", depth + ": " + which))
    return found


def sample():
    """Makes a run with all sections."""
    records = []
    for section, case, _ in performance.CASES:
        records += driver_records(section, case, "crypto_accel", 1)
    for case in bench_driver.AGAINST:
        records += driver_records("against", case, bench_driver.THIS, 1)
        records += driver_records("against", case, bench_driver.OTHER, 2)
    for burst, metric in (("8", "enqueue+dequeue"), ("1", "round-trip")):
        for prefix, value in (("", 47.25), ("bare-", 51.5), ("ratio-", 0.92)):
            records.append(record("cross", "crypto_accel", prefix + metric, value, "", burst))
    records += peer_records() + paced_records() + pk_records()
    for what, size in (("queue pair of 8 descriptors", 1234), ("session, own", 384),
                       ("session, all", 448)):
        records.append(record("memory", "crypto_accel", what, size, "bytes", None))
    about = {"date": "2026-01-01 00:00 UTC", "rounds": 3, "quick": False, "busy": 1, "failed": 0,
             "cpu": "CPU",
             "cpus": 2, "virtual": True, "huge pages": True,
             "versions": dict.fromkeys(("commit", "system", "kernel", "compiler", "DPDK",
                                        "intel-ipsec-mb", "OpenSSL"), "1")}
    targets = [target.json() for target in bench_driver.targets(records)]
    return json.loads(json.dumps({"about": about, "targets": targets, "records": records}))


def fills(page, blocks):
    """Checks that the page has the numbers and the hand-written text, and that a second fill
    changes nothing."""
    filled = performance.fill(page, blocks)
    again = performance.fill(filled, blocks)
    outside = performance.BLOCK.sub("", page)
    return (performance.BLOCK.sub("", filled) == outside
            and again == filled
            and filled.count("\n| ---") <= 18 and "31.0 | 15.5" in filled and "0.77" in filled
            and "47.2 | 51.5 | 0.92" in filled and "17.5 %" in filled
            and "A queue pair of 8 descriptors takes 1,234 bytes." in filled
            and "448 bytes with the library's header; 384" in filled and "99.75" in filled
            and "| ecdhp256-derive | 99 | 99 | 98.9 | - | - | - | 98.9 |" in filled
            and "| ed25519-verify | 101 | 101 | 101.3 | - |" in filled
            and "1000000 | 1.07 | 1.00 | 1.00 |" in filled)


def refuses(page, blocks):
    """Checks that a page with other parts is refused."""
    for text, parts in ((page.replace("generated: targets", "generated: other"), blocks),
                        (page, {k: v for k, v in blocks.items() if k != "cores"})):
        try:
            performance.fill(text, parts)
            return False
        except SystemExit:
            pass
    return True


def verdicts(blocks):
    """Checks that the page names a missed target as missed."""
    run = sample()
    row = [line for line in blocks["targets"].splitlines() if "against its bare" in line]
    missed = [dict(t, verdict="NOT MET") if "paced" in t["what"] else t for t in run["targets"]]
    text = performance.Page(dict(run, targets=missed)).target_table()
    busy = performance.Page(dict(run, about=dict(run["about"], busy=50))).machine()
    return (len(row) == 1 and row[0].endswith("met in all 4 |")
            and "**met in 0 of 12**" in text and "only show the form" in " ".join(busy.split())
            and "only show the form" not in " ".join(blocks["machine"].split()))


def parts(blocks):
    """Checks the table of what an operation takes, and that the table of targets says at which
    points the bare loop misses them, too."""
    lines = blocks["parts"].splitlines()
    row = [line for line in blocks["targets"].splitlines() if bench_peers.INLINE in line]
    worker = [line for line in blocks["targets"].splitlines() if bench_peers.SCHEDULER in line]
    end = "| 1.50 | 0.79 | scheduler: device, inline: crossing |"
    return (len(lines) == 2 + len(bench_peers.ALGORITHMS) * len(bench_peers.SIZES)
            and "|  | 1024 | 40.0 | 12.0 | 52.0 | 23.0 | 75.0 " + end in lines
            and "|  | 16384 | 40.0 | 12.0 | 52.0 | 23.0 | 75.0 " + end in lines
            and all("; the bare loop has 0.79 at" in line for line in row) and len(row) == 2
            and len(worker) == 1 and "bare loop" not in worker[0])


def without_load():
    """Checks that no target is met if what it measures did not run."""
    run = sample()
    beside = "symmetric p99 with RSA-4096"

    def verdicts_of(records):
        return {(t.what, t.point): t.verdict for t in bench_driver.targets(records)}

    def changed(value, *metrics):
        return verdicts_of([dict(r, value=value) if r["metric"] in metrics else r
                            for r in run["records"]])

    good = verdicts_of(run["records"])
    no_rsa = changed(0.0, "pk-rate-least")
    older = verdicts_of([r for r in run["records"] if r["metric"] != "pk-rate-least"])
    idle = verdicts_of([dict(r, value=0.0) for r in run["records"]])
    text = performance.Page(dict(run, targets=[
        {"what": what, "point": point, "value": 1.0, "relation": "at most", "limit": 1.2,
         "verdict": verdict} for (what, point), verdict in no_rsa.items()])).target_table()
    return (sum(v == "met" for (what, _), v in good.items() if beside in what) == 2
            and all(v == bench_driver.NO_LOAD for (what, _), v in no_rsa.items() if beside in what)
            and all(v == bench_driver.NO_LOAD for (what, _), v in older.items() if beside in what)
            and no_rsa.keys() == good.keys() and "the load of 2 did not run" in text
            and len(idle) >= len(good) - 1
            and all(v == bench_driver.NO_LOAD for v in idle.values()))


def empty():
    """Checks that a run of one section makes a page, too."""
    run = sample()
    run["records"] = [r for r in run["records"] if r["section"] == "driver"]
    run["targets"] = []
    blocks = performance.Page(run).blocks()
    own = [blocks.pop(name) for name in ("crossover", "depths", "disk", "latency", "security",
                                         "tasks")]
    return own == [None] * 6 and \
        all(isinstance(t, str) for t in blocks.values())


class Context:  # pylint: disable=too-few-public-methods
    """Makes records as tools/bench does."""

    @staticmethod
    def record(section, device, metric, value, unit, _rounds, algo, size=None, burst=32):
        """Makes one."""
        return dict(record(section, device, metric, value, unit, algo, size), burst=burst)


def fills_only(records, name):
    """Fills the page from a run with these records. Returns it, or an empty text if another part
    than that of the name is not as it was."""
    with open(performance.PAGE, encoding="utf-8") as file:
        page = file.read()
    filled = performance.fill(page, performance.Page(dict(sample(), records=records)).blocks())
    parts = [[m[0] for m in performance.BLOCK.finditer(text) if m[2] != name]
             for text in (page, filled)]
    return filled if parts[0] == parts[1] else ""


def fills_crossover():
    """Checks that a run of the crossover changes its part only, and that other runs keep it."""
    with open(performance.PAGE, encoding="utf-8") as file:
        page = file.read()
    records = []
    for size, rate, cycles in ((64, 0.25, 1.5), (128, 1.75, 3.5)):
        for peer in bench_crossover.PEERS:
            for metric, value in (("rate ratio to ", rate), ("cycles ratio to ", cycles)):
                records.append(record("crossover", "crypto_accel", metric + peer, value, "",
                                      "aes-128-cbc", size))
            records.append(record("crossover", peer, "rate", 2.5, "Mops/s", "aes-128-cbc", size))
    run = dict(sample(), records=records)
    filled = performance.fill(page, performance.Page(run).blocks())
    both = performance.fill(filled, performance.Page(sample()).blocks())
    row = "| aes-128-cbc | `crypto_openssl` | from 128 bytes | from 64 bytes |"

    def others(text):
        return [m[0] for m in performance.BLOCK.finditer(text) if m[2] != "crossover"]

    return (others(filled) == others(page) and row in filled and row in both
            and others(both) != others(page)
            and "| aes-128-cbc | `crypto_aesni_mb` | 0.25 | 1.75 |" in filled)


def fills_depths():
    """Checks the table of rates by depth: ratios are of the same round, what was not measured is a
    dash, and other parts stay."""
    key, values = ("aes-128-gcm", 1024, 64), {}
    for name, metric, rounds in ((bench_depths.OURS, "rate", (4e6, 9e6)),
                                 (bench_depths.OURS, "jobs", (1.0, 1.0)),
                                 (bench_depths.BARE, "rate", (8e6, 12e6)),
                                 (bench_depths.SCHEDULER, "held", (63.0, 63.0))):
        values[(name,) + key + (metric,)] = dict(enumerate(rounds))
    filled = fills_only(bench_depths.make_records(Context, values), "depths")
    return "|  |  | 64 | 6.500 | 1.0 | 10.000 | 0.62 | - | 63 | - |" in filled


def fills_disk():
    """Checks the table of sectors: what a peer does not offer is a dash, and other parts stay."""
    values = {("crypto_accel", "aes-128-cbc/512/1", "rate"): {0: 300.0, 1: 500.0},
              ("crypto_accel", "aes-128-cbc/512/1", "gbps"): {0: 1.25, 1: 2.25},
              ("crypto_accel", "aes-128-cbc/512/1", "cycles"): {0: 10.0, 1: 20.0},
              ("crypto_openssl", "aes-128-cbc/512/1", "rate"): {0: 100.0, 1: 125.0},
              ("crypto_openssl", "aes-128-cbc/512/1", "gbps"): {0: 0.5, 1: 0.5},
              ("crypto_openssl", "aes-128-cbc/512/1", "cycles"): {0: 50.0, 1: 60.0},
              ("crypto_accel", "aes-256-xts/512/8", "gbps"): {0: 7.5}}
    filled = fills_only(bench_disk.make_records(Context, values), "disk")
    return ("| aes-128-cbc | 512 | 1 | 1.75 | 15.0 | - | - | - | 0.50 | 3.50 | 4.00 |" in filled
            and "| aes-256-xts | 512 | 8 | 7.50 | - | - | - | - | - | - | - |" in filled)


def fills_latency():
    """Checks the table of latencies: a load that was not reached is a dash, and other parts
    stay."""
    values = {}
    for load, came in ((10, 99.0), (99, 80.0)):
        for metric, number in (("p50", 1250.0), ("p99", 2500.0), ("p999", 31000.0),
                               ("in time", came)):
            values[("crypto_accel", 64, load, metric)] = {0: number}
    filled = fills_only(bench_latency.make_records(Context, values), "latency")
    return "| 64 | 10 | 1.2 | 2.5 | 31.0 |" in filled and "|  | 99 | - | - | - |" in filled


def fills_security():
    """Checks the table of packets: ratios are of the same round, what a peer does not offer is a
    dash, and other parts stay."""
    case, values = "ipsec aes-128-gcm", {}
    for name, rates, cycles in (("crypto_accel", (3e6, 5e6), (40.0, 60.0)),
                                (bench_security.INLINE, (4e6, 4e6), (80.0, 90.0))):
        values[(name, case, 256, "rate")] = dict(enumerate(rates))
        values[(name, case, 256, "cycles")] = dict(enumerate(cycles))
        values[(name, case, 256, "done")] = {0: 1.0}
    filled = fills_only(bench_security.make_records(Context, values), "security")
    return "|  | 256 | 4.000 | 50.0 | 4.000 | 85.0 | - | 1.00 | - | 1.75 |" in filled


def fills_tasks():
    """Checks the tables of several applications: the sum beside one alone and beside the peak, what
    is not known is a dash, and other parts stay."""
    app = {"gbps": 0.25, "p50": 10.0, "p99": 20.0, "cpu": 5.0, "calls": 7.0}
    found = {1: bench_tasks.sums([dict(app, gbps=0.4)], 40.0),
             2: bench_tasks.sums([app, dict(app, gbps=0.5, p99=90.0)], None)}
    name = bench_tasks.case_name(bench_tasks.FUNCTIONS, bench_tasks.CASES[-1])
    records = [dict(record("tasks", "crypto_accel", metric, value, "", name, bench_tasks.SIZE),
                    burst=number) for number in found for metric, value in found[number].items()]
    records.append(dict(record("tasks", "crypto_openssl", "sum", 0.125, "", bench_tasks.ALONE,
                               1024), burst=1))
    filled = fills_only(records, "tasks")
    return ("| 1 Gbit/s | 1 | 0.40 | 100 | 40.0 | 0.40 to 0.40 | 10 | 20 | 5 | 40 |" in filled
            and "| 2 | 0.75 | 188 | 75.0 | 0.25 to 0.50 | 10 | 90 | 10 | - |" in filled
            and "| 1024 | - | - | 0.125 | - |" in filled)


def fills_passthrough():
    """Checks the page of guests: a folder without results changes nothing, and results are in the
    tables."""
    with open(passthrough_page.PAGE, encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as folder:
        nothing = passthrough_page.blocks(folder)
        inner = os.path.join(folder, "results-nested", "inner")
        os.makedirs(inner)
        os.makedirs(os.path.join(folder, "results-tasks"))
        with open(os.path.join(folder, "results-tasks", "tasks.log"), "w",
                  encoding="ascii") as file:
            file.write("$ program\nrow,queue pairs,aes-128-cbc,naps,1,1.25,1.25,1.25,10,20,30\n"
                       "row,queue pairs,aes-128-cbc,naps,2,2.50,1.00,1.50,11,21,60\n")
        for kind, depth in passthrough_page.CURVES + passthrough_page.SIGNATURES:
            with open(os.path.join(inner, "notify-%s-%d.log" % (kind, depth)), "w",
                      encoding="ascii") as file:
                file.write("poll,%s,512,%d,9,9,1.5,2.5,0,0,0.0\n"
                           "notify,%s,512,%d,8,8,0.5,0.75,4,0,1234.4\n" % ((kind, depth) * 2))
        parts = passthrough_page.blocks(folder)
    filled = performance.fill(page, parts)
    return (nothing == dict.fromkeys(parts) and performance.fill(page, nothing) == page
            and performance.BLOCK.sub("", page) == performance.BLOCK.sub("", filled)
            and "| queue pairs | aes-128-cbc | naps | 1 | 1.25 | 1.25 to 1.25 | 10 | 20 | 30 |"
            in filled and "|  |  |  | 2 | 2.50 | 1.00 to 1.50 | 11 | 21 | 60 |" in filled
            and "| sha-256 | 32 | polls | 2.500 |" in filled
            and "| rsa-sign | 1 | polls | 2.5 |" in filled and "| 4096 bits |" in filled
            and "|  |  | completions per interrupt | 2.0 |" in filled
            and "|  |  | interrupts per second | 1234 |" in filled)


def bus_run():
    """Makes a run of the section bus in which each number is the place of its record."""
    metrics = ["reads", "writes", "TLPs up", "TLPs down", "payload up", "payload down",
               "overhead up", "overhead down", "dependent reads", "dependent reads, prefetch"]
    metrics += bench_bus.LINKS
    for trip in bench_bus.TRIPS:
        metrics += ["latency %d" % trip, "latency %d, prefetch" % trip]
    metrics += ["%s %s" % (kind, what) for kind in bus_page.KINDS for what in ("accesses", "bytes")]
    records = []
    for layout in bus_page.SHOWN + ["GCM 64 B"]:
        for name in [bench_bus.OURS] + bench_bus.OPTIONS + ["other"]:
            for device, burst in ((name, bench_bus.LOADED), (name, bench_bus.SINGLE),
                                  (name + bench_bus.MISS, bench_bus.SINGLE)):
                for metric in metrics:
                    records.append({"section": "bus", "device": device, "algo": layout,
                                    "size": None, "burst": burst, "metric": metric,
                                    "value": 1e6 + len(records),
                                    "unit": bench_bus.unit_of(metric), "rounds": 1})
    return {"about": {"bus sources": [["what", "5 bytes", "a text"]]}, "records": records}


def fills_bus():
    """Checks that the page of the bus has the numbers, and that another fill changes nothing."""
    with open(bus_page.PAGE, encoding="utf-8") as file:
        page = file.read()
    run = bus_run()
    filled = performance.fill(page, bus_page.blocks(run))
    counts = bench_bus.Counts(run["records"])
    reads = counts.get("GCM 1024 B", "other", bench_bus.SINGLE, "reads")
    without = dict(run, records=[r for r in run["records"] if not (
        r["device"].startswith("other") and r["algo"] == "cipher 64 B")])
    return (performance.fill(filled, bus_page.blocks(run)) == filled
            and performance.BLOCK.sub("", page) == performance.BLOCK.sub("", filled)
            and "| other | %s |" % bench_bus.text_of(reads) in filled
            and "| what | 5 bytes | a text |" in filled
            and "| - |" in bus_page.blocks(without)["rates"]
            and "| - |" not in bus_page.blocks(run)["rates"])


def openssl_run():
    """Makes a run of the section openssl in which each number is the place of its record."""
    records = []

    def add(device, algo, size, jobs, *metrics):
        for metric in metrics:
            records.append(dict(record("openssl", device, metric, 1000 + len(records), "", algo,
                                       size), burst=jobs))

    for engine, memory, operation, size, jobs, check in bench_openssl.plan(False):
        add("check: %s" % check if check else "%s, %s" % (engine, memory), operation, size, jobs,
            *bench_openssl.METRICS, "ratio")
    for name in bench_openssl.SPEED:
        for side in bench_openssl.SIDES:
            for size in bench_openssl.SPEED_SIZES:
                add(side, name, size, None, "speed")
    for memory in bench_openssl.MEMORY:
        add("null, " + memory, bench_openssl.CIPHER, 16384, 32, "copies")
    for size in bench_openssl.TRIPS:
        add("null", bench_openssl.CIPHER, size, 0, "bare", "round trip")
    for name in bench_openssl.SERVERS:
        add(name, "keys", None, None, "handshakes", "handshake CPU")
    return {"about": sample()["about"], "records": records}


def fills_openssl():
    """Checks that the page of OpenSSL has the numbers, that its picture has a line for each kind of
    texts in each panel, and that numbers which are missing make no line and no error."""
    with open(openssl_page.PAGE, encoding="utf-8") as file:
        page = file.read()
    run = openssl_run()
    filled = performance.fill(page, openssl_page.blocks(run))
    least = dict(run, records=[r for r in run["records"]
                               if "no copy" not in r["device"] and r["metric"] != "copies"])
    last = run["records"][-1]["value"]
    panels = len(bench_openssl.JOBS)
    return (performance.fill(filled, openssl_page.blocks(run)) == filled
            and performance.BLOCK.sub("", page) == performance.BLOCK.sub("", filled)
            and "| HAProxy, provider, ssl-mode-async | %d | %d |" % (last - 1, last) in filled
            and "| at most 1.3 us | 0.00 us above" in filled
            and "no copy" not in openssl_page.blocks(least)["cost"]
            and openssl_page.picture(run["records"]).count("<polyline") == 3 * panels
            and openssl_page.picture(least["records"]).count("<polyline") == 2 * panels)


def main():
    """Runs all tests."""
    with open(performance.PAGE, encoding="utf-8") as file:
        page = file.read()
    blocks = performance.Page(sample()).blocks()
    results = {"the page is filled": fills(page, blocks), "other parts": refuses(page, blocks),
               "verdicts": verdicts(blocks),
               "parts of an operation": parts(blocks),
               "targets without load": without_load(),
               "one section": empty(), "the bus": fills_bus(), "the crossover": fills_crossover(),
               "operations in flight": fills_depths(),
               "the sectors of disks": fills_disk(), "the latency": fills_latency(),
              "the packets of protocols": fills_security(),
               "several applications": fills_tasks(),
               "guests": fills_passthrough(),
               "OpenSSL programs": fills_openssl()}
    for name, good in results.items():
        print("%s  %s" % ("passed" if good else "FAILED", name))
    print("%d passed, %d failed" % (sum(results.values()), len(results) - sum(results.values())))
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
