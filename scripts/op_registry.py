#!/usr/bin/env python3
"""Writes the definitions of every op of the installed TensorFlow, for core/graph/op_registry.h.

    build/tensorflow/bin/python scripts/op_registry.py [core/graph/ops.bin]

The file is a serialized tensorflow.OpList without texts (summaries, descriptions), sorted by name: the same TensorFlow writes the
same bytes again. Two fields that OpList does not have, and readers of OpList skip, say whose ops they are:

    message OpList { repeated OpDef op = 1; int32 graph_version = 1000; string tensorflow_version = 1001; }
"""
import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import tensorflow as tf  # noqa: E402  (reads the environment)
from tensorflow.core.framework import op_def_pb2  # noqa: E402
from tensorflow.python.client import pywrap_tf_session  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
GRAPH_VERSION, TENSORFLOW_VERSION = 1000, 1001


def registered_ops():
    buffer = pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList())
    return sorted(op_def_pb2.OpList.FromString(buffer).op, key=lambda op: op.name)


def without_texts(op):
    for message in [op, *op.input_arg, *op.output_arg, *op.attr]:
        message.ClearField("description")
    op.ClearField("summary")
    return op


def varint(value):
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def main(path):
    ops = op_def_pb2.OpList(op=[without_texts(op) for op in registered_ops()])
    version = tf.version.VERSION.encode()
    with open(path, "wb") as file:
        file.write(ops.SerializeToString(deterministic=True))
        file.write(varint(GRAPH_VERSION << 3) + varint(tf.version.GRAPH_DEF_VERSION))
        file.write(varint(TENSORFLOW_VERSION << 3 | 2) + varint(len(version)) + version)
    print(f"{len(ops.op)} ops of TensorFlow {tf.version.VERSION}, {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "core", "graph", "ops.bin"))
