"""Comment blocks of a source file: of C++, TypeScript, JavaScript, Python and shell."""

import io
import re
import tokenize
from dataclasses import dataclass

C_LIKE = re.compile(
    r'(?P<raw>R"(?P<tag>\w*)\(.*?\)(?P=tag)")'
    r'|(?P<string>"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`)'
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)",
    re.DOTALL,
)
REGEX = re.compile(r"(?<=[(,=:!&|?{;\[])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/")
SHELL = re.compile(r"^(?P<code>[^#\n]*?)(?<![^\s;])#(?P<text>(?!!)[^\n]*)$", re.MULTILINE)
MARKS = re.compile(r"^\s*(?:/\*\*?|\*/|\*|//+|#+)?|\*/\s*$")


@dataclass
class Block:
    """One comment: consecutive lines of their own, or the comment that follows code on a line, with its continuation."""

    first: int  # line number of the first line, from 1
    last: int
    column: int
    trails: bool  # code precedes it on its first line
    text: str


def comments_of_c(text, is_script):
    """Yields (offset, text) of each comment."""
    place = 0
    while match := C_LIKE.search(text, place):
        regex = REGEX.search(text, place, match.end()) if is_script else None
        if regex and regex.start() <= match.start():
            place = regex.end()
            continue
        if match["comment"]:
            yield match.start(), match["comment"]
        place = match.end()


def comments_of_python(text):
    """Yields (offset, text) of each comment and docstring."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_docstring = token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT)
        if token.type == tokenize.COMMENT and not token.string.startswith("#!") or is_docstring:
            yield starts[token.start[0] - 1] + token.start[1], token.string
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type


def comments_of_shell(text):
    """Yields (offset, text) of each comment; `#` inside a here-document counts as one."""
    for match in SHELL.finditer(text):
        if match["code"].count('"') % 2 == 0 and match["code"].count("'") % 2 == 0:
            yield match.end("code"), "#" + match["text"]


def comments_of(path, text):
    """Returns (offset, text) of each comment of a file, by the language that its name's ending says."""
    ending = path.rpartition(".")[2] if "." in path.rpartition("/")[2] else ""
    if ending in ("h", "cc", "ts", "js", "mjs", "cjs"):
        return comments_of_c(text, ending not in ("h", "cc"))
    return comments_of_python(text) if ending == "py" else comments_of_shell(text)


def bare(comment):
    """Returns a comment's words: without the marks of its language."""
    if comment[:1] in "\"'rf":
        return " ".join(re.sub(r"^[rf]*[\"']+|[\"']+$", "", comment).split())
    return " ".join(" ".join(MARKS.sub("", line) for line in comment.splitlines()).split())


def blocks_of(path, text):
    """Returns the blocks of a file, in order."""
    blocks = []
    for offset, comment in comments_of(path, text):
        start = text.rfind("\n", 0, offset) + 1
        line = text.count("\n", 0, offset) + 1
        trails = bool(text[start:offset].strip())
        block = Block(line, line + comment.count("\n"), offset - start, trails, bare(comment))
        above = blocks[-1] if blocks else None
        if (
            above
            and not trails
            and line == above.last + 1
            and above.column == block.column
            and comment[:2] in ("//", "# ", "#")
        ):
            above.last, above.text = block.last, (above.text + " " + block.text).strip()
        else:
            blocks.append(block)
    return blocks
