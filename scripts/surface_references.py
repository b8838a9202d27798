"""Makes of "references" in core/commands/surface.json what each host words a reference by (core/base/reference.h).

Checks every reference in core and in the package: its action has a row, and its option a name in each host.
"""

import json
import re

MADE = "// Made by scripts/surface.py of core/commands/surface.json. Do not edit."
LISTS = {"names", "globs", "rules"}
CALL = re.compile(r'\b(OPTION|SETTING|LIST|RUN|ADVICE|option|setting|reference)\(\s*"([^"]*)"(?:,\s*"([^"]*)")?')
IN_TYPESCRIPT = re.compile(r'\baction: "([a-z-]+)"')
OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]+|-o)(?![\w-])")
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Files of the command line itself, whose texts no other host shows.
COMMAND_LINE = re.compile(
    r"^core/(?:native/.*|commands/(?:command_line|command_table|completion|explain|text/(?:\w+_text|report_text_pairs|text_rows))\.\w+)$"
)
FOREIGN = {"--input_format", "--output_format"}  # of other programs


def text(value):
    return json.dumps(value, ensure_ascii=False)


def include(surface):
    """The rows of ReferenceRow."""
    rows = [
        f"    {{{text(row['action'])}, {text(','.join(row['arguments']))}, {text(row['command'])}}},"
        for row in surface["references"]
    ]
    return "\n".join(["constexpr ReferenceRow kReferences[] = {", *rows, "};", ""])


def words(surface, host):
    return [f"  {text(row['action'])}: {text(row[host])}," for row in surface["references"]]


def package(surface):
    """The type of a reference, and its words in JavaScript and on the command line."""
    lines = [MADE, "", "/** A part of a diagnostic's text that each host words: an option, a list, or what to do. */"]
    lines.append("export type Reference =")
    for row in surface["references"]:
        members = "".join(f" {name}: string;" for name in row["arguments"]).rstrip(";")
        lines.append(f'  | {{ action: "{row["action"]}"{";" if members else ""}{members} }}')
    lines[-1] += ";"
    lists = [option["key"] for option in surface["options"] if option["api"] and option["type"] in LISTS]
    names = {option["key"]: option["name"] for option in worded(surface)}
    tables = [
        ("References in the words of this API; those of options are made in words.ts.", "kApiWords", "js"),
        ("References in the words of the command line.", "kCommandWords", "command"),
    ]
    for about, name, host in tables:
        lines += ["", f"/** {about} */", f'export const {name}: Readonly<Record<Reference["action"], string>> = {{']
        lines += [*words(surface, host), "};"]
    lines += ["", "/** The options of the API that take a list. */"]
    lines.append(f"export const kListOptions: readonly string[] = {text(lists)};")
    lines += ["", "/** The options as the command line names them. */"]
    lines.append("export const kOptionNames: Readonly<Record<string, string>> = {")
    lines += [*(f'  {key}: "{name}",' for key, name in names.items()), "};", ""]
    return "\n".join(lines)


def worded(surface):
    """The options that a text of core may refer to: those of a terminal mean nothing to other hosts."""
    return [option for option in surface["options"] if "member" in option or option["key"] == "other"]


def page(surface):
    """The page's words for references, and its labels of options."""
    lines = [MADE, "", 'import type { Reference } from "../engine/engine.js";', ""]
    lines += ["/** References in the page's words; those of options are made of kOptionLabels. */"]
    lines.append('export const kPageWords: Readonly<Record<Reference["action"], string>> = {')
    lines += [*words(surface, "page"), "};", "", "/** The labels of options: of a field, or of another control. */"]
    lines += ["export const kOptionLabels = {"]
    lines += [f"  {option['key']}: {text(label_of(option))}," for option in surface["options"] if label_of(option)]
    return "\n".join([*lines, "} as const;", ""])


def label_of(option):
    return option.get("label") or option.get("page", {}).get("label")


def used_options(root):
    """Yields (file, name) of each option that a text of core refers to."""
    for path in sources(root):
        for macro, first, _ in CALL.findall(path.read_text()):
            if macro in ("OPTION", "SETTING", "option", "setting"):
                yield path.relative_to(root), first


def sources(root):
    return [path for path in sorted((root / "core").rglob("*.cc")) if path.name != "reference.cc"]


def check(surface, root):
    """Returns how many references there are, and a sentence for each that is wrong."""
    options = {option["name"]: option for option in surface["options"]}
    actions = {row["action"]: row for row in surface["references"]}
    problems, count = [], 0
    for path, name in used_options(root):
        count += 1
        option = options.get(name)
        if option is None:
            problems.append(f"{path}: there is no option {name}")
        elif not option["api"] or not label_of(option):
            problems.append(f"{path}: {name} has no name in {'the page' if option['api'] else 'the package'}")
    for path, action in used_actions(root):
        count += 1
        if action not in actions:
            problems.append(f"{path}: there is no reference '{action}' in core/commands/surface.json")
    for row in surface["references"]:
        count += 1
        problems += wrong_row(row, options)
    problems += [
        f"{path}: '{name}' is an option's name in a text that every host shows: write OPTION(\"{name}\", ...)"
        for path, name in bare_options(root)
    ]
    unused = set(actions) - {action for _, action in used_actions(root)} - {"option", "set", "list", "run"}
    problems += [f"nothing refers to '{action}' of core/commands/surface.json" for action in sorted(unused)]
    return count, problems


def used_actions(root):
    for path in sources(root):
        for macro, first, _ in CALL.findall(path.read_text()):
            if macro in ("ADVICE", "reference"):
                yield path.relative_to(root), first
    for path in sorted((root / "wasm/package").rglob("*.ts")):
        if path.name != "references.ts":
            for action in IN_TYPESCRIPT.findall(path.read_text()):
                yield path.relative_to(root), action


def wrong_row(row, options):
    for host in ("command", "js", "page"):
        taken = set(re.findall(r"\{(\w+)\}", row[host]))
        if not taken <= set(row["arguments"]):
            yield f"the reference '{row['action']}' has no argument {', '.join(taken - set(row['arguments']))}"
        if not row[host] and row["action"] not in ("option", "set"):
            yield f"the reference '{row['action']}' has no words for {host}"
        for name in OPTION.findall(row[host]):
            if host != "command" or name not in options:
                yield f"the words of '{row['action']}' for {host} name {name}"


def bare_options(root):
    """Yields (file, name) of each option that is named in a text outside of the command line's own files."""
    for path in sources(root):
        name = path.relative_to(root).as_posix()
        if COMMAND_LINE.match(name):
            continue
        content = re.sub(r"//[^\n]*", "", path.read_text())
        content = CALL.sub("", content)
        for literal in TEXT.findall(content):
            for option in OPTION.findall(literal):
                if option not in FOREIGN:
                    yield name, option
