"""Checks the outcomes of docs/recipes/edit.md."""

import os

import numpy as np
import tensorflow as tf
from tensorflow_runs import graph_def, ops, run_frozen, same

BYTES = np.random.RandomState(2).randint(0, 256, (1, 8, 8, 3)).astype("u1")


def _outputs(path, image, names=("image:0", "y:0")):
    return run_frozen(path, names[1], {names[0]: image})


def batch(place):
    images = np.concatenate([BYTES, BYTES[:, ::-1], *[BYTES] * 6]).astype("f")
    single = [_outputs(place.path("model.pb"), image[None]) for image in images]
    np.testing.assert_allclose(_outputs(place.path("batch.pb"), images), np.concatenate(single), rtol=1e-4)


def bytes(place):
    same(_outputs(place.path("bytes.pb"), BYTES), _outputs(place.path("model.pb"), BYTES.astype("f")))


def shorter_names(place):
    assert not [node.name for node in graph_def(place.path("short.pb")).node if node.name.startswith("net/")]
    same(_outputs(place.path("short.pb"), BYTES.astype("f")), _outputs(place.path("model.pb"), BYTES.astype("f")))


def constant(place):
    same(_outputs(place.path("other.pb"), BYTES.astype("f")), 2 * _outputs(place.path("model.pb"), BYTES.astype("f")))


def signature(place):
    score = tf.saved_model.load(place.path("served")).signatures["score"]
    expected = _outputs(place.path("model.pb"), BYTES.astype("f"))
    np.testing.assert_allclose(score(image=tf.constant(BYTES.astype("f")))["scores"], expected, rtol=1e-5)


def joined(place):
    pixels = np.random.RandomState(4).randint(0, 256, (1, 16, 16, 3)).astype("u1")
    image = _outputs(place.path("preprocessing.pb"), pixels, ("pixels:0", "scaled:0"))
    found = _outputs(place.path("joined.pb"), pixels, ("pre/pixels:0", "y:0"))
    np.testing.assert_array_equal(found, _outputs(place.path("model.pb"), image))


def batch_norm(place):
    assert "FusedBatchNormV3" in ops(place.path("model.pb")) and "FusedBatchNormV3" not in ops(place.path("folded.pb"))
    found = _outputs(place.path("folded.pb"), BYTES.astype("f"))
    np.testing.assert_allclose(found, _outputs(place.path("model.pb"), BYTES.astype("f")), rtol=1e-3)


def half(place):
    whole, halved, quartered = (os.path.getsize(place.path(name)) for name in ("model.pb", "half.pb", "quarter.pb"))
    assert halved < 0.6 * whole and quartered < 0.4 * whole
    expected = _outputs(place.path("model.pb"), BYTES.astype("f"))
    for name in ("half.pb", "quarter.pb"):
        found = _outputs(place.path(name), BYTES.astype("f"))
        np.testing.assert_allclose(found, expected, atol=0.05 * np.abs(expected).max())
