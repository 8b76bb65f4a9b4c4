# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Reads the hardware manual with the tables that it includes."""

import os
import re

MANUAL = "doc/hardware/manual.rst"


def expand(read):
    """Returns the manual's text with its tables. `read` returns the text of a path."""
    folder = os.path.dirname(MANUAL) + "/"
    return re.sub(r"^\.\. include:: (\S+)\n", lambda match: read(folder + match[1]).split(
        "\n\n", 1)[1], read(MANUAL), flags=re.M)
