#!/usr/bin/env python3
"""Checks that what comments name exists: `name()` is called or declared somewhere, and each part of `X::y` is a name in code."""

import pathlib
import re
import subprocess
import sys

from comments import blocks_of, comments_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = re.compile(r"\.(?:h|cc|ts|js|mjs|cjs|py)$")
CALL = re.compile(r"(?<![\w./])(?:\w+::)*(\w+)\(\)")
QUALIFIED = re.compile(r"\b(\w+(?:::\w+)+)\b")
# Names of TensorFlow and OpenCV, and one that stands for others.
FOREIGN = {
    "NAME",
    "ResourceHandle::ANONYMOUS_NAME",
    "ShapeRefiner::ConstantPartialShape",
    "TFImporter::buildDispatchMap",
    "TextFormat::Parse",
    "TextFormat::PrintToString",
    "tensorflow::KernelsRegisteredForOp",
    "variables_to_restore",
}


def code_of(path, text):
    """Returns a file without its comments."""
    for offset, comment in reversed(list(comments_of(path, text))):
        text = text[:offset] + text[offset + len(comment) :]
    return text


def main():
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    texts = {
        path: (ROOT / path).read_text()
        for path in listed.stdout.split()
        if SOURCE.search(path) and (ROOT / path).is_file()
    }
    names, called = set(), set()
    for path, text in texts.items():
        code = code_of(path, text)
        names.update(re.findall(r"\w+", code))
        called.update(re.findall(r"(\w+)[!?]?(?:<[^<>()]*>)?\(", code))
    checked = failed = 0
    for path, text in texts.items():
        for block in blocks_of(path, text):
            calls = [(name, name in called) for name in CALL.findall(block.text)]
            parts = [(name, all(part in names for part in name.split("::"))) for name in QUALIFIED.findall(block.text)]
            for name, exists in calls + parts:
                checked += 1
                if not exists and name not in FOREIGN:
                    failed += 1
                    print(f"{path}:{block.first}: there is no {name}")
    print(f"{checked - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
