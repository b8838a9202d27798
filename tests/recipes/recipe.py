"""The recipes of docs/: a heading, a comment below it, blocks of code.

    <!-- recipe NAME: FILES, FILES as NAME -->    FILES: a folder, a file or a glob of the project, or made/NAME (models.py)

A block `text` is what the block before it prints; in it a line `...` is any number of lines.
"""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MARK = re.compile(r"^<!-- recipe (\w+): (.+?) -->$", re.MULTILINE)
END = re.compile(r"^## |^<!-- recipe ", re.MULTILINE)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = {"sh", "js", "python"}


@dataclasses.dataclass
class Block:
    language: str
    code: str
    shown: str = None  # its output, if the recipe shows it


@dataclasses.dataclass
class Recipe:
    name: str
    page: str
    files: list  # (path below ROOT or made/, name in the recipe's folder; "" for the folder itself)
    blocks: list


def recipes():
    """Returns the recipes of all pages, by name."""
    found = {}
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text()
        for mark in MARK.finditer(text):
            end = END.search(text, mark.end())
            recipe = Recipe(
                mark[1],
                str(page.relative_to(ROOT)),
                [files_of(each) for each in mark[2].split(", ")],
                blocks_of(text[mark.end() : end.start() if end else len(text)]),
            )
            assert recipe.blocks, f"{recipe.page}: the recipe {recipe.name} has nothing to run"
            assert recipe.name not in found, f"{recipe.page}: a second recipe {recipe.name}"
            found[recipe.name] = recipe
    return found


def files_of(words):
    path, _, name = words.partition(" as ")
    return path, name


def blocks_of(text):
    blocks = []
    for language, code in BLOCK.findall(text):
        if language in LANGUAGES:
            blocks.append(Block(language, code))
        elif language == "text":
            blocks[-1].shown = code
    return blocks


def is_shown(shown, printed):
    """Returns whether a text is as shown: spaces at the ends of lines aside, and with any lines for `...`."""
    lines = [line.rstrip() for line in shown.strip().splitlines()]
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in lines)
    text = "".join(line.rstrip() + "\n" for line in printed.strip().splitlines())
    return re.fullmatch(pattern, text) is not None
