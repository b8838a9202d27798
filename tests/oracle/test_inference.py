"""--inference: a training graph becomes what the original computes with its training switches fed, and what only training needs is gone."""

import os

import graphs
import numpy as np
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each

DECAY = 0.9
X = np.random.default_rng(7).random((4, 6), np.float32)
IMAGE = np.random.default_rng(8).random((4, 5, 5, 3), np.float32)


class Program:
    """A training graph: `build` returns its output, the output that inference has, and the feeds for that one."""

    def __init__(self, build, resource, functional, changes):
        self.build, self.resource, self.functional, self.changes = build, resource, functional, changes

    def __repr__(self):
        kind = "resource" if self.resource else "ref"
        return f"{self.build.__name__} {kind}{' functional' if self.functional else ''}"

    def saved(self):
        """Trains a little, saves, and returns (path, output, expected bits, feeds)."""
        usual = tf1.control_flow_v2_enabled()
        (tf1.enable_control_flow_v2 if self.functional else tf1.disable_control_flow_v2)()
        try:
            with tf.Graph().as_default() as graph:
                tf1.set_random_seed(3)
                scope = tf1.variable_scope(
                    "", use_resource=self.resource, initializer=tf1.random_uniform_initializer(0.2, 1.0)
                )
                with scope:
                    output, inference, feeds, training = self.build()
                updates = tf1.get_collection("updates") + graph.get_collection(tf1.GraphKeys.UPDATE_OPS)
                path = os.path.join(folder("inference", str(self)), "model.ckpt")
                with tf1.Session(config=graphs.config()) as session:
                    session.run(tf1.global_variables_initializer())
                    session.run(tf1.get_collection(tf1.GraphKeys.TABLE_INITIALIZERS) + tf1.get_collection("start"))
                    for _ in range(3):
                        session.run([output, *updates], training)
                    tf1.train.Saver().save(session, path)
                    expected = session.run(inference, feeds)
        finally:
            (tf1.enable_control_flow_v2 if usual else tf1.disable_control_flow_v2)()
        data = {name: value for name, value in feeds.items() if name in ("x:0", "image:0")}
        return path, output.op.name, expected, data


def update(op):
    tf1.add_to_collection("updates", op)


def averaged(name, statistic):
    """A moving average as tf.layers keeps it."""
    variable = tf1.get_variable(name, statistic.shape, trainable=False)
    rate = tf.constant(1 - DECAY)
    update(tf1.assign_sub(variable, (variable - statistic) * rate))
    return variable


def by_hand(name, statistic):
    """A moving average as people write it."""
    variable = tf1.get_variable(name, statistic.shape, trainable=False)
    update(tf1.assign(variable, variable * DECAY + statistic * (1 - DECAY)))
    return variable


def weighted(x, name, size=6):
    return tf.matmul(x, tf1.get_variable(name, [int(x.shape[-1]), size]))


def fused_always():
    image = tf1.placeholder(tf.float32, [None, 5, 5, 3], "image")
    scale, offset = tf1.get_variable("scale", [3]), tf1.get_variable("offset", [3])
    y, mean, variance = tf1.nn.fused_batch_norm(image, scale, offset, is_training=True)
    moving = averaged("moving_mean", mean), averaged("moving_variance", variance)
    served, _, _ = tf1.nn.fused_batch_norm(image, scale, offset, *map(tf.identity, moving), is_training=False)
    return tf.nn.relu(y, "y"), tf.nn.relu(served), {"image:0": IMAGE}, {"image:0": IMAGE}


def moments_always(average=averaged):
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    h = weighted(x, "w")
    mean, variance = tf.nn.moments(h, [0])
    beta, gamma = tf1.get_variable("beta", [6]), tf1.get_variable("gamma", [6])
    moving = average("moving_mean", mean), average("moving_variance", variance)
    y = tf.nn.batch_normalization(h, mean, variance, beta, gamma, 1e-3)
    served = tf.nn.batch_normalization(h, *map(tf.identity, moving), beta, gamma, 1e-3)
    return tf.nn.relu(y, "y"), tf.nn.relu(served), {"x:0": X}, {"x:0": X}


def moments_by_hand():
    return moments_always(by_hand)


def with_switch(condition):
    """Batch normalization in a tf.cond, and dropout after it."""
    image = tf1.placeholder(tf.float32, [None, 5, 5, 3], "image")
    is_training, train, infer = condition()
    scale, offset = tf1.get_variable("scale", [3]), tf1.get_variable("offset", [3])
    mean = tf1.get_variable("moving_mean", [3], trainable=False)
    variance = tf1.get_variable("moving_variance", [3], trainable=False)

    def training():
        y, batch_mean, batch_variance = tf1.nn.fused_batch_norm(image, scale, offset, is_training=True)
        moves = [
            tf1.assign_sub(mean, (mean - batch_mean) * (1 - DECAY)),
            tf1.assign_sub(variance, (variance - batch_variance) * (1 - DECAY)),
        ]
        with tf.control_dependencies(moves):
            return tf.nn.dropout(tf.identity(y), rate=0.4)

    def inference():
        return tf1.nn.fused_batch_norm(
            image, scale, offset, tf.identity(mean), tf.identity(variance), is_training=False
        )[0]

    y = tf.nn.relu(tf.cond(is_training, training, inference), "y")
    return y, y, {"image:0": IMAGE, **infer}, {"image:0": IMAGE, **train}


def plain_switch():
    def condition():
        return tf1.placeholder(tf.bool, [], "phase"), {"phase:0": True}, {"phase:0": False}

    return with_switch(condition)


def negated_switch():
    def condition():
        return tf.logical_not(tf1.placeholder(tf.bool, [], "serving")), {"serving:0": False}, {"serving:0": True}

    return with_switch(condition)


def default_switch():
    def condition():
        phase = tf1.placeholder_with_default(True, [], "keras_learning_phase")
        return phase, {}, {"keras_learning_phase:0": False}

    return with_switch(condition)


def number_switch():
    def condition():
        phase = tf1.placeholder(tf.int32, [], "learning_phase")
        return tf.cast(phase, tf.bool), {"learning_phase:0": 1}, {"learning_phase:0": 0}

    return with_switch(condition)


def statistics_switch():
    """The condition chooses between the statistics, and normalization follows it."""
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    phase = tf1.placeholder(tf.bool, [], "phase")
    h = weighted(x, "w")
    mean, variance = tf.nn.moments(h, [0])
    moving = [tf1.get_variable(f"moving_{i}", [6], trainable=False) for i in range(2)]

    def of_batch():
        moves = [tf1.assign(v, v * DECAY + s * (1 - DECAY)) for v, s in zip(moving, (mean, variance))]
        with tf.control_dependencies(moves):
            return tf.identity(mean), tf.identity(variance)

    chosen = tf.cond(phase, of_batch, lambda: tuple(tf.identity(v) for v in moving))
    y = tf.nn.relu(tf.nn.batch_normalization(h, *chosen, None, None, 1e-3), "y")
    return y, y, {"x:0": X, "phase:0": False}, {"x:0": X, "phase:0": True}


def dropout(amount, served, **how):
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    value, names = amount()
    h = tf.nn.relu(weighted(x, "w1"))
    masked = tf1.nn.dropout(h, **{how.get("as_", "rate"): value})
    y = tf.identity(weighted(masked, "w2"), "y")
    feeds = {"x:0": X, **{name: served for name in names}}
    return y, y, feeds, {"x:0": X, **{name: 0.5 for name in names}}


def dropout_of_rate():
    return dropout(lambda: (tf1.placeholder(tf.float32, [], "rate"), ["rate:0"]), 0.0)


def dropout_of_kept_share():
    return dropout(lambda: (tf1.placeholder(tf.float32, name="keep_prob"), ["keep_prob:0"]), 1.0, as_="keep_prob")


def dropout_with_default():
    return dropout(lambda: (tf1.placeholder_with_default(0.5, [], "rate"), ["rate:0"]), 0.0)


def old_dropout(x, keep, name):
    """The dropout of TensorFlow until 1.12."""
    mask = tf.floor(keep + tf.random.uniform(tf.shape(x)))
    masked = tf.multiply(tf1.div(x, keep), mask, name)
    masked.set_shape(x.shape)
    return masked


def dropout_before_1_13():
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    keep = tf1.placeholder(tf.float32, name="keep_prob")
    y = tf.identity(weighted(old_dropout(weighted(x, "w1"), keep, "drop"), "w2"), "y")
    return y, y, {"x:0": X, "keep_prob:0": 1.0}, {"x:0": X, "keep_prob:0": 0.5}


def dropout_of_constant_rate():
    """Nothing can be fed: the reference is the graph without it."""
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    h = tf.nn.relu(weighted(x, "w1"))
    w2 = tf1.get_variable("w2", [6, 6])
    y = tf.matmul(old_dropout(tf.nn.dropout(h, rate=0.3), 0.8, "drop"), w2, name="y")
    return y, tf.matmul(h, w2), {"x:0": X}, {"x:0": X}


def pipeline():
    """The head of a data set becomes a placeholder of its type and shape."""
    data = tf.data.Dataset.from_tensor_slices(X).repeat().batch(2)
    iterator = tf1.data.make_initializable_iterator(data)
    tf1.add_to_collection("start", iterator.initializer)
    x = iterator.get_next()
    phase = tf1.placeholder(tf.bool, [], "phase")
    h = weighted(tf.debugging.check_numerics(x, "bad"), "w")
    y = tf.identity(tf.cond(phase, lambda: tf.nn.dropout(h, rate=0.5), lambda: tf.identity(h)), "y")
    return y, y, {x.name: X, "phase:0": False}, {"phase:0": True}


PROGRAMS = [
    Program(build, resource, functional, changes)
    for build, functionals, changes in [
        (fused_always, [False], {"batch-normalization"}),
        (moments_always, [False], {"batch-normalization"}),
        (moments_by_hand, [False], {"batch-normalization"}),
        (plain_switch, [False, True], {"set"}),
        (negated_switch, [False, True], {"set"}),
        (default_switch, [False, True], {"set"}),
        (number_switch, [False], {"set"}),
        (statistics_switch, [False, True], {"set"}),
        (dropout_of_rate, [False], {"set", "dropout"}),
        (dropout_of_kept_share, [False], {"set", "dropout"}),
        (dropout_with_default, [False], {"set", "dropout"}),
        (dropout_before_1_13, [False], {"set", "dropout"}),
        (dropout_of_constant_rate, [False], {"dropout"}),
        (pipeline, [False], {"set", "input"}),
    ]
    for functional in functionals
    for resource in (False, True)
    if resource or not functional  # a functional branch cannot assign to a reference
]
TRAINING = {
    "RandomUniform",
    "Switch",
    "Merge",
    "If",
    "StatelessIf",
    "IteratorGetNext",
    "CheckNumerics",
    "AssignSub",
    "Assign",
}


def sampled():
    """Noise on both sides of a condition; a mask that scales nothing; the average of a mean that nothing is normalized by."""
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    phase = tf1.placeholder(tf.bool, [], "phase")
    h = weighted(x, "w")
    noisy = tf.cond(phase, lambda: h + tf.random.uniform([6]), lambda: h - tf.random.uniform([6]))
    masked = noisy * tf.floor(0.5 + tf.random.uniform([6]))
    mean = tf.reduce_mean(h, 0)
    averaged("mean_average", mean)
    y = tf.identity(masked - mean, "y")
    return y, y, {"x:0": X, "phase:0": False}, {"x:0": X, "phase:0": True}


@expanded
class Inference(Suite):
    @for_each(PROGRAMS)
    def test_computes_what_the_original_does_with_its_switches_fed(self, program):
        path, output, expected, data = program.saved()
        out = path.replace("model.ckpt", "frozen.pb")
        answer = call("freeze", path, "-o", out, "--outputs", output, "--inference")
        self.done(answer)
        self.assertEqual(program.changes, {each["change"] for each in answer.report["changes"]}, answer)
        graph = graphs.read_graph(out)
        self.assertEqual(set(), TRAINING & {node.op for node in graph.node}, answer)
        self.assertFalse([node for node in graph.node if node.attr["is_training"].b], answer)
        names = {node.name for node in graph.node if node.op == "Placeholder"}
        if not data:
            data = {next(iter(names)) + ":0": X}
        self.assertEqual({name.split(":")[0] for name in data}, names, answer)
        with tf.Graph().as_default():
            tf.import_graph_def(graph, name="")
            with tf1.Session(config=graphs.config()) as session:
                found = session.run(output + ":0", data)
        np.testing.assert_array_equal(expected, found, str(answer))

    @for_each(PROGRAMS)
    def test_is_done_once(self, program):
        path, output, _, _ = program.saved()
        first = path.replace("model.ckpt", "first.pb")
        again = path.replace("model.ckpt", "again.pb")
        self.done(call("freeze", path, "-o", first, "--outputs", output, "--inference", "--force"))
        answer = call("freeze", first, "-o", again, "--outputs", output, "--inference", "--force")
        self.done(answer)
        self.assertEqual([], answer.report["changes"], answer)
        self.assertEqual(open(first, "rb").read(), open(again, "rb").read(), answer)

    @for_each(PROGRAMS)
    def test_prune_keeps_it_trainable(self, program):
        path, output, expected, data = program.saved()
        out = path.replace("model.ckpt", "pruned.ckpt")
        self.done(call("prune", path, "-o", out, "--outputs", output, "--inference", "--force"))
        with tf.Graph().as_default() as graph:
            saver = tf1.train.import_meta_graph(out + ".meta")
            heads = [op.name for op in graph.get_operations() if op.type == "Placeholder" and "save/" not in op.name]
            heads = [name for name in heads if not name.startswith("save")]
            with tf1.Session(config=graphs.config()) as session:
                saver.restore(session, out)
                found = session.run(output + ":0", data or {heads[0] + ":0": X})
        np.testing.assert_array_equal(expected, found)


class InferenceLeaves(Suite):
    def test_what_is_not_known_to_be_training(self):
        path, output, _, _ = Program(sampled, False, False, set()).saved()
        out = path.replace("model.ckpt", "frozen.pb")
        answer = call("freeze", path, "-o", out, "--outputs", output, "--inference")
        self.done(answer)
        self.assertEqual([], answer.report["changes"], answer)
        self.assertEqual(["training-switch-unclear", "random-numbers"], answer.codes("warning"), answer)

    def test_what_was_set_by_hand(self):
        path, output, _, _ = Program(plain_switch, False, False, set()).saved()
        out = path.replace("model.ckpt", "by_hand.pb")
        answer = call("freeze", path, "-o", out, "--outputs", output, "--inference", "--set", "phase=true")
        self.assertNotIn("set", {each["change"] for each in answer.report.get("changes", [])}, answer)
