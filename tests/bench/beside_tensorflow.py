"""The native program next to real TensorFlow on the same files."""

import os
import pathlib
import statistics
import subprocess

from measure import NATIVE, QUICK, ROOT, RUNS, WASM, WORK, make, row, run

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
        done = subprocess.run(
            [str(python), "-c", IN_PYTHON, str(source)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=True,
        )
        theirs = float(done.stdout.split()[-1])
        ratio = theirs / seconds
        row(
            f"{what} {megabytes} MB as text, against Python",
            "5 x faster",
            f"{ratio:.1f} x ({seconds:.2f} s, {peak:.0f} MB; {theirs:.1f} s)",
            ratio >= 5,
        )
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
        command = (
            NATIVE + ["freeze", source, "-o", ours, "--force", "--quiet"] + (["--outputs", output] if output else [])
        )
        run(command, [0])
        pairs, imported = [], []
        for _ in range(3):
            pairs.append((run(command), run(PEER + peer + [theirs, seconds], [0])))
            imported.append(float(pathlib.Path(seconds).read_text()))
        ours_s, theirs_s, ours_mb, theirs_mb = (
            statistics.median(pair[of][at] for pair in pairs) for at in (0, 1) for of in (0, 1)
        )
        without = statistics.median(imported)
        name = f"freeze {what}"
        row(
            f"{name}, whole process",
            f"{times} x",
            f"{theirs_s / ours_s:.0f} x ({ours_s:.3f} s, {theirs_s:.1f} s)",
            theirs_s >= times * ours_s,
        )
        row(f"{name}, without import", "-", f"{without / ours_s:.0f} x ({ours_s:.3f} s, {without:.1f} s)", True)
        row(
            f"{name}, peak memory",
            f"1/{share}",
            f"1/{theirs_mb / ours_mb:.0f} ({ours_mb:.0f} MB, {theirs_mb:.0f} MB)",
            theirs_mb >= share * ours_mb,
        )
        sizes = [os.path.getsize(path) for path in (ours, theirs)]
        row(f"{name}, bytes written", "as many", f"{sizes[0]}, {sizes[1]}", abs(sizes[0] - sizes[1]) < 0.1 * sizes[1])


# Each prints the seconds of importing alone and the megabytes that it added at the peak.
IMPORT_IN_C = """
import os, resource, sys, time
sys.path.insert(0, sys.argv[2])
os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
from fixtures import c_api, importer
tf, peak = c_api.CApi(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
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
            row(
                f"validate {count} nodes, {host}",
                "linear",
                f"{seconds:.3f} s, {peak:.0f} MB, {path.stat().st_size / 1e6:.0f} MB file",
                linear,
            )
        for what, code, goal in (
            (("in C", IMPORT_IN_C, 10), ("from Python", IMPORT_IN_PYTHON, 50)) if python.exists() else ()
        ):
            done = subprocess.run(
                [str(python), "-c", code, str(path), str(ROOT / "tests/data")],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                check=True,
            )
            refused, theirs, megabytes = map(float, done.stdout.split()[-3:])
            ratio = theirs / ours
            row(
                f"validate {count} nodes against import {what}",
                f"{goal} x faster",
                f"{ratio:.1f} x ({theirs:.2f} s, {megabytes:.0f} MB more)" + (" REFUSED" if refused else ""),
                ratio >= goal and not refused,
            )
