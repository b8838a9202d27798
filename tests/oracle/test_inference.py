"""--inference: a training graph becomes what the original computes with its training switches fed, and what only training needs is gone."""

import graphs
import numpy as np
from graphs import tf, tf1
from inference_programs import PROGRAMS, Program, X, plain_switch, sampled
from program import call
from suite import Suite, expanded, for_each

TRAINING = {
    "RandomUniform",
    "Switch",
    "Merge",
    "If",
    "StatelessIf",
    "IteratorGetNext",
    "CheckNumerics",
    "AssignSub",
    "Assign",
}


@expanded
class Inference(Suite):
    @for_each(PROGRAMS)
    def test_computes_what_the_original_does_with_its_switches_fed(self, program):
        path, output, expected, data = program.saved()
        out = path.replace("model.ckpt", "frozen.pb")
        answer = call("freeze", path, "-o", out, "--outputs", output, "--inference")
        self.done(answer)
        self.assertEqual(program.changes, {each["change"] for each in answer.report["changes"]}, answer)
        graph = graphs.read_graph(out)
        self.assertEqual(set(), TRAINING & {node.op for node in graph.node}, answer)
        self.assertFalse([node for node in graph.node if node.attr["is_training"].b], answer)
        names = {node.name for node in graph.node if node.op == "Placeholder"}
        if not data:
            data = {next(iter(names)) + ":0": X}
        self.assertEqual({name.split(":")[0] for name in data}, names, answer)
        with tf.Graph().as_default():
            tf.import_graph_def(graph, name="")
            with tf1.Session(config=graphs.config()) as session:
                found = session.run(output + ":0", data)
        np.testing.assert_array_equal(expected, found, str(answer))

    @for_each(PROGRAMS)
    def test_is_done_once(self, program):
        path, output, _, _ = program.saved()
        first = path.replace("model.ckpt", "first.pb")
        again = path.replace("model.ckpt", "again.pb")
        self.done(call("freeze", path, "-o", first, "--outputs", output, "--inference", "--force"))
        answer = call("freeze", first, "-o", again, "--outputs", output, "--inference", "--force")
        self.done(answer)
        self.assertEqual([], answer.report["changes"], answer)
        self.assertEqual(open(first, "rb").read(), open(again, "rb").read(), answer)

    @for_each(PROGRAMS)
    def test_prune_keeps_it_trainable(self, program):
        path, output, expected, data = program.saved()
        out = path.replace("model.ckpt", "pruned.ckpt")
        self.done(call("prune", path, "-o", out, "--outputs", output, "--inference", "--force"))
        with tf.Graph().as_default() as graph:
            saver = tf1.train.import_meta_graph(out + ".meta")
            heads = [op.name for op in graph.get_operations() if op.type == "Placeholder" and "save/" not in op.name]
            heads = [name for name in heads if not name.startswith("save")]
            with tf1.Session(config=graphs.config()) as session:
                saver.restore(session, out)
                found = session.run(output + ":0", data or {heads[0] + ":0": X})
        np.testing.assert_array_equal(expected, found)


class InferenceLeaves(Suite):
    def test_what_is_not_known_to_be_training(self):
        path, output, _, _ = Program(sampled, False, False, set()).saved()
        out = path.replace("model.ckpt", "frozen.pb")
        answer = call("freeze", path, "-o", out, "--outputs", output, "--inference")
        self.done(answer)
        self.assertEqual([], answer.report["changes"], answer)
        self.assertEqual(["training-switch-unclear", "random-numbers"], answer.codes("warning"), answer)

    def test_what_was_set_by_hand(self):
        path, output, _, _ = Program(plain_switch, False, False, set()).saved()
        out = path.replace("model.ckpt", "by_hand.pb")
        answer = call("freeze", path, "-o", out, "--outputs", output, "--inference", "--set", "phase=true")
        self.assertNotIn("set", {each["change"] for each in answer.report.get("changes", [])}, answer)
