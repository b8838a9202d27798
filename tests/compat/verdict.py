"""The rules by which TensorFlow's importers differ between releases: `refusal` applies a release's to a graph.

Damage that every release refuses (edges, cycles, most names) is not detected here: `validate` is for that. Shapes are
not inferred, so a graph that only a shape function refuses counts as accepted.
"""

from tensorflow.core.framework import types_pb2

KINDS = {"s": "string", "i": "int", "f": "float", "b": "bool", "type": "type", "shape": "shape", "tensor": "tensor"}
REF = 100  # added to a DataType for a reference to it


class Refused(Exception):
    """Its text is a code, then the node, op, attribute and value."""


def refusal(graph, release):
    """Returns the reason why a histories.Release refuses a GraphDef; "" if it does not."""
    try:
        check_versions(graph.versions, release)
        functions = {function.signature.name: function for function in graph.library.function}
        for name in functions:
            if name in release.ops:
                raise Refused(f"function-named-as-op {name}")
        if release.refuses_angles:
            for node in graph.node:
                if ">" in node.name:
                    raise Refused(f"name {node.name}")
        for node in graph.node:
            check_node(node, release, functions, graph.versions.producer)
            check_uses(node, release, functions)
        if release.checks_bodies:
            check_bodies(graph, release, functions)
    except Refused as refused:
        return str(refused)
    return ""


def check_versions(versions, release):
    if versions.producer < 0:
        raise Refused(f"producer-too-old {versions.producer}")
    if versions.min_consumer > release.graph_version:
        raise Refused(f"consumer-too-old {versions.min_consumer}")
    if release.graph_version in versions.bad_consumers:
        raise Refused(f"consumer-refused {release.graph_version}")


def check_node(node, release, functions, producer):
    op = release.ops.get(node.op)
    if not op and node.op in functions:
        if release.refuses_function_nodes and node.name not in functions:
            raise Refused(f"function-node {node.name} {node.op}")
        op = functions[node.op].signature
    if not op:
        raise Refused(f"unknown-op {node.name} {node.op}")
    attrs = {attr.name: attr for attr in op.attr}
    for name, value in node.attr.items():
        if name in attrs:
            check_value(node, attrs[name], value, release)
        elif release.refuses_unknown_attrs and not name.startswith("_"):
            raise Refused(f"unknown-attr {node.name} {node.op} {name}")
    for name, attr in attrs.items():
        if name not in node.attr and not attr.HasField("default_value"):
            raise Refused(f"missing-attr {node.name} {node.op} {name}")
    check_inputs(node, op)
    shapes = len(node.attr["_output_shapes"].list.shape) if "_output_shapes" in node.attr else 0
    outputs = sum(len(types_of(arg, node, op)) for arg in op.output_arg)
    if release.refuses_more_output_shapes and shapes > outputs:
        raise Refused(f"output-shapes {node.name} {shapes} for {outputs}")
    if op.HasField("deprecation") and producer >= op.deprecation.version:
        raise Refused(f"deprecated-op {node.name} {node.op}")


def check_uses(node, release, functions):
    """Refuses an input from a node named as a function: some releases infer no shapes for it and then need them."""
    if not release.refuses_uses_of_named or node.name in functions:
        return
    for name in node.input:
        if not name.startswith("^") and name.split(":")[0] in functions:
            raise Refused(f"use-of-named {node.name} {name}")


def check_value(node, attr, value, release):
    place = f"{node.name} {node.op} {attr.name}"
    kind = value.WhichOneof("value")
    if kind == "placeholder":
        return
    if kind == "list":
        each = [field.name for field, _ in value.list.ListFields()]
        if not attr.type.startswith("list(") or any(KINDS.get(one, one) != attr.type[5:-1] for one in each):
            raise Refused(f"attr-kind {place}")
    elif KINDS.get(kind, kind) != attr.type:
        raise Refused(f"attr-kind {place}")
    types = list(value.list.type) if kind == "list" else [value.type] if kind == "type" else []
    strings = list(value.list.s) if kind == "list" else [value.s] if kind == "s" else []
    allowed = attr.allowed_values.list
    for dtype in types:
        if dtype not in release.types:
            raise Refused(f"unknown-type {place} {dtype}")
        if attr.HasField("allowed_values") and dtype not in allowed.type:
            raise Refused(f"type-not-allowed {place} {types_pb2.DataType.Name(dtype)}")
    if attr.HasField("allowed_values") and any(one not in allowed.s for one in strings):
        raise Refused(f"string-not-allowed {place} {strings}")
    if attr.has_minimum and kind in ("i", "list"):
        size = value.i if kind == "i" else sum(len(items) for _, items in value.list.ListFields())
        if size < attr.minimum:
            raise Refused(f"below-minimum {place} {size}")


def check_inputs(node, op):
    given = sum(not name.startswith("^") for name in node.input)
    wanted = sum(len(types_of(arg, node, op)) for arg in op.input_arg)
    if given != wanted:
        raise Refused(f"inputs {node.name} {node.op} {given} for {wanted}")


def attr_of(node, op, name):
    if name in node.attr:
        return node.attr[name]
    return next(attr.default_value for attr in op.attr if attr.name == name)


def types_of(arg, node, op):
    if arg.type_list_attr:
        return list(attr_of(node, op, arg.type_list_attr).list.type)
    each = attr_of(node, op, arg.type_attr).type if arg.type_attr else arg.type
    return [each + REF * arg.is_ref] * (attr_of(node, op, arg.number_attr).i if arg.number_attr else 1)


def called_functions(nodes, functions):
    """Yields the functions that nodes call in a way that makes the importer check their bodies."""
    for node in nodes:
        name = node.attr["f"].func.name if node.op in ("PartitionedCall", "StatefulPartitionedCall") else node.op
        if name in functions:
            yield name


def check_bodies(graph, release, functions):
    """Checks the ops in bodies and their required attributes. No importer refuses other attributes there."""
    waiting, seen = list(called_functions(graph.node, functions)), set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        body = functions[name].node_def
        for node in body:
            op = release.ops.get(node.op) or (functions[node.op].signature if node.op in functions else None)
            if not op:
                raise Refused(f"unknown-op-in-body {name} {node.name} {node.op}")
            for attr in op.attr:
                if attr.name not in node.attr and not attr.HasField("default_value"):
                    raise Refused(f"missing-attr-in-body {name} {node.name} {node.op} {attr.name}")
        waiting += called_functions(body, functions)


def missing_kernel(graph, release):
    """Returns a node that has no kernel on the CPU for its op and types; "" if all do. REQUIRES: the release loads the graph."""
    for node in graph.node:
        op = release.ops.get(node.op)
        if op and not any(fits(kernel, node, op) for kernel in release.kernels.get(node.op, [])):
            return f"no-kernel {node.name} {node.op}"
    return ""


def fits(kernel, node, op):
    """A list of types fits if each of them does."""
    for constraint in kernel.constraint:
        value = attr_of(node, op, constraint.name)
        types = value.list.type if value.HasField("list") else [value.type]
        if any(each not in constraint.allowed_values.list.type for each in types):
            return False
    return True
