#!/usr/bin/env python3
"""clang-tidy (.clang-tidy) over every source of core, those of a folder as one: most of a file's time goes to headers, and so
it takes a sixth of the time. A folder that passed is not looked at again until a source of it, a header of the project that one
includes, the messages, the rules or clang-tidy itself change.

    check_tidy.py BUILD_DIR [FILE...]     a clang build's compile_commands.json, its generated headers built; the folders of these
                                          files alone
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

from includes import CORE, INCLUDE, files_of

ROOT = CORE.parent
TIDY = ROOT / "build" / "tensorflow" / "bin" / "clang-tidy"  # of tests/requirements.txt: 14 takes five times as long
COMMANDS = ROOT / "build" / "tidy"  # of the compiler
# An empty file a passed content, where ccache too keeps what any clone has compiled.
PASSED = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "cryograph" / "tidy"
# misc-unused-using-decls and misc-unused-alias-decls look at the file alone that is compiled, and not at what it includes.
ALIAS = re.compile(r"^\s*(?:using [\w:]+::(\w+);|namespace (\w+) = .*;)$", re.MULTILINE)


def content_hash(path, rules):
    digest = hashlib.sha256(rules)
    for part in sorted(files_of(path)):
        digest.update(str(part.relative_to(ROOT)).encode() + b"\0" + part.read_bytes() + b"\0")
    return digest.hexdigest()


def commands(build):
    """Returns which sources of core each file has that is compiled."""
    entries = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    (COMMANDS / "compile_commands.json").write_text(json.dumps(entries))
    compiled = {}
    for path in (pathlib.Path(entry["file"]) for entry in entries):
        parts = [CORE / name for _, name in INCLUDE.findall(path.read_text())] if path.parts[-3] == "rooms" else [path]
        compiled[path] = [source for source in parts if CORE in source.parents and source.is_file()]
    return {path: sources for path, sources in compiled.items() if sources}


def is_used(path):
    """Returns whether a file uses each alias that it declares, and says which it does not."""
    text = path.read_text()
    aliases = [match[1] or match[2] for match in ALIAS.finditer(text)]
    unused = [name for name in aliases if len(re.findall(rf"\b{name}\b", text)) == 1]
    for name in unused:
        print(f"{path.relative_to(ROOT)}: {name} is not used")
    return not unused


def tidy(path, mark):
    if mark.exists():
        return True
    run = subprocess.run(
        [TIDY, "--quiet", "--extra-arg=-Wno-deprecated-declarations", "-p", COMMANDS, path],
        text=True,
        capture_output=True,
    )
    if run.returncode == 0:
        mark.touch()
    else:
        print(
            run.stdout + "".join(line for line in run.stderr.splitlines(True) if "warnings generated" not in line),
            end="",
        )
    return run.returncode == 0


def main(build, *changed):
    for folder in (COMMANDS, PASSED):
        folder.mkdir(parents=True, exist_ok=True)
    rules = (ROOT / ".clang-tidy").read_bytes() + subprocess.run([TIDY, "--version"], capture_output=True).stdout
    rules += b"".join(
        p.read_bytes() for p in [*sorted((ROOT / "proto").glob("*.proto")), CORE / "commands/surface.json"]
    )
    sources_of = commands(build)
    if changed:
        folders = {(ROOT / name).parent for name in changed}
        sources_of = {path: sources for path, sources in sources_of.items() if folders & {s.parent for s in sources}}
    files = sorted(sources_of, key=lambda path: -len(sources_of[path]))  # the longest first
    marks = [PASSED / content_hash(path, rules) for path in files]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: tidy(*job), zip(files, marks)))
    results += [is_used(source) for path in files for source in sources_of[path]]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if files and all(results) else 1


sys.exit(main(*sys.argv[1:]))
