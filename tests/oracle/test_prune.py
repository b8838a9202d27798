"""prune against extract_sub_graph, and runs of what it leaves."""

import os

import graphs
from cases import DATA, FROZEN, GRAPHS, WITH_WEIGHTS, sample
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, feeds, folder, for_each, original, reference, values


class Cut:
    def __init__(self, path, inputs, outputs, placeholders):
        self.path, self.inputs, self.outputs, self.placeholders = path, inputs, outputs, placeholders

    def __str__(self):
        return f"{','.join(self.inputs)} to {','.join(self.outputs)}"


CUTS = [
    Cut(*row)
    for row in [  # path, inputs, outputs, placeholders that must be there
        (next(sample()).path, ["conv1/relu"], ["probabilities"], {"conv1/relu"}),
        (next(sample()).path, ["conv1/relu:0"], ["logits"], {"conv1/relu"}),
        (os.path.join(DATA, "many_outputs", "graph.pb"), ["pieces:1", "pieces:2"], ["y"], {"pieces_1", "pieces_2"}),
    ]
]


def sub_graph(graph_def, outputs):
    return tf1.graph_util.extract_sub_graph(graph_def, [graphs.base(name) for name in outputs])


def with_class_cut(node, kept):
    """Returns the node as it should come out: without `loc:@` of removed nodes."""
    copy = type(node)()
    copy.CopyFrom(node)
    if "_class" in copy.attr:
        entries = [
            one for one in node.attr["_class"].list.s if not one.startswith(b"loc:@") or one[5:].decode() in kept
        ]
        copy.attr["_class"].list.s[:] = entries
        if not entries:
            del copy.attr["_class"]
    return copy.SerializeToString(deterministic=True)


def pruned(case, *options):
    path = os.path.join(folder(case.name), "pruned.pb")
    return call("prune", case.path, "-o", path, "--force", "--outputs", ",".join(case.outputs), *options), path


@expanded
class Prune(Suite):
    @for_each([case for case in GRAPHS if case.outputs])
    def test_what_is_kept_is_what_extract_sub_graph_keeps_without_colocation(self, case):
        answer, path = pruned(case)
        self.done(answer)
        before, after = original(case), graphs.read_graph(path)
        expected = sub_graph(graphs.without_class(before), case.outputs)
        self.assertEqual([node.name for node in after.node], [node.name for node in expected.node])
        kept = {node.name for node in after.node}
        theirs = {node.name: with_class_cut(node, kept) for node in before.node if node.name in kept}
        self.same({node.name: with_class_cut(node, kept) for node in after.node}, theirs)
        for node in after.node:
            gone = [
                one for one in node.attr["_class"].list.s if one.startswith(b"loc:@") and one[5:].decode() not in kept
            ]
            self.assertEqual([], gone, node.name)
        self.assertEqual(
            {function.signature.name for function in after.library.function},
            graphs.reachable_functions(before, expected.node),
        )
        self.assertEqual(after.versions, before.versions)
        report = answer.report
        self.assertEqual((report["before"]["nodes"], report["after"]["nodes"]), (len(before.node), len(after.node)))

    @for_each(WITH_WEIGHTS + FROZEN)
    def test_a_pruned_graph_computes_the_same_bits(self, case):
        answer, path = pruned(case)
        self.done(answer)
        found = graphs.run_with_values(graphs.read_graph(path), values(case) if case.meta else {}, case, feeds(case))
        self.same_outputs(reference(case), found, answer.line)

    @for_each([case for case in GRAPHS if case.outputs])
    def test_like_tensorflow_is_extract_sub_graph_itself(self, case):
        answer, path = pruned(case, "--like-tensorflow")
        if answer.status == 2:
            self.skipTest("there is no --like-tensorflow yet")
        self.done(answer)
        with open(path, "rb") as file:
            written = file.read()
        expected = sub_graph(original(case), case.outputs)
        self.assertEqual(tf1.GraphDef.FromString(written), expected)

    @for_each([case for case in GRAPHS if case.outputs])
    def test_prune_twice_is_prune_once(self, case):
        answer, path = pruned(case)
        self.done(answer)
        again = path.replace("pruned", "pruned_again")
        self.done(call("prune", path, "-o", again, "--force", "--outputs", ",".join(case.outputs)))
        with open(path, "rb") as one, open(again, "rb") as two:
            self.assertTrue(one.read() == two.read(), "the second prune changed the file")

    @for_each(CUTS)
    def test_a_cut_becomes_a_placeholder_of_the_tensor_s_own_type_and_shape(self, cut):
        path = os.path.join(folder(f"cut {cut}"), "cut.pb")
        answer = call(
            "prune", cut.path, "-o", path, "--inputs", ",".join(cut.inputs), "--outputs", ",".join(cut.outputs)
        )
        self.done(answer)
        before, after = graphs.read_graph(cut.path), graphs.read_graph(path)
        found = {node.name: node for node in after.node if node.op == "Placeholder"}
        self.assertEqual(set(found), cut.placeholders)
        said = {node.name: "_output_shapes" in node.attr for node in before.node}
        graph = graphs.imported(before)
        for name, tensor in zip(sorted(cut.placeholders), cut.inputs):
            whole = graph.get_tensor_by_name(graphs.port(tensor))
            self.assertEqual(tf.as_dtype(found[name].attr["dtype"].type), whole.dtype)
            shape = tf.TensorShape(found[name].attr["shape"].shape)
            if said[graphs.base(tensor)]:
                self.assertEqual(shape.as_list(), whole.shape.as_list())
            else:  # where the graph does not say the shape, it may be left open, but not be another
                self.assertTrue(shape.is_compatible_with(whole.shape), f"{shape} for {whole.shape}")
        graphs.imported(after)

    @for_each(
        [case for case in WITH_WEIGHTS if case.name in ("sample digits", "ref", "resource", "partitioned", "shards")]
    )
    def test_a_pruned_checkpoint_is_restored_with_its_meta(self, case):
        prefix = os.path.join(folder(case.name, "pruned"), "pruned.ckpt")
        answer = call("prune", case.path, "-o", prefix, "--outputs", ",".join(case.outputs))
        self.done(answer)
        found = graphs.run_restored(prefix + ".meta", prefix, case, feeds(case))
        self.same_outputs(reference(case), found, answer.line)
