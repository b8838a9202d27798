"""Seeded inputs for a signature of a SavedModel, serialized Examples among them."""

import graphs
from graphs import np, tf, tf1


def dims_of(tensor, info, run):
    """The shape that the graph says, else the signature; unknown sizes are 2 in one run and 3 in the other."""
    shape = tensor.shape if tensor.shape.rank is not None else tf1.TensorShape(info.tensor_shape)
    dims = shape.as_list() if shape.rank is not None else [None]
    return [2 + run if dim is None else dim for dim in dims]


def dense(graph, info, seed, run, text):
    tensor = graph.get_tensor_by_name(info.name)
    dims = dims_of(tensor, info, run)
    if tensor.dtype.base_dtype == tf.string:
        return {info.name: np.full(dims, text, object) if dims else np.array(text, object)}
    return {info.name: graphs.made_up(tensor.dtype.base_dtype, dims, seed, None)}


def sparse(graph, info, run, text):
    """One value in a batch of two or three."""
    names = info.coo_sparse
    dtype = graph.get_tensor_by_name(names.values_tensor_name).dtype.base_dtype
    value = np.array([text], object) if dtype == tf.string else np.array([1], dtype.as_numpy_dtype)
    return {
        names.values_tensor_name: value,
        names.indices_tensor_name: np.array([[0, 0]], np.int64),
        names.dense_shape_tensor_name: np.array([2 + run, 1], np.int64),
    }


def feeds_of(graph, signature, run, text):
    """tensor name -> value for all inputs of the signature."""
    feeds = {}
    for at, (_, info) in enumerate(sorted(signature.inputs.items())):
        feeds.update(
            sparse(graph, info, run, text)
            if info.HasField("coo_sparse")
            else dense(graph, info, 100 * run + at, run, text)
        )
    return feeds


# ---- Examples ---------------------------------------------------------------------------------------------------------------


def constant(nodes, name):
    node = nodes.get(name.split(":")[0])
    while node is not None and node.op in ("Identity",):
        node = nodes.get(node.input[0].split(":")[0])
    return (
        tf1.make_ndarray(node.attr["value"].tensor).reshape(-1).tolist()
        if node is not None and node.op == "Const"
        else []
    )


def dense_keys(node, nodes):
    """The names of the dense features that a parser asks for, in the order of its attribute Tdense."""
    if node.op == "ParseExampleV2":
        return constant(nodes, node.input[3])
    sparse_count, count = node.attr["Nsparse"].i, node.attr["Ndense"].i
    return [key for name in node.input[2 + sparse_count : 2 + sparse_count + count] for key in constant(nodes, name)]


def feature(dtype, count):
    if dtype == tf.string:
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"1"] * count))
    if dtype == tf.int64:
        return tf.train.Feature(int64_list=tf.train.Int64List(value=range(1, count + 1)))
    return tf.train.Feature(float_list=tf.train.FloatList(value=[0.5] * count))


def example(graph_def):
    """A serialized Example that has every dense feature the graph's parsers ask for."""
    made = tf.train.Example()
    for nodes in [graph_def.node, *(function.node_def for function in graph_def.library.function)]:
        named = {node.name: node for node in nodes}
        for node in nodes:
            if node.op not in ("ParseExample", "ParseExampleV2"):
                continue
            types, shapes = node.attr["Tdense"].list.type, node.attr["dense_shapes"].list.shape
            for key, dtype, shape in zip(dense_keys(node, named), types, shapes):
                count = int(np.prod([max(dim.size, 1) for dim in shape.dim]))
                made.features.feature[key.decode()].CopyFrom(feature(tf.as_dtype(dtype), count))
    return made.SerializeToString(deterministic=True)
