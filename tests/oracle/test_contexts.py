"""Loops of the corpus, pruned and un-frozen: TensorFlow imports their contexts and differentiates through them.

A `.meta` with `while_context` keeps it; a graph that has none, which TensorFlow cannot differentiate as it is, gets it from its frames.
"""

import collections
import functools
import os

import graphs
from cases import CORPUS, HAS_CORPUS, corpus_files
from graphs import tf1
from program import call
from suite import NOTES, Suite, expanded, folder, for_each

FLOATS = {tf1.float16, tf1.float32, tf1.float64}
COUNTS = collections.Counter()


class Looped:
    """A file of the corpus with loops of frames."""

    def __init__(self, path):
        self.path, self.name = path, os.path.relpath(path, CORPUS)

    def __str__(self):
        return self.name


@functools.lru_cache(None)
def looped(ending):
    kind = tf1.MetaGraphDef if ending == ".meta" else tf1.GraphDef
    found = []
    for path in corpus_files(ending) if HAS_CORPUS else []:
        try:
            parsed = graphs.parse(kind, path)
        except Exception:  # another format
            continue
        nodes = parsed.graph_def.node if ending == ".meta" else parsed.node
        if any(node.op == "LoopCond" for node in nodes):
            found.append(Looped(path))
    return found


METAS, FROZEN = looped(".meta"), looped(".pb")


def weights_entering(graph):
    """Names of the trainable variables that enter a loop as they are read."""

    def source(op):
        while op.type in ("Identity", "ReadVariableOp", "Enter", "RefEnter", "Cast"):
            op = op.inputs[0].op
        return op.name

    return {source(op) for op in graph.get_operations() if op.type in ("Enter", "RefEnter")}


def gradients(meta):
    """{trainable variable: whether it has a gradient through the loops}, contexts, and the weights that enter a loop."""
    with tf1.Graph().as_default() as graph:
        tf1.disable_control_flow_v2()  # else the gradients of frames take TensorArrays of functions
        tf1.train.import_meta_graph(meta, clear_devices=True)
        contexts = tf1.get_collection("while_context")
        exits = [op.outputs[0] for op in graph.get_operations() if op.type == "Exit" and op.outputs[0].dtype in FLOATS]
        weights = tf1.trainable_variables()
        entering = weights_entering(graph) & {each.op.name for each in weights}
        loss = tf1.add_n([tf1.reduce_sum(tf1.cast(each, tf1.float32)) for each in exits]) if exits else None
        slopes = tf1.gradients(loss, weights) if exits and weights else [None] * len(weights)
        return {each.op.name: slope is not None for each, slope in zip(weights, slopes)}, len(contexts), entering


@expanded
class Contexts(Suite):
    @classmethod
    def tearDownClass(cls):
        if COUNTS:
            NOTES.append(
                "loops of the corpus that TensorFlow differentiates: "
                + ", ".join(
                    f"{what} {COUNTS[what, True]} of {COUNTS[what, True] + COUNTS[what, False]}"
                    for what in sorted({what for what, _ in COUNTS})
                )
            )

    def differentiates(self, what, answer, prefix, before=None):
        """`before`: what the original has a gradient for, if TensorFlow can differentiate it."""
        COUNTS[what, False] += 1
        self.done(answer)
        try:
            found, contexts, entering = gradients(prefix + ".meta")
        except LookupError as error:
            self.skipTest(f"TensorFlow has no gradient of an op: {str(error)[:100]}")
        loops = sum(node.op == "LoopCond" for node in graphs.read_graph(prefix + ".meta").node)
        self.assertEqual(contexts, loops, answer.line)
        if before is not None:
            self.assertEqual(found, {name: before[name] for name in found}, answer.line)
        else:
            self.assertEqual([], [name for name in sorted(entering) if not found[name]], answer.line)
        COUNTS[what, False] -= 1
        COUNTS[what, True] += 1

    def test_the_corpus_is_here(self):
        if not HAS_CORPUS:
            self.skipTest("there is no corpus")
        self.assertTrue(METAS and FROZEN)
        with_context = [
            each for each in METAS if "while_context" in graphs.parse(tf1.MetaGraphDef, each.path).collection_def
        ]
        NOTES.append(
            f"of {sum(1 for _ in corpus_files('.meta'))} .meta files {len(METAS)} have loops, {len(with_context)} of these a while_context"
        )

    # The data files of these checkpoints are not in the corpus.
    @for_each(METAS)
    def test_a_pruned_meta_has_the_gradients_of_the_original(self, case):
        known = "while_context" in graphs.parse(tf1.MetaGraphDef, case.path).collection_def
        prefix = os.path.join(folder("contexts", case.name), "pruned")
        answer = call("prune", case.path, "-o", prefix + ".meta")
        self.differentiates("pruned", answer, prefix, gradients(case.path)[0] if known else None)

    @for_each(FROZEN)
    def test_unfrozen_loops_get_their_contexts_from_their_frames(self, case):
        prefix = os.path.join(folder("contexts", case.name), "unfrozen.ckpt")
        self.differentiates("un-frozen", call("unfreeze", case.path, "-o", prefix), prefix)
