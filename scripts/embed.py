#!/usr/bin/env python3
"""Writes a file's bytes as C++: `std::string_view NAME()` of namespace cryo, as HEADER declares it.

embed.py core/data/ops.bin ops.cc native/embedded_ops.h embedded_ops
"""

import sys


def literal(data):
    """Octal escapes of three digits, so that no digit after one is taken for a part of it."""
    for start in range(0, len(data), 64):
        yield '    "' + "".join(f"\\{byte:03o}" for byte in data[start : start + 64]) + '"\n'


def main(source, target, header, name):
    with open(source, "rb") as file:
        data = file.read()
    with open(target, "w") as file:
        file.write(f'#include "{header}"\n\nnamespace cryo {{\n\nstd::string_view {name}() {{\n  return {{\n')
        file.writelines(literal(data))
        file.write(f"    , {len(data)}}};\n}}\n\n}}  // namespace cryo\n")


main(*sys.argv[1:])
