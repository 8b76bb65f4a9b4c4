# SPDX-License-Identifier: BSD-3-Clause
"""Boots a guest with functions of the accelerator, carries out on the host what the guest's test
script requests, and counts its results. tools/vm-test calls it.

The guest sends lines through a virtio-serial port:

  step TEXT, note TEXT     to show
  pass TEXT, fail TEXT     a test
  count N M TEXT           N tests that passed and M that failed
  value TEXT               a line of figures, shown as it is
  do ACTION [ARGUMENT]     requests one of the actions below; the answer is "ok ..." or "error ..."
  reboot                   the guest boots again now; its script begins with "hello" then
  end                      the script has reached its end

A guest that ends without "end", or takes too long, counts as a failed test."""

import argparse
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base.priority import session_nice

# The example starts QEMU with functions of accel-device. Its ids of functions and ports
# are those of Vm.function_option().
EXAMPLE = "examples/vm/qemu-vfio-user"
# Seconds for a boot with KVM, which takes two, before KVM is given up.
KVM_PROBE_S = 10
HELLO_S = 1800
# Seconds for an answer of QEMU or accel-device. It takes milliseconds where nothing else runs.
ANSWER_S = 300
# A guest that TCG translates has so many times the time. Limits are there for what hangs.
TCG_SLOW = 10
# accel-device stands for hardware, which does not wait for a CPU. On a busy machine it would miss
# the manual's times for a start and a reset.
NICE = -10 if os.geteuid() == 0 else 0


class VmError(Exception):
    """An error that ends the run."""


def say(text=""):
    """Prints a line for the user."""
    print(text, flush=True)


class Lines:
    """Lines from a socket, with a time limit."""

    def __init__(self, path, limit_s):
        self.socket = socket.socket(socket.AF_UNIX)
        self.buffer = b""
        end = time.monotonic() + limit_s
        while True:
            try:
                self.socket.connect(path)
                return
            except OSError as error:
                if time.monotonic() > end:
                    raise VmError("cannot connect to %s: %s" % (path, error)) from error
                time.sleep(0.05)

    def read(self, timeout):
        """Returns the next line, None after `timeout` seconds, or "" at the end of the stream."""
        end = time.monotonic() + timeout
        while b"\n" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(65536)
            except (TimeoutError, socket.timeout):
                return None
            except OSError:
                return ""
            if not data:
                return ""
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode(errors="replace").rstrip("\r") or " "

    def write(self, text):
        """Sends a line."""
        self.socket.settimeout(ANSWER_S)
        self.socket.sendall(text.encode() + b"\n")


class Qmp:
    """QEMU's monitor."""

    def __init__(self, path, limit_s):
        self.lines = Lines(path, limit_s)
        self.events = []
        self.lines.read(limit_s)
        self.command("qmp_capabilities")

    def _next(self, timeout):
        line = self.lines.read(timeout)
        if not line:
            raise VmError("QEMU's monitor does not answer")
        return json.loads(line)

    def command(self, name, **arguments):
        """Runs a command and returns its value."""
        self.lines.write(json.dumps({"execute": name, "arguments": arguments}))
        while True:
            answer = self._next(ANSWER_S)
            if "event" in answer:
                self.events.append(answer)
            elif "error" in answer:
                raise VmError("%s: %s" % (name, answer["error"]["desc"]))
            else:
                return answer["return"]

    def wait_event(self, name, device, timeout):
        """Returns True if the event about `device` comes within `timeout` seconds."""
        end = time.monotonic() + timeout
        while True:
            for event in self.events:
                if event["event"] == name and event.get("data", {}).get("device") == device:
                    self.events.remove(event)
                    return True
            left = end - time.monotonic()
            if left <= 0:
                return False
            line = self.lines.read(left)
            if line == "":
                return False
            if line:
                answer = json.loads(line)
                if "event" in answer:
                    self.events.append(answer)


class Daemon:
    """One accel-device: a card with one or more functions."""

    def __init__(self, number, command, sockets, control, log):
        self.number = number
        self.argv = ["nice", "-n", str(NICE)] + list(command) + ["--control", control]
        for path in sockets:
            self.argv += ["--socket", path]
        self.control = control
        self.sockets = sockets
        self.log = log
        self.process = None

    def start(self):
        """Starts the daemon and waits until its sockets exist."""
        for path in self.sockets:
            if os.path.exists(path):
                os.unlink(path)
        with open(self.log, "ab") as log:
            log.write(("$ " + shlex.join(self.argv) + "\n").encode())
            log.flush()
            # pylint: disable=consider-using-with
            self.process = subprocess.Popen(self.argv, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=subprocess.STDOUT, start_new_session=True)
        session_nice(self.process.pid, NICE)
        end = time.monotonic() + ANSWER_S
        while not all(os.path.exists(path) for path in self.sockets):
            if self.process.poll() is not None:
                raise VmError("accel-device ended with code %d, see %s"
                              % (self.process.returncode, self.log))
            if time.monotonic() > end:
                raise VmError("accel-device offers no socket, see " + self.log)
            time.sleep(0.02)

    def kill(self):
        """Kills the daemon."""
        self.process.kill()
        self.process.wait()

    def crash(self):
        """Kills the daemon below its keeper, which starts another one."""
        path = "/proc/%d/task/%d/children" % (self.process.pid, self.process.pid)
        with open(path, encoding="ascii") as file:
            os.kill(int(file.read().split()[0]), signal.SIGKILL)

    def fault(self, items):
        """Injects faults, as a user does over the control socket."""
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(ANSWER_S)
            control.connect(self.control)
            control.sendall(("fault %s\n" % items).encode())
            answer = control.recv(1024).decode().strip()
        if answer != "ok":
            raise VmError(answer)

    def stop(self):
        """Ends the daemon as a user does. Returns its exit code, or None if it had to be killed."""
        if self.process is None or self.process.poll() is not None:
            return self.process.returncode if self.process else 0
        self.process.terminate()
        try:
            return self.process.wait(ANSWER_S)
        except subprocess.TimeoutExpired:
            self.kill()
            return None


class Vm:
    """A guest, its cards, and the requests of the guest's script."""

    def __init__(self, args):
        self.args = args
        self.begin = time.monotonic()
        # The path is short, because that of a socket has at most 107 characters.
        self.dir = tempfile.mkdtemp(prefix="accel-vm.")
        self.console = os.path.join(args.results, "console.log")
        self.qemu = self.qmp = self.control = self.accel = None
        self.slow = 1
        # How often the guest has moved to another QEMU.
        self.moves = 0
        self.passed, self.failed = args.counted
        self.daemons, self.functions = [], []
        for count in args.functions:
            sockets = [self.path("f%d.sock" % (len(self.functions) + i)) for i in range(count)]
            number = len(self.daemons)
            command = shlex.split(args.device)
            if args.keep and number == 0:
                command.append("--keep")
            self.daemons.append(Daemon(number, command, sockets, self.path("c%d.sock" % number),
                                       os.path.join(args.results,
                                                    "accel-device%d.log" % number)))
            self.functions += [(path, number) for path in sockets]

    def path(self, name):
        """Returns the path of a file of this run."""
        return os.path.join(self.dir, name)

    def here(self, name):
        """Returns the path of a file of the QEMU that has the guest."""
        return self.path(name + ("%d" % self.moves if self.moves else ""))

    def image(self, name):
        """Returns the path of a file of the guest."""
        return os.path.join(self.args.dir, name)

    # ------------------------------------------------------------ QEMU

    def function_option(self, number):
        """Returns the function as an argument of -device and device_add."""
        if self.args.pf:
            option = {"driver": "accel-pf", "id": "accel0", "bus": "port0"}
            for word in self.args.pf.split(","):
                name, _, value = word.partition("=")
                option[name] = int(value) if value.isdigit() else value
            return option
        port = 0 if self.args.move else number
        return {"driver": "vfio-user-pci", "id": "accel%d" % number, "bus": "port%d" % port,
                "socket": {"type": "unix", "path": self.functions[number][0]}}

    def disk(self):
        """Returns the options of the guest's disk. What the guest writes is lost at the end of
        QEMU, except for a guest that boots again or moves."""
        image = self.image("guest.img")
        if not self.args.reboot and not self.args.move:
            return "snapshot=on,file=" + image
        copy = self.path("disk")
        if not os.path.exists(copy):
            subprocess.run(["cp", "--sparse=always", image, copy], check=True)
        return "file=" + copy

    def machine_with_pf(self, accel):
        """Returns the first part of QEMU's command line, for a card of app/qemu-accel."""
        memory = "%dM" % self.args.memory
        # QEMU 10.0 can lose a write of a CPU to its xAPIC while another CPU changes the map of
        # the memory, as each program on a VF makes it do. If that is the end of an interrupt, the
        # CPU waits for its timer for good. An x2APIC has no memory.
        return shlex.split(self.args.qemu) + [
            "-machine", "q35,kernel-irqchip=split,memory-backend=ram", "-accel", accel,
            "-cpu", "max" if accel.startswith("tcg") else "host",
            "-smp", str(self.args.cpus), "-m", memory,
            "-object", "memory-backend-memfd,id=ram,share=on,size=" + memory,
            "-device", "intel-iommu,intremap=on,caching-mode=on,eim=on",
            # The firmware gives a port room for the BARs that it sees. It does not see those of the
            # VFs, 16 of 256 KiB, so the kernel would have to look for room once more.
            "-device", "pcie-root-port,id=port0,chassis=1,addr=0x10,pref64-reserve=16M",
            "-device", json.dumps(self.function_option(0))]

    def machine_with_functions(self, accel):
        """Returns the first part of QEMU's command line, for cards of accel-device: the example as
        a user calls it, with QEMU's words as one program."""
        program = self.path("qemu")
        with open(program, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nset -x\nexec %s \"$@\"\n" % self.args.qemu)
        os.chmod(program, 0o755)
        sockets = [path for path, _ in self.functions]
        return ["env", "QEMU=" + program, "ACCEL=" + accel, "CPUS=%d" % self.args.cpus,
                "MEMORY=%d" % self.args.memory, "PLUG=" + ("no" if self.moves else "yes"),
                os.path.join(self.args.source, EXAMPLE),
                sockets[0] if self.args.move else ",".join(sockets)]

    def qemu_argv(self, accel):
        """Returns the whole command line of QEMU."""
        args = self.args
        # The kernel would panic if its timer has no CPU while it looks whether it works.
        command_line = ["console=ttyS0", "quiet", "panic=-1", "intel_iommu=on", "iommu=nopt",
                        "mitigations=off", "no_timer_check", "accel.run=" + args.run]
        argv = self.machine_with_pf(accel) if args.pf else self.machine_with_functions(accel)
        argv += [
            "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
            "-kernel", self.image("vmlinuz"), "-initrd", self.image("initrd"),
            "-append", " ".join(command_line),
            "-drive", "if=none,id=root,format=raw," + self.disk(),
            "-device", "virtio-blk-pci,drive=root",
            "-serial", "file:" + self.console,
            "-qmp", "unix:%s,server=on,wait=off" % self.here("qmp"),
            "-chardev", "socket,id=control,server=on,wait=off,path=" + self.here("control"),
            "-device", "virtio-serial-pci",
            "-device", "virtserialport,chardev=control,name=accel",
        ]
        for tag, folder, rights in (("source", args.source, ",readonly=on"),
                                    ("build", args.build, ",readonly=on"),
                                    ("results", args.results, "")):
            argv += ["-virtfs", "local,path=%s,mount_tag=%s,security_model=none,multidevs=remap%s"
                     % (folder, tag, rights)]
        if args.peer:
            argv += ["-object", "cryptodev-backend-builtin,id=backend", "-device",
                     "virtio-crypto-pci,cryptodev=backend,iommu_platform=off,addr=0x18"]
        return argv

    def boot(self):
        """Starts a guest, with KVM if it works here, else with QEMU's own translator."""
        wanted = self.args.accel
        known = os.path.join(self.args.dir, "accel")
        if wanted == "auto":
            if os.path.exists(known):
                with open(known, encoding="ascii") as file:
                    wanted = file.read().strip()
            elif not os.access("/dev/kvm", os.R_OK | os.W_OK):
                wanted = "tcg"
        if wanted == "auto":
            wanted = "kvm" if self.start("kvm", KVM_PROBE_S) else "tcg"
            with open(known, "w", encoding="ascii") as file:
                file.write(wanted)
            if wanted == "kvm":
                return
            say("    KVM does not boot a guest although /dev/kvm exists; using TCG, which is slow")
        if not self.start("tcg,thread=multi" if wanted == "tcg" else wanted, HELLO_S):
            raise VmError("the guest does not come up; its console:\n" + self.tail(self.console))

    def launch(self, *more):
        """Starts QEMU. Returns the path of its log."""
        argv = self.qemu_argv(self.accel) + list(more)
        log = os.path.join(self.args.results, os.path.basename(self.here("qemu")) + ".log")
        with open(log, "wb") as file:
            file.write(("$ " + shlex.join(argv) + "\n").encode())
            file.flush()
            # pylint: disable=consider-using-with
            self.qemu = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=file,
                                         stderr=subprocess.STDOUT, start_new_session=True)
        session_nice(self.qemu.pid, os.getpriority(os.PRIO_PROCESS, 0))
        return log

    def start(self, accel, limit_s):
        """Returns True if the guest's script has begun within the limit. Otherwise all is
        stopped."""
        self.stop()
        self.accel = accel
        self.slow = TCG_SLOW if accel.startswith("tcg") else 1
        with open(os.path.join(self.args.results, "slow"), "w", encoding="ascii") as file:
            file.write("%d\n" % self.slow)
        for daemon in self.daemons:
            daemon.start()
        log = self.launch()
        end = time.monotonic() + limit_s
        try:
            self.qmp = Qmp(self.here("qmp"), min(limit_s, ANSWER_S))
            self.control = Lines(self.here("control"), 5)
            while time.monotonic() < end and self.qemu.poll() is None:
                line = self.control.read(0.5)
                if line and line.startswith("hello"):
                    return True
        except VmError:
            pass
        time.sleep(0.2)
        if self.qemu.poll() is not None and not accel.startswith("kvm"):
            raise VmError("QEMU ended:\n" + self.tail(log))
        self.stop()
        return False

    def reboot(self):
        """Waits for the end of QEMU at the guest's reboot, and starts it again with the same
        disk."""
        try:
            self.qemu.wait(HELLO_S)
        except subprocess.TimeoutExpired as error:
            raise VmError("the guest does not reboot") from error
        if not self.start(self.accel, HELLO_S):
            raise VmError("the guest does not boot again:\n" + self.tail(self.console))

    def stop(self):
        """Stops QEMU and the cards."""
        for part in (self.control, self.qmp and self.qmp.lines):
            if part:
                part.socket.close()
        self.control = self.qmp = None
        if self.qemu and self.qemu.poll() is None:
            self.qemu.kill()
            self.qemu.wait()
        for daemon in self.daemons:
            daemon.stop()
        for name in ("qmp", "control"):
            if os.path.exists(self.here(name)):
                os.unlink(self.here(name))

    @staticmethod
    def tail(path, lines=25):
        """Returns the last lines of a log."""
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read().splitlines()[-lines:]
        except OSError:
            text = []
        return "\n".join("    | " + line for line in text)

    # ------------------------------------------------------------ actions

    def do_kill(self, number):
        """Kills the card of a function."""
        self.daemons[self.functions[int(number)][1]].kill()

    def do_crash(self, number):
        """Kills the daemon of a function whose card has a keeper."""
        self.daemons[self.functions[int(number)][1]].crash()

    def do_start(self, number):
        """Starts the card of a function again."""
        self.daemons[self.functions[int(number)][1]].start()

    def do_fault(self, number, items):
        """Injects faults into the card of a function."""
        self.daemons[self.functions[int(number)][1]].fault(items)

    def do_unplug(self, number):
        """Pulls a function out of the guest."""
        name = "accel" + number
        present = self.qmp.command("qom-list", path="/machine/peripheral")
        if not any(entry["name"] == name for entry in present):
            return
        try:
            self.qmp.command("device_del", id=name)
        except VmError as error:
            # The guest has already switched the slot off.
            if "not found" not in str(error):
                raise
            return
        if not self.qmp.wait_event("DEVICE_DELETED", name, ANSWER_S):
            raise VmError("the guest does not let go of function " + number)

    def do_plug(self, number):
        """Plugs a function into the guest."""
        self.qmp.command("device_add", **self.function_option(int(number)))

    def migrate(self, source, log):
        """Has QEMU with the monitor `source` send the guest to the one that waits for it. Returns
        what it says about that."""
        address = "unix:" + self.here("move")
        self.qmp.command("migrate-incoming", uri=address)
        source.command("migrate", uri=address)
        while True:
            time.sleep(0.1)
            state = source.command("query-migrate")
            if state.get("status") == "completed":
                return state
            if state.get("status") in ("failed", "cancelled"):
                raise VmError("the guest does not move: %s" % state.get("error-desc", state))
            if self.qemu.poll() is not None:
                raise VmError("the other QEMU ended: " + self.tail(log))

    @staticmethod
    def end_qemu(qemu, *sockets):
        """Ends a QEMU without the guest."""
        qemu.kill()
        qemu.wait()
        for lines in sockets:
            if lines:
                getattr(lines, "lines", lines).socket.close()

    def do_move(self, old, new):
        """Moves the guest to another QEMU on this machine. Function `old` is unplugged before, and
        function `new`, of another card, is plugged in after that. The answer has QEMU's figures:
        milliseconds of the move, and those in which no CPU of the guest ran."""
        self.do_unplug(old)
        here = self.qemu, self.qmp, self.control, self.console
        self.qmp = self.control = None
        try:
            self.moves += 1
            self.console = os.path.join(self.args.results, "console%d.log" % self.moves)
            log = self.launch("-incoming", "defer")
            self.qmp = Qmp(self.here("qmp"), ANSWER_S)
            self.control = Lines(self.here("control"), ANSWER_S)
            state = self.migrate(here[1], log)
        except VmError:
            # The guest still runs where it was.
            gone = self.qemu, self.qmp, self.control
            self.qemu, self.qmp, self.control, self.console = here
            self.moves -= 1
            self.end_qemu(*gone)
            raise
        self.end_qemu(*here[:3])
        # The guest runs when the other QEMU has read all.
        while self.qmp.command("query-status")["status"] != "running":
            time.sleep(0.1)
        self.do_plug(new)
        return "%d %d" % (state["total-time"], state["downtime"])

    def act(self, words):
        """Carries out what the guest requests. Returns the answer."""
        action = getattr(self, "do_" + words[0], None)
        if action is None:
            return "error there is no action " + words[0]
        try:
            result = action(*words[1:])
            return "ok" if result is None else "ok %s" % result
        except (VmError, OSError, TypeError, ValueError, IndexError) as error:
            return "error " + str(error).replace("\n", " ")

    # ------------------------------------------------------------ the run

    def count(self, good, text):
        """Counts a test."""
        self.passed += good
        self.failed += not good
        say("    %-8s %s" % ("ok" if good else "FAILED", text))

    def count_many(self, passed, failed, text):
        """Counts the tests of a program. A program without tests has failed."""
        failed += passed + failed == 0
        self.passed += passed
        self.failed += failed
        say("    %-8s %s: %d passed, %d failed"
            % ("FAILED" if failed else "ok", text, passed, failed))

    def explain(self):
        """Writes down what the guest's CPUs do. One of them has waited for a timer for good."""
        path = os.path.join(self.args.results, "cpus.txt")
        commands = ["info registers -a"] + ["info lapic %d" % i for i in range(self.args.cpus)]
        try:
            with open(path, "w", encoding="ascii", errors="replace") as file:
                for line in commands:
                    text = self.qmp.command("human-monitor-command", **{"command-line": line})
                    file.write("(qemu) %s\n%s\n" % (line, text))
            say("    what its CPUs do: " + path)
        except (VmError, OSError) as error:
            say("    QEMU does not say what its CPUs do: %s" % error)

    def serve(self):
        """Serves the guest until its end."""
        limit_s = self.args.timeout * self.slow
        end = time.monotonic() + limit_s
        while True:
            line = self.control.read(1)
            if line is None:
                if time.monotonic() > end:
                    self.count(False, "the guest is not ready after %d s" % limit_s)
                    self.explain()
                    say(self.tail(self.console))
                    return
                if self.qemu.poll() is not None:
                    line = ""
                else:
                    continue
            if line == "":
                self.count(False, "the guest went away before its script's end")
                say(self.tail(self.console))
                return
            word, _, rest = line.partition(" ")
            if word in ("pass", "fail"):
                self.count(word == "pass", rest)
            elif word == "count":
                passed, failed, text = rest.split(" ", 2)
                self.count_many(int(passed), int(failed), text)
            elif word == "step":
                say("\n--> %s [%d s]" % (rest, time.monotonic() - self.begin))
            elif word == "note":
                say("    " + rest)
            elif word == "value":
                say(rest)
            elif word == "reboot":
                self.reboot()
            elif word == "do":
                # The action may move the guest, and the port with it.
                answer = self.act(rest.split())
                self.control.write(answer)
            elif word == "end":
                return

    def leave(self):
        """Waits for the end of QEMU, and ends the cards."""
        try:
            self.qemu.wait(20)
        except subprocess.TimeoutExpired:
            pass
        if self.args.pf:
            code = self.qemu.poll()
            self.count(code == 0, "QEMU with the card ends when the guest is switched off%s" % (
                "" if code == 0 else ": code %s" % code))
        for daemon in self.daemons:
            code = daemon.stop()
            self.count(code == 0, "accel-device %d ends when told to%s" % (
                daemon.number, "" if code == 0 else ": code %s, see %s" % (code, daemon.log)))

    def run(self):
        """Runs the guest from its boot to its end."""
        try:
            self.boot()
            say("    the guest is up after %d s" % (time.monotonic() - self.begin))
            self.serve()
            self.leave()
        finally:
            self.stop()
            shutil.rmtree(self.dir, ignore_errors=True)


def parse():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="boots a guest and serves its test script")
    parser.add_argument("--qemu", required=True, help="words that start QEMU")
    parser.add_argument("--dir", required=True, help="kernel, initramfs and image of the guest")
    parser.add_argument("--source", required=True, help="the project, for the guest to read")
    parser.add_argument("--build", required=True, help="what it has built, for the guest to read")
    parser.add_argument("--results", required=True, help="folder that the guest writes to")
    parser.add_argument("--run", default="test/vm/guest", help="the guest's script, in the project")
    parser.add_argument("--device", default="", help="words that start accel-device")
    parser.add_argument("--functions", type=int, nargs="*", default=[],
                        help="functions of each card")
    parser.add_argument("--keep", action="store_true", help="the first card has a keeper")
    parser.add_argument("--pf", help="properties of a card of app/qemu-accel, with that QEMU")
    parser.add_argument("--counted", type=int, nargs=2, default=(0, 0),
                        help="tests that passed and failed in runs before this one")
    parser.add_argument("--reboot", action="store_true",
                        help="the guest's disk keeps what it writes")
    parser.add_argument("--move", action="store_true",
                        help="the guest has the function of the first card, and can move")
    parser.add_argument("--peer", action="store_true", help="with QEMU's virtio-crypto")
    parser.add_argument("--accel", default="auto", help="auto, kvm, tcg")
    parser.add_argument("--cpus", type=int, default=2)
    parser.add_argument("--memory", type=int, default=2048, help="MB")
    parser.add_argument("--timeout", type=int, default=900,
                        help="seconds for the guest's script, with KVM")
    return parser.parse_args()


def main():
    """Runs the guest and prints the count."""
    args = parse()
    os.makedirs(args.results, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    vm = Vm(args)
    try:
        vm.run()
    except VmError as error:
        vm.count(False, str(error))
    say("%d passed, %d failed" % (vm.passed, vm.failed))
    return 1 if vm.failed or not vm.passed else 0


if __name__ == "__main__":
    sys.exit(main())
