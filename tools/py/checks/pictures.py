# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Holds the pictures of the hardware manual against their sources and against its text: each is
made from its source and stands in the manual, names only what the manual has, shows all states,
and is legible on a telephone."""

import json
import os
import re

try:
    import yaml
except ModuleNotFoundError:  # The check of the contract says that it is missing.
    yaml = None

from base import picture_files
from base.manual_text import MANUAL, expand
from base.picture_files import FOLDER

REGISTERS = "doc/hardware/contract/registers.json"
REQUEST = "doc/hardware/first-request.txt"
# State diagrams, the enumeration of their states, and the register that shows them.
STATES = {"accel_function": "state_e", "accel_queue_pair": "qp_state_e"}
TABLES = "doc/hardware/contract/states.yml"
# In a state diagram, an arrow from here stands for an event that leads to a state from every other.
ANY = "power"
ARROW = re.compile(r"^\s*(\w+) -> (\w+)\b(.*);$", re.M)
WAY = "accel_request"
# A page has this width on a telephone. Texts shall not be smaller there.
COLUMN, LEAST = 358, 9
FIGURE = re.compile(r"^\.\. figure:: img/(\S+)\n((?:   .*\n)*)\n((?:   .*\n?)*)", re.M)


def check_made(files):
    """Finds sources without a picture that was made from them, and pictures without a source."""
    made = picture_files.sources(files)
    found = ["%s: there is no %s: run tools/doc --pictures" % pair for pair in made.items()
             if pair[1] not in files]
    found += ["%s has no source" % name for name in files
              if name.startswith(FOLDER) and name.endswith(".svg") and name not in made.values()]
    for source, picture in made.items():
        reason = picture in files and picture_files.stale(source, files[source], files[picture])
        if reason:
            found.append("%s is stale, %s: run tools/doc --pictures" % (picture, reason))
    return found


def check_figures(files):
    """Finds pictures that do not stand in the manual once, with a text for who cannot see them and
    a caption."""
    figures = FIGURE.findall(files[MANUAL])
    names = [name for name, _, _ in figures]
    pictures = [name[len(FOLDER):] for name in picture_files.sources(files).values()]
    found = ["%s: %d figures of %s" % (MANUAL, names.count(name), name) for name in pictures
             if names.count(name) != 1]
    found += ["%s: there is no picture %s" % (MANUAL, name) for name in names
              if name not in pictures]
    for name, options, caption in figures:
        if not re.search(r"^   :alt: \S", options, re.M):
            found.append("%s: %s has no alt" % (MANUAL, name))
        if not caption.strip():
            found.append("%s: %s has no caption" % (MANUAL, name))
    return found


def said(files):
    """Returns {name of a picture: its texts}."""
    return {os.path.basename(picture)[:-4]: picture_files.texts(files[picture])
            for picture in picture_files.sources(files).values() if picture in files}


def wave_states(files):
    """Returns (name, state) of lanes of time lines that show a STATUS."""
    return [(os.path.basename(name)[:-5], state) for name in picture_files.sources(files)
            if name.endswith(".json") for lane in json.loads(files[name])["signal"]
            if lane.get("name", "").endswith("STATUS") for state in lane["data"]]


def check_words(files):
    """Finds words in capitals, duties and sections that the manual does not have outside of its
    figures. Words with a "_" shall be registers of the contract."""
    manual = expand(lambda name: files[name])
    plain = FIGURE.sub("", manual)
    words = set(re.findall(r"\b[A-Z][A-Z0-9_]+\b(?!-\d)", re.sub(r"\[[A-Z]+-\d+\]", "", plain)))
    duties = set(re.findall(r"\[([A-Z]+-\d+)\]", plain))
    registers = set(re.findall(r'"name": "([A-Z0-9_]+)"', files[REGISTERS]))
    words = {word for word in words if "_" not in word} | registers
    sections = set(re.findall(r"^(\d+(?:\.\d+)?)\.? .+\n[-~]{3,} *$", plain, re.M))
    found = []
    for name, texts in said(files).items():
        text = " ".join(text for text, _ in texts)
        found += ["%s: the manual has no %s" % (name, word) for word in sorted(set(
            re.findall(r"\b[A-Z][A-Z0-9_]+\b(?!-\d)", text)) - words)]
        found += ["%s: the manual has no duty %s" % (name, duty) for duty in sorted(set(
            re.findall(r"\b[A-Z]+-\d+\b", text)) - duties)]
        found += ["%s: the manual has no section %s" % (name, section) for section in sorted(set(
            re.findall(r"\b\d+\.\d+\b", text)) - sections)]
    return found


def check_states(files):
    """Finds states that the contract does not have. They are italic, or in a lane with STATUS. A
    state diagram shall have all of them."""
    enums = {name: {value["name"] for value in values}
             for name, values in json.loads(files[REGISTERS])["enums"].items()}
    found = ["%s: there is no state %s" % (name, state) for name, state in wave_states(files)
             if state not in enums["qp_state_e"]]
    for name, texts in said(files).items():
        italic = {text for text, is_italic in texts if is_italic}
        known = enums[STATES[name]] if name in STATES else enums["state_e"] | enums["qp_state_e"]
        found += ["%s: there is no state %s" % (name, state) for state in sorted(italic - known)]
        if name in STATES:
            found += ["%s: the state %s is missing" % (name, state)
                      for state in sorted(known - italic)]
    return found


def table_arrows(cells, states):
    """Returns {(state, next state)} of a state table, and those that a card may leave out."""
    moves, may = {}, set()
    for cell in cells:
        may |= {(state, cell["may"]) for state in cell["in"] if "may" in cell}
        for event in cell["by"]:
            moves.setdefault(event, set()).update(
                (state, cell["next"]) for state in cell["in"] if cell["next"] != "same")
    arrows = set()
    for pairs in moves.values():
        everywhere = len(pairs) == len(states) and len({after for _, after in pairs}) == 1
        arrows |= {(ANY, after) for _, after in pairs} if everywhere else {
            (state, after) for state, after in pairs if state != after}
    return arrows, may


def check_arrows(files):
    """Compares the arrows of a state diagram with the transitions of the state table. A dashed
    arrow is a transition that a card may have."""
    if yaml is None:
        return []
    enums, found = json.loads(files[REGISTERS])["enums"], []
    tables = {item["states"]["enum"]: item for item in yaml.safe_load(files[TABLES])["items"]
              if "transitions" in item}
    for name, enum in STATES.items():
        states = {value["name"] for value in enums[enum]}
        wanted, may = table_arrows(tables[enum]["cells"], states)
        drawn = ARROW.findall(files[FOLDER + name + ".dot"])
        dashed = {(start, end) for start, end, rest in drawn if "dashed" in rest}
        solid = {(start, end) for start, end, _ in drawn} - dashed
        for what, has, shall in (("arrow", solid, wanted), ("dashed arrow", dashed, may)):
            found += ["%s: the table has no %s -> %s, which is drawn as %s" % (
                name, *pair, what) for pair in sorted(has - shall)]
            found += ["%s: there is no %s for %s -> %s" % (name, what, *pair)
                      for pair in sorted(shall - has)]
    return found


def check_steps(files):
    """Finds steps of the way of a request that the first request does not have, or that are not in
    order."""
    steps = [int(number) for number in re.findall(r"^# (\d+)\. ", files[REQUEST], re.M)]
    found = []
    if not steps or steps != list(range(1, len(steps) + 1)):
        found.append(REQUEST + ": steps are not numbered")
    shown = [re.match(r"(\d+)([a-z]?): ", text) for text, _ in said(files).get(WAY, [])]
    shown = [(int(step[1]), step[2]) for step in shown if step]
    if not shown:
        return found + [WAY + ": there are no steps"]
    found += ["%s: there is no step %d" % (WAY, step) for step, _ in shown if step not in steps]
    return found + ([] if shown == sorted(shown) else [WAY + ": the steps are not in order"])


def check_legible(files):
    """Finds pictures whose smallest text is too small in the width of a telephone."""
    found = []
    for picture in picture_files.sources(files).values():
        svg = files.get(picture, "")
        sizes = [float(size) * (96 / 72 if unit == "pt" else 1)
                 for size, unit in re.findall(r'font-size[:=]"?([\d.]+)(pt|px)?', svg)]
        width = re.search(r'<svg [^>]*\bwidth="([\d.]+)"', svg)
        if width is None or not sizes:
            found.append("%s: it has no width, or no text" % picture)
        elif min(sizes) * min(1, COLUMN / float(width[1])) < LEAST:
            found.append("%s: %s wide, texts of %.3g are smaller than %d in %d pixels" % (
                picture, width[1], min(sizes), LEAST, COLUMN))
    return found


CHECKS = {"made from their sources": check_made,
          "each in the manual, with alt and caption": check_figures,
          "words, duties and sections are the manual's": check_words,
          "states are the contract's, and all of them": check_states,
          "arrows are the transitions of the state tables": check_arrows,
          "steps are those of the first request": check_steps,
          "legible on a telephone": check_legible}
# What is wrong in a file, as a pattern and what takes its place, and the check that has to find it.
WRONG = [(check_made, "accel_stop.json", "CONTROL", "CONTROLS"),
         (check_made, "accel_stop.svg", "CONTROL", "CONTROLS"),
         (check_made, "accel_block.svg", r"(?s).*", ""),
         (check_figures, MANUAL, r"img/accel_stop\.svg", "img/accel_stopp.svg"),
         (check_figures, MANUAL, r"   :alt: The host writes.*\n.*\n", ""),
         (check_figures, MANUAL, r"   The way of one request(.*\n){2}", ""),
         (check_words, "accel_request.svg", "DOORBELL", "BELL"),
         (check_words, REGISTERS, '"RESET_REQ"', '"RESET_REQUEST"'),
         (check_words, MANUAL, r"\[QP-17\]", "[QP-99]"),
         (check_words, MANUAL, r"\n6\.5 Resp", "\n6.9 Resp"),
         (check_states, "accel_stop.json", "stopping", "halting"),
         (check_states, "accel_function.svg", ">fatal<", ">dead<"),
         (check_states, "accel_queue_pair.svg", ">stopping<", ">running<"),
         (check_arrows, "accel_queue_pair.dot", "error -> stopped", "error -> running"),
         (check_arrows, "accel_function.dot", r"\tready -> fatal.*\n", ""),
         (check_arrows, "accel_function.dot", "style=dashed, ", ""),
         (check_arrows, "accel_function.dot", "power -> booting", "power -> ready"),
         (check_arrows, TABLES, r"STOP_DISCARD\], next: stopped", "STOP_DISCARD], next: error"),
         (check_arrows, TABLES, r"by: \[FINISHED\], next: stopped", "by: [FINISHED], next: error"),
         (check_steps, REQUEST, r"\n# 8\. ", "\n# "),
         (check_steps, "accel_request.svg", ">10: ", ">13: "),
         (check_legible, "accel_block.svg", r' width="\d+"', ' width="900"')]


def check_checks(files):
    """Puts each of WRONG into a copy of the files, and finds the checks that do not see it."""
    found = []
    for check, name, pattern, other in WRONG:
        path = name if "/" in name else FOLDER + name
        text = re.sub(pattern, lambda _, o=other: o, files.get(path, ""))
        if text == files.get(path, "") or not check({**files, path: text}):
            found.append("%s: %s finds nothing wrong with %r in place of %r" % (
                path, check.__name__, other, pattern))
    return found


def findings(files):
    """Returns [(title, messages)] of all checks."""
    found = [("pictures: " + title, check(files)) for title, check in CHECKS.items()]
    return found + [("pictures: the checks find what is wrong", check_checks(files))]
