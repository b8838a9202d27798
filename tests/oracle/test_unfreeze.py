"""unfreeze: TensorFlow restores the checkpoint, runs to the same bits, trains, saves, and freezes the model again."""

import functools
import os

import graphs
import numpy as np
from cases import FROZEN, WITH_WEIGHTS
from graphs import tf, tf1
from program import call
from suite import Suite, expanded, feeds, folder, for_each, frozen, original

LOOPS = {"Enter", "Merge", "RefEnter", "RefMerge"}  # gradients of these need contexts that a frozen graph does not hold
STYLES = {"ref": "VariableV2", "resource": "VarHandleOp"}


class Styled:
    """A case in one style of variables."""

    def __init__(self, case, style):
        self.case, self.style, self.corpus, self.name = case, style, case.corpus, case.name

    def __repr__(self):
        return f"{self.case} as {self.style}"


SOURCES = [case for case in WITH_WEIGHTS] + [
    case for case in FROZEN if case.name in ("frozen_convnet", "repeated_weights")
]
# Each kind of variable holds types that TensorFlow has no kernels for in the other.
ONE_STYLE = {"types": "ref", "types_resource": "resource", "types_v1": "ref"}
BOTH = [Styled(case, style) for case in SOURCES for style in STYLES if ONE_STYLE.get(case.name, style) == style]


@functools.lru_cache(None)
def source(case):
    """The frozen graph to start from: TensorFlow's own where there is one, else ours, which does not tell what was a variable."""
    return case.frozen or (case.path if not case.meta else frozen_without_record(case))


@functools.lru_cache(None)
def frozen_without_record(case):
    path = os.path.join(folder(case.name), "bare.pb")
    call("freeze", case.path, "-o", path, "--outputs", ",".join(case.outputs), "--no-record")
    return path


@functools.lru_cache(None)
def unfrozen(case, style):
    prefix = os.path.join(folder(case.name, style), "model.ckpt")
    return call("unfreeze", source(case), "-o", prefix, "--style", style), prefix


@functools.lru_cache(None)
def unfrozen_by_hand(case, style):
    """The same with the constants named that were variables: for the models whose weights are not found."""
    prefix = os.path.join(folder(case.name, style, "by hand"), "model.ckpt")
    names = sorted(set(consts(graphs.read_graph(source(case)))) & variables(case))
    return call("unfreeze", source(case), "-o", prefix, "--style", style, "--constants", ",".join(names)), prefix


def variables(case):
    return {node.name for node in original(case).node if node.op in graphs.VARIABLE_OPS}


@functools.lru_cache(None)
def before(case):
    """(frozen graph, its feeds, the bits it computes)"""
    graph = graphs.read_graph(source(case))
    given = [{name: value for name, value in feed.items()} for feed in feeds(case)]
    return graph, given, graphs.run_graph(graph, case, given)


def consts(graph_def):
    return {node.name: graphs.const_bits(node) for node in graph_def.node if node.op == "Const"}


@expanded
class Unfreeze(Suite):
    def unfrozen(self, styled):
        if styled.case.meta and not styled.case.frozen and frozen(styled.case)[0].status != 0:
            self.skipTest("was not frozen")
        answer, prefix = unfrozen(styled.case, styled.style)
        if answer.codes() == ["no-weights"]:  # the test of detection fails; the others go on
            answer, prefix = unfrozen_by_hand(styled.case, styled.style)
        self.done(answer)
        return answer, prefix

    @for_each(BOTH)
    def test_tensorflow_restores_it_and_computes_the_same_bits(self, styled):
        answer, prefix = self.unfrozen(styled)
        _, given, expected = before(styled.case)
        self.same_outputs(expected, graphs.run_restored(prefix + ".meta", prefix, styled.case, given), answer.line)

    @for_each(BOTH)
    def test_every_tensor_of_the_checkpoint_is_its_constant_bit_for_bit(self, styled):
        answer, prefix = self.unfrozen(styled)
        graph, _, _ = before(styled.case)
        constants = consts(graph)
        reader = tf.train.load_checkpoint(prefix)
        names = reader.get_variable_to_shape_map()
        self.assertTrue(names, answer)
        self.assertEqual(
            set(names), {row.get("to") if row.get("to") in names else row["name"] for row in answer.report["converted"]}
        )
        self.same(
            {name: graphs.bits(reader.get_tensor(name)) for name in names},
            {name: constants[name] for name in names},
            answer.line,
        )

    @for_each([styled for styled in BOTH if styled.case.meta])
    def test_what_was_a_variable_is_one_again_and_shapes_and_axes_are_not(self, styled):
        self.unfrozen(styled)
        answer, prefix = unfrozen(styled.case, styled.style)
        self.done(answer)
        graph, _, _ = before(styled.case)
        was = variables(styled.case)
        constants = {node.name: node for node in graph.node if node.op == "Const"}
        found = set(tf.train.load_checkpoint(prefix).get_variable_to_shape_map())
        self.assertEqual([], sorted((was & set(constants)) - found), f"not found as weights: {answer.line}")
        extra = found - was
        odd = [
            name
            for name in extra
            if tf.as_dtype(constants[name].attr["dtype"].type) not in graphs.FLOATING
            or not constants[name].attr["value"].tensor.tensor_shape.dim
        ]
        self.assertEqual([], odd, f"no weights: {answer.line}")

    @for_each(BOTH)
    def test_the_variables_are_of_the_asked_kind_and_in_their_collections(self, styled):
        answer, prefix = self.unfrozen(styled)
        meta = graphs.parse(tf1.MetaGraphDef, prefix + ".meta")
        kinds = {node.op for node in meta.graph_def.node if node.op in graphs.VARIABLE_OPS}
        self.assertEqual(kinds, {STYLES[styled.style]}, answer.line)
        held = set(tf.train.load_checkpoint(prefix).get_variable_to_shape_map())
        with tf1.Graph().as_default():
            tf1.train.import_meta_graph(meta)
            self.assertEqual({one.op.name for one in tf1.global_variables()}, held)
            floating = {one.op.name for one in tf1.global_variables() if one.dtype.base_dtype in graphs.FLOATING}
            trainable = {one.op.name for one in tf1.trainable_variables()}
            self.assertLessEqual(trainable, floating)
            self.assertTrue(trainable or not floating, "nothing is trainable")
            if styled.case.name == "batch_norm":
                self.assertEqual(trainable, {"kernel", "gamma", "beta"})
            with tf1.Session(config=graphs.config()) as session:
                session.run([one.initializer for one in tf1.global_variables()])
                for one in tf1.global_variables():
                    self.assertEqual(np.shape(session.run(one)), tuple(one.shape.as_list()), one.name)

    @for_each(BOTH)
    def test_a_step_of_training_changes_the_weights_and_the_loss_falls(self, styled):
        answer, prefix = self.unfrozen(styled)
        case, (graph, given, _) = styled.case, before(styled.case)
        if any(node.op in LOOPS for node in graph.node):
            self.skipTest("a V1 loop or branch has no gradient without its context")
        if graphs.reachable_functions(graph):
            self.skipTest("TensorFlow has no gradient for a function call that was imported")
        session, _ = graphs.restored(prefix + ".meta", prefix)
        with session, session.graph.as_default():
            outputs = [
                tensor
                for tensor in graphs.fetches_of(session.graph, case.outputs).values()
                if tensor.dtype in (tf.float32, tf.float64)
            ]
            trainable = tf1.trainable_variables()
            if not outputs or not trainable:
                self.skipTest("no output of floats")
            loss = tf.add_n([tf.cast(tf.reduce_mean(tf.square(tensor - 0.3)), tf.float32) for tensor in outputs])
            pairs = [
                (gradient, one)
                for gradient, one in zip(tf1.gradients(loss, trainable), trainable)
                if gradient is not None
            ]
            if not pairs:
                self.skipTest("no gradient reaches a weight")
            rate = tf1.placeholder(tf.float32, [])
            step = tf1.train.GradientDescentOptimizer(rate).apply_gradients(pairs)
            saver = tf1.train.Saver()
            names = {node.name for node in graph.node}
            feed = {name: value for name, value in given[0].items() if graphs.base(name) in names}
            feed.update(
                session.run(graphs.random_tensors(session.graph, names), feed)
            )  # else each run has other numbers
            first, start, slopes = session.run(
                [loss, [one for _, one in pairs], [gradient for gradient, _ in pairs]], feed
            )
            steep = sum(float(np.sum(np.square(getattr(slope, "values", slope)))) for slope in slopes)
            # The gain of a step, compared with a float's precision.
            if not np.isfinite(first) or not steep > 1e-6 * first:
                self.skipTest("the outputs do not depend on the weights there")
            for size in (0.1, 10, 1e-2, 1e-3, 1e-4, 1000):
                saver.restore(session, prefix)
                session.run(step, {**feed, rate: size})
                after, end = session.run([loss, [one for _, one in pairs]], feed)
                if after < first:
                    break
            self.assertLess(after, first, answer.line)
            self.assertTrue(any(np.any(one != two) for one, two in zip(start, end)))
            trained = {one.op.name: graphs.bits(value) for one, value in zip(trainable, session.run(trainable))}
            saved = saver.save(session, os.path.join(folder(case.name, styled.style, "trained"), "trained.ckpt"))
        again = graphs.variable_values(saved + ".meta", saved)
        self.same({name: graphs.bits(again[name]) for name in trained}, trained, "saving and restoring again")

    @for_each(BOTH)
    def test_tensorflow_freezes_it_again_to_the_same_constants(self, styled):
        from tensorflow.python.tools import freeze_graph

        answer, prefix = self.unfrozen(styled)
        case, (graph, given, expected) = styled.case, before(styled.case)
        if styled.case.name in ONE_STYLE:
            self.skipTest("TensorFlow's freeze_graph fails on a scalar string")
        tf1.reset_default_graph()
        again = freeze_graph.freeze_graph(
            "",
            "",
            True,
            prefix,
            ",".join(graphs.base(name) for name in case.outputs),
            "",
            "",
            "",
            False,
            "",
            input_meta_graph=prefix + ".meta",
        )
        need = graphs.needed(graph, case.outputs)
        self.same(
            {name: value for name, value in consts(again).items() if name in need},
            {name: value for name, value in consts(graph).items() if name in need},
            answer.line,
        )
        self.same_outputs(expected, graphs.run_graph(again, case, given), "freeze_graph of " + answer.line)

    @for_each(BOTH)
    def test_freezing_it_again_gives_the_graph_back(self, styled):
        answer, prefix = self.unfrozen(styled)
        case, (graph, _, _) = styled.case, before(styled.case)
        path = os.path.join(folder(case.name, styled.style), "back.pb")
        back = call("freeze", prefix + ".meta", "-o", path, "--force", "--outputs", ",".join(case.outputs))
        self.done(back)
        need = graphs.needed(graph, case.outputs)
        wanted = {node.name: node for node in graph.node if node.name in need}
        found = {node.name: node for node in graphs.read_graph(path).node}
        if (
            styled.style == "resource"
        ):  # a resource variable is read by a node of its own, which a constant does not need
            found = graphs.spliced(found, wanted)
        self.same(
            {name: graphs.plain(node, record=True) for name, node in found.items()},
            {name: graphs.plain(node, record=True) for name, node in wanted.items()},
            answer.line,
        )

    @for_each(
        [
            Styled(case, style)
            for case in FROZEN
            if case.name in ("typed_constants", "frozen_convnet")
            for style in STYLES
        ]
    )
    def test_constants_chosen_by_hand_become_variables_of_any_type(self, styled):
        case = styled.case
        graph = original(case)
        chosen = list(consts(graph))
        prefix = os.path.join(folder(case.name, "chosen " + styled.style), "chosen.ckpt")
        answer = call("unfreeze", case.path, "-o", prefix, "--style", styled.style, "--constants", ",".join(chosen))
        if answer.status == 2:
            self.skipTest("there is no --constants yet")
        self.done(answer)
        reader, constants = tf.train.load_checkpoint(prefix), consts(graph)
        self.same(
            {name: graphs.bits(reader.get_tensor(name)) for name in chosen}, {name: constants[name] for name in chosen}
        )
        self.same_outputs(
            graphs.run_graph(graph, case, feeds(case)),
            graphs.run_restored(prefix + ".meta", prefix, case, feeds(case)),
            answer.line,
        )
