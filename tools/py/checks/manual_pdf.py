# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Reads the PDF of the hardware manual: each section and each duty is in it, each picture is whole
and on the page of its caption, and nothing is beyond the margins. tools/doc runs this."""

import argparse
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


def pages_of(pdf):
    """Returns [(width, [(left, right, word)])] of the pages of a PDF, as pdftotext reads it."""
    result = subprocess.run(["pdftotext", "-bbox", pdf, "-"], capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        sys.exit("pdftotext: " + result.stderr.strip())
    return [(float(page.get("width")),
             [(float(word.get("xMin")), float(word.get("xMax")), word.text or "")
              for word in page.iter(XHTML + "word")])
            for page in xml.fromstring(result.stdout).iter(XHTML + "page")]


def compact(text):
    """Returns a text without blanks, marks of inline code and emphasis, and hyphens, at which lines
    are broken."""
    return re.sub(r"[\s`*-]|\xa0", "", text)


def beyond(pages):
    """Finds words beyond the margins."""
    return ["page %d: %r goes from %.0f to %.0f of %.0f" % (number, word, left, right, width)
            for number, (width, words) in enumerate(pages, 1) for left, right, word in words
            if left < MARGIN or right > width - MARGIN]


def missing(pages, files):
    """Finds sections and duties that no page has."""
    text = compact("".join(word for _, words in pages for _, _, word in words))
    manual = expand(lambda name: files[name])
    titles = re.findall(r"^(\d+(?:\.\d+)?\.? .+)\n[-~]{3,} *$", manual, re.M)
    duties = re.findall(r"\[([A-Z]+-\d+)\]", manual)
    if not titles or not duties:
        return ["the manual has no sections, or no duties"]
    return ["%s is missing" % what for what in titles + ["[%s]" % duty for duty in duties]
            if compact(what) not in text]


def torn(pages, files):
    """Finds pictures of which a text is not on the page of the caption."""
    found = []
    texts = [compact("".join(word for _, _, word in words)) for _, words in pages]
    said = pictures.said(files)
    for name, _, caption in pictures.FIGURE.findall(files[MANUAL]):
        start = compact(caption)[:60]
        page = next((text for text in texts if start in text), None)
        if page is None:
            found.append("%s: no page has its caption" % name)
            continue
        for text, _ in said[name[:-4]]:
            if not all(compact(word) in page for word in text.split()):
                found.append("%s: %r is not on the page of the caption" % (name, text))
    return found


def main():
    """Reads the PDF that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pdf", help="the PDF of the manual")
    pages = pages_of(parser.parse_args().pdf)
    files = {name: text for name in tree.list_files() if name.startswith("doc/hardware/")
             for text in [tree.read(name)] if text is not None}
    found = beyond(pages) + missing(pages, files) + torn(pages, files)
    for line in found:
        print(line)
    print("%d pages: %d places are wrong" % (len(pages), len(found)))
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
