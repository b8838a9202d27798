"""edit --redact: TensorFlow loads and refuses the same as before, and finds no weight and no name."""

import collections
import os
import re

import graphs
import mutants
import numpy as np
import tensorflow2
from cases import DATA, FROZEN, WITH_WEIGHTS
from graphs import tf
from importers import judge_both
from program import call
from suite import NOTES, Suite, expanded, folder, for_each, original, values
from test_agreement import originals

SAVED = [
    "objects/keras/saved",
    *(f"saved_models/{name}" for name in ("branches", "counter", "loops", "nested_calls", "tables")),
]
COUNT, SEED = 400, 21  # of mutants
# In a process of its own, with TensorFlow 2: loads each SavedModel, runs all its signatures with zeros, and prints a hash of what
# they return.
RUN = """
import hashlib
import sys
import tensorflow as tf
for path in sys.argv[1:]:
    model = tf.saved_model.load(path)
    returned = hashlib.sha256()
    for key, function in sorted(model.signatures.items()):
        if key.startswith("__saved_model_"):
            continue  # it initializes, and has been run
        feeds = {name: tf.zeros([1 if size is None else size for size in spec.shape], spec.dtype) if spec.dtype != tf.string
                 else tf.fill([1 if size is None else size for size in spec.shape], "") for name, spec in function.structured_input_signature[1].items()}
        for _, value in sorted(function(**feeds).items()):
            returned.update(value.numpy().tobytes())
    print(returned.hexdigest())
"""
# A SavedModel whose every text is private.
MAKE = """
import sys
import tensorflow as tf

class HiddenModule(tf.Module):
    def __init__(self, vocabulary):
        super().__init__(name="hidden_module")
        self.hidden_weight = tf.Variable(tf.random.stateless_uniform([3, 2], [1, 2]), name="hidden_variable")
        self.hidden_list = [tf.Variable(1.5, name="hidden_item")]
        self.hidden_table = tf.lookup.StaticHashTable(
            tf.lookup.TextFileInitializer(vocabulary, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), -1)
        self.hidden_words = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(["hidden_key", "hidden_second"], tf.constant([4, 5], tf.int64)), -1)

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, "hidden_image"), tf.TensorSpec([None], tf.string, "hidden_text")])
    def hidden_call(self, hidden_image, hidden_text):
        with tf.name_scope("hidden_scope"), tf.device("/device:CPU:0"):
            found = self.hidden_table.lookup(hidden_text) + self.hidden_words.lookup(hidden_text)
            tf.debugging.assert_non_negative(found + 2, "hidden_message")
            return {"hidden_output": tf.matmul(hidden_image, self.hidden_weight) * self.hidden_list[0], "hidden_ids": found}

module = HiddenModule(sys.argv[2])
tf.saved_model.save(module, sys.argv[1], signatures={"hidden_signature": module.hidden_call})
"""


def ops_of(graph_def):
    """How often each op occurs; a call counts as one of "a function", whose name is no op's."""
    functions = graph_def.library.function
    calls = {function.signature.name: "a function" for function in functions}
    nodes = [graph_def.node, *(function.node_def for function in functions)]
    return collections.Counter(calls.get(node.op, node.op) for each in nodes for node in each)


def redacted(path, *parts):
    out = os.path.join(folder("redact", *parts[:-1]), parts[-1])
    return call("edit", path, "--redact", "-o", out, "--force"), out


@expanded
class Redact(Suite):
    @for_each(WITH_WEIGHTS)
    def test_it_is_restored_with_zeros_of_the_same_shapes(self, case):
        answer, prefix = redacted(case.path, case.name, "model.ckpt")
        self.done(answer)
        graph = graphs.read_graph(f"{prefix}.meta")
        before, after = ops_of(original(case)), ops_of(graph)
        self.assertTrue(case.graph.endswith(".pb") or not before - after, before - after)
        session, _ = graphs.restored(f"{prefix}.meta", prefix)
        with session, session.graph.as_default():
            found = graphs.values_in(session)
        arrays, expected = ([np.asarray(each) for each in some.values()] for some in (found, values(case)))
        kinds = [
            sorted((each.dtype.kind, each.itemsize * (each.dtype.kind not in "OS"), each.shape) for each in some)
            for some in (arrays, expected)
        ]
        self.assertEqual(*kinds)
        for value in arrays:
            self.assertFalse(any(value.ravel()) if value.dtype.kind in "OS" else np.any(value.astype(bool)), value)

    @for_each(FROZEN)
    def test_a_graph_is_imported(self, case):
        answer, path = redacted(case.path, case.name, "graph.pb")
        self.done(answer)
        graph = graphs.read_graph(path)
        graphs.imported(graph)
        self.assertEqual(ops_of(original(case)), ops_of(graph))

    def test_saved_models_are_loaded_with_their_objects_and_run(self):
        outs = []
        for name in SAVED:
            answer, out = redacted(os.path.join(DATA, name), "saved", name.replace("/", "_") + "/")
            self.done(answer)
            outs.append(out)
        done = tensorflow2.run(RUN, *outs)
        self.assertEqual(0, done.returncode, done.stderr[-900:])
        self.assertEqual(len(SAVED), len(done.stdout.split()), done.stdout)

    def test_nothing_that_is_private_is_left(self):
        base = folder("redact", "private")
        vocabulary = os.path.join(base, "hidden_vocabulary.txt")
        with open(vocabulary, "w") as file:
            file.write("hidden_first\nhidden_last\n")
        made = tensorflow2.run(MAKE, os.path.join(base, "saved"), vocabulary)
        self.assertEqual(0, made.returncode, made.stderr[-2000:])
        answer, out = redacted(os.path.join(base, "saved"), "private", "out/")
        self.done(answer)
        kept = [os.path.join(place, name) for place, _, names in os.walk(out) for name in names]
        self.assertTrue(any("assets" in path for path in kept), kept)
        for path in kept:
            with open(path, "rb") as file:
                self.assertFalse(re.search(rb"(?i)hidden", path.encode() + file.read()), path)
        weights = tf.train.load_checkpoint(os.path.join(out, "variables", "variables"))
        for name in weights.get_variable_to_shape_map():
            value = weights.get_tensor(name)
            self.assertTrue(isinstance(value, bytes) or not np.any(value), name)
        done = tensorflow2.run(RUN, out)
        self.assertEqual(0, done.returncode, done.stderr[-900:])
        for text in (answer.output, answer.errors):
            self.assertNotIn("hidden_", text.replace(base, ""))

    def test_faulty_graphs_keep_their_faults(self):
        rng, before, after = np.random.RandomState(SEED), [], []
        sources = list(originals())
        rng.shuffle(sources)
        for name, graph in sources:
            for _, mutant in mutants.mutants(graph, rng, COUNT // len(sources) + 1):
                try:
                    data = mutant.SerializeToString(deterministic=True)
                except ValueError:
                    continue
                if not data or len(before) == COUNT:
                    continue
                path = os.path.join(folder("redact", "mutants"), f"{len(before)}.pb")
                with open(path, "wb") as file:
                    file.write(data)
                answer, out = redacted(path, "mutants", f"{len(before)}.redacted.pb")
                self.done(answer)
                codes = [sorted(call("validate", each).codes()) for each in (path, out)]
                self.assertEqual(*codes, name)
                before.append(path)
                after.append(out)
        said = [[one["code"] for one in judge_both(paths, whole=True)] for paths in (before, after)]
        other = [path for path, one, two in zip(before, *said) if one != two]
        NOTES.append(
            f"redact: TensorFlow judges {len(before) - len(other)} of {len(before)} mutants as it does the original"
        )
        self.assertLessEqual(len(other), len(before) // 200, other)
