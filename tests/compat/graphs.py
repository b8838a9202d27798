"""The graphs to judge: every GraphDef in tests/data and in the corpus, also those of MetaGraphDefs and SavedModels."""

import os

from google.protobuf import text_format
from google.protobuf.message import DecodeError
from histories import ROOT
from tensorflow.core.framework import graph_pb2
from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2

FOLDERS = {
    "data": os.path.join(ROOT, "tests", "data"),
    "corpus": os.path.join(os.path.dirname(ROOT), "shared", "corpus"),
}
ENDINGS = (".pb", ".pbtxt", ".meta")


def read(path):
    """Returns the GraphDefs in a file. A file of another format gives an empty one."""
    name = os.path.basename(path)
    if name.startswith("saved_model."):
        return [meta_graph.graph_def for meta_graph in parse(saved_model_pb2.SavedModel, path).meta_graphs]
    if name.endswith(".meta"):
        return [parse(meta_graph_pb2.MetaGraphDef, path).graph_def]
    return [parse(graph_pb2.GraphDef, path)]


def parse(message, path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        return text_format.Parse(data.decode(), message()) if path.endswith(".pbtxt") else message.FromString(data)
    except (DecodeError, text_format.ParseError):
        return message()


def found():
    """Yields (name, GraphDef)."""
    for folder, where in FOLDERS.items():
        for root, folders, files in os.walk(where):
            folders.sort()
            for file in sorted(files):
                if file.endswith(ENDINGS):
                    path = os.path.join(root, file)
                    for place, graph in enumerate(read(path)):
                        if graph.node:
                            yield f"{folder}/{os.path.relpath(path, where)}" + f"#{place}" * (place > 0), graph
