"""SavedModels that Keras 3 and tf.Module export: each weight once, by its own name."""

import os

import graphs
import numpy as np
import tensorflow2
from graphs import tf, tf1
from program import call
from suite import Suite, folder

# Exports, in another process, a Keras 3 model with a norm, dropout and two layers of one name, and saves a module whose variables
# have no names; writes the weights of both.
EXPORTED = """
import sys
import numpy as np
import tensorflow as tf
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
folder = sys.argv[1]
import keras
keras.utils.set_random_seed(7)
inputs = keras.Input((6, 6, 3), name="img")
x = keras.layers.Conv2D(4, 3, name="c")(inputs)
x = keras.layers.BatchNormalization()(x)
x = keras.layers.Dropout(0.5)(keras.layers.GlobalAveragePooling2D()(x))
x = keras.Sequential([keras.layers.Dense(4, activation="relu", name="dense")], name="inner")(x)
model = keras.Model(inputs, keras.layers.Dense(3, name="dense")(x))
model.export(folder + "/keras", verbose=False)
np.savez(folder + "/keras.npz", **{v.path: v.numpy() for v in model.variables})

class Layer(tf.Module):
    def __init__(self, n):
        self.w = tf.Variable(tf.random.stateless_normal([n, n], [n, 3]))

class Net(tf.Module):
    def __init__(self):
        self.layers = [Layer(2), Layer(2)]
        self.scale = tf.Variable([2.0, 3.0], name="scale")

    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def __call__(self, x):
        for layer in self.layers:
            x = x @ layer.w
        return {"y": x * self.scale}

net = Net()
tf.saved_model.save(net, folder + "/module", signatures=net.__call__)
np.savez(folder + "/module.npz", **{"layers/0/w": net.layers[0].w, "layers/1/w": net.layers[1].w, "scale": net.scale})
"""
# Writes what the loader of SavedModels computes with a file of inputs.
SERVED = """
import sys
import numpy as np
import tensorflow as tf
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
with np.load(sys.argv[2]) as inputs:
    outputs = tf.saved_model.load(sys.argv[1]).signatures["serving_default"](**{k: tf.constant(inputs[k]) for k in inputs.files})
np.savez(sys.argv[3], **{k: v.numpy() for k, v in outputs.items()})
"""


class Exported(Suite):
    """A weight is one, however many handles it has, and has the name that Python knows."""

    @classmethod
    def setUpClass(cls):
        cls.folder = folder("exported")
        tensorflow2.run_checked(EXPORTED, cls.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def served(self, model, inputs):
        np.savez(self.path("inputs.npz"), **inputs)
        tensorflow2.run_checked(SERVED, model, self.path("inputs.npz"), self.path("outputs.npz"))
        with np.load(self.path("outputs.npz")) as outputs:
            return {name: outputs[name] for name in outputs.files}

    def test_each_weight_is_listed_once_by_its_name(self):
        for name in "keras", "module":
            with np.load(self.path(name + ".npz")) as known:
                expected = {each: graphs.bits(known[each]) for each in known.files}
            # Two objects "dense/kernel" differ by the graph's names alone.
            twins = {each for each in expected if each.endswith(("dense/kernel", "dense/bias"))}
            out = self.path("weights.npz")
            self.done(call("weights", self.path(name), "-o", out, "--force"))
            with np.load(out) as held:
                found = {each: graphs.bits(held[each]) for each in held.files}
            self.same(
                {each: bits for each, bits in found.items() if "dense/" not in each},
                {each: bits for each, bits in expected.items() if each not in twins},
            )
            self.assertEqual(sorted(map(str, found.values())), sorted(map(str, expected.values())))
            report = call("inspect", self.path(name)).report["variables"]
            self.assertEqual((report["count"], report["missing"]), (len(expected), []))
            rows = call("list", self.path(name), "weights").report["weights"]
            self.assertEqual(sorted(found), sorted(row["name"] for row in rows if row["source"] == "checkpoint"))

    def test_its_saver_restores_what_it_names_under_new_names(self):
        img = np.random.RandomState(3).rand(2, 6, 6, 3).astype(np.float32)
        for name, inputs in ("keras", {"img": img}), ("module", {"x": np.eye(2, dtype=np.float32)}):
            out = self.path(name + "-renamed/")
            self.done(call("edit", self.path(name), "-o", out, "--rename", "**=new/**"))
            self.same(
                {key: graphs.bits(value) for key, value in self.served(out, inputs).items()},
                {key: graphs.bits(value) for key, value in self.served(self.path(name), inputs).items()},
            )

    def test_other_values_reach_every_handle(self):
        inputs = {"img": np.random.RandomState(3).rand(2, 6, 6, 3).astype(np.float32)}
        before = self.served(self.path("keras"), inputs)
        out = self.path("weights.npz")
        self.done(call("weights", self.path("keras"), "-o", out, "--force"))
        with np.load(out) as held:
            other = {name: held[name] + 1 if held[name].dtype == np.float32 else held[name] for name in held.files}
        np.savez(self.path("other.npz"), **other)
        into = self.path("transferred/")
        answer = call(
            "transfer",
            "--from",
            self.path("other.npz"),
            "--into",
            self.path("keras"),
            "-o",
            into,
            "--strict",
            "--force",
        )
        self.done(answer)
        self.assertEqual(len(answer.report["matched"]), len(other), answer)
        after = self.served(into, inputs)
        self.assertNotEqual(before["output_0"].tobytes(), after["output_0"].tobytes())
        frozen = self.path("frozen.pb")
        self.done(call("freeze", into, "-o", frozen, "--force"))
        with tf1.Session(graph=graphs.imported(graphs.read_graph(frozen)), config=graphs.config()) as session:
            self.assertEqual(session.run("output_0:0", {"img:0": inputs["img"]}).tobytes(), after["output_0"].tobytes())
        self.assertEqual(call("diff", self.path("keras"), into).report["weights"]["missing"], [])

    def test_its_name_chooses_a_weight_that_stays_a_variable(self):
        for name, weight in ("module", "layers/1/w"), ("keras", "c/kernel"):
            prefix = self.path("partial.ckpt")
            self.done(call("freeze", self.path(name), "--keep-variables", weight, "-o", prefix, "--force"))
            with np.load(self.path(name + ".npz")) as known, tf.Graph().as_default():
                saver = tf1.train.import_meta_graph(prefix + ".meta")
                with tf1.Session() as session:
                    saver.restore(session, prefix)
                    (variable,) = tf1.trainable_variables()
                    self.assertEqual(graphs.bits(session.run(variable)), graphs.bits(known[weight]))
