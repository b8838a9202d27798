"""freeze of SavedModels: TensorFlow runs the signature from the folder and the frozen graph, and both give the same bits."""

import functools
import os
import shutil

import graphs
import kept
import signature_feeds
from cases import CORPUS, DATA, HAS_CORPUS
from graphs import tf1
from program import call
from suite import NOTES, Suite, expanded, folder, for_each
from tensorflow.core.protobuf import saved_model_pb2
from tensorflow.python.framework import op_def_registry
from tensorflow.python.saved_model import loader_impl

# Models that cannot be frozen: the end of the folder's name, the signature, and code and words of the diagnostic.
NO_WEIGHTS = ("no-checkpoint", "no checkpoint in its folder")
REFUSED = [
    ("AbhinavTamta21__Botnet-Attack-Detection-LSTM", None, NO_WEIGHTS),
    ("cc/saved_model/testdata/bert1", None, NO_WEIGHTS),
    ("cc/saved_model/testdata/bert2", None, NO_WEIGHTS),
    ("saved_model/savedmodel_v2", None, NO_WEIGHTS),
    ("saved_model_counter/00000123", "incr_counter", ("variable-in-use", "AssignAdd")),
    ("saved_model_counter/00000123", "incr_counter_by", ("variable-in-use", "AssignAdd")),
    ("tfma_saved_model", None, ("variable-in-use", "Assign")),
    ("Format-TFMA/1646034758", None, ("variable-in-use", "Assign")),
    ("saved_models/counter", None, ("variable-in-use", "of function 'while_body")),
]


class SavedModel:
    """A folder and one of its signatures."""

    def __init__(self, path, name, key):
        self.path, self.key = path, key
        self.folder, self.name = name, f"{name} {key}"
        self.refused = next((why for end, of, why in REFUSED if name.endswith(end) and of in (None, key)), None)

    def __repr__(self):
        return self.name


def folders():
    roots = [os.path.join(DATA, "saved_models"), os.path.join(DATA, "objects", "keras")]
    if HAS_CORPUS:
        roots += [
            os.path.join(CORPUS, kind) for kind in ("savedmodel_tf2", "savedmodel_tf1", "hub_module", "freeze_pairs")
        ]
    else:
        NOTES.append("SKIPPED: the SavedModels of the corpus were not tried")
    for root in roots:
        for path, _, files in sorted(os.walk(root)):
            if "saved_model.pb" in files:
                yield path, os.path.relpath(path, os.path.dirname(root))


def meta_graph_of(path):
    """The MetaGraphDef that the program takes: the only one, or that for serving."""
    saved = graphs.parse(saved_model_pb2.SavedModel, os.path.join(path, "saved_model.pb"))
    serving = [one for one in saved.meta_graphs if list(one.meta_info_def.tags) == ["serve"]]
    return saved, (serving or saved.meta_graphs)[0]


def saved_models():
    for path, name in folders():
        signatures = meta_graph_of(path)[1].signature_def
        keys = sorted(key for key, one in signatures.items() if not key.startswith("__saved_model_") and one.outputs)
        if not keys:
            NOTES.append(f"not tried, for it has no signature: {name}")
        for key in keys:
            yield SavedModel(path, name, key)


MODELS = list(saved_models())
ROWS = {}


@functools.lru_cache(None)
def frozen(model):
    """(answer, path of the .pb): the program's freeze of the signature."""
    path = os.path.join(folder("saved", model.name), "frozen.pb")
    return call("freeze", model.path, "-o", path, "--signature", model.key), path


def meta_graph(model):
    return meta_graph_of(model.path)[1]


def assets_of(path, meta):
    """tensor name -> path: what TensorFlow feeds whenever it loads the folder."""
    return loader_impl.get_asset_tensors(path, meta)


def run_signature(session, signature, feeds):
    known = {op.name for op in session.graph.get_operations()}
    fetches = {key: info.name for key, info in signature.outputs.items() if info.name}
    given = {name: value for name, value in feeds.items() if graphs.base(name) in known}
    return {key: graphs.bits(value) for key, value in session.run(fetches, given).items()}


def renamed(feeds, before, after):
    """The feeds by the names that the frozen signature has for its inputs."""
    names = {
        info.name: after.inputs[key].name for key, info in before.inputs.items() if key in after.inputs and info.name
    }
    return {names.get(name, name): value for name, value in feeds.items()}


def run_meta(meta, model, feeds):
    """Returns the outputs of a frozen .meta's signature for feeds that name the model's own inputs."""
    signature, original = meta.signature_def[model.key], meta_graph(model)
    assets = assets_of(model.path, original)
    with tf1.Session(graph=graphs.imported(meta.graph_def), config=graphs.config()) as session:
        known = {op.name for op in session.graph.get_operations()}
        assets = {name: path for name, path in assets.items() if graphs.base(name) in known}
        session.run(list(meta.collection_def["table_initializer"].node_list.value), assets)
        return [
            run_signature(session, signature, {**renamed(feed, original.signature_def[model.key], signature), **assets})
            for feed in feeds
        ]


def told(error):
    """The line of an error that says something."""
    lines = [
        line
        for line in str(error).splitlines()
        if line.strip() and not line.startswith(("Graph execution", "Detected at", "Node:"))
    ]
    return f"{type(error).__name__}: {(lines or [''])[0].strip()[:150]}"


def unoptimized(model):
    """A copy of the folder in which calls ask for no optimizer."""
    copy = os.path.join(folder("saved", model.name), "original")
    shutil.copytree(model.path, copy, dirs_exist_ok=True)
    saved = meta_graph_of(model.path)[0]
    for meta in saved.meta_graphs:
        graphs.seed_random_ops(meta.graph_def)
        graphs.without_optimizers(meta.graph_def)
    with open(os.path.join(copy, "saved_model.pb"), "wb") as file:
        file.write(saved.SerializeToString())
    return copy


def reference(model):
    """(feeds, outputs) of two runs from the folder, or the reason why TensorFlow does not run it."""
    return kept.answer((model.key, kept.files(model.path)), run_twice, model)


def run_twice(model):
    meta, path, reason = meta_graph(model), unoptimized(model), ""
    for text in (b"text", signature_feeds.example(meta.graph_def), b"3"):
        try:
            with tf1.Session(graph=tf1.Graph(), config=graphs.config()) as session:
                loaded = tf1.saved_model.load(session, list(meta.meta_info_def.tags), path)
                signature = loaded.signature_def[model.key]
                feeds = [signature_feeds.feeds_of(session.graph, signature, run, text) for run in (0, 1)]
                return feeds, [run_signature(session, signature, feed) for feed in feeds], ""
        except Exception as error:  # whatever TensorFlow says
            reason = reason or told(error)
    return None, None, reason


@expanded
class SavedModels(Suite):
    def frozen(self, model):
        answer, path = frozen(model)
        if model.refused:
            code, words = model.refused
            self.refused(answer)
            self.assertEqual(answer.codes(), [code], answer)
            self.assertIn(words, " ".join(one["message"] for one in answer.report["diagnostics"]), answer)
            self.skipTest(f"refused, as it must be: {code}")
        self.done(answer)
        return answer, path

    def unregistered(self, nodes, graph):
        functions = {function.signature.name for function in graph.library.function}
        return sorted({node.op for node in nodes if node.op not in functions and op_def_registry.get(node.op) is None})

    @for_each(MODELS)
    def test_a_frozen_saved_model_is_a_plain_graph_without_state(self, model):
        answer, path = self.frozen(model)
        graph = graphs.read_graph(path)
        nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
        self.assertEqual([], [(node.name, node.op) for node in nodes if node.op in graphs.STATE_OPS], answer.line)
        calls = [node.name for node in graph.node if node.op in ("PartitionedCall", "StatefulPartitionedCall")]
        self.assertEqual([], calls, answer.line)
        custom = self.unregistered(nodes, graph)
        if custom:
            self.skipTest(f"TensorFlow does not know {custom}")
        graphs.imported(graph)
        verdict = call("validate", path)
        self.assertEqual(verdict.status, 0, verdict)

    @for_each(MODELS)
    def test_a_frozen_saved_model_computes_the_same_bits(self, model):
        row = ROWS.setdefault(model.name, {"verdict": "FAILED"})
        try:
            self.compare(model, row)
        except BaseException as error:
            row["verdict"] = (
                row["verdict"] if row["verdict"] != "FAILED" else f"FAILED: {str(error).splitlines()[0][:110]}"
            )
            raise

    def compare(self, model, row):
        if model.refused:
            row["verdict"] = f"refused: {model.refused[0]}"
        answer, path = self.frozen(model)
        as_meta = path.replace(".pb", ".meta")
        self.done(call("freeze", model.path, "-o", as_meta, "--signature", model.key))
        meta = graphs.parse(tf1.MetaGraphDef, as_meta)
        self.assertEqual(graphs.read_graph(path), meta.graph_def)
        row.update(
            nodes=len(meta.graph_def.node),
            functions=len(meta.graph_def.library.function),
            constants=len(answer.report["converted"]),
        )
        feeds, outputs, reason = reference(model)
        if feeds is None:
            row["verdict"] = f"frozen; TensorFlow does not run the model itself: {reason}"
            self.skipTest(f"TensorFlow does not run the model itself: {reason}")
        signature = meta.signature_def[model.key]
        self.assertEqual(sorted(signature.outputs), sorted(meta_graph(model).signature_def[model.key].outputs))
        found = run_meta(meta, model, feeds)
        for before, after in zip(outputs, found):
            self.assertEqual(before.keys(), after.keys())
            for key in before:
                self.assertEqual(before[key][:2], after[key][:2], f"{key} after {answer.line}")
                self.assertTrue(before[key] == after[key], f"{key} has other bits after {answer.line}")
        row["verdict"] = "bit for bit"

    @for_each([model for model in MODELS])
    def test_inputs_and_outputs_carry_the_signature_s_names(self, model):
        self.frozen(model)
        before = meta_graph(model).signature_def[model.key]
        calls = {node.name for node in meta_graph(model).graph_def.node if node.op.endswith("PartitionedCall")}
        if not any(graphs.base(info.name) in calls for info in before.outputs.values()):
            self.skipTest("the signature's outputs are plain nodes")
        _, path = frozen(model)
        names = {node.name: node.op for node in graphs.read_graph(path).node}
        for key in before.inputs:
            self.assertIn(names.get(legal(key)), ("Placeholder", "PlaceholderWithDefault", None), key)
        for key, info in before.outputs.items():
            name = legal(key) + ("_1" if key in before.inputs else "")
            self.assertTrue(graphs.base(info.name) not in calls or names.get(name) == "Identity", key)

    def test_zz_the_table(self):
        """Last by its name in the class: prints what was found."""
        equal = sum(row["verdict"] == "bit for bit" for row in ROWS.values())
        NOTES.append(f"SavedModels frozen and equal bit for bit: {equal} of {len(ROWS)} signatures")
        for name, row in sorted(ROWS.items()):
            NOTES.append(
                f"  {name[-85:]:85} {row.get('nodes', '-'):>6} nodes {row.get('constants', '-'):>4} frozen "
                f"{row.get('functions', '-'):>3} functions  {row['verdict']}"
            )


def legal(key):
    return "".join(c if c.isalnum() or c in "_.-/" else "_" for c in key)
