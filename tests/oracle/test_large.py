"""More tensors than one block of an index holds, and a tensor larger than one read."""

import hashlib
import os
import sys

import graphs
import numpy as np
from graphs import tf, tf1
from program import ROOT, call
from suite import Suite, folder

sys.path.append(os.path.join(ROOT, "tests", "bench"))
import models  # noqa: E402  (the path comes first)

MANY = 3300  # names of 69 characters that share nothing: 300 KB of index, in blocks of 256 KB


def graph_of_many():
    """x + b0 + b1 + ..., each b a constant of two numbers."""
    graph_def = tf1.GraphDef()
    graph_def.versions.producer = tf.version.GRAPH_DEF_VERSION
    graph_def.node.add(name="x", op="Placeholder").attr["dtype"].type = tf.float32.as_datatype_enum
    last = "x"
    for at in range(MANY):
        name = hashlib.sha256(str(at).encode()).hexdigest() + "/bias"
        const = graph_def.node.add(name=name, op="Const")
        const.attr["dtype"].type = tf.float32.as_datatype_enum
        const.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(np.array([at, -at], np.float32)))
        add = graph_def.node.add(name=f"y{at}", op="BiasAdd", input=[last, name])
        add.attr["T"].type = tf.float32.as_datatype_enum
        last = add.name
    return graph_def, last


class Large(Suite):
    def test_an_index_of_several_blocks_goes_to_tensorflow_and_back(self):
        graph_def, last = graph_of_many()
        path, prefix = os.path.join(folder("many"), "many.pb"), os.path.join(folder("many"), "many.ckpt")
        with open(path, "wb") as file:
            file.write(graph_def.SerializeToString())
        self.done(call("unfreeze", path, "-o", prefix))
        self.assertGreater(os.path.getsize(prefix + ".index"), 2**18 + 1000)
        reader = tf.train.load_checkpoint(prefix)
        self.assertEqual(len(reader.get_variable_to_shape_map()), MANY)
        for at in range(0, MANY, 97):
            name = hashlib.sha256(str(at).encode()).hexdigest() + "/bias"
            np.testing.assert_array_equal(reader.get_tensor(name), [at, -at])

        session, saver = graphs.restored(prefix + ".meta", prefix)
        with session:
            theirs = saver.save(session, os.path.join(folder("many", "theirs"), "many.ckpt"))
        back = os.path.join(folder("many"), "back.pb")
        self.done(call("freeze", theirs + ".meta", "-o", back, "--outputs", last))
        found = {node.name: graphs.const_bits(node) for node in graphs.read_graph(back).node if node.op == "Const"}
        self.same(found, {node.name: graphs.const_bits(node) for node in graph_def.node if node.op == "Const"})

    def test_a_tensor_of_many_reads_has_the_checksum_tensorflow_expects(self):
        weights = np.random.RandomState(1).uniform(-1, 1, (4097, 1500)).astype(np.float32)  # 24.6 MB, no round number
        with tf1.Graph().as_default() as graph:
            x = tf1.placeholder(tf.float32, [None, 4097], "x")
            tf.matmul(x, tf.constant(weights, name="w"), name="y")
        path, prefix = os.path.join(folder("large"), "large.pb"), os.path.join(folder("large"), "large.ckpt")
        with open(path, "wb") as file:
            file.write(graph.as_graph_def().SerializeToString())
        self.done(call("unfreeze", path, "-o", prefix))
        np.testing.assert_array_equal(tf.train.load_checkpoint(prefix).get_tensor("w"), weights)
        back = os.path.join(folder("large"), "back.pb")
        self.done(call("freeze", prefix + ".meta", "-o", back, "--outputs", "y"))
        after = {node.name: node for node in graphs.read_graph(back).node}
        np.testing.assert_array_equal(tf.make_ndarray(after["w"].attr["value"].tensor), weights)

    def test_thread_54364_messages_over_2_gib_are_refused_before_anything_is_written(self):
        prefix = os.path.join(folder("sparse"), "sparse.ckpt")
        models.sparse_checkpoint(prefix, 2, 1)  # of holes
        for kind in ("pb", "pbtxt", "meta", "meta-pbtxt", "savedmodel", "savedmodel-pbtxt"):
            where = folder("sparse", "refused", kind)
            answer = call(
                "freeze", prefix + ".meta", "-o", os.path.join(where, "out"), "--as", kind, "--outputs", "out0,out1"
            )
            self.refused(answer, where)
            self.assertEqual(answer.codes(), ["too-large"], answer)
            self.assertIn("checkpoint", answer.report["diagnostics"][-1]["fix"])

    def test_a_tensor_over_2_gib_does_not_go_into_a_checkpoint_of_the_first_version(self):
        prefix = os.path.join(folder("sparse"), "one.ckpt")
        models.sparse_checkpoint(prefix, 1, 3)
        where = folder("sparse", "refused", "v1")
        answer = call("convert", prefix + ".meta", "-o", os.path.join(where, "out"), "--as", "checkpoint-v1")
        self.refused(answer, where)
        self.assertEqual(answer.codes(), ["too-large"], answer)
        self.assertIn("--as checkpoint", answer.report["diagnostics"][-1]["fix"])
