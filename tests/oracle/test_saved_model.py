"""SavedModels: variables are those that TensorFlow restores, and it loads and serves what other models became."""

import os

import graphs
from cases import CORPUS, FROZEN, HAS_CORPUS, WITH_WEIGHTS, corpus_files
from graphs import tf, tf1  # before what follows: it makes TensorFlow quiet
from program import call
from suite import Suite, expanded, feeds, folder, for_each, reference
from tensorflow.core.protobuf import saved_model_pb2


class Directory:
    """A SavedModel of the corpus, by the tags of its first MetaGraphDef."""

    def __init__(self, path):
        self.path, self.name = path, os.path.relpath(path, CORPUS)
        model = graphs.parse(saved_model_pb2.SavedModel, os.path.join(path, "saved_model.pb"))
        self.tags = list(model.meta_graphs[0].meta_info_def.tags)
        self.options = ["--tag", ",".join(self.tags)] if self.tags else []

    def __repr__(self):
        return self.name


def directories():
    for path in corpus_files("saved_model.pb") if HAS_CORPUS else []:
        if os.path.basename(path) == "saved_model.pb":
            yield Directory(os.path.dirname(path))


DIRECTORIES = list(directories())
SERVED = [*WITH_WEIGHTS, *FROZEN]


def seed_random_ops(path):
    model = graphs.parse(saved_model_pb2.SavedModel, path)
    graphs.seed_random_ops(model.meta_graphs[0].graph_def)
    with open(path, "wb") as file:
        file.write(model.SerializeToString())


@expanded
class SavedModels(Suite):
    @for_each(DIRECTORIES)
    def test_its_variables_are_those_that_tensorflow_restores(self, case):
        if not os.path.exists(os.path.join(case.path, "variables", "variables.index")):
            self.skipTest("there are no variables")
        answer = call("inspect", case.path, *case.options)
        self.done(answer)
        rows = {row["node"]: row for row in call("list", case.path, "weights", *case.options).report["weights"]}
        with tf1.Session(graph=tf.Graph(), config=graphs.config()) as session:
            try:
                tf1.saved_model.load(session, case.tags, case.path)
            except (tf.errors.OpError, ValueError) as error:
                self.skipTest(f"TensorFlow of today does not load it: {type(error).__name__}")
            values = graphs.values_in(session)
        missing = set(answer.report["variables"]["missing"])
        for name, value in values.items():
            if name not in missing:
                self.assertEqual(
                    (rows[name]["dtype"], rows[name]["shape"]), (value.dtype.name, list(value.shape)), name
                )

    @for_each(SERVED)
    def test_tensorflow_serves_what_a_model_became(self, case):
        out = os.path.join(folder("served", case.name), "model")
        self.done(call("convert", case.path, "-o", out + "/"))
        seed_random_ops(os.path.join(out, "saved_model.pb"))
        with tf1.Session(graph=tf.Graph(), config=graphs.config()) as session:
            meta = tf1.saved_model.load(session, ["serve"], out)
            self.assertIn("serving_default", meta.signature_def)
            found = graphs.run_outputs(session, case, feeds(case))
        self.same_outputs(reference(case), found, out)


class Requested(Suite):
    def test_a_signature_has_the_outputs_that_were_asked_for(self):
        directory = folder("requested outputs")
        path, out = os.path.join(directory, "graph.pb"), os.path.join(directory, "model")
        with tf.Graph().as_default() as graph:
            x = tf1.placeholder(tf.float32, [None, 2], "x")
            inner = tf.nn.relu(x, "inner")
            tf.nn.softmax(tf.tanh(inner), name="probabilities")
            tf.add(inner, 1.0, "other")
            with open(path, "wb") as file:
                file.write(graph.as_graph_def().SerializeToString())
        answer = call("freeze", path, "-o", out + "/", "--outputs", "inner,other")
        self.done(answer)
        model = graphs.parse(saved_model_pb2.SavedModel, os.path.join(out, "saved_model.pb"))
        signature = model.meta_graphs[0].signature_def["serving_default"]
        self.assertEqual({"inner:0", "other:0"}, {info.name for info in signature.outputs.values()}, answer)
        self.assertEqual({"x:0"}, {info.name for info in signature.inputs.values()}, answer)
