"""TensorFlow 1 programs with loops and conditionals, each with weights that gradients reach only through them."""

import numpy as np
from graphs import tf, tf1


def weight(name, *shape):
    seed = sum(map(ord, name))
    return tf1.get_variable(name, initializer=np.random.RandomState(seed).normal(0, 0.4, shape).astype("f"))


def dynamic_lstm():
    x, lengths = tf1.placeholder(tf.float32, [None, None, 3], name="x"), tf1.placeholder(tf.int32, [None], name="n")
    kernel, bias = weight("kernel", 7, 16), weight("bias", 16)
    steps, batch = tf1.shape(x)[1], tf1.shape(x)[0]
    read = tf.TensorArray(tf.float32, size=steps).unstack(tf1.transpose(x, [1, 0, 2]))
    written = tf.TensorArray(tf.float32, size=steps)

    def body(i, c, h, out):
        gates = tf1.split(tf1.matmul(tf1.concat([read.read(i), h], 1), kernel) + bias, 4, 1)
        c2 = c * tf1.sigmoid(gates[2]) + tf1.sigmoid(gates[0]) * tf1.tanh(gates[1])
        h2 = tf1.tanh(c2) * tf1.sigmoid(gates[3])
        live = tf1.less(i, lengths)
        c2, h2 = tf1.where(live, c2, c), tf1.where(live, h2, h)
        return i + 1, c2, h2, out.write(i, h2)

    loop = tf1.while_loop(lambda i, *_: i < steps, body, [0, tf1.zeros([batch, 4]), tf1.zeros([batch, 4]), written])
    return tf1.reduce_sum(loop[2], 1), {"x": rand(2, 5, 3), "n": np.array([5, 3])}


def map_fn():
    x, w = tf1.placeholder(tf.float32, [None, 3], name="x"), weight("w", 3, 3)
    y = tf1.map_fn(lambda row: tf1.tanh(tf1.tensordot(row, w, 1)), x)
    return tf1.reduce_sum(y, 1), {"x": rand(4, 3)}


def unused_state():
    """The result needs `a` of each round, but not the last one: its Exit is not needed."""
    x, w = tf1.placeholder(tf.float32, [None, 3], name="x"), weight("w", 3, 3)
    body = lambda i, a, b: (i + 1, tf1.tanh(tf1.matmul(a, w)), b + a)
    return tf1.reduce_sum(tf1.while_loop(lambda i, *_: i < 4, body, [0, x, tf1.zeros_like(x)])[2], 1), {"x": rand(2, 3)}


def nested_loops():
    x, w, v = tf1.placeholder(tf.float32, [None, 3], name="x"), weight("w", 3, 3), weight("v", 3)

    def body(i, h):
        inner = tf1.while_loop(lambda j, _: j <= i, lambda j, g: (j + 1, tf1.tanh(tf1.matmul(g, w)) + v), [0, h])
        return i + 1, inner[1] * v + h

    return tf1.reduce_sum(tf1.while_loop(lambda i, _: i < 3, body, [0, x])[1], 1), {"x": rand(2, 3)}


def conditionals():
    x, p = tf1.placeholder(tf.float32, [None, 3], name="x"), tf1.placeholder(tf.bool, [], name="p")
    w, v = weight("w", 3, 3), weight("v", 3)
    inner = lambda: tf1.cond(tf1.reduce_sum(x) > 0.0, lambda: tf1.matmul(x, w) * v, lambda: x * v + 1.0)
    y = tf1.cond(p, inner, lambda: tf1.sigmoid(tf1.matmul(x, w)))
    return tf1.reduce_sum(tf1.cond(p, lambda: y * v, lambda: y), 1), {"x": rand(2, 3), "p": True}


def conditional_in_loop():
    x, w, v = tf1.placeholder(tf.float32, [None, 3], name="x"), weight("w", 3, 3), weight("v", 3, 3)

    def body(i, h):
        even = tf1.equal(i % 2, 0)
        return i + 1, tf1.cond(even, lambda: tf1.tanh(tf1.matmul(h, w)), lambda: tf1.sigmoid(tf1.matmul(h, v)) * h)

    return tf1.reduce_sum(tf1.while_loop(lambda i, _: i < 5, body, [0, x])[1], 1), {"x": rand(2, 3)}


def loop_in_conditional():
    x, p = tf1.placeholder(tf.float32, [None, 3], name="x"), tf1.placeholder(tf.bool, [], name="p")
    w = weight("w", 3, 3)
    loop = lambda: tf1.while_loop(lambda i, _: i < 3, lambda i, h: (i + 1, tf1.tanh(tf1.matmul(h, w))), [0, x])[1]
    return tf1.reduce_sum(tf1.cond(p, loop, lambda: tf1.matmul(x, w)), 1), {"x": rand(2, 3), "p": True}


def loops_and_conditionals():
    """A loop in a conditional in a loop, and a conditional in both."""
    x, w, v = tf1.placeholder(tf.float32, [None, 3], name="x"), weight("w", 3, 3), weight("v", 3)

    def step(j, g):
        return j + 1, tf1.cond(tf1.reduce_sum(g) > 0.0, lambda: tf1.tanh(tf1.matmul(g, w)), lambda: g * v)

    def body(i, h):
        return i + 1, tf1.cond(i > 0, lambda: tf1.while_loop(lambda j, _: j < 3, step, [0, h])[1] + x, lambda: h + v)

    return tf1.reduce_sum(tf1.while_loop(lambda i, _: i < 4, body, [0, x])[1], 1), {"x": rand(2, 3)}


def detections():
    """A loop like the Object Detection API's: images are resized, boxes suppressed, one image after the other."""
    x, w, v = tf1.placeholder(tf.uint8, [None, 12, 12, 3], name="x"), weight("w", 3, 3, 3, 4), weight("v", 4, 2)
    resized = tf1.map_fn(
        lambda one: tf1.image.resize_images(tf1.cast(one, tf.float32) / 255.0, [8, 8]), x, dtype=tf.float32
    )
    feature = tf1.nn.relu(tf1.nn.conv2d(resized, w, [1, 2, 2, 1], "SAME"))
    boxes = tf1.reshape(feature, [-1, 16, 4])
    scores = tf1.sigmoid(tf1.tensordot(boxes, v, 1))

    def chosen(one):
        keep = tf1.image.non_max_suppression(one[0], one[1][:, 0], 5, 0.5)
        short = tf1.shape(keep)[0] < 5
        pad = lambda t: tf1.cond(short, lambda: tf1.pad(t, [[0, 5 - tf1.shape(t)[0]], [0, 0]]), lambda: t)
        return pad(tf1.gather(one[0], keep)), pad(tf1.gather(one[1], keep))

    kept = tf1.map_fn(chosen, (boxes, scores), dtype=(tf.float32, tf.float32))
    image = np.random.RandomState(3).randint(0, 255, (2, 12, 12, 3)).astype("u1")
    return tf1.reduce_sum(kept[0], [1, 2]) + tf1.reduce_sum(kept[1], [1, 2]), {"x": image}


def stopped():
    """The first loop is excluded from gradients."""
    x, w = tf1.placeholder(tf.float32, [None, 3], name="x"), weight("w", 3, 3)
    body = lambda i, h: (i + 1, tf1.tanh(tf1.matmul(h, w)))
    h = tf1.while_loop(lambda i, _: i < 3, body, [0, x], back_prop=False)[1]
    h = tf1.while_loop(lambda i, _: i < 2, body, [0, h], swap_memory=True, parallel_iterations=3)[1]
    return tf1.reduce_sum(h, 1), {"x": rand(2, 3)}


def rand(*shape):
    return np.random.RandomState(len(shape)).normal(0, 1, shape).astype("f")


def negated():
    x, p = tf1.placeholder(tf.float32, [None, 3], name="x"), tf1.placeholder(tf.bool, [], name="p")
    w, v = weight("w", 3, 3), weight("v", 3)
    y = tf1.cond(tf1.logical_not(p), lambda: tf1.matmul(x, w), lambda: x * v)
    again = tf1.cond(tf1.logical_not(tf1.logical_not(p)), lambda: tf1.tanh(tf1.matmul(y, w)) * v, lambda: y + 1.0)
    return tf1.reduce_sum(again, 1), {"x": rand(2, 3), "p": True}


PROGRAMS = [
    negated,
    dynamic_lstm,
    map_fn,
    unused_state,
    nested_loops,
    conditionals,
    conditional_in_loop,
    loop_in_conditional,
    loops_and_conditionals,
    detections,
    stopped,
]
