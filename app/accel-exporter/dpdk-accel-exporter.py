#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Serves the metrics of crypto_accel devices to Prometheus, for DPDK before 24.07, whose packages
have no dpdk-telemetry-exporter.py. Names, help and values come from the endpoint accel.py, which
that program loads as well. Needs Debian's python3-prometheus-client."""

import argparse
import glob
import http.server
import importlib.util
import json
import logging
import os
import socket
import socketserver
import sys

try:
    import prometheus_client
    from prometheus_client.core import Metric
except ImportError:
    prometheus_client = None

LOG = logging.getLogger("dpdk-accel-exporter")
VERSION = "@VERSION@"  # meson replaces it
PREFIX = "dpdk_accel_"
LISTEN = "127.0.0.1:9876"
TIMEOUT_S = 5
# DPDK's own introduction has less than 100 bytes, and its answers at most 16 KiB.
GREETING_MAX = 1024
ANSWER_MAX = 16 << 20
# Exit codes, as those of dpdk-accel-tool.
USAGE, ABSENT, BROKEN = 2, 3, 4
HERE = os.path.dirname(os.path.realpath(__file__))
ENDPOINTS = [HERE, os.path.join(HERE, "..", "share", "dpdk", "telemetry-endpoints"),
             "/usr/local/share/dpdk/telemetry-endpoints", "/usr/share/dpdk/telemetry-endpoints"]


class Absent(Exception):
    """There is no process to ask."""


class Broken(Exception):
    """What the other end says cannot be used."""


def load_endpoint():
    """Returns the module accel.py, from the first folder that has it."""
    for folder in ENDPOINTS:
        path = os.path.join(folder, "accel.py")
        if os.path.isfile(path):
            sys.dont_write_bytecode = True
            spec = importlib.util.spec_from_file_location("accel", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    sys.exit("dpdk-accel-exporter: there is no accel.py in " + ", ".join(ENDPOINTS))


class TelemetrySocket:
    """A connection to a telemetry socket of DPDK, with the method that endpoints use."""

    def __init__(self, path):
        self.path = path
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.sock.settimeout(TIMEOUT_S)
        try:
            self.sock.connect(path)
            self.limit = GREETING_MAX
            greeting = self.receive()
            self.pid = int(greeting["pid"])
            self.limit = int(greeting["max_output_len"])
            if not 0 < self.limit <= ANSWER_MAX:
                raise ValueError
        except OSError as error:
            self.sock.close()
            raise Absent("cannot connect to %s: %s" % (path, error.strerror or error)) from error
        except (Broken, KeyError, TypeError, ValueError) as error:
            self.sock.close()
            raise Broken("%s is not a socket of DPDK's telemetry" % path) from error

    def receive(self):
        """Returns one packet as JSON."""
        data, _, flags, _ = self.sock.recvmsg(self.limit)
        if not data:
            raise Absent("the process at %s has ended" % self.path)
        if flags & socket.MSG_TRUNC:
            raise Broken("%s sent more than it may send" % self.path)
        try:
            return json.loads(data.decode())
        except (ValueError, RecursionError) as error:
            raise Broken("an answer of %s is not JSON, or is cut off" % self.path) from error

    def cmd(self, uri, arg=None):
        """Asks a command and returns its answer."""
        try:
            self.sock.send(("%s,%s" % (uri, arg) if arg is not None else uri).encode())
            answer = self.receive()
        except OSError as error:
            raise Absent("the process at %s does not answer: %s" % (self.path, error)) from error
        if not isinstance(answer, dict) or uri not in answer:
            raise Broken("%s did not answer %s but something else" % (self.path, uri))
        return answer[uri]

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.sock.close()


def runtime_dir(file_prefix):
    """Returns the folder of run-time files of DPDK's EAL (eal_create_runtime_dir())."""
    base = os.environ.get("RUNTIME_DIRECTORY")
    if base is None:
        base = "/var/run" if os.getuid() == 0 else os.environ.get("XDG_RUNTIME_DIR", "/tmp")
    return os.path.join(base, "dpdk", file_prefix)


def find_socket(args):
    """Returns the path of the one process that has devices of crypto_accel."""
    if args.socket is not None:
        return args.socket
    folder, found, last = runtime_dir(args.file_prefix), [], None
    paths = sorted(glob.glob(os.path.join(glob.escape(folder), "dpdk_telemetry.v2*")))
    for path in paths:
        try:
            with TelemetrySocket(path) as sock:
                if sock.cmd("/cryptodev/accel/list"):
                    found.append(path)
        except (Absent, Broken) as error:
            last = error
    if len(found) == 1:
        return found[0]
    if found:
        raise Absent("several processes have devices of crypto_accel, choose one by --socket: " +
                     ", ".join(found))
    if not paths:
        raise Absent("there is no telemetry socket in " + folder)
    raise last or Absent("no process in %s has a device of crypto_accel" % folder)


class Collector:
    """Asks a process, in the form that prometheus_client has."""

    def __init__(self, endpoint, args):
        self.endpoint = endpoint
        self.args = args

    def collect(self):
        """Returns the families of metrics of one moment."""
        families, info = {}, self.endpoint.info()
        with TelemetrySocket(find_socket(self.args)) as sock:
            try:
                for name, value, labels in self.endpoint.metrics(sock):
                    family = self.family(name, *info[name])
                    family = families.setdefault(family.name, family)
                    family.add_sample(PREFIX + name, labels, float(value))
            except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
                raise Broken("an answer of %s has another shape: %r" %
                             (sock.path, error)) from error
        return families.values()

    def family(self, name, text, kind):
        """Returns an empty family for a sample."""
        for histogram, what in self.endpoint.HISTOGRAMS.items():
            if name in (histogram + "_bucket", histogram + "_count"):
                return Metric(PREFIX + histogram, what, "histogram")
        if kind == "counter":
            name = name[:-len("_total")]
        return Metric(PREFIX + name, text, kind)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """An HTTP server whose handlers find the metrics."""
    daemon_threads = True
    last_error = None

    def say(self, error):
        """Logs an error, or None, when it is another one than before."""
        if str(error) != str(self.last_error):
            if error is not None:
                LOG.warning("%s", error)
            else:
                LOG.info("the process answers")
        self.last_error = error


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers Prometheus."""
    protocol_version = "HTTP/1.1"
    timeout = 30

    def answer(self, code, kind, body):
        """Sends one answer."""
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):  # pylint: disable=invalid-name
        """Answers /metrics. Without a process it is 503, so that Prometheus has up == 0."""
        if self.path.split("?")[0] not in ("/", "/metrics"):
            self.answer(404, "text/plain", b"the metrics are at /metrics\n")
            return
        try:
            body = prometheus_client.generate_latest(self.server.registry)
        except (Absent, Broken) as error:
            self.server.say(error)
            self.answer(503, "text/plain; charset=utf-8", (str(error) + "\n").encode())
            return
        self.server.say(None)
        self.answer(200, prometheus_client.CONTENT_TYPE_LATEST, body)

    def log_message(self, *args):  # pylint: disable=arguments-differ
        """Requests are not logged."""


def serve(address, registry):
    """Serves until a signal comes."""
    host, _, port = address.rpartition(":")
    try:
        server = Server((host.strip("[]"), int(port)), Handler)
    except (OSError, ValueError, OverflowError) as error:
        print("dpdk-accel-exporter: cannot listen on %s: %s" % (address, error), file=sys.stderr)
        return BROKEN
    server.registry = registry
    LOG.info("listening on %s:%d", *server.server_address[:2])
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    return 0


def once(registry):
    """Prints the metrics."""
    try:
        sys.stdout.write(prometheus_client.generate_latest(registry).decode())
    except (Absent, Broken) as error:
        print("dpdk-accel-exporter: %s" % error, file=sys.stderr)
        return ABSENT if isinstance(error, Absent) else BROKEN
    return 0


def main():
    """Reads the command line. Exit codes: 0 good, 2 usage, 3 no process, 4 wrong answers, a port in
    use or no prometheus_client."""
    parser = argparse.ArgumentParser(prog="dpdk-accel-exporter", description=__doc__, epilog="""
        Examples: dpdk-accel-exporter --file-prefix gateway;
        dpdk-accel-exporter --once >/var/lib/prometheus/node-exporter/crypto_accel.prom""")
    parser.add_argument("--listen", metavar="ADDRESS:PORT", default=LISTEN,
                        help="where Prometheus asks (default %(default)s)")
    parser.add_argument("--file-prefix", metavar="PREFIX",
                        help="--file-prefix of the process (default rte)")
    parser.add_argument("--socket", metavar="PATH", help="telemetry socket of the process")
    parser.add_argument("--once", action="store_true", help="print the metrics and end")
    parser.add_argument("--version", action="version", version="%(prog)s " + VERSION)
    args = parser.parse_args()
    if args.socket is not None and args.file_prefix is not None:
        parser.error("--socket and --file-prefix exclude each other")
    args.file_prefix = args.file_prefix or "rte"
    if ":" not in args.listen:
        parser.error("--listen takes ADDRESS:PORT")
    if prometheus_client is None:
        print("dpdk-accel-exporter: there is no module prometheus_client; install Debian's "
              "python3-prometheus-client", file=sys.stderr)
        return BROKEN
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    registry = prometheus_client.CollectorRegistry(auto_describe=False)
    registry.register(Collector(load_endpoint(), args))
    return once(registry) if args.once else serve(args.listen, registry)


if __name__ == "__main__":
    sys.exit(main())
