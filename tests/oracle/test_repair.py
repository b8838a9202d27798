"""Checks that graphs repaired by `validate --fix` import in TensorFlow and compute the same."""

import os
import sys

import graphs
from cases import DATA, FROZEN, GRAPHS
from graphs import tf1
from program import call
from suite import Suite, expanded, feeds, folder, for_each, original, reference

sys.path.insert(0, DATA)
from fixtures.importer import judge  # noqa: E402  (the path comes first)

SMALL = [case for case in GRAPHS if not (case.weightless or case.corpus)]


def faults(graph):
    """Returns the graph with each fault that can be repaired, once, and the codes that are to be reported."""
    made, codes = tf1.GraphDef(), set()
    made.CopyFrom(graph)
    fed = [node for node in made.node if node.input and not node.input[0].startswith("^") and node.op != "Merge"]
    first = next(node.name for node in made.node if not node.input)
    taken = {graphs.base(tensor) for node in made.node for tensor in node.input if not tensor.startswith("^")}
    fed = fed[:4] + [node for node in fed[4:] if node.name in taken]
    for at, node in enumerate(fed[:5]):
        if at == 0:
            node.input.insert(0, "^" + first)
            codes.add("control-input-order")
        elif at == 1:
            node.input.extend(["^" + first] * 2)
            codes.add("duplicate-control-input")
        elif at == 2:
            node.input.append("^that_went")
            codes.add("unknown-input-node")
        elif at == 3:
            node.attr["_class"].list.s.append(b"loc:@that_went")
            codes.add("unknown-colocation")
        else:
            node.attr["_output_shapes"].Clear()
            node.attr["_output_shapes"].list.SetInParent()
            codes.add("output-shapes-count")
    for node in made.node:
        defaults = graphs.default_attrs(node.op)
        empty = [
            name
            for name, value in sorted(defaults.items())  # an empty list says nothing either, and is one
            if name in node.attr and node.attr[name] == value and value.WhichOneof("value") != "list"
        ]
        if empty:
            node.attr[empty[0]].Clear()
            codes.add("attr-empty")
            break
    return made, codes


@expanded
class Repair(Suite):
    def mended(self, case):
        """Returns (the original graph, the repaired graph, the answer)."""
        path = folder("repair", case.name)
        broken, codes = faults(original(case))
        with open(os.path.join(path, "broken.pb"), "wb") as file:
            file.write(broken.SerializeToString(deterministic=True))
        before = call("validate", file.name)
        out = os.path.join(path, "mended.pb")
        answer = call("validate", file.name, "--fix", "-o", out, "--force")
        self.assertEqual(answer.status, 0, answer)
        fixable = {one["code"] for one in before.report["diagnostics"] if one["fixable"]}
        self.assertLessEqual(codes, fixable, before)
        self.assertLessEqual(codes, {one["code"] for one in answer.report["repaired"]}, answer)
        self.assertEqual([], [one for one in answer.report["diagnostics"] if one["fixable"]], answer)
        return graphs.read_graph(out), out

    @for_each(SMALL)
    def test_a_repaired_graph_imports_and_is_the_graph(self, case):
        mended, path = self.mended(case)
        [said] = judge([path])
        self.assertEqual(said["code"], 0, said)
        mine = {node.name: graphs.plain(node, control=False) for node in mended.node}
        theirs = {node.name: graphs.plain(node, control=False) for node in original(case).node}
        self.same(mine, theirs)

    @for_each(FROZEN)
    def test_a_repaired_graph_computes_the_same(self, case):
        mended, _ = self.mended(case)
        self.same_outputs(reference(case), graphs.run_graph(mended, case, feeds(case)), case.name)
