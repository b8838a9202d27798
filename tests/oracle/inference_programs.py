"""Training graphs, and what inference makes of each: programs for test_inference.py."""

import os

import graphs
import numpy as np
from graphs import tf, tf1
from suite import folder

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
                    session.run(tf1.get_collection("serve"))
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


def with_switch(condition, other_side=False):
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
    served = tf.nn.relu(inference()) if other_side else y
    return y, served, {"image:0": IMAGE, **infer}, {"image:0": IMAGE, **train}


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


def variable_switch():
    """Nothing can be fed: the reference is the graph whose variable was assigned."""

    def condition():
        phase = tf1.get_variable("phase", initializer=tf.constant(True), trainable=False)
        tf1.add_to_collection("serve", tf1.assign(phase, False))
        return phase, {}, {}

    return with_switch(condition)


def number_variable_switch():
    def condition():
        phase = tf1.get_variable("phase", initializer=tf.constant(0), trainable=False)
        tf1.add_to_collection("serve", tf1.assign(phase, 1))
        return tf.logical_not(tf.cast(phase, tf.bool)), {}, {}

    return with_switch(condition)


def constant_switch():
    """Nothing can be set: the reference is the other side."""
    return with_switch(lambda: (tf.constant(True, name="phase"), {}, {}), other_side=True)


def constant_switch_of_inference():
    """The condition is right as it is, and its branches are folded."""
    return with_switch(lambda: (tf.constant(False, name="phase"), {}, {}))


def delayed():
    """A branch by a variable that is no training switch: its value is the checkpoint's."""
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    step = tf1.get_variable("step", initializer=tf.constant(0), trainable=False)
    update(tf1.assign_add(step, 1))
    h = weighted(x, "w")
    y = tf.identity(tf.cond(step >= 2, lambda: tf.nn.relu(h), lambda: tf.nn.relu6(h) - 1.0), "y")
    return y, y, {"x:0": X}, {"x:0": X}


def quantized():
    """Ranges that the forward half updates: of weights the last, of activations a moving average."""
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    w = tf1.get_variable("w", [6, 6])

    def fake(value, name, moves):
        low, high = (
            tf1.get_variable(f"{name}/{end}", initializer=at, trainable=False)
            for end, at in (("min", -6.0), ("max", 6.0))
        )
        ends = tf.reduce_min(value), tf.reduce_max(value)
        if moves:
            updated = [tf1.assign_sub(v, (v - e) * 0.1) for v, e in zip((low, high), ends)]
        else:
            updated = [tf1.assign(v, e) for v, e in zip((low, high), ends)]
        quantize = tf.quantization.fake_quant_with_min_max_vars
        return quantize(value, *updated), lambda served: quantize(served, tf.identity(low), tf.identity(high))

    trained_w, served_w = fake(w, "w_range", False)
    h = tf.nn.relu(tf.matmul(x, trained_w))
    trained, served = fake(h, "h_range", True)
    return tf.identity(trained, "y"), served(tf.nn.relu(tf.matmul(x, served_w(w)))), {"x:0": X}, {"x:0": X}


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


def dropout_of_variable_rate():
    """Nothing can be fed: the reference is the graph whose rate is 0."""

    def amount():
        rate = tf1.get_variable("rate", initializer=tf.constant(0.5), trainable=False)
        tf1.add_to_collection("serve", tf1.assign(rate, 0.0))
        return tf.identity(rate), []

    return dropout(amount, 0.0)


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
        (variable_switch, [False, True], {"set"}),
        (number_variable_switch, [False, True], {"set"}),
        (constant_switch, [False, True], {"set"}),
        (constant_switch_of_inference, [False], {"branch"}),
        (constant_switch_of_inference, [True], set()),
        (delayed, [False], {"branch"}),
        (delayed, [True], set()),
        (quantized, [False], {"range"}),
        (statistics_switch, [False, True], {"set"}),
        (dropout_of_rate, [False], {"set", "dropout"}),
        (dropout_of_kept_share, [False], {"set", "dropout"}),
        (dropout_of_variable_rate, [False], {"set", "dropout"}),
        (dropout_with_default, [False], {"set", "dropout"}),
        (dropout_before_1_13, [False], {"set", "dropout"}),
        (dropout_of_constant_rate, [False], {"dropout"}),
        (pipeline, [False], {"set", "input"}),
    ]
    for functional in functionals
    for resource in (False, True)
    if resource or not functional  # a functional branch cannot assign to a reference
]
