"""Checks --like-tensorflow, byte for byte, with every model that TensorFlow's own freeze_graph and extract_sub_graph
accept, run here for comparison.
"""

import glob
import hashlib
import os

import graphs
import kept
import like_programs
from cases import CASES, CORPUS, DATA, HAS_CORPUS, corpus_files
from graphs import tf1
from program import call
from suite import NOTES, Suite, expanded, folder, for_each
from tensorflow.python.tools import freeze_graph
from test_freeze import counted_from_zero
from test_freeze_saved_models import folders, meta_graph_of

COUNTS = {}  # kind -> [equal, of all that TensorFlow writes, refused by both, written by us alone, random in TensorFlow]


class Like:
    """A model, and the nodes that its graph is to end at."""

    def __init__(self, kind, name, path, outputs, prefix="", tags="", graph=None):
        self.kind, self.name, self.path, self.prefix, self.tags = kind, name, path, prefix, tags
        self.outputs, self.graph = [graphs.base(each) for each in outputs], graph or path

    def __repr__(self):
        return self.name


def sinks(graph_def):
    """Nodes that nobody takes: all of a training graph, with its saver and its optimizer."""
    taken = {graphs.base(name) for node in graph_def.node for name in node.input}
    return [node.name for node in graph_def.node if node.name not in taken]


def metas():
    """(name, path, outputs, prefix) of every .meta with a checkpoint."""
    known = set()
    for case in CASES:
        if case.meta and not case.weightless and not case.graphless:
            known.add(case.meta)
            yield case.name, case.path, case.outputs, case.prefix, case.meta
    for path in corpus_files(".meta") if HAS_CORPUS else []:
        prefix = path.removesuffix(".meta")
        if path not in known and (os.path.exists(prefix) or os.path.exists(prefix + ".index")):
            yield "corpus " + os.path.relpath(path, CORPUS), path, [], prefix, path


def freezes():
    for name, path, outputs, prefix, meta in metas():
        kind = "the corpus" if name.startswith("corpus") else "fixtures"
        if outputs:
            yield Like(f"freeze of {kind}, to the outputs", name, path, outputs, prefix, graph=meta)
        yield Like(
            f"freeze of {kind}, to all ends",
            f"{name}, all of it",
            path,
            sinks(graphs.read_graph(meta)),
            prefix,
            graph=meta,
        )
    for path, name in folders():
        meta = meta_graph_of(path)[1]
        kind = (
            f"freeze of SavedModels of TensorFlow {1 if meta.meta_info_def.tensorflow_version.startswith('1.') else 2}"
        )
        for key, signature in sorted(meta.signature_def.items()):
            outputs = sorted({info.name for info in signature.outputs.values() if info.name})
            if outputs:
                yield Like(kind, f"{name} {key}", path, outputs, tags=",".join(meta.meta_info_def.tags))


def prunes():
    files = list(corpus_files(".meta", ".pb", ".pbtxt")) if HAS_CORPUS else []
    for path in [*(case.graph for case in CASES if not case.graphless), *files]:
        name = os.path.relpath(path, CORPUS if path in files else DATA)
        if os.path.getsize(path) > 5e6 or "saved_model" in os.path.basename(path):
            continue
        if os.path.exists(os.path.join(os.path.dirname(path), "weights_manifest.json")):
            continue  # a TensorFlow.js model, whose constants lie in other files: TensorFlow does not know those
        try:
            graph = graphs.read_graph(path)
        except Exception:  # not a GraphDef: a saved_model.pb under another name, a metagraph as text
            continue
        ends = sinks(graph)
        if ends:
            middle = graph.node[len(graph.node) // 2].name
            yield Like("prune", name, path, [middle, ends[-1]] if len(name) % 2 else [middle])


def freeze_graph_of(like, bare=False):
    meta = None if like.tags or bare else like.graph
    with tf1.Graph().as_default():
        return freeze_graph.freeze_graph(
            like.path if bare else "",
            "",
            True,
            like.prefix,
            ",".join(like.outputs),
            "",
            "",
            "",
            True,
            "",
            input_meta_graph=meta,
            input_saved_model_dir=like.path if like.tags else None,
            saved_model_tags=like.tags,
        )


def sub_graph_of(like):
    return tf1.graph_util.extract_sub_graph(graphs.read_graph(like.graph), like.outputs)


def written(like, theirs):
    """(the bytes that TensorFlow writes, why it writes none)"""
    try:
        return counted_from_zero(theirs(like)).SerializeToString(deterministic=True), ""
    except Exception as error:  # whatever TensorFlow says
        return b"", f"{type(error).__name__}: {str(error)[:200]}"


def written_of_originals(like, theirs):
    """Returns what written() returns, kept, of files that no test makes."""
    read = {like.path, like.graph, *glob.glob(glob.escape(like.prefix) + "*" if like.prefix else "")}
    return kept.answer((theirs.__name__, like.outputs, like.tags, kept.files(*sorted(read))), written, like, theirs)


@expanded
class LikeTensorFlow(Suite):
    def agrees(self, verb, like, theirs, *options, ask=written):
        """Ours is theirs byte for byte; where TensorFlow raises, ours refuses."""
        row = COUNTS.setdefault(like.kind, [0, 0, 0, 0, 0])
        path = os.path.join(folder("like", verb, hashlib.sha256(like.name.encode()).hexdigest()), "like.pb")
        answer = call(verb, like.path, "-o", path, "--outputs", ",".join(like.outputs), "--like-tensorflow", *options)
        expected, refusal = ask(like, theirs)
        if refusal:
            row[3 if answer.status == 0 else 2] += 1
            if answer.status == 0:
                self.skipTest(f"TensorFlow cannot, and we can: {refusal}")
            return
        row[1] += 1
        self.done(answer)
        with open(path, "rb") as file:
            found = file.read()
        same = found == expected
        if not same and written(like, theirs)[0] != expected:
            row[1], row[4] = row[1] - 1, row[4] + 1
            self.skipTest("TensorFlow writes something else each time: its init op draws the variables at random")
        row[0] += same
        if not same:
            ours, graph_def = tf1.GraphDef.FromString(found), tf1.GraphDef.FromString(expected)
            self.assertEqual([node.name for node in ours.node], [node.name for node in graph_def.node])
            self.same(
                {node.name: node for node in ours.node}, {node.name: node for node in graph_def.node}, answer.line
            )
            self.same(
                {one.signature.name: one for one in ours.library.function},
                {one.signature.name: one for one in graph_def.library.function},
                answer.line,
            )
        self.assertTrue(same, f"the same graph in other bytes: {answer.line}")

    @for_each(list(freezes()))
    def test_freeze_writes_the_bytes_of_freeze_graph(self, like):
        self.agrees("freeze", like, freeze_graph_of, ask=written_of_originals)

    @for_each(list(prunes()))
    def test_prune_writes_the_bytes_of_extract_sub_graph(self, like):
        self.agrees("prune", like, sub_graph_of, ask=written_of_originals)

    @for_each(sorted(like_programs.PROGRAMS))
    def test_freeze_of_a_program_writes_the_bytes_of_freeze_graph(self, name):
        path, prefix = like_programs.saved(name, folder("like", "programs", name))
        self.agrees("freeze", Like("freeze of programs", name, path, ["y"], prefix), freeze_graph_of)
        everything = sinks(graphs.read_graph(path))
        self.agrees(
            "freeze", Like("freeze of programs, to all ends", name + " all", path, everything, prefix), freeze_graph_of
        )

    @for_each([case for case in CASES if case.meta and case.outputs and not case.weightless and not case.graphless])
    def test_freeze_of_a_bare_graph_with_a_checkpoint_writes_the_bytes_of_freeze_graph(self, case):
        path = os.path.join(folder("like", "bare", case.name), "graph.pb")
        with open(path, "wb") as file:
            file.write(graphs.read_graph(case.meta).SerializeToString())
        like = Like("freeze of bare graphs with a checkpoint", case.name + " bare", path, case.outputs, case.prefix)
        self.agrees(
            "freeze",
            like,
            lambda one: freeze_graph_of(one, bare=True),
            "--checkpoint",
            case.prefix.partition("-?????-of-")[0],
        )

    def test_options_that_say_something_else_are_refused(self):
        path = os.path.join(folder("like", "refused"), "out")
        case = next(one for one in CASES if one.meta)
        for out, more in (
            (".pb", ["--inputs", case.inputs[0]]),
            (".pb", ["--as", "savedmodel"]),
            (".ckpt", []),
            (".json", []),
        ):
            answer = call(
                "freeze", case.path, "-o", path + out, "--outputs", case.outputs[0], "--like-tensorflow", *more
            )
            self.assertEqual(answer.status, 2, answer)

    @classmethod
    def tearDownClass(cls):
        rows = sorted(COUNTS.items())
        NOTES.append(
            f"like TensorFlow: {sum(row[0] for _, row in rows)} of {sum(row[1] for _, row in rows)} byte for byte"
        )
        NOTES.extend(
            f"    {same} of {written} {kind}; besides {refused} that neither takes, {beyond} that only we take, {random} "
            "that TensorFlow writes otherwise each time"
            for kind, (same, written, refused, beyond, random) in rows
        )
