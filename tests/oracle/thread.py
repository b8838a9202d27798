"""Helpers for the tests of user threads: a model like the user's, TensorFlow's own freeze of it, and ours."""

import os

import graphs
from cases import CASES, Case
from graphs import np, tf, tf1
from program import call
from suite import Suite, feeds, folder, reference
from tensorflow.python.tools import freeze_graph

FIXTURES = {case.name: case for case in CASES}


def values(*shape, seed=0):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype(np.float32)


def variable(name, *shape, seed=0, **more):
    return tf1.get_variable(name, initializer=tf.constant(values(*shape, seed=seed)), **more)


def placeholder(name, *shape, dtype=tf.float32):
    return tf1.placeholder(dtype, shape, name)


def built(build, resource=False, functional=False):
    """A graph with variables and control flow of the asked kind."""
    usual = tf1.resource_variables_enabled(), tf1.control_flow_v2_enabled()
    (tf1.enable_resource_variables if resource else tf1.disable_resource_variables)()
    (tf1.enable_control_flow_v2 if functional else tf1.disable_control_flow_v2)()
    try:
        with tf1.Graph().as_default() as graph:
            tf1.set_random_seed(1)
            build()
            return graph
    finally:
        (tf1.enable_resource_variables if usual[0] else tf1.disable_resource_variables)()
        (tf1.enable_control_flow_v2 if usual[1] else tf1.disable_control_flow_v2)()


def made(name, build, outputs=("y",), inputs=("x",), edit=None, resource=False, functional=False, **more):
    """A Case: what `build` builds, with a checkpoint, a .meta (after `edit`, if given, changed it), the bare graph (`pb`) and a
    SavedModel (`saved`) of the same values."""
    directory = folder("threads", name)
    prefix = os.path.join(directory, "model.ckpt")
    graph = built(build, resource, functional)
    with graph.as_default(), tf1.Session(config=graphs.config()) as session:
        session.run([tf1.global_variables_initializer(), tf1.tables_initializer()])
        saver = tf1.train.Saver()
        saver.save(session, prefix, write_meta_graph=False)
        meta = saver.export_meta_graph()
        tensors = [{end: graph.get_tensor_by_name(graphs.port(end)) for end in ends} for ends in (inputs, outputs)]
        tf1.saved_model.simple_save(
            session, os.path.join(directory, "saved"), *tensors, legacy_init_op=tf1.tables_initializer()
        )
    if edit:
        edit(meta)
    write(prefix + ".meta", meta)
    case = Case("threads " + name, prefix + ".meta", outputs, inputs, **more)
    case.saved, case.pb = os.path.join(directory, "saved"), os.path.join(directory, "graph.pb")
    write(case.pb, meta.graph_def)
    return case


def write(path, message):
    with open(path, "wb") as file:
        file.write(message.SerializeToString(deterministic=True))
    return path


def theirs(case, outputs=(), keep="", bare=False, saved=False):
    """Returns the result of TensorFlow's freeze_graph for the .meta, the bare graph or the SavedModel."""
    with tf1.Graph().as_default():
        return freeze_graph.freeze_graph(
            case.pb if bare else "",
            "",
            True,
            case.prefix,
            ",".join(outputs or case.outputs),
            "",
            "",
            "",
            True,
            "",
            variable_names_denylist=keep,
            input_meta_graph=None if bare or saved else case.meta,
            input_saved_model_dir=case.saved if saved else None,
        )


def state_left(graph_def):
    nodes = [*graph_def.node, *(node for function in graph_def.library.function for node in function.node_def)]
    return [(node.name, node.op) for node in nodes if node.op in graphs.STATE_OPS]


def fed(case, fixed):
    """The case's feeds, with some inputs fixed."""
    return [dict(feed, **{name + ":0": value for name, value in fixed.items()}) for feed in feeds(case)]


class Thread(Suite):
    def refuses(self, words, action, *arguments, **options):
        """Today's TensorFlow does not do it: the error says `words`."""
        try:
            action(*arguments, **options)
        except Exception as error:  # whatever TensorFlow says
            self.assertIn(words, f"{type(error).__name__}: {error}")
        else:
            self.fail("TensorFlow itself does it by now")

    def tensorflow_fails(self, case, words, **options):
        """freeze_graph fails, or what it writes cannot be imported or run."""
        self.refuses(words, lambda: graphs.run_graph(theirs(case, **options), case, feeds(case)))

    def out(self, case, name):
        return os.path.join(folder(case.name, "out"), name)

    def granted(self, case, *options, path=None, fixed=None, verb="freeze"):
        """(answer, graph): ours has no state left, TensorFlow imports it, and it computes the same bits; `fixed` inputs are set."""
        out = self.out(case, "frozen.pb")
        if fixed:
            options += ("--set", ",".join(f"{name}={str(value).lower()}" for name, value in fixed.items()))
        answer = call(verb, path or case.path, "-o", out, "--force", "--outputs", ",".join(case.outputs), *options)
        self.done(answer)
        after = graphs.read_graph(out)
        self.assertEqual([], state_left(after), answer.line)
        run = fed(case, fixed or {})
        expected = graphs.run_restored(case.meta, case.prefix, case, run) if fixed else reference(case)
        self.same_outputs(expected, graphs.run_graph(after, case, run), answer.line)
        return answer, after

    def told(self, answer, code, *words, status=3):
        """The status, a diagnostic of that code, and in its words all of these."""
        self.assertEqual(answer.status, status, answer)
        said = [
            " ".join([one["message"], one.get("fix", "")])
            for one in answer.report["diagnostics"]
            if one["code"] == code
        ]
        self.assertTrue(said, answer)
        for word in words:
            self.assertIn(word, " ".join(said), answer)
