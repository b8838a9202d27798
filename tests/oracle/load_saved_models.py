"""Loads SavedModels with TensorFlow 2 and runs their `serving_default`; a process of its own, for the suite has no eager execution:

    python tests/oracle/load_saved_models.py RUNS SAVED [RUNS SAVED ...]

RUNS is what thread_saved_models.py wrote of the model before. Prints a line a model: nothing, or what is wrong.
"""

import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np
import tensorflow as tf


def fault_of(runs, saved):
    arrays = np.load(runs, allow_pickle=True)
    try:
        loaded = tf.saved_model.load(saved)  # which holds the variables
        function = loaded.signatures["serving_default"]
        needed = function.structured_input_signature[1]  # which pruning leaves of the model's
        found = function(**{name: tf.constant(arrays["in " + name]) for name in needed})
    except Exception as error:  # whatever TensorFlow says
        return f"{type(error).__name__}: {error}".replace("\n", " ")[:500]
    expected = {name[4:]: arrays[name] for name in arrays.files if name.startswith("out ")}
    alike = expected.keys() == found.keys() and all(
        value.tolist() == found[name].numpy().tolist() for name, value in expected.items()
    )
    return "" if alike else "it computes something else"


if __name__ == "__main__":
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    for each in zip(sys.argv[1::2], sys.argv[2::2]):
        print(fault_of(*each))
