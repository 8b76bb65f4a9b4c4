# SPDX-License-Identifier: BSD-3-Clause
"""The section `openssl` of tools/bench: OpenSSL programs on the embedded device, beside the default
provider. doc/openssl.md says what is measured.

The program test/ossl/cost.c does operations with both providers in turn and says what they cost the
program's own threads; the device's threads are counted apart. `openssl speed` and connections of
`openssl s_server` and HAProxy show the same from outside. OpenVPN has a program of its own,
test/ossl/vpn.py."""

import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time

from base import cperf
from base.cperf import cell

SECTION = "openssl"
CIPHER = "aes-128-gcm"
PIPES = CIPHER + " in pipelines"
SIZES = [256, 1024, 4096, 16384]
JOBS = [0, 1, 8, 32]
ENGINES = {"null": ",engine=null", "100 Gbit/s": ",engine=null,peak_bytes=12500000000", "auto": ""}
# What becomes of the texts: the settings, and whether the preload is there.
MEMORY = {"no preload": (False, {}), "preload": (True, {}),
          "preload, no copy": (True, {"KEEP_INPUT": "0"})}
CHECKS = {"none": "0", "CPU": "1", "device": "2"}
# Who does what in openssl speed: more arguments, and the smallest size for the device.
PROVIDER = ["-provider", "cryptodev", "-provider", "default"]
SIDES = {"default provider": None, "device": ([], "0"), "device or CPU (auto)": ([], "auto"),
         "device, 32 jobs": (["-async_jobs", "32"], "0")}
TRIPS = [64, 1024, 16384]
SPEED_SIZES = [16, 64, 256, 1024, 8192, 16384]
AEAD_SIZES = [2, 31, 136, 1024, 8192, 16384]  # that openssl speed has in their place with -aead
SPEED = {"aes-128-cbc": ["-evp", "aes-128-cbc"],
         "aes-128-gcm": ["-aead", "-evp", "aes-128-gcm"]}
# Servers: the command's kind, whether it has the provider, and whether handshakes are jobs.
SERVERS = {"s_server, default provider": ("openssl", False, False),
           "s_server, provider": ("openssl", True, False),
           "s_server, provider, -async": ("openssl", True, True),
           "HAProxy, default provider": ("haproxy", False, False),
           "HAProxy, provider": ("haproxy", True, False),
           "HAProxy, provider, ssl-mode-async": ("haproxy", True, True)}
CLIENTS = {"openssl": 1, "haproxy": 8}
HAPROXY = """global
    nbthread 1
    {lines}
    ssl-default-bind-curves P-256
defaults
    mode http
    timeout connect 60s
    timeout client 60s
    timeout server 60s
frontend tls
    bind {address} ssl crt {key}
    http-request return status 200
"""
METRICS = ["software", "program", "main", "poller", "device", "wall", "copied"]


class Place:
    """The folder with the provider as a module, and the environments of programs."""

    def __init__(self, build_dir):
        self.build = os.path.abspath(build_dir)
        self.dir = tempfile.mkdtemp(prefix="bench-openssl-")
        os.symlink(os.path.join(self.build, "lib/ossl_cryptodev/cryptodev.so"),
                   os.path.join(self.dir, "cryptodev.so"))
        self.cost = os.path.join(self.build, "test/ossl/ossl-cost")

    def env(self, engine="null", memory="no preload", **settings):
        """The environment of a program that uses the provider."""
        preload, more = MEMORY[memory]
        eal = ("--no-huge -m 128 --no-shconf --no-telemetry --no-pci --iova-mode=va"
               " --log-level=critical -d %s --vdev crypto_accel0%s"
               % (os.environ["ACCEL_PLUGIN"], ENGINES[engine]))
        env = dict(os.environ, OPENSSL_MODULES=self.dir, OSSL_CRYPTODEV_EAL=eal)
        env.update({"OSSL_CRYPTODEV_" + name: value
                    for name, value in {"MIN_SIZE": "0", "TIMEOUT": "20000", **more,
                                        **settings}.items()})
        if preload:
            env["LD_PRELOAD"] = os.path.join(self.build,
                                             "lib/ossl_cryptodev_mem/libossl_cryptodev_mem.so")
        return env

    def end(self):
        """Removes the folder."""
        shutil.rmtree(self.dir)


def cost(place, env, operation, size, jobs, rounds, operations):
    """Runs ossl-cost. Returns {metric: median}, with the ratio to software within a round."""
    many = "pipes" if operation == PIPES else str(jobs)
    text = cperf.run_program([place.cost, operation.split(" ", 1)[0], str(size), many, str(rounds),
                              str(operations)], env=env, timeout=300, name="ossl-cost")
    lines = [dict(re.findall(r"(\w+) (\d+)", line)) for line in text.splitlines()
             if line.startswith("software ")]
    if len(lines) != rounds:
        raise cperf.PerfError("ossl-cost measured nothing")
    found = {m: statistics.median(float(line[m]) for line in lines) for m in METRICS}
    found["ratio"] = statistics.median(100 * float(line["program"]) / float(line["software"])
                                       for line in lines)
    return found


def copy_share(place, memory):
    """Returns the share of the program's time in copies, in %, by perf's clock."""
    data = os.path.join(place.dir, "perf.data")
    env = place.env("null", memory)
    cperf.run_program(["perf", "record", "-q", "-e", "cpu-clock", "-F", "5000", "-o", data,
                       place.cost, CIPHER, "16384", "32", "1", "32768", "device"], env=env,
                      timeout=300, name="ossl-perf")
    text = cperf.run_program(["perf", "report", "-i", data, "--stdio", "-q", "--no-children",
                              "--comms", "ossl-cost,ossl-poller", "-s", "sym", "-g", "none"],
                             timeout=300, name="ossl-perf-report")
    rows = [(float(share), name) for share, name in re.findall(r"^\s*([\d.]+)%\s+(.*\S)", text,
                                                               re.M)]
    total = sum(share for share, _ in rows)
    if total == 0:
        raise cperf.PerfError("perf found nothing of the program")
    return 100 * sum(share for share, name in rows
                     if re.search(r"\b_*mem(move|cpy)_", name)) / total


def speed(env, args, more):
    """Runs `openssl speed`. Returns {bytes: MB/s}."""
    text = cperf.run_program(["openssl", "speed", "-mr", "-elapsed", "-seconds", "3", *more, *args],
                             env=env, timeout=300, name="openssl-speed")
    found = re.search(r"^\+F:\d+:[^:]*:([\d.:]+)$", text, re.M)
    if not found:
        raise cperf.PerfError("unexpected output of openssl speed")
    return dict(zip(SPEED_SIZES, (float(n) / 1e6 for n in found[1].split(":"))))


def cpu_ns(pid):
    """Returns the CPU time of the threads of a process, without those of the device."""
    total = 0
    folder = "/proc/%d/task" % pid
    for tid in os.listdir(folder):
        try:
            with open("%s/%s/comm" % (folder, tid), encoding="ascii") as file:
                name = file.read()
            with open("%s/%s/schedstat" % (folder, tid), encoding="ascii") as file:
                total += 0 if name.startswith("accel-") else int(file.read().split()[0])
        except FileNotFoundError:
            pass  # the thread has ended
    return total


def round_trip(place, env, size, rounds, operations):
    """Returns the medians of a round trip without OpenSSL and of an operation of a caller who waits
    for it, in ns."""
    text = cperf.run_program([place.cost, "round-trip", str(size), "0", str(rounds),
                              str(operations)], env=env, timeout=300, name="ossl-round-trip")
    found = re.findall(r"^bare (\d+) provider (\d+)$", text, re.M)
    if len(found) != rounds:
        raise cperf.PerfError("ossl-cost measured nothing")
    # The two of a round belong together, because the device's speed differs between rounds.
    return sorted(((float(bare), float(ours)) for bare, ours in found),
                  key=lambda pair: pair[1] - pair[0])[rounds // 2]


def server_command(place, name, address):
    """Returns the command of a server."""
    program, ours, jobs = SERVERS[name]
    key = os.path.join(place.dir, "key.pem")
    if not os.path.exists(key):
        cperf.run_program(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj",
                           "/CN=localhost", "-keyout", key, "-out", key + ".crt"],
                          name="openssl-req")
        with open(key + ".crt", encoding="ascii") as certificate, \
                open(key, "a", encoding="ascii") as file:
            file.write(certificate.read())
    if program == "openssl":
        return ["openssl", "s_server", "-quiet", "-accept", address, "-key", key, "-cert",
                key + ".crt", "-groups", "P-256", *(PROVIDER if ours else []),
                *(["-async"] if jobs else [])]
    lines = ["ssl-provider cryptodev", "ssl-provider default"] if ours else []
    conf = os.path.join(place.dir, "haproxy.cfg")
    with open(conf, "w", encoding="ascii") as file:
        file.write(HAPROXY.format(address=address, key=key, lines="\n    ".join(
            lines + (["ssl-mode-async"] if jobs else []))))
    return ["haproxy", "-db", "-f", conf]


def connect(address, seconds, clients):
    """Connects again and again, from several clients at a time. Returns how many connections there
    were in a second."""
    command = ["openssl", "s_time", "-new", "-connect", address, "-cipher",
               "ECDHE-RSA-AES128-GCM-SHA256", "-tls1_2", "-time", str(seconds)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                text=True) for _ in range(clients)]
    found = [re.search(r"^(\d+) connections in (\d+) real seconds", process.communicate()[0], re.M)
             for process in running]
    if not all(found) or sum(int(f[1]) for f in found) == 0:
        raise cperf.PerfError("no connection")
    return sum(int(f[1]) for f in found), sum(int(f[1]) / int(f[2]) for f in found)


def handshakes(place, env, name, seconds):
    """Returns connections per second to a server, and the microseconds of its CPU for each."""
    clients = CLIENTS[SERVERS[name][0]]
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % sock.getsockname()[1]
    report = os.path.join(place.dir, "report")
    env = dict(env, OSSL_CRYPTODEV_REPORT=report)
    with subprocess.Popen(server_command(place, name, address), env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            time.sleep(1)
            connect(address, 1, 1)  # starts the device
            before = cpu_ns(server.pid)
            nb, rate = connect(address, seconds, clients)
            used = cpu_ns(server.pid) - before
        finally:
            # s_server ends without a report. HAProxy ends like a program that returns.
            server.send_signal(signal.SIGKILL if SERVERS[name][0] == "openssl"
                               else signal.SIGUSR1)
    if os.path.exists(report) or SERVERS[name][:2] == ("haproxy", True):
        with open(report, encoding="ascii") as file:
            signs = re.search(r"RSA-sign operations=(\d+)", file.read())
        os.unlink(report)
        if not signs or int(signs[1]) < nb:
            raise cperf.PerfError("the device signed nothing")
    return rate, used / 1000 / nb


def plan(quick):
    """Returns what ossl-cost measures: (engine, memory, operation, size, jobs, check)."""
    cases = [("null", memory, CIPHER, size, jobs, None)
             for size in SIZES for jobs in JOBS for memory in MEMORY]
    cases += [("null", memory, PIPES, size, 32, None) for size in SIZES for memory in MEMORY]
    cases += [(engine, memory, operation, 16384, jobs, None) for engine in list(ENGINES)[1:]
              for operation, jobs in ((CIPHER, 0), (CIPHER, 32), (PIPES, 32))
              for memory in MEMORY]
    cases += [("auto", "no preload", "rsa-sign", 32, jobs, "none") for jobs in JOBS[:-1]]
    cases += [("auto", "no preload", "rsa-sign", 32, 32, check) for check in CHECKS]
    return cases[::5] if quick else cases


def section(context, build_dir):
    """Measures everything. Returns (records, failed runs)."""
    cases = plan(context.quick)
    servers = [name for name, (program, _, _) in SERVERS.items() if shutil.which(program)]
    cperf.say("\n==> OpenSSL programs (load %.1f)" % os.getloadavg()[0])
    progress = cperf.Progress(len(cases) + len(SIDES) * len(SPEED) + len(MEMORY) + len(servers) +
                              len(TRIPS))
    place, records, failed = Place(build_dir), [], 0

    def add(metric, value, unit, device, algo, size, jobs):
        records.append(context.record(SECTION, device, metric, value, unit, context.rounds, algo,
                                      size, jobs))

    def attempt(what, function):
        nonlocal failed
        progress.begin(what)
        try:
            progress.end(function())
        except (cperf.PerfError, OSError) as error:
            log = getattr(error, "log", None)
            progress.end("%s%s" % (error, ", see " + log if log else ""))
            failed += 1

    def one_cost(engine, memory, operation, size, jobs, check):
        rsa = operation == "rsa-sign"
        env = place.env(engine, memory, **({"CHECK_RSA": CHECKS[check]} if rsa else {}))
        found = cost(place, env, operation, size, jobs, context.rounds, 1024 if rsa else 4096)
        name = "check: %s" % check if rsa else "%s, %s" % (engine, memory)
        for metric, value in found.items():
            add(metric, value, {"ratio": "%", "copied": "bytes"}.get(metric, "ns"), name,
                operation, size, jobs)
        return "%.0f %% of software's %.0f ns" % (found["ratio"], found["software"])

    def one_speed(name, args, side):
        more, least = SIDES[side] or ([], None)
        env = place.env("auto", MIN_SIZE=least) if least else dict(os.environ)
        found = speed(env, args, PROVIDER + more if least else [])
        for size, rate in found.items():
            add("speed", rate, "MB/s", side, name, size, None)
        return "%.0f MB/s at 16384 B" % found[16384]

    def one_share(memory):
        value = copy_share(place, memory)
        add("copies", value, "%", "null, " + memory, CIPHER, 16384, 32)
        return "%.1f %% in copies" % value

    def one_trip(size):
        bare, ours = round_trip(place, place.env("null", "preload, no copy"), size, context.rounds,
                                4096)
        add("bare", bare, "ns", "null", CIPHER, size, 0)
        add("round trip", ours, "ns", "null", CIPHER, size, 0)
        return "%.0f ns, and %.0f more" % (bare, ours - bare)

    def one_server(name):
        ours = SERVERS[name][1]
        env = place.env("auto", MIN_SIZE="1024") if ours else dict(os.environ)
        rate, used = handshakes(place, env, name, 2 if context.quick else 5)
        add("handshakes", rate, "1/s", name, "rsa-2048, P-256", None, None)
        add("handshake CPU", used, "us", name, "rsa-2048, P-256", None, None)
        return "%.0f handshakes/s, %.0f us of CPU each" % (rate, used)

    try:
        for case in cases:
            attempt("%s %s %s %d B %d jobs %s" % case, lambda case=case: one_cost(*case))
        for name, args in SPEED.items():
            for side in SIDES:
                attempt("openssl speed %s, %s" % (name, side),
                        lambda n=name, a=args, s=side: one_speed(n, a, s))
        for memory in MEMORY:
            attempt("copies, %s" % memory, lambda m=memory: one_share(m))
        for size in TRIPS:
            attempt("round trip, %d B" % size, lambda s=size: one_trip(s))
        for name in servers:
            attempt(name, lambda n=name: one_server(n))
    finally:
        place.end()
    return records, failed


def value_of(records, device, algo, size, jobs, metric):
    """Returns the value of a record of this section, or None."""
    return cperf.find(records, SECTION, device=device, algo=algo, size=size, burst=jobs,
                      metric=metric)


def cost_rows(records, hz=None):
    """Returns the rows of the cipher: CPU of the program by device, texts, size and jobs; in ns, or
    in cycles per byte if the rate of the CPU's clock is known."""
    rows = [["device", "texts", "bytes", "jobs", "default provider", "program", "%",
             "of which poller", "device's threads", "copied bytes per byte"]]
    place = list(MEMORY).index
    seen = sorted({(r["device"], r["size"], r["burst"], r["algo"]) for r in records
                   if r["section"] == SECTION and r["algo"] in (CIPHER, PIPES)
                   and r["metric"] == "program"},
                  key=lambda k: (list(ENGINES).index(k[0].split(",")[0]), k[1], k[2], k[3],
                                 place(k[0].split(", ", 1)[1])))
    for device, size, jobs, algo in seen:
        numbers = [value_of(records, device, algo, size, jobs, m)
                   for m in ("software", "program", "ratio", "poller", "device", "copied")]
        if hz:
            numbers = [n if i in (2, 5) else n * hz / 1e9 / size for i, n in enumerate(numbers)]
        digits = [2, 2, 0, 2, 2] if hz else [0] * 5
        many = "%d pipes" % jobs if algo == PIPES else jobs or "-"
        rows.append(device.split(", ", 1) + [size, many] +
                    [cell(n, d) for n, d in zip(numbers, digits)] + [cell(numbers[5] / size, 1)])
    return rows


def rsa_rows(records):
    """Returns the rows of RSA-2048 signatures."""
    rows = [["check", "jobs", "default provider, us", "program, us", "%", "thread of the jobs, us",
             "poller, us"]]
    seen = [(r["device"], r["burst"]) for r in records if r["section"] == SECTION
            and r["algo"] == "rsa-sign" and r["metric"] == "program"]
    for device, jobs in seen:
        numbers = [value_of(records, device, "rsa-sign", 32, jobs, m)
                   for m in ("software", "program", "ratio", "main", "poller")]
        rows.append([device.split(": ")[1], jobs or "-"] +
                    [cell(n if i == 2 else n / 1000, 1) for i, n in enumerate(numbers)])
    return rows


def speed_rows(records):
    """Returns the rows of openssl speed, in MB/s."""
    rows = [["cipher", "provider"] + [
        "%d B" % size if size == aead else "%d B (AEAD %d)" % (size, aead)
        for size, aead in zip(SPEED_SIZES, AEAD_SIZES)]]
    for name in SPEED:
        for side in SIDES:
            numbers = [value_of(records, side, name, size, None, "speed") for size in SPEED_SIZES]
            if None not in numbers:
                rows.append([name, side] + [cell(n, 1) for n in numbers])
    return rows


def other_rows(records):
    """Returns the rows of the copies' share and of handshakes."""
    shares = [["texts", "time in copies, %"]]
    for memory in MEMORY:
        value = value_of(records, "null, " + memory, CIPHER, 16384, 32, "copies")
        if value is not None:
            shares.append([memory, cell(value, 1)])
    rates = [["server", "handshakes per second", "CPU of the server for each, us"]]
    for r in records:
        if r["section"] == SECTION and r["metric"] == "handshakes":
            used = value_of(records, r["device"], r["algo"], None, None, "handshake CPU")
            rates.append([r["device"], cell(r["value"], 0), cell(used, 0)])
    return shares, rates


def claim_rows(records):
    """Returns what was aimed at beside what was measured: single operations, the size from which
    the device is faster, and the worst of what `auto` costs."""
    rows = [["what", "aim", "measured"]]
    for size in TRIPS:
        bare, ours = (value_of(records, "null", CIPHER, size, 0, m) for m in ("bare", "round trip"))
        if bare is not None:
            rows.append(["an operation of %d bytes of a caller who waits, above the bare round trip"
                         % size, "at most 1.3 us",
                         "%.2f us above %.2f" % ((ours - bare) / 1000, bare / 1000)])
    for algo, what in ((CIPHER, "jobs"), (PIPES, "pipes of a pipeline")):
        value = value_of(records, "null, preload, no copy", algo, 16384, 32, "ratio")
        if value is not None:
            rows.append(["16384 bytes of AES-GCM, 32 %s: the program's CPU" % what,
                         "at most 25 % of the default provider's", "%.0f %%" % value])
    for name in SPEED:
        default, device, auto = ({size: value_of(records, side, name, size, None, "speed")
                                  for size in SPEED_SIZES} for side in list(SIDES)[:3])
        if None in [*default.values(), *device.values(), *auto.values()]:
            continue
        faster = [size for size in SPEED_SIZES if all(device[s] >= default[s] for s in SPEED_SIZES
                                                      if s >= size)]
        worst = min(SPEED_SIZES, key=lambda size: auto[size] / default[size])
        place = (AEAD_SIZES if "-aead" in SPEED[name] else SPEED_SIZES)[SPEED_SIZES.index(worst)]
        rows.append(["%s: the device is faster than the default provider" % name, "-",
                     "from %d bytes on" % faster[0] if faster else "at no size"])
        rows.append(["%s: the slowest with `auto`" % name, "at least 95 % of the default provider",
                     "%.0f %% at %d bytes, %.0f %% at %d" % (
                         100 * auto[worst] / default[worst], place,
                         100 * auto[SPEED_SIZES[-1]] / default[SPEED_SIZES[-1]], SPEED_SIZES[-1])])
    return rows


def print_tables(records):
    """Prints what there is of this section."""
    if not any(r["section"] == SECTION for r in records):
        return
    shares, rates = other_rows(records)
    for title, rows in (("CPU time of an operation, ns", cost_rows(records)),
                        ("RSA-2048 signatures", rsa_rows(records)),
                        ("openssl speed, MB/s", speed_rows(records)),
                        ("Copies", shares), ("Handshakes", rates),
                        ("Aims", claim_rows(records))):
        cperf.say("\n" + title)
        for line in cperf.align([[str(c) for c in row] for row in rows], 2):
            cperf.say("    " + line)
