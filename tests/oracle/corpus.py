"""The corpus, file by file: which files make a model together. Grouped by what formats.md says, not by what the program says."""

import csv
import functools
import os
import re

import graphs
from cases import CORPUS, HAS_CORPUS
from google.protobuf import text_format
from google.protobuf.message import DecodeError
from graphs import tf1
from tensorflow.core.protobuf import saved_model_pb2

TABLE_MAGIC = bytes.fromhex("57fb808b247547db")  # ends a table: an index, or a checkpoint of the first version
OF_SAVED_MODEL = re.compile(
    r"(saved_model\.(pb|pbtxt|cpb)|fingerprint\.pb|keras_metadata\.pb|tfhub_module\.pb"
    r"|variables/.*|assets(\.extra)?/.*)$"
)
OF_CHECKPOINT = re.compile(r"(.*)\.(index|data-\d{5}-of-\d{5})$")


class Model:
    """`path` as given to the program, and `files` by their paths in the corpus. FORM says what it is to be written as."""

    def __init__(self, name, form, files):
        self.name, self.form, self.files = name, form, sorted(files)
        self.path = os.path.join(CORPUS, name)

    def __repr__(self):
        return self.name

    @property
    def bytes(self):
        return sum(os.path.getsize(os.path.join(CORPUS, name)) for name in self.files)


def listed():
    """The files that FILES.tsv lists."""
    with open(os.path.join(CORPUS, "FILES.tsv"), encoding="utf-8") as file:
        return [row["path"] for row in csv.DictReader(file, delimiter="\t")]


def data_of(path):
    with open(os.path.join(CORPUS, path), "rb") as file:
        return file.read()


def take(left, files):
    taken = [name for name in files if name in left]
    left.difference_update(taken)
    return taken


def folders_with(left, *names):
    return sorted({os.path.dirname(path) for path in left if os.path.basename(path) in names})


def grouped(paths):
    """Models, each with its files; every path belongs to exactly one."""
    left, models = set(paths), []

    def add(name, form, files):
        models.append(Model(name, form, take(left, files)))

    for folder in folders_with(left, "saved_model.pb", "saved_model.pbtxt", "saved_model.cpb"):
        inside = [
            path for path in left if path.startswith(folder + "/") and OF_SAVED_MODEL.match(path[len(folder) + 1 :])
        ]
        add(folder, "saved-model", inside)
    for folder in folders_with(left, "model.json", "tensorflowjs_model.pb"):
        add(folder, "tfjs", [path for path in left if os.path.dirname(path) == folder])
    for prefix in sorted({found[1] for found in map(OF_CHECKPOINT.match, left) if found}):
        parts = [
            path
            for path in left
            if path == prefix + ".meta" or getattr(OF_CHECKPOINT.match(path), "group", str)(1) == prefix
        ]
        add(prefix, "meta and checkpoint" if prefix + ".meta" in parts else "checkpoint", parts)
    for path in sorted(left):
        if data_of(path).endswith(TABLE_MAGIC):
            pair = path + ".meta" in left
            add(path, "meta and checkpoint-v1" if pair else "checkpoint-v1", [path, path + ".meta"])
    for path in sorted(left):
        add(path, form_of(path), [path])
    return models


def form_of(path):
    """Returns the kind of a file by itself, as far as its name, or its first bytes, determine it."""
    if os.path.basename(path) == "checkpoint":
        return "state"
    with open(os.path.join(CORPUS, path), "rb") as file:
        if file.read(8)[4:] == b"TFL3":
            return "tflite"
    return "meta" if path.endswith(".meta") else "file"


def is_text(path):
    return path.endswith(("txt", "pbtxt"))


@functools.lru_cache(None)
def text_of(path, kind=tf1.GraphDef):
    """Returns the message that text_format parses there; None if it is no such message."""
    try:
        with open(path, encoding="utf-8") as file:
            return text_format.Parse(file.read(), kind())
    except (text_format.ParseError, UnicodeDecodeError):
        return None


def message_of(path, kind):
    """Returns the message that protobuf parses there, from text or bytes; None if it is no such message."""
    if is_text(path):
        return text_of(path, kind)
    try:
        return graphs.parse(kind, path)
    except DecodeError:
        return None


def graph_of(path):
    """The GraphDef of a file that holds nothing else; None where there is none: a node has a name and an op."""
    graph = message_of(path, tf1.GraphDef)
    holds = graph is not None and (graph.node or graph.library.function)
    return graph if holds and all(node.name and node.op for node in graph.node) else None


def saved_model_of(path):
    """The SavedModel of a file; None where there is none: it has graphs with nodes, or signatures."""
    model = message_of(path, saved_model_pb2.SavedModel)
    if model is None or not any(meta.graph_def.node or meta.signature_def for meta in model.meta_graphs):
        return None
    return model


MODELS = grouped(listed()) if HAS_CORPUS else []
