"""Checkpoints that TensorFlow 2 saves by objects, and ones that few machines write: keys, names and values are those
TensorFlow finds.
"""

import os
import re
import struct
import sys

import graphs
import numpy as np
import tensorflow2
from cases import DATA
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, folder, for_each

sys.path.insert(0, DATA)
from fixtures import table  # noqa: E402  (the path comes first)
from tensorflow.core.framework import types_pb2  # noqa: E402
from tensorflow.core.protobuf import tensor_bundle_pb2, trackable_object_graph_pb2  # noqa: E402

NO_SAVER = os.path.join(DATA, "objects", "no_saver")
CHECKPOINT = os.path.join(DATA, "objects", "checkpoint", "model.ckpt-1")
KERAS = os.path.join(DATA, "objects", "keras", "model.ckpt-1")
KERAS_SAVED = os.path.join(DATA, "objects", "keras", "saved")
# In a process of its own, as TensorFlow 2 runs it: a session restores one of each variable's two, and not the one that is read.
RUN_KERAS = """
import sys
import numpy as np
import tensorflow as tf
tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
serve = tf.saved_model.load(sys.argv[1]).signatures["serving_default"]
x = np.random.RandomState(5).uniform(-1, 1, (7, 4)).astype(np.float32)
np.savez(sys.argv[2], x=x, y=serve(inputs=tf.constant(x))["output_0"].numpy())
"""
# Names of the trainable ones of the variables that its objects are.
TRAINABLE = """
import sys
import tensorflow as tf
from tensorflow.python.checkpoint.graph_view import ObjectGraphView
model = tf.saved_model.load(sys.argv[1])  # held: the view does not
objects, _ = ObjectGraphView(model).breadth_first_traversal()
print("\\n".join(one.name.removesuffix(":0") for one in objects if isinstance(one, tf.Variable) and one.trainable))
"""
# The signatures that TensorFlow 2 finds among its objects, and what "rows" returns.
RUN_ROWS = """
import sys
import tensorflow as tf
model = tf.saved_model.load(sys.argv[1])  # held: its signatures do not
returned = model.signatures["rows"](rows=tf.constant([1, 0, 2]))
print(sorted(model.signatures), sorted((name, value.numpy().tolist()) for name, value in returned.items()))
"""
SAVED = ["objects/keras/saved", "saved_models/counter", "saved_models/tables", "saved_models/loops"]
SUFFIX = "/.ATTRIBUTES/VARIABLE_VALUE"


def held_by(prefix):
    reader = tf.train.load_checkpoint(prefix)
    names = [name for name in reader.get_variable_to_shape_map() if name != "_CHECKPOINTABLE_OBJECT_GRAPH"]
    return {name: reader.get_tensor(name) for name in names}


class Objects(Suite):
    def test_a_signature_that_was_chosen_is_the_only_one_among_the_objects(self):
        original = os.path.join(DATA, "saved_models", "nested_calls")
        out = os.path.join(folder("objects"), "rows")
        self.done(call("convert", original, "-o", out + "/", "--force", "--signature", "rows"))
        both, rows = (tensorflow2.run_checked(RUN_ROWS, path).stdout for path in (original, out))
        self.assertIn("['rows', 'serving_default'] [('", both)
        self.assertEqual(both.replace(", 'serving_default'", ""), rows)

    def test_a_model_without_a_saver_computes_what_its_objects_do(self):
        out = os.path.join(folder("objects"), "frozen.pb")
        self.done(call("freeze", NO_SAVER, "-o", out, "--force"))
        graph = tf1.GraphDef.FromString(open(out, "rb").read())
        inputs = [node.name for node in graph.node if node.op == "Placeholder"]
        x = np.array([[1, 2], [-0.5, 0.25]], np.float32)
        with tf.Graph().as_default() as frozen, tf1.Session(graph=frozen) as session:
            tf.import_graph_def(graph, name="")
            y = session.run("y:0", {inputs[0] + ":0": x})
        held = held_by(os.path.join(NO_SAVER, "variables", "variables"))
        w, b, scale = (held[name + SUFFIX] for name in ("w", "b", "inner/w"))
        np.testing.assert_allclose(y, np.tanh(x @ w + b) * (x @ scale), rtol=1e-6)

    def test_a_checkpoint_made_of_it_restores_every_variable(self):
        prefix = os.path.join(folder("objects"), "made.ckpt")
        self.done(call("convert", NO_SAVER, "-o", prefix, "--force"))
        theirs = held_by(os.path.join(NO_SAVER, "variables", "variables"))
        ours = held_by(prefix)
        self.same(
            {name: value.tobytes() for name, value in ours.items()}, {name: theirs[name].tobytes() for name in ours}
        )
        self.assertEqual(6, len(ours))
        with tf.Graph().as_default() as graph, tf1.Session(graph=graph) as session:
            saver = tf1.train.import_meta_graph(prefix + ".meta")
            saver.restore(session, prefix)
            handle = graph.get_tensor_by_name("w:0")
            value = session.run(tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32))
        self.assertEqual(theirs["inner/w" + SUFFIX].tobytes(), value.tobytes())

    def test_a_checkpoint_alone_is_listed_with_the_names_its_variables_had(self):
        graph = trackable_object_graph_pb2.TrackableObjectGraph()
        graph.ParseFromString(tf.train.load_checkpoint(CHECKPOINT).get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH"))
        names = {
            one.checkpoint_key.removesuffix(SUFFIX): one.full_name for node in graph.nodes for one in node.attributes
        }
        slots = {
            graph.nodes[slot.slot_variable_node_id].attributes[0].checkpoint_key.removesuffix(SUFFIX)
            for node in graph.nodes
            for slot in node.slot_variables
        }
        answer = call("list", CHECKPOINT, "weights")
        self.done(answer)
        self.same({row["name"]: row["fullName"] for row in answer.report["weights"]}, names, answer)
        self.assertEqual(slots, {row["name"] for row in answer.report["weights"] if row.get("role") == "slot"}, answer)
        answer = call("inspect", CHECKPOINT)
        self.assertEqual(len(slots), answer.report["variables"]["slots"]["count"], answer)
        self.assertTrue(answer.report["lacks"], answer)

    def test_a_structure_takes_the_values_of_objects_by_their_names(self):
        out = os.path.join(folder("objects"), "structure.npz")
        answer = call(
            "weights",
            os.path.join(DATA, "objects", "checkpoint", "structure.pb"),
            "--checkpoint",
            CHECKPOINT,
            "-o",
            out,
            "--force",
        )
        self.assertEqual(answer.status, 0, answer)
        self.assertIn("unmatched-variables", answer.codes("warning"), answer)
        theirs, ours = held_by(CHECKPOINT), np.load(out)
        self.assertEqual(theirs["model/b" + SUFFIX].tobytes(), ours["b"].tobytes())
        self.assertEqual(theirs["model/spare/0" + SUFFIX].tobytes(), ours["spare"].tobytes())


@expanded
class Trainable(Suite):
    @for_each(SAVED)
    def test_variables_are_trainable_that_its_objects_call_so(self, name):
        path = os.path.join(DATA, name)
        told = tensorflow2.run_checked(TRAINABLE, path).stdout.split()
        rows = call("list", path, "weights").report["weights"]
        plain = [re.sub(r"_\d+$", "", row["name"]) for row in rows if row.get("trainable")]
        self.assertEqual(sorted(plain), sorted(told))


class Keras(Suite):
    """Keras 3 keeps its variables by objects alone: names are in the object graph, slots are variables of the optimizer."""

    def weights_of(self, path, *options):
        out = os.path.join(folder("keras"), "weights.npz")
        self.done(call("weights", path, "-o", out, "--force", *options))
        with np.load(out) as held:
            return {name: graphs.bits(held[name]) for name in held.files}

    def test_the_checkpoint_s_variables_have_their_names_and_slots_stand_apart(self):
        graph = trackable_object_graph_pb2.TrackableObjectGraph()
        graph.ParseFromString(tf.train.load_checkpoint(KERAS).get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH"))
        names = {
            one.checkpoint_key.removesuffix(SUFFIX): one.full_name for node in graph.nodes for one in node.attributes
        }
        slots = {name for name, full in names.items() if full.endswith("_momentum")}
        answer = call("list", KERAS, "weights")
        self.done(answer)
        self.same({row["name"]: row["fullName"] for row in answer.report["weights"]}, names, answer)
        self.assertEqual({row["name"] for row in answer.report["weights"] if row.get("role") == "slot"}, slots, answer)
        self.assertEqual(len(slots), 6)
        held = {name.removesuffix(SUFFIX): graphs.bits(value) for name, value in held_by(KERAS).items()}
        self.same(self.weights_of(KERAS), held)
        of_model = {name for name, full in names.items() if full.startswith("sequential/")}
        self.same(self.weights_of(KERAS, "--no-slots"), {name: held[name] for name in of_model})

    def test_the_saved_model_s_variables_are_those_of_its_objects(self):
        """Each has two handles, Keras' own and TensorFlow's, and one key of the checkpoint is for both: one weight."""
        held = tf.train.load_checkpoint(os.path.join(KERAS_SAVED, "variables", "variables"))
        graph = trackable_object_graph_pb2.TrackableObjectGraph.FromString(
            held.get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH")
        )
        values = {
            one.full_name: graphs.bits(held.get_tensor(one.checkpoint_key))
            for node in graph.nodes
            for one in node.attributes
        }
        report = call("inspect", KERAS_SAVED).report["variables"]
        self.assertEqual((report["count"], report["missing"], report["slots"]["count"]), (len(values), [], 6))
        self.same(self.weights_of(KERAS_SAVED), values)
        kept = self.weights_of(KERAS_SAVED, "--no-slots")
        self.assertEqual((len(kept), [name for name in kept if name.startswith("sgd/")]), (8, []))

    def test_frozen_it_computes_the_same_bits(self):
        frozen, wanted = (os.path.join(folder("keras"), name) for name in ("frozen.pb", "wanted.npz"))
        tensorflow2.run_checked(RUN_KERAS, KERAS_SAVED, wanted)
        self.done(call("freeze", KERAS_SAVED, "-o", frozen, "--force"))
        graph = graphs.read_graph(frozen)
        self.assertEqual([], [node.name for node in graph.node if node.op in graphs.STATE_OPS])
        with np.load(wanted) as told, tf1.Session(graph=graphs.imported(graph), config=graphs.config()) as session:
            found = session.run("output_0:0", {"inputs:0": told["x"]})
            self.assertEqual(graphs.bits(found), graphs.bits(told["y"]))


def strings_of(data, count):
    """(lengths, how many bytes they take)"""
    at, lengths = 0, []
    for _ in range(count):
        length, at = table.read_varint(data, at)
        lengths.append(length)
    return lengths, at


def big_endian(prefix, target):
    """The checkpoint as a big-endian machine would have written it."""
    data = open(prefix + ".data-00000-of-00001", "rb").read()
    out, entries = bytearray(data), []
    for key, value in table.read(open(prefix + ".index", "rb").read()):
        if not key:
            header = tensor_bundle_pb2.BundleHeaderProto.FromString(value)
            header.endianness = header.BIG
            entries.append((key, header.SerializeToString()))
            continue
        entry = tensor_bundle_pb2.BundleEntryProto.FromString(value)
        stored = data[entry.offset : entry.offset + entry.size]
        summed = None
        if entry.dtype == types_pb2.DT_STRING:
            count = int(np.prod([dim.size for dim in entry.shape.dim]))
            lengths, at = strings_of(stored, count)
            plain = b"".join(struct.pack(">I", length) for length in lengths)
            check = struct.pack(">I", table.masked(plain))
            stored = stored[:at] + check + stored[at + 4 :]
            summed = plain + check + stored[at + 4 :]
        else:
            kind = tf.dtypes.as_dtype(entry.dtype)
            width = kind.size // 2 if kind.is_complex else kind.size
            stored = b"".join(stored[i : i + width][::-1] for i in range(0, len(stored), width))
        entry.crc32c = table.masked(stored if summed is None else summed)
        out[entry.offset : entry.offset + entry.size] = stored
        entries.append((key, entry.SerializeToString()))
    with open(target + ".index", "wb") as file:
        file.write(table.write(entries, 4))
    with open(target + ".data-00000-of-00001", "wb") as file:
        file.write(out)


def plain(value):
    """Bits, or strings."""
    array = np.asarray(value)
    return array.tolist() if array.dtype.kind in "SO" else array.tobytes()


class BigEndian(Suite):
    def test_values_are_those_that_tensorflow_reads(self):
        for name, base in (("types", "model.ckpt"), ("types_keys", "keys"), ("types_resource", "model.ckpt")):
            prefix, target = os.path.join(DATA, name, base), os.path.join(folder("big", name), "model.ckpt")
            big_endian(prefix, target)
            answer = call("inspect", target + ".index", "--checksum")
            self.done(answer)
            again = target + "-little"
            self.done(call("convert", target + ".index", "-o", again, "--force"))
            ours, theirs = tf.train.load_checkpoint(again), tf.train.load_checkpoint(prefix)
            big = tf.train.load_checkpoint(target)
            for key in theirs.get_variable_to_shape_map():
                try:
                    wanted = theirs.get_tensor(key)
                except (RuntimeError, tf.errors.OpError):
                    continue  # types that NumPy has no name for
                self.assertEqual(plain(wanted), plain(ours.get_tensor(key)), key)
                try:
                    self.assertEqual(plain(wanted), plain(big.get_tensor(key)), key)
                except tf.errors.OpError as error:  # some types of one byte
                    self.assertIn("Byte-swapping not supported", str(error), key)
