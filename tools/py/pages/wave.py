# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Draws a time line that is written in WaveJSON, and prints it as SVG. The Python of
build/deps/wavedrom runs this, which has the package wavedrom."""

import argparse
import json
import sys

try:
    import wavedrom
except ModuleNotFoundError:
    wavedrom = None


def main():
    """Draws the file that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", help="the file of WaveJSON")
    args = parser.parse_args()
    if wavedrom is None:
        sys.exit("there is no WaveDrom: tools/doc --pictures gets it")
    with open(args.source, encoding="utf-8") as file:
        source = json.load(file)
    source.pop("about")
    sys.stdout.write(wavedrom.render(json.dumps(source)).tostring())


if __name__ == "__main__":
    main()
