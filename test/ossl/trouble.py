#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What an operator can do wrong, and a card that fails. Each time an unchanged program has the
default provider's result, and one line on stderr says what happened. It prints TAP.

trouble.py trouble MODULE PLUGIN

ACCEL_CLIENT is a plugin with a transport to functions of ACCEL_DEVICE, which is accel-device."""

import os
import re
import subprocess
import sys
import time

import example
import ossl

# Holds several keys at a time, each with a text on its way.
KEYS = """
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
ciphers = [Cipher(algorithms.AES(bytes([i]) * 16), modes.CTR(bytes(16))) for i in range(40)]
ends = [cipher.encryptor() for cipher in ciphers]
print("".join(end.update(bytes(4096)).hex() for _ in range(3) for end in ends))
"""
ENC = ["openssl", "enc", "-aes-256-ctr", "-K", "01" * 32, "-iv", "02" * 16, "-in", "text"]
NAMED = ["-provider", "cryptodev", "default"]
CONF = """openssl_conf = init
[init]
providers = list
[list]
cryptodev = ours
standard = theirs
[ours]
activate = 1
%s
[theirs]
identity = default
activate = 1
"""


def same(tests, command, env, line, what):
    """Runs a program with and without the provider. Expects one line, with this text."""
    ours, default = [subprocess.run(words, env=e, cwd=tests.dir, stdin=subprocess.DEVNULL,
                                    capture_output=True, timeout=1200, check=False)
                     for words, e in ((command, env),
                                      ([w for w in command if w not in NAMED], os.environ))]
    text = ours.stderr.decode(errors="replace")
    lines = re.findall(r"^ossl_cryptodev\[\d+\]: (.*)$", text, re.M)
    good = ours.returncode == default.returncode == 0 and ours.stdout == default.stdout
    tests.check(good and len(ours.stdout) > 4096 and len(lines) == 1 and line in lines[0] and
                re.search("^setting |the default provider does the work$", lines[0]),
                "%s: %s" % (what, "; ".join(lines)), text)


def start(tests):
    """No device, one of another type, settings that are wrong."""
    enc = [*ENC, *NAMED[:2], NAMED[0], NAMED[2]]
    for vdev, device, line, what in (
            ("net_null0", "", "no crypto device ''", "no device"),
            ("net_null0", "net_null0", "no crypto device 'net_null0'", "a network device"),
            ("crypto_null0", "crypto_null0", "has neither ciphers nor public keys",
             "a crypto device without ciphers"),
            ("crypto_accel0", "crypto_accel1", "no crypto device 'crypto_accel1'",
             "the name of another device"),
            ("crypto_accel0,colour=red", "crypto_accel0", "no crypto device 'crypto_accel0'",
             "a wrong argument of the device")):
        same(tests, enc, tests.env(vdev, DEVICE=device), line, what)
    for setting, line in (("jobs = many", "setting jobs"), ("queues = 0", "setting queues"),
                          ("min-size = -1", "setting min-size"),
                          ("eal = --nonsense", "the EAL does not start")):
        path = os.path.join(tests.dir, "wrong.cnf")
        with open(path, "w", encoding="ascii") as file:
            file.write(CONF % setting)
        env = dict(os.environ, OPENSSL_CONF=path, OPENSSL_MODULES=tests.modules)
        same(tests, ENC, env, line, "openssl.cnf with " + setting)


def run_out(tests):
    """More keys than sessions, and a card that fails."""
    for vdev, settings, line, what in (
            ("crypto_accel0", {"SESSIONS": "4"}, "raise 'sessions'", "sessions run out"),
            ("crypto_accel0,faults=dead@40/400", {}, "rests for a second", "a card that dies")):
        settings = dict(settings, REPORT=tests.report, TIMEOUT="20000")
        env = dict(tests.conf_env(), **{name: value for name, value in
                                        tests.env(vdev, **settings).items()
                                        if name.startswith("OSSL_")})
        same(tests, [ossl.PYTHON, "-c", KEYS], env, line, what)
        done = sum(example.counted(tests, "operations").values())
        tests.check(done > 0, "%s: the device did %d operations" % (what, done))


def second(tests):
    """Two processes on one function: the second one does without it."""
    path = os.path.join(tests.dir, "function")
    enc = [*ENC, *NAMED[:2], NAMED[0], NAMED[2]]
    env = tests.env("accel_client0", REPORT=tests.report, TIMEOUT="20000")
    env["OSSL_CRYPTODEV_EAL"] = "%s -d %s --vdev accel_client0,socket=%s,timeout_ms=60000" % (
        ossl.EAL, os.environ["ACCEL_CLIENT"], path)
    with subprocess.Popen([os.environ["ACCEL_DEVICE"], "--quiet", "--socket", path]) as card:
        while not os.path.exists(path) and card.poll() is None:
            time.sleep(0.02)
        # The first one has the function as long as it waits for input.
        waiting = [word for word in enc if word not in ("-in", "text")]
        with subprocess.Popen(waiting, env=env, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as first:
            first.stdin.write(bytes(65536))
            first.stdin.flush()
            has = first.stdout.read(4096)
            other = dict(env)
            del other["OSSL_CRYPTODEV_REPORT"]
            same(tests, enc, other, "", "a second process on a function")
            first.stdin.close()
            has += first.stdout.read()
        done = sum(example.counted(tests, "operations").values())
        tests.check(len(has) == 65536 and first.returncode == 0 and done > 0,
                    "the first one goes on: %d operations" % done)
        ossl.stop(card)


def main():
    """Runs all cases."""
    tests = ossl.Tests(*sys.argv[2:])
    start(tests)
    if tests.run([ossl.PYTHON, "-c", "import cryptography"], dict(os.environ)).returncode:
        tests.skip("python3-cryptography", "it is not installed")
    else:
        run_out(tests)
    if "ACCEL_CLIENT" in os.environ:
        second(tests)
    return tests.end()


sys.exit(main())
