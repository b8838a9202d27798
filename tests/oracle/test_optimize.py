"""The optimizations that keep every bit, and weights in smaller types: what they remove is gone, and TensorFlow computes what they promise."""

import os

import graphs
import numpy as np
from cases import WITH_WEIGHTS
from graphs import tf, tf1
from optimized import IMAGE, MATRIX, RANDOM, built, freeze, image, looped, numbers, ops_of, run
from program import call
from suite import Suite, expanded, feeds, folder, for_each, reference

# Small tensors that do not depend on the input, in many ways.


def of(*shape, dtype=np.int32, low=-5, high=6):
    if np.dtype(dtype).kind == "f":
        return tf.constant(RANDOM.uniform(low, high, shape).astype(dtype))
    if np.dtype(dtype) == np.bool_:
        return tf.constant(RANDOM.integers(0, 2, shape).astype(bool))
    return tf.constant(RANDOM.integers(low, high, shape).astype(dtype))


def elementwise():
    raw = tf.raw_ops
    for dtype in (np.int32, np.int64, np.float32, np.float64, np.int8):
        name = np.dtype(dtype).name
        whole = np.dtype(dtype).kind == "i"
        for op in (raw.Add, raw.AddV2, raw.Sub, raw.Mul, raw.Maximum, raw.Minimum, raw.Equal, raw.NotEqual, raw.Less):
            yield (
                f"{op.__name__} {name}",
                lambda op=op, dtype=dtype: op(x=of(3, 1, 2, dtype=dtype), y=of(4, 1, dtype=dtype)),
            )
        divisions = (raw.FloorDiv, raw.FloorMod, raw.TruncateDiv) if whole else (raw.RealDiv, raw.Div)
        for op in divisions:
            yield (
                f"{op.__name__} {name}",
                lambda op=op, dtype=dtype: op(
                    x=of(2, 9, dtype=dtype, low=-9, high=10), y=of(9, dtype=dtype, low=1, high=5)
                ),
            )
            yield (
                f"{op.__name__} {name} by less than 0",
                lambda op=op, dtype=dtype: op(
                    x=of(2, 9, dtype=dtype, low=-9, high=10), y=of(9, dtype=dtype, low=-5, high=0)
                ),
            )
        for op in (raw.Neg, raw.Abs, raw.Square, raw.Sqrt, raw.Floor, raw.Ceil):
            if whole and op in (raw.Sqrt, raw.Floor, raw.Ceil) or dtype == np.int8 and op is raw.Square:
                continue
            low = 0 if op is raw.Sqrt else -5
            yield f"{op.__name__} {name}", lambda op=op, dtype=dtype, low=low: op(x=of(7, dtype=dtype, low=low))
        for to in (tf.int32, tf.int64, tf.float32, tf.float64, tf.uint8, tf.bool):
            if to == tf.as_dtype(dtype):
                continue
            yield (
                f"Cast {name} to {to.name}",
                lambda to=to, dtype=dtype: tf.cast(
                    of(8, dtype=dtype, low=0, high=200 if whole and dtype != np.int8 else 90), to
                ),
            )
    yield "large", lambda: tf.cast(tf.constant([2**53 + 1, -(2**60) - 1, 16777217], tf.int64), tf.float32)
    yield "overflow", lambda: tf.constant([2**30, 7], tf.int32) * tf.constant([4, 2**30], tf.int32)
    yield "by 0", lambda: tf.raw_ops.RealDiv(x=of(3, dtype=np.float32), y=tf.zeros([3]))
    yield "And", lambda: of(4, dtype=np.bool_) & of(2, 1, dtype=np.bool_)
    yield "Or", lambda: of(4, dtype=np.bool_) | of(2, 1, dtype=np.bool_)
    yield "Not", lambda: ~of(4, dtype=np.bool_)
    yield "Select", lambda: tf.raw_ops.Select(condition=of(3, 4, dtype=np.bool_), x=of(3, 4), y=of(3, 4))
    yield "SelectV2", lambda: tf.raw_ops.SelectV2(condition=of(4, dtype=np.bool_), t=of(3, 1), e=of(1, 4))


def reductions():
    for op in (tf.reduce_sum, tf.reduce_prod, tf.reduce_max, tf.reduce_min):
        for axis in ([0], [1, -1], [0, 1, 2], []):
            for keeps in (False, True):
                yield (
                    f"{op.__name__} {axis} {keeps}",
                    lambda op=op, axis=axis, keeps=keeps: op(of(2, 3, 4), axis, keeps),
                )
    yield "all", lambda: tf.reduce_all(of(2, 3, dtype=np.bool_), 1)
    yield "any", lambda: tf.reduce_any(of(2, 3, dtype=np.bool_), [0])


def moves():
    a = lambda: of(3, 4, 5)  # noqa: E731
    yield "Reshape", lambda: tf.reshape(a(), of(2, low=6, high=7) * tf.constant([1, -1]) + tf.constant([0, 5]))
    yield "ExpandDims", lambda: tf.expand_dims(a(), of(low=-1, high=0) + 0)
    yield "Squeeze", lambda: tf.squeeze(of(1, 3, 1) + 0)
    yield "Squeeze one", lambda: tf.squeeze(of(1, 3, 1) + 0, [2])
    yield "Transpose", lambda: tf.transpose(a(), [2, 0, 1])
    yield "Slice", lambda: tf.slice(a(), [1, 0, 2], [2, -1, 3])
    yield "stepped", lambda: a()[::2, 1:-1, ::-2]
    yield "from behind", lambda: a()[-1, -3:, -2]
    yield "beyond", lambda: a()[5:9, :100, -100:2]
    yield "new axis", lambda: a()[tf.newaxis, 1, :, tf.newaxis]
    yield "Concat", lambda: tf.concat([a(), of(3, 2, 5)], 1)
    yield "Concat of old", lambda: tf.raw_ops.Concat(concat_dim=2, values=[a(), of(3, 4, 1)])
    yield "Pack", lambda: tf.stack([of(2, 3), of(2, 3)], 1)
    yield "Pack last", lambda: tf.stack([of(2, 3), of(2, 3)], -1)
    yield "Gather", lambda: tf.gather(a(), [[2, 0], [1, 1]], axis=1)
    yield "Gather first", lambda: tf.raw_ops.Gather(params=a(), indices=[2, 0])
    yield "Tile", lambda: tf.tile(of(2, 3), [2, 3])
    yield "Fill", lambda: tf.fill([2, 3], of())
    yield "BroadcastTo", lambda: tf.broadcast_to(of(3, 1), [2, 3, 4])
    yield "Range", lambda: tf.range(of(low=3, high=4), -8, -3)
    yield "like", lambda: tf.raw_ops.ZerosLike(x=a() + 0) + tf.raw_ops.OnesLike(x=a() + 0)
    yield "measures", lambda: tf.stack([tf.rank(a() + 0), tf.size(a() + 0), tf.raw_ops.Shape(input=a() + 0)[1]])
    yield "Prod of nothing", lambda: tf.reduce_prod(tf.constant([], tf.int32))
    yield "anchors", anchors


def anchors():
    """The boxes of a detector."""
    x, y = tf.meshgrid((tf.cast(tf.range(4), tf.float32) + 0.5) / 4.0, (tf.cast(tf.range(3), tf.float32) + 0.5) / 3.0)
    centers = tf.reshape(tf.stack([y, x], -1), [-1, 2])
    sizes = tf.constant([[0.2, 0.3], [0.4, 0.1]])
    boxes = tf.reshape(tf.stack([centers[:, None] - sizes / 2.0, centers[:, None] + sizes / 2.0], 2), [-1, 4])
    return tf.clip_by_value(boxes, 0.0, 1.0)


CONSTANTS = dict([*elementwise(), *reductions(), *moves()])
MADE_OF = {"Const", "Placeholder", "Identity", "Pack"}


def from_shapes():
    """The shape arithmetic of tf.layers.flatten and of reshaping code."""
    x = tf1.placeholder(tf.float32, [None, 6, 6, 3], "x")
    y = tf.nn.relu(x)
    shape = tf.shape(y)
    rows = tf.reshape(y, [-1, shape[1] * shape[2] * shape[3]])
    back = tf.reshape(rows, tf.stack([-1, shape[1], shape[2] * shape[3]]))
    return back * tf.cast(tf.size(y[0]), tf.float32) / tf.cast(tf.rank(y), tf.float32), {x: IMAGE}


def in_a_branch():
    """Within a conditional of TensorFlow 1 a constant must be dead where its branch is."""
    tf1.disable_control_flow_v2()
    x = image()
    flag = tf1.placeholder(tf.bool, [], "flag")
    y = tf1.cond(
        flag,
        lambda: x * tf.cast(tf.constant(2) * tf.constant(3) + tf.shape(x)[1], tf.float32),
        lambda: x + tf.sqrt(tf.constant(2.0) + 7.0),
    )
    return y, {x: IMAGE, flag: True}


def in_a_loop():
    tf1.disable_control_flow_v2()
    x = image()
    step = lambda i, y: (i + 1, y * tf.cast(tf.constant(2) * tf.constant(3) + i, tf.float32))  # noqa: E731
    return tf1.while_loop(lambda i, y: i < tf.constant(1) + tf.constant(3), step, [tf.constant(0), x])[1], {x: IMAGE}


@expanded
class FoldConstants(Suite):
    @for_each(CONSTANTS)
    def test_what_depends_on_no_input_is_computed_to_the_bit(self, name):
        path, expected, _ = built("constant " + name, lambda: (CONSTANTS[name](), {}))
        answer, out = freeze(path, "constant.pb", "--fold-constants")
        self.done(answer)
        self.assertEqual({"Const", "Identity"}, set(ops_of(out)), answer)
        self.assertEqual(2, len(ops_of(out)), answer)
        self.assertFalse(any(each["changesNumbers"] for each in answer.report["changes"]), answer)
        self.assertEqual(graphs.bits(expected), graphs.bits(run(out, {})), answer)

    @for_each([from_shapes, in_a_branch, in_a_loop])
    def test_what_follows_from_shapes_and_in_control_flow(self, build):
        path, expected, data = built("shapes " + build.__name__, build)
        answer, out = freeze(path, "shapes.pb", "--fold-constants")
        self.done(answer)
        self.assertLess(len(ops_of(out)), len(ops_of(path)), answer)
        self.assertTrue(answer.report["changes"], answer)
        self.assertEqual(graphs.bits(expected), graphs.bits(run(out, data)), answer)
        if build is from_shapes:
            self.assertFalse({"Shape", "StridedSlice", "Pack", "Size", "Rank", "Cast"} & set(ops_of(out)), answer)
        if build is in_a_branch:
            other = dict(data, **{"flag:0": False})
            self.assertEqual(graphs.bits(run(path, other)), graphs.bits(run(out, other)), answer)

    def test_a_sum_that_tensorflow_refuses_stays(self):
        path = os.path.join(folder("optimize", "axes"), "graph.pb")
        with tf.Graph().as_default() as graph:
            tf.reduce_sum(tf.constant([[1, 2], [3, 4]]), tf.constant([0, 1], name="axes"), name="y")
            definition = graph.as_graph_def()
        axes = next(node for node in definition.node if node.name == "axes")
        axes.attr["value"].tensor.CopyFrom(tf.make_tensor_proto([0, -2]))
        with open(path, "wb") as file:
            file.write(definition.SerializeToString())
        answer, _ = freeze(path, "axes.pb", "--fold-constants")
        self.done(answer)
        self.assertEqual([], answer.report["changes"], answer)

    def test_a_small_file_does_not_become_a_large_one(self):
        def build():
            return tf.add_n([-tf.fill([25600], tf.constant(float(i))) for i in range(400)]), {}

        path, expected, _ = built("large", build)
        answer, out = freeze(path, "large.pb", "--fold-constants")
        self.done(answer)
        self.assertLess(os.path.getsize(out), 20e6, answer)
        self.assertEqual(graphs.bits(expected), graphs.bits(run(out, {})), answer)

    def test_numbers_that_depend_on_the_machine_are_not_computed(self):
        for name, build in {
            "inexact": lambda: tf.exp(of(3, dtype=np.float32)),
            "sum": lambda: tf.reduce_sum(of(9, dtype=np.float32)),
            "not a number": lambda: tf.sqrt(tf.constant([-1.0, 4.0])),
            "subnormal": lambda: tf.constant([1e-30, 1.0]) * tf.constant([1e-10, 1.0]),
            "flushed": lambda: tf.constant([1.17549435e-38, 1.0]) * tf.constant([0.99999994, 1.0]),
            "random": lambda: tf.raw_ops.RandomUniform(shape=[3], dtype=tf.float32, seed=1, seed2=2),
        }.items():
            path, _, _ = built("machine " + name, lambda build=build: (build(), {}))
            answer, _ = freeze(path, "machine.pb", "--fold-constants")
            self.done(answer)
            self.assertEqual([], answer.report["changes"], answer)


def towers():
    """Two towers of one input that are the same, and one that is not."""
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    w = np.linspace(-1, 1, 30, dtype=np.float32).reshape(6, 5)
    one, other, third = (tf.nn.relu(tf.matmul(x, tf.constant(each))) for each in (w, w, w + 1))
    return one + other * third, {x: MATRIX}


def noisy():
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    noise = [tf.random.uniform([6], seed=4) for _ in range(2)]
    return x + 0.0 * (noise[0] - noise[1]), {x: MATRIX}


@expanded
class MergeDuplicates(Suite):
    def test_equal_towers_become_one(self):
        path, expected, data = built("towers", towers)
        answer, out = freeze(path, "towers.pb", "--merge-duplicates")
        self.done(answer)
        self.assertEqual(2, ops_of(out).count("MatMul"), answer)
        self.assertEqual(2, ops_of(out).count("Const"), answer)
        self.assertEqual(graphs.bits(expected), graphs.bits(run(out, data)), answer)

    def test_random_numbers_and_inputs_stay_apart(self):
        path, _, _ = built("noisy", noisy)
        answer, out = freeze(path, "noisy.pb", "--merge-duplicates")
        self.done(answer)
        self.assertEqual(2, ops_of(out).count("RandomUniform"), answer)

    def test_two_elements_of_a_queue_stay_two(self):
        path = os.path.join(folder("optimize", "queue"), "graph.pb")
        with tf.Graph().as_default() as graph:
            queue = tf.raw_ops.FIFOQueue(component_types=[tf.float32])
            elements = [tf.raw_ops.QueueDequeue(handle=queue, component_types=[tf.float32])[0] for _ in range(2)]
            tf.add(*elements, "y")
            with open(path, "wb") as file:
                file.write(graph.as_graph_def().SerializeToString())
        answer, out = freeze(path, "queue.pb", "--merge-duplicates")
        self.done(answer)
        self.assertEqual(2, ops_of(out).count("QueueDequeue"), answer)

    def test_outputs_keep_their_names(self):
        def build():
            x = tf1.placeholder(tf.float32, [None, 6], "x")
            tf.nn.relu(x, "one")
            return tf.nn.relu(x, "other"), {x: MATRIX}

        path, _, _ = built("names", build)
        out = path.replace("graph.pb", "names.pb")
        answer = call("freeze", path, "-o", out, "--outputs", "one,other,y", "--merge-duplicates")
        self.done(answer)
        self.assertEqual({"x", "one", "other", "y"}, {node.name for node in graphs.read_graph(out).node}, answer)


@expanded
class Exact(Suite):
    @for_each(WITH_WEIGHTS)
    def test_a_model_computes_the_same_bits(self, case):
        path = os.path.join(folder(case.name), "exact.pb")
        options = ["--fold-constants", "--merge-duplicates"]
        answer = call("freeze", case.path, "-o", path, "--outputs", ",".join(case.outputs), *options)
        self.done(answer)
        self.same_outputs(reference(case), graphs.run_graph(graphs.read_graph(path), case, feeds(case)), answer.line)


def wide():
    x = tf1.placeholder(tf.float32, [None, 6], "x")
    y = tf.matmul(x, numbers(6, 200)) + tf.constant(np.array([0.5, 0, -2], np.float32))[1]
    return tf.matmul(y, numbers(200, 3, low=-0.1, high=3.0)), {x: MATRIX}


def consts(path, dtype=tf.quint8):
    return [node for node in graphs.read_graph(path).node if node.op == "Const" and node.attr["dtype"].type == dtype]


def alike():
    """Two towers that an Identity alone keeps apart, with weights of one range."""
    x = tf1.placeholder(tf.float32, [None, 20], "x")
    weights = RANDOM.uniform(-0.3, 0.3, (20, 40)).astype(np.float32)
    towers = []
    for y in (x, tf.identity(x)):
        towers.append(tf.matmul(y, tf.constant(weights)) + tf.matmul(y, tf.constant(weights[::-1])))
    return towers[0] * towers[1], {x: weights.T[:3]}


@expanded
class TwiceIsOnce(Suite):
    @for_each(["--quantize-weights", "--cast", "--fold-batch-norm"])
    def test_with_all_that_merges(self, option):
        path, expected, data = built("twice " + option, alike)
        options = ["--merge-duplicates", "--fold-constants", "--splice-identities", "--drop-checks", "--strip-defaults"]
        options += [option] if option != "--cast" else []
        once, out = freeze(path, "once.pb", *options, *(["--cast", "float32=float16"] if option == "--cast" else []))
        self.done(once)
        self.assertEqual(2, ops_of(out).count("MatMul"), once)
        again = call("freeze", out, "-o", out + ".again.pb", "--outputs", "y", "--force", *options)
        self.done(again)
        with open(out, "rb") as first, open(out + ".again.pb", "rb") as second:
            self.assertEqual(first.read(), second.read(), again)
        np.testing.assert_allclose(run(out, data), expected, atol=0.5)


@expanded
class SmallWeights(Suite):
    @for_each(["float16", "bfloat16", "float64"])
    def test_cast_on_load(self, dtype):
        path, expected, data = built("cast " + dtype, wide)
        answer, out = freeze(path, "cast.pb", "--cast", "float32=" + dtype)
        self.done(answer)
        self.assertEqual(2, ops_of(out).count("Cast"), answer)
        types = {
            node.attr["dtype"].type
            for node in graphs.read_graph(out).node
            if len(node.attr["value"].tensor.tensor_content) > 512
        }
        self.assertEqual({tf.as_dtype(dtype).as_datatype_enum}, types, answer)
        tolerance = {"float16": 1e-2, "bfloat16": 8e-2, "float64": 0}[dtype]
        np.testing.assert_allclose(run(out, data), expected, rtol=tolerance, atol=tolerance)

    def test_8_bits(self):
        path, expected, data = built("quantized", wide)
        answer, out = freeze(path, "quantized.pb", "--quantize-weights")
        self.done(answer)
        self.assertEqual(2, ops_of(out).count("Dequantize"), answer)
        self.assertLess(os.path.getsize(out), 0.5 * os.path.getsize(path), answer)
        np.testing.assert_allclose(run(out, data), expected, atol=0.6)
        note = next(one["message"] for one in answer.report["diagnostics"] if one["code"] == "weights-quantized")
        said = float(note.split("the largest change is ")[1].split(",")[0])
        largest = 0.0
        before = {node.name: node for node in graphs.read_graph(path).node}
        with tf.Graph().as_default():
            tf.import_graph_def(graphs.read_graph(out), name="")
            with tf1.Session(config=graphs.config()) as session:
                for node in graphs.read_graph(out).node:
                    if node.op == "Dequantize":
                        value = tf.make_ndarray(before[node.name].attr["value"].tensor)
                        largest = max(largest, float(np.abs(session.run(node.name + ":0") - value).max()))
        self.assertAlmostEqual(said, largest, delta=1e-5)
        self.assertLess(largest, 3.1 / 255)

    def test_8_bits_spare_what_is_small_and_would_lose_most(self):
        def build():
            x = image()
            y = tf.nn.depthwise_conv2d(x, numbers(3, 3, 3, 40), [1, 1, 1, 1], "SAME")
            return tf.matmul(tf.reshape(y + numbers(300)[:120], [-1, 120]), numbers(120, 4)), {x: IMAGE}

        path, _, _ = built("spared", build)
        answer, out = freeze(path, "spared.pb", "--quantize-weights")
        self.done(answer)
        stored = [tuple(dim.size for dim in node.attr["value"].tensor.tensor_shape.dim) for node in consts(out)]
        self.assertEqual([(120, 4)], stored, answer)

    @for_each(["--quantize-weights", "--cast"])
    def test_in_a_loop(self, option):
        path, expected, data = built("loop " + option, looped)
        answer, out = freeze(path, "loop.pb", option, *(["float32=float16"] if option == "--cast" else []))
        self.done(answer)
        self.assertIn("stored-smaller", {each["change"] for each in answer.report["changes"]}, answer)
        np.testing.assert_allclose(run(out, data), expected, atol=0.05)

    def test_zero_stays_zero(self):
        weights = np.zeros((20, 30), np.float32)
        weights[3, 4], weights[5, 6] = -0.37, 1.93
        path, _, _ = built("zeros", lambda: (tf.constant(weights) + 0.0, {}))
        answer, out = freeze(path, "zeros.pb", "--quantize-weights")
        self.done(answer)
        self.assertEqual(600 - 2, int((run(out, {}) == 0).sum()), answer)

    def test_what_does_not_fit_is_refused(self):
        path, _, _ = built("refused", wide)
        for rule, code in [
            ("float32=int32", "bad-option"),
            ("float64=float32", "cast-unused"),
            ("float32", "bad-option"),
        ]:
            answer, _ = freeze(path, "refused.pb", "--cast", rule)
            self.assertEqual([code], answer.codes(), answer)
            self.assertFalse(os.path.exists(path.replace("graph.pb", "refused.pb")), answer)
