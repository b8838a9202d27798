"""compat: what no option removes is cut off, where the weights are on one side of it. The part computes the same bits."""

import os
import shlex

import graphs
import numpy as np
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each

X = np.random.default_rng(5).standard_normal((2, 4)).astype(np.float32)
RAW = tf.raw_ops


def layer(x):
    weights = tf.constant(np.random.default_rng(6).random((int(x.shape[-1]), 64), np.float32))
    return tf.nn.softmax(tf.matmul(x, weights), name="layer")


def begun(x):
    return layer(tf.cast(RAW.Bucketize(input=x, boundaries=[-0.5, 0.0, 0.5]), tf.float32))


def ended(x):
    return tf.strings.as_string(layer(x))


def begun_and_ended(x):
    return tf.strings.as_string(begun(x))


def several_ends(x):
    probabilities = layer(x)
    values, places = tf.math.top_k(probabilities, 3)
    return tf.strings.join([tf.strings.as_string(values), tf.strings.as_string(places)], ": ")


def loop_before(x):
    with tf1.control_dependencies([x]):  # a loop of TensorFlow 1
        step = lambda i, v: (i + 1, tf.roll(v, 1, 1))  # noqa: E731
        return layer(tf.reshape(tf1.while_loop(lambda i, _: i < 3, step, [0, x])[1], [2, 4]))


def loop_after(x):
    step = lambda i, v: (i + 1, tf.roll(v, 1, 1))  # noqa: E731
    return tf1.while_loop(lambda i, _: i < 3, step, [0, layer(x)])[1]


def branch_after(x):
    y = layer(x)
    return tf.cond(tf.reduce_sum(y) > 1, lambda: tf.roll(tf.nn.relu(y), 1, 1), lambda: y)


def data_set(x):
    data = tf.data.Dataset.from_tensors(x).map(lambda v: tf.roll(v, 1, 1))
    return layer(tf.reshape(tf.data.experimental.get_single_element(data), [2, 4]))


def called(x):
    return tf.function(begun_and_ended)(x)


CUT = (begun, ended, begun_and_ended, several_ends, loop_before, loop_after, branch_after, data_set, called)


def written(name, build):
    path = os.path.join(folder("ends", name), "graph.pb")
    with tf.Graph().as_default() as graph, graph.device(None):
        tf1.disable_control_flow_v2()
        tf.identity(build(tf1.placeholder(tf.float32, X.shape, "x")), "y")
        with open(path, "wb") as file:
            file.write(graph.as_graph_def().SerializeToString())
    return path


def tensors(names):
    return [name if ":" in name else f"{name}:0" for name in names]


@expanded
class Cuts(Suite):
    @for_each(build.__name__ for build in CUT)
    def test_the_same_bits(self, name):
        path = written(name, globals()[name])
        target = call("compat", path, "--target", "tfjs").report["targets"][0]
        self.assertNotIn("fix", target, "a part is not the model")
        options = {part["option"]: part.get("value", "") for part in target["parts"]["cut"] if isinstance(part, dict)}
        self.assertTrue(options.keys() & {"inputs", "outputs"}, target["cut"])
        self.assertRegex(target["cut"], r"^with its 1 layer: |^with all \d+ nodes: |^without ")
        named = target["cut"].partition("freeze with ")[2]  # "with all 3 layers: freeze with --inputs a and --b"
        flags = [word for word in shlex.split(named) if word != "and"]
        out = os.path.join(os.path.dirname(path), "part.pb")
        self.done(call("freeze", path, "-o", out, *flags))
        self.assertTrue(call("compat", out, "--target", "tfjs").report["targets"][0]["runs"], target["cut"])
        self.compare(path, out, options)

    def compare(self, path, out, options):
        """Given tensors of the whole model, the part computes what the whole one does."""
        whole = os.path.join(os.path.dirname(path), "whole.pb")
        self.done(call("freeze", path, "-o", whole, "--lower-control-flow"))
        begins = tensors(options["inputs"].split(",")) if "inputs" in options else []
        ends = tensors(options["outputs"].split(",") if "outputs" in options else ["y"])
        values = graphs.run_file(whole, [*begins, *ends], {"x:0": X})
        kept = {node.name for node in graphs.read_graph(out).node}
        feed = {f"{tensor.replace(':0', '').replace(':', '_')}:0": v for tensor, v in zip(begins, values)}
        if "x" in kept:
            feed["x:0"] = X
        for wanted, found in zip(values[len(begins) :], graphs.run_file(out, ends, feed)):
            np.testing.assert_array_equal(wanted, found)
