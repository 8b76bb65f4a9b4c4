# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""A client of DPDK's telemetry for tests, in the form that DPDK's own exporter gives to endpoints.

The installed dpdk-accel-exporter has one of its own, which distrusts the other end and says what is
wrong. It is a single file, so it does not import this one."""

import json
import socket


class TelemetryClient:
    """A connection to a telemetry socket."""

    def __init__(self, path, timeout=1200):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.sock.settimeout(timeout)
        try:
            self.sock.connect(path)
            self.limit = json.loads(self.sock.recv(1024))["max_output_len"]
        except BaseException:
            self.sock.close()
            raise

    def cmd(self, uri, arg=None):
        """Asks a command."""
        self.sock.send((uri if arg is None else "%s,%s" % (uri, arg)).encode())
        return json.loads(self.sock.recv(self.limit))[uri]

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.sock.close()
