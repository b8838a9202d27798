"""convert: every fixture in every form is a model that opens again and is the same, or an error that says what to do first."""

import functools
import os
import re
import shutil

import graphs
import numpy as np
from cases import DATA, fixtures, sample
from graphs import tf1
from program import call
from suite import Suite, expanded, folder, for_each

# The path for -o and the path to open the result by, for each KIND.
KINDS = {
    "pb": ("out.pb", "out.pb"),
    "pbtxt": ("out.pbtxt", "out.pbtxt"),
    "meta": ("out.meta", "out.meta"),
    "meta-pbtxt": ("out.meta.pbtxt", "out.meta.pbtxt"),
    "checkpoint": ("out.ckpt", "out.ckpt"),
    "checkpoint-v1": ("out.ckpt", "out.ckpt"),
    "savedmodel": ("out/", "out"),
    "savedmodel-pbtxt": ("out", "out"),
    "tfjs": ("out.json", "out.json"),
    "npz": ("out.npz", "out.npz"),
    "safetensors": ("out.safetensors", "out.safetensors"),
}
WITHOUT_VALUES = {"pb", "pbtxt", "meta", "meta-pbtxt"}  # of variables
WEIGHTS_ALONE = {"npz", "safetensors"}
# Error -> the kinds that may be refused so.
REFUSALS = {
    "no-graph": set(KINDS) - {"checkpoint", "checkpoint-v1"} - WEIGHTS_ALONE,
    "no-checkpoint": {"checkpoint", "checkpoint-v1"},
    "no-weights": WEIGHTS_ALONE,
    "not-frozen": {"tfjs"},
    "unsupported-dtype": {"checkpoint-v1", "tfjs"},
    "missing-shard": {"checkpoint", "checkpoint-v1", "savedmodel", "savedmodel-pbtxt"} | WEIGHTS_ALONE,
}


class Source:
    def __init__(self, name, path):
        self.name, self.path = name, path

    def __repr__(self):
        return self.name


def sources():
    for case in [*sample(), *fixtures()]:
        yield Source(case.name, case.path)
    for name in sorted(os.listdir(os.path.join(DATA, "saved_models"))):
        yield Source("saved model " + name, os.path.join(DATA, "saved_models", name))
    for name in ("stored.npz", "orders.npz", "weights.safetensors"):
        yield Source(name, os.path.join(DATA, "archives", name))
    alone = os.path.join(folder("weights alone"), "model.ckpt")
    for ending in (".index", ".data-00000-of-00001"):
        shutil.copy(os.path.join(DATA, "types", "model.ckpt" + ending), alone + ending)
    yield Source("weights alone", alone)


@functools.lru_cache(None)
def nodes(path):
    """All nodes, and their ops and inputs, by name; None for weights alone."""
    out = os.path.join(folder("convert graphs", path), "graph.pb")
    if call("convert", path, "-o", out, "--force").status != 0:
        return None
    graph = graphs.parse(tf1.GraphDef, out)
    return {node.name: node.SerializeToString(deterministic=True) for node in graph.node}, {
        node.name: (node.op, tuple(node.input)) for node in graph.node
    }


@functools.lru_cache(None)
def arrays(path):
    """name -> (type, shape, bytes) of all weights, the checkpoint's and the constants'."""
    out = os.path.join(folder("convert weights", path), "weights.npz")
    if call("weights", path, "-o", out, "--force").status != 0:
        return {}
    with np.load(out) as held:
        return {name: (held[name].dtype.str, held[name].shape, held[name].tobytes()) for name in held.files}


@expanded
class Convert(Suite):
    @for_each([(source, kind) for source in sources() for kind in KINDS])
    def test_every_model_in_every_form_is_the_same_or_refused_with_advice(self, source_and_kind):
        source, kind = source_and_kind
        where = folder("convert", source.name, kind)
        out, opened = (os.path.join(where, name) + ("/" if name.endswith("/") else "") for name in KINDS[kind])
        answer = call("convert", source.path, "-o", out, "--as", kind)
        if answer.status != 0:
            self.refused(answer, where)
            code = answer.codes()[-1]
            self.assertIn(kind, REFUSALS.get(code, ()), answer)
            self.assertTrue(answer.report["diagnostics"][-1]["fix"], answer)
            return
        self.done(answer)
        self.done(call("inspect", opened))
        self.same_graph(source, kind, opened, answer)
        if kind not in WITHOUT_VALUES:
            self.same_weights(source, kind, opened, answer)

    def same_graph(self, source, kind, opened, answer):
        before, after = nodes(source.path), nodes(opened)
        if kind in WEIGHTS_ALONE:
            self.assertIsNone(after, answer)
            return
        self.assertEqual(before is None, after is None, answer)
        if before is None:
            return
        # Values of constants lie otherwise in a TensorFlow.js model; a saver may have come to the others.
        of = 1 if kind == "tfjs" else 0
        self.same({name: after[of].get(name) for name in before[of]}, before[of], answer)
        # So may what initializes variables that no collection listed.
        more = [name for name in after[0] if name not in before[0]]
        self.assertEqual(
            [],
            [
                name
                for name in more
                if not re.search("^save|^checkpoint_initializer/|/Read/|/Initializer/RestoreV2|/Assign$", name)
            ],
            answer,
        )

    def same_weights(self, source, kind, opened, answer):
        before, after = arrays(source.path), arrays(opened)
        self.same(after, {name: before.get(name) for name in after}, answer)
        # With a graph, what its variables do not take (an optimizer's, often) is left behind.
        if nodes(source.path) is None and kind == "checkpoint":
            self.same(before, after, answer)
        self.assertEqual(bool(before), bool(after), answer)
