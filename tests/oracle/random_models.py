"""Random models of variables, functions, branches and loops within each other, made by TensorFlow from a seed."""

import os
import random

import graphs
from graphs import tf, tf1

STYLES = ["ref", "resource", "functional"]  # RefVariables; resources with control flow of TensorFlow 1; with functions


class RandomModel:
    """A .meta with its checkpoint in a folder: the placeholder x, the outputs y and z."""

    def __init__(self, seed, folder):
        self.rng, self.style = random.Random(seed), STYLES[seed % len(STYLES)]
        self.prefix = os.path.join(folder, "model.ckpt")
        self.variables = []
        functional = self.style == "functional"
        usual = tf1.control_flow_v2_enabled()
        (tf1.enable_control_flow_v2 if functional else tf1.disable_control_flow_v2)()
        try:
            with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
                tf1.set_random_seed(seed)
                x = tf1.placeholder(tf.float32, [2, 3], "x")
                tf.identity(self.flow(x + self.variable([3]), 4), name="y")
                tf.identity(self.flow(x, 2), name="z")
                session.run(tf1.global_variables_initializer())
                tf1.train.Saver(tf1.global_variables()).save(session, self.prefix)
        finally:
            (tf1.enable_control_flow_v2 if usual else tf1.disable_control_flow_v2)()
        self.values = self.run()

    def run(self):
        """Returns the values that TensorFlow computes from the files, without the calls' requests for an optimizer."""
        meta = graphs.parse(tf1.MetaGraphDef, self.prefix + ".meta")
        graphs.without_optimizers(meta.graph_def)
        with open(self.prefix + ".meta", "wb") as file:
            file.write(meta.SerializeToString(deterministic=True))
        with tf.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
            tf1.train.import_meta_graph(meta).restore(session, self.prefix)
            return session.run({"y": "y:0", "z": "z:0"}, {"x:0": self.x})

    x = [[0.5, -1.25, 2.0], [1.5, 0.75, -0.5]]

    def variable(self, shape):
        """A new one, or one that is in use elsewhere."""
        same = [each for each in self.variables if each.shape.as_list() == shape]
        if same and self.rng.random() < 0.4:
            return self.rng.choice(same)
        with tf.init_scope() if self.style == "functional" else tf1.control_dependencies(None):
            name = self.rng.choice(["w", "scope/w", "scope/inner/kernel", "b"]) + str(len(self.variables))
            partitioner = None
            if self.style != "functional" and shape[0] > 1 and self.rng.random() < 0.2:
                partitioner = tf1.fixed_size_partitioner(2)
            made = tf1.get_variable(
                name,
                shape,
                initializer=tf1.random_normal_initializer(stddev=0.5, seed=len(self.variables)),
                use_resource=self.style != "ref",
                partitioner=partitioner,
            )
        self.variables.append(made)
        return made

    def leaf(self, value):
        kind = self.rng.choice(["matmul", "add", "gather", "scale", "ordered", "shape"])
        if kind == "matmul":
            return tf.tanh(tf.matmul(value, tf.convert_to_tensor(self.variable([3, 3]))))
        if kind == "add":
            return value + self.variable([3])
        if kind == "gather":
            return value + tf.gather(tf.convert_to_tensor(self.variable([5, 3])), [4, 1])
        if kind == "scale":
            return value * tf.constant(self.rng.uniform(0.5, 2.0))
        if kind == "ordered":
            with tf.control_dependencies([tf.convert_to_tensor(self.variable([3]))]):
                return tf.sin(value)
        return value * tf.cast(tf.size(tf.convert_to_tensor(self.variable([5, 3]))), tf.float32) * 0.1

    def condition(self, value):
        return tf.reduce_sum(value) > self.rng.uniform(-1.0, 1.0)

    def flow(self, value, depth):
        kinds = ["cond", "loop", "leaf", "two"] + (self.style == "functional") * ["call", "case"]
        kind = self.rng.choice(kinds) if depth else "leaf"
        if kind == "leaf":
            return self.leaf(value)
        if kind == "two":
            return self.flow(self.flow(value, depth - 1), depth - 1)
        if kind == "cond":
            return tf1.cond(
                self.condition(value), lambda: self.flow(value, depth - 1), lambda: self.flow(-value, depth - 1)
            )
        if kind == "loop":
            rounds = self.rng.randint(1, 3)
            return tf1.while_loop(
                lambda i, h: i < rounds, lambda i, h: [i + 1, self.flow(h, depth - 1)], [tf.constant(0), value]
            )[1]
        if kind == "case":
            index = tf.cast(self.condition(value), tf.int32) + tf.cast(self.condition(-value), tf.int32)
            return tf.switch_case(index, [lambda at=at: self.flow(value * float(at), depth - 1) for at in range(3)])
        return tf.function(lambda h: self.flow(h, depth - 1), autograph=False)(value)
