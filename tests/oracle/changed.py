"""A checkpoint of the same names, types and shapes as a case's, some of its numbers changed: written by TensorFlow."""

import functools
import os

import numpy as np
from graphs import tf, tf1
from suite import folder

OBJECTS = "_CHECKPOINTABLE_OBJECT_GRAPH"


def other(value, places):
    """The same array with other elements at these places."""
    value = np.array(value)
    flat = value.reshape(-1)
    for place in places:
        if value.dtype == object:
            flat[place] = flat[place] + b"!"
        else:
            flat.view("u1").reshape(flat.size, -1)[place, 0] ^= 1
    return value


def places_of(value):
    """Some places of an array: one in its midst and the last."""
    size = np.asarray(value).size
    return sorted({size // 3, size - 1}) if size else []


@functools.lru_cache(None)
def held(case):
    """{key: array} of the case's checkpoint, as far as TensorFlow's reader reads it."""
    reader = tf.train.load_checkpoint(case.prefix)
    arrays = {}
    for key in sorted(reader.get_variable_to_shape_map()):
        try:
            array = reader.get_tensor(key)
        except (RuntimeError, TypeError, tf.errors.OpError):
            continue  # slices and some types of the first format, which this reader does not know
        arrays[key] = np.array(array, object) if isinstance(array, bytes) else array
    arrays.pop(OBJECTS, None)
    return arrays, {key: reader.get_variable_to_dtype_map()[key] for key in arrays}


@functools.lru_cache(None)
def changed(case):
    """(prefix, {key: array}) of the changed checkpoint; TensorFlow's own words where it cannot write it."""
    arrays, dtypes = held(case)
    new = {key: other(array, places_of(array)) for key, array in arrays.items()}
    prefix = os.path.join(folder("changed", case.name), "changed.ckpt")
    with tf1.Graph().as_default(), tf1.Session() as session:
        holders = {key: tf1.placeholder(dtypes[key]) for key in sorted(new)}
        save = tf.raw_ops.SaveV2(
            prefix=prefix,
            tensor_names=list(holders),
            shape_and_slices=[""] * len(holders),
            tensors=list(holders.values()),
        )
        session.run(save, {holders[key]: new[key] for key in holders})
    return prefix, new
