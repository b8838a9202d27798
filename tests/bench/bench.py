"""Ratios measured side by side in one run: native and WebAssembly against cp, memory, growth with the number of nodes.

    python3 tests/bench/bench.py [--quick] [size | against_cp | diff | memory | growth | forms | text | validate | draw | tensorflow ...]

Each row is a goal, the median of several runs, and whether the goal is met. Whole processes are timed, start-up included. Nothing is
asserted: machines are noisy.
"""

import gzip
import os
import shutil
import statistics
import subprocess
import sys

from beside_tensorflow import tensorflow, text, validate
from measure import NATIVE, QUICK, ROOT, RUNS, WASM, WORK, make, paired, row, run


def against_cp():
    source = WORK / "frozen.pb"
    constants, megabytes = (20, 5) if QUICK else (50, 10)
    make("frozen", source, constants, megabytes)
    copy = ["cp", str(source), str(WORK / "copy.pb")]
    checkpoint = str(WORK / "thawed.ckpt")
    goals = {"unfreeze": (1.5, 3.0), "freeze": (1.2, 2.2)}
    for verb, arguments in (
        ("unfreeze", [str(source), "-o", checkpoint]),
        ("freeze", [checkpoint, "-o", str(WORK / "again.pb")]),
    ):
        for host, program, goal in (("native", NATIVE, goals[verb][0]), ("wasm", WASM, goals[verb][1])):
            seconds, ratio, peak = paired(program + [verb] + arguments + ["--force", "--quiet"], copy)
            row(
                f"{verb} {constants * megabytes} MB, {host}, against cp",
                f"{goal} x",
                f"{ratio:.2f} x ({seconds:.2f} s, {peak:.0f} MB)",
                ratio <= goal,
            )
    unchecked = ["freeze", checkpoint, "-o", str(WORK / "again.pb"), "--no-checksum", "--force", "--quiet"]
    for host, program in (("native", NATIVE), ("wasm", WASM)):
        seconds, ratio, _ = paired(program + unchecked, copy)
        row(f"freeze, {host}, unchecked, against cp", "-", f"{ratio:.2f} x ({seconds:.2f} s)", True)
    same = subprocess.run(["cmp", str(source), str(WORK / "again.pb")], capture_output=True).returncode == 0
    row("freeze(unfreeze(g)) is g, byte for byte", "yes", "yes" if same else "no", same)


def diff():
    """Two models of the same weights, and two that differ in every one, against cmp."""
    megabytes = 100 if QUICK else 500
    frozen, prefix, other = WORK / "frozen.pb", str(WORK / "a.ckpt"), str(WORK / "b.ckpt")
    make("frozen", frozen, megabytes // 10, 10)
    for out in (prefix, other):
        run(NATIVE + ["unfreeze", str(frozen), "-o", out, "--force", "--quiet"])
    data = ".data-00000-of-00001"
    cmp = ["cmp", prefix + data, other + data]
    for host, program in (("native", NATIVE), ("wasm", WASM)):
        for what, b in (("checkpoints", other), ("a checkpoint and a frozen graph", str(frozen))):
            seconds, ratio, peak = paired(program + ["diff", prefix, b, "--quiet"], cmp)
            row(
                f"diff of {what}, {megabytes} MB, {host}, against cmp",
                "2.0 x",
                f"{ratio:.2f} x ({seconds:.2f} s, {peak:.0f} MB)",
                ratio <= 2,
            )
    into = ["transfer", "--from", str(frozen), "--into", prefix, "-o", str(WORK / "into.ckpt"), "--force", "--quiet"]
    seconds, ratio, peak = paired(NATIVE + into, ["cp", str(frozen), str(WORK / "copy.pb")])
    row(
        f"transfer {megabytes} MB, native, against cp",
        "1.5 x",
        f"{ratio:.2f} x ({seconds:.2f} s, {peak:.0f} MB)",
        ratio <= 1.5,
    )


def memory():
    prefix = str(WORK / "sparse.ckpt")
    make("sparse_checkpoint", prefix, 8, 1)
    for host, program in (("native", NATIVE), ("wasm", WASM)):
        seconds, peak = run(program + ["inspect", prefix])
        base = run(program + ["--version"])[1]
        row(
            f"inspect 8 GB of sparse weights, {host}",
            "100 MB",
            f"{peak - base:.0f} MB over start ({peak:.0f}), {seconds:.2f} s",
            peak - base < 100,
        )
    seconds, peak = run(
        NATIVE
        + ["prune", prefix, "--outputs", "out0", "-o", str(WORK / "one.ckpt"), "--no-checksum", "--force", "--quiet"]
    )
    row("prune it to one variable, native", "100 MB", f"{peak:.0f} MB, {seconds:.2f} s", peak < 100)


def growth():
    counts = (10_000, 100_000) if QUICK else (10_000, 100_000, 1_000_000)
    for host, program in (("native", NATIVE), ("wasm", WASM)):
        before = None
        start = statistics.median(run(program + ["--version"])[0] for _ in range(RUNS))
        for count in counts:
            path = WORK / f"chain{count}.pb"
            if not path.exists():
                make("chain", path, count)
            last = f"block_{(count - 2) // 100}/layer_{(count - 2) % 100}/some/scope/Identity"
            command = program + [
                "prune",
                str(path),
                "--outputs",
                last,
                "-o",
                str(WORK / "pruned.pb"),
                "--force",
                "--quiet",
            ]
            results = [run(command) for _ in range(RUNS)]
            seconds = statistics.median(each[0] for each in results) - start
            peak = max(each[1] for each in results)
            linear = before is None or seconds < before * 13
            row(
                f"open, prune, write {count} nodes, {host}",
                "linear",
                f"{seconds:.3f} s, {peak:.0f} MB, {path.stat().st_size / 1e6:.0f} MB file",
                linear,
            )
            before = max(seconds, 0.02)


# Groups of forms that hold the same, each a name for OUT and what it is opened by: of those, any becomes any other.
FORMS = {
    "constants": {"pb": "m.pb", "meta": "m.meta", "savedmodel": "saved/", "tfjs": "js/m.json"},
    "variables": {"checkpoint": "m.ckpt", "checkpoint-v1": "m.v1", "savedmodel": "saved/"},
    "weights": {"checkpoint": "w.ckpt", "checkpoint-v1": "w.v1", "npz": "w.npz", "safetensors": "w.safetensors"},
}
# These need a checksum of each weight before any is written, and a V1 checkpoint has none to hand on.
SUMMED = {"checkpoint", "checkpoint-v1", "npz"}


def source_of(group, megabytes):
    """The first form of a group, made from a frozen graph."""
    frozen = WORK / "frozen.pb"
    make("frozen", frozen, megabytes // 10, 10)
    if group == "constants":
        return str(frozen)
    run(NATIVE + ["unfreeze", str(frozen), "-o", str(WORK / "first.ckpt"), "--force", "--quiet"])
    if group == "variables":
        return str(WORK / "first.ckpt")
    run(NATIVE + ["weights", str(WORK / "first.ckpt"), "-o", str(WORK / "alone.ckpt"), "--force", "--quiet"])
    return str(WORK / "alone.ckpt")


def forms():
    """Opening each form, and converting each to each other of its group, against copying as many bytes."""
    megabytes = 100 if QUICK else 500
    for group, names in FORMS.items():
        source = source_of(group, megabytes)
        copied = str(WORK / "alone.ckpt.data-00000-of-00001") if group == "weights" else str(WORK / "frozen.pb")
        copy = ["cp", copied, str(WORK / "copy")]
        where = WORK / group
        (where / "js").mkdir(parents=True)
        for kind, name in names.items():
            run(NATIVE + ["convert", source, "-o", f"{where}/{name}", "--as", kind, "--force", "--quiet"])
            seconds = statistics.median(run(NATIVE + ["inspect", f"{where}/{name}"])[0] for _ in range(RUNS))
            row(f"open {megabytes} MB of {group}: {kind}", "0.2 s", f"{seconds:.3f} s", seconds <= 0.2)
        for kind, name in names.items():
            for other, out in names.items():
                if other == kind:
                    continue
                summed = other in SUMMED or (group == "variables" and kind == "checkpoint-v1")
                goal = 3.0 if summed else 1.5
                into = WORK / "into"
                (into / "js").mkdir(parents=True, exist_ok=True)
                command = NATIVE + [
                    "convert",
                    f"{where}/{name}",
                    "-o",
                    f"{into}/{out}",
                    "--as",
                    other,
                    "--force",
                    "--quiet",
                ]
                seconds, ratio, peak = paired(command, copy)
                row(
                    f"{group}: {kind} to {other}, against cp",
                    f"{goal} x",
                    f"{ratio:.2f} x ({seconds:.2f} s, {peak:.0f} MB)",
                    ratio <= goal,
                )
                shutil.rmtree(into)
        shutil.rmtree(where)


# The same work with Python's protobuf; TensorFlow supplies the messages, and its import is not counted.
def draw():
    """The first view, and everything open; opening the model included."""
    program = NATIVE + ["draw"]
    view, out = str(WORK / "view.json"), ["-o", str(WORK / "view.json"), "--force", "--quiet"]
    goals = [(12_000, [], 0.05), (100_000, [], 0.4), (45_000, ["--depth", "1000"], 0.5), (1_000_000, [], 5)]
    for count, options, goal in goals[:3] if QUICK else goals:
        path = WORK / f"layers{count}.pb"
        make("layers", path, count)
        for host, command, allowed in (("native", program, goal), ("wasm", [*WASM, "draw"], 2 * goal)):
            if host == "wasm" and not (ROOT / "dist/cli.js").exists():
                continue
            start = statistics.median(run([*command[:-1], "--version"])[0] for _ in range(RUNS))
            results = [run([*command, str(path), *out, *options]) for _ in range(RUNS)]
            seconds, peak = statistics.median(each[0] for each in results) - start, max(each[1] for each in results)
            what = "everything open" if options else "first view"
            row(
                f"{what} of {count} nodes, {host}",
                f"{allowed:g} s",
                f"{seconds:.3f} s, {peak:.0f} MB",
                seconds <= allowed,
            )
    os.remove(view)


def size():
    wasm = (ROOT / "dist/core.wasm").read_bytes()
    row(
        "core.wasm",
        "900 KB",
        f"{len(wasm) / 1000:.0f} KB ({len(gzip.compress(wasm, 9)) / 1000:.0f} gzipped)",
        len(wasm) <= 900_000,
    )


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    print(f"{'what':48} {'goal':>14} {'measured':>34}   verdict")
    parts = (size, against_cp, diff, memory, growth, forms, text, validate, draw, tensorflow)
    wanted = [part for part in parts if part.__name__ in sys.argv] or parts
    for part in wanted:
        part()
    shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
