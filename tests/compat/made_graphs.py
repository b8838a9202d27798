"""Graphs of one node each, made of the ops of all releases: with every attribute at its default, with another value of one
attribute, with another type.

They are many thousands. Those of which the checksum of the name is smallest are taken, so that the same are taken each time.
"""

import itertools
import pathlib
import zlib

import histories
import runtime_ops
import runtime_probes
import runtimes
import tfjs_runtime
from tensorflow.core.framework import attr_value_pb2

COUNT = 300
SECONDS = 8  # to find inputs for a graph
SHAPES = 5  # of runtime_probes.SHAPES
PRODUCER = 24  # from it on a placeholder of shape [] is a scalar (TensorFlow 1.4)


def definitions():
    """Returns the last definition of each op that a release has."""
    return {name: op for release in histories.releases().values() for name, op in release.ops.items()}


def other_value(attr):
    """Returns a value that is not the default of an attribute, None if its kind is not varied."""
    value, default = attr_value_pb2.AttrValue(), attr.default_value
    if attr.type == "bool":
        value.b = not default.b
    elif attr.type == "int":
        value.i = default.i + 1
    elif attr.type == "float":
        value.f = default.f + 0.5
    elif attr.type == "string" and attr.HasField("allowed_values"):
        others = [text for text in attr.allowed_values.list.s if text != default.s]
        if not others:
            return None
        value.s = others[0]
    else:
        return None
    return value


def is_free_text(attr):
    """Returns true for an equation, a table's name or the like, for which no value can be made."""
    return attr.type == "string" and not attr.HasField("default_value") and not attr.HasField("allowed_values")


def variants(op):
    """Yields (name, attributes by name) of nodes of an op."""
    attrs = {each.name: runtime_probes.value_of(each, op) for each in op.attr}
    if None in attrs.values() or any(is_free_text(attr) for attr in op.attr):
        return
    yield "as it is", attrs
    for attr in op.attr:
        if attr.type == "type":
            for dtype in runtime_probes.allowed_types(attr):
                if dtype != attrs[attr.name].type:
                    value = attr_value_pb2.AttrValue(type=dtype)
                    yield f"{attr.name}={runtime_probes.DTYPES[dtype]}", {**attrs, attr.name: value}
        elif attr.HasField("default_value"):
            value = other_value(attr)
            if value:
                yield f"{attr.name} not by default", {**attrs, attr.name: value}
    needed = {attr.name: attrs[attr.name] for attr in op.attr if not attr.HasField("default_value")}
    if needed != attrs:
        yield "without defaults", needed


def all_of(ops):
    """Yields (name, op, attributes) of every graph."""
    for name, op in sorted(ops.items()):
        if not name.startswith("_") and not any(each.is_ref for each in op.input_arg):
            for about, attrs in variants(op):
                yield f"made/{name}: {about}", op, attrs


def chosen(ops, count=COUNT):
    return sorted(all_of(ops), key=lambda each: zlib.crc32(each[0].encode()))[:count]


def found():
    """Yields (name, GraphDef). The ranks of inputs are not known, so that shapes refuse none."""
    for name, op, attrs in chosen(definitions()):
        types = {each.name: each.default_value for each in op.attr if each.HasField("default_value")}
        graph, _ = runtime_probes.graph_of(op, {**types, **attrs}, None, None)
        node = graph.node[-1]
        for attr in set(node.attr).difference(attrs):
            del node.attr[attr]
        graph.versions.producer = PRODUCER
        yield name, graph


def running(folder):
    """Yields (name, path, its inputs) of graphs that the installed TensorFlow runs."""
    last = list(histories.releases().values())[-1]
    ops = {name: op for name, op in last.ops.items() if op.output_arg and not runtime_ops.FOREIGN.search(name)}
    made = 0
    for place, (name, op, attrs) in enumerate(chosen(ops, None)):
        path = pathlib.Path(folder) / f"made{place}.pb"
        inputs = runtimes.in_child(lambda op=op, attrs=attrs, path=path: write_running(op, attrs, path), SECONDS)
        if inputs:
            made += 1
            yield name, path, inputs
        if made == COUNT:
            break


def write_running(op, attrs, path):
    """Writes a graph of the op that the installed TensorFlow runs; returns its inputs, None if none was found."""
    defaults = {each.name: each.default_value for each in op.attr if each.HasField("default_value")}
    for shape, values in itertools.product(runtime_probes.SHAPES[:SHAPES], runtime_probes.VALUES):
        try:
            graph, inputs = runtime_probes.graph_of(op, {**defaults, **attrs}, shape, values)
            graph.versions.producer = PRODUCER
            path.write_bytes(graph.SerializeToString())
            if inputs and tfjs_runtime.run(path, inputs, ["probe:0"]):
                return inputs
        except Exception:  # no such constant, or of another kind for each op
            continue
    return None
