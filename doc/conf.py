# SPDX-License-Identifier: BSD-3-Clause
"""Configures Sphinx, which tools/doc calls to make HTML of the guides and the manual. The theme is
that of DPDK's own guides, Read the Docs."""

import os

from docutils import nodes

project = "crypto_accel"
author = "The crypto_accel authors"
copyright = "2026, " + author  # noqa: A001 pylint: disable=redefined-builtin
language = "en"

# README.md and its neighbours are pages by an include. All other doc/*.md are pages themselves.
extensions = ["myst_parser"]
myst_heading_anchors = 3

html_theme = "sphinx_rtd_theme"
# The first breaks the lines of cells, so that no table is cut off. The second is for the PDF.
html_static_path = ["static"]
html_css_files = ["tables.css", "print.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False

# These folders have no pages for Sphinx.
exclude_patterns = ["man", "notes", "plots", "**/README.md"]
# Sphinx warns about unresolved references, and tools/doc treats warnings as errors.
nitpicky = True
smartquotes = False
highlight_language = "none"

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = {"README.md": "readme", "CONTRIBUTING.md": "contributing", "SECURITY.md": "security",
         "CHANGELOG.md": "changelog"}


def link_of_tree(app, env, node, contnode):
    """Resolves a link of Markdown to a file of the tree. It becomes a link to the page that has the
    file, or the text alone if none has it. A file that does not exist remains a warning."""
    del env
    if node.get("reftype") not in ("myst", "any"):  # myst_parser asks with the latter
        return None
    target = node["reftarget"].split("#")[0]
    folder = os.path.dirname(os.path.join(app.srcdir, node["refdoc"]))
    for base in (folder, ROOT):
        path = os.path.normpath(os.path.join(base, target))
        page = PAGES.get(os.path.relpath(path, ROOT))
        if page is not None:
            uri = app.builder.get_relative_uri(node["refdoc"], page)
            return nodes.reference("", "", contnode, internal=True, refuri=uri)
        if os.path.exists(path):
            return contnode
    return None


def setup(app):
    """Called by Sphinx."""
    app.connect("missing-reference", link_of_tree)
