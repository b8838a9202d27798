"""SavedModels as users of TensorFlow 2 had them; made, run and frozen by TensorFlow 2, in a process of its own:

    python tests/oracle/thread_saved_models.py FOLDER

writes FOLDER/NAME/saved, FOLDER/NAME/runs.npz (inputs "in x", outputs "out y" of `serving_default`, seeded), and FOLDER/verdicts.json: what
convert_variables_to_constants_v2 makes of each, with control flow lowered and as it is.
"""

import json
import os
import sys
import tempfile

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np
import tensorflow as tf
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
FIXTURES = {
    "keras": "objects/keras/saved",
    "nested_calls": "saved_models/nested_calls",
    "tables": "saved_models/tables",
}
TEXTS = {"word": [b"red", b"text", b"3", b"none"]}
MODELS = []


def model(function):
    MODELS.append(function)
    return function


def weights(*shape, seed, name):
    return tf.Variable(np.random.RandomState(seed).uniform(-1, 1, shape).astype(np.float32), name=name)


@model
def detection():
    """A model like the object detection API's exports: pictures of any size, map_fn before, a loop and non-maximum
    suppression after.
    """
    module = tf.Module()
    module.kernel, module.boxes = weights(3, 3, 3, 8, seed=0, name="kernel"), weights(8, 4, seed=1, name="boxes")

    @tf.function(input_signature=[tf.TensorSpec([1, None, None, 3], tf.uint8, "input_tensor")])
    def serve(input_tensor):
        images = tf.map_fn(lambda one: tf.image.resize(one, [8, 8]) / 255.0, tf.cast(input_tensor, tf.float32))
        features = tf.reshape(tf.nn.relu(tf.nn.conv2d(images, module.kernel, 2, "SAME")), [-1, 8])
        boxes, scores = tf.sigmoid(tf.matmul(features, module.boxes)), tf.reduce_max(features, 1)
        chosen = tf.image.non_max_suppression(boxes, scores, 4)
        kept = tf.while_loop(
            lambda i, total: i < tf.size(chosen),
            lambda i, total: (i + 1, total + module.boxes[i % 8]),
            [0, tf.zeros([4])],
        )[1]
        return {"detection_boxes": tf.gather(boxes, chosen), "num_detections": tf.size(chosen), "kept": kept}

    return module, serve


@model
def recurrent():
    """An embedding that is looked up in the loop of a recurrent network."""
    module = tf.Module()
    module.embedding, module.w = weights(10, 3, seed=0, name="embedding"), weights(3, 3, seed=1, name="w")

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32, "ids")])
    def serve(ids):
        h = tf.zeros([tf.shape(ids)[0], 3])
        for i in tf.range(tf.shape(ids)[1]):
            h = tf.tanh(tf.gather(module.embedding, ids[:, i]) + tf.matmul(h, module.w))
        return {"last": h}

    return module, serve


@model
def counted():
    """Counts its calls, which no output shows."""
    module = tf.Module()
    module.w, module.calls = weights(4, 3, seed=0, name="w"), tf.Variable(0, trainable=False, name="calls")

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, "x")])
    def serve(x):
        module.calls.assign_add(1)
        return {"y": tf.matmul(x, module.w)}

    return module, serve


@model
def weight_norm():
    """Weight normalization that keeps its result in a variable."""
    module = tf.Module()
    module.v, module.g, module.kernel = (
        weights(4, 3, seed=0, name="v"),
        weights(3, seed=1, name="g"),
        weights(4, 3, seed=2, name="kernel"),
    )

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, "x")])
    def serve(x):
        module.kernel.assign(module.g * tf.nn.l2_normalize(module.v, 0))
        return {"y": tf.matmul(x, module.kernel)}

    return module, serve


@model
def swish():
    """An activation with a gradient of its own, in a function that a branch calls."""
    module = tf.Module()
    module.w = weights(4, 3, seed=0, name="w")
    layer = tf.function(lambda x: tf.nn.silu(tf.matmul(x, module.w)))

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, "x")])
    def serve(x):
        return {"y": tf.cond(tf.reduce_sum(x) > 100.0, lambda: tf.zeros([1, 3]), lambda: layer(x))}

    return module, serve


@model
def words():
    """Tables of a file and of constants, and one that another function needs."""
    module = tf.Module()
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write("red\ntext\n")
    lines = tf.lookup.TextFileInitializer(
        file.name, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER
    )
    module.ids = tf.lookup.StaticVocabularyTable(lines, 2)
    module.names = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(tf.constant([0, 1], tf.int64), ["a", "b"]), "none"
    )
    module.other = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1.5]), 0.0)
    module.more = tf.function(module.other.lookup, input_signature=[tf.TensorSpec([None], tf.string)])

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, "word")])
    def serve(word):
        return {"id": module.ids.lookup(word), "name": module.names.lookup(module.ids.lookup(word))}

    return module, serve


@model
def grown():
    """A table that was filled by running, and is saved with the variables."""
    module = tf.Module()
    module.scores = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, -1.0)
    module.scores.insert(["red", "text"], [0.25, 0.5])
    module.w = weights(4, 3, seed=0, name="w")

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, "word")])
    def serve(word):
        return {"y": tf.matmul(module.scores.lookup(word)[:, tf.newaxis], module.w[:1])}

    return module, serve


def seeded(spec, name):
    rng, dims = np.random.RandomState(5), [4 if dim is None else dim for dim in spec.shape]
    if spec.dtype == tf.string:
        return np.array(TEXTS[name], object)
    return (
        rng.randint(0, 4, dims).astype(spec.dtype.as_numpy_dtype)
        if spec.dtype.is_integer
        else rng.uniform(-1, 1, dims).astype(spec.dtype.as_numpy_dtype)
    )


def frozen_by_tensorflow(function, inputs, expected, lower):
    """ "" where it computes what the function does, else what is wrong; and the names of its outputs."""
    try:
        frozen = convert_variables_to_constants_v2(function, lower_control_flow=lower)
        names = [tensor.name for tensor in frozen.outputs]
        with tf.Graph().as_default() as graph, tf.compat.v1.Session(graph=graph) as session:
            tf.import_graph_def(frozen.graph.as_graph_def(), name="")
            found = session.run(
                names,
                {
                    tensor.name: inputs[tensor.name.split(":")[0]]
                    for tensor in frozen.inputs
                    if tensor.name.split(":")[0] in inputs
                },
            )
        alike = all(np.array_equal(one, expected[name]) for one, name in zip(found, sorted(expected)))
        return "" if alike else "it computes something else", names
    except Exception as error:  # whatever TensorFlow says
        return f"{type(error).__name__}: {error}", []


def judged(directory, saved):
    loaded = tf.saved_model.load(saved)  # which holds the variables
    function = loaded.signatures["serving_default"]
    inputs = {name: seeded(spec, name) for name, spec in function.structured_input_signature[1].items()}
    outputs = {
        name: value.numpy()
        for name, value in function(**{name: tf.constant(value) for name, value in inputs.items()}).items()
    }
    np.savez(
        os.path.join(directory, "runs.npz"),
        **{"in " + name: value for name, value in inputs.items()},
        **{"out " + name: value for name, value in outputs.items()},
    )
    verdict = {
        kind: frozen_by_tensorflow(function, inputs, outputs, lower)
        for kind, lower in (("lowered", True), ("functional", False))
    }
    return {"saved": saved, **verdict}


def main(folder):
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    verdicts = {}
    for build in MODELS:
        directory = os.path.join(folder, build.__name__)
        module, serve = build()
        tf.saved_model.save(module, os.path.join(directory, "saved"), signatures=serve)
        verdicts[build.__name__] = judged(directory, os.path.join(directory, "saved"))
    for name, path in FIXTURES.items():
        os.makedirs(os.path.join(folder, name))
        verdicts[name] = judged(os.path.join(folder, name), os.path.abspath(os.path.join(DATA, path)))
    with open(os.path.join(folder, "verdicts.json"), "w") as file:
        json.dump(verdicts, file, indent=1)


if __name__ == "__main__":
    main(sys.argv[1])
