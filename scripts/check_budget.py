#!/usr/bin/env python3
"""Files and functions stay small: a file about 100 lines and at most 400, a function about 10 and at most 60."""

import ast
import pathlib
import re
import statistics
import subprocess
import sys

FILE_LINES, FUNCTION_LINES = 400, 60
ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["core", "wasm", "web", "tests", "scripts"]
BRACES = {".h", ".cc", ".ts", ".mjs", ".js", ".cjs"}

# Comments and strings, blanked so that the braces in them do not count. In C++ ' also separates digits (1'000).
IGNORED = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""",
    re.DOTALL,
)
# The text before a function's brace: its parameters, then qualifiers, a return type or member initializers; or an
# arrow.
HEAD = re.compile(r"(\)\s*(const|noexcept|override|final|mutable|\s)*(->[^{;]*|:[^{;]*)?|=>\s*)$", re.DOTALL)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def brace_functions(text):
    """(first line, lines) of every outermost function of a language with braces."""
    text = IGNORED.sub(blank, text)
    depth, inside, since = 0, None, 0  # inside: (depth, offset) of the outermost function we are in
    for match in re.finditer(r"[{};]", text):
        at, char = match.start(), match.group()
        if char == "{":
            if inside is None and HEAD.search(text[since:at]):
                head = since + len(text[since:at]) - len(text[since:at].lstrip())
                inside = (depth, head)
            depth += 1
        elif char == "}":
            depth -= 1
            if inside and inside[0] == depth:
                first = text.count("\n", 0, inside[1]) + 1
                yield first, text.count("\n", 0, at) + 2 - first
                inside = None
        since = at + 1


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1


def sources():
    """Files under version control and those about to be."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *FOLDERS], cwd=ROOT, text=True, capture_output=True, check=True
    )
    for name in sorted(set(listed.stdout.splitlines())):
        path = ROOT / name
        if path.suffix in BRACES | {".py"} and path.is_file():
            yield name, path.suffix, path.read_text()


def main():
    files, functions, failed = [], [], 0
    for name, suffix, text in sources():
        lines = text.count("\n")
        found = list(python_functions(text) if suffix == ".py" else brace_functions(text))
        files.append(lines)
        functions += [length for _, length in found]
        offenders = [
            f"{name}:{first}: a function of {length} lines" for first, length in found if length > FUNCTION_LINES
        ]
        if lines > FILE_LINES:
            offenders.append(f"{name}: a file of {lines} lines")
        failed += bool(offenders)
        print("".join(line + "\n" for line in offenders), end="")
    if files and functions:
        print(
            f"files: median {statistics.median(files):.0f}, largest {max(files)}; "
            f"functions: median {statistics.median(functions):.0f}, largest {max(functions)}"
        )
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0


sys.exit(main())
