"""The text format against the real google.protobuf.text_format: what is printed and what is read."""

import itertools
import math
import os
import struct

import cases
import corpus
import kept
from google.protobuf import descriptor_pool, text_format
from graphs import bits, tf1, values_in, variable_values
from parsed_text import meta_graphs_of_text
from program import call
from suite import Suite, expanded, folder, for_each
from tensorflow.core.protobuf import saved_model_pb2

LARGEST = 5_000_000


class CppPrinter(text_format._Printer):
    """Returns text as C++ prints it: numbers by %g with the fewer of two precisions that reads back; keys and values
    of maps also if they are the default; an Any verbatim; text escaped.
    """

    def __init__(self, out):
        super().__init__(
            out, as_utf8=False, descriptor_pool=descriptor_pool.DescriptorPool(), print_unknown_fields=True
        )

    def PrintMessage(self, message):
        if message.DESCRIPTOR.GetOptions().map_entry:
            for field in message.DESCRIPTOR.fields:
                self.PrintField(field, getattr(message, field.name))
        else:
            super().PrintMessage(message)

    def PrintFieldValue(self, field, value):
        if field.cpp_type == field.CPPTYPE_FLOAT:
            self.out.write(number(value, 6, 9, lambda read: struct.unpack("f", struct.pack("f", read))[0]))
        elif field.cpp_type == field.CPPTYPE_DOUBLE:
            self.out.write(number(value, 15, 17, float))
        else:
            super().PrintFieldValue(field, value)


def number(value, few, many, rounded):
    text = f"{value:.{few}g}"
    if not math.isfinite(value):
        return text
    tiny = few == 6 and 0 < abs(value) < 2.0**-126
    return text if not tiny and abs(float(text)) < 3.5e38 and rounded(float(text)) == value else f"{value:.{many}g}"


def printed(message):
    return kept.answer((message.DESCRIPTOR.full_name, canonical(message)), print_message, message)


def print_message(message):
    out = text_format.TextWriter(as_utf8=False)
    CppPrinter(out).PrintMessage(message)
    return out.getvalue()


def graph_in(text):
    """Returns the text of the graph in that of a MetaGraphDef."""
    lines = text.splitlines(keepends=True)
    start = lines.index("graph_def {\n") + 1
    return "".join(line[2:] for line in lines[start : lines.index("}\n", start)])


class File:
    """A file, with a short name."""

    def __init__(self, path):
        self.path = path
        top = cases.CORPUS if path.startswith(cases.CORPUS) else cases.ROOT
        self.name = os.path.relpath(path, top)

    def __repr__(self):
        return self.name

    def bytes(self):
        with open(self.path, "rb") as file:
            return file.read()


def files(*endings):
    for top in [cases.DATA, os.path.join(cases.ROOT, "web/samples"), cases.CORPUS]:
        for where, _, names in sorted(os.walk(top)):
            for name in sorted(names):
                path = os.path.join(where, name)
                # That file is opened with the weights next to it, as the TensorFlow.js model it is.
                if name == "tensorflowjs_model.pb":
                    continue
                if path.endswith(endings) and os.path.getsize(path) < LARGEST:
                    yield File(path)


def graph_def_of(data, parse):
    try:
        return parse(data)
    except Exception:  # each of protobuf's implementations has its own
        return None


# Other messages are called .pb, too: a GraphDef has nodes.
GRAPHS = [
    file
    for file in files(".pb")
    if os.path.basename(file.path)
    not in ("saved_model.pb", "fingerprint.pb", "keras_metadata.pb", "saved_model_config.pb")
]


def canonical(message):
    return message.SerializeToString(deterministic=True)


def difference(text, expected):
    """The first line in which two texts differ; None where they are equal."""
    if text == expected:
        return None
    pairs = itertools.zip_longest(text.splitlines(), expected.splitlines())
    return next(((at, *pair) for at, pair in enumerate(pairs, 1) if pair[0] != pair[1]), "the end of the last line")


@expanded
class Text(Suite):
    @for_each(GRAPHS)
    def test_a_graph_is_printed_as_libprotobuf_prints_it(self, file):
        graph = graph_def_of(file.bytes(), tf1.GraphDef.FromString)
        if graph is None or not graph.node:
            self.skipTest("no GraphDef")
        text, back = (os.path.join(folder("text", file.name), name) for name in ("graph.pbtxt", "back.pb"))
        self.done(call("convert", file.path, "-o", text))
        self.assertIsNone(difference(File(text).bytes().decode("ascii"), printed(graph)))
        self.done(call("convert", text, "-o", back))
        self.assertTrue(canonical(graph) == canonical(tf1.GraphDef.FromString(File(back).bytes())))

    @for_each(files(".meta"))
    def test_a_meta_graph_is_printed_as_libprotobuf_prints_it(self, file):
        meta = graph_def_of(file.bytes(), tf1.MetaGraphDef.FromString)
        graph, text, back = (
            os.path.join(folder("text", file.name), name) for name in ("graph.pbtxt", "all.meta.pbtxt", "back.meta")
        )
        self.done(call("convert", file.path, "-o", graph))
        expected = printed(meta)
        self.assertIsNone(difference(File(graph).bytes().decode("ascii"), graph_in(expected)))
        self.done(call("convert", file.path, "-o", text))
        self.assertIsNone(difference(File(text).bytes().decode("ascii"), expected))
        [read] = meta_graphs_of_text(b"meta_graphs {\n%s}" % File(text).bytes())
        self.assertTrue(canonical(read) == canonical(meta))
        self.done(call("convert", text, "-o", back))
        self.assertTrue(canonical(tf1.MetaGraphDef.FromString(File(back).bytes())) == canonical(meta))

    @for_each([file for file in files("/saved_model.pb") if "extras" not in file.name])
    def test_a_saved_model_is_printed_as_libprotobuf_prints_it(self, file):
        model = graph_def_of(file.bytes(), saved_model_pb2.SavedModel.FromString)
        if model is None or not model.meta_graphs:
            self.skipTest("no SavedModel")
        where = folder("text", file.name)
        tags = [part for tag in model.meta_graphs[0].meta_info_def.tags for part in ("--tag", tag)]
        text, back = os.path.join(where, "text", "saved_model.pbtxt"), os.path.join(where, "back/")
        self.done(call("convert", os.path.dirname(file.path), "-o", text, *tags))
        self.assertIsNone(difference(File(text).bytes().decode("ascii"), printed(model)))
        read = meta_graphs_of_text(File(text).bytes())
        self.assertEqual([canonical(each) for each in read], [canonical(each) for each in model.meta_graphs])
        self.done(call("convert", os.path.dirname(text), "-o", back, *tags))
        self.assertTrue(
            canonical(saved_model_pb2.SavedModel.FromString(File(back + "saved_model.pb").bytes())) == canonical(model)
        )

    def test_tensorflow_loads_a_saved_model_of_text(self):
        source = os.path.join(cases.DATA, "resource/model.ckpt.meta")
        text = os.path.join(folder("text", "loaded", "text"), "saved_model.pbtxt")
        self.done(call("convert", source, "-o", text))
        with tf1.Graph().as_default(), tf1.Session() as session:
            tf1.saved_model.load(session, ["serve"], os.path.dirname(text))
            loaded = {name: bits(value) for name, value in values_in(session).items()}
        prefix = source.removesuffix(".meta")
        self.same(loaded, {name: bits(value) for name, value in variable_values(source, prefix).items()})

    @for_each(files(".pbtxt"))
    def test_text_is_read_as_libprotobuf_reads_it(self, file):
        graph = corpus.text_of(file.path)
        if graph is None:
            self.skipTest("text_format reads no GraphDef there")
        back = os.path.join(folder("text", file.name), "back.pb")
        self.done(call("convert", file.path, "-o", back))
        self.assertTrue(canonical(graph) == canonical(tf1.GraphDef.FromString(File(back).bytes())))
