"""Every call of the native program to its system fails once: SQLite's habit.

For each verb and each kind of call (open, read, write, sync, rename, allocate, ...) the 1st, 2nd, ... call fails, until one run has
no such call any more. After each run the old files are whole or the new set is complete, nothing else is left, and the status is
3 unless the set is complete. In other runs a signal comes before each call that changes the disk. machine.py has the rest; package.mjs
has the same of the npm command.

    python3 tests/faults          # CRYOGRAPH=build/dev/cryograph for another build
    python3 tests/faults rename   # kinds of calls whose names hold the word
"""

import concurrent.futures
import errno
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import machine
from trial import FROZEN, META, ROOT, Trial

VERBS = [
    ["inspect", META, "--json"],
    ["diff", META, FROZEN, "--json"],
    ["compat", FROZEN],
    ["prune", META, "-o", "o.ckpt", "--force"],
    ["freeze", META, "-o", "o.pb", "--force"],
    ["unfreeze", FROZEN, "-o", "o.ckpt"],
    ["transfer", "--from", FROZEN, "--into", META, "-o", "o.ckpt", "--force"],
    ["weights", META, "-o", "o.npz", "--force"],
    ["weights", META, "-o", "arrays/", "--as", "npy"],
    ["convert", META, "-o", "model/"],
    ["validate", FROZEN, "--fix", "-o", "o.pb", "--force"],
]
CALLS = {
    "open": errno.EACCES,
    "read": errno.EIO,
    "pread": errno.EIO,
    "write": errno.ENOSPC,
    "fsync": errno.EIO,
    "close": errno.EIO,
    "fchmod": errno.EPERM,
    "mkdir": errno.EACCES,
    "link": errno.EPERM,
    "rename": errno.EIO,
    "renameat2": errno.EIO,
    "unlink": errno.EIO,
    "fchown": errno.EPERM,
    "stat": errno.EIO,
    "lstat": errno.EIO,
    "fstat": errno.EIO,
    "flock": errno.ENOLCK,
    "readlink": errno.EIO,
    "realpath": errno.EIO,
    "openat": errno.EIO,
    "fdopendir": errno.ENOMEM,
    "readdir": errno.EIO,
    "getentropy": errno.ENOSYS,
    "copy_file_range": errno.EIO,
    "malloc": errno.ENOMEM,
}
SIGNALS = {"SIGTERM": signal.SIGTERM, "SIGKILL": signal.SIGKILL}
MOST_RUNS = 60  # of one kind of call in one verb: allocations are stepped over


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
    trial = Trial(folder, words, library=library)
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
        subprocess.run(
            [
                os.environ.get("CC", "cc"),
                "-shared",
                "-fPIC",
                "-O1",
                "-o",
                library,
                ROOT / "tests/faults/faults.c",
                "-ldl",
            ],
            check=True,
        )
        folders = [pathlib.Path(scratch) / str(i) / "work" for i in range(len(VERBS))]
        for folder in folders:
            folder.parent.mkdir()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda folder, words: run_all(folder, library, words), folders, VERBS))
    if len(sys.argv) == 1:
        results += machine.run_all()
    passed, failed = (sum(column) for column in zip(*results))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
