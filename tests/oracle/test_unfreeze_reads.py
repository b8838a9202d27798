"""unfreeze finds variables that only the name of their read tells: TensorFlow restores them, and freezing gives the graph back."""

import os

import graphs
from graphs import tf, tf1
from program import call
from suite import expanded, feeds, folder, for_each, reference
from thread import Thread, made, placeholder, variable


def outside(take):
    """A variable that is read in one branch, where nothing takes it as a weight."""

    def build():
        x, p, w = placeholder("x", None, 4), placeholder("p", dtype=tf.bool), variable("w", 4)
        tf.multiply(x, tf.cond(p, lambda: take(w), lambda: x[0]), name="y")

    return build


def scalar():
    x, p, w = placeholder("x", None, 4), placeholder("p", dtype=tf.bool), variable("scale")
    tf.multiply(x, tf.cond(p, lambda: w.read_value(), lambda: 1.0), name="y")


def whole():
    x, p = placeholder("x", None, 4), placeholder("p", dtype=tf.bool)
    count = tf1.get_variable("count", initializer=tf.constant(3), trainable=False)
    tf.multiply(x, tf.cast(tf.cond(p, lambda: count.read_value(), lambda: 1), tf.float32), name="y")


MODELS = {
    "as it is": outside(lambda w: w.read_value()),
    "tanh": outside(lambda w: tf.tanh(w.read_value())),
    "scalar": scalar,
    "whole": whole,
}
CASES = [
    (name, functional, style) for name in MODELS for functional in (False, True) for style in ("", "ref", "resource")
]


@expanded
class Reads(Thread):
    @for_each(CASES)
    def test_a_variable_that_is_read_only_in_a_branch_is_found(self, one):
        name, functional, style = one
        case = made(
            f"reads {name} {functional} {style}", MODELS[name], inputs=["x", "p"], resource=True, functional=functional
        )
        frozen, prefix, again = (
            os.path.join(folder(case.name, "out"), file) for file in ("frozen.pb", "model.ckpt", "again.pb")
        )
        self.done(call("freeze", case.path, "-o", frozen, "--outputs", "y"))
        answer = call("unfreeze", frozen, "-o", prefix, *(["--style", style] if style else []))
        self.done(answer)
        with graphs.restored(case.meta, case.prefix)[0] as session:
            held = {key: graphs.bits(value) for key, value in graphs.values_in(session).items()}
        with graphs.restored(prefix + ".meta", prefix)[0] as session:
            self.same({key: graphs.bits(value) for key, value in graphs.values_in(session).items()}, held, answer.line)
            self.same_outputs(reference(case), graphs.run_outputs(session, case, feeds(case)), answer.line)
        self.done(call("freeze", prefix + ".meta", "-o", again, "--outputs", "y"))
        with open(frozen, "rb") as one_file, open(again, "rb") as other_file:
            self.assertEqual(one_file.read(), other_file.read(), answer.line)
