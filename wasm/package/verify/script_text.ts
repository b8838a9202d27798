/** The script that compares two frozen models in TensorFlow; @NAME@ is replaced. */
export const kScript = `#!/usr/bin/env python3
"""Runs two models on the same input in TensorFlow and compares every output. Written by cryograph verify.

Exit status: 0 equal, 1 different, 3 undecided (an output could not be run).
"""
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np
import tensorflow.compat.v1 as tf


def load(name):
    return np.load(os.path.join(HERE, name))


HERE = os.path.dirname(os.path.abspath(__file__))
A = @A@  # frozen from @NAME_A@
B = @B@  # frozen from @NAME_B@
TOLERANCE = @TOLERANCE@  # equal: |a - b| <= TOLERANCE * max(1, |a|, |b|); 0 means bit for bit
FEEDS = [  # (tensor of A, tensor of B, value)
@FEEDS@]
OUTPUTS = [  # (tensor of A, tensor of B)
@OUTPUTS@]
FILLS_TABLE = ("InitializeTable", "LookupTableImport")


def run(path, side):
    """Returns the value of each output of one model, or the exception that it raised. REQUIRES: side is 0 for A, 1 for B."""
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True  # it fuses, and so rounds otherwise
    config.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    graph_def = tf.GraphDef()
    with open(os.path.join(HERE, path), "rb") as file:
        graph_def.ParseFromString(file.read())
    names = [output[side] for output in OUTPUTS]
    with tf.Graph().as_default() as graph, tf.Session(config=config) as session:
        try:
            tf.import_graph_def(graph_def, name="")
            session.run([op for op in graph.get_operations() if op.type.startswith(FILLS_TABLE)])
            feeds = {}
            for feed in FEEDS:
                if feed[side] is not None:
                    tensor = graph.get_tensor_by_name(feed[side])
                    feeds[tensor] = np.asarray(feed[2]).astype(tensor.dtype.as_numpy_dtype)
        except Exception as error:
            return [error] * len(names)
        try:
            return [np.asarray(value) for value in session.run(names, feeds)]
        except Exception:
            return [value_of(session, name, feeds) for name in names]


def value_of(session, name, feeds):
    if name is None:
        return ValueError("it is an output of the other model alone")
    try:
        return np.asarray(session.run(name, feeds))
    except Exception as error:
        return error


def is_equal(a, b):
    if isinstance(b, Exception):
        return False
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype == object:
        return a.tolist() == b.tolist()
    if a.tobytes() == b.tobytes():
        return True
    if TOLERANCE == 0 or not np.issubdtype(a.dtype, np.number):
        return False
    with np.errstate(all="ignore"):
        near = np.abs(a - b) <= TOLERANCE * np.maximum(1, np.maximum(np.abs(a), np.abs(b)))
    return bool(np.all((a == b) | near))


def verdict(a, b, again):
    """("equal" | "different" | "undecided", why)"""
    for each in (a, b):
        if isinstance(each, Exception):
            return "undecided", str(each).split("\\n")[0]
    if is_equal(a, b):
        return "equal", "bit for bit" if a.dtype == object or a.tobytes() == b.tobytes() else "within the tolerance"
    if not is_equal(a, again()):
        return "undecided", "its values are others in each run"
    if a.dtype != b.dtype or a.shape != b.shape:
        return "different", f"{a.dtype} {list(a.shape)}, there {b.dtype} {list(b.shape)}"
    if a.dtype == object or not np.issubdtype(a.dtype, np.number):
        return "different", f"{np.count_nonzero(a != b)} of {a.size} elements"
    with np.errstate(all="ignore"):
        return "different", f"largest difference {np.nanmax(np.abs(a.astype(np.float64) - b.astype(np.float64)))}"


def main():
    values = [run(A, 0), run(B, 1)]
    second = []
    found = []
    for i, names in enumerate(OUTPUTS):
        def again(i=i):
            second.extend(run(A, 0) if not second else [])
            return second[i]
        found.append(verdict(values[0][i], values[1][i], again))
        print(f"{names[0] or names[1]}: {': '.join(found[-1])}")
    verdicts = [each for each, _ in found]
    result = "different" if "different" in verdicts else "equal" if verdicts and set(verdicts) == {"equal"} else "undecided"
    print(result)
    return {"equal": 0, "different": 1, "undecided": 3}[result]


if __name__ == "__main__":
    sys.exit(main())
`;
