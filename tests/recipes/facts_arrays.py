"""Facts of docs/recipes/arrays.md and docs/recipes/convert.md."""

import numpy as np
import tensorflow as tf
from tensorflow_runs import IMAGE, arrays, graph_def, run_checkpoint, run_frozen, same


def numpy(place):
    source = arrays(place.path("model.ckpt"))
    weights = dict(np.load(place.path("weights.npz")))
    assert len(weights) == 8
    same(weights, {name: source[name] for name in weights})


def safetensors(place):
    length = int.from_bytes((place.folder / "weights.safetensors").read_bytes()[:8], "little")
    header = (place.folder / "weights.safetensors").read_bytes()[8 : 8 + length].decode()
    assert all(name in header for name in ("conv1/weights", "conv2/biases")) and "hidden" not in header


def drop_slots(place):
    source, small = arrays(place.path("model.ckpt")), arrays(place.path("small.ckpt"))
    same(small, {name: source[name] for name in small})
    assert 2.9 < place.size("model.ckpt.data-00000-of-00001") / place.size("small.ckpt.data-00000-of-00001") < 3.1


def rename(place):
    source, renamed = arrays(place.path("model.ckpt")), arrays(place.path("renamed.ckpt"))
    same(renamed["head/weights"], source["readout/weights"])
    assert len(renamed) == 8 and "head/biases" in place.printed


def cast(place):
    source, narrow = arrays(place.path("model.ckpt"))["w"], arrays(place.path("narrow.ckpt"))["w"]
    same(narrow, source.astype("f"))


def average(place):
    steps = [arrays(place.path(f"model.ckpt-{i}")) for i in (1, 2, 3)]
    mean = arrays(place.path("mean.ckpt"))
    assert mean["global_step"] == 3 and set(mean) == set(steps[0])
    for name in ("net/w", "net/b", "head/w"):
        stacked = np.stack([step[name] for step in steps])
        same(mean[name], np.mean(stacked, axis=0, dtype="d").astype("f"))


def merge(place):
    same(arrays(place.path("whole.ckpt")), arrays(place.path("model.ckpt-1")))


def salvage(place):
    assert set(arrays(place.path("whole.ckpt"))) == {"head/w", "net/b"} and "lost" in place.printed


def salvage_archive(place):
    assert set(arrays(place.path("whole.ckpt"))) == {"head/w", "net/b"} and "directory" in place.printed
    assert set(np.load(place.path("whole.npz"))) == {"a"}


def reshard(place):
    assert sum("shards.ckpt.data" in name for name in place.names()) > 1
    same(arrays(place.path("shards.ckpt")), arrays(place.path("one.ckpt")))


def v1_to_v2(place):
    x = {"x:0": np.ones([1, 4], "f")}
    same(run_checkpoint(place.path("model.ckpt"), "y:0", x), run_checkpoint(place.path("v2.ckpt"), "y:0", x))
    assert "v2.ckpt.index" in place.names()


def to_saved_model(place):
    signature = tf.saved_model.load(place.path("saved_model")).signatures["serving_default"]
    (image,) = IMAGE.values()
    (found,) = signature(tf.constant(image)).values()
    same(run_checkpoint(place.path("model.ckpt"), "probabilities:0", IMAGE), found)


def salvage_graph(place):
    whole, frozen = graph_def(place.path("whole.pb")), graph_def(place.path("frozen.pb"))
    assert list(whole.node) == list(frozen.node)[:19] and len(frozen.node) > 19
    with tf.Graph().as_default():
        tf.import_graph_def(whole, name="")


def to_tfjs(place):
    assert "kind        tfjs-graph-model" in place.printed
    assert {"web_model/model.json", "web_model/group1-shard1of1.bin"} <= place.names()


def from_tfjs(place):
    expected = run_checkpoint(place.path("model.ckpt"), "probabilities:0", IMAGE)
    same(expected, run_frozen(place.path("model.pb"), "probabilities:0", IMAGE))


def text(place):
    assert [n.op for n in graph_def(place.path("edited.pb")).node if n.name == "y"] == ["Relu"]


def archive(place):
    x = {"inputs:0": np.ones([1, 4], "f")}
    assert run_frozen(place.path("frozen.pb"), "output_0:0", x).shape == (1, 2)
    assert "model.zip" in place.names()


def js_freeze(place):
    expected = run_checkpoint(place.path("model.ckpt"), "probabilities:0", IMAGE)
    same(expected, run_frozen(place.path("frozen.pb"), "probabilities:0", IMAGE))


def js_outputs(place):
    assert len(place.printed.splitlines()) == 3


def js_weight(place):
    assert str(arrays(place.path("model.ckpt"))["conv1/biases"][0].item()) in place.printed


def js_error(place):
    assert place.printed.startswith("not-a-model ")


def js_workers(place):
    for output in ("logits", "probabilities"):
        expected = run_checkpoint(place.path("model.ckpt"), f"{output}:0", IMAGE)
        same(expected, run_frozen(place.path(f"{output}.pb"), f"{output}:0", IMAGE))
