"""Every model of the corpus, opened and written in its own format: TensorFlow reads the same from the result as from
the original files.

Each file of the corpus belongs to one row of the table at the end of a run: a model, with the comparisons made; or
a file that is not a model, with the program's name for it.
"""

import filecmp
import json
import os

import corpus
import graphs
import test_tfjs
from cases import CORPUS
from google.protobuf import text_format
from graphs import tf, tf1
from program import call
from suite import CORPUS_ROWS, Suite, expanded, folder, for_each
from tensorflow.python.training import checkpoint_state_pb2

OBJECTS = "_CHECKPOINTABLE_OBJECT_GRAPH"


def files_below(top):
    return sorted(os.path.relpath(os.path.join(at, name), top) for at, _, names in os.walk(top) for name in names)


def counts(graph):
    """Returns the counts that inspect has to print."""
    return len(graph.node), sum(node.op in graphs.VARIABLE_OPS for node in graph.node)


def tensors_of(prefix):
    """{name: bits} of all that TensorFlow's reader lists."""
    reader = tf.train.load_checkpoint(prefix)
    return {name: graphs.bits(reader.get_tensor(name)) for name in reader.get_variable_to_shape_map()}


def shards_of(model):
    """Returns how many files make the checkpoint whole, with its .meta: the names of its shards say it. An index has at least one."""
    shards = [int(name.rsplit("-of-", 1)[1]) for name in model.files if "-of-" in name]
    has_index = any(name.endswith(".index") for name in model.files)
    return (shards[0] if shards else has_index) + sum("-of-" not in name for name in model.files)


@expanded
class Corpus(Suite):
    def test_every_file_belongs_to_one_model(self):
        on_disk = {name for name in files_below(CORPUS)} - {"FILES.tsv", "README.md"} if corpus.HAS_CORPUS else set()
        told = [name for model in corpus.MODELS for name in model.files]
        self.assertEqual(sorted(told), sorted(set(told)))
        self.assertEqual(set(told), on_disk)

    @for_each(corpus.MODELS)
    def test_written_in_its_own_form_it_is_the_same(self, model):
        row = CORPUS_ROWS[model.name] = {
            "kind": "?",
            "nodes": 0,
            "variables": 0,
            "bytes": model.bytes,
            "files": len(model.files),
            "verdict": "FAILED",
        }
        try:
            judge = getattr(self, model.form.split()[0].replace("-", "_") + "_is_the_same")
            row["verdict"] = judge(model, row)
        except BaseException as error:
            row["verdict"] = "FAILED: " + (str(error).splitlines() or [type(error).__name__])[0][:150]
            raise

    def inspected(self, model, row, path=None):
        """The report of inspect, of what must open; its row says it."""
        answer = call("inspect", path or model.path)
        self.done(answer)
        report = answer.report
        row.update(kind=report["kind"], nodes=report["nodes"], variables=report["variables"]["count"])
        return report

    def written(self, model, name, *options, path=None):
        """Returns the path that convert has written the model to: `name` in a folder of its own."""
        out = os.path.join(folder("corpus", model.name), name)
        self.done(call("convert", path or model.path, "-o", out, *options))
        return out

    def file_is_the_same(self, model, row):
        graph = corpus.graph_of(model.path)
        if graph is not None:
            report = self.inspected(model, row)
            self.assertEqual(
                (report["kind"], report["nodes"], report["variables"]["count"]), ("graph-def", *counts(graph))
            )
            if not corpus.is_text(model.path):
                return self.same_file(model.path, self.written(model, "out.pb"))
            out = self.written(model, "out.pbtxt")
            with open(out, encoding="ascii") as file:
                self.assertEqual(graph, text_format.Parse(file.read(), tf1.GraphDef()))
            return "equal message"
        if corpus.saved_model_of(model.path) is not None:
            return self.saved_model_is_the_same(model, row)
        return self.is_named(model, row)

    def is_named(self, model, row):
        """TensorFlow finds no model in the file: nor does the program, and says what to do."""
        answer = call("inspect", model.path)
        self.refused(answer)
        last = answer.report["diagnostics"][-1]
        self.assertTrue(last["fix"] and last["message"], answer)
        row["kind"] = "-"
        return f"no model: {last['message'].removesuffix(', which is no TensorFlow model')}"

    def tflite_is_the_same(self, model, row):
        """The file has no graph of TensorFlow: as text and in bytes it becomes one graph."""
        self.inspected(model, row)
        self.assertEqual("tflite", row["kind"])
        with open(self.written(model, "out.pbtxt"), encoding="ascii") as file:
            text = text_format.Parse(file.read(), tf1.GraphDef())
        self.assertEqual(text, graphs.read_graph(self.written(model, "out.pb")))
        self.assertEqual(row["nodes"], len(text.node))
        return "one graph in both forms"

    def same_file(self, expected, found):
        self.assertTrue(filecmp.cmp(expected, found, shallow=False), f"{found} has other bytes than {expected}")
        return "same bytes"

    def meta_is_the_same(self, model, row):
        path = model.path if model.path.endswith(".meta") else model.path + ".meta"
        report = self.inspected(model, row, path)
        graph = graphs.parse(tf1.MetaGraphDef, path).graph_def
        self.assertEqual(
            (report["kind"], report["nodes"], report["variables"]["count"]), ("meta-graph", *counts(graph))
        )
        said = self.same_file(path, self.written(model, "graph.meta", "--as", "meta", path=path))
        return f"{said}; {self.same_tensors(model)}" if "checkpoint" in model.form else said

    def checkpoint_is_the_same(self, model, row):
        report = self.inspected(model, row)
        said = self.same_tensors(model)
        held = [value for name, value in tensors_of(model.path).items() if name != OBJECTS]
        self.assertEqual((report["kind"], report["variables"]["count"]), ("checkpoint", len(held)))
        if not any(kind == "object" for kind, _, _ in held):  # of strings, TensorFlow tells no bytes
            self.assertEqual(report["variables"]["bytes"], sum(len(data) for _, _, data in held))
        return said

    checkpoint_v1_is_the_same = checkpoint_is_the_same

    def same_tensors(self, model):
        """Checks the checkpoint without its .meta, so that it is read whole: every tensor that TensorFlow reads, bit
        for bit.
        """
        alone = folder("corpus", model.name, "alone")
        for name in model.files:
            if not name.endswith(".meta"):
                os.symlink(os.path.join(CORPUS, name), os.path.join(alone, os.path.basename(name)))
        given = os.path.join(alone, os.path.basename(model.path))
        if len(model.files) < shards_of(model):
            answer = call("convert", given, "-o", given + ".again", "--as", "checkpoint")
            self.refused(answer)
            self.assertRaises(tf.errors.OpError, tensors_of, model.path)
            return f"refused, as TensorFlow refuses it: {answer.codes()[-1]}"
        first = model.form.endswith("v1")
        out = self.written(model, "out.ckpt", "--as", "checkpoint-v1" if first else "checkpoint", path=given)
        expected = tensors_of(model.path)
        self.assertTrue(expected)
        self.same(tensors_of(out), expected)
        return f"{len(expected)} tensors bit for bit"

    def saved_model_is_the_same(self, model, row):
        of_text = not os.path.exists(os.path.join(model.path, "saved_model.pb")) and not model.path.endswith(".pb")
        name = "saved_model.pbtxt" if of_text else "saved_model.pb"
        source = os.path.join(model.path, name) if os.path.isdir(model.path) else model.path
        expected = corpus.saved_model_of(source)
        self.assertIsNotNone(expected)
        options = (
            ["--tag", ",".join(expected.meta_graphs[0].meta_info_def.tags)] if len(expected.meta_graphs) > 1 else []
        )
        answer = call("inspect", model.path, *options)
        self.done(answer)
        report = answer.report
        row.update(kind=report["kind"], nodes=report["nodes"], variables=report["variables"]["count"])
        self.assertEqual(
            (report["kind"], report["nodes"]), ("saved-model", len(expected.meta_graphs[0].graph_def.node))
        )
        out = self.written(model, "again/", "--as", "savedmodel-pbtxt" if of_text else "savedmodel", *options)
        if of_text:
            self.assertEqual(expected, corpus.saved_model_of(os.path.join(out, name)))
            said = "equal message"
        else:
            said = self.same_file(source, os.path.join(out, name))
        return said + (self.same_beside(model, out, name) if os.path.isdir(model.path) else "")

    def same_beside(self, model, out, graph):
        """Assets as they are, all files that are written as they were, and variables as TensorFlow's reader reads them."""
        for name in files_below(model.path):
            if name.startswith(("assets/", "variables/")):
                self.assertTrue(os.path.exists(os.path.join(out, name)), name)
        for name in files_below(out):
            if name != graph:
                self.same_file(os.path.join(model.path, name), os.path.join(out, name))
        prefix = os.path.join("variables", "variables")
        if not os.path.exists(os.path.join(model.path, prefix + ".index")):
            return ""
        expected = tensors_of(os.path.join(model.path, prefix))
        self.same(tensors_of(os.path.join(out, prefix)), expected)
        return f"; {len(expected)} tensors bit for bit"

    def tfjs_is_the_same(self, model, row):
        report = self.inspected(model, row)
        out = self.written(model, "model.json")
        found, weights = test_tfjs.read_model(out)
        expected, held = self.tfjs_model(model)
        self.assertEqual((report["kind"], report["nodes"]), ("tfjs-graph-model", len(expected.node)))
        for graph in (found, expected):
            graph.library.SetInParent()  # an empty one says nothing
        self.assertEqual(test_tfjs.without_values(found), test_tfjs.without_values(expected))
        self.same(
            {name: graphs.bits(value) for name, value in weights.items()},
            {name: graphs.bits(value) for name, value in held.items()},
        )
        return f"equal message; {len(held)} weights bit for bit"

    def tfjs_model(self, model):
        if os.path.exists(os.path.join(model.path, "model.json")):
            return test_tfjs.read_model(os.path.join(model.path, "model.json"))
        with open(os.path.join(model.path, "weights_manifest.json"), encoding="utf-8") as file:
            weights = test_tfjs.read_weights(model.path, json.load(file))
        return graphs.parse(tf1.GraphDef, os.path.join(model.path, "tensorflowjs_model.pb")), weights

    def state_is_the_same(self, model, row):
        """A `checkpoint` file: what it names is opened, or named as missing."""
        state = corpus.text_of(model.path, checkpoint_state_pb2.CheckpointState)
        latest = os.path.basename(state.model_checkpoint_path)
        beside = os.path.join(os.path.dirname(model.path), latest)
        if not any(os.path.exists(beside + ending) for ending in ("", ".index")):
            answer = call("inspect", model.path)
            self.refused(answer)
            self.assertIn(latest, str(answer))
            row["kind"] = "-"
            return f"refused: {answer.codes()[-1]}, {latest} is not there"
        report = self.inspected(model, row)
        self.assertIn(beside, [one["path"].removesuffix(".index") for one in report["files"]])
        return f"opens {latest}"
