"""inspect and list against what TensorFlow reads from the same files."""
import os

import graphs
from cases import CASES, GRAPHS, HAS_CORPUS, WITH_WEIGHTS, corpus_files
from graphs import tf
from program import call
from suite import Suite, expanded, for_each, original


def name_without_port(row):
    return (row["name"] if isinstance(row, dict) else row).removesuffix(":0")


def bundles():
    if HAS_CORPUS:
        return [path.removesuffix(".index") for path in corpus_files(".index") if os.sep + "ckpt_v2" + os.sep in path]
    return []


@expanded
class Inspect(Suite):
    @for_each(CASES)
    def test_inspect_names_the_kind_and_counts_what_tensorflow_counts(self, case):
        answer = call("inspect", case.path)
        self.done(answer)
        report = answer.report
        if case.graphless:
            self.assertEqual(report["kind"], "checkpoint", answer)
            return
        graph = original(case)
        self.assertEqual(report["kind"], "meta-graph" if case.meta else "graph-def", answer)
        self.assertEqual(report["nodes"], len(graph.node), answer)
        self.assertEqual(report["producer"], graph.versions.producer, answer)
        ops = {}
        for node in graph.node:
            ops[node.op] = ops.get(node.op, 0) + 1
        self.assertEqual(report["ops"], ops, answer)
        functions = report["functions"]
        self.assertEqual(functions if isinstance(functions, int) else len(functions), len(graph.library.function), answer)
        self.assertEqual(report["variables"]["count"], sum(node.op in graphs.VARIABLE_OPS for node in graph.node), answer)
        self.assertEqual(report["unknownOps"], [], answer)

    @for_each([case for case in GRAPHS if not case.corpus and case.outputs and not case.name.startswith("types")])
    def test_inspect_finds_the_likely_inputs_and_outputs(self, case):
        report = call("inspect", case.path).report
        self.assertLessEqual(set(case.inputs), {name_without_port(row) for row in report["inputs"]}, report["inputs"])
        self.assertLessEqual(set(case.outputs[-1:]), {name_without_port(row) for row in report["outputs"]}, report["outputs"])

    @for_each(WITH_WEIGHTS)
    def test_list_weights_has_the_names_types_and_shapes_of_the_checkpoint(self, case):
        answer = call("list", case.path, "weights")
        self.assertEqual(answer.status, 0, answer)
        listed = {row["name"]: (row["dtype"], row["shape"]) for row in answer.report["weights"] if row["source"] != "constant"}
        reader = tf.train.load_checkpoint(case.prefix)
        types = {name: dtype.name for name, dtype in reader.get_variable_to_dtype_map().items()}
        held = {name: (types[name], list(shape)) for name, shape in reader.get_variable_to_shape_map().items()}
        if case.name in ("renamed", "partitioned", "v1"):  # the graph's names are others than the checkpoint's
            self.assertTrue(listed, answer)
            return
        # A graph may have more variables than its checkpoint holds.
        self.same({name: listed.get(name) for name in held}, held, answer)

    @for_each(bundles())
    def test_a_checkpoint_alone_lists_what_tensorflow_lists(self, prefix):
        answer = call("list", prefix + ".index", "weights")
        self.assertEqual(answer.status, 0, answer)
        listed = {row["name"]: row["shape"] for row in answer.report["weights"] if row["source"] != "constant"}
        held = {name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE"): list(shape) for name, shape in tf.train.list_variables(prefix)}
        self.same({name: listed.get(name) for name in held if not name.startswith("_CHECK")},
                  {name: shape for name, shape in held.items() if not name.startswith("_CHECK")}, answer)
