# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables and plots of doc/performance.md from one run of tools/bench --json.

performance.py FILE [--page PAGE] [--plots FOLDER | --no-plots]

It replaces the text between "<!-- generated: NAME -->" and "<!-- end -->" of the page and nothing
else. FILE is the JSON of tools/bench. The crossover, the rates by operations in flight, the sectors
of disks, the latency, the packets of protocols and several applications come from runs of their
own: a run of `tools/bench --crossover`, or `--sections` with `depths`, `disk`, `latency`,
`security` or `tasks`, changes its part only, and other runs leave it as it is."""

import argparse
import json
import os
import re
import sys
import textwrap

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from bench import (bench_crossover, bench_depths, bench_disk, bench_driver, bench_latency,
                   bench_openssl, bench_paced, bench_peers, bench_pk, bench_security, bench_tasks)

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
PAGE = os.path.join(ROOT, "doc", "performance.md")
PLOTS = os.path.join(ROOT, "doc", "plots")
BLOCK = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
WIDTH = 120

# The rows of the table of the driver alone: section, case of driver-cost, text.
BASE = bench_driver.BASE
CASES = [("driver", "cipher", "AES-CBC"), ("driver", "auth", "HMAC"),
         ("driver", "chain", "AES-CBC + HMAC"), ("driver", "aead", "AES-GCM, 12 bytes of AAD"),
         ("driver", "--far --command-upper " + BASE,
          "AES-CBC, data in another GiB than the commands"),
         ("driver", "--far " + BASE, "the same, card without `COMMAND_UPPER`"),
         ("driver", "--segments 2 " + BASE, "AES-CBC, 2 segments"),
         ("flat", "--segments 16 " + BASE, "AES-CBC, 16 segments"),
         ("flat", "--apart " + BASE, "AES-CBC, out of place"),
         ("flat", "--size 16384 " + BASE, "AES-CBC, 16384 bytes"),
         ("flat", "--sessions 100 " + BASE, "AES-CBC, 100 sessions at random"),
         ("flat", "--sessions 100000 " + BASE, "AES-CBC, 100,000 sessions at random"),
         ("flat", "--queues 8 " + BASE, "AES-CBC, 8 queue pairs in turn"),
         ("flat", "--threads 2 " + BASE, "AES-CBC, 2 threads with a queue pair each")]
WORDS = {"cipher": "AES-CBC", "auth": "HMAC", "chain": "AES-CBC + HMAC", "aead": "AES-GCM"}


def number(value):
    """Formats a number with about three digits."""
    if value is None:
        return "-"
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return "{:,.{}f}".format(value, digits)


def span(values, form=number):
    """Formats the least and the greatest of values."""
    least, most = form(min(values)), form(max(values))
    return least if least == most else "%s to %s" % (least, most)


def table(rows, words=(0,)):
    """Returns the lines of a Markdown table. The first row is its head. `words` are the columns of
    text."""
    rule = ["---" if i in words else "---:" for i in range(len(rows[0]))]
    return "\n".join("| %s |" % " | ".join(row) for row in [rows[0], rule] + rows[1:])


def paragraph(*sentences):
    """Returns the sentences as one paragraph. No line begins with a percent sign, with which MyST
    begins a comment."""
    text = " ".join(s for s in sentences if s).replace(" %", "\0%")
    return textwrap.fill(text, WIDTH, break_on_hyphens=False,
                         break_long_words=False).replace("\0%", " %")


class Page:
    """The generated parts of the page, from one run."""

    def __init__(self, run):
        self.about, self.targets, self.records = run["about"], run["targets"], run["records"]

    def get(self, section, case, metric, unit=None, device=None):
        """Returns a value, or None."""
        return bench_driver.value_of(self.records, section, case, metric, unit, device)

    def peers(self, metric, sizes=None):
        """Returns the values of a metric of the section throughput, of all algorithms."""
        found = [bench_peers.get(self.records, bench_peers.OURS, a, size, metric)
                 for a in bench_peers.ALGORITHMS for size in sizes or bench_peers.SIZES]
        return [value for value in found if value is not None]

    def gain(self):
        """Returns sentences about what a user gains."""
        share = self.peers("driver-share", bench_peers.DRIVER_SHARE)
        pair = [self.get("driver", BASE, call, "cycles/op") for call in ("enqueue", "dequeue")]
        return [
            "**What a user gains** is the application's core.",
            "The driver takes %s cycles to enqueue and %s to dequeue one AES-CBC operation of 64"
            " bytes in a burst of 32." % tuple(map(number, pair)) if None not in pair else "",
            "With operations of 1024 bytes and more the application spends at most %s %% of its"
            " time in the driver; the rest is its own." % number(max(share)) if share else "",
            "These costs do not depend on the algorithm's work or on the length of the data,"
            " because the CPU never accesses the data."]

    def loss(self):
        """Returns sentences about what a user loses."""
        inline, worker = (self.peers("ratio to " + name) for name in (
            bench_peers.INLINE, bench_peers.SCHEDULER))
        return [
            "**What a user loses** is speed, as long as the card is the embedded device, which is"
            " software and needs a CPU of its own.",
            "With it, two CPUs do %s times what `crypto_aesni_mb` does on one." % span(inline)
            if inline else "",
            "They do %s times what `crypto_scheduler` does with one `crypto_aesni_mb` worker on"
            " the same two." % span(worker) if worker else "",
            "`crypto_aesni_mb` is the choice for the most operations on this machine."
            " `crypto_accel` is the choice for software that will use a lookaside card, or that is"
            " tested without one."]

    def summary(self):
        """Returns a paragraph about what a user gains or loses."""
        return paragraph(*self.gain(), *self.loss())

    def place(self):
        """Returns sentences about the machine, the software and what else ran."""
        about, versions = self.about, self.about["versions"]
        return [
            "The machine: %s with %d CPUs (%s), %s, kernel %s, %s." % (
                "a virtual machine" if about["virtual"] else "a computer", about["cpus"],
                about["cpu"], versions["system"], versions["kernel"],
                "huge pages" if about["huge pages"] else "no huge pages"),
            "The software: commit %s, gcc %s, DPDK %s, intel-ipsec-mb %s, OpenSSL %s." % (
                versions["commit"], versions["compiler"], versions["DPDK"],
                versions["intel-ipsec-mb"], versions["OpenSSL"]),
            "Other programs used %d %% of the machine when the run began." % about["busy"],
            "Programs failed in %d of its runs, which no number counts." % about["failed"]
            if about["failed"] else "",
            "**The machine was busy or the rounds were short, so these numbers only show the form"
            " of the page.**"
            if about["quick"] or about["busy"] > 10 else ""]

    def machine(self):
        """Returns a paragraph about the machine and the run."""
        about = self.about
        trip = [bench_peers.get(self.records, "bare loop", None, None, "round-trip " + w)
                for w in ("median", "least", "most")]
        text = paragraph(
            "All numbers come from one run of `tools/bench`, %s, and are medians of %d rounds%s."
            % (about["date"], about["rounds"], " (with `--quick`, which makes them shorter)"
               if about["quick"] else ""),
            *self.place(),
            "A bare round trip of a cache line between the two CPUs took %s cycles (%s to %s over"
            " the rounds)." % tuple(map(number, trip)) if None not in trip else "")
        return text

    def target_table(self):
        """Returns table 1, with a row for each target and the range of its points."""
        groups = {}
        for target in self.targets:
            groups.setdefault((target["what"], target["relation"], target["limit"]),
                              []).append(target)
        rows = [["target", "measured", "wanted", "verdict"]]
        for (what, relation, limit), points in groups.items():
            missed = [t for t in points if t["verdict"] != "met"]
            verdict = "met" if not missed else "**not met**"
            if len(points) > 1:
                verdict = "met in all %d" % len(points) if not missed else "**met in %d of %d**" % (
                    len(points) - len(missed), len(points))
            idle = sum(t["verdict"] == bench_driver.NO_LOAD for t in missed)
            limited = [float(t["verdict"][len(bench_peers.LIMITED):]) for t in missed
                       if t["verdict"].startswith(bench_peers.LIMITED)]
            beyond = sum(t["verdict"] != "NOT MET" for t in missed) - idle - len(limited)
            if limited:
                verdict += "; %s%s at %d of the others" % (bench_peers.LIMITED, span(limited),
                                                           len(limited))
            if beyond:
                verdict += "; %d of the others need more than is reached without a peak" % beyond
            if idle:
                verdict += "; the load of %d did not run" % idle
            rows.append([what, span([t["value"] for t in points]), "%s %g" % (relation, limit),
                         verdict])
        return table(rows, (0, 3))

    def driver_table(self):
        """Returns table 2, the driver alone."""
        rows = [["operation, bursts of 32", "enqueue cycles", "bare", "ratio", "instructions",
                 "bare", "dequeue cycles", "instructions", "against the first row"]]
        for section, case, words in CASES:
            if self.get(section, case, "enqueue") is None:
                continue
            rows.append([words] + [number(self.get(section, case, *key)) for key in (
                ("enqueue", "cycles/op"), ("bare-enqueue", "cycles/op"), ("over-bare-enqueue",),
                ("enqueue", "instructions/op"), ("bare-enqueue", "instructions/op"),
                ("dequeue", "cycles/op"), ("dequeue", "instructions/op"), ("ratio-both",))])
        return table(rows)

    def against_table(self):
        """Returns table 3, another build and this one."""
        rows = [["operation", "enqueue cycles before", "now", "ratio", "bare",
                 "instructions before", "now", "bare", "dequeue cycles before", "now", "ratio"]]
        for case in bench_driver.AGAINST:
            if self.get("against", case, "enqueue") is None:
                continue
            kind = [WORDS.get(word, word) for word in case.split()]
            rows.append([" ".join(kind)] + [number(self.get("against", case, *key)) for key in (
                ("enqueue", "cycles/op", bench_driver.OTHER),
                ("enqueue", "cycles/op", bench_driver.THIS), ("ratio-enqueue",),
                ("bare-enqueue", "cycles/op", bench_driver.THIS),
                ("enqueue", "instructions/op", bench_driver.OTHER),
                ("enqueue", "instructions/op", bench_driver.THIS),
                ("bare-enqueue", "instructions/op", bench_driver.THIS),
                ("dequeue", "cycles/op", bench_driver.OTHER),
                ("dequeue", "cycles/op", bench_driver.THIS), ("ratio-dequeue",))])
        return table(rows) if len(rows) > 1 else "This run had no other build beside it."

    def cores_table(self):
        """Returns table 4, two cores beside the bare exchange."""
        rows = [["operations", "driver, cycles", "bare exchange", "ratio"]]
        for case, metric, words in [(b, "enqueue+dequeue", "bursts of " + b)
                                    for b in ("8", "32", "64")] + [("1", "round-trip",
                                                                    "one, there and back")]:
            values = [self.get("cross", case, prefix + metric)
                      for prefix in ("", "bare-", "ratio-")]
            if values[0] is not None:
                rows.append([words] + [number(v) for v in values])
        return table(rows) if len(rows) > 1 else "This run did not measure two cores."

    def throughput_table(self):
        """Returns table 5, the throughput beside peers."""
        names = bench_peers.names_of(self.records)
        if bench_peers.OURS not in names:
            return "This run did not measure throughput."
        others = [n for n in names if n != bench_peers.OURS]
        rows = [["algorithm", "bytes"] + [n + ", Mops/s" for n in names]
                + ["ratio to " + n for n in others] + ["in driver, %"]]
        for algorithm in bench_peers.ALGORITHMS:
            for size in bench_peers.SIZES:
                def get(device, metric, form=number, of=(algorithm, size)):
                    value = bench_peers.get(self.records, device, *of, metric)
                    return "-" if value is None else form(value)

                rows.append([algorithm if size == bench_peers.SIZES[0] else "", str(size)]
                            + [get(n, "rate", "{:.3f}".format) for n in names]
                            + [get(bench_peers.OURS, "ratio to " + n) for n in others]
                            + [get(bench_peers.OURS, "driver-share")])
        return table(rows)

    def parts(self):
        """Returns the table of what an operation takes."""
        rows = bench_peers.part_rows(self.records)
        return "This run did not measure it." if rows is None else table(rows, (0, 10))

    def memory(self):
        """Returns sentences about memory and sessions."""
        sizes = {r["metric"]: "{:,.0f}".format(r["value"]) for r in self.records
                 if r["section"] == "memory"}
        pairs = ["A %s takes %s bytes." % (name, value) for name, value in sizes.items()
                 if name.startswith("queue pair")]
        session = [value for name, value in sizes.items() if name.startswith("session")]
        if len(session) == 2:
            pairs.append("A session takes %s bytes with the library's header; %s of them are the"
                         " driver's." % (session[1], session[0]))
        times = [r["value"] for r in self.records
                 if r["section"] == "sessions" and r["metric"] == "library"]
        return paragraph(
            " ".join(pairs) or "This run did not measure memory.",
            "To create and destroy a session takes %s ns; their number has no limit but memory."
            % span(times) if times else "")

    def paced(self):
        """Returns sentences about the share of a peak."""
        rows = bench_paced.rows(self.records)
        if not rows:
            return "This run did not measure a paced device."
        null = [row for row in rows if row[2] == "null"]
        return paragraph(
            "The share was %s %% over %d points." % (span([r[3]["share"] for r in rows],
                                                         "{:.2f}".format), len(rows)),
            "%d of them were measured with `engine=null`, because the engine itself is slower than"
            " that peak." % len(null) if null else "")

    def public_keys(self):
        """Returns the tables of public keys, and of symmetric operations beside them."""
        rates = bench_pk.rate_rows(self.records)
        beside = bench_pk.beside_rows(self.records)
        if not rates or not beside:
            return "This run did not measure public keys."
        return "\n\n".join((table([bench_pk.RATE_TITLE] + rates),
                            table([bench_pk.ENGINE_TITLE] + bench_pk.engine_rows(self.records)),
                            table([bench_pk.BESIDE_TITLE] + beside)))

    def run_of(self, options):
        """Returns a paragraph about a run of tools/bench with these options."""
        about = self.about
        return paragraph(
            "One run of `tools/bench %s`, %s, medians of %d rounds%s."
            % (options, about["date"], about["rounds"],
               " (with `--quick`)" if about["quick"] else ""), *self.place())

    def crossover(self):
        """Returns a paragraph about the run and the tables of the crossover, or None: then the page
        keeps what it has."""
        pairs = bench_crossover.pairs(self.records)
        if not pairs:
            return None
        words = bench_crossover.words
        tables = [table([["algorithm", "beside", "more operations", "fewer cycles"]] + [
            [p["algorithm"], "`%s`" % p["peer"], words(p, "rate"), words(p, "cycles")]
            for p in pairs], (0, 1, 2, 3))]
        sizes = sorted({point["size"] for p in pairs for point in p["points"]})
        for metric, title in (("rate", "operations per second, bytes"),
                              ("cycles", "cycles of the application, bytes")):
            rows = [[title, "beside"] + ["{:,}".format(size) for size in sizes]]
            for p in pairs:
                found = {point["size"]: point.get(metric) for point in p["points"]}
                rows.append([p["algorithm"], "`%s`" % p["peer"]]
                            + [number(found.get(size)) for size in sizes])
            tables.append(table(rows, (0, 1)))
        return "\n\n".join([self.run_of("--crossover")] + tables)

    def rows_of(self, section):
        """Returns a paragraph about the run and the table of a section that has a run of its own,
        or None: then the page keeps what it has."""
        rows = section.rows(self.records)
        if rows is None:
            return None
        return "\n\n".join([self.run_of("--sections " + section.SECTION), table(rows)])

    def tasks(self):
        """Returns a paragraph about the run and the tables of several applications, or None."""
        rows, alone = bench_tasks.rows(self.records), bench_tasks.alone_rows(self.records)
        if rows is None or alone is None:
            return None
        return "\n\n".join([self.run_of("--sections " + bench_tasks.SECTION),
                            table(rows, (0, 1, 2, 3, 8)), table(alone)])

    def blocks(self):
        """Returns {name: text} of the generated parts without the plots. A part without text stays
        as it is."""
        found = {each.SECTION: self.rows_of(each)
                 for each in (bench_depths, bench_disk, bench_latency, bench_security)}
        found[bench_crossover.SECTION] = self.crossover()
        found[bench_tasks.SECTION] = self.tasks()
        if {r["section"] for r in self.records} <= set(found):
            return dict(dict.fromkeys(self.main_blocks()), **found)
        return dict(self.main_blocks(), **found)

    def main_blocks(self):
        """Returns the same for the parts that come from one run."""
        return {"summary": self.summary(), "machine": self.machine(),
                "targets": self.target_table(), "driver": self.driver_table(),
                "against": self.against_table(), "cores": self.cores_table(),
                "throughput": self.throughput_table(), "parts": self.parts(),
                "memory": self.memory(),
                "paced": self.paced(), "public-keys": self.public_keys()}


def fill(text, blocks):
    """Returns the page with its generated parts replaced. A part that is missing on either side is
    an error."""
    names = [match[2] for match in BLOCK.finditer(text)]
    if sorted(names) != sorted(blocks):
        raise SystemExit("the page has the generated parts %s, and there are %s" % (
            ", ".join(sorted(names)), ", ".join(sorted(blocks))))
    return BLOCK.sub(lambda m: m[0] if blocks[m[2]] is None else
                     m[1] + blocks[m[2]] + "\n" + m[3], text)


def main():
    """Makes the tables and plots."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", help="the JSON of tools/bench")
    parser.add_argument("--page", default=PAGE)
    parser.add_argument("--plots", default=PLOTS, metavar="FOLDER")
    parser.add_argument("--no-plots", action="store_true", help="leave the plots as they are")
    args = parser.parse_args()
    with open(args.results, encoding="utf-8") as file:
        run = json.load(file)
    if {r["section"] for r in run["records"]} <= {"bus", bench_openssl.SECTION}:
        print("%s: the run has nothing for this page" % args.page)
        return 0
    with open(args.page, encoding="utf-8") as file:
        text = file.read()
    text = fill(text, Page(run).blocks())
    drawn = []
    if not args.no_plots:
        from pages import plots  # pylint: disable=import-outside-toplevel # needs matplotlib
        drawn = plots.draw(run["records"], args.plots)
    with open(args.page, "w", encoding="utf-8") as file:
        file.write(text)
    print("%s: %d tables; plots: %s" % (args.page, text.count("\n| ---"), " ".join(drawn)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
