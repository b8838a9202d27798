"""validate refuses shapes as TensorFlow's importer does: those that follow from computed constants, and those of any op alone."""

import os
import random

import numpy as np
from graphs import tf, tf1
from importers import judge, judge_both
from program import call
from suite import NOTES, Suite, folder
from tensorflow.core.framework import node_def_pb2
from tensorflow.python.framework import op_def_registry

COUNT, SEED = 120, 11
raw = tf.raw_ops
BINARY = "AddV2 Sub Mul Maximum Minimum FloorDiv FloorMod".split()
REDUCTIONS = "Sum Prod Max Min".split()


def starts(rng):
    """Constants, and the shapes of inputs of which all or some sizes are known."""
    yield tf.constant(rng.randint(0, 4), tf.int32)
    yield tf.constant([rng.randint(0, 4) for _ in range(rng.randint(1, 4))], tf.int32)
    yield tf.constant([[rng.randint(0, 3) for _ in range(3)] for _ in range(2)], tf.int32)
    for _ in range(2):
        sizes = [rng.choice([1, 2, 3, 4, None]) for _ in range(rng.randint(1, 3))]
        yield raw.Shape(input=tf1.placeholder(tf.float32, sizes))
    yield raw.Size(input=tf1.placeholder(tf.float32, [2, 2]))
    yield raw.Rank(input=tf1.placeholder(tf.float32, [2, None]))


def step(rng, known):
    """A tensor computed from known ones, of int32."""
    a, b = rng.choice(known), rng.choice(known)
    number = lambda: rng.randint(0, 2)  # noqa: E731
    return rng.choice(
        [
            lambda: getattr(raw, rng.choice(BINARY))(x=a, y=b),
            lambda: getattr(raw, rng.choice(BINARY))(x=a, y=number() + 1),
            lambda: getattr(raw, rng.choice(REDUCTIONS))(input=a, axis=[0], keep_dims=rng.random() < 0.3),
            lambda: raw.Pack(values=[a, a], axis=0),
            lambda: raw.Pack(values=[raw.Reshape(tensor=each, shape=[]) for each in (a, b)], axis=0),
            lambda: raw.ConcatV2(values=[a, b], axis=0),
            lambda: raw.StridedSlice(
                input=a, begin=[number()], end=[number() + 1], strides=[1], shrink_axis_mask=rng.randint(0, 1)
            ),
            lambda: raw.StridedSlice(input=a, begin=[number()], end=[0], strides=[1], end_mask=1),
            lambda: raw.StridedSlice(input=a, begin=[0], end=[-1], strides=[1], begin_mask=1),
            lambda: raw.Slice(input=a, begin=[number()], size=[1]),
            lambda: raw.GatherV2(params=a, indices=number(), axis=0),
            lambda: raw.GatherV2(params=a, indices=[number(), 0], axis=0),
            lambda: raw.Reshape(tensor=a, shape=[-1]),
            lambda: raw.ExpandDims(input=a, axis=0),
            lambda: raw.Squeeze(input=a),
            lambda: raw.Cast(x=raw.Cast(x=a, DstT=tf.float32), DstT=tf.int32),
            lambda: raw.Cast(x=raw.Cast(x=a, DstT=tf.int64), DstT=tf.int32),
            lambda: raw.Range(start=0, limit=rng.randint(1, 3), delta=1),
            lambda: raw.Range(start=0, limit=raw.Reshape(tensor=a, shape=[]), delta=1),
            lambda: raw.Fill(dims=[number()], value=raw.Reshape(tensor=a, shape=[])),
            lambda: raw.Tile(input=a, multiples=[2]),
            lambda: raw.Transpose(x=a, perm=[1, 0]),
            lambda: raw.SelectV2(condition=raw.Greater(x=a, y=1), t=a, e=1),
            lambda: raw.Identity(input=a),
            lambda: raw.Square(x=a),
            lambda: raw.Shape(input=a),
            lambda: raw.OnesLike(x=a),
        ]
    )()


def expression(rng):
    known = list(starts(rng))
    for _ in range(rng.randint(1, 7)):
        try:
            made = step(rng, known[-3:] if rng.random() < 0.5 else known)
        except (ValueError, tf.errors.InvalidArgumentError):
            continue
        known += [made, made]  # a new tensor is more likely to be taken
    return known[-1]


def value_of(tensor):
    """The value, of inputs whose unknown sizes are 2; None where it cannot be computed."""
    inputs = [op.outputs[0] for op in tensor.graph.get_operations() if op.type == "Placeholder"]
    feeds = {
        each: np.zeros([2 if size is None else size for size in each.shape.as_list()], np.float32) for each in inputs
    }
    try:
        with tf1.Session(graph=tensor.graph) as session:
            return session.run(tensor, feeds)
    except tf.errors.OpError:
        return None


def add_consumers(graph_def, sizes, tensor, fits):
    """Adds nodes for which the tensor, of these sizes, is a shape: a Reshape, and a sum with what Fill makes."""
    wanted = [int(size) for size in sizes]
    if not fits:
        wanted[len(wanted) // 2] += 1
    with tf.Graph().as_default() as graph:
        tf1.placeholder(tf.float32, [int(np.prod(wanted))], name="flat")
        tf1.placeholder(tf.float32, wanted, name="shaped")
        tf.constant(0.0, name="zero")
    graph_def.MergeFrom(graph.as_graph_def())
    for name, op, inputs, attrs in (
        ("reshaped", "Reshape", ["flat", tensor], {"T": tf.float32, "Tshape": tf.int32}),
        ("filled", "Fill", [tensor, "zero"], {"T": tf.float32, "index_type": tf.int32}),
        ("sum", "AddV2", ["filled", "shaped"], {"T": tf.float32}),
    ):
        node = graph_def.node.add(name=name, op=op, input=inputs)
        for key, dtype in attrs.items():
            node.attr[key].type = dtype.as_datatype_enum


def random_graph(seed):
    rng = random.Random(seed)
    with tf.Graph().as_default() as graph:
        tensor = expression(rng)
        value = value_of(tensor)
        if (
            value is None
            or value.ndim != 1
            or not 0 < value.size < 6
            or value.min() < 2
            or np.prod(value, dtype=float) > 1e6
        ):
            return None
        graph_def = graph.as_graph_def()
    add_consumers(graph_def, value, tensor.name.removesuffix(":0"), rng.random() < 0.4)
    return graph_def


TYPES = [each.as_datatype_enum for each in (tf.float32, tf.int32, tf.int64, tf.bool, tf.string, tf.uint8, tf.float64)]
EQUATIONS = [
    b"ij,jk->ik",
    b"...ij,jk->...ik",
    b"ij->ji",
    b"bqhd,bkhd->bhqk",
    b"i,i->",
    b"ii->i",
    b"ij,jk->iz",
    b"ij,jk",
]
EACH = 2  # graphs of an op


def random_sizes(rng):
    rank = rng.choices(range(6), [2, 3, 4, 2, 4, 1])[0]
    return [rng.choice([1, 2, 3, 4, None, 2, 4, 8]) for _ in range(rank)]


def random_attr(rng, attr, value):
    """Sets a value of the attribute's type, the first types and the default rather than others."""
    allowed = attr.allowed_values.list
    types = [each for each in TYPES if not allowed.type or each in allowed.type] or [tf.float32.as_datatype_enum]
    least = attr.minimum if attr.has_minimum else 0
    if attr.HasField("default_value") and rng.random() < 0.6:
        value.CopyFrom(attr.default_value)
    elif attr.type == "type":
        value.type = types[0] if rng.random() < 0.8 else rng.choice(types)
    elif attr.type == "int":
        value.i = max(least, rng.choice([1, 2, 3] if attr.has_minimum else [0, 1, 2, 3, -1]))
    elif attr.type == "bool":
        value.b = rng.random() < 0.5
    elif attr.type == "float":
        value.f = rng.choice([0.5, 1.0])
    elif attr.type == "string":
        value.s = rng.choice(list(allowed.s) or (EQUATIONS if attr.name == "equation" else [attr.default_value.s]))
    elif attr.type == "shape":
        value.shape.CopyFrom(tf.TensorShape(random_sizes(rng)).as_proto())
    elif attr.type == "list(int)":
        value.list.i.extend(rng.choice([1, 1, 2, 0]) for _ in range(max(rng.choice([1, 2, 4, 4, 5, 0]), least)))
    elif attr.type == "list(type)":
        value.list.type.extend(rng.choice(types[:2]) for _ in range(max(rng.choice([1, 2]), least)))
    elif attr.type == "list(shape)":
        value.list.shape.extend(tf.TensorShape(random_sizes(rng)).as_proto() for _ in range(2))
    else:
        return False
    if attr.type.startswith("list"):
        value.list.SetInParent()
    return True


def random_input(rng, name, dtype, usual):
    """A placeholder; of whole numbers, which may be sizes or axes, rather a constant."""
    node = node_def_pb2.NodeDef(name=name, op="Placeholder")
    node.attr["dtype"].type = dtype
    if dtype in (tf.int32.as_datatype_enum, tf.int64.as_datatype_enum) and rng.random() < 0.7:
        sizes = rng.choice([[], [], [rng.choice([0, 1, 2, 2, 3, 4, 4])], [rng.choice([1, 2, 3, 4]), 2]])
        values = [rng.choice([0, 1, 2, 3, 1, 2, -1]) for _ in range(int(np.prod(sizes)))]
        node.op = "Const"
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(values, tf.as_dtype(dtype), sizes))
    else:
        sizes = usual if rng.random() < 0.5 else None if rng.random() < 0.1 else random_sizes(rng)
        node.attr["shape"].shape.CopyFrom(tf.TensorShape(sizes).as_proto())
    return node


def one_op(rng, definition, name):
    """Nodes of an op and its inputs; None where they cannot be made up."""
    node = node_def_pb2.NodeDef(name=name, op=definition.name)
    if not all(random_attr(rng, attr, node.attr[attr.name]) for attr in definition.attr):
        return None
    types = []
    for arg in definition.input_arg:
        dtype = arg.type or node.attr[arg.type_attr].type
        own = node.attr[arg.type_list_attr].list.type if arg.type_list_attr else [dtype]
        types += list(own) * (node.attr[arg.number_attr].i if arg.number_attr else 1)
    known = all(dtype in TYPES or dtype == tf.resource.as_datatype_enum for dtype in types)
    if not types or len(types) > 12 or not known or any(arg.is_ref for arg in definition.input_arg):
        return None
    usual = random_sizes(rng)
    inputs = [random_input(rng, f"{name}_{i}", dtype, usual) for i, dtype in enumerate(types)]
    node.input.extend(each.name for each in inputs)
    return [*inputs, node]


def write(graph_def, path):
    with open(path, "wb") as file:
        file.write(graph_def.SerializeToString())


class Shapes(Suite):
    def test_of_computed_constants(self):
        base, paths, seed = folder("shapes_computed"), [], SEED * 1_000_000
        while len(paths) < COUNT:
            graph_def, seed = random_graph(seed), seed + 1
            if graph_def is not None:
                paths.append(os.path.join(base, f"{seed - 1}.pb"))
                write(graph_def, paths[-1])
        refused = {path: said["message"] for path, said in zip(paths, judge_both(paths)) if said["code"] != 0}
        ours = {path for path in paths if call("validate", path).status != 0}
        self.assertGreater(len(refused), COUNT / 5)
        self.assertEqual({path: refused.get(path) for path in ours ^ set(refused)}, {})

    def test_of_one_op(self):
        """Nothing is refused that TensorFlow takes, and little is taken that it refuses."""
        rng, base, graphs_of = random.Random(SEED), folder("shapes_one"), {}
        for name in sorted(each for each in dir(raw) if each[0].isupper()):
            definition = op_def_registry.get(name)
            for i in range(0 if definition is None or name in ("Const", "Placeholder") else EACH):
                nodes = one_op(rng, definition, f"{name}{i}")
                if nodes is not None:
                    graphs_of[nodes[-1].name] = nodes
        paths = {name: os.path.join(base, f"{name}.pb") for name in graphs_of}
        together = tf1.GraphDef()
        for name, nodes in graphs_of.items():
            graph_def = tf1.GraphDef(node=nodes)
            graph_def.versions.producer = together.versions.producer = tf.version.GRAPH_DEF_VERSION
            together.node.extend(nodes)
            write(graph_def, paths[name])
        path = os.path.join(base, "together.pb")
        write(together, path)
        refused = {name for name, said in zip(paths, judge(list(paths.values()))) if said["code"] != 0}
        ours = {
            each["where"]["node"]
            for each in call("validate", path).report["diagnostics"]
            if each["severity"] == "error"
        }
        self.assertGreater(len(graphs_of), 1500)
        self.assertEqual(ours - refused, set())
        NOTES.append(
            f"shapes of one op: {len(ours)} of the {len(refused)} that TensorFlow refuses are refused, of {len(graphs_of)}"
        )
        self.assertGreater(len(ours & refused), 0.9 * len(refused))
