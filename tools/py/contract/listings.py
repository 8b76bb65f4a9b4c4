# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The crypto_accel authors
"""Makes tables of the manual that list facts which stand elsewhere in the contract: pages, limits,
orders of checks, rules of context kinds, operations of public keys. What a row names shall exist,
and its numbers are those of the contract."""

import itertools
import re

from contract.source import ContractError

PREFIX = "ACCEL_HW_"


def pages(contract, item):
    """Returns titles and rows of the pages of BAR0. No page of registers shall be left out."""
    rows = []
    for cell in item["cells"]:
        page = contract.pages[cell["page"]] if "page" in cell else None
        writer, section = (page.writer, page.section) if page else (cell["writer"], cell["section"])
        rows.append([cell["text"], writer, ", ".join([section] + cell.get("besides", []))])
    missing = set(contract.pages) - {cell.get("page") for cell in item["cells"]}
    if missing:
        raise ContractError("the list of pages lacks " + ", ".join(sorted(missing)))
    return ["Page", "Written by", "Section"], rows


def limits(contract, item):
    """Returns titles and rows of the limits. {NAME} stands for a number of the contract."""
    def text(cell):
        return re.sub(r"\{(\w+)\}", lambda name: "%d" % contract.number(
            contract.constants[name[1]]), cell)

    return ["Limit", "Least of any card", "Reference model"], [
        [text(cell) for cell in row] for row in item["cells"]]


def least(_, item):
    """Returns titles and rows of the duties that the least card has."""
    return ["Of the section", "Duties"], [list(row) for row in item["cells"]]


def checks(contract, item):
    """Returns titles and rows of checks in their order. Each shall name a status or a section."""
    rows = []
    for number, (check, *statuses) in enumerate(item["cells"], 1):
        for name in statuses:
            if not re.fullmatch(r"\d\.\d", name) and PREFIX + name not in contract.constants:
                raise ContractError("check %d of %s: no status %s" % (number, item["table"], name))
        rows.append(["%d" % number, check, ", ".join(statuses)])
    return ["Nr", "Check", "Status"], rows


def rules(contract, item):
    """Returns titles and rows of rules for the kinds of contexts. Kinds that follow each other and
    have the same rules share a row, and kinds without rules have none."""
    values = [value for value in contract.values_of(item["rules_of"]) if "rules" in value]
    return ["Context kind", "Rules"], [
        [", ".join(value.get("said", value.get("text", value["name"])) for value in group), text]
        for text, group in itertools.groupby(values, lambda value: value["rules"])]


def components(contract, row):
    """Returns the components of a public key as the manual writes them, from number 0 on."""
    numbers = [int(contract.constants[PREFIX + name]) for name in row["components"]]
    if numbers != list(range(len(numbers))):
        raise ContractError("components of %s: %s" % (row["alg"], numbers))
    return ", ".join(row["components"].values())


def operations(contract, item):
    """Returns titles and rows of the operations of public keys. Each row has the number of the
    algorithm, since a row without a first cell would be a part of the one above it."""
    rows, named = [], set()
    for row in item["cells"]:
        first = [row["text"], components(contract, row)]
        named |= set(row["components"])
        for name, (operands, results) in row["operations"].items():
            number = contract.constants[PREFIX + "PK_" + name]
            rows.append([contract.constants[PREFIX + row["alg"]], *first,
                         "%s %s" % (number, name), operands, results])
            first = ["", ""]
    missing = {value["name"] for value in contract.values_of(item["components_of"])} - named
    if missing:
        raise ContractError("no public key has " + ", ".join(sorted(missing)))
    return ["Number", "Algorithm", "Components", "Operation", "Operands", "Results"], rows


LISTINGS = {"pages": pages, "limits": limits, "least": least, "checks": checks, "rules": rules,
            "operations": operations}


def make(contract, item):
    """Returns titles and rows of an item that lists facts."""
    return LISTINGS[item["listing"]](contract, item)
