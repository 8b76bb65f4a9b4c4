# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Reads the PDF of the hardware manual: each section and each duty is in it, each picture is whole
and on the page of its caption, and nothing is beyond the margins. tools/doc runs this."""

import argparse
import collections
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base.manual_text import MANUAL, expand
from checks import pictures, tree

XHTML = "{http://www.w3.org/1999/xhtml}"
# doc/static/print.css has margins of 15 mm at the sides. This is less, in points.
MARGIN = 40
# Numbers of duties are this high, in points. A browser makes all smaller if something is too wide.
HEIGHT = 9.5
DUTY = re.compile(r"\[([A-Z]+-\d+)\]")
# Pictures have this font, and the numbers of pages.
FONT = "LiberationSans"


def run(*command):
    """Returns what a command prints."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit("%s: %s" % (command[0], result.stderr.strip()))
    return result.stdout


def pages_of(pdf):
    """Returns [(width, [(left, right, height, word)])] of the pages of a PDF."""
    return [(float(page.get("width")),
             [(float(word.get("xMin")), float(word.get("xMax")),
               float(word.get("yMax")) - float(word.get("yMin")), word.text or "")
              for word in page.iter(XHTML + "word")])
            for page in xml.fromstring(run("pdftotext", "-bbox", pdf, "-")).iter(XHTML + "page")]


def letters_of(pdf):
    """Returns {letter: how many} of the letters in the font of pictures, for each page."""
    root = xml.fromstring(run("pdftohtml", "-xml", "-i", "-stdout", pdf))
    fonts = {spec.get("id") for spec in root.iter("fontspec")
             if spec.get("family").endswith(("+" + FONT, "+" + FONT + "-Bold",
                                             "+" + FONT + "-Italic"))}
    return [collections.Counter(compact("".join(
        "".join(text.itertext()) for text in page.iter("text") if text.get("font") in fonts)))
            for page in root.iter("page")]


def compact(text):
    """Returns a text without blanks, marks of inline code and emphasis, and hyphens, at which lines
    are broken."""
    return re.sub(r"[\s`*-]|\xa0", "", text)


def beyond(pages):
    """Finds words beyond the margins."""
    return ["page %d: %r goes from %.0f to %.0f of %.0f" % (number, word, left, right, width)
            for number, (width, words) in enumerate(pages, 1) for left, right, _, word in words
            if left < MARGIN or right > width - MARGIN]


def smaller(pages):
    """Finds out whether the browser has made all smaller."""
    heights = collections.Counter(round(height, 1) for _, words in pages
                                  for _, _, height, word in words if DUTY.fullmatch(word))
    common = heights.most_common(1)[0][0] if heights else 0
    return [] if abs(common - HEIGHT) < 0.2 else [
        "numbers of duties are %.1f points high and not %.1f: something is too wide" % (
            common, HEIGHT)]


def missing(pages, files):
    """Finds sections and duties that no page has."""
    text = compact("".join(word for _, words in pages for *_, word in words))
    manual = expand(lambda name: files[name])
    titles = re.findall(r"^(\d+(?:\.\d+)?\.? .+)\n[-~]{3,} *$", manual, re.M)
    duties = DUTY.findall(manual)
    if not titles or not duties:
        return ["the manual has no sections, or no duties"]
    return ["%s is missing" % what for what in titles + ["[%s]" % duty for duty in duties]
            if compact(what) not in text]


def torn(pages, letters, files):
    """Finds pictures whose texts are not on the page of the caption."""
    found = []
    texts = [compact("".join(word for *_, word in words)) for _, words in pages]
    said = pictures.said(files)
    left = list(letters)
    for name, _, caption in pictures.FIGURE.findall(files[MANUAL]):
        start = compact(caption)[:60]
        page = next((number for number, text in enumerate(texts) if start in text), None)
        if page is None:
            found.append("%s: no page has its caption" % name)
            continue
        # Several pictures of a page need the letters of all of them.
        wanted = collections.Counter(compact("".join(text for text, _ in said[name[:-4]])))
        if wanted - left[page]:
            found.append("%s: on page %d %d letters of it are missing" % (
                name, page + 1, sum((wanted - left[page]).values())))
        left[page] = left[page] - wanted
    return found


def main():
    """Reads the PDF that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pdf", help="the PDF of the manual")
    pdf = parser.parse_args().pdf
    pages = pages_of(pdf)
    files = {name: text for name in tree.list_files() if name.startswith("doc/hardware/")
             for text in [tree.read(name)] if text is not None}
    found = (beyond(pages) + smaller(pages) + missing(pages, files)
             + torn(pages, letters_of(pdf), files))
    for line in found:
        print(line)
    print("%d pages: %d places are wrong" % (len(pages), len(found)))
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
