"""Small .tflite models, one a group of operators, made by TensorFlow's own converter; a process of its own, for the suite has no eager
execution:

    python tests/oracle/tflite_models.py NAME OUT.tflite
"""

import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np
import tensorflow as tf


def spec(*shape, dtype=tf.float32):
    return tf.TensorSpec(shape, dtype)


X = spec(2, 5, 6, 4)
M = spec(3, 8)
INTS = spec(3, 8, dtype=tf.int32)

# name -> function, specs. Each gives one tensor, or a list of tensors.
FUNCTIONS = {
    "arithmetic": (lambda x, y: [x + y, x - y, x * y, x / (y + 3.0), tf.maximum(x, y), tf.minimum(x, y)], [M, M]),
    "broadcast": (lambda x: x * tf.constant([[1.0], [2.0], [3.0]]) + tf.constant(np.arange(8.0), tf.float32), [M]),
    "unary": (
        lambda x: [tf.abs(x), -x, tf.exp(x), tf.sin(x), tf.cos(x), tf.floor(x), tf.math.ceil(x), tf.square(x)],
        [M],
    ),
    "roots": (lambda x: [tf.sqrt(tf.abs(x) + 1.0), tf.math.rsqrt(tf.abs(x) + 1.0), tf.math.log(tf.abs(x) + 1.0)], [M]),
    "activations": (
        lambda x: [tf.nn.relu(x), tf.nn.relu6(x * 4), tf.nn.elu(x), tf.tanh(x), tf.sigmoid(x), tf.nn.leaky_relu(x)],
        [M],
    ),
    "gelu": (lambda x: 0.5 * x * (1.0 + tf.math.erf(x * 0.70710678)), [M]),
    "gates": (lambda x: [tf.nn.gelu(x, approximate=True), tf.nn.swish(x), x * tf.nn.relu6(x + 3.0) / 6.0], [M]),
    "softmax": (lambda x: [tf.nn.softmax(x), tf.nn.log_softmax(x)], [M]),
    "comparisons": (lambda x, y: [x > y, x >= y, x < y, x <= y, tf.equal(x, y), tf.not_equal(x, y)], [M, M]),
    "logic": (lambda x: [tf.logical_and(x > 0, x < 1), tf.logical_or(x > 1, x < 0), tf.logical_not(x > 0)], [M]),
    "select": (lambda x, y: tf.where(x > 0, x, y), [M, M]),
    "integers": (lambda x, y: [x // (y * y + 1), x % (y * y + 1), x + y, tf.bitwise.bitwise_xor(x, y)], [INTS, INTS]),
    "reductions": (
        lambda x: [tf.reduce_sum(x, 1), tf.reduce_mean(x, [1, 2]), tf.reduce_max(x, 3), tf.reduce_min(x, 0, True)],
        [X],
    ),
    "products": (lambda x: [tf.reduce_prod(x, 1), tf.reduce_any(x > 0, 1), tf.reduce_all(x > 0, 1)], [M]),
    "indices": (lambda x: [tf.argmax(x, 1), tf.argmin(x, 0), tf.where(x > 0.5)], [M]),
    "top": (lambda x: [tf.cast(each, tf.float32) for each in tf.math.top_k(x, 3)], [M]),
    "layout": (
        lambda x: [
            tf.transpose(x, [0, 3, 1, 2]),
            tf.reshape(x, [2, -1]),
            tf.nn.space_to_depth(x[:, :4], 2),
            x[..., tf.newaxis],
        ],
        [X],
    ),
    "blocks": (lambda x: [tf.nn.depth_to_space(x, 2), tf.space_to_batch(x, [1, 2], [[0, 0], [0, 0]])], [X]),
    "slices": (lambda x: [x[:, 1:4:2, ::-1], tf.slice(x, [0, 1, 0, 2], [2, 2, -1, 1]), x[0, ..., 1]], [X]),
    "pads": (
        lambda x: [
            tf.pad(x, [[0, 0], [1, 2]]),
            tf.pad(x, [[1, 0], [0, 0]], constant_values=7.0),
            tf.pad(x, [[1, 1], [2, 2]], "REFLECT"),
        ],
        [M],
    ),
    "joins": (lambda x, y: [tf.concat([x, y], 1), tf.stack([x, y], 1), *tf.split(x, 2, 1), *tf.unstack(y)], [M, M]),
    "parts": (lambda x: tf.split(x, [1, 3, 4], 1), [M]),
    "gathers": (lambda x: [tf.gather(x, [2, 0]), tf.gather(x, [1, 5], axis=1), tf.gather_nd(x, [[0, 1], [2, 3]])], [M]),
    "scatters": (lambda x: tf.scatter_nd([[4], [1], [0]], x, [6, 8]), [M]),
    "tiles": (lambda x: [tf.tile(x, [2, 1]), tf.broadcast_to(x[:1], [4, 8]), tf.reverse(x, [1]), tf.cumsum(x, 1)], [M]),
    "one_hot": (lambda x: tf.one_hot(x, 5, 2.0, -1.0), [spec(4, dtype=tf.int32)]),
    "casts": (
        lambda x: [tf.cast(x, tf.int32), tf.cast(x * 3, tf.int64), tf.cast(x > 0, tf.float32), tf.round(x), tf.sign(x)],
        [M],
    ),
    "segments": (lambda x: [tf.math.segment_sum(x, [0, 0, 1]), tf.math.unsorted_segment_sum(x, [1, 0, 1], 3)], [M]),
    "matrices": (
        lambda x, y: [tf.matmul(x, y, transpose_b=True), tf.linalg.diag(x[0])],
        [spec(2, 3, 4), spec(2, 5, 4)],
    ),
    "pools": (
        lambda x: [
            tf.nn.max_pool2d(x, 2, 2, "SAME"),
            tf.nn.avg_pool2d(x, 3, 1, "VALID"),
            tf.nn.avg_pool2d(x, 3, 2, "SAME"),
        ],
        [X],
    ),
    "resizes": (lambda x: [tf.image.resize(x, [9, 7]), tf.image.resize(x, [3, 4], "nearest")], [X]),
    "normalization": (lambda x: [tf.math.l2_normalize(x, -1), tf.nn.local_response_normalization(x, 2)], [X]),
    "powers": (lambda x, y: [tf.pow(tf.abs(x), y), tf.math.squared_difference(x, y), tf.atan2(x, y)], [M, M]),
    "prelu": (lambda x: tf.where(x >= 0, x, x * tf.constant(np.linspace(0, 1, 8), tf.float32)), [M]),
    "loop": (lambda x: tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * 1.5 + 1), [0, x])[1], [M]),
    "branch": (lambda x: tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2, lambda: x - 1), [M]),
    "suppression": (
        lambda b, s: tf.image.non_max_suppression_padded(b, s, 4, pad_to_max_output_size=True)[0],
        [spec(6, 4), spec(6)],
    ),
}


def random(shape, seed):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def conv(filters, strides=1, padding="SAME", dilations=1):
    weights = random([3, 2, 4, filters], filters)
    return lambda x: tf.nn.relu(tf.nn.conv2d(x, weights, strides, padding, dilations=dilations) + random([filters], 1))


def depthwise(multiplier, strides, padding, dilations):
    weights = random([3, 3, 4, multiplier], multiplier)
    return lambda x: tf.nn.relu6(
        tf.nn.depthwise_conv2d(x, weights, [1, *strides, 1], padding, dilations=dilations) + random([4 * multiplier], 1)
    )


LAYERS = {
    "conv_same": conv(5),
    "conv_valid": conv(3, 2, "VALID"),
    "conv_dilated": conv(3, 1, "SAME", 2),
    "depthwise": depthwise(2, [1, 1], "SAME", None),
    "depthwise_strides": depthwise(1, [2, 2], "SAME", None),
    "depthwise_dilated": depthwise(1, [1, 1], "SAME", [2, 2]),
    "depthwise_dilated_valid": depthwise(2, [1, 1], "VALID", [2, 1]),
    "transposed": lambda x: tf.nn.conv2d_transpose(x, random([3, 3, 2, 4], 1), [2, 10, 12, 2], 2),
    "dense": lambda x: tf.nn.relu(tf.matmul(tf.reshape(x, [-1, 4]), random([4, 7], 1)) + random([7], 2)),
    "conv_3d": lambda x: tf.nn.conv3d(x[:, tf.newaxis], random([1, 2, 2, 4, 3], 1), [1, 1, 1, 1, 1], "SAME"),
}
FUNCTIONS.update({name: (layer, [X]) for name, layer in LAYERS.items()})


def model(name):
    function, specs = FUNCTIONS[name]
    concrete = tf.function(function).get_concrete_function(*specs)
    return tf.lite.TFLiteConverter.from_concrete_functions([concrete]).convert()


if __name__ == "__main__":
    with open(sys.argv[2], "wb") as file:
        file.write(model(sys.argv[1]))
