"""Graphs for the tests of optimizations, and what TensorFlow computes of them."""

import os

import graphs
import numpy as np
from graphs import tf, tf1
from program import call
from suite import folder

RANDOM = np.random.default_rng(3)
IMAGE = RANDOM.random((2, 6, 6, 3), np.float32) - 0.5
MATRIX = RANDOM.random((4, 6), np.float32) - 0.5


def numbers(*shape, low=-1.0, high=1.0):
    return tf.constant(RANDOM.uniform(low, high, shape).astype(np.float32))


def built(name, build):
    """Writes the graph of `build`, which returns (output, feeds); returns (path, expected, feeds)."""
    with tf.Graph().as_default() as graph:
        y, data = build()
        y = tf.identity(y, "y")
        path = os.path.join(folder("optimize", name), "graph.pb")
        with open(path, "wb") as file:
            file.write(graph.as_graph_def().SerializeToString())
        with tf1.Session(config=graphs.config()) as session:
            return path, session.run(y, data), {tensor.name: value for tensor, value in data.items()}


def run(path, data):
    return graphs.run_file(path, "y:0", data)


def ops_of(path):
    return [node.op for node in graphs.read_graph(path).node]


def freeze(path, name, *options):
    out = os.path.join(os.path.dirname(path), name)
    return call("freeze", path, "-o", out, "--force", "--outputs", "y", *options), out


def looped():
    """A layer whose weights, factor and offset are constants of a loop's body: they need its frame."""
    tf1.disable_control_flow_v2()
    x = tf1.placeholder(tf.float32, [None, 20], "x")
    w = RANDOM.uniform(-0.3, 0.3, (20, 20)).astype(np.float32)
    b = RANDOM.uniform(-0.3, 0.3, 20).astype(np.float32)

    def body(i, y):
        return i + 1, tf.matmul(y, tf.constant(w)) * tf.constant(b) + tf.constant(b)

    y = tf1.while_loop(lambda i, y: i < 3, body, [tf.constant(0), x])[1]
    return y, {x: RANDOM.uniform(-1, 1, (3, 20)).astype(np.float32)}


def image():
    return tf1.placeholder(tf.float32, [None, 6, 6, 3], "x")
