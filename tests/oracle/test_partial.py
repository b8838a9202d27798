"""freeze --variables, --keep-variables: TensorFlow restores, saves and initializes the remaining variables as before."""

import functools
import os

import graphs
from cases import CASES, DATA, WITH_WEIGHTS
from graphs import tf1
from program import call
from suite import Suite, expanded, feeds, folder, for_each, frozen, original, reference, values

BY_NAME = {case.name: case for case in CASES}


@functools.lru_cache(None)
def needed_variables(case):
    need = graphs.needed(original(case), case.outputs)
    return [node.name for node in original(case).node if node.op in graphs.VARIABLE_OPS and node.name in need]


PARTS = [case for case in WITH_WEIGHTS if len(needed_variables(case)) > 1]


@functools.lru_cache(None)
def halves(case):
    """(names to freeze, names that stay)"""
    names = needed_variables(case)
    return names[::2], names[1::2]


@functools.lru_cache(None)
def partly(case):
    prefix = os.path.join(folder(case.name, "partly"), "model.ckpt")
    return call(
        "freeze",
        case.path,
        "-o",
        prefix,
        "--force",
        "--outputs",
        ",".join(case.outputs),
        "--variables",
        ",".join(halves(case)[0]),
    ), prefix


# Attributes that name functions. The names differ after functions were rebuilt twice.
NAMES_FUNCTIONS = ("f", "body", "cond", "then_branch", "else_branch", "branches", "_output_shapes", "output_shapes")


def told(graph_def, control=True):
    """A SavedModel's freeze also takes control edges out that wait for nothing, and the NoOps that only those need."""
    return {
        node.name: graphs.plain(node, NAMES_FUNCTIONS, control)
        for node in graph_def.node
        if control or node.op != "NoOp"
    }


@expanded
class Partial(Suite):
    @for_each(PARTS)
    def test_the_others_are_restored_and_the_outputs_have_the_same_bits(self, case):
        answer, prefix = partly(case)
        self.done(answer)
        made, stay = halves(case)
        session, _ = graphs.restored(prefix + ".meta", prefix)
        with session:
            self.same_outputs(reference(case), graphs.run_outputs(session, case, feeds(case)), answer.line)
            ops = {op.name: op.type for op in session.graph.get_operations()}
            held = {name for name, op in ops.items() if op in graphs.VARIABLE_OPS}
            self.same(
                {name: graphs.bits(value) for name, value in graphs.values_in(session).items()},
                {name: graphs.bits(values(case)[name]) for name in held},
                answer.line,
            )
        self.assertLessEqual(set(stay), held)
        self.assertEqual({"Const"}, {ops[name] for name in made})
        self.assertEqual(set(made), {row["name"] for row in answer.report["converted"]})

    @for_each(PARTS)
    def test_the_global_variables_are_those_that_stay(self, case):
        answer, prefix = partly(case)
        self.done(answer)
        with tf1.Graph().as_default() as graph:
            tf1.train.import_meta_graph(case.meta)
            known = {variable.op.name for variable in tf1.global_variables()}
        with tf1.Graph().as_default() as graph:
            tf1.train.import_meta_graph(prefix + ".meta")
            held = {op.name for op in graph.get_operations() if op.type in graphs.VARIABLE_OPS}
            self.assertEqual({variable.op.name for variable in tf1.global_variables()}, known & held, answer.line)
            trainable = {variable.op.name for variable in tf1.trainable_variables()}
            self.assertLessEqual(trainable, held)
            if known and not case.corpus:  # initial values of those are in files that are not there
                with tf1.Session(config=graphs.config()) as session:
                    session.run([variable.initializer for variable in tf1.global_variables()])
                    inits = [op for op in graph.get_operations() if op.name == "init"]
                    session.run(inits)
                    self.assertEqual(b"".join(session.run(tf1.report_uninitialized_variables())), b"")

    @for_each(PARTS)
    def test_it_saves_again_and_that_is_restored(self, case):
        answer, prefix = partly(case)
        self.done(answer)
        session, saver = graphs.restored(prefix + ".meta", prefix)
        with session:
            again = saver.save(session, os.path.join(folder(case.name, "saved again"), "model.ckpt"))
        found = graphs.run_restored(again + ".meta", again, case, feeds(case))
        self.same_outputs(reference(case), found, answer.line)

    @for_each(PARTS)
    def test_freezing_the_rest_gives_what_freezing_at_once_gives(self, case):
        answer, prefix = partly(case)
        self.done(answer)
        path = os.path.join(folder(case.name, "rest"), "out.pb")
        self.done(call("freeze", prefix + ".meta", "-o", path, "--force", "--outputs", ",".join(case.outputs)))
        at_once, _ = frozen(case)
        self.done(at_once)
        one, two = graphs.read_graph(path), graphs.read_graph(frozen(case)[1])
        self.assertEqual([node.name for node in one.node], [node.name for node in two.node])
        self.same(told(one), told(two), answer.line)
        self.same_outputs(reference(case), graphs.run_graph(one, case, feeds(case)), answer.line)

    @for_each(PARTS)
    def test_to_keep_the_one_half_is_to_freeze_the_other(self, case):
        answer, prefix = partly(case)
        self.done(answer)
        other = os.path.join(folder(case.name, "kept"), "model.ckpt")
        self.done(
            call(
                "freeze",
                case.path,
                "-o",
                other,
                "--force",
                "--outputs",
                ",".join(case.outputs),
                "--variables",
                "**",
                "--keep-variables",
                ",".join(halves(case)[1]),
            )
        )
        read = [graphs.parse(tf1.MetaGraphDef, path + ".meta") for path in (prefix, other)]
        extra = {node.name for node in read[0].graph_def.node if node.op in graphs.VARIABLE_OPS} - set(halves(case)[1])
        if not extra:  # which only an initial value needs
            self.assertEqual(read[0], read[1])

    @for_each(PARTS)
    def test_as_a_saved_model_tensorflow_loads_it(self, case):
        directory = os.path.join(folder(case.name, "saved model"), "out")
        answer = call(
            "freeze",
            case.path,
            "-o",
            directory + "/",
            "--force",
            "--outputs",
            ",".join(case.outputs),
            "--variables",
            ",".join(halves(case)[0]),
        )
        self.done(answer)
        with tf1.Graph().as_default(), tf1.Session(config=graphs.config()) as session:
            tf1.saved_model.loader.load(session, ["serve"], directory)
            held = {op.name for op in session.graph.get_operations() if op.type in graphs.VARIABLE_OPS}
            self.same(
                {name: graphs.bits(value) for name, value in graphs.values_in(session).items()},
                {name: graphs.bits(values(case)[name]) for name in held},
                answer.line,
            )

    @for_each(["branches", "loops", "nested_calls", "tables"])
    def test_of_a_saved_model_the_rest_is_restored(self, name):
        path = os.path.join(DATA, "saved_models", name)
        prefix = os.path.join(folder("saved_models", name), "model.ckpt")
        whole = os.path.join(folder("saved_models", name), "whole.pb")
        rest = os.path.join(folder("saved_models", name), "rest.pb")
        at_once = call("freeze", path, "-o", whole, "--force")
        self.done(at_once)
        names = [row["name"] for row in at_once.report["converted"] if row["to"] == "Const"]
        answer = call("freeze", path, "-o", prefix, "--force", "--keep-variables", ",".join(names[::2]))
        self.done(answer)
        session, _ = graphs.restored(prefix + ".meta", prefix)
        with session:
            held = {op.name for op in session.graph.get_operations() if op.type in graphs.VARIABLE_OPS}
            self.assertEqual(held, set(names[::2]))
            found = graphs.values_in(session)
        consts = {node.name: graphs.const_bits(node) for node in graphs.read_graph(whole).node if node.op == "Const"}
        self.same({key: graphs.bits(value) for key, value in found.items()}, {key: consts[key] for key in held})
        outputs = at_once.report["graphOutputs"]
        self.done(call("freeze", prefix + ".meta", "-o", rest, "--force", "--outputs", ",".join(outputs)))
        one, two = graphs.read_graph(rest), graphs.read_graph(whole)
        self.same(told(one, control=False), told(two, control=False))

    def test_what_still_has_variables_says_so_as_a_graph(self):
        path = os.path.join(folder("partial", "pb"), "out.pb")
        answer = call("freeze", BY_NAME["ref"].path, "-o", path, "--force", "--outputs", "y", "--keep-variables", "w")
        self.done(answer)
        self.assertEqual(answer.codes("warning"), ["weights-left-out"], answer)

    def test_a_glob_that_no_variable_matches_is_an_error(self):
        path = os.path.join(folder("partial", "glob"), "out.ckpt")
        answer = call(
            "freeze", BY_NAME["ref"].path, "-o", path, "--force", "--outputs", "y", "--keep-variables", "w,nope/**"
        )
        self.refused(answer, os.path.dirname(path))
        self.assertEqual(answer.codes(), ["glob-unused"], answer)
