"""Loops and conditionals that were pruned, partly frozen or un-frozen have the gradients that the original has, and train."""
import functools
import os

import graphs
import loop_programs
from graphs import tf1
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
