"""freeze --for: the forms of an earlier release compute the same bits; what has none is refused, and nothing is written."""

import os

import graphs
import newer_graphs
import numpy as np
from program import call
from suite import Suite, expanded, folder, for_each


def written(name):
    path = os.path.join(folder("for", name), "graph.pb")
    newer_graphs.write(name, path)
    return path


def run(path):
    return graphs.run_file(path, "y:0", {"x:0": newer_graphs.X})


def fitted(path, release):
    out = os.path.join(os.path.dirname(path), release, "graph.pb")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    return call("freeze", path, "-o", out, "--force", "--outputs", "y", "--for", release), out


def judged(path, release):
    return call("compat", path, "--target", release).report["targets"][0]


@expanded
class ForRelease(Suite):
    @for_each(build.__name__ for build in newer_graphs.EXACT)
    def test_the_same_bits(self, name):
        path = written(name)
        for release in ("tensorflow-1.4", "tensorflow-1.12", "tensorflow-1.15"):
            answer, out = fitted(path, release)
            self.done(answer)
            np.testing.assert_array_equal(run(path), run(out), str(answer))
            fixes = {each.get("fix") for each in judged(path, release)["blockers"]}
            self.assertNotIn(None, fixes, "the fix of each blocker is named")
            self.assertTrue(judged(out, release)["runs"])
            again, twice = fitted(out, release)
            self.done(again)
            self.assertEqual(graphs.read_graph(out), graphs.read_graph(twice), "twice is once")
        self.assertIn("release-fitted", answer.codes("note"), answer)

    @for_each(build.__name__ for build in newer_graphs.REFUSED)
    def test_no_form_with_the_same_bits(self, name):
        answer, out = fitted(written(name), "tensorflow-1.4")
        self.refused(answer, os.path.dirname(out))
        self.assertEqual(["release-refused"], answer.codes("error"), answer)
        self.assertNotIn("fix", judged(written(name), "tensorflow-1.4"), "compat names none")

    def test_the_latest_release_takes_a_graph_as_it_is(self):
        path = written("add")
        answer, out = fitted(path, "tensorflow-2.21")
        self.done(answer)
        self.assertEqual([], answer.report["changes"], answer)
        self.assertEqual(graphs.read_graph(path), graphs.read_graph(out))

    def test_a_name_that_is_no_release(self):
        answer, out = fitted(written("add"), "tensorflow-1.51")
        self.assertEqual(2, answer.status, answer)
        self.assertEqual([], os.listdir(os.path.dirname(out)), answer)
        self.assertEqual(["bad-option"], answer.codes("error"), answer)
