"""--lower-control-flow and --no-inline: the same bits from graphs without functional control flow, and from graphs with their calls."""

import os

import graphs
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each
from test_freeze_saved_models import MODELS, meta_graph, reference, run_meta
from test_set import random_flow

FUNCTIONAL = {"While", "StatelessWhile", "If", "StatelessIf", "Case", "StatelessCase"}
CALLS = {"PartitionedCall", "StatefulPartitionedCall"}


def ops_of(graph_def):
    return {
        node.op for nodes in [graph_def.node, *(each.node_def for each in graph_def.library.function)] for node in nodes
    }


def with_ops(ops):
    return [model for model in MODELS if not model.refused and ops & ops_of(meta_graph(model).graph_def)]


@expanded
class Lower(Suite):
    @for_each(range(24))
    def test_of_lowered_random_branches_and_loops_the_bits_are_those_of_the_original(self, seed):
        before = random_flow(seed, functional=True)
        directory = folder("lower", "random", str(seed))
        path, out = os.path.join(directory, "in.pb"), os.path.join(directory, "out.pb")
        with open(path, "wb") as file:
            file.write(before.SerializeToString(deterministic=True))
        answer = call("freeze", path, "-o", out, "--outputs", "y", "--lower-control-flow")
        self.done(answer)
        after = graphs.read_graph(out)
        self.assertFalse((FUNCTIONAL | CALLS) & ops_of(after), answer)
        self.assertFalse(after.library.function, answer)
        x = graphs.made_up(tf.float32, [3], seed, None)
        left = {node.name for node in after.node}
        with (
            tf1.Session(graph=graphs.imported(before), config=graphs.config()) as original,
            tf1.Session(graph=graphs.imported(after), config=graphs.config()) as lowered,
        ):
            for bits in range(8):
                fed = {"x:0": x, **{f"p{i}:0": bool(bits >> i & 1) for i in range(3)}}
                expected = original.run("y:0", fed)
                found = lowered.run("y:0", {name: value for name, value in fed.items() if graphs.base(name) in left})
                self.assertEqual(graphs.bits(expected), graphs.bits(found), answer.line)

    def left_by(self, model, option):
        path = os.path.join(folder("lower", model.name), option.strip("-") + ".meta")
        answer = call("freeze", model.path, "-o", path, "--signature", model.key, option)
        self.done(answer)
        meta = graphs.parse(tf1.MetaGraphDef, path)
        graphs.without_optimizers(meta.graph_def)
        left = ops_of(meta.graph_def)
        self.assertFalse(graphs.STATE_OPS & left, answer)
        feeds, outputs, reason = reference(model)
        if feeds is None:
            self.skipTest(f"TensorFlow does not run the model itself: {reason}")
        self.same_outputs(outputs, run_meta(meta, model, feeds), answer.line)
        return left

    @for_each(with_ops(FUNCTIONAL))
    def test_a_lowered_saved_model_computes_the_same_bits_without_functional_control_flow(self, model):
        self.assertFalse(FUNCTIONAL & self.left_by(model, "--lower-control-flow"))

    @for_each(with_ops(CALLS))
    def test_a_saved_model_frozen_without_inlining_keeps_its_calls_and_computes_the_same_bits(self, model):
        self.assertTrue(CALLS & self.left_by(model, "--no-inline"))
