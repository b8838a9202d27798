#!/usr/bin/env python3
"""A layer of core includes itself and the layers before it, nothing above; only the command line does I/O; a name is one type."""

import pathlib
import re
import sys

LAYERS = ["base", "bytes", "wire", "table", "tensor", "graph", "model", "passes", "layout", "cli"]
HOSTS_ONLY = {"chrono", "cstdio", "fcntl.h", "filesystem", "fstream", "future", "iostream", "mutex", "stdio.h", "sys/mman.h",
              "sys/stat.h", "thread", "unistd.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)[^;{]*\{", re.MULTILINE)
ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = ROOT / "core"


def fault(layer, kind, name):
    """Why a file of this layer may not include this, or None."""
    if kind == "<":
        return f"I/O, threads and clocks belong to the hosts: <{name}>" if layer != "cli" and name in HOSTS_ONLY else None
    target = name.split("/")[0]
    if target == "proto":
        return None if (ROOT / name.replace(".pb.h", ".proto")).exists() else f'no such message file: "{name}"'
    if not (CORE / name).exists():
        return f'not a file of core: "{name}" (includes start at core/)'
    if LAYERS.index(target) > LAYERS.index(layer):
        return f'{layer} includes upwards: "{name}"'
    return None


def main():
    passed = failed = 0
    defined = {}  # type -> where: two of a name link to one destructor, whichever comes first
    for path in sorted(p for p in CORE.rglob("*") if p.suffix in {".h", ".cc"}):
        layer = path.relative_to(CORE).parts[0]
        if layer not in LAYERS:
            sys.exit(f"{path.relative_to(ROOT)}: {layer} is not a layer")
        text = path.read_text()
        faults = [(m, fault(layer, *m.groups())) for m in INCLUDE.finditer(text)]
        faults = [(m, why) for m, why in faults if why]
        for type_of in TYPE.finditer(text) if path.suffix == ".h" else []:
            other = defined.setdefault(type_of[1], path.relative_to(ROOT))
            if other != path.relative_to(ROOT):
                faults.append((type_of, f"{type_of[1]} is a type of {other}, too"))
        for match, why in faults:
            print(f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start(1)) + 1}: {why}")
        failed += bool(faults)
        passed += not faults
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
