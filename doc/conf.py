# SPDX-License-Identifier: BSD-3-Clause
"""How Sphinx makes HTML of the guides and the manual; tools/doc calls it. The theme is that of
DPDK's own guides, Read the Docs."""

project = "crypto_accel"
author = "The crypto_accel authors"
copyright = "2026, " + author  # noqa: A001 pylint: disable=redefined-builtin
language = "en"

html_theme = "sphinx_rtd_theme"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False

# The pages in Markdown are read as they are.
exclude_patterns = ["notes", "plots"]
# References that lead nowhere are warnings, and tools/doc takes warnings for errors.
nitpicky = True
smartquotes = False
highlight_language = "none"
