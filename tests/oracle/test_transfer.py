"""transfer: what TensorFlow restores of the target is the source's, but for what was excluded, which is what it was."""

import functools
import os

import graphs
import numpy as np
import tensorflow as tf
from cases import WITH_WEIGHTS
from changed import changed
from graphs import tf1
from program import call
from suite import Suite, expanded, folder, for_each, frozen, values

# Formats that the reader which makes the changed checkpoint cannot read whole.
FIRST_FORMAT = {"v1", "v1_sharded", "types_v1", "v1_partitioned"}
CASES = [case for case in WITH_WEIGHTS if not case.name.startswith("v1") and case.name not in FIRST_FORMAT]


@functools.lru_cache(None)
def of_source(case):
    """{variable: bits} of the changed checkpoint, as TensorFlow restores it."""
    return {name: graphs.bits(value) for name, value in graphs.variable_values(case.meta, changed(case)[0]).items()}


def excluded_of(names):
    """Every other variable by its name."""
    return sorted(names)[::2]


@expanded
class Transfer(Suite):
    def transferred(self, case, source, *more, name):
        prefix = os.path.join(folder("transfer", case.name, name), "out.ckpt")
        return call("transfer", "--from", source, "--into", case.path, "-o", prefix, "--force", *more), prefix

    def counted(self, answer, variables):
        parts = [answer.report[kind] for kind in ("matched", "excluded", "mismatched", "unmatched")]
        names = sorted(each["name"] for part in parts for each in part)
        self.assertEqual(names, sorted(variables), answer)

    @for_each(CASES)
    def test_excluded_variables_are_as_before_and_the_others_the_sources(self, case):
        source, _ = changed(case)
        before, theirs = values(case), of_source(case)
        excluded = excluded_of(before)
        globs = ",".join(excluded)
        answer, prefix = self.transferred(case, source, *(["--exclude", globs] if globs else []), name="half")
        if excluded == sorted(before):  # nothing is left to take
            self.assertEqual(answer.status, 0, answer)
        self.done(answer)
        self.counted(
            answer, [node.name for node in graphs.read_graph(case.meta).node if node.op in graphs.VARIABLE_OPS]
        )
        # Parts of one variable have the same outcome.
        kept = {each["name"] for each in answer.report["excluded"]}
        self.assertLessEqual(set(excluded), kept, answer)
        expected = {name: graphs.bits(before[name]) if name in kept else theirs[name] for name in before}
        found = {name: graphs.bits(value) for name, value in graphs.variable_values(prefix + ".meta", prefix).items()}
        self.same({name: found.get(name) for name in expected}, expected, answer)

    @for_each(CASES)
    def test_all_of_it_is_the_sources_and_saved_again_and_no_node_changes(self, case):
        source, _ = changed(case)
        answer, prefix = self.transferred(case, source, name="saved")
        self.done(answer)
        was = {node.name: node.SerializeToString(deterministic=True) for node in graphs.read_graph(case.meta).node}
        now = {
            node.name: node.SerializeToString(deterministic=True) for node in graphs.read_graph(prefix + ".meta").node
        }
        self.same({name: now.get(name) for name in was}, was, answer)
        session, saver = graphs.restored(prefix + ".meta", prefix)
        again = os.path.join(folder("transfer", case.name, "again"), "again.ckpt")
        with session:
            first = {name: graphs.bits(value) for name, value in graphs.values_in(session).items()}
            saver.save(session, again, write_meta_graph=False)
        self.same({name: first.get(name) for name in of_source(case)}, of_source(case), answer)
        second = {name: graphs.bits(value) for name, value in graphs.variable_values(prefix + ".meta", again).items()}
        self.same(second, first, answer)

    @for_each(CASES)
    def test_a_frozen_graph_gives_its_variables_back_to_where_they_came_from(self, case):
        freezing, path = frozen(case)
        if freezing.status != 0 or not freezing.report["converted"]:
            self.skipTest("was not frozen")
        answer, prefix = self.transferred(case, path, name="frozen")
        self.done(answer)
        matched = {each["name"] for each in answer.report["matched"]}
        self.assertLessEqual({each["name"] for each in freezing.report["converted"]}, matched, answer)
        before = {name: graphs.bits(value) for name, value in values(case).items()}
        found = {name: graphs.bits(value) for name, value in graphs.variable_values(prefix + ".meta", prefix).items()}
        self.same({name: found.get(name) for name in before}, before, answer)

    @for_each([case for case in CASES if not case.corpus])
    def test_a_graph_alone_gets_a_checkpoint_only_where_every_variable_has_a_value(self, case):
        source, _ = changed(case)
        alone = os.path.join(folder("transfer", case.name, "alone"), "graph.meta")
        with open(case.meta, "rb") as file, open(alone, "wb") as out:
            out.write(file.read())
        out = os.path.join(folder("transfer", case.name, "from alone"), "out.ckpt")
        answer = call("transfer", "--from", source, "--into", alone, "-o", out, "--force")
        left = [*answer.report.get("unmatched", []), *answer.report.get("mismatched", [])]
        lost = [each for each in left if each["why"].endswith("it has no value")]
        if lost or "nothing-matched" in answer.codes():
            self.refused(answer, os.path.dirname(out))
            return
        self.done(answer)
        theirs = of_source(case)
        found = {name: graphs.bits(value) for name, value in graphs.variable_values(out + ".meta", out).items()}
        self.same({name: found.get(name) for name in theirs}, theirs, answer)


class Training(Suite):
    """The task that it is for: a trained body under a new head."""

    def test_a_body_moves_under_a_new_head_which_stays(self):
        here = folder("transfer", "head")
        source, target, out = (os.path.join(here, name) for name in ("source.ckpt", "target.ckpt", "out.ckpt"))
        self.model(source, classes=3, scope="", seed=1)
        self.model(target, classes=5, scope="net/", seed=2)
        answer = call("transfer", "--from", source, "--into", target, "-o", out)
        self.done(answer)
        self.assertEqual({"net/body/w", "net/body/b"}, {each["name"] for each in answer.report["matched"]}, answer)
        self.assertEqual({"net/head/w"}, {each["name"] for each in answer.report["mismatched"]}, answer)
        strict = call("transfer", "--from", source, "--into", target, "-o", out, "--force", "--strict")
        self.assertEqual((strict.status, strict.codes()), (3, ["not-all-matched"]), strict)
        strict = call(
            "transfer", "--from", source, "--into", target, "-o", out, "--force", "--strict", "--exclude", "net/head/**"
        )
        self.done(strict)
        before, there = (
            graphs.variable_values(target + ".meta", target),
            graphs.variable_values(source + ".meta", source),
        )
        after = graphs.variable_values(out + ".meta", out)
        self.assertEqual(graphs.bits(after["net/body/w"]), graphs.bits(there["body/w"]))
        self.assertEqual(graphs.bits(after["net/head/w"]), graphs.bits(before["net/head/w"]))

    def model(self, prefix, classes, scope, seed):
        with tf1.Graph().as_default(), tf1.Session() as session:
            tf1.set_random_seed(seed)
            x = tf1.placeholder("float32", [None, 4], "x")
            with tf1.variable_scope(scope.rstrip("/") or tf1.get_variable_scope()):
                w = tf1.get_variable("body/w", [4, 8], use_resource=False)
                b = tf1.get_variable("body/b", [8], use_resource=False)
                head = tf1.get_variable("head/w", [8, classes], use_resource=False)
            tf1.identity(tf1.matmul(tf1.nn.relu(tf1.nn.bias_add(tf1.matmul(x, w), b)), head), "y")
            session.run(tf1.global_variables_initializer())
            tf1.train.Saver().save(session, prefix)


class Fresh(Suite):
    """A graph without a checkpoint: what its initializers assign is TensorFlow's to say."""

    def fresh(self, name, resource=False, partitioned=False, random=False):
        """A .meta of a small model with an optimizer; what global_variables_initializer() gives its variables."""
        path = os.path.join(folder("transfer", "fresh", name), "new.meta")
        with tf1.Graph().as_default(), tf1.Session() as session:
            x = tf1.placeholder("float32", [None, 4], "x")
            split = tf1.fixed_size_partitioner(2) if partitioned else None
            with tf1.variable_scope("net", use_resource=resource, partitioner=split):
                w = tf1.convert_to_tensor(tf1.get_variable("w", [4, 8]))
                gamma = tf1.convert_to_tensor(tf1.get_variable("gamma", [8], initializer=tf1.ones_initializer()))
                table = tf1.convert_to_tensor(
                    tf1.get_variable("table", [300, 8], initializer=tf1.constant_initializer(0.25))
                )
                large = tf1.convert_to_tensor(tf1.get_variable("large", [2000, 2], initializer=tf1.zeros_initializer()))
                fixed = tf1.constant_initializer(0.5 if partitioned else np.arange(24).reshape(8, 3))
                head = tf1.convert_to_tensor(
                    tf1.get_variable(
                        "head", [8, 3], initializer=tf1.truncated_normal_initializer() if random else fixed
                    )
                )
            step = tf1.train.get_or_create_global_step()
            loss = (
                tf1.reduce_sum(tf1.matmul(tf1.matmul(x, w) * gamma, head))
                + tf1.reduce_sum(table)
                + tf1.reduce_sum(large)
            )
            tf1.train.AdamOptimizer().minimize(loss, global_step=step)
            tf1.train.Saver()
            tf1.train.export_meta_graph(path)
            session.run(tf1.global_variables_initializer())
            return path, {each.op.name: session.run(each) for each in tf1.global_variables()}

    def body(self, name):
        source = os.path.join(folder("transfer", "fresh", name), "body.npz")
        np.savez(source, **{"net/w": np.linspace(0, 1, 32, dtype="float32").reshape(4, 8)})
        return source

    def taken(self, name, **how):
        meta, initial = self.fresh(name, **how)
        source, out = self.body(name), os.path.join(os.path.dirname(meta), "out", "init.ckpt")
        os.makedirs(os.path.dirname(out))
        answer = call("transfer", "--from", source, "--into", meta, "-o", out)
        self.done(answer)
        found = graphs.variable_values(out + ".meta", out)
        body = {
            each
            for each in initial
            if each == "net/w" or os.path.basename(each).startswith("part_") and each.startswith("net/w/")
        }
        self.assertEqual(
            graphs.bits(np.concatenate([found[each] for each in sorted(body)])), graphs.bits(np.load(source)["net/w"])
        )
        self.assertEqual({each["name"] for each in answer.report["matched"]}, body, answer)
        rest = {each: graphs.bits(value) for each, value in initial.items() if each not in body}
        self.same({each: graphs.bits(found[each]) for each in rest}, rest, answer)
        self.assertIn("initial-values", answer.codes("warning"), answer)
        return answer, rest

    def test_a_graph_alone_takes_what_its_initializers_assign(self):
        answer, rest = self.taken("ref")
        self.assertEqual({each["name"] for each in answer.report["initial"]}, set(rest), answer)

    def test_the_same_of_resource_variables(self):
        answer, rest = self.taken("resource", resource=True)
        self.assertEqual({each["name"] for each in answer.report["initial"]}, set(rest), answer)

    def test_the_same_of_partitioned_variables(self):
        self.taken("partitioned", partitioned=True)

    def test_what_starts_at_random_is_named_and_refused_or_left_out(self):
        meta, initial = self.fresh("random", random=True)
        source, out = self.body("random"), os.path.join(os.path.dirname(meta), "out", "init.ckpt")
        os.makedirs(os.path.dirname(out))
        answer = call("transfer", "--from", source, "--into", meta, "-o", out)
        self.refused(answer, os.path.dirname(out))
        self.assertEqual(answer.codes(), ["variables-without-value"], answer)
        self.assertIn(
            "1 of 18 variables: net/head (its initializer is random: TruncatedNormal)",
            answer.report["diagnostics"][-1]["message"],
        )
        part = call("transfer", "--from", source, "--into", meta, "-o", out, "--partial")
        self.done(part)
        self.assertEqual([("net/w", [4, 8])], tf.train.list_variables(out))
        with tf1.Graph().as_default(), tf1.Session() as session:
            tf1.train.import_meta_graph(meta)
            names = {each.op.name: each for each in tf1.global_variables()}
            tf1.train.init_from_checkpoint(out, {"net/w": names["net/w"]})
            session.run(tf1.global_variables_initializer())
            self.assertEqual(graphs.bits(session.run(names["net/w"])), graphs.bits(np.load(source)["net/w"]))
            self.assertEqual(graphs.bits(session.run(names["net/gamma"])), graphs.bits(initial["net/gamma"]))


class Casts(Suite):
    """--cast gives what NumPy's astype does."""

    def test_floats_are_rounded_as_numpy_rounds_them(self):
        here = folder("transfer", "cast")
        random = np.random.RandomState(0)
        values = np.concatenate(
            [
                random.standard_normal(5000) * 10.0 ** random.randint(-48, 40, 5000),
                [0.0, -0.0, np.inf, -np.inf, np.nan, 65519.99, 65520.0, 6e-8, 2.9e-8, 1e-46],
            ]
        )
        bfloat16 = tf.bfloat16.as_numpy_dtype
        types = {"float16": np.float16, "bfloat16": bfloat16, "float32": np.float32, "float64": np.float64}
        with np.errstate(all="ignore"):
            for source in types:
                weights = os.path.join(here, source + ".ckpt")
                with tf1.Graph().as_default(), tf1.Session() as session:
                    variable = tf1.Variable(values.astype(types[source]), name="w")
                    session.run(variable.initializer)
                    tf1.train.Saver([variable]).save(session, weights, write_meta_graph=False)
                for to in set(types) - {source}:
                    out = os.path.join(here, f"{source}-{to}.ckpt")
                    answer = call("weights", weights, "--cast", f"{source}={to}", "-o", out)
                    self.done(answer)
                    found = tf.train.load_variable(out, "w")
                    expected = values.astype(types[source]).astype(types[to])
                    self.assertEqual(found.dtype, expected.dtype, answer)
                    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
                    self.assertTrue(
                        same.all(), f"{answer}: {found[~same][:3]} {expected[~same][:3]} {values[~same][:3]}"
                    )
                    self.assertTrue((np.signbit(found) == np.signbit(expected)).all(), answer)

    def test_whole_numbers_have_to_stay_the_same(self):
        here = folder("transfer", "cast whole")
        np.savez(os.path.join(here, "w.npz"), w=np.array([1, -2, 2**24], "int64"))
        done = call("weights", os.path.join(here, "w.npz"), "--cast", "int64=int32", "-o", os.path.join(here, "a.npz"))
        self.done(done)
        self.assertEqual(np.load(os.path.join(here, "a.npz"))["w"].tolist(), [1, -2, 2**24])
        np.savez(os.path.join(here, "w.npz"), w=np.array([1, 2**53 + 1], "int64"))
        for to in ("int32", "float64"):
            answer = call(
                "weights", os.path.join(here, "w.npz"), "--cast", "int64=" + to, "-o", os.path.join(here, "b.npz")
            )
            self.assertEqual((answer.status, answer.codes()), (3, ["inexact-cast"]), answer)

    def test_a_checkpoint_is_converted_with_the_same_casts(self):
        here = folder("transfer", "cast convert")
        weights, out = os.path.join(here, "w.ckpt"), os.path.join(here, "half.ckpt")
        values = {"a/w": np.linspace(-3, 3, 40).reshape(5, 8), "step": np.array(7, "int64")}
        with tf1.Graph().as_default(), tf1.Session() as session:
            variables = [tf1.Variable(value, name=name) for name, value in values.items()]
            session.run(tf1.variables_initializer(variables))
            saver = tf1.train.Saver(variables)
            saver.save(session, weights)
            saver.save(session, os.path.join(here, "alone.ckpt"), write_meta_graph=False)
        for form in ("checkpoint", "checkpoint-v1"):
            answer = call(
                "convert",
                os.path.join(here, "alone.ckpt"),
                "--cast",
                "float64=float16",
                "--as",
                form,
                "-o",
                out,
                "--force",
            )
            self.done(answer)
            held = tf.train.load_checkpoint(out)
            self.assertEqual(graphs.bits(held.get_tensor("a/w")), graphs.bits(values["a/w"].astype("float16")), answer)
            self.assertEqual(graphs.bits(held.get_tensor("step")), graphs.bits(values["step"]), answer)
        arrays = os.path.join(here, "w.npz")
        self.done(call("convert", weights, "--cast", "float64=float32", "-o", arrays))
        with np.load(arrays) as found:
            self.assertEqual(graphs.bits(found["a/w"]), graphs.bits(values["a/w"].astype("float32")))
        # A graph declares the types that its variables have.
        refused = call("convert", weights, "--cast", "float64=float32", "-o", os.path.join(here, "graph.ckpt"))
        self.assertEqual((refused.status, refused.codes()), (2, ["bad-option"]), refused)
