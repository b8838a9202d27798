"""TensorFlow's two importers as one judge: the C++ one (tests/data/fixtures/importer.py), then what Python's adds to it."""

import sys

import graphs
import kept
from cases import DATA
from graphs import tf1

sys.path.insert(0, DATA)
from fixtures.importer import judge  # noqa: E402  (the path comes first)

INVALID_ARGUMENT = 3


def refusal_of_file(path):
    return refusal_of_python(graphs.parse(tf1.GraphDef, path))


def refusal_of_python(graph_def):
    """Why tf.import_graph_def refuses it; "" where it does not."""
    try:
        with tf1.Graph().as_default():
            tf1.import_graph_def(graph_def, name="")
    except Exception as error:  # pylint: disable=broad-except  (ValueError, TypeError, AssertionError, ...)
        return f"{type(error).__name__}: {error}"
    return ""


def judge_both(paths, whole=False):
    """Like judge(), and with code 3 if only Python's importer refuses."""
    verdicts = judge(paths, whole)
    for path, said in zip(paths, verdicts):
        refusal = kept.answer(kept.bytes_of(path), refusal_of_file, path) if said["code"] == 0 else ""
        if refusal:
            said.update(code=INVALID_ARGUMENT, message=refusal if whole else refusal[:300])
    return verdicts
