"""The options that clean: the same bits from a graph without checks, idle identities, devices, defaults and files."""

import os

import graphs
from cases import WITH_WEIGHTS
from graphs import tf1
from program import call
from suite import Suite, expanded, feeds, folder, for_each, frozen, reference
from tensorflow.python.framework import meta_graph
from test_freeze_saved_models import MODELS, run_meta
from test_freeze_saved_models import meta_graph as meta_of
from test_freeze_saved_models import reference as saved_reference

CLEANING = ["--drop-checks", "--splice-identities", "--clear-devices", "--strip-defaults"]
CHECKS = {"Assert", "Print", "PrintV2", "CheckNumerics", "CheckNumericsV2"}


def nodes_of(graph_def):
    return [
        node for nodes in [graph_def.node, *(each.node_def for each in graph_def.library.function)] for node in nodes
    ]


def with_text_tables():
    return [
        model
        for model in MODELS
        if not model.refused
        and any(node.op.startswith("InitializeTableFromTextFile") for node in nodes_of(meta_of(model).graph_def))
    ]


@expanded
class Clean(Suite):
    @for_each(WITH_WEIGHTS)
    def test_a_cleaned_graph_computes_the_same_bits(self, case):
        path = os.path.join(folder(case.name), "clean.pb")
        answer = call("freeze", case.path, "-o", path, "--outputs", ",".join(case.outputs), *CLEANING)
        self.done(answer)
        graph = graphs.read_graph(path)
        outputs = {graphs.base(output) for output in case.outputs}
        self.assertFalse([node.name for node in graph.node if node.op in CHECKS and node.name not in outputs], answer)
        self.assertFalse([node.name for node in nodes_of(graph) if node.device], answer)
        self.same_outputs(reference(case), graphs.run_graph(graph, case, feeds(case)), answer.line)

    @for_each(WITH_WEIGHTS)
    def test_defaults_are_stripped_as_tensorflow_strips_them(self, case):
        theirs = tf1.MetaGraphDef()
        theirs.graph_def.CopyFrom(graphs.read_graph(frozen(case)[1]))
        meta_graph.strip_graph_default_valued_attrs(theirs)
        path = os.path.join(folder(case.name), "stripped.pb")
        answer = call("freeze", case.path, "-o", path, "--outputs", ",".join(case.outputs), "--strip-defaults")
        self.done(answer)
        self.assertEqual(theirs.graph_def, graphs.read_graph(path), answer.line)

    @for_each(with_text_tables())
    def test_with_its_assets_folded_a_model_is_one_file_that_needs_no_other(self, model):
        path = os.path.join(folder("clean", model.name), "folded.meta")
        answer = call("freeze", model.path, "-o", path, "--signature", model.key, "--fold-assets")
        self.done(answer)
        meta = graphs.parse(tf1.MetaGraphDef, path)
        self.assertFalse(
            [node.name for node in meta.graph_def.node if node.op.startswith("InitializeTableFromTextFile")], answer
        )
        self.assertFalse(meta.asset_file_def, answer)
        feeds_, outputs, reason = saved_reference(model)
        if feeds_ is None:
            self.skipTest(f"TensorFlow does not run the model itself: {reason}")
        self.same_outputs(outputs, run_meta(meta, model, feeds_), answer.line)
