"""TensorFlow in graph mode: reading, running with seeded feeds, and comparing graphs. Nothing here knows the program under test."""

import functools
import os

import tensorflow2

os.environ.update(tensorflow2.ENVIRONMENT)
import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.python.framework import op_def_registry

tf1 = tf.compat.v1
tf1.logging.set_verbosity(tf1.logging.ERROR)
tf1.disable_eager_execution()

VARIABLE_OPS = {"Variable", "VariableV2", "VarHandleOp", "AutoReloadVariable", "TemporaryVariable"}
STATE_OPS = VARIABLE_OPS.union(
    "ReadVariableOp ResourceGather ResourceGatherNd Assign AssignVariableOp AssignAdd AssignSub".split(),
    "AssignAddVariableOp AssignSubVariableOp VarIsInitializedOp VariableShape IsVariableInitialized SaveV2 RestoreV2 SaveSlices RestoreSlice".split(),
)
RECORD = "_cryograph_variable"  # the attribute of a constant that tells what variable it was
FLOATING = {tf.float16, tf.bfloat16, tf.float32, tf.float64}


def config():
    """The settings under which a frozen and an unfrozen model give the same bits: the meta optimizer folds what is constant."""
    cfg = tf1.ConfigProto(
        intra_op_parallelism_threads=1,
        inter_op_parallelism_threads=1,
        device_count={"CPU": 2},
        allow_soft_placement=True,
    )  # some models of the corpus say GPU
    cfg.graph_options.rewrite_options.disable_meta_optimizer = True
    cfg.graph_options.optimizer_options.opt_level = tf1.OptimizerOptions.L0
    return cfg


def parse(kind, path):
    with open(path, "rb") as file:
        return kind.FromString(file.read())


@functools.cache
def parsed_graph(text):
    """The serialized GraphDef of a text, which several tests read."""
    return text_format.Parse(text, tf1.GraphDef()).SerializeToString()


def read_graph(path):
    """The GraphDef of a .pb, .pbtxt or .meta file."""
    if path.endswith(".pbtxt"):
        with open(path) as file:
            return tf1.GraphDef.FromString(parsed_graph(file.read()))
    return parse(tf1.MetaGraphDef, path).graph_def if path.endswith(".meta") else parse(tf1.GraphDef, path)


def seed_random_ops(graph_def):
    """Random ops without seed differ from run to run: give each a seed, on both sides of a comparison."""
    for nodes in [graph_def.node, *(function.node_def for function in graph_def.library.function)]:
        for node in nodes:
            known = op_def_registry.get(node.op)
            if known and {"seed", "seed2"} <= {attr.name for attr in known.attr}:
                node.attr["seed"].i, node.attr["seed2"].i = 7, 11


def without_optimizers(graph_def):
    """Calls carry a configuration each, by which TensorFlow would fuse what it does not fuse elsewhere."""
    for nodes in [graph_def.node, *(function.node_def for function in graph_def.library.function)]:
        for node in nodes:
            if "config_proto" in node.attr:
                node.attr["config_proto"].s = config().SerializeToString()


def imported(graph_def):
    """The GraphDef as a tf.Graph. A copy is given away: the importer writes default attributes into its argument."""
    copy = tf1.GraphDef()
    copy.CopyFrom(graph_def)
    seed_random_ops(copy)
    with tf1.Graph().as_default() as graph:
        tf1.import_graph_def(copy, name="")
    return graph


def base(tensor):
    """The node that an input names."""
    return tensor.lstrip("^").split(":")[0]


def port(tensor):
    return tensor if ":" in tensor else tensor + ":0"


# ---- running ----------------------------------------------------------------------------------------------------------------


def made_up(dtype, shape, seed, span):
    """A seeded value; unknown dimensions are 2 and 3 in turn."""
    rng = np.random.RandomState(seed)
    dims = [(2 + seed % 2) if dim is None or dim < 0 else dim for dim in shape]
    if dtype == tf.bool:
        return rng.randint(0, 2, dims).astype(bool) if dims else bool(seed % 2)
    if dtype == tf.string:
        return np.array(b"text", object) if not dims else np.full(dims, b"text", object)
    if dtype.is_integer:
        low, high = span or (0, 4)
        return rng.randint(low, high, dims).astype(dtype.as_numpy_dtype)
    return rng.uniform(-1, 1, dims).astype(dtype.as_numpy_dtype)


def feeds_of(graph_def, case, seed):
    """tensor name -> value for the case's inputs, from the shapes and types that the original graph says."""
    graph, feeds = imported(graph_def), {}
    for at, name in enumerate(case.inputs):
        tensor = graph.get_tensor_by_name(port(name))
        shape = case.shapes.get(name) or (tensor.shape.as_list() if tensor.shape.rank is not None else [3])
        feeds[port(name)] = made_up(tensor.dtype.base_dtype, shape, 100 * seed + at, case.spans.get(name))
    return feeds


def run_file(path, fetches, feeds):
    """Runs the graph of a file, once."""
    with tf.Graph().as_default():
        tf.import_graph_def(read_graph(path), name="")
        with tf1.Session(config=config()) as session:
            return session.run(fetches, feeds)


def bits(value):
    """Type, shape and bytes: equal exactly when every bit is."""
    if isinstance(value, bytes):
        value = np.array(value, object)
    array = np.asarray(value)
    if array.dtype.names:  # quantized types are records of one field here, and plain integers there
        array = array.view(array.dtype[0])
    if array.dtype == object:
        return (
            "object",
            array.shape,
            tuple(one.encode() if isinstance(one, str) else one for one in array.reshape(-1)),
        )
    return (str(array.dtype), array.shape, array.tobytes())


def fetches_of(graph, names):
    tensors = [tensor for name in names for tensor in graph.get_operation_by_name(base(name)).outputs]
    return {tensor.name: tensor for tensor in tensors if tensor.dtype.base_dtype not in (tf.resource, tf.variant)}


def random_tensors(graph, names):
    """{tensor name: tensor} of what random ops give."""
    return {
        tensor.name: tensor
        for op in graph.get_operations()
        if op.name in names and "seed2" in op.node_def.attr
        for tensor in op.outputs
    }


def run_outputs(session, case, feeds):
    """[{tensor: bits}] for each set of feeds."""
    fetches = fetches_of(session.graph, case.outputs)
    known = {op.name for op in session.graph.get_operations()}
    return [
        {
            name: bits(value)
            for name, value in session.run(
                fetches, {tensor: value for tensor, value in feed.items() if base(tensor) in known}
            ).items()
        }
        for feed in feeds
    ]


def run_graph(graph_def, case, feeds):
    with tf1.Session(graph=imported(graph_def), config=config()) as session:
        return run_outputs(session, case, feeds)


def restored(meta_path, prefix):
    """A session over a `.meta` with its checkpoint restored by the Saver that the `.meta` describes, and that Saver."""
    meta = parse(tf1.MetaGraphDef, meta_path)
    seed_random_ops(meta.graph_def)
    graph = tf1.Graph()
    with graph.as_default():
        saver = tf1.train.import_meta_graph(meta)
        session = tf1.Session(config=config())
        saver.restore(session, prefix)
    return session, saver


@functools.lru_cache(8)
def read_only(data):
    """(graph, saver, {variable: its value}, {variable: whether it has one}) of a serialized MetaGraphDef, for sessions that only
    read: the same file comes with several checkpoints, and its import takes longer than they do.
    """
    meta = tf1.MetaGraphDef.FromString(data)
    seed_random_ops(meta.graph_def)
    with tf1.Graph().as_default() as graph:
        saver = tf1.train.import_meta_graph(meta)
        return graph, saver, *reads_of(graph)


def reading(meta_path, prefix):
    """(session with the checkpoint restored, the last two values of read_only())"""
    with open(meta_path, "rb") as file:
        graph, saver, *reads = read_only(file.read())
    session = tf1.Session(graph=graph, config=config())
    saver.restore(session, prefix)
    return session, reads


def run_restored(meta_path, prefix, case, feeds):
    session, _ = reading(meta_path, prefix)
    with session:
        return run_outputs(session, case, feeds)


def run_with_values(graph_def, values, case, feeds):
    """Runs a graph with variables, which get their values (node name -> array) straight from here."""
    graph = imported(graph_def)
    with graph.as_default():
        assigns, given = [], {}
        for node in graph_def.node:
            if node.op not in VARIABLE_OPS or node.name not in values:
                continue
            variable = graph.get_tensor_by_name(node.name + ":0")
            holder = tf1.placeholder(tf.as_dtype(node.attr["dtype"].type))
            given[holder] = values[node.name]
            if node.op == "VarHandleOp":
                assigns.append(tf.raw_ops.AssignVariableOp(resource=variable, value=holder))
            else:
                assigns.append(tf.raw_ops.Assign(ref=variable, value=holder, validate_shape=False).op)
        with tf1.Session(config=config()) as session:
            session.run(assigns, given)
            return run_outputs(session, case, feeds)


def variable_values(meta_path, prefix):
    """variable's node name -> value, as TensorFlow restores them (pieces of partitioned ones each by itself)."""
    session, reads = reading(meta_path, prefix)
    with session:
        return read_values(session, *reads)


def values_in(session):
    """variable's node name -> value, of those that have one."""
    return read_values(session, *reads_of(session.graph))


def reads_of(graph):
    """({variable: its value}, {variable: whether it has one}), added to the graph."""
    known, values = {}, {}  # all of them before any is run: a session reads the whole graph again if it has grown
    with graph.as_default():
        for op in [op for op in graph.get_operations() if op.type in VARIABLE_OPS]:
            variable = op.outputs[0]
            if op.type == "VarHandleOp":
                known[op.name] = tf.raw_ops.VarIsInitializedOp(resource=variable)
                values[op.name] = tf.raw_ops.ReadVariableOp(resource=variable, dtype=tf.as_dtype(op.get_attr("dtype")))
            else:
                known[op.name] = tf.raw_ops.IsVariableInitialized(ref=variable)
                values[op.name] = variable
    return values, known


def read_values(session, values, known):
    has_value = session.run(known)
    return session.run({name: value for name, value in values.items() if has_value[name]})


# ---- comparing --------------------------------------------------------------------------------------------------------------


def without_class(graph_def):
    copy = tf1.GraphDef()
    copy.CopyFrom(graph_def)
    for node in copy.node:
        if "_class" in node.attr:
            del node.attr["_class"]
    return copy


def needed(graph_def, outputs, inputs=()):
    """Names of the nodes that the outputs need by data and control edges, back to the inputs."""
    stop = {base(name) for name in inputs}
    by_name, seen, queue = {node.name: node for node in graph_def.node}, set(), [base(name) for name in outputs]
    while queue:
        name = queue.pop()
        if name in seen:
            continue
        seen.add(name)
        if name not in stop:
            queue += [base(tensor) for tensor in by_name[name].input]
    return seen


def functions_in(attrs):
    for value in attrs.values():
        for function in [value.func, *value.list.func]:
            if function.name:
                yield function.name
                yield from functions_in(function.attr)


def reachable_functions(graph_def, nodes=None):
    """Names of library functions that the nodes call, directly or through other functions or gradients."""
    library = {function.signature.name: function for function in graph_def.library.function}
    gradients = {one.function_name: one.gradient_func for one in graph_def.library.gradient}
    queue, seen = [], set()

    def visit(called):
        for node in called:
            queue.extend(name for name in [node.op, *functions_in(node.attr)] if name in library)

    visit(graph_def.node if nodes is None else nodes)
    while queue:
        name = queue.pop()
        if name in seen:
            continue
        seen.add(name)
        visit(library[name].node_def)
        if name in gradients:
            queue.append(gradients[name])
        queue.extend(name for name in functions_in(library[name].attr) if name in library)
    return seen


def const_bits(node):
    """Type, shape and bytes of a Const, whatever its encoding."""
    proto = node.attr["value"].tensor
    if not proto.tensor_content and proto.dtype != tf.string.as_datatype_enum:
        proto = type(proto).FromString(proto.SerializeToString())
        size = int(np.prod([dim.size for dim in proto.tensor_shape.dim], dtype=np.int64))
        for field in [f"{kind}_val" for kind in "float half double int int64 uint32 uint64 bool".split()]:
            if len(getattr(proto, field)) > size:  # TensorFlow drops what is too much, Python's reader refuses it
                del getattr(proto, field)[size:]
    value = tf.make_ndarray(proto)
    return bits(value)


DEFAULTS = {}


def default_attrs(op):
    if op not in DEFAULTS:
        from tensorflow.python.framework import op_def_registry

        definition = op_def_registry.get(op)
        DEFAULTS[op] = (
            {attr.name: attr.default_value for attr in definition.attr if attr.HasField("default_value")}
            if definition
            else {}
        )
    return DEFAULTS[op]


def plain(node, ignore=("_output_shapes", "_class"), control=True, record=False):
    """Returns a node without its spelling: inputs as name:port, defaults written out, constants as their bits.
    `record`: also freezing's record of the variable that a constant was.
    """
    inputs = tuple(tensor if tensor.startswith("^") else port(tensor) for tensor in node.input)
    data = tuple(tensor for tensor in inputs if not tensor.startswith("^"))
    controls = tuple(sorted(tensor for tensor in inputs if tensor.startswith("^"))) if control else ()
    attrs = {name: value for name, value in default_attrs(node.op).items()}
    attrs.update(node.attr.items())
    kept = {
        name: value.SerializeToString(deterministic=True)
        for name, value in attrs.items()
        if name not in ignore and (record or name != RECORD) and not (node.op == "Const" and name == "value")
    }
    return (node.op, data, controls, tuple(sorted(kept.items())), const_bits(node) if node.op == "Const" else None)


def spliced(nodes, kept):
    """The nodes without those Identities that the other side does not have (reads of variables, which some freezers take away)."""
    forward = {name: node.input[0] for name, node in nodes.items() if node.op == "Identity" and name not in kept}
    out = {}
    for name, node in nodes.items():
        if name in forward:
            continue
        copy = type(node)()
        copy.CopyFrom(node)
        copy.input[:] = [forward.get(tensor.removesuffix(":0"), tensor) for tensor in node.input]
        out[name] = copy
    return out


def differences(mine, theirs, limit=6):
    """Lines that say where two {name: anything} differ."""
    lines = [f"only in ours: {name}" for name in mine if name not in theirs]
    lines += [f"only in theirs: {name}" for name in theirs if name not in mine]
    lines += [
        f"{name}: ours {mine[name]}, theirs {theirs[name]}"[:900]
        for name in mine
        if name in theirs and mine[name] != theirs[name]
    ]
    return lines[:limit] + ([f"... {len(lines)} in all"] if len(lines) > limit else [])
