# SPDX-License-Identifier: BSD-3-Clause
"""The series of patches for DPDK: what each of them has, for patchset.py.

The order is that of the rooms: a patch uses what earlier ones have, so each compiles and links. A
pattern is for base names, so a file may move between rooms. The device is probed from the patch
`probe` on, and its files grow with what later patches bring (GROWING). Patches of the library come
last, since the driver does without them."""

import collections

# name: of the patch. files: patterns of its source files. pages: pages of the guide that it adds.
# rows: sections of features/accel.ini, or rows of [Features], that it adds.
# message: of the commit. diff: a file of tools/series with the changes, if there is one. note: for
# the notes of the coming release.
Patch = collections.namedtuple("Patch", "name files pages rows message diff note")
# The first version whose library gets the patches of tools/series: the release that is in work.
# Those before it are finished, and take no new functions.
LIBRARY_SINCE = (26, 11)
# Files that grow with each patch, so that a device is probed early: see series_stage.py. PARTIAL
# are those of their functions that come with a part of their statements.
GROWING = ("accel_pci.c", "accel_probe.c", "accel_cryptodev.c")
PARTIAL = (
    # accel_pci.c
    "pci_probe_mapped", "accel_pci_remove",
    # accel_probe.c
    "features_of", "fini_shared", "init_primary", "fini_primary", "init",
    "accel_probe", "accel_remove",
    # accel_cryptodev.c
    "accel_dev_stop", "accel_cryptodev_close", "accel_cryptodev_attach",
)
# A word of these files that waits for a word of another patch.
WAITS = {
    "accel_pci_bus_master": "accel_take_over",  # a card that was not reset reaches no memory
    "accel_vf_init": "accel_vf_args_parse",  # has what to set
    "create_queue_array": "accel_take_over",  # reads how many queue pairs there are
    "features_of": "accel_dequeue_burst",  # a feature is told when it can be used
    "RTE_CRYPTODEV_FF_SYM_RAW_DP": "accel_raw_configure",
}


def patch(name, message, files, pages=(), rows=()):
    """A row of the table."""
    return Patch(name, files.split(), pages, rows, message, None, "")


def library(name, message, note=""):
    """A row of the table that changes the library by tools/series/NAME.diff."""
    return Patch(name, [], (), (), message, name + ".diff", note)


SERIES = [
    patch("skeleton", """crypto/accel: introduce accelerator driver

The device is a lookaside crypto accelerator on PCIe. Its DMA engine works
on rings of 64-bit descriptors, and a device tree in the card says what
it can do. Add the build, log lines, locks and the guide.
No device is probed yet.""",
          "accel_compat.h accel_logs.* accel_lock.* accel_thread.h",
          pages=("accel.rst",)),
    patch("registers", """crypto/accel: add registers and rings of the device

Add the layout of BAR0, of descriptors and of what the device writes to
host memory.""",
          "accel_hw_regs.h accel_hw_states.h accel_hw_dma.h"),
    patch("commands", """crypto/accel: add commands of the device

Add the layout of commands, responses and contexts, the numbers of
algorithms, and what the status of a response says.""",
          "accel_hw.h accel_hw_alg.h accel_hw_dt.h accel_hw_ipsec.h accel_hw_op.h accel_hw_pk.h "
          "accel_hw_tls.h accel_names.* accel_status.*"),
    patch("access", """crypto/accel: add access to a function

Read device arguments, say in one table how a process reaches a function,
and keep the configuration space of a PCI function in order.""",
          "accel_args.* accel_dev.h accel_transport.* accel_pci_config.*"),
    patch("probe", """crypto/accel: probe PCI functions

Register the driver and probe functions of the card. The device has no
operations yet: these files grow with the patches that follow.""",
          "accel_pci.c accel_probe.* accel_cryptodev.*"),
    patch("devtree", """crypto/accel: add device tree

The card says in a flattened device tree how many queue pairs it has and
which algorithms and limits. The reader trusts nothing of it.""",
          "accel_devtree.* accel_devtree_alg.c accel_devtree_node.* accel_devtree_pk.c"),
    patch("api", """crypto/accel: add functions of the driver

Declare what rte_cryptodev has no function for: health and shares of a
card, counts of failures, dumps.""",
          "rte_pmd_accel.h"),
    patch("health", """crypto/accel: add health of a card

Registers are waited for with a limit, and a function that is gone reads
all ones. Read the health page of the card.""",
          "accel_wait.* accel_health_page.*"),
    patch("functions", """crypto/accel: add shares of virtual functions

A physical function gives its virtual functions queue pairs, algorithms and
rates, and tells them of its own state through a mailbox.""",
          "accel_vf.*", pages=("accel_functions.rst",)),
    patch("reset", """crypto/accel: add reset of a function

A function is taken over, reset and revived. Its configuration space and
bus mastering are restored after a reset of the card.""",
          "accel_function.* accel_reset.* accel_devtree_read.*"),
    patch("capabilities", """crypto/accel: add symmetric capabilities

Capabilities follow from the device tree and from what the driver can
encode. Shares of virtual functions name algorithms as well.""",
          "accel_capabilities.* accel_vf_args.c", rows=("Cipher", "Auth", "AEAD")),
    patch("sessions", """crypto/accel: add symmetric sessions

A plan is a session as its transforms describe it, checked before anything
is written. A session is a context in host memory, which the device reads,
and a template of the commands that name it.""",
          "accel_plan.* accel_session.* accel_sym.c"),
    patch("rings", """crypto/accel: add rings of a queue pair

Add the memory of a queue pair, its entries, and places in its rings.""",
          "accel_queue.h accel_ring.* accel_memory.* accel_count.h "
          "accel_dump_format.h"),
    patch("asym-session", """crypto/accel: add asymmetric sessions

The key of a session is written once into a context. A table says which
fields of a transform are components of the key.""",
          "accel_asym_alg.* accel_asym_session.* accel_asym_table.*",
          pages=("accel_public_keys.rst",), rows=("Asymmetric",)),
    patch("capability-list", """crypto/accel: add list of capabilities

List what the device can do as rte_cryptodev wants it.""",
          "accel_capability_list.*"),
    patch("asym", """crypto/accel: add asymmetric operations

Operands and results have slots of a companion queue pair, which carries
the asymmetric operations of a queue pair.""",
          "accel_asym.* accel_asym_op.* accel_asym_sm2.* accel_batch.h"),
    patch("protocols", """crypto/accel: add operations of protocols

Add what DOCSIS, PDCP, IPsec and TLS records need before an operation and
after it.""",
          "accel_protocol.* accel_ipsec_op.* accel_command.h accel_segments.h accel_shape.h "
          "accel_ipsec.h accel_security.h accel_tls.h"),
    patch("response", """crypto/accel: add status of operations

A response becomes the status of an operation. Add operations without
session, the ways that operations take, counters and latencies.""",
          "accel_response.* accel_sessionless.* accel_sort.* accel_counters.* accel_latency.*"),
    patch("start", """crypto/accel: add start of a queue pair

A queue pair is started, stopped, and started again when the device has
answered after a failure.""",
          "accel_queue_start.* accel_heal.*"),
    patch("recovery", """crypto/accel: add failure of a queue pair

A queue pair whose device does not answer in time gives its operations
back with an error, and keeps what a dump tells.""",
          "accel_fail.* accel_watch.* accel_dump_state.*",
          pages=("accel_healing.rst",)),
    patch("slow-path", """crypto/accel: add slow path

Build frames of any operation: odd bits, digests and AAD anywhere, without
session. IPsec of one segment has a path of its own.""",
          "accel_enqueue_slow.c accel_enqueue_ipsec.c accel_enqueue.h accel_datapath.h"),
    patch("fast-path", """crypto/accel: add enqueue

Operations of one segment have a fast path, written in batches. There are
others for segments, and for DOCSIS and PDCP.""",
          "accel_enqueue.c accel_enqueue_protocol.c accel_enqueue_sgl.c"),
    patch("dequeue", """crypto/accel: add dequeue and queue pairs

Add dequeue, and set-up, stop and reset of queue pairs.""",
          "accel_dequeue.c accel_queue_setup.*", pages=("accel_tuning.rst",), rows=("*",)),
    patch("raw", """crypto/accel: add raw data path

The raw API uses the builders of the other enqueue functions.""",
          "accel_raw*", rows=("Sym raw data path API",)),
    patch("ipsec", """crypto/accel: add IPsec and TLS records

Write an SA or a connection into a context, and list what the card has of
the options of both.""",
          "accel_ipsec.c accel_tls.c"),
    patch("security", """crypto/accel: add security sessions

Security sessions are contexts of protocols. The device adds and removes
headers, trailers and sequence numbers. Besides IPsec and TLS records there
are DOCSIS and PDCP.""",
          "accel_security.c", pages=("accel_protocols.rst",),
          rows=("Protocol offload", "Inner checksum")),
    patch("statistics", """crypto/accel: add statistics

Count operations, errors by reason, write-backs and latencies.""",
          "accel_info.c accel_stats.* accel_stats_latency.c accel_stats_names.c"),
    patch("random", """crypto/accel: add random numbers

The card makes random numbers as asymmetric operations without key, on a
queue pair of the driver's own.""",
          "accel_random.*"),
    patch("dumps", """crypto/accel: add dumps

Tell in words what a queue pair waits for that hangs.""",
          "accel_dump.* accel_dump_telemetry.c accel_dump_text.c accel_dump_words.c"),
    patch("telemetry", """crypto/accel: add telemetry

Tell statistics, health and dumps over telemetry.""",
          "accel_telemetry.*"),
    patch("session-pool", """test/crypto: enlarge session pool of scheduler tests

The tests of the scheduler make their pool of sessions for symmetric
sessions of a worker. The DOCSIS cases take sessions of rte_security
from it, which may be larger, and then fail. Make it large enough
for both, as the pool of the other tests is.""", ""),
    patch("tests", """test/crypto: add accelerator driver

Add the commands of the driver for operations and for the raw data path.""", ""),
    patch("security-perf", """app/security-perf: add accelerator driver

The program takes the first device of a driver in its list.""", ""),
    library("callbacks", """cryptodev: use dummy callbacks in secondary process

Callback lists are made by rte_cryptodev_configure(), which the primary
process calls. In a secondary process they were null pointers, and the
first burst read through them. Take the dummy lists there, and refuse to
add a callback. Test an operation in a secondary process. The driver of
accelerators made such lists by itself."""),
    library("rng", """cryptodev: add transform for random numbers

A device with a source of random numbers had no transform for it. The
driver of accelerators used the transform that means none. Add one
without parameters, and tests. The operation has the buffer.""",
            """* **Added random numbers to asymmetric operations.**

  Added the transform ``RTE_CRYPTO_ASYM_XFORM_RNG``
  for devices that have a source of random numbers.
"""),
    library("dump", """cryptodev: add dump of device

Drivers have functions of their own to tell the state of a device that
does not answer. Add one function for all, as ethdev has it, a test, and
an option of dpdk-proc-info.""",
            """* **Added dump of a crypto device.**

  Added ``rte_cryptodev_priv_dump()``,
  which writes the private state of a device as text.
"""),
    library("xstats", """cryptodev: add statistics by name

The general statistics have four counters. Drivers count why operations
fail, too, and had no way to tell it. Add statistics that a driver has
names for, and a test. Telemetry and dpdk-proc-info show them. The
accelerator's are responses by status, refusals and errors of descriptors.""",
            """* **Added statistics of crypto devices by name.**

  Added ``rte_cryptodev_xstats_get()`` for statistics
  that a PMD has in addition to the general ones.
"""),
]
