# SPDX-License-Identifier: BSD-3-Clause
"""Says how much of the CPUs a session gets.

Where Linux makes a group of each session (autogroup), nice values only count inside of a session,
and each session gets the same part of the CPUs, whatever the nice values of its processes are. A
session has a nice value of its own there, which is set here."""


def session_nice(pid, nice):
    """Gives the session of a process a nice value. Without autogroups the nice values of the
    processes count, so nothing is done then, nor if the user may not set this value."""
    try:
        with open("/proc/%d/autogroup" % pid, "w", encoding="ascii") as file:
            file.write("%d" % nice)
    except OSError:
        pass
