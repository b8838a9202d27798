#!/usr/bin/env python3
"""Runs the tests that are near to a change: for the minute after an edit (scripts/test near).

The change is what git sees since the last commit; without any, the last commit. A room of core is tested by its folder in
tests/core and by the laws on a few small models; the table of tests/README.md has the other rooms' tests.
"""

import pathlib
import re
import sys

import suites
import test_all

ROOT = test_all.ROOT
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)", re.MULTILINE)
HOSTILE = "*Safety*:*Attacks*"
SHORT_CHECKS = ["layers", "includes", "prose", "names", "surface", "budget", "concepts", "codes"]


def changed_files():
    since = ["HEAD"] if test_all.printed("git", "status", "--porcelain") else ["HEAD~1", "HEAD"]
    changed = test_all.printed("git", "diff", "--name-only", *since)
    if len(since) == 1:
        changed += test_all.printed("git", "ls-files", "-o", "--exclude-standard")
    return [name for name in changed if (ROOT / name).is_file()]


def core_tests(changed):
    """Returns the files of tests/core that are near to the changed files of core, and the changed ones."""
    tests = set()
    for path in map(pathlib.Path, changed):
        if path.parts[0] == "core" and path.suffix in (".cc", ".h", ".json"):
            room = ROOT / "tests" / path.parent
            while not (found := list(room.glob("*_test.cc"))) and room.name != "tests":
                room = room.parent
            tests.update(found)
        if path.parts[:2] == ("tests", "core") and path.suffix == ".cc":
            tests.add(ROOT / path)
    return sorted(tests)


def rooms():
    """Returns the tests of each room of the package and the page: the rows of the table in tests/README.md."""
    rows = re.findall(r"^\| `([\w/]+)` \| (.*) \|$", (ROOT / "tests/README.md").read_text(), re.MULTILINE)
    return {room: re.findall(r"`([^`]+)`", tests) for room, tests in rows}


def javascript_tests(changed):
    """Returns the files of tests of the rooms that changed, and the changed ones."""
    tests = set()
    of_room = rooms()
    for path in map(pathlib.Path, changed):
        if path.name.endswith(".test.mjs"):
            tests.add(str(path))
        elif path.suffix in (".ts", ".css", ".html") or path.match("wasm/*.cc"):
            room = next((str(above) for above in path.parents if str(above) in of_room), None)
            tests.update(of_room.get(room, []))
    return sorted(tests)


def near(changed):
    """Returns the suites for a change."""
    files = " ".join(changed)
    found = [suite for suite in suites.SUITES if suite.name in SHORT_CHECKS]
    found.append(suites.Suite("format", "", f"scripts/check_format {files}"))
    if any(re.search(r"\.(ts|[mc]?js|py)$|^scripts/\w+$|/run$", name) for name in changed):
        found.append(suites.Suite("lint", "", f"scripts/check_lint {files}"))
    if any(name.endswith(".ts") for name in changed):
        found.append(suites.Suite("types", "", "scripts/check_types"))
    if tests := core_tests(changed):
        names = sorted({name for test in tests for name in TEST.findall(test.read_text())})
        filters = ":".join(f"{name}.*:*/{name}.*" for name in names)
        command = f"scripts/googletest build/asan/tests/core/cryograph_tests --gtest_filter='{filters}'"
        found.append(suites.Suite("core", "", command, ("asan:cryograph_tests",)))
    if any(name.startswith(("core/", "tests/laws/", "tests/attacks/", "tests/data/", "proto/")) for name in changed):
        # Without hostile files, which take two minutes.
        command = f"CRYOGRAPH_LAWS=near tests/laws/run build/asan/tests/laws/cryograph_laws --gtest_filter='-{HOSTILE}'"
        found.append(suites.Suite("laws", "", command, ("asan:cryograph_laws",)))
    if any(name.startswith("core/") for name in changed):
        builds = ("asan:cryograph_proto,cryograph_generated",)
        found.append(suites.Suite("tidy", "", f"python3 scripts/check_tidy.py build/asan {files}", builds))
    if tests := javascript_tests(changed):
        command = f"source tests/js/counted; counted {' '.join(tests)}"
        found.append(suites.Suite("javascript", "", command, ("release:cryograph", "wasm:core", "js")))
    return found


def main():
    changed = changed_files()
    print("\n".join(changed[:20]), f"... {len(changed) - 20} more" if len(changed) > 20 else "", sep="\n")
    return test_all.run_and_report(near(changed), again=True)


if __name__ == "__main__":
    sys.exit(main())
