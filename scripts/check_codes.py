#!/usr/bin/env python3
"""Checks that every code of a diagnostic that core can raise is explained in core/base, and that no row there is left over.

    check_codes.py          checks, also that wasm/package/types/codes.ts and docs/reference/diagnostics.md are up to date
    check_codes.py write    writes them: the codes as a type of the npm package, and for readers

A code is a kebab-case literal, or the first argument of a call that makes a finding. Names of forms and kinds look alike: they are
listed here, so that whoever writes a new literal says which of both it is.
"""

import glob
import os
import re
import sys

import code_manual

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TABLES = [code_manual.VALIDATE, *code_manual.OTHERS]
NOT_CODES = {
    "bad-rule",
    "checkpoint-v1",
    "event-file",
    "graph-def",
    "graph-model",
    "group1-shard",
    "meta-graph",
    "meta-pbtxt",
    "saved-model",
    "savedmodel-pbtxt",
    "tfjs-graph-model",
}

ROW = re.compile(r'^    \{"([a-z0-9-]+)"', re.M)
KEBAB = re.compile(r'"([a-z][a-z0-9]*(?:-[a-z0-9]+)+)"')
RAISED = re.compile(r'\b(?:failure|warn|note|error|refused|fault|lost|damaged)\(\s*"([a-z]+)"')
REFERENCE = re.compile(r'\b(?:ADVICE|reference)\(\s*"[^"]*"')  # scripts/surface.py checks those
RAISED_HERE = re.compile(r'\bfailure\(\s*"([a-z-]+)"')
TYPES = "wasm/package/types/codes.ts"
PACKAGE = re.compile(r'\b(?:failure|refusal|fault|unread)\(\s*"([a-z-]+)"|\bcode: "([a-z-]+)"')
CONSTANT = re.compile(r'_code\w* = "([a-z]+)"')


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def codes_of(text):
    text = REFERENCE.sub("", without_comments(text))
    return {code for pattern in (KEBAB, RAISED, CONSTANT) for code in pattern.findall(text)} - NOT_CODES


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def package_codes():
    """Codes that the npm packages and the binding raise by themselves."""
    paths = [path for top in ("wasm/package", "web") for path in glob.glob(f"{ROOT}/{top}/**/*.ts", recursive=True)]
    own = {next(filter(None, found)) for path in paths for found in PACKAGE.findall(read(path))}
    binding = glob.glob(os.path.join(ROOT, "wasm/*.cc"))
    return own | {code for path in binding for code in RAISED_HERE.findall(read(path))}


def union(codes):
    return "".join(f'\n  | "{code}"' for code in sorted(codes))


def types():
    core = {code for path in TABLES for code in ROW.findall(read(os.path.join(ROOT, path)))}
    own = package_codes() - core | {"unknown"}
    return f"""// Made by scripts/check_codes.py of core/base/codes and of this package. Do not edit.

/** Codes that the core raises; explain() has their meaning. */
export type CoreCode ={union(core)};

/** Codes of this package: of arguments, of loading the core, of files, of verify() and of the page. */
export type PackageCode ={union(own)};

/** The code of a diagnostic: stable, kebab-case. */
export type Code = CoreCode | PackageCode;
"""


def main():
    made = {TYPES: types, os.path.relpath(code_manual.MANUAL, ROOT): code_manual.manual}
    if sys.argv[1:] == ["write"]:
        for path, make in made.items():
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(make())
        return
    explained, raised = {}, {}
    problems = []
    for path in TABLES:
        rows = ROW.findall(read(os.path.join(ROOT, path)))
        problems += [
            f"{path}: the rows are found by halves, and '{code}' is not sorted in"
            for last, code in zip(rows, rows[1:])
            if last > code
        ]
        for code in rows:
            explained.setdefault(code, []).append(path)
    for path in sorted(glob.glob(os.path.join(ROOT, "core", "**", "*.cc"), recursive=True)):
        name = os.path.relpath(path, ROOT)
        if name not in TABLES:
            for code in codes_of(read(path)):
                raised.setdefault(code, name)
    problems += [
        f"{raised[code]}: the code '{code}' has no row in {TABLES[0]} or {TABLES[1]}"
        for code in sorted(set(raised) - set(explained))
    ]
    problems += [
        f"{explained[code][0]}: nothing raises the code '{code}'" for code in sorted(set(explained) - set(raised))
    ]
    problems += [f"the code '{code}' has two rows" for code, paths in sorted(explained.items()) if len(paths) > 1]
    problems += [
        f"{path}: not what scripts/check_codes.py write makes"
        for path, make in made.items()
        if not os.path.exists(os.path.join(ROOT, path)) or read(os.path.join(ROOT, path)) != make()
    ]
    for problem in problems:
        print(problem)
    print(f"{len(raised)} codes")
    print(f"{len(set(raised) & set(explained))} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
