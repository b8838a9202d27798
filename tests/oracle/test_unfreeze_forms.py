"""unfreeze into a SavedModel, under other names, of what was frozen in part, and with gathers from handles, as TensorFlow takes them."""

import json
import os

import graphs
import tensorflow2
from cases import CASES, WITH_WEIGHTS
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, feeds, folder, for_each, frozen, reference
from test_partial import PARTS, partly

BY_NAME = {case.name: case for case in CASES}
# TensorFlow 2 in a process of its own: what it gives back as variables, and whether a step down their gradients lowers the loss.
LOADER = """
import json, sys
import numpy, tensorflow as tf
loaded = tf.saved_model.load(sys.argv[1])
serve = loaded.prune(sys.argv[2] + ":0", sys.argv[3] + ":0")
value = tf.constant(numpy.random.RandomState(0).uniform(-1, 1, json.loads(sys.argv[4])).astype("float32"))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(serve(value) - 0.3))
for variable, slope in zip(loaded.variables, tape.gradient(loss, loaded.variables)):
    variable.assign_sub(1e-3 * slope)
after = tf.reduce_sum(tf.square(serve(value) - 0.3))
print(json.dumps([sorted(one.name for one in loaded.variables), float(loss), float(after)]))
"""
LOADED = {
    "sample digits": ("image", "probabilities", [2, 28, 28, 1]),
    "resource": ("x", "y", [2, 4]),
    "partitioned": ("x", "y", [2, 7]),
}


@expanded
class Forms(Suite):
    @for_each(LOADED)
    def test_tensorflow_2_loads_a_saved_model_with_variables_that_train(self, name):
        answer, path = frozen(BY_NAME[name])
        out = os.path.join(folder("forms", name), "saved")
        thawed = call("unfreeze", path, "-o", out + "/", "--style", "resource")
        self.done(thawed)
        given, taken, shape = LOADED[name]
        done = tensorflow2.run_checked(LOADER, out, given, taken, json.dumps(shape))
        names, before, after = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual(names, sorted(row["name"] + ":0" for row in thawed.report["converted"]), thawed.line)
        self.assertLess(after, before, thawed.line)

    @for_each(
        [
            (case, style)
            for case in WITH_WEIGHTS
            if case.name in ("ref", "resource", "sample digits", "partitioned", "while_ref")
            for style in ("ref", "resource")
        ]
    )
    def test_variables_are_called_as_the_rules_say(self, one):
        case, style = one
        prefix = os.path.join(folder("forms", case.name, style, "named"), "model.ckpt")
        answer = call("unfreeze", frozen(case)[1], "-o", prefix, "--style", style, "--rename", "*=*_turned_var")
        self.done(answer)
        names = {row["name"] for row in answer.report["converted"]}
        self.assertEqual(
            {row["name"] for row in frozen(case)[0].report["converted"]},
            {name.removesuffix("_turned_var") for name in names},
        )
        session, _ = graphs.restored(prefix + ".meta", prefix)
        with session, session.graph.as_default():
            self.assertEqual({one.op.name for one in tf1.global_variables()}, names, answer.line)
            self.same_outputs(reference(case), graphs.run_outputs(session, case, feeds(case)), answer.line)

    @for_each(
        [case for case in PARTS if not case.corpus and "/part_" not in str(partly(case)[0].report.get("converted"))]
    )
    def test_what_was_frozen_in_part_is_restored_whole(self, case):
        part, prefix = partly(case)
        self.done(part)
        out = os.path.join(folder("forms", case.name), "whole.ckpt")
        answer = call("unfreeze", prefix + ".meta", "-o", out, "--force")
        self.done(answer)
        session, _ = graphs.restored(out + ".meta", out)
        with session, session.graph.as_default():
            self.same_outputs(reference(case), graphs.run_outputs(session, case, feeds(case)), answer.line)
            held = {op.name for op in session.graph.get_operations() if op.type in graphs.VARIABLE_OPS}
            self.assertEqual(set(graphs.values_in(session)), held, answer.line)
            self.assertLessEqual(
                {row["name"] for row in part.report["converted"]}, {one.op.name for one in tf1.global_variables()}
            )

    def test_a_gather_reads_rows_through_the_handle_where_asked(self):
        case = BY_NAME["gather"]
        prefix = os.path.join(folder("forms", "gather"), "model.ckpt")
        answer = call("unfreeze", frozen(case)[1], "-o", prefix, "--resource-gather", "--style", "resource")
        self.done(answer)
        ops = [node.op for node in graphs.read_graph(prefix + ".meta").node]
        self.assertIn("ResourceGather", ops)
        self.assertNotIn("GatherV2", ops)
        self.same_outputs(
            reference(case), graphs.run_restored(prefix + ".meta", prefix, case, feeds(case)), answer.line
        )


class SmallTypes(Suite):
    """Types for which TensorFlow has kernels of handles alone."""

    def constants(self, *kinds):
        path = os.path.join(folder("forms", "small types"), "-".join(kinds) + ".pb")
        with tf1.Graph().as_default() as graph:
            for kind in kinds:
                tf1.identity(
                    tf1.constant(
                        [1.0, 2.0, -4.0, 0.0],
                        getattr(tf.dtypes, kind, None) or getattr(tf.dtypes.experimental, kind),
                        name=kind,
                    ),
                    kind + "_out",
                )
        with open(path, "wb") as file:
            file.write(graph.as_graph_def().SerializeToString())
        return path

    def test_a_float8_is_restored_into_a_handle_whatever_the_style(self):
        path = self.constants("float8_e5m2", "float8_e4m3fn", "bfloat16")
        prefix = os.path.join(os.path.dirname(path), "thawed.ckpt")
        answer = call("unfreeze", path, "--style", "ref", "--constants", "**", "-o", prefix, "--force")
        self.done(answer)
        self.assertEqual(
            {row["name"]: row["to"] for row in answer.report["converted"]},
            {"float8_e5m2": "VarHandleOp", "float8_e4m3fn": "VarHandleOp", "bfloat16": "VariableV2"},
            answer,
        )
        with tf1.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
            saver = tf1.train.import_meta_graph(prefix + ".meta")
            session.run(tf1.global_variables_initializer())
            saver.restore(session, prefix)
            for row in answer.report["converted"]:
                value = session.run(row["name"] + "_out:0")
                self.assertEqual(value.astype("float32").tolist(), [1.0, 2.0, -4.0, 0.0], row)
