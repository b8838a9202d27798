"""Requests of users (numbers of threads: tensorflow/tensorflow, or as named): freezing models of TensorFlow 1."""

import graphs
from cases import DATA
from graphs import tf, tf1
from program import call
from suite import feeds, reference
from tensorflow.python.framework import meta_graph
from tensorflow.python.training import moving_averages
from thread import FIXTURES, Thread, made, placeholder, theirs, values, variable


def batch_norm(x, is_training):
    """Batch normalization like contrib.layers.batch_norm(updates_collections=None): the branch of training updates the
    moving averages.
    """
    mean, variance = (
        variable(f"moving_{name}", 4, seed=at, trainable=False) for at, name in enumerate(["mean", "variance"])
    )
    moments = tf1.nn.moments(x, [0])

    def training():
        updates = [
            moving_averages.assign_moving_average(average, now, 0.9, zero_debias=False)
            for average, now in zip((mean, variance), moments)
        ]
        with tf.control_dependencies(updates):
            return [tf.identity(now) for now in moments]

    centre, spread = tf1.cond(is_training, training, lambda: [tf.identity(mean), tf.identity(tf.square(variance))])
    return tf1.nn.batch_normalization(x, centre, spread, None, variable("gamma", 4, seed=3), 1e-3)


def training_graph():
    """Scores of a classifier, with a loss, summaries and Adam."""
    x, labels = placeholder("x", None, 4), placeholder("labels", None, dtype=tf.int32)
    hidden = tf.nn.relu(tf.matmul(x, variable("hidden/w", 4, 8)) + variable("hidden/b", 8, seed=1))
    logits = tf.matmul(hidden, variable("logits/w", 8, 3, seed=2)) + variable("logits/b", 3, seed=3)
    tf.nn.softmax(logits, name="y")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits), name="loss")
    tf1.train.AdamOptimizer(0.01).minimize(loss, tf1.train.get_or_create_global_step())
    tf1.summary.scalar("loss_1", loss)
    tf1.summary.merge_all()


class Threads(Thread):
    def test_thread_35406_weight_norm_assign_does_not_survive(self):
        def build():
            weight, scale, kernel = (
                variable("weight", 4, 3),
                variable("scale", 3, seed=1),
                variable("kernel", 4, 3, seed=2),
            )
            tf.matmul(placeholder("x", None, 4), tf1.assign(kernel, scale * tf.nn.l2_normalize(weight, 0)), name="y")

        case = made("35406", build)
        self.tensorflow_fails(case, "incompatible with expected float_ref")
        self.granted(case)

    def test_thread_onnx_77_ref_switch_becomes_switch_and_initialised_is_true(self):
        for name in ("ref_flow", "is_initialized"):
            self.tensorflow_fails(FIXTURES[name], "incompatible with expected float_ref")
            self.granted(FIXTURES[name])

    def test_thread_onnx_77_assign_sub_is_refused_with_its_path(self):
        def build():
            x, w = placeholder("x", None, 4), variable("w", 4)
            tf.multiply(x, tf1.assign_sub(w, tf.reduce_mean(x, 0), name="step"), name="y")

        case = made("77", build)
        self.tensorflow_fails(case, "incompatible with expected float_ref")
        answer = call("freeze", case.path, "-o", self.out(case, "refused.pb"), "--outputs", "y")
        self.told(answer, "variable-in-use", "'w'", "AssignSub 'step'", "step -> y", "--outputs")

    def test_thread_3628_batch_norm_in_training_is_frozen_without_its_branch(self):
        case = made(
            "3628",
            lambda: tf.tanh(batch_norm(placeholder("x", None, 4), placeholder("is_training", dtype=tf.bool)), "y"),
            inputs=("x", "is_training"),
        )
        self.tensorflow_fails(case, "AssignMovingAvg/Switch was passed float from moving_")
        _, after = self.granted(case, fixed={"is_training": False})
        self.assertEqual(
            [], [node.name for node in after.node if node.op in ("Switch", "Merge") or "AssignMovingAvg" in node.name]
        )
        answer = call("freeze", case.path, "-o", self.out(case, "refused.pb"), "--outputs", "y")
        self.told(answer, "variable-in-use", "AssignMovingAvg")

    def test_thread_facenet_161_740_the_same_of_a_saved_model(self):
        def build():
            x = placeholder("x", None, 4)
            tf.nn.l2_normalize(batch_norm(x, placeholder("phase_train", dtype=tf.bool)), 1, name="embeddings")

        case = made("facenet 161", build, outputs=["embeddings"], inputs=["x", "phase_train"])
        self.tensorflow_fails(case, "AssignMovingAvg/Switch was passed float from moving_", saved=True)
        self.granted(case, path=case.saved, fixed={"phase_train": False})

    def test_thread_31331_keras_batch_norm_needs_no_model_built_anew(self):
        def build():
            learning = tf1.placeholder_with_default(False, [], "keras_learning_phase")
            tf.tanh(batch_norm(placeholder("x", None, 4), learning), "y")

        case = made("31331", build, resource=True)
        self.tensorflow_fails(case, "incompatible with expected resource")
        self.granted(case, fixed={"keras_learning_phase": False})

    def test_thread_31358_no_const_is_left_with_an_input(self):
        def build():
            learning, w = tf1.placeholder_with_default(False, [], "keras_learning_phase"), variable("w", 4)
            tf.multiply(placeholder("x", None, 4), tf.cond(learning, lambda: w + 1.0, lambda: w * 2.0), name="y")

        def wait(meta):
            next(node for node in meta.graph_def.node if node.name == "w").input.append("^keras_learning_phase/input")

        for resource in (False, True):
            case = made(f"31358 {resource}", build, edit=wait, resource=resource)
            _, after = self.granted(case, fixed={"keras_learning_phase": False})
            self.assertEqual(
                [], [tensor for node in after.node if node.op == "Const" for tensor in node.input if tensor[0] != "^"]
            )
        answer = call("validate", f"{DATA}/invalid/input_to_const.pb")
        said = [
            one
            for one in answer.report["diagnostics"]
            if "NodeDef expected inputs '' do not match 1 inputs" in one["message"]
        ]
        self.assertEqual((answer.status, len(said)), (1, 1), answer)
        self.assertTrue(said[0]["where"]["node"] and said[0]["fix"], answer)

    def test_thread_24128_of_all_nodes_the_real_output_is_chosen(self):
        case = made("24128", training_graph)
        everything = [node.name for node in graphs.read_graph(case.meta).node]
        self.refuses("incompatible with expected float_ref", lambda: graphs.imported(theirs(case, everything)))
        answer = call("freeze", case.path, "-o", self.out(case, "all.pb"), "--outputs", ",".join(everything))
        self.told(answer, "variable-in-use", "Assign 'hidden/w/Assign' changes it", "--outputs")
        out = self.out(case, "chosen.pb")
        answer = call("freeze", case.path, "-o", out)
        self.done(answer)
        after = graphs.read_graph(out)
        self.assertEqual(
            [],
            [
                node.name
                for node in after.node
                if "Adam" in node.name or "save" in node.name or "gradients" in node.name
            ],
        )
        self.same_outputs(reference(case), graphs.run_graph(after, case, feeds(case)), answer.line)

    def test_thread_10986_inspect_names_the_output_of_a_training_graph(self):
        case = made("10986", training_graph)
        answer = call("inspect", case.path)
        self.done(answer)
        self.assertEqual(answer.report["outputs"][0]["name"], "y", answer)
        self.assertLess(len(answer.report["outputs"]), 5, answer)
        self.assertIn("x", [one["name"] for one in answer.report["inputs"]], answer)

    def test_thread_46521_all_but_an_embedding_is_frozen_and_that_is_restored_and_saved(self):
        def build():
            rows = tf.nn.embedding_lookup(variable("embedding", 10, 4), placeholder("ids", None, dtype=tf.int32))
            tf.tanh(tf.matmul(rows, variable("w", 4, 3, seed=1)) + variable("b", 3, seed=2), "y")

        for resource in (False, True):
            case = made(f"46521 {resource}", build, inputs=["ids"], resource=resource)
            prefix = self.out(case, "part.ckpt")
            answer = call("freeze", case.path, "-o", prefix, "--outputs", "y", "--keep-variables", "embedding")
            self.done(answer)
            with graphs.restored(prefix + ".meta", prefix)[0] as session:
                self.same_outputs(reference(case), graphs.run_outputs(session, case, feeds(case)), answer.line)
                self.assertEqual(set(graphs.values_in(session)), {"embedding"})
            theirs_of_it = theirs(case, keep="embedding")
            self.assertEqual([], [node.name for node in theirs_of_it.node if node.op in ("SaveV2", "RestoreV2")])

    def test_thread_bigdl_1104_an_assignment_to_a_resource_behind_a_switch_goes(self):
        def build():
            kernel, u = variable("kernel", 4, 3), variable("u", 1, 4, seed=1, trainable=False)
            right = tf.nn.l2_normalize(tf.matmul(u, kernel))
            left = tf.nn.l2_normalize(tf.matmul(right, kernel, transpose_b=True))
            update = tf1.cond(
                tf1.placeholder_with_default(False, [], "is_training"), lambda: tf.group(u.assign(left)), tf.no_op
            )
            with tf.control_dependencies([update]):
                sigma = tf.reduce_sum(tf.matmul(left, kernel) * right)
            tf.matmul(placeholder("x", None, 4), kernel / sigma, name="y")

        case = made("1104", build, resource=True)
        self.tensorflow_fails(case, "incompatible with expected resource")
        self.granted(case, fixed={"is_training": False})
        self.granted(case, path=case.saved, fixed={"is_training": False})

    def test_thread_51488_rows_of_a_variable_are_gathered_in_a_function_s_body(self):
        def build():
            table, x = variable("table", 5, 4), placeholder("x", None, 4)
            rows = tf.function(lambda ids: tf.gather(table, ids))(tf.constant([0, 3]))
            cells = tf.function(lambda ids: tf.gather_nd(table, ids))(tf.constant([[0, 3], [4, 1]]))
            tf.add(tf.matmul(x, rows, transpose_b=True), cells, name="y")

        case = made("51488", build, resource=True, functional=True)
        self.tensorflow_fails(case, "expected type resource != float")
        self.granted(case)

    def test_thread_18523_14580_a_bare_checkpoint_with_a_partitioned_variable(self):
        def build():
            with tf1.variable_scope("linear", partitioner=tf1.fixed_size_partitioner(3)):
                w = tf1.get_variable("w", [7, 3], initializer=tf1.random_uniform_initializer(-1, 1, seed=1))
            tf.matmul(placeholder("x", None, 7), w, name="y")

        case = made("18523", build)

        self.refuses("Models containing partition variables cannot be converted", theirs, case, bare=True)
        self.granted(case, "--checkpoint", case.prefix, path=case.pb)

    def test_thread_8665_a_frozen_table_is_initialised_by_one_op(self):
        def build():
            keys = tf.lookup.KeyValueTensorInitializer(tf.constant([b"text", b"b"]), tf.constant([1, 2], tf.int64))
            found = tf.lookup.StaticHashTable(keys, 0).lookup(placeholder("x", None, dtype=tf.string))
            tf.gather(variable("embedding", 3, 2), found, name="y")

        case = made("8665", build)
        self.refuses("Table not initialized", lambda: graphs.run_graph(theirs(case), case, feeds(case)))
        out = self.out(case, "frozen.pb")
        answer = call("freeze", case.saved, "-o", out)
        self.done(answer)
        init = next(one["message"] for one in answer.report["diagnostics"] if one["code"] == "tables-kept")
        after = graphs.read_graph(out)
        with tf1.Session(graph=graphs.imported(after), config=graphs.config()) as session:
            name = next(node.name for node in after.node if node.op == "NoOp" and node.name in init)
            session.run(name)
            rows = graphs.run_outputs(session, case, [{"x:0": [b"b", b"none", b"text"]}])[0]
        self.assertEqual(rows["y:0"], graphs.bits(values(3, 2)[[2, 0, 1]]), answer)

    def test_thread_22287_default_attributes_that_were_stripped_are_no_obstacle(self):
        def build():
            tf.gather(variable("w", 4, 3), [0, 2], name="rows")
            tf.matmul(placeholder("x", None, 4) * tf.fill([4], 0.5), variable("v", 4, 3), name="y")

        for resource in (False, True):
            case = made(
                f"22287 {resource}",
                build,
                ["y", "rows"],
                edit=meta_graph.strip_graph_default_valued_attrs,
                resource=resource,
            )
            self.assertNotIn(
                "index_type", next(node.attr for node in graphs.read_graph(case.meta).node if node.op == "Fill")
            )
            self.granted(case)
            self.assertEqual(call("validate", case.path).status, 0)

    def test_thread_19530_loops_and_branches_are_pruned_as_they_are(self):
        for name in ("while_trained", "nested_while", "cond_ref", "training_cond"):
            case, out = FIXTURES[name], self.out(FIXTURES[name], "pruned.ckpt")
            answer = call(
                "prune",
                case.path,
                "-o",
                out,
                "--force",
                "--outputs",
                ",".join(case.outputs),
                "--inputs",
                ",".join(case.inputs),
            )
            self.done(answer)
            self.same_outputs(reference(case), graphs.run_restored(out + ".meta", out, case, feeds(case)), answer.line)

    def test_thread_26203_two_routes_give_the_weights_that_the_session_had(self):
        case = made("26203", training_graph)
        frozen = [self.granted(case, path=path)[1] for path in (case.path, case.saved)]
        session, _ = graphs.restored(case.meta, case.prefix)
        with session:
            held = {name: graphs.bits(value) for name, value in graphs.values_in(session).items()}
        found = [{node.name: graphs.const_bits(node) for node in one.node if node.name in held} for one in frozen]
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], {name: held[name] for name in found[0]})
        self.assertEqual(set(found[0]), {"hidden/w", "hidden/b", "logits/w", "logits/b"})
