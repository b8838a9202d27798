"""--snippet: the lines that are printed after a write load the result in a new TensorFlow, and run it.

What they compute is the same for every form of a model. (tests/tfjs runs those of TensorFlow.js.)
"""

import functools
import json
import os

import numpy
import tensorflow2
from cases import DATA, WITH_WEIGHTS
from program import call
from suite import Suite, expanded, folder, for_each

CASES = [case for case in WITH_WEIGHTS if not case.corpus]
SAVED_MODELS = sorted(os.listdir(os.path.join(DATA, "saved_models")))
# The files that are written, and the words that write them.
GRAPHS = {
    "f.pb": ["freeze"],
    "f.pbtxt": ["freeze"],
    "f.meta.pbtxt": ["freeze"],
    "f.pb.zip": ["freeze"],
    "f/": ["freeze"],
    "p.ckpt": ["prune"],
    "p1": ["prune", "--as", "checkpoint-v1"],
    "p.ckpt.zip": ["prune"],
    "p/": ["prune"],
    "pt/saved_model.pbtxt": ["prune"],
}
WEIGHTS = {"w.npz": [], "w.safetensors": [], "w.ckpt": [], "w": ["--as", "npy"], "w.npz.zip": []}
HERE = os.path.dirname(os.path.abspath(__file__))


@functools.lru_cache(None)
def answers():
    """{(name, output): (answer, what its lines did)}, of one process for all."""
    tasks = []
    for case in CASES:
        for out, words in GRAPHS.items():
            tasks.append((case.name, case.path, out, [*words, "--outputs", ",".join(case.outputs)]))
        for out, words in WEIGHTS.items():
            tasks.append((case.name, case.path, out, ["weights", *words]))
    for name in SAVED_MODELS:
        for out, words in {"c/": ["convert"], "f.pb": ["freeze", "--fold-assets"], "f/": ["freeze"]}.items():
            tasks.append((name, os.path.join(DATA, "saved_models", name), out, words))
    made = {}
    for name, path, out, (verb, *words) in tasks:
        place = os.path.join(folder("snippets", name, out.replace("/", "_")), out)
        made[name, out] = call(verb, path, "-o", place, "--force", "--snippet", *words)
    return {key: (answer, ran) for (key, answer), ran in zip(made.items(), run_all(made.values()))}


def run_all(made):
    programs = [answer.report.get("snippet", {}).get("lines", []) for answer in made]
    path = os.path.join(folder("snippets"), "answers.json")
    done = tensorflow2.run(os.path.join(HERE, "snippets.py"), path, given=json.dumps(programs))
    with open(path) as file:
        ran = [json.loads(line) for line in file]
    ended = {"error": f"the program before it ended the process: {done.stderr[-2000:]}"}
    return ran + [ended] * (len(programs) - len(ran))


@expanded
class Snippets(Suite):
    def ran(self, name, out):
        answer, ran = answers()[name, out]
        self.done(answer)
        lines = answer.report["snippet"]["lines"]
        if "Cannot assign a device" in ran["error"]:
            self.skipTest("it runs on devices that are not here")
        self.assertEqual(ran["error"], "", "\n".join(lines))
        self.assertLessEqual(len(lines), 16)
        return ran["outputs"]

    def near(self, expected, found, said):
        self.assertEqual(len(expected), len(found), said)
        for one, other in zip(map(numpy.asarray, expected), map(numpy.asarray, found)):
            self.assertEqual(one.shape, other.shape, said)
            if one.dtype.kind in "fi":
                numpy.testing.assert_allclose(one, other, 1e-4, 1e-5, err_msg=said)
            else:
                self.assertTrue((one == other).all(), said)

    @for_each(CASES)
    def test_a_graph_is_loaded_and_runs(self, case):
        expected = None
        for out in GRAPHS:
            if answers()[case.name, out][0].status != 0:
                continue  # refused: other tests say why
            found = self.ran(case.name, out)
            if "/" in out:  # its signature has the likely outputs
                continue
            self.assertEqual(len(found), len(case.outputs), out)
            expected = expected or found
            self.near(expected, found, out)
        self.assertIsNotNone(expected)

    @for_each(CASES)
    def test_weights_are_loaded(self, case):
        for out in WEIGHTS:
            self.assertEqual(len(self.ran(case.name, out)), 1, out)

    @for_each(SAVED_MODELS)
    def test_a_saved_model_is_loaded_and_runs(self, name):
        for out in ("c/", "f.pb", "f/"):
            if answers()[name, out][0].status == 0:  # else refused: other tests say why
                self.assertTrue(self.ran(name, out), out)
