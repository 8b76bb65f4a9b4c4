# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Draws the pictures of the hardware manual from their sources: graphs with Graphviz, time lines
with WaveDrom. What is drawn is committed, so neither a build nor Sphinx needs these programs."""

import argparse
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base import picture_files
from base.picture_files import SVG

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
# tools/doc makes it.
WAVEDROM = "build/deps/wavedrom/bin/python3"
XLINK = "{http://www.w3.org/1999/xlink}"
# Graphviz measures texts in the first of these fonts. The others have nearly the same widths.
FONTS = "Liberation Sans, Arial, Helvetica, sans-serif"
# WaveDrom writes labels of arrows with 8 pixels, and all else with 11 points.
SMALL, LARGE = 8, 11 * 96 / 72


def run(*command):
    """Returns what a command prints, or ends the program with what went wrong."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit("%s: %s: tools/doc --pictures installs it" % (command[0], error))
    if result.returncode != 0 or result.stderr.strip():
        sys.exit("%s: %s" % (" ".join(command), result.stderr.strip()))
    return result.stdout


def graph(path):
    """Returns the SVG of a graph. Graphs with places of their own are drawn as they are."""
    with open(path, encoding="utf-8") as file:
        placed = "notranslate=true" in file.read()
    return run("dot", *(("-Kneato", "-n2") if placed else ()), "-Tsvg", path)


def time_line(path):
    """Returns the SVG of a time line."""
    return run(os.path.join(ROOT, WAVEDROM), os.path.join(HERE, "wave.py"), path)


def without(root, unwanted):
    """Removes the elements for which `unwanted` is true."""
    for parent in list(root.iter()):
        for child in [child for child in parent if unwanted(child)]:
            parent.remove(child)


def larger(group):
    """Gives the label of an arrow the size of the other texts."""
    for box in group:
        for name in {"rect": ("x", "y", "width", "height"), "text": ("y",)}.get(
                box.tag.removeprefix(SVG), ()):
            box.set(name, "%.4g" % (float(box.get(name)) * LARGE / SMALL))
        if box.tag == SVG + "text":
            box.set("style", "font-size:%.4gpx;" % LARGE)


def plain_time_line(root):
    """Removes from a time line what it does not use, and makes the labels of its arrows legible."""
    used = {use.get(XLINK + "href") for use in root.iter(SVG + "use")}
    for definitions in root.iter(SVG + "defs"):
        without(definitions, lambda child: child.tag == SVG + "g"
                and "#" + child.get("id", "") not in used)
    for style in root.iter(SVG + "style"):
        style.text = re.sub(r"^\.(?:h\d|muted|warning|error|success)\{.*?\}\n", "",
                            style.text.replace("Helvetica", FONTS), flags=re.M | re.S)
    for group in root.iter(SVG + "g"):
        if any(box.get("style") == "font-size:%dpx;" % SMALL for box in group):
            larger(group)


def drawing(svg):
    """Returns an SVG in the form that is committed: sizes in pixels, fonts that most machines have,
    and nothing that a reader does not see."""
    root = xml.fromstring(svg.encode())
    without(root, lambda child: child.tag == SVG + "title")
    for side in ("width", "height"):
        root.set(side, root.get(side).removesuffix("pt"))
    for box in root.iter():
        if box.get("font-family"):
            box.set("font-family", FONTS)
        if box.tag == SVG + "text" and len(box) == 1 and not (box.text or "").strip():
            box.text = box[0].text
            box.remove(box[0])
    plain_time_line(root)
    xml.indent(root, "")
    return xml.tostring(root, encoding="unicode") + "\n"


def main():
    """Draws all pictures."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    xml.register_namespace("", SVG[1:-1])
    xml.register_namespace("xlink", XLINK[1:-1])
    folder = os.path.join(ROOT, picture_files.FOLDER)
    for source, picture in picture_files.sources(
            picture_files.FOLDER + name for name in sorted(os.listdir(folder))).items():
        path = os.path.join(ROOT, source)
        svg = graph(path) if source.endswith(".dot") else time_line(path)
        with open(path, encoding="utf-8") as file:
            text = picture_files.with_head(source, file.read(), drawing(svg))
        with open(os.path.join(ROOT, picture), "w", encoding="utf-8") as file:
            file.write(text)
        print("made " + picture)


if __name__ == "__main__":
    main()
