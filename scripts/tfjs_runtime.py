"""Runs frozen graphs in TensorFlow and in TensorFlow.js (tfjs_runtime.mjs), as `cryograph convert --as tfjs` writes them."""

import atexit
import base64
import functools
import itertools
import json
import os
import pathlib
import select
import struct
import subprocess
import tempfile

import numpy as np
import runtimes
import tensorflow as tf
from tensorflow.core.framework import graph_pb2

ROOT = runtimes.ROOT
SCRIPT = pathlib.Path(__file__).with_suffix(".mjs")
PROGRAM = ROOT / "build" / "release" / "cryograph"
SECONDS = 30  # for a graph
LARGEST = 30_000_000  # bytes: it computes in JavaScript
TRIES = 16  # of shapes
SIZES = (3, 1, 2, 4, 32)  # to try for sizes that a placeholder does not state: loops run more than once
SHAPES = ((), (4,), (4, 4), (1, 32, 32, 3))  # to try for a placeholder of unknown rank
HELD = {"c": "complex64", "b": "bool", "i": "int32", "u": "int32", "f": "float32"}  # types in TensorFlow.js, by kind


def sound():
    """Returns a .wav file of a second."""
    size = 32000
    head = struct.pack(
        "<4sI8sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVEfmt ", 16, 1, 1, 16000, 32000, 2, 16, b"data", size
    )
    return head + bytes(size)


def ones(dtype, shape):
    """Numbers that are an index, a size and a probability at once."""
    return np.full(shape, b"1", object) if dtype == tf.string else np.ones(shape, dtype.as_numpy_dtype)


def counted(dtype, shape):
    """Numbers that are all different; sounds for texts."""
    if dtype == tf.string:
        return np.full(shape, sound(), object)
    return np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype.as_numpy_dtype)


def shapes_of(placeholder):
    """Yields shapes to try for a placeholder."""
    known = placeholder.shape
    if known.rank is None:
        yield from SHAPES
    else:
        for size in SIZES:
            yield tuple(size if each is None else each for each in known.as_list())


def run(path, inputs, outputs):
    """Returns the feeds with which TensorFlow computes the outputs, as JSON, by name; None if it computes them with none."""
    graph = graph_pb2.GraphDef.FromString(path.read_bytes())
    config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
    with tf.Graph().as_default() as imported, tf.compat.v1.Session(config=config) as session:
        tf.import_graph_def(graph, name="")
        holes = [imported.get_tensor_by_name(name) for name in inputs]
        shaped = itertools.islice(itertools.product(*(dict.fromkeys(shapes_of(hole)) for hole in holes)), TRIES)
        for shapes, values in itertools.product(shaped, (ones, counted)):
            feeds = {hole: values(hole.dtype, shape) for hole, shape in zip(holes, shapes)}
            try:
                session.run(outputs, feeds)
            except (tf.errors.OpError, ValueError, TypeError):
                continue
            return {hole.op.name: sent(value) for hole, value in feeds.items()}
    return None


def sent(array):
    if array.dtype == object:
        text = json.dumps([each.decode("latin-1") for each in array.reshape(-1)]).encode()
        return {"dtype": "string", "shape": array.shape, "data": base64.b64encode(text).decode()}
    kind = HELD.get(array.dtype.kind, "float32")
    return {"dtype": kind, "shape": array.shape, "data": base64.b64encode(array.astype(kind).tobytes()).decode()}


class TensorFlowJs:
    """A process that runs one model after the other."""

    def __init__(self):
        self.process = None

    def answer(self, model, feeds, outputs):
        """Returns "" if the model runs, else why not; None if it takes too long."""
        if not self.process or self.process.poll() is not None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen(["node", str(SCRIPT)], bufsize=0, cwd=ROOT, **pipes)
        asked = {"model": str(model), "feeds": feeds, "outputs": outputs}
        self.process.stdin.write((json.dumps(asked) + "\n").encode())
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        line = self.process.stdout.readline() if ready else b""
        if not line:
            self.close()
        return json.loads(line) if line else None

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


@functools.cache
def javascript():
    process = TensorFlowJs()
    atexit.register(process.close)
    return process


def are_placeholders(path, inputs):
    ops = {node.name: node.op for node in graph_pb2.GraphDef.FromString(path.read_bytes()).node}
    return all(ops.get(each.partition(":")[0], "").startswith("Placeholder") for each in inputs)


def answer(path, inputs, outputs):
    """Returns "" if TensorFlow.js runs a graph, else why not. Returns None if TensorFlow itself does not run it, if that takes too
    long, or if another node than a placeholder is fed.
    """
    if path.stat().st_size > LARGEST or not are_placeholders(path, inputs):
        return None
    feeds = runtimes.in_child(lambda: run(path, inputs, outputs), SECONDS)
    return ran(path, feeds, outputs) if feeds else None


def ask(graph, inputs, outputs):
    """Raises Refused, or what TensorFlow does, if one of them does not run a graph (runtime_probes.py)."""
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work) / "graph.pb"
        path.write_bytes(graph.SerializeToString())
        feeds = run(path, inputs, outputs)
        why = ran(path, feeds, outputs) if feeds else "TensorFlow does not run it"
    if why != "":
        raise runtimes.Refused(why)


def ran(path, feeds, outputs):
    """Returns "" if TensorFlow.js runs a graph with these feeds, else why not; None if it takes too long."""
    model = path.with_suffix(".tfjs")
    convert = [PROGRAM, "convert", path, "--as", "tfjs", "-o", model, "--force", "--json"]
    said = subprocess.run(convert, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if said.returncode:
        return json.loads(said.stdout)["diagnostics"][-1]["message"]
    names = [each.removesuffix(":0") for each in outputs]
    return javascript().answer(os.path.join(model, "model.json"), feeds, names)
