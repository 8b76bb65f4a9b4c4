# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Prints an HTML page into a PDF with an outline of its sections, in a headless browser."""

import argparse
import os
import subprocess
import sys
import tempfile

BROWSER = "chromium"


def main():
    """Prints the page that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", help="the page, a file of HTML")
    parser.add_argument("pdf", help="the PDF that is made")
    args = parser.parse_args()
    if os.path.exists(args.pdf):
        os.remove(args.pdf)
    # The time is for what the page does when it is loaded.
    with tempfile.TemporaryDirectory() as profile:
        result = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + profile,
             "--virtual-time-budget=10000", "--no-pdf-header-footer",
             "--generate-pdf-document-outline",
             "--print-to-pdf=" + os.path.abspath(args.pdf), "file://" + os.path.abspath(args.page)],
            capture_output=True, text=True, check=False, timeout=600)
    if result.returncode != 0 or not os.path.exists(args.pdf):
        sys.exit("%s printed nothing: %s" % (BROWSER, result.stderr.strip()[-500:]))


if __name__ == "__main__":
    main()
