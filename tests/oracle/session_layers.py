"""Layers and training steps as TensorFlow 1's libraries make them."""

from graphs import tf, tf1


def dense(x, units, name, activation=None, regularized=False):
    with tf1.variable_scope(name):
        weights = tf1.get_variable("weights", [x.shape[-1], units])
        biases = tf1.get_variable("biases", [units], initializer=tf1.zeros_initializer())
        if regularized:
            with tf1.name_scope("kernel/Regularizer"):
                tf1.add_to_collection("losses", tf.multiply(1e-4, tf.nn.l2_loss(weights), name="l2_regularizer"))
        out = tf.nn.bias_add(tf.matmul(x, weights), biases, name="BiasAdd")
        return activation(out) if activation else out


def conv(x, filters, name, training=None, stride=1):
    with tf1.variable_scope(name):
        weights = tf1.get_variable("weights", [3, 3, x.shape[-1], filters])
        with tf1.name_scope("kernel/Regularizer"):
            tf1.add_to_collection("losses", tf.multiply(1e-4, tf.nn.l2_loss(weights), name="l2_regularizer"))
        x = tf.nn.conv2d(x, weights, stride, "SAME", name="Conv2D")
        return tf.nn.relu(batch_norm(x, training) if training is not None else x, name="Relu")


def batch_norm(x, training):
    with tf1.variable_scope("BatchNorm"):
        size = [x.shape[-1]]
        gamma, beta = tf1.get_variable("gamma", size), tf1.get_variable("beta", size)
        mean = tf1.get_variable("moving_mean", size, trainable=False)
        variance = tf1.get_variable("moving_variance", size, trainable=False)
        batch_mean, batch_variance = tf.nn.moments(x, [0, 1, 2])
        for variable, value in ((mean, batch_mean), (variance, batch_variance)):
            with tf1.name_scope("AssignMovingAvg"):
                tf1.add_to_collection("updates", tf1.assign_sub(variable, (variable - value) * 0.1))
        used = tf1.cond(
            training, lambda: (batch_mean, batch_variance), lambda: (tf.identity(mean), tf.identity(variance))
        )
        return tf.nn.batch_normalization(x, *used, beta, gamma, 1e-3)


def zero_fractions(*tensors):
    for tensor in tensors:
        tf1.summary.histogram(tensor.op.name + "/activations", tensor)
        tf1.summary.scalar(tensor.op.name + "/sparsity", tf.nn.zero_fraction(tensor))


def train(loss, variables=None):
    step = tf1.train.get_or_create_global_step()
    rate = tf1.train.exponential_decay(0.1, step, 1000, 0.9, name="learning_rate")
    tf1.summary.scalar("learning_rate", rate)
    tf1.summary.scalar("loss", loss)
    with tf1.control_dependencies(tf1.get_collection("updates")):
        optimizer = tf1.train.MomentumOptimizer(rate, 0.9)
        step_op = optimizer.minimize(loss, global_step=step, var_list=variables)
    tf1.summary.merge_all()
    return step_op
