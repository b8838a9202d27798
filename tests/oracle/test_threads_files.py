"""Requests of users (numbers of threads: tensorflow/tensorflow, or as named): opening, naming, weights, and back from
frozen.
"""

import hashlib
import os
import shutil
import subprocess
import sys

import graphs
from cases import DATA, Case
from graphs import np, tf, tf1
from program import CRYOGRAPH, ROOT, call
from suite import feeds, folder, reference
from test_threads import training_graph
from thread import Thread, made, placeholder, theirs, variable, write

sys.path.append(os.path.join(ROOT, "tests", "bench"))
import models  # noqa: E402  (the path comes first)

# Runs a program and prints the most kilobytes that it took: from a small process, for what starts it counts too.
PEAK = (
    "import os, sys; child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:]); print(os.wait4(child, 0)[2].ru_maxrss)"
)


def dense(name="y"):
    return tf.tanh(tf.matmul(placeholder("x", None, 4), variable("w", 4, 3)) + variable("b", 3, seed=1), name)


class ThreadsOfFiles(Thread):
    def unfrozen(self, case):
        """(graph_def, prefix): the case frozen, and un-frozen from that alone."""
        _, after = self.granted(case)
        prefix = self.out(case, "again.ckpt")
        self.done(call("unfreeze", self.out(case, "frozen.pb"), "-o", prefix, "--force"))
        return after, prefix

    def test_thread_stackoverflow_45275141_a_frozen_graph_becomes_a_checkpoint_again(self):
        case = made("45275141", training_graph)
        _, prefix = self.unfrozen(case)
        self.same_outputs(reference(case), graphs.run_restored(prefix + ".meta", prefix, case, feeds(case)), "unfreeze")
        original = tf.train.load_checkpoint(case.prefix)
        names = ["hidden/b", "hidden/w", "logits/b", "logits/w"]
        again = tf.train.load_checkpoint(prefix)
        self.assertEqual(sorted(again.get_variable_to_shape_map()), names)
        self.assertEqual(
            [graphs.bits(again.get_tensor(name)) for name in names],
            [graphs.bits(original.get_tensor(name)) for name in names],
        )

    def test_thread_unography_9_a_model_of_which_only_the_frozen_graph_exists_is_trained(self):
        case = made("unography 9", training_graph)
        _, prefix = self.unfrozen(case)
        session, _ = graphs.restored(prefix + ".meta", prefix)
        x = feeds(case)[0]["x:0"]
        with session, session.graph.as_default():
            loss = tf.reduce_mean(tf.square(session.graph.get_tensor_by_name("y:0") - np.eye(3, dtype=np.float32)[0]))
            step = tf1.train.GradientDescentOptimizer(0.5).minimize(loss)
            self.assertEqual(len(tf1.trainable_variables()), 4)
            before = session.run(loss, {"x:0": x})
            for _ in range(20):
                session.run(step, {"x:0": x})
            self.assertLess(session.run(loss, {"x:0": x}), before / 2)

    def test_thread_models_8923_a_saved_model_pb_is_told_from_a_graph_whatever_its_name(self):
        case = made("8923", dense)
        self.refuses("DecodeError", graphs.read_graph, os.path.join(case.saved, "saved_model.pb"))
        frozen = self.granted(case)[0].report["outputs"][0]["path"]
        kinds = {
            "saved_model.pb": (os.path.join(case.saved, "saved_model.pb"), "saved-model"),
            "meta.pb": (case.meta, "meta-graph"),
            "graph.meta": (frozen, "graph-def"),
            "model": (frozen, "graph-def"),
        }
        for name, (path, kind) in kinds.items():
            copy = shutil.copy(path, os.path.join(folder("threads", "8923", name), name))
            for shown in (path, copy):
                answer = call("inspect", shown)
                self.done(answer)
                self.assertEqual(answer.report["kind"], kind, answer)
        self.granted(case, path=os.path.join(case.saved, "saved_model.pb"))

    def test_thread_tfjs_3803_an_output_that_is_not_there_is_said_to_be_so_with_those_that_are(self):
        path = os.path.join(DATA, "saved_models", "nested_calls")
        answer = call("freeze", path, "-o", os.path.join(folder("threads", "3803"), "out.pb"), "--outputs", "Identity")
        self.told(answer, "not-in-graph", "Identity")
        self.assertTrue(answer.report["diagnostics"][0]["fix"], answer)
        case = made("3803", dense)
        answer = call("freeze", case.path, "-o", self.out(case, "out.pb"), "--outputs", "Y")
        self.told(answer, "not-in-graph", "Y is not in graph", "cryograph list")

    def test_thread_18523_18211_names_of_the_graph_that_the_checkpoint_lacks_are_all_told(self):
        case, other = made("18523 one", dense), made("18523 other", training_graph)
        with_other = Case(case.name, case.path, ["y"])
        with_other.pb, with_other.prefix = case.pb, other.prefix
        self.refuses("No variables to save", theirs, with_other, bare=True)
        answer = call("freeze", case.pb, "--checkpoint", other.prefix, "-o", self.out(case, "out.pb"), "--outputs", "y")
        self.told(answer, "missing-key", "2 variables: w, b")

    def test_thread_13588_any_file_of_a_checkpoint_opens_it(self):
        case = made("13588", dense)
        files = [
            case.prefix,
            *(case.prefix + end for end in (".index", ".data-00000-of-00001", ".meta")),
            os.path.join(os.path.dirname(case.prefix), "checkpoint"),
            os.path.dirname(case.prefix),
        ]
        self.refuses("not an sstable", tf.train.load_checkpoint, files[2])
        for path in files:
            self.granted(case, path=path)

    def test_thread_13588_a_data_file_alone_is_told_what_it_lacks(self):
        case = made("13588 alone", dense)
        for name, code, words in [
            ("model.ckpt.data-00000-of-00001", "no-index", "model.ckpt.index"),
            ("checkpoint", "no-checkpoint", "model.ckpt.index is missing"),
        ]:
            alone = folder("threads", "alone " + name)
            path = shutil.copy(os.path.join(os.path.dirname(case.prefix), name), alone)
            answer = call("inspect", path)
            self.told(answer, code, words)

    def test_thread_7172_all_variables_without_a_value_are_told_with_the_near_ones(self):
        case = made("7172", dense)
        reference(case)  # while it can be restored
        graph = graphs.imported(graphs.read_graph(case.meta))
        with graph.as_default(), tf1.Session(config=graphs.config()) as session:
            session.run("init")
            tensors = [graph.get_tensor_by_name(name + "/read:0") for name in ("w", "b")]
            names = ["w/ExponentialMovingAverage", "b/ExponentialMovingAverage"]
            session.run(
                tf.raw_ops.SaveV2(prefix=case.prefix, tensor_names=names, shape_and_slices=["", ""], tensors=tensors)
            )
        self.refuses("not found in checkpoint", theirs, case)
        answer = call("freeze", case.path, "-o", self.out(case, "out.pb"), "--outputs", "y")
        self.told(answer, "missing-key", "2 variables: w, b")
        self.told(answer, "unmatched-variables", "b/ExponentialMovingAverage, w/ExponentialMovingAverage", "--rename")
        renamed = self.out(case, "averages.ckpt")
        self.done(call("weights", case.prefix, "-o", renamed, "--rename", "**/ExponentialMovingAverage=**"))
        self.granted(case, "--checkpoint", renamed)

    def test_thread_16767_without_adam_s_slots_a_checkpoint_has_a_third(self):
        case, small = made("16767", training_graph), os.path.join(folder("threads", "16767 out"), "small.ckpt")
        self.done(call("weights", case.prefix, "-o", small, "--no-slots"))
        shapes = [tf.train.load_checkpoint(prefix).get_variable_to_shape_map() for prefix in (case.prefix, small)]
        self.assertEqual(sorted(shapes[1]), ["hidden/b", "hidden/w", "logits/b", "logits/w"])
        sizes = [os.path.getsize(prefix + ".data-00000-of-00001") for prefix in (case.prefix, small)]
        self.assertLess(sizes[1], sizes[0] * 0.34)
        session, _ = graphs.restored(case.meta, case.prefix)
        with session, session.graph.as_default():
            tf1.train.Saver(tf1.trainable_variables()).restore(session, small)

    def test_thread_26353_variables_of_a_checkpoint_are_renamed(self):
        case, out = made("26353", dense), os.path.join(folder("threads", "26353 out"), "new.ckpt")
        self.done(call("weights", case.prefix, "-o", out, "--rename", "*=tower/dense/*"))
        old, new = tf.train.load_checkpoint(case.prefix), tf.train.load_checkpoint(out)
        self.assertEqual(
            {name: graphs.bits(new.get_tensor(name)) for name in new.get_variable_to_shape_map()},
            {"tower/dense/" + name: graphs.bits(old.get_tensor(name)) for name in ("w", "b")},
        )

    def test_thread_36720_a_graph_and_a_checkpoint_become_a_saved_model(self):
        for resource in (False, True):
            case = made(f"36720 {resource}", dense, resource=resource)
            for path in (case.pb, case.meta):
                out = self.out(case, "saved") + "/"
                self.done(call("convert", path, "--checkpoint", case.prefix, "-o", out, "--force"))
                with tf1.Session(graph=tf1.Graph(), config=graphs.config()) as session:
                    tf1.saved_model.load(session, ["serve"], out)
                    self.same_outputs(reference(case), graphs.run_outputs(session, case, feeds(case)), path)

    def test_thread_22994_which_tensorflow_wrote_it_and_which_attribute_is_new_is_told(self):
        case = made(
            "22994", dense, edit=lambda meta: meta.graph_def.node[0].attr["of_tomorrow"].CopyFrom(tf1.AttrValue(b=True))
        )
        report = call("inspect", case.path).report
        self.assertEqual(
            (report["tensorflowVersion"], report["producer"]),
            (tf.__version__, graphs.read_graph(case.meta).versions.producer),
        )
        self.told(
            call("validate", case.path),
            "attr-unknown",
            "attribute of_tomorrow which is not in the op definition",
            status=0,
        )

    def test_thread_22994_attributes_that_an_older_tensorflow_does_not_know_go_where_they_are_defaults(self):
        def build():
            image = tf.reshape(placeholder("x", None, 4), [-1, 2, 2, 1])
            y = tf.nn.conv2d(image, variable("kernel", 2, 2, 1, 3), 1, "VALID")
            tf.cast(tf.equal(tf.cast(y * 4.0, tf.int32), 1), tf.float32, name="y")

        case = made("22994 default", build)
        new = {"Cast": "Truncate", "Equal": "incompatible_shape_error", "Conv2D": "explicit_paddings"}
        has = {node.op for node in theirs(case).node if new.get(node.op, "") in node.attr}
        self.assertEqual(has, set(new))
        _, after = self.granted(case, "--strip-defaults")
        self.assertEqual([], [node.name for node in after.node if new.get(node.op, "") in node.attr])

    def test_thread_10663_freezing_does_not_take_the_memory_that_the_weights_have(self):
        where = folder("threads", "10663")
        first, prefix, again = (os.path.join(where, name) for name in ("first.pb", "model.ckpt", "again.pb"))
        models.frozen(first, 10, 10)  # 100 MB
        self.done(call("unfreeze", first, "-o", prefix))
        for arguments in (["inspect", prefix], ["freeze", prefix, "-o", again]):
            command = [sys.executable, "-c", PEAK, CRYOGRAPH, *arguments, "--quiet"]
            peak = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
            self.assertLess(int(peak.split()[-1]), 40_000, arguments)
        with open(first, "rb") as one, open(again, "rb") as other:
            self.assertEqual(hashlib.sha256(one.read()).digest(), hashlib.sha256(other.read()).digest())

    def test_thread_tensorflowsharp_373_ops_that_nobody_has_are_no_obstacle(self):
        case = made("373", lambda: tf.nn.selu(dense(), "custom"))
        reference(case)
        meta = graphs.parse(tf1.MetaGraphDef, case.meta)
        next(node for node in meta.graph_def.node if node.name == "custom").op = "MyOwnSelu"
        write(case.meta, meta)
        self.refuses("Op type not registered 'MyOwnSelu'", theirs, case)
        self.granted(case)  # to y: without it
        out = self.out(case, "custom.pb")
        self.done(call("freeze", case.path, "-o", out, "--outputs", "custom"))
        before, after = ({node.name: node for node in graphs.read_graph(path).node} for path in (case.meta, out))
        self.assertEqual(after["custom"], before["custom"])
        self.assertEqual(after["w"].op, "Const")
        self.told(call("validate", out), "unknown-op", "MyOwnSelu", status=1)

    def test_thread_tfjs_1693_reading_of_pictures_and_training_are_cut_off_for_tensorflow_js(self):
        def build():
            picture = tf.image.decode_jpeg(placeholder("file", dtype=tf.string), channels=3)
            x = tf.identity(tf.image.resize(tf.cast(picture, tf.float32)[None], [8, 8]), "resized")
            y = tf.nn.relu(tf.nn.conv2d(x, variable("kernel", 3, 3, 3, 2), 1, "SAME"), name="y")
            tf1.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(y))

        case = made("1693", build, inputs=["file"])
        out = os.path.join(folder("threads", "1693 out"), "model.json")
        answer = call("freeze", case.path, "-o", out, "--inputs", "resized", "--outputs", "y")
        self.done(answer)
        ops = {one["op"] for one in call("list", out, "nodes").report["nodes"]}
        self.assertEqual(ops, {"Placeholder", "Const", "Conv2D", "Relu", "Identity"})

    def test_thread_kopanev_the_weights_come_out_as_arrays(self):
        case, out = made("kopanev", training_graph), os.path.join(folder("threads", "kopanev out"), "weights.npz")
        self.done(call("weights", case.saved, "-o", out, "--no-slots"))
        arrays, held = np.load(out), tf.train.load_checkpoint(case.prefix)
        self.assertEqual(
            {name: graphs.bits(arrays[name]) for name in arrays.files},
            {name: graphs.bits(held.get_tensor(name)) for name in ("hidden/w", "hidden/b", "logits/w", "logits/b")},
        )
