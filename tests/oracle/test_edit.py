"""edit: other names, types, shapes and values, and TensorFlow computes what they say."""

import os

import graphs
import numpy as np
import tensorflow2
from cases import DATA, WITH_WEIGHTS
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, feeds, folder, for_each, frozen, reference
from test_redact import RUN, SAVED

X = np.random.default_rng(1).random((1, 8, 8, 3), np.float32)


def written(name, build):
    """Writes the graph of `build`; returns its path."""
    path = os.path.join(folder("edit", name), "graph.pb")
    with tf.Graph().as_default() as graph:
        build()
        with open(path, "wb") as file:
            file.write(graph.as_graph_def(add_shapes=True).SerializeToString())
    return path


def edited(path, name, *options):
    out = os.path.join(os.path.dirname(path), name)
    return call("edit", path, "-o", out, "--force", *options), out


def classifier(batch=1):
    """A network whose Reshape holds the batch, as exporters write it."""

    def build():
        image = tf1.placeholder(tf.float32, [batch, 8, 8, 3], "image")
        filters = tf.constant(np.random.default_rng(2).random((3, 3, 3, 4), np.float32))
        y = tf.nn.relu(tf.nn.conv2d(image, filters, 2, "SAME"))
        rows = tf.reshape(y, tf.constant([-1 if batch is None else batch, 64], name="sizes"))
        w = tf.constant(np.random.default_rng(3).random((64, 5), np.float32))
        tf.identity(tf.matmul(rows, w) * tf.constant(2.0, name="factor"), "y")

    return build


class Placeholders(Suite):
    def test_a_batch_of_one_becomes_one_of_four(self):
        path = written("batch", classifier())
        answer, out = edited(path, "four.pb", "--batch", "4")
        self.done(answer)
        self.assertEqual(["placeholder", "sizes"], sorted(each["change"] for each in answer.report["changes"]), answer)
        single = [graphs.run_file(path, "y:0", {"image:0": X * scale}) for scale in (1, 2, 3, 4)]
        batch = graphs.run_file(out, "y:0", {"image:0": np.concatenate([X * scale for scale in (1, 2, 3, 4)])})
        np.testing.assert_allclose(batch, np.concatenate(single), rtol=1e-5)
        shapes = {node.name: node.attr["_output_shapes"].list.shape[0] for node in graphs.read_graph(out).node}
        self.assertEqual([4, 5], [dim.size for dim in shapes["y"].dim])
        self.assertEqual([4, 4, 4, 4], [dim.size for dim in shapes["Relu"].dim])

    def test_a_size_that_is_not_the_batch_stays(self):
        def build():
            x = tf1.placeholder(tf.float32, [1, 8], "x")
            tf.reshape(tf.reduce_mean(x, 0, keepdims=True), tf.constant([1, -1]), "y")

        path = written("mean", build)
        answer, out = edited(path, "mean.pb", "--batch", "4")
        self.done(answer)
        self.assertEqual(["placeholder"], [each["change"] for each in answer.report["changes"]], answer)
        self.assertEqual((1, 8), graphs.run_file(out, "y:0", {"x:0": np.ones((4, 8), np.float32)}).shape)

    def test_one_reshape_after_another_follows(self):
        def build():
            x = tf1.placeholder(tf.float32, [2, 12], "x")
            y = tf.reshape(tf.reshape(x, tf.constant([2, 3, 4])), tf.constant([2, 6, 2]))
            tf.reshape(y, tf.constant([2, 12]), "y")

        path = written("reshapes", build)
        answer, out = edited(path, "reshapes.pb", "--batch", "5")
        self.done(answer)
        self.assertEqual(3, sum(each["change"] == "sizes" for each in answer.report["changes"]), answer)
        data = np.arange(60, dtype=np.float32).reshape(5, 12)
        np.testing.assert_array_equal(data, graphs.run_file(out, "y:0", {"x:0": data}))

    def test_a_reshape_of_what_has_no_known_shape_is_named(self):
        def build():
            x = tf1.placeholder(tf.float32, [1, 4, 4, 3], "x")
            pooled = tf.raw_ops.MaxPoolV2(input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
            tf.reshape(pooled, tf.constant([1, -1]), "y")

        answer, _ = edited(written("unknown", build), "unknown.pb", "--batch", "2")
        self.done(answer)
        named = [(one["code"], one["where"].get("node")) for one in answer.report["diagnostics"]]
        self.assertEqual([("batch-in-constant", "y")], named, answer)

    def test_an_open_batch_takes_any(self):
        path = written("open", classifier())
        answer, out = edited(path, "open.pb", "--batch", "?")
        self.done(answer)
        for count in (1, 3):
            data = np.concatenate([X] * count)
            self.assertEqual((count, 5), graphs.run_file(out, "y:0", {"image:0": data}).shape)
        back, again = edited(out, "back.pb", "--batch", "1")
        self.done(back)
        self.assertEqual(
            graphs.bits(graphs.run_file(path, "y:0", {"image:0": X})),
            graphs.bits(graphs.run_file(again, "y:0", {"image:0": X})),
        )

    def test_an_image_of_bytes(self):
        path = written("bytes", classifier())
        answer, out = edited(path, "bytes.pb", "--placeholder", "image=uint8[1,8,8,3]")
        self.done(answer)
        image = np.arange(192, dtype=np.uint8).reshape(1, 8, 8, 3)
        expected = graphs.run_file(path, "y:0", {"image:0": image.astype(np.float32)})
        self.assertEqual(graphs.bits(expected), graphs.bits(graphs.run_file(out, "y:0", {"image:0": image})))

    def test_another_size_of_image(self):
        def build():
            x = tf1.placeholder(tf.float32, [None, 8, 8, 3], "x")
            tf.identity(tf.reduce_mean(tf.nn.relu(x), [1, 2]), "y")

        path = written("size", build)
        answer, out = edited(path, "size.pb", "--placeholder", "x=[1,16,?,3]")
        self.done(answer)
        self.assertEqual((1, 3), graphs.run_file(out, "y:0", {"x:0": np.ones((1, 16, 4, 3), np.float32)}).shape)

    def test_shapes_that_contradict_the_graph_are_refused(self):
        path = written("refused", classifier())
        for option, value, code in [
            ("--placeholder", "image=[1,8,8,4]", "edit-refused"),
            ("--placeholder", "image=[1,8", "bad-option"),
            ("--placeholder", "image=floot[1]", "bad-option"),
            ("--placeholder", "image", "bad-option"),
            ("--placeholder", "Relu=[1]", "not-a-placeholder"),
            ("--placeholder", "imge=[1]", "not-in-graph"),
            ("--batch", "0", "bad-option"),
            ("--batch", "two", "bad-option"),
            ("--constant", "factor=[1,2]", "wrong-shape"),
            ("--constant", "factor=yes", "bad-option"),
            ("--constant", "image=1", "not-a-constant"),
            ("--rename", "y=image", "name-taken"),
            ("--rename", "nothing=x", "rename-unused"),
            ("--rename", "y=a b", "edit-refused"),
        ]:
            answer, out = edited(path, "refused.pb", option, value)
            self.assertEqual(2 if code == "bad-option" else 3, answer.status, answer)
            self.assertEqual([code], answer.codes(), answer)
            self.assertFalse(os.path.exists(out), answer)
        self.assertEqual(["bad-option"], edited(path, "none.pb")[0].codes())


def pose_network():
    """A network for a batch of 4 whose sizes are constants: of a transposed convolution, a Tile, a Reshape, a Fill, of equal rows."""
    x = tf1.placeholder(tf.float32, [4, 8, 6, 3], "x")
    filters = tf.constant(np.random.default_rng(7).random((3, 3, 3, 4), np.float32))
    half = tf.nn.conv2d(x, filters, 2, "SAME")
    up = tf.constant(np.random.default_rng(8).random((4, 4, 5, 4), np.float32))
    y = tf.nn.conv2d_transpose(half, up, tf.constant([4, 8, 6, 5], name="sizes"), 2, "SAME")
    table = tf.constant(np.random.default_rng(9).random((1, 8, 6, 1), np.float32))
    y = tf.concat([y, tf.tile(table, tf.constant([4, 1, 1, 1], name="times"))], -1)
    y = tf.concat([y, tf.fill(tf.constant([4, 8, 6, 2], name="dims"), 0.5)], -1)
    y = tf.reshape(y, tf.constant([4, -1, 8], name="rows"))
    state = tf.constant(np.full((4, 48, 1), 0.25, np.float32), name="state")
    y = tf.concat([y, state], -1)
    tf.identity(tf.reshape(tf.reshape(y, tf.constant([192, 9], name="flat")), tf.constant([4, 432])), "y")


@expanded
class Batches(Suite):
    @for_each(["1", "7", "?"])
    def test_every_constant_follows(self, size):
        path = written("pose", pose_network)
        data = np.random.default_rng(10).random((4, 8, 6, 3), np.float32)
        expected = graphs.run_file(path, "y:0", {"x:0": data})
        answer, out = edited(path, f"pose{'any' if size == '?' else size}.pb", "--batch", size)
        self.done(answer)
        self.assertEqual([], answer.codes(), answer)
        self.assertEqual(7, sum(each["change"] == "sizes" for each in answer.report["changes"]), answer)
        for count in [int(size)] if size != "?" else [1, 4, 7]:
            rows = [place % 4 for place in range(count)]
            found = graphs.run_file(out, "y:0", {"x:0": data[rows]})
            np.testing.assert_allclose(found, expected[rows], rtol=1e-5)
        verdict = call("validate", out)
        self.assertTrue(verdict.report["valid"], verdict)

    def test_a_size_that_is_another_number_stays(self):
        def build():
            x = tf1.placeholder(tf.float32, [4, 4], "x")
            kernel = tf.tile(tf.constant([[1.0, 2.0]]), tf.constant([4, 1]))
            tf.matmul(x, kernel, name="y")

        path = written("other", build)
        answer, out = edited(path, "other9.pb", "--batch", "9")
        self.done(answer)
        self.assertEqual(["placeholder"], [each["change"] for each in answer.report["changes"]], answer)
        self.assertEqual((9, 2), graphs.run_file(out, "y:0", {"x:0": np.ones((9, 4), np.float32)}).shape)

    @for_each(["2", "?"])
    def test_what_takes_no_other_size_is_named(self, size):
        def build():
            x = tf1.placeholder(tf.float32, [4, 3], "x")
            tf.stack([2 * each for each in tf.unstack(x, name="parts")], name="y")

        path = written("unpacked", build)
        answer, _ = edited(path, "unpacked2.pb", "--batch", size)
        self.assertIn("parts", str(answer.report["diagnostics"]), answer)
        code, severity = ("batch-in-constant", "warning") if size == "?" else ("edit-refused", "error")
        self.assertEqual([code], answer.codes(severity), answer)

    def test_a_number_that_nothing_depends_on_is_named(self):
        def build():
            x = tf1.placeholder(tf.float32, [4, 3], "x")
            rows = tf.range(4, name="count")
            tf.gather_nd(x, tf.stack([rows, tf.zeros_like(rows)], 1), name="y")

        answer, _ = edited(written("range", build), "range2.pb", "--batch", "2")
        self.done(answer)
        named = [(one["code"], one["where"].get("node")) for one in answer.report["diagnostics"]]
        self.assertEqual([("batch-in-constant", "count")], named, answer)


class Constants(Suite):
    def test_another_value(self):
        path = written("constant", classifier())
        answer, out = edited(path, "constant.pb", "--constant", "factor=4")
        self.done(answer)
        np.testing.assert_array_equal(
            graphs.run_file(out, "y:0", {"image:0": X}), 2 * graphs.run_file(path, "y:0", {"image:0": X})
        )


def halved(name):
    """Writes a graph whose Split has two outputs; returns its path."""

    def build():
        x = tf1.placeholder(tf.float32, [None, 6], "net/x")
        y = tf.nn.relu(x) * tf.constant(np.arange(6, dtype=np.float32))
        left, right = tf.split(y, 2, axis=1, name="net/halves")
        tf.identity(left + right, "net/sum")

    return written(name, build)


class Signatures(Suite):
    def test_the_loaders_run_an_added_signature(self):
        path = halved("signature")
        added = ["--add-signature", "halves=net/x->left=net/halves,right=net/halves:1"]
        answer, out = edited(path, "saved/", *added, "--add-signature", "sum=data=net/x->net/sum")
        self.done(answer)
        self.assertEqual(["signature"] * 2, [each["change"] for each in answer.report["changes"]], answer)
        data = np.linspace(-1, 2, 12, dtype=np.float32).reshape(2, 6)
        expected = graphs.run_file(path, ["net/halves:0", "net/halves:1", "net/sum:0"], {"net/x:0": data})
        # TensorFlow 2's loader makes a function of each signature.
        with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
            signatures = tf.saved_model.load(out).signatures
            self.assertEqual(["halves", "sum"], sorted(signatures), answer)
            self.assertEqual([None, 3], signatures["halves"].structured_outputs["left"].shape.as_list(), answer)
            halves = session.run(signatures["halves"](x=tf.constant(data)))
            self.assertEqual(["left", "right"], sorted(halves), answer)
            np.testing.assert_array_equal(expected[0], halves["left"])
            np.testing.assert_array_equal(expected[1], halves["right"])
            np.testing.assert_array_equal(expected[2], session.run(signatures["sum"](data=tf.constant(data)))["sum"])
        # TensorFlow 1's loader gives the tensors that the signature names.
        with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
            signature = tf1.saved_model.load(session, ["serve"], out).signature_def["sum"]
            self.assertEqual("tensorflow/serving/predict", signature.method_name)
            self.assertEqual(tf.float32.as_datatype_enum, signature.outputs["sum"].dtype)
            feed = {signature.inputs["data"].name: data}
            np.testing.assert_array_equal(expected[2], session.run(signature.outputs["sum"].name, feed))

    def test_a_signature_follows_the_other_edits_and_a_meta_has_it(self):
        path = halved("signature-edits")
        options = ["--add-signature", "sum=net/x->net/sum", "--batch", "4", "--rename", "net/**=body/**"]
        answer, out = edited(path, "edited.meta", *options)
        self.done(answer)
        with open(out, "rb") as file:
            meta = tf1.MetaGraphDef.FromString(file.read())
        signature = meta.signature_def["sum"]
        self.assertEqual(("body/x:0", "body/sum:0"), (signature.inputs["x"].name, signature.outputs["sum"].name))
        for info, sizes in ((signature.inputs["x"], [4, 6]), (signature.outputs["sum"], [4, 3])):
            self.assertEqual(sizes, [dim.size for dim in info.tensor_shape.dim], answer)
        # Another edit keeps the signatures that the model has.
        second, again = edited(out, "again.meta", "--add-signature", "left=body/x->body/halves")
        self.done(second)
        with open(again, "rb") as file:
            self.assertEqual(["left", "sum"], sorted(tf1.MetaGraphDef.FromString(file.read()).signature_def))
        refused, none = edited(out, "none.meta", "--add-signature", "sum=body/x->body/halves")
        self.assertEqual((3, ["signature-exists"]), (refused.status, refused.codes()), refused)
        self.assertFalse(os.path.exists(none), refused)

    def test_signatures_that_cannot_be_are_refused(self):
        path = halved("signature-refused")
        for value, out, code in [
            ("sum=net/x->net/total", "no/", "not-in-graph"),
            ("sum=net/y->net/sum", "no/", "not-in-graph"),
            ("sum=net/x->net/halves:2", "no/", "not-in-graph"),
            ("sum=^net/x->net/sum", "no/", "not-in-graph"),
            ("sum=net/x-", "no/", "bad-option"),
            ("sum", "no/", "bad-option"),
            ("=net/x->net/sum", "no/", "bad-option"),
            ("sum=net/x->", "no/", "bad-option"),
            ("sum=net/x,->net/sum", "no/", "bad-option"),
            ("sum==net/x->net/sum", "no/", "bad-option"),
            ("sum=net/x->net/halves:0,net/halves:1", "no/", "bad-option"),
            ("__saved_model_init_op=net/x->net/sum", "no/", "bad-option"),
            ("sum=net/x->net/sum", "no.pb", "bad-option"),
            ("sum=net/x->net/sum", "no.pbtxt", "bad-option"),
        ]:
            answer, made = edited(path, out, "--add-signature", value)
            self.assertEqual(2 if code == "bad-option" else 3, answer.status, answer)
            self.assertEqual([code], answer.codes(), answer)
            self.assertFalse(os.path.exists(made), answer)


def trained(kind):
    """A training graph with a conditional, a loop, a partitioned variable and slots; returns (prefix, expected)."""
    prefix = os.path.join(folder("edit", "trained", kind), "model.ckpt")
    with tf.Graph().as_default():
        tf1.disable_control_flow_v2()
        tf1.set_random_seed(1)
        x = tf1.placeholder(tf.float32, [None, 6], "net/x")
        flag = tf1.placeholder_with_default(True, [], "net/flag")
        with tf1.variable_scope("net", use_resource=kind == "resource"):
            w = tf1.get_variable("w", [6, 4], partitioner=tf1.fixed_size_partitioner(2))
            b = tf1.get_variable("b", [4])
            y = tf1.cond(flag, lambda: tf.matmul(x, w) + b, lambda: tf.matmul(x, w))
            y = tf1.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, tf.tanh(y) + b), [0, y])[1]
        y = tf.identity(y, "net/y")
        tf1.train.AdamOptimizer(0.01).minimize(tf.reduce_sum(y * y), name="train")
        with tf1.Session(config=graphs.config()) as session:
            session.run(tf1.global_variables_initializer())
            tf1.train.Saver().save(session, prefix)
            return prefix, session.run(y, {x: np.ones((2, 6), np.float32)})


@expanded
class Names(Suite):
    @for_each(["ref", "resource"])
    def test_a_training_graph_restores_and_trains_under_new_names(self, kind):
        prefix, expected = trained(kind)
        out = prefix.replace("model.ckpt", "renamed.ckpt")
        answer = call("edit", prefix, "-o", out, "--rename", "net/**=body/**", "--rename", "train=step")
        self.done(answer)
        data = {"body/x:0": np.ones((2, 6), np.float32)}
        with tf.Graph().as_default() as graph:
            saver = tf1.train.import_meta_graph(out + ".meta")
            self.assertFalse([op.name for op in graph.get_operations() if op.name.startswith("net/")])
            with tf1.Session(config=graphs.config()) as session:
                saver.restore(session, out)
                np.testing.assert_array_equal(expected, session.run("body/y:0", data))
                session.run("step", data)
                self.assertFalse(np.array_equal(expected, session.run("body/y:0", data)))
                saver.save(session, out + "-again")
            # The conditional's context is whole: a gradient can be built through it.
            tf1.gradients(graph.get_tensor_by_name("body/y:0"), tf1.trainable_variables())

    @for_each(WITH_WEIGHTS)
    def test_a_frozen_model_under_a_scope_computes_the_same_bits(self, case):
        path = frozen(case)[1]
        out = os.path.join(folder(case.name), "scoped.pb")
        answer = call("edit", path, "-o", out, "--rename", "/^/=scope/", "--force")
        self.done(answer)
        graph = graphs.read_graph(out)
        self.assertTrue(all(node.name.startswith("scope/") for node in graph.node), answer)
        back = os.path.join(folder(case.name), "unscoped.pb")
        self.done(call("edit", out, "-o", back, "--rename", "scope/**=**", "--force"))
        self.same_outputs(reference(case), graphs.run_graph(graphs.read_graph(back), case, feeds(case)), answer.line)
        self.assertEqual(graphs.read_graph(path), graphs.read_graph(back), answer)

    def test_saved_models_return_the_same_under_new_names_and_after_a_repair(self):
        paths = []
        for name in SAVED:
            path, base = os.path.join(DATA, name), folder("edit", name.replace("/", "_"))
            paths.append(path)
            for words in (["edit", path, "--rename", "**=scope/**"], ["validate", path, "--fix"]):
                paths.append(os.path.join(base, words[0]) + "/")
                self.done(call(*words, "-o", paths[-1], "--force"))
        done = tensorflow2.run(RUN, *paths)
        self.assertEqual(0, done.returncode, done.stderr[-900:])
        returned = done.stdout.split()
        self.assertEqual(len(paths), len(returned))
        for i in range(0, len(paths), 3):
            self.assertEqual(returned[i : i + 1] * 3, returned[i : i + 3], paths[i])

    def test_two_nodes_change_places(self):
        path = written("swapped", classifier())
        answer, out = edited(path, "swapped.pb", "--rename", "Relu=factor", "--rename", "factor=Relu")
        self.done(answer)
        self.assertEqual(
            graphs.bits(graphs.run_file(path, "y:0", {"image:0": X})),
            graphs.bits(graphs.run_file(out, "y:0", {"image:0": X})),
        )
