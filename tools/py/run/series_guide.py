# SPDX-License-Identifier: BSD-3-Clause
"""The guide and the table of features as a patch of the series has them, for patchset.py. The
series has no embedded device and no program of this repository, so sentences, items, rows and
blocks of code that name one are left out, and sections that are empty then."""

import re
import textwrap

GUIDES = "doc/guides/cryptodevs/"
FEATURES = GUIDES + "features/accel.ini"
# What a DPDK tree lacks.
LACKING = re.compile(
    r"tools/|accel-(device|conformance|tool|exporter|sample)|accel-model|dpdk-accel|--vdev|vdev's"
    r"|embedded device|[Rr]eference (device|model)|the model|`Versions of libraries`|meson install"
    r"|crypto_accel0|librte_crypto_accel\.so|build/release|examples/|vfio-user"
    r"|rte_pmd_accel_(poll|fault)"
    r"|guide on SR-IOV|they were stopped or waited|A run is memory"
    r"|QEMU|Debian|build options|doc/(?!guides)|accel_threads_of_the_embedded|accel_faults"
    r"|accel_peak_rates|:doc:`[^`]*\.\./(?!\.\./hardware)|as a virtual device"
    r"|virtual\s+device has all"
    r"|intel-ipsec-mb|OpenSSL|libraries, and are offered|IPsec-MB", re.DOTALL)
# Device arguments of the embedded device alone.
LACKING_KEYS = ("queue_pairs", "cores", "pk_cores", "pk_share", "engine", "peak_ops", "peak_bytes",
                "faults", "idle_us", "ctx_cache", "bits", "command_upper", "contract_minor",
                "posted_writes", "socket_id", "name")
MANUAL = "hardware programming manual of the card"
# Sections that a driver of the tree has in another way, or not at all.
SECTIONS = {
    "Installation": "The driver depends on libfdt. It is built for 64-bit Linux.",
    "Initialization": """The driver's threads block all signals but those that a fault of their
own raises (``SIGSEGV``, ``SIGBUS`` and the like), so handlers of the
application run in its own threads.""",
    "Versions of libraries": None,
    "Threads of the embedded device": None,
    "OpenSSL in the process": None,
    "Faults": None,
    "Peak rates": None,
}
UNDERLINE = re.compile(r"([=\-~^])\1{2,}$")


def _prose(block):
    """A paragraph or list item without the sentences that name what is lacking."""
    first = block.split("\n", 1)[0]
    lead = re.match(r"( *)((?:\* |\d+\. |#\. )?)", first)
    indent, bullet = lead.groups()
    text = " ".join(block[lead.end():].split())
    sentences = re.split(r"(?<=[.:]) (?=[A-Z`*:])", text)
    kept = [s for s in sentences if not LACKING.search(s)]
    if len(kept) == len(sentences):
        return block
    if not kept:
        return None
    return textwrap.fill(" ".join(kept), 100, initial_indent=indent + bullet,
                         subsequent_indent=indent + " " * len(bullet), break_long_words=False,
                         break_on_hyphens=False)


def _table(block):
    """A table without such rows. A row goes on in lines whose first column is blank."""
    lines = block.split("\n")
    rows, out = [], []
    width = len(lines[0].split(" ", 1)[0])
    for line in lines:
        if rows and not line[:width].strip() and not line.startswith("="):
            rows[-1] += "\n" + line
        else:
            rows.append(line)
    for row in rows:
        key = re.match(r"``(\w+)``", row)
        if key and key[1] in LACKING_KEYS or LACKING.search(row):
            continue
        out.append(row)
    # A table needs rows between its head and its end.
    return "\n".join(out) if sum(not row.startswith("=") for row in out) > 1 else None


def _items(block):
    """The list items of a block, one each; other blocks as they are."""
    if not re.match(r" *(\*|\d+\.|#\.) ", block):
        return [block]
    return re.split(r"\n(?= *(?:\*|\d+\.|#\.) )", block)


def _blocks(text):
    """Blocks that blank lines divide. What is indented below a directive belongs to it."""
    blocks = []
    for block in re.split(r"\n\n+", text.strip("\n")):
        if blocks and blocks[-1].lstrip().startswith(".. ") and not blocks[-1].startswith(".. _") \
                and block.startswith(" ") and "SPDX" not in blocks[-1]:
            blocks[-1] += "\n\n" + block
        else:
            blocks.append(block)
    return blocks


def _is_heading(block):
    lines = block.split("\n")
    return len(lines) == 2 and UNDERLINE.fullmatch(lines[1]) is not None


def _filter(text):
    """All blocks of a page that a DPDK tree can have."""
    out, skips = [], False
    for block in _blocks(text):
        title = block.split("\n")[0] if _is_heading(block) else None
        if skips and title is None and not block.startswith(".. _"):
            continue
        skips = title in SECTIONS
        if skips:
            out += [block, SECTIONS[title]]
        elif _is_heading(block) or block.startswith(".. _") or "SPDX" in block:
            out.append(block)
        elif block.lstrip().startswith(".. "):
            if not LACKING.search(block):
                out.append(block)
        elif block.startswith("="):
            out.append(_table(block))
        else:
            items = [_prose(item) for item in _items(block)]
            out.append("\n".join(item for item in items if item) or None)
    return _drop_empty([block for block in out if block])


def _drop_empty(blocks):
    """Without headings and labels that nothing follows, and colons that announce nothing."""
    changed = True
    while changed:
        changed = False
        for i, block in enumerate(blocks):
            after = blocks[i + 1] if i + 1 < len(blocks) else None
            level = "=-~^".find(block[-1]) if _is_heading(block) else None
            if level is not None:
                while after is not None and after.startswith(".. _") and i + 2 < len(blocks):
                    after = blocks[i + 2]
                dead = after is None or after.startswith(".. _") or \
                    _is_heading(after) and "=-~^".find(after[-1]) <= level
            elif block.startswith(".. _"):
                dead = after is None or not _is_heading(after) and not after.startswith(".. _")
            else:
                dead = block.endswith(":") and not block.startswith((" ", "..", "=")) and \
                    (after is None or _is_heading(after) or after.startswith(".. _"))
            if dead:
                del blocks[i]
                changed = True
                break
    return blocks


def page(name, text, present):
    """A page when the pages `present` are there. Links to others are their titles or nothing."""
    text = re.sub(r"\s\(reference device:[^)]*\)", "", text)
    blocks = _filter(re.sub(r":doc:`[^`]*<\.\./\.\./hardware/manual>`", MANUAL, text)
                     .replace("``doc/hardware/manual.rst``", MANUAL))
    labels = set(re.findall(r"^\.\. _([\w-]+):", "\n".join(blocks), re.MULTILINE))
    for other in present:
        labels |= set(re.findall(r"^\.\. _([\w-]+):", present[other], re.MULTILINE))

    def reference(match):
        title, target = re.fullmatch(r"(?:([^<]*?)\s*<)?([\w-]+)>?", match[1]).groups()
        if target in labels:
            return match[0]
        return title or target.replace("accel_", "").replace("_", " ")

    def document(match):
        title, target = re.fullmatch(r"(?:([^<]*?)\s*<)?([^>]+)>?", match[1]).groups()
        if target + ".rst" in present:
            return match[0]
        return "*%s*" % (title or target.rsplit("/", 1)[-1].replace("accel_", "").replace("_", " "))

    out = []
    for block in blocks:
        items = _items(block)
        # The list of pages has those that are there.
        items = [item for item in items
                 if not re.match(r"\* :doc:`(accel_\w+)`:", item)
                 or re.match(r"\* :doc:`(accel_\w+)`:", item)[1] + ".rst" in present]
        out.append("\n".join(items))
    blocks = _drop_empty([block for block in out if block])
    if len(present) == 1:
        blocks = [b for b in blocks if b != "Further pages go into detail:"]
    text = "\n\n".join(blocks) + "\n"
    text = re.sub(r":ref:`([^`]*)`", reference, text)
    text = re.sub(r":doc:`([^`]*)`", document, text)
    if name != "accel.rst":
        text = text.replace("\n\n", "\n\n:orphan:\n\n", 1)
    return text


def features(text, rows):
    """The table of features with the sections and rows of [Features] that are there."""
    out, section = [], ""
    for line in text.splitlines(keepends=True):
        if line.startswith("["):
            section = line[1:-2]
        elif section and "=" in line and not line.startswith(";"):
            key = line.split("=")[0].strip() if section == "Features" else section
            if key not in rows and "*" not in rows:
                continue
        out.append(line)
    return "".join(out)
