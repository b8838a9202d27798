#!/usr/bin/env python3
"""Checks the walls of the house.

In core: which room may include which, that only the native program does I/O, that a name is one type.
In the npm package and the page: which room may import which, types too. In the package also that no files import each other in
a circle; in the page that all import the package through its entry points alone.
"""

import collections
import functools
import pathlib
import re
import sys

from includes import CORE, INCLUDE

# Floors, each above the one before it, with their rooms in the same order: a file includes its own room, rooms listed before
# it, and the rooms that its own folder holds. "" is the floor's own folder; its headers are for all rooms of the floor.
FLOORS = {
    "base": ["", "pattern", "codes"],
    "bytes": [""],
    "archive": [""],
    "wire": ["", "text", "json"],
    "sstable": [""],
    "tensor": ["", "views"],
    "graph": ["", "functions", "analysis", "rewrite", "evaluate"],
    "checkpoint": [""],
    "model": ["", "analysis"],
    "formats": ["", "arrays", "tfjs", "tflite", "tensorflow", "events"],
    "validate": ["", "graph", "shape", "model"],
    "releases": [""],
    "passes": [
        "",
        "common",
        "tf_compat",
        "prune",
        "inline",
        "set",
        "inference",
        "weights",
        "optimize",
        "redact",
        "edit",
        "variables",
        "transfer",
        "freeze",
        "unfreeze",
        "diff",
    ],
    "verbs": [""],
    "compat": [""],
    "picture": ["", "groups", "place", "write"],
    "commands": ["", "text"],
    "native": [""],
}
# Rooms of the npm package, each of which imports those before it.
PACKAGE_ROOMS = ["types", "base", "core", "source", "model", "save", "host", "worker", "verify", "command", "entries"]
# Rooms of the page, each of which imports those before it. The page's own folder, which puts all together, is no room; what
# it loads later, a dynamic import, is not checked.
PAGE_ROOMS = [
    "ui",
    "engine",
    "state",
    "words",
    "tools",
    "updates",
    "actions",
    "findings",
    "open",
    "picture",
    "verify",
    "operate",
    "history",
    "panes",
    "shell",
]
ROOMS = [f"{floor}/{room}".rstrip("/") for floor, rooms in FLOORS.items() for room in rooms]
MOST_FILES = 40
HOSTS_ONLY = {
    "chrono",
    "cstdio",
    "fcntl.h",
    "filesystem",
    "fstream",
    "future",
    "iostream",
    "mutex",
    "stdio.h",
    "sys/mman.h",
    "sys/stat.h",
    "thread",
    "unistd.h",
}
GENERATED = {
    "wire/fields.h",
    "formats/tflite/tflite_schema.h",
    "surface_members.inc",
    "surface_keys.inc",
    "references.inc",
    "surface_formats.inc",
    "surface_kinds.inc",
}  # by scripts, next to the objects
TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)[^;{]*\{", re.MULTILINE)
IMPORT = re.compile(r'\b(?:from|import)\s+"(\.[^"]+)\.js"')
ROOT = CORE.parent
PAGE = ROOT / "web"
PACKAGE = ROOT / "wasm/package"


def fault(room, kind, name):
    """Returns why a file of this room may not include this, or None."""
    if kind == "<":
        return (
            f"I/O, threads and clocks belong to the hosts: <{name}>"
            if room != "native" and name in HOSTS_ONLY
            else None
        )
    if name in GENERATED:
        return None
    target = str(pathlib.PurePosixPath(name).parent)
    if target == "proto":
        return None if (ROOT / name.replace(".pb.h", ".proto")).exists() else f'no such message file: "{name}"'
    if not (CORE / name).exists():
        return f'not a file of core: "{name}" (includes start at core/)'
    inside = target.startswith(room + "/")
    if not inside and ROOMS.index(target) > ROOMS.index(room):
        return f'{room} includes upwards: "{name}"'
    return None


def target_of(path, name):
    """Returns the file that a TypeScript file imports by this name."""
    return (path.parent / name).resolve().with_suffix(".ts")


def is_upwards(path, target, top, rooms):
    """Returns whether a file imports one of a later room of `top`. Its own folder is no room."""
    own, other = (str(file.relative_to(top).parent) for file in (path, target))
    return own != "." and (other == "." or rooms.index(other) > rooms.index(own))


def page_fault(path, name):
    """Returns why a file of the page may not import this, or None."""
    target = target_of(path, name)
    if not target.exists():
        return f'no such file: "{name}"'
    if not target.is_relative_to(PAGE):
        inside = target.parent == PACKAGE / "entries"
        return None if inside else f'the page imports the package through wasm/package/entries alone: "{name}"'
    return f'imports upwards: "{name}"' if is_upwards(path, target, PAGE, PAGE_ROOMS) else None


def package_fault(path, name):
    """Returns why a file of the npm package may not import this, or None."""
    target = target_of(path, name)
    if not target.exists() or not target.is_relative_to(PACKAGE):
        return f'not a file of the package: "{name}"'
    if is_upwards(path, target, PACKAGE, PACKAGE_ROOMS):
        return f'imports upwards: "{name}"'
    way = way_to(path, target, {target})
    return way and f"imports itself: {' -> '.join(file.name for file in [path, *way])}"


def way_to(path, file, seen):
    """Returns the files by which `file` imports `path`, from it on, or None. `seen`: those that were looked at."""
    if file == path:
        return [file]
    for imported in imports_of(file) - seen:
        seen.add(imported)
        if way := way_to(path, imported, seen):
            return [file, *way]
    return None


@functools.cache
def imports_of(path):
    """Returns the files that a TypeScript file imports."""
    return {
        target_of(path, match[1]) for match in IMPORT.finditer(path.read_text()) if target_of(path, match[1]).exists()
    }


def check_core():
    """Prints the faults of core. Returns the numbers of files that have none, and of faulty files and rooms."""
    passed = failed = 0
    defined = {}  # type -> where: two of a name link to one destructor, whichever comes first
    files = collections.Counter()
    for path in sorted(p for p in CORE.rglob("*") if p.suffix in {".h", ".cc"}):
        room = str(path.relative_to(CORE).parent)
        if room not in ROOMS:
            sys.exit(f"{path.relative_to(ROOT)}: {room} is not a room (scripts/check_layers.py lists them)")
        files[room] += 1
        text = path.read_text()
        faults = [(m, fault(room, *m.groups())) for m in INCLUDE.finditer(text)]
        faults = [(m, why) for m, why in faults if why]
        for type_of in TYPE.finditer(text) if path.suffix == ".h" else []:
            other = defined.setdefault(type_of[1], path.relative_to(ROOT))
            if other != path.relative_to(ROOT):
                faults.append((type_of, f"{type_of[1]} is a type of {other}, too"))
        for match, why in faults:
            print(f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start(1)) + 1}: {why}")
        failed += bool(faults)
        passed += not faults
    for room, count in files.items():
        if count > MOST_FILES:
            print(f"core/{room}: {count} files, at most {MOST_FILES}: make rooms in it")
            failed += 1
    return passed, failed


def check_typescript(top, rooms, fault_of):
    """Prints the faults of the files below a folder. Returns the numbers of files that have none, and of others."""
    passed = failed = 0
    for path in sorted(top.rglob("*.ts")):
        room = str(path.relative_to(top).parent)
        if room not in rooms:
            sys.exit(f"{path.relative_to(ROOT)}: {room} is not a room (scripts/check_layers.py lists them)")
        text = path.read_text()
        faults = [(m, fault_of(path, m[1])) for m in IMPORT.finditer(text)]
        faults = [(m, why) for m, why in faults if why]
        for match, why in faults:
            print(f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start(1)) + 1}: {why}")
        failed += bool(faults)
        passed += not faults
    return passed, failed


def main():
    counts = [
        check_core(),
        check_typescript(PACKAGE, PACKAGE_ROOMS, package_fault),
        check_typescript(PAGE, [".", *PAGE_ROOMS], page_fault),
    ]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not all(each for each, _ in counts) else 0


sys.exit(main())
