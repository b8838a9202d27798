"""Small models made for test_like_tensorflow.py: ways in which variables get into functions, branches and loops."""

import os

from graphs import np, tf, tf1

PROGRAMS = {}


def program(build):
    PROGRAMS[build.__name__.removeprefix("program_").replace("_", " ")] = build
    return build


def saved(name, directory):
    """Builds the program's graph and saves it with a checkpoint; (path of the .meta, prefix)."""
    prefix = os.path.join(directory, "model.ckpt")
    if os.path.exists(prefix + ".meta"):
        return prefix + ".meta", prefix
    tf1.enable_control_flow_v2()
    try:
        with tf1.Graph().as_default(), tf1.Session() as session:
            x = tf1.placeholder(tf.float32, [None, 2], name="x")
            tf.identity(PROGRAMS[name](x), name="y")
            session.run(tf1.global_variables_initializer())
            tf1.train.Saver().save(session, prefix)
    finally:
        tf1.disable_control_flow_v2()
    return prefix + ".meta", prefix


def variable(name, resource=True, shape=(2, 2), dtype=tf.float32, value=0.5):
    return tf1.get_variable(name, shape, dtype, tf1.constant_initializer(value), use_resource=resource)


@program
def program_a_call_of_a_call(x):
    w = variable("w")
    inner = tf.function(lambda a: tf.matmul(a, w))
    outer = tf.function(lambda a: inner(inner(a)) + tf.reduce_sum(w))
    return outer(x)


@program
def program_one_function_of_two_variables(x):
    v, w = variable("v"), variable("w", value=2.0)
    return tf.function(lambda a: tf.matmul(tf.matmul(a, v), w) + v)(x)


@program
def program_functions_that_no_variable_comes_to(x):
    w = variable("w")
    plain = tf.function(lambda a: a * 2)
    return plain(tf.function(lambda a: tf.matmul(plain(a), w))(plain(x)))


@program
def program_a_switch_of_three(x):
    v, w = variable("v"), variable("w")
    which = tf1.placeholder_with_default(1, [], name="which")
    return tf.switch_case(which, [lambda: x, lambda: tf.matmul(x, v), lambda: tf.matmul(x, w) + v])


@program
def program_a_branch_within_a_loop(x):
    v, w = variable("v"), variable("w")

    def body(i, a):
        return i + 1, tf.cond(i > 1, lambda: tf.matmul(a, v), lambda: tf.matmul(a, w))

    return tf.while_loop(lambda i, a: i < 3 + tf.cast(tf.size(v), tf.int32) - 4, body, [0, x])[1]


@program
def program_a_loop_within_a_call_within_a_branch(x):
    w = variable("w")

    @tf.function
    def called(a):
        return tf.while_loop(lambda i, b: i < 3, lambda i, b: (i + 1, tf.matmul(b, w)), [0, a])[1]

    return tf.cond(tf.reduce_sum(x) > 0, lambda: called(x), lambda: x)


@program
def program_reference_variables_in_functions(x):
    w = variable("w", resource=False)
    return tf.cond(tf.reduce_sum(x) > 0, lambda: tf.matmul(x, w), lambda: x - tf.reduce_sum(w))


@program
def program_a_loop_that_begins_with_a_variable(x):
    v, w = variable("v", resource=False), variable("w")
    return tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, tf.matmul(a, w)), [0, v])[1] + x


@program
def program_a_loop_as_the_importer_lowers_it(x):
    w, v = variable("w"), variable("v", resource=False)
    tf1.disable_control_flow_v2()
    return tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, tf.matmul(a, w) + v), [0, x])[1]


@program
def program_a_variable_that_decides(x):
    decide = variable("decide", resource=False, shape=(), dtype=tf.bool, value=True)
    tf1.disable_control_flow_v2()
    return tf.cond(decide, lambda: x, lambda: -x)


@program
def program_a_resource_that_decides(x):
    decide = variable("decide", shape=(), dtype=tf.bool, value=True)
    return tf.cond(decide, lambda: x * 2, lambda: -x)


@program
def program_gathers_in_functions(x):
    w = variable("w", shape=(5, 2))
    ids = tf.constant([0, 3])
    return (
        x
        + tf.reduce_sum(tf.function(lambda i: tf.gather(w, i))(ids))
        + tf.reduce_sum(tf.function(lambda i: tf.gather_nd(w, i))(ids))
    )


@program
def program_gathers_twice_and_of_64_bits(x):
    w = variable("w", shape=(5, 2))
    return (
        x
        + tf.nn.embedding_lookup(w, [1])
        + tf.nn.embedding_lookup(w, tf.constant([1], tf.int64))
        + tf.gather_nd(w, [[0]])
    )


@program
def program_a_gather_in_batches(x):
    w = variable("w", shape=(2, 3))
    return x + tf.gather(w, [[0], [1]], batch_dims=1)


@program
def program_variables_of_every_size(x):
    for dtype in (
        tf.float16,
        tf.bfloat16,
        tf.float64,
        tf.int8,
        tf.uint8,
        tf.int16,
        tf.uint16,
        tf.int32,
        tf.uint32,
        tf.int64,
        tf.uint64,
        tf.complex64,
        tf.complex128,
        tf.bool,
    ):
        for shape in ((), (1,), (0, 2), (3,)):
            value = np.full(shape, 1, dtype.as_numpy_dtype)
            name = f"w_{dtype.name}_{'x'.join(map(str, shape))}"
            w = tf1.get_variable(name, initializer=value, use_resource=True)
            x = x + tf.cast(tf.size(tf.identity(w)), tf.float32)
    return x


@program
def program_colocated_slots_and_control_inputs(x):
    w = variable("w", resource=False)
    with tf.control_dependencies([tf.print("seen")]):
        read = w.read_value() if hasattr(w, "read_value") else tf.identity(w)
    with tf1.colocate_with(variable("slot", resource=False, value=3.0)):
        y = tf.matmul(x, read)
    with tf.device("/device:CPU:0"):
        return tf.nn.relu(y)


@program
def program_a_training_graph(x):
    w, b = variable("w"), variable("b", resource=False, shape=(2,))
    y = tf.nn.relu(tf.matmul(x, w) + b)
    with tf.control_dependencies([tf1.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(y))]):
        return tf.identity(y)


@program
def program_gradients_through_functions(x):
    w = variable("w")
    y = tf.function(lambda a: tf.nn.relu(tf.matmul(a, w)))(x)
    y = tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, tf.matmul(a, w)), [0, y])[1]
    return tf1.gradients(y, [w, x])[1]
