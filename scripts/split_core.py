#!/usr/bin/env python3
"""Splits core.wasm in two modules: what the page needs to open and show a model, and the rest, which it loads later.

    split_core.py core.mjs libcryograph_core.a

makes core.first.wasm and core.rest.wasm next to core.wasm and core.mjs.symbols. Both together are core.wasm: one memory, one table. A call from the first module into the rest goes through the table, whose
slots are placeholders until the rest is instantiated, with the first one's exports as its import "primary"
(https://github.com/WebAssembly/binaryen, wasm-split).

The first module has all that its exports reach without passing a door. The doors are the ways into the upper rooms: a host
instantiates the rest before it calls anything that may go through one (wasm/package/core/core.ts). Functions of the upper
rooms whose address is taken are not followed, for no room below knows them. Except where they and all that they come to are
short, because two functions of the same instructions are merged under either name; and where a function of the first module has a constant that may be the
address of a function of its own object file.
"""

import collections
import pathlib
import re
import subprocess
import sys

UPPER = re.compile(r"room_(passes(_.*)?|verbs|releases|compat)\.cc\b")
MAKERS = pathlib.Path(__file__).resolve().parent.parent / "core/commands/make_model.cc"
DOORS = set(re.findall(r"^Status (make_(?!model)\w+)\(", MAKERS.read_text(), re.MULTILINE))
DOORS |= {"prune", "run_compat", "run_pair", "extract_weights", "structure_difference", "Handle::write"}
SHORT = 200  # bytes
FEATURES = ["--enable-mutable-globals", "--enable-sign-ext", "--enable-bulk-memory"]
IMPORTED = re.compile(r"\(import .*\(func ")
FUNCTION = re.compile(r"^ \(func \$(\S+?)[\s)]")
CALL = re.compile(r"\(call \$(\d+)\b")
CONSTANT = re.compile(r"\(i32.const (\d+)\)")


def main(script, archive):
    core, symbols = pathlib.Path(script).with_suffix(".wasm"), pathlib.Path(f"{script}.symbols")
    first, rest = core.with_suffix(".first.wasm"), core.with_suffix(".rest.wasm")
    code = Code(run("wasm-dis", core))
    names = named(symbols.read_text(), code.imports)
    doors = {function for function, name in names.items() if is_door(name)}
    if len(doors) != len(DOORS):
        sys.exit(f"{core}: expected the functions {sorted(DOORS)}, found {[names[door] for door in doors]}")
    objects = objects_of(run("emnm", "--demangle", "--defined-only", archive))
    objects = {function: objects[name] for function, name in names.items() if name in objects}
    upper = {function for function, where in objects.items() if all(map(UPPER.match, where))}
    if not upper:
        sys.exit(f"{archive}: no object file is of an upper room")
    sizes = body_sizes(core.read_bytes())
    long = {function for function in upper if sizes[int(function)] >= SHORT}
    merged = upper - callers(long, upper, code)
    table = [each for each in code.table.values() if each not in upper or each in merged]
    kept = code.reached(code.exports + table, doors, {each: objects[each] for each in upper})
    moved = [each for each in code.calls if each not in kept]
    run(
        "wasm-split",
        core,
        *FEATURES,
        "-o1",
        first,
        "-o2",
        rest,
        f"--split-funcs={','.join(moved)}",
        "--export-prefix=%",
    )


def callers(of, among, code):
    """These functions and those that come to one of them through others of a set."""
    found, before = set(of), None
    while found != before:
        before = set(found)
        found |= {function for function in among if code.calls[function] & before}
    return found


class Code:
    """The functions of a module as wasm-dis prints it, by their numbers, without the imported ones."""

    def __init__(self, text):
        self.imports = len(IMPORTED.findall(text))
        self.calls = collections.defaultdict(set)
        self.constants = collections.defaultdict(set)
        self.exports, self.table = [], {}
        for line in text.splitlines():
            if function := FUNCTION.match(line):
                calls, constants = self.calls[function[1]], self.constants[function[1]]
            elif line.startswith(" (export"):
                self.exports += re.findall(r"\(func \$(\d+)\)", line)
            elif line.startswith(" (elem"):
                first = int(CONSTANT.search(line)[1])
                self.table |= {str(first + i): each for i, each in enumerate(re.findall(r"\$(\d+)", line))}
            elif line.startswith("  "):
                calls.update(CALL.findall(line))
                constants.update(CONSTANT.findall(line))

    def reached(self, roots, doors, upper):
        """The functions that roots reach. `upper`: the object files of functions that may know others by their addresses."""
        seen, waiting = set(), [root for root in roots if root not in doors]
        while waiting:
            function = waiting.pop()
            if function not in seen:
                seen.add(function)
                waiting += self.calls[function] - doors
                if function in upper:
                    known = [self.table[each] for each in self.constants[function] & self.table.keys()]
                    waiting += [each for each in known if upper[function] & upper.get(each, upper[function])]
        return seen


def named(symbols, imports):
    """The names of functions by their numbers, of lines such as `40:cryo::sum\\28int\\29`."""
    lines = [line.split(":", 1) for line in symbols.splitlines()]
    plain = [
        (int(number), re.sub(r"\\([0-9a-f]{2})", lambda hexed: chr(int(hexed[1], 16)), name)) for number, name in lines
    ]
    return {str(number - imports): name for number, name in plain if number >= imports}


def is_door(name):
    function = re.fullmatch(r"cryo::(?:\(anonymous namespace\)::)?((?:Handle::)?\w+)\([^$]*", name)
    return function and function[1] in DOORS


def objects_of(listing):
    """The object files that define a name, of the output of nm: `ROOM.o:`, then `ADDRESS TYPE NAME` a line."""
    objects = collections.defaultdict(set)
    for line in listing.splitlines():
        if line.endswith(".o:"):
            file = line
        elif line:
            objects[line.split(maxsplit=2)[-1]].add(file)
    return objects


def body_sizes(module):
    """The sizes of function bodies, in bytes: section 10 of a module is their number, then each after its size."""
    at = 8
    while True:
        section, (size, start) = module[at], leb128(module, at + 1)
        if section == 10:
            break
        at = start + size
    sizes = []
    count, at = leb128(module, start)
    for _ in range(count):
        size, at = leb128(module, at)
        sizes.append(size)
        at += size
    return sizes


def leb128(data, at):
    """A number, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def run(tool, *arguments):
    """A tool that comes with Emscripten; what it prints. llvm-nm by Emscripten's name: Debian's has its version in it."""
    variable, folder = ("EMSCRIPTEN_ROOT", ".") if tool.startswith("em") else ("BINARYEN_ROOT", "bin")
    root = subprocess.run(["em-config", variable], check=True, capture_output=True, text=True).stdout.strip()
    program = pathlib.Path(root) / folder / tool
    return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


main(*sys.argv[1:])
