"""Functions as entry points, names of signatures as outputs and inputs, cuts within calls, graphs of event files: the bits that TensorFlow
computes from the model."""

import os

import graphs
import numpy as np
import tensorflow2
from graphs import tf, tf1
from program import call
from suite import Suite, folder

X = np.random.default_rng(3).random((2, 4), np.float32)

# A module without signatures, traced for several, and a module with two; the results of all for X.
MODULES = """
import sys
import numpy as np
import tensorflow as tf

X = np.array(eval(sys.argv[2]), np.float32)

class Module(tf.Module):
    def __init__(self):
        start = np.random.RandomState(0).rand(4, 3).astype(np.float32)
        self.w, self.b = tf.Variable(start, name="w"), tf.Variable(start[0], name="w")
        self.scale = tf.constant(2.0)

    @tf.function
    def __call__(self, x, training=False):
        y = tf.matmul(x, self.w) * self.scale + self.b
        return {"p": tf.nn.softmax(y), "more": (y, tf.nn.relu(y))} if training else {"p": tf.nn.softmax(y)}

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, "image")])
    def logits(self, image):
        return tf.tanh(tf.matmul(image, self.w) + self.b)

module = Module()
module.inner = Module()
expected = {}
for training in (False, True):
    made = module(X, training=training)
    expected[f"p of {training}"] = made["p"].numpy()
expected["logits"] = module.logits(X).numpy()
expected["inner"] = module.inner.logits(X).numpy()
tf.saved_model.save(module, sys.argv[1] + "/alone", signatures={})
both = {"logits": module.logits, "serving_default": module.__call__.get_concrete_function(tf.TensorSpec([2, 4], tf.float32, "x"))}
tf.saved_model.save(module, sys.argv[1] + "/signed", signatures=both)
np.savez(sys.argv[1] + "/expected.npz", **expected)
"""


def modules():
    path = folder("entry points")
    if not os.path.exists(os.path.join(path, "expected.npz")):
        tensorflow2.run_checked(MODULES, path, repr(X.tolist()))
    return path, np.load(os.path.join(path, "expected.npz"))


def run(path, output, feeds):
    with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
        tf.import_graph_def(graphs.read_graph(path), name="")
        return session.run(output, feeds)


class EntryPoints(Suite):
    def frozen(self, name, *options):
        path, expected = modules()
        out = os.path.join(path, "frozen.pb")
        answer = call("freeze", os.path.join(path, name), "-o", out, "--force", *options)
        self.done(answer)
        return out, expected, answer

    def test_a_function_of_an_object_is_one(self):
        for function, key in (("logits", "logits"), ("inner/logits", "inner")):
            out, expected, answer = self.frozen("alone", "--function", function)
            np.testing.assert_array_equal(expected[key], run(out, "output_0:0", {"image:0": X}), str(answer))

    def test_a_function_of_the_library_is_one(self):
        path, expected = modules()
        refused = call(
            "freeze", os.path.join(path, "alone"), "-o", os.path.join(path, "no.pb"), "--function", "__call__"
        )
        self.assertEqual(["several-functions"], refused.codes(), refused)
        listed = refused.report["diagnostics"][0]["message"].split("; ")
        for training in (False, True):
            [name] = [each.split(" = ")[1] for each in listed if ("more" in each) == training]
            out, _, answer = self.frozen("alone", "--function", name)
            np.testing.assert_array_equal(expected[f"p of {training}"], run(out, "p:0", {"x:0": X}), str(answer))

    def test_the_refusal_lists_them(self):
        path, _ = modules()
        answer = call("freeze", os.path.join(path, "alone"), "-o", os.path.join(path, "no.pb"))
        self.refused(answer)
        [error] = [one for one in answer.report["diagnostics"] if one["severity"] == "error"]
        self.assertEqual("no-signature", error["code"])
        for name in ("__call__(", "inner/logits(image [?,4]) -> output_0", "--function"):
            self.assertIn(name, error["message"] + error["fix"], answer)

    def test_inspect_shows_its_signature(self):
        path, _ = modules()
        answer = call("inspect", os.path.join(path, "alone"), "--function", "logits")
        self.assertEqual(["image"], list(answer.report["signatures"]["logits"]["inputs"]), answer)

    def test_names_of_signatures_are_outputs_and_inputs(self):
        out, expected, answer = self.frozen("signed", "--outputs", "p", "--inputs", "x")
        np.testing.assert_array_equal(expected["p of False"], run(out, "p:0", {"x:0": X}), str(answer))
        out, expected, answer = self.frozen("signed", "--signature", "logits", "--outputs", "output_0")
        np.testing.assert_array_equal(expected["logits"], run(out, "output_0:0", {"image:0": X}), str(answer))

    def test_a_cut_within_a_call_keeps_the_names_of_its_outputs(self):
        path, expected = modules()
        whole, _, _ = self.frozen("signed", "--signature", "logits")
        [product] = [node.name for node in graphs.read_graph(whole).node if node.op == "MatMul"]
        fed = run(whole, product + ":0", {"image:0": X})
        out, _, answer = self.frozen("signed", "--signature", "logits", "--inputs", product)
        found = run(out, "output_0:0", {product + ":0": fed})
        np.testing.assert_array_equal(expected["logits"], found, str(answer))


class EventFiles(Suite):
    def written(self):
        path = folder("events")
        with tf.Graph().as_default() as graph:
            x = tf1.placeholder(tf.float32, [None, 4], "x")
            w = tf1.get_variable("w", [4, 3], use_resource=False, initializer=tf1.random_uniform_initializer(seed=1))
            y = tf.matmul(x, w, name="y")
            with tf1.Session(config=graphs.config()) as session:
                session.run(tf1.global_variables_initializer())
                tf1.train.Saver().save(session, os.path.join(path, "model.ckpt"), 7)
                expected = session.run(y, {x: X})
            writer = tf1.summary.FileWriter(os.path.join(path, "logs"), graph)
            writer.add_summary(tf1.Summary(value=[tf1.Summary.Value(tag="loss", simple_value=1.0)]), 1)
            writer.close()
        [events] = os.listdir(os.path.join(path, "logs"))
        return path, os.path.join(path, "logs", events), expected

    def test_give_their_graph_and_with_a_checkpoint_its_variables(self):
        path, events, expected = self.written()
        out = os.path.join(path, "frozen.pb")
        refused = call("freeze", events, "-o", out, "--outputs", "y")
        self.assertEqual(["no-checkpoint"], refused.codes(), refused)
        answer = call("freeze", events, "-o", out, "--outputs", "y", "--checkpoint", os.path.join(path, "model.ckpt-7"))
        self.done(answer)
        np.testing.assert_array_equal(expected, run(out, "y:0", {"x:0": X}), str(answer))

    def test_of_a_folder_are_opened_where_there_is_no_other_model(self):
        path, events, _ = self.written()
        answer = call("inspect", os.path.dirname(events))
        self.assertEqual("event-file", answer.report["kind"], answer)
        out = os.path.join(path, "copy.meta")
        self.done(call("convert", events, "-o", out, "--force"))
        self.assertEqual(
            {"x", "w", "y"}, {"x", "w", "y"} & {node.name for node in graphs.read_graph(events_graph(out)).node}
        )


def events_graph(meta):
    return meta
