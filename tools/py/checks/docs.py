# SPDX-License-Identifier: BSD-3-Clause
"""Checks names in the documentation: links, files, sections of the manual, options of scripts and
of accel-device, device arguments, build options.

It does not use the network. The notes (doc/notes) describe earlier states, so only their links are
checked. tools/checks runs this. tools/doc also compares the docs with the programs of a build, by
docs.py BUILD_FOLDER."""

import argparse
import fnmatch
import os
import re
import subprocess
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from checks import pictures, tree

NOTES = "doc/notes/"
MANUAL = "doc/hardware/manual.rst"
DRIVER_GUIDE = "doc/guides/cryptodevs/accel.rst"
DAEMON_GUIDE = "doc/guides/accel-device.rst"
FOLDERS = ("doc/", "drivers/", "lib/", "app/", "test/", "tools/", ".ci/")
SUFFIXES = re.compile(r"[\w*-][\w.*-]*(?:/[\w.*-]+)*\.(?:c|h|py|rst|md|ini|csv|txt|sh|build|svg)")
# The docs name these files of DPDK and QEMU.
FOREIGN = {"rte_crypto_sym.h", "dpdk-devbind.py", "dpdk-telemetry.py", "dpdk-pmdinfo.py",
           "checkpatches.sh", "app/test/test_cryptodev.c", "drivers/crypto/meson.build",
           "docs/interop/vfio-user.rst", "lib/systemd/system", "accel_dpdk_cryptodev.c",
           "app/test-security-perf/test_security_perf.c", "python/spdk/cli/misc.py",
           "include/spdk/module/accel/dpdk_cryptodev.h", "vhost_crypto.c",
           "bus_driver.h", "dev_driver.h", "bus_pci_driver.h", "bus_vmbus_driver.h",
           "src/plugins/dpdk/CMakeLists.txt", "src/plugins/dpdk/cryptodev/cryptodev.c"}
# Every script has these options, or passes them to a program that it calls.
COMMON_OPTIONS = {"--help"}


def headings(text, name):
    """Returns the titles of a page."""
    if name.endswith(".md"):
        return re.findall(r"^#+ +(.+?) *$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S),
                          re.M)
    found = re.findall(r"^(\S.*)\n([=~^\"'-])\2{2,} *$", text, re.M)
    return [title for title, _ in found]


def slug(title):
    """Returns the anchor that Markdown viewers make of a title."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def literals(text, name):
    """Returns the spans of code in a page."""
    if name.endswith(".md"):
        text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        return re.findall(r"(?<!`)`([^`]+)`(?!`)", text)
    return re.findall(r"``(.+?)``", text, re.DOTALL)


def command_lines(text, name):
    """Returns the spans of code and the lines of blocks of code. Continued lines are joined,
    comments are removed."""
    joined = re.sub(r"\\\n\s*", " ", text)
    found = literals(joined, name)
    if name.endswith(".md"):
        blocks = re.findall(r"^```.*?\n(.*?)^```", joined, re.M | re.S)
    else:
        blocks = re.findall(r"(?:::|console)\n\n((?:(?:[ \t]+.*)?\n)+)", joined)
    for block in blocks:
        found += block.splitlines()
    return [re.sub(r"\s#.*", "", line).strip() for line in found]


def check_links(pages):
    """Checks links and pictures of Markdown, and references within a page of reStructuredText."""
    found = []
    for name, text in pages.items():
        if name.endswith(".rst"):
            titles = headings(text, name)
            found += ["%s: no section \"%s\"" % (name, target)
                      for target in re.findall(r"(?<!`)`([^`<]+)`_(?!_)", text)
                      if " ".join(target.split()) not in titles]
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if not os.path.exists(os.path.join(tree.ROOT, path)):
                found.append("%s: no file %s" % (name, target))
            elif anchor and anchor not in map(slug, headings(tree.read(path), path)):
                found.append("%s: no anchor %s" % (name, target))
    return found


def is_there(token, names):
    """Returns whether the tree has a file or folder of this name, in which "*" matches anything."""
    token = token.rstrip("/")
    folders = {os.path.dirname(n) for n in names}
    folders |= {os.path.dirname(f) for f in folders} | {"build"}
    return any(fnmatch.fnmatch(n, token) or fnmatch.fnmatch(n, "*/" + token)
               for n in list(names) + list(folders))


def check_files(pages, names):
    """Checks files and folders that a page names."""
    found = []
    for name, text in pages.items():
        tokens = {t for span in literals(text, name) for t in span.split()}
        tokens |= set(re.findall(r"(?<![\w/.-])(?:\./)?tools/[\w./-]*\w", text))
        for token in sorted(tokens):
            token = token.removeprefix("./").rstrip(",.:;")
            if token in FOREIGN or not (token.startswith(FOLDERS) or SUFFIXES.fullmatch(token)):
                continue
            if not is_there(token, names):
                found.append("%s: no file %s" % (name, token))
    return found


def manual_sections(text):
    """Returns the numbers of the manual's sections."""
    return set(re.findall(r"^(\d+(?:\.\d+)?)\.? .+\n[-~]{3,} *$", text, re.M))


def check_sections(pages, sources):
    """Checks the sections of the manual that the manual, other pages and comments refer to."""
    known = manual_sections(pages[MANUAL])
    many = r"(\d+(?:\.\d+)*(?:(?:, | and | to |, and )\d+\.\d+)*)"
    foreign = re.compile(r"\b(?:TS|FIPS|IEEE|RFC|SP|GB/T|GM/T)[ \n][\w./-]+,?[ \n]sections? "
                         + many)
    found = []
    for name, text in list(pages.items()) + list(sources.items()):
        text = foreign.sub("", re.sub(r"\n\s*(?:\*|//|#)?\s*", " ", text))
        if name == MANUAL:
            used = re.findall(r"\bsections? " + many, text)
            used += re.findall(r"\((\d+\.\d+(?:(?:, | to )\d+\.\d+)*)\)", text)
        else:
            used = re.findall(r"\bmanual(?:'s)?,? (?:sections? )?" + many, text)
            used += re.findall(r"\bsections? " + many + r" of (?:the manual|`doc/hardware)", text)
        numbers = {n for group in used for n in re.findall(r"\d+(?:\.\d+)*", group)}
        found += ["%s: the manual has no section %s" % (name, n) for n in sorted(numbers - known)]
    return found


def script_text(script, files):
    """Returns a script together with the parts of tools/py that have its options."""
    text = "" if script.endswith(".py") else files.get("tools/" + script, "")
    parts = re.findall(r"tools/(py/\w+/\w+\.py)", text) + [script]
    for part in parts:
        if part.endswith(".py"):
            text += " ".join(re.findall(r"add_argument\(\s*\"(--[\w-]+)\"",
                                        files.get("tools/" + part, ""))) + " "
    return text


def options_of(line):
    """Returns the options in a command line, "--name=value" without its value."""
    return re.findall(r"(?<![\w-])(--[a-z][\w-]*\*?)", line)


def has_option(text, option):
    """Returns whether a source has the option, in which a "*" at the end matches anything."""
    if option.endswith("*"):
        return option[:-1] in text
    return re.search(r"(?<![\w-])" + re.escape(option) + r"(?![\w-])", text) is not None


def check_script_options(pages, files):
    """Checks options of scripts of tools/."""
    found = []
    for name, text in pages.items():
        for line in command_lines(text, name):
            for script, rest in re.findall(r"(?:^|\s)(?:\./)?tools/([\w./-]+)([^|;&]*)", line):
                source = script_text(script, files)
                found += ["%s: tools/%s has no %s" % (name, script, option)
                          for option in options_of(rest)
                          if option not in COMMON_OPTIONS and not has_option(source, option)]
    return found


def daemon_options(files):
    """Returns the options of accel-device, and those that are a second name of another one."""
    text = "".join(t for n, t in files.items() if n.startswith("app/accel-device/")
                   and n.endswith(".c"))
    names = re.findall(r"\.name = \"([\w-]+)\"(?:, \.alias = \"([\w-]+)\")?", text)
    names += re.findall(r"^\s*NUMBER\(\"([\w-]+)\", (?:\"([\w-]+)\"|NULL)", text, re.M)
    return ["--" + n for n, _ in names], ["--" + alias for _, alias in names if alias]


def check_daemon(pages, files):
    """Checks that pages name only options of accel-device that exist, and that its guide names
    all."""
    names, aliases = daemon_options(files)
    if not names:
        return ["app/accel-device: no options found; the check of the docs has to learn their form"]
    found = []
    for name, text in pages.items():
        used = [o for line in command_lines(text, name)
                for o in options_of((re.findall(r"accel-device (--[^|;&]*)", line) or [""])[0])]
        if name == DAEMON_GUIDE:
            used += [o for span in literals(text, name) if span.startswith("--")
                     for o in options_of(span)]
        found += ["%s: accel-device has no %s" % (name, o) for o in used
                  if not any(fnmatch.fnmatch(n, o) for n in names + aliases)]
    documented = [o for span in literals(pages[DAEMON_GUIDE], DAEMON_GUIDE)
                  for o in options_of(span)]
    return found + ["%s: %s is missing" % (DAEMON_GUIDE, o) for o in names + aliases
                    if o not in documented]


def device_arguments(files):
    """Returns the keys of the driver's device arguments."""
    text = "".join(t for n, t in files.items() if n.startswith("drivers/crypto/accel/")
                   and n.endswith(".c"))
    found = re.findall(r"\.key = \"(\w+)\"", text)
    return found + re.findall(r"^\s*\w+_(?:NUMBER|TEXT)\(\"?(\w+)\"?, ", text, re.M)


def check_devargs(pages, files):
    """Checks that pages name only device arguments that exist, and that the guide's table has
    all."""
    keys = device_arguments(files)
    if not keys:
        return ["drivers/crypto/accel: no device arguments found; the check of the docs has to "
                "learn their form"]
    found = []
    for name, text in pages.items():
        for devargs in re.findall(r"(?:crypto_accel\d|-a [\da-f:.]+),([\w=,.]+)", text):
            used = re.findall(r"(?:^|,)(\w+)=", devargs)
            found += ["%s: no device argument %s" % (name, k) for k in used if k not in keys]
    guide = pages[DRIVER_GUIDE]
    rows = re.findall(r"^``(\w+)``  ", guide[guide.index("Runtime configuration"):
                                             guide.index("\nTesting\n")], re.M)
    found += ["%s: no device argument %s" % (DRIVER_GUIDE, k) for k in rows if k not in keys]
    return found + ["%s: device argument %s is missing" % (DRIVER_GUIDE, k) for k in keys
                    if "``%s``" % k not in guide]


def check_build_options(pages, files):
    """Checks build options of meson."""
    known = re.findall(r"^option\('(\w+)'", files["meson_options.txt"], re.M)
    return ["%s: no build option %s" % (name, option) for name, text in pages.items()
            for line in command_lines(text, name) if "meson" in line
            for option in re.findall(r"(?<!\S)-D(\w+)=", line) if option not in known
            and not option.startswith("b_")]


def check_comments(pages):
    """Finds lines of Markdown outside of code that begin with a percent sign: MyST leaves them out,
    as comments."""
    found = []
    for name, text in pages.items():
        if not name.endswith(".md"):
            continue
        code = False
        for number, line in enumerate(text.splitlines(), 1):
            code ^= line.startswith("```")
            if line.startswith("%") and not code:
                found.append("%s:%d: begins with %%, so it is not in the HTML" % (name, number))
    return found


def check_built(pages, files, build):
    """Compares with a build: accel-device's list of options, and the names of built files."""
    found = []
    program = os.path.join(build, "app", "accel-device", "accel-device")
    if os.access(program, os.X_OK):
        done = subprocess.run([program, "--help"], capture_output=True, text=True, check=False)
        names = set(re.findall(r"^  (--[\w-]+)", done.stdout + done.stderr, re.M))
        known = set(daemon_options(files)[0])
        if names != known:
            found.append("accel-device --help and its table differ: " + " ".join(names ^ known))
    for name, text in pages.items():
        for path in re.findall(r"build/release/([\w./-]*\w)", text):
            folder = "meson-uninstalled" if path.startswith("meson-un") else path
            if not os.path.exists(os.path.join(build, folder)):
                found.append("%s: the build has no %s" % (name, path))
    return found


def pages_of(files):
    """Returns ({page: text} without the notes, {page: text} with them)."""
    pages = {n: t for n, t in files.items() if n.endswith((".md", ".rst"))}
    return {n: t for n, t in pages.items() if not n.startswith(NOTES)}, pages


def findings(files):
    """Returns [(title, messages)] of all checks that need nothing but the tree."""
    pages, with_notes = pages_of(files)
    sources = {n: t for n, t in files.items() if n.endswith((".c", ".h"))}
    return [("docs: links and anchors", check_links(with_notes)),
            ("docs: files that are named", check_files(pages, files)),
            ("docs: lines that would be comments", check_comments(pages)),
            ("docs, comments: sections of the manual", check_sections(pages, sources)),
            ("docs: options of scripts", check_script_options(pages, files)),
            ("docs: options of accel-device", check_daemon(pages, files)),
            ("docs: device arguments", check_devargs(pages, files)),
            ("docs: build options", check_build_options(pages, files))] + pictures.findings(files)


def main():
    """Runs all checks of the docs and prints TAP."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", nargs="?", help="a build, whose programs and files are looked at")
    build = parser.parse_args().build
    files = {name: text for name in tree.list_files()
             for text in [tree.read(name)] if text is not None}
    result = tree.Findings()
    for title, found in findings(files):
        result.check(title, found)
    if build:
        result.check("docs: what was built", check_built(pages_of(files)[0], files, build))
    print("# %d passed, %d failed\n1..%d" % (result.passed, result.failed,
                                             result.passed + result.failed))
    return 1 if result.failed else 0


if __name__ == "__main__":
    sys.exit(main())
