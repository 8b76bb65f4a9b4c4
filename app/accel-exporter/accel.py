# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Endpoint for DPDK's telemetry exporter, usertools/dpdk-telemetry-exporter.py of DPDK 24.07 and
newer: the metrics of crypto_accel devices. dpdk-accel-exporter loads the same file, so that names
and help stand here alone. The exporters put "dpdk_accel_" in front of each name. The guide
"Telemetry" has the fields that the values come from."""

import re

# (name, type, help, field of the answer, factor to the metric's unit)
DEVICE = [
    ("device_heartbeat_age_seconds", "gauge",
     "Time since the card's heartbeat has changed; a working card changes it every 0.1 seconds.",
     "heartbeat_age_us", 1e-6),
    ("device_queue_pairs", "gauge", "Queue pairs that the application has set up.",
     "queue_pairs_set_up", 1),
    ("device_started", "gauge", "1 if the application has started the device.", "started", 1),
    ("device_queue_pair_failures_total", "counter", "Failures of queue pairs.", "failures", 1),
    ("device_function_resets_total", "counter",
     "Resets of the whole function because of failures.", "function_resets", 1),
]
HEALTH = [
    ("device_temperature_celsius", "gauge", "Temperature of the card.", "temperature", 0.1),
    ("device_power_watts", "gauge", "Power that the card takes.", "power", 1e-3),
    ("device_faults_total", "counter", "Accesses to memory that failed.", "fault_count", 1),
    ("device_memory_errors_corrected_total", "counter",
     "Errors of the card's memory that it has corrected.", "mem_corrected", 1),
    ("device_memory_errors_uncorrected_total", "counter",
     "Errors of the card's memory that it could not correct.", "mem_uncorrected", 1),
    ("device_responses_total", "counter", "Responses of the card.", "ops", 1),
    ("device_writebacks_total", "counter", "Writes of pointers to host memory.", "writebacks", 1),
    ("device_engine_busy_seconds_total", "counter", "Time that engines worked, all together.",
     "engine_busy_ns", 1e-9),
    ("device_latency_seconds_total", "counter",
     "Time from doorbell to response, sum of the measured operations.", "latency_ns_sum", 1e-9),
    ("device_latency_operations_total", "counter",
     "Operations whose time from doorbell to response was measured.", "latency_ops", 1),
    ("device_context_hits_total", "counter",
     "Requests whose session was in the card's cache.", "context_hits", 1),
    ("device_context_misses_total", "counter",
     "Requests whose session was read from memory.", "context_misses", 1),
]
SESSIONS = [
    ("sessions", "gauge", "Sessions that exist.", "alive", 1),
    ("sessions_created_total", "counter", "Sessions that were created.", "created", 1),
    ("session_invalidations_total", "counter",
     "Requests to the card to drop its copy of a session.", "invalidations", 1),
]
QUEUE_PAIR = [
    ("queue_pair_depth", "gauge", "Operations that the queue pair takes.", "depth", 1),
    ("queue_pair_in_flight", "gauge", "Operations accepted and not given back.", "in_flight", 1),
    ("queue_pair_in_flight_max", "gauge", "The most operations in flight so far.",
     "in_flight_max", 1),
    ("queue_pair_tx_slots", "gauge", "Slots of the TX ring.", "tx_size", 1),
    ("queue_pair_tx_slots_used", "gauge", "Slots of the TX ring in use.", "tx_used", 1),
    ("queue_pair_rx_slots", "gauge", "Slots of the RX ring.", "rx_size", 1),
    ("queue_pair_rx_slots_used", "gauge", "Slots of the RX ring in use.", "rx_used", 1),
    ("queue_pair_enqueued_total", "counter", "Operations that were accepted.", "enqueued", 1),
    ("queue_pair_dequeued_total", "counter", "Operations that were given back.", "dequeued", 1),
    ("queue_pair_refused_total", "counter",
     "Accepted operations that the driver refused, so that the card got nothing of them.",
     "enqueue_errors", 1),
    ("queue_pair_errors_total", "counter",
     "Operations that came back with an error of the card, or without a response.",
     "dequeue_errors", 1),
    ("queue_pair_doorbells_total", "counter", "Writes of the doorbell.", "doorbells", 1),
    ("queue_pair_polls_total", "counter", "Calls of dequeue.", "polls", 1),
    ("queue_pair_empty_polls_total", "counter", "Calls of dequeue that gave nothing back.",
     "empty_polls", 1),
    ("queue_pair_full_total", "counter",
     "Calls of enqueue that found the queue pair full.", "waits", 1),
    ("queue_pair_failures_total", "counter", "Failures of the queue pair.", "failures", 1),
    ("queue_pair_resets_total", "counter", "How often the queue pair was started again.",
     "resets", 1),
]
# Metrics that no table above makes: name to (help, type).
OTHERS = {
    "devices": ("Devices of crypto_accel in the process.", "gauge"),
    "device_info": ("1; the labels say what the device is.", "gauge"),
    "device_state": ("1 for the state that the device has, 0 for the others.", "gauge"),
    "device_ready": ("1 if the card is ready and its heartbeat goes on.", "gauge"),
    "sessions_by_algorithm": ("Sessions that exist, by algorithm.", "gauge"),
    "errors_total": ("Errors by kind (status of the card, refusal of the driver, descriptor error, "
                     "no_response) and name.", "counter"),
    "queue_pair_other_total": ("Counters of the queue pair without a metric of their own, by the "
                               "telemetry's name.", "counter"),
    "queue_pair_mode": ("1 for the mode that the queue pair has, 0 for the others.", "gauge"),
}
# Histograms: name to help. A sample has the suffix _bucket or _count. There is no sum.
HISTOGRAMS = {
    "queue_pair_latency_seconds": "Time from enqueue to dequeue, while its measurement is on.",
}

STATES = ["ready", "booting", "resetting", "fatal", "isolated", "gone", "unknown"]
MODES = ["running", "stopped", "failed", "backlog"]
KINDS = {"status": "status", "refusals": "refusal", "descriptors": "descriptor"}
# A heart that beats more seldom than this is dead.
HEARTBEAT_MAX_US = 1_000_000
# The upper bounds of the histogram, in nanoseconds. The driver has eight places between two of
# these.
BOUNDS_NS = [1 << n for n in range(10, 31)]


def info():
    """Returns name to (help, type) of all metrics."""
    out = dict(OTHERS)
    for table in (DEVICE, HEALTH, SESSIONS, QUEUE_PAIR):
        out.update({name: (text, kind) for name, kind, text, _, _ in table})
    for name, text in HISTOGRAMS.items():
        out[name + "_bucket"] = out[name + "_count"] = (text, "untyped")
    return out


def metrics(sock):
    """Returns (name, value, labels) of all devices of the process behind sock, each name in one
    run. sock.cmd asks it, as DPDK's exporter has it."""
    out = []
    devices = sock.cmd("/cryptodev/accel/list") or []
    out.append(("devices", len(devices), {}))
    for dev in devices:
        device = ask(sock, "device", dev)
        if device is None:
            continue  # it was removed a moment ago
        out += of_device(device)
        labels = {"device": clean(device["name"])}
        out += of_errors(ask(sock, "errors", dev) or {}, labels)
        sessions = ask(sock, "sessions", dev) or {}
        out += of_table(SESSIONS, sessions, labels)
        for algorithm, count in sessions.get("algorithms", {}).items():
            out.append(("sessions_by_algorithm", count, dict(labels, algorithm=clean(algorithm))))
        for number in range(device.get("queue_pairs", 0)):
            out += of_queue_pair(sock, "%d,%d" % (dev, number),
                                 dict(labels, queue_pair=str(number)))
    order = {name: place for place, name in enumerate(info())}
    return sorted(out, key=lambda sample: order[sample[0]])


def ask(sock, what, parameters):
    """Returns the object that the driver answers, or None if it has none."""
    answer = sock.cmd("/cryptodev/accel/" + what, parameters)
    return None if answer is None or "error" in answer else answer


def clean(text):
    """Returns a text as the value of a label. Quotes and backslashes go, since not every version
    of DPDK's exporter escapes them well."""
    return re.sub(r'[^ -~]|["\\]', "_", str(text))


def of_table(table, answer, labels):
    """Returns the samples of a table; a field that is left out gives none."""
    return [(name, answer[field] if factor == 1 else answer[field] * factor, labels)
            for name, _, _, field, factor in table if field in answer]


def one_of(name, value, values, label, labels):
    """Returns a sample for each possible value: 1 for the one that it is."""
    if value not in values:
        value = "unknown"
    return [(name, int(value == each), dict(labels, **{label: each})) for each in values]


def of_device(device):
    """Returns the samples of the answer "device"."""
    labels = {"device": clean(device["name"])}
    about = {key: clean(device.get(key, "")) for key in ("transport", "pci", "firmware", "contract",
                                                         "serial")}
    ready = (device.get("state") == "ready" and
             device.get("heartbeat_age_us", 0) < HEARTBEAT_MAX_US)
    return ([("device_info", 1, dict(labels, **about)), ("device_ready", int(ready), labels)] +
            one_of("device_state", device.get("state"), STATES, "state", labels) +
            of_table(DEVICE, device, labels) + of_table(HEALTH, device.get("health", {}), labels))


def of_errors(errors, labels):
    """Returns the samples of the answer "errors"."""
    out = [("errors_total", count, dict(labels, kind=KINDS[part], error=clean(name)))
           for part in KINDS for name, count in errors.get(part, {}).items()]
    if "no_response" in errors:
        out.append(("errors_total", errors["no_response"],
                    dict(labels, kind="no_response", error="no_response")))
    return out


def of_queue_pair(sock, parameters, labels):
    """Returns the samples of a queue pair, none if it is not set up."""
    qp = ask(sock, "qp", parameters)
    if qp is None:
        return []
    known = {"dev_id", "qp"} | {field for _, _, _, field, _ in QUEUE_PAIR}
    others = [("queue_pair_other_total", value, dict(labels, counter=clean(field)))
              for field, value in qp.items() if isinstance(value, int) and field not in known]
    return (of_table(QUEUE_PAIR, qp, labels) + others +
            one_of("queue_pair_mode", qp.get("mode"), MODES, "mode", labels) +
            of_latency(ask(sock, "latency", parameters) or {}, labels))


def of_latency(latency, labels):
    """Returns the histogram of a queue pair that measures its latency, or has."""
    if not latency.get("on") and not latency.get("count"):
        return []
    name = "queue_pair_latency_seconds"
    # While operations are counted the sum of the places may be ahead of the count.
    total = sum(latency["counts"])
    below, place, out = 0, 0, []
    for bound in BOUNDS_NS:
        while place < len(latency["counts"]) and latency["bounds"][place] <= bound:
            below += latency["counts"][place]
            place += 1
        out.append((name + "_bucket", below, dict(labels, le=repr(bound / 1e9))))
    out.append((name + "_bucket", total, dict(labels, le="+Inf")))
    out.append((name + "_count", total, labels))
    return out
