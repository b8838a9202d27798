"""Loops and conditionals that were pruned, partly frozen or un-frozen have the gradients that the original has, and train."""

import functools
import os

import graphs
import loop_programs
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each


class Program:
    def __init__(self, build):
        self.name, self.build = build.__name__, build

    def __str__(self):
        return self.name


PROGRAMS = [Program(build) for build in loop_programs.PROGRAMS]


@functools.lru_cache(None)
def saved(program):
    """(prefix, feeds), with an optimizer's part that no result needs."""
    prefix = os.path.join(folder("training", program.name), "model.ckpt")
    with tf1.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
        tf1.disable_control_flow_v2()
        tf1.disable_resource_variables()
        result, feeds = program.build()
        tf1.identity(result, "y")
        tf1.train.AdamOptimizer(0.1).minimize(tf1.reduce_sum(result), global_step=tf1.train.get_or_create_global_step())
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver().save(session, prefix)
    return prefix, {f"{name}:0": value for name, value in feeds.items()}


def trainable():
    return sorted(tf1.trainable_variables(), key=lambda each: each.name)


def gradients(prefix, feeds):
    """{weight: gradient} of the restored model, and its loss before and after steps of gradient descent."""
    with tf1.Graph().as_default() as graph, tf1.Session(config=graphs.config()) as session:
        saver = tf1.train.import_meta_graph(prefix + ".meta")
        saver.restore(session, prefix)
        loss = tf1.reduce_sum(tf1.square(graph.get_tensor_by_name("y:0") - 0.3))
        weights = trainable()
        found = tf1.gradients(loss, weights)
        values = dict(zip([each.op.name for each in weights], session.run(found, feeds)))
        step = tf1.train.GradientDescentOptimizer(0.01).minimize(loss)
        losses = [session.run([loss, step], feeds)[0] for _ in range(4)]
    return values, losses


@functools.lru_cache(None)
def expected(program):
    return gradients(*saved(program))


@expanded
class Training(Suite):
    def trains(self, program, prefix, some=None):
        values, losses = gradients(prefix, saved(program)[1])
        before, its_losses = expected(program)
        self.assertEqual(set(values), set(some or before))
        for name, value in values.items():
            self.assertEqual(graphs.bits(value), graphs.bits(before[name]), f"{name}\n{value}\n{before[name]}")
        self.assertLess(losses[-1], losses[0])
        if not some:
            self.assertEqual(losses, its_losses)

    @for_each(PROGRAMS)
    def test_a_pruned_checkpoint_has_the_gradients_of_the_original(self, program):
        prefix = os.path.join(folder("training", program.name, "pruned"), "model.ckpt")
        self.done(call("prune", saved(program)[0], "-o", prefix, "--outputs", "y"))
        self.trains(program, prefix)
        with tf1.Graph().as_default() as graph, tf1.Session(config=graphs.config()) as session:
            tf1.train.import_meta_graph(prefix + ".meta")
            self.assertEqual(tf1.global_variables(), tf1.trainable_variables())  # no slots, no step
            for initializer in (tf1.global_variables_initializer(), graph.get_operation_by_name("init")):
                session.run(initializer)
                self.assertEqual(b"".join(session.run(tf1.report_uninitialized_variables())), b"")

    # A graph does not say that a loop is excluded from gradients.
    @for_each([program for program in PROGRAMS if program.name != "stopped"])
    def test_an_unfrozen_graph_has_the_gradients_of_the_original(self, program):
        where = folder("training", program.name, "unfrozen")
        frozen, prefix = os.path.join(where, "frozen.pb"), os.path.join(where, "model.ckpt")
        self.done(call("freeze", saved(program)[0], "-o", frozen, "--outputs", "y"))
        answer = call("unfreeze", frozen, "-o", prefix)
        self.done(answer)
        self.assertNotIn("loop-not-differentiable", answer.codes("warning"))
        self.trains(program, prefix)
        again = os.path.join(where, "again.pb")
        self.done(call("freeze", prefix, "-o", again, "--outputs", "y"))
        with open(frozen, "rb") as one, open(again, "rb") as two:
            self.assertTrue(one.read() == two.read(), "freezing it again gives another graph")

    @for_each(PROGRAMS)
    def test_partly_frozen_the_rest_trains(self, program):
        prefix = os.path.join(folder("training", program.name, "partly"), "model.ckpt")
        kept = min(expected(program)[0])
        self.done(call("freeze", saved(program)[0], "-o", prefix, "--outputs", "y", "--keep-variables", kept))
        self.trains(program, prefix, {kept})


def network(style):
    """A net with an embedding, a norm, a frozen layer and an average, trained with momentum, as a GraphDef and a checkpoint."""
    where = folder("training", "listed", style)
    prefix = os.path.join(where, "model.ckpt")
    with tf1.Graph().as_default() as graph, tf1.Session(config=graphs.config()) as session:
        tf1.enable_resource_variables() if style == "resource" else tf1.disable_resource_variables()
        tf1.disable_control_flow_v2()
        tf1.set_random_seed(3)
        ids, x = tf1.placeholder(tf.int32, [None], name="ids"), tf1.placeholder(tf.float32, [None, 4], name="x")
        table = tf1.get_variable("table", [9, 4])
        fixed = tf1.get_variable("fixed", [4, 4], trainable=False)
        h = tf1.matmul(tf1.nn.embedding_lookup(table, ids) + x, fixed) + tf1.matmul(
            x, tf1.get_variable("dense/kernel", [4, 4])
        )
        mean = tf1.get_variable("norm/moving_mean", [4], initializer=tf1.zeros_initializer(), trainable=False)
        gamma = tf1.get_variable("norm/gamma", [4], initializer=tf1.ones_initializer())
        h = (h - mean) * gamma
        y = tf1.identity(tf1.nn.bias_add(h, tf1.get_variable("dense/bias", [4])), "y")
        average = tf1.train.ExponentialMovingAverage(0.9).apply([gamma])
        step = tf1.train.MomentumOptimizer(1e-4, 0.9).minimize(
            tf1.reduce_sum(tf1.square(y)), tf1.train.get_or_create_global_step()
        )
        session.run(tf1.global_variables_initializer())
        session.run(
            [step, average, tf1.assign_add(mean, [1.0, 2.0, 3.0, 4.0])], {ids: [1, 2], x: [[1, 2, 3, 4], [5, 6, 7, 8]]}
        )
        tf1.train.Saver().save(session, prefix, write_meta_graph=False)
        tf1.train.write_graph(graph.as_graph_def(), where, "graph.pb", as_text=False)
        wanted = [{each.op.name for each in some} for some in (tf1.global_variables(), tf1.trainable_variables())]
    return os.path.join(where, "graph.pb"), prefix, wanted


@expanded
class Listed(Suite):
    """A GraphDef has no collections: written as a .meta it lists its variables, and which of them train."""

    @for_each(["ref", "resource"])
    def test_a_graph_without_collections_gets_them(self, style):
        path, prefix, wanted = network(style)
        for verb, more in (
            ("convert", []),
            ("prune", ["--outputs", "y"]),
            ("freeze", ["--outputs", "y", "--keep-variables", "dense/**"]),
        ):
            out = os.path.join(os.path.dirname(path), verb + ".ckpt")
            answer = call(verb, path, "--checkpoint", prefix, "-o", out, "--force", *more)
            self.done(answer)
            with tf1.Graph().as_default() as graph, tf1.Session(config=graphs.config()) as session:
                saver = tf1.train.import_meta_graph(out + ".meta")
                there = {node.name for node in graph.as_graph_def().node if node.op in graphs.VARIABLE_OPS}
                found = [
                    {each.op.name for each in some} for some in (tf1.global_variables(), tf1.trainable_variables())
                ]
                self.assertEqual(found, [each & there for each in wanted], answer)
                held = tf.train.load_checkpoint(prefix)
                for each in tf1.global_variables():
                    self.assertEqual(each.shape, held.get_variable_to_shape_map()[each.op.name], answer)
                if verb != "convert":
                    self.assertEqual(found[0], there, answer)
                    session.run(tf1.global_variables_initializer())
                saver.restore(session, out)
                for each in tf1.global_variables():
                    self.assertEqual(graphs.bits(session.run(each)), graphs.bits(held.get_tensor(each.op.name)), each)
                loss = tf1.reduce_sum(tf1.square(graph.get_tensor_by_name("y:0")))
                feeds = {"ids:0": [1, 2], "x:0": [[1, 2, 3, 4], [5, 6, 7, 8]]}
                descent = tf1.train.GradientDescentOptimizer(1e-4).minimize(loss)
                losses = [session.run([loss, descent], feeds)[0] for _ in range(3)]
                self.assertLess(losses[-1], losses[0], answer)
