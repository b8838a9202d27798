"""validate agrees with TensorFlow's importer, on every graph at hand."""

import json
import os
import re
import sys

import graphs
import numpy as np
from cases import CORPUS, DATA, GRAPHS, corpus_files
from graphs import tf1
from importers import judge_both
from program import call
from suite import NOTES, Suite, expanded, folder, for_each

sys.path.insert(0, DATA)

# TensorFlow's messages if only the shapes of tensors are wrong: the program does not infer shapes. Such graphs are
# skipped or counted at the end by name, never counted as the same verdict.
SHAPES = re.compile(
    r"Dimensions must be equal|Shapes? must be|Cannot reshape|is not a multiple of the number of groups"
)
INVALID = os.path.join(DATA, "invalid")
with open(os.path.join(INVALID, "verdicts.json")) as file:
    VERDICTS = json.load(file)


def mutated(graph_def, rng):
    """(what was done, copy with one change of names, inputs, ops or attributes). Shapes are left alone."""
    graph = tf1.GraphDef()
    graph.CopyFrom(graph_def)
    node = graph.node[rng.randint(len(graph.node))]
    required = [
        name for name in sorted(node.attr) if name not in graphs.default_attrs(node.op) and not name.startswith("_")
    ]
    feeding = [other for other in graph.node if other.input]
    fed = feeding[rng.randint(len(feeding))]
    at = rng.randint(len(fed.input))
    kind = rng.randint(12)
    if kind == 0:
        node.name = rng.choice(["a b", "", "/x", "x:0", "-x", "ok.x/y-z", "9", "a//b"])
    elif kind == 1:
        node.name = graph.node[rng.randint(len(graph.node))].name
    elif kind == 2:
        graph.node.remove(node)
    elif kind == 3:
        fed.input[at] += rng.choice([":7", ":0", ":-1", ":", "x", ":1x", ":00"])
    elif kind == 4:
        fed.input.append(fed.input[at])
    elif kind == 5:
        del fed.input[at]
    elif kind == 6:
        fed.input.insert(rng.randint(len(fed.input) + 1), "^" + node.name)
    elif kind == 7:
        node.op = rng.choice(["", "Nope", "NoOp", "Const"])
    elif kind == 8 and required:
        del node.attr[rng.choice(required)]
    elif kind == 9 and required:
        node.attr[rng.choice(required)].Clear()
    elif kind == 10:
        node.attr[rng.choice(["foo", "_foo", "T", "N", "dtype"])].i = rng.randint(-2, 5)
    else:
        node.attr["_class"].list.s.append(rng.choice([b"loc:@nope", b"loc:@", b"any", b"loc:@" + fed.name.encode()]))
    return f"mutation {kind} of {node.name!r} or {fed.name!r}", graph


def graph_files():
    """(name, path given to validate, GraphDef file given to TensorFlow)"""
    for case in GRAPHS:
        if not case.weightless and not case.corpus:
            yield case.name, case.graph
    for path in corpus_files(".meta", ".pb", ".pbtxt"):
        if path.endswith(".pbtxt") and os.path.exists(path.removesuffix("txt")):
            continue  # the same graph twice
        yield os.path.relpath(path, CORPUS), path


def graph_defs(path):
    """The GraphDefs of a file (a SavedModel may hold several); none where TensorFlow's protobuf cannot parse it."""
    from google.protobuf.message import DecodeError
    from google.protobuf.text_format import ParseError
    from tensorflow.core.protobuf.saved_model_pb2 import SavedModel

    try:
        if "saved_model" in os.path.basename(path):
            if path.endswith(".pbtxt"):
                return []
            metas = graphs.parse(SavedModel, path).meta_graphs
            return [meta.graph_def for meta in metas]
        return [graphs.read_graph(path)]
    except (DecodeError, ParseError, UnicodeDecodeError):
        return []


@expanded
class Validate(Suite):
    def verdict(self, path):
        answer = call("validate", path)
        self.assertIn(answer.status, (0, 1), answer)
        self.assertEqual(answer.status == 0, answer.report["sound"], answer)
        return answer

    @for_each(sorted(VERDICTS))
    def test_the_verdict_on_a_fault_is_that_of_the_importer(self, name):
        said = VERDICTS[name]
        answer = self.verdict(os.path.join(INVALID, name + ".pb"))
        if answer.report["valid"] and SHAPES.search(said["message"]):
            self.skipTest("shapes are not inferred")
        self.assertEqual(answer.report["valid"], said["code"] == 0, f"TensorFlow: {said}\n{answer}")
        if said["code"] > 0:
            errors = [one for one in answer.report["diagnostics"] if one["severity"] == "error"]
            self.assertTrue(errors, answer)
            self.assertTrue(
                all(one["message"] and one.get("where") is not None and one.get("code") for one in errors), answer
            )

    def test_the_verdicts_on_all_graphs_are_those_of_the_importer(self):
        rows, numbered = [], 0
        for name, path in graph_files():
            for graph in graph_defs(path):
                if not graph.node:
                    continue
                numbered += 1
                copy = os.path.join(folder("validate"), f"{numbered}.pb")
                with open(copy, "wb") as file:
                    file.write(graph.SerializeToString(deterministic=True))
                as_it_lies = path.endswith((".meta", ".pb")) and "saved_model" not in path
                # A TensorFlow.js model takes the values of its constants from the files next to it.
                rows.append((name, path if as_it_lies and "tensorflowjs_model" not in path else copy, copy))
        wrong, shapes = [], []
        for (name, path, _), said in zip(rows, judge_both([copy for _, _, copy in rows])):
            answer = call("validate", path)
            if answer.report.get("valid") and SHAPES.search(said["message"]):
                shapes.append(f"\n    {name}: {said['message'][:90]}")
            elif answer.status not in (0, 1) or answer.report.get("valid") != (said["code"] == 0):
                first = next(
                    (one["message"] for one in answer.report.get("diagnostics", []) if one["severity"] == "error"), ""
                )
                wrong.append(
                    f"{name}: TensorFlow {said['code']} {said['message'][:120]!r}; validate {answer.status} {first[:120]!r}"
                )
        NOTES.append(
            f"validate: {len(rows) - len(wrong) - len(shapes)} of {len(rows)} graphs (fixtures and corpus) judged as the importer judges; "
            f"{len(shapes)} are refused by TensorFlow for their shapes, which are not inferred here" + "".join(shapes)
        )
        self.assertEqual([], wrong)

    def test_the_verdicts_on_seeded_mutations_are_those_of_the_importer(self):
        rng, rows = np.random.RandomState(5), []
        for name in ("ref", "resource", "while_resource", "call_handles", "functional", "many_outputs"):
            whole = graphs.read_graph(next(case.graph for case in GRAPHS if case.name == name))
            for number in range(60):
                done, graph = mutated(whole, rng)
                path = os.path.join(folder("mutated"), f"{name}{number}.pb")
                with open(path, "wb") as file:
                    file.write(graph.SerializeToString(deterministic=True))
                rows.append((f"{name} {number}, {done}", path))
        wrong, refusals = [], 0
        for (name, path), said in zip(rows, judge_both([path for _, path in rows])):
            answer = call("validate", path)
            refusals += said["code"] != 0
            if answer.status not in (0, 1) or answer.report.get("valid") != (said["code"] == 0):
                first = next(
                    (one["message"] for one in answer.report.get("diagnostics", []) if one["severity"] == "error"), ""
                )
                wrong.append(
                    f"{name}: TensorFlow {said['code']} {said['message'][:140]!r}; validate {answer.status} {first[:140]!r}"
                )
        NOTES.append(
            f"validate: {len(rows) - len(wrong)} of {len(rows)} mutated graphs judged alike; TensorFlow refuses {refusals}"
        )
        self.assertEqual([], wrong)

    def test_the_message_is_in_the_words_of_tensorflow(self):
        """Not a law for each: counted, with those that differ printed."""
        same, other = 0, []
        for name, said in sorted(VERDICTS.items()):
            if said["code"] <= 0:
                continue
            answer = call("validate", os.path.join(INVALID, name + ".pb"))
            errors = [one["message"] for one in answer.report.get("diagnostics", []) if one["severity"] == "error"]
            clause = said["message"].split(" for '{{")[0].split(" from Op<")[0][:60]
            if any(clause in " ".join(message.split()) for message in errors):
                same += 1
            else:
                other.append(f"    {name}: TensorFlow {said['message'][:90]!r}; validate {errors[:1]}")
        NOTES.append(
            f"validate: {same} of {same + len(other)} messages in TensorFlow's words"
            + "".join("\n" + line for line in other)
        )
        self.assertGreater(same, len(other), "most messages are in other words than TensorFlow's")
