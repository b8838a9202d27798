"""Every call of the native program to its system fails once: SQLite's habit.

For each verb and each kind of call (open, read, write, sync, rename, allocate, ...) the 1st, 2nd, ... call fails, until one run has
no such call any more. After each run the old files are whole or the new set is complete, nothing else is left, and the status is
3 unless the set is complete. In other runs a signal comes before each call that changes the disk.

    python3 tests/faults          # CRYOGRAPH=build/dev/cryograph for another build
    python3 tests/faults rename   # kinds of calls whose names hold the word
"""
import errno
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("CRYOGRAPH", str(ROOT / "build/release/cryograph"))
DATA = ROOT / "tests/data"
DONE, NO, _, CANNOT = range(4)
META, FROZEN = str(DATA / "ref/model.ckpt.meta"), str(DATA / "ref/frozen.pb")

VERBS = [
    ["inspect", META, "--json"],
    ["diff", META, FROZEN, "--json"],
    ["prune", META, "-o", "o.ckpt", "--force"],
    ["freeze", META, "-o", "o.pb", "--force"],
    ["unfreeze", FROZEN, "-o", "o.ckpt"],
    ["transfer", "--from", FROZEN, "--into", META, "-o", "o.ckpt", "--force"],
    ["weights", META, "-o", "o.npz", "--force"],
    ["weights", META, "-o", "arrays/", "--as", "npy"],
    ["convert", META, "-o", "model/"],
    ["validate", FROZEN, "--fix", "-o", "o.pb", "--force"],
]
CALLS = {"open": errno.EACCES, "read": errno.EIO, "pread": errno.EIO, "write": errno.ENOSPC, "fsync": errno.EIO, "close": errno.EIO,
         "fchmod": errno.EPERM, "mkdir": errno.EACCES, "link": errno.EPERM, "rename": errno.EIO, "renameat2": errno.EIO,
         "getentropy": errno.ENOSYS, "copy_file_range": errno.EIO, "malloc": errno.ENOMEM}
SIGNALS = {"SIGTERM": signal.SIGTERM, "SIGKILL": signal.SIGKILL}
MOST_RUNS = 60  # of one kind of call in one verb: allocations are stepped over


def state(folder):
    """Every file and folder, and each file's bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


class Trial:
    """One verb in a folder of its own, over and over."""

    def __init__(self, folder, library, words):
        self.folder, self.library, self.words = folder, library, words
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

    def run(self, environment):
        return subprocess.run([PROGRAM, *self.words], cwd=self.folder, env={**os.environ, **environment}, capture_output=True, timeout=120, check=False)

    def with_fault(self, call, nth, **more):
        """The result, and if the call was reached."""
        self.begin()
        result = self.run({"LD_PRELOAD": str(self.library), "FAULT_CALL": call, "FAULT_NTH": str(nth), "FAULT_LOG": str(self.log), **more})
        return result, self.log.exists()

    def wrong_after_fault(self, call, result):
        """What is wrong after a run in which a call failed, or None."""
        now = state(self.folder)
        if result.returncode in (DONE, NO):
            return None if now == self.expected and result.stdout == self.output else f"status {result.returncode} and {sorted(now)}"
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
            whole = content is None or content in (self.before.get(name), self.expected.get(name)) or ".cryograph-" in name
            if not whole:
                return f"{name} is neither old nor new"
        gone = [name for name in self.before if name not in now]
        return f"without {gone}" if gone else None


def count_calls(trial, call):
    """How often the verb makes the call."""
    low, high = 0, 1
    while trial.with_fault(call, high, FAULT_SIGNAL="0")[1]:
        low, high = high, high * 4
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if trial.with_fault(call, middle, FAULT_SIGNAL="0")[1] else (low, middle)
    return low


def faults_of(trial, call, **more):
    """Yields (n, result) for the calls that are tried."""
    calls = count_calls(trial, call)
    for nth in range(1, calls + 1, max(1, calls // MOST_RUNS)):
        yield nth, trial.with_fault(call, nth, **more)[0]


def run_all(folder, library, words):
    passed = failed = 0
    trial = Trial(folder, library, words)
    kinds = [(call, {"FAULT_ERRNO": str(number)}, None) for call, number in CALLS.items()]
    kinds += [("change", {"FAULT_SIGNAL": str(int(number))}, number) for number in SIGNALS.values()]
    for call, more, number in kinds:
        if not any(word in call for word in sys.argv[1:] or [""]):
            continue
        for nth, result in faults_of(trial, call, **more):
            wrong = trial.wrong_after_signal(number, result) if number else trial.wrong_after_fault(call, result)
            passed, failed = passed + (wrong is None), failed + (wrong is not None)
            if wrong:
                print(f"{' '.join(words)}: {call} {nth}{f' signal {number}' if number else ''}: {wrong}", flush=True)
    return passed, failed


def main():
    with tempfile.TemporaryDirectory() as scratch:
        library = pathlib.Path(scratch) / "faults.so"
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", library, ROOT / "tests/faults/faults.c", "-ldl"], check=True)
        results = [run_all(pathlib.Path(scratch) / "work", library, words) for words in VERBS]
    passed, failed = (sum(column) for column in zip(*results))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
