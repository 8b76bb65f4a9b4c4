#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unchanged nginx, HAProxy and OpenVPN with the configurations of examples/tls. It prints TAP.

tls.py tls MODULE PLUGIN

It runs in a network namespace of its own, because the configurations have fixed addresses."""

import contextlib
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import example
import ossl
import vpn

NGINX, HAPROXY = 8443, 8444
TROUBLE = "crypto_accel0,faults=status:7@10/30+dead@40/400+corrupt@25/150"


def digest(path):
    """The hash of a file, or None."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


@contextlib.contextmanager
def server(tests, command, env, port):
    """A server for the time of a block. Gives a function that tells what it has said."""
    log = os.path.join(tests.dir, "server-%d.log" % port)

    def said():
        with open(log, encoding="utf-8", errors="replace") as file:
            return file.read()

    with open(log, "wb") as file, \
            subprocess.Popen(command, env=env, cwd=tests.dir, stdin=subprocess.DEVNULL,
                             stdout=file, stderr=file) as process:
        process.said = said
        try:
            while process.poll() is None:
                with socket.socket() as sock:
                    if sock.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield process
        finally:
            ossl.stop(process)


def many(tests, port, nb):
    """Fetches the text several times side by side. Returns how often it was right."""
    out = os.path.join(tests.dir, "out")
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    subprocess.run(["curl", "-sSk", "--parallel", "--parallel-immediate", "-o", out + "/#1",
                    "https://127.0.0.1:%d/text?[1-%d]" % (port, nb)], check=False,
                   stderr=subprocess.DEVNULL, timeout=1200)
    expected = digest(tests.text)
    return sum(digest(os.path.join(out, str(i))) == expected for i in range(1, nb + 1))


def suites(tests, name, port):
    """Fetches the text with suites of RSA in TLS 1.2 and 1.3."""
    for args in ossl.SUITES[:3] + ossl.SUITES[6:]:
        good, text = ossl.fetch(tests, port, args, dict(os.environ))
        tests.check(good, "%s: %s" % (name, args[-1]), text)


def on_device(tests, name, wanted):
    """Checks that the device did operations of each kind."""
    done = example.counted(tests, "operations")
    tests.check(all(done.get(kind, 0) > 0 for kind in wanted),
                "%s: the device did %s" % (name, ", ".join(wanted)), str(done))


def nginx(tests):
    """nginx, whose master forks workers, with openssl.cnf alone. Reloads while it serves."""
    command = ["nginx", "-p", tests.dir, "-c", "nginx.conf"]
    with server(tests, command, example.env(tests), NGINX) as process:
        suites(tests, "nginx", NGINX)
        nb = many(tests, NGINX, 40)
        tests.check(nb == 40, "nginx: %d of 40 side by side" % nb, process.said())
        process.send_signal(signal.SIGHUP)
        nb = many(tests, NGINX, 20)
        tests.check(nb == 20, "nginx: %d of 20 while it reloads" % nb, process.said())
        process.terminate()
        tests.check(process.wait(300) == 0, "nginx ends", process.said())
    on_device(tests, "nginx", ("RSA-sign", "ECDH", "AES-128-GCM", "AES-256-GCM"))


PYTHON_CLIENT = """
import hashlib, ssl, urllib.request
context = ssl.create_default_context(cafile="cert.pem")
context.check_hostname = False
for name in ("TLSv1_2", "TLSv1_3"):
    context.minimum_version = context.maximum_version = ssl.TLSVersion[name]
    with urllib.request.urlopen("https://127.0.0.1:%d/text", context=context) as answer:
        print(hashlib.sha256(answer.read()).hexdigest())
"""


def clients(tests):
    """openssl s_client and s_time, and Python, whose ssl has OpenSSL below. Each says the same with
    the provider as without it."""
    s_client = "printf 'GET /text HTTP/1.0\\r\\n\\r\\n' | openssl s_client -quiet -ign_eof " \
        "-verify_return_error -CAfile cert.pem -connect 127.0.0.1:%d 2>/dev/null | " \
        "tail -c 300001 | sha256sum"
    s_time = "openssl s_time -connect 127.0.0.1:%d -verify 1 -CAfile cert.pem -new -time 1 " \
        "-www /text -tls1_3 2>/dev/null | grep -o '[0-9]* bytes read per connection' | uniq"
    with server(tests, ["nginx", "-p", tests.dir, "-c", "nginx.conf"], dict(os.environ), NGINX):
        for what, command, least in (
                ("openssl s_client", ["sh", "-c", s_client % NGINX], 64),
                ("openssl s_time", ["sh", "-c", s_time % NGINX], 20),
                ("Python's ssl", [ossl.PYTHON, "-c", PYTHON_CLIENT % NGINX], 130)):
            ours, default = [tests.run(command, env, cwd=tests.dir)
                             for env in (example.env(tests), os.environ)]
            text = ours.stdout.decode(errors="replace")
            tests.check(ours.stdout == default.stdout and len(text) >= least and
                        ours.returncode == default.returncode == 0 and
                        (digest(tests.text) in text or "bytes read" in text), what, text)
            on_device(tests, what, ("RSA-verify", "ECDH", "AES-256-GCM"))


def haproxy(tests, vdev, what):
    """HAProxy with jobs, and behind it nginx with the default provider."""
    env = tests.env(vdev, REPORT=tests.report, TIMEOUT="5000" if "," in vdev else "20000")
    with server(tests, ["nginx", "-p", tests.dir, "-c", "nginx.conf"], dict(os.environ), NGINX), \
            server(tests, ["haproxy", "-db", "-f", "haproxy.cfg"], env, HAPROXY) as process:
        suites(tests, what, HAPROXY)
        nb = many(tests, HAPROXY, 40)
        tests.check(nb == 40, "%s: %d of 40 side by side" % (what, nb), process.said())
        process.send_signal(signal.SIGUSR1)
        tests.check(process.wait(300) == 0, "%s ends" % what, process.said())
    if "," not in vdev:
        on_device(tests, what, ("RSA-sign", "RSA-verify", "ECDH", "AES-256-GCM"))
        return
    nb = process.said().count("rests for a second each time; the default provider does the work")
    tests.check(nb == 1, "%s: %d line says so" % (what, nb), process.said())
    failed = sum(example.counted(tests, "failed").values())
    tests.check(failed > 0, "%s: the card failed in %d operations" % (what, failed))


def openvpn(tests):
    """A file and pings through a tunnel, with packets of several sizes."""
    far = vpn.Far()
    ours = tests.env("crypto_accel0", REPORT=tests.report, TIMEOUT="20000")
    broken = tests.env(TROUBLE, REPORT=tests.report, TIMEOUT="5000")
    out = os.path.join(tests.dir, "out-of-tunnel")
    expected = digest(tests.text)
    for mtu, envs, what, more in (
            (1500, (ours, None), "the provider in the server", ()),
            (1500, (None, ours), "the provider in the client", ()),
            (6000, (ours, ours), "on both sides", ()),
            (48000, (ours, ours), "on both sides", ()),
            (6000, (ours, None), "ChaCha20-Poly1305",
             ("--data-ciphers", "CHACHA20-POLY1305")),
            (1500, (broken, None), "a card that dies", ())):
        what = "OpenVPN, tun-mtu %d, %s" % (mtu, what)
        if os.path.exists(out):
            os.unlink(out)
        with vpn.tunnel(tests, far, mtu, envs, more) as both:
            ready = both.ready()
            tests.check(ready, what, both.text())
            if not ready:
                continue
            # The side with the provider sends the file.
            sender, receiver, address = ([], far.enter, vpn.HERE) if envs[0] else \
                (far.enter, [], vpn.THERE)
            with subprocess.Popen([*sender, ossl.PYTHON, "-m", "http.server", "--bind", address,
                                   "--directory", "www", "8080"], cwd=tests.dir,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as web:
                done = tests.run([*receiver, "curl", "-sS", "--retry", "50", "--retry-connrefused",
                                  "--retry-delay", "1", "-o", out, "http://%s:8080/text" % address],
                                 dict(os.environ))
                ossl.stop(web)
            tests.check(digest(out) == expected, what + ": a file",
                        done.stdout.decode(errors="replace") + both.text())
            tests.check(both.end(), what + ": both end", both.text())
        if envs[0] is broken:
            failed = sum(example.counted(tests, "failed").values())
            tests.check(failed > 0, "%s: it failed in %d operations" % (what, failed))
        else:
            cipher = "ChaCha20-Poly1305" if more else "AES-256-GCM"
            on_device(tests, what, ("RSA-sign", "RSA-verify", "ECDH", cipher))
    far.end()


def main():
    """Runs all, or skips all where the programs or the rights for namespaces are missing."""
    example.own_network()
    tests = ossl.Tests(*sys.argv[2:])
    missing = [name for name in ("nginx", "haproxy", "openvpn", "curl") if not shutil.which(name)]
    if missing:
        tests.skip("nginx, HAProxy, OpenVPN", "not installed: " + ", ".join(missing))
        return tests.end()
    example.prepare(tests)
    nginx(tests)
    clients(tests)
    haproxy(tests, "crypto_accel0", "HAProxy")
    haproxy(tests, TROUBLE, "HAProxy on a card that dies")
    openvpn(tests)
    return tests.end()


sys.exit(main())
