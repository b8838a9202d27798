"""The programs that run command lines, and what a run leaves behind."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from lines import ROOT

GCC = pathlib.Path(os.environ.get("CRYOGRAPH", ROOT / "build/release/cryograph"))
CLANG = ROOT / "build/asan/cryograph"
NPM = ROOT / "dist/cli.js"
TIMEOUT = 300


class Package:
    """The npm command, many lines in one process."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["node", ROOT / "tests/bytes/package.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def run(self, words, folder):
        print(json.dumps({"folder": folder, "words": words}), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the npm command ended its process: {' '.join(words)}")
        answer = json.loads(line)
        return answer["status"], answer["stdout"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(TIMEOUT)


def program(*command):
    def run(words, folder):
        ran = subprocess.run(
            [*command, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=TIMEOUT
        )
        return ran.returncode, ran.stdout.decode(errors="replace")

    return run


def outcome(run, words):
    """Everything a run leaves behind: exit status, standard output, and the files."""
    folder = tempfile.mkdtemp()
    try:
        status, report = run(words, folder)
        files = {
            str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(pathlib.Path(folder).rglob("*"))
            if path.is_file()
        }
        return {"status": status, "report": report, "files": files}
    finally:
        shutil.rmtree(folder)
