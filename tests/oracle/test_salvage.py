"""convert --salvage: TensorFlow loads what is whole of a damaged graph, and it computes the same."""

import os

import numpy as np
from graphs import config, tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each

X = np.arange(6, dtype="f").reshape(2, 3)


def save(place):
    """Writes a graph of two ends, `y` and then `aside`, in each format; returns the value of y."""
    with tf.Graph().as_default(), tf1.Session(config=config()) as session:
        x = tf1.placeholder(tf.float32, [2, 3], "x")
        w = tf.constant(np.random.default_rng(1).standard_normal((3, 4)), tf.float32, name="w")
        y = tf.nn.relu(tf.matmul(x, w), name="y")
        aside = tf.identity(y, name="aside")
        tf.io.write_graph(session.graph_def, place, "model.pb", as_text=False)
        tf1.train.export_meta_graph(os.path.join(place, "model.meta"))
        tf1.saved_model.simple_save(session, os.path.join(place, "saved"), {"x": x}, {"y": y, "aside": aside})
        return session.run(y, {x: X})


def damage(path, how):
    """Damages the node `aside`: one byte of it, its length, or all of the file from there on."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    at = content.index(b"\x0a\x05aside\x12\x08Identity")
    if how == "a byte":
        content[at + 7] ^= 0x20
    if how == "its length":
        content[at - 1] ^= 0x40
    with open(path, "wb") as file:
        file.write(content[: at + 9] if how == "cut" else content)


@expanded
class Salvage(Suite):
    @for_each(["a byte", "its length", "cut"])
    def test_what_is_whole_computes_the_same(self, how):
        place = folder("salvage", how.replace(" ", "-"))
        expected = save(place)
        for name in ("model.pb", "model.meta", "saved/saved_model.pb"):
            path = os.path.join(place, name)
            damage(path, how)
            self.assertEqual(call("convert", path, "-o", os.path.join(place, "refused.pb")).status, 3)
            out = os.path.join(place, "out.pb")
            answer = call("convert", path, "--salvage", "-o", out, "--force")
            self.assertEqual(answer.status, 0, answer)
            lost = [each["name"] for each in answer.report["lost"] if each["what"] == "node"]
            self.assertEqual(lost, [] if how == "its length" and not lost else ["aside"], name)
            self.assertEqual(answer.report["incomplete"], [])
            with open(out, "rb") as file:
                graph = tf1.GraphDef.FromString(file.read())
            self.assertEqual([node.name for node in graph.node], ["x", "w", "MatMul", "y"])
            with tf.Graph().as_default(), tf1.Session(config=config()) as session:
                tf.import_graph_def(graph, name="")
                np.testing.assert_array_equal(session.run("y:0", {"x:0": X}), expected)

    def test_a_saved_model_with_a_damaged_node_loads(self):
        place = folder("salvage", "loads")
        expected = save(place)
        damage(os.path.join(place, "saved/saved_model.pb"), "a byte")
        out = os.path.join(place, "out")
        answer = call("convert", os.path.join(place, "saved"), "--salvage", "-o", out + "/", "--force")
        self.assertEqual(answer.status, 0, answer)
        with tf.Graph().as_default(), tf1.Session(config=config()) as session:
            tf1.saved_model.load(session, ["serve"], out)
            np.testing.assert_array_equal(session.run("y:0", {"x:0": X}), expected)
