"""Checkpoints in several data files and of the first version: TensorFlow restores them bit for bit, and saves them again."""

import glob
import os

import graphs
import numpy
from cases import WITH_WEIGHTS
from graphs import tf
from program import call
from suite import Suite, expanded, folder, for_each, values


def read_all(where):
    """The bytes of the files of a folder."""
    held = {}
    for name in sorted(os.listdir(where)):
        with open(os.path.join(where, name), "rb") as file:
            held[name] = file.read()
    return held


def bits(arrays):
    return {name: graphs.bits(value) for name, value in arrays.items()}


@expanded
class Checkpoints(Suite):
    @for_each(WITH_WEIGHTS)
    def test_data_in_several_files_is_restored_bit_for_bit(self, case):
        made = []
        for run in ("first", "second"):
            where = folder("shards", case.name, run)
            prefix = os.path.join(where, "out.ckpt")
            whole = sum(numpy.asarray(value).nbytes for value in values(case).values())  # a string alone is bytes
            self.done(call("convert", case.path, "-o", prefix, "--shard-size", max(whole // 3, 1)))
            made.append(read_all(where))
        self.assertTrue(made[0] == made[1], "other bytes from the same input")
        if len(values(case)) > 3:
            self.assertIn("out.ckpt.data-00001-of-0", " ".join(made[0]))
        self.same(bits(graphs.variable_values(prefix + ".meta", prefix)), bits(values(case)))

    @for_each(WITH_WEIGHTS)
    def test_the_first_version_is_restored_bit_for_bit_and_saved_again(self, case):
        where = folder("first version", case.name)
        prefix = os.path.join(where, "out.ckpt")
        answer = call("convert", case.path, "-o", prefix, "--as", "checkpoint-v1")
        if "unsupported-dtype" in answer.codes():
            self.refused(answer, where)
            self.assertIn("--as checkpoint", answer.report["diagnostics"][-1]["fix"])
            return
        self.done(answer)
        self.assertEqual(sorted(os.listdir(where)), ["out.ckpt", "out.ckpt.meta"])
        session, saver = graphs.restored(prefix + ".meta", prefix)
        with session:
            found = graphs.values_in(session)
            again = saver.save(session, os.path.join(folder("v1 again", case.name), "again.ckpt"), write_state=False)
        self.same(bits(found), bits(values(case)), answer)
        self.assertEqual(graphs.parse(graphs.tf1.MetaGraphDef, prefix + ".meta").saver_def.version, 1)
        tables = glob.glob(glob.escape(again).replace("[?]", "?"))  # of a sharded saver, a pattern
        self.assertTrue(tables and not os.path.exists(again + ".index"), again)
        meta = again.removesuffix("-?????-of-00002") + ".meta"
        self.same(bits(graphs.variable_values(meta, again)), bits(values(case)), answer)

    @for_each(WITH_WEIGHTS)
    def test_the_first_version_in_several_tables_is_restored_bit_for_bit(self, case):
        where = folder("v1 tables", case.name)
        prefix = os.path.join(where, "out.ckpt")
        whole = sum(numpy.asarray(value).nbytes for value in values(case).values())
        answer = call("convert", case.path, "-o", prefix, "--as", "checkpoint-v1", "--shard-size", max(whole // 3, 1))
        if "unsupported-dtype" in answer.codes():
            self.refused(answer, where)
            return
        self.done(answer)
        count = len(os.listdir(where)) - 1
        pattern = f"-?????-of-{count:05}" if count > 1 else ""
        self.assertEqual(len(glob.glob(prefix + pattern)), count, os.listdir(where))
        if len(values(case)) > 3:
            self.assertGreater(count, 1)
        self.same(bits(graphs.variable_values(prefix + ".meta", prefix + pattern)), bits(values(case)), answer)
        opened = call("inspect", prefix)
        self.done(opened)
        self.assertEqual(
            call("inspect", case.path).report["variables"]["missing"], opened.report["variables"]["missing"], opened
        )
        self.assertEqual(len(opened.report["files"]), count + 1, opened)

    @for_each(WITH_WEIGHTS)
    def test_the_first_version_becomes_the_second_again(self, case):
        first, second = (os.path.join(folder("v1 and back", case.name, name), "out.ckpt") for name in ("one", "two"))
        answer = call("convert", case.path, "-o", first, "--as", "checkpoint-v1")
        if answer.status != 0:
            self.skipTest("not to be had in the first version")
        self.done(call("convert", first + ".meta", "-o", second))
        self.assertTrue(os.path.exists(second + ".index"))
        self.same(bits(graphs.variable_values(second + ".meta", second)), bits(values(case)))

    def test_tensorflows_reader_lists_and_reads_the_first_version(self):
        case = next(case for case in WITH_WEIGHTS if case.name == "ref")
        prefix = os.path.join(folder("first version", "reader"), "out.ckpt")
        self.done(call("convert", case.path, "-o", prefix, "--as", "checkpoint-v1"))
        theirs, ours = tf.train.load_checkpoint(case.prefix), tf.train.load_checkpoint(prefix)
        names = sorted(ours.get_variable_to_shape_map())
        self.assertTrue(names)
        for name in names:
            self.assertEqual(graphs.bits(ours.get_tensor(name)), graphs.bits(theirs.get_tensor(name)))
