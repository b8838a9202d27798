"""Processes timed side by side, and the rows of figures that come of it."""

import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build/bench"
NATIVE = [str(ROOT / "build/release/cryograph")]
WASM = ["node", str(ROOT / "dist/cli.js")]
QUICK = "--quick" in sys.argv
RUNS = 3 if QUICK else 5
rows = []


def make(kind, path, *sizes):
    """In a process of its own: what this one has held counts as the least that its children peak at."""
    subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, models; getattr(models, sys.argv[1])(sys.argv[2], *map(int, sys.argv[3:]))",
            kind,
            str(path),
            *map(str, sizes),
        ],
        cwd=pathlib.Path(__file__).parent,
        check=True,
    )


def run(command, statuses=(0, 1)):
    """Seconds and peak megabytes of a process; its output is thrown away unless it fails."""
    os.sync()  # earlier writes must not count
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in statuses:
        sys.exit(f"{' '.join(command)}: {error.decode()}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def paired(command, other):
    """The two in turn, so that both see the same weather: medians of seconds, of the ratio, and the first's peak memory."""
    run(command)
    pairs = [(run(command), run(other)) for _ in range(RUNS)]
    return (
        statistics.median(a[0] for a, _ in pairs),
        statistics.median(a[0] / b[0] for a, b in pairs),
        max(a[1] for a, _ in pairs),
    )


def row(what, goal, figure, met):
    rows.append((what, goal, figure, "" if goal == "-" else "met" if met else "MISSED"))
    print(f"{what:48} {goal:>14} {figure:>34}   {rows[-1][3]}", flush=True)
