"""Makes docs/reference/diagnostics.md of the tables in core/base/codes and of tests/core/code_pairs/examples.txt."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
VALIDATE = "core/base/codes/codes.cc"
OTHERS = ["core/base/codes/file_explanations.cc", "core/base/codes/verb_explanations.cc"]
EXAMPLES = ROOT / "tests/core/code_pairs/examples.txt"
MANUAL = ROOT / "docs/reference/diagnostics.md"
ROW = re.compile(r'^    \{("[a-z0-9-]+",.*?)\},?$', re.MULTILINE | re.DOTALL)
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|\b(OPTION)\(\s*"([^"]*)",\s*"([^"]*)"\)|(,)|(\w+)')
HEAD = """# Diagnostics

Made by scripts/check_codes.py of core/base/codes. `cryograph validate --explain CODE` prints one entry.

A diagnostic has a severity, a code, a message, a place (node, input, attribute, function, file), and a fix. A code never changes its meaning, so a script may
depend on it.
"""


def rows(path):
    """Returns the strings of each row of a table."""
    return [strings(row) for row in ROW.findall((ROOT / path).read_text())]


def strings(row):
    """The strings of a row, with references in the words of the command line."""
    found = [""]
    for literal, reference, name, value, comma, other in TOKEN.findall(row):
        if other:
            raise ValueError(f"a row of the codes has what this script does not read: {other}")
        if comma:
            found.append("")
        elif reference:
            found[-1] += " ".join(filter(None, [name, value]))
        else:
            found[-1] += json.loads(f'"{literal}"')
    return found


def examples():
    """Returns what `validate` prints of the model in tests/core/code_pairs that has the fault, by code."""
    return dict(line.split(" ", 1) for line in EXAMPLES.read_text().splitlines())


def escaped(words):
    """A text as Markdown: nothing in it is markup."""
    return re.sub(r"([\\`*_<>\[\]|])", r"\\\1", words)


def of_validate(code, fix, explanation, repair="", repaired="", example=""):
    lines = [f"### {code}", "", escaped(explanation), ""]
    if example:
        lines += [f"    {example}", ""]
    lines += [f"Fix: {escaped(fix)}.", ""]
    if repair:
        lines += [f"`validate --fix` {escaped(repair)}.", ""]
    return lines


def manual():
    shown = examples()
    lines = [HEAD, "## Of validate", ""]
    lines += ["The example is the message for a small model with the fault.", ""]
    for row in rows(VALIDATE):
        lines += of_validate(*row, example=shown.get(row[0], ""))
    lines += ["## Of opening, verbs and writing", "", "Their fix depends on the case, and is part of the message.", ""]
    for code, explanation in sorted(row for path in OTHERS for row in rows(path)):
        lines += [f"### {code}", "", escaped(explanation), ""]
    return "\n".join(lines)
