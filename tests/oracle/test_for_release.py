"""freeze --for: the forms of an earlier release compute the same bits; what has none is refused, and nothing is written."""

import os

import graphs
import numpy as np
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each

RAW = tf.raw_ops
RANDOM = np.random.default_rng(3)
X = RANDOM.standard_normal((2, 4, 4, 3)).astype(np.float32)


def image(dtype=tf.float32, shape=X.shape):
    return tf1.placeholder(dtype, shape, "x")


def normalized(x, is_training=False, factor=1.0):
    channels = [tf.constant(RANDOM.random(3, np.float32) + 0.5) for _ in range(4)]
    if is_training:
        channels[2:] = [tf.constant([], tf.float32)] * 2 if factor == 1.0 else channels[2:]
    return RAW.FusedBatchNormV3(
        x=x,
        scale=channels[0],
        offset=channels[1],
        mean=channels[2],
        variance=channels[3],
        is_training=is_training,
        exponential_avg_factor=factor,
    )


def product(x, y, **more):
    return RAW.BatchMatMulV3(x=x, y=y, Tout=tf.float32, **more)


def add():
    return RAW.AddV2(x=image(), y=tf.constant(1.5))


def batch_norm():
    return normalized(image())[0]


def batch_norm_of_the_batch():
    return normalized(image(), is_training=True)[0]


def select():
    x = image()
    return RAW.SelectV2(condition=x > 0, t=x, e=x * 0.1)


def select_by_scalar():
    x = image()
    return RAW.SelectV2(condition=tf.reduce_sum(x) > 0, t=x, e=x * 0.1)


def products():
    x = image()
    return product(x, x, adj_y=True)


def array():
    x = image()
    handle = RAW.TensorArrayV3(size=2, dtype=tf.float32, identical_element_shapes=True)
    flow = RAW.TensorArrayScatterV3(handle=handle[0], indices=[0, 1], value=x, flow_in=handle[1])
    return RAW.TensorArrayReadV3(handle=handle[0], index=1, flow_in=flow, dtype=tf.float32)


def defaults():
    filters = tf.constant(RANDOM.random((3, 3, 3, 4), np.float32))
    y = RAW.Conv2D(input=image(), filter=filters, strides=[1, 1, 1, 1], padding="SAME")
    return tf.fill([2], tf.reduce_sum(tf.cast(tf.cast(y, tf.float64), tf.float32)))


def loop():
    x = image()
    with tf1.control_dependencies([x]):
        return tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, v * 1.5 + 1), [tf.constant(0), x])[1]


def broadcast_select():
    x = image()
    return RAW.SelectV2(condition=x > 0, t=x, e=tf.constant(0.0))


def rows_select():
    return RAW.SelectV2(condition=image(shape=[3]) > 0, t=tf.ones([3, 3]), e=tf.zeros([3, 3]))


def open_batch():
    x = image(shape=[None, 4, 3])
    return product(x, x, adj_y=True)


def broadcast_product():
    return product(image(), tf.constant(RANDOM.random((1, 4, 3, 5), np.float32)))


def mixed_product():
    x = image(tf.int8)
    return RAW.BatchMatMulV3(x=x, y=x, Tout=tf.int32, adj_y=True)


def half_batch_norm():
    return normalized(image(tf.float16))[0]


def with_reserve():
    return normalized(image())[5]


def moving_average():
    return normalized(image(), is_training=True, factor=0.5)[1]


def no_older_op():
    return tf.roll(tf.math.divide_no_nan(image(), 2.0), 1, 1)


EXACT = (add, batch_norm, batch_norm_of_the_batch, select, select_by_scalar, products, array, defaults, loop)
REFUSED = (
    *(broadcast_select, rows_select, open_batch, broadcast_product, mixed_product),
    *(half_batch_norm, with_reserve, moving_average, no_older_op),
)
BUILDS = {build.__name__: build for build in (*EXACT, *REFUSED)}


def written(name):
    path = os.path.join(folder("for", name), "graph.pb")
    with tf.Graph().as_default() as graph:
        tf.identity(BUILDS[name](), "y")
        with open(path, "wb") as file:
            file.write(graph.as_graph_def(add_shapes=True).SerializeToString())
    return path


def run(path):
    with tf.Graph().as_default():
        tf.import_graph_def(graphs.read_graph(path), name="")
        with tf1.Session(config=graphs.config()) as session:
            return session.run("y:0", {"x:0": X})


def fitted(path, release):
    out = os.path.join(os.path.dirname(path), release, "graph.pb")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    return call("freeze", path, "-o", out, "--force", "--outputs", "y", "--for", release), out


@expanded
class ForRelease(Suite):
    @for_each(build.__name__ for build in EXACT)
    def test_the_same_bits(self, name):
        path = written(name)
        for release in ("tensorflow-1.4", "tensorflow-1.12", "tensorflow-1.15"):
            answer, out = fitted(path, release)
            self.done(answer)
            np.testing.assert_array_equal(run(path), run(out), str(answer))
            again, twice = fitted(out, release)
            self.done(again)
            self.assertEqual(graphs.read_graph(out), graphs.read_graph(twice), "twice is once")
        self.assertIn("release-fitted", answer.codes("note"), answer)

    @for_each(build.__name__ for build in REFUSED)
    def test_no_form_with_the_same_bits(self, name):
        answer, out = fitted(written(name), "tensorflow-1.4")
        self.refused(answer, os.path.dirname(out))
        self.assertEqual(["release-refused"], answer.codes("error"), answer)

    def test_the_latest_release_takes_a_graph_as_it_is(self):
        path = written("add")
        answer, out = fitted(path, "tensorflow-2.21")
        self.done(answer)
        self.assertEqual([], answer.report["changes"], answer)
        self.assertEqual(graphs.read_graph(path), graphs.read_graph(out))

    def test_a_name_that_is_no_release(self):
        answer, out = fitted(written("add"), "tensorflow-1.51")
        self.assertEqual(2, answer.status, answer)
        self.assertEqual([], os.listdir(os.path.dirname(out)), answer)
        self.assertEqual(["bad-option"], answer.codes("error"), answer)
