"""unfreeze of weights that are constants in the bodies of functions: they become variables of the main graph, which TensorFlow hands
to the calls, restores, and freezes; our freeze puts them back where they were."""

import functools
import os

import graphs
from cases import Case
from graphs import np, tf, tf1
from program import call
from suite import expanded, feeds, folder, for_each, reference
from thread import Thread, built, placeholder, values, write


def kernel(seed):
    return tf.constant(values(4, 4, seed=seed), name=f"kernel_{seed}")


@tf.function
def dense(x):
    return tf.nn.bias_add(tf.matmul(x, kernel(1)), tf.constant(values(4, seed=2), name="bias"))


@tf.function
def twice(x):
    return tf.tanh(dense(dense(x)))


def calls():
    tf.identity(dense(dense(placeholder("x", None, 4))), name="y")


def nested():
    tf.identity(twice(dense(placeholder("x", None, 4))), name="y")


def loop():
    x = placeholder("x", None, 4)
    tf.identity(
        tf1.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, tf.tanh(tf.matmul(v, kernel(3)))), [0, x])[1], name="y"
    )


def loop_of_calls():
    x = placeholder("x", None, 4)
    tf.identity(
        tf1.while_loop(
            lambda i, v: tf.reduce_sum(tf.matmul(v, kernel(4))) + tf.cast(i, tf.float32) < 9.0,
            lambda i, v: (i + 1, twice(v)),
            [0, x],
            maximum_iterations=4,
        )[1],
        name="y",
    )


def branches():
    x = placeholder("x", None, 4)
    tf.identity(tf.cond(tf.reduce_sum(x) > 0, lambda: tf.matmul(x, kernel(5)), lambda: dense(x)), name="y")


def cases():
    x = placeholder("x", None, 4)
    tf.identity(
        tf.switch_case(tf.cast(tf.reduce_sum(x), tf.int32), [lambda: tf.matmul(x, kernel(6)), lambda: twice(x)]),
        name="y",
    )


def shapes_too():
    """A constant that is a weight and one that is a shape, an axis, a table to look up numbers in."""
    x = placeholder("x", None, 4)

    def body(i, v):
        flat = tf.reshape(tf.matmul(v, kernel(7)), [-1, 2, 2])
        return i + 1, tf.reshape(tf.transpose(flat, [0, 2, 1]), [-1, 4])

    tf.identity(tf1.while_loop(lambda i, v: i < 2, body, [0, x])[1], name="y")


MODELS = {build.__name__: build for build in (calls, nested, loop, loop_of_calls, branches, cases, shapes_too)}
WEIGHTS = {"calls": 2, "nested": 2, "loop": 1, "loop_of_calls": 3, "branches": 3, "cases": 3, "shapes_too": 1}
STYLED = [(name, style) for name in MODELS for style in ("ref", "resource")]


@functools.lru_cache(None)
def model(name):
    graph_def = built(MODELS[name], functional=True).as_graph_def()
    path = write(os.path.join(folder("bodies", name), "graph.pb"), graph_def)
    pruned = os.path.join(folder("bodies", name), "pruned.pb")
    call("prune", path, "-o", pruned, "--outputs", "y")
    return Case("bodies " + name, pruned, ["y"], ["x"])


@functools.lru_cache(None)
def unfrozen(name, style):
    prefix = os.path.join(folder("bodies", name, style), "model.ckpt")
    return call("unfreeze", model(name).path, "-o", prefix, "--style", style), prefix


def constants_in(functions):
    """The constants of several floats."""
    nodes = [node for function in functions for node in function.node_def if node.op == "Const"]
    return [
        node.name
        for node in nodes
        if graphs.const_bits(node)[0] == "float32" and np.prod(graphs.const_bits(node)[1]) > 1
    ]


@expanded
class Bodies(Thread):
    @for_each(STYLED)
    def test_the_weights_of_bodies_are_variables_and_the_bits_are_the_same(self, one):
        name, style = one
        case, (answer, prefix) = model(name), unfrozen(name, style)
        self.done(answer)
        self.assertEqual(len(answer.report["converted"]), WEIGHTS[name], answer)
        meta = graphs.parse(tf1.MetaGraphDef, prefix + ".meta")
        self.assertEqual([], constants_in(meta.graph_def.library.function), answer.line)
        self.same_outputs(
            reference(case), graphs.run_restored(prefix + ".meta", prefix, case, feeds(case)), answer.line
        )

    @for_each(STYLED)
    def test_other_values_of_the_variables_give_other_outputs(self, one):
        name, style = one
        case, (_, prefix) = model(name), unfrozen(name, style)
        session, _ = graphs.restored(prefix + ".meta", prefix)
        with session, session.graph.as_default():
            feed = feeds(case)[0]
            before = session.run("y:0", feed)
            changed = 0
            for one_variable in tf1.global_variables():
                session.run(one_variable.assign(one_variable + 1.0))
                changed += np.any(session.run("y:0", feed) != before)
            self.assertTrue(changed, "no variable changes the output")

    @for_each(STYLED)
    def test_tensorflow_freezes_it(self, one):
        from tensorflow.python.tools import freeze_graph

        name, style = one
        case, (_, prefix) = model(name), unfrozen(name, style)
        tf1.reset_default_graph()
        theirs = freeze_graph.freeze_graph(
            "", "", True, prefix, "y", "", "", "", False, "", input_meta_graph=prefix + ".meta"
        )
        self.same_outputs(reference(case), graphs.run_graph(theirs, case, feeds(case)), "freeze_graph")

    @for_each(STYLED)
    def test_freezing_it_again_gives_the_same_file(self, one):
        name, style = one
        case, (_, prefix) = model(name), unfrozen(name, style)
        again = os.path.join(folder("bodies", name, style), "again.pb")
        answer = call("freeze", prefix + ".meta", "-o", again, "--force", "--outputs", "y")
        self.done(answer)
        before, after = graphs.read_graph(case.path), graphs.read_graph(again)
        self.same(
            {node.name: graphs.plain(node) for node in after.node},
            {node.name: graphs.plain(node) for node in before.node},
        )
        of = lambda graph: {
            f"{each.signature.name} {node.name}": graphs.plain(node)  # noqa: E731
            for each in graph.library.function
            for node in each.node_def
        }
        self.same(of(after), of(before), answer.line)
        self.assertEqual(
            {
                each.signature.name: each.signature.SerializeToString(deterministic=True)
                for each in after.library.function
            },
            {
                each.signature.name: each.signature.SerializeToString(deterministic=True)
                for each in before.library.function
            },
        )
        self.same_outputs(reference(case), graphs.run_graph(after, case, feeds(case)), answer.line)
