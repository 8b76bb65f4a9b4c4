# SPDX-License-Identifier: BSD-3-Clause
"""Makes a C file from the template of the report: embed.py TEMPLATE C_FILE"""

import sys


def main():
    """Reads the template and writes it as an array."""
    with open(sys.argv[1], "rb") as file:
        data = file.read() + b"\0"
    with open(sys.argv[2], "w", encoding="ascii") as file:
        file.write('#include "report/report.h"\n\nconst char report_template[] = {\n')
        for place in range(0, len(data), 16):
            file.write("\t%s,\n" % ", ".join(str(byte if byte < 128 else byte - 256)
                                             for byte in data[place:place + 16]))
        file.write("};\nconst size_t report_template_len = %d;\n" % (len(data) - 1))


if __name__ == "__main__":
    main()
