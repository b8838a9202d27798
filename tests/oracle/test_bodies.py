"""--set and cleaning in the bodies of functions: what they decide and drop there, and the bits stay."""

import functools
import os

import graphs
from graphs import tf, tf1
from program import call
from suite import expanded, feeds, folder, for_each, reference
from test_clean import CHECKS, CLEANING, nodes_of
from thread import Thread, fed, made, placeholder, variable


def conditions():
    """A condition that calls, branches and loops hand on."""
    x, training, w = placeholder("x", None, 4), placeholder("is_training", dtype=tf.bool), variable("w", 4)
    rate = tf1.placeholder(tf.float16, [], "rate")
    inner = tf.function(lambda a, q: tf.cond(tf.logical_not(q), lambda: a * w, lambda: a + w))
    outer = tf.function(lambda a, q: tf.sin(inner(a, q)) + tf.where(q, 1.0, 2.0))

    def step(i, v):
        return i + 1, tf.cond(training, lambda: tf.tanh(v), lambda: outer(v, training))

    looped = tf.while_loop(lambda i, v: i < tf.where(training, 2, 3), step, [0, outer(x, training)])[1]
    some = tf.cond(tf.reduce_sum(x) > 0, lambda: outer(looped, training), lambda: tf.identity(looped))
    last = tf.cond(training, lambda: tf.identity(tf.sin(some)), lambda: tf.identity(some))
    tf.identity(last * tf.cast(rate, tf.float32), name="y")


def both_ways():
    """One function that is called with the condition, with its opposite, and with what is not known."""
    x, training, other = (
        placeholder("x", None, 4),
        placeholder("is_training", dtype=tf.bool),
        placeholder("other", dtype=tf.bool),
    )
    f = tf.function(
        lambda a, q: tf.switch_case(
            tf.cast(q, tf.int32), [lambda: a * 2.0, lambda: tf.cond(q, lambda: tf.sin(a), lambda: a)]
        )
    )
    tf.add(f(x * variable("w", 4), training), f(x, tf.logical_not(training)) * f(x, other), name="y")


def turned():
    """A loop that changes the condition: nothing in it is decided."""
    x, training = placeholder("x", None, 4), placeholder("is_training", dtype=tf.bool)
    x *= variable("w", 4)
    turn = tf.while_loop(
        lambda i, q, v: i < 3,
        lambda i, q, v: (i + 1, tf.logical_not(q), tf.cond(q, lambda: v + 1.0, lambda: v * 2.0)),
        [0, training, x],
    )
    tf.identity(turn[2], name="y")


def in_a_loop():
    """A loop whose body asks what is set; only the one branch needs `noise`."""
    x, training = placeholder("x", None, 4), placeholder("is_training", dtype=tf.bool)
    w, noise, clean = variable("w", 4), variable("noise", 4), variable("clean", 4)

    def layer(v):
        return tf.cond(training, lambda: tf.tanh(v * noise), lambda: tf.sigmoid(v * clean))

    called = tf.function(layer)
    inner = lambda v: tf.while_loop(lambda j, _: j < 2, lambda j, u: (j + 1, called(u)), [0, v])[1]
    looped = tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, layer(v) * w + inner(v)), [0, x])
    tf.add(looped[1], tf.cast(looped[0], tf.float32), name="y")


def checked():
    """Checks, prints and identities in bodies of calls, branches and loops."""
    x, w = placeholder("x", None, 4), variable("w", 4)

    def f(a):
        tf.debugging.assert_less(a, 1e9)
        tf.print("called")
        b = tf.debugging.check_numerics(tf.identity(a) * w, "bad")
        with tf.control_dependencies([tf.debugging.assert_greater(b, -1e9)]):
            return tf.identity(tf.identity(b), name="left"), tf.math.top_k(tf.identity(b), 2)[1]

    called, order = tf.function(f)(x)
    branch = tf.cond(tf.reduce_sum(x) > 0, lambda: f(called)[0], lambda: tf.identity(called))
    looped = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, f(tf.identity(v))[0] * 0.5), [0, branch])[1]
    tf.add(looped, tf.cast(tf.reduce_sum(order), tf.float32), name="y")


DECIDED = [("conditions", conditions, {"rate": 0.3}), ("both ways", both_ways, {"other": True}), ("turned", turned, {})]
MADE = functools.lru_cache(None)(made)
SETTINGS = [
    (*model, verb, value) for model in DECIDED for verb in ("freeze", "prune", "saved") for value in (False, True)
]


@expanded
class Bodies(Thread):
    @for_each(SETTINGS)
    def test_what_is_set_decides_in_bodies_and_the_bits_are_those_of_the_original(self, setting):
        name, build, more, verb, value = setting
        case = MADE(f"bodies {name}", build, inputs=("x", "is_training", *more), resource=True, functional=True)
        fixed = {"is_training": value, **more}
        text = ",".join(f"{key}={str(each).lower()}" for key, each in fixed.items() if key != "other")
        out = os.path.join(
            folder(*map(str, ("bodies", name, verb, value))), "out.pb" if verb == "freeze" else "out.ckpt"
        )
        path = case.saved if verb == "saved" else case.path
        answer = call(
            "prune" if verb == "prune" else "freeze",
            path,
            "-o",
            out if verb != "saved" else out + ".pb",
            "--force",
            "--outputs",
            "y",
            "--set",
            text,
        )
        self.done(answer)
        run = fed(case, fixed)
        expected = graphs.run_restored(case.meta, case.prefix, case, run)
        if verb == "prune":
            after = graphs.read_graph(out + ".meta")
            self.same_outputs(expected, graphs.run_restored(out + ".meta", out, case, run), answer.line)
        else:
            after = graphs.read_graph(out if verb == "freeze" else out + ".pb")
            self.same_outputs(expected, graphs.run_graph(after, case, run), answer.line)
        flow = [node.name for node in nodes_of(after) if node.op in ("If", "StatelessIf", "Case", "StatelessCase")]
        if name == "conditions":
            self.assertEqual(1, len(flow), (flow, answer.line))
            self.assertFalse([node.name for node in nodes_of(after) if node.op == "SelectV2"], answer.line)
        self.assertEqual(graphs.reachable_functions(after), {one.signature.name for one in after.library.function})

    @for_each(
        [
            (verb, frames, value)
            for verb in ("prune", "freeze", "lowered", "saved")
            for frames in (False, True)
            for value in (False, True)
        ]
    )
    def test_a_loop_keeps_no_capture_of_a_branch_that_is_gone(self, setting):
        verb, frames, value = setting
        case = MADE(
            f"bodies in a loop {frames}", in_a_loop, inputs=("x", "is_training"), resource=True, functional=not frames
        )
        out = os.path.join(folder("bodies in a loop", *map(str, setting)), "out.ckpt" if verb == "prune" else "out.pb")
        options = ["--lower-control-flow"] if verb == "lowered" else []
        answer = call(
            "prune" if verb == "prune" else "freeze",
            case.saved if verb == "saved" else case.path,
            "-o",
            out,
            "--force",
            "--outputs",
            "y",
            "--set",
            f"is_training={str(value).lower()}",
            *options,
        )
        self.done(answer)
        run = fed(case, {"is_training": value})
        expected = graphs.run_restored(case.meta, case.prefix, case, run)
        found = (
            graphs.run_restored(out + ".meta", out, case, run)
            if verb == "prune"
            else graphs.run_graph(graphs.read_graph(out), case, run)
        )
        self.same_outputs(expected, found, answer.line)
        after = graphs.read_graph(out + ".meta" if verb == "prune" else out)
        held = {name for name in ("w", "noise", "clean") if name in {node.name for node in after.node}}
        self.assertEqual(held, {"w", "noise" if value else "clean"}, answer.line)

    def cleaned(self, path, out, *options):
        """(answer, graph, what it computes)"""
        case = MADE("bodies checked", checked, resource=True, functional=True)
        answer = call(*options, path, "-o", out, "--force", "--outputs", "y", *CLEANING)
        self.done(answer)
        if out.endswith(".ckpt"):
            return answer, graphs.read_graph(out + ".meta"), graphs.run_restored(out + ".meta", out, case, feeds(case))
        if out.endswith(".pb"):
            after = graphs.read_graph(out)
            return answer, after, graphs.run_graph(after, case, feeds(case))
        with tf1.Session(graph=tf1.Graph(), config=graphs.config()) as session:
            after = tf1.saved_model.load(session, ["serve"], out).graph_def
            return answer, after, graphs.run_outputs(session, case, feeds(case))

    @for_each([("freeze",), ("freeze", "--no-inline"), ("freeze", "--lower-control-flow"), ("prune",)])
    def test_checks_and_identities_go_from_bodies_and_the_bits_stay(self, options):
        case = MADE("bodies checked", checked, resource=True, functional=True)
        for path in (case.path, case.saved):
            end = "out.pb" if options[0] == "freeze" else "out.ckpt" if path == case.path else "saved/"
            answer, after, found = self.cleaned(
                path, os.path.join(folder("bodies checked", *options, str(path == case.saved)), end), *options
            )
            self.same_outputs(reference(case), found, answer.line)
            self.assertFalse([node.name for node in nodes_of(after) if node.op in CHECKS], answer.line)
            idle = [
                node.name
                for each in after.library.function
                for node in each.node_def
                if node.op == "Identity" and not any(name.startswith("^") for name in node.input)
            ]
            self.assertFalse(idle, answer.line)
