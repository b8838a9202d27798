"""Models of TensorFlow Lite: TensorFlow runs what they are translated to as the interpreter runs the files."""

import functools
import glob
import json
import os
import pathlib
import re
import sys

import tensorflow2
import tflite_models
from cases import CORPUS, DATA
from graphs import tf  # before what follows: it makes TensorFlow quiet  # noqa: F401
from program import ROOT, call
from suite import NOTES, Suite, expanded, folder, for_each
from tensorflow.lite.python import schema_py_generated

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import tflite_schema  # noqa: E402  (the path comes first)

HERE = os.path.dirname(os.path.abspath(__file__))
FLOAT = 1e-5  # relative to the largest output
# The limits of quantized files: the interpreter's own spread (with and without XNNPACK), steps of the output, and for a float output a share of it.
SPREAD, STEPS, DYNAMIC = 3, 4, 0.1
# Operators of other libraries, which neither the interpreter nor TensorFlow runs.
FOREIGN = {"dummy_sp_text_embedder.tflite"}


class File:
    def __init__(self, path):
        self.path = path

    def __repr__(self):
        return os.path.relpath(self.path, DATA if self.path.startswith(DATA) else CORPUS)


def files():
    for place in (os.path.join(DATA, "tflite"), os.path.join(CORPUS, "tflite")):
        for path in sorted(glob.glob(os.path.join(place, "**", "*"), recursive=True)):
            if path.endswith((".tflite", ".lite")):
                yield File(path)


@functools.cache
def converted(path, *options):
    """(answer, folder): the SavedModel of a file."""
    out = os.path.join(folder("tflite", path, *options), "saved")
    return call("convert", path, "-o", out + "/", *options), out


def runs(path, *saved):
    """Differences from the interpreter (tflite_runs.py): of itself without XNNPACK, and of each SavedModel."""
    done = tensorflow2.run(os.path.join(HERE, "tflite_runs.py"), path, *saved)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


@expanded
class Tflite(Suite):
    @for_each(list(tflite_models.FUNCTIONS))
    def test_operators(self, name):
        path = os.path.join(folder("tflite", name), "m.tflite")
        tensorflow2.run_checked(os.path.join(HERE, "tflite_models.py"), name, path)
        answer, saved = converted(path)
        self.done(answer)
        found, said = runs(path, saved)
        self.assertEqual(2, len(found), said)
        self.assertIsInstance(found[1], dict, found[1])
        for alias, (relative, _) in found[1].items():
            self.assertLessEqual(relative, FLOAT, alias)

    @for_each(files())
    def test_files(self, file):
        """Float models are as the interpreter computes them, up to the order of sums. Those with quantized activations are so with
        --keep-quantization, up to the interpreter's own spread."""
        answer, saved = converted(file.path)
        self.done(answer)
        if os.path.basename(file.path) in FOREIGN:
            self.assertIn("unknown-operator", answer.codes("warning"), answer)
            return
        self.assertEqual([], answer.codes("warning"), answer)
        quantized = "quantized" in answer.codes("note")
        kept, rounded = converted(file.path, "--keep-quantization")
        self.done(kept)
        found, said = runs(file.path, saved, *([rounded] if quantized else []))
        if not found and "Select TensorFlow op" in said:
            self.skipTest("the interpreter has no Flex operators")
        if not found and "failed to invoke" in said:
            self.skipTest("the interpreter refuses the values that were drawn")
        self.assertEqual(3 if quantized else 2, len(found), said)
        for run in found:
            self.assertIsInstance(run, dict, run)
        spread = found[0]
        for alias, (relative, steps) in found[-1].items():
            if not quantized:
                self.assertLessEqual(relative, FLOAT, alias)
            elif spread[alias][1] or steps:
                self.assertLessEqual(steps, SPREAD * spread[alias][1] + STEPS, alias)
            else:
                self.assertLessEqual(relative, SPREAD * spread[alias][0] + DYNAMIC, alias)
        NOTES.append(f"tflite: {file}: {json.dumps(found)}")

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
