"""edit --join: TensorFlow gives the same bits for a joined graph as for the two models one after the other."""

import os

import graphs
import numpy as np
import tensorflow2
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each

BYTES = np.random.default_rng(5).integers(0, 256, (2, 8, 8, 3)).astype(np.uint8)


def written(name, build):
    """Writes the graph of `build`; returns its path."""
    path = os.path.join(folder("join"), name + ".pb")
    with tf.Graph().as_default() as graph:
        build()
        with open(path, "wb") as file:
            file.write(graph.as_graph_def(add_shapes=True).SerializeToString())
    return path


def saved(name, build):
    """Writes the graph of `build`, which has variables, with a checkpoint; returns the prefix."""
    prefix = os.path.join(folder("join", name), "model.ckpt")
    with tf.Graph().as_default():
        tf1.set_random_seed(len(name))
        build()
        with tf1.Session(config=graphs.config()) as session:
            session.run(tf1.global_variables_initializer())
            tf1.train.Saver().save(session, prefix)
    return prefix


def run_saved(prefix, fetch, data):
    session, _ = graphs.restored(prefix + ".meta", prefix)
    with session:
        return session.run(fetch, data)


def joined(ours, theirs, name, *options):
    out = os.path.join(folder("join"), name)
    return call("edit", ours, "--join", theirs, "-o", out, "--force", *options), out


def scale():
    image = tf1.placeholder(tf.uint8, [None, 8, 8, 3], "image")
    big = tf.constant(np.random.default_rng(1).random((8, 8, 3), np.float32) + 0.5, name="big")
    tf.identity(tf.cast(image, tf.float32) / big, "out")


def classify():
    image = tf1.placeholder(tf.float32, [None, 8, 8, 3], "image")
    w = tf.constant(np.random.default_rng(2).random((192, 5), np.float32), name="big")
    tf.identity(tf.matmul(tf.reshape(image, [-1, 192]), w), "out")


def dense(kind, size):
    def build():
        x = tf1.placeholder(tf.float32, [None, size], "x")
        with tf1.variable_scope("net", use_resource=kind == "resource"):
            w = tf1.get_variable("w", [size, size], initializer=tf1.random_normal_initializer())
        tf.tanh(tf.matmul(x, w), name="out")

    return build


def loop():
    x = tf1.placeholder(tf.float32, [None, 4], "x")
    _, y = tf1.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, v * 1.5 + 1), [0, x])
    tf.identity(y, "out")


def table(words):
    def build():
        x = tf1.placeholder(tf.string, [None], "x")
        handle = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.string, shared_name="words")
        fill = tf.raw_ops.LookupTableImportV2(
            table_handle=handle, keys=tf.constant(words[:-1]), values=tf.constant(words[1:])
        )
        tf.group(fill, name="fill")
        tf.raw_ops.LookupTableFindV2(table_handle=handle, keys=x, default_value=tf.constant("none"), name="out")

    return build


def named_alike(path):
    """Gives the function of a graph a name that does not count the functions of this process."""
    graph = graphs.read_graph(path)
    old = graph.library.function[0].signature.name.encode()
    with open(path, "wb") as file:
        file.write(graph.SerializeToString().replace(old, b"f".ljust(len(old), b"_")))
    return path


class Graphs(Suite):
    def test_preprocessing_in_front(self):
        ours, theirs = written("classify", classify), written("scale", scale)
        answer, out = joined(ours, theirs, "both.pb", "--connect", "out=image", "--scope", "pre")
        self.done(answer)
        self.assertEqual(["joined", "connected"], [each["change"] for each in answer.report["changes"]], answer)
        self.assertEqual(["connect-both-ways"], answer.codes("note"), answer)
        expected = graphs.run_file(ours, "out:0", {"image:0": graphs.run_file(theirs, "out:0", {"image:0": BYTES})})
        found = graphs.run_file(out, "out:0", {"pre/image:0": BYTES})
        self.assertEqual(graphs.bits(expected), graphs.bits(found))
        before = {node.name: node for node in graphs.read_graph(ours).node}
        after = {node.name: node for node in graphs.read_graph(out).node}
        changed = [name for name, node in before.items() if after[name] != node]
        self.assertEqual(["image"], changed)

    def test_a_head_behind(self):
        ours, theirs = written("scale", scale), written("classify", classify)
        answer, out = joined(ours, theirs, "head.pb", "--connect", "out=head/image", "--scope", "head")
        self.done(answer)
        self.assertEqual([], answer.codes("note"), answer)
        expected = graphs.run_file(theirs, "out:0", {"image:0": graphs.run_file(ours, "out:0", {"image:0": BYTES})})
        self.assertEqual(graphs.bits(expected), graphs.bits(graphs.run_file(out, "head/out:0", {"image:0": BYTES})))

    def test_both_directions_at_once(self):
        ours = written("classify", classify)

        def middle():
            x = tf1.placeholder(tf.float32, [None, 5], "logits")
            tf.nn.softmax(x, name="probs")

        theirs = written("middle", middle)
        answer, out = joined(ours, theirs, "middle_joined.pb", "--connect", "out=logits")
        self.done(answer)
        data = BYTES.astype(np.float32)
        expected = graphs.run_file(theirs, "probs:0", {"logits:0": graphs.run_file(ours, "out:0", {"image:0": data})})
        self.assertEqual(graphs.bits(expected), graphs.bits(graphs.run_file(out, "probs:0", {"image:0": data})))

    def test_loops_of_one_name_stay_apart(self):
        path = written("loop", loop)
        answer, out = joined(path, path, "loops.pb", "--connect", "s/out=x", "--scope", "s")
        self.done(answer)
        data = np.arange(8, dtype=np.float32).reshape(2, 4)
        expected = graphs.run_file(path, "out:0", {"x:0": graphs.run_file(path, "out:0", {"x:0": data})})
        self.assertEqual(graphs.bits(expected), graphs.bits(graphs.run_file(out, "out:0", {"s/x:0": data})))

    def test_tables_of_one_shared_name_stay_apart(self):
        ours, theirs = written("next", table(["a", "b", "c", "d"])), written("back", table(["d", "c", "b", "a"]))
        answer, out = joined(ours, theirs, "tables.pb", "--connect", "s/out=x", "--scope", "s")
        self.done(answer)
        with tf.Graph().as_default():
            tf.import_graph_def(graphs.read_graph(out), name="")
            with tf1.Session(config=graphs.config()) as session:
                session.run(["fill", "s/fill"])
                self.assertEqual([b"c", b"d"], list(session.run("out:0", {"s/x:0": ["c", "d"]})))

    def test_shapes_follow_a_tensor_that_is_less_known(self):
        def fixed():
            x = tf1.placeholder(tf.float32, [1, 4], "x")
            tf.nn.relu(x * 2.0, name="y")

        def open_batch():
            tf.identity(tf1.placeholder(tf.float32, [None, 4], "z") + 1.0, "sum")

        answer, out = joined(
            written("fixed", fixed), written("open", open_batch), "open_fixed.pb", "--connect", "sum=x"
        )
        self.done(answer)
        data = np.ones((3, 4), np.float32)
        np.testing.assert_array_equal(graphs.run_file(out, "y:0", {"z:0": data}), (data + 1) * 2)
        [y] = [node for node in graphs.read_graph(out).node if node.name == "y"]
        self.assertEqual([-1, 4], [dim.size for dim in y.attr["_output_shapes"].list.shape[0].dim])

    def test_functions_of_one_name_and_another_body(self):
        def calling(factor):
            def build():
                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
                def apply(x):
                    return x * factor + 1.0

                x = tf1.placeholder(tf.float32, [None], "x")
                concrete = apply.get_concrete_function()
                concrete.add_to_graph()
                tf.raw_ops.PartitionedCall(
                    args=[x], Tout=[tf.float32], f=concrete.function_def.signature.name, name="y"
                )

            return build

        two, three = (named_alike(written(f"times_{n}", calling(float(n)))) for n in (2, 3))
        data = np.array([1, 2], np.float32)
        for name, ours, theirs, functions in [("same.pb", two, two, 1), ("other.pb", two, three, 2)]:
            answer, out = joined(ours, theirs, name, "--connect", "s/y=x", "--scope", "s")
            self.done(answer)
            self.assertEqual(functions, len(graphs.read_graph(out).library.function), answer)
            expected = graphs.run_file(ours, "y:0", {"x:0": graphs.run_file(theirs, "y:0", {"x:0": data})})
            self.assertEqual(graphs.bits(expected), graphs.bits(graphs.run_file(out, "y:0", {"s/x:0": data})))


class Refusals(Suite):
    def test_bad_input_is_refused_and_nothing_is_written(self):
        ours, theirs = written("classify", classify), written("scale", scale)
        for options, code in [
            (["--connect", "out=image"], "name-taken"),
            (["--connect", "out=image", "--scope", "a b"], "bad-option"),
            (["--scope", "pre"], "bad-option"),
            (["--connect", "out", "--scope", "pre"], "bad-option"),
            (["--connect", "pre/out=pre/image", "--scope", "pre"], "bad-option"),
            (["--connect", "pre/out=image,pre/big=image", "--scope", "pre"], "connect-mismatch"),
            (["--connect", "pre/out=image,pre/out=image", "--scope", "pre"], "bad-option"),
            (["--connect", "pre/out=out", "--scope", "pre"], "not-a-placeholder"),
            (["--connect", "pre/oat=image", "--scope", "pre"], "not-in-graph"),
            (["--connect", "pre/out=imagine", "--scope", "pre"], "not-in-graph"),
            (["--connect", "pre/out:1=image", "--scope", "pre"], "not-in-graph"),
            (["--connect", "pre/image=image", "--scope", "pre"], "connect-mismatch"),
            (["--connect", "pre/big=image", "--scope", "pre"], "connect-mismatch"),
        ]:
            answer, out = joined(ours, theirs, "refused.pb", *options)
            self.assertEqual(2 if code == "bad-option" else 3, answer.status, answer)
            self.assertEqual([code], answer.codes(), answer)
            self.assertFalse(os.path.exists(out), answer)
        alone = call("edit", ours, "--connect", "out=image", "-o", os.path.join(folder("join"), "alone.pb"))
        self.assertEqual(["bad-option"], alone.codes(), alone)


@expanded
class Weights(Suite):
    @for_each(["ref", "resource"])
    def test_variables_of_both_keep_their_values(self, kind):
        ours, theirs = saved(kind + "_ours", dense(kind, 4)), saved(kind + "_theirs_too", dense(kind, 4))
        answer, out = joined(ours, theirs, kind + ".ckpt", "--connect", "pre/out=x", "--scope", "pre")
        self.done(answer)
        data = np.random.default_rng(7).random((3, 4), np.float32)
        first = run_saved(theirs, "out:0", {"x:0": data})
        expected = run_saved(ours, "out:0", {"x:0": first})
        self.assertEqual(graphs.bits(expected), graphs.bits(run_saved(out, "out:0", {"pre/x:0": data})))
        self.assertEqual(graphs.bits(first), graphs.bits(run_saved(out, "pre/out:0", {"pre/x:0": data})))
        names = sorted(name for name, _ in tf.train.list_variables(out))
        self.assertEqual(["net/w", "pre/net/w"], names)
        with tf.Graph().as_default():
            tf1.train.import_meta_graph(out + ".meta")
            self.assertEqual(2, len(tf1.trainable_variables()))

    def test_variables_join_a_frozen_graph(self):
        ours, theirs = (
            written("frozen", lambda: tf.identity(tf1.placeholder(tf.float32, [None, 4], "y") * 3.0, "z")),
            saved("variables", dense("resource", 4)),
        )
        answer, out = joined(ours, theirs, "frozen.ckpt", "--connect", "out=y")
        self.done(answer)
        data = np.ones((2, 4), np.float32)
        expected = graphs.run_file(ours, "z:0", {"y:0": run_saved(theirs, "out:0", {"x:0": data})})
        self.assertEqual(graphs.bits(expected), graphs.bits(run_saved(out, "z:0", {"x:0": data})))
        frozen = out + ".pb"
        self.done(call("freeze", out, "--outputs", "z", "-o", frozen, "--force"))
        self.assertEqual(graphs.bits(expected), graphs.bits(graphs.run_file(frozen, "z:0", {"x:0": data})))


def served(name, model):
    path = os.path.join(folder("join", name), "saved")
    with tf.Graph().as_default():
        x = tf1.placeholder(tf.float32, [None, 4], "x")
        y = model(x)
        with tf1.Session(config=graphs.config()) as session:
            session.run(tf1.global_variables_initializer())
            tf1.saved_model.simple_save(session, path, {"features": x}, {"scores": y})
    return path


class SavedModels(Suite):
    def test_the_signature_has_the_inputs_of_the_second(self):
        def layer(seed):
            def build(x):
                w = tf1.get_variable(
                    "w", [4, 4], initializer=tf1.random_normal_initializer(seed=seed), use_resource=True
                )
                return tf.tanh(tf.matmul(x, w), name="out")

            return build

        ours, theirs = served("ours", layer(1)), served("theirs", layer(2))
        out = os.path.join(folder("join", "joined"), "saved/")
        answer = call("edit", ours, "--join", theirs, "--scope", "pre", "--connect", "pre/out=x", "-o", out, "--force")
        self.done(answer)
        self.assertEqual(["signatures-not-joined"], answer.codes("note"), answer)
        data = np.ones((2, 4), np.float32)

        def loaded(path, feed):
            with tf.Graph().as_default() as graph, tf1.Session(config=graphs.config()) as session:
                meta = tf1.saved_model.load(session, ["serve"], path)
                signature = meta.signature_def["serving_default"]
                self.assertEqual(["features"], list(signature.inputs))
                name = signature.inputs["features"].name
                return name, session.run(signature.outputs["scores"].name, {name: feed}), graph

        first = loaded(theirs, data)[1]
        name, found, _ = loaded(out, data)
        self.assertEqual("pre/x:0", name)
        self.assertEqual(graphs.bits(loaded(ours, first)[1]), graphs.bits(found))

    def test_models_of_tensorflow_2(self):
        out = os.path.join(folder("join", "tf2"), "saved/")
        ours, theirs = (tf2_model(f"tf2_{i}", i) for i in (2, 3))
        connect = ["--scope", "pre", "--connect", "pre/StatefulPartitionedCall=serving_default_x"]
        answer = call("edit", ours, "--join", theirs, *connect, "-o", out, "--force")
        self.done(answer)
        self.assertEqual(["objects-dropped", "signatures-not-joined"], sorted(answer.codes("note")), answer)

        def run_signature(path, feed):
            with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
                signature = tf1.saved_model.load(session, ["serve"], path).signature_def["serving_default"]
                [result] = signature.outputs.values()
                return session.run(result.name, {signature.inputs["x"].name: feed})

        data = np.arange(8, dtype=np.float32).reshape(2, 4)
        expected = run_signature(ours, run_signature(theirs, data))
        self.assertEqual(graphs.bits(expected), graphs.bits(run_signature(out, data)))


def tf2_model(name, factor):
    """A SavedModel of TensorFlow 2, written by a process of its own: this one runs graphs alone."""
    path = os.path.join(folder("join", name), "saved")
    program = f"""
import tensorflow as tf
class Model(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.random.stateless_normal([4, 4], [1, {factor}]), name="w")
    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name="x")])
    def __call__(self, x):
        return tf.tanh(x @ self.w) * {factor}.0
model = Model()
tf.saved_model.save(model, {path!r}, signatures=model.__call__.get_concrete_function())
"""
    tensorflow2.run_checked(program)
    return path
