"""The program under test: its command line, as INTERFACE describes it."""

import json
import os
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SECONDS = 600  # for a call: a guard against hanging
CRYOGRAPH = os.path.join(ROOT, os.environ.get("CRYOGRAPH", "build/release/cryograph"))


class Answer:
    """Exit status, standard error and, from standard output, the report."""

    def __init__(self, arguments, status, output, errors):
        self.line = "cryograph " + " ".join(arguments)
        self.status, self.output, self.errors = status, output, errors
        self.report = json.loads(output) if output.strip().startswith("{") else {}
        found = [
            json.dumps([one["severity"], one["code"], one["message"], one["where"]])
            for one in self.report.get("diagnostics", [])
        ]
        assert len(found) == len(set(found)), f"a diagnostic comes twice: {self.line}\n{output}"

    def codes(self, severity="error"):
        return [one["code"] for one in self.report.get("diagnostics", []) if one["severity"] == severity]

    def __str__(self):
        return f"{self.line}\n  status {self.status}\n  {self.output.strip()[:1500]}\n  {self.errors.strip()[:600]}"


def call(*arguments):
    """Runs a verb with --json."""
    arguments = [str(argument) for argument in arguments] + ["--json"]
    done = subprocess.run([CRYOGRAPH, *arguments], capture_output=True, text=True, timeout=SECONDS)
    return Answer(arguments, done.returncode, done.stdout, done.stderr)
