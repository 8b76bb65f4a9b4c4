# SPDX-License-Identifier: BSD-3-Clause
"""Configures Sphinx for the man pages, which doc/man/meson.build has made."""

project = "crypto_accel"
author = "The crypto_accel authors"
smartquotes = False
highlight_language = "none"
man_make_section_directory = False
man_show_urls = False
man_pages = [
    ("accel-conformance", "accel-conformance", "test a crypto_accel card against its manual", "",
     1),
    ("accel-device", "accel-device", "serve functions of a crypto_accel card over vfio-user", "",
     1),
    ("accel-pf-holder", "accel-pf-holder", "hold a physical function and give its virtual "
     "functions their shares", "", 1),
    ("dpdk-accel-exporter", "dpdk-accel-exporter", "serve metrics of crypto_accel devices to "
     "Prometheus", "", 1),
    ("OSSL_PROVIDER-cryptodev", "OSSL_PROVIDER-cryptodev", "OpenSSL provider over a crypto device "
     "of DPDK", "", 7),
]
