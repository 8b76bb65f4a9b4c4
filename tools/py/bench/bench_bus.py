# SPDX-License-Identifier: BSD-3-Clause
"""The section `bus` of tools/bench: what an operation costs on a PCI Express link.

The program is test/bench/bus/accel_bus.c. It counts and measures nothing, so one run is enough, and
the numbers are the same on every machine."""

from base import cperf

SECTION = "bus"
OURS = "ours 1.0"
OPTIONS = ["ours 1.0, responses gathered", "ours, command ring", "ours, phase bit", "ours, both",
           "ours, command ring, gathered", "ours, AAD in the command"]
MISS = ", context miss"
LINKS = ["Gen3 x8", "Gen4 x8", "Gen4 x16", "Gen5 x16"]
TRIPS = [400, 800]
LOADED, SINGLE = 32, 1
BURSTS = {"loaded": LOADED, "single": SINGLE, "missed": SINGLE}


def unit_of(metric):
    """Returns the unit of a metric of accel-bus."""
    if metric in LINKS:
        return "ops/s"
    if metric.startswith("latency"):
        return "ns"
    sized = any(word in metric for word in ("payload", "overhead", "bytes"))
    return "bytes/op" if sized else "1/op"


def section(context, program):
    """Counts. Returns the records and [(what, value, where)] of the sizes behind them."""
    cperf.say("\n==> What an operation costs on a PCI Express link (counted, not measured)")
    records, sources = [], []
    for line in cperf.run_program([program], name="accel-bus").splitlines():
        parts = line.split("\t")
        if len(parts) == 4 and parts[0] == "source":
            sources.append(parts[1:])
        elif len(parts) == 5:
            layout, name, load, metric, value = parts
            records.append(context.record(
                SECTION, name + (MISS if load == "missed" else ""), metric, float(value),
                unit_of(metric), 1, algo=layout, burst=BURSTS[load]))
    if not records or not sources:
        raise cperf.PerfError("unexpected output of accel-bus")
    return records, sources


class Counts:
    """The records of the section, by layout, format and burst."""

    def __init__(self, records):
        self.values = {}
        for r in records:
            if r["section"] == SECTION:
                row = self.values.setdefault((r["algo"], r["device"], r["burst"]), {})
                row[r["metric"]] = r["value"]
        self.layouts = list(dict.fromkeys(key[0] for key in self.values))
        formats = {key[1] for key in self.values if not key[1].endswith(MISS)}
        ours = [f for f in [OURS] + OPTIONS if f in formats]
        # The first layout lacks formats of which others have a row.
        self.formats = ours + [f for f in dict.fromkeys(key[1] for key in self.values)
                               if f in formats.difference(ours)]

    def __bool__(self):
        return bool(self.values)

    def get(self, layout, name, burst, metric):
        """Returns a value, or None if the format cannot carry the layout."""
        row = self.values.get((layout, name, burst))
        return None if row is None else row[metric]

    def bytes(self, layout, name, burst, way):
        """Returns the bytes of an operation in one direction, payload and overhead together."""
        row = self.values.get((layout, name, burst))
        return None if row is None else row["payload " + way] + row["overhead " + way]


def text_of(value, digits=2):
    """Formats a number without needless digits."""
    if value is None:
        return "-"
    text = "{:,.{}f}".format(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def rate_of(value):
    """Formats operations in a second as millions."""
    mops = value / 1e6
    return text_of(mops, 2 if mops < 10 else 1 if mops < 100 else 0)


def both_ways(counts, layout, name, burst):
    """Returns the TLPs and the bytes up and down as texts."""
    row = counts.values[(layout, name, burst)]
    return ["%s / %s" % (text_of(row["TLPs up"]), text_of(row["TLPs down"]))] + [
        "%s + %s" % (text_of(row["payload " + way], 1), text_of(row["overhead " + way], 1))
        for way in ("up", "down")]


def reads_and_writes(counts, layout, name, burst):
    """Returns reads and writes as texts."""
    return [text_of(counts.get(layout, name, burst, m)) for m in ("reads", "writes")]


def depths(counts, layout, name, burst):
    """Returns the dependent reads, and without and with prefetch the time they take, as texts."""
    def pair(plain, prefetch, form):
        values = [form % text_of(counts.get(layout, name, burst, m)) for m in (plain, prefetch)]
        return " / ".join(values)

    return [pair("dependent reads", "dependent reads, prefetch", "%s")] + [
        pair("latency %d" % trip, "latency %d, prefetch" % trip, "%s") for trip in TRIPS]


COUNT_HEAD = ["reads", "writes", "TLPs up / down", "bytes up", "bytes down"]
LINK_HEAD = ["Mops/s " + name for name in LINKS]
DEPTH_HEAD = ["dependent reads"] + ["ns at %d" % trip for trip in TRIPS]


def loaded_row(counts, layout, name):
    """Returns the cells of a format under load."""
    return (reads_and_writes(counts, layout, name, LOADED) + both_ways(counts, layout, name, LOADED)
            + [rate_of(counts.get(layout, name, LOADED, link)) for link in LINKS])


def single_row(counts, layout, name):
    """Returns the cells of a format with one operation at a time."""
    return (reads_and_writes(counts, layout, name, SINGLE) + both_ways(counts, layout, name, SINGLE)
            + depths(counts, layout, name, SINGLE))


def say_table(rows, left=1):
    """Prints a table. The first columns are aligned to the left."""
    for line in cperf.align(rows, left):
        cperf.say("  " + line)


def print_layout(counts, layout):
    """Prints the formats of a layout, under load and one operation at a time."""
    for burst, head, row in ((LOADED, COUNT_HEAD + LINK_HEAD, loaded_row),
                             (SINGLE, COUNT_HEAD + DEPTH_HEAD, single_row)):
        cperf.say("\n%s, %s" % (layout, "bursts of 32" if burst == LOADED else
                                "one operation at a time"))
        names = counts.formats + ([OURS + MISS] if burst == SINGLE else [])
        say_table([["per operation"] + head] + [
            [name] + row(counts, layout, name) for name in names
            if (layout, name, burst) in counts.values])


def print_tables(records, sources, whole):
    """Prints our own costs, and with `whole` those of all formats and where the sizes are from."""
    counts = Counts(records)
    if not counts:
        return
    if not whole:
        cperf.say("\nOn a PCI Express link, per operation, bursts of 32"
                  " (tools/bench --bus has more)")
        say_table([["ours 1.0"] + COUNT_HEAD + LINK_HEAD] + [
            [layout] + loaded_row(counts, layout, OURS) for layout in counts.layouts])
        return
    for layout in counts.layouts:
        print_layout(counts, layout)
    cperf.say("\n  bytes: payload + overhead of TLPs; up: from the card to the host"
              "\n  dependent reads, ns: input after the checks of the command / together with it;"
              "\n  doorbell and last write, half a round trip each, are the same for all formats")
    cperf.say("\nSizes and rules")
    say_table([["what", "size or rule", "from"]] + [list(source) for source in sources], 3)
