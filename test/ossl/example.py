# SPDX-License-Identifier: BSD-3-Clause
"""What tests of examples/tls share: its files with keys in a folder, a network of their own, what
the provider has counted."""

import os
import re
import shutil
import subprocess
import sys


def prepare(tests):
    """Puts the files of examples/tls, the keys that its README makes, and a file for web servers
    into the folder of the test."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/tls")
    for file in os.listdir(folder):
        shutil.copy(os.path.join(folder, file), tests.dir)
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        steps = re.search(r"```sh\n(.*?openssl req.*?)```", file.read(), re.S).group(1)
    done = tests.run(["sh", "-ec", steps], dict(os.environ), cwd=tests.dir)
    if done.returncode:
        sys.exit("the steps of examples/tls/README.md fail: " + done.stdout.decode())
    shutil.copy(tests.text, os.path.join(tests.dir, "www"))
    # nginx's workers are of another user. They write reports, and load the provider.
    tests.report = os.path.join(tests.dir, "reports", "report")
    os.mkdir(os.path.dirname(tests.report))
    os.chmod(os.path.dirname(tests.report), 0o777)
    os.chmod(tests.dir, 0o755)


def env(tests):
    """The environment of a program that reads the example's openssl.cnf."""
    libraries = [os.path.dirname(tests.plugin), os.environ.get("LD_LIBRARY_PATH", "")]
    return dict(os.environ, OPENSSL_CONF=os.path.join(tests.dir, "openssl.cnf"),
                OPENSSL_MODULES=tests.modules, OSSL_CRYPTODEV_REPORT=tests.report,
                LD_LIBRARY_PATH=":".join(filter(None, libraries)))


def counted(tests, field):
    """What a counter has for each kind of operation, in the reports since the last call."""
    done = {}
    if os.path.exists(tests.report):
        with open(tests.report, encoding="ascii") as file:
            for name, number in re.findall(r": (\S+) .*?\b%s=(\d+)" % field, file.read()):
                done[name] = done.get(name, 0) + int(number)
        os.unlink(tests.report)
    return done


def own_network():
    """Goes on in a network namespace of its own, where fixed addresses are free."""
    inside = "OSSL_OWN_NETWORK"
    if inside not in os.environ:
        enter = ["unshare", "-n" if os.getuid() == 0 else "-rn"]
        if subprocess.run([*enter, "true"], check=False).returncode:
            print("1..0 # SKIP no network namespaces here")
            sys.exit(0)
        os.execvpe(enter[0], [*enter, sys.executable, *sys.argv], dict(os.environ, **{inside: "1"}))
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
