"""Finds the ops and types that a runtime takes: it loads a graph of one node for each."""

import itertools

import runtimes
import tensorflow as tf
from tensorflow import make_tensor_proto
from tensorflow.core.framework import attr_value_pb2, graph_pb2, node_def_pb2, types_pb2

DTYPES = {
    types_pb2.DataType.Value(f"DT_{name}"): name.lower()
    for name in "FLOAT INT32 INT64 BOOL INT8 UINT8 INT16 UINT16 UINT32 UINT64 HALF BFLOAT16 DOUBLE STRING COMPLEX64 COMPLEX128".split()
}
NAMES = {"float": "float32", "double": "float64", "half": "float16"}
INTS = (types_pb2.DT_INT32, types_pb2.DT_INT64)
FIRST_TYPES = (types_pb2.DT_FLOAT, *INTS, types_pb2.DT_BOOL, types_pb2.DT_STRING)
SHAPES = [(4, 4, 4, 4), (4, 4), (4,), (), (4, 4, 4), (4, 4, 4, 4, 4)]
# Values of indices (inputs_of). None: they are inputs of the graph.
VALUES = [
    None,
    [0],
    0,
    [1, 1],
    [2, 2],
    [1, 0],
    [[0, 0]] * 4,
    [1] * 4,
    [0, 1, 2, 3],
    [0] * 4,
    [4] * 4,
    1,
    [4],
    [[0, 0]] * 2,
]
SECONDS = 12  # for an op
ENDS = ("Const", "Identity", "NoOp", "Placeholder", "PlaceholderWithDefault")  # need no graph of their own


def allowed_types(attr):
    """Returns the types to try."""
    allowed = set(attr.allowed_values.list.type) if attr.HasField("allowed_values") else DTYPES.keys()
    return [each for each in DTYPES if each in allowed]


def value_of(attr, op):
    """Returns a value for an attribute, its default if it has one. Returns None for kinds of attributes that are not tried."""
    value = attr_value_pb2.AttrValue()
    if attr.HasField("default_value"):
        return attr.default_value
    if attr.type == "type":
        if not allowed_types(attr):
            return None
        value.type = allowed_types(attr)[0]
    elif attr.type == "list(type)":
        value.list.type[:] = [types_pb2.DT_FLOAT] * max(1, attr.minimum)
    elif attr.type == "int":
        value.i = max(attr.minimum, 2 if attr.name in ("N", "num") else 1)
    elif attr.type == "list(int)":
        value.list.i[:] = [1] * (5 if "3D" in op.name else 4)
    elif attr.type == "shape":
        value.shape.dim.add(size=4)
    elif attr.type == "string":
        value.s = attr.allowed_values.list.s[0] if attr.HasField("allowed_values") else b"x"
    elif attr.type == "bool":
        value.b = False
    elif attr.type == "float":
        value.f = 1
    elif attr.type == "list(float)":
        value.list.f[:] = [1]
    else:
        return None
    return value


def inputs_of(op, attrs):
    """Yields (type, whether it is an index: a size, an axis, a permutation) for each input."""
    indices = {attr.name for attr in op.attr if attr.type == "type" and set(allowed_types(attr)) <= set(INTS)}
    for each in op.input_arg:
        if each.type_list_attr:
            yield from ((dtype, False) for dtype in attrs[each.type_list_attr].list.type)
        else:
            dtype = attrs[each.type_attr].type if each.type_attr else each.type
            is_index = each.type_attr in indices or (not each.type_attr and dtype in INTS)
            yield from [(dtype, is_index)] * (attrs[each.number_attr].i if each.number_attr else 1)


def graph_of(op, attrs, shape, values):
    """Returns a graph of one node "probe", and its inputs: placeholders of a shape, or constants for indices.

    `shape`: None for an unknown rank.
    """
    graph, inputs = graph_pb2.GraphDef(), []
    probe = node_def_pb2.NodeDef(name="probe", op=op.name)
    sources = list(inputs_of(op, attrs))
    for place, (dtype, is_index) in enumerate(sources):
        is_constant = values is not None and is_index and (place > 0 or not all(index for _, index in sources))
        source = graph.node.add(name=f"in{place}", op="Const" if is_constant else "Placeholder")
        source.attr["dtype"].type = dtype
        if is_constant:
            source.attr["value"].tensor.CopyFrom(make_tensor_proto(values, dtype=dtype))
        else:
            source.attr["shape"].shape.unknown_rank = shape is None
            for size in shape or ():
                source.attr["shape"].shape.dim.add(size=size)
            inputs.append(f"in{place}:0")
        probe.input.append(source.name)
    for name, value in attrs.items():
        probe.attr[name].CopyFrom(value)
    graph.node.append(probe)
    return graph, inputs


class Probe:
    """One op in one runtime. `ask`: loads a graph in the runtime, or raises (runtimes.ASK)."""

    def __init__(self, op, ask):
        self.op, self.ask, self.answers = op, ask, {}
        self.is_unknown = False  # the runtime said that it does not have the op
        self.needs_rank = False  # of its inputs

    def is_taken(self, attrs, shape, values):
        try:
            graph, inputs = graph_of(self.op, attrs, shape, values)
        except (TypeError, ValueError):  # no such constant
            return False
        key = graph.SerializeToString(deterministic=True)
        if key not in self.answers:
            try:
                self.ask(graph, inputs, ["probe:0"])
                self.answers[key] = True
            except Exception as error:  # it refuses, or TensorFlow does, or it fails inside
                self.answers[key] = False
                self.is_unknown |= runtimes.says_unknown(error)
        return self.answers[key]

    def first_taken(self, attrs):
        """Returns (attributes, shape, values) of a graph that it takes; None if it takes none of those tried."""
        types = [each for each in self.op.attr if each.type == "type"][:1]
        variants = [attrs] + [
            {**attrs, attr.name: attr_value_pb2.AttrValue(type=each)}
            for attr in types
            for each in allowed_types(attr)
            if each in FIRST_TYPES
        ]
        for variant, shape, values in itertools.product(variants, SHAPES, VALUES):
            if self.is_taken(variant, shape, values):
                return variant, shape, values
        return None

    def types(self):
        """Returns the types that it takes, by attribute, where it does not take all; None if it takes no graph of the op."""
        attrs = {each.name: value_of(each, self.op) for each in self.op.attr}
        taken = None if None in attrs.values() else self.first_taken(attrs)
        if not taken:
            return None
        self.needs_rank = self.is_refused_without_rank(taken[0], taken[2])
        limits = {}
        for attr in self.op.attr:
            if attr.type != "type":
                continue
            tried = allowed_types(attr)
            good = [
                each
                for each in tried
                if self.is_taken({**taken[0], attr.name: attr_value_pb2.AttrValue(type=each)}, *taken[1:])
            ]
            if good and good != tried:
                limits[attr.name] = [NAMES.get(DTYPES[each], DTYPES[each]) for each in good]
        return limits

    def is_refused_without_rank(self, attrs, values):
        graph, inputs = graph_of(self.op, attrs, None, values)
        try:
            runtimes.imported(graph)
        except Exception:  # TensorFlow itself needs it
            return False
        try:
            self.ask(graph, inputs, ["probe:0"])
        except Exception:  # as above
            return True
        return False

    def outcome(self):
        """Returns (types, whether it needs ranks); "unknown" if it does not have the op; None if neither was found out."""
        types = self.types()
        return ("unknown" if self.is_unknown else None) if types is None else (types, self.needs_rank)


def taken_ops(ops, ask, lists_unclear):
    """Returns the types of each op that a runtime takes, and the ops of which it needs to know ranks.

    `lists_unclear`: also the ops of which it refuses these graphs alone.
    """
    found, ranked = {name: {} for name in ENDS}, set()
    for op in ops:
        if op.output_arg and not op.name.startswith("_") and op.name not in found:
            outcome = runtimes.in_child(Probe(op, ask).outcome, SECONDS)
            if outcome is None and lists_unclear:
                outcome = ({}, False)
            if outcome not in (None, "unknown"):
                found[op.name] = outcome[0]
                ranked.update([op.name] if outcome[1] else [])
    for program in programs():
        for op in runtimes.in_child(lambda program=program: accepted(program, ask), SECONDS) or []:
            found.setdefault(op, {})
    return found, ranked_ops(ranked)


def ranked_ops(ops):
    """Returns the placeholder in their place if it is what the runtime does not take without a rank."""
    return ["Placeholder"] if {"Abs", "Neg"} <= ops else sorted(ops)


def accepted(program, ask):
    """Returns the ops of a program if the runtime takes it, else none."""
    try:
        ask(program, [f"{node.name}:0" for node in program.node if node.op == "Placeholder"], ["probe:0"])
    except Exception:  # as above
        return []
    bodies = [node for function in program.library.function for node in function.node_def]
    return sorted({node.op for node in [*program.node, *bodies]})


def programs():
    """Yields graphs for which one node is too few: control flow, calls, and ops whose inputs have to fit each other."""
    for build in single_ops(tf.raw_ops):
        yield graph_by(build)
    for version in (1, 2):
        for build in (branch, loop, bounded_loop, mapped, called, checked):
            yield from with_twins(graph_by(build, version))


def single_ops(raw):
    def image():
        return hole(4, 4, 4, 4)

    def boxes():
        return {"boxes": hole(4, 4), "scores": hole(4), "max_output_size": 2}

    windows = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
    blocks = {"ksize": [1, 2, 2, 2, 1], "strides": [1, 2, 2, 2, 1], "padding": "VALID"}
    four = {name: [1.0] * 4 for name in ("scale", "offset", "mean", "variance")}
    yield lambda: raw.ArgMax(input=hole(4, 4), dimension=1)
    yield lambda: raw.AvgPool3D(input=hole(4, 4, 4, 4, 4), **blocks)
    yield lambda: raw.BatchToSpaceND(input=image(), block_shape=[2, 2], crops=[[0, 0], [0, 0]])
    yield lambda: raw.BiasAdd(value=image(), bias=hole(4))
    yield lambda: raw.CropAndResize(image=image(), boxes=hole(2, 4), box_ind=[0, 1], crop_size=[2, 2])
    yield lambda: raw.Dequantize(
        input=raw.QuantizeV2(input=hole(4), min_range=0.0, max_range=6.0, T=tf.quint8)[0], min_range=0.0, max_range=6.0
    )
    yield lambda: raw.Einsum(inputs=[hole(4, 4), hole(4, 4)], equation="ij,jk->ik")
    yield lambda: raw.ExtractImagePatches(
        images=image(), ksizes=[1, 2, 2, 1], strides=[1, 2, 2, 1], rates=[1] * 4, padding="VALID"
    )
    yield lambda: raw.FakeQuantWithMinMaxVars(inputs=hole(4, 4), min=0.0, max=6.0)
    yield lambda: raw.FusedBatchNorm(x=image(), is_training=False, **four)
    yield lambda: raw.FusedBatchNormV2(x=image(), is_training=False, **four)
    yield lambda: raw.FusedBatchNormV3(x=image(), is_training=False, **four)
    yield lambda: raw.LinSpace(start=hole(), stop=hole(), num=4)
    yield lambda: raw.ListDiff(x=hole(4), y=[1.0, 2.0])
    yield lambda: raw.MatrixDiag(diagonal=hole(4))
    yield lambda: raw.MaxPool3D(input=hole(4, 4, 4, 4, 4), **blocks)
    yield lambda: raw.MaxPoolV2(input=image(), **windows)
    yield lambda: raw.NonMaxSuppression(**boxes())
    yield lambda: raw.NonMaxSuppressionV2(**boxes(), iou_threshold=0.5)
    for each in (raw.NonMaxSuppressionV3, raw.NonMaxSuppressionV4):
        yield lambda each=each: each(**boxes(), iou_threshold=0.5, score_threshold=0.5)
    yield lambda: raw.NonMaxSuppressionV5(**boxes(), iou_threshold=0.5, score_threshold=0.5, soft_nms_sigma=0.0)
    yield lambda: raw.PadV2(input=hole(4, 4), paddings=[[1, 1], [1, 1]], constant_values=1.0)
    yield lambda: raw.PreventGradient(input=hole(4))
    yield lambda: raw.Rank(input=hole(None, 4))
    yield lambda: raw.ScatterNd(indices=[[0], [1]], updates=hole(2), shape=[4])
    yield lambda: raw.ShapeN(input=[hole(None, 4), hole(None, 4)])[0]
    yield lambda: raw.SpaceToBatchND(input=image(), block_shape=[2, 2], paddings=[[0, 0], [0, 0]])
    yield lambda: raw.SplitV(value=hole(4, 4), size_splits=[1, 3], axis=0, num_split=2)
    yield lambda: raw.Unpack(value=hole(2, 4), num=2)


def hole(*shape):
    return tf.compat.v1.placeholder(tf.float32, shape)


def branch():
    x = hole(4)
    return tf.compat.v1.cond(tf.reduce_sum(x) > 1, lambda: x * 2, lambda: x - 1)


def loop():
    return tf.compat.v1.while_loop(lambda x: tf.reduce_sum(x) < 30, lambda x: x * 2 + 1, [hole(4)])


def bounded_loop():
    return tf.compat.v1.while_loop(lambda i, _: i < 3, lambda i, x: (i + 1, x * 2), [tf.constant(0), hole(4)])[1]


def mapped():
    return tf.map_fn(lambda x: x * 2, hole(4))


def checked():
    x = hole(4)
    with tf.control_dependencies([tf.raw_ops.Assert(condition=tf.reduce_sum(x) > 1, data=[x])]):
        return tf.identity(x)


def called():
    return -tf.function(lambda x: x * 2 + 1)(hole(4))  # a call that is an output itself is not inlined by tf2onnx


def graph_by(build, version=2):
    """Returns the GraphDef of a program, with control flow of TensorFlow 1 or 2."""
    (tf.compat.v1.enable_control_flow_v2 if version == 2 else tf.compat.v1.disable_control_flow_v2)()
    with tf.Graph().as_default() as graph:
        result = build()
        tf.identity(result[0] if isinstance(result, (list, tuple)) else result, name="probe")
    return graph.as_graph_def()


def with_twins(graph):
    """Yields a graph, and with each functional op its twin that has a state, or has none."""
    yield graph
    for stateless, stateful in (
        ("StatelessIf", "If"),
        ("StatelessWhile", "While"),
        ("PartitionedCall", "StatefulPartitionedCall"),
    ):
        for one, other in ((stateless, stateful), (stateful, stateless)):
            twin = graph_pb2.GraphDef.FromString(graph.SerializeToString())
            for node in twin.node:
                node.op = other if node.op == one else node.op
            if twin != graph:
                yield twin
