"""Bugs of the peers (numbers: section 5 of the reference on peers), each shown of TensorFlow's own tools, and not so here."""

import os

import graphs
from graphs import np, tf, tf1
from program import call
from suite import feeds, folder, reference
from tensorflow.python.framework import graph_util
from tensorflow.python.tools import optimize_for_inference_lib, strip_unused_lib
from tensorflow.python.training import moving_averages
from thread import FIXTURES, Thread, made, placeholder, theirs, values, variable


def handle(name, *shape):
    """A resource variable, and its handle."""
    held = variable(name, *shape, use_resource=True)
    return held, held.handle


class Bugs(Thread):
    def pruned(self, case, *options):
        """(answer, session's outputs): to the case's outputs, restored from what was written."""
        out = self.out(case, "pruned.ckpt")
        answer = call("prune", case.path, "-o", out, "--force", "--outputs", ",".join(case.outputs), *options)
        self.done(answer)
        self.same_outputs(reference(case), graphs.run_restored(out + ".meta", out, case, feeds(case)), answer.line)
        return graphs.read_graph(out + ".meta")

    def test_bug_1_an_update_behind_a_control_edge_is_not_left_in_a_frozen_graph(self):
        def build():
            x, mean = placeholder("x", None, 4), variable("mean", 4)
            scaled = tf.multiply(x, mean, "scaled")
            with tf.control_dependencies(
                [moving_averages.assign_moving_average(mean, tf.reduce_mean(x, 0), 0.9, zero_debias=False)]
            ):
                tf.identity(scaled, "y")

        case = made("bug 1", build, ["scaled"])
        self.refuses("incompatible with expected float_ref", lambda: graphs.imported(theirs(case, ["y"])))
        answer = call("freeze", case.path, "-o", self.out(case, "refused.pb"), "--outputs", "y")
        self.told(answer, "variable-in-use", "'mean'", "AssignMovingAvg", "-> y")
        self.granted(case)  # to what the update hangs on

    def test_bug_2_the_op_variable_of_the_first_tensorflow(self):
        case = FIXTURES["old_variable"]
        self.tensorflow_fails(case, "uninitialized value")
        self.granted(case)

    def test_bug_2_a_function_that_is_shared_by_a_variable_that_stays_and_one_that_does_not(self):
        def build():
            x, shared = placeholder("x", None, 3), tf.function(lambda a, w: tf.matmul(a, w.read_value()))
            v, w = variable("v", 3, 3), variable("w", 3, 3, seed=1)
            tf.add(shared(x, v), shared(x, w), name="y")

        case = made("bug 2", build, resource=True, functional=True)
        held = {"v": values(3, 3)}
        self.refuses("", graphs.run_with_values, theirs(case, keep="v"), held, case, feeds(case))
        prefix = self.out(case, "part.ckpt")
        answer = call("freeze", case.path, "-o", prefix, "--outputs", "y", "--keep-variables", "v")
        self.done(answer)
        with graphs.restored(prefix + ".meta", prefix)[0] as session:
            self.same_outputs(reference(case), graphs.run_outputs(session, case, feeds(case)), answer.line)
        self.granted(case)

    def test_bug_2_who_else_takes_a_handle_is_named(self):
        def build():
            resource = handle("w", 4)[1]
            printed = tf.raw_ops.Print(input=resource, data=[tf.constant("read")], summarize=1, name="printed")
            read = tf.raw_ops.ReadVariableOp(resource=printed, dtype=tf.float32)
            tf.multiply(placeholder("x", None, 4), read, name="y")

        case = made("bug 2 handle", build)
        self.tensorflow_fails(case, "was passed float from w:0 incompatible with expected resource")
        answer = call("freeze", case.path, "-o", self.out(case, "refused.pb"), "--outputs", "y")
        self.told(
            answer, "variable-in-use", "'w'", "Print 'printed' takes its handle", "printed -> ReadVariableOp -> y"
        )

    def test_bug_3_a_gather_in_batches(self):
        self.tensorflow_fails(FIXTURES["batch_gather"], "batch_dims")
        self.granted(FIXTURES["batch_gather"])

    def test_bug_3_the_shape_of_a_variable_and_whether_it_is_initialised(self):
        def build():
            w, resource = handle("w", 3, 4)
            size = tf.cast(tf.raw_ops.VariableShape(input=resource, out_type=tf.int32), tf.float32)
            there = tf.cast(tf.raw_ops.VarIsInitializedOp(resource=resource), tf.float32)
            tf.multiply(placeholder("x", None, 4), tf.reduce_sum(w, 0) * size[0] * there, name="y")

        case = made("bug 3", build)
        self.tensorflow_fails(case, "incompatible with expected resource")
        self.granted(case)

    def test_bug_4_a_variable_whose_read_has_another_name(self):
        def elsewhere(meta):
            for node in meta.graph_def.node:
                node.name = node.name.replace("w/Read/ReadVariableOp", "elsewhere")
                node.input[:] = [name.replace("w/Read/ReadVariableOp", "elsewhere") for name in node.input]
            meta.ClearField("collection_def")  # which name it too

        case = made(
            "bug 4", lambda: tf.multiply(placeholder("x", None, 4), handle("w", 4)[0], name="y"), edit=elsewhere
        )
        self.tensorflow_fails(case, "w/Read/ReadVariableOp")
        self.granted(case)

    def test_bug_5_the_versions_of_a_graph_stay(self):
        def older(meta):
            meta.graph_def.versions.producer, meta.graph_def.versions.min_consumer = 987, 12

        case = made("bug 5", lambda: tf.multiply(placeholder("x", None, 4), variable("w", 4), name="y"), edit=older)
        _, after = self.granted(case)
        self.assertEqual(after.versions, graphs.read_graph(case.meta).versions)

    def test_bug_5_devices_go_from_the_bodies_of_functions_too(self):
        def build():
            x, w = placeholder("x", None, 4), variable("w", 4)

            def body(a):
                with tf.device("/cpu:1"):
                    return tf.tanh(a * w)

            tf.identity(tf.function(body)(x), "y")

        case = made("bug 5 devices", build, resource=True, functional=True)
        self.assertIn(
            "/device:CPU:1", [node.device for each in theirs(case).library.function for node in each.node_def]
        )
        _, after = self.granted(case, "--clear-devices")
        self.assertEqual(
            [],
            [
                node.name
                for each in [after.node, *(each.node_def for each in after.library.function)]
                for node in each
                if node.device
            ],
        )

    def test_bug_6_what_a_read_waits_for_is_waited_for(self):
        def build():
            x, w = placeholder("x", None, 4), variable("w", 4)
            with tf.control_dependencies([tf1.debugging.assert_less(x, 1e6)]):
                tf.multiply(x, w.read_value(), name="y")

        case = made("bug 6", build, resource=True)
        _, after = self.granted(case)
        large = {"x:0": np.full([2, 4], 1e7, np.float32)}
        with tf1.Session(graph=graphs.imported(theirs(case)), config=graphs.config()) as session:
            session.run("y:0", large)  # the assertion is lost
        with tf1.Session(graph=graphs.imported(after), config=graphs.config()) as session:
            self.refuses("assertion failed", session.run, "y:0", large)

    def test_bug_7_a_check_of_numbers_is_no_hole(self):
        def build():
            checked = tf.identity(tf1.debugging.check_numerics(placeholder("x", None, 4), "bad"))
            tf.tanh(tf.identity(checked * variable("w", 4)), "y")

        case = made("bug 7", build)
        self.refuses("IndexError", graph_util.remove_training_nodes, theirs(case), protected_nodes=["y"])
        self.granted(case)

    def test_bug_8_9_a_cut_at_any_tensor_has_its_type_and_unknown_sizes(self):
        def build():
            rows = tf.data.Dataset.from_tensors((np.ones([4], np.float32), np.int64(1))).batch(2)
            x, which = tf1.data.make_one_shot_iterator(rows).get_next()
            left, right = tf.split(x * variable("w", 4), 2, 1)
            tf.add(tf.identity(right) * tf.cast(which, tf.float32)[:, None], left, name="y")

        case = made("bug 9", build, inputs=["IteratorGetNext:0", "IteratorGetNext:1"])
        self.refuses(
            "appears to refer to a Tensor, not an Operation",
            strip_unused_lib.strip_unused,
            graphs.read_graph(case.meta),
            ["IteratorGetNext:1"],
            ["y"],
            tf.float32.as_datatype_enum,
        )
        out = self.out(case, "cut.pb")
        self.done(
            call(
                "freeze",
                case.path,
                "-o",
                out,
                "--inputs",
                "IteratorGetNext:0,split:1,IteratorGetNext:1",
                "--outputs",
                "y",
            )
        )
        cuts = {node.name: node.attr for node in graphs.read_graph(out).node if node.op == "Placeholder"}
        self.assertEqual(
            {
                name: (tf.as_dtype(attr["dtype"].type).name, [dim.size for dim in attr["shape"].shape.dim])
                for name, attr in cuts.items()
            },
            {
                "IteratorGetNext": ("float32", [-1, 4]),
                "split_1": ("float32", [-1, 2]),
                "IteratorGetNext_1": ("int64", [-1]),
            },
        )

    def test_bug_10_thread_19838_8642_functions_are_kept_that_are_called_and_others_are_not(self):
        for name, words in (("functional", "Op type not registered 'while_"), ("call", "Failed to find function")):
            case = FIXTURES[name]
            frozen, floats = theirs(case), [tf.float32.as_datatype_enum]
            for stripped in [
                graph_util.remove_training_nodes(frozen, protected_nodes=case.outputs),
                optimize_for_inference_lib.optimize_for_inference(frozen, case.inputs, case.outputs, floats),
            ]:
                self.refuses(words, graphs.run_graph, stripped, case, feeds(case))
            graph = graphs.read_graph(case.meta)
            unreached = {one.signature.name for one in graph.library.function} - graphs.reachable_functions(graph)
            self.assertTrue(unreached)
            extracted = graph_util.extract_sub_graph(graph, case.outputs)
            self.assertLessEqual(unreached, {one.signature.name for one in extracted.library.function})
            after = self.pruned(case)
            self.assertEqual({one.signature.name for one in after.library.function}, graphs.reachable_functions(after))
            self.granted(case)

    def test_bug_12_what_tensorflow_js_holds_narrower_is_told_and_what_it_cannot_hold_refused(self):
        def build():
            tf.multiply(placeholder("x", None, 4), variable("w", 4), name="z")
            tf.gather(tf.constant([5, 6], tf.int64), [1, 0], name="y")
            tf.add(placeholder("d", dtype=tf.float64), tf.constant(0.1, tf.float64, name="tenth"), name="double")

        case, out = (
            made("bug 12", build, ["y", "double"], ["d"]),
            os.path.join(folder("threads", "bug 12 out"), "model.json"),
        )
        self.told(call("freeze", case.path, "-o", out, "--outputs", "y"), "stored-narrower", "int64", status=0)
        self.told(
            call("freeze", case.path, "-o", out, "--force", "--outputs", "double"),
            "unsupported-dtype",
            "float64",
            "does not hold",
        )

    def test_bug_14_checksums_are_looked_at_and_slices_are_one_tensor(self):
        def build():
            with tf1.variable_scope("", partitioner=tf1.fixed_size_partitioner(3)):
                tf.matmul(placeholder("x", None, 7), tf1.get_variable("w", [7, 3]), name="y")

        case = made("bug 14", build)
        out = os.path.join(folder("threads", "bug 14 out"), "weights.npz")
        self.done(call("weights", case.prefix, "-o", out))
        self.assertEqual(
            graphs.bits(np.load(out)["w"]), graphs.bits(tf.train.load_checkpoint(case.prefix).get_tensor("w"))
        )
        data = case.prefix + ".data-00000-of-00001"
        with open(data, "r+b") as file:
            file.seek(5)
            file.write(b"\xff")
        self.refuses("Checksum does not match", tf.train.load_checkpoint(case.prefix).get_tensor, "w")
        self.told(call("inspect", case.prefix, "--checksum"), "checksum", "Checksum does not match")

    def test_bug_13_an_option_that_is_not_known_is_refused(self):
        case = FIXTURES["ref"]
        answer = call("freeze", case.path, "-o", self.out(case, "out.pb"), "--output_node_names", "y")
        self.assertEqual(answer.status, 2, answer)
