"""TensorFlow's work for bench.py, each in a process of its own: models to freeze, and its freezing of them.

    tensorflow_peer.py training_graph PREFIX NODES     a graph in training of so many nodes: PREFIX.meta and a checkpoint
    tensorflow_peer.py saved_model FOLDER MEGABYTES    a SavedModel of TensorFlow 2 with so many weights
    tensorflow_peer.py freeze_graph PREFIX OUTPUT OUT SECONDS
    tensorflow_peer.py freeze_v2 FOLDER OUT SECONDS

SECONDS is a file: the time of the work once TensorFlow was imported.
"""

import os
import sys
import time

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
import tensorflow as tf  # noqa: E402  (after the settings)
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2  # noqa: E402
from tensorflow.python.tools import freeze_graph as tool  # noqa: E402

IMPORTED = time.monotonic()
tf1 = tf.compat.v1


def training_graph(prefix, nodes):
    tf1.disable_eager_execution()
    graph = tf1.get_default_graph()
    x = tf1.placeholder(tf.float32, [None, 16], "x")
    y, losses = x, []
    optimizer = tf1.train.AdamOptimizer(0.01)
    while len(graph.get_operations()) < int(nodes):
        for _ in range(10):
            with tf1.variable_scope(f"layer_{len(losses)}"):
                y = tf.nn.relu(tf.matmul(y, tf1.get_variable("w", [16, 16])) + tf1.get_variable("b", [16]))
                losses.append(tf.reduce_sum(y))
        optimizer.minimize(losses[-1], var_list=tf1.trainable_variables()[-20:])
    tf.identity(y, "y")
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver().save(session, prefix)


def saved_model(folder, megabytes):
    module = tf.Module()
    module.weights = [
        tf.Variable(tf.random.stateless_uniform([2500, 1000], [i, 0]) / 1000) for i in range(int(megabytes) // 10)
    ]

    @tf.function(input_signature=[tf.TensorSpec([None, 2500], tf.float32, "x")])
    def serve(x):
        return {"y": tf.add_n([tf.matmul(x, weight) for weight in module.weights])}

    tf.saved_model.save(module, folder, signatures=serve)


def freeze_graph(prefix, output, out, seconds):
    tool.freeze_graph("", "", True, prefix, output, "", "", out, True, "", input_meta_graph=prefix + ".meta")
    took(seconds)


def freeze_v2(folder, out, seconds):
    loaded = tf.saved_model.load(folder)  # which holds the variables
    frozen = convert_variables_to_constants_v2(loaded.signatures["serving_default"])
    with open(out, "wb") as file:
        file.write(frozen.graph.as_graph_def().SerializeToString())
    took(seconds)


def took(seconds):
    with open(seconds, "w") as file:
        file.write(str(time.monotonic() - IMPORTED))


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
