"""freeze of SavedModels: TensorFlow runs the signature from the folder and the frozen graph, and both give the same bits."""
import functools
import os

import graphs
from cases import CORPUS, DATA, HAS_CORPUS
from graphs import tf, tf1
from program import call
from suite import NOTES, Suite, expanded, folder, for_each
from tensorflow.core.protobuf import saved_model_pb2

SERVING = "serving_default"
CONTROL_FLOW = {"While", "StatelessWhile", "If", "StatelessIf", "Case", "StatelessCase"}

# Models of the corpus that cannot be frozen, with the code and a word of the diagnostic that says why.
REFUSED = {
    "AbhinavTamta21__Botnet-Attack-Detection-LSTM": ("no-checkpoint", "checkpoint"),
    "cc/saved_model/testdata/bert1": ("no-checkpoint", "checkpoint"),
    "cc/saved_model/testdata/bert2": ("no-checkpoint", "checkpoint"),
    "saved_model/savedmodel_v2": ("no-checkpoint", "checkpoint"),
    "saved_model_counter/00000123": ("variable-in-use", "AssignAdd"),
    "UninitializedVariable": ("missing-key", "uninitialized_variable"),
}


class SavedModel:
    def __init__(self, path, name):
        self.path, self.name = path, name

    def __repr__(self):
        return self.name


def saved_models():
    roots = [os.path.join(DATA, "saved_models")]
    if HAS_CORPUS:
        roots += [os.path.join(CORPUS, kind) for kind in ("savedmodel_tf2", "savedmodel_tf1", "hub_module", "freeze_pairs")]
    else:
        NOTES.append("SKIPPED: the SavedModels of the corpus were not tried")
    for root in roots:
        for path, _, files in sorted(os.walk(root)):
            if "saved_model.pb" in files:
                yield SavedModel(path, os.path.relpath(path, os.path.dirname(root)))


MODELS = list(saved_models())
ROWS = {}


@functools.lru_cache(None)
def frozen(model):
    """(answer, path of the .pb): the program's freeze by the signature that it chooses itself."""
    path = os.path.join(folder("saved", model.name), "frozen.pb")
    return call("freeze", model.path, "-o", path), path


def meta_graph(model):
    """The first MetaGraphDef of the file, as the program takes it."""
    saved = graphs.parse(saved_model_pb2.SavedModel, os.path.join(model.path, "saved_model.pb"))
    serving = [one for one in saved.meta_graphs if list(one.meta_info_def.tags) == ["serve"]]
    return (serving or saved.meta_graphs)[0]


def signature_of(meta):
    keys = [key for key, one in meta.signature_def.items() if not key.startswith("__saved_model_") and one.outputs]
    if len(keys) == 1:
        return meta.signature_def[keys[0]]
    return meta.signature_def[SERVING] if SERVING in keys else None


def made_up(info, seed, text):
    dtype = tf.as_dtype(info.dtype)
    shape = [] if info.tensor_shape.unknown_rank else [dim.size for dim in info.tensor_shape.dim]
    value = graphs.made_up(dtype, shape, seed, None)
    if dtype != tf.string:
        return value
    return graphs.np.array(text, object) if not shape else graphs.np.full(value.shape, text, object)


def feeds_of(signature, seed, text):
    return {key: made_up(info, 100 * seed + at, text)
            for at, (key, info) in enumerate(sorted(signature.inputs.items())) if info.name}


def run_signature(session, signature, feeds):
    known = {op.name for op in session.graph.get_operations()}
    fetches = {key: info.name for key, info in signature.outputs.items() if info.name}
    given = {signature.inputs[key].name: value for key, value in feeds.items()
             if key in signature.inputs and graphs.base(signature.inputs[key].name) in known}
    return {key: graphs.bits(value) for key, value in session.run(fetches, given).items()}


@functools.lru_cache(None)
def reference(model):
    """(feeds, outputs) of two runs from the folder, or the reason why TensorFlow does not run it."""
    meta = meta_graph(model)
    reason = ""
    for text in (b"text", b"", b"3"):  # b"" is a tf.Example that has nothing
        try:
            with tf1.Session(graph=tf1.Graph(), config=graphs.config()) as session:
                loaded = tf1.saved_model.load(session, list(meta.meta_info_def.tags), model.path)
                signature = signature_of(loaded)
                feeds = [feeds_of(signature, seed, text) for seed in (0, 1)]
                return feeds, [run_signature(session, signature, feed) for feed in feeds], ""
        except Exception as error:  # whatever TensorFlow says
            reason = reason or f"{type(error).__name__}: {str(error).strip().splitlines()[0][:150]}"
    return None, None, reason


def reason_to_refuse(model):
    return next((why for name, why in REFUSED.items() if model.name.endswith(name)), None)


@expanded
class SavedModels(Suite):
    def frozen(self, model):
        answer, path = frozen(model)
        expected = reason_to_refuse(model)
        if expected:
            self.refused(answer)
            self.assertIn(expected[0], answer.codes(), answer)
            self.assertIn(expected[1], str(answer), answer)
            self.skipTest(f"refused, as it must be: {expected[0]}")
        self.done(answer)
        return answer, path

    @for_each(MODELS)
    def test_a_frozen_saved_model_is_a_plain_graph_without_state(self, model):
        answer, path = self.frozen(model)
        graph = graphs.read_graph(path)
        nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
        self.assertEqual([], [(node.name, node.op) for node in nodes if node.op in graphs.STATE_OPS], answer.line)
        calls = [node.name for node in graph.node if node.op in ("PartitionedCall", "StatefulPartitionedCall")]
        self.assertEqual([], calls, answer.line)
        graphs.imported(graph)
        verdict = call("validate", path)
        self.assertEqual(verdict.status, 0, verdict)

    @for_each(MODELS)
    def test_a_frozen_saved_model_computes_the_same_bits(self, model):
        row = ROWS.setdefault(model.name, {"verdict": "FAILED"})
        try:
            self.compare(model, row)
        except BaseException as error:
            row["verdict"] = row["verdict"] if row["verdict"] != "FAILED" else f"FAILED: {str(error).splitlines()[0][:110]}"
            raise

    def compare(self, model, row):
        expected = reason_to_refuse(model)
        if expected:
            row["verdict"] = f"refused: {expected[0]}"
        answer, path = self.frozen(model)
        as_meta = path.replace(".pb", ".meta")
        self.done(call("freeze", model.path, "-o", as_meta))
        meta = graphs.parse(tf1.MetaGraphDef, as_meta)
        self.assertEqual(graphs.read_graph(path), meta.graph_def)
        row.update(nodes=len(meta.graph_def.node), functions=len(meta.graph_def.library.function),
                   constants=len(answer.report["converted"]))
        feeds, outputs, reason = reference(model)
        if feeds is None:
            row["verdict"] = f"frozen; TensorFlow does not run the model itself: {reason}"
            self.skipTest(f"TensorFlow does not run the model itself: {reason}")
        signature = signature_of(meta)
        self.assertEqual(sorted(signature.outputs), sorted(signature_of(meta_graph(model)).outputs))
        with tf1.Session(graph=graphs.imported(meta.graph_def), config=graphs.config()) as session:
            run_table_initializers(session, meta, model)
            found = [run_signature(session, signature, feed) for feed in feeds]
        for before, after in zip(outputs, found):
            self.assertEqual(before.keys(), after.keys())
            for key in before:
                self.assertEqual(before[key][:2], after[key][:2], f"{key} after {answer.line}")
                self.assertTrue(before[key] == after[key], f"{key} has other bits after {answer.line}")
        row["verdict"] = "bit for bit"

    @for_each([model for model in MODELS])
    def test_inputs_and_outputs_carry_the_signature_s_names(self, model):
        self.frozen(model)
        before = signature_of(meta_graph(model))
        calls = {node.name for node in meta_graph(model).graph_def.node if node.op.endswith("PartitionedCall")}
        if not any(graphs.base(info.name) in calls for info in before.outputs.values()):
            self.skipTest("the signature's outputs are plain nodes")
        _, path = frozen(model)
        names = {node.name: node.op for node in graphs.read_graph(path).node}
        for key, info in before.outputs.items():
            self.assertEqual(names.get(legal(key)), "Identity", key)
        for key in before.inputs:
            self.assertIn(names.get(legal(key)), ("Placeholder", None), key)

    def test_zz_the_table(self):
        """Last by its name in the class: prints what was found."""
        frozen_ones = sum(row["verdict"] == "bit for bit" for row in ROWS.values())
        NOTES.append(f"SavedModels frozen and equal bit for bit: {frozen_ones} of {len(ROWS)}")
        for name, row in sorted(ROWS.items()):
            NOTES.append(f"  {name[-75:]:75} {row.get('nodes', '-'):>6} nodes {row.get('constants', '-'):>4} frozen "
                         f"{row.get('functions', '-'):>3} functions  {row['verdict']}")


def legal(key):
    return "".join(c if c.isalnum() or c in "_.-/" else "_" for c in key)


def run_table_initializers(session, meta, model):
    """What a frozen graph with tables says must run first, with the paths of its assets."""
    ops = [name for name in meta.collection_def["table_initializer"].node_list.value] if (
        "table_initializer" in meta.collection_def) else []
    assets = {asset.tensor_info.name: os.path.join(model.path, "assets", asset.filename) for asset in meta.asset_file_def}
    known = {op.name for op in session.graph.get_operations()}
    session.run(ops, {name: path for name, path in assets.items() if graphs.base(name) in known})
