"""One verb of a program in a folder of its own, over and over."""

import os
import pathlib
import shutil
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NATIVE = [os.environ.get("CRYOGRAPH", str(ROOT / "build/release/cryograph"))]
PACKAGE = ["node", str(ROOT / "dist/cli.js")]
DATA = ROOT / "tests/data"
META, FROZEN = str(DATA / "ref/model.ckpt.meta"), str(DATA / "ref/frozen.pb")
DONE, NO, _, CANNOT = range(4)


def state(folder):
    """Every file and folder, and each file's bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


class Trial:
    """One verb of a program, and what it makes without a fault."""

    def __init__(self, folder, words, program=NATIVE, library=None):
        self.folder, self.library, self.words, self.program = folder, library, words, program
        self.log = folder.parent / "fired"
        self.begin()
        plain = self.run({})
        self.expected, self.output = state(folder), plain.stdout
        assert plain.returncode in (DONE, NO), plain.stderr
        self.begin()
        self.before = state(folder)

    def begin(self):
        """Old files, where the verb replaces some."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.log.unlink(missing_ok=True)
        if "--force" in self.words:
            out = self.words[self.words.index("-o") + 1]
            for ending in (".meta", ".index", ".data-00000-of-00001") if out.endswith(".ckpt") else ("",):
                (self.folder / (out + ending)).write_bytes(b"old " + ending.encode())

    def run(self, environment, **more):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.run(
            [*self.program, *self.words],
            cwd=self.folder,
            env={**os.environ, **environment},
            timeout=120,
            check=False,
            **streams,
        )

    def with_fault(self, call, nth, **more):
        """The result, and if the call was reached."""
        self.begin()
        result = self.run(
            {
                "LD_PRELOAD": str(self.library),
                "FAULT_CALL": call,
                "FAULT_NTH": str(nth),
                "FAULT_LOG": str(self.log),
                **more,
            }
        )
        return result, self.log.exists()

    def wrong_after_fault(self, call, result):
        """Returns what is wrong after a run in which a call failed, or None."""
        # A second name of an old file stays where the disk refuses to remove it.
        now = {
            name: content
            for name, content in state(self.folder).items()
            if call != "unlink" or ".cryograph-" not in name
        }
        if result.returncode in (DONE, NO):
            return (
                None
                if now == self.expected and result.stdout == self.output
                else f"status {result.returncode} and {sorted(now)}"
            )
        if result.returncode != CANNOT:
            return f"status {result.returncode}: {result.stderr.decode()}"
        # Memory may run out after the last rename, while the report is made.
        allowed = [self.before, self.expected] if call == "malloc" else [self.before]
        return None if now in allowed else f"left {sorted(now)}: {result.stderr.decode()}"

    def wrong_after_signal(self, number, result):
        now = state(self.folder)
        if result.returncode not in (-number, DONE):
            return f"status {result.returncode}: {result.stderr.decode()}"
        if number != signal.SIGKILL:
            return None if now in (self.before, self.expected) else f"left {sorted(now)}"
        # Nothing can be cleaned up then: but each file is an old or a new one.
        for name, content in now.items():
            whole = (
                content is None or content in (self.before.get(name), self.expected.get(name)) or ".cryograph-" in name
            )
            if not whole:
                return f"{name} is neither old nor new"
        gone = [name for name in self.before if name not in now]
        return f"without {gone}" if gone else None
