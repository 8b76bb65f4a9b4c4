# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""dpdk-accel-exporter and the endpoint for DPDK's own exporter, with a process that
fake_telemetry.py plays, and the names in rules, dashboard and guide."""

import contextlib
import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from fake_telemetry import RATES, Fake
from test_top import PREFIX, fake, folder
from tool import ABSENT, BROKEN, USAGE, Result

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "test", "common"))
from telemetry_client import TelemetryClient  # noqa: E402 pylint: disable=wrong-import-position

SOURCE = os.path.join(ROOT, "app", "accel-exporter")
EXPORTER = os.path.join(SOURCE, "dpdk-accel-exporter.py")
GUIDE = os.path.join(ROOT, "doc", "guides", "accel-prometheus.rst")
# DPDK has it since 24.07.
DPDK_EXPORTER = [shutil.which("dpdk-telemetry-exporter.py"),
                 os.path.join(ROOT, "build", "deps", "dpdk", "usertools",
                              "dpdk-telemetry-exporter.py"), os.environ.get("ACCEL_DPDK_EXPORTER")]


def endpoint():
    """The module accel.py, loaded as DPDK's exporter does."""
    spec = importlib.util.spec_from_file_location("accel", os.path.join(SOURCE, "accel.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def once(*arguments, code=0, env=None):
    """Runs the exporter with --once."""
    command = [sys.executable, "-B", EXPORTER, "--once", *arguments]
    result = Result(command, subprocess.run(command, capture_output=True, text=True, timeout=1200,
                                            check=False, env=dict(os.environ, **(env or {}))))
    assert result.code == code, "expected exit code %d: %s" % (code, result)
    return result


def samples(text):
    """Returns "name{labels}" with sorted labels to value, of Prometheus' text format."""
    out = {}
    for line in text.splitlines():
        if line.startswith("#") or not line:
            continue
        name, labels, value = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line).groups()
        pairs = sorted(re.findall(r'(\w+)="([^"]*)"', labels or ""))
        key = name + "{" + ",".join('%s="%s"' % pair for pair in pairs) + "}"
        assert key not in out, "twice: " + key
        out[key] = float(value)
    return out


def free_port():
    """Returns a port that nobody uses at the moment."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def get(url, wait=10):
    """Returns (code, text) of a URL, as soon as somebody answers there."""
    end = time.monotonic() + wait
    while True:
        try:
            with urllib.request.urlopen(url, timeout=1200) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@contextlib.contextmanager
def serving(*arguments, program=EXPORTER, listen="--listen", scheme=""):
    """Runs an exporter; yields the URL of its metrics."""
    address = "127.0.0.1:%d" % free_port()
    with subprocess.Popen([sys.executable, "-B", program, listen, scheme + address, *arguments],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        try:
            yield "http://" + address + "/metrics"
        finally:
            child.terminate()


def test_values(_tool):
    """Each value is that of the telemetry, in the metric's unit, with labels for device and queue
    pair."""
    latency = {"on": 1, "unit": "ns", "count": 10, "bounds": [1024, 1152, 4096, 1 << 40],
               "counts": [1, 2, 3, 4]}
    state = {"mode": "failed", "enqueued": (1 << 53) - 1, "failures": 2, "novelties": 3}
    with fake(latency={(0, 1): latency}, state={(3, 0): state}) as (process, _):
        process.devices[3].update(heartbeat_age_us=1500000, pci="0000:03:00.1")
        process.devices[0]["name"] = "a\"b\\c\n"
        text = once("--socket", process.path).out
    got = samples(text)
    a, b = 'device="a_b_c_"', 'device="crypto_accel3"'
    le = '%s,le="%%s",queue_pair="1"' % a
    for key, want in {
            "devices{}": 2, "device_ready{%s}" % a: 1, "device_ready{%s}" % b: 0,
            "device_heartbeat_age_seconds{%s}" % b: 1.5,
            "device_state{%s,state=\"ready\"}" % b: 1, "device_state{%s,state=\"gone\"}" % b: 0,
            "device_temperature_celsius{%s}" % a: 41.5, "device_power_watts{%s}" % a: 12.5,
            "errors_total{%s,error=\"auth_failed\",kind=\"status\"}" % a: 7,
            "errors_total{%s,error=\"too_short\",kind=\"refusal\"}" % a: 2,
            "sessions_by_algorithm{algorithm=\"aes_gcm\",%s}" % a: 3,
            "queue_pair_depth{%s,queue_pair=\"1\"}" % a: 512,
            "queue_pair_enqueued_total{%s,queue_pair=\"0\"}" % b: (1 << 53) - 1,
            "queue_pair_other_total{counter=\"novelties\",%s,queue_pair=\"0\"}" % b: 3,
            "queue_pair_mode{%s,mode=\"failed\",queue_pair=\"0\"}" % b: 1,
            "queue_pair_mode{%s,mode=\"running\",queue_pair=\"0\"}" % b: 0,
            "queue_pair_latency_seconds_bucket{%s}" % le % "1.024e-06": 1,
            "queue_pair_latency_seconds_bucket{%s}" % le % "2.048e-06": 3,
            "queue_pair_latency_seconds_bucket{%s}" % le % "4.096e-06": 6,
            "queue_pair_latency_seconds_bucket{%s}" % le % "1.073741824": 6,
            "queue_pair_latency_seconds_bucket{%s}" % le % "+Inf": 10,
            "queue_pair_latency_seconds_count{%s,queue_pair=\"1\"}" % a: 10}.items():
        assert got.get("dpdk_accel_" + key) == want, (key, got.get("dpdk_accel_" + key), text)
    info = [key for key in got if key.startswith("dpdk_accel_device_info{") and b in key]
    assert 'pci="0000:03:00.1"' in info[0] and 'transport="vf"' in info[0], info
    assert 'queue_pair="2"' not in text, "a queue pair that is not set up"
    assert "# TYPE dpdk_accel_queue_pair_latency_seconds histogram" in text, text
    return "%d samples" % len(got)


def test_lint(_tool):
    """promtool has nothing to say against names, types and help."""
    with fake(latency={(0, 0): {"on": 1, "count": 1, "bounds": [1024], "counts": [1]}}) as \
            (process, _):
        text = once("--socket", process.path).out
    subprocess.run(["promtool", "check", "metrics"], input=text, text=True, check=True,
                   timeout=1200)


def test_names(_tool):
    """Each metric is in the guide. Rules and dashboard use no others."""
    info = endpoint().info()
    with open(GUIDE, encoding="utf-8") as file:
        guide = set(re.findall(r"``dpdk_accel_(\w+)``", file.read()))
    histograms = {name + end for name in endpoint().HISTOGRAMS for end in ("_bucket", "_count")}
    want = set(info) - histograms | set(endpoint().HISTOGRAMS)
    assert want == guide, "not in the guide %s, only there %s" % (want - guide, guide - want)
    for name in ("crypto_accel.rules.yml", "grafana.json"):
        with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
            used = set(re.findall(r"\bdpdk_accel_(\w+)", file.read()))
        assert used and used <= set(info), "%s: %s" % (name, used - set(info))
    assert all(kind != "counter" or name.endswith("_total") for name, (_, kind) in info.items())


def test_dashboard(_tool):
    """The dashboard has a panel for each place, without overlaps and with unique numbers."""
    with open(os.path.join(SOURCE, "grafana.json"), encoding="utf-8") as file:
        panels = json.load(file)["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])}
        assert not cells & taken and place["x"] + place["w"] <= 24, panel["title"]
        taken |= cells
        assert panel["type"] == "row" or panel["targets"], panel["title"]


def test_dpdk_exporter(_tool):
    """DPDK's own exporter, where this version has it, serves the same values from the same file."""
    found = [path for path in DPDK_EXPORTER if path and os.path.isfile(path)]
    state = dict.fromkeys(RATES, 12345)
    latency = {"on": 1, "count": 3, "bounds": [2048, 4096], "counts": [1, 2]}
    with fake(state={(0, 0): state, (0, 1): state, (3, 0): state},
              latency={(0, 0): latency}) as (process, _):
        ours = samples(once("--socket", process.path).out)
        if not found:
            return "this DPDK has none"
        with serving("--load-path", SOURCE, "--endpoint", "accel", "--socket-path", process.path,
                     program=found[0], listen="--output", scheme="prometheus://") as url:
            code, text = get(url)
    # It puts a blank between labels.
    assert code == 200 and samples(text) == ours, text
    assert "# TYPE dpdk_accel_queue_pair_enqueued_total counter" in text, text
    return found[0]


def test_http(_tool):
    """It answers while the process is there, with 503 and the reason while it is not, and again
    later."""
    with folder() as (path, _):
        process = Fake(path)
        with serving("--socket", process.path) as url:
            code, text = get(url)
            assert code == 200 and "dpdk_accel_devices 2.0" in text, text
            assert get(url.replace("/metrics", "/other"))[0] == 404
            process.close()
            os.unlink(process.path)
            code, text = get(url)
            assert code == 503 and "cannot connect to " + process.path in text, text
            with Fake(path) as process:
                process.devices = {}
                code, text = get(url)
                assert code == 200 and samples(text) == {"dpdk_accel_devices{}": 0}, text
                process.mangle = lambda command, answer: answer[:-1]
                code, text = get(url)
                assert code == 503 and "cut off" in text, text


def test_installed(_tool):
    """Below a prefix the program finds the endpoint, and without one it says so."""
    with tempfile.TemporaryDirectory() as prefix, fake() as (process, _):
        program = os.path.join(prefix, "bin", "dpdk-accel-exporter")
        endpoints = os.path.join(prefix, "share", "dpdk", "telemetry-endpoints")
        os.makedirs(os.path.dirname(program))
        os.makedirs(endpoints)
        shutil.copy(EXPORTER, program)
        command = [sys.executable, "-B", program, "--once", "--socket", process.path]
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)
        if run.returncode != 0:  # else it is installed on this machine, too
            assert "there is no accel.py in" in run.stderr, run.stderr
        shutil.copy(os.path.join(SOURCE, "accel.py"), endpoints)
        run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1200)
        assert "dpdk_accel_devices 2.0" in run.stdout, run.stdout


def test_bad_input(_tool):
    """No socket, sockets of other programs and bad answers: one line and an exit code."""
    with folder() as (path, env), Fake(path) as process:
        for arguments, code, words in (
                (["--socket", path + "/none"], ABSENT, "cannot connect"),
                (["--file-prefix", "nobody"], ABSENT, "no telemetry socket"),
                (["--socket", "a", "--file-prefix", "b"], USAGE, "exclude"),
                (["--listen", "port"], USAGE, "ADDRESS:PORT")):
            result = once(*arguments, code=code, env=env)
            assert words in result.err and "Traceback" not in result.err, result
        for greeting in (b"hello", b"{", b"[]", {"pid": "x", "max_output_len": 5}, b"x" * 2000,
                         {"pid": 1, "max_output_len": 1 << 40}, {"pid": 1, "max_output_len": -1}):
            process.greeting = greeting
            result = once("--socket", process.path, code=BROKEN)
            assert result.err.count("\n") == 1 and "not a socket of DPDK" in result.err, result
        process.greeting = {"pid": 1, "max_output_len": 16384}
        for mangle in (lambda c, a: a[:-1], lambda c, a: a + b" " * 20000, lambda c, a: b"[" * 9999,
                       lambda c, a: b"{\"/x\": 1}", lambda c, a: b"5",
                       lambda c, a: a.replace(b"[0, 3]", b"5"),
                       lambda c, a: a.replace(b"\"name\"", b"\"nome\""),
                       lambda c, a: a.replace(b"{\"auth_failed\": 7}", b"[1]"),
                       lambda c, a: a.replace(b": 512", b": \"x\"")):
            process.mangle = mangle
            result = once("--socket", process.path, code=BROKEN)
            assert result.err.count("\n") == 1 and result.out == "", result
        # Of several processes, the one with devices is taken.
        process.mangle = lambda command, answer: answer
        with Fake(path, "dpdk_telemetry.v2:1") as other:
            process.devices = {}
            assert "dpdk_accel_devices 2.0" in once("--file-prefix", PREFIX, env=env).out
            process.devices = other.devices
            assert "several processes" in once("--file-prefix", PREFIX, env=env, code=ABSENT).err
