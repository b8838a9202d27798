"""--fold-batch-norm: normalizations are in the weights of the layers before them, and TensorFlow computes nearly the same."""

import os

import graphs
import numpy as np
from cases import WITH_WEIGHTS
from graphs import tf, tf1
from optimized import IMAGE, MATRIX, RANDOM, built, freeze, image, looped, numbers, ops_of, run
from program import call
from suite import Suite, expanded, feeds, folder, for_each, reference

VOLUME = RANDOM.random((2, 4, 4, 4, 2), np.float32) - 0.5
NORMALIZATION = {
    "FusedBatchNorm",
    "FusedBatchNormV2",
    "FusedBatchNormV3",
    "Rsqrt",
    "Mul",
    "Sub",
    "RealDiv",
    "Add",
    "AddV2",
}

# Layers, each followed by a normalization.


def fused(y, version=3, channels=5):
    parameters = numbers(channels), numbers(channels), numbers(channels), numbers(channels, low=0.1)
    op = {1: tf.raw_ops.FusedBatchNorm, 2: tf.raw_ops.FusedBatchNormV2, 3: tf.raw_ops.FusedBatchNormV3}[version]
    scale, offset, mean, variance = parameters
    return op(x=y, scale=scale, offset=offset, mean=mean, variance=variance, epsilon=0.01, is_training=False)[0]


def written_out(y, channels=5):
    parameters = numbers(channels), numbers(channels, low=0.1), numbers(channels), numbers(channels)
    return tf.nn.batch_normalization(y, *(tf.identity(each) for each in parameters), 1e-3)


def conv_and(normalize, bias=False, **options):
    def build():
        x = image()
        y = tf.nn.conv2d(x, tf.identity(numbers(3, 3, 3, 5)), 1, "SAME")
        if bias:
            y = tf.nn.bias_add(y, numbers(5))
        return tf.nn.relu(normalize(y, **options)), {x: IMAGE}

    return build


def depthwise():
    x = image()
    y = tf.nn.depthwise_conv2d(x, numbers(3, 3, 3, 2), [1, 1, 1, 1], "VALID")
    return fused(y, channels=6), {x: IMAGE}


def volume():
    x = tf1.placeholder(tf.float32, [None, 4, 4, 4, 2], "x")
    y = tf.nn.conv3d(x, numbers(2, 2, 2, 2, 5), [1] * 5, "SAME")
    return written_out(y), {x: VOLUME}


def matrix(transposed):
    def build():
        x = tf1.placeholder(tf.float32, [None, 6], "x")
        y = tf.matmul(x, numbers(5, 6) if transposed else numbers(6, 5), transpose_b=transposed)
        return written_out(tf.nn.bias_add(y, numbers(5))), {x: MATRIX}

    return build


def scaled_alone():
    x = image()
    return tf.nn.conv2d(x, numbers(3, 3, 3, 5), 1, "SAME") * numbers(5), {x: IMAGE}


def subtracted():
    x = image()
    y = tf.nn.conv2d(x, numbers(3, 3, 3, 5), 1, "SAME")
    return (numbers(5) - y / numbers(1, 1, 1, 5, low=0.5)) * 3.0, {x: IMAGE}


def shared_weights():
    x = image()
    w = tf.identity(numbers(3, 3, 3, 3))
    first = fused(tf.nn.conv2d(x, w, 1, "SAME"), channels=3)
    return fused(tf.nn.conv2d(tf.nn.relu(first), w, 1, "SAME"), channels=3), {x: IMAGE}


FOLDED = {
    "fused": conv_and(fused),
    "fused of 1.0": conv_and(fused, version=1),
    "fused of 1.8, with bias": conv_and(fused, bias=True, version=2),
    "written out": conv_and(written_out),
    "written out, with bias": conv_and(written_out, bias=True),
    "depthwise": depthwise,
    "volume": volume,
    "matrix": matrix(False),
    "transposed matrix": matrix(True),
    "a factor alone": scaled_alone,
    "subtracted from": subtracted,
    "shared weights": shared_weights,
    "in a loop": looped,
}


def after_relu():
    x = image()
    return fused(tf.nn.relu(tf.nn.conv2d(x, numbers(3, 3, 3, 5), 1, "SAME"))), {x: IMAGE}


def used_twice():
    x = image()
    y = tf.nn.conv2d(x, numbers(3, 3, 3, 5), 1, "SAME")
    return fused(y) + y, {x: IMAGE}


def of_the_batch():
    x = image()
    y = tf.nn.conv2d(x, numbers(3, 3, 3, 5), 1, "SAME")
    empty = tf.constant([], tf.float32)
    return tf.raw_ops.FusedBatchNormV3(
        x=y, scale=numbers(5), offset=numbers(5), mean=empty, variance=empty, is_training=True
    )[0], {x: IMAGE}


def with_statistics():
    x = image()
    y = tf.nn.conv2d(x, numbers(3, 3, 3, 5), 1, "SAME")
    result = tf.raw_ops.FusedBatchNormV3(
        x=y, scale=numbers(5), offset=numbers(5), mean=numbers(5), variance=numbers(5, low=0.1), is_training=False
    )
    return result[0] + result[1], {x: IMAGE}


def by_place():
    x = image()
    return tf.nn.conv2d(x, numbers(3, 3, 3, 6), 1, "SAME") * numbers(6, 1), {x: IMAGE}


def fed_factor():
    x = image()
    factor = tf1.placeholder_with_default(np.ones(5, np.float32), [5], "factor")
    return tf.nn.conv2d(x, numbers(3, 3, 3, 5), 1, "SAME") * factor, {x: IMAGE}


def without_variance():
    x = image()
    y = tf.nn.conv2d(x, numbers(3, 3, 3, 5), 1, "SAME")
    return y / tf.constant([1, 2, 0, 3, 4], tf.float32), {x: IMAGE}


def too_large():
    x = image()
    return tf.nn.conv2d(x, 1e10 * numbers(3, 3, 3, 5), 1, "SAME") * tf.constant(1e28), {x: 1e-25 * IMAGE}


LEFT = [too_large, after_relu, used_twice, of_the_batch, with_statistics, by_place, fed_factor, without_variance]


@expanded
class FoldBatchNorm(Suite):
    @for_each(FOLDED)
    def test_it_is_in_the_weights(self, name):
        path, expected, data = built("folded " + name, FOLDED[name])
        answer, out = freeze(path, "folded.pb", "--fold-batch-norm")
        self.done(answer)
        counts = {"Add", "AddV2"} if name == "in a loop" else set()
        self.assertEqual(counts & set(ops_of(out)), NORMALIZATION & set(ops_of(out)), answer)
        self.assertLessEqual(ops_of(out).count("BiasAdd"), 2, answer)
        changes = {each["change"] for each in answer.report["changes"]}
        self.assertEqual({"folded-batch-normalization"}, changes, answer)
        np.testing.assert_allclose(run(out, data), expected, rtol=1e-4, atol=2e-5, err_msg=str(answer))

    @for_each(FOLDED)
    def test_twice_is_once(self, name):
        path, _, _ = built("again " + name, FOLDED[name])
        answer, first = freeze(path, "first.pb", "--fold-batch-norm")
        answer, again = freeze(first, "again.pb", "--fold-batch-norm")
        self.assertEqual([], answer.report["changes"], answer)
        self.assertEqual(open(first, "rb").read(), open(again, "rb").read(), answer)

    @for_each(LEFT)
    def test_the_rest_stays(self, build):
        path, expected, data = built("left " + build.__name__, build)
        answer, out = freeze(path, "left.pb", "--fold-batch-norm")
        self.done(answer)
        self.assertEqual([], answer.report["changes"], answer)
        np.testing.assert_array_equal(run(out, data), expected, str(answer))

    @for_each([False, True])
    def test_the_op_of_2015_is_folded(self, scales):
        path, _, data = built(f"global {scales}", conv_and(fused))
        graph = graphs.read_graph(path)
        graph.versions.producer = 8  # the op was removed in 9
        node = next(node for node in graph.node if node.op == "FusedBatchNormV3")
        y, scale, offset, mean, variance = node.input
        node.ClearField("attr")
        node.op, node.input[:] = "BatchNormWithGlobalNormalization", [y, mean, variance, offset, scale]
        node.attr["T"].type = tf.float32.as_datatype_enum
        node.attr["variance_epsilon"].f, node.attr["scale_after_normalization"].b = 0.01, scales
        with open(path, "wb") as file:
            file.write(graph.SerializeToString())
        answer, out = freeze(path, "folded.pb", "--fold-batch-norm")
        self.done(answer)
        self.assertNotIn("BatchNormWithGlobalNormalization", ops_of(out), answer)
        np.testing.assert_allclose(run(out, data), run(path, data), rtol=1e-4, atol=2e-5, err_msg=str(answer))

    @for_each(WITH_WEIGHTS)
    def test_a_model_computes_nearly_the_same(self, case):
        path = os.path.join(folder(case.name), "normalized.pb")
        answer = call("freeze", case.path, "-o", path, "--outputs", ",".join(case.outputs), "--fold-batch-norm")
        self.done(answer)
        graph = graphs.read_graph(path)
        found = graphs.run_graph(graph, case, feeds(case))
        if not answer.report["changes"]:
            self.same_outputs(reference(case), found, answer.line)
            return
        for before, after in zip(reference(case), found):
            self.assertEqual(set(before), set(after), answer)
            for tensor, (dtype, _, content) in before.items():
                if not dtype.startswith("float"):
                    continue
                one, other = np.frombuffer(content, dtype), np.frombuffer(after[tensor][2], dtype)
                scale = max(1e-3, float(np.abs(one[np.isfinite(one)]).max(initial=0)))
                np.testing.assert_allclose(other, one, rtol=1e-3, atol=1e-4 * scale, err_msg=str(answer))
