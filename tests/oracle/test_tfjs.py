"""TensorFlow.js models: protobuf's own JSON reader and numpy read what was written, and TensorFlow runs it as it ran before."""

import json
import os
import struct

import graphs
import numpy as np
from cases import CORPUS, FROZEN, HAS_CORPUS, WITH_WEIGHTS, corpus_files
from google.protobuf import json_format
from graphs import tf, tf1  # before what follows: it makes TensorFlow quiet
from program import call
from suite import Suite, expanded, feeds, folder, for_each, reference

HELD = {"float32", "int32", "bool", "complex64", "string"}
WIDER = {
    "float16": "float32",
    "float64": "float32",
    "int8": "int32",
    "uint8": "int32",
    "int64": "int32",
    "complex128": "complex64",
}
RUN = [case for case in [*WITH_WEIGHTS, *FROZEN] if case.name not in ("call_handles", "functional_handles")]


def nodes_of(graph):
    return [*graph.node, *(node for function in graph.library.function for node in function.node_def)]


def strings(data, count, at):
    values = []
    for _ in range(count):
        (size,) = struct.unpack_from("<I", data, at)
        values.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return np.array(values, object), at


def read_weights(path, manifest):
    """name -> array, read by the book."""
    found = {}
    for group in manifest:
        data, at = b"".join(open(os.path.join(path, name), "rb").read() for name in group["paths"]), 0
        for weight in group["weights"]:
            count, how = int(np.prod(weight["shape"], dtype=np.int64)), weight.get("quantization", {})
            if weight["dtype"] == "string":
                array, at = strings(data, count, at)
            else:
                array = np.frombuffer(data, how.get("dtype", weight["dtype"]), count, at)
                at += array.nbytes
            if "scale" in how:
                array = (array.astype(np.float64) * how["scale"] + how["min"]).astype(weight["dtype"])
            found[weight["name"]] = array.reshape(weight["shape"])
        assert at == len(data), f"{len(data) - at} bytes are no weight's"
    return found


def read_model(path):
    with open(path, encoding="utf-8") as file:
        model = json.load(file)
    return json_format.ParseDict(model["modelTopology"], tf1.GraphDef()), read_weights(
        os.path.dirname(path), model["weightsManifest"]
    )


def without_values(graph):
    for node in nodes_of(graph):
        if node.op == "Const":
            tensor = node.attr["value"].tensor
            kept = type(tensor)(dtype=tensor.dtype, tensor_shape=tensor.tensor_shape)
            tensor.CopyFrom(kept)
    graph.versions.SetInParent()
    return graph


@expanded
class TensorFlowJs(Suite):
    @for_each(RUN)
    def test_what_was_written_and_read_again_computes_the_same(self, case):
        directory = folder("tfjs", case.name)
        out, back = os.path.join(directory, "model.json"), os.path.join(directory, "back.pb")
        answer = call("freeze", case.path, "-o", out, "--outputs", ",".join(case.outputs))
        if answer.codes("error") == ["unsupported-dtype"]:
            self.refused(answer)
            self.skipTest("TensorFlow.js has no such type")
        self.done(answer)
        self.done(call("convert", out, "-o", back))
        graph = graphs.read_graph(back)
        graphs.seed_random_ops(graph)
        self.same_outputs(reference(case), graphs.run_graph(graph, case, feeds(case)), back)

        topology, weights = read_model(out)
        self.assertEqual(without_values(graphs.read_graph(back)), topology)
        for node in nodes_of(graphs.read_graph(back)):
            if node.op == "Const":
                array = tf.make_ndarray(node.attr["value"].tensor)
                stored = weights.pop(node.name)
                name = "string" if stored.dtype == object else stored.dtype.name
                self.assertIn(name, HELD)
                self.assertEqual(stored.shape, array.shape, node.name)
                wanted = array if array.dtype.name in ("object", name) else array.astype(WIDER[array.dtype.name])
                self.assertTrue(np.array_equal(stored, wanted, equal_nan=array.dtype.kind == "f"), node.name)
        self.assertEqual({}, weights)

    @for_each([os.path.relpath(path, CORPUS) for path in corpus_files("model.json")] if HAS_CORPUS else [])
    def test_its_weights_are_those_of_its_files(self, name):
        path, back = os.path.join(CORPUS, name), os.path.join(folder("tfjs", name), "back.pb")
        self.done(call("inspect", path))
        self.done(call("convert", path, "-o", back))
        graph, (topology, weights) = graphs.read_graph(back), read_model(path)
        with tf.Graph().as_default():
            tf1.import_graph_def(graphs.read_graph(back), name="")  # which adds defaults to what it is given
        for node in nodes_of(graph):
            if node.op == "Const":
                array = tf.make_ndarray(node.attr["value"].tensor)
                self.assertTrue(np.array_equal(array, weights[node.name]), node.name)
        self.assertEqual(without_values(graph), without_values(topology))
