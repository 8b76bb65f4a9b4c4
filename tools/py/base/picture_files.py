# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Knows the files of the manual's pictures: which source makes which picture, and what a picture
says of its source and of itself in its first lines."""

import hashlib
import re
import xml.etree.ElementTree

FOLDER = "doc/hardware/img/"
SOURCES = (".dot", ".json")
SVG = "{http://www.w3.org/2000/svg}"
# A comment of XML has no two hyphens in a row, so the option has no name here.
ABOUT = """<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- tools/doc with its option for pictures has made this from %s, sha256 of source and picture:
     %s
     %s -->
"""


def checksum(text):
    """Returns the checksum of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def sources(names):
    """Returns {source: picture} of the sources among names."""
    return {name: name.rsplit(".", 1)[0] + ".svg" for name in names
            if name.startswith(FOLDER) and name.endswith(SOURCES)}


def with_head(source, text, drawing):
    """Returns a picture: a drawing below the lines that say which source it was made from."""
    return ABOUT % (source[len(FOLDER):], checksum(text), checksum(drawing)) + drawing


def stale(source, text, picture):
    """Returns why a picture does not belong to the text of its source, or None."""
    parts = re.match(r"(.*?-->\n.*?-->\n)(.*)", picture, re.S)
    if parts is None:
        return "it has not the first lines of a picture"
    said = re.findall(r"^ +([0-9a-f]{64})", parts[1], re.M)
    if len(said) != 2 or said[0] != checksum(text):
        return "it was made from another text of " + source
    if said[1] != checksum(parts[2]):
        return "it was changed after it had been made"
    return None


def texts(picture):
    """Returns (text, True if it is italic) of the texts of a picture."""
    root = xml.etree.ElementTree.fromstring(picture.encode())
    return [("".join(box.itertext()).strip(), box.get("font-style") == "italic")
            for box in root.iter(SVG + "text")]
