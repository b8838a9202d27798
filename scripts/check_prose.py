#!/usr/bin/env python3
"""Checks the English of comments, of texts that core shows, and of docs: openings, words and American spelling.

scripts/check_prose.py                 counts per tree, and the findings of a tree that has more than allowed
scripts/check_prose.py --all [PATH..]  all findings (of files whose path starts with PATH)
"""

import pathlib
import re
import subprocess
import sys

from comments import blocks_of, comments_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Findings that each tree still has. The numbers only go down: with fewer findings than its number, a tree fails too.
ALLOWED = {"core": 0, "wasm": 0, "web": 0, "scripts": 0, "tests": 0, "docs": 0, "examples": 0}
COLUMNS = 100  # as in .clang-format
SOURCES = re.compile(r"\.(?:h|cc|ts|js|mjs|cjs|py|sh)$")
TEXTS = re.compile(r"^core/.*(?:\.h|\.cc|surface\.json)$")
PAGES = re.compile(r"^docs/(?!reference/).*\.md$")
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
LITERALS = re.compile(rf"{LITERAL.pattern}(?:\s*{LITERAL.pattern})*")  # the parts of one text
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

# A sentence that opens so has no subject yet. In lower case, after code on its line, "of members" or "by name" is plain.
OPENING = re.compile(r"^(?:[Ww]hat|[Ww]hether|[Ww]ho|[Tt]hose|Where|Of|As|By|For)\b")

# Words that mean something else here than elsewhere, with the ones to write.
WORDS = {
    r"told": "reported, printed, detected",
    r"tells of|says of": "reports",
    r"lies|lay|lain": "is stored at, starts at, verbatim",
    r"anew": "again, rebuilt",
    r"mend|mends|mended|mending": "repair, fix",
    r"thaws?|thawed|thawing": "unfreeze, unfrozen",
    r"(?:left|leaves?|leaving) (?:out|be)": "exclude, remove; keep",
    r"asked for": "requested",
    r"(?<!there )(?:is|are) (?-i:none)(?! other)": "is invalid, is not one",
    r"besides?": "next to, also",
    r"stands(?! for)|stood": "is, precedes",
    r"goes by|went": "is removed, passes",
    r"for who": "for callers that",
    r"fates?": "outcome, match",
}
SPELLING = (
    r"\w*(?:initial|normal|recogn|optim|serial|organ|summar|minim|maxim|general|special|util|synchron|vector|parallel|categor"
    r"|memor|token|standard|material|canonical|custom|local|final|character|prior|priorit|visual|author|real|equal|quant|random"
    r"|factor|modular|modern|regular|symbol|external|internal|item|stabil|emphas|apolog|penal|stand?ard)is(?:e|ed|es|er|ers|ing|ation|ations)"
    r"|(?:\w*colour|\w*behaviour|neighbour|favour|honour|flavour|labour|humour)\w*|centre[ds]?|grey|licences?|artefacts?"
    r"|(?:un|re)?label(?:led|ling)|model(?:led|ling)|cancel(?:led|ling)|travel(?:led|ling)|analyse[drs]?|whilst|fulfil|defence|catalogues?"
)

DIALECT = re.compile("|".join(rf"(?P<w{i}>\b(?:{words})\b)" for i, words in enumerate(WORDS)), re.IGNORECASE)
BRITISH = re.compile(rf"\b(?:{SPELLING})\b", re.IGNORECASE)
CODE = re.compile(r"`[^`]*`")


def findings(text, is_comment):
    """Returns a sentence for each finding in a text."""
    found = []
    if is_comment and (opening := OPENING.match(text)):
        found.append(f'opens with "{opening[0]}": name the subject first')
    text = CODE.sub("``", text)
    for match in DIALECT.finditer(text):
        found.append(f'"{match[0]}": write {list(WORDS.values())[int(match.lastgroup[1:])]}')
    for match in BRITISH.finditer(text):
        found.append(f'"{match[0]}": the spelling is American')
    return found


def long_lines(path, content):
    """Returns the lines of a C++ file that are too long: clang-format leaves comments as they are."""
    return [
        line
        for line, text in enumerate(content.splitlines(), 1)
        if path.endswith((".h", ".cc")) and "//" in text and len(text) > COLUMNS
    ]


def without_comments(path, content):
    """Returns a source whose comments are blank."""
    for offset, comment in comments_of(path, content) if SOURCES.search(path) else []:
        blank = re.sub(r"[^\n]", " ", comment)
        content = content[:offset] + blank + content[offset + len(comment) :]
    return content


def texts_of(path, content):
    """Yields (line, text, whether it is a comment) of each comment block, each text with a space in core, each line of a page."""
    if SOURCES.search(path) or content.startswith("#!"):
        for block in blocks_of(path, content):
            yield block.first, block.text, True
    if PAGES.search(path):
        lines = FENCED.sub(lambda code: re.sub(r"[^\n]", "", code[0]), content).splitlines()
        yield from ((line, text, False) for line, text in enumerate(lines, 1))
    if TEXTS.search(path):
        code = without_comments(path, content)
        for literals in LITERALS.finditer(code):
            text = "".join(LITERAL.findall(literals[0]))
            if " " in text:
                yield code.count("\n", 0, literals.start()) + 1, text, False


def files():
    """Returns the project's sources and texts, relative to its root."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *ALLOWED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = sorted(set(listed.stdout.split()))
    return [
        p
        for p in paths
        if (ROOT / p).is_file()
        and (SOURCES.search(p) or TEXTS.search(p) or PAGES.search(p) or pathlib.PurePath(p).suffix == "")
    ]


def survey(prefixes):
    """Returns the number of comment blocks and their openings, and the findings, of each tree."""
    trees = {tree: {"blocks": 0, "openings": 0, "found": []} for tree in ALLOWED}
    for path in files():
        if prefixes and not path.startswith(prefixes):
            continue
        tree = trees[path.partition("/")[0]]
        content = (ROOT / path).read_bytes().decode("utf-8", "replace")
        tree["found"] += [f"{path}:{line}: over {COLUMNS} columns" for line in long_lines(path, content)]
        for line, text, is_comment in texts_of(path, content):
            tree["blocks"] += is_comment
            tree["openings"] += is_comment and bool(OPENING.match(text))
            tree["found"] += [f"{path}:{line}: {why}" for why in findings(text, is_comment)]
    return trees


def main():
    show_all = "--all" in sys.argv
    trees = survey(tuple(p for p in sys.argv[1:] if p != "--all"))
    failed = 0
    for name, tree in trees.items():
        count, allowed = len(tree["found"]), ALLOWED[name]
        if count > allowed or show_all:
            print("\n".join(tree["found"]))
        share = 100 * tree["openings"] / max(1, tree["blocks"])
        print(
            f"{name}: {tree['blocks']} comment blocks, {tree['openings']} relative openings ({share:.1f} %), {count} findings, {allowed} allowed"
        )
        if count < allowed and not show_all:
            print(f"{name}: lower its number in ALLOWED to {count}")
        failed += 0 if show_all else abs(count - allowed)
    print(f"{sum(tree['blocks'] for tree in trees.values())} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
