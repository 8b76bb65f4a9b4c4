# SPDX-License-Identifier: BSD-3-Clause
"""Configures Sphinx, which tools/doc calls to make HTML of the guides and the manual. The theme is
that of DPDK's own guides, Read the Docs."""

project = "crypto_accel"
author = "The crypto_accel authors"
copyright = "2026, " + author  # noqa: A001 pylint: disable=redefined-builtin
language = "en"

html_theme = "sphinx_rtd_theme"
# The first breaks the lines of cells, so that no table is cut off. The second is for the PDF.
html_static_path = ["static"]
html_css_files = ["tables.css", "print.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False

# These folders have no pages for Sphinx.
exclude_patterns = ["notes", "plots"]
# Sphinx warns about unresolved references, and tools/doc treats warnings as errors.
nitpicky = True
smartquotes = False
highlight_language = "none"
