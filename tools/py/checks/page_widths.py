# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Finds what is cut off at the right edge of HTML pages, in a headless browser with the widths of a
desk's screen and of a telephone, and bullets without a text in tables. tools/doc runs this on the
pages that Sphinx has made."""

import argparse
import html
import json
import os
import re
import sys

if __name__ == "__main__":  # The rooms are packages of tools/py.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.path[0]))
from base.browser import BROWSER, browse

WIDTHS = (1280, 390)
# Each page is loaded in a frame of each width. Tables, pictures, and all that is not meant to be
# scrolled, shall be as wide as the place that they have. Blocks of code scroll by themselves.
PAGE = """<!doctype html><title>widths</title><body><script>
const pages = %s, widths = %s, found = [];
let measured = 0, pictures = 0;
function measure(frame, page, width) {
	const doc = frame.contentDocument, root = doc.documentElement;
	if (root.scrollWidth > width)
		found.push(`${page}: the page is ${root.scrollWidth} wide at ${width}`);
	doc.querySelectorAll(".wy-table-responsive, td, th, p, li, dd").forEach(box => {
		if (box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0)
			found.push(`${page}: at ${width} a <${box.localName}> needs ` +
				   `${box.scrollWidth} of ${box.clientWidth}: ` +
				   box.textContent.trim().slice(0, 40));
	});
	doc.querySelectorAll("td li").forEach(item => {
		if (!item.textContent.trim())
			found.push(`${page}: a bullet without a text in a table: ` +
				   item.closest("tr").textContent.trim().slice(0, 40));
	});
	doc.querySelectorAll("figure img").forEach(image => {
		const place = image.getBoundingClientRect(), name = image.getAttribute("src");
		if (!image.naturalWidth)
			found.push(`${page}: the picture ${name} is not there`);
		else if (place.left < 0 || place.right > width || !place.width)
			found.push(`${page}: at ${width} ${name} goes from ${place.left} to ` +
				   `${place.right}`);
		pictures++;
	});
	measured += doc.querySelectorAll("table").length;
}
(async () => {
	for (const page of pages)
		for (const width of widths) {
			const frame = document.createElement("iframe");
			frame.style = `width: ${width}px; height: 900px; border: 0`;
			frame.src = page;
			document.body.appendChild(frame);
			await new Promise(done => { frame.onload = done; });
			// The theme changes its pages when they are loaded.
			await new Promise(done => { setTimeout(done, 200); });
			measure(frame, page, width);
			frame.remove();
		}
	const result = document.createElement("pre");
	result.id = "result";
	result.textContent = JSON.stringify({measured, pictures, found});
	document.body.appendChild(result);
})();
</script>"""


def pages_of(folder):
    """Returns the pages of a folder, as paths in it."""
    found = [os.path.relpath(os.path.join(at, name), folder)
             for at, _, names in os.walk(folder) for name in names if name.endswith(".html")]
    return sorted(name for name in found if not name.startswith("_")
                  and name not in ("genindex.html", "search.html"))


def measure(folder):
    """Returns what the browser says: how many tables it has measured, and what is cut off."""
    driver = os.path.join(folder, "_widths.html")
    with open(driver, "w", encoding="utf-8") as file:
        file.write(PAGE % (json.dumps(pages_of(folder)), json.dumps(WIDTHS)))
    try:
        result = browse(driver, 600000, "--allow-file-access-from-files", "--window-size=1400,1000",
                        "--dump-dom")
    finally:
        os.remove(driver)
    match = re.search(r'<pre id="result">(.*?)</pre>', result.stdout, re.S)
    if match is None:
        sys.exit("%s measured nothing: %s" % (BROWSER, result.stderr.strip()[-500:]))
    return json.loads(html.unescape(match[1]))


def main():
    """Measures the pages of the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="the folder of HTML pages")
    folder = parser.parse_args().folder
    result = measure(folder)
    for line in result["found"]:
        print(line)
    print("%d tables and %d pictures at %s columns of pixels: %d places are wrong" % (
        result["measured"], result["pictures"], " and ".join("%d" % width for width in WIDTHS),
        len(result["found"])))
    return 1 if result["found"] or not result["measured"] or not result["pictures"] else 0


if __name__ == "__main__":
    sys.exit(main())
