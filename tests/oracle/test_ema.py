"""--ema: the moving averages of weights take their place."""

import os

import graphs
import numpy as np
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each

X = np.random.default_rng(5).random((3, 6), np.float32)


def saved(kind):
    """Trains a little with averages; returns (prefix, what the averages compute, their values by the weights' names)."""
    with tf.Graph().as_default():
        tf1.set_random_seed(11)
        partitioner = tf1.fixed_size_partitioner(2) if kind == "partitioned" else None
        with tf1.variable_scope("net", use_resource=kind == "resource"):
            x = tf1.placeholder(tf.float32, [None, 6], "x")
            w = tf1.get_variable(
                "w", [6, 4], initializer=tf1.random_uniform_initializer(0.1, 1), partitioner=partitioner
            )
            b = tf1.get_variable("b", [4], initializer=tf1.zeros_initializer())
            plain = tf1.get_variable("plain", [4], initializer=tf1.ones_initializer())
        y = tf.add(tf.matmul(x, w), b * plain, "y")
        step = tf1.train.GradientDescentOptimizer(0.05).minimize(tf.reduce_sum(y * y))
        averages = tf1.train.ExponentialMovingAverage(0.7)
        averaged = [v for v in tf1.trainable_variables() if "plain" not in v.name]
        average = averages.apply(averaged)
        path = os.path.join(folder("ema", kind), "model.ckpt")
        with tf1.Session(config=graphs.config()) as session:
            session.run(tf1.variables_initializer(tf1.trainable_variables()))
            session.run(tf1.global_variables_initializer())
            for _ in range(4):
                session.run(step, {x: X})
                session.run(average)
            tf1.train.Saver().save(session, path)
            session.run([tf1.assign(v, averages.average(v)) for v in averaged])
            values = {
                "net/w": session.run(tf.identity(w)),
                "net/b": session.run(tf.identity(b)),
                "net/plain": session.run(tf.identity(plain)),
            }
            return path, session.run(y, {x: X}), values


@expanded
class Ema(Suite):
    @for_each(["ref", "resource", "partitioned"])
    def test_a_frozen_graph_computes_with_the_averages(self, kind):
        path, expected, _ = saved(kind)
        out = path.replace("model.ckpt", "frozen.pb")
        answer = call("freeze", path, "-o", out, "--outputs", "y", "--ema")
        self.done(answer)
        self.assertIn("no-average", answer.codes("note"), answer)
        with tf.Graph().as_default():
            tf.import_graph_def(graphs.read_graph(out), name="")
            with tf1.Session(config=graphs.config()) as session:
                np.testing.assert_array_equal(expected, session.run("y:0", {"net/x:0": X}))

    @for_each(["ref", "resource", "partitioned"])
    def test_extracted_weights_are_the_averages(self, kind):
        path, _, expected = saved(kind)
        out = path.replace("model.ckpt", "weights.npz")
        self.done(call("weights", path, "-o", out, "--ema", "--no-slots"))
        found = np.load(out)
        self.assertEqual(set(expected), set(found))
        for name, value in expected.items():
            np.testing.assert_array_equal(value, found[name])

    @for_each(["ref", "partitioned"])
    def test_a_checkpoint_alone_has_them_too(self, kind):
        path, _, expected = saved(kind)
        os.remove(path + ".meta")
        out = path.replace("model.ckpt", "alone.npz")
        self.done(call("weights", path + ".index", "-o", out, "--ema"))
        found = np.load(out)
        self.assertEqual(set(expected), set(found))
        for name, value in expected.items():
            np.testing.assert_array_equal(value, found[name])

    def test_without_averages_it_is_refused(self):
        path, _, _ = saved("ref")
        plain = path.replace("model.ckpt", "plain.ckpt")
        self.done(call("weights", path, "-o", plain, "--ema"))
        directory = folder("ema", "refused")
        answer = call("weights", plain, "-o", os.path.join(directory, "again.npz"), "--ema")
        self.refused(answer, directory)
        self.assertEqual(["no-averages"], answer.codes(), answer)
