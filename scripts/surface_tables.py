"""Makes of core/commands/surface.json the tables of formats, kinds and calls: for core, the npm package and the page."""

import json

MADE = "// Made by scripts/surface.py of core/commands/surface.json. Do not edit."


def text(value):
    return json.dumps(value, ensure_ascii=False)


def truth(row, key):
    return str(row.get(key, False)).lower()


def formats(surface):
    """The rows of FormatFacts (core/formats/format.cc)."""
    rows = []
    for row in surface["formats"]:
        ending = row.get("match") or "".join(row["endings"])
        rows.append(
            f"{{{text(row['name'])}, {text(ending)}, {truth(row, 'arrays')}, {truth(row, 'signatures')}, "
            f"{truth(row, 'collections')}}},"
        )
    return "\n".join(rows) + "\n"


def kinds(surface):
    """One CRYO_KIND a kind of model (core/formats/open.cc)."""
    return "".join(f"CRYO_KIND({row['kind']}, {text(row['name'])})\n" for row in surface["kinds"])


def check(surface):
    """Returns a sentence for each name that refers to a call or an option that there is not."""
    calls, keys = {call["name"] for call in surface["calls"]}, {option["key"] for option in surface["options"]}
    wrong = [
        f"{option['name']}: its api names '{name}', which is no call"
        for option in surface["options"]
        for name in option["api"]
        if name not in calls
    ]
    wrong += [
        f"tools: '{name}' is no call" for all_of in surface["tools"].values() for name in all_of if name not in calls
    ]
    others = [(call["name"], call["other"].get("when")) for call in surface["calls"] if "other" in call]
    return wrong + [f"{name}: there is no option '{when}'" for name, when in others if when and when not in keys]


def passes(surface):
    """The calls that make a model, as a pass of the core does."""
    return [call for call in surface["calls"] if "report" in call]


def with_other(call):
    """The options of a call that takes a further model: its table of options, and the model."""
    other = call["other"]
    name = call["type"].removesuffix("Table") + "Options"
    default = "" if other.get("required") else " = never"
    sign = "" if other.get("required") else "?"
    kind = "readonly OpenModel[]" if other.get("several") else "OpenModel"
    return [
        f"export interface {name}<OpenModel{default}> extends {call['type']} {{",
        f"  /** {other['js']} */",
        f"  {other['key']}{sign}: {kind};",
        "}",
    ]


def options_of(call):
    """The type of a pass's options, and whether they may be omitted."""
    name = call["type"].removesuffix("Table") + "Options<This>" if "other" in call else call["type"]
    return f"options{'' if call.get('needsOptions') else '?'}: {name}"


def calls(surface):
    """wasm/package/types/calls.ts"""
    own = [
        call["type"].removesuffix("Table") + "Options" if "other" in call else call["type"] for call in passes(surface)
    ]
    reports = sorted({call["report"] for call in passes(surface)})
    lines = [
        MADE,
        f'import type {{ {", ".join(sorted(own))} }} from "./options.js";',
        f'import type {{ {", ".join(reports)} }} from "./types.js";',
        "",
        "/** The calls that make a new model. `This`: the models that they return and take. */",
        "export interface PassCalls<This> {",
    ]
    for call in passes(surface):
        lines += [
            f"  /** {call['js']} */",
            f"  {call['name']}({options_of(call)}): Promise<This & {{ report: {call['report']} }}>;",
        ]
    lines += [
        "}",
        "",
        "export type PassName = keyof PassCalls<unknown>;",
        "",
        "/** The reports of verbs that make a model and have no members of their own. */",
        "export interface PlainReports<MadeModel> {",
        *[f"  {call['name']}: MadeModel;" for call in passes(surface) if call["report"] == "PassReport"],
        "}",
        "",
        "/** A call of a model. */",
        "export interface CallRow {",
        "  /** The number of its arguments before the options. */",
        "  arguments: number;",
        "  /** A core without its rest answers it (scripts/split_core.py). */",
        "  first: boolean;",
        "  /** The option that has a further model, or several. */",
        "  other?: { key: string; several: boolean; required: boolean };",
        "}",
        "",
        "export const kCalls = {",
    ]
    for call in surface["calls"]:
        if call["name"] != "open":
            other = call.get("other")
            more = (
                f", other: {{ key: {text(other['key'])}, several: {truth(other, 'several')}, required: {truth(other, 'required')} }}"
                if other
                else ""
            )
            lines.append(
                f"  {call['name']}: {{ arguments: {call.get('arguments', 0)}, first: {truth(call, 'first')}{more} }},"
            )
    return "\n".join([*lines, "} satisfies Record<string, CallRow>;", ""])


def paged(surface):
    """The calls that the page has texts of."""
    return [call for call in surface["calls"] if "page" in call]


def page(surface):
    """web/state/surface.ts"""
    lines = [MADE, "", 'import type { Format, InspectReport, Kind } from "../engine/engine.js";', ""]
    for part in (page_verbs, page_passes, page_tools, page_formats, page_kinds):
        lines += [*part(surface), ""]
    return "\n".join(lines)


def page_verbs(surface):
    tools = [call["name"] for call in paged(surface) if call["page"].get("tool", True)] + ["save"]
    made = [call["name"] for call in paged(surface) if call["page"].get("pass")]
    words = {**{call["name"]: call["page"] for call in paged(surface)}, "save": surface["save"]}
    yield '/** The tools of the page, by the names of calls; "save" is convert and weights. */'
    yield f"export type Tool = {' | '.join(map(text, tools))};"
    yield '/** The calls that make a new model; "convert" salvages what is whole of damaged files. */'
    yield f"export type Pass = {' | '.join(map(text, made))};"
    yield ""
    yield "/** The verbs: the label of a button, its effect, and the name of the step. */"
    yield "export const kVerbs: Readonly<Record<Pass | Tool, { label: string; about: string; doing: string; done: string }>> = {"
    for name, row in words.items():
        yield f"  {name}: {{ {', '.join(f'{key}: {text(row[key])}' for key in ('label', 'about', 'doing', 'done'))} }},"
    yield "};"


def page_passes(surface):
    yield "/** The page's facts of a pass: the suffix of its files' names; whether a SavedModel remains one; the nodes that it converts, and"
    yield " * what they become; the option that has the second model, and the one with which it needs one (null: always). */"
    yield "interface PassRow {"
    yield "  suffix: string;"
    yield "  keepsFormat: boolean;"
    yield "  converted: readonly [what: string, became: string] | null;"
    yield '  second: { key: "from" | "join"; when: string | null } | null;'
    yield "}"
    yield ""
    yield "export const kPasses: Readonly<Record<Pass, PassRow>> = {"
    for call in paged(surface):
        row, other = call["page"], call.get("other")
        if row.get("pass"):
            second = f"{{ key: {text(other['key'])}, when: {text(other.get('when'))} }}" if other else "null"
            yield (
                f"  {call['name']}: {{ suffix: {text(row.get('suffix', ''))}, keepsFormat: {truth(row, 'keepsFormat')}, "
                f"converted: {text(row.get('converted'))}, second: {second} }},"
            )
    yield "};"


def page_tools(surface):
    yield "/** The tools that suit a graph, the likeliest first, by the place of its weights. */"
    yield 'export const kToolsOf: Readonly<Record<InspectReport["weights"], readonly Tool[]>> = {'
    for place, tools in surface["tools"].items():
        yield f"  {place}: {text(tools)},"
    yield "};"


def page_formats(surface):
    saved = [{**row, **each, "as": row["name"]} for row in surface["formats"] for each in row.get("save", [])]
    yield "/** The formats that a model can be saved in: the core's names, the endings of files, whether it is weights alone, and the"
    yield " * variables that the model must have. */"
    yield "export const kForms = {"
    for row in sorted(saved, key=lambda row: row.get("arrays", False)):
        yield (
            f"  {row['name']}: {{ label: {text(row['label'])}, as: {text(row['as'])}, ending: {text(row['ending'])}, "
            f"arrays: {truth(row, 'arrays')}, variables: {text(row.get('variables', 'any'))} }},"
        )
    yield "} satisfies Record<"
    yield "  string,"
    yield '  { label: string; as: Format; ending: string; arrays: boolean; variables: "any" | "none" | "some" }'
    yield ">;"
    yield "export type FormName = keyof typeof kForms;"


def page_kinds(surface):
    tables = [
        ("The kinds of models.", "kKinds", "label", "Record<Kind, string>"),
        (
            "The names of graphs of a kind, where they differ from others.",
            "kGraphKinds",
            "graph",
            "Partial<Record<Kind, string>>",
        ),
        ("The kinds of weights without a graph.", "kWeightKinds", "alone", "Partial<Record<Kind, string>>"),
    ]
    for about, name, key, kind in tables:
        yield f"/** {about} */"
        yield f"export const {name}: Readonly<{kind}> = {{"
        yield from (f"  {text(row['name'])}: {text(row[key])}," for row in surface["kinds"] if key in row)
        yield "};"
