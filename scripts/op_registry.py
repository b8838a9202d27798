#!/usr/bin/env python3
"""Writes the definitions of every op of the installed TensorFlow, for core/graph/op_registry.h.

    build/tensorflow/bin/python scripts/op_registry.py [core/data/ops.bin]

The file is a serialized tensorflow.OpList without texts (summaries, descriptions), sorted by name: the same TensorFlow writes the
same bytes again. Fields that OpList and OpDef do not have, and their readers skip, say whose ops they are and which of them no
processor can run, and what their shape functions take and give (op_shapes.py):

    message OpList { repeated OpDef op = 1; int32 graph_version = 1000; string tensorflow_version = 1001; }
    message OpDef { ...; bool no_cpu_kernel = 1000; bytes ranks = 1001; bytes gives = 1002; }
"""

import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import tensorflow as tf  # noqa: E402  (reads the environment)
from op_shapes import op_shapes  # noqa: E402
from tensorflow.core.framework import op_def_pb2  # noqa: E402
from tensorflow.python.client import pywrap_tf_session  # noqa: E402
from tensorflow.python.framework import kernels  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
OP, GRAPH_VERSION, TENSORFLOW_VERSION, NO_CPU_KERNEL, RANKS, GIVES = 1, 1000, 1001, 1000, 1001, 1002


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


def bytes_field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def ops_on_cpu():
    return {
        kernel.op for kernel in kernels.get_all_registered_kernels().kernel if kernel.device_type in ("CPU", "DEFAULT")
    }


def main(path):
    ops, on_cpu = registered_ops(), ops_on_cpu()
    shapes = op_shapes([op.name for op in ops])
    version = tf.version.VERSION.encode()
    with open(path, "wb") as file:
        for op in ops:
            data = without_texts(op).SerializeToString(deterministic=True)
            if op.name not in on_cpu:
                data += varint(NO_CPU_KERNEL << 3) + b"\1"
            for number, each in zip((RANKS, GIVES), shapes.get(op.name, ())):
                if each:
                    data += bytes_field(number, each)
            file.write(bytes_field(OP, data))
        file.write(varint(GRAPH_VERSION << 3) + varint(tf.version.GRAPH_DEF_VERSION))
        file.write(bytes_field(TENSORFLOW_VERSION, version))
    without = sum(op.name not in on_cpu for op in ops)
    print(
        f"{len(ops)} ops of TensorFlow {tf.version.VERSION}, {without} without a kernel, {os.path.getsize(path)} bytes"
    )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "core", "data", "ops.bin"))
