"""Checks the commands in the texts of docs/: each verb and option is one of the surface."""

import json
import re
import shlex

from recipe import ROOT

SURFACE = json.loads((ROOT / "core/commands/surface.json").read_text())
VERBS = {verb["name"] for verb in SURFACE["verbs"]}
NAMES = {name: option for option in SURFACE["options"] for name in (option["name"], option.get("short")) if name}
COMMAND = re.compile(r"`(?:npx )?cryograph ([^`\n]+)`|^(?: {4}|\$ )?(?:npx )?cryograph ([^\n]+)$", re.MULTILINE)


def commands():
    """Yields (page, the words after `cryograph`) of every command in a text, generated pages aside."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if page.parent.name == "reference":
            continue
        for span, line in COMMAND.findall(page.read_text()):
            yield page.relative_to(ROOT), span or line


def problems():
    found = []
    for page, words in commands():
        parts = [part for part in shlex.split(words, comments=True) if part not in ("…", "...")]
        verb = parts[0] if parts[0] in VERBS else "inspect"
        for part in parts:
            option = NAMES.get(part)
            if (
                part.startswith("-")
                and part != "-"
                and (option is None or verb not in option["verbs"] and option["verbs"])
            ):
                found.append(f"{page}: cryograph {words}: {verb} has no option {part}")
        if parts[0] not in VERBS and re.fullmatch("[a-z]+", parts[0]):
            found.append(f"{page}: cryograph {words}: there is no verb {parts[0]}")
    return found


def count():
    return sum(1 for _ in commands())
