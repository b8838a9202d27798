"""Includes of core's sources."""

import functools
import pathlib
import re

CORE = pathlib.Path(__file__).resolve().parent.parent / "core"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


@functools.cache
def reached(path):
    """Returns a file, and what it includes, itself or through others: paths of core's files, names of other headers."""
    seen, pending = {path}, [path]
    while pending:
        for kind, name in INCLUDE.findall(pending.pop().read_text()):
            included = CORE / name if kind == '"' else name
            if included in seen or kind == '"' and not included.exists():
                continue
            seen.add(included)
            if kind == '"':
                pending.append(included)
    return seen


def files_of(path):
    """Returns the files of core that a file is made of, itself among them."""
    return {each for each in reached(path) if isinstance(each, pathlib.Path)}
