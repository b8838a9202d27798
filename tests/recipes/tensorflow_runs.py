"""Runs a recipe's outputs in TensorFlow."""

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
IMAGE = {"image:0": np.random.RandomState(7).rand(2, 28, 28, 1).astype("f")}


def graph_def(path):
    with open(path, "rb") as file:
        return tf1.GraphDef.FromString(file.read())


def run_frozen(path, outputs, feed, first=None):
    """The outputs of a .pb. `first`: an operation to run before them."""
    with tf.Graph().as_default():
        tf.import_graph_def(graph_def(path), name="")
        with tf1.Session() as session:
            if first:
                session.run(first)
            return session.run(outputs, feed)


def run_checkpoint(prefix, outputs, feed):
    """The outputs of PREFIX.meta with the checkpoint restored into it."""
    with tf.Graph().as_default():
        saver = tf1.train.import_meta_graph(f"{prefix}.meta", clear_devices=True)
        with tf1.Session() as session:
            saver.restore(session, prefix)
            return session.run(outputs, feed)


def arrays(prefix):
    """A checkpoint's arrays by name."""
    reader = tf.train.load_checkpoint(prefix)
    return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}


def same(a, b):
    """Checks that arrays have the same bits, a dictionary of them by its keys."""
    if isinstance(a, dict):
        assert a.keys() == b.keys(), (sorted(a), sorted(b))
        a, b = list(a.values()), [b[key] for key in a]
    np.testing.assert_equal([np.asarray(each) for each in a], [np.asarray(each) for each in b])


def ops(path):
    return {node.op for node in graph_def(path).node}
