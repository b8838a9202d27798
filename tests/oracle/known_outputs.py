"""Models whose outputs are known, with what says so taken away: SavedModels without their signatures, training graphs with a frozen file."""

import collections
import hashlib
import os

import graphs
from cases import CORPUS, DATA, HAS_CORPUS
from corpus import saved_model_of

RESERVED = ("__saved_model_", "__OP")
Known = collections.namedtuple("Known", "name origin path outputs inputs")


def half_of(known):
    """0 or 1, by the repository that the model is from: rules are designed on half 0 and judged on half 1."""
    return hashlib.sha256(known.origin.encode()).digest()[0] % 2


def tensors_of(arguments):
    """Names of the tensors that a signature names, without ":0"."""
    names = {info.name.removesuffix(":0") for info in arguments.values() if info.name}
    sparse = [info.coo_sparse for info in arguments.values() if info.WhichOneof("encoding") == "coo_sparse"]
    parts = [
        name
        for info in sparse
        for name in (info.values_tensor_name, info.indices_tensor_name, info.dense_shape_tensor_name)
    ]
    return names | {name.removesuffix(":0") for name in parts}


def served(meta):
    """(outputs, inputs) of all signatures that serve."""
    outputs, inputs = set(), set()
    for key, signature in meta.signature_def.items():
        if key.startswith(RESERVED) or key == "train_op" or "/supervised/" in signature.method_name:
            continue
        outputs |= tensors_of(signature.outputs)
        inputs |= tensors_of(signature.inputs)
    return outputs - inputs, inputs


def is_graph_of_sessions(meta, outputs):
    """Returns True if the main graph computes the outputs, and not a call of a traced function."""
    ops = {node.name: node.op for node in meta.graph_def.node}
    return outputs and all(
        graphs.base(name) in ops and "PartitionedCall" not in ops[graphs.base(name)] for name in outputs
    )


def structure_of(meta):
    """Equal for models that differ in names of folders and files alone."""
    return hashlib.sha256(
        "\n".join(f"{node.name} {node.op} {list(node.input)}" for node in meta.graph_def.node).encode()
    ).hexdigest()


def saved_models(top):
    for folder, _, names in sorted(os.walk(top)):
        for name in names:
            if name in ("saved_model.pb", "saved_model.pbtxt"):
                yield os.path.join(folder, name)


def origin_of(path):
    """KIND/OWNER__REPOSITORY of a file of the corpus; the folder's name of a fixture."""
    relative = os.path.relpath(path, CORPUS)
    return relative.split(os.sep)[1] if not relative.startswith("..") else os.path.basename(os.path.dirname(path))


def without_signatures(folder):
    """Known models written to `folder` as `.meta` files without signatures, one of each structure of an origin."""
    seen = set()
    for top in [DATA, *([CORPUS] if HAS_CORPUS else [])]:
        for path in saved_models(top):
            model = saved_model_of(path)
            for meta in model.meta_graphs if model else []:
                outputs, inputs = served(meta)
                origin = origin_of(path)
                key = (origin, structure_of(meta))
                if key in seen or not is_graph_of_sessions(meta, outputs):
                    continue
                seen.add(key)
                meta.ClearField("signature_def")
                out = os.path.join(folder, f"{len(seen)}.meta")
                with open(out, "wb") as file:
                    file.write(meta.SerializeToString())
                top_path = os.path.relpath(path, CORPUS if path.startswith(CORPUS) else DATA)
                yield Known(top_path, origin, out, outputs, inputs)
