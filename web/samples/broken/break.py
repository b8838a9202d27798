#!/usr/bin/env python3
"""Writes the bundled sample of a broken graph: a small network from which somebody cut nodes out by hand.

    build/tensorflow/bin/python web/samples/broken/break.py [DIRECTORY]

TensorFlow refuses the graph. Each fault has exactly one repair, so that all of it can be repaired. The same
TensorFlow writes the same bytes again.
"""

import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def network():
    """A frozen network of two layers that checks its input first."""
    numbers = np.random.RandomState(8)
    draw = lambda *shape: numbers.normal(size=shape).astype(np.float32)
    with tf1.Graph().as_default() as graph:
        x = tf1.placeholder(tf.float32, [None, 16], "x")
        hidden_weights = tf.constant(draw(16, 24), name="hidden/weights")
        logits_weights = tf.constant(draw(24, 4), name="logits/weights")
        with tf.control_dependencies([tf1.debugging.assert_all_finite(x, "x is finite", name="check")]):
            hidden = tf.raw_ops.MatMul(a=x, b=hidden_weights, name="hidden/MatMul")
        hidden = tf.nn.relu(hidden, "hidden/Relu")
        with tf.control_dependencies([x]):
            logits = tf.raw_ops.MatMul(a=hidden, b=logits_weights, name="logits/MatMul")
        tf.nn.softmax(logits, name="probabilities")
    return graph.as_graph_def()


def cut(graph):
    """Removes the check but not its traces: a control input and a colocation name removed nodes. Then makes three
    further mistakes.
    """
    for node in [node for node in graph.node if node.name.startswith("check")]:
        graph.node.remove(node)
    nodes = {node.name: node for node in graph.node}
    nodes["hidden/Relu"].attr["_class"].list.s.append(b"loc:@check")
    nodes["logits/MatMul"].input[:] = ["^x", "hidden/Relu", "logits/weights"]
    nodes["probabilities"].input.extend(["^x", "^x"])
    del nodes["hidden/MatMul"].attr["transpose_b"]


def main(directory):
    graph = network()
    cut(graph)
    with open(os.path.join(directory, "broken.pb"), "wb") as file:
        file.write(graph.SerializeToString(deterministic=True))


main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
