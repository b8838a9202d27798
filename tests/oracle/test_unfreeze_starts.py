"""unfreeze: what variables start with, which constants become variables, and variables that share a name. TensorFlow runs each."""

import os
import shutil

import graphs
import tensorflow2
from graphs import np, tf, tf1
from program import call
from suite import expanded, folder, for_each
from tensorflow.python.ops import gen_resource_variable_ops, gen_state_ops
from thread import Thread, built, made, placeholder, values, variable, write

STYLES = ("ref", "resource")


def dense():
    x, w, b = placeholder("x", None, 4), variable("w", 4, 3), variable("b", 3, seed=1)
    tf1.get_variable("parts", [4, 3], partitioner=tf1.fixed_size_partitioner(2), initializer=tf1.ones_initializer())
    parts = tf1.get_collection(tf1.GraphKeys.GLOBAL_VARIABLES)[-2:]
    tf.add(tf.matmul(x, w) + b, tf.matmul(x, tf.concat([part.read_value() for part in parts], 0)), name="y")


def image():
    """A mean, a range and anchors, which are not weights, and weights."""
    x = placeholder("x", None, 4)
    with tf1.name_scope("scaled"):
        x = x - tf.constant(values(4, seed=3), name="mean")
    h = tf.nn.relu(tf.matmul(x, variable("w", 4, 6)) + variable("b", 6, seed=1))
    h = tf.quantization.fake_quant_with_min_max_vars_per_channel(
        h, tf.constant([-1.0] * 6, name="low"), tf.constant([1.0] * 6, name="high")
    )
    boxes = tf.reshape(tf.matmul(h, variable("v", 6, 8, seed=2)), [-1, 4, 2])
    tf.add(boxes * 0.1, tf.constant(values(4, 2, seed=4), name="anchors"), name="y")


def normalized():
    """Batch and layer normalization, a bias and a slope, in arithmetic; names say nothing."""
    x = placeholder("x", None, 4)
    h = tf.matmul(x, variable("v0", 4, 6)) + variable("v1", 6, seed=1)
    h = (h - variable("v2", 6, seed=2)) * (
        tf.math.rsqrt(variable("v3", 6, seed=3) ** 2 + 0.1) * variable("v4", 6, seed=4)
    ) + variable("v5", 6, seed=5)
    h = tf.nn.relu(h) + variable("v6", 6, seed=6) * (h - tf.abs(h)) * 0.5
    mean, spread = tf.nn.moments(h, [-1], keepdims=True)
    tf.add((h - mean) * tf.math.rsqrt(spread + 1e-3) * variable("v7", 6, seed=7), variable("v8", 6, seed=8), name="y")


def unread(case, name):
    """The frozen graph without records and without the reads that tell variables by their names."""
    bare, path = case_path(case, "bare.pb"), case_path(case, name)
    call("freeze", case.path, "-o", bare, "--force", "--outputs", "y", "--no-record")
    call("prune", bare, "-o", path, "--force", "--outputs", "y", "--splice-identities")
    return path


def case_path(case, name):
    return os.path.join(folder(case.name, "starts"), name)


@expanded
class Starts(Thread):
    def unfrozen(self, case, style, *options, source=None, name="model.ckpt"):
        path = source or case_path(case, "frozen.pb")
        if not source:
            self.done(call("freeze", case.path, "-o", path, "--force", "--outputs", "y"))
        prefix = case_path(case, f"{style}/{name}")
        os.makedirs(os.path.dirname(prefix), exist_ok=True)
        answer = call("unfreeze", path, "-o", prefix, "--force", "--style", style, *options)
        self.done(answer)
        return answer, prefix

    def started(self, meta):
        """Values of all variables after global_variables_initializer() alone."""
        with tf1.Graph().as_default() as graph, tf1.Session(graph=graph, config=graphs.config()) as session:
            tf1.train.import_meta_graph(meta)
            for one in tf1.global_variables():
                self.assertEqual(one.initial_value.shape.as_list(), one.shape.as_list(), one.name)
            session.run(tf1.global_variables_initializer())
            return {one.op.name: graphs.bits(session.run(one)) for one in tf1.global_variables()}

    @for_each(STYLES)
    def test_the_initializer_gives_the_weights_back(self, style):
        case = made(f"starts {style}", dense, resource=style == "resource")
        with graphs.restored(case.meta, case.prefix)[0] as session:
            held = {name: graphs.bits(value) for name, value in graphs.values_in(session).items()}
        _, prefix = self.unfrozen(case, style)
        self.same(self.started(prefix + ".meta"), held)
        other = os.path.join(folder(case.name, "starts", "other"), "other.ckpt")
        self.done(call("convert", prefix + ".meta", "-o", other, "--force"))
        shutil.rmtree(os.path.dirname(prefix))  # the other has its own checkpoint by now
        self.same(self.started(other + ".meta"), held)

    @for_each(STYLES)
    def test_without_the_checkpoint_the_initializer_names_it(self, style):
        case = made(f"moved {style}", dense, resource=style == "resource")
        _, prefix = self.unfrozen(case, style)
        meta = shutil.move(prefix + ".meta", case_path(case, "alone.meta"))
        shutil.rmtree(os.path.dirname(prefix))
        self.refuses(prefix, lambda: self.started(meta))

    @for_each(STYLES)
    def test_the_meta_holds_the_values_where_asked(self, style):
        case = made(f"stored {style}", dense, resource=style == "resource")
        with graphs.restored(case.meta, case.prefix)[0] as session:
            held = {name: graphs.bits(value) for name, value in graphs.values_in(session).items()}
        answer, prefix = self.unfrozen(case, style, "--initial-values")
        meta = shutil.move(prefix + ".meta", case_path(case, "alone.meta"))
        shutil.rmtree(os.path.dirname(prefix))
        self.same(self.started(meta), held, answer.line)

    @for_each([(style, option) for style in STYLES for option in ((), ("--initial-values",))])
    def test_freezing_gives_the_file_back(self, one):
        style, options = one
        case = made(f"back {style} {len(options)}", dense, resource=style == "resource")
        _, prefix = self.unfrozen(case, style, *options)
        again = case_path(case, "again.pb")
        self.done(call("freeze", prefix + ".meta", "-o", again, "--force", "--outputs", "y"))
        with open(case_path(case, "frozen.pb"), "rb") as first, open(again, "rb") as second:
            self.assertEqual(first.read(), second.read())

    def test_variables_that_stayed_start_with_their_values_too(self):
        case = made("partly", dense, resource=True)
        with graphs.restored(case.meta, case.prefix)[0] as session:
            held = {name: graphs.bits(value) for name, value in graphs.values_in(session).items()}
        part = case_path(case, "part.ckpt")
        self.done(call("freeze", case.path, "-o", part, "--force", "--outputs", "y", "--keep-variables", "b"))
        _, prefix = self.unfrozen(case, "resource", source=part + ".meta")
        self.same(self.started(prefix + ".meta"), held)

    def test_arithmetic_constants_stay_and_are_listed(self):
        case = made("image", image)
        answer, _ = self.unfrozen(case, "ref", source=unread(case, "unread.pb"))
        self.assertEqual({row["name"] for row in answer.report["converted"]}, {"w", "b", "v"}, answer)
        listed = {row["name"] for row in answer.report["candidates"]}
        self.assertEqual(listed, {"scaled/mean", "low", "high", "anchors"}, answer)
        note = next(one for one in answer.report["diagnostics"] if one["code"] == "maybe-weights")
        self.assertIn("--constants auto,", note["fix"])
        chosen, _ = self.unfrozen(case, "ref", "--constants", "auto,anchors", source=case_path(case, "unread.pb"))
        self.assertEqual({row["name"] for row in chosen.report["converted"]}, {"w", "b", "v", "anchors"}, chosen)

    def test_layers_in_arithmetic_are_found_without_names(self):
        case = made("normalized", normalized)
        answer, _ = self.unfrozen(case, "ref", source=unread(case, "unread.pb"))
        rows = {row["name"]: row for row in answer.report["converted"]}
        self.assertEqual({"v0", "v1", "v4", "v5", "v6", "v7", "v8"} - set(rows), set(), answer)
        self.assertEqual({row["confidence"] for row in rows.values()}, {"high"})

    def shared(self, name, resource):
        """Two nodes of one variable, of which the checkpoint knows one; y = 3 x + 3."""

        def build():
            x = placeholder("x", None, 4)
            if resource:
                first, second = (
                    gen_resource_variable_ops.var_handle_op(tf.float32, [], shared_name="w", name=each)
                    for each in ("h1", "h2")
                )
                reads = [gen_resource_variable_ops.read_variable_op(each, tf.float32) for each in (first, second)]
            else:
                reads = [gen_state_ops.variable_v2([], tf.float32, shared_name="s", name=each) for each in ("h1", "h2")]
            tf.add(x * reads[0], reads[1], name="y")
            tf1.raw_ops.SaveV2(
                prefix=tf1.placeholder(tf.string, [], "to"),
                tensor_names=["w" if resource else "h1"],
                shape_and_slices=[""],
                tensors=reads[:1],
                name="saved",
            )

        graph = built(build, resource)
        prefix = os.path.join(folder("starts", name), "model.ckpt")
        with graph.as_default(), tf1.Session(config=graphs.config()) as session:
            node = graph.get_operation_by_name("h1").outputs[0]
            assign = gen_resource_variable_ops.assign_variable_op if resource else gen_state_ops.assign
            session.run(assign(node, tf.constant(3.0)))
            session.run("saved", {"to:0": prefix})
        return write(prefix + ".pb", built(build, resource).as_graph_def()), prefix

    @for_each((True, False))
    def test_nodes_of_one_shared_name_are_one_variable_again(self, resource):
        graph, prefix = self.shared(f"shared {resource}", resource)
        frozen, out = prefix + ".frozen.pb", prefix + ".out.ckpt"
        self.done(call("freeze", graph, "--checkpoint", prefix, "-o", frozen, "--force", "--outputs", "y"))
        answer = call("unfreeze", frozen, "-o", out, "--force")
        self.done(answer)
        feed = {"x:0": np.ones((1, 4), np.float32)}
        session, _ = graphs.restored(out + ".meta", out)
        with session, session.graph.as_default():
            self.assertEqual(session.run("y:0", feed).tolist(), [[6.0] * 4])
            loss = tf.reduce_mean(session.graph.get_tensor_by_name("y:0"))
            train = tf1.train.GradientDescentOptimizer(0.25).minimize(loss)
            session.run(train, feed)  # each part of the gradient is 1
            self.assertEqual(session.run("y:0", feed).tolist(), [[5.0] * 4], answer.line)
        again = prefix + ".again.pb"
        self.done(call("freeze", out + ".meta", "-o", again, "--force", "--outputs", "y"))
        with open(frozen, "rb") as first, open(again, "rb") as second:
            self.assertEqual(first.read(), second.read())

    def test_choosing_among_references_is_no_assignment(self):
        def build():
            x, a, b = placeholder("x", None, 4), variable("a"), variable("b", seed=1)
            chosen = tf1.raw_ops.RefSelect(index=1, inputs=[a._ref(), b._ref()], name="chosen")
            tf.multiply(x, chosen, name="y")

        case = made("refselect", build)
        answer = call("freeze", case.path, "-o", case_path(case, "f.pb"), "--force", "--outputs", "y")
        self.told(answer, "variable-in-use", "takes references")


def training(nested):
    """A branch for training, with a weight of its own, in functional control flow; the gradient makes Optional outputs."""

    def build():
        x, p, w = placeholder("x", None, 4), placeholder("training", dtype=tf.bool), variable("w", 4, 4)
        noise, clean = variable("noise", 4, 4, seed=1), variable("clean", 4, 4, seed=2)

        def inner(h):
            return tf.cond(p, lambda: tf.tanh(h), lambda: tf.sigmoid(h)) if nested else tf.tanh(h)

        h = tf.cond(
            p,
            lambda: tf.nn.dropout(tf.matmul(tf.matmul(x, w), noise), rate=0.5),
            lambda: inner(tf.matmul(tf.matmul(x, w), clean)),
        )
        tf.identity(h, name="y")
        tf1.gradients(h, tf1.trainable_variables())

    return build


@expanded
class Branches(Thread):
    @for_each(
        [
            (verb, nested, resource)
            for verb in ("prune", "freeze")
            for nested in (False, True)
            for resource in (False, True)
        ]
    )
    def test_a_branch_that_is_set_is_inlined_and_trains(self, one):
        verb, nested, resource = one
        case = made(f"set branch {one}", training(nested), inputs=["x", "training"], resource=resource, functional=True)
        out = case_path(case, "set.pb" if verb == "freeze" else "set.ckpt")
        self.done(call(verb, case.path, "-o", out, "--force", "--outputs", "y", "--set", "training=false"))
        path = out if verb == "freeze" else out + ".meta"
        graph = graphs.read_graph(path)
        calls = [
            node.name for node in graph.node if "Call" in node.op or "Optional" in node.op or node.op.endswith("If")
        ]
        self.assertEqual([], calls)
        self.assertNotIn("noise", {node.name for node in graph.node})
        prefix = out
        if verb == "freeze":
            prefix = case_path(case, "model.ckpt")
            self.done(call("unfreeze", out, "-o", prefix, "--force"))
        feed = {"x:0": values(3, 4, seed=9)}
        expected = graphs.run_restored(case.meta, case.prefix, case, [dict(feed, **{"training:0": False})])
        session, _ = graphs.restored(prefix + ".meta", prefix)
        with session, session.graph.as_default():
            self.same_outputs(expected, graphs.run_outputs(session, case, [feed]), path)
            if verb == "prune":
                return
            slopes = tf1.gradients(session.graph.get_tensor_by_name("y:0"), tf1.trainable_variables())
            self.assertEqual([one.op.name for one in tf1.trainable_variables()], ["w", "clean"])
            self.assertNotIn(None, slopes)
            session.run(slopes, feed)


def table():
    x, w = placeholder("x", None, 4), variable("w", 4, 1)
    words = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(tf.constant([0, 1], tf.int64), tf.constant([5.0, 7.0])), -1.0
    )
    tf.add(tf.matmul(x, w), words.lookup(tf.zeros([1], tf.int64)), name="y")


def idle():
    """A control edge from a read, which waits for nothing once that is frozen."""
    x, w = placeholder("x", None, 4), variable("w", 4, 4)
    with tf.control_dependencies([w.read_value()]):
        tf.identity(tf.matmul(x, w), name="y")


def counting():
    x, w, p = placeholder("x", None, 4), variable("w", 4, 4), placeholder("training", dtype=tf.bool)
    step = tf1.cond(p, lambda: tf1.assign_add(w, tf.ones([4, 4])), lambda: tf.identity(w))
    tf.matmul(x, step, name="y")


@expanded
class Loaded(Thread):
    def test_a_checkpoint_of_a_saved_model_lists_what_fills_its_tables(self):
        case = made("table", table)
        prefix = case_path(case, "model.ckpt")
        self.done(call("convert", case.saved, "-o", prefix, "--force"))
        session, _ = graphs.restored(prefix + ".meta", prefix)
        with session, session.graph.as_default():
            session.run(tf1.tables_initializer())
            self.assertEqual(session.run("y:0", {"x:0": np.zeros((1, 4), np.float32)}).tolist(), [[5.0]])

    def test_idle_control_edges_stay_where_nothing_was_inlined(self):
        case = made("idle", idle)
        frozen, saved, again = (case_path(case, name) for name in ("frozen.pb", "saved", "again.pb"))
        self.done(call("freeze", case.path, "-o", frozen, "--force", "--outputs", "y"))
        self.assertTrue(
            [node for node in graphs.read_graph(frozen).node if any(each.startswith("^") for each in node.input)]
        )
        self.done(call("unfreeze", frozen, "-o", saved + "/", "--force"))
        self.done(call("freeze", saved, "-o", again, "--force", "--outputs", "y"))
        before, after = graphs.read_graph(frozen), graphs.read_graph(again)
        self.same(
            {node.name: graphs.plain(node, record=True) for node in after.node},
            {node.name: graphs.plain(node, record=True) for node in before.node},
        )

    def test_the_refusal_names_the_training_switch(self):
        case = made("counting", counting, inputs=["x", "training"])
        answer = call("freeze", case.path, "-o", case_path(case, "f.pb"), "--force", "--outputs", "y")
        self.told(answer, "variable-in-use", "--set training=false")
        self.done(
            call(
                "freeze",
                case.path,
                "-o",
                case_path(case, "f.pb"),
                "--force",
                "--outputs",
                "y",
                "--set",
                "training=false",
            )
        )

    def test_an_asset_that_is_read_in_every_run_is_found_wherever_the_folder_is(self):
        directory = folder("asset module")
        words = os.path.join(directory, "words.txt")
        with open(words, "w", encoding="utf-8") as file:
            file.write("one\ntwo\n")
        tensorflow2.run_checked(ASSET_MODULE, os.path.join(directory, "saved"), words)
        frozen = os.path.join(directory, "frozen")
        self.done(call("freeze", os.path.join(directory, "saved"), "-o", frozen + "/"))
        moved = shutil.move(frozen, os.path.join(directory, "moved"))
        os.remove(words)
        with tf1.Graph().as_default(), tf1.Session(config=graphs.config()) as session:  # TensorFlow 1's loader
            meta = tf1.saved_model.loader.load(session, ["serve"], moved)
            self.assertEqual(session.run(meta.signature_def["serving_default"].outputs["output_0"].name), b"one\ntwo\n")
        done = tensorflow2.run(ASSET_LOADER, moved)
        self.assertEqual(done.stdout.strip().splitlines()[-1:], [repr(b"one\ntwo\n")], done.stderr[-1500:])


# Programs of TensorFlow 2.
ASSET_MODULE = """
import sys, tensorflow as tf
class Module(tf.Module):
    def __init__(self):
        self.asset = tf.saved_model.Asset(sys.argv[2])
    @tf.function(input_signature=[])
    def __call__(self):
        return tf.io.read_file(self.asset)
module = Module()
tf.saved_model.save(module, sys.argv[1], signatures=module.__call__)
"""
ASSET_LOADER = """
import sys, tensorflow as tf
serve = tf.saved_model.load(sys.argv[1]).signatures["serving_default"]
print(repr(list(serve().values())[0].numpy()))
"""
