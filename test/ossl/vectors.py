#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Carries out known answers with Debian's python3-cryptography, below which OpenSSL is.

vectors.py FOLDER   test/vectors/pk: signatures of RSA, right ones and wrong ones, and OAEP

It prints how many verdicts are right, and a line for each that is not. test/unit/vectors/pk_file.h
has the format of the files. This library verifies ECDSA below EVP, where no provider is asked."""

import os
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa, utils

FILES = ("rsa_pkcs1", "rsa_pkcs1_em", "rsa_pss", "rsa_pss_odd", "rsa_decrypt")
BY_NUMBER = {66: hashes.SHA1, 67: hashes.SHA224, 68: hashes.SHA256, 69: hashes.SHA384,
             70: hashes.SHA512}
PKCS1, OAEP, PSS = 1, 2, 3
DECRYPT, VERIFY = 2, 4


def number(data):
    """A big-endian number."""
    return int.from_bytes(data, "big")


def answers(path):
    """Reads a file. Yields line, words and fields of an operation, the key among them."""
    do, fields = None, {}
    with open(path, encoding="ascii") as file:
        for line_number, line in enumerate(file, 1):
            word, *rest = line.split() or [""]
            if word == "key":
                fields = {}
            elif word == "do":
                do = [int(n) for n in rest]
                fields = {name: value for name, value in fields.items() if name[0] == "c"}
            elif word == "end":
                yield line_number, do, fields
            elif word and word != "#":
                fields[word] = bytes.fromhex(rest[0]) if rest else b""


def verify_rsa(do, fields):
    """Verifies a signature of RSA."""
    key = rsa.RSAPublicNumbers(number(fields["c1"]), number(fields["c0"])).public_key()
    digest = BY_NUMBER[do[2]]()
    how = padding.PKCS1v15()
    if do[1] == PSS:
        how = padding.PSS(padding.MGF1(BY_NUMBER.get(do[3], type(digest))()), do[5])
    key.verify(fields["o1"], fields["o0"], how, utils.Prehashed(digest))


def decrypt(do, fields):
    """Decrypts with OAEP. Raises ValueError if the text is another one."""
    n, e, d, p, q, *crt = [number(fields.get("c%d" % i, b"")) for i in range(8)]
    d = d or pow(e, -1, (p - 1) * (q - 1))
    key = rsa.RSAPrivateNumbers(p, q, d, *crt, rsa.RSAPublicNumbers(e, n)).private_key()
    digest = BY_NUMBER[do[2]]
    how = padding.OAEP(padding.MGF1(BY_NUMBER.get(do[3], digest)()), digest(),
                       fields.get("o1") or None)
    if key.decrypt(fields["o0"], how) != fields.get("r", b""):
        raise ValueError("another text")


def known(do, fields):
    """Carries out an operation. True or False: accepted or not. None: it is not for us."""
    try:
        if do[2] not in BY_NUMBER:
            return None
        if do[0] == VERIFY and do[1] in (PKCS1, PSS):
            verify_rsa(do, fields)
        elif do[0] == DECRYPT and do[1] == OAEP and "c7" in fields:
            decrypt(do, fields)
        else:
            return None
    except (InvalidSignature, ValueError):
        return False
    return True


def main():
    """Carries out all files."""
    counts = {True: 0, False: 0}
    for name in FILES:
        for line, do, fields in answers(os.path.join(sys.argv[1], name + ".txt")):
            accepted = known(do, fields)
            if accepted is None:
                continue
            counts[accepted] += 1
            if accepted != (do[-1] == 0):
                print("%s:%d: accepted is %s" % (name, line, accepted))
    print("%d accepted, %d refused" % (counts[True], counts[False]))


main()
