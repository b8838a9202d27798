"""TensorFlow over many graphs: a line of JSON asks for tensors of one, a line answers. tensorflow.mjs asks."""

import base64
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "oracle"))
import graphs
import numpy as np
from graphs import tf, tf1

HELD = {
    "c": "complex64",
    "b": "bool",
    "i": "int32",
    "u": "int32",
}  # by TensorFlow.js, for all types of the kind; else float32


def array_of(value, dtype):
    """Returns the value fed to TensorFlow.js, in the type that the graph declares."""
    if value["dtype"] == "string":
        return np.array([base64.b64decode(each) for each in value["data"]], object).reshape(value["shape"])
    held = np.frombuffer(base64.b64decode(value["data"]), value["dtype"])
    return held.reshape(value["shape"]).astype(dtype.as_numpy_dtype)


def answer_of(value):
    array = np.asarray(value)
    if array.dtype.kind in "OS":
        data = [base64.b64encode(bytes(each)).decode() for each in array.reshape(-1)]
        return {"dtype": "string", "shape": array.shape, "data": data}
    dtype = HELD.get(array.dtype.kind, "float32")
    return {"dtype": dtype, "shape": array.shape, "data": base64.b64encode(array.astype(dtype).tobytes()).decode()}


def is_random(tensor, seen):
    """Returns True if a tensor depends on a random generator: the two draw different numbers."""
    if tensor.op in seen:
        return False
    seen.add(tensor.op)
    return "seed" in tensor.op.node_def.attr or any(is_random(each, seen) for each in tensor.op.inputs)


def reason(error):
    """The line that says it: of an error in a run the one after the node's name."""
    lines = str(error).strip().splitlines()
    named = [at for at, line in enumerate(lines[:-1]) if line.startswith("Node: ")]
    return lines[named[0] + 1] if named else lines[0]


def computed(session, tensors, feeds):
    """The values of those that can be computed, and why the last of the others cannot."""
    try:
        return session.run(tensors, feeds), None
    except (tf.errors.OpError, ValueError) as error:
        if len(tensors) == 1:
            return {}, reason(error)
    values, refused = {}, None
    for name, tensor in tensors.items():
        found, why = computed(session, {name: tensor}, feeds)
        values.update(found)
        refused = refused or why
    return values, refused


def answer(graph, feeds, outputs):
    with open(graph, "rb") as file:
        imported = graphs.imported(tf1.GraphDef.FromString(file.read()))
    tensors = {name: imported.get_tensor_by_name(graphs.port(name)) for name in outputs}
    steady = {name: tensor for name, tensor in tensors.items() if not is_random(tensor, set())}
    placeholders = {name: imported.get_tensor_by_name(graphs.port(name)) for name in feeds}
    fed = {tensor: array_of(feeds[name], tensor.dtype) for name, tensor in placeholders.items()}
    with tf1.Session(graph=imported, config=graphs.config()) as session:
        values, refused = computed(session, steady, fed)
    return {"values": {name: answer_of(value) for name, value in values.items()}, "refused": refused}


for line in sys.stdin:
    try:
        found = answer(**json.loads(line))
    except (tf.errors.OpError, ValueError) as error:  # the graph is not taken
        found = {"values": {}, "refused": reason(error)}
    print(json.dumps(found), flush=True)
