#!/usr/bin/env python3
"""clang-tidy (.clang-tidy) over every source of core. A file that passed is not looked at again until it, a header of the
project that it includes, the messages, the rules or clang-tidy itself change.

    check_tidy.py BUILD_DIR     a clang build's compile_commands.json, its generated headers built
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = ROOT / "core"
TIDY = ROOT / "build" / "tensorflow" / "bin" / "clang-tidy"  # of tests/requirements.txt: 14 takes five times as long
PASSED = ROOT / "build" / "tidy"  # an empty file a passed content
PRECOMPILED = re.compile(r" -Winvalid-pch| (-Xclang )?-include(-pch)? (-Xclang )?\S*cmake_pch\S*")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def included(path, seen):
    """The project's own files that this one is made of, itself among them."""
    if path not in seen and path.exists():
        seen.add(path)
        for name in INCLUDE.findall(path.read_text()):
            included(CORE / name, seen)
    return seen


def content_hash(path, rules):
    digest = hashlib.sha256(rules)
    for part in sorted(included(path, set())):
        digest.update(str(part.relative_to(ROOT)).encode() + b"\0" + part.read_bytes() + b"\0")
    return digest.hexdigest()


def commands(build):
    """Each file by itself, also where a folder is compiled as one. Without the precompiled header: clang-tidy is slower with
    it, and a file that lacks an include is seen."""
    entries = []
    for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
        command = PRECOMPILED.sub("", entry["command"])
        path = pathlib.Path(entry["file"])
        files = INCLUDE.findall(path.read_text()) if path.parent.name == "Unity" else [str(path)]
        entries += [dict(entry, file=file, command=command.replace(str(path), file)) for file in files]
    (PASSED / "compile_commands.json").write_text(json.dumps(entries))
    return entries


def tidy(path, mark):
    if mark.exists():
        return True
    run = subprocess.run(
        [TIDY, "--quiet", "--extra-arg=-Wno-deprecated-declarations", "-p", PASSED, path],
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


def main(build):
    PASSED.mkdir(parents=True, exist_ok=True)
    rules = (ROOT / ".clang-tidy").read_bytes() + subprocess.run([TIDY, "--version"], capture_output=True).stdout
    rules += b"".join(p.read_bytes() for p in sorted((ROOT / "proto").glob("*.proto")))
    compiled = {pathlib.Path(entry["file"]) for entry in commands(build)}
    files = sorted(path for path in compiled if CORE in path.parents)
    marks = [PASSED / content_hash(path, rules) for path in files]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: tidy(*job), zip(files, marks)))
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if results and all(results) else 1


sys.exit(main(sys.argv[1]))
