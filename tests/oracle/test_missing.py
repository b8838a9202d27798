"""A weight that is missing is never replaced: not by an initial value, not by a zero, not by an empty table."""

import os
import shutil
import sys

import graphs
import numpy as np
import tensorflow2
from cases import CORPUS, DATA, HAS_CORPUS, corpus_files
from google.protobuf import text_format
from graphs import tf, tf1
from importers import refusal_of_python
from program import call
from suite import Suite, expanded, folder, for_each
from tensorflow.core.protobuf import saved_model_pb2

sys.path.insert(0, DATA)
from fixtures import table  # noqa: E402  (the path comes first)

# Texts that DeviceSpec parses, and others.
DEVICES = [
    "",
    "/",
    "/cpu",
    "cpu:0",
    "//TPU:1/",
    "/job:",
    "/job:a b",
    "/device::0",
    "/device:FOO:*",
    "/task:+1",
    "/gpu:-1",
    "/job:a/job:b",
    "garbage",
    "/device:GPU",
    "/task:x",
    "/replica:*",
    "/cpu:",
    "/job:a:b",
    "/xla_cpu:0",
    "/cpu:0/gpu:0",
    "/device:CPU:",
    "/CUSTOM:3",
    "/EPU:0",
]
CLASSES = [
    'list {s: "loc:@n"}',
    "list {}",
    's: ""',
    's: "loc:@n"',
    "i: 3",
    "list {i: 3}",
    "type: DT_FLOAT",
    'list {s: "any" i: 3}',
    "b: true",
    'func {name: "f"}',
    "shape {}",
]
FUNCTIONS = " ".join(
    'function {signature {name: "%s" input_arg {name: "a" type: DT_FLOAT} output_arg {name: "r" type: DT_FLOAT}} node_def {name: "n" '
    'op: "Tanh" input: "a" attr {key: "T" value {type: DT_FLOAT}}} ret {key: "r" value: "n:y:0"}}' % name
    for name in "FG"
)
# In a program of its own: the suite is in graph mode.
DENSE = """import tensorflow as tf
keys = tf.constant([5, 7], tf.int64) if "%(kind)s" == "int64" else tf.constant(["a", "b"])
class Module(tf.Module):
    def __init__(self):
        self.table = tf.lookup.experimental.DenseHashTable(keys.dtype, tf.float32, -1.0, *((-1, -2) if keys.dtype == tf.int64 else ("$", "%%")), 8)
        self.table.insert(keys, tf.constant([1.5, 2.5]))
        self.w = tf.Variable(2.0)
    @tf.function(input_signature=[tf.TensorSpec([None], keys.dtype, name="x")])
    def f(self, x):
        return {"y": self.table.lookup(x) * self.w}
module = Module()
tf.saved_model.save(module, %(path)r, signatures=module.f)
"""
GRADIENTS = [("F", "G"), ("F", "F"), ("F", "Z"), ("Z", "F"), ("F", "G", "G", "F")]


def saved_models():
    """Folders with variables: the fixtures', and small ones of the corpus."""
    paths = [
        os.path.join(DATA, "saved_models", name) for name in sorted(os.listdir(os.path.join(DATA, "saved_models")))
    ]
    for path in corpus_files("saved_model.pb") if HAS_CORPUS else []:
        if "half_plus" in path or "AssetModule" in path or "chicago_taxi" in path:
            paths.append(os.path.dirname(path))
    for path in paths:
        if os.path.exists(os.path.join(path, "variables", "variables.index")):
            yield path


def tags_of(path):
    return list(
        graphs.parse(saved_model_pb2.SavedModel, os.path.join(path, "saved_model.pb")).meta_graphs[0].meta_info_def.tags
    )


def loads(path):
    try:
        with tf1.Session(graph=tf1.Graph()) as session:
            tf1.saved_model.load(session, tags_of(path), path)
    except (ValueError, tf.errors.OpError):
        return False
    return True


def graph_of(text):
    graph = text_format.Parse(text, tf1.GraphDef())
    graph.versions.producer = tf1.version.GRAPH_DEF_VERSION
    return graph


@expanded
class Missing(Suite):
    def without(self, path, part):
        """A copy of the SavedModel that lacks a part of its variables."""
        copy = os.path.join(folder("missing", os.path.relpath(path, CORPUS) + part), "model")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(path, copy)
        for name in os.listdir(os.path.join(copy, "variables")):
            if part in name:
                os.remove(os.path.join(copy, "variables", name))
        return copy

    @for_each([os.path.relpath(path, CORPUS) for path in saved_models()])
    def test_no_value_stands_for_a_saved_model_without_variables(self, name):
        path = os.path.normpath(os.path.join(CORPUS, name))
        for part in (".index", ".data-"):
            copy = self.without(path, part)
            if loads(copy):
                self.assertEqual(part, ".data-")  # the checkpoint has no values of variables
                continue
            answer = call("validate", copy)
            self.assertEqual((answer.status, answer.report["sound"]), (1, False), answer)
            for verb in (
                ["freeze"],
                ["freeze", "--like-tensorflow"],
                ["weights", "--as", "npz"],
                ["convert", "--as", "checkpoint"],
            ):
                out = os.path.join(os.path.dirname(copy), "out")
                answer = call(*verb, copy, "-o", out, *([] if "--as" in verb else ["--as", "pb"]))
                if answer.status != 3:  # the outputs need no variable, or each run assigns it before it is read
                    assigned = {
                        each["where"]["node"]
                        for each in answer.report["diagnostics"]
                        if each["code"] == "always-assigned"
                    }
                    self.assertEqual(
                        (
                            answer.status,
                            [each for each in answer.report.get("converted", []) if each["name"] not in assigned],
                        ),
                        (0, []),
                        answer,
                    )
                shutil.rmtree(out, ignore_errors=True)
                if os.path.exists(out):
                    os.remove(out)

    def test_a_restored_value_that_the_init_op_overwrites_is_warned_of(self):
        path = os.path.join(folder("missing", "overwritten"), "model")
        with tf1.Graph().as_default(), tf1.Session() as session:
            x = tf1.placeholder(tf.float32, [], name="x")
            a = tf1.get_variable("a", initializer=2.0, use_resource=False)
            y = tf.multiply(x, a, name="y")
            session.run(a.initializer)
            session.run(tf1.assign(a, 5.0))
            shutil.rmtree(path, ignore_errors=True)
            tf1.saved_model.simple_save(session, path, {"x": x}, {"y": y}, legacy_init_op=tf.group(a.initializer))
        with tf1.Session(graph=tf1.Graph()) as session:
            tf1.saved_model.load(session, ["serve"], path)
            self.assertEqual(session.run("y:0", {"x:0": 1.0}), 2.0)
        out = path + ".pb"
        answer = call("freeze", path, "-o", out, "--force")
        self.assertEqual(answer.status, 0, answer)
        self.assertIn("restored-then-assigned", answer.codes("warning"), answer)
        [value] = [node for node in graphs.read_graph(out).node if node.name == "a"]
        self.assertEqual(tf.make_ndarray(value.attr["value"].tensor), 5.0)
        answer = call("freeze", path, "--like-tensorflow", "--outputs", "y", "-o", out, "--force")
        [value] = [node for node in graphs.read_graph(out).node if node.name == "a"]
        self.assertEqual(tf.make_ndarray(value.attr["value"].tensor), 2.0)

    @for_each(["int64", "string"])
    def test_a_dense_table_is_filled(self, kind):
        path = os.path.join(folder("missing", "dense", kind), "model")
        out = path + ".pb"
        tensorflow2.run_checked(DENSE % {"kind": kind, "path": path})
        answer = call("freeze", path, "-o", out, "--force")
        self.assertEqual(answer.status, 0, answer)
        self.assertEqual([each["name"] for each in call("inspect", out).report["inputs"]], ["x"])
        self.assertEqual(call("validate", out).status, 0)
        keys = np.array([5, 7, 9]) if kind == "int64" else np.array([b"a", b"b", b"c"], dtype=object)
        with tf1.Session(graph=tf1.Graph()) as session:
            tf1.import_graph_def(graphs.read_graph(out), name="")
            session.run("init_all_tables")
            self.assertEqual(session.run("y:0", {"x:0": keys}).tolist(), [3.0, 5.0, -2.0])

    @for_each(["int64", "string"])
    def test_a_dense_table_is_filled_after_pruning(self, kind):
        path = os.path.join(folder("missing", "dense pruned", kind), "model")
        prefix = path + ".ckpt"
        tensorflow2.run_checked(DENSE % {"kind": kind, "path": path})
        keys = np.array([5, 7, 9]) if kind == "int64" else np.array([b"a", b"b", b"c"], dtype=object)
        self.done(call("prune", path, "-o", path + "_pruned/"))
        with tf1.Session(graph=tf1.Graph()) as session:
            signature = tf1.saved_model.load(session, ["serve"], path + "_pruned").signature_def["serving_default"]
            self.assertEqual(
                session.run(signature.outputs["y"].name, {signature.inputs["x"].name: keys}).tolist(), [3.0, 5.0, -2.0]
            )
        self.done(call("prune", path, "-o", prefix))
        with tf1.Graph().as_default(), tf1.Session() as session:
            tf1.train.import_meta_graph(prefix + ".meta").restore(session, prefix)
            session.run(tf1.tables_initializer())
            self.assertEqual(
                session.run(signature.outputs["y"].name, {signature.inputs["x"].name: keys}).tolist(), [3.0, 5.0, -2.0]
            )

    def test_devices_classes_and_gradients_are_judged_as_python_judges(self):
        texts = [f'node {{name: "n" op: "NoOp" device: "{device}"}}' for device in DEVICES]
        texts += [f'node {{name: "n" op: "NoOp" attr {{key: "_class" value {{{value}}}}}}}' for value in CLASSES]
        for pairs in GRADIENTS:
            gradients = " ".join(
                f'gradient {{function_name: "{of}" gradient_func: "{by}"}}' for of, by in zip(pairs[::2], pairs[1::2])
            )
            texts.append(f'node {{name: "n" op: "NoOp"}} library {{{FUNCTIONS} {gradients}}}')
        path = os.path.join(folder("missing"), "judged.pb")
        for text in texts:
            graph = graph_of(text)
            with open(path, "wb") as file:
                file.write(graph.SerializeToString())
            refusal = refusal_of_python(graph)
            answer = call("validate", path)
            self.assertEqual(answer.report["valid"], not refusal, f"{text}\n{refusal}\n{answer}")


class MissingSlices(Suite):
    """A partitioned variable without one of its slices has no value: every verb that needs it is refused, and writes nothing."""

    def test_every_verb_is_refused(self):
        here, whole = folder("missing", "slices"), os.path.join(DATA, "partitioned", "model.ckpt")
        damaged = os.path.join(here, "model.ckpt")
        for name in os.listdir(os.path.dirname(whole)):
            shutil.copy(os.path.join(os.path.dirname(whole), name), here)
        with open(damaged + ".index", "rb") as index:
            entries = table.read(index.read())
        slices = [key for key, _ in entries if key.startswith(b"\0")]
        self.assertEqual(len(slices), 3)
        for lost in slices:
            with open(damaged + ".index", "wb") as index:
                index.write(table.write([(key, value) for key, value in entries if key != lost], 16))
            with self.assertRaises((tf.errors.OpError, ValueError)):
                tf.train.load_variable(damaged, "w")
            for name, *arguments in [
                ("o.pb", "freeze", damaged, "--outputs", "y"),
                ("o.pb", "freeze", damaged, "--outputs", "y", "--like-tensorflow"),
                ("o.ckpt", "freeze", damaged, "--outputs", "y", "--keep-variables", "b"),
                ("o.ckpt", "prune", damaged, "--outputs", "y"),
                ("o/", "prune", damaged, "--outputs", "y"),
                ("o.npz", "weights", damaged),
                ("o.safetensors", "weights", damaged + ".index"),
                ("o.ckpt", "convert", damaged),
                ("o.ckpt", "convert", damaged, "--as", "checkpoint-v1"),
                ("o.ckpt", "transfer", "--from", damaged, "--into", whole),
                ("o.ckpt", "transfer", "--from", whole, "--into", damaged, "--exclude", "w"),
                (None, "diff", damaged, whole),
                (None, "diff", whole, damaged),
                (None, "diff", damaged, damaged),
            ]:
                out = os.path.join(folder("missing", "slices", "out"), name) if name else None
                answer = call(*arguments, *(["-o", out] if out else []))
                self.refused(answer, out and os.path.dirname(out.rstrip("/")))
                self.assertEqual(answer.codes(), ["bad-slices"], answer)
            self.assertEqual(call("validate", damaged).status, 1)
