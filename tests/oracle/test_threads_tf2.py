"""Requests of users (numbers of threads: tensorflow/tensorflow, or as named): freezing SavedModels of TensorFlow 2."""

import functools
import json
import os

import graphs
import tensorflow2
from graphs import np, tf1
from program import call
from suite import folder
from tensorflow.python.tools import freeze_graph
from thread import Thread, state_left

HERE = os.path.dirname(os.path.abspath(__file__))


@functools.lru_cache(None)
def verdicts():
    """name -> {"saved": folder, "lowered" and "functional": [what is wrong with TensorFlow's own freeze, names of its outputs]}."""
    made = folder("threads", "of TensorFlow 2")
    tensorflow2.run_checked(os.path.join(HERE, "thread_saved_models.py"), made)
    with open(os.path.join(made, "verdicts.json")) as file:
        return json.load(file)


def runs(name):
    """({argument: value}, {key: value}) of the signature, as TensorFlow 2 ran it."""
    arrays = np.load(os.path.join(folder("threads", "of TensorFlow 2", name), "runs.npz"), allow_pickle=True)
    return [
        {key.split(" ", 1)[1]: arrays[key] for key in arrays.files if key.startswith(kind)} for kind in ("in", "out")
    ]


def freeze_graph_of(saved, outputs):
    with tf1.Graph().as_default():
        return freeze_graph.freeze_graph("", "", True, "", outputs, "", "", "", True, "", input_saved_model_dir=saved)


class ThreadsOfTensorFlow2(Thread):
    def tensorflow_fails(self, name, words):
        """convert_variables_to_constants_v2, with control flow lowered and as it is."""
        for kind, said in zip(("lowered", "functional"), words):
            self.assertIn(said, verdicts()[name][kind][0])

    def granted(self, name):
        """(answer, graph): one .pb without state or calls, in whose ends are the signature's; it computes what TensorFlow 2 does."""
        out, saved = os.path.join(folder("threads", name, "out"), "frozen"), verdicts()[name]["saved"]
        answer = call("freeze", saved, "-o", out + ".pb", "--force", "--signature", "serving_default")
        self.done(answer)
        self.done(call("freeze", saved, "-o", out + ".meta", "--force", "--signature", "serving_default"))
        meta = graphs.parse(tf1.MetaGraphDef, out + ".meta")
        after = graphs.read_graph(out + ".pb")
        self.assertEqual(after, meta.graph_def)
        self.assertEqual([], state_left(after))
        self.assertEqual([], [node.name for node in after.node if node.op.endswith("PartitionedCall")])
        inputs, outputs = runs(name)
        signature = meta.signature_def["serving_default"]
        feeds = {info.name: inputs[key] for key, info in signature.inputs.items()}
        assets = {
            one["where"]["tensor"]: os.path.join(saved, one["where"]["file"])
            for one in answer.report["diagnostics"]
            if one["code"] == "asset-needed"
        }
        with tf1.Session(graph=graphs.imported(after), config=graphs.config()) as session:
            for init in meta.collection_def["table_initializer"].node_list.value:
                session.run(init, assets)
            found = session.run({key: info.name for key, info in signature.outputs.items()}, feeds)
        self.same(
            {key: graphs.bits(value) for key, value in found.items()},
            {key: graphs.bits(value) for key, value in outputs.items()},
        )
        return answer, after, signature

    def test_thread_27614_a_keras_model_becomes_one_file_without_functions(self):
        _, after, _ = self.granted("keras")
        self.assertEqual([], [function.signature.name for function in after.library.function])
        self.assertIn("MatMul", [node.op for node in after.node])

    def test_thread_46740_a_detection_model_is_frozen_and_can_be_loaded(self):
        self.granted("detection")

    def test_thread_onnx_1813_no_call_is_left_where_freeze_graph_leaves_one(self):
        saved = verdicts()["nested_calls"]["saved"]
        theirs = freeze_graph_of(saved, "StatefulPartitionedCall")
        self.assertEqual(
            [node.op for node in theirs.node if node.name == "StatefulPartitionedCall"], ["StatefulPartitionedCall"]
        )
        self.granted("nested_calls")

    def test_thread_tfjs_3803_what_is_wrong_is_said_instead_of_identity_is_not_in_graph(self):
        saved = verdicts()["recurrent"]["saved"]
        self.refuses("AssertionError: Identity is not in graph", freeze_graph_of, saved, "Identity")
        out = os.path.join(folder("threads", "3803 of 2"), "model.json")
        self.done(call("freeze", saved, "-o", out, "--force"))
        self.assertEqual(call("inspect", out).report["kind"], "tfjs-graph-model")

    def test_thread_53569_36391_an_embedding_in_a_recurrent_loop(self):
        self.tensorflow_fails("recurrent", ["has inputs from different frames", "expected type resource != float"])
        self.granted("recurrent")

    def test_thread_48681_tfjs_4073_tables_stay_and_are_filled(self):
        self.tensorflow_fails(
            "tables", ["You must feed a value for placeholder tensor", "You must feed a value for placeholder tensor"]
        )
        self.granted("tables")

    def test_thread_35406_weight_norm_in_a_function(self):
        self.tensorflow_fails(
            "weight_norm", ["AssignVariableOp was passed float from", "incompatible with expected resource"]
        )
        answer, after, _ = self.granted("weight_norm")
        self.assertNotIn("AssignVariableOp", [node.op for node in after.node])
        self.told(answer, "always-assigned", "'kernel'", status=0)

    def test_a_counter_that_no_output_shows_is_left_out(self):
        answer, after, _ = self.granted("counted")
        self.assertNotIn("AssignAddVariableOp", [node.op for node in after.node])
        self.told(answer, "update-dropped", "'calls'", status=0)

    def test_pruned_and_frozen_saved_models_are_loaded_and_compute_the_same(self):
        """Checks that their tables are filled, and that no gradient names a removed function."""
        made = {}
        for name in ("keras", "nested_calls", "tables", "words", "grown", "swish", "recurrent"):
            for verb, *options in [
                ("prune",),
                ("prune", "--drop-checks"),
                ("freeze",),
                ("freeze", "--no-inline"),
                ("freeze", "--drop-checks"),
            ]:
                out = os.path.join(folder("threads", name, "_".join([verb, *options])), "saved/")
                self.done(
                    call(
                        verb,
                        verdicts()[name]["saved"],
                        "-o",
                        out,
                        "--force",
                        "--signature",
                        "serving_default",
                        *options,
                    )
                )
                made[out] = os.path.join(folder("threads", "of TensorFlow 2", name), "runs.npz")
        loaded = (part for out, runs in made.items() for part in (runs, out))
        told = tensorflow2.run_checked(os.path.join(HERE, "load_saved_models.py"), *loaded).stdout.split("\n")
        self.assertEqual({}, {out: fault for out, fault in zip(made, told) if fault})

    def test_bug_11_outputs_keep_the_signature_s_keys(self):
        self.assertEqual(verdicts()["detection"]["lowered"], ["", ["Identity:0", "Identity_1:0", "Identity_2:0"]])
        _, after, signature = self.granted("detection")
        self.assertEqual(
            {key: info.name for key, info in signature.outputs.items()},
            {key: key + ":0" for key in ("detection_boxes", "kept", "num_detections")},
        )
        self.assertEqual(signature.inputs["input_tensor"].name, "input_tensor:0")
        self.assertIn("detection_boxes", [node.name for node in after.node])
