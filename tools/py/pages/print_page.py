# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Prints an HTML page into a PDF with an outline of its sections, in a headless browser."""

import argparse
import os
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base.browser import BROWSER, browse


def main():
    """Prints the page that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", help="the page, a file of HTML")
    parser.add_argument("pdf", help="the PDF that is made")
    args = parser.parse_args()
    if os.path.exists(args.pdf):
        os.remove(args.pdf)
    result = browse(args.page, 10000, "--no-pdf-header-footer", "--generate-pdf-document-outline",
                    "--print-to-pdf=" + os.path.abspath(args.pdf))
    if result.returncode != 0 or not os.path.exists(args.pdf):
        sys.exit("%s printed nothing: %s" % (BROWSER, result.stderr.strip()[-500:]))


if __name__ == "__main__":
    main()
