"""Writes expected.json: the values that TensorFlow computes for the models of tfjs.test.mjs, on inputs made here. Run
with TensorFlow's Python from the project's root, after build/release/cryograph is built (which freezes models that
are not frozen).
"""

import json
import os
import pathlib
import subprocess
import tempfile

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np
import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/release/cryograph"

# name: (path, inputs with their shapes, outputs)
CASES = {
    "frozen_convnet": ("tests/data/frozen_convnet/graph.pb", {"x": [2, 8, 8, 1]}, ["y"]),
    "digits": ("web/samples/digits/model.ckpt.meta", {"image": [2, 28, 28, 1]}, ["probabilities"]),
    "functional": ("tests/data/functional/model.ckpt.meta", None, ["y"]),
    "batch_norm": ("tests/data/batch_norm/model.ckpt.meta", None, ["y"]),
    "while_resource": ("tests/data/while_resource/model.ckpt.meta", None, ["y"]),
    "cond_ref": ("tests/data/cond_ref/model.ckpt.meta", None, ["y"]),
}


def frozen_graph(path, outputs):
    with tempfile.TemporaryDirectory() as folder:
        frozen = os.path.join(folder, "frozen.pb")
        subprocess.run(
            [PROGRAM, "freeze", ROOT / path, "--outputs", ",".join(outputs), "-o", frozen],
            check=True,
            capture_output=True,
        )
        graph = tf.compat.v1.GraphDef()
        graph.ParseFromString(pathlib.Path(frozen).read_bytes())
        return graph


def feed(dtype, shape, seed):
    if dtype == tf.bool:
        return np.ones(shape, bool)
    values = np.random.RandomState(seed).uniform(0, 1, shape).round(2)
    return (values * 3).astype(np.int32) if dtype.is_integer else values.astype(np.float32)


def tensor(value):
    return {"shape": list(value.shape), "dtype": value.dtype.name, "data": np.ravel(value).tolist()}


def expected(path, shapes, outputs):
    graph = frozen_graph(path, outputs)
    with tf.Graph().as_default() as imported, tf.compat.v1.Session() as session:
        tf.import_graph_def(graph, name="")
        feeds = {}
        for seed, node in enumerate(n for n in graph.node if n.op == "Placeholder"):
            placeholder = imported.get_tensor_by_name(node.name + ":0")
            shape = shapes[node.name] if shapes else [3 if d is None else d for d in placeholder.shape.as_list()]
            feeds[node.name] = feed(placeholder.dtype, shape, seed)
        values = session.run([name + ":0" for name in outputs], {name + ":0": value for name, value in feeds.items()})
    return {
        "path": path,
        "inputs": {name: tensor(value) for name, value in feeds.items()},
        "outputs": {name: tensor(value) for name, value in zip(outputs, values)},
    }


with open(pathlib.Path(__file__).parent / "expected.json", "w", encoding="utf-8") as file:
    json.dump({name: expected(*case) for name, case in CASES.items()}, file, separators=(",", ":"), sort_keys=True)
    file.write("\n")
