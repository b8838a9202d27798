"""The man page, of core/commands/surface.json."""

import re


def roff(words):
    """A text as a line of a man page: nothing in it is a request, and its hyphens are those of options."""
    words = words.replace("\\", "\\e").replace("-", "\\-")
    words = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", words)
    return "\\&" + words if words[:1] in ("'", ".") else words


def sentence(words):
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


def about(option):
    """Returns the help and the details of an option, and the options that do not combine with it."""
    excluded = ", ".join(f"`{name}`" for name in option.get("excludes", []))
    return " ".join(
        filter(None, [sentence(option["help"]), option.get("details"), excluded and f"Not together with {excluded}."])
    )


def option_lines(option):
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in filter(None, [option.get("short"), option["name"]]))
    value = f" \\fI{roff(option['value'])}\\fR" if "value" in option else ""
    return [".TP", names + value, roff(about(option))]


def verb_lines(surface, verb, usage, words_text):
    lines = [f".SS {verb['name']}", f"\\fB{roff(usage(verb))}\\fR [options]", ".PP"]
    lines.append(roff(" ".join(filter(None, [sentence(verb["summary"]), words_text(verb), verb.get("details")]))))
    for option in surface["options"]:
        if verb["name"] in option["verbs"]:
            lines += option_lines(option)
    return [*lines, ".PP", "Examples:", ".EX", *(roff(f"    {example}") for example in verb["examples"]), ".EE"]


def manual(surface, usage, words_text):
    lines = [
        '.\\" Made by scripts/surface.py of core/commands/surface.json. Do not edit.',
        '.TH CRYOGRAPH 1 "" "Cryograph" "User Commands"',
        ".SH NAME",
        "cryograph \\- prune, validate, freeze and un\\-freeze TensorFlow models",
        ".SH SYNOPSIS",
        "\\fBcryograph\\fR \\fIVERB PATH\\fR [options]",
        ".br",
        "\\fBcryograph\\fR \\fIPATH\\fR (the same as inspect)",
        ".SH DESCRIPTION",
        roff(surface["title"]),
    ]
    for note in surface["notes"]:
        lines += [".PP", roff(note["text"])]
    lines.append(".SH VERBS")
    for verb in surface["verbs"]:
        lines += verb_lines(surface, verb, usage, words_text)
    lines.append(".SH OPTIONS OF ALL VERBS")
    for option in surface["options"]:
        if not option["verbs"]:
            lines += option_lines(option)
    lines.append(".SH FORMATS")
    for row in surface["formats"]:
        endings = f" ({', '.join(row['endings'])})" if row["endings"] else ""
        lines += [".TP", f"\\fB{roff(row['name'])}\\fR{roff(endings)}", roff(sentence(row["summary"]))]
    return "\n".join(lines) + "\n"
