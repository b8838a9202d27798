"""Models of TensorFlow Lite: TensorFlow runs what they are translated to as the interpreter runs the files."""

import os
import pathlib
import re
import sys

import numpy as np
import tflite_models
from graphs import tf  # before what follows: it makes TensorFlow quiet
from program import ROOT, call
from suite import Suite, expanded, folder, for_each
from tensorflow.lite.python import schema_py_generated

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import tflite_schema  # noqa: E402  (the path comes first)

FLOAT = 1e-5  # relative to the largest output


def difference(found, expected):
    """The largest difference, relative to the largest value."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        return np.inf
    if not expected.size:
        return 0.0
    largest = np.max(np.abs(expected.astype(np.float64))) or 1.0
    return float(np.max(np.abs(found.astype(np.float64) - expected.astype(np.float64)))) / largest


def compared(path, out, seed=0, options=()):
    """The difference of each output, by its alias."""
    interpreter = tf.lite.Interpreter(path)
    signatures = interpreter.get_signature_list()
    assert "serving_default" in signatures, signatures
    runner = interpreter.get_signature_runner("serving_default")
    rng = np.random.default_rng(seed)
    inputs, reals = {}, {}
    for alias, detail in runner.get_input_details().items():
        shape = [1 if size <= 0 else size for size in detail["shape"]]
        scale, zero = detail["quantization"]
        values = rng.uniform(-2, 2, shape)
        if np.issubdtype(detail["dtype"], np.integer):
            values = rng.integers(0, 4, shape)
        inputs[alias] = values.astype(detail["dtype"])
        reals[alias] = (
            ((inputs[alias].astype(np.float64) - zero) * scale).astype(np.float32) if scale else inputs[alias]
        )
    expected = runner(**inputs)
    for alias, detail in runner.get_output_details().items():
        scale, zero = detail["quantization"]
        if scale:
            expected[alias] = (expected[alias].astype(np.float64) - zero) * scale
    answer = call("convert", path, "-o", out + "/", *options)
    assert answer.status == 0, answer
    found = tf.saved_model.load(out).signatures["serving_default"](
        **{key: tf.constant(value) for key, value in reals.items()}
    )
    return {alias: difference(found[alias], value) for alias, value in expected.items()}


@expanded
class Tflite(Suite):
    @for_each(list(tflite_models.FUNCTIONS))
    def test_operators(self, name):
        out = folder("tflite", name)
        path = os.path.join(out, "m.tflite")
        with open(path, "wb") as file:
            file.write(tflite_models.model(name))
        for alias, found in compared(path, os.path.join(out, "saved")).items():
            self.assertLessEqual(found, FLOAT, alias)

    def test_ids_are_those_of_the_schema(self):
        """proto/tflite.fbs against the classes that the schema of this TensorFlow was compiled to."""
        schema = tflite_schema.Schema(pathlib.Path(ROOT, "proto/tflite.fbs").read_text(encoding="utf-8"))
        source = pathlib.Path(schema_py_generated.__file__).read_text(encoding="utf-8")
        found = 0
        for table, fields in schema.tables.items():
            for place, name, _, _ in fields:
                method = f"def {table}Add{tflite_schema.camel(name)}\\(builder[^)]*\\):\\s*builder\\.Prepend\\w+Slot\\((\\d+),"
                slot = re.search(method, source)
                found += slot is not None
                self.assertEqual(place, int(slot[1]) if slot else place, f"{table}.{name}")
        self.assertGreater(found, 300)
