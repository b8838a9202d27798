"""Every model the suite speaks of: the sample, the fixtures, and the corpus where it is there."""

import json
import os

from program import ROOT

DATA = os.path.join(ROOT, "tests", "data")
CORPUS = os.path.abspath(os.path.join(ROOT, "..", "shared", "corpus"))
HAS_CORPUS = os.path.isdir(CORPUS)


class Case:
    """A model: `path` as given to the program; `meta`, `prefix` and `graph` as TensorFlow takes them; outputs and inputs by name."""

    def __init__(
        self,
        name,
        path,
        outputs,
        inputs=(),
        latest=None,
        frozen=None,
        shapes=None,
        feeds=None,
        cut=(),
        corpus=False,
        pieces=False,
        **marks,
    ):
        self.name, self.path, self.outputs, self.inputs = name, path, list(outputs), list(inputs)
        directory = path if os.path.isdir(path) else os.path.dirname(path)
        if latest:
            self.prefix = os.path.join(directory, latest)
        else:
            self.prefix = path.removesuffix(".meta").removesuffix(".index")
        self.meta = self.prefix + ".meta" if not path.endswith(".pb") else None
        self.prefix += marks.get("tables", "")  # the prefix that TensorFlow uses for a V1 checkpoint of several tables
        self.graph = self.meta or path
        self.frozen = frozen and os.path.join(directory, frozen)
        self.shapes, self.spans = shapes or {}, feeds or {}
        self.cut, self.corpus = list(cut), corpus
        self.weightless = marks.get("weightless", False)
        self.assigned = marks.get("assigned")
        self.graphless = marks.get("graphless", False)

    def __repr__(self):
        return self.name


def fixtures():
    with open(os.path.join(DATA, "fixtures.json")) as file:
        rows = json.load(file)
    for name, row in sorted(rows.items()):
        yield Case(name, os.path.join(DATA, row.pop("path")), row.pop("outputs"), row.pop("inputs"), **row)


def sample():
    yield Case(
        "sample digits",
        os.path.join(ROOT, "web/samples/digits/model.ckpt.meta"),
        ["logits", "probabilities"],
        ["image"],
    )


# The outputs that the models' own code (or the frozen file next to them) names, and the tensors to feed for them:
# models in training read data sets that are absent, so their iterators are fed.
MODELS = [
    (
        "g2p-seq2seq",
        "ckpt_v2/cmusphinx__g2p-seq2seq/tests/models/decode/model.ckpt-10.meta",
        ["transformer/concat", "transformer/truediv"],
        ["IteratorGetNext:0", "IteratorGetNext:1"],
        {"shapes": {"IteratorGetNext:0": [2, 3, 1, 1], "IteratorGetNext:1": [2, 3, 1, 1]}},
    ),
    (
        "profiler testdata",
        "ckpt_v2/graphcore__tensorflow/tensorflow/core/profiler/internal/testdata/ckpt.meta",
        ["Conv2D_1"],
        ["zeros:0"],
        {},
    ),  # its input is a constant of zeros
    (
        "embedding testdata",
        "ckpt_v2/graphcore__tensorflow/tensorflow/python/feature_column/testdata/embedding.ckpt.meta",
        ["my_embedding/read"],
        [],
        {},
    ),
    (
        "tfx step 0",
        "ckpt_v2/tensorflow__tfx/current/Format-Serving/model.ckpt-0.meta",
        ["head/predictions/probabilities", "head/predictions/str_classes"],
        [f"IteratorGetNext:{at}" for at in range(17)],
        {},
    ),
    (
        "tfx step 1000",
        "ckpt_v2/tensorflow__tfx/current/Format-Serving/model.ckpt-1000.meta",
        ["head/predictions/probabilities", "head/predictions/str_classes"],
        [f"IteratorGetNext:{at}" for at in range(17)],
        {},
    ),
    (
        "FSRCNN x2",
        "freeze_pairs/Saafke__FSRCNN_Tensorflow/CKPT_dir/x2/fsrcnn_ckpt.meta",
        ["NCHW_output"],
        ["IteratorGetNext:0"],
        {
            "frozen": "../../models/FSRCNN_x2.pb",
            "cut": ["IteratorGetNext:0"],
            "shapes": {"IteratorGetNext:0": [1, 9, 8, 1]},
        },
    ),
    (
        "FSRCNN-small x2",
        "freeze_pairs/Saafke__FSRCNN_Tensorflow/CKPT_dir/x2_small/fsrcnn_ckpt.meta",
        ["NCHW_output"],
        ["IteratorGetNext:0"],
        {
            "frozen": "../../models/FSRCNN-small_x2.pb",
            "cut": ["IteratorGetNext:0"],
            "shapes": {"IteratorGetNext:0": [1, 9, 8, 1]},
        },
    ),
    (
        "cifar",
        "freeze_pairs/dotnet__machinelearning-testdata/cifar_model/model.ckpt.meta",
        ["Output"],
        ["Input"],
        {"frozen": "frozen_model.pb"},
    ),
    (
        "regression",
        "freeze_pairs/onnx__tensorflow-onnx/regression/checkpoint/model.meta",
        ["Add"],
        ["X"],
        {"frozen": "../graphdef/frozen.pb"},
    ),
]


def corpus_models():
    if HAS_CORPUS:
        for name, path, outputs, inputs, more in MODELS:
            yield Case("corpus " + name, os.path.join(CORPUS, path), outputs, inputs, corpus=True, **more)


def corpus_files(*endings):
    for folder, _, names in sorted(os.walk(CORPUS)):
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.join(folder, name)


def one_a_graph(cases):
    """Returns the last of the corpus's checkpoints of each graph: TensorFlow takes seconds to import it."""
    graphs = {}
    for case in cases:
        with open(case.meta, "rb") as meta:
            graphs[meta.read() if case.corpus else case.name] = case
    return list(graphs.values())


CASES = [*sample(), *fixtures(), *corpus_models()]
WITH_WEIGHTS = one_a_graph(
    case for case in CASES if case.meta and not (case.weightless or case.graphless or case.assigned)
)
FROZEN = [case for case in CASES if not case.meta]
GRAPHS = [case for case in CASES if not case.graphless]
