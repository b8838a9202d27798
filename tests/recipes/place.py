"""The place that a recipe runs in: a folder with its files, and the programs that its commands name."""

import contextlib
import io
import os
import pathlib
import runpy
import shutil
import subprocess
import tempfile

import models
from recipe import ROOT, is_shown

PROGRAM = pathlib.Path(os.environ.get("CRYOGRAPH", ROOT / "build/release/cryograph"))


def source_of(path):
    return models.made(path) if path.startswith("made/") else ROOT / path


class Place:
    """A recipe's folder. `printed`: what its blocks printed, together."""

    def __init__(self, recipe):
        self.recipe, self.printed = recipe, ""
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="cryograph-recipe-"))
        self.folder = self.top / "work"
        self.folder.mkdir()
        for path, name in recipe.files:
            for source in ROOT.glob(path) if "*" in path else [source_of(path)]:
                self.put(source, name)
        self.bin = self.top / "bin"
        self.bin.mkdir()
        (self.bin / "cryograph").symlink_to(PROGRAM.resolve())
        # The npm package, as `npm install` would have put it.
        (self.top / "package.json").write_text('{"private": true}')
        packages = self.top / "node_modules"
        (packages / ".bin").mkdir(parents=True)
        (packages / "cryograph").symlink_to(ROOT)
        (packages / ".bin/cryograph").symlink_to("../cryograph/dist/cli.js")

    def put(self, source, name):
        target = self.folder / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy(source, target / source.name if not name or name.endswith("/") else target)

    def run(self):
        """Runs every block, and checks what it prints where the recipe shows it."""
        for block in self.recipe.blocks:
            text = {"sh": self.shell, "js": self.node, "python": self.python}[block.language](block.code)
            self.printed += text
            if block.shown is not None:
                assert is_shown(block.shown, text), f"the page shows\n{block.shown}\nand it printed\n{text}"

    def shell(self, code):
        return self.program(["bash", "-euo", "pipefail", "-c", code])

    def node(self, code):
        script = self.folder / "recipe.mjs"
        script.write_text(code)
        return self.program(["node", str(script)])

    def program(self, words):
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,  # ends what hangs
            check=False,
        )
        assert done.returncode == 0, f"status {done.returncode}: {words[-1]}\n{done.stdout}"
        return done.stdout

    def python(self, code):
        script, printed = self.top / "recipe.py", io.StringIO()
        script.write_text(code)
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(printed):
                runpy.run_path(str(script))
        finally:
            os.chdir(before)
        return printed.getvalue()

    def path(self, name):
        return str(self.folder / name)

    def size(self, name):
        return (self.folder / name).stat().st_size

    def names(self):
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}

    def close(self):
        shutil.rmtree(self.top)
