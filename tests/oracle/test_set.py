"""--set: a model with a fixed value computes the bits that the original computes which is fed that value, and what that decides is gone."""

import os
import random

import graphs
import numpy as np
import tensorflow2
from cases import CASES
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, feeds, folder, for_each, original

BY_NAME = {case.name: case for case in CASES}


class Setting:
    """A case, and values for some of its inputs."""

    def __init__(self, name, **values):
        self.case, self.values = BY_NAME[name], values
        self.options = ["--set", ",".join(f"{key}={str(value).lower()}" for key, value in values.items())]

    def __repr__(self):
        return f"{self.case.name} {self.options[1]}"

    def feeds(self):
        """Returns feeds for the original; the model made of it lacks the placeholders that are set."""
        return [dict(feed, **{f"{key}:0": value for key, value in self.values.items()}) for feed in feeds(self.case)]

    def expected(self):
        case = self.case
        if case.meta:
            return graphs.run_restored(case.meta, case.prefix, case, self.feeds())
        return graphs.run_graph(original(case), case, self.feeds())

    def made(self, verb, *more):
        path = os.path.join(folder(str(self), verb), "out.pb" if verb == "freeze" else "out.ckpt")
        outputs = ["--outputs", ",".join(self.case.outputs)]
        return call(verb, self.case.path, "-o", path, "--force", *outputs, *self.options, *more), path


SETTINGS = [
    Setting("training_cond", is_training=False),
    Setting("training_cond", is_training=True),
    Setting("training_cond", which=True),
    Setting("training_cond", is_training=False, which=False),
    Setting("training_if", is_training=False),
    Setting("training_if", is_training=True),
    *(Setting("training_if", is_training=True, mode=mode) for mode in (-1, 0, 1, 2, 9)),
    Setting("cond_ref", which=True),
    Setting("cond_ref", which=False),
    Setting("cond_resource", which=True),
    Setting("cond_resource", which=False),
]
FLOW = {"Switch", "Merge", "RefSwitch", "RefMerge", "If", "StatelessIf", "Case", "StatelessCase", "Select"}
# Control flow ops that remain if not all conditions are set.
LEFT = {
    "training_cond which=true": {"Switch", "Merge", "Select"},
    "training_cond is_training=true": {"Switch", "Merge", "Select"},  # behind a Merge of another condition
    "training_cond is_training=false": {"Switch", "Merge", "Select"},
    "training_if is_training=true": {"Case"},
    "training_if is_training=false": {"Case"},
}


def random_flow(seed, functional):
    """A graph of branches and loops within each other, on conditions of the placeholders p0, p1, p2."""
    rng, usual = random.Random(seed), tf1.control_flow_v2_enabled()
    (tf1.enable_control_flow_v2 if functional else tf1.disable_control_flow_v2)()
    with tf.Graph().as_default() as graph:
        x = tf1.placeholder(tf.float32, [3], "x")
        asked = [tf1.placeholder(tf.bool, [], f"p{i}") for i in range(3)]

        def condition():
            a, b = rng.choice(asked), rng.choice(asked)
            return rng.choice(
                [
                    lambda: a,
                    lambda: tf.logical_not(a),
                    lambda: tf.logical_and(a, b),
                    lambda: tf.logical_or(a, b),
                    lambda: tf.identity(a),
                ]
            )()

        def flow(value, depth):
            kinds = ["cond", "cond", "loop", "select", "control"] + functional * ["case", "loop"]
            kind = rng.choice(kinds) if depth else "leaf"
            if kind == "cond":
                return tf1.cond(condition(), lambda: flow(value, depth - 1), lambda: flow(value + 1.0, depth - 1))
            if kind == "case":
                index = tf.cast(condition(), tf.int32) + tf.cast(condition(), tf.int32)
                return tf.switch_case(index, [lambda at=at: flow(value * float(at), depth - 1) for at in range(3)])
            if kind == "loop":
                return tf1.while_loop(
                    lambda i, h: i < 2, lambda i, h: [i + 1, flow(h, depth - 1)], [tf.constant(0), value]
                )[1]
            if kind == "select":
                return flow(tf.raw_ops.Select(condition=condition(), x=value, y=tf.sin(value)), depth - 1)
            if kind == "control":
                with tf.control_dependencies([flow(value, depth - 1)]):
                    return value * tf.constant(rng.uniform(0.5, 2.0))
            return tf.tanh(value * rng.uniform(0.5, 2.0))

        tf.add(flow(x, 4), flow(x, 3), name="y")
        (tf1.enable_control_flow_v2 if usual else tf1.disable_control_flow_v2)()
        return graph.as_graph_def()


@expanded
class Set(Suite):
    @for_each(range(24))
    def test_of_random_branches_and_loops_the_bits_are_those_of_the_original(self, seed):
        graph_def = random_flow(seed, functional=seed % 4 == 3)
        directory = folder("set", "random", str(seed))
        before = os.path.join(directory, "in.pb")
        with open(before, "wb") as file:
            file.write(graph_def.SerializeToString(deterministic=True))
        x = graphs.made_up(tf.float32, [3], seed, None)
        with tf1.Session(graph=graphs.imported(graph_def), config=graphs.config()) as original_run:
            for bits in range(8):
                chosen = {f"p{i}": bool(bits >> i & 1) for i in range(3) if (seed + bits + i) % 3 or bits == 7}
                values = {f"p{i}:0": bool(bits >> i & 1) for i in range(3)}
                path = os.path.join(directory, f"{bits}.pb")
                texts = ",".join(f"{name}={str(value).lower()}" for name, value in chosen.items())
                answer = call("prune", before, "-o", path, "--force", "--outputs", "y", "--set", texts)
                self.done(answer)
                after = graphs.read_graph(path)
                graph = graphs.imported(after)
                left = {op.name for op in graph.get_operations() if op.type == "Placeholder"}
                self.assertFalse({name for name in chosen} & left, answer)
                fed = dict(values, **{"x:0": x})
                expected = original_run.run("y:0", fed)
                with tf1.Session(graph=graph, config=graphs.config()) as run:
                    found = run.run("y:0", {name: value for name, value in fed.items() if name[:-2] in left})
                self.assertEqual(graphs.bits(expected), graphs.bits(found), answer.line)
                flow = {op.type for op in graph.get_operations()} & {"Merge", "If", "StatelessIf"}
                if len(chosen) == 3 and not any(op.type == "Enter" for op in graph.get_operations()):
                    self.assertEqual(flow, set(), answer.line)

    @for_each(SETTINGS)
    def test_a_frozen_graph_with_a_set_value_computes_the_bits_of_the_original_fed_with_it(self, setting):
        answer, path = setting.made("freeze")
        self.done(answer)
        after = graphs.read_graph(path)
        self.same_outputs(setting.expected(), graphs.run_graph(after, setting.case, setting.feeds()), answer.line)
        names = {node.name: node.op for node in after.node}
        self.assertEqual([], [name for name in setting.values if names.get(name, "Const") != "Const"])
        left = {node.op for node in after.node} & FLOW
        inner = (
            {"If"} if str(setting).startswith("training_if is_training=true") else set()
        )  # of the branch: it chooses by its input
        self.assertEqual(left, LEFT.get(str(setting), set()) | inner, answer.line)

    @for_each(SETTINGS)
    def test_what_was_not_asked_for_is_smaller(self, setting):
        """No node is left that the chosen branches do not need: fewer than freezing without the value leaves."""
        answer, path = setting.made("freeze")
        self.done(answer)
        whole = os.path.join(folder(str(setting), "whole"), "out.pb")
        self.done(
            call("freeze", setting.case.path, "-o", whole, "--force", "--outputs", ",".join(setting.case.outputs))
        )
        after, before = graphs.read_graph(path), graphs.read_graph(whole)
        size = lambda graph: len(graph.node) + sum(len(each.node_def) for each in graph.library.function)  # noqa: E731
        self.assertLess(size(after), size(before))
        used = {value.name for value in graphs.imported(after).get_operations()}
        self.assertEqual(used, graphs.needed(after, setting.case.outputs))

    @for_each(SETTINGS)
    def test_a_pruned_model_with_a_set_value_computes_the_bits_of_the_original_fed_with_it(self, setting):
        answer, path = setting.made("prune")
        self.done(answer)
        found = graphs.run_restored(path + ".meta", path, setting.case, setting.feeds())
        self.same_outputs(setting.expected(), found, answer.line)

    @for_each(SETTINGS)
    def test_pruning_first_and_freezing_after_gives_the_same_graph(self, setting):
        answer, path = setting.made("prune")
        self.done(answer)
        _, frozen = setting.made("freeze", "--no-record")  # the record would list collections that pruning removes
        again = os.path.join(folder(str(setting), "after"), "out.pb")
        self.done(
            call(
                "freeze",
                path + ".meta",
                "-o",
                again,
                "--force",
                "--no-record",
                "--outputs",
                ",".join(setting.case.outputs),
            )
        )
        self.assertEqual(graphs.read_graph(frozen), graphs.read_graph(again))

    def test_a_name_that_is_not_there_and_one_that_is_no_placeholder_are_refused(self):
        case = BY_NAME["training_cond"]
        for text, status, said in [
            ("nope=true", 3, "not-in-graph"),
            ("w/read=true", 3, "not-a-placeholder"),
            ("w=true", 2, "bad-option"),
            ("x=1", 3, "not-a-scalar"),
            ("is_training=maybe", 2, "bad-option"),
            ("is_training", 2, "bad-option"),
        ]:
            for verb in ("prune", "freeze"):
                answer = call(
                    verb,
                    case.path,
                    "-o",
                    os.path.join(folder("set", "refused"), "out.pb"),
                    "--outputs",
                    "y",
                    "--set",
                    text,
                )
                self.assertEqual((answer.status, answer.codes("error")), (status, [said]), answer)

    def test_an_output_in_the_dead_branch_is_refused(self):
        case = BY_NAME["cond_ref"]
        answer = call(
            "freeze",
            case.path,
            "-o",
            os.path.join(folder("set", "dead"), "out.pb"),
            "--outputs",
            "cond/MatMul",
            "--set",
            "which=false",
        )
        self.assertEqual((answer.status, answer.codes("error")), (3, ["output-removed"]), answer)

    def test_of_other_types_of_placeholders_the_value_is_what_is_fed(self):
        with tf.Graph().as_default():
            made = {}
            for dtype, text, value in [
                ("float32", "-0.1", -0.1),
                ("float64", "1e-300", 1e-300),
                ("int64", "-5", -5),
                ("uint8", "200", 200),
                ("string", "train", b"train"),
                ("int32", "7", 7),
                ("float16", "-0.1", -0.1),
                ("bfloat16", "1.005859375", 1.005859375),
            ]:
                tf.identity(tf1.placeholder(dtype, [], f"in_{dtype}"), f"out_{dtype}")
                made[dtype] = (text, value)
            mode = tf1.get_default_graph().get_tensor_by_name("in_string:0")
            test = tf.raw_ops.Equal(x=mode, y=tf.constant("train"))
            pieces = tf.raw_ops.Switch(data=tf.constant(1.0), pred=test)
            tf.raw_ops.Merge(inputs=[pieces[0] + 1.0, pieces[1] + 2.0], name="merged")
            graph_def = tf1.get_default_graph().as_graph_def()
        directory = folder("set", "types")
        with open(os.path.join(directory, "in.pb"), "wb") as file:
            file.write(graph_def.SerializeToString())
        outputs = [f"out_{dtype}" for dtype in made] + ["merged"]
        path = os.path.join(directory, "out.pb")
        self.done(
            call(
                "prune",
                os.path.join(directory, "in.pb"),
                "-o",
                path,
                "--force",
                "--outputs",
                ",".join(outputs),
                "--set",
                ",".join(f"in_{dtype}={text}" for dtype, (text, _) in made.items()),
            )
        )
        after = graphs.read_graph(path)
        self.assertEqual([], [node.name for node in after.node if node.op in FLOW | {"Placeholder"}])
        with tf1.Session(graph=graphs.imported(graph_def)) as one, tf1.Session(graph=graphs.imported(after)) as two:
            fetches = [name + ":0" for name in outputs]
            fed = one.run(fetches, {f"in_{dtype}:0": value for dtype, (_, value) in made.items()})
            self.assertEqual([graphs.bits(value) for value in fed], [graphs.bits(value) for value in two.run(fetches)])


# In a process of its own: a SavedModel whose functions hand `training` on to conditionals, in functions of their own, and a switch.
# What it computes with false, and the gradients of its weights.
NESTED = """
import sys
import numpy as np
import tensorflow as tf
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})

class Net(tf.Module):
    def __init__(self):
        for i, name in enumerate(("w", "noise", "clean", "table")):
            setattr(self, name, tf.Variable(tf.random.stateless_normal([3, 3], [i, 5]), name=name))

    @tf.function
    def layer(self, h, training):
        return tf.cond(training, lambda: tf.tanh(h @ self.noise) + tf.random.normal([3]), lambda: tf.sigmoid(h @ self.clean))

    @tf.function
    def both(self, h, training):
        return self.layer((self.layer(h, training) + h) @ self.w, training)

    @tf.function(input_signature=[tf.TensorSpec([None, 3], name="x"), tf.TensorSpec([], tf.bool, name="training")])
    def serve(self, x, training):
        y = self.layer(x @ self.w, training) * 2.0
        z = tf.switch_case(tf.where(training, 0, 1), [lambda: y @ self.noise, lambda: y @ self.table])
        return {"y": self.both(z, training)}

net = Net()
tf.saved_model.save(net, sys.argv[1] + "/saved", signatures=net.serve)
x = np.random.RandomState(2).uniform(-1, 1, (4, 3)).astype(np.float32)
with tf.GradientTape() as tape:
    y = net.serve(tf.constant(x), tf.constant(False))["y"]
    loss = tf.reduce_sum(tf.square(y))
kept = {"w": net.w, "clean": net.clean, "table": net.table}
slopes = tape.gradient(loss, kept)
np.savez(sys.argv[1] + "/told.npz", x=x, y=y, **{name: slope.numpy() for name, slope in slopes.items()})
"""


class Nested(Suite):
    """A value that functions hand on decides in their bodies too, and nothing of the dead branches stays."""

    def test_branches_within_functions_are_removed_and_the_rest_trains(self):
        here = folder("set", "nested")
        tensorflow2.run_checked(NESTED, here)
        saved, pruned, frozen, thawed = (
            os.path.join(here, name) for name in ("saved", "pruned.ckpt", "frozen.pb", "thawed.ckpt")
        )
        options = ["--signature", "serving_default", "--set", "serving_default_training=false", "--force"]
        self.done(call("prune", saved, "-o", pruned, *options))
        self.done(call("freeze", saved, "-o", frozen, *options))
        self.done(call("unfreeze", frozen, "-o", thawed, "--force"))
        with np.load(os.path.join(here, "told.npz")) as told:
            for prefix, fed, fetched in (
                (pruned, "serving_default_x:0", "StatefulPartitionedCall:0"),
                (thawed, "x:0", "y:0"),
            ):
                with tf1.Graph().as_default() as graph, tf1.Session(config=graphs.config()) as session:
                    saver = tf1.train.import_meta_graph(prefix + ".meta")
                    saver.restore(session, prefix)
                    ops = {
                        node.op
                        for node in [
                            *graph.as_graph_def().node,
                            *(node for each in graph.as_graph_def().library.function for node in each.node_def),
                        ]
                    }
                    self.assertFalse({op for op in ops if op.startswith(("Optional", "Random", "If", "Case"))} & ops)
                    self.assertEqual(
                        sorted(each.op.name for each in tf1.trainable_variables()), ["clean", "table", "w"]
                    )
                    y = graph.get_tensor_by_name(fetched)
                    self.assertEqual(graphs.bits(session.run(y, {fed: told["x"]})), graphs.bits(told["y"]))
                    weights = tf1.trainable_variables()
                    slopes = session.run(tf1.gradients(tf1.reduce_sum(tf1.square(y)), weights), {fed: told["x"]})
                    for weight, slope in zip(weights, slopes):
                        np.testing.assert_allclose(slope, told[weight.op.name], rtol=1e-4, atol=1e-6)
