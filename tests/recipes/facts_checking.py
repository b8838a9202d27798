"""Facts of docs/recipes/check.md."""

import json

import importer
import tensorflow_releases
from tensorflow_runs import graph_def, tf, tf1


def _imports(path):
    with tf.Graph().as_default():
        tf.import_graph_def(graph_def(path), name="")


def validate(place):
    try:
        _imports(place.path("broken.pb"))
    except ValueError:
        return
    raise AssertionError("TensorFlow imports broken.pb")


def compat(place):
    folder = tensorflow_releases.folder_of("1.15.0") if tensorflow_releases.is_there("1.15.0") else None
    if folder:  # scripts/setup --tests brings it
        refused, loaded = importer.judge([place.path(name) for name in ("graph.pb", "stripped.pb")], True, folder)
        first = ("'grad_a'", "'grad_b'")  # in the order of a hash map
        assert any(name in refused["message"] for name in first), refused
        assert loaded["code"] == 0, loaded
    _imports(place.path("graph.pb"))


def for_release(place):
    assert "TensorFlow 1.4: loads, runs" in place.printed
    _imports(place.path("old.pb"))


def tflite(place):
    interpreter = tf.lite.Interpreter(model_path=str(place.path("model.tflite")))
    interpreter.allocate_tensors()
    assert interpreter.get_output_details()[0]["shape"][-1] == 5


def redacted(place):
    before, after = (graph_def(place.path(name)) for name in ("broken.pb", "report.pb"))
    assert [node.op for node in before.node] == [node.op for node in after.node]
    assert not {node.name for node in before.node} & {node.name for node in after.node}
    for node in after.node:
        if node.op == "Const":
            assert not tf.make_ndarray(node.attr["value"].tensor).any(), node.name
    try:
        _imports(place.path("report.pb"))
    except ValueError as error:
        assert "n4/n5" in str(error), error
        return
    raise AssertionError("TensorFlow imports report.pb")


def repair(place):
    _imports(place.path("repaired.pb"))


def annotate(place):
    assert place.printed.count("::error file=models/broken.pb") == 3


def same_weights(place):
    assert place.printed.startswith("warning") or "equal" in place.printed


def verify(place):
    assert "equal: bit for bit" in place.printed


def differing(place):
    assert "different" in place.printed and "status 1" in place.printed


def json_report(place):
    report = json.loads((place.folder / "report.json").read_text())
    assert report["verb"] == "inspect"


def damaged(place):
    assert "[checksum]" in place.printed and "status" in place.printed
    try:
        with tf.Graph().as_default(), tf1.Session() as session:
            tf1.train.import_meta_graph(place.path("model.ckpt.meta")).restore(session, place.path("model.ckpt"))
    except tf.errors.DataLossError:
        return
    raise AssertionError("TensorFlow restores the damaged checkpoint")
