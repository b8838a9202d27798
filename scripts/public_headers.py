#!/usr/bin/env python3
"""Writes core's public headers, and all that they include, as "cryograph/...": public_headers.py FOLDER HEADER..."""

import pathlib
import re
import shutil
import sys

CORE = pathlib.Path(__file__).resolve().parent.parent / "core"
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def closure(headers):
    """Returns these headers and those that they include, by name, with their texts."""
    found, pending = {}, list(headers)
    while pending:
        name = pending.pop()
        if name in found:
            continue
        if not (CORE / name).is_file():
            sys.exit(f'public_headers.py: a public header includes "{name}", which is not a file of core')
        found[name] = (CORE / name).read_text()
        pending += INCLUDE.findall(found[name])
    return found


def main():
    folder = pathlib.Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in closure(sys.argv[2:]).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(INCLUDE.sub(r'#include "cryograph/\1"', text))


main()
