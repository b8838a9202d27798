"""The record that freezing leaves on constants: TensorFlow does not see it, and by it un-freezing gives back what the variables were."""

import functools
import os

import graphs
from cases import WITH_WEIGHTS
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, feeds, folder, for_each, frozen, reference, values
from tensorflow.core.framework import variable_pb2

COLLECTIONS = ("variables", "trainable_variables", "local_variables", "model_variables", "moving_average_variables")
MOST_BYTES = 80  # for a variable, without unusual slices and collections


@functools.lru_cache(None)
def unfrozen(case):
    prefix = os.path.join(folder(case.name, "by record"), "model.ckpt")
    return call("unfreeze", frozen(case)[1], "-o", prefix), prefix


def constants(answer):
    return {row["name"] for row in answer.report["converted"] if row["to"] == "Const"}


def definitions(meta, names):
    """collection -> variable -> its part of a partitioned one; of those variables alone"""
    found = {}
    for key in COLLECTIONS:
        for value in meta.collection_def[key].bytes_list.value if key in meta.collection_def else []:
            variable = variable_pb2.VariableDef.FromString(value)
            if graphs.base(variable.variable_name) in names:
                part = variable.save_slice_info_def
                found.setdefault(key, {})[graphs.base(variable.variable_name)] = (
                    list(part.full_shape),
                    list(part.var_offset),
                    list(part.var_shape),
                    part.full_name,
                )
    return found


@expanded
class Record(Suite):
    def frozen(self, case):
        answer, path = frozen(case)
        if answer.status != 0 or not constants(answer):
            self.skipTest("was not frozen")
        return answer, path

    def unfrozen(self, case):
        freezing, _ = self.frozen(case)
        answer, prefix = unfrozen(case)
        self.done(answer)
        return constants(freezing), answer, prefix

    @for_each(WITH_WEIGHTS)
    def test_each_constant_that_was_a_variable_has_one_and_it_is_small(self, case):
        answer, path = self.frozen(case)
        graph, names = graphs.read_graph(path), constants(answer)
        self.assertEqual({node.name for node in graph.node if graphs.RECORD in node.attr}, names, answer.line)
        bare = os.path.join(folder(case.name), "no record.pb")
        self.done(call("freeze", case.path, "-o", bare, "--outputs", ",".join(case.outputs), "--no-record"))
        more = sum(len(word) for node in graph.node for word in node.attr[graphs.RECORD].list.s if b"=" in word)
        self.assertLess(os.path.getsize(path) - os.path.getsize(bare) - more, MOST_BYTES * len(names), answer.line)
        for node in graph.node:
            node.attr.pop(graphs.RECORD, None)
        self.assertTrue(graph == graphs.read_graph(bare), answer.line)

    @for_each(WITH_WEIGHTS)
    def test_tensorflow_optimises_and_runs_a_graph_that_has_it(self, case):
        answer, path = self.frozen(case)
        usual = tf1.ConfigProto(device_count={"CPU": 2}, allow_soft_placement=True)
        with tf1.Session(graph=graphs.imported(graphs.read_graph(path)), config=usual) as session:
            fetches = graphs.fetches_of(session.graph, case.outputs)
            for feed, before in zip(feeds(case), reference(case)):
                try:
                    after = session.run(fetches, feed)
                except tf.errors.OpError as error:
                    self.fail(f"{error.message} after {answer.line}")
                self.assertEqual(
                    {name: graphs.bits(value)[:2] for name, value in after.items()},
                    {name: bits[:2] for name, bits in before.items()},
                    answer.line,
                )

    @for_each(WITH_WEIGHTS)
    def test_unfreezing_gives_back_the_kinds_collections_and_partitions(self, case):
        names, answer, prefix = self.unfrozen(case)
        before, after = (graphs.parse(tf1.MetaGraphDef, path) for path in (case.meta, prefix + ".meta"))
        ops = [
            {node.name: node.op for node in meta.graph_def.node if node.op in graphs.VARIABLE_OPS}
            for meta in (before, after)
        ]
        self.assertEqual(ops[1], {name: ops[0][name] for name in names}, answer.line)
        was, now = definitions(before, names), definitions(after, names)
        listed = {name for variables in was.values() for name in variables}
        self.assertEqual(
            {
                key: {name: part for name, part in parts.items() if name in listed}
                for key, parts in now.items()
                if key in was
            },
            was,
            answer.line,
        )

    @for_each(WITH_WEIGHTS)
    def test_tensorflow_restores_it_and_computes_the_same_bits(self, case):
        names, answer, prefix = self.unfrozen(case)
        session, saver = graphs.restored(prefix + ".meta", prefix)
        with session:
            self.same_outputs(reference(case), graphs.run_outputs(session, case, feeds(case)), answer.line)
            self.same(
                {name: graphs.bits(value) for name, value in graphs.values_in(session).items()},
                {name: graphs.bits(values(case)[name]) for name in names},
                answer.line,
            )
            again = saver.save(session, os.path.join(folder(case.name, "by record"), "again.ckpt"))
        mine, theirs = tf.train.load_checkpoint(prefix), tf.train.load_checkpoint(again)
        self.assertEqual(mine.get_variable_to_shape_map(), theirs.get_variable_to_shape_map(), answer.line)

    @for_each(WITH_WEIGHTS)
    def test_freezing_it_again_gives_the_same_file(self, case):
        names, answer, prefix = self.unfrozen(case)
        again = os.path.join(folder(case.name, "by record"), "again.pb")
        self.done(call("freeze", prefix + ".meta", "-o", again, "--force", "--outputs", ",".join(case.outputs)))
        mine, theirs = (
            {node.name: graphs.plain(node, record=True) for node in graphs.read_graph(path).node}
            for path in (again, frozen(case)[1])
        )
        self.same(mine, theirs, answer.line)
