"""Facts of docs/recipes/freeze.md, docs/recipes/unfreeze.md and docs/start.md: what TensorFlow makes of the outputs."""

import numpy as np
import tensorflow as tf
from tensorflow_runs import IMAGE, arrays, graph_def, ops, run_checkpoint, run_frozen, same, tf1


def freeze_checkpoint(place):
    expected = run_checkpoint(place.path("model.ckpt"), "probabilities:0", IMAGE)
    same(expected, run_frozen(place.path("frozen.pb"), "probabilities:0", IMAGE))


def freeze_saved_model(place):
    x = np.random.RandomState(1).rand(3, 4).astype("f")
    signature = tf.saved_model.load(place.path("saved_model")).signatures["serving_default"]
    expected = signature(inputs=tf.constant(x))["output_0"]
    np.testing.assert_allclose(expected, run_frozen(place.path("frozen.pb"), "output_0:0", {"inputs:0": x}), rtol=1e-6)
    assert len(graph_def(place.path("frozen.pb")).library.function) == 0
    assert place.printed.rstrip().splitlines()[-1].startswith("output_0 ")


def freeze_function(place):
    assert "inner/logits(image [?,4]) -> output_0" in place.printed
    x = np.random.RandomState(1).rand(3, 4).astype("f")
    model = tf.saved_model.load(place.path("saved_model"))
    expected = model.inner.logits(tf.constant(x))
    same(expected, run_frozen(place.path("frozen.pb"), "output_0:0", {"image:0": x}))


def freeze_events(place):
    x = {"x:0": np.ones([2, 4], "f")}
    frozen = run_frozen(place.path("model.frozen.pb"), "y:0", x)
    same(run_checkpoint(place.path("model.ckpt"), "y:0", x), frozen)


def freeze_apart(place):
    w = arrays(place.path("weights-900"))["w"]
    x = np.ones([1, 4], "f")
    y = run_frozen(place.path("frozen.pb"), "y:0", {"x:0": x})
    np.testing.assert_allclose(y, tf.nn.softmax(x @ w), rtol=1e-6)


def set_placeholder(place):
    assert "is_training" not in [n.name for n in graph_def(place.path("frozen.pb")).node if n.op == "Placeholder"]
    feed = {"x:0": np.ones([2, 4], "f"), "which:0": True}
    expected = run_checkpoint(place.path("model.ckpt"), "y:0", {**feed, "is_training:0": False})
    same(expected, run_frozen(place.path("frozen.pb"), "y:0", feed))


def inference(place):
    assert not ops(place.path("frozen.pb")) & {"RandomUniform", "PlaceholderWithDefault"}
    feed = {"words:0": np.arange(8, dtype="i").reshape(1, 8)}
    expected = run_checkpoint(place.path("model.ckpt"), "scores:0", feed)
    same(expected, run_frozen(place.path("frozen.pb"), "scores:0", feed))
    assert "dropout" in place.printed and "keep_prob" in place.printed


def averages(place):
    constants = {node.name: node for node in graph_def(place.path("frozen.pb")).node if node.op == "Const"}
    kept = tf.make_ndarray(constants["scores/kernel"].attr["value"].tensor)
    values = arrays(place.path("model.ckpt"))
    same(kept, values["scores/kernel/ExponentialMovingAverage"])
    assert (kept != values["scores/kernel"]).any()


def keep_variables(place):
    assert set(arrays(place.path("partial.ckpt"))) == {"embedding/table"}
    feed = {"words:0": np.arange(8, dtype="i").reshape(1, 8)}
    same(
        run_checkpoint(place.path("model.ckpt"), "scores:0", feed),
        run_checkpoint(place.path("partial.ckpt"), "scores:0", feed),
    )


def fold_assets(place):
    (place.folder / "saved_model/assets/vocabulary.txt").unlink()
    words = {"word:0": np.array([b"a", b"nothing"])}
    run_frozen(place.path("frozen.pb"), ["place:0", "row:0"], words, first="init_all_tables")
    assert "init_all_tables" in place.printed


def lower(place):
    found = ops(place.path("frozen.pb"))
    assert "Merge" in found and not found & {"While", "StatelessWhile", "If", "StatelessIf"}


def like_tensorflow(place):
    assert place.size("mine.pb") == place.size("frozen.pb")


def prune(place):
    assert len(arrays(place.path("pruned.ckpt"))) == 8
    expected = run_checkpoint(place.path("model.ckpt"), "logits:0", IMAGE)
    same(expected, run_checkpoint(place.path("pruned.ckpt"), "logits:0", IMAGE))


def cut(place):
    flat, logits = run_frozen(place.path("frozen.pb"), ["flatten:0", "logits:0"], IMAGE)
    same(logits, run_frozen(place.path("head.pb"), "logits:0", {"flatten:0": flat}))


def devices(place):
    assert all(not node.device for node in graph_def(place.path("frozen.pb")).node)


def unfreeze(place):
    expected = run_checkpoint(place.path("model.ckpt"), "logits:0", IMAGE)
    same(expected, run_checkpoint(place.path("trainable.ckpt"), "logits:0", IMAGE))
    with tf.Graph().as_default():
        tf1.train.import_meta_graph(place.path("trainable.ckpt.meta"))
        assert len(tf1.trainable_variables()) == 8


def unfreeze_tflite(place):
    image = np.random.RandomState(1).randint(-128, 128, [1, 8, 8, 3]).astype(np.int8)
    interpreter = tf.lite.Interpreter(str(place.path("model.tflite")))
    [given], [taken] = interpreter.get_input_details(), interpreter.get_output_details()
    interpreter.allocate_tensors()
    interpreter.set_tensor(given["index"], image)
    interpreter.invoke()
    scale, zero = taken["quantization"]
    expected = (interpreter.get_tensor(taken["index"]).astype("f") - zero) * scale
    scale, zero = given["quantization"]
    feed = {"serving_default_image:0": (image.astype("f") - zero) * scale}
    found = run_checkpoint(place.path("trainable.ckpt"), "PartitionedCall:0", feed)
    np.testing.assert_allclose(found, expected, atol=0.02)  # five steps of the output


def unfreeze_chosen(place):
    variables = arrays(place.path("trainable.ckpt"))
    assert variables and not any(name.endswith("/biases") for name in variables)


def transfer(place):
    source, body = arrays(place.path("model.ckpt")), arrays(place.path("body.ckpt"))
    assert len(body) == 6
    same(body, {name: source[name.removeprefix("body/")] for name in body})


def arrays_into_graph(place):
    source, filled = arrays(place.path("model.ckpt")), arrays(place.path("filled.ckpt"))
    weights = np.load(place.path("weights.npz"))
    same({name: filled[name] for name in weights}, {name: source[name] for name in weights})


def readme(place):
    assert len(graph_def(place.path("digits.pb")).node) == 34


def four_tasks(place):
    expected = run_checkpoint(place.path("model.ckpt"), "probabilities:0", IMAGE)
    same(expected, run_frozen(place.path("digits.pb"), "probabilities:0", IMAGE))
    same(expected, run_checkpoint(place.path("digits.ckpt"), "probabilities:0", IMAGE))
    assert len(graph_def(place.path("small.pb")).node) < len(graph_def(place.path("digits.pb")).node)
