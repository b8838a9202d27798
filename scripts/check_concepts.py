#!/usr/bin/env python3
"""Counts concepts of core that a reader has to keep apart, and fails where there are more than the rows below allow. Lower a row
when its figure has sunk."""

import pathlib
import re
import sys

CORE = pathlib.Path(__file__).resolve().parent.parent / "core"

# The most that there may be, and the goal.
MOST = {
    "arrays of op names": (7, 15),
    "classes that are constructed and run in one expression": (28, 0),
    "members of the largest class": (12, 10),
    "lines of core": (92_400, 72_000),
}

ARRAY = re.compile(r"(?:std::array<std::string_view, \d+>|std::string_view \w+\[\])[^;{]*\{([^;]*?)\};", re.DOTALL)
STRING = re.compile(r'"([^"\n]*)"')
OP = re.compile(r"_?[A-Z][A-Za-z0-9]+$")
CLASS = re.compile(r"^(?:class|struct) (\w+)[^;{]*\{$(.*?)^\};$", re.DOTALL | re.MULTILINE)
MEMBER = re.compile(r"^  [^ ()\n][^()\n]*\b\w+_(?: = [^;]*|\{[^;]*\})?;", re.MULTILINE)


def sources():
    for path in sorted([*CORE.rglob("*.h"), *CORE.rglob("*.cc")]):
        yield path, re.sub(r"//[^\n]*", "", path.read_text())


def op_arrays(text):
    """The arrays of two or more strings that are all named as ops are."""
    for body in ARRAY.findall(text):
        names = STRING.findall(body)
        if len(names) >= 2 and all(OP.match(name) and not name.isupper() for name in names):
            yield names


def run_at_once(text):
    """The classes of a file that are constructed only to call one method: `return Folder(model).run();`."""
    for name, _ in CLASS.findall(text):
        calls = [match.end() for match in re.finditer(rf"\b{name}\(", text)]
        if any(re.match(r"\s*\.\w+\(", text[closing(text, call) :]) for call in calls):
            yield name


def closing(text, begin):
    """Returns the end of the parentheses that have been opened before `begin`."""
    depth = 1
    while depth > 0:
        depth += {"(": 1, ")": -1}.get(text[begin], 0)
        begin += 1
    return begin


def members(text):
    for name, body in CLASS.findall(text):
        yield len(MEMBER.findall(body)), name


def count():
    arrays, costumes, largest, lines = [], [], (0, "", None), 0
    for path, text in sources():
        lines += path.read_text().count("\n")
        arrays += [(path, names) for names in op_arrays(text)]
        costumes += [(path, name) for name in run_at_once(text)]
        largest = max([largest, *((size, name, path) for size, name in members(text))], key=lambda row: row[0])
    return {
        "arrays of op names": (len(arrays), [f"{p.relative_to(CORE)}: {', '.join(n[:4])}" for p, n in arrays]),
        "classes that are constructed and run in one expression": (
            len(costumes),
            [f"{p.relative_to(CORE)}: {n}" for p, n in costumes],
        ),
        "members of the largest class": (largest[0], [f"{largest[2].relative_to(CORE)}: {largest[1]}"]),
        "lines of core": (lines, []),
    }


def main(verbose):
    failed = 0
    for what, (found, places) in count().items():
        most, goal = MOST[what]
        print(f"{what}: {found} (at most {most}; goal {goal})")
        if verbose or found > most:
            print("".join(f"    {place}\n" for place in places), end="")
        failed += found > most
    print(f"{len(MOST) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main("-v" in sys.argv)
