"""Runs a .tflite file in TensorFlow Lite's interpreter, and in TensorFlow what it was translated to; a process of its own, for the suite
has no eager execution, and the interpreter dies of some files:

    python tests/oracle/tflite_runs.py FILE.tflite SAVED [SAVED ...]

Prints a line of JSON for the interpreter without its delegate (XNNPACK) and for each SavedModel: the difference of each output from the
interpreter as it is, {"output": [of the largest value, of the step of a quantized one]}, or a text of what TensorFlow says.
"""

import json
import os
import re
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np
import tensorflow as tf

KINDS = tf.lite.experimental.OpResolverType


def node_name(name):
    """The name of the node that a tensor becomes, by which a file without signatures has its inputs and outputs."""
    name = re.sub(r"[^A-Za-z0-9._/>-]", "_", name.split(";")[0].removesuffix(":0"))
    return name if re.match("[A-Za-z0-9.]", name) else "tensor_" + name.removeprefix("_")


class File:
    """The inputs and outputs of a file by the aliases of its signature, and a run."""

    def __init__(self, path, kind=KINDS.AUTO):
        self.interpreter = tf.lite.Interpreter(path, experimental_op_resolver_type=kind)
        self.runner = None
        if "serving_default" in self.interpreter.get_signature_list():
            self.runner = self.interpreter.get_signature_runner("serving_default")
            self.inputs, self.outputs = self.runner.get_input_details(), self.runner.get_output_details()
        else:
            self.inputs = {node_name(each["name"]): each for each in self.interpreter.get_input_details()}
            self.outputs = {node_name(each["name"]): each for each in self.interpreter.get_output_details()}

    def run(self, values):
        if self.runner:
            found = self.runner(**values)
        else:
            self.interpreter.allocate_tensors()
            for alias, value in values.items():
                self.interpreter.set_tensor(self.inputs[alias]["index"], value)
            self.interpreter.invoke()
            found = {alias: self.interpreter.get_tensor(each["index"]) for alias, each in self.outputs.items()}
        return {alias: real(value, self.outputs[alias]) for alias, value in found.items()}


def real(value, detail):
    """The numbers that integers stand for."""
    scale, zero = detail["quantization"]
    return ((value.astype(np.float64) - zero) * scale).astype(np.float32) if scale else value


def drawn(rng, detail):
    """A value of an input."""
    shape = [max(size, 1) for size in detail["shape"]]
    dtype = np.dtype(detail["dtype"])
    if dtype.kind in "iu" and detail["quantization"][0]:
        return rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    if dtype.kind == "f":
        return rng.uniform(-2, 2, shape).astype(dtype)
    if dtype.kind in "iub":
        return rng.integers(0, 2 if dtype.kind == "b" else 4, shape).astype(dtype)
    return np.full(shape, "some words of a text", object)


def difference(found, expected, step):
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        return [np.inf, np.inf]
    if expected.dtype.kind in "OSU" or not expected.size:
        return [float(found.tolist() != expected.tolist()), 0.0]
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    largest = np.max(np.abs(found - expected))
    return [float(largest / (np.max(np.abs(expected)) or 1)), float(largest / step) if step else 0.0]


def main(path, *saved):
    file, rng = File(path), np.random.default_rng(0)
    values = {alias: drawn(rng, detail) for alias, detail in file.inputs.items()}
    reals = {alias: tf.constant(real(value, file.inputs[alias])) for alias, value in values.items()}
    expected = file.run(values)
    runs = [lambda: File(path, KINDS.BUILTIN_WITHOUT_DEFAULT_DELEGATES).run(values)]
    runs += [
        lambda folder=folder: tf.saved_model.load(folder).signatures["serving_default"](**reals) for folder in saved
    ]
    for run in runs:
        try:
            found = run()
            line = {
                alias: difference(found[alias], value, file.outputs[alias]["quantization"][0])
                for alias, value in expected.items()
            }
        except Exception as error:  # whatever TensorFlow says
            line = f"{type(error).__name__}: {error}"[:500]
        print(json.dumps(line))


if __name__ == "__main__":
    main(*sys.argv[1:])
