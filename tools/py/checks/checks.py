# SPDX-License-Identifier: BSD-3-Clause
"""Checks the texts of the source tree and the behaviour of its scripts, and prints TAP. The
checks of the documentation are in docs.py."""

import argparse
import os
import re
import subprocess
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from checks import algorithm_checks, barriers, docs, duties, examples, room_checks, script_checks
from contract import generate
from checks.tree import Findings, ROOT, list_files, read

LICENCE = "BSD-3-Clause"
# This folder links to QEMU and has QEMU's licence; nothing else of the project may need it.
QEMU_DEVICE = "app/qemu-accel/"
QEMU_LICENCE = "GPL-2.0-or-later"
MAX_COLUMNS = 100
LIMIT_MIN_S = 1200  # of a test

DRIVER = "drivers/crypto/accel/"
# Only this file may depend on versions of DPDK and compilers.
COMPAT = DRIVER + "base/accel_compat.h"

# DPDK's devtools/checkpatches.sh and its guide for new drivers refuse these in a driver.
FORBIDDEN = [
    (r"\b(?:RTE_LOG|RTE_LOG_DP|rte_log)\s*\(", "use the driver's own dynamic log macros"),
    (r"\b(?:f|v|vf|d)?printf\s*\(|\bputs\s*\(|\bperror\s*\(", "a driver does not print"),
    (r"\brte_(?:panic|exit)\s*\(", "a driver does not end the process"),
    (r"\bassert\s*\(|\bRTE_VERIFY\s*\(", "a driver does not abort on what a caller can cause"),
    (r"__attribute__", "use DPDK's macros"),
    (r"%ll*[xud]", "use PRI macros"),
    (r"\bfor\s*\((?:char|u?int|unsigned|s?size_t)", "declare the variable before the loop"),
    (r"\brte_atomic\d\d_", "use C11 atomics"),
    (r"\brte_smp_[rw]?mb\s*\(", "use rte_atomic_thread_fence() or C11 atomics"),
    (r"\b__sync_\w+\s*\(", "use DPDK's or C11 atomics"),
    (r"\b__atomic_\w+\s*\(", "use DPDK's or C11 atomics (through accel_compat.h)"),
    (r"\bpthread_(?!mutex|sigmask)\w+", "use rte_ctrl_thread_create() and rte_spinlock"),
    (r"\b__rte_always_inline\b", "use plain inline"),
    (r"\brte_thread_(?:set_name|create_control)\s*\(", "use the functions for internal threads"),
    (r"\b__rte_atomic_thread_fence\s*\(", "use rte_atomic_thread_fence()"),
    (r"\b__typeof__\b", "use typeof or RTE_ macros"),
    (r"\b__alignof__\b", "use C11's alignof"),
    (r"\b__builtin_\w+", "use DPDK's macros"),
    (r"^\s*#\s*pragma\b|\b_Pragma\b", "no pragmas"),
    (r"\bRTE_LOG_REGISTER\s*\(", "use RTE_LOG_REGISTER_DEFAULT or _SUFFIX"),
    (r"\b__reserved\b", "a reserved word on Windows"),
    (r"linux/pci_regs\.h", "use rte_pci.h"),
    (r"#\s*define\s+\w+\([^)]*\w\.\.\.\)", "no named variadic macro arguments"),
    (r"\benum\b[^;{]*__rte_packed|}\s*__rte_packed[^;]*;\s*/\*\s*enum", "no packed enums"),
    (r"\bRTE_(?:MIN|MAX)\s*\(.*\bRTE_(?:MIN|MAX)\s*\(", "DPDK 26.11 warns: one shadows the other"),
    (r"\bRTE_VERSION(?:_NUM)?\b", "knowledge of versions belongs to accel_compat.h"),
]
FORBIDDEN_MESON = [
    (r"\binstall_headers\b", "set headers"),
    (r"-DALLOW_EXPERIMENTAL_API|allow_experimental_apis", "drivers/meson.build sets it"),
]


def without_comments(text):
    """Returns C text with comments blanked and line numbers kept."""
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.DOTALL)


def match_lines(name, text, patterns):
    """Returns a message for every line of `text` that matches one of (pattern, reason)."""
    return ["%s:%d: %s (%s)" % (name, number, match.group().strip(), reason)
            for number, line in enumerate(text.splitlines(), 1)
            for pattern, reason in patterns
            for match in [re.search(pattern, line)] if match]


def spdx(files):
    """Finds files whose first lines lack the SPDX tag or have another licence. DPDK's own check of
    version maps refuses such a tag there."""
    found = []
    for name, text in files.items():
        if os.path.basename(name) == "version.map":
            continue
        tag = re.search(r"SPDX-License-Identifier:\s*([^\s*]+)", "\n".join(text.splitlines()[:4]))
        if not tag:
            found.append(name + ": no SPDX tag in its first lines")
        elif tag[1] != (QEMU_LICENCE if name.startswith(QEMU_DEVICE) else LICENCE):
            found.append("%s: licence %s" % (name, tag[1]))
    return found


def forbidden(files):
    """Finds tokens that DPDK refuses in drivers."""
    found = []
    for name, text in files.items():
        if not name.startswith("drivers/crypto/") or name == COMPAT:
            continue
        if name.endswith((".c", ".h")):
            found += match_lines(name, without_comments(text), FORBIDDEN)
        elif name.endswith("meson.build"):
            found += match_lines(name, text, FORBIDDEN_MESON)
    return found


def parsers(files):
    """Finds parsers of input that do not see what they leave: scanf() takes signs, blanks and a
    part of a number for the number that was asked for."""
    found = []
    folders = ("app/", "drivers/", "examples/", "lib/")
    for name, text in files.items():
        if name.startswith(folders) and name.endswith((".c", ".h")):
            found += match_lines(name, without_comments(text), [
                (r"\b[vfs]{0,2}scanf\s*\(", "take digits, strtoul() and the end of the text")])
    return found


def exports(files):
    """What the three places say about the functions that the driver exports, where they differ: the
    headers, version.map for older DPDK versions, and the lines from which newer ones make it."""
    tagged, version = {}, None
    for line in files[DRIVER + "version.map"].splitlines():
        tag = re.match(r"\s*#.* added in (\S+)", line)
        symbol = re.match(r"\s*(rte_\w+);", line)
        if tag:
            version = tag[1]
        elif symbol:
            tagged[symbol[1]] = version
    exported = {symbol: version for name, text in files.items()
                if name.startswith(DRIVER) and name.endswith(".c")
                for symbol, version in re.findall(
                    r"^RTE_EXPORT_EXPERIMENTAL_SYMBOL\((\w+), (\S+)\)\n", text, re.MULTILINE)}
    headers = "".join(text for name, text in files.items()
                      if re.fullmatch(DRIVER + r"(vdev/)?rte_pmd_accel\w*\.h", name))
    declared = re.findall(r"^__rte_experimental\n.*\n(rte_pmd_accel_\w+)\(", headers, re.MULTILINE)
    found = ["%s: added in %s in version.map, %s where it is exported" % (
        symbol, tagged.get(symbol), exported.get(symbol))
             for symbol in sorted(tagged.keys() | exported.keys())
             if tagged.get(symbol) is None or tagged[symbol] != exported.get(symbol)]
    found += [symbol + ": not declared in a public header, or declared and not exported"
              for symbol in sorted(set(declared) ^ tagged.keys())]
    return found


def layout(files):
    """Finds long lines, blanks at line ends, blanks instead of tabs, and missing last newlines."""
    found = []
    for name, text in files.items():
        code = name.endswith((".c", ".h", ".py")) or name.startswith(("tools/", ".ci/"))
        if text and not text.endswith("\n"):
            found.append(name + ": no newline at the end")
        for number, line in enumerate(text.splitlines(), 1):
            if line != line.rstrip() and not name.endswith(".md"):
                found.append("%s:%d: blanks at the end of the line" % (name, number))
            if code and len(line.expandtabs(8)) > (MAX_COLUMNS if name.endswith((".c", ".h", ".py"))
                                                   else MAX_COLUMNS + 20):
                found.append("%s:%d: longer than %d columns" % (name, number, MAX_COLUMNS))
            if name.endswith((".c", ".h")) and line.startswith(" " * 8):
                found.append("%s:%d: indented with blanks" % (name, number))
    return found


def rooms(files):
    """Finds includes that the design does not allow."""
    rules = [
        ("lib/accel_hw/", r'#\s*include\s*[<"](?:rte_|openssl/|intel-ipsec-mb|libfdt)',
         "the contract depends on nothing"),
        ("lib/accel_model/", r'#\s*include\s*[<"](?:rte_|\w*_driver\.h|cryptodev_pmd)',
         "the model does not know DPDK"),
        ("lib/vfio_user/", r'#\s*include\s*[<"](?:rte_|accel_|openssl/|libfdt)',
         "vfio_user uses neither DPDK nor the model"),
        ("app/accel-device/", r'#\s*include\s*[<"](?:rte_|cryptodev_pmd)',
         "the daemon does not know DPDK"),
        ("app/accel-conformance/",
         r'#\s*include\s*[<"](?:rte_|cryptodev_pmd|accel_model|vfio_user\.h)',
         "accel-conformance knows the contract and neither DPDK nor the model"),
        ("app/accel-tool/",
         r'#\s*include\s*[<"](?:\w*_driver\.h|\w*_pmd\.h|accel_|\.\./|.*\btest/)',
         "dpdk-accel-tool uses DPDK's public API, rte_pmd_accel.h and lib/e2e"),
        ("lib/e2e/", r'#\s*include\s*[<"](?:\w*_driver\.h|\w*_pmd\.h|accel_|rte_pmd_accel)',
         "lib/e2e uses DPDK's public API and OpenSSL, and no driver"),
        ("lib/ossl_cryptodev/",
         r'#\s*include\s*[<"](?:\w*_driver\.h|\w*_pmd\.h|accel_|rte_pmd_accel)',
         "the OpenSSL provider uses DPDK's public API and OpenSSL, and no driver"),
        ("lib/ossl_cryptodev_mem/", r'#\s*include\s*[<"](?:rte_|accel_|ossl_cryptodev\.h)',
         "the preload knows neither DPDK nor the provider"),
        (QEMU_DEVICE, r'#\s*include\s*[<"](?:rte_|cryptodev_pmd)',
         "the device of QEMU does not know DPDK"),
        ("drivers/crypto/accel/", r'#\s*include\s*[<"](?:openssl/|intel-ipsec-mb)',
         "the driver uses no crypto library"),
    ]
    found = []
    for name, text in files.items():
        if not name.endswith((".c", ".h")):
            continue
        for folder, pattern, reason in rules:
            if name.startswith(folder):
                found += match_lines(name, text, [(pattern, reason)])
        if not name.startswith(QEMU_DEVICE):
            found += match_lines(name, text, [(r'#\s*include\s*[<"](?:qemu/|hw/pci/|qapi/|qom/)',
                                               "only app/qemu-accel may link to QEMU")])
        if name.startswith("drivers/crypto/accel/") and "/vdev/" not in name:
            found += match_lines(name, text, [(r'#\s*include\s*[<"]accel_model',
                                               "only the embedded device uses the model")])
    return found


def includes_of(files):
    """Returns {unit: {unit that it includes: place}} within drivers/ and lib/. A unit is a source
    file with the header of its name, so that a circle through a header and its source file is
    found."""
    units = {name: name.rsplit(".", 1)[0] for name in files
             if name.startswith(("drivers/", "lib/")) and name.endswith((".c", ".h"))}
    headers = {}
    for name in units:
        if name.endswith(".h"):
            headers.setdefault(os.path.basename(name), []).append(name)
    graph = {unit: {} for unit in units.values()}
    for name, unit in units.items():
        for number, line in enumerate(files[name].splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            for header in headers.get(os.path.basename(match[1]), ()) if match else ():
                if header.endswith(match[1]) and units[header] != unit:
                    graph[unit].setdefault(units[header], "%s:%d" % (name, number))
    return graph


def circles(files):
    """Finds circles of includes in drivers/ and lib/."""
    return room_checks.circles(includes_of(files))


def release(files):
    """What CHANGELOG.md and the package say of the version, where it differs from meson.build."""
    version = re.search(r"^ +version: '([\d.]+)',$", files["meson.build"], re.MULTILINE)[1]
    newest = re.search(r"^## ([\d.]+) \((?:unreleased|\d{4}-\d\d-\d\d)\)$", files["CHANGELOG.md"],
                       re.MULTILINE)
    found = []
    if newest is None or newest[1] != version:
        found.append("CHANGELOG.md: the first section is of %s, and meson.build has %s" % (
            newest and newest[1], version))
    symbols = files["debian/librte-crypto-accel1.symbols"]
    listed = set(re.findall(r"^ (rte_pmd_accel_\w+)@EXPERIMENTAL ", symbols, re.MULTILINE))
    exported = set(re.findall(r"^\s*(rte_\w+);", files[DRIVER + "version.map"], re.MULTILINE))
    found += ["debian/librte-crypto-accel1.symbols: %s is only there or only in version.map" % name
              for name in sorted(listed ^ exported)]
    soname = "librte_crypto_accel.so." + re.search(r"soversion: '(\d+)'",
                                                   files["drivers/meson.build"])[1]
    found += ["%s: %s is not named" % (name, soname) for name in (
        "debian/librte-crypto-accel1.symbols", "debian/librte-crypto-accel1.install",
        "test/e2e/pk.c", "drivers/meson.build") if soname not in files[name]]
    if soname.rsplit(".", 1)[1] != version.split(".", 1)[0]:
        found.append("drivers/meson.build: the SONAME has not the number of the major version")
    return found


def machines(files):
    """Finds names of package mirrors and paths of this machine."""
    patterns = [(r"\b(?:deb|ftp|security|snapshot|cdn-\w+)\.debian\.(?:org|net)\b",
                 "the host of a package mirror")]
    if len(ROOT) > 5:
        patterns.append((re.escape(ROOT) + r"\b", "a path of this machine"))
    found = []
    for name, text in files.items():
        found += match_lines(name, text, patterns)
    return found


def scripts(files):
    """Finds scripts that the shell or Python cannot parse, or that shellcheck reports."""
    found = []
    shellcheck = subprocess.run(["sh", "-c", "command -v shellcheck"], capture_output=True,
                                check=False).returncode == 0
    for name, text in files.items():
        path = os.path.join(ROOT, name)
        commands = []
        if text.startswith("#!/usr/bin/env bash") or name.endswith(".sh"):
            commands.append(["bash", "-n", path])
            if shellcheck:
                # supervised() calls functions by their names, which it takes for unreachable.
                commands.append(["shellcheck", "-x", "-P", ROOT, "-S", "warning", "-e", "SC2317",
                                 path])
            if not name.endswith(".sh") and not os.access(path, os.X_OK):
                found.append(name + ": not executable")
        elif name.endswith(".py"):
            try:
                compile(text, path, "exec")
            except SyntaxError as error:
                found.append("%s: %s" % (name, error))
        for command in commands:
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if result.returncode != 0:
                found += [line for line in (result.stdout + result.stderr).splitlines() if line]
    return found


def dpdk_meson(files):
    """Returns what DPDK's own check of meson files reports for those of the driver."""
    tool = os.path.join(ROOT, "build", "deps", "dpdk", "devtools", "check-meson.py")
    names = [n for n in files if n.startswith("drivers/crypto/") and n.endswith("meson.build")]
    if not os.path.isfile(tool) or not names:
        return []
    found = []
    for name in names:
        result = subprocess.run([sys.executable, tool, "-d",
                                 os.path.dirname(os.path.join(ROOT, name))],
                                capture_output=True, text=True, check=False)
        found += [line for line in (result.stdout + result.stderr).splitlines() if line]
    return found


def limits(files):
    """Finds tests that meson ends early: a limit is for what hangs, and meson's own is 30 s."""
    found = []
    for name, text in files.items():
        if not name.startswith("test/") or not name.endswith("meson.build"):
            continue
        for call in re.finditer(r"^ *test\(", text, re.MULTILINE):
            depth, end = 1, call.end()
            while depth > 0:
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            limit = re.search(r"\btimeout: (\d+)", text[call.end():end])
            if limit is None or int(limit[1]) < LIMIT_MIN_S:
                found.append("%s:%d: a limit of %d s or more is missing (timeout:)" % (
                    name, text.count("\n", 0, call.start()) + 1, LIMIT_MIN_S))
    return found


def main():
    """Runs every check and prints TAP."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    files = {name: text for name in list_files() for text in [read(name)] if text is not None}
    findings = Findings()
    findings.check("SPDX tag and licence on every file (%d files)" % len(files), spdx(files))
    findings.check("nothing that DPDK refuses in a driver", forbidden(files))
    findings.check("no scanf() of input in programs and libraries", parsers(files))
    findings.check("the driver's exports, their version and header agree", exports(files))
    findings.check("DPDK's check of the driver's meson.build", dpdk_meson(files))
    findings.check("each test has time on a machine that does much else", limits(files))
    findings.check("rooms: who includes what", rooms(files))
    findings.check("no circle of includes in drivers/ and lib/", circles(files))
    findings.check("rooms of %s: one-way arrows, a line each, not too full" %
                   ", ".join(house for house, _ in room_checks.HOUSES), room_checks.check(files))
    findings.check("each barrier has its partner in " + barriers.TABLE,
                   barriers.check(files, without_comments))
    findings.check("line ends, columns, tabs", layout(files))
    findings.check("one version, and the functions that it promises", release(files))
    findings.check("no mirror hosts, no paths of this machine", machines(files))
    findings.check("scripts parse", scripts(files))
    findings.check("what is made from doc/hardware/contract is not stale", generate.stale(ROOT))
    for title, found in (docs.findings(files) + duties.findings(files) +
                         examples.findings(files) + algorithm_checks.findings(files)):
        findings.check(title, found)
    for title, check in {**room_checks.CHECKS, **script_checks.CHECKS}.items():
        findings.check(title, check())
    print("# %d passed, %d failed\n1..%d" % (findings.passed, findings.failed,
                                             findings.passed + findings.failed))
    return 1 if findings.failed else 0


if __name__ == "__main__":
    sys.exit(main())
