"""freeze: TensorFlow imports the result, it computes the same bits, and it is what TensorFlow's own freeze_graph wrote."""

import hashlib
import os
import re

import graphs
from cases import CASES, CORPUS, HAS_CORPUS, WITH_WEIGHTS, corpus_models
from graphs import tf, tf1
from program import call
from suite import NOTES, TABLE, Suite, expanded, feeds, folder, for_each, frozen, original, reference, values

PAIRS = [case for case in WITH_WEIGHTS if case.frozen]


def counted_from_zero(graph_def):
    """TensorFlow numbers the functions it rewrites (`_frozen_N`) through the whole process: here from 0."""
    numbers = sorted(
        {
            int(number)
            for function in graph_def.library.function
            for number in re.findall(r"_frozen_(\d+)$", function.signature.name)
        }
    )
    names = {}
    for function in graph_def.library.function:
        stem, _, number = function.signature.name.rpartition("_frozen_")
        if stem and number.isdigit():
            names[function.signature.name] = f"{stem}_frozen_{numbers.index(int(number))}"
    copy = tf1.GraphDef()
    copy.CopyFrom(graph_def)
    for function in copy.library.function:
        if function.signature.name in names:
            function.signature.name = names[function.signature.name]
    for nodes in [copy.node, *(function.node_def for function in copy.library.function)]:
        for node in nodes:
            for value in node.attr.values():
                for called in [value.func, *value.list.func]:
                    if called.name in names:
                        called.name = names[called.name]
    return copy


def bodies(library):
    """(name, ops) of each function, without the numbers that TensorFlow gives and `_frozen`."""
    return sorted(
        (
            re.sub(r"(_frozen)?(_\d+)?$", "", re.sub(r"_frozen_\d+$", "", function.signature.name)),
            sorted(node.op for node in function.node_def),
        )
        for function in library.function
    )


@expanded
class Freeze(Suite):
    def frozen(self, case):
        answer, path = frozen(case)
        self.done(answer)
        return answer, graphs.read_graph(path), path

    @for_each(WITH_WEIGHTS)
    def test_a_frozen_graph_has_no_state_left_and_tensorflow_imports_it(self, case):
        answer, after, path = self.frozen(case)
        nodes = [*after.node, *(node for function in after.library.function for node in function.node_def)]
        self.assertEqual([], [(node.name, node.op) for node in nodes if node.op in graphs.STATE_OPS], answer.line)
        graphs.imported(after)
        report = answer.report
        self.assertEqual(report["before"]["nodes"], len(original(case).node), answer)
        self.assertEqual(report["after"]["nodes"], len(after.node), answer)
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        self.assertEqual(report["outputs"][0].get("sha256", digest), digest, answer)

    @for_each(WITH_WEIGHTS)
    def test_a_frozen_graph_computes_the_same_bits(self, case):
        answer, after, _ = self.frozen(case)
        self.same_outputs(reference(case), graphs.run_graph(after, case, feeds(case)), answer.line)

    @for_each(WITH_WEIGHTS)
    def test_each_variable_that_is_needed_became_a_const_of_its_bits(self, case):
        answer, after, _ = self.frozen(case)
        before = {node.name: node for node in original(case).node}
        nodes = {node.name: node for node in after.node}
        need = graphs.needed(original(case), case.outputs)
        expected = {name: graphs.bits(values(case)[name]) for name in need if before[name].op in graphs.VARIABLE_OPS}
        found = {
            name: graphs.const_bits(nodes[name]) for name in expected if name in nodes and nodes[name].op == "Const"
        }
        self.same(found, expected, answer.line)
        self.same(
            {row["name"]: row["dtype"] for row in answer.report["converted"] if row["name"] in expected},
            {name: tf.as_dtype(before[name].attr["dtype"].type).name for name in expected},
            answer.line,
        )

    @for_each(WITH_WEIGHTS)
    def test_what_is_not_about_variables_stays_as_it_was(self, case):
        answer, after, _ = self.frozen(case)
        before = {node.name: node for node in original(case).node}
        about = {
            "Const",
            "Identity",
            "Enter",
            "Exit",
            "Switch",
            "Merge",
            "NextIteration",
            "GatherV2",
            "GatherNd",
            "PartitionedCall",
            "StatefulPartitionedCall",
            "While",
            "StatelessWhile",
            "If",
            "StatelessIf",
            "Case",
            "StatelessCase",
        }
        changed = [
            node.name
            for node in after.node
            if node.name not in before
            or before[node.name].op != node.op
            or graphs.plain(node) != graphs.plain(before[node.name])
        ]
        nodes = {node.name: node for node in after.node}
        self.assertEqual([], [(name, nodes[name].op) for name in changed if nodes[name].op not in about], answer.line)
        new = [name for name in nodes if name not in before]
        self.assertTrue(all(name.endswith("/axis") for name in new), new)

    @for_each(PAIRS)
    def test_it_is_what_tensorflow_s_own_freeze_wrote(self, case):
        answer, path = frozen(case)
        if case.cut:
            path = os.path.join(folder(case.name), "cut.pb")
            answer = call(
                "freeze",
                case.path,
                "-o",
                path,
                "--force",
                "--outputs",
                ",".join(case.outputs),
                "--inputs",
                ",".join(case.cut),
            )
        self.done(answer)
        after, theirs = graphs.read_graph(path), graphs.read_graph(case.frozen)
        kept = graphs.needed(theirs, case.outputs)  # they also keep what `loc:@` names
        wanted = {node.name: node for node in theirs.node if node.name in kept}
        nodes = graphs.spliced({node.name: node for node in after.node}, wanted)
        # TensorFlow drops the control inputs of reads, and of a cut input its shape.
        loose = ("_output_shapes", "_class", "_read_only_resource_inputs") + (("shape",) if case.cut else ())
        attrs = loose + (
            ("f", "body", "cond", "then_branch", "else_branch", "output_shapes") if after.library.function else ()
        )

        def told(node):
            return graphs.plain(node, attrs, control=node.op != "Identity")

        self.same(
            {name: told(node) for name, node in nodes.items()},
            {name: told(node) for name, node in wanted.items()},
            answer.line,
        )
        reached = graphs.reachable_functions(theirs, wanted.values())
        functions = tf1.GraphDef(
            library=type(theirs.library)(
                function=[one for one in theirs.library.function if one.signature.name in reached]
            )
        )
        self.assertEqual(bodies(after.library), bodies(functions.library), answer.line)

    @for_each(PAIRS)
    def test_like_tensorflow_is_node_for_node_what_freeze_graph_writes(self, case):
        if case.corpus:
            self.skipTest("written by another release of TensorFlow, or optimized afterwards")
        path = os.path.join(folder(case.name), "like.pb")
        answer = call("freeze", case.path, "-o", path, "--outputs", ",".join(case.outputs), "--like-tensorflow")
        if answer.status == 2:
            self.skipTest("there is no --like-tensorflow yet")
        self.done(answer)
        after, theirs = graphs.read_graph(path), graphs.read_graph(case.frozen)
        self.assertEqual([node.name for node in after.node], [node.name for node in theirs.node])
        self.assertEqual(after, counted_from_zero(theirs))

    @for_each(WITH_WEIGHTS)
    def test_the_same_call_writes_the_same_bytes(self, case):
        _, _, path = self.frozen(case)
        again = path.replace("frozen.pb", "again.pb")
        self.done(call("freeze", case.path, "-o", again, "--outputs", ",".join(case.outputs)))
        with open(path, "rb") as one, open(again, "rb") as two:
            self.assertTrue(one.read() == two.read(), "two runs wrote different bytes")

    @for_each([case for case in CASES if case.weightless])
    def test_without_its_weights_a_model_is_not_frozen_and_the_missing_file_is_named(self, case):
        directory = folder(case.name, "refused")
        answer = call("freeze", case.path, "-o", os.path.join(directory, "out.pb"), "--outputs", ",".join(case.outputs))
        self.refused(answer, directory)
        if case.name == "missing_shard":
            self.assertIn("model.ckpt.data-00001-of-00002", answer.output + answer.errors, answer)

    @for_each([case for case in CASES if case.assigned])
    def test_an_assignment_that_an_output_needs_is_refused_with_its_path(self, case):
        directory = folder(case.name, "refused")
        answer = call("freeze", case.path, "-o", os.path.join(directory, "out.pb"), "--outputs", ",".join(case.outputs))
        self.refused(answer, directory)
        said = " ".join(one["message"] for one in answer.report["diagnostics"])
        self.assertTrue(case.assigned in said and "y" in said and "w" in said, answer)

    def test_an_existing_output_is_refused_without_force(self):
        case = WITH_WEIGHTS[0]
        path = os.path.join(folder("exists"), "out.pb")
        with open(path, "w") as file:
            file.write("kept")
        answer = call("freeze", case.path, "-o", path, "--outputs", case.outputs[0])
        self.assertEqual(answer.status, 3, answer)
        with open(path) as file:
            self.assertEqual(file.read(), "kept")
        self.done(call("freeze", case.path, "-o", path, "--outputs", case.outputs[0], "--force"))

    def test_an_output_that_is_not_there_is_refused(self):
        directory = folder("absent")
        for verb in ("freeze", "prune"):
            answer = call(verb, WITH_WEIGHTS[0].path, "-o", os.path.join(directory, "out.pb"), "--outputs", "nope")
            self.refused(answer, directory)
            self.assertIn("nope", answer.output + answer.errors)

    @for_each([case for case in WITH_WEIGHTS if case.corpus])
    def test_the_row_of_the_corpus_table_is_whole(self, case):
        answer, after, _ = self.frozen(case)
        self.assertIn(str(case), TABLE)
        TABLE[str(case)].update(
            after=len(after.node),
            bytes=os.path.getsize(frozen(case)[1]),
            frozen=sum(row.get("dtype") is not None for row in answer.report["converted"]),
        )


if HAS_CORPUS:
    for each in corpus_models():
        graph = original(each)
        TABLE[str(each)] = {
            "before": len(graph.node),
            "after": None,
            "bytes": 0,
            "frozen": None,
            "variables": sum(node.op in graphs.VARIABLE_OPS for node in graph.node),
        }
else:
    NOTES.append(f"SKIPPED: no corpus at {CORPUS}: its models were not tried")
