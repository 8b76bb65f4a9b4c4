# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Opens an HTML page in a headless browser, which tools/doc installs."""

import os
import subprocess
import tempfile

BROWSER = "chromium"


def browse(page, budget_ms, *options):
    """Opens the file of a page, which has budget_ms of virtual time for what it does when it is
    loaded. The options say what becomes of it then. Returns what the browser has printed and its
    exit code, as subprocess.run() does."""
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + profile,
             "--virtual-time-budget=%d" % budget_ms, *options, "file://" + os.path.abspath(page)],
            capture_output=True, text=True, check=False, timeout=600)
