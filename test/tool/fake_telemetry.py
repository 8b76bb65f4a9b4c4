# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""A process that has devices of crypto_accel, as far as its telemetry socket tells: the protocol of
DPDK's telemetry and the answers of doc/guides/accel-telemetry.rst. Counters grow at the rates that
a test wants to see, by the clock. It also misbehaves in the ways that a client has to survive."""

import json
import os
import socket
import threading
import time

GREETING = {"version": "DPDK 22.11.11", "max_output_len": 16384}
# What a queue pair counts in a second.
RATES = {"enqueued": 500000, "dequeued": 500000, "enqueue_errors": 0, "dequeue_errors": 250,
         "doorbells": 15625, "polls": 100000, "empty_polls": 75000, "waits": 1000}


class Fake:
    """The state of the process, and its server. A test changes the fields at any time."""

    def __init__(self, folder, name="dpdk_telemetry.v2", kind=socket.SOCK_SEQPACKET):
        self.path = os.path.join(folder, name)
        self.devices = {0: self.device(0), 3: self.device(3, transport="vf")}
        self.queue_pairs = {0: 2, 3: 1}  # that are set up
        self.state = {}  # (device, queue pair) to fields that differ from the usual ones
        self.latency = {}  # (device, queue pair) to an answer
        self.vfs = {}  # device to {number of a VF: answer}
        self.errors = {"status": {"auth_failed": 7}, "refusals": {"too_short": 2},
                       "descriptors": {}, "no_response": 0}
        self.greeting = dict(GREETING, pid=os.getpid())
        self.mangle = lambda command, answer: answer  # changes the bytes of an answer
        self.silent = False
        self.asked = []
        self.began = time.monotonic()
        self.clients = []
        self.server = socket.socket(socket.AF_UNIX, kind)
        self.server.bind(self.path)
        self.server.listen(8)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    @staticmethod
    def device(number, **fields):
        """The answer "device" of a healthy card."""
        health = {"fault_count": 0, "temperature": 415, "power": 12500, "time_ns": 1, "ops": 1000,
                  "mem_corrected": 0, "mem_uncorrected": 0, "writebacks": 100,
                  "context_hits": 90, "context_misses": 10, "engine_busy_ns": 5,
                  "latency_ns_sum": 4000, "latency_ops": 1}
        return dict({"dev_id": number, "name": "crypto_accel%d" % number, "transport": "embedded",
                     "state": "ready", "contract": "1.2", "firmware": "1.0.3",
                     "serial": "00000000000000ff", "heartbeat": 5, "heartbeat_age_us": 40000,
                     "numa": -1, "started": 1, "queue_pairs": 4, "queue_pairs_set_up": 2,
                     "failures": 0, "function_resets": 0, "health": health}, **fields)

    @staticmethod
    def virtual(number, share=(), **fields):
        """The answer "vf" of a VF that works."""
        share = {"queue_pairs": 4, "weight": 1, "ops_per_second": 0, "bytes_per_second": 0,
                 "is_set": 1, "in_effect": 1, **dict(share)}
        return dict({"dev_id": 0, "vf": number, "state": "ready", "fatal_code": 0,
                     "queue_pairs": 4, "share": share}, **fields)

    def close(self):
        """Ends as a process that is killed: the connections go, the path stays."""
        if self.server.fileno() < 0:
            return
        # The thread shall not wait with a number that another file has next.
        self.server.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.server.close()
        for client in self.clients:
            try:
                client.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()
        if os.path.exists(self.path):
            os.unlink(self.path)

    def serve(self):
        """Takes clients until close()."""
        while True:
            try:
                client = self.server.accept()[0]
            except OSError:
                return
            self.clients.append(client)
            threading.Thread(target=self.talk, args=(client,), daemon=True).start()

    def talk(self, client):
        """Answers one client."""
        try:
            if self.greeting is not None:
                client.send(self.greeting if isinstance(self.greeting, bytes) else
                            json.dumps(self.greeting).encode())
            while True:
                request = client.recv(1024).decode()
                if not request:
                    return
                self.asked.append(request)
                if self.silent:
                    continue
                command, _, parameters = request.partition(",")
                answer = json.dumps({command: self.answer(command, parameters)}).encode()
                client.send(self.mangle(command, answer))
        except OSError:
            pass

    def answer(self, command, parameters):
        """The value of one answer."""
        numbers = [int(word) for word in parameters.split(",") if word.isdigit()]
        if command == "/cryptodev/accel/list":
            return list(self.devices)
        if not command.startswith("/cryptodev/accel/"):
            return None
        if not numbers or numbers[0] not in self.devices:
            return {"error": "no device of this driver"}
        what = command.rpartition("/")[2]
        if what == "device":
            return self.devices[numbers[0]]
        if what == "errors":
            return self.errors
        if what == "sessions":
            return {"alive": 3, "created": 10, "invalidations": 7, "algorithms": {"aes_gcm": 3}}
        vfs = self.vfs.get(numbers[0], {})
        if what == "vfs":
            return {"dev_id": numbers[0], "vfs_max": 256, "vfs_enabled": len(vfs),
                    "vfs": list(vfs)}
        if what == "vf":
            return vfs.get(numbers[1]) or {"error": "device %d has no VF %d" % tuple(numbers)}
        if numbers[1] >= self.queue_pairs[numbers[0]]:
            return {"error": "the queue pair is not set up"}
        if what == "latency":
            return self.latency.get(tuple(numbers), {"on": 0, "unit": "ns", "count": 0,
                                                     "bounds": [], "counts": []})
        return self.queue_pair(*numbers[:2])

    def queue_pair(self, device, number):
        """The answer "qp". The second queue pair does twice the work, and so on."""
        seconds = time.monotonic() - self.began
        counters = {key: int(rate * (number + 1) * seconds) for key, rate in RATES.items()}
        fields = {"dev_id": device, "qp": number, "mode": "running", "depth": 512,
                  "in_flight": 128, "in_flight_max": 256, "tx_size": 2048, "tx_used": 1024,
                  "rx_size": 1024, "rx_used": 256, "failures": 0, "resets": 0,
                  "enqueue_bursts": {"32_63": counters["doorbells"]},
                  "dequeue_bursts": {"16_31": counters["polls"] - counters["empty_polls"]}}
        return {**fields, **counters, **self.state.get((device, number), {})}
