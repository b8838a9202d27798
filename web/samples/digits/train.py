#!/usr/bin/env python3
"""Trains the bundled sample: a small convolutional classifier of drawn digits, saved as `.meta` and V2 checkpoint.

    build/tensorflow/bin/python web/samples/digits/train.py [DIRECTORY]

The digits are drawn here (a 5x7 font, stretched, sheared, shifted, blurred, with noise), so nothing is downloaded. Everything
is seeded and runs in one thread: the same TensorFlow writes the same bytes again.
"""

import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1

SIZE = 28
FONT = """
.###. ..#.. .###. .###. ...#. ##### ..##. ##### .###. .###.
#...# .##.. #...# #...# ..##. #.... .#... ....# #...# #...#
#..## ..#.. ....# ....# .#.#. ####. #.... ...#. #...# #...#
#.#.# ..#.. ...#. ..##. #..#. ....# ####. ..#.. .###. .####
##..# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....#
#...# ..#.. .#... #...# ...#. #...# #...# ..#.. #...# ...#.
.###. .###. ##### .###. ...#. .###. .###. ..#.. .###. .##..
""".split()
GLYPHS = [np.array([[c == "#" for c in FONT[row * 10 + digit]] for row in range(7)], np.float32) for digit in range(10)]


def draw(digit, rng):
    """One image of SIZE x SIZE in 0..1: the glyph seen through a random affine map, softened, with noise."""
    height, width = rng.uniform(14, 23), rng.uniform(9, 17)
    top, left = rng.uniform(1, SIZE - 1 - height), rng.uniform(1, SIZE - 1 - width)
    y, x = np.mgrid[0:SIZE, 0:SIZE] + 0.5
    row = (y - top) / height * 7
    column = (x - left + rng.uniform(-0.25, 0.25) * (y - SIZE / 2)) / width * 5
    inside = (row >= 0) & (row < 7) & (column >= 0) & (column < 5)
    pixels = GLYPHS[digit][np.clip(row, 0, 6.99).astype(int), np.clip(column, 0, 4.99).astype(int)] * inside
    around = sum(np.roll(pixels, shift, axis) for shift in (1, -1) for axis in (0, 1))
    image = (pixels + rng.uniform(0, 0.25) * around) * rng.uniform(0.6, 1) + rng.normal(0, 0.15, pixels.shape)
    return np.clip(image, 0, 1)


def drawn(count, seed):
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, 10, count)
    return np.stack([draw(label, rng) for label in labels])[..., None].astype(np.float32), labels.astype(np.int64)


def layer(name, x, shape, seed, convolve=None):
    """A dense layer, or a convolution of that stride, with bias, and a histogram for the summaries."""
    with tf1.variable_scope(name):
        scale = np.sqrt(2 / np.prod(shape[:-1]))
        weights = tf1.get_variable(
            "weights", shape, initializer=tf1.truncated_normal_initializer(stddev=scale, seed=seed)
        )
        biases = tf1.get_variable("biases", shape[-1:], initializer=tf1.zeros_initializer())
        tf1.summary.histogram("weights_histogram", weights)
        product = tf1.nn.conv2d(x, weights, [1, convolve, convolve, 1], "SAME") if convolve else tf1.matmul(x, weights)
        return tf1.nn.bias_add(product, biases)


def network():
    image = tf1.placeholder(tf.float32, [None, SIZE, SIZE, 1], "image")
    label = tf1.placeholder(tf.int64, [None], "label")
    x = tf1.nn.relu(layer("conv1", image, [5, 5, 1, 8], 1, convolve=2), "conv1/relu")
    x = tf1.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", name="pool1")
    x = tf1.nn.relu(layer("conv2", x, [3, 3, 8, 16], 2, convolve=1), "conv2/relu")
    x = tf1.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", name="pool2")
    x = tf1.reshape(x, [-1, 4 * 4 * 16], "flatten")
    x = tf1.nn.relu(layer("hidden", x, [4 * 4 * 16, 32], 3), "hidden/relu")
    logits = tf.identity(layer("readout", x, [32, 10], 4), "logits")
    tf1.nn.softmax(logits, name="probabilities")
    return image, label, logits


def training(label, logits):
    with tf1.name_scope("loss"):
        loss = tf.reduce_mean(tf1.nn.sparse_softmax_cross_entropy_with_logits(labels=label, logits=logits), name="mean")
    with tf1.name_scope("accuracy"):
        accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), label), tf.float32), name="mean")
    step = tf1.train.get_or_create_global_step()
    rate = tf1.train.exponential_decay(0.003, step, 300, 0.5, name="learning_rate")
    train = tf1.train.AdamOptimizer(rate).minimize(loss, step, name="train")
    tf1.summary.scalar("loss", loss)
    tf1.summary.scalar("accuracy", accuracy)
    tf1.summary.merge_all()
    return train, accuracy


def shorten(session):
    """Rounds all variables to the precision of bfloat16: the page carries them, and zeros pack well."""
    for variable in tf1.global_variables():
        value = session.run(variable)
        if value.dtype == np.float32:
            variable.load(value.astype(tf.bfloat16.as_numpy_dtype).astype(np.float32), session)


def main(directory):
    tf1.disable_v2_behavior()
    tf1.set_random_seed(1)
    image, label, logits = network()
    train, accuracy = training(label, logits)
    init = tf1.global_variables_initializer()
    saver = tf1.train.Saver(save_relative_paths=True)

    images, labels = drawn(12000, seed=1)
    unseen_images, unseen_labels = drawn(2000, seed=2)
    order = np.random.RandomState(3)
    with tf1.Session(config=tf1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)) as session:
        session.run(init)
        for _ in range(1200):
            batch = order.randint(0, len(images), 64)
            session.run(train, {image: images[batch], label: labels[batch]})
        shorten(session)
        result = session.run(accuracy, {image: unseen_images, label: unseen_labels})
        prefix = saver.save(session, os.path.join(directory, "model.ckpt"), write_meta_graph=False)
    meta = saver.export_meta_graph(strip_default_attrs=True)
    with open(prefix + ".meta", "wb") as file:
        file.write(meta.SerializeToString(deterministic=True))  # maps sorted, else their order is that of a hash
    print(f"accuracy on {len(unseen_labels)} unseen drawn digits: {result:.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
