"""inspect and list against what TensorFlow reads from the same files."""

import functools
import os
import re

import graphs
from cases import CASES, CORPUS, GRAPHS, HAS_CORPUS, WITH_WEIGHTS, corpus_files
from graphs import tf
from program import call
from suite import NOTES, Suite, expanded, for_each, original


def name_without_port(row):
    return (row["name"] if isinstance(row, dict) else row).removesuffix(":0")


def stored_bytes(bits):
    """Returns the size of a value, as a checkpoint stores it: strings are their lengths, four bytes of a checksum, and
    the bytes.
    """
    kind, _, data = bits
    if kind != "object":
        return len(data)
    return sum((max(len(each).bit_length(), 1) + 6) // 7 + len(each) for each in data) + 4


def bundles():
    if HAS_CORPUS:
        return [path.removesuffix(".index") for path in corpus_files(".index") if os.sep + "ckpt_v2" + os.sep in path]
    return []


@functools.lru_cache(None)
def predictions():
    """Returns the files next to graphs of the corpus that hold their nodes' values: NAME.prediction.csv, or
    NAME.PORT.prediction.csv.
    """
    return list(corpus_files(".prediction.csv"))


def predicted(path):
    """Returns the names of the nodes whose values are stored next to a graph of the corpus."""
    top = os.path.dirname(path)
    found = [
        os.path.relpath(name, top).removesuffix(".prediction.csv")
        for name in predictions()
        if name.startswith(top + os.sep)
    ]
    return {part for name in found for part in (name, re.sub(r"\.\d+$", "", name))}


# Fixtures whose outputs are variables' values, one for each type.
NOT_RANKED = {"types", "types_keys", "types_resource", "types_v1", "typed_constants"}
# Known to have another best candidate, or none: a graph of weights alone, one that its maker froze before its last bias is added, and
# graphs whose result is an update of a variable.
OTHER_OUTPUT = re.compile(r"corpus embedding testdata$|corpus cifar$|dl4j_bulk/.*/scatter_", re.IGNORECASE)


def forwarded(path, name):
    """Returns the inputs of an Identity of that name."""
    return [node.input[0] for node in graphs.read_graph(path).node if node.name == name and node.op == "Identity"]


def told_outputs():
    """(name, path, true outputs): of the models whose makers say what they compute."""
    for case in GRAPHS:
        if case.outputs and case.name not in NOT_RANKED:
            yield case.name, case.graph, set(case.outputs)
    for path in corpus_files("frozen_model.pb") if HAS_CORPUS else []:
        if os.sep + "dl4j_bulk" + os.sep in path and predicted(path):
            yield os.path.relpath(path, CORPUS), path, predicted(path)


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
        self.assertEqual(
            functions if isinstance(functions, int) else len(functions), len(graph.library.function), answer
        )
        self.assertEqual(
            report["variables"]["count"], sum(node.op in graphs.VARIABLE_OPS for node in graph.node), answer
        )
        self.assertEqual(report["unknownOps"], [], answer)

    @for_each([case for case in GRAPHS if not case.corpus and case.outputs and not case.name.startswith("types")])
    def test_inspect_finds_the_likely_inputs_and_outputs(self, case):
        report = call("inspect", case.path).report
        self.assertLessEqual(set(case.inputs), {name_without_port(row) for row in report["inputs"]}, report["inputs"])
        self.assertLessEqual(
            set(case.outputs[-1:]), {name_without_port(row) for row in report["outputs"]}, report["outputs"]
        )

    def test_the_best_candidate_is_an_output(self):
        wrong, count = [], 0
        for name, path, outputs in told_outputs():
            count += 1
            rows = call("inspect", path).report["outputs"]
            best = graphs.base(name_without_port(rows[0])) if rows else None
            if best not in outputs and not {graphs.base(tensor) for tensor in forwarded(path, best)} & outputs:
                wrong.append(name)
        NOTES.append(
            f"outputs: of {count} models and graphs whose outputs are known, the best candidate is one of them for {count - len(wrong)}"
        )
        self.assertEqual([], [name for name in wrong if not OTHER_OUTPUT.search(name)])

    @for_each(WITH_WEIGHTS)
    def test_list_weights_has_the_names_types_and_shapes_of_the_checkpoint(self, case):
        answer = call("list", case.path, "weights")
        self.assertEqual(answer.status, 0, answer)
        listed = {
            row["name"]: (row["dtype"], row["shape"]) for row in answer.report["weights"] if row["source"] != "constant"
        }
        reader = tf.train.load_checkpoint(case.prefix)
        types = {name: dtype.name for name, dtype in reader.get_variable_to_dtype_map().items()}
        held = {name: (types[name], list(shape)) for name, shape in reader.get_variable_to_shape_map().items()}
        if case.name in ("renamed", "partitioned", "v1"):  # the graph's names are others than the checkpoint's
            self.assertTrue(listed, answer)
            return
        # A graph may have more variables than its checkpoint holds.
        self.same({name: listed.get(name) for name in held}, held, answer)

    @for_each(GRAPHS)
    def test_list_weights_has_the_bytes_of_constants(self, case):
        answer = call("list", case.graph, "weights")
        self.assertEqual(answer.status, 0, answer)
        listed = {row["name"]: row["bytes"] for row in answer.report["weights"] if row["source"] == "constant"}
        held = {node.name: stored_bytes(graphs.const_bits(node)) for node in original(case).node if node.op == "Const"}
        self.same(listed, held, answer)

    @for_each(bundles())
    def test_a_checkpoint_alone_lists_what_tensorflow_lists(self, prefix):
        answer = call("list", prefix + ".index", "weights")
        self.assertEqual(answer.status, 0, answer)
        listed = {row["name"]: row["shape"] for row in answer.report["weights"] if row["source"] != "constant"}
        held = {
            name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE"): list(shape)
            for name, shape in tf.train.list_variables(prefix)
        }
        self.same(
            {name: listed.get(name) for name in held if not name.startswith("_CHECK")},
            {name: shape for name, shape in held.items() if not name.startswith("_CHECK")},
            answer,
        )
