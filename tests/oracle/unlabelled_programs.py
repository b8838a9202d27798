"""Programs whose loss needs no label, or is not named as one, as session_programs.py has them."""

from graphs import tf, tf1
from session_layers import dense


def autoencoder(units=20):
    x = tf1.placeholder(tf.float32, [None, units], "x")
    decoded = dense(dense(x, 5, "encoder", tf.nn.relu), units, "decoder", tf.nn.sigmoid)
    return x, decoded


def plain_autoencoder():
    x, decoded = autoencoder()
    tf.reduce_mean(tf.square(x - decoded))
    return [decoded], [x]


def trained_autoencoder():
    x, decoded = autoencoder()
    tf1.train.AdamOptimizer().minimize(tf.reduce_mean(tf.math.squared_difference(x, decoded)))
    tf1.train.Saver()
    return [decoded], [x]


def variational():
    """The divergence is a sum of squares and exponentials; the reconstruction is taken of the logits."""
    x = tf1.placeholder(tf.float32, [None, 20], "x")
    hidden = dense(x, 8, "encoder", tf.nn.relu)
    mean, log_variance = dense(hidden, 3, "mean"), dense(hidden, 3, "log_variance")
    code = mean + tf.exp(log_variance / 2) * tf1.random_normal(tf.shape(mean))
    logits = dense(dense(code, 8, "decoder", tf.nn.relu), 20, "pixels")
    decoded = tf.nn.sigmoid(logits)
    error = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits), 1)
    divergence = -0.5 * tf.reduce_sum(1 + log_variance - tf.square(mean) - tf.exp(log_variance), 1)
    tf1.train.AdamOptimizer().minimize(tf.reduce_mean(error + divergence))
    return [decoded], [x]


def language_model():
    """The target is the input, a step later."""
    ids = tf1.placeholder(tf.int32, [None, 6], "ids")
    table = tf1.get_variable("table", [50, 8])
    logits = dense(tf.reshape(tf.nn.embedding_lookup(table, ids[:, :-1]), [-1, 8]), 50, "next")
    error = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reshape(ids[:, 1:], [-1]), logits=logits)
    tf.reduce_mean(error)
    return [logits], [ids]


def regression():
    x, y = tf1.placeholder(tf.float32, [None, 4], "x"), tf1.placeholder(tf.float32, [None, 1], "y")
    predicted = dense(x, 1, "price")
    tf.reduce_sum(tf.pow(predicted - y, 2)) / (2 * 10)
    return [predicted], [x]


def transformed_image():
    """A sum of two weighted losses."""
    x = tf1.placeholder(tf.float32, [1, 16, 16, 3], "x")
    first, last = tf1.get_variable("first", [3, 3, 3, 4]), tf1.get_variable("last", [3, 3, 4, 3])
    image = tf.nn.tanh(tf.nn.conv2d(tf.nn.relu(tf.nn.conv2d(x, first, 1, "SAME")), last, 1, "SAME"))
    tf.add(2 * tf.nn.l2_loss(image - x), 1e-4 * tf.reduce_sum(tf.image.total_variation(image)))
    return [image], [x]


def distance():
    """The distance of each pair is the result: no loss."""
    a, b = tf1.placeholder(tf.float32, [None, 6], "a"), tf1.placeholder(tf.float32, [None, 6], "b")
    with tf1.variable_scope("tower", reuse=tf1.AUTO_REUSE):
        left, right = dense(a, 4, "fc"), dense(b, 4, "fc")
    apart = tf.sqrt(tf.reduce_sum(tf.math.squared_difference(left, right), 1))
    return [apart], [a, b]


PROGRAMS = [
    plain_autoencoder,
    trained_autoencoder,
    variational,
    language_model,
    regression,
    transformed_image,
    distance,
]
