"""Likely outputs and inputs against what the models' authors and signatures say."""

import functools
import os

import graphs
from cases import HAS_CORPUS
from graphs import tf, tf1
from known_outputs import half_of, without_signatures
from program import call
from session_layers import dense
from session_programs import PROGRAMS, built
from suite import NOTES, Suite, expanded, folder, for_each
from unlabelled_programs import PROGRAMS as UNLABELLED


class Score:
    """How many true names are among the first as many candidates, and among all."""

    def __init__(self):
        self.true = self.first = self.anywhere = 0

    def add(self, true, rows):
        names = [row["name"].removesuffix(":0") for row in rows]
        self.true += len(true)
        self.first += len(true & set(names[: len(true)]))
        self.anywhere += len(true & set(names))

    def __str__(self):
        return f"{self.first} of {self.true} among the first as many, {self.anywhere} anywhere"


@functools.lru_cache(None)
def written(program):
    """(path, outputs, inputs) of a program's graph."""
    meta, outputs, inputs = built(program)
    path = os.path.join(folder("session programs"), program.__name__ + ".meta")
    with open(path, "wb") as file:
        file.write(meta.SerializeToString())
    return path, outputs, inputs


def from_queue():
    """A queue of images and labels, and a trained net: (what the queue gives, the prediction)."""
    queue = tf1.FIFOQueue(8, [tf.float32, tf.int64], [[4], []])
    filling = queue.enqueue_many([tf.random.uniform([8, 4], seed=1), tf.zeros([8], tf.int64)])
    tf1.train.add_queue_runner(tf1.train.QueueRunner(queue, [filling]))
    images, labels = queue.dequeue_many(4)
    return images, labels


def from_iterator():
    data = tf1.data.Dataset.from_tensor_slices((tf.ones([8, 4]), tf.zeros([8], tf.int64)))
    return tf1.data.make_initializable_iterator(data.batch(4)).get_next()


@expanded
class Outputs(Suite):
    @for_each(PROGRAMS + UNLABELLED)
    def test_the_outputs_of_programs_are_the_first_candidates(self, program):
        path, outputs, inputs = written(program)
        report = call("inspect", path).report
        score = Score()
        score.add(outputs, report["outputs"])
        self.assertEqual(score.first, score.true, [row["name"] for row in report["outputs"]])
        self.assertLessEqual(inputs, {row["name"] for row in report["inputs"]}, report["inputs"])
        self.assertTrue(any(row["chosen"] for row in report["outputs"]), report["outputs"])
        self.assertFalse(any(row["certain"] for row in report["outputs"]), "a graph that has variables")

    def test_the_results_of_a_detector_are_taken_together(self):
        path, outputs, _ = written(next(each for each in PROGRAMS if each.__name__ == "detector"))
        answer = call("prune", path, "-o", os.path.join(folder("detector"), "pruned.pb"))
        self.done(answer)
        self.assertEqual(set(answer.report["graphOutputs"]), outputs, answer)
        self.assertIs(answer.report.get("guess"), True, answer)

    def test_a_sole_end_of_a_frozen_graph_is_certain(self):
        with tf1.Graph().as_default() as graph:
            tf.nn.softmax(tf.matmul(tf1.placeholder(tf.float32, [None, 2], "x"), tf.ones([2, 2])), name="y")
        path = os.path.join(folder("sole end"), "graph.pb")
        with open(path, "wb") as file:
            file.write(graph.as_graph_def().SerializeToString())
        self.assertEqual(
            [(row["name"], row["certain"]) for row in call("inspect", path).report["outputs"]][0], ("y", True)
        )

    @for_each([from_queue, from_iterator])
    def test_a_graph_that_a_pipeline_feeds_freezes_to_the_same_bits(self, pipeline):
        top = folder("pipelines", pipeline.__name__)
        with tf1.Graph().as_default():
            tf1.disable_resource_variables()
            images, labels = pipeline()
            logits = dense(images, 3, "logits")
            tf1.train.GradientDescentOptimizer(0.1).minimize(tf1.losses.sparse_softmax_cross_entropy(labels, logits))
            value = graphs.made_up(tf.float32, [4, 4], 1, None)
            with tf1.Session(config=graphs.config()) as session:
                session.run(tf1.global_variables_initializer())
                expected = session.run(logits, {images: value})
                prefix = tf1.train.Saver().save(session, os.path.join(top, "model.ckpt"))
            tf1.enable_resource_variables()
        stays = call("freeze", prefix + ".meta", "-o", os.path.join(top, "stays.pb"))
        self.done(stays)
        self.assertIn("pipeline-stays", stays.codes("warning"), stays)
        path = os.path.join(top, "cut.pb")
        answer = call("freeze", prefix + ".meta", "-o", path, "--inputs", "auto")
        self.done(answer)
        self.assertEqual(answer.report["graphOutputs"], [logits.op.name], answer)
        self.assertNotIn("pipeline-stays", answer.codes("warning"), answer)
        with tf1.Session(graph=graphs.imported(graphs.read_graph(path)), config=graphs.config()) as session:
            fed = [op.name for op in session.graph.get_operations() if op.type == "Placeholder"]
            self.assertEqual(len(fed), 1, fed)
            found = session.run(logits.name, {fed[0] + ":0": value})
        self.assertEqual(graphs.bits(expected), graphs.bits(found))

    def test_outputs_of_saved_models_without_their_signatures(self):
        if not HAS_CORPUS:
            self.skipTest("there is no corpus")
        outputs, inputs = (Score(), Score()), (Score(), Score())
        for known in without_signatures(folder("without signatures")):
            outputs[half_of(known)].add(known.outputs, call("list", known.path, "outputs").report["outputs"])
            inputs[half_of(known)].add(known.inputs, call("list", known.path, "inputs").report["inputs"])
        for half in (0, 1):
            NOTES.append(f"SavedModels without signatures, half {half}: outputs {outputs[half]}; inputs {inputs[half]}")
        found = [sum(getattr(each, what) for each in outputs) for what in ("first", "true")]
        self.assertGreaterEqual(found[0] / found[1], 0.85, found)
