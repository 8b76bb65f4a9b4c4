# SPDX-License-Identifier: BSD-3-Clause
"""Checks the files of examples/ as far as text can be checked: the PCI ids in them are those of the
contract, JSON and XML parse, a page names each file, the marked steps of a guide are well-formed,
a domain uses a socket that the service has, and commands of guides that mean no card leave PCI
alone. tools/checks runs this."""

import json
import os
import re
import xml.etree.ElementTree

from base import guide_steps
from gateway import secgw

FOLDER = "examples/sriov/"
GUIDE = "doc/guides/sriov.rst"
# The pages that name all files of a folder.
PAGES = {FOLDER: GUIDE, "examples/vm/": "examples/vm/README.md"}
DOMAIN = "examples/vm/domain.xml"
SETTINGS = "examples/vm/accel-device.default"
GATEWAY = "examples/gateway/"
GATEWAY_GUIDE = "doc/guides/ipsec-secgw.rst"
CONFIG = FOLDER + "kubernetes/configmap.yaml"
POD = FOLDER + "kubernetes/pod.yaml"


def contract_ids(files):
    """Returns the PCI ids of the contract's headers: {"VENDOR_ID": "1234", ...}."""
    text = "\n".join(text for name, text in files.items() if name.startswith("lib/accel_hw/"))
    return {name: number.lower() for name, number in
            re.findall(r"#define ACCEL_HW_PCI_(\w+) +(?:UINT\w+\()?0x([0-9a-fA-F]+)", text)}


def plugin_config(text):
    """Returns the JSON in the ConfigMap of the device plugin."""
    block = re.search(r"^  config\.json: \|\n((?:    .*\n)+)", text, re.M)
    return json.loads(block[1])


def check_plugin(files):
    """Checks that the device plugin selects the ids of a VF, and that the pod asks for its
    resource."""
    ids = contract_ids(files)
    wanted = {"vendors": [ids.get("VENDOR_ID")], "devices": [ids.get("DEVICE_ID_VF")],
              "drivers": ["vfio-pci"]}
    try:
        resources = plugin_config(files[CONFIG])["resourceList"]
    except (ValueError, TypeError, KeyError) as error:
        return ["%s: %s" % (CONFIG, error)]
    found = []
    for resource in resources:
        if resource.get("deviceType") != "accelerator":
            found.append("%s: the device type is not accelerator" % CONFIG)
        if resource.get("selectors") != [wanted]:
            found.append("%s: the selectors are not %s" % (CONFIG, json.dumps(wanted)))
        name = "%s/%s" % (resource.get("resourcePrefix"), resource.get("resourceName"))
        variable = "PCIDEVICE_" + re.sub(r"\W", "_", name).upper()
        if len(re.findall(r"^ +%s: \"1\"$" % re.escape(name), files[POD], re.M)) != 2:
            found.append("%s: does not ask for one %s, as request and limit" % (POD, name))
        if variable not in files[POD]:
            found.append("%s: does not use %s" % (POD, variable))
    return found


def check_ids(files):
    """Checks the ids in the udev rules."""
    ids = contract_ids(files)
    known = {ids.get("VENDOR_ID"), ids.get("DEVICE_ID_PF"), ids.get("DEVICE_ID_VF")}
    found = []
    for name, text in files.items():
        if not (name.startswith(FOLDER) and name.endswith(".rules")):
            continue
        used = re.findall(r'ATTR\{(?:vendor|device)\}=="0x([0-9a-f]+)"', text)
        for pair in re.findall(r'"([0-9A-F]{4}):([0-9A-F]{4})"', text):
            used += [word.lower() for word in pair]
        found += ["%s: no id of the card: %s" % (name, word) for word in used if word not in known]
        if not used:
            found.append(name + ": no id of the card")
    return found


def check_xml(files):
    """Checks that the files for libvirt are XML."""
    found = []
    for name, text in files.items():
        if name.startswith("examples/") and name.endswith(".xml"):
            try:
                xml.etree.ElementTree.fromstring(text)
            except xml.etree.ElementTree.ParseError as error:
                found.append("%s: %s" % (name, error))
    return found


def check_named(files):
    """Checks that the page of a folder names each file, and that the guide's steps are
    well-formed."""
    found = ["%s: %s does not name it" % (name, page) for folder, page in PAGES.items()
             for name in files if name.startswith(folder) and name != page
             and os.path.basename(name) not in files[page]]
    return found + ["%s: %s" % (GUIDE, text) for text in guide_steps.problems(files[GUIDE])]


def check_sockets(files):
    """Checks that the domain uses a socket that accel-device has with the settings beside it."""
    served = re.findall(r"--socket (\S+)", files[SETTINGS])
    used = re.findall(r'"path":"([^"]+)"', files[DOMAIN])
    found = [] if used else [DOMAIN + ": no socket"]
    return found + ["%s: %s does not serve %s" % (DOMAIN, SETTINGS, path)
                    for path in used if path not in served]


def check_gateway(files):
    """Checks that the guide names each file of the gateway, that its lines of configuration are in
    the file, and that it starts the program as the tools do."""
    guide = files[GATEWAY_GUIDE]
    lines = files[GATEWAY + "gateway.cfg"].splitlines()
    found = ["%s: %s does not name it" % (name, GATEWAY_GUIDE) for name in files
             if name.startswith(GATEWAY) and not name.endswith("README.md")
             and os.path.basename(name) not in guide]
    quoted = re.findall(r"^   ((?:sp|sa|rt|neigh|mode|aead_key) .*)$", guide, re.M)
    found += ["%s: not in gateway.cfg: %s" % (GATEWAY_GUIDE, line) for line in quoted
              if line not in lines]
    command = " ".join(re.findall(r"^   .*(?:ipsec-secgw |-- ).*$|^      .*", guide, re.M))
    words = command.replace("'", "").split()
    found += ["%s: the program is not started with %s" % (GATEWAY_GUIDE, word)
              for word in secgw.ARGUMENTS + secgw.taps() if word not in words]
    return found + ([] if quoted else ["%s: no configuration" % GATEWAY_GUIDE])


def without_card(text):
    """Returns the commands in a text that have the embedded device and other arguments of the EAL,
    and look at PCI all the same: they would take the functions of a machine that has some."""
    return [command.strip() for command in
            re.findall(r".*--vdev[ =]['\"]?crypto_accel.*", re.sub(r"\\\n *", "", text))
            if re.search(r"--(?:no-huge|in-memory|lcores|no-shconf)\b", command)
            and "--no-pci" not in command]


def check_commands(files):
    """Checks that no command of a guide or example looks for cards where none is meant."""
    wrong = "app --no-huge \\\n  --vdev crypto_accel0"
    found = [] if without_card(wrong) and not without_card(wrong + " --no-pci") else ["no check"]
    return found + ["%s: without --no-pci: %s" % (name, command) for name, text in files.items()
                    if name.startswith(("README.md", "doc/", "examples/")) and
                    not name.startswith("doc/notes/") for command in without_card(text)]


def findings(files):
    """Returns [(title, findings)] of all checks."""
    return [
        ("examples: the device plugin's selectors are the VF's ids", check_plugin(files)),
        ("examples: the ids in udev rules are the card's", check_ids(files)),
        ("examples: XML parses", check_xml(files)),
        ("examples: a page names each, the guide's steps are well-formed", check_named(files)),
        ("examples: the domain uses a socket of the service", check_sockets(files)),
        ("examples: the gateway's guide has its files, lines and command", check_gateway(files)),
        ("examples: commands with the embedded device have --no-pci", check_commands(files)),
    ]
