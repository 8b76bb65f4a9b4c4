# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""The rules, and Debian's Prometheus that scrapes dpdk-accel-exporter, which asks a running
dpdk-test-crypto-perf on the embedded device: counters, dashboard, and the alert for a dead card."""

import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.parse

from test_exporter import SOURCE, endpoint, free_port, get, serving
from telemetry_client import TelemetryClient
from test_top import PREFIX

HERE = os.path.dirname(os.path.abspath(__file__))
# The card of the second test dies after so many operations, in its first second.
DEAD_AFTER = 20000
PATIENCE_S = 1200
# Ends of names whose value only grows, or stays.
STEADY = ("_bucket", "_count", "depth", "slots", "info", "ready", "devices")


@contextlib.contextmanager
def cperf(folder, devargs=""):
    """A dpdk-test-crypto-perf that works until it is killed; yields the path of its socket. It
    fills the queue pair, waits 50 ms and empties it, again and again, also on a dead card."""
    env = dict(os.environ, RUNTIME_DIRECTORY=folder)
    cpus = sorted(os.sched_getaffinity(0))
    command = ["dpdk-test-crypto-perf", "--lcores", "0@%d,1@%d" % (cpus[0], cpus[0]), "--no-huge",
               "-m", "512", "--no-pci", "--no-shconf", "--file-prefix", PREFIX, "--log-level=error",
               "-d", os.environ["ACCEL_PLUGIN"], "--vdev", "crypto_accel0,timeout_ms=500" + devargs,
               "--", "--ptest", "pmd-cyclecount", "--pmd-cyclecount-delay-ms", "50",
               "--devtype", "crypto_accel", "--optype", "aead", "--aead-algo", "aes-gcm",
               "--aead-op", "encrypt", "--aead-key-sz", "16", "--aead-iv-sz", "12",
               "--aead-aad-sz", "16", "--digest-sz", "16", "--silent", "--total-ops", "4000000",
               "--burst-sz", "32", "--buffer-sz", "1024"]
    with open(os.path.join(folder, "cperf.log"), "w", encoding="utf-8") as log, \
            subprocess.Popen(command, stdout=log, stderr=log, env=env) as child:
        try:
            path = os.path.join(folder, "dpdk", PREFIX, "dpdk_telemetry.v2")
            deadline = time.monotonic() + PATIENCE_S
            while not enqueued(path):
                with open(log.name, encoding="utf-8") as file:
                    assert child.poll() is None and time.monotonic() < deadline, file.read()
                time.sleep(0.1)
            yield path
        finally:
            child.send_signal(signal.SIGKILL)


def enqueued(path):
    """Operations of the first queue pair so far, 0 if the process does not answer yet."""
    try:
        with TelemetryClient(path) as sock:
            return sock.cmd("/cryptodev/accel/qp", "0,0").get("enqueued", 0)
    except OSError:
        return 0


@contextlib.contextmanager
def prometheus(folder, target):
    """Debian's Prometheus with the configuration and the rules that are installed, which scrapes
    every two seconds; yields the URL of its API."""
    with open(os.path.join(SOURCE, "prometheus.yml"), encoding="utf-8") as file:
        config = file.read()
    for old, new in (("5s", "2s"), ("crypto_accel.rules.yml", os.path.join(
            SOURCE, "crypto_accel.rules.yml")), ("127.0.0.1:9876", target)):
        assert old in config, old
        config = config.replace(old, new)
    path = os.path.join(folder, "prometheus.yml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(config)
    address = "127.0.0.1:%d" % free_port()
    with open(os.path.join(folder, "prometheus.log"), "w", encoding="utf-8") as log, \
            subprocess.Popen(["prometheus", "--config.file", path, "--log.level=warn",
                              "--storage.tsdb.path", os.path.join(folder, "data"),
                              "--web.listen-address", address], stdout=log, stderr=log) as child:
        try:
            wait_for("Prometheus", lambda: get("http://%s/-/ready" % address, 30)[0] == 200)
            yield "http://%s/api/v1/" % address
        finally:
            child.kill()


def query(api, expression):
    """Returns the samples of an expression now, as (labels, value)."""
    code, text = get(api + "query?" + urllib.parse.urlencode({"query": expression}))
    assert code == 200, "%s: %s" % (expression, text)
    return [(sample["metric"], float(sample["value"][1]))
            for sample in json.loads(text)["data"]["result"]]


def alerts(api):
    """Returns (name, device) of the alerts that fire."""
    return {(alert["labels"]["alertname"], alert["labels"].get("device"))
            for alert in json.loads(get(api + "alerts")[1])["data"]["alerts"]
            if alert["state"] == "firing"}


def wait_for(what, condition, seconds=40):
    """Waits until a condition holds, and returns what it returned."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError("%s: not within %d s" % (what, seconds))


@contextlib.contextmanager
def everything(devargs=""):
    """Process, exporter and Prometheus; yields the process' socket and the API."""
    with tempfile.TemporaryDirectory() as folder, cperf(folder, devargs) as path, \
            serving("--socket", path) as url:
        get(url)
        with prometheus(folder, urllib.parse.urlparse(url).netloc) as api:
            yield path, api


def test_rules(_tool):
    """promtool accepts rules and configuration, and each alert fires when it shall."""
    for command in (["check", "config", os.path.join(SOURCE, "prometheus.yml")],
                    ["check", "rules", os.path.join(SOURCE, "crypto_accel.rules.yml")],
                    ["test", "rules", os.path.join(HERE, "crypto_accel.rules.test.yml")]):
        run = subprocess.run(["promtool", *command], capture_output=True, text=True, timeout=1200,
                             check=False)
        assert run.returncode == 0, run.stdout + run.stderr
    with open(os.path.join(SOURCE, "crypto_accel.rules.yml"), encoding="utf-8") as file:
        names = set(re.findall(r"alert: (\w+)", file.read()))
    with open(os.path.join(HERE, "crypto_accel.rules.test.yml"), encoding="utf-8") as file:
        firing = set(re.findall(r"alertname: (\w+)\n +exp_alerts", file.read()))
    assert names == firing, "not tested: %s" % (names - firing)


def key_of(name, labels):
    """Returns what tells a sample from others. Prometheus drops labels that are empty."""
    return name, str(sorted((key, value) for key, value in labels.items()
                            if value and key not in ("job", "instance")))


def check_counters(path, api):
    """Each value that Prometheus has lies between what the telemetry said before and after.
    Returns the number of values."""
    accel, now = endpoint(), time.time()
    with TelemetryClient(path) as sock:
        before = {key_of(name, labels): value for name, value, labels in accel.metrics(sock)}
        wait_for("a scrape", lambda: query(api, "timestamp(dpdk_accel_devices)")[0][1] > now + 0.1)
        got = query(api, '{__name__=~"dpdk_accel_.*"}')
        after = {key_of(name, labels): value for name, value, labels in accel.metrics(sock)}
    checked = 0
    for labels, value in got:
        name = labels.pop("__name__")[len("dpdk_accel_"):]
        key = key_of(name, labels)
        if accel.info()[name][1] == "counter" or name.endswith(STEADY):
            assert before.get(key, 0) <= value <= after[key], (key, before.get(key), value,
                                                               after[key])
            checked += 1
    assert len(got) >= len(before) > 50 and checked > 50, (len(got), len(before), checked)
    return checked


def check_dashboard(api):
    """Each expression of the dashboard is one that Prometheus can compute, and has a value."""
    with open(os.path.join(SOURCE, "grafana.json"), encoding="utf-8") as file:
        panels = json.load(file)["panels"]
    empty = []
    for panel in panels:
        for target in panel.get("targets", []):
            expression = target["expr"].replace("$__rate_interval", "10s")
            expression = re.sub(r"\$(instance|device)", ".*", expression)
            assert "$" not in expression, expression
            if not query(api, expression):
                empty.append(panel["title"])
    # The embedded card causes no errors here, and has no sensors.
    assert set(empty) <= {"Errors by name", "Temperature and power"}, empty


def test_scrape(tool):
    """Counters in Prometheus are those of the telemetry, top sees the same process, no alert
    fires."""
    with everything() as (path, api):
        with TelemetryClient(path) as sock:
            on = sock.cmd("/cryptodev/accel/latency", "0,0,on")
            assert on["on"] == 1, on
        wait_for("scrapes", lambda: query(api, "count_over_time(dpdk_accel_devices[1m]) > 2"))
        checked = check_counters(path, api)
        check_dashboard(api)
        with TelemetryClient(path) as sock:
            before = sock.cmd("/cryptodev/accel/qp", "0,0")["dequeued"]
            sample = tool.plain("top", "--socket", path, "--json", "--count", "1").json()
            after = sock.cmd("/cryptodev/accel/qp", "0,0")["dequeued"]
        top = sample["devices"][0]["queue_pairs"][0]
        assert before <= top["dequeued"] <= after, (before, top, after)
        assert top["rates"]["dequeued"] > 0, top
        text = tool.plain("top", "--socket", path, "--count", "1", "--interval", "0.2").out
        assert "crypto_accel0: embedded, ready" in text, text
        assert alerts(api) == set(), alerts(api)
    return "%d values, %.0f operations per second" % (checked, top["rates"]["dequeued"])


def test_dead_card(_tool):
    """A card that dies while it works, and that nobody revives: the alert fires."""
    with everything(",recover=off,faults=dead@%d" % DEAD_AFTER) as (path, api):
        found = wait_for("the alert", lambda: ("AccelCardDead", "crypto_accel0") in alerts(api))
        assert found
        assert query(api, "dpdk_accel_device_ready")[0][1] == 0
        assert query(api, "max(dpdk_accel_queue_pair_failures_total)")[0][1] > 0
        with TelemetryClient(path) as sock:
            reason = sock.cmd("/cryptodev/accel/qp", "0,0")["last_failure"]["reason"]
    return "the queue pair failed by " + reason
