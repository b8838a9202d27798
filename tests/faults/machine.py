"""The machine around both programs: a full disk, a full standard output, two processes of the same number on one output."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from trial import CANNOT, DONE, META, NATIVE, PACKAGE, ROOT, Trial, state

sys.path.append(str(ROOT / "tests/cli"))
from files import constant  # pylint: disable=wrong-import-position

PROGRAMS = {"native": NATIVE, "package": PACKAGE}
WRITERS = [["prune", META, "-o", "o.ckpt", "--force"], ["convert", META, "-o", "model/"]]
PAGE = 4096
BIG = 100_000_000  # bytes: written for longer than two processes take to start one after the other


def full_disk(folder, program):
    """On a disk of 1, 2, ... pages, until one is large enough. REQUIRES: mounting is permitted."""
    for words in WRITERS:
        disk = folder / "disk"
        disk.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], check=True)
        trial = Trial(disk / "work", words, PROGRAMS[program])
        for pages in range(4, 64):  # the old files and their folder take 4
            trial.begin()
            subprocess.run(["mount", "-o", f"remount,size={pages * PAGE}", disk], check=True)
            result = trial.run({})
            yield f"{words[0]} on a disk of {pages} pages", trial.wrong_after_fault("write", result)
            if result.returncode == DONE:
                break
        else:
            yield f"{words[0]} on a full disk", "never had room"
        subprocess.run(["umount", disk], check=True)


def full_output(folder, program):
    """Standard output is full when the files are in their places already."""
    for words in WRITERS:
        trial = Trial(folder / "output", words, PROGRAMS[program])
        with open("/dev/full", "wb") as full:
            result = trial.run({}, stdout=full)
        wrong = (
            result.returncode != CANNOT
            or b"standard output" not in result.stderr
            or state(trial.folder) != trial.expected
        )
        yield (
            f"{words[0]} to a full standard output",
            f"status {result.returncode}: {result.stderr.decode()}" if wrong else None,
        )


def two_namespaces(folder, program):
    """Two processes with one process number write one output: as in two containers that share a folder."""
    for name in ("a", "b"):
        (folder / f"{name}.pb").write_bytes(constant(b"c", BIG, name.encode()))
    inputs = [(folder / f"{name}.pb").read_bytes() for name in ("a", "b")]
    shared = folder / "shared"
    shared.mkdir()
    for turn in range(3):
        writers = [
            subprocess.Popen(
                [
                    "unshare",
                    "-rpf",
                    *PROGRAMS[program],
                    "convert",
                    folder / f"{name}.pb",
                    "-o",
                    shared / "o.pb",
                    "--force",
                ],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            for name in ("a", "b")
        ]
        said = [writer.communicate(timeout=60)[1].decode() for writer in writers]
        statuses = sorted(writer.returncode for writer in writers)
        whole = (
            statuses in ([DONE, DONE], [DONE, CANNOT])
            and os.listdir(shared) == ["o.pb"]
            and (shared / "o.pb").read_bytes() in inputs
        )
        yield (
            f"two writers in two namespaces, {turn}",
            None if whole else f"statuses {statuses}, {os.listdir(shared)}: {said}",
        )


def count(program, results):
    passed = failed = 0
    for name, wrong in results:
        passed, failed = passed + (wrong is None), failed + (wrong is not None)
        if wrong:
            print(f"{program}: {name}: {wrong}", flush=True)
    return passed, failed


def in_namespace(scratch, program):
    """full_disk() where this process may mount."""
    done = subprocess.run(
        ["unshare", "-rm", sys.executable, __file__, scratch, program], stdout=subprocess.PIPE, text=True, check=True
    )
    print(done.stdout[: done.stdout.rindex("\n", 0, -1) + 1] if "\n" in done.stdout.rstrip() else "", end="")
    return tuple(map(int, re.search(r"(\d+) passed, (\d+) failed$", done.stdout.rstrip()).groups()))


def may_unshare():
    return (
        subprocess.run(
            ["unshare", "-rpmf", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False
        ).returncode
        == 0
    )


def run_all():
    """(passed, failed) of each."""
    permitted = may_unshare()
    if not permitted:
        print("NOT RUN: a full disk and two PID namespaces, for this machine permits no namespaces")
    for program in PROGRAMS:
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            yield count(program, full_output(folder, program))
            if permitted:
                yield count(program, two_namespaces(folder, program))
                yield in_namespace(scratch, program)


def main():
    scratch, program = sys.argv[1:]
    passed, failed = count(program, full_disk(pathlib.Path(scratch), program))
    print(f"{passed} passed, {failed} failed")


if __name__ == "__main__":
    main()
