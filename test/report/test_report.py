# SPDX-License-Identifier: BSD-3-Clause
"""Tests the report: test_report.py ROOT REPORT_KNOWN. It prints TAP.

Both writers (tools/py/base/report.py and report.c, in REPORT_KNOWN) have to put known data into the
template so that nothing in the data can end its element. The script of the page then runs in
duktape or node, and the HTML that it returns must be well formed, have each number in a table,
and no trace of hostile text outside text. With a chromium the page must fit a phone."""

import html.parser
import json
import math
import os
import re
import resource
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT, REPORT_KNOWN = sys.argv[1:3]
sys.path[:0] = [os.path.join(ROOT, "tools", "py"), os.path.dirname(os.path.abspath(__file__))]
from bench import bench_crossover  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_driver  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_peers  # noqa: E402 pylint: disable=wrong-import-position
from bench import bench_report  # noqa: E402 pylint: disable=wrong-import-position
import known  # noqa: E402 pylint: disable=wrong-import-position
from base import report  # noqa: E402 pylint: disable=wrong-import-position

VOID = {"meta", "br", "img", "link", "input", "hr"}
PHONE, DESKTOP = 358, 1088
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-shell")
FIGURES = ("throughput", "latency", "stages", "crossover")
LACKING = "Not measured by this run: "


def widths(classes):
    """Returns {letter: width} of a font, in hundredths of its size."""
    return {letter: int(width) for width, letters in (item.split(None, 1) for item in classes)
            for letter in letters} | {" ": 35}


# DejaVu Sans, plain and bold.
WIDTHS = (
    widths(("27 '", "28 ijl", "29 IJ", "32 ,.", "34 /:;\\|", "35 f", "36 -", "39 ()[]t", "40 !",
            "41 r", "46 \"", "50 *_`", "52 sz", "53 ?", "55 c", "56 L", "58 Fk", "59 vxy", "60 P",
            "61 TYao", "62 e", "63 ESbdghnpqu", "64 $0123456789{}", "66 K", "68 AV", "69 BRXZ",
            "70 C", "73 U", "75 HN", "77 DG", "78 &", "79 OQ", "82 w", "84 #+<=>^~", "86 M",
            "95 %", "97 m", "99 W", "100 @")),
    widths(("31 '", "34 ijl", "37 /IJ\\|", "38 ,.", "40 :;", "42 -", "44 f", "46 !()[]", "48 t",
            "49 r", "50 _`", "52 \"*", "58 ?z", "59 c", "60 s", "64 L", "65 vxy", "67 ak",
            "68 EFTe", "69 o", "70 $0123456789", "71 hnu{}", "72 SYbdgpq", "73 CPZ", "76 B",
            "77 AKRVX", "81 U", "82 G", "83 D", "84 #+<=>HN^~", "85 OQ", "87 &", "92 w", "100 %@M",
            "104 m", "110 W")))


class Reader(html.parser.HTMLParser):
    """Reads HTML. `wrong` has what is not well formed, `elements` (tag, attributes), `cells` the
    texts of table cells, `text` all text, `scripts` {id: text}."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.wrong, self.elements, self.cells, self.scripts = [], [], [], {}
        self.text, self._open, self._script = "", [], None
        self.feed(text)
        self.close()
        if self._open:
            self.wrong.append("not closed: %s" % self._open)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")
        self._script = dict(attrs).get("id", "") if tag == "script" else None
        if tag == "script":
            self.scripts[self._script] = ""

    def handle_endtag(self, tag):
        if not self._open or self._open.pop() != tag:
            self.wrong.append("</%s> ends another element" % tag)
        self._script = None

    def handle_data(self, data):
        if self._script is not None:
            self.scripts[self._script] += data
            return
        self.text += data
        if {"td", "th"} & set(self._open):
            self.cells[-1] += data


def render(data, width):
    """Returns the HTML that the page's script makes of the data."""
    # JSON.parse, because the page does so, too.
    return report.run_script("render(JSON.parse(%s), %d)" % (json.dumps(json.dumps(data)), width))


def numbers(value):
    """Returns all numbers of a figure."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return []
    if isinstance(value, (int, float)):
        return [value]
    return [n for item in (value.values() if isinstance(value, dict) else value)
            for n in numbers(item)]


def missing(data, reader):
    """Returns the numbers of the data that no cell of a table has."""
    shown = {float(word) for cell in reader.cells
             for word in re.findall(r"\d[\d,]*\.?\d*(?:e-?\d+)?", cell)
             for word in [word.replace(",", "").rstrip(".")]}
    wanted = [n for name in FIGURES + ("summary", "machine") for n in numbers(data.get(name))]
    return [n for n in wanted if float(n) not in shown]


def coordinates(reader):
    """Returns what is wrong with the numbers of the drawings: not finite, or far outside."""
    found = []
    for tag, attributes in reader.elements:
        for name, value in attributes.items():
            if name in ("x", "y", "x1", "x2", "y1", "y2", "width", "height", "d", "transform"):
                if re.search(r"NaN|Infinity|undefined|null", value):
                    found.append("%s %s=%s" % (tag, name, value))
            if tag == "rect" and name in ("width", "height") and float(value) < 0:
                found.append("%s %s=%s" % (tag, name, value))
    return found


def length(text, bold):
    """Returns how long a text of 12 pixels is in DejaVu Sans, the widest of the page's fonts."""
    return 12 * sum(WIDTHS[bold].get(c, 65) for c in text) / 100


def boxes(svg):
    """Returns the labels of a drawing: text, left, right, and where its letters stand."""
    found = []
    for attributes, inner in re.findall(r"<text ([^>]*)>(.*?)</text>", svg, re.DOTALL):
        values = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes))
        parts = re.findall(r'<tspan class="(\w+)">([^<]*)<', inner)
        long = sum(length(html.unescape(text), "name" in kind) for kind, text in parts or [
            (values.get("class", ""), inner)])
        x = float(values["x"])
        left = x - {"start": 0, "middle": long / 2, "end": long}[values.get("text-anchor", "start")]
        found.append((re.sub("<.*?>", "", inner), left, left + long, float(values["y"])))
    return found


def outside(text, width):
    """Returns the drawings that are wider than the page, labels beyond an edge, where the page
    clips them or they run into the next drawing, and labels over each other."""
    found = []
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        wide = float(re.search(r'width="([\d.]+)"', svg)[1])
        if wide > width:
            found.append("a drawing of %g on a page of %d" % (wide, width))
        labels = boxes(svg)
        found += ["'%s' from %.0f to %.0f of %g" % (words, left, right, wide)
                  for words, left, right, _ in labels if left < -1 or right > wide + 1]
        for place, (words, left, right, y) in enumerate(labels):
            found += ["'%s' lies over '%s'" % (words, other) for other, begin, end, at in
                      labels[:place] if begin < right - 1 and left < end - 1 and abs(y - at) < 10]
    return found


def luminance(colour):
    """Returns the relative luminance of #rrggbb (WCAG 2)."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def check_contrast():
    """Text and series have a contrast of 4.5 with the page and with panels, in both themes."""
    with open(report.TEMPLATE, encoding="utf-8") as file:
        themes = re.findall(r":root \{(.*?)\}", file.read(), re.DOTALL)
    found = [] if len(themes) == 2 else ["%d themes" % len(themes)]
    for theme in themes:
        colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", theme))
        for name in ("text", "quiet", "c0", "c1", "c2", "c3", "c4", "c5"):
            for back in ("back", "panel"):
                pair = sorted((luminance(colours[name]), luminance(colours[back])))
                if (pair[1] + 0.05) / (pair[0] + 0.05) < 4.5:
                    found.append("%s on %s: %.2f" % (name, back,
                                                     (pair[1] + 0.05) / (pair[0] + 0.05)))
    return found


def check_offline():
    """The template loads nothing."""
    with open(report.TEMPLATE, encoding="utf-8") as file:
        text = file.read()
    reader = Reader(text)
    found = reader.wrong + re.findall(r"https?:|//[a-z]+\.|url\(|@import|fetch\(|XMLHttp", text)
    policy = [a.get("content", "") for _, a in reader.elements
              if a.get("http-equiv") == "Content-Security-Policy"]
    if len(policy) != 1 or not policy[0].startswith("default-src 'none'"):
        found.append("its policy is %s" % policy)
    return found + ["<%s %s>" % (tag, name) for tag, attributes in reader.elements
                    for name in attributes if name in ("src", "href", "srcset", "data", "action")]


def check_written():
    """The element of the data has what was written, also hostile text, and ends where it should."""
    found = []
    for name, data in (("full", known.full()), ("bare", known.bare()),
                       ("hostile", known.hostile())):
        reader = Reader(report.page(data))
        if reader.wrong or sorted(reader.scripts) != ["code", "data"] or \
                sum(tag == "script" for tag, _ in reader.elements) != 2:
            found.append("%s: %s, scripts %s" % (name, reader.wrong, sorted(reader.scripts)))
        elif json.loads(reader.scripts["data"]) != data:
            found.append(name + ": other data")
        elif "<" in reader.scripts["data"]:
            found.append(name + ": the data have a <")
    return found


def check_shown():
    """Each number and text of the data is shown, at both widths, in well-formed HTML."""
    found = []
    for width in (PHONE, DESKTOP):
        data = known.full()
        text = render(data, width)
        reader = Reader(text)
        found += reader.wrong + coordinates(reader) + outside(text, width)
        found += ["%d: %s is not in a table" % (width, n) for n in missing(data, reader)]
        for words in data["notes"] + data["commands"] + [
                data["title"], data["verdict"]["text"], "A processor", "22.11.11", "A sentence.",
                "run --this 'and that'", "from 64 bytes", "not up to 16,384 bytes"]:
            if words not in reader.text:
                found.append("%d: '%s' is not shown" % (width, words))
        if text.count("<svg") != 2 + 2 + 1 + 2 or LACKING in reader.text:
            found.append("%d: %d drawings" % (width, text.count("<svg")))
        # Names and values as the programs have them, which take the most room.
        found += outside(render(known.crowded(), width), width)
    # The test can fail: a number that is nowhere is missed, and so are labels without room.
    for svg in ('<text x="3" y="9" text-anchor="end">a</text>', '<text x="85" y="9">a word</text>',
                '<text x="5" y="9">a word</text><text x="30" y="12">another</text>'):
        if not outside('<svg width="100">' + svg + "</svg>", 100):
            found.append("not found: " + svg)
    lost = known.full()
    lost["throughput"]["series"][0]["points"][0]["mops"] = 98.7654
    if missing(lost, reader) != [98.7654]:
        found.append("a lost number is not found")
    return found


def check_empty():
    """A figure without data is a name in a sentence at the end: no empty drawing and no box."""
    found = []
    hollow = dict(known.bare(), throughput={"series": []}, stages={"unit": "ns", "stages": []},
                  latency={"unit": "ns", "series": [dict(known.latency()["series"][0],
                                                         counts=[0] * 10)]},
                  crossover={"pairs": []})
    for name, data in (("bare", known.bare()), ("hollow", hollow)):
        reader = Reader(render(data, PHONE))
        if reader.wrong or any(tag == "svg" for tag, _ in reader.elements) or \
                any("none" in a.get("class", "") for _, a in reader.elements) or \
                reader.text.partition(LACKING)[2].count("; ") != 3:
            found.append("%s: %s" % (name, reader.text))
    for name in FIGURES:
        data = dict(known.full(), **{name: None})
        reader = Reader(render(data, PHONE))
        if LACKING not in reader.text or ";" in reader.text.partition(LACKING)[2] or reader.wrong \
                or any(a.get("id") == name for _, a in reader.elements):
            found.append("without %s: %s" % (name, reader.wrong))
    one = known.full()
    for series in one["throughput"]["series"]:
        series["points"] = series["points"][:1]
    one["throughput"]["series"][0]["points"][0].update(mops=0, gbps=0)
    one["latency"]["series"][0].update(bounds=[], counts=[5])
    one["crossover"]["pairs"][0]["points"] = [{"size": 64}]
    found += coordinates(Reader(render(one, PHONE)))
    if "schema 2" not in Reader(render(dict(known.full(), schema=2), PHONE)).text:
        found.append("a page of another schema does not say so")
    return found


def check_hostile():
    """Text stays text: no element or attribute comes from it, and all of it is shown."""
    data, found = known.hostile(), []
    text = render(data, DESKTOP)
    reader = Reader(text)
    plain = Reader(render(known.full(), DESKTOP))
    found += reader.wrong
    if {tag for tag, _ in reader.elements} - {tag for tag, _ in plain.elements}:
        found.append("new elements")
    names = {name for _, attributes in plain.elements for name in attributes}
    found += ["attribute " + name for _, attributes in reader.elements for name in attributes
              if name not in names or name.startswith("on")]
    for words in data["notes"] + [data["title"], data["stages"]["stages"][0]["name"]]:
        if words not in reader.text:
            found.append("'%s' is not shown" % words)
    return found


def check_refused():
    """A report that is not one is refused with the name of the field, and no file is left."""
    def broken(change):
        data = known.full()
        change(data)
        return json.dumps(data)

    cases = {
        "title is missing": broken(lambda d: d.pop("title")),
        "report.schema: 2": broken(lambda d: d.update(schema=2)),
        "series[1].points[2].mops: not a number": broken(
            lambda d: d["throughput"]["series"][1]["points"][2].update(mops="x")),
        "series[0].points[0].size: not a number above 0": broken(
            lambda d: d["throughput"]["series"][0]["points"][0].update(size=0)),
        "latency.series[1]: 3 counts for 10": broken(
            lambda d: d["latency"]["series"][1].update(counts=[1, 2, 3])),
        "series[0].bounds: not in rising": broken(
            lambda d: d["latency"]["series"][0]["bounds"].reverse()),
        "machine[0]: not a name": broken(lambda d: d["machine"].insert(0, ["one"])),
        "verdict.good: neither": broken(lambda d: d["verdict"].update(good="yes")),
        "stages[0].mean: not a number": broken(
            lambda d: d["stages"]["stages"][0].update(mean=-1)),
        "mops: not a number of": broken(
            lambda d: d["throughput"]["series"][0]["points"][0].update(mops=math.nan)),
        "not an object": "[]", "Unterminated": '{"schema": 1, "title": "cut', "Expecting": "",
    }
    found = []
    program = os.path.join(ROOT, "tools", "py", "base", "report.py")
    with tempfile.TemporaryDirectory() as folder:
        source, page = os.path.join(folder, "in.json"), os.path.join(folder, "out.html")
        for message, text in cases.items():
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run([sys.executable, program, source, page], capture_output=True,
                                  text=True, check=False)
            if done.returncode != 1 or message not in done.stderr or "Traceback" in done.stderr:
                found.append("%s: code %d, %s" % (message, done.returncode, done.stderr))
        if os.listdir(folder) != ["in.json"]:
            found.append("left: %s" % os.listdir(folder))
        good = subprocess.run([sys.executable, program, "-", page, "--title", "Mine"], text=True,
                              input=json.dumps(known.full()), check=False)
        with open(page, encoding="utf-8") as file:
            if good.returncode or '"title":"Mine"' not in file.read():
                found.append("a good report is refused")
    return found


def little_disk():
    """For a child: a file may not be longer than that."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def check_files(folder):
    """What both writers do with files that are there already, or that have no room."""
    source, found = os.path.join(folder, "in.json"), []
    with open(source, "w", encoding="utf-8") as file:
        json.dump(known.full(), file)
    script = [sys.executable, os.path.join(ROOT, "tools", "py", "base", "report.py"), source]
    for name, command in (("C", [REPORT_KNOWN]), ("Python", script)):
        def write(path, **how):
            done = subprocess.run([*command, path], capture_output=True, text=True, check=False,
                                  timeout=1200, **how)
            return done.returncode, done.stdout + done.stderr
        at = {what: os.path.join(folder, name + what) for what in
              ("file", "link", "device", "fifo")}
        with open(at["file"], "w", encoding="ascii") as file:
            file.write("old")
        before = sorted(os.listdir(folder))
        code, text = write(at["file"], preexec_fn=little_disk, restore_signals=False)
        with open(at["file"], encoding="ascii") as file:
            if code != 1 or "File too large" not in text or file.read() != "old":
                found.append("%s: no room: %s" % (name, text))
        if sorted(os.listdir(folder)) != before:
            found.append("%s: no room: left %s" % (name, os.listdir(folder)))
        os.symlink(at["file"], at["link"])
        code, text = write(at["link"])
        if code != 1 or "symbolic link" not in text or not os.path.islink(at["link"]):
            found.append("%s: a symbolic link: %s" % (name, text))
        os.mkfifo(at["fifo"])
        reader = os.open(at["fifo"], os.O_RDONLY | os.O_NONBLOCK)
        with subprocess.Popen([*command, at["fifo"]]) as writer:
            page = b""
            while writer.poll() is None or select.select([reader], [], [], 0)[0]:
                if not select.select([reader], [], [], 0.05)[0]:
                    continue
                piece = os.read(reader, 65536)
                if not piece and writer.poll() is not None:
                    break
                page += piece
        os.close(reader)
        if writer.returncode or b"</html>" not in page or not stat.S_ISFIFO(
                os.lstat(at["fifo"]).st_mode):
            found.append("%s: a FIFO: code %d, %d bytes" % (name, writer.returncode, len(page)))
        if os.geteuid() == 0:
            os.mknod(at["device"], 0o600 | stat.S_IFCHR, os.makedev(1, 7))  # /dev/full
            code, text = write(at["device"])
            if code != 1 or "No space left" not in text or not stat.S_ISCHR(
                    os.lstat(at["device"]).st_mode):
                found.append("%s: a full device: %s" % (name, text))
    return found


def check_c():
    """The C side writes the same kind of page, and says what it could not write."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "it's a.html")
        words = ["two words", "it's", "", "</script>"]
        done = subprocess.run([REPORT_KNOWN, path] + words, capture_output=True, text=True,
                              check=False)
        if done.returncode:
            return ["code %d: %s" % (done.returncode, done.stdout)]
        if os.listdir(folder) != [os.path.basename(path)]:
            found.append("left: %s" % os.listdir(folder))
        with open(path, encoding="utf-8") as file:
            page = file.read()
        missing_dir = subprocess.run([REPORT_KNOWN, folder + "/no/file.html"], capture_output=True,
                                     text=True, check=False)
        into_dir = subprocess.run([REPORT_KNOWN, folder], capture_output=True, text=True,
                                  check=False)
        found += check_files(folder)
    if missing_dir.returncode != 1 or "No such file" not in missing_dir.stdout:
        found.append("a folder that is not there: %s" % missing_dir.stdout)
    if into_dir.returncode != 1 or not into_dir.stdout or os.path.exists(folder + ".new"):
        found.append("a folder in place of a file: %s" % into_dir.stdout)
    if subprocess.run([REPORT_KNOWN, "-nan"], capture_output=True, check=False).returncode != 1:
        found.append("a number that is none is taken")
    reader = Reader(page)
    data = json.loads(reader.scripts["data"])
    report.check(data)
    if reader.wrong or len(reader.scripts) != 2 or "<" in reader.scripts["data"]:
        found.append("its page: %s" % reader.wrong)
    if page.replace(reader.scripts["data"], "") != report.page(known.bare()).replace(
            Reader(report.page(known.bare())).scripts["data"], ""):
        found.append("its page differs from that of report.py")
    if len(data["commands"]) != 1 or not data["commands"][0].endswith(
            "/it'\\''s a.html' 'two words' 'it'\\''s' '' '</script>'"):
        found.append("its command line: %s" % data["commands"])
    shown = Reader(render(data, PHONE))
    found += shown.wrong + coordinates(shown) + missing(data, shown)
    for text in ("A loopback <of> all", "Bad: 3 operations & their \"data\" were wrong <b>",
                 "bytes that are no text: ??", "a</script><img src=x onerror=alert(1)>",
                 "AES </script><script>alert(1)</script>", "DPDK"):
        if text not in shown.text:
            found.append("'%s' is not shown" % text)
    series = data["throughput"]["series"]
    if [len(s["points"]) for s in series] != [2, 1] or data["latency"]["series"][0]["counts"] != [
            11, 500, 37, 2]:
        found.append("points of series: %s" % series)
    return found


def answers():
    """Returns answers of subcommands, as their --json has them."""
    numbers_of = {"count": 100, "mean_us": 2.5, "min_us": 1, "p50_us": 2.25, "p99_us": 9.5,
                  "p99_9_us": 11.0, "max_us": 12.5}
    buckets = [{"from_us": 1.0, "to_us": 1.25, "count": 10}, {"from_us": 1.25, "to_us": 2.5,
                                                              "count": 60},
               {"from_us": 8.0, "to_us": 16.0, "count": 30}]
    loopback = {"kind": "loopback", "device": "</script><b>", "driver": "crypto_accel", "seed": 77,
                "layout": "random", "depth": 64, "burst": 32, "queue_pairs": 2, "verdict": "bad",
                "reason": "3 wrong", "result": {"operations": 100, "errors": 3, "seconds": 1.5,
                                                "gbit_per_second": 4.25},
                "latency": numbers_of, "algorithms": [], "histogram": buckets}
    latency = {"kind": "latency", "device": "d", "seed": 5, "histogram": buckets, "latency": [
        dict(numbers_of, size=64, burst=1, histogram=buckets),
        dict(numbers_of, size=1024, burst=32, p50_us=3.5, histogram=buckets[1:])],
               "thesis": [{"card": "A card", "p50_us": 19.0}]}
    stages = {"kind": "stages", "device": "d", "algorithm": "aes-cbc", "size": 64, "burst": 1,
              "stages": [{"step": "send", "call": "rte_enqueue", "ns_per_operation": 31.5},
                         {"step": "card", "call": "-", "ns_per_operation": 2000.25},
                         {"step": "look, nothing there", "call": "rte_dequeue",
                          "ns_per_operation": 4.5}]}
    return loopback, latency, stages


def check_answers():
    """The answers of subcommands become figures, with the gaps between their buckets."""
    found, read = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.html")
        for answer in answers() + ({"kind": "info"}, [], {}):
            done = subprocess.run([REPORT_KNOWN, "-answer", path], input=json.dumps(answer),
                                  capture_output=True, text=True, check=False)
            if done.returncode != (not answer or answer["kind"] == "info"):
                found.append("%s: code %d, %s" % (answer, done.returncode, done.stdout))
            elif done.returncode == 0:
                read.append(report.read(path))
                report.check(read[-1])
                shown = Reader(render(read[-1], PHONE))
                found += shown.wrong + coordinates(shown) + missing(read[-1], shown)
    if found:
        return found
    series = read[0]["latency"]["series"][0]
    if read[0]["verdict"] != {"good": False, "text": "3 wrong"} or \
            ["throughput", 4.25, "Gbit/s"] not in read[0]["summary"] or \
            ["device", "</script><b>"] not in read[0]["summary"] or \
            ["seed", "77"] not in read[0]["summary"]:
        found.append("loopback: %s" % read[0])
    if (series["bounds"], series["counts"]) != ([1000, 1250, 2500, 8000, 16000],
                                                [0, 10, 60, 0, 30]) or \
            (series["p50"], series["p99_9"], series["max"]) != (2250, 11000, 12500):
        found.append("loopback: %s" % series)
    series = read[1]["latency"]["series"]
    if [s["p50"] for s in series] != [2250, 3500] or \
            [s["counts"] for s in series] != [[0, 10, 60, 0, 30], [0, 60, 0, 30]] or \
            read[1]["latency"]["marks"] != [{"name": "A card", "value": 19000}]:
        found.append("latency: %s" % read[1]["latency"])
    if [(s["who"], s["mean"], s["aside"]) for s in read[2]["stages"]["stages"]] != [
            ("driver", 31.5, False), ("device", 2000.25, False), ("rte_dequeue", 4.5, True)]:
        found.append("stages: %s" % read[2]["stages"])
    return found


def record(section, device, metric, value, algo, size=None):
    """Makes a record as class Record of bench.py does."""
    return {"section": section, "device": device, "algo": algo, "size": size, "burst": 32,
            "metric": metric, "value": value, "unit": "", "rounds": 3}


def check_bench():
    """The records of tools/bench become the figures of a report that is accepted."""
    records = [record("throughput", name, metric, 2 + place + len(algorithm) / 64, algorithm, size)
               for place, name in enumerate((bench_peers.OURS, bench_peers.INLINE))
               for algorithm in bench_peers.ALGORITHMS for size in bench_peers.SIZES
               for metric in ("rate", "throughput")]
    records += [record("stages", "crypto_accel", step, -0.5 if step == "doorbell" else 3.25, case)
                for step in bench_driver.STEPS for case in ("mean", "10 %", "50 %", "90 %", "99 %")]
    values = {(device, "aes-128-cbc", size, metric): {0: 4 * size / factor, 1: 3 * size / factor}
              for device, factor in (("crypto_accel", 64), ("crypto_openssl", 512))
              for size in (64, 128) for metric in ("rate", "cycles")}
    records += bench_crossover.make_records(Context, values)
    about = {"date": "today", "rounds": 3, "quick": True, "busy": 50, "failed": 2, "cpu": "c",
             "cpus": 2, "virtual": True, "huge pages": False, "versions": {"DPDK": "1"}}
    data = bench_report.make(records, about, ["./tools/bench --html x"])
    report.check(data)
    found = ["no " + name for name in ("throughput", "stages", "crossover") if name not in data]
    if len(data["throughput"]["series"]) != 6 or len(data["notes"]) != 3:
        found.append("series or notes")
    if [s["mean"] for s in data["stages"]["stages"] if s["name"] == "doorbell"] != [0]:
        found.append("a step below 0 stays")
    pair = data["crossover"]["pairs"][0]
    if (pair["points"][0]["rate"], pair["points"][0]["cycles"]) != (8, 0.125) or \
            (pair["rate_from"], pair["cycles_from"]) != (64, None):
        found.append("crossover: %s" % pair)
    empty = bench_report.make([], about, [])
    report.check(empty)
    return found + ["a figure without records: " + name for name in FIGURES if name in empty]


class Context:
    """Makes records as the context of a section does."""

    @staticmethod
    def record(section, device, metric, value, unit, rounds, algo, size, burst):
        """Makes a record."""
        return {"section": section, "device": device, "metric": metric, "value": value,
                "unit": unit, "rounds": rounds, "algo": algo, "size": size, "burst": burst}


def check_crossing():
    """The crossover is the size from which the card stays ahead; wrong options are refused."""
    def points(*values):
        return [{"size": 64 << place} if value is None else {"size": 64 << place, "rate": value}
                for place, value in enumerate(values)]

    cases = ((points(0.5, 1.1, 1.2), 128), (points(1.1, 0.9, 1.2), 256), (points(0.5, 0.9), None),
             (points(1.1, 1.2), 64), (points(2, 1), None), (points(0.5, None, 3), 256),
             (points(None, None), None))
    found = ["%s: %s" % (p, bench_crossover.crossing(p, "rate")) for p, size in cases
             if bench_crossover.crossing(p, "rate") != size]
    for parse, good, wrong in (
            (bench_crossover.sizes_of, "16,64,32768",
             ("", "64", "64,", "a,b", "64,64", "128,64", "0,64", "64,65", "64,65536", "-64,128",
              "6²,64", ",".join(str(16 * i) for i in range(1, 40)))),
            (bench_crossover.algorithms_of, "aes-128-cbc,aes-128-gcm",
             ("", "null", "rot13", "aes-128-cbc,aes-128-cbc", "aes-128-cbc,"))):
        if ",".join(map(str, parse(good))) != good:
            found.append("refused: " + good)
        for text in wrong:
            try:
                parse(text)
                found.append("accepted: '%s'" % text)
            except ValueError:
                pass
    return found


def check_options():
    """Wrong options of tools/bench end it with code 2 and what is wrong, before it measures."""
    found = []
    for words, message in (
            ("--crossover --sizes 64,x", "--sizes: 'x' is not a size"),
            ("--crossover --sizes 64", "two sizes or more"),
            ("--crossover --sizes 64,72", "a multiple of 16"),
            ("--crossover --algorithms des", "unknown algorithm 'des'"),
            ("--sizes 64,128", "--sizes needs --crossover"),
            ("--stages --algorithms aes-128-cbc", "--algorithms needs --crossover"),
            ("--sections cycles,foo", "unknown section 'foo'"),
            ("--html /nowhere/x.html", "cannot write /nowhere/x.html"),
            ("--html /", "cannot write /"),
            ("--html", "expected one argument")):
        program = os.path.join(ROOT, "tools", "py", "bench", "bench.py")
        done = subprocess.run([sys.executable, program, "--build-dir", ROOT, "--check",
                               *words.split()],
                              capture_output=True, text=True, check=False)
        if done.returncode != 2 or message not in done.stderr or "Traceback" in done.stderr:
            found.append("%s: code %d, %s" % (words, done.returncode, done.stderr[-200:]))
    return found


def check_picture():
    """A figure alone is one SVG, which XML readers take, with all drawings and nothing else."""
    found = []
    for name, data, drawings in (
            ("throughput", known.throughput(), 2), ("stages", known.stages(), 1),
            ("throughput", known.hostile()["throughput"], 6),
            ("stages", known.hostile()["stages"], 1)):
        text = report.picture(data, name, 1080)
        root = xml.etree.ElementTree.fromstring(text)
        tags = {child.tag.rpartition("}")[2] for child in root.iter()}
        inner = [child for child in root if child.tag.endswith("svg")]
        if len(inner) != drawings or not tags <= {
                "svg", "style", "rect", "line", "text", "tspan", "path", "title"}:
            found.append("%s: %d drawings of %s" % (name, len(inner), sorted(tags)))
        if any(float(s.get("y")) + float(s.get("height")) > float(root.get("height"))
               or float(s.get("x")) + float(s.get("width")) > 1080 for s in inner):
            found.append(name + ": a drawing is outside")
        found += re.findall("NaN|undefined|--c9", text)
        if not all("%s: #" % c in text for c in ("--c0", "--c5", "--back")) or \
                not all(part in text for part in ("prefers-color-scheme", "\n.f0 {", "\nsvg text {",
                                                  "\n.line {", "\nsvg .rule {")) or ".note" in text:
            found.append(name + ": it has no colours")
    return found


def check_browser():
    """In a browser nothing scrolls sideways at the width of a phone, and no script fails."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        return None
    found = []
    # The page says how wide it is. The policy allows the script, since it is in the page.
    probe = ("<script>document.title = 'W' + document.documentElement.scrollWidth + '/' + "
             "innerWidth + '/' + document.querySelectorAll('svg').length;</script></body>")
    with tempfile.TemporaryDirectory() as folder:
        for name, data in (("full", known.full()), ("hostile", known.hostile())):
            path = os.path.join(folder, name + ".html")
            with open(path, "w", encoding="utf-8") as file:
                file.write(report.page(data).replace("</body>", probe))
            for width in (390, 1280):
                done = subprocess.run(
                    [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                     "--user-data-dir=" + folder + "/profile",
                     "--window-size=%d,900" % width, "file://" + path],
                    capture_output=True, text=True, check=False, timeout=1200)
                sizes = re.search(r"<title>W(\d+)/(\d+)/(\d+)<", done.stdout)
                if not sizes or int(sizes[1]) > int(sizes[2]) or int(sizes[3]) < 7:
                    found.append("%s at %d: %s" % (name, width, sizes and sizes[0]))
    return found


CHECKS = (check_offline, check_contrast, check_written, check_refused, check_bench, check_crossing,
          check_options, check_c, check_answers, check_shown, check_empty, check_hostile,
          check_picture, check_browser)
ENGINE = (check_c, check_answers, check_shown, check_empty, check_hostile, check_picture)


def main():
    """Runs all checks."""
    failed = 0
    print("1..%d" % len(CHECKS))
    for number, check in enumerate(CHECKS, 1):
        title = "%d - %s" % (number, " ".join(check.__doc__.split()))
        if check in ENGINE and not any(map(shutil.which, ("duk", "node", "nodejs"))):
            print("ok %s # SKIP there is neither duk nor node" % title)
            continue
        found = check()
        if found is None:
            print("ok %s # SKIP there is no chromium" % title)
            continue
        print("%s %s" % ("not ok" if found else "ok", title))
        for line in found[:20]:
            print("#     %s" % (line,))
        failed += bool(found)
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
