"""Ratios measured side by side in one run: native and WebAssembly against cp, memory, growth with the number of nodes.

    python3 tests/bench/bench.py [--quick] [size | against_cp | diff | memory | growth | forms | text | validate | draw | tensorflow ...]

Each row is a goal, the median of several runs, and whether the goal is met. Whole processes are timed, start-up included. Nothing is
asserted: machines are noisy.
"""

import gzip
import os
import pathlib
import shutil
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
    subprocess.run([sys.executable, "-c", "import sys, models; getattr(models, sys.argv[1])(sys.argv[2], *map(int, sys.argv[3:]))", kind, str(path),
                    *map(str, sizes)], cwd=pathlib.Path(__file__).parent, check=True)


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
    return (statistics.median(a[0] for a, _ in pairs), statistics.median(a[0] / b[0] for a, b in pairs), max(a[1] for a, _ in pairs))


def row(what, goal, figure, met):
    rows.append((what, goal, figure, "" if goal == "-" else "met" if met else "MISSED"))
    print(f"{what:48} {goal:>14} {figure:>34}   {rows[-1][3]}", flush=True)


def against_cp():
    source = WORK / "frozen.pb"
    constants, megabytes = (20, 5) if QUICK else (50, 10)
    make("frozen", source, constants, megabytes)
    copy = ["cp", str(source), str(WORK / "copy.pb")]
    checkpoint = str(WORK / "thawed.ckpt")
    goals = {"unfreeze": (1.5, 3.0), "freeze": (1.2, 2.2)}
    for verb, arguments in (("unfreeze", [str(source), "-o", checkpoint]), ("freeze", [checkpoint, "-o", str(WORK / "again.pb")])):
        for host, program, goal in (("native", NATIVE, goals[verb][0]), ("wasm", WASM, goals[verb][1])):
            seconds, ratio, peak = paired(program + [verb] + arguments + ["--force", "--quiet"], copy)
            row(f"{verb} {constants * megabytes} MB, {host}, against cp", f"{goal} x", f"{ratio:.2f} x ({seconds:.2f} s, {peak:.0f} MB)", ratio <= goal)
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
            row(f"diff of {what}, {megabytes} MB, {host}, against cmp", "2.0 x", f"{ratio:.2f} x ({seconds:.2f} s, {peak:.0f} MB)", ratio <= 2)
    into = ["transfer", "--from", str(frozen), "--into", prefix, "-o", str(WORK / "into.ckpt"), "--force", "--quiet"]
    seconds, ratio, peak = paired(NATIVE + into, ["cp", str(frozen), str(WORK / "copy.pb")])
    row(f"transfer {megabytes} MB, native, against cp", "1.5 x", f"{ratio:.2f} x ({seconds:.2f} s, {peak:.0f} MB)", ratio <= 1.5)


def memory():
    prefix = str(WORK / "sparse.ckpt")
    make("sparse_checkpoint", prefix, 8, 1)
    for host, program in (("native", NATIVE), ("wasm", WASM)):
        seconds, peak = run(program + ["inspect", prefix])
        base = run(program + ["--version"])[1]
        row(f"inspect 8 GB of sparse weights, {host}", "100 MB", f"{peak - base:.0f} MB over start ({peak:.0f}), {seconds:.2f} s", peak - base < 100)
    seconds, peak = run(NATIVE + ["prune", prefix, "--outputs", "out0", "-o", str(WORK / "one.ckpt"), "--no-checksum", "--force", "--quiet"])
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
            command = program + ["prune", str(path), "--outputs", last, "-o", str(WORK / "pruned.pb"), "--force", "--quiet"]
            results = [run(command) for _ in range(RUNS)]
            seconds = statistics.median(each[0] for each in results) - start
            peak = max(each[1] for each in results)
            linear = before is None or seconds < before * 13
            row(f"open, prune, write {count} nodes, {host}", "linear", f"{seconds:.3f} s, {peak:.0f} MB, {path.stat().st_size / 1e6:.0f} MB file", linear)
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
                command = NATIVE + ["convert", f"{where}/{name}", "-o", f"{into}/{out}", "--as", other, "--force", "--quiet"]
                seconds, ratio, peak = paired(command, copy)
                row(f"{group}: {kind} to {other}, against cp", f"{goal} x", f"{ratio:.2f} x ({seconds:.2f} s, {peak:.0f} MB)", ratio <= goal)
                shutil.rmtree(into)
        shutil.rmtree(where)


# The same work with Python's protobuf; TensorFlow supplies the messages, and its import is not counted.
IN_PYTHON = """
import sys, time
from google.protobuf import text_format
from tensorflow.core.framework import graph_pb2
with open(sys.argv[1], "rb") as file:
    data = file.read()
start = time.monotonic()
if sys.argv[1].endswith(".pb"):
    text_format.MessageToString(graph_pb2.GraphDef.FromString(data))
else:
    text_format.Parse(data, graph_pb2.GraphDef()).SerializeToString()
print(time.monotonic() - start)
"""


def text():
    python = ROOT / "build/tensorflow/bin/python"
    if not python.exists():
        print("text: there is no TensorFlow to bring Python's messages")
        return
    megabytes = 100
    pb, pbtxt = WORK / "text.pb", WORK / "text.pbtxt"
    make("frozen", pb, megabytes // 10, 10)
    for source, out, what in ((pb, pbtxt, "print"), (pbtxt, WORK / "back.pb", "read")):
        results = [run(NATIVE + ["convert", str(source), "-o", str(out), "--force", "--quiet"]) for _ in range(RUNS)]
        seconds = statistics.median(each[0] for each in results)
        peak = max(each[1] for each in results)
        done = subprocess.run([str(python), "-c", IN_PYTHON, str(source)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        theirs = float(done.stdout.split()[-1])
        ratio = theirs / seconds
        row(f"{what} {megabytes} MB as text, against Python", "5 x faster", f"{ratio:.1f} x ({seconds:.2f} s, {peak:.0f} MB; {theirs:.1f} s)",
            ratio >= 5)
    same = subprocess.run(["cmp", str(pb), str(WORK / "back.pb")], capture_output=True).returncode == 0
    row("what was printed is read back, byte for byte", "yes", "yes" if same else "no", same)


PEER = [str(ROOT / "build/tensorflow/bin/python"), str(pathlib.Path(__file__).parent / "tensorflow_peer.py")]


def models_for_tensorflow():
    """Returns (name, our source, our outputs, their command, goals: how many times faster, one over what memory) of
    each peer, made on demand.
    """
    megabytes, nodes, saved = (50, 2_000, 20) if QUICK else (500, 20_000, 200)
    frozen, prefix, training, folder = (str(WORK / name) for name in ("peer.pb", "peer.ckpt", "training.ckpt", "saved"))
    make("frozen", frozen, megabytes // 10, 10)
    run(NATIVE + ["unfreeze", frozen, "-o", prefix, "--force", "--quiet"])
    os.remove(frozen)
    last = f"y{megabytes // 10 - 1}"
    yield f"{megabytes} MB", prefix, last, ["freeze_graph", prefix, last], (30, 30)
    run(PEER + ["training_graph", training, str(nodes)], [0])
    yield f"{nodes} nodes in training", training, "y", ["freeze_graph", training, "y"], (300, 30)
    run(PEER + ["saved_model", folder, str(saved)], [0])
    yield f"SavedModel of {saved} MB", folder, None, ["freeze_v2", folder], (100, 50)


def tensorflow():
    """Freezing, whole processes side by side in one run: ours, and TensorFlow's own with its import and without."""
    if not os.path.exists(PEER[0]):
        print("tensorflow: it is not installed")
        return
    ours, theirs, seconds = (str(WORK / name) for name in ("ours.pb", "theirs.pb", "seconds"))
    for what, source, output, peer, (times, share) in models_for_tensorflow():
        command = NATIVE + ["freeze", source, "-o", ours, "--force", "--quiet"] + (["--outputs", output] if output else [])
        run(command, [0])
        pairs, imported = [], []
        for _ in range(3):
            pairs.append((run(command), run(PEER + peer + [theirs, seconds], [0])))
            imported.append(float(pathlib.Path(seconds).read_text()))
        ours_s, theirs_s, ours_mb, theirs_mb = (statistics.median(pair[of][at] for pair in pairs) for at in (0, 1) for of in (0, 1))
        without = statistics.median(imported)
        name = f"freeze {what}"
        row(f"{name}, whole process", f"{times} x", f"{theirs_s / ours_s:.0f} x ({ours_s:.3f} s, {theirs_s:.1f} s)", theirs_s >= times * ours_s)
        row(f"{name}, without import", "-", f"{without / ours_s:.0f} x ({ours_s:.3f} s, {without:.1f} s)", True)
        row(f"{name}, peak memory", f"1/{share}", f"1/{theirs_mb / ours_mb:.0f} ({ours_mb:.0f} MB, {theirs_mb:.0f} MB)",
            theirs_mb >= share * ours_mb)
        sizes = [os.path.getsize(path) for path in (ours, theirs)]
        row(f"{name}, bytes written", "as many", f"{sizes[0]}, {sizes[1]}", abs(sizes[0] - sizes[1]) < 0.1 * sizes[1])
# Each prints the seconds of importing alone and the megabytes that it added at the peak.
IMPORT_IN_C = """
import os, resource, sys, time
sys.path.insert(0, sys.argv[2])
os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
from fixtures import importer
tf, peak = importer.library(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.monotonic()
said = importer.judge_one(tf, sys.argv[1], False)
print(said["code"], time.monotonic() - start, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) / 1024)
"""
IMPORT_IN_PYTHON = """
import os, resource, sys, time
os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import tensorflow as tf
peak, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
with open(sys.argv[1], "rb") as file:
    graph = tf.compat.v1.GraphDef.FromString(file.read())
with tf.Graph().as_default():
    tf.import_graph_def(graph, name="")
print(0, time.monotonic() - start, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) / 1024)
"""


def validate():
    """All checks on a graph that is valid, the whole process, against TensorFlow's importer alone."""
    python = ROOT / "build/tensorflow/bin/python"
    before = None
    for count in (10_000, 100_000) if QUICK else (10_000, 100_000, 1_000_000):
        path = WORK / f"layers{count}.pb"
        make("layers", path, count)
        for host, program in (("native", NATIVE), ("wasm", WASM)):
            if host == "wasm" and not (ROOT / "dist/cli.js").exists():
                continue
            results = [run(program + ["validate", str(path)]) for _ in range(RUNS)]
            seconds, peak = statistics.median(each[0] for each in results), max(each[1] for each in results)
            if host == "native":
                ours, linear = seconds, before is None or seconds < max(before, 0.02) * 13
                before = seconds
            row(f"validate {count} nodes, {host}", "linear", f"{seconds:.3f} s, {peak:.0f} MB, {path.stat().st_size / 1e6:.0f} MB file", linear)
        for what, code, goal in (("in C", IMPORT_IN_C, 10), ("from Python", IMPORT_IN_PYTHON, 50)) if python.exists() else ():
            done = subprocess.run([str(python), "-c", code, str(path), str(ROOT / "tests/data")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True, check=True)
            refused, theirs, megabytes = map(float, done.stdout.split()[-3:])
            ratio = theirs / ours
            row(f"validate {count} nodes against import {what}", f"{goal} x faster",
                f"{ratio:.1f} x ({theirs:.2f} s, {megabytes:.0f} MB more)" + (" REFUSED" if refused else ""), ratio >= goal and not refused)


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
            row(f"{what} of {count} nodes, {host}", f"{allowed:g} s", f"{seconds:.3f} s, {peak:.0f} MB", seconds <= allowed)
    os.remove(view)


def size():
    wasm = (ROOT / "dist/core.wasm").read_bytes()
    row("core.wasm", "300 KB", f"{len(wasm) / 1000:.0f} KB ({len(gzip.compress(wasm, 9)) / 1000:.0f} gzipped)", len(wasm) <= 300_000)


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
