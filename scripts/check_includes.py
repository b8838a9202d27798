#!/usr/bin/env python3
"""Checks that each file of core includes, itself or through what it includes, a header of what it names: types and functions
of core, names of the standard library. Where the files of a folder are compiled as one, no compiler sees that.

A member, a parameter or a variable of that name counts as a declaration of it.
"""

import functools
import re
import sys

import comments
from includes import CORE, files_of, reached

ROOT = CORE.parent

# Header of the standard library -> what only it declares, of the names that core uses.
STANDARD = {
    "algorithm": "all_of any_of binary_search clamp copy copy_n count count_if equal equal_range fill fill_n find_if "
    "find_if_not is_sorted lower_bound max_element min_element minmax_element mismatch none_of nth_element partition "
    "remove_if replace reverse rotate search set_difference sort stable_sort transform unique upper_bound",
    "array": "array to_array",
    "atomic": "atomic",
    "bit": "bit_cast bit_ceil bit_width countr_zero has_single_bit popcount",
    "bitset": "bitset",
    "charconv": "from_chars to_chars",
    "chrono": "chrono",
    "cmath": "abs ceil exp floor isfinite isinf isnan lround pow round sqrt",
    "compare": "strong_ordering",
    "concepts": "convertible_to integral same_as",
    "condition_variable": "condition_variable",
    "cstring": "memcmp memcpy memset strerror strlen",
    "deque": "deque",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream",
    "functional": "function greater hash less plus",
    "future": "future async",
    "initializer_list": "initializer_list",
    "iterator": "back_inserter inserter make_move_iterator",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "lock_guard mutex scoped_lock unique_lock",
    "numeric": "accumulate gcd iota",
    "optional": "nullopt optional",
    "queue": "priority_queue queue",
    "set": "multiset set",
    "span": "as_bytes span",
    "string": "stod stoi string to_string",
    "string_view": "string_view",
    "system_error": "error_code errc",
    "thread": "thread",
    "tuple": "make_tuple tie tuple",
    "type_traits": "conditional_t decay_t is_same_v remove_cvref_t",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "utility": "exchange in_range index_sequence move pair swap",
    "variant": "get_if holds_alternative monostate variant visit",
    "vector": "vector",
}
HEADER_OF = {name: header for header, names in STANDARD.items() for name in names.split()}

STD_NAME = re.compile(r"\bstd::(\w+)")
# Declarations of a header that are for others; and whatever may be a declaration, of a member, a parameter or a variable too.
DECLARED = re.compile(
    r"^(?:template <[^\n]*>\s+)?(?:(?:struct|class|enum class|enum) (\w+)[^;]*?\{|using (\w+) =|"
    r"(?!using|return|namespace|#)[\w\[][^\n;={}()]*?[ &*](\w+)\()",
    re.MULTILINE,
)
FORWARD = re.compile(r"^(?:struct|class|enum class) (\w+)[^;{]*;", re.MULTILINE)
ANYWHERE = re.compile(
    r"\b(?:enum class|enum|struct|class|using|typename) (\w+)\b(?!;)|\(\*(\w+)\)\(|"
    r"(?:\b(?!return\b|else\b|and\b|or\b|not\b|case\b)\w+|[>&*\]])\s+[&*]*(\w+)\s*[(=,);{:]"
)
NAME = re.compile(r"(\.|->|::)?\b([A-Za-z]\w+)\b(\()?")


@functools.cache
def code(path):
    """Returns a file's text without comments and literals, which name nothing."""
    return comments.C_LIKE.sub(lambda match: " " if match["comment"] else '""', path.read_text())


@functools.cache
def names(pattern, path):
    """Returns what a pattern of declarations finds in a file."""
    return {name for match in pattern.finditer(code(path)) for name in match.groups() if name}


def faults(path, header_of):
    """Returns lines: what a file names without its header."""
    patterns = [ANYWHERE, FORWARD] if path.suffix == ".h" else [ANYWHERE]
    known = {name for each in files_of(path) for pattern in patterns for name in names(pattern, each)}
    text = code(path)
    standard = {name: HEADER_OF[name] for name in STD_NAME.findall(text) if name in HEADER_OF}
    lacking = {f"std::{name}": f"<{header}>" for name, header in standard.items() if header not in reached(path)}
    for qualified, name, called in NAME.findall(text):
        header = header_of.get((name, bool(called)))
        if header and not qualified and name not in known:
            lacking[name] = f'"{header.relative_to(CORE)}"'
    return [f"{path.relative_to(ROOT)}: names {name} without {header}" for name, header in sorted(lacking.items())]


def main():
    files = sorted(path for path in CORE.rglob("*") if path.suffix in {".h", ".cc"})
    header_of = {}
    for path in files:
        for name in names(DECLARED, path) if path.suffix == ".h" else ():
            for called in (True, False) if name[0].isupper() else (True,):
                header_of.setdefault((name, called), path)
    found = [faults(path, header_of) for path in files]
    print(*(line for lines in found for line in lines), sep="\n", end="\n" if any(found) else "")
    print(f"{sum(not lines for lines in found)} passed, {sum(bool(lines) for lines in found)} failed")
    return 1 if any(found) or not found else 0


sys.exit(main())
