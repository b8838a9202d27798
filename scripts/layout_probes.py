#!/usr/bin/env python3
"""Finds the layouts of images (`data_format`) that a runtime computes: it runs a graph of one node for each op and layout.

A kernel does not list them: some refuse NCHW when they run, and TensorFlow.js computes other numbers with it. As a program it
reads a JSON list of GraphDefs in base64 and prints a line for each: 1 if the TensorFlow whose libraries are in the folder that is
its argument computes the node "probe", else 0. That is a child process, because two TensorFlows do not fit into one.
"""

import base64
import ctypes
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tests/data/fixtures"))
import c_api  # noqa: E402  (the path comes first)

ATTR = "data_format"
SIZE = 4  # of each dimension: a graph fits both layouts
FLOAT, INT32 = 1, 3
# Inputs by what they are; all others are images, or filters.
OF_CHANNELS = ("bias", "scale", "offset", "mean", "variance", "reserve_space_1", "reserve_space_2", "reserve_space_3")
OF_SIZES = ("input_sizes", "filter_sizes", "orig_input_shape")
OF_ONES = ("ksize", "strides")
HANDLE = c_api.HANDLE
RUN = {
    "TF_SessionRun": (
        None,
        [HANDLE, *[HANDLE] * 3]
        + [ctypes.c_int, ctypes.POINTER(c_api.Output), ctypes.POINTER(HANDLE), ctypes.c_int]
        + [ctypes.POINTER(HANDLE), ctypes.c_int, HANDLE, HANDLE],
    )
}


def layouts_of(op):
    """Returns the layouts that an op's definition allows, the default first; none if it has no such attribute."""
    for attr in op.attr:
        if attr.name == ATTR and attr.HasField("allowed_values"):
            default = attr.default_value.s
            return [default, *(each for each in attr.allowed_values.list.s if each != default)]
    return []


def value_of(arg, rank):
    """Returns (shape, number) of the constant that an input is."""
    if arg.name in OF_CHANNELS:
        return [SIZE], 1
    if arg.name in OF_SIZES:
        return [rank], SIZE
    if arg.name in OF_ONES:
        return [rank], 1
    return [SIZE] * rank, 1


def graph_of(op, layout):
    """Returns a GraphDef in which the node "probe" of an op reads constants."""
    from tensorflow import make_tensor_proto
    from tensorflow.core.framework import graph_pb2

    graph, rank = graph_pb2.GraphDef(), 5 if "3D" in op.name else 4
    probe = graph.node.add(name="probe", op=op.name)
    for attr in op.attr:
        value = probe.attr[attr.name]
        if attr.name == ATTR:
            value.s = layout
        elif attr.name == "is_training":
            value.b = False
        elif attr.name == "block_size":
            value.i = 2
        elif attr.type == "type":
            allowed = attr.allowed_values.list.type
            value.type = FLOAT if not allowed or FLOAT in allowed else INT32
        elif attr.type == "string" and not attr.HasField("default_value"):
            value.s = attr.allowed_values.list.s[0]  # padding
        elif attr.type == "list(int)" and not attr.HasField("default_value"):
            value.list.i[:] = [1] * rank  # strides
        elif attr.HasField("default_value"):
            value.CopyFrom(attr.default_value)
    for arg in op.input_arg:
        dtype = probe.attr[arg.type_attr].type if arg.type_attr else arg.type
        source = graph.node.add(name=arg.name, op="Const")
        shape, number = value_of(arg, rank)
        source.attr["dtype"].type = dtype
        source.attr["value"].tensor.CopyFrom(make_tensor_proto(number, dtype, shape))
        probe.input.append(arg.name)
    return graph


def computed(graphs, folder=None):
    """Returns for each graph whether a release computes it. One that ends the process does not."""
    left, found = [base64.b64encode(each.SerializeToString()).decode() for each in graphs], []
    while left:
        program = [sys.executable, os.path.abspath(__file__), *([folder] if folder else [])]
        child = subprocess.run(
            program, input=json.dumps(left), text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
        )
        said = [line == "1" for line in child.stdout.split()]
        found += said if len(said) == len(left) else [*said, False]
        left = left[len(said) + 1 :]
    return found


def limits(ops, compute):
    """Returns {op: the layouts that are computed}, of ops of which one is not. `compute`: computed, or the like. Where the default
    is not, nothing is known.
    """
    asked = [(op, layout) for op in ops for layout in layouts_of(op)]
    taken = {}
    for (op, layout), good in zip(asked, compute([graph_of(*each) for each in asked])):
        taken.setdefault(op.name, []).extend([layout.decode()] if good else [])
    allowed = {op.name: [each.decode() for each in layouts_of(op)] for op in ops}
    return {name: good for name, good in taken.items() if good != allowed[name] and allowed[name][0] in good}


def run(tensorflow, data):
    graph, code, _ = tensorflow.import_graph(data)
    if code:
        return False
    status, options = tensorflow.TF_NewStatus(), tensorflow.TF_NewSessionOptions()
    session = tensorflow.TF_NewSession(graph, options, status)
    fetches = (c_api.Output * 1)(c_api.Output(tensorflow.TF_GraphOperationByName(graph, b"probe"), 0))
    tensorflow.TF_SessionRun(session, None, None, None, 0, fetches, (HANDLE * 1)(), 1, None, 0, None, status)
    return tensorflow.said(status)[0] == 0


def main(folder=None):
    tensorflow = c_api.CApi(folder, RUN)
    for each in json.load(sys.stdin):
        print(int(run(tensorflow, base64.b64decode(each))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
