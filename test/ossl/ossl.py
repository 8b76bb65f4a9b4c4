#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the OpenSSL provider. It prints TAP.

ossl.py provider MODULE PLUGIN PRELOAD PROGRAM...    ossl-provider-test, -keys-test,
                              -handshakes-test, -memory-test and -pipelines-test on several
                              devices; ossl-cost
ossl.py sanitized MODULE PLUGIN PRELOAD PROGRAM...   the same, with fewer connections
ossl.py programs MODULE PLUGIN PRELOAD               unchanged programs: openssl, Python, curl
                                                     and nginx

MODULE is cryptodev.so, PLUGIN the driver of the embedded device, PRELOAD libossl_cryptodev_mem.so.
"""

import glob
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

EAL = "--no-huge -m 64 --no-shconf --no-telemetry --no-pci --iova-mode=va --log-level=critical"
PYTHON = "/usr/bin/python3"  # Debian's, with its python3-cryptography

CONF = """openssl_conf = init
[init]
providers = provider_section
[provider_section]
cryptodev = cryptodev_section
default = default_section
[cryptodev_section]
activate = 1
eal = {eal}
device = {device}
report = {report}
[default_section]
activate = 1
[req]
distinguished_name = name_section
[name_section]
"""

CRYPTOGRAPHY = """
import os, hashlib
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
text = bytes(range(256)) * 64
digest = hashlib.sha256()
for size in (16, 32):
    for mode in (modes.CBC(bytes(16)), modes.CTR(bytes(16))):
        end = Cipher(algorithms.AES(bytes(size)), mode).encryptor()
        digest.update(end.update(text) + end.finalize())
    digest.update(AESGCM(bytes(size)).encrypt(bytes(12), text, b"aad"))
digest.update(ChaCha20Poly1305(bytes(32)).encrypt(bytes(12), text, b"aad"))
sealed = AESGCM(bytes(16)).encrypt(bytes(12), text, None)
assert AESGCM(bytes(16)).decrypt(bytes(12), sealed, None) == text
try:
    AESGCM(bytes(16)).decrypt(bytes(12), sealed[:-1] + bytes([sealed[-1] ^ 1]), None)
    print("a wrong tag is taken")
except Exception as error:
    print(type(error).__name__)
print(digest.hexdigest())
"""

NGINX = """daemon off; master_process on; worker_processes 2; pid {dir}/nginx.pid;
error_log stderr crit;
env OPENSSL_CONF; env OPENSSL_MODULES;
events {{ }}
http {{
    access_log off; client_body_temp_path {dir}/b; proxy_temp_path {dir}/p;
    fastcgi_temp_path {dir}/f; uwsgi_temp_path {dir}/u; scgi_temp_path {dir}/s;
    server {{
        listen 127.0.0.1:{port} ssl; root {dir}; ssl_certificate {dir}/cert.pem;
        ssl_certificate_key {dir}/key.pem; ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ALL;
    }}
}}
"""


class Tests:
    """The cases, with the folder and the environment of a program that uses the provider."""

    def __init__(self, module, plugin, preload):
        self.dir = tempfile.mkdtemp(prefix="ossl-")
        self.preload = os.path.realpath(preload)
        self.plugin = os.path.realpath(plugin)
        self.count = self.failed = 0
        # The folder of modules also has those of the system: crypto_openssl wants `legacy`.
        self.modules = os.path.join(self.dir, "modules")
        os.mkdir(self.modules)
        for file in glob.glob("/usr/lib/*/ossl-modules/*.so"):
            os.symlink(file, os.path.join(self.modules, os.path.basename(file)))
        os.symlink(os.path.realpath(module), os.path.join(self.modules, "cryptodev.so"))
        self.report = os.path.join(self.dir, "report")
        self.text = os.path.join(self.dir, "text")
        with open(self.text, "wb") as file:
            file.write(os.urandom(300001))

    def end(self):
        """Prints the plan, and returns an exit code."""
        shutil.rmtree(self.dir)
        print("1..%d" % self.count)
        return 1 if self.failed else 0

    def check(self, good, what, output=""):
        """Counts a case. The output is shown if it has failed."""
        self.count += 1
        self.failed += not good
        print("%s %d - %s" % ("ok" if good else "not ok", self.count, what), flush=True)
        if not good:
            print("".join("# %s\n" % line for line in output.splitlines()[-40:]), flush=True)

    def skip(self, what, why):
        """Counts a case that cannot run here."""
        self.count += 1
        print("ok %d - %s # SKIP %s" % (self.count, what, why), flush=True)

    def eal(self, vdev):
        """The EAL's arguments for a device."""
        plugin = " -d " + self.plugin if vdev.startswith("crypto_accel") else ""
        return EAL + plugin + " --vdev " + vdev

    def env(self, vdev, **settings):
        """The environment of a program that gets the settings from there."""
        env = dict(os.environ, OPENSSL_MODULES=self.modules, OSSL_CRYPTODEV_EAL=self.eal(vdev),
                   OSSL_CRYPTODEV_DEVICE=vdev.split(",", maxsplit=1)[0])
        env.update({"OSSL_CRYPTODEV_" + name: value for name, value in settings.items()})
        return env

    def conf_env(self, vdev="crypto_accel0"):
        """The environment of a program that knows nothing of providers: openssl.cnf has them."""
        conf = os.path.join(self.dir, "openssl.cnf")
        with open(conf, "w", encoding="ascii") as file:
            file.write(CONF.format(eal=self.eal(vdev), device=vdev.split(",", maxsplit=1)[0],
                                   report=self.report))
        return dict(os.environ, OPENSSL_CONF=conf, OPENSSL_MODULES=self.modules)

    def counted(self, *fields):
        """The sums of counters in the reports since the last call, or of one, the operations."""
        text = ""
        if os.path.exists(self.report):
            with open(self.report, encoding="ascii") as file:
                text = file.read()
            os.unlink(self.report)
        sums = [sum(int(n) for n in re.findall(r" %s=(\d+)" % field, text))
                for field in fields or ("operations",)]
        return sums if fields else sums[0]

    def run(self, command, env, **more):
        """Runs a program to its end."""
        more.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=1200, check=False, **more)


def compare(tests, program, devices, rounds, preload="", **more):
    """Runs a comparison through EVP on each device, with the settings that it takes there."""
    for vdev, mode, settings in devices:
        # A thread of the device may wait for a CPU, which is no fault of the device.
        env = tests.env(vdev, **{"QUEUES": "4", "TIMEOUT": "20000", **more, **settings})
        # Stacks through OpenSSL, by which harness.c tells drivers from the provider.
        env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":fast_unwind_on_malloc=0"
        if preload:
            env["LD_PRELOAD"] = preload
        done = tests.run([program, mode, "1", rounds], env)
        text = done.stdout.decode(errors="replace")
        what = "%s %s %s%s" % (os.path.basename(program), vdev, " ".join(settings),
                               " with the preload" if preload else "")
        tests.check(done.returncode == 0, what, text)
        if mode == "none":
            lines = {line for line in text.splitlines() if line.startswith("ossl_cryptodev[")}
            expected = 0 if settings.get("PUBLIC_KEYS") == "0" else 1
            tests.check(len(lines) == expected, "%d lines say why: %s" %
                        (expected, "".join(lines)[-60:]), text)


def provider(tests, connections, program, keys, handshakes, mem, pipelines, cost):
    """Compares ciphers, keys and connections on each device."""
    devices = [("crypto_accel0", "answers", {"MIN_SIZE": "0"}),
               ("crypto_aesni_mb0", "answers", {"MIN_SIZE": "0"}),
               ("crypto_accel0", "device", {}),
               ("crypto_aesni_mb0", "device", {}),
               ("crypto_openssl0", "some", {}),  # without ChaCha20-Poly1305
               ("crypto_accel0,faults=status:7@10/10+dead@500", "faults", {"TIMEOUT": "5000"}),
               ("crypto_accel0,faults=lost@100/200+corrupt@15/15", "faults", {"TIMEOUT": "5000"}),
               ("crypto_accel0", "any", {"MIN_SIZE": "auto"}),
               ("crypto_none0", "none", {}),
               ("crypto_accel0", "none", {"MIN_SIZE": "many"}),
               ("crypto_accel0", "none", {"QUEUES": "0"})]
    compare(tests, program, devices, "12", SESSIONS="64")
    compare(tests, keys, [
        ("crypto_accel0", "device", {}),
        ("crypto_openssl0", "rsa", {}),
        ("crypto_accel0,faults=status:7@10/10+dead@150", "faults", {"TIMEOUT": "5000"}),
        ("crypto_accel0,faults=lost@40/60+corrupt@15/50", "faults", {"CHECK_RSA": "0"}),
        ("crypto_aesni_mb0", "none", {}),  # which has no public keys
        ("crypto_accel0", "any", {"PUBLIC_KEYS": "auto"}),
        ("crypto_accel0", "none", {"PUBLIC_KEYS": "0"})], "2")
    # AddressSanitizer does not follow the stacks of jobs, so there each pipe waits for itself.
    compare(tests, pipelines, [
        ("crypto_accel0", "device", {}),
        ("crypto_aesni_mb0", "device", {}),
        ("crypto_accel0,faults=status:7@10/10+dead@500", "faults", {"TIMEOUT": "5000"}),
        ("crypto_none0", "none", {})], "3",
        ASYNC_MIN_SIZE="49152" if sys.argv[1] == "sanitized" else "1024")
    # A card that dies, heals, loses operations and gives wrong tags, below many connections.
    trouble = "crypto_accel0,faults=status:7@10/50+dead@700/7000+lost@400/4000+corrupt@150/1500"
    compare(tests, handshakes, [("crypto_accel0", "device", {})], "160")
    settings = {"TIMEOUT": "5000", "MIN_SIZE": "256"}
    compare(tests, handshakes, [(trouble, "faults", settings)], connections)
    if sys.argv[1] == "sanitized":
        tests.skip("the preload", "the sanitizer's own allocations have to come first")
    else:
        compare(tests, program, [("crypto_accel0", "answers", {"MIN_SIZE": "0"}),
                                 ("crypto_accel0", "device", {}),
                                 ("crypto_accel0,faults=status:7@10/10+dead@500", "faults",
                                  {"TIMEOUT": "5000"})], "6", preload=tests.preload,
                SESSIONS="64")
        compare(tests, handshakes, [(trouble, "faults", settings)], "160", preload=tests.preload)
        memory(tests, mem)
        costs(tests, cost)


def costs(tests, program):
    """ossl-cost, whose figures are no criterion, apart from the copies: of records in jobs, and of
    signatures, whose numbers always are."""
    for args, preload, copied in ((["aes-128-gcm", "4096", "8"], "", 8192),
                                  (["aes-256-gcm", "4096", "8"], tests.preload, 4096),
                                  (["aes-256-gcm", "4096", "pipes"], tests.preload, 4096),
                                  (["rsa-sign", "32", "32"], tests.preload, 512)):
        env = dict(tests.env("crypto_accel0", TIMEOUT="20000"), LD_PRELOAD=preload)
        done = tests.run([program, *args, "1", "512"], env)
        text = done.stdout.decode(errors="replace")
        found = dict(re.findall(r"(\w+) (\d+)", text))
        tests.check(done.returncode == 0 and int(found.get("software", 0)) > 0
                    and int(found.get("program", 0)) > 0 and found.get("copied") == str(copied),
                    "ossl-cost %s: %s" % (" ".join(args), text.strip()), text)
    done = tests.run([program, "no-cipher", "64", "0", "1", "256"], tests.env("crypto_accel0"))
    tests.check(done.returncode == 1 and b"no-cipher" in done.stdout, "ossl-cost refuses",
                done.stdout.decode(errors="replace"))


def memory(tests, program):
    """The preload: allocations, and texts that go to the device without a copy."""
    failing = "crypto_accel0,faults=status:7@10/10"
    for vdev, mode, settings in (("crypto_accel0", "area", {"MEM": "16"}),
                                 ("crypto_accel0", "copies", {}),
                                 ("crypto_accel0", "copies", {"KEEP_INPUT": "0"}),
                                 ("crypto_aesni_mb0", "copies", {"KEEP_INPUT": "0"}),
                                 (failing, "spoilt", {"KEEP_INPUT": "0"}),
                                 ("crypto_accel0", "none", {"MEM": "0"}),
                                 ("crypto_accel0", "none", {"MEM": "much"}),
                                 ("crypto_accel0", "none", None)):
        env = tests.env(vdev, TIMEOUT="20000", **(settings or {}))
        if settings is not None:
            env["LD_PRELOAD"] = tests.preload
        done = tests.run([program, mode], env)
        text = done.stdout.decode(errors="replace")
        tests.check(done.returncode == 0 and "\nok " in "\n" + text,
                    "%s %s %s %s" % (os.path.basename(program), mode, vdev, settings), text)
        if settings == {"MEM": "much"}:
            lines = [line for line in text.splitlines() if line.startswith("ossl_cryptodev_mem[")]
            tests.check(len(lines) == 1 and "OSSL_CRYPTODEV_MEM" in lines[0], "one line says why",
                        text)


def enc(tests):
    """openssl enc, both ways, beside the default provider."""
    for cipher in ("aes-128-cbc", "aes-256-cbc", "aes-192-ctr", "aes-256-ctr"):
        key = ["-K", "01" * (int(cipher[4:7]) // 8), "-iv", "02" * 16, "-in", tests.text]
        env = tests.env("crypto_accel0", REPORT=tests.report)
        ours = tests.run(["openssl", "enc", "-" + cipher, *key, "-provider", "cryptodev",
                          "-provider", "default"], env)
        default = tests.run(["openssl", "enc", "-" + cipher, *key], dict(os.environ))
        good = ours.stdout == default.stdout and len(ours.stdout) >= 300001
        tests.check(good and tests.counted() > 0, "openssl enc " + cipher)


def speed(tests):
    """openssl speed: synchronous, of an AEAD, in several processes, with asynchronous jobs."""
    for args in (["-evp", "aes-128-cbc"], ["-aead", "-evp", "aes-256-gcm"],
                 ["-evp", "aes-128-gcm"], ["-multi", "2", "-evp", "aes-256-ctr"],
                 ["-async_jobs", "32", "-evp", "aes-128-cbc"],
                 ["-aead", "-evp", "chacha20-poly1305"],
                 ["rsa2048", "ecdsap256", "ecdhp256"],
                 ["-async_jobs", "8", "rsa2048", "ecdsap256", "ecdhp256"]):
        done = tests.run(["openssl", "speed", "-elapsed", "-seconds", "1", "-bytes", "16384",
                          "-provider", "cryptodev", "-provider", "default", *args],
                         tests.env("crypto_accel0", REPORT=tests.report))
        text = done.stdout.decode(errors="replace")
        rate = re.findall(r"\s([\d.]+)k? *$", text, re.M)
        # The processes of -multi end without the handlers that write the report.
        good = done.returncode == 0 and rate and float(rate[-1]) > 0
        tests.check(good and ("-multi" in args or tests.counted() > 0),
                    "openssl speed %s (%s)" % (" ".join(args), rate[-1] if rate else "no"),
                    text)


def keys_auto(tests):
    """With public-keys = auto the first operations are tried both ways."""
    tests.counted()
    done = tests.run(["openssl", "speed", "-elapsed", "-seconds", "1", "-provider", "cryptodev",
                      "-provider", "default", "rsa2048", "ecdsap256"],
                     tests.env("crypto_accel0", REPORT=tests.report, PUBLIC_KEYS="auto"))
    device, cpu, others = tests.counted("operations", "slow", "fallbacks")
    # Both keys sign and verify.
    tests.check(done.returncode == 0 and device >= 4 * 3 and cpu >= 4 * 3,
                "public-keys = auto: %d by the device, %d of %d by the CPU" %
                (device, cpu, others), done.stdout.decode(errors="replace"))


def keys(tests):
    """openssl genpkey, req, dgst and pkeyutl: what one provider makes the other one takes."""
    small = os.path.join(tests.dir, "small")
    with open(small, "wb") as file:
        file.write(b"a small text")
    encrypt = "-pkeyopt rsa_padding_mode:oaep -inkey k.pem"
    steps = {"rsa": ["-algorithm RSA -pkeyopt rsa_keygen_bits:2048",
                     "pkeyutl -encrypt -in small -out sealed " + encrypt,
                     "pkeyutl -decrypt -in sealed -out back " + encrypt],
             "ec": ["-algorithm EC -pkeyopt ec_paramgen_curve:P-384",
                    "pkeyutl -derive -inkey k.pem -peerkey k.pub -out small",
                    "pkeyutl -derive -inkey k.pem -peerkey k.pub -out back"]}
    for name, (how, there, back) in steps.items():
        for side in ("ours", "theirs"):
            envs = [tests.conf_env(), dict(os.environ)]
            one, other = envs if side == "ours" else envs[::-1]
            done = [tests.run(["openssl", *words.split()], env, cwd=tests.dir) for env, words in (
                (one, "genpkey -out k.pem " + how),
                (other, "pkey -in k.pem -pubout -out k.pub"),
                (one, "req -x509 -new -key k.pem -subj /CN=key -out c.pem"),
                (other, "verify -CAfile c.pem -check_ss_sig c.pem"),
                (one, "dgst -sha256 -sign k.pem -out sig text"),
                (other, "dgst -sha256 -verify k.pub -signature sig text"),
                (one, there), (other, back))]
            with open(small, "rb") as text, open(os.path.join(tests.dir, "back"), "rb") as result:
                good = text.read() == result.read()
            text = b"".join(d.stdout for d in done).decode(errors="replace")
            tests.check(good and not any(d.returncode for d in done),
                        "openssl with keys: %s, made by %s" % (name, side), text)
    tests.check(tests.counted() >= 8, "the device did operations with keys")


def vectors(tests):
    """Known answers of RSA, among them many wrong signatures, through python3-cryptography."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vectors.py")
    folder = os.path.join(os.path.dirname(os.path.dirname(script)), "vectors", "pk")
    tests.counted()
    done = tests.run([PYTHON, script, folder], tests.conf_env())
    text = done.stdout.decode(errors="replace")
    good = re.fullmatch(r"(\d+) accepted, (\d+) refused\n", text)
    tests.check(good and min(map(int, good.groups())) > 50, "known answers: " + text.strip(), text)
    tests.check(tests.counted() > 100, "the device did them", text)


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def fetch(tests, port, args, env):
    """Fetches the text with curl. Returns True if it is right, and what curl said."""
    for _ in range(100):
        with socket.socket() as sock:
            if sock.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    done = subprocess.run(["curl", "-sSk", *args, "https://127.0.0.1:%d/text" % port], env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1200, check=False)
    with open(tests.text, "rb") as file:
        return done.stdout == file.read(), done.stderr.decode(errors="replace")


SUITES = [["--tls-max", "1.2", "--ciphers", "ECDHE-RSA-AES128-GCM-SHA256"],
          ["--tls-max", "1.2", "--ciphers", "ECDHE-RSA-AES256-GCM-SHA384"],
          ["--tls-max", "1.2", "--ciphers", "ECDHE-RSA-CHACHA20-POLY1305"],
          ["--tls-max", "1.2", "--curves", "P-256", "--ciphers", "ECDHE-ECDSA-AES256-GCM-SHA384"],
          ["--tls-max", "1.2", "--ciphers", "ECDHE-RSA-AES128-SHA256"],
          ["--tls-max", "1.2", "--ciphers", "AES256-SHA"],
          ["--tls13-ciphers", "TLS_AES_128_GCM_SHA256"],
          ["--tls13-ciphers", "TLS_AES_256_GCM_SHA384"],
          ["--tls13-ciphers", "TLS_CHACHA20_POLY1305_SHA256"]]


def stop(process):
    """Ends a server that this test has started."""
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def record_copies(tests, port):
    """Copies of the bytes of records, with the preload and without."""
    env = tests.conf_env()
    for expected, more in ((2, {}), (1, {"LD_PRELOAD": tests.preload}),
                           (0, {"LD_PRELOAD": tests.preload, "OSSL_CRYPTODEV_KEEP_INPUT": "0"})):
        for args in (SUITES[0], SUITES[-2]):
            tests.counted()
            good, text = fetch(tests, port, args, dict(env, **more))
            copied, done = tests.counted("copied", "bytes")
            tests.check(good and done > 250000 and round(10 * copied / done) == 10 * expected,
                        "%s %s: %d bytes, %d copied" % (" ".join(more), args[-1], done, copied),
                        text)


def tls(tests):
    """Records of each suite: the provider in the server (s_server), and in the client (curl)."""
    port = free_port()
    plain = dict(os.environ)
    # The first operation of an asynchronous server is in a job, whose stack is small.
    for side, server_env, client_env, more in (("server", tests.conf_env(), plain, []),
                                               ("async server", tests.conf_env(), plain,
                                                ["-async"]),
                                               ("client", plain, tests.conf_env(), [])):
        with subprocess.Popen(["openssl", "s_server", "-quiet", "-WWW", "-cipher",
                               "ALL:@SECLEVEL=0", "-accept", "127.0.0.1:%d" % port,
                               "-cert", "cert.pem", "-key", "key.pem", "-dcert", "ec-cert.pem",
                               "-dkey", "ec-key.pem", *more], env=server_env,
                              cwd=tests.dir, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
            for args in SUITES:
                good, text = fetch(tests, port, args, client_env)
                tests.check(good, "the provider in the %s: %s" % (side, args[-1]), text)
            if side == "client":
                tests.check(tests.counted() > 0, "the device did records of the client")
                record_copies(tests, port)
            stop(server)


def nginx(tests, preload):
    """nginx, whose master forks workers, with openssl.cnf alone, and with a preload or without.
    Reloads while it serves."""
    if shutil.which("nginx") is None:
        tests.skip("nginx", "it is not installed")
        return
    port = free_port()
    with open(os.path.join(tests.dir, "nginx.conf"), "w", encoding="ascii") as file:
        file.write(NGINX.format(dir=tests.dir, port=port))
    os.chmod(tests.dir, 0o755)
    env = dict(tests.conf_env(), LD_PRELOAD=preload)
    name = "nginx with the preload" if preload else "nginx"
    with subprocess.Popen(["nginx", "-c", os.path.join(tests.dir, "nginx.conf"), "-p", tests.dir],
                          env=env, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as server:
        for args in SUITES[:3] + SUITES[6:]:
            good, text = fetch(tests, port, args, dict(os.environ))
            tests.check(good, "%s: %s" % (name, args[-1]), text)
        server.send_signal(1)
        time.sleep(1)
        good, text = fetch(tests, port, [], dict(os.environ))
        tests.check(good, name + " after a reload", text)
        server.terminate()
        _, errors = server.communicate(timeout=1200)
        tests.check(server.returncode == 0, name + " ends", errors.decode(errors="replace"))


def python(tests):
    """Debian's python3-cryptography gives the same bytes with the provider as without it."""
    if tests.run([PYTHON, "-c", "import cryptography"], dict(os.environ)).returncode:
        tests.skip("python3-cryptography", "it is not installed")
        return
    vectors(tests)
    tests.counted()
    ours = tests.run([PYTHON, "-c", CRYPTOGRAPHY], tests.conf_env())
    default = tests.run([PYTHON, "-c", CRYPTOGRAPHY], dict(os.environ))
    text = ours.stdout.decode(errors="replace")
    good = ours.stdout == default.stdout and "InvalidTag" in text
    tests.check(good, "python3-cryptography", text)
    tests.check(tests.counted() > 0, "the device did some of it", text)


def programs(tests):
    """All cases of unchanged programs."""
    for how, prefix in ((["rsa:2048"], ""), (["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "ec-")):
        tests.run(["openssl", "req", "-x509", "-newkey", *how, "-nodes", "-subj", "/CN=localhost",
                   "-keyout", prefix + "key.pem", "-out", prefix + "cert.pem"], dict(os.environ),
                  cwd=tests.dir)
    done = tests.run(["openssl", "list", "-providers", "-verbose", "-provider", "cryptodev"],
                     tests.env("crypto_accel0"))
    tests.check(b"rte_cryptodev" in done.stdout, "openssl list -providers", done.stdout.decode())
    enc(tests)
    speed(tests)
    keys_auto(tests)
    keys(tests)
    if shutil.which("curl") is None:
        tests.skip("TLS", "curl is not installed")
    else:
        tls(tests)
        nginx(tests, "")
        nginx(tests, tests.preload)
    python(tests)


def main():
    """Runs what the arguments name."""
    tests = Tests(*sys.argv[2:5])
    if sys.argv[1] != "programs":
        provider(tests, "2016" if sys.argv[1] == "provider" else "160", *sys.argv[5:])
    else:
        programs(tests)
    return tests.end()


if __name__ == "__main__":
    sys.exit(main())
