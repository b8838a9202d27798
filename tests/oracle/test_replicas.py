"""--inference of graphs for several devices: what one core of a TPU, or one mirrored replica, computes."""

import os

import graphs
import numpy as np
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each
from tensorflow.python.tpu import training_loop

X = np.random.default_rng(7).random((4, 6), np.float32)


def weighted(x, name, size=6):
    return tf.matmul(x, tf1.get_variable(name, [int(x.shape[-1]), size]))


def saved_apart(path, build):
    """Saves the graph of a TPU, which does not run here, with a checkpoint of its variables; returns their values."""
    with tf.Graph().as_default() as graph:
        build()
        shapes = {v.op.name: v.shape.as_list() for v in tf1.global_variables()}
        tf1.train.export_meta_graph(path + ".meta", saver_def=tf1.train.Saver().as_saver_def(), graph=graph)
    with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
        start = tf1.random_normal_initializer(seed=5)
        variables = {name: tf1.get_variable(name, shape, initializer=start) for name, shape in shapes.items()}
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver().save(session, path, write_meta_graph=False)
        return session.run(variables)


def tpu_layers(x, labels):
    h = tf.nn.relu(weighted(x, "w1"))
    logits = weighted(h, "w2", 3)
    tf.nn.softmax(logits, name="prob")
    loss = tf1.losses.sparse_softmax_cross_entropy(labels, logits)
    step = tf1.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    with tf.control_dependencies([step]):
        return tf.identity(loss)


def enqueued():
    """A host feeds the queue of a core."""
    with tf.device("/job:worker/replica:0/task:0/device:CPU:0"):
        data = tf.data.Dataset.from_tensor_slices((X, np.arange(4, dtype=np.int32) % 3)).repeat().batch(4)
        images, labels = tf1.data.make_one_shot_iterator(data).get_next()
        tf.raw_ops.InfeedEnqueueTuple(inputs=[images, labels], shapes=[[4, 6], [4]], layouts=[], device_ordinal=0)


def dequeued():
    return tf.raw_ops.InfeedDequeueTuple(dtypes=[tf.float32, tf.int32], shapes=[[4, 6], [4]])


def tpu_infeed():
    """One step a call."""
    enqueued()
    tf1.tpu.rewrite(lambda: tpu_layers(*dequeued()))


def tpu_loop():
    """Several steps a call, as TPUEstimator makes them: the network is in the body of a loop of TensorFlow 1."""
    usual = tf1.control_flow_v2_enabled()
    tf1.disable_control_flow_v2()
    enqueued()

    def step():
        with tf.control_dependencies([tpu_layers(*dequeued())]):
            return []

    tf1.tpu.rewrite(lambda: training_loop.repeat(3, step))
    if usual:
        tf1.enable_control_flow_v2()


def tpu_replicas():
    """Two cores, each with an input of its own."""
    x = [tf1.placeholder(tf.float32, [4, 6], name) for name in ("x", "x_1")]
    labels = tf.constant([0, 1, 2, 0])
    tf1.tpu.replicate(lambda each: tpu_layers(each, labels), [[each] for each in x])


@expanded
class OneCoreOfATpu(Suite):
    @for_each([tpu_infeed, tpu_replicas, tpu_loop])
    def test_computes_what_its_layers_do(self, build):
        path = os.path.join(folder("tpu", build.__name__), "model.ckpt")
        out = path.replace("model.ckpt", "frozen.pb")
        w = saved_apart(path, build)
        answer = call("freeze", path, "-o", out, "--inference")
        self.done(answer)
        graph = graphs.read_graph(out)
        self.assertFalse([node.name for node in graph.node if "TPU" in node.op or "Infeed" in node.op], answer)
        self.assertFalse([node.name for node in graph.node if node.attr.get("_tpu_replicate")], answer)
        [head] = [node.name for node in graph.node if node.op == "Placeholder"]
        with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
            tf.import_graph_def(graph, name="")
            [output] = [node.name for node in graph.node if node.op == "Softmax"]
            found = session.run(output + ":0", {head + ":0": X})
        with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
            expected = session.run(tf.nn.softmax(tf.matmul(tf.nn.relu(tf.matmul(X, w["w1"])), w["w2"])))
        np.testing.assert_array_equal(expected, found, str(answer))


class MirroredReplicas(Suite):
    def saved(self):
        """Two replicas of a network with batch normalization, each on a device of its own."""
        path = os.path.join(folder("mirrored"), "model.ckpt")
        usual = tf1.control_flow_v2_enabled()
        tf1.disable_control_flow_v2()
        with tf.Graph().as_default():
            strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
            with strategy.scope():
                x = tf1.placeholder(tf.float32, [4, 6], "x")

                def step():
                    with tf1.variable_scope("", use_resource=True, reuse=tf1.AUTO_REUSE):
                        return tf.nn.softmax(weighted(tf.nn.relu(weighted(x, "w1")), "w2", 3), name="prob")

                results = strategy.experimental_local_results(strategy.run(step))
                with tf1.Session(config=graphs.config()) as session:
                    session.run(tf1.global_variables_initializer())
                    tf1.train.Saver().save(session, path)
                    expected = session.run(results[0], {x: X})
        (tf1.enable_control_flow_v2 if usual else tf1.disable_control_flow_v2)()
        return path, [each.op.name for each in results], expected

    def frozen(self, path, *options):
        out = path.replace("model.ckpt", "frozen.pb")
        answer = call("freeze", path, "-o", out, "--force", *options)
        self.done(answer)
        return graphs.read_graph(out), answer

    def test_of_which_one_is_kept(self):
        path, outputs, expected = self.saved()
        graph, answer = self.frozen(path, "--inference")
        names = {node.name for node in graph.node}
        self.assertEqual([], [name for name in names if "replica_1" in name], answer)
        with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
            tf.import_graph_def(graph, name="")
            np.testing.assert_array_equal(expected, session.run(outputs[0] + ":0", {"x:0": X}), str(answer))

    def test_have_the_values_of_the_first(self):
        path, outputs, expected = self.saved()
        graph, answer = self.frozen(path, "--outputs", outputs[1])
        with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
            tf.import_graph_def(graph, name="")
            np.testing.assert_array_equal(expected, session.run(outputs[1] + ":0", {"x:0": X}), str(answer))
