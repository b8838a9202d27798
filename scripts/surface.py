#!/usr/bin/env python3
"""Makes of core/commands/surface.json, the one table of verbs, options, formats and calls, what each host reads.

surface.py table OUT.cc         the rows of commands/command_table.h
surface.py members OUT.inc      which member of Options a key sets (commands/options.cc)
surface.py keys OUT.inc         the key of each option that a text may refer to (commands/report.cc)
surface.py references OUT.inc   the rows of base/reference.h
surface.py formats OUT.inc      what a format is recognized by, and holds (formats/format.cc)
surface.py kinds OUT.inc        the names of the kinds of models (formats/open.cc)
surface.py calls                wasm/package/types/calls.ts, the calls of the package
surface.py verbs                web/state/surface.ts, the page's tables of verbs and formats
surface.py package              wasm/package/types/references.ts, a reference in the words of JavaScript and of the command line
surface.py page                 web/words/references.ts, a reference in the words of the page
surface.py types                wasm/package/types/options.ts, the option types of the npm package
surface.py fields               web/tools/fields.ts, the page's fields
surface.py reference            docs/reference/command-line.md
surface.py manual               docs/reference/cryograph.1, the man page
surface.py check                fails when a file in the tree is not up to date, a help line is too long, or a text refers to
                                what there is not
"""

import json
import pathlib
import sys

import surface_manual
import surface_references
import surface_tables
from surface_manual import about, sentence

ROOT = pathlib.Path(__file__).resolve().parent.parent
SURFACE = json.loads((ROOT / "core/commands/surface.json").read_text())
TYPES = ROOT / "wasm/package/types/options.ts"
FIELDS = ROOT / "web/tools/fields.ts"
REFERENCE = ROOT / "docs/reference/command-line.md"
MANUAL = ROOT / "docs/reference/cryograph.1"
PACKAGE_WORDS = ROOT / "wasm/package/types/references.ts"
PAGE_WORDS = ROOT / "web/words/references.ts"
MOST_HELP = 56  # with the column of names 80
LISTS = {"names", "globs", "rules", "values", "feeds"}
TYPESCRIPT = {
    "flag": "boolean",
    "text": "string",
    "integer": "number",
    "number": "number",
    "names": "Names",
    "globs": "Names",
    "rules": "Names",
    "values": "SetValues",
    "format": "Format",
}
GLOB = "`*` within a scope, `**` across scopes, `/regular expression/`"


def text(value):
    """A C++ string literal."""
    return json.dumps(value)


def table():
    """The C++ rows, in the order of the file; options by group."""
    rows = [
        '#include "commands/command_table.h"',
        "",
        "namespace cryo {",
        "namespace {",
        "",
        "constexpr VerbRow kVerbs[] = {",
    ]
    for verb in SURFACE["verbs"]:
        flags = ", ".join(str(verb.get(flag, False)).lower() for flag in ("writes", "npm", "alone"))
        rows.append(
            f"    {{{text(verb['name'])}, {text(verb['positional'])}, {text(verb['summary'])}, "
            f"{text(chr(10).join(verb['examples']))}, {text(','.join(verb.get('words', [])))}, {flags}}},"
        )
    rows += ["};", "", "constexpr OptionRow kOptions[] = {"]
    for group in SURFACE["groups"]:
        for option in SURFACE["options"]:
            if option["group"] != group:
                continue
            is_list = str(option["type"] in LISTS).lower()
            alone = str(option.get("alone", False)).lower()
            rows.append(
                f"    {{{text(option['name'])}, {text(option.get('short', ''))}, {text(option.get('value', ''))}, {is_list}, "
                f"{text(','.join(option.get('choices', [])))}, {text(','.join(option['verbs']))}, "
                f"{text(option['key'])}, {text(group)}, {text(option['help'])}, {alone}}},"
            )
    rows += ["};", "", "constexpr FormatRow kFormats[] = {"]
    for row in SURFACE["formats"]:
        rows.append(f"    {{{text(row['name'])}, {text(', '.join(row['endings']))}, {text(row['summary'])}}},")
    rows += ["};", "", "constexpr std::string_view kNotes[] = {"]
    rows += [f"    {text(note['text'])}," for note in SURFACE["notes"]]
    rows += [
        "};",
        "",
        "}  // namespace",
        "",
        f"std::string_view help_title() {{ return {text(SURFACE['title'])}; }}",
        "std::span<const std::string_view> help_notes() { return kNotes; }",
        "std::span<const VerbRow> verb_table() { return kVerbs; }",
        "std::span<const OptionRow> option_table() { return kOptions; }",
        "std::span<const FormatRow> format_table() { return kFormats; }",
        "",
        "}  // namespace cryo",
        "",
    ]
    return "\n".join(rows)


def members():
    """One CRYO_OPTION a key, with each member that it sets; several options may have one key. One CRYO_EXCLUDES two options
    that do not combine."""
    pairs = {row["key"]: row["member"] for row in SURFACE["options"] + SURFACE["words"] if "member" in row}
    rows = [f'CRYO_OPTION("{key}", {setters(member)})' for key, member in pairs.items()]
    for row in SURFACE["options"]:
        for other in row.get("excludes", []):
            rows.append(f'CRYO_EXCLUDES("{row["key"]}", "{row["name"]}", "{key_of(other)}", "{other}")')
    return "\n".join(rows) + "\n"


def key_of(name):
    return next(row["key"] for row in SURFACE["options"] if row["name"] == name)


def setters(members):
    """`members`: one, or a list."""
    return " ".join(f"CRYO_MEMBER({each})" for each in ([members] if isinstance(members, str) else members))


def keys():
    """The name and the key of each option that a host may word; those of a terminal are words of the command alone."""
    return "".join(f"{{{text(row['name'])}, {text(row['key'])}}},\n" for row in surface_references.worded(SURFACE))


def comment(option):
    """The documentation of a member: the help, then the details."""
    words = option.get("js") or " ".join(filter(None, [sentence(option["help"]), option.get("details")]))
    if option["type"] == "globs":
        words += f" Globs: {GLOB}."
    return words.replace("*/", "*\\/")


def typescript_type(option):
    if option["type"] == "choice":
        return " | ".join(text(choice) for choice in option["choices"])
    return TYPESCRIPT[option["type"]]


def types():
    lines = [
        "// Made by scripts/surface.py of core/commands/surface.json. Do not edit.",
        "",
        'import type { CallOptions, Names, SetValues } from "./call_options.js";',
        "",
        "/** The format that a model is written in. */",
        "export type Format =",
        *[f'  | "{row["name"]}"' for row in SURFACE["formats"]],
    ]
    lines[-1] += ";"
    lines += [
        "",
        "/** The kind of a model, by the file that it was opened by. */",
        f"export type Kind = {' | '.join(text(row['name']) for row in SURFACE['kinds'])};",
        "",
        "/** The name of the file, or of the first of a set, when `out` names none. */",
        "export const kFileNames: Readonly<Record<Format, string>> = {",
        *[f'  "{row["name"]}": "{row["file"]}",' for row in SURFACE["formats"]],
        "};",
    ]
    for call in SURFACE["calls"]:
        if "type" not in call:
            continue
        lines += ["", f"export interface {call['type']} extends CallOptions {{"]
        for option in SURFACE["options"]:
            if call["name"] in option["api"]:
                lines += [f"  /** {comment(option)} */", f"  {option['key']}?: {typescript_type(option)};"]
        lines.append("}")
        if "other" in call:
            lines += ["", *surface_tables.with_other(call)]
    return "\n".join(lines) + "\n"


def fields():
    """Labels say what an option does, not what it is called."""
    lines = [
        "// Made by scripts/surface.py of core/commands/surface.json. Do not edit.",
        "",
        'import type { Tool } from "../state/state.js";',
        "",
        "/** An option that a person may set. `known`: the values there are to choose from. */",
        "export interface Field {",
        "  key: string;",
        '  kind: "text" | "flag" | "choice";',
        "  tools: readonly Tool[];",
        "  label: string;",
        "  hint: string;",
        "  known?: readonly (readonly [value: string, label: string])[];",
        "}",
        "",
        "export const kFields: readonly Field[] = [",
    ]
    for option in SURFACE["options"]:
        if "page" in option:
            row = option["page"]
            kind = "choice" if "choices" in row else "flag" if option["type"] == "flag" else "text"
            hint = row.get("hint", "").replace("GLOB", GLOB.replace("`", ""))
            lines.append(
                f'  {{ key: "{option["key"]}", kind: "{kind}", tools: {json.dumps(row.get("tools", []))}, '
                f"label: {text(row['label'])}, hint: {text(hint)}"
                + (f", known: {json.dumps(row['choices'])}" if "choices" in row else "")
                + " },"
            )
    return "\n".join(lines) + "\n];\n"


def usage(verb):
    required = [
        option
        for option in SURFACE["options"]
        if verb["name"] in option["verbs"]
        and (
            (not verb["positional"] and option["key"] in ("path", "other"))
            or (option["key"] == "out" and verb.get("writes"))
        )
    ]
    words = [
        "cryograph",
        verb["name"],
        verb["positional"],
        *(f"{option['name']} {option['value']}" for option in required),
    ]
    return " ".join(filter(None, words))


def words_text(verb):
    """The words that the last place of a verb takes, as a sentence; "" for any."""
    if "words" not in verb:
        return ""
    place = next(place for place in reversed(verb["positional"].split()) if not place.startswith("["))
    return f"{place} is one of {', '.join(f'`{word}`' for word in verb['words'])}."


def reference():
    lines = [
        "# Command line",
        "",
        "Made by scripts/surface.py of core/commands/surface.json. The same options, in camelCase, are those of the",
        "JavaScript calls.",
        "",
    ]
    for verb in SURFACE["verbs"]:
        lines += [
            f"## {verb['name']}",
            "",
            f"    {usage(verb)}",
            "",
            sentence(verb["summary"]),
            " ".join(filter(None, [words_text(verb), verb.get("details", "")])),
            "",
        ]
        lines += [f"    {example}" for example in verb["examples"]]
        lines += ["", "| option | |", "|---|---|"]
        for option in SURFACE["options"]:
            if verb["name"] in option["verbs"]:
                name = " ".join(filter(None, [option["name"], option.get("value", "")])).replace("|", "\\|")
                lines.append(f"| `{name}` | {about(option).replace('|', chr(92) + '|')} |")
        lines.append("")
    lines += ["## Every verb", "", "| option | |", "|---|---|"]
    for option in SURFACE["options"]:
        if not option["verbs"]:
            name = " ".join(filter(None, [option["name"], option.get("value", "")])).replace("|", "\\|")
            lines.append(f"| `{name}` | {about(option)} |")
    lines += ["", "## Formats", "", "| `--as` | ending | |", "|---|---|---|"]
    for row in SURFACE["formats"]:
        lines.append(
            f"| `{row['name']}` | {', '.join(f'`{ending}`' for ending in row['endings'])} | {row['summary']} |"
        )
    return "\n".join(line for line in lines) + "\n"


def manual():
    return surface_manual.manual(SURFACE, usage, words_text)


def include():
    return surface_references.include(SURFACE)


def package():
    return surface_references.package(SURFACE)


def page():
    return surface_references.page(SURFACE)


def calls():
    return surface_tables.calls(SURFACE)


def verbs():
    return surface_tables.page(SURFACE)


IN_TREE = {
    "types": (TYPES, types),
    "fields": (FIELDS, fields),
    "reference": (REFERENCE, reference),
    "manual": (MANUAL, manual),
    "package": (PACKAGE_WORDS, package),
    "page": (PAGE_WORDS, page),
    "calls": (ROOT / "wasm/package/types/calls.ts", calls),
    "verbs": (ROOT / "web/state/surface.ts", verbs),
}


def check():
    stale = [path for path, make in IN_TREE.values() if not path.exists() or path.read_text() != make()]
    helps = [(row["name"], row.get("help") or row["summary"]) for row in SURFACE["options"] + SURFACE["verbs"]]
    long = [name for name, words in helps if len(words) > MOST_HELP]
    referred, wrong = surface_references.check(SURFACE, ROOT)
    wrong += surface_tables.check(SURFACE)
    for path in stale:
        print(f"{path.relative_to(ROOT)}: not what scripts/surface.py makes of core/commands/surface.json")
    for name in long:
        print(f"{name}: its help has more than {MOST_HELP} characters")
    for problem in wrong:
        print(problem)
    checked = len(helps) + len(IN_TREE) + referred
    failed = len(stale) + len(long) + len(wrong)
    print(f"{checked - failed} passed, {failed} failed")
    return failed == 0


def main(what, path=None):
    if what == "check":
        sys.exit(0 if check() else 1)
    made = {
        "table": table,
        "members": members,
        "keys": keys,
        "references": include,
        "formats": lambda: surface_tables.formats(SURFACE),
        "kinds": lambda: surface_tables.kinds(SURFACE),
        **{name: make for name, (_, make) in IN_TREE.items()},
    }
    out = pathlib.Path(path) if path else IN_TREE[what][0]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(made[what]())


if __name__ == "__main__":
    main(*sys.argv[1:])
